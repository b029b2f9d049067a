//! `loopwright cc`.
use super::arguments::{Arguments, is_about_messages};
use super::ended::Ended;
use super::profile_options::ProfileArguments;
use super::program_options::accept_choice;
use super::streams::{print_text, write_text};
use super::usage::usage_error;
use super::values::{path, text};
use super::without_effect;
use loopwright::cc::{BuildSummary, JOB_VARIABLE, Wrapper, run as run_wrapper, transform_unit};
use loopwright::signals::wait_for_end;
use loopwright::{CompileOptions, Failure, StrategyArguments};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The environment variable with further options, as a shell takes them.
const OPTIONS_VARIABLE: &str = "LOOPWRIGHT_CC_OPTIONS";

/// The environment variable that asks for a line about each source.
const VERBOSE_VARIABLE: &str = "LOOPWRIGHT_VERBOSE";

/// The longest time for the transformation of a source, in seconds.
const TIME_LIMIT: u64 = 10;

/// The words in front of those of the command line.
pub(super) fn words_of_environment() -> Vec<OsString> {
    let words = std::env::var(OPTIONS_VARIABLE).ok();
    let words = words.and_then(|words| shell_words::split(&words).ok()).unwrap_or_default();
    words.into_iter().map(OsString::from).collect()
}

struct Request {
    wrapper: Wrapper,
    compile: CompileOptions,
    /// The folder with the reports of a build that is summed up.
    summary: Option<PathBuf>,
}

/// Runs the command with the arguments that are left; ends the process with the status of the compiler.
pub(super) fn run(parser: &mut Arguments) -> Ended {
    let request = match parse(parser) {
        Ok(Some(request)) => request,
        Ok(None) => return print_text(&parser.help()).into(),
        Err(failure) => return Err(failure).into(),
    };
    if let Some(job) = std::env::var_os(JOB_VARIABLE) {
        return transform_unit(Path::new(&job), &request.compile).into();
    }
    if let Some(folder) = &request.summary {
        return summed_up(folder).into();
    }
    if request.wrapper.command.is_empty() {
        return Err(usage_error("no compiler")).into();
    }
    match run_wrapper(&request.wrapper) {
        Ok(status) => {
            wait_for_end();
            std::process::exit(status)
        }
        Err(error) => {
            let compiler = request.wrapper.command[0].to_string_lossy().into_owned();
            Err(Failure::refused(format!("cannot run {compiler}: {error}"))).into()
        }
    }
}

/// Prints what was done in a build, and writes a page about it.
fn summed_up(folder: &Path) -> Result<(), Failure> {
    let summary = BuildSummary::of(folder)?;
    write_text(&folder.join("index.html"), &summary.to_html())?;
    print_text(&summary.to_string())
}

/// The request; none if the user asks how to make one.
fn parse(parser: &mut Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut compile = CompileOptions::new();
    let mut strategy = StrategyArguments::default();
    let (mut command, mut report, mut summary) = (Vec::new(), None, None);
    let (mut limit, mut keeps) = (TIME_LIMIT, true);
    let mut profiling = ProfileArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(compiler) => {
                command.push(compiler);
                command.extend(parser.rest().map_err(usage_error)?);
                break;
            }
            Short('h') | Long("help") => return Ok(None),
            Short(letter) => return Err(usage_error(format!("invalid option '-{letter}'"))),
            Long("loopwright-report") => report = Some(absolute(path(parser)?)),
            Long("summary") => summary = Some(path(parser)?),
            Long("no-cache") => keeps = false,
            Long("time-limit") => limit = seconds(&text(parser)?)?,
            Long("no-verify") => compile.verify = false,
            Long(name) if profiling.accepts(name) => {
                let name = name.to_string();
                profiling.accept(&name, parser)?;
            }
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut compile, &mut strategy, &name, parser)?;
            }
        }
    }
    without_effect::check("cc", parser.given())?;
    compile.profiling = profiling.profiling()?;
    compile.strategy = strategy.strategy().map_err(usage_error)?;
    let choices = parser.given().iter().filter(|given| !is_about_messages(&given.name));
    let options = choices.flat_map(|given| {
        std::iter::once(format!("--{}", given.name)).chain(given.value.clone()).map(OsString::from)
    });
    let options = options.collect();
    let cache = keeps.then(cache_folder).flatten();
    let limit = Duration::from_secs(limit);
    let files = compile.profiling.identity();
    let says =
        parser.console().says(std::env::var_os(VERBOSE_VARIABLE).is_some_and(|v| !v.is_empty()));
    let wrapper = Wrapper { command, options, files, report, says, cache, limit };
    Ok(Some(Request { wrapper, compile, summary }))
}

fn seconds(text: &str) -> Result<u64, Failure> {
    match text.parse() {
        Ok(seconds) if seconds > 0 => Ok(seconds),
        _ => Err(usage_error(format!("--time-limit takes a number of seconds, not `{text}`"))),
    }
}

fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

/// Where answers are kept: `$LOOPWRIGHT_CACHE`, or `loopwright/cc` among the user's caches.
fn cache_folder() -> Option<PathBuf> {
    let folder =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder("LOOPWRIGHT_CACHE").or_else(|| {
        let caches = folder("XDG_CACHE_HOME").or_else(|| Some(folder("HOME")?.join(".cache")));
        Some(caches?.join("loopwright/cc"))
    })
}
