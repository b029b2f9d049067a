//! Random programs at the border of their loops, through `compile`, `compile --autodetect` and `cc`: each
//! prints what it prints without the compiler, with one, two and five threads, and does nothing undefined
//! that it did not do before.
//!
//! `LOOPWRIGHT_BORDER_PROGRAMS=5000` runs more of them, `LOOPWRIGHT_BORDER_FIRST=500` starts with another
//! number, and `LOOPWRIGHT_BORDER_FOLDER` names a folder where files with a difference are kept.

use crate::support::scratch;
use loopwright_testkit::cases::{number, seed};
use loopwright_testkit::{border_case_looks_at_flags, border_programs, border_states};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of one C file, so that headers and starts of compilers count little.
const BATCH: usize = 120;

/// How many programs are run unless the environment says otherwise.
const N_PROGRAMS: usize = 120;

const THREADS: [u32; 3] = [1, 2, 5];

/// Seconds of all threads after which a case has no end.
const RUN_SECONDS: u32 = 10;

const SANITIZERS: [&str; 2] = ["-O0", "-fsanitize=address,undefined"];

/// The ways through the compiler: a name, and the words before the file.
const WAYS: [(&str, &[&str]); 3] = [
    ("compile", &["compile", "--always-rewrite"]),
    ("autodetect", &["compile", "--autodetect", "--always-rewrite", "--adaptive", "never"]),
    ("cc", &["cc", "--always-rewrite", "--adaptive=never", "cc"]),
];

/// What each case of a file said.
type Sections = BTreeMap<u64, String>;

#[test]
fn print_what_they_print_without_the_compiler() {
    let folder = scratch("border_programs");
    let first = number("LOOPWRIGHT_BORDER_FIRST").unwrap_or_else(|| seed(0));
    let n_programs = number("LOOPWRIGHT_BORDER_PROGRAMS").map_or(N_PROGRAMS, |n| n as usize);
    let numbers = first..first + n_programs as u64;
    let (careful, others): (Vec<u64>, Vec<u64>) =
        numbers.partition(|&number| border_case_looks_at_flags(number));
    let (mut faults, mut n_run) = (Vec::new(), 0);
    for batch in others.chunks(BATCH).chain(careful.chunks(BATCH)) {
        let defined = defined_cases(batch, &folder);
        n_run += defined.len();
        for fault in faults_of_all(&defined, &folder) {
            println!("{fault}");
            faults.push(fault);
        }
        println!("{n_run} programs, {} differences", faults.len());
    }
    println!("{n_run} of {n_programs} programs are defined and were run");
    assert!(n_run * 10 > n_programs * 7, "most programs are defined");
    assert!(faults.is_empty(), "{} differences", faults.len());
}

/// The cases that do nothing undefined, end, and print the same each time. They are left as `border.c` and
/// `border_plain`.
fn defined_cases(batch: &[u64], folder: &Path) -> Vec<u64> {
    let source = folder.join("border.c");
    std::fs::write(folder.join("states.c"), border_states()).expect("the folder can be written");
    std::fs::write(&source, border_programs(batch)).expect("the folder can be written");
    let checked = built(&source, &folder.join("border_checked"), &SANITIZERS);
    let (printed, said) = run(&checked.expect("the file is C"), 2, batch);
    let complained = complaints(&said);
    let is_defined = |number: &u64| !complained.contains_key(number) && has_ended(&printed[number]);
    let left: Vec<u64> = batch.iter().copied().filter(is_defined).collect();
    let plain = plain_program(&left, folder);
    let mut bad: BTreeSet<u64> = BTreeSet::new();
    for threads in THREADS {
        let [own, other] = [(); 2].map(|()| run(&plain, threads, &left).0);
        bad.extend(left.iter().filter(|&at| own[at] != other[at] || !has_ended(&own[at])));
    }
    if bad.is_empty() {
        return left;
    }
    let left: Vec<u64> = left.into_iter().filter(|number| !bad.contains(number)).collect();
    plain_program(&left, folder);
    left
}

/// The program of cases without the compiler.
fn plain_program(cases: &[u64], folder: &Path) -> PathBuf {
    let source = folder.join("border.c");
    std::fs::write(&source, border_programs(cases)).expect("the folder can be written");
    built(&source, &folder.join("border_plain"), &["-O1"]).expect("the file is C")
}

/// What cases print and what they say on their second output. After one that crashes or has no end the
/// program goes on with the next.
fn run(binary: &Path, threads: u32, cases: &[u64]) -> (Sections, Sections) {
    let (mut printed, mut said) = (Sections::new(), Sections::new());
    let mut left = cases;
    while let Some(&first) = left.first() {
        let run = Command::new("sh")
            .args(["-c", &format!("ulimit -t {RUN_SECONDS}; exec \"$0\" \"$1\"")])
            .arg(binary)
            .arg(first.to_string())
            .env("OMP_NUM_THREADS", threads.to_string())
            .env("OMP_WAIT_POLICY", "passive")
            .env("ASAN_OPTIONS", "detect_leaks=0")
            .output()
            .expect("there is a shell");
        let found = sections(&String::from_utf8_lossy(&run.stdout));
        said.extend(sections(&String::from_utf8_lossy(&run.stderr)));
        let n_seen = left.iter().take_while(|number| found.contains_key(number)).count().max(1);
        printed.extend(found);
        if !run.status.success() {
            let section: &mut String = printed.entry(left[n_seen - 1]).or_default();
            section.push_str(&format!("{ENDED_BY}{}\n", run.status));
        }
        left = &left[n_seen..];
    }
    cases.iter().for_each(|&number| {
        printed.entry(number).or_default();
    });
    (printed, said)
}

