//! The levels of a band: which statements share a loop, its pieces, and what is inside.
use crate::cut::components::{components, may_follow};
use crate::cut::shift::{Shift, common_shift, refers_to_outer_dimensions};
use crate::descent::cut::Value;
use crate::descent::{Descent, Reaching};
use crate::level::bounds::{involving, is_bounded, without_far_bounds};
use crate::level::degenerate_dimensions::{single_value, value_constraint};
use crate::level::implied_constraints::without_implied;
use crate::level::localized::localized;
use crate::level::piecewise_bounds::{PiecewiseBounds, implied_by, piecewise_bounds};
use crate::level::plain_sets::{is_universe, same_pieces};
use crate::level::stride::{Stride, common_stride, loop_constraints};
use crate::model::depth::within_depth;
use crate::model::statement::Statement;
use crate::nest::condition_tree::assembled;
use crate::nest::guard::{common_guard, hoisted, under, without_enforced};
use crate::nest::tree::{Graft, Nest};
use crate::options::strategy::{Baseline, Strategy};
use loopwright_presburger::*;
use loopwright_schedule::{AstLoopType, Member, Node};
use std::borrow::Cow;

/// The levels of a band, or of the dimensions of instances that are left unordered.
pub(super) struct Levels<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) members: Vec<Member>,
    /// For every dimension of a flat schedule, the types of loops by part.
    pub(super) settings: Vec<Vec<(AstLoopType, Set)>>,
    pub(super) isolate: Option<Set>,
    pub(super) child: &'a Node,
}

impl Levels<'_> {
    /// The shift that lets the statements share a loop, unless something further inside refers to
    /// the dimensions of the schedule.
    fn shift(
        &self,
        statements: &[&Statement],
        level: usize,
        scale_strides: bool,
    ) -> Result<Option<Shift>> {
        let mut own = self.settings.iter().skip(level - self.start).take(1).flatten();
        let is_free = own.all(|(_, part)| is_universe(part));
        if !is_free || refers_to_outer_dimensions(self.child) {
            return Ok(None);
        }
        let shift = common_shift(statements, level, scale_strides)?;
        Ok(shift.filter(|shift| self.isolate.is_none() || shift.is_uniform()))
    }

    /// With the new dimension of a shift in front of `level`, which takes the type of its loop.
    fn shifted(&self, level: usize, shift: &Shift) -> Self {
        let position = level - self.start;
        let mut settings = self.settings.clone();
        for (_, part) in settings.iter_mut().skip(position + 1).flatten() {
            *part = part.insert_dims(DimKind::Out, level, 1);
        }
        if !settings.is_empty() {
            settings.insert(position + 1, Vec::new());
        }
        let mut members = self.members.clone();
        if let Some(member) = members.get(position).copied() {
            let coincident = member.coincident;
            members.insert(position + 1, Member { coincident, ..Member::default() });
        }
        let isolate = self.isolate.as_ref().map(|set| shift.applied(set, level));
        Levels { end: self.end + 1, members, settings, isolate, ..*self }
    }
}

/// Where the descent stands in a band.
#[derive(Clone, Copy)]
pub(super) struct Position<'a> {
    pub(super) levels: &'a Levels<'a>,
    /// The dimension whose loops come next.
    pub(super) level: usize,
    /// What holds for the dimensions outside of it.
    pub(super) known: &'a Set,
    /// Whether this is inside an isolated part.
    pub(super) isolated: bool,
}

