//! Targets whose result is two files, and options that are about them.
use super::arguments::Given;
use super::without_effect::{own_name, text};

/// Options about devices.
const OF_DEVICES: [&str; 4] = ["device", "device-always", "max-shared-memory", "sizes of kernels"];

/// Commands that print what would become of a region, and write nothing.
const ONLY_TOLD: [&str; 1] = ["explain"];

/// Why a command cannot have kernels, which are in a file beside the code; or an option about devices where there is none.
pub(super) fn why_not(command: &str, given: &[Given]) -> Option<String> {
    let is_device = |option: &&Given| {
        let value = option.value.as_deref();
        option.name == "target" && value.is_some_and(|value| ["cuda", "opencl"].contains(&value))
    };
    let device = given.iter().find(is_device);
    // A file of choices may say what the target of a region is.
    let may_have_device = device.is_some() || given.iter().any(|option| option.name == "choices");
    if let Some(option) = device.filter(|_| command != "compile" && !ONLY_TOLD.contains(&command)) {
        return Some(format!(
            "{} makes a second file: only `loopwright compile` writes it",
            text(option)
        ));
    }
    let about_devices = |option: &&Given| OF_DEVICES.contains(&own_name(option));
    let option =
        given.iter().find(about_devices).filter(|_| !may_have_device && command != "machine")?;
    Some(format!("{} has no effect: it goes with --target cuda or opencl", text(option)))
}
