//! The levels of a band: the loops into which each is cut, and what is inside of them.
use crate::cut::Part;
use crate::cut::band::{BandLevel, BandLevels};
use crate::descent::bounds::{BoundSearch, needed_bounds};
use crate::descent::generation::Generation;
use crate::level::Level;
use crate::level::bounds::{involving, is_bounded};
use crate::level::degenerate_dimensions::{single_value, value_constraint};
use crate::level::localized::localized;
use crate::level::piecewise_bounds::{PiecewiseBounds, implied_by};
use crate::level::plain_sets::{is_universe, same_pieces};
use crate::level::stride::{Stride, common_stride, loop_constraints};
use crate::model::depth::within_depth;
use crate::model::reaching::Reaching;
use crate::model::statement::Statement;
use crate::nest::guard::{common_guard, hoisted, under, without_enforced};
use crate::nest::tree::{Graft, Loop, Nest};
use loopwright_presburger::*;
use std::borrow::Cow;

/// The code inside of a band for the statements that reach it, where a set at a depth is known.
pub(super) type Inside<'a> = &'a dyn Fn(&[Reaching], &Set, usize) -> Result<Vec<Graft>>;

/// The loops of a band.
pub(super) struct BandLoops<'a> {
    pub(super) generation: &'a Generation<'a>,
    pub(super) inside: Inside<'a>,
}

/// The values of a piece, on the way to a loop.
struct Range {
    /// The piece, without what is known.
    piece: Set,
    /// The piece without what cannot be a bound.
    localized: Set,
    /// The constraints that are bounds.
    bounds: BasicSet,
    /// Bounds that no constraint states.
    piecewise: PiecewiseBounds,
}

/// What a loop, or a single value in place of one, is made of.
struct Head {
    bounds: BasicSet,
    piecewise: PiecewiseBounds,
    stride: Option<Stride>,
    value: Option<Aff>,
    /// What it guarantees inside.
    here: Set,
}

impl<'a> BandLoops<'a> {
    /// All levels of a band.
    pub(super) fn band(
        &self,
        band: &BandLevels<'_>,
        statements: &[Statement],
        known: &Set,
    ) -> Result<Vec<Graft>> {
        let level = Level { dimension: band.start, known, budget: self.generation.budget };
        let at = BandLevel { band, level, isolated: false };
        self.level(at, &statements.iter().collect::<Vec<_>>())
    }

    /// The code from a level of a band on.
    fn level(&self, at: BandLevel<'_>, statements: &[&Statement]) -> Result<Vec<Graft>> {
        let BandLevel { band, level, .. } = at;
        within_depth(level.dimension)?;
        if level.dimension == band.end {
            return self.end(at, statements);
        }
        let mut grafts = Vec::new();
        for shared in self.generation.cut.loops(at, statements)? {
            let band = shared.levels.as_ref().unwrap_or(band);
            let statements: Vec<_> = shared.statements.iter().map(Cow::as_ref).collect();
            for part in &shared.parts {
                grafts.extend(self.part(BandLevel { band, ..at }, &statements, part)?);
            }
        }
        Ok(grafts)
    }

    /// What is inside of all levels.
    fn end(&self, at: BandLevel<'_>, statements: &[&Statement]) -> Result<Vec<Graft>> {
        let BandLevel { band, level, .. } = at;
        let has_levels = band.start < band.end;
        let reaching = |statement: &&Statement| Reaching {
            executed: statement.executed.clone(),
            domain: has_levels.then(|| statement.domain(level.dimension - 1).clone()),
            prefix: statement.prefix.clone(),
        };
        let reaching: Vec<_> = statements.iter().map(reaching).collect();
        (self.inside)(&reaching, level.known, level.dimension)
    }

    /// One loop after the other over the pieces of a part.
    fn part(
        &self,
        at: BandLevel<'_>,
        statements: &[&Statement],
        part: &Part,
    ) -> Result<Vec<Graft>> {
        let Part { pieces, isolated, condition } = part;
        let mut grafts = Vec::new();
        let Some(condition) = condition else {
            for piece in pieces {
                let at = BandLevel { isolated: *isolated, ..at };
                grafts.extend(self.piece(at, statements, piece)?);
            }
            return Ok(grafts);
        };
        let condition = condition.gist(at.level.known, self.generation.budget)?;
        let known = &at.level.known.intersect(&condition)?;
        let at = BandLevel { level: at.level.knowing(known), isolated: *isolated, ..at };
        for piece in pieces {
            for graft in self.piece(at, statements, piece)? {
                grafts.push(graft.guarded(&condition)?);
            }
        }
        Ok(grafts)
    }

