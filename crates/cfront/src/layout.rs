//! The lines of the user's file, found once.
use crate::preprocess::blank_comments;
use std::ops::Range;

/// Where the lines of a text are, and how many parentheses each opens.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The first byte of each line, then the end of the text.
    bounds: Vec<usize>,
    /// The parentheses that each line opens less those that it closes, comments left out.
    opened: Vec<i64>,
}

impl Layout {
    /// The lines of a text.
    pub(crate) fn of_text(text: &str) -> Layout {
        let mut bounds = vec![0];
        let lines = text.split_inclusive('\n').map(str::len);
        bounds.extend(lines.scan(0, |end, length| {
            *end += length;
            Some(*end)
        }));
        let count = |line: &str, sign: char| line.matches(sign).count() as i64;
        let opened = |line: &str| count(line, '(') - count(line, ')');
        Layout { bounds, opened: blank_comments(text).lines().map(opened).collect() }
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

    #[test]
    fn lines_have_their_bytes_and_parentheses() {
        let layout = Layout::of_text("f(\n/* ( */ a);\n\nend)");
        assert_eq!(layout.bytes(0..1), 0..3);
        assert_eq!(layout.bytes(1..4), 3..20);
        assert_eq!(layout.bytes(2..9), 15..20);
        assert_eq!(layout.bytes(9..12), 20..20);
        assert_eq!(layout.opened_from(0), [1, -1, 0, -1]);
        assert_eq!(layout.opened_from(9), [0i64; 0]);
        assert_eq!(Layout::of_text("").bytes(0..1), 0..0);
    }
}
