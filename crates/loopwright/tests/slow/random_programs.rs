//! Random programs through the whole compiler: what they print is what the interpreter says.
//!
//! `LOOPWRIGHT_RANDOM_PROGRAMS=2000` runs more of them, `LOOPWRIGHT_RANDOM_FIRST=500` starts with
//! another seed, and `LOOPWRIGHT_RANDOM_FOLDER` names a folder where the smallest program of every
//! fault is kept.

use crate::support::{Fault, arguments, check, combinations, minimise, scratch};
use loopwright::CompileOptions;
use loopwright_testkit::cases::{number, seed};
use loopwright_testkit::program::Element;
use loopwright_testkit::{Choices, Program, print_c, random_program};
use std::path::Path;

/// Programs that share one combination of options and one C file.
const BATCH: usize = 10;

/// How many programs are run unless the environment says otherwise: a few seconds' worth.
const N_PROGRAMS: usize = 25;

/// How many smallest programs are looked for among faults that resemble each other.
const N_SHOWN: usize = 2;

#[test]
fn print_what_the_interpreter_says() {
    let draw = |seed: usize| random_program(&mut Choices::from_seed(seed as u64));
    assert_no_faults(&combinations(), &scratch("random_programs"), draw);
}

/// Integers that wrap around have the same sums and products in any order.
#[test]
fn print_the_same_when_updates_are_reassociated() {
    let reassociated = |options| CompileOptions { reassociate: true, ..options };
    let combinations: Vec<CompileOptions> = combinations().into_iter().map(reassociated).collect();
    let draw = |seed: usize| {
        let program = random_program(&mut Choices::from_seed(seed as u64));
        Program { element: Element::Unsigned, ..program }
    };
    assert_no_faults(&combinations, &scratch("reassociated_programs"), draw);
}

/// Runs as many programs as the environment says, batch by batch with one combination of options.
fn assert_no_faults(
    combinations: &[CompileOptions],
    folder: &Path,
    draw: impl Fn(usize) -> Program,
) {
    let first = number("LOOPWRIGHT_RANDOM_FIRST").unwrap_or_else(|| seed(0)) as usize;
    let n_programs = number("LOOPWRIGHT_RANDOM_PROGRAMS").map_or(N_PROGRAMS, |n| n as usize);
    let batch_size = if n_programs == N_PROGRAMS { 4 } else { BATCH };
    let mut shown: Vec<Fault> = Vec::new();
    let mut n_faults = 0;
    for start in (first..first + n_programs).step_by(batch_size) {
        let seeds: Vec<usize> = (start..(start + batch_size).min(first + n_programs)).collect();
        let options = &combinations[start / batch_size % combinations.len()];
        let programs: Vec<Program> = seeds.iter().map(|&seed| draw(seed)).collect();
        let (faults, (slowest, which)) = check(&programs, options, folder);
        let slow = seeds.get(which).copied().unwrap_or(start);
        println!("{}: slowest is {slow} with {slowest:.1?}", arguments(options));
        n_faults += faults.len();
        for (at, fault) in faults {
            println!("seed {}, {}\n{fault}", seeds[at], arguments(options));
            if shown.iter().filter(|other| other.resembles(&fault)).count() < N_SHOWN {
                show(seeds[at], &programs[at], &fault, options, folder);
                shown.push(fault);
            }
        }
    }
    assert_eq!(n_faults, 0, "faults of {n_programs} programs");
}

/// Prints the smallest program that has a fault.
fn show(seed: usize, program: &Program, fault: &Fault, options: &CompileOptions, folder: &Path) {
    let (smallest, fault) = minimise(program, fault, options, folder);
    let text = print_c::function(&smallest, 0);
    println!("smallest program (runs {:?}):{text}{fault}\n", smallest.runs);
    if let Ok(folder) = std::env::var("LOOPWRIGHT_RANDOM_FOLDER") {
        let file = print_c::complete_file(&[smallest]);
        let note = format!("/* {}\n{fault} */\n{file}", arguments(options));
        let path = Path::new(&folder).join(format!("seed{seed}.c"));
        std::fs::write(path, note).expect("the folder for faults can be written to");
    }
}
