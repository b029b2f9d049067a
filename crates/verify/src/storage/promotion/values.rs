//! 2 and 3: values that are read, and last values, come from where those of the program come from.
use super::text::Hole;
use super::{Check, PromotedProgram, anonymous, elements};
use crate::storage::origins::{
    Origin, Origins, add, add_through, differences, of_read, of_results,
};
use crate::verdict::{Violation, violation, violation_if_any};
use loopwright_presburger::{Map, PwAff, Result, Set};
use loopwright_scop::{
    AccessKind, Array, ArrayId, Element, ReferenceId, ScalarType, Statement, StatementId, Term,
    TermKind,
};

/// An element of the program, of which a statement that was added reads the value or has it from a register.
struct Named<'b> {
    element: &'b Element,
    /// From readers of the cell to the statement that names it.
    filled: Map,
}

impl<'a> Check<'a> {
    /// The number of copies that a value may go through.
    fn most_copies(&self) -> usize {
        self.copies().count()
    }

    /// Where the values come from that a reference reads: from its instances. None if nobody has written some
    /// of them, or they were computed on the way.
    fn origins(
        &self,
        reader: &Statement,
        reference: ReferenceId,
        depth: usize,
    ) -> Result<Option<Origins>> {
        let PromotedProgram { promoted, own, .. } = self.program;
        let domain = self.of_program(reader).map_or(&reader.domain, |before| &before.domain);
        let domain = &domain.intersect_params(&self.program.original.context)?;
        let mut origins = Origins::new();
        let is_meant = |id: StatementId, r: ReferenceId| id == reader.id && r == reference;
        for live in own.live_in.iter().filter(|live| is_meant(live.statement, live.reference)) {
            let relation = live.relation.intersect_domain(domain)?;
            if self.is_of_program(live.array) {
                add(&mut origins, Origin::Before(live.array), relation)?;
            } else if !relation.is_empty(self.budget)? {
                return Ok(None);
            }
        }
        for flow in own.flow.iter().filter(|flow| is_meant(flow.sink.0, flow.sink.1)) {
            let source = promoted.statement(flow.source.0);
            let to_source = flow.relation.reverse().intersect_domain(domain)?;
            if self.of_program(source).is_some() {
                add(&mut origins, Origin::Written(source.id, flow.source.1), to_source)?;
                continue;
            }
            if to_source.is_empty(self.budget)? {
                continue;
            }
            if depth == 0 || !self.is_copy(source) {
                return Ok(None);
            }
            let Some(further) = self.origins(source, ReferenceId(1), depth - 1)? else {
                return Ok(None);
            };
            add_through(&mut origins, &to_source, further)?;
        }
        Ok(Some(origins))
    }

    /// Whether a statement that was added assigns an element to another one of the same type.
    pub(super) fn is_copy(&self, statement: &Statement) -> bool {
        let Some(assigned) = statement.body.plain_assignment() else { return false };
        let Some(source) = assigned.value.as_element() else { return false };
        let type_of = |array: ArrayId| &self.program.promoted.array(array).element_type;
        type_of(assigned.target.array) == type_of(source.array)
    }

    fn differences(
        &self,
        found: &Origins,
        expected: &Origins,
        message: impl Fn() -> String,
    ) -> Result<Vec<Violation>> {
        differences((found, expected), &self.program.original.context, &message, self.budget)
    }

