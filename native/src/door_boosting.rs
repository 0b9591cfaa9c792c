//! The door from Python to the kernels of boosting; like `lib.rs`, it converts arguments and releases the GIL.

use crate::vectors::widest;
use crate::{binning, cuts, histograms, positions, potentials, stumps};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadwriteArray1,
};
use pyo3::prelude::*;

type Pair<'py, A, B> = (Bound<'py, PyArray1<A>>, Bound<'py, PyArray1<B>>);

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(add_by_code, m)?)?;
    m.add_function(wrap_pyfunction!(bin_codes, m)?)?;
    m.add_function(wrap_pyfunction!(bin_cuts, m)?)?;
    m.add_function(wrap_pyfunction!(bin_histograms, m)?)?;
    m.add_function(wrap_pyfunction!(label_levels, m)?)?;
    m.add_function(wrap_pyfunction!(mean_positions, m)?)?;
    m.add_function(wrap_pyfunction!(pair_potentials, m)?)?;
    m.add_function(wrap_pyfunction!(query_dots, m)?)?;
    m.add_function(wrap_pyfunction!(stump_scores, m)?)?;
    Ok(())
}

/// The thresholds of every column, and the offsets of each column's in them.
#[pyfunction]
#[pyo3(signature = (x, max_bins, n_threads=1))]
fn bin_cuts<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f32>,
    max_bins: usize,
    n_threads: usize,
) -> PyResult<Pair<'py, f32, i64>> {
    let n_columns = x.as_array().ncols();
    let x = x.as_slice()?;
    let cuts = py.detach(|| cuts::bin_cuts(x, n_columns, max_bins, n_threads));
    let mut ptr = vec![0i64; n_columns + 1];
    for (k, column) in cuts.iter().enumerate() {
        ptr[k + 1] = ptr[k] + column.len() as i64;
    }
    Ok((cuts.concat().into_pyarray(py), ptr.into_pyarray(py)))
}

/// The number of its column's thresholds below each value, 255 where it is missing; one row per column of `x`.
#[pyfunction]
#[pyo3(signature = (x, cuts, cut_ptr, n_threads=1))]
fn bin_codes<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f32>,
    cuts: PyReadonlyArray1<'py, f32>,
    cut_ptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let (n_rows, n_columns) = x.as_array().dim();
    let (x, cuts, cut_ptr) = (x.as_slice()?, cuts.as_slice()?, cut_ptr.as_slice()?);
    let codes = py.detach(|| binning::bin_codes(x, cuts, cut_ptr, n_threads));
    codes.into_pyarray(py).reshape([n_columns, n_rows])
}

/// For each column and code, Σ scale · numbers over its rows, each term cut to a whole number.
#[pyfunction]
#[pyo3(signature = (codes, numbers, scale, n_threads=1))]
fn bin_histograms<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    numbers: PyReadonlyArray1<'py, f64>,
    scale: f64,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let n_columns = codes.as_array().nrows();
    let (codes, numbers) = (codes.as_slice()?, numbers.as_slice()?);
    let cells =
        py.detach(|| histograms::bin_histograms(codes, numbers, scale, n_columns, n_threads));
    cells
        .into_flattened()
        .into_pyarray(py)
        .reshape([n_columns, histograms::CELLS])
}

/// numbers += table[codes], in place.
#[pyfunction]
#[pyo3(signature = (numbers, codes, table, n_threads=1))]
fn add_by_code(
    py: Python<'_>,
    mut numbers: PyReadwriteArray1<'_, f64>,
    codes: PyReadonlyArray1<'_, u8>,
    table: PyReadonlyArray1<'_, f64>,
    n_threads: usize,
) -> PyResult<()> {
    let (numbers, codes) = (numbers.as_slice_mut()?, codes.as_slice()?);
    let table: &[f64; histograms::CELLS] = table.as_slice()?.try_into()?;
    py.detach(|| histograms::add_by_code(numbers, codes, table, n_threads));
    Ok(())
}

/// The rank of each label among the different labels of its query, 0 for the lowest.
#[pyfunction]
#[pyo3(signature = (y, qptr, n_threads=1))]
fn label_levels<'py>(
    py: Python<'py>,
    y: PyReadonlyArray1<'py, f32>,
    qptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let (y, qptr) = (y.as_slice()?, qptr.as_slice()?);
    let levels = py.detach(|| potentials::label_levels(y, qptr, n_threads));
    Ok(levels.into_pyarray(py))
}

/// Per document, Σ over its pairs as the better one − Σ as the worse one; per query, Σ over all its pairs.
#[pyfunction]
#[pyo3(signature = (scores, levels, better, worse, qptr, n_threads=1))]
fn pair_potentials<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, i32>,
    better: PyReadonlyArray1<'py, f64>,
    worse: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Pair<'py, f64, f64>> {
    let docs = potentials::Documents {
        scores: scores.as_slice()?,
        levels: levels.as_slice()?,
        better: better.as_slice()?,
        worse: worse.as_slice()?,
    };
    let qptr = qptr.as_slice()?;
    let (pi, mass) = py.detach(|| potentials::pair_potentials(docs, qptr, n_threads));
    Ok((pi.into_pyarray(py), mass.into_pyarray(py)))
}

/// The position from the bottom of every value in its query, ties at their mean; one row per column of `x`.
#[pyfunction]
#[pyo3(signature = (x, qptr, n_threads=1))]
fn mean_positions<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f32>,
    qptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<f32>>> {
    let (n_rows, n_columns) = x.as_array().dim();
    let (x, qptr) = (x.as_slice()?, qptr.as_slice()?);
    let positions = py.detach(|| positions::mean_positions(x, n_columns, qptr, n_threads));
    positions.into_pyarray(py).reshape([n_columns, n_rows])
}

/// scale · Σ_d numbers(d) · columns(k, d) for each k; every query's sum is cut to a whole number.
#[pyfunction]
#[pyo3(signature = (columns, numbers, qptr, scale, n_threads=1))]
fn query_dots<'py>(
    py: Python<'py>,
    columns: PyReadonlyArray2<'py, f32>,
    numbers: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    scale: f64,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (columns, numbers, qptr) = (columns.as_slice()?, numbers.as_slice()?, qptr.as_slice()?);
    let sums = py.detach(|| positions::query_dots(columns, numbers, qptr, scale, n_threads));
    Ok(sums.into_pyarray(py))
}

/// Σ_t weight_t · 1[x_k > threshold_t], or the weight where `if_missing` and x_k is missing; k is `features[t]`.
#[pyfunction]
#[pyo3(signature = (x, features, thresholds, weights, if_missing, width=512, n_threads=1))]
fn stump_scores<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f32>,
    features: PyReadonlyArray1<'py, i64>,
    thresholds: PyReadonlyArray1<'py, f32>,
    weights: PyReadonlyArray1<'py, f64>,
    if_missing: PyReadonlyArray1<'py, bool>,
    width: usize,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let n_columns = x.as_array().ncols();
    let (features, thresholds) = (features.as_slice()?, thresholds.as_slice()?);
    let (weights, if_missing) = (weights.as_slice()?, if_missing.as_slice()?);
    let stumps: Vec<_> = (0..features.len())
        .map(|t| stumps::Stump {
            feature: features[t] as usize,
            threshold: thresholds[t],
            weight: weights[t],
            if_missing: if_missing[t],
        })
        .collect();
    let x = x.as_slice()?;
    let width = widest(width);
    let scores = py.detach(|| stumps::stump_scores(x, n_columns, &stumps, width, n_threads));
    Ok(scores.into_pyarray(py))
}
