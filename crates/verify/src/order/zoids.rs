//! Recursions over zoids: each cut keeps all points and the order of the dependences, and a program is in the
//! first zoid.
//!
//! # What is checked
//! A function is called for a zoid, cuts it by [`ZoidRecursion`], and calls itself for the pieces, or
//! executes its points moment by moment. By induction over the calls it executes each point of its zoid once,
//! a point after those that it depends on, and none at one time with one that it depends on:
//!
//! 1. the pieces of each cut divide the zoid;
//! 2. no dependence leads from a piece to one of an earlier phase, or to another one of its phase, which may
//!    run at one time;
//! 3. moment by moment no dependence leads back, since each one leads to a later moment, and the points of a
//!    moment do not depend on each other;
//! 4. calls end: a cut in time leaves fewer moments; one in space leaves the moments, and less width along
//!    its axis (at the first and behind the last moment together), which is not less than 1 where a cut is
//!    made.
//!
//! Slopes of lines are numbers, and there are finitely many pairs of them along an axis: those of the first
//! zoid, which are 0, and those that pieces of known pairs have. For each pair 1, 2 and 4 are questions about
//! sets with the bounds of the zoid as parameters ([`check_cuts`]). Along an axis only: a cut in space leaves
//! the other axes as they are; one in time divides all of them at the same moments. Dependences are taken to
//! be all pairs of points of a *cone*, at least a moment apart, and between the slopes of the axis per
//! moment. What is left ([`check_zoids`]) is about the program: that each instance has a point, in the first
//! zoid; that dependences are in the cone; and that what is executed in a moment are the instances of its
//! points.
//!
//! *Source.* Frigo and Strumpen, "Cache oblivious stencil computations", ICS 2005, have 1 and 2 for stencils.
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{
    Aff, Budget, DimKind, Map, Name, PwAff, Result, Set, UnionMap, UnionSet,
};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Scop, ZoidCut, ZoidForm, ZoidPiece, ZoidRecursion, ZoidValue};
use std::collections::BTreeSet;

/// Pairs of slopes along an axis, at most: pieces have three at present for each side.
const MOST_SLOPES: usize = 64;

/// A program that a recursion over zoids executes.
#[derive(Clone, Copy, Debug)]
pub struct RecursiveProgram<'a> {
    /// The program.
    pub scop: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// From instances to their moment and positions.
    pub points: &'a UnionMap,
    /// How zoids are cut.
    pub recursion: &'a ZoidRecursion,
    /// The first and last moment, then position along each axis, of the first zoid, whose lines have no
    /// slope.
    pub first: &'a [(PwAff, PwAff)],
    /// The loops of a moment.
    pub step: &'a ScheduleTree,
    /// Its parameter that is the moment.
    pub moment: &'a Name,
    /// Its parameters that are bounds along each axis: the first position, and the one behind the last.
    pub bounds: &'a [(Name, Name)],
}

/// Checks that the cuts of a recursion divide every zoid, in an order that all dependences between the slopes
/// of its axes respect, and end.
///
/// ```
/// use loopwright_presburger::Budget;
/// use loopwright_scop::{ZoidAxis, ZoidForm, ZoidRecursion};
/// use loopwright_verify::check_cuts;
/// let axis = ZoidAxis { least: -1, greatest: 1, width: 8 };
/// let recursion = ZoidRecursion::new(4, vec![axis]);
/// assert!(check_cuts(&recursion, &Budget::unlimited())?.is_proved());
/// // A line that is too steep: the left piece needs points of the triangle.
/// let mut wrong = recursion.clone();
/// wrong.cuts[0].phases[0][0].high_slope = ZoidForm::constant(0);
/// wrong.cuts[0].phases[1][0].low_slope = ZoidForm::constant(0);
/// assert!(!check_cuts(&wrong, &Budget::unlimited())?.is_proved());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Exactness.* For all zoids with whole numbers as bounds, and lines with slopes that the recursion makes;
/// machine words are taken not to wrap. *Cost.* Some emptiness tests for each axis, pair of slopes, and pair
/// of pieces.
///
/// # Errors
/// Those of operations on sets but for limits.
pub fn check_cuts(recursion: &ZoidRecursion, budget: &Budget) -> Result<Proof> {
    Proof::from_violations(wrong_cuts(recursion, budget))
}

