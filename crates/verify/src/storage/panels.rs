//! Panels hold what they stand for.
//!
//! A program with panels has statements that fill small local arrays, and statements that read these
//! in place of a part of their bodies ([`loopwright_scop::Panel`]). It computes what the program
//! without them does, if
//!
//! 1. *text*: the part of the reader's body that the panel's element has replaced is the one that the
//!    filling statement assigns, at the instance that the panel names: the same operations on the
//!    same elements, of the type of the panel; and nothing else has changed;
//! 2. *element*: the reader reads the element that this instance writes, within the extents;
//! 3. *block*: that instance runs in the same execution of the block that declares the array, where
//!    no other instance writes the element;
//! 4. *time*: it runs before the reader; and after the writes whose values the reader would
//!    have read, and not beside them in a parallel loop.
//!
//! 1 to 3 are checked here, 3 on the loops themselves. 4 becomes a matter of dependences
//! ([`with_panel_dependences`]), to be checked with the others: flow from the filling instance to the
//! reader, and for each flow to the reader through a variable of the replaced part, the same flow to
//! the filling instance. Later writes of an operand come after the reader, so after the filling
//! instance as well; between a write and the reader there is no other write in any order that respects
//! the dependences of the program, so the filling instance finds the reader's value.
use crate::syntax_tree::loops::{Call, Loops};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{Budget, DimKind, Error, Map, MultiAff, PwAff, Result, Set, Tuple};
use loopwright_scop::{
    Access, AccessKind, ArrayId, AssignmentOperator, Element, Panel, ReferenceId, ScalarType, Scop,
    Statement, Term, TermKind,
};
use std::collections::BTreeSet;

/// Steps for telling whether two references are to the same elements.
const REFERENCE_STEPS: u64 = 100_000;

