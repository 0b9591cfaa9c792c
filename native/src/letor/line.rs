//! One line at a time: label, qid, features, comment.

use super::number::{self, digits, ends_token, float_at, token_end, value_of, word, Feature};
#[cfg(target_arch = "x86_64")]
use super::wide;
use super::{Rules, LONGEST_NAME};
use memchr::memchr;

/// A kind of fault and where in the text it is: its token begins there.
pub type Wrong = (&'static str, Token);

/// What a fault is about.
pub enum Token {
    At(usize),
    Id(u32),
}

/// Where the features of one document go.
pub trait Sink {
    fn put(&mut self, id: u32, value: f32);
}

/// What a line says beside its features.
pub struct Line<'t> {
    pub label: f32,
    pub qid: Option<&'t [u8]>,
    /// The text after `#`, if there is one.
    pub comment: Option<&'t [u8]>,
    pub largest_id: i64,
    /// Feature ids were not ascending.
    pub unsorted: bool,
    /// Where the next line begins.
    pub next: usize,
}

#[inline(always)]
fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && matches!(text[at], b' ' | b'\t' | b'\r') {
        at += 1;
    }
    at
}

/// The document on the line at or after `at`; also the number of lines passed over. None at the end of the text.
pub fn find(text: &[u8], mut at: usize) -> (Option<usize>, i64) {
    let mut passed = 0;
    loop {
        at = skip_blanks(text, at);
        match text.get(at) {
            None => return (None, passed),
            Some(b'\n') => at += 1,
            Some(b'#') => match memchr(b'\n', &text[at..]) {
                None => return (None, passed),
                Some(n) => at += n + 1,
            },
            Some(_) => return (Some(at), passed),
        }
        passed += 1;
    }
}

/// Reads the document that begins at `at`.
#[inline]
pub fn read<'t>(
    text: &'t [u8],
    at: usize,
    rules: Rules,
    sink: &mut impl Sink,
) -> Result<Line<'t>, Wrong> {
    let (label, at) = label_at(text, at)?;
    let (qid, at) = qid_at(text, skip_blanks(text, at))?;
    let mut line = Line {
        label,
        qid,
        comment: None,
        largest_id: -1,
        unsorted: false,
        next: at,
    };
    features(text, at, rules, sink, &mut line)?;
    if line.unsorted {
        line.largest_id = check_ids(text, at)?;
    }
    Ok(line)
}

fn label_at(text: &[u8], at: usize) -> Result<(f32, usize), Wrong> {
    let (label, end) = float_at(text, at);
    match label {
        Some(label) if label.is_finite() && label >= 0.0 => Ok((label, end)),
        Some(_) => Err(("label-range", Token::At(at))),
        None if text[at..end].contains(&b':') => Err(("label-missing", Token::At(at))),
        None => Err(("label-number", Token::At(at))),
    }
}

fn qid_at(text: &[u8], at: usize) -> Result<(Option<&[u8]>, usize), Wrong> {
    if !text[at..].starts_with(b"qid:") {
        return Ok((None, at));
    }
    let end = token_end(text, at);
    let qid = &text[at + 4..end];
    match qid.len() {
        0 => Err(("qid-empty", Token::At(at))),
        n if n > LONGEST_NAME => Err(("qid-long", Token::At(at))),
        _ => Ok((Some(qid), end)),
    }
}

fn features<'t>(
    text: &'t [u8],
    at: usize,
    rules: Rules,
    sink: &mut impl Sink,
    line: &mut Line<'t>,
) -> Result<(), Wrong> {
    #[cfg(target_arch = "x86_64")]
    if wide::available() {
        // SAFETY: the processor has the instructions.
        return unsafe { features_wide(text, at, rules, sink, line) };
    }
    features_by(number::feature_at, text, at, rules, sink, line)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2")]
unsafe fn features_wide<'t>(
    text: &'t [u8],
    at: usize,
    rules: Rules,
    sink: &mut impl Sink,
    line: &mut Line<'t>,
) -> Result<(), Wrong> {
    // SAFETY: whoever calls this knows that the processor has the instructions.
    let common = |text: &[u8], at| unsafe { wide::feature_at(text, at) };
    features_by(common, text, at, rules, sink, line)
}

