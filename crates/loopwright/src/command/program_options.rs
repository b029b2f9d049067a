//! What the commands that read C are told about the program: how it is preprocessed, and what holds for it.
use super::arguments::Arguments;
use super::compile::text;
use super::machine::described;
use super::usage_error;
use loopwright::{CompileOptions, Failure};
use std::path::PathBuf;

/// Takes `-I` or `-D`.
pub(super) fn accept_preprocessing(
    options: &mut CompileOptions,
    letter: char,
    parser: &mut Arguments,
) -> Result<(), Failure> {
    match letter {
        'I' => {
            let folder = PathBuf::from(parser.value().map_err(usage_error)?);
            options.front_end.include_dirs.push(folder);
        }
        'D' => options.front_end.defines.push(text(parser)?),
        _ => return Err(usage_error(lexopt::Arg::Short(letter).unexpected())),
    }
    Ok(())
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
