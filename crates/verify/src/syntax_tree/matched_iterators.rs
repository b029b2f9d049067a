//! Facts that make proofs about a call cheap: which schedule component is which iterator.
//!
//! A tile loop `c` runs over the tiles `t = ⌊i/32⌋` of the schedule, but the loops only say
//! `32 c <= i <= 32 c + 31`. That `t = c` follows, by a rational argument: `t >= c + 1` would need
//! `i >= 32 c + 32`. Once such equalities are known explicitly, everything else about the call
//! (projections, injectivity, order) is a matter of substitution.
//!
//! Tile loops whose iterator is a multiple of the tile size need an argument about lattices: that
//! `c` and `t`, both multiples of 64, are equal follows from `i - 63 <= c, t <= i`. There the guesses
//! are the pairs that are equal at some points, and an exact search for a point where they differ
//! decides.
//!
//! Facts are guessed and then proved: a guess that cannot be proved is dropped, so this only costs
//! time and can never make a check pass that should fail.
use loopwright_presburger::{
    BasicMap, Budget, Constraint, DimKind, Int, Local, Map, Rational, Result, Row, Tableau,
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
        if let Some(basic) = matched(basic, first_level, budget)? {
            let basic = matched_on_lattices(basic, first_level, budget)?;
            pieces.push(without_implied_strides(&basic));
        }
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
        guesses.retain(|guess| is_near_zero(guess, &sample));
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

/// One piece with the equalities of components and iterators that both are multiples of something.
fn matched_on_lattices(basic: BasicMap, first_level: usize, budget: &Budget) -> Result<BasicMap> {
    let (ins, outs) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let iterators: Vec<usize> =
        (0..basic.n(DimKind::In)).filter(|n| is_multiple(&basic, ins + n)).collect();
    let mut guesses: Vec<(usize, usize)> = (first_level..basic.n(DimKind::Out))
        .filter(|level| is_multiple(&basic, outs + level))
        .flat_map(|level| iterators.iter().map(move |iterator| (level, *iterator)))
        .collect();
    let start = basic;
    let mut basic = start.clone();
    let mut point = match guesses.is_empty() {
        true => None,
        false => basic.sample_columns(budget)?,
    };
    let mut lattices = Lattices::of(&start);
    while !guesses.is_empty() {
        if let Some(point) = point.take() {
            guesses.retain(|(level, n)| point.get(outs + level) == point.get(ins + n));
        }
        let Some((level, iterator)) = guesses.pop() else { break };
        if !lattices.make_equal(outs + level, ins + iterator, budget)? {
            point = point_of_difference(&basic, level, iterator, budget)?;
        }
        if point.is_none() {
            basic = basic.add_equality(difference(&basic, level, iterator));
            guesses.retain(|(other, n)| *other != level && *n != iterator);
        }
    }
    Ok(basic)
}

/// The columns of a piece that are multiples, as far as single equalities say so, and what linear programs
/// know about it.
struct Lattices<'a> {
    basic: &'a BasicMap,
    tableau: Option<Tableau>,
}

impl<'a> Lattices<'a> {
    fn of(basic: &'a BasicMap) -> Self {
        Lattices { basic, tableau: None }
    }

    /// The number of which a column plainly is a multiple.
    fn divisor(&self, column: usize) -> Option<Int> {
        let locals = self.basic.offset(DimKind::Local);
        self.basic.equalities().iter().find_map(|row| {
            let unknown = row.first_nonzero(locals..row.len())?;
            let mut others = (0..row.len()).filter(|other| *other != column && *other != unknown);
            let is_alone = others.all(|other| row.is_zero_at(other));
            (is_alone && row.get(column).abs().is_one()).then(|| row.get(unknown).abs())
        })
    }

