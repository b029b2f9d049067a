//! The entry point, and the walk over the tree.
use crate::band::concurrent_start::concurrent_tiles;
use crate::band::parallel_loop::{
    OuterLoops, choose_chunks, choose_loop, choose_ranges, choose_tile_loop, mark_member,
    mark_parallel, nonempty_band, sequential_tiles,
};
use crate::band::plan::Plan;
use crate::cost::estimate::{Below, CostNode, Estimate, PlannedBand};
use crate::cost::nest::Nest;
use crate::cost::trip_counts::Nominal;
use crate::legality::independence::Independence;
use crate::loops::split_at_carried_iteration::Range;
use crate::loops::unroll_and_jam::{Candidate, UnrollAndJam};
use crate::loops::{distribute, vectorize};
use crate::tile::diamond::ConcurrentStart;
use crate::tile::rectangular;
use crate::tile::sica::Sica;
use crate::{BandReport, Decision, Report};
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::{Band, LoopKind, Node, Reaching, ScheduleTree};
use loopwright_scop::Scop;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Tile sizes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum TileSizes {
    /// Tile where it pays, with sizes of the tool's choice.
    #[default]
    Default,
    /// Tile where it pays, with sizes by a model of caches and address translation
    /// ([`crate::tile::model`]).
    Footprint,
    /// Do not tile.
    None,
    /// Tile where it pays, the innermost loop by [`rectangular::DEFAULT_VECTOR_TILE`] and the others
    /// by [`rectangular::DEFAULT_TILE`].
    Fixed,
    /// Tile every permutable band of two members or more with these sizes, the last one
    /// repeated as often as needed.
    Given(Vec<i64>),
    /// Tile every permutable innermost band of two members or more that has a vector loop with sizes
    /// by SICA.
    Sica(Sica),
}

/// What to optimise for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Tile sizes.
    pub tile_sizes: TileSizes,
    /// Tile sizes of single bands instead, by the band's position in the [`Report`].
    pub band_tiles: BTreeMap<usize, TileSizes>,
    /// Which tiles without independent loops may start concurrently, where the dependences allow it.
    pub concurrent_start: ConcurrentStart,
    /// Whether tiles that may start only when others are done wait for just those, in a pipeline of rows;
    /// if not, all threads wait for each other after each diagonal of tiles.
    pub point_to_point: bool,
    /// Tiles of tiles: how many tiles a larger one has along each member, the last number repeated
    /// as often as needed. Empty for one level of tiles.
    pub tile_factors: Vec<i64>,
    /// Whether loops may be marked as parallel.
    pub parallel: bool,
    /// Whether results may be kept in registers by a further level of tiles.
    pub register_tiles: bool,
    /// Whether loops that only combine values will run in any order ([`crate::loops::reductions`]), so that sums
    /// need no rows together to be fast.
    pub reassociate: bool,
    /// Whether panels will be packed ([`crate::packing`]), so that strides count less.
    pub panels: bool,
    /// Whether what the result costs is estimated.
    pub estimate: bool,
    /// The target.
    pub machine: Machine,
}

impl Options {
    /// The options for the band at a position in the [`Report`], with the tile sizes that hold there.
    fn of_band(&self, position: usize) -> Cow<'_, Options> {
        match self.band_tiles.get(&position) {
            Some(sizes) => Cow::Owned(Options { tile_sizes: sizes.clone(), ..self.clone() }),
            None => Cow::Borrowed(self),
        }
    }
}

/// The result of [`optimise`].
#[derive(Clone, Debug)]
pub struct Optimised {
    /// The new tree.
    pub tree: ScheduleTree,
    /// What was done.
    pub report: Report,
    /// What it costs, if the options ask for that.
    pub estimate: Option<Estimate>,
}

/// Rewrites a tree for speed; the documentation of the crate lists the steps.
///
/// `tree` has to respect `dependences`, and its flags have to be right with respect to them.
///
/// # Errors
/// For malformed trees only (a band that is not defined on a statement, tile sizes that are not
/// positive). When the budget runs out in a step, that step is left out.
pub fn optimise(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    options: &Options,
    budget: &Budget,
) -> Result<Optimised> {
    let (result, vector_tiles) = rewrite(tree, scop, dependences, options, budget)?;
    if let TileSizes::Sica(sica) = &options.tile_sizes
        && let Some(uniform) = sica.uniform(&vector_tiles)
    {
        let options = Options { tile_sizes: TileSizes::Sica(uniform), ..options.clone() };
        return Ok(rewrite(tree, scop, dependences, &options, budget)?.0);
    }
    Ok(result)
}

