//! Conditions that depend on data: the whole `if` is one statement.
//!
//! Which instances there are must not depend on data, so the condition becomes part of the
//! statement's text, and what stands under it is written perhaps ("Scheduling for PPCG", section
//! 2.2). Of several conditions joined by `&&` the affine ones still restrict the instances.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::{declared_names, written_names};
use crate::model::conditions::Disjunction;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{mentioned_names, named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::{BinaryOperator, TermKind};

impl<'t> Extractor<'_, 't> {
    /// An `if` whose condition was refused, as one statement.
    ///
    /// # Errors
    /// The refusal of the condition, if that does not depend on data or if there is more than
    /// expressions under it.
    pub(crate) fn guarded(&mut self, node: Node<'t>, refusal: Refusal) -> Result<(), Refusal> {
        if refusal.0.code != Code::NonAffineCondition {
            return Err(refusal);
        }
        if !has_only_expressions(node) {
            let condition = node.field(Field::Condition);
            if let Some(condition) = condition
                && self.is_pushed_down(condition, &branches(node))?
            {
                self.push_down(node, condition);
                return Ok(());
            }
            return if self.may_be_opaque() { self.opaque_statement(node) } else { Err(refusal) };
        }
        self.forget_changes(node);
        let Some((affine, rest)) = self.split(node)? else {
            return self.guarded_text(node, |this, out| this.opaque_part(out, node));
        };
        let domain = self.check(node, self.at.domain.and(&affine))?;
        self.within(domain, |this| {
            this.guarded_text(node, |this, out| this.guarded_rest(out, node, &rest))
        })
    }

    /// Adds the statement with the written text.
    fn guarded_text(
        &mut self,
        node: Node<'t>,
        write: impl FnOnce(&mut Self, &mut Emission) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut emission = Emission::new(self.at.nest.len());
        emission.is_opaque = true;
        self.write_guards(&mut emission)?;
        write(self, &mut emission)?;
        emission.drop_semicolon();
        self.add_emission(emission, node.start_byte());
        Ok(())
    }

    /// The affine ones of the conditions joined by `&&`, and the others; none if there are only
    /// others, or if it matters what is evaluated.
    fn split(&mut self, node: Node<'t>) -> Result<Option<(Disjunction, Vec<Node<'t>>)>, Refusal> {
        let condition = node.field(Field::Condition);
        let Some(condition) = condition.filter(|_| node.field(Field::Alternative).is_none()) else {
            return Ok(None);
        };
        let changes = condition.has_kind(&[Kind::AssignmentExpression, Kind::UpdateExpression]);
        let (mut affine, mut rest) = (Disjunction::always(), Vec::new());
        let all = self.conjuncts(condition);
        for &conjunct in &all {
            match self.affine_condition(conjunct, false) {
                Ok(holds) => affine = self.check(conjunct, affine.and(&holds))?,
                Err(_) => rest.push(conjunct),
            }
        }
        Ok((!changes && !rest.is_empty() && rest.len() < all.len()).then_some((affine, rest)))
    }

    /// The conditions that are joined by `&&`, in order.
    pub(crate) fn conjuncts(&self, condition: Node<'t>) -> Vec<Node<'t>> {
        let mut waiting = vec![condition];
        let mut found = Vec::new();
        while let Some(node) = waiting.pop() {
            let inner = strip_parentheses(node);
            match self.binary_parts(inner) {
                Ok((left, token!("&&"), right)) if inner.kind() == Kind::BinaryExpression => {
                    waiting.extend([right, left]);
                }
                _ => found.push(node),
            }
        }
        found
    }

    /// An `if` with a part of its condition.
    fn guarded_rest(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        conditions: &[Node<'t>],
    ) -> Result<(), Refusal> {
        out.open(TermKind::If);
        out.text("if (");
        let and = TermKind::Binary(BinaryOperator::LogicalAnd);
        conditions.iter().skip(1).for_each(|_| out.open(and.clone()));
        for (position, &condition) in conditions.iter().enumerate() {
            if position > 0 {
                out.text(" && ");
                out.conditional = true;
            }
            let bare = if conditions.len() == 1 { strip_parentheses(condition) } else { condition };
            out.after_written();
            self.expression(out, bare)?;
            if position > 0 {
                out.close();
            }
        }
        out.text(") ");
        out.conditional = true;
        out.after_written();
        let then = node.field(Field::Consequence);
        then.map_or(Ok(()), |then| self.opaque_part(out, then))
    }

    /// A condition on data over statements with loops: each statement is under the condition by
    /// itself, so that the loops keep their model. Nothing under it may change what it reads.
    pub(crate) fn is_pushed_down(
        &mut self,
        condition: Node<'t>,
        parts: &[Node<'t>],
    ) -> Result<bool, Refusal> {
        if !parts.iter().any(|part| part.has_kind(&[Kind::ForStatement])) {
            return Ok(false);
        }
        let changing = [Kind::AssignmentExpression, Kind::UpdateExpression, Kind::CallExpression];
        let calling = [
            Kind::CallExpression,
            Kind::GotoStatement,
            Kind::ReturnStatement,
            Kind::LabeledStatement,
        ];
        let mentioned = mentioned_names(self.facts.source, condition);
        let is_changed = |part: &Node<'t>| {
            part.has_kind(&calling)
                || !mentioned.is_disjoint(&written_names(self.facts.source, *part))
                || !mentioned.is_disjoint(&declared_names(self.facts.source, *part))
        };
        if condition.has_kind(&changing) || parts.iter().any(is_changed) {
            return Ok(false);
        }
        let mut tried = Emission::new(self.at.nest.len());
        self.expression(&mut tried, strip_parentheses(condition))?;
        Ok(true)
    }

    fn push_down(&mut self, node: Node<'t>, condition: Node<'t>) {
        let then = node.field(Field::Consequence);
        let otherwise = node.field(Field::Alternative);
        let otherwise = otherwise.and_then(|clause| named_children(clause).next());
        let branches = self.start_of_branches();
        let mut ends = Vec::with_capacity(2);
        for (part, must_fail) in [(then, false), (otherwise, true)] {
            let Some(part) = part else { continue };
            self.scoped(|this| {
                this.at.guards.push((condition, must_fail));
                this.branch(part);
            });
            ends.push(self.out.statements.len());
        }
        self.overwrite_in_branches(&branches, &ends, node.start_byte());
    }
}

/// The branches of an `if`.
fn branches(node: Node<'_>) -> Vec<Node<'_>> {
    let parts = [Field::Consequence, Field::Alternative].map(|field| node.field(field));
    parts.into_iter().flatten().collect()
}

/// Whether there are only blocks, `if` and expressions in an `if`.
fn has_only_expressions(node: Node<'_>) -> bool {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            Kind::IfStatement => {
                waiting.extend(branches(node));
            }
            Kind::ElseClause | Kind::CompoundStatement => waiting.extend(named_children(node)),
            Kind::ExpressionStatement | token!(";") => {}
            _ => return false,
        }
    }
    true
}
