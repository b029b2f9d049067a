//! The text for a device: kernels beside the subtrees of their marks, and the function that launches them beside the rest
//! of the tree.
//!
//! Each loop over blocks or threads has to give every iteration of the tree's loop to exactly one of them, whatever their
//! number (`spread.rs`), and equal values along an axis to the same one (`owners.rs`); each statement has to stand below such a loop, or a condition that one of them is meant, for every axis
//! along which there are several (`launch.rs`). Names of kernels stand for what the launch passes (`launch.rs`), elements of
//! linear memory for those with the subscripts of its rows (`elements.rs`), arrays of blocks and threads are those of marks (`own_memory.rs`), and what is copied is what the plan says (`copies.rs`).
//!
//! # What is not read
//! The fixed functions that call the run-time system of the device, and what functions of C's library are on a device.
mod copies;
mod elements;
mod launch;
mod own_memory;
mod owners;
mod spread;

use crate::printed::cursor::{Cursor, Names};
use crate::printed::outcome::{NotRead, Printed, Stop, UnreadPart, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{Token, TokenKind, tokens};
use crate::printed::values::Surroundings;
use crate::printed::{finished, parameters, words, words_of};
use launch::Function;
use loopwright_astgen::AstNode;
use loopwright_device::Transfers;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::{Axis, LoopKind, LoopMark};
use loopwright_scop::{ArrayId, Scop};
use owners::Owners;
use std::collections::BTreeMap;

/// The languages of kernels that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelLanguage {
    /// CUDA.
    Cuda,
    /// OpenCL C.
    OpenCl,
}

/// What was printed for a region on a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceText<'a> {
    /// Its language.
    pub language: KernelLanguage,
    /// The definitions of macros in front of it.
    pub macros: &'a str,
    /// The kernels, and behind them the function that copies and launches.
    pub text: &'a str,
}

/// Checks that kernels and the function that launches them, printed for `ast` with the statements of `scop`, run what the tree runs
/// and copy what `transfers` says, for parameters in the scop's context.
///
/// Functions of the statements have the names that they have in the text. Lines count from the first one of the macros.
///
/// *Exactness.* What is proved holds for all parameter values, over the integers, and any number of blocks and threads that the function may
/// ask for. *Cost.* As for `check_printed`.
///
/// # Errors
/// Those of the operations on sets but for limits, which leave parts unread.
pub fn check_printed_device(
    scop: &Scop,
    transfers: &Transfers,
    ast: &AstNode,
    text: &DeviceText<'_>,
    budget: &Budget,
) -> Result<Printed> {
    let all = format!("{}{}", text.macros, text.text);
    let Some(all) = with_words_for_indices(&all, text.language) else {
        let part = UnreadPart::Other("names that the reader uses itself".to_string());
        return Ok(Printed { proof: None, not_read: vec![NotRead { part, line: 1 }] });
    };
    let tokens = tokens(&all);
    let mut walk = TextWalk {
        scop,
        cursor: Cursor::new(&tokens),
        names: Names { parameters: parameters(scop), ..Names::default() },
        types: scop.arrays.iter().map(|array| words_of(&array.element_type)).collect(),
        used: words(scop),
        around: Surroundings::new(&scop.context, budget),
        budget,
        passed: Vec::new(),
        local: Vec::new(),
        declared: Vec::new(),
        device: Some(Device::new(text.language, transfers)),
    };
    let found = walk.device_region(ast);
    finished(found, std::mem::take(&mut walk.passed))
}

/// What is known about a device while its text is read.
pub(super) struct Device<'a> {
    language: KernelLanguage,
    transfers: &'a Transfers,
    functions: BTreeMap<&'a str, Function<'a>>,
    /// The variables of the host that stand for memory of the device.
    handles: BTreeMap<ArrayId, &'a str>,
    /// The variables of the host that stand for kernels, and these.
    kernel_variables: BTreeMap<&'a str, Option<&'a str>>,
    /// The kernel that is read.
    kernel: Option<Kernel>,
}

