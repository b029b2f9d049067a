//! Reading bodies that come as text with holes: those of models in files, and of other tools.
//!
//! C's grammar of expressions, with conditions and blocks of statements around them. A name in parentheses
//! before an operand is taken for a type if it consists of words for arithmetic types, or if nothing else
//! makes an expression of it. A body that is anything else has no structure.
use super::term::{Term, TermKind, is_name};
use super::tokens::{TokenKind, tokens};
use super::{
    AssignmentOperator, BinaryOperator, Body, BodyBuilder, BodyPiece, PostfixOperator, ScalarType,
    UnaryOperator,
};

/// Terms inside each other that are read.
const DEEPEST: usize = 100;

impl Body {
    /// The body with a text with holes: its structure, if it is an expression, or conditions and blocks of
    /// expressions.
    ///
    /// *Exactness.* C's grammar; what a name stands for is not known, so that the name of a type in
    /// parentheses may be taken for a variable before `-`, `+`, `*`, `&` and `(`. *Cost.* Linear in the text;
    /// what is nested more than 100 times has no structure.
    ///
    /// ```
    /// use loopwright_scop::{Body, BodyPiece, TermKind};
    /// let body = Body::read([BodyPiece::text("if (a < b) b = a")]);
    /// assert_eq!(body.root().map(|root| root.kind()), Some(&TermKind::If));
    /// let other = Body::read([BodyPiece::text("while (a < b) b /= 2")]);
    /// assert_eq!(other.root().map(|root| root.kind()), Some(&TermKind::Opaque));
    /// ```
    pub fn read<'a>(pieces: impl IntoIterator<Item = BodyPiece<'a>>) -> Body {
        let (mut all, mut hidden): (Vec<BodyPiece<'a>>, _) = (Vec::new(), Vec::new());
        for piece in pieces {
            match (all.last_mut(), piece) {
                (_, BodyPiece::Hidden(array)) => hidden.push(array),
                (_, BodyPiece::Text(text)) if text.is_empty() => {}
                (Some(BodyPiece::Text(last)), BodyPiece::Text(text)) => {
                    last.to_mut().push_str(&text)
                }
                (_, piece) => all.push(piece),
            }
        }
        let pieces = all;
        let items = items(&pieces);
        let mut reader = Reader { items: &items, depth: 0 };
        let root = match reader.whole() {
            Some(term) => Some(term),
            None => {
                let mut builder = BodyBuilder::default();
                pieces.into_iter().for_each(|piece| builder.piece(piece));
                builder.finish().root
            }
        };
        Body { root, hidden }
    }
}

/// A token or a hole, with the blanks before it.
struct Item<'a> {
    blank: String,
    content: Content<'a>,
}

#[derive(Clone, Copy)]
enum Content<'a> {
    Token(TokenKind, &'a str),
    Hole(&'a BodyPiece<'a>),
    /// After everything.
    End,
}

fn items<'a>(pieces: &'a [BodyPiece<'a>]) -> Vec<Item<'a>> {
    let (mut items, mut blank) = (Vec::new(), String::new());
    for piece in pieces {
        match piece {
            BodyPiece::Text(text) => {
                for token in tokens(text) {
                    match token.kind {
                        TokenKind::Blank => blank.push_str(token.text),
                        kind => {
                            let content = Content::Token(kind, token.text);
                            items.push(Item { blank: std::mem::take(&mut blank), content });
                        }
                    }
                }
            }
            hole => {
                let content = Content::Hole(hole);
                items.push(Item { blank: std::mem::take(&mut blank), content });
            }
        }
    }
    items.push(Item { blank, content: Content::End });
    items
}

/// A term and the blanks before it.
struct Read {
    blank: String,
    term: Term,
}

/// A term of a kind: `texts` before, between and after the children, without the blanks before the children.
fn node(kind: TermKind, blank: String, mut texts: Vec<String>, children: Vec<Read>) -> Read {
    let (mut blank, mut terms) = (blank, Vec::with_capacity(children.len()));
    for (position, child) in children.into_iter().enumerate() {
        match texts.get_mut(position) {
            Some(before) if position > 0 || !before.is_empty() => before.push_str(&child.blank),
            _ => blank = child.blank,
        }
        terms.push(child.term);
    }
    Read { blank, term: Term::new(kind, terms, &texts) }
}

const TYPE_WORDS: [&str; 9] =
    ["char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool"];

/// Words that begin something else than an expression.
const KEYWORDS: [&str; 17] = [
    "if", "else", "while", "for", "do", "switch", "case", "default", "goto", "break", "continue",
    "return", "struct", "union", "enum", "asm", "__asm__",
];

/// Operators whose operand is a type or an expression that is not evaluated.
const SIZES: [&str; 5] = ["sizeof", "_Alignof", "alignof", "__alignof__", "__builtin_offsetof"];

struct Reader<'a> {
    items: &'a [Item<'a>],
    depth: usize,
}

