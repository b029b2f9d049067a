//! Whether sums are never negative, or zero, where they stand: without sets, by what loops and conditions around say.
//!
//! Loops and conditions say *facts*, sums that are not negative at the place. A sum `a v + r` whose innermost name is `v` is not
//! negative if `|b| (a v + r) - |a| (b v + s)` is not, for a fact `b v + s` whose innermost name is `v` as well and where `a` and
//! `b` have one sign. That sum has no `v`: it is a step of Fourier's elimination for one row. What is not
//! linear is replaced as well: a minimum is not negative if all of its operands are, `d floor(e/d)` is between `e - d + 1` and `e`. Iterators that move by
//! more than one have a residue, which sharpens bounds and shows that quotients are exact.
//!
//! What is found holds for all integers. Nothing found means nothing: sets decide then (`values.rs`).
use crate::printed::form::{Form, Term, Truth};
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_presburger::{Int, Name};

/// More steps than this are not tried for one sum.
const MOST_STEPS: u32 = 120;

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
    /// The iterator that the loop declares, and its values.
    iterator: Option<(Name, Values)>,
    /// Whether a name stands for two things, so that nothing can be said.
    is_ambiguous: bool,
}

/// The values of an iterator: the first one, and by how much it moves; by nothing if there is one.
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
        let name = &each.iterator;
        let is_ambiguous = self.mentions(name);
        let first = Form::of(&each.init);
        let step = if each.degenerate { Int::ZERO } else { each.increment.clone() };
        let iterator = first.clone().map(|first| (name.clone(), Values { first, step }));
        self.levels.push(Level { facts: Vec::new(), iterator, is_ambiguous });
        let Some(first) = first else { return };
        let more = Form::name(name).plus(&Int::from(-1), &first);
        if each.degenerate {
            return self.add(&Truth::Zero(more));
        }
        self.add(&Truth::NotNegative(more));
        if let Some(condition) = Truth::of(&each.condition) {
            self.add(&condition);
        }
    }

    /// Enters a place where a condition holds, or where it does not.
    pub(super) fn enter_condition(&mut self, condition: &AstExpr, holds: bool) {
        self.levels.push(Level::default());
        let truth = Truth::of(condition);
        let truth = if holds { truth } else { truth.map(Truth::negated) };
        if let Some(truth) = truth {
            self.add(&truth);
        }
    }

    /// Whether a condition always holds, as far as it is found.
    pub(super) fn hold(&mut self, truth: &Truth) -> bool {
        !self.is_ambiguous() && self.holds(truth)
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

    /// Whether two conditions hold at the same values of names, as far as it is found; a name of which nothing is known may be `free`.
    pub(super) fn are_same(&mut self, a: &Truth, b: &Truth, free: Option<&Name>) -> bool {
        if self.is_ambiguous() || free.is_some_and(|name| self.mentions(name)) {
            return false;
        }
        self.implies(a, b) && self.implies(b, a)
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
            level.iterator.as_ref().is_some_and(|(known, _)| known == name)
                || level.facts.iter().any(|(_, sum)| sum.mentions(name))
        })
    }

    /// Adds what a condition says at the innermost place.
    fn add(&mut self, truth: &Truth) {
        match truth {
            Truth::All(list) => list.iter().for_each(|truth| self.add(truth)),
            Truth::NotNegative(sum) => self.add_sum(sum),
            Truth::Zero(sum) => {
                self.add_sum(sum);
                self.add_sum(&sum.times(&Int::from(-1)));
            }
            Truth::Known(_) | Truth::Any(_) => {}
        }
    }

    fn add_sum(&mut self, sum: &Form) {
        // Each operand is a fact by itself.
        let extreme = sum.terms().find_map(|(term, coefficient)| match term {
            Term::Least(list) if coefficient.is_positive() => Some((term, coefficient, list)),
            Term::Greatest(list) if coefficient.is_negative() => Some((term, coefficient, list)),
            _ => None,
        });
        if let Some((term, coefficient, list)) = extreme {
            let rest = sum.without(term);
            return list.iter().for_each(|each| self.add_sum(&rest.clone().plus(coefficient, each)));
        }
        let sum = self.sharpened(sum).in_lowest_terms();
        let Some((_, _, pivot)) = self.innermost(&sum) else { return };
        let pivot = pivot.clone();
        if let Some(level) = self.levels.last_mut() {
            level.facts.push((pivot, sum));
        }
    }

    /// What is not negative and moves by a step is at least its residue.
    fn sharpened(&self, sum: &Form) -> Form {
        let Some((name, values)) = self.levels.last().and_then(|level| level.iterator.as_ref())
        else {
            return sum.clone();
        };
        let coefficient = sum.coefficient(&Term::Name(name.clone()));
        let step = &coefficient.abs() * &values.step;
        if step <= Int::ONE {
            return sum.clone();
        }
        match self.residue(sum, &step) {
            Some(residue) => sum.clone().plus(&-&residue, &Form::one()),
            None => sum.clone(),
        }
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
                let declares = |level: &Level| {
                    level.iterator.as_ref().is_some_and(|(known, _)| known == name)
                };
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
            }
            Term::Quotient(dividend, divisor) => {
                let rest = sum.without(pivot);
                self.is_floor(dividend, divisor)
                    && self.with_quotient(rest, (&coefficient, dividend, divisor), steps)
            }
            Term::Select(_, a, b) => {
                let rest = sum.without(pivot);
                let both = [a, b].map(|value| rest.clone().plus(&coefficient, value));
                both.iter().all(|sum| self.is_not_negative(sum, steps))
            }
            Term::Name(_) => {
                let facts = self.levels.iter().rev().flat_map(|level| &level.facts);
                facts.filter(|(own, _)| own == pivot).any(|(_, fact)| {
                    let own = fact.coefficient(pivot);
                    own.is_negative() == coefficient.is_negative() && {
                        let rest = sum.times(&own.abs()).plus(&-&coefficient.abs(), fact);
                        self.is_not_negative(&rest.in_lowest_terms(), steps)
                    }
                })
            }
        }
    }

    /// The same for a sum and a quotient that is rounded down: `d q` is at least `e - d + 1`, and at most `e`.
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
        // The rest is -c q for the quotient q of the term c floor(e/d): d q is a multiple of d, and e - d < d q <= e.
        let multiple = sum.without(term).times(&-divisor).divided_by(coefficient);
        let Some(multiple) = multiple else { return false };
        let more = dividend.clone().plus(&Int::from(-1), &multiple);
        let most = Form::constant(&(divisor - &Int::ONE)).plus(&Int::from(-1), &more);
        self.residue(&multiple, divisor).is_some_and(|rest| rest.is_zero())
            && self.proves(&more)
            && self.proves(&most)
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
                let known = self.levels.iter().filter_map(|level| level.iterator.as_ref());
                let (_, values) = known.filter(|(known, _)| known == name).last()?;
                let moves = coefficient * &values.step;
                let stays = moves.mod_floor(modulus).is_zero();
                stays.then(|| self.residue(&rest.plus(coefficient, &values.first), modulus))?
            }
            Term::Least(list) | Term::Greatest(list) => {
                let mut all =
                    list.iter().map(|each| self.residue(&rest.clone().plus(coefficient, each), modulus));
                let first = all.next()??;
                all.all(|other| other.as_ref() == Some(&first)).then_some(first)
            }
            _ => None,
        }
    }
}
