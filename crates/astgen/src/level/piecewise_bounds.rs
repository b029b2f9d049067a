//! Bounds of a loop over a union whose parts have none in common.
//!
//! Of `1 <= i <= N` and `1 <= i <= M` no constraint on `i` from above holds on both. The greatest value as a
//! function of what is outside is still a bound: `N` where `N >= M`, and `M` elsewhere, which is printed as
//! `max(N, M)`. So one loop is always enough for several ranges. Grosser, Verdoolaege, Cohen, section 5.8, by
//! parametric integer programming.
//!
//! Where the pieces of that function are neither a minimum or maximum nor two with simple conditions, the
//! greatest of the bounds of all parts takes its place, if each part has one: some iterations more for parts
//! that are empty, but no long conditions to evaluate.
use crate::level::Level;
use crate::level::bounds::{embedded, involving, lower_bound};
use crate::level::min_max::extreme;
use loopwright_presburger::*;

/// Bounds of a dimension that are no constraints: functions of the outer dimensions, by pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct PiecewiseBounds {
    /// No value is less.
    pub(crate) lower: Option<PiecewiseBound>,
    /// No value is greater.
    pub(crate) upper: Option<PiecewiseBound>,
}

/// One such bound.
#[derive(Clone, Debug)]
pub(crate) enum PiecewiseBound {
    /// The least of some forms for a lower bound, the greatest for an upper one.
    Extreme(Vec<Aff>),
    /// One form for each piece. Where there is no piece nothing is executed.
    Choice(PwAff),
}

impl PiecewiseBounds {
    /// Whether no bound is a choice by conditions.
    pub(crate) fn are_extremes(&self) -> bool {
        let is_choice = |bound: &PiecewiseBound| matches!(bound, PiecewiseBound::Choice(_));
        !self.lower.iter().chain(&self.upper).any(is_choice)
    }
}

impl PiecewiseBound {
    /// The forms of which it always has the value of one.
    pub(crate) fn forms(&self) -> Vec<&Aff> {
        match self {
            PiecewiseBound::Extreme(forms) => forms.iter().collect(),
            PiecewiseBound::Choice(choice) => {
                choice.pieces().iter().map(|(_, form)| form).collect()
            }
        }
    }
}

/// The most work for one bound.
const STEPS: u64 = 300_000;

/// The most forms of one bound: it is evaluated each time the loop is entered, an upper one in each
/// iteration.
const MOST_FORMS: usize = 8;

/// The bounds that `bounds`, constraints on dimension `level`, do not state, as functions of the outer
/// dimensions: the least and the greatest value of `domain`, both at depth `level + 1`, where `known`, at
/// depth `level`, holds.
///
/// None if a bound does not exist, or has too many pieces.
///
/// *Cost.* A few times [`STEPS`] of the budget for each bound.
///
/// # Errors
/// [`Error::Exceeded`] if a bound is not found within that limit.
pub(crate) fn piecewise_bounds(
    domain: &Set,
    bounds: &BasicSet,
    level: Level<'_>,
) -> Result<Option<PiecewiseBounds>> {
    let map = bounds.as_basic_map();
    let column = map.offset(DimKind::Out) + level.dimension;
    let has = |sign: i32| {
        map.equalities().iter().any(|row| !row.is_zero_at(column))
            || map.inequalities().iter().any(|row| row.sign(column) == sign)
    };
    let mut result = PiecewiseBounds::default();
    if !has(1) {
        let Some(least) = bound(domain, level, false)? else { return Ok(None) };
        result.lower = Some(least);
    }
    if !has(-1) {
        let Some(greatest) = bound(domain, level, true)? else { return Ok(None) };
        result.upper = Some(greatest);
    }
    Ok(Some(result))
}

/// What dimension `level` is known to be at least, or at most, by piecewise bounds and what holds outside, in
/// constraints: whichever form is the bound.
pub(crate) fn implied_by(bounds: &PiecewiseBounds, level: Level<'_>) -> Result<Set> {
    let around = level.around();
    let space = around.space().clone();
    let dimension = Aff::variable(&space, DimKind::Out, level.dimension);
    let mut result = Set::universe(space.clone());
    for (bound, is_upper) in [(&bounds.lower, false), (&bounds.upper, true)] {
        let Some(bound) = bound else { continue };
        let mut within = Set::empty(space.clone());
        for form in bound.forms() {
            let form = embedded(form, &space, level.dimension);
            let distance = if is_upper { form.sub(&dimension)? } else { dimension.sub(&form)? };
            within = within.union(&distance.nonneg_set().intersect(&around)?)?;
        }
        let part = level.budget.part(STEPS);
        let hull = within.remove_locals().simple_hull(&part);
        level.budget.charge(&part);
        match hull {
            Ok(hull) => {
                result = result.intersect(&Set::from_basic_set(involving(
                    &hull,
                    level.dimension,
                    true,
                )))?
            }
            Err(Error::Exceeded { .. }) => {}
            Err(other) => return Err(other),
        }
    }
    Ok(result)
}

