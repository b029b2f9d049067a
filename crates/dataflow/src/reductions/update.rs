//! Which update of an element the text of a statement is.
use crate::ReductionOperator;
use crate::reductions::tokens::{Token, inside, is_same, positions, with_depths};
use loopwright_scop::{ArrayId, ElementKind, Scop, Statement};

/// An update of one element.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Update {
    pub(crate) array: ArrayId,
    pub(crate) operator: ReductionOperator,
    /// How often the text reads the element.
    pub(crate) n_reads: usize,
}

impl Update {
    /// The update that a statement is, by its text: perhaps under conditions. Of elements that are no
    /// numbers (structures, unions) the text may be about a part.
    pub(crate) fn of(scop: &Scop, statement: &Statement) -> Option<Update> {
        let is_number = |u: &Update| scop.array(u.array).element_kind != ElementKind::Other;
        under_conditions(scop, &Token::of(statement)).filter(is_number)
    }
}

fn under_conditions(scop: &Scop, tokens: &[Token<'_>]) -> Option<Update> {
    let tokens = one_statement(tokens);
    let [Token::Word("if"), rest @ ..] = tokens else { return assignment(scop, tokens) };
    let close = *positions(rest, ")").first()?;
    let (condition, then) = (rest.get(1..close)?, rest.get(close + 1..)?);
    if then.iter().any(|token| matches!(token, Token::Word("else"))) {
        return None;
    }
    guarded_extremum(condition, then).or_else(|| under_conditions(scop, then))
}

/// The statement without braces and semicolon around it.
fn one_statement<'t, 'a>(tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    match inside(tokens, "{", "}") {
        [statement @ .., last] if last.is(";") => inside(statement, "{", "}"),
        tokens => tokens,
    }
}

/// `X op= value`, `X = X op value`, `X = value op X`, or the lesser or greater of two.
fn assignment(scop: &Scop, tokens: &[Token<'_>]) -> Option<Update> {
    let [Token::Element { array, .. }, Token::Symbol(symbol), value @ ..] = tokens else {
        return None;
    };
    let array = *array;
    // Several expressions or statements.
    if [",", ";"].iter().any(|symbol| !positions(value, symbol).is_empty()) {
        return None;
    }
    let combining = |symbol: &str| {
        let operator = combining(scop, array, symbol)?;
        Some(Update { array, operator, n_reads: 1 })
    };
    if *symbol != "=" {
        return combining(symbol.strip_suffix('=')?);
    }
    let (target, value) = (&tokens[..1], inside(value, "(", ")"));
    match value {
        [first, Token::Symbol(symbol), rest @ ..]
            if first.is_same(target[0]) && is_operand_of(rest, symbol) =>
        {
            combining(symbol)
        }
        [rest @ .., Token::Symbol(symbol @ ("+" | "*" | "&" | "|" | "^")), last]
            if last.is_same(target[0]) && is_operand_of(rest, symbol) =>
        {
            combining(symbol)
        }
        _ => {
            let (operator, n_reads) = called_extremum(target, value)
                .map(|operator| (operator, 1))
                .or_else(|| chosen_extremum(target, value).map(|operator| (operator, 2)))?;
            Some(Update { array, operator, n_reads })
        }
    }
}

/// The operator whose order does not matter; none if it does.
fn combining(scop: &Scop, array: ArrayId, symbol: &str) -> Option<ReductionOperator> {
    Some(match symbol {
        "+" | "-" => ReductionOperator::Sum,
        "*" => ReductionOperator::Product,
        "/" if scop.array(array).element_kind == ElementKind::Floating => {
            ReductionOperator::Product
        }
        "&" => ReductionOperator::And,
        "|" => ReductionOperator::Or,
        "^" => ReductionOperator::ExclusiveOr,
        _ => return None,
    })
}

/// Whether the tokens on one side of the operator are operands of it as a whole: outside of
/// parentheses nothing binds more loosely.
fn is_operand_of(tokens: &[Token<'_>], symbol: &str) -> bool {
    match symbol {
        "+" | "-" => has_only(tokens, &["+", "-", "*", "/", "%"]),
        "*" | "/" => has_only(tokens, &[symbol]),
        _ => has_only(tokens, &[]),
    }
}

/// Whether there are no operators outside of parentheses but these.
fn has_only(tokens: &[Token<'_>], symbols: &[&str]) -> bool {
    let is_allowed = |token: Token<'_>| match token {
        Token::Symbol(symbol) => symbols.contains(&symbol) || matches!(symbol, "(" | ")"),
        _ => true,
    };
    !tokens.is_empty() && with_depths(tokens).all(|(depth, token)| depth > 0 || is_allowed(token))
}

/// `X = fmin(X, value)` and its like.
fn called_extremum(target: &[Token<'_>], value: &[Token<'_>]) -> Option<ReductionOperator> {
    let [Token::Word(name), call @ ..] = value else { return None };
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let operator = match name.strip_suffix(['f', 'l']).unwrap_or(name) {
        "fmin" => ReductionOperator::Minimum,
        "fmax" => ReductionOperator::Maximum,
        _ => return None,
    };
    let arguments = inside(call, "(", ")");
    let [comma] = positions(arguments, ",")[..] else { return None };
    let sides = [&arguments[..comma], &arguments[comma + 1..]];
    let is_call = arguments.len() + 2 == call.len();
    let is_target = |side: &[Token<'_>]| is_same(inside(side, "(", ")"), target);
    (is_call && sides.into_iter().any(is_target)).then_some(operator)
}

/// `X = a < b ? a : b` and its like, where X is a or b.
fn chosen_extremum(target: &[Token<'_>], value: &[Token<'_>]) -> Option<ReductionOperator> {
    let ([question], [colon]) = (&positions(value, "?")[..], &positions(value, ":")[..]) else {
        return None;
    };
    let comparison = Comparison::of(&value[..*question])?;
    let first = inside(value.get(question + 1..*colon)?, "(", ")");
    let second = inside(&value[colon + 1..], "(", ")");
    if ![first, second].into_iter().any(|side| is_same(side, target)) {
        return None;
    }
    comparison.chooses(first, second)
}

/// `if (value < X) X = value` and its like.
fn guarded_extremum(condition: &[Token<'_>], then: &[Token<'_>]) -> Option<Update> {
    let [target @ Token::Element { array, .. }, equals, value @ ..] = one_statement(then) else {
        return None;
    };
    if !equals.is("=") {
        return None;
    }
    let value = inside(value, "(", ")");
    let of_condition = |condition: &[Token<'_>]| {
        Comparison::of(condition)?.chooses(value, std::slice::from_ref(target))
    };
    let operator = conjuncts(condition).into_iter().find_map(of_condition)?;
    Some(Update { array: *array, operator, n_reads: 1 })
}

/// The parts of a condition joined by `&&`.
fn conjuncts<'t, 'a>(condition: &'t [Token<'a>]) -> Vec<&'t [Token<'a>]> {
    let condition = inside(condition, "(", ")");
    let mut parts = Vec::new();
    let mut start = 0;
    for at in positions(condition, "&&") {
        parts.push(&condition[start..at]);
        start = at + 1;
    }
    if parts.is_empty() {
        return vec![condition];
    }
    parts.push(&condition[start..]);
    parts.into_iter().flat_map(conjuncts).collect()
}

/// `lesser < greater`, or with `<=`.
struct Comparison<'t, 'a> {
    lesser: &'t [Token<'a>],
    greater: &'t [Token<'a>],
}

