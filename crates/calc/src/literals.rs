//! Values written in isl's notation.
use super::value::Value;
use loopwright_presburger::{
    Budget, Error, Expression, Piecewise, PwQPolynomial, PwQPolynomialFold, Result, Set, UnionMap,
    UnionPiecewise, UnionPwQPolynomial, UnionPwQPolynomialFold, UnionSet,
};

/// The steps for making the pieces of a function disjoint.
const STEPS: u64 = 10_000_000;

/// The value of a text: a set, a relation, a polynomial or a fold of polynomials; where pieces of
/// a function overlap, they are added or folded.
///
/// # Errors
/// Of the errors of the possible readings, the one that got farthest: it tells most.
pub(super) fn literal_value(text: &str) -> Result<Value> {
    let mut result = set(text);
    for read in [relation, polynomial, fold] {
        let Err(error) = result else { return result };
        result =
            read(text).map_err(|other| if place(&error) >= place(&other) { error } else { other });
    }
    result
}

fn set(text: &str) -> Result<Value> {
    Ok(UnionSet::parse(text)?.into())
}

fn relation(text: &str) -> Result<Value> {
    Ok(UnionMap::parse(text)?.into())
}

fn polynomial(text: &str) -> Result<Value> {
    let function = UnionPwQPolynomial::parse(text)?;
    let function = disjoint(&function, PwQPolynomial::add, &Budget::steps(STEPS))?;
    Ok(Value::Polynomial(function.with_joined_floors()))
}

fn fold(text: &str) -> Result<Value> {
    let function = UnionPwQPolynomialFold::parse(text)?;
    Ok(Value::Fold(disjoint(&function, PwQPolynomialFold::fold, &Budget::steps(STEPS))?))
}

/// How far a reading got.
fn place(error: &Error) -> usize {
    match error {
        Error::Parse { position, .. } => *position,
        _ => usize::MAX,
    }
}

type Join<E> = fn(&Piecewise<E>, &Piecewise<E>, &Budget) -> Result<Piecewise<E>>;

/// The function whose pieces are joined where they overlap.
fn disjoint<E: Expression>(
    function: &UnionPiecewise<E>,
    join: Join<E>,
    budget: &Budget,
) -> Result<UnionPiecewise<E>> {
    let mut parts = Vec::new();
    for part in function.parts() {
        if !overlap(part.pieces(), budget)? {
            parts.push(part.clone());
            continue;
        }
        let mut joined = Piecewise::empty(part.space());
        for (domain, expression) in part.pieces() {
            let piece = Piecewise::on_domain(domain.clone(), expression.clone());
            joined = join(&joined, &piece, budget)?;
        }
        parts.push(joined);
    }
    Ok(UnionPiecewise::from_parts(parts))
}

fn overlap<E>(pieces: &[(Set, E)], budget: &Budget) -> Result<bool> {
    for (position, (domain, _)) in pieces.iter().enumerate() {
        for (other, _) in &pieces[..position] {
            if !domain.intersect(other)?.is_empty(budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
