//! A program with scans computes what the program does, if what it combines may be associated in another way.
//!
//! In a program with scans ([`loopwright_device::with_scans`]) a loop that carries one value runs in chunks:
//! the updates of chunks are of elements of arrays that were added, statements that were added begin, copy
//! and combine these, and one statement computes all updates of a chunk once more. Each value that is
//! combined holds some updates of the program, and perhaps the *base*, the value that is there in front of
//! the loop. Of each statement a relation is claimed, from its instances to the updates that the value holds
//! which it writes, and whether the base is in it. It computes what the program does, if
//!
//! 1. *text*: each statement is the program's, but that elements of added arrays stand in place of the one
//!    that is combined. Those that were added are `X = neutral`, `X = Y`, `X = X op Y`, or the update once
//!    more, on an added array;
//! 2. *operators*: there is one operator, that of the updates;
//! 3. *claims*: a constant holds nothing; a copy holds what it reads; what combines two values holds what
//!    both hold, and these have nothing in common (which is no matter for extrema and bits); an update holds
//!    what it reads and itself. That is so in the program, too, for the updates and their claim;
//! 4. *base*: all bases are one value;
//! 5. *values*: whatever reads a combined value finds one that holds what the value holds which it finds in
//!    the program; so do last values. All other reads find the values that they find in the program, those of
//!    updates that are computed once more as well, and so do all other last values.
//!
//! What a value holds is by 3 what is claimed, by induction over the execution: each read is of a value that
//! has been written before. The order of updates in a value is that of the program (prefixes are put together
//! in order) or another one, where the operator is commutative; all that are known here are.
use crate::storage::forms::{Added, Form, Forms, is_idempotent, keeps_arrays, neutral};
use crate::storage::origins::{Origin, Origins, differences, of_read, of_results};
use crate::storage::promotion::text::{Hole, holes};
use crate::storage::promotion::{anonymous, elements};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::{Dependences, Reduction, reductions};
use loopwright_device::Scan;
use loopwright_presburger::{Aff, Budget, DimKind, Map, MultiAff, Result, Set, Space};
use loopwright_scop::{AccessKind, ArrayId, Promotion, ReferenceId, Scop, Statement, StatementId};
use std::collections::{BTreeMap, BTreeSet};

/// A program without and with scans.
#[derive(Clone, Copy, Debug)]
pub struct ProgramWithScans<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences, with the order of updates.
    pub dependences: &'a Dependences,
    /// The program with scans.
    pub scanned: &'a Scop,
    /// Its own dependences, in its own order.
    pub own: &'a Dependences,
    /// What is claimed.
    pub scans: &'a [Scan],
}

/// Checks that a program with scans computes what the program does, provided that it runs in an order that
/// respects its own dependences, and that what is combined may be associated in another way.
///
/// *Exactness.* Exact for all values of the parameters in the context, of programs of these forms; other ones
/// are refuted. *Cost.* For each read some compositions and a comparison of relations.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
///
/// # Examples
/// ```
/// use loopwright_dataflow::Dependences;
/// use loopwright_device::with_scans;
/// use loopwright_presburger::Budget;
/// use loopwright_verify::{ProgramWithScans, check_scans};
///
/// let text = "void f(int n, double a[n], double b[n], double s) {\n#pragma scop\n\
///             for (int i = 0; i < n; i++) { s += a[i]; b[i] = s; }\n#pragma endscop\n}\n";
/// let source = loopwright_cfront::SourceFile::from_text("f.c", text);
/// let original = &source.extract().map_err(|errors| errors[0].to_string())?[0].scop;
/// let budget = Budget::steps(10_000_000);
/// let dependences = &Dependences::of_scop(original, &budget)?;
///
/// let device = loopwright_machine::Device::generic();
/// let program = (original, dependences);
/// let found = with_scans(&original.schedule, program, &device, &Default::default(), &budget)?;
/// let found = found.expect("a sum that each iteration uses");
///
/// let (scanned, scans) = (&found.scop, &found.scans[..]);
/// let own = &Dependences::of_scop(scanned, &budget)?;
/// let program = ProgramWithScans { original, dependences, scanned, own, scans };
/// assert!(check_scans(program, &budget)?.is_proved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_scans(program: ProgramWithScans<'_>, budget: &Budget) -> Result<Proof> {
    Proof::from_violations(find_violations(program, budget))
}

