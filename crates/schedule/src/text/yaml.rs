//! The subset of YAML in which isl writes schedule trees, constraints and access information.
//!
//! Accepted: block mappings and lists (a list may start in the column of its key), flow mappings
//! and lists, scalars in double or single quotes (which may span lines; a line break counts as a
//! blank) and bare scalars up to the end of the line (of the item, inside a flow collection),
//! comments from `#` on. What is not accepted: anchors, tags, block scalars (`|`, `>`), several
//! documents.
//!
//! Sets are texts in braces and brackets, and bare sets would be ambiguous: `{ S[i] }` could start
//! a flow mapping, `[n] -> { [] }` a flow list. A brace starts a mapping only if a word and a colon
//! follow; and every [`Value`] remembers its source text, so that a reader who expects a set
//! gets the text whatever the brackets looked like ([`Value::text`]).
use loopwright_presburger::{Error, Result};
use std::borrow::Cow;

/// Nesting beyond this is refused: the parsers are recursive.
const MAX_DEPTH: usize = 400;

/// A parsed node together with its source.
#[derive(Clone, Debug)]
pub struct Value<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// The source text of the node.
    pub source: &'a str,
    /// Byte position of the node in the document.
    pub position: usize,
    /// The document.
    document: &'a str,
}

/// The kinds of nodes.
#[derive(Clone, Debug)]
pub enum Kind<'a> {
    /// Nothing (an empty document, or a key without value).
    Null,
    /// A string or a bare word.
    Scalar(Cow<'a, str>),
    /// A list.
    List(Vec<Value<'a>>),
    /// A mapping in the order of the text.
    Mapping(Vec<(Cow<'a, str>, Value<'a>)>),
}

impl<'a> Value<'a> {
    /// Reads a document. Cost: linear in the text (bare collections: times their nesting).
    ///
    /// # Errors
    /// [`Error::Parse`] with the byte position; the message names the line.
    pub fn parse(text: &'a str) -> Result<Value<'a>> {
        let mut parser = Parser { text, position: 0, depth: 0 };
        let value = parser.block(0)?;
        parser.skip_blank();
        if parser.position < text.len() {
            return Err(parser.error("expected the end of the document (check the indentation)"));
        }
        Ok(value)
    }

    /// The text of a scalar; of a collection, its source (an unquoted set looks like one).
    pub fn text(&self) -> &str {
        match &self.kind {
            Kind::Scalar(text) => text,
            _ => self.source,
        }
    }

    /// The items of a list.
    ///
    /// # Errors
    /// If this is not a list.
    pub fn items(&self) -> Result<&[Value<'a>]> {
        match &self.kind {
            Kind::List(items) => Ok(items),
            _ => Err(self.error("expected a list")),
        }
    }

    /// The entries of a mapping.
    ///
    /// # Errors
    /// If this is not a mapping.
    pub fn entries(&self) -> Result<&[(Cow<'a, str>, Value<'a>)]> {
        match &self.kind {
            Kind::Mapping(entries) => Ok(entries),
            _ => Err(self.error("expected a mapping (`key: value`)")),
        }
    }

    /// The value of a key of a mapping; none if there is no such key or this is not a mapping.
    pub fn get(&self, key: &str) -> Option<&Value<'a>> {
        match &self.kind {
            Kind::Mapping(entries) => entries.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The value as a flag: `0`, `1`, `true` or `false`.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn flag(&self) -> Result<bool> {
        match self.text().trim() {
            "0" | "false" => Ok(false),
            "1" | "true" => Ok(true),
            _ => Err(self.error("expected 0 or 1")),
        }
    }

    /// The line of the node (1-based). Cost: linear in the text before it.
    pub fn line(&self) -> usize {
        line_of(self.document, self.position)
    }

    /// An error at this node; the message is preceded by the line.
    pub fn error(&self, message: impl std::fmt::Display) -> Error {
        let line = self.line();
        Error::Parse { position: self.position, message: format!("line {line}: {message}") }
    }

    /// Reads the text of this node with a parser of sets or relations; errors get this line.
    ///
    /// # Errors
    /// Those of `parse`.
    pub fn read<T>(&self, parse: impl Fn(&str) -> Result<T>) -> Result<T> {
        parse(self.text()).map_err(|error| match error {
            Error::Parse { message, position } => {
                self.error(format_args!("{message} (at byte {position} of the value)"))
            }
            other => self.error(other),
        })
    }
}

struct Parser<'a> {
    text: &'a str,
    position: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.position).copied()
    }

    fn same_line(&self, from: usize) -> bool {
        !self.text[from..self.position].contains('\n')
    }

    fn error(&self, message: &str) -> Error {
        let position = self.position;
        let line = line_of(self.text, position);
        Error::Parse { position, message: format!("line {line}: {message}") }
    }

    /// Columns between the start of the line and the current position.
    fn column(&self) -> usize {
        let before = &self.text[..self.position];
        self.position - before.rfind('\n').map_or(0, |at| at + 1)
    }

    /// Moves over blanks, line breaks, comments and document starts.
    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.position += rest.len() - trimmed.len();
            let document_start = trimmed.starts_with("---") && self.column() == 0;
            if !trimmed.starts_with('#') && !document_start {
                return;
            }
            self.position += trimmed.find('\n').unwrap_or(trimmed.len());
        }
    }

    fn finish(&self, kind: Kind<'a>, start: usize) -> Value<'a> {
        let source = self.text[start..self.position].trim_end();
        Value { kind, source, position: start, document: self.text }
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.error("too deeply nested")) } else { Ok(()) }
    }

    /// A node in block style whose first column is at least `column`.
    fn block(&mut self, column: usize) -> Result<Value<'a>> {
        self.enter()?;
        self.skip_blank();
        let start = self.position;
        let own = self.column();
        let value = if start == self.text.len() || own < column {
            self.finish(Kind::Null, start)
        } else if self.at_dash() {
            self.block_list(own)?
        } else if self.key_length().is_some() {
            self.block_mapping(own)?
        } else {
            self.inline(false)?
        };
        self.depth -= 1;
        Ok(value)
    }

    fn at_dash(&self) -> bool {
        let rest = self.rest();
        rest.starts_with('-') && rest[1..].chars().next().is_none_or(char::is_whitespace)
    }

    fn block_list(&mut self, column: usize) -> Result<Value<'a>> {
        let start = self.position;
        let mut items = Vec::new();
        while self.position < self.text.len() && self.column() == column && self.at_dash() {
            self.position += 1;
            items.push(self.block(column + 1)?);
            self.skip_blank();
        }
        Ok(self.finish(Kind::List(items), start))
    }

    fn block_mapping(&mut self, column: usize) -> Result<Value<'a>> {
        let start = self.position;
        let mut entries: Vec<(Cow<'a, str>, Value<'a>)> = Vec::new();
        while self.position < self.text.len() && self.column() == column {
            if self.at_dash() {
                break;
            }
            let key = self.key(&entries)?;
            let colon = self.position;
            self.skip_blank();
            let value = if self.same_line(colon) {
                self.inline(false)?
            } else if self.at_dash() {
                self.block(column)?
            } else {
                self.block(column + 1)?
            };
            entries.push((key, value));
            self.skip_blank();
        }
        Ok(self.finish(Kind::Mapping(entries), start))
    }

    /// The length of a key at the current position, if a key and a colon are there.
    fn key_length(&self) -> Option<usize> {
        let rest = self.rest();
        let first = rest.as_bytes().first()?;
        // Behind a quoted key no blank is needed: JSON is often written without any.
        let is_quoted = matches!(first, b'"' | b'\'');
        let (length, after) = match first {
            quote @ (b'"' | b'\'') => {
                let end = rest[1..].find(*quote as char)? + 2;
                (end, &rest[end..])
            }
            _ => {
                let is_key = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
                let end = rest.find(|c| !is_key(c)).unwrap_or(rest.len());
                (end, &rest[end..])
            }
        };
        let after = after.trim_start_matches([' ', '\t']).strip_prefix(':')?;
        let separated = after.chars().next().is_none_or(|c| c.is_whitespace() || c == '"');
        (length > 0 && (separated || is_quoted)).then_some(length)
    }

    fn key(&mut self, entries: &[(Cow<'a, str>, Value<'a>)]) -> Result<Cow<'a, str>> {
        let Some(length) = self.key_length() else {
            return Err(self.error("expected `key:`"));
        };
        let key = self.rest()[..length].trim_matches(['"', '\'']);
        if entries.iter().any(|(k, _)| k == key) {
            return Err(self.error("this key appears twice"));
        }
        self.position += length;
        let colon = self.rest().find(':').expect("key_length has seen the colon");
        self.position += colon + 1;
        Ok(Cow::Borrowed(key))
    }

    /// A scalar or a flow collection; inside one (`in_flow`), bare scalars end at `,`, `]`, `}`.
    fn inline(&mut self, in_flow: bool) -> Result<Value<'a>> {
        self.enter()?;
        let start = self.position;
        let value = match self.peek() {
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote)?,
            Some(b'{') if self.starts_flow_mapping() => self.flow_mapping()?,
            Some(b'[') if self.starts_flow_list(in_flow) => self.flow_list()?,
            _ => self.bare(in_flow)?,
        };
        self.depth -= 1;
        debug_assert!(self.position >= start);
        Ok(value)
    }

    fn quoted(&mut self, quote: u8) -> Result<Value<'a>> {
        let start = self.position;
        let body = &self.rest()[1..];
        let mut text = String::new();
        let mut characters = body.char_indices();
        while let Some((at, c)) = characters.next() {
            match c {
                '\\' if quote == b'"' => match characters.next() {
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((digits, 'u')) => {
                        let code = body.get(digits + 1..digits + 5);
                        let code = code.and_then(|code| u32::from_str_radix(code, 16).ok());
                        let Some(character) = code.and_then(char::from_u32) else {
                            return Err(self.error("expected a character with four digits"));
                        };
                        text.push(character);
                        characters.nth(3);
                    }
                    Some((_, other)) => text.push(other),
                    None => break,
                },
                '\n' => text.push(' '),
                '\'' if quote == b'\'' && body[at + 1..].starts_with('\'') => {
                    characters.next();
                    text.push('\'');
                }
                c if c == quote as char => {
                    self.position = start + 1 + at + 1;
                    return Ok(self.finish(Kind::Scalar(Cow::Owned(text)), start));
                }
                c => text.push(c),
            }
        }
        Err(self.error("this quote is not closed"))
    }

    fn starts_flow_mapping(&self) -> bool {
        let mut inner = Parser { text: self.text, position: self.position + 1, depth: 0 };
        inner.skip_blank();
        inner.peek() == Some(b'}') || inner.key_length().is_some()
    }

    /// A bracket starts a list unless text follows its end (as in `[n] -> { .. }`).
    fn starts_flow_list(&self, in_flow: bool) -> bool {
        let Some(length) = balanced_length(self.rest()) else { return true };
        let mut after = Parser { text: self.text, position: self.position + length, depth: 0 };
        let end = after.position;
        after.skip_blank();
        match after.peek() {
            None => true,
            Some(b',' | b']' | b'}') if in_flow => true,
            Some(_) => !in_flow && !after.same_line(end),
        }
    }

    fn flow_mapping(&mut self) -> Result<Value<'a>> {
        let start = self.position;
        self.position += 1;
        let mut entries = Vec::new();
        loop {
            self.skip_blank();
            if self.peek() == Some(b'}') {
                break;
            }
            let key = self.key(&entries)?;
            self.skip_blank();
            let value = self.inline(true)?;
            entries.push((key, value));
            self.end_of_item(b'}')?;
        }
        self.position += 1;
        Ok(self.finish(Kind::Mapping(entries), start))
    }

    fn flow_list(&mut self) -> Result<Value<'a>> {
        let start = self.position;
        self.position += 1;
        let mut items = Vec::new();
        loop {
            self.skip_blank();
            if self.peek() == Some(b']') {
                break;
            }
            items.push(self.inline(true)?);
            self.end_of_item(b']')?;
        }
        self.position += 1;
        Ok(self.finish(Kind::List(items), start))
    }

    /// Moves over a comma, or up to the closing bracket.
    fn end_of_item(&mut self, close: u8) -> Result<()> {
        self.skip_blank();
        match self.peek() {
            Some(b',') => {
                self.position += 1;
                Ok(())
            }
            Some(c) if c == close => Ok(()),
            _ => Err(self.error(&format!("expected `,` or `{}`", close as char))),
        }
    }

    /// Text up to the end of the line or item; brackets and braces inside it are balanced.
    fn bare(&mut self, in_flow: bool) -> Result<Value<'a>> {
        let start = self.position;
        let mut after_blank = false;
        while let Some(c) = self.peek() {
            match c {
                b'\n' => break,
                b'#' if after_blank => break,
                b',' | b']' | b'}' if in_flow => break,
                b'[' | b'{' | b'(' => {
                    let Some(length) = balanced_length(self.rest()) else {
                        return Err(self.error("this bracket is not closed"));
                    };
                    self.position += length;
                    after_blank = false;
                    continue;
                }
                _ => {}
            }
            after_blank = c == b' ' || c == b'\t';
            self.position += 1;
        }
        let text = self.text[start..self.position].trim_end();
        if text.is_empty() {
            return Ok(self.finish(Kind::Null, start));
        }
        Ok(self.finish(Kind::Scalar(Cow::Borrowed(text)), start))
    }
}

