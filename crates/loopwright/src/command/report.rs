//! `loopwright report`.
use super::arguments::Arguments;
use super::ended::Ended;
use super::program_options::{accept_choice, accept_preprocessing};
use super::results::distinct_results;
use super::streams::{print_remarks, print_text, write_text};
use super::usage::{choice, usage_error};
use super::values::{output_path, text};
use super::without_effect;
use loopwright::{CompileOptions, Diagnostic, Failure, StrategyArguments, Survey};
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
    output: Option<PathBuf>,
    format: Format,
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
    let n_inputs = request.inputs.len();
    let mut progress = |position: usize, path: &Path| {
        if console.shows_progress() && n_inputs > 1 {
            print_remarks(&format!("\r\x1b[K[{}/{n_inputs}] {}", position + 1, path.display()));
        }
    };
    let survey = Survey::with_progress(&request.inputs, &request.options, &mut progress);
    if console.shows_progress() && n_inputs > 1 {
        print_remarks("\r\x1b[K");
    }
    if !console.is_text() {
        unsaid.extend(survey.diagnostics());
    }
    Ended::with(unsaid, written(&request, &survey))
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

/// The request; none if the user asks how to make one.
fn parse(parser: &mut Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut request = Request {
        inputs: Vec::new(),
        output: None,
        format: Format::Text,
        options: CompileOptions::new(),
        remarks: Vec::new(),
    };
    let mut strategy = StrategyArguments::default();
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
            Short('h') | Long("help") => return Ok(None),
            Short(letter) => {
                accept_preprocessing(&mut request.options, &letter.to_string(), parser)?;
            }
            Long("no-verify") => request.options.verify = false,
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut request.options, &mut strategy, &name, parser)?;
            }
        }
    }
    request.remarks = without_effect::check("report", parser.given())?;
    request.options.strategy = strategy.strategy().map_err(usage_error)?;
    if request.inputs.is_empty() {
        return Err(usage_error("no input file"));
    }
    for input in &request.inputs {
        distinct_results(input, &[("the report", &request.output)])?;
    }
    Ok(Some(request))
}
