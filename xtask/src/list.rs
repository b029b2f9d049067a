//! Lists in arguments.

/// The parts of a list with commas.
pub(crate) fn names(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.trim().to_string()).collect()
}
