//! Conditions that the first block or thread is meant, for what no loop spreads; and barriers, which all
//! threads reach.
use super::state::KernelLanguage;
use super::words::index_word;
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::AstNode;
use loopwright_presburger::Name;
use loopwright_schedule::{Axis, BarrierMark, GridBarrierMark, LoopKind, LoopMark};

impl<'a> TextWalk<'_, 'a> {
    /// A barrier in front of code, which all threads reach.
    pub(in crate::printed) fn barrier(&mut self, child: &'a AstNode) -> Walked<()> {
        self.barrier_statement()?;
        self.node(child, None)
    }

    pub(super) fn barrier_statement(&mut self) -> Walked<()> {
        let words: &[&str] = match self.device()?.language {
            KernelLanguage::Cuda => &["__syncthreads", "(", ")", ";"],
            KernelLanguage::OpenCl => {
                &["barrier", "(", "CLK_LOCAL_MEM_FENCE", "|", "CLK_GLOBAL_MEM_FENCE", ")", ";"]
            }
        };
        if self.kernel()?.spread.iter().any(|kind| matches!(kind, LoopKind::Thread(_))) {
            return Err(self.cursor.wrong("a barrier that all threads reach"));
        }
        self.waits_for_copies()?;
        self.expect_words(words)
    }

    /// A barrier across blocks in front of code, which all of them reach, and which all run at the same time.
    pub(in crate::printed) fn grid_barrier(&mut self, child: &'a AstNode) -> Walked<()> {
        let kernel = self.kernel()?;
        let (is_reached, runs_together) = (kernel.spread.is_empty(), kernel.runs_together);
        if !is_reached {
            return Err(self.cursor.wrong("a barrier that all blocks reach"));
        }
        if !runs_together {
            return Err(self.cursor.wrong("a launch whose blocks run at the same time"));
        }
        self.waits_for_copies()?;
        self.expect_words(&["lw_grid_barrier", "(", ")", ";"])?;
        self.node(child, None)
    }

    /// The code of a node behind a condition that the first blocks or threads along some axes are meant, if
    /// there is one that is not that of a mark.
    pub(in crate::printed) fn for_the_first(&mut self, node: &'a AstNode) -> Walked<bool> {
        let is_in_kernel = self.device.as_ref().is_some_and(|device| device.kernel.is_some());
        let kinds = self.first_ahead();
        // Below a mark of that axis the condition is about what has no loop there.
        let is_of_mark = kinds.iter().any(|kind| spreads(node, *kind));
        // And where all threads or blocks wait for each other it is about a part of the code.
        let is_of_all = kinds.iter().any(|kind| waits(node, *kind));
        if !is_in_kernel || kinds.is_empty() || is_of_mark || is_of_all {
            return Ok(false);
        }
        let outside = self.kernel()?.spread.clone();
        if outside.iter().any(|around| kinds.contains(around)) {
            return Err(self.cursor.wrong("what is not spread along this axis already"));
        }
        self.cursor.at += 1 + 4 * kinds.len();
        self.expect_words(&[")", "{"])?;
        self.kernel()?.spread.extend(kinds);
        self.node(node, None)?;
        self.cursor.expect("}")?;
        self.kernel()?.spread = outside;
        Ok(true)
    }

    /// The axes along which the condition at the cursor means the first one, if it is such a condition.
    fn first_ahead(&self) -> Vec<LoopKind> {
        let of_axis = |axis| [LoopKind::Block(axis), LoopKind::Thread(axis)];
        let is_here = |at: usize, kind: &LoopKind| {
            index_word(*kind).is_some_and(|word| self.cursor.is_ahead(at, &word))
                && self.cursor.is_ahead(at + 1, "==")
                && self.cursor.is_ahead(at + 2, "0")
        };
        let mut found = Vec::new();
        if !self.cursor.is("if") {
            return found;
        }
        loop {
            let at = 2 + 4 * found.len();
            let mut kinds = Axis::ALL.into_iter().flat_map(of_axis);
            let Some(kind) = kinds.find(|kind| is_here(at, kind)) else { return Vec::new() };
            found.push(kind);
            if !self.cursor.is_ahead(at + 3, "&&") {
                return found;
            }
        }
    }
}

/// Whether there is a loop over an axis in a part of a kernel.
fn spreads(node: &AstNode, kind: LoopKind) -> bool {
    match node {
        AstNode::For(each) => spreads(&each.body, kind),
        AstNode::If { then, otherwise, .. } => {
            spreads(then, kind) || otherwise.as_deref().is_some_and(|node| spreads(node, kind))
        }
        AstNode::Block(children) => children.iter().any(|child| spreads(child, kind)),
        AstNode::Mark { name, child, .. } => {
            LoopMark::parse(name).is_some_and(|mark| mark.kind == kind) || spreads(child, kind)
        }
        AstNode::User { .. } => false,
    }
}

/// Whether all blocks, or all threads of a block, wait for each other in a part of a kernel.
fn waits(node: &AstNode, kind: LoopKind) -> bool {
    let is_thread = matches!(kind, LoopKind::Thread(_));
    let is_barrier = |name: &&Name| {
        GridBarrierMark::parse(name).is_some() || is_thread && BarrierMark::parse(name).is_some()
    };
    node.marks().into_iter().any(|name| is_barrier(&name))
}