fn line_of(text: &str, position: usize) -> usize {
    1 + text.as_bytes()[..position].iter().filter(|&&byte| byte == b'\n').count()
}

/// The length of the text from an opening bracket to its partner, quotes skipped over.
fn balanced_length(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (Some(open), _) if byte == open => quote = None,
            (Some(_), _) => {}
            (None, b'"') => quote = Some(byte),
            (None, b'[' | b'{' | b'(') => depth += 1,
            (None, b']' | b'}' | b')') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            (None, _) => {}
        }
    }
    None
}

/// `text` in double quotes, with backslashes before quotes and backslashes.
pub fn quote(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(value: &Value) -> String {
        match &value.kind {
            Kind::Null => "~".into(),
            Kind::Scalar(text) => format!("'{text}'"),
            Kind::List(items) => {
                format!("[{}]", items.iter().map(shape).collect::<Vec<_>>().join(","))
            }
            Kind::Mapping(entries) => {
                let entries: Vec<_> =
                    entries.iter().map(|(k, v)| format!("{k}={}", shape(v))).collect();
                format!("({})", entries.join(","))
            }
        }
    }

    fn parsed(text: &str) -> String {
        shape(&Value::parse(text).unwrap())
    }

    #[test]
    fn reads_block_style() {
        let text = "# comment\ndomain: \"{ A[] }\" # more\nchild:\n  sequence:\n  - filter: \"{ A[i]\n    }\"\n    child:\n        mark: m\n  - filter: '{ B[] }'\n  permutable: 1\nlast:\n";
        assert_eq!(
            parsed(text),
            "(domain='{ A[] }',child=(sequence=[(filter='{ A[i]     }',child=(mark='m')),\
             (filter='{ B[] }')],permutable='1'),last=~)"
        );
    }

    #[test]
    fn reads_flow_style_and_mixtures() {
        assert_eq!(
            parsed("{ domain: \"{ A[] }\", child: { set: [ { filter: \"x\" }, {} ] } }"),
            "(domain='{ A[] }',child=(set=[(filter='x'),()]))"
        );
        assert_eq!(parsed("a: [1, 0 ]\nb: { c: d,\n e: [] }"), "(a=['1','0'],b=(c='d',e=[]))");
        assert_eq!(parsed("a: 'i'' = i'\nb: \"x\\u0041\\n\""), "(a='i' = i',b='xA\n')");
        assert_eq!(parsed(""), "~");
        assert_eq!(parsed("- a\n- - b\n  - c\n"), "['a',['b','c']]");
    }

    #[test]
    fn reads_bare_sets() {
        assert_eq!(parsed("domain: [n] -> { S[i] : i < n }"), "(domain='[n] -> { S[i] : i < n }')");
        assert_eq!(
            parsed("{ domain: { S[i, j]; T[] }, child: [n] -> { [] } }"),
            "(domain='{ S[i, j]; T[] }',child='[n] -> { [] }')"
        );
        let value = Value::parse("schedule: [{ S[i] -> [(i)] }]\n").unwrap();
        assert_eq!(value.get("schedule").unwrap().text(), "[{ S[i] -> [(i)] }]");
    }

    #[test]
    fn errors_name_the_line() {
        for (text, line) in [
            ("a: 1\nb: \"x\n", 2),
            ("a: 1\na: 2\n", 2),
            ("a: 1\n  b\n", 2),
            ("a: [1, 2\n", 2),
            ("x: 1\ny: 2\nz: {b: 1, }}", 3),
        ] {
            let message = Value::parse(text).unwrap_err().to_string();
            assert!(message.contains(&format!("line {line}")), "{text:?}: {message}");
        }
        assert!(Value::parse(&"[".repeat(100_000)).is_err());
        assert!(Value::parse(&"- ".repeat(100_000)).is_err());
    }
}
