//! Induction variables: what a loop does to the variables whose values are followed.
//!
//! The body of a loop is run once on symbols ("abstractly"): a variable that starts an iteration with
//! the value `x` and ends it with `x + d`, where `d` is the same in all iterations, has the value
//! `first + d * count` in the iteration before which `count` others have run, and `first + d * trip`
//! after the loop, with its number of iterations `trip`. Variables that the body changes in another
//! way are not known at the start of an iteration and after the loop; what the body assigns before it reads
//! is known there nevertheless. A product of two symbolic constants has its place in subscripts only
//! (see `delinearization.rs`).
use crate::facts::control::is_left_early;
use crate::facts::for_header::header;
use crate::model::conditions::{Condition, Disjunction, conjoin};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// What is known about the values of variables.
pub(crate) type Known = BTreeMap<u32, Pieces>;

/// What an iteration does to variables with known values.
pub(crate) struct Changes {
    changed: Vec<u32>,
    /// What is added to those to which all iterations add the same.
    differences: Vec<(u32, Pieces)>,
}

impl Changes {
    /// Whether each iteration adds a number to a variable.
    pub(crate) fn adds(&self, variable: u32, number: i64) -> bool {
        let mut differences = self.differences.iter().filter(|(of, _)| *of == variable);
        differences.any(|(_, difference)| difference.as_constant() == Some(number))
    }
}

