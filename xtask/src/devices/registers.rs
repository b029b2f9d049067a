//! What NVIDIA's compiler makes of kernels: registers, spills, shared memory, and how many threads fit a
//! multiprocessor then.
use loopwright_device::{BlockNeeds, Occupancy};
use loopwright_machine::{DescribedDevice, Device};
use loopwright_testkit::emulation::Counts;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The devices that are compiled for.
const ARCHITECTURE: &str = "sm_90";

/// `nvcc`, as it is called.
pub(super) struct Compiler {
    path: PathBuf,
    /// Folders with headers that it does not find by itself.
    includes: Vec<PathBuf>,
    device: Device,
}

/// One kernel as it is compiled.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Kernel {
    pub(super) name: String,
    pub(super) registers: u64,
    pub(super) spilled_bytes: u64,
    pub(super) shared_bytes: u64,
    /// The part of a multiprocessor's threads that run at the same time.
    pub(super) occupancy: f64,
}

impl Compiler {
    /// Finds out whether the compiler runs.
    pub(super) fn new(path: &Path, includes: &[PathBuf]) -> Result<Self, String> {
        let output = Command::new(path).arg("--version").output();
        let output = output.map_err(|e| format!("cannot run {}: {e}", path.display()))?;
        match output.status.success() {
            true => Ok(Compiler {
                path: path.to_path_buf(),
                includes: includes.to_vec(),
                device: hopper()?,
            }),
            false => Err(format!("{}: {}", path.display(), output.status)),
        }
    }

    /// A command that compiles or links.
    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        for folder in &self.includes {
            command.arg("-I").arg(folder);
        }
        command
    }

    /// The kernels of some texts that were launched.
    pub(super) fn kernels(
        &self,
        texts: &[PathBuf],
        counts: &Counts,
    ) -> Result<Vec<Kernel>, String> {
        let mut all = Vec::new();
        for text in texts {
            let content = std::fs::read_to_string(text).map_err(|e| e.to_string())?;
            if content.contains("__global__") {
                all.extend(self.compiled(text, counts)?);
            }
        }
        Ok(all)
    }

    fn compiled(&self, text: &Path, counts: &Counts) -> Result<Vec<Kernel>, String> {
        let mut command = self.command();
        command.args(["-O3", "-fmad=false", "-cubin", "-o", "/dev/null", "-Xptxas", "-v"]);
        command.arg(format!("-arch={ARCHITECTURE}")).arg(text);
        let output = command.output().map_err(|e| format!("cannot run nvcc: {e}"))?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() {
            return Err(format!("nvcc: {said}"));
        }
        Ok(kernels(&said, counts, &self.device))
    }
}

/// The kernels that the assembler's messages tell of, without those that were not launched.
fn kernels(said: &str, counts: &Counts, device: &Device) -> Vec<Kernel> {
    let mut all: Vec<Kernel> = Vec::new();
    for line in said.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let mangled = rest.split('\'').next().unwrap_or_default();
            let name = plain_name(mangled).to_string();
            let kernel =
                Kernel { name, registers: 0, spilled_bytes: 0, shared_bytes: 0, occupancy: 0.0 };
            all.push(kernel);
        }
        let Some(kernel) = all.last_mut() else { continue };
        let before = |unit: &str| number_before(line, unit);
        if let Some(bytes) = before(" bytes spill stores") {
            kernel.spilled_bytes = bytes + before(" bytes spill loads").unwrap_or(0);
        }
        if let Some(registers) = before(" registers") {
            kernel.registers = registers;
            kernel.shared_bytes = before(" bytes smem").unwrap_or(0);
        }
    }
    all.retain_mut(|kernel| {
        let threads = counts.get(&format!("{}.block_threads", kernel.name));
        let (registers, shared_bytes) = (kernel.registers, kernel.shared_bytes);
        let found = Occupancy::of(&BlockNeeds { threads, registers, shared_bytes }, device);
        kernel.occupancy = found.threads as f64 / found.of_threads as f64;
        threads > 0
    });
    all
}

/// The name of a function from its name for the linker: `_Z3foo...` is `foo`.
fn plain_name(mangled: &str) -> &str {
    let Some(rest) = mangled.strip_prefix("_Z") else { return mangled };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length: usize = rest[..digits].parse().unwrap_or(0);
    rest.get(digits..digits + length).unwrap_or(mangled)
}

fn number_before(line: &str, unit: &str) -> Option<u64> {
    let (before, _) = line.split_once(unit)?;
    before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// The device that is compiled for.
fn hopper() -> Result<Device, String> {
    let described = DescribedDevice::named("hopper").ok_or("there is no description of Hopper")?;
    Ok(described.device)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_assemblers_messages_are_read() {
        let said = "\
ptxas info    : Compiling entry function '_Z7kernel0PdS_i' for 'sm_90'
ptxas info    : Function properties for _Z7kernel0PdS_i
    0 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 16384 bytes smem
ptxas info    : Compiling entry function 'other' for 'sm_90'
ptxas info    : Used 32 registers, 360 bytes cmem[0]
";
        let counts = Counts::parse("kernel0.block_threads 256\n");
        let found = kernels(said, &counts, &hopper().unwrap());
        assert_eq!(found.len(), 1);
        let kernel = &found[0];
        assert_eq!((kernel.name.as_str(), kernel.registers), ("kernel0", 128));
        assert_eq!((kernel.spilled_bytes, kernel.shared_bytes), (20, 16384));
        // 2 blocks of 256 threads with 128 of 65536 registers each.
        assert!((kernel.occupancy - 0.25).abs() < 1e-9);
    }
}
