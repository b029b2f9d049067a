//! The lines of a file without comments, with their numbers.
use loopwright_presburger::{Error, Int, Result};

/// The most characters of a message.
const MOST_SHOWN: usize = 300;

/// A place in the lines of a file.
pub(super) struct Lines<'a> {
    lines: Vec<&'a str>,
    /// The next line, from 0.
    next: usize,
}

impl<'a> Lines<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Lines { lines: text.lines().collect(), next: 0 }
    }

    /// An error at line `line` (1-based). Of a long message, which shows what is there, the beginning.
    pub(super) fn error_at(&self, line: usize, message: impl std::fmt::Display) -> Error {
        let before = self.lines.iter().take(line.saturating_sub(1));
        let position = before.map(|line| line.len() + 1).sum();
        let mut message = format!("line {line}: {message}");
        if let Some((end, _)) = message.char_indices().nth(MOST_SHOWN) {
            message.truncate(end);
            message.push_str("...");
        }
        Error::Parse { position, message }
    }

    /// The next line with content, without comment, and its number; none at the end.
    pub(super) fn peek(&mut self) -> Option<(usize, &'a str)> {
        while let Some(line) = self.lines.get(self.next) {
            let content = line.split('#').next().unwrap_or_default().trim();
            if !content.is_empty() {
                return Some((self.next + 1, content));
            }
            self.next += 1;
        }
        None
    }

    /// Moves behind the next line with content.
    pub(super) fn take(&mut self, expected: &str) -> Result<(usize, &'a str)> {
        let found = self.peek();
        self.next += 1;
        let end = self.lines.len();
        found.ok_or_else(|| self.error_at(end, format_args!("the file ends: expected {expected}")))
    }

    /// Moves behind a line that is `word`.
    pub(super) fn expect(&mut self, word: &str) -> Result<()> {
        let (line, found) = self.take(&format!("`{word}`"))?;
        match found == word {
            true => Ok(()),
            false => Err(self.error_at(line, format_args!("expected `{word}`, found `{found}`"))),
        }
    }

    /// A line with one number that counts something.
    pub(super) fn count(&mut self, what: &str) -> Result<(usize, usize)> {
        let (line, text) = self.take(what)?;
        let count = text.parse();
        let count = count
            .map_err(|_| self.error_at(line, format_args!("expected {what}, found `{text}`")))?;
        Ok((line, count))
    }

    /// The numbers of a line.
    pub(super) fn numbers(&mut self, what: &str) -> Result<(usize, Vec<Int>)> {
        let (line, text) = self.take(what)?;
        let numbers = text.split_whitespace().map(|word| {
            word.parse::<Int>()
                .map_err(|_| self.error_at(line, format_args!("expected a number, found `{word}`")))
        });
        Ok((line, numbers.collect::<Result<_>>()?))
    }

    /// The lines up to the one that is `</tag>`, as they are, and the number of the first one.
    pub(super) fn verbatim(&mut self, tag: &str) -> Result<(usize, Vec<&'a str>)> {
        let first = self.next;
        let end = format!("</{tag}>");
        let is_end = |line: &&str| line.trim() == end;
        let Some(count) = self.lines.iter().skip(first).position(is_end) else {
            return Err(self.error_at(first.max(1), format_args!("`<{tag}>` has no `{end}`")));
        };
        self.next = first + count + 1;
        Ok((first + 1, self.lines[first..first + count].to_vec()))
    }
}

/// The tag of a line `<tag>`.
pub(super) fn opening_tag(line: &str) -> Option<&str> {
    let tag = line.strip_prefix('<')?.strip_suffix('>')?;
    let is_word = !tag.is_empty() && tag.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_word.then_some(tag)
}
