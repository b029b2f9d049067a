//! Bands of permutable members by integer programming.
//!
//! All members of a band satisfy the same constraints, each found as a lexicographic minimum
//! ("Scheduling for PPCG", section 6.5; the method of Bondhugula et al., PLDI 2008). Columns in the
//! order of minimization:
//! 1. the sum of the parts of `m`, and `m0`, of the bound `m . p + m0` on the distances over all
//!    proximity pairs: reuse over a distance that grows with the problem size comes last;
//! 2. the sum of the coefficients of parameters, the sum of the parts of the other coefficients:
//!    simple members;
//! 3. the parts `m-, m+` of `m`, then the coefficients, see [`ScheduleVariables`].
//!
//! While coincidence is in force, coincidence pairs must have distance zero. When no further
//! member exists so, it is given up for the rest of the band (or the band ends, if coincidence is
//! asked for outside and there is no member yet).
//!
//! Conditional validity is not part of the constraints at first. When a member reverses conditional
//! pairs next to conditions that it separates, those conditions are made *local* (distance zero)
//! and the band is started again; every restart makes at least one more condition local.
//! Adjacency is decided on (tagged) tuples, which may make more conditions local than necessary.
use crate::Options;
use crate::algebra::echelon::Echelon;
use crate::algebra::terms::Terms;
use crate::algebra::vectors::Vector;
use crate::problem::band_problem::{BandEdge, BandProblem, Group};
use crate::problem::constraint_kinds::ConstraintKinds;
use crate::problem::schedule_variables::{ScheduleVariables, sum_row};
use crate::solver::elimination::Elimination;
use crate::solver::lexicographic_program::LexicographicProgram;
use crate::solver::nontrivial::{Region, nontrivial_lexmin};
use loopwright_presburger::{Budget, Result};
use rustc_hash::FxHashSet;

/// One member: an affine function over `[1 | params | coordinates]` for each node.
#[derive(Clone, Debug)]
pub(crate) struct BandMember {
    pub(crate) rows: Vec<Vector>,
    pub(crate) coincident: bool,
}

/// The members of a band, and whether no node has further independent members.
#[derive(Clone, Debug)]
pub(crate) struct PlutoBand {
    pub(crate) members: Vec<BandMember>,
    pub(crate) complete: bool,
}

/// The first columns: the constant, then the objectives.
const SUM_BOUND: usize = 1;
const CONSTANT_BOUND: usize = 2;
const SUM_PARAMETERS: usize = 3;
const SUM_COEFFICIENTS: usize = 4;
const FIRST_BOUND: usize = 5;
/// The objectives that a later solution must improve on: the bound on distances.
const N_SIGNIFICANT: usize = 2;

/// From so many nodes on, a band is first looked for with the same coefficients for nodes that coincidence
/// keeps parallel.
const MANY_NODES: usize = 64;

/// The longest band that can be found for a problem; possibly without members.
///
/// In a problem of many nodes, those that have the same coefficients in all coincident members get
/// the same ones in all members, as long as the members distinguish all instances of all
/// nodes then: there is no longer band, nor one with more coincident members. What may differ are the
/// distances.
pub(crate) fn pluto_band(
    problem: &BandProblem,
    options: &Options,
    budget: &Budget,
) -> Result<PlutoBand> {
    let own: Vec<usize> = (0..problem.nodes.len()).collect();
    if own.len() >= MANY_NODES {
        let parallel = problem.parallel_nodes()?;
        if parallel != own {
            let band = band_with(problem, &parallel, options, budget)?;
            if band.complete && !band.members.is_empty() {
                return Ok(band);
            }
        }
    }
    band_with(problem, &own, options, budget)
}

/// The longest band in which each node has the same coefficients as another one or itself.
fn band_with(
    problem: &BandProblem,
    like: &[usize],
    options: &Options,
    budget: &Budget,
) -> Result<PlutoBand> {
    let mut local = FxHashSet::default();
    loop {
        let search = BandSearch::new(problem, like, options, &local, budget)?;
        match search.run()? {
            BandOutcome::Band(band) => return Ok(band),
            BandOutcome::MakeLocal(conditions) => local.extend(conditions),
        }
    }
}

enum BandOutcome {
    Band(PlutoBand),
    MakeLocal(Vec<usize>),
}

struct BandSearch<'a> {
    problem: &'a BandProblem,
    options: &'a Options,
    budget: &'a Budget,
    local: &'a FxHashSet<usize>,
    variables: ScheduleVariables,
    equations: Elimination,
    /// The equations with those that keep coincidence pairs together.
    with_coincidence: Elimination,
    inequalities: Vec<Terms>,
}

