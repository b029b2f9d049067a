//! Recursive separation into disjoint polyhedra.
//!
//! Quilleré, Rajopadhye, Wilde, "Generation of efficient nested loops from polyhedra" (IJPP 28(5),
//! 2000), section 5: at every dimension the statements' polyhedra are projected onto the dimensions
//! so far ([`crate::cut::projection`]) and cut into disjoint pieces with a fixed set of statements
//! each ([`crate::cut::regions`]), the pieces are put in order ([`crate::cut::order`]), and each is
//! treated in turn with its own constraints known. The polyhedra themselves are never simplified on
//! the way down: that `i <= 10` holds may be needed to see that a piece at a deeper dimension is
//! empty.
//!
//! Where copies are to be worth what they save, loops are separated one by one ([`guard_cost`]).
//!
//! A second separation ([`dead_loops`]) splits a loop where a loop inside is empty for a part of
//! its values.
mod dead_loops;
mod guard_cost;

use crate::cut::band::BandLevel;
use crate::cut::order::ordered_ranges;
use crate::cut::pieces::superset;
use crate::cut::projection::projected_domains;
use crate::cut::regions::separated;
use crate::cut::{Cut, SharedLoops};
use crate::level::Level;
use crate::model::statement::Statement;
use crate::options::strategy::Separation;
use loopwright_presburger::*;

/// [`Strategy::Separation`](crate::Strategy::Separation).
pub(crate) struct Separated {
    pub(crate) choices: Separation,
}

impl Cut for Separated {
    /// All statements together, or in the part that is executed in parallel each by itself.
    fn loops<'s>(
        &self,
        at: BandLevel<'s>,
        statements: &[&'s Statement],
    ) -> Result<Vec<SharedLoops<'s>>> {
        let level = at.level;
        if self.choices.sequential_levels.is_none_or(|sequential| level.dimension < sequential) {
            let pieces = pieces(&self.choices, statements, level)?;
            return Ok(vec![SharedLoops::over(statements, pieces)]);
        }
        let alone = |&statement: &&'s Statement| {
            let pieces = pieces(&self.choices, &[statement], level)?;
            Ok(SharedLoops::over(&[statement], pieces))
        };
        statements.iter().map(alone).collect()
    }
}

/// The disjoint ranges of values of a level in order.
fn pieces(
    choices: &Separation,
    statements: &[&Statement],
    level: Level<'_>,
) -> Result<Vec<BasicSet>> {
    let domains = projected_domains(statements, level)?;
    if domains.is_empty() {
        return Ok(Vec::new());
    }
    if !choices.levels.contains(level.dimension) {
        return superset(&domains, level);
    }
    let mut parts = separated(&domains, Some(level.known), level.budget)?;
    if choices.remove_dead_loops {
        parts = without_dead_loops(choices, parts, statements, level)?;
    }
    let pieces = ordered_ranges(parts, level)?;
    let Some(copy_cost) = choices.copy_cost else { return Ok(pieces) };
    let whole = superset(&domains, level)?;
    let cheaper = guard_cost::guards_are_cheaper(copy_cost, &whole, &pieces, statements, level)?;
    Ok(if cheaper { whole } else { pieces })
}

/// The parts of the values of a level, cut so that in each of them a piece of the next level has
/// values either throughout or nowhere.
fn without_dead_loops(
    choices: &Separation,
    parts: Vec<Set>,
    statements: &[&Statement],
    level: Level<'_>,
) -> Result<Vec<Set>> {
    let next = level.dimension + 1;
    if statements.iter().any(|statement| statement.depth() <= next) {
        return Ok(parts);
    }
    let choices = Separation { remove_dead_loops: false, ..*choices };
    let around = level.around();
    let mut result = Vec::new();
    for part in parts {
        let inside = around.intersect(&part)?;
        let inner = Level { dimension: next, known: &inside, budget: level.budget };
        let pieces = pieces(&choices, statements, inner)?;
        result.extend(dead_loops::cut_at_ends(&part, pieces, level)?);
    }
    Ok(result)
}
