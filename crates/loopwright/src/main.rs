//! The `loopwright` command.
mod command;

/// Models are many small objects: on large pages, which the system's allocator does not ask for, the front end
/// takes half to two thirds of the time.
#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(command::run(std::env::args_os()) as u8)
}
