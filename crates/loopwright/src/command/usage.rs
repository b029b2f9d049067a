//! What is wrong with a command line.
use loopwright::{Failure, one_of};

/// The error for a command line that cannot be understood.
pub(super) fn usage_error(error: impl std::fmt::Display) -> Failure {
    Failure::usage(error.to_string()).with_help(
        "`loopwright --help` lists the commands, `loopwright COMMAND --help` its options",
    )
}

/// What a word means.
///
/// # Errors
/// In words, with those that there are.
pub(super) fn choice<T: Clone>(
    option: &str,
    value: &str,
    choices: &[(&str, T)],
) -> Result<T, String> {
    let found = choices.iter().find(|(name, _)| *name == value);
    let names = || choices.iter().map(|(name, _)| *name);
    found.map(|(_, meaning)| meaning.clone()).ok_or_else(|| one_of(option, value, names()))
}
