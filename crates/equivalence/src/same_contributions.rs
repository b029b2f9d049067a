//! Whether two sums add up the same: a bijection between their contributions.
//!
//! # Method
//! Both values are taken apart ([`crate::contributions`]). Which contribution of one sum may be equal to
//! which of the other is read off what they are: the same operators on the same elements from before, as far
//! as a few steps back show. If that leaves each contribution exactly one partner, for all instances of the
//! question, the sums are equal if partners are, and that is asked of the proof. Nothing is lost where a
//! guess is too narrow or too wide: then there is no bijection, or what is asked is refuted.
//!
//! For the check, instances of the question are symbolic constants: contributions are sets then, and partners
//! a relation between sets, so that "one to one" is what it is without a question around.
use crate::contributions::{Contribution, Contributions, KnownReads};
use crate::laws::Laws;
use crate::obligation::{Point, Step, ways};
use crate::program::Program;
use crate::value::{NodeId, NodeKind, Operator};
use loopwright_presburger::{Budget, DimKind, Map, Name, Result, Set, Space};
use rustc_hash::FxHashMap;

/// How many steps back partners are compared.
const DEPTH: usize = 6;

/// Two contributions that are equal if the sums are, with the steps from instances of the question to
/// instances of them.
pub(crate) struct Partners {
    pub(crate) points: (Point, Point),
    pub(crate) relation: Map,
    pub(crate) steps: [Map; 2],
}

/// What came of a comparison of two sums.
pub(crate) enum Compared {
    /// Each contribution has one partner.
    Partners(Vec<Partners>),
    /// For some of these symbolic constants there is one that seems to have none.
    Alone(Set),
    /// Contributions or partners are not known.
    Unknown,
}

/// Two programs whose sums are compared.
pub(crate) struct Sums<'a> {
    pub(crate) programs: [&'a Program; 2],
    /// `A[x] -> B[y]`: elements that hold the same before, by arrays.
    pub(crate) equal_before: &'a FxHashMap<(usize, usize), Map>,
    pub(crate) laws: &'a Laws,
    pub(crate) budget: &'a Budget,
}

/// Contributions to one sum for the instances of a question.
pub(crate) struct Parts {
    pub(crate) all: Vec<Contribution>,
    /// Of each, the index as a set over the symbolic constants and the instances of the question.
    pub(crate) sets: Vec<Set>,
}

impl<'a> Sums<'a> {
    /// An operator of a law by which one of the points is a sum: that of an operation, or of an element that
    /// such operations write.
    pub(crate) fn operator(&self, points: (Point, Point)) -> Option<Operator> {
        [points.0, points.1].into_iter().zip(self.programs).find_map(|(point, program)| {
            let Point::Node(node) = point else { return None };
            let of = |node: NodeId| match program.kind(node) {
                // Partial sums are in variables of their own: of a type that is not known nothing is said.
                NodeKind::Operation(own, _) if self.laws.hold_for(own) => {
                    own.value_type.is_some().then(|| own.clone())
                }
                _ => None,
            };
            match program.kind(node) {
                NodeKind::Read(read) => {
                    let mut sources = program.sources_of(*read).definitions.iter();
                    sources.find_map(|(at, _)| of(program.definitions[*at].value))
                }
                _ => of(node),
            }
        })
    }

