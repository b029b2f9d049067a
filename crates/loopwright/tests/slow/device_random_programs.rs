//! Random programs with their regions on a device: CUDA on the emulation that counts, which finds races and
//! values that are not there, and OpenCL on the platform that is installed. They print what the interpreter
//! says.
//!
//! What stays on the processor is compiled without optimisation: at `-O1` gcc 12 gives
//! `a[i] += a[2 * i - 4]`, for falling i, other results (program 7 of the batch from 340 on).
//!
//! `LOOPWRIGHT_RANDOM_PROGRAMS=1000` runs more of them, `LOOPWRIGHT_RANDOM_FIRST=500` starts with another
//! seed, and `LOOPWRIGHT_RANDOM_HOST=-O1` compiles what stays on the processor with optimisation.
use crate::own_programs_on_devices::FLAGS;
use crate::support::{headers, needs, scratch};
use loopwright::{CompileOptions, DeviceOptions, compile_file};
use loopwright_backend::device::Language;
use loopwright_testkit::cases::{number, seed};
use loopwright_testkit::cuda_text::emulated;
use loopwright_testkit::emulation::Counts;
use loopwright_testkit::{Choices, Program, interpret, print_c, random_program};
use std::path::Path;
use std::process::Command;

/// How many programs are run unless the environment says otherwise.
const N_PROGRAMS: u64 = 40;

/// How many of them have updates in any order as well.
const N_REASSOCIATED: u64 = 20;

/// Programs in one file.
const BATCH: u64 = 20;

/// How what stays on the processor is compiled.
fn host_flags() -> String {
    std::env::var("LOOPWRIGHT_RANDOM_HOST").unwrap_or_else(|_| "-O0".to_string())
}

/// What a command prints, or what it says when it fails.
fn shell(folder: &Path, command: &str) -> Result<String, String> {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder).output();
    let output = output.map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr);
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{command}: {said}")),
    }
}

/// The batch of programs from a seed on, compiled for a language, with how many kernels there are.
fn compiled(
    first: u64,
    n: u64,
    (language, reassociate): (Language, bool),
) -> (std::path::PathBuf, String, usize) {
    let draw = |seed| random_program(&mut Choices::from_seed(seed));
    let programs: Vec<Program> = (first..first + n).map(draw).collect();
    let folder = scratch("device_random").join(format!("{}{first}{reassociate}", language.name()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("random.c");
    std::fs::write(&source, print_c::complete_file(&programs)).unwrap();
    let devices = DeviceOptions { always: true, ..DeviceOptions::default() };
    let device = Some(language);
    let options = CompileOptions { device, devices, reassociate, ..CompileOptions::new() };
    let compiled = compile_file(&source, &options).expect("it compiles");
    let kernels = compiled.device_file().map_or(String::new(), |file| file.text.clone());
    std::fs::write(folder.join("code.c"), &compiled.code).unwrap();
    let n_kernels = kernels.matches(match language {
        Language::Cuda => "__global__",
        Language::OpenCl => "__kernel void",
    });
    let n_kernels = n_kernels.count();
    std::fs::write(folder.join("kernels"), kernels).unwrap();
    let section = |(number, program)| format!("program {number}\n{}", interpret(program));
    (folder, programs.iter().enumerate().map(section).collect(), n_kernels)
}

/// Runs all batches; `build` makes `./code` of `code.c` and `kernels` in a folder.
fn all_batches(way: (Language, bool), run: impl Fn(&Path) -> Result<String, String>) {
    let first = number("LOOPWRIGHT_RANDOM_FIRST").unwrap_or_else(|| seed(0));
    let n = if way.1 { N_REASSOCIATED } else { N_PROGRAMS };
    let end = first + number("LOOPWRIGHT_RANDOM_PROGRAMS").unwrap_or(n);
    let mut faults = Vec::new();
    let mut n_kernels = 0;
    for start in (first..end).step_by(BATCH as usize) {
        let (folder, expected, n) = compiled(start, BATCH.min(end - start), way);
        n_kernels += n;
        match run(&folder) {
            Ok(printed) if printed == expected => {}
            Ok(_) => faults.push(format!("{}: other results", folder.display())),
            Err(message) => faults.push(format!("{}: {message}", folder.display())),
        }
    }
    println!("{n_kernels} kernels");
    assert!(n_kernels as u64 > (end - first) / 4, "{n_kernels} kernels");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn cuda_prints_what_the_interpreter_says() {
    cuda_prints_it(false);
}

/// Their values are integers, so that no order rounds.
#[test]
fn cuda_prints_what_the_interpreter_says_with_updates_in_any_order() {
    cuda_prints_it(true);
}

fn cuda_prints_it(reassociate: bool) {
    if !needs::is_there("g++") {
        return;
    }
    all_batches((Language::Cuda, reassociate), |folder| {
        let text = std::fs::read_to_string(folder.join("kernels")).map_err(|e| e.to_string())?;
        std::fs::write(folder.join("kernels.cpp"), emulated(&text)?).map_err(|e| e.to_string())?;
        let host = host_flags();
        let include = headers::of_counting(FLAGS);
        let include = include.display();
        shell(
            folder,
            &format!(
                "g++ {FLAGS} -w -I{include} -c kernels.cpp && gcc {host} -w -c code.c && g++ code.o kernels.o -o code"
            ),
        )?;
        let printed = shell(folder, "EMULATION_COUNTS=counts ./code")?;
        let counts = std::fs::read_to_string(folder.join("counts")).map_err(|e| e.to_string())?;
        let findings = Counts::parse(&counts).findings();
        if findings.is_empty() { Ok(printed) } else { Err(format!("{findings:?}")) }
    });
}

#[test]
fn opencl_prints_what_the_interpreter_says() {
    if !headers::has_opencl() {
        return;
    }
    all_batches((Language::OpenCl, false), |folder| {
        let host = host_flags();
        let build = format!("gcc {host} -w kernels.c code.c -o code -lOpenCL -lm");
        shell(folder, &format!("cp kernels kernels.c && {build} && ./code"))
    });
}
