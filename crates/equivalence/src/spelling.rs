//! The text of a statement as the name of a function: statements of one name compute the same from the same
//! operands.
//!
//! Variables of the model are places in the text (`@0`, `@1`, in the order in which they come first), and so
//! are integers that the model knows (`#0`). What else the text names has to mean the same in both programs:
//! symbolic constants, functions, words of C; and variables that the text declares itself, which are
//! numbered, so that their names do not matter. With the types of all of these, that is all that the meaning
//! of a text depends on.
use loopwright_presburger::PwAff;
use loopwright_scop::{ArrayId, Element, ScalarType, Scop, Term, TermKind, UnaryOperator};
use std::fmt::Write;

/// A place of a text: an element of an array, or any elements of it.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) array: ArrayId,
    /// One expression for each dimension; none for places that stand for the whole array.
    pub(crate) subscripts: Option<Vec<PwAff>>,
}

/// A text with its places.
#[derive(Debug)]
pub(crate) struct Spelling {
    pub(crate) text: String,
    /// The types of the places and of the symbolic constants.
    pub(crate) types: String,
    pub(crate) places: Vec<Place>,
    pub(crate) integers: Vec<PwAff>,
}

type Outcome<T> = Result<T, String>;

/// Words whose meaning C fixes.
const KEYWORDS: [&str; 10] =
    ["if", "else", "while", "do", "for", "switch", "case", "default", "break", "continue"];

/// Words of types that are the same in all files.
const TYPES: [&str; 9] =
    ["int", "long", "short", "char", "unsigned", "signed", "float", "double", "_Bool"];

/// Loops inside each other that scopes are looked for in.
const DEEPEST: usize = 100;

/// The text of a statement's body as the name of a function.
///
/// # Errors
/// In words, if it has something that may mean something else in another program.
pub(crate) fn spelling(scop: &Scop, root: &Term) -> Outcome<Spelling> {
    let mut own = Spelling {
        text: String::new(),
        types: String::new(),
        places: Vec::new(),
        integers: Vec::new(),
    };
    let mut raw = String::new();
    own.spell(scop, root, &mut raw)?;
    for place in &own.places {
        let array = scop.array(place.array);
        let Some(of) = array.scalar_type() else {
            return Err(format!("the type of `{}` is not known", array.name));
        };
        let _ = write!(own.types, "{of:?} {};", array.element_type);
    }
    let tokens = tokens(&raw)?;
    let names = Names { scop, tokens: &tokens, declared: Vec::new() };
    names.spell(&mut own)?;
    Ok(own)
}

impl Spelling {
    /// Writes a term with its places.
    fn spell(&mut self, scop: &Scop, term: &Term, text: &mut String) -> Outcome<()> {
        match term.kind() {
            TermKind::Element(element) => {
                let _ = write!(text, " @{} ", self.place(scop, element)?);
                return Ok(());
            }
            TermKind::Affine(form) => {
                let _ = write!(text, " #{} ", self.integers.len());
                self.integers.push(form.0.clone());
                return Ok(());
            }
            TermKind::Unary(UnaryOperator::AddressOf | UnaryOperator::Dereference) => {
                return Err("it computes with addresses".to_string());
            }
            TermKind::Member => return Err("it uses members of structures".to_string()),
            _ => {}
        }
        let mut children = term.children().iter();
        for piece in term.texts() {
            text.push_str(piece);
            if let Some(child) = children.next() {
                self.spell(scop, child, text)?;
            }
        }
        Ok(())
    }

    fn place(&mut self, scop: &Scop, element: &Element) -> Outcome<usize> {
        let array = scop.array(element.array);
        let subscripts = match element.subscripts.len() {
            n if n == array.extents.len() => Some(element.subscripts.clone()),
            0 => None,
            _ => return Err(format!("it uses a part of `{}`", array.name)),
        };
        let written = |own: &Option<Vec<PwAff>>| -> Option<Vec<String>> {
            own.as_ref().map(|forms| forms.iter().map(ToString::to_string).collect())
        };
        let same = |own: &Place| {
            own.array == element.array && written(&own.subscripts) == written(&subscripts)
        };
        if let Some(known) = self.places.iter().position(same) {
            return Ok(known);
        }
        self.places.push(Place { array: element.array, subscripts });
        Ok(self.places.len() - 1)
    }
}

/// A variable that a text declares, and the tokens among which it is known.
struct Declared<'t> {
    name: &'t str,
    known: std::ops::Range<usize>,
}

/// The names of a text.
struct Names<'t> {
    scop: &'t Scop,
    tokens: &'t [&'t str],
    declared: Vec<Declared<'t>>,
}

