//! How many iterations a loop has, at assumed values of the parameters.
//!
//! Decisions about speed need sizes. A parameter counts as [`nominal_parameter`], or as the closest
//! value that the context allows; ranges of expressions follow by integer optimization over the
//! instances. Where no answer comes within [`EXTENT_STEPS`], a range counts as the parameter.
use loopwright_presburger::{Aff, Budget, DimKind, Int, Name, Optimum, Set};
use loopwright_scop::Scop;

/// What a parameter is assumed to be in a region whose deepest statement has `depth` loops.
///
/// Users put loops under the pragma that run for about a second, which is 10^9 iterations; so the
/// deeper the nest, the smaller the values. With two loops memory ends first (a matrix
/// of 4000 x 4000 doubles is 128 MB), with one loop the time for a pass over memory.
pub fn nominal_parameter(depth: usize) -> i64 {
    match depth {
        0 | 1 => 1_000_000,
        2 => 4_000,
        3 => 1_000,
        4 => 180,
        _ => 64,
    }
}

/// Steps for one range. The sets are the domains of statements: a few pivots each.
const EXTENT_STEPS: u64 = 20_000;

/// Nominal values for parameters, by name.
#[derive(Clone, Debug)]
pub struct Nominal {
    values: Vec<(Name, Int)>,
    /// The value of parameters without a name above, and of ranges without an answer.
    default: i64,
}

impl Nominal {
    /// Values for the parameters of a context (a parameter set) and statements of at most `depth`
    /// loops.
    pub fn in_context(context: &Set, depth: usize) -> Self {
        let names = context.space().param_names().to_vec();
        let default = nominal_parameter(depth);
        let value = |position: usize| {
            let nominal = Int::from(default);
            let budget = Budget::steps(EXTENT_STEPS);
            let most = context.dim_max_val(DimKind::Param, position, &budget);
            let least = context.dim_min_val(DimKind::Param, position, &budget);
            match (least, most) {
                (_, Ok(Optimum::At(most))) if most < nominal => most,
                (Ok(Optimum::At(least)), _) if least > nominal => least,
                _ => nominal,
            }
        };
        let values = names.into_iter().enumerate().map(|(p, name)| (name, value(p))).collect();
        Nominal { values, default }
    }

    /// Values for the parameters of a scop, whose deepest statement tells how large they are.
    pub fn of_scop(scop: &Scop) -> Self {
        let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
        let depth = executed.map(|statement| statement.iterators.len()).max().unwrap_or(0);
        Nominal::in_context(&scop.context, depth)
    }

    /// `set` at the nominal parameters.
    pub fn fix(&self, set: &Set) -> Set {
        let mut fixed = set.clone();
        let nominal = Int::from(self.default);
        for (position, name) in set.space().param_names().iter().enumerate() {
            let value = self.values.iter().find(|(known, _)| known == name);
            let value = value.map_or(&nominal, |(_, value)| value);
            fixed = fixed.fix(DimKind::Param, position, value);
        }
        fixed
    }

    /// The number of values between the least and the greatest value of `expression` on `fixed` (a
    /// set at nominal parameters), both included; 1 on the empty set.
    pub fn extent(&self, fixed: &Set, expression: &Aff) -> i64 {
        let budget = Budget::steps(EXTENT_STEPS);
        let expression = expression.align_params(fixed.space());
        let bounds = fixed
            .min_val(&expression, &budget)
            .and_then(|least| Ok((least, fixed.max_val(&expression, &budget)?)));
        match bounds {
            Ok((Optimum::At(least), Optimum::At(most))) => {
                (&(&most - &least) + &Int::from(1)).to_i64().unwrap_or(i64::MAX).max(1)
            }
            Ok((Optimum::Empty, _)) => 1,
            _ => self.default,
        }
    }
}
