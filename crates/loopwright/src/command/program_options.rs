//! What the commands that read C are told about the program: how it is preprocessed, and what holds for it.
use super::arguments::Arguments;
use super::machine::{described, device};
use super::streams::read_text;
use super::usage::usage_error;
use super::values::{path, text};
use loopwright::amounts::Sizes;
use loopwright::{Choices, CompileOptions, Failure, StrategyArguments};
use std::path::Path;

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

/// Takes what is said about the program or the machine under a name; whether it is such a name.
pub(super) fn accept_fact(
    options: &mut CompileOptions,
    name: &str,
    parser: &mut Arguments,
) -> Result<bool, Failure> {
    match name {
        "assume-no-alias" => options.front_end.assume_no_alias = true,
        "pure" => options.front_end.pure_functions.extend(function_names(&text(parser)?)?),
        "ctx" => options.context = Some(text(parser)?),
        "assume-non-negative-parameters" => options.non_negative_parameters = true,
        "assume-readable" => options.assume_readable = true,
        "machine" => options.machine = described(parser.value())?.machine,
        "device" => {
            options.devices.device = device(options.devices.device.clone(), parser.value())?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

/// Whether the value of `--sizes` is about kernels, in isl's notation, and not about symbolic constants.
pub(super) fn is_about_kernels(text: &str) -> bool {
    text.trim_start().starts_with(['{', '['])
}

/// Takes an option about the amounts that reports have, or the sizes of kernels.
pub(super) fn accept_amounts(
    options: &mut CompileOptions,
    name: &str,
    parser: &mut Arguments,
) -> Result<(), Failure> {
    match name {
        "amounts" => options.amounts = Some(options.amounts.take().unwrap_or_default()),
        "sizes" => {
            let text = text(parser)?;
            if is_about_kernels(&text) {
                return options.set(name, Some(&text)).map_err(usage_error);
            }
            let sizes = Sizes::parse(&text);
            options.amounts = Some(sizes.map_err(|error| usage_error(error.to_string()))?);
        }
        _ => return Err(usage_error(format!("invalid option '--{name}'"))),
    }
    Ok(())
}

/// Takes an option about the program or the machine, and nothing else.
pub(super) fn accept_about_program(
    options: &mut CompileOptions,
    name: &str,
    parser: &mut Arguments,
) -> Result<(), Failure> {
    if is_about_preprocessing(name) {
        return accept_preprocessing(options, name, parser);
    }
    match accept_fact(options, name, parser)? {
        true => Ok(()),
        false => Err(usage_error(lexopt::Arg::Long(name).unexpected())),
    }
}

/// Whether `--format` asks for JSON and not for text.
pub(super) fn is_json(parser: &mut Arguments) -> Result<bool, Failure> {
    match text(parser)?.as_str() {
        "text" => Ok(false),
        "json" => Ok(true),
        word => Err(usage_error(format!("--format takes one of text, json, not '{word}'"))),
    }
}

/// Takes a choice of a compilation, or what is said about the program or the machine.
pub(super) fn accept_choice(
    options: &mut CompileOptions,
    strategy: &mut StrategyArguments,
    name: &str,
    parser: &mut Arguments,
) -> Result<(), Failure> {
    if accept_fact(options, name, parser)? {
        return Ok(());
    }
    if is_about_preprocessing(name) {
        return accept_preprocessing(options, name, parser);
    }
    let needs = CompileOptions::takes_value(name)
        .or(StrategyArguments::takes_value(name))
        .ok_or_else(|| usage_error(lexopt::Arg::Long(name).unexpected()))?;
    let value = needs.then(|| text(parser)).transpose()?;
    match StrategyArguments::takes_value(name) {
        Some(_) => strategy.set(name, value.as_deref()),
        None => options.set(name, value.as_deref()),
    }
    .map_err(usage_error)
}

/// A file of choices.
pub(super) fn read_choices(path: &Path) -> Result<Choices, Failure> {
    Choices::parse(&read_text(path)?)
        .map_err(|error| Failure::refused(format!("{}: {error}", path.display())))
}

/// The names of functions in a list.
fn function_names(list: &str) -> Result<Vec<String>, Failure> {
    let is_name = |name: &&str| {
        let is_start = |c: char| c == '_' || c.is_ascii_alphabetic();
        name.starts_with(is_start) && name.chars().all(|c| is_start(c) || c.is_ascii_digit())
    };
    let names: Vec<&str> = list.split(',').map(str::trim).collect();
    match names.iter().find(|name| !is_name(name)) {
        Some(wrong) => Err(usage_error(format!("'{wrong}' in --pure is no name of a function"))),
        None => Ok(names.into_iter().map(str::to_string).collect()),
    }
}
