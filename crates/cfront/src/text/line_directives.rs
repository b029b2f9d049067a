//! Files that give their lines other numbers and names: `#line 100 "grammar.y"`.
//!
//! The preprocessor only tells the numbers that a program gives itself. Which line of the file a text stands
//! on is found by a mark in the name of each such directive, which says where it stands; the mark is taken
//! out of the preprocessor's output again.
use crate::text::comments::blank_comments;
use std::borrow::Cow;

/// What divides a name from the mark behind it.
const MARK: &str = "//line-directive:";

/// A name with a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Marked<'a> {
    /// The name without the mark; empty if the directive gives none.
    name: &'a str,
    /// The line of the file on which the directive stands (1-based).
    line: u32,
    /// The number that it gives to the line behind it.
    number: u32,
}

impl<'a> Marked<'a> {
    /// Reads a name of the preprocessor's output.
    pub(crate) fn read(name: &'a str) -> Option<Self> {
        let (name, mark) = name.split_once(MARK)?;
        let (line, number) = mark.split_once(':')?;
        Some(Marked { name, line: line.parse().ok()?, number: number.parse().ok()? })
    }

    /// The line of the file that the preprocessor calls `number`.
    pub(crate) fn line_of(self, number: u32) -> u32 {
        (self.line + 1).saturating_add(number.saturating_sub(self.number))
    }
}

/// A text whose directives about lines have marks.
pub(crate) fn marked(text: &str) -> Cow<'_, str> {
    let may_be = |line: &str| directive(line).is_some();
    if !text.lines().any(may_be) {
        return Cow::Borrowed(text);
    }
    let blanked = blank_comments(text);
    let mut name = String::new();
    let mut result = String::with_capacity(text.len());
    for (index, (line, written)) in text.split_inclusive('\n').zip(blanked.text.lines()).enumerate()
    {
        match directive(written) {
            Some((number, given)) => {
                if let Some(given) = given {
                    name = given.to_string();
                }
                result += &format!("#line {number} \"{name}{MARK}{}:{number}\"\n", index + 1);
            }
            None => result.push_str(line),
        }
    }
    Cow::Owned(result)
}

/// The number and the name of a directive that gives lines other numbers.
fn directive(line: &str) -> Option<(u32, Option<&str>)> {
    let rest = line.trim().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(end);
    let number = number.parse().ok()?;
    match rest.trim() {
        "" => Some((number, None)),
        name => {
            let name = name.strip_prefix('"')?;
            Some((number, Some(&name[..name.find('"')?])))
        }
    }
}

/// A line of preprocessed text without marks.
pub(crate) fn without_marks(line: &str) -> Cow<'_, str> {
    if !line.contains(MARK) {
        return Cow::Borrowed(line);
    }
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, mark)) = rest.split_once(MARK) {
        text.push_str(before);
        rest = mark.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':');
    }
    Cow::Owned(text + rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_say_where_they_stand() {
        let text = "int a;\n# line 100 \"b.y\" // c\n/*\n#line 7\n*/\n#line 8\n# define X 1\n";
        let expected = "int a;\n#line 100 \"b.y//line-directive:2:100\"\n/*\n#line 7\n*/\n\
                        #line 8 \"b.y//line-directive:6:8\"\n# define X 1\n";
        assert_eq!(marked(text), expected);
        let name = Marked::read("b.y//line-directive:2:100").unwrap();
        assert_eq!((name.name, name.line_of(100), name.line_of(103)), ("b.y", 3, 6));
        assert_eq!(without_marks("f(\"b.y//line-directive:2:100\", 3);"), "f(\"b.y\", 3);");
        assert_eq!(marked("#pragma scop\n#define line 3\n"), "#pragma scop\n#define line 3\n");
    }
}
