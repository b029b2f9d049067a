//! Incremental fusion of strongly connected components.
//!
//! Each strongly connected component gets a band of its own. Then pairs of clusters that a
//! proximity constraint connects are merged, the most promising pair first ("Scheduling for PPCG",
//! section 6.6): a band over the *members* of both bands is looked for, so that the problem only
//! has as many nodes as there are clusters to merge. The result is accepted if
//! * it has members, and not fewer (coincident) members than any of the merged clusters (when the
//!   options ask for that);
//! * at least one proximity constraint between the clusters is satisfied completely: its distance
//!   is at most [`NEAR`] in every member. In as many members as the constraint leaves dimensions
//!   of the statements unrelated, any distance will do if one end is constant there; merges
//!   that need this exception are tried last.
use crate::Fuse;
use crate::algebra::echelon::Echelon;
use crate::algebra::vectors::{Vector, dot};
use crate::digraph::components::strong_components;
use crate::digraph::paths::{Neighbours, nodes_of_paths};
use crate::graph::dependence::Dependence;
use crate::graph::subgraph::Subgraph;
use crate::pluto::{BandMember, pluto_band};
use crate::problem::band_problem::{BandEdge, BandNode, BandProblem};
use crate::problem::constraint_kinds::{ConstraintKinds, TagPair};
use crate::problem::schedule_variables::MAX_COEFFICIENT;
use crate::scheduler::Scheduler;
use loopwright_presburger::Result;
use rustc_hash::FxHashSet;

/// The largest distance that counts as near.
const NEAR: i128 = 2;

/// Statements that share a band.
#[derive(Clone, Debug)]
pub(crate) struct Cluster {
    /// Indices of statements of the graph, ascending.
    pub(crate) statements: Vec<usize>,
    /// The members; rows are indexed by the statements of the graph.
    pub(crate) members: Vec<BandMember>,
    /// Whether the members distinguish all instances.
    pub(crate) complete: bool,
    /// The constraints within the cluster in terms of its members, without duplicates.
    inner: Vec<BandEdge>,
}

impl Cluster {
    fn n_coincident(&self) -> usize {
        self.members.iter().filter(|member| member.coincident).count()
    }

    /// 1 if the outermost member is coincident.
    fn n_outer_coincident(&self) -> usize {
        self.members.first().map_or(0, |member| usize::from(member.coincident))
    }

    fn is_eligible(&self) -> bool {
        !self.members.is_empty() || self.complete
    }
}

/// What is expected of conditions between clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// Their ends will come together in the end, or nothing depends on it.
    Local,
    /// Their ends will be apart: conditional constraints next to them have to hold.
    Apart,
}

/// The final clusters in topological order.
pub(crate) fn clusters(
    scheduler: &mut Scheduler<'_>,
    part: &Subgraph,
    strong: Vec<Vec<usize>>,
    crossing: Crossing,
) -> Result<Vec<Cluster>> {
    let mut clusters = Vec::new();
    for child in part.clone().split(strong) {
        let band = scheduler.pluto(&child)?;
        let (members, complete) = (band.members, band.complete);
        let inner = Vec::new();
        clusters.push(Cluster { statements: child.statements, members, complete, inner });
    }
    let mut merging = Merging::new(scheduler, part, clusters, crossing)?;
    merging.merge_all(false)?;
    merging.rejected.clear();
    merging.merge_all(true)?;
    Ok(merging.in_order())
}

struct Merging<'s, 'a> {
    scheduler: &'s Scheduler<'a>,
    clusters: Vec<Cluster>,
    /// The cluster of each statement of the graph.
    cluster_of: Vec<usize>,
    /// The dependences between different clusters.
    between: Vec<&'s Dependence>,
    /// What has to come next to each statement.
    order: Neighbours,
    /// The pairs of statements with proximity constraints, most promising first.
    candidates: Vec<(usize, usize)>,
    /// Pairs of statements whose proximity was not worth a merge.
    rejected: FxHashSet<(usize, usize)>,
    crossing: Crossing,
}

