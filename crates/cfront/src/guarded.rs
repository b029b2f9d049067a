//! Conditions that depend on data: the whole `if` is one statement.
//!
//! Which instances there are must not depend on data, so the condition becomes part of the
//! statement's text, and what stands under it is written perhaps ("Scheduling for PPCG", section
//! 2.2). Of several conditions joined by `&&` the affine ones still restrict the instances.
use crate::body::Emission;
use crate::diagnostic::Code;
use crate::extract::{Extractor, Refusal};
use crate::linear::Disjunction;
use crate::syntax::{children, named_children, strip_parentheses, visit};
use tree_sitter::Node;

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
            let hint = "under a condition that depends on data there may only be expressions";
            return Err(refusal.with_hint(hint));
        }
        let Some((affine, rest)) = self.split(node)? else {
            return self.guarded_text(node, |this, out| this.guarded_part(out, node));
        };
        let domain = self.check(node, self.domain.and(&affine))?;
        let outer = std::mem::replace(&mut self.domain, domain);
        let result = self.guarded_text(node, |this, out| this.guarded_rest(out, node, &rest));
        self.domain = outer;
        result
    }

    /// Adds the statement with the written text.
    fn guarded_text(
        &mut self,
        node: Node<'t>,
        write: impl FnOnce(&mut Self, &mut Emission) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut emission = Emission::new();
        write(self, &mut emission)?;
        emission.drop_semicolon();
        self.add_statement(emission.accesses, emission.pieces, false, node.start_byte());
        Ok(())
    }

    /// The affine ones of the conditions joined by `&&`, and the others; none if there are only
    /// others, or if it matters what is evaluated.
    fn split(&mut self, node: Node<'t>) -> Result<Option<(Disjunction, Vec<Node<'t>>)>, Refusal> {
        let condition = node.child_by_field_name("condition");
        let Some(condition) =
            condition.filter(|_| node.child_by_field_name("alternative").is_none())
        else {
            return Ok(None);
        };
        let mut changes = false;
        visit(condition, |n, _| {
            changes |= matches!(n.kind(), "assignment_expression" | "update_expression");
            !changes
        });
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
                Ok((left, "&&", right)) if inner.kind() == "binary_expression" => {
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
        out.text("if (");
        for (position, &condition) in conditions.iter().enumerate() {
            if position > 0 {
                out.text(" && ");
                out.conditional = true;
            }
            let bare = if conditions.len() == 1 { strip_parentheses(condition) } else { condition };
            out.after_written();
            self.expression(out, bare)?;
        }
        out.text(") ");
        out.conditional = true;
        out.after_written();
        let then = node.child_by_field_name("consequence");
        then.map_or(Ok(()), |then| self.guarded_part(out, then))
    }

    /// A statement, or a part of one, copied into the text of the statement.
    fn guarded_part(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            "if_statement" => {
                let outer = out.conditional;
                for child in children(node) {
                    self.guarded_part(out, child)?;
                    out.conditional |= child.kind() == "parenthesized_expression";
                }
                out.conditional = outer;
                Ok(())
            }
            "call_expression" if self.is_annotation(node) => {
                self.ignore_annotation(node);
                Ok(())
            }
            "else_clause" | "compound_statement" | "expression_statement" => {
                children(node).try_for_each(|child| self.guarded_part(out, child))
            }
            _ => self.expression(out, node),
        }
    }
}

/// Whether there are only blocks, `if` and expressions in an `if`.
fn has_only_expressions(node: Node<'_>) -> bool {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        match node.kind() {
            "if_statement" => {
                let parts = ["consequence", "alternative"].map(|f| node.child_by_field_name(f));
                waiting.extend(parts.into_iter().flatten());
            }
            "else_clause" | "compound_statement" => waiting.extend(named_children(node)),
            "expression_statement" | ";" => {}
            _ => return false,
        }
    }
    true
}
