//! The door to Shapley values: converts arguments.

use crate::shapley::{self, Paths};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(shapley_values, m)?)
}

/// What each feature adds to the sum of a row's leaf values, averaged over all orders: rows × features.
#[pyfunction]
#[pyo3(signature = (left, value, element_ptr, feature, share, condition_ptr, condition, points, weights, n_features, n_threads=1))]
fn shapley_values<'py>(
    py: Python<'py>,
    left: PyReadonlyArray2<'py, u8>,
    value: PyReadonlyArray1<'py, f64>,
    element_ptr: PyReadonlyArray1<'py, i64>,
    feature: PyReadonlyArray1<'py, i64>,
    share: PyReadonlyArray1<'py, f64>,
    condition_ptr: PyReadonlyArray1<'py, i64>,
    condition: PyReadonlyArray1<'py, i64>,
    points: PyReadonlyArray1<'py, f64>,
    weights: PyReadonlyArray1<'py, f64>,
    n_features: usize,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (n_rows, n_splits) = left.as_array().dim();
    let left = left.as_slice()?;
    let paths = Paths {
        value: value.as_slice()?,
        element_ptr: element_ptr.as_slice()?,
        feature: feature.as_slice()?,
        share: share.as_slice()?,
        condition_ptr: condition_ptr.as_slice()?,
        condition: condition.as_slice()?,
        points: points.as_slice()?,
        weights: weights.as_slice()?,
    };
    paths
        .check(n_splits, n_features)
        .map_err(PyValueError::new_err)?;
    let shape = shapley::Shape {
        n_rows,
        n_splits,
        n_features,
    };
    let values = py.detach(|| shapley::shapley_values(&paths, left, shape, n_threads));
    values.into_pyarray(py).reshape([n_rows, n_features])
}
