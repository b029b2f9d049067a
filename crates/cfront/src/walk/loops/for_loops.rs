//! `for` loops: the values that an iterator takes.
//!
//! A loop `for (i = start; condition; i += step)` runs for `i = start, start + step, ..` up to the
//! first value for which the condition fails. That is the set
//! `{ i : i >= start, i = start mod step, condition(i) }` (for a negative step with `<=`) exactly
//! if the condition, once it fails, keeps failing: every constraint on `i` must be a bound from
//! the side that the iterator runs towards. `i != end` is read as `i < end` (`>` for a negative
//! step): in signed arithmetic a loop that misses the end overflows, which C leaves undefined.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::{change_of, is_left_early};
use crate::facts::for_header::{Header, header};
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::comparison::Comparison;
use crate::model::conditions::{Condition, Disjunction, conjoin};
use crate::model::filters::Leaves;
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::{Ending, Loop, Order};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{has_storage, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::control::forward_jumps::has_other_jumps;
use crate::walk::extractor::Extractor;
use crate::walk::loops::breaks::JUMP_OUT;
use crate::walk::pointers::moving_pointers::PointerLoop;
use crate::walk::walk_context::Purpose;
use std::borrow::Cow;

/// Whether a loop that is refused with a code may still be one statement as a whole.
fn has_other_model(code: Code) -> bool {
    matches!(code, Code::LoopForm | Code::NonAffineCondition | Code::Iterator | Code::TooComplex)
}

/// Why a loop whose head is about several variables, or none, has no iterations that are known.
const ONE_ITERATOR: &str = "a loop must set exactly one iterator";

/// What else can be done about most refusals of loops.
const AS_ONE: &str = "; or put `#pragma scop` around the loop: there it is one statement";

/// Why a loop is one statement whose iterator is more than that.
const USED_OUTSIDE: &str = "its iterator is used outside of it";

/// Loops nested deeper than this are refused.
pub(crate) const MAX_NEST: usize = 32;

/// The index of a loop, and the last value of its iterator if that is kept.
type OpenedLoop = (u32, Option<Pieces>);

impl<'t> Extractor<'_, 't> {
    /// A `for` loop.
    pub(crate) fn for_loop(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        if self.at.nest.len() >= MAX_NEST {
            let refusal = self.refuse(Code::TooComplex, node, "the nesting is too deep");
            return Err(refusal
                .with_reason(format!("at most {MAX_NEST} loops may stand inside each other"))
                .with_hint("begin the region further inside"));
        }
        if self.counted_loop(node)? {
            return Ok(());
        }
        if self.returning_loop(node)? {
            return Ok(());
        }
        let is_independent = self.take_independent(node);
        if let Some(reason) = self.has_unknown_iterations(node) {
            if is_independent {
                self.ignore_independent(node);
            }
            if !self.may_be_opaque() {
                return self.early_exit(node, self.refuse_unknown_iterations(node, reason));
            }
            self.remark_opaque(node, reason);
            return self.opaque_statement(node);
        }
        self.scopes.push();
        let mark = self.out.mark();
        let before = (self.out.statements.len(), self.out.order.len(), self.values.known.clone());
        let (head, result) = match self.declares_others(node) {
            true => self.in_declared_head(node, is_independent),
            false => self.scoped(|this| this.head_and_body(node, is_independent)),
        };
        self.scopes.pop();
        match head {
            Ok((index, Some(last))) => {
                result?;
                self.store_kept_value(node, self.out.loops[index as usize].variable, last)
            }
            Err(refusal) if has_other_model(refusal.0.code) && self.may_be_opaque() => {
                self.out.drop_statements(before.0);
                self.out.order.truncate(before.1);
                self.values.known = before.2;
                self.out.back_to(mark);
                if is_independent {
                    self.ignore_independent(node);
                }
                let reason = refusal.0.reason.as_deref().unwrap_or(&refusal.0.message);
                self.remark_opaque(node, reason);
                self.opaque_statement(node)
            }
            Err(refusal) if has_other_model(refusal.0.code) => {
                self.out.drop_statements(before.0);
                self.out.order.truncate(before.1);
                self.values.known = before.2;
                self.out.back_to(mark);
                self.early_exit(node, refusal)
            }
            Err(refusal) => Err(refusal),
            Ok(_) => result,
        }
    }

    /// The head of a loop: its index, and the last value of its iterator if that is kept; then its body, if
    /// the head has a form, and how that ends.
    fn head_and_body(
        &mut self,
        node: Node<'t>,
        is_independent: bool,
    ) -> (Result<OpenedLoop, Refusal>, Result<(), Refusal>) {
        let outside = self.at.domain.clone();
        let started = self.start_others(node);
        let head = started.and_then(|()| self.loop_head(node)).and_then(|(index, values)| {
            let reached = self.before_breaks(node, index, &values)?;
            let last = self.kept_value(node, index, &outside, &values)?;
            Ok((index, last, values, reached))
        });
        match head {
            Ok((index, last, values, reached)) => {
                if is_independent {
                    self.set_independent(node, index);
                }
                (Ok((index, last)), self.loop_body(node, index, (&values, &reached)))
            }
            Err(refusal) => (Err(refusal), Ok(())),
        }
    }

    /// Whether the head of a loop declares more than its iterator.
    pub(crate) fn declares_others(&self, node: Node<'t>) -> bool {
        header(self.facts.source, node)
            .is_some_and(|header| header.declaration.is_some() && !header.starts.is_empty())
    }

    /// The head and the body of a loop whose head declares more than its iterator: these variables end with
    /// the loop.
    fn in_declared_head(
        &mut self,
        node: Node<'t>,
        is_independent: bool,
    ) -> (Result<OpenedLoop, Refusal>, Result<(), Refusal>) {
        let mut found = None;
        self.inner_block(node.end_byte().saturating_sub(1), |this| {
            found = Some(this.scoped(|this| this.head_and_body(node, is_independent)));
        });
        let nothing = || self.refuse(Code::LoopForm, node, "this loop is not understood");
        found.unwrap_or_else(|| (Err(nothing()), Ok(())))
    }

    /// What the head of a loop does before the loop with other variables than the iterator.
    pub(crate) fn start_others(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let Some(header) = header(self.facts.source, node) else { return Ok(()) };
        match header.declaration {
            None => header.starts.into_iter().try_for_each(|part| self.expression_statement(part)),
            Some(_) if header.starts.is_empty() => Ok(()),
            Some(declaration) => {
                let mut declared = self.declared_variables(declaration)?;
                declared.retain(|(_, value)| *value != Some(header.value));
                self.initial_values(declaration, declared)
            }
        }
    }

    /// Why the iterations of a loop depend on what it does, if they do.
    pub(crate) fn has_unknown_iterations(&self, node: Node<'t>) -> Option<&'static str> {
        let body = node.field(Field::Body)?;
        if self.facts.has_jumps && has_other_jumps(self.facts.source, body) {
            return Some("a jump in it decides about its iterations");
        }
        let start = node.field(Field::Initializer)?;
        let is_declaration = start.kind() == Kind::Declaration;
        let Some(Header { iterator, steps, .. }) = header(self.facts.source, node) else {
            return (!is_declaration).then_some(ONE_ITERATOR);
        };
        if !steps.is_empty() && is_left_early(body) {
            return Some("a jump in it decides about the other parts of its head");
        }
        if is_declaration {
            return None;
        }
        let is_kept = match self.scopes.lookup(iterator) {
            Some(Entity::Variable(variable)) => self.is_kept(variable),
            _ => false,
        };
        let is_outside = !is_kept && !self.at.names.loops.contains(iterator);
        is_outside.then_some(USED_OUTSIDE)
    }

    /// A refusal of a loop for the reason that [`Extractor::has_unknown_iterations`] gives.
    fn refuse_unknown_iterations(&self, node: Node<'t>, reason: &str) -> Refusal {
        if reason == USED_OUTSIDE {
            let name = header(self.facts.source, node).map_or("", |header| header.iterator);
            let message = format!("the iterator `{name}` is used outside of its loop");
            return self
                .refuse(Code::Iterator, node, message)
                .with_reason("others may see the values that it has meanwhile")
                .with_hint(format!(
                    "declare an iterator in the function, for this loop alone{AS_ONE}"
                ));
        }
        let message = "the iterations of this loop are not known before it runs";
        let refusal = self.refuse(Code::LoopForm, node, message).with_reason(reason);
        if reason == ONE_ITERATOR { refusal } else { refusal.with_hint(JUMP_OUT) }
    }

    /// Tells that a loop is not taken apart.
    pub(crate) fn remark_opaque(&mut self, node: Node<'t>, reason: &str) {
        let line = self.line_of(node.start_byte());
        self.out.remark(format!("the loop in line {line} is one statement: {reason}"));
    }

    /// Makes a loop the innermost one; its index, and the values of its iterator.
    pub(crate) fn loop_head(&mut self, node: Node<'t>) -> Result<(u32, Disjunction), Refusal> {
        self.at.purpose = Purpose::Bound;
        let (variable, start_node) = self.loop_start(node)?;
        let name = &self.variable(variable).name;
        let body = node.field(Field::Body);
        if let Some(change) = body.and_then(|body| change_of(self.facts.source, body, name)) {
            return Err(self
                .refuse(Code::Iterator, change, format!("the body changes the iterator `{name}`"))
                .with_reason("which iterations there are is not known before the loop runs")
                .with_hint(format!("{}{AS_ONE}", Code::Iterator.advice())));
        }
        let walk = self.pointer_loop(variable, start_node)?;
        self.at.plain_bound = self.first_of_fall(node, variable, start_node);
        let start = match &walk {
            Some(walk) => Ok(walk.start()),
            None => self.start_value(variable, start_node),
        };
        self.at.plain_bound = None;
        let start = start?;
        // The rest is evaluated again after each iteration.
        let known = self.values.known.clone();
        for part in [Field::Condition, Field::Update, Field::Body] {
            node.field(part).into_iter().for_each(|part| self.forget_changes(part));
        }
        let result = self.loop_values(node, variable, (&start, walk.as_ref()));
        self.values.known = known;
        if let (Ok((index, _)), Some(walk)) = (&result, &walk) {
            self.point_to_iterator(walk, *index);
        }
        result
    }

    pub(crate) fn start_value(
        &mut self,
        variable: u32,
        start: Node<'t>,
    ) -> Result<Pieces, Refusal> {
        let value = self.value(start)?;
        let scalar = self.variable(variable).declared.scalar.clone();
        Ok(self.converted_start(start, value, &scalar)?.pieces)
    }

    /// The name that a loop starts with, if it goes down from there: if it does not have a value that a
    /// signed type has, the loop does not end either.
    fn first_of_fall(&mut self, node: Node<'t>, variable: u32, start: Node<'t>) -> Option<usize> {
        let start = strip_parentheses(start);
        let step = match self.change_in_condition(node, variable) {
            Some(change) => change.step,
            None => self.loop_step(node, variable).ok()?,
        };
        (start.kind() == Kind::Identifier && step < 0).then(|| start.id())
    }

    /// The step and the condition of a loop: its index, and the values of its iterator.
    fn loop_values(
        &mut self,
        node: Node<'t>,
        variable: u32,
        (start, walk): (&Pieces, Option<&PointerLoop>),
    ) -> Result<(u32, Disjunction), Refusal> {
        let tested = self.change_in_condition(node, variable);
        let (step, start) = match tested {
            Some(change) => {
                let later = start.flat_map(|l| Ok(Pieces::single(l.add_constant(change.step)?)));
                (change.step, Cow::Owned(self.check(node, later)?))
            }
            None => (self.loop_step(node, variable)?, Cow::Borrowed(start)),
        };
        let index = self.open_loop(walk.map_or(variable, |walk| walk.iterator), step, &start);
        if let Some(walk) = walk {
            self.point_to_iterator(walk, index);
        }
        let Some(change) = tested else {
            return Ok((index, self.values_of_head(node, index, &start)?));
        };
        self.out.loops[index as usize].ending = change.ending();
        self.test_change(&change, variable, index);
        let values = self.values_of_head(node, index, &start);
        self.values.side_values.remove(&change.node.id());
        Ok((index, values?))
    }

    /// The values of the iterator of a loop that has been opened.
    pub(crate) fn values_of_head(
        &mut self,
        node: Node<'t>,
        index: u32,
        start: &Pieces,
    ) -> Result<Disjunction, Refusal> {
        let first_needed = self.out.needed.len();
        self.at.open_heads.push(index);
        let condition = self.loop_condition(node, index);
        if condition.is_err() {
            self.at.open_heads.pop();
        }
        let condition = condition?;
        let from_start = self.values_from(node, index, start)?;
        self.close_head(node, index, first_needed, (start, &from_start, &condition))?;
        self.narrow_bounds(index, &condition);
        let values = self.check(node, from_start.and(&condition))?;
        self.need_fitting_iterator(node, index, &values)?;
        Ok(values)
    }

    /// The body of a loop, for the iterations that are reached of those that its head has.
    fn loop_body(
        &mut self,
        node: Node<'t>,
        index: u32,
        (values, reached): (&Disjunction, &Disjunction),
    ) -> Result<(), Refusal> {
        let outside = std::mem::replace(&mut self.at.domain, reached.clone());
        let outer_order = std::mem::take(&mut self.out.order);
        self.values.known.remove(&self.out.loops[index as usize].variable);
        let first = self.out.statements.len();
        if let Some(body) = node.field(Field::Body) {
            let steps =
                header(self.facts.source, node).map(|header| header.steps).unwrap_or_default();
            let after = self.enter_iterations(body, &steps, index, (&outside, values));
            self.recover(|this| this.statement(body));
            self.apply_exits(first, Leaves::Iteration(index));
            for step in steps {
                self.recover(|this| this.expression_statement(step));
            }
            self.values.known = after;
        }
        self.apply_exits(first, Leaves::Loop(index));
        let body = std::mem::replace(&mut self.out.order, outer_order);
        if !body.is_empty() {
            self.out.order.push(Order::Loop { index, body });
        }
        Ok(())
    }

    /// The iterator and the expression of its first value.
    pub(crate) fn loop_start(&mut self, node: Node<'t>) -> Result<(u32, Node<'t>), Refusal> {
        let form = |this: &Self, at: Node<'t>| {
            this.refuse(Code::LoopForm, at, "the start of this loop is not understood")
                .with_reason(ONE_ITERATOR)
        };
        let Some(initializer) = node.field(Field::Initializer) else {
            return Err(form(self, node));
        };
        let header = header(self.facts.source, node);
        let only =
            |header: &Header<'_, 't>| header.declaration.is_some() && header.starts.is_empty();
        let (variable, value) = match header.filter(|header| !only(header)) {
            Some(header) => (self.resolve(header.place)?, header.value),
            None if initializer.kind() != Kind::Declaration
                || has_storage(self.facts.source, initializer, "static") =>
            {
                return Err(form(self, initializer));
            }
            None => {
                // Its scope is the loop itself.
                let origin = Origin::Region { depth: self.at.nest.len() + 1 };
                match self.scopes.declare(self.facts.source, initializer, origin)[..] {
                    [(variable, Some(value))] => (variable, value),
                    _ => return Err(form(self, initializer)),
                }
            }
        };
        if !self.is_moving_pointer(variable) {
            self.check_iterator(initializer, variable)?;
        }
        Ok((variable, value))
    }

    fn check_iterator(&self, node: Node<'t>, variable: u32) -> Result<(), Refusal> {
        let declared = self.variable(variable);
        let name = &declared.name;
        let is_truth = declared.declared.scalar.is_truth_value();
        if !declared.is_integer() || is_truth || declared.declared.oddity.is_some() {
            return Err(self
                .refuse(Code::Iterator, node, format!("`{name}` is not a plain integer variable"))
                .with_reason("iterators must be integers")
                .with_hint(format!("count with an integer{AS_ONE}")));
        }
        if self.active_loop(variable).is_some() {
            return Err(self
                .refuse(Code::Iterator, node, format!("the iterator `{name}` is already in use"))
                .with_reason("an inner loop changes the iterator of an outer one")
                .with_hint("give each loop an iterator of its own"));
        }
        Ok(())
    }

    /// The constant that each iteration adds.
    pub(crate) fn loop_step(&mut self, node: Node<'t>, variable: u32) -> Result<i64, Refusal> {
        let name = self.variable(variable).name.clone();
        let update = match header(self.facts.source, node) {
            Some(header) => header.step,
            None => node.field(Field::Update).map(strip_parentheses),
        };
        let Some(update) = update else {
            return Err(self.refuse_step(node, &name));
        };
        let is_iterator = |this: &Self, n: Node<'t>| {
            let n = strip_parentheses(n);
            n.kind() == Kind::Identifier && this.text(n) == name
        };
        let field = |n: Node<'t>, name| n.field(name);
        let step = match update.kind() {
            Kind::UpdateExpression => {
                let argument = field(update, Field::Argument).filter(|a| is_iterator(self, *a));
                match (argument, update.operator()) {
                    (Some(_), Some(token!("++"))) => Some(1),
                    (Some(_), Some(token!("--"))) => Some(-1),
                    _ => None,
                }
            }
            Kind::AssignmentExpression => {
                let [left, right] = [Field::Left, Field::Right].map(|side| update.field(side));
                match (left, update.operator(), right) {
                    (Some(left), Some(operator), Some(right)) if is_iterator(self, left) => {
                        self.assigned_step(operator, right, &is_iterator)?
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        step.filter(|s| *s != 0 && *s != i64::MIN).ok_or_else(|| self.refuse_step(update, &name))
    }

    fn assigned_step(
        &mut self,
        operator: Kind,
        right: Node<'t>,
        is_iterator: &impl Fn(&Self, Node<'t>) -> bool,
    ) -> Result<Option<i64>, Refusal> {
        let right = strip_parentheses(right);
        let constant = |this: &mut Self, n| Ok(this.value(n)?.pieces.as_constant());
        Ok(match operator {
            token!("+=") => constant(self, right)?,
            token!("-=") => constant(self, right)?.and_then(i64::checked_neg),
            token!("=") if right.kind() == Kind::BinaryExpression => {
                let (a, sign, b) = self.binary_parts(right)?;
                match sign {
                    token!("+") if is_iterator(self, a) => constant(self, b)?,
                    token!("+") if is_iterator(self, b) => constant(self, a)?,
                    token!("-") if is_iterator(self, a) => {
                        constant(self, b)?.and_then(i64::checked_neg)
                    }
                    _ => None,
                }
            }
            _ => None,
        })
    }

    fn refuse_step(&self, node: Node<'t>, name: &str) -> Refusal {
        self.refuse(
            Code::LoopForm,
            node,
            format!("the step of the loop over `{name}` is not known"),
        )
        .with_reason("each iteration must add a constant other than 0 to the iterator")
        .with_hint(format!("write `{name}++`, `{name} += 2` or `{name} -= 1`{AS_ONE}"))
    }

    /// Makes a loop the innermost one.
    pub(crate) fn open_loop(&mut self, variable: u32, step: i64, start: &Pieces) -> u32 {
        let index = self.out.loops.len() as u32;
        let bound = |linear: &Linear| {
            if step > 0 {
                self.out.symbols.lower(linear)
            } else {
                linear.scale(-1).ok().and_then(|l| self.out.symbols.lower(&l)?.checked_neg())
            }
        };
        let bounds: Option<Vec<i64>> = start.0.iter().map(|(_, linear)| bound(linear)).collect();
        let bounds = bounds.unwrap_or_default().into_iter();
        let range = if step > 0 { (bounds.min(), None) } else { (None, bounds.max()) };
        self.out.symbols.iterator_bounds.push(range);
        let start = start.as_linear().cloned();
        self.out.loops.push(Loop { variable, step, start, ending: Ending::Plain });
        self.at.nest.push(index);
        if !self.is_kept(variable) {
            self.out.iterator_variables.insert(variable);
        }
        index
    }

    /// The values from the start on, in steps.
    pub(crate) fn values_from(
        &mut self,
        node: Node<'t>,
        index: u32,
        start: &Pieces,
    ) -> Result<Disjunction, Refusal> {
        let step = self.out.loops[index as usize].step;
        let iterator = Linear::symbol(Symbol::Iterator(index));
        if step.abs() == 1 {
            let distances =
                start.flat_map(|first| Ok(Pieces::single(iterator.sub(first)?.scale(step)?)));
            let distances = self.check(node, distances)?;
            return self.check(node, self.compare(&distances, Comparison::GreaterEqual));
        }
        let symbols = &mut self.out.symbols;
        let values = start.satisfying(|first| {
            let distance = iterator.sub(first)?.scale(step.signum())?;
            let steps = symbols.floor(&distance, step.abs())?;
            let remainder = distance.add_scaled(-step.abs(), &steps)?;
            let conditions = [Condition::nonnegative(distance), Condition::zero(remainder)];
            Ok(Disjunction(conjoin(&Vec::new(), &conditions.to_vec()).into_iter().collect()))
        });
        self.check(node, values)
    }

    /// Whether a subtree mentions an iterator of the loops around.
    pub(crate) fn mentions_iterator(&self, node: Node<'t>) -> bool {
        let mut variables =
            node.of_kind(Kind::Identifier).filter_map(|name| self.resolve(name).ok());
        variables.any(|variable| self.active_loop(variable).is_some())
    }
}
