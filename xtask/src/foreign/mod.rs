//! `cargo xtask programs`: whole programs from elsewhere, built as they are and through `loopwright cc`:
//! whether they are built, whether they do the same, how fast they are, and how much of their time is in
//! loops that are transformed.
mod build;
mod classes;
mod comparison;
mod coverage;
mod execution;
mod manifest;
mod record;
mod samples;
mod table;
#[cfg(test)]
mod tests;
mod timing;
mod way;

use crate::repository;
use build::{Purpose, build};
use execution::{End, Execution, execute};
use manifest::ForeignProgram;
use record::{BuildRecord, Record};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use way::{Tools, Way};

const USAGE: &str = "\
usage: cargo xtask programs --manifest FILE [--base FOLDER] [--only NAMES] [--numeric] [--columns NAMES]
                            [--time | --known] [--runs 5] [--seconds 30] [--threads 2] [--jobs 1] [--no-coverage]
                            [--anew]
                            [--cc gcc] [--clang clang] [--loopwright BINARY] [--work FOLDER]
                            [-o TABLE.md] [--json FILE]

Builds the programs that a manifest names (docs/programs.md) where they lie, below --base (otherwise the
manifest's folder), in each column's way: plain, ours, clang, polly, polly-parallel. Runs each build once
in a folder of its own and compares what it prints and writes with the plain build. Takes samples of the
plain build with `perf` and says in which loops its time is, and what becomes of these.
What is built and known stays in --work (target/programs). --only takes programs whose names have one of
the words in them. --jobs programs are looked at side by side.
--time times what was found to be right, in turn, one program after the other, and nothing else: as often as
--runs (or the manifest) says, but no further round begins after --seconds. --known does nothing but write
the table of what was found out so far.
--anew forgets what was found out about outputs and loops, but not builds.";

/// What is done with the programs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    /// Build them, compare what they do, see where their time is.
    LookAt,
    /// Time the builds that are right.
    Time,
    /// Nothing: a table of what is known.
    Tell,
}

struct Request {
    manifest: PathBuf,
    base: Option<PathBuf>,
    only: Vec<String>,
    numeric: bool,
    columns: Vec<Way>,
    task: Task,
    runs: usize,
    limit: Duration,
    threads: usize,
    jobs: usize,
    coverage: bool,
    anew: bool,
    tools: Tools,
    work: PathBuf,
    table: Option<PathBuf>,
    json: Option<PathBuf>,
}

/// Measures the programs of a manifest.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let Some(mut request) = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))? else {
        println!("{USAGE}");
        return Ok(());
    };
    let base = request.base.clone().unwrap_or_else(|| {
        request
            .manifest
            .parent()
            .filter(|p| !p.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
            .to_path_buf()
    });
    let manifest = manifest::read(&request.manifest, &base)?;
    let programs: Vec<&ForeignProgram> = manifest
        .programs
        .iter()
        .filter(|program| program.is_numeric || !request.numeric)
        .filter(|program| {
            request.only.is_empty()
                || request.only.iter().any(|word| program.name.contains(word.as_str()))
        })
        .collect();
    if programs.is_empty() {
        return Err("no program of the manifest is asked for".to_string());
    }
    request.columns = request.tools.available(&request.columns);
    if !request.columns.contains(&Way::Plain) {
        return Err(format!("`{}` cannot compile here", request.tools.compiler));
    }
    if request.coverage && request.task == Task::LookAt && !samples::has_perf() {
        eprintln!("there is no `perf` that counts cpu-clock here: time in loops is not known");
        request.coverage = false;
    }
    let records = match request.task {
        Task::LookAt => looked_at(&programs, &request)?,
        Task::Time => timed(&programs, &request)?,
        Task::Tell => known(&programs, &request)?,
    };
    let processor = crate::kernels::machine();
    let setting = table::Setting {
        title: manifest.title,
        ways: request.columns.clone(),
        machine: format!("{processor}, {}, {} threads.", request.tools.versions(), request.threads),
    };
    let text = table::markdown(&setting, &records);
    match &request.table {
        Some(path) => write(path, &text)?,
        None => println!("{text}"),
    }
    if let Some(path) = &request.json {
        write(path, &serde_json::to_string_pretty(&records).map_err(|e| e.to_string())?)?;
    }
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
}

