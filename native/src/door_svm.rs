//! The door from Python to the kernels of structural SVMs; like `lib.rs`, it converts arguments and releases the GIL.

use crate::newton::{self, Sample};
use crate::plane_weights as planes;
use crate::rows::{self, Rows};
use crate::separation::{self, Documents, Loss, Shape};
use numpy::{IntoPyArray, PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Pair<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

type Three<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
);

/// An array that `fill` finds full of zeros. It is NumPy's, which asks for large pages: those of a fresh `Vec` of 10
/// million numbers come one by one, 20,000 of them, and threads that touch them wait for each other.
fn filled<'py, R: Send>(
    py: Python<'py>,
    n: usize,
    fill: impl FnOnce(&mut [f64]) -> R + Send,
) -> PyResult<(Bound<'py, PyArray1<f64>>, R)> {
    let array = PyArray1::zeros(py, n, false);
    let mut room = array.readwrite();
    let out = room.as_slice_mut()?;
    let returned = py.detach(|| fill(out));
    drop(room);
    Ok((array, returned))
}

pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(column_sums, m)?)?;
    m.add_function(wrap_pyfunction!(csr_column_sums, m)?)?;
    m.add_function(wrap_pyfunction!(csr_row_scores, m)?)?;
    m.add_function(wrap_pyfunction!(most_violated, m)?)?;
    m.add_function(wrap_pyfunction!(newton_step, m)?)?;
    m.add_function(wrap_pyfunction!(plane_weights, m)?)?;
    m.add_function(wrap_pyfunction!(row_scores, m)?)?;
    m.add_function(wrap_pyfunction!(smoothed_pairs, m)?)?;
    Ok(())
}

/// Per document, its coefficient in ψ(the most violated ranking) − ψ(the true one); per query, that ranking's loss.
#[pyfunction]
#[pyo3(signature = (loss, scores, levels, brings, qptr, n_threads=1))]
fn most_violated<'py>(
    py: Python<'py>,
    loss: &str,
    scores: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, i32>,
    brings: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Pair<'py>> {
    let known = Loss::named(loss);
    let loss = known.ok_or_else(|| PyValueError::new_err(format!("no loss is called {loss}")))?;
    let docs = Documents {
        scores: scores.as_slice()?,
        levels: levels.as_slice()?,
        brings: brings.as_slice()?,
    };
    let qptr = qptr.as_slice()?;
    let (g, delta) = filled(py, docs.scores.len(), |g| {
        separation::most_violated(loss, docs, qptr, n_threads, g)
    })?;
    Ok((g, delta.into_pyarray(py)))
}

/// The same where pairs are swapped by shares; per query also how much more the hinge is than what g and Δ say.
#[pyfunction]
#[pyo3(signature = (slope, width, scores, levels, weights, qptr, n_threads=1))]
fn smoothed_pairs<'py>(
    py: Python<'py>,
    slope: f64,
    width: f64,
    scores: PyReadonlyArray1<'py, f64>,
    levels: PyReadonlyArray1<'py, i32>,
    weights: PyReadonlyArray1<'py, f64>,
    qptr: PyReadonlyArray1<'py, i64>,
    n_threads: usize,
) -> PyResult<Three<'py>> {
    let docs = Documents {
        scores: scores.as_slice()?,
        levels: levels.as_slice()?,
        brings: weights.as_slice()?,
    };
    let (shape, qptr) = (Shape { slope, width }, qptr.as_slice()?);
    let (g, per_query) = filled(py, docs.scores.len(), |g| {
        separation::smoothed_pairs(shape, docs, qptr, n_threads, g)
    })?;
    let (delta, excess): (Vec<f64>, Vec<f64>) = per_query.into_iter().unzip();
    let [delta, excess] = [delta, excess].map(|part| part.into_pyarray(py));
    Ok((g, delta, excess))
}

