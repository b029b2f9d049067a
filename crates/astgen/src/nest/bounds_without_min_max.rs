//! Loops without minima and maxima in their bounds.
//!
//! Which of two bounds of a loop is the tighter one is an inequality of what is outside. Where it
//! involves the iterator of a loop around, that loop is split into the values for which it holds
//! and the others; otherwise it becomes a condition. In each part one of the bounds remains. This is
//! the optional pass of Quilleré, Rajopadhye, Wilde, "Generation of efficient nested loops from
//! polyhedra" (IJPP 28(5), 2000), section 5.5, after Chamski.
use crate::level::Level;
use crate::level::bounds::{embedded, involving, is_bounded};
use crate::level::degenerate_dimensions::{single_value, value_constraint};
use crate::level::half_space::{half_space, negation};
use crate::level::piecewise_bounds::PiecewiseBound;
use crate::nest::guard::{block, under};
use crate::nest::tree::{Loop, Nest};
use loopwright_presburger::*;
use std::cmp::Ordering;

/// The most loops and conditions that are added to one program.
const MOST_SPLITS: usize = 256;

/// The nest with loops whose bounds are single expressions, as far as the budget and a limit on the
/// size of the code allow. `known` holds outside.
pub(crate) fn with_single_bounds(
    nest: Nest,
    known: &Set,
    allow_else: bool,
    budget: &Budget,
) -> Result<Nest> {
    Splitting { allow_else, budget, left: MOST_SPLITS }.nest(nest, known)
}

struct Splitting<'a> {
    allow_else: bool,
    budget: &'a Budget,
    /// How many more splits there may be.
    left: usize,
}

impl Splitting<'_> {
    fn nest(&mut self, nest: Nest, known: &Set) -> Result<Nest> {
        let inside = match nest {
            Nest::For(each) => return self.for_loop(*each, known),
            Nest::If { condition, then, otherwise } => {
                return self.condition(condition, *then, otherwise.map(|nest| *nest), known);
            }
            Nest::Value { level, ref value, .. } => {
                let around = known.insert_dims(DimKind::Out, level, 1);
                &around.intersect(&value_constraint(value, level))?
            }
            Nest::Known { ref condition, .. } => &known.intersect(condition)?,
            _ => known,
        };
        nest.map_children(&mut |child| self.nest(child, inside))
    }

    fn condition(
        &mut self,
        condition: Set,
        then: Nest,
        otherwise: Option<Nest>,
        known: &Set,
    ) -> Result<Nest> {
        let inside = known.intersect(&condition)?;
        if is_nowhere(&condition, known, self.budget)? {
            return match otherwise {
                Some(nest) => self.nest(nest, known),
                None => Ok(Nest::Block(Vec::new())),
            };
        }
        let then = Box::new(self.nest(then, &inside)?);
        let otherwise = match otherwise {
            Some(nest) => Some(Box::new(self.nest(nest, known)?)),
            None => None,
        };
        Ok(Nest::If { condition, then, otherwise })
    }

    fn for_loop(&mut self, mut each: Loop, known: &Set) -> Result<Nest> {
        let level = each.level;
        if let Some(nest) = self.by_pieces(&each, known)? {
            return Ok(nest);
        }
        each.bounds = without_dominated(&each.bounds, known, level, self.budget)?;
        if let Some((_, holds, fails)) = undecided(&each.bounds, known, level, self.budget)?
            && self.may_split()
        {
            let outside = |set: &Set| set.project_out(DimKind::Out, level, 1);
            return self.decided(each, [outside(&holds), outside(&fails)], known);
        }
        let around = known.insert_dims(DimKind::Out, level, 1);
        let inside = around.intersect(&each.constraints()?)?;
        if let Some((row, holds, fails)) = wanted(&each.body, &inside, level, self.budget)?
            && self.may_split()
        {
            let rises = row.is_positive();
            return self.parts(each, if rises { [fails, holds] } else { [holds, fails] }, known);
        }
        each.body = self.nest(each.body, &inside)?;
        Ok(Nest::For(Box::new(each)))
    }

    /// The loop for each piece of a piecewise bound, under its condition; none if there is no such bound.
    fn by_pieces(&mut self, each: &Loop, known: &Set) -> Result<Option<Nest>> {
        let mut rest = each.piecewise.clone();
        let (bound, is_upper) = match (rest.lower.take(), rest.upper.take()) {
            (Some(lower), upper) => {
                rest.upper = upper;
                (lower, false)
            }
            (None, Some(upper)) => (upper, true),
            (None, None) => return Ok(None),
        };
        let mut nests = Vec::new();
        for (condition, value) in &pieces_of(&bound, is_upper)? {
            let inside = known.intersect(condition)?;
            if inside.is_empty(self.budget)? {
                continue;
            }
            let own = Set::from_basic_set(each.bounds.clone());
            let own = own.intersect(&bounded_by(value, is_upper, each.level)?)?;
            for values in own.basic_sets() {
                let bounds = involving(&values, each.level, true);
                let part = Loop { bounds, piecewise: rest.clone(), ..each.clone() };
                let part = simplest(part, &values, &inside, self.budget)?;
                let nest = self.nest(part, &inside)?;
                nests.push(under(condition.gist(known, self.budget)?, nest));
            }
        }
        Ok(Some(block(nests)))
    }

    fn may_split(&mut self) -> bool {
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }

    /// The loop under a condition on what is outside, and under the opposite.
    fn decided(&mut self, each: Loop, conditions: [Set; 2], known: &Set) -> Result<Nest> {
        let [holds, fails] = conditions;
        let nest = Nest::For(Box::new(each));
        let then = Box::new(self.nest(nest.clone(), &known.intersect(&holds)?)?);
        let otherwise = Box::new(self.nest(nest, &known.intersect(&fails)?)?);
        if self.allow_else {
            return Ok(Nest::If { condition: holds, then, otherwise: Some(otherwise) });
        }
        Ok(Nest::Block(vec![
            Nest::If { condition: holds, then, otherwise: None },
            Nest::If { condition: fails, then: otherwise, otherwise: None },
        ]))
    }

    /// The loop over one part of its values, then over the other.
    fn parts(&mut self, each: Loop, parts: [Set; 2], known: &Set) -> Result<Nest> {
        let level = each.level;
        let around = known.insert_dims(DimKind::Out, level, 1);
        let mut loops = Vec::new();
        for part in parts {
            let values = Set::from_basic_set(each.bounds.clone()).intersect(&part)?;
            if values.intersect(&around)?.is_empty(self.budget)? {
                continue;
            }
            let [values] = &values.basic_sets()[..] else { continue };
            let part = Loop { bounds: involving(values, level, true), ..each.clone() };
            let part = simplest(part, values, known, self.budget)?;
            loops.push(self.nest(part, known)?);
        }
        Ok(block(loops))
    }
}

