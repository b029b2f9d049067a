//! Whether the programs of other tools compute what the original computes.
//!
//! A tool that prints wrong code is no peer on that kernel, however fast the code is. Results are
//! compared at a small size, without contraction of operations and with a tolerance, since tools may
//! add in another order.
use crate::compilers::Tools;
use crate::contestant::{Compiler, Contestant};
use crate::programs::{Program, Stream, Tolerance};
use loopwright::tune::run_within;
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long a small program may run.
const LONGEST_RUN: Duration = Duration::from_secs(60);

/// Checks that a contestant's program prints the same results as the original, up to rounding.
pub(crate) fn agrees(
    contestant: Contestant,
    program: &Program,
    tools: &Tools,
) -> Result<(), String> {
    let program = program.printing();
    let printed = |contestant: Contestant| {
        let path =
            tools.build(contestant, &program, &program.results.size, &program.source, None)?;
        results(&program, &path, contestant.threads())
    };
    let (wanted, found) = (printed(Contestant::Plain(Compiler::Gcc))?, printed(contestant)?);
    match is_close(&wanted, &found, program.results.tolerance) {
        true => Ok(()),
        false => Err("its program prints other results: it is left out".to_string()),
    }
}

/// What a program prints.
fn results(program: &Program, executable: &Path, threads: usize) -> Result<String, String> {
    let cannot = |e: std::io::Error| format!("cannot run {}: {e}", executable.display());
    let path = executable.with_extension("results");
    let file = File::create(&path).map_err(cannot)?;
    let mut command = Command::new(executable);
    command
        .args(program.arguments(&program.results.size))
        .env("OMP_NUM_THREADS", threads.to_string())
        .envs(program.results.environment.iter().cloned());
    match program.results.from {
        Stream::Stdout => command.stdout(file).stderr(Stdio::null()),
        Stream::Stderr => command.stdout(Stdio::null()).stderr(file),
    };
    let ended = run_within(&mut command, LONGEST_RUN).map_err(cannot)?;
    if !ended.is_some_and(|ended| ended.status.success()) {
        return Err(format!("{} fails or takes too long", executable.display()));
    }
    std::fs::read_to_string(&path).map_err(cannot)
}

/// Whether two texts are the same but for small differences of numbers.
pub(crate) fn is_close(
    wanted: &str,
    found: &str,
    Tolerance { absolute, relative }: Tolerance,
) -> bool {
    let is_close = |(wanted, found): (&str, &str)| match (wanted.parse(), found.parse()) {
        (Ok(a), Ok(b)) => {
            let (a, b): (f64, f64) = (a, b);
            (a - b).abs() <= absolute + relative * a.abs() || (a.is_nan() && b.is_nan()) || a == b
        }
        _ => wanted == found,
    };
    let (wanted, found) = (wanted.split_whitespace(), found.split_whitespace());
    wanted.clone().count() == found.clone().count() && wanted.zip(found).all(is_close)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(wanted: &str, found: &str) -> bool {
        is_close(wanted, found, Tolerance::STANDARD)
    }

    #[test]
    fn small_differences_of_numbers_are_accepted_and_nothing_else() {
        assert!(close("A: 1.00 2.5e9 nan inf", "A: 1.01 2.500001e9 nan inf"));
        assert!(!close("A: 1.00", "A: 1.05"));
        assert!(!close("A: 1.00", "B: 1.00"));
        assert!(!close("A: 1.00", "A: 1.00 1.00"));
        assert!(!close("A: 1.00", "A: nan"));
    }
}
