//! Functions of the program that kernels call: copies of those that only compute a value.
//!
//! The text of such a function is C that means the same in C++ and in OpenCL C, if it has no words but those of types, of
//! control flow, of its own variables and of functions that kernels have, and no pointers.
use super::fits::{RESERVED, WORDS};
use super::functions;
use super::language::Language;
use super::own_variables::{FLOW, PART, Token, declared, tokens};
use std::collections::{BTreeMap, BTreeSet};

/// The functions of a program that kernels may have, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct ProgramFunctions {
    texts: BTreeMap<String, Vec<Token>>,
}

impl ProgramFunctions {
    /// Those of some texts that kernels can have.
    pub(super) fn of(texts: &BTreeMap<String, String>) -> ProgramFunctions {
        let is_free = |name: &str| !functions::is_known(name) && !RESERVED.contains(&name);
        let of_text = |(name, text): (&String, &String)| {
            Some((name.clone(), tokens(text))).filter(|(name, tokens)| {
                is_free(name) && is_plain(tokens) && !has_signs_apart(text)
            })
        };
        let mut texts: BTreeMap<String, Vec<Token>> = texts.iter().filter_map(of_text).collect();
        loop {
            let names: BTreeSet<String> = texts.keys().cloned().collect();
            let n_before = texts.len();
            texts.retain(|name, text| knows_all_words(name, text, &names));
            if texts.len() == n_before {
                return ProgramFunctions { texts };
            }
        }
    }

    /// Whether kernels may call a function.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.texts.contains_key(name)
    }

    /// The definitions of functions and of those that they call.
    pub(super) fn definitions(&self, names: &BTreeSet<String>, language: Language) -> Vec<String> {
        let (mut open, mut all): (Vec<&str>, BTreeSet<&str>) =
            (names.iter().map(String::as_str).collect(), BTreeSet::new());
        let mut library = BTreeSet::new();
        while let Some(name) = open.pop() {
            let Some((name, text)) = self.texts.get_key_value(name).filter(|_| !all.contains(name))
            else {
                continue;
            };
            all.insert(name);
            for token in text {
                match token {
                    Token::Word(word) if functions::is_known(word) => drop(library.insert(word)),
                    Token::Word(word) => open.push(word),
                    _ => {}
                }
            }
        }
        let library = library.into_iter().filter_map(|name| functions::definition(name, language));
        library.chain(all.into_iter().map(|name| self.definition(name, language))).collect()
    }

    /// The definition of a function, behind the declarations of those that it calls.
    fn definition(&self, name: &str, language: Language) -> String {
        let head = match language {
            Language::Cuda => "static __device__",
            Language::OpenCl => "static",
        };
        let Some(text) = self.texts.get(name) else { return String::new() };
        let mut written = String::new();
        let words: BTreeSet<&str> = text.iter().filter_map(Token::word).collect();
        for word in words.into_iter().filter(|word| *word != name) {
            let prototype = match self.texts.get(word) {
                Some(other) => {
                    let before_body = other.split(|token| *token == Token::Sign('{')).next();
                    Some(format!("{head} {}", self.text(before_body.unwrap_or_default())))
                }
                None => functions::definition(word, language)
                    .and_then(|own| Some(own.split_once(" {")?.0.to_string())),
            };
            written.extend(prototype.map(|prototype| format!("{prototype};\n")));
        }
        written + &format!("{head} {}", self.text(text))
    }

    /// A text with the names that functions have in kernels.
    fn text(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        let mut before: Option<&Token> = None;
        for token in tokens {
            let is_word = |token: &Token| !matches!(token, Token::Sign(_));
            if before.is_some_and(is_word) && is_word(token) || before == Some(&Token::Sign(';')) {
                text.push(' ');
            }
            match token {
                Token::Word(word) if functions::is_known(word) || self.contains(word) => {
                    text.push_str(&functions::own_name(word));
                }
                Token::Word(word) | Token::Number(word) => text.push_str(word),
                Token::Sign(sign) => text.push(*sign),
            }
            before = Some(token);
        }
        text
    }
}

