//! What the scheduler of one band gets to see: nodes, and constraints between their coordinates.
//!
//! A node is a statement (with the coordinates of its instances) or a cluster of statements that
//! already share a band (with the members of that band as coordinates).
use crate::Options;
use crate::algebra::echelon::Echelon;
use crate::algebra::farkas::Generators;
use crate::algebra::vectors::{Vector, dot};
use crate::digraph::components::weak_components;
use crate::problem::constraint_kinds::{ConstraintKinds, TagPair};
use crate::problem::distances::without_bounds;
use loopwright_presburger::{Budget, Result};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// A node of a [`BandProblem`].
#[derive(Clone, Debug)]
pub(crate) struct BandNode {
    /// The number of coordinates.
    pub(crate) dim: usize,
    /// The coefficients (of coordinates) of earlier members.
    pub(crate) earlier: Vec<Vector>,
    /// Bounds on the absolute values of the coefficients, against flattened loops.
    pub(crate) bounds: Vec<Option<i64>>,
    /// The extents of coordinates whose distances are not to be bounded by them.
    pub(crate) hidden: Vec<Option<i64>>,
}

impl BandNode {
    /// A node whose coordinates have the given extents.
    pub(crate) fn new(earlier: Vec<Vector>, extents: Vec<Option<i64>>, options: &Options) -> Self {
        let hides = options.treat_coalescing && options.drop_bounds;
        BandNode {
            dim: extents.len(),
            earlier,
            bounds: coefficient_bounds(&extents, options.treat_coalescing),
            hidden: if hides { extents } else { vec![None; extents.len()] },
        }
    }
}

/// The bounds on coefficients that keep a member from flattening two loops into one: a loop of
/// `S + 1` iterations is flattened into another one by a coefficient of about `S` for that one;
/// the bound is half of it, for the shortest of the other loops ("Scheduling for PPCG", (104)).
fn coefficient_bounds(extents: &[Option<i64>], treat_coalescing: bool) -> Vec<Option<i64>> {
    let bound = |coordinate: usize| {
        let others = extents.iter().enumerate().filter(|(other, _)| *other != coordinate);
        others.filter_map(|(_, extent)| *extent).filter(|&e| e > 0).map(|e| e / 2 + e % 2).min()
    };
    (0..extents.len()).map(|c| bound(c).filter(|_| treat_coalescing)).collect()
}

/// A constraint of a [`BandProblem`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BandEdge {
    pub(crate) source: usize,
    pub(crate) sink: usize,
    pub(crate) kinds: ConstraintKinds,
    pub(crate) tags: Option<TagPair>,
    /// Generators of the pairs, over `[1 | params | source | sink]`, or over
    /// `[1 | params | sink - source]` when both ends are the same node.
    pub(crate) generators: Generators,
}

/// Nodes and constraints.
#[derive(Clone, Debug)]
pub(crate) struct BandProblem {
    pub(crate) n_params: usize,
    pub(crate) nodes: Vec<BandNode>,
    pub(crate) edges: Vec<BandEdge>,
}

impl BandEdge {
    /// The distance `sink - source` of a member (one row over `[1 | params | coordinates]` per
    /// node) at a generator.
    pub(crate) fn distance(&self, member: &[Vector], n_params: usize, generator: &[i64]) -> i128 {
        let head = 1 + n_params;
        if self.source == self.sink {
            return dot(&member[self.sink][head..], &generator[head..]);
        }
        let (from, to) = (&member[self.source], &member[self.sink]);
        let split = from.len();
        dot(&to[..head], &generator[..head]) - dot(&from[..head], &generator[..head])
            + dot(&to[head..], &generator[split..])
            - dot(&from[head..], &generator[head..split])
    }

    /// The distances at the generators: of lines first, then of rays.
    fn distances(&self, member: &[Vector], n_params: usize) -> (Vec<i128>, Vec<i128>) {
        let distance = |generator: &Vector| self.distance(member, n_params, generator);
        let lines = self.generators.lines.iter().map(distance).collect();
        (lines, self.generators.rays.iter().map(distance).collect())
    }

    /// Whether every member puts all pairs at the same time: they are pairs of equal coordinates of one
    /// node.
    pub(crate) fn is_always_local(&self, n_params: usize) -> bool {
        let mut all = self.generators.lines.iter().chain(&self.generators.rays);
        self.source == self.sink && all.all(|g| g[1 + n_params..].iter().all(|&entry| entry == 0))
    }

    /// Whether the member puts all pairs at the same time.
    pub(crate) fn is_local(&self, member: &[Vector], n_params: usize) -> bool {
        let (lines, rays) = self.distances(member, n_params);
        lines.iter().chain(&rays).all(|&distance| distance == 0)
    }

    /// Whether the member puts some sink before its source.
    pub(crate) fn is_violated(&self, member: &[Vector], n_params: usize) -> bool {
        let (lines, rays) = self.distances(member, n_params);
        lines.iter().any(|&d| d != 0) || rays.iter().any(|&d| d < 0)
    }
}

