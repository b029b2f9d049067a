//! The cones dual to polyhedra by Farkas' lemma.
//!
//! An affine form `c0 + c p + d x` is not negative on a polyhedron if and only if it is not negative
//! at its vertices and rays, and zero along its lines. So each generator of the polyhedron
//! is a constraint on the coefficients `(c0, c, d)`, and conversely.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::{During, Error, Result};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::{Name, Tuple};
use crate::core::union_set::UnionSet;
use crate::hulls::generators::Generators;
use loopwright_exact::Row;

const PREFIX: &str = "c_";

/// The dual of a cone of homogeneous generators: one constraint for each.
fn dual(space: Space, generators: &Generators) -> BasicSet {
    let mut data = BasicRelation::new(space, Vec::new());
    let coefficients = |row: &Row| {
        let mut row = row.clone();
        row.insert_zeros(0, 1);
        row
    };
    data.equalities = generators.lines.iter().map(coefficients).collect();
    let rays = generators.vertices.iter().chain(&generators.rays);
    data.inequalities = rays.map(coefficients).collect();
    BasicSet::from_basic_map(BasicMap::from_data(data))
}

/// The space `coefficients[[c_cst, parameters] -> S[dimensions]]`.
fn coefficient_space(space: &Space) -> Result<Space> {
    let Some(tuple) = space.output() else {
        let reason = format!("{space} has no tuple");
        return Err(Error::Invalid { operation: "coefficients", reason });
    };
    let named = |name: &Option<Name>| name.as_ref().map(|name| format!("{PREFIX}{name}").into());
    let mut heads: Vec<Option<Name>> = vec![Some(format!("{PREFIX}cst").into())];
    heads.extend(space.param_names().iter().map(|name| named(&Some(name.clone()))));
    let dims: Vec<Option<Name>> = tuple.dim_names().iter().map(named).collect();
    let head = Tuple::anonymous(heads.len()).with_dim_names(&heads);
    let nested = Tuple::nested(head, tuple.clone().with_dim_names(&dims));
    Ok(Space::set(&[], nested.with_name(Some("coefficients".into()))))
}

/// The space whose coefficients a space holds.
fn solution_space(space: &Space) -> Result<Space> {
    let nested = space.output().and_then(Tuple::as_nested);
    let Some((head, tuple)) =
        nested.filter(|(head, _)| head.n_dims() > 0 && space.n(DimKind::Param) == 0)
    else {
        let reason = format!("{space} is not a space of coefficients");
        return Err(Error::Invalid { operation: "solutions", reason });
    };
    let original = |name: &Option<Name>| {
        name.as_ref().map(|name| Name::from(name.strip_prefix(PREFIX).unwrap_or(name)))
    };
    let parameter = |(i, name): (usize, &Option<Name>)| {
        original(name).unwrap_or_else(|| format!("p{i}").into())
    };
    let params: Vec<Name> = head.dim_names()[1..].iter().enumerate().map(parameter).collect();
    let dims: Vec<Option<Name>> = tuple.dim_names().iter().map(original).collect();
    Ok(Space::set(&params, tuple.clone().with_dim_names(&dims)))
}

impl Set {
    /// The coefficients `coefficients[[c_cst, c_n] -> S[c_i]]` of all affine forms
    /// `c_cst + c_n n + c_i i` that are not negative on the set.
    ///
    /// The set counts as its polyhedral hull; all affine forms are valid on an empty set.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Set};
    /// let budget = Budget::unlimited();
    /// let set = Set::parse("[n] -> { S[i] : 0 <= i <= n }")?;
    /// let forms = set.coefficients(&budget)?;
    /// let expected = "{ coefficients[[c0, cn] -> S[ci]] : c0 >= 0 and cn >= 0 and ci + cn >= 0 }";
    /// assert!(Set::from_basic_set(forms.clone()).is_equal(&Set::parse(expected)?, &budget)?);
    /// assert!(Set::from_basic_set(forms.solutions(&budget)?).is_equal(&set, &budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of [`Map::polyhedral_hull`] and [`BasicMap::generators`].
    ///
    /// # Errors
    /// [`Error::Invalid`] for a set of parameters, [`Error::Exceeded`].
    pub fn coefficients(&self, budget: &Budget) -> Result<BasicSet> {
        let space = coefficient_space(self.space())?;
        let hull = self.polyhedral_hull(budget).during("coefficients")?;
        Ok(dual(space, &hull.generators(budget).during("coefficients")?))
    }

