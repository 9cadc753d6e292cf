#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

pub mod board;
pub mod game;
pub mod notation;
pub mod records;
pub mod rules;
pub mod types;
