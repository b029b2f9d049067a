//! The programs of a stencil: the plain one, ours, and one for each shape of tiles.
use super::kernel::Kernel;
use loopwright::{CompileOptions, compile_file};
use std::path::{Path, PathBuf};
use std::process::Command;

/// How a program is made: the name of its column, and options by name; none for the text as it is written.
pub(super) struct Version {
    pub(super) name: &'static str,
    pub(super) options: Option<&'static [(&'static str, &'static str)]>,
}

/// All columns, those of shapes by the names of `--tiling`.
pub(super) const VERSIONS: [Version; 11] = [
    Version { name: "plain", options: None },
    Version { name: "default", options: Some(&[]) },
    Version { name: "pipelined", options: Some(&[("tiling", "pipelined")]) },
    Version { name: "tube", options: Some(&[("tiling", "tube")]) },
    Version { name: "diamond", options: Some(&[("tiling", "diamond")]) },
    Version { name: "trapezoid", options: Some(&[("tiling", "trapezoid")]) },
    Version { name: "molecular", options: Some(&[("tiling", "molecular")]) },
    Version { name: "hexagonal", options: Some(&[("tiling", "hexagonal")]) },
    Version { name: "overlapped", options: Some(&[("tiling", "overlapped")]) },
    Version { name: "cache-oblivious", options: Some(&[("tiling", "cache-oblivious")]) },
    Version { name: "auto", options: Some(&[("tiling", "auto")]) },
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
}

impl Programs<'_> {
    fn path(&self, kernel: &Kernel, version: &Version, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{}{ending}", kernel.name, version.name))
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
        for ending in ["", ".refused", ".decided"] {
            let _ = std::fs::remove_file(self.path(kernel, version, ending));
        }
        let has_many_kinds = ["trapezoid", "molecular"].contains(&version.name);
        if has_many_kinds && kernel.dimensions > MOST_DIMENSIONS_OF_TRAPEZOIDS {
            let reason = "left out: its eight kinds of tiles are not proved within the limit, which takes minutes";
            return write(&self.path(kernel, version, ".refused"), reason);
        }
        let source = match version.options {
            None => kernel.source(),
            Some(options) => {
                let path = self.path(kernel, version, ".c");
                match transformed(kernel, options)? {
                    Ok((code, decided)) => {
                        write(&path, &code)?;
                        write(&self.path(kernel, version, ".decided"), &decided)?;
                    }
                    Err(reason) => {
                        return write(&self.path(kernel, version, ".refused"), &reason);
                    }
                }
                path
            }
        };
        let program = self.path(kernel, version, "");
        let mut command = Command::new(self.compiler);
        command.args(["-O3", "-march=native", "-ffp-contract=off", "-fopenmp", "-w"]);
        command.arg(format!("-I{}", Kernel::folder().display()));
        command.args(kernel.defines().iter().map(|define| format!("-D{define}")));
        command.arg(source).arg("-o").arg(program);
        compiled(&mut command)
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
    let (seconds, bits) = printed.trim().split_once(' ').ok_or("no seconds are printed")?;
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
