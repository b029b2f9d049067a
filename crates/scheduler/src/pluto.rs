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
use crate::band_problem::{BandEdge, BandProblem, Group, Kinds};
use crate::linear::Echelon;
use crate::nontrivial::{Region, nontrivial_lexmin};
use crate::rows::spend_on_program;
use crate::schedule_variables::{ScheduleVariables, sum_row};
use crate::vectors::Vector;
use loopwright_presburger::{Budget, LexicographicProblem, Result, Row};
use std::collections::HashSet;

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

/// The longest band that can be found for a problem; possibly without members.
pub(crate) fn pluto_band(
    problem: &BandProblem,
    options: &Options,
    budget: &Budget,
) -> Result<PlutoBand> {
    let mut local = HashSet::new();
    loop {
        let mut search = BandSearch::new(problem, options, &local, budget)?;
        match search.run()? {
            Outcome::Band(band) => return Ok(band),
            Outcome::MakeLocal(conditions) => local.extend(conditions),
        }
    }
}

enum Outcome {
    Band(PlutoBand),
    MakeLocal(Vec<usize>),
}

struct BandSearch<'a> {
    problem: &'a BandProblem,
    options: &'a Options,
    budget: &'a Budget,
    local: &'a HashSet<usize>,
    variables: ScheduleVariables,
    solver: LexicographicProblem,
    /// The equations that keep coincidence pairs together.
    coincidence: Vec<Vector>,
}

impl<'a> BandSearch<'a> {
    fn new(
        problem: &'a BandProblem,
        options: &'a Options,
        local: &'a HashSet<usize>,
        budget: &'a Budget,
    ) -> Result<Self> {
        let first = FIRST_BOUND + 2 * problem.n_params;
        let dims = problem.nodes.iter().map(|node| node.dim);
        let variables = ScheduleVariables::new(problem.n_params, dims, first);
        let solver = LexicographicProblem::new(variables.end() - 1);
        let mut search = BandSearch {
            problem,
            options,
            budget,
            local,
            variables,
            solver,
            coincidence: Vec::new(),
        };
        search.add_objectives();
        search.add_coefficient_bounds();
        search.add_forms();
        search.add_constraints()?;
        Ok(search)
    }

    fn add_objectives(&mut self) {
        let (width, first) = (self.variables.end(), FIRST_BOUND);
        let bounds = first..first + 2 * self.problem.n_params;
        let rows = [
            sum_row(width, SUM_BOUND, bounds),
            sum_row(width, SUM_PARAMETERS, self.variables.parameter_columns()),
            sum_row(width, SUM_COEFFICIENTS, self.variables.coefficient_columns()),
        ];
        for row in &rows {
            self.solver.add_equality(row);
        }
    }

    /// `|c| <= bound` for coefficients with a bound.
    fn add_coefficient_bounds(&mut self) {
        for (index, node) in self.problem.nodes.iter().enumerate() {
            for (coordinate, bound) in node.bounds.iter().enumerate() {
                let limits = [*bound, self.options.max_coefficient];
                let Some(limit) = limits.into_iter().flatten().min() else { continue };
                let (negative, positive) = self.variables.coefficient(index, coordinate);
                for sign in [1, -1] {
                    let mut row = vec![0; self.variables.end()];
                    row[0] = limit;
                    row[negative] = sign;
                    row[positive] = -sign;
                    self.solver.add_inequality(&Row::from_i64s(&row));
                }
            }
        }
    }

    /// What kinds of members are asked for: constant terms up to a bound, without parameters, without
    /// negative coefficients.
    fn add_forms(&mut self) {
        let mut zero: Vec<usize> = Vec::new();
        if !self.options.parametric {
            zero.extend(self.variables.parameter_columns());
        }
        if !self.options.negative_coefficients {
            zero.extend(self.variables.negative_columns());
        }
        for column in zero {
            let mut row = vec![0; self.variables.end()];
            row[column] = 1;
            self.solver.add_equality(&Row::from_i64s(&row));
        }
        let Some(limit) = self.options.max_constant_term else { return };
        for node in 0..self.problem.nodes.len() {
            let mut row = vec![0; self.variables.end()];
            (row[0], row[self.variables.constant(node)]) = (limit, -1);
            self.solver.add_inequality(&Row::from_i64s(&row));
        }
    }

    fn add_constraints(&mut self) -> Result<()> {
        let (problem, budget, local) = (self.problem, self.budget, self.local);
        let kind = |kind: Kinds| move |_: usize, edge: &BandEdge| edge.kinds.any(kind);
        let validity = problem.groups(kind(Kinds::VALIDITY), true, budget)?;
        let coincidence = problem.groups(kind(Kinds::COINCIDENCE), true, budget)?;
        let conditions = problem.groups(|index, _| local.contains(&index), true, budget)?;
        let mut equations = Echelon::default();
        self.add_equations(&conditions, &mut equations)?;
        for row in equations.rows() {
            self.solver.add_equality(&Row::from_i64s(row));
        }
        let mut together = Echelon::default();
        self.add_equations(&coincidence, &mut together)?;
        self.coincidence = together.rows().cloned().collect();
        let mut seen = HashSet::new();
        for group in &validity {
            self.add_nonnegative(group, &mut seen);
        }
        self.add_proximity(&mut seen)?;
        spend_on_program(seen.len(), self.variables.end(), budget)
    }

