//! Indented text.

/// Collects lines at the current depth of indentation.
pub(crate) struct Writer {
    text: String,
    base: String,
    depth: usize,
}

/// The indentation of one level.
const STEP: &str = "  ";

impl Writer {
    /// An empty text whose lines all start with `base`.
    pub(crate) fn new(base: &str) -> Self {
        Writer { text: String::new(), base: base.to_string(), depth: 0 }
    }

    /// Adds a line at the current depth.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(&self.base);
        for _ in 0..self.depth {
            self.text.push_str(STEP);
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// An empty text whose lines are one level deeper.
    pub(crate) fn inside(&self) -> Self {
        Writer { text: String::new(), base: self.base.clone(), depth: self.depth + 1 }
    }

    /// Adds lines that have their indentation.
    pub(crate) fn lines(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// Adds lines that have the indentation of one level deeper, at the current one.
    pub(crate) fn lines_from_inside(&mut self, lines: &str) {
        for line in lines.lines() {
            let text = line.strip_prefix(&self.base).unwrap_or(line);
            let shorter = text.strip_prefix(STEP).unwrap_or(text);
            self.text.push_str(&self.base);
            self.text.push_str(shorter);
            self.text.push('\n');
        }
    }

    /// One level deeper from here on.
    pub(crate) fn depth_in(&mut self) {
        self.depth += 1;
    }

    /// Back out again.
    pub(crate) fn depth_out(&mut self) {
        self.depth -= 1;
    }

    /// The text written so far.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}
