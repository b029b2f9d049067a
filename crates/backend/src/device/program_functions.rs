//! Functions of the program that kernels call: copies of those that only compute a value, and use the memory
//! behind their arguments.
//!
//! The text of such a function is C that means the same in C++ and in OpenCL C, if it has no words but those
//! of types, of control flow, of its own variables and of functions that kernels have, and no pointers but
//! parameters.
use super::functions;
use super::language::Language;
use super::own_variables::{FLOW, PART, Token, declared, tokens};
use super::pointer_parameters::PointerParameter;
use super::words::{RESERVED, WORDS};
use std::collections::{BTreeMap, BTreeSet};

/// The functions of a program that kernels may have, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct ProgramFunctions {
    texts: BTreeMap<String, Function>,
}

/// A function of a program.
#[derive(Clone, Debug)]
struct Function {
    /// Type and name.
    head: Vec<Token>,
    parameters: Vec<Parameter>,
    body: Vec<Token>,
}

#[derive(Clone, Debug)]
enum Parameter {
    Value(Vec<Token>),
    Pointer(PointerParameter),
}

impl ProgramFunctions {
    /// Those of some texts that kernels can have.
    pub(super) fn of(texts: &BTreeMap<String, String>) -> ProgramFunctions {
        let is_free = |name: &str| !functions::is_known(name) && !RESERVED.contains(&name);
        let of_text = |(name, text): (&String, &String)| {
            let function = Function::of(&tokens(text))?;
            let is_known = is_free(name) && function.is_plain() && !has_signs_apart(text);
            is_known.then(|| (name.clone(), function))
        };
        let mut texts: BTreeMap<String, Function> = texts.iter().filter_map(of_text).collect();
        loop {
            let names: BTreeSet<String> = texts.keys().cloned().collect();
            let n_before = texts.len();
            let with_pointers: BTreeSet<String> = texts
                .iter()
                .filter(|(_, own)| own.has_pointers())
                .map(|own| own.0.clone())
                .collect();
            texts.retain(|name, function| {
                function.knows_all_words(name, &names)
                    && !(function.has_arrays() && function.calls_one_of(&with_pointers))
            });
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
            let Some((name, function)) =
                self.texts.get_key_value(name).filter(|_| !all.contains(name))
            else {
                continue;
            };
            all.insert(name);
            for token in &function.body {
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
        let Some(function) = self.texts.get(name) else { return String::new() };
        let mut written = String::new();
        let words: BTreeSet<&str> = function.body.iter().filter_map(Token::word).collect();
        for word in words.into_iter().filter(|word| *word != name) {
            let prototype = match self.texts.get(word) {
                Some(other) => Some(format!("{head} {}", self.declarator(other, language))),
                None => functions::definition(word, language)
                    .and_then(|own| Some(own.split_once(" {")?.0.to_string())),
            };
            written.extend(prototype.map(|prototype| format!("{prototype};\n")));
        }
        let (own, body) = (self.declarator(function, language), self.text(&function.body));
        written + &format!("{head} {own}{body}")
    }

    /// What stands in front of the body of a function.
    fn declarator(&self, function: &Function, language: Language) -> String {
        let parameters = function.parameters.iter().map(|parameter| match parameter {
            Parameter::Value(text) => self.text(text),
            Parameter::Pointer(pointer) => pointer.declaration(language),
        });
        let parameters: Vec<String> = parameters.collect();
        format!("{}({})", self.text(&function.head), parameters.join(","))
    }

    /// The pointer that a function has as its parameter at a position.
    pub(super) fn pointer(&self, name: &str, position: usize) -> Option<&PointerParameter> {
        match self.texts.get(name)?.parameters.get(position)? {
            Parameter::Pointer(pointer) => Some(pointer),
            Parameter::Value(_) => None,
        }
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

impl Function {
    /// None if the text is not that of a function with a list of parameters.
    fn of(text: &[Token]) -> Option<Function> {
        let is_sign = |sign: char| move |token: &Token| *token == Token::Sign(sign);
        let body = text.iter().position(is_sign('{'))?;
        let (before, body) = text.split_at(body);
        let head = before.iter().position(is_sign('('))?;
        let (head, list) = before.split_at(head);
        let [Token::Sign('('), list @ .., Token::Sign(')')] = list else { return None };
        let of_parameter = |text: &[Token]| match PointerParameter::of(text) {
            Some(pointer) => Parameter::Pointer(pointer),
            None => Parameter::Value(text.to_vec()),
        };
        let parameters = list.split(is_sign(',')).map(of_parameter).collect();
        Some(Function { head: head.to_vec(), parameters, body: body.to_vec() })
    }

    fn pointers(&self) -> impl Iterator<Item = &PointerParameter> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Pointer(pointer) => Some(pointer),
            Parameter::Value(_) => None,
        })
    }

    fn has_pointers(&self) -> bool {
        self.pointers().next().is_some()
    }

    /// Whether it has arrays of its own, which are not in the memory that pointers lead to.
    fn has_arrays(&self) -> bool {
        let mut own = BTreeSet::new();
        declared(&self.body, &mut own);
        let is_array = |pair: &[Token]| {
            pair[1] == Token::Sign('[') && pair[0].word().is_some_and(|word| own.contains(word))
        };
        self.body.windows(2).any(is_array)
    }

    fn calls_one_of(&self, names: &BTreeSet<String>) -> bool {
        self.body.iter().filter_map(Token::word).any(|word| names.contains(word))
    }

    /// Whether the signs of the text are those of arithmetic and control flow, without strings and members,
    /// and without pointers but for elements of those that are parameters.
    fn is_plain(&self) -> bool {
        let values = self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Value(text) => Some(&text[..]),
            Parameter::Pointer(_) => None,
        });
        let is_pointer = |word: &str| self.pointers().any(|pointer| pointer.name() == word);
        let is_value =
            |text: &[Token]| !text.contains(&Token::Sign('[')) && has_plain_signs(text, &|_| false);
        values.chain([&self.head[..]]).all(is_value) && has_plain_signs(&self.body, &is_pointer)
    }

    /// Whether all words mean something in kernels.
    fn knows_all_words(&self, name: &str, others: &BTreeSet<String>) -> bool {
        let mut own: BTreeSet<String> =
            self.pointers().map(|pointer| pointer.name().to_string()).collect();
        declared(&self.body, &mut own);
        let mut values: Vec<&[Token]> = vec![&self.head, &self.body];
        for parameter in &self.parameters {
            if let Parameter::Value(text) = parameter {
                declared(text, &mut own);
                values.push(text);
            }
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
        let mut words = values.into_iter().flatten();
        !own.iter().any(is_taken)
            && words.all(|token| !matches!(token, Token::Word(word) if !is_known(word)))
    }
}

