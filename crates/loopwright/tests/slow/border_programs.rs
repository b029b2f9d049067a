//! Random programs at the border of their loops, through `compile`, `compile --autodetect` and `cc`: each
//! prints what it prints without the compiler, with one, two and five threads, and does nothing undefined
//! that it did not do before.
//!
//! `LOOPWRIGHT_BORDER_PROGRAMS=5000` runs more of them, `LOOPWRIGHT_BORDER_FIRST=500` starts with another
//! number, and `LOOPWRIGHT_BORDER_FOLDER` names a folder where files with a difference are kept.

use crate::support::{run_binary, scratch};
use loopwright_testkit::border_programs;
use loopwright_testkit::cases::{number, seed};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of one C file.
const BATCH: usize = 24;

/// How many programs are run unless the environment says otherwise.
const N_PROGRAMS: usize = 72;

const THREADS: [u32; 3] = [1, 2, 5];

/// The ways through the compiler: a name, and the words before the file.
const WAYS: [(&str, &[&str]); 3] = [
    ("compile", &["compile", "--always-rewrite"]),
    ("autodetect", &["compile", "--autodetect", "--always-rewrite", "--adaptive", "never"]),
    ("cc", &["cc", "--always-rewrite", "--adaptive=never", "cc"]),
];

/// What each case of a file printed.
type Sections = Vec<(u64, String)>;

#[test]
fn print_what_they_print_without_the_compiler() {
    let folder = scratch("border_programs");
    let first = number("LOOPWRIGHT_BORDER_FIRST").unwrap_or_else(|| seed(0));
    let n_programs = number("LOOPWRIGHT_BORDER_PROGRAMS").map_or(N_PROGRAMS, |n| n as usize);
    let numbers: Vec<u64> = (first..first + n_programs as u64).collect();
    let (mut faults, mut n_run) = (Vec::new(), 0);
    for batch in numbers.chunks(BATCH) {
        let defined = defined_cases(batch, &folder);
        n_run += defined.len();
        for fault in faults_of_all(&defined, &folder) {
            println!("{fault}");
            faults.push(fault);
        }
    }
    println!("{n_run} of {n_programs} programs are defined and were run");
    assert!(n_run * 10 > n_programs * 7, "most programs are defined");
    assert!(faults.is_empty(), "{} differences", faults.len());
}

/// The cases that do nothing undefined, end, and print the same each time.
fn defined_cases(batch: &[u64], folder: &Path) -> Vec<u64> {
    let mut left: Vec<u64> = batch.to_vec();
    loop {
        let source = folder.join("border.c");
        std::fs::write(&source, border_programs(&left)).expect("the folder can be written");
        let mut bad = undefined_cases(&source, folder, &left);
        let plain = built(&source, &folder.join("border_plain"), &[]).expect("the file is C");
        for threads in THREADS {
            let runs =
                [run_binary(&plain, threads), run_binary(&plain, threads)].map(|r| sections(&r));
            for (number, section) in &runs[0] {
                if runs[1].iter().find(|(other, _)| other == number)
                    != Some(&(*number, section.clone()))
                {
                    bad.insert(*number);
                }
            }
            let seen: BTreeSet<u64> = runs[0].iter().map(|(number, _)| *number).collect();
            // After a crash only the case that crashed is to blame.
            let unseen = left.iter().find(|number| !seen.contains(number));
            bad.extend(unseen.and_then(|at| left.iter().take_while(|n| *n != at).last()));
        }
        if bad.is_empty() {
            return left;
        }
        left.retain(|number| !bad.contains(number));
    }
}

/// The cases of which the sanitizers complain.
fn undefined_cases(source: &Path, folder: &Path, cases: &[u64]) -> BTreeSet<u64> {
    let checked = built(source, &folder.join("border_checked"), &["-fsanitize=address,undefined"]);
    let said = said_by(&checked.expect("the file is C"));
    let mut bad: BTreeSet<u64> = complaints(&said).into_iter().map(|(number, _)| number).collect();
    let last = sections(&said).iter().map(|(number, _)| *number).next_back();
    bad.extend(last.filter(|last| cases.last() != Some(last)));
    bad
}

