//! The order of the steps, and their choices for each band.
use crate::extent::Nominal;
use crate::nest::Nest;
use crate::parallel::{mark_member, nonempty_band};
use crate::tile::rectangular;
use crate::{
    BandReport, Report, distribute, independence, loop_order, profit, vectorize, wavefront,
};
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Error, Result, UnionMap};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree, TileLoops};
use loopwright_scop::Scop;

/// Tile sizes.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum TileSizes {
    /// Tile where it pays, with sizes of the tool's choice.
    #[default]
    Default,
    /// Do not tile.
    None,
    /// Tile every permutable band of two members or more with these sizes, the last one
    /// repeated as often as needed.
    Given(Vec<i64>),
}

/// What to optimise for.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Tile sizes.
    pub tile_sizes: TileSizes,
    /// Whether loops may be marked as parallel.
    pub parallel: bool,
    /// The target.
    pub machine: Machine,
}

/// The result of [`optimise`].
#[derive(Clone, Debug)]
pub struct Optimised {
    /// The new tree.
    pub tree: ScheduleTree,
    /// What was done.
    pub report: Report,
}

/// Rewrites a tree for speed; the module documentation of the crate lists the steps.
///
/// `dependences` relates every instance to those that must stay after it (untagged). It is used to
/// find parallel loops beyond those that the scheduler has flagged, and to distribute loops; an
/// empty relation means that there are no dependences at all.
///
/// # Errors
/// Only for malformed trees (a band that is not defined on a statement). When the budget runs
/// out in a step, that step is left out.
pub fn optimise(
    tree: &ScheduleTree,
    scop: &Scop,
    dependences: &UnionMap,
    options: &Options,
    budget: &Budget,
) -> Result<Optimised> {
    let nominal = Nominal::in_context(&scop.context);
    let mut driver =
        Driver { scop, dependences, options, budget, nominal, report: Report::default() };
    let root = driver.node(&tree.root, &Reaching::root(tree), false)?;
    let tree = ScheduleTree { domain: tree.domain.clone(), root };
    Ok(Optimised { tree, report: driver.report })
}

struct Driver<'a> {
    scop: &'a Scop,
    dependences: &'a UnionMap,
    options: &'a Options,
    budget: &'a Budget,
    nominal: Nominal,
    report: Report,
}

/// The choices for one band.
struct Plan {
    /// The order of the point loops.
    order: Vec<usize>,
    /// Tile sizes per member in the original order; none if not tiled.
    sizes: Option<Vec<i64>>,
    /// Whether the last point loop is marked as a vector loop.
    vector: bool,
    decisions: Vec<String>,
}

/// The outer bands (tile loops, or all loops) and the position of the parallel one among them.
struct Outer {
    band: Band,
    parallel: Option<usize>,
}