    /// 2: reads of other values than the program reads.
    pub(super) fn other_values(&self) -> Result<Vec<Violation>> {
        let PromotedProgram { original, promoted, .. } = self.program;
        let mut violations = Vec::new();
        for (before, after) in original.statements.iter().zip(&promoted.statements) {
            for access in before.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
                let name = &original.array(access.array).name;
                let Some(found) = self.origins(after, access.reference, self.most_copies())? else {
                    let message =
                        format!("{} reads a value of `{name}` that nobody has written", after.name);
                    violations.push(violation(message));
                    continue;
                };
                let expected = of_read(self.program.dependences, (before.id, access.reference))?;
                violations.extend(self.differences(&found, &expected, || {
                    format!("{} reads another value of `{name}`", after.name)
                })?);
            }
            for hole in self.holes(before, after).unwrap_or_default() {
                violations.extend(self.other_parts(before, after, &hole)?);
            }
        }
        Ok(violations)
    }

    /// Cells that have another value than the part of an expression in whose place they stand.
    fn other_parts(
        &self,
        before: &'a Statement,
        after: &'a Statement,
        hole: &Hole<'_>,
    ) -> Result<Vec<Violation>> {
        let PromotedProgram { promoted, own, original, .. } = self.program;
        let Some(array) = self.with_cells(hole.cell.array) else { return Ok(Vec::new()) };
        let added = &after.accesses[before.accesses.len()..];
        let reads = self.reads_in_order(after, array).unwrap_or_default();
        let of_hole = reads.iter().find(|(_, cell)| std::ptr::eq(*cell, hole.cell));
        let is_own = |access: &&loopwright_scop::Access| match of_hole {
            Some((own, _)) => own.reference == access.reference,
            None => access.array == array.elements,
        };
        let name = &promoted.array(array.cells).name;
        let wrong = |what: &str| {
            Ok(vec![violation(format!("{} reads a cell of `{name}` {what}", after.name))])
        };
        let Some(access) = added.iter().find(is_own) else {
            return match self.is_in_place(before, after, hole)? {
                true => Ok(Vec::new()),
                false => wrong("that stands for something else"),
            };
        };
        let domain = before.domain.intersect_params(&original.context)?;
        let mut unknown = domain.clone();
        for flow in own.flow.iter().filter(|f| f.sink == (after.id, access.reference)) {
            let filled = flow.relation.reverse().intersect_domain(&domain)?;
            if filled.is_empty(self.budget)? {
                continue;
            }
            unknown = unknown.subtract(&filled.domain(), self.budget)?;
            let fill = promoted.statement(flow.source.0);
            if self.of_program(fill).is_some() {
                return wrong("that it was not filled for");
            }
            let Some(assigned) = fill.body.plain_assignment() else {
                return wrong("without value");
            };
            if !self.has_type_of(hole.part, array.cells) {
                return wrong("of another type");
            }
            let Some(named) = self.named((fill, assigned.value), &filled)? else {
                return wrong("that is filled from a register of another value");
            };
            let (mut open, mut matched) = (named.iter(), Vec::new());
            let terms = (hole.part, assigned.value);
            if !self.is_same_part(terms, &filled, (&mut open, &mut matched))? {
                return wrong(&format!("that {} fills with something else", fill.name));
            }
            if matched.len() != named.len() {
                return wrong("that stands for another element");
            }
            for (element, position) in matched.into_iter().zip(1u32..) {
                let Some(read) = self.read_of((before, &domain), element)? else {
                    return wrong("that stands for another element");
                };
                let Some(further) =
                    self.origins(fill, ReferenceId(position), self.most_copies())?
                else {
                    return wrong("of a value that nobody has written");
                };
                let mut found = Origins::new();
                add_through(&mut found, &filled, further)?;
                let mut expected = Origins::new();
                for (origin, relation) in of_read(self.program.dependences, (before.id, read))? {
                    add(&mut expected, origin, relation.intersect_domain(&filled.domain())?)?;
                }
                let differences = self.differences(&found, &expected, || {
                    format!("{} reads a cell of `{name}` with another value", after.name)
                })?;
                if !differences.is_empty() {
                    return Ok(differences);
                }
            }
        }
        let message = || format!("{} reads a cell of `{name}` that nobody has filled", after.name);
        Ok(Vec::from_iter(violation_if_any(unknown.as_map(), message, self.budget)?))
    }

    /// The elements of the program that stand for those that a statement which fills a cell reads: for a
    /// register or another cell what the first of the copies reads that have filled it. None if they are
    /// filled in several ways, or not at all. `filled` leads from readers of the cell to the statement.
    fn named<'b>(
        &'b self,
        (fill, value): (&'b Statement, &'b Term),
        filled: &Map,
    ) -> Result<Option<Vec<Named<'b>>>> {
        let mut all = Vec::new();
        for (element, position) in value.elements().into_iter().zip(1u32..) {
            if self.is_of_program(element.array) {
                all.push(Named { element, filled: filled.clone() });
                continue;
            }
            let reference = (fill.id, ReferenceId(position));
            let Some(found) = self.first_copied(reference, filled, self.most_copies())? else {
                return Ok(None);
            };
            all.push(found);
        }
        Ok(Some(all))
    }

    /// The element of the program whose value a reference of a copy reads, by way of at most so many other
    /// copies.
    fn first_copied<'b>(
        &'b self,
        reference: (StatementId, ReferenceId),
        filled: &Map,
        depth: usize,
    ) -> Result<Option<Named<'b>>> {
        let PromotedProgram { promoted, own, .. } = self.program;
        let mut found: Option<Named<'b>> = None;
        for flow in own.flow.iter().filter(|flow| flow.sink == reference) {
            let filled = filled.apply_range(&flow.relation.reverse())?;
            if filled.is_empty(self.budget)? {
                continue;
            }
            let copy = promoted.statement(flow.source.0);
            let source = copy.body.plain_assignment().and_then(|own| own.value.as_element());
            let is_added = self.of_program(copy).is_none() && self.is_copy(copy);
            let (Some(element), true, None) = (source, is_added, &found) else {
                return Ok(None);
            };
            let here = match (self.is_of_program(element.array), depth.checked_sub(1)) {
                (true, _) => Some(Named { element, filled }),
                (false, Some(depth)) => {
                    self.first_copied((copy.id, ReferenceId(1)), &filled, depth)?
                }
                (false, None) => None,
            };
            if here.is_none() {
                return Ok(None);
            }
            found = here;
        }
        let Some(found) = found else { return Ok(None) };
        let unknown = filled.domain().subtract(&found.filled.domain(), self.budget)?;
        Ok(unknown.is_empty(self.budget)?.then_some(found))
    }

    /// Whether a cell stands for an element by the same references, whose values are looked at apart.
    fn is_in_place(&self, before: &Statement, after: &Statement, hole: &Hole<'_>) -> Result<bool> {
        let (Some(part), Some(array)) = (hole.part.as_element(), self.with_cells(hole.cell.array))
        else {
            return Ok(false);
        };
        let part_of = elements(before, part)?;
        let mut all =
            before.accesses.iter().zip(&after.accesses).filter(|(a, _)| a.array == part.array);
        let mut is_there = false;
        all.try_fold(true, |all, (a, b)| {
            if !anonymous(&a.relation)?.is_equal(&part_of, self.budget)? {
                return Ok(all);
            }
            is_there = true;
            Ok(all && b.array == array.elements)
        })
        .map(|all| all && is_there)
    }

    fn has_type_of(&self, part: &Term, cells: ArrayId) -> bool {
        let scop = self.program.promoted;
        let own = scop.array(cells);
        match part.without_parentheses().as_element() {
            Some(element) => scop.array(element.array).element_type == own.element_type,
            None => own.floating_type().is_some_and(|floating| {
                part.value_type(scop) == Some(ScalarType::Floating(floating))
            }),
        }
    }

    /// The reference by which a statement reads an element that it names, at instances in a domain.
    fn read_of(
        &self,
        (before, domain): (&Statement, &Set),
        element: &Element,
    ) -> Result<Option<ReferenceId>> {
        let named = elements(before, element)?.intersect_domain(domain)?;
        for access in &before.accesses {
            if access.array == element.array && access.kind == AccessKind::Read {
                let own = anonymous(&access.relation)?.intersect_domain(domain)?;
                if own.is_equal(&named, self.budget)? {
                    return Ok(Some(access.reference));
                }
            }
        }
        Ok(None)
    }

    /// Whether two terms are the same operations on the same elements and integers, for instances that belong
    /// together. `named` are the elements of the second one, in its order; those of the first one that are
    /// the same are added to `matched`, in that order.
    fn is_same_part<'b>(
        &self,
        (a, b): (&'b Term, &Term),
        filled: &Map,
        (named, matched): (&mut impl Iterator<Item = &'b Named<'b>>, &mut Vec<&'b Element>),
    ) -> Result<bool> {
        let same_shape = a.texts() == b.texts() && a.children().len() == b.children().len();
        let is_same = match (a.kind(), b.kind()) {
            (TermKind::Affine(x), TermKind::Affine(y)) => self.is_same_form(&x.0, &y.0, filled)?,
            (TermKind::Element(x), TermKind::Element(_)) => {
                let Some(Named { element: y, filled, .. }) = named.next() else {
                    return Ok(false);
                };
                let mut same = x.array == y.array
                    && x.base == y.base
                    && x.subscripts.len() == y.subscripts.len();
                for (x, y) in x.subscripts.iter().zip(&y.subscripts) {
                    same = same && self.is_same_form(x, y, filled)?;
                }
                matched.push(x);
                same
            }
            (x, y) => x == y,
        };
        if !same_shape || !is_same {
            return Ok(false);
        }
        for (a, b) in a.children().iter().zip(b.children()) {
            if !self.is_same_part((a, b), filled, (&mut *named, &mut *matched))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether two forms have values, and equal ones, at all instances that belong together.
    ///
    /// The pairs themselves are asked: from instances to values there would be unknown coordinates of the
    /// others in between.
    fn is_same_form(&self, a: &PwAff, b: &PwAff, filled: &Map) -> Result<bool> {
        let same = a.to_map().apply_range(&b.to_map().reverse())?;
        filled.is_subset(&same, self.budget)
    }

    /// 3: elements whose last value is another one than that of the program.
    pub(super) fn other_results(&self) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        for (id, array) in (0u32..).map(ArrayId).zip(&self.program.original.arrays) {
            violations.extend(self.other_results_in(id, array)?);
        }
        Ok(violations)
    }

    /// The same of one array, by relations from its elements to origins.
    fn other_results_in(&self, id: ArrayId, array: &Array) -> Result<Vec<Violation>> {
        let PromotedProgram { dependences, promoted, own, .. } = self.program;
        let expected = of_results(dependences, id)?;
        let mut found = Origins::new();
        for live in own.live_out.iter().filter(|live| live.array == id) {
            let from_elements = live.relation.reverse();
            let writer = promoted.statement(live.statement);
            if self.of_program(writer).is_some() {
                add(&mut found, Origin::Written(live.statement, live.reference), from_elements)?;
                continue;
            }
            let origins = match self.is_copy(writer) {
                true => self.origins(writer, ReferenceId(1), self.most_copies())?,
                false => None,
            };
            let Some(origins) = origins else {
                let message = format!("`{}` gets a value that nobody has written", array.name);
                return Ok(vec![violation(message)]);
            };
            add_through(&mut found, &from_elements, origins)?;
        }
        self.differences(&found, &expected, || {
            format!("the last value of `{}` is another one", array.name)
        })
    }
}
