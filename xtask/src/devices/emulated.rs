//! Programs whose kernels run on the emulation.
use crate::compilers::{self, preprocessing};
use crate::programs::{Program, Stream};
use loopwright::{CompileOptions, compile_file};
use loopwright_testkit::cuda_text::emulated;
use loopwright_testkit::emulation::{self, Counts};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How long a program may run.
const LONGEST_RUN: Duration = Duration::from_secs(600);

/// A folder with the emulation's headers, in which programs are built.
pub(super) struct Emulation {
    folder: PathBuf,
}

/// What a program printed and did.
pub(super) struct Run {
    pub(super) printed: String,
    pub(super) counts: Counts,
}

/// What becomes of a program here.
pub(super) struct Ours {
    /// Milliseconds of transformation and proofs.
    pub(super) milliseconds: f64,
    pub(super) is_proved: bool,
    /// Why a region stays on the processor.
    pub(super) stays: Option<String>,
    /// The files with the rest of the program and with the kernels.
    pub(super) text: Option<(PathBuf, PathBuf)>,
    /// None if nothing runs on the device.
    pub(super) run: Option<Run>,
}

impl Ours {
    /// The files with kernels.
    pub(super) fn texts(&self) -> Vec<PathBuf> {
        self.text.iter().map(|(_, kernels)| kernels.clone()).collect()
    }
}

/// What became of a program elsewhere.
pub(super) struct Peer {
    pub(super) texts: Vec<PathBuf>,
    pub(super) run: Run,
}

impl Emulation {
    pub(super) fn new(folder: &Path) -> Result<Self, String> {
        let error = |e: std::io::Error| format!("{}: {e}", folder.display());
        std::fs::create_dir_all(folder).map_err(error)?;
        emulation::write_headers(folder).map_err(error)?;
        let folder = folder.canonicalize().map_err(error)?;
        Ok(Emulation { folder })
    }

    /// What a program prints as it is written.
    pub(super) fn original(&self, program: &Program, size: &str) -> Result<String, String> {
        let executable = self.path(program, ".original");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O1", "-ffp-contract=off", "-w"]).args(&program.flags);
        gcc.args(preprocessing(program, size)?).arg(&program.source).args(&program.extra_sources);
        succeed(gcc.arg("-lm").arg("-o").arg(&executable))?;
        Ok(self.run(program, size, &executable)?.printed)
    }

    /// The program with its regions on the device.
    pub(super) fn ours(
        &self,
        program: &Program,
        size: &str,
        options: &CompileOptions,
    ) -> Result<Ours, String> {
        let mut options = options.clone();
        options.front_end = compilers::options(program, size)?.front_end;
        let compiled = compile_file(&program.source, &options).map_err(|e| e.to_string())?;
        let report = &compiled.report;
        let notes = report.regions.iter().flat_map(|region| &region.notes);
        let stays = |note: &&String| note.starts_with("the region stays on the processor");
        let mut ours = Ours {
            milliseconds: report.timings.own().as_secs_f64() * 1000.0,
            is_proved: report.regions.iter().all(compilers::is_proved),
            stays: notes.into_iter().find(stays).cloned(),
            text: None,
            run: None,
        };
        let Some(kernels) = compiled.device_file() else { return Ok(ours) };
        let (host, cuda) = (self.path(program, ".ours.c"), self.path(program, ".ours.cu"));
        write(&host, &compiled.code)?;
        write(&cuda, &kernels.text)?;
        let object = self.path(program, ".ours.o");
        self.translate(&cuda, &object, &[])?;
        let executable = self.path(program, ".ours");
        let plain = self.path(program, ".host.o");
        let mut objects = vec![object, plain.clone()];
        succeed(self.gcc(program, size, &plain)?.arg(&host))?;
        for (position, source) in program.extra_sources.iter().enumerate() {
            let object = self.path(program, &format!(".{position}.o"));
            succeed(self.gcc(program, size, &object)?.arg(source))?;
            objects.push(object);
        }
        succeed(Command::new("g++").args(objects).arg("-o").arg(&executable).arg("-lm"))?;
        ours.run = Some(self.run(program, size, &executable)?);
        ours.text = Some((host, cuda));
        Ok(ours)
    }

