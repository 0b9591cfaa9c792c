//! Doors from Python too long for `lib.rs`, by subject; they too only convert arguments.

pub mod sweep;
