//! Loops that count without an iterator: `while (i < n) { a[i] = 0; i++; }`, `while (k--)`,
//! `for (; p < end;) *p++ = 0;`, `do a[i++] = 0; while (i < n);`.
//!
//! Their iterator is the number of iterations before the current one, which no variable of the program holds.
//! The loop is run once on symbols (`induction.rs`): that says what each iteration adds to the variables
//! whose values are followed, so the condition is one on the iterator. It has to bound it as in other loops
//! (`for_loops.rs`). What a condition changes (`k--`) is a statement at the start of each iteration, and one
//! after the loop, since the condition is evaluated once more. The condition of a `do` loop is evaluated at
//! the end of each iteration: it holds before all iterations but the first one, which always runs. Unsigned
//! variables may wrap around when such a loop ends, or pass over its end, so they are only counted where the
//! condition is that one falls to 0 by steps of 1 (`while (k--)`, `while (k-- > 0)`): after the loop it has
//! the greatest value of its type.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::{is_left_early, is_loop};
use crate::facts::counted_loops::{Counted, counted};
use crate::facts::ctypes::{DeclaredType, ScalarType};
use crate::facts::integer_type::IntegerType;
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::conditions::{Condition, Disjunction};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::{Ending, Order};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{strip_parentheses, text};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::loops::induction::Known;
use crate::walk::loops::tested_changes::tested_change;
use loopwright_scop::ElementKind;

/// A change inside of an expression: the variable, and its value after the change.
type Split<'t> = Vec<(Node<'t>, u32, Pieces)>;

/// What is known about a loop that counts.
pub(crate) struct Count<'t> {
    index: u32,
    /// The iterations.
    values: Disjunction,
    /// The values of variables when an iteration starts, before its condition.
    inside: Known,
    /// The same when the loop ends, before its condition is evaluated for the last time.
    pub(crate) after: Known,
    /// What the condition changes in each iteration.
    split: Split<'t>,
}

/// The body of a `do` loop that runs once: `do { .. } while (0);`.
fn done_once<'t>(source: &str, node: Node<'t>) -> Option<Node<'t>> {
    let condition = node.field(Field::Condition).map(strip_parentheses)?;
    let is_once =
        node.kind() == Kind::DoStatement && matches!(text(source, condition), "0" | "false");
    node.field(Field::Body).filter(|body| is_once && !is_left_early(*body))
}

