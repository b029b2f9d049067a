//! The cone of the dependences of a band: a time axis along which all of them advance, and how fast they move
//! along the other members.
//!
//! Tiles that are bounded by slanted lines ([`crate::tile::trapezoid`], [`crate::tile::hexagon`]) are a
//! matter of two lines per dimension of the data. A *time* `F = k f + c` is a multiple of a member `f` of the
//! band and a constant per statement, such that every dependence has `dF >= 1`: two statements of one time
//! step have times such as `2t` and `2t + 1`. A *position* along another member `h` is `X = q h + o - m F`,
//! such that every dependence has `l dF <= dX <= u dF` with whole numbers `l <= 0 <= u` of which `u - l` is
//! as small as it can be: so far values travel in one step of time. With `q = k` positions count parts of a
//! value: staggered fields, half a point apart, travel half a point in each of their half steps.
//!
//! Constants are found as for diamonds ([`crate::tile::distances`]); the distances are those of all
//! dependences, also of those by memory that is used again, between instances that agree on what is outside
//! of the band, so the answers are exact for any statements. In-place updates (Gauss-Seidel) have dependences
//! with `df = 0` that no constants can part: no time exists, and only tiles that run in growing diagonals are
//! legal.
//!
//! *Source.* Wonnacott and Strout, "On the scalability of loop tiling techniques", IMPACT 2013, section 4;
//! the condition on the time axis is that for concurrent start of Bandishti, Pananilath, Bondhugula, SC 2012.
use crate::tile::distances::{Distances, Least, potentials};
use loopwright_presburger::{Budget, Int, Result, UnionMap, UnionPwAff};
use loopwright_schedule::{Band, Reaching};
use std::collections::BTreeMap;

/// The greatest `k` that is tried: that many statements in turn share a time step.
const MOST_STEPS: i64 = 8;

/// The greatest slope that is tried, in values of a member per step: the reach of a stencil in a skewed band
/// is twice its radius.
const GREATEST_SLOPE: i64 = 32;

/// The cone of the dependences of a band.
#[derive(Clone, Debug)]
pub struct Cone {
    /// The member that time is a multiple of.
    pub face: usize,
    /// Steps of time per value of that member.
    pub steps: i64,
    /// The time of each instance.
    pub time: UnionPwAff,
    /// Positions along other members.
    pub axes: Vec<Axis>,
}

/// Positions along a member, and how far dependences move along it per step of time.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The member.
    pub member: usize,
    /// Positions per value of the member.
    pub scale: i64,
    /// The position of each instance.
    pub position: UnionPwAff,
    /// The least distance per step, at most 0.
    pub least: i64,
    /// The greatest distance per step, at least 0.
    pub greatest: i64,
    /// Statements with a dependence that moves so far, such as `S -> T`.
    pub steepest: String,
}

/// Why a band has no cone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCone {
    /// Dependences, such as `S -> T`, that stay in one step of any time.
    DataflowLimited(Vec<String>),
    /// Dependences move arbitrarily far along this member in one step.
    Unbounded(usize),
}

impl Axis {
    /// How much wider what an instance depends on becomes per step.
    #[must_use]
    pub fn spread(&self) -> i64 {
        self.greatest - self.least
    }
}

/// The cone of a band, with positions along the first `n_axes` members other than that of time; why there is
/// none otherwise.
///
/// `dependences` are pairs of instances, the first before the second; `reaching` is what reaches the band.
///
/// ```
/// use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
/// use loopwright_schedule::{Band, Reaching, ScheduleTree};
/// use loopwright_transform::tile::cone::cone;
/// let members = "[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]";
/// let band = Band::new(MultiUnionPwAff::parse(members)?).with_permutable(true);
/// let tree = ScheduleTree::from_domain(UnionSet::parse("{ S[t, i] }")?);
/// let jacobi = UnionMap::parse("{ S[t, i] -> S[t + 1, x] : i - 1 <= x <= i + 1 }")?;
/// let budget = Budget::unlimited();
/// let cone = cone(&band, 1, &Reaching::root(&tree), &jacobi, &budget)?.unwrap();
/// assert_eq!(cone.time.to_string(), "{ S[t, i] -> [(t)] }");
/// assert_eq!(cone.axes[0].position.to_string(), "{ S[t, i] -> [(i)] }");
/// assert_eq!((cone.axes[0].least, cone.axes[0].greatest), (-1, 1));
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* Some tens of integer optima for each two dependent statements and each member.
///
/// # Errors
/// For malformed trees, or if the budget runs out.
pub fn cone(
    band: &Band,
    n_axes: usize,
    reaching: &Reaching,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<std::result::Result<Cone, NoCone>> {
    let distances = Distances::new(band, reaching, dependences)?;
    let search = Search { band, distances: &distances, budget };
    let time = match search.time()? {
        Ok(time) => time,
        Err(stuck) => return Ok(Err(NoCone::DataflowLimited(stuck))),
    };
    let others = (0..band.n_members()).filter(|&member| member != time.face).take(n_axes);
    let mut axes = Vec::with_capacity(n_axes);
    for member in others {
        match search.axis(&time, member)? {
            Some(axis) => axes.push(axis),
            None => return Ok(Err(NoCone::Unbounded(member))),
        }
    }
    let Time { face, steps, function, .. } = time;
    Ok(Ok(Cone { face, steps, time: function, axes }))
}

struct Search<'a> {
    band: &'a Band,
    distances: &'a Distances,
    budget: &'a Budget,
}

