//! Programs of two files: C, and kernels in CUDA, which have a compiler of their own that also links.
use super::program::{ProgramOptions, run_compiler};
use loopwright_cfront::Options as FrontEnd;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

impl ProgramOptions {
    /// What the compiler of kernels says about itself.
    ///
    /// # Errors
    /// In words, if it cannot be run.
    pub(super) fn nvcc_version(&self) -> Result<String, String> {
        let name = self.nvcc.first().map_or("nvcc", |name| name);
        let mut command = self.nvcc_command();
        let output = command.arg("--version").stdin(Stdio::null()).output();
        let output = output.map_err(|e| {
            format!(
                "cannot run {name}, which compiles kernels of CUDA: {e} (--nvcc names another one)"
            )
        })?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => {
                Err(format!("{name}, which compiles kernels of CUDA, fails: {}", output.status))
            }
        }
    }

    fn nvcc_command(&self) -> Command {
        let mut words = self.nvcc.iter();
        let mut command = Command::new(words.next().map_or("nvcc", |name| name));
        command.args(words).stdin(Stdio::null());
        command
    }

    /// Compiles a text and its kernels, and links them to `executable`.
    pub(super) fn build_with_kernels(
        &self,
        (text, kernels): (&Path, &Path),
        front_end: &FrontEnd,
        folder: &Path,
        executable: &Path,
    ) -> Result<(), String> {
        let messages = executable.with_extension("messages");
        let mut objects = Vec::new();
        let sources = self.sources.iter().map(PathBuf::as_path);
        for (position, source) in [text].into_iter().chain(sources).enumerate() {
            if source.extension().is_none_or(|extension| extension != "c") {
                objects.push(source.to_path_buf());
                continue;
            }
            let object = executable.with_extension(format!("{position}.o"));
            let mut command = self.compile_command(front_end, folder)?;
            command.arg("-c").arg(source).arg("-o").arg(&object);
            run_compiler(&mut command, "the C compiler", &messages)?;
            objects.push(object);
        }
        let object = executable.with_extension("kernels.o");
        let mut command = self.nvcc_command();
        command.arg("-c").arg(kernels).arg("-o").arg(&object);
        run_compiler(&mut command, "the compiler of kernels", &messages)?;
        let mut command = self.nvcc_command();
        command.args(&objects).arg(&object).arg("-o").arg(executable);
        // Flags of the C compiler such as -fopenmp are needed for linking as well.
        let flags = self.compiler.iter().skip(1).filter(|flag| flag.starts_with("-f"));
        let is_own = |flag: &&String| {
            !flag.starts_with('-') || flag.starts_with("-l") || flag.starts_with("-L")
        };
        let (own, others): (Vec<&String>, Vec<&String>) = self.libraries.iter().partition(is_own);
        for flag in flags.chain(others) {
            command.arg("-Xcompiler").arg(flag);
        }
        command.args(own);
        run_compiler(&mut command, "the compiler of kernels", &messages)
    }
}
