//! Loops for the groups of statements that have to share them.
//!
//! Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than scanning polyhedra" (TOPLAS
//! 37(4), 2015), sections 5.4 to 5.6: the statements in connected components, those that run at
//! different phases of a period shifted, and the values of each component cut by the types of the
//! loops.
use crate::cut::band::BandLevel;
use crate::cut::connected_components::{components, may_follow};
use crate::cut::{Cut, SharedLoops};
use crate::level::Level;
use crate::model::statement::Statement;
use crate::options::choices::Options;
use crate::strategies::loop_types::LoopTypes;
use loopwright_presburger::*;
use loopwright_schedule::Node;
use std::borrow::Cow;

/// [`Strategy::Components`](crate::Strategy::Components).
pub(crate) struct Components<'o> {
    pub(crate) options: &'o Options,
}

impl Cut for Components<'_> {
    fn loops<'s>(
        &self,
        at: BandLevel<'s>,
        statements: &[&'s Statement],
    ) -> Result<Vec<SharedLoops<'s>>> {
        let mut result = Vec::new();
        for component in self.components(at, statements)? {
            let members: Vec<_> = component.iter().map(|&i| statements[i]).collect();
            result.push(self.component(at, &members)?);
        }
        Ok(result)
    }
}

impl Components<'_> {
    /// The groups of statements that share the loops over a level, in order.
    fn components(&self, at: BandLevel<'_>, statements: &[&Statement]) -> Result<Vec<Vec<usize>>> {
        if statements.len() == 1 {
            return Ok(vec![vec![0]]);
        }
        let dimension = at.level.dimension;
        let domains: Vec<&Set> = statements.iter().map(|each| each.domain(dimension)).collect();
        components(&domains, dimension, |a, b| self.follows(at, statements[a], statements[b]))
    }

    /// Whether some instance of `second` may come after one of `first` for equal outer dimensions.
    fn follows(&self, at: BandLevel<'_>, first: &Statement, second: &Statement) -> Result<bool> {
        let budget = at.level.budget;
        let mut known = at.level.known.clone();
        for dimension in at.level.dimension..at.band.end {
            let (a, b) = (first.domain(dimension), second.domain(dimension));
            if may_follow(a, b, Level { dimension, known: &known, budget })? {
                return Ok(true);
            }
            known = known.insert_dims(DimKind::Out, dimension, 1);
            let equal = a.intersect(b)?.intersect(&known)?;
            if equal.is_empty(budget)? {
                return Ok(false);
            }
        }
        let grouped = self.options.group_coscheduled;
        Ok(comes_after(at.band.child, &first.space(), &second.space(), grouped))
    }

    /// The loops over a level for statements that have to share them.
    fn component<'s>(
        &self,
        at: BandLevel<'s>,
        statements: &[&'s Statement],
    ) -> Result<SharedLoops<'s>> {
        let dimension = at.level.dimension;
        let types = LoopTypes { options: self.options };
        let Some(shift) = at.band.shift(statements, dimension, self.options.scale_strides)? else {
            let parts = types.parts(at, statements)?;
            let statements = statements.iter().map(|each| Cow::Borrowed(*each)).collect();
            return Ok(SharedLoops { statements, levels: None, parts });
        };
        let shifted: Vec<Statement> = (statements.iter().zip(&shift.residues))
            .map(|(statement, residue)| statement.shifted(dimension, &shift.divisor, residue))
            .collect();
        let levels = at.band.shifted(dimension, &shift);
        let here = BandLevel { band: &levels, ..at };
        let parts = types.parts(here, &shifted.iter().collect::<Vec<_>>())?;
        let statements = shifted.into_iter().map(Cow::Owned).collect();
        Ok(SharedLoops { statements, levels: Some(levels), parts })
    }
}

/// Whether below `node` some instance of `second` may be ordered after one of `first`.
///
/// Bands are assumed to do so, which costs separation but not correctness; leaves count as doing so
/// if what has no order is `grouped`.
fn comes_after(node: &Node, first: &Space, second: &Space, grouped: bool) -> bool {
    match node {
        Node::Leaf => grouped,
        Node::Band(band, child) if band.members.is_empty() => {
            comes_after(child, first, second, grouped)
        }
        Node::Band(..) | Node::Extension(..) | Node::Expansion { .. } => true,
        Node::Filter(_, child)
        | Node::Mark(_, child)
        | Node::Context(_, child)
        | Node::Guard(_, child) => comes_after(child, first, second, grouped),
        Node::Sequence(children) | Node::Set(children) => {
            let ordered = matches!(node, Node::Sequence(_));
            let contains = |child: &Node, space: &Space| match child {
                Node::Filter(filter, _) => !filter.extract(space).plain_is_empty(),
                _ => true,
            };
            let (mut seen, mut result) = (false, false);
            for child in children {
                let here = (contains(child, first), contains(child, second));
                result |= ordered && seen && here.1;
                result |= here.0 && here.1 && comes_after(child, first, second, grouped);
                seen |= here.0;
            }
            result
        }
    }
}
