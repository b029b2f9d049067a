//! Asynchronous copies, and barriers that wait for them.
//!
//! ```text
//! __pipeline_memcpy_async(&B_tile[..], &B[..], sizeof(double));     B_tile[..] = B[..] below `asynchronous`
//! __pipeline_commit(); __pipeline_wait_prior(0);                    in front of each barrier of a kernel with such copies
//! ```
//!
//! The first wait of a thread behind a copy of its own is for all that it has begun; so all copies have
//! arrived behind a barrier, as the proof of barriers has it.
use super::words::SIZE;
use crate::printed::body::{Call, Touched};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::AstNode;
use loopwright_schedule::{AsynchronousMark, LocalMark, MemorySpace};
use loopwright_scop::AssignmentOperator;

/// Whether there are asynchronous copies in a part of a kernel.
pub(super) fn has_asynchronous_copies(node: &AstNode) -> bool {
    node.marks().into_iter().any(|name| AsynchronousMark::parse(name).is_some())
}

impl<'a> TextWalk<'_, 'a> {
    /// Code below the mark of asynchronous copies.
    pub(in crate::printed) fn asynchronous(&mut self, child: &'a AstNode) -> Walked<()> {
        let before = std::mem::replace(&mut self.kernel()?.is_asynchronous, true);
        let result = self.node(child, None);
        self.kernel()?.is_asynchronous = before;
        result
    }

    /// Whether statements are asynchronous copies here.
    pub(in crate::printed) fn is_asynchronous(&self) -> bool {
        let kernel = self.device.as_ref().and_then(|device| device.kernel.as_ref());
        kernel.is_some_and(|kernel| kernel.is_asynchronous)
    }

    /// A statement that assigns an element to one in shared memory, as an asynchronous copy.
    pub(in crate::printed) fn asynchronous_copy(&mut self, call: Call<'_>) -> Walked<Touched> {
        let assigned = call.statement.body.plain_assignment();
        let assigned = assigned.filter(|own| own.operator == AssignmentOperator::Set);
        let ends = assigned.and_then(|own| Some((own.target, own.value.as_element()?)));
        let Some((to, from)) = ends else {
            return Err(self.cursor.wrong("a statement that an asynchronous copy is not"));
        };
        let target = self.scop.array(to.array);
        let is_target =
            |mark: &LocalMark| mark.array == target.tuple_name && mark.space == MemorySpace::Shared;
        if !self.kernel()?.marked.iter().any(is_target) {
            return Err(Stop::Unread("an asynchronous copy to other than shared memory".into()));
        }
        let mut touched = Touched::default();
        self.expect_words(&["__pipeline_memcpy_async", "(", "&"])?;
        let mut open = Vec::new();
        self.element_of_call(call, to, (&[], &mut open), &mut touched)?;
        self.expect_words(&[",", "&"])?;
        self.element_of_call(call, from, (&[], &mut open), &mut touched)?;
        self.is_in_subscripts(&open)?;
        self.cursor.expect(",")?;
        let size = self.cursor.word()?;
        let words = size.strip_prefix(SIZE).map(|own| own.replace('_', " "));
        let words = words.ok_or_else(|| self.cursor.wrong("the size of an element"))?;
        let words: Vec<&str> = words.split(' ').collect();
        self.check_type(&words, target)?;
        self.check_type(&words, self.scop.array(from.array))?;
        self.expect_words(&[")", ";"])?;
        Ok(touched)
    }

    /// What a thread does in front of a barrier.
    pub(super) fn waits_for_copies(&mut self) -> Walked<()> {
        match self.kernel()?.has_asynchronous_copies {
            true => self.expect_words(&[
                "__pipeline_commit",
                "(",
                ")",
                ";",
                "__pipeline_wait_prior",
                "(",
                "0",
                ")",
                ";",
            ]),
            false => Ok(()),
        }
    }
}
