//! How the values of a dimension are cut into pieces that become loops.
use crate::cut::components::{components, may_follow};
use crate::cut::order::ordered;
use crate::cut::regions::separated;
use crate::dimension::piecewise_bounds::piecewise_bounds;
use crate::nest::tree::PiecewiseBounds;
use loopwright_presburger::*;
use std::collections::BTreeMap;

/// The most work for one convex hull.
const HULL_STEPS: u64 = 300_000;

/// An over-approximation of a set at depth `level + 1` that can serve for loop bounds: without
/// existentials, and without floors of the dimension itself.
///
/// A bound must not depend on its own iterator, and a constraint with a floor of the dimension may
/// fail at one value and hold at a greater one. What is lost here are strides and conditions that
/// later levels recover.
pub(crate) fn localized(set: &Set, level: usize) -> Set {
    if set.as_map().basic_maps().iter().all(|basic| basic.locals().is_empty()) {
        return set.clone();
    }
    let pieces = set
        .as_map()
        .basic_maps()
        .iter()
        .map(|basic| BasicSet::from_basic_map(with_floors_from_equalities(basic, level)));
    let set = Set::from_basic_sets(set.space().clone(), pieces.collect());
    set.remove_unknown_divs().remove_divs_involving_dims(DimKind::Out, level, 1)
}

/// With floors in place of existentials that an equality without dimension `level` determines: `2 e = c` says `e = ⌊c/2⌋`.
fn with_floors_from_equalities(basic: &BasicMap, level: usize) -> BasicMap {
    let first = basic.offset(DimKind::Local);
    let dimension = basic.offset(DimKind::Out) + level;
    let mut locals = basic.locals().to_vec();
    for (position, local) in locals.iter_mut().enumerate() {
        let column = first + position;
        let determines = |row: &&Row| {
            let others = (first..row.len()).filter(|&other| other != column);
            !row.is_zero_at(column)
                && row.is_zero_at(dimension)
                && others.into_iter().all(|other| row.is_zero_at(other))
        };
        if matches!(local, Local::Unknown)
            && let Some(row) = basic.equalities().iter().find(determines)
        {
            let mut numerator = row.clone();
            if row.get(column).is_positive() {
                numerator.negate();
            }
            numerator.set(column, Int::ZERO);
            *local = Local::Floor { numerator, denominator: row.get(column).abs() };
        }
    }
    BasicMap::from_constraints(basic.space().clone(), locals, basic.constraints())
}

/// A further over-approximation without floors, if floors would only make the bounds of dimension
/// `level` tighter. Inner loops run zero times where that lets too much through.
pub(crate) fn without_floors(set: Set, level: usize) -> Set {
    let bounds_use_floors = |basic: &BasicMap| {
        let column = basic.offset(DimKind::Out) + level;
        let first = basic.offset(DimKind::Local);
        let fixed = basic.equalities().iter().any(|row| !row.is_zero_at(column));
        let uses =
            |row: &Row| !row.is_zero_at(column) && row.first_nonzero(first..row.len()).is_some();
        !fixed && basic.inequalities().iter().any(uses)
    };
    if !set.as_map().basic_maps().iter().any(bounds_use_floors) {
        return set;
    }
    let simpler = set.remove_divs();
    if simpler.basic_sets().iter().all(|basic| is_bounded(basic, level)) { simpler } else { set }
}

/// Disjoint pieces that cover the sets, in execution order, at most `most` if possible.
///
/// The usual case is that one of the pieces of the union, after merging, contains all others.
pub(crate) fn default_pieces(
    domains: &[Set],
    known: &Set,
    level: usize,
    most: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    if let Some(values) = constant_values(&distinct_pieces(domains).0, level, most, budget)? {
        return Ok(values);
    }
    let union = distinct_union(domains, known, budget)?;
    if let [single] = &union.basic_sets()[..] {
        return Ok(vec![single.clone()]);
    }
    if let Some(piece) = same_bounds(&union, level) {
        return Ok(vec![piece]);
    }
    if most <= 1
        && let Ok(piece) = bounded_hull(&union, known, level, budget)
    {
        return Ok(vec![piece]);
    }
    let pieces = match union.make_disjoint(budget) {
        Ok(disjoint) => disjoint.coalesce(budget)?.basic_sets(),
        Err(Error::Exceeded { .. }) => {
            return Ok(vec![bounded_hull(&union, known, level, &Budget::unlimited())?]);
        }
        Err(other) => return Err(other),
    };
    if pieces.len() > most
        && let Ok(piece) = bounded_hull(&union, known, level, budget)
    {
        return Ok(vec![piece]);
    }
    sorted(pieces, known, level, budget)
}

