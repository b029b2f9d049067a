//! Intervals of what kernels with iterators of 32 bits compute: no part of an expression may lie outside.
//!
//! Iterators of loops around lie between the first value and the bound of the tree's loop, parameters within
//! what the function of the region lets pass, numbers of blocks and threads below those of the launch. An
//! iterator whose loop has only begun is a variable of 32 bits, about which nothing else is known. Arithmetic
//! is exact: what leaves 127 bits has no interval.
use loopwright_astgen::{AstExpr, ForLoop, ValueRange};
use loopwright_presburger::Name;

/// The least and the greatest value; none where nothing is known.
pub(super) type Interval = ValueRange;

/// What a variable of 32 bits has.
const ALL: (i128, i128) = (i32::MIN as i128, i32::MAX as i128);

/// What is known about names.
#[derive(Default)]
pub(super) struct Intervals {
    /// The most that parameters are, and these.
    parameters: Option<(i64, Vec<Name>)>,
    /// Parameters that were compared with it.
    checked: Vec<Name>,
    /// The numbers of blocks and threads.
    numbers: Vec<(Name, (i128, i128))>,
    /// The nodes around: those that are loops with their iterators.
    around: Vec<Option<(Name, Interval)>>,
}

impl Intervals {
    /// Those in which parameters are at most this.
    pub(super) fn new(most: i64, parameters: &[Name]) -> Intervals {
        Intervals { parameters: Some((most, parameters.to_vec())), ..Intervals::default() }
    }

    /// A parameter has been compared with the most that it may be.
    pub(super) fn checked(&mut self, parameter: &str) {
        self.checked.push(parameter.into());
    }

    /// Numbers of blocks and threads, in place of those of another kernel.
    pub(super) fn set_numbers(&mut self, numbers: Vec<(Name, (i128, i128))>) {
        self.numbers = numbers;
    }

    pub(super) fn depth(&self) -> usize {
        self.around.len()
    }

    pub(super) fn truncate(&mut self, depth: usize) {
        self.around.truncate(depth);
    }

    /// A node that is no loop.
    pub(super) fn enter(&mut self) {
        self.around.push(None);
    }

    pub(super) fn enter_loop(&mut self, each: &ForLoop) {
        let own = self.of_loop(each);
        self.around.push(Some((each.iterator.clone(), own)));
    }

    /// The values of a loop's iterator in its body.
    pub(super) fn of_loop(&self, each: &ForLoop) -> Interval {
        let (least, first) = self.of(&each.init)?;
        if each.degenerate {
            return Some((least, first));
        }
        let most = self.end(&each.condition, &each.iterator)?;
        Some((least, most.max(least)))
    }

    /// The most that an iterator is where a condition holds.
    fn end(&self, condition: &AstExpr, iterator: &Name) -> Option<i128> {
        let is_own = |side: &AstExpr| matches!(side, AstExpr::Id(name) if name == iterator);
        match condition {
            AstExpr::Lt(a, b) if is_own(a) => Some(self.of(b)?.1 - 1),
            AstExpr::Le(a, b) if is_own(a) => Some(self.of(b)?.1),
            AstExpr::And(list) | AstExpr::AndThen(list) => {
                list.iter().filter_map(|part| self.end(part, iterator)).min()
            }
            _ => None,
        }
    }

    fn of_name(&self, name: &Name) -> Interval {
        let own = self.around.iter().rev().flatten().find(|(own, _)| own == name);
        if let Some((_, interval)) = own {
            return *interval;
        }
        if let Some((_, interval)) = self.numbers.iter().find(|(own, _)| own == name) {
            return Some(*interval);
        }
        match &self.parameters {
            Some((most, all)) if all.contains(name) => {
                let most = i128::from(*most);
                self.checked.contains(name).then_some((-most, most))
            }
            _ => Some(ALL),
        }
    }

