//! The dual of a cutting-plane problem:  max b·α − ½ α·Gα  over α ≥ 0, Σα ≤ C.
//!
//! An active set method: the problem is solved as if only the planes in use counted and none were bounded by 0; a plane
//! that would fall below 0 on the way there leaves, a plane that is violated comes in, until none is. While Σα = C
//! binds, what one plane gains the plane with the largest α gives.

/// Added to the diagonal, as a share of its largest entry: planes may depend on each other.
const RIDGE: f64 = 1e-13;
/// How much a plane may be violated, as a share of the numbers it is the difference of.
const EXACT: f64 = 1e-12;
/// Times that no change makes it better before it is enough.
const PATIENCE: usize = 3;

/// α, from some α that is feasible.
pub fn plane_weights(gram: &[f64], b: &[f64], capacity: f64, start: &[f64]) -> Vec<f64> {
    let n = b.len();
    let largest = (0..n).map(|t| gram[t * n + t]).fold(0.0, f64::max);
    let mut alpha = start.to_vec();
    let mut used: Vec<usize> = (0..n).filter(|&t| alpha[t] > 0.0).collect();
    let mut full = alpha.iter().sum::<f64>() >= capacity * (1.0 - 1e-12); // Σα = C binds
    let mut best = (f64::NEG_INFINITY, alpha.clone());
    let mut idle = 0;
    for _ in 0..50 * (n + 10) {
        let slope = residuals(gram, b, &alpha, &used);
        let change = direction(gram, &slope, &alpha, &used, full, RIDGE * largest);
        let (length, leaving) = reach(&alpha, &used, &change);
        let more: f64 = change.iter().sum();
        let room = (capacity - alpha.iter().sum::<f64>()).max(0.0);
        let fills = !full && more * length > room;
        let length = if fills { room / more } else { length };
        for (&t, x) in used.iter().zip(&change) {
            alpha[t] = (alpha[t] + length * x).max(0.0);
        }
        if fills {
            full = true;
            continue;
        }
        if let Some(place) = leaving {
            alpha[used.remove(place)] = 0.0;
            continue;
        }
        let slope = residuals(gram, b, &alpha, &used);
        let value = (0..n).map(|t| 0.5 * alpha[t] * (slope[t] + b[t])).sum();
        idle = if value > best.0 { 0 } else { idle + 1 };
        if value > best.0 {
            best = (value, alpha.clone());
        }
        if idle >= PATIENCE {
            break;
        }
        let numbers = slope.iter().zip(b).map(|(s, b)| b.abs() + (b - s).abs());
        let exact = EXACT * numbers.fold(0.0, f64::max);
        let paid: f64 = used.iter().map(|&t| alpha[t] * slope[t]).sum();
        let level = if full { paid / capacity } else { 0.0 }; // the price of Σα
        let worst = (0..n).max_by(|&s, &t| slope[s].total_cmp(&slope[t]).then(t.cmp(&s)));
        match worst {
            Some(_) if full && level < -exact => full = false, // less than C in all would be better
            Some(t) if slope[t] - level > exact && !used.contains(&t) => used.push(t),
            Some(t) if slope[t] - level > exact => {} // once more, from here: rounding
            _ => break,
        }
    }
    best.1
}

/// b − Gα.
fn residuals(gram: &[f64], b: &[f64], alpha: &[f64], used: &[usize]) -> Vec<f64> {
    let rows = gram.chunks_exact(b.len().max(1)).zip(b);
    rows.map(|(row, b)| b - used.iter().map(|&t| row[t] * alpha[t]).sum::<f64>())
        .collect()
}

/// From α to the best on the planes in use without bounds; while `full`, without changing Σα.
fn direction(
    gram: &[f64],
    slope: &[f64],
    alpha: &[f64],
    used: &[usize],
    full: bool,
    ridge: f64,
) -> Vec<f64> {
    let n = slope.len();
    let g = |s: usize, t: usize| gram[s * n + t];
    let giver = used.iter().copied().max_by(|&s, &t| {
        let by_size = alpha[s].total_cmp(&alpha[t]);
        by_size.then(t.cmp(&s))
    });
    let Some(r) = giver.filter(|_| full) else {
        let matrix = |s: usize, t: usize| g(s, t);
        return solved(used, matrix, |t| slope[t], ridge);
    };
    let others: Vec<usize> = used.iter().copied().filter(|&t| t != r).collect();
    let matrix = |s: usize, t: usize| (g(s, t) - g(s, r)) + (g(r, r) - g(r, t));
    let mut gains = solved(&others, matrix, |t| slope[t] - slope[r], ridge).into_iter();
    let mut change = Vec::with_capacity(used.len());
    for &t in used {
        change.push(if t == r {
            0.0
        } else {
            gains.next().unwrap_or(0.0)
        });
    }
    let given: f64 = change.iter().sum();
    if let Some(place) = used.iter().position(|&t| t == r) {
        change[place] = -given;
    }
    change
}

/// How far along the change no α falls below 0, at most 1; and the place of the plane that gets there first.
fn reach(alpha: &[f64], used: &[usize], change: &[f64]) -> (f64, Option<usize>) {
    let mut first = (1.0, None);
    for (place, (&t, &x)) in used.iter().zip(change).enumerate() {
        if alpha[t] + x <= 0.0 && x < 0.0 {
            let length = alpha[t] / -x;
            if length < first.0 || first.1.is_none() {
                first = (length.min(1.0), Some(place));
            }
        }
    }
    first
}

/// x of A x = b, A symmetric, of which the lower half is asked for; a ridge keeps it away from singular.
pub fn solved(
    of: &[usize],
    a: impl Fn(usize, usize) -> f64,
    b: impl Fn(usize) -> f64,
    ridge: f64,
) -> Vec<f64> {
    let m = of.len();
    let mut l = vec![0.0; m * m]; // its Cholesky factor
    for i in 0..m {
        for j in 0..=i {
            let (row_i, row_j) = (&l[i * m..i * m + j], &l[j * m..j * m + j]);
            let known: f64 = row_i.iter().zip(row_j).map(|(x, y)| x * y).sum();
            let rest = a(of[i], of[j]) - known;
            l[i * m + j] = if i == j {
                (rest + ridge).max(ridge).max(f64::MIN_POSITIVE).sqrt()
            } else {
                rest / l[j * m + j]
            };
        }
    }
    let mut x: Vec<f64> = of.iter().map(|&t| b(t)).collect();
    for i in 0..m {
        let known: f64 = (0..i).map(|j| l[i * m + j] * x[j]).sum();
        x[i] = (x[i] - known) / l[i * m + i];
    }
    for i in (0..m).rev() {
        let known: f64 = (i + 1..m).map(|j| l[j * m + i] * x[j]).sum();
        x[i] = (x[i] - known) / l[i * m + i];
    }
    x
}
