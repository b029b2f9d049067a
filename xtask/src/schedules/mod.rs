//! `cargo xtask schedules`: the scheduler beside isl's, kernel by kernel, and on programs made up for it.
mod bands;
mod inputs;

use crate::programs::{self, Program};
use crate::repository;
use bands::OuterBands;
use inputs::Shape;
use loopwright::{CompileOptions, Emit, compile_file};
use loopwright_presburger::Budget;
use loopwright_scheduler::{Options, ScheduleConstraints, Scheduled, schedule};
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const USAGE: &str = "\
usage: cargo xtask schedules [--runs 3] [--isl-limit SECONDS] [--out FILE.md]

Schedules the kernels and programs made up for it, beside isl through islpy (python3), if that is there.";

/// The work limit of one schedule.
const STEPS: u64 = 300_000_000;
/// The time that one schedule may take until simpler ones are tried.
const LIMIT: Duration = Duration::from_secs(30);

#[derive(Clone)]
struct Request {
    runs: usize,
    isl_limit: u64,
    out: Option<PathBuf>,
}

/// One program for both schedulers.
struct Input {
    name: String,
    text: String,
}

/// What isl found.
struct Isl {
    /// Seconds of the scheduling call; none if it took too long.
    seconds: Option<f64>,
    bands: OuterBands,
}