/// Checks that a program is in the first zoid of a recursion whose cuts are right ([`check_cuts`]), that its
/// dependences are those by which zoids are cut, and that the loops of a moment execute what they are to
/// execute. That these loops are those of the tree is another proof ([`check_ast`](crate::check_ast)).
///
/// *Exactness.* Exact for all values of the parameters in the scop's context, but for order dependences that
/// could be turned around by moving live ranges: they count as the others. *Cost.* Some emptiness tests for
/// each dependence and statement.
///
/// # Errors
/// Those of operations on sets but for limits.
pub fn check_zoids(program: RecursiveProgram<'_>, budget: &Budget) -> Result<Proof> {
    let found = || {
        let mut violations = program.instances_without_point(budget)?;
        violations.extend(program.dependences_outside_of_cone(budget)?);
        violations.extend(program.wrong_step(budget)?);
        violations.extend(program.points_outside_of_first(budget)?);
        Ok(violations)
    };
    Proof::from_violations(found())
}

fn plain(message: impl Into<String>) -> Violation {
    Violation { message: message.into(), example: None }
}

impl RecursiveProgram<'_> {
    fn executed(&self) -> Result<UnionSet> {
        let executed = self.scop.statements.iter().filter(|statement| !statement.is_kill);
        executed
            .map(|statement| UnionSet::from_set(statement.domain.clone()))
            .try_fold(UnionSet::empty(), |all, domain| all.union(&domain))?
            .intersect_params(&self.scop.context)
    }

    fn instances_without_point(&self, budget: &Budget) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        if !self.executed()?.is_subset(&self.points.domain(), budget)? {
            violations.push(plain("an instance has no moment and positions"));
        }
        if !self.points.is_single_valued(budget)? {
            violations.push(plain("an instance has two moments or positions"));
        }
        Ok(violations)
    }

    fn dependences_outside_of_cone(&self, budget: &Budget) -> Result<Vec<Violation>> {
        let cone = UnionMap::parse(&self.cone())?;
        let inside = self.points.apply_range(&cone)?.apply_range(&self.points.reverse())?;
        let mut violations = Vec::new();
        let Dependences { flow, order, forced, .. } = self.dependences;
        let free = self.dependences.reassociated();
        for dependence in flow.iter().chain(order).chain(forced).chain(free) {
            let pairs = dependence.relation.intersect_params(&self.scop.context)?;
            let outside = UnionMap::from_map(pairs).subtract(&inside, budget)?;
            for map in outside.maps() {
                let array = &self.scop.array(dependence.array).name;
                let message =
                    || format!("a dependence on `{array}` is not between the slopes of the cuts");
                violations.extend(violation_if_any(map, message, budget)?);
            }
        }
        Ok(violations)
    }

    /// The pairs of points of which the second may depend on the first.
    fn cone(&self) -> String {
        let axes = &self.recursion.axes;
        let list = |moment: &str, position: &str| {
            (0..axes.len()).fold(moment.to_string(), |all, k| format!("{all}, {position}{k}"))
        };
        let between = axes.iter().enumerate().map(|(k, axis)| {
            let (least, greatest) = (axis.least, axis.greatest);
            format!(" and {least}*(g - f) <= y{k} - x{k} <= {greatest}*(g - f)")
        });
        let between: String = between.collect();
        format!("{{ [{}] -> [{}] : g > f{between} }}", list("f", "x"), list("g", "y"))
    }

    fn wrong_step(&self, budget: &Budget) -> Result<Vec<Violation>> {
        let (mut names, mut list) = (vec![self.moment.to_string()], "f".to_string());
        let mut here = format!("f = {}", self.moment);
        for (k, (low, high)) in self.bounds.iter().enumerate() {
            names.extend([low.to_string(), high.to_string()]);
            list += &format!(", x{k}");
            here += &format!(" and {low} <= x{k} < {high}");
        }
        let here = UnionSet::parse(&format!("[{}] -> {{ [{list}] : {here} }}", names.join(", ")))?;
        let meant = self.points.intersect_range(&here)?.domain().intersect(&self.executed()?)?;
        let own = self.step.domain.intersect_params(&self.scop.context)?;
        Ok(match own.is_equal(&meant, budget)? {
            true => Vec::new(),
            false => vec![plain("the loops of a moment are not about the instances of its points")],
        })
    }

    fn points_outside_of_first(&self, budget: &Budget) -> Result<Vec<Violation>> {
        let points = self.points.intersect_domain(&self.executed()?)?.range();
        let mut violations = Vec::new();
        for set in points.sets() {
            let space = set.space().clone();
            let message = "an instance is not in the first zoid";
            let is_dimension = self.first.len() == self.recursion.axes.len() + 1
                && space.n(DimKind::Out) == self.first.len();
            let Some(tuple) = space.output().filter(|_| is_dimension).cloned() else {
                violations.push(plain(message));
                continue;
            };
            for (at, (low, last)) in self.first.iter().enumerate() {
                let own = PwAff::from_aff(Aff::variable(&space, DimKind::Out, at));
                let above = own.ge_set(&low.insert_domain(&tuple)?)?;
                let below = own.le_set(&last.insert_domain(&tuple)?)?;
                if !set.is_subset(&above.intersect(&below)?, budget)? {
                    violations.push(plain(message));
                }
            }
        }
        Ok(violations)
    }
}

