//! Completes the marks of independent loops with the variables that are private to iterations.
use loopwright_dataflow::{Dependences, privatizable_scalars};
use loopwright_presburger::{Budget, Name, Result};
use loopwright_schedule::{LoopMark, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;

/// The tree in which every loop mark names all scalars that may be private to its loop.
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
        let private = privatizable_scalars(self.scop, self.dependences, &times, self.budget)?;
        let names = private.iter().map(|id| self.scop.array(*id).tuple_name.clone()).collect();
        Ok(LoopMark { private: names, ..mark }.to_string().into())
    }
}