/// Prints the tables, or writes them.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let request = parse(parser).map_err(|e| format!("{e}\n\n{USAGE}"))?;
    let mut text = HEAD.to_string();
    for (name, part) in PARTS {
        eprintln!("{name} ...");
        text += &part(&request)?;
    }
    match &request.out {
        Some(path) => loopwright::output::write_whole(path, &text).map_err(|e| e.to_string()),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

/// The parts of the tables.
type Part = fn(&Request) -> Result<String, String>;
const PARTS: [(&str, Part); 4] = [
    ("kernels", kernels),
    ("lattice Boltzmann", lattice),
    ("programs that schedulers hang on", hangs),
    ("many statements", curves),
];

const HEAD: &str = "\
# Schedules beside isl's

Made by `cargo xtask schedules --out docs/schedules.md`. Both schedulers get the same constraints, as
`loopwright compile --emit constraints` prints them, with the options `--schedule-maximize-band-depth` and
`--schedule-maximize-coincidence`; times are those of the scheduling call alone, least of some runs, isl through islpy.
The machine was shared: trust ratios.
";

fn parse(mut parser: lexopt::Parser) -> Result<Request, lexopt::Error> {
    use lexopt::prelude::*;
    let mut request = Request { runs: 3, isl_limit: 60, out: None };
    while let Some(argument) = parser.next()? {
        match argument {
            Long("runs") => request.runs = parser.value()?.parse::<usize>()?.max(1),
            Long("isl-limit") => request.isl_limit = parser.value()?.parse()?,
            Long("out") => request.out = Some(parser.value()?.into()),
            other => return Err(other.unexpected()),
        }
    }
    Ok(request)
}

/// The options of `loopwright schedule`.
fn standard() -> Options {
    Options { merge_complete: true, separate_components: true, ..Options::tiling() }
}

/// The schedule and the least time it took.
fn measured(text: &str, options: &Options, runs: usize) -> Result<(f64, Scheduled), String> {
    let constraints = ScheduleConstraints::parse(text).map_err(|e| e.to_string())?;
    let mut best: Option<(f64, Scheduled)> = None;
    for _ in 0..runs {
        let start = Instant::now();
        let budget = Budget::steps(STEPS).until(start + LIMIT);
        let scheduled =
            schedule(&constraints, options, &budget).map_err(|e| format!("no schedule: {e}"))?;
        let seconds = start.elapsed().as_secs_f64();
        if best.as_ref().is_none_or(|(least, _)| seconds < *least) {
            best = Some((seconds, scheduled));
        }
    }
    best.ok_or_else(|| "no run".to_string())
}

/// isl's answers by name with some of its options changed; none without islpy.
fn isl(
    inputs: &[Input],
    switches: &[&str],
    request: &Request,
) -> Result<HashMap<String, Isl>, String> {
    let folder = std::env::temp_dir().join(format!("loopwright-schedules-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let mut command = Command::new("python3");
    command.arg(repository::root().join("xtask/scripts/isl_schedules.py"));
    command.args(["--runs", &request.runs.to_string()]);
    command.args(["--limit", &request.isl_limit.to_string()]);
    command.args(switches.iter().map(|switch| format!("--set={switch}")));
    for input in inputs {
        let path = folder.join(format!("{}.sc", input.name.replace(' ', "_")));
        std::fs::write(&path, &input.text).map_err(|e| e.to_string())?;
        command.arg(path);
    }
    let output = command.output().map_err(|e| format!("cannot run python3: {e}"))?;
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(text.lines().filter_map(isl_line).collect())
}

fn isl_line(line: &str) -> Option<(String, Isl)> {
    let mut fields = line.split('\t');
    let (name, seconds, bands) = (fields.next()?, fields.next()?, fields.next()?);
    let answer = Isl { seconds: seconds.parse().ok(), bands: OuterBands::parse(bands) };
    Some((name.replace('_', " "), answer))
}

/// The constraints of a kernel with symbolic sizes.
fn constraints_of(program: &Program) -> Result<String, String> {
    let mut options = CompileOptions::new();
    options.front_end.include_dirs = program.include_dirs.clone();
    options.front_end.defines = program.defines("LARGE")?;
    options.front_end.defines.push("SYMBOLIC".to_string());
    options.verify = false;
    let compiled = compile_file(Path::new(&program.source), &options).map_err(|e| e.to_string())?;
    compiled.emit(Emit::Constraints).map_err(|e| e.to_string())
}

fn kernels(request: &Request) -> Result<String, String> {
    let mut inputs = Vec::new();
    for program in programs::kernels().programs {
        let text = constraints_of(&program)?;
        inputs.push(Input { name: program.name, text });
    }
    let theirs = isl(&inputs, &[], request)?;
    let mut text = "\n## Kernels\n\nMembers of the outermost band and coincident ones among them, summed over the \
                    statements of a kernel; *behind* names statements with fewer of either than isl's.\n\n\
                    | kernel | statements | members | isl | coincident | isl | ms | isl ms | isl / ours | behind |\n\
                    |---|---|---|---|---|---|---|---|---|---|\n"
        .to_string();
    let (mut ours_total, mut isl_total) = (0.0, 0.0);
    for input in &inputs {
        let (seconds, scheduled) = measured(&input.text, &standard(), request.runs)?;
        let bands = OuterBands::of(&scheduled.tree);
        let (members, coincident) = bands.sums();
        let n = scheduled.tree.domain.sets().len();
        let (cells, behind) = match theirs.get(&input.name) {
            Some(Isl { seconds: Some(isl_seconds), bands: isl_bands }) => {
                ours_total += seconds;
                isl_total += isl_seconds;
                let (isl_members, isl_coincident) = isl_bands.sums();
                let times = (isl_seconds * 1e3, isl_seconds / seconds);
                (
                    (isl_members.to_string(), isl_coincident.to_string(), Some(times)),
                    bands.behind(isl_bands),
                )
            }
            _ => (("–".to_string(), "–".to_string(), None), String::new()),
        };
        let times =
            cells.2.map_or("– | –".to_string(), |(ms, ratio)| format!("{ms:.1} | {ratio:.1}"));
        let _ = writeln!(
            text,
            "| {} | {n} | {members} | {} | {coincident} | {} | {:.2} | {times} | {behind} |",
            input.name,
            cells.0,
            cells.1,
            seconds * 1e3
        );
    }
    let _ = writeln!(
        text,
        "\nTotal of the kernels that isl finishes: {:.0} ms, isl {:.0} ms, {:.1} times as much.",
        ours_total * 1e3,
        isl_total * 1e3,
        isl_total / ours_total
    );
    Ok(text)
}

/// A row of Table 37 of "Scheduling for PPCG".
struct Improvement {
    name: &'static str,
    options: Options,
    /// isl's switches for the same, where it has them.
    isl: Option<&'static [&'static str]>,
}

/// The rows of Table 37 of "Scheduling for PPCG": one improvement after the other.
fn rows_of_table_37() -> [Improvement; 5] {
    const ALL: &[&str] = &["outer_coincidence=1"];
    const SELF_FIRST: &[&str] = &["outer_coincidence=1", "treat_coalescing=0"];
    const ONCE: &[&str] = &["outer_coincidence=1", "treat_coalescing=0", "carry_self_first=0"];
    let all = Options { outer_coincidence: true, ..standard() };
    let without_lineality = Options { lineality: false, ..all };
    let without_drop = Options { drop_bounds: false, ..without_lineality };
    let without_self_first = Options { carry_self_first: false, ..without_drop };
    let none = Options { deduplicate: false, ..without_self_first };
    let row = |name, options, isl| Improvement { name, options, isl };
    [
        row("none of the improvements", none, None),
        row("equal dependences once", without_self_first, Some(ONCE)),
        row("self-dependences first", without_drop, Some(SELF_FIRST)),
        row("bounds of distances dropped", without_lineality, None),
        row("free directions", all, Some(ALL)),
    ]
}

fn lattice(request: &Request) -> Result<String, String> {
    let text = inputs::lattice_boltzmann();
    let input = [Input { name: "lattice".to_string(), text }];
    let mut table = "\n## Lattice Boltzmann\n\nA D3Q19 step over 128 x 128 x 128 cells, `--schedule-outer-coincidence`; \
                     each row has the improvements of the rows above (Table 37 of \"Scheduling for PPCG\"). isl's times \
                     are with its switches for the same improvements, where it has them.\n\n\
                     | improvement | s | first row / this row | isl s | |\n|---|---|---|---|---|\n"
        .to_string();
    let mut first = None;
    for Improvement { name, options, isl: switches } in rows_of_table_37() {
        let (seconds, scheduled) = measured(&input[0].text, &options, request.runs)?;
        let ratio = *first.get_or_insert(seconds) / seconds;
        let notes = if scheduled.notes.is_empty() { "" } else { "limit reached" };
        let isl_time = match switches {
            Some(switches) => isl_seconds(&input, switches, request)?,
            None => "–".to_string(),
        };
        let _ = writeln!(table, "| {name} | {seconds:.3} | {ratio:.2} | {isl_time} | {notes} |");
    }
    Ok(table)
}

/// isl's time for the first of some inputs.
fn isl_seconds(inputs: &[Input], switches: &[&str], request: &Request) -> Result<String, String> {
    let theirs = isl(&inputs[..1], switches, request)?;
    let seconds = theirs.get(&inputs[0].name).and_then(|isl| isl.seconds);
    Ok(seconds
        .map_or_else(|| format!("> {}", request.isl_limit), |seconds| format!("{seconds:.3}")))
}

fn hangs(request: &Request) -> Result<String, String> {
    let inputs = [
        ("three chained products", inputs::chained_products()),
        ("four-index contraction", inputs::four_index_contraction()),
    ]
    .map(|(name, text)| Input { name: name.to_string(), text });
    let theirs = isl(&inputs, &[], request)?;
    let mut table = "\n## Programs that schedulers hang on\n\n| program | `--fuse` | ms | isl ms |\n|---|---|---|---|\n"
        .to_string();
    for input in &inputs {
        let isl = theirs.get(&input.name).and_then(|isl| isl.seconds);
        let isl = isl.map_or("–".to_string(), |seconds| format!("{:.1}", seconds * 1e3));
        for (name, fuse) in [("smart", "smart"), ("max", "max")] {
            let mut options = standard();
            options.set("schedule-fuse", Some(fuse))?;
            let (seconds, _) = measured(&input.text, &options, request.runs)?;
            let isl = if fuse == "smart" { isl.as_str() } else { "" };
            let _ = writeln!(table, "| {} | {name} | {:.1} | {isl} |", input.name, seconds * 1e3);
        }
    }
    Ok(table)
}

/// The numbers of statements, and up to which isl is asked as well.
const SIZES: [usize; 4] = [10, 100, 500, 1000];
const ISL_SIZE: usize = 100;

fn curves(request: &Request) -> Result<String, String> {
    let mut table = format!(
        "\n## Many statements\n\nSeconds; a star marks answers with fallbacks after the limit of {} s.\n\n\
         | shape | 10 | 100 | 500 | 1000 | isl 10 | isl 100 |\n|---|---|---|---|---|---|---|\n",
        LIMIT.as_secs()
    );
    for (name, shape) in Shape::ALL {
        let _ = write!(table, "| {name} |");
        for n in SIZES {
            let runs = if n > 100 { 1 } else { request.runs };
            let (seconds, scheduled) = measured(&shape.constraints(n), &standard(), runs)?;
            let star = if scheduled.notes.is_empty() { "" } else { "*" };
            let _ = write!(table, " {seconds:.3}{star} |");
        }
        for n in SIZES.into_iter().filter(|&n| n <= ISL_SIZE) {
            let input = [Input { name: format!("{name} {n}"), text: shape.constraints(n) }];
            let once = Request { runs: 1, ..request.clone() };
            let _ = write!(table, " {} |", isl_seconds(&input, &[], &once)?);
        }
        table.push('\n');
    }
    Ok(table)
}
