//! The lattice width of bounded sets.
//!
//! # Method
//! The width of a polytope along an integer direction `d` is the greatest difference of `d x` between
//! two of its points, hence between two of its vertices `v_i`; the lattice width is the least of
//! these for `d` not zero. It is the least `w` with `w >= d (v_i - v_j)` for all vertices: an
//! integer program in `w` and `d` for each position of the first entry of `d` that is not zero,
//! which may be taken as positive.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::Constraint;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::Tuple;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::solve::optimum::Optimum;
use loopwright_exact::{Int, Rational, Row, Value};

const OPERATION: &str = "lattice_width";

/// The vertices times a common denominator, and that denominator.
fn scaled_vertices(set: &Set, budget: &Budget) -> Result<(Vec<Vec<Int>>, Int)> {
    let mut vertices: Vec<MultiAff> = Vec::new();
    for basic in set.basic_sets() {
        let found = basic.vertices(budget).during(OPERATION)?.vertices;
        vertices.extend(found.into_iter().map(|vertex| vertex.expression));
    }
    let affs = vertices.iter().flat_map(|vertex| &vertex.members);
    let denominator = affs.fold(Int::ONE, |all, aff| all.lcm(&aff.denominator));
    let scaled = |aff: &Aff| &aff.row.get(0) * &denominator.div_exact(&aff.denominator);
    let points = vertices.iter().map(|vertex| vertex.members.iter().map(scaled).collect());
    Ok((points.collect(), denominator))
}

impl Set {
    /// The least width of the set, as a union of rational polytopes, along an integer direction that is
    /// not zero; none if there is no point.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Set, Value};
    /// let budget = Budget::steps(1_000_000);
    /// let strip = Set::parse("{ [i, j] : 0 <= i <= 90 and 0 <= j - 3i <= 2 }")?;
    /// assert_eq!(strip.lattice_width(&budget)?, Some(Value::from(2)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of the vertices, and of integer programs with a constraint for each pair of them.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the set has parameters, no dimensions, or is not bounded;
    /// [`Error::Exceeded`].
    pub fn lattice_width(&self, budget: &Budget) -> Result<Option<Value>> {
        let refuse =
            |reason: &str| Err(Error::Invalid { operation: OPERATION, reason: reason.to_owned() });
        if self.n(DimKind::Param) > 0 {
            return refuse("the set has parameters");
        }
        if self.n_dims() == 0 {
            return refuse("the set has no dimensions");
        }
        if !self.is_bounded(budget).during(OPERATION)? {
            return refuse("the set is not bounded");
        }
        let (vertices, denominator) = scaled_vertices(self, budget)?;
        if vertices.is_empty() || self.is_empty(budget).during(OPERATION)? {
            return Ok(None);
        }
        let width = least_width(&vertices, budget).during(OPERATION)?;
        Ok(Some(Value::Finite(Rational::new(width, denominator))))
    }
}

/// The lattice width of the convex hull of integer points.
fn least_width(points: &[Vec<Int>], budget: &Budget) -> Result<Int> {
    let n = points[0].len();
    let mut constraints = Vec::new();
    for (a, b) in points.iter().flat_map(|a| points.iter().map(move |b| (a, b))) {
        budget.spend(n as u64, OPERATION)?;
        let mut row = Row::zeros(n + 2);
        row.set(1, Int::ONE);
        for (position, (a, b)) in a.iter().zip(b).enumerate() {
            row.set(2 + position, b - a);
        }
        constraints.push(Constraint::inequality(row));
    }
    let mut least: Option<Int> = None;
    for first in 0..n {
        let mut rows = constraints.clone();
        let zero = |position: usize| Constraint::equality(Row::unit(n + 2, 2 + position));
        rows.extend((0..first).map(zero));
        let mut positive = Row::unit(n + 2, 2 + first);
        positive.set(0, Int::MINUS_ONE);
        rows.push(Constraint::inequality(positive));
        let space = Space::set(&[], Tuple::anonymous(n + 1));
        let programs = BasicMap::from_constraints(space, Vec::new(), rows);
        let programs = Set(Map::from_basic_map(programs));
        if let Optimum::At(width) = programs.dim_min_val(DimKind::Out, 0, budget)? {
            least = Some(least.map_or(width.clone(), |least| least.min(width)));
        }
    }
    Ok(least.unwrap_or(Int::ZERO))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width(text: &str) -> String {
        let set = Set::parse(text).unwrap();
        set.lattice_width(&Budget::steps(10_000_000))
            .unwrap()
            .map_or("none".into(), |w| w.to_string())
    }

    /// The least width among the directions of a box, over the integer points.
    fn width_of_points(text: &str) -> i64 {
        let points = Set::parse(text).unwrap().points(10_000, &Budget::unlimited()).unwrap();
        let number = |value: &Int| value.to_i64().unwrap();
        let along = |(a, b): (i64, i64)| {
            let values = points.iter().map(|p| a * number(&p[0]) + b * number(&p[1]));
            values.clone().max().unwrap() - values.min().unwrap()
        };
        let directions = (-9..=9).flat_map(|a| (-9..=9).map(move |b| (a, b)));
        directions.filter(|&d| d != (0, 0)).map(along).min().unwrap()
    }

    #[test]
    fn widths_of_polygons_with_integer_vertices() {
        let texts = [
            "{ [i, j] : 0 <= i <= 5 and 0 <= j <= 7 }",
            "{ [i, j] : i >= 0 and j >= 0 and i + j <= 6 }",
            "{ [i, j] : 0 <= i <= 20 and 2i <= j <= 2i + 1 }",
            "{ [i, j] : 0 <= i + j <= 4 and 0 <= i - j <= 4 and (i + j) mod 2 = 0 }",
            "{ [0, 0]; [3, 7]; [8, 2] }",
            "{ [i, 3i + 1] : 0 <= i <= 9 }",
        ];
        for text in texts {
            assert_eq!(width(text), width_of_points(text).to_string(), "{text}");
        }
    }

    #[test]
    fn other_widths() {
        assert_eq!(width("{ [i] : 0 <= 2i <= 7 }"), "3");
        assert_eq!(width("{ [i, j, k] : 0 <= i, j, k and i + j + k <= 4 }"), "4");
        assert_eq!(width("{ [i] : false }"), "none");
        for text in ["[n] -> { [i] : 0 <= i <= n }", "{ [i] : i >= 0 }", "{ [] }"] {
            assert!(
                Set::parse(text).unwrap().lattice_width(&Budget::unlimited()).is_err(),
                "{text}"
            );
        }
    }
}
