//! The programs of a stencil: the plain one, ours, and one for each shape of tiles.
use super::kernel::Kernel;
use loopwright::tune::{Timing, TuneOptions, tune};
use loopwright::{CompileOptions, compile_file};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What all programs are compiled with.
const FLAGS: [&str; 3] = ["-O3", "-march=native", "-ffp-contract=off"];

/// Where the text of a program comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Text {
    /// The stencil as it is written, by this compiler, or the one that all others are compiled with.
    AsWritten(Option<&'static str>),
    /// Ours, with options by name.
    Ours(&'static [(&'static str, &'static str)]),
    /// Diamonds as Pluto makes them (`kernels/pluto`), of its default sizes, or of those of our tubes.
    Pluto(Sizes),
    /// What a search over shapes and sizes has found.
    Tuned,
}

/// Sizes of Pluto's diamonds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    /// 32 along all dimensions.
    Default,
    /// Those of our tubes, and rows of 256.
    OfTubes,
}

/// How a program is made, with the name of its column.
pub(super) struct Version {
    pub(super) name: &'static str,
    pub(super) text: Text,
}

impl Version {
    /// Whether it has one thread, whatever it is given.
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.text, Text::AsWritten(_))
    }

    /// Whether our compiler has made it.
    pub(super) fn is_ours(&self) -> bool {
        matches!(self.text, Text::Ours(_) | Text::Tuned)
    }

    /// Whether its tiles are of a shape that `--tiling` names.
    pub(super) fn is_shape(&self) -> bool {
        matches!(self.text, Text::Ours([(_, shape)]) if *shape != "auto")
    }
}

const fn shape(options: &'static [(&'static str, &'static str)]) -> Version {
    Version { name: options[0].1, text: Text::Ours(options) }
}

/// All columns, those of shapes by the names of `--tiling`.
pub(super) const VERSIONS: [Version; 15] = [
    Version { name: "plain", text: Text::AsWritten(None) },
    Version { name: "clang", text: Text::AsWritten(Some("clang")) },
    Version { name: "Pluto 32", text: Text::Pluto(Sizes::Default) },
    Version { name: "Pluto", text: Text::Pluto(Sizes::OfTubes) },
    Version { name: "default", text: Text::Ours(&[]) },
    shape(&[("tiling", "pipelined")]),
    shape(&[("tiling", "tube")]),
    shape(&[("tiling", "diamond")]),
    shape(&[("tiling", "trapezoid")]),
    shape(&[("tiling", "molecular")]),
    shape(&[("tiling", "hexagonal")]),
    shape(&[("tiling", "overlapped")]),
    shape(&[("tiling", "cache-oblivious")]),
    shape(&[("tiling", "auto")]),
    Version { name: "tuned", text: Text::Tuned },
];

/// Trapezoids and molecular tiles of more dimensions are left out.
const MOST_DIMENSIONS_OF_TRAPEZOIDS: i32 = 2;

/// A run: seconds, and all bits of the results.
pub(super) struct Outcome {
    pub(super) seconds: f64,
    pub(super) bits: String,
}

/// The programs in a folder.
pub(super) struct Programs<'a> {
    pub(super) folder: &'a Path,
    pub(super) compiler: &'a str,
    /// Seconds for the search of a stencil.
    pub(super) tune: u64,
}

