//! Reads the directives of a text.
//!
//! Lines that begin with `#` or `%:`, perhaps behind a comment, go on behind a backslash; `_Pragma("..")`,
//! `__pragma(..)` and `[[omp::directive(..)]]` stand anywhere between tokens. The texts of literals, comments
//! and other directives are passed over, so that a macro that holds a directive is none before it is
//! expanded.
use super::meaning::Row;
use super::table::{Family, row_of};

/// How a directive is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// `#pragma ..` or `%:pragma ..` on a line of its own.
    Line,
    /// `_Pragma("..")` or `__pragma(..)`.
    Operator,
    /// `[[omp::directive(..)]]` or `[[omp::sequence(..)]]`.
    Attribute,
}

/// A clause of a directive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Its name; what is no word stands for itself.
    pub name: String,
    /// What stands in parentheses behind it.
    pub argument: Option<String>,
}

impl Clause {
    /// The parts of its argument between commas, those in brackets left whole, behind the last modifier
    /// (`conditional: a, b`).
    ///
    /// ```
    /// let directive = &loopwright_cfront::directives::read("#pragma omp for lastprivate(conditional: a, b[0:n])")[0];
    /// assert_eq!(directive.clauses[0].items(), ["a", "b[0:n]"]);
    /// assert_eq!(directive.clauses[0].modifier(), Some("conditional"));
    /// ```
    pub fn items(&self) -> Vec<String> {
        let argument = self.argument.as_deref().unwrap_or("");
        let list = divided(argument, ':').next_back().unwrap_or("");
        divided(list, ',').map(|item| item.trim().to_string()).filter(|i| !i.is_empty()).collect()
    }

    /// What stands in front of its list, up to the colon.
    pub fn modifier(&self) -> Option<&str> {
        let argument = self.argument.as_deref()?;
        let list = divided(argument, ':').next_back()?;
        Some(argument[..argument.len() - list.len()].trim_end().strip_suffix(':')?.trim())
    }
}

/// The parts of a text between signs outside of brackets.
fn divided(text: &str, sign: char) -> impl DoubleEndedIterator<Item = &str> {
    let mut depth = 0usize;
    let mut ends = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ if c == sign && depth == 0 => ends.push(at),
            _ => {}
        }
    }
    let starts = std::iter::once(0).chain(ends.iter().map(move |end| end + 1));
    let ranges: Vec<_> = starts.zip(ends.iter().copied().chain([text.len()])).collect();
    ranges.into_iter().map(|(start, end)| &text[start..end])
}

/// A directive of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// The line on which it begins (1-based).
    pub line: u32,
    /// The byte at which it begins.
    pub start: usize,
    /// The byte behind it.
    pub end: usize,
    /// How it is written.
    pub spelling: Spelling,
    /// Whose it is.
    pub family: Family,
    /// Its name as in the table, or its first word.
    pub name: String,
    /// What stands in parentheses directly behind its name: `threadprivate(x)`, `critical(name)`.
    pub argument: Option<String>,
    /// Its clauses, in order.
    pub clauses: Vec<Clause>,
    /// Its words, without `#pragma`.
    pub text: String,
    /// Its row of the table.
    row: &'static Row,
}

impl Directive {
    /// The directive with these words, those behind `#pragma`.
    fn of_words(text: &str) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let mut words = Words { rest: &text };
        let mut heads = words.clone();
        let family = match heads.word() {
            Some("omp") => Family::OpenMp,
            Some("acc") => Family::OpenAcc,
            Some("GCC") => Family::Gcc,
            Some("clang") => Family::Clang,
            Some("STDC") => Family::Stdc,
            _ => Family::Other,
        };
        if family != Family::Other {
            words = heads;
        }
        let (family, length) = match longest(family, &words) {
            None if family == Family::Other => {
                longest(Family::Own, &words).map_or((family, 1), |length| (Family::Own, length))
            }
            found => (family, found.unwrap_or(1)),
        };
        let name: Vec<&str> = (0..length).map_while(|_| words.word()).collect();
        let name = name.join(" ");
        let argument = words.group();
        let clauses = words.clauses();
        let spelling = Spelling::Line;
        let row = row_of(family, &name);
        let (line, start, end) = (1, 0, 0);
        Directive { line, start, end, spelling, family, name, argument, clauses, text, row }
    }

    /// Its row of the table; that of unknown directives if there is none.
    pub fn row(&self) -> &'static Row {
        self.row
    }

    /// Its clauses of a name.
    pub fn clauses_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Clause> {
        self.clauses.iter().filter(move |clause| clause.name == name)
    }
}

