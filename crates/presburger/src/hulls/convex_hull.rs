//! Convex hulls of rational polyhedra.
//!
//! # Method
//! An inequality holds on the convex hull of some polyhedra if it holds on each of them. There are
//! two dual ways to all such inequalities; each is small where the other one may explode, so both
//! are tried with growing budgets in turn.
//!
//! * *Multipliers.* By Farkas' lemma the inequalities that hold on a non-empty polyhedron are the
//!   non-negative combinations of its constraints (and `1 >= 0`). So a common inequality is a combination of
//!   the constraints of the first polyhedron that is equal to one of the constraints of the second
//!   one: these pairs of combinations form a cone, whose generators are computed from those of
//!   the cone of all pairs, one column after the other ([`Cone::spanned`]). Good for
//!   boxes, which have few constraints for many vertices.
//! * *Generators.* An inequality holds on the hull if it holds at the vertices, rays and lines of
//!   each polyhedron; these are constraints on its coefficients. Good for few dimensions.
//!
//! Columns that are to disappear (rational projection, which commutes with the hull) need a
//! coefficient zero in the inequalities.
use crate::core::align_locals::over_common_columns;
use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::{BasicRelation, floor_inequalities};
use crate::core::budget::Budget;
use crate::core::error::{During, Result};
use crate::core::map::Map;
use crate::solve::double_description::Cone;
use crate::solve::simplex::Tableau;
use loopwright_exact::{Int, Matrix, Row};

/// The first budget of each method in turn; it is multiplied by [`GROWTH`] in every round.
const FIRST_BUDGET: u64 = 10_000;
const GROWTH: u64 = 4;

/// Constraints over rational columns `[1 | x]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Polyhedron {
    pub(crate) width: usize,
    pub(crate) equalities: Vec<Row>,
    pub(crate) inequalities: Vec<Row>,
}

impl Polyhedron {
    /// The rational relaxation of a basic relation over all its columns.
    pub(crate) fn from_basic_map(basic: &BasicMap) -> Self {
        let mut inequalities = basic.inequalities().to_vec();
        inequalities.extend(floor_inequalities(&basic.inner));
        let equalities = basic.equalities().to_vec();
        Polyhedron { width: basic.n_columns(), equalities, inequalities }
    }

    /// The constraints with those that are implied at rational points left out; implicit
    /// equalities become equalities. None if there is no point.
    pub(crate) fn irredundant(self, budget: &Budget) -> Result<Option<Self>> {
        let mut tableau = Tableau::new(self.width - 1);
        for row in &self.equalities {
            tableau.add_equality(row, budget)?;
        }
        let mut ids = Vec::with_capacity(self.inequalities.len());
        for row in &self.inequalities {
            ids.push(tableau.add_inequality(row, budget)?);
        }
        if tableau.is_empty() {
            return Ok(None);
        }
        let mut equalities = self.equalities;
        let mut inequalities = Vec::new();
        for (id, row) in ids.iter().zip(&self.inequalities) {
            if tableau.fix_if_always_zero(*id, budget)? {
                equalities.push(row.clone());
            }
        }
        for (id, row) in ids.into_iter().zip(self.inequalities) {
            if !tableau.is_fixed(id) && !tableau.remove_if_implied(id, budget)? {
                inequalities.push(row);
            }
        }
        let equalities = independent(equalities, self.width);
        Ok(Some(Polyhedron { equalities, inequalities, width: self.width }))
    }
}

/// A basis of the space that rows span.
fn independent(rows: Vec<Row>, width: usize) -> Vec<Row> {
    let (echelon, pivots) = Matrix::new(rows, width).echelon();
    let mut rows = echelon.into_rows();
    rows.truncate(pivots.len());
    rows
}

/// Combinations of the constraints that do not involve columns from `kept` on.
fn project_by_multipliers(from: &Polyhedron, kept: usize, budget: &Budget) -> Result<Polyhedron> {
    let mut rays = from.inequalities.clone();
    rays.push(Row::unit(from.width, 0));
    let mut cone = Cone::spanned(from.equalities.clone(), rays);
    eliminate(&mut cone, (kept..from.width).collect(), budget)?;
    from_cone(&cone, kept).irredundant_part(budget)
}

/// Makes columns zero, those first that combine the fewest pairs.
fn eliminate(cone: &mut Cone, mut columns: Vec<usize>, budget: &Budget) -> Result<()> {
    while let Some(next) = (0..columns.len()).min_by_key(|&i| cone.n_crossing(columns[i])) {
        let column = columns.swap_remove(next);
        cone.add_equality(&Row::unit(cone.width(), column), budget)?;
    }
    Ok(())
}

/// The polyhedron whose valid inequalities a cone contains, over the first `kept` columns.
fn from_cone(cone: &Cone, kept: usize) -> Polyhedron {
    let value = |row: &Row| {
        let mut row = row.slice(0..kept);
        row.reduce();
        row
    };
    let inequalities = cone.rays().map(value).filter(|row| !is_constant(row)).collect();
    let equalities = cone.lines().iter().map(value).filter(|row| !row.is_zero()).collect();
    Polyhedron { width: kept, equalities, inequalities }
}

