//! Files of bounded length: a device that never ends is refused instead of read until memory is full.
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Longer files are refused. Large amalgamations of C have 10 MB.
const MOST_BYTES: u64 = 64 << 20;

/// The bytes of a file that a user names.
///
/// # Errors
/// If it cannot be read, or has more than 64 MB.
pub fn read_bytes(path: &Path) -> io::Result<Vec<u8>> {
    read_bytes_of(File::open(path)?)
}

/// The same for a file that must be UTF-8.
///
/// # Errors
/// As [`read_bytes`], and for other bytes.
pub fn read_utf8(path: &Path) -> io::Result<String> {
    into_utf8(read_bytes(path)?)
}

/// All that a reader gives, for instance the standard input.
///
/// # Errors
/// If it cannot be read, or gives more than 64 MB.
///
/// ```
/// use loopwright_cfront::read_bytes_of;
/// assert_eq!(read_bytes_of("a".as_bytes())?, b"a");
/// let error = read_bytes_of(std::io::repeat(0)).unwrap_err();
/// assert_eq!(error.to_string(), "it has more than 64 MB");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_bytes_of(reader: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {} MB", MOST_BYTES >> 20)));
    }
    Ok(bytes)
}

/// The text that bytes are.
///
/// # Errors
/// If they are not UTF-8.
pub fn into_utf8(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is not UTF-8 text"))
}
