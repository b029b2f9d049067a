//! The options of generated code and of its text.
use super::arguments::Arguments;
use super::usage::{choice, usage_error};
use super::values::text;
use loopwright::{CodegenOptions, Failure};
use loopwright_astgen::{Options, PrintOptions, SeparationBounds};
use loopwright_presburger::Set;

const SEPARATION_BOUNDS: [(&str, SeparationBounds); 2] =
    [("explicit", SeparationBounds::Explicit), ("implicit", SeparationBounds::Implicit)];

/// What the command line says about the code.
#[derive(Clone, Debug)]
pub(super) struct CodeArguments {
    pub(super) options: Options,
    pub(super) print: PrintOptions,
    pub(super) iterators: Vec<String>,
    pub(super) assumed: Option<Set>,
}

impl Default for CodeArguments {
    fn default() -> Self {
        let (options, print) = (Options::STANDARD, CodegenOptions::STANDARD.print);
        CodeArguments { options, print, iterators: Vec::new(), assumed: None }
    }
}

impl CodeArguments {
    /// Takes the option `name` with its value, unless it is none of these.
    pub(super) fn accept(&mut self, name: &str, parser: &mut Arguments) -> Result<bool, Failure> {
        let CodeArguments { options, print, iterators, assumed } = self;
        match name {
            "no-atomic-upper-bound" => options.atomic_upper_bound = false,
            "no-prefer-pdiv" => options.prefer_pdiv = false,
            "no-exploit-nested-bounds" => options.exploit_nested_bounds = false,
            "separation-bounds" => {
                options.separation_bounds =
                    choice("--separation-bounds", &text(parser)?, &SEPARATION_BOUNDS)
                        .map_err(usage_error)?;
            }
            "no-scale-strides" => options.scale_strides = false,
            "no-else" => options.allow_else = false,
            "no-or" => options.allow_or = false,
            "group-coscheduled" => options.group_coscheduled = true,
            "detect-min-max" => options.detect_min_max = true,
            "single-bounds" => options.single_bounds = true,
            "most-pieces" => options.most_pieces = most_pieces(&text(parser)?)?,
            "always-print-block" => print.always_print_block = true,
            "no-outermost-block" => print.print_outermost_block = false,
            "iterator-type" => print.iterator_type = iterator_type(text(parser)?)?.into(),
            "assume" => *assumed = Some(assumption(&text(parser)?)?),
            "iterators" => *iterators = identifiers(&text(parser)?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

fn most_pieces(text: &str) -> Result<usize, Failure> {
    match text.parse() {
        Ok(n) if n > 0 => Ok(n),
        _ => Err(usage_error(format!("--most-pieces takes a positive number, not `{text}`"))),
    }
}

/// Whether a text can be the name of something in C.
fn is_identifier(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_part)
}

/// A type of one or more words, such as `unsigned long`.
fn iterator_type(text: String) -> Result<String, Failure> {
    let mut words = text.split(' ');
    match words.all(is_identifier) {
        true => Ok(text),
        false => Err(usage_error(format!("--iterator-type takes a type of C, not `{text}`"))),
    }
}

fn identifiers(text: &str) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_string()).collect();
    match names.iter().find(|name| !is_identifier(name)) {
        None => Ok(names),
        Some(name) => Err(usage_error(format!("--iterators: `{name}` is no name in C"))),
    }
}

/// A set of values of the parameters.
fn assumption(text: &str) -> Result<Set, Failure> {
    match Set::parse(text) {
        Ok(set) if set.space().is_params() => Ok(set),
        Ok(_) => Err(usage_error(format!("--assume takes a set of parameters, not `{text}`"))),
        Err(error) => Err(usage_error(format!("--assume: {error}"))),
    }
}
