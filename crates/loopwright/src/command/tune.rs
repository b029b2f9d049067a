//! `loopwright tune`.
use super::arguments::Arguments;
use super::program_options::{accept_choice, accept_preprocessing, read_choices};
use super::results::{Results, distinct_results};
use super::streams::{print_text, write_text};
use super::usage::usage_error;
use super::values::{path, text};
use super::without_effect;
use loopwright::tune::{
    ProgramOptions, Progress, Timing, TuneOptions, Tuned, stop_on_signals, tune,
};
use loopwright::{Failure, StrategyArguments};
use loopwright_cfront::compiler_words;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

struct Request {
    input: PathBuf,
    output: Option<PathBuf>,
    report: Option<PathBuf>,
    written_choices: Option<PathBuf>,
    options: TuneOptions,
}

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else { return print_text(&parser.help()) };
    let results = [
        ("the code", &request.output),
        ("the report", &request.report),
        ("the choices", &request.written_choices),
    ];
    distinct_results(&request.input, &results)?;
    let is_terminal = std::io::stderr().is_terminal();
    let mut show = |progress: &Progress| {
        if is_terminal {
            print_progress(progress);
        }
    };
    stop_on_signals().map_err(|e| Failure::refused(format!("cannot wait for signals: {e}")))?;
    let tuned = tune(&request.input, &request.options, &mut show);
    if is_terminal {
        super::streams::print_remarks("\r\x1b[K");
    }
    let tuned = tuned?;
    if let Some(path) = &request.output {
        write_kernels(&request, &tuned)?;
        write_text(path, &tuned.compiled.code)?;
    }
    if let Some(path) = &request.written_choices {
        write_text(path, &tuned.compiled.choices().to_string())?;
    }
    if let Some(path) = &request.report {
        let report = tuned.json(&request.input.to_string_lossy(), &request.options.compile.machine);
        write_text(path, &format!("{report:#}\n"))?;
    }
    print_text(&tuned.to_string())
}

/// The second file, if there is one.
fn write_kernels(request: &Request, tuned: &Tuned) -> Result<(), Failure> {
    let Some(kernels) = tuned.compiled.device_file() else { return Ok(()) };
    let code = Results {
        input: request.input.clone(),
        is_standard_input: false,
        output: request.output.clone(),
        report: None,
        choices: None,
    };
    write_text(&code.beside_code_for(kernels.suffix, &kernels.text)?, &kernels.text)
}

/// One line on the terminal, over the last one.
fn print_progress(progress: &Progress) {
    let best = progress.best.map_or(String::new(), |best| format!(", best {best:.4} s"));
    let seconds = progress.elapsed.as_secs();
    let line = format!("[{seconds} s, {} tried{best}] {}", progress.n_tried, progress.label);
    let line: String = line.chars().take(78).collect();
    // Nobody needs to read it.
    let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
}

/// The request; none if the user asks how to make one.
fn parse(parser: &mut Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut options = TuneOptions { cache: default_cache(), ..TuneOptions::standard() };
    let mut strategy = StrategyArguments::default();
    let (mut input, mut output, mut report, mut written_choices) = (None, None, None, None);
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Short('h') | Long("help") => return Ok(None),
            Short('o') | Long("output") => output = Some(path(parser)?),
            Long("report") => report = Some(path(parser)?),
            Long("write-choices") => written_choices = Some(path(parser)?),
            Long("choices") => options.compile.choices = read_choices(&path(parser)?)?,
            Long("time-limit") => options.time_limit = seconds(&text(parser)?)?,
            Long("runs") => options.runs = positive("--runs", &text(parser)?)?,
            Long("cache") => options.cache = Some(path(parser)?),
            Long("no-cache") => options.cache = None,
            Short(letter) => {
                accept_preprocessing(&mut options.compile, &letter.to_string(), parser)?;
            }
            Long("autodetect") => options.compile.front_end.autodetect = true,
            Long(name) => {
                let name = name.to_string();
                if !accept_program(&mut options.program, &name, parser)? {
                    accept_choice(&mut options.compile, &mut strategy, &name, parser)?;
                }
            }
            other => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("tune", parser.given())?;
    options.compile.strategy = strategy.strategy().map_err(usage_error)?;
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    if report.as_ref().is_some_and(|path: &PathBuf| path.extension().is_none_or(|e| e != "json")) {
        return Err(usage_error("the report of a search is JSON: --report OUT.json"));
    }
    Ok(Some(Request { input, output, report, written_choices, options }))
}

/// Takes an option about the program, unless it is none.
fn accept_program(
    program: &mut ProgramOptions,
    name: &str,
    parser: &mut Arguments,
) -> Result<bool, Failure> {
    let words = |text: String| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    match name {
        "cc" => {
            program.compiler = compiler_words(&text(parser)?);
            if program.compiler.is_empty() {
                return Err(usage_error("--cc takes a compiler with its flags"));
            }
        }
        "nvcc" => {
            program.nvcc = words(text(parser)?);
            if program.nvcc.is_empty() {
                return Err(usage_error("--nvcc takes a compiler with its flags"));
            }
        }
        "with" => program.sources.push(path(parser)?),
        "link" => program.libraries.push(text(parser)?),
        "run-args" => program.arguments.extend(words(text(parser)?)),
        "threads" => {
            let threads = positive("--threads", &text(parser)?)?;
            program.environment.push(("OMP_NUM_THREADS".to_string(), threads.to_string()));
        }
        "time" => {
            program.timing = match text(parser)?.as_str() {
                "process" => Timing::Process,
                "printed" => Timing::Printed,
                other => {
                    let message = format!("--time takes one of process, printed, not `{other}`");
                    return Err(usage_error(message));
                }
            };
        }
        _ => return Ok(false),
    }
    Ok(true)
}

fn positive(option: &str, text: &str) -> Result<usize, Failure> {
    match text.parse() {
        Ok(n) if (1..=10_000).contains(&n) => Ok(n),
        _ => Err(usage_error(format!("{option} takes a number from 1 to 10000, not `{text}`"))),
    }
}

fn seconds(text: &str) -> Result<Duration, Failure> {
    match text.parse::<u64>() {
        Ok(n) if (1..=1_000_000).contains(&n) => Ok(Duration::from_secs(n)),
        _ => Err(usage_error(format!("--time-limit takes a number of seconds, not `{text}`"))),
    }
}

/// The user's folder for what can be made again.
fn default_cache() -> Option<PathBuf> {
    let folder = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let base = folder("XDG_CACHE_HOME").or_else(|| folder("HOME").map(|home| home.join(".cache")));
    base.map(|base| base.join("loopwright/tune"))
}
