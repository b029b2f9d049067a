//! `loopwright report`.
use super::arguments::Arguments;
use super::ended::Ended;
use super::profile_options::ProfileArguments;
use super::program_options::{accept_amounts, accept_choice, accept_preprocessing};
use super::results::distinct_results;
use super::streams::{print_remarks, print_text, write_text};
use super::usage::{choice, usage_error};
use super::values::{output_path, path, text};
use super::without_effect;
use loopwright::cc::survey_of_build;
use loopwright::{CompileOptions, Diagnostic, Failure, StrategyArguments, Survey, TimeData};
use loopwright_cfront::read_bytes;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Html,
}

const FORMATS: [(&str, Format); 3] =
    [("text", Format::Text), ("json", Format::Json), ("html", Format::Html)];

struct Request {
    inputs: Vec<PathBuf>,
    /// The folder of a build whose sources are looked at.
    build: Option<PathBuf>,
    /// Programs that its commands may run.
    allowed: Vec<OsString>,
    output: Option<PathBuf>,
    format: Format,
    /// Where a run spent its time.
    time: Option<TimeData>,
    options: CompileOptions,
    /// Remarks about options.
    remarks: Vec<Diagnostic>,
}

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Ended {
    let request = match parse(parser) {
        Ok(Some(request)) => request,
        Ok(None) => return print_text(&parser.help()).into(),
        Err(failure) => return Err(failure).into(),
    };
    let console = parser.console();
    let mut unsaid = console.say(request.remarks.clone());
    let survey = match survey(&request, console.shows_progress()) {
        Ok(survey) => survey,
        Err(failure) => return Ended::with(unsaid, Err(failure)),
    };
    let survey = match &request.time {
        Some(data) => survey.with_time(data),
        None => survey,
    };
    if !console.is_text() {
        unsaid.extend(survey.diagnostics());
    }
    Ended::with(unsaid, written(&request, &survey))
}

/// Looks at all files, or all sources of a build.
fn survey(request: &Request, shows_progress: bool) -> Result<Survey, Failure> {
    let shows = |n: usize| shows_progress && n > 1;
    let begin = |position: usize, n: usize, path: &Path| {
        if shows(n) {
            print_remarks(&format!("\r\x1b[K[{}/{n}] {}", position + 1, path.display()));
        }
    };
    let n_inputs = request.inputs.len();
    let survey = match &request.build {
        Some(build) => survey_of_build(build, &request.options, &request.allowed, &begin)?,
        None => Survey::with_progress(&request.inputs, &request.options, &mut |position, path| {
            begin(position, n_inputs, path);
        }),
    };
    if request.build.is_some() && shows_progress || shows(n_inputs) {
        print_remarks("\r\x1b[K");
    }
    Ok(survey)
}

/// Writes the survey; a failure if nothing can be said about a file.
fn written(request: &Request, survey: &Survey) -> Result<(), Failure> {
    let text = match request.format {
        Format::Text => survey.to_string(),
        Format::Json => format!("{:#}\n", survey.to_json()),
        Format::Html => survey.to_html(),
    };
    match &request.output {
        Some(path) => write_text(path, &text)?,
        None => print_text(&text)?,
    }
    let unread = survey.files.iter().filter(|file| file.is_unread());
    let unread: Vec<String> = unread.map(|file| file.path.display().to_string()).collect();
    match unread.is_empty() {
        true => Ok(()),
        false => Err(Failure::refused(format!("nothing can be said about {}", unread.join(", ")))
            .with_notes(["= the report has the reasons".to_string()])),
    }
}

/// What a profiler has written.
fn time_data(path: &Path) -> Result<TimeData, Failure> {
    let error = |message: String| Failure::refused(format!("{}: {message}", path.display()));
    let text = read_bytes(path).map_err(|e| error(e.to_string()))?;
    TimeData::parse(&String::from_utf8_lossy(&text)).map_err(error)
}

/// The request; none if the user asks how to make one.
fn parse(parser: &mut Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut request = Request {
        inputs: Vec::new(),
        build: None,
        allowed: Vec::new(),
        output: None,
        format: Format::Text,
        time: None,
        options: CompileOptions::new(),
        remarks: Vec::new(),
    };
    let mut strategy = StrategyArguments::default();
    let mut profile = ProfileArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) => request.inputs.push(PathBuf::from(path)),
            Short('o') | Long("output") => {
                request.output = output_path(parser)?;
            }
            Long("format") => {
                request.format =
                    choice("--format", &text(parser)?, &FORMATS).map_err(usage_error)?;
            }
            Long("time-data") => request.time = Some(time_data(&path(parser)?)?),
            Long("allow-compiler") => request.allowed.push(path(parser)?.into()),
            // All loops are looked at in any case.
            Long("autodetect") => {}
            Short('p') => request.build = Some(path(parser)?),
            Short('h') | Long("help") => return Ok(None),
            Short(letter) => {
                accept_preprocessing(&mut request.options, &letter.to_string(), parser)?;
            }
            Long(name) if profile.accepts(name) => {
                let name = name.to_string();
                profile.accept(&name, parser)?;
            }
            Long("no-verify") => request.options.verify = false,
            Long(name @ ("amounts" | "sizes")) => {
                let name = name.to_string();
                accept_amounts(&mut request.options, &name, parser)?;
            }
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut request.options, &mut strategy, &name, parser)?;
            }
        }
    }
    request.remarks = without_effect::check("report", parser.given())?;
    request.options.strategy = strategy.strategy().map_err(usage_error)?;
    request.options.profiling = profile.profiling()?;
    match (&request.build, request.inputs.is_empty()) {
        (None, true) => return Err(usage_error("no input file")),
        (Some(_), false) => return Err(usage_error("-p has the files of a build, so name none")),
        _ => {}
    }
    for input in &request.inputs {
        if input.is_dir() {
            return Err(Failure::refused(format!("{} is a folder", input.display())).with_help(
                "`-p FOLDER` takes the files of a build from its compile_commands.json; otherwise name files of C",
            ));
        }
        distinct_results(input, &[("the report", &request.output)])?;
    }
    Ok(Some(request))
}
