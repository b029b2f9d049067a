//! Bounds of distances that hold for integers only.
//!
//! The scheduler sees the rational relaxation of a dependence ("Scheduling for PPCG", section 6.3).
//! Where existential variables are involved, it may contain pairs in the wrong order although no
//! integer pair is: `i' = i + 3k` and `2i' >= i + 3` with `i <= 4` allow `i' = i - 1/2`. Then no
//! affine function respects the relaxation, and some may respect the dependence. Here a dependence
//! is cut into pieces by the first dimension in which its two ends differ, each with the integer
//! bound of that distance.
use crate::graph::Graph;
use crate::graph::dependence::Dependence;
use crate::graph::statement::Statement;
use crate::graph::subgraph::Subgraph;
use crate::problem::constraint_kinds::ConstraintKinds;
use loopwright_presburger::{BasicMap, Budget, Constraint, DimKind, Int, Optimum, Result, Row};

impl Dependence {
    /// The same pairs in pieces, by the first dimension in which the ends of a piece differ always
    /// in the same direction.
    ///
    /// # Errors
    /// The budget is exceeded.
    pub(crate) fn with_integer_distances(
        &self,
        statements: &[Statement],
        n_params: usize,
        budget: &Budget,
    ) -> Result<Vec<Self>> {
        let relation = self.pairs();
        let n = relation.n(DimKind::In).min(relation.n(DimKind::Out));
        let mut pieces = Vec::new();
        DistanceCut { offsets: self.offsets(), n, budget }.split(
            &relation,
            0,
            Vec::new(),
            &mut pieces,
        )?;
        let restricted = |bounds: Vec<Bound>| {
            let row = |bound: &Bound| bound.row(self.offsets(), self.n_columns());
            let bounds = bounds.iter().map(row).collect();
            self.clone().restricted(bounds, statements, n_params, budget)
        };
        pieces.into_iter().map(restricted).collect()
    }
}

/// What is said about the distance in one dimension.
#[derive(Clone, Debug)]
struct Bound {
    dimension: usize,
    /// Whether it is the distance from sink to source.
    backward: bool,
    /// The distance, or its least value.
    value: Int,
    is_equality: bool,
}

impl Bound {
    /// As a constraint over some columns, of which those of the two ends start at `offsets`.
    fn row(&self, (source, sink): (usize, usize), width: usize) -> Constraint {
        let sign = if self.backward { -1 } else { 1 };
        let mut row = Row::zeros(width);
        row.set(0, -&self.value);
        row.set(source + self.dimension, Int::from(-sign));
        row.set(sink + self.dimension, Int::from(sign));
        Constraint { is_equality: self.is_equality, row }
    }
}

struct DistanceCut<'a> {
    offsets: (usize, usize),
    /// The number of dimensions that both ends have.
    n: usize,
    budget: &'a Budget,
}

impl DistanceCut<'_> {
    /// What has to be added to a relation for each of its pieces.
    fn split(
        &self,
        relation: &BasicMap,
        dimension: usize,
        added: Vec<Bound>,
        pieces: &mut Vec<Vec<Bound>>,
    ) -> Result<()> {
        if dimension == self.n {
            pieces.push(added);
            return Ok(());
        }
        let with = |bound: &Bound| [added.as_slice(), std::slice::from_ref(bound)].concat();
        for backward in [false, true] {
            let bound = Bound { dimension, backward, value: Int::ZERO, is_equality: false };
            let Optimum::At(least) = self.least(relation, &bound)? else { continue };
            if least.is_positive() {
                pieces.push(with(&Bound { value: least, ..bound }));
                return Ok(());
            }
            if least.is_zero() {
                let beyond = Bound { value: Int::ONE, ..bound.clone() };
                let apart = self.restricted(relation, &beyond);
                if self.least(&apart, &beyond)? != Optimum::Empty {
                    pieces.push(with(&beyond));
                }
                let equal = Bound { is_equality: true, ..bound };
                let together = self.restricted(relation, &equal);
                return self.split(&together, dimension + 1, with(&equal), pieces);
            }
        }
        self.split(relation, dimension + 1, added, pieces)
    }

    /// The least distance in the dimension and the direction of a bound.
    fn least(&self, relation: &BasicMap, bound: &Bound) -> Result<Optimum> {
        let distance = Bound { value: Int::ZERO, ..bound.clone() };
        relation.minimum(&distance.row(self.offsets, relation.n_columns()).row, self.budget)
    }

    fn restricted(&self, relation: &BasicMap, bound: &Bound) -> BasicMap {
        relation.add_constraints([bound.row(self.offsets, relation.n_columns())])
    }
}

impl Subgraph {
    /// The same with every dependence that orders instances cut by its distances.
    ///
    /// # Errors
    /// The budget is exceeded.
    pub(crate) fn with_integer_distances(&self, graph: &Graph, budget: &Budget) -> Result<Self> {
        let mut part = Subgraph { dependences: Vec::new(), ..self.clone() };
        for dependence in &self.dependences {
            match dependence.kinds.any(ConstraintKinds::ORDER) {
                true => part.dependences.extend(dependence.with_integer_distances(
                    &graph.statements,
                    graph.n_params,
                    budget,
                )?),
                false => part.dependences.push(dependence.clone()),
            }
        }
        Ok(part)
    }
}
