//! A place in the tokens, and expressions read there.
use crate::printed::outcome::{Stop, Walked};
use crate::printed::tokens::{Token, TokenKind, tokens};
use crate::verdict::Violation;
use loopwright_astgen::AstExpr;
use loopwright_presburger::Name;
use std::collections::BTreeMap;

/// Expressions inside each other that are read.
const DEEPEST: usize = 200;

/// What a macro of the text computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Macro {
    Least,
    Greatest,
    /// A quotient rounded towards minus infinity, for positive divisors.
    Floor,
}

/// What names mean.
#[derive(Clone, Default)]
pub(super) struct Names<'a> {
    pub(super) macros: BTreeMap<&'a str, Macro>,
    pub(super) parameters: Vec<Name>,
    /// Iterators and other local constants, innermost last, with their values over the names of the tree.
    pub(super) values: Vec<(&'a str, AstExpr)>,
    /// Words of the reader's own that stand for numbers.
    pub(super) numbers: Vec<(Name, AstExpr)>,
}

impl Names<'_> {
    /// Whether a word stands for a number.
    pub(super) fn has_value(&self, word: &str) -> bool {
        self.value(word).is_some()
    }

    fn value(&self, word: &str) -> Option<AstExpr> {
        let local = self.values.iter().rev().find(|(name, _)| *name == word);
        let parameter = || self.parameters.iter().find(|name| &***name == word);
        let number = || self.numbers.iter().rev().find(|(name, _)| &**name == word);
        let value = local.map(|(_, value)| value.clone());
        value
            .or_else(|| Some(AstExpr::Id(parameter()?.clone())))
            .or_else(|| number().map(|(_, value)| value.clone()))
    }
}

