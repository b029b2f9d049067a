//! The programs of this repository with their regions on devices: CUDA on the emulation that counts, which
//! finds races and values that are not there, and OpenCL on the platform that is installed. They print what
//! they printed before. What stays on the processor does so for a reason that has a name here.
use crate::support::{headers, needs, scratch};
use loopwright::{CompileOptions, Compiled, DeviceOptions, RegionReport, compile_file};
use loopwright_backend::device::Language;
use loopwright_testkit::cases::seed;
use loopwright_testkit::cuda_text::{emulated, together};
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
const ALL: &str = "LOOPWRIGHT_ALL";

/// How the text of kernels is compiled for the emulation: its headers are compiled once, and programs are
/// small.
pub(crate) const FLAGS: &str = "-std=c++17 -O0 -fno-thread-jumps -ffp-contract=off -fpermissive";

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

/// A program with kernels, and what it prints without them.
struct Program<'p> {
    source: &'p Path,
    folder: PathBuf,
    kernels: String,
    expected: Vec<u8>,
}

/// A program whose regions are counted; none if it has no kernels.
fn program<'p>(
    source: &'p Path,
    language: Language,
    tally: &Mutex<Tally>,
) -> Result<Option<Program<'p>>, String> {
    let (stem, around) = (source.file_stem().unwrap(), source.parent().unwrap());
    let name = format!("{}-{}", around.file_name().unwrap().display(), stem.display());
    let folder = scratch("own_programs").join(format!("{name}-{}", language.name()));
    // What cannot be read is another test's part: `tests/programs/verdicts.txt`.
    let Ok(compiled) = compiled(source, &folder, language) else { return Ok(None) };
    for region in &compiled.report.regions {
        tally.lock().unwrap().count(region)?;
    }
    let Some(kernels) = compiled.device_file() else { return Ok(None) };
    let (programs, include) = (source.display(), around.display());
    let plain =
        format!("gcc -O1 -w -ffp-contract=off -I{include} {programs} -o plain -lm && ./plain");
    let (expected, _) = shell(&folder, &plain)?;
    Ok(Some(Program { source, folder, kernels: kernels.text.clone(), expected }))
}

/// A program prints with its kernels what it prints without.
fn check(program: &Program<'_>, run: &Run<'_>, tally: &Mutex<Tally>) -> Result<(), String> {
    let Program { source, folder, kernels, expected } = program;
    let include = source.parent().unwrap().display();
    let (printed, said) = run(folder, &format!("-I{include}"))?;
    if printed != *expected {
        return Err(format!("other results; {said}"));
    }
    let is_unexpected = said.lines().any(|line| !line.contains(TOO_LARGE));
    if is_unexpected && source.file_stem().unwrap() != WITH_NULL {
        return Err(format!("it says {said}"));
    }
    let mut tally = tally.lock().unwrap();
    tally.programs += 1;
    tally.kernels += kernels.matches("__global__").count();
    tally.kernels += kernels.matches("__kernel void").count();
    Ok(())
}

/// Prepares the kernels of some programs, whose names differ.
type Build<'a> = dyn Fn(&[Program<'_>]) -> Result<(), String> + Sync + 'a;

/// Builds and runs `code.c` in a folder with its kernels and a flag of the C compiler.
type Run<'a> = dyn Fn(&Path, &str) -> Result<(Vec<u8>, String), String> + Sync + 'a;

/// So many programs have their kernels compiled together.
const BATCH: usize = 8;

