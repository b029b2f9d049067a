//! What is written whichever branch runs: `if (c[i]) t = a; else t = b;`.
//!
//! A branch that data decides about writes perhaps. But what each of the branches writes for sure, once it
//! runs, is written for sure by all of them together: so no value from before is seen after it. Each branch
//! is walked over as if nothing decided about it; at its end its writes become possible ones, and where the
//! branches meet those that all of them have become sure again. The branches of a `switch` with a `default`
//! are those that its labels begin, each with what it falls through to.
//!
//! Only branches that run to their end are compared: what may leave one early says with
//! [`Emission::conditional`] what it may skip, or has no sure writes at all (`break` and the like in a
//! `switch`).
use crate::diagnostics::refusal::Refusal;
use crate::model::conditions::{Conjunction, Disjunction};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::{Inner, RawAccess};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, named_children};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::AccessKind;
use std::collections::BTreeSet;

/// What a write says about elements, however the loops of the statement around it are numbered.
#[derive(Clone, PartialEq, Eq)]
struct Written {
    variable: u32,
    subscripts: Vec<Pieces>,
    /// The loops inside of the branch around the write.
    n_loops: usize,
    /// When the write is reached, if that is not always when the branch is.
    domain: Option<Disjunction>,
}

/// A sure write of a branch: where its access is, what it says, and its place.
struct SureWrite {
    access: usize,
    written: Written,
    inner: Option<Inner>,
}

/// The end of a branch.
#[derive(Default)]
pub(crate) struct BranchEnd {
    sure: Vec<SureWrite>,
    /// The scalars that have been written for sure then.
    assigned: BTreeSet<u32>,
}

impl BranchEnd {
    fn writes(&self, written: &Written) -> bool {
        self.sure.iter().any(|write| write.written == *written)
    }
}

