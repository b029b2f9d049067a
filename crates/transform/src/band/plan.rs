//! All choices for one band, as a value; and their application.
//!
//! [`BandPlan::new`] decides, in one direction: the points and their tiles ([`PointPlan`]), the loops outside
//! of these ([`choose_outer_loops`]), and for bands without tiles ranges of a loop ([`choose_ranges`]) or
//! rows that run together ([`UnrollAndJam`]). [`BandPlan::assemble`] makes the tree for the band of it, and
//! decides nothing.
use crate::band::chosen_tiling::{ChosenTiles, chosen_tiles, with_points};
use crate::band::parallel_loop::{ParallelRanges, choose_outer_loops, choose_ranges};
use crate::band::points::PointPlan;
use crate::decision::Decision;
use crate::loops::vectorize;
use crate::report::BandReport;
use crate::site::BandSite;
use crate::site::marks::{mark_member, nonempty_band};
use crate::site::outer_loops::{OuterChoice, OuterLoops, mark_parallel};
use crate::tile::unroll_and_jam::UnrollAndJam;
use loopwright_presburger::{Error, Name, Result};
use loopwright_schedule::{Band, LoopKind, Node, OriginMark};

/// The choices for one band.
#[derive(Clone, Debug)]
pub struct BandPlan {
    /// What becomes of the points.
    pub points: PointPlan,
    /// The order of the members that is reported: that of the points, or that of the loops if a parallel one
    /// was moved outside.
    pub order: Vec<usize>,
    /// Tile sizes per member in the original order; none if the band is not tiled.
    pub sizes: Option<Vec<i64>>,
    /// The loops outside of the points, or all loops if the band is not tiled.
    pub outer: OuterLoops,
    /// The loops over tiles of the shape that the user has chosen, in place of `outer`, with a leaf wherever
    /// points are.
    pub shape: Option<Node>,
    /// The loop over points that is parallel in several ranges of its values.
    pub ranges: Option<ParallelRanges>,
    /// The rows or columns that run together.
    pub jam: Option<UnrollAndJam>,
    /// The loops over tiles whose sizes are variables, those outside of the points.
    pub origins: Option<OriginMark>,
    /// What was decided.
    pub decisions: Vec<Decision>,
}

impl BandPlan {
    /// Decides about a band.
    ///
    /// # Errors
    /// For malformed trees.
    pub fn new(site: &BandSite) -> Result<BandPlan> {
        let points = match site.options.keep_order {
            true => PointPlan::as_written(site)?,
            false => PointPlan::new(site)?,
        };
        if let Some(tiles) = chosen_tiles(site, &points)? {
            return Ok(BandPlan::of_chosen_tiles(points, tiles));
        }
        let OuterChoice { loops, order, diamonds, decisions: more } =
            choose_outer_loops(site, &points)?;
        let outer = with_counted_tiles(loops, &points, site.band)?;
        let order = order.unwrap_or_else(|| points.order.clone());
        let mut decisions = points.decisions.clone();
        if diamonds.is_some() {
            decisions.retain(|decision| !decision.is_about_tiles());
        }
        decisions.extend(more);
        let sizes = diamonds.or_else(|| points.sizes.clone());
        let (shape, ranges, jam) = (None, None, None);
        let origins = origins(site, &outer, sizes.is_some())?;
        let mut plan =
            BandPlan { points, order, sizes, outer, shape, ranges, jam, origins, decisions };
        if plan.may_have_ranges(site)
            && let Some((ranges, decision)) = choose_ranges(site, &plan.points.points, &plan.order)?
        {
            plan.decisions.retain(|decision| !matches!(decision, Decision::Sequential(_)));
            plan.decisions.push(decision);
            plan.ranges = Some(ranges);
        } else if plan.sizes.is_none() && site.may_run_rows_together {
            plan.jam =
                UnrollAndJam::choose(site, &plan.order, &plan.points.innermost, &plan.outer)?;
            plan.decisions.extend(plan.jam.as_ref().map(UnrollAndJam::decision));
        }
        Ok(plan)
    }

    /// The points inside of tiles of a chosen shape; the loops as they are if there are no such tiles.
    fn of_chosen_tiles(points: PointPlan, tiles: ChosenTiles) -> BandPlan {
        let mut decisions = points.decisions.clone();
        decisions.retain(|decision| !decision.is_about_tiles());
        decisions.push(tiles.decision);
        BandPlan {
            order: points.order.clone(),
            sizes: tiles.sizes,
            outer: OuterLoops::untiled(points.points.clone()),
            shape: tiles.loops,
            ranges: None,
            jam: None,
            origins: None,
            decisions,
            points,
        }
    }

    /// The band as it is, for estimates.
    ///
    /// # Errors
    /// For malformed trees.
    pub fn as_written(site: &BandSite) -> Result<BandPlan> {
        let points = PointPlan::as_written(site)?;
        Ok(BandPlan {
            order: points.order.clone(),
            sizes: None,
            outer: OuterLoops::untiled(points.points.clone()),
            shape: None,
            ranges: None,
            jam: None,
            origins: None,
            decisions: Vec::new(),
            points,
        })
    }

    fn may_have_ranges(&self, site: &BandSite) -> bool {
        site.may_be_parallel && !self.outer.is_tiled && self.outer.parallel.is_none()
    }

    /// Whether something of the band runs on several threads.
    pub fn is_parallel(&self) -> bool {
        self.outer.parallel.is_some() || self.ranges.is_some() || self.shape.is_some()
    }

