//! The compilers that are compared, and how each makes a program of a kernel.
use crate::contestant::{Compiler, Contestant};
use crate::programs::{Program, TimeSource};
use loopwright::tune::{ProgramOptions, Timing, TuneOptions, run_within, tune};
use loopwright::{CompileOptions, Compiled, RegionReport, compile_file};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How long a tool may take to transform a kernel.
const LONGEST_TRANSFORMATION: Duration = Duration::from_secs(120);

/// The tools that are there.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    clang: Option<String>,
    has_polly: bool,
    pluto: Option<PathBuf>,
    folder: PathBuf,
}

/// How a text is compiled.
struct Way<'a> {
    compiler: Compiler,
    /// What the text is, for the name of the program.
    kind: &'a str,
    flags: &'a [&'a str],
}

impl Tools {
    /// Looks for clang (one of that name, or one of the usual ones) and for Polly in it.
    pub(crate) fn find(clang: Option<String>, pluto: Option<PathBuf>, folder: PathBuf) -> Self {
        let usual = ["clang-19", "clang"].map(String::from);
        let mut names = clang.map_or(usual.to_vec(), |name| vec![name]).into_iter();
        let runs = |name: &String, flags: &[&str]| {
            let mut command = Command::new(name);
            command.args(flags).args(["-x", "c", "-c", "/dev/null", "-o", "/dev/null"]);
            command.stderr(Stdio::null()).status().is_ok_and(|status| status.success())
        };
        let clang = names.find(|name| runs(name, &[]));
        let has_polly = clang.as_ref().is_some_and(|name| runs(name, &["-mllvm", "-polly"]));
        let pluto = pluto.and_then(|path| path.canonicalize().ok());
        Tools { clang, has_polly, pluto, folder }
    }

    /// Everyone who can take part, peers first, with one and with `threads` threads.
    pub(crate) fn contestants(&self, threads: usize, tuned: bool) -> Vec<Contestant> {
        let counts = if threads > 1 { vec![1, threads] } else { vec![1] };
        let has_clang = self.clang.is_some();
        let mut all = vec![Contestant::Plain(Compiler::Gcc)];
        all.extend(has_clang.then_some(Contestant::Plain(Compiler::Clang)));
        all.extend(counts.iter().filter(|_| self.has_polly).map(|&n| Contestant::Polly(n)));
        let compilers: &[Compiler] =
            if has_clang { &[Compiler::Gcc, Compiler::Clang] } else { &[Compiler::Gcc] };
        for &compiler in compilers.iter().filter(|_| self.pluto.is_some()) {
            all.push(Contestant::Pluto(compiler, threads));
        }
        for &compiler in compilers {
            all.extend(counts.iter().map(|&n| Contestant::Ours(compiler, n)));
        }
        all.extend(tuned.then_some(Contestant::Tuned(threads)));
        all
    }

    /// The compilers in words.
    pub(crate) fn versions(&self) -> String {
        let version = |compiler: &str, flag: &str| {
            let output = Command::new(compiler).arg(flag).output().ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            Some(text.lines().next()?.trim().to_string())
        };
        let gcc = version("gcc", "-dumpfullversion").unwrap_or_default();
        let clang = self.clang.as_ref().and_then(|name| version(name, "-dumpversion"));
        let clang = clang.map_or(String::new(), |version| format!(", clang {version}"));
        format!("gcc {gcc}{clang}")
    }