impl<'t> Extractor<'_, 't> {
    /// Walks over a branch that data decides about as if nothing did.
    pub(crate) fn branch_on_data(
        &mut self,
        out: &mut Emission,
        write: impl FnOnce(&mut Self, &mut Emission) -> Result<(), Refusal>,
    ) -> Result<BranchEnd, Refusal> {
        let first = out.accesses.len();
        let outer = std::mem::replace(&mut out.conditional, false);
        out.n_branches += 1;
        let result = write(self, out);
        out.n_branches -= 1;
        out.conditional = outer;
        let end = self.branch_end(out, first);
        out.accesses[first..].iter_mut().for_each(only_perhaps);
        result.map(|()| end)
    }

    /// What has been written for sure since an access, where a branch with the current domain ends.
    pub(crate) fn branch_end(&self, out: &Emission, first: usize) -> BranchEnd {
        let accesses = out.accesses.iter().enumerate().skip(first);
        let is_sure = |access: &RawAccess| {
            access.kind == AccessKind::MustWrite && access.obligations.is_empty()
        };
        let sure = accesses.filter(|(_, access)| is_sure(access));
        let sure = sure.map(|(position, access)| SureWrite {
            access: position,
            written: self.written(out, access),
            inner: access.inner.clone(),
        });
        BranchEnd { sure: sure.collect(), assigned: out.assigned.clone() }
    }

    fn written(&self, out: &Emission, access: &RawAccess) -> Written {
        let (variable, subscripts) = (access.variable, &access.subscripts);
        let n_around = self.at.nest.len().saturating_sub(out.outer);
        let loops = access.inner.as_ref().map_or(&[][..], |inner| &inner.loops);
        let own = loops.get(n_around..).unwrap_or_default();
        let domain = access.inner.as_ref().map(|inner| &inner.domain);
        let domain = domain.filter(|domain| !own.is_empty() || **domain != self.at.domain);
        Written {
            variable,
            subscripts: subscripts.iter().map(|pieces| renumbered(pieces, own)).collect(),
            n_loops: own.len(),
            domain: domain.map(|domain| renumbered_domain(domain, own)),
        }
    }

    /// After branches of which one has run: what all of them write is written for sure.
    ///
    /// If data decides which one runs the writes are theirs; otherwise they have conditions of their own, and
    /// those that are common to all are added where something around them is a branch again.
    pub(crate) fn join_branches(&mut self, out: &mut Emission, ends: &[BranchEnd], on_data: bool) {
        let Some((first, others)) = ends.split_first() else { return };
        if out.tracks_assignments {
            let mut assigned = first.assigned.clone();
            assigned.retain(|variable| others.iter().all(|end| end.assigned.contains(variable)));
            out.assigned.extend(assigned);
        }
        if out.conditional {
            return;
        }
        let common = |write: &&SureWrite| others.iter().all(|end| end.writes(&write.written));
        let common: Vec<&SureWrite> = first.sure.iter().filter(common).collect();
        if on_data {
            let all = ends.iter().flat_map(|end| &end.sure);
            let is_common = |write: &&SureWrite| common.iter().any(|c| c.written == write.written);
            for write in all.filter(is_common) {
                out.accesses[write.access].kind = AccessKind::MustWrite;
                out.accesses[write.access].inner.clone_from(&write.inner);
            }
        } else if out.n_branches > 0 {
            let is_plain =
                |write: &&SureWrite| write.written.n_loops == 0 && write.written.domain.is_none();
            for write in common.into_iter().filter(is_plain) {
                let mut access = out.accesses[write.access].clone();
                access.inner = self.inner_place(out, AccessKind::MustWrite, &access.subscripts);
                out.accesses.push(access);
            }
        }
    }

    /// `c ? a : b` with changes in `a` and `b`; whether an expression is one.
    pub(crate) fn conditional_changes(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<bool, Refusal> {
        let parts: Vec<Node<'t>> = children(node).collect();
        let [condition, question, then, colon, otherwise] = parts[..] else { return Ok(false) };
        let changing = [Kind::AssignmentExpression, Kind::UpdateExpression, Kind::CallExpression];
        if node.kind() != Kind::ConditionalExpression
            || !then.has_kind(&changing)
            || !otherwise.has_kind(&changing)
        {
            return Ok(false);
        }
        self.expression(out, condition)?;
        let mut ends = Vec::with_capacity(2);
        for (sign, part) in [(question, then), (colon, otherwise)] {
            self.expression(out, sign)?;
            let before = out.assigned.clone();
            ends.push(self.branch_on_data(out, |this, out| this.expression(out, part))?);
            out.assigned = before;
        }
        self.join_branches(out, &ends, true);
        Ok(true)
    }

    /// The body of a `switch` whose branches begin at its own labels only; whether it is one.
    pub(crate) fn switch_branches(
        &mut self,
        out: &mut Emission,
        body: Node<'t>,
    ) -> Result<bool, Refusal> {
        let Some(branches) = branches_of_switch(body) else { return Ok(false) };
        let (outer, before) = (out.conditional, out.assigned.clone());
        self.scopes.push();
        let mut ends: Vec<BranchEnd> = Vec::new();
        let mut result = Ok(());
        for child in children(body) {
            match self.branch_on_data(out, |this, out| this.opaque_part(out, child)) {
                Ok(end) if child.kind() == Kind::CaseStatement => ends.push(end),
                Ok(_) => {}
                Err(refusal) => result = Err(refusal),
            }
            if result.is_err() {
                break;
            }
        }
        self.scopes.pop();
        out.conditional = outer;
        out.assigned = before;
        result?;
        self.join_cases(out, &branches, ends);
        Ok(true)
    }

    /// After a `switch`: from each label on, one branch and those that it falls through to have run.
    fn join_cases(&mut self, out: &mut Emission, branches: &[Case], ends: Vec<BranchEnd>) {
        if !branches.iter().any(|case| case.is_default) || branches.iter().any(|case| case.is_left)
        {
            return;
        }
        let mut reached: Vec<BranchEnd> = Vec::with_capacity(ends.len());
        for (case, mut end) in branches.iter().zip(ends).rev() {
            if let Some(next) = reached.last().filter(|_| case.falls_through) {
                let again = next.sure.iter().map(|write| SureWrite {
                    access: write.access,
                    written: write.written.clone(),
                    inner: write.inner.clone(),
                });
                end.sure.extend(again);
                end.assigned.extend(next.assigned.iter().copied());
            }
            reached.push(end);
        }
        self.join_branches(out, &reached, true);
    }
}

