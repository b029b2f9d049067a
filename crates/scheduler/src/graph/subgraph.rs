//! A part of the dependence graph that is scheduled below some outer members.
use crate::algebra::vectors::Vector;
use crate::digraph::components::strong_components;
use crate::graph::dependence::Dependence;
use crate::problem::constraint_kinds::{ConstraintKinds, TagPair};

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

    pub(crate) fn has_order(&self) -> bool {
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

    pub(crate) fn positions(&self, statements: &[usize]) -> Vec<usize> {
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

    pub(crate) fn promote_next_to(&mut self, is_apart: impl Fn(&Dependence) -> bool) {
        let conditions =
            self.dependences.iter().filter(|d| d.kinds.any(ConstraintKinds::CONDITION));
        let apart: Vec<_> = conditions.filter(|d| is_apart(d)).filter_map(|d| d.tags).collect();
        self.promote(&apart);
    }

    /// Turns conditional constraints next to the given conditions into unconditional ones.
    fn promote(&mut self, apart: &[TagPair]) {
        for dependence in &mut self.dependences {
            dependence.kinds = dependence.kinds.next_to(dependence.tags, apart);
        }
    }
}