    /// Whether two columns are equal because both are multiples of a number, and less than that apart. Two
    /// linear programs say so, where the search for a point at which they differ finds it out by cuts.
    fn make_equal(&mut self, one: usize, other: usize, budget: &Budget) -> Result<bool> {
        let (Some(first), Some(second)) = (self.divisor(one), self.divisor(other)) else {
            return Ok(false);
        };
        let most = first.gcd(&second) - Int::from(1);
        let tableau = match &mut self.tableau {
            Some(tableau) => tableau,
            none => none.insert(Tableau::from_basic_map(self.basic, budget)?),
        };
        for sign in [1, -1] {
            let mut row = Row::zeros(self.basic.n_columns());
            row.set(0, most.clone());
            row.set(one, Int::from(sign));
            row.set(other, Int::from(-sign));
            if !tableau.implies_at_integers(&row, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The same piece without strides of several dimensions that follow from strides of each of them.
///
/// From `c = 64 a` and `d = 8 b` follows that `c - d` is a multiple of 8; as long as that is among the
/// constraints, bounds on `d` alone do not give its value.
fn without_implied_strides(basic: &BasicMap) -> BasicMap {
    // One after the other: two rows may follow from each other.
    let mut needed = basic.equalities().to_vec();
    let mut position = 0;
    while position < needed.len() {
        match is_implied_stride(basic, &needed, position) {
            true => drop(needed.remove(position)),
            false => position += 1,
        }
    }
    if needed.len() == basic.equalities().len() {
        return basic.clone();
    }
    let equalities = needed.into_iter().map(Constraint::equality);
    let inequalities = basic.inequalities().iter().cloned().map(Constraint::inequality);
    let constraints = equalities.chain(inequalities).collect();
    BasicMap::from_constraints(basic.space().clone(), basic.locals().to_vec(), constraints)
}

/// Whether one of the equalities says no more than that a form is a multiple of something, which is
/// plain from the others if each of the form's dimensions is replaced by its own multiple.
fn is_implied_stride(basic: &BasicMap, equalities: &[Row], position: usize) -> bool {
    let (dims, locals) = (1..basic.offset(DimKind::Local), basic.offset(DimKind::Local));
    let row = &equalities[position];
    let Some(unknown) = row.first_nonzero(locals..row.len()) else { return false };
    let others = || equalities.iter().enumerate().filter(|(n, _)| *n != position).map(|(_, r)| r);
    let is_private = others().chain(basic.inequalities()).all(|other| other.is_zero_at(unknown))
        && basic.locals().iter().all(|local| match local {
            Local::Unknown => true,
            Local::Floor { numerator, .. } => numerator.is_zero_at(unknown),
        });
    let is_only = row.first_nonzero(unknown + 1..row.len()).is_none();
    if !is_private || !is_only || !gives_no_value(row, unknown, &basic.locals()[unknown - locals]) {
        return false;
    }
    let mut reduced = row.clone();
    for other in others() {
        let Some(column) = other.first_nonzero(dims.clone()) else { continue };
        let is_alone = other.first_nonzero(column + 1..locals).is_none();
        if is_alone && other.get(column).abs().is_one() {
            reduced.add_scaled(&(-&reduced.get(column) * other.get(column)), other);
        }
    }
    reduced.first_nonzero(dims).is_none() && is_divisible(&reduced, &row.get(unknown))
}

/// Whether an equality over a local holds for some value of it whenever the rest of the row is a
/// multiple of the local's coefficient: it is not known, or it is the quotient of that division.
fn gives_no_value(row: &Row, column: usize, local: &Local) -> bool {
    let Local::Floor { numerator, denominator } = local else { return true };
    let mut remainder = numerator.clone();
    remainder.set(column, -denominator);
    let is_same = *row == remainder;
    remainder.negate();
    is_same || *row == remainder
}

/// Whether a column is a multiple of something that is not known: an equality over it and unknowns.
fn is_multiple(basic: &BasicMap, column: usize) -> bool {
    let locals = basic.offset(DimKind::Local);
    let mut rows = basic.equalities().iter();
    rows.any(|row| !row.is_zero_at(column) && row.first_nonzero(locals..row.len()).is_some())
}

/// A point where a component and an iterator differ.
fn point_of_difference(
    basic: &BasicMap,
    level: usize,
    iterator: usize,
    budget: &Budget,
) -> Result<Option<Row>> {
    let mut greater = difference(basic, level, iterator);
    let mut less = greater.clone();
    less.negate();
    for row in [&mut greater, &mut less] {
        row.set(0, Int::from(-1));
        let point = basic.add_inequality(row.clone()).sample_columns(budget)?;
        if point.is_some() {
            return Ok(point);
        }
    }
    Ok(None)
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

/// Whether a form is less than one away from zero at a sample: forms that are zero at all integer points
/// because linear programs say so are, at every rational point.
fn is_near_zero(form: &Row, sample: &[Rational]) -> bool {
    let mut value = Rational::from(form.get(0));
    for (position, own) in sample.iter().enumerate() {
        let coefficient = form.get(position + 1);
        if !coefficient.is_zero() {
            value = &value + &(&Rational::from(coefficient) * own);
        }
    }
    let one = Rational::from(Int::from(1));
    value < one && -&one < value
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

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_presburger::Set;

    /// A tile loop of 64 around one of 8 around the points, as loops of a tree run it: from iterators
    /// to the instance and the times.
    fn scaled_tiles() -> Map {
        Map::parse(
            "[n] -> { [c0, c1, c2] -> [i, t0, t1, t2 = i] : i = c2 and c0 mod 64 = 0 \
             and (c1 - c0) mod 8 = 0 and c0 >= 0 and c0 <= c1 <= c0 + 63 and c1 <= n - 8 \
             and c1 <= c2 <= c1 + 7 and t0 mod 64 = 0 and i - 63 <= t0 <= i and t1 mod 8 = 0 \
             and i - 7 <= t1 <= i }",
        )
        .unwrap()
    }

    #[test]
    fn multiples_within_a_tile_are_matched() {
        let budget = &Budget::unlimited();
        let relation = scaled_tiles();
        let matched = with_matched_iterators(&relation, 1, budget).unwrap();
        assert!(matched.is_equal(&relation, budget).unwrap());
        let [piece] = matched.basic_maps() else { panic!("{matched}") };
        for level in 0..3 {
            let mut row = difference(piece, 1 + level, level);
            assert!(is_plain_equality(piece, &row), "component {level} in {matched}");
            row.negate();
            assert!(is_plain_equality(piece, &row));
        }
        // Projections need no unknowns then.
        let range = matched.project_out(DimKind::Out, 1, 3).range();
        let wanted = Set::parse("[n] -> { [i] : i >= 0 and n >= 8 + 8*floor((i)/8) }").unwrap();
        assert!(range.is_equal(&wanted, budget).unwrap());
        let is_known = |local: &Local| *local != Local::Unknown;
        let [piece] = &range.basic_sets()[..] else { panic!("{range}") };
        assert!(piece.as_basic_map().locals().iter().all(is_known), "{range}");
    }

    /// Strides that look alike, of which none but one of two equal ones may be dropped.
    #[test]
    fn strides_that_do_not_follow_stay() {
        let budget = &Budget::unlimited();
        for text in [
            "{ [c, d] -> [i] : c = 8*floor((d)/8) and c mod 8 = 0 and d mod 8 = 0 }",
            "{ [c, d] -> [i] : c = 8*floor((d + i)/8) and c mod 8 = 0 and d mod 4 = 0 }",
            "{ [c, d] -> [i] : c mod 8 = 0 and (c - d) mod 8 = 0 and (d - i) mod 8 = 0 }",
            "{ [c, d] -> [i] : (c - d) mod 8 = 0 and d mod 4 = 0 and c mod 12 = 0 }",
            "{ [c, d] -> [i] : (c - d - 4) mod 8 = 0 and d mod 8 = 0 and c mod 4 = 0 }",
            "{ [c, d] -> [i] : exists a, b : c = 8a and c = 8b and d = 8a + 8b + 8i }",
        ] {
            let relation = Map::parse(text).unwrap();
            let matched = with_matched_iterators(&relation, 0, budget).unwrap();
            assert!(matched.is_equal(&relation, budget).unwrap(), "{text}: {matched}");
        }
    }

    #[test]
    fn a_quotient_of_something_else_gives_a_value() {
        // Over [constant | c | d | u]: c = 8u.
        let row = Row::from_i64s(&[0, 1, 0, -8]);
        let floor = |numerator: &[i64], denominator: i64| Local::Floor {
            numerator: Row::from_i64s(numerator),
            denominator: denominator.into(),
        };
        assert!(gives_no_value(&row, 3, &Local::Unknown));
        assert!(gives_no_value(&row, 3, &floor(&[0, 1, 0, 0], 8)));
        assert!(!gives_no_value(&row, 3, &floor(&[0, 0, 1, 0], 8)));
        assert!(!gives_no_value(&row, 3, &floor(&[0, 1, 0, 0], 4)));
        assert!(!gives_no_value(&row, 3, &floor(&[1, 1, 0, 0], 8)));
    }

    #[test]
    fn multiples_that_may_differ_are_not_matched() {
        let text =
            "{ [c] -> [i, t] : i = c + 1 and c mod 4 = 0 and t mod 4 = 0 and i - 4 <= t <= i }";
        let relation = Map::parse(text).unwrap();
        let budget = &Budget::unlimited();
        let matched = with_matched_iterators(&relation, 1, budget).unwrap();
        assert!(matched.is_equal(&relation, budget).unwrap());
        // i - 4 = c - 3 is no multiple of 4, so t = c: one longer, and it is not.
        let longer = text.replace("i - 4", "i - 5");
        let relation = Map::parse(&longer).unwrap();
        let matched = with_matched_iterators(&relation, 1, budget).unwrap();
        assert!(matched.is_equal(&relation, budget).unwrap());
        let [piece] = matched.basic_maps() else { panic!("{matched}") };
        assert!(!is_plain_equality(piece, &difference(piece, 1, 0)), "{matched}");
    }
}