/// The same with the tile sizes of the vector loops that SICA has found, block by block.
fn rewrite(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &Dependences,
    options: &Options,
    budget: &Budget,
) -> Result<(Optimised, Vec<i64>)> {
    let mut driver = Driver {
        scop,
        options,
        independence: Independence::new(scop, dependences, budget)?,
        nominal: Nominal::of_scop(scop),
        report: Report::default(),
        vector_tiles: Vec::new(),
        parts: Vec::new(),
        cores: 1.0,
    };
    let root = driver.node(&tree.root, &Reaching::root(tree), false)?;
    let tree = ScheduleTree { domain: tree.domain.clone(), root };
    let Driver { report, vector_tiles, parts, .. } = driver;
    let whole = CostNode { below: Below::Parts(parts), ..CostNode::default() };
    let estimate = options.estimate.then(|| whole.estimate(&options.machine));
    Ok((Optimised { tree, report, estimate }, vector_tiles))
}

struct Driver<'a> {
    scop: &'a Scop,
    options: &'a Options,
    independence: Independence<'a>,
    nominal: Nominal,
    report: Report,
    /// The tile sizes of the vector loops that SICA has found.
    vector_tiles: Vec<i64>,
    /// The bands that are done below the present one, for the estimate of what they cost.
    parts: Vec<CostNode>,
    /// How many cores work on what is done now.
    cores: f64,
}

impl Driver<'_> {
    fn node(&mut self, node: &Node, reaching: &Reaching, inside_parallel: bool) -> Result<Node> {
        if let Node::Band(band, child) = node {
            if band.n_members() == 0 {
                return self.node(child, reaching, inside_parallel);
            }
            return match distribute::distribute(band, child, reaching, &self.independence)? {
                Some(parts) => self.node(&parts, reaching, inside_parallel),
                None => self.band(node, reaching, inside_parallel),
            };
        }
        let mut rewritten = node.clone();
        for (child, below) in rewritten.children_mut().iter_mut().zip(reaching.below(node)?) {
            *child = self.node(&child.take(), &below, inside_parallel)?;
        }
        Ok(rewritten)
    }

    fn band(&mut self, node: &Node, reaching: &Reaching, inside_parallel: bool) -> Result<Node> {
        let Node::Band(band, child) = node else { return Ok(node.clone()) };
        let below = reaching.descend(node, 0)?;
        let nest = Nest::new(self.scop, &below, band.n_members(), &self.nominal);
        let independence = &self.independence;
        let options = self.options.of_band(self.report.bands.len());
        let mut plan = Plan::new(band, child, &nest, reaching, independence, self.scop, &options)?;
        self.vector_tiles.extend(plan.vector_tile);
        let points = band.permute(&plan.order)?;
        let parallel = self.options.parallel && !inside_parallel;
        let outer =
            self.outer_loops(band, &points, &nest, reaching, &mut plan, &options, parallel)?;
        let outer = match &plan.updates {
            Some(updates) => updates.with_counted_tiles(outer, band)?,
            None => outer,
        };
        let split = match parallel && !outer.is_tiled && outer.parallel.is_none() {
            true => choose_ranges(&points, &nest, reaching, independence, &mut plan)?,
            false => None,
        };
        let jam = match split.is_none() && plan.sizes.is_none() && options.register_tiles {
            true => {
                let (nest, outer) = (&nest, &outer);
                let candidate = Candidate { band, child, nest, reaching, outer };
                self.unroll_and_jam(candidate, &mut plan, &options)?
            }
            false => None,
        };
        self.report.bands.push(report(band, &nest, &plan));
        let is_parallel = outer.parallel.is_some() || split.is_some();
        let planned = PlannedBand {
            band,
            nest: &nest,
            plan: &plan,
            outer: &outer,
            split: split.as_ref().map(|(position, _)| *position),
            jam: jam.as_ref(),
            position: self.report.bands.len() - 1,
        };
        let (siblings, cores) = (std::mem::take(&mut self.parts), self.cores);
        self.cores = cores * planned.cores(&options);
        let inner = self.node(child, &below, inside_parallel || is_parallel)?;
        let parts = std::mem::replace(&mut self.parts, siblings);
        if options.estimate {
            self.parts.push(planned.part(parts, self.cores, self.scop, &options));
        }
        self.cores = cores;
        match (split, jam) {
            (Some((position, ranges)), _) => {
                assemble_ranges(&plan, &points, position, &ranges, &inner)
            }
            (None, Some(jam)) => jam.assemble(band, &outer, inner),
            (None, None) => assemble(&plan, band, &points, outer, inner),
        }
    }

    /// Several rows of an untiled band together, if that is wanted and pays.
    fn unroll_and_jam(
        &self,
        candidate: Candidate,
        plan: &mut Plan,
        options: &Options,
    ) -> Result<Option<UnrollAndJam>> {
        if matches!(self.options.tile_sizes, TileSizes::None) {
            return Ok(None);
        }
        let jam = UnrollAndJam::choose(candidate, &self.independence, plan, self.scop, options)?;
        plan.decisions.extend(jam.as_ref().map(UnrollAndJam::decision));
        Ok(jam)
    }

    /// The loops outside the points of tiles, or all loops of an untiled band; one of them
    /// parallel if that is wanted, possible and pays.
    fn outer_loops(
        &self,
        band: &Band,
        points: &Band,
        nest: &Nest,
        reaching: &Reaching,
        plan: &mut Plan,
        options: &Options,
        parallel: bool,
    ) -> Result<OuterLoops> {
        let independence = &self.independence;
        let factors = &self.options.tile_factors;
        match plan.sizes.clone() {
            Some(sizes) if parallel => {
                choose_tile_loop(band, &sizes, nest, reaching, independence, plan, options)
            }
            Some(sizes) => {
                sequential_tiles(rectangular::tile_loops(band, &sizes, factors)?, plan, options)
            }
            None if parallel => {
                let outer = choose_loop(points, nest, reaching, independence, plan, options)?;
                if outer.parallel.is_some() {
                    return Ok(outer);
                }
                let chunks = choose_chunks(band, nest, reaching, independence, plan)?;
                if let Some(chunks) = chunks {
                    return Ok(chunks);
                }
                let tiles = concurrent_tiles(band, nest, reaching, independence, plan, options)?;
                if tiles.is_none() {
                    let reason = "no independent loop with enough work";
                    plan.decisions.push(Decision::Sequential(reason));
                }
                Ok(tiles.unwrap_or(outer))
            }
            None => Ok(OuterLoops { band: points.clone(), is_tiled: false, parallel: None }),
        }
    }
}

