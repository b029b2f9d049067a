//! The `loopwright` command.
mod command;

#[cfg(feature = "allocator")]
use loopwright_allocator as _;

fn main() -> std::process::ExitCode {
    std::process::ExitCode::from(command::run(std::env::args_os()) as u8)
}
