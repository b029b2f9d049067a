//! The description of a device with its own memory, such as a graphics processor.
use crate::described::{Source, Sources};
use crate::description::{DescriptionError, read};
use crate::facts::DEVICE;
use std::fmt;

/// A device, as far as the sizes of blocks and the choice between it and the processor care.
///
/// All numbers are positive where nothing else is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Device {
    /// Multiprocessors (compute units) that run blocks (work-groups) at the same time.
    pub multiprocessors: u64,
    /// Threads that execute one instruction together: a warp, a wave front.
    pub warp_threads: u64,
    /// The most threads of a block.
    pub block_threads: u64,
    /// The most threads that a multiprocessor runs at the same time.
    pub multiprocessor_threads: u64,
    /// The most blocks that a multiprocessor runs at the same time.
    pub multiprocessor_blocks: u64,
    /// Registers of 4 bytes that the threads of a multiprocessor share.
    pub multiprocessor_registers: u64,
    /// The most registers of a thread.
    pub thread_registers: u64,
    /// A warp gets a multiple of so many registers.
    pub warp_registers_unit: u64,
    /// The most bytes of shared memory of a block that does not ask for more.
    pub block_shared_bytes: u64,
    /// The most bytes of shared memory of a block that asks for them.
    pub block_shared_bytes_most: u64,
    /// Bytes of shared memory that the blocks of a multiprocessor share.
    pub multiprocessor_shared_bytes: u64,
    /// Banks of shared memory, each of which reads 4 bytes in a cycle.
    pub shared_banks: u64,
    /// Bytes of memory that are read at once.
    pub memory_line_bytes: u64,
    /// Bytes of the cache that all multiprocessors share; 0 if there is none.
    pub l2_bytes: u64,
    /// Million cycles per second.
    pub clock_mhz: u64,
    /// Operations on `double` that a multiprocessor begins in a cycle.
    pub double_pipelines: u64,
    /// Operations on `float` that a multiprocessor begins in a cycle.
    pub float_pipelines: u64,
    /// Products of `double` that the tensor cores of a multiprocessor add up in a cycle; 0 if there are none.
    pub tensor_double_pipelines: u64,
    /// Products that one of their instructions adds up for each of its results in `double`: 4, of 8 x 8
    /// results, or 8 and more, of 16 x 8.
    pub tensor_double_sum: u64,
    /// Products of `float`, rounded to tf32, that the tensor cores of a multiprocessor add up in a cycle; 0
    /// if there are none.
    pub tensor_float_pipelines: u64,
    /// Million bytes per second that move from and to the device's memory.
    pub memory_megabytes_per_second: u64,
    /// Million bytes per second that move between the memories of host and device.
    pub transfer_megabytes_per_second: u64,
    /// Nanoseconds that a transfer takes before its first byte; 0 if they do not matter.
    pub transfer_nanoseconds: u64,
    /// Nanoseconds that a kernel without work takes; 0 if they do not matter.
    pub launch_nanoseconds: u64,
    /// The most bytes that a thread copies into shared memory at a time while it goes on; 0 if it cannot.
    pub asynchronous_bytes: u64,
    /// Nanoseconds of a barrier across all blocks of a launch; kernels without an end between them are worth
    /// it if that is less than a launch.
    pub grid_barrier_nanoseconds: u64,
}

impl Device {
    /// A modest device that kernels for unknown ones are made for: 16 multiprocessors with 1024 threads and
    /// 32 KiB of shared memory, blocks of at most 256 threads, as OpenCL promises on all graphics processors
    /// of today.
    pub fn generic() -> Self {
        Device {
            multiprocessors: 16,
            warp_threads: 32,
            block_threads: 256,
            multiprocessor_threads: 1024,
            multiprocessor_blocks: 16,
            multiprocessor_registers: 65_536,
            thread_registers: 255,
            warp_registers_unit: 256,
            block_shared_bytes: 32 << 10,
            block_shared_bytes_most: 32 << 10,
            multiprocessor_shared_bytes: 64 << 10,
            shared_banks: 32,
            memory_line_bytes: 32,
            l2_bytes: 4 << 20,
            clock_mhz: 1500,
            double_pipelines: 2,
            float_pipelines: 64,
            tensor_double_pipelines: 0,
            tensor_double_sum: 4,
            tensor_float_pipelines: 0,
            memory_megabytes_per_second: 300_000,
            transfer_megabytes_per_second: 10_000,
            transfer_nanoseconds: 10_000,
            launch_nanoseconds: 5_000,
            asynchronous_bytes: 0,
            grid_barrier_nanoseconds: 2_500,
        }
    }

    /// Reads a description; keys that are not given keep the value of [`Device::generic`].
    ///
    /// # Errors
    /// An unknown key, a line without `=`, or a value that does not fit the key, as for a machine.
    ///
    /// # Examples
    /// ```
    /// use loopwright_machine::Device;
    /// let device = Device::parse("multiprocessors = 46 # of 48\n")?;
    /// assert_eq!((device.multiprocessors, device.warp_threads), (46, 32));
    /// assert_eq!(Device::parse(&device.to_string())?, device);
    /// # Ok::<(), loopwright_machine::DescriptionError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, DescriptionError> {
        Device::generic().overridden(text)
    }

    /// The same device but for the facts that a description gives.
    ///
    /// # Errors
    /// Those of [`Device::parse`].
    pub fn overridden(mut self, text: &str) -> Result<Self, DescriptionError> {
        read(&DEVICE, &mut self, text)?;
        Ok(self)
    }
}