/// The tree for one band: tile loops, point loops, marks.
fn assemble(
    plan: &Plan,
    band: &Band,
    points: &Band,
    outer: OuterLoops,
    inner: Node,
) -> Result<Node> {
    let n_outer = outer.band.n_members();
    let in_tile = |inner: Node| match (&plan.register_tile, &plan.updates) {
        (Some(tile), _) => tile.points(points, n_outer, inner),
        (None, Some(updates)) => updates.points(band, n_outer, points, plan, inner),
        (None, None) => vectorize::innermost(points, plan, inner),
    };
    let in_tiles = |inner: Node| -> Result<(Band, Node)> {
        let n = outer.band.n_members();
        // A loop whose iterations run on several threads may need the next one as well.
        let is_separable = outer.parallel.as_ref().is_none_or(|loops| loops.position + 2 < n);
        match plan.register_tile {
            // Panels may be filled between the loops over tiles.
            Some(_) if is_separable => {
                let (outside, last) = outer.band.split(n - 1);
                Ok((outside, Node::band(last, in_tile(inner)?)))
            }
            _ => Ok((outer.band.clone(), in_tile(inner)?)),
        }
    };
    Ok(match (&outer.parallel, outer.is_tiled) {
        (None, true) => {
            let (band, below) = in_tiles(inner)?;
            nonempty_band(band, below)
        }
        (None, false) => vectorize::innermost(&outer.band, plan, inner)?,
        (Some(parallel), true) => {
            let (band, below) = in_tiles(inner)?;
            mark_parallel(&band, parallel, below)
        }
        (Some(parallel), false) => {
            let n_outside = parallel.position + 1 + usize::from(parallel.is_collapsed);
            let (outside, inside) = outer.band.split(n_outside);
            let below = vectorize::innermost(&inside, plan, inner)?;
            mark_parallel(&outside, parallel, below)
        }
    })
}

/// The tree for an untiled band whose loop at `position` becomes one parallel loop per range.
fn assemble_ranges(
    plan: &Plan,
    points: &Band,
    position: usize,
    ranges: &[Range],
    inner: &Node,
) -> Result<Node> {
    let (outside, rest) = points.split(position);
    let mut loops = Vec::with_capacity(ranges.len());
    for range in ranges {
        let (own, inside) = rest.intersect_domain(&range.instances)?.split(1);
        let below = vectorize::innermost(&inside, plan, inner.clone())?;
        let below = match &range.private {
            Some(private) => mark_member(&own, 0, LoopKind::Parallel, private, below),
            None => Node::band(own, below),
        };
        loops.push(Node::filter(range.instances.clone(), below));
    }
    Ok(nonempty_band(outside, Node::Sequence(loops)))
}

fn report(band: &Band, nest: &Nest, plan: &Plan) -> BandReport {
    let mut statements: Vec<_> =
        nest.statements.iter().map(|s| s.statement.name.to_string()).collect();
    statements.dedup();
    BandReport {
        statements,
        permutable: band.permutable,
        coincident: band.members.iter().map(|member| member.coincident).collect(),
        order: plan.order.clone(),
        tile_sizes: plan.sizes.clone().unwrap_or_default(),
        register_tile: plan.register_tile_shape(),
        decisions: plan.decisions.clone(),
    }
}
