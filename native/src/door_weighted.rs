//! The door from Python to the kernels of weighted pairs; like `lib.rs`, it converts arguments and releases the GIL.

use crate::histograms::CELLS;
use crate::weighted_pairs::agreements::{self, Codes};
use crate::weighted_pairs::sweep::{self, Factors};
use crate::weighted_pairs::{self as pairs, Documents, PairWeight, Rule};
use numpy::{
    IntoPyArray, PyArray1, PyArray3, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Pair<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);
/// How a pair's weight is made ("mean", ...), its power, and whether it stands inside the exponent.
type RuleFields = (String, i32, bool);

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(factored_agreements, m)?)?;
    m.add_function(wrap_pyfunction!(ordered_pairs, m)?)?;
    m.add_function(wrap_pyfunction!(pair_agreements, m)?)?;
    m.add_function(wrap_pyfunction!(weighted_pair_potentials, m)?)?;
    Ok(())
}

fn rule_of((pair, power, inside): RuleFields) -> PyResult<Rule> {
    let pair = PairWeight::named(&pair)
        .ok_or_else(|| PyValueError::new_err(format!("no pair weight is called {pair}")))?;
    Ok(Rule {
        pair,
        power,
        inside,
    })
}

/// Potentials of the documents and masses of the queries, pair by pair.
#[pyfunction]
#[pyo3(signature = (scores, levels, weights, omega, qptr, rule, n_threads=1))]
fn weighted_pair_potentials<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, i32>,
    weights: PyReadonlyArray1<'py, f64>,
    omega: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    rule: RuleFields,
    n_threads: usize,
) -> PyResult<Pair<'py>> {
    let docs = Documents {
        scores: scores.as_slice()?,
        levels: levels.as_slice()?,
        weights: weights.as_slice()?,
        omega: omega.as_slice()?,
        qptr: qptr.as_slice()?,
    };
    let rule = rule_of(rule)?;
    let (pi, mass) = py.detach(|| pairs::weighted_pair_potentials(docs, rule, n_threads));
    Ok((pi.into_pyarray(py), mass.into_pyarray(py)))
}

/// Cells of R_+ and of R_− of every column, pair by pair.
#[pyfunction]
#[pyo3(signature = (codes, scores, levels, weights, omega, qptr, rule, scale, missing_fires, n_threads=1))]
fn pair_agreements<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    scores: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, i32>,
    weights: PyReadonlyArray1<'py, f64>,
    omega: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    rule: RuleFields,
    scale: f64,
    missing_fires: bool,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray3<i64>>> {
    let n_columns = codes.shape()[0];
    let codes = Codes {
        codes: codes.as_slice()?,
        n_columns,
        missing_fires,
    };
    let docs = Documents {
        scores: scores.as_slice()?,
        levels: levels.as_slice()?,
        weights: weights.as_slice()?,
        omega: omega.as_slice()?,
        qptr: qptr.as_slice()?,
    };
    let rule = rule_of(rule)?;
    let cells = py.detach(|| agreements::pair_agreements(codes, docs, rule, scale, n_threads));
    cells.into_pyarray(py).reshape([2, n_columns, CELLS])
}

/// Cells of R_+ and of R_− of every column, for pairs that bring a_i b_j.
#[pyfunction]
#[pyo3(signature = (codes, levels, better, worse, qptr, scale, missing_fires, n_threads=1))]
fn factored_agreements<'py>(
    py: Python<'py>,
    codes: PyReadonlyArray2<'py, u8>,
    levels: PyReadonlyArray1<'py, i32>,
    better: PyReadonlyArray1<'py, f64>,
    worse: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    scale: f64,
    missing_fires: bool,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray3<i64>>> {
    let n_columns = codes.shape()[0];
    let codes = Codes {
        codes: codes.as_slice()?,
        n_columns,
        missing_fires,
    };
    let (levels, qptr) = (levels.as_slice()?, qptr.as_slice()?);
    let factors = Factors {
        better: better.as_slice()?,
        worse: worse.as_slice()?,
    };
    let work = || sweep::factored_agreements(codes, levels, qptr, factors, scale, n_threads);
    let cells = py.detach(work);
    cells.into_pyarray(py).reshape([2, n_columns, CELLS])
}

/// For each query, the pairs of different levels that the scores have in the right order.
#[pyfunction]
#[pyo3(signature = (scores, levels, qptr, n_threads=1))]
fn ordered_pairs<'py>(
    py: Python<'py>,
    scores: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, i32>,
    qptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (scores, levels, qptr) = (scores.as_slice()?, levels.as_slice()?, qptr.as_slice()?);
    let counts = py.detach(|| crate::ordered_pairs::ordered_pairs(scores, levels, qptr, n_threads));
    Ok(counts.into_pyarray(py))
}
