//! Expressions on vectors, for one lane.
use super::c_text::is_word;
use super::rerolling::Part;
use super::token_lists::{length_of_subscripts, subscripts};

/// A type of vectors, or another name of a type of numbers: that of one lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct VectorType {
    pub(super) name: String,
    pub(super) element: String,
    pub(super) lanes: Option<i64>,
}

/// A variable, and the elements of an array that stand for it.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) name: String,
    /// The type of a lane, or of the variable if it is no vector.
    pub(super) element: String,
    /// How many lanes it has; none if it is no vector.
    pub(super) lanes: Option<i64>,
    /// How many subscripts choose a vector of it.
    pub(super) rank: usize,
    pub(super) array: String,
    /// The subscripts in front of its own.
    pub(super) place: Vec<i64>,
}

/// What names mean at a place.
pub(super) trait Names {
    /// The type of this name.
    fn type_of(&self, name: &str) -> Option<&VectorType>;
    /// The variable of this name that has become elements of an array.
    fn variable(&self, name: &str) -> Option<&Variable>;
}

/// Tokens of a statement for one lane.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneText {
    pub(super) parts: Vec<Part>,
    /// The numbers that the lane is added to.
    pub(super) places: Vec<usize>,
    n_numbers: usize,
    /// Whether it loads from memory.
    pub(super) loads: bool,
    /// Whether it chooses one lane of a variable.
    pub(super) chooses_lane: bool,
}

impl LaneText {
    pub(super) fn push(&mut self, token: &str) {
        let has_leading_zero = token.len() > 1 && token.starts_with('0');
        match token.parse::<i64>().ok().filter(|_| !has_leading_zero) {
            Some(number) => self.number(number),
            None => self.parts.push(Part::Text(token.to_string())),
        }
    }

    fn number(&mut self, number: i64) {
        self.parts.push(Part::number(number));
        self.n_numbers += 1;
    }

    fn lane(&mut self, number: i64) {
        self.places.push(self.n_numbers);
        self.number(number);
    }

    pub(super) fn append(&mut self, other: LaneText) {
        self.places.extend(other.places.iter().map(|place| place + self.n_numbers));
        self.parts.extend(other.parts);
        self.n_numbers += other.n_numbers;
        self.loads |= other.loads;
        self.chooses_lane |= other.chooses_lane;
    }
}

/// `*(v8 *) &A[i][j]`: the type, the element of one lane, and how many tokens it has.
pub(super) struct InMemory {
    pub(super) of: VectorType,
    pub(super) element: LaneText,
    pub(super) n_tokens: usize,
}

/// A vector in memory at the beginning of tokens.
pub(super) fn in_memory(names: &dyn Names, tokens: &[&str]) -> Option<InMemory> {
    let inside = tokens.strip_prefix(&["*", "("])?;
    let inside = inside.strip_prefix(&["const"]).unwrap_or(inside);
    let of = names.type_of(inside.first()?)?.clone();
    let rest = inside[1..].strip_prefix(&["*", ")", "&"])?;
    let (array, behind) = rest.split_first()?;
    let n = length_of_subscripts(behind);
    let is_variable = names.variable(array).is_some();
    if n == 0 || is_variable || !array.ends_with(is_word) {
        return None;
    }
    let n_tokens = tokens.len() - behind.len() + n;
    let mut element = LaneText::default();
    element.push(array);
    let own = subscripts(&behind[..n]);
    for (at, subscript) in own.iter().enumerate() {
        let has_lane = of.lanes.is_some() && at + 1 == own.len();
        element.append(subscript_of(names, subscript, has_lane)?);
    }
    Some(InMemory { of, element, n_tokens })
}

/// A subscript as a sum that ends with a number.
fn subscript_of(names: &dyn Names, tokens: &[&str], has_lane: bool) -> Option<LaneText> {
    let (rest, number) = match tokens {
        [number] => (&tokens[..0], number.parse::<i64>().ok()),
        [rest @ .., "+", number] => (rest, number.parse().ok()),
        [rest @ .., "-", number] => (rest, number.parse().ok().and_then(i64::checked_neg)),
        _ => (tokens, None),
    };
    let is_sum =
        |token: &&str| token.ends_with(is_word) || matches!(*token, "+" | "-" | "*" | "/" | "%");
    let ends_with_operand = rest.last().is_none_or(|token| token.ends_with(is_word));
    let (rest, number) = match number.filter(|_| rest.iter().all(is_sum) && ends_with_operand) {
        Some(number) => (rest, number),
        None => (tokens, 0),
    };
    let mut text = LaneText::default();
    text.push("[");
    if !rest.is_empty() {
        let is_plain = rest.iter().all(is_sum);
        let inner = expression(names, rest, None)?;
        if !is_plain {
            text.push("(");
        }
        text.append(inner);
        if !is_plain {
            text.push(")");
        }
        text.push("+");
    }
    match has_lane {
        true => text.lane(number),
        false => text.number(number),
    }
    text.push("]");
    Some(text)
}

