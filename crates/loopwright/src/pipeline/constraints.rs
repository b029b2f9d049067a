//! What the scheduler has to respect, from the dependences.
use crate::pipeline::implied_order::not_implied;
use crate::pipeline::without_kills::executed_instances;
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_dataflow::{Dependence, Dependences, input_dependences, tagged, untagged};
use loopwright_presburger::{BasicMap, Budget, Int, Map, Result, Row, UnionMap, UnionSet};
use loopwright_scheduler::ScheduleConstraints;
use loopwright_scop::Scop;

/// Choices about what the scheduler is given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) input_reuse: bool,
    pub(crate) live_range_reordering: bool,
}

impl Wanted {
    pub(crate) fn by(options: &CompileOptions) -> Self {
        let CompileOptions { input_reuse, live_range_reordering, .. } = *options;
        Wanted { input_reuse, live_range_reordering }
    }
}

/// What the scheduler is given.
pub(crate) fn constraints(
    scop: &Scop,
    dependences: &Dependences,
    wanted: Wanted,
    effort: &Effort,
) -> Result<ScheduleConstraints> {
    let Wanted { input_reuse, live_range_reordering } = wanted;
    let domain = executed_instances(scop)?;
    let constraints = match live_range_reordering {
        true => schedule_constraints(scop, dependences, &domain, effort)?,
        false => constraints_in_order(scop, dependences, &domain)?,
    };
    if !input_reuse {
        return Ok(constraints);
    }
    with_input_reuse(constraints, scop, &effort.stage())
}

/// The schedule constraints without live-range reordering ("Scheduling for PPCG", section 4.2): flow, anti
/// and output dependences, all of them valid, and wanted to be short and inside of one iteration of
/// coincident members.
///
/// Nearest dependences follow from each other along the writes between, which kills are not: they are no
/// instances that are scheduled. What they separate is kept in order by all pairs.
pub(crate) fn constraints_in_order(
    scop: &Scop,
    dependences: &Dependences,
    domain: &UnionSet,
) -> Result<ScheduleConstraints> {
    let is_killed = |array| {
        let mut kills = scop.statements.iter().filter(|statement| statement.is_kill);
        kills.any(|kill| kill.accesses.iter().any(|access| access.array == array))
    };
    let separated = dependences.order.iter().filter(|d| is_killed(d.array));
    let all = dependences.flow.iter().chain(&dependences.forced).chain(&dependences.false_nearest);
    let all = all.chain(separated);
    let validity = without_large_bounds(&untagged(all)?);
    let nearest = dependences.nearest_flow().iter().chain(&dependences.false_nearest);
    let proximity = without_large_bounds(&untagged(nearest)?);
    let coincidence =
        validity.union(&without_large_bounds(&untagged(dependences.reassociated())?))?;
    Ok(ScheduleConstraints {
        validity,
        proximity,
        coincidence,
        ..ScheduleConstraints::on_domain(domain.clone(), scop.context.clone())
    })
}

/// The schedule constraints with live-range reordering ("Scheduling for PPCG", section 4.3): flow and forced
/// dependences are valid in any case, order dependences only next to live ranges that are not local;
/// coincidence also wants order dependences of arrays that, unlike scalars and arrays of the region, are
/// never private to a thread. Updates that may be reassociated are not ordered among themselves, but should
/// be close, and a loop over them is not coincident.
///
/// `domain` are the instances to be scheduled (those that are executed).
pub(crate) fn schedule_constraints(
    scop: &Scop,
    dependences: &Dependences,
    domain: &UnionSet,
    effort: &Effort,
) -> Result<ScheduleConstraints> {
    let untagged = |list: &mut dyn Iterator<Item = &Dependence>| -> Result<UnionMap> {
        untagged(list).map(|relation| without_large_bounds(&relation))
    };
    let validity = untagged(&mut dependences.flow.iter().chain(&dependences.forced))?;
    let order = not_implied(dependences, &validity, effort);
    let of_arrays = order.iter().copied().filter(|d| !scop.array(d.array).may_be_private());
    let mut separate = of_arrays.chain(dependences.reassociated());
    let coincidence = validity.union(&untagged(&mut separate)?)?;
    let nearest_flow = dependences.nearest_flow().iter();
    let proximity = untagged(&mut nearest_flow.chain(&dependences.false_nearest))?;
    let constraints = ScheduleConstraints {
        validity,
        proximity,
        coincidence,
        ..ScheduleConstraints::on_domain(domain.clone(), scop.context.clone())
    };
    if order.is_empty() {
        return Ok(constraints);
    }
    Ok(ScheduleConstraints {
        condition: without_large_bounds(&tagged(&dependences.flow)?),
        conditional_validity: without_large_bounds(&tagged(order)?),
        ..constraints
    })
}

/// The constraints with pairs of reads of one value among those that should be close to each other:
/// what is read twice is then worth as much as what is written and read ("Scheduling for PPCG",
/// section 4.3).
pub(crate) fn with_input_reuse(
    constraints: ScheduleConstraints,
    scop: &Scop,
    budget: &Budget,
) -> Result<ScheduleConstraints> {
    let input = input_dependences(scop, budget)?;
    let input = without_large_bounds(&untagged(input.iter())?);
    let proximity = constraints.proximity.union(&input)?;
    Ok(ScheduleConstraints { proximity, ..constraints })
}

/// Upper bounds on one variable from this constant on are left out of what the scheduler sees.
///
/// Fixed extents (`i < 2000`) put large coefficients into the programming problems, which then
/// take many cuts; the schedules that they allow beyond those for symbolic extents are of no use.
const LARGE_BOUND: i64 = 64;

/// A superset of the relation, without upper bounds that only say that extents are large.
///
/// More pairs only restrict the scheduler further: a schedule that respects all of them respects
/// those of the program.
fn without_large_bounds(relation: &UnionMap) -> UnionMap {
    let relaxed = |map: &Map| {
        let pieces = map.basic_maps().iter().map(relaxed_piece).collect();
        Map::from_basic_maps(map.space().clone(), pieces)
    };
    UnionMap::from_maps(relation.params_space(), relation.maps().iter().map(relaxed))
}

/// One piece without its large bounds; unchanged if other constraints have large constants too,
/// because then a bound may be what orders the two instances (`k <= 1198` next to `k' = 1199`).
fn relaxed_piece(basic: &BasicMap) -> BasicMap {
    let constraints = basic.constraints().into_iter();
    let kept: Vec<_> = constraints.filter(|c| c.is_equality || !is_large_bound(&c.row)).collect();
    let large = Int::from(LARGE_BOUND);
    if kept.iter().any(|c| c.row.get(0).abs() >= large) {
        return basic.clone();
    }
    BasicMap::from_constraints(basic.space().clone(), basic.locals().to_vec(), kept)
}

/// Whether a row says `x <= constant` with a large constant.
fn is_large_bound(row: &Row) -> bool {
    let Some(first) = row.first_nonzero(1..row.len()) else { return false };
    let is_single = row.first_nonzero(first + 1..row.len()).is_none();
    let large = Int::from(LARGE_BOUND);
    is_single && row.get(first).is_negative() && row.get(0) >= large
}
