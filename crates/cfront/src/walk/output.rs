//! What a walk finds: statements, loops, symbolic constants, what the model relies on, and what is reported.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::model::affine_uses::AffineUses;
use crate::model::apart::Apart;
use crate::model::conditions::Disjunction;
use crate::model::delinearized_shape::DelinearizedShape;
use crate::model::filters::RawExit;
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
    affine_uses: AffineUses,
    /// Variables that are iterators of loops.
    pub(crate) iterator_variables: BTreeSet<u32>,
    /// Symbolic constants that were taken to be numbers somewhere, at any time of the walk.
    pub(crate) known_numbers: BTreeSet<u32>,
    assumptions: Vec<String>,
    /// What the model needs and only the run of the program knows.
    pub(crate) needed: Vec<Needed>,
    diagnostics: Vec<Diagnostic>,
    /// Pointers of which it is refused where they lead.
    refused_pointers: BTreeSet<u32>,
    /// Conditions on symbolic constants that the program promises.
    promises: Vec<Disjunction>,
    /// What could not be used, one sentence each.
    remarks: Vec<String>,
    /// The constants of enumerations that the region declares, with the bytes where it does so outside of all
    /// blocks.
    own_constants: BTreeMap<&'s str, Option<usize>>,
    /// Variables whose elements are whole structures (or unions) in this region.
    pub(crate) whole_structures: BTreeSet<u32>,
    /// Arrays with more dimensions in the model than in C.
    views: BTreeMap<u32, DelinearizedShape>,
    /// Elements with products in their subscripts, and the text of these.
    product_texts: Vec<(u32, Vec<Pieces>, Vec<RawPiece>)>,
    /// Variables that are checked to be apart before the region.
    apart: Vec<Apart>,
    /// The lines of the pragmas about loops that have been met.
    met_pragmas: BTreeSet<usize>,
    /// The loops whose iterations are declared to be independent.
    independent_loops: BTreeSet<u32>,
    /// The variables that are declared in the region's own block.
    declared_at_top: Vec<u32>,
    /// The extents, by their starts, of the region's variables that are made of variables which the region
    /// changes: their values, and their texts before the region.
    own_extents: BTreeMap<usize, (Linear, String)>,
    /// The number of bodies of called functions that have been walked.
    walked_calls: usize,
    /// The variable that stands for the order of calls.
    order_of_calls: Option<u32>,
    /// The variables that say where pointers lead that the region moves.
    pub(crate) pointer_offsets: PointerOffsets,
    /// The scalars that are the values of data-dependent pointers.
    addresses: BTreeMap<u32, u32>,
    /// What the branches under conditions on data write first.
    pub(crate) overwritten: Vec<Overwritten>,
    /// The integers in memory that stand for symbolic constants.
    pub(crate) loaded: Vec<LoadedConstant>,
    /// What stands for whether pointers are null.
    null_tests: Vec<NullTest>,
    /// The objects behind pointers that the region reads whenever it runs.
    read_objects: Vec<ReadObject>,
    /// Loops that are statements because they end early, by where they stand, with why they have no other
    /// model: that stands if threads cannot look for their ends.
    pub(crate) early_exits: Vec<(usize, Diagnostic)>,
    /// Where loops, or the region, are left, as far as the walk has not come to their ends.
    pub(crate) exits: Vec<RawExit>,
    /// The values that the condition that is being read looks at: what stands for each, and where it is read.
    pub(crate) value_reads: Vec<(u32, usize)>,
}

/// What was noted about affine expressions at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    n_uses: usize,
    n_assumptions: usize,
    n_needed: usize,
}

/// What was found before something was tried that may leave no traces.
#[derive(Debug)]
pub(crate) struct Attempt {
    mark: Mark,
    n_statements: usize,
    n_ordered: usize,
    n_diagnostics: usize,
    n_remarks: usize,
    iterator_variables: BTreeSet<u32>,
    whole_structures: BTreeSet<u32>,
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

    /// What is found now.
    pub(crate) fn attempt(&self) -> Attempt {
        Attempt {
            mark: self.mark(),
            n_statements: self.statements.len(),
            n_ordered: self.order.len(),
            n_diagnostics: self.diagnostics.len(),
            n_remarks: self.remarks.len(),
            iterator_variables: self.iterator_variables.clone(),
            whole_structures: self.whole_structures.clone(),
        }
    }

