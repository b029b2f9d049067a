//! The points of a set in the way of a loop nest: one dimension after the other, between the bounds that
//! those before it give.
//!
//! This is fast where each dimension has bounds of its own, as domains of loops have; floors are computed as
//! soon as what they are of is known.
use loopwright_presburger::{BasicMap, Budget, DimKind, Local, Result, Row, Set};

/// A set in this form.
#[derive(Clone)]
pub(crate) struct LoopNest {
    pieces: Vec<Piece>,
    n_params: usize,
    n_dims: usize,
}

#[derive(Clone)]
struct Piece {
    /// Constraints by the number of dimensions that have to be known: the first are about symbolic constants
    /// alone.
    constraints: Vec<Vec<Constraint>>,
    /// Floors, in the same way: column, dividend, divisor.
    floors: Vec<Vec<(usize, Vec<i64>, i64)>>,
    n_columns: usize,
}

#[derive(Clone)]
struct Constraint {
    row: Vec<i64>,
    is_equality: bool,
    /// Whether it bounds the last of the dimensions by what is known before.
    is_bound: bool,
}

/// Coefficients are smaller, so that sums of products with numbers of 64 bits are exact.
const LARGEST: i64 = 1 << 40;

impl LoopNest {
    /// None if the set has unknowns that are no floors, or large coefficients.
    pub(crate) fn of(set: &Set) -> Option<Self> {
        let (n_params, n_dims) = (set.n(DimKind::Param), set.n(DimKind::Out));
        let pieces = set.basic_sets();
        let pieces = pieces.iter().map(|piece| Piece::of(piece.as_basic_map(), n_params, n_dims));
        Some(LoopNest { pieces: pieces.collect::<Option<_>>()?, n_params, n_dims })
    }

    /// All points for some symbolic constants, in lexicographic order; none if a dimension has no bounds of
    /// its own.
    ///
    /// # Errors
    /// If there are more than `limit`, or the budget runs out.
    pub(crate) fn points(
        &self,
        parameters: &[i64],
        limit: usize,
        budget: &Budget,
    ) -> Result<Option<Vec<Vec<i64>>>> {
        let mut points = Vec::new();
        for piece in &self.pieces {
            let mut values = vec![0; piece.n_columns];
            values[0] = 1;
            values[1..=self.n_params].copy_from_slice(parameters);
            let mut search =
                Search { nest: self, piece, values, points: &mut points, limit, budget };
            if !search.from(0)? {
                return Ok(None);
            }
        }
        points.sort_unstable();
        points.dedup();
        Ok(Some(points))
    }
}

impl Piece {
    fn of(piece: &BasicMap, n_params: usize, n_dims: usize) -> Option<Self> {
        let first_local = piece.offset(DimKind::Local);
        let mut known_at = vec![0; piece.n_columns()];
        for (at, known) in known_at[1 + n_params..first_local].iter_mut().enumerate() {
            *known = 1 + at;
        }
        let level = |known_at: &[usize], row: &[i64]| {
            let used = row.iter().zip(known_at).filter(|(factor, _)| **factor != 0);
            used.map(|(_, known)| *known).max().unwrap_or(0)
        };
        let mut floors: Vec<Vec<_>> = (0..=n_dims).map(|_| Vec::new()).collect();
        for (at, local) in piece.locals().iter().enumerate() {
            let Local::Floor { numerator, denominator } = local else { return None };
            let numerator = coefficients(numerator)?;
            let known = level(&known_at, &numerator);
            known_at[first_local + at] = known;
            let divisor = denominator.to_i64().filter(|own| *own < LARGEST)?;
            floors[known].push((first_local + at, numerator, divisor));
        }
        let mut constraints: Vec<Vec<Constraint>> = (0..=n_dims).map(|_| Vec::new()).collect();
        for own in piece.constraints() {
            let row = coefficients(&own.row)?;
            let known = level(&known_at, &row);
            let last = |(column, factor): (usize, &i64)| *factor != 0 && known_at[column] == known;
            let is_bound = known > 0
                && row.iter().enumerate().filter(|own| last(*own)).count() == 1
                && row[n_params + known] != 0;
            constraints[known].push(Constraint { row, is_equality: own.is_equality, is_bound });
        }
        Some(Piece { constraints, floors, n_columns: piece.n_columns() })
    }
}

fn coefficients(row: &Row) -> Option<Vec<i64>> {
    let column = |at: usize| row.get(at).to_i64().filter(|own| own.abs() < LARGEST);
    (0..row.len()).map(column).collect()
}