    /// One loop over a level, or its single value.
    fn piece(
        &self,
        at: BandLevel<'_>,
        statements: &[&Statement],
        piece: &BasicSet,
    ) -> Result<Vec<Graft>> {
        let level = at.level;
        let around = level.around();
        let Some(range) = self.range(statements, piece, &around, level)? else {
            return Ok(Vec::new());
        };
        let cut = around.intersect(&Set::from_basic_set(range.bounds.clone()))?;
        let restricted = restricted(statements, &range, &cut, level)?;
        let restricted: Vec<_> = restricted.iter().map(Cow::as_ref).collect();
        let candidates = active(&restricted, &cut, level)?;
        let head = head(range, &candidates, &cut, level)?;
        let inside = around.intersect(&head.here)?;
        let active = match head.stride.is_some() || head.value.is_some() {
            true => active(&candidates, &inside, level)?,
            false => candidates,
        };
        if active.is_empty() {
            return Ok(Vec::new());
        }
        let next = Level { dimension: level.dimension + 1, known: &inside, ..level };
        let grafts = self.level(BandLevel { level: next, ..at }, &active)?;
        if grafts.is_empty() {
            return Ok(grafts);
        }
        match &head.value {
            Some(value) => self.eliminated(value, &head.here, grafts, level),
            None => Ok(vec![self.loop_around(at, head, grafts, &inside)?]),
        }
    }

    /// The values of a piece; none if it has none. `around` is what is known.
    fn range(
        &self,
        statements: &[&Statement],
        piece: &BasicSet,
        around: &Set,
        level: Level<'_>,
    ) -> Result<Option<Range>> {
        let piece = Set::from_basic_set(piece.clone()).gist(around, level.budget)?;
        let localized = localized(&piece, level.dimension);
        let Ok([bounds]) = <[BasicSet; 1]>::try_from(localized.basic_sets()) else {
            return Ok(None);
        };
        let (bounds, piecewise) = match is_bounded(&bounds, level.dimension) {
            true => (bounds, PiecewiseBounds::default()),
            false => {
                let Generation { options, cut, .. } = *self.generation;
                let search = BoundSearch { cut, conditional: options.conditional_bounds };
                search.bounded(statements, bounds, level)?
            }
        };
        Ok(Some(Range { piece, localized, bounds, piecewise }))
    }

    /// The code inside of a level that has a single value, seen from outside.
    fn eliminated(
        &self,
        value: &Aff,
        here: &Set,
        grafts: Vec<Graft>,
        level: Level<'_>,
    ) -> Result<Vec<Graft>> {
        let Level { dimension, known, budget } = level;
        let equal = value_constraint(value, dimension);
        let pending = here.project_out(DimKind::Out, dimension, 1).gist(known, budget)?;
        let mut result = Vec::new();
        for Graft { guard, nest } in grafts {
            let body = Box::new(nest);
            let nest = Nest::Value { level: dimension, value: value.clone(), body };
            let pending = self.not_enforced(&pending, &nest, known)?;
            let guard = if is_universe(&guard) {
                Set::universe(self.generation.space(dimension))
            } else {
                let outer = guard.intersect(&equal)?.project_out(DimKind::Out, dimension, 1);
                outer.gist(known, budget)?
            };
            result.push(Graft { guard: guard.intersect(&pending)?, nest });
        }
        Ok(result)
    }

