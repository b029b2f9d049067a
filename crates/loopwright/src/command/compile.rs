//! `loopwright compile`.
use super::strategy::StrategyArguments;
use super::{print_remarks, print_text, read_text, usage_error, write_text};
use loopwright::{CompileOptions, Emit, Failure, Scheduler, compile_file, html_report};
use loopwright_backend::Target;
use loopwright_scheduler::{Algorithm, Fuse, Options as SchedulerOptions};
use loopwright_transform::TileSizes;
use std::path::{Path, PathBuf};

/// The largest tile size that is accepted: iterators of tile loops stay far from overflow.
const LARGEST_TILE: i64 = 1 << 24;

const USAGE: &str = "\
usage: loopwright compile FILE.c [options]

Turns the regions between `#pragma scop` and `#pragma endscop` of FILE.c into fast parallel code
and proves that it does the same. Without -o the code goes to the standard output.

  -o, --output OUT.c           write the code there (whole or not at all); the report is printed
  --target c|openmp            sequential C, or C with OpenMP pragmas (default)
  --tile-sizes 32,32,32        tile sizes, outermost loop first; loops beyond are as the last
  --no-tile                    no tiling
  --fuse min|max|smart|typed   which statements share loops (default smart)
  --schedule-NAME[=VALUE]      further choices of the scheduler, see docs/scheduling.md
  --no-group-chains            statements that hand on values to each other are scheduled one by one
  --input-reuse                loops are also chosen for instances that read the same value
  --scheduler pluto|feautrier|none
                               how loops are found (default pluto); none keeps the program's order
  --transform SCRIPT           edit the program's order, for example `interchange S0 1 2`, see
                               docs/transform.md; `--emit mapping` shows what there is to edit
  --schedule FILE              use this schedule if it is legal: a tree, as printed by --emit schedule,
                               or a map from instances to times
  --eliminate-dead-code        leave out what does not matter for what is seen after the region
  --reassociate                sums, products and the like may be computed in any order
  --no-verify                  leave out the proofs
  --report OUT.html            write a report
  --strategy components|separation|kelly-pugh|bounding-box|hull
                               how loops are generated, with the options of `loopwright codegen`
  --emit scop|deps|constraints|schedule|mapping|ast|code
                               what to print (default code)
  -I DIR, -D NAME[=VALUE]      as for the C compiler

The preprocessor is `$CC -E` (default cc).
";

struct Request {
    input: PathBuf,
    output: Option<PathBuf>,
    report: Option<PathBuf>,
    emit: Emit,
    options: CompileOptions,
}

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: lexopt::Parser) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else { return print_text(USAGE) };
    refuse_overwriting(&request)?;
    let compiled = compile_file(&request.input, &request.options)?;
    let text = compiled.emit(request.emit)?;
    match &request.output {
        Some(path) => write_text(path, &text)?,
        None => print_text(&text)?,
    }
    if let Some(path) = &request.report {
        write_text(path, &html_report(&request.input.to_string_lossy(), &compiled.report))?;
    }
    match request.output {
        Some(_) => print_text(&compiled.report.to_string()),
        None => {
            print_remarks(&compiled.report.to_string());
            Ok(())
        }
    }
}

/// The results must not take the place of the input or of each other.
fn refuse_overwriting(request: &Request) -> Result<(), Failure> {
    let same = |a: &Path, b: &Path| match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b && a.is_file(),
        _ => a == b,
    };
    for path in [&request.output, &request.report].into_iter().flatten() {
        if same(path, &request.input) {
            let path = path.display();
            return Err(usage_error(format!("{path} is the input file and would be overwritten")));
        }
    }
    match (&request.output, &request.report) {
        (Some(output), Some(report)) if same(output, report) => {
            Err(usage_error("the code and the report cannot go to one file"))
        }
        _ => Ok(()),
    }
}