impl<'s, 'a> Merging<'s, 'a> {
    fn new(
        scheduler: &'s Scheduler<'a>,
        part: &'s Subgraph,
        clusters: Vec<Cluster>,
        crossing: Crossing,
    ) -> Result<Merging<'s, 'a>> {
        let n_statements = scheduler.graph.statements.len();
        let mut merging = Merging {
            scheduler,
            clusters,
            cluster_of: vec![0; n_statements],
            between: Vec::new(),
            order: Neighbours::new(n_statements),
            candidates: Vec::new(),
            rejected: FxHashSet::default(),
            crossing,
        };
        merging.index();
        let mut inner: Vec<FxHashSet<BandEdge>> =
            vec![FxHashSet::default(); merging.clusters.len()];
        for dependence in &part.dependences {
            let (a, b) = merging.ends(dependence);
            if a != b {
                merging.between.push(dependence);
                if dependence.kinds.any(ConstraintKinds::ORDER) {
                    merging.order.add(dependence.source, dependence.sink);
                }
                continue;
            }
            let edge = merging.edge(dependence, (0, 0), (a, b))?;
            if inner[a].insert(edge.clone()) {
                merging.clusters[a].inner.push(edge);
            }
        }
        merging.candidates = merging.candidates_by_weight()?;
        Ok(merging)
    }

    /// Notes the cluster of each statement.
    fn index(&mut self) {
        for (index, cluster) in self.clusters.iter().enumerate() {
            for &statement in &cluster.statements {
                self.cluster_of[statement] = index;
            }
        }
    }

    /// The clusters at both ends.
    fn ends(&self, dependence: &Dependence) -> (usize, usize) {
        (self.cluster_of[dependence.source], self.cluster_of[dependence.sink])
    }

    fn merge_all(&mut self, allow_far: bool) -> Result<()> {
        while self.clusters.len() > 1 {
            let Some(pair) = self.best_pair() else { return Ok(()) };
            let merged = self.merge_set(pair);
            let band = match &merged {
                Some(set) => self.merged_band(set, allow_far)?,
                None => None,
            };
            match (merged, band) {
                (Some(set), Some(cluster)) => self.replace(&set, cluster),
                _ => drop(self.rejected.insert(pair)),
            }
        }
        Ok(())
    }

    /// The pairs of statements with proximity constraints by falling weight; among equals those
    /// come first that are closest to each other.
    fn candidates_by_weight(&self) -> Result<Vec<(usize, usize)>> {
        let mut weights: Vec<((usize, usize), (usize, usize))> = Vec::new();
        for dependence in self.between.iter().filter(|d| d.kinds.any(ConstraintKinds::PROXIMITY)) {
            let pair = (dependence.source, dependence.sink);
            let weight = usize::MAX - self.weight(dependence)?;
            weights.push(((weight, pair.0.abs_diff(pair.1)), pair));
        }
        weights.sort_by_key(|&(score, _)| score);
        let mut known = FxHashSet::default();
        Ok(weights.into_iter().map(|(_, pair)| pair).filter(|&pair| known.insert(pair)).collect())
    }

    /// The most promising pair of statements in different clusters that may share a band.
    fn best_pair(&self) -> Option<(usize, usize)> {
        let is_open = |&&(source, sink): &&(usize, usize)| {
            let (a, b) = (self.cluster_of[source], self.cluster_of[sink]);
            let (from, to) = (&self.clusters[a], &self.clusters[b]);
            from.is_eligible()
                && to.is_eligible()
                && self.may_meet(a, b)
                && !self.rejected.contains(&(source, sink))
        };
        self.candidates.iter().find(is_open).copied()
    }

    /// Whether the options let two clusters share a band: only with an option if one has loops and
    /// the other has none.
    fn may_meet(&self, a: usize, b: usize) -> bool {
        let has_loops = |c: usize| !self.clusters[c].members.is_empty();
        has_loops(a) == has_loops(b) || self.scheduler.options.merge_complete
    }

    /// The number of independent equalities that relate the coordinates of both ends.
    fn weight(&self, dependence: &Dependence) -> Result<usize> {
        let statements = &self.scheduler.graph.statements;
        let head = 1 + self.scheduler.graph.n_params;
        let split = head + statements[dependence.source].dim();
        let end = split + statements[dependence.sink].dim();
        let hull = Echelon::of(&dependence.generators.linear_hull()?)?;
        let equalities = hull.null_space(end)?;
        let rank = |range: std::ops::Range<usize>| -> Result<usize> {
            let rows: Vec<Vector> =
                equalities.iter().map(|row| row[range.clone()].to_vec()).collect();
            Ok(Echelon::of(&rows)?.rank())
        };
        Ok(rank(head..split)? + rank(split..end)? - rank(head..end)?)
    }

