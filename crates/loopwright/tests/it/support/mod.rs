//! Compiles C files with and without the compiler, and compares what they print.
#![allow(dead_code)] // every test uses a part of this

pub(crate) mod headers;
pub(crate) mod needs;
pub(crate) mod pairs_of_programs;
pub(crate) mod readers;
pub(crate) mod stencils;

use loopwright::{CompileOptions, Fusion, Scheduler, compile_file};
use loopwright_backend::Target;
use loopwright_machine::Machine;
use loopwright_scheduler::Fuse;
use loopwright_testkit::cases::seed;
use loopwright_testkit::{Program, interpret, print_c, smaller_programs};
use loopwright_transform::TileSizes;
use loopwright_transform::tile::sica::Sica;
use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Seconds of processor time after which a generated program counts as endless.
const RUN_SECONDS: u32 = 20;

/// Every scheduler, fusion, tile size and target, each with several of the others.
pub(crate) fn combinations() -> Vec<CompileOptions> {
    let tiles = [
        TileSizes::Given(vec![7]),
        TileSizes::Given(vec![32]),
        TileSizes::None,
        TileSizes::Given(vec![1]),
        TileSizes::Default,
        TileSizes::Given(vec![3, 5, 2]),
    ];
    let schedulers = [
        (Scheduler::Pluto, Fusion::Model, Target::OpenMp),
        (Scheduler::Feautrier, Fusion::Rule(Fuse::Max), Target::OpenMp),
        (Scheduler::Pluto, Fusion::Rule(Fuse::Max), Target::OpenMp),
        (Scheduler::Pluto, Fusion::Rule(Fuse::Min), Target::C),
        (Scheduler::Pluto, Fusion::Rule(Fuse::Max), Target::C),
        (Scheduler::Feautrier, Fusion::Rule(Fuse::Smart), Target::C),
        (Scheduler::None, Fusion::Rule(Fuse::Smart), Target::OpenMp),
    ];
    let one = |at: usize| {
        let (scheduler, fuse, target) = schedulers[at % schedulers.len()].clone();
        let tile_sizes = tiles[at % tiles.len()].clone();
        let machine = Machine::generic();
        CompileOptions { scheduler, fuse, target, tile_sizes, machine, ..CompileOptions::new() }
    };
    let n = schedulers.len() * tiles.len();
    let cleaned = |at: usize| CompileOptions { eliminate_dead_code: true, ..one(at) };
    let by_sica =
        |at: usize| CompileOptions { tile_sizes: TileSizes::Sica(Sica::default()), ..one(at) };
    let twice = |at: usize| CompileOptions { tile_factors: vec![2, 3], ..one(at) };
    let modelled = |at: usize| CompileOptions { tile_sizes: TileSizes::Footprint, ..one(at) };
    let more = (0..n)
        .step_by(9)
        .map(modelled)
        .chain((0..n).step_by(5).map(cleaned))
        .chain((1..n).step_by(8).map(by_sica));
    (0..n).map(one).chain(more).chain((0..n).step_by(9).map(twice)).collect()
}

/// So many of the combinations, others for each program (which has a number), and others in each run where the
/// environment has a seed; all of them where it has `LOOPWRIGHT_ALL`.
pub(crate) fn some_combinations(program: usize, n: usize) -> Vec<CompileOptions> {
    let all = combinations();
    if std::env::var_os("LOOPWRIGHT_ALL").is_some() {
        return all;
    }
    let start = (seed(0) % all.len() as u64) as usize + program * n;
    (start..start + n).map(|at| all[at % all.len()].clone()).collect()
}