/// A time axis.
struct Time {
    face: usize,
    steps: i64,
    /// By statement.
    constants: Vec<Int>,
    function: UnionPwAff,
}

impl Search<'_> {
    /// The first member that is a time with the fewest steps per value that suffice; the dependences that
    /// stay in a step of the first member if there is none.
    fn time(&self) -> Result<std::result::Result<Time, Vec<String>>> {
        let members = self.band.schedule.members();
        let mut stuck = None;
        for (face, member) in members.iter().enumerate() {
            for steps in 1..=MOST_STEPS {
                let Some(least) = self.distances.least(&[(face, steps)], self.budget)? else {
                    break;
                };
                let least: Vec<Least> = least.into_iter().map(advancing).collect();
                match potentials(self.distances.n_statements(), &least) {
                    Ok(constants) => {
                        let constants = from_zero(constants);
                        let function = member
                            .scale(&Int::from(steps))
                            .add(&self.distances.by_statement(&constants))?;
                        return Ok(Ok(Time { face, steps, constants, function }));
                    }
                    Err(cycle) => stuck = stuck.or(Some(self.texts(&cycle))),
                }
            }
        }
        Ok(Err(stuck.unwrap_or_default()))
    }

    fn texts(&self, cycle: &[Least]) -> Vec<String> {
        cycle.iter().map(|least| self.distances.text(least.source, least.sink)).collect()
    }

    /// Positions along a member with the narrowest cone, whole values of it if parts of values are no better.
    fn axis(&self, time: &Time, member: usize) -> Result<Option<Axis>> {
        let Some(whole) = self.axis_of_scale(time, member, 1)? else { return Ok(None) };
        if time.steps == 1 {
            return Ok(Some(whole));
        }
        let parts = self.axis_of_scale(time, member, time.steps)?;
        let is_better = |parts: &Axis| parts.spread() < whole.spread() * parts.scale;
        Ok(Some(parts.filter(is_better).unwrap_or(whole)))
    }

    fn axis_of_scale(&self, time: &Time, member: usize, scale: i64) -> Result<Option<Axis>> {
        let mut slopes = Slopes {
            search: self,
            time,
            member,
            scale,
            below: BTreeMap::new(),
            above: BTreeMap::new(),
        };
        let Some(found) = slopes.narrowest()? else { return Ok(None) };
        let middle = (found.least + found.greatest).div_euclid(2);
        let constants = self.distances.by_statement(&from_zero(found.constants));
        let along =
            self.band.schedule.members()[member].scale(&Int::from(scale)).add(&constants)?;
        let position = along.sub(&time.function.scale(&Int::from(middle)))?;
        let (least, greatest) = (found.least - middle, found.greatest - middle);
        let steepest = self.distances.text(found.steepest.0, found.steepest.1);
        Ok(Some(Axis { member, scale, position, least, greatest, steepest }))
    }
}

/// A constraint that a form grows by one at least.
fn advancing(least: Least) -> Least {
    Least { value: &least.value - &Int::from(1), ..least }
}

/// The same constants up to a common one, the least of them 0.
fn from_zero(constants: Vec<Int>) -> Vec<Int> {
    let least = constants.iter().min().cloned().unwrap_or_else(|| Int::from(0));
    constants.into_iter().map(|constant| &constant - &least).collect()
}