    /// All clusters that have to be merged when the clusters of two statements are: those on
    /// paths between them. None if one of them cannot take part.
    fn merge_set(&self, pair: (usize, usize)) -> Option<Vec<usize>> {
        let (a, b) = (self.cluster_of[pair.0], self.cluster_of[pair.1]);
        let next = |cluster| self.neighbours(cluster, &self.order.after);
        let previous = |cluster| self.neighbours(cluster, &self.order.before);
        let set = nodes_of_paths(a, b, next, previous);
        if !set.iter().all(|&c| self.clusters[c].is_eligible() && self.may_meet(a, c)) {
            return None;
        }
        let already_rejected = self.rejected.iter().any(|&(s, t)| {
            let (s, t) = (self.cluster_of[s], self.cluster_of[t]);
            s != t && set.contains(&s) && set.contains(&t)
        });
        (!already_rejected).then_some(set)
    }

    /// The other clusters with statements next to those of a cluster.
    fn neighbours(&self, cluster: usize, next: &[Vec<usize>]) -> Vec<usize> {
        let statements = self.clusters[cluster].statements.iter();
        let clusters = statements.flat_map(|&s| next[s].iter().map(|&t| self.cluster_of[t]));
        clusters.filter(|&other| other != cluster).collect()
    }

    fn order_edges(&self) -> Vec<(usize, usize)> {
        let ordering = self.between.iter().filter(|d| d.kinds.any(ConstraintKinds::ORDER));
        ordering.map(|d| self.ends(d)).collect()
    }

    /// The band of a set of clusters together, if it is acceptable.
    fn merged_band(&self, set: &[usize], allow_far: bool) -> Result<Option<Cluster>> {
        let problem = self.problem(set)?;
        let (options, budget) = (self.scheduler.options, self.scheduler.budget);
        let band = pluto_band(&problem, options, budget)?;
        let is_no_loss = self.is_no_loss(options.fuse, set, &band.members);
        if !is_no_loss && !self.is_no_loss(Fuse::Typed, set, &band.members) {
            return Ok(None);
        }
        let Some(mut cluster) = self.compose(set, &band.members) else { return Ok(None) };
        if !self.brings_together(set, &cluster, allow_far)? {
            return Ok(None);
        }
        if !is_no_loss {
            self.scheduler.keeps_apart.set(true);
            return Ok(None);
        }
        let rows: Vec<&[Vector]> = band.members.iter().map(|m| &m.rows[..]).collect();
        cluster.inner = problem.edges_over_members(&rows)?;
        Ok(Some(cluster))
    }

    /// Whether a band of a set of clusters has all that a rule and the options want to keep of their own
    /// bands.
    fn is_no_loss(&self, rule: Fuse, set: &[usize], members: &[BandMember]) -> bool {
        let options = self.scheduler.options;
        let enough = |count: usize, of: fn(&Cluster) -> usize| {
            set.iter().all(|&c| of(&self.clusters[c]) <= count)
        };
        if members.is_empty() && !enough(0, |c| c.members.len()) {
            return false;
        }
        if rule == Fuse::Typed {
            let outer = members.first().is_some_and(|member| member.coincident);
            return enough(usize::from(outer), Cluster::n_outer_coincident);
        }
        let n_coincident = members.iter().filter(|member| member.coincident).count();
        (!options.maximize_band_depth || enough(members.len(), |c| c.members.len()))
            && (!options.maximize_coincidence || enough(n_coincident, Cluster::n_coincident))
    }

