//! Loops without pragmas that end early: one statement, if threads can look for their ends.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::diagnostics::refusal::Refusal;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use loopwright_presburger::Budget;
use loopwright_scop::{EarlyExit, ExitReads, Scop, Term};

/// Steps for what the conditions of such a loop read; they are sums of a few names.
const STEPS: u64 = 200_000;

impl<'t> Extractor<'_, 't> {
    /// A loop outside of others that is refused otherwise, as a statement: whether that is worth anything is seen when there is a model
    /// ([`Extractor::not_searched`]).
    pub(crate) fn early_exit(&mut self, node: Node<'t>, refusal: Refusal) -> Result<(), Refusal> {
        let has_break =
            node.field(Field::Body).is_some_and(|b| b.has_kind(&[Kind::BreakStatement]));
        let condition = node.field(Field::Condition).map_or("", |condition| self.text(condition));
        if self.facts.has_filters || !(has_break || condition.contains("&&")) {
            return Err(refusal);
        }
        let attempt = self.out.attempt();
        match self.opaque_statement(node) {
            Ok(()) => {
                self.out.early_exits.push((node.start_byte(), *refusal.0));
                Ok(())
            }
            Err(_) => {
                self.out.take_back(attempt);
                Err(refusal)
            }
        }
    }

    /// The refusals of loops that became statements and that threads cannot search.
    pub(crate) fn not_searched(&self, scop: &Scop) -> Vec<Diagnostic> {
        let is_searched = |at: usize| {
            let index = self.out.statements.iter().position(|statement| statement.at == at);
            let Some(statement) = index.and_then(|index| scop.statements.get(index)) else {
                return true;
            };
            let Some(Ok(exit)) = EarlyExit::of(scop, statement) else { return false };
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