const ENDED_BY: &str = "ended by ";

fn has_ended(section: &str) -> bool {
    !section.is_empty() && !section.contains(ENDED_BY)
}

/// The complaints of sanitizers, with the cases that they are about.
fn complaints(said: &Sections) -> Sections {
    let is_complaint = |line: &&str| line.contains("runtime error") || line.contains("ERROR: Add");
    let complaint = |section: &String| section.lines().find(is_complaint).map(str::to_string);
    said.iter().filter_map(|(&number, section)| Some((number, complaint(section)?))).collect()
}

fn sections(text: &str) -> Sections {
    let section = |part: &str| {
        let (number, rest) = part.split_once('\n')?;
        Some((number.parse().ok()?, rest.to_string()))
    };
    text.split("case ").skip(1).filter_map(section).collect()
}

fn built(source: &Path, binary: &Path, flags: &[&str]) -> Result<PathBuf, String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    finished(
        Command::new(compiler)
            .args(flags)
            .args(["-w", "-fopenmp", "-o"])
            .args([binary, source, &source.with_file_name("states.c")])
            .arg("-lm"),
    )?;
    Ok(binary.to_path_buf())
}

fn finished(command: &mut Command) -> Result<(), String> {
    let output = command.output().expect("the command can be run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() { Ok(()) } else { Err(said) }
}

/// The differences of cases through all ways. Where there is no program, its cases are looked at alone.
fn faults_of_all(cases: &[u64], folder: &Path) -> Vec<String> {
    let together = faults_of(cases, folder);
    if cases.len() == 1 || !together.iter().any(|fault| fault.contains("no program")) {
        return together;
    }
    let half = cases.split_at(cases.len() / 2);
    let of_half = |cases: &[u64]| {
        plain_program(cases, folder);
        faults_of_all(cases, folder)
    };
    [of_half(half.0), of_half(half.1)].concat()
}

/// The differences between what cases print without the compiler and with it.
fn faults_of(cases: &[u64], folder: &Path) -> Vec<String> {
    let source = folder.join("border.c");
    let plain = folder.join("border_plain");
    let wanted = THREADS.map(|threads| run(&plain, threads, cases).0);
    let mut faults = Vec::new();
    for (way, words) in WAYS {
        let result = match transformed(way, words, &source, folder) {
            Ok(result) => result,
            Err(said) => {
                faults.push(format!("{way}, no program of cases {cases:?}: {said}"));
                continue;
            }
        };
        let mut differing = BTreeSet::new();
        for (threads, wanted) in THREADS.into_iter().zip(&wanted) {
            let found = run(&result, threads, cases).0;
            for (number, section) in wanted {
                let other = &found[number];
                if other != section && differing.insert(*number) {
                    faults.push(format!(
                        "{way}, case {number}, {threads} threads: {section:?}, then {other:?}"
                    ));
                }
            }
        }
        if way != "cc" {
            faults.extend(undefined_results(way, cases, folder, &mut differing));
        }
        keep(&differing, way);
    }
    faults
}

/// The program that a way through the compiler makes.
fn transformed(way: &str, words: &[&str], source: &Path, folder: &Path) -> Result<PathBuf, String> {
    let binary = folder.join("border_result");
    let mut tool = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    if way == "cc" {
        let flags = ["-O1", "-w", "-fopenmp", "-o"];
        let states = folder.join("states.c");
        finished(tool.args(words).args(flags).args([&binary, source, &states]).arg("-lm"))?;
        return Ok(binary);
    }
    let text = folder.join("border_result.c");
    let output = tool.args(words).arg(source).arg("-o").arg(&text).output();
    let output = output.expect("the command can be run");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if !matches!(output.status.code(), Some(0 | 1)) || said.contains("defect") {
        return Err(format!("{}: {said}", output.status));
    }
    if output.status.code() == Some(1) && !text.exists() {
        std::fs::copy(source, &text).expect("the file can be copied");
    }
    built(&text, &binary, &["-O1"])
}

/// What sanitizers say about the result of cases about which they say nothing as they are.
fn undefined_results(
    way: &str,
    cases: &[u64],
    folder: &Path,
    differing: &mut BTreeSet<u64>,
) -> Vec<String> {
    let text = folder.join("border_result.c");
    let checked = built(&text, &folder.join("border_checked"), &SANITIZERS);
    let _ = std::fs::remove_file(&text);
    let said = match checked {
        Ok(binary) => complaints(&run(&binary, 2, cases).1),
        Err(said) => return vec![format!("{way}: {said}")],
    };
    differing.extend(said.keys());
    said.iter().map(|(number, line)| format!("{way}, case {number}: {line}")).collect()
}

/// Keeps a file for each case with a difference.
fn keep(differing: &BTreeSet<u64>, way: &str) {
    let Ok(kept) = std::env::var("LOOPWRIGHT_BORDER_FOLDER") else { return };
    for number in differing {
        let path = Path::new(&kept).join(format!("{way}_{number}.c"));
        std::fs::write(path, border_programs(&[*number])).expect("the folder can be written");
    }
}