fn find_violations(program: ProgramWithScans<'_>, budget: &Budget) -> Result<Vec<Violation>> {
    let mut check = Check {
        program,
        budget,
        moved: BTreeMap::new(),
        added: BTreeMap::new(),
        again: BTreeMap::new(),
        bases: BTreeMap::new(),
    };
    for stage in [Check::other_text, Check::other_operators] {
        let violations = stage(&mut check)?;
        if !violations.is_empty() {
            return Ok(violations);
        }
    }
    let mut violations = Vec::new();
    for scan in program.scans {
        violations.extend(check.other_claims(scan)?);
    }
    violations.extend(check.other_values()?);
    violations.extend(check.other_results()?);
    Ok(violations)
}

/// What a value holds, from the instances that read it, or from elements.
struct Content {
    /// The updates.
    holds: Map,
    /// Where it has the base in it, by way of other values.
    based: Set,
    /// Where it is another value.
    direct: Origins,
}

/// Which of the two programs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Original,
    Scanned,
}

struct Check<'a> {
    program: ProgramWithScans<'a>,
    budget: &'a Budget,
    /// The statements of the program that name an added array in place of the element that is combined.
    moved: BTreeMap<StatementId, ArrayId>,
    added: BTreeMap<StatementId, Added>,
    /// The updates that are computed once more.
    again: BTreeMap<StatementId, ArrayId>,
    /// The values in front of loops, by what is combined.
    bases: BTreeMap<ArrayId, Origins>,
}

impl<'a> Check<'a> {
    fn is_of_program(&self, array: ArrayId) -> bool {
        (array.0 as usize) < self.program.original.arrays.len()
    }

    fn is_refuted(&self, relation: &Map, message: &str) -> Result<Option<Violation>> {
        let relation = relation.intersect_params(&self.program.original.context)?;
        violation_if_any(&relation, || message.to_string(), self.budget)
    }

    /// What two relations differ in.
    fn unequal(&self, found: &Map, expected: &Map, message: &str) -> Result<Option<Violation>> {
        let more = self.is_refuted(&found.subtract(expected, self.budget)?, message)?;
        match more {
            Some(more) => Ok(Some(more)),
            None => self.is_refuted(&expected.subtract(found, self.budget)?, message),
        }
    }

    fn unequal_sets(
        &self,
        found: &Set,
        expected: &Set,
        message: &str,
    ) -> Result<Option<Violation>> {
        self.unequal(found.as_map(), expected.as_map(), message)
    }