/// Checks 1 to 3: that `packed`, run by `loops`, reads in `panels` the values that `original` computes
/// in place, provided that it respects [`with_panel_dependences`].
///
/// *Exactness.* Exact for all values of the parameters in the context. *Cost.* Some emptiness checks
/// per panel and call.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_panels(
    original: &Scop,
    packed: &Scop,
    panels: &[Panel],
    loops: &Loops,
    budget: &Budget,
) -> Result<Proof> {
    let find_violations = || {
        let mut violations = changed_text(original, packed, panels, budget)?;
        for panel in panels {
            violations.extend(wrong_elements(packed, panel, budget)?);
            violations.extend(wrong_blocks(packed, panel, loops, budget)?);
        }
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

/// The dependences of the program with panels: those of the program without, and what the panels need.
///
/// *Cost.* A few compositions per panel.
///
/// # Errors
/// Those of composing relations.
pub fn with_panel_dependences(
    dependences: &Dependences,
    packed: &Scop,
    panels: &[Panel],
) -> Result<Dependences> {
    let mut result = dependences.clone();
    for panel in panels {
        let (filling, reader) = (packed.statement(panel.statement), packed.statement(panel.reader));
        let instance = panel.instance.to_map();
        result.flow.push(Dependence {
            source: (filling.id, reference(filling, panel.array, AccessKind::MustWrite)),
            sink: (reader.id, read(reader, panel.array)),
            array: panel.array,
            relation: instance.intersect_domain(&reader.domain)?.reverse(),
        });
        for array in operands(filling, panel) {
            let replaced = replaced(packed, panel, array)?;
            let is_meant = |d: &&Dependence| {
                d.sink.0 == reader.id && d.array == array && replaced.contains(&d.sink.1)
            };
            for flow in dependences.flow.iter().filter(is_meant) {
                result.flow.push(Dependence {
                    source: flow.source,
                    sink: (filling.id, read(filling, array)),
                    array,
                    relation: flow.relation.apply_range(&instance)?,
                });
            }
        }
    }
    Ok(result)
}

/// The references of the reader to an array that the panel may have replaced: those to the elements that
/// the filling statement reads at the instance that is named, or all if there is none or the limit is
/// reached.
fn replaced(packed: &Scop, panel: &Panel, array: ArrayId) -> Result<BTreeSet<ReferenceId>> {
    let (filling, reader) = (packed.statement(panel.statement), packed.statement(panel.reader));
    // Outside of the context nothing runs, and filling statements need not have instances.
    let instances = reader.domain.intersect_params(&packed.context)?;
    let reads = |statement: &Statement| -> Vec<Access> {
        let own = |a: &&Access| a.array == array && a.kind == AccessKind::Read;
        statement.accesses.iter().filter(own).cloned().collect()
    };
    let all = reads(reader);
    let is_replaced = |access: &Access| -> Result<bool> {
        let relation = access.relation.intersect_domain(&instances)?;
        for operand in reads(filling) {
            let at_instance = panel.instance.to_map().apply_range(&operand.relation)?;
            let at_instance = at_instance.intersect_domain(&instances)?;
            match relation.is_equal(&at_instance, &Budget::steps(REFERENCE_STEPS)) {
                Ok(true) | Err(Error::Exceeded { .. }) => return Ok(true),
                Ok(false) => {}
                Err(other) => return Err(other),
            }
        }
        Ok(false)
    };
    let mut found = BTreeSet::new();
    if all.len() > 1 {
        for access in &all {
            if is_replaced(access)? {
                found.insert(access.reference);
            }
        }
    }
    match found.is_empty() {
        true => Ok(all.iter().map(|access| access.reference).collect()),
        false => Ok(found),
    }
}

/// The variables that a filling statement reads.
fn operands(filling: &Statement, panel: &Panel) -> BTreeSet<ArrayId> {
    let arrays = filling.body.elements().into_iter().map(|element| element.array);
    arrays.filter(|array| *array != panel.array).collect()
}

fn read(statement: &Statement, array: ArrayId) -> ReferenceId {
    reference(statement, array, AccessKind::Read)
}

/// The first reference of a kind to an array.
fn reference(statement: &Statement, array: ArrayId, kind: AccessKind) -> ReferenceId {
    let own = |a: &&Access| a.array == array && a.kind == kind;
    statement.accesses.iter().find(own).map_or(ReferenceId(0), |access| access.reference)
}

/// 1: what the two programs differ in, beyond the panels.
fn changed_text(
    original: &Scop,
    packed: &Scop,
    panels: &[Panel],
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    let n = original.statements.len();
    if packed.statements.len() != n + panels.len() {
        violations.push(violation("statements besides those that fill panels are added".into()));
    }
    let mut arrays: Vec<_> = panels.iter().map(|panel| panel.array.0 as usize).collect();
    arrays.sort_unstable();
    if !arrays.iter().copied().eq(original.arrays.len()..packed.arrays.len()) {
        violations.push(violation("arrays other than one per panel are added".into()));
    }
    for before in &original.statements {
        let Some(after) = packed.statements.get(before.id.0 as usize) else { continue };
        let same_instances = before.name == after.name
            && before.is_kill == after.is_kill
            && before.domain.is_equal(&after.domain, budget)?;
        if !same_instances || !same_body(before, after, packed, panels, budget)? {
            let message = format!("{} is not the statement that it was", before.name);
            violations.push(violation(message));
        }
    }
    Ok(violations)
}

/// Whether the two bodies are the same, except for elements of panels.
fn same_body(
    before: &Statement,
    after: &Statement,
    packed: &Scop,
    panels: &[Panel],
    budget: &Budget,
) -> Result<bool> {
    if !panels.iter().any(|panel| panel.reader == after.id) {
        return Ok(before.body == after.body);
    }
    let (Some(a), Some(b)) = (before.body.plain_assignment(), after.body.plain_assignment()) else {
        return Ok(false);
    };
    let same = Same { packed, panels, domain: &after.domain, reader: after, budget };
    let identity = MultiAff::identity(after.domain.space());
    Ok(a.operator == b.operator
        && same.element(a.target, b.target, &identity)?
        && same.term(a.value, b.value, &identity)?)
}

/// The comparison of the parts of two bodies on the instances `domain` of `reader`.
struct Same<'a> {
    packed: &'a Scop,
    panels: &'a [Panel],
    domain: &'a Set,
    reader: &'a Statement,
    budget: &'a Budget,
}

impl Same<'_> {
    /// Whether `before`, at an instance, is `after` at the instance's image under `instance`: both plain
    /// arithmetic, in which parentheses that only repeat the structure do not count.
    fn term(&self, before: &Term, after: &Term, instance: &MultiAff) -> Result<bool> {
        let (before, after) = (before.without_parentheses(), after.without_parentheses());
        if let Some(element) = after.as_element()
            && let Some(panel) = self.panels.iter().find(|panel| panel.array == element.array)
        {
            return self.panel(before, panel);
        }
        match (before.kind(), after.kind()) {
            (TermKind::Literal(_), TermKind::Literal(_)) => Ok(before.text() == after.text()),
            (TermKind::Element(a), TermKind::Element(b)) => self.element(a, b, instance),
            (TermKind::Affine(a), TermKind::Affine(b)) => self.form(&a.0, &b.0, instance),
            (TermKind::Unary(x), TermKind::Unary(y)) if x == y => {
                self.children(before, after, instance)
            }
            (TermKind::Binary(x), TermKind::Binary(y)) if x == y => {
                self.children(before, after, instance)
            }
            _ => Ok(false),
        }
    }

    fn children(&self, before: &Term, after: &Term, instance: &MultiAff) -> Result<bool> {
        let mut pairs = before.children().iter().zip(after.children());
        let same = pairs.try_fold(true, |same, (a, b)| Ok(same && self.term(a, b, instance)?))?;
        Ok(same && before.children().len() == after.children().len())
    }

    /// Whether a part of the reader is what a panel's filling statement assigns.
    fn panel(&self, before: &Term, panel: &Panel) -> Result<bool> {
        let filling = self.packed.statement(panel.statement);
        let Some(assigned) = filling.body.plain_assignment() else { return Ok(false) };
        let is_own = |element: &Element| element.array == panel.array;
        if panel.reader != self.reader.id
            || assigned.operator != AssignmentOperator::Set
            || !is_own(assigned.target)
            || assigned.value.elements().into_iter().any(is_own)
        {
            return Ok(false);
        }
        let array = self.packed.array(panel.array);
        let has_type = match (before.as_element(), before.value_type(self.packed)) {
            (Some(element), _) => {
                self.packed.array(element.array).element_type == array.element_type
            }
            (None, Some(ScalarType::Floating(floating))) => array.floating_type() == Some(floating),
            _ => false,
        };
        Ok(has_type && self.term(before, assigned.value, &panel.instance)?)
    }

    /// Whether two are the same variable.
    fn element(&self, a: &Element, b: &Element, instance: &MultiAff) -> Result<bool> {
        if a.base != b.base || a.array != b.array || a.subscripts.len() != b.subscripts.len() {
            return Ok(false);
        }
        a.subscripts
            .iter()
            .zip(&b.subscripts)
            .try_fold(true, |same, (x, y)| Ok(same && self.form(x, y, instance)?))
    }

    /// Whether two forms have the same values.
    fn form(&self, a: &PwAff, b: &PwAff, instance: &MultiAff) -> Result<bool> {
        let b = b.pullback_multi_aff(instance)?;
        let a = a.to_map().intersect_domain(self.domain)?;
        a.is_equal(&b.to_map().intersect_domain(self.domain)?, self.budget)
    }
}

