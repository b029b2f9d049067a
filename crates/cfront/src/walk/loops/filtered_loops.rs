//! Loops whose iterations depend on data: their statements have filters.
//!
//! An iteration takes place if the condition has held before it and before all earlier ones (section 4.1 of
//! Verdoolaege, Nikolov and Stefanov, IMPACT 2013). Where it compares the iterator of a `for` loop with
//! values that the loop does not change, these are read once in front of the loop, and an iteration only
//! depends on them: a bound that has failed keeps failing. The iterators of `while` loops count iterations,
//! and so do those of `for` loops that start with a value that depends on data or change their iterator
//! otherwise: that is a variable like others.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::{change_of, declared_names, written_names};
use crate::facts::ctypes::{DeclaredType, ScalarType};
use crate::facts::for_header::header;
use crate::facts::variables::Origin;
use crate::model::filters::{Asked, Leaves, Range, RawExit, RawFilter};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::raw_model::Order;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{mentioned_names, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::control::filters::ValueCondition;
use crate::walk::extractor::Extractor;
use crate::walk::loops::for_loops::MAX_NEST;
use crate::walk::statement_body::Emission;
use crate::walk::walk_context::Purpose;
use loopwright_scop::ElementKind;

impl<'t> Extractor<'_, 't> {
    /// A loop whose iterations depend on data.
    pub(crate) fn filtered_loop(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        if self.at.nest.len() >= MAX_NEST {
            return Err(self.refuse(Code::TooComplex, node, "the nesting is too deep"));
        }
        self.scopes.push();
        let result = self.scoped(|this| match node.kind() {
            Kind::ForStatement => this.filtered_for(node),
            _ => this.filtered_while(node),
        });
        self.scopes.pop();
        self.forget_changes(node);
        result
    }

    /// A `while` or `do` loop.
    fn filtered_while(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(condition), Some(body)) = (node.field(Field::Condition), node.field(Field::Body))
        else {
            return Err(self.refuse(Code::Syntax, node, "this loop is incomplete"));
        };
        self.forget_changes(node);
        let index = self.count_iterations(node)?;
        let is_last = node.kind() == Kind::DoStatement;
        let condition = Some(condition).filter(|condition| !self.is_always_true(*condition));
        self.filtered_iterations(index, |this, first| {
            if let Some(condition) = condition.filter(|_| !is_last) {
                this.continuing_condition(condition, index)?;
            }
            this.recover(|this| this.statement(body));
            this.apply_exits(first, Leaves::Iteration(index));
            condition.filter(|_| is_last).map_or(Ok(()), |c| this.continuing_condition(c, index))
        })
    }

    /// Makes a loop without an iterator the innermost one; its iterator counts from 0.
    fn count_iterations(&mut self, node: Node<'t>) -> Result<u32, Refusal> {
        let scalar = ScalarType::new("long", ElementKind::Signed, 8);
        let origin = Origin::Region { depth: self.at.nest.len() + 1 };
        let declared = DeclaredType::of_scalar(scalar);
        let variable = self.scopes.add_unnamed("count".to_string(), declared, origin, None);
        let start = Pieces::single(Linear::constant(0));
        let index = self.open_loop(variable, 1, &start);
        let values = self.values_from(node, index, &start)?;
        self.at.domain = self.check(node, self.at.domain.and(&values))?;
        Ok(index)
    }

    fn is_always_true(&self, condition: Node<'t>) -> bool {
        matches!(self.text(strip_parentheses(condition)), "1" | "true")
    }

    /// Walks over the iterations of the innermost loop.
    fn filtered_iterations(
        &mut self,
        index: u32,
        walk: impl FnOnce(&mut Self, usize) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let outer_order = std::mem::take(&mut self.out.order);
        let first = self.out.statements.len();
        let result = walk(self, first);
        self.apply_exits(first, Leaves::Loop(index));
        let body = std::mem::replace(&mut self.out.order, outer_order);
        if !body.is_empty() {
            self.out.order.push(Order::Loop { index, body });
        }
        result
    }

    /// The evaluation of the condition with which a loop goes on, at the current place.
    fn continuing_condition(&mut self, condition: Node<'t>, index: u32) -> Result<(), Refusal> {
        let evaluation = self.evaluation(condition)?;
        let leaves = Leaves::Loop(index);
        self.out.exits.push(RawExit { evaluation, staying: true, leaves });
        Ok(())
    }

    /// A `for` loop whose bound depends on data; or whose iterator takes other values than those between a
    /// first and a last one.
    fn filtered_for(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let Some(body) = node.field(Field::Body) else {
            return Err(self.refuse(Code::Syntax, node, "this loop is incomplete"));
        };
        let (mark, outside) = (self.out.mark(), self.at.clone());
        let known = self.values.known.clone();
        self.scopes.push();
        let found = match self.filtered_head(node, body) {
            Ok(index) => Some(self.filtered_body(node, body, index)),
            Err(refusal) if refusal.0.code == Code::TooComplex => Some(Err(refusal)),
            Err(_) => None,
        };
        self.scopes.pop();
        found.unwrap_or_else(|| {
            self.out.back_to(mark);
            (self.at, self.values.known) = (outside, known);
            self.with_iterator_in_memory(node, body)
        })
    }

    /// A loop as one that counts its iterations: the iterator is a variable like others.
    fn with_iterator_in_memory(&mut self, node: Node<'t>, body: Node<'t>) -> Result<(), Refusal> {
        let mut result = Ok(());
        self.inner_block(node.end_byte().saturating_sub(1), |this| {
            result = this.counted_for(node, body);
        });
        result
    }

    fn counted_for(&mut self, node: Node<'t>, body: Node<'t>) -> Result<(), Refusal> {
        match node.field(Field::Initializer) {
            Some(start) if start.kind() == Kind::Declaration => self.declaration(start)?,
            Some(start) => self.expression_statement(start)?,
            None => {}
        }
        self.forget_changes(node);
        let index = self.count_iterations(node)?;
        self.filtered_iterations(index, |this, first| {
            if let Some(condition) = node.field(Field::Condition) {
                this.continuing_condition(condition, index)?;
            }
            this.recover(|this| this.statement(body));
            this.apply_exits(first, Leaves::Iteration(index));
            node.field(Field::Update).map_or(Ok(()), |update| this.expression_statement(update))
        })
    }

    /// Makes a loop the innermost one whose iterator counts up or down from a value that is known.
    fn filtered_head(&mut self, node: Node<'t>, body: Node<'t>) -> Result<u32, Refusal> {
        self.at.purpose = Purpose::Bound;
        let (variable, start) = self.loop_start(node)?;
        let name = self.variable(variable).name.clone();
        if node.field(Field::Condition).is_none() {
            return Err(self.refuse(Code::LoopForm, node, "this loop has no condition"));
        }
        if let Some(change) = change_of(self.facts.source, body, &name) {
            let message = format!("the body changes the iterator `{name}`");
            return Err(self.refuse(Code::Iterator, change, message));
        }
        let start = self.start_value(variable, start)?;
        self.forget_changes(node);
        let step = self.loop_step(node, variable)?;
        let index = self.open_loop(variable, step, &start);
        let values = self.values_from(node, index, &start)?;
        self.at.domain = self.check(node, self.at.domain.and(&values))?;
        Ok(index)
    }

    /// The bound and the iterations of such a loop.
    fn filtered_body(&mut self, node: Node<'t>, body: Node<'t>, index: u32) -> Result<(), Refusal> {
        let Some(condition) = node.field(Field::Condition) else { return Ok(()) };
        let name = self.variable(self.out.loops[index as usize].variable).name.clone();
        let bound = self
            .value_condition(condition)
            .filter(|bound| self.is_bound(bound, index) && self.stays(condition, node, &name));
        if let Some(bound) = &bound {
            let filter = self.bound_in_front(condition, bound)?;
            self.at.filters.push(filter);
        }
        let steps = header(self.facts.source, node).map(|header| header.steps).unwrap_or_default();
        self.filtered_iterations(index, |this, first| {
            if bound.is_none() {
                this.continuing_condition(condition, index)?;
            }
            this.recover(|this| this.statement(body));
            this.apply_exits(first, Leaves::Iteration(index));
            for step in steps {
                this.recover(|this| this.expression_statement(step));
            }
            Ok(())
        })
    }

    /// Whether a condition that fails for a value of the iterator fails for all later ones.
    fn is_bound(&self, condition: &ValueCondition, index: u32) -> bool {
        let [bounds] = &condition.holds.0[..] else { return false };
        let iterator = Symbol::Iterator(index);
        let step = self.out.loops[index as usize].step;
        let in_floor = |symbol: &Symbol| matches!(symbol, Symbol::Floor(_) | Symbol::Product(_));
        bounds.iter().all(|bound| {
            let coefficient = bound.linear.coefficient(iterator);
            let is_from_side = !bound.is_equality && coefficient.signum() == -step.signum();
            !bound.linear.terms.iter().any(|(symbol, _)| in_floor(symbol))
                && (coefficient == 0 || is_from_side)
        })
    }

    /// Whether a loop leaves everything as it is that its condition reads besides the iterator.
    fn stays(&self, condition: Node<'t>, node: Node<'t>, iterator: &str) -> bool {
        let mut read = mentioned_names(self.facts.source, condition);
        read.remove(iterator);
        let calls = node.has_kind(&[Kind::CallExpression]);
        let parts = [Field::Body, Field::Condition].map(|field| node.field(field));
        let is_changed = |part: Node<'t>| {
            !read.is_disjoint(&written_names(self.facts.source, part))
                || !read.is_disjoint(&declared_names(self.facts.source, part))
        };
        let reads_iterator = |this: &Self| {
            condition
                .of_kind(Kind::SubscriptExpression)
                .any(|element| mentioned_names(this.facts.source, element).contains(iterator))
        };
        let is_written = parts.into_iter().flatten().any(is_changed);
        let is_called = calls && read.iter().any(|name| self.is_changed_by_calls(name));
        let changes = is_written || is_called || reads_iterator(self);
        !changes && header(self.facts.source, node).is_some_and(|header| header.steps.is_empty())
    }

    /// The evaluation of the values of a bound in front of the innermost loop, and the filter that it is.
    fn bound_in_front(
        &mut self,
        condition: Node<'t>,
        bound: &ValueCondition,
    ) -> Result<RawFilter, Refusal> {
        let reads: Vec<Node<'t>> = bound
            .reads
            .iter()
            .filter_map(|(_, at)| {
                let kinds = [
                    Kind::Identifier,
                    Kind::SubscriptExpression,
                    Kind::PointerExpression,
                    Kind::FieldExpression,
                ];
                let found = condition.of_kinds(&kinds);
                found.into_iter().filter(|n| n.start_byte() == *at).max_by_key(|n| n.end_byte())
            })
            .collect();
        let evaluation = self.out.statements.len();
        let inner = self.at.clone();
        if let Some(index) = self.at.nest.pop() {
            // The iterator has no value there.
            let without = |conjunction: &Vec<crate::model::conditions::Condition>| {
                let is_own = |c: &crate::model::conditions::Condition| {
                    c.linear.terms.iter().any(|(s, _)| self.mentions_loop(*s, index))
                };
                conjunction.iter().filter(|c| !is_own(c)).cloned().collect()
            };
            self.at.domain.0 = self.at.domain.0.iter().map(without).collect();
        }
        let mut emission = Emission::new(self.at.nest.len());
        let read = reads.iter().try_for_each(|read| {
            emission.text(" ");
            self.expression(&mut emission, *read)
        });
        if read.is_ok() {
            self.add_emission(emission, condition.start_byte());
        }
        self.at = inner;
        read?;
        let asked = Asked::Values(bound.holds.clone(), bound.reads.clone());
        Ok(RawFilter { evaluation, range: Range::Same, outcome: None, asked })
    }

    /// Whether a symbol is the iterator of a loop, or a floor with it.
    fn mentions_loop(&self, symbol: Symbol, index: u32) -> bool {
        match symbol {
            Symbol::Iterator(own) => own == index,
            Symbol::Floor(floor) => {
                let (linear, _) = &self.out.symbols.floors[floor as usize];
                linear.terms.iter().any(|(inner, _)| self.mentions_loop(*inner, index))
            }
            _ => false,
        }
    }
}
