//! Blocks whose jumps have become branches (`forward_jumps.rs`): affine conditions restrict the instances,
//! conditions on data make a branch one statement, or are written before each statement in it.
use crate::body::Emission;
use crate::conditions::Disjunction;
use crate::diagnostic::Code;
use crate::extract::Extractor;
use crate::forward_jumps::{Branch, Part};
use crate::refusal::Refusal;

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
        let before = self.known.clone();
        let end = branch.end_byte();
        let mut ends = Vec::with_capacity(2);
        for (list, holds) in [(&branch.then, true), (&branch.otherwise, false)] {
            self.known.clone_from(&before);
            around(self, holds, &mut |this| this.inner_block(end, |this| this.parts(list)))?;
            ends.push(std::mem::take(&mut self.known));
        }
        self.known = ends.swap_remove(0);
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
            return self.lists(branch, |this, holds, walk| {
                this.guards.push((branch.condition, !holds));
                walk(this);
                this.guards.pop();
                Ok(())
            });
        }
        if !self.may_be_atomic() {
            return Err(refusal);
        }
        nodes.iter().for_each(|node| self.forget_changes(*node));
        self.atomic_text(branch.node, &nodes, |this, out| this.atomic_branch(out, branch))
    }

    /// The text of a branch, as `if` and `else` without jumps.
    fn atomic_branch(&mut self, out: &mut Emission, branch: &Branch<'t>) -> Result<(), Refusal> {
        let Branch { condition, then, otherwise, .. } = branch;
        let cases = self.cases(*condition);
        let is_negated = then.is_empty();
        out.text(if is_negated { "if (!" } else { "if " });
        self.condition_text(out, *condition)?;
        out.text(if is_negated { ") " } else { " " });
        if !is_negated {
            self.atomic_case(out, &cases, true, |this, out| this.atomic_list(out, then))?;
        }
        if !otherwise.is_empty() || is_negated {
            out.text(if is_negated { "" } else { " else " });
            self.atomic_case(out, &cases, false, |this, out| this.atomic_list(out, otherwise))?;
        }
        Ok(())
    }

    fn atomic_list(&mut self, out: &mut Emission, parts: &[Part<'t>]) -> Result<(), Refusal> {
        out.text("{");
        self.scopes.push();
        let result = parts.iter().try_for_each(|part| {
            out.text(" ");
            out.after_written();
            match part {
                Part::Statement(node) => self.atomic_part(out, *node),
                Part::Branch(branch) => self.atomic_branch(out, branch),
                Part::Break(node) => Err(self.refuse_statement(*node, "break_statement")),
            }
        });
        self.scopes.pop();
        out.text(" }");
        result
    }
}