/// One lane of an expression of a type of vectors, or an expression that is none; none if it has another
/// form.
pub(super) fn expression(
    names: &dyn Names,
    tokens: &[&str],
    of: Option<&VectorType>,
) -> Option<LaneText> {
    let mut text = LaneText::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let before = at.checked_sub(1).map_or("", |at| tokens[at]);
        let is_operand = !before.ends_with(is_word) && !matches!(before, ")" | "]");
        if let Some(load) = in_memory(names, &tokens[at..]).filter(|_| is_operand) {
            if load.of.lanes.is_some() && of.is_none_or(|of| !of.is_like(&load.of)) {
                return None;
            }
            text.append(load.element);
            text.loads = true;
            at += load.n_tokens;
            continue;
        }
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        if names.type_of(token).is_some() || (of.is_some() && has_no_lanes(token, next)) {
            return None;
        }
        at += 1;
        let n = length_of_subscripts(&tokens[at..]);
        let own = subscripts(&tokens[at..at + n]);
        at += n;
        match names.variable(token).filter(|_| !matches!(before, "." | "->")) {
            Some(variable) => text.append(variable.element(names, &own, of)?),
            None => {
                text.push(&literal(token, of));
                for subscript in &own {
                    text.append(subscript_of(names, subscript, false)?);
                }
                text.loads |= n > 0;
            }
        }
    }
    Some(text)
}

impl VectorType {
    fn is_like(&self, other: &VectorType) -> bool {
        (&self.element, self.lanes) == (&other.element, other.lanes)
    }
}

impl Variable {
    /// The element that stands for the variable with subscripts.
    pub(super) fn element(
        &self,
        names: &dyn Names,
        subscripts: &[&[&str]],
        of: Option<&VectorType>,
    ) -> Option<LaneText> {
        let mut text = LaneText::default();
        text.push(&self.array);
        let Some(lanes) = self.lanes else {
            self.place.iter().for_each(|own| text.subscript(*own));
            return subscripts.is_empty().then_some(text);
        };
        let (last, outer) = match self.place.split_last() {
            Some((last, outer)) => (last * lanes, outer),
            None => (0, &self.place[..]),
        };
        outer.iter().for_each(|own| text.subscript(*own));
        let (own, lane) = subscripts.split_at_checked(self.rank)?;
        for subscript in own {
            text.append(subscript_of(names, subscript, false)?);
        }
        match lane {
            [] => {
                of.filter(|of| (&of.element, of.lanes) == (&self.element, self.lanes))?;
                text.push("[");
                text.lane(last);
                text.push("]");
            }
            [lane] => {
                text.push("[");
                text.number(last);
                text.push("+");
                text.push("(");
                text.append(expression(names, lane, None)?);
                text.push(")");
                text.push("]");
                text.chooses_lane = true;
            }
            _ => return None,
        }
        Some(text)
    }
}

impl LaneText {
    fn subscript(&mut self, number: i64) {
        self.push("[");
        self.number(number);
        self.push("]");
    }
}

/// Whether a token is no operator that works on lanes one by one as on numbers.
fn has_no_lanes(token: &str, next: &str) -> bool {
    let is_call = token.ends_with(is_word) && next == "(";
    let is_operator = matches!(
        token,
        "<" | ">"
            | "<="
            | ">="
            | "=="
            | "!="
            | "?"
            | "&&"
            | "||"
            | "!"
            | "++"
            | "--"
            | "{"
            | ","
            | "="
            | "%"
            | "<<"
            | ">>"
            | "->"
            | "."
    );
    is_call || is_operator
}

/// A constant as one of the type of lanes.
fn literal(token: &str, of: Option<&VectorType>) -> String {
    let is_number = token.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let is_double = is_number && !token.ends_with(['f', 'F']) && token.contains(['.', 'e', 'E']);
    match is_double && of.is_some_and(|of| of.element == "float") {
        true => format!("(float) {token}"),
        false => token.to_string(),
    }
}
