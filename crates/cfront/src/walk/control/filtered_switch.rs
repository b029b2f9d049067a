//! `switch` statements as filters: what follows a label runs for the values of that label, and for those of
//! the labels before it from which control falls through.
//!
//! The value that decides is evaluated once, in front. It has to be affine in the values that it reads.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::leaving_at;
use crate::model::comparison::Comparison;
use crate::model::conditions::Disjunction;
use crate::model::filters::{Asked, Range, RawFilter};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::named_children;
use crate::syntax::tree::Node;
use crate::walk::control::sure_writes::{Case, branches_of_switch, last_statement};
use crate::walk::extractor::Extractor;
use crate::walk::walk_context::Purpose;

/// The values for which each branch runs, and the reads in whose terms they are.
type BranchValues = (Vec<Disjunction>, Vec<(u32, usize)>);

/// Whether `break` or `goto` leave a branch before its end, or one of the labels is further inside.
fn is_left(case: Node<'_>) -> bool {
    let last = last_statement(case);
    let leaves = |jump: Node<'_>| leaving_at(jump, case).breaks && Some(jump) != last;
    let is_inside = |label: Node<'_>| {
        let mut around = std::iter::successors(label.parent(), |node| node.parent());
        around.find(|node| *node == case || node.kind() == Kind::SwitchStatement) == Some(case)
    };
    case.has_kind(&[Kind::GotoStatement])
        || case.of_kind(Kind::BreakStatement).any(leaves)
        || case.of_kind(Kind::CaseStatement).any(is_inside)
}

impl<'t> Extractor<'_, 't> {
    /// A `switch`.
    pub(crate) fn filtered_switch(&mut self, node: Node<'t>) -> Result<(), Refusal> {
        let (Some(selector), Some(body)) = (node.field(Field::Condition), node.field(Field::Body))
        else {
            return Err(self.refuse(Code::Syntax, node, "this `switch` is incomplete"));
        };
        let branches = branches_of_switch(body).filter(|_| !named_children(body).any(is_left));
        let branches = branches.ok_or_else(|| {
            self.refuse_statement(node, Kind::SwitchStatement)
                .with_reason("in the model with filters, `break` ends branches only at their ends")
                .with_hint("write it with `if`")
        })?;
        let (values, reads) = self.branch_values(selector, body, &branches)?;
        let evaluation = match reads.is_empty() {
            true => None,
            false => Some(self.evaluation(selector)?),
        };
        self.inner_block(node.end_byte().saturating_sub(1), |this| {
            for (case, values) in named_children(body).zip(&values) {
                // It may be reached from the front and from the branch before.
                this.forget_changes(body);
                let label = case.field(Field::Value);
                let statements = named_children(case).filter(|child| Some(*child) != label);
                let statements: Vec<Node<'t>> = statements.collect();
                this.recover(|this| match evaluation {
                    None => this.where_holds(case, values, |this| this.until_break(&statements)),
                    Some(evaluation) => {
                        let asked = Asked::Values(values.clone(), reads.clone());
                        this.scoped(|this| {
                            let range = Range::Same;
                            let filter = RawFilter { evaluation, range, outcome: None, asked };
                            this.at.filters.push(filter);
                            this.until_break(&statements);
                        });
                        Ok(())
                    }
                });
            }
            this.forget_changes(body);
        });
        Ok(())
    }

    /// Statements of which the last one may be `break`, also in a block.
    fn until_break(&mut self, statements: &[Node<'t>]) {
        let Some((last, others)) = statements.split_last() else { return };
        others.iter().for_each(|statement| self.recover(|this| this.statement(*statement)));
        match last.kind() {
            Kind::BreakStatement => {}
            Kind::CompoundStatement => {
                let inner: Vec<Node<'t>> = named_children(*last).collect();
                let end = last.end_byte().saturating_sub(1);
                self.inner_block(end, |this| this.until_break(&inner));
            }
            _ => self.recover(|this| this.statement(*last)),
        }
    }

    /// The values for which the branches run; leaves no traces if they are not affine.
    fn branch_values(
        &mut self,
        selector: Node<'t>,
        body: Node<'t>,
        branches: &[Case],
    ) -> Result<BranchValues, Refusal> {
        let mark = self.out.mark();
        let n_needed = self.out.needed.len();
        let outer = std::mem::take(&mut self.out.value_reads);
        let found = self.scoped(|this| {
            this.at.reads_values = true;
            this.at.purpose = Purpose::Condition;
            this.values_of_labels(selector, body, branches)
        });
        let reads = std::mem::replace(&mut self.out.value_reads, outer);
        match found {
            Ok(values) if reads.is_empty() || self.out.needed.len() == n_needed => {
                Ok((values, reads))
            }
            found => {
                self.out.back_to(mark);
                let refusal = self.refuse_statement(selector, Kind::SwitchStatement);
                Err(found.err().unwrap_or_else(|| {
                    refusal.with_reason("its value is only affine under a condition")
                }))
            }
        }
    }

    fn values_of_labels(
        &mut self,
        selector: Node<'t>,
        body: Node<'t>,
        branches: &[Case],
    ) -> Result<Vec<Disjunction>, Refusal> {
        let mut labels = Vec::with_capacity(branches.len());
        let mut any = Disjunction::never();
        for case in named_children(body) {
            let own = match case.field(Field::Value) {
                None => None,
                Some(label) => {
                    let difference = self.difference(selector, label)?;
                    let equal = self.compare(&difference, Comparison::Equal);
                    Some(self.check(label, equal)?)
                }
            };
            if let Some(own) = &own {
                any = self.check(case, any.or(own.clone()))?;
            }
            labels.push(own);
        }
        let rest = self.check(body, Disjunction::always().minus(&any))?;
        let mut values: Vec<Disjunction> = Vec::with_capacity(labels.len());
        let mut fallen = Disjunction::never();
        for (own, case) in labels.into_iter().zip(branches) {
            let here = self.check(body, fallen.or(own.unwrap_or_else(|| rest.clone())))?;
            fallen = if case.falls_through { here.clone() } else { Disjunction::never() };
            values.push(here);
        }
        Ok(values)
    }
}
