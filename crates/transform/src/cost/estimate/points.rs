//! The points of a band: what they access, and the work that they are without waiting for memory.
use crate::cost::footprint::{ENTRY_CYCLES, Group, NEGLIGIBLE_PART, Store, steps};
use crate::cost::locality::{Stride, stride};
use crate::cost::nest::{Nest, NestStatement};
use crate::decision::JamKind;
use loopwright_exact::Row;
use loopwright_machine::Machine;
use loopwright_scop::Scop;

/// Cycles that an operation waits for the one before if it needs its result.
const LATENCY: f64 = 4.0;

/// Values of an innermost loop below which it counts as one without vectors: compilers unroll it, and find
/// the vectors in the unrolled code, or not, whichever of several short loops is the innermost one.
const SHORT_ROW: f64 = 9.0;

/// Cycles for a load or store of one vector, or of one element without vectors.
const ACCESS: f64 = 0.5;

/// Cycles for an element of a vector that is gathered from several lines, in a second level cache.
const GATHER: f64 = 1.0;

/// The same for arrays that do not fit there: no prefetcher brings the lines. Measured where rows of 4000
/// elements were read and written down their columns in tiles of 32 x 32: 8 to 17 cycles on two cores.
const FAR_GATHER: f64 = 8.0;

/// How much faster memory is read where several rows are read at a time
/// ([`crate::tile::unroll_and_jam::ROWS`] has the measurement).
const STREAMS: f64 = 1.7;

/// A line that is written is also loaded before, and written back.
const WRITTEN: f64 = 2.0;

/// The part of an array that some iterations touch.
pub(super) struct Touched {
    pub(super) array: usize,
    /// How it moves with the loops that all of these iterations have in common.
    pub(super) motion: Option<Vec<Vec<i64>>>,
    pub(super) sides: Option<Vec<i64>>,
    pub(super) units: f64,
    pub(super) finds_places: bool,
    /// The band that uses it.
    pub(super) band: usize,
    /// How much one line costs there.
    pub(super) weight: f64,
}

impl Touched {
    /// Whether these are the same elements of memory, nearly.
    pub(super) fn is_same(&self, other: &Touched) -> bool {
        self.array == other.array && self.motion == other.motion && self.sides == other.sides
    }
}

/// How the points of a band run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    /// The innermost member, counted from the root.
    pub(crate) innermost: usize,
    pub(crate) is_vector: bool,
    /// Whether results stay in registers.
    pub(crate) has_register_tiles: bool,
    /// What is gained by rows that run together.
    pub(crate) jam: Option<JamKind>,
    /// How many cores work, on average.
    pub(crate) cores: f64,
}

/// The points of a band.
#[derive(Clone, Debug)]
pub(crate) struct Points {
    /// The position of the band among all.
    pub(crate) band: usize,
    statements: Vec<PointStatement>,
    shape: Shape,
    lanes: f64,
    /// Values of the innermost loop.
    row: f64,
    /// The part of the box of the members that has points.
    density: f64,
}

#[derive(Clone, Debug)]
struct PointStatement {
    name: String,
    instances: f64,
    /// How often the innermost loop is entered.
    rows: f64,
    references: Vec<Reference>,
}

#[derive(Clone, Debug)]
struct Reference {
    group: Group,
    is_written: bool,
    /// Whether it touches more than a second level cache holds.
    is_far: bool,
    /// The stride along each member.
    strides: Vec<Stride>,
}

impl Points {
    /// The points of `nest`, whose members are those of all bands from the root on.
    pub(crate) fn new(
        nest: &Nest,
        shape: Shape,
        band: usize,
        scop: &Scop,
        machine: &Machine,
    ) -> Self {
        let most = nest.statements.iter().map(|s| s.instances).max().unwrap_or(1);
        let counts = nest.statements.iter().filter(|s| s.instances > most / NEGLIGIBLE_PART);
        let row = nest.extent(shape.innermost).max(1) as f64;
        let outer = (0..nest.n_members).filter(|&member| member != shape.innermost);
        let outer: Vec<(usize, i64)> = outer.map(|member| (nest.first + member, 1)).collect();
        let rows = |s: &NestStatement| match s.is_even() {
            true => s.instances as f64 / row,
            false => s.entries(&outer) as f64,
        };
        let statements = counts
            .map(|s| PointStatement {
                rows: rows(s),
                ..PointStatement::new(nest, s, scop, machine)
            })
            .collect();
        let values: f64 = (0..nest.n_members).map(|member| nest.extent(member) as f64).product();
        Points {
            band,
            statements,
            shape,
            lanes: (machine.vector_bytes / 8).max(1) as f64,
            row,
            density: (most as f64 / values.max(1.0)).min(1.0),
        }
    }

    /// The same on one core.
    pub(super) fn on_one_core(&self) -> Points {
        Points { shape: Shape { cores: 1.0, ..self.shape }, ..self.clone() }
    }