/// A kernel as it is launched.
struct Kernel {
    /// Whether there may be several blocks, by axis.
    has_blocks: [bool; 3],
    /// The number of threads, by axis.
    threads: [i64; 3],
    /// What its loops and conditions around have spread so far.
    spread: Vec<LoopKind>,
    /// What the names of arrays stand for.
    arrays: BTreeMap<ArrayId, Stored>,
    /// How loops along each axis are shared out.
    owners: Owners,
}

/// What the name of an array stands for in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// Memory of the device.
    Linear,
    /// The value of a scalar.
    Value,
    /// A variable of each thread.
    Private,
    /// An array of the kernel's own, for each block or each thread.
    Own,
}

impl<'a> Device<'a> {
    fn new(language: KernelLanguage, transfers: &'a Transfers) -> Self {
        Device {
            language,
            transfers,
            functions: BTreeMap::new(),
            handles: BTreeMap::new(),
            kernel_variables: BTreeMap::new(),
            kernel: None,
        }
    }
}

/// What the numbers of blocks and threads are called in each language, and here.
const INDICES: [(&str, &str, &str); 4] = [
    ("blockIdx", "get_group_id", "reader_block"),
    ("threadIdx", "get_local_id", "reader_thread"),
    ("gridDim", "get_num_groups", "reader_blocks"),
    ("blockDim", "get_local_size", "reader_threads"),
];

/// The text with a word for each number of a block or thread, and for each size of a type; none if it has such words already.
fn with_words_for_indices(text: &str, language: KernelLanguage) -> Option<String> {
    if text.contains("reader_") {
        return None;
    }
    let mut result = text.to_string();
    for (cuda, opencl, word) in INDICES {
        for axis in Axis::ALL {
            let own = match language {
                KernelLanguage::Cuda => format!("{cuda}.{axis}"),
                KernelLanguage::OpenCl => format!("{opencl}({})", axis as usize),
            };
            result = result.replace(&own, &format!("{word}_{axis}"));
        }
    }
    Some(with_words_for_sizes(&result))
}

/// What the word for the size of a type begins with.
const SIZE: &str = "reader_size_of_";

/// `reader_size_of_unsigned_int` in place of `sizeof(unsigned int)`.
fn with_words_for_sizes(text: &str) -> String {
    let mut pieces = text.split("sizeof(");
    let mut result = pieces.next().unwrap_or_default().to_string();
    for piece in pieces {
        match piece.split_once(')') {
            Some((name, rest)) if name.chars().all(|c| c.is_alphanumeric() || " _".contains(c)) => {
                result.push_str(&format!("{SIZE}{}{rest}", name.replace(' ', "_")));
            }
            _ => result.push_str(&format!("sizeof({piece}")),
        }
    }
    result
}

/// The word for the number of the block or thread.
fn index_word(kind: LoopKind) -> Option<String> {
    of_kind(kind, "reader_block", "reader_thread")
}

/// The word for how many there are.
fn count_word(kind: LoopKind) -> Option<String> {
    of_kind(kind, "reader_blocks", "reader_threads")
}

fn of_kind(kind: LoopKind, block: &str, thread: &str) -> Option<String> {
    match kind {
        LoopKind::Block(axis) => Some(format!("{block}_{axis}")),
        LoopKind::Thread(axis) => Some(format!("{thread}_{axis}")),
        _ => None,
    }
}

/// Whether there is a loop over an axis in a part of a kernel.
fn spreads(node: &AstNode, kind: LoopKind) -> bool {
    match node {
        AstNode::For(each) => spreads(&each.body, kind),
        AstNode::If { then, otherwise, .. } => {
            spreads(then, kind) || otherwise.as_deref().is_some_and(|node| spreads(node, kind))
        }
        AstNode::Block(children) => children.iter().any(|child| spreads(child, kind)),
        AstNode::Mark { name, child, .. } => {
            LoopMark::parse(name).is_some_and(|mark| mark.kind == kind) || spreads(child, kind)
        }
        AstNode::User { .. } => false,
    }
}