    /// 1: what is another text.
    fn other_text(&mut self) -> Result<Vec<Violation>> {
        let ProgramWithScans { original, dependences, scanned, own, scans } = self.program;
        let n = original.arrays.len();
        let owners = |id: ArrayId| scans.iter().filter(|scan| scan.arrays.contains(&id)).count();
        let are_owned = (0u32..)
            .map(ArrayId)
            .take(scanned.arrays.len())
            .all(|id| owners(id) == usize::from(!self.is_of_program(id)));
        let combined: BTreeSet<ArrayId> = scans.iter().map(|scan| scan.array).collect();
        if scanned.statements.len() < original.statements.len()
            || !keeps_arrays(original, scanned)
            || scanned.arrays[n..].iter().any(|array| array.live_out)
            || !are_owned
            || combined.len() != scans.len()
            || !scanned.context.is_equal(&original.context, self.budget)?
        {
            return Ok(vec![violation("the arrays of the program have changed".into())]);
        }
        if !dependences.is_exact || !own.is_exact {
            return Ok(vec![violation("where values come from is not known exactly".into())]);
        }
        let promotion = Promotion::default();
        let (promotion, budget) = (&promotion, self.budget);
        let forms = Forms { original, changed: scanned, promotion, budget };
        let mut violations = Vec::new();
        for (before, after) in original.statements.iter().zip(&scanned.statements) {
            let are_kills = before.is_kill && after.is_kill && before.id == after.id;
            if are_kills || forms.is_unchanged(before, after)? {
                continue;
            }
            match self.moved(&forms, before, after)? {
                Some(array) => drop(self.moved.insert(before.id, array)),
                None => violations.push(violation(format!("{} is another statement", after.name))),
            }
        }
        for statement in &scanned.statements[original.statements.len()..] {
            if let Some(added) = forms.added(statement)? {
                self.added.insert(statement.id, added);
                continue;
            }
            match self.computed_again(&forms, statement)? {
                Some(array) => drop(self.again.insert(statement.id, array)),
                None => violations
                    .push(violation(format!("{} neither copies nor combines", statement.name))),
            }
        }
        let is_moved = |scan: &&Scan| self.moved.contains_key(&scan.update);
        if let Some(scan) = scans.iter().find(|scan| !is_moved(scan)) {
            let name = &scanned.statement(scan.update).name;
            violations.push(violation(format!("{name} does not combine values of chunks")));
        }
        Ok(violations)
    }

    /// The added array whose elements a statement names in place of the one that is combined.
    fn moved(
        &self,
        forms: &Forms<'_>,
        before: &Statement,
        after: &Statement,
    ) -> Result<Option<ArrayId>> {
        match forms.is_same_frame(before, after)? {
            true => self.named(forms, before, after, &before.accesses),
            false => Ok(None),
        }
    }

    /// The same for an update that is computed once more: a statement with another name and the same
    /// coordinates.
    fn computed_again(&self, forms: &Forms<'_>, after: &Statement) -> Result<Option<ArrayId>> {
        for scan in self.program.scans {
            let update = self.program.original.statement(scan.update);
            if update.domain.space().n(DimKind::Out) != after.domain.space().n(DimKind::Out) {
                continue;
            }
            let before = update.part(after.id, &after.name, &update.domain)?;
            if !forms.is_same_frame(&before, after)? {
                continue;
            }
            if let Some(array) = self.named(forms, &before, after, &before.accesses)? {
                return Ok(Some(array));
            }
        }
        Ok(None)
    }