/// Whether the signs of a text are those of arithmetic and control flow, without pointers, strings and members; the parameters are in the head.
fn is_plain(text: &[Token]) -> bool {
    let ends_operand = |token: &Token| match token {
        Token::Word(word) => !WORDS.contains(&word.as_str()) && !FLOW.contains(&word.as_str()),
        Token::Number(_) => true,
        Token::Sign(sign) => ")]".contains(*sign),
    };
    let is_known = |at: usize| match &text[at] {
        Token::Sign('*') => at > 0 && ends_operand(&text[at - 1]),
        Token::Sign('&') => {
            at > 0 && (ends_operand(&text[at - 1]) || text[at - 1] == Token::Sign('&'))
        }
        Token::Sign(sign) => *sign != PART && ";,=()[]{}<>+-!?:|%^~/".contains(*sign),
        Token::Number(number) => !(number.ends_with(['l', 'L']) && number.contains(['.', 'e'])),
        Token::Word(_) => true,
    };
    let mut heads = text.split(|token| *token == Token::Sign('{'));
    let has_head = heads.next().and_then(|head| head.last()) == Some(&Token::Sign(')'));
    has_head && (0..text.len()).all(is_known)
}

/// Whether blanks keep signs apart that would be another one together: `a - -b` is not `a--b`.
fn has_signs_apart(text: &str) -> bool {
    let is_sign = |c: &char| matches!(c, '+' | '-');
    let mut parts = text.split_whitespace();
    let mut before = parts.next();
    parts.any(|part| {
        let last = before.replace(part).and_then(|before| before.chars().last());
        last.filter(is_sign).is_some_and(|sign| part.starts_with(sign))
    })
}

/// Whether all words of a function mean something in kernels.
fn knows_all_words(name: &str, text: &[Token], others: &BTreeSet<String>) -> bool {
    let mut own = BTreeSet::new();
    let is_sign = |sign: char| move |token: &Token| *token == Token::Sign(sign);
    let body = text.iter().position(is_sign('{')).unwrap_or(text.len());
    let head = text.iter().position(is_sign('(')).map_or(body, |at| at + 1);
    declared(&text[body..], &mut own);
    for parameter in text[head.min(body)..body].split(is_sign(',')) {
        declared(parameter, &mut own);
    }
    let is_taken = |word: &String| {
        functions::is_known(word) || others.contains(word) || RESERVED.contains(&word.as_str())
    };
    let is_known = |word: &String| {
        let text = word.as_str();
        WORDS.contains(&text)
            || FLOW.contains(&text)
            || ["return", "void"].contains(&text)
            || own.contains(word)
            || word == name
            || functions::is_known(text)
            || others.contains(word)
    };
    !own.iter().any(is_taken)
        && text.iter().all(|token| !matches!(token, Token::Word(word) if !is_known(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[(&str, &str)]) -> ProgramFunctions {
        ProgramFunctions::of(
            &texts.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect(),
        )
    }

    #[test]
    fn functions_of_plain_values_are_copied() {
        let program = of(&[
            ("cube", "double cube(double x) { return x * square(x); }"),
            (
                "square",
                "double square(const double x) { double r = 1; for (int i = 0; i < 2; i++) r *= x; return sqrt(r * r); }",
            ),
        ]);
        let cuda = program.definitions(&["cube".to_string()].into(), Language::Cuda);
        let expected = [
            "static __device__ double lw_sqrt(double x) { return sqrt(x); }",
            "static __device__ double lw_square(const double x);\nstatic __device__ double lw_cube(double x){return x*lw_square(x); }",
            "static __device__ double lw_sqrt(double x);\nstatic __device__ double lw_square(const double x){double r=1; for(int i=0; i<2; i++)r*=x; return lw_sqrt(r*r); }",
        ];
        assert_eq!(cuda, expected);
    }

    #[test]
    fn others_are_not() {
        for text in [
            "double f(double *x) { return x[0]; }",
            "double f(double x) { static int n; return n++; }",
            "double f(double x) { return x * scale; }",
            "double f(double x) { return g(x); }",
            "double f(x) double x; { return x; }",
            "double f(struct s x) { return x.y; }",
            "double f(double x) { return *&x; }",
            "double f(double sin) { return sin; }",
            "long double f(double x) { return 1.0L; }",
            "double f(double x) { return x + 'a'; }",
            "double f(double x) { return 1 - -x; }",
            "double f(double x) { return x + ++x; }",
        ] {
            assert!(!of(&[("f", text)]).contains("f"), "{text}");
        }
    }
}