    /// The loop around grafts, where `inside` holds in its body.
    fn loop_around(
        &self,
        at: BandLevel<'_>,
        head: Head,
        grafts: Vec<Graft>,
        inside: &Set,
    ) -> Result<Graft> {
        let Level { dimension, known, budget } = at.level;
        let Head { bounds, piecewise, stride, .. } = head;
        let space = self.generation.space(dimension + 1);
        let (common, grafts) = common_guard(grafts, &space, budget)?;
        let common = if is_universe(&common) { common } else { common.gist(inside, budget)? };
        let (outer, inner) = hoisted(&common, dimension, budget)?;
        let body_known = inside.intersect(&common)?;
        let body = under(inner, self.generation.assembled(grafts, &body_known)?);
        let own = needed_bounds(&involving(&bounds, dimension, true), at.level)?;
        let pending = Set::from_basic_set(involving(&bounds, dimension, false));
        let mut pending = pending.project_out(DimKind::Out, dimension, 1);
        if let Some(stride) = &stride {
            pending = pending.intersect(&stride.condition(dimension)?)?.gist(known, budget)?;
        }
        let (level, coincident) = (dimension, at.member().coincident);
        let nest = Loop { level, bounds: own, piecewise, stride, coincident, body };
        let nest = Nest::For(Box::new(nest));
        let pending = self.not_enforced(&pending, &nest, known)?;
        Ok(Graft { guard: pending.intersect(&outer)?, nest })
    }

    /// The part of a condition that the loops of `nest` do not enforce by themselves.
    fn not_enforced(&self, pending: &Set, nest: &Nest, known: &Set) -> Result<Set> {
        if is_universe(pending) || !self.generation.options.exploit_nested_bounds {
            return Ok(pending.clone());
        }
        without_enforced(pending, nest, known, self.generation.budget)
    }
}

/// The stride and the single value of a range of values that `statements` have in `cut`, and what
/// both guarantee.
fn head(range: Range, statements: &[&Statement], cut: &Set, level: Level<'_>) -> Result<Head> {
    let Range { bounds, piecewise, .. } = range;
    let dimension = level.dimension;
    let mut exact = Vec::with_capacity(statements.len());
    for statement in statements {
        exact.push(reached(statement.domain(dimension), cut, level.budget)?);
    }
    let stride = common_stride(&exact, dimension)?;
    let value = single_value(&bounds, stride.as_ref(), level)?;
    let mut here = loop_constraints(&bounds, stride.as_ref(), dimension)?;
    if piecewise.lower.is_some() || piecewise.upper.is_some() {
        here = here.intersect(&implied_by(&piecewise, level)?)?;
    }
    if let Some(value) = &value {
        here = here.intersect(&value_constraint(value, dimension))?;
    }
    Ok(Head { bounds, piecewise, stride, value, here })
}

/// The statements inside a piece of which the bounds of a loop keep only a part, where they have
/// instances in `cut`.
///
/// What the bounds leave out, such as a congruence, most often holds for all values of the
/// statements. It does not if the piece is a single value that is the only multiple within a range.
fn restricted<'s>(
    statements: &[&'s Statement],
    range: &Range,
    cut: &Set,
    level: Level<'_>,
) -> Result<Vec<Cow<'s, Statement>>> {
    let Range { piece, localized, .. } = range;
    let whole = same_pieces(piece, localized);
    let mut restricted = Vec::with_capacity(statements.len());
    for &statement in statements {
        let values = statement.domain(level.dimension);
        restricted.push(match whole || values.intersect(cut)?.is_subset(piece, level.budget)? {
            true => Cow::Borrowed(statement),
            false => Cow::Owned(statement.restricted(level.dimension, piece)?),
        });
    }
    Ok(restricted)
}

/// The disjuncts of a set that have elements where `inside` holds.
fn reached(set: &Set, inside: &Set, budget: &Budget) -> Result<Set> {
    let pieces = set.basic_sets();
    if pieces.len() <= 1 {
        return Ok(set.clone());
    }
    let mut reached = Vec::new();
    for piece in pieces {
        if !Set::from_basic_set(piece.clone()).is_disjoint(inside, budget)? {
            reached.push(piece);
        }
    }
    Ok(Set::from_basic_sets(set.space().clone(), reached))
}

/// The statements with instances where `inside` holds.
fn active<'s>(
    statements: &[&'s Statement],
    inside: &Set,
    level: Level<'_>,
) -> Result<Vec<&'s Statement>> {
    let mut active = Vec::new();
    for statement in statements {
        if !statement.domain(level.dimension).intersect(inside)?.is_empty(level.budget)? {
            active.push(*statement);
        }
    }
    Ok(active)
}
