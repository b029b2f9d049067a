//! A program whose kernels keep values in the memory of blocks and threads computes what the program does.
//!
//! In a promoted program ([`loopwright_scop::Promotion`]) statements access elements of arrays that stand for
//! shared memory and registers; statements that were added fill these and copy out of them. It computes what
//! the program does, if
//!
//! 1. *text*: each statement is the program's, but that cells of promoted arrays stand in place of elements,
//!    or of parts of what is computed; it has at least the program's instances. All statements that were
//!    added assign the value of an expression to one element;
//! 2. *values*: each value that an instance of the program reads comes, by way of copies, from where it comes
//!    from in the program. A cell that stands for a part of an expression was filled by a statement that
//!    computes the same part from the same values;
//! 3. *results*: the last value of each element that may be seen after the region is that of the program;
//! 4. *padding*: further instances access promoted arrays and read scalars, and nothing else, and add,
//!    subtract and multiply numbers of floating types, so that they can neither fail nor change anything that
//!    2 and 3 are about;
//! 5. *owners*: all accesses of an element of a promoted array are in one execution of the part of the tree
//!    that declares it and, if it is in registers, on one thread, and name the same cell, which is that of no
//!    other element there;
//! 6. *extents*: cells are within the extents of their arrays, and elements of the program's arrays lie in
//!    the box around those that the program accesses. (That they are in the memory of the device is for
//!    [`crate::check_memory`].)
//!
//! 2 and 3 are checked on the dependences of both programs. The order that those of the promoted program hold
//! for is its own; that threads which run at one time keep it, by barriers between them, is for
//! [`crate::check_parallel_loops`] and the check of barriers.
pub(crate) mod cached_tiles;
mod owners;
pub(super) mod text;
mod values;

use crate::verdict::{Proof, Violation};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, DimKind, Map, Result, Set, Space, Tuple};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{
    Access, AccessKind, ArrayId, Element, PromotedArray, Promotion, Scop, Statement,
};

/// A program without and with promoted arrays.
#[derive(Clone, Copy, Debug)]
pub struct PromotedProgram<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The program with promoted arrays.
    pub promoted: &'a Scop,
    /// Its own dependences, in its own order.
    pub own: &'a Dependences,
    /// Which arrays are promoted.
    pub promotion: &'a Promotion,
}

/// Checks that a program with promoted arrays, whose kernels are those of `tree`, computes what the program
/// does, provided that it runs in an order that respects its own dependences.
///
/// *Exactness.* Exact for all values of the parameters in the context, but that values may go through as many
/// copies only as there are statements that copy. *Cost.* For each read some compositions and a comparison of
/// relations.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_promotion(
    program: PromotedProgram<'_>,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    let check = Check { program, budget };
    let find_violations = || {
        let mut violations = check.changed_text()?;
        if !violations.is_empty() {
            return Ok(violations);
        }
        violations.extend(check.other_values()?);
        violations.extend(check.other_results()?);
        violations.extend(check.harmful_padding()?);
        violations.extend(check.wrong_owners(tree)?);
        violations.extend(check.outside_of_extents()?);
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

/// 5 and 6 alone: what is wrong with the owners and extents of promoted arrays.
pub(super) fn wrong_places(
    program: PromotedProgram<'_>,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let check = Check { program, budget };
    let mut violations = check.wrong_owners(tree)?;
    violations.extend(check.outside_of_extents()?);
    Ok(violations)
}

struct Check<'a> {
    program: PromotedProgram<'a>,
    budget: &'a Budget,
}

