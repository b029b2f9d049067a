//! Marks for a device stand where they mean something.
//!
//! Every statement has to be in exactly one kernel, since the host runs none. In a kernel there may be
//! anything between the loops over blocks and threads, but a loop over blocks is outside of those over
//! threads, and no two loops, one in the other, go along one axis. A barrier is outside of loops over
//! threads, so that all threads of a block reach it together; one across blocks is outside of loops over
//! blocks as well. That there are enough of them is [`check_barriers`], that iterations of a marked loop are
//! independent is [`check_parallel_loops`].
//!
//! [`check_barriers`]: crate::check_barriers
//! [`check_parallel_loops`]: crate::check_parallel_loops
use crate::verdict::{Proof, Violation, violation};
use loopwright_schedule::{
    AsynchronousMark, AtomicMark, Axis, BarrierMark, GridBarrierMark, KernelMark, LocalMark,
    LoopKind, LoopMark, MatrixMark, MemorySpace, Node, ScheduleTree, ShuffleMark, VectorCopyMark,
};

/// Checks the marks of a tree whose statements all run on a device.
///
/// *Exactness.* Exact about the marks. *Cost.* Linear in the nodes.
///
/// ```
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_verify::check_kernels;
/// let tree = |marks: &str| {
///     let band = "schedule: '[{ S[i] -> [(i)] }]'";
///     ScheduleTree::parse(&format!("{{ domain: '{{ S[i] : 0 <= i < 9 }}', child: {{ {marks} {band} }} }} }}"))
/// };
/// assert!(check_kernels(&tree("mark: 'kernel(k)', child: {")?).is_proved());
/// assert!(!check_kernels(&tree("mark: 'thread(x)', child: {")?).is_proved());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn check_kernels(tree: &ScheduleTree) -> Proof {
    let mut violations = Vec::new();
    outside(&tree.root, &mut violations);
    match violations.is_empty() {
        true => Proof::Proved,
        false => Proof::Refuted(violations),
    }
}

/// What a mark is spread over: blocks or threads along an axis.
pub(super) fn spread(name: &str) -> Option<LoopKind> {
    LoopMark::parse(name).map(|mark| mark.kind).filter(|kind| kind.is_of_kernel())
}

/// Whether a mark is a barrier, of a block or of all blocks.
pub(super) fn is_barrier(name: &str) -> bool {
    BarrierMark::parse(name).is_some() || GridBarrierMark::parse(name).is_some()
}

/// Whether a mark says what a block does, besides its loops.
fn is_of_block(name: &str) -> bool {
    is_barrier(name)
        || AsynchronousMark::parse(name).is_some()
        || ShuffleMark::parse(name).is_some()
        || AtomicMark::parse(name).is_some()
        || MatrixMark::parse(name).is_some()
        || VectorCopyMark::parse(name).is_some()
}

fn is_thread(kind: &LoopKind) -> bool {
    matches!(kind, LoopKind::Thread(_))
}

/// The part of a tree that the host runs.
fn outside(node: &Node, violations: &mut Vec<Violation>) {
    match node {
        Node::Leaf => {
            violations.push(violation("statements stand outside of all kernels".to_string()));
        }
        Node::Mark(name, child) if KernelMark::parse(name).is_some() => {
            in_kernel(child, &[], violations);
        }
        Node::Mark(name, _) if spread(name).is_some() || is_of_block(name) => {
            violations.push(violation(format!("the mark `{name}` stands outside of all kernels")));
        }
        _ => node.children().iter().for_each(|child| outside(child, violations)),
    }
}

/// A part of a kernel; `around` are the loops over blocks and threads that it is in.
fn in_kernel(node: &Node, around: &[LoopKind], violations: &mut Vec<Violation>) {
    let Node::Mark(name, child) = node else {
        return node.children().iter().for_each(|child| in_kernel(child, around, violations));
    };
    if KernelMark::parse(name).is_some() {
        violations.push(violation(format!("the mark `{name}` stands in another kernel")));
    }
    if BarrierMark::parse(name).is_some() && around.iter().any(is_thread) {
        let message = "a barrier stands in a loop over threads, which do not all reach it";
        violations.push(violation(message.to_string()));
    }
    if GridBarrierMark::parse(name).is_some() && !around.is_empty() {
        let message = "a barrier across blocks stands in a loop over blocks or threads, which do not all reach it";
        violations.push(violation(message.to_string()));
    }
    let is_in_warp =
        [Axis::X, Axis::Y].iter().all(|axis| around.contains(&LoopKind::Thread(*axis)));
    if MatrixMark::parse(name).is_some() && !is_in_warp {
        let message = format!("the mark `{name}` stands in no loops over threads along x and y");
        violations.push(violation(message));
    }
    if let Some(LocalMark { array, space }) = LocalMark::parse(name) {
        let is_in_thread = around.iter().any(is_thread);
        let wrong = match space {
            MemorySpace::Local => Some("is in no memory of the device"),
            MemorySpace::Shared if is_in_thread => {
                Some("is shared by threads, in a loop over them")
            }
            MemorySpace::Shared | MemorySpace::Registers => None,
        };
        violations.extend(wrong.map(|wrong| violation(format!("the array `{array}` {wrong}"))));
    }
    let is_of_loop = spread(name).is_some() || VectorCopyMark::parse(name).is_some();
    if is_of_loop && !matches!(&**child, Node::Band(band, _) if band.n_members() == 1) {
        let message =
            format!("the mark `{name}` does not stand directly above a band of one member");
        violations.push(violation(message));
    }
    let Some(kind) = spread(name) else { return in_kernel(child, around, violations) };
    if around.contains(&kind) {
        let message = format!("two loops of a kernel, one in the other, are marked `{name}`");
        violations.push(violation(message));
    }
    if !is_thread(&kind) && around.iter().any(is_thread) {
        let message = format!("the mark `{name}` stands in a loop over threads");
        violations.push(violation(message));
    }
    let around: Vec<LoopKind> = around.iter().copied().chain([kind]).collect();
    in_kernel(child, &around, violations);
}
