//! The tile graphs of a region for sizes that double.
use super::{
    GraphFigures, ParameterGrowth, RegionScalability, ScalabilityOptions, TilingScalability,
};
use crate::pipeline::analysis::Analysed;
use crate::pipeline::run::stage_budget_by;
use crate::pipeline::without_kills::executed_instances;
use crate::report::each_region::schedule_or_own_order;
use crate::report::scalability::zoid_tiles::{MORE_DOUBLINGS, waves, zoid_tiles};
use crate::settings::options::CompileOptions;
use loopwright_presburger::{Budget, DimKind, Error, Int, Result, Set, Space, UnionMap};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Array, Scop};
use loopwright_transform::cache_oblivious::{ZoidProgram, Zoids, zoids};
use loopwright_transform::scalability::growth::Scaling;
use loopwright_transform::scalability::tile_graph::TileGraph;
use loopwright_transform::scalability::tiled_tree::{shaped_tree, tiled_tree};
use loopwright_transform::scalability::wave_function::WaveFunction;
use loopwright_transform::{ConcurrentStart, Tiling};

/// Steps for waves as functions of the parameters: less than a second.
const COUNTING_STEPS: u64 = 2_000_000;

/// Why there are no tiles.
const NO_BAND: &str = "there is no permutable band to be tiled";

/// Tiles of a region.
#[derive(Clone, Copy)]
enum Tiles<'t> {
    /// A relation with parameters.
    Relation(&'t UnionMap),
    /// Zoids, which are known for values of the parameters.
    Zoids(&'t ZoidProgram),
}

/// What is the same for all graphs of a region.
struct Looked<'a> {
    analysed: &'a Analysed,
    scop: &'a Scop,
    options: &'a CompileOptions,
    wanted: &'a ScalabilityOptions,
    flow: UnionMap,
}

/// Looks at a region.
pub(super) fn of_region(
    analysed: &Analysed,
    options: &CompileOptions,
    wanted: &ScalabilityOptions,
) -> Result<RegionScalability> {
    let Analysed { region, dependences, .. } = analysed;
    let scop = &region.scop;
    let instances = executed_instances(scop)?;
    let flow = dependences.flow_map()?.intersect_domain(&instances)?.intersect_range(&instances)?;
    let looked = Looked { analysed, scop, options, wanted, flow };
    let mut notes = analysed.remarks.clone();
    let tree = schedule_or_own_order(analysed, options, &mut notes)?;
    let points =
        looked.tiling("dataflow", Tiles::Relation(&UnionMap::identity_on(&instances)), None)?;
    let all = analysed.dependences.flow_map()?.union(&analysed.dependences.memory_map()?)?;
    let mut tilings = match wanted.tiling {
        Some(tiling) => {
            looked.shape(&tree, tiling, &all, &points, &mut notes)?.into_iter().collect()
        }
        None => looked.rectangles_and_diamonds(&tree, &all, &points, &mut notes)?,
    };
    tilings.insert(0, points);
    let short = |tiling: &&TilingScalability| tiling.graph.is_none();
    notes.extend(tilings.iter().filter(short).map(|tiling| {
        format!("{}: no figures: a limit was reached, or tiles wait for each other", tiling.name)
    }));
    let is_data = |name: &str| is_data_dimension(scop, name);
    let parameters = scop.parameters.iter();
    let parameters = parameters.map(|p| (p.name.to_string(), is_data(&p.name))).collect();
    Ok(RegionScalability {
        function: region.function.clone(),
        lines: (region.first_line, region.last_line),
        parameters,
        tilings,
        notes,
    })
}

/// Whether a tiling is one of those before.
fn is_known(known: &[UnionMap], tiles: &UnionMap, budget: &Budget) -> Result<bool> {
    for before in known {
        match before.is_equal(tiles, budget) {
            Err(Error::Exceeded { .. }) | Ok(false) => {}
            other => return other,
        }
    }
    Ok(false)
}

/// Whether an extent of an array depends on a parameter.
fn is_data_dimension(scop: &Scop, parameter: &str) -> bool {
    let names = |set: &Set| {
        let at = set.find_param(parameter);
        at.is_some_and(|at| set.involves_dims(DimKind::Param, at, 1))
    };
    let is_large = |array: &&Array| !array.is_scalar();
    let of_extents = scop.arrays.iter().filter(is_large).any(|array| {
        array.extents.iter().flatten().any(|extent| {
            let at = extent.space().find_param(parameter);
            at.is_some_and(|at| extent.involves_dims(DimKind::Param, at, 1))
        })
    });
    // Extents of pointers are not known: there the subscripts say it.
    of_extents
        || scop.statements.iter().flat_map(|statement| &statement.accesses).any(|access| {
            let array = scop.array(access.array);
            is_large(&array)
                && array.extents.iter().any(Option::is_none)
                && names(&access.relation.range())
        })
}

