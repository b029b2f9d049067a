//! One member that carries as many dependences as possible.
//!
//! The linear problem of Feautrier, "Some efficient solutions to the affine scheduling problem,
//! part II" (1992), in the form of "Scheduling for PPCG", section 6.4, with the complement of the
//! variables there: `0 <= f <= 1` per dependence that is to be carried with `sink - source >= 1 - f`.
//! Columns in the order of minimization: the number of dependences that are not carried, the sum of
//! the coefficients of parameters, the sum of the parts of the other coefficients, the `f`, the
//! coefficients. Sums and multiples of solutions are solutions: there is a largest set of dependences
//! that can be carried, and at the optimum `f` is 0 for these and 1 for the others.
use crate::Options;
use crate::band_problem::{BandProblem, Group};
use crate::elimination::Elimination;
use crate::program::Program;
use crate::schedule_variables::{ScheduleVariables, check_coefficients, sum_row};
use crate::terms::Terms;
use crate::vectors::{Vector, gcd};
use loopwright_presburger::{Budget, Error, Int, Rational, Result};

const NOT_CARRIED: usize = 1;
const SUM_PARAMETERS: usize = 2;
const SUM_COEFFICIENTS: usize = 3;
const FIRST_CARRIED: usize = 4;

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
        found = Step::new(problem, groups, |g| g.source == g.sink)?.solve(options, budget)?;
    }
    if found.is_none() {
        found = Step::new(problem, groups, |_| true)?.solve(options, budget)?;
    }
    let Some(mut member) = found else { return Ok(None) };
    if options.split_scaled {
        unscale(&mut member);
    }
    check_coefficients(&member)?;
    Ok(Some(member))
}

struct Step {
    variables: ScheduleVariables,
    program: Program,
    n_to_carry: usize,
    /// For the test whether two loops are flattened into one.
    bounds: Vec<Vec<Option<i64>>>,
}

impl Step {
    fn new(
        problem: &BandProblem,
        groups: &[Group],
        to_carry: impl Fn(&Group) -> bool,
    ) -> Result<Self> {
        let n_to_carry = groups.iter().filter(|group| to_carry(group)).count();
        let first = FIRST_CARRIED + n_to_carry;
        let dims = problem.nodes.iter().map(|node| node.dim);
        let variables = ScheduleVariables::new(problem.n_params, dims, first);
        let mut next = FIRST_CARRIED;
        let mut equations = Elimination::default();
        let mut inequalities = Vec::new();
        for group in groups {
            let carried = to_carry(group).then_some(next);
            next += usize::from(carried.is_some());
            let distance = |generator| distance(&variables, group, carried, generator);
            for line in &group.generators.lines {
                equations.insert(&distance(line))?;
            }
            inequalities.extend(group.generators.rays.iter().map(distance));
        }
        for row in objectives(&variables, n_to_carry) {
            equations.insert(&row)?;
        }
        let mut program = Program::new(variables.end(), equations)?;
        for column in FIRST_CARRIED..first {
            program.add_inequality(&Terms::sum(vec![(0, 1), (column, -1)]))?;
        }
        for row in &inequalities {
            program.add_inequality(row)?;
        }
        let bounds = problem.nodes.iter().map(|node| node.bounds.clone()).collect();
        Ok(Step { variables, program, n_to_carry, bounds })
    }

    /// The best member; none if nothing can be carried.
    fn solve(&mut self, options: &Options, budget: &Budget) -> Result<Option<Vec<Vector>>> {
        let Some(mut member) = self.solution(options, budget)? else { return Ok(None) };
        if options.treat_coalescing {
            while let Some(column) = self.coalesced(&member) {
                let (negative, positive) = column;
                for part in [negative, positive] {
                    self.program.add_equality(&Terms::sum(vec![(part, 1)]))?;
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

    /// The lexicographic minimum: rational, or integer if that has fractions; if that takes too long,
    /// the rational one times its common denominator, which respects and carries the same.
    fn solution(&mut self, options: &Options, budget: &Budget) -> Result<Option<Vec<Vector>>> {
        let Some(rational) = self.program.lexmin_rational(budget)? else { return Ok(None) };
        let integers: Option<Vec<Int>> = rational.iter().map(|value| value.to_int()).collect();
        let integers = match integers {
            Some(integers) => Some(integers),
            None if !options.integer_carry => Some(multiplied(&rational)),
            None => self.integer_solution(&rational, budget)?,
        };
        let Some(integers) = integers else { return Ok(None) };
        if !integers[FIRST_CARRIED - 1..][..self.n_to_carry].iter().any(Int::is_zero) {
            return Ok(None);
        }
        self.variables.wide_members(&integers).map(Some)
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

/// The sums that are minimized first.
fn objectives(variables: &ScheduleVariables, n_to_carry: usize) -> [Terms; 3] {
    [
        sum_row(NOT_CARRIED, FIRST_CARRIED..FIRST_CARRIED + n_to_carry),
        sum_row(SUM_PARAMETERS, variables.parameter_columns()),
        sum_row(SUM_COEFFICIENTS, variables.coefficient_columns()),
    ]
}

/// `sink - source - (1 - f)` at a generator, without the last part for a group that is only to be
/// respected.
fn distance(
    variables: &ScheduleVariables,
    group: &Group,
    not_carried: Option<usize>,
    generator: &Vector,
) -> Terms {
    let mut row = variables.difference(group.source, group.sink, generator);
    if let Some(column) = not_carried {
        row.extend([(0, -generator[0]), (column, generator[0])]);
    }
    Terms::sum(row)
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
