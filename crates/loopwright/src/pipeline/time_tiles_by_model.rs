//! Whether a region on a device gets tiles over time, by the model of `loopwright_device::Stencil`: where a
//! step in tiles takes less time than one with a launch for each kernel.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::run::{Run, stage_budget_by};
use crate::pipeline::without_kills::executable_part;
use loopwright_device::{Stencil, StencilArray, StencilStatement, TimeTile, kernel_parts};
use loopwright_presburger::{Aff, DimKind, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{AccessKind, ArrayId, OperationKind, Scop, Statement};
use loopwright_transform::cost::trip_counts::Nominal;
use loopwright_transform::overlapped::{Growth, Prospect, prospect};

/// How many tiles are tried, the cheapest ones first: the model knows their memory but for some elements.
const CANDIDATES: usize = 4;

/// The same for hexagons, whose boxes are known but for some places, and whose proofs take longer.
const HEXAGONS: usize = 2;

/// By how much hexagons have to be better than launches for each step and than overlapped tiles: their blocks
/// have tiles in turn, of which the model knows least.
const CLEARLY: f64 = 1.25;

/// Operations that a division takes.
const DIVISION: u64 = 8;

/// Tiles that are better than launches for each step.
pub(crate) struct BetterTiles {
    /// Their shape.
    pub(crate) shape: TimeTiles,
    /// Sizes, the number of steps first, the cheapest ones first.
    pub(crate) candidates: Vec<Vec<i64>>,
    /// How much better they are, in a sentence.
    pub(crate) sentence: String,
}

/// Shapes of tiles over time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeTiles {
    /// Tiles repeat what they need of their neighbours.
    Overlapped,
    /// Nothing is repeated, and tiles of other dimensions run one after the other.
    Hexagons,
}

impl TimeTiles {
    fn name(self) -> &'static str {
        match self {
            TimeTiles::Overlapped => "overlapped ones",
            TimeTiles::Hexagons => "hexagons",
        }
    }
}

/// The tiles over time that a region may get for its kernels in `tree`, with launches from a loop on the
/// host, the cheapest first; nothing if they are no better.
///
/// # Errors
/// Those of operations on sets.
pub(crate) fn better_tiles(
    analysed: &Analysed,
    tree: &ScheduleTree,
    run: Run<'_>,
) -> Result<Vec<BetterTiles>> {
    let scop = &analysed.region.scop;
    let launches = launches_in_loops(tree)?;
    if launches == 0 {
        return Ok(Vec::new());
    }
    let own = executable_part(scop, &scop.schedule)?;
    let found = prospect(&own, scop, &analysed.dependences, &stage_budget_by(run.options))?;
    let Ok(prospect) = found else { return Ok(Vec::new()) };
    let Some(stencil) = stencil(scop, &prospect, launches) else { return Ok(Vec::new()) };
    let device = &run.options.devices.device;
    let launched = stencil.launched(device);
    let mut shapes = vec![
        (TimeTiles::Overlapped, stencil.cheapest(device)),
        (TimeTiles::Hexagons, stencil.cheapest_hexagons(device)),
    ];
    shapes.retain(|(_, tiles)| !tiles.is_empty());
    shapes.sort_by(|(_, a), (_, b)| a[0].nanoseconds.total_cmp(&b[0].nanoseconds));
    // What is first has to be better than the others by more than the model knows.
    let is_clear = |nanoseconds: f64| {
        let others = shapes[1..].iter().map(|(_, tiles)| tiles[0].nanoseconds);
        others.chain([launched]).all(|other| nanoseconds * CLEARLY < other)
    };
    if let [(TimeTiles::Hexagons, tiles), ..] = &shapes[..]
        && !is_clear(tiles[0].nanoseconds)
    {
        shapes.rotate_left(1);
    }
    let gain = |tiles: &[TimeTile]| launched / tiles[0].nanoseconds;
    let each = shapes.iter().map(|(shape, tiles)| {
        let others = shapes.iter().filter(|(other, _)| other != shape);
        let others = others.map(|(other, tiles)| {
            format!(", {} {:.1} times", other.name(), gain(tiles))
        });
        let sentence = format!(
            "tiles over time: modelled {:.1} times as fast as a launch for each step{} (--no-time-tiles switches them off)",
            gain(tiles),
            others.collect::<String>()
        );
        let (least, most) = match shape {
            TimeTiles::Overlapped => (1.0, CANDIDATES),
            TimeTiles::Hexagons => (CLEARLY, HEXAGONS),
        };
        let is_better = |tile: &&TimeTile| tile.nanoseconds * least < launched;
        let better = tiles.iter().filter(is_better).take(most);
        let candidates = better.map(|tile| tile.sizes.clone()).collect();
        BetterTiles { shape: *shape, candidates, sentence }
    });
    Ok(each.filter(|tiles| !tiles.candidates.is_empty()).collect())
}

