//! A window of text into arrays: chunks in parallel, each into its own rows.

use super::line::{document, find, read, Line, Sink, Token};
use super::number::token_end;
use super::scan::Mark;
use super::{Fault, Rules, LONGEST_NAME};
use crate::parallel::with_threads;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What a text says beside the arrays it fills.
#[derive(Default)]
pub struct Part<'t> {
    pub fault: Option<Fault>,
    pub largest_id: i64,
    /// The first line with a qid and the first without; -1 where there is none.
    pub with_qid: i64,
    pub without_qid: i64,
    /// The row where each run of one qid begins, and that qid.
    pub run_rows: Vec<i64>,
    pub run_qids: Vec<&'t [u8]>,
    /// What the comments call the documents, end to end, and the length of each; None when a row has no name.
    pub names: Option<(Vec<u8>, Vec<i32>)>,
    /// Sparse features: entries per row, ids and values; empty when a dense array was filled.
    pub counts: Vec<i32>,
    pub ids: Vec<i32>,
    pub values: Vec<f32>,
}

/// Columns of one dense row; ids past the width are left out (the caller learns of them by `largest_id`).
struct DenseRow<'a>(&'a mut [f32], u32);

impl Sink for DenseRow<'_> {
    #[inline(always)]
    fn put(&mut self, id: u32, value: f32) {
        if let Some(slot) = self.0.get_mut((id - self.1) as usize) {
            *slot = value;
        }
    }
}

struct Entries<'a>(&'a mut Vec<i32>, &'a mut Vec<f32>, u32);

impl Sink for Entries<'_> {
    #[inline(always)]
    fn put(&mut self, id: u32, value: f32) {
        self.0.push((id - self.2) as i32);
        self.1.push(value);
    }
}

/// One chunk: its text, its first line, its rows.
struct Chunk<'a> {
    start: usize,
    end: usize,
    line: i64,
    row: i64,
    y: &'a mut [f32],
    x: Option<&'a mut [f32]>,
}

/// Fills `y` and the dense rows `x` (of `width` columns), or collects sparse entries when `x` is None.
/// `marks` come from `scan`; rows and bytes count from the first mark.
pub fn parse<'t>(
    text: &'t [u8],
    marks: &[Mark],
    y: &mut [f32],
    x: Option<&mut [f32]>,
    width: usize,
    rules: Rules,
    n_threads: usize,
) -> Part<'t> {
    let Some(chunks) = chunks(text, marks, y, x, width) else {
        return Part {
            fault: Some(changed(marks.first().map_or(0, |m| m[2]))),
            ..Part::default()
        };
    };
    let broken = AtomicUsize::new(usize::MAX);
    let parts: Vec<Part<'t>> = with_threads(n_threads, || {
        let numbered = chunks.into_par_iter().enumerate();
        numbered
            .map(|(k, chunk)| {
                // A later chunk cannot matter once an earlier one is broken.
                if broken.load(Relaxed) < k {
                    return Part::default();
                }
                let part = parse_chunk(text, chunk, width, rules);
                if part.fault.is_some() {
                    broken.fetch_min(k, Relaxed);
                }
                part
            })
            .collect()
    });
    joined(parts)
}

fn changed(line: i64) -> Fault {
    Fault {
        line,
        kind: "changed",
        token: Vec::new(),
    }
}

/// Disjoint rows for every chunk; None when the marks do not fit the arrays.
fn chunks<'a>(
    text: &[u8],
    marks: &[Mark],
    y: &'a mut [f32],
    x: Option<&'a mut [f32]>,
    width: usize,
) -> Option<Vec<Chunk<'a>>> {
    let first = *marks.first()?;
    let (mut y, mut x) = (y, x);
    let mut chunks = Vec::with_capacity(marks.len());
    for pair in marks.windows(2) {
        let start = usize::try_from(pair[0][0] - first[0]).ok()?;
        let end = usize::try_from(pair[1][0] - first[0]).ok()?;
        let rows = usize::try_from(pair[1][1] - pair[0][1]).ok()?;
        if start > end || end > text.len() || rows > y.len() {
            return None;
        }
        let (mine, rest) = y.split_at_mut(rows);
        y = rest;
        let mut dense = None;
        if let Some(all) = x {
            let (mine, rest) = all.split_at_mut_checked(rows.checked_mul(width)?)?;
            (dense, x) = (Some(mine), Some(rest));
        }
        chunks.push(Chunk {
            start,
            end,
            line: pair[0][2],
            row: pair[0][1] - first[1],
            y: mine,
            x: dense,
        });
    }
    Some(chunks)
}