    /// Whether nothing has been refused after an attempt began.
    pub(crate) fn is_clean(&self, attempt: &Attempt) -> bool {
        self.diagnostics.len() == attempt.n_diagnostics
    }

    /// Forgets what was found after an attempt began.
    pub(crate) fn take_back(&mut self, attempt: Attempt) {
        self.back_to(attempt.mark);
        self.drop_statements(attempt.n_statements);
        self.order.truncate(attempt.n_ordered);
        self.diagnostics.truncate(attempt.n_diagnostics);
        self.remarks.truncate(attempt.n_remarks);
        self.iterator_variables = attempt.iterator_variables;
        self.whole_structures = attempt.whole_structures;
    }

    /// Takes back all statements from one on.
    pub(crate) fn drop_statements(&mut self, from: usize) {
        self.statements.truncate(from);
        self.overwritten.retain(|branches| branches.statements.end <= from);
    }

    /// Records something taken for granted, once.
    pub(crate) fn assume(&mut self, assumption: String) {
        if !self.assumptions.contains(&assumption) {
            self.assumptions.push(assumption);
        }
    }
}

impl<'s> Output<'s> {
    /// An output with remarks only.
    pub(crate) fn with_remarks(remarks: Vec<String>) -> Self {
        Output { remarks, ..Output::default() }
    }

    /// Reports a refusal.
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports several refusals.
    pub(crate) fn report_all(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        self.diagnostics.extend(diagnostics);
    }

    /// Drops the refusals that only follow from others.
    pub(crate) fn drop_consequences(&mut self) {
        self.diagnostics.retain(|refusal| !refusal.is_consequence);
    }

