//! The iterations that a loop has before it is left by `break`.
//!
//! An iteration is reached if none before it has reached a `break`. Where the conditions on the way to a
//! `break` are affine, the earlier iterations that reach it are a set over the iterator `e` of such an
//! iteration, the symbolic constants and the iterators around; `e` is eliminated by the method of Fourier and
//! Motzkin, which is exact over the integers if of each pair of a lower and an upper bound one has the
//! coefficient 1 ("The Omega test", W. Pugh, CACM 35(8), 1992, section 2.3).
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::model::conditions::{Condition, Conjunction, Disjunction, conjoin};
use crate::model::linear::{Linear, Symbol};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Node;
use crate::walk::control::forward_jumps::{Part, structured};
use crate::walk::extractor::Extractor;

/// What can be done about a jump that depends on data.
pub(crate) const JUMP_OUT: &str =
    "put `#pragma scop` around the loop: there it is one statement; or search for its end first";

/// Conditions on the way to a place, and whether they must fail.
type Path<'t> = Vec<(Node<'t>, bool)>;

impl<'t> Extractor<'_, 't> {
    /// The iterations (with what is around) of the innermost loop that are reached.
    ///
    /// # Errors
    /// A refusal of the form of the loop if these are no set over affine conditions.
    pub(crate) fn before_breaks(
        &mut self,
        node: Node<'t>,
        index: u32,
        values: &Disjunction,
    ) -> Result<Disjunction, Refusal> {
        let all = self.check(node, self.at.domain.and(values))?;
        let paths = self.paths_to_breaks(node);
        if paths.is_empty() {
            return Ok(all);
        }
        let known = self.values.known.clone();
        self.forget_changes(node);
        let reached = self.within(all.clone(), |this| {
            paths.iter().try_fold(all.clone(), |reached, path| {
                let earlier = this.left_before(node, index, (path, &all))?;
                this.check(node, reached.without(&earlier))
            })
        });
        self.values.known = known;
        reached
    }

    /// The ways on which the body of a loop leaves it.
    fn paths_to_breaks(&self, node: Node<'t>) -> Vec<Path<'t>> {
        let body = node.field(Field::Body).filter(|_| self.facts.has_jumps);
        let parts = body.and_then(|body| structured(self.facts.source, body));
        let mut paths = Vec::new();
        collect(&parts.unwrap_or_default(), &mut Vec::new(), &mut paths);
        paths
    }

    /// Whether the loop around a part of its head may be left before that ends it.
    pub(crate) fn is_left_by_break(&self, part: Node<'t>) -> bool {
        let mut around = std::iter::successors(part.parent(), |node| node.parent());
        let around = around.find(|node| node.kind() == Kind::ForStatement);
        around.is_some_and(|node| !self.paths_to_breaks(node).is_empty())
    }

    /// The iterations before which another has reached the end of a path.
    fn left_before(
        &mut self,
        node: Node<'t>,
        index: u32,
        (path, all): (&Path<'t>, &Disjunction),
    ) -> Result<Disjunction, Refusal> {
        let mut leaving = Disjunction::always();
        for (condition, fails) in path {
            let holds = self.affine_condition(*condition, *fails).map_err(|_| {
                let message = "the iterations of this loop are not known before it runs";
                self.refuse(Code::LoopForm, node, message)
                    .with_reason("a jump in it decides about its iterations")
                    .with_hint(JUMP_OUT)
            })?;
            leaving = self.check(node, leaving.and(&holds))?;
        }
        let mut found = Disjunction::never();
        for own in &all.0 {
            for conjunction in &leaving.0 {
                let Some(conjunction) = conjoin(own, conjunction) else { continue };
                let shadow = self.later_than(index, &conjunction, all).ok_or_else(|| {
                    self.refuse(Code::LoopForm, node, "it is not known when this loop is left")
                        .with_reason("the conditions of a `break` must bound the iterator itself")
                        .with_hint(JUMP_OUT)
                })?;
                found = self.check(node, found.or(Disjunction(shadow.into_iter().collect())))?;
            }
        }
        Ok(found)
    }

    /// Where some iteration of `all` before the current one satisfies a conjunction; none if that is not
    /// found out exactly, a contradiction as no conjunction.
    ///
    /// With a step of 1, `e <= i - 1` is one more bound of `e`. With a step `s` of another size the
    /// iterations before are `i - s, i - 2 s, ..`; where all other bounds of `e` are on the other side,
    /// `i - s` satisfies them if any does, so that `e <= i - s` takes the same place.
    fn later_than(
        &self,
        index: u32,
        conjunction: &Conjunction,
        all: &Disjunction,
    ) -> Option<Option<Conjunction>> {
        let iterator = Symbol::Iterator(index);
        let step = self.out.loops[index as usize].step;
        let is_end = |condition: &Condition| all.0.iter().all(|own| own.contains(condition));
        // The forms without the iterator, and its coefficient without the sign.
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let mut rest = Vec::new();
        for condition in conjunction {
            let linear = &condition.linear;
            if self.uses_in_floor(linear, iterator) {
                // Earlier iterations of a loop with one start are full steps away, as far as that goes.
                let is_stride = step.abs() != 1 && condition.is_equality && is_end(condition);
                is_stride.then_some(())?;
                continue;
            }
            let coefficient = linear.coefficient(iterator);
            let form = linear.add_scaled(-coefficient, &Linear::symbol(iterator)).ok()?;
            if coefficient == 0 {
                rest.push(condition.clone());
            } else if condition.is_equality {
                let (size, minus) = (coefficient.checked_abs()?, form.scale(-1).ok()?);
                let (above, below) = if coefficient > 0 { (form, minus) } else { (minus, form) };
                lower.push((size, above));
                upper.push((size, below));
            } else if coefficient.signum() == step.signum() || !is_end(condition) {
                let side = if coefficient > 0 { &mut lower } else { &mut upper };
                side.push((coefficient.checked_abs()?, form));
            }
            // An end that the current iteration has not passed, an earlier one has not passed either.
        }
        let before = Linear::symbol(iterator).add_constant(step.checked_neg()?).ok()?;
        let (side, last) = match step > 0 {
            true => (&mut upper, before),
            false => (&mut lower, before.scale(-1).ok()?),
        };
        if step.abs() != 1 && !side.is_empty() {
            return None;
        }
        side.push((1, last));
        for (a, below) in &lower {
            for (b, above) in &upper {
                if *a != 1 && *b != 1 {
                    return None;
                }
                let room = below.scale(*b).and_then(|l| l.add_scaled(*a, above)).ok()?;
                rest.push(Condition::nonnegative(room));
            }
        }
        Some(conjoin(&Vec::new(), &rest))
    }
}

/// The paths to the places where a loop is left.
fn collect<'t>(parts: &[Part<'t>], path: &mut Path<'t>, found: &mut Vec<Path<'t>>) {
    for part in parts {
        match part {
            Part::Statement(_) | Part::Jumping(_) => {}
            Part::Break(_) => found.push(path.clone()),
            Part::Branch(branch) => {
                for (list, fails) in [(&branch.then, false), (&branch.otherwise, true)] {
                    path.push((branch.condition, fails));
                    collect(list, path, found);
                    path.pop();
                }
            }
        }
    }
}
