//! Variables that branches of several statements write first:
//! `if (c) { s = 0; for (..) s += ..; } else { s = 1; .. }`.
//!
//! Where a condition on data stands in front of each statement of its branches (`data_conditions.rs`) none of
//! them writes for sure. But if each branch begins with a sure write of a variable, no value from before the
//! branches is seen in them or after them. That is what a kill statement in front of them says. The
//! conditions around the branches must not depend on data: the kill has none.
use crate::model::overwritten::Overwritten;
use crate::model::raw_model::{RawAccess, RawStatement};
use crate::walk::extractor::Extractor;
use loopwright_scop::AccessKind;
use std::collections::BTreeSet;
use std::ops::Range;

/// Where branches begin.
pub(crate) struct StartOfBranches {
    statement: usize,
    /// The place in the order of the loop around them.
    order: usize,
    /// The number of branches inside of others that are known.
    n_known: usize,
}

impl Extractor<'_, '_> {
    /// Notes where branches begin.
    pub(crate) fn start_of_branches(&self) -> StartOfBranches {
        StartOfBranches {
            statement: self.out.statements.len(),
            order: self.out.order.len(),
            n_known: self.out.overwritten.len(),
        }
    }

    /// After two branches, whose statements end before `ends`: what both of them write first has no value
    /// before them.
    pub(crate) fn overwrite_in_branches(
        &mut self,
        start: &StartOfBranches,
        ends: &[usize],
        at: usize,
    ) {
        let inner = self.out.overwritten.split_off(start.n_known);
        let &[middle, end] = ends else { return };
        let first = self.written_first(start.statement..middle, &inner);
        let second = self.written_first(middle..end, &inner);
        let variables: BTreeSet<u32> = first.intersection(&second).copied().collect();
        if !self.at.guards.is_empty() {
            self.out.overwritten.push(Overwritten { statements: start.statement..end, variables });
            return;
        }
        if variables.is_empty() {
            return;
        }
        let kill = |variable| RawAccess::new(variable, AccessKind::Kill, Vec::new(), at);
        let kills = variables.into_iter().map(kill).collect();
        self.add_statement(kills, Vec::new(), true, at);
        if let Some(kill) = self.out.order.pop() {
            self.out.order.insert(start.order.min(self.out.order.len()), kill);
        }
    }

    /// The scalars that some statements write for sure before any of them reads them, in the iteration of the
    /// loops around that is meant.
    fn written_first(&self, range: Range<usize>, inner: &[Overwritten]) -> BTreeSet<u32> {
        let (mut written, mut seen) = (BTreeSet::new(), BTreeSet::new());
        let mut index = range.start;
        while index < range.end {
            let branches = inner.iter().find(|branches| branches.statements.start == index);
            let part = branches.map_or(index..index + 1, |branches| branches.statements.clone());
            let statements = self.out.statements.get(part.clone()).unwrap_or_default();
            let own = match branches {
                Some(branches) => branches.variables.clone(),
                None => statements.iter().flat_map(|s| self.sure_scalars(s)).collect(),
            };
            written.extend(own.into_iter().filter(|variable| !seen.contains(variable)));
            let accesses = statements.iter().flat_map(|statement| &statement.accesses);
            seen.extend(accesses.map(|access| access.variable));
            index = part.end.max(index + 1);
        }
        written
    }

    /// The scalars that a statement writes for sure, and does not read, in each iteration of the loops
    /// around.
    fn sure_scalars(&self, statement: &RawStatement) -> BTreeSet<u32> {
        if statement.loops != self.at.nest
            || statement.domain != self.at.domain
            || statement.is_kill
        {
            return BTreeSet::new();
        }
        let is_sure = |access: &&RawAccess| {
            let own = self.variable(access.variable);
            let is_scalar = own.declared.dimensions.is_empty() && own.member.is_none();
            access.is_sure_in_branch && access.subscripts.is_empty() && is_scalar
        };
        let sure = statement.accesses.iter().filter(is_sure).map(|access| access.variable);
        let mut sure: BTreeSet<u32> = sure.collect();
        let reads = || statement.accesses.iter().filter(|access| access.kind == AccessKind::Read);
        sure.retain(|variable| !reads().any(|access| access.variable == *variable));
        sure
    }
}