struct Search<'a> {
    nest: &'a LoopNest,
    piece: &'a Piece,
    values: Vec<i64>,
    points: &'a mut Vec<Vec<i64>>,
    limit: usize,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Adds the points with the known values of the first dimensions; false if a dimension has no bounds.
    fn from(&mut self, n_known: usize) -> Result<bool> {
        if !self.holds(n_known) {
            return Ok(true);
        }
        let first = 1 + self.nest.n_params;
        if n_known == self.nest.n_dims {
            self.points.push(self.values[first..first + n_known].to_vec());
            // Pieces may overlap.
            return match self.points.len() > self.limit.saturating_mul(2) {
                true => Err(self.budget.exceeded("points of a loop nest")),
                false => Ok(true),
            };
        }
        let Some((low, high)) = self.bounds(n_known) else { return Ok(false) };
        for value in low..=high {
            self.budget.spend(1, "points of a loop nest")?;
            self.values[first + n_known] = value;
            if !self.from(n_known + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn dot(&self, row: &[i64]) -> i128 {
        let products = row.iter().zip(&self.values);
        products.map(|(factor, value)| i128::from(*factor) * i128::from(*value)).sum()
    }

    /// Computes the floors that are known now, and whether the constraints hold that are.
    fn holds(&mut self, n_known: usize) -> bool {
        for (column, numerator, divisor) in &self.piece.floors[n_known] {
            let floor = self.dot(numerator).div_euclid(i128::from(*divisor));
            let Ok(floor) = i64::try_from(floor) else { return false };
            self.values[*column] = floor;
        }
        self.piece.constraints[n_known].iter().all(|own| {
            let value = self.dot(&own.row);
            if own.is_equality { value == 0 } else { value >= 0 }
        })
    }

    /// The bounds of the next dimension.
    fn bounds(&mut self, n_known: usize) -> Option<(i64, i64)> {
        let column = 1 + self.nest.n_params + n_known;
        self.values[column] = 0;
        let (mut low, mut high): (Option<i128>, Option<i128>) = (None, None);
        for own in self.piece.constraints[n_known + 1].iter().filter(|own| own.is_bound) {
            let (factor, rest) = (i128::from(own.row[column]), self.dot(&own.row));
            // factor * value + rest >= 0.
            let quotient = rest.div_euclid(factor.abs());
            let is_exact = rest.rem_euclid(factor.abs()) == 0;
            let (least, most) = match factor > 0 {
                true => (-quotient, if is_exact { -quotient } else { -quotient - 1 }),
                false => (if is_exact { quotient } else { quotient + 1 }, quotient),
            };
            if own.is_equality || factor > 0 {
                low = Some(low.map_or(least, |low| low.max(least)));
            }
            if own.is_equality || factor < 0 {
                high = Some(high.map_or(most, |high| high.min(most)));
            }
        }
        Some((i64::try_from(low?).ok()?, i64::try_from(high?).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::LoopNest;
    use loopwright_presburger::{Budget, DimKind, Int, Set};

    #[test]
    fn points_are_those_of_the_set() {
        for text in [
            "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }",
            "[n] -> { [i, j] : 0 <= 2i < n and -i <= 3j + 1 <= n and (i + j) mod 3 = 1 }",
            "[n] -> { [t, i] : 0 <= t <= floor(n/4) and 4t <= i <= 4t + 3 and i < n and i mod 2 = 0 }",
            "[n] -> { [i, j] : 0 <= i < n and j = 2i - 3; [i, j] : 0 <= i < n and 3i - 4 <= 2j <= 3i }",
            "[n] -> { [] : n >= 3 }",
        ] {
            let set = Set::parse(text).unwrap();
            let nest = LoopNest::of(&set).unwrap();
            for n in 0..9 {
                let budget = Budget::unlimited();
                let found = nest.points(&[n], 1000, &budget).unwrap().unwrap();
                let fixed = set.fix(DimKind::Param, 0, &Int::from(n));
                let plain =
                    |point: Vec<Int>| point[1..].iter().map(|own| own.to_i64().unwrap()).collect();
                let expected: Vec<Vec<i64>> =
                    fixed.points(1000, &budget).unwrap().into_iter().map(plain).collect();
                assert_eq!(found, expected, "{text} {n}");
            }
        }
    }

    #[test]
    fn what_has_no_bounds_is_none() {
        let budget = Budget::unlimited();
        let set = Set::parse("{ [i, j] : 0 <= j <= 3 and j <= i <= j + 2 }").unwrap();
        assert_eq!(LoopNest::of(&set).unwrap().points(&[], 10, &budget).unwrap(), None);
        let set = Set::parse("{ [i] : 0 <= i < 100 }").unwrap();
        assert!(LoopNest::of(&set).unwrap().points(&[], 10, &budget).is_err());
    }
}