/// The options of a combination as arguments of the command.
pub(crate) fn arguments(options: &CompileOptions) -> String {
    let tiles = match &options.tile_sizes {
        TileSizes::None => "--no-tile".to_string(),
        TileSizes::Default => String::new(),
        TileSizes::Footprint => "--tile-model footprint".to_string(),
        TileSizes::Fixed => "--tile-model fixed".to_string(),
        TileSizes::Sica(_) => "--tile-model sica".to_string(),
        TileSizes::Given(sizes) => {
            let sizes: Vec<String> = sizes.iter().map(i64::to_string).collect();
            format!("--tile-sizes {}", sizes.join(","))
        }
    };
    let factors: Vec<String> = options.tile_factors.iter().map(i64::to_string).collect();
    let tiles = match factors.is_empty() {
        true => tiles,
        false => format!("{tiles} --tile-factors {}", factors.join(",")),
    };
    let rule = match options.fuse {
        Fusion::Model => "model".to_string(),
        Fusion::Rule(rule) => format!("{rule:?}"),
    };
    let names = format!("--scheduler {:?} --fuse {rule}", options.scheduler);
    let target = if options.target == Target::C { "c" } else { "openmp" };
    let cleaned = if options.eliminate_dead_code { " --eliminate-dead-code" } else { "" };
    let reassociated = if options.reassociate { " --reassociate" } else { "" };
    format!("{} --target {target} {tiles}{cleaned}{reassociated}", names.to_lowercase())
}

/// What is wrong with a compilation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The compiler did not accept the program.
    Refused(String),
    /// The compiler panicked.
    Panicked(String),
    /// A claim was not proved.
    NotProved(String),
    /// A note about a defect.
    Rejected(String),
    /// The generated text is not accepted by the C compiler.
    NotC(String),
    /// The generated program prints something else.
    WrongOutput(String),
}

impl Fault {
    /// Whether two faults look like the same defect.
    pub(crate) fn resembles(&self, other: &Fault) -> bool {
        let start = |text: &str| text.chars().take(45).collect::<String>();
        match (self, other) {
            (Fault::Refused(a), Fault::Refused(b)) | (Fault::Panicked(a), Fault::Panicked(b)) => {
                start(a) == start(b)
            }
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Refused(text) => write!(f, "refused: {text}"),
            Fault::Panicked(text) => write!(f, "panic: {text}"),
            Fault::NotProved(text) => write!(f, "not proved: {text}"),
            Fault::Rejected(text) => write!(f, "rejected: {text}"),
            Fault::NotC(text) => write!(f, "the generated text is not C: {text}"),
            Fault::WrongOutput(text) => write!(f, "wrong output: {text}"),
        }
    }
}

/// A folder for the files of a test.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let folder = option_env!("CARGO_TARGET_TMPDIR")
        .map_or_else(std::env::temp_dir, PathBuf::from)
        .join(name);
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be made");
    folder
}

/// Compiles a file, all regions for all sizes; the text, and the time that the compiler took itself.
pub(crate) fn compile(path: &Path, options: &CompileOptions) -> Result<(String, Duration), Fault> {
    let options = &CompileOptions { always_rewrite: true, ..options.clone() };
    let compiled = catch_unwind(AssertUnwindSafe(|| compile_file(path, options)))
        .map_err(|panic| Fault::Panicked(panic_text(&*panic)))?
        .map_err(|failure| Fault::Refused(failure.to_string()))?;
    for region in &compiled.report.regions {
        if let Some(note) = region.notes.iter().find(|note| note.contains("defect")) {
            return Err(Fault::Rejected(note.clone()));
        }
        if region.proofs.is_empty() {
            return Err(Fault::NotProved(format!("nothing: {}", region.notes.join("; "))));
        }
        if let Some((claim, proof)) = region.proofs.iter().find(|(_, proof)| !proof.is_proved()) {
            return Err(Fault::NotProved(format!("{claim}: {proof:?}")));
        }
    }
    let time = compiled.report.timings.own();
    Ok((compiled.code, time))
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_string()))
        .unwrap_or_default()
}

/// The C programs in a folder of the tests, sorted by name. The headers beside them are copied to where the
/// programs will be compiled.
pub(crate) fn programs_of(folder: &str, scratch: &Path) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder of the programs is there");
    let files = entries.map(|entry| entry.expect("the folder can be read").path());
    let has = |path: &PathBuf, wanted: &str| path.extension().is_some_and(|e| e == wanted);
    let (mut programs, others): (Vec<_>, Vec<_>) = files.partition(|path| has(path, "c"));
    for header in others.iter().filter(|path| has(path, "h")) {
        let name = header.file_name().expect("a file has a name");
        std::fs::copy(header, scratch.join(name)).expect("the header is copied");
    }
    programs.sort();
    assert!(!programs.is_empty(), "there are programs");
    programs
}

