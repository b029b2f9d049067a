//! `loopwright explain`.
use super::arguments::Arguments;
use super::compile::accept_choice;
use super::program_options::accept_preprocessing;
use super::{print_text, usage_error, without_effect};
use loopwright::{CompileOptions, Failure, StrategyArguments, explain_file};
use loopwright_cfront::Code;
use std::path::{Path, PathBuf};

const USAGE: &str = "\
usage: loopwright explain FILE.c[:LINE] [options]
       loopwright explain CF12

Tells for the loops of FILE.c, or those at a line, why they are or are not parallel, tilable and
fused: the dependence with two instances of statements, the element on which they meet and the
distance, and what became of it in the result. Or tells what the code of a diagnostic means.

  --machine FILE, --fuse smart and the other choices of `loopwright compile`
  --assume-no-alias            pointers that may lead to the same memory never do
  --ctx '[n] -> { : n > 1 }'   what holds for symbolic constants, as a set in isl's notation
  --assume-non-negative-parameters
                               symbolic constants are not negative
  -I DIR, -D NAME[=VALUE]      as for the C compiler
";

/// Runs the command with the arguments that are left.
pub(super) fn run(mut parser: Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short, Value};
    let mut input = None;
    let mut options = CompileOptions::new();
    let mut strategy = StrategyArguments::default();
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Value(path) if input.is_none() => input = Some(PathBuf::from(path)),
            Value(path) => {
                return Err(usage_error(format!("a second input file: {}", path.display())));
            }
            Short('h') | Long("help") => return print_text(USAGE),
            Short(letter) => {
                accept_preprocessing(&mut options, letter, &mut parser)?;
            }
            Long(name) => {
                let name = name.to_string();
                accept_choice(&mut options, &mut strategy, &name, &mut parser)?;
            }
        }
    }
    without_effect::check("explain", parser.given())?;
    options.strategy = strategy.strategy().map_err(usage_error)?;
    let input = input.ok_or_else(|| usage_error("no input file"))?;
    if let Some(code) = input.to_str().and_then(Code::parse).filter(|_| !input.exists()) {
        without_effect::none_but_input(parser.given(), "the meaning of a code depends on nothing")?;
        return print_text(&format!("{}\n", code.documentation()));
    }
    let (path, line) = place(&input);
    print_text(&explain_file(&path, line, &options)?)
}

/// The file and the line of `FILE.c:LINE`.
fn place(input: &Path) -> (PathBuf, Option<u32>) {
    let text = input.to_string_lossy();
    match text.rsplit_once(':') {
        Some((path, line)) if !input.exists() => match line.parse() {
            Ok(line) => (PathBuf::from(path), Some(line)),
            Err(_) => (input.to_path_buf(), None),
        },
        _ => (input.to_path_buf(), None),
    }
}