impl<'a> Reader<'a> {
    fn whole(&mut self) -> Option<Term> {
        let read = self.statement()?;
        let is_all =
            matches!(self.items, [Item { content: Content::End, blank }] if blank.is_empty());
        (is_all && read.blank.is_empty()).then_some(read.term)
    }

    /// The text of the token at a place further on.
    fn text_at(&self, ahead: usize) -> Option<&'a str> {
        match self.items.get(ahead)?.content {
            Content::Token(TokenKind::Word | TokenKind::Operator, text) => Some(text),
            _ => None,
        }
    }

    fn is(&self, text: &str) -> bool {
        self.text_at(0) == Some(text)
    }

    /// Takes a token: the blanks before it, and its text.
    fn take(&mut self) -> Option<(String, Content<'a>)> {
        let (first, rest) = self.items.split_first()?;
        self.items = rest;
        Some((first.blank.clone(), first.content))
    }

    /// Takes an operator or a keyword, with the blanks before it as its text.
    fn expect(&mut self, text: &str) -> Option<String> {
        self.is(text).then(|| self.take()).flatten().map(|(blank, _)| blank + text)
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let result = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        result
    }

    fn statement(&mut self) -> Option<Read> {
        if self.is("if") {
            return self.deeper(Self::condition);
        }
        if self.is("{") {
            return self.deeper(Self::block);
        }
        let expression = self.comma()?;
        match self.expect(";") {
            Some(end) => {
                let texts = vec![String::new(), end];
                Some(node(TermKind::Statement, String::new(), texts, vec![expression]))
            }
            // Only the last semicolon is left out.
            None => matches!(self.items, [_]).then_some(expression),
        }
    }

    fn condition(&mut self) -> Option<Read> {
        let (blank, _) = self.take()?;
        let open = self.expect("(")?;
        let condition = self.comma()?;
        let close = self.expect(")")?;
        let mut children = vec![condition, self.statement()?];
        let mut texts = vec![format!("if{open}"), close];
        if let Some(keyword) = self.expect("else") {
            texts.push(keyword);
            children.push(self.statement()?);
        }
        texts.push(String::new());
        Some(node(TermKind::If, blank, texts, children))
    }

    fn block(&mut self) -> Option<Read> {
        let (blank, _) = self.take()?;
        let (mut texts, mut children) = (vec!["{".to_string()], Vec::new());
        loop {
            if let Some(close) = self.expect("}") {
                texts.push(close);
                break;
            }
            if !children.is_empty() {
                texts.push(String::new());
            }
            children.push(self.statement()?);
        }
        (!children.is_empty()).then(|| node(TermKind::Block, blank, texts, children))
    }

    fn comma(&mut self) -> Option<Read> {
        let mut left = self.assignment()?;
        while let Some(comma) = self.expect(",") {
            let right = self.assignment()?;
            left = operation(TermKind::Binary(BinaryOperator::Comma), left, comma, right);
        }
        Some(left)
    }

    fn assignment(&mut self) -> Option<Read> {
        self.deeper(|reader| {
            let left = reader.conditional()?;
            let operator = reader.text_at(0).and_then(AssignmentOperator::of_symbol);
            let Some(operator) = operator else { return Some(left) };
            let symbol = reader.expect(operator.symbol())?;
            let right = reader.assignment()?;
            Some(operation(TermKind::Assignment(operator), left, symbol, right))
        })
    }

    fn conditional(&mut self) -> Option<Read> {
        let condition = self.binary(1)?;
        let Some(question) = self.expect("?") else { return Some(condition) };
        self.deeper(|reader| {
            let then = reader.comma()?;
            let colon = reader.expect(":")?;
            let otherwise = reader.conditional()?;
            let texts = vec![String::new(), question, colon, String::new()];
            let children = vec![condition, then, otherwise];
            Some(node(TermKind::Conditional, String::new(), texts, children))
        })
    }

    /// Operators that bind at least as strongly as `least`.
    fn binary(&mut self, least: u8) -> Option<Read> {
        let mut left = self.unary()?;
        loop {
            let operator = self.text_at(0).and_then(BinaryOperator::of_symbol);
            let Some(operator) = operator.filter(|operator| operator.precedence() >= least) else {
                return Some(left);
            };
            let symbol = self.expect(operator.symbol())?;
            let right = self.deeper(|reader| reader.binary(operator.precedence() + 1))?;
            left = operation(TermKind::Binary(operator), left, symbol, right);
        }
    }

    fn unary(&mut self) -> Option<Read> {
        self.deeper(|reader| {
            if let Some(operator) = reader.text_at(0).and_then(UnaryOperator::of_symbol) {
                let (blank, _) = reader.take()?;
                let texts = vec![operator.symbol().to_string(), String::new()];
                let operand = reader.unary()?;
                return Some(node(TermKind::Unary(operator), blank, texts, vec![operand]));
            }
            match reader.cast_length() {
                Some(length) => reader.cast(length),
                None => reader.postfix(),
            }
        })
    }

    /// The number of items of the cast that comes next, its parentheses among them.
    fn cast_length(&self) -> Option<usize> {
        if !self.is("(") {
            return None;
        }
        let is_word = |item: &&Item<'_>| {
            matches!(item.content, Content::Token(TokenKind::Word, _) | Content::Token(_, "*"))
        };
        let count = self.items.get(1..)?.iter().take_while(is_word).count();
        if count == 0 || self.text_at(count + 1) != Some(")") {
            return None;
        }
        let is_type = (1..=count)
            .all(|at| self.text_at(at).is_some_and(|word| TYPE_WORDS.contains(&word)))
            || count == 1 && self.text_at(1).and_then(ScalarType::of_name).is_some();
        let begins_operand = match self.items.get(count + 2)?.content {
            Content::Token(TokenKind::Operator, text) => matches!(text, "!" | "~"),
            Content::Token(..) | Content::Hole(_) => true,
            Content::End => false,
        };
        (is_type || begins_operand).then_some(count + 2)
    }

    fn cast(&mut self, length: usize) -> Option<Read> {
        let (blank, _) = self.take()?;
        let mut text = "(".to_string();
        for _ in 1..length {
            let (blank, content) = self.take()?;
            let Content::Token(_, token) = content else { return None };
            text.push_str(&blank);
            text.push_str(token);
        }
        let name = text.trim_start_matches('(').trim_end_matches(')');
        let kind = TermKind::Cast(ScalarType::of_name(name));
        let operand = self.unary()?;
        Some(node(kind, blank, vec![text, String::new()], vec![operand]))
    }

    fn postfix(&mut self) -> Option<Read> {
        let mut operand = self.primary()?;
        loop {
            let Some(symbol) = self.text_at(0) else { return Some(operand) };
            operand = match symbol {
                "(" => self.call(operand)?,
                "[" => self.subscripts(operand)?,
                "." | "->" => {
                    let access = self.expect(symbol)?;
                    let (blank, Content::Token(TokenKind::Word, name)) = self.take()? else {
                        return None;
                    };
                    let texts = vec![String::new(), format!("{access}{blank}{name}")];
                    node(TermKind::Member, String::new(), texts, vec![operand])
                }
                _ => match PostfixOperator::of_symbol(symbol) {
                    Some(operator) => {
                        let texts = vec![String::new(), self.expect(symbol)?];
                        node(TermKind::Postfix(operator), String::new(), texts, vec![operand])
                    }
                    None => return Some(operand),
                },
            };
        }
    }

    fn call(&mut self, function: Read) -> Option<Read> {
        let mut texts = vec![String::new(), self.expect("(")?];
        let mut children = vec![function];
        if let Some(close) = self.expect(")") {
            texts[1].push_str(&close);
            return Some(node(TermKind::Call, String::new(), texts, children));
        }
        loop {
            children.push(self.assignment()?);
            match self.expect(",") {
                Some(comma) => texts.push(comma),
                None => break,
            }
        }
        texts.push(self.expect(")")?);
        Some(node(TermKind::Call, String::new(), texts, children))
    }

    fn subscripts(&mut self, array: Read) -> Option<Read> {
        let mut texts = vec![String::new(), self.expect("[")?];
        let mut children = vec![array];
        loop {
            children.push(self.comma()?);
            let close = self.expect("]")?;
            match self.expect("[") {
                Some(open) => texts.push(close + &open),
                None => {
                    texts.push(close);
                    return Some(node(TermKind::Subscript, String::new(), texts, children));
                }
            }
        }
    }

    fn primary(&mut self) -> Option<Read> {
        if self.text_at(0).is_some_and(|word| SIZES.contains(&word)) && self.text_at(1) == Some("(")
        {
            return self.size();
        }
        let (blank, content) = self.take()?;
        let term = match content {
            Content::Hole(BodyPiece::Affine(form)) => Term::affine(form.as_ref().clone()),
            Content::Hole(BodyPiece::Element(element)) => Term::element(element.as_ref().clone()),
            Content::Token(TokenKind::Word, word) if is_name(word) && !KEYWORDS.contains(&word) => {
                Term::of_text(word)
            }
            Content::Token(TokenKind::Number | TokenKind::Quoted, text) => Term::of_text(text),
            Content::Token(_, "(") => {
                let inside = self.deeper(Self::comma)?;
                let texts = vec!["(".to_string(), self.expect(")")?];
                return Some(node(TermKind::Parenthesized, blank, texts, vec![inside]));
            }
            _ => return None,
        };
        Some(Read { blank, term })
    }

    /// `sizeof` and its like with the parentheses after it: text with holes.
    fn size(&mut self) -> Option<Read> {
        let (before, Content::Token(_, word)) = self.take()? else { return None };
        let (mut texts, mut children, mut depth) = (vec![word.to_string()], Vec::new(), 0usize);
        loop {
            let (blank, content) = self.take()?;
            let text = texts.last_mut()?;
            text.push_str(&blank);
            match content {
                Content::Token(_, token) => {
                    text.push_str(token);
                    depth += usize::from(token == "(");
                    depth -= usize::from(token == ")" && depth > 0);
                    if depth == 0 {
                        let term = Term::new(TermKind::Opaque, children, &texts);
                        return Some(Read { blank: before, term });
                    }
                }
                Content::Hole(BodyPiece::Affine(form)) => {
                    children.push(Term::affine(form.as_ref().clone()));
                    texts.push(String::new());
                }
                Content::Hole(BodyPiece::Element(element)) => {
                    children.push(Term::element(element.as_ref().clone()));
                    texts.push(String::new());
                }
                Content::Hole(_) | Content::End => return None,
            }
        }
    }
}

