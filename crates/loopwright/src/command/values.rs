//! Values of options.
use super::arguments::Arguments;
use super::usage::usage_error;
use loopwright::Failure;
use std::path::PathBuf;

/// A text.
pub(super) fn text(parser: &mut Arguments) -> Result<String, Failure> {
    let value = parser.value().map_err(usage_error)?;
    value.into_string().map_err(|value| usage_error(format!("{value:?} is not a text")))
}

/// The name of a file or folder.
pub(super) fn path(parser: &mut Arguments) -> Result<PathBuf, Failure> {
    parser.value().map(PathBuf::from).map_err(usage_error)
}

/// The file that an option names for a result; none for `-`, which is the standard output.
pub(super) fn output_path(parser: &mut Arguments) -> Result<Option<PathBuf>, Failure> {
    let path = PathBuf::from(parser.value().map_err(usage_error)?);
    Ok(Some(path).filter(|path| path.as_os_str() != "-"))
}
