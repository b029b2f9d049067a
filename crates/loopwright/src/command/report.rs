//! `loopwright report`.
use super::arguments::Arguments;
use super::compile::{accept_choice, choice, distinct_results, text};
use super::program_options::accept_preprocessing;
use super::{output_path, print_text, usage_error, without_effect, write_text};
use loopwright::{CompileOptions, Failure, StrategyArguments, Survey};
use std::path::PathBuf;

const USAGE: &str = "\
usage: loopwright report FILE.c... [options]

Lists every loop of every function, with and without pragmas: whether it is parallel or tiled, or all
reasons why it is refused and what can be done about them; and how often which cause refuses loops.

  --format text|json|html      how it is written (default text)
  -o, --output FILE            where it is written (standard output otherwise)
  --no-verify                  leave out the proofs
  --machine FILE, --fuse smart and the other choices of `loopwright compile`
  --assume-no-alias            pointers that may lead to the same memory never do
  --ctx '[n] -> { : n > 1 }'   what holds for symbolic constants, as a set in isl's notation
  --assume-non-negative-parameters
                               symbolic constants are not negative
  -I DIR, -D NAME[=VALUE]      as for the C compiler
";

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
}

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: Arguments) -> Result<(), Failure> {
    let Some(request) = parse(parser)? else { return print_text(USAGE) };
    for input in &request.inputs {
        distinct_results(input, &[("the report", &request.output)])?;
    }
    let survey = Survey::of(&request.inputs, &request.options);
    let written = match request.format {
        Format::Text => survey.to_string(),
        Format::Json => format!("{:#}\n", survey.to_json()),
        Format::Html => survey.to_html(),
    };
    match &request.output {
        Some(path) => write_text(path, &written)?,
        None => print_text(&written)?,
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
fn parse(mut parser: Arguments) -> Result<Option<Request>, Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut request = Request {
        inputs: Vec::new(),
        output: None,
        format: Format::Text,
        options: CompileOptions::new(),
    };
    let mut strategy = StrategyArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) => request.inputs.push(PathBuf::from(path)),
            Short('o') | Long("output") => {
                request.output = output_path(&mut parser)?;
            }
            Long("format") => {
                request.format = choice("--format", &text(&mut parser)?, &FORMATS)?;
            }
            Short('h') | Long("help") => return Ok(None),
            Short(letter) => {
                accept_preprocessing(&mut request.options, letter, &mut parser)?;
            }
            Long("no-verify") => request.options.verify = false,
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut request.options, &mut strategy, &name, &mut parser)?;
            }
        }
    }
    without_effect::check("report", parser.given())?;
    request.options.strategy = strategy.strategy().map_err(usage_error)?;
    if request.inputs.is_empty() {
        return Err(usage_error("no input file"));
    }
    Ok(Some(request))
}
