//! What the commands that read C are told about the program: how it is preprocessed, and what holds for it.
use super::arguments::Arguments;
use super::compile::text;
use super::machine::described;
use super::usage_error;
use loopwright::{CompileOptions, Failure};
use std::path::PathBuf;

/// Whether an option is one of those that the preprocessor takes.
pub(super) fn is_about_preprocessing(name: &str) -> bool {
    matches!(name, "I" | "D" | "U" | "isystem" | "include" | "std")
}

/// Takes an option for the preprocessor.
pub(super) fn accept_preprocessing(
    options: &mut CompileOptions,
    name: &str,
    parser: &mut Arguments,
) -> Result<(), Failure> {
    let front_end = &mut options.front_end;
    match name {
        "I" => front_end.include_dirs.push(path(parser)?),
        "isystem" => front_end.system_dirs.push(path(parser)?),
        "include" => front_end.included.push(path(parser)?),
        "D" => front_end.defines.push(text(parser)?),
        "U" => front_end.undefines.push(text(parser)?),
        "std" => front_end.standard = Some(text(parser)?),
        _ => return Err(usage_error(format!("invalid option '-{name}'"))),
    }
    Ok(())
}

fn path(parser: &mut Arguments) -> Result<PathBuf, Failure> {
    parser.value().map(PathBuf::from).map_err(usage_error)
}

/// Takes what is said about the program or the machine under a name; whether it is such a name.
pub(super) fn accept_fact(
    options: &mut CompileOptions,
    name: &str,
    parser: &mut Arguments,
) -> Result<bool, Failure> {
    match name {
        "assume-no-alias" => options.front_end.assume_no_alias = true,
        "ctx" => options.context = Some(text(parser)?),
        "assume-non-negative-parameters" => options.non_negative_parameters = true,
        "machine" => options.machine = described(parser.value())?.machine,
        _ => return Ok(false),
    }
    Ok(true)
}
