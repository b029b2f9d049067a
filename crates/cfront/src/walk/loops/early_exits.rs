//! Loops that end early: without pragmas, and where they leave the function, they are one statement if
//! threads can look for their ends.
//!
//! A loop that `return` leaves is a region by itself: nothing comes behind it that its end would skip. Its
//! model has a write of what keeps calls in order, which is visible behind the region, so that no loop is
//! dead code because nothing but the way out depends on it.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::diagnostics::refusal::Refusal;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::children;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_presburger::Budget;
use loopwright_scop::{EarlyExit, ExitReads, Scop, Term};

/// Steps for what the conditions of such a loop read; they are sums of a few names.
const STEPS: u64 = 200_000;

impl<'t> Extractor<'_, 't> {
    /// A loop outside of others that is refused otherwise, as a statement: whether that is worth anything is
    /// seen when there is a model ([`Extractor::not_searched`]).
    pub(crate) fn early_exit(&mut self, node: Node<'t>, refusal: Refusal) -> Result<(), Refusal> {
        let has_break =
            node.field(Field::Body).is_some_and(|b| b.has_kind(&[Kind::BreakStatement]));
        let condition = node.field(Field::Condition).map_or("", |condition| self.text(condition));
        if self.facts.has_filters || !(has_break || condition.contains("&&")) {
            return Err(self.with_causes_inside(node, refusal));
        }
        let attempt = self.out.attempt();
        match self.opaque_statement(node) {
            Ok(()) => {
                self.out.early_exits.push((node.start_byte(), *refusal.0));
                Ok(())
            }
            Err(_) => {
                self.out.take_back(attempt);
                Err(self.with_causes_inside(node, refusal))
            }
        }
    }

    /// The refusal of a statement as a whole, after which its inside is not walked over. What is refused
    /// there in any case is reported as well: one run tells all causes.
    pub(crate) fn with_causes_inside(&mut self, node: Node<'t>, refusal: Refusal) -> Refusal {
        if self.may_be_opaque() || self.facts.has_filters || self.at.tells_all {
            return refusal;
        }
        let attempt = self.out.attempt();
        let n_before = self.out.diagnostics().len();
        let known = self.values.known.clone();
        let result = self.scoped(|this| {
            this.at.tells_all = true;
            this.opaque_statement(node)
        });
        let mut found: Vec<Diagnostic> = self.out.diagnostics()[n_before..].to_vec();
        found.extend(result.err().map(|other| *other.0));
        self.out.take_back(attempt);
        self.values.known = known;
        // What the head has is said by the refusal.
        let body = node.field(Field::Body).map(|body| body.byte_range()).unwrap_or_default();
        let is_inside = |other: &Diagnostic| other.byte.is_some_and(|byte| body.contains(&byte));
        found.retain(|other| other.code != refusal.0.code && is_inside(other));
        let Some(last) = found.pop() else { return refusal };
        self.out.report(*refusal.0);
        self.out.report_all(found);
        Refusal(Box::new(last))
    }

    /// A loop that is the whole region and leaves the function where data decides, as a statement; whether it
    /// is one. As with the others, whether threads can look for its end is seen later.
    pub(crate) fn returning_loop(&mut self, node: Node<'t>) -> Result<bool, Refusal> {
        let is_alone = self.facts.only_statement == Some(node) && self.at.nest.is_empty();
        if !is_alone || self.facts.has_filters {
            return Ok(false);
        }
        let Some(way_out) = node.of_kind(Kind::ReturnStatement).next() else { return Ok(false) };
        let decides = |around: &Node<'t>| {
            let condition = around.field(Field::Condition);
            around.kind() == Kind::IfStatement
                && condition.is_some_and(|c| c.has_kind(&[Kind::SubscriptExpression]))
        };
        let mut around = std::iter::successors(way_out.parent(), |inner| inner.parent())
            .take_while(|inner| *inner != node);
        if !around.any(|inner| decides(&inner)) {
            return Ok(false);
        }
        let refusal = self.refuse_statement(way_out, Kind::ReturnStatement);
        let attempt = self.out.attempt();
        let result = self.scoped(|this| {
            this.at.may_return = true;
            this.opaque_statement(node)
        });
        match result {
            Ok(()) => {
                self.out.early_exits.push((node.start_byte(), *refusal.0));
                Ok(true)
            }
            Err(_) => {
                self.out.take_back(attempt);
                Err(self.with_causes_inside(node, refusal))
            }
        }
    }

    /// `return` in a loop that may leave the function, as a part of its statement.
    pub(crate) fn leave_function(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<(), Refusal> {
        out.keyword(node, "return");
        for value in children(node).filter(|child| child.is_named()) {
            out.text(" ");
            out.after_written();
            self.expression(out, value)?;
        }
        out.text(";");
        out.written(node);
        self.keep_in_order(out, node.start_byte());
        Ok(())
    }

    /// The refusals of loops that became statements and that threads cannot search.
    pub(crate) fn not_searched(&self, scop: &Scop) -> Vec<Diagnostic> {
        let is_searched = |at: usize| {
            let index = self.out.statements.iter().position(|statement| statement.at == at);
            let Some(statement) = index.and_then(|index| scop.statements.get(index)) else {
                return true;
            };
            let Some(Ok(exit)) = EarlyExit::of(scop, statement) else { return false };
            if !self.facts.is_detected {
                return true;
            }
            // What only sizes decide about is no search.
            let mut read = exit.evaluated().flat_map(Term::elements);
            let has_data = read.any(|element| !scop.array(element.array).is_scalar());
            let reads = exit.reads(scop, &statement.domain, &Budget::steps(STEPS));
            has_data && matches!(reads, Ok(ExitReads::Inside | ExitReads::InsideWhere(_)))
        };
        let refused = self.out.early_exits.iter().filter(|(at, _)| !is_searched(*at));
        refused.map(|(_, refusal)| refusal.clone()).collect()
    }
}
