//! Two builds of the compiler beside each other, before and after a change.
//!
//! Both compile a kernel in turn; the least times are compared, since whatever else a machine does only
//! adds to them. Where the C texts are the same, so are the programs.
use super::{Request, defines};
use crate::compilers::Tools;
use crate::contestant::{Compiler, Contestant};
use crate::kernels::run_once;
use crate::programs::Program;
use crate::repository;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A difference that timing cannot tell from none.
const NOISE: f64 = 1.03;

/// How long a program may run.
const LONGEST_RUN: Duration = Duration::from_secs(100);

/// A build of the compiler.
struct Build {
    binary: PathBuf,
    /// Where its texts and programs go.
    folder: PathBuf,
}

/// What was measured for a kernel, before and after.
struct Pair {
    /// The least milliseconds of compilation, after preprocessing.
    milliseconds: [f64; 2],
    has_same_text: bool,
    /// The least seconds of the program, where that was asked for and the texts differ.
    seconds: Option<[f64; 2]>,
}

/// Prints a line per kernel with the times of both builds and their ratio.
pub(super) fn compare(
    before: &Path,
    programs: &[Program],
    request: &Request,
) -> Result<(), String> {
    let after = request.binary.clone().map_or_else(own_binary, Ok)?;
    let builds = [Build::new(before, "before")?, Build::new(&after, "after")?];
    println!(
        "{:16}{:>12}{:>12}{:>8}  (ms, least of {} runs in turn)",
        "", "before", "after", "ratio", request.runs
    );
    let mut pairs = Vec::new();
    for program in programs {
        match measure(program, &builds, request) {
            Ok(pair) => {
                println!("{}", pair.line(&program.name));
                pairs.push((program.name.as_str(), pair));
            }
            Err(reason) => println!("{:16}{}", program.name, reason.lines().next().unwrap_or("")),
        }
    }
    println!("{}", summary(&pairs));
    Ok(())
}

/// The binary that `cargo build --release` makes, beside this program.
fn own_binary() -> Result<PathBuf, String> {
    let this = std::env::current_exe().map_err(|e| e.to_string())?;
    let path = this.with_file_name(format!("loopwright{}", std::env::consts::EXE_SUFFIX));
    let absent =
        || format!("{} is not there: `cargo build --release`, or --binary", path.display());
    path.exists().then(|| path.clone()).ok_or_else(absent)
}

impl Build {
    fn new(binary: &Path, name: &str) -> Result<Self, String> {
        let absent = |e| format!("{}: {e}", binary.display());
        let binary = binary.canonicalize().map_err(absent)?;
        let folder = repository::root().join("target/bench").join(name);
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        Ok(Build { binary, folder })
    }

    fn text(&self, program: &Program) -> PathBuf {
        self.folder.join(format!("{}.c", program.name))
    }

    /// Compiles a program and returns the milliseconds after preprocessing.
    fn compile(&self, program: &Program, request: &Request) -> Result<f64, String> {
        let report = self.folder.join("report.json");
        let mut command = Command::new(&self.binary);
        command.arg("compile").arg(&program.source).arg("-o").arg(self.text(program));
        command.arg("--report").arg(&report);
        for folder in &program.include_dirs {
            command.arg("-I").arg(folder);
        }
        for define in defines(program, request)? {
            command.arg("-D").arg(define);
        }
        let cannot = |e| format!("cannot run {}: {e}", self.binary.display());
        let output = command.output().map_err(cannot)?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).trim().to_string());
        }
        let text = std::fs::read_to_string(&report).map_err(|e| e.to_string())?;
        let report: serde_json::Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
        let milliseconds = report["milliseconds"]["after_preprocessing"].as_f64();
        milliseconds.ok_or_else(|| format!("{} reports no times", self.binary.display()))
    }
}

fn measure(program: &Program, builds: &[Build; 2], request: &Request) -> Result<Pair, String> {
    let mut milliseconds = [f64::INFINITY; 2];
    for run in 0..request.runs {
        for position in turn(run) {
            let time = builds[position].compile(program, request)?;
            milliseconds[position] = milliseconds[position].min(time);
        }
    }
    let read = |build: &Build| std::fs::read(build.text(program)).map_err(|e| e.to_string());
    let has_same_text = read(&builds[0])? == read(&builds[1])?;
    let is_run = request.run && !has_same_text;
    let seconds = is_run.then(|| run_times(program, builds, request)).transpose()?;
    Ok(Pair { milliseconds, has_same_text, seconds })
}

/// Who is first: in turn, so that neither always has the warm caches.
fn turn(run: usize) -> [usize; 2] {
    if run.is_multiple_of(2) { [0, 1] } else { [1, 0] }
}

/// The least seconds of the programs that gcc makes of both texts, with all threads.
fn run_times(
    program: &Program,
    builds: &[Build; 2],
    request: &Request,
) -> Result<[f64; 2], String> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let ours = Contestant::Ours(Compiler::Gcc, threads);
    let executable = |build: &Build| {
        let tools = Tools::find(None, None, build.folder.clone());
        tools.build(ours, program, &request.size, &build.text(program), None)
    };
    let executables = [executable(&builds[0])?, executable(&builds[1])?];
    let mut least = [f64::INFINITY; 2];
    for run in 0..request.runs {
        for position in turn(run) {
            let seconds =
                run_once(program, &request.size, &executables[position], threads, LONGEST_RUN)?;
            least[position] = least[position].min(seconds.unwrap_or(LONGEST_RUN.as_secs_f64()));
        }
    }
    Ok(least)
}

impl Pair {
    fn ratio(&self) -> f64 {
        self.milliseconds[1] / self.milliseconds[0]
    }

    fn line(&self, name: &str) -> String {
        let [before, after] = self.milliseconds;
        let text = if self.has_same_text { "same text" } else { "OTHER TEXT" };
        let run = self.seconds.map_or(String::new(), |[before, after]| {
            format!(", runs {before:.4} s and {after:.4} s, ratio {:.3}", after / before)
        });
        format!("{name:16}{before:12.2}{after:12.2}{:8.3}  {text}{run}", self.ratio())
    }
}

fn summary(pairs: &[(&str, Pair)]) -> String {
    let sum =
        |position: usize| -> f64 { pairs.iter().map(|(_, p)| p.milliseconds[position]).sum() };
    let (before, after) = (sum(0), sum(1));
    let slower: Vec<String> = pairs
        .iter()
        .filter(|(_, pair)| pair.ratio() > NOISE)
        .map(|(name, pair)| format!("{name} {:.3}", pair.ratio()))
        .collect();
    let other = pairs.iter().filter(|(_, pair)| !pair.has_same_text).count();
    let slower = if slower.is_empty() { "none".to_string() } else { slower.join(", ") };
    format!(
        "{:16}{before:12.2}{after:12.2}{:8.3}  {other} other texts; slower than {NOISE}: {slower}",
        "all",
        after / before
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_names_what_is_slower() {
        let pair = |before, after, has_same_text| Pair {
            milliseconds: [before, after],
            has_same_text,
            seconds: None,
        };
        let pairs = [("gemm", pair(100.0, 101.0, true)), ("lu", pair(100.0, 110.0, false))];
        let text = summary(&pairs);
        assert!(text.ends_with("1.055  1 other texts; slower than 1.03: lu 1.100"), "{text}");
        assert!(summary(&pairs[..1]).ends_with("0 other texts; slower than 1.03: none"));
    }
}
