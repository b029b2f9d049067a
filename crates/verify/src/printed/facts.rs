//! Whether sums are never negative, or zero, where they stand: without sets, by what loops and conditions
//! around say.
//!
//! Loops and conditions say *facts*, sums that are not negative at the place. A sum `a v + r` whose innermost
//! name is `v` is not negative if `|b| (a v + r) - |a| (b v + s)` is not, for a fact `b v + s` whose
//! innermost name is `v` as well and where `a` and `b` have one sign. That sum has no `v`: it is a step of
//! Fourier's elimination for one row. What is not linear is replaced as well: a minimum is not negative if
//! all of its operands are, `d floor(e/d)` is between `e - d + 1` and `e`. Iterators that move by more than
//! one have a residue, which sharpens bounds and shows that quotients are exact.
//!
//! What is found holds for all integers. Nothing found means nothing: sets decide then (`values.rs`).
use crate::printed::form::{Form, Term, Truth};
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_presburger::{Int, Name};

/// More steps than this are not tried for one sum.
const MOST_STEPS: u32 = 60;

/// The same for a bound of a quotient that is its value where it stands.
const MOST_STEPS_OF_QUOTIENTS: u32 = 400;

/// Values that depend on conditions are looked at case by case, inside of so many others at most.
const MOST_CASES: u32 = 6;

/// What is known at a place.
#[derive(Default)]
pub(super) struct Facts {
    levels: Vec<Level>,
}

/// What one loop or condition says.
#[derive(Default)]
struct Level {
    /// Sums that are not negative, with their innermost terms.
    facts: Vec<(Term, Form)>,
    /// The name that has a meaning from here on.
    declares: Option<Name>,
    /// Its values, where they are known.
    values: Option<Values>,
    /// Whether a name stands for two things, so that nothing can be said.
    is_ambiguous: bool,
}

/// The values of a name: the first one, and by how much it moves; by nothing if there is one.
struct Values {
    first: Form,
    step: Int,
}

/// How far inside a term is: the place of its innermost name, how deep it is nested, and itself.
type Depth<'t> = (usize, usize, &'t Term);

