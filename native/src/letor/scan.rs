//! The first look at a text: where its chunks of whole lines begin, how many rows each has, and the largest feature id.

use crate::parallel::with_threads;
use memchr::{memchr, memchr_iter, memrchr};
use rayon::prelude::*;

/// Where a chunk begins: byte, row, line.
pub type Mark = [i64; 3];

/// The mark of every chunk and, last, of the end; and the largest feature id that ends a line.
/// Where ids are out of order a larger one may stand inside a line: reading the text tells.
pub fn scan(text: &[u8], chunk_bytes: usize, n_threads: usize) -> (Vec<Mark>, i64) {
    let cuts = cuts(text, chunk_bytes.max(1));
    let counted: Vec<(Mark, i64)> = with_threads(n_threads, || {
        let pieces = cuts.par_windows(2);
        pieces.map(|cut| count(&text[cut[0]..cut[1]])).collect()
    });
    let mut at = [0i64; 3];
    let mut marks = vec![at];
    let mut largest = -1;
    for (size, id) in counted {
        at = [at[0] + size[0], at[1] + size[1], at[2] + size[2]];
        marks.push(at);
        largest = largest.max(id);
    }
    (marks, largest)
}

/// Offsets that cut the text after line ends, about `chunk_bytes` apart.
fn cuts(text: &[u8], chunk_bytes: usize) -> Vec<usize> {
    let mut cuts = vec![0];
    let mut at = 0;
    while at < text.len() {
        let near = text.len().min(at.saturating_add(chunk_bytes));
        at = memchr(b'\n', &text[near - 1..]).map_or(text.len(), |n| near + n);
        cuts.push(at);
    }
    cuts
}

fn count(piece: &[u8]) -> (Mark, i64) {
    let (mut rows, mut lines, mut largest, mut start) = (0, 0, -1, 0);
    let mut see = |line: &[u8]| {
        let content = line.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r'));
        if content.is_some_and(|&b| b != b'#') {
            rows += 1;
            largest = largest.max(last_id(line));
        }
    };
    for end in memchr_iter(b'\n', piece) {
        see(&piece[start..end]);
        lines += 1;
        start = end + 1;
    }
    if start < piece.len() {
        see(&piece[start..]);
        lines += 1;
    }
    ([piece.len() as i64, rows, lines], largest)
}

/// The id of the last feature of a line; -1 where there is none. Errors are for the reading to find.
fn last_id(line: &[u8]) -> i64 {
    let features = &line[..memchr(b'#', line).unwrap_or(line.len())];
    let Some(colon) = memrchr(b':', features) else {
        return -1;
    };
    let mut id = 0i64;
    let mut unit = 1i64;
    for (n, &byte) in features[..colon].iter().rev().enumerate() {
        match byte {
            b'0'..=b'9' if n < 12 => id += unit * i64::from(byte - b'0'),
            b' ' | b'\t' if n > 0 => return id,
            _ => return -1,
        }
        unit *= 10;
    }
    -1
}
