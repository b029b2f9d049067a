//! `loopwright codegen`.
use super::strategy::StrategyArguments;
use super::{print_text, read_text, usage_error};
use loopwright::{Failure, codegen_file};
use loopwright_astgen::Options;
use std::path::PathBuf;

const USAGE: &str = "\
usage: loopwright codegen FILE [options]

Prints C for a schedule in isl's notation: a schedule tree (.st), or a flat schedule, a context and
options (.in).

  --strategy components|separation|kelly-pugh
                               how the values of the schedule dimensions are cut into loops
  --separate-from N, --separate-to N
                               separation, kelly-pugh: cut loops apart at dimensions N, N+1, ...,
                               and before dimension N (counted from 0); conditions elsewhere
  --remove-dead-loops          separation: split loops also where a loop inside would be empty
  --sequential-levels K        separation: the first K dimensions carry all dependences; below,
                               every statement gets a parallel nest of its own
";

/// Runs the command with the arguments that are left.
pub(super) fn run(mut parser: lexopt::Parser) -> Result<(), Failure> {
    let mut input = None;
    let mut strategy = StrategyArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            lexopt::Arg::Short('h') | lexopt::Arg::Long("help") => return print_text(USAGE),
            lexopt::Arg::Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            lexopt::Arg::Long(name) => {
                let name = name.to_string();
                if !strategy.accept(&name, &mut parser)? {
                    return Err(usage_error(lexopt::Arg::Long(&name).unexpected()));
                }
            }
            other => return Err(usage_error(other.unexpected())),
        }
    }
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    let options = Options { strategy: strategy.strategy()?, ..Options::STANDARD };
    let text = codegen_file(&read_text(&input)?, &options)?;
    print_text(&text)
}
