//! Powers of relations: all at once with the length of the paths as a parameter, or a fixed one.
use crate::closures::closure::{Closure, LENGTHS, check_square, compose, explicit, few_pieces};
use crate::closures::paths::{Lengths, path_space, paths};
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::Constraint;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::core::tuple::Tuple;
use crate::core::union_map::UnionMap;
use loopwright_exact::Int;

/// `x -> [y, k + 1]` for `x -> [y, k]`.
fn lengthened(map: &Map) -> Result<Map> {
    let space = map.space.range().map_from_set();
    let mut step = BasicMap::universe(space);
    let (x, y) = (step.offset(DimKind::In), step.offset(DimKind::Out));
    let n = y - x;
    let rows: Vec<Constraint> = (0..n)
        .map(|i| {
            let constant = if i + 1 == n { -1 } else { 0 };
            Constraint::equality(step.inner.difference_row(x + i, y + i, constant))
        })
        .collect();
    step = step.add_constraints(rows);
    map.apply_range(&Map::from_basic_map(step))
}

/// The steps of a relation as paths of length one.
fn steps_of_length_one(map: &Map) -> Map {
    let n = map.n(DimKind::Out);
    let one = map.insert_dims(DimKind::Out, n, 1).fix(DimKind::Out, n, &Int::ONE);
    one.with_space(path_space(map, Lengths::Kept).with_params(map.space.param_names()))
}

/// The paths by offsets from a domain to a range, with their lengths.
fn paths_with_lengths(map: &Map, domain: &Set, range: &Set, budget: &Budget) -> Result<Map> {
    let by_offset = Map::from_basic_map(paths(map, Lengths::Kept, budget)?);
    let n = map.n(DimKind::Out);
    let range = range.insert_dims(DimKind::Out, n, 1);
    let range = Set(range.0.with_space(by_offset.space.range()));
    let within = by_offset
        .intersect_domain_within(domain, budget)?
        .intersect_range_within(&range, budget)?;
    explicit(&within, budget)
}

/// Whether paths with lengths are exact: those of length one are steps, the others a step and a path
/// that is shorter by one.
fn are_exact(map: &Map, paths: &Map, budget: &Budget) -> Result<bool> {
    let n = map.n(DimKind::Out);
    let one = steps_of_length_one(map);
    if !paths.fix(DimKind::Out, n, &Int::ONE).is_subset(&one, budget)? {
        return Ok(false);
    }
    let longer = paths.lower_bound(DimKind::Out, n, &Int::from(2));
    longer.is_subset(&lengthened(&map.apply_range_within(paths, budget)?)?, budget)
}

/// Whether the paths by offsets from a domain to a range are exact for each length.
pub(crate) fn has_exact_lengths(
    map: &Map,
    domain: &Set,
    range: &Set,
    budget: &Budget,
) -> Result<bool> {
    are_exact(map, &paths_with_lengths(map, domain, range, budget)?, budget)
}

/// The product of `exponent` copies by repeated squaring.
fn repeated<T: Clone>(
    mut base: T,
    mut exponent: u64,
    multiply: impl Fn(&T, &T) -> Result<T>,
) -> Result<T> {
    let mut product: Option<T> = None;
    while exponent > 0 {
        if exponent % 2 == 1 {
            product = Some(match product {
                None => base.clone(),
                Some(product) => multiply(&product, &base)?,
            });
        }
        exponent /= 2;
        if exponent > 0 {
            base = multiply(&base, &base)?;
        }
    }
    let reason = "the exponent is zero".to_string();
    product.ok_or(Error::Invalid { operation: "fixed_power", reason })
}

impl Map {
    /// The pairs `x -> [y, k]` such that a path of `k` steps leads from `x` to `y`, or a relation
    /// that contains them.
    fn path_lengths(&self, budget: &Budget) -> Result<Closure<Map>> {
        let map = few_pieces(self.clone(), budget)?;
        if map.basics.is_empty() {
            return Ok(Closure::exact(Map::empty(path_space(&map, Lengths::Kept))));
        }
        let paths = paths_with_lengths(&map, &map.domain(), &map.range(), budget)?;
        let is_exact = budget.attempt(LENGTHS, |b| are_exact(&map, &paths, b))? == Some(true);
        Ok(Closure { relation: paths, is_exact })
    }