    /// The cycles without waiting for memory.
    pub(crate) fn cycles(&self) -> f64 {
        let work: f64 = self.statements.iter().map(|s| s.instances * self.point_cycles(s)).sum();
        let rows = self.statements.iter().map(|s| s.rows).fold(0.0, f64::max);
        (work + rows * ENTRY_CYCLES) / self.shape.cores
    }

    /// The cycles of one instance.
    fn point_cycles(&self, statement: &PointStatement) -> f64 {
        let Shape { innermost, is_vector, has_register_tiles, jam, .. } = self.shape;
        if has_register_tiles {
            return 1.0 / self.lanes;
        }
        if jam.is_none() && (!is_vector || self.row < SHORT_ROW) {
            return LATENCY + ACCESS * statement.references.len() as f64;
        }
        let access = |reference: &Reference| match reference.strides.get(innermost) {
            Some(Stride::Zero) => 0.0,
            Some(Stride::Unit) => ACCESS / self.lanes,
            _ if reference.is_far => FAR_GATHER,
            _ => GATHER,
        };
        1.0 / self.lanes + statement.references.iter().map(access).sum::<f64>()
    }

    /// What is touched while the members take `level` values.
    pub(super) fn touched(&self, level: &[i64], shared: usize, store: &Store) -> Vec<Touched> {
        let mut all: Vec<Touched> = Vec::new();
        let streams = if self.shape.jam.is_some() { STREAMS } else { 1.0 };
        for reference in self.statements.iter().flat_map(|statement| &statement.references) {
            let Reference { group, is_written, .. } = reference;
            let outer = |row: &Vec<i64>| row.iter().take(shared).copied().collect::<Vec<i64>>();
            let written = if *is_written { WRITTEN } else { 1.0 };
            let touched = Touched {
                array: group.array,
                motion: group.motion.as_ref().map(|rows| rows.iter().map(outer).collect()),
                sides: group.sides(level),
                units: group.units(level, store.unit),
                finds_places: group.finds_places(level, store),
                band: self.band,
                weight: written / streams * self.density / self.shape.cores,
            };
            match all.iter_mut().find(|known| known.is_same(&touched)) {
                Some(known) => known.weight = known.weight.max(touched.weight),
                None => all.push(touched),
            }
        }
        all
    }

    /// Each statement on its own, with the innermost loop that suits it best, in vectors, on all cores, and
    /// in registers if it accumulates.
    pub(super) fn apart(&self, machine: &Machine) -> Vec<(String, Points)> {
        let alone = |statement: &PointStatement| {
            let n = statement.references.first().map_or(0, |reference| reference.strides.len());
            let has_register_tiles = self.shape.has_register_tiles || statement.accumulates();
            let with = |innermost: usize| {
                let cores = self.shape.cores.max(machine.cores as f64);
                let shape =
                    Shape { innermost, is_vector: true, has_register_tiles, cores, ..self.shape };
                let Points { band, lanes, row, density, .. } = *self;
                Points { band, statements: vec![statement.clone()], shape, lanes, row, density }
            };
            let best = (0..n).map(with).min_by(|a, b| a.cycles().total_cmp(&b.cycles()));
            (statement.name.clone(), best.unwrap_or_else(|| with(self.shape.innermost)))
        };
        self.statements.iter().map(alone).collect()
    }
}

impl PointStatement {
    fn new(nest: &Nest, statement: &NestStatement, scop: &Scop, machine: &Machine) -> Self {
        let steps = steps(nest, statement);
        let extents: Vec<i64> = (0..nest.n_members).map(|member| nest.extent(member)).collect();
        let (line, cache) = (machine.cache_line_bytes as f64, machine.l2_bytes as f64);
        let along = |access, step: &Row| stride(access, step);
        let mut references: Vec<Reference> = Vec::new();
        for access in &statement.accesses {
            let group = Group::new(access, steps.as_deref(), scop);
            let strides = steps.iter().flatten().map(|step| along(access, step)).collect();
            match references.iter_mut().find(|known| known.group == group) {
                Some(known) => known.is_written |= access.is_write,
                None => {
                    let is_far = group.units(&extents, line) * line > cache;
                    let is_written = access.is_write;
                    references.push(Reference { group, is_written, is_far, strides });
                }
            }
        }
        let name = statement.statement.name.to_string();
        PointStatement { name, instances: statement.instances as f64, rows: 1.0, references }
    }

    /// Whether it moves with three loops, with one of which its result stays.
    fn accumulates(&self) -> bool {
        let moves = |member: usize| {
            self.references
                .iter()
                .any(|r| r.strides.get(member).is_some_and(|s| *s != Stride::Zero))
        };
        let n = self.references.first().map_or(0, |reference| reference.strides.len());
        let moving: Vec<usize> = (0..n).filter(|&member| moves(member)).collect();
        let stays = |r: &Reference| {
            r.is_written
                && moving.iter().any(|&member| r.strides.get(member) == Some(&Stride::Zero))
        };
        moving.len() >= 3 && self.references.iter().any(stays)
    }
}
