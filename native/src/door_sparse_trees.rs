//! The door from Python to the kernels that grow trees on sparse features.

use crate::cuts;
use crate::trees::sparse::{self, Entries, SparseSplit};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyReadwriteArray1,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Offsets of the documents, and their entries.
type EntryArrays<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i32>);
type Cuts<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<i64>>);

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(sparse_bin_cuts, m)?)?;
    m.add_function(wrap_pyfunction!(sparse_codes, m)?)?;
    m.add_function(wrap_pyfunction!(sparse_divide_rows, m)?)?;
    m.add_function(wrap_pyfunction!(sparse_leaf_cells, m)?)?;
    m.add_function(wrap_pyfunction!(sparse_leaves, m)?)?;
    Ok(())
}

/// The thresholds of every sparse column, and the offsets of each column's in them.
#[pyfunction]
#[pyo3(signature = (values, ptr, n_rows, max_bins, n_threads=1))]
fn sparse_bin_cuts<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f32>,
    ptr: PyReadonlyArray1<'py, i64>,
    n_rows: usize,
    max_bins: usize,
    n_threads: usize,
) -> PyResult<Cuts<'py>> {
    let (values, ptr) = (values.as_slice()?, ptr.as_slice()?);
    if ptr.windows(2).any(|p| (p[1] - p[0]) as usize > n_rows) {
        return Err(PyValueError::new_err("a column has more values than rows"));
    }
    let cuts = py.detach(|| cuts::sparse_bin_cuts(values, ptr, n_rows, max_bins, n_threads));
    let mut offsets = vec![0i64; ptr.len()];
    for (k, column) in cuts.iter().enumerate() {
        offsets[k + 1] = offsets[k] + column.len() as i64;
    }
    Ok((cuts.concat().into_pyarray(py), offsets.into_pyarray(py)))
}

/// The codes of the values of some columns.
#[pyfunction]
fn sparse_codes<'py>(
    py: Python<'py>,
    values: PyReadonlyArray1<'py, f32>,
    ptr: PyReadonlyArray1<'py, i64>,
    cuts: PyReadonlyArray1<'py, f32>,
    cut_ptr: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray1<u8>>> {
    let (values, ptr) = (values.as_slice()?, ptr.as_slice()?);
    let (cuts, cut_ptr) = (cuts.as_slice()?, cut_ptr.as_slice()?);
    let codes = py.detach(|| sparse::codes(values, ptr, cuts, cut_ptr));
    Ok(codes.into_pyarray(py))
}

/// Puts the rows whose code goes left before the others.
#[pyfunction]
fn sparse_divide_rows(
    py: Python<'_>,
    entries: EntryArrays<'_>,
    mut rows: PyReadwriteArray1<'_, i32>,
    mut spare: PyReadwriteArray1<'_, i32>,
    cells: (i32, i32),
    usual: u8,
    to_left: &[u8],
) -> PyResult<usize> {
    let entries = entries_of(&entries)?;
    let (rows, spare) = (rows.as_slice_mut()?, spare.as_slice_mut()?);
    let to_left: &[u8; 256] = to_left.try_into()?;
    Ok(py.detach(|| sparse::divide_rows(entries, rows, spare, cells, usual, to_left)))
}

/// The histograms of all features over some rows.
#[pyfunction]
#[pyo3(signature = (entries, quantised, rows, cell_ptr, usual, count_bits, n_threads=1))]
fn sparse_leaf_cells<'py>(
    py: Python<'py>,
    entries: EntryArrays<'py>,
    quantised: PyReadonlyArray2<'py, i16>,
    rows: PyReadonlyArray1<'py, i32>,
    cell_ptr: PyReadonlyArray1<'py, i64>,
    usual: PyReadonlyArray1<'py, i64>,
    count_bits: u32,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray2<i64>>> {
    let (entries, quantised) = (entries_of(&entries)?, quantised.as_slice()?);
    let (rows, cell_ptr, usual) = (rows.as_slice()?, cell_ptr.as_slice()?, usual.as_slice()?);
    let cells = py.detach(|| {
        sparse::leaf_cells(
            entries, quantised, rows, cell_ptr, usual, count_bits, n_threads,
        )
    });
    let n_cells = cells.len() / 2;
    cells.into_pyarray(py).reshape([2, n_cells])
}

/// The leaf of every row.
#[pyfunction]
#[pyo3(signature = (entries, cells, usual, to_left, children, n_threads=1))]
fn sparse_leaves<'py>(
    py: Python<'py>,
    entries: EntryArrays<'py>,
    cells: PyReadonlyArray2<'py, i32>,
    usual: PyReadonlyArray1<'py, u8>,
    to_left: PyReadonlyArray2<'py, u8>,
    children: (PyReadonlyArray1<'py, i32>, PyReadonlyArray1<'py, i32>),
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let entries = entries_of(&entries)?;
    let (cells, usual, to_left) = (cells.as_slice()?, usual.as_slice()?, to_left.as_slice()?);
    let (left, right) = (children.0.as_slice()?, children.1.as_slice()?);
    let splits: Vec<_> = (0..left.len())
        .map(|s| SparseSplit {
            cells: (cells[2 * s], cells[2 * s + 1]),
            usual: usual[s],
            to_left: &to_left[256 * s..256 * (s + 1)],
            left: left[s],
            right: right[s],
        })
        .collect();
    let leaves = py.detach(|| sparse::leaves(entries, &splits, n_threads));
    Ok(leaves.into_pyarray(py))
}

fn entries_of<'a>(arrays: &'a EntryArrays<'_>) -> PyResult<Entries<'a>> {
    Ok(Entries {
        ptr: arrays.0.as_slice()?,
        cells: arrays.1.as_slice()?,
    })
}
