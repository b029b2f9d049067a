//! Arrays that a kernel has for each block or each thread.
use super::element::Memory;
use super::extents::constant_trips;
use super::kernel::{KernelPrinter, misplaced};
use super::language::Language;
use super::spread::has_barrier;
use super::strip::Strip;
use super::types::element_type;
use super::vector_state::VectorState;
use loopwright_astgen::{AstNode, ForLoop};
use loopwright_presburger::{Int, Name, Result};
use loopwright_schedule::{LocalMark, MemorySpace};

/// Loops of at most so many iterations are unrolled, so that the subscripts of arrays in registers are
/// constants.
const MOST_UNROLLED: i64 = 16;

/// A sum of at most so many iterations is unrolled as a whole.
const WHOLE_SUM: i64 = 8;

/// Iterations of a longer sum in shared tiles that are unrolled: with 16, nvcc 13 for sm_90 keeps 80
/// registers for 4 by 4 results and spills some where it may not contract; with 4 it has 72, and none.
const UNROLLED_SUM: i64 = 4;

/// The arrays that a part of a kernel declares, from the outside in.
pub(super) fn declared(node: &AstNode) -> Vec<LocalMark> {
    let mut marks = Vec::new();
    for name in node.marks() {
        marks.extend(on_device(name).filter(|mark| !marks.contains(mark)));
    }
    marks
}

/// The mark of an array of blocks or threads.
pub(super) fn on_device(name: &Name) -> Option<LocalMark> {
    LocalMark::parse(name).filter(|mark| mark.space.is_on_device())
}

/// The declarations of arrays at the beginning of a kernel. Registers of padding are read before they are
/// written: they are zero.
pub(super) fn declarations(
    marks: &[LocalMark],
    (memory, vectors): (&Memory<'_>, &VectorState),
) -> Result<String> {
    let mut text = String::new();
    for LocalMark { space, array } in marks {
        let known = memory.scop.arrays.iter().find(|known| known.tuple_name == *array);
        let known =
            known.ok_or_else(|| misplaced(&format!("the program has no array `{array}`")))?;
        let extents: String =
            known.extent_texts.iter().map(|extent| format!("[{extent}]")).collect();
        let element = element_type(known, memory.language).unwrap_or_default();
        let is_aligned = vectors.aligned.contains(array);
        let aligned = if is_aligned { memory.language.aligned() } else { "" };
        let (before, after) = match space {
            MemorySpace::Shared => (memory.language.shared(), ""),
            _ if extents.is_empty() => ("", ""),
            _ => ("", " = {0}"),
        };
        text.push_str(&format!("  {before}{aligned}{element} {array}{extents}{after};\n"));
    }
    Ok(text)
}

/// The iterations that a loop has at most, if they are few.
fn few_trips(each: &ForLoop) -> Option<i64> {
    let is_unrolled = !each.degenerate && !has_barrier(&each.body);
    constant_trips(each).filter(|trips| *trips <= MOST_UNROLLED && is_unrolled)
}

/// How many iterations of a tile of a sum, whose bound depends on sizes, are unrolled.
pub(super) fn unrolled_sum(each: &ForLoop) -> Option<i64> {
    let trips = few_trips(each)?;
    Some(if trips <= WHOLE_SUM { trips } else { UNROLLED_SUM })
}

/// The values of a loop over the results of a thread, or over its part of a tile, which begin at a constant:
/// they are unrolled, with conditions inside.
pub(super) fn constant_strip(each: &ForLoop) -> Option<(Strip, i64)> {
    let trips = few_trips(each)?;
    let strip = Strip::of(each, trips, &|start| start.as_int().is_some())?;
    Some((strip, trips))
}

impl KernelPrinter<'_> {
    /// A loop of constant bounds.
    pub(super) fn unrolled(&mut self, each: &ForLoop, (strip, trips): (Strip, i64)) -> Result<()> {
        let iterator = self.lowering.iterator(&each.iterator);
        let first = self.lowering.lower(&strip.start);
        let start = strip.start.as_int().cloned().unwrap_or_default();
        let end = &start + &Int::from(trips);
        let iterator_type = self.iterator_type();
        self.writer.line("#pragma unroll");
        let line = format!(
            "for ({iterator_type} {iterator} = {first}; {iterator} < {end}; {iterator}++) {{"
        );
        self.block(&line, |printer| match strip.condition {
            None => printer.node(&each.body),
            Some(condition) => {
                let line = format!("if ({}) {{", printer.lowering.lower(&condition));
                printer.block(&line, |printer| printer.node(&each.body))
            }
        })
    }

    /// Code with an array that the threads of a block share. The next execution of it, by a block that has
    /// another turn, has another array in the same memory: no thread may begin before all have ended.
    pub(super) fn shared(&mut self, child: &AstNode) -> Result<()> {
        self.is_alone = false;
        self.node(child)?;
        if declared(child).iter().all(|inner| inner.space != MemorySpace::Shared) {
            self.barrier_lines();
        }
        Ok(())
    }
}

impl Language {
    /// What stands before the declaration of an array that the threads of a block share.
    fn shared(self) -> &'static str {
        match self {
            Language::Cuda => "__shared__ ",
            Language::OpenCl => "__local ",
        }
    }

    /// What stands before a kernel of blocks of so many threads.
    pub(super) fn bounded_head(self, threads: [i64; 3]) -> String {
        match self {
            Language::Cuda => {
                let all: i64 = threads.iter().product();
                format!("__global__ __launch_bounds__({all}) void")
            }
            Language::OpenCl => {
                let [x, y, z] = threads;
                format!("__kernel __attribute__((reqd_work_group_size({x}, {y}, {z}))) void")
            }
        }
    }
}
