//! Strides: congruences of single dimensions.
//!
//! # Method
//! The affine hull of integer points is a coset `origin + lattice`. Projected onto parameters, input
//! and one output dimension `x`, the Hermite normal form of the lattice (with `x` last) expresses
//! `x` by coordinates that the others determine, plus a multiple of the last pivot: the stride.
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use loopwright_exact::{Int, Matrix, Row};

/// The values of a dimension: `offset + stride * integer`.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, Set, StrideInfo};
/// let set = Set::parse("[n] -> { [i] : (i - n) mod 4 = 1 }")?;
/// let StrideInfo { stride, offset } = set.stride_info(0, &Budget::unlimited())?;
/// assert_eq!(stride, Int::from(4));
/// assert_eq!(offset.to_string(), "[n] -> { [(1 + n)] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StrideInfo {
    /// The distance of values; 0 if the offset is the only value.
    pub stride: Int,
    /// A value (or one beside the set at a multiple of the stride), as an expression in parameters and
    /// input. It may have rational coefficients, but is an integer wherever there are points.
    pub offset: Aff,
}

/// A lattice that contains the range of a relation: `offset + size * integer` in each dimension.
///
/// ```
/// # use loopwright_presburger::{Budget, Int, LatticeTile, Set};
/// let set = Set::parse("{ [i, j] : i mod 4 = 1 and j mod 3 = 0 }")?;
/// let LatticeTile { offset, size } = set.lattice_tile(&Budget::unlimited())?;
/// assert_eq!(size, [Int::from(4), Int::from(3)]);
/// assert_eq!(offset.to_string(), "{ [(1), (0)] }");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LatticeTile {
    /// The offsets as expressions in parameters and input.
    pub offset: MultiAff,
    /// The sizes of a tile in each dimension, 1 where every integer is possible.
    pub size: Vec<Int>,
}

/// `row / denominator`.
struct Fraction {
    row: Row,
    denominator: Int,
}

impl Fraction {
    /// `self - factor * other`.
    fn minus(self, factor: &Int, other: &Fraction) -> Self {
        let mut row = self.row;
        row.combine(&other.denominator, &-(factor * &self.denominator), &other.row);
        Fraction { row, denominator: &self.denominator * &other.denominator }
    }
}

impl Map {
    /// The stride and the offset of an output dimension.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j] : (j - i) mod 6 = 2 }")?;
    /// let info = map.range_stride_info(0, &Budget::unlimited())?;
    /// assert_eq!(
    ///     (info.stride, info.offset.to_string()),
    ///     (Int::from(6), "{ [i] -> [(2 + i)] }".to_string())
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// An empty relation has stride 0. *Cost.* That of [`Map::affine_hull`].
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn range_stride_info(&self, position: usize, budget: &Budget) -> Result<StrideInfo> {
        assert!(position < self.n(DimKind::Out), "no output dimension {position}");
        let domain = self.space.domain();
        let n_known = 1 + domain.n_all();
        let kept = |row: &Row| {
            let mut kept = row.slice(0..n_known);
            kept.push(row.get(n_known + position));
            kept
        };
        let Some((origin, generators)) = self.lattice(budget).during("range_stride_info")? else {
            return Ok(StrideInfo { stride: Int::ZERO, offset: Aff::zero(&domain) });
        };
        let (origin, generators) = (kept(&origin), generators.iter().map(kept).collect());
        let hermite = Matrix::new(generators, n_known + 1).transpose().hermite();
        let mut coordinates: Vec<Fraction> = Vec::new();
        let mut stride = Int::ZERO;
        let mut value = Fraction { row: Row::zeros(n_known), denominator: Int::ONE };
        for column in 1..=n_known {
            let mut row = Row::zeros(n_known);
            if column < n_known {
                row.set(column, Int::ONE);
            }
            row.set(0, -origin.get(column));
            let mut rest = Fraction { row, denominator: Int::ONE };
            for (j, coordinate) in coordinates.iter().enumerate() {
                rest = rest.minus(&hermite.form.get(column, j), coordinate);
            }
            let is_pivot = hermite.pivots.get(coordinates.len()) == Some(&column);
            let pivot = is_pivot.then(|| hermite.form.get(column, coordinates.len()));
            if column == n_known {
                stride = pivot.unwrap_or(Int::ZERO);
                value = rest;
            } else if let Some(pivot) = pivot {
                rest.denominator = &rest.denominator * &pivot;
                coordinates.push(rest);
            }
        }
        // The rest is the value minus the offset.
        value.row.negate();
        let Fraction { mut row, denominator } = value;
        if !stride.is_zero() {
            let period = &stride * &denominator;
            row.set(0, row.get(0).rem_euclid(&period));
        }
        Ok(StrideInfo { stride, offset: Aff::from_row(&domain, Vec::new(), row, denominator) })
    }

    /// Strides and offsets of all output dimensions; dimensions with a single value count as
    /// unconstrained.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Map};
    /// let map = Map::parse("{ [i] -> [j, k] : (j - i) mod 5 = 0 }")?;
    /// let tile = map.range_lattice_tile(&Budget::unlimited())?;
    /// assert_eq!(tile.size, [Int::from(5), Int::from(1)]);
    /// assert_eq!(tile.offset.to_string(), "{ [i] -> [(i), (0)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn range_lattice_tile(&self, budget: &Budget) -> Result<LatticeTile> {
        let domain = self.space.domain();
        let (mut offsets, mut size) = (Vec::new(), Vec::new());
        for position in 0..self.n(DimKind::Out) {
            let StrideInfo { stride, offset } =
                self.range_stride_info(position, budget).during("range_lattice_tile")?;
            let is_strided = stride > Int::ONE;
            offsets.push(if is_strided { offset } else { Aff::zero(&domain) });
            size.push(if is_strided { stride } else { Int::ONE });
        }
        Ok(LatticeTile { offset: MultiAff::new(self.space.clone(), offsets)?, size })
    }
}

impl Set {
    /// The stride and the offset of a dimension, see [`Map::range_stride_info`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Set};
    /// let set = Set::parse("{ [0]; [9]; [15] }")?;
    /// let info = set.stride_info(0, &Budget::unlimited())?;
    /// assert_eq!(info.stride, Int::from(3));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn stride_info(&self, position: usize, budget: &Budget) -> Result<StrideInfo> {
        self.0.range_stride_info(position, budget)
    }

    /// Strides and offsets of all dimensions, see [`Map::range_lattice_tile`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Int, Set};
    /// let set = Set::parse("{ [i, j] : (i + j) mod 2 = 0 and i mod 2 = 0 }")?;
    /// let tile = set.lattice_tile(&Budget::unlimited())?;
    /// assert_eq!(tile.size, [Int::from(2), Int::from(2)]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn lattice_tile(&self, budget: &Budget) -> Result<LatticeTile> {
        self.0.range_lattice_tile(budget)
    }
}
