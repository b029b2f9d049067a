//! A program while its kernels get memory of their own.
use super::buffers::TileCopies;
use super::dimension::{Level, ThreadResults};
use super::fragments::MatrixShapes;
use loopwright_dataflow::Dependences;
use loopwright_exact::Int;
use loopwright_machine::Device;
use loopwright_presburger::{Aff, Budget, PwAff, Set, Space};
use loopwright_scop::{Array, ArrayId, ElementText, Promotion, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// What kernels may have besides the memory of the device, and how it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelMemory {
    /// Which memory.
    pub level: Level,
    /// How operands come into tiles.
    pub copies: TileCopies,
    /// The results of a thread.
    pub results: ThreadResults,
    /// Whether blocks of stencils walk along one dimension of the data.
    pub streams: bool,
    /// The products of matrices that warps compute, which add up in any order, where sums are made of such
    /// products.
    pub matrices: MatrixShapes,
    /// Whether threads copy 16 bytes at a time where these are known to be aligned.
    pub vectors: bool,
}

impl KernelMemory {
    /// Registers alone.
    pub(crate) const REGISTERS: KernelMemory = KernelMemory {
        level: Level::Registers,
        copies: TileCopies::OneBuffer,
        results: ThreadResults::Four,
        streams: false,
        matrices: MatrixShapes::NONE,
        vectors: false,
    };
}

/// A program while its kernels get memory of their own.
#[derive(Clone)]
pub(crate) struct Promoting<'a> {
    pub(crate) dependences: &'a Dependences,
    pub(crate) budget: &'a Budget,
    /// The program with what has been added so far.
    pub(crate) scop: Scop,
    /// How the program writes elements of its arrays (`A[.. * n + ..]`), in which the promoted ones stand no
    /// more.
    pub(crate) texts: BTreeMap<ArrayId, ElementText>,
    pub(crate) promotion: Promotion,
    pub(crate) level: Level,
    pub(crate) copies: TileCopies,
    pub(crate) results: ThreadResults,
    pub(crate) streams: bool,
    pub(crate) device: Device,
    pub(crate) matrices: MatrixShapes,
    pub(crate) vectors: bool,
    /// The bytes that the tiles of a block may have.
    pub(crate) shared_bytes: i64,
    /// Names that are taken.
    pub(crate) taken: BTreeSet<String>,
    /// What was done, in sentences.
    pub(crate) decisions: Vec<String>,
    /// The iterations of kernels whose threads have several results.
    pub(crate) several_results: Vec<Set>,
    /// How many kernels have blocks that walk.
    pub(crate) n_streams: usize,
    /// Whether threads copy several elements at a time.
    pub(crate) has_vectors: bool,
}

impl<'a> Promoting<'a> {
    /// Nothing promoted yet. `taken` are names that the program uses.
    pub(crate) fn new(
        (scop, dependences): (&Scop, &'a Dependences),
        (device, memory): (&Device, KernelMemory),
        taken: &BTreeSet<String>,
        budget: &'a Budget,
    ) -> Self {
        let mut taken = taken.clone();
        let names = scop.arrays.iter().flat_map(|a| [a.name.to_string(), a.tuple_name.to_string()]);
        taken.extend(names);
        taken.extend(scop.statements.iter().map(|statement| statement.name.to_string()));
        taken.extend(scop.parameters.iter().map(|parameter| parameter.name.to_string()));
        let KernelMemory { level, copies, results, streams, matrices, vectors } = memory;
        Promoting {
            dependences,
            budget,
            scop: scop.clone(),
            texts: element_texts(scop),
            promotion: Promotion::default(),
            level,
            copies,
            results,
            streams,
            device: device.clone(),
            matrices,
            vectors,
            shared_bytes: i64::try_from(device.block_shared_bytes).unwrap_or(i64::MAX),
            taken,
            decisions: Vec::new(),
            several_results: Vec::new(),
            n_streams: 0,
            has_vectors: false,
        }
    }

    /// A name that is not taken yet: the wanted one, or that with a number.
    pub(crate) fn fresh(&mut self, wanted: &str) -> String {
        let numbered = (2u32..).map(|number| format!("{wanted}_{number}"));
        let mut names = std::iter::once(wanted.to_string()).chain(numbered);
        let name = names.find(|name| !self.taken.contains(name)).unwrap_or_default();
        self.taken.insert(name.clone());
        name
    }

    /// An array with the elements of another one and other extents.
    pub(crate) fn add_array(
        &mut self,
        like: ArrayId,
        name: &str,
        extents: &[Option<i64>],
    ) -> ArrayId {
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

/// The text around the subscripts of the first element of each array that has all of its subscripts.
fn element_texts(scop: &Scop) -> BTreeMap<ArrayId, ElementText> {
    let mut texts = BTreeMap::new();
    for element in scop.statements.iter().flat_map(|statement| statement.body.elements()) {
        if element.subscripts.len() == scop.array(element.array).extents.len() {
            texts.entry(element.array).or_insert_with(|| element.base.clone());
        }
    }
    texts
}
