//! Rows as text: the shortest numbers that read back as the same bits.

use crate::parallel::with_threads;
use rayon::prelude::*;
use std::io::Write;

/// What is written: entries of row r are `ptr[r]..ptr[r + 1]`; `heads` follow the label, `tails` end the line.
pub struct Rows<'a> {
    pub y: &'a [f32],
    pub ptr: &'a [i64],
    pub ids: &'a [i32],
    pub values: &'a [f32],
    pub heads: Vec<&'a [u8]>,
    pub tails: Vec<&'a [u8]>,
}

impl Rows<'_> {
    /// Whether the parts fit each other.
    pub fn consistent(&self) -> bool {
        let n = self.y.len();
        let entries = self.ids.len().min(self.values.len()) as i64;
        self.ptr.len() == n + 1
            && self.heads.len() == n
            && self.tails.len() == n
            && self.ptr.windows(2).all(|p| 0 <= p[0] && p[0] <= p[1])
            && self.ptr.last().is_some_and(|&end| end <= entries)
    }

    fn line(&self, row: usize, out: &mut Vec<u8>) {
        put_float(out, self.y[row]);
        out.extend_from_slice(self.heads[row]);
        for k in self.ptr[row] as usize..self.ptr[row + 1] as usize {
            out.push(b' ');
            put_int(out, self.ids[k]);
            out.push(b':');
            put_float(out, self.values[k]);
        }
        out.extend_from_slice(self.tails[row]);
        out.push(b'\n');
    }
}

/// The lines of consistent rows.
pub fn format(rows: &Rows, n_threads: usize) -> Vec<Vec<u8>> {
    const BLOCK: usize = 256;
    let n = rows.y.len();
    with_threads(n_threads, || {
        (0..n.div_ceil(BLOCK))
            .into_par_iter()
            .map(|block| {
                let mut out = Vec::new();
                for row in block * BLOCK..n.min((block + 1) * BLOCK) {
                    rows.line(row, &mut out);
                }
                out
            })
            .collect()
    })
}

fn put_int(out: &mut Vec<u8>, number: i32) {
    let mut digits = [0u8; 10];
    let mut at = digits.len();
    let mut left = number.unsigned_abs();
    if number < 0 {
        out.push(b'-');
    }
    loop {
        at -= 1;
        digits[at] = b'0' + (left % 10) as u8;
        left /= 10;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

/// Whole numbers as such, very small and very large ones with an exponent.
fn put_float(out: &mut Vec<u8>, value: f32) {
    let size = value.abs();
    let whole = value as i32;
    if size < 1e7 && whole as f32 == value && !(whole == 0 && value.is_sign_negative()) {
        return put_int(out, whole);
    }
    // Writing to a Vec cannot fail.
    let _ = if size == 0.0 || size.is_nan() || (1e-5..1e16).contains(&size) {
        write!(out, "{value}")
    } else {
        write!(out, "{value:e}")
    };
}