/// The number of words of the longest name of a family that the words begin with.
fn longest(family: Family, words: &Words<'_>) -> Option<usize> {
    let mut rest = words.clone();
    let (mut name, mut found) = (String::new(), None);
    for length in 1..=8 {
        let Some(word) = rest.word() else { break };
        if length > 1 {
            name.push(' ');
        }
        name.push_str(word);
        if family.row(&name).is_some() {
            found = Some(length);
        }
    }
    found
}

/// The words of a directive that are left.
#[derive(Clone)]
struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// Takes a word of letters, digits and underscores, if one is next.
    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if word.is_empty() {
            return None;
        }
        self.rest = behind;
        Some(word)
    }

    /// Takes what stands in parentheses, if those are next.
    fn group(&mut self) -> Option<String> {
        let rest = self.rest.trim_start();
        let end = rest.starts_with('(').then(|| group_end(rest))?;
        let inner = rest.get(1..end).unwrap_or("").trim().to_string();
        self.rest = rest.get(end + 1..).unwrap_or("");
        Some(inner)
    }

    /// Takes the clauses up to the end.
    fn clauses(mut self) -> Vec<Clause> {
        let mut clauses = Vec::new();
        loop {
            self.rest = self.rest.trim_start_matches([' ', ',']);
            let Some(next) = self.rest.chars().next() else { return clauses };
            let name = match self.word() {
                Some(word) => word.to_string(),
                None => {
                    let length = match next {
                        '"' | '\'' => literal_end(self.rest, 0),
                        '(' => group_end(self.rest) + 1,
                        _ => next.len_utf8(),
                    };
                    let length = length.min(self.rest.len());
                    let (sign, behind) = self.rest.split_at(length);
                    self.rest = behind;
                    sign.to_string()
                }
            };
            let argument = self.group();
            clauses.push(Clause { name, argument });
        }
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Where the parenthesis that a text begins with is closed; its end if it is not.
fn group_end(text: &str) -> usize {
    let (mut at, mut depth) = (0, 0usize);
    let bytes = text.as_bytes();
    while at < bytes.len() {
        match bytes[at] {
            b'(' => depth += 1,
            b')' if depth == 1 => return at,
            b')' => depth -= 1,
            b'"' | b'\'' => {
                at = literal_end(text, at);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// The byte behind a literal whose quote is at a byte; it ends before a line break.
fn literal_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'\n' => return at,
            byte if byte == bytes[start] => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The directives of a text, preprocessed or not, in its order.
///
/// ```
/// use loopwright_cfront::directives::{Family, read};
/// let text = "void f(void) {\n/* x */ %:pragma omp \\\n  parallel for private(t)\n}\n_Pragma(\"omp barrier\")\n";
/// let found = read(text);
/// assert_eq!((found[0].line, &*found[0].name, found[0].family), (2, "parallel for", Family::OpenMp));
/// assert_eq!(found[0].clauses[0].items(), ["t"]);
/// assert_eq!((found[1].line, &*found[1].name), (5, "barrier"));
/// ```
///
/// *Cost.* Linear in the text.
pub fn read(text: &str) -> Vec<Directive> {
    if !["pragma", "_Pragma", "omp"].iter().any(|word| text.contains(word)) {
        return Vec::new();
    }
    let mut scan = Scan { text, at: 0, line: 1, counted: 0, is_open: false, found: Vec::new() };
    scan.all();
    scan.found
}

/// A text that is scanned.
struct Scan<'s> {
    text: &'s str,
    at: usize,
    /// The line of the byte up to which lines are counted.
    line: u32,
    counted: usize,
    /// Whether no double bracket is closed from here on.
    is_open: bool,
    found: Vec<Directive>,
}

impl<'s> Scan<'s> {
    fn all(&mut self) {
        let mut is_line_start = true;
        while let Some(&byte) = self.text.as_bytes().get(self.at) {
            let rest = &self.text.as_bytes()[self.at..];
            match rest {
                [b'\n', ..] => {
                    is_line_start = true;
                    self.at += 1;
                    continue;
                }
                [b' ' | b'\t' | b'\r' | 0x0b | 0x0c, ..] => {
                    self.at += 1;
                    continue;
                }
                [b'/', b'/' | b'*', ..] => {
                    // A comment that goes over several lines leaves the next token at the start of its line
                    // if it was.
                    self.at = comment_end(self.text, self.at);
                    continue;
                }
                [b'\\', b'\n', ..] => {
                    self.at += 2;
                    continue;
                }
                [b'#', ..] if is_line_start => self.directive_line(1),
                [b'%', b':', ..] if is_line_start => self.directive_line(2),
                [b'?', b'?', b'=', ..] if is_line_start => self.directive_line(3),
                [b'"' | b'\'', ..] => self.at = literal_end(self.text, self.at),
                [b'[', b'[', ..] => self.attributes(),
                _ if is_word(byte as char) || byte >= 0x80 => self.word(),
                _ => self.at += 1,
            }
            is_line_start = false;
        }
    }

    /// The line of a byte behind all those asked for before.
    fn line_of(&mut self, at: usize) -> u32 {
        let between = self.text.as_bytes().get(self.counted..at).unwrap_or_default();
        self.line += between.iter().filter(|byte| **byte == b'\n').count() as u32;
        self.counted = at.max(self.counted);
        self.line
    }

    fn add(&mut self, words: &str, start: usize, spelling: Spelling) {
        let line = self.line_of(start);
        let (end, own) = (self.at, Directive::of_words(words));
        self.found.push(Directive { line, start, end, spelling, ..own });
    }

    /// A line behind its sign, up to its end.
    fn directive_line(&mut self, sign: usize) {
        let start = self.at;
        let mut words = String::new();
        self.at += sign;
        while self.at < self.text.len() {
            match &self.text.as_bytes()[self.at..] {
                [b'\n', ..] => break,
                [b'/', b'/' | b'*', ..] => {
                    words.push(' ');
                    self.at = comment_end(self.text, self.at);
                }
                [b'\\', ..] if self.continuation().is_some() => {
                    self.at = self.continuation().unwrap_or(self.at + 1);
                }
                [b'"' | b'\'', ..] => {
                    let end = literal_end(self.text, self.at);
                    words.push_str(self.text.get(self.at..end).unwrap_or(""));
                    self.at = end;
                }
                _ => {
                    let length = self.text[self.at..].chars().next().map_or(1, char::len_utf8);
                    words.push_str(&self.text[self.at..self.at + length]);
                    self.at += length;
                }
            }
        }
        let words = words.trim();
        if let Some(rest) = words.strip_prefix("pragma")
            && !rest.starts_with(is_word)
        {
            self.add(rest, start, Spelling::Line);
        }
    }

    /// The byte behind the line break that a backslash here takes away.
    fn continuation(&self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        let blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let blanks = bytes.get(self.at + 1..)?.iter().take_while(blank).count();
        let end = self.at + 1 + blanks;
        (bytes.get(end) == Some(&b'\n')).then_some(end + 1)
    }

    /// A word, which may be an operator with a directive.
    fn word(&mut self) {
        let start = self.at;
        let rest = &self.text[start..];
        let least = rest.chars().next().map_or(1, char::len_utf8);
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()).max(least);
        let word = rest.get(..length).unwrap_or("");
        self.at = start + length;
        let is_text = match word {
            "_Pragma" => true,
            "__pragma" => false,
            _ => return,
        };
        let behind = &self.text[self.at..];
        let open = behind.len() - behind.trim_start().len();
        if !behind[open..].starts_with('(') {
            return;
        }
        let close = group_end(&behind[open..]);
        let inner = behind[open..].get(1..close).unwrap_or("").trim();
        self.at = (self.at + open + close + 1).min(self.text.len());
        let words = if is_text { unquoted(inner) } else { inner.to_string() };
        self.add(&words, start, Spelling::Operator);
    }

    /// Attributes in double brackets.
    fn attributes(&mut self) {
        let start = self.at;
        let closed = if self.is_open { None } else { self.text[start..].find("]]") };
        let Some(length) = closed else {
            self.is_open = true;
            self.at += 2;
            return;
        };
        let inner = self.text[start + 2..start + length].to_string();
        self.at = start + length + 2;
        let squeezed: String = inner.chars().filter(|c| !c.is_whitespace()).collect();
        let is_using = squeezed.starts_with("usingomp:");
        if !is_using && !squeezed.contains("omp::") {
            return;
        }
        for name in ["directive", "decl"] {
            for (at, _) in inner.match_indices(name) {
                let is_part = inner[..at].ends_with(is_word);
                let behind = inner[at + name.len()..].trim_start();
                if is_part || !behind.starts_with('(') {
                    continue;
                }
                let words = behind.get(1..group_end(behind)).unwrap_or("").replacen(',', " ", 1);
                self.add(&format!("omp {words}"), start, Spelling::Attribute);
            }
        }
    }
}

/// The byte behind a comment that begins at a byte.
fn comment_end(text: &str, start: usize) -> usize {
    let rest = &text[start..];
    let length = match rest.starts_with("//") {
        true => rest.find('\n'),
        false => rest.get(2..).and_then(|rest| rest.find("*/")).map(|at| at + 4),
    };
    start + length.unwrap_or(rest.len())
}

/// The text of a literal.
fn unquoted(literal: &str) -> String {
    let open = literal.find('"').map_or(literal.len(), |at| at + 1);
    let inner = literal[open..].strip_suffix('"').unwrap_or(&literal[open..]);
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.extend(chars.next()),
            _ => text.push(c),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_spellings_are_read() {
        let text = "#define P _Pragma(\"omp for\")\n  # pragma omp /* a\n b */ single nowait\n\"#pragma omp\"\n\
                    x; _Pragma ( \"omp critical (\\\"a\\\")\" ) y;\n__pragma(omp task)\n\
                    [[omp::sequence(directive(parallel), directive(for, ordered))]]\n\
                    #pragma \\\r\n omp barrier\n// #pragma omp flush\n/* x */ %:pragma omp flush(a)\n#pragmatic\n";
        let found: Vec<(u32, String)> = read(text).into_iter().map(|d| (d.line, d.name)).collect();
        let names: Vec<(u32, &str)> = found.iter().map(|(line, name)| (*line, &**name)).collect();
        assert_eq!(
            names,
            [
                (2, "single"),
                (5, "critical"),
                (6, "task"),
                (7, "parallel"),
                (7, "for"),
                (8, "barrier"),
                (11, "flush"),
            ]
        );
    }

    #[test]
    fn any_text_is_read() {
        let parts = [
            "#pragma",
            " omp ",
            "\n",
            "\\",
            "\"",
            "(",
            ")",
            "€",
            "é",
            "[[",
            "]]",
            "omp::directive",
            "_Pragma",
            "/*",
            "'",
        ];
        let mut state = 1u64;
        for _ in 0..20_000 {
            let mut text = String::new();
            for _ in 0..12 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text.push_str(parts[(state >> 33) as usize % parts.len()]);
            }
            for directive in read(&text) {
                assert!(text.get(directive.start..directive.end).is_some(), "{text:?}");
                let _ = directive.clauses.iter().map(Clause::items).count();
            }
        }
        assert!(read(&"[[ pragma".repeat(200_000)).is_empty());
    }

    #[test]
    fn names_and_clauses_are_divided() {
        let one = |words: &str| Directive::of_words(words);
        let own = one("omp parallel for simd schedule(static, 1), reduction(+: s, t[0:n]) nowait");
        assert_eq!((&*own.name, own.clauses.len()), ("parallel for simd", 3));
        assert_eq!(own.clauses[1].items(), ["s", "t[0:n]"]);
        assert_eq!(own.clauses[1].modifier(), Some("+"));
        let own = one("omp cancel parallel if(x)");
        assert_eq!((&*own.name, &*own.clauses[0].name), ("cancel", "parallel"));
        let own = one("omp threadprivate(a, b)");
        assert_eq!(own.argument.as_deref(), Some("a, b"));
        assert_eq!(one("GCC unroll 4").name, "unroll");
        assert_eq!(one("pencil independent").family, Family::Own);
        assert_eq!(one("whatever x").name, "whatever");
        assert_eq!(one("").name, "");
    }
}
