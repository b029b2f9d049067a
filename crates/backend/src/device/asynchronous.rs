//! Copies into shared memory that go on while their thread does. All that a thread has begun has arrived at
//! the next barrier: it waits for its own copies, and then for the other threads.
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use super::types::element_type;
use crate::body::Body;
use loopwright_astgen::AstNode;
use loopwright_presburger::Result;
use loopwright_schedule::AsynchronousMark;
use loopwright_scop::{AssignmentOperator, Statement};
use std::cell::RefCell;

/// What a thread does in front of a barrier, to wait for its own copies.
const WAITS: [&str; 2] = ["__pipeline_commit();", "__pipeline_wait_prior(0);"];

/// Whether there are such copies in a part of a kernel.
pub(super) fn has_asynchronous_copies(node: &AstNode) -> bool {
    node.marks().into_iter().any(|name| AsynchronousMark::parse(name).is_some())
}

impl KernelPrinter<'_> {
    /// Code whose statements are such copies.
    pub(super) fn asynchronous(&mut self, child: &AstNode) -> Result<()> {
        if self.memory.language != Language::Cuda {
            return Err(misplaced("an asynchronous copy, which OpenCL has for whole blocks only,"));
        }
        self.is_asynchronous = true;
        let result = self.node(child);
        self.is_asynchronous = false;
        result
    }

    /// The text of a statement that assigns an element to another one, as such a copy.
    pub(super) fn asynchronous_copy(
        &mut self,
        statement: &Statement,
        body: &Body,
    ) -> Result<String> {
        let assigned = statement.body.plain_assignment();
        let assigned = assigned.filter(|own| own.operator == AssignmentOperator::Set);
        let ends = assigned.and_then(|own| Some((own.target, own.value.as_element()?)));
        let type_of = |element: &loopwright_scop::Element| {
            element_type(self.memory.array(element.array), self.memory.language).unwrap_or_default()
        };
        let copied = ends.map(|(to, from)| (type_of(to), type_of(from)));
        let Some((element, _)) = copied.filter(|(to, from)| to == from) else {
            return Err(misplaced(&format!("{}, which is no copy,", statement.name)));
        };
        let elements = RefCell::new(Vec::new());
        body.statement(|element| {
            let text = self.memory.element(element.array, element.subscripts(), false);
            elements.borrow_mut().push(text.clone());
            Some(text)
        });
        match &elements.into_inner()[..] {
            [to, from] => {
                Ok(format!("__pipeline_memcpy_async(&{to}, &{from}, sizeof({element}));"))
            }
            _ => Err(misplaced("a copy of several elements")),
        }
    }

    /// What a thread does in front of a barrier.
    pub(super) fn wait_for_copies(&mut self) {
        if self.has_asynchronous_copies {
            WAITS.iter().for_each(|line| self.writer.line(line));
        }
    }

    /// The statements of a barrier.
    pub(super) fn barrier_lines(&mut self) {
        self.wait_for_copies();
        self.writer.line(self.memory.language.barrier());
    }
}