    fn named(
        &self,
        forms: &Forms<'_>,
        before: &Statement,
        after: &Statement,
        accesses: &[loopwright_scop::Access],
    ) -> Result<Option<ArrayId>> {
        let ProgramWithScans { scanned, scans, .. } = self.program;
        let (Some(a), Some(b)) = (before.body.root(), after.body.root()) else { return Ok(None) };
        let mut found: Vec<Hole<'_>> = Vec::new();
        let is_added = |id: ArrayId| !self.is_of_program(id);
        let is_text = holes(a, b, &is_added, &mut found).is_some()
            && before.body.hidden().is_empty()
            && after.body.hidden().is_empty();
        let Some(array) = found.first().map(|hole| hole.cell.array).filter(|_| is_text) else {
            return Ok(None);
        };
        let Some(scan) = scans.iter().find(|scan| scan.arrays.contains(&array)) else {
            return Ok(None);
        };
        let is_update = before.id == scan.update
            || (before.id.0 as usize) >= self.program.original.statements.len();
        let is_hole = |hole: &Hole<'_>| {
            hole.cell.array == array
                && hole.cell.base.is_named(&scanned.array(array).name)
                && hole.part.as_element().is_some_and(|part| part.array == scan.array)
        };
        let is_left = after.body.elements().iter().any(|element| element.array == scan.array);
        let types = [scan.array, array].map(|id| &scanned.array(id).element_type);
        if !found.iter().all(is_hole) || is_left || types[0] != types[1] {
            return Ok(None);
        }
        let mut cell: Option<Map> = None;
        for hole in &found {
            let own = elements(after, hole.cell)?;
            match &cell {
                Some(known) if !known.is_equal(&own, self.budget)? => return Ok(None),
                _ => cell = Some(own),
            }
        }
        let Some(cell) = cell else { return Ok(None) };
        for (a, b) in accesses.iter().zip(&after.accesses) {
            if a.array != scan.array {
                if !forms.is_same_access(a, b)? {
                    return Ok(None);
                }
                continue;
            }
            let is_read = a.kind == AccessKind::Read;
            if b.array != array
                || a.kind != b.kind
                || a.reference != b.reference
                || !(is_read || is_update)
                || !after.domain.is_subset(&b.relation.domain(), self.budget)?
                || !anonymous(&b.relation)?.is_equal(&cell, self.budget)?
            {
                return Ok(None);
            }
        }
        Ok(Some(array))
    }

    fn scan_of(&self, array: ArrayId) -> Option<&'a Scan> {
        let scans = self.program.scans.iter();
        scans.into_iter().find(|scan| scan.array == array || scan.arrays.contains(&array))
    }

    /// The updates of the program with scans, by which the operators are known.
    fn update_of(updates: &[Reduction], id: StatementId) -> Option<&Reduction> {
        updates.iter().find(|update| update.statement == id)
    }

    /// 2: what is combined by another operator.
    fn other_operators(&mut self) -> Result<Vec<Violation>> {
        let scanned = self.program.scanned;
        let updates = reductions(scanned, self.budget)?;
        let mut violations = Vec::new();
        let mut wrong = |name: &str| {
            violations
                .push(violation(format!("{name} does not do what is combined, nor begins it")));
        };
        for scan in self.program.scans {
            let update = Self::update_of(&updates, scan.update);
            let Some(operator) = update.map(|update| update.operator) else {
                wrong(&scanned.statement(scan.update).name);
                continue;
            };
            let is_own = |array: ArrayId| scan.arrays.contains(&array);
            for (id, array) in &self.again {
                let same = Self::update_of(&updates, *id).map(|update| update.operator);
                if is_own(*array) && same != Some(operator) {
                    wrong(&scanned.statement(*id).name);
                }
            }
            for (id, added) in &self.added {
                let Added { form, to, from, .. } = *added;
                if !is_own(to) && !from.is_some_and(is_own) {
                    continue;
                }
                let is_known = |array: ArrayId| is_own(array) || array == scan.array;
                let fits = match form {
                    Form::Start(value) => neutral(operator) == Some(value),
                    Form::Copy => is_known(to) && from.is_some_and(is_known),
                    Form::Combine(by) => by == operator && is_own(to) && from.is_some_and(is_known),
                };
                if !fits {
                    wrong(&scanned.statement(*id).name);
                }
            }
        }
        let is_of_scan = |added: &Added| {
            let arrays = [Some(added.to), added.from].into_iter().flatten();
            arrays.into_iter().any(|array| !self.is_of_program(array))
        };
        for id in self.added.iter().filter(|(_, added)| !is_of_scan(added)).map(|(id, _)| id) {
            let name = &scanned.statement(*id).name;
            violations.push(violation(format!("{name} has nothing to do with a scan")));
        }
        Ok(violations)
    }

    fn statement(&self, which: Which, id: StatementId) -> &'a Statement {
        match which {
            Which::Original => self.program.original.statement(id),
            Which::Scanned => self.program.scanned.statement(id),
        }
    }

    /// What is claimed about the value that a statement writes: the updates, and whether the base is in it.
    /// None if it is no value of the scan.
    fn claim(&self, scan: &Scan, which: Which, writer: StatementId) -> Result<Option<(Map, bool)>> {
        let is_claimed = match which {
            Which::Original => writer == scan.update,
            Which::Scanned => {
                let is_own = |array: &ArrayId| scan.arrays.contains(array);
                let added = self.added.get(&writer);
                writer == scan.update
                    || self.again.get(&writer).is_some_and(is_own)
                    || added
                        .is_some_and(|own| is_own(&own.to) || own.from.as_ref().is_some_and(is_own))
            }
        };
        if !is_claimed {
            return Ok(None);
        }
        let holds = match scan.holds.get(&writer) {
            Some(holds) => holds.clone(),
            None => self.nothing(scan, self.statement(which, writer).domain.space()),
        };
        Ok(Some((holds, scan.based.contains(&writer))))
    }

    /// No updates.
    fn nothing(&self, scan: &Scan, from: &Space) -> Map {
        let to = self.program.original.statement(scan.update).domain.space();
        let from = from.merge_params(to);
        Map::empty(from.map_to(&to.with_params(from.param_names())))
    }

    /// What values hold that come from some origins.
    fn content(
        &self,
        scan: &Scan,
        which: Which,
        from: &Space,
        origins: Origins,
    ) -> Result<Content> {
        let mut content = Content {
            holds: self.nothing(scan, from),
            based: Set::empty(from.clone()),
            direct: Origins::new(),
        };
        for (origin, relation) in origins {
            let claim = match origin {
                Origin::Written(writer, _) => self.claim(scan, which, writer)?,
                Origin::Before(_) => None,
            };
            match claim {
                Some((holds, is_based)) => {
                    content.holds = content.holds.union(&relation.apply_range(&holds)?)?;
                    if is_based {
                        content.based = content.based.union(&relation.domain())?;
                    }
                }
                None => drop(content.direct.insert(origin, relation)),
            }
        }
        content.holds = content.holds.coalesce(self.budget)?;
        Ok(content)
    }

    fn content_of_read(
        &self,
        scan: &Scan,
        which: Which,
        read: (StatementId, ReferenceId),
    ) -> Result<Content> {
        let deps = match which {
            Which::Original => self.program.dependences,
            Which::Scanned => self.program.own,
        };
        let from = self.statement(which, read.0).domain.space().clone();
        self.content(scan, which, &from, of_read(deps, read)?)
    }

    /// 3 and 4: claims that do not follow, and other bases.
    fn other_claims(&mut self, scan: &Scan) -> Result<Vec<Violation>> {
        let ProgramWithScans { original, scanned, .. } = self.program;
        let operator = reductions(scanned, self.budget)?;
        let operator = Self::update_of(&operator, scan.update).map(|update| update.operator);
        let may_overlap = operator.is_some_and(is_idempotent);
        let (mut violations, mut bases) = (Vec::new(), Origins::new());
        for (which, id) in [(Which::Original, scan.update), (Which::Scanned, scan.update)] {
            violations.extend(self.wrong_update((scan, may_overlap), which, id, &mut bases)?);
        }
        for (id, array) in &self.again {
            if scan.arrays.contains(array) {
                violations.extend(self.wrong_update(
                    (scan, may_overlap),
                    Which::Scanned,
                    *id,
                    &mut bases,
                )?);
            }
        }
        for (id, added) in &self.added {
            if self.claim(scan, Which::Scanned, *id)?.is_some() {
                violations.extend(self.wrong_added(
                    (scan, may_overlap),
                    (*id, *added),
                    &mut bases,
                )?);
            }
        }
        // Whatever else is read of what is combined in the place of a value with the base in it.
        for (id, _) in self.moved.iter().filter(|(id, _)| **id != scan.update) {
            for access in original.statement(*id).accesses.iter().filter(|a| a.array == scan.array)
            {
                let read = (*id, access.reference);
                let found = self.content_of_read(scan, Which::Original, read)?;
                gather(&mut bases, found.direct)?;
            }
        }
        violations.extend(self.several_bases(scan, &bases)?);
        self.bases.insert(scan.array, bases);
        Ok(violations)
    }

    /// An update: it holds what it reads, and itself.
    fn wrong_update(
        &self,
        (scan, may_overlap): (&Scan, bool),
        which: Which,
        id: StatementId,
        bases: &mut Origins,
    ) -> Result<Vec<Violation>> {
        let statement = self.statement(which, id);
        let Some((holds, is_based)) = self.claim(scan, which, id)? else { return Ok(Vec::new()) };
        let array = match which {
            Which::Original => scan.array,
            Which::Scanned => {
                *self.moved.get(&id).or_else(|| self.again.get(&id)).unwrap_or(&scan.array)
            }
        };
        let name = &statement.name;
        let domain = statement.domain.intersect_params(&self.program.original.context)?;
        let itself = self.itself(scan, statement)?.intersect_domain(&domain)?;
        let mut violations = Vec::new();
        let reads = statement.accesses.iter();
        let reads: Vec<_> =
            reads.filter(|a| a.kind == AccessKind::Read && a.array == array).collect();
        if reads.is_empty() {
            violations.push(violation(format!("{name} does not read what it combines")));
        }
        for access in reads {
            let found = self.content_of_read(scan, which, (id, access.reference))?;
            let message = format!("{name} holds other updates than those that are claimed");
            let all = found.holds.union(&itself)?;
            let claimed = holds.intersect_domain(&domain)?;
            violations.extend(self.unequal(&all, &claimed, &message)?);
            if !may_overlap {
                let twice = found.holds.intersect(&itself)?;
                violations
                    .extend(self.is_refuted(&twice, &format!("{name} combines an update twice"))?);
            }
            let (mut with_base, mut others) =
                (found.based.clone(), Set::empty(domain.space().clone()));
            for (origin, relation) in &found.direct {
                let is_base = which == Which::Original && *origin != Origin::Before(array)
                    || *origin == Origin::Before(scan.array);
                match is_base {
                    true => with_base = with_base.union(&relation.domain())?,
                    false => others = others.union(&relation.domain())?,
                }
            }
            let message = format!("{name} combines a value that is no value of the scan");
            violations.extend(self.is_refuted(others.as_map(), &message)?);
            let expected =
                if is_based { domain.clone() } else { Set::empty(domain.space().clone()) };
            let message = format!("{name} holds the value in front of the loop, or not");
            violations.extend(self.unequal_sets(&with_base, &expected, &message)?);
            if which == Which::Original {
                gather(bases, found.direct)?;
            }
        }
        Ok(violations)
    }

    /// From an update, perhaps one that is computed once more, to the one of the program.
    fn itself(&self, scan: &Scan, statement: &Statement) -> Result<Map> {
        let whole = self.program.original.statement(scan.update).domain.space();
        let whole = whole.merge_params(statement.domain.space());
        let part = statement.domain.space().with_params(whole.param_names());
        let n = part.n(DimKind::Out);
        let values = (0..n).map(|at| Aff::variable(&part, DimKind::Out, at)).collect();
        Ok(MultiAff::new(part.map_to(&whole), values)?.to_map())
    }

    /// A statement that was added: a constant, a copy, or what combines two values.
    fn wrong_added(
        &self,
        (scan, may_overlap): (&Scan, bool),
        (id, added): (StatementId, Added),
        bases: &mut Origins,
    ) -> Result<Vec<Violation>> {
        let statement = self.program.scanned.statement(id);
        let Some((holds, is_based)) = self.claim(scan, Which::Scanned, id)? else {
            return Ok(Vec::new());
        };
        let name = &statement.name;
        let domain = statement.domain.intersect_params(&self.program.original.context)?;
        let space = domain.space().clone();
        let references: Vec<ReferenceId> = match added.form {
            Form::Start(_) => Vec::new(),
            Form::Copy => vec![ReferenceId(1)],
            Form::Combine(_) => vec![ReferenceId(1), ReferenceId(1 + added.n_own_reads)],
        };
        let (mut all, mut with_base) = (self.nothing(scan, &space), Set::empty(space.clone()));
        let mut violations = Vec::new();
        for reference in references {
            let is_of_program = statement
                .accesses
                .iter()
                .any(|access| access.reference == reference && access.array == scan.array);
            let found = self.content_of_read(scan, Which::Scanned, (id, reference))?;
            let mut based = found.based.clone();
            for relation in found.direct.values() {
                match is_of_program {
                    true => based = based.union(&relation.domain())?,
                    false => {
                        let message = format!("{name} reads a value that is no value of the scan");
                        violations.extend(self.is_refuted(relation, &message)?);
                    }
                }
            }
            if is_of_program {
                gather(bases, found.direct)?;
            }
            if !may_overlap {
                let message = format!("{name} combines an update twice");
                violations.extend(self.is_refuted(&all.intersect(&found.holds)?, &message)?);
                let message = format!("{name} combines the value in front of the loop twice");
                let both = with_base.intersect(&based)?;
                violations.extend(self.is_refuted(both.as_map(), &message)?);
            }
            all = all.union(&found.holds)?;
            with_base = with_base.union(&based)?;
        }
        let claimed = holds.intersect_domain(&domain)?;
        let message = format!("{name} holds other updates than those that are claimed");
        violations.extend(self.unequal(&all, &claimed, &message)?);
        let expected = if is_based { domain } else { Set::empty(space) };
        let message = format!("{name} holds the value in front of the loop, or not");
        violations.extend(self.unequal_sets(&with_base, &expected, &message)?);
        Ok(violations)
    }

    /// 4: bases that are not one value.
    fn several_bases(&self, scan: &Scan, bases: &Origins) -> Result<Vec<Violation>> {
        let name = &self.program.original.array(scan.array).name;
        let message = format!("`{name}` has several values in front of the loop");
        let context = &self.program.original.context;
        let mut violations = Vec::new();
        let mut known: Option<Set> = None;
        for relation in bases.values() {
            let values = relation.range().intersect_params(context)?;
            let params = values.params();
            if let Some(known) = &known {
                let both = values.intersect_params(known)?;
                violations.extend(self.is_refuted(both.as_map(), &message)?);
            }
            if !values.is_singleton(self.budget)? {
                violations.push(violation(message.clone()));
            }
            known = Some(match known {
                Some(known) => known.union(&params)?,
                None => params,
            });
        }
        Ok(violations)
    }

    /// 5: reads of other values.
    fn other_values(&self) -> Result<Vec<Violation>> {
        let ProgramWithScans { original, dependences, own, scanned, .. } = self.program;
        let context = &original.context;
        let mut violations = Vec::new();
        for statement in original.statements.iter().filter(|statement| !statement.is_kill) {
            for access in statement.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
                let read = (statement.id, access.reference);
                let name = &original.array(access.array).name;
                let message = format!("{} reads another value of `{name}`", statement.name);
                match self.scan_of(access.array) {
                    Some(scan) if scan.update == statement.id => {}
                    Some(scan) => violations.extend(self.other_content(scan, read, &message)?),
                    None => {
                        let (found, expected) = (of_read(own, read)?, of_read(dependences, read)?);
                        let message = || message.clone();
                        violations.extend(differences(
                            (&found, &expected),
                            context,
                            &message,
                            self.budget,
                        )?);
                    }
                }
            }
        }
        for (id, array) in &self.again {
            let Some(scan) = self.scan_of(*array) else { continue };
            let statement = scanned.statement(*id);
            let itself = self.itself(scan, statement)?;
            let others = |access: &&loopwright_scop::Access| {
                access.kind == AccessKind::Read && access.array != *array
            };
            for access in statement.accesses.iter().filter(others) {
                let found = of_read(own, (*id, access.reference))?;
                let mut expected = Origins::new();
                for (origin, relation) in of_read(dependences, (scan.update, access.reference))? {
                    expected.insert(origin, itself.apply_range(&relation)?);
                }
                let name = &scanned.array(access.array).name;
                let message = || format!("{} reads another value of `{name}`", statement.name);
                violations.extend(differences(
                    (&found, &expected),
                    context,
                    &message,
                    self.budget,
                )?);
            }
        }
        Ok(violations)
    }

    /// A read of what is combined.
    fn other_content(
        &self,
        scan: &Scan,
        read: (StatementId, ReferenceId),
        message: &str,
    ) -> Result<Vec<Violation>> {
        let expected = self.content_of_read(scan, Which::Original, read)?;
        let found = self.content_of_read(scan, Which::Scanned, read)?;
        self.unequal_content(scan, (found, expected), self.moved.contains_key(&read.0), message)
    }

    /// Values that hold something else. Of those that are `moved` a base that is read in the program is one
    /// of the scan.
    fn unequal_content(
        &self,
        scan: &Scan,
        (found, mut expected): (Content, Content),
        is_moved: bool,
        message: &str,
    ) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        violations.extend(self.unequal(&found.holds, &expected.holds, message)?);
        if is_moved {
            for relation in expected.direct.values() {
                expected.based = expected.based.union(&relation.domain())?;
            }
            expected.direct.clear();
        }
        // An update that may leave the element as it is hides nothing: the base is seen past it, and is in
        // its value.
        let mut direct = Origins::new();
        for (origin, relation) in expected.direct {
            let seen = relation.intersect_domain(&expected.based)?.range();
            let known = self.bases.get(&scan.array).and_then(|bases| bases.get(&origin));
            let other = match known {
                Some(known) => seen.subtract(&known.range(), self.budget)?,
                None => seen,
            };
            violations.extend(self.is_refuted(other.as_map(), message)?);
            direct.insert(origin, relation.subtract_domain(&expected.based, self.budget)?);
        }
        expected.direct = direct;
        violations.extend(self.unequal_sets(&found.based, &expected.based, message)?);
        let context = &self.program.original.context;
        let about = || message.to_string();
        violations.extend(differences(
            (&found.direct, &expected.direct),
            context,
            &about,
            self.budget,
        )?);
        Ok(violations)
    }

    /// 5: other last values.
    fn other_results(&self) -> Result<Vec<Violation>> {
        let ProgramWithScans { original, dependences, own, scans, .. } = self.program;
        let mut violations = Vec::new();
        for (id, array) in (0u32..).map(ArrayId).zip(&original.arrays) {
            let (found, expected) = (of_results(own, id)?, of_results(dependences, id)?);
            let message = format!("the last value of `{}` is another one", array.name);
            let Some(scan) = scans.iter().find(|scan| scan.array == id) else {
                let about = || message.clone();
                violations.extend(differences(
                    (&found, &expected),
                    &original.context,
                    &about,
                    self.budget,
                )?);
                continue;
            };
            let some = found.values().chain(expected.values()).next();
            let Some(space) = some.map(|relation| relation.space().domain()) else { continue };
            let found = self.content(scan, Which::Scanned, &space, found)?;
            let expected = self.content(scan, Which::Original, &space, expected)?;
            violations.extend(self.unequal_content(scan, (found, expected), false, &message)?);
        }
        Ok(violations)
    }
}

/// Adds origins to others, whatever reads them: what matters is what is read.
fn gather(all: &mut Origins, more: Origins) -> Result<()> {
    for (origin, relation) in more {
        let values = relation.range();
        let known = all.remove(&origin);
        let own = Map::from_domain_and_range(&nowhere(&values), &values)?;
        all.insert(origin, known.map_or(Ok(own.clone()), |known| known.union(&own))?);
    }
    Ok(())
}

/// The tuple without members.
fn nowhere(like: &Set) -> Set {
    Set::universe(Space::set(
        like.space().param_names(),
        loopwright_presburger::Tuple::anonymous(0),
    ))
}
