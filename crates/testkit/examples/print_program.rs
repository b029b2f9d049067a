//! Prints the random program of a seed as a C file, to try the command on it.
use loopwright_testkit::{Choices, print_c, random_program};

fn main() {
    let seed = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let Some(seed) = seed else {
        eprintln!("usage: print_program SEED");
        std::process::exit(2);
    };
    print!("{}", print_c::complete_file(&[random_program(&mut Choices::from_seed(seed))]));
}