impl<'t> Extractor<'_, 't> {
    /// What loops that count start from, where nothing says it: `while (n--)` for an argument. The value in
    /// front of the region is a symbolic constant.
    pub(crate) fn start_counts(&mut self, nodes: &[Node<'t>]) {
        let of_kind = |kind| nodes.iter().flat_map(move |root| root.of_kind(kind));
        let kinds = [Kind::ForStatement, Kind::WhileStatement, Kind::DoStatement];
        let loops = kinds.into_iter().flat_map(of_kind);
        // What a head declares has its value from there.
        let counted = loops.filter_map(|node| counted(self.facts.source, node));
        let counted = counted.filter(|parts| parts.declaration.is_none()).map(|p| p.condition);
        let mentions = |condition: Node<'t>| {
            condition.of_kind(Kind::Identifier).map(move |mention| (condition, mention))
        };
        let mentions: Vec<(Node<'t>, Node<'t>)> = counted.flat_map(mentions).collect();
        for (condition, mention) in mentions {
            let Some(variable) = self.followed_variable(mention) else { continue };
            let own = self.variable(variable);
            let is_number = own.declared.scalar.kind == ElementKind::Signed
                || self.fall_to_zero(condition).is_some_and(|(_, falling)| falling == variable);
            if is_number && !own.in_region() && !self.values.known.contains_key(&variable) {
                let start = self.value_in_front(mention, variable);
                self.values.known.insert(variable, start);
            }
        }
    }

    /// A loop that counts, as a loop; whether it is one.
    pub(crate) fn counted_loop(&mut self, node: Node<'t>) -> Result<bool, Refusal> {
        if let Some(body) = done_once(self.facts.source, node) {
            return self.statement(body).map(|()| true);
        }
        let Some(parts) = counted(self.facts.source, node) else { return Ok(false) };
        let known = self.values.known.clone();
        let attempt = self.out.attempt();
        self.scopes.push();
        let found = match parts.declaration {
            None => self.scoped(|this| this.counted_iterations(node, &parts)),
            Some(_) => {
                let mut found = Ok(None);
                self.inner_block(node.end_byte().saturating_sub(1), |this| {
                    found = this.scoped(|this| this.counted_iterations(node, &parts));
                });
                found
            }
        };
        self.scopes.pop();
        let Some((after, last)) = found? else {
            self.values.known = known;
            self.out.take_back(attempt);
            return Ok(false);
        };
        self.values.known = after;
        self.add_split_changes(last)?;
        self.forget_fallen(parts.condition);
        Ok(true)
    }

    /// The iterations of a loop that counts; what is known after them, and what its condition changes once
    /// more.
    fn counted_iterations(
        &mut self,
        node: Node<'t>,
        parts: &Counted<'t>,
    ) -> Result<Option<(Known, Split<'t>)>, Refusal> {
        let started = match parts.declaration {
            Some(declaration) => self.declaration(declaration),
            None => parts.starts.iter().try_for_each(|part| self.expression_statement(*part)),
        };
        let Some(count) = started.ok().and_then(|()| self.count_of_loop(node, parts)) else {
            return Ok(None);
        };
        let Some(last) = self.last_changes(parts, &count) else { return Ok(None) };
        if parts.declaration.is_some() && !last.is_empty() {
            // Its variables end with the loop.
            return Ok(None);
        }
        self.counted_body(node, parts, &count)?;
        Ok(Some((count.after, last)))
    }

    /// Whether a change is the one of an unsigned variable that falls to 0 in the condition of a loop: it
    /// takes the next value whether its type has it or not.
    pub(crate) fn falls_to_zero(&self, change: Node<'t>) -> bool {
        let mut condition = change;
        while let Some(around) = condition.parent() {
            match around.kind() {
                Kind::ParenthesizedExpression | Kind::BinaryExpression => condition = around,
                kind if is_loop(kind) && around.field(Field::Condition) == Some(condition) => {
                    return self.fall_to_zero(condition).is_some_and(|(node, _)| node == change);
                }
                _ => return false,
            }
        }
        false
    }

    /// The unsigned variable that a condition counts down, if the loop ends when it is 0: `k--`, `k-- > 0`,
    /// `k-- != 0`.
    fn fall_to_zero(&self, condition: Node<'t>) -> Option<(Node<'t>, u32)> {
        let mut changes = condition.of_kind(Kind::UpdateExpression);
        let argument = changes.next()?.field(Field::Argument)?;
        let variable = self.followed_variable(argument)?;
        let own = &self.variable(variable);
        let change = tested_change(self.facts.source, condition, &own.name)?;
        let is_unsigned = !IntegerType::of(&own.declared.scalar).signed;
        let is_fall = change.ending() == Ending::TestedBefore && change.step == -1;
        let condition = strip_parentheses(condition);
        let sides = [Field::Left, Field::Right].map(|side| condition.field(side));
        let (left, right) = (sides[0].map(strip_parentheses), sides[1].map(strip_parentheses));
        let is_zero = |side: Option<Node<'t>>| {
            side.is_some_and(|side| {
                matches!(text(self.facts.source, side), "0" | "0u" | "0U" | "0UL" | "0ul")
            })
        };
        let ends_at_zero = condition == change.node
            || match condition.operator() {
                Some(token!(">")) => left == Some(change.node) && is_zero(right),
                Some(token!("<")) => right == Some(change.node) && is_zero(left),
                Some(token!("!=")) => is_zero(left) || is_zero(right),
                _ => false,
            };
        (is_unsigned && is_fall && ends_at_zero).then_some((change.node, variable))
    }

    /// The iterations of a loop that counts, which becomes the innermost one.
    pub(crate) fn count_of_loop(
        &mut self,
        node: Node<'t>,
        parts: &Counted<'t>,
    ) -> Option<Count<'t>> {
        if self.at.nest.len() >= crate::walk::loops::for_loops::MAX_NEST
            || !self.has_known_end(parts)
        {
            return None;
        }
        let scalar = ScalarType::new("long", ElementKind::Signed, 8);
        let origin = Origin::Region { depth: self.at.nest.len() + 1 };
        let declared = DeclaredType::of_scalar(scalar);
        let variable = self.scopes.add_unnamed("count".to_string(), declared, origin, None);
        let start = Pieces::single(Linear::constant(0));
        let index = self.open_loop(variable, 1, &start);
        let changes = self.changes(&parts.iteration());
        let outer = self.values.known.clone();
        let inside = self.values_inside(&changes, index);
        if let Some((_, falling)) = self.fall_to_zero(parts.condition)
            && !changes.adds(falling, -1)
        {
            return None;
        }
        self.values.known.clone_from(&inside);
        let mut split = self.split_changes(parts.condition);
        if parts.is_tested_last {
            split = self.split_before(parts.condition, &split, &inside)?;
        }
        let values = self.counted_values(node, index, &start);
        split.iter().for_each(|(change, ..)| drop(self.values.side_values.remove(&change.id())));
        self.values.known = outer;
        let values = values.ok()?;
        let outside = self.at.domain.clone();
        let least = i64::from(parts.is_tested_last);
        let after = self.values_after(&changes, index, (&outside, &values), least);
        let values = match parts.is_tested_last {
            true => self.with_first_iteration(index, &values)?,
            false => values,
        };
        Some(Count { index, values, inside, after, split })
    }

    /// What a condition changes when it is evaluated right before the current iteration, whose values at the
    /// start are `inside`; `split` is what it would change after that. The values before the condition are
    /// the known ones then.
    fn split_before(
        &mut self,
        condition: Node<'t>,
        split: &Split<'t>,
        inside: &Known,
    ) -> Option<Split<'t>> {
        for (change, variable, later) in split {
            self.values.side_values.remove(&change.id());
            let value = inside.get(variable)?;
            let difference = later.zip(value, Linear::sub).ok()?.as_constant()?;
            let before =
                value.zip(&Pieces::single(Linear::constant(difference)), Linear::sub).ok()?;
            self.values.known.insert(*variable, before);
        }
        let before = self.split_changes(condition);
        (before.len() == split.len()).then_some(before)
    }

    /// The iterations of a loop whose first one always runs, from those before which its condition holds.
    fn with_first_iteration(&mut self, index: u32, values: &Disjunction) -> Option<Disjunction> {
        if let Some((_, Some(last))) = self.out.symbols.iterator_bounds.get_mut(index as usize) {
            *last = (*last).max(0);
        }
        if self.always_runs(index, values) {
            return Some(values.clone());
        }
        let iterator = Linear::symbol(Symbol::Iterator(index));
        let later = Disjunction::single(Condition::nonnegative(iterator.add_constant(-1).ok()?));
        Disjunction::single(Condition::zero(iterator)).or(values.and(&later).ok()?).ok()
    }

    /// The iterations for which the condition of a loop holds.
    fn counted_values(
        &mut self,
        node: Node<'t>,
        index: u32,
        start: &Pieces,
    ) -> Result<Disjunction, Refusal> {
        self.at.purpose = crate::walk::walk_context::Purpose::Bound;
        self.values_of_head(node, index, start)
    }

    /// Whether what the condition mentions is signed where it changes, or falls to 0: other unsigned numbers
    /// may wrap around when the loop ends, or pass over its end.
    fn has_known_end(&self, parts: &Counted<'t>) -> bool {
        if !parts.is_tested_last && self.fall_to_zero(parts.condition).is_some() {
            return true;
        }
        parts.condition.of_kind(Kind::Identifier).all(|node| {
            match self.scopes.lookup(self.text(node)) {
                Some(Entity::Variable(variable)) if self.variable(variable).is_integer() => {
                    IntegerType::of(&self.variable(variable).declared.scalar).signed
                }
                _ => true,
            }
        })
    }

    /// What the evaluation of the condition after the last iteration changes; none if that is not known.
    fn last_changes(&mut self, parts: &Counted<'t>, count: &Count<'t>) -> Option<Split<'t>> {
        if parts.is_tested_last {
            return Some(Vec::new());
        }
        let inner = std::mem::replace(&mut self.values.known, count.after.clone());
        let last = self.scoped(|this| {
            this.at.nest.pop();
            this.split_changes(parts.condition)
        });
        last.iter().for_each(|(change, ..)| drop(self.values.side_values.remove(&change.id())));
        self.values.known = inner;
        (last.len() == count.split.len()).then_some(last)
    }

    /// The statements of each iteration.
    fn counted_body(
        &mut self,
        node: Node<'t>,
        parts: &Counted<'t>,
        count: &Count<'t>,
    ) -> Result<(), Refusal> {
        let domain = self.check(node, self.at.domain.and(&count.values))?;
        self.at.domain = domain;
        let outer_order = std::mem::take(&mut self.out.order);
        self.values.known.clone_from(&count.inside);
        if !parts.is_tested_last {
            let split = count.split.clone();
            self.recover(|this| this.add_split_changes(split));
        }
        for part in &parts.parts {
            self.recover(|this| match part.kind().is_expression() {
                true => this.expression_statement(*part),
                false => this.statement(*part),
            });
        }
        if parts.is_tested_last {
            self.recover(|this| this.change_by_condition(node, parts.condition, count.split.len()));
        }
        let body = std::mem::replace(&mut self.out.order, outer_order);
        if !body.is_empty() {
            self.out.order.push(Order::Loop { index: count.index, body });
        }
        Ok(())
    }

    /// After a loop that it falls in, an unsigned variable has no number of the model as its value.
    fn forget_fallen(&mut self, condition: Node<'t>) {
        if let Some((_, fallen)) = self.fall_to_zero(condition) {
            self.values.known.remove(&fallen);
        }
    }

    /// The statements of what a condition changes, of which it is known how many there are.
    fn change_by_condition(
        &mut self,
        node: Node<'t>,
        condition: Node<'t>,
        n: usize,
    ) -> Result<(), Refusal> {
        let split = self.split_changes(condition);
        if split.len() != n {
            let message = "what the condition of this loop changes is not known";
            return Err(self.refuse(Code::LoopForm, node, message));
        }
        self.add_split_changes(split)
    }

    /// Runs a loop that counts on symbols; whether it is one.
    pub(crate) fn run_counted(&mut self, node: Node<'t>) -> bool {
        if let Some(body) = done_once(self.facts.source, node) {
            self.run(body);
            return true;
        }
        let Some(parts) = counted(self.facts.source, node) else { return false };
        let attempt = self.out.attempt();
        self.scopes.push();
        let count = self.scoped(|this| {
            parts.declaration.into_iter().for_each(|declaration| this.run(declaration));
            parts.starts.iter().for_each(|part| this.run_expression(*part));
            this.count_of_loop(node, &parts)
                .filter(|count| parts.declaration.is_none() || count.split.is_empty())
        });
        self.scopes.pop();
        self.out.take_back(attempt);
        let Some(count) = count else { return false };
        self.values.known = count.after;
        if !parts.is_tested_last {
            self.run_expression(parts.condition);
        }
        self.forget_fallen(parts.condition);
        true
    }
}
