//! How many iterations a loop has, at assumed values of the parameters.
//!
//! Decisions about speed need sizes. A parameter counts as [`NOMINAL_PARAMETER`], or as the closest
//! value that the context allows; ranges of expressions follow by integer optimization over the
//! instances. Where no answer comes within [`EXTENT_STEPS`], a range counts as nominal.
use loopwright_presburger::{Aff, Budget, DimKind, Int, Optimum, Set};

/// What a parameter is assumed to be. Users put loops under the pragma that take long; with nests
/// of two or three loops that starts around here. Only orders of magnitude matter.
pub const NOMINAL_PARAMETER: i64 = 1000;

/// Steps for one range. The sets are the domains of statements: a few pivots each.
const EXTENT_STEPS: u64 = 20_000;

/// Nominal values for parameters, by name.
#[derive(Clone, Debug)]
pub struct Nominal {
    values: Vec<(loopwright_presburger::Name, Int)>,
}

impl Nominal {
    /// Values for the parameters of a context (a parameter set).
    pub fn in_context(context: &Set) -> Self {
        let names = context.space().param_names().to_vec();
        let value = |position: usize| {
            let nominal = Int::from(NOMINAL_PARAMETER);
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
        Nominal { values }
    }

    /// `set` at the nominal parameters.
    pub fn fix(&self, set: &Set) -> Set {
        let mut fixed = set.clone();
        let nominal = Int::from(NOMINAL_PARAMETER);
        for (position, name) in set.space().param_names().iter().enumerate() {
            let value = self.values.iter().find(|(known, _)| known == name);
            let value = value.map_or(&nominal, |(_, value)| value);
            fixed = fixed.fix(DimKind::Param, position, value);
        }
        fixed
    }
}

/// The number of values between the least and the greatest value of `expression` on `fixed` (a
/// set at nominal parameters), both included; 1 on the empty set.
pub fn extent(fixed: &Set, expression: &Aff) -> i64 {
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
        _ => NOMINAL_PARAMETER,
    }
}