/// The search for the slopes along a member. Constraints are kept by slope; none where a form has no least
/// value.
struct Slopes<'a> {
    search: &'a Search<'a>,
    time: &'a Time,
    member: usize,
    scale: i64,
    below: BTreeMap<i64, Option<Vec<Least>>>,
    above: BTreeMap<i64, Option<Vec<Least>>>,
}

/// Slopes, with a constant for each statement, and two statements with a dependence that is as steep.
struct Found {
    least: i64,
    greatest: i64,
    constants: Vec<Int>,
    steepest: (usize, usize),
}

impl Slopes<'_> {
    /// What makes `X - slope F` not decrease, or not increase if `is_above`, for `X` the position without its
    /// constant.
    fn constraints(&mut self, slope: i64, is_above: bool) -> Result<Option<Vec<Least>>> {
        let known = if is_above { &self.above } else { &self.below };
        if let Some(found) = known.get(&slope) {
            return Ok(found.clone());
        }
        let sign = if is_above { -1 } else { 1 };
        let form =
            [(self.member, sign * self.scale), (self.time.face, -sign * slope * self.time.steps)];
        let Search { distances, budget, .. } = self.search;
        let found = distances.least(&form, budget)?.map(|all| {
            all.into_iter().map(|least| self.constraint(least, sign, slope)).collect::<Vec<_>>()
        });
        let known = if is_above { &mut self.above } else { &mut self.below };
        known.insert(slope, found.clone());
        Ok(found)
    }

    /// The constraint with the constants of time; for an upper bound it is one on the negated constants, so
    /// in the other direction.
    fn constraint(&self, least: Least, sign: i64, slope: i64) -> Least {
        let Least { source, sink, value } = least;
        let constants = &self.time.constants;
        let between = &constants[sink] - &constants[source];
        let value = &value - &(&between * &Int::from(sign * slope));
        match sign {
            1 => Least { source, sink, value },
            _ => Least { source: sink, sink: source, value },
        }
    }

    fn is_possible(&mut self, slope: i64, is_above: bool) -> Result<bool> {
        let n = self.search.distances.n_statements();
        let constraints = self.constraints(slope, is_above)?;
        Ok(constraints.is_some_and(|constraints| potentials(n, &constraints).is_ok()))
    }

    /// The steepest slope below all dependences (or the flattest above), each for itself.
    fn limit(&mut self, is_above: bool) -> Result<Option<i64>> {
        let most = GREATEST_SLOPE * self.scale;
        let tighter = if is_above { -1 } else { 1 };
        let mut slope = 0;
        if self.is_possible(slope, is_above)? {
            while slope.abs() < most && self.is_possible(slope + tighter, is_above)? {
                slope += tighter;
            }
            return Ok(Some(slope));
        }
        while slope.abs() < most {
            slope -= tighter;
            if self.is_possible(slope, is_above)? {
                return Ok(Some(slope));
            }
        }
        Ok(None)
    }

    /// The slopes that are least apart and have common constants.
    fn narrowest(&mut self) -> Result<Option<Found>> {
        let Some(highest) = self.limit(false)? else { return Ok(None) };
        let Some(lowest) = self.limit(true)? else { return Ok(None) };
        let most = GREATEST_SLOPE * self.scale;
        for spread in (lowest - highest).max(0)..=2 * most {
            for least in ((lowest - spread).max(-most)..=highest).rev() {
                if let Some(found) = self.between(least, least + spread)? {
                    return Ok(Some(found));
                }
            }
        }
        Ok(None)
    }

    /// Constants for two slopes, if there are some.
    fn between(&mut self, least: i64, greatest: i64) -> Result<Option<Found>> {
        let n = self.search.distances.n_statements();
        let (Some(below), Some(above)) =
            (self.constraints(least, false)?, self.constraints(greatest, true)?)
        else {
            return Ok(None);
        };
        let Ok(constants) = potentials(n, &[&below[..], &above].concat()) else { return Ok(None) };
        let is_tight = |constraint: &&Least| {
            let between = &constants[constraint.sink] - &constants[constraint.source];
            (&between + &constraint.value) == Int::from(0)
        };
        // Those above are turned around.
        let steep_above = above.iter().find(is_tight).map(|least| (least.sink, least.source));
        let steep_below = below.iter().find(is_tight).map(|least| (least.source, least.sink));
        let steepest = steep_above.or(steep_below).unwrap_or((0, 0));
        Ok(Some(Found { least, greatest, constants, steepest }))
    }
}
