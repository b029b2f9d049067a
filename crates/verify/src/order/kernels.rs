//! Marks for a device stand where they mean something, and where no barrier is needed.
//!
//! Every statement has to be in exactly one kernel, since the host runs none. In a kernel, loops over blocks and threads are
//! right inside of each other, outside of all else: what depends on each other then runs on one thread, in the order of
//! the tree, if no such loop carries a dependence. (That is [`check_parallel_loops`].) A sequential loop around a loop over
//! threads, or two of these one after the other, would need barriers between threads.
//!
//! [`check_parallel_loops`]: crate::check_parallel_loops
use crate::verdict::{Proof, Violation};
use loopwright_schedule::{KernelMark, LoopKind, LoopMark, Node, ScheduleTree};

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

fn violation(message: String) -> Violation {
    Violation { message, example: None }
}

fn spread(name: &str) -> Option<LoopKind> {
    LoopMark::parse(name).map(|mark| mark.kind).filter(|kind| kind.is_of_kernel())
}

/// The part of a tree that the host runs.
fn outside(node: &Node, violations: &mut Vec<Violation>) {
    match node {
        Node::Leaf => {
            violations.push(violation("statements stand outside of all kernels".to_string()));
        }
        Node::Mark(name, child) if KernelMark::parse(name).is_some() => {
            in_kernel(child, &mut Vec::new(), violations);
        }
        Node::Mark(name, _) if spread(name).is_some() => {
            violations.push(violation(format!("the mark `{name}` stands outside of all kernels")));
        }
        _ => node.children().iter().for_each(|child| outside(child, violations)),
    }
}

/// The part of a kernel in which loops over blocks and threads may come, after those of `used`.
fn in_kernel(node: &Node, used: &mut Vec<LoopKind>, violations: &mut Vec<Violation>) {
    match node {
        Node::Mark(name, child) => match (spread(name), &**child) {
            (Some(kind), Node::Band(band, below)) if band.n_members() == 1 => {
                if used.contains(&kind) {
                    let message =
                        format!("two loops of a kernel, one in the other, are marked `{name}`");
                    violations.push(violation(message));
                }
                used.push(kind);
                in_kernel(below, used, violations);
            }
            (Some(_), _) => {
                let message =
                    format!("the mark `{name}` does not stand directly above a band of one member");
                violations.push(violation(message));
            }
            (None, _) if KernelMark::parse(name).is_some() => {
                violations.push(violation(format!("the mark `{name}` stands in another kernel")));
            }
            (None, child) => in_kernel(child, used, violations),
        },
        Node::Filter(_, child) | Node::Context(_, child) | Node::Guard(_, child) => {
            in_kernel(child, used, violations);
        }
        _ => sequential(node, violations),
    }
}

/// The part of a kernel that each thread runs on its own.
fn sequential(node: &Node, violations: &mut Vec<Violation>) {
    node.for_each(&mut |below| {
        let Node::Mark(name, _) = below else { return };
        if spread(name).is_some() {
            violations.push(violation(format!(
                "the mark `{name}` stands below a sequential loop or a sequence of its kernel, which \
                 needs barriers between threads: there are none yet"
            )));
        }
        if KernelMark::parse(name).is_some() {
            violations.push(violation(format!("the mark `{name}` stands in another kernel")));
        }
    });
}
