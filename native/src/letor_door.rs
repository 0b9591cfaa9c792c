//! The door from Python to `letor`: converts arguments and releases the GIL.

use crate::letor::format::{format, Rows};
use crate::letor::parse::parse;
use crate::letor::scan::scan;
use crate::letor::Rules;
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1,
};
use numpy::{PyArrayMethods, PyReadwriteArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

type Scanned<'py> = (Bound<'py, PyArray2<i64>>, i64);

/// Marks (byte, row, line) of every chunk of whole lines and of the end; and the largest id that ends a line.
#[pyfunction]
#[pyo3(signature = (text, chunk_bytes, n_threads=1))]
pub fn scan_letor<'py>(
    py: Python<'py>,
    text: PyReadonlyArray1<'py, u8>,
    chunk_bytes: usize,
    n_threads: usize,
) -> PyResult<Scanned<'py>> {
    let text = text.as_slice()?;
    let (marks, largest) = py.detach(|| scan(text, chunk_bytes, n_threads));
    let flat: Vec<i64> = marks.iter().flatten().copied().collect();
    let table = flat.into_pyarray(py).reshape([marks.len(), 3])?;
    Ok((table, largest))
}

type Names<'py> = (Bound<'py, PyBytes>, Bound<'py, PyArray1<i32>>);
type Entries<'py> = (
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<f32>>,
);
type Parsed<'py> = (
    Option<(i64, &'static str, Bound<'py, PyBytes>)>,
    i64,
    (i64, i64),
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyList>),
    Option<Names<'py>>,
    Entries<'py>,
);

/// Reads the rows between `marks`: labels into `y`, features into `X`, or sparse entries when `X` is None.
#[pyfunction]
#[pyo3(signature = (text, marks, y, X, first_id, max_id, doc_ids, n_threads=1))]
#[allow(non_snake_case)]
pub fn parse_letor<'py>(
    py: Python<'py>,
    text: PyReadonlyArray1<'py, u8>,
    marks: PyReadonlyArray2<'py, i64>,
    mut y: PyReadwriteArray1<'py, f32>,
    X: Option<PyReadwriteArray2<'py, f32>>,
    first_id: u32,
    max_id: u32,
    doc_ids: bool,
    n_threads: usize,
) -> PyResult<Parsed<'py>> {
    let text = text.as_slice()?;
    let marks: Vec<[i64; 3]> = marks
        .as_slice()?
        .chunks_exact(3)
        .map(|mark| [mark[0], mark[1], mark[2]])
        .collect();
    let y = y.as_slice_mut()?;
    let width = X.as_ref().map_or(0, |x| x.as_array().ncols());
    let mut dense = X;
    let x = dense.as_mut().map(|x| x.as_slice_mut()).transpose()?;
    let rules = Rules {
        first_id,
        max_id: max_id.max(first_id),
        doc_ids,
    };
    let part = py.detach(|| parse(text, &marks, y, x, width, rules, n_threads));
    let fault = part
        .fault
        .map(|f| (f.line, f.kind, PyBytes::new(py, &f.token)));
    let qids = PyList::new(py, part.run_qids.iter().map(|qid| PyBytes::new(py, qid)))?;
    let names = part
        .names
        .map(|(bytes, lengths)| (PyBytes::new(py, &bytes), lengths.into_pyarray(py)));
    let entries = (
        part.counts.into_pyarray(py),
        part.ids.into_pyarray(py),
        part.values.into_pyarray(py),
    );
    Ok((
        fault,
        part.largest_id,
        (part.with_qid, part.without_qid),
        (part.run_rows.into_pyarray(py), qids),
        names,
        entries,
    ))
}

/// Lines of text: label, head, `id:value` entries, tail.
#[pyfunction]
#[pyo3(signature = (y, ptr, ids, values, heads, tails, n_threads=1))]
pub fn format_letor<'py>(
    py: Python<'py>,
    y: PyReadonlyArray1<'py, f32>,
    ptr: PyReadonlyArray1<'py, i64>,
    ids: PyReadonlyArray1<'py, i32>,
    values: PyReadonlyArray1<'py, f32>,
    heads: Vec<Bound<'py, PyBytes>>,
    tails: Vec<Bound<'py, PyBytes>>,
    n_threads: usize,
) -> PyResult<Vec<Bound<'py, PyBytes>>> {
    let rows = Rows {
        y: y.as_slice()?,
        ptr: ptr.as_slice()?,
        ids: ids.as_slice()?,
        values: values.as_slice()?,
        heads: heads.iter().map(|head| head.as_bytes()).collect(),
        tails: tails.iter().map(|tail| tail.as_bytes()).collect(),
    };
    if !rows.consistent() {
        return Err(PyValueError::new_err(
            "rows, entries, heads and tails must fit",
        ));
    }
    let blocks = py.detach(|| format(&rows, n_threads));
    Ok(blocks.iter().map(|block| PyBytes::new(py, block)).collect())
}
