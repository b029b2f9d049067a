//! Copies that overlap with kernels: three queues, of copies to the device, of kernels, and of copies back,
//! each in order; and waits of one for what is in another so far.
//!
//! ```text
//! LW_TRY(lw_kernels_await_copies());     kernels from here on come after the copies to the device so far
//! LW_TRY(lw_copies_await_kernels());     copies back from here on come after the kernels so far
//! LW_TRY(lw_wait());                     the host waits for all kernels
//! LW_MUST(lw_await_copies());            the host waits for all copies back
//! ```
//!
//! What the text puts into queues is followed in its order. A kernel that is given an array needs its copy to
//! have been awaited; a copy to the device comes in front of all kernels that are given the array; a copy
//! back comes behind a wait for all kernels that may write it, and no later kernel may. Behind the first copy
//! back a call that fails ends the program, and does not leave the region to the processor. Kernels in loops
//! and conditions of the host stand there once: no copy and no wait is in a loop.
use super::copies::{Part, Variables};
use super::state::{Declared, Event, Queued, Stored};
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::AstNode;
use loopwright_device::Transfers;
use loopwright_scop::ArrayId;
use std::collections::{BTreeMap, BTreeSet};

/// A function that waits, and what it is.
type Wait = (&'static str, fn() -> Event);

const WAITS: [Wait; 4] = [
    ("lw_kernels_await_copies", || Event::KernelsAwaitCopies),
    ("lw_copies_await_kernels", || Event::CopiesAwaitKernels),
    ("lw_wait", || Event::HostAwaitsKernels),
    ("lw_await_copies", || Event::HostAwaitsCopies),
];

/// The arrays that a kernel is given, and those of them that it may write: that are not constant.
pub(super) fn launched(
    arguments: &[Declared<'_>],
    arrays: &BTreeMap<ArrayId, Stored>,
    named: impl Fn(&str) -> Option<ArrayId>,
) -> Event {
    let given = arrays.iter().filter(|(_, stored)| **stored == Stored::Linear);
    let given: BTreeSet<ArrayId> = given.map(|(id, _)| *id).collect();
    let is_written =
        |argument: &&Declared<'_>| argument.is_pointer && !argument.words.contains(&"const");
    let written = arguments.iter().filter(is_written).filter_map(|own| named(own.name)).collect();
    Event::Launch { given, written }
}

/// The nodes of a tree that are in no other but blocks.
fn apart<'a>(node: &'a AstNode, nodes: &mut Vec<&'a AstNode>) {
    match node {
        AstNode::Block(children) => children.iter().for_each(|child| apart(child, nodes)),
        other => nodes.push(other),
    }
}

impl<'a> TextWalk<'_, 'a> {
    /// Everything between the beginning of the function and its end, where copies overlap with kernels: the
    /// parts about memory.
    pub(super) fn queues(
        &mut self,
        ast: &'a AstNode,
        variables: &[Variables<'a>],
    ) -> Walked<Vec<Part>> {
        let (mut nodes, mut parts) = (Vec::new(), Vec::new());
        apart(ast, &mut nodes);
        self.between_steps(variables, &mut parts)?;
        for node in nodes {
            self.node(node, None)?;
            self.between_steps(variables, &mut parts)?;
        }
        Ok(parts)
    }

    /// Copies and waits.
    fn between_steps(&mut self, variables: &[Variables<'a>], parts: &mut Vec<Part>) -> Walked<()> {
        loop {
            let part = self.copies_at(variables)?;
            if part.0 < part.1 {
                parts.push(part);
                self.queue(Event::Memory(parts.len() - 1), part.0, false)?;
                continue;
            }
            let wait = WAITS.iter().find(|(name, _)| self.cursor.is_ahead(2, name));
            let Some((name, event)) = wait else { return Ok(()) };
            let at = self.cursor.at;
            let is_must = self.attempt()?;
            self.expect_words(&["(", name, "(", ")", ")", ";"])?;
            self.queue(event(), at, is_must)?;
        }
    }

    /// `LW_TRY` or, where copies overlap with kernels, `LW_MUST`: whether it is the latter.
    pub(super) fn attempt(&mut self) -> Walked<bool> {
        if self.device()?.overlaps && self.cursor.take_if("LW_MUST") {
            return Ok(true);
        }
        self.cursor.expect("LW_TRY")?;
        Ok(false)
    }

    pub(super) fn queue(&mut self, event: Event, at: usize, is_must: bool) -> Walked<()> {
        let device = self.device()?;
        if device.overlaps {
            device.queued.push(Queued { event, at, is_must });
        }
        Ok(())
    }

    /// Whether all that is queued waits for what it needs; `copies` are those of each part, with whether they
    /// are to the device.
    pub(super) fn check_queues(&mut self, copies: &[Vec<(ArrayId, bool)>]) -> Walked<()> {
        let device = self.device()?;
        let (transfers, queued) = (device.transfers, std::mem::take(&mut device.queued));
        let mut queues = Queues { transfers: Some(transfers), ..Queues::default() };
        for Queued { event, at, is_must } in &queued {
            let is_back = queues.is_back;
            let mut wrong = queues.follow(event, copies);
            let is_memory = matches!(event, Event::Memory(_));
            if !is_memory && *is_must != is_back && !matches!(event, Event::HostAwaitsCopies) {
                wrong = Some("a call that ends the program behind the first copy back alone");
            }
            if let Some(what) = wrong {
                self.cursor.at = *at;
                return Err(self.cursor.wrong(what));
            }
        }
        match queues.are_running || queues.are_leaving {
            true => Err(self.cursor.wrong("a wait for all kernels and copies")),
            false => Ok(()),
        }
    }
}

/// What is known about the queues at a place of the text.
#[derive(Default)]
struct Queues<'a> {
    transfers: Option<&'a Transfers>,
    /// Arrays whose copies to the device are queued, those that kernels wait for, and those of which copies
    /// back know that.
    arriving: BTreeSet<ArrayId>,
    awaited: BTreeSet<ArrayId>,
    settled: BTreeSet<ArrayId>,
    /// Arrays that kernels were given, and those that kernels may write for which copies back do not wait
    /// yet.
    given: BTreeSet<ArrayId>,
    written: BTreeSet<ArrayId>,
    /// Arrays that were copied back.
    gone: BTreeSet<ArrayId>,
    is_back: bool,
    are_running: bool,
    are_leaving: bool,
}

impl Queues<'_> {
    /// Takes an event; what would have to be there if it is wrong.
    fn follow(&mut self, event: &Event, copies: &[Vec<(ArrayId, bool)>]) -> Option<&'static str> {
        match event {
            Event::Memory(part) => {
                let mut copies = copies.get(*part).into_iter().flatten();
                return copies.find_map(|(id, is_in)| self.copied(*id, *is_in));
            }
            Event::Launch { given, written } => {
                if given.iter().any(|id| self.is_copied_in(*id) && !self.awaited.contains(id)) {
                    return Some("a kernel behind a wait for the copies of its arrays");
                }
                if written.iter().any(|id| self.gone.contains(id)) {
                    return Some("a kernel in front of the copies back of what it writes");
                }
                self.given.extend(given);
                self.written.extend(written);
                self.are_running = true;
            }
            Event::KernelsAwaitCopies => self.awaited.extend(&self.arriving),
            Event::CopiesAwaitKernels => self.settle(),
            Event::HostAwaitsKernels => {
                self.settle();
                self.are_running = false;
            }
            Event::HostAwaitsCopies => self.are_leaving = false,
        }
        None
    }

    fn settle(&mut self) {
        self.written.clear();
        self.settled.extend(&self.awaited);
    }

    fn is_copied_in(&self, id: ArrayId) -> bool {
        let planned = self.transfers.and_then(|transfers| transfers.of(id));
        planned.is_some_and(|own| own.copy_in.is_some())
    }

    fn copied(&mut self, id: ArrayId, is_in: bool) -> Option<&'static str> {
        if is_in {
            self.arriving.insert(id);
            let is_late = self.given.contains(&id) || self.gone.contains(&id);
            return is_late.then_some("a copy in front of all kernels that have the array");
        }
        (self.is_back, self.are_leaving) = (true, true);
        self.gone.insert(id);
        let has_values = !self.is_copied_in(id) || self.settled.contains(&id);
        let is_early = self.written.contains(&id) || !has_values;
        is_early.then_some("a copy back behind a wait for the kernels that write the array")
    }
}
