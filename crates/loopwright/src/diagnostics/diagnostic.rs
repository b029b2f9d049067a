//! One message as data.
use loopwright_cfront::Code;
use std::fmt;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// It is only to be known.
    Note,
    /// Something has no effect, or not the one that is meant.
    Warning,
    /// Something is refused.
    Error,
}

impl Severity {
    /// The word in messages; those of SARIF's levels are the same.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The file, as the preprocessor or the command line names it.
    pub file: String,
    /// The line (1-based).
    pub line: u32,
    /// The last line.
    pub last_line: u32,
    /// The column (1-based), in characters of the preprocessed text; none for whole lines.
    pub column: Option<u32>,
    /// The number of characters from there on; zero for whole lines.
    pub length: u32,
}

impl Span {
    /// Whole lines of a file.
    pub fn lines(file: impl Into<String>, line: u32, last_line: u32) -> Self {
        Span { file: file.into(), line, last_line, column: None, length: 0 }
    }
}

/// What is said about an input.
///
/// It prints as text, as the command shows it; [`Diagnostic::to_json`] and [`sarif`](crate::sarif) are other
/// forms.
///
/// ```
/// use loopwright::{CompileOptions, compile_text};
/// let text = "void f(double *a) {\n#pragma scop\n  a[i] = 0;\n#pragma endscop\n}\n";
/// let failure = compile_text("f.c", text, &CompileOptions::new()).unwrap_err();
/// let diagnostic = &failure.diagnostics[0];
/// assert_eq!(diagnostic.code.map(|code| code.as_str()), Some("CF11"));
/// assert_eq!(diagnostic.span.as_ref().map(|span| (span.line, span.column)), Some((3, Some(5))));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The kind of refusal, if it is one of the front end's.
    pub code: Option<Code>,
    /// What is wrong.
    pub message: String,
    /// Where, if it is at a place.
    pub span: Option<Span>,
    /// Reasons and examples.
    pub notes: Vec<String>,
    /// What can be done about it.
    pub help: Option<String>,
    /// The text with the line of the file, where there is one.
    excerpt: Option<String>,
}

impl Diagnostic {
    /// A message without a place.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        let message = message.into();
        let (code, span, help, excerpt) = (None, None, None, None);
        Diagnostic { severity, code, message, span, notes: Vec::new(), help, excerpt }
    }

    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// The same with another severity.
    pub fn graded(mut self, severity: Severity) -> Self {
        let (before, after) = (self.severity.word(), severity.word());
        self.excerpt = self.excerpt.map(|text| text.replacen(before, after, 1));
        self.severity = severity;
        self
    }

    /// The same about a part of a file.
    pub fn at(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// The same with one more note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The same with an advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl From<&loopwright_cfront::Diagnostic> for Diagnostic {
    fn from(refusal: &loopwright_cfront::Diagnostic) -> Self {
        let span = refusal.place.as_ref().map(|place| Span {
            file: place.file.display().to_string(),
            line: place.line,
            last_line: place.line,
            column: Some(place.column),
            length: refusal.length,
        });
        Diagnostic {
            severity: Severity::Error,
            code: Some(refusal.code),
            message: refusal.message.clone(),
            span,
            notes: Vec::from_iter(refusal.reason.clone()),
            help: refusal.hint.clone(),
            excerpt: Some(refusal.to_string()),
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(excerpt) = &self.excerpt {
            return f.write_str(excerpt);
        }
        write!(f, "{}: {}", self.severity.word(), self.message)?;
        self.notes.iter().try_for_each(|note| write!(f, "\n  {note}"))?;
        self.help.iter().try_for_each(|help| write!(f, "\n  = hint: {help}"))
    }
}
