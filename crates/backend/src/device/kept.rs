//! Innermost loops of threads, with elements of memory that they use again in registers, as in code for
//! processors ([`crate::scalar_replacement`]).
//!
//! ```text
//! if (c2 > 0) {
//!   double w_value = w[0];
//!   const double B_value = B[c2 * n + c1];
//!   for (long c3 = 0; c3 < c2; c3++) {
//!     w_value -= B_value * C[c3 * n + c1];
//!   }
//!   w[0] = w_value;
//! }
//! ```
//!
//! There is no barrier in such a loop, so no other thread touches meanwhile what this one writes, or writes
//! what it reads: that would be a dependence between threads without a barrier.
use super::kernel::KernelPrinter;
use super::types::element_type;
use crate::body::{Body, Element};
use crate::implied;
use crate::region::canonical::{is_canonical, straight_line};
use crate::scalar_replacement::{Call, Keeping, KeptElement, Scope, kept_elements, named};
use loopwright_astgen::{ForLoop, Place};
use loopwright_presburger::{Result, Space};
use loopwright_scop::{ArrayId, AssignmentOperator, Term};

/// A loop with straight-line code.
struct Loop<'a> {
    each: &'a ForLoop,
    calls: Vec<Call<'a>>,
    kept: Vec<(KeptElement, String)>,
}

impl Loop<'_> {
    fn kept(&self, scope: Scope) -> impl Iterator<Item = &(KeptElement, String)> {
        self.kept.iter().filter(move |(kept, _)| kept.scope == scope)
    }

    fn name(&self, element: &Element) -> Option<&String> {
        let is_it = |(kept, _): &&(KeptElement, String)| {
            kept.array == element.array && kept.element == element.text
        };
        self.kept.iter().find(is_it).map(|(_, name)| name)
    }
}

impl<'p> KernelPrinter<'p> {
    /// Prints a loop that uses elements again; false if it does not.
    pub(super) fn keeping_loop(&mut self, each: &ForLoop) -> Result<bool> {
        // Asynchronous copies pass registers.
        let may_keep = self.memory.keeps_elements && !self.is_asynchronous;
        if !may_keep || each.degenerate || !is_canonical(each) {
            return Ok(false);
        }
        let Some(calls) = straight_line(&each.body) else { return Ok(false) };
        let iterator = self.lowering.iterator(&each.iterator);
        let calls = calls.into_iter().map(|call| self.call(call)).collect::<Result<Vec<_>>>()?;
        // Functions that are given pointers use what is in memory.
        let is_behind_call =
            |id: ArrayId| calls.iter().any(|call| call.statement.body.hidden().contains(&id));
        let of = |id| self.is_element_of_memory(id) && !is_behind_call(id);
        let keeping = Keeping { of: &of, reads: true };
        let names = (&each.iterator, &iterator);
        let mut kept = kept_elements(self.memory.scop, &calls, names, &keeping)?;
        // What each iteration overwrites needs no value from before, and may have none.
        kept.retain(|own| own.scope == Scope::Iteration || !begins_with_a_store(own, &calls));
        if kept.is_empty() {
            return Ok(false);
        }
        let name_of_array = |id| self.memory.array(id).tuple_name.to_string();
        let kept = named(kept, &name_of_array, self.lowering);
        self.with_kept(&Loop { each, calls, kept })?;
        Ok(true)
    }

    /// Whether what is known as an array is elements in the memory of the device.
    fn is_element_of_memory(&self, id: ArrayId) -> bool {
        self.memory.is_in_memory(id) && !self.private.contains(&self.memory.array(id).tuple_name)
    }

    /// A statement at its place.
    fn call<'a>(&mut self, (statement, place): (&Space, &'a Place)) -> Result<Call<'a>>
    where
        'p: 'a,
    {
        let statement = self.statement_of(statement)?;
        let body = Body::at(statement, place, self.lowering)?;
        Ok(Call { statement, place, body })
    }

    fn with_kept(&mut self, own: &Loop<'_>) -> Result<()> {
        let is_around = own.kept(Scope::Loop).next().is_some();
        if is_around {
            self.writer.line(&match implied::runs(own.each)? {
                Some(condition) => format!("if ({}) {{", self.lowering.lower(&condition)),
                None => "{".to_string(),
            });
            self.writer.depth_in();
            self.loads(own, Scope::Loop);
        }
        self.open_loop(own.each)?;
        self.loads(own, Scope::Iteration);
        for call in &own.calls {
            let text = call.body.statement(|element| {
                Some(own.name(element).cloned().unwrap_or_else(|| self.element(element)))
            });
            self.writer.line(&text);
        }
        self.stores(own, Scope::Iteration);
        self.writer.depth_out();
        self.writer.line("}");
        if is_around {
            self.stores(own, Scope::Loop);
            self.writer.depth_out();
            self.writer.line("}");
        }
        Ok(())
    }

    fn loads(&mut self, own: &Loop<'_>, scope: Scope) {
        for (kept, name) in own.kept(scope) {
            let known = element_type(self.memory.array(kept.array), self.memory.language)
                .unwrap_or_default();
            let constant = if kept.is_written { "" } else { "const " };
            let value = match scope == Scope::Iteration && kept.is_overwritten {
                true => String::new(),
                false => format!(" = {}", self.kept_element(own, kept)),
            };
            self.writer.line(&format!("{constant}{known} {name}{value};"));
        }
    }

    fn stores(&mut self, own: &Loop<'_>, scope: Scope) {
        for (kept, name) in own.kept(scope).filter(|(kept, _)| kept.is_written) {
            let element = self.kept_element(own, kept);
            self.writer.line(&format!("{element} = {name};"));
        }
    }

    /// The text of an element that is kept.
    fn kept_element(&self, own: &Loop<'_>, kept: &KeptElement) -> String {
        let mut all = own.calls.iter().flat_map(|call| call.body.elements());
        let is_it =
            |element: &&Element| element.array == kept.array && element.text == kept.element;
        all.find(is_it).map(|element| self.element(element)).unwrap_or_default()
    }
}

/// Whether the first statement that uses an element gives it another value and does not read it, though it
/// may read others of the array.
fn begins_with_a_store(kept: &KeptElement, calls: &[Call<'_>]) -> bool {
    let is_it = |element: &&Element| element.array == kept.array && element.text == kept.element;
    let first = calls.iter().find(|call| call.body.elements().any(|element| is_it(&element)));
    first.is_some_and(|call| {
        let assigned = call.statement.body.root().and_then(Term::as_assignment);
        let is_plain = matches!(assigned, Some((AssignmentOperator::Set, _, _)));
        kept.is_written && is_plain && call.body.elements().filter(is_it).count() == 1
    })
}