impl Facts {
    pub(super) fn depth(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn truncate(&mut self, depth: usize) {
        self.levels.truncate(depth);
    }

    /// Enters a loop.
    pub(super) fn enter_loop(&mut self, each: &ForLoop) {
        let step = if each.degenerate { Int::ZERO } else { each.increment.clone() };
        let first = Form::of(&each.init);
        self.declare(&each.iterator, first.clone().map(|first| Values { first, step }));
        let Some(first) = first else { return };
        let more = Form::name(&each.iterator).plus(&Int::from(-1), &first);
        if each.degenerate {
            return self.add(&Truth::Zero(more));
        }
        self.add(&Truth::NotNegative(more));
        if let Some(condition) = Truth::of(&each.condition) {
            self.add(&condition);
        }
    }

    /// Enters a place where a condition holds, or where it does not. The equality of a new name and a value
    /// says what that is.
    pub(super) fn enter_condition(&mut self, condition: &AstExpr, holds: bool) {
        let mut level = Level::default();
        if let (AstExpr::Eq(name, value), true) = (condition, holds)
            && let (AstExpr::Id(name), Some(first)) = (&**name, Form::of(value))
            && !self.mentions(name)
            && !first.mentions(name)
        {
            level.declares = Some(name.clone());
            level.values = Some(Values { first, step: Int::ZERO });
        }
        self.levels.push(level);
        let truth = Truth::of(condition);
        let truth = if holds { truth } else { truth.map(Truth::negated) };
        if let Some(truth) = truth {
            self.add(&truth);
        }
    }

    fn declare(&mut self, name: &Name, values: Option<Values>) {
        let is_ambiguous = self.mentions(name);
        let declares = Some(name.clone());
        self.levels.push(Level { declares, values, is_ambiguous, ..Level::default() });
    }

    /// Whether a condition always holds, as far as it is found.
    pub(super) fn hold(&mut self, truth: &Truth) -> bool {
        !self.is_ambiguous() && self.holds_in_cases(truth, MOST_CASES)
    }

    fn holds_in_cases(&mut self, truth: &Truth, most: u32) -> bool {
        let Some(select) = truth.innermost_select() else { return self.holds(truth) };
        let Term::Select(condition, yes, no) = select else { return false };
        let cases = [(condition.clone(), yes), (condition.clone().negated(), no)];
        most > 0
            && cases.iter().all(|(condition, value)| {
                self.levels.push(Level::default());
                self.add(condition);
                let found = self.holds_in_cases(&truth.with(select, value), most - 1);
                self.levels.pop();
                found
            })
    }

    /// Whether two sums are always equal, as far as it is found.
    pub(super) fn are_equal(&self, a: &Form, b: &Form) -> bool {
        a == b || !self.is_ambiguous() && self.is_zero(&a.clone().plus(&Int::from(-1), b))
    }

    /// Whether two sums always differ, as far as it is found.
    pub(super) fn differ(&self, a: &Form, b: &Form) -> bool {
        let above = |a: &Form, b: &Form| {
            let more = a.clone().plus(&Int::from(-1), b);
            self.proves(&more.plus(&Int::from(-1), &Form::one()))
        };
        !self.is_ambiguous() && (above(a, b) || above(b, a))
    }

    /// Whether two conditions hold at the same values of names, as far as it is found; a name of which
    /// nothing is known may be `free`.
    pub(super) fn are_same(&mut self, a: &Truth, b: &Truth, free: Option<&Name>) -> bool {
        let outside = self.depth();
        if let Some(name) = free {
            self.declare(name, None);
        }
        let found = !self.is_ambiguous() && self.implies(a, b) && self.implies(b, a);
        self.truncate(outside);
        found
    }

    fn implies(&mut self, a: &Truth, b: &Truth) -> bool {
        if let Truth::Any(list) = a {
            return list.iter().all(|a| self.implies(a, b));
        }
        self.levels.push(Level::default());
        self.add(a);
        let found = self.holds(b);
        self.levels.pop();
        found
    }

    fn holds(&self, truth: &Truth) -> bool {
        match truth {
            Truth::Known(known) => *known,
            Truth::NotNegative(sum) => self.proves(sum),
            Truth::Zero(sum) => self.is_zero(sum),
            Truth::All(list) => list.iter().all(|truth| self.holds(truth)),
            Truth::Any(list) => list.iter().any(|truth| self.holds(truth)),
        }
    }

    fn is_ambiguous(&self) -> bool {
        self.levels.iter().any(|level| level.is_ambiguous)
    }

    fn mentions(&self, name: &Name) -> bool {
        self.levels.iter().any(|level| {
            level.declares.as_ref() == Some(name)
                || level.facts.iter().any(|(_, sum)| sum.mentions(name))
        })
    }

    /// Adds what a condition says at the innermost place.
    fn add(&mut self, truth: &Truth) {
        match truth {
            Truth::All(list) => list.iter().for_each(|truth| self.add(truth)),
            Truth::NotNegative(sum) => self.add_sum(sum, true),
            Truth::Zero(sum) => {
                self.add_sum(sum, true);
                self.add_sum(&sum.times(&Int::from(-1)), true);
            }
            Truth::Known(_) | Truth::Any(_) => {}
        }
    }

    /// Adds a sum that is not negative, and what it says about other names together with each bound from the
    /// other side.
    fn add_sum(&mut self, sum: &Form, with_others: bool) {
        // Each operand is a fact by itself.
        let extreme = sum.terms().find_map(|(term, coefficient)| match term {
            Term::Least(list) if coefficient.is_positive() => Some((term, coefficient, list)),
            Term::Greatest(list) if coefficient.is_negative() => Some((term, coefficient, list)),
            _ => None,
        });
        if let Some((term, coefficient, list)) = extreme {
            let rest = sum.without(term);
            let each = |operand: &Form| rest.clone().plus(coefficient, operand);
            return list.iter().for_each(|operand| self.add_sum(&each(operand), with_others));
        }
        let sum = match self.residue_of(sum) {
            Some((_, residue)) => sum.clone().plus(&-&residue, &Form::one()),
            None => sum.clone(),
        };
        let sum = sum.in_lowest_terms();
        let Some((_, _, pivot)) = self.innermost(&sum) else { return };
        let pivot = pivot.clone();
        let is_known = |known: &Form| {
            let more = sum.constant_difference(known);
            more.is_some_and(|more| !more.is_negative())
        };
        if self.facts_about(&pivot).any(is_known) {
            return;
        }
        let mut more = Vec::new();
        if with_others {
            let others = self.facts_about(&pivot).filter_map(|other| sum.cancelled(other, &pivot));
            more.extend(others.filter(|sum| sum.as_constant().is_none()));
        }
        if let Some(level) = self.levels.last_mut() {
            level.facts.push((pivot, sum));
        }
        more.iter().for_each(|sum| self.add_sum(sum, false));
    }

    fn facts_about<'f>(&'f self, pivot: &'f Term) -> impl Iterator<Item = &'f Form> {
        let facts = self.levels.iter().rev().flat_map(|level| &level.facts);
        facts.filter(move |(own, _)| own == pivot).map(|(_, fact)| fact)
    }

    /// A number greater than one by which a sum always leaves the same residue, and that.
    fn residue_of(&self, sum: &Form) -> Option<(Int, Int)> {
        let moves = |(term, coefficient): (&Term, &Int)| {
            let step = match term {
                Term::Name(name) => {
                    self.values(name).map_or(Int::ONE, |values| values.step.clone())
                }
                _ => Int::ONE,
            };
            (!step.is_zero()).then(|| (self.place(term), (coefficient * &step).abs()))
        };
        let (_, modulus) = sum.terms().filter_map(moves).max_by_key(|(place, _)| *place)?;
        (modulus > Int::ONE).then(|| Some((modulus.clone(), self.residue(sum, &modulus)?)))?
    }

    fn values(&self, name: &Name) -> Option<&Values> {
        let own = self.levels.iter().rev().find(|level| level.declares.as_ref() == Some(name));
        own.and_then(|level| level.values.as_ref())
    }

    fn innermost<'f>(&self, sum: &'f Form) -> Option<Depth<'f>> {
        let depths = sum.terms().map(|(term, _)| {
            let (place, nesting) = self.place(term);
            (place, nesting, term)
        });
        depths.max()
    }

    fn place(&self, term: &Term) -> (usize, usize) {
        let inside = |list: &mut dyn Iterator<Item = &Form>| {
            let terms = list.flat_map(Form::terms).map(|(term, _)| self.place(term));
            let (place, nesting) = terms.fold((0, 0), |(a, b), (c, d)| (a.max(c), b.max(d)));
            (place, nesting + 1)
        };
        match term {
            Term::Name(name) => {
                let declares = |level: &Level| level.declares.as_ref() == Some(name);
                (self.levels.iter().rposition(declares).map_or(0, |at| at + 1), 0)
            }
            Term::Floor(sum, _) | Term::Quotient(sum, _) => inside(&mut std::iter::once(sum)),
            Term::Least(list) | Term::Greatest(list) => inside(&mut list.iter()),
            Term::Select(_, a, b) => inside(&mut [a, b].into_iter()),
        }
    }

    fn proves(&self, sum: &Form) -> bool {
        let mut steps = MOST_STEPS;
        self.is_not_negative(sum, &mut steps)
    }

    fn is_not_negative(&self, sum: &Form, steps: &mut u32) -> bool {
        let Some((_, _, pivot)) = self.innermost(sum) else {
            return !sum.number().is_negative();
        };
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let sum = &match self.residue_of(sum) {
            // What is not negative is at least the residue.
            Some((modulus, residue)) => {
                sum.clone().plus(&(&modulus - &(&residue + &Int::ONE)), &Form::one())
            }
            None => sum.clone(),
        };
        let coefficient = sum.coefficient(pivot);
        match pivot {
            Term::Least(list) | Term::Greatest(list) => {
                let is_least = matches!(pivot, Term::Least(_));
                let rest = sum.without(pivot);
                let mut each = list.iter().map(|operand| rest.clone().plus(&coefficient, operand));
                match is_least == coefficient.is_positive() {
                    true => each.all(|sum| self.is_not_negative(&sum, steps)),
                    false => each.any(|sum| self.is_not_negative(&sum, steps)),
                }
            }
            Term::Floor(dividend, divisor) => {
                let rest = sum.without(pivot);
                self.with_quotient(rest, (&coefficient, dividend, divisor), steps)
                    || self.follows(sum, pivot, steps)
            }
            Term::Quotient(dividend, divisor) => {
                let rest = sum.without(pivot);
                self.is_floor(dividend, divisor)
                    && self.with_quotient(rest, (&coefficient, dividend, divisor), steps)
                    || self.follows(sum, pivot, steps)
            }
            Term::Name(_) | Term::Select(..) => self.follows(sum, pivot, steps),
        }
    }

    /// Whether a sum is not negative because a fact about its innermost term says so.
    fn follows(&self, sum: &Form, pivot: &Term, steps: &mut u32) -> bool {
        let own = sum.coefficient(pivot);
        self.facts_about(pivot).any(|fact| {
            let factor = fact.coefficient(pivot);
            own.is_negative() == factor.is_negative() && {
                let rest = sum.times(&factor.abs()).plus(&-&own.abs(), fact);
                self.is_not_negative(&rest.in_lowest_terms(), steps)
            }
        })
    }

    /// The same for a sum and a quotient that is rounded down: `d q` is at least `e - d + 1`, and at most
    /// `e`.
    fn with_quotient(
        &self,
        rest: Form,
        (coefficient, dividend, divisor): (&Int, &Form, &Int),
        steps: &mut u32,
    ) -> bool {
        let mut rest = rest.times(divisor).plus(coefficient, dividend);
        if coefficient.is_positive() {
            let most = &Int::ONE - divisor;
            rest = rest.plus(&(coefficient * &most), &Form::one());
        }
        self.is_not_negative(&rest.in_lowest_terms(), steps)
    }

    /// Whether a quotient rounded towards zero is one rounded down.
    fn is_floor(&self, dividend: &Form, divisor: &Int) -> bool {
        self.residue(dividend, divisor).is_some_and(|rest| rest.is_zero()) || self.proves(dividend)
    }

    fn is_zero(&self, sum: &Form) -> bool {
        let quotients = sum.terms().filter_map(|(term, coefficient)| match term {
            Term::Floor(dividend, divisor) => Some((term, coefficient, dividend, divisor)),
            Term::Quotient(dividend, divisor) if self.is_floor(dividend, divisor) => {
                Some((term, coefficient, dividend, divisor))
            }
            _ => None,
        });
        let Some((term, coefficient, dividend, divisor)) =
            quotients.max_by_key(|(term, ..)| self.place(term))
        else {
            return self.proves(sum) && self.proves(&sum.times(&Int::from(-1)));
        };
        // The rest is -c q for the quotient q of the term c floor(e/d): d q is a multiple of d, and e - d < d
        // q <= e.
        let multiple = sum.without(term).times(&-divisor).divided_by(coefficient);
        let is_multiple = multiple.is_some_and(|multiple| {
            let (more, most) = around_quotient(dividend, &multiple, divisor);
            self.residue(&multiple, divisor).is_some_and(|rest| rest.is_zero())
                && self.proves(&more)
                && self.proves(&most)
        });
        is_multiple
            || self
                .quotient(dividend, divisor)
                .is_some_and(|known| self.is_zero(&sum.without(term).plus(coefficient, &known)))
    }

    /// A sum with values in place of quotients, where they are known.
    fn with_quotients(&self, sum: &Form) -> Form {
        sum.terms().fold(sum.clone(), |all, (term, coefficient)| {
            let Term::Floor(dividend, divisor) = term else { return all };
            match self.quotient(dividend, divisor) {
                Some(value) => all.without(term).plus(coefficient, &value),
                None => all,
            }
        })
    }

    /// The value of a quotient that is rounded down, if it is a sum of names that a fact about the innermost
    /// name of the dividend has as a bound.
    ///
    /// In the tile `8 p <= i < 8 p + 8` the quotient of `i` by 8 is `p`.
    fn quotient(&self, dividend: &Form, divisor: &Int) -> Option<Form> {
        let dividend = &self.with_quotients(dividend);
        let (_, _, pivot) = self.innermost(dividend)?;
        let own = dividend.coefficient(pivot);
        let proves = |sum: &Form| {
            let mut steps = MOST_STEPS_OF_QUOTIENTS;
            self.is_not_negative(sum, &mut steps)
        };
        self.facts_about(pivot).find_map(|fact| {
            let factor = fact.coefficient(pivot);
            let is_whole = !factor.is_zero() && own.is_divisible_by(&factor);
            let times = is_whole.then(|| own.div_exact(&factor))?;
            let bound = dividend.clone().plus(&-&times, fact);
            let below = &bound.number().mod_floor(divisor);
            let multiple = bound.plus(&-below, &Form::one());
            let is_of_names = multiple.terms().all(|(term, _)| matches!(term, Term::Name(_)));
            let quotient = is_of_names.then(|| multiple.clone().divided_by(divisor))??;
            let (more, most) = around_quotient(dividend, &multiple, divisor);
            (proves(&more) && proves(&most)).then_some(quotient)
        })
    }

    /// What a sum leaves when it is divided by a positive number, if it is always the same.
    fn residue(&self, sum: &Form, modulus: &Int) -> Option<Int> {
        let open = sum.terms().filter(|(_, coefficient)| !coefficient.mod_floor(modulus).is_zero());
        let open = open.map(|(term, coefficient)| (self.place(term), term, coefficient));
        let Some((_, term, coefficient)) = open.max_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1))) else {
            return Some(sum.number().mod_floor(modulus));
        };
        let rest = sum.without(term);
        match term {
            Term::Name(name) => {
                let values = self.values(name)?;
                let moves = coefficient * &values.step;
                let stays = moves.mod_floor(modulus).is_zero();
                stays.then(|| self.residue(&rest.plus(coefficient, &values.first), modulus))?
            }
            Term::Least(list) | Term::Greatest(list) => {
                let mut all = list
                    .iter()
                    .map(|each| self.residue(&rest.clone().plus(coefficient, each), modulus));
                let first = all.next()??;
                all.all(|other| other.as_ref() == Some(&first)).then_some(first)
            }
            _ => None,
        }
    }
}