fn is_constant(row: &Row) -> bool {
    row.first_nonzero(1..row.len()).is_none()
}

/// The common inequalities of two polyhedra as combinations of the constraints of each.
///
/// A pair of combinations `(a x + b, a' x + b')` is kept as `[b, a, b - b', a - a']`. Once
/// `a = a'` a single pair says that `a x + max(b, b') >= 0` holds on both; combinations of two
/// pairs that make `b = b'` may say more. Pairs with `a = 0` say nothing beyond that.
fn join_by_multipliers(
    left: &Polyhedron,
    right: &Polyhedron,
    budget: &Budget,
) -> Result<Polyhedron> {
    let width = left.width;
    let of_left = |row: &Row| row.iter().chain(row.iter()).collect::<Row>();
    let of_right = |row: &Row| {
        let mut image = row.clone();
        image.negate();
        image.insert_zeros(0, width);
        image
    };
    let one = Row::unit(width, 0);
    let lines = left.equalities.iter().map(of_left).chain(right.equalities.iter().map(of_right));
    let of_left = left.inequalities.iter().chain([&one]).map(of_left);
    let rays = of_left.chain(right.inequalities.iter().chain([&one]).map(of_right));
    let mut cone = Cone::spanned(lines.collect(), rays.collect());
    eliminate(&mut cone, (width + 1..2 * width).collect(), budget)?;
    cone.retain_rays(|row| row.first_nonzero(1..width).is_some());
    let weaker = |row: &Row| {
        let mut weaker = row.slice(0..width);
        if row.sign(width) < 0 {
            weaker.add_at(0, &-row.get(width));
        }
        weaker.reduce();
        weaker
    };
    let opposite = |row: &Row| {
        let mut row = row.clone();
        row.negate();
        row
    };
    let mut pairs: Vec<Row> = cone.rays().cloned().collect();
    pairs.extend(cone.lines().iter().flat_map(|row| [row.clone(), opposite(row)]));
    let single = pairs.iter().filter(|row| !row.is_zero_at(width)).map(weaker);
    let single: Vec<Row> = single.filter(|row| !is_constant(row)).collect();
    cone.add_equality(&Row::unit(2 * width, width), budget)?;
    let mut joined = from_cone(&cone, width);
    joined.inequalities.extend(single);
    joined.irredundant_part(budget)
}

/// The inequalities that hold at the generators of all polyhedra.
fn by_generators(polyhedra: &[&Polyhedron], kept: usize, budget: &Budget) -> Result<Polyhedron> {
    let (mut lines, mut rays) = (Vec::new(), Vec::new());
    for Polyhedron { width, equalities, inequalities } in polyhedra {
        let cone = Cone::polyhedron(*width, equalities, inequalities, budget)?;
        lines.extend(cone.lines().iter().map(|line| line.slice(0..kept)));
        rays.extend(cone.rays().map(|ray| ray.slice(0..kept)));
    }
    valid_at(kept, &lines, &rays, budget)
}

/// The inequalities that hold at generators (homogeneous rows), without redundant ones.
pub(crate) fn valid_at<'a>(
    width: usize,
    lines: &[Row],
    rays: impl IntoIterator<Item = &'a Row>,
    budget: &Budget,
) -> Result<Polyhedron> {
    let mut dual = Cone::universe(width);
    for line in lines {
        dual.add_equality(line, budget)?;
    }
    for ray in rays {
        dual.add_inequality(ray, budget)?;
    }
    Ok(from_cone(&dual, width))
}

/// A way to a polyhedron.
type Method<'a> = &'a dyn Fn(&Budget) -> Result<Polyhedron>;

