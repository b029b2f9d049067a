//! The tree of a kernel whose blocks walk.
use super::super::copies::Run;
use super::super::kernel::{
    PromotedKernel, after_barrier, declared, filter_of, member_of, spread_over,
};
use super::statements::{Stream, Walk};
use loopwright_presburger::{Aff, Result};
use loopwright_schedule::{AsynchronousMark, Axis, LoopKind, Node};
use loopwright_scop::Scop;

impl Walk<'_> {
    /// Blocks, the steps of their walk, and what their threads do in each of them: copies, then moves and the
    /// statement.
    pub(super) fn kernel(
        &self,
        scop: &Scop,
        streams: &[Stream],
        is_asynchronous: impl Fn(&Run) -> bool,
    ) -> Result<PromotedKernel> {
        let own = self.run();
        let fills: Vec<&Run> = streams.iter().filter_map(|stream| stream.fill.as_ref()).collect();
        let moves = streams.iter().flat_map(|stream| &stream.moves);
        let work: Vec<&Run> = moves.chain([&own]).collect();
        let all: Vec<&Run> = fills.iter().chain(&work).copied().collect();
        let of = |runs: &[&Run], value: &dyn Fn(&Run) -> Aff| member_of(runs, value);
        let threads = |runs: &[&Run], below: Node| {
            let axes = Axis::ALL[..own.threads.len()].iter().enumerate();
            axes.fold(below, |below, (at, axis)| {
                let member = own.threads.len() - 1 - at;
                let band = of(runs, &|run| run.threads[member].clone());
                spread_over(LoopKind::Thread(*axis), band, below)
            })
        };
        let mut parts = Vec::new();
        for fill in &fills {
            let copies = threads(&[fill], Node::Leaf);
            let copies = match is_asynchronous(fill) {
                true => Node::mark(&AsynchronousMark.to_string(), copies),
                false => copies,
            };
            parts.push((filter_of(&[fill]), copies));
        }
        let leaves = work.iter().map(|run| (filter_of(&[run]), Node::Leaf));
        let leaves = match work.len() {
            1 => Node::Leaf,
            _ => Node::sequence(leaves.collect::<Vec<_>>()),
        };
        let computes = threads(&work, leaves);
        let below = match parts.is_empty() {
            true => computes,
            false => {
                parts.push((filter_of(&work), computes));
                after_barrier(Node::sequence(parts))
            }
        };
        let mut node = Node::band(of(&all, &|run| run.loops[0].clone()), below);
        for (space, cells) in streams.iter().flat_map(|stream| &stream.arrays) {
            node = declared(scop, (*space, *cells), node);
        }
        let n = own.blocks.len();
        let node = Axis::ALL[..n].iter().enumerate().fold(node, |below, (at, axis)| {
            let band = of(&all, &|run| run.blocks[n - 1 - at].clone());
            spread_over(LoopKind::Block(*axis), band, below)
        });
        let threads = self.threads.iter().rev().copied().collect();
        Ok(PromotedKernel { node, threads })
    }
}