/// What is not negative where a multiple of a divisor is that below a dividend: what is left of the dividend,
/// and what is missing to the next multiple but one.
fn around_quotient(dividend: &Form, multiple: &Form, divisor: &Int) -> (Form, Form) {
    let more = dividend.clone().plus(&Int::from(-1), multiple);
    let most = Form::constant(&(divisor - &Int::ONE)).plus(&Int::from(-1), &more);
    (more, most)
}

#[cfg(test)]
mod tests {
    //! The oracle is a run: loops and conditions are executed for all small parameters, and what is said to
    //! hold has to.
    use super::*;
    use loopwright_astgen::{AstNode, Entry};
    use std::collections::BTreeMap;

    struct Random(u64);

    impl Random {
        fn below(&mut self, n: u64) -> u64 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % n
        }

        fn number(&mut self, least: i64, greatest: i64) -> i64 {
            least + self.below((greatest - least + 1) as u64) as i64
        }

        fn of<T: Clone>(&mut self, list: &[T]) -> T {
            list[self.below(list.len() as u64) as usize].clone()
        }

        /// A sum of names, perhaps with a quotient, a minimum or a maximum.
        fn sum(&mut self, names: &[Name]) -> AstExpr {
            let name = AstExpr::Id(self.of(names));
            let number = self.number(-4, 8);
            let sum = match self.below(3) {
                0 => binary(AstExpr::Sub, name, AstExpr::Id(self.of(names))),
                1 => binary(AstExpr::Mul, AstExpr::int(self.of(&[2, 3, 4])), name),
                _ => name,
            };
            let sum = binary(AstExpr::Add, sum, AstExpr::int(number));
            let divisor = self.of(&[2, 3, 4]);
            let multiple = |quotient| binary(AstExpr::Mul, AstExpr::int(divisor), quotient);
            match self.below(8) {
                0 => AstExpr::Min(vec![sum, self.sum(names)]),
                1 => AstExpr::Max(vec![sum, self.sum(names)]),
                2 => multiple(binary(AstExpr::DivFloor, sum, AstExpr::int(divisor))),
                3 => multiple(binary(AstExpr::DivNonneg, sum, AstExpr::int(divisor))),
                4 => {
                    let (condition, other) = (self.condition(names), self.sum(names));
                    AstExpr::Select(Box::new(condition), Box::new(sum), Box::new(other))
                }
                _ => sum,
            }
        }

