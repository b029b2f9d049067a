//! Targets whose result is two files.
use super::arguments::Given;
use super::without_effect::text;

/// Why a command cannot have kernels: they are in a file beside the code.
pub(super) fn why_not(command: &str, given: &[Given]) -> Option<String> {
    let is_device = |option: &&Given| {
        let value = option.value.as_deref();
        option.name == "target" && value.is_some_and(|value| ["cuda", "opencl"].contains(&value))
    };
    let option = given.iter().find(is_device).filter(|_| command != "compile")?;
    Some(format!("{} makes a second file: only `loopwright compile` writes it", text(option)))
}
