//! The door to the λ-gradients: converts arguments.

use crate::door_sweep::{worth_of, WorthParts};
use crate::lambdas::{self, Queries};
use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(lambda_gradients, m)?)
}

/// Of the documents and of the queries.
type Weights<'py> = (
    Option<PyReadonlyArray1<'py, f64>>,
    Option<PyReadonlyArray1<'py, f64>>,
);

/// Writes every document's λ and −∂λ/∂s into the two arrays given.
#[pyfunction]
#[pyo3(signature = (scores, qptr, worth, visit, weights, near, lambdas, hessians, n_threads=1))]
fn lambda_gradients(
    py: Python<'_>,
    scores: PyReadonlyArray1<'_, f64>,
    qptr: PyReadonlyArray1<'_, i64>,
    worth: WorthParts<'_>,
    visit: PyReadonlyArray1<'_, i64>,
    weights: Weights<'_>,
    near: f64,
    mut lambdas: PyReadwriteArray1<'_, f64>,
    mut hessians: PyReadwriteArray1<'_, f64>,
    n_threads: usize,
) -> PyResult<()> {
    let queries = Queries {
        scores: scores.as_slice()?,
        qptr: qptr.as_slice()?,
        worth: worth_of(&worth)?,
        visit: visit.as_slice()?,
        doc_weight: weights.0.as_ref().map(|w| w.as_slice()).transpose()?,
        query_weight: weights.1.as_ref().map(|w| w.as_slice()).transpose()?,
        near,
    };
    let (lambdas, hessians) = (lambdas.as_slice_mut()?, hessians.as_slice_mut()?);
    queries
        .check(lambdas.len(), hessians.len())
        .map_err(PyValueError::new_err)?;
    py.detach(|| lambdas::lambda_gradients(&queries, lambdas, hessians, n_threads));
    Ok(())
}
