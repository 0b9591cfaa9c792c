//! The door from Python to the kernels of networks; like `lib.rs`, it converts arguments and releases the GIL.

use crate::layers;
use crate::list_losses::{self as losses, Documents, Loss};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Pair<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(layer, m)?)?;
    m.add_function(wrap_pyfunction!(layer_gradient, m)?)?;
    m.add_function(wrap_pyfunction!(list_losses, m)?)?;
    Ok(())
}

/// Features are single numbers, what a layer makes of them double ones.
#[derive(FromPyObject)]
enum Rows<'py> {
    Single(PyReadonlyArray2<'py, f32>),
    Double(PyReadonlyArray2<'py, f64>),
}

/// bias + x · weights.
#[pyfunction]
#[pyo3(signature = (x, weights, bias, n_threads=1))]
fn layer<'py>(
    py: Python<'py>,
    x: Rows<'py>,
    weights: PyReadonlyArray2<'py, f64>,
    bias: PyReadonlyArray1<'py, f64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (n_columns, n_units) = (weights.shape()[0], weights.shape()[1]);
    let (weights, bias) = (weights.as_slice()?, bias.as_slice()?);
    let (n_rows, out) = match &x {
        Rows::Single(x) => {
            let (n_rows, x) = (rows_of(x.shape(), n_columns)?, x.as_slice()?);
            let work = || layers::layer(x, n_columns, weights, bias, n_threads);
            (n_rows, py.detach(work))
        }
        Rows::Double(x) => {
            let (n_rows, x) = (rows_of(x.shape(), n_columns)?, x.as_slice()?);
            let work = || layers::layer(x, n_columns, weights, bias, n_threads);
            (n_rows, py.detach(work))
        }
    };
    out.into_pyarray(py).reshape([n_rows, n_units])
}

/// xᵀ · upper.
#[pyfunction]
#[pyo3(signature = (x, upper, n_threads=1))]
fn layer_gradient<'py>(
    py: Python<'py>,
    x: Rows<'py>,
    upper: PyReadonlyArray2<'py, f64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let n_units = upper.shape()[1];
    let upper = upper.as_slice()?;
    let (n_columns, out) = match &x {
        Rows::Single(x) => {
            let (k, x) = (x.shape()[1], x.as_slice()?);
            let work = || layers::layer_gradient(x, k, upper, n_units, n_threads);
            (k, py.detach(work))
        }
        Rows::Double(x) => {
            let (k, x) = (x.shape()[1], x.as_slice()?);
            let work = || layers::layer_gradient(x, k, upper, n_units, n_threads);
            (k, py.detach(work))
        }
    };
    out.into_pyarray(py).reshape([n_columns, n_units])
}

fn rows_of(shape: &[usize], n_columns: usize) -> PyResult<usize> {
    if shape[1] == n_columns {
        return Ok(shape[0]);
    }
    let said = format!("{} columns meet {n_columns} rows of weights", shape[1]);
    Err(PyValueError::new_err(said))
}

/// Gradients of the documents and losses of the queries.
#[pyfunction]
#[pyo3(signature = (loss, scores, labels, levels, weights, qptr, n_threads=1))]
fn list_losses<'py>(
    py: Python<'py>,
    loss: &str,
    scores: PyReadonlyArray1<'py, f64>,
    labels: PyReadonlyArray1<'py, f32>,
    levels: PyReadonlyArray1<'py, i32>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    qptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Pair<'py>> {
    let loss = Loss::named(loss)
        .ok_or_else(|| PyValueError::new_err(format!("no list loss is called {loss}")))?;
    let docs = Documents {
        scores: scores.as_slice()?,
        labels: labels.as_slice()?,
        levels: levels.as_slice()?,
        weights: weights.as_ref().map(|w| w.as_slice()).transpose()?,
        qptr: qptr.as_slice()?,
    };
    let (gradients, losses) = py.detach(|| losses::list_losses(loss, docs, n_threads));
    Ok((gradients.into_pyarray(py), losses.into_pyarray(py)))
}
