//! The bodies of multifor statements.
use super::head::head;
use super::statement::{MultiforItem, MultiforStatement, MultiforSyntax, MultiforText};
use super::tokens::{Refusal, Tokens};
use crate::diagnostics::diagnostic::Code;
use std::ops::Range;

/// What stands deeper is refused.
const MAX_DEPTH: usize = 100;

/// A multifor statement; `outer` has the indices around, by loop.
pub(super) fn multifor(
    tokens: &mut Tokens<'_>,
    outer: &[Vec<String>],
    depth: usize,
) -> Result<MultiforSyntax, Refusal> {
    if depth > MAX_DEPTH {
        return Err(tokens.expected("less nesting"));
    }
    let (start, line) = (tokens.start(), tokens.line());
    let loops = head(tokens, outer)?;
    let outer_of = |k: usize| outer.get(k).cloned().unwrap_or_default();
    let indices: Vec<Vec<String>> = loops
        .iter()
        .enumerate()
        .map(|(k, each)| [outer_of(k), vec![each.index.clone()]].concat())
        .collect();
    let items = match tokens.text() {
        "multifor" => vec![MultiforItem::Inner(multifor(tokens, &indices, depth + 1)?)],
        _ => block(tokens, &indices, depth)?,
    };
    Ok(MultiforSyntax { start, line, loops, items })
}

/// Items in braces.
fn block(
    tokens: &mut Tokens<'_>,
    indices: &[Vec<String>],
    depth: usize,
) -> Result<Vec<MultiforItem>, Refusal> {
    tokens.expect("{")?;
    let mut items = Vec::new();
    loop {
        match tokens.text() {
            "}" => {
                tokens.take();
                return Ok(items);
            }
            "multifor" => items.push(MultiforItem::Inner(multifor(tokens, indices, depth + 1)?)),
            _ => items.extend(prefixed(tokens, indices)?.into_iter().map(MultiforItem::Statement)),
        }
    }
}

/// A statement behind the numbers of its loops: one for each.
fn prefixed(
    tokens: &mut Tokens<'_>,
    indices: &[Vec<String>],
) -> Result<Vec<MultiforStatement>, Refusal> {
    let nests = prefixes(tokens, indices.len())?;
    let (start, line) = (tokens.start(), tokens.line());
    let body_start = tokens.clone();
    skip_statement(tokens, Jumps::default(), 0)?;
    let end = tokens.end_of_previous();
    let alternative = |(position, &nest): (usize, &usize)| {
        let reader = BodyReader { indices, nest, n_alternatives: nests.len(), position };
        let body = reader.parts(body_start.clone(), start..end)?;
        Ok(MultiforStatement { start, line, nest, body })
    };
    nests.iter().enumerate().map(alternative).collect()
}

/// `0 :`, or `[2, 3] :`.
fn prefixes(tokens: &mut Tokens<'_>, n_loops: usize) -> Result<Vec<usize>, Refusal> {
    let without = "a number of a loop and `:` in front of each statement";
    let mut nests = Vec::new();
    let mut one = |tokens: &mut Tokens<'_>| {
        if !tokens.is_number_at(0) {
            return Err(tokens.expected(without));
        }
        let byte = tokens.start();
        let value = tokens.integer()?;
        match usize::try_from(value).ok().filter(|nest| *nest < n_loops) {
            Some(nest) if nests.contains(&nest) => {
                let message = format!("the prefix names loop {nest} twice");
                Err(Refusal::new(Code::Syntax, byte, message))
            }
            Some(nest) => {
                nests.push(nest);
                Ok(())
            }
            None => {
                let message =
                    format!("the prefix {value} names no loop: there are {n_loops}, from 0 on");
                Err(Refusal::new(Code::Syntax, byte, message))
            }
        }
    };
    match tokens.text() {
        "[" => {
            tokens.take();
            one(tokens)?;
            while tokens.text() == "," {
                tokens.take();
                one(tokens)?;
            }
            tokens.expect("]")?;
        }
        _ => one(tokens)?,
    }
    tokens.expect(":")?;
    Ok(nests)
}

/// Which jumps stay inside of a statement.
#[derive(Clone, Copy, Default)]
struct Jumps {
    is_in_loop: bool,
    is_in_switch: bool,
}

