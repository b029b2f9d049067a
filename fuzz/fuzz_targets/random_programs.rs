//! Programs drawn from the fuzzer's bytes, through the whole compiler and compared with the
//! interpreter: `cargo +nightly fuzz run --features libfuzzer random_programs`.
#![no_main]

#[path = "../../crates/loopwright/tests/it/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;
use loopwright_testkit::{Choices, random_program};
use support::{arguments, check, combinations};

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let combinations = combinations();
    let options = &combinations[usize::from(first) % combinations.len()];
    let program = random_program(&mut Choices::from_bytes(rest));
    let folder = std::env::temp_dir().join(format!("loopwright-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
    let (faults, _) = check(&[program], options, &folder);
    for (_, fault) in &faults {
        eprintln!("{}: {fault}", arguments(options));
    }
    assert!(faults.is_empty(), "the program is compiled wrongly");
});
