//! Arrays that a kernel has for each block or each thread.
use super::element::Memory;
use super::extents::constant_trips;
use super::language::Language;
use super::types::element_type;
use loopwright_astgen::{AstNode, ForLoop};
use loopwright_presburger::{Name, Result};
use loopwright_schedule::{LocalMark, MemorySpace};

/// Loops of at most so many iterations are unrolled, so that the subscripts of arrays in registers are constants.
const MOST_UNROLLED: i64 = 16;

/// The arrays that a part of a kernel declares, from the outside in.
pub(super) fn declared(node: &AstNode) -> Vec<LocalMark> {
    let mut marks = Vec::new();
    collect(node, &mut marks);
    marks
}

fn collect(node: &AstNode, marks: &mut Vec<LocalMark>) {
    match node {
        AstNode::For(each) => collect(&each.body, marks),
        AstNode::If { then, otherwise, .. } => {
            collect(then, marks);
            otherwise.iter().for_each(|otherwise| collect(otherwise, marks));
        }
        AstNode::Block(children) => children.iter().for_each(|child| collect(child, marks)),
        AstNode::Mark { name, child, .. } => {
            marks.extend(on_device(name).filter(|mark| !marks.contains(mark)));
            collect(child, marks);
        }
        AstNode::User { .. } => {}
    }
}

/// The mark of an array of blocks or threads.
pub(super) fn on_device(name: &Name) -> Option<LocalMark> {
    LocalMark::parse(name).filter(|mark| mark.space.is_on_device())
}

/// The declarations of arrays at the beginning of a kernel. Registers of padding are read before they are written: they are zero.
pub(super) fn declarations(marks: &[LocalMark], memory: &Memory<'_>) -> Result<String> {
    let mut text = String::new();
    for LocalMark { space, array } in marks {
        let known = memory.scop.arrays.iter().find(|known| known.tuple_name == *array);
        let known = known.ok_or_else(|| {
            super::kernel::misplaced(&format!("the program has no array `{array}`"))
        })?;
        let extents: String =
            known.extent_texts.iter().map(|extent| format!("[{extent}]")).collect();
        let element = element_type(known).unwrap_or_default();
        let (before, after) = match space {
            MemorySpace::Shared => (memory.language.shared(), ""),
            _ if extents.is_empty() => ("", ""),
            _ => ("", " = {0}"),
        };
        text.push_str(&format!("  {before}{element} {array}{extents}{after};\n"));
    }
    Ok(text)
}

/// Whether a loop of a kernel with arrays of its own is unrolled.
pub(super) fn is_unrolled(each: &ForLoop) -> bool {
    !each.degenerate && constant_trips(each).is_some_and(|trips| trips <= MOST_UNROLLED)
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