fn parse_chunk<'t>(text: &'t [u8], chunk: Chunk, width: usize, rules: Rules) -> Part<'t> {
    let mut part = Part {
        largest_id: -1,
        with_qid: -1,
        without_qid: -1,
        names: rules.doc_ids.then(Default::default),
        ..Part::default()
    };
    let text = &text[..chunk.end];
    let mut x = chunk.x;
    let (mut at, mut number) = (chunk.start, chunk.line);
    for (row, label) in chunk.y.iter_mut().enumerate() {
        let (found, passed) = find(text, at);
        number += passed;
        let Some(start) = found else {
            part.fault = Some(changed(number));
            return part;
        };
        let read = match x.as_deref_mut() {
            Some(x) => {
                let slots = &mut x[row * width..(row + 1) * width];
                read(text, start, rules, &mut DenseRow(slots, rules.first_id))
            }
            None => {
                let before = part.ids.len();
                let mut sink = Entries(&mut part.ids, &mut part.values, rules.first_id);
                let line = read(text, start, rules, &mut sink);
                if line.as_ref().is_ok_and(|line| line.unsorted) {
                    sort_entries(&mut part.ids[before..], &mut part.values[before..]);
                }
                part.counts.push((part.ids.len() - before) as i32);
                line
            }
        };
        let kept = read.and_then(|line| {
            *label = line.label;
            at = line.next;
            part.keep(&line, chunk.row + row as i64, number, start, rules.doc_ids)
        });
        if let Err((kind, token)) = kept {
            let token = match token {
                Token::At(from) => text[from..token_end(text, from).min(from + 64)].to_vec(),
                Token::Id(id) => id.to_string().into_bytes(),
            };
            part.fault = Some(Fault {
                line: number,
                kind,
                token,
            });
            return part;
        }
        number += 1;
    }
    if find(text, at).0.is_some() {
        part.fault = Some(changed(number));
    }
    part
}

fn sort_entries(ids: &mut [i32], values: &mut [f32]) {
    let mut entries: Vec<(i32, f32)> = ids.iter().copied().zip(values.iter().copied()).collect();
    entries.sort_unstable_by_key(|entry| entry.0);
    for (k, (id, value)) in entries.into_iter().enumerate() {
        (ids[k], values[k]) = (id, value);
    }
}

impl<'t> Part<'t> {
    /// Notes what a line says of its query and its document.
    #[inline]
    fn keep(
        &mut self,
        line: &Line<'t>,
        row: i64,
        number: i64,
        start: usize,
        doc_ids: bool,
    ) -> Result<(), (&'static str, Token)> {
        self.largest_id = self.largest_id.max(line.largest_id);
        match line.qid {
            None if self.without_qid < 0 => self.without_qid = number,
            None => {}
            Some(qid) => {
                if self.with_qid < 0 {
                    self.with_qid = number;
                }
                if self.run_qids.last() != Some(&qid) {
                    if std::str::from_utf8(qid).is_err() {
                        return Err(("qid-utf8", Token::At(start)));
                    }
                    self.run_rows.push(row);
                    self.run_qids.push(qid);
                }
            }
        }
        if !doc_ids {
            return Ok(());
        }
        let name = line.comment.map_or(&b""[..], document);
        if name.len() > LONGEST_NAME {
            return Err(("comment-long", Token::At(start)));
        }
        if name.is_empty() {
            self.names = None;
        } else if let Some((bytes, lengths)) = &mut self.names {
            bytes.extend_from_slice(name);
            lengths.push(name.len() as i32);
        }
        Ok(())
    }
}

fn earliest(a: i64, b: i64) -> i64 {
    if a < 0 || (b >= 0 && b < a) {
        b
    } else {
        a
    }
}

/// One part from those of consecutive chunks; what follows the first fault is dropped.
fn joined(parts: Vec<Part<'_>>) -> Part<'_> {
    let mut parts = parts.into_iter();
    let Some(mut whole) = parts.next() else {
        return Part {
            largest_id: -1,
            with_qid: -1,
            without_qid: -1,
            names: Some(Default::default()),
            ..Part::default()
        };
    };
    for part in parts {
        if whole.fault.is_some() {
            break;
        }
        whole.fault = part.fault;
        whole.largest_id = whole.largest_id.max(part.largest_id);
        whole.with_qid = earliest(whole.with_qid, part.with_qid);
        whole.without_qid = earliest(whole.without_qid, part.without_qid);
        whole.run_rows.extend(part.run_rows);
        whole.run_qids.extend(part.run_qids);
        whole.names = match (whole.names, part.names) {
            (Some((mut bytes, mut lengths)), Some((more, sizes))) => {
                bytes.extend(more);
                lengths.extend(sizes);
                Some((bytes, lengths))
            }
            _ => None,
        };
        whole.counts.extend(part.counts);
        whole.ids.extend(part.ids);
        whole.values.extend(part.values);
    }
    whole
}