/// The result of that method which is fast.
fn fastest(methods: [Method<'_>; 2], budget: &Budget) -> Result<Polyhedron> {
    let mut limit = FIRST_BUDGET;
    loop {
        for method in methods {
            let part = budget.part(limit);
            let found = method(&part);
            budget.charge(&part);
            if let Ok(found) = found {
                return Ok(found);
            }
        }
        budget.spend(1, "convex hull")?;
        limit = limit.saturating_mul(GROWTH);
        if limit == u64::MAX {
            return Err(budget.exceeded("convex hull"));
        }
    }
}

impl Polyhedron {
    /// The projection of a polyhedron with points onto the columns before `kept`.
    pub(crate) fn project(self, kept: usize, budget: &Budget) -> Result<Polyhedron> {
        if kept == self.width {
            return Ok(self);
        }
        let multipliers = |budget: &Budget| project_by_multipliers(&self, kept, budget);
        let generators = |budget: &Budget| by_generators(&[&self], kept, budget);
        fastest([&generators, &multipliers], budget)
    }

    /// The convex hull of two polyhedra with points.
    pub(crate) fn join(&self, other: &Polyhedron, budget: &Budget) -> Result<Polyhedron> {
        let multipliers = |budget: &Budget| join_by_multipliers(self, other, budget);
        let generators = |budget: &Budget| by_generators(&[self, other], self.width, budget);
        fastest([&generators, &multipliers], budget)
    }

    /// The irredundant constraints of a polyhedron that has points.
    fn irredundant_part(self, budget: &Budget) -> Result<Self> {
        let empty = Polyhedron::empty(self.width);
        Ok(self.irredundant(budget)?.unwrap_or(empty))
    }

    /// Without points.
    fn empty(width: usize) -> Self {
        let mut row = Row::zeros(width);
        row.set(0, Int::MINUS_ONE);
        Polyhedron { width, equalities: Vec::new(), inequalities: vec![row] }
    }
}

/// The pieces with points, with implicit equalities made explicit.
fn tight_pieces(map: &Map, budget: &Budget) -> Result<Vec<BasicMap>> {
    let mut pieces = Vec::new();
    for basic in &map.basics {
        let basic = basic.detect_equalities(budget)?;
        if !basic.is_empty(budget)? {
            pieces.push(basic);
        }
    }
    Ok(pieces)
}

/// The convex hull of the relaxations; none if there are none.
fn join_all(polyhedra: Vec<Polyhedron>, budget: &Budget) -> Result<Option<Polyhedron>> {
    let mut hull: Option<Polyhedron> = None;
    for polyhedron in polyhedra {
        let Some(polyhedron) = polyhedron.irredundant(budget)? else { continue };
        hull = Some(match hull {
            None => polyhedron,
            Some(hull) => hull.join(&polyhedron, budget)?,
        });
    }
    Ok(hull)
}

impl Map {
    /// The convex hull of the pieces as rational polyhedra.
    ///
    /// Pieces with floors are taken as polyhedra in the space of dimensions and (common) floors.
    /// A single piece is returned as it is, with implicit equalities made explicit.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, Map, Set};
    /// let set = Set::parse("{ [i, j] : i >= 0 and j = 0; [10, 10] }").unwrap();
    /// let hull = set.convex_hull(&Budget::unlimited()).unwrap();
    /// let expected = Set::parse("{ [i, j] : 0 <= j <= 10 and j <= i }").unwrap();
    /// assert!(Set::from_basic_set(hull).is_equal(&expected, &Budget::unlimited()).unwrap());
    /// ```
    ///
    /// *Method.* The source of this module; compare Balas, "Disjunctive programming" (1979), and Fukuda,
    /// Liebling and Lütolf, "Extended convex hull" (Computational Geometry 20, 2001). *Cost.* The
    /// hull may have exponentially many facets.
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn convex_hull(&self, budget: &Budget) -> Result<BasicMap> {
        let mut pieces =
            tight_pieces(&self.make_locals_explicit(budget).during("convex_hull")?, budget)
                .during("convex_hull")?;
        if pieces.len() < 2 {
            let empty = BasicMap::empty(self.space.clone());
            return pieces.pop().map_or(Ok(empty), |piece| piece.remove_redundancies(budget));
        }
        let (mut columns, constraints) = over_common_columns(&pieces, &self.space);
        let relaxed = constraints.iter().map(|own| {
            Polyhedron::from_basic_map(&BasicMap::from_normal_data(own.system(&columns)))
        });
        if let Some(hull) = join_all(relaxed.collect(), budget).during("convex_hull")? {
            columns.equalities = hull.equalities;
            columns.inequalities = hull.inequalities;
        }
        Ok(BasicMap::from_data(columns))
    }

    /// The convex hull of the pieces as rational polyhedra over parameters and dimensions alone:
    /// one basic relation without existentials.
    ///
    /// *Method.* Floors and existentials are projected out rationally, see
    /// [`Map::convex_hull`].
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let map = Map::parse("{ [0] -> [0]; [4] -> [8]; [4] -> [0] }")?;
    /// let hull = map.polyhedral_hull(&Budget::unlimited())?;
    /// assert_eq!(
    ///     Map::from_basic_map(hull).to_string(),
    ///     "{ [i0] -> [o0] : i0 <= 4 and 0 <= o0 <= 2i0 }"
    /// );
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`](crate::Error::Exceeded).
    pub fn polyhedral_hull(&self, budget: &Budget) -> Result<BasicMap> {
        let kept = 1 + self.space.n_all();
        let mut projected = Vec::new();
        for piece in tight_pieces(self, budget).during("polyhedral_hull")? {
            if let Some(piece) =
                Polyhedron::from_basic_map(&piece).irredundant(budget).during("polyhedral_hull")?
            {
                projected.push(piece.project(kept, budget).during("polyhedral_hull")?);
            }
        }
        let Some(hull) = join_all(projected, budget).during("polyhedral_hull")? else {
            return Ok(BasicMap::empty(self.space.clone()));
        };
        let mut data = BasicRelation::new(self.space.clone(), Vec::new());
        data.equalities = hull.equalities;
        data.inequalities = hull.inequalities;
        Ok(BasicMap::from_data(data))
    }
}
