//! Optimal values of dimensions and expressions.
//!
//! The optimum over a union is the best one of the pieces. The optimum of a dimension as a function
//! of the parameters is the lexicographic minimum of the projection onto it.
use crate::basic_map::BasicData;
use crate::common_columns::adopt;
use crate::*;

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
    let mut minimum = Optimum::Empty;
    for basic in &map.basics {
        let mut form = Row::zeros(basic.n_columns());
        form.set(basic.offset(kind) + position, Int::from(sign));
        minimum = least(minimum, basic.minimum(&form, budget)?);
    }
    Ok(minimum)
}

impl Map {
    /// The least value of a dimension over all points and all parameter values (integer optimum).
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn dim_min_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        dimension_minimum(self, kind, position, 1, budget).during("dim_min_val")
    }

    /// The greatest value of a dimension.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn dim_max_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        dimension_minimum(self, kind, position, -1, budget).map(negated).during("dim_max_val")
    }
}

/// The numerator of `objective` (times `sign`) over the columns of `base`, whose locals it joins.
fn objective_row(base: &mut BasicData, objective: &Aff, sign: i64) -> Row {
    let mut holder = BasicData::new(objective.space.clone(), objective.locals.clone());
    holder.inequalities.push(objective.row.clone());
    let mut row = adopt(base, &holder).inequalities.swap_remove(0);
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
        let mut data = BasicData::clone(&basic.inner);
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

impl Map {
    /// The minimum of an output dimension as a piecewise expression in parameters and input.
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_min(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        Ok(dimension_of(&projected(self, position).lexmin_pw_multi_aff(budget).during("dim_min")?))
    }

    /// The maximum of an output dimension as a piecewise expression in parameters and input.
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    ///
    /// # Panics
    /// If there is no such dimension.
    pub fn dim_max(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        Ok(dimension_of(&projected(self, position).lexmax_pw_multi_aff(budget).during("dim_max")?))
    }
}

impl BasicSet {
    /// The minimum of an expression, see [`Set::min_val`].
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn min_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Set::from_basic_set(self.clone()).min_val(objective, budget).during("min_val")
    }

    /// The maximum of an expression, see [`Set::max_val`].
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn max_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Set::from_basic_set(self.clone()).max_val(objective, budget).during("max_val")
    }
}

impl Set {
    /// The least value of a dimension over all points and all parameter values (integer optimum).
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn dim_min_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        self.0.dim_min_val(kind, position, budget)
    }

    /// The greatest value of a dimension.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn dim_max_val(&self, kind: DimKind, position: usize, budget: &Budget) -> Result<Optimum> {
        self.0.dim_max_val(kind, position, budget)
    }

    /// The minimum of a dimension as a piecewise expression in the parameters.
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn dim_min(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        self.0.dim_min(position, budget)
    }

    /// The maximum of a dimension as a piecewise expression in the parameters.
    ///
    /// # Errors
    /// As for [`Map::lexmin`].
    pub fn dim_max(&self, position: usize, budget: &Budget) -> Result<PwAff> {
        self.0.dim_max(position, budget)
    }

    /// The minimum of an expression over all points and parameter values, rounded up if it is not
    /// an integer.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn min_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Ok(match expression_minimum(self, objective, 1, budget).during("min_val")? {
            Optimum::At(value) => Optimum::At(value.div_ceil(&objective.denominator)),
            other => other,
        })
    }

    /// The maximum of an expression, rounded down if it is not an integer.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn max_val(&self, objective: &Aff, budget: &Budget) -> Result<Optimum> {
        Ok(match negated(expression_minimum(self, objective, -1, budget).during("max_val")?) {
            Optimum::At(value) => Optimum::At(value.div_floor(&objective.denominator)),
            other => other,
        })
    }
}