    /// Another compiler's files `NAME_*.cu` and `NAME_*.hu` in a folder; none if there are none, and its
    /// failure where they cannot be built.
    pub(super) fn peer(
        &self,
        program: &Program,
        size: &str,
        place: &Path,
    ) -> Result<Option<Result<Peer, String>>, String> {
        let prefix = format!("{}_", program.name.trim_end_matches("-printing"));
        let entries = std::fs::read_dir(place).map_err(|e| format!("{}: {e}", place.display()))?;
        let is_own = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            name.starts_with(&prefix) && (name.ends_with(".cu") || name.ends_with(".hu"))
        };
        let mut files: Vec<PathBuf> = entries.flatten().map(|e| e.path()).filter(is_own).collect();
        files.sort();
        if files.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.built_peer(program, size, files)))
    }

    fn built_peer(
        &self,
        program: &Program,
        size: &str,
        files: Vec<PathBuf>,
    ) -> Result<Peer, String> {
        let is_header =
            |path: &PathBuf| path.extension().is_some_and(|extension| extension == "hu");
        let (headers, texts): (Vec<_>, Vec<_>) = files.into_iter().partition(is_header);
        for header in &headers {
            let text = std::fs::read_to_string(header).map_err(|e| e.to_string())?;
            let name = header.file_name().unwrap_or_default();
            write(&self.folder.join(name), &emulated(&text)?)?;
        }
        let flags = preprocessing(program, size)?;
        let mut objects = Vec::new();
        for (position, text) in texts.iter().chain(&program.extra_sources).enumerate() {
            let object = self.path(program, &format!(".peer{position}.o"));
            self.translate(text, &object, &flags)?;
            objects.push(object);
        }
        let executable = self.path(program, ".peer");
        succeed(Command::new("g++").args(&objects).arg("-o").arg(&executable).arg("-lm"))?;
        Ok(Peer { run: self.run(program, size, &executable)?, texts })
    }

    /// Compiles CUDA text for the emulation: with counted numbers if that is possible.
    fn translate(&self, text: &Path, object: &Path, flags: &[String]) -> Result<(), String> {
        let cuda = std::fs::read_to_string(text).map_err(|e| format!("{}: {e}", text.display()))?;
        let source = object.with_extension("cpp");
        write(&source, &emulated(&cuda).map_err(|e| format!("{}: {e}", text.display()))?)?;
        let attempt = |numbers: &[&str]| {
            let mut command = Command::new("g++");
            command.args(emulation::FLAGS).args(numbers).args(flags).arg("-w").arg("-I");
            command.arg(&self.folder).arg("-c").arg(&source).arg("-o").arg(object);
            succeed(&mut command)
        };
        attempt(&[]).or_else(|_| attempt(&["-DEMULATION_PLAIN"]))
    }

    fn gcc(&self, program: &Program, size: &str, object: &Path) -> Result<Command, String> {
        let mut gcc = Command::new("gcc");
        gcc.args(["-O1", "-ffp-contract=off", "-w", "-c", "-o"]).arg(object).args(&program.flags);
        gcc.args(preprocessing(program, size)?);
        Ok(gcc)
    }

    fn path(&self, program: &Program, ending: &str) -> PathBuf {
        self.folder.join(format!("{}{ending}", program.name))
    }

    fn run(&self, program: &Program, size: &str, executable: &Path) -> Result<Run, String> {
        let (printed, counts) =
            (executable.with_extension("printed"), executable.with_extension("counts"));
        let _ = std::fs::remove_file(&counts);
        let file = std::fs::File::create(&printed).map_err(|e| e.to_string())?;
        let mut command = Command::new(executable);
        command.args(program.arguments(size)).current_dir(&self.folder);
        command.envs(program.results.environment.iter().map(|(name, value)| (name, value)));
        command.env("EMULATION_COUNTS", &counts).stdout(std::process::Stdio::null());
        command.stderr(std::process::Stdio::null());
        match program.results.from {
            Stream::Stdout => command.stdout(file),
            Stream::Stderr => command.stderr(file),
        };
        let ended = loopwright::tune::run_within(&mut command, LONGEST_RUN)
            .map_err(|e| format!("{}: {e}", executable.display()))?;
        match ended {
            Some(ended) if ended.status.success() => {}
            Some(ended) => return Err(format!("{}: {}", executable.display(), ended.status)),
            None => return Err(format!("{}: it takes too long", executable.display())),
        }
        let text = std::fs::read(&printed).map_err(|e| e.to_string())?;
        Ok(Run {
            printed: String::from_utf8_lossy(&text).into_owned(),
            counts: Counts::parse(&std::fs::read_to_string(&counts).unwrap_or_default()),
        })
    }
}

/// Runs a compiler, whose messages are the error.
pub(super) fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|e| format!("cannot run {name}: {e}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{name}: {said}")) }
}

/// Writes a file, with its name in the error.
fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}