    /// Whether an expression and all of its parts are values of 32 bits.
    pub(super) fn fits(&self, expression: &AstExpr) -> bool {
        let own = match expression {
            AstExpr::Eq(..)
            | AstExpr::Le(..)
            | AstExpr::Lt(..)
            | AstExpr::Ge(..)
            | AstExpr::Gt(..)
            | AstExpr::And(_)
            | AstExpr::Or(_)
            | AstExpr::AndThen(_)
            | AstExpr::OrElse(_) => Some((0, 1)),
            other => self.of(other),
        };
        let fits = own.is_some_and(|(least, most)| least >= ALL.0 && most <= ALL.1);
        fits && expression.operands().iter().all(|operand| self.fits(operand))
    }

    /// The sum of what is added to rows in a place of linear memory, `((i) * n + j) * m + k`, without regard
    /// to signs; none if that is no value of 32 bits. Rows themselves are left out: they are at most as many
    /// elements as the array has.
    pub(super) fn beside_rows(&self, place: &AstExpr) -> Option<i128> {
        match place {
            AstExpr::Add(a, b) | AstExpr::Sub(a, b) => {
                self.beside_rows(a)?.checked_add(self.beside_rows(b)?)
            }
            AstExpr::Mul(rows, extent) if rows.as_int().is_none() && extent.as_int().is_none() => {
                self.fits(extent).then(|| self.beside_rows(rows))?
            }
            other => {
                let (least, most) = self.of(other).filter(|_| self.fits(other))?;
                Some(least.abs().max(most.abs()))
            }
        }
    }

    /// The values of an expression.
    pub(super) fn of(&self, expression: &AstExpr) -> Interval {
        expression.value_range(&|name| self.of_name(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> Box<AstExpr> {
        Box::new(AstExpr::Id(name.into()))
    }

    fn int(value: i64) -> Box<AstExpr> {
        Box::new(AstExpr::int(value))
    }

    #[test]
    fn intervals_hold_all_values_of_small_boxes() {
        let mut known = Intervals::new(5, &["n".into()]);
        known.checked("n");
        known.set_numbers(vec![("t".into(), (0, 3))]);
        let difference = Box::new(AstExpr::Sub(id("n"), Box::new(AstExpr::Mul(int(3), id("t")))));
        let all = [
            (AstExpr::DivNonneg(difference.clone(), int(4)), (-3, 1)),
            (AstExpr::DivFloor(difference.clone(), int(4)), (-4, 1)),
            (AstExpr::RemNonneg(difference.clone(), int(4)), (-3, 3)),
            (AstExpr::Min(vec![AstExpr::Id("t".into()), *difference.clone()]), (-14, 3)),
            (AstExpr::Mul(difference, id("t")), (-42, 15)),
        ];
        for (expression, interval) in all {
            assert_eq!(known.of(&expression), Some(interval), "{expression}");
        }
    }

    #[test]
    fn what_is_not_compared_with_a_bound_fits_nowhere() {
        let mut known = Intervals::new(1 << 20, &["n".into(), "m".into()]);
        known.checked("n");
        assert!(known.fits(&id("n")));
        assert!(!known.fits(&id("m")));
        let large = |factor: i64| AstExpr::Mul(int(factor), id("n"));
        assert!(known.fits(&large(2047)));
        assert!(!known.fits(&large(2048)));
        assert!(!known.fits(&AstExpr::DivNonneg(Box::new(large(2048)), int(2048))));
    }

    #[test]
    fn rows_are_left_to_the_number_of_elements() {
        let mut known = Intervals::new(1 << 20, &["n".into()]);
        known.checked("n");
        known.set_numbers(vec![("t".into(), (0, 3))]);
        let row = AstExpr::Add(id("n"), id("t"));
        let place = AstExpr::Add(Box::new(AstExpr::Mul(Box::new(row), id("n"))), id("t"));
        assert!(!known.fits(&place));
        assert_eq!(known.beside_rows(&place), Some((1 << 20) + 6));
    }
}