/// A bound as disjoint pieces; of forms that are equal somewhere the first one counts.
fn pieces_of(bound: &PiecewiseBound, is_upper: bool) -> Result<Vec<(Set, Aff)>> {
    let forms = match bound {
        PiecewiseBound::Choice(choice) => return Ok(choice.pieces().to_vec()),
        PiecewiseBound::Extreme(forms) => forms,
    };
    let mut pieces = Vec::with_capacity(forms.len());
    for (position, form) in forms.iter().enumerate() {
        let mut domain = Set::universe(form.domain_space().clone());
        for (other_position, other) in forms.iter().enumerate() {
            let distance = if is_upper { form.sub(other)? } else { other.sub(form)? };
            domain = domain.intersect(&match position.cmp(&other_position) {
                Ordering::Less => distance.nonneg_set(),
                Ordering::Equal => continue,
                Ordering::Greater => distance.positive_set(),
            })?;
        }
        pieces.push((domain, form.clone()));
    }
    Ok(pieces)
}

/// The points at depth `level + 1` whose last dimension is at most a value, or at least.
fn bounded_by(value: &Aff, is_upper: bool, level: usize) -> Result<Set> {
    let space = Space::set(value.domain_space().param_names(), Tuple::anonymous(level + 1));
    let value = embedded(value, &space, level);
    let dimension = Aff::variable(&space, DimKind::Out, level);
    let distance = if is_upper { value.sub(&dimension)? } else { dimension.sub(&value)? };
    Ok(distance.nonneg_set())
}

/// The loop over `values`, of which its bounds are a part, or its body if there is at most one value;
/// under the conditions that do not involve its dimension.
fn simplest(each: Loop, values: &BasicSet, known: &Set, budget: &Budget) -> Result<Nest> {
    let (level, values) = (each.level, Set::from_basic_set(values.clone()));
    let outside = |set: &Set| set.project_out(DimKind::Out, level, 1).gist(known, budget);
    match single_value(
        &each.bounds,
        each.stride.as_ref(),
        Level { dimension: level, known, budget },
    )? {
        Some(value) => {
            let mut here = values.intersect(&value_constraint(&value, level))?;
            if let Some(stride) = &each.stride {
                here = here.intersect(&stride.constraint(level))?;
            }
            Ok(under(outside(&here)?, Nest::Value { level, value, body: Box::new(each.body) }))
        }
        None => {
            let [values] = &values.basic_sets()[..] else { return Ok(Nest::For(Box::new(each))) };
            let rest = Set::from_basic_set(involving(values, level, false));
            Ok(under(outside(&rest)?, Nest::For(Box::new(each))))
        }
    }
}

/// An inequality of what is outside of a loop that decides between two of its bounds: its coefficient
/// of the innermost dimension outside, where it holds, and where it does not.
type Decision = (Int, Set, Set);

