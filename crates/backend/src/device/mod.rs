//! Regions whose loops run on a device with its own memory: kernels, and the code of the host that copies and
//! launches.
//!
//! The tree says what is a kernel, a block and a thread ([`KernelMark`], [`LoopKind::Block`],
//! [`LoopKind::Thread`]). Each region becomes a function with C linkage in a file of its own; the program
//! calls it in place of the region. It returns 0 if it has done what the region does, and another value if
//! nothing has changed, so that the region has to run as it is written. Loops over blocks and threads are
//! spread over however many there are, so that the sizes of the grid and of blocks never matter for the
//! result. Where several loops of a kernel are spread along one axis, the values of the iterations say which
//! block or thread they belong to, so that equal values are on one thread; barriers between them are printed
//! where the tree has them ([`BarrierMark`]).
//!
//! [`BarrierMark`]: loopwright_schedule::BarrierMark
//! [`KernelMark`]: loopwright_schedule::KernelMark
//! [`LoopKind::Block`]: loopwright_schedule::LoopKind::Block
//! [`LoopKind::Thread`]: loopwright_schedule::LoopKind::Thread

mod arguments;
mod asynchronous;
mod atomics;
mod booleans;
mod copies;
mod element;
mod extents;
mod file;
mod fits;
mod fixed_text;
mod functions;
mod given_pointers;
mod host;
mod kept;
mod kernel;
mod language;
mod linear_subscripts;
mod matrix;
mod overlap;
mod own_memory;
mod own_variables;
mod places;
mod plain_words;
mod pointer_parameters;
mod private;
mod program_functions;
mod region;
mod region_function;
mod shuffles;
mod spread;
mod strip;
mod strip_quotients;
mod types;
mod unconditional_barriers;
mod value_ranges;
mod vector_state;
mod vectors;
mod width;
mod words;

pub use file::device_file;
pub use fits::{is_linear, why_not};
pub use fixed_text::DeviceMemory;
pub use functions::with_functions_of_kernels;
pub use language::Language;
pub use overlap::CopyOptions;
pub use region::{DeviceRegion, Spelling, print_device_region};
pub use unconditional_barriers::with_unconditional_barriers;
