//! The programs of this repository with their regions on devices: CUDA on the emulation that counts, which
//! finds races and values that are not there, and OpenCL on the platform that is installed. They print what
//! they printed before. What stays on the processor does so for a reason that has a name here.
use crate::support::{headers, needs, scratch};
use loopwright::{CompileOptions, Compiled, DeviceOptions, RegionReport, compile_file};
use loopwright_backend::device::Language;
use loopwright_testkit::cuda_text::emulated;
use loopwright_testkit::emulation::Counts;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

/// Folders of programs (those of `tests/time_space` have too much to do for emulations).
const FOLDERS: [&str; 6] = [
    "tests/programs",
    "tests/data_programs",
    "tests/devices",
    "tests/kernels",
    "tests/networks",
    "tests/regressions",
];

/// Asks for all programs in both languages, which takes some minutes.
const ALL: &str = "LOOPWRIGHT_ALL_PROGRAMS";

/// How the text of kernels is compiled for the emulation: its headers are compiled once, and programs are
/// small.
const FLAGS: &str = "-std=c++17 -O0 -fno-thread-jumps -ffp-contract=off -fpermissive";

/// Why regions stay on the processor: a part of the note, and what kind of a reason that is.
const REASONS: [(&str, &str); 16] = [
    ("no loop has independent iterations", "no independent loop"),
    ("calls a function", "calls of functions that use memory"),
    ("takes pointers of another type", "calls of functions that use memory"),
    ("is given a pointer", "calls of functions that use memory"),
    ("have the type", "types of elements"),
    ("has no `long double`", "types of elements"),
    ("is reached in several ways", "members that are reached in several ways"),
    ("kernels do not have", "words that kernels do not have"),
    ("it uses members of structures", "whole structures"),
    ("it uses addresses", "addresses"),
    ("loops or declarations of its own", "loops and variables of statements"),
    ("are not bounded", "elements without bounds"),
    ("the extents of", "extents that are not known"),
    ("is not where", "pointers that move"),
    ("no schedule was found", "no schedule within the limits"),
    ("it is not proved", "a proof is missing"),
];

/// What a region says that is called with a size for which 32 bits are too short: it runs on the processor
/// then.
const TOO_LARGE: &str = "subscripts of 32 bits are too short";

/// What of the text is not read: threads of loops with steps.
const NOT_READ: &str = "the first value of a block or thread";

/// A program that gives a null pointer to a region, which then runs on the processor.
const WITH_NULL: &str = "constants_in_memory";

/// What a command prints, with its messages; what it says when it fails.
fn shell(folder: &Path, command: &str) -> Result<(Vec<u8>, String), String> {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder).output();
    let output = output.map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match output.status.success() {
        true => Ok((output.stdout, said)),
        false => Err(format!("{command}: {} {said}", output.status)),
    }
}

/// All C files of the folders that are programs.
fn programs() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let entries = std::fs::read_dir(&folder).unwrap().flatten().map(|entry| entry.path());
        let is_program = |path: &PathBuf| {
            path.extension().is_some_and(|extension| extension == "c")
                && std::fs::read_to_string(path).is_ok_and(|text| text.contains("main("))
        };
        found.extend(entries.filter(is_program));
    }
    found.sort();
    found
}

/// How many regions run on the device, and how many stay where they are, by kind of the reason.
#[derive(Default)]
struct Tally {
    programs: usize,
    kernels: usize,
    on_device: usize,
    stay: BTreeMap<&'static str, usize>,
}

impl Tally {
    fn count(&mut self, region: &RegionReport) -> Result<(), String> {
        if let Some((claim, proof)) = region.proofs.iter().find(|(_, proof)| !proof.is_proved()) {
            return Err(format!("it is not proved that {claim}: {proof:?}"));
        }
        let reason = region
            .notes
            .iter()
            .find_map(|note| note.strip_prefix("the region stays on the processor: "));
        let Some(reason) = reason else {
            self.on_device += 1;
            let unread = region.only_tested.iter().map(|part| format!("{part:?}"));
            let mut unread = unread.filter(|part| !part.contains(NOT_READ));
            return unread.next().map_or(Ok(()), |part| Err(format!("not read: {part}")));
        };
        let kind = REASONS.iter().find(|(part, _)| reason.contains(part));
        let (_, kind) = kind.ok_or_else(|| format!("a reason without a name: {reason}"))?;
        *self.stay.entry(kind).or_default() += 1;
        Ok(())
    }
}

/// A program for a language in a folder of its own, if it has regions that can be read.
fn compiled(source: &Path, folder: &Path, language: Language) -> Result<Compiled, String> {
    let devices = DeviceOptions { always: true, ..DeviceOptions::default() };
    let options = CompileOptions { device: Some(language), devices, ..CompileOptions::new() };
    let compiled = compile_file(source, &options).map_err(|failure| format!("{failure:?}"))?;
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    std::fs::write(folder.join("code.c"), &compiled.code).map_err(|e| e.to_string())?;
    Ok(compiled)
}

