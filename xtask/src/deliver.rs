//! Where a text that was made goes.
use std::path::Path;

/// Writes the text whole to the file, or prints it if there is none.
pub(crate) fn deliver(text: &str, out: Option<&Path>) -> Result<(), String> {
    match out {
        Some(path) => loopwright::output::write_whole(path, text)
            .map_err(|e| format!("{}: {e}", path.display())),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}
