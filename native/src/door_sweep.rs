//! The door to the exact line search: converts arguments.

use crate::sweep;
use crate::sweep::lines::{alpha_of, Span};
use crate::sweep::merge::Plateau;
use crate::sweep::worth::Worth;
use crate::sweep::Problem;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(line_search, m)?)?;
    m.add_function(wrap_pyfunction!(step_functions, m)?)
}

pub type WorthParts<'py> = (
    String,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    PyReadonlyArray1<'py, f64>,
    bool,
    usize,
    f64,
);

type Sides<'a, 'py> = (
    &'a PyReadonlyArray1<'py, f64>,
    &'a PyReadonlyArray1<'py, f64>,
    &'a PyReadonlyArray1<'py, i64>,
    &'a Option<PyReadonlyArray1<'py, i64>>,
);

pub fn worth_of<'a>(parts: &'a WorthParts<'_>) -> PyResult<Worth<'a>> {
    let (kind, value, scale, offset, discount, discount_by_row, depth, unit) = parts;
    Ok(Worth {
        kind: kind.parse().map_err(PyValueError::new_err)?,
        value: value.as_slice()?,
        scale: scale.as_slice()?,
        offset: offset.as_slice()?,
        discount: discount.as_slice()?,
        discount_by_row: *discount_by_row,
        depth: *depth,
        unit: *unit,
    })
}

fn sweep_problem<'a>(
    (a, b, qptr, tiebreak): Sides<'a, '_>,
    worth: &'a WorthParts<'_>,
    (lo, hi, convex): (f64, f64, bool),
) -> PyResult<Problem<'a>> {
    let worth = worth_of(worth)?;
    let problem = Problem {
        a: a.as_slice()?,
        b: b.as_slice()?,
        qptr: qptr.as_slice()?,
        tiebreak: tiebreak.as_ref().map(|t| t.as_slice()).transpose()?,
        worth,
        span: Span { lo, hi, convex },
    };
    problem.check().map_err(PyValueError::new_err)?;
    Ok(problem)
}

type StepArrays<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

type Plateaus<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

fn plateaus<'py>(py: Python<'py>, found: &[Plateau], unit: f64) -> Plateaus<'py> {
    let column =
        |of: fn(&Plateau) -> f64| found.iter().map(of).collect::<Vec<_>>().into_pyarray(py);
    let values: Vec<f64> = found.iter().map(|p| p.value as f64 / unit).collect();
    (column(|p| p.lo), column(|p| p.hi), values.into_pyarray(py))
}

/// The best plateaus of Σ over queries of a measure under two combined scores, the whole curve, and the step count.
#[pyfunction]
#[pyo3(signature = (a, b, qptr, worth, span, tiebreak=None, n_best=16, curve=false, n_threads=1, held=1 << 22))]
fn line_search<'py>(
    py: Python<'py>,
    a: PyReadonlyArray1<'py, f64>,
    b: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    worth: WorthParts<'py>,
    span: (f64, f64, bool),
    tiebreak: Option<PyReadonlyArray1<'py, i64>>,
    n_best: usize,
    curve: bool,
    n_threads: usize,
    held: usize,
) -> PyResult<(Plateaus<'py>, Plateaus<'py>, u64)> {
    let unit = worth.7;
    let mut problem = sweep_problem((&a, &b, &qptr, &tiebreak), &worth, span)?;
    let (best, all, n_steps) =
        py.detach(|| sweep::line_search(&mut problem, n_best, curve, held, n_threads));
    let curve = plateaus(py, &all.plateaus, unit);
    Ok((plateaus(py, &best, unit), curve, n_steps))
}

/// Per query: the value just after `lo`, and offsets into the breakpoints and the changes there.
#[pyfunction]
#[pyo3(signature = (a, b, qptr, worth, span, tiebreak=None, n_threads=1))]
fn step_functions<'py>(
    py: Python<'py>,
    a: PyReadonlyArray1<'py, f64>,
    b: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    worth: WorthParts<'py>,
    span: (f64, f64, bool),
    tiebreak: Option<PyReadonlyArray1<'py, i64>>,
    n_threads: usize,
) -> PyResult<StepArrays<'py>> {
    let unit = worth.7;
    let problem = sweep_problem((&a, &b, &qptr, &tiebreak), &worth, span)?;
    let steps = py.detach(|| sweep::step_functions(&problem, n_threads));
    let mut ends = vec![0i64];
    ends.extend(steps.iter().scan(0, |end, s| {
        *end += s.changes.len() as i64;
        Some(*end)
    }));
    let real = |units: i64| units as f64 / unit;
    let start: Vec<f64> = steps.iter().map(|s| real(s.start)).collect();
    let alpha: Vec<f64> = steps
        .iter()
        .flat_map(|s| s.changes.iter().map(|&(at, _)| alpha_of(at)))
        .collect();
    let change: Vec<f64> = steps
        .iter()
        .flat_map(|s| s.changes.iter().map(|&(_, c)| real(c)))
        .collect();
    Ok((
        start.into_pyarray(py),
        ends.into_pyarray(py),
        alpha.into_pyarray(py),
        change.into_pyarray(py),
    ))
}