impl<'a> BandSearch<'a> {
    fn new(
        problem: &'a BandProblem,
        like: &[usize],
        options: &'a Options,
        local: &'a FxHashSet<usize>,
        budget: &'a Budget,
    ) -> Result<Self> {
        let first = FIRST_BOUND + 2 * problem.n_params;
        let nodes = problem.nodes.iter().map(|node| node.dim).zip(like.iter().copied());
        let mut search = BandSearch {
            problem,
            options,
            budget,
            local,
            variables: ScheduleVariables::shared(problem.n_params, nodes, first),
            equations: Elimination::default(),
            with_coincidence: Elimination::default(),
            inequalities: Vec::new(),
        };
        search.add_coefficient_bounds();
        search.add_forms()?;
        search.add_constraints()?;
        Ok(search)
    }

    /// The sums that are minimized first.
    fn objectives(&self) -> [Terms; 3] {
        let bounds = FIRST_BOUND..FIRST_BOUND + 2 * self.problem.n_params;
        [
            sum_row(SUM_BOUND, bounds),
            sum_row(SUM_PARAMETERS, self.variables.parameter_columns()),
            sum_row(SUM_COEFFICIENTS, self.variables.coefficient_columns()),
        ]
    }

    /// `|c| <= bound` for coefficients with a bound.
    fn add_coefficient_bounds(&mut self) {
        for (index, node) in self.problem.nodes.iter().enumerate() {
            for (coordinate, bound) in node.bounds.iter().enumerate() {
                let limits = [*bound, self.options.max_coefficient];
                let Some(limit) = limits.into_iter().flatten().min() else { continue };
                let (negative, positive) = self.variables.coefficient(index, coordinate);
                for sign in [1, -1] {
                    let row = vec![(0, limit), (negative, sign), (positive, -sign)];
                    self.inequalities.push(Terms::sum(row));
                }
            }
        }
    }

    /// What kinds of members are asked for: constant terms up to a bound, without parameters, without
    /// negative coefficients.
    fn add_forms(&mut self) -> Result<()> {
        let mut zero: Vec<usize> = Vec::new();
        if !self.options.parametric {
            zero.extend(self.variables.parameter_columns());
        }
        if !self.options.negative_coefficients {
            zero.extend(self.variables.negative_columns());
        }
        for column in zero {
            self.equations.insert(&Terms::sum(vec![(column, 1)]))?;
        }
        let Some(limit) = self.options.max_constant_term else { return Ok(()) };
        for node in 0..self.problem.nodes.len() {
            let row = vec![(0, limit), (self.variables.constant(node), -1)];
            self.inequalities.push(Terms::sum(row));
        }
        Ok(())
    }

    fn add_constraints(&mut self) -> Result<()> {
        let (problem, budget, local) = (self.problem, self.budget, self.local);
        let kind = |kind: ConstraintKinds| move |_: usize, edge: &BandEdge| edge.kinds.any(kind);
        let validity = problem.groups(kind(ConstraintKinds::VALIDITY), true, budget)?;
        let coincidence = problem.groups(kind(ConstraintKinds::COINCIDENCE), true, budget)?;
        let conditions = problem.groups(|index, _| local.contains(&index), true, budget)?;
        for group in &conditions {
            for row in self.zero_distances(group)? {
                self.equations.insert(&row)?;
            }
        }
        for group in &validity {
            self.add_nonnegative(group)?;
        }
        self.with_coincidence = self.equations.clone();
        for group in &coincidence {
            for row in self.zero_distances(group)? {
                self.with_coincidence.insert(&row)?;
            }
        }
        self.add_proximity()
    }

    /// The program of a member, with coincidence in force or without.
    fn program(&self, coincident: bool) -> Result<LexicographicProgram> {
        let equations = if coincident { &self.with_coincidence } else { &self.equations };
        let mut equations = equations.clone();
        for row in self.objectives() {
            equations.insert(&row)?;
        }
        let mut program = LexicographicProgram::new(self.variables.end(), equations)?;
        for row in &self.inequalities {
            program.add_inequality(row)?;
        }
        Ok(program)
    }

    /// The equations that make the distances of a group zero.
    fn zero_distances(&self, group: &Group) -> Result<Vec<Terms>> {
        let hull = group.generators.linear_hull()?;
        Ok(hull.iter().map(|generator| self.distance(group, generator)).collect())
    }

    fn distance(&self, group: &Group, generator: &[i64]) -> Terms {
        Terms::sum(self.variables.difference(group.source, group.sink, generator))
    }

    fn add_nonnegative(&mut self, group: &Group) -> Result<()> {
        for line in &group.generators.lines {
            let row = self.distance(group, line);
            self.equations.insert(&row)?;
        }
        for ray in &group.generators.rays {
            let row = self.distance(group, ray);
            self.inequalities.push(row);
        }
        Ok(())
    }

