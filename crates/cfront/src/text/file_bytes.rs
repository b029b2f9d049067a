//! Files whose bytes are not all UTF-8: every byte is kept.
//!
//! C compilers take any bytes in comments and literals. A byte that is no part of UTF-8 text stands in the
//! text as one character of a private plane, and is that byte again where the text is written.

/// The character that stands for byte 0; those for the others follow it.
const FIRST: u32 = 0x10_FF00;

/// The text of a file; none if it has one of the characters that stand for bytes itself.
///
/// *Cost.* Linear in the number of bytes.
///
/// ```
/// use loopwright_cfront::{bytes_of, text_of};
/// let bytes = b"/* Fran\xe7ois \xc3\xa9 */";
/// let text = text_of(bytes).unwrap();
/// assert_eq!(text.chars().count(), bytes.len() - 1);
/// assert_eq!(bytes_of(&text), bytes);
/// ```
pub fn text_of(bytes: &[u8]) -> Option<String> {
    if let Some(text) = str::from_utf8(bytes).ok().filter(|text| text.is_ascii()) {
        return Some(text.to_string());
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        if !chunk.valid().is_ascii() && chunk.valid().contains(|c| byte_of(c).is_some()) {
            return None;
        }
        text.push_str(chunk.valid());
        let stands_for = |byte: &u8| char::from_u32(FIRST + u32::from(*byte));
        text.extend(chunk.invalid().iter().filter_map(stands_for));
    }
    Some(text)
}

/// The bytes of a text that [`text_of`] has made, or of a text that goes with it.
pub fn bytes_of(text: &str) -> Vec<u8> {
    if text.is_ascii() {
        return text.as_bytes().to_vec();
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(|c| byte_of(c).is_some()) {
        let (before, after) = rest.split_at(at);
        let mut characters = after.chars();
        bytes.extend_from_slice(before.as_bytes());
        bytes.extend(characters.next().and_then(byte_of));
        rest = characters.as_str();
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

/// Whether a character stands for a byte.
pub(crate) fn stands_for_byte(c: char) -> bool {
    byte_of(c).is_some()
}

/// The byte that a character stands for.
fn byte_of(c: char) -> Option<u8> {
    u32::from(c)
        .checked_sub(FIRST)
        .and_then(|byte| u8::try_from(byte).ok())
        .filter(|byte| !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let all: Vec<u8> = (0..=255).chain("é€😀".bytes()).collect();
        assert_eq!(bytes_of(&text_of(&all).unwrap()), all);
        assert_eq!(text_of("\u{10FFE7}".as_bytes()), None);
        assert_eq!(text_of("plain".as_bytes()).as_deref(), Some("plain"));
    }
}