impl<'a> TextWalk<'_, 'a> {
    /// A barrier in front of code, which all threads reach.
    pub(in crate::printed) fn barrier(&mut self, child: &'a AstNode) -> Walked<()> {
        self.barrier_statement()?;
        self.node(child, None)
    }

    fn barrier_statement(&mut self) -> Walked<()> {
        let words: &[&str] = match self.device()?.language {
            KernelLanguage::Cuda => &["__syncthreads", "(", ")", ";"],
            KernelLanguage::OpenCl => {
                &["barrier", "(", "CLK_LOCAL_MEM_FENCE", "|", "CLK_GLOBAL_MEM_FENCE", ")", ";"]
            }
        };
        if self.kernel()?.spread.iter().any(|kind| matches!(kind, LoopKind::Thread(_))) {
            return Err(self.cursor.wrong("a barrier that all threads reach"));
        }
        self.expect_words(words)
    }

    /// The code of a node behind a condition that the first blocks or threads along some axes are meant, if there is one that is not
    /// that of a mark.
    pub(in crate::printed) fn for_the_first(&mut self, node: &'a AstNode) -> Walked<bool> {
        let is_in_kernel = self.device.as_ref().is_some_and(|device| device.kernel.is_some());
        let kinds = self.first_ahead();
        // Below a mark of that axis the condition is about what has no loop there.
        let is_of_mark = kinds.iter().any(|kind| spreads(node, *kind));
        if !is_in_kernel || kinds.is_empty() || is_of_mark {
            return Ok(false);
        }
        let outside = self.kernel()?.spread.clone();
        if outside.iter().any(|around| kinds.contains(around)) {
            return Err(self.cursor.wrong("what is not spread along this axis already"));
        }
        self.cursor.at += 1 + 4 * kinds.len();
        self.expect_words(&[")", "{"])?;
        self.kernel()?.spread.extend(kinds);
        self.node(node, None)?;
        self.cursor.expect("}")?;
        self.kernel()?.spread = outside;
        Ok(true)
    }

    /// The axes along which the condition at the cursor means the first one, if it is such a condition.
    fn first_ahead(&self) -> Vec<LoopKind> {
        let of_axis = |axis| [LoopKind::Block(axis), LoopKind::Thread(axis)];
        let is_here = |at: usize, kind: &LoopKind| {
            index_word(*kind).is_some_and(|word| self.cursor.is_ahead(at, &word))
                && self.cursor.is_ahead(at + 1, "==")
                && self.cursor.is_ahead(at + 2, "0")
        };
        let mut found = Vec::new();
        if !self.cursor.is("if") {
            return found;
        }
        loop {
            let at = 2 + 4 * found.len();
            let mut kinds = Axis::ALL.into_iter().flat_map(of_axis);
            let Some(kind) = kinds.find(|kind| is_here(at, kind)) else { return Vec::new() };
            found.push(kind);
            if !self.cursor.is_ahead(at + 3, "&&") {
                return found;
            }
        }
    }

    /// All of the text.
    fn device_region(&mut self, ast: &'a AstNode) -> Walked<()> {
        self.definitions()?;
        self.kernel_heads()?;
        self.function_of_region(ast)
    }

    fn device(&mut self) -> Walked<&mut Device<'a>> {
        self.device.as_mut().ok_or_else(|| Stop::Unread("a kernel for no device".to_string()))
    }

    fn kernel(&mut self) -> Walked<&mut Kernel> {
        let kernel = self.device()?.kernel.as_mut();
        kernel.ok_or_else(|| Stop::Unread("a loop over blocks outside of kernels".to_string()))
    }

    /// The words of a type at the cursor, before a name or a star.
    fn type_words(&mut self) -> Vec<&'a str> {
        let mut words = Vec::new();
        while let Some(Token { kind: TokenKind::Word, text, .. }) = self.cursor.peek() {
            let is_last =
                ["*", "(", ")", ",", ";", "="].iter().any(|next| self.cursor.is_ahead(1, next));
            if is_last && !self.cursor.is_ahead(1, "*") {
                break;
            }
            words.push(text);
            self.cursor.at += 1;
        }
        words
    }
}