/// Whether the signs of a text are those of arithmetic and control flow; `*` may stand in front of names that
/// are pointers.
fn has_plain_signs(text: &[Token], is_pointer: &dyn Fn(&str) -> bool) -> bool {
    let ends_operand = |token: &Token| match token {
        Token::Word(word) => !WORDS.contains(&word.as_str()) && !FLOW.contains(&word.as_str()),
        Token::Number(_) => true,
        Token::Sign(sign) => ")]".contains(*sign),
    };
    let is_known = |at: usize| match &text[at] {
        Token::Sign('*') => {
            at > 0 && ends_operand(&text[at - 1])
                || text.get(at + 1).and_then(Token::word).is_some_and(is_pointer)
                    && (at == 0 || !is_type(&text[at - 1]))
        }
        Token::Sign('&') => {
            at > 0 && (ends_operand(&text[at - 1]) || text[at - 1] == Token::Sign('&'))
        }
        Token::Sign(sign) => *sign != PART && ";,=()[]{}<>+-!?:|%^~/".contains(*sign),
        Token::Number(number) => !(number.ends_with(['l', 'L']) && number.contains(['.', 'e'])),
        Token::Word(_) => true,
    };
    (0..text.len()).all(is_known)
}

/// Whether a word is one of a type, so that `*` behind it declares a pointer.
fn is_type(token: &Token) -> bool {
    token.word().is_some_and(|word| WORDS.contains(&word))
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
    fn pointers_to_elements_are_parameters() {
        let program = of(&[
            ("at", "double at(const double *restrict c, int i) { return *c + c[i]; }"),
            ("last", "double last(double c[restrict 4], int i) { c[i] = 1; return at(c, i); }"),
        ]);
        let cuda = program.definitions(&["last".to_string()].into(), Language::Cuda);
        let expected = [
            "static __device__ double lw_at(const double *c,int i){return*c+c[i]; }",
            "static __device__ double lw_at(const double *c,int i);\nstatic __device__ double lw_last(double *c,int i){c[i]=1; return lw_at(c,i); }",
        ];
        assert_eq!(cuda, expected);
        let opencl = program.definitions(&["at".to_string()].into(), Language::OpenCl);
        assert_eq!(
            opencl,
            ["static double lw_at(__global const double *c,int i){return*c+c[i]; }"]
        );
        let pointer = program.pointer("at", 0).expect("it is one");
        assert!(pointer.takes("double", false) && !pointer.takes("float", true));
        assert!(!program.pointer("last", 0).expect("it is one").takes("double", false));
        // In OpenCL what a function has for itself is in other memory.
        let local = "double f(int i) { double c[3]; c[0] = i; return at(c, 0); }";
        let at = "double at(const double *c, int i) { return c[i]; }";
        assert!(!of(&[("f", local), ("at", at)]).contains("f"));
    }

    #[test]
    fn others_are_not() {
        for text in [
            "double f(double **x) { return x[0][0]; }",
            "double f(double x[3][3]) { return x[0][0]; }",
            "double f(char *x) { return x[0]; }",
            "double *f(double *x) { return x; }",
            "double f(double *x) { double *y = x; return *y; }",
            "double f(void (*x)(double)) { return 1; }",
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
