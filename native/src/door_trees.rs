//! The door from Python to the kernels that grow trees; like `lib.rs`, it converts arguments and releases the GIL.

use crate::trees::{
    cells, codes as coding, limits, quantise as quantising, rows as leaf_rows, splits, step,
};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadwriteArray1, PyReadwriteArray2,
};
use pyo3::prelude::*;
use std::borrow::Cow;

/// What `best_split` says: see its twin.
type Found = (f64, i64, i64, bool, i64, i64, Cow<'static, [u8]>);

/// What `best_split` calls limits: see its twin.
type LimitFields = (i64, f64, f64, bool, f64, bool);

/// The cells' offsets, the chosen features, monotone, categorical, limits.
type Known<'py> = (
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i64>,
    PyReadonlyArray1<'py, i8>,
    PyReadonlyArray1<'py, bool>,
    LimitFields,
);

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(add_leaves, m)?)?;
    m.add_function(wrap_pyfunction!(best_split, m)?)?;
    m.add_function(wrap_pyfunction!(code_leaves, m)?)?;
    m.add_function(wrap_pyfunction!(code_rows, m)?)?;
    m.add_function(wrap_pyfunction!(divide_rows, m)?)?;
    m.add_function(wrap_pyfunction!(extents, m)?)?;
    m.add_function(wrap_pyfunction!(leaf_cells, m)?)?;
    m.add_function(wrap_pyfunction!(quantise, m)?)?;
    m.add_function(wrap_pyfunction!(settle_leaves, m)?)?;
    m.add_function(wrap_pyfunction!(split_leaf, m)?)?;
    Ok(())
}

/// Writes the codes of some columns, by rows.
#[pyfunction]
#[pyo3(signature = (x, cuts, cut_ptr, columns, codes, n_threads=1))]
fn code_rows(
    py: Python<'_>,
    x: PyReadonlyArray2<'_, f32>,
    cuts: PyReadonlyArray1<'_, f32>,
    cut_ptr: PyReadonlyArray1<'_, i64>,
    columns: PyReadonlyArray1<'_, i64>,
    mut codes: PyReadwriteArray2<'_, u8>,
    n_threads: usize,
) -> PyResult<()> {
    let n_columns = x.as_array().ncols();
    let (x, cuts, cut_ptr) = (x.as_slice()?, cuts.as_slice()?, cut_ptr.as_slice()?);
    let (columns, codes) = (columns.as_slice()?, codes.as_slice_mut()?);
    py.detach(|| coding::code_rows(x, n_columns, cuts, cut_ptr, columns, codes, n_threads));
    Ok(())
}

/// scores[row] += values[leaf_of[row]].
#[pyfunction]
#[pyo3(signature = (scores, leaf_of, values, n_threads=1))]
fn add_leaves(
    py: Python<'_>,
    mut scores: PyReadwriteArray1<'_, f64>,
    leaf_of: PyReadonlyArray1<'_, i32>,
    values: PyReadonlyArray1<'_, f64>,
    n_threads: usize,
) -> PyResult<()> {
    let (leaf_of, values) = (leaf_of.as_slice()?, values.as_slice()?);
    let scores = scores.as_slice_mut()?;
    py.detach(|| leaf_rows::add_leaves(scores, leaf_of, values, n_threads));
    Ok(())
}

/// The largest |gradient|, the smallest and the largest hessian.
#[pyfunction]
#[pyo3(signature = (gradients, hessians, n_threads=1))]
fn extents(
    py: Python<'_>,
    gradients: PyReadonlyArray1<'_, f64>,
    hessians: PyReadonlyArray1<'_, f64>,
    n_threads: usize,
) -> PyResult<(f64, f64, f64)> {
    let (gradients, hessians) = (gradients.as_slice()?, hessians.as_slice()?);
    Ok(py
        .detach(|| quantising::extents(gradients, hessians, n_threads))
        .into())
}