/// What a C text prints when it is compiled by the C compiler and run with three threads.
pub(crate) fn run_c(text: &str, folder: &Path, name: &str) -> Result<String, Fault> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    printed_by(&compiler, text, folder, name, 3)
}

/// Texts that were run in a folder, by which compiler, with how many threads; and what they printed.
type Printed = HashMap<(PathBuf, String, String, u32), String>;

/// What a C text prints that is compiled by a C compiler and run with so many threads. What was run before is
/// not run again: other options often lead to the same text.
pub(crate) fn printed_by(
    compiler: &str,
    text: &str,
    folder: &Path,
    name: &str,
    threads: u32,
) -> Result<String, Fault> {
    static PRINTED: Mutex<Option<Printed>> = Mutex::new(None);
    let all = || PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (folder.to_path_buf(), text.to_string(), compiler.to_string(), threads);
    if let Some(printed) = all().get_or_insert_default().get(&key) {
        return Ok(printed.clone());
    }
    let printed = run_binary(&binary_of(text, folder, name, compiler)?, threads);
    all().get_or_insert_default().insert(key, printed.clone());
    Ok(printed)
}

/// A C text compiled by a C compiler.
pub(crate) fn binary_of(
    text: &str,
    folder: &Path,
    name: &str,
    compiler: &str,
) -> Result<PathBuf, Fault> {
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("a temporary file can be written");
    let compiled = Command::new(compiler)
        .args(["-O1", "-w", "-fopenmp", "-ffp-contract=off", "-o"])
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .expect("there is a C compiler");
    if !compiled.status.success() {
        return Err(Fault::NotC(String::from_utf8_lossy(&compiled.stderr).into_owned()));
    }
    Ok(binary)
}

/// What a program prints with so many threads.
pub(crate) fn run_binary(binary: &Path, threads: u32) -> String {
    let run = Command::new("sh")
        .args(["-c", &format!("ulimit -t {RUN_SECONDS}; exec \"$0\"")])
        .arg(binary)
        .env("OMP_NUM_THREADS", threads.to_string())
        .output()
        .expect("there is a shell");
    let mut printed = String::from_utf8_lossy(&run.stdout).into_owned();
    if !run.status.success() {
        printed += &format!("({})\n", run.status);
    }
    printed
}

/// The faults of some programs with one combination of options; all that compile share one run.
/// Also the longest time that the compiler took for one program, and for which.
pub(crate) fn check(
    programs: &[Program],
    options: &CompileOptions,
    folder: &Path,
) -> (Vec<(usize, Fault)>, (Duration, usize)) {
    let mut faults = Vec::new();
    let mut accepted = Vec::new();
    let mut text = print_c::header();
    let mut slowest = (Duration::ZERO, 0);
    for (number, program) in programs.iter().enumerate() {
        let path = folder.join("region.c");
        std::fs::write(&path, print_c::function(program, accepted.len()))
            .expect("a temporary file can be written");
        match compile(&path, options) {
            Ok((code, time)) => {
                slowest = slowest.max((time, number));
                text += &code;
                accepted.push(number);
            }
            Err(fault) => faults.push((number, fault)),
        }
    }
    let chosen: Vec<Program> = accepted.iter().map(|&number| programs[number].clone()).collect();
    text += &print_c::driver(&chosen);
    match run_c(&text, folder, "whole") {
        Ok(printed) => faults.extend(
            wrong_outputs(&chosen, &printed).into_iter().map(|(at, fault)| (accepted[at], fault)),
        ),
        Err(fault) if chosen.len() == 1 => faults.push((accepted[0], fault)),
        Err(_) => {
            for &number in &accepted {
                let (alone, _) = check(&programs[number..=number], options, folder);
                faults.extend(alone.into_iter().map(|(_, fault)| (number, fault)));
            }
        }
    }
    (faults, slowest)
}

/// Compares the sections of the output with the interpreter. After a crash only the program that
/// crashed is reported.
fn wrong_outputs(programs: &[Program], printed: &str) -> Vec<(usize, Fault)> {
    let mut faults = Vec::new();
    for (number, program) in programs.iter().enumerate() {
        let marker = format!("program {number}\n");
        let found = printed.split_once(&marker).map_or("", |(_, rest)| rest);
        let found = found.split("program ").next().unwrap_or_default();
        if let Some(difference) = first_difference(&interpret(program), found) {
            faults.push((number, Fault::WrongOutput(difference)));
            if found.contains("signal") {
                break;
            }
        }
    }
    faults
}

