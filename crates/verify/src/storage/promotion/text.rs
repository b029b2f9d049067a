//! 1 and 4: what statements say is the program's, but for cells of promoted arrays; padding does no harm.
use super::{Check, PromotedProgram, elements};
use crate::storage::forms::keeps_arrays;
use crate::verdict::{Violation, violation, violation_if_any};
use loopwright_presburger::{BasicMap, DimKind, Int, Map, Result, Row, Set, Space};
use loopwright_scop::{
    Access, AccessKind, ArithmeticOperator, ArrayId, AssignmentOperator, BinaryOperator, Element,
    PromotedArray, Statement, Term, TermKind,
};

/// A part of a statement of the program in whose place a cell stands.
pub(in crate::storage) struct Hole<'a> {
    pub(in crate::storage) part: &'a Term,
    pub(in crate::storage) cell: &'a Element,
}

/// What two terms differ in but for cells: the holes; none if it is more.
pub(in crate::storage) fn holes<'a>(
    before: &'a Term,
    after: &'a Term,
    is_cell: &impl Fn(ArrayId) -> bool,
    found: &mut Vec<Hole<'a>>,
) -> Option<()> {
    if let Some(cell) = after.as_element().filter(|element| is_cell(element.array)) {
        found.push(Hole { part: before, cell });
        return Some(());
    }
    let same = before.kind() == after.kind()
        && before.texts() == after.texts()
        && before.children().len() == after.children().len();
    let mut children = before.children().iter().zip(after.children());
    same.then(|| children.try_for_each(|(a, b)| holes(a, b, is_cell, found)))?
}

/// What an assignment assigns, and to which element, if a statement is one.
fn assigned(statement: &Statement) -> Option<(AssignmentOperator, &Element, &Term)> {
    let (operator, target, value) = statement.body.root()?.as_assignment()?;
    let target = target.as_element().filter(|_| statement.body.hidden().is_empty())?;
    Some((operator, target, value))
}

/// The element that a statement assigns something to, if it is an assignment.
pub(in crate::storage) fn target(statement: &Statement) -> Option<&Element> {
    assigned(statement).map(|(_, target, _)| target)
}

