//! How a text becomes a program, and how the program is run.
use super::digest::Digest;
use super::process::run_within;
use loopwright_cfront::Options as FrontEnd;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// What the name of a file with kernels in CUDA ends with, beside that of the code.
pub(super) const KERNELS: &str = "cu";

/// How long the C compiler may take.
const LONGEST_BUILD: Duration = Duration::from_secs(120);

/// Where the time of a program comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// The whole process, from start to end.
    Process,
    /// The last word that the program writes to its standard output, a number of seconds.
    Printed,
}

/// The program that is tuned, apart from the file with the regions.
#[derive(Clone, Debug)]
pub struct ProgramOptions {
    /// The C compiler and its flags.
    pub compiler: Vec<String>,
    /// The compiler of kernels in CUDA and its flags.
    pub nvcc: Vec<String>,
    /// Other files of C, and object files.
    pub sources: Vec<PathBuf>,
    /// Flags after the files, such as `-lm`.
    pub libraries: Vec<String>,
    /// What the program is called with.
    pub arguments: Vec<String>,
    /// Variables of the environment that it gets beside those that are there.
    pub environment: Vec<(String, String)>,
    /// Where its time comes from.
    pub timing: Timing,
}

impl ProgramOptions {
    /// `gcc -O3 -march=native -fopenmp` and `nvcc -O3 -fmad=false`, with the mathematical library, and times
    /// of whole processes.
    pub fn standard() -> Self {
        let compiler = ["gcc", "-O3", "-march=native", "-fopenmp"].map(String::from).to_vec();
        ProgramOptions {
            compiler,
            nvcc: ["nvcc", "-O3", "-fmad=false"].map(String::from).to_vec(),
            sources: Vec::new(),
            libraries: vec!["-lm".to_string()],
            arguments: Vec::new(),
            environment: Vec::new(),
            timing: Timing::Process,
        }
    }

    /// The compiler with its flags and those of the preprocessor; `folder` is where the file with the
    /// regions lies, whose text may be somewhere else.
    pub(super) fn compile_command(
        &self,
        front_end: &FrontEnd,
        folder: &Path,
    ) -> Result<Command, String> {
        let [name, flags @ ..] = self.compiler.as_slice() else {
            return Err("no C compiler is named".to_string());
        };
        let mut command = Command::new(name);
        command.args(flags).arg("-w").arg("-iquote").arg(folder);
        command.args(front_end.preprocessor_words());
        command.stdin(Stdio::null());
        Ok(command)
    }

    /// Compiles and links `text` to `executable`.
    pub(super) fn build(
        &self,
        text: &Path,
        front_end: &FrontEnd,
        folder: &Path,
        executable: &Path,
    ) -> Result<(), String> {
        let kernels = text.with_extension(KERNELS);
        if kernels.exists() {
            return self.build_with_kernels((text, &kernels), front_end, folder, executable);
        }
        let mut command = self.compile_command(front_end, folder)?;
        command.arg(text).args(&self.sources).arg("-o").arg(executable).args(&self.libraries);
        run_compiler(&mut command, "the C compiler", &executable.with_extension("messages"))
    }

    /// A digest of all that the run time depends on: the preprocessed texts, the compiler with its
    /// version and flags, the arguments, the machine. None if something cannot be found out.
    pub(super) fn key(
        &self,
        text: &Path,
        front_end: &FrontEnd,
        folder: &Path,
        machine: &str,
    ) -> Option<Digest> {
        let version = Command::new(self.compiler.first()?).arg("--version").output().ok()?;
        let mut key = Digest::EMPTY.text(&String::from_utf8_lossy(&version.stdout)).text(machine);
        let variables = std::env::vars().filter(|(name, _)| name.starts_with("OMP_"));
        let mut variables: Vec<(String, String)> = variables.collect();
        variables.extend(self.environment.iter().cloned());
        for (name, value) in &variables {
            key = key.text(name).text(value);
        }
        let kernels = text.with_extension(KERNELS);
        if kernels.exists() {
            key = key.text(&self.nvcc_version().ok()?);
            key = self.nvcc.iter().fold(key, |key, word| key.text(word)).text("");
            key = key.text(&Digest::of(&std::fs::read(kernels).ok()?).hex());
        }
        for list in [&self.compiler, &self.libraries, &self.arguments] {
            key = list.iter().fold(key, |key, word| key.text(word)).text("");
        }
        key = key.text(&format!("{:?}", self.timing));
        for source in [text].into_iter().chain(self.sources.iter().map(PathBuf::as_path)) {
            key = match source.extension().is_some_and(|extension| extension == "c") {
                true => {
                    let mut command = self.compile_command(front_end, folder).ok()?;
                    let output = command.args(["-E", "-P"]).arg(source).output().ok()?;
                    output.status.success().then_some(())?;
                    key.text(&Digest::of(&output.stdout).hex())
                }
                false => key.text(&Digest::of(&std::fs::read(source).ok()?).hex()),
            };
        }
        Some(key)
    }

