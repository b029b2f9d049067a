//! Whole programs in the style that programmers write: each is transformed and prints what it printed
//! before, with threads and without, or is refused with the reason that `programs/verdicts.txt` has.
use loopwright_testkit::cases::seed;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

/// The names of the programs with the verdicts: `transformed`, or the code of the first refusal.
fn verdicts() -> Vec<(String, String)> {
    let text = std::fs::read_to_string(folder().join("verdicts.txt")).expect("the table");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let words = |line: &str| {
        let (name, verdict) = line.split_once(' ').expect("a name and a verdict");
        (name.to_string(), verdict.trim().to_string())
    };
    lines.map(words).collect()
}

/// What a program prints; the reason why there is nothing.
fn printed(source: &Path, program: &Path, flags: &[&str]) -> Result<String, String> {
    let cc = std::env::var("CC").unwrap_or("cc".to_string());
    let mut command = Command::new(cc);
    command.args(["-O1", "-ffp-contract=off"]).args(flags).arg(source).arg("-o").arg(program);
    let output = command.arg("-lm").output().expect("the C compiler runs");
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let output = Command::new(program).env("OMP_NUM_THREADS", "3").output();
    let output = output.expect("the program runs");
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("it ends with {}", output.status)),
    }
}

/// The code of the first message.
fn first_code(message: &str) -> Option<&str> {
    let (_, rest) = message.split_once("error[")?;
    rest.split_once(']').map(|(code, _)| code)
}

/// What programs are compiled for, and how the C compiler is called for it.
const TARGETS: [(&str, &[&str]); 2] = [("openmp", &["-fopenmp"]), ("c", &[])];

/// The verdict about one program, which has a number, or what is wrong with its result. One of the targets is
/// tried, others for each seed; all of them where the environment has `LOOPWRIGHT_ALL`.
fn verdict(number: usize, name: &str) -> Result<String, String> {
    let source = folder().join(format!("{name}.c"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("programs-{name}"));
    std::fs::create_dir_all(&scratch).expect("a folder for temporary files");
    let expected = printed(&source, &scratch.join("original"), &[])?;
    let turn = (number + (seed(0) % 2) as usize) % 2;
    let targets = match std::env::var_os("LOOPWRIGHT_ALL") {
        Some(_) => &TARGETS[..],
        None => &TARGETS[turn..=turn],
    };
    for &(target, flags) in targets {
        let result = scratch.join(format!("{target}.c"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
        command.arg("compile").arg(&source).args(["--target", target]);
        command.args(["--always-rewrite", "-o"]).arg(&result);
        let output = command.output().expect("the command runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        match (output.status.code(), first_code(&message)) {
            (Some(0), _) => {}
            (Some(1), Some(code)) => return Ok(code.to_string()),
            _ => return Err(message),
        }
        let report = String::from_utf8_lossy(&output.stdout).into_owned();
        if report.contains("left as it was")
            || report.replace("tested, not proved", "").contains("not proved")
        {
            return Err(report);
        }
        let found = printed(&result, &scratch.join(target), flags)?;
        if found != expected {
            return Err(format!("--target {target} prints {found}instead of {expected}"));
        }
    }
    Ok("transformed".to_string())
}

#[test]
fn programs_print_what_they_did_or_are_refused() {
    let all = verdicts();
    let next = Mutex::new(all.iter().enumerate());
    let problems = Mutex::new(Vec::new());
    let work = || {
        loop {
            let taken = next.lock().expect("no panic").next();
            let Some((number, (name, expected))) = taken else { return };
            let problem = match verdict(number, name) {
                Ok(found) if found == *expected => continue,
                Ok(found) => format!("{name} {found} (verdicts.txt has {expected})"),
                Err(reason) => format!("{name}: {reason}"),
            };
            problems.lock().expect("no panic").push(problem);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let problems = problems.into_inner().expect("no panic");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_program_has_a_verdict() {
    let entries = std::fs::read_dir(folder()).expect("the folder");
    let paths = entries.flatten().map(|entry| entry.path());
    let programs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "c"));
    let mut names: Vec<String> =
        programs.filter_map(|path| Some(path.file_stem()?.to_str()?.to_string())).collect();
    names.sort();
    let listed: Vec<String> = verdicts().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, listed, "verdicts.txt lists all programs in the order of their names");
    assert!(names.len() >= 60, "{}", names.len());
}
