//! What is known about a device while its text is read.
use super::DeviceText;
use crate::printed::form::Form;
use loopwright_astgen::{AstExpr, AstNode};
use loopwright_device::Transfers;
use loopwright_presburger::{Int, Name};
use loopwright_schedule::{LocalMark, LoopKind, LoopMark, ShuffleMark, VectorCopyMark};
use loopwright_scop::ArrayId;
use std::collections::{BTreeMap, BTreeSet};

/// The languages of kernels that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KernelLanguage {
    /// CUDA.
    Cuda,
    /// OpenCL C.
    OpenCl,
}

/// What is known about a device while its text is read.
pub(in crate::printed) struct Device<'a> {
    pub(super) language: KernelLanguage,
    pub(super) overlaps: bool,
    pub(super) pins: bool,
    /// What the host has queued, where copies overlap with kernels.
    pub(super) queued: Vec<Queued>,
    /// Whether something was copied back.
    pub(super) is_back: bool,
    /// The most that parameters are, if iterators of kernels have 32 bits.
    pub(super) most_of_parameters: Option<i64>,
    /// Arrays whose number of elements has to be compared with what 32 bits hold, and those of which it is.
    pub(super) short_arrays: BTreeSet<ArrayId>,
    pub(super) counted_arrays: BTreeSet<ArrayId>,
    pub(super) transfers: &'a Transfers,
    pub(super) functions: BTreeMap<&'a str, Function<'a>>,
    /// The variables of the host that stand for memory of the device.
    pub(super) handles: BTreeMap<ArrayId, &'a str>,
    /// The variables of the host that stand for kernels, and these.
    pub(super) kernel_variables: BTreeMap<&'a str, Option<&'a str>>,
    /// The kernel that is read.
    pub(super) kernel: Option<Kernel>,
}

/// A kernel as it is launched.
pub(super) struct Kernel {
    /// Whether there may be several blocks, by axis.
    pub(super) has_blocks: [bool; 3],
    /// Whether all blocks run at the same time.
    pub(super) runs_together: bool,
    /// The most blocks that are launched, by axis.
    pub(super) most_blocks: [u64; 3],
    /// The number of threads, by axis.
    pub(super) threads: [i64; 3],
    /// What its loops and conditions around have spread so far.
    pub(super) spread: Vec<LoopKind>,
    /// What the names of arrays stand for.
    pub(super) arrays: BTreeMap<ArrayId, Stored>,
    /// How loops along each axis are shared out.
    pub(super) owners: Owners,
    /// The marks of its own arrays.
    pub(super) marked: Vec<LocalMark>,
    /// Whether some of its statements are asynchronous copies, and whether those are which are read.
    pub(super) has_asynchronous_copies: bool,
    pub(super) is_asynchronous: bool,
    /// Whether its statements are updates by one instruction.
    pub(super) is_atomic: bool,
    /// The iterators of the loops over threads around, by axis, and the mark of shuffles.
    pub(super) lanes: [Option<Name>; 3],
    pub(super) shuffle: Option<ShuffleMark>,
    /// The arrays of the block that begin at a multiple of 16 bytes, and the mark of vectors.
    pub(super) aligned: BTreeSet<ArrayId>,
    pub(super) vector: Option<VectorCopyMark>,
}

/// What the name of an array stands for in a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// Memory of the device.
    Linear,
    /// The value of a scalar.
    Value,
    /// A variable or an array of each thread.
    Private,
    /// An array of the kernel's own, for each block or each thread.
    Own,
}

impl<'a> Device<'a> {
    pub(super) fn new(text: &DeviceText<'_>, transfers: &'a Transfers) -> Self {
        Device {
            language: text.language,
            overlaps: text.overlaps,
            pins: text.pins,
            queued: Vec::new(),
            is_back: false,
            most_of_parameters: text.most_of_parameters,
            short_arrays: BTreeSet::new(),
            counted_arrays: BTreeSet::new(),
            transfers,
            functions: BTreeMap::new(),
            handles: BTreeMap::new(),
            kernel_variables: BTreeMap::new(),
            kernel: None,
        }
    }
}

