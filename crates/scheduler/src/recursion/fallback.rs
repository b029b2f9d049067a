//! What happens when the work limit is reached, or when nothing is found: less is tried, down to the
//! loops as they are.
//!
//! If nothing is found because dependences are seen as rational relations, they are cut into pieces
//! with the integer bounds of their distances ([`crate::graph::integer_distances`]).
//!
//! Every component gets a share of what is left. When the share does not suffice, the strongly connected
//! components of the component are scheduled one by one; when that does not suffice either, the
//! loops of the statements are taken in the order of their dimensions, each as a band of its own
//! where validity allows it, with the statements put in sequence as their remaining dependences
//! want (Allen and Kennedy, "Automatic translation of Fortran programs to vector form", 1987). That
//! solves no linear problem.
use crate::algebra::vectors::Vector;
use crate::feautrier::cannot_carry;
use crate::graph::subgraph::Subgraph;
use crate::pluto::BandMember;
use crate::problem::constraint_kinds::ConstraintKinds;
use crate::scheduler::{Scheduler, WHOLE};
use crate::{Fuse, Options};
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::Node;

/// What projections of dependences may cost when the loops are taken as they are.
const LAST_RESORT: u64 = 1 << 26;

impl Scheduler<'_> {
    /// The tree for a part, within `parts` of [`WHOLE`] of the work that is left.
    pub(crate) fn schedule_or_less(&mut self, part: Subgraph, parts: u64) -> Result<Node> {
        let whole = part.clone();
        let mut reason = match self.within(parts, *self.options, part) {
            Err(error) => error,
            found => return found,
        };
        if reason == cannot_carry()
            && let Ok(integral) = whole.with_integer_distances(self.graph, self.budget)
            && let Ok(node) = self.within(parts, *self.options, integral)
        {
            return Ok(node);
        }
        let fewer = Options { fuse: Fuse::Min, outer_coincidence: false, ..*self.options };
        if whole.strong_components().len() > 1 && self.options.fuse != Fuse::Min {
            self.note(&whole.statements, &format!("loops were not fused ({reason})"));
            match self.within(parts, fewer, whole.clone()) {
                Err(error) => reason = error,
                found => return found,
            }
        }
        let (graph, options) = (self.graph, self.options);
        let budget = &Budget::steps(LAST_RESORT);
        let statements = whole.statements.clone();
        let mut scheduler = Scheduler::new(graph, options, budget);
        let Ok(node) = scheduler.loops_as_they_are(whole, 0) else { return Err(reason) };
        self.note(&statements, &format!("the loops were left as they are ({reason})"));
        Ok(node)
    }

    fn within(&mut self, parts: u64, options: Options, part: Subgraph) -> Result<Node> {
        let limit = self.budget.part(self.budget.remaining() / WHOLE * parts);
        let (graph, options, budget) = (self.graph, &options, &limit);
        let mut scheduler = Scheduler::new(graph, options, budget);
        let node = scheduler.schedule(part);
        let (notes, keeps_apart) = (scheduler.notes, scheduler.keeps_apart.get());
        self.budget.charge(&limit);
        if node.is_ok() {
            self.notes.extend(notes);
            self.keeps_apart.set(self.keeps_apart.get() || keeps_apart);
        }
        node
    }

    /// The loops from a dimension on.
    fn loops_as_they_are(&mut self, part: Subgraph, from: usize) -> Result<Node> {
        if self.is_complete(&part)? {
            return self.order_statements(part);
        }
        let strong = part.strong_components();
        if strong.len() > 1 {
            let mut nodes = Vec::new();
            for child in part.split(strong) {
                let statements = child.statements.clone();
                nodes.push((statements, self.loops_as_they_are(child, from)?));
            }
            return crate::recursion::tree::children(self.graph, nodes, true);
        }
        let member = self.dimension(&part, from)?;
        if !self.respects_validity(&part, &member) {
            return Err(cannot_carry());
        }
        let statements = part.statements.clone();
        let below = self.below(part, std::slice::from_ref(&member))?;
        let child = self.loops_as_they_are(below, from + 1)?;
        Ok(crate::recursion::tree::band(self.graph, &statements, &[member], false, child))
    }

    /// The member that is one dimension of every statement, or zero where there is none.
    pub(crate) fn dimension(&self, part: &Subgraph, dim: usize) -> Result<BandMember> {
        let rows: Result<Vec<Vector>> =
            part.statements.iter().map(|&s| self.graph.statements[s].dimension(dim)).collect();
        let rows = self.by_statement(&part.statements, rows?);
        Ok(BandMember { rows, coincident: false })
    }

    pub(crate) fn respects_validity(&self, part: &Subgraph, member: &BandMember) -> bool {
        let mut ordered = part.dependences.iter().filter(|d| d.kinds.any(ConstraintKinds::ORDER));
        ordered.all(|d| d.is_respected(&member.rows, self.graph.n_params))
    }
}
