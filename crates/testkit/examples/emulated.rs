//! `cargo run -p loopwright-testkit --example emulated -- FOLDER < kernels.cu > kernels.cpp`: CUDA text for
//! the emulation, and its headers in a folder.
use loopwright_testkit::{cuda_text, emulation};
use std::io::Read;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    if let Some(folder) = std::env::args_os().nth(1) {
        emulation::write_headers(folder.as_ref())?;
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    print!("{}", cuda_text::emulated(&text)?);
    Ok(())
}
