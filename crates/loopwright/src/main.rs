//! The `loopwright` command.
mod command;

use std::io::Write;

/// Models are many small objects: on large pages, which the system's allocator does not ask for, the front end
/// takes half to two thirds of the time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    match command::run(std::env::args_os()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(failure) => {
            // Nothing can be done if nobody reads the message: the status remains.
            let _ = writeln!(std::io::stderr(), "{failure}");
            std::process::ExitCode::from(failure.status as u8)
        }
    }
}
