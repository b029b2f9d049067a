//! All choices of a compilation, as one value.
use crate::profile::settings::Profiling;
use crate::settings::choices::Choices;
use crate::settings::devices::DeviceOptions;
use crate::settings::embedding::Embedding;
use crate::settings::multifor::MultiforOptions;
use crate::settings::transformation::Plugin;
use loopwright_amounts::Sizes;
use loopwright_astgen::Strategy;
use loopwright_backend::device::Language;
use loopwright_backend::{Synchronisation, Target, VectorPragma};
use loopwright_interchange::Format;
use loopwright_machine::Machine;
use loopwright_scheduler::Fuse;
use loopwright_transform::{ConcurrentStart, TileSizes, Tiling};
use std::collections::BTreeMap;

/// Which schedule is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheduler {
    /// Bands by integer programming.
    Pluto,
    /// One carrying loop at a time.
    Feautrier,
    /// The program's own order.
    None,
    /// The schedule tree with this text, in isl's notation.
    Given(String),
    /// The program's own order, edited by this script (see `loopwright_mappings::Script`).
    Transformed(String),
}

impl Scheduler {
    /// Whether the user has said what the order is, so that an illegal one is an error.
    pub(crate) fn is_given(&self) -> bool {
        matches!(self, Scheduler::Given(_) | Scheduler::Transformed(_))
    }

    /// Whether a schedule is looked for, so that there is another one to fall back to.
    pub(crate) fn is_searched(&self) -> bool {
        matches!(self, Scheduler::Pluto | Scheduler::Feautrier)
    }
}

/// How it is decided which statements share loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fusion {
    /// By what the schedules of several rules are estimated to cost (docs/scheduling.md).
    Model,
    /// By this rule of the scheduler.
    Rule(Fuse),
}

impl Fusion {
    /// The rule of the first schedule.
    pub(crate) fn first_rule(self) -> Fuse {
        match self {
            Fusion::Model => Fuse::Smart,
            Fusion::Rule(rule) => rule,
        }
    }
}

/// Whether the new text of a region is timed against the text as it was when the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Adaptive {
    /// The new text always runs where its conditions hold.
    Never,
    /// Where the model does not know which text is faster.
    #[default]
    Unsure,
    /// For all regions that get new text.
    Always,
}

/// How many cells arrays have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Storage {
    /// One for each element.
    #[default]
    Keep,
    /// Fewer, where nobody sees the values after the region and they stay until their last use
    /// (docs/storage.md).
    Contract,
    /// A copy of arrays per iteration of the loops that none of their values crosses, so that iterations need
    /// not wait for each other.
    Expand,
}

/// By what it is decided which values flow where.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DataflowBy {
    /// By what statements access.
    #[default]
    Accesses,
    /// Also by the conditions on data under which they do (docs/dataflow.md).
    Parametric,
}

/// A stage whose result can be printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The polyhedral model.
    Scop,
    /// The polyhedral model in a format of other tools.
    ScopIn(Format),
    /// The polyhedral model in a format of other tools, with the final schedule as its order.
    ScheduleIn(Format),
    /// The dependences.
    Deps,
    /// What the scheduler has to respect, in isl's form of schedule constraints.
    Constraints,
    /// The final schedule tree.
    Schedule,
    /// The final schedule as one mapping per statement, as scripts of edits see it.
    Mapping,
    /// The syntax tree.
    Ast,
    /// The C text.
    Code,
    /// The program's own text, with multifor statements in place of regions: [`crate::multifor_of_file`].
    Multifor,
    /// Regions as networks of processes: [`crate::network_of_file`].
    Network(NetworkFormat),
}

/// How networks of processes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkFormat {
    /// Processes and channels as JSON.
    Json,
    /// Graphs in the language of Graphviz.
    Dot,
    /// A program with POSIX threads.
    C,
}

