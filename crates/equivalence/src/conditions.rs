//! Conditions on data that do not change while a program runs: whether they hold are two cases, each of which
//! can be proved on its own.
//!
//! A loop that an `if` on such a condition is taken out of has no statement that corresponds to one of the
//! loop with the `if` inside; in each case it has.
use crate::laws::Laws;
use crate::program::Program;
use crate::value::{Function, NodeId, NodeKind, Operator};
use loopwright_presburger::{Budget, DimKind, Error};
use std::collections::BTreeSet;

/// Whether a condition holds.
pub(crate) const CASES: [bool; 2] = [true, false];

/// The most conditions that are looked at.
const MOST: usize = 3;

/// The conditions that both programs ask of what elements held before, each by a text that says all of it.
pub(crate) fn common_conditions([first, second]: [&Program; 2]) -> Vec<String> {
    let [first, second] = [first, second].map(conditions);
    first.intersection(&second).take(MOST).cloned().collect()
}

fn conditions(program: &Program) -> BTreeSet<String> {
    let nodes = (0..program.nodes.len()).map(NodeId);
    let asked = nodes.filter_map(|node| match program.kind(node) {
        NodeKind::Operation(Operator { function: Function::Select, .. }, operands) => {
            condition_text(program, operands[0])
        }
        _ => None,
    });
    asked.collect()
}

/// A condition as a text, if it is the same in all instances.
fn condition_text(program: &Program, node: NodeId) -> Option<String> {
    match program.kind(node) {
        NodeKind::Integer(own) => {
            let value = own.as_aff()?.constant_value()?.to_int()?;
            Some(value.to_string())
        }
        NodeKind::Read(read) => {
            let read = &program.reads[read.0];
            let array = &program.arrays[read.array.0 as usize];
            let is_written = program.definitions.iter().any(|own| own.array == read.array);
            let elements = read.relation.range();
            let n = elements.n(DimKind::Out);
            let subscripts = (0..n).map(|at| elements.plain_get_val_if_fixed(DimKind::Out, at));
            let subscripts = subscripts.collect::<Option<Vec<_>>>()?;
            let is_constant = !is_written && !array.declared_in_scop;
            is_constant.then(|| format!("{}{subscripts:?}", array.name))
        }
        NodeKind::Operation(operator, operands) if !operator.is_uninterpreted() => {
            let parts = operands.iter().map(|own| condition_text(program, *own));
            Some(format!("{operator:?}({})", parts.collect::<Option<Vec<_>>>()?.join(", ")))
        }
        NodeKind::Operation(..) | NodeKind::Choice { .. } => None,
    }
}

impl Program {
    /// The program where a condition holds, or does not hold.
    ///
    /// # Errors
    /// The budget is used up.
    pub(crate) fn take_to_hold(
        &mut self,
        condition: &str,
        holds: bool,
        laws: &Laws,
        budget: &Budget,
    ) -> Result<(), Error> {
        for at in 0..self.nodes.len() {
            let NodeKind::Operation(Operator { function: Function::Select, .. }, operands) =
                self.kind(NodeId(at))
            else {
                continue;
            };
            let [asked, then, otherwise] = operands[..] else { continue };
            if condition_text(self, asked).as_deref() == Some(condition) {
                let taken = if holds { then } else { otherwise };
                self.nodes[at].kind = self.kind(taken).clone();
            }
        }
        self.find_accumulations(laws, budget)
    }
}