        fn condition(&mut self, names: &[Name]) -> AstExpr {
            let (a, b) = (self.sum(names), self.sum(names));
            match self.below(6) {
                0 => binary(AstExpr::Lt, a, b),
                1 => binary(AstExpr::Eq, a, b),
                2 => AstExpr::And(vec![binary(AstExpr::Ge, a, b), self.condition(names)]),
                3 => AstExpr::Or(vec![binary(AstExpr::Gt, a, b), self.condition(names)]),
                _ => binary(AstExpr::Le, a, b),
            }
        }
    }

    fn binary(make: fn(Box<AstExpr>, Box<AstExpr>) -> AstExpr, a: AstExpr, b: AstExpr) -> AstExpr {
        make(Box::new(a), Box::new(b))
    }

    type Values = BTreeMap<Name, i64>;

    fn run(expression: &AstExpr, values: &Values) -> i64 {
        use AstExpr::*;
        let of = |e: &AstExpr| run(e, values);
        match expression {
            Int(value) => value.to_i64().unwrap(),
            Id(name) => values[name],
            Add(a, b) => of(a) + of(b),
            Sub(a, b) => of(a) - of(b),
            Mul(a, b) => of(a) * of(b),
            DivFloor(a, b) => of(a).div_euclid(of(b)),
            DivNonneg(a, b) => of(a) / of(b),
            RemNonneg(a, b) => of(a) % of(b),
            Min(list) => list.iter().map(of).min().unwrap(),
            Max(list) => list.iter().map(of).max().unwrap(),
            Select(c, a, b) => {
                if of(c) != 0 {
                    of(a)
                } else {
                    of(b)
                }
            }
            Le(a, b) => i64::from(of(a) <= of(b)),
            Lt(a, b) => i64::from(of(a) < of(b)),
            Ge(a, b) => i64::from(of(a) >= of(b)),
            Gt(a, b) => i64::from(of(a) > of(b)),
            Eq(a, b) => i64::from(of(a) == of(b)),
            And(list) => i64::from(list.iter().all(|e| of(e) != 0)),
            Or(list) => i64::from(list.iter().any(|e| of(e) != 0)),
            other => unreachable!("{other:?}"),
        }
    }

    fn counter(iterator: &Name, init: AstExpr, condition: AstExpr, step: i64) -> ForLoop {
        ForLoop {
            iterator: iterator.clone(),
            init,
            condition,
            increment: Int::from(step),
            multiples_of: None,
            body: Box::new(AstNode::Block(Vec::new())),
            degenerate: false,
            coincident: false,
            dimension: 0,
            entry: Entry::default(),
            annotation: None,
        }
    }

    /// What is around the place.
    enum Around {
        Loop(ForLoop),
        Condition(AstExpr, bool),
    }

    /// Calls `visit` for each time that the place is reached.
    fn reach(around: &[Around], values: &mut Values, visit: &mut dyn FnMut(&Values)) {
        let Some((first, inner)) = around.split_first() else { return visit(values) };
        match first {
            Around::Condition(condition, holds) => {
                if (run(condition, values) != 0) == *holds {
                    reach(inner, values, visit);
                }
            }
            Around::Loop(each) => {
                let mut value = run(&each.init, values);
                loop {
                    values.insert(each.iterator.clone(), value);
                    if !each.degenerate && run(&each.condition, values) == 0 {
                        break;
                    }
                    reach(inner, values, visit);
                    if each.degenerate {
                        break;
                    }
                    value += each.increment.to_i64().unwrap();
                }
                values.remove(&each.iterator);
            }
        }
    }

    fn around(random: &mut Random, names: &mut Vec<Name>) -> Vec<Around> {
        let mut around = Vec::new();
        for _ in 0..random.number(1, 4) {
            if random.below(3) == 0 {
                around.push(Around::Condition(random.condition(names), random.below(4) > 0));
                continue;
            }
            let iterator = Name::from(format!("i{}", names.len()).as_str());
            let here = AstExpr::Id(iterator.clone());
            let bounds = [random.sum(names), random.sum(names)];
            let [end, other] = bounds;
            let bound = if random.below(2) == 0 { AstExpr::Min(vec![end, other]) } else { end };
            let first = random.sum(names);
            let init = random.of(&[first, AstExpr::int(0)]);
            let condition = binary(AstExpr::Le, here, bound);
            let step = random.number(1, 4);
            let degenerate = random.below(6) == 0;
            around.push(Around::Loop(ForLoop {
                degenerate,
                ..counter(&iterator, init, condition, step)
            }));
            names.push(iterator);
        }
        around
    }

    /// In tiles whose columns move by eight places from row to row, 24 places wide, two quotients are known
    /// by the tile; in wider ones they are not.
    #[test]
    fn quotients_of_tiles_are_known_by_their_loops() {
        let [n, m, p, r, t, i] = ["n", "m", "p", "r", "t", "i"].map(Name::from);
        let id = |name: &Name| AstExpr::Id(name.clone());
        let times = |factor, name| binary(AstExpr::Mul, AstExpr::int(factor), id(name));
        let plus = |sum, number| binary(AstExpr::Add, sum, AstExpr::int(number));
        let quotient = |sum, by| binary(AstExpr::DivFloor, sum, AstExpr::int(by));
        let row = || quotient(id(&t), 2);
        let moved = binary(AstExpr::Mul, AstExpr::int(8), row());
        let column = quotient(binary(AstExpr::Add, id(&i), moved), 24);
        let column = binary(AstExpr::Mul, AstExpr::int(3), column);
        let claim = Form::of(&binary(AstExpr::Sub, row(), column)).unwrap();
        let meant = Form::of(&binary(AstExpr::Sub, id(&r), times(3, &p))).unwrap();
        for (last, is_known) in [(23, true), (24, false)] {
            let first = || binary(AstExpr::Sub, times(24, &p), times(8, &r));
            let mut facts = Facts::default();
            for (iterator, init, end) in [
                (&p, AstExpr::int(0), id(&n)),
                (&r, AstExpr::int(0), id(&m)),
                (&t, times(2, &r), plus(times(2, &r), 1)),
                (&i, first(), plus(first(), last)),
            ] {
                let condition = binary(AstExpr::Le, id(iterator), end);
                facts.enter_loop(&counter(iterator, init, condition, 1));
            }
            assert_eq!(facts.are_equal(&claim, &meant), is_known, "{last}");
        }
    }

    #[test]
    fn what_is_found_holds_whenever_the_place_is_reached() {
        let mut random = Random(7);
        let mut found = [0; 4];
        for _ in 0..800 {
            let mut names = vec![Name::from("n"), Name::from("m")];
            let around = around(&mut random, &mut names);
            let mut facts = Facts::default();
            for node in &around {
                match node {
                    Around::Loop(each) => facts.enter_loop(each),
                    Around::Condition(condition, holds) => facts.enter_condition(condition, *holds),
                }
            }
            let mut claims: Vec<AstExpr> = Vec::new();
            for _ in 0..6 {
                let (a, b) = (random.sum(&names), random.sum(&names));
                let condition = random.condition(&names);
                if facts.hold(&Truth::of(&condition).unwrap()) {
                    found[0] += 1;
                    claims.push(condition.clone());
                }
                let forms = [Form::of(&a).unwrap(), Form::of(&b).unwrap()];
                if facts.are_equal(&forms[0], &forms[1]) {
                    found[1] += 1;
                    claims.push(binary(AstExpr::Eq, a.clone(), b.clone()));
                }
                if facts.differ(&forms[0], &forms[1]) {
                    found[2] += 1;
                    let sides =
                        vec![binary(AstExpr::Lt, a.clone(), b.clone()), binary(AstExpr::Gt, a, b)];
                    claims.push(AstExpr::Or(sides));
                }
                let other = random.condition(&names);
                let truths = [&condition, &other].map(|e| Truth::of(e).unwrap());
                if facts.are_same(&truths[0], &truths[1], None) {
                    found[3] += 1;
                    claims.push(binary(AstExpr::Eq, condition, other));
                }
            }
            for (n, m) in (-7..8).flat_map(|n| (-2..9).step_by(3).map(move |m| (n, m))) {
                let mut values = Values::from([("n".into(), n), ("m".into(), m)]);
                reach(&around, &mut values, &mut |values| {
                    for claim in &claims {
                        assert_ne!(run(claim, values), 0, "{claim:?} at {values:?}");
                    }
                });
            }
        }
        assert!(found.iter().all(|count| *count > 10), "{found:?}");
    }

    #[test]
    fn multiples_and_their_rows() {
        let id = |name: &str| AstExpr::Id(name.into());
        let sum = |a, b| binary(AstExpr::Add, a, b);
        let each = |name: &str, init, end, step| {
            counter(&name.into(), init, binary(AstExpr::Lt, id(name), end), step)
        };
        let mut facts = Facts::default();
        facts.enter_loop(&each("t", AstExpr::int(0), id("n"), 96));
        let end = AstExpr::Min(vec![id("n"), sum(id("t"), AstExpr::int(96))]);
        facts.enter_loop(&each("r", id("t"), end, 8));
        let row = |number| sum(id("r"), AstExpr::int(number));
        let in_panel = |number| {
            let quotient = binary(AstExpr::DivFloor, row(number), AstExpr::int(96));
            let origin = binary(AstExpr::Mul, AstExpr::int(96), quotient);
            Form::of(&binary(AstExpr::Sub, row(number), origin)).unwrap()
        };
        let printed = |number| Form::of(&binary(AstExpr::Sub, row(number), id("t"))).unwrap();
        assert!((0..8).all(|number| facts.are_equal(&printed(number), &in_panel(number))));
        assert!(!facts.are_equal(&printed(8), &in_panel(8)), "the next panel");
    }
}
