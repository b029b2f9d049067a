//! Updates by associative and commutative operators.
use loopwright_presburger::{Budget, Result};
use loopwright_scop::{
    Access, AccessKind, ArrayId, BodyPiece, ReferenceId, Scop, Statement, StatementId,
};

/// A statement that combines an element with a value by an associative and commutative operator
/// (over the reals, for floating point): its instances on one element give the same result in every
/// order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The statement.
    pub statement: StatementId,
    /// The array (or scalar) that is updated.
    pub array: ArrayId,
    /// The reference that reads the element.
    pub read: ReferenceId,
    /// The reference that writes it.
    pub write: ReferenceId,
    /// The operator: `+` (also for `-=`), `*` (also for `/=` of floating point), `&`, `|` or `^`.
    pub operator: char,
}

/// The reductions of a scop: statements of the form `X op= value` or `X = X op value`, in which X
/// is read and written at the same element and its array is not mentioned again.
///
/// ```
/// use loopwright_dataflow::reductions;
/// use loopwright_presburger::Budget;
/// use loopwright_scop::Scop;
/// // for (int i = 0; i < 9; i++) s += A[0];
/// let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sum.scop"));
/// let scop = Scop::parse(text)?;
/// assert_eq!(reductions(&scop, &Budget::steps(10_000))?[0].operator, '+');
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the budget runs out in comparing the two accesses.
pub fn reductions(scop: &Scop, budget: &Budget) -> Result<Vec<Reduction>> {
    let mut found = Vec::new();
    for statement in scop.statements.iter().filter(|statement| !statement.is_kill) {
        let Some((array, operator)) = update(scop, statement) else { continue };
        let of_array = |kind: AccessKind| -> Vec<&Access> {
            let here = statement.accesses.iter().filter(|a| a.array == array && a.kind == kind);
            here.collect()
        };
        let (reads, writes) = (of_array(AccessKind::Read), of_array(AccessKind::MustWrite));
        let mentions = statement.accesses.iter().filter(|access| access.array == array).count();
        if let ([read], [write], 2) = (&reads[..], &writes[..], mentions)
            && read.relation.is_equal(&write.relation, budget)?
        {
            let (read, write) = (read.reference, write.reference);
            found.push(Reduction { statement: statement.id, array, read, write, operator });
        }
    }
    Ok(found)
}

/// The updated array and the operator, by the text of the body.
fn update(scop: &Scop, statement: &Statement) -> Option<(ArrayId, char)> {
    let [BodyPiece::Element { base, array, .. }, BodyPiece::Text(text), rest @ ..] =
        &statement.body[..]
    else {
        return None;
    };
    let text = text.trim_start();
    for assignment in ["+=", "-=", "*=", "/=", "&=", "|=", "^="] {
        if text.starts_with(assignment) {
            let operator = assignment.chars().next()?;
            return Some((*array, combining(scop, *array, operator)?));
        }
    }
    // `X = X op value`: the operator binds the whole value if nothing binds more loosely.
    let ("=", [BodyPiece::Element { base: again, array: same, .. }, value @ ..]) =
        (text.trim_end(), rest)
    else {
        return None;
    };
    let [BodyPiece::Text(first), ..] = value else { return None };
    let operator = first.trim_start().chars().next()?;
    (base == again && array == same && is_one_operand(value, operator))
        .then(|| combining(scop, *array, operator).map(|operator| (*array, operator)))?
}

/// The operator whose order does not matter; none if it does.
fn combining(scop: &Scop, array: ArrayId, operator: char) -> Option<char> {
    use loopwright_scop::ElementKind::Floating;
    match operator {
        '+' | '-' => Some('+'),
        '*' => Some('*'),
        '/' if scop.array(array).element_kind == Floating => Some('*'),
        '&' | '|' | '^' => Some(operator),
        _ => None,
    }
}

/// Whether, outside of parentheses, there are only operators that bind as `operator` or stronger.
fn is_one_operand(value: &[BodyPiece], operator: char) -> bool {
    let allowed: &[char] = match operator {
        '+' | '-' => &['+', '-', '*', '/', '%', '.', '_'],
        '*' => &['*', '.', '_'],
        '/' => &['/', '.', '_'],
        _ => return is_single_operation(value, operator),
    };
    let mut depth = 0usize;
    let texts = value.iter().filter_map(|piece| match piece {
        BodyPiece::Text(text) => Some(text),
        _ => None,
    });
    for c in texts.flat_map(|text| text.chars()) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 || c.is_alphanumeric() || c.is_whitespace() => {}
            _ if allowed.contains(&c) => {}
            _ => return false,
        }
    }
    true
}

/// Whether the operator is followed by one operand in parentheses or a single piece.
fn is_single_operation(value: &[BodyPiece], operator: char) -> bool {
    let [BodyPiece::Text(text), rest @ ..] = value else { return false };
    let operand = text.trim().strip_prefix(operator).map(str::trim);
    match (operand, rest) {
        (Some(""), [_]) => true,
        (Some(name), []) => name.chars().all(|c| c.is_alphanumeric() || c == '_'),
        _ => false,
    }
}