impl Descent<'_> {
    /// The code from a level of a band on.
    pub(super) fn level(&self, at: Position<'_>, statements: &[&Statement]) -> Result<Vec<Graft>> {
        let Position { levels, level, known, .. } = at;
        within_depth(level)?;
        if level == levels.end {
            let reaching = |statement: &&Statement| Reaching {
                executed: statement.executed.clone(),
                domain: (levels.start < levels.end).then(|| statement.domain(level - 1).clone()),
                prefix: statement.prefix.clone(),
            };
            let reaching: Vec<_> = statements.iter().map(reaching).collect();
            return self.node(levels.child, &reaching, known, level);
        }
        let mut grafts = Vec::new();
        if let Some(groups) = self.groups_of_strategy(statements, known, level)? {
            for (members, pieces) in groups {
                let at = Position { isolated: false, ..at };
                for piece in pieces {
                    grafts.extend(self.piece(at, &members, &piece)?);
                }
            }
            return Ok(grafts);
        }
        for component in self.components(at, statements)? {
            let members: Vec<_> = component.iter().map(|&i| statements[i]).collect();
            grafts.extend(self.component(at, &members)?);
        }
        Ok(grafts)
    }

    /// The groups of statements that share the loops at `level`, in order.
    fn components(&self, at: Position<'_>, statements: &[&Statement]) -> Result<Vec<Vec<usize>>> {
        if statements.len() == 1 {
            return Ok(vec![vec![0]]);
        }
        let domains: Vec<&Set> = statements.iter().map(|each| each.domain(at.level)).collect();
        components(&domains, at.level, |a, b| self.follows(at, statements[a], statements[b]))
    }

    /// Whether some instance of `second` may come after one of `first` for equal outer dimensions.
    fn follows(&self, at: Position<'_>, first: &Statement, second: &Statement) -> Result<bool> {
        let mut known = at.known.clone();
        for level in at.level..at.levels.end {
            let (a, b) = (first.domain(level), second.domain(level));
            if may_follow(a, b, &known, level, self.budget)? {
                return Ok(true);
            }
            known = known.insert_dims(DimKind::Out, level, 1);
            let equal = a.intersect(b)?.intersect(&known)?;
            if equal.is_empty(self.budget)? {
                return Ok(false);
            }
        }
        let grouped = self.options.group_coscheduled;
        Ok(comes_after(at.levels.child, &first.space(), &second.space(), grouped))
    }

    /// The loops over dimension `level` for statements that have to share them.
    fn component(&self, at: Position<'_>, statements: &[&Statement]) -> Result<Vec<Graft>> {
        let level = at.level;
        let scale_strides = self.options.scale_strides;
        if let Some(shift) = at.levels.shift(statements, level, scale_strides)? {
            let shifted: Vec<Statement> = (statements.iter().zip(&shift.residues))
                .map(|(statement, residue)| statement.shifted(level, &shift.divisor, residue))
                .collect();
            let levels = &at.levels.shifted(level, &shift);
            let statements: Vec<&Statement> = shifted.iter().collect();
            return self.cut(Position { levels, ..at }, &statements);
        }
        self.cut(at, statements)
    }

    /// One loop after the other over dimension `level`.
    fn cut(&self, at: Position<'_>, statements: &[&Statement]) -> Result<Vec<Graft>> {
        let values: Vec<Value<'_>> =
            statements.iter().map(|each| (*each, each.domain(at.level).clone())).collect();
        let mut grafts = Vec::new();
        for part in self.parts(at, &values)? {
            let condition = part.condition.gist(at.known, self.budget)?;
            let known = &at.known.intersect(&condition)?;
            let at = Position { known, isolated: part.isolated, ..at };
            for piece in &part.pieces {
                for graft in self.piece(at, statements, piece)? {
                    grafts.push(graft.guarded(&condition)?);
                }
            }
        }
        Ok(grafts)
    }

    /// One loop over dimension `level`, or its single value.
    fn piece(
        &self,
        at: Position<'_>,
        statements: &[&Statement],
        piece: &BasicSet,
    ) -> Result<Vec<Graft>> {
        let Position { levels, level, known, .. } = at;
        let outside = known.insert_dims(DimKind::Out, level, 1);
        let simplified = Set::from_basic_set(piece.clone()).gist(&outside, self.budget)?;
        let localized = localized(&simplified, level);
        let Ok([mut bounds]) = <[BasicSet; 1]>::try_from(localized.basic_sets()) else {
            return Ok(Vec::new());
        };
        let mut piecewise = PiecewiseBounds::default();
        if !is_bounded(&bounds, level) {
            (bounds, piecewise) = self.bounded(statements, bounds, known, level)?;
        }
        let bounds = &bounds;
        let cut = outside.intersect(&Set::from_basic_set(bounds.clone()))?;
        let restricted = self.restricted(statements, &simplified, &localized, &cut, level)?;
        let restricted: Vec<&Statement> = restricted.iter().map(|each| each.as_ref()).collect();
        let statements = &restricted[..];
        let candidates = self.active(statements, &cut, level)?;
        let mut exact = Vec::with_capacity(candidates.len());
        for statement in &candidates {
            exact.push(self.reached(statement.domain(level), &cut)?);
        }
        let stride = common_stride(&exact, level)?;
        let value = single_value(bounds, stride.as_ref(), known, level, self.budget)?;
        let mut here = loop_constraints(bounds, stride.as_ref(), level)?;
        if piecewise.lower.is_some() || piecewise.upper.is_some() {
            here = here.intersect(&implied_by(&piecewise, known, level, self.budget)?)?;
        }
        if let Some(value) = &value {
            here = here.intersect(&value_constraint(value, level))?;
        }
        let inside = outside.intersect(&here)?;
        let active = match stride.is_some() || value.is_some() {
            true => self.active(&candidates, &inside, level)?,
            false => candidates,
        };
        if active.is_empty() {
            return Ok(Vec::new());
        }
        let next = Position { level: level + 1, known: &inside, ..at };
        let grafts = self.level(next, &active)?;
        if grafts.is_empty() {
            return Ok(grafts);
        }
        match value {
            Some(value) => self.eliminated(value, &here, grafts, known, level),
            None => {
                let coincident =
                    levels.members.get(level - levels.start).is_some_and(|m| m.coincident);
                let each = Loop { level, bounds, piecewise, stride, coincident };
                Ok(vec![self.loop_around(each, grafts, &inside, known)?])
            }
        }
    }

    /// The statements inside a piece of which the bounds of a loop keep only `localized`, where they
    /// have instances in `cut`.
    ///
    /// What the bounds leave out, such as a congruence, most often holds for all values of the
    /// statements. It does not if the piece is a single value that is the only multiple within a range.
    fn restricted<'s>(
        &self,
        statements: &[&'s Statement],
        piece: &Set,
        localized: &Set,
        cut: &Set,
        level: usize,
    ) -> Result<Vec<Cow<'s, Statement>>> {
        let whole = same_pieces(piece, localized);
        let mut restricted = Vec::with_capacity(statements.len());
        for &statement in statements {
            let inside =
                whole || statement.domain(level).intersect(cut)?.is_subset(piece, self.budget)?;
            restricted.push(match inside {
                true => Cow::Borrowed(statement),
                false => Cow::Owned(statement.restricted(level, piece)?),
            });
        }
        Ok(restricted)
    }

    /// A piece with further bounds: constraints that the values of the statements imply without stating them,
    /// or else piecewise ones; the piece as it is if there are none.
    fn bounded(
        &self,
        statements: &[&Statement],
        bounds: BasicSet,
        known: &Set,
        level: usize,
    ) -> Result<(BasicSet, PiecewiseBounds)> {
        let piece = Set::from_basic_set(bounds.clone());
        let here = known.insert_dims(DimKind::Out, level, 1).intersect(&piece)?;
        let mut basics = Vec::new();
        for statement in statements {
            for basic in statement.domain(level).intersect(&here)?.basic_sets() {
                if !Set::from_basic_set(basic.clone()).is_empty(self.budget)? {
                    basics.push(basic);
                }
            }
        }
        let values = Set::from_basic_sets(piece.space().clone(), basics);
        let rational = values.remove_divs();
        let hull = rational.simple_hull(self.budget)?;
        let with = |hull: BasicSet| -> Result<Option<BasicSet>> {
            let bounds = Set::from_basic_set(involving(&hull, level, true));
            let bounded = piece.intersect(&bounds)?.basic_sets();
            Ok(bounded.into_iter().find(|basic| is_bounded(basic, level)))
        };
        if let Some(bounded) = with(without_far_bounds(hull.clone(), &rational, level))? {
            return Ok((bounded, PiecewiseBounds::default()));
        }
        let values = self.values_for_bounds(&values, level);
        match piecewise_bounds(&values, &bounds, known, level, self.budget) {
            Ok(Some(found)) => match with(hull)? {
                Some(bounded) if !self.options.conditional_bounds && !found.are_extremes() => {
                    Ok((bounded, PiecewiseBounds::default()))
                }
                _ => Ok((bounds, found)),
            },
            Ok(None) => Ok((with(hull)?.unwrap_or(bounds), PiecewiseBounds::default())),
            Err(exceeded @ Error::Exceeded { .. }) => match with(hull)? {
                Some(bounded) => Ok((bounded, PiecewiseBounds::default())),
                None => Err(exceeded),
            },
            Err(other) => Err(other),
        }
    }

    /// What bounds of dimension `level` are taken from: its values, for a bounding box whatever the outer dimensions
    /// are.
    fn values_for_bounds(&self, values: &Set, level: usize) -> Set {
        match self.options.strategy {
            Strategy::Baseline(Baseline::BoundingBox) => {
                let shadow = values.project_out(DimKind::Out, 0, level);
                localized(&shadow.insert_dims(DimKind::Out, 0, level), level)
            }
            _ => localized(values, level),
        }
    }

    /// The disjuncts of a set that have elements where `inside` holds.
    fn reached(&self, set: &Set, inside: &Set) -> Result<Set> {
        let pieces = set.basic_sets();
        if pieces.len() <= 1 {
            return Ok(set.clone());
        }
        let mut reached = Vec::new();
        for piece in pieces {
            if !Set::from_basic_set(piece.clone()).is_disjoint(inside, self.budget)? {
                reached.push(piece);
            }
        }
        Ok(Set::from_basic_sets(set.space().clone(), reached))
    }

    /// The statements with instances where `inside` holds.
    fn active<'s>(
        &self,
        statements: &[&'s Statement],
        inside: &Set,
        level: usize,
    ) -> Result<Vec<&'s Statement>> {
        let mut active = Vec::new();
        for statement in statements {
            if !statement.domain(level).intersect(inside)?.is_empty(self.budget)? {
                active.push(*statement);
            }
        }
        Ok(active)
    }

    /// The code inside dimension `level` that has a single value, seen from outside.
    fn eliminated(
        &self,
        value: Aff,
        here: &Set,
        grafts: Vec<Graft>,
        known: &Set,
        level: usize,
    ) -> Result<Vec<Graft>> {
        let equal = value_constraint(&value, level);
        let pending = here.project_out(DimKind::Out, level, 1).gist(known, self.budget)?;
        let mut result = Vec::new();
        for Graft { guard, nest } in grafts {
            let body = Box::new(nest);
            let nest = Nest::Value { level, value: value.clone(), body };
            let pending = self.not_enforced(&pending, &nest, known)?;
            let guard = if is_universe(&guard) {
                Set::universe(self.space(level))
            } else {
                let outer = guard.intersect(&equal)?.project_out(DimKind::Out, level, 1);
                outer.gist(known, self.budget)?
            };
            result.push(Graft { guard: guard.intersect(&pending)?, nest });
        }
        Ok(result)
    }

    /// The loop around grafts.
    fn loop_around(
        &self,
        each: Loop<'_>,
        grafts: Vec<Graft>,
        inside: &Set,
        known: &Set,
    ) -> Result<Graft> {
        let Loop { level, bounds, piecewise, stride, coincident } = each;
        let (common, grafts) = common_guard(grafts, &self.space(level + 1), self.budget)?;
        let common =
            if is_universe(&common) { common } else { common.gist(inside, self.budget)? };
        let (outer, inner) = hoisted(&common, level, self.budget)?;
        let body_known = inside.intersect(&common)?;
        let body =
            under(inner, assembled(grafts, &body_known, self.options.allow_else, self.budget)?);
        let own = self.needed_bounds(&involving(bounds, level, true), known, level)?;
        let pending = Set::from_basic_set(involving(bounds, level, false));
        let mut pending = pending.project_out(DimKind::Out, level, 1);
        if let Some(stride) = &stride {
            pending = pending.intersect(&stride.condition(level)?)?.gist(known, self.budget)?;
        }
        let body = Box::new(body);
        let piecewise = Box::new(piecewise);
        let nest = Nest::For { level, bounds: own, piecewise, stride, coincident, body };
        let pending = self.not_enforced(&pending, &nest, known)?;
        Ok(Graft { guard: pending.intersect(&outer)?, nest })
    }

    /// The bounds without those that follow from others and from what holds outside, where there are several on a
    /// side.
    fn needed_bounds(&self, bounds: &BasicSet, known: &Set, level: usize) -> Result<BasicSet> {
        let map = bounds.as_basic_map();
        let column = map.offset(DimKind::Out) + level;
        let n =
            |sign: i32| map.inequalities().iter().filter(|row| row.sign(column) == sign).count();
        if n(1) <= 1 && n(-1) <= 1 {
            return Ok(bounds.clone());
        }
        let around = known.insert_dims(DimKind::Out, level, 1);
        let constraints = without_implied(map, map.constraints(), &around)?;
        let locals = map.locals().to_vec();
        let needed = BasicMap::from_constraints(map.space().clone(), locals, constraints);
        let needed = BasicSet::from_basic_map(needed);
        Ok(if is_bounded(&needed, level) { needed } else { bounds.clone() })
    }

    /// The part of a condition that the loops of `nest` do not enforce by themselves.
    fn not_enforced(&self, pending: &Set, nest: &Nest, known: &Set) -> Result<Set> {
        if is_universe(pending) || !self.options.exploit_nested_bounds {
            return Ok(pending.clone());
        }
        without_enforced(pending, nest, known, self.budget)
    }
}

/// What a loop is made of.
struct Loop<'a> {
    level: usize,
    bounds: &'a BasicSet,
    piecewise: PiecewiseBounds,
    stride: Option<Stride>,
    coincident: bool,
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
