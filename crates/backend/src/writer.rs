//! Indented text.
use loopwright_scop::StatementId;

/// Collects lines at the current depth of indentation.
pub(crate) struct Writer {
    written: Written,
    base: String,
    depth: usize,
}

/// Lines, and which of them execute a statement.
#[derive(Clone, Debug, Default)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) n_lines: usize,
    /// Lines, counted from 0, with their statements.
    pub(crate) statements: Vec<(usize, StatementId)>,
}

/// The indentation of one level.
const STEP: &str = "  ";

impl Writer {
    /// An empty text whose lines all start with `base`.
    pub(crate) fn new(base: &str) -> Self {
        Writer { written: Written::default(), base: base.to_string(), depth: 0 }
    }

    /// Adds a line at the current depth.
    pub(crate) fn line(&mut self, line: &str) {
        let text = &mut self.written.text;
        text.push_str(&self.base);
        for _ in 0..self.depth {
            text.push_str(STEP);
        }
        text.push_str(line);
        text.push('\n');
        // The text of a statement may have several lines.
        self.written.n_lines += 1 + line.matches('\n').count();
    }

    /// Adds a line that executes a statement.
    pub(crate) fn statement(&mut self, line: &str, statement: StatementId) {
        self.written.statements.push((self.written.n_lines, statement));
        self.line(line);
    }

    /// An empty text whose lines are one level deeper.
    pub(crate) fn inside(&self) -> Self {
        Writer { written: Written::default(), base: self.base.clone(), depth: self.depth + 1 }
    }

    /// Adds lines that have their indentation.
    pub(crate) fn lines(&mut self, lines: &Written) {
        self.take_statements(lines);
        self.written.text.push_str(&lines.text);
    }

    /// The statements of lines that are added next.
    fn take_statements(&mut self, lines: &Written) {
        let before = self.written.n_lines;
        let moved = lines.statements.iter().map(|&(line, statement)| (before + line, statement));
        self.written.statements.extend(moved);
        self.written.n_lines += lines.n_lines;
    }

    /// Adds lines that have the indentation of one level deeper, at the current one.
    pub(crate) fn lines_from_inside(&mut self, lines: &Written) {
        self.take_statements(lines);
        for line in lines.text.lines() {
            let text = line.strip_prefix(&self.base).unwrap_or(line);
            let shorter = text.strip_prefix(STEP).unwrap_or(text);
            self.written.text.push_str(&self.base);
            self.written.text.push_str(shorter);
            self.written.text.push('\n');
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

    /// The lines written so far.
    pub(crate) fn finish(self) -> Written {
        self.written
    }
}
