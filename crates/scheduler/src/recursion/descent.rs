//! The recursion that builds the tree: components, bands, and what they leave to order.
//!
//! For a set of statements ("Scheduling for PPCG", sections 6.2 and 6.5.8):
//! * statements whose members are complete are put into a sequence, as far as possible in their
//!   original order;
//! * weakly connected components are independent: a set node;
//! * for the rest a band is looked for: for all statements together ([`Fuse::Max`]), for each strongly
//!   connected component ([`Fuse::Min`]), or for clusters of them ([`crate::clustering`]);
//! * an empty band means that some dependence has to be carried first: a single
//!   [`crate::feautrier`] member;
//! * dependences that the band carries are dropped, and the rest is treated in the same way below.
use crate::clustering::{Cluster, Crossing, clusters};
use crate::digraph::components::weak_components;
use crate::feautrier::cannot_carry;
use crate::graph::dependence::Dependence;
use crate::graph::subgraph::Subgraph;
use crate::options::{Algorithm, Fuse};
use crate::pluto::{BandMember, PlutoBand};
use crate::problem::constraint_kinds::ConstraintKinds;
use crate::recursion::tree;
use crate::scheduler::{Scheduler, WHOLE};
use loopwright_presburger::Result;
use loopwright_schedule::Node;

impl Scheduler<'_> {
    /// The tree for a part.
    pub(crate) fn schedule(&mut self, part: Subgraph) -> Result<Node> {
        let steps_only = self.options.algorithm == Algorithm::Feautrier;
        let is_outermost = part.earlier.iter().all(Vec::is_empty);
        let orders_points =
            steps_only && self.options.merge_complete && is_outermost && part.has_order();
        if !orders_points && self.is_complete(&part)? {
            return self.order_statements(part);
        }
        let weak = weak_components(part.statements.len(), &part.edges(|_| true));
        if weak.len() > 1 {
            return self.children(part, weak, false);
        }
        if self.options.fuse == Fuse::Min {
            let strong = part.strong_components();
            if strong.len() > 1 {
                return self.children(part, strong, true);
            }
        }
        if steps_only && part.has_order() {
            return self.carry(part);
        }
        if matches!(self.options.fuse, Fuse::Smart | Fuse::Typed) {
            let strong = part.strong_components();
            if strong.len() > 1 {
                return self.clustered(part, strong);
            }
        }
        let band = self.pluto(&part)?;
        self.finish(part, band)
    }

    /// One child per component (of positions in the part).
    pub(crate) fn children(
        &mut self,
        part: Subgraph,
        components: Vec<Vec<usize>>,
        ordered: bool,
    ) -> Result<Node> {
        let mut nodes = Vec::new();
        for child in part.split(components) {
            nodes.push((child.statements.clone(), self.schedule_or_less(child, WHOLE / 2)?));
        }
        tree::children(self.graph, nodes, ordered)
    }

    /// Orders statements whose instances are all distinguished.
    pub(crate) fn order_statements(&mut self, part: Subgraph) -> Result<Node> {
        if self.options.separate_components {
            let weak = weak_components(part.statements.len(), &part.edges(|_| true));
            if weak.len() > 1 {
                return self.children(part, weak, false);
            }
        }
        let order = part.strong_components();
        let on_itself =
            |d: &Dependence| d.source == d.sink && d.kinds.any(ConstraintKinds::VALIDITY);
        if part.dependences.iter().any(on_itself) {
            return Err(cannot_carry());
        }
        if order.len() <= 1 && part.statements.len() <= 1 {
            return Ok(Node::Leaf);
        }
        if order.iter().any(|component| component.len() > 1) {
            // Different instances of two statements want different orders of the statements.
            return match order.len() {
                1 => self.carry(part),
                _ => self.children(part, order, true),
            };
        }
        let statements = order.iter().map(|c| (vec![part.statements[c[0]]], Node::Leaf));
        tree::children(self.graph, statements.collect(), true)
    }

    /// Attaches a band and schedules the rest below; carries something if the band is empty.
    fn finish(&mut self, part: Subgraph, band: PlutoBand) -> Result<Node> {
        if band.members.is_empty() && !band.complete {
            return self.carry(part);
        }
        self.attach_band(part, &band.members)
    }

    /// A permutable band, as a wavefront if the options ask for that.
    fn attach_band(&mut self, part: Subgraph, members: &[BandMember]) -> Result<Node> {
        let is_sequential = members.iter().all(|member| !member.coincident);
        if self.options.wavefront && is_sequential && members.len() > 1 {
            return self.wavefront(part, members);
        }
        self.attach(part, members, true)
    }

    /// A band of the given members over what is left to schedule.
    pub(crate) fn attach(
        &mut self,
        part: Subgraph,
        members: &[BandMember],
        permutable: bool,
    ) -> Result<Node> {
        let statements = part.statements.clone();
        let rest = self.below(part, members)?;
        let child = self.schedule(rest)?;
        Ok(tree::band(self.graph, &statements, members, permutable, child))
    }

    /// Bands for clusters of strongly connected components; without budget, one per component.
    fn clustered(&mut self, part: Subgraph, strong: Vec<Vec<usize>>) -> Result<Node> {
        let found = self.legal_clusters(&part, strong)?;
        let single = found.len() == 1;
        let mut nodes = Vec::new();
        for (child, cluster) in found {
            let statements = child.statements.clone();
            let Cluster { members, complete, .. } = cluster;
            let node = if members.is_empty() && !complete {
                self.schedule_alone(child)?
            } else {
                self.attach_band(child, &members)?
            };
            if single {
                return Ok(node);
            }
            nodes.push((statements, node));
        }
        tree::children(self.graph, nodes, true)
    }

    /// The clusters with their parts. What was merged in the hope that conditions would stay within a
    /// cluster, and reverses conditional constraints next to those that do not, is merged anew.
    fn legal_clusters(
        &mut self,
        part: &Subgraph,
        strong: Vec<Vec<usize>>,
    ) -> Result<Vec<(Subgraph, Cluster)>> {
        let with_parts = |found: Vec<Cluster>| -> Vec<(Subgraph, Cluster)> {
            let positions = found.iter().map(|cluster| part.positions(&cluster.statements));
            part.clone().split(positions.collect()).into_iter().zip(found).collect()
        };
        let found = with_parts(clusters(self, part, strong.clone(), Crossing::Local)?);
        let n_params = self.graph.n_params;
        if found.iter().all(|(child, cluster)| is_respected(child, &cluster.members, n_params)) {
            return Ok(found);
        }
        Ok(with_parts(clusters(self, part, strong, Crossing::Apart)?))
    }

    /// A strongly connected component for which no band was found.
    fn schedule_alone(&mut self, part: Subgraph) -> Result<Node> {
        if self.is_complete(&part)? {
            return self.order_statements(part);
        }
        self.carry(part)
    }
}

/// Whether no member (with rows by statement) reverses a pair that has to hold.
fn is_respected(part: &Subgraph, members: &[BandMember], n_params: usize) -> bool {
    let mut hold = part.dependences.iter().filter(|d| d.kinds.any(ConstraintKinds::VALIDITY));
    hold.all(|d| members.iter().all(|m| d.is_respected(&m.rows, n_params)))
}