/// ⌊scale · number + u⌋ of gradients and hessians, u a hash of the numbers and the seed.
#[pyfunction]
#[pyo3(signature = (gradients, hessians, scales, seed, n_threads=1))]
fn quantise<'py>(
    py: Python<'py>,
    gradients: PyReadonlyArray1<'py, f64>,
    hessians: PyReadonlyArray1<'py, f64>,
    scales: (f64, f64),
    seed: u64,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<i16>>> {
    let (gradients, hessians) = (gradients.as_slice()?, hessians.as_slice()?);
    let n = gradients.len();
    let out = py.detach(|| quantising::quantise(gradients, hessians, scales, seed, n_threads));
    out.into_flattened().into_pyarray(py).reshape([n, 2])
}

/// The histograms of some features over some rows.
#[pyfunction]
#[pyo3(signature = (codes, quantised, rows, cell_ptr, features, count_bits, n_threads=1))]
fn leaf_cells<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    quantised: PyReadonlyArray2<'py, i16>,
    rows: PyReadonlyArray1<'py, i32>,
    cell_ptr: PyReadonlyArray1<'py, i64>,
    features: PyReadonlyArray1<'py, i64>,
    count_bits: u32,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let docs = cells::Documents {
        codes: codes.as_slice()?,
        width: codes.as_array().ncols(),
        quantised: quantised.as_slice()?,
    };
    let (rows, cell_ptr, features) = (rows.as_slice()?, cell_ptr.as_slice()?, features.as_slice()?);
    let cells =
        py.detach(|| cells::leaf_cells(docs, rows, cell_ptr, features, count_bits, n_threads));
    let n_cells = cells.len() / 2;
    cells.into_pyarray(py).reshape([2, n_cells])
}

/// The split of a leaf that betters its score most.
#[pyfunction]
#[pyo3(signature = (cells, known, bounds, count_bits, n_threads=1))]
fn best_split(
    py: Python<'_>,
    cells: PyReadonlyArray2<'_, i64>,
    known: Known<'_>,
    bounds: (f64, f64),
    count_bits: u32,
    n_threads: usize,
) -> PyResult<Found> {
    let cells = cells.as_slice()?.split_at(cells.as_array().ncols());
    let (features, chosen) = (features_of(&known)?, known.1.as_slice()?);
    let limits = limits_of(known.4, bounds, count_bits);
    let found = py.detach(|| splits::best_split(cells, features, chosen, limits, n_threads));
    Ok(found_of(found))
}

fn features_of<'a>(known: &'a Known<'_>) -> PyResult<splits::Features<'a>> {
    Ok(splits::Features {
        ptr: known.0.as_slice()?,
        monotone: known.2.as_slice()?,
        categorical: known.3.as_slice()?,
    })
}

fn limits_of(limits: LimitFields, bounds: (f64, f64), count_bits: u32) -> limits::Limits {
    limits::Limits {
        min_docs: limits.0 as f64,
        min_hessian: limits.1,
        l2: limits.2,
        mse: limits.3,
        smoothing: limits.4,
        by_frequency: limits.5,
        bounds,
        count_bits,
    }
}

fn found_of(found: splits::Found) -> Found {
    (
        found.gain,
        found.feature,
        found.code,
        found.missing_left,
        found.sum,
        found.counted,
        Cow::Owned(found.to_left.to_vec()),
    )
}

/// Between what values a leaf's must lie.
type Range = (f64, f64);

/// Divides a leaf and finds the best splits of both its children.
#[pyfunction]
#[pyo3(signature = (documents, division, rows, cells, known, bounds, count_bits, n_threads=1))]
fn split_leaf(
    py: Python<'_>,
    documents: (PyReadonlyArray2<'_, u8>, PyReadonlyArray2<'_, i16>),
    division: (PyReadonlyArray2<'_, u8>, usize, Cow<'_, [u8]>),
    mut rows: (PyReadwriteArray1<'_, i32>, PyReadwriteArray1<'_, i32>),
    mut cells: (PyReadwriteArray2<'_, i64>, PyReadwriteArray2<'_, i64>, bool),
    known: Known<'_>,
    bounds: (Option<Range>, Option<Range>),
    count_bits: u32,
    n_threads: usize,
) -> PyResult<(usize, Found, Found)> {
    let docs = cells::Documents {
        codes: documents.0.as_slice()?,
        width: documents.0.as_array().ncols(),
        quantised: documents.1.as_slice()?,
    };
    let division = step::Division {
        codes: division.0.as_slice()?,
        width: division.0.as_array().ncols(),
        feature: division.1,
        to_left: division.2.as_ref().try_into()?,
    };
    let (features, chosen) = (features_of(&known)?, known.1.as_slice()?);
    let within = [bounds.0, bounds.1].map(|b| b.map(|b| limits_of(known.4, b, count_bits)));
    let rows = (rows.0.as_slice_mut()?, rows.1.as_slice_mut()?);
    let n_cells = cells.0.as_array().ncols();
    let (sums, counted) = cells.0.as_slice_mut()?.split_at_mut(n_cells);
    let held = cells::Cells { sums, counted };
    let (sums, counted) = cells.1.as_slice_mut()?.split_at_mut(n_cells);
    let cells = (held, cells::Cells { sums, counted }, cells.2);
    let (n_left, left, right) = py.detach(|| {
        step::split_leaf(
            docs, division, rows, cells, features, chosen, within, n_threads,
        )
    });
    Ok((n_left, found_of(left), found_of(right)))
}

