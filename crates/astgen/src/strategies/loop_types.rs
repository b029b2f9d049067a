//! How the values of a dimension are cut by what the schedule says of their loops: isolation, then
//! the type of the loop.
use crate::cut::band::BandLevel;
use crate::cut::pieces::{atomic_pieces, default_pieces, pieces_inside, separate_pieces, sorted};
use crate::cut::unroll::unroll_pieces;
use crate::cut::{Part, isolation};
use crate::level::Level;
use crate::level::degenerate_dimensions::single_value;
use crate::level::localized::{localized, without_floors};
use crate::model::statement::Statement;
use crate::options::choices::{Options, SeparationBounds};
use loopwright_presburger::*;
use loopwright_schedule::{AstLoopType, Node};

/// A statement and its values of a dimension, over all dimensions up to this one.
type Values<'a> = (&'a Statement, Set);

/// What cuts values by the types of their loops.
pub(crate) struct LoopTypes<'o> {
    pub(crate) options: &'o Options,
}

impl LoopTypes<'_> {
    /// The parts of the values of a level, in order.
    pub(crate) fn parts(&self, at: BandLevel<'_>, statements: &[&Statement]) -> Result<Vec<Part>> {
        let dimension = at.level.dimension;
        let values: Vec<Values<'_>> =
            statements.iter().map(|each| (*each, each.domain(dimension).clone())).collect();
        let parts = match &at.band.isolate {
            Some(set) => isolation::parts(set, at.level)?,
            None => None,
        };
        let Some(isolation::Parts { before, center, after, other }) = parts else {
            let pieces = self.typed_pieces(at, &values)?;
            return Ok(vec![Part { pieces, isolated: at.isolated, condition: None }]);
        };
        let mut result = Vec::new();
        for (part, isolated) in [(before, false), (center, true), (after, false), (other, false)] {
            let inside = inside(&values, &part, at.level.budget)?;
            if !inside.is_empty() {
                let at = BandLevel { isolated, ..at };
                result.push(self.isolated_part(at, &part, &inside)?);
            }
        }
        Ok(result)
    }

    /// What isolation puts into one part.
    fn isolated_part(&self, at: BandLevel<'_>, part: &Set, values: &[Values<'_>]) -> Result<Part> {
        let dimension = at.level.dimension;
        let condition = match part.involves_dims(DimKind::Out, dimension, 1) {
            true => None,
            false => Some(part.project_out(DimKind::Out, dimension, 1)),
        };
        let known = match &condition {
            Some(condition) => &at.level.known.intersect(condition)?,
            None => at.level.known,
        };
        let level = at.level.knowing(known);
        let pieces = self.typed_pieces(BandLevel { level, ..at }, values)?;
        let pieces = pieces_inside(pieces, part, &domains(values), level)?;
        Ok(Part { pieces, isolated: at.isolated, condition })
    }

    /// The pieces of the union of domains according to the types of loops.
    fn typed_pieces(&self, at: BandLevel<'_>, values: &[Values<'_>]) -> Result<Vec<BasicSet>> {
        let BandLevel { band, level, isolated } = at;
        let member = at.member();
        let kind = if isolated { member.isolate_ast_loop_type } else { member.ast_loop_type };
        let innermost = !has_band(band.child) && !has_inner_loops(values, level)?;
        let settings = band.settings.get(level.dimension - band.start);
        let Some(settings) = settings.filter(|settings| !settings.is_empty()) else {
            return self.pieces_of_type(kind, innermost, values, level);
        };
        let mut rest = values.to_vec();
        let mut pieces = Vec::new();
        let mut others = Set::universe(level.space());
        for (kind, part) in settings {
            let inside = moved(&mut rest, part, level.budget)?;
            others = others.subtract(part, level.budget)?;
            if !inside.is_empty() {
                let found = self.pieces_of_type(*kind, innermost, &inside, level)?;
                pieces.extend(pieces_inside(found, part, &domains(&inside), level)?);
            }
        }
        let left = not_empty(rest, level.budget)?;
        if !left.is_empty() {
            let found = self.pieces_of_type(kind, innermost, &left, level)?;
            pieces.extend(pieces_inside(found, &others, &domains(&left), level)?);
        }
        sorted(pieces, level)
    }

    /// The pieces of the union of domains for one type of loop.
    fn pieces_of_type(
        &self,
        kind: AstLoopType,
        innermost: bool,
        values: &[Values<'_>],
        level: Level<'_>,
    ) -> Result<Vec<BasicSet>> {
        let dimension = level.dimension;
        let domain = |(_, exact): &Values<'_>| match localized(exact, dimension) {
            local if innermost => local,
            local => without_floors(local, dimension),
        };
        let approximate: Vec<Set> = values.iter().map(domain).collect();
        match kind {
            AstLoopType::Default => {
                let most = if innermost { self.options.most_pieces } else { 1 };
                default_pieces(&approximate, level, most)
            }
            AstLoopType::Atomic => {
                atomic_pieces(&approximate, level, self.options.conditional_bounds)
            }
            AstLoopType::Separate => {
                let explicit = |(statement, _): &Values<'_>| statement.explicit_domain(dimension);
                let explicit: Option<Vec<Set>> = match self.options.separation_bounds {
                    SeparationBounds::Explicit => Some(values.iter().map(explicit).collect()),
                    SeparationBounds::Implicit => None,
                };
                separate_pieces(&approximate, explicit.as_deref(), level)
            }
            AstLoopType::Unroll => unroll_pieces(&approximate, &domains(values), level),
        }
    }
}