    /// The problem with one node per cluster, whose coordinates are the members of its band.
    fn problem(&self, set: &[usize]) -> Result<BandProblem> {
        let graph = self.scheduler.graph;
        let options = self.scheduler.options;
        let nodes = set.iter().map(|&c| BandNode::new(Vec::new(), self.extents(c), options));
        let nodes = nodes.collect();
        let mut problem = BandProblem { n_params: graph.n_params, nodes, edges: Vec::new() };
        for (node, &cluster) in set.iter().enumerate() {
            let inner = self.clusters[cluster].inner.iter().cloned();
            problem.edges.extend(inner.map(|edge| BandEdge { source: node, sink: node, ..edge }));
        }
        let mut known = FxHashSet::default();
        for (dependence, nodes) in self.between_members(set) {
            let edge = self.edge(dependence, nodes, self.ends(dependence))?;
            if known.insert(edge.clone()) {
                problem.edges.push(edge);
            }
        }
        if self.crossing == Crossing::Apart {
            problem.hold_next_to(&self.conditions_across(set));
        }
        Ok(problem)
    }

    /// The conditions with one end in a cluster of the set and one outside.
    fn conditions_across(&self, set: &[usize]) -> Vec<TagPair> {
        let crosses = |d: &Dependence| {
            let (a, b) = self.ends(d);
            set.contains(&a) != set.contains(&b)
        };
        let conditions = self.between.iter().filter(|d| d.kinds.any(ConstraintKinds::CONDITION));
        conditions.filter(|d| crosses(d)).filter_map(|d| d.tags).collect()
    }

    /// The dependences between different clusters of a set, with the positions of these in the set.
    fn between_members(
        &self,
        set: &[usize],
    ) -> impl Iterator<Item = (&'s Dependence, (usize, usize))> {
        let mut position = vec![None; self.clusters.len()];
        for (node, &cluster) in set.iter().enumerate() {
            position[cluster] = Some(node);
        }
        self.between.iter().filter_map(move |&dependence| {
            let (a, b) = self.ends(dependence);
            Some((dependence, (position[a]?, position[b]?)))
        })
    }

    /// A dependence in terms of the members of the clusters at its ends.
    fn edge(
        &self,
        dependence: &Dependence,
        (source, sink): (usize, usize),
        (a, b): (usize, usize),
    ) -> Result<BandEdge> {
        let ends = (&self.clusters[a], &self.clusters[b]);
        let generators =
            dependence.generators.map(|g| self.member_values(dependence, ends, a == b, g))?;
        let (kinds, tags) = (dependence.kinds, dependence.tags);
        Ok(BandEdge { source, sink, kinds, tags, generators })
    }

    /// A generator of a dependence in terms of the members at its ends.
    fn member_values(
        &self,
        dependence: &Dependence,
        (from, to): (&Cluster, &Cluster),
        same: bool,
        generator: &[i64],
    ) -> Vec<i128> {
        let (source, sink) = self.end_values(dependence, (from, to), generator);
        let head = 1 + self.scheduler.graph.n_params;
        let mut values: Vec<i128> = generator[..head].iter().map(|&e| i128::from(e)).collect();
        if same {
            values.extend(source.iter().zip(&sink).map(|(x, y)| y - x));
        } else {
            values.extend(source.into_iter().chain(sink));
        }
        values
    }

    /// The values of the members at both ends of a generator.
    fn end_values(
        &self,
        dependence: &Dependence,
        (from, to): (&Cluster, &Cluster),
        generator: &[i64],
    ) -> (Vec<i128>, Vec<i128>) {
        let graph = self.scheduler.graph;
        let head = 1 + graph.n_params;
        let split = head + graph.statements[dependence.source].dim();
        let value = |member: &BandMember, statement: usize, coordinates: &[i64]| {
            let row = &member.rows[statement];
            dot(&row[..head], &generator[..head]) + dot(&row[head..], coordinates)
        };
        let at = |cluster: &Cluster, statement: usize, coordinates: &[i64]| {
            cluster.members.iter().map(|m| value(m, statement, coordinates)).collect()
        };
        (
            at(from, dependence.source, &generator[head..split]),
            at(to, dependence.sink, &generator[split..]),
        )
    }

    /// The extents of the members of a cluster.
    fn extents(&self, cluster: usize) -> Vec<Option<i64>> {
        let cluster = &self.clusters[cluster];
        let extent = |member: &BandMember| {
            let of = |&s: &usize| self.scheduler.graph.statements[s].extent(&member.rows[s]);
            let extents: Option<Vec<i64>> = cluster.statements.iter().map(of).collect();
            extents.and_then(|extents| extents.into_iter().max())
        };
        cluster.members.iter().map(extent).collect()
    }

