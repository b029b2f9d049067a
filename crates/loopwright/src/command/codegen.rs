//! `loopwright codegen`.
use super::arguments::Arguments;
use super::code_options::CodeArguments;
use super::streams::{print_remarks, print_text, read_text};
use super::usage::{choice, usage_error};
use super::values::text;
use super::without_effect;
use loopwright::{CodeFormat, CodegenOptions, Failure, StrategyArguments, codegen_file};
use loopwright_astgen::{Separation, Strategy};
use std::path::PathBuf;

const FORMATS: [(&str, CodeFormat); 3] =
    [("c", CodeFormat::C), ("tree", CodeFormat::Tree), ("json", CodeFormat::Json)];

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let (mut input, mut without_macros) = (None, false);
    let mut request = CodegenOptions::STANDARD;
    let mut strategy = StrategyArguments::default();
    let mut code = CodeArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(&parser.help()),
            Long("format") => {
                request.format =
                    choice("--format", &text(parser)?, &FORMATS).map_err(usage_error)?;
            }
            Long("no-macros") => without_macros = true,
            Long("no-verify") => request.verify = false,
            Long(name) => {
                let name = name.to_string();
                if let Some(needs) = StrategyArguments::takes_value(&name) {
                    let value = needs.then(|| text(parser)).transpose()?;
                    strategy.set(&name, value.as_deref()).map_err(usage_error)?;
                } else if !code.accept(&name, parser)? {
                    return Err(usage_error(Long(&name).unexpected()));
                }
            }
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("codegen", parser.given())?;
    if without_macros && request.format == CodeFormat::C {
        request.format = CodeFormat::CWithoutMacros;
    }
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let CodeArguments { options, print, iterators, assumed } = code;
    request = CodegenOptions { options, print, iterators, assumed, ..request };
    request.options.strategy = strategy.strategy().map_err(usage_error)?;
    if let Strategy::Separation(Separation { sequential_levels: Some(_), .. }) =
        request.options.strategy
    {
        // The order below the sequential levels is the user's claim, not the schedule's.
        request.verify = false;
    }
    let code = codegen_file(&read_text(&input)?, &request)?;
    print_text(&code.text)?;
    if request.verify {
        print_remarks(&format!("{}: {}\n", input.display(), code.verdict));
    }
    Ok(())
}