impl<'a> Check<'a> {
    /// The program's statement that one of the promoted program is; none if it was added.
    fn of_program(&self, statement: &Statement) -> Option<&'a Statement> {
        self.program.original.statements.get(statement.id.0 as usize)
    }

    /// The statements that were added.
    fn copies(&self) -> impl Iterator<Item = &'a Statement> {
        self.program.promoted.statements.iter().skip(self.program.original.statements.len())
    }

    fn is_of_program(&self, array: ArrayId) -> bool {
        (array.0 as usize) < self.program.original.arrays.len()
    }

    fn promoted(&self, elements: ArrayId) -> Option<&'a PromotedArray> {
        self.program.promotion.of(elements)
    }

    fn with_cells(&self, cells: ArrayId) -> Option<&'a PromotedArray> {
        self.program.promotion.arrays.iter().find(|array| array.cells == cells)
    }

    /// The cell of a promoted array that the text of a statement names; none if it names none, or several.
    fn cell_of(&self, statement: &Statement, array: &PromotedArray) -> Result<Option<Map>> {
        let all = statement.body.elements().into_iter().filter(|e| e.array == array.cells);
        let mut cell: Option<Map> = None;
        for element in all {
            let own = elements(statement, element)?;
            match &cell {
                Some(known) if !known.is_equal(&own, self.budget)? => return Ok(None),
                _ => cell = Some(own),
            }
        }
        Ok(cell)
    }

    /// The reads of a promoted array of which a statement names several cells, in the order in which it names
    /// them, and these; none if it writes the array, or has not as many accesses as cells. (That they belong
    /// together is what 5 says: an element is in one cell.)
    fn reads_in_order<'s>(
        &self,
        statement: &'s Statement,
        array: &PromotedArray,
    ) -> Option<Vec<(&'s Access, &'s Element)>> {
        let named = statement.body.elements().into_iter().filter(|e| e.array == array.cells);
        let named: Vec<&Element> = named.collect();
        let accesses = statement.accesses.iter().filter(|a| a.array == array.elements);
        let accesses: Vec<&Access> = accesses.collect();
        let target = text::target(statement)?;
        let are_reads = accesses.iter().all(|access| access.kind == AccessKind::Read);
        (target.array != array.cells && are_reads && named.len() == accesses.len())
            .then(|| accesses.into_iter().zip(named).collect())
    }

    /// The cell of a promoted array that an access is of: the only one that the text names, or that of the
    /// target of an assignment for accesses of what it writes, and the other one for others; in the order of
    /// the text where a statement reads several. None otherwise.
    fn cell_of_access(
        &self,
        statement: &Statement,
        array: &PromotedArray,
        access: &Access,
    ) -> Result<Option<Map>> {
        if let Some(cell) = self.cell_of(statement, array)? {
            return Ok(Some(cell));
        }
        if let Some(reads) = self.reads_in_order(statement, array) {
            let own = reads.into_iter().find(|(own, _)| own.reference == access.reference);
            return own.map(|(_, cell)| elements(statement, cell)).transpose();
        }
        let all = statement.body.elements().into_iter().filter(|e| e.array == array.cells);
        let mut own = statement.accesses.iter().filter(|a| a.array == array.elements);
        let written = own.find(|a| a.kind == AccessKind::MustWrite);
        let (Some(target), Some(written)) = (text::target(statement), written) else {
            return Ok(None);
        };
        if target.array != array.cells {
            return Ok(None);
        }
        let target = elements(statement, target)?;
        if written.relation.is_equal(&access.relation, self.budget)? {
            return Ok(Some(target));
        }
        let mut other: Option<Map> = None;
        for element in all {
            let cell = elements(statement, element)?;
            if cell.is_equal(&target, self.budget)? {
                continue;
            }
            match &other {
                Some(known) if !known.is_equal(&cell, self.budget)? => return Ok(None),
                _ => other = Some(cell),
            }
        }
        Ok(other)
    }
}

/// The elements that a part of a statement's body names: `{ S[..] -> [subscripts] }`.
pub(super) fn elements(statement: &Statement, element: &Element) -> Result<Map> {
    let nothing = Space::set(statement.domain.space().param_names(), Tuple::anonymous(0));
    let mut relation = Map::from_domain_and_range(&statement.domain, &Set::universe(nothing))?;
    for subscript in &element.subscripts {
        relation = relation.flat_range_product(&subscript.to_map())?;
    }
    Ok(relation)
}

/// The same relation to a tuple without a name.
pub(super) fn anonymous(relation: &Map) -> Result<Map> {
    let space = relation.space();
    let tuple = Tuple::anonymous(relation.n(DimKind::Out));
    relation.with_space_tuples(&space.with_tuples(space.input().cloned(), Some(tuple)))
}