    /// Bounds the distances of proximity pairs from above, and from below unless validity does.
    ///
    /// Pairs that no member separates need no bound. They may exist for parameters for which the
    /// others do not; there the bound would have to be positive for nothing.
    fn add_proximity(&mut self) -> Result<()> {
        let n_params = self.problem.n_params;
        let proximity = |_: usize, edge: &BandEdge| {
            edge.kinds.any(ConstraintKinds::PROXIMITY) && !edge.is_always_local(n_params)
        };
        let free = |index: usize, edge: &BandEdge| {
            proximity(index, edge) && !edge.kinds.any(ConstraintKinds::VALIDITY)
        };
        for (groups, sign) in [
            (self.problem.groups(proximity, false, self.budget)?, -1),
            (self.problem.groups(free, false, self.budget)?, 1),
        ] {
            for group in &groups {
                for line in &group.generators.lines {
                    self.add_distance_bound(group, line, sign);
                    let opposite: Vector = line.iter().map(|&entry| -entry).collect();
                    self.add_distance_bound(group, &opposite, sign);
                }
                for ray in &group.generators.rays {
                    self.add_distance_bound(group, ray, sign);
                }
            }
        }
        Ok(())
    }

    /// `m . p + m0 + sign * distance >= 0` at a generator.
    fn add_distance_bound(&mut self, group: &Group, generator: &Vector, sign: i64) {
        let difference = self.variables.difference(group.source, group.sink, generator);
        let mut row: Vec<(usize, i64)> =
            difference.into_iter().map(|(column, entry)| (column, sign * entry)).collect();
        row.push((CONSTANT_BOUND, generator[0]));
        for (i, &entry) in generator[1..=self.problem.n_params].iter().enumerate() {
            row.push((FIRST_BOUND + 2 * i, -entry));
            row.push((FIRST_BOUND + 2 * i + 1, entry));
        }
        self.inequalities.push(Terms::sum(row));
    }

    fn run(&self) -> Result<BandOutcome> {
        let mut members: Vec<BandMember> = Vec::new();
        let mut coincident = true;
        let mut program = self.program(coincident)?;
        loop {
            let Some(regions) = self.regions(&members)? else {
                return Ok(BandOutcome::Band(PlutoBand { members, complete: true }));
            };
            let solution = nontrivial_lexmin(&mut program, &regions, N_SIGNIFICANT, self.budget)?;
            let Some(solution) = solution else {
                if !coincident || (members.is_empty() && self.options.outer_coincidence) {
                    return Ok(BandOutcome::Band(PlutoBand { members, complete: false }));
                }
                coincident = false;
                program = self.program(coincident)?;
                continue;
            };
            let rows = self.variables.members(&solution)?;
            members.push(BandMember { rows, coincident });
            let conditions = self.conditions_to_make_local(&members);
            if !conditions.is_empty() {
                return Ok(BandOutcome::MakeLocal(conditions));
            }
        }
    }

    /// For each node that is furthest from complete, the products of which one must not be zero;
    /// none if all nodes are complete.
    fn regions(&self, members: &[BandMember]) -> Result<Option<Vec<Region>>> {
        let head = 1 + self.problem.n_params;
        let mut spaces = Vec::new();
        for (index, node) in self.problem.nodes.iter().enumerate() {
            let mut echelon = Echelon::of(&node.earlier)?;
            for member in members {
                echelon.insert(&member.rows[index][head..])?;
            }
            spaces.push(echelon.null_space(node.dim)?);
        }
        let most = spaces.iter().map(Vec::len).max().unwrap_or(0);
        if most == 0 {
            return Ok(None);
        }
        let furthest = spaces.iter().enumerate().filter(|(_, space)| space.len() == most);
        let regions = furthest.map(|(index, space)| self.region(index, space));
        let mut known = FxHashSet::default();
        Ok(Some(regions.filter(|region| known.insert(region.clone())).collect()))
    }

    fn region(&self, node: usize, null_space: &[Vector]) -> Region {
        let product = |vector: &Vector| {
            let entries = vector.iter().enumerate().flat_map(|(coordinate, &entry)| {
                let (negative, positive) = self.variables.coefficient(node, coordinate);
                [(negative, -entry), (positive, entry)]
            });
            Terms::sum(entries.collect())
        };
        null_space.iter().map(product).collect()
    }

    /// The conditions that members separate next to conditional pairs that members reverse.
    fn conditions_to_make_local(&self, members: &[BandMember]) -> Vec<usize> {
        let n_params = self.problem.n_params;
        let edges = || self.problem.edges.iter().enumerate();
        let reversed: Vec<_> = edges()
            .filter(|(_, edge)| edge.kinds.any(ConstraintKinds::CONDITIONAL_VALIDITY))
            .filter(|(_, edge)| members.iter().any(|m| edge.is_violated(&m.rows, n_params)))
            .filter_map(|(_, edge)| edge.tags)
            .collect();
        edges()
            .filter(|(_, edge)| edge.kinds.any(ConstraintKinds::CONDITION))
            .filter(|(index, edge)| {
                !self.local.contains(index)
                    && edge.tags.is_some_and(|t| reversed.iter().any(|r| r.is_adjacent(t)))
                    && members.iter().any(|m| !edge.is_local(&m.rows, n_params))
            })
            .map(|(index, _)| index)
            .collect()
    }
}