/// Newton's step for the hinges of pairs that are rounded off, their curvature from a sample.
#[pyfunction]
fn newton_step<'py>(
    py: Python<'py>,
    differences: PyReadonlyArray2<'py, f32>,
    shares: PyReadonlyArray1<'py, f64>,
    w: PyReadonlyArray1<'py, f64>,
    slope: f64,
    width: f64,
    capacity: f64,
    gradient: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let sample = Sample {
        differences: differences.as_slice()?,
        shares: shares.as_slice()?,
    };
    let (w, gradient) = (w.as_slice()?, gradient.as_slice()?);
    let step = || newton::newton_step(sample, w, (slope, width), capacity, gradient);
    Ok(py.detach(step).into_pyarray(py))
}

/// Σ_k x_k w_k of every row.
#[pyfunction]
#[pyo3(signature = (x, w, n_threads=1))]
fn row_scores<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f32>,
    w: PyReadonlyArray1<'py, f64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (n_rows, n_columns) = x.as_array().dim();
    let (x, w) = (x.as_slice()?, w.as_slice()?);
    let rows = Rows::Dense { x, n_columns };
    let (scores, ()) = filled(py, n_rows, |out| rows::row_scores(rows, w, n_threads, out))?;
    Ok(scores)
}

/// The same of a CSR matrix.
#[pyfunction]
#[pyo3(signature = (data, indices, indptr, w, n_threads=1))]
fn csr_row_scores<'py>(
    py: Python<'py>,
    data: PyReadonlyArray1<'py, f32>,
    indices: PyReadonlyArray1<'py, i32>,
    indptr: PyReadonlyArray1<'py, i64>,
    w: PyReadonlyArray1<'py, f64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let w = w.as_slice()?;
    let indptr = indptr.as_slice()?;
    let rows = Rows::Csr {
        data: data.as_slice()?,
        indices: indices.as_slice()?,
        indptr,
        n_columns: w.len(),
    };
    let n_rows = indptr.len().saturating_sub(1);
    let (scores, ()) = filled(py, n_rows, |out| rows::row_scores(rows, w, n_threads, out))?;
    Ok(scores)
}

/// Σ_d round(numbers_d x_dk scale_k) for every column k.
#[pyfunction]
#[pyo3(signature = (x, numbers, scale, n_threads=1))]
fn column_sums<'py>(
    py: Python<'py>,
    x: PyReadonlyArray2<'py, f32>,
    numbers: PyReadonlyArray1<'py, f64>,
    scale: PyReadonlyArray1<'py, f64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let n_columns = x.as_array().ncols();
    let (x, numbers, scale) = (x.as_slice()?, numbers.as_slice()?, scale.as_slice()?);
    let rows = Rows::Dense { x, n_columns };
    Ok(py
        .detach(|| rows::column_sums(rows, numbers, scale, n_threads))
        .into_pyarray(py))
}

/// The same of a CSR matrix.
#[pyfunction]
#[pyo3(signature = (data, indices, indptr, numbers, scale, n_threads=1))]
fn csr_column_sums<'py>(
    py: Python<'py>,
    data: PyReadonlyArray1<'py, f32>,
    indices: PyReadonlyArray1<'py, i32>,
    indptr: PyReadonlyArray1<'py, i64>,
    numbers: PyReadonlyArray1<'py, f64>,
    scale: PyReadonlyArray1<'py, f64>,
    n_threads: usize,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let (numbers, scale) = (numbers.as_slice()?, scale.as_slice()?);
    let rows = Rows::Csr {
        data: data.as_slice()?,
        indices: indices.as_slice()?,
        indptr: indptr.as_slice()?,
        n_columns: scale.len(),
    };
    Ok(py
        .detach(|| rows::column_sums(rows, numbers, scale, n_threads))
        .into_pyarray(py))
}

/// α ≥ 0 with Σα ≤ C that maximises b·α − ½ α·Gα, from some α that is feasible.
#[pyfunction]
fn plane_weights<'py>(
    py: Python<'py>,
    gram: PyReadonlyArray2<'py, f64>,
    b: PyReadonlyArray1<'py, f64>,
    capacity: f64,
    start: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (gram, b, start) = (gram.as_slice()?, b.as_slice()?, start.as_slice()?);
    Ok(py
        .detach(|| planes::plane_weights(gram, b, capacity, start))
        .into_pyarray(py))
}
