//! Proofs of equality for programs that run the same instances in another order.
//!
//! # Method
//! If the instances of the second program correspond to those of the first one to one, with the same
//! operators on the same elements, and all pairs of instances that access one element, of which one writes
//! it, run in the same order in both, then each read sees the same write: the programs are equal. Two
//! definitions that accumulate ([`crate::accumulation`]) with one operator, of which the question says that
//! its operands may come in any order, need not keep theirs: what an element holds behind all of them is the
//! same. No flow of values of the second program is needed, which is what tiled loops make expensive.
//!
//! Which instance corresponds to which is guessed from executions on symbols ([`crate::fit`]): instances that
//! write the same histories to the same elements. That it is right is proved: on all of the domain, by
//! relations. Where a guess is wrong or nothing has been seen of a statement, the instances that show it say
//! which executions tell more ([`Obstacle::Unseen`]).
use crate::accumulation::{Accumulation, flat_operands};
use crate::executions::Execution;
use crate::fit::AffineFit;
use crate::histories::{Element, TermId, WrittenValue};
use crate::implied::without_implied_bounds;
use crate::laws::Laws;
use crate::program::Program;
use crate::value::{Definition, NodeId, NodeKind, Operator};
use loopwright_presburger::{Budget, Error, Map, Set};
use loopwright_scop::{AccessKind, ArrayId};
use rustc_hash::FxHashMap;
use std::result::Result;

/// Two programs, of whose arrays some have the same elements.
pub(crate) struct Correspondence<'a> {
    pub(crate) programs: [&'a Program; 2],
    /// `A[x] -> B[x]`, by arrays of the first and the second program.
    pub(crate) arrays: &'a [((ArrayId, ArrayId), Map)],
    pub(crate) laws: &'a Laws,
    pub(crate) budget: &'a Budget,
}

/// A statement of the first program, one of the second, and their instances that correspond, the second's
/// first.
#[derive(Clone, Debug)]
pub(crate) struct Matched {
    pub(crate) statements: [usize; 2],
    pub(crate) instances: Map,
    /// The affine function that the instances satisfy.
    fit: Map,
}

/// Why it is not shown that instances correspond.
pub(crate) enum Obstacle {
    /// They do not, or not in a way that is looked for.
    Failed,
    /// The guess is wrong for these instances, or has nothing about them: executions that have one of them
    /// tell more.
    Unseen(Set),
    /// The budget ran out.
    Exceeded,
}

impl From<Error> for Obstacle {
    fn from(_: Error) -> Self {
        Obstacle::Exceeded
    }
}

/// An access of a statement of the second program.
struct Accessed<'a> {
    array: ArrayId,
    relation: Map,
    writes: bool,
    /// The operator of the accumulation that the access is part of.
    accumulates: Option<&'a Operator>,
    /// What its elements have in common.
    hull: Set,
}

/// What is known from executions and earlier guesses.
#[derive(Default)]
pub(crate) struct Known {
    /// Statements of the first program and how instances of those of the second one, by which they are
    /// listed, correspond to instances of them.
    fits: FxHashMap<usize, (usize, AffineFit)>,
    /// Whether executions show that instances do not correspond.
    has_failed: bool,
    /// The symbolic constants of the executions.
    pub(crate) parameters: Vec<Vec<i64>>,
    /// How instances of statements of the second program seemed to correspond, by statements, where that has
    /// the same values.
    same_bodies: FxHashMap<usize, String>,
    /// The last guess.
    guess: Vec<String>,
}

impl Known {
    /// Allows a proof of the same guess once more, with another budget.
    pub(crate) fn try_again(&mut self) {
        self.guess.clear();
    }
}

/// A statement and the point of one of its instances.
type Instance = (usize, Vec<i64>);

/// The instances of one execution, by what they write, in their order.
type Instances<'e> = FxHashMap<Vec<WrittenTo<'e>>, Vec<Instance>>;

/// An element, what is written to it or added to what it holds, and which of the two it is.
type WrittenTo<'e> = (&'e Element, TermId, bool);

