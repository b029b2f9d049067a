//! One member that carries as many dependences as possible.
//!
//! The linear problem of Feautrier, "Some efficient solutions to the affine scheduling problem,
//! part II" (1992), in the form of "Scheduling for PPCG", section 6.4: a variable `0 <= e <= 1` per
//! dependence that is to be carried with `sink - source >= e`. Columns in the order of
//! minimization: the number of dependences that are not carried, the sum of the coefficients of
//! parameters, the sum of the parts of the other coefficients, the `e`, the coefficients. At a
//! rational optimum every `e` is 0 or 1. Any positive multiple of a solution is one, too.
use crate::Options;
use crate::band_problem::{BandProblem, Group};
use crate::rows::spend_on_program;
use crate::schedule_variables::{ScheduleVariables, check_coefficients, sum_row};
use crate::vectors::{Vector, gcd};
use loopwright_presburger::{Budget, Error, Int, LexicographicProblem, Rational, Result, Row};

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
    let rows = groups.iter().map(|group| group.generators.len()).sum();
    let columns: usize = problem.nodes.iter().map(|node| 2 * node.dim + problem.n_params + 1).sum();
    spend_on_program(rows, columns, budget)?;
    let mut found = None;
    if options.carry_self_first && groups.iter().any(|g| g.source == g.sink) {
        found = Step::new(problem, groups, |g| g.source == g.sink).solve(options, budget)?;
    }
    if found.is_none() {
        found = Step::new(problem, groups, |_| true).solve(options, budget)?;
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
    solver: LexicographicProblem,
    n_to_carry: usize,
    /// For the test whether two loops are flattened into one.
    bounds: Vec<Vec<Option<i64>>>,
}

impl Step {
    fn new(problem: &BandProblem, groups: &[Group], to_carry: impl Fn(&Group) -> bool) -> Self {
        let n_to_carry = groups.iter().filter(|group| to_carry(group)).count();
        let first = FIRST_CARRIED + n_to_carry;
        let dims = problem.nodes.iter().map(|node| node.dim);
        let variables = ScheduleVariables::new(problem.n_params, dims, first);
        let solver = LexicographicProblem::new(variables.end() - 1);
        let bounds = problem.nodes.iter().map(|node| node.bounds.clone()).collect();
        let mut step = Step { variables, solver, n_to_carry, bounds };
        step.add_objectives();
        let mut next = FIRST_CARRIED;
        for group in groups {
            let carried = to_carry(group).then_some(next);
            next += usize::from(carried.is_some());
            step.add_group(group, carried);
        }
        step
    }

    fn add_objectives(&mut self) {
        let width = self.variables.end();
        let carried = FIRST_CARRIED..FIRST_CARRIED + self.n_to_carry;
        let mut count = vec![0; width];
        count[0] = i64::try_from(self.n_to_carry).unwrap_or(i64::MAX);
        count[NOT_CARRIED] = -1;
        for column in carried.clone() {
            count[column] = -1;
            let mut at_most_one = vec![0; width];
            (at_most_one[0], at_most_one[column]) = (1, -1);
            self.solver.add_inequality(&Row::from_i64s(&at_most_one));
        }
        self.solver.add_equality(&Row::from_i64s(&count));
        let parameters = sum_row(width, SUM_PARAMETERS, self.variables.parameter_columns());
        let coefficients = sum_row(width, SUM_COEFFICIENTS, self.variables.coefficient_columns());
        self.solver.add_equality(&parameters);
        self.solver.add_equality(&coefficients);
    }

    /// `sink - source >= e`, or `>= 0` for a group that is only to be respected.
    fn add_group(&mut self, group: &Group, carried: Option<usize>) {
        let with_carried = |mut row: Vector, scale: i64| {
            if let Some(column) = carried {
                row[column] -= scale;
            }
            Row::from_i64s(&row)
        };
        for line in &group.generators.lines {
            let row = self.variables.difference(group.source, group.sink, line);
            self.solver.add_equality(&with_carried(row, line[0]));
        }
        for ray in &group.generators.rays {
            let row = self.variables.difference(group.source, group.sink, ray);
            self.solver.add_inequality(&with_carried(row, ray[0]));
        }
    }

    /// The best member; none if nothing can be carried.
    fn solve(&mut self, options: &Options, budget: &Budget) -> Result<Option<Vec<Vector>>> {
        let Some(mut member) = self.solution(options, budget)? else { return Ok(None) };
        if options.treat_coalescing {
            while let Some(column) = self.coalesced(&member) {
                let (negative, positive) = column;
                for part in [negative, positive] {
                    let mut row = vec![0; self.variables.end()];
                    row[part] = 1;
                    self.solver.add_equality(&Row::from_i64s(&row));
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
        let Some(rational) = self.solver.lexmin_rational(budget)? else { return Ok(None) };
        let integers: Option<Vec<Int>> = rational.iter().map(|value| value.to_int()).collect();
        let integers = match integers {
            Some(integers) => Some(integers),
            None if !options.integer_carry => Some(multiplied(&rational)),
            None => self.integer_solution(&rational, budget)?,
        };
        let Some(integers) = integers else { return Ok(None) };
        let carries = |e: &Int| e.is_positive();
        if !integers[FIRST_CARRIED - 1..][..self.n_to_carry].iter().any(carries) {
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
        let found = self.solver.lexmin_integer(&part);
        budget.charge(&part);
        match found {
            Err(Error::Exceeded { .. }) if budget.remaining() > 0 => Ok(Some(multiplied(rational))),
            found => found,
        }
    }
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