    /// A contestant's program for a kernel, where `ours` is our text and `tuned` the tuned one.
    pub(crate) fn build(
        &self,
        contestant: Contestant,
        program: &Program,
        size: &str,
        ours: &Path,
        tuned: Option<&Path>,
    ) -> Result<PathBuf, String> {
        let way = |compiler, kind, flags| Way { compiler, kind, flags };
        let parallel: &[&str] = &["-fopenmp"];
        match contestant {
            Contestant::Plain(compiler) => {
                self.compiled(program, &program.source, size, way(compiler, "original", &[]))
            }
            Contestant::Polly(n) => {
                let one = ["-mllvm", "-polly"];
                let many = ["-mllvm", "-polly", "-mllvm", "-polly-parallel", "-fopenmp"];
                let flags: &[&str] = if n > 1 { &many } else { &one };
                let kind = format!("polly-{n}");
                self.compiled(program, &program.source, size, way(Compiler::Clang, &kind, flags))
            }
            Contestant::Pluto(compiler, _) => {
                let source = self.by_pluto(program, size)?;
                self.compiled(program, &source, size, way(compiler, "pluto", parallel))
            }
            Contestant::Ours(compiler, _) => {
                self.compiled(program, ours, size, way(compiler, "ours", parallel))
            }
            Contestant::Tuned(_) => {
                let tuned = tuned.ok_or("there is no tuned text")?;
                self.compiled(program, tuned, size, way(Compiler::Gcc, "tuned", parallel))
            }
        }
    }

    /// Compiles a text in place of the program's own.
    fn compiled(
        &self,
        program: &Program,
        source: &Path,
        size: &str,
        way: Way,
    ) -> Result<PathBuf, String> {
        let executable =
            self.folder.join(format!("{}.{}.{}", program.name, way.kind, way.compiler));
        let name = match way.compiler {
            Compiler::Gcc => "gcc",
            Compiler::Clang => self.clang.as_deref().ok_or("there is no clang")?,
        };
        let mut command = Command::new(name);
        command
            .args(["-O3", "-march=native", "-w"])
            .args(way.flags)
            .args(&program.flags)
            .args(preprocessing(program, size)?)
            .arg(source)
            .args(&program.extra_sources)
            .arg("-o")
            .arg(&executable)
            .arg("-lm");
        let output = command.output().map_err(|e| format!("cannot run {name}: {e}"))?;
        match output.status.success() {
            true => Ok(executable),
            false => Err(format!(
                "{name} refuses {}:\n{}",
                source.display(),
                String::from_utf8_lossy(&output.stderr)
            )),
        }
    }

    /// The program with Pluto's code in place of its region.
    fn by_pluto(&self, program: &Program, size: &str) -> Result<PathBuf, String> {
        let pluto = self.pluto.as_ref().ok_or("there is no Pluto")?;
        let input = self.folder.join(format!("{}.preprocessed.c", program.name));
        let result = self.folder.join(format!("{}.pluto-region.c", program.name));
        let text = Command::new("gcc")
            .args(["-E", "-P"])
            .args(preprocessing(program, size)?)
            .arg(&program.source)
            .output()
            .map_err(|e| format!("cannot run gcc: {e}"))?;
        std::fs::write(&input, text.stdout).map_err(|e| e.to_string())?;
        let _ = std::fs::remove_file(&result);
        let mut command = Command::new(pluto);
        command.args(["--tile", "--parallel"]).arg(&input).arg("-o").arg(&result);
        command.current_dir(&self.folder).stdout(Stdio::null()).stderr(Stdio::null());
        let ended = run_within(&mut command, LONGEST_TRANSFORMATION)
            .map_err(|e| format!("cannot run {}: {e}", pluto.display()))?;
        if !ended.is_some_and(|ended| ended.status.success()) {
            return Err("Pluto fails".to_string());
        }
        let region = std::fs::read_to_string(&result).map_err(|e| e.to_string())?;
        let source = std::fs::read_to_string(&program.source).map_err(|e| e.to_string())?;
        let replaced = with_region(&source, &region).ok_or("there is no region")?;
        let path = self.folder.join(format!("{}.pluto.c", program.name));
        std::fs::write(&path, replaced).map_err(|e| e.to_string())?;
        Ok(path)
    }
}

/// What Pluto's code uses.
const PLUTO_MACROS: &str = "\
#include <math.h>
#include <omp.h>
#define ceild(n, d) (((n) < 0) ? -((-(n)) / (d)) : ((n) + (d) - 1) / (d))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
#define max(x, y) ((x) > (y) ? (x) : (y))
#define min(x, y) ((x) < (y) ? (x) : (y))
";

