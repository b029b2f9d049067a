//! One member that carries as many dependences as possible.
//!
//! The linear problem of Feautrier, "Some efficient solutions to the affine scheduling problem,
//! part II" (1992), in the order of "Scheduling for PPCG", section 6.4: the number of dependences that
//! are not carried, the sum of the coefficients of parameters, the sum of the parts of the other
//! coefficients, the coefficients. There, a variable `0 <= e <= 1` per dependence with
//! `sink - source >= e` counts those that are carried. As sums and multiples of solutions are solutions,
//! there is a largest set of dependences that can be carried, and `e` is 1 for these and 0 for the others.
//! Here that set is found without these variables, so the problem has the variables of the members only: a
//! component of ten statements may have a thousand dependences.
//!
//! At first all dependences are to be carried. If that is impossible, the tableau says which inequalities
//! contradict each other: a sum of positive multiples of them is `0 >= 1`. So without the constants, where
//! dependences are only respected, that sum is zero, and as its terms are not negative, all of them are zero
//! for every member that respects the dependences. They become equations, dependences with one of these
//! distances are not to be carried, and the problem is solved again. Every time there is an equation
//! more that does not follow from the others, so this ends with the largest set.
use crate::Options;
use crate::algebra::terms::Terms;
use crate::algebra::vectors::{Vector, gcd};
use crate::problem::band_problem::{BandProblem, Group};
use crate::problem::schedule_variables::{ScheduleVariables, check_coefficients, sum_row};
use crate::solver::elimination::Elimination;
use crate::solver::lexicographic_program::LexicographicProgram;
use loopwright_presburger::{Budget, Error, Int, Rational, Result, Row};

const SUM_PARAMETERS: usize = 1;
const SUM_COEFFICIENTS: usize = 2;
const FIRST_VARIABLE: usize = 3;

/// What cutting planes may spend on an integer solution (see [`Budget`]).
const STEPS_FOR_CUTS: u64 = 1 << 17;

/// A member (one row over `[1 | params | coordinates]` per node) that respects the groups and
/// carries as many of them as possible; none if the groups cannot be respected or nothing can be
/// carried.
///
/// With `carry_self_first`, only groups within one node are to be carried, unless there is nothing
/// to carry so: the scale of one statement should not depend on its distance to others (section
/// 7.7 of the report).
pub(crate) fn feautrier_member(
    problem: &BandProblem,
    groups: &[Group],
    options: &Options,
    budget: &Budget,
) -> Result<Option<Vec<Vector>>> {
    let mut found = None;
    if options.carry_self_first && groups.iter().any(|g| g.source == g.sink) {
        found = FeautrierProblem::new(problem, groups, |g| g.source == g.sink)?
            .solve(options, budget)?;
    }
    if found.is_none() {
        found = FeautrierProblem::new(problem, groups, |_| true)?.solve(options, budget)?;
    }
    let Some(mut member) = found else { return Ok(None) };
    if options.split_scaled {
        unscale(&mut member);
    }
    check_coefficients(&member)?;
    Ok(Some(member))
}

struct FeautrierProblem {
    variables: ScheduleVariables,
    /// The members that respect all groups.
    program: LexicographicProgram,
    /// The groups that are to be carried as far as is known.
    to_carry: Vec<ImagePoints>,
    /// What is zero as far as is known, each with a column in which the later ones are zero.
    zero: Vec<(usize, Row)>,
    /// For the test whether two loops are flattened into one.
    bounds: Vec<Vec<Option<i64>>>,
}

/// The distances at the points among the generators of a group, each with its homogenizing
/// coordinate: points of a rational polyhedron are multiples of it.
struct ImagePoints {
    distances: Vec<Terms>,
    scales: Vec<i64>,
    /// The distances modulo what is zero.
    modulo_zero: Vec<Row>,
}