/// The number of kernels with a loop of the host around them.
fn launches_in_loops(tree: &ScheduleTree) -> Result<u64> {
    let mut launches = 0;
    for kernel in kernel_parts(tree)? {
        let host = tree.prefix_schedule(&kernel.path)?.range();
        launches += u64::from(host.sets().iter().any(|set| set.n_dims() > 0));
    }
    Ok(launches)
}

/// What the model knows of a region; none if that is not enough.
fn stencil(scop: &Scop, prospect: &Prospect, launches: u64) -> Option<Stencil> {
    let Prospect { growth, arrays, carried } = prospect;
    let statements = growth.statements.iter().enumerate();
    let statements = statements.map(|(position, id)| {
        statement(scop, scop.statement(*id), arrays, beyond(growth, position))
    });
    let n = growth.sides.len();
    let of_array = |array: &ArrayId| {
        let writers = growth.statements.iter().enumerate().filter(|(_, id)| {
            let accesses = &scop.statement(**id).accesses;
            accesses.iter().any(|access| access.array == *array && access.kind != AccessKind::Read)
        });
        let beyond = writers.map(|(position, _)| beyond(growth, position));
        let widest = beyond.fold(vec![0; n], |widest: Vec<i64>, own| {
            widest.iter().zip(&own).map(|(a, b)| *a.max(b)).collect()
        });
        let planes = if scop.array(*array).extents.len() > n { 2 } else { 1 };
        let bytes = planes * bytes_of(scop, *array);
        StencilArray { bytes, is_carried: carried.contains(array), beyond: widest }
    };
    let per_step =
        growth.sides.iter().map(|sides| sides.iter().map(|s| s.per_step).sum()).collect();
    Some(Stencil {
        extents: extents(scop, growth),
        launches,
        statements: statements.collect::<Option<_>>()?,
        arrays: arrays.iter().map(of_array).collect(),
        per_step,
    })
}

/// By how much a statement reaches beyond a block, along each dimension.
fn beyond(growth: &Growth, position: usize) -> Vec<i64> {
    let of = |side: &loopwright_transform::overlapped::Side| side.last[position];
    growth.sides.iter().map(|sides| sides.iter().map(of).sum()).collect()
}

fn bytes_of(scop: &Scop, array: ArrayId) -> u64 {
    scop.array(array).element_bytes.unwrap_or(8).max(1)
}

fn statement(
    scop: &Scop,
    statement: &Statement,
    of_tiles: &[ArrayId],
    beyond: Vec<i64>,
) -> Option<StencilStatement> {
    let elements = statement.body.elements();
    let accessed = elements.iter().map(|element| element.array);
    let accessed: Vec<ArrayId> = accessed.filter(|id| !scop.array(*id).is_scalar()).collect();
    let mut once: Vec<(ArrayId, bool)> = statement
        .accesses
        .iter()
        .filter(|access| accessed.contains(&access.array))
        .map(|access| (access.array, access.kind != AccessKind::Read))
        .collect();
    once.sort_unstable();
    once.dedup();
    let outside = once.iter().filter(|(array, _)| !of_tiles.contains(array));
    let count = statement.body.operations(scop);
    let operations = OperationKind::ALL.into_iter().filter(|kind| kind.is_floating());
    let price = |kind: OperationKind| match kind {
        OperationKind::Divide | OperationKind::SquareRoot => DIVISION,
        _ => 1,
    };
    Some(StencilStatement {
        bytes: once.iter().map(|(array, _)| bytes_of(scop, *array)).sum(),
        accessed_bytes: accessed.iter().map(|array| bytes_of(scop, *array)).sum(),
        outside_bytes: outside.map(|(array, _)| bytes_of(scop, *array)).sum(),
        operations: operations.map(|kind| count.at_least(kind).saturating_mul(price(kind))).sum(),
        beyond,
    })
}

/// Places along each dimension of the data, at assumed sizes.
fn extents(scop: &Scop, growth: &Growth) -> Vec<i64> {
    let nominal = Nominal::of_scop(scop);
    let of_dimension = |dimension: usize| {
        let of_statement = |id: &loopwright_scop::StatementId| {
            let fixed = nominal.fix(&scop.statement(*id).domain);
            nominal.extent(&fixed, &Aff::variable(fixed.space(), DimKind::Out, 1 + dimension))
        };
        growth.statements.iter().map(of_statement).max().unwrap_or(1)
    };
    (0..growth.sides.len()).map(of_dimension).collect()
}
