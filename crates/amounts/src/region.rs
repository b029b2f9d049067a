//! All amounts of a region.
use crate::balance::{LoopBalance, parallel_loops};
use crate::operations::{OperationAmount, StatementAmounts, of_all};
use crate::roofline::Roofline;
use crate::sizes::Sizes;
use crate::tiles::{TileAmounts, tiles};
use crate::touched::{ArrayAmounts, Reference, arrays};
use loopwright_machine::Machine;
use loopwright_presburger::Int;
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ElementKind, FloatingType, Scop, Statement};

/// What a region computes and touches.
#[derive(Clone, Debug)]
pub struct RegionAmounts {
    /// The sizes at which values are given.
    pub sizes: Sizes,
    /// The statements in textual order.
    pub statements: Vec<StatementAmounts>,
    /// The operations of all of them together, by kind.
    pub operations: Vec<OperationAmount>,
    /// The arrays.
    pub arrays: Vec<ArrayAmounts>,
    /// The bytes of a cache line.
    pub line_bytes: u64,
    /// The region against the limits of the machine, at the sizes; none if they do not tell.
    pub roofline: Option<Roofline>,
    /// The tiles of the result, one in the middle of each tiling, at the sizes
    /// ([`RegionAmounts::with_tiles`]).
    pub tiles: Vec<TileAmounts>,
    /// The parallel loops of the result, at the sizes ([`RegionAmounts::with_loops`]).
    pub loops: Vec<LoopBalance>,
}

impl RegionAmounts {
    /// The amounts of a region as it is written.
    ///
    /// *Cost.* A count for each statement and two or three for each array, and for each array of a statement,
    /// each limited to some hundredths of a second.
    pub fn of(scop: &Scop, sizes: &Sizes, machine: &Machine) -> RegionAmounts {
        let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
        let executed: Vec<&Statement> = executed.collect();
        let line_bytes = machine.cache_line_bytes;
        let of = |statement: &&Statement| StatementAmounts::of(statement, scop, line_bytes, sizes);
        let statements: Vec<StatementAmounts> = executed.iter().map(of).collect();
        let operations = of_all(&statements, &scop.context);
        let references: Vec<Reference> =
            executed.iter().flat_map(|statement| Reference::of_statement(statement)).collect();
        let arrays = arrays(scop, &references, line_bytes, sizes);
        let roofline = roofline(scop, &operations, &arrays, machine);
        let (sizes, loops, tiles) = (sizes.clone(), Vec::new(), Vec::new());
        RegionAmounts { sizes, statements, operations, arrays, line_bytes, roofline, tiles, loops }
    }

    /// The same with the tiles of a schedule for the region.
    ///
    /// *Cost.* Some optima and counts for each tiling, all limited.
    #[must_use]
    pub fn with_tiles(mut self, scop: &Scop, tree: &ScheduleTree) -> RegionAmounts {
        self.tiles = tiles(scop, tree, &self.statements, self.line_bytes, &self.sizes);
        self
    }

    /// The same with the parallel loops of a schedule for the region, shared by so many threads.
    ///
    /// *Cost.* A count for each statement in them, and a value for each of their iterations, both limited.
    #[must_use]
    pub fn with_loops(mut self, tree: &ScheduleTree, threads: u64) -> RegionAmounts {
        self.loops = parallel_loops(tree, &self.statements, &self.sizes, threads);
        self
    }
}

fn as_number(value: &Int) -> Option<f64> {
    value.to_string().parse().ok()
}

/// The place under the roof, with the most operations and bytes that there may be.
fn roofline(
    scop: &Scop,
    operations: &[OperationAmount],
    arrays: &[ArrayAmounts],
    machine: &Machine,
) -> Option<Roofline> {
    let floating = operations.iter().filter(|amount| amount.kind.is_floating());
    let mut of_kinds = floating.map(|amount| as_number(amount.most.as_ref()?.value()?));
    let operations = of_kinds.try_fold(0.0, |sum, value| Some(sum + value?))?;
    let mut of_arrays = arrays.iter().map(|array| {
        let loaded = as_number(array.lines.as_ref()?.value()?)?;
        let written = as_number(array.written_lines.as_ref()?.value()?)?;
        Some(loaded + written)
    });
    let lines: f64 = of_arrays.try_fold(0.0, |sum, value| Some(sum + value?))?;
    let bytes = lines * machine.cache_line_bytes as f64;
    (operations > 0.0).then(|| Roofline::new(operations, bytes, element_bytes(scop), machine))
}

/// The size of the elements that vectors have: those of `float` if no array has larger floating numbers.
fn element_bytes(scop: &Scop) -> u64 {
    let floating = scop.arrays.iter().filter(|array| array.element_kind == ElementKind::Floating);
    let mut floating = floating.map(|array| array.floating_type()).peekable();
    let is_single =
        floating.peek().is_some() && floating.all(|found| found == Some(FloatingType::Float));
    if is_single { 4 } else { 8 }
}
