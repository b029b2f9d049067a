//! Optimal values of dimensions and expressions.
//!
//! The optimum over a union is the best one of the pieces. The optimum of a dimension as a function
//! of the parameters is the lexicographic minimum of the projection onto it.
use crate::core::align_locals::align_locals;
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::DimKind;
use crate::functions::aff::Aff;
use crate::functions::multi_aff::MultiAff;
use crate::functions::piecewise::{PwAff, PwMultiAff};
use crate::set_operations::project::dim_columns;
use crate::solve::optimum::Optimum;
use loopwright_exact::{Int, Row};

/// The smaller of two minima.
fn least(a: Optimum, b: Optimum) -> Optimum {
    match (a, b) {
        (Optimum::Empty, other) | (other, Optimum::Empty) => other,
        (Optimum::Unbounded, _) | (_, Optimum::Unbounded) => Optimum::Unbounded,
        (Optimum::At(a), Optimum::At(b)) => Optimum::At(a.min(b)),
    }
}

fn negated(optimum: Optimum) -> Optimum {
    match optimum {
        Optimum::At(value) => Optimum::At(-value),
        other => other,
    }
}

/// The minimum of `sign` times a dimension.
fn dimension_minimum(
    map: &Map,
    kind: DimKind,
    position: usize,
    sign: i64,
    budget: &Budget,
) -> Result<Optimum> {
    let column = dim_columns(&map.space, kind, position, 1).start;
    let mut minimum = Optimum::Empty;
    for basic in &map.basics {
        let mut form = Row::zeros(basic.n_columns());
        form.set(column, Int::from(sign));
        minimum = least(minimum, basic.minimum(&form, budget)?);
    }
    Ok(minimum)
}

impl Map {
    /// The least value of a dimension over all points and all parameter values (integer optimum).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, DimKind, Int, Map, Optimum};
    /// let budget = &Budget::unlimited();
    /// let map = Map::parse("{ [i] -> [j] : 3j >= 10 and i <= j }")?;
    /// assert_eq!(map.dim_min_val(DimKind::Out, 0, budget)?, Optimum::At(Int::from(4)));
    /// assert_eq!(map.dim_min_val(DimKind::In, 0, budget)?, Optimum::Unbounded);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_min_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        dimension_minimum(self, kind, position, 1, budget).during("dim_min_val")
    }

    /// The greatest value of a dimension.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, DimKind, Int, Map, Optimum};
    /// let budget = &Budget::unlimited();
    /// let map = Map::parse("{ [i] -> [j] : 3j <= 10 and i <= j }")?;
    /// assert_eq!(map.dim_max_val(DimKind::In, 0, budget)?, Optimum::At(Int::from(3)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_max_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        dimension_minimum(self, kind, position, -1, budget).map(negated).during("dim_max_val")
    }
}

/// The numerator of `objective` (times `sign`) over the columns of `base`, whose locals it joins.
fn objective_row(base: &mut BasicRelation, objective: &Aff, sign: i64) -> Row {
    let mut holder = BasicRelation::new(objective.space.clone(), objective.locals.clone());
    holder.inequalities.push(objective.row.clone());
    let mut row = align_locals(base, &holder).inequalities.swap_remove(0);
    row.scale(&Int::from(sign));
    row
}

/// The minimum of `sign` times the numerator of an expression.
fn expression_minimum(set: &Set, objective: &Aff, sign: i64, budget: &Budget) -> Result<Optimum> {
    let space = set.space().merge_params(&objective.space);
    let set = set.align_params(&space);
    let objective = objective.align_params(&space);
    let mut minimum = Optimum::Empty;
    for basic in &set.0.basics {
        let mut data = BasicRelation::clone(&basic.inner);
        let form = objective_row(&mut data, &objective, sign);
        minimum = least(minimum, BasicMap::from_normal_data(data).minimum(&form, budget)?);
    }
    Ok(minimum)
}

/// One output dimension alone, as a function of parameters and input.
fn projected(map: &Map, position: usize) -> Map {
    let n = map.n(DimKind::Out);
    let first = map.project_out(DimKind::Out, position + 1, n - position - 1);
    first.project_out(DimKind::Out, 0, position)
}

fn dimension_of(optimum: &PwMultiAff) -> PwAff {
    let first = |(domain, values): &(Set, MultiAff)| (domain.clone(), values.members[0].clone());
    PwAff { space: optimum.space.domain(), pieces: optimum.pieces.iter().map(first).collect() }
}

/// The optimum of a dimension of a set without parameters, a constant; none if there are
/// parameters, no points or no optimum.
fn constant_optimum(
    map: &Map,
    position: usize,
    sign: i64,
    budget: &Budget,
) -> Result<Option<PwAff>> {
    if map.space.is_map() || map.n(DimKind::Param) > 0 {
        return Ok(None);
    }
    let minimum = dimension_minimum(map, DimKind::Out, position, sign, budget)?;
    let Optimum::At(value) = minimum else { return Ok(None) };
    let space = map.space.domain();
    let value = Aff::constant(&space, &(value * Int::from(sign)));
    Ok(Some(PwAff { pieces: vec![(Set::universe(space.clone()), value)], space }))
}

