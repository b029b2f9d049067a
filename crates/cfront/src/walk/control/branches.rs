//! Blocks whose jumps have become branches (`forward_jumps.rs`): affine conditions restrict the instances,
//! conditions on data make a branch one statement, or are written before each statement in it.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::model::conditions::Disjunction;
use crate::syntax::kind::{Field, Kind};
use crate::walk::control::forward_jumps::{Branch, Jumping, Part};
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::{TermKind, UnaryOperator};
use std::collections::BTreeSet;

impl<'t> Extractor<'_, 't> {
    /// The parts of a block, in order.
    pub(crate) fn parts(&mut self, parts: &[Part<'t>]) {
        for part in parts {
            match part {
                Part::Statement(node) => self.recover(|this| this.statement(*node)),
                Part::Branch(branch) => {
                    self.recover(|this| this.chosen(branch));
                    self.end_pointers(branch);
                }
                Part::Jumping(jumping) => self.recover(|this| this.jumping(jumping)),
                Part::Break(_) => {}
            }
        }
    }

    /// One of two lists of statements.
    fn chosen(&mut self, branch: &Branch<'t>) -> Result<(), Refusal> {
        let Branch { condition, node, .. } = *branch;
        self.forget_changes(condition);
        let holds = match self.affine_condition(condition, false) {
            Ok(holds) => holds,
            Err(refusal) => return self.chosen_by_data(branch, refusal),
        };
        let fails = self.affine_condition(condition, true)?;
        self.lists(branch, |this, holds_here, walk| {
            let condition: &Disjunction = if holds_here { &holds } else { &fails };
            this.where_holds(node, condition, walk)
        })
    }

    /// Walks over both lists, each within what `around` sets up; then, only what both agree about is known.
    fn lists(
        &mut self,
        branch: &Branch<'t>,
        mut around: impl FnMut(&mut Self, bool, &mut dyn FnMut(&mut Self)) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let before = self.values.known.clone();
        let end = branch.end_byte();
        let mut ends = Vec::with_capacity(2);
        for (list, holds) in [(&branch.then, true), (&branch.otherwise, false)] {
            self.values.known.clone_from(&before);
            around(self, holds, &mut |this| this.inner_block(end, |this| this.parts(list)))?;
            ends.push(std::mem::take(&mut self.values.known));
        }
        self.values.known = ends.swap_remove(0);
        ends.iter().for_each(|end| self.join_known(end));
        Ok(())
    }

    /// A choice that depends on data.
    fn chosen_by_data(&mut self, branch: &Branch<'t>, refusal: Refusal) -> Result<(), Refusal> {
        if refusal.0.code != Code::NonAffineCondition {
            return Err(refusal);
        }
        let nodes = branch.nodes();
        if self.is_pushed_down(branch.condition, &nodes)? {
            let branches = self.start_of_branches();
            let mut ends = Vec::with_capacity(2);
            self.lists(branch, |this, holds, walk| {
                this.scoped(|this| {
                    this.at.guards.push((branch.condition, !holds));
                    walk(this);
                });
                ends.push(this.out.statements.len());
                Ok(())
            })?;
            self.overwrite_in_branches(&branches, &ends, branch.node.start_byte());
            return Ok(());
        }
        if !self.may_be_opaque() {
            return Err(refusal);
        }
        nodes.iter().for_each(|node| self.forget_changes(*node));
        self.opaque_text(branch.node, &nodes, |this, out| this.opaque_branch(out, branch))
    }

    /// The text of a branch, as `if` and `else` without jumps.
    fn opaque_branch(&mut self, out: &mut Emission, branch: &Branch<'t>) -> Result<(), Refusal> {
        let Branch { condition, then, otherwise, .. } = branch;
        let cases = self.cases(*condition);
        let is_negated = then.is_empty();
        out.open(TermKind::If);
        if is_negated {
            out.text("if (");
            out.open(TermKind::Unary(UnaryOperator::Not));
            out.text("!");
            self.condition_term(out, *condition)?;
            out.close();
            out.text(") ");
        } else {
            out.text("if ");
            self.condition_text(out, *condition)?;
            out.text(" ");
        }
        let mut ends = Vec::with_capacity(2);
        if !is_negated {
            let list = |this: &mut Self, out: &mut Emission| this.opaque_list(out, then);
            ends.push(self.opaque_case(out, &cases, true, list)?);
        }
        if !otherwise.is_empty() || is_negated {
            out.text(if is_negated { "" } else { " else " });
            let list = |this: &mut Self, out: &mut Emission| this.opaque_list(out, otherwise);
            ends.push(self.opaque_case(out, &cases, false, list)?);
        }
        if ends.len() == 2 {
            self.join_branches(out, &ends, cases.is_none());
        }
        out.close();
        Ok(())
    }

    /// Statements with jumps to their end, as one.
    fn jumping(&mut self, jumping: &Jumping<'t>) -> Result<(), Refusal> {
        let [first, ..] = jumping.nodes[..] else { return Ok(()) };
        if let [jump, ..] = jumping.jumps[..]
            && !self.may_be_opaque()
        {
            return Err(self.refuse_statement(jump, jump.kind()));
        }
        jumping.nodes.iter().for_each(|node| self.forget_changes(*node));
        self.opaque_text(first, &jumping.nodes, |this, out| this.opaque_jumping(out, jumping))
    }

    /// The text of statements with jumps to their end.
    fn opaque_jumping(&mut self, out: &mut Emission, jumping: &Jumping<'t>) -> Result<(), Refusal> {
        let labels = jumping.jumps.iter().filter_map(|jump| jump.field(Field::Label));
        let labels: BTreeSet<&str> = labels.map(|label| self.text(label)).collect();
        let continues = jumping.jumps.iter().any(|jump| jump.kind() == Kind::ContinueStatement);
        let names = labels.iter().copied().collect::<Vec<_>>().join(", ");
        out.open(TermKind::Opaque);
        out.text(if continues { "do {" } else { "{" });
        if !labels.is_empty() {
            out.text(&format!(" __label__ {names};"));
        }
        let before = (out.conditional, out.tracks_assignments);
        (out.conditional, out.tracks_assignments) = (true, false);
        self.scopes.push();
        let result = self.scoped(|this| {
            this.at.jump_ends = labels.iter().copied().collect();
            jumping.nodes.iter().try_for_each(|node| {
                out.text(" ");
                out.after_written();
                this.opaque_part(out, *node)
            })
        });
        self.scopes.pop();
        (out.conditional, out.tracks_assignments) = before;
        labels.iter().for_each(|label| out.text(&format!(" {label}:")));
        out.text(if labels.is_empty() { " }" } else { " ; }" });
        if continues {
            out.text(" while (0);");
        }
        out.close();
        result
    }

    fn opaque_list(&mut self, out: &mut Emission, parts: &[Part<'t>]) -> Result<(), Refusal> {
        out.open(TermKind::Block);
        out.text("{");
        self.scopes.push();
        let result = parts.iter().try_for_each(|part| {
            out.text(" ");
            out.after_written();
            match part {
                Part::Statement(node) => self.opaque_part(out, *node),
                Part::Branch(branch) => self.opaque_branch(out, branch),
                Part::Jumping(jumping) => self.opaque_jumping(out, jumping),
                Part::Break(node) => Err(self.refuse_statement(*node, Kind::BreakStatement)),
            }
        });
        self.scopes.pop();
        out.text(" }");
        out.close();
        result
    }
}
