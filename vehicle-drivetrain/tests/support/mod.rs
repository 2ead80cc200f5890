//! What the reference tests share: reading recorded numbers, and judging ours against them.
//!
//! `vectors` runs one reader per kind of vector file. `scenarios` finds whole drives, which
//! `one_step` and `free_run` judge.

// Every test binary uses its own part of this module, and none of it is seen from outside.
#![allow(dead_code, unreachable_pub)]

pub mod columns;
pub mod compare;
pub mod free_run;
pub mod motion;
pub mod one_step;
pub mod report;
pub mod scenarios;
pub mod tally;
pub mod tolerances;
pub mod traces;
pub mod values;
pub mod vectors;