/// One piece for each value of the dimension in ascending order, if all pieces of the sets fix it to constants: those of
/// a schedule with several pieces, of which a loop would have to find out in each iteration whose turn it is.
fn constant_values(
    union: &Set,
    level: usize,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<BasicSet>>> {
    let mut of_value: BTreeMap<Int, Vec<BasicSet>> = BTreeMap::new();
    for piece in union.basic_sets() {
        let alone = Set::from_basic_set(piece.clone());
        let Some(value) = alone.plain_get_val_if_fixed(DimKind::Out, level) else {
            return Ok(None);
        };
        of_value.entry(value).or_default().push(piece);
    }
    if !(2..=most).contains(&of_value.len()) {
        return Ok(None);
    }
    let mut values = Vec::with_capacity(of_value.len());
    for pieces in of_value.into_values() {
        let same = Set::from_basic_sets(union.space().clone(), pieces);
        values.push(same.unshifted_simple_hull(budget)?);
    }
    Ok(Some(values))
}

/// One piece that covers the sets. If the constraints that they share do not bound the dimension, the loop gets a
/// piecewise bound; as few pieces as possible only if none is found within the limits, or if conditions would have to
/// choose and these are not wanted.
pub(crate) fn atomic_pieces(
    domains: &[Set],
    known: &Set,
    level: usize,
    conditional_bounds: bool,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    let suitable = |bounds: &PiecewiseBounds| conditional_bounds || bounds.are_extremes();
    covering(domains, known, level, budget, |_| Ok(None), suitable)
}

/// One piece that covers the sets, if need be with bounds that none of them has, or with the least or greatest of
/// several; as few pieces as possible where there are none, or where they take too long.
pub(crate) fn superset(
    domains: &[Set],
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    covering(
        domains,
        known,
        level,
        budget,
        |distinct| {
            let part = budget.part(HULL_STEPS);
            let inside = distinct.intersect(&known.insert_dims(DimKind::Out, level, 1))?;
            let hull = inside.remove_divs().convex_hull(&part);
            budget.charge(&part);
            Ok(hull.ok().filter(|hull| is_bounded(hull, level)))
        },
        PiecewiseBounds::are_extremes,
    )
}

/// One piece by the constraints that the sets share; if those do not bound the dimension, the other
/// hull, or else a piece without bounds for which `suitable` piecewise ones exist, or else as few pieces as
/// possible.
fn covering(
    domains: &[Set],
    known: &Set,
    level: usize,
    budget: &Budget,
    other_hull: impl FnOnce(&Set) -> Result<Option<BasicSet>>,
    suitable: impl FnOnce(&PiecewiseBounds) -> bool,
) -> Result<Vec<BasicSet>> {
    let (distinct, is_single) = distinct_pieces(domains);
    if is_single {
        return Ok(distinct.basic_sets());
    }
    if let Ok(piece) = bounded_hull(&distinct, known, level, budget) {
        return Ok(vec![piece]);
    }
    if let Some(piece) = other_hull(&distinct)? {
        return Ok(vec![piece]);
    }
    match with_piecewise_bounds(&distinct, known, level, budget, suitable)? {
        Some(piece) => Ok(vec![piece]),
        None => default_pieces(domains, known, level, usize::MAX, budget),
    }
}

/// The constraints that the pieces share, if `suitable` piecewise bounds take the place of those of dimension `level` that are
/// missing, and are found within their limits.
pub(crate) fn with_piecewise_bounds(
    union: &Set,
    known: &Set,
    level: usize,
    budget: &Budget,
    suitable: impl FnOnce(&PiecewiseBounds) -> bool,
) -> Result<Option<BasicSet>> {
    let inside = union.intersect(&known.insert_dims(DimKind::Out, level, 1))?;
    let hull = inside.unshifted_simple_hull(budget)?;
    match piecewise_bounds(&inside, &hull, known, level, budget) {
        Ok(found) => Ok(found.filter(suitable).map(|_| hull)),
        Err(Error::Exceeded { .. }) if budget.remaining() > 0 => Ok(None),
        Err(other) => Err(other),
    }
}

/// The common refinement of the sets: in every piece each of them is either all or nothing.
///
/// Quilleré, Rajopadhye, Wilde, "Generation of Efficient Nested Loops from Polyhedra" (IJPP 28(5),
/// 2000), step 3 of the algorithm.
///
/// `explicit` is what the relations behind the sets state about the dimensions, if bounds that only
/// follow from it are to be left out.
pub(crate) fn separate_pieces(
    domains: &[Set],
    explicit: Option<&[Set]>,
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    let parts = match (domains, explicit) {
        ([_], _) | (_, None) => separated(domains, None, budget)?,
        (_, Some(explicit)) => {
            let shared = shared_constraints(domains, budget)?;
            let simplified = domains.iter().zip(explicit).map(|(domain, explicit)| {
                without_implied_constraints(domain, explicit, &shared, level)
            });
            separated(&simplified.collect::<Result<Vec<Set>>>()?, None, budget)?
        }
    };
    let mut pieces = Vec::new();
    for part in parts {
        pieces.extend(part.make_disjoint(budget)?.basic_sets());
    }
    sorted(pieces, known, level, budget)
}

/// The pieces of `domains`, which are in `part`, unless they cover something outside of the part: then
/// exact ones.
pub(crate) fn inside(
    pieces: Vec<BasicSet>,
    part: &Set,
    domains: &[Set],
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    let known_here = known.insert_dims(DimKind::Out, level, 1);
    for piece in &pieces {
        let reached = Set::from_basic_set(piece.clone()).intersect(&known_here)?;
        if !reached.is_subset(part, budget)? {
            let domains: Vec<Set> = domains.iter().map(|set| localized(set, level)).collect();
            let exact = distinct_pieces(&domains).0.intersect(part)?.make_disjoint(budget)?;
            return sorted(exact.coalesce(budget)?.basic_sets(), known, level, budget);
        }
    }
    Ok(pieces)
}

/// A set without constraints that only follow from the existence of values of inner dimensions: loops
/// inside take care of those, so they are no reason for loops of their own.
///
/// `explicit` is what the relation behind the set states itself, `shared` what holds for all sets.
fn without_implied_constraints(
    domain: &Set,
    explicit: &Set,
    shared: &Set,
    level: usize,
) -> Result<Set> {
    if domain.as_map().basic_maps().len() != 1 {
        return Ok(domain.clone());
    }
    let simpler = localized(&explicit.intersect(shared)?, level);
    match &simpler.basic_sets()[..] {
        [single] if is_bounded(single, level) => Ok(simpler),
        _ => Ok(domain.clone()),
    }
}

/// What all sets say.
fn shared_constraints(domains: &[Set], budget: &Budget) -> Result<Set> {
    let basics = domains.iter().flat_map(|domain| domain.basic_sets()).collect();
    let all = Set::from_basic_sets(domains[0].space().clone(), basics);
    Ok(Set::from_basic_set(all.unshifted_simple_hull(budget)?))
}

/// What the pieces say about dimension `level`, if they all say the same.
fn same_bounds(union: &Set, level: usize) -> Option<BasicSet> {
    let pieces = union.basic_sets();
    let bounds: Vec<BasicSet> = pieces.iter().map(|piece| involving(piece, level, true)).collect();
    let (first, rest) = bounds.split_first()?;
    let same = |other: &BasicSet| plain_equal(first.as_basic_map(), other.as_basic_map());
    (rest.iter().all(same) && is_bounded(first, level)).then(|| first.clone())
}

/// The union without repetitions, merged where that loses nothing.
fn distinct_union(domains: &[Set], known: &Set, budget: &Budget) -> Result<Set> {
    let (union, is_single) = distinct_pieces(domains);
    if is_single {
        return Ok(union);
    }
    let depth = union.n(DimKind::Out);
    let outer = known.insert_dims(DimKind::Out, depth - 1, 1);
    union.gist(&outer, budget)?.coalesce(budget)
}

/// The union without repetitions, and whether it has a single piece.
pub(crate) fn distinct_pieces(domains: &[Set]) -> (Set, bool) {
    let mut basics: Vec<BasicSet> = Vec::new();
    for basic in domains.iter().flat_map(|domain| domain.basic_sets()) {
        if !basics.iter().any(|other| plain_equal(other.as_basic_map(), basic.as_basic_map())) {
            basics.push(basic);
        }
    }
    let space = domains[0].space().clone();
    let is_single = basics.len() == 1;
    (Set::from_basic_sets(space, basics), is_single)
}

/// Whether two basic sets have the same constraints, up to their order.
pub(crate) fn plain_equal(a: &BasicMap, b: &BasicMap) -> bool {
    let same = |a: &[Row], b: &[Row]| a.len() == b.len() && a.iter().all(|row| b.contains(row));
    a.locals() == b.locals()
        && a.space().param_names() == b.space().param_names()
        && same(a.equalities(), b.equalities())
        && same(a.inequalities(), b.inequalities())
}

/// The shared constraints of the pieces, if they bound the dimension on both sides.
pub(crate) fn bounded_hull(
    union: &Set,
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<BasicSet> {
    let union = &union.intersect(&known.insert_dims(DimKind::Out, level, 1))?;
    let hull = union.unshifted_simple_hull(budget)?;
    if is_bounded(&hull, level) {
        return Ok(hull);
    }
    let hull = without_far_bounds(union.simple_hull(budget)?, union, level);
    if is_bounded(&hull, level) {
        return Ok(hull);
    }
    Err(Error::Invalid {
        operation: "loop generation",
        reason: format!("the values of dimension {level} have no common bounds"),
    })
}

/// A bound further away than this from that of the piece that it was shifted from is none: it comes
/// from the range of a type, and the loop would hardly ever end.
const FAR: i64 = 1 << 20;

/// The hull without bounds of dimension `level` that are far from those of all pieces.
pub(crate) fn without_far_bounds(hull: BasicSet, union: &Set, level: usize) -> BasicSet {
    let map = hull.as_basic_map();
    let (column, first_local) = (map.offset(DimKind::Out) + level, map.offset(DimKind::Local));
    let linear = |row: &Row| row.slice(1..first_local);
    let far = Int::from(FAR);
    let is_near = |row: &Row| {
        let mut rows = union.as_map().basic_maps().iter().flat_map(BasicMap::inequalities);
        rows.any(|other| linear(other) == linear(row) && (row.get(0) - other.get(0)).abs() <= far)
    };
    let mut constraints = map.constraints();
    constraints.retain(|Constraint { is_equality, row }| {
        let is_free = row.is_zero_at(column) || row.first_nonzero(first_local..row.len()).is_some();
        *is_equality || is_free || is_near(row)
    });
    let locals = map.locals().to_vec();
    BasicSet::from_basic_map(BasicMap::from_constraints(map.space().clone(), locals, constraints))
}

/// Whether the constraints bound dimension `level` from both sides.
pub(crate) fn is_bounded(basic: &BasicSet, level: usize) -> bool {
    let map = basic.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let has = |sign: i32| map.inequalities().iter().any(|row| row.sign(column) == sign);
    map.equalities().iter().any(|row| !row.is_zero_at(column)) || (has(1) && has(-1))
}

/// Disjoint pieces in the order of their values.
///
/// With two outer dimensions or parameters, three pieces can be in a cycle: each comes before the
/// next for some outer values. Then all are merged into one loop over their common hull, or cut at outer
/// values if that has no bounds.
pub(crate) fn sorted(
    pieces: Vec<BasicSet>,
    known: &Set,
    level: usize,
    budget: &Budget,
) -> Result<Vec<BasicSet>> {
    if pieces.len() <= 1 {
        return Ok(pieces);
    }
    let sets: Vec<Set> = pieces.iter().cloned().map(Set::from_basic_set).collect();
    let domains: Vec<&Set> = sets.iter().collect();
    let order = components(&domains, level, |a, b| {
        let before = may_follow(&sets[a], &sets[b], known, level, budget)?;
        Ok(before)
    })?;
    if order.len() < sets.len() {
        let union = Set::from_basic_sets(sets[0].space().clone(), pieces.clone());
        return match bounded_hull(&union, known, level, budget) {
            Ok(piece) => Ok(vec![piece]),
            Err(_) => ordered(pieces, known, level, budget),
        };
    }
    let result = order.into_iter().map(|group| pieces[group[0]].clone()).collect();
    Ok(result)
}

/// The constraints that involve dimension `level`, or those that do not.
pub(crate) fn involving(basic: &BasicSet, level: usize, wanted: bool) -> BasicSet {
    let map = basic.as_basic_map();
    let column = map.offset(DimKind::Out) + level;
    let mut constraints = map.constraints();
    constraints.retain(|constraint| constraint.row.is_zero_at(column) != wanted);
    let locals = map.locals().to_vec();
    BasicSet::from_basic_map(BasicMap::from_constraints(map.space().clone(), locals, constraints))
}