    /// All refusals.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        self.diagnostics
    }

    /// Says what could not be used.
    pub(crate) fn remark(&mut self, sentence: String) {
        self.remarks.push(sentence);
    }

    /// What could not be used, which is no longer kept here.
    pub(crate) fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Notes that an affine expression uses a variable at a byte.
    pub(crate) fn note_use(&mut self, variable: u32, byte: usize) {
        self.affine_uses.note(variable, byte);
    }

    /// Keeps the first assumptions only.
    pub(crate) fn forget_assumptions(&mut self, n: usize) {
        self.assumptions.truncate(n);
    }

    /// Notes what the program promises about symbolic constants.
    pub(crate) fn promise(&mut self, holds: Disjunction) {
        self.promises.push(holds);
    }

    /// Notes the text of an element with products in its subscripts.
    pub(crate) fn add_product_text(&mut self, element: (u32, Vec<Pieces>, Vec<RawPiece>)) {
        self.product_texts.push(element);
    }

    /// Notes that it is refused where a pointer leads.
    pub(crate) fn add_refused_pointer(&mut self, pointer: u32) {
        self.refused_pointers.insert(pointer);
    }

    /// Adds a symbolic constant that says whether a pointer is null.
    pub(crate) fn add_null_test(&mut self, test: NullTest) {
        self.null_tests.push(test);
    }

    /// Notes an object that the region reads whenever it runs.
    pub(crate) fn add_read_object(&mut self, object: ReadObject) {
        self.read_objects.push(object);
    }

    /// Notes the scalar that is the value of a data-dependent pointer.
    pub(crate) fn set_address(&mut self, pointer: u32, address: u32) {
        self.addresses.insert(pointer, address);
    }

    /// Notes that the loop after a pragma has been met; whether for the first time.
    pub(crate) fn meet_pragma(&mut self, line: usize) -> bool {
        self.met_pragmas.insert(line)
    }

    /// Notes a loop whose iterations are declared to be independent.
    pub(crate) fn add_independent_loop(&mut self, index: u32) {
        self.independent_loops.insert(index);
    }

    /// Notes the value and the text of an extent that starts at a byte.
    pub(crate) fn set_own_extent(&mut self, start: usize, extent: (Linear, String)) {
        self.own_extents.insert(start, extent);
    }

    /// Sets the pairs of variables that are checked to be apart.
    pub(crate) fn check_apart(&mut self, pairs: Vec<Apart>) {
        self.apart = pairs;
    }

    /// Gives an array more dimensions in the model.
    pub(crate) fn set_view(&mut self, array: u32, shape: DelinearizedShape) {
        self.views.insert(array, shape);
    }

    /// Adds a constant of an enumeration of the region.
    pub(crate) fn add_own_constant(&mut self, name: &'s str, at_top: Option<usize>) {
        self.own_constants.insert(name, at_top);
    }

    /// Adds variables of the region's own block.
    pub(crate) fn declare_at_top(&mut self, variables: &[u32]) {
        self.declared_at_top.extend(variables);
    }

    /// Counts one more body of a called function.
    pub(crate) fn count_call(&mut self) {
        self.walked_calls += 1;
    }

    /// The number of bodies of called functions that have been walked over.
    pub(crate) fn walked_calls(&self) -> usize {
        self.walked_calls
    }

    /// Sets the variable that stands for the order of calls.
    pub(crate) fn set_order_of_calls(&mut self, variable: u32) {
        self.order_of_calls = Some(variable);
    }

    /// The variable that stands for the order of calls.
    pub(crate) fn order_of_calls(&self) -> Option<u32> {
        self.order_of_calls
    }

    /// Elements with products in their subscripts, and the text of these.
    pub(crate) fn product_texts(&self) -> &[(u32, Vec<Pieces>, Vec<RawPiece>)] {
        &self.product_texts
    }

    /// Pointers of which it is refused where they lead.
    pub(crate) fn refused_pointers(&self) -> &BTreeSet<u32> {
        &self.refused_pointers
    }

    /// What stands for whether pointers are null.
    pub(crate) fn null_tests(&self) -> &[NullTest] {
        &self.null_tests
    }

    /// Variables used in affine expressions, and where first.
    pub(crate) fn affine_uses(&self) -> &AffineUses {
        &self.affine_uses
    }

    /// The scalars that are the values of data-dependent pointers.
    pub(crate) fn addresses(&self) -> &BTreeMap<u32, u32> {
        &self.addresses
    }

    /// What is refused.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The lines of the pragmas about loops that have been met.
    pub(crate) fn met_pragmas(&self) -> &BTreeSet<usize> {
        &self.met_pragmas
    }

    /// The loops whose iterations are declared to be independent.
    pub(crate) fn independent_loops(&self) -> &BTreeSet<u32> {
        &self.independent_loops
    }

    /// The extents, by their starts, that have a value and a text of their own.
    pub(crate) fn own_extents(&self) -> &BTreeMap<usize, (Linear, String)> {
        &self.own_extents
    }

    /// Variables that are checked to be apart.
    pub(crate) fn apart(&self) -> &[Apart] {
        &self.apart
    }

    /// What the program promises about symbolic constants.
    pub(crate) fn promises(&self) -> &[Disjunction] {
        &self.promises
    }

    /// Arrays with more dimensions in the model than in C.
    pub(crate) fn views(&self) -> &BTreeMap<u32, DelinearizedShape> {
        &self.views
    }

    /// The constants of enumerations that the region declares.
    pub(crate) fn own_constants(&self) -> &BTreeMap<&'s str, Option<usize>> {
        &self.own_constants
    }

    /// The variables that are declared in the region's own block.
    pub(crate) fn declared_at_top(&self) -> &[u32] {
        &self.declared_at_top
    }

    /// The objects behind pointers that the region reads whenever it runs.
    pub(crate) fn read_objects(&self) -> &[ReadObject] {
        &self.read_objects
    }

    /// What is taken for granted.
    pub(crate) fn assumptions(&self) -> &[String] {
        &self.assumptions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::diagnostic::Code;

    #[test]
    fn what_is_tried_leaves_no_traces() {
        let mut out = Output::with_remarks(vec!["before".into()]);
        out.assume("n fits".into());
        out.note_use(1, 7);
        let attempt = out.attempt();
        out.assume("n fits".into());
        out.assume("m fits".into());
        out.note_use(1, 9);
        out.note_use(2, 9);
        out.remark("within".into());
        out.iterator_variables.insert(3);
        out.whole_structures.insert(4);
        assert!(out.is_clean(&attempt));
        out.report(Diagnostic::new(Code::Syntax, "within"));
        assert!(!out.is_clean(&attempt));
        out.take_back(attempt);
        assert_eq!(out.assumptions(), ["n fits"]);
        assert_eq!(out.affine_uses().sorted(), [(1, 7)]);
        assert!(out.diagnostics().is_empty());
        assert!(out.iterator_variables.is_empty() && out.whole_structures.is_empty());
        assert_eq!(out.take_remarks(), ["before"]);
    }
}