impl Looked<'_> {
    /// The tiles that bands of the tree allow with hyperplanes as they are, and with concurrent start.
    fn rectangles_and_diamonds(
        &self,
        tree: &ScheduleTree,
        dependences: &UnionMap,
        points: &TilingScalability,
        notes: &mut Vec<String>,
    ) -> Result<Vec<TilingScalability>> {
        let (mut tilings, mut known) = (Vec::new(), Vec::new());
        let starts = [
            ("rectangles", ConcurrentStart::None),
            ("diamonds, one side", ConcurrentStart::Partial),
            ("diamonds, all sides", ConcurrentStart::Full),
        ];
        for (name, start) in starts {
            let budget = stage_budget_by(self.options);
            let tiled = match tiled_tree(tree, self.wanted.tile_size, start, dependences, &budget) {
                Err(error @ Error::Exceeded { .. }) => {
                    notes.push(format!("{name}: {error}"));
                    continue;
                }
                tiled => tiled?,
            };
            if start == ConcurrentStart::None && !tiled.has_tiles {
                notes.push(NO_BAND.to_string());
            } else if start == ConcurrentStart::None
                || tiled.starts_concurrently && !is_known(&known, &tiled.tiles, &budget)?
            {
                known.push(tiled.tiles.clone());
                tilings.push(self.tiling(name, Tiles::Relation(&tiled.tiles), Some(points))?);
            }
        }
        Ok(tilings)
    }

    /// The tiles of a shape, those that `compile --tiling` makes; none, with a note, if it makes none.
    fn shape(
        &self,
        tree: &ScheduleTree,
        tiling: Tiling,
        dependences: &UnionMap,
        points: &TilingScalability,
        notes: &mut Vec<String>,
    ) -> Result<Option<TilingScalability>> {
        let budget = stage_budget_by(self.options);
        let sizes = self.wanted.sizes_of(tiling);
        if tiling == Tiling::CacheOblivious {
            return self.recursion(tree, &sizes, points, notes);
        }
        let reason = match shaped_tree(tree, tiling, &sizes, dependences, &budget) {
            Err(error @ Error::Exceeded { .. }) => error.to_string(),
            tiled => match tiled? {
                Ok(tiled) if tiled.has_tiles => {
                    let tiles = Tiles::Relation(&tiled.tiles);
                    return self.tiling(tiling.name(), tiles, Some(points)).map(Some);
                }
                Ok(_) => NO_BAND.to_string(),
                Err(refusal) => refusal.to_string(),
            },
        };
        notes.push(format!("no {} tiles: {reason}", tiling.name()));
        Ok(None)
    }

    /// The zoids of a recursion; none, with a note, if there is none.
    fn recursion(
        &self,
        tree: &ScheduleTree,
        sizes: &[i64],
        points: &TilingScalability,
        notes: &mut Vec<String>,
    ) -> Result<Option<TilingScalability>> {
        let Analysed { region, dependences, .. } = self.analysed;
        let (name, budget) = (Tiling::CacheOblivious.name(), stage_budget_by(self.options));
        let found = zoids(tree, self.scop, dependences, sizes, &region.used_names, &budget)?;
        let program = match found {
            Zoids::Found(program) => program,
            Zoids::Refused(reason) => {
                notes.push(format!("no {name} tiles: {reason}"));
                return Ok(None);
            }
        };
        for parameter in &self.scop.parameters {
            let mut counts = Vec::new();
            for size in self.doubled(MORE_DOUBLINGS) {
                let value = |name: &str| self.value(name, Some((&parameter.name, size)));
                let Some(count) = waves(&program, &value, &budget)? else { break };
                counts.push(count.to_string());
            }
            let name = &parameter.name;
            notes.push(format!(
                "phases of the recursion, which wait for all tasks of the one before: {name} doubled: {}",
                counts.join(" ")
            ));
        }
        self.tiling(name, Tiles::Zoids(&program), Some(points)).map(Some)
    }

    /// The values of a parameter that are looked at.
    fn doubled(&self, more: u32) -> impl Iterator<Item = i64> {
        let least = self.wanted.least;
        let factor = |doubling: u32| 1i64.checked_shl(doubling).unwrap_or(i64::MAX);
        (0..=self.wanted.doublings.saturating_add(more))
            .map(move |doubling| least.saturating_mul(factor(doubling)))
    }

    /// The value of a parameter, where one may be another than the least.
    fn value(&self, name: &str, grown: Option<(&str, i64)>) -> i64 {
        let own = grown.filter(|(grown, _)| *grown == name).map(|(_, size)| size);
        own.unwrap_or(self.wanted.least)
    }

    /// The figures of one tiling; `points` is what its growth is compared with, itself if there is none.
    fn tiling(
        &self,
        name: &'static str,
        tiles: Tiles<'_>,
        points: Option<&TilingScalability>,
    ) -> Result<TilingScalability> {
        let graph = self.graph(tiles, None)?.and_then(|graph| self.figures(&graph));
        let mut growth = Vec::new();
        for parameter in &self.scop.parameters {
            let mut grown = self.growth(tiles, &parameter.name)?;
            let of_points = points
                .and_then(|points| points.growth.iter().find(|p| p.parameter == grown.parameter));
            let of_points = of_points.map_or(&grown.work_spans, |points| &points.work_spans);
            // Of points fewer sizes may be known, of which the last ones say what others would.
            let known = grown.sizes.len();
            let of_points = &of_points[..known.min(of_points.len())];
            grown.scaling = (known.min(of_points.len()) >= 3)
                .then(|| Scaling::of(of_points, &grown.work_spans));
            growth.push(grown);
        }
        let n_waves = match tiles {
            Tiles::Relation(tiles) => self.n_waves(tiles)?,
            Tiles::Zoids(_) => None,
        };
        Ok(TilingScalability { name, graph, growth, n_waves })
    }

    /// The number of waves for all sizes, if tiles run in diagonals and chains as long are in them.
    fn n_waves(&self, tiles: &UnionMap) -> Result<Option<String>> {
        let Some(map) = tiles.maps().first() else { return Ok(None) };
        let coordinates: Vec<String> =
            (0..map.space().n(DimKind::Out)).map(|at| format!("c{at}")).collect();
        if map.space().output().and_then(|tuple| tuple.name()).is_some() || coordinates.is_empty() {
            return Ok(None);
        }
        let (list, sum) = (coordinates.join(", "), coordinates.join(" + "));
        let wave = UnionMap::parse(&format!("{{ [{list}] -> [{sum}] }}"))?;
        let budget = Budget::steps(COUNTING_STEPS);
        let counted = || {
            let flow = self.flow.intersect_params_within(&self.scop.context, &budget)?;
            let tiles = tiles.intersect_params_within(&self.scop.context, &budget)?;
            WaveFunction::new(&flow, &tiles, &wave, &budget)
        };
        match counted() {
            Err(Error::Exceeded { .. }) => Ok(None),
            waves => Ok(waves?.filter(|w| w.is_attained).map(|w| w.n_waves.to_string())),
        }
    }

    fn growth(&self, tiles: Tiles<'_>, parameter: &str) -> Result<ParameterGrowth> {
        let (mut sizes, mut waves, mut work_spans) = (Vec::new(), Vec::new(), Vec::new());
        let more = match tiles {
            Tiles::Relation(_) => 0,
            Tiles::Zoids(_) => MORE_DOUBLINGS,
        };
        for size in self.doubled(more) {
            let graph = self.graph(tiles, Some((parameter, size)))?;
            let Some(found) = graph.and_then(|graph| graph.waves()) else { break };
            sizes.push(size);
            waves.push(found.widths.n_waves() as u64);
            work_spans.push(found.work_span);
        }
        let parameter = parameter.to_string();
        Ok(ParameterGrowth { parameter, sizes, waves, work_spans, scaling: None })
    }

    /// The graph with all parameters but one at their least values; none if a limit is reached.
    fn graph(&self, tiles: Tiles<'_>, grown: Option<(&str, i64)>) -> Result<Option<TileGraph>> {
        let names: Vec<_> = self.scop.parameters.iter().map(|p| p.name.clone()).collect();
        let all = Set::universe(Space::params(&names));
        let values = names.iter().enumerate().fold(all, |set, (at, name)| {
            set.fix(DimKind::Param, at, &Int::from(self.value(name, grown)))
        });
        let budget = stage_budget_by(self.options);
        let listed = || {
            let flow = self.flow.intersect_params_within(&values, &budget)?;
            let tiles = self.relation(tiles, grown, &budget)?;
            let tiles = tiles.intersect_params_within(&values, &budget)?;
            TileGraph::new(&flow, &tiles, self.wanted.limit, &budget)
        };
        match listed() {
            Err(Error::Exceeded { .. }) => Ok(None),
            graph => graph.map(Some),
        }
    }

    /// Tiles as a relation from instances.
    fn relation(
        &self,
        tiles: Tiles<'_>,
        grown: Option<(&str, i64)>,
        budget: &Budget,
    ) -> Result<UnionMap> {
        match tiles {
            Tiles::Relation(tiles) => Ok(tiles.clone()),
            Tiles::Zoids(program) => {
                let zoids = zoid_tiles(program, &|name: &str| self.value(name, grown), budget)?;
                zoids.ok_or_else(|| budget.exceeded("unfolding a recursion"))
            }
        }
    }

    fn figures(&self, graph: &TileGraph) -> Option<GraphFigures> {
        let waves = graph.waves()?;
        let makespans = self.wanted.processors.iter().map(|&processors| {
            let without_barriers = graph.list_makespan(processors)?;
            Some((processors, waves.widths.makespan(processors), without_barriers))
        });
        Some(GraphFigures {
            n_instances: graph.n_instances,
            redundancy: graph.redundancy(),
            makespans: makespans.collect::<Option<_>>()?,
            work_span: waves.work_span,
            widths: waves.widths,
        })
    }
}