/// Goes behind one statement of C.
fn skip_statement(tokens: &mut Tokens<'_>, jumps: Jumps, depth: usize) -> Result<(), Refusal> {
    if depth > MAX_DEPTH {
        return Err(tokens.expected("less nesting"));
    }
    let inner = match tokens.text() {
        "for" | "while" | "do" => Jumps { is_in_loop: true, ..jumps },
        "switch" => Jumps { is_in_switch: true, ..jumps },
        _ => jumps,
    };
    match tokens.text() {
        "{" => {
            tokens.take();
            while tokens.text() != "}" {
                skip_statement(tokens, jumps, depth + 1)?;
            }
            tokens.take();
            Ok(())
        }
        "if" => {
            tokens.take();
            skip_brackets(tokens)?;
            skip_statement(tokens, inner, depth + 1)?;
            if tokens.text() == "else" {
                tokens.take();
                skip_statement(tokens, inner, depth + 1)?;
            }
            Ok(())
        }
        "for" | "while" | "switch" => {
            tokens.take();
            skip_brackets(tokens)?;
            skip_statement(tokens, inner, depth + 1)
        }
        "do" => {
            tokens.take();
            skip_statement(tokens, inner, depth + 1)?;
            skip_to_semicolon(tokens)
        }
        "case" | "default" if jumps.is_in_switch => {
            while !matches!(tokens.text(), ":" | ";" | "") {
                tokens.take();
            }
            tokens.expect(":")?;
            skip_statement(tokens, jumps, depth + 1)
        }
        "break" if jumps.is_in_loop || jumps.is_in_switch => skip_to_semicolon(tokens),
        "continue" if jumps.is_in_loop => skip_to_semicolon(tokens),
        "break" | "continue" | "return" | "goto" => {
            let message = format!("`{}` leaves a body of a multifor statement", tokens.text());
            Err(Refusal::new(Code::UnsupportedStatement, tokens.start(), message))
        }
        _ => skip_to_semicolon(tokens),
    }
}

fn skip_to_semicolon(tokens: &mut Tokens<'_>) -> Result<(), Refusal> {
    loop {
        match tokens.text() {
            ";" => {
                tokens.take();
                return Ok(());
            }
            "(" | "[" | "{" => skip_brackets(tokens)?,
            "" | ")" | "]" | "}" => return Err(tokens.expected("`;`")),
            _ => tokens.take(),
        }
    }
}

/// Goes behind the bracket that closes the next one.
fn skip_brackets(tokens: &mut Tokens<'_>) -> Result<(), Refusal> {
    if !matches!(tokens.text(), "(" | "[" | "{") {
        return Err(tokens.expected("a bracket"));
    }
    let mut open = Vec::new();
    loop {
        match tokens.text() {
            "(" => open.push(")"),
            "[" => open.push("]"),
            "{" => open.push("}"),
            "" => return Err(tokens.expected("a closing bracket")),
            text @ (")" | "]" | "}") if open.pop() != Some(text) => {
                return Err(tokens.expected("another closing bracket"));
            }
            text @ ("return" | "goto" | "break" | "continue") => {
                let message = format!("`{text}` leaves a body of a multifor statement");
                return Err(Refusal::new(Code::UnsupportedStatement, tokens.start(), message));
            }
            _ => {}
        }
        tokens.take();
        if open.is_empty() {
            return Ok(());
        }
    }
}

/// Reads the text of a statement for one of its loops.
struct BodyReader<'a> {
    /// The indices of all nests.
    indices: &'a [Vec<String>],
    /// The loop.
    nest: usize,
    /// The number of loops that the statement is written for, and which of them this is.
    n_alternatives: usize,
    position: usize,
}

/// The parts that are found so far.
struct Parts {
    parts: Vec<MultiforText>,
    /// Where the text that is not taken yet begins.
    copied: usize,
}

impl Parts {
    fn plain(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(MultiforText::Plain(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.parts.push(MultiforText::Plain(text.to_string())),
        }
    }
}

impl BodyReader<'_> {
    /// The parts of the text between two bytes; `tokens` are at the first.
    fn parts(&self, tokens: Tokens<'_>, bytes: Range<usize>) -> Result<Vec<MultiforText>, Refusal> {
        let mut found = Parts { parts: Vec::new(), copied: bytes.start };
        self.read(tokens, bytes, &mut found)?;
        Ok(found.parts)
    }

