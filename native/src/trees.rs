//! Growing regression trees: what their loop, which is Python, asks for again and again.

pub mod cells;
pub mod codes;
pub mod limits;
pub mod prefetch;
pub mod quantise;
pub mod rows;
pub mod sparse;
pub mod splits;
pub mod step;
pub mod thresholds;
