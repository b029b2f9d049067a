//! Memory of blocks and threads: results of threads in registers, operands of sums in tiles that the threads of a block share.
//!
//! A kernel with promoted arrays is a part of a *promoted program*, a copy of the model in which copies are statements like others
//! and elements of promoted arrays have the coordinates of their block or thread in front ([`Promotion`]). Its tree runs whole
//! phases of a block one after the other: fill the tiles, wait, compute, wait. Nothing here is trusted.
mod copies;
mod dimension;
mod kernel;
mod operands;
mod padding;
mod results;
mod site;

pub use dimension::Level;
pub(crate) use kernel::promoted_kernel;

use loopwright_dataflow::Dependences;
use loopwright_exact::Int;
use loopwright_presburger::{Aff, Budget, PwAff, Space};
use loopwright_scop::{Array, ArrayId, Promotion, Scop};
use std::collections::BTreeSet;

/// A program while its kernels get memory of their own.
#[derive(Clone)]
pub(crate) struct Promoting<'a> {
    pub(crate) dependences: &'a Dependences,
    pub(crate) budget: &'a Budget,
    /// The program with what has been added so far.
    pub(crate) scop: Scop,
    pub(crate) promotion: Promotion,
    pub(crate) level: Level,
    /// Names that are taken.
    pub(crate) taken: BTreeSet<String>,
    /// What was done, in sentences.
    pub(crate) decisions: Vec<String>,
}

impl Promoting<'_> {
    /// A name that is not taken yet: the wanted one, or that with a number.
    fn fresh(&mut self, wanted: &str) -> String {
        let numbered = (2u32..).map(|number| format!("{wanted}_{number}"));
        let mut names = std::iter::once(wanted.to_string()).chain(numbered);
        let name = names.find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }

    /// An array with the elements of another one and other extents.
    fn add_array(&mut self, like: ArrayId, name: &str, extents: &[Option<i64>]) -> ArrayId {
        let params = Space::params(&[]);
        let constant = |extent: i64| PwAff::from_aff(Aff::constant(&params, &Int::from(extent)));
        let text = |extent: &Option<i64>| extent.map(|e| e.to_string()).unwrap_or_default();
        let id = ArrayId(u32::try_from(self.scop.arrays.len()).unwrap_or(u32::MAX));
        let array = Array {
            name: name.into(),
            tuple_name: name.into(),
            extents: extents.iter().map(|extent| extent.map(constant)).collect(),
            extent_texts: extents.iter().map(text).collect(),
            is_member: false,
            declared_in_scop: false,
            live_out: false,
            declaration_depth: 0,
            ..self.scop.array(like).clone()
        };
        self.scop.arrays.push(array);
        id
    }
}