/// Takes elements of a list, two at one time, until it is empty; what went wrong.
fn each<T: Send>(list: Vec<T>, act: impl Fn(T) -> Result<(), String> + Sync) -> Vec<String> {
    let (next, faults) = (Mutex::new(list.into_iter()), Mutex::new(Vec::new()));
    let work = || {
        loop {
            let Some(one) = next.lock().unwrap().next() else { return };
            if let Err(fault) = act(one) {
                faults.lock().unwrap().push(fault);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    faults.into_inner().unwrap()
}

/// The programs in batches in which no two have one name.
fn batches(programs: Vec<Program<'_>>) -> Vec<Vec<Program<'_>>> {
    let mut all: Vec<Vec<Program<'_>>> = Vec::new();
    for program in programs {
        let fits = |batch: &&mut Vec<Program<'_>>| {
            let names = batch.iter().map(|other| other.source.file_stem());
            batch.len() < BATCH && !names.into_iter().any(|own| own == program.source.file_stem())
        };
        match all.iter_mut().find(fits) {
            Some(batch) => batch.push(program),
            None => all.push(vec![program]),
        }
    }
    all
}

/// One of eight programs is run for each language, others for each seed of the environment, by two threads;
/// all of them where the environment has [`ALL`]. What is asserted holds for both languages.
fn all_programs(language: Language, build: &Build<'_>, run: &Run<'_>) {
    let programs = programs();
    assert!(programs.len() > 200, "{} programs", programs.len());
    let is_all = std::env::var_os(ALL).is_some();
    let turn = (seed(4 * u64::from(language == Language::Cuda)) % 8) as usize;
    let chosen = programs.iter().enumerate().filter(|(at, _)| is_all || at % 8 == turn);
    let (tally, with_kernels) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()));
    let about = |source: &Path, fault: String| format!("{}: {fault}", source.display());
    let mut faults = each(chosen.map(|(_, source)| source).collect(), |source: &PathBuf| {
        let program = program(source, language, &tally).map_err(|fault| about(source, fault))?;
        with_kernels.lock().unwrap().extend(program);
        Ok(())
    });
    faults.extend(each(batches(with_kernels.into_inner().unwrap()), |batch| {
        build(&batch)?;
        let check = |program| check(program, run, &tally).map_err(|f| about(program.source, f));
        let faults: Vec<String> = batch.iter().filter_map(|own| check(own).err()).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
    }));
    let Tally { programs, kernels, on_device, stay } = tally.into_inner().unwrap();
    println!("{programs} programs run {kernels} kernels; {on_device} regions are on the device");
    stay.iter().for_each(|(kind, n)| println!("{n} stay: {kind}"));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(programs >= 10 && on_device >= 12, "{programs} programs, {on_device} regions");
}

#[test]
fn cuda_prints_what_the_programs_print() {
    if !needs::is_there("g++") {
        return;
    }
    let include = headers::of_counting(FLAGS);
    let include = include.display();
    let build = |batch: &[Program<'_>]| {
        let texts = batch.iter().map(|program| emulated(&program.kernels));
        let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
        let names: Vec<String> =
            batch.iter().map(|program| program.source.display().to_string()).collect();
        let text = together(names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)));
        let folder = &batch[0].folder;
        std::fs::write(folder.join("kernels.cpp"), text).map_err(|e| e.to_string())?;
        shell(folder, &format!("g++ {FLAGS} -w -I{include} -c kernels.cpp"))?;
        for program in &batch[1..] {
            let (from, to) = (folder.join("kernels.o"), program.folder.join("kernels.o"));
            std::fs::copy(from, to).map_err(|e| e.to_string())?;
        }
        Ok(())
    };
    all_programs(Language::Cuda, &build, &|folder, flag| {
        shell(
            folder,
            &format!(
                "gcc -O1 -w -ffp-contract=off {flag} -c code.c && g++ code.o kernels.o -o code -lm"
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
    let write = |batch: &[Program<'_>]| {
        let write = |own: &Program<'_>| std::fs::write(own.folder.join("kernels.c"), &own.kernels);
        batch.iter().try_for_each(write).map_err(|e| e.to_string())
    };
    all_programs(Language::OpenCl, &write, &|folder, flag| {
        shell(
            folder,
            &format!(
                "gcc -O1 -w -ffp-contract=off {flag} kernels.c code.c -o code -lOpenCL -lm && ./code"
            ),
        )
    });
}
