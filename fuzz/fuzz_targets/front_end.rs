//! Everything that reads text, on texts that the fuzzer changes:
//! `cargo +nightly fuzz run --features libfuzzer front_end`.
//!
//! The first byte says which reader gets the rest (see `Reader::LETTERS`).
#![no_main]

#[path = "../../crates/loopwright/tests/it/support/readers.rs"]
mod readers;

use libfuzzer_sys::{fuzz_crossover, fuzz_mutator, fuzz_target};
use loopwright_testkit::{Choices, mutated};
use readers::Reader;

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Some((_, reader)) = Reader::LETTERS.iter().find(|(letter, _)| letter == first) else {
        return;
    };
    if let Ok(text) = std::str::from_utf8(rest) {
        reader.run(text);
    }
});

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed.is_multiple_of(4) {
        return libfuzzer_sys::fuzzer_mutate(data, size, max_size);
    }
    let own = data[..size].to_vec();
    varied(data, &own, size, max_size, seed)
});

fuzz_crossover!(|data1: &[u8], data2: &[u8], out: &mut [u8], seed: u32| {
    let size = data1.len().min(out.len());
    out[..size].copy_from_slice(&data1[..size]);
    let max_size = out.len();
    varied(out, data2, size, max_size, seed)
});

/// Changes the words of a text, its letter kept; lines of another may come in.
fn varied(data: &mut [u8], other: &[u8], size: usize, max_size: usize, seed: u32) -> usize {
    let text = String::from_utf8_lossy(data.get(1..size).unwrap_or_default()).into_owned();
    let other = String::from_utf8_lossy(other.get(1..).unwrap_or_default()).into_owned();
    let text = mutated(&text, &other, 4, &mut Choices::from_seed(u64::from(seed)));
    if size == 0 || text.len() + 1 > max_size {
        return size;
    }
    data[1..=text.len()].copy_from_slice(text.as_bytes());
    text.len() + 1
}
