//! Whether unsigned values stay below the end of their type, where they would start at 0 again.
use crate::facts::integer_type::IntegerType;
use crate::model::conditions::{Condition, Disjunction};
use crate::model::linear::{Linear, Symbol};
use crate::walk::extractor::Extractor;

impl Extractor<'_, '_> {
    /// Whether a value is known not to reach the end of an unsigned type.
    ///
    /// It is where the greatest values of its symbols do not, and where it is at most a variable of
    /// the type. What 64 bits hold is only reached from symbolic constants: no loop runs so long.
    pub(crate) fn is_below_end(&self, linear: &Linear, integer_type: IntegerType) -> bool {
        let is_product = |symbol: &Symbol| matches!(symbol, Symbol::Product(_));
        let mut added = linear.terms.iter().filter(|(_, coefficient)| *coefficient > 0);
        let is_one_symbol = match (added.next(), added.next()) {
            (Some((symbol, 1)), None) => linear.constant <= 0 && !is_product(symbol),
            (first, _) => first.is_none(),
        };
        if is_one_symbol {
            return true;
        }
        let greatest = match integer_type.bytes {
            8 if self.is_of_loops(linear) => return true,
            _ => integer_type.greatest(),
        };
        self.greatest(linear).is_some_and(|value| value <= greatest)
            || self.is_at_most_a_variable(linear, integer_type)
    }

    /// An upper bound of a form from the types and the known bounds of its symbols.
    pub(crate) fn greatest(&self, linear: &Linear) -> Option<i64> {
        self.bound_by_types(linear, true)
    }

    /// A lower bound of a form from the types and the known bounds of its symbols.
    pub(crate) fn least(&self, linear: &Linear) -> Option<i64> {
        self.bound_by_types(linear, false)
    }

    fn bound_by_types(&self, linear: &Linear, is_upper: bool) -> Option<i64> {
        let mut sum = linear.constant;
        for &(symbol, coefficient) in &linear.terms {
            let bound = self.bound_of_symbol(symbol, is_upper == (coefficient > 0))?;
            sum = sum.checked_add(coefficient.checked_mul(bound)?)?;
        }
        Some(sum)
    }

    fn bound_of_symbol(&self, symbol: Symbol, is_upper: bool) -> Option<i64> {
        let form = Linear::symbol(symbol);
        let known =
            if is_upper { self.out.symbols.upper(&form) } else { self.out.symbols.lower(&form) };
        known.or_else(|| match symbol {
            Symbol::Iterator(index) => {
                self.bound_of_type(self.out.loops[index as usize].variable, is_upper)
            }
            Symbol::Parameter(variable) => self.bound_of_type(variable, is_upper),
            Symbol::Floor(floor) => {
                let (linear, divisor) = self.out.symbols.floors.get(floor as usize)?;
                Some(self.bound_by_types(linear, is_upper)?.div_euclid(*divisor))
            }
            Symbol::Product(_) => None,
        })
    }

    fn bound_of_type(&self, variable: u32, is_upper: bool) -> Option<i64> {
        let of = IntegerType::of(&self.variable(variable).declared.scalar);
        (of.bytes < 8).then(|| if is_upper { of.greatest() } else { of.least() })
    }

    /// Whether the conditions around the current place say that a form is at most a symbolic constant
    /// of the type, or of a smaller one.
    fn is_at_most_a_variable(&self, linear: &Linear, integer_type: IntegerType) -> bool {
        let conditions = self.at.domain.0.iter().flatten();
        let mut variables: Vec<u32> = conditions
            .flat_map(|condition: &Condition| &condition.linear.terms)
            .filter_map(|(symbol, _)| match symbol {
                Symbol::Parameter(variable) => Some(*variable),
                _ => None,
            })
            .collect();
        variables.sort_unstable();
        variables.dedup();
        self.at.domain != Disjunction::always()
            && variables.into_iter().any(|variable| {
                let of = IntegerType::of(&self.variable(variable).declared.scalar);
                let room = Linear::symbol(Symbol::Parameter(variable)).sub(linear);
                of.bytes <= integer_type.bytes
                    && room.is_ok_and(|room| self.is_nonnegative_here(&room))
            })
    }
}
