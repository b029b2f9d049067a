//! Messages to the user: what was refused, where, why, and what to do.
use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

/// Defines [`Code`] from one table, so that no list of codes can be incomplete.
macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $title:literal, $advice:literal;)*) => {
        /// The kinds of refusals; the text form (`CF07`) is stable, and `docs/diagnostics.md` has a
        /// section about each.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes, in the order of their numbers.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The stable text of the code.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Code::$name => $text,)*
                }
            }

            /// The cause in a few words, the heading of its section of `docs/diagnostics.md`.
            pub fn title(self) -> &'static str {
                match self {
                    $(Code::$name => $title,)*
                }
            }

            /// What can be done about it, where a refusal does not know better.
            pub fn advice(self) -> &'static str {
                match self {
                    $(Code::$name => $advice,)*
                }
            }
        }
    };
}

codes! {
    /// The file or the preprocessor's output cannot be read.
    Unreadable =
        "CF01", "a file that cannot be read",
        "name a file of C text";
    /// The preprocessor cannot be run or fails.
    Preprocessor =
        "CF02", "the preprocessor fails",
        "pass the -I and -D options that the file is compiled with";
    /// There is no region.
    NoRegion =
        "CF03", "no region",
        "put `#pragma scop` before and `#pragma endscop` after the loops";
    /// `#pragma scop` and `#pragma endscop` do not match, or cut a statement in two.
    Unbalanced =
        "CF04", "pragmas that do not match",
        "put both pragmas into the same block, on lines of their own";
    /// The region is not valid C.
    Syntax =
        "CF05", "not understood as C",
        "correct the text; a macro of a header needs the -I and -D options that the file is compiled with";
    /// A statement that cannot be part of a region (`goto`, `while`, `switch`, ..).
    UnsupportedStatement =
        "CF06", "control flow",
        "move it out of the region";
    /// An expression that cannot be part of a statement's body.
    UnsupportedExpression =
        "CF07", "an expression that is not supported",
        "compute the value in statements of its own, or before the region";
    /// A loop whose shape is not understood.
    LoopForm =
        "CF08", "the form of a loop",
        "write `for (i = start; i < end; i += step)`, or put `#pragma scop` and `#pragma endscop` around the loop: there it is one statement";
    /// A loop bound or condition that is not affine.
    NonAffineCondition =
        "CF09", "a bound or condition that is not affine",
        "use sums of multiples of iterators and of variables that the region does not change";
    /// A subscript that is not affine.
    NonAffineSubscript =
        "CF10", "a subscript that is not affine",
        "use sums of multiples of iterators and of variables that the region does not change";
    /// A name without declaration.
    UnknownName =
        "CF11", "a name without declaration",
        "declare it before the region, or pass -D if it is a macro";
    /// A call of a function that is not known to be pure.
    Call =
        "CF12", "a call",
        "move it out of the region";
    /// A use of a pointer or an array that is not an element.
    Pointer =
        "CF13", "a pointer that is not an array",
        "write an element of an array, with subscripts";
    /// An iterator that is changed in the loop, or whose final value is used.
    Iterator =
        "CF14", "an iterator used otherwise",
        "let only the head of the loop change the iterator";
    /// A declaration that cannot be part of a region.
    Declaration =
        "CF15", "a declaration",
        "move the declaration before `#pragma scop`";
    /// A type whose variables have no place in a model.
    Type =
        "CF16", "a type",
        "copy the value to another variable before the region";
    /// A condition, a subscript or a nest beyond the limits of the front end.
    TooComplex =
        "CF17", "beyond a limit",
        "write it with fewer cases, or divide the region";
    /// Statements whose lines cannot be replaced without touching something else.
    Placement =
        "CF18", "lines shared with something else",
        "put the statements on lines of their own, outside of macros";
    /// Variables that may be the same memory.
    Overlap =
        "CF19", "pointers that may lead to the same memory",
        "declare the pointers `restrict`, or say that they do not overlap with --assume-no-alias";
    /// A directive that the region would not mean the same without.
    Directive =
        "CF20", "a directive",
        "leave the statements that it is about to it, outside of regions";
    /// Options of the compiler for single functions that change what C means.
    Options =
        "CF30", "options of a function that change C",
        "compile the function without that option";
    /// State that each thread has for itself is changed or looked at.
    ThreadState =
        "CF31", "state of a thread",
        "leave these loops as they are; loops whose flags nobody looks at can be in another file";
}

