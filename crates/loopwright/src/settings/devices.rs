//! What is chosen for regions that run on a device with its own memory.
use crate::settings::options::CompileOptions;
use loopwright_device::{GivenSizes, ThreadResults};
use loopwright_machine::Device;

/// The options of this module that take a value.
pub(crate) const OPTIONS: [&str; 2] = ["sizes", "thread-results"];

/// The values of `thread-results`.
const RESULTS: [ThreadResults; 2] = [ThreadResults::Four, ThreadResults::Eight];

/// All choices about devices.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceOptions {
    /// The device that the kernels are to be fast on.
    pub device: Device,
    /// Whether regions run on it whatever their sizes are.
    pub always: bool,
    /// Sizes of kernels instead of those of the model.
    pub sizes: Option<GivenSizes>,
    /// Whether tiles of operands have two buffers.
    pub double_buffers: bool,
    /// Whether operands are copied asynchronously, where the device can do that.
    pub asynchronous_copies: bool,
    /// The results of a thread along each of two loops; if none are given, two versions and a choice at run time.
    pub thread_results: Option<ThreadResults>,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        DeviceOptions {
            device: Device::default(),
            always: false,
            sizes: None,
            double_buffers: true,
            asynchronous_copies: true,
            thread_results: None,
        }
    }
}

/// Sets one of [`OPTIONS`].
///
/// # Errors
/// In words, if the value is none for it.
pub(crate) fn set(options: &mut CompileOptions, name: &str, value: &str) -> Result<(), String> {
    if name == "thread-results" {
        let found = RESULTS.into_iter().find(|results| results.number().to_string() == value);
        let found = found.ok_or_else(|| format!("--{name}: `{value}` is neither 4 nor 8"))?;
        options.devices.thread_results = Some(found);
        return Ok(());
    }
    let sizes = GivenSizes::parse(value).map_err(|error| format!("--{name}: {error}"))?;
    options.devices.sizes = Some(sizes);
    Ok(())
}

/// The choices as names and values, without those that are as always.
pub(crate) fn settings(options: &DeviceOptions) -> Vec<(String, String)> {
    let sizes = options.sizes.iter().map(|sizes| ("sizes", sizes.text().to_string()));
    let results = options.thread_results.iter();
    let results = results.map(|results| ("thread-results", results.number().to_string()));
    sizes.chain(results).map(|(name, value)| (name.to_string(), value)).collect()
}
