//! What a walk finds: statements, loops, symbolic constants, what the model relies on, and what is reported.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::model::affine_uses::AffineUses;
use crate::model::apart::Apart;
use crate::model::conditions::Disjunction;
use crate::model::delinearized_shape::DelinearizedShape;
use crate::model::linear::Linear;
use crate::model::memory_parameter::{LoadedConstant, ReadObject};
use crate::model::needed::Needed;
use crate::model::null_test::NullTest;
use crate::model::overwritten::Overwritten;
use crate::model::pieces::Pieces;
use crate::model::pointer_offsets::PointerOffsets;
use crate::model::raw_model::{Loop, Order, RawPiece, RawStatement};
use crate::model::symbols::Symbols;
use std::collections::{BTreeMap, BTreeSet};

/// What a walk has found.
#[derive(Default)]
pub(crate) struct Output<'s> {
    pub(crate) symbols: Symbols,
    pub(crate) loops: Vec<Loop>,
    pub(crate) statements: Vec<RawStatement>,
    pub(crate) order: Vec<Order>,
    /// Variables used in affine expressions, and where first.
    pub(crate) affine_uses: AffineUses,
    /// Variables that are iterators of loops.
    pub(crate) iterator_variables: BTreeSet<u32>,
    pub(crate) assumptions: Vec<String>,
    /// What the model needs and only the run of the program knows.
    pub(crate) needed: Vec<Needed>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Pointers of which it is refused where they lead.
    pub(crate) refused_pointers: BTreeSet<u32>,
    /// Conditions on symbolic constants that the program promises.
    pub(crate) promises: Vec<Disjunction>,
    /// What could not be used, one sentence each.
    pub(crate) remarks: Vec<String>,
    /// The constants of enumerations that the region declares, with the bytes where it does so outside of all
    /// blocks.
    pub(crate) own_constants: BTreeMap<&'s str, Option<usize>>,
    /// Variables whose elements are whole structures (or unions) in this region.
    pub(crate) whole_structures: BTreeSet<u32>,
    /// Arrays with more dimensions in the model than in C.
    pub(crate) views: BTreeMap<u32, DelinearizedShape>,
    /// Elements with products in their subscripts, and the text of these.
    pub(crate) product_texts: Vec<(u32, Vec<Pieces>, Vec<RawPiece>)>,
    /// Variables that are checked to be apart before the region.
    pub(crate) apart: Vec<Apart>,
    /// The lines of the pragmas about loops that have been met.
    pub(crate) met_pragmas: BTreeSet<usize>,
    /// The loops whose iterations are declared to be independent.
    pub(crate) independent_loops: BTreeSet<u32>,
    /// The variables that are declared in the region's own block.
    pub(crate) declared_at_top: Vec<u32>,
    /// The extents, by their starts, of the region's variables that are made of variables which the region changes:
    /// their values, and their texts before the region.
    pub(crate) own_extents: BTreeMap<usize, (Linear, String)>,
    /// The number of bodies of called functions that have been walked.
    pub(crate) walked_calls: usize,
    /// The variable that stands for the order of calls.
    pub(crate) order_of_calls: Option<u32>,
    /// The variables that say where pointers lead that the region moves.
    pub(crate) pointer_offsets: PointerOffsets,
    /// The scalars that are the values of data-dependent pointers.
    pub(crate) addresses: BTreeMap<u32, u32>,
    /// What the branches under conditions on data write first.
    pub(crate) overwritten: Vec<Overwritten>,
    /// The integers in memory that stand for symbolic constants.
    pub(crate) loaded: Vec<LoadedConstant>,
    /// What stands for whether pointers are null.
    pub(crate) null_tests: Vec<NullTest>,
    /// The objects behind pointers that the region reads whenever it runs.
    pub(crate) read_objects: Vec<ReadObject>,
}

/// What was noted about affine expressions at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    n_uses: usize,
    n_assumptions: usize,
    n_needed: usize,
}

impl Output<'_> {
    /// What is noted now about affine expressions.
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            n_uses: self.affine_uses.len(),
            n_assumptions: self.assumptions.len(),
            n_needed: self.needed.len(),
        }
    }

    /// Forgets what was noted after a mark.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.affine_uses.truncate(mark.n_uses);
        self.assumptions.truncate(mark.n_assumptions);
        self.needed.truncate(mark.n_needed);
    }

    /// Records something taken for granted, once.
    pub(crate) fn assume(&mut self, assumption: String) {
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }
}
