//! Conditions that the walk over a region finds to be needed, and what they say about symbolic constants.
use crate::diagnostics::refusal::Refusal;
use crate::facts::integer_type::IntegerType;
use crate::model::conditions::{Condition, Conjunction, Disjunction, disjoint_negation};
use crate::model::linear::{Limit, Linear, Symbol};
use crate::model::needed::Needed;
use crate::model::pieces::Pieces;
use crate::model::raw_model::RawStatement;
use crate::model::run_time::{Fact, RunTimeCondition, SymbolicValue};
use crate::model::spaces::Columns;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use loopwright_presburger::{Budget, Error, Name, Result as SetResult, Set, Space, Tuple};

/// Work limit for a condition to be put in terms of symbolic constants.
pub(crate) const STEPS: u64 = 200_000;

/// More basic sets than this in one condition are no check that is worth its text.
const MAX_CASES: usize = 8;

impl<'t> Extractor<'_, 't> {
    /// Records that the model is right where a form is at least 0, wherever the current place is reached.
    ///
    /// `case` says in which cases it is needed.
    pub(crate) fn need_nonnegative(
        &mut self,
        node: Node<'t>,
        (case, form): (&Conjunction, Linear),
        reason: String,
    ) -> Result<(), Refusal> {
        let is_of_loops = |linear: &Linear| self.is_of_loops(linear);
        let is_about_loops =
            is_of_loops(&form) || case.iter().any(|condition| is_of_loops(&condition.linear));
        let (loops, domain) = match is_about_loops {
            true => (self.loops_here(&form), self.at.domain.clone()),
            false => (Vec::new(), Disjunction::always()),
        };
        let otherwise = self.check(node, disjoint_negation(case))?;
        let holds = otherwise.or(Disjunction::single(Condition::nonnegative(form)));
        let holds = self.check(node, holds)?;
        let at = node.start_byte();
        let needed = Needed { domain, loops, holds, at, reason, is_where_reached: false };
        if self.out.needed.contains(&needed) {
            return Ok(());
        }
        // The values of a loop whose head is being read are not known yet.
        let is_open = needed.loops.iter().any(|index| self.at.open_heads.contains(index));
        if needed.holds.0.is_empty() || !is_open && !self.can_be_checked(&needed) {
            return Err(self.refuse_needed(node, &needed));
        }
        self.out.needed.push(needed);
        Ok(())
    }

    /// Records that a condition holds wherever the current place in loops is reached; whether that can be
    /// checked.
    pub(crate) fn need_everywhere(
        &mut self,
        node: Node<'t>,
        holds: Disjunction,
        reason: String,
    ) -> bool {
        let (domain, loops) = (self.at.domain.clone(), self.at.nest.clone());
        let at = node.start_byte();
        let needed = Needed { domain, loops, holds, at, reason, is_where_reached: false };
        let is_possible = !needed.holds.0.is_empty()
            && self.can_be_checked(&needed)
            && self.leaves_loops(&needed);
        if is_possible && !self.out.needed.contains(&needed) {
            self.out.needed.push(needed);
        }
        is_possible
    }

    /// That a form is at least 0 where a statement is run and a case of it holds, if that can be checked.
    pub(crate) fn checkable(
        &self,
        (statement, case): (&RawStatement, &Conjunction),
        form: Linear,
        (at, reason): (usize, String),
    ) -> Option<Needed> {
        let domain = statement.domain.and(&Disjunction(vec![case.clone()])).ok()?;
        let holds = Disjunction::single(Condition::nonnegative(form));
        let loops = statement.loops.clone();
        let needed = Needed { domain, loops, holds, at, reason, is_where_reached: true };
        (self.can_be_checked(&needed) && self.leaves_loops(&needed)).then_some(needed)
    }

    /// Whether each loop around a place that may run for more than two iterations may still do so where a
    /// condition holds at the place.
    ///
    /// Where `n <= 1` would be checked for a loop up to `n`, what is made of the region would never run.
    fn leaves_loops(&self, needed: &Needed) -> bool {
        let Some(parameters) = self.parameters_in(needed) else { return false };
        let names: Vec<Name> =
            parameters.iter().map(|p| self.variable(*p).name.as_str().into()).collect();
        let space = Space::params(&names);
        let inner = Space::set(&names, Tuple::anonymous(needed.loops.len()));
        let columns = Columns::new(&parameters, &needed.loops[..], 0, &self.out.symbols.floors);
        let budget = Budget::steps(STEPS);
        let Ok(holds) = self.on_constants(needed, &parameters, &space) else { return false };
        let reached = columns.set(&inner, &needed.domain.0);
        let is_known = |start: &Linear| {
            start.terms.iter().all(|(symbol, _)| match symbol {
                Symbol::Parameter(parameter) => parameters.contains(parameter),
                Symbol::Iterator(index) => needed.loops.contains(index),
                Symbol::Floor(_) | Symbol::Product(_) => false,
            })
        };
        needed.loops.iter().all(|index| {
            let of = &self.out.loops[*index as usize];
            let Some(start) = of.start.as_ref().filter(|start| is_known(start)) else {
                return true;
            };
            let third = Linear::symbol(Symbol::Iterator(*index))
                .sub(start)
                .and_then(|distance| distance.scale(of.step.signum()))
                .and_then(|distance| distance.add_constant(-of.step.abs().saturating_mul(2)));
            let Ok(third) = third else { return true };
            let later = columns.set(&inner, &[vec![Condition::nonnegative(third)]]);
            let later = reached.intersect_within(&later, &budget).map(|set| set.params());
            let Ok(later) = later else { return true };
            let is_empty = |set: &Set| set.is_empty(&budget).unwrap_or(false);
            is_empty(&later)
                || !later.intersect_within(&holds, &budget).is_ok_and(|both| is_empty(&both))
        })
    }

    /// Records that the model cannot be right.
    pub(crate) fn need_never(&mut self, node: Node<'t>, reason: String) {
        let (domain, holds) = (Disjunction::always(), Disjunction::never());
        self.out.needed.push(Needed {
            domain,
            loops: Vec::new(),
            holds,
            at: node.start_byte(),
            reason,
            is_where_reached: false,
        });
    }

    /// The head of a loop has been read: what is needed of the values that its iterator has where its
    /// condition is evaluated.
    ///
    /// That is the start, and what comes after a value for which the condition holds.
    pub(crate) fn close_head(
        &mut self,
        node: Node<'t>,
        index: u32,
        first_needed: usize,
        (start, from_start, condition): (&Pieces, &Disjunction, &Disjunction),
    ) -> Result<(), Refusal> {
        self.at.open_heads.retain(|open| *open != index);
        let is_meant = |needed: &Needed| needed.loops.contains(&index);
        if !self.out.needed[first_needed..].iter().any(is_meant) {
            return Ok(());
        }
        let values = self.evaluated_values(index, start, condition);
        let values = self.check(node, values.and_then(|values| values.and(from_start)))?;
        for position in first_needed..self.out.needed.len() {
            if !is_meant(&self.out.needed[position]) {
                continue;
            }
            let domain = self.check(node, self.out.needed[position].domain.and(&values))?;
            self.out.needed[position].domain = domain;
            if !self.can_be_checked(&self.out.needed[position]) {
                return Err(self.refuse_needed(node, &self.out.needed[position]));
            }
        }
        Ok(())
    }

    /// The values of an iterator for which the condition of its loop is evaluated.
    fn evaluated_values(
        &self,
        index: u32,
        start: &Pieces,
        condition: &Disjunction,
    ) -> Result<Disjunction, Limit> {
        let iterator = Symbol::Iterator(index);
        let mut all = condition.0.iter().flatten();
        if all.any(|condition| self.uses_in_floor(&condition.linear, iterator)) {
            return Ok(Disjunction::always());
        }
        let step = self.out.loops[index as usize].step;
        let before = |condition: &Condition| -> Result<Condition, Limit> {
            let shift = condition.linear.coefficient(iterator).checked_mul(-step);
            let linear = condition.linear.add_constant(shift.ok_or(Limit::Overflow)?)?;
            Ok(Condition { linear, ..condition.clone() })
        };
        let cases = condition.0.iter().map(|case| case.iter().map(before).collect());
        let later = Disjunction(cases.collect::<Result<Vec<Conjunction>, Limit>>()?);
        let first = start.satisfying(|first| {
            let distance = Linear::symbol(iterator).sub(first)?;
            Ok(Disjunction::single(Condition::zero(distance)))
        });
        first?.or(later)
    }

    fn refuse_needed(&self, node: Node<'t>, needed: &Needed) -> Refusal {
        self.not_affine(node, format!("it is not known that {}", needed.reason))
            .with_hint("use signed types for iterators and bounds")
    }

    /// Whether a condition holds for some symbolic constants, and can be said of them.
    fn can_be_checked(&self, needed: &Needed) -> bool {
        let Some(parameters) = self.parameters_in(needed) else { return false };
        let names: Vec<Name> =
            parameters.iter().map(|p| self.variable(*p).name.as_str().into()).collect();
        let space = Space::params(&names);
        let holds = self.on_constants(needed, &parameters, &space);
        let values = self.symbolic_values(&parameters);
        // Where the place is never reached is of no use.
        let inner = Space::set(&names, Tuple::anonymous(needed.loops.len()));
        let columns = Columns::new(&parameters, &needed.loops[..], 0, &self.out.symbols.floors);
        let signs =
            self.out.symbols.nonnegative_parameters.iter().filter(|p| parameters.contains(p));
        let signs = signs.map(|p| Condition::nonnegative(Linear::symbol(Symbol::Parameter(*p))));
        let signs: Conjunction = signs.collect();
        let reached = needed.domain.0.iter().map(|case| [&case[..], &signs[..]].concat());
        let reached = columns.set(&inner, &reached.collect::<Vec<Conjunction>>()).params();
        holds.is_ok_and(|holds| {
            let useful = holds.intersect(&reached);
            let is_useless =
                useful.and_then(|set| set.is_empty(&Budget::steps(STEPS))).unwrap_or(false);
            !is_useless && Fact::Constants { holds, values }.text().is_some()
        })
    }

    /// The symbolic constants that a condition is about; none if it has products in it.
    fn parameters_in(&self, needed: &Needed) -> Option<Vec<u32>> {
        let mut parameters: Vec<u32> = Vec::new();
        let conditions = needed.domain.0.iter().chain(&needed.holds.0).flatten();
        let floors = self.out.symbols.floors.iter().map(|(linear, _)| linear);
        for linear in conditions.map(|condition| &condition.linear).chain(floors) {
            for (symbol, _) in &linear.terms {
                match symbol {
                    Symbol::Parameter(parameter) => parameters.push(*parameter),
                    Symbol::Product(_) => return None,
                    Symbol::Iterator(_) | Symbol::Floor(_) => {}
                }
            }
        }
        parameters.sort_unstable();
        parameters.dedup();
        Some(parameters)
    }

    /// The symbolic constants as they are read in front of the region.
    pub(crate) fn symbolic_values(&self, parameters: &[u32]) -> Vec<SymbolicValue> {
        let value = |parameter: &u32| {
            let variable = self.variable(*parameter);
            let of = IntegerType::of(&variable.declared.scalar);
            let text = self.value_in_memory(*parameter).unwrap_or_else(|| variable.name.clone());
            SymbolicValue { text, bytes: of.bytes, is_signed: of.signed }
        };
        parameters.iter().map(value).collect()
    }

    /// The conditions that have been found to be needed, for a region with these symbolic constants in this
    /// order.
    ///
    /// # Errors
    /// A refusal for a condition that cannot be checked in front of the region.
    pub(crate) fn run_time_conditions(
        &self,
        parameters: &[u32],
        space: &Space,
    ) -> Result<Vec<RunTimeCondition>, Vec<Refusal>> {
        let (mut conditions, mut refusals): (Vec<RunTimeCondition>, Vec<_>) = Default::default();
        let values = self.symbolic_values(parameters);
        for needed in &self.out.needed {
            let holds = self.on_constants(needed, parameters, space);
            let fact = holds.map(|holds| Fact::Constants { holds, values: values.clone() });
            match fact {
                Ok(fact) if fact.text().is_some() => {
                    let is_known = |c: &RunTimeCondition| c.fact.text() == fact.text();
                    if !conditions.iter().any(is_known) {
                        let (line, reason) = (self.line_of(needed.at), needed.reason.clone());
                        conditions.push(RunTimeCondition { fact, line, reason });
                    }
                }
                _ => refusals.push(self.refuse_unchecked(needed)),
            }
        }
        if refusals.is_empty() { Ok(conditions) } else { Err(refusals) }
    }

    fn refuse_unchecked(&self, needed: &Needed) -> Refusal {
        let message = "what the model needs here cannot be checked in front of the region";
        self.refuse_at(crate::diagnostics::diagnostic::Code::TooComplex, needed.at, message)
            .with_reason(format!("it is not known that {}", needed.reason))
            .with_hint("use signed types for iterators and bounds")
    }

    /// The symbolic constants for which a condition holds wherever its place is reached.
    fn on_constants(&self, needed: &Needed, parameters: &[u32], space: &Space) -> SetResult<Set> {
        let floors = &self.out.symbols.floors;
        let budget = Budget::steps(STEPS);
        let names = space.param_names();
        let inner = Space::set(names, Tuple::anonymous(needed.loops.len()));
        let columns = Columns::new(parameters, &needed.loops[..], 0, floors);
        let mut holds = columns.set(&inner, &needed.holds.0);
        if !needed.loops.is_empty() {
            let reached = columns.set(&inner, &needed.domain.0);
            let fails = reached.subtract(&holds, &budget)?.params();
            holds = fails.complement(&budget)?;
        } else {
            holds = holds.params();
        }
        if needed.is_where_reached {
            let reached = columns.set(&inner, &needed.domain.0).params();
            holds = holds.intersect_within(&reached, &budget)?.gist(&reached, &budget)?;
        }
        let holds =
            holds.make_locals_explicit(&budget)?.coalesce(&budget)?.remove_redundancies(&budget)?;
        if holds.basic_sets().len() > MAX_CASES {
            return Err(Error::Invalid {
                operation: "a condition on symbolic constants",
                reason: format!("it has more than {MAX_CASES} cases"),
            });
        }
        Ok(holds)
    }
}