    /// Partners of all contributions to the values at two points, if each has one.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn partners(
        &self,
        points: (Point, Point),
        relation: &Map,
        operator: &Operator,
        known: &mut [KnownReads; 2],
    ) -> Result<Compared> {
        let question = Question::of(relation);
        let points = [points.0, points.1];
        let instances = [relation.domain(), relation.range()];
        let mut parts = Vec::new();
        for side in [0, 1] {
            let mut contributions = Contributions {
                program: self.programs[side],
                operator,
                known: &mut known[side],
                budget: self.budget,
            };
            let Some(all) = contributions.of(points[side], Map::identity_on(&instances[side]))?
            else {
                return Ok(Compared::Unknown);
            };
            parts.push(Parts { sets: question.sets(side, &all, self.budget)?, all });
        }
        let [first, second] = &parts[..] else { return Ok(Compared::Unknown) };
        match operator.is_idempotent() {
            true => self.counted(operator, &question, [first, second]),
            false => self.matched(operator, &question, [first, second]),
        }
    }

    /// Gives each contribution of the first sum partners of the second, one pair of places after the other:
    /// what has a partner is not looked at again.
    fn matched(
        &self,
        operator: &Operator,
        question: &Question,
        [first, second]: [&Parts; 2],
    ) -> Result<Compared> {
        let mut found = Vec::new();
        let mut left = second.sets.clone();
        for (own, set) in first.all.iter().zip(&first.sets) {
            let mut rest = set.clone();
            for (other, left) in second.all.iter().zip(&mut left) {
                if rest.is_empty(self.budget)? {
                    break;
                }
                let pairs = self.pairs([own, other])?.align_params(&question.space);
                let pairs = pairs.intersect_domain_within(&rest, self.budget)?;
                let pairs = pairs.intersect_range_within(left, self.budget)?;
                if pairs.is_empty(self.budget)? {
                    continue;
                }
                let is_one_to_one =
                    pairs.is_single_valued(self.budget)? && pairs.is_injective(self.budget)?;
                if !is_one_to_one {
                    return self.counted(operator, question, [first, second]);
                }
                rest = rest.subtract(&pairs.domain(), self.budget)?;
                *left = left.subtract(&pairs.range(), self.budget)?;
                found.push(question.asked(pairs, [own, other], self.budget)?);
            }
            if !rest.is_empty(self.budget)? {
                return Ok(Compared::Alone(question.constants(&rest)));
            }
        }
        for left in left {
            if !left.is_empty(self.budget)? {
                return Ok(Compared::Alone(question.constants(&left)));
            }
        }
        Ok(Compared::Partners(found))
    }

    /// The pairs of indices of two places whose values may be equal.
    pub(crate) fn pairs(&self, [own, other]: [&Contribution; 2]) -> Result<Map> {
        let values = [own, other].map(|part| part.at.range());
        let all = Map::from_domain_and_range_within(&values[0], &values[1], self.budget)?;
        let alike = self.alike((own.point, other.point), &all, DEPTH)?;
        let pairs = own.at.apply_range_within(&alike, self.budget)?;
        pairs.apply_range_within(&other.at.reverse(), self.budget)?.coalesce(self.budget)
    }

    /// The pairs of a relation whose values are not plainly different, looking back some steps.
    fn alike(&self, (a, b): (Point, Point), relation: &Map, depth: usize) -> Result<Map> {
        if depth == 0 || relation.is_empty(self.budget)? {
            return Ok(relation.clone());
        }
        if let Some(ways) = ways(self.programs[0], a, self.budget)? {
            let mut alike = Map::empty(relation.space().clone());
            for way in ways {
                let further = way.step.after_first(relation, self.budget)?;
                let own = self.alike((way.to, b), &further, depth - 1)?;
                let own = match &way.step {
                    Step::By(map) => map.apply_range_within(&own, self.budget)?,
                    Step::On(_) | Step::Stay => own,
                };
                alike = alike.union(&own)?;
            }
            return alike.intersect_within(relation, self.budget);
        }
        if let Some(ways) = ways(self.programs[1], b, self.budget)? {
            let mut alike = Map::empty(relation.space().clone());
            for way in ways {
                let further = way.step.after_second(relation, self.budget)?;
                let own = self.alike((a, way.to), &further, depth - 1)?;
                let own = match &way.step {
                    Step::By(map) => own.apply_range_within(&map.reverse(), self.budget)?,
                    Step::On(_) | Step::Stay => own,
                };
                alike = alike.union(&own)?;
            }
            return alike.intersect_within(relation, self.budget);
        }
        self.alike_values((a, b), relation, depth)
    }

    /// The same for points from which there is no step back.
    fn alike_values(&self, points: (Point, Point), relation: &Map, depth: usize) -> Result<Map> {
        let none = || Ok(Map::empty(relation.space().clone()));
        let (x, y) = match points {
            (Point::Before(a), Point::Before(b)) => {
                let equal = self.equal_before.get(&(a.0 as usize, b.0 as usize));
                return equal.map_or_else(none, |own| relation.intersect_within(own, self.budget));
            }
            (Point::Node(x), Point::Node(y)) => (x, y),
            _ => return none(),
        };
        match (self.programs[0].kind(x), self.programs[1].kind(y)) {
            (NodeKind::Integer(x), NodeKind::Integer(y)) => {
                let equal = x.to_map().apply_range_within(&y.to_map().reverse(), self.budget)?;
                relation.intersect_within(&equal, self.budget)
            }
            (NodeKind::Operation(f, operands), NodeKind::Operation(g, others))
                if f == g && operands.len() == others.len() =>
            {
                let in_order = self.alike_operands(operands, others.iter(), relation, depth)?;
                if operands.len() != 2 || !self.laws.hold_for(f) {
                    return Ok(in_order);
                }
                let swapped =
                    self.alike_operands(operands, others.iter().rev(), relation, depth)?;
                in_order.union(&swapped)
            }
            _ => none(),
        }
    }

    fn alike_operands<'n>(
        &self,
        operands: &[NodeId],
        others: impl Iterator<Item = &'n NodeId>,
        relation: &Map,
        depth: usize,
    ) -> Result<Map> {
        let mut alike = relation.clone();
        for (x, y) in operands.iter().zip(others) {
            alike = self.alike((Point::Node(*x), Point::Node(*y)), &alike, depth - 1)?;
        }
        Ok(alike)
    }
}

