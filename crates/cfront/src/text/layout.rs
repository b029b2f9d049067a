//! The lines of the user's file, found once.
use crate::text::comments::{Blanked, blank_comments};
use crate::text::preprocess::CleanText;
use std::ops::Range;

/// Where the lines of a text are, what they say without comments, and how many parentheses each opens.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The first byte of each line, then the end of the text.
    bounds: Vec<usize>,
    /// The text with blanks in place of comments.
    blanked: Blanked,
    /// The first byte of each line of `blanked`, then its end.
    blanked_bounds: Vec<usize>,
    /// The parentheses that each line opens less those that it closes, comments left out.
    opened: Vec<i64>,
    /// Whether each line is at one place of the preprocessed text at most, under its own number, and no macro
    /// counts its uses: files that include themselves have lines at more places.
    pub(crate) has_own_lines: bool,
}

/// The first byte of each line, then the end of the text.
fn bounds(text: &str) -> Vec<usize> {
    let mut bounds = vec![0];
    let lines = text.split_inclusive('\n').map(str::len);
    bounds.extend(lines.scan(0, |end, length| {
        *end += length;
        Some(*end)
    }));
    bounds
}

/// Whether a line is a directive that gives the next one another number.
fn renumbers(line: &str) -> bool {
    let directive = line.trim_start().strip_prefix('#').map_or("", str::trim_start);
    directive.starts_with("line") || directive.starts_with(|c: char| c.is_ascii_digit())
}

impl Layout {
    /// The lines of a file that has been preprocessed.
    pub(crate) fn of_file(text: &str, clean: &CleanText) -> Layout {
        let count = |line: &str, sign: u8| line.bytes().filter(|b| *b == sign).count() as i64;
        let opened = |line: &str| count(line, b'(') - count(line, b')');
        let blanked = blank_comments(text);
        let opened = blanked.text.lines().map(opened).collect();
        let blanked_bounds = bounds(&blanked.text);
        let lines = clean.origins.iter().filter(|origin| origin.file == 0).map(|o| o.line);
        let has_own_lines = lines.is_sorted()
            && !blanked.text.lines().any(renumbers)
            && !text.contains("__COUNTER__");
        Layout { bounds: bounds(text), blanked, blanked_bounds, opened, has_own_lines }
    }

    /// A line (counted from 0) without comments; beyond the last line it is empty.
    pub(crate) fn without_comments(&self, line: usize) -> &str {
        let bound = |line: usize| self.blanked_bounds.get(line).copied();
        let bytes = bound(line).zip(bound(line.saturating_add(1)));
        bytes.and_then(|(start, end)| self.blanked.text.get(start..end)).unwrap_or("")
    }

    /// Whether a comment goes over the border in front of a line (counted from 0).
    pub(crate) fn begins_in_comment(&self, line: usize) -> bool {
        let before = line.checked_sub(1);
        before.and_then(|l| self.blanked.breaks_in_comments.get(l)).is_some_and(|inside| *inside)
    }

    /// The bytes of lines (counted from 0), their line breaks included; beyond the last line there are
    /// none.
    pub(crate) fn bytes(&self, lines: Range<usize>) -> Range<usize> {
        let last = self.bounds.len() - 1;
        let start = lines.start.min(last);
        self.bounds[start]..self.bounds[lines.end.clamp(start, last)]
    }

    /// The parentheses that are opened in each line from `first` (counted from 0) on.
    pub(crate) fn opened_from(&self, first: usize) -> &[i64] {
        self.opened.get(first..).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::preprocess::plain;
    use std::path::Path;

    fn layout(text: &str) -> Layout {
        Layout::of_file(text, &plain(Path::new("a.c"), text))
    }

    #[test]
    fn lines_have_their_bytes_and_parentheses() {
        let lines = layout("f(\n/* ( */ a);\n\nend)");
        assert_eq!(lines.bytes(0..1), 0..3);
        assert_eq!(lines.bytes(1..4), 3..20);
        assert_eq!(lines.bytes(2..9), 15..20);
        assert_eq!(lines.bytes(9..12), 20..20);
        assert_eq!(lines.opened_from(0), [1, -1, 0, -1]);
        assert_eq!(lines.opened_from(9), [0i64; 0]);
        assert_eq!(layout("").bytes(0..1), 0..0);
    }

    #[test]
    fn lines_are_read_without_comments() {
        let lines = layout("a /* b\n c */ d\ne");
        assert_eq!([0, 1, 2, 3].map(|l| lines.without_comments(l).trim()), ["a", "d", "e", ""]);
        assert_eq!([0, 1, 2, 3].map(|l| lines.begins_in_comment(l)), [false, true, false, false]);
        assert!(lines.has_own_lines);
        assert!(!layout("a\n # 7 \"b.c\"\n").has_own_lines);
    }
}
