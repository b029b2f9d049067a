//! Polyhedra by their generators: vertices, rays and lines.
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::basic_set::BasicSet;
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::space::{DimKind, Space};
use crate::hulls::convex_hull::{Polyhedron, valid_at};
use crate::solve::double_description::Cone;
use loopwright_exact::Row;

/// The generators of a rational polyhedron: every point is a convex combination of vertices plus a
/// non-negative combination of rays plus any combination of lines.
///
/// Parameters are coordinates like all others. No generator is redundant (modulo the lines).
///
/// ```
/// # use loopwright_presburger::{BasicSet, Budget, Generators, Row, Set, Space, Tuple};
/// // 2x >= 1 and y free, as rational polyhedron: the vertex 1/2 alone, over [denominator | x | y].
/// let vertex = Generators { vertices: vec![Row::from_i64s(&[2, 1, 0])], ..Generators::default() };
/// let lines = Generators { lines: vec![Row::from_i64s(&[0, 0, 1])], ..vertex };
/// let space = Space::set(&[], Tuple::anonymous(2));
/// let set = BasicSet::from_generators(space, &lines, &Budget::unlimited())?;
/// // No integer point has x = 1/2.
/// assert!(Set::from_basic_set(set).is_empty(&Budget::unlimited())?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
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
    /// [`Error::Exceeded`](crate::Error::Exceeded).
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
    /// ```
    /// # use loopwright_presburger::{BasicMap, Budget, Generators, Map, Row};
    /// let points = [[1, 0, 0], [1, 4, 8]].map(|row| Row::from_i64s(&row));
    /// let generators = Generators { vertices: points.to_vec(), ..Generators::default() };
    /// let space = Map::parse("{ [i] -> [j] }")?.space().clone();
    /// let segment = BasicMap::from_generators(space, &generators, &Budget::unlimited())?;
    /// assert_eq!(Map::from_basic_map(segment).to_string(), "{ [i] -> [j = 2i] : 0 <= i <= 4 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
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
        let mut data = BasicRelation::new(space, Vec::new());
        data.equalities = valid.equalities;
        data.inequalities = valid.inequalities;
        Ok(BasicMap::from_data(data))
    }
}

impl BasicSet {
    /// The generators of the rational relaxation, see [`BasicMap::generators`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Row, Set};
    /// let set = Set::parse("{ [i] : 3 <= i }")?;
    /// let generators = set.basic_sets()[0].generators(&Budget::unlimited())?;
    /// assert_eq!(generators.vertices, [Row::from_i64s(&[1, 3])]);
    /// assert_eq!(generators.rays, [Row::from_i64s(&[0, 1])]);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn generators(&self, budget: &Budget) -> Result<Generators> {
        self.0.generators(budget)
    }

    /// The integer points of a polyhedron, see [`BasicMap::from_generators`].
    ///
    /// ```
    /// # use loopwright_presburger::{BasicSet, Budget, Generators, Row, Set, Space, Tuple};
    /// let vertices = vec![Row::from_i64s(&[1, 3]), Row::from_i64s(&[2, 9])];
    /// let generators = Generators { vertices, ..Generators::default() };
    /// let space = Space::set(&[], Tuple::anonymous(1));
    /// let set = BasicSet::from_generators(space, &generators, &Budget::unlimited())?;
    /// // From 3 to 9/2.
    /// assert_eq!(Set::from_basic_set(set).to_string(), "{ [i0] : 3 <= i0 <= 4 }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
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
