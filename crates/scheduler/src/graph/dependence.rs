//! Dependences between statements: disjuncts of the relations of the schedule constraints.
use crate::algebra::farkas::Generators;
use crate::algebra::vectors::{Vector, dot};
use crate::graph::statement::Statement;
use crate::problem::constraint_kinds::{ConstraintKinds, TagPair};
use loopwright_presburger::{BasicMap, Budget, Cone, Constraint, Map, Result, Row};

/// One basic relation between the instances of two statements, and what it stands for.
#[derive(Clone, Debug)]
pub(crate) struct Dependence {
    /// The statement of the first elements.
    pub(crate) source: usize,
    /// The statement of the second elements.
    pub(crate) sink: usize,
    /// What the relation stands for.
    pub(crate) kinds: ConstraintKinds,
    /// The tagged tuples, for conditions and conditional validity.
    pub(crate) tags: Option<TagPair>,
    /// The pairs, over `[1 | params | source coordinates | sink coordinates]`.
    pub(crate) generators: Generators,
    /// The pairs that are at the same time so far, over the columns of `relation`.
    cone: Cone,
    /// The original relation.
    relation: BasicMap,
    /// What the members so far, and bounds, add to the relation.
    added: Vec<Constraint>,
    /// The first columns of the dimensions of the two statements.
    offsets: (usize, usize),
}

impl Dependence {
    /// The dependence of a basic relation; none if it is empty. `offsets` are the first columns of
    /// the instances' dimensions in the relation.
    pub(crate) fn new(
        (source, sink): (usize, usize),
        relation: BasicMap,
        offsets: (usize, usize),
        cone: Cone,
        kinds: ConstraintKinds,
        tags: Option<TagPair>,
    ) -> Self {
        let generators = Generators::default();
        let added = Vec::new();
        Dependence { source, sink, kinds, tags, generators, cone, relation, added, offsets }
    }

    /// Whether there is no pair (left).
    ///
    /// A rational point that is an integer vertex settles most cases; otherwise the integer
    /// emptiness test decides.
    pub(crate) fn is_empty(&self, budget: &Budget) -> Result<bool> {
        if self.cone.is_rationally_empty() {
            return Ok(true);
        }
        if self.cone.has_integer_vertex() {
            return Ok(false);
        }
        Map::from_basic_map(self.pairs()).is_empty(budget)
    }

    /// Computes the generators from the cone.
    pub(crate) fn project(&mut self, statements: &[Statement], n_params: usize) -> Result<()> {
        let of = |offset: usize, statement: &Statement| -> Vec<usize> {
            statement.coordinates.iter().map(|&dim| offset + dim).collect()
        };
        let columns: Vec<usize> = (0..1 + n_params)
            .chain(of(self.offsets.0, &statements[self.source]))
            .chain(of(self.offsets.1, &statements[self.sink]))
            .collect();
        let project = |g: &[i64]| columns.iter().map(|&c| i128::from(g[c])).collect();
        self.generators = Generators::of_cone(&self.cone, project)?;
        Ok(())
    }

    /// Whether a member (indexed by statement) puts all pairs at the same time.
    pub(crate) fn is_local(&self, member: &[Vector], n_params: usize) -> bool {
        let all = || self.generators.lines.iter().chain(&self.generators.rays);
        all().all(|generator| self.distance(member, n_params, generator) == 0)
    }

    /// Whether a member (indexed by statement) puts no sink before its source.
    pub(crate) fn is_respected(&self, member: &[Vector], n_params: usize) -> bool {
        let distance = |generator: &Vector| self.distance(member, n_params, generator);
        self.generators.lines.iter().all(|line| distance(line) == 0)
            && self.generators.rays.iter().all(|ray| distance(ray) >= 0)
    }

    /// The distance of a member at a generator.
    fn distance(&self, member: &[Vector], n_params: usize, generator: &[i64]) -> i128 {
        let head = 1 + n_params;
        let (from, to) = (&member[self.source], &member[self.sink]);
        let split = from.len();
        dot(&to[..head], &generator[..head]) + dot(&to[head..], &generator[split..])
            - dot(from, &generator[..split])
    }

    /// The pairs that members (one row over `[1 | params | coordinates]` per statement) leave at
    /// the same time; none if there are no such pairs.
    pub(crate) fn uncarried(
        mut self,
        members: &[Vec<Vector>],
        statements: &[Statement],
        n_params: usize,
        budget: &Budget,
    ) -> Result<Option<Self>> {
        for member in members {
            let row = self.difference(member, statements, n_params);
            self.cone.add_equality(&Row::from_i64s(&row), budget)?;
            self.added.push(Constraint::equality(Row::from_i64s(&row)));
        }
        if self.is_empty(budget)? {
            return Ok(None);
        }
        self.project(statements, n_params)?;
        Ok(Some(self))
    }

    /// The pairs that are left, as a relation.
    pub(crate) fn pairs(&self) -> BasicMap {
        self.relation.add_constraints(self.added.iter().cloned())
    }

    /// The columns of the original relation: more than [`Dependence::pairs`] has, where equalities
    /// have removed existential variables, which come last.
    pub(crate) fn n_columns(&self) -> usize {
        self.relation.n_columns()
    }

    /// The first columns of the dimensions of the two statements.
    pub(crate) fn offsets(&self) -> (usize, usize) {
        self.offsets
    }

    /// Those of the pairs that satisfy further constraints over [`Dependence::n_columns`].
    pub(crate) fn restricted(
        mut self,
        constraints: Vec<Constraint>,
        statements: &[Statement],
        n_params: usize,
        budget: &Budget,
    ) -> Result<Self> {
        for constraint in &constraints {
            match constraint.is_equality {
                true => self.cone.add_equality(&constraint.row, budget)?,
                false => self.cone.add_inequality(&constraint.row, budget)?,
            }
        }
        self.added.extend(constraints);
        self.project(statements, n_params)?;
        Ok(self)
    }

    /// The difference of a member at sink and source over the columns of the relation.
    fn difference(&self, member: &[Vector], statements: &[Statement], n_params: usize) -> Vector {
        let mut row = vec![0; self.relation.n_columns()];
        let ends = [(self.source, self.offsets.0, -1), (self.sink, self.offsets.1, 1)];
        for (statement, offset, sign) in ends {
            let (head, coefficients) = member[statement].split_at(1 + n_params);
            for (entry, &value) in row.iter_mut().zip(head) {
                *entry += sign * value;
            }
            for (&dim, &value) in statements[statement].coordinates.iter().zip(coefficients) {
                row[offset + dim] += sign * value;
            }
        }
        row
    }
}
