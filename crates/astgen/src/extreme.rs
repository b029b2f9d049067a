//! Piecewise forms that are the minimum or the maximum of their pieces.
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
