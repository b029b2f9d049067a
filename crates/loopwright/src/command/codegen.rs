//! `loopwright codegen`.
use super::arguments::Arguments;
use super::code_options::CodeArguments;
use super::compile::{choice, text};
use super::{print_remarks, print_text, read_text, usage_error, without_effect};
use loopwright::{CodeFormat, CodegenOptions, Failure, StrategyArguments, codegen_file};
use loopwright_astgen::{Separation, Strategy};
use std::path::PathBuf;

const USAGE: &str = "\
usage: loopwright codegen FILE [options]

Prints code for a schedule in isl's notation: a schedule tree (.st), or a flat schedule, a context
and options (.in). The code is checked against the schedule, by a proof or, where that takes too
long, by running it for some values of the parameters; the result is reported.

  --format c|tree|json         C (default), an outline of the syntax tree, or JSON
  --no-macros                  C without definitions of min, max and floord
  --no-verify                  no check
  --iterators NAME,NAME,...    names of the iterators, from the outermost loop in
  --iterator-type TYPE         the C type of iterators (default: long)
  --always-print-block         braces around every body
  --no-outermost-block         no braces around the whole text
  --assume '[n] -> { : n >= 8 }'
                               code of its own for these values of the parameters, chosen at run time

Options of the generator (docs/codegen.md says what each of them does, with isl's names):
  --no-atomic-upper-bound      conditions of loops may be conjunctions
  --no-prefer-pdiv             floord instead of divisions and remainders of C
  --no-exploit-nested-bounds   conditions also where loops would run zero times
  --separation-bounds explicit|implicit
                               whether `separate` also cuts at bounds that follow from inner loops
  --no-scale-strides           iterators keep a common factor of the schedule
  --no-else                    no else
  --no-or                      no disjunctions in conditions
  --group-coscheduled          statements at the same point of the schedule share loops
  --detect-min-max             min and max instead of conditional expressions, where possible
  --single-bounds              no min and max in bounds; loops are split
  --most-pieces N              the most loops that the values of an innermost dimension are cut into
  --strategy components|separation|kelly-pugh|bounding-box|hull
                               how the values of the schedule dimensions are cut into loops
  --separate-from N, --separate-to N
                               separation, kelly-pugh: cut loops apart at dimensions N, N+1, ...,
                               and before dimension N (counted from 0); conditions elsewhere
  --remove-dead-loops          separation: split loops also where a loop inside would be empty
  --copy-cost N                separation: cut loops apart only where each copy of a statement saves
                               more than N evaluations of conditions, for a typical size
  --sequential-levels K        separation: the first K dimensions carry all dependences; below,
                               every statement gets a parallel nest of its own
";

const FORMATS: [(&str, CodeFormat); 3] =
    [("c", CodeFormat::C), ("tree", CodeFormat::Tree), ("json", CodeFormat::Json)];

/// Runs the command with the arguments that are left.
pub(super) fn run(mut parser: Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let (mut input, mut without_macros) = (None, false);
    let mut request = CodegenOptions::STANDARD;
    let mut strategy = StrategyArguments::default();
    let mut code = CodeArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(USAGE),
            Long("format") => {
                request.format = choice("--format", &text(&mut parser)?, &FORMATS)?;
            }
            Long("no-macros") => without_macros = true,
            Long("no-verify") => request.verify = false,
            Long(name) => {
                let name = name.to_string();
                if let Some(needs) = StrategyArguments::takes_value(&name) {
                    let value = needs.then(|| text(&mut parser)).transpose()?;
                    strategy.set(&name, value.as_deref()).map_err(usage_error)?;
                } else if !code.accept(&name, &mut parser)? {
                    return Err(usage_error(Long(&name).unexpected()));
                }
            }
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check("codegen", parser.given())?;
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
