//! What is chosen for regions that run on a device with its own memory.
use crate::settings::options::CompileOptions;
use loopwright_backend::device::{CopyOptions, DeviceMemory};
use loopwright_device::{GivenSizes, MatrixShapes, ThreadResults};
use loopwright_machine::Device;
use loopwright_schedule::MatrixMark;

/// The options of this module that take a value.
pub(crate) const OPTIONS: [&str; 4] = ["sizes", RESULTS_OF_THREAD, MOST_SHARED, TENSOR_CORES];

const RESULTS_OF_THREAD: &str = "thread-results";

/// The values of [`RESULTS_OF_THREAD`].
const RESULTS: [ThreadResults; 2] = [ThreadResults::Four, ThreadResults::Eight];

const MOST_SHARED: &str = "max-shared-memory";

const TENSOR_CORES: &str = "tensor-cores";

/// What warps compute as products of matrices, on devices that have instructions for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TensorCores {
    /// Nothing.
    No,
    /// Sums of products of `double`, where updates may run in any order.
    #[default]
    Fp64,
    /// These, and those of `float`, whose factors are rounded to tf32.
    Tf32,
}

/// The values of [`TENSOR_CORES`].
const ON_TENSOR_CORES: [(&str, TensorCores); 3] =
    [("fp64", TensorCores::Fp64), ("tf32", TensorCores::Tf32), ("no", TensorCores::No)];

impl TensorCores {
    /// The products of matrices that a device is asked for.
    pub(crate) fn shapes(self, device: &Device) -> MatrixShapes {
        let has_double = self != TensorCores::No && device.tensor_double_pipelines > 0;
        let has_float = self == TensorCores::Tf32 && device.tensor_float_pipelines > 0;
        let sum = u64::from(MatrixMark::LARGE.products);
        let is_large = device.tensor_double_sum >= sum;
        let double = if is_large { MatrixMark::LARGE } else { MatrixMark::SMALL };
        MatrixShapes {
            double: has_double.then_some(double),
            float: has_float.then_some(MatrixMark::LARGE),
        }
    }
}

/// All choices about devices.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceOptions {
    /// The device that the kernels are to be fast on.
    pub device: Device,
    /// Whether regions run on it whatever their sizes are.
    pub always: bool,
    /// Sizes of kernels instead of those of the model.
    pub sizes: Option<GivenSizes>,
    /// The most bytes of shared memory that a block may have; as many as the device gives without being asked
    /// for more, if it is none.
    pub most_shared_bytes: Option<u64>,
    /// Whether the code has the kernels and what launches them at its end, and there is no second file: with
    /// OpenCL only.
    pub embedded: bool,
    /// Whether memory of the device is such that the host has it as well, and the run-time system moves it.
    pub unified_memory: bool,
    /// Whether copies overlap with kernels, in streams of their own.
    pub overlap_copies: bool,
    /// Whether pages of the program's arrays stay in memory while these are copied (CUDA).
    pub pinned_memory: bool,
    /// Whether tiles of operands have two buffers.
    pub double_buffers: bool,
    /// Whether blocks of stencils walk along one dimension of the data, where the model says that this is no
    /// slower.
    pub streaming: bool,
    /// Whether operands are copied asynchronously, where the device can do that.
    pub asynchronous_copies: bool,
    /// Whether threads copy 16 bytes at a time where these are known to be aligned.
    pub vector_loads: bool,
    /// Whether iterators and subscripts of kernels have 32 bits where all values fit, if sizes are not too
    /// large for that.
    pub short_subscripts: bool,
    /// Whether lanes of a warp that combine values read each other's registers, where the language can say
    /// it.
    pub shuffles: bool,
    /// Whether integers at places that data decide are updated by one instruction each, where nothing else
    /// makes iterations independent.
    pub atomic_updates: bool,
    /// The results of a thread along each of two loops; if none are given, two versions and a choice at run
    /// time.
    pub thread_results: Option<ThreadResults>,
    /// What warps compute as products of matrices.
    pub tensor_cores: TensorCores,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        DeviceOptions {
            device: Device::default(),
            always: false,
            sizes: None,
            most_shared_bytes: None,
            embedded: false,
            unified_memory: false,
            overlap_copies: false,
            pinned_memory: false,
            double_buffers: true,
            streaming: true,
            asynchronous_copies: true,
            vector_loads: true,
            short_subscripts: true,
            shuffles: true,
            atomic_updates: true,
            thread_results: None,
            tensor_cores: TensorCores::default(),
        }
    }
}

impl DeviceOptions {
    /// How memory of the device is allocated.
    pub(crate) fn memory(&self) -> DeviceMemory {
        if self.unified_memory { DeviceMemory::Unified } else { DeviceMemory::Own }
    }

    /// How data is copied.
    pub(crate) fn copies(&self) -> CopyOptions {
        CopyOptions { overlapped: self.overlap_copies, pinned: self.pinned_memory }
    }

    /// The device, of whose shared memory a block has as much as it may have.
    pub(crate) fn limited_device(&self) -> Device {
        let most = self.most_shared_bytes.unwrap_or(u64::MAX);
        let block_shared_bytes = self.device.block_shared_bytes.min(most);
        Device { block_shared_bytes, ..self.device.clone() }
    }
}

/// Sets one of [`OPTIONS`].
///
/// # Errors
/// In words, if the value is none for it.
pub(crate) fn set(options: &mut CompileOptions, name: &str, value: &str) -> Result<(), String> {
    if name == RESULTS_OF_THREAD {
        let found = RESULTS.into_iter().find(|results| results.number().to_string() == value);
        let found = found.ok_or_else(|| format!("--{name}: `{value}` is neither 4 nor 8"))?;
        options.devices.thread_results = Some(found);
        return Ok(());
    }
    if name == MOST_SHARED {
        let bytes = value.parse().map_err(|_| format!("--{name}: `{value}` is no number of bytes"));
        options.devices.most_shared_bytes = Some(bytes?);
        return Ok(());
    }
    if name == TENSOR_CORES {
        let found = ON_TENSOR_CORES.iter().find(|(own, _)| *own == value);
        let (_, found) =
            found.ok_or_else(|| format!("--{name}: `{value}` is none of fp64, tf32 and no"))?;
        options.devices.tensor_cores = *found;
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
    let results = results.map(|results| (RESULTS_OF_THREAD, results.number().to_string()));
    let most = options.most_shared_bytes.iter().map(|most| (MOST_SHARED, most.to_string()));
    let of_tensors = ON_TENSOR_CORES.iter().filter(|(_, own)| *own == options.tensor_cores);
    let of_tensors = of_tensors.filter(|(_, own)| *own != TensorCores::default());
    let of_tensors = of_tensors.map(|(own, _)| (TENSOR_CORES, (*own).to_string()));
    let all = sizes.chain(results).chain(most).chain(of_tensors);
    all.map(|(name, value)| (name.to_string(), value)).collect()
}
