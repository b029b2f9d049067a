//! Proofs of equality for programs that run the same instances in another order.
//!
//! # Method
//! If the instances of the second program correspond to those of the first one to one, with the same operators on the same elements, and all
//! pairs of instances that access one element, of which one writes it, run in the same order in both, then each read sees the same write:
//! the programs are equal. No flow of values of the second program is needed, which is what tiled loops make expensive.
//!
//! Which instance corresponds to which is guessed from executions on symbols ([`crate::fit`]): instances that write the same histories to the
//! same elements. That it is right is proved: on all of the domain, by relations.
use crate::executions::Execution;
use crate::fit::{Sample, affine_fit};
use crate::histories::{Element, TermId};
use crate::implied::without_implied_bounds;
use crate::program::Program;
use crate::value::{Definition, NodeId, NodeKind};
use loopwright_presburger::{Budget, Map, Result, Set};
use loopwright_scop::{AccessKind, ArrayId};
use rustc_hash::FxHashMap;

/// Two programs, of whose arrays some have the same elements.
pub(crate) struct Correspondence<'a> {
    pub(crate) programs: [&'a Program; 2],
    /// `A[x] -> B[x]`, by arrays of the first and the second program.
    pub(crate) arrays: &'a [((ArrayId, ArrayId), Map)],
    pub(crate) budget: &'a Budget,
}

/// A statement of the first program, one of the second, and their instances that correspond, the second's first.
#[derive(Clone, Debug)]
pub(crate) struct Matched {
    pub(crate) statements: [usize; 2],
    pub(crate) instances: Map,
}

/// A statement and the point of one of its instances.
type Instance = (usize, Vec<i64>);

/// The instances of one execution, by what they write, in their order.
type Instances<'e> = FxHashMap<Vec<(&'e Element, TermId)>, Vec<Instance>>;

