//! What a planned band costs: its loops as they were decided, for the estimate of the whole tree.
use crate::band::plan::BandPlan;
use crate::cost::estimate::{Below, CostNode, Points, Shape};
use crate::cost::footprint::TiledLoop;
use crate::cost::nest::Nest;
use crate::decision::JamKind;
use crate::loops::vectorize::Innermost;
use crate::site::BandSite;
use crate::tile::rectangular::DEFAULT_VECTOR_TILE;
use crate::tile::register_tile::Roles;
use loopwright_schedule::LoopKind;

/// The part of the cores that work while a pipeline of rows runs: it has to fill and to run empty.
const PIPELINE: f64 = 0.8;

/// A band with all that was decided about its loops.
#[derive(Clone, Copy)]
pub(crate) struct PlannedBand<'a> {
    pub(crate) site: &'a BandSite<'a>,
    pub(crate) plan: &'a BandPlan,
    /// The position in the report.
    pub(crate) position: usize,
}

impl PlannedBand<'_> {
    /// How many cores work on the band if one core comes to it, on average.
    pub(crate) fn cores(&self) -> f64 {
        let cores = self.site.machine().cores.max(1) as f64;
        match (&self.plan.outer.parallel, &self.plan.ranges) {
            (None, None) => 1.0,
            (Some(parallel), _) if parallel.kind == LoopKind::Pipelined => {
                (cores * PIPELINE).max(1.0)
            }
            _ => cores,
        }
    }

    /// The costs of this band, with `inside` those of the bands inside, on so many `cores`.
    pub(crate) fn cost(&self, inside: Vec<CostNode>, cores: f64) -> CostNode {
        let BandSite { nest, scop, .. } = self.site;
        let Nest { first, n_members, .. } = *nest;
        let below = match inside.is_empty() {
            true => {
                let statements = nest.statements.clone();
                let whole = Nest { first: 0, n_members: first + n_members, statements, ..*nest };
                let (shape, machine) = (self.shape(cores), self.site.machine());
                Below::Points(Points::new(&whole, shape, self.position, scop, machine))
            }
            false => Below::Parts(inside),
        };
        let extents = (0..n_members).map(|member| nest.extent(member)).collect();
        CostNode { loops: self.loops(), extents, parallel_entries: self.parallel_entries(), below }
    }

    fn shape(&self, cores: f64) -> Shape {
        let points = &self.plan.points;
        let kind = self.plan.jam.as_ref().map(|jam| jam.kind);
        Shape {
            innermost: self.site.nest.first + self.plan.order.last().copied().unwrap_or(0),
            is_vector: match &points.innermost {
                Innermost::Vector(_) => true,
                Innermost::Split(parts) => parts.iter().all(|(_, private)| private.is_some()),
                Innermost::Ranges(ranges) => ranges.iter().any(|range| range.private.is_some()),
                Innermost::Serial | Innermost::InStep => false,
            },
            has_register_tiles: points.register_tile.is_some()
                || points.updates.is_some()
                || kind == Some(JamKind::Columns),
            jam: kind,
            cores,
        }
    }

    /// The loops over tiles and over points, outermost first; members count from the root.
    fn loops(&self) -> Vec<TiledLoop> {
        let &PlannedBand { site: BandSite { band, nest, .. }, plan, .. } = self;
        let outer = &plan.outer;
        let innermost = plan.order.last().copied().unwrap_or(0);
        let mut loops: Vec<(usize, i64)> = match (&plan.sizes, outer.is_tiled) {
            (Some(sizes), true) => {
                let parallel = band.members.iter().position(|member| member.coincident);
                let others = (0..sizes.len()).filter(|&member| Some(member) != parallel);
                parallel.into_iter().chain(others).map(|member| (member, sizes[member])).collect()
            }
            (None, true) => vec![(innermost, DEFAULT_VECTOR_TILE)],
            (_, false) => Vec::new(),
        };
        loops.extend(self.point_loops());
        loops
            .into_iter()
            .map(|(member, step)| TiledLoop { member: nest.first + member, step })
            .collect()
    }

    /// The loops over points, and over strips and tiles of registers.
    fn point_loops(&self) -> Vec<(usize, i64)> {
        let single = |member: &usize| (*member, 1);
        let order = &self.plan.order;
        if let Some(tile) = &self.plan.points.register_tile {
            let Roles { row, column, sum } = tile.roles;
            let others = order.iter().filter(|member| ![row, column, sum].contains(*member));
            let inside =
                [(column, tile.columns), (row, tile.rows), (sum, 1), (row, 1), (column, 1)];
            return others.map(single).chain(inside).collect();
        }
        match (&self.plan.jam, &order[..]) {
            (Some(jam), [outer @ .., row, inner]) => {
                let inside = match jam.kind {
                    JamKind::Columns => [(*inner, jam.size), (*row, 1), (*inner, 1)],
                    JamKind::Sums | JamKind::Updates | JamKind::Recurrences => {
                        [(*row, jam.size), (*inner, 1), (*row, 1)]
                    }
                };
                outer.iter().map(single).chain(inside).collect()
            }
            _ => order.iter().map(single).collect(),
        }
    }

    /// How often a parallel loop is entered.
    fn parallel_entries(&self) -> f64 {
        let &PlannedBand { site: BandSite { nest, .. }, plan, .. } = self;
        let outer = &plan.outer;
        let values = |member: usize| nest.extent(member) as f64;
        let own = match (&outer.parallel, &plan.ranges) {
            (None, None) => return 0.0,
            (Some(parallel), _) if outer.is_tiled && parallel.position > 0 => {
                let sizes = plan.sizes.iter().flatten().map(|&size| size.max(1) as f64);
                sizes.enumerate().take(2).map(|(member, size)| values(member) / size + 1.0).sum()
            }
            (Some(_), _) if outer.is_tiled => 1.0,
            (Some(parallel), _) => {
                plan.order[..parallel.position].iter().map(|&m| values(m)).product()
            }
            (None, Some(split)) => {
                plan.order[..split.position].iter().map(|&m| values(m)).product()
            }
        };
        let outside: f64 = (0..nest.first).map(|dimension| nest.values(dimension) as f64).product();
        own * outside
    }
}