    /// The equations that make the distances of some groups zero.
    fn add_equations(&self, groups: &[Group], equations: &mut Echelon) -> Result<()> {
        let rows = groups.iter().map(|group| group.generators.len()).sum();
        spend_on_program(rows, self.variables.end(), self.budget)?;
        for group in groups {
            for generator in group.generators.linear_hull()? {
                equations.insert(&self.variables.difference(
                    group.source,
                    group.sink,
                    &generator,
                ))?;
            }
        }
        Ok(())
    }

    fn add_nonnegative(&mut self, group: &Group, seen: &mut HashSet<Vector>) {
        for line in &group.generators.lines {
            let row = self.variables.difference(group.source, group.sink, line);
            self.solver.add_equality(&Row::from_i64s(&row));
        }
        for ray in &group.generators.rays {
            self.add_once(self.variables.difference(group.source, group.sink, ray), seen);
        }
    }

    fn add_once(&mut self, row: Vector, seen: &mut HashSet<Vector>) {
        if !seen.contains(&row) {
            self.solver.add_inequality(&Row::from_i64s(&row));
            seen.insert(row);
        }
    }

    /// Bounds the distances of proximity pairs from above, and from below unless validity does.
    ///
    /// Pairs that no member separates need no bound. They may exist for parameters for which the
    /// others do not; there the bound would have to be positive for nothing.
    fn add_proximity(&mut self, seen: &mut HashSet<Vector>) -> Result<()> {
        let n_params = self.problem.n_params;
        let proximity = |_: usize, edge: &BandEdge| {
            edge.kinds.any(Kinds::PROXIMITY) && !edge.is_always_local(n_params)
        };
        let free = |index: usize, edge: &BandEdge| {
            proximity(index, edge) && !edge.kinds.any(Kinds::VALIDITY)
        };
        for (groups, sign) in [
            (self.problem.groups(proximity, false, self.budget)?, -1),
            (self.problem.groups(free, false, self.budget)?, 1),
        ] {
            for group in &groups {
                for line in &group.generators.lines {
                    self.add_distance_bound(group, line, sign, seen);
                    let opposite: Vector = line.iter().map(|&entry| -entry).collect();
                    self.add_distance_bound(group, &opposite, sign, seen);
                }
                for ray in &group.generators.rays {
                    self.add_distance_bound(group, ray, sign, seen);
                }
            }
        }
        Ok(())
    }

    /// `m . p + m0 + sign * distance >= 0` at a generator.
    fn add_distance_bound(
        &mut self,
        group: &Group,
        generator: &Vector,
        sign: i64,
        seen: &mut HashSet<Vector>,
    ) {
        let mut row = self.variables.difference(group.source, group.sink, generator);
        row.iter_mut().for_each(|entry| *entry *= sign);
        row[CONSTANT_BOUND] += generator[0];
        for (i, &entry) in generator[1..=self.problem.n_params].iter().enumerate() {
            row[FIRST_BOUND + 2 * i] -= entry;
            row[FIRST_BOUND + 2 * i + 1] += entry;
        }
        self.add_once(row, seen);
    }

    fn run(&mut self) -> Result<Outcome> {
        let mut members: Vec<BandMember> = Vec::new();
        let mut coincident = true;
        let without_coincidence = self.solver.snapshot();
        self.add_coincidence();
        loop {
            let Some(regions) = self.regions(&members)? else {
                return Ok(Outcome::Band(PlutoBand { members, complete: true }));
            };
            let solution =
                nontrivial_lexmin(&mut self.solver, &regions, N_SIGNIFICANT, self.budget)?;
            let Some(solution) = solution else {
                if !coincident || (members.is_empty() && self.options.outer_coincidence) {
                    return Ok(Outcome::Band(PlutoBand { members, complete: false }));
                }
                coincident = false;
                self.solver.rollback(without_coincidence);
                continue;
            };
            let rows = self.variables.members(&solution)?;
            members.push(BandMember { rows, coincident });
            let conditions = self.conditions_to_make_local(&members);
            if !conditions.is_empty() {
                return Ok(Outcome::MakeLocal(conditions));
            }
        }
    }

    fn add_coincidence(&mut self) {
        for row in &self.coincidence {
            self.solver.add_equality(&Row::from_i64s(row));
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
        Ok(Some(furthest.map(|(index, space)| self.region(index, space)).collect()))
    }

    fn region(&self, node: usize, null_space: &[Vector]) -> Region {
        let product = |vector: &Vector| {
            let mut row = vec![0; self.variables.end()];
            for (coordinate, &entry) in vector.iter().enumerate() {
                let (negative, positive) = self.variables.coefficient(node, coordinate);
                row[negative] = -entry;
                row[positive] = entry;
            }
            row
        };
        null_space.iter().map(product).collect()
    }

    /// The conditions that members separate next to conditional pairs that members reverse.
    fn conditions_to_make_local(&self, members: &[BandMember]) -> Vec<usize> {
        let n_params = self.problem.n_params;
        let edges = || self.problem.edges.iter().enumerate();
        let reversed: Vec<_> = edges()
            .filter(|(_, edge)| edge.kinds.any(Kinds::CONDITIONAL_VALIDITY))
            .filter(|(_, edge)| members.iter().any(|m| edge.is_violated(&m.rows, n_params)))
            .filter_map(|(_, edge)| edge.tags)
            .collect();
        edges()
            .filter(|(_, edge)| edge.kinds.any(Kinds::CONDITION))
            .filter(|(index, edge)| {
                !self.local.contains(index)
                    && edge.tags.is_some_and(|t| reversed.iter().any(|r| r.is_adjacent(t)))
                    && members.iter().any(|m| !edge.is_local(&m.rows, n_params))
            })
            .map(|(index, _)| index)
            .collect()
    }
}