impl Correspondence<'_> {
    /// How instances of programs with plain memory correspond, if they do one to one and that keeps the order of all dependences; none if that
    /// is not shown.
    ///
    /// # Errors
    /// If the budget runs out.
    pub(crate) fn proved(&self, executions: &[Execution]) -> Result<Option<Vec<Matched>>> {
        let Some(matched) = self.guessed(executions)? else { return Ok(None) };
        let matched = match self.have_same_bodies(&matched)? && self.is_one_to_one(&matched)? {
            true => matched,
            false => return Ok(None),
        };
        Ok(self.keeps_order(&matched)?.then_some(matched))
    }

    /// Whether all that is accessed has the same elements in both programs, and nothing ends its life.
    pub(crate) fn has_plain_memory(&self) -> bool {
        self.programs.iter().enumerate().all(|(side, program)| {
            let statements = self.own_statements(side);
            let reads = program.reads.iter().filter(|own| statements.contains(&own.statement));
            let mut used = reads.map(|own| own.array).chain(
                statements.iter().flat_map(|at| self.definitions(side, *at)).map(|own| own.array),
            );
            let accesses = program.statements.iter().flat_map(|statement| &statement.accesses);
            let mut kills = accesses.filter(|access| access.kind == AccessKind::Kill);
            used.all(|array| self.is_paired(side, array))
                && !kills.any(|own| self.is_paired(side, own.array))
        })
    }

    fn is_paired(&self, side: usize, array: ArrayId) -> bool {
        self.arrays.iter().any(|((a, b), _)| [*a, *b][side] == array)
    }

    /// What a statement writes, but for variables that nothing reads: bounds that texts keep in variables, for example.
    fn definitions(&self, side: usize, statement: usize) -> Vec<&Definition> {
        let program = self.programs[side];
        let own = program.definitions.iter().filter(|own| own.statement == statement);
        own.filter(|own| self.matters(side, own.array)).collect()
    }

    /// Whether what an array holds is a result or is read.
    fn matters(&self, side: usize, array: ArrayId) -> bool {
        let is_read = || self.programs[side].reads.iter().any(|read| read.array == array);
        self.is_paired(side, array) || is_read()
    }

    fn own_statements(&self, side: usize) -> Vec<usize> {
        let program = self.programs[side];
        let defines = |at: &usize| !self.definitions(side, *at).is_empty();
        (0..program.statements.len() - program.results.len()).filter(defines).collect()
    }

    /// How instances seem to correspond.
    fn guessed(&self, executions: &[Execution]) -> Result<Option<Vec<Matched>>> {
        let mut samples: FxHashMap<usize, (usize, Vec<Sample>)> = FxHashMap::default();
        for execution in executions {
            let Some(partners) = self.partners(execution) else { return Ok(None) };
            for (second, first) in partners {
                let (statement, point) = second;
                let entry = samples.entry(statement).or_insert((first.0, Vec::new()));
                if entry.0 != first.0 {
                    return Ok(None);
                }
                entry.1.push([execution.parameters.clone(), point, first.1]);
            }
        }
        let mut matched = Vec::new();
        for second in self.own_statements(1) {
            let Some((first, points)) = samples.get(&second) else { return Ok(None) };
            let domain = |side: usize, at: usize| &self.programs[side].statements[at].domain;
            let (from, to) = (domain(1, second), domain(0, *first));
            let Some(instances) = affine_fit(from.space(), to.space(), points) else {
                return Ok(None);
            };
            let from = without_implied_bounds(from)?;
            let instances = instances.intersect_domain_within(&from, self.budget)?;
            let instances = instances.intersect_range_within(to, self.budget)?;
            let instances = instances.intersect_params(&self.programs[0].context)?;
            matched.push(Matched { statements: [*first, second], instances });
        }
        Ok(Some(matched))
    }

    /// Whether instances that correspond write the same values to the same elements, if they read the same.
    fn have_same_bodies(&self, matched: &[Matched]) -> Result<bool> {
        for own in matched {
            let [first, second] = [0, 1].map(|side| self.definitions(side, own.statements[side]));
            if first.len() != second.len() {
                return Ok(false);
            }
            for definition in second {
                let mut is_same = false;
                for other in &first {
                    is_same |= self.is_same_element(
                        own,
                        (other.array, &other.relation),
                        (definition.array, &definition.relation),
                    )? && self.is_same_value(own, other.value, definition.value)?;
                }
                if !is_same {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_same_element(
        &self,
        own: &Matched,
        first: (ArrayId, &Map),
        second: (ArrayId, &Map),
    ) -> Result<bool> {
        let pair = self.arrays.iter().find(|(ids, _)| *ids == (first.0, second.0));
        let Some((_, elements)) = pair else { return Ok(false) };
        let through = own.instances.apply_range_within(first.1, self.budget)?;
        let through = through.apply_range_within(elements, self.budget)?;
        second
            .1
            .intersect_domain_within(&own.instances.domain(), self.budget)?
            .is_subset(&through, self.budget)
    }

    fn is_same_value(&self, own: &Matched, first: NodeId, second: NodeId) -> Result<bool> {
        let [one, two] = self.programs;
        match (one.kind(first), two.kind(second)) {
            (NodeKind::Read(a), NodeKind::Read(b)) => {
                let (a, b) = (&one.reads[a.0], &two.reads[b.0]);
                self.is_same_element(own, (a.array, &a.relation), (b.array, &b.relation))
            }
            (NodeKind::Integer(a), NodeKind::Integer(b)) => {
                let through = own.instances.apply_range_within(&a.to_map(), self.budget)?;
                let own =
                    b.to_map().intersect_domain_within(&own.instances.domain(), self.budget)?;
                own.is_subset(&through, self.budget)
            }
            (NodeKind::Operation(f, operands), NodeKind::Operation(g, others)) => {
                if f != g || operands.len() != others.len() {
                    return Ok(false);
                }
                for (a, b) in operands.iter().zip(others) {
                    if !self.is_same_value(own, *a, *b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (
                NodeKind::Choice { condition: a, then: x, otherwise: y },
                NodeKind::Choice { condition: b, then: u, otherwise: v },
            ) => {
                let through = own.instances.intersect_range_within(a, self.budget)?.domain();
                let holds = own.instances.domain().intersect_within(b, self.budget)?;
                Ok(through.is_equal(&holds, self.budget)?
                    && self.is_same_value(own, *x, *u)?
                    && self.is_same_value(own, *y, *v)?)
            }
            _ => Ok(false),
        }
    }

    /// Whether each instance of either program has one partner.
    fn is_one_to_one(&self, matched: &[Matched]) -> Result<bool> {
        for (at, own) in matched.iter().enumerate() {
            let all = &self.programs[1].statements[own.statements[1]].domain;
            let all = all.intersect_params(&self.programs[0].context)?;
            if !all.is_subset(&own.instances.domain(), self.budget)? {
                return Ok(false);
            }
            for (other_at, other) in matched.iter().enumerate().skip(at) {
                if own.statements[0] != other.statements[0] {
                    continue;
                }
                let back = other.instances.reverse();
                let mut same = own.instances.apply_range_within(&back, self.budget)?;
                if at == other_at {
                    let order = Map::lex_lt(all.space());
                    same = same.intersect_within(&order, self.budget)?;
                }
                if !same.is_empty(self.budget)? {
                    return Ok(false);
                }
            }
        }
        self.covers_first(matched)
    }

    /// Whether all instances of the first program have a partner.
    fn covers_first(&self, matched: &[Matched]) -> Result<bool> {
        for first in self.own_statements(0) {
            let domain = &self.programs[0].statements[first].domain;
            let domain = domain.intersect_params(&self.programs[0].context)?;
            let mut covered: Option<Set> = None;
            for own in matched.iter().filter(|own| own.statements[0] == first) {
                let range = own.instances.range();
                covered = Some(match covered {
                    Some(others) => others.union(&range)?,
                    None => range,
                });
            }
            let is_covered = match covered {
                Some(covered) => domain.is_subset(&covered, self.budget)?,
                None => domain.is_empty(self.budget)?,
            };
            if !is_covered {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether instances of which one writes what the other accesses run in the same order in both programs.
    fn keeps_order(&self, matched: &[Matched]) -> Result<bool> {
        for first in matched {
            for second in matched {
                let conflicts = self.conflicts(first.statements[1], second.statements[1])?;
                if conflicts.is_empty() {
                    continue;
                }
                let Some(swapped) = self.swapped(first, second)? else { return Ok(false) };
                for conflict in conflicts {
                    let wrong = conflict.intersect_within(&swapped, self.budget)?;
                    if !wrong.is_empty(self.budget)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Pairs of instances of two statements of the second program that access an element which one of them writes.
    fn conflicts(&self, first: usize, second: usize) -> Result<Vec<Map>> {
        let program = self.programs[1];
        let accesses = |statement: usize| {
            let reads = program.reads.iter().filter(move |own| own.statement == statement);
            let reads = reads.map(|own| (own.array, &own.relation, false));
            let writes = self.definitions(1, statement).into_iter();
            reads.chain(writes.map(|own| (own.array, &own.relation, true)))
        };
        let mut conflicts = Vec::new();
        for (array, from, writes) in accesses(first) {
            for (other, to, also_writes) in accesses(second) {
                if array == other && (writes || also_writes) {
                    conflicts.push(from.apply_range_within(&to.reverse(), self.budget)?);
                }
            }
        }
        Ok(conflicts)
    }

    /// Pairs of instances of the second program whose partners run in the other order in the first; none if the order is not known.
    fn swapped(&self, first: &Matched, second: &Matched) -> Result<Option<Map>> {
        let [one, two] = self.programs;
        let time = |program: &Program, at: usize| program.times[at].clone();
        let (Some(from), Some(to)) =
            (time(one, first.statements[0]), time(one, second.statements[0]))
        else {
            return Ok(None);
        };
        let from = first.instances.apply_range_within(&from, self.budget)?;
        let to = second.instances.apply_range_within(&to, self.budget)?;
        let forward = self.earlier(&from, &to)?;
        let (Some(from), Some(to)) =
            (time(two, first.statements[1]), time(two, second.statements[1]))
        else {
            return Ok(None);
        };
        let from = from.intersect_domain_within(&first.instances.domain(), self.budget)?;
        let to = to.intersect_domain_within(&second.instances.domain(), self.budget)?;
        let backward = self.earlier(&to, &from)?.reverse();
        let swapped = forward.intersect_within(&backward, self.budget)?;
        let mut possible = Map::empty(swapped.space().clone());
        for piece in swapped.basic_maps() {
            if !piece.is_empty(self.budget)? {
                possible = possible.union(&Map::from_basic_map(piece.clone()))?;
            }
        }
        Ok(Some(possible))
    }

    /// Pairs of what has times of which the first is earlier.
    fn earlier(&self, from: &Map, to: &Map) -> Result<Map> {
        let order = Map::lex_lt(&from.space().range());
        let later = order.apply_range_within(&to.reverse(), self.budget)?;
        from.apply_range_within(&later, self.budget)
    }

    /// The pairs of instances that write the same, the second program's first; none if there are instances without a partner.
    fn partners(&self, execution: &Execution) -> Option<Vec<(Instance, Instance)>> {
        let [first, second] = [0, 1].map(|side| self.by_what_is_written(side, execution));
        if first.len() != second.len() {
            return None;
        }
        let mut pairs = Vec::new();
        for (written, own) in second {
            let others = first.get(&written).filter(|others| others.len() == own.len())?;
            pairs.extend(own.into_iter().zip(others.iter().cloned()));
        }
        Some(pairs)
    }

    /// Instances by the elements and values that they write, in their order.
    fn by_what_is_written<'e>(&self, side: usize, execution: &'e Execution) -> Instances<'e> {
        let definitions = &self.programs[side].definitions;
        let matters: Vec<bool> =
            definitions.iter().map(|own| self.matters(side, own.array)).collect();
        let mut found = Instances::default();
        for own in &execution.instances[side] {
            let written = own.written.iter().filter(|(definition, ..)| matters[*definition]);
            let mut key: Vec<_> = written.map(|(_, to, value)| (to, *value)).collect();
            key.sort();
            if !key.is_empty() {
                found.entry(key).or_default().push((own.statement, own.instance.clone()));
            }
        }
        found
    }
}
