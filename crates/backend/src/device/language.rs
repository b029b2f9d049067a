//! What differs in the spelling of kernels.
use loopwright_schedule::{Axis, LoopKind};

/// A language for kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// CUDA: C++ with the run-time library.
    Cuda,
    /// OpenCL C 1.2, embedded in C.
    OpenCl,
}

impl Language {
    /// The language's name, for people.
    pub fn name(self) -> &'static str {
        match self {
            Language::Cuda => "CUDA",
            Language::OpenCl => "OpenCL",
        }
    }

    /// What the name of the file with the kernels ends with.
    pub fn file_suffix(self) -> &'static str {
        match self {
            Language::Cuda => "_kernels.cu",
            Language::OpenCl => "_kernels.c",
        }
    }

    /// The number of the block or thread that runs.
    pub(super) fn index(self, kind: LoopKind) -> String {
        self.of(kind, ["blockIdx", "threadIdx"], ["get_group_id", "get_local_id"])
    }

    /// How many blocks or threads there are.
    pub(super) fn count(self, kind: LoopKind) -> String {
        self.of(kind, ["gridDim", "blockDim"], ["get_num_groups", "get_local_size"])
    }

    fn of(self, kind: LoopKind, cuda: [&str; 2], opencl: [&str; 2]) -> String {
        let (position, axis) = match kind {
            LoopKind::Thread(axis) => (1, axis),
            LoopKind::Block(axis) => (0, axis),
            _ => (0, Axis::X),
        };
        match self {
            Language::Cuda => format!("{}.{axis}", cuda[position]),
            Language::OpenCl => format!("{}({})", opencl[position], axis as usize),
        }
    }

    /// Where all threads of a block wait for each other, and see what the others have written.
    pub(super) fn barrier(self) -> &'static str {
        match self {
            Language::Cuda => "__syncthreads();",
            Language::OpenCl => "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        }
    }

    /// Where all threads of all blocks wait for each other; none in a language that does not have that.
    pub(super) fn grid_barrier(self) -> Option<&'static str> {
        match self {
            Language::Cuda => Some("lw_grid_barrier();"),
            Language::OpenCl => None,
        }
    }

    /// What stands in front of a kernel.
    pub(super) fn kernel_head(self) -> &'static str {
        match self {
            Language::Cuda => "__global__ void",
            Language::OpenCl => "__kernel void",
        }
    }

    /// The declaration of a kernel's argument that is memory of the device, without its name.
    pub(super) fn memory(self, element_type: &str, is_written: bool) -> String {
        let constant = if is_written { "" } else { "const " };
        match self {
            Language::Cuda => format!("{constant}{element_type} *__restrict__ "),
            Language::OpenCl => format!("__global {constant}{element_type} *restrict "),
        }
    }

    /// The type by which the host knows memory of the device.
    pub(super) fn handle(self, element_type: &str) -> String {
        match self {
            Language::Cuda => format!("{element_type} *"),
            Language::OpenCl => "cl_mem ".to_string(),
        }
    }
}