/// The pairs of instances that are asked about, as symbolic constants behind those of the programs.
pub(crate) struct Question {
    pub(crate) space: Space,
    n_params: usize,
    /// How many of the further ones the instances of both programs have.
    n_dims: [usize; 2],
    pairs: Set,
}

impl Question {
    fn of(relation: &Map) -> Question {
        let n_params = relation.n(DimKind::Param);
        let n_dims = [DimKind::In, DimKind::Out].map(|kind| relation.n(kind));
        let mut names: Vec<Name> = relation.space().param_names().to_vec();
        for (side, n) in ["first", "second"].into_iter().zip(n_dims) {
            names.extend((0..n).map(|at| Name::from(format!("{side} {at}"))));
        }
        let space = Space::params(&names);
        let mut pairs = relation.align_params(&space);
        for at in 0..n_dims[0] {
            pairs = pairs.equate(DimKind::Param, n_params + at, DimKind::In, at);
        }
        for at in 0..n_dims[1] {
            let own = n_params + n_dims[0] + at;
            pairs = pairs.equate(DimKind::Param, own, DimKind::Out, at);
        }
        Question { space, n_params, n_dims, pairs: pairs.params() }
    }

    /// The indices of contributions.
    fn sets(&self, side: usize, all: &[Contribution], budget: &Budget) -> Result<Vec<Set>> {
        let first = self.n_params + if side == 0 { 0 } else { self.n_dims[0] };
        let set = |own: &Contribution| {
            let mut index = own.index.align_params(&self.space);
            for at in 0..self.n_dims[side] {
                index = index.equate(DimKind::Param, first + at, DimKind::In, at);
            }
            index.intersect_params_within(&self.pairs, budget)?.range().coalesce(budget)
        };
        all.iter().map(set).collect()
    }

    /// The symbolic constants of the programs for which a set of indices has points.
    pub(crate) fn constants(&self, set: &Set) -> Set {
        let n = self.n_dims[0] + self.n_dims[1];
        set.params().project_out(DimKind::Param, self.n_params, n)
    }

    /// What is to be shown of pairs of indices.
    pub(crate) fn asked(
        &self,
        pairs: Map,
        [own, other]: [&Contribution; 2],
        budget: &Budget,
    ) -> Result<Partners> {
        let n = self.n_dims[0] + self.n_dims[1];
        let pairs = pairs.project_out(DimKind::Param, self.n_params, n);
        let relation = own.at.reverse().apply_range_within(&pairs, budget)?;
        let relation = relation.apply_range_within(&other.at, budget)?.coalesce(budget)?;
        let step = |part: &Contribution| part.index.apply_range_within(&part.at, budget);
        Ok(Partners {
            points: (own.point, other.point),
            relation,
            steps: [step(own)?, step(other)?],
        })
    }
}