/// The folder of a program below that of all.
fn folder_of(program: &ForeignProgram, request: &Request) -> Result<PathBuf, String> {
    let folder = request.work.join(program.name.replace('/', "_"));
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    folder.canonicalize().map_err(|e| format!("{}: {e}", folder.display()))
}

/// Builds, compares and covers programs, some side by side.
fn looked_at(programs: &[&ForeignProgram], request: &Request) -> Result<Vec<Record>, String> {
    let next = AtomicUsize::new(0);
    let found: Mutex<Vec<(usize, Result<Record, String>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..request.jobs.clamp(1, programs.len()) {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(program) = programs.get(position) else { break };
                    let result = look_at(program, request);
                    eprintln!(
                        "[{}/{}] {}: {}",
                        position + 1,
                        programs.len(),
                        program.name,
                        in_short(&result)
                    );
                    if let Ok(mut found) = found.lock() {
                        found.push((position, result));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().map_err(|e| e.to_string())?;
    found.sort_by_key(|(position, _)| *position);
    found.into_iter().map(|(_, result)| result).collect()
}

/// What was found out about a program, in a few words.
fn in_short(result: &Result<Record, String>) -> String {
    let record = match result {
        Ok(record) => record,
        Err(message) => return message.clone(),
    };
    let wrong = record.builds.iter().filter_map(|(way, build)| {
        let said = build.failure.as_ref().map(|said| format!("{way} fails: {said}"));
        said.or_else(|| Some(format!("{way} differs: {}", build.difference.as_ref()?)))
    });
    let wrong: Vec<String> = wrong.map(|said| said.chars().take(400).collect()).collect();
    if wrong.is_empty() { "as it should be".to_string() } else { wrong.join("; ") }
}

fn look_at(program: &ForeignProgram, request: &Request) -> Result<Record, String> {
    let folder = folder_of(program, request)?;
    let mut record = if request.anew { Record::default() } else { Record::read(&folder) };
    record.name.clone_from(&program.name);
    record.numeric = program.is_numeric;
    let mut plain = None;
    for way in &request.columns {
        let (build, execution) = look_at_build(program, *way, plain.as_ref(), request, &folder);
        record.builds.insert(way.name().to_string(), build);
        if *way == Way::Plain {
            plain = execution;
        }
        if plain.is_none() {
            break;
        }
    }
    if request.coverage && plain.is_some() && (record.coverage.is_none() || request.anew) {
        match cover(program, request, &folder) {
            Ok(coverage) => record.coverage = Some(coverage),
            Err(reason) => record.no_coverage = Some(reason),
        }
    }
    record.write(&folder)?;
    Ok(record)
}

/// Builds and runs a program in a way and compares it with the plain build, if this is not that one.
fn look_at_build(
    program: &ForeignProgram,
    way: Way,
    plain: Option<&Execution>,
    request: &Request,
    folder: &Path,
) -> (BuildRecord, Option<Execution>) {
    let mut record = BuildRecord::default();
    let run = build(program, Purpose::Run(way), &request.tools, folder).and_then(|built| {
        record.build_seconds = built.seconds;
        let place = folder.join(format!("run-{}", way.name()));
        execute(program, &built.executable, &[], request.threads, &place)
    });
    match run {
        Ok(execution) if way == Way::Plain && execution.end == End::TooLong => {
            let failure = Some(execution.end.to_string());
            (BuildRecord { failure, ..record }, None)
        }
        Ok(execution) => {
            record.run_seconds = execution.elapsed.as_secs_f64();
            record.difference =
                plain.and_then(|plain| comparison::difference(&program.output, plain, &execution));
            (record, Some(execution))
        }
        Err(message) => (BuildRecord { failure: Some(message), ..record }, None),
    }
}

fn cover(
    program: &ForeignProgram,
    request: &Request,
    folder: &Path,
) -> Result<coverage::Coverage, String> {
    let lines = build(program, Purpose::Lines, &request.tools, folder)?;
    let samples = samples::take(program, &lines, &folder.join("run-lines"))?;
    coverage::cover(program, Some(&samples), &request.tools, folder)
}

/// What was found out about programs that were looked at.
fn known(programs: &[&ForeignProgram], request: &Request) -> Result<Vec<Record>, String> {
    let mut records = Vec::new();
    for program in programs {
        let record = Record::read(&folder_of(program, request)?);
        if record.build(Way::Plain).is_some() {
            records.push(record);
        } else {
            eprintln!("{}: not looked at yet, run without --time and --known first", program.name);
        }
    }
    Ok(records)
}

/// Times programs whose outputs were compared before.
fn timed(programs: &[&ForeignProgram], request: &Request) -> Result<Vec<Record>, String> {
    let mut records = known(programs, request)?;
    for record in &mut records {
        let Some(program) = programs.iter().find(|program| program.name == record.name) else {
            continue;
        };
        let folder = folder_of(program, request)?;
        let Request { columns: ways, runs, limit, threads, tools, .. } = request;
        let plan = timing::Plan { ways, runs: *runs, limit: *limit, threads: *threads, tools };
        match timing::time(program, &plan, &folder, record) {
            Ok(()) => eprintln!("{}: {}", program.name, speeds(record, ways)),
            Err(message) => eprintln!("{}: {message}", program.name),
        }
        record.write(&folder)?;
    }
    Ok(records)
}

fn speeds(record: &Record, ways: &[Way]) -> String {
    let others = ways.iter().filter(|way| **way != Way::Plain);
    let speeds =
        others.filter_map(|way| Some(format!("{} {:.2}", way.name(), record.speed(*way)?)));
    speeds.collect::<Vec<_>>().join(", ")
}

/// The request; none if the user asks how to make one.
fn parse(mut parser: lexopt::Parser) -> Result<Option<Request>, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request {
        manifest: PathBuf::new(),
        base: None,
        only: Vec::new(),
        numeric: false,
        columns: Way::ALL.to_vec(),
        task: Task::LookAt,
        runs: 5,
        limit: Duration::from_secs(30),
        threads: 2,
        jobs: 1,
        coverage: true,
        anew: false,
        tools: Tools {
            compiler: "gcc".to_string(),
            clang: "clang".to_string(),
            loopwright: repository::root()
                .join("target/release/loopwright")
                .to_string_lossy()
                .into_owned(),
        },
        work: repository::root().join("target/programs"),
        table: None,
        json: None,
    };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("manifest") => request.manifest = parser.value()?.into(),
            Long("base") => request.base = Some(parser.value()?.into()),
            Long("only") => request.only = crate::list::names(&parser.value()?.string()?),
            Long("numeric") => request.numeric = true,
            Long("columns") => {
                let names = crate::list::names(&parser.value()?.string()?);
                request.columns =
                    names.iter().map(|name| Way::parse(name)).collect::<Result<_, _>>()?;
            }
            Long("time") => request.task = Task::Time,
            Long("known") => request.task = Task::Tell,
            Long("runs") => request.runs = parser.value()?.parse::<usize>()?.max(1),
            Long("seconds") => {
                let seconds = parser.value()?.parse()?;
                request.limit = Duration::try_from_secs_f64(seconds).map_err(|e| e.to_string())?;
            }
            Long("threads") => request.threads = parser.value()?.parse::<usize>()?.max(1),
            Long("jobs") => request.jobs = parser.value()?.parse::<usize>()?.max(1),
            Long("no-coverage") => request.coverage = false,
            Long("anew") => request.anew = true,
            Long("cc") => request.tools.compiler = parser.value()?.string()?,
            Long("clang") => request.tools.clang = parser.value()?.string()?,
            Long("loopwright") => request.tools.loopwright = parser.value()?.string()?,
            Long("work") => request.work = parser.value()?.into(),
            Short('o') | Long("output") => request.table = Some(parser.value()?.into()),
            Long("json") => request.json = Some(parser.value()?.into()),
            Short('h') | Long("help") => return Ok(None),
            _ => return Err(argument.unexpected()),
        }
    }
    if request.manifest.as_os_str().is_empty() {
        return Err("--manifest FILE is missing".into());
    }
    if !request.columns.contains(&Way::Plain) {
        request.columns.insert(0, Way::Plain);
    }
    // Ways are compared with the plain one, so that comes first.
    request.columns.sort();
    request.columns.dedup();
    Ok(Some(request))
}
