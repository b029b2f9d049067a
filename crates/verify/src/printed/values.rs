//! Whether expressions of different forms are equal where they stand, for what the loops and conditions
//! around let iterators be: by bounds of iterators (`facts.rs`), and where these do not show it by sets,
//! which decide.
use crate::printed::facts::Facts;
use crate::printed::form::{Form, Truth};
use crate::printed::intervals::Intervals;
use crate::printed::outcome::{Stop, Walked};
use crate::syntax_tree::expression::ProgramPoint;
use crate::syntax_tree::loops::{called, inside};
use crate::verdict::{violation, violation_if_any};
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_presburger::{Aff, Budget, DimKind, Map, Name, PwAff, Result, Set, Tuple};

/// What is around a place in the tree, or in the text.
#[derive(Clone)]
pub(super) enum Around<'a> {
    Loop(&'a ForLoop),
    If(&'a AstExpr),
    Else(&'a AstExpr),
    /// A condition of the text that the tree does not have.
    Holds(AstExpr),
}

/// The nodes around a place, with what they let iterators be as far as it was asked for.
pub(super) struct Surroundings<'a> {
    around: Vec<Around<'a>>,
    /// The places outside of all nodes, inside of the first one, and so on.
    places: Vec<ProgramPoint>,
    /// What the nodes say about sums, as far as it was asked for.
    facts: Facts,
    /// What kernels with iterators of 32 bits compute with, as far as it was asked for.
    intervals: Intervals,
    budget: &'a Budget,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(context: &Set, budget: &'a Budget) -> Self {
        let places = vec![ProgramPoint::outermost(context)];
        Surroundings {
            around: Vec::new(),
            places,
            facts: Facts::default(),
            intervals: Intervals::default(),
            budget,
        }
    }

    pub(super) fn enter(&mut self, node: Around<'a>) {
        self.around.push(node);
    }

    pub(super) fn leave(&mut self) {
        self.around.pop();
        self.places.truncate(self.around.len() + 1);
        self.facts.truncate(self.around.len());
        self.intervals.truncate(self.around.len());
    }

    pub(super) fn depth(&self) -> usize {
        self.around.len()
    }

    pub(super) fn leave_to(&mut self, depth: usize) {
        while self.around.len() > depth {
            self.leave();
        }
    }

    /// The loop that is directly around; none if that is a condition, or nothing.
    pub(super) fn innermost_loop(&self) -> Option<&'a ForLoop> {
        match self.around.last() {
            Some(Around::Loop(each)) => Some(each),
            _ => None,
        }
    }

    fn place(&mut self) -> Result<ProgramPoint> {
        let budget = self.budget;
        for node in self.around.iter().skip(self.places.len() - 1) {
            let outside = self.places[self.places.len() - 1].clone();
            let place = match node {
                Around::Loop(each) => inside(each, &outside, budget)?,
                Around::If(condition) => {
                    outside.restricted(&outside.condition(condition, budget)?, budget)?
                }
                Around::Holds(condition) => {
                    outside.restricted(&outside.condition(condition, budget)?, budget)?
                }
                Around::Else(condition) => {
                    let holds = outside.condition(condition, budget)?;
                    let domain = outside.domain.subtract(&holds, budget)?;
                    ProgramPoint { domain, iterators: outside.iterators }
                }
            };
            self.places.push(place);
        }
        Ok(self.places[self.places.len() - 1].clone())
    }

    fn facts(&mut self) -> &mut Facts {
        for node in self.around.iter().skip(self.facts.depth()) {
            match node {
                Around::Loop(each) => self.facts.enter_loop(each),
                Around::If(condition) => self.facts.enter_condition(condition, true),
                Around::Holds(condition) => self.facts.enter_condition(condition, true),
                Around::Else(condition) => self.facts.enter_condition(condition, false),
            }
        }
        &mut self.facts
    }

    /// The intervals of names here.
    pub(super) fn intervals(&mut self) -> &mut Intervals {
        for node in self.around.iter().skip(self.intervals.depth()) {
            match node {
                Around::Loop(each) => self.intervals.enter_loop(each),
                Around::If(_) | Around::Holds(_) | Around::Else(_) => self.intervals.enter(),
            }
        }
        &mut self.intervals
    }

    /// What is known about the intervals of names outside of everything.
    pub(super) fn set_intervals(&mut self, intervals: Intervals) {
        self.intervals = intervals;
    }

    fn is_plainly_same(&mut self, printed: &AstExpr, meant: &AstExpr, free: Option<&Name>) -> bool {
        let truths = Truth::of(printed).zip(Truth::of(meant));
        truths.is_some_and(|(printed, meant)| {
            printed == meant || self.facts().are_same(&printed, &meant, free)
        })
    }

    /// Checks that an expression of the text has the value that the tree has.
    pub(super) fn same_value(
        &mut self,
        printed: &AstExpr,
        meant: &AstExpr,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let forms = Form::of(printed).zip(Form::of(meant));
        if forms.is_some_and(|(own, meant)| own == meant || self.facts().are_equal(&own, &meant)) {
            return Ok(());
        }
        let place = self.place()?;
        let (own, other) = (place.value(printed, self.budget)?, place.value(meant, self.budget)?);
        self.equal_in(&place.domain, (&own, &other), what)
    }

    /// Checks that a condition of the text holds where that of the tree does.
    pub(super) fn same_condition(
        &mut self,
        printed: &AstExpr,
        meant: &AstExpr,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        if self.is_plainly_same(printed, meant, None) {
            return Ok(());
        }
        let place = self.place()?;
        self.same_at(&place, printed, meant, what)
    }

    /// Whether an expression of the text has a value over the parameters here.
    pub(super) fn has_value_of_parameters(
        &mut self,
        printed: &AstExpr,
        meant: &PwAff,
    ) -> Walked<bool> {
        let place = self.place()?;
        let own = place.value(printed, self.budget)?;
        let meant = at_place(meant, &place)?;
        let different = own.ne_set(&meant)?.intersect_within(&place.domain, self.budget)?;
        Ok(different.is_empty(self.budget)?)
    }

    /// Checks that an expression of the text has a value over the parameters, for some of these.
    pub(super) fn same_for_parameters(
        &mut self,
        printed: &AstExpr,
        (meant, params): (&PwAff, &Set),
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let forms = Form::of(printed).zip(Form::at(meant, &[]));
        if forms.is_some_and(|(printed, meant)| printed == meant) {
            return Ok(());
        }
        if !is_linear(printed) {
            return Err(Stop::Wrong(violation(what())));
        }
        let place = self.place()?;
        let own = place.value(printed, self.budget)?;
        let here = place.domain.intersect_params(params)?;
        self.equal_in(&here, (&own, &at_place(meant, &place)?), what)
    }

    /// Checks that two values over the parameters are the same, for some of these.
    pub(super) fn same_parameters(
        &mut self,
        (one, other): (&PwAff, &PwAff),
        params: &Set,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let place = self.place()?;
        let here = place.domain.intersect_params(params)?;
        self.equal_in(&here, (&at_place(one, &place)?, &at_place(other, &place)?), what)
    }

    /// Checks that a condition of the text holds for all of these parameters.
    pub(super) fn holds_for(
        &mut self,
        printed: &AstExpr,
        params: &Set,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let place = self.place()?;
        let holds = place.condition(printed, self.budget)?;
        let here = place.domain.intersect_params(params)?;
        self.within(&here, &holds, what)
    }

    /// Checks that a condition of the text holds for no other parameters.
    pub(super) fn holds_only_for(
        &mut self,
        printed: &AstExpr,
        params: &Set,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let place = self.place()?;
        let holds = place.condition(printed, self.budget)?;
        let holds = holds.intersect_within(&place.domain, self.budget)?;
        let here = place.domain.intersect_params(params)?;
        self.within(&holds, &here, what)
    }

    /// Whether bounds show that a condition of the tree always holds here.
    pub(super) fn plainly_always(&mut self, meant: &AstExpr) -> bool {
        Truth::of(meant).is_some_and(|truth| self.facts().hold(&truth))
    }

    /// Checks that a condition of the tree always holds here.
    pub(super) fn always(&mut self, meant: &AstExpr, what: &dyn Fn() -> String) -> Walked<()> {
        if self.plainly_always(meant) {
            return Ok(());
        }
        let place = self.place()?;
        let holds = place.condition(meant, self.budget)?;
        self.within(&place.domain, &holds, what)
    }

    /// The same for the condition to go on of a loop inside of the place.
    pub(super) fn same_end(
        &mut self,
        printed: &AstExpr,
        each: &ForLoop,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        self.same_condition_on(&each.iterator, (printed, &each.condition), what)
    }

    /// The same for conditions on an iterator that may have any value.
    pub(super) fn same_condition_on(
        &mut self,
        iterator: &Name,
        (printed, meant): (&AstExpr, &AstExpr),
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        if self.is_plainly_same(printed, meant, Some(iterator)) {
            return Ok(());
        }
        let place = self.place()?.inside_loop(iterator);
        self.same_at(&place, printed, meant, what)
    }

    /// Checks that a condition on the iterator of a loop inside of the place holds in its iterations and
    /// nowhere else.
    pub(super) fn same_iterations(
        &mut self,
        printed: &AstExpr,
        each: &ForLoop,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let (printed, meant) = self.iterations(printed, each)?;
        self.within(&printed, &meant, what)?;
        self.within(&meant, &printed, what)
    }

    /// Whether a condition on the iterator of a loop inside of the place holds in its iterations and nowhere
    /// else.
    pub(super) fn has_iterations(&mut self, printed: &AstExpr, each: &ForLoop) -> Walked<bool> {
        let (printed, meant) = self.iterations(printed, each)?;
        Ok(printed.is_equal(&meant, self.budget)?)
    }

    /// The values of the iterator of a loop inside of the place for which a condition of the text holds, and
    /// those of the tree.
    fn iterations(&mut self, printed: &AstExpr, each: &ForLoop) -> Walked<(Set, Set)> {
        let outside = self.place()?;
        let free = outside.inside_loop(&each.iterator);
        let meant = inside(each, &outside, self.budget)?.domain;
        let printed = free.condition(printed, self.budget)?;
        Ok((printed.intersect_within(&free.domain, self.budget)?, meant))
    }

    /// Whether all iterations of a loop inside of the place have smaller iterators than those of another one.
    pub(super) fn all_before(&mut self, first: &ForLoop, second: &ForLoop) -> Walked<bool> {
        let outside = self.place()?;
        let n = outside.iterators.len();
        let own = |each: &ForLoop| inside(each, &outside, self.budget);
        let (first, second) = (own(first)?.domain, own(second)?.domain);
        let (first, second) =
            (first.insert_dims(DimKind::Out, n + 1, 1), second.insert_dims(DimKind::Out, n, 1));
        let both = first.intersect_within(&second, self.budget)?;
        let iterator = |at| PwAff::from_aff(Aff::variable(both.space(), DimKind::Out, at));
        let reversed = iterator(n).ge_set(&iterator(n + 1))?;
        Ok(both.intersect_within(&reversed, self.budget)?.is_empty(self.budget)?)
    }

    fn same_at(
        &self,
        place: &ProgramPoint,
        printed: &AstExpr,
        meant: &AstExpr,
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let budget = self.budget;
        let (own, other) = (place.condition(printed, budget)?, place.condition(meant, budget)?);
        let (own, other) = (
            own.intersect_within(&place.domain, budget)?,
            other.intersect_within(&place.domain, budget)?,
        );
        self.within(&own, &other, what)?;
        self.within(&other, &own, what)
    }

    /// Checks that an expression of the text has the value of an expression over the coordinates of an
    /// instance.
    pub(super) fn same_at_instance(
        &mut self,
        printed: &AstExpr,
        meant: &PwAff,
        (tuple, arguments): (&Tuple, &[AstExpr]),
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        if self.is_plainly_at_instance(printed, meant, arguments) {
            return Ok(());
        }
        let place = self.place()?;
        let budget = self.budget;
        let instances = called(&place, tuple, arguments, budget)?;
        let meant = in_tuple(&meant.to_map(), tuple)?;
        let meant = instances.apply_range_within(&meant, budget)?;
        let printed = place.value(printed, budget)?.to_map();
        let different = meant.subtract(&printed, budget)?;
        let violation = violation_if_any(&different, what, budget)?;
        violation.map_or(Ok(()), |violation| Err(Stop::Wrong(violation)))
    }

    /// Whether forms or bounds show that an expression of the text is the one that a statement has at an
    /// instance.
    pub(super) fn is_plainly_at_instance(
        &mut self,
        printed: &AstExpr,
        meant: &PwAff,
        coordinates: &[AstExpr],
    ) -> bool {
        let forms = Form::of(printed).zip(form_at_instance(meant, coordinates));
        forms.is_some_and(|(own, meant)| own == meant || self.facts().are_equal(&own, &meant))
    }

    /// Whether two elements with these subscripts are never the same one at this place.
    pub(super) fn never_same(&mut self, a: &[AstExpr], b: &[AstExpr]) -> Walked<bool> {
        let mut differ = |(a, b): (&AstExpr, &AstExpr)| {
            let forms = Form::of(a).zip(Form::of(b));
            forms.is_some_and(|(a, b)| a.differs_by_a_constant(&b) || self.facts().differ(&a, &b))
        };
        if a.len() == b.len() && a.iter().zip(b).any(&mut differ) {
            return Ok(true);
        }
        if a.len() != b.len() {
            return Ok(false);
        }
        let place = self.place()?;
        let mut same = place.domain.clone();
        for (a, b) in a.iter().zip(b) {
            let (a, b) = (place.value(a, self.budget)?, place.value(b, self.budget)?);
            same = same.intersect_within(&a.eq_set(&b)?, self.budget)?;
        }
        Ok(same.is_empty(self.budget)?)
    }

    /// Whether two elements of a statement are never the same one, in any two of the iterations of the
    /// innermost `inner` loops.
    pub(super) fn never_meet(
        &mut self,
        (tuple, arguments): (&Tuple, &[AstExpr]),
        (a, b): (&[PwAff], &[PwAff]),
        inner: usize,
    ) -> Walked<bool> {
        let place = self.place()?;
        let budget = self.budget;
        let outer = place.iterators.len() - inner;
        let elements = |subscripts: &[PwAff]| -> Result<Option<Map>> {
            let elements = elements_of(&place, (tuple, arguments), subscripts, budget)?;
            Ok(elements.map(|elements| elements.project_out(DimKind::In, outer, inner)))
        };
        match (elements(a)?, elements(b)?) {
            (Some(a), Some(b)) if a.n(DimKind::Out) == b.n(DimKind::Out) => {
                Ok(a.intersect_within(&b, budget)?.is_empty(budget)?)
            }
            _ => Ok(false),
        }
    }

    /// Whether an element of a statement does not move with the first loop inside of the outer `outer` nodes,
    /// and is another one in each iteration of the loops in that.
    pub(super) fn is_apart(
        &mut self,
        (tuple, arguments): (&Tuple, &[AstExpr]),
        subscripts: &[PwAff],
        outer: usize,
    ) -> Walked<bool> {
        let is_loop = |node: &&Around<'_>| matches!(node, Around::Loop(_));
        let n_outer = self.around.iter().take(outer).filter(is_loop).count();
        let place = self.place()?;
        let budget = self.budget;
        let Some(elements) = elements_of(&place, (tuple, arguments), subscripts, budget)? else {
            return Ok(false);
        };
        let n = place.iterators.len();
        let along = elements.project_out(DimKind::In, n_outer, 1);
        if !along.is_single_valued(budget)? {
            return Ok(false);
        }
        let outermost = Map::identity(&along.domain().space().clone());
        let outermost = outermost.project_out(DimKind::Out, n_outer, n - 1 - n_outer);
        let keyed = outermost.flat_range_product(&along)?;
        Ok(keyed.reverse().is_single_valued(budget)?)
    }

    /// Checks that two values are equal in a set.
    fn equal_in(
        &self,
        here: &Set,
        (own, other): (&PwAff, &PwAff),
        what: &dyn Fn() -> String,
    ) -> Walked<()> {
        let different = own.ne_set(other)?.intersect_within(here, self.budget)?;
        self.none(&different, what)
    }

    /// Checks that a set has nothing that another one does not have.
    fn within(&self, inner: &Set, outer: &Set, what: &dyn Fn() -> String) -> Walked<()> {
        self.none(&inner.subtract(outer, self.budget)?, what)
    }

    fn none(&self, set: &Set, what: &dyn Fn() -> String) -> Walked<()> {
        let violation = violation_if_any(set.as_map(), what, self.budget)?;
        violation.map_or(Ok(()), |violation| Err(Stop::Wrong(violation)))
    }
}