impl Programs<'_> {
    fn path(&self, kernel: &Kernel, version: &Version, ending: &str) -> PathBuf {
        let name = version.name.replace(' ', "-");
        self.folder.join(format!("{}.{name}{ending}", kernel.name))
    }

    /// Where its least seconds are kept.
    pub(super) fn times(&self, kernel: &Kernel) -> PathBuf {
        self.folder.join(format!("{}.times", kernel.name))
    }

    /// The program, if it is there.
    pub(super) fn existing(&self, kernel: &Kernel, version: &Version) -> Option<PathBuf> {
        Some(self.path(kernel, version, "")).filter(|path| path.exists())
    }

    /// Why there is none.
    pub(super) fn reason(&self, kernel: &Kernel, version: &Version) -> Option<String> {
        std::fs::read_to_string(self.path(kernel, version, ".refused")).ok()
    }

    /// What was decided about its tiles.
    pub(super) fn decision(&self, kernel: &Kernel, version: &Version) -> Option<String> {
        std::fs::read_to_string(self.path(kernel, version, ".decided")).ok()
    }

    /// Compiles a version, unless it is refused.
    pub(super) fn build(&self, kernel: &Kernel, version: &Version) -> Result<(), String> {
        let _ = std::fs::remove_file(self.times(kernel));
        for ending in ["", ".refused", ".decided"] {
            let _ = std::fs::remove_file(self.path(kernel, version, ending));
        }
        let has_many_kinds = ["trapezoid", "molecular"].contains(&version.name);
        if has_many_kinds && kernel.dimensions > MOST_DIMENSIONS_OF_TRAPEZOIDS {
            let reason = "left out: its eight kinds of tiles are not proved within the limit, which takes minutes";
            return write(&self.path(kernel, version, ".refused"), reason);
        }
        let made = match version.text {
            Text::AsWritten(_) => None,
            Text::Pluto(_) if kernel.pluto().exists() => None,
            Text::Pluto(_) => return Ok(()),
            Text::Ours(options) => Some(transformed(kernel, options)?),
            Text::Tuned => Some(self.tuned(kernel)?),
        };
        let source = match made {
            None => kernel.source(),
            Some(Ok((code, decided))) => {
                let path = self.path(kernel, version, ".c");
                write(&path, &code)?;
                write(&self.path(kernel, version, ".decided"), &decided)?;
                path
            }
            Some(Err(reason)) => return write(&self.path(kernel, version, ".refused"), &reason),
        };
        let compiler = match version.text {
            Text::AsWritten(Some(compiler)) => compiler,
            _ => self.compiler,
        };
        let mut command = Command::new(compiler);
        command.args(FLAGS).arg("-w");
        if !version.is_plain() {
            command.arg("-fopenmp");
        }
        command.arg(format!("-I{}", Kernel::folder().display()));
        command.args(kernel.defines().iter().map(|define| format!("-D{define}")));
        if let Text::Pluto(sizes) = version.text {
            command.arg(format!("-DOTHER_KERNEL=\"{}\"", kernel.pluto().display()));
            command.args(kernel.pluto_sizes(sizes).map(|define| format!("-D{define}")));
        }
        command.arg(source).arg("-o").arg(self.path(kernel, version, ""));
        compiled(&mut command)
    }

    /// What `loopwright tune` finds on two threads, with the shape and the number of programs that it tried.
    fn tuned(&self, kernel: &Kernel) -> Result<Result<(String, String), String>, String> {
        let mut options = TuneOptions {
            runs: 2,
            time_limit: Duration::from_secs(self.tune),
            ..TuneOptions::standard()
        };
        options.compile.front_end.include_dirs = vec![Kernel::folder()];
        options.compile.front_end.defines = kernel.defines();
        options.program.compiler =
            [self.compiler].iter().chain(&FLAGS).map(|w| w.to_string()).collect();
        options.program.compiler.push("-fopenmp".to_string());
        options.program.arguments = kernel.sizes.map(|size| size.to_string()).to_vec();
        options.program.environment = vec![("OMP_NUM_THREADS".to_string(), "2".to_string())];
        options.program.timing = Timing::Printed;
        let found = tune(&kernel.source(), &options, &mut |_| {}).map_err(|e| e.to_string())?;
        write(&self.folder.join(format!("{}.search", kernel.name)), &found.to_string())?;
        let n = found.tried.len();
        let kept = found.tried.get(found.chosen).map_or("", |kept| &kept.label);
        Ok(Ok((found.compiled.code, format!("{kept}, of {n} programs"))))
    }

    /// Compiles the measurement of the memory's bandwidth.
    pub(super) fn build_stream(&self) -> Result<(), String> {
        let source = Kernel::folder().join("../stream.c");
        let mut command = Command::new(self.compiler);
        command.args(["-O3", "-march=native", "-fopenmp", "-w"]).arg(source);
        compiled(command.arg("-o").arg(self.folder.join("stream")))
    }

    /// Gigabytes in a second that so many threads read and write.
    pub(super) fn bandwidth(&self, threads: usize) -> Result<f64, String> {
        let printed = output(Command::new(self.folder.join("stream")), threads)?;
        let rate = printed.split_whitespace().next().and_then(|rate| rate.parse().ok());
        rate.ok_or("the bandwidth is not printed".to_string())
    }
}

/// One run of a program with these sizes.
pub(super) fn run(program: &Path, sizes: [i64; 3], threads: usize) -> Result<Outcome, String> {
    let mut command = Command::new(program);
    command.args(sizes.map(|size| size.to_string()));
    let printed = output(command, threads)?;
    let (bits, seconds) = printed.trim().split_once(' ').ok_or("no seconds are printed")?;
    let seconds = seconds.parse().map_err(|_| "no seconds are printed".to_string())?;
    Ok(Outcome { seconds, bits: bits.to_string() })
}

fn output(mut command: Command, threads: usize) -> Result<String, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    command.env("OMP_NUM_THREADS", threads.to_string());
    let output = command.output().map_err(|e| format!("cannot run {name}: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{name} fails: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

fn compiled(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("cannot run the compiler: {e}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// Our text and what was decided, or why there is none.
fn transformed(
    kernel: &Kernel,
    settings: &[(&str, &str)],
) -> Result<Result<(String, String), String>, String> {
    let mut options = CompileOptions::new();
    options.front_end.include_dirs = vec![Kernel::folder()];
    options.front_end.defines = kernel.defines();
    for (name, value) in settings {
        options.set(name, Some(value))?;
    }
    let compiled = compile_file(&kernel.source(), &options).map_err(|e| e.to_string())?;
    if let Some(refused) = compiled.refusals() {
        return Ok(Err(refused.to_string()));
    }
    let regions = &compiled.report.regions;
    let bands = regions.iter().flat_map(|region| &region.bands.bands);
    let tiles = bands.flat_map(|band| &band.decisions).map(ToString::to_string);
    let tiles: Vec<String> = tiles.filter(|text| text.contains("tile")).collect();
    let is_proved = |(_, proof): &(&str, loopwright_verify::Proof)| proof.is_proved();
    let proved = regions.iter().all(|region| region.proofs.iter().all(is_proved));
    let own = compiled.report.timings.own().as_secs_f64();
    let proved = if proved { "proved" } else { "not proved within the limit" };
    Ok(Ok((compiled.code, format!("{}; {proved}; compiled in {own:.1} s", tiles.join("; ")))))
}