/// The elements that instances of a statement access in a panel.
fn elements(statement: &Statement, panel: &Panel) -> Option<Map> {
    let elements = statement.body.elements();
    let piece = &elements.into_iter().find(|element| element.array == panel.array)?.subscripts;
    let first = statement.domain.space();
    let mut relation = PwAff::to_map(piece.first()?);
    for subscript in &piece[1..] {
        relation = relation.flat_range_product(&subscript.to_map()).ok()?;
    }
    let space =
        relation.space().with_tuples(first.output().cloned(), Some(Tuple::anonymous(piece.len())));
    relation.with_space_tuples(&space).ok()?.intersect_domain(&statement.domain).ok()
}

/// 2: reads of elements that the named instance does not write, and elements that do not exist.
fn wrong_elements(packed: &Scop, panel: &Panel, budget: &Budget) -> Result<Vec<Violation>> {
    let (filling, reader) = (packed.statement(panel.statement), packed.statement(panel.reader));
    let name = &packed.array(panel.array).name;
    let (Some(written), Some(read)) = (elements(filling, panel), elements(reader, panel)) else {
        return Ok(vec![violation(format!("`{name}` is not accessed"))]);
    };
    let mut violations = Vec::new();
    let expected = panel.instance.to_map().intersect_domain(&reader.domain)?;
    let expected = expected.apply_range(&written)?;
    // Outside of the context nothing runs, so a filling statement need not have instances there.
    let (read, expected) =
        (read.intersect_params(&packed.context)?, expected.intersect_params(&packed.context)?);
    if !read.is_equal(&expected, budget)? {
        let message =
            format!("an element of `{name}` is read that was filled for another instance");
        violations.push(violation(message));
    }
    let used = written.range();
    for (position, extent) in packed.array(panel.array).extents.iter().enumerate() {
        let extent = extent.as_ref().and_then(|e| e.as_aff()?.constant_value()?.to_int());
        let Some(extent) = extent else {
            violations.push(violation(format!("the extents of `{name}` are not constant")));
            continue;
        };
        let below = used.upper_bound(DimKind::Out, position, &-&loopwright_presburger::Int::ONE);
        let above = used.lower_bound(DimKind::Out, position, &extent);
        for outside in [below, above] {
            let message = || format!("an element of `{name}` is outside of its extents");
            violations.extend(violation_if_any(outside.as_map(), message, budget)?);
        }
    }
    Ok(violations)
}