impl<'a> Correspondence<'a> {
    /// Learns from an execution how instances seem to correspond.
    pub(crate) fn learn(&self, execution: &Execution, known: &mut Known) {
        known.parameters.push(execution.parameters.clone());
        let Some(partners) = self.partners(execution) else {
            known.has_failed = true;
            return;
        };
        for ((statement, point), (first, image)) in partners {
            let from = &self.programs[1].statements[statement].domain;
            let new = || (first, AffineFit::new(from.space()));
            let own = known.fits.entry(statement).or_insert_with(new);
            let is_right =
                own.0 == first && own.1.add(&[execution.parameters.clone(), point, image]);
            known.has_failed |= !is_right;
        }
    }

    /// How instances of programs with plain memory correspond, if they do one to one and that keeps the order
    /// of all dependences.
    ///
    /// # Errors
    /// What is in the way of a proof.
    pub(crate) fn proved(&self, known: &mut Known) -> Result<Vec<Matched>, Obstacle> {
        if known.has_failed {
            return Err(Obstacle::Failed);
        }
        let matched = self.guessed(known)?;
        let guess: Vec<String> = matched.iter().map(|own| own.fit.to_string()).collect();
        if guess == known.guess {
            return Err(Obstacle::Failed);
        }
        known.guess.clone_from(&guess);
        for (own, fit) in matched.iter().zip(&guess) {
            let statement = own.statements[1];
            if known.same_bodies.get(&statement) != Some(fit) {
                self.have_same_bodies(own)?;
                known.same_bodies.insert(statement, fit.clone());
            }
        }
        self.are_one_to_one(&matched)?;
        self.keep_order(&matched)?;
        Ok(matched)
    }