/// Puts the rows whose code goes left before the others; returns how many go left.
#[pyfunction]
#[pyo3(signature = (codes, rows, spare, feature, to_left, n_threads=1))]
fn divide_rows(
    py: Python<'_>,
    codes: PyReadonlyArray2<'_, u8>,
    mut rows: PyReadwriteArray1<'_, i32>,
    mut spare: PyReadwriteArray1<'_, i32>,
    feature: usize,
    to_left: &[u8],
    n_threads: usize,
) -> PyResult<usize> {
    let width = codes.as_array().ncols();
    let (codes, rows, spare) = (
        codes.as_slice()?,
        rows.as_slice_mut()?,
        spare.as_slice_mut()?,
    );
    let to_left: &[u8; 256] = to_left.try_into()?;
    Ok(
        py.detach(|| {
            leaf_rows::divide_rows(codes, width, rows, spare, feature, to_left, n_threads)
        }),
    )
}

/// Writes the leaf of every row; returns the sums of scaled gradients and hessians of each leaf.
#[pyfunction]
#[pyo3(signature = (rows, begins, ends, gradients, hessians, scales, leaf_of, n_threads=1))]
fn settle_leaves<'py>(
    py: Python<'py>,
    rows: PyReadonlyArray1<'py, i32>,
    begins: PyReadonlyArray1<'py, i64>,
    ends: PyReadonlyArray1<'py, i64>,
    gradients: PyReadonlyArray1<'py, f64>,
    hessians: PyReadonlyArray1<'py, f64>,
    scales: (f64, f64),
    mut leaf_of: PyReadwriteArray1<'py, i32>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let spans: Vec<_> = std::iter::zip(begins.as_slice()?, ends.as_slice()?)
        .map(|(&a, &b)| (a as usize, b as usize))
        .collect();
    let numbers = (gradients.as_slice()?, hessians.as_slice()?);
    let (rows, leaf_of) = (rows.as_slice()?, leaf_of.as_slice_mut()?);
    let sums =
        py.detach(|| leaf_rows::settle_leaves(rows, &spans, numbers, scales, leaf_of, n_threads));
    sums.into_flattened()
        .into_pyarray(py)
        .reshape([spans.len(), 2])
}

/// The leaf of every row by its codes.
#[pyfunction]
#[pyo3(signature = (codes, features, to_left, left, right, n_threads=1))]
fn code_leaves<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    features: PyReadonlyArray1<'py, i64>,
    to_left: PyReadonlyArray2<'py, u8>,
    left: PyReadonlyArray1<'py, i32>,
    right: PyReadonlyArray1<'py, i32>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let (n_rows, width) = codes.as_array().dim();
    let (features, to_left) = (features.as_slice()?, to_left.as_slice()?);
    let (left, right) = (left.as_slice()?, right.as_slice()?);
    let splits: Vec<_> = (0..features.len())
        .map(|s| coding::CodeSplit {
            feature: features[s] as usize,
            to_left: &to_left[256 * s..256 * (s + 1)],
            left: left[s],
            right: right[s],
        })
        .collect();
    let codes = codes.as_slice()?;
    let leaves = py.detach(|| coding::code_leaves(codes, width, n_rows, &splits, n_threads));
    Ok(leaves.into_pyarray(py))
}