/// The first lines that differ, shortened.
pub(crate) fn first_difference(wanted: &str, found: &str) -> Option<String> {
    if wanted == found {
        return None;
    }
    let mut place = String::new();
    let mut lines = found.lines();
    for wanted in wanted.lines() {
        let found = lines.next().unwrap_or("(nothing)");
        if wanted.starts_with("run") {
            place = wanted.to_string();
        }
        if wanted != found {
            let mut words = wanted.split(' ').zip(found.split(' ')).enumerate();
            let different = words.find(|(_, (a, b))| a != b);
            return Some(match different {
                Some((word, (a, b))) => format!(
                    "{place}, {}, element {}: {b} instead of {a}",
                    wanted.split(' ').next().unwrap_or_default(),
                    word as i64 - 1
                ),
                None => format!("{place}: a line of another length"),
            });
        }
    }
    Some("more lines than expected".to_string())
}

/// A program with a similar fault of which nothing can be left out, and its fault.
pub(crate) fn minimise(
    program: &Program,
    fault: &Fault,
    options: &CompileOptions,
    folder: &Path,
) -> (Program, Fault) {
    let (mut program, mut fault) = (program.clone(), fault.clone());
    loop {
        let smaller = smaller_programs(&program).find_map(|smaller| {
            let (faults, _) = check(std::slice::from_ref(&smaller), options, folder);
            let found = faults.into_iter().next()?.1;
            found.resembles(&fault).then_some((smaller, found))
        });
        match smaller {
            Some(smaller) => (program, fault) = smaller,
            None => return (program, fault),
        }
    }
}

/// The code for a program, which prints what the program prints; all files lie in `folder`.
pub(crate) fn prints_the_same(
    folder: &Path,
    name: &str,
    text: &str,
    options: &CompileOptions,
) -> String {
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    let (code, _) = compile(&path, options).unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let before = run_c(text, folder, &format!("{name}_before")).expect("it is C");
    let after = run_c(&code, folder, &format!("{name}_after"))
        .unwrap_or_else(|fault| panic!("{name}: {fault}\n{code}"));
    assert!(before == after, "{name} with {options:?}:\n{code}");
    code
}

/// What goes wrong when a program is compiled with some options and run: it is refused, or prints something
/// else than `wanted`.
pub(crate) fn fault(
    path: &Path,
    wanted: &str,
    folder: &Path,
    options: &CompileOptions,
) -> Option<String> {
    let outcome = compile(path, options).and_then(|(code, _)| run_c(&code, folder, "after"));
    let fault = match outcome {
        Ok(found) => first_difference(wanted, &found),
        Err(fault) => Some(fault.to_string()),
    };
    fault.map(|f| format!("{} {}: {f}", path.display(), arguments(options)))
}

/// Compiles and runs programs, each with some of the combinations, and requires that they print what they
/// did.
pub(crate) fn regions_print_the_same(
    folder: &str,
    regions: &[(&str, &str)],
    program: impl Fn(&str) -> String,
) {
    let folder = scratch(folder);
    for (number, (name, region)) in regions.iter().enumerate() {
        let text = program(region);
        let path = folder.join(format!("{name}.c"));
        std::fs::write(&path, &text).expect("the folder for tests can be written");
        let before = run_c(&text, &folder, &format!("{name}_before")).expect("it is C");
        let mut choices = combinations();
        choices.rotate_left(5 * number);
        for options in choices.into_iter().step_by(9) {
            let (code, _) = compile(&path, &options)
                .unwrap_or_else(|f| panic!("{name} with {}: {f}", arguments(&options)));
            let after = run_c(&code, &folder, &format!("{name}_after"))
                .unwrap_or_else(|f| panic!("{name}: {f}\n{code}"));
            assert_eq!(before, after, "{name} with {options:?}\n{code}");
        }
    }
}

/// The code for a program without tiles.
pub(crate) fn untiled_code(folder: &str, name: &str, text: &str) -> String {
    let path = scratch(folder).join(format!("{name}_code.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    let options = CompileOptions { tile_sizes: TileSizes::None, ..CompileOptions::new() };
    compile(&path, &options).expect("it compiles").0
}