/// The documentation of all codes.
const DOCUMENTATION: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/diagnostics.md"));

impl Code {
    /// The code with a text, in upper or lower case.
    ///
    /// ```
    /// use loopwright_cfront::Code;
    /// assert_eq!(Code::parse("cf12"), Some(Code::Call));
    /// assert_eq!(Code::parse("CF00"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(text))
    }

    /// What the documentation says about the code, in Markdown: what it means, an example and the
    /// way out.
    ///
    /// ```
    /// use loopwright_cfront::Code;
    /// assert!(Code::Call.documentation().starts_with("## CF12: a call\n"));
    /// ```
    pub fn documentation(self) -> &'static str {
        let heading = format!("## {self}: ");
        let start = DOCUMENTATION.find(&heading).unwrap_or(DOCUMENTATION.len());
        let text = &DOCUMENTATION[start..];
        let end = text.match_indices("\n## ").map(|(at, _)| at + 1).next().unwrap_or(text.len());
        text[..end].trim_end()
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
    /// The column, in the text that is shown of the line.
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
    /// The line at the place: that of the file, or of the preprocessed text where they are the same or the
    /// line is one of another file.
    pub source_line: Option<String>,
    /// Why this cannot be accepted.
    pub reason: Option<String>,
    /// What the user can do: what the code advises, or better.
    pub hint: Option<String>,
    /// The number of characters that the message is about, from the place on.
    pub length: u32,
    /// The byte of the preprocessed text at the place.
    pub(crate) byte: Option<usize>,
    /// Whether it only says what follows from another refusal.
    pub(crate) is_consequence: bool,
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
            hint: Some(code.advice().to_string()),
            length: 1,
            byte: None,
            is_consequence: false,
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

/// So many characters of a line are shown.
const SHOWN: usize = 160;

/// What stands for the rest.
const REST: &str = "...";

/// A part of a line that is easily read, with a column of the line as one of the part: all of it if it is
/// short.
fn part_of_line(line: &str, column: usize) -> (Cow<'_, str>, usize) {
    let line = line.trim_end();
    let n = line.chars().count();
    if n <= SHOWN {
        return (Cow::Borrowed(line), column);
    }
    let start = column.saturating_sub(SHOWN / 2).min(n - SHOWN);
    let shown: String = line.chars().skip(start).take(SHOWN).collect();
    let before = if start > 0 { REST } else { "" };
    let after = if start + SHOWN < n { REST } else { "" };
    (Cow::Owned(format!("{before}{shown}{after}")), column - start + before.len())
}

/// Prints the message with its code, the place, the line with the part in question underlined, the
/// reason and the advice, as rustc does.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error[{}]: {}", self.code, self.message)?;
        let width = self.place.as_ref().map_or(1, |place| place.line.to_string().len());
        let margin = " ".repeat(width);
        if let Some(place) = &self.place {
            write!(f, "\n{margin}--> {}:{}:{}", place.file.display(), place.line, place.column)?;
        }
        if let (Some(place), Some(line)) = (&self.place, &self.source_line) {
            let column = (place.column as usize).saturating_sub(1);
            let (line, before) = part_of_line(line, column);
            let indent: String =
                line.chars().take(before).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            let rest = line.trim_end().chars().count().saturating_sub(before);
            let underline = "^".repeat((self.length as usize).min(rest).max(1));
            write!(f, "\n{margin} |\n{} | {line}\n{margin} | {indent}{underline}", place.line)?;
        }
        if let Some(reason) = &self.reason {
            write!(f, "\n{margin} = reason: {reason}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n{margin} = hint: {hint}")?;
        }
        Ok(())
    }
}
