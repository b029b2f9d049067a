//! What is chosen for regions that run on a device with its own memory.
use crate::settings::options::CompileOptions;
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