#[inline(always)]
fn features_by<'t>(
    common: impl Fn(&[u8], usize) -> Feature,
    text: &'t [u8],
    mut at: usize,
    rules: Rules,
    sink: &mut impl Sink,
    line: &mut Line<'t>,
) -> Result<(), Wrong> {
    let mut last = -1i64;
    loop {
        let feature = common(text, at);
        let id = feature.id();
        if feature.1 > 0 && id.wrapping_sub(rules.first_id) <= rules.max_id - rules.first_id {
            sink.put(id, feature.value());
            line.unsorted |= i64::from(id) <= last;
            last = i64::from(id);
            at += feature.1;
            at += usize::from(text[at] == b' ');
            continue;
        }
        let head = word(text, at);
        let n = digits(head);
        // The common token: one to seven digits and a colon.
        let (id, value_at) = if n.wrapping_sub(1) < 7 && (head >> (8 * n)) as u8 == b':' {
            (value_of(head, n) as u32, at + n + 1)
        } else {
            match text.get(at) {
                Some(b' ' | b'\t' | b'\r') => {
                    at += 1;
                    continue;
                }
                None => {
                    line.next = text.len();
                    break;
                }
                Some(b'\n') => {
                    line.next = at + 1;
                    break;
                }
                Some(b'#') => {
                    let end = memchr(b'\n', &text[at..]).map(|n| at + n);
                    line.comment = Some(&text[at + 1..end.unwrap_or(text.len())]);
                    line.next = end.map_or(text.len(), |e| e + 1);
                    break;
                }
                Some(_) => uncommon_id(text, at)?,
            }
        };
        if id.wrapping_sub(rules.first_id) > rules.max_id - rules.first_id {
            let kind = if id == 0 {
                "feature-zero"
            } else {
                "feature-large"
            };
            return Err((kind, Token::At(at)));
        }
        let (value, end) = float_at(text, value_at);
        match value {
            Some(value) if !value.is_infinite() => sink.put(id, value),
            Some(_) => return Err(("value-infinite", Token::At(at))),
            None => return Err(("value-number", Token::At(at))),
        }
        line.unsorted |= i64::from(id) <= last;
        last = i64::from(id);
        at = end;
        // One blank between features is the rule; others are met above.
        at += usize::from(text.get(at) == Some(&b' '));
    }
    line.largest_id = last;
    Ok(())
}

/// An id of eight digits or more (too large ones saturate), or the fault its token is.
#[cold]
#[inline(never)]
fn uncommon_id(text: &[u8], at: usize) -> Result<(u32, usize), Wrong> {
    let token = &text[at..token_end(text, at)];
    let Some(colon) = memchr(b':', token) else {
        return Err(("feature-form", Token::At(at)));
    };
    let id = &token[..colon];
    if id == b"qid" {
        return Err(("qid-place", Token::At(at)));
    }
    if id.is_empty() || !id.iter().all(u8::is_ascii_digit) {
        return Err(("feature-id", Token::At(at)));
    }
    let number = id.iter().fold(0u32, |number, &digit| {
        number
            .saturating_mul(10)
            .saturating_add(u32::from(digit - b'0'))
    });
    Ok((number, at + colon + 1))
}

/// The largest id of a line that is known to be well formed; the smallest repeated one is a fault.
#[cold]
#[inline(never)]
fn check_ids(text: &[u8], mut at: usize) -> Result<i64, Wrong> {
    let mut ids = Vec::new();
    loop {
        at = skip_blanks(text, at);
        if text.get(at).is_none_or(|&byte| ends_token(byte)) {
            break;
        }
        ids.push(uncommon_id(text, at)?.0);
        at = token_end(text, at);
    }
    ids.sort_unstable();
    match ids.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(("feature-twice", Token::Id(pair[0]))),
        None => Ok(ids.last().map_or(-1, |&id| i64::from(id))),
    }
}

/// What a comment calls its document: the word after `docid =`, else all of it.
pub fn document(comment: &[u8]) -> &[u8] {
    let whole = comment.trim_ascii();
    let named = || {
        let rest = whole.strip_prefix(b"docid")?.trim_ascii_start();
        let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
        let word = rest.split(u8::is_ascii_whitespace).next()?;
        (!word.is_empty()).then_some(word)
    };
    named().unwrap_or(whole)
}