impl<'t, 'a> Comparison<'t, 'a> {
    fn of(tokens: &'t [Token<'a>]) -> Option<Self> {
        let tokens = inside(tokens, "(", ")");
        let at = ["<", "<=", ">", ">="].map(|symbol| positions(tokens, symbol));
        let [at] = at.concat()[..] else { return None };
        let (left, right) = (&tokens[..at], &tokens[at + 1..]);
        let binds = |side| has_only(side, &["+", "-", "*", "/", "%"]);
        if !binds(left) || !binds(right) {
            return None;
        }
        let (left, right) = (inside(left, "(", ")"), inside(right, "(", ")"));
        let is_less = tokens[at].is("<") || tokens[at].is("<=");
        let (lesser, greater) = if is_less { (left, right) } else { (right, left) };
        Some(Comparison { lesser, greater })
    }

    /// What is kept if the first is taken where the comparison holds, the second otherwise.
    fn chooses(&self, first: &[Token<'_>], second: &[Token<'_>]) -> Option<ReductionOperator> {
        let are = |a, b| is_same(self.lesser, a) && is_same(self.greater, b);
        match () {
            () if are(first, second) => Some(ReductionOperator::Minimum),
            () if are(second, first) => Some(ReductionOperator::Maximum),
            () => None,
        }
    }
}
