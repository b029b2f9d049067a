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
use crate::band_problem::{Group, Kinds};
use crate::clustering::{Cluster, clusters};
use crate::components::{strong_components, weak_components};
use crate::dependence::Dependence;
use crate::feautrier::{cannot_carry, feautrier_member};
use crate::graph::Graph;
use crate::linear::Echelon;
use crate::pluto::{BandMember, PlutoBand, pluto_band};
use crate::vectors::Vector;
use crate::{Algorithm, Fuse, Note, Options, tree};
use loopwright_presburger::{Budget, Error, Result, Tuple};
use loopwright_schedule::Node;

/// A part of the graph that is to be scheduled below some outer members.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// Indices of statements of the graph, ascending.
    pub(crate) statements: Vec<usize>,
    /// The dependences between them that are not carried yet.
    pub(crate) dependences: Vec<Dependence>,
    /// The coefficients of the outer members, for every statement of the graph.
    pub(crate) earlier: Vec<Vec<Vector>>,
}

pub(crate) struct Scheduler<'a> {
    pub(crate) graph: &'a Graph,
    pub(crate) options: &'a Options,
    pub(crate) budget: &'a Budget,
    pub(crate) notes: Vec<Note>,
}

impl Scheduler<'_> {
    /// The tree for a part.
    pub(crate) fn schedule(&mut self, part: Part) -> Result<Node> {
        if self.is_complete(&part)? {
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
        if self.options.algorithm == Algorithm::Feautrier && part.has_order() {
            return self.carry(part);
        }
        if self.options.fuse == Fuse::Smart {
            let strong = part.strong_components();
            if strong.len() > 1 {
                return self.clustered(part, strong);
            }
        }
        let band = self.pluto(&part)?;
        self.finish(part, band)
    }

    /// One child per component (of positions in the part).
    fn children(&mut self, part: Part, components: Vec<Vec<usize>>, ordered: bool) -> Result<Node> {
        let mut nodes = Vec::new();
        for child in part.split(components) {
            nodes.push((child.statements.clone(), self.schedule(child)?));
        }
        tree::children(self.graph, nodes, ordered)
    }

    /// Whether the outer members already distinguish all instances of each statement.
    fn is_complete(&self, part: &Part) -> Result<bool> {
        for &statement in &part.statements {
            let rank = Echelon::of(&part.earlier[statement])?.rank();
            if rank < self.graph.statements[statement].dim() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Orders statements whose instances are all distinguished.
    fn order_statements(&mut self, part: Part) -> Result<Node> {
        let order = part.strong_components();
        let on_itself = |d: &Dependence| d.source == d.sink && d.kinds.any(Kinds::VALIDITY);
        if order.iter().any(|component| component.len() > 1)
            || part.dependences.iter().any(on_itself)
        {
            return Err(cannot_carry());
        }
        if order.len() <= 1 {
            return Ok(Node::Leaf);
        }
        let statements = order.iter().map(|c| (vec![part.statements[c[0]]], Node::Leaf));
        tree::children(self.graph, statements.collect(), true)
    }

    /// The band of all statements of a part. Without budget for it: no members.
    pub(crate) fn pluto(&mut self, part: &Part) -> Result<PlutoBand> {
        self.pluto_with(part, self.options)
    }

    fn pluto_with(&mut self, part: &Part, options: &Options) -> Result<PlutoBand> {
        let problem = self.graph.band_problem(
            &part.statements,
            &part.dependences,
            &part.earlier,
            self.options.treat_coalescing,
        )?;
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
    fn finish(&mut self, part: Part, band: PlutoBand) -> Result<Node> {
        if band.members.is_empty() && !band.complete {
            return self.carry(part);
        }
        self.attach(part, &band.members, true)
    }

    /// A band of the given members over what is left to schedule.
    fn attach(&mut self, part: Part, members: &[BandMember], permutable: bool) -> Result<Node> {
        let statements = part.statements.clone();
        let rest = self.below(part, members)?;
        let child = self.schedule(rest)?;
        Ok(tree::band(self.graph, &statements, members, permutable, child))
    }

    /// What is left below a band: dependences that it does not carry.
    ///
    /// Conditional constraints next to a condition that the band separates hold from here on.
    fn below(&self, mut part: Part, members: &[BandMember]) -> Result<Part> {
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
        for &statement in &part.statements {
            let head = 1 + self.graph.n_params;
            let coefficients = rows.iter().map(|member| member[statement][head..].to_vec());
            part.earlier[statement].extend(coefficients);
        }
        Ok(part)
    }

    /// A single member that carries as much as possible.
    fn carry(&mut self, part: Part) -> Result<Node> {
        let with_coincidence =
            self.options.algorithm == Algorithm::Pluto && self.options.outer_coincidence;
        let mut member = None;
        if with_coincidence {
            member = self.carrying_member(&part, Kinds::ORDER.and(Kinds::COINCIDENCE))?;
        }
        if member.is_none() {
            member = self.carrying_member(&part, Kinds::ORDER)?;
        }
        let Some(rows) = member else { return self.without_preferences(part) };
        let rows = self.by_statement(&part.statements, rows);
        self.attach(part, &[BandMember { rows, coincident: false }], false)
    }

    /// The band of a part in which nothing can be carried, as long as validity allows one:
    /// coincidence is not insisted on, and proximity is given up if there is no bound on distances.
    fn without_preferences(&mut self, part: Part) -> Result<Node> {
        let options = Options { outer_coincidence: false, ..*self.options };
        for keep_proximity in [true, false] {
            let mut relaxed = part.clone();
            relaxed.dependences.retain(|d| keep_proximity || !d.kinds.is_only(Kinds::PROXIMITY));
            let band = self.pluto_with(&relaxed, &options)?;
            if !band.members.is_empty() {
                return self.attach(part, &band.members, true);
            }
        }
        Err(cannot_carry())
    }

    fn carrying_member(&self, part: &Part, kinds: Kinds) -> Result<Option<Vec<Vector>>> {
        let problem = self.graph.band_problem(
            &part.statements,
            &part.dependences,
            &part.earlier,
            self.options.treat_coalescing,
        )?;
        let mut groups: Vec<Group> = Vec::new();
        for edge in problem.edges.iter().filter(|edge| edge.kinds.any(kinds)) {
            let same = |g: &Group| {
                (g.source, g.sink) == (edge.source, edge.sink) && g.generators == edge.generators
            };
            if !groups.iter().any(same) {
                let generators = edge.generators.clone();
                groups.push(Group { source: edge.source, sink: edge.sink, generators });
            }
        }
        feautrier_member(&problem, &groups, self.options, self.budget)
    }

    /// Bands for clusters of strongly connected components; without budget, one per component.
    fn clustered(&mut self, part: Part, strong: Vec<Vec<usize>>) -> Result<Node> {
        let found = match clusters(self, &part, strong.clone()) {
            Ok(found) => found,
            Err(Error::Exceeded { .. }) => {
                self.note(&part.statements, "loops were not fused: the work limit was reached");
                return self.children(part, strong, true);
            }
            Err(error) => return Err(error),
        };
        let positions = found.iter().map(|cluster| part.positions(&cluster.statements)).collect();
        let single = found.len() == 1;
        let mut nodes = Vec::new();
        for (child, cluster) in part.split(positions).into_iter().zip(found) {
            let statements = child.statements.clone();
            let Cluster { members, complete, .. } = cluster;
            let node = if members.is_empty() && !complete {
                self.schedule_alone(child)?
            } else {
                self.attach(child, &members, true)?
            };
            if single {
                return Ok(node);
            }
            nodes.push((statements, node));
        }
        tree::children(self.graph, nodes, true)
    }

    /// A strongly connected component for which no band was found.
    fn schedule_alone(&mut self, part: Part) -> Result<Node> {
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

impl Part {
    /// The dependences that `select` picks, as pairs of positions among the statements.
    pub(crate) fn edges(&self, select: impl Fn(&Dependence) -> bool) -> Vec<(usize, usize)> {
        let picked = self.dependences.iter().filter(|dependence| select(dependence));
        picked.map(|d| (self.position(d.source), self.position(d.sink))).collect()
    }

    fn has_order(&self) -> bool {
        self.dependences.iter().any(|dependence| dependence.kinds.any(Kinds::ORDER))
    }

    /// The strongly connected components (of positions) with respect to what orders statements.
    pub(crate) fn strong_components(&self) -> Vec<Vec<usize>> {
        strong_components(self.statements.len(), &self.edges(|d| d.kinds.any(Kinds::ORDER)))
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
    pub(crate) fn split(mut self, groups: Vec<Vec<usize>>) -> Vec<Part> {
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
            .filter(|(d, (a, b))| a != b && d.kinds.any(Kinds::CONDITION))
            .filter_map(|(d, _)| d.tags)
            .collect();
        self.promote(&apart);
        let mut parts: Vec<Part> = groups
            .into_iter()
            .map(|mut members| {
                members.sort_unstable();
                let statements = members.iter().map(|&m| self.statements[m]).collect();
                Part { statements, dependences: Vec::new(), earlier: self.earlier.clone() }
            })
            .collect();
        for (dependence, (a, b)) in self.dependences.into_iter().zip(group) {
            if a == b {
                parts[a].dependences.push(dependence);
            }
        }
        parts
    }

    fn promote_next_to(&mut self, is_apart: impl Fn(&Dependence) -> bool) {
        let conditions = self.dependences.iter().filter(|d| d.kinds.any(Kinds::CONDITION));
        let apart: Vec<_> = conditions.filter(|d| is_apart(d)).filter_map(|d| d.tags).collect();
        self.promote(&apart);
    }

    /// Turns conditional constraints next to the given conditions into unconditional ones.
    fn promote(&mut self, apart: &[crate::band_problem::TagPair]) {
        for dependence in &mut self.dependences {
            let Some(tags) = dependence.tags else { continue };
            if dependence.kinds.any(Kinds::CONDITIONAL_VALIDITY)
                && apart.iter().any(|condition| condition.is_adjacent(tags))
            {
                dependence.kinds = dependence.kinds.and(Kinds::VALIDITY);
            }
        }
    }
}
