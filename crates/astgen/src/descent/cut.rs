//! How the values of a dimension are cut into pieces: isolation, then the type of the loop.
use crate::cut::isolation;
use crate::cut::pieces::{atomic_pieces, default_pieces, pieces_inside, separate_pieces, sorted};
use crate::cut::unroll::unroll_pieces;
use crate::descent::Descent;
use crate::descent::levels::Position;
use crate::level::degenerate_dimensions::single_value;
use crate::level::localized::{localized, without_floors};
use crate::model::statement::Statement;
use crate::options::choices::SeparationBounds;
use loopwright_presburger::*;
use loopwright_schedule::{AstLoopType, Node};

/// A statement and its values of a dimension, over all dimensions up to this one.
pub(super) type Value<'a> = (&'a Statement, Set);

/// Pieces of the values of a dimension that are all isolated, or all not.
pub(super) struct Part {
    pub(super) pieces: Vec<BasicSet>,
    pub(super) isolated: bool,
    /// What holds outside, and is to be checked there.
    pub(super) condition: Set,
}

impl Descent<'_> {
    /// The parts of the values of the next dimension, in order.
    pub(super) fn parts(&self, at: Position<'_>, values: &[Value<'_>]) -> Result<Vec<Part>> {
        let Position { levels, level, known, isolated } = at;
        let always = Set::universe(self.space(level));
        let parts = match &levels.isolate {
            Some(set) => isolation::parts(set, known, level, self.budget)?,
            None => None,
        };
        let Some(isolation::Parts { before, center, after, other }) = parts else {
            let pieces = self.typed_pieces(at, values)?;
            return Ok(vec![Part { pieces, isolated, condition: always }]);
        };
        let mut result = Vec::new();
        for (part, isolated) in [(before, false), (center, true), (after, false), (other, false)] {
            let mut inside = Vec::new();
            for (statement, domain) in values {
                let domain = domain.intersect(&part)?;
                if !domain.is_empty(self.budget)? {
                    inside.push((*statement, domain));
                }
            }
            if inside.is_empty() {
                continue;
            }
            let condition = match part.involves_dims(DimKind::Out, level, 1) {
                true => always.clone(),
                false => part.project_out(DimKind::Out, level, 1),
            };
            let known = &known.intersect(&condition)?;
            let pieces = self.typed_pieces(Position { known, isolated, ..at }, &inside)?;
            let domains: Vec<Set> = inside.into_iter().map(|(_, domain)| domain).collect();
            let pieces = pieces_inside(pieces, &part, &domains, known, level, self.budget)?;
            result.push(Part { pieces, isolated, condition });
        }
        Ok(result)
    }

    /// The pieces of the union of domains according to the type of the loop.
    fn typed_pieces(&self, at: Position<'_>, values: &[Value<'_>]) -> Result<Vec<BasicSet>> {
        let Position { levels, level, known, isolated } = at;
        let position = level - levels.start;
        let member = levels.members.get(position).copied().unwrap_or_default();
        let kind = if isolated { member.isolate_ast_loop_type } else { member.ast_loop_type };
        let innermost = !has_band(levels.child) && !self.has_inner_loops(values, level)?;
        let Some(settings) = levels.settings.get(position).filter(|s| !s.is_empty()) else {
            return self.pieces_of_type(kind, innermost, values, known, level);
        };
        let mut rest = values.to_vec();
        let mut pieces = Vec::new();
        let mut others = Set::universe(self.space(level + 1));
        for (kind, part) in settings {
            let mut inside = Vec::new();
            for (statement, domain) in &mut rest {
                let both = domain.intersect(part)?;
                if !both.is_empty(self.budget)? {
                    *domain = domain.subtract(part, self.budget)?;
                    inside.push((*statement, both));
                }
            }
            others = others.subtract(part, self.budget)?;
            if !inside.is_empty() {
                let found = self.pieces_of_type(*kind, innermost, &inside, known, level)?;
                let domains: Vec<Set> = inside.into_iter().map(|(_, domain)| domain).collect();
                pieces.extend(pieces_inside(found, part, &domains, known, level, self.budget)?);
            }
        }
        let mut left = Vec::new();
        for (statement, domain) in rest {
            if !domain.is_empty(self.budget)? {
                left.push((statement, domain));
            }
        }
        if !left.is_empty() {
            let found = self.pieces_of_type(kind, innermost, &left, known, level)?;
            let domains: Vec<Set> = left.into_iter().map(|(_, domain)| domain).collect();
            pieces.extend(pieces_inside(found, &others, &domains, known, level, self.budget)?);
        }
        sorted(pieces, known, level, self.budget)
    }

    /// Whether a dimension of the band further inside has several values for some values of the
    /// dimensions up to this one, or that is not seen without regard to what is known of these.
    fn has_inner_loops(&self, values: &[Value<'_>], level: usize) -> Result<bool> {
        for (statement, _) in values {
            for inner in level + 1..statement.depth() {
                let domain = statement.domain(inner);
                let known = Set::universe(self.space(inner));
                for bounds in localized(domain, inner).basic_sets() {
                    if single_value(&bounds, None, &known, inner, self.budget)?.is_none() {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    fn pieces_of_type(
        &self,
        kind: AstLoopType,
        innermost: bool,
        values: &[Value<'_>],
        known: &Set,
        level: usize,
    ) -> Result<Vec<BasicSet>> {
        let domain = |(_, exact): &Value<'_>| match localized(exact, level) {
            local if innermost => local,
            local => without_floors(local, level),
        };
        let domains: Vec<Set> = values.iter().map(domain).collect();
        match kind {
            AstLoopType::Default => {
                let most = if innermost { self.options.most_pieces } else { 1 };
                default_pieces(&domains, known, level, most, self.budget)
            }
            AstLoopType::Atomic => {
                let conditional = self.options.conditional_bounds;
                atomic_pieces(&domains, known, level, conditional, self.budget)
            }
            AstLoopType::Separate => {
                let explicit = |(statement, _): &Value<'_>| statement.explicit_domain(level);
                let explicit: Option<Vec<Set>> = match self.options.separation_bounds {
                    SeparationBounds::Explicit => Some(values.iter().map(explicit).collect()),
                    SeparationBounds::Implicit => None,
                };
                let explicit = explicit.as_deref();
                separate_pieces(&domains, explicit, known, level, self.budget)
            }
            AstLoopType::Unroll => {
                let exact: Vec<Set> = values.iter().map(|(_, exact)| exact.clone()).collect();
                unroll_pieces(&domains, &exact, known, level, self.budget)
            }
        }
    }
}

/// Whether there are further schedule dimensions below a node.
fn has_band(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| {
        found |= matches!(node, Node::Band(band, _) if !band.members.is_empty())
    });
    found
}