/// A place in the tokens.
#[derive(Clone)]
pub(super) struct Cursor<'t, 'a> {
    pub(super) tokens: &'t [Token<'a>],
    pub(super) at: usize,
    depth: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    pub(super) fn new(tokens: &'t [Token<'a>]) -> Self {
        Cursor { tokens, at: 0, depth: 0 }
    }

    pub(super) fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    pub(super) fn is(&self, text: &str) -> bool {
        self.is_ahead(0, text)
    }

    pub(super) fn is_ahead(&self, ahead: usize, text: &str) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|token| token.text == text)
    }

    pub(super) fn take_if(&mut self, text: &str) -> bool {
        let found = self.is(text);
        self.at += usize::from(found);
        found
    }

    /// The text is not what it should be here.
    pub(super) fn wrong(&self, expected: &str) -> Stop {
        let (line, found) = match self.peek() {
            Some(token) => (token.line, token.text.trim_end()),
            None => (self.tokens.last().map_or(0, |token| token.line), "the end"),
        };
        let message = format!("line {line} of the printed text has `{found}`, not {expected}");
        Stop::Wrong(Violation { message, example: None })
    }

    pub(super) fn line(&self) -> u32 {
        self.peek().or(self.tokens.last().copied()).map_or(0, |token| token.line)
    }

    pub(super) fn expect(&mut self, text: &str) -> Walked<()> {
        match self.take_if(text) {
            true => Ok(()),
            false => Err(self.wrong(&format!("`{text}`"))),
        }
    }

    pub(super) fn expect_all(&mut self, tokens: &[Token<'_>]) -> Walked<()> {
        tokens.iter().try_for_each(|token| self.expect(token.text))
    }

    /// A directive whose tokens are those of a line.
    pub(super) fn expect_line(&mut self, line: &str) -> Walked<()> {
        let found = self.peek().filter(|token| token.kind == TokenKind::Directive);
        let inside = |text: &str| -> Vec<String> {
            let all = tokens(text);
            all.into_iter().map(|token| token.text.to_string()).collect()
        };
        let is_same = found.is_some_and(|token| {
            let words = |text: &str| inside(&text.trim_end()[1..]);
            let (found, wanted) = (words(token.text), words(line));
            found == wanted || is_asked(&found, &wanted)
        });
        self.at += usize::from(is_same);
        if is_same { Ok(()) } else { Err(self.wrong(&format!("`{line}`"))) }
    }

    pub(super) fn word(&mut self) -> Walked<&'a str> {
        let found = self.peek().filter(|token| token.kind == TokenKind::Word);
        let found = found.ok_or_else(|| self.wrong("a name"))?;
        self.at += 1;
        Ok(found.text)
    }

    /// Moves behind what closes the parenthesis, bracket or brace at the front.
    pub(super) fn skip_balanced(&mut self) -> Walked<()> {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            self.at += 1;
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return Ok(());
            }
        }
        Err(self.wrong("what closes a parenthesis"))
    }

    /// Moves behind one statement of C, whatever it is.
    pub(super) fn skip_statement(&mut self) -> Walked<()> {
        while self.peek().is_some_and(|token| token.kind == TokenKind::Directive) {
            self.at += 1;
        }
        if self.is("{") {
            return self.skip_balanced();
        }
        while self.is("for") || self.is("if") {
            let is_if = self.is("if");
            self.at += 1;
            self.skip_balanced()?;
            match is_if {
                false if self.is("{") => return self.skip_balanced(),
                false => {}
                true => {
                    self.skip_statement()?;
                    if !self.take_if("else") {
                        return Ok(());
                    }
                    return self.skip_statement();
                }
            }
        }
        loop {
            let token = self.peek().ok_or_else(|| self.wrong("`;`"))?;
            match token.text {
                ";" => {
                    self.at += 1;
                    return Ok(());
                }
                "(" | "[" | "{" => self.skip_balanced()?,
                _ => self.at += 1,
            }
        }
    }

    /// An expression.
    pub(super) fn expression(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        self.deeper(|cursor| {
            let condition = cursor.or(names)?;
            if !cursor.take_if("?") {
                return Ok(condition);
            }
            let yes = cursor.expression(names)?;
            cursor.expect(":")?;
            let no = cursor.expression(names)?;
            Ok(AstExpr::Select(Box::new(condition), Box::new(yes), Box::new(no)))
        })
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Walked<T>) -> Walked<T> {
        if self.depth > DEEPEST {
            return Err(Stop::Unread("an expression that is nested too deeply".to_string()));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn or(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        let mut list = vec![self.and(names)?];
        while self.take_if("||") {
            list.push(self.and(names)?);
        }
        Ok(only_or(list, AstExpr::Or))
    }

    fn and(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        let mut list = vec![self.equality(names)?];
        while self.take_if("&&") {
            list.push(self.equality(names)?);
        }
        Ok(only_or(list, AstExpr::And))
    }

    fn equality(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        let left = self.relation(names)?;
        match self.take_if("==") {
            true => Ok(AstExpr::Eq(Box::new(left), Box::new(self.relation(names)?))),
            false => Ok(left),
        }
    }

    fn relation(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        type Binary = fn(Box<AstExpr>, Box<AstExpr>) -> AstExpr;
        const OPERATORS: [(&str, Binary); 4] =
            [("<", AstExpr::Lt), ("<=", AstExpr::Le), (">", AstExpr::Gt), (">=", AstExpr::Ge)];
        let left = self.sum(names)?;
        for (operator, relation) in OPERATORS {
            if self.take_if(operator) {
                return Ok(relation(Box::new(left), Box::new(self.sum(names)?)));
            }
        }
        Ok(left)
    }

    fn sum(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        let mut value = self.product(names)?;
        loop {
            let join = match () {
                () if self.take_if("+") => AstExpr::Add,
                () if self.take_if("-") => AstExpr::Sub,
                () => return Ok(value),
            };
            value = join(Box::new(value), Box::new(self.product(names)?));
        }
    }

    fn product(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        let mut value = self.operand(names)?;
        loop {
            let join = match () {
                () if self.take_if("*") => AstExpr::Mul,
                () if self.take_if("/") => AstExpr::DivNonneg,
                () if self.take_if("%") => AstExpr::RemNonneg,
                () => return Ok(value),
            };
            value = join(Box::new(value), Box::new(self.operand(names)?));
        }
    }

    /// An operand: what binds more tightly than `*`. Casts between the types of iterators are passed over,
    /// since numbers are taken as integers.
    pub(super) fn operand(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        self.deeper(|cursor| {
            if cursor.take_if("-") {
                return Ok(match cursor.operand(names)? {
                    AstExpr::Int(value) => AstExpr::Int(-value),
                    other => AstExpr::Neg(Box::new(other)),
                });
            }
            let is_type = cursor.is_ahead(1, "int") || cursor.is_ahead(1, "long");
            if cursor.is("(") && is_type && cursor.is_ahead(2, ")") {
                cursor.at += 3;
                return cursor.operand(names);
            }
            if cursor.take_if("(") {
                let value = cursor.expression(names)?;
                cursor.expect(")")?;
                return Ok(value);
            }
            cursor.atom(names)
        })
    }

    fn atom(&mut self, names: &Names<'_>) -> Walked<AstExpr> {
        let token = self.peek().ok_or_else(|| self.wrong("an expression"))?;
        match token.kind {
            TokenKind::Number => {
                let value = token.text.parse().map_err(|_| self.wrong("an integer"))?;
                self.at += 1;
                Ok(AstExpr::Int(value))
            }
            TokenKind::Word => match names.macros.get(token.text) {
                Some(&meaning) => self.call(meaning, names),
                None => {
                    let value = names.value(token.text);
                    let value = value.ok_or_else(|| self.wrong("a name that has a value here"))?;
                    self.at += 1;
                    Ok(value)
                }
            },
            _ => Err(self.wrong("an expression")),
        }
    }

    fn call(&mut self, meaning: Macro, names: &Names<'_>) -> Walked<AstExpr> {
        self.at += 1;
        self.expect("(")?;
        let first = self.expression(names)?;
        self.expect(",")?;
        let second = self.expression(names)?;
        self.expect(")")?;
        Ok(match meaning {
            Macro::Least => AstExpr::Min(vec![first, second]),
            Macro::Greatest => AstExpr::Max(vec![first, second]),
            Macro::Floor => AstExpr::DivFloor(Box::new(first), Box::new(second)),
        })
    }
}

fn only_or(mut list: Vec<AstExpr>, join: fn(Vec<AstExpr>) -> AstExpr) -> AstExpr {
    match (list.len(), list.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            list.extend(last);
            join(list)
        }
    }
}

/// Whether a directive that calls threads is another one with the question in addition whether there are to
/// be several.
fn is_asked(found: &[String], wanted: &[String]) -> bool {
    let calls_threads = wanted.iter().take(3).eq(["pragma", "omp", "parallel"]);
    let more = found.strip_prefix(wanted).unwrap_or_default();
    let [keyword, condition @ ..] = more else { return false };
    let mut depth = 0_i64;
    let is_closed: Vec<bool> = condition
        .iter()
        .map(|word| {
            depth += i64::from(word == "(") - i64::from(word == ")");
            depth <= 0
        })
        .collect();
    let end = is_closed.iter().position(|closed| *closed);
    calls_threads && keyword == "if" && end.is_some_and(|end| end + 1 == condition.len())
}
