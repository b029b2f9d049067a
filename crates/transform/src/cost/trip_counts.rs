//! How many iterations a loop has, at assumed values of the parameters.
//!
//! Decisions about speed need sizes. A parameter counts as [`nominal_parameter`], or as the closest value
//! that the context allows; ranges of expressions follow by integer optimization over the instances. Where no
//! answer comes within `EXTENT_STEPS`, a range counts as the parameter. Where these values leave a statement
//! without instances others are taken that do not (`cost::feasible_parameters`): nothing is known of the
//! parameters, so an estimate must not say that there is no work.
use crate::cost::feasible_parameters::feasible_values;
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

/// The parameters are chosen for so many statements.
const MANY_STATEMENTS: usize = 64;

/// Steps for one range. The sets are the domains of statements: a few pivots each.
const EXTENT_STEPS: u64 = 20_000;

/// Nominal values for parameters, by name.
#[derive(Clone, Debug)]
pub struct Nominal {
    values: Vec<(Name, Int)>,
    /// The value of parameters without a name above, and of ranges without an answer.
    default: i64,
    /// What is known of the parameters.
    context: Set,
    /// Whether loops in the text of statements count as work.
    pub(crate) counts_loops_inside: bool,
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
        Nominal { values, default, context: context.clone(), counts_loops_inside: false }
    }

    /// The same values, where loops in the text of statements count as work if that is wanted.
    pub(crate) fn with_loops_inside(self, counts_loops_inside: bool) -> Self {
        Nominal { counts_loops_inside, ..self }
    }

    /// Values for the parameters of a scop, whose deepest statement tells how large they are.
    pub fn of_scop(scop: &Scop) -> Self {
        let executed = || scop.statements.iter().filter(|statement| !statement.is_kill);
        let depth = executed().map(|statement| statement.iterators.len()).max().unwrap_or(0);
        let mut nominal = Nominal::in_context(&scop.context, depth);
        if nominal.values.len() < 2 {
            return nominal;
        }
        let mut reached: Vec<&Set> = Vec::new();
        for domain in executed().map(|statement| &statement.domain).take(MANY_STATEMENTS) {
            let keeps = |changed: &Nominal| {
                !reached.iter().any(|before| is_empty(&changed.fix_as_it_is(before)))
            };
            match nominal.reaching(domain).filter(keeps) {
                Some(changed) => nominal = changed,
                None if is_empty(&nominal.fix_as_it_is(domain)) => continue,
                None => {}
            }
            reached.push(domain);
        }
        nominal
    }

    /// `set` at the nominal parameters, or if it is empty there at other ones for which it is not, if some
    /// are found.
    pub fn fix(&self, set: &Set) -> Set {
        let fixed = self.fix_as_it_is(set);
        if !is_empty(&fixed) {
            return fixed;
        }
        self.reaching(set).map_or(fixed, |nominal| nominal.fix_as_it_is(set))
    }

    /// Values for which a set is not empty, and no difference of parameters small; none if none are found.
    fn reaching(&self, set: &Set) -> Option<Nominal> {
        let possible = set.params().align_params(self.context.space());
        let context = self.context.align_params(possible.space());
        let names = possible.space().param_names().to_vec();
        let values: Vec<Int> = names.iter().map(|name| self.value(name)).collect();
        let found = feasible_values(&possible, &context, &values)?;
        let named = names.into_iter().zip(found);
        let mut values = self.values.clone();
        for (name, value) in named {
            match values.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = value,
                None => values.push((name, value)),
            }
        }
        let nominal = Nominal { values, ..self.clone() };
        (!is_empty(&nominal.fix_as_it_is(set))).then_some(nominal)
    }

    fn value(&self, name: &Name) -> Int {
        let known = self.values.iter().find(|(known, _)| known == name);
        known.map_or(Int::from(self.default), |(_, value)| value.clone())
    }

    fn fix_as_it_is(&self, set: &Set) -> Set {
        let mut fixed = set.clone();
        for (position, name) in set.space().param_names().iter().enumerate() {
            fixed = fixed.fix(DimKind::Param, position, &self.value(name));
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

/// Whether a set is known to be empty.
fn is_empty(fixed: &Set) -> bool {
    fixed.is_empty(&Budget::steps(EXTENT_STEPS)).unwrap_or(false)
}