impl FeautrierProblem {
    fn new(
        problem: &BandProblem,
        groups: &[Group],
        to_carry: impl Fn(&Group) -> bool,
    ) -> Result<Self> {
        let dims = problem.nodes.iter().map(|node| node.dim);
        let variables = ScheduleVariables::new(problem.n_params, dims, FIRST_VARIABLE);
        let mut equations = Elimination::default();
        for group in groups {
            for line in &group.generators.lines {
                equations.insert(&distance(&variables, group, line))?;
            }
        }
        for row in objectives(&variables) {
            equations.insert(&row)?;
        }
        let mut program = LexicographicProgram::new(variables.end(), equations)?;
        for group in groups {
            for ray in &group.generators.rays {
                program.add_inequality(&distance(&variables, group, ray))?;
            }
        }
        let to_carry = groups.iter().filter(|group| to_carry(group));
        let points = |group| ImagePoints::new(&variables, &program, group);
        let mut to_carry = to_carry.map(points).collect::<Result<Vec<_>>>()?;
        to_carry.retain(ImagePoints::may_be_positive);
        let bounds = problem.nodes.iter().map(|node| node.bounds.clone()).collect();
        Ok(FeautrierProblem { variables, program, to_carry, zero: Vec::new(), bounds })
    }

    /// The best member; none if nothing can be carried.
    fn solve(&mut self, options: &Options, budget: &Budget) -> Result<Option<Vec<Vector>>> {
        let Some(mut member) = self.solution(options, budget)? else { return Ok(None) };
        if options.treat_coalescing {
            while let Some(column) = self.coalesced(&member) {
                let (negative, positive) = column;
                for part in [negative, positive] {
                    self.equate(&Terms::sum(vec![(part, 1)]), budget)?;
                }
                match self.solution(options, budget)? {
                    Some(better) => member = better,
                    None => break,
                }
            }
        }
        Ok(Some(member))
    }

    /// A coefficient that should be zero since another one of its node exceeds half the extent of
    /// its loop: "Scheduling for PPCG", (105).
    fn coalesced(&self, member: &[Vector]) -> Option<(usize, usize)> {
        for (node, bounds) in self.bounds.iter().enumerate() {
            let coefficients = &member[node][member[node].len() - bounds.len()..];
            let exceeds = coefficients
                .iter()
                .zip(bounds)
                .position(|(c, bound)| bound.is_some_and(|bound| c.abs() > bound));
            let Some(large) = exceeds else { continue };
            let other = (0..bounds.len())
                .filter(|&j| j != large && coefficients[j] != 0)
                .min_by_key(|&j| coefficients[j].abs());
            if let Some(small) = other {
                return Some(self.variables.coefficient(node, small));
            }
        }
        None
    }

    /// The least member that carries all that can be carried; none if that is nothing.
    fn solution(&mut self, options: &Options, budget: &Budget) -> Result<Option<Vec<Vector>>> {
        while !self.to_carry.is_empty() {
            let snapshot = self.program.snapshot();
            for row in self.to_carry.iter().flat_map(ImagePoints::carried) {
                self.program.add_inequality(&row)?;
            }
            let integers = self.integers(options, budget);
            let contradiction = self.program.contradiction();
            self.program.rollback(snapshot);
            if let Some(integers) = integers? {
                return self.variables.wide_members(&integers).map(Some);
            }
            let n_to_carry = self.to_carry.len();
            for row in contradiction.iter().flatten() {
                self.equate(&without_constant(row), budget)?;
            }
            if self.to_carry.len() == n_to_carry {
                break;
            }
        }
        Ok(None)
    }

    /// Requires `row = 0` of all members; groups with a distance that is zero then are not to be carried.
    fn equate(&mut self, row: &Terms, budget: &Budget) -> Result<()> {
        self.program.add_equality(row)?;
        let mut equation = self.program.reduced(row)?;
        self.zero.iter().for_each(|(column, earlier)| equation.eliminate(*column, earlier));
        let Some(column) = equation.first_nonzero(0..equation.len()) else { return Ok(()) };
        for row in self.to_carry.iter_mut().flat_map(|points| &mut points.modulo_zero) {
            budget.spend(1, "what a schedule can carry")?;
            row.eliminate(column, &equation);
        }
        self.to_carry.retain(ImagePoints::may_be_positive);
        self.zero.push((column, equation));
        Ok(())
    }

    /// The lexicographic minimum: rational, or integer if that has fractions; if that takes too long,
    /// the rational one times its common denominator, which respects and carries the same.
    fn integers(&mut self, options: &Options, budget: &Budget) -> Result<Option<Vec<Int>>> {
        let Some(rational) = self.program.lexmin_rational(budget)? else { return Ok(None) };
        let integers: Option<Vec<Int>> = rational.iter().map(|value| value.to_int()).collect();
        match integers {
            Some(integers) => Ok(Some(integers)),
            None if !options.integer_carry => Ok(Some(multiplied(&rational))),
            None => self.integer_solution(&rational, budget),
        }
    }

