//! Copies of registers of other lanes of a warp: `__shfl_down_sync`, to which all lanes come.
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use crate::body::Body;
use loopwright_astgen::AstNode;
use loopwright_presburger::Result;
use loopwright_schedule::{Axis, ShuffleMark};
use loopwright_scop::{AssignmentOperator, Statement};
use std::cell::RefCell;

impl KernelPrinter<'_> {
    /// Code whose statements are such copies.
    pub(super) fn shuffles(&mut self, mark: &str, child: &AstNode) -> Result<()> {
        if self.memory.language != Language::Cuda {
            return Err(misplaced("a shuffle, which OpenCL C 1.2 does not have,"));
        }
        if self.sizes.threads[Axis::X as usize] % i64::from(ShuffleMark::LANES) != 0 {
            return Err(misplaced("a shuffle in blocks without whole warps"));
        }
        self.shuffle = ShuffleMark::parse(mark);
        let result = self.node(child);
        self.shuffle = None;
        result
    }

    /// The text of a statement that assigns a register to another one, as such a copy.
    pub(super) fn shuffle(
        &self,
        mark: ShuffleMark,
        statement: &Statement,
        body: &Body,
    ) -> Result<String> {
        let is_copy = statement
            .body
            .plain_assignment()
            .filter(|assigned| assigned.operator == AssignmentOperator::Set)
            .is_some_and(|assigned| assigned.value.as_element().is_some());
        let elements = RefCell::new(Vec::new());
        body.statement(|element| {
            let text = self.element(element);
            elements.borrow_mut().push(text.clone());
            Some(text)
        });
        match &elements.into_inner()[..] {
            [to, from] if is_copy => {
                Ok(format!("{to} = __shfl_down_sync(0xffffffff, {from}, {});", mark.distance))
            }
            _ => Err(misplaced(&format!("{}, which is no copy,", statement.name))),
        }
    }
}