/// `left symbol right`.
fn operation(kind: TermKind, left: Read, symbol: String, right: Read) -> Read {
    node(kind, String::new(), vec![String::new(), symbol, String::new()], vec![left, right])
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::{ArrayId, Element};

    /// A body from text in which every letter between no others is an element.
    pub(in crate::body) fn body(text: &str) -> Body {
        let mut pieces = Vec::new();
        for token in tokens(text) {
            pieces.push(match token.text {
                name if name.len() == 1 && name.chars().all(|c| c.is_ascii_lowercase()) => {
                    BodyPiece::element(Element::new(name, ArrayId(0), Vec::new()))
                }
                other => BodyPiece::text(other),
            });
        }
        Body::read(pieces)
    }

    fn printed(body: &Body) -> String {
        body.text_with(|_| String::new())
    }

    /// The text with all parentheses written.
    pub(in crate::body) fn full(term: &Term) -> String {
        let term = term.without_parentheses();
        match (term.kind(), term.children()) {
            (TermKind::Element(element), _) => element.base.with(&[]),
            (TermKind::Unary(operator), [a]) => format!("({}{})", operator.symbol(), full(a)),
            (TermKind::Binary(operator), [a, b]) => {
                format!("({}{}{})", full(a), operator.symbol(), full(b))
            }
            (_, []) => term.text().to_string(),
            (kind, children) => {
                let name = format!("{kind:?}");
                let parts: Vec<String> = children.iter().map(full).collect();
                format!("{}<{}>", name.split('(').next().unwrap_or(""), parts.join(" "))
            }
        }
    }

    #[test]
    fn operators_bind_as_in_c() {
        let cases = [
            ("a = b + c * d - e", "Assignment<a ((b+(c*d))-e)>"),
            ("a += b = -c * 2", "Assignment<a Assignment<b ((-c)*2)>>"),
            ("a < b && c == d || !e", "(((a<b)&&(c==d))||(!e))"),
            ("a ? b : c ? d : e", "Conditional<a b Conditional<c d e>>"),
            ("(unsigned char)(a + 1) << 2", "(Cast<(a+1)><<2)"),
            ("(real) a * b", "(Cast<a>*b)"),
            ("fun(a, (b, c), gun())", "Call<fun a (b,c) Call<gun>>"),
            ("a++ - --b", "(Postfix<a>-(--b))"),
            ("1.5e-3f + 0x1F + .5", "((1.5e-3f+0x1F)+.5)"),
            ("a[b + 1][c].xx", "Member<Subscript<a (b+1) c>>"),
            ("if (a < b) b = a;", "If<(a<b) Statement<Assignment<b a>>>"),
            (
                "if (a) { b = c; d = e; } else f--",
                "If<a Block<Statement<Assignment<b c>> Statement<Assignment<d e>>> Postfix<f>>",
            ),
            ("a * sizeof(double)", "(a*sizeof(double))"),
            ("a & b | c ^ d", "((a&b)|(c^d))"),
        ];
        for (text, expected) in cases {
            let read = body(text);
            assert_eq!(full(read.root().unwrap()), expected, "{text}");
            assert_eq!(printed(&read), text);
        }
    }

    #[test]
    fn other_texts_have_no_structure_and_stay_as_they_are() {
        let deep = format!("{}a{}", "(".repeat(10_000), ")".repeat(10_000));
        let long = format!("a = b{}", " + b".repeat(20_000));
        let texts = [
            "for (a = 0; a < b; a++) c += a;",
            "{ int xx = a; b = xx; }",
            "a b",
            "a = ",
            "(a",
            "fun(a",
            "a ? b",
            "asm(\"nop\")",
            " a = b ",
            "\"s\" \"t\"",
            "{ }",
            &deep,
        ];
        for text in texts {
            let read = body(text);
            assert_eq!(read.root().map(Term::kind), Some(&TermKind::Opaque), "{text:.40}");
            assert_eq!(printed(&read), *text);
        }
        assert_eq!(printed(&body(&long)), long);
        assert!(body("").is_empty());
    }

    /// Every text of small pieces is read as a body that prints as the text, and that reads its own print as
    /// itself.
    #[test]
    fn printing_gives_the_text() {
        let words = [
            "a", "b", " ", "+", "-", "*", "(", ")", "=", "+=", "[", "]", "?", ":", ",", ";", "if",
            "{", "}", "2.5", "n", "(int)", "<", "&&", "!", "++", ".xx", "else", "sizeof",
        ];
        let mut state = 0x2545_F491_4F6C_DD1Du64;
        let mut next = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound as u64) as usize
        };
        for _ in 0..20_000 {
            let length = next(12);
            let text: String = (0..length).map(|_| words[next(words.len())]).collect();
            let read = body(&text);
            assert_eq!(printed(&read), text);
            let pieces: Vec<BodyPiece<'_>> = read.pieces();
            assert_eq!(Body::read(pieces), read, "{text}");
        }
    }
}