    /// What is reported of it.
    pub fn report(&self, site: &BandSite) -> BandReport {
        let nest = &site.nest;
        let mut statements: Vec<_> =
            nest.statements.iter().map(|s| s.statement.name.to_string()).collect();
        statements.dedup();
        BandReport {
            statements,
            permutable: site.band.permutable,
            coincident: site.band.members.iter().map(|member| member.coincident).collect(),
            order: self.order.clone(),
            tile_sizes: self.sizes.clone().unwrap_or_default(),
            register_tile: self.points.register_tile_shape(),
            decisions: self.decisions.clone(),
        }
    }

    /// The tree for `band`, the one that was decided about, above `inner`: tile loops, point loops, marks.
    ///
    /// # Errors
    /// Those of tiling and of restricting bands.
    pub fn assemble(&self, band: &Band, inner: Node) -> Result<Node> {
        if let Some(shape) = &self.shape {
            return with_points(shape.clone(), &self.innermost(&self.points.points, inner)?);
        }
        match (&self.ranges, &self.jam) {
            (Some(ranges), _) => self.in_ranges(ranges, &inner),
            (None, Some(jam)) => jam.assemble(band, &self.outer, inner),
            (None, None) => self.in_outer_loops(band, inner),
        }
    }

    /// The loops outside, with the points inside.
    fn in_outer_loops(&self, band: &Band, inner: Node) -> Result<Node> {
        let outer = &self.outer;
        Ok(match (&outer.parallel, outer.is_tiled) {
            (None, true) => {
                let (outside, below) = self.in_tiles(band, inner)?;
                self.over_origins(nonempty_band(outside, below))
            }
            (None, false) => self.innermost(&outer.band, inner)?,
            (Some(parallel), true) => {
                let (outside, below) = self.in_tiles(band, inner)?;
                self.over_origins(mark_parallel(&outside, parallel, below))
            }
            (Some(parallel), false) => {
                let n_outside = parallel.position + 1 + usize::from(parallel.is_collapsed);
                let (outside, inside) = outer.band.split(n_outside);
                mark_parallel(&outside, parallel, self.innermost(&inside, inner)?)
            }
        })
    }

    /// Loops over tiles, with what says that their sizes are variables.
    fn over_origins(&self, loops: Node) -> Node {
        match &self.origins {
            Some(mark) => Node::mark(&mark.to_string(), loops),
            None => loops,
        }
    }

    fn innermost(&self, band: &Band, inner: Node) -> Result<Node> {
        vectorize::innermost(band, &self.points.innermost, inner)
    }

    /// The loops over tiles, and what is inside of them. Panels may be filled between the loops over tiles
    /// for registers, so the last one is a band of its own there, except where iterations of a loop that runs
    /// on several threads may need it as well.
    fn in_tiles(&self, band: &Band, inner: Node) -> Result<(Band, Node)> {
        let outer = &self.outer.band;
        let n = outer.n_members();
        let below = self.in_tile(band, inner)?;
        let is_separable = self.outer.parallel.as_ref().is_none_or(|p| p.position + 2 < n);
        Ok(match &self.points.register_tile {
            Some(_) if is_separable => {
                let (outside, last) = outer.split(n - 1);
                (outside, Node::band(last, below))
            }
            _ => (outer.clone(), below),
        })
    }

    /// The points of a tile.
    fn in_tile(&self, band: &Band, inner: Node) -> Result<Node> {
        let PointPlan { points, register_tile, updates, .. } = &self.points;
        let n_outer = self.outer.band.n_members();
        match (register_tile, updates) {
            (Some(tile), _) => tile.points(points, n_outer, inner),
            (None, Some(updates)) => {
                updates.points(band, n_outer, points, |rest| self.innermost(rest, inner))
            }
            (None, None) => self.innermost(points, inner),
        }
    }

    /// The tree for an untiled band of which one loop becomes one parallel loop per range.
    fn in_ranges(&self, split: &ParallelRanges, inner: &Node) -> Result<Node> {
        let (outside, rest) = self.points.points.split(split.position);
        let mut loops = Vec::with_capacity(split.ranges.len());
        for range in &split.ranges {
            let (own, inside) = rest.intersect_domain(&range.instances)?.split(1);
            let below = self.innermost(&inside, inner.clone())?;
            let below = match &range.private {
                Some(private) => mark_member(&own, 0, LoopKind::Parallel, private, below),
                None => Node::band(own, below),
            };
            loops.push(Node::filter(range.instances.clone(), below));
        }
        Ok(nonempty_band(outside, Node::Sequence(loops)))
    }
}

/// The mark of loops over tiles whose sizes are variables: their members by position in the band.
fn origins(site: &BandSite, outer: &OuterLoops, is_tiled: bool) -> Result<Option<OriginMark>> {
    let Some(prefix) = site.options.tile_variables.as_ref().filter(|_| is_tiled) else {
        return Ok(None);
    };
    let mut left: Vec<usize> = (0..site.n_members()).collect();
    let mut sizes: Vec<Name> = Vec::with_capacity(left.len());
    for member in outer.band.schedule.members() {
        let is_own = |at: &usize| site.members()[*at].to_string() == member.to_string();
        let found = left.iter().position(is_own).ok_or_else(|| Error::Invalid {
            operation: "tiles of variable sizes",
            reason: "a loop over tiles is no member of the band".to_string(),
        })?;
        sizes.push(format!("{prefix}_{}", left.remove(found)).into());
    }
    Ok(Some(OriginMark { sizes }))
}

/// Loops over the numbers of tiles where there are updates, whose conditions are about these.
fn with_counted_tiles(outer: OuterLoops, points: &PointPlan, band: &Band) -> Result<OuterLoops> {
    match &points.updates {
        Some(updates) if outer.parallel.is_none() && outer.is_tiled => {
            Ok(OuterLoops { band: updates.counted_tiles(band)?, ..outer })
        }
        _ => Ok(outer),
    }
}