/// Slopes of the lines of a zoid along an axis.
type Slopes = (i64, i64);

fn wrong_cuts(recursion: &ZoidRecursion, budget: &Budget) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    for (axis, bounds) in recursion.axes.iter().enumerate() {
        let is_own = |cut: &&ZoidCut| cut.axis.is_none_or(|own| own == axis);
        let cuts: Vec<&ZoidCut> = recursion.cuts.iter().filter(is_own).collect();
        let Some(all) = slopes(&cuts) else {
            violations.push(plain(format!(
                "the slopes of lines along axis {axis} are not finitely many numbers"
            )));
            continue;
        };
        for slopes in all {
            for cut in &cuts {
                let along = Along { cut, slopes, cone: (bounds.least, bounds.greatest), budget };
                match along.faults()? {
                    Some(faults) => violations.extend(faults.into_iter().map(|fault| {
                        plain(format!("axis {axis}, lines of the slopes {slopes:?}: {fault}"))
                    })),
                    None => {
                        violations.push(plain(format!("a cut along axis {axis} is not linear")))
                    }
                }
            }
        }
    }
    Ok(violations)
}

/// The pairs of slopes that the zoids of a recursion have along an axis; none if they are too many or no
/// numbers.
fn slopes(cuts: &[&ZoidCut]) -> Option<BTreeSet<Slopes>> {
    let mut known = BTreeSet::from([(0, 0)]);
    let mut open = vec![(0, 0)];
    while let Some(slopes) = open.pop() {
        for piece in cuts.iter().flat_map(|cut| cut.phases.iter().flatten()) {
            let found = (number(&piece.low_slope, slopes)?, number(&piece.high_slope, slopes)?);
            if known.insert(found) {
                open.push(found);
            }
        }
        if known.len() > MOST_SLOPES {
            return None;
        }
    }
    Some(known)
}

/// The value of a form of slopes.
fn number(form: &ZoidForm, (low, high): Slopes) -> Option<i64> {
    let is_slope = |value: &ZoidValue| matches!(value, ZoidValue::LowSlope | ZoidValue::HighSlope);
    let all = form.terms.iter().flat_map(|(_, values)| values);
    all.clone().all(is_slope).then_some(())?;
    form.value(&|value| if value == ZoidValue::LowSlope { low } else { high })
}

/// A form as text, linear in the values of a zoid but for its slopes; none if it is not.
fn linear(form: &ZoidForm, (low, high): Slopes) -> Option<String> {
    let mut text = "0".to_string();
    for (factor, values) in &form.terms {
        let (mut factor, mut variable) = (*factor, None);
        for value in values {
            let name = match value {
                ZoidValue::LowSlope => {
                    factor = factor.checked_mul(low)?;
                    continue;
                }
                ZoidValue::HighSlope => {
                    factor = factor.checked_mul(high)?;
                    continue;
                }
                ZoidValue::First => "t0",
                ZoidValue::End => "t1",
                ZoidValue::Height => "(t1 - t0)",
                ZoidValue::Low => "a",
                ZoidValue::High => "b",
                ZoidValue::Middle => "m",
            };
            if variable.replace(name).is_some() {
                return None;
            }
        }
        text += &match variable {
            Some(variable) => format!(" + {factor}*{variable}"),
            None => format!(" + {factor}"),
        };
    }
    Some(text)
}

/// The parameters of sets about a cut.
const PARAMETERS: &str = "[t0, t1, a, b, m] -> ";

/// A cut along an axis, of zoids with lines of some slopes.
struct Along<'a> {
    cut: &'a ZoidCut,
    slopes: Slopes,
    cone: (i64, i64),
    budget: &'a Budget,
}

/// A piece along an axis.
struct Part {
    points: Set,
    height: String,
    /// At the first moment and behind the last one, together.
    width: String,
}

