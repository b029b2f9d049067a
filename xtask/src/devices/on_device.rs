//! Times on a GPU, where there is one.
use super::emulated::succeed;
use super::registers::Compiler;
use crate::compilers::preprocessing;
use crate::programs::{Program, TimeSource};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs of a program, of which the median counts.
const RUNS: usize = 5;

/// Whether there is a GPU.
fn is_there() -> bool {
    let mut command = Command::new("nvidia-smi");
    command.arg("-L").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The median seconds of a program whose files for the processor and for the device are given; none without a
/// GPU.
pub(super) fn on_device(
    compiler: &Compiler,
    program: &Program,
    size: &str,
    (host, kernels): &(PathBuf, PathBuf),
) -> Result<Option<f64>, String> {
    if !is_there() {
        return Ok(None);
    }
    let flags = preprocessing(program, size)?;
    let mut objects = vec![kernels.with_extension("gpu.o")];
    let mut nvcc = compiler.command();
    nvcc.args(["-O3", "-fmad=false", "-arch=native", "-c"]).arg(kernels).arg("-o").arg(&objects[0]);
    succeed(&mut nvcc)?;
    for (position, source) in [host].into_iter().chain(&program.extra_sources).enumerate() {
        let object = kernels.with_extension(format!("gpu{position}.o"));
        let mut gcc = Command::new("gcc");
        gcc.args(["-O3", "-w", "-c"]).args(&program.flags).args(&flags).arg(source);
        succeed(gcc.arg("-o").arg(&object))?;
        objects.push(object);
    }
    let executable = kernels.with_extension("gpu");
    succeed(compiler.command().args(&objects).arg("-o").arg(&executable).arg("-lm"))?;
    let run = || {
        let mut command = Command::new(&executable);
        command.args(program.arguments(size)).stderr(Stdio::null());
        command.envs(program.time.environment.iter().map(|(name, value)| (name, value)));
        let start = Instant::now();
        let output = command.output().map_err(|e| e.to_string())?;
        let whole = start.elapsed().as_secs_f64();
        let text = String::from_utf8_lossy(&output.stdout);
        match program.time.from {
            TimeSource::Process => Ok(whole),
            TimeSource::Printed => text
                .split_whitespace()
                .last()
                .and_then(|word| word.parse::<f64>().ok())
                .ok_or(format!("{} prints no seconds", program.name)),
        }
    };
    let mut seconds = (0..RUNS).map(|_| run()).collect::<Result<Vec<f64>, String>>()?;
    seconds.sort_by(f64::total_cmp);
    Ok(Some(seconds[RUNS / 2]))
}