    /// The integer minimum, or the scaled rational one.
    fn integer_solution(
        &mut self,
        rational: &[Rational],
        budget: &Budget,
    ) -> Result<Option<Vec<Int>>> {
        let part = budget.part(STEPS_FOR_CUTS);
        let found = self.program.lexmin_integer(&part);
        budget.charge(&part);
        match found {
            Err(Error::Exceeded { .. }) if budget.remaining() > 0 => Ok(Some(multiplied(rational))),
            found => found,
        }
    }
}

impl ImagePoints {
    fn new(
        variables: &ScheduleVariables,
        program: &LexicographicProgram,
        group: &Group,
    ) -> Result<Self> {
        let generators = group.generators.lines.iter().chain(&group.generators.rays);
        let points: Vec<&Vector> = generators.filter(|generator| generator[0] != 0).collect();
        let distances: Vec<Terms> =
            points.iter().map(|point| distance(variables, group, point)).collect();
        let scales = points.iter().map(|point| point[0].abs()).collect();
        let modulo_zero =
            distances.iter().map(|row| program.reduced(row)).collect::<Result<_>>()?;
        Ok(ImagePoints { distances, scales, modulo_zero })
    }

    /// Whether no distance is zero, as far as is known.
    fn may_be_positive(&self) -> bool {
        !self.modulo_zero.iter().any(Row::is_zero)
    }

    /// The inequalities that say that the distances are at least one.
    fn carried(&self) -> impl Iterator<Item = Terms> + '_ {
        let strict = |(row, scale): (&Terms, &i64)| row.iter().chain([(0, -scale)]).collect();
        self.distances.iter().zip(&self.scales).map(strict).map(Terms::sum)
    }
}

/// The sums that are minimized first.
fn objectives(variables: &ScheduleVariables) -> [Terms; 2] {
    [
        sum_row(SUM_PARAMETERS, variables.parameter_columns()),
        sum_row(SUM_COEFFICIENTS, variables.coefficient_columns()),
    ]
}

/// `sink - source` at a generator.
fn distance(variables: &ScheduleVariables, group: &Group, generator: &Vector) -> Terms {
    Terms::sum(variables.difference(group.source, group.sink, generator))
}

fn without_constant(row: &Terms) -> Terms {
    Terms::sum(row.iter().filter(|&(column, _)| column != 0).collect())
}

/// The values times their common denominator.
fn multiplied(rational: &[Rational]) -> Vec<Int> {
    let denominators = rational.iter().map(|value| &value.denominator);
    let common = denominators.fold(Int::ONE, |all, one| all.lcm(one));
    let scaled = |value: &Rational| &value.numerator * common.div_exact(&value.denominator);
    rational.iter().map(scaled).collect()
}

/// Divides all coefficients by their common divisor, and the constants, rounded down: the order
/// within equal quotients is left to inner nodes ("Scheduling for PPCG", section 7.1).
///
/// The member stays valid since rounding down is monotone; what it carried by less than the
/// divisor may no longer be carried.
fn unscale(member: &mut [Vector]) {
    let coefficients = member.iter().flat_map(|row| &row[1..]);
    let divisor = coefficients.fold(0i128, |g, &entry| gcd(g, i128::from(entry)));
    let Ok(divisor) = i64::try_from(divisor) else { return };
    if divisor > 1 {
        for row in member {
            row[0] = row[0].div_euclid(divisor);
            row[1..].iter_mut().for_each(|entry| *entry /= divisor);
        }
    }
}

/// The error of a component in which nothing can be carried.
pub(crate) fn cannot_carry() -> Error {
    Error::Invalid {
        operation: "schedule",
        reason:
            "no affine member carries any of the validity constraints: they contradict each other, \
                 or ask for an order that is not affine"
                .to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::unscale;

    #[test]
    fn unscaling_keeps_parts_of_constants() {
        let mut member = vec![vec![0, 2], vec![1, 2], vec![3, 4]];
        unscale(&mut member);
        assert_eq!(member, [vec![0, 1], vec![0, 1], vec![1, 2]]);
    }
}