/// What a program says on its second output with two threads.
fn said_by(binary: &Path) -> String {
    let run = Command::new("sh")
        .args(["-c", "ulimit -t 20; exec \"$0\""])
        .arg(binary)
        .env("OMP_NUM_THREADS", "2")
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .output();
    String::from_utf8_lossy(&run.expect("there is a shell").stderr).into_owned()
}

/// The complaints of sanitizers, with the cases that they are about.
fn complaints(said: &str) -> Sections {
    let is_complaint = |line: &&str| line.contains("runtime error") || line.contains("ERROR: Add");
    let of_section = |(number, section): (u64, String)| {
        section.lines().find(is_complaint).map(|line| (number, line.to_string()))
    };
    sections(said).into_iter().filter_map(of_section).collect()
}

fn sections(printed: &str) -> Sections {
    let parts = printed.split("case ").skip(1);
    let section = |part: &str| {
        let (number, rest) = part.split_once('\n')?;
        Some((number.parse().ok()?, rest.to_string()))
    };
    parts.filter_map(section).collect()
}

fn built(source: &Path, binary: &Path, more: &[&str]) -> Result<PathBuf, String> {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    finished(
        Command::new(compiler)
            .args(["-O1", "-w", "-fopenmp", "-o"])
            .args([binary, source])
            .args(more)
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
        std::fs::write(folder.join("border.c"), border_programs(cases)).expect("it can be written");
        let plain = built(&folder.join("border.c"), &folder.join("border_plain"), &[]);
        plain.expect("the file is C");
        faults_of_all(cases, folder)
    };
    [of_half(half.0), of_half(half.1)].concat()
}

/// The differences between what cases print without the compiler and with it.
fn faults_of(cases: &[u64], folder: &Path) -> Vec<String> {
    let source = folder.join("border.c");
    let plain = folder.join("border_plain");
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
        for threads in THREADS {
            let wanted = sections(&run_binary(&plain, threads));
            let found = sections(&run_binary(&result, threads));
            for (number, section) in wanted {
                let other = found.iter().find(|(other, _)| *other == number).map(|(_, s)| s);
                if other != Some(&section) && differing.insert(number) {
                    let other = other.map_or("nothing", |s| s.as_str());
                    faults.push(format!(
                        "{way}, case {number}, {threads} threads: {section:?}, then {other:?}"
                    ));
                }
            }
        }
        if way != "cc" {
            faults.extend(undefined_results(way, folder));
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
        finished(tool.args(words).args(flags).args([&binary, source]).arg("-lm"))?;
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
    built(&text, &binary, &[])
}

/// What sanitizers say about the result of cases about which they say nothing as they are.
fn undefined_results(way: &str, folder: &Path) -> Vec<String> {
    let text = folder.join("border_result.c");
    let binary = folder.join("border_checked");
    let checked = built(&text, &binary, &["-fsanitize=address,undefined"]);
    let said = checked.map(|binary| complaints(&said_by(&binary)));
    let fault = |(number, line): (u64, String)| format!("{way}, case {number}: {line}");
    let _ = std::fs::remove_file(&text);
    said.map_or_else(
        |said| vec![format!("{way}: {said}")],
        |said| said.into_iter().map(fault).collect(),
    )
}

/// Keeps a file for each case with a difference.
fn keep(differing: &BTreeSet<u64>, way: &str) {
    let Ok(kept) = std::env::var("LOOPWRIGHT_BORDER_FOLDER") else { return };
    for number in differing {
        let path = Path::new(&kept).join(format!("{way}_{number}.c"));
        std::fs::write(path, border_programs(&[*number])).expect("the folder can be written");
    }
}
