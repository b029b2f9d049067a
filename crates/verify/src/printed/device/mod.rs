//! The text for a device: kernels beside the subtrees of their marks, and the function that launches them
//! beside the rest of the tree.
//!
//! Each loop over blocks or threads has to give every iteration of the tree's loop to exactly one of them,
//! whatever their number (`spread.rs`, `first.rs`), and equal values along an axis to the same one
//! (`owners.rs`); each statement has to stand below such a loop, or a condition that one of them is meant,
//! for every axis along which there are several (`launch.rs`). Names of kernels stand for what the launch
//! passes (`launch.rs`), elements of linear memory for those with the subscripts of its rows (`elements.rs`),
//! asynchronous copies and shuffles for assignments (`asynchronous.rs`, `shuffles.rs`), instructions that
//! update an element for updates (`atomics.rs`), products of matrices by a warp for the loops of its threads
//! (`matrices.rs`), accesses of 16 bytes for loops of copies (`vectors.rs`), arrays of blocks and threads are
//! those of marks (`own_memory.rs`), iterators of 32 bits lose nothing (`short_iterators.rs`), and what is
//! copied is what the plan says (`copies.rs`), in time (`queues.rs`).
//!
//! # What is not read
//! The fixed functions that call the run-time system of the device, and what functions of C's library are on
//! a device; the call of the function in the program.
mod asynchronous;
mod atomics;
mod copies;
mod copies_apart;
pub(super) mod data_subscripts;
mod elements;
mod first;
mod launch;
mod matrices;
mod own_memory;
mod owners;
mod queues;
mod short_iterators;
mod shuffles;
mod spread;
pub(super) mod state;
mod vectors;
mod words;

use crate::printed::outcome::{NotRead, Printed, Stop, UnreadPart, Walked, finished};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{Token, TokenKind, tokens};
use loopwright_astgen::AstNode;
use loopwright_device::Transfers;
use loopwright_presburger::{Budget, Result};
use loopwright_scop::Scop;
pub use state::KernelLanguage;
use state::{Device, Kernel};
use words::with_words_for_indices;

/// What was printed for a region on a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceText<'a> {
    /// Its language.
    pub language: KernelLanguage,
    /// Whether copies overlap with kernels, so that the text says what waits for what (`queues.rs`).
    pub overlaps: bool,
    /// Whether arrays of the program stay in their pages.
    pub pins: bool,
    /// The most that parameters may be, if iterators of its kernels are to have 32 bits: its function checks
    /// that.
    pub most_of_parameters: Option<i64>,
    /// The definitions of macros in front of it.
    pub macros: &'a str,
    /// The kernels, and behind them the function that copies and launches.
    pub text: &'a str,
}

/// Checks that kernels and the function that launches them, printed for `ast` with the statements of `scop`,
/// run what the tree runs and copy what `transfers` says, for parameters in the scop's context.
///
/// Functions of the statements have the names that they have in the text. Lines count from the first one of
/// the macros.
///
/// *Exactness.* What is proved holds for all parameter values, over the integers, and any number of blocks
/// and threads that the function may ask for. *Cost.* As for `check_printed`.
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
    let mut walk = TextWalk::new(scop, &tokens, budget);
    walk.device = Some(Device::new(text, transfers));
    let found = walk.device_region(ast);
    finished(found, std::mem::take(&mut walk.passed))
}

impl<'a> TextWalk<'_, 'a> {
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
    pub(super) fn type_words(&mut self) -> Vec<&'a str> {
        let mut words = Vec::new();
        while let Some(Token { kind: TokenKind::Word, text, .. }) = self.cursor.peek() {
            let is_last = ["*", "(", ")", ",", ";", "=", "["]
                .iter()
                .any(|next| self.cursor.is_ahead(1, next));
            if is_last && !self.cursor.is_ahead(1, "*") {
                break;
            }
            words.push(text);
            self.cursor.at += 1;
        }
        words
    }
}