/// The form of an expression of a statement at an instance with these coordinates.
fn form_at_instance(meant: &PwAff, coordinates: &[AstExpr]) -> Option<Form> {
    let coordinates: Option<Vec<Form>> = coordinates.iter().map(Form::of).collect();
    Form::at(meant, &coordinates?)
}

/// From the iterators around a place to the elements with the subscripts that a statement has there; none
/// without subscripts.
fn elements_of(
    place: &ProgramPoint,
    (tuple, arguments): (&Tuple, &[AstExpr]),
    subscripts: &[PwAff],
    budget: &Budget,
) -> Result<Option<Map>> {
    let mut maps = subscripts.iter().map(|subscript| in_tuple(&subscript.to_map(), tuple));
    let Some(first) = maps.next() else { return Ok(None) };
    let all = maps.try_fold(first?, |all, next| all.flat_range_product(&next?))?;
    let instances = called(place, tuple, arguments, budget)?;
    Ok(Some(instances.apply_range_within(&all, budget)?))
}

/// Whether one factor of each product is a number.
fn is_linear(expression: &AstExpr) -> bool {
    let is_product = match expression {
        AstExpr::Mul(a, b) => a.as_int().is_none() && b.as_int().is_none(),
        _ => false,
    };
    !is_product && expression.operands().iter().all(|operand| is_linear(operand))
}

/// A value over the parameters at a place.
fn at_place(value: &PwAff, place: &ProgramPoint) -> Result<PwAff> {
    value.insert_domain(&place.domain.space().output().cloned().unwrap_or_default())
}

/// The relation with the tuple of the instances: names of dimensions are none of its business.
fn in_tuple(map: &Map, tuple: &Tuple) -> Result<Map> {
    let space = map.space().with_tuples(Some(tuple.clone()), map.space().output().cloned());
    map.with_space_tuples(&space)
}
