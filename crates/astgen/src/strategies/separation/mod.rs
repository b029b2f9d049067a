//! Recursive separation into disjoint polyhedra.
//!
//! Quilleré, Rajopadhye, Wilde, "Generation of efficient nested loops from polyhedra" (IJPP 28(5),
//! 2000), section 5: at every dimension the statements' polyhedra are projected onto the dimensions
//! so far ([`projection`]) and cut into disjoint pieces with a fixed set of statements each
//! ([`crate::cut::regions`]), the pieces are put in order ([`crate::cut::order`]), and each is treated in turn with
//! its own constraints known. The polyhedra themselves are never simplified on the way down: that
//! `i <= 10` holds may be needed to see that a piece at a deeper dimension is empty.
//!
//! Where copies are to be worth what they save, loops are separated one by one ([`guard_cost`]).
//!
//! A second separation ([`dead_loops`]) splits a loop where a loop inside is empty for a part of
//! its values.
mod dead_loops;
mod guard_cost;
mod projection;

use crate::cut::order::ordered;
use crate::cut::pieces::superset;
use crate::cut::regions::separated;
use crate::descent::Descent;
use crate::model::statement::Statement;
use crate::options::strategy::Separation;
use crate::strategies::groups::Group;
use loopwright_presburger::*;

impl Descent<'_> {
    /// The loops over dimension `level`: all statements together, or in the part that is
    /// executed in parallel each by itself.
    pub(crate) fn separation_groups<'s>(
        &self,
        choices: &Separation,
        statements: &[&'s Statement],
        known: &Set,
        level: usize,
    ) -> Result<Vec<Group<'s>>> {
        if choices.sequential_levels.is_none_or(|sequential| level < sequential) {
            let pieces = self.separation_pieces(choices, statements, known, level)?;
            return Ok(vec![(statements.to_vec(), pieces)]);
        }
        let mut groups = Vec::new();
        for &statement in statements {
            let pieces = self.separation_pieces(choices, &[statement], known, level)?;
            groups.push((vec![statement], pieces));
        }
        Ok(groups)
    }

    /// The disjoint ranges of values of dimension `level` where `known` holds, in order.
    pub(crate) fn separation_pieces(
        &self,
        choices: &Separation,
        statements: &[&Statement],
        known: &Set,
        level: usize,
    ) -> Result<Vec<BasicSet>> {
        let domains = self.projected_domains(statements, known, level)?;
        if domains.is_empty() {
            return Ok(Vec::new());
        }
        if !choices.levels.contains(level) {
            return superset(&domains, known, level, self.budget);
        }
        let mut parts = separated(&domains, Some(known), self.budget)?;
        if choices.remove_dead_loops {
            parts = self.without_dead_loops(choices, parts, statements, known, level)?;
        }
        let pieces = self.ordered_ranges(parts, known, level)?;
        let Some(copy_cost) = choices.copy_cost else { return Ok(pieces) };
        let whole = superset(&domains, known, level, self.budget)?;
        let cheaper =
            self.guards_are_cheaper(copy_cost, &whole, &pieces, statements, known, level)?;
        Ok(if cheaper { whole } else { pieces })
    }

    /// Disjoint sets as ranges of values of dimension `level`, in order where `known` holds.
    pub(crate) fn ordered_ranges(
        &self,
        parts: Vec<Set>,
        known: &Set,
        level: usize,
    ) -> Result<Vec<BasicSet>> {
        let mut pieces = Vec::new();
        for part in parts {
            pieces.extend(part.make_disjoint(self.budget)?.basic_sets());
        }
        ordered(pieces, known, level, self.budget)
    }

    /// The projections of the statements that are executed where `known` holds.
    pub(crate) fn projected_domains(
        &self,
        statements: &[&Statement],
        known: &Set,
        level: usize,
    ) -> Result<Vec<Set>> {
        let outside = known.insert_dims(DimKind::Out, level, 1);
        let mut domains = Vec::new();
        for statement in statements {
            let domain = projection::projected(statement, level, self.budget)?;
            if !domain.intersect(&outside)?.is_empty(self.budget)? {
                domains.push(domain.gist(&outside, self.budget)?);
            }
        }
        Ok(domains)
    }
}
