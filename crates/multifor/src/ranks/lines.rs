//! Lines of C, indented by the braces around.

/// Lines that are written one after the other.
#[derive(Default)]
pub(crate) struct Lines {
    lines: Vec<String>,
    depth: usize,
}

impl Lines {
    /// A line. One that ends with a brace indents those behind it, one that begins with a brace ends that.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        if text.starts_with('}') {
            self.depth -= 1;
        }
        match text.starts_with('#') {
            true => self.lines.push(text.to_string()),
            false => self.as_written(text),
        }
        if text.ends_with('{') {
            self.depth += 1;
        }
    }

    /// A line whose braces say nothing about those behind it.
    pub(crate) fn as_written(&mut self, text: &str) {
        self.lines.push(format!("{:width$}{text}", "", width = 2 * self.depth));
    }

    /// All lines.
    pub(crate) fn text(self) -> String {
        self.lines.join("\n") + "\n"
    }
}
