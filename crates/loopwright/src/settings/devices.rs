//! What is chosen for regions that run on a device with its own memory.
use crate::settings::options::CompileOptions;
use loopwright_backend::device::DeviceMemory;
use loopwright_device::GivenSizes;
use loopwright_machine::Device;

/// The options of this module that take a value.
pub(crate) const OPTIONS: [&str; 1] = ["sizes"];

/// All choices about devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceOptions {
    /// The device that the kernels are to be fast on.
    pub device: Device,
    /// Whether regions run on it whatever their sizes are.
    pub always: bool,
    /// Sizes of kernels instead of those of the model.
    pub sizes: Option<GivenSizes>,
    /// Whether the code has the kernels and what launches them at its end, and there is no second file: with OpenCL only.
    pub embedded: bool,
    /// Whether memory of the device is such that the host has it as well, and the run-time system moves it.
    pub unified_memory: bool,
}

impl DeviceOptions {
    /// How memory of the device is allocated.
    pub(crate) fn memory(&self) -> DeviceMemory {
        if self.unified_memory { DeviceMemory::Unified } else { DeviceMemory::Own }
    }
}

/// Sets one of [`OPTIONS`].
///
/// # Errors
/// In words, if the value is none for it.
pub(crate) fn set(options: &mut CompileOptions, name: &str, value: &str) -> Result<(), String> {
    let sizes = GivenSizes::parse(value).map_err(|error| format!("--{name}: {error}"))?;
    options.devices.sizes = Some(sizes);
    Ok(())
}

/// The choices as names and values, without those that are as always.
pub(crate) fn settings(options: &DeviceOptions) -> Vec<(String, String)> {
    let sizes = options.sizes.iter();
    sizes.map(|sizes| ("sizes".to_string(), sizes.text().to_string())).collect()
}
