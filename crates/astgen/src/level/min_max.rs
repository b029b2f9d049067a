//! Piecewise forms that are the minimum or the maximum of their pieces, or need fewer forms than they have.
use loopwright_presburger::*;

/// The minimum or maximum of some forms.
pub(crate) struct Extreme<'a> {
    pub(crate) forms: Vec<&'a Aff>,
    pub(crate) is_max: bool,
}

/// The forms whose minimum or maximum the pieces give where `known` holds; none if they do not, or
/// that is not found within the budget.
pub(crate) fn extreme<'a>(
    pieces: &[(&Set, &'a Aff)],
    known: &Set,
    budget: &Budget,
) -> Result<Option<Extreme<'a>>> {
    let mut forms: Vec<&Aff> = Vec::new();
    for (_, aff) in pieces {
        if !forms.iter().any(|other| other.plain_is_equal(aff)) {
            forms.push(aff);
        }
    }
    // A fraction is an integer only in its own pieces; elsewhere its division would be rounded.
    if forms.len() < 2 || forms.iter().any(|form| !form.denominator().is_one()) {
        return Ok(None);
    }
    for is_max in [false, true] {
        if are_extreme(pieces, &forms, is_max, known, budget)? {
            return Ok(Some(Extreme { forms, is_max }));
        }
    }
    Ok(None)
}

/// Gives pieces the form of another piece where both have the same values: `n - 2` in a piece with
/// `c1 = n - 2` is `c1`, as elsewhere.
pub(crate) fn use_same_forms(
    pieces: &mut [(&Set, &Aff)],
    known: &Set,
    budget: &Budget,
) -> Result<()> {
    for position in 0..pieces.len() {
        let (domain, own) = pieces[position];
        for candidate in 0..pieces.len() {
            let other = pieces[candidate].1;
            // A fraction is an integer only in its own pieces; elsewhere its division would be rounded.
            let is_candidate = other.denominator().is_one() && !other.plain_is_equal(own);
            if is_candidate && are_equal(own, other, domain, known, budget)? {
                pieces[position].1 = other;
                break;
            }
        }
    }
    Ok(())
}

/// Whether two forms have the same values in a piece.
fn are_equal(a: &Aff, b: &Aff, domain: &Set, known: &Set, budget: &Budget) -> Result<bool> {
    let here = known.intersect(domain)?;
    for distance in [a.sub(b)?, b.sub(a)?] {
        match here.intersect(&distance.positive_set())?.is_empty(budget) {
            Ok(true) => {}
            Ok(false) | Err(Error::Exceeded { .. }) => return Ok(false),
            Err(other) => return Err(other),
        }
    }
    Ok(true)
}

/// Whether the form of every piece is the least (greatest) of all in it.
fn are_extreme(
    pieces: &[(&Set, &Aff)],
    forms: &[&Aff],
    is_max: bool,
    known: &Set,
    budget: &Budget,
) -> Result<bool> {
    for (domain, own) in pieces {
        let here = known.intersect(domain)?;
        for other in forms.iter().filter(|other| !other.plain_is_equal(own)) {
            let distance = if is_max { own.sub(other)? } else { other.sub(own)? };
            let holds = match here.min_val(&distance, budget) {
                Ok(Optimum::At(least)) => !least.is_negative(),
                Ok(Optimum::Empty) => true,
                Ok(Optimum::Unbounded) | Err(Error::Exceeded { .. }) => false,
                Err(other) => return Err(other),
            };
            if !holds {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
