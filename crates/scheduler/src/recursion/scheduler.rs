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
use crate::algebra::echelon::Echelon;
use crate::algebra::vectors::Vector;
use crate::clustering::{Cluster, Crossing, clusters};
use crate::feautrier::cannot_carry;
use crate::graph::Graph;
use crate::graph::components::{strong_components, weak_components};
use crate::graph::dependence::Dependence;
use crate::pluto::{BandMember, PlutoBand, pluto_band};
use crate::problem::band_problem::{BandProblem, ConstraintKinds};
use crate::recursion::fallback::WHOLE;
use crate::recursion::tree;
use crate::{Algorithm, Fuse, Note, Options};
use loopwright_presburger::{Budget, Error, Result, Tuple};
use loopwright_schedule::Node;
use std::cell::Cell;

/// A part of the graph that is to be scheduled below some outer members.
#[derive(Clone, Debug)]
pub(crate) struct Subgraph {
    /// Indices of statements of the graph, ascending.
    pub(crate) statements: Vec<usize>,
    /// The dependences between them that are not carried yet.
    pub(crate) dependences: Vec<Dependence>,
    /// The coefficients of the outer members, for each of the statements.
    pub(crate) earlier: Vec<Vec<Vector>>,
}

pub(crate) struct Scheduler<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) options: &'a Options,
    pub(crate) budget: &'a Budget,
    pub(crate) notes: Vec<Note>,
    /// See [`crate::Scheduled::keeps_apart`].
    pub(crate) keeps_apart: Cell<bool>,
}

