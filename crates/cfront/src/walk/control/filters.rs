//! Conditions on data as filters: the statements under them keep their instances and accesses, and say under
//! which outcomes of which evaluations they run (Verdoolaege, Nikolov and Stefanov, IMPACT 2013, section 4).
//!
//! Each condition is evaluated by a statement of its own. Where it is affine in the values that it reads, the
//! filter is about these values, otherwise about its outcome. A jump out of a loop, or out of its iteration,
//! is a condition as well: what comes after it is not reached if it is taken.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::integer_type::IntegerType;
use crate::model::conditions::Disjunction;
use crate::model::filters::{Asked, Leaves, Range, RawExit, RawFilter};
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use crate::walk::walk_context::Purpose;

/// A condition in terms of the values that it reads: where it holds, where it fails, and what stands for the
/// values.
pub(crate) struct ValueCondition {
    pub(crate) holds: Disjunction,
    pub(crate) fails: Disjunction,
    pub(crate) reads: Vec<(u32, usize)>,
}

impl<'t> Extractor<'_, 't> {
    /// Whether a condition that was refused becomes a filter.
    pub(crate) fn is_filter(&self, refusal: &Refusal) -> bool {
        self.facts.has_filters && refusal.0.code == Code::NonAffineCondition
    }

    /// A statement whose control depends on data.
    pub(crate) fn filtered_statement(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            Kind::IfStatement => self.filtered_if(node),
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement => {
                self.filtered_loop(node)
            }
            Kind::SwitchStatement => self.filtered_switch(node),
            kind => Err(self
                .refuse_statement(node, kind)
                .with_reason("the model with filters has no form for it")
                .with_hint("write it with `if`, `for`, `while`, `break` and `continue`")),
        }
    }

    /// An `if` whose condition depends on data.
    pub(crate) fn filtered_if(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(condition), Some(then)) =
            (node.field(Field::Condition), node.field(Field::Consequence))
        else {
            return Err(self.refuse(Code::Syntax, node, "this `if` is incomplete"));
        };
        let alternative = node.field(Field::Alternative);
        let otherwise = alternative.and_then(|clause| named_children(clause).next());
        let values = self.value_condition(condition);
        let evaluation = self.evaluation(condition)?;
        for (branch, holds) in [(Some(then), true), (otherwise, false)] {
            let Some(branch) = branch else { continue };
            let asked = match &values {
                None => Asked::Outcome,
                Some(values) => {
                    let allowed = if holds { &values.holds } else { &values.fails };
                    Asked::Values(allowed.clone(), values.reads.clone())
                }
            };
            self.scoped(|this| {
                this.at.filters.push(RawFilter {
                    evaluation,
                    range: Range::Same,
                    outcome: Some(holds),
                    asked,
                });
                this.branch(branch);
            });
        }
        Ok(())
    }

    /// Adds the statement that evaluates a condition.
    pub(crate) fn evaluation(&mut self, condition: Node<'t>) -> Result<usize, Refusal> {
        let mut emission = Emission::new(self.at.nest.len());
        let condition = strip_parentheses(condition);
        self.expression(&mut emission, condition)?;
        let index = self.out.statements.len();
        self.add_emission(emission, condition.start_byte());
        Ok(index)
    }

    /// A condition that is affine in the values that it reads; leaves no traces.
    pub(crate) fn value_condition(&mut self, condition: Node<'t>) -> Option<ValueCondition> {
        let mark = self.out.mark();
        let n_needed = self.out.needed.len();
        let outer = std::mem::take(&mut self.out.value_reads);
        let found = self.scoped(|this| {
            this.at.reads_values = true;
            this.at.purpose = Purpose::Condition;
            let holds = this.condition(condition, false).ok()?;
            let fails = this.condition(condition, true).ok()?;
            Some((holds, fails))
        });
        let reads = std::mem::replace(&mut self.out.value_reads, outer);
        let is_plain = self.out.needed.len() == n_needed && !reads.is_empty();
        match found {
            Some((holds, fails)) if is_plain => Some(ValueCondition { holds, fails, reads }),
            _ => {
                self.out.back_to(mark);
                None
            }
        }
    }

    /// The value that a name has when a condition is evaluated, as a symbol.
    pub(crate) fn value_read(
        &mut self,
        node: Node<'t>,
        variable: u32,
        integer_type: IntegerType,
    ) -> Result<Value, Refusal> {
        if !integer_type.signed {
            return Err(self.not_affine(node, "it is an unsigned value that is read from memory"));
        }
        let read = (variable, node.start_byte());
        if !self.out.value_reads.iter().any(|(known, _)| *known == variable) {
            self.out.value_reads.push(read);
        }
        let pieces = Pieces::single(Linear::symbol(Symbol::Parameter(variable)));
        Ok(Value { pieces, integer_type })
    }

    /// The value of an element when a condition is evaluated, as a symbol; elements of one text are one.
    pub(crate) fn element_read(&mut self, node: Node<'t>) -> Result<Value, Refusal> {
        let refusal = |this: &Self| this.not_affine(node, "it is read from memory");
        if !self.at.reads_values {
            return Err(refusal(self));
        }
        let (base, steps) = self.steps(node)?;
        let root = self.resolve(base)?;
        let reference = self.walk_steps(node, root, &steps)?;
        let declared = self.variable(reference.variable).declared.clone();
        let integer_type = IntegerType::of(&declared.scalar);
        let is_element = reference.subscripts.len() == declared.dimensions.len();
        if !declared.scalar.is_integer() || !integer_type.signed || !is_element {
            return Err(refusal(self));
        }
        let same = self
            .out
            .value_reads
            .iter()
            .find(|(known, _)| self.scopes.variables[*known as usize].name == self.text(node));
        if let Some(&(variable, _)) = same {
            return self.value_read(node, variable, integer_type);
        }
        let (name, origin) = (self.text(node).to_string(), self.variable(root).origin);
        let variable = self.scopes.add_unnamed(name, declared, origin, None);
        self.value_read(node, variable, integer_type)
    }

    /// A `break`, `continue` or `return`.
    pub(crate) fn exit(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let innermost = self.at.nest.last().copied();
        let leaves = match (node.kind(), innermost) {
            (Kind::BreakStatement, Some(index)) => Leaves::Loop(index),
            (Kind::ContinueStatement, Some(index)) => Leaves::Iteration(index),
            (Kind::ReturnStatement, _) => Leaves::Region,
            (kind, None) => return Err(self.refuse_statement(node, kind)),
            (kind, _) => return Err(self.refuse_statement(node, kind)),
        };
        if let Some(value) = named_children(node).next().filter(|_| leaves == Leaves::Region) {
            self.expression_statement(value)?;
        }
        let by_condition = self.deciding_outcome().filter(|(evaluation, holds)| {
            // With both outcomes the exit is taken whenever the condition is evaluated.
            let is_other = |e: &RawExit| e.evaluation == *evaluation && e.staying == *holds;
            !self.out.exits.iter().any(is_other)
        });
        let (evaluation, holds) = match by_condition {
            Some(found) => found,
            None => {
                let index = self.out.statements.len();
                self.add_statement(Vec::new(), Vec::new(), false, node.start_byte());
                (index, true)
            }
        };
        self.out.exits.push(RawExit { evaluation, staying: !holds, leaves });
        Ok(())
    }

    /// The evaluation that alone decides whether the current place is reached once it is evaluated, and the
    /// outcome.
    ///
    /// A statement between both is none that the exit skips, so an exit behind it is no part of the
    /// evaluation.
    fn deciding_outcome(&self) -> Option<(usize, bool)> {
        let (last, others) = self.at.filters.split_last()?;
        let evaluation = self.out.statements.get(last.evaluation)?;
        let between = self.out.statements.get(last.evaluation + 1..)?;
        let holds = last.outcome?;
        let is_elsewhere = |filter: &RawFilter| {
            filter.evaluation == last.evaluation && filter.outcome == Some(!holds)
        };
        let decides = last.range == Range::Same
            && evaluation.loops == self.at.nest
            && evaluation.domain == self.at.domain
            && evaluation.filters == others
            && between.iter().all(|statement| statement.filters.iter().any(is_elsewhere));
        decides.then_some((last.evaluation, holds))
    }

    /// Lets the statements from `first` on run only if what they stand in has not been left.
    pub(crate) fn apply_exits(&mut self, first: usize, end: Leaves) {
        if self.out.exits.is_empty() {
            return;
        }
        let n_common = match end {
            Leaves::Iteration(_) => self.at.nest.len(),
            Leaves::Loop(_) => self.at.nest.len().saturating_sub(1),
            Leaves::Region => 0,
        };
        let (own, others) = std::mem::take(&mut self.out.exits)
            .into_iter()
            .partition::<Vec<RawExit>, _>(|exit| exit.leaves == end);
        self.out.exits = others;
        for statement in self.out.statements.iter_mut().skip(first) {
            statement.filters.extend(own.iter().map(|exit| RawFilter {
                evaluation: exit.evaluation,
                range: Range::Before(n_common),
                outcome: Some(exit.staying),
                asked: Asked::Outcome,
            }));
        }
    }
}