/// The constraints of one kind between one pair of nodes, as one set of generators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Group {
    pub(crate) source: usize,
    pub(crate) sink: usize,
    pub(crate) generators: Generators,
}

impl BandProblem {
    /// Turns conditional constraints next to conditions that are apart into unconditional ones.
    pub(crate) fn hold_next_to(&mut self, apart: &[TagPair]) {
        for edge in &mut self.edges {
            edge.kinds = edge.kinds.next_to(edge.tags, apart);
        }
    }

    /// The constraints in terms of members that the nodes share (rows by node), without duplicates.
    pub(crate) fn edges_over_members(&self, members: &[&[Vector]]) -> Result<Vec<BandEdge>> {
        let head = 1 + self.n_params;
        let mut known = FxHashSet::default();
        let mut inner = Vec::new();
        for edge in &self.edges {
            let distances = |generator: &[i64]| {
                let constants = generator[..head].iter().map(|&entry| i128::from(entry));
                let distances =
                    members.iter().map(|rows| edge.distance(rows, self.n_params, generator));
                constants.chain(distances).collect()
            };
            let generators = edge.generators.map(distances)?;
            let edge = BandEdge { source: 0, sink: 0, generators, ..edge.clone() };
            if known.insert(edge.clone()) {
                inner.push(edge);
            }
        }
        Ok(inner)
    }

    /// The convex hulls, per pair of nodes, of the edges that `select` picks, reduced to
    /// irredundant generators. For pairs within one node only `[delta]` (with `only_delta`) or all
    /// of `[1 | params | delta]` is kept.
    pub(crate) fn groups(
        &self,
        select: impl Fn(usize, &BandEdge) -> bool,
        only_delta: bool,
        budget: &Budget,
    ) -> Result<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        let mut known: FxHashMap<(usize, usize), usize> = FxHashMap::default();
        for (_, edge) in self.edges.iter().enumerate().filter(|(i, edge)| select(*i, edge)) {
            let generators = match only_delta {
                true => self.without_constants(edge, budget)?,
                false => edge.generators.clone(),
            };
            match known.entry((edge.source, edge.sink)) {
                Entry::Occupied(group) => groups[*group.get()].generators.unite(&generators),
                Entry::Vacant(place) => {
                    place.insert(groups.len());
                    groups.push(Group { source: edge.source, sink: edge.sink, generators });
                }
            }
        }
        for group in &mut groups {
            group.generators = std::mem::take(&mut group.generators).irredundant(budget)?;
        }
        Ok(groups)
    }

    /// The generators of an edge; within a node with larger distances (see [`without_bounds`]) and
    /// without (that is, with zero) constant and parameters.
    fn without_constants(&self, edge: &BandEdge, budget: &Budget) -> Result<Generators> {
        if edge.source != edge.sink {
            return Ok(edge.generators.clone());
        }
        let head = 1 + self.n_params;
        let clear = |g: &[i64]| {
            g.iter().enumerate().map(|(i, &e)| if i < head { 0 } else { i128::from(e) }).collect()
        };
        self.relaxed(edge, budget)?.map(clear)
    }

    /// The generators of an edge, within a node with larger distances, see [`without_bounds`].
    pub(crate) fn relaxed(&self, edge: &BandEdge, budget: &Budget) -> Result<Generators> {
        let generators = edge.generators.clone();
        if edge.source != edge.sink {
            return Ok(generators);
        }
        without_bounds(generators, self.n_params, &self.nodes[edge.source].hidden, budget)
    }

    /// For each node the first one that coincidence gives the same coefficients: pairs of coordinates
    /// that differ by an affine function of the parameters, and are otherwise arbitrary, have
    /// distance zero only then.
    pub(crate) fn parallel_nodes(&self) -> Result<Vec<usize>> {
        let head = 1 + self.n_params;
        let mut pairs = Vec::new();
        for edge in self.edges.iter().filter(|edge| edge.kinds.any(ConstraintKinds::COINCIDENCE)) {
            let (dim, other) = (self.nodes[edge.source].dim, self.nodes[edge.sink].dim);
            if edge.source == edge.sink || dim != other {
                continue;
            }
            let hull = edge.generators.linear_hull()?;
            let moves = |g: &Vector| g[head..head + dim] == g[head + dim..];
            let directions = hull.iter().filter(|g| g[..head].iter().all(|&entry| entry == 0));
            let directions: Vec<Vector> = directions.filter(|g| moves(g)).cloned().collect();
            if Echelon::of(&directions)?.rank() == dim {
                pairs.push((edge.source, edge.sink));
            }
        }
        let mut first: Vec<usize> = (0..self.nodes.len()).collect();
        for class in weak_components(self.nodes.len(), &pairs) {
            class.iter().for_each(|&node| first[node] = class[0]);
        }
        Ok(first)
    }
}