/// A kernel of the text.
pub(super) struct Function<'a> {
    pub(super) arguments: Vec<Declared<'a>>,
    /// What its head says about its threads.
    pub(super) bounds: Option<Vec<i64>>,
    /// The first token of its body, and that behind its last.
    pub(super) body: (usize, usize),
}

/// An argument in the head of a function.
#[derive(Clone)]
pub(super) struct Declared<'a> {
    pub(super) words: Vec<&'a str>,
    pub(super) is_pointer: bool,
    pub(super) name: &'a str,
}

/// What the host puts into queues, or waits for.
pub(super) enum Event {
    /// Statements about memory: the number of the part.
    Memory(usize),
    /// A kernel that is given these arrays, and may write those.
    Launch {
        given: BTreeSet<ArrayId>,
        written: BTreeSet<ArrayId>,
    },
    KernelsAwaitCopies,
    CopiesAwaitKernels,
    HostAwaitsKernels,
    HostAwaitsCopies,
}

/// An event, where it stands, and whether the program ends if it fails.
pub(super) struct Queued {
    pub(super) event: Event,
    pub(super) at: usize,
    pub(super) is_must: bool,
}

/// How the iterations of a loop are shared out.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Owner {
    /// Value v belongs to number v mod n.
    Value,
    /// This value belongs to the first, the next one to the second, and so on.
    From(AstExpr),
    /// This value belongs to the first, the one that is larger by so many to the second, and so on.
    InSteps(AstExpr, Int),
    /// All belongs to the first.
    First,
    /// Zero, whose owner is the first by value as well.
    Zero,
}

/// The loops of a kernel along one axis each, so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Owners {
    pub(super) found: Vec<(LoopKind, Owner)>,
    /// The iterators of sequential loops, and all of them.
    pub(super) sequential: Vec<Name>,
    pub(super) all: Vec<Name>,
}

impl Owners {
    /// Those of a kernel of which nothing has been read.
    pub(super) fn of_kernel(node: &AstNode) -> Owners {
        let mut owners = Owners::default();
        owners.iterators(node, None);
        owners
    }

    pub(super) fn iterators(&mut self, node: &AstNode, marked: Option<usize>) {
        match node {
            AstNode::For(each) => {
                if marked != Some(each.dimension) {
                    self.sequential.push(each.iterator.clone());
                }
                self.all.push(each.iterator.clone());
                self.iterators(&each.body, None);
            }
            AstNode::If { then, otherwise, .. } => {
                self.iterators(then, marked);
                otherwise.iter().for_each(|otherwise| self.iterators(otherwise, marked));
            }
            AstNode::Block(children) => {
                children.iter().for_each(|child| self.iterators(child, marked));
            }
            AstNode::Mark { name, dimension, child } => {
                let is_spread = LoopMark::parse(name).is_some_and(|mark| mark.kind.is_of_kernel());
                self.iterators(child, is_spread.then_some(*dimension));
            }
            AstNode::User { .. } => {}
        }
    }

    /// Whether a loop agrees with those before it about the owners of values; it is kept.
    pub(super) fn agree(&mut self, kind: LoopKind, owner: &Owner) -> bool {
        let mentions =
            |names: &[Name], value: &AstExpr| names.iter().any(|own| value.mentions(own));
        let moves = match owner {
            Owner::From(value) | Owner::InSteps(value, _) => mentions(&self.sequential, value),
            Owner::Value | Owner::First | Owner::Zero => false,
        };
        let is_same = |own: &AstExpr, other: &AstExpr| {
            let own_form = Form::of(own);
            own_form.is_some() && own_form == Form::of(other) && !mentions(&self.all, own)
        };
        let agrees = |other: &Owner| match (owner, other) {
            (Owner::Value, Owner::Value) | (Owner::First, Owner::First) => true,
            (Owner::Zero, other) | (other, Owner::Zero) => {
                !matches!(other, Owner::From(_) | Owner::InSteps(..))
            }
            (Owner::From(own), Owner::From(other)) => is_same(own, other),
            (Owner::InSteps(own, step), Owner::InSteps(other, again)) => {
                step == again && is_same(own, other)
            }
            _ => false,
        };
        let mut others = self.found.iter().filter(|(other, _)| *other == kind);
        let result = !moves && others.all(|(_, other)| agrees(other));
        self.found.push((kind, owner.clone()));
        result
    }
}