    /// The cluster of all statements of a set, with members over the old members composed; none if
    /// a coefficient gets too large.
    fn compose(&self, set: &[usize], members: &[BandMember]) -> Option<Cluster> {
        let head = 1 + self.scheduler.graph.n_params;
        let n_statements = self.scheduler.graph.statements.len();
        let mut statements: Vec<usize> =
            set.iter().flat_map(|&c| self.clusters[c].statements.iter().copied()).collect();
        statements.sort_unstable();
        let compose = |member: &BandMember| {
            let mut rows = vec![Vector::new(); n_statements];
            for (node, &c) in set.iter().enumerate() {
                let outer = &member.rows[node];
                for &statement in &self.clusters[c].statements {
                    let dim = self.scheduler.graph.statements[statement].dim();
                    let mut row = outer[..head].to_vec();
                    row.resize(head + dim, 0);
                    for (&factor, inner) in outer[head..].iter().zip(&self.clusters[c].members) {
                        for (entry, &value) in row.iter_mut().zip(&inner.rows[statement]) {
                            *entry = entry.checked_add(factor.checked_mul(value)?)?;
                        }
                    }
                    if row.iter().any(|entry| entry.abs() > MAX_COEFFICIENT) {
                        return None;
                    }
                    rows[statement] = row;
                }
            }
            Some(BandMember { rows, coincident: member.coincident })
        };
        let complete = set.iter().all(|&c| self.clusters[c].complete);
        Some(Cluster {
            statements,
            members: members.iter().map(compose).collect::<Option<_>>()?,
            complete,
            inner: Vec::new(),
        })
    }

    /// Whether some proximity constraint between the clusters of a set is near in all members.
    fn brings_together(&self, set: &[usize], merged: &Cluster, allow_far: bool) -> Result<bool> {
        for (dependence, _) in self.between_members(set) {
            let brings = dependence.kinds.any(ConstraintKinds::PROXIMITY)
                && self.is_near(dependence, merged, allow_far)?;
            if brings {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_near(&self, dependence: &Dependence, merged: &Cluster, allow_far: bool) -> Result<bool> {
        let n_members = merged.members.len();
        let mut far = vec![false; n_members];
        let generators = &dependence.generators;
        let lines = generators.lines.iter().map(|line| (line, 0));
        let rays = generators.rays.iter().map(|ray| (ray, i128::from(ray[0])));
        for (generator, scale) in lines.chain(rays) {
            let (from, to) = self.end_values(dependence, (merged, merged), generator);
            for (member, (x, y)) in from.iter().zip(&to).enumerate() {
                far[member] |= (y - x).abs() > NEAR * scale;
            }
        }
        let n_far = far.iter().filter(|&&is_far| is_far).count();
        if n_far == 0 || !allow_far {
            return Ok(n_far == 0);
        }
        let head = 1 + self.scheduler.graph.n_params;
        let is_constant = |member: &BandMember| {
            [dependence.source, dependence.sink]
                .iter()
                .any(|&s| member.rows[s][head..].iter().all(|&entry| entry == 0))
        };
        let excused =
            far.iter().zip(&merged.members).all(|(far, member)| !far || is_constant(member));
        Ok(excused && n_far + self.weight(dependence)? <= n_members)
    }

    fn replace(&mut self, set: &[usize], cluster: Cluster) {
        let mut index = 0;
        self.clusters.retain(|_| {
            index += 1;
            !set.contains(&(index - 1))
        });
        self.clusters.push(cluster);
        self.clusters.sort_by_key(|cluster| cluster.statements[0]);
        self.index();
        let cluster_of = &self.cluster_of;
        self.between.retain(|d| cluster_of[d.source] != cluster_of[d.sink]);
        self.candidates.retain(|&(source, sink)| cluster_of[source] != cluster_of[sink]);
    }

    fn in_order(self) -> Vec<Cluster> {
        let order = strong_components(self.clusters.len(), &self.order_edges());
        debug_assert!(order.iter().all(|component| component.len() == 1));
        order.iter().flatten().map(|&index| self.clusters[index].clone()).collect()
    }
}
