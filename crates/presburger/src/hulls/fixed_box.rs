//! Boxes of fixed size around the images of elements.
//!
//! # Method
//! Every lower bound `a y + e >= 0` of an output dimension `y` by parameters and input, taken from the
//! simple hull of the projection onto them, is a candidate `ceil(-e / a)` for the start of the
//! box; the greatest value of `a y + e` tells how far the images reach beyond. The smallest box
//! is chosen in each dimension. A larger one may contain it for other relations: hence "simple".
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::solve::simplex::{RationalOptimum, Tableau};
use loopwright_exact::Int;

/// A box `offset <= y < offset + size` that contains the images of each element of the domain.
///
/// ```
/// # use loopwright_presburger::{Budget, FixedBox, Int, Map};
/// let budget = &Budget::unlimited();
/// let map = Map::parse("{ [i] -> A[x, y] : i <= x <= i + 2 and y = 2i }")?;
/// let window: FixedBox = map.range_simple_fixed_box_hull(budget)?.unwrap();
/// assert_eq!(window.offset.to_string(), "{ [i] -> A[(i), (2i)] }");
/// assert_eq!(window.size, [Int::from(3), Int::from(1)]);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FixedBox {
    /// The least corner as a function of parameters and input.
    pub offset: MultiAff,
    /// The extents, which are constants.
    pub size: Vec<Int>,
}

/// The smallest interval for an output dimension.
fn interval(map: &Map, position: usize, budget: &Budget) -> Result<Option<(Aff, Int)>> {
    let n = map.n(DimKind::Out);
    let alone = map.project_out(DimKind::Out, position + 1, n - position - 1);
    let alone = alone.project_out(DimKind::Out, 0, position);
    let domain = map.space.domain();
    let hull = Map::from_basic_map(alone.simple_hull(budget)?).remove_locals();
    let [hull] = hull.basics.as_slice() else { return Ok(None) };
    let column = hull.offset(DimKind::Out);
    let mut tableau = Tableau::from_basic_map(hull, budget)?;
    let mut rows = hull.inequalities().to_vec();
    for row in hull.equalities() {
        let mut opposite = row.clone();
        opposite.negate();
        rows.extend([row.clone(), opposite]);
    }
    let mut best: Option<(Aff, Int)> = None;
    for row in rows.iter().filter(|row| row.sign(column) > 0) {
        let RationalOptimum::At(excess) = tableau.maximum(row, budget)? else { continue };
        let factor = row.get(column);
        let size = excess.floor().div_floor(&factor) + Int::ONE;
        if best.as_ref().is_none_or(|(_, least)| size < *least) {
            let mut start = row.slice(0..column);
            start.negate();
            best = Some((Aff::from_row(&domain, Vec::new(), start, factor).ceil(), size));
        }
    }
    Ok(best)
}

impl Map {
    /// A box of fixed size around the images of each element; none if some dimension has no bounds
    /// at a constant distance, or if the relation is empty.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j, k] : 2i <= j <= 2i + 3 and k = 3j + 1 }")?;
    /// let found = map.range_simple_fixed_box_hull(&Budget::unlimited())?.unwrap();
    /// assert_eq!(found.size, [Int::from(4), Int::from(10)]);
    /// assert_eq!(found.offset.to_string(), "{ [i] -> [(2i), (1 + 6i)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn range_simple_fixed_box_hull(&self, budget: &Budget) -> Result<Option<FixedBox>> {
        let (mut offsets, mut size) = (Vec::new(), Vec::new());
        for position in 0..self.n(DimKind::Out) {
            let Some((start, extent)) =
                interval(self, position, budget).during("range_simple_fixed_box_hull")?
            else {
                return Ok(None);
            };
            offsets.push(start);
            size.push(extent);
        }
        Ok(Some(FixedBox { offset: MultiAff::new(self.space.clone(), offsets)?, size }))
    }
}

impl Set {
    /// A box of fixed size for every value of the parameters, see
    /// [`Map::range_simple_fixed_box_hull`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Set};
    /// let set = Set::parse("[n] -> { A[x] : n <= x <= n + 7 and x mod 4 = 0 }")?;
    /// let window = set.simple_fixed_box_hull(&Budget::unlimited())?.unwrap();
    /// assert_eq!(window.size, [Int::from(8)]);
    /// // The size of this one depends on the parameter.
    /// let set = Set::parse("[n] -> { A[x] : 0 <= x <= n }")?;
    /// assert!(set.simple_fixed_box_hull(&Budget::unlimited())?.is_none());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn simple_fixed_box_hull(&self, budget: &Budget) -> Result<Option<FixedBox>> {
        self.0.range_simple_fixed_box_hull(budget)
    }
}