/// The least or greatest value of dimension `level`.
fn bound(domain: &Set, level: Level<'_>, is_greatest: bool) -> Result<Option<PiecewiseBound>> {
    let part = level.budget.part(STEPS);
    let found = exact(domain, level.within(&part), is_greatest);
    level.budget.charge(&part);
    let choice = match found {
        Ok(choice) if !choice.pieces().is_empty() => choice,
        Ok(_) | Err(Error::Invalid { .. }) => return Ok(None),
        Err(exceeded @ Error::Exceeded { .. }) => {
            return match of_all_parts(domain, level, is_greatest)? {
                Some(forms) => Ok(Some(PiecewiseBound::Extreme(forms))),
                None => Err(exceeded),
            };
        }
        Err(other) => return Err(other),
    };
    let pieces: Vec<(&Set, &Aff)> = choice.pieces().iter().map(|(set, form)| (set, form)).collect();
    if let [(_, only)] = &pieces[..] {
        return Ok(Some(PiecewiseBound::Extreme(vec![(*only).clone()])));
    }
    let part = level.budget.part(STEPS);
    let found = extreme(&pieces, level.known, &part);
    level.budget.charge(&part);
    match found {
        Ok(Some(found)) if found.is_max == is_greatest && found.forms.len() <= MOST_FORMS => {
            return Ok(Some(PiecewiseBound::Extreme(found.forms.into_iter().cloned().collect())));
        }
        Ok(_) | Err(Error::Exceeded { .. }) => {}
        Err(other) => return Err(other),
    }
    let is_simple = |(set, _): &(&Set, &Aff)| set.as_map().basic_maps().len() <= 1;
    let is_short = pieces.len() <= 2 && pieces.iter().all(is_simple);
    if !is_short && let Some(forms) = of_all_parts(domain, level, is_greatest)? {
        return Ok(Some(PiecewiseBound::Extreme(forms)));
    }
    Ok((pieces.len() <= MOST_FORMS).then(|| PiecewiseBound::Choice(choice.clone())))
}

/// The bounds of all parts of the domain, each of which has one, without those that are nowhere the furthest.
fn of_all_parts(domain: &Set, level: Level<'_>, is_greatest: bool) -> Result<Option<Vec<Aff>>> {
    let mut forms: Vec<Aff> = Vec::new();
    for part in domain.basic_sets() {
        let map = part.as_basic_map();
        let column = map.offset(DimKind::Out) + level.dimension;
        if map.locals().iter().any(|local| matches!(local, Local::Unknown)) {
            return Ok(None);
        }
        let sign = if is_greatest { -1 } else { 1 };
        let equal = map.equalities().iter().filter(|row| row.get(column).abs().is_one());
        let mut bounds: Vec<Aff> =
            equal.take(1).map(|row| lower_bound(map, row, level.dimension)).collect();
        if bounds.is_empty() {
            let rows = map.inequalities().iter().filter(|row| row.sign(column) == sign);
            bounds.extend(rows.map(|row| lower_bound(map, row, level.dimension)));
        }
        let [bound] = &bounds[..] else { return Ok(None) };
        if !forms.iter().any(|other| other.plain_is_equal(bound)) {
            forms.push(bound.clone());
        }
    }
    let mut position = 0;
    while position < forms.len() {
        let mut is_needed = true;
        for (_, other) in forms.iter().enumerate().filter(|(other, _)| *other != position) {
            let form = &forms[position];
            let beyond = if is_greatest { form.sub(other)? } else { other.sub(form)? };
            let part = level.budget.part(STEPS);
            let empty = level.known.intersect(&beyond.positive_set())?.is_empty(&part);
            level.budget.charge(&part);
            is_needed = is_needed && !matches!(empty, Ok(true));
        }
        match is_needed {
            true => position += 1,
            false => drop(forms.remove(position)),
        }
    }
    Ok((1..=MOST_FORMS).contains(&forms.len()).then_some(forms))
}

/// The least or greatest value of dimension `level` as a function of the outer ones.
fn exact(domain: &Set, level: Level<'_>, is_greatest: bool) -> Result<PwAff> {
    let space = domain.space();
    let outer = Space::set(space.param_names(), Tuple::anonymous(level.dimension));
    let prefixes = Map::universe(outer.map_to(space));
    let prefixes =
        (0..level.dimension).fold(prefixes, |map, p| map.equate(DimKind::In, p, DimKind::Out, p));
    let values = prefixes.intersect_range(domain)?.project_out(DimKind::Out, 0, level.dimension);
    let found = match is_greatest {
        true => values.dim_max(0, level.budget),
        false => values.dim_min(0, level.budget),
    };
    found?.gist(level.known, level.budget)?.coalesce(level.budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds_of(domain: &str, known: &str, dimension: usize) -> Option<PiecewiseBounds> {
        let domain = Set::parse(domain).expect("a set");
        let known = Set::parse(known).expect("a set").align_params(domain.space());
        let none = BasicSet::universe(domain.space().clone());
        let budget = &Budget::unlimited();
        let level = Level { dimension, known: &known, budget };
        piecewise_bounds(&domain, &none, level).expect("no limit")
    }

    #[test]
    fn the_greatest_of_two_unrelated_bounds_has_a_piece_for_each() {
        let text = "[N, M] -> { [i] : 1 <= i <= N or 1 <= i <= M }";
        let found = bounds_of(text, "{ [] }", 0).expect("bounds");
        assert_eq!(found.lower.expect("a lower bound").forms().len(), 1);
        assert_eq!(found.upper.expect("an upper bound").forms().len(), 2);
    }

    #[test]
    fn bounds_may_depend_on_outer_dimensions() {
        let found = bounds_of("{ [i, j] : j = 4 or j = 2i }", "{ [i] : 0 <= i <= 5 }", 1);
        let found = found.expect("bounds");
        for bound in [found.lower, found.upper] {
            assert_eq!(bound.expect("a bound").forms().len(), 2);
        }
    }

    #[test]
    fn what_has_no_end_has_no_bound() {
        assert!(bounds_of("[N] -> { [i] : i >= 1 or i = N }", "{ [] }", 0).is_none());
    }
}