impl<'a> Check<'a> {
    /// The holes of a statement; none if its text is another one.
    pub(super) fn holes(
        &self,
        before: &'a Statement,
        after: &'a Statement,
    ) -> Option<Vec<Hole<'a>>> {
        let mut found = Vec::new();
        let is_cell = |id| self.with_cells(id).is_some();
        let (Some(a), Some(b)) = (before.body.root(), after.body.root()) else {
            return (before.body == after.body).then_some(found);
        };
        holes(a, b, &is_cell, &mut found)?;
        let is_same = before.body.hidden() == after.body.hidden();
        is_same.then_some(found)
    }

    /// What the statements of the two programs differ in, beyond promoted arrays.
    pub(super) fn changed_text(&self) -> Result<Vec<Violation>> {
        let PromotedProgram { original, promoted, dependences, own, .. } = self.program;
        if !self.names_what_there_is()
            || !promoted.context.is_equal(&original.context, self.budget)?
        {
            return Ok(vec![violation("the arrays of the program have changed".into())]);
        }
        if !dependences.is_exact || !own.is_exact {
            return Ok(vec![violation("where values come from is not known exactly".into())]);
        }
        let mut violations = Vec::new();
        for (before, after) in original.statements.iter().zip(&promoted.statements) {
            if !self.is_same_statement(before, after)? {
                violations.push(violation(format!("{} is another statement", after.name)));
            }
        }
        for copy in self.copies() {
            if !self.is_assignment(copy)? {
                violations.push(violation(format!("{} does not assign a value", copy.name)));
            }
        }
        Ok(violations)
    }

    /// Whether the program's arrays and statements are there, and what is added to the arrays is promoted.
    fn names_what_there_is(&self) -> bool {
        let PromotedProgram { original, promoted, promotion, .. } = self.program;
        let (n, n_all) = (original.arrays.len(), promoted.arrays.len());
        let is_added = |id: ArrayId| (n..n_all).contains(&(id.0 as usize));
        let mut added = (0u32..).map(ArrayId).take(n_all).skip(n);
        let is_known = |id: ArrayId| {
            let stands_for = |array: &&PromotedArray| (array.elements == id) != (array.cells == id);
            promotion.arrays.iter().filter(stands_for).count() == 1
        };
        keeps_arrays(original, promoted)
            && promoted.statements.len() >= original.statements.len()
            && added.all(|id| is_known(id) && !promoted.array(id).live_out)
            && promotion.arrays.iter().all(|own| {
                is_added(own.elements)
                    && is_added(own.cells)
                    && promoted.array(own.elements).element_type
                        == promoted.array(own.cells).element_type
            })
    }

    fn is_same_statement(&self, before: &'a Statement, after: &'a Statement) -> Result<bool> {
        let Some(holes) = self.holes(before, after) else { return Ok(false) };
        let is_plain = assigned(before).is_some();
        let domain = before.domain.intersect_params(&self.program.original.context)?;
        if before.is_kill != after.is_kill
            || before.name != after.name
            || before.accesses.len() > after.accesses.len()
            || !(holes.is_empty() || is_plain)
            || !domain.is_subset(&after.domain, self.budget)?
        {
            return Ok(false);
        }
        let target = assigned(after).map(|(_, target, _)| target);
        for (a, b) in before.accesses.iter().zip(&after.accesses) {
            let is_kept = a.array == b.array
                && b.relation
                    .is_equal(&a.relation.intersect_domain(&b.relation.domain())?, self.budget)?
                && a.relation
                    .intersect_domain(&before.domain)?
                    .is_subset(&b.relation, self.budget)?;
            let stands_for = holes.iter().any(|hole| {
                self.promoted(b.array).is_some_and(|array| array.cells == hole.cell.array)
                    && hole.part.as_element().is_some_and(|part| part.array == a.array)
            });
            // What is written has to be what the text writes, which may be the text of before.
            let writes_text = a.kind == AccessKind::Read
                || (holes.is_empty() && is_kept)
                || target.is_none_or(|target| match self.promoted(b.array) {
                    Some(array) => array.cells == target.array,
                    None => b.array == target.array,
                });
            if a.kind != b.kind || !(is_kept || stands_for) || !writes_text {
                return Ok(false);
            }
        }
        let added = &after.accesses[before.accesses.len()..];
        let is_read = |a: &Access| a.kind == AccessKind::Read && self.promoted(a.array).is_some();
        if !added.iter().all(is_read) {
            return Ok(false);
        }
        for hole in &holes {
            if !self.is_accessed(after, hole.cell, target)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a statement has the accesses of a cell in its text, and these are of that cell.
    fn is_accessed(
        &self,
        after: &Statement,
        cell: &Element,
        target: Option<&Element>,
    ) -> Result<bool> {
        let Some(array) = self.with_cells(cell.array) else { return Ok(false) };
        let name = &self.program.promoted.array(array.cells).name;
        if let Some(reads) = self.reads_in_order(after, array) {
            return Ok(
                cell.base.is_named(name) && reads.iter().any(|(_, own)| std::ptr::eq(*own, cell))
            );
        }
        let mut own = after.accesses.iter().filter(|access| access.array == array.elements);
        let Some(first) = own.clone().next() else { return Ok(false) };
        let kinds: Vec<AccessKind> = own.clone().map(|access| access.kind).collect();
        let is_one = own.try_fold(true, |all, access| {
            Ok(all && access.relation.is_equal(&first.relation, self.budget)?)
        })?;
        let assignment = assigned(after);
        let is_target = target.is_some_and(|target| std::ptr::eq(target, cell) || target == cell);
        let is_update = assignment.is_some_and(|(by, ..)| by != AssignmentOperator::Set);
        let in_value = assignment.is_some_and(|(.., value)| value.elements().contains(&cell));
        Ok(is_one
            && cell.base.is_named(name)
            && self.cell_of(after, array)?.is_some()
            && (!is_target || kinds.contains(&AccessKind::MustWrite))
            && (!(in_value || is_target && is_update) || kinds.contains(&AccessKind::Read)))
    }

    /// Whether a statement that was added assigns a value to one element, with the accesses that it says.
    fn is_assignment(&self, copy: &Statement) -> Result<bool> {
        let Some(assigned) = copy.body.plain_assignment() else { return Ok(false) };
        let Some((written, read)) = copy.accesses.split_first() else { return Ok(false) };
        let sources = assigned.value.elements();
        if assigned.operator != AssignmentOperator::Set
            || written.kind != AccessKind::MustWrite
            || sources.len() != read.len()
            || !self.is_access(copy, written, assigned.target)?
        {
            return Ok(false);
        }
        for (access, source) in read.iter().zip(sources) {
            if access.kind != AccessKind::Read || !self.is_access(copy, access, source)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an element of the text is that of an access.
    fn is_access(&self, copy: &Statement, access: &Access, element: &Element) -> Result<bool> {
        let promoted = self.program.promoted;
        let is_named = match self.promoted(access.array) {
            Some(array) => {
                return Ok(element.array == array.cells
                    && element.base.is_named(&promoted.array(array.cells).name)
                    && self.cell_of(copy, array)?.is_some());
            }
            None => {
                let original = self.program.original.statements.iter();
                let mut known = original.flat_map(|statement| statement.body.elements());
                element.array == access.array
                    && self.is_of_program(access.array)
                    && known.any(|other| other.array == access.array && other.base == element.base)
            }
        };
        Ok(is_named
            && elements(copy, element)?
                .is_equal(&super::anonymous(&access.relation)?, self.budget)?)
    }

    /// 4: instances that are not the program's, of statements that may not have such.
    pub(super) fn harmful_padding(&self) -> Result<Vec<Violation>> {
        let PromotedProgram { original, promoted, .. } = self.program;
        let mut violations = Vec::new();
        for (before, after) in original.statements.iter().zip(&promoted.statements) {
            if after.is_kill || self.may_be_padded(after) {
                continue;
            }
            let whole = after.domain.intersect_params(&original.context)?;
            let more = whole.subtract(&before.domain, self.budget)?;
            let message = || format!("{} has instances that do harm", after.name);
            violations.extend(violation_if_any(more.as_map(), message, self.budget)?);
        }
        Ok(violations)
    }

    fn may_be_padded(&self, statement: &Statement) -> bool {
        use ArithmeticOperator::{Add, Multiply, Subtract};
        let is_total = |operator: ArithmeticOperator| matches!(operator, Add | Subtract | Multiply);
        let Some(assigned) = statement.body.plain_assignment() else { return false };
        let scop = self.program.promoted;
        let is_harmless = |term: &Term| match term.kind() {
            TermKind::Binary(BinaryOperator::Arithmetic(operator)) => is_total(*operator),
            TermKind::Element(element) => {
                let array = scop.array(element.array);
                let is_value = array.is_scalar() && self.is_of_program(element.array);
                array.floating_type().is_some()
                    && (is_value || self.with_cells(element.array).is_some())
            }
            TermKind::Affine(_) => false,
            _ => true,
        };
        let operator = match assigned.operator {
            AssignmentOperator::Set => true,
            AssignmentOperator::Update(operator) => is_total(operator),
        };
        operator
            && assigned.value.all(&is_harmless)
            && self.with_cells(assigned.target.array).is_some()
            && scop.array(assigned.target.array).floating_type().is_some()
    }

    /// 6: cells beyond the extents of their arrays, and elements of the program's arrays outside of the box
    /// around those that it accesses.
    pub(super) fn outside_of_extents(&self) -> Result<Vec<Violation>> {
        let PromotedProgram { original, promoted, .. } = self.program;
        let mut violations = Vec::new();
        for statement in promoted.statements.iter().filter(|statement| !statement.is_kill) {
            for access in &statement.accesses {
                let name = &promoted.array(access.array).name;
                let message =
                    || format!("{} accesses an element outside of `{name}`", statement.name);
                let outside = match self.promoted(access.array) {
                    Some(array) => self.outside_of_cells(statement, array, access)?,
                    // What else is added lies in the memory of the device, of which another proof says that
                    // there is enough.
                    None if self.of_program(statement).is_some()
                        || !self.is_of_program(access.array) =>
                    {
                        continue;
                    }
                    None => {
                        let own = access.relation.range().intersect_params(&original.context)?;
                        Some(self.outside_of_box(access.array, &own)?.as_map().clone())
                    }
                };
                match outside {
                    Some(outside) => {
                        violations.extend(violation_if_any(&outside, message, self.budget)?)
                    }
                    None => violations
                        .push(violation(format!("the extents of `{name}` are not constant"))),
                }
            }
        }
        Ok(violations)
    }

    /// The elements outside of the box around those that the program accesses: with a subscript that is less,
    /// or greater, than all of them.
    fn outside_of_box(&self, array: ArrayId, set: &Set) -> Result<Set> {
        let all = self.program.original.statements.iter().filter(|s| !s.is_kill);
        let all: Vec<Set> = all
            .flat_map(|statement| &statement.accesses)
            .filter(|access| access.array == array)
            .map(|access| access.relation.range())
            .collect();
        let mut outside = Set::empty(set.space().clone());
        for (position, sign) in (0..set.n(DimKind::Out)).flat_map(|at| [(at, 1), (at, -1)]) {
            let mut rest = set.clone();
            for known in &all {
                rest = rest
                    .subtract(&known.apply(&beyond(set.space(), position, sign))?, self.budget)?;
            }
            outside = outside.union(&rest)?;
        }
        Ok(outside)
    }

    fn outside_of_cells(
        &self,
        statement: &Statement,
        array: &PromotedArray,
        access: &Access,
    ) -> Result<Option<Map>> {
        let Some(named) = self.cell_of_access(statement, array, access)? else { return Ok(None) };
        let named = named.intersect_params(&self.program.original.context)?;
        let mut outside = Map::empty(named.space().clone());
        for (position, extent) in
            self.program.promoted.array(array.cells).extents.iter().enumerate()
        {
            let extent = extent.as_ref().and_then(|e| e.as_aff()?.constant_value()?.to_int());
            let Some(extent) = extent else { return Ok(None) };
            outside = outside.union(&named.upper_bound(DimKind::Out, position, &-&Int::ONE))?;
            outside = outside.union(&named.lower_bound(DimKind::Out, position, &extent))?;
        }
        let n = self.program.promoted.array(array.cells).extents.len();
        Ok((named.n(DimKind::Out) == n).then_some(outside))
    }
}

/// From points to those that have no less at a position, or no more if the sign is negative; all else is
/// free.
fn beyond(space: &Space, position: usize, sign: i64) -> Map {
    let all = BasicMap::universe(space.map_to(space));
    let mut row = Row::zeros(all.n_columns());
    row.set(all.offset(DimKind::Out) + position, Int::from(sign));
    row.set(all.offset(DimKind::In) + position, Int::from(-sign));
    Map::from_basic_map(all.add_inequality(row))
}