/// 3: values that are not computed, or not kept, in the block where they are read.
fn wrong_blocks(
    packed: &Scop,
    panel: &Panel,
    loops: &Loops,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let (filling, reader) = (packed.statement(panel.statement), packed.statement(panel.reader));
    let name = &packed.array(panel.array).name;
    let mut violations = Vec::new();
    let array = &packed.array(panel.array).tuple_name;
    let block_of = |call: &Call| {
        let own = call.blocks.iter().rev().find(|block| block.array == *array);
        own.map(|block| (block.number, block.depth))
    };
    let is_user =
        |call: &&Call| [filling, reader].iter().any(|user| call.statement() == Some(&user.name));
    let calls: Vec<&Call> = loops.calls.iter().filter(is_user).collect();
    if calls.iter().any(|call| block_of(call).is_none()) {
        let message = format!("`{name}` is accessed where it is not declared");
        violations.push(violation(message));
    }
    let blocks: BTreeSet<(usize, usize)> = calls.iter().filter_map(|call| block_of(call)).collect();
    for (number, depth) in blocks {
        let in_block = |statement: &Statement| -> Result<Option<Map>> {
            let mut union: Option<Map> = None;
            for call in &calls {
                if block_of(call) != Some((number, depth))
                    || call.statement() != Some(&statement.name)
                {
                    continue;
                }
                let n = call.instances.n(DimKind::In);
                let own = call.instances.project_out(DimKind::In, depth, n.saturating_sub(depth));
                union = Some(match union {
                    Some(other) => other.union(&own)?,
                    None => own,
                });
            }
            Ok(union)
        };
        let filled = in_block(filling)?;
        if let Some(read) = in_block(reader)? {
            let needed = read.apply_range(&panel.instance.to_map())?;
            let missing = match &filled {
                Some(filled) => needed.subtract(filled, budget)?,
                None => needed,
            };
            let message = || format!("an element of `{name}` is read that was not filled");
            violations.extend(violation_if_any(&missing, message, budget)?);
        }
        if let (Some(filled), Some(written)) = (filled, elements(filling, panel)) {
            let others = written.apply_range(&written.reverse())?;
            let identity = Map::identity(filling.domain.space());
            let others = others.subtract(&identity, budget)?;
            let twice = filled.apply_range(&others)?.intersect(&filled)?;
            // `twice` relates a block to instances whose element another one of the block may
            // write; whether that one is in the same execution is asked next.
            if !twice.is_empty(budget)? {
                let pairs = filled.range_product(&filled)?.intersect_range(&others.wrap())?;
                let message = || format!("an element of `{name}` is filled twice");
                violations.extend(violation_if_any(&pairs, message, budget)?);
            }
        }
    }
    Ok(violations)
}