    /// Adds the parts of the text between two bytes.
    fn read(
        &self,
        mut tokens: Tokens<'_>,
        bytes: Range<usize>,
        found: &mut Parts,
    ) -> Result<(), Refusal> {
        tokens.go_to(bytes.start);
        found.copied = bytes.start;
        let mut simple_until = bytes.start;
        while tokens.start() < bytes.end && !tokens.is_at_end() {
            let previous = tokens.previous();
            if tokens.text() == "[" && tokens.start() > bytes.start && is_operand_end(previous) {
                simple_until = simple_subscript_end(&tokens).unwrap_or(simple_until);
            } else if tokens.text() == "["
                && self.n_alternatives > 1
                && let Some((chosen, end)) = self.alternative(&tokens)
            {
                found.plain(tokens.source_between(found.copied, tokens.start()));
                self.read(tokens.clone(), chosen, found)?;
                tokens.go_to(end);
                found.copied = end;
                continue;
            } else if tokens.is_name() && !matches!(previous, "." | "->") {
                self.name(&tokens, simple_until, found)?;
            }
            tokens.take();
        }
        found.plain(tokens.source_between(found.copied, bytes.end));
        found.copied = bytes.end;
        Ok(())
    }

    /// A name that may be an index.
    fn name(
        &self,
        tokens: &Tokens<'_>,
        simple_until: usize,
        found: &mut Parts,
    ) -> Result<(), Refusal> {
        let name = tokens.text();
        let is_own = self.indices[self.nest].iter().any(|index| index == name);
        if !is_own {
            return match self.indices.iter().position(|nest| nest.iter().any(|i| i == name)) {
                None => Ok(()),
                Some(other) => {
                    let nest = self.nest;
                    let message = format!(
                        "a statement of loop {nest} uses `{name}`, the index of loop {other}"
                    );
                    Err(Refusal::new(Code::Iterator, tokens.start(), message)
                        .because("the loops advance together, but each has indices of its own"))
                }
            };
        }
        if let Some(change) = change_of(tokens) {
            let message = format!("the index `{name}` is {change} in a body");
            return Err(Refusal::new(Code::Iterator, tokens.start(), message)
                .because("the head of the multifor statement decides its values"));
        }
        found.plain(tokens.source_between(found.copied, tokens.start()));
        let in_subscript = tokens.start() < simple_until;
        found.parts.push(MultiforText::Index { name: name.to_string(), in_subscript });
        found.copied = tokens.end();
        Ok(())
    }

    /// The bytes of this loop's alternative in a list such as `[i3, i4]`, and where the list ends; none if it
    /// is no such list.
    fn alternative(&self, tokens: &Tokens<'_>) -> Option<(Range<usize>, usize)> {
        let mut tokens = tokens.clone();
        tokens.take();
        let mut entries = Vec::new();
        let mut start = tokens.start();
        loop {
            match tokens.text() {
                "," | "]" => {
                    entries.push(start..tokens.end_of_previous());
                    let is_end = tokens.text() == "]";
                    tokens.take();
                    start = tokens.start();
                    if is_end {
                        break;
                    }
                }
                "(" | "[" | "{" => skip_brackets(&mut tokens).ok()?,
                "" | ")" | "}" | ";" => return None,
                _ => tokens.take(),
            }
        }
        let chosen = entries.get(self.position)?.clone();
        (entries.len() == self.n_alternatives).then_some((chosen, tokens.end_of_previous()))
    }
}

/// What a body does with an index but read it.
fn change_of(tokens: &Tokens<'_>) -> Option<&'static str> {
    let is_assignment = |text: &str| {
        text.len() > 1 && text.ends_with('=') && !matches!(text, "==" | "!=" | "<=" | ">=")
            || text == "="
    };
    match (tokens.previous(), tokens.text_at(1)) {
        ("++" | "--", _) | (_, "++" | "--") => Some("changed"),
        (_, next) if is_assignment(next) => match tokens.previous_is_type() {
            true => Some("declared again"),
            false => Some("changed"),
        },
        _ if tokens.previous_is_type() => Some("declared again"),
        ("&", _) if !is_operand_end(tokens.before_previous()) => Some("taken the address of"),
        _ => None,
    }
}

/// Whether a token can be the last one of an operand.
fn is_operand_end(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '"' | '\'' | '.');
    matches!(text, ")" | "]") || text.chars().next_back().is_some_and(is_word) && text != "return"
}

/// Where a subscript ends if it is a sum of products of names and numbers.
fn simple_subscript_end(tokens: &Tokens<'_>) -> Option<usize> {
    let mut tokens = tokens.clone();
    tokens.take();
    let mut depth = 0usize;
    loop {
        match tokens.text() {
            "]" => return (depth == 0).then(|| tokens.start()),
            "(" if is_operand_end(tokens.previous()) => return None,
            "(" => depth += 1,
            ")" => depth = depth.checked_sub(1)?,
            "+" | "-" | "*" => {}
            _ if tokens.is_name() || tokens.is_number_at(0) => {}
            _ => return None,
        }
        tokens.take();
    }
}