impl Along<'_> {
    /// What is wrong with the cut; none if it is not linear.
    fn faults(&self) -> Result<Option<Vec<&'static str>>> {
        let Some(guard) = self.guard() else { return Ok(None) };
        let Some(whole) = self.part(&ZoidPiece::whole(), self.slopes, &guard)? else {
            return Ok(None);
        };
        let mut phases = Vec::new();
        for phase in &self.cut.phases {
            let mut parts = Vec::new();
            for piece in phase {
                let slopes = number(&piece.low_slope, self.slopes)
                    .zip(number(&piece.high_slope, self.slopes));
                let Some(slopes) = slopes else { return Ok(None) };
                let Some(part) = self.part(piece, slopes, &guard)? else { return Ok(None) };
                parts.push(part);
            }
            phases.push(parts);
        }
        let mut faults = Vec::new();
        faults.extend(self.not_divided(&whole, &phases)?);
        faults.extend(self.out_of_order(&phases)?);
        faults.extend(self.endless(&whole, &phases, &guard)?);
        Ok(Some(faults))
    }

    /// What holds where the cut is made.
    fn guard(&self) -> Option<String> {
        let twice = linear(&self.cut.twice_middle, self.slopes)?;
        let middle = format!("-1 <= {twice} - 2m <= 1");
        self.cut.conditions.iter().try_fold(middle, |all, condition| {
            Some(format!("{all} and {} >= 0", linear(condition, self.slopes)?))
        })
    }

    /// A piece of a zoid, whose lines have these slopes.
    fn part(&self, piece: &ZoidPiece, own: Slopes, guard: &str) -> Result<Option<Part>> {
        let text = |form: &ZoidForm| linear(form, self.slopes);
        let texts = (text(&piece.first), text(&piece.end), text(&piece.low), text(&piece.high));
        let (Some(first), Some(end), Some(low), Some(high)) = texts else { return Ok(None) };
        let (low_slope, high_slope) = own;
        let points = Set::parse(&format!(
            "{PARAMETERS}{{ [f, x] : {guard} and {first} <= f < {end} and \
             {low} + {low_slope}*(f - ({first})) <= x < {high} + {high_slope}*(f - ({first})) }}"
        ))?;
        let height = format!("({end} - ({first}))");
        let width =
            format!("(2*({high} - ({low})) + {}*{height})", high_slope.saturating_sub(low_slope));
        Ok(Some(Part { points, height, width }))
    }

    fn not_divided(&self, whole: &Part, phases: &[Vec<Part>]) -> Result<Vec<&'static str>> {
        let (mut all, mut faults): (Option<Set>, _) = (None, Vec::new());
        for part in phases.iter().flatten() {
            all = Some(match all {
                None => part.points.clone(),
                Some(all) => {
                    if !all.is_disjoint(&part.points, self.budget)? {
                        faults.push("a point is in two pieces");
                    }
                    all.union(&part.points)?
                }
            });
        }
        let is_whole = match all {
            Some(all) => all.is_equal(&whole.points, self.budget)?,
            None => false,
        };
        if !is_whole {
            faults.push("the pieces are not all of the zoid");
        }
        Ok(faults)
    }

    fn out_of_order(&self, phases: &[Vec<Part>]) -> Result<Vec<&'static str>> {
        let (least, greatest) = self.cone;
        let cone = Map::parse(&format!(
            "{{ [f, x] -> [g, y] : g > f and {least}*(g - f) <= y - x <= {greatest}*(g - f) }}"
        ))?;
        let leads = |from: &Part, to: &Part| -> Result<bool> {
            let pairs = cone.intersect_domain(&from.points)?.intersect_range(&to.points)?;
            Ok(!pairs.is_empty(self.budget)?)
        };
        let mut faults = Vec::new();
        for (at, phase) in phases.iter().enumerate() {
            for (position, part) in phase.iter().enumerate() {
                for earlier in phases[..at].iter().flatten() {
                    if leads(part, earlier)? {
                        faults.push("a dependence leads into an earlier phase");
                    }
                }
                let others = phase.iter().enumerate().filter(|(other, _)| *other != position);
                for (_, other) in others {
                    if leads(part, other)? {
                        faults.push("a dependence leads into a piece that runs at the same time");
                    }
                }
            }
        }
        Ok(faults)
    }

    fn endless(
        &self,
        whole: &Part,
        phases: &[Vec<Part>],
        guard: &str,
    ) -> Result<Vec<&'static str>> {
        let mut faults = Vec::new();
        for part in phases.iter().flatten() {
            let (own, all) = match self.cut.axis {
                None => (&part.height, &whole.height),
                Some(_) => (&part.width, &whole.width),
            };
            let mut ends = format!("({own} < {all} and {all} >= 1)");
            if self.cut.axis.is_some() {
                ends += &format!(" and {} = {}", part.height, whole.height);
            }
            let endless = Set::parse(&format!("{PARAMETERS}{{ [] : {guard} and not ({ends}) }}"))?;
            if !endless.is_empty(self.budget)? {
                faults.push("a piece is as large as the zoid, so calls may not end");
            }
        }
        Ok(faults)
    }
}