/// The request; none if the user asks how to make one.
fn parse(mut parser: lexopt::Parser) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut input = None;
    let mut request = Request {
        input: PathBuf::new(),
        output: None,
        report: None,
        emit: Emit::Code,
        options: CompileOptions::new(),
    };
    let mut strategy = StrategyArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Value(path) => {
                return Err(usage_error(format!("a second input file: {}", path.display())));
            }
            Short('o') | Long("output") => {
                request.output = Some(PathBuf::from(parser.value().map_err(usage_error)?));
            }
            Long("report") => {
                request.report = Some(PathBuf::from(parser.value().map_err(usage_error)?));
            }
            Short('h') | Long("help") => return Ok(None),
            Short('I') => {
                let dir = PathBuf::from(parser.value().map_err(usage_error)?);
                request.options.front_end.include_dirs.push(dir);
            }
            Short('D') => request.options.front_end.defines.push(text(&mut parser)?),
            Long("no-tile") => request.options.tile_sizes = TileSizes::None,
            Long("eliminate-dead-code") => request.options.eliminate_dead_code = true,
            Long("reassociate") => request.options.reassociate = true,
            Long("group-chains") => request.options.group_chains = true,
            Long("no-group-chains") => request.options.group_chains = false,
            Long("input-reuse") => request.options.input_reuse = true,
            Long("no-verify") => request.options.verify = false,
            Long("emit") => request.emit = choice("--emit", &text(&mut parser)?, &EMITS)?,
            Long("target") => {
                request.options.target = choice("--target", &text(&mut parser)?, &TARGETS)?;
            }
            Long("fuse") => request.options.fuse = choice("--fuse", &text(&mut parser)?, &FUSES)?,
            Long("scheduler") => {
                request.options.scheduler =
                    choice("--scheduler", &text(&mut parser)?, &SCHEDULERS)?;
            }
            Long("schedule") => {
                let path = PathBuf::from(parser.value().map_err(usage_error)?);
                request.options.scheduler = Scheduler::Given(read_text(&path)?);
            }
            Long("transform") => {
                request.options.scheduler = Scheduler::Transformed(text(&mut parser)?);
            }
            Long("tile-sizes") => {
                request.options.tile_sizes = TileSizes::Given(tile_sizes(&text(&mut parser)?)?);
            }
            Long(name) if SchedulerOptions::takes_value(name).is_some() => {
                let name = name.to_string();
                let takes_value = SchedulerOptions::takes_value(&name) == Some(true);
                let value = takes_value.then(|| text(&mut parser)).transpose()?;
                set_scheduling(&mut request.options, &name, value.as_deref())?;
            }
            Long(name) => {
                let name = name.to_string();
                if !strategy.accept(&name, &mut parser)? {
                    return Err(usage_error(Long(&name).unexpected()));
                }
            }
            other => return Err(usage_error(other.unexpected())),
        }
    }
    request.options.strategy = strategy.strategy()?;
    request.input = input.ok_or_else(|| usage_error("no input file"))?;
    Ok(Some(request))
}

/// Sets one of the scheduler's own options.
fn set_scheduling(
    options: &mut CompileOptions,
    name: &str,
    value: Option<&str>,
) -> Result<(), Failure> {
    let mut scheduling = options.scheduling;
    scheduling.fuse = options.fuse;
    scheduling.set(name, value).map_err(usage_error)?;
    if scheduling.algorithm != options.scheduling.algorithm {
        options.scheduler = match scheduling.algorithm {
            Algorithm::Pluto => Scheduler::Pluto,
            Algorithm::Feautrier => Scheduler::Feautrier,
        };
    }
    options.fuse = scheduling.fuse;
    options.scheduling = scheduling;
    Ok(())
}

const EMITS: [(&str, Emit); 7] = [
    ("scop", Emit::Scop),
    ("deps", Emit::Deps),
    ("constraints", Emit::Constraints),
    ("schedule", Emit::Schedule),
    ("mapping", Emit::Mapping),
    ("ast", Emit::Ast),
    ("code", Emit::Code),
];
const TARGETS: [(&str, Target); 2] = [("c", Target::C), ("openmp", Target::OpenMp)];
const FUSES: [(&str, Fuse); 4] =
    [("min", Fuse::Min), ("max", Fuse::Max), ("smart", Fuse::Smart), ("typed", Fuse::Typed)];
const SCHEDULERS: [(&str, Scheduler); 3] =
    [("pluto", Scheduler::Pluto), ("feautrier", Scheduler::Feautrier), ("none", Scheduler::None)];

pub(super) fn text(parser: &mut lexopt::Parser) -> Result<String, Failure> {
    let value = parser.value().map_err(usage_error)?;
    value.into_string().map_err(|value| usage_error(format!("{value:?} is not a text")))
}

pub(super) fn choice<T: Clone>(
    option: &str,
    value: &str,
    choices: &[(&str, T)],
) -> Result<T, Failure> {
    let found = choices.iter().find(|(name, _)| *name == value);
    found.map(|(_, choice)| choice.clone()).ok_or_else(|| {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        usage_error(format!("{option} takes one of {}, not `{value}`", names.join(", ")))
    })
}

fn tile_sizes(text: &str) -> Result<Vec<i64>, Failure> {
    let size = |part: &str| match part.trim().parse::<i64>() {
        Ok(size) if (1..=LARGEST_TILE).contains(&size) => Ok(size),
        _ => Err(usage_error(format!(
            "--tile-sizes takes whole numbers from 1 to {LARGEST_TILE}, not `{part}`"
        ))),
    };
    text.split(',').map(size).collect()
}
