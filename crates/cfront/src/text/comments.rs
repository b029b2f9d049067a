//! Comments and literals of a text.

/// A text with blanks in place of comments; line breaks stay.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blanked {
    /// The text.
    pub(crate) text: String,
    /// Whether each line break stands inside of a comment.
    pub(crate) breaks_in_comments: Vec<bool>,
}

/// Replaces comments by blanks; line breaks stay.
pub(crate) fn blank_comments(text: &str) -> Blanked {
    let mut blanked = Blanked { text: String::with_capacity(text.len()), ..Blanked::default() };
    let is_special = |byte: &u8| matches!(byte, b'/' | b'"' | b'\'' | b'\n');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| is_special(&byte)) {
        let (plain, special) = rest.split_at(at);
        blanked.text.push_str(plain);
        let length = match special.as_bytes() {
            [b'/', b'/', ..] => special.find('\n').unwrap_or(special.len()),
            [b'/', b'*', ..] => special[2..].find("*/").map_or(special.len(), |end| end + 4),
            [quote @ (b'"' | b'\''), ..] => literal_length(special.as_bytes(), *quote),
            _ => 1,
        };
        let (part, after) = special.split_at(length);
        rest = after;
        let is_comment = part.len() > 1 && part.starts_with('/');
        blanked.breaks_in_comments.extend(part.matches('\n').map(|_| is_comment));
        match is_comment {
            true => blanked.text.extend(part.chars().map(|c| if c == '\n' { c } else { ' ' })),
            false => blanked.text.push_str(part),
        }
    }
    blanked.text.push_str(rest);
    blanked
}

/// The length of a literal with its quotes; it ends before a line break.
pub(crate) fn literal_length(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' => return at,
            b'\\' => at += 2,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}
