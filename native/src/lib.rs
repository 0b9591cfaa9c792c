//! The door from Python: converts arguments, releases the GIL, and does no arithmetic of its own.
//! Every function has a NumPy twin of the same name in `rankwright/kernels/reference.py`.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub mod binning;
pub mod cuts;
mod door_boosting;
mod door_forest;
mod door_lambdas;
mod door_networks;
mod door_shapley;
mod door_sparse_trees;
mod door_svm;
mod door_sweep;
mod door_trees;
mod door_weighted;
pub mod exponentials;
pub mod forest;
pub mod histograms;
pub mod lambdas;
pub mod layers;
pub mod letor;
mod letor_door;
pub mod linear;
pub mod list_losses;
pub mod measures;
pub mod newton;
mod order;
pub mod ordered_pairs;
pub mod parallel;
pub mod plane_weights;
pub mod positions;
pub mod potentials;
pub mod rows;
pub mod separation;
pub mod shapley;
pub mod stumps;
pub mod sums;
pub mod sweep;
pub mod tiles;
pub mod trees;
pub mod vectors;
pub mod weighted_pairs;

/// Rows of each query by descending score; equal scores by ascending `tiebreak`, else by row.
#[pyfunction]
#[pyo3(signature = (scores, qptr, tiebreak=None, n_threads=1))]
fn order_queries<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    tiebreak: Option<PyReadonlyArray1<'py, i64>>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (scores, qptr) = (scores.as_slice()?, qptr.as_slice()?);
    let tiebreak = tiebreak.as_ref().map(|t| t.as_slice()).transpose()?;
    let rows = py.detach(|| order::order_queries(scores, qptr, tiebreak, n_threads));
    Ok(rows.into_pyarray(py))
}

/// The first k rows of each query in the order of `order_queries`, the others being left unsorted.
#[pyfunction]
#[pyo3(signature = (scores, qptr, k, n_threads=1))]
fn top_queries<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    k: usize,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (scores, qptr) = (scores.as_slice()?, qptr.as_slice()?);
    let rows = py.detach(|| order::top_queries(scores, qptr, k, n_threads));
    Ok(rows.into_pyarray(py))
}

/// Σ_i round(table[r, i] · weights[i] · 2^bits) for every row r, exactly.
#[pyfunction]
#[pyo3(signature = (table, weights, bits, n_threads=1))]
fn fixed_dots<'py>(
    py: Python<'py>,
    table: PyReadonlyArray2<'py, f64>,
    weights: PyReadonlyArray1<'py, f64>,
    bits: u32,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (table, weights) = (table.as_slice()?, weights.as_slice()?);
    let sums = py.detach(|| sums::fixed_dots(table, weights, bits, n_threads));
    Ok(sums.into_pyarray(py))
}

/// Values of all measures on all queries, measures × queries.
#[pyfunction]
#[pyo3(signature = (specs, scores, labels, qptr, tiebreak=None, n_threads=1))]
fn measure_queries<'py>(
    py: Python<'py>,
    specs: Vec<measures::spec::Fields>,
    scores: PyReadonlyArray1<'py, f64>,
    labels: PyReadonlyArray1<'py, f32>,
    qptr: PyReadonlyArray1<'py, i64>,
    tiebreak: Option<PyReadonlyArray1<'py, i64>>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let specs = specs
        .into_iter()
        .map(measures::spec::Spec::new)
        .collect::<Result<Vec<_>, _>>()
        .map_err(PyValueError::new_err)?;
    let (scores, labels, qptr) = (scores.as_slice()?, labels.as_slice()?, qptr.as_slice()?);
    let tiebreak = tiebreak.as_ref().map(|t| t.as_slice()).transpose()?;
    let values =
        py.detach(|| measures::measure_queries(&specs, scores, labels, qptr, tiebreak, n_threads));
    let n_queries = qptr.len().saturating_sub(1);
    values.into_pyarray(py).reshape([specs.len(), n_queries])
}

/// Values of a measure on all queries under every column as the score; with `both`, then under every column negated.
#[pyfunction]
#[pyo3(signature = (spec, x, labels, qptr, both, tiebreak=None, n_threads=1))]
fn measure_columns<'py>(
    py: Python<'py>,
    spec: measures::spec::Fields,
    x: PyReadonlyArray2<'py, f32>,
    labels: PyReadonlyArray1<'py, f32>,
    qptr: PyReadonlyArray1<'py, i64>,
    both: bool,
    tiebreak: Option<PyReadonlyArray1<'py, i64>>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let spec = measures::spec::Spec::new(spec).map_err(PyValueError::new_err)?;
    let queries = measures::columns::Columns {
        x: x.as_slice()?,
        n_columns: x.as_array().ncols(),
        labels: labels.as_slice()?,
        qptr: qptr.as_slice()?,
        tiebreak: tiebreak.as_ref().map(|t| t.as_slice()).transpose()?,
    };
    let values = py.detach(|| measures::columns::measure_columns(&spec, queries, both, n_threads));
    let n_queries = queries.qptr.len().saturating_sub(1);
    let n_rows = queries.n_columns * (1 + usize::from(both));
    values.into_pyarray(py).reshape([n_rows, n_queries])
}

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(order_queries, m)?)?;
    m.add_function(wrap_pyfunction!(top_queries, m)?)?;
    m.add_function(wrap_pyfunction!(fixed_dots, m)?)?;
    m.add_function(wrap_pyfunction!(measure_queries, m)?)?;
    m.add_function(wrap_pyfunction!(measure_columns, m)?)?;
    m.add_function(wrap_pyfunction!(letor_door::scan_letor, m)?)?;
    m.add_function(wrap_pyfunction!(letor_door::parse_letor, m)?)?;
    m.add_function(wrap_pyfunction!(letor_door::format_letor, m)?)?;
    door_boosting::register(m)?;
    door_forest::register(m)?;
    door_networks::register(m)?;
    door_lambdas::register(m)?;
    door_svm::register(m)?;
    door_shapley::register(m)?;
    door_sparse_trees::register(m)?;
    door_sweep::register(m)?;
    door_trees::register(m)?;
    door_weighted::register(m)?;
    Ok(())
}