/// A branch of a `switch`.
pub(crate) struct Case {
    is_default: bool,
    /// Whether the next branch runs after it.
    pub(crate) falls_through: bool,
    /// Whether it may end before its end.
    is_left: bool,
}

/// The branches of a `switch`; none if there is something else in it than labels and what follows them.
pub(crate) fn branches_of_switch(body: Node<'_>) -> Option<Vec<Case>> {
    let labelled: Vec<Node<'_>> = named_children(body).collect();
    let is_plain = body.kind() == Kind::CompoundStatement
        && labelled.iter().all(|child| child.kind() == Kind::CaseStatement);
    let jumping = [Kind::GotoStatement, Kind::ReturnStatement, Kind::ContinueStatement];
    if !is_plain || labelled.is_empty() || body.has_kind(&[Kind::LabeledStatement]) {
        return None;
    }
    let case = |node: &Node<'_>| {
        let last = last_statement(*node);
        let is_ended = last.is_some_and(|last| last.kind() == Kind::BreakStatement);
        let n_breaks = node.of_kind(Kind::BreakStatement).count();
        Case {
            is_default: children(*node)
                .next()
                .is_some_and(|first| first.kind() == token!("default")),
            falls_through: !is_ended,
            is_left: n_breaks > usize::from(is_ended)
                || node.has_kind(&jumping)
                || node.of_kind(Kind::CaseStatement).count() > 1,
        }
    };
    Some(labelled.iter().map(case).collect())
}

/// The last statement after a label, also in a block.
pub(crate) fn last_statement(node: Node<'_>) -> Option<Node<'_>> {
    let label = node.field(Field::Value);
    let last = named_children(node).rfind(|child| Some(*child) != label)?;
    if last.kind() == Kind::CompoundStatement { last_statement(last) } else { Some(last) }
}

/// A write that is perhaps none, as if something decided about it.
fn only_perhaps(access: &mut RawAccess) {
    if access.kind == AccessKind::MustWrite {
        access.kind = AccessKind::MayWrite;
        if access.subscripts.is_empty() {
            access.inner = None;
        }
    }
}

/// The same of an access of a statement under conditions on data.
pub(crate) fn only_in_branch(access: &mut RawAccess) {
    access.is_sure_in_branch = access.kind == AccessKind::MustWrite;
    only_perhaps(access);
}

/// A loop of a branch under a number that depends on its place only.
fn renumbered_linear(linear: &Linear, loops: &[u32]) -> Linear {
    let rename = |&(symbol, coefficient): &(Symbol, i64)| match symbol {
        Symbol::Iterator(index) => match loops.iter().position(|own| *own == index) {
            Some(position) => (Symbol::Iterator(u32::MAX - position as u32), coefficient),
            None => (symbol, coefficient),
        },
        _ => (symbol, coefficient),
    };
    let mut renamed =
        Linear { constant: linear.constant, terms: linear.terms.iter().map(rename).collect() };
    renamed.terms.sort_unstable();
    renamed
}

fn renumbered_conditions(conditions: &Conjunction, loops: &[u32]) -> Conjunction {
    let mut renamed = conditions.clone();
    for condition in &mut renamed {
        condition.linear = renumbered_linear(&condition.linear, loops);
    }
    renamed
}

fn renumbered(pieces: &Pieces, loops: &[u32]) -> Pieces {
    let piece = |(conditions, linear): &(Conjunction, Linear)| {
        (renumbered_conditions(conditions, loops), renumbered_linear(linear, loops))
    };
    Pieces(pieces.0.iter().map(piece).collect())
}

fn renumbered_domain(domain: &Disjunction, loops: &[u32]) -> Disjunction {
    Disjunction(domain.0.iter().map(|c| renumbered_conditions(c, loops)).collect())
}
