//! By pairs, for measures that count them: a pair matters where its labels differ, each such pair once.

use super::lines::{key_of, Field};
use super::{Problem, Steps};

/// Lists kept from query to query.
#[derive(Default)]
pub struct Scratch {
    crossings: Vec<Crossing>,
    is_valued: Vec<bool>,
}

struct Crossing {
    key: u64,
    above: u32,
    below: u32,
}

pub fn count(problem: &Problem, q: usize, field: &Field, scratch: &mut Scratch, steps: &mut Steps) {
    find_crossings(problem, field, scratch);
    count_pairs(problem, q, field, scratch, steps);
}

/// Crossings inside the range with at least one valued line, in order of α.
fn find_crossings(problem: &Problem, field: &Field, scratch: &mut Scratch) {
    let span = problem.span;
    let (out, valued) = (&mut scratch.crossings, &mut scratch.is_valued);
    out.clear();
    valued.clear();
    valued.resize(field.a.len(), false);
    for &i in &field.valued {
        valued[i as usize] = true;
    }
    let mut meet = |above: usize, below: usize| {
        let alpha = field.overtakes(span, above, below);
        if alpha < span.hi {
            let (above, below) = (above as u32, below as u32);
            let key = key_of(alpha);
            out.push(Crossing { key, above, below });
        }
    };
    for &i in &field.valued {
        let i = i as usize;
        (0..i).filter(|&j| !valued[j]).for_each(|j| meet(j, i));
        (i + 1..field.a.len()).for_each(|j| meet(i, j));
    }
    out.sort_unstable_by_key(|c| c.key);
}

/// Σ sign(label of a document above − label of one below) over the documents of two lines.
fn agreement(problem: &Problem, from: usize, field: &Field, above: usize, below: usize) -> i64 {
    let sign = |x: f64, y: f64| i64::from(x > y) - i64::from(x < y);
    if field.size[above] == 1 && field.size[below] == 1 {
        return sign(field.value[above], field.value[below]);
    }
    let labels = |line: usize| {
        let first = field.first[line] as usize;
        field.rows[first..first + field.size[line] as usize]
            .iter()
            .map(|&row| problem.worth.value[from + row as usize])
    };
    let others: Vec<f64> = labels(below).collect(); // ascending, as `value_lines` left them
    labels(above)
        .map(|y| {
            let lower = others.partition_point(|&o| o < y);
            let higher = others.len() - others.partition_point(|&o| o <= y);
            lower as i64 - higher as i64
        })
        .sum()
}

fn count_pairs(
    problem: &Problem,
    q: usize,
    field: &Field,
    scratch: &mut Scratch,
    steps: &mut Steps,
) {
    let from = problem.qptr[q] as usize;
    let agree = |above, below| agreement(problem, from, field, above, below);
    let value = |sum: i64| {
        problem
            .worth
            .fixed(0.5 * problem.worth.scale[q] * sum as f64)
    };
    let valued = &scratch.is_valued;
    let mut sum = 0;
    for &i in &field.valued {
        let i = i as usize;
        sum += (0..i)
            .filter(|&j| !valued[j])
            .map(|j| agree(j, i))
            .sum::<i64>();
        sum += (i + 1..field.a.len()).map(|j| agree(i, j)).sum::<i64>();
    }
    steps.start = steps.start.wrapping_add(value(sum));
    for c in &scratch.crossings {
        let agreed = agree(c.above as usize, c.below as usize);
        if agreed != 0 {
            let before = value(sum);
            sum -= 2 * agreed;
            steps.push(c.key, value(sum).wrapping_sub(before));
        }
    }
}
