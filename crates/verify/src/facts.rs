//! Facts that make proofs about a call cheap: which schedule component is which iterator.
//!
//! A tile loop `c` runs over the tiles `t = ⌊i/32⌋` of the schedule, but the loops only say
//! `32 c <= i <= 32 c + 31`. That `t = c` follows, by a rational argument: `t >= c + 1` would need
//! `i >= 32 c + 32`. Once such equalities are known explicitly, everything else about the call
//! (projections, injectivity, order) is a matter of substitution.
//!
//! Facts are guessed and then proved: a guess that cannot be proved is dropped, so this only costs
//! time and can never make a check pass that should fail.
use loopwright_presburger::{
    BasicMap, Budget, DimKind, Int, Local, Map, Rational, Result, Row, Tableau,
};

/// Rounds of guessing: a fact (`t1 = c1`) may be what makes another one (`t0 + t1 = c0`) provable.
const ROUNDS: usize = 3;

/// The same relation with the equalities `out[first_level + l] = in[k]` that hold on each piece.
pub(crate) fn with_matched_iterators(
    relation: &Map,
    first_level: usize,
    budget: &Budget,
) -> Result<Map> {
    let mut pieces = Vec::new();
    for basic in relation.basic_maps() {
        pieces.extend(matched(basic, first_level, budget)?);
    }
    Ok(Map::from_basic_maps(relation.space().clone(), pieces))
}

/// One piece with its facts; none if it is empty.
fn matched(basic: &BasicMap, first_level: usize, budget: &Budget) -> Result<Option<BasicMap>> {
    let mut basic = basic.clone();
    for _ in 0..ROUNDS {
        let mut tableau = Tableau::from_basic_map(&basic, budget)?;
        if tableau.is_empty() {
            return Ok(None);
        }
        let Some(sample) = tableau.sample() else { break };
        let mut guesses = guesses_from_floors(&basic, first_level);
        for (level, iterator) in close_pairs(&basic, first_level, &sample) {
            guesses.push(difference(&basic, level, iterator));
        }
        let mut facts = Vec::new();
        for difference in guesses {
            let mut opposite = difference.clone();
            opposite.negate();
            if !is_plain_equality(&basic, &difference)
                && tableau.implies_at_integers(&difference, budget)?
                && tableau.implies_at_integers(&opposite, budget)?
            {
                facts.push(difference);
            }
        }
        if facts.is_empty() {
            break;
        }
        // A row stays valid only as long as the columns of the locals mean the same.
        let locals = basic.locals().to_vec();
        for fact in facts {
            if basic.locals() == locals {
                basic = basic.add_equality(fact);
            }
        }
    }
    Ok(Some(basic))
}

/// Guesses `q = f` for floors and schedule components `q`.
///
/// A floor has `e - m q >= 0`; if the loops say `e - m f >= 0`, with the same `e`, then `f` is
/// probably `q`: the guess is the difference of the two constraints divided by `m`.
fn guesses_from_floors(basic: &BasicMap, first_level: usize) -> Vec<Row> {
    let mut guesses = Vec::new();
    for (column, row) in floor_bounds(basic, first_level) {
        let divisor = -&row.get(column);
        for other in basic.inequalities().iter().filter(|other| other.is_zero_at(column)) {
            let mut guess = row.clone();
            guess.add_scaled(&Int::from(-1), other);
            if guess.first_nonzero(0..column).is_some() && is_divisible(&guess, &divisor) {
                guess.div_exact(&divisor);
                if !guesses.contains(&guess) {
                    guesses.push(guess);
                }
            }
        }
    }
    guesses
}

/// The lower bounds `e - m q >= 0` (with `m > 1`) of floors and schedule components, with the
/// column of `q`.
fn floor_bounds(basic: &BasicMap, first_level: usize) -> Vec<(usize, Row)> {
    let levels = basic.offset(DimKind::Out) + first_level..basic.offset(DimKind::Local);
    let is_divided = |row: &Row, column: usize| row.get(column) < Int::from(-1);
    let mut bounds = Vec::new();
    for column in levels {
        let rows = basic.inequalities().iter().filter(|row| is_divided(row, column));
        bounds.extend(rows.map(|row| (column, row.clone())));
    }
    for (position, local) in basic.locals().iter().enumerate() {
        if let Local::Floor { numerator, denominator } = local {
            let column = basic.offset(DimKind::Local) + position;
            let mut row = numerator.clone();
            row.set(column, -denominator);
            bounds.push((column, row));
        }
    }
    bounds
}

fn is_divisible(row: &Row, divisor: &Int) -> bool {
    (0..row.len()).all(|column| row.get(column).is_divisible_by(divisor))
}

/// Pairs of a schedule component and an iterator that are less than one apart at a sample.
fn close_pairs(basic: &BasicMap, first_level: usize, sample: &[Rational]) -> Vec<(usize, usize)> {
    let one = Rational::from(Int::from(1));
    let (n_in, n_out) = (basic.n(DimKind::In), basic.n(DimKind::Out));
    let value = |kind: DimKind, position: usize| &sample[basic.offset(kind) + position - 1];
    let is_close = |level: usize, iterator: usize| {
        let distance = value(DimKind::Out, level) - value(DimKind::In, iterator);
        distance < one && -&one < distance
    };
    let mut pairs = Vec::new();
    for level in (first_level..n_out).rev() {
        for iterator in (0..n_in).rev() {
            if is_close(level, iterator) {
                pairs.push((level, iterator));
            }
        }
    }
    pairs
}

/// The row `out[level] - in[iterator]`.
fn difference(basic: &BasicMap, level: usize, iterator: usize) -> Row {
    let mut row = Row::zeros(basic.n_columns());
    row.set(basic.offset(DimKind::Out) + level, Int::from(1));
    row.set(basic.offset(DimKind::In) + iterator, Int::from(-1));
    row
}

fn is_plain_equality(basic: &BasicMap, row: &Row) -> bool {
    let mut opposite = row.clone();
    opposite.negate();
    basic.equalities().iter().any(|equality| equality == row || *equality == opposite)
}