/// A text with Pluto's code in place of its region.
fn with_region(source: &str, region: &str) -> Option<String> {
    let (before, rest) = source.split_once("#pragma scop")?;
    let (_, after) = rest.split_once("#pragma endscop")?;
    let lines = region.lines().filter(|line| !line.starts_with("#include"));
    let body: String = lines.map(|line| format!("{line}\n")).collect();
    Some(format!("{PLUTO_MACROS}{before}{{\n{body}}}\n{after}"))
}

/// The options of the preprocessor.
pub(crate) fn preprocessing(program: &Program, size: &str) -> Result<Vec<String>, String> {
    let folders = program.include_dirs.iter().map(|folder| format!("-I{}", folder.display()));
    let defines = program.defines(size)?.into_iter().map(|define| format!("-D{define}"));
    Ok(folders.chain(defines).collect())
}

/// Our options for a kernel.
pub(crate) fn options(program: &Program, size: &str) -> Result<CompileOptions, String> {
    let mut options = CompileOptions::new();
    options.front_end.include_dirs = program.include_dirs.clone();
    options.front_end.defines = program.defines(size)?;
    Ok(options)
}

/// Our text for a kernel.
pub(crate) struct Transformed {
    /// The least milliseconds of some compilations, after preprocessing.
    pub(crate) compile_ms: f64,
    /// Whether all claims are proved.
    pub(crate) is_proved: bool,
}

/// Our text, compiled `runs` times.
pub(crate) fn transformed(
    program: &Program,
    size: &str,
    runs: usize,
    path: &Path,
) -> Result<Transformed, String> {
    let options = options(program, size)?;
    let compile = || compile_file(&program.source, &options).map_err(|e| e.to_string());
    let own_ms = |compiled: &Compiled| compiled.report.timings.own().as_secs_f64() * 1000.0;
    let compiled = compile()?;
    let mut compile_ms = own_ms(&compiled);
    for _ in 1..runs {
        compile_ms = compile_ms.min(own_ms(&compile()?));
    }
    std::fs::write(path, &compiled.code).map_err(|e| e.to_string())?;
    let is_proved = compiled.report.regions.iter().all(is_proved);
    Ok(Transformed { compile_ms, is_proved })
}

/// Whether all claims about a region are proved.
pub(crate) fn is_proved(region: &RegionReport) -> bool {
    use loopwright_verify::Proof;
    !region.proofs.is_empty() && region.proofs.iter().all(|(_, proof)| *proof == Proof::Proved)
}

/// Our text with the choices that a search of some time finds, for gcc and `threads` threads. Results
/// are kept in `cache`.
pub(crate) fn tuned(
    program: &Program,
    size: &str,
    threads: usize,
    time_limit: Duration,
    cache: PathBuf,
    path: &Path,
) -> Result<(), String> {
    let mut environment = program.time.environment.clone();
    environment.push(("OMP_NUM_THREADS".to_string(), threads.to_string()));
    let mut compiler = ProgramOptions::standard().compiler;
    compiler.extend(program.flags.iter().cloned());
    let sources = program.extra_sources.clone();
    let options = TuneOptions {
        compile: options(program, size)?,
        program: ProgramOptions {
            compiler,
            sources,
            arguments: program.arguments(size),
            environment,
            timing: match program.time.from {
                TimeSource::Printed => Timing::Printed,
                TimeSource::Process => Timing::Process,
            },
            ..ProgramOptions::standard()
        },
        time_limit,
        cache: Some(cache),
        ..TuneOptions::standard()
    };
    let tuned = tune(&program.source, &options, &mut |_| {}).map_err(|e| e.to_string())?;
    eprint!("{}:\n{tuned}", program.name);
    std::fs::write(path, &tuned.compiled.code).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plutos_code_takes_the_place_of_the_region() {
        let source = "void f() {\n#pragma scop\n  x;\n#pragma endscop\n}\n";
        let replaced = with_region(source, "#include <math.h>\n  y;\n").unwrap();
        assert!(replaced.ends_with("void f() {\n{\n  y;\n}\n\n}\n"), "{replaced}");
        assert!(with_region("void f() {}", "").is_none());
    }
}