impl<'t> Names<'t> {
    fn token(&self, at: usize) -> &'t str {
        self.tokens.get(at).copied().unwrap_or("")
    }

    /// Writes the tokens, with numbers for variables that the text declares.
    fn spell(mut self, own: &mut Spelling) -> Outcome<()> {
        let mut numbers: Vec<&str> = Vec::new();
        for at in 0..self.tokens.len() {
            let token = self.tokens[at];
            let before = at.checked_sub(1).map_or("", |before| self.tokens[before]);
            if matches!(token, "*" | "&") && !ends_operand(before) {
                return Err("it computes with addresses".to_string());
            }
            let is_plain = !is_word(token) || KEYWORDS.contains(&token) || TYPES.contains(&token);
            if is_plain || (self.token(at + 1) == "(" && !self.is_known(token)) {
                let _ = write!(own.text, "{token} ");
                continue;
            }
            if TYPES.contains(&before) {
                self.declare(at)?;
            }
            if self.declared.iter().any(|d| d.name == token && d.known.contains(&at)) {
                let number = numbers.iter().position(|known| *known == token);
                let number = number.unwrap_or_else(|| {
                    numbers.push(token);
                    numbers.len() - 1
                });
                let _ = write!(own.text, "`{number} ");
                continue;
            }
            let of_parameter = self.parameter_type(token);
            let of = of_parameter.ok_or(format!("`{token}` is no variable of the model"))?;
            let _ = write!(own.text, "{token} ");
            let _ = write!(own.types, "{token} {of:?};");
        }
        own.text.truncate(own.text.trim_end().len());
        Ok(())
    }

    fn parameter_type(&self, name: &str) -> Option<ScalarType> {
        let mut parameters = self.scop.parameters.iter();
        let own = parameters.find(|own| *own.name == *name && own.value.is_none())?;
        ScalarType::of_name(&own.c_type)
    }

    /// Whether the model or the text has a variable of a name.
    fn is_known(&self, name: &str) -> bool {
        self.scop.parameters.iter().any(|own| *own.name == *name)
            || self.scop.arrays.iter().any(|own| *own.name == *name)
            || self.declared.iter().any(|own| own.name == name)
    }

    /// Notes a declaration: in the head of a loop, or in a block.
    fn declare(&mut self, at: usize) -> Outcome<()> {
        let name = self.tokens[at];
        if self.scop.parameters.iter().any(|own| *own.name == *name) {
            return Err(format!("`{name}` is declared again"));
        }
        let mut first = at;
        while first > 0 && TYPES.contains(&self.tokens[first - 1]) {
            first -= 1;
        }
        let is_in_head = first >= 2 && self.tokens[first - 1] == "(";
        let end = match is_in_head && self.tokens[first - 2] == "for" {
            true => self.end_of_statement(first - 2, DEEPEST),
            false => self.end_of_group(at, "{", "}"),
        };
        let end = end.ok_or(format!("it is not known where `{name}` ends"))?;
        self.declared.push(Declared { name, known: at..end });
        Ok(())
    }

    /// The token behind the bracket that closes what is open at `from`.
    fn end_of_group(&self, from: usize, open: &str, close: &str) -> Option<usize> {
        let mut depth = 1;
        for (at, token) in self.tokens.iter().enumerate().skip(from) {
            depth += i64::from(*token == open) - i64::from(*token == close);
            if depth == 0 {
                return Some(at + 1);
            }
        }
        None
    }

    /// The token behind a statement.
    fn end_of_statement(&self, start: usize, depth: usize) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        match self.token(start) {
            "{" => self.end_of_group(start + 1, "{", "}"),
            "do" => None,
            "for" | "while" | "switch" | "if" => {
                let body = self.end_of_group(start + 2, "(", ")")?;
                let end = self.end_of_statement(body, depth)?;
                match (self.token(start), self.token(end)) {
                    ("if", "else") => self.end_of_statement(end + 1, depth),
                    _ => Some(end),
                }
            }
            _ => {
                let rest = self.tokens.iter().skip(start);
                let length = rest.take_while(|token| **token != ";").count();
                Some((start + length + 1).min(self.tokens.len()))
            }
        }
    }
}

/// Whether a token ends an operand, so that `*` and `&` behind it have two.
fn ends_operand(token: &str) -> bool {
    let is_name = is_word(token) && !KEYWORDS.contains(&token) && !TYPES.contains(&token);
    is_name
        || matches!(token, ")" | "]")
        || token.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '@' | '#' | '.'))
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

/// Operators of two letters that are not two operators.
const PAIRS: [&str; 21] = [
    "->", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "+=", "-=", "*=", "/=", "%=",
    "&=", "|=", "^=", "::", "##",
];

/// The tokens of a text with places.
fn tokens(text: &str) -> Outcome<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let of_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = match first {
            '"' | '\'' => return Err("it has a text".to_string()),
            '@' | '#' => 1 + rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(0),
            c if c.is_ascii_digit() => number_length(rest),
            c if of_word(c) => rest.find(|c: char| !of_word(c)).unwrap_or(rest.len()),
            _ if PAIRS.iter().any(|pair| rest.starts_with(pair)) => 2,
            c => c.len_utf8(),
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// The length of a number: letters, digits, dots, and the sign of an exponent.
fn number_length(text: &str) -> usize {
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        if !(c.is_ascii_alphanumeric() || c == '.' || is_sign) {
            return at;
        }
        before = c;
    }
    text.len()
}