impl Driver<'_> {
    fn node(&mut self, node: &Node, reaching: &Reaching, inside_parallel: bool) -> Result<Node> {
        if let Node::Band(band, child) = node {
            let distributed =
                distribute::distribute(band, child, reaching, self.dependences, self.budget);
            return match unless_exceeded(distributed)?.flatten() {
                Some(parts) => self.node(&parts, reaching, inside_parallel),
                None => self.band(node, band, child, reaching, inside_parallel),
            };
        }
        let mut rewritten = node.clone();
        for (position, child) in rewritten.children_mut().iter_mut().enumerate() {
            let below = reaching.descend(node, position)?;
            *child = self.node(&child.take(), &below, inside_parallel)?;
        }
        Ok(rewritten)
    }

    fn band(
        &mut self,
        node: &Node,
        band: &Band,
        child: &Node,
        reaching: &Reaching,
        inside_parallel: bool,
    ) -> Result<Node> {
        let below = reaching.descend(node, 0)?;
        let nest = Nest::new(self.scop, &below, band.n_members(), &self.nominal);
        let mut plan = self.plan(band, child, &nest, &below)?;
        let points = band.permute(&plan.order)?;
        let outer = self.outer(band, &points, &nest, &below, &mut plan, inside_parallel)?;
        let inside = inside_parallel || outer.parallel.is_some();
        self.push_report(band, &nest, plan.order.clone(), &plan);
        let inner = self.node(child, &below, inside)?;
        let is_innermost_parallel = outer.parallel == Some(band.n_members() - 1);
        Ok(match (&plan.sizes, outer.parallel) {
            (Some(_), parallel) => {
                let points = match plan.vector {
                    true => vectorize::mark_last(&points, inner),
                    false => Node::band(points, inner),
                };
                match parallel {
                    Some(member) => mark_member(&outer.band, member, points),
                    None => Node::band(outer.band, points),
                }
            }
            (None, None) if plan.vector => vectorize::mark_last(&outer.band, inner),
            (None, None) => Node::band(outer.band, inner),
            (None, Some(member)) if plan.vector && !is_innermost_parallel => {
                let (outside, last) = outer.band.split(band.n_members() - 1);
                mark_member(&outside, member, vectorize::mark_last(&last, inner))
            }
            (None, Some(member)) => {
                let (outside, inside) = outer.band.split(member + 1);
                mark_member(&outside, member, nonempty_band(inside, inner))
            }
        })
    }

    /// Decides on the innermost loop, the order and the tile sizes.
    fn plan(&self, band: &Band, child: &Node, nest: &Nest, below: &Reaching) -> Result<Plan> {
        let n = band.n_members();
        let mut plan =
            Plan { order: (0..n).collect(), sizes: None, vector: false, decisions: Vec::new() };
        let is_innermost = !contains_band(child);
        let mut innermost = n - 1;
        if is_innermost {
            let movable = band.permutable && n > 1;
            let mut independent = vec![false; n];
            for member in if movable { 0..n } else { n - 1..n } {
                independent[member] = band.members[member].coincident
                    || self.is_independent_inside(below, nest.first, member)?;
            }
            if movable {
                innermost = loop_order::best_innermost(nest, &independent);
                plan.order = loop_order::with_innermost(band, innermost);
            }
            plan.vector = independent[innermost];
            if innermost != n - 1 {
                plan.decisions.push(format!("member {innermost} runs innermost: unit stride"));
            }
        }
        let wanted = match &self.options.tile_sizes {
            TileSizes::None => false,
            TileSizes::Given(_) => true,
            TileSizes::Default => profit::tiling_pays(nest, self.scop, &self.options.machine),
        };
        if wanted && band.permutable && n >= 2 {
            let sizes = rectangular::sizes(&self.options.tile_sizes, n, innermost);
            plan.decisions.push(format!("tiled with {sizes:?}"));
            plan.sizes = Some(sizes);
        } else if n >= 2 {
            let reason = if wanted { "not permutable" } else { "no reuse beyond the caches" };
            plan.decisions.push(format!("not tiled: {reason}"));
        }
        Ok(plan)
    }

    /// Whether `member` carries nothing as the innermost loop of its band.
    fn is_independent_inside(&self, below: &Reaching, first: usize, member: usize) -> Result<bool> {
        let mut moved = below.clone();
        for piece in &mut moved.pieces {
            let row = piece.schedule.remove(first + member);
            piece.schedule.push(row);
        }
        let last = below.depth() - 1;
        let independent =
            independence::carries_nothing(&moved, last, self.dependences, self.budget);
        Ok(unless_exceeded(independent)?.unwrap_or(false))
    }

    /// The loops outside the points: tile loops, or the points themselves if there are none; and
    /// which of them runs in parallel.
    fn outer(
        &self,
        band: &Band,
        points: &Band,
        nest: &Nest,
        below: &Reaching,
        plan: &mut Plan,
        inside_parallel: bool,
    ) -> Result<Outer> {
        let n = band.n_members();
        let Some(sizes) = plan.sizes.clone() else {
            return self.outer_untiled(points, nest, below, plan, inside_parallel);
        };
        let (tiles, _) = rectangular::tile(band, &sizes, TileLoops::Scaled)?;
        if !self.options.parallel || inside_parallel {
            return Ok(Outer { band: tiles, parallel: None });
        }
        // Coincident tile loops go outside: one parallel region instead of one per outer tile.
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by_key(|&member| !band.members[member].coincident);
        let tiles = tiles.permute(&order)?;
        let outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
        if tiles.members[0].coincident {
            let pays = nest.work_per_entry(&outside) >= profit::MINIMUM_PARALLEL_WORK;
            plan.decisions.push(parallel_decision(&format!("tile loop {}", order[0]), pays));
            return Ok(Outer { band: tiles, parallel: pays.then_some(0) });
        }
        let (unscaled, _) = rectangular::tile(band, &sizes, TileLoops::Unscaled)?;
        let waves = nest.extent(0) / sizes[0] + nest.extent(1) / sizes[1] + 1;
        let pays = nest.work_per_entry(&outside) / waves >= profit::MINIMUM_PARALLEL_WORK;
        plan.decisions.push(parallel_decision("the second loop over diagonals of tiles", pays));
        match wavefront::skew(&unscaled)?.filter(|_| pays) {
            Some(skewed) => Ok(Outer { band: skewed, parallel: Some(1) }),
            None => Ok(Outer { band: tiles, parallel: None }),
        }
    }

    fn outer_untiled(
        &self,
        points: &Band,
        nest: &Nest,
        below: &Reaching,
        plan: &mut Plan,
        inside_parallel: bool,
    ) -> Result<Outer> {
        let mut outer = Outer { band: points.clone(), parallel: None };
        if !self.options.parallel || inside_parallel {
            return Ok(outer);
        }
        let n = points.n_members();
        let mut outside: Vec<(usize, i64)> = (0..nest.first).map(|dim| (dim, 1)).collect();
        // Among the loops outside the innermost one, a coincident one may be moved outside.
        let first_coincident =
            (0..n.saturating_sub(1)).find(|&member| points.members[member].coincident);
        if let Some(member) = first_coincident.filter(|&m| m > 0 && points.permutable) {
            let mut order = vec![member];
            order.extend((0..n).filter(|&m| m != member));
            outer.band = points.permute(&order)?;
            plan.order = order.iter().map(|&m| plan.order[m]).collect();
        }
        let mut moved = below.clone();
        for piece in &mut moved.pieces {
            let members = piece.schedule.split_off(nest.first);
            piece.schedule.extend(plan.order.iter().map(|&m| members[m].clone()));
        }
        for position in 0..n {
            if nest.work_per_entry(&outside) < profit::MINIMUM_PARALLEL_WORK {
                plan.decisions.push("sequential: too little work per entry".into());
                break;
            }
            let dimension = nest.first + position;
            let independent = outer.band.members[position].coincident
                || unless_exceeded(independence::carries_nothing(
                    &moved,
                    dimension,
                    self.dependences,
                    self.budget,
                ))?
                .unwrap_or(false);
            let member = plan.order[position];
            if independent && nest.extent(member) > 1 {
                plan.decisions.push(parallel_decision(&format!("loop {member}"), true));
                outer.parallel = Some(position);
                break;
            }
            outside.push((nest.first + member, 1));
        }
        Ok(outer)
    }

    fn push_report(&mut self, band: &Band, nest: &Nest, order: Vec<usize>, plan: &Plan) {
        let mut statements: Vec<_> =
            nest.statements.iter().map(|s| s.statement.name.to_string()).collect();
        statements.dedup();
        self.report.bands.push(BandReport {
            statements,
            permutable: band.permutable,
            coincident: band.members.iter().map(|member| member.coincident).collect(),
            order,
            tile_sizes: plan.sizes.clone().unwrap_or_default(),
            decisions: plan.decisions.clone(),
        });
    }
}

fn parallel_decision(what: &str, pays: bool) -> String {
    match pays {
        true => format!("parallel: {what}"),
        false => format!("sequential: {what} could be parallel, but has too little work per entry"),
    }
}

/// The result, or none if the budget ran out.
fn unless_exceeded<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Error::Exceeded { .. }) => Ok(None),
        Err(other) => Err(other),
    }
}

fn contains_band(node: &Node) -> bool {
    let mut found = false;
    node.for_each(&mut |node| found |= matches!(node, Node::Band(..)));
    found
}