    /// All powers at once: `{ [k] -> [x -> y] }` for the paths of `k >= 1` steps from `x` to
    /// `y`. They may be contained in the result only, which [`Closure::is_exact`] tells.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map};
    /// let budget = Budget::unlimited();
    /// let powers = Map::parse("{ [i] -> [i + 2] }")?.power(&budget)?;
    /// let expected = Map::parse("{ [k] -> [[i] -> [i + 2k]] : k >= 1 }")?;
    /// assert!(powers.is_exact && powers.relation.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if domain and range are not the same space, [`Error::Exceeded`].
    pub fn power(&self, budget: &Budget) -> Result<Closure<Map>> {
        check_square(self, "power")?;
        let Closure { relation, is_exact } = self.path_lengths(budget).during("power")?;
        let n = self.n(DimKind::Out);
        // [k] -> [x, y]: the length becomes the input, the input comes before the output.
        let flat = relation.move_dims(DimKind::Out, 0, DimKind::In, 0, n);
        let turned = flat.move_dims(DimKind::In, 0, DimKind::Out, 2 * n, 1);
        let output = self.space.wrap().output().cloned();
        let space = turned.space.with_tuples(Some(Tuple::anonymous(1)), output);
        Ok(Closure { relation: turned.with_space(space), is_exact })
    }

    /// The lengths of the paths that lead to an element of the range: `{ y -> [k] }` with
    /// `k >= 1`. They may be contained in the result only, which [`Closure::is_exact`] tells.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map};
    /// let budget = Budget::unlimited();
    /// let lengths = Map::parse("{ A[i] -> A[i + 1] : i >= 0 }")?.reaching_path_lengths(&budget)?;
    /// let expected = Map::parse("{ A[i] -> [k] : 1 <= k <= i }")?;
    /// assert!(lengths.is_exact && lengths.relation.is_equal(&expected, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if domain and range are not the same space, [`Error::Exceeded`].
    pub fn reaching_path_lengths(&self, budget: &Budget) -> Result<Closure<Map>> {
        check_square(self, "reaching_path_lengths")?;
        let Closure { relation, is_exact } =
            self.path_lengths(budget).during("reaching_path_lengths")?;
        let lengths = relation.range().split_dims(self.n(DimKind::Out));
        let output = Some(Tuple::anonymous(1));
        let space = lengths.space().with_tuples(self.space.output().cloned(), output);
        let relation =
            few_pieces(lengths.with_space(space), budget).during("reaching_path_lengths")?;
        Ok(Closure { relation, is_exact })
    }

    /// The pairs that exactly `exponent` steps connect; steps of the inverse if it is negative.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// let step = Map::parse("{ [i] -> [i + 2] : i >= 0 }")?;
    /// assert_eq!(step.fixed_power(3, budget)?.to_string(), "{ [i] -> [6 + i] : i >= 0 }");
    /// assert_eq!(step.fixed_power(-1, budget)?.to_string(), "{ [i0] -> [i = -2 + i0] : i >= 0 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the exponent is zero or domain and range are not the same space,
    /// [`Error::Exceeded`].
    pub fn fixed_power(&self, exponent: i64, budget: &Budget) -> Result<Map> {
        check_square(self, "fixed_power")?;
        let base = if exponent < 0 { self.reverse() } else { self.clone() };
        let square = |a: &Map, b: &Map| compose(a, b, budget);
        repeated(base, exponent.unsigned_abs(), square)
    }
}

impl UnionMap {
    /// The pairs that exactly `exponent` steps connect, see [`Map::fixed_power`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionMap};
    /// let step = UnionMap::parse("{ A[i] -> B[i + 1]; B[i] -> A[2i] }")?;
    /// let twice = step.fixed_power(2, &Budget::unlimited())?;
    /// assert_eq!(twice.to_string(), "{ A[i] -> A[2 + 2i]; B[i] -> B[1 + 2i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the exponent is zero, [`Error::Exceeded`].
    pub fn fixed_power(&self, exponent: i64, budget: &Budget) -> Result<UnionMap> {
        let base = if exponent < 0 { self.reverse() } else { self.clone() };
        let square = |a: &UnionMap, b: &UnionMap| {
            a.apply_range_within(b, budget).during("fixed_power")?.coalesce(budget)
        };
        repeated(base, exponent.unsigned_abs(), square)
    }
}