impl Map {
    /// The minimum of an output dimension as a piecewise expression in parameters and input.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j, k] : j >= i and j >= 5 and k >= 0 }")?;
    /// assert_eq!(
    ///     map.dim_min(0, &Budget::unlimited())?.to_string(),
    ///     "{ [i] -> [(i)] : i >= 5; [i] -> [(5)] : i <= 4 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_min(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        if let Some(constant) = constant_optimum(self, position, 1, budget).during("dim_min")? {
            return Ok(constant);
        }
        Ok(dimension_of(&projected(self, position).lexmin_pw_multi_aff(budget).during("dim_min")?))
    }

    /// The maximum of an output dimension as a piecewise expression in parameters and input.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [i] -> [j, k] : 0 <= k <= j and j <= i + 3 }")?;
    /// assert_eq!(
    ///     map.dim_max(1, &Budget::unlimited())?.to_string(),
    ///     "{ [i] -> [(3 + i)] : i >= -3 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_max(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        if let Some(constant) = constant_optimum(self, position, -1, budget).during("dim_max")? {
            return Ok(constant);
        }
        Ok(dimension_of(&projected(self, position).lexmax_pw_multi_aff(budget).during("dim_max")?))
    }
}

impl BasicSet {
    /// The minimum of an expression, see [`Set::min_val`].
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Budget, Int, Optimum, Set};
    /// let set = Set::parse("{ [i, j] : i >= 1 and j >= 2i }")?;
    /// let sum = Aff::parse("{ [i, j] -> [(i + j)] }")?;
    /// let least = set.basic_sets()[0].min_val(&sum, &Budget::unlimited())?;
    /// assert_eq!(least, Optimum::At(Int::from(3)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn min_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Set::from_basic_set(self.clone()).min_val(objective, budget).during("min_val")
    }

    /// The maximum of an expression, see [`Set::max_val`].
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Budget, Int, Optimum, Set};
    /// let set = Set::parse("{ [i, j] : i <= 4 and 2j <= i }")?;
    /// let sum = Aff::parse("{ [i, j] -> [(i + j)] }")?;
    /// let greatest = set.basic_sets()[0].max_val(&sum, &Budget::unlimited())?;
    /// assert_eq!(greatest, Optimum::At(Int::from(6)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn max_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Set::from_basic_set(self.clone()).max_val(objective, budget).during("max_val")
    }
}

impl Set {
    /// The least value of a dimension over all points and all parameter values (integer optimum).
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, DimKind, Int, Optimum, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("[n] -> { [i] : n >= 3 and i > 2n }")?;
    /// assert_eq!(set.dim_min_val(DimKind::Out, 0, budget)?, Optimum::At(Int::from(7)));
    /// assert_eq!(
    ///     Set::parse("{ [i] : false }")?.dim_min_val(DimKind::Out, 0, budget)?,
    ///     Optimum::Empty
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_min_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        self.0.dim_min_val(kind, position, budget)
    }

    /// The greatest value of a dimension.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, DimKind, Int, Optimum, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("[n] -> { [i] : 0 <= i < n <= 100 and i mod 8 = 0 }")?;
    /// assert_eq!(set.dim_max_val(DimKind::Out, 0, budget)?, Optimum::At(Int::from(96)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_max_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        self.0.dim_max_val(kind, position, budget)
    }

    /// The minimum of a dimension as a piecewise expression in the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i] : i >= n and i >= 0 }")?;
    /// assert_eq!(
    ///     set.dim_min(0, &Budget::unlimited())?.to_string(),
    ///     "[n] -> { [(n)] : n >= 0; [(0)] : n < 0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn dim_min(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        self.0.dim_min(position, budget)
    }

    /// The maximum of a dimension as a piecewise expression in the parameters.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let set = Set::parse("[n] -> { [i] : i <= n and i <= 10 and i >= 0 }")?;
    /// assert_eq!(
    ///     set.dim_max(0, &Budget::unlimited())?.to_string(),
    ///     "[n] -> { [(n)] : 0 <= n <= 10; [(10)] : n >= 11 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn dim_max(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        self.0.dim_max(position, budget)
    }

    /// The minimum of an expression over all points and parameter values, rounded up if it is not
    /// an integer.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Budget, Int, Optimum, Set};
    /// let set = Set::parse("{ [i, j] : 0 <= i <= j <= 9 }")?;
    /// let difference = Aff::parse("{ [i, j] -> [(i - 2j)] }")?;
    /// assert_eq!(set.min_val(&difference, &Budget::unlimited())?, Optimum::At(Int::from(-18)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn min_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Ok(match expression_minimum(self, objective, 1, budget).during("min_val")? {
            Optimum::At(value) => Optimum::At(value.div_ceil(&objective.denominator)),
            other => other,
        })
    }

    /// The maximum of an expression, rounded down if it is not an integer.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Budget, Int, Optimum, Set};
    /// let set = Set::parse("{ [i] : 0 <= i <= 9 }")?;
    /// let half = Aff::parse("{ [i] -> [(i/2)] }")?;
    /// // 9/2, rounded down.
    /// assert_eq!(set.max_val(&half, &Budget::unlimited())?, Optimum::At(Int::from(4)));
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn max_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Ok(match negated(expression_minimum(self, objective, -1, budget).during("max_val")?) {
            Optimum::At(value) => Optimum::At(value.div_floor(&objective.denominator)),
            other => other,
        })
    }
}