/// The sets of values.
fn domains(values: &[Values<'_>]) -> Vec<Set> {
    values.iter().map(|(_, domain)| domain.clone()).collect()
}

/// The values that are in a part, of the statements that have some there.
fn inside<'a>(values: &[Values<'a>], part: &Set, budget: &Budget) -> Result<Vec<Values<'a>>> {
    let mut inside = Vec::new();
    for (statement, domain) in values {
        let domain = domain.intersect(part)?;
        if !domain.is_empty(budget)? {
            inside.push((*statement, domain));
        }
    }
    Ok(inside)
}

/// Takes the values that are in a part out of `rest`.
fn moved<'a>(rest: &mut [Values<'a>], part: &Set, budget: &Budget) -> Result<Vec<Values<'a>>> {
    let mut inside = Vec::new();
    for (statement, domain) in rest {
        let both = domain.intersect(part)?;
        if !both.is_empty(budget)? {
            *domain = domain.subtract(part, budget)?;
            inside.push((*statement, both));
        }
    }
    Ok(inside)
}

/// The statements that have values.
fn not_empty<'a>(values: Vec<Values<'a>>, budget: &Budget) -> Result<Vec<Values<'a>>> {
    let mut left = Vec::new();
    for (statement, domain) in values {
        if !domain.is_empty(budget)? {
            left.push((statement, domain));
        }
    }
    Ok(left)
}

/// Whether a dimension of the band further inside has several values for some values of the
/// dimensions up to this one, or that is not seen without regard to what is known of these.
fn has_inner_loops(values: &[Values<'_>], level: Level<'_>) -> Result<bool> {
    for (statement, _) in values {
        for dimension in level.dimension + 1..statement.depth() {
            let names = level.known.space().param_names();
            let known = &Set::universe(Space::set(names, Tuple::anonymous(dimension)));
            let inner = Level { dimension, known, budget: level.budget };
            for bounds in localized(statement.domain(dimension), dimension).basic_sets() {
                if single_value(&bounds, None, inner)?.is_none() {
                    return Ok(true);
                }
            }
        }
    }
    Ok(false)
}

/// Whether there are further schedule dimensions below a node.
fn has_band(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| {
        found |= matches!(node, Node::Band(band, _) if !band.members.is_empty())
    });
    found
}