/// The pairs of bounds on the same side: the inequality that says that the first is at least as tight.
fn comparisons(bounds: &BasicSet, level: usize) -> Vec<(usize, usize, Row)> {
    let map = bounds.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let rows = map.inequalities();
    let mut result = Vec::new();
    for (first, a) in rows.iter().enumerate() {
        for (second, b) in rows.iter().enumerate().skip(first + 1) {
            if a.sign(column) == 0 || a.sign(column) != b.sign(column) {
                continue;
            }
            let mut row = b.clone();
            row.scale(&a.get(column).abs());
            row.add_scaled(&-&b.get(column).abs(), a);
            result.push((first, second, row));
        }
    }
    result
}

/// The bounds without those that are nowhere tighter than another.
fn without_dominated(
    bounds: &BasicSet,
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<BasicSet> {
    let map = bounds.as_basic_map();
    let here = known.insert_dims(DimKind::Out, level, 1);
    let mut dropped = vec![false; map.inequalities().len()];
    for (first, second, row) in comparisons(bounds, level) {
        if dropped[first] || dropped[second] {
            continue;
        }
        let looser = [(second, negation(&row)), (first, row)];
        for (bound, tighter) in looser {
            if !dropped[first] && is_nowhere(&half_space(map, tighter), &here, budget)? {
                dropped[bound] = true;
                break;
            }
        }
    }
    let mut constraints: Vec<Constraint> = Vec::new();
    constraints.extend(map.constraints().into_iter().filter(|each| each.is_equality));
    for (row, dropped) in map.inequalities().iter().zip(&dropped) {
        if !dropped {
            constraints.push(Constraint { is_equality: false, row: row.clone() });
        }
    }
    let locals = map.locals().to_vec();
    let simpler = BasicMap::from_constraints(map.space().clone(), locals, constraints);
    let simpler = BasicSet::from_basic_map(simpler);
    Ok(if is_bounded(&simpler, level) { simpler } else { bounds.clone() })
}

fn is_nowhere(set: &Set, here: &Set, budget: &Budget) -> Result<bool> {
    match set.intersect(here)?.is_empty(budget) {
        Err(Error::Exceeded { .. }) => Ok(false),
        other => other,
    }
}

/// What decides between the first two bounds on one side of a loop, at the depth inside of it.
fn undecided(
    bounds: &BasicSet,
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Option<Decision>> {
    let map = bounds.as_basic_map();
    let here = known.insert_dims(DimKind::Out, level, 1);
    for (_, _, row) in comparisons(bounds, level) {
        let holds = half_space(map, row.clone());
        let fails = half_space(map, negation(&row));
        if !is_nowhere(&holds, &here, budget)? && !is_nowhere(&fails, &here, budget)? {
            return Ok(Some((Int::ZERO, holds, fails)));
        }
    }
    Ok(None)
}

/// A decision for a loop inside `nest` that is an inequality of dimension `level` and what is outside
/// of it, and so can be made by splitting the loop over that dimension.
fn wanted(nest: &Nest, state: &Set, level: usize, budget: &Budget) -> Result<Option<Decision>> {
    match nest {
        Nest::For(each) => {
            if let Some(found) = splitting(&each.bounds, state, level, each.level, budget)? {
                return Ok(Some(found));
            }
            let inside = state.insert_dims(DimKind::Out, each.level, 1);
            wanted(&each.body, &inside.intersect(&each.constraints()?)?, level, budget)
        }
        Nest::Value { level: inner, value, body } => {
            let inside = state.insert_dims(DimKind::Out, *inner, 1);
            let inside = inside.intersect(&value_constraint(value, *inner))?;
            wanted(body, &inside, level, budget)
        }
        Nest::If { condition, then, otherwise } => {
            let found = wanted(then, &state.intersect(condition)?, level, budget)?;
            match (found, otherwise) {
                (None, Some(otherwise)) => wanted(otherwise, state, level, budget),
                (found, _) => Ok(found),
            }
        }
        Nest::Block(children) => {
            for child in children {
                let found = wanted(child, state, level, budget)?;
                if found.is_some() {
                    return Ok(found);
                }
            }
            Ok(None)
        }
        Nest::Known { condition, body } => {
            wanted(body, &state.intersect(condition)?, level, budget)
        }
        Nest::Mark { child, .. } => wanted(child, state, level, budget),
        Nest::User { .. } | Nest::Leaf { .. } => Ok(None),
    }
}

/// The decision for the loop over dimension `inner`, at the depth inside of dimension `level`.
fn splitting(
    bounds: &BasicSet,
    state: &Set,
    level: usize,
    inner: usize,
    budget: &Budget,
) -> Result<Option<Decision>> {
    let map = bounds.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let here = state.insert_dims(DimKind::Out, inner, 1);
    for (_, _, row) in comparisons(bounds, inner) {
        if row.is_zero_at(column) || row.first_nonzero(column + 1..row.len()).is_some() {
            continue;
        }
        let drop = |set: Set| set.project_out(DimKind::Out, level + 1, inner - level);
        let holds = half_space(map, row.clone());
        let fails = half_space(map, negation(&row));
        if !is_nowhere(&holds, &here, budget)? && !is_nowhere(&fails, &here, budget)? {
            return Ok(Some((row.get(column), drop(holds), drop(fails))));
        }
    }
    Ok(None)
}
