//! `loopwright machine`.
use super::arguments::Arguments;
use super::streams::{print_text, read_text};
use super::usage::usage_error;
use super::without_effect;
use loopwright::Failure;
use loopwright_machine::{Described, DescribedDevice, DescriptionError, Device};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Runs the command with the arguments that are left.
pub(super) fn run(parser: &mut Arguments) -> Result<(), Failure> {
    use lexopt::Arg::{Long, Short};
    let (mut files, mut generic, mut devices) = (Vec::new(), false, Vec::new());
    while let Some(argument) = parser.next().map_err(usage_error)? {
        match argument {
            Short('h') | Long("help") => return print_text(&parser.help()),
            Long("generic") => generic = true,
            Long("machine") => files.push(parser.value()),
            Long("device") => devices.push(parser.value()),
            other => return Err(usage_error(other.unexpected())),
        }
    }
    without_effect::check_and_say("machine", parser.given())?;
    if !devices.is_empty() {
        let start = DescribedDevice::generic();
        let device = devices.into_iter().try_fold(start, overridden_device)?;
        return print_text(&device.to_string());
    }
    let start = if generic { Described::generic() } else { Described::detect() };
    let machine = files.into_iter().try_fold(start, overridden)?;
    print_text(&machine.to_string())
}

/// This machine with the facts of the description that is the value of an option.
pub(super) fn described(path: Result<OsString, lexopt::Error>) -> Result<Described, Failure> {
    overridden(Described::detect(), path)
}

fn overridden(
    machine: Described,
    path: Result<OsString, lexopt::Error>,
) -> Result<Described, Failure> {
    let path = PathBuf::from(path.map_err(usage_error)?);
    let name = path.display().to_string();
    let checked = machine.overridden(&read_text(&path)?, &name);
    checked.map_err(|e| wrong(&name, &e))
}

/// The device with a name, or a device with the facts of the description that is the value of an option.
pub(super) fn device(
    known: Device,
    value: Result<OsString, lexopt::Error>,
) -> Result<Device, Failure> {
    let value = PathBuf::from(value.map_err(usage_error)?);
    let name = value.display().to_string();
    match DescribedDevice::named(&name) {
        Some(named) => Ok(named.device),
        None => known.overridden(&description(&value)?).map_err(|e| wrong(&name, &e)),
    }
}

fn overridden_device(
    known: DescribedDevice,
    value: Result<OsString, lexopt::Error>,
) -> Result<DescribedDevice, Failure> {
    let value = PathBuf::from(value.map_err(usage_error)?);
    let name = value.display().to_string();
    match DescribedDevice::named(&name) {
        Some(named) => Ok(named),
        None => known.overridden(&description(&value)?, &name).map_err(|e| wrong(&name, &e)),
    }
}

/// The text of a description of a device.
fn description(path: &Path) -> Result<String, Failure> {
    read_text(path).map_err(|failure| {
        let names: Vec<&str> = DescribedDevice::names().collect();
        failure.with_notes(vec![format!("devices with names are {}", names.join(", "))])
    })
}

fn wrong(name: &str, error: &DescriptionError) -> Failure {
    Failure::refused(format!("{name}: {error}"))
}