    /// Whether all that is accessed has the same elements in both programs, and lives as long as it is used.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn has_plain_memory(&self) -> Result<bool, Error> {
        for (side, program) in self.programs.iter().enumerate() {
            let statements = self.own_statements(side);
            let reads = program.reads.iter().filter(|own| statements.contains(&own.statement));
            let reads = reads.map(|own| (own.statement, own.array));
            let writes = statements.iter().flat_map(|at| self.definitions(side, *at));
            let writes = writes.map(|(_, own)| (own.statement, own.array));
            let used: Vec<(usize, ArrayId)> = reads.chain(writes).collect();
            if !used.iter().all(|(_, array)| self.is_paired(side, *array)) {
                return Ok(false);
            }
            for (at, statement) in program.statements.iter().enumerate() {
                for kill in statement.accesses.iter().filter(|own| own.kind == AccessKind::Kill) {
                    let others = used.iter().filter(|(_, array)| *array == kill.array);
                    let others: Vec<usize> = others.map(|(other, _)| *other).collect();
                    let is_outside = self.runs_first(program, &[at], &others)?
                        || self.runs_first(program, &others, &[at])?;
                    if !is_outside {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether no instance of `others` runs before one of `first`.
    fn runs_first(
        &self,
        program: &Program,
        first: &[usize],
        others: &[usize],
    ) -> Result<bool, Error> {
        let timed = |at: usize| {
            let time = program.times[at].as_ref()?;
            Some(time.intersect_domain_within(&program.statements[at].domain, self.budget))
        };
        for one in first {
            for other in others {
                let (Some(one), Some(other)) = (timed(*one), timed(*other)) else {
                    return Ok(false);
                };
                if !self.earlier(&other?, &one?)?.is_empty(self.budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_paired(&self, side: usize, array: ArrayId) -> bool {
        self.arrays.iter().any(|((a, b), _)| [*a, *b][side] == array)
    }

    /// What a statement writes, but for variables that nothing reads: bounds that texts keep in variables,
    /// for example.
    fn definitions(&self, side: usize, statement: usize) -> Vec<(usize, &'a Definition)> {
        let program = self.programs[side];
        let own = program.definitions.iter().enumerate();
        let own = own.filter(|(_, own)| own.statement == statement);
        own.filter(|(_, own)| self.matters(side, own.array)).collect()
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
    fn guessed(&self, known: &Known) -> Result<Vec<Matched>, Obstacle> {
        let mut matched = Vec::new();
        for second in self.own_statements(1) {
            let domain = |side: usize, at: usize| &self.programs[side].statements[at].domain;
            let from = without_implied_bounds(domain(1, second))?;
            let Some((first, fit)) = known.fits.get(&second) else {
                let own = from.intersect_params(&self.programs[0].context)?;
                match own.is_empty(self.budget)? {
                    true => continue,
                    false => return Err(Obstacle::Unseen(own)),
                }
            };
            let to = domain(0, *first);
            let fit = fit.relation(from.space(), to.space());
            let instances = fit.intersect_domain_within(&from, self.budget)?;
            let instances = instances.intersect_range_within(to, self.budget)?;
            let instances = instances.intersect_params(&self.programs[0].context)?;
            matched.push(Matched { statements: [*first, second], instances, fit });
        }
        Ok(matched)
    }

    /// That instances that correspond write the same values to the same elements, if they read the same.
    fn have_same_bodies(&self, own: &Matched) -> Result<(), Obstacle> {
        let [first, second] = [0, 1].map(|side| self.definitions(side, own.statements[side]));
        if first.len() != second.len() {
            return Err(Obstacle::Failed);
        }
        for definition in second {
            let mut found = Err(Obstacle::Failed);
            for other in &first {
                found = self.is_same_definition(own, *other, definition);
                if matches!(found, Ok(()) | Err(Obstacle::Exceeded)) {
                    break;
                }
            }
            found?;
        }
        Ok(())
    }

    fn is_same_definition(
        &self,
        own: &Matched,
        (first_at, first): (usize, &Definition),
        (second_at, second): (usize, &Definition),
    ) -> Result<(), Obstacle> {
        let elements = [(first.array, &first.relation), (second.array, &second.relation)];
        self.is_same_element(own, elements)?;
        let [one, two] = self.programs;
        match (one.accumulation(first_at), two.accumulation(second_at)) {
            (None, None) => self.is_same_value(own, first.value, second.value),
            (Some(a), Some(b)) if a.operator == b.operator => {
                self.are_same_operands(own, &a.added, &b.added)
            }
            _ => Err(Obstacle::Failed),
        }
    }

    /// That operands have partners with the same values, in any order.
    fn are_same_operands(
        &self,
        own: &Matched,
        first: &[NodeId],
        second: &[NodeId],
    ) -> Result<(), Obstacle> {
        if first.len() != second.len() {
            return Err(Obstacle::Failed);
        }
        let mut left = first.to_vec();
        for operand in second {
            let mut found = Err(Obstacle::Failed);
            for at in 0..left.len() {
                match (self.is_same_value(own, left[at], *operand), &found) {
                    (Ok(()), _) => {
                        left.remove(at);
                        found = Ok(());
                        break;
                    }
                    (Err(Obstacle::Exceeded), _) => return Err(Obstacle::Exceeded),
                    (Err(why @ Obstacle::Unseen(_)), Err(Obstacle::Failed)) => found = Err(why),
                    (Err(_), _) => {}
                }
            }
            found?;
        }
        Ok(())
    }

    fn is_same_element(
        &self,
        own: &Matched,
        [first, second]: [(ArrayId, &Map); 2],
    ) -> Result<(), Obstacle> {
        let pair = self.arrays.iter().find(|(ids, _)| *ids == (first.0, second.0));
        let Some((_, elements)) = pair else { return Err(Obstacle::Failed) };
        let through = own.instances.apply_range_within(first.1, self.budget)?;
        let through = through.apply_range_within(elements, self.budget)?;
        let elements = second.1.intersect_domain_within(&own.instances.domain(), self.budget)?;
        self.is_part(&elements, &through)
    }

    /// That one relation is part of another one.
    fn is_part(&self, part: &Map, whole: &Map) -> Result<(), Obstacle> {
        if part.is_subset(whole, self.budget)? {
            return Ok(());
        }
        Err(Obstacle::Unseen(part.subtract(whole, self.budget)?.domain()))
    }

    fn is_same_value(&self, own: &Matched, first: NodeId, second: NodeId) -> Result<(), Obstacle> {
        let [one, two] = self.programs;
        match (one.kind(first), two.kind(second)) {
            (NodeKind::Read(a), NodeKind::Read(b)) => {
                let (a, b) = (&one.reads[a.0], &two.reads[b.0]);
                self.is_same_element(own, [(a.array, &a.relation), (b.array, &b.relation)])
            }
            (NodeKind::Integer(a), NodeKind::Integer(b)) => {
                let through = own.instances.apply_range_within(&a.to_map(), self.budget)?;
                let own =
                    b.to_map().intersect_domain_within(&own.instances.domain(), self.budget)?;
                self.is_part(&own, &through)
            }
            (NodeKind::Operation(f, _), NodeKind::Operation(g, _))
                if f == g && self.laws.hold_for(f) =>
            {
                let operands = flat_operands(one, f, first);
                self.are_same_operands(own, &operands, &flat_operands(two, g, second))
            }
            (NodeKind::Operation(f, operands), NodeKind::Operation(g, others))
                if f == g && operands.len() == others.len() =>
            {
                let mut pairs = operands.iter().zip(others);
                pairs.try_for_each(|(a, b)| self.is_same_value(own, *a, *b))
            }
            (
                NodeKind::Choice { condition: a, then: x, otherwise: y },
                NodeKind::Choice { condition: b, then: u, otherwise: v },
            ) => {
                let through = own.instances.intersect_range_within(a, self.budget)?.domain();
                let holds = own.instances.domain().intersect_within(b, self.budget)?;
                if !through.is_equal(&holds, self.budget)? {
                    return Err(Obstacle::Failed);
                }
                self.is_same_value(own, *x, *u)?;
                self.is_same_value(own, *y, *v)
            }
            _ => Err(Obstacle::Failed),
        }
    }

    /// That each instance of either program has one partner.
    fn are_one_to_one(&self, matched: &[Matched]) -> Result<(), Obstacle> {
        let hulls = matched.iter().map(|own| self.hull(&own.instances.range()));
        let hulls: Vec<Set> = hulls.collect::<Result<_, _>>()?;
        for (at, own) in matched.iter().enumerate() {
            let all = &self.programs[1].statements[own.statements[1]].domain;
            let all = all.intersect_params(&self.programs[0].context)?;
            let partners = own.instances.domain();
            if !all.is_subset(&partners, self.budget)? {
                return Err(Obstacle::Unseen(all.subtract(&partners, self.budget)?));
            }
            for (other_at, other) in matched.iter().enumerate().skip(at) {
                if own.statements[0] != other.statements[0]
                    || (at != other_at && self.are_apart(&hulls[at], &hulls[other_at])?)
                {
                    continue;
                }
                let back = other.instances.reverse();
                let mut same = own.instances.apply_range_within(&back, self.budget)?;
                if at == other_at {
                    let order = Map::lex_lt(all.space());
                    same = same.intersect_within(&order, self.budget)?;
                }
                if !same.is_empty(self.budget)? {
                    return Err(Obstacle::Unseen(same.domain()));
                }
            }
        }
        self.cover_first(matched)
    }

    /// That all instances of the first program have a partner.
    fn cover_first(&self, matched: &[Matched]) -> Result<(), Obstacle> {
        for first in self.own_statements(0) {
            let domain = &self.programs[0].statements[first].domain;
            let mut rest = domain.intersect_params(&self.programs[0].context)?;
            for own in matched.iter().filter(|own| own.statements[0] == first) {
                rest = rest.subtract(&own.instances.range(), self.budget)?;
            }
            if !rest.is_empty(self.budget)? {
                return Err(Obstacle::Unseen(rest));
            }
        }
        Ok(())
    }

    /// That instances of which one writes what the other accesses run in the same order in both programs.
    fn keep_order(&self, matched: &[Matched]) -> Result<(), Obstacle> {
        let accesses = matched.iter().map(|own| self.accesses(own.statements[1]));
        let accesses: Vec<Vec<Accessed<'_>>> = accesses.collect::<Result<_, _>>()?;
        for (first, own) in matched.iter().zip(&accesses) {
            for (second, others) in matched.iter().zip(&accesses) {
                let conflicts = self.conflicts(own, others)?;
                if conflicts.is_empty() {
                    continue;
                }
                let [forward, backward] = self.orders(first, second)?;
                for conflict in conflicts {
                    // The element that both access makes most of the cases of one order impossible.
                    let later =
                        self.possible(&conflict.intersect_within(&backward, self.budget)?)?;
                    let wrong = later.intersect_within(&forward, self.budget)?;
                    if !wrong.is_empty(self.budget)? {
                        return Err(Obstacle::Failed);
                    }
                }
            }
        }
        Ok(())
    }

    /// What a statement of the second program accesses.
    fn accesses(&self, statement: usize) -> Result<Vec<Accessed<'a>>, Obstacle> {
        let program = self.programs[1];
        let definitions = self.definitions(1, statement);
        let accumulations = definitions.iter().map(|(at, _)| program.accumulation(*at));
        let accumulations: Vec<Option<&Accumulation>> = accumulations.collect();
        let accessed = |array, relation: &Map, writes, accumulates| {
            let hull = self.hull(&relation.range())?;
            let relation = relation.clone();
            Ok::<_, Obstacle>(Accessed { array, relation, writes, accumulates, hull })
        };
        let mut all = Vec::new();
        for (at, read) in program.reads.iter().enumerate() {
            if read.statement == statement {
                let holds = |own: &&&Accumulation| own.held.0 == at;
                let own = accumulations.iter().flatten().find(holds).map(|own| &own.operator);
                all.push(accessed(read.array, &read.relation, false, own)?);
            }
        }
        for ((_, write), own) in definitions.iter().zip(&accumulations) {
            let own = own.map(|own| &own.operator);
            all.push(accessed(write.array, &write.relation, true, own)?);
        }
        Ok(all)
    }

    /// The equations and congruences that all points of a set satisfy: two sets that have none in common are
    /// told apart by them at little cost.
    fn hull(&self, set: &Set) -> Result<Set, Obstacle> {
        Ok(Set::from_basic_set(set.affine_hull(self.budget)?))
    }

    fn are_apart(&self, first: &Set, second: &Set) -> Result<bool, Obstacle> {
        Ok(first.intersect_within(second, self.budget)?.is_empty(self.budget)?)
    }

    /// Pairs of instances of two statements of the second program that access an element which one of them
    /// writes.
    fn conflicts(
        &self,
        first: &[Accessed<'_>],
        second: &[Accessed<'_>],
    ) -> Result<Vec<Map>, Obstacle> {
        let mut conflicts = Vec::new();
        for from in first {
            for to in second {
                let may = from.array == to.array && (from.writes || to.writes);
                let is_free = from.accumulates.is_some() && from.accumulates == to.accumulates;
                if may && !is_free && !self.are_apart(&from.hull, &to.hull)? {
                    let pairs =
                        from.relation.apply_range_within(&to.relation.reverse(), self.budget)?;
                    conflicts.push(self.possible(&pairs)?);
                }
            }
        }
        conflicts.retain(|conflict| !conflict.plain_is_empty());
        Ok(conflicts)
    }

    /// Pairs of instances of the second program whose partners run in their order in the first, and pairs
    /// that run in the other order.
    fn orders(&self, first: &Matched, second: &Matched) -> Result<[Map; 2], Obstacle> {
        let [one, two] = self.programs;
        let time = |program: &Program, at: usize| program.times[at].clone().ok_or(Obstacle::Failed);
        let from = time(one, first.statements[0])?;
        let to = time(one, second.statements[0])?;
        let from = first.instances.apply_range_within(&from, self.budget)?;
        let to = second.instances.apply_range_within(&to, self.budget)?;
        let forward = self.earlier(&from, &to)?;
        let from = time(two, first.statements[1])?;
        let to = time(two, second.statements[1])?;
        let from = from.intersect_domain_within(&first.instances.domain(), self.budget)?;
        let to = to.intersect_domain_within(&second.instances.domain(), self.budget)?;
        let backward = self.earlier(&to, &from)?.reverse();
        Ok([self.possible(&forward)?, self.possible(&backward)?])
    }

    /// A relation without parts that are empty.
    fn possible(&self, relation: &Map) -> Result<Map, Obstacle> {
        let mut possible = Map::empty(relation.space().clone());
        for piece in relation.basic_maps() {
            if !piece.is_empty(self.budget)? {
                possible = possible.union(&Map::from_basic_map(piece.clone()))?;
            }
        }
        Ok(possible)
    }

    /// Pairs of what has times of which the first is earlier.
    fn earlier(&self, from: &Map, to: &Map) -> Result<Map, Error> {
        let order = Map::lex_lt(&from.space().range());
        let later = order.apply_range_within(&to.reverse(), self.budget)?;
        from.apply_range_within(&later, self.budget)
    }

    /// The pairs of instances that write the same, the second program's first; none if there are instances
    /// without a partner.
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
            let written = own.written.iter().filter(|own| matters[own.definition]);
            let of_key = |own: &'e WrittenValue| match own.added {
                Some(added) => (&own.element, added, true),
                None => (&own.element, own.value, false),
            };
            let mut key: Vec<WrittenTo<'e>> = written.map(of_key).collect();
            key.sort();
            if !key.is_empty() {
                found.entry(key).or_default().push((own.statement, own.instance.clone()));
            }
        }
        found
    }
}