impl<'t> Extractor<'_, 't> {
    /// Enters the body of a loop, which is the innermost one now: from here the values at the start of
    /// its iteration are known. Returns what is known after the loop.
    ///
    /// `steps` is what else is done after each iteration, `outside` the domain of the loop as a whole,
    /// `values` are those of its iterator.
    pub(crate) fn enter_iterations(
        &mut self,
        body: Node<'t>,
        steps: &[Node<'t>],
        index: u32,
        (outside, values): (&Disjunction, &Disjunction),
    ) -> Known {
        let parts = [&[body], steps].concat();
        let changes = if is_left_early(body) {
            Changes { changed: self.known_changes(&parts), differences: Vec::new() }
        } else {
            self.changes(&parts)
        };
        let after = self.values_after(&changes, index, (outside, values), 0);
        self.values.known = self.values_inside(&changes, index);
        after
    }

    /// What an iteration of the innermost loop does to the variables whose values are known before it.
    pub(crate) fn changes(&mut self, parts: &[Node<'t>]) -> Changes {
        let changed = self.known_changes(parts);
        let differences = match changed.is_empty() {
            true => Vec::new(),
            false => self.differences(parts, &changed),
        };
        Changes { changed, differences }
    }

    /// The variables with known values that some statements change.
    fn known_changes(&self, parts: &[Node<'t>]) -> Vec<u32> {
        let mut changed: Vec<u32> =
            parts.iter().flat_map(|part| self.followed_changes(*part)).collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|variable| self.values.known.contains_key(variable));
        changed
    }

    /// What is known at the start of an iteration.
    pub(crate) fn values_inside(&mut self, changes: &Changes, index: u32) -> Known {
        let count = match changes.differences.is_empty() {
            true => None,
            false => self.count(index).map(Pieces::single),
        };
        self.values_after_steps(changes, count)
    }

    /// What is known after a loop that has at least so many iterations (0 or 1).
    pub(crate) fn values_after(
        &mut self,
        changes: &Changes,
        index: u32,
        (outside, values): (&Disjunction, &Disjunction),
        least: i64,
    ) -> Known {
        let trip = match changes.differences.is_empty() {
            true => None,
            false => self.trip(index, (outside, values), least),
        };
        let mut after = self.values_after_steps(changes, trip);
        // A pointer that the loop runs over is known inside only.
        after.retain(|_, value| !self.loops_of(value).contains(&index));
        after
    }

    /// What is known after so many iterations, from what is known before them.
    fn values_after_steps(&mut self, changes: &Changes, times: Option<Pieces>) -> Known {
        let mut known = self.values.known.clone();
        known.retain(|variable, _| !changes.changed.contains(variable));
        let Some(times) = times else { return known };
        for (variable, difference) in &changes.differences {
            let Some(first) = self.values.known.get(variable).cloned() else { continue };
            let is_long = self.variable(*variable).declared.scalar.bytes > Some(4);
            let total = self.times(difference, &times, is_long);
            let value = total.and_then(|total| first.zip(&total, Linear::add).ok());
            known.extend(value.map(|value| (*variable, value)));
        }
        known
    }

    /// What each iteration adds to variables, for those to which each adds the same.
    fn differences(&mut self, parts: &[Node<'t>], changed: &[u32]) -> Vec<(u32, Pieces)> {
        let before = self.values.known.clone();
        let attempt = self.out.attempt();
        let mut symbols = Vec::with_capacity(changed.len());
        for &variable in changed {
            let start = self.stand_in(variable);
            if !self.is_signed(variable)
                && let Some(bounds) = self.out.symbols.iterator_bounds.last_mut()
            {
                bounds.0 = Some(0);
            }
            self.values.known.insert(variable, start.clone());
            symbols.push((variable, start));
        }
        self.scoped(|this| {
            this.at.n_runs_on_symbols += 1;
            parts.iter().for_each(|part| this.run(*part));
        });
        self.out.take_back(attempt);
        let results = std::mem::replace(&mut self.values.known, before);
        let outer: &[u32] = self.at.nest.split_last().map_or(&[], |(_, outer)| outer);
        let mut found = Vec::new();
        for (variable, start) in symbols {
            let Some(end) = results.get(&variable) else { continue };
            let Ok(difference) = end.zip(&start, Linear::sub) else { continue };
            if self.loops_of(&difference).iter().all(|index| outer.contains(index)) {
                found.push((variable, difference));
            }
        }
        found
    }

    fn is_signed(&self, variable: u32) -> bool {
        let scalar = &self.variable(variable).declared.scalar;
        scalar.kind == loopwright_scop::ElementKind::Signed
    }

    /// The number of iterations before the current one; none if the loop has several starts.
    fn count(&mut self, index: u32) -> Option<Linear> {
        let of = &self.out.loops[index as usize];
        let (start, step) = (of.start.clone()?, of.step);
        let iterator = Linear::symbol(Symbol::Iterator(index));
        let distance = iterator.sub(&start).and_then(|d| d.scale(step.signum())).ok()?;
        self.out.symbols.floor(&distance, step.checked_abs()?).ok()
    }

    /// The number of iterations of a loop with one bound, which is at least `least` (0 or 1).
    pub(crate) fn trip(
        &mut self,
        index: u32,
        (outside, values): (&Disjunction, &Disjunction),
        least: i64,
    ) -> Option<Pieces> {
        let of = &self.out.loops[index as usize];
        let (start, step) = (of.start.clone()?, of.step);
        let room = self.room(index, &start, step, values)?;
        let more = room.add_constant(1 - least).ok()?;
        let (always_runs, is_sum) = self.within(outside.clone(), |this| {
            let is_sum = step.abs() == 1 && this.is_nonnegative_here(&more);
            (this.is_nonnegative_here(&room), is_sum)
        });
        let last = self.out.symbols.floor(&room, step.checked_abs()?).ok()?;
        let trip = last.add_constant(1).ok()?;
        if always_runs || is_sum {
            return Some(Pieces::single(trip));
        }
        let runs = Condition::nonnegative(room.clone());
        let never = Condition::nonnegative(room.scale(-1).and_then(|l| l.add_constant(-1)).ok()?);
        let pieces = [(runs, trip), (never, Linear::constant(least))];
        let kept = pieces.into_iter().filter_map(|(condition, value)| {
            Some((conjoin(&Vec::new(), &vec![condition])?, value))
        });
        Some(Pieces(kept.collect()))
    }

    /// Whether a loop with one bound runs at least once wherever the current place is reached.
    pub(crate) fn always_runs(&mut self, index: u32, values: &Disjunction) -> bool {
        let of = &self.out.loops[index as usize];
        let (start, step) = (of.start.clone(), of.step);
        let room = start.and_then(|start| self.room(index, &start, step, values));
        room.is_some_and(|room| self.is_nonnegative_here(&room))
    }

    /// The distance from the first value of an iterator to its bound, if the bound is the only
    /// condition: the loop runs if it is not negative.
    fn room(
        &mut self,
        index: u32,
        start: &Linear,
        step: i64,
        values: &Disjunction,
    ) -> Option<Linear> {
        let [conjunction] = &values.0[..] else { return None };
        let iterator = Symbol::Iterator(index);
        let mut bounds = conjunction.iter().filter(|condition| {
            !condition.is_equality
                && condition.linear.coefficient(iterator).signum() != step.signum()
        });
        let (bound, others) = (bounds.next()?, bounds.next());
        let factor = bound.linear.coefficient(iterator).checked_mul(-step.signum())?;
        if others.is_some() || factor <= 0 {
            return None;
        }
        // -f s i + rest >= 0 with the sign s: the distance is floor(rest / f) - s start.
        let own = factor.checked_mul(step.signum())?;
        let rest = bound.linear.add_scaled(own, &Linear::symbol(iterator)).ok()?;
        let rest = self.out.symbols.floor(&rest, factor).ok()?;
        rest.add_scaled(-step.signum(), start).ok()
    }

    /// The product of two values; none if it is not even one that a subscript may have.
    fn times(&mut self, a: &Pieces, b: &Pieces, is_long: bool) -> Option<Pieces> {
        let mut product = SmallVec::new();
        for (first, x) in &a.0 {
            for (second, y) in &b.0 {
                let Some(both) = conjoin(first, second) else { continue };
                let value = match (x.as_constant(), y.as_constant()) {
                    (Some(factor), _) => y.scale(factor).ok()?,
                    (_, Some(factor)) => x.scale(factor).ok()?,
                    _ => self.product(y, x, is_long).ok()??,
                };
                product.push((both, value));
            }
        }
        Some(Pieces(product))
    }

    /// Runs a statement on the known values, without a trace in the model.
    pub(crate) fn run(&mut self, node: Node<'t>) {
        match node.kind() {
            _ if self.followed_changes(node).is_empty() && node.kind() != Kind::Declaration => {}
            _ if node.has_kind(&[Kind::GotoStatement]) => self.forget_changes(node),
            Kind::ExpressionStatement => {
                named_children(node).for_each(|expression| self.run_expression(expression));
            }
            kind if kind.is_expression() => self.run_expression(node),
            Kind::CompoundStatement => {
                self.scopes.push();
                named_children(node).for_each(|child| self.run(child));
                self.scopes.pop();
            }
            Kind::Declaration => self.run_declaration(node),
            Kind::IfStatement => self.run_if(node),
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement
                if self.run_counted(node) => {}
            Kind::ForStatement => self.run_loop(node),
            Kind::AttributedStatement => {
                named_children(node).last().into_iter().for_each(|inner| self.run(inner));
            }
            _ => self.forget_changes(node),
        }
    }

    pub(crate) fn run_expression(&mut self, node: Node<'t>) {
        let node = strip_parentheses(node);
        if node.kind() == Kind::CommaExpression {
            let parts = [Field::Left, Field::Right].map(|field| node.field(field));
            return parts.into_iter().flatten().for_each(|part| self.run_expression(part));
        }
        match self.update(node) {
            Some(update) => {
                let split = self.split_operand(node, &update);
                let value = self.updated_value(node, &update);
                self.set_known(update.variable, value);
                for (change, variable, value) in split {
                    self.values.side_values.remove(&change.id());
                    self.set_known(variable, Some(value));
                }
            }
            None => {
                for (change, variable, value) in self.split_changes(node) {
                    self.values.side_values.remove(&change.id());
                    self.set_known(variable, Some(value));
                }
            }
        }
    }

    fn run_declaration(&mut self, node: Node<'t>) {
        let origin = crate::facts::variables::Origin::Region { depth: self.at.nest.len() + 1 };
        self.forget_changes(node);
        for (variable, value) in self.scopes.declare(self.facts.source, node, origin) {
            if let Some(value) = value.and_then(|v| self.followed_initializer(variable, v)) {
                self.set_known(variable, Some(value));
            }
        }
    }

    fn run_if(&mut self, node: Node<'t>) {
        if let Some(condition) = node.field(Field::Condition) {
            self.forget_changes(condition);
        }
        let before = self.values.known.clone();
        let mut ends = vec![before.clone()];
        for field in [Field::Consequence, Field::Alternative] {
            let Some(branch) = node.field(field) else { continue };
            self.values.known.clone_from(&before);
            let is_else = branch.kind() == Kind::ElseClause;
            let inner = if is_else { named_children(branch).next() } else { Some(branch) };
            inner.into_iter().for_each(|inner| self.run(inner));
            ends.push(std::mem::take(&mut self.values.known));
        }
        self.values.known = before;
        ends.iter().for_each(|end| self.join_known(end));
    }

    fn run_loop(&mut self, node: Node<'t>) {
        let Some(body) = node.field(Field::Body) else { return };
        if self.has_unknown_iterations(node).is_some() {
            return self.forget_changes(node);
        }
        let attempt = self.out.attempt();
        self.scopes.push();
        let after = self.scoped(|this| this.known_after_loop(node, body));
        self.scopes.pop();
        self.out.take_back(attempt);
        match after {
            Some(after) => self.values.known = after,
            None => self.forget_changes(node),
        }
    }
    /// What is known after a `for` loop, if its iterations are known.
    fn known_after_loop(&mut self, node: Node<'t>, body: Node<'t>) -> Option<Known> {
        let parts = header(self.facts.source, node).map(|header| (header.starts, header.steps));
        let (starts, steps) = parts.unwrap_or_default();
        match node.field(Field::Initializer).filter(|_| self.declares_others(node)) {
            Some(declaration) => self.run_declaration(declaration),
            None => starts.into_iter().for_each(|part| self.run_expression(part)),
        }
        let (index, values) = self.loop_head(node).ok()?;
        let outside = self.at.domain.clone();
        self.at.domain = outside.and(&values).ok()?;
        let variable = self.out.loops[index as usize].variable;
        let last = self.kept_value(node, index, &outside, &values);
        self.values.known.remove(&variable);
        let mut after = self.enter_iterations(body, &steps, index, (&outside, &values));
        after.extend(last.ok()?.map(|last| (variable, last)));
        Some(after)
    }
}