/// All choices of a compilation.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// How the file is preprocessed.
    pub front_end: loopwright_cfront::Options,
    /// What is printed.
    pub target: Target,
    /// The language of kernels, if regions are to run on a device; those that do not fit there are printed
    /// for the target.
    pub device: Option<Language>,
    /// Whether kernels may keep results of threads in registers, and other values in memory of threads and
    /// blocks.
    pub device_registers: bool,
    /// Whether kernels may keep operands in memory that the threads of a block share; only with registers for
    /// results.
    pub shared_memory: bool,
    /// Whether a loop over time around kernels may become tiles of several steps, in memory that the threads
    /// of a block share, where that is modelled to be faster.
    pub time_tiles: bool,
    /// Whether kernels that follow each other, and those of host loops, may be one launch with barriers
    /// across blocks.
    pub persistent_kernels: bool,
    /// What is chosen for regions on a device.
    pub devices: DeviceOptions,
    /// What stands before vector loops.
    pub vector_pragma: VectorPragma,
    /// Tile sizes.
    pub tile_sizes: TileSizes,
    /// Tile sizes of single bands instead, by the band's position in the region's report.
    pub band_tiles: BTreeMap<usize, TileSizes>,
    /// The shape of tiles, if it is asked for: then a region has such tiles or is refused.
    pub tiling: Option<Tiling>,
    /// Whether the sizes of tiles are chosen when the program runs; then all bands that may be permuted are
    /// tiled.
    pub parametric_tiles: bool,
    /// Which tiles without independent loops may start concurrently.
    pub concurrent_start: ConcurrentStart,
    /// Whether tiles on diagonals run as a pipeline of rows, without barriers.
    pub point_to_point: bool,
    /// Whether such tiles are tasks of OpenMP.
    pub tasks: bool,
    /// Tiles of tiles (see `loopwright_transform::Options`); empty for one level.
    pub tile_factors: Vec<i64>,
    /// The machine that the code is to be fast on.
    pub machine: Machine,
    /// Which statements share loops.
    pub fuse: Fusion,
    /// The other choices of the scheduler; its algorithm and fusion are those named here.
    pub scheduling: loopwright_scheduler::Options,
    /// Whether a schedule with parallel loops inside a sequential one is tried as well where the
    /// deepest bands leave statements without tiled or parallel loops.
    pub second_attempt: bool,
    /// Whether chains of statements are scheduled as one (see `loopwright_scheduler::Grouping`).
    pub group_chains: bool,
    /// Whether results that accumulate may be kept in registers by a further level of tiles.
    pub register_tiles: bool,
    /// Whether the scheduler also brings together instances that read the same value.
    pub input_reuse: bool,
    /// Where the schedule comes from.
    pub scheduler: Scheduler,
    /// How loops are generated.
    pub strategy: Strategy,
    /// Whether instances that do not matter for what is seen after the region are left out.
    pub eliminate_dead_code: bool,
    /// Whether updates by associative and commutative operators may run in any order.
    pub reassociate: bool,
    /// Whether regions are left as they were.
    pub unchanged: bool,
    /// Whether the other regions of a file are compiled where some are refused.
    pub keep_going: bool,
    /// Whether parts of statements may be packed into panels (see `loopwright_transform::packing`).
    pub panels: bool,
    /// Whether scalars may be expanded (see `loopwright_transform::expansion`).
    pub expansion: bool,
    /// How many cells arrays have.
    pub storage: Storage,
    /// By what it is decided which values flow where.
    pub dataflow: DataflowBy,
    /// What holds for symbolic constants: a set in isl's notation.
    pub context: Option<String>,
    /// Whether symbolic constants are taken not to be negative.
    pub non_negative_parameters: bool,
    /// Whether arrays are said to have elements for all iterations of loops that end early, up to their
    /// bounds.
    pub assume_readable: bool,
    /// Whether the result is proved.
    pub verify: bool,
    /// Whether a schedule is looked for; if not, tiles and parallel loops are those of the program's own
    /// order.
    pub reschedule: bool,
    /// Whether live ranges of different values in one place of memory may change their order, where they stay
    /// apart.
    pub live_range_reordering: bool,
    /// Whether regions get new loops where nothing is gained, and for all sizes: also those for which the
    /// text as it was is as fast.
    pub always_rewrite: bool,
    /// Which regions are timed when they run first.
    pub adaptive: Adaptive,
    /// What there is to do with profiles.
    pub profiling: Profiling,
    /// Transformations of the user's own, applied to the schedule that is found, in this order.
    pub transformations: Vec<Plugin>,
    /// What holds for single regions instead.
    pub choices: Choices,
    /// What is done with multifor statements.
    pub multifor: MultiforOptions,
    /// Whether the report says how much regions compute and touch, and at which sizes.
    pub amounts: Option<Sizes>,
    /// How the result becomes part of a translation unit that is compiled at once.
    pub embedding: Embedding,
}

impl CompileOptions {
    /// OpenMP code for the machine this runs on, with default tiles, smart fusion and proofs.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        CompileOptions {
            front_end: loopwright_cfront::Options::default(),
            target: Target::OpenMp,
            device: None,
            device_registers: true,
            shared_memory: true,
            time_tiles: true,
            persistent_kernels: true,
            devices: DeviceOptions::default(),
            vector_pragma: VectorPragma::OpenMp,
            tile_sizes: TileSizes::Default,
            band_tiles: BTreeMap::new(),
            tiling: None,
            parametric_tiles: false,
            concurrent_start: ConcurrentStart::default(),
            point_to_point: true,
            tasks: false,
            tile_factors: Vec::new(),
            machine: Machine::detect(),
            fuse: Fusion::Model,
            scheduling: loopwright_scheduler::Options::tiling(),
            second_attempt: true,
            group_chains: true,
            register_tiles: true,
            input_reuse: false,
            scheduler: Scheduler::Pluto,
            strategy: Strategy::Components,
            eliminate_dead_code: false,
            reassociate: false,
            unchanged: false,
            keep_going: true,
            panels: true,
            expansion: true,
            storage: Storage::Keep,
            dataflow: DataflowBy::Accesses,
            context: None,
            non_negative_parameters: false,
            assume_readable: false,
            verify: true,
            reschedule: true,
            live_range_reordering: true,
            always_rewrite: false,
            adaptive: Adaptive::default(),
            profiling: Profiling::default(),
            transformations: Vec::new(),
            choices: Choices::default(),
            multifor: MultiforOptions::default(),
            amounts: None,
            embedding: Embedding::default(),
        }
    }
}

impl CompileOptions {
    /// How tiles wait that need those of earlier rows and steps.
    pub(crate) fn synchronisation(&self) -> Synchronisation {
        match (self.tasks, self.point_to_point) {
            (true, _) => Synchronisation::Tasks,
            (false, true) => Synchronisation::PointToPoint,
            (false, false) => Synchronisation::Barrier,
        }
    }

    /// How a C file is read for this target.
    pub(crate) fn reading(&self) -> loopwright_cfront::Options {
        let openmp = self.target == Target::OpenMp;
        loopwright_cfront::Options { openmp, ..self.front_end.clone() }
    }
}
