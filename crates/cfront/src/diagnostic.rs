//! Messages to the user: what was refused, where, why, and what to do.
use std::fmt;
use std::path::PathBuf;

/// The kinds of refusals; the text form (`CF07`) is stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The file or the preprocessor's output cannot be read.
    Unreadable,
    /// The preprocessor cannot be run or fails.
    Preprocessor,
    /// There is no region.
    NoRegion,
    /// `#pragma scop` and `#pragma endscop` do not match, or cut a statement in two.
    Unbalanced,
    /// The region is not valid C.
    Syntax,
    /// A statement that cannot be part of a region (`goto`, `while`, `switch`, ..).
    UnsupportedStatement,
    /// An expression that cannot be part of a statement's body.
    UnsupportedExpression,
    /// A loop whose shape is not understood.
    LoopForm,
    /// A loop bound or condition that is not affine.
    NonAffineCondition,
    /// A subscript that is not affine.
    NonAffineSubscript,
    /// A name without declaration.
    UnknownName,
    /// A call of a function that is not known to be pure.
    Call,
    /// A use of a pointer or an array that is not an element.
    Pointer,
    /// An iterator that is changed in the loop, or whose final value is used.
    Iterator,
    /// A declaration that cannot be part of a region.
    Declaration,
    /// A type that is not understood.
    Type,
    /// A condition, a subscript or a nest beyond the limits of the front end.
    TooComplex,
    /// Statements whose lines cannot be replaced without touching something else.
    Placement,
}

impl Code {
    /// The stable text of the code.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Unreadable => "CF01",
            Code::Preprocessor => "CF02",
            Code::NoRegion => "CF03",
            Code::Unbalanced => "CF04",
            Code::Syntax => "CF05",
            Code::UnsupportedStatement => "CF06",
            Code::UnsupportedExpression => "CF07",
            Code::LoopForm => "CF08",
            Code::NonAffineCondition => "CF09",
            Code::NonAffineSubscript => "CF10",
            Code::UnknownName => "CF11",
            Code::Call => "CF12",
            Code::Pointer => "CF13",
            Code::Iterator => "CF14",
            Code::Declaration => "CF15",
            Code::Type => "CF16",
            Code::TooComplex => "CF17",
            Code::Placement => "CF18",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A place in a file of the user, 1-based.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, as the preprocessor names it.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// The column, in the preprocessed text of the line.
    pub column: u32,
}

/// Why an input was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of refusal.
    pub code: Code,
    /// One sentence: what is wrong.
    pub message: String,
    /// Where, if it is at a place.
    pub place: Option<Place>,
    /// The (preprocessed) line at the place.
    pub source_line: Option<String>,
    /// Why this cannot be accepted.
    pub reason: Option<String>,
    /// What the user can do.
    pub hint: Option<String>,
    /// The byte of the preprocessed text at the place.
    pub(crate) byte: Option<usize>,
}

impl Diagnostic {
    /// A message without a place.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Diagnostic {
            code,
            message: message.into(),
            place: None,
            source_line: None,
            reason: None,
            hint: None,
            byte: None,
        }
    }

    /// The same with a reason.
    pub fn because(mut self, reason: impl Into<String>) -> Self {
        self.reason = Some(reason.into());
        self
    }

    /// The same with an advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// Prints `file:line:column: error[CF09]: message`, the line with a caret, reason and hint.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{}:{}:{}: ", place.file.display(), place.line, place.column)?;
        }
        write!(f, "error[{}]: {}", self.code, self.message)?;
        if let (Some(place), Some(line)) = (&self.place, &self.source_line) {
            let number = place.line.to_string();
            let before = (place.column as usize).saturating_sub(1);
            let indent: String =
                line.chars().take(before).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(f, "\n {number} | {line}\n {:1$} | {indent}^", "", number.len())?;
        }
        if let Some(reason) = &self.reason {
            write!(f, "\n  = reason: {reason}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  = hint: {hint}")?;
        }
        Ok(())
    }
}
