//! Polyhedra by their generators: vertices, rays and lines.
use crate::basic_map::BasicData;
use crate::convex_hull::{Polyhedron, valid_at};
use crate::double_description::Cone;
use crate::*;

/// The generators of a rational polyhedron: every point is a convex combination of vertices plus a
/// non-negative combination of rays plus any combination of lines.
///
/// Parameters are coordinates like all others. No generator is redundant (modulo the lines).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Generators {
    /// Points as rows `[denominator | parameters | dimensions]`, in lowest terms.
    pub vertices: Vec<Row>,
    /// Directions as rows `[0 | parameters | dimensions]`.
    pub rays: Vec<Row>,
    /// Directions that are free in both senses, as rows `[0 | parameters | dimensions]`.
    pub lines: Vec<Row>,
}

impl BasicMap {
    /// The generators of the rational relaxation over parameters, input and output; none at all
    /// if it is empty.
    ///
    /// ```
    /// use loopwright_presburger::{BasicSet, Budget, Row, Set};
    /// let set = Set::parse("{ [i, j] : 0 <= 2i <= 3 and j >= i }").unwrap();
    /// let basic = &set.basic_sets()[0];
    /// let generators = basic.generators(&Budget::unlimited()).unwrap();
    /// // 2 i <= 3 has been tightened to i <= 1.
    /// assert_eq!(generators.vertices, [[1, 0, 0], [1, 1, 1]].map(|row| Row::from_i64s(&row)));
    /// assert_eq!(generators.rays, [Row::from_i64s(&[0, 0, 1])]);
    /// assert!(generators.lines.is_empty());
    /// ```
    ///
    /// *Method.* The double description method ([`Cone`]), after existentials have been projected
    /// out. *Cost.* A polyhedron may have exponentially many vertices.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn generators(&self, budget: &Budget) -> Result<Generators> {
        let mut generators = Generators::default();
        let relaxed = Polyhedron::from_basic_map(self).irredundant(budget).during("generators")?;
        let Some(relaxed) = relaxed.filter(|_| !self.plain_is_empty()) else {
            return Ok(generators);
        };
        let Polyhedron { width, equalities, inequalities } =
            relaxed.project(self.offset(DimKind::Local), budget).during("generators")?;
        let cone =
            Cone::polyhedron(width, &equalities, &inequalities, budget).during("generators")?;
        let (rays, vertices) = cone.rays().cloned().partition(|row| row.is_zero_at(0));
        (generators.rays, generators.vertices) = (rays, vertices);
        generators.lines = cone.lines().to_vec();
        Ok(generators)
    }

    /// The integer points of the polyhedron with the given generators (rows over the columns of
    /// `space` without existentials), which need not be irredundant.
    ///
    /// Without vertices there are no points.
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    ///
    /// # Panics
    /// If a row has the wrong length.
    pub fn from_generators(
        space: Space,
        generators: &Generators,
        budget: &Budget,
    ) -> Result<BasicMap> {
        if generators.vertices.is_empty() {
            return Ok(BasicMap::empty(space));
        }
        let rays = generators.vertices.iter().chain(&generators.rays);
        let valid = valid_at(1 + space.n_all(), &generators.lines, rays, budget)
            .during("from_generators")?;
        let mut data = BasicData::new(space, Vec::new());
        data.equalities = valid.equalities;
        data.inequalities = valid.inequalities;
        Ok(BasicMap::from_data(data))
    }
}

impl BasicSet {
    /// The generators of the rational relaxation, see [`BasicMap::generators`].
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn generators(&self, budget: &Budget) -> Result<Generators> {
        self.0.generators(budget)
    }

    /// The integer points of a polyhedron, see [`BasicMap::from_generators`].
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    ///
    /// # Panics
    /// If a row has the wrong length, or if the space is one of relations.
    pub fn from_generators(
        space: Space,
        generators: &Generators,
        budget: &Budget,
    ) -> Result<BasicSet> {
        BasicMap::from_generators(space, generators, budget)
            .map(BasicSet::from_basic_map)
            .during("from_generators")
    }
}