impl<'a> Scheduler<'a> {
    pub(crate) fn new(graph: &'a Graph, options: &'a Options, budget: &'a Budget) -> Self {
        Scheduler { graph, options, budget, notes: Vec::new(), keeps_apart: Cell::new(false) }
    }
}

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

    /// Whether the outer members already distinguish all instances of each statement.
    pub(crate) fn is_complete(&self, part: &Subgraph) -> Result<bool> {
        for (&statement, earlier) in part.statements.iter().zip(&part.earlier) {
            let rank = Echelon::of(earlier)?.rank();
            if rank < self.graph.statements[statement].dim() {
                return Ok(false);
            }
        }
        Ok(true)
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

    /// The problem of finding members for a part.
    pub(crate) fn problem(&self, part: &Subgraph) -> Result<BandProblem> {
        let Subgraph { statements, dependences, earlier } = part;
        self.graph.band_problem(statements, dependences, earlier, self.options)
    }

    /// The band of all statements of a part. Without budget for it: no members.
    pub(crate) fn pluto(&mut self, part: &Subgraph) -> Result<PlutoBand> {
        self.pluto_with(part, self.options)
    }

    pub(crate) fn pluto_with(&mut self, part: &Subgraph, options: &Options) -> Result<PlutoBand> {
        let problem = self.problem(part)?;
        let limit = self.budget.part(self.budget.remaining() / 2);
        let band = pluto_band(&problem, options, &limit);
        self.budget.charge(&limit);
        match band {
            Ok(mut band) => {
                for member in &mut band.members {
                    member.rows =
                        self.by_statement(&part.statements, std::mem::take(&mut member.rows));
                }
                Ok(band)
            }
            Err(Error::Exceeded { .. }) => {
                self.note(
                    &part.statements,
                    "no tilable loops were looked for: the work limit was reached",
                );
                Ok(PlutoBand { members: Vec::new(), complete: false })
            }
            Err(error) => Err(error),
        }
    }

    /// Rows per node as rows per statement of the graph (empty for statements without).
    pub(crate) fn by_statement(&self, statements: &[usize], rows: Vec<Vector>) -> Vec<Vector> {
        let mut all = vec![Vector::new(); self.graph.statements.len()];
        for (&statement, row) in statements.iter().zip(rows) {
            all[statement] = row;
        }
        all
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

    /// What is left below a band: dependences that it does not carry.
    ///
    /// Conditional constraints next to a condition that the band separates hold from here on.
    pub(crate) fn below(&self, mut part: Subgraph, members: &[BandMember]) -> Result<Subgraph> {
        let rows: Vec<Vec<Vector>> = members.iter().map(|m| m.rows.clone()).collect();
        part.promote_next_to(|condition| {
            rows.iter().any(|member| !condition.is_local(member, self.graph.n_params))
        });
        let mut rest = Vec::with_capacity(part.dependences.len());
        for dependence in std::mem::take(&mut part.dependences) {
            let (statements, n_params) = (&self.graph.statements, self.graph.n_params);
            rest.extend(dependence.uncarried(&rows, statements, n_params, self.budget)?);
        }
        part.dependences = rest;
        let head = 1 + self.graph.n_params;
        for (&statement, earlier) in part.statements.iter().zip(&mut part.earlier) {
            earlier.extend(rows.iter().map(|member| member[statement][head..].to_vec()));
        }
        Ok(part)
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
        if found.iter().all(|(child, cluster)| child.is_respected(&cluster.members, n_params)) {
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

    pub(crate) fn note(&mut self, statements: &[usize], message: &str) {
        let name = |&s: &usize| {
            let tuple = self.graph.statements[s].space.output();
            tuple.and_then(Tuple::name).map_or_else(String::new, |name| name.to_string())
        };
        let statements = statements.iter().map(name).collect();
        self.notes.push(Note { statements, message: message.to_string() });
    }
}

impl Subgraph {
    /// The dependences that `select` picks, as pairs of positions among the statements.
    pub(crate) fn edges(&self, select: impl Fn(&Dependence) -> bool) -> Vec<(usize, usize)> {
        let picked = self.dependences.iter().filter(|dependence| select(dependence));
        picked.map(|d| (self.position(d.source), self.position(d.sink))).collect()
    }

    /// The same part with only some kinds of dependences.
    pub(crate) fn with_kinds(&self, kinds: ConstraintKinds) -> Subgraph {
        let mut part = self.clone();
        part.dependences.retain_mut(|dependence| {
            dependence.kinds = dependence.kinds.only(kinds);
            !dependence.kinds.is_none()
        });
        part
    }

    fn has_order(&self) -> bool {
        self.dependences.iter().any(|dependence| dependence.kinds.any(ConstraintKinds::ORDER))
    }

    /// The strongly connected components (of positions) with respect to what orders statements.
    pub(crate) fn strong_components(&self) -> Vec<Vec<usize>> {
        strong_components(
            self.statements.len(),
            &self.edges(|d| d.kinds.any(ConstraintKinds::ORDER)),
        )
    }

    /// The components (of positions) that validity puts into an order when the ends of every
    /// condition stay in one component.
    pub(crate) fn components_with_conditions(&self) -> Vec<Vec<usize>> {
        let conditions = self.edges(|d| d.kinds.any(ConstraintKinds::CONDITION));
        let mut edges = self.edges(|d| d.kinds.any(ConstraintKinds::VALIDITY));
        edges.extend(conditions.iter().flat_map(|&(a, b)| [(a, b), (b, a)]));
        strong_components(self.statements.len(), &edges)
    }

    fn position(&self, statement: usize) -> usize {
        self.statements.binary_search(&statement).unwrap_or(0)
    }

    fn positions(&self, statements: &[usize]) -> Vec<usize> {
        statements.iter().map(|&s| self.position(s)).collect()
    }

    /// The parts of some groups (of positions): those dependences that stay within a group.
    ///
    /// Conditions between groups are separated: their conditional neighbours hold from here on.
    pub(crate) fn split(mut self, groups: Vec<Vec<usize>>) -> Vec<Subgraph> {
        let mut group_of = vec![0; self.statements.len()];
        for (group, members) in groups.iter().enumerate() {
            for &member in members {
                group_of[member] = group;
            }
        }
        let positions: Vec<(usize, usize)> = self.edges(|_| true);
        let group: Vec<(usize, usize)> =
            positions.iter().map(|&(a, b)| (group_of[a], group_of[b])).collect();
        let apart: Vec<_> = self
            .dependences
            .iter()
            .zip(&group)
            .filter(|(d, (a, b))| a != b && d.kinds.any(ConstraintKinds::CONDITION))
            .filter_map(|(d, _)| d.tags)
            .collect();
        self.promote(&apart);
        let mut parts: Vec<Subgraph> = groups
            .into_iter()
            .map(|mut members| {
                members.sort_unstable();
                let statements = members.iter().map(|&m| self.statements[m]).collect();
                let earlier = members.iter().map(|&m| self.earlier[m].clone()).collect();
                Subgraph { statements, dependences: Vec::new(), earlier }
            })
            .collect();
        for (dependence, (a, b)) in self.dependences.into_iter().zip(group) {
            if a == b {
                parts[a].dependences.push(dependence);
            }
        }
        parts
    }

    /// Whether no member (with rows by statement) reverses a pair that has to hold.
    fn is_respected(&self, members: &[BandMember], n_params: usize) -> bool {
        let mut hold = self.dependences.iter().filter(|d| d.kinds.any(ConstraintKinds::VALIDITY));
        hold.all(|d| members.iter().all(|m| d.is_respected(&m.rows, n_params)))
    }

    fn promote_next_to(&mut self, is_apart: impl Fn(&Dependence) -> bool) {
        let conditions =
            self.dependences.iter().filter(|d| d.kinds.any(ConstraintKinds::CONDITION));
        let apart: Vec<_> = conditions.filter(|d| is_apart(d)).filter_map(|d| d.tags).collect();
        self.promote(&apart);
    }

    /// Turns conditional constraints next to the given conditions into unconditional ones.
    fn promote(&mut self, apart: &[crate::problem::band_problem::TagPair]) {
        for dependence in &mut self.dependences {
            dependence.kinds = dependence.kinds.next_to(dependence.tags, apart);
        }
    }
}
