//! The declarations and functions of a file, with the names that they introduce.
use super::tokens::{Token, closing};
use std::ops::Range;

/// A declaration, a function or a pragma outside of functions.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Its tokens.
    pub(super) range: Range<usize>,
    /// The names that it introduces; tags with their word (`struct S`).
    pub(super) names: Vec<String>,
    /// The parameters of a function, with their brackets.
    pub(super) parameters: Option<Range<usize>>,
    /// Where the body of a function begins.
    pub(super) body: Option<usize>,
}

/// Words that are part of types or have brackets of their own.
const KEYWORDS: [&str; 36] = [
    "void",
    "char",
    "short",
    "int",
    "long",
    "float",
    "double",
    "signed",
    "unsigned",
    "_Bool",
    "_Complex",
    "const",
    "volatile",
    "restrict",
    "__restrict",
    "__restrict__",
    "static",
    "extern",
    "typedef",
    "inline",
    "__inline",
    "__inline__",
    "register",
    "auto",
    "_Noreturn",
    "_Atomic",
    "_Thread_local",
    "__thread",
    "__extension__",
    "sizeof",
    "__const",
    "__signed__",
    "__volatile__",
    "return",
    "bool",
    "__int128",
];

/// Words whose brackets say something about what is declared.
pub(super) const WITH_BRACKETS: [&str; 11] = [
    "__attribute__",
    "__attribute",
    "__declspec",
    "_Alignas",
    "alignas",
    "__asm__",
    "asm",
    "__asm",
    "typeof",
    "__typeof__",
    "_Static_assert",
];

/// The items of a file.
pub(super) fn items(tokens: &[Token]) -> Vec<Item> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < tokens.len() {
        let item = Reader { tokens, at, start: at, item: Item::starting_at(at) }.read();
        at = item.range.end.max(at + 1);
        found.push(item);
    }
    found
}

impl Item {
    fn starting_at(at: usize) -> Self {
        Item { range: at..at, names: Vec::new(), parameters: None, body: None }
    }
}

struct Reader<'t> {
    tokens: &'t [Token],
    start: usize,
    at: usize,
    item: Item,
}

impl Reader<'_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    /// The position behind a bracket.
    fn behind(&self, open: usize) -> usize {
        closing(self.tokens, open).map_or(self.tokens.len(), |close| close + 1)
    }

    fn read(mut self) -> Item {
        while let Some(token) = self.tokens.get(self.at) {
            match &*token.text {
                _ if token.pragma().is_some() => {
                    self.at += 1;
                    if self.at == self.start + 1 {
                        break;
                    }
                }
                ";" => {
                    self.at += 1;
                    break;
                }
                "struct" | "union" | "enum" => self.tag(),
                own if WITH_BRACKETS.contains(&own) => self.at = self.behind(self.at + 1),
                "=" => self.initializer(),
                "(" => self.group(),
                "[" => self.at = self.behind(self.at),
                "{" => {
                    self.item.body = Some(self.at);
                    self.at = self.behind(self.at);
                    break;
                }
                _ => self.word(),
            }
        }
        self.item.range.end = self.at;
        self.item
    }

    /// `struct S { ... }`, with the constants of an enumeration.
    fn tag(&mut self) {
        let word = self.tokens[self.at].text.clone();
        self.at += 1;
        while self.tokens.get(self.at).is_some_and(|own| WITH_BRACKETS.contains(&&*own.text)) {
            self.at = self.behind(self.at + 1);
        }
        let name = self.tokens.get(self.at).filter(|own| own.is_word()).cloned();
        self.at += usize::from(name.is_some());
        if !self.is(self.at, "{") {
            return;
        }
        self.item.names.extend(name.map(|name| format!("{word} {}", name.text)));
        let end = self.behind(self.at);
        if word == "enum" {
            let constants = (self.at + 1..end).filter(|at| {
                self.tokens[*at].is_word() && (self.is(at - 1, "{") || self.is(at - 1, ","))
            });
            let constants: Vec<String> = constants.map(|at| self.tokens[at].text.clone()).collect();
            self.item.names.extend(constants);
        }
        self.at = end;
    }

    fn initializer(&mut self) {
        while let Some(token) = self.tokens.get(self.at) {
            match &*token.text {
                "," | ";" => return,
                "(" | "[" | "{" => self.at = self.behind(self.at),
                _ => self.at += 1,
            }
        }
    }

    /// Parameters, or the name of a pointer in brackets.
    fn group(&mut self) {
        let end = self.behind(self.at);
        if self.is(self.at + 1, "*") || self.is(self.at + 1, "(") {
            let name = self.tokens[self.at..end].iter().find(|own| is_name(own));
            self.item.names.extend(name.map(|own| own.text.clone()));
        } else if self.item.parameters.is_none() {
            self.item.parameters = Some(self.at..end);
        }
        self.at = end;
    }

    fn word(&mut self) {
        let token = &self.tokens[self.at];
        self.at += 1;
        let Some(next) = self.tokens.get(self.at) else { return };
        let ends = ["(", "[", "=", ",", ";", ":", "{"].contains(&&*next.text)
            || WITH_BRACKETS.contains(&&*next.text);
        if is_name(token) && ends {
            self.item.names.push(token.text.clone());
        }
    }
}

/// Whether a token is a name and no word of the language.
pub(super) fn is_name(token: &Token) -> bool {
    token.is_word() && !KEYWORDS.contains(&&*token.text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Token> {
        let tokens = loopwright_scop::body::tokens::tokens(text).into_iter();
        let own = tokens.filter(|token| !token.text.trim().is_empty());
        own.map(|token| Token { text: token.text.to_string(), line: 1 }).collect()
    }

    #[test]
    fn names_that_items_introduce() {
        let cases: [(&str, &[&str]); 9] = [
            ("static int a = g(1, b), c[n];", &["a", "c"]),
            ("struct S { int x; } s;", &["struct S", "s"]),
            ("enum { ONE = 1, TWO };", &["ONE", "TWO"]),
            ("typedef enum E { THREE } e_t;", &["enum E", "THREE", "e_t"]),
            ("__attribute__((const)) double g(float x);", &["g"]),
            ("double (*rows)[4];", &["rows"]),
            ("struct S f(struct S x) { int y; return x; }", &["f"]),
            ("typedef double real;", &["real"]),
            ("struct __attribute__((packed)) T { char c; };", &["struct T"]),
        ];
        for (text, expected) in cases {
            let tokens = read(text);
            let found = items(&tokens);
            assert_eq!(found.len(), 1, "{text}");
            assert_eq!(found[0].names, expected, "{text}");
        }
        assert_eq!(items(&read("int f(int x) { return x; } int g;")).len(), 2);
    }
}
