//! LETOR / SVMlight text: `label qid:id feature:value ... # comment`, one document a line.
//!
//! `scan` finds the chunks, `parse` reads them into arrays, `format` writes them. Nothing here knows files: the caller
//! maps one into memory and hands over a window at a time.

pub mod format;
pub mod line;
pub mod number;
pub mod parse;
pub mod scan;
#[cfg(target_arch = "x86_64")]
pub mod wide;

/// What a line may hold.
#[derive(Clone, Copy)]
pub struct Rules {
    /// The id of the first column: 1, or 0.
    pub first_id: u32,
    /// Larger ids are faults.
    pub max_id: u32,
    /// Keep what comments say of the document.
    pub doc_ids: bool,
}

/// Why a line cannot be read: the kind, and the token it is about.
#[derive(Clone, Debug)]
pub struct Fault {
    pub line: i64,
    pub kind: &'static str,
    pub token: Vec<u8>,
}

/// The longest query id or document id, in bytes.
pub const LONGEST_NAME: usize = 4096;
