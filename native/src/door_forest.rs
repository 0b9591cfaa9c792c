//! The door from Python to the scoring of forests and linear models; like `lib.rs`, it converts arguments and releases the GIL.

use crate::forest::{self, Plan, Span};
use crate::linear;
use crate::vectors::widest;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(add_trees, m)?)?;
    m.add_function(wrap_pyfunction!(add_columns, m)?)
}

/// `rankwright.models.forest_plan.ForestPlan`.
#[derive(FromPyObject)]
pub struct Arrays<'py> {
    splits: PyReadonlyArray2<'py, i32>,
    split_ptr: PyReadonlyArray1<'py, i64>,
    codes: PyReadonlyArray1<'py, i64>,
    values: PyReadonlyArray1<'py, f64>,
    value_ptr: PyReadonlyArray1<'py, i64>,
    tables: PyReadonlyArray1<'py, f32>,
    table_ptr: PyReadonlyArray1<'py, i64>,
    table_feature: PyReadonlyArray1<'py, i64>,
    columns: PyReadonlyArray2<'py, i32>,
    column_ptr: PyReadonlyArray1<'py, i64>,
    categories: PyReadonlyArray1<'py, i32>,
    category_ptr: PyReadonlyArray1<'py, i64>,
    category_feature: PyReadonlyArray1<'py, i64>,
}

impl Arrays<'_> {
    fn plan(&self) -> PyResult<Plan<'_>> {
        Ok(Plan {
            splits: self.splits.as_slice()?.as_chunks().0,
            split_ptr: self.split_ptr.as_slice()?,
            codes: self.codes.as_slice()?,
            values: self.values.as_slice()?,
            value_ptr: self.value_ptr.as_slice()?,
            tables: self.tables.as_slice()?,
            table_ptr: self.table_ptr.as_slice()?,
            table_feature: self.table_feature.as_slice()?,
            columns: self.columns.as_slice()?.as_chunks().0,
            column_ptr: self.column_ptr.as_slice()?,
            categories: self.categories.as_slice()?,
            category_ptr: self.category_ptr.as_slice()?,
            category_feature: self.category_feature.as_slice()?,
        })
    }
}

/// Adds the values of trees span[0]..span[1] to the sums of rows, in place, tree by tree.
#[pyfunction]
#[pyo3(signature = (sums, x, plan, span, single, width=512, n_threads=1))]
fn add_trees(
    py: Python<'_>,
    mut sums: PyReadwriteArray1<'_, f64>,
    x: PyReadonlyArray2<'_, f32>,
    plan: Arrays<'_>,
    span: (usize, usize),
    single: bool,
    width: usize,
    n_threads: usize,
) -> PyResult<()> {
    let n_columns = x.as_array().ncols();
    let (sums, x, plan) = (sums.as_slice_mut()?, x.as_slice()?, plan.plan()?);
    if x.len() != sums.len() * n_columns {
        return Err(PyValueError::new_err("there must be one sum per row"));
    }
    let (start, stop) = span;
    let span = Span {
        start,
        stop,
        single,
    };
    let width = widest(width);
    py.detach(|| forest::add_trees(sums, x, n_columns, &plan, span, width, n_threads));
    Ok(())
}

/// sums += Σ_k weight_k x_k in place, by sixteen partial sums a row; a weight of 0 leaves its column out, NaN counts `missing`.
#[pyfunction]
#[pyo3(signature = (sums, x, weights, missing, width=512, n_threads=1))]
fn add_columns(
    py: Python<'_>,
    mut sums: PyReadwriteArray1<'_, f64>,
    x: PyReadonlyArray2<'_, f32>,
    weights: PyReadonlyArray1<'_, f64>,
    missing: f64,
    width: usize,
    n_threads: usize,
) -> PyResult<()> {
    let n_columns = x.as_array().ncols();
    let (sums, x, weights) = (sums.as_slice_mut()?, x.as_slice()?, weights.as_slice()?);
    if x.len() != sums.len() * n_columns {
        return Err(PyValueError::new_err("there must be one sum per row"));
    }
    let (weights, beyond) = weights.split_at(weights.len().min(n_columns));
    if beyond.iter().any(|&weight| weight != 0.0) {
        return Err(PyValueError::new_err("there must be such columns"));
    }
    let terms = linear::Terms::new(weights, missing);
    let width = widest(width);
    py.detach(|| linear::add_columns(sums, x, n_columns, &terms, width, n_threads));
    Ok(())
}
