//! The files of this machine, for the calculator.
use crate::output::write_whole;
use loopwright_calc::Files;
use loopwright_cfront::{Diagnostic, Options, read_file, read_utf8};
use loopwright_scop::Scop;
use std::io;
use std::path::Path;

/// The files of this machine. C is read as by [`compile_file`](crate::compile_file).
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn read(&self, path: &str) -> io::Result<String> {
        read_utf8(Path::new(path))
    }

    fn write(&self, path: &str, text: &str) -> io::Result<()> {
        write_whole(path.as_ref(), text)
    }

    fn model(&self, path: &str) -> Result<Scop, String> {
        let file = read_file(Path::new(path), &Options::default()).map_err(in_words)?;
        let regions = file.extract().map_err(in_words)?;
        let first = regions.into_iter().next();
        first.map(|region| region.scop).ok_or_else(|| format!("{path} has no region"))
    }
}

fn in_words(diagnostics: Vec<Diagnostic>) -> String {
    let texts: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
    texts.join("\n")
}