/// One program: it prints what it did, and its regions are counted.
fn check(
    source: &Path,
    language: Language,
    run: &Run<'_>,
    tally: &Mutex<Tally>,
) -> Result<(), String> {
    let (stem, around) = (source.file_stem().unwrap(), source.parent().unwrap());
    let name = format!("{}-{}", around.file_name().unwrap().display(), stem.display());
    let folder = scratch("own_programs").join(format!("{name}-{}", language.name()));
    // What cannot be read is another test's part: `tests/programs/verdicts.txt`.
    let Ok(compiled) = compiled(source, &folder, language) else { return Ok(()) };
    for region in &compiled.report.regions {
        tally.lock().unwrap().count(region)?;
    }
    let Some(kernels) = compiled.device_file() else { return Ok(()) };
    let (programs, include) = (source.display(), around.display());
    let plain =
        format!("gcc -O1 -w -ffp-contract=off -I{include} {programs} -o plain -lm && ./plain");
    let (expected, _) = shell(&folder, &plain)?;
    let (printed, said) = run(&folder, &kernels.text, &format!("-I{include}"))?;
    if printed != expected {
        return Err(format!("other results; {said}"));
    }
    let is_unexpected = said.lines().any(|line| !line.contains(TOO_LARGE));
    if is_unexpected && stem != WITH_NULL {
        return Err(format!("it says {said}"));
    }
    let mut tally = tally.lock().unwrap();
    tally.programs += 1;
    tally.kernels += kernels.text.matches("__global__").count();
    tally.kernels += kernels.text.matches("__kernel void").count();
    Ok(())
}

/// Builds and runs `code.c` in a folder with the text of kernels and a flag of the C compiler.
type Run<'a> = dyn Fn(&Path, &str, &str) -> Result<(Vec<u8>, String), String> + Sync + 'a;

/// Every fourth program is one for each language, by two threads; all of them where the environment has
/// [`ALL`]. What is asserted holds for both languages.
fn all_programs(language: Language, run: &Run<'_>) {
    let programs = programs();
    assert!(programs.len() > 200, "{} programs", programs.len());
    let (is_all, turn) =
        (std::env::var_os(ALL).is_some(), 2 * usize::from(language == Language::Cuda));
    let chosen = programs.iter().enumerate().filter(|(at, _)| is_all || at % 4 == turn);
    let programs: Vec<&PathBuf> = chosen.map(|(_, program)| program).collect();
    let (next, tally) = (Mutex::new(programs.into_iter()), Mutex::new(Tally::default()));
    let faults = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some(source) = next.lock().unwrap().next() else { return };
            if let Err(fault) = check(source, language, run, &tally) {
                faults.lock().unwrap().push(format!("{}: {fault}", source.display()));
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let Tally { programs, kernels, on_device, stay } = tally.into_inner().unwrap();
    println!("{programs} programs run {kernels} kernels; {on_device} regions are on the device");
    stay.iter().for_each(|(kind, n)| println!("{n} stay: {kind}"));
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(programs >= 25 && on_device >= 30, "{programs} programs, {on_device} regions");
}

#[test]
fn cuda_prints_what_the_programs_print() {
    if !needs::is_there("g++") {
        return;
    }
    let include = headers::of_counting(FLAGS);
    let include = include.display();
    all_programs(Language::Cuda, &|folder, kernels, flag| {
        let text = emulated(kernels)?;
        std::fs::write(folder.join("kernels.cpp"), text).map_err(|e| e.to_string())?;
        shell(
            folder,
            &format!(
                "g++ {FLAGS} -w -I{include} -c kernels.cpp && gcc -O1 -w -ffp-contract=off {flag} -c code.c && \
                 g++ code.o kernels.o -o code -lm"
            ),
        )?;
        let printed = shell(folder, "EMULATION_COUNTS=counts ./code")?;
        let counts = std::fs::read_to_string(folder.join("counts")).map_err(|e| e.to_string())?;
        let findings = Counts::parse(&counts).findings();
        if findings.is_empty() { Ok(printed) } else { Err(format!("{findings:?}")) }
    });
}

#[test]
fn opencl_prints_what_the_programs_print() {
    if !headers::has_opencl() {
        return;
    }
    all_programs(Language::OpenCl, &|folder, kernels, flag| {
        std::fs::write(folder.join("kernels.c"), kernels).map_err(|e| e.to_string())?;
        shell(
            folder,
            &format!(
                "gcc -O1 -w -ffp-contract=off {flag} kernels.c code.c -o code -lOpenCL -lm && ./code"
            ),
        )
    });
}
