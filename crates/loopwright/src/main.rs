//! The `loopwright` command.
mod command;

fn main() -> std::process::ExitCode {
    match command::run(std::env::args_os()) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            std::process::ExitCode::from(failure.status as u8)
        }
    }
}
