//! Test helpers: random affine programs, their C text, their meaning, and smaller versions of them.
//!
//! A test that runs whole programs through the compiler takes a [`Program`] from
//! [`random_program()`], prints it with [`print_c`], compiles and runs the text before and after, and
//! compares what is printed with [`interpret`], which shares no code with the compiler or with C.
//! [`smaller_programs`] leads from a program that shows a defect to a small one.
//!
//! ```
//! use loopwright_testkit::{Choices, interpret, print_c, random_program};
//! let program = random_program(&mut Choices::from_seed(7));
//! let text = print_c::complete_file(std::slice::from_ref(&program));
//! assert!(text.contains("#pragma scop"));
//! assert!(interpret(&program).starts_with("run"));
//! ```

pub mod border_programs;
pub mod cases;
pub mod choices;
pub mod cuda_text;
pub mod emulation;
pub mod interpreter;
pub mod kernel_forms;
pub mod long_files;
pub mod mutation;
pub mod overlapping_memory;
pub mod print_c;
pub mod program;
pub mod random_program;
pub mod random_schedule;
pub mod shrink;

pub use border_programs::{border_case_looks_at_flags, border_programs, border_states};
pub use choices::Choices;
pub use interpreter::interpret;
pub use long_files::Shape;
pub use mutation::mutated;
pub use overlapping_memory::{functions_on_overlapping_memory, regions_at_all_positions};
pub use program::Program;
pub use random_program::random_program;
pub use random_schedule::{RandomSchedule, random_schedule};
pub use shrink::smaller_programs;
