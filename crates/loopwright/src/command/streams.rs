//! Texts and files that commands read and write.
use loopwright::Failure;
use loopwright_cfront::{bytes_of, read_utf8};
use std::io::Write;
use std::path::Path;

/// Writes the result of a command to the standard output.
///
/// A reader that has gone away wants no more, which is no failure.
pub(super) fn print_text(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(&bytes_of(text)).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::refused(format!("cannot write to the standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// Writes remarks to the standard error; nobody needs to read them.
pub(super) fn print_remarks(text: &str) {
    let _ = std::io::stderr().lock().write_all(text.as_bytes());
}

/// The text of a file.
pub(super) fn read_text(path: &Path) -> Result<String, Failure> {
    read_utf8(path).map_err(|e| Failure::refused(format!("cannot read {}: {e}", path.display())))
}

/// Writes a file whole, or reports why not.
pub(super) fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    loopwright::output::write_whole(path, bytes_of(text))
        .map_err(|e| Failure::refused(format!("cannot write {}: {e}", path.display())))
}