    /// Runs the program once; none if it had to be stopped.
    pub(super) fn run(&self, executable: &Path, limit: Duration) -> Result<Option<Run>, String> {
        self.run_in(executable, limit, &[])
    }

    /// The same with further variables in its environment.
    pub(super) fn run_in(
        &self,
        executable: &Path,
        limit: Duration,
        environment: &[(String, String)],
    ) -> Result<Option<Run>, String> {
        let cannot = |e: std::io::Error| format!("cannot run the program: {e}");
        let (out, err) = (executable.with_extension("out"), executable.with_extension("err"));
        let mut command = Command::new(executable);
        command.args(&self.arguments).envs(self.environment.iter().chain(environment).cloned());
        command.stdin(Stdio::null());
        command.stdout(File::create(&out).map_err(cannot)?);
        command.stderr(File::create(&err).map_err(cannot)?);
        let Some(ended) = run_within(&mut command, limit).map_err(cannot)? else {
            return Ok(None);
        };
        let Some(status) = ended.status.code() else {
            return Err(format!("the program fails: {}", ended.status));
        };
        let written = std::fs::read(&out).map_err(cannot)?;
        let errors = std::fs::read(&err).map_err(cannot)?;
        let elapsed = ended.elapsed.as_secs_f64();
        let (seconds, compared) = match self.timing {
            Timing::Process => (elapsed, written.as_slice()),
            Timing::Printed => printed_seconds(&written)
                .ok_or("the program does not print its time as the last word of its output")?,
        };
        Ok(Some(Run {
            seconds,
            elapsed,
            status,
            output: Digest::of(compared),
            errors: Digest::of(&errors),
        }))
    }
}

/// Runs a compiler, whose messages go to a file.
///
/// # Errors
/// In words, if it cannot be run, refuses the text, or takes too long.
pub(super) fn run_compiler(
    command: &mut Command,
    who: &str,
    messages: &Path,
) -> Result<(), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let cannot = |e: std::io::Error| format!("cannot run {program}: {e}");
    command.stdout(Stdio::null()).stderr(File::create(messages).map_err(cannot)?);
    match run_within(command, LONGEST_BUILD).map_err(cannot)? {
        Some(ended) if ended.status.success() => Ok(()),
        Some(_) => {
            let text = std::fs::read(messages).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let lines: Vec<&str> = text.lines().take(10).collect();
            Err(format!("{who} refuses it: {}", lines.join("\n")))
        }
        None => Err(format!("{who} takes too long")),
    }
}

/// The number at the end of an output, and what comes before it.
fn printed_seconds(written: &[u8]) -> Option<(f64, &[u8])> {
    let trimmed = written.trim_ascii_end();
    let start = trimmed.iter().rposition(u8::is_ascii_whitespace).map_or(0, |at| at + 1);
    let seconds: f64 = std::str::from_utf8(&trimmed[start..]).ok()?.parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then_some((seconds, &trimmed[..start]))
}

/// What one run of a program has shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Run {
    /// The time that counts.
    pub(super) seconds: f64,
    /// The time of the process.
    pub(super) elapsed: f64,
    /// The exit status, -1 after a signal.
    pub(super) status: i32,
    /// The standard output without the time.
    pub(super) output: Digest,
    /// The standard error.
    pub(super) errors: Digest,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_is_the_time() {
        let rest = |text: &'static str| printed_seconds(text.as_bytes());
        assert_eq!(rest("0.25\n"), Some((0.25, "".as_bytes())));
        assert_eq!(rest("sum 17\n1e-3 \n"), Some((1e-3, "sum 17\n".as_bytes())));
        for none in ["", "\n", "done", "time: 3s", "nan", "-1", "inf"] {
            assert_eq!(rest(none), None, "{none}");
        }
    }
}
