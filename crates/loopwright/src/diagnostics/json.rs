//! Messages as JSON.
use super::diagnostic::{Diagnostic, Span};
use serde_json::{Value, json};

impl Diagnostic {
    /// The message as an object with the fields `severity`, `code`, `message`, `span`, `notes`, `help` and
    /// `rendered`, the last of which is the text that people read. What is not known is `null`. The command
    /// prints one object a line with `--message-format json`.
    ///
    /// ```
    /// use loopwright::{Diagnostic, Span};
    /// let about = Diagnostic::warning("it is slow").at(Span::lines("f.c", 3, 7)).help("wait");
    /// let json = about.to_json();
    /// assert_eq!(json["severity"], "warning");
    /// assert_eq!(json["span"]["last_line"], 7);
    /// assert_eq!(json["rendered"], "warning: it is slow\n  = hint: wait");
    /// ```
    pub fn to_json(&self) -> Value {
        json!({
            "severity": self.severity.word(),
            "code": self.code.map(|code| code.as_str()),
            "message": self.message,
            "span": self.span.as_ref().map(span),
            "notes": self.notes,
            "help": self.help,
            "rendered": self.to_string(),
        })
    }
}

fn span(span: &Span) -> Value {
    let Span { file, line, last_line, column, length } = span;
    json!({ "file": file, "line": line, "last_line": last_line, "column": column, "length": length })
}