    /// The points at which all affine forms with coefficients in the set are not negative: the
    /// inverse of [`Set::coefficients`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// // c0 >= 0, and c0 + 3 ci >= 0: the forms that are not negative at 0 and 3.
    /// let forms = Set::parse("{ coefficients[[c0] -> S[ci]] : c0 >= 0 and c0 + 3ci >= 0 }")?;
    /// let set = Set::from_basic_set(forms.solutions(budget)?);
    /// assert!(set.is_equal(&Set::parse("{ S[i] : 0 <= i <= 3 }")?, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Invalid`] if the space is not one of coefficients, [`Error::Exceeded`].
    pub fn solutions(&self, budget: &Budget) -> Result<BasicSet> {
        let space = solution_space(self.space())?;
        let generators = self
            .polyhedral_hull(budget)
            .during("solutions")?
            .generators(budget)
            .during("solutions")?;
        // Drops the denominators: only directions count.
        let direction = |row: &Row| row.slice(1..row.len());
        let forms = |rows: &[Row]| rows.iter().map(direction).collect::<Vec<Row>>();
        let mut data = BasicRelation::new(space, Vec::new());
        data.equalities = forms(&generators.lines);
        data.inequalities = forms(&generators.vertices);
        data.inequalities.extend(forms(&generators.rays));
        Ok(BasicSet::from_basic_map(BasicMap::from_data(data)))
    }
}

impl BasicSet {
    /// The coefficients of all affine forms that are not negative on the set, see
    /// [`Set::coefficients`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("{ S[i] : i >= 2 }")?;
    /// let forms = Set::from_basic_set(set.basic_sets()[0].coefficients(budget)?);
    /// let expected = Set::parse("{ coefficients[[c0] -> S[ci]] : ci >= 0 and c0 + 2ci >= 0 }")?;
    /// assert!(forms.is_equal(&expected, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::coefficients`].
    pub fn coefficients(&self, budget: &Budget) -> Result<BasicSet> {
        Set::from_basic_set(self.clone()).coefficients(budget).during("coefficients")
    }

    /// The points at which all affine forms with coefficients in the set are not negative, see
    /// [`Set::solutions`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// let set = Set::parse("[n] -> { S[i] : i >= n }")?;
    /// let forms = set.basic_sets()[0].coefficients(budget)?;
    /// assert!(Set::from_basic_set(forms.solutions(budget)?).is_equal(&set, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::solutions`].
    pub fn solutions(&self, budget: &Budget) -> Result<BasicSet> {
        Set::from_basic_set(self.clone()).solutions(budget).during("solutions")
    }
}

impl UnionSet {
    /// The coefficients of affine forms for each space, see [`Set::coefficients`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let set = UnionSet::parse("{ S[i] : i >= 0; T[] }")?;
    /// let forms = set.coefficients(&Budget::unlimited())?;
    /// let expected =
    ///     "{ coefficients[[c] -> S[d]] : c, d >= 0; coefficients[[c] -> T[]] : c >= 0 }";
    /// assert!(forms.is_equal(&UnionSet::parse(expected)?, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::coefficients`].
    pub fn coefficients(&self, budget: &Budget) -> Result<UnionSet> {
        // The coefficients of all parameters are wanted in each space.
        let each = |map: &Map| Ok(Set(map.clone()).coefficients(budget)?.into());
        let sets: Vec<Set> = self.0.maps.iter().map(each).collect::<Result<_>>()?;
        Ok(UnionSet::from_sets(&Space::params(&[]), sets))
    }

    /// The points for each space of coefficients, see [`Set::solutions`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, UnionSet};
    /// let budget = &Budget::unlimited();
    /// let set = UnionSet::parse("{ S[i] : i >= 0; T[j] : 0 <= j <= 5 }")?;
    /// assert!(set.coefficients(budget)?.solutions(budget)?.is_equal(&set, budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Set::solutions`].
    pub fn solutions(&self, budget: &Budget) -> Result<UnionSet> {
        let each = |map: &Map| Ok(Set(map.clone()).solutions(budget)?.into());
        let sets: Vec<Set> = self.0.maps.iter().map(each).collect::<Result<_>>()?;
        Ok(UnionSet::from_sets(&Space::params(&[]), sets))
    }
}
