//! Completes the marks of independent loops with the variables that are private to iterations.
use loopwright_dataflow::{Dependences, privatizable_variables};
use loopwright_presburger::{Budget, Name, Result};
use loopwright_schedule::{LoopKind, LoopMark, Node, Reaching, ScheduleTree};
use loopwright_scop::{Array, Scop};

/// The tree in which every loop mark names all variables that may be private to its loop.
pub(crate) fn with_private_scalars(
    scop: &Scop,
    dependences: &Dependences,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<ScheduleTree> {
    let completion = Completion { scop, dependences, budget };
    let root = completion.node(&tree.root, &Reaching::root(tree))?;
    Ok(ScheduleTree { domain: tree.domain.clone(), root })
}

struct Completion<'a> {
    scop: &'a Scop,
    dependences: &'a Dependences,
    budget: &'a Budget,
}

impl Completion<'_> {
    fn node(&self, node: &Node, reaching: &Reaching) -> Result<Node> {
        let mut result = node.clone();
        if let Node::Mark(name, child) = &mut result
            && let Some(mark) = LoopMark::parse(name)
            && let Node::Band(band, _) = &**child
        {
            let (first, _) = band.split(1);
            let below = reaching.descend(&Node::band(first, Node::Leaf), 0)?;
            *name = self.mark(mark, &below)?;
        }
        let children = result.children_mut().iter_mut().zip(node.children());
        for ((new, old), below) in children.zip(reaching.below(node)?) {
            *new = self.node(old, &below)?;
        }
        Ok(result)
    }

    fn mark(&self, mark: LoopMark, below: &Reaching) -> Result<Name> {
        let times = below.prefix_schedule()?;
        // Only threads have arrays of their own.
        let wanted = match mark.kind {
            LoopKind::Parallel => Array::may_be_private,
            LoopKind::Block(_) | LoopKind::Thread(_) => Array::may_be_of_a_thread,
            LoopKind::Vector | LoopKind::Pipelined => Array::is_scalar,
        };
        let (scop, budget) = (self.scop, self.budget);
        let private = privatizable_variables(scop, self.dependences, &times, wanted, budget)?;
        let names = private.iter().map(|id| self.scop.array(*id).tuple_name.clone()).collect();
        Ok(LoopMark { private: names, ..mark }.to_string().into())
    }
}