impl Default for Device {
    fn default() -> Self {
        Device::generic()
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        DEVICE.iter().try_for_each(|fact| writeln!(f, "{} = {}", fact.key, fact.value(self)))
    }
}

/// The devices that are known by name, with their descriptions. Comments in these say where facts come from.
const KNOWN: [(&str, &str); 4] = [
    ("hopper", include_str!("devices/hopper.device")),
    ("ampere", include_str!("devices/ampere.device")),
    ("ada", include_str!("devices/ada.device")),
    ("generic", ""),
];

/// A device, and where each fact comes from.
///
/// Its text is a description with comments, which [`Device::parse`] reads again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedDevice {
    /// The device.
    pub device: Device,
    sources: Sources,
}

impl DescribedDevice {
    /// [`Device::generic`]: all is assumed.
    pub fn generic() -> Self {
        DescribedDevice { device: Device::generic(), sources: Sources::default() }
    }

    /// The names of [`DescribedDevice::named`].
    pub fn names() -> impl Iterator<Item = &'static str> {
        KNOWN.iter().map(|(name, _)| *name)
    }

    /// The device with this name; none if there is none.
    ///
    /// # Examples
    /// ```
    /// use loopwright_machine::DescribedDevice;
    /// let hopper = DescribedDevice::named("hopper").unwrap();
    /// assert_eq!(hopper.device.multiprocessors, 132);
    /// assert!(hopper.source("clock-mhz").to_string().contains("data sheet"));
    /// assert_eq!(DescribedDevice::named("abacus"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        let (_, text) = KNOWN.iter().find(|(known, _)| *known == name)?;
        let mut described = DescribedDevice::generic();
        for given in read(&DEVICE, &mut described.device, text).ok()? {
            let source = match given.comment {
                "assumed" => Source::Assumed,
                comment => Source::Published(comment.to_string()),
            };
            described.sources.add(given.key, source);
        }
        Some(described)
    }

    /// The same device but for the facts that a description gives; `file` is the description's name in their
    /// [`Source`].
    ///
    /// # Errors
    /// Those of [`Device::parse`].
    ///
    /// # Examples
    /// ```
    /// use loopwright_machine::{DescribedDevice, Source};
    /// let h200 = DescribedDevice::named("hopper").unwrap();
    /// let h200 = h200.overridden("memory-megabytes-per-second = 4800000", "h200.device")?;
    /// assert_eq!(h200.device.multiprocessors, 132);
    /// assert_eq!(h200.source("memory-megabytes-per-second"), &Source::File("h200.device".into()));
    /// # Ok::<(), loopwright_machine::DescriptionError>(())
    /// ```
    pub fn overridden(mut self, text: &str, file: &str) -> Result<Self, DescriptionError> {
        let file = file.replace(char::is_control, " ");
        for given in read(&DEVICE, &mut self.device, text)? {
            self.sources.add(given.key, Source::File(file.clone()));
        }
        Ok(self)
    }

    /// Where the fact with this key in descriptions comes from.
    pub fn source(&self, key: &str) -> &Source {
        self.sources.of(key)
    }
}

impl fmt::Display for DescribedDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sources.describe((&DEVICE, &self.device), 39, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fact_is_written_and_read() {
        for (position, fact) in DEVICE.iter().enumerate() {
            let mut device = Device::generic();
            fact.set(&mut device, "777").unwrap();
            assert_ne!(device, Device::generic(), "{}", fact.key);
            let lines = device.to_string();
            assert_eq!(lines.lines().nth(position), Some(&*format!("{} = 777", fact.key)));
            assert_eq!(Device::parse(&lines), Ok(device));
        }
    }

    #[test]
    fn devices_with_names_tell_every_fact_and_its_source() {
        for name in DescribedDevice::names() {
            let known = DescribedDevice::named(name).unwrap();
            assert_eq!(Device::parse(&known.to_string()).as_ref(), Ok(&known.device));
            for fact in DEVICE.iter().filter(|_| name != "generic") {
                let is_said = known.sources != Sources::default()
                    && (known.source(fact.key) != &Source::Assumed
                        || fact.key.ends_with("nanoseconds")
                        || fact.key == "transfer-megabytes-per-second");
                assert!(is_said, "{name}: {}", fact.key);
            }
        }
    }

    /// Limits of one device fit together.
    #[test]
    fn devices_with_names_make_sense() {
        for name in DescribedDevice::names() {
            let d = DescribedDevice::named(name).unwrap().device;
            assert!(d.block_threads <= d.multiprocessor_threads, "{name}");
            assert_eq!(d.multiprocessor_threads % d.warp_threads, 0, "{name}");
            assert!(d.block_shared_bytes <= d.block_shared_bytes_most, "{name}");
            assert!(d.block_shared_bytes_most <= d.multiprocessor_shared_bytes, "{name}");
            assert!(d.transfer_megabytes_per_second < d.memory_megabytes_per_second, "{name}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("multiprocessors = 0", 1),
            ("# x\ncores = 3", 2),
            ("clock-mhz = 1\nclock-mhz = 1", 2),
            ("clock-mhz = 1099511627777", 1),
            ("warp-threads", 1),
        ] {
            assert_eq!(Device::parse(text).unwrap_err().line, line, "{text}");
        }
    }
}
