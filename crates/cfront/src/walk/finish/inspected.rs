//! Variables that may be the same memory, with subscripts that the region reads from memory, and are checked
//! to be apart.
//!
//! Where a subscript is an element of an array (`x[col[k]]`), or the iterator of a loop over the segment
//! between two elements (`for (k = ptr[i]; k < ptr[i + 1]; k++)`), a function reads these arrays in front of
//! the region. It may do so where the region reads the same elements for sure, in each run:
//!
//! * the box of elements with affine subscripts is that of references which are always evaluated with their
//!   statement, under no condition on data, in loops that nothing leaves;
//! * of the values of a segment the least and the greatest are read, and those between them are in the same
//!   array;
//! * the elements that bound segments are checked to be apart from all that is written, before what they lead
//!   to is read.
//!
//! No array that is read this way is written in the region. If the region as it is written would write one of
//! them through another name, the first such write would be to a byte of the range that was computed, so the
//! check fails.
use super::apart::Model;
use crate::diagnostics::diagnostic::Diagnostic;
use crate::model::apart::Apart;
use crate::model::raw_model::{RawAccess, RawStatement};
use crate::model::run_time::{Fact, IndexArray, Inspected, Positions, RunTimeCondition};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::finish::rows_apart::rows_in;
use loopwright_presburger::{Budget, Set};
use loopwright_scop::{AccessKind, ElementKind};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;

/// Work limit for the positions of one reference.
const STEPS: u64 = 200_000;

/// More pairs of ranges than this are no check that is worth its text.
const MAX_PAIRS: usize = 64;

/// A statement outside of inner loops has at least so many accesses if one pass over its indices is little
/// against it.
const HEAVY: usize = 8;

/// What may leave a statement before its end.
const JUMPS: [Kind; 4] =
    [Kind::GotoStatement, Kind::ReturnStatement, Kind::BreakStatement, Kind::ContinueStatement];

/// The ranges that are accessed of a variable, each with whether it is written.
type Ranges = Vec<(bool, Inspected)>;

impl<'t> Extractor<'_, 't> {
    /// The check for some pairs that have no bounds in closed form; none if there is none.
    ///
    /// What is known of the other pairs is checked before.
    pub(super) fn inspected_condition(
        &self,
        pairs: &[&Apart],
        model: &Model<'_>,
    ) -> Option<RunTimeCondition> {
        if self.uses_names_of_helpers() {
            return None;
        }
        let mut conflicts: Vec<(Inspected, Inspected)> = Vec::new();
        let mut ranges: FxHashMap<u32, Ranges> = FxHashMap::default();
        let mut names: Vec<String> = Vec::new();
        for pair in pairs {
            let (a, b) = pair.variables;
            for variable in [a, b] {
                if let Entry::Vacant(entry) = ranges.entry(variable) {
                    entry.insert(self.inspected(variable, model)?);
                }
            }
            let (of_a, of_b) = (&ranges[&a], &ranges[&b]);
            for (a_written, one) in of_a {
                let others = of_b.iter().filter(|(b_written, _)| *a_written || *b_written);
                conflicts.extend(others.map(|(_, other)| (one.clone(), other.clone())));
            }
            for name in [a, b].map(|v| self.written_name(v)) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        let indexed = conflicts.iter().flat_map(|(a, b)| [a, b]);
        let is_safe = indexed.clone().all(|range| self.is_safe(range, pairs));
        if !is_safe || conflicts.is_empty() || conflicts.len() > MAX_PAIRS {
            return None;
        }
        let values = self.symbolic_values(model.parameters);
        let fact = Fact::inspected(names, &conflicts, &model.scop.context, &values)?;
        let refusal: &Diagnostic = &pairs.first()?.refusal;
        let line = refusal.place.as_ref().map_or(0, |place| place.line);
        Some(RunTimeCondition { fact, line, reason: "their order does not matter".to_string() })
    }

    /// Whether what says where a second array is read is not one of the pairs that are checked at the same
    /// time.
    fn is_safe(&self, range: &Inspected, pairs: &[&Apart]) -> bool {
        let Inspected::Indexed { positions: Positions::Values { at, .. }, .. } = range else {
            return true;
        };
        let is_apart = |array: &IndexArray| {
            let mut all = pairs.iter().flat_map(|pair| [pair.variables.0, pair.variables.1]);
            !all.any(|v| self.variable(v).name == array.base)
        };
        match &**at {
            Positions::Between { .. } => true,
            Positions::Segments { starts, ends, .. } => is_apart(starts) && is_apart(ends),
            Positions::Values { .. } => false,
        }
    }

    /// What the region accesses of a variable.
    fn inspected(&self, variable: u32, model: &Model<'_>) -> Option<Ranges> {
        let footing = self.footing(variable)?;
        if footing.behind.is_some() {
            return None;
        }
        if let Some(used) = self.used(variable, model) {
            let closed = |is_written: bool| {
                move |range: &_| (is_written, Inspected::Closed(Clone::clone(range)))
            };
            let written = used.written.iter().map(closed(true));
            return Some(written.chain(used.read.iter().map(closed(false))).collect());
        }
        let is_more = self.out.affine_uses().contains(variable)
            || self.out.iterator_variables.contains(&variable)
            || self.used_constants().any(|constant| constant.variable == variable)
            || self.accessed(variable) != variable;
        let element = self.element_bytes(variable)?;
        if is_more || footing.dimensions != (0..1) || self.out.views().contains_key(&variable) {
            return None;
        }
        let mut ranges = Ranges::new();
        for access in self.out.statements.iter().flat_map(|s| &s.accesses) {
            if access.variable != variable || access.kind == AccessKind::Kill {
                continue;
            }
            let node = self.subscripted_at(access)?;
            let positions = self.positions(node, false, model)?;
            let base = footing.base.clone();
            let is_written = access.kind != AccessKind::Read;
            ranges.push((is_written, Inspected::Indexed { base, element, positions }));
        }
        Some(ranges)
    }

    /// The element that an access is about: a variable with one subscript.
    fn subscripted_at(&self, access: &RawAccess) -> Option<Node<'t>> {
        let at = access.at;
        let name = self.facts.root.root().descendant_for_byte_range(&(at..at + 1));
        let element = name.parent()?;
        let parent = element.parent()?;
        let is_element = name.kind() == Kind::Identifier
            && self.text(name) == self.variable(access.variable).name
            && element.kind() == Kind::SubscriptExpression
            && element.field(Field::Argument) == Some(name);
        let is_whole = parent.kind() != Kind::PointerExpression
            && parent.field(Field::Argument) != Some(element);
        (is_element && is_whole && access.obligations.is_empty() && self.is_in_region(element))
            .then_some(element)
    }

    /// The positions of an element in its array; those that the check may read, if they are to be `read`.
    fn positions(
        &self,
        element: Node<'t>,
        is_to_be_read: bool,
        model: &Model<'_>,
    ) -> Option<Positions> {
        if let Some(closed) = self.closed_positions(element, is_to_be_read, model) {
            return Some(closed);
        }
        let index = strip_parentheses(element.field(Field::Index)?);
        if let Some(of) = self.loaded(index) {
            let at = Box::new(self.positions(of, true, model)?);
            let is_little = match *at {
                Positions::Segments { .. } => true,
                _ => self.is_read_often(element),
            };
            return (!is_to_be_read && is_little)
                .then_some(Positions::Values { of: self.index_array(of)?, at });
        }
        if index.kind() != Kind::Identifier {
            return None;
        }
        let segment = self.segment_loop(index)?;
        let distance = self.distance(segment.starts, segment.ends)?;
        let at = Box::new(self.closed_positions(segment.starts, true, model)?);
        self.closed_positions(segment.ends, true, model)?;
        if is_to_be_read && !self.is_always_read(element, Some(segment.node)) {
            return None;
        }
        let (starts, ends) = (self.index_array(segment.starts)?, self.index_array(segment.ends)?);
        Some(Positions::Segments { starts, ends, distance, at })
    }

    /// Affine positions, between closed forms.
    fn closed_positions(
        &self,
        element: Node<'t>,
        is_to_be_read: bool,
        model: &Model<'_>,
    ) -> Option<Positions> {
        let budget = Budget::steps(STEPS);
        let mut all: Option<Set> = None;
        let mut variable = None;
        for (statement, access) in self.accesses_at(element) {
            let own = self.out.statements.iter().position(|s| std::ptr::eq(s, statement))?;
            let modelled = model.scop.statements.get(own)?;
            if modelled.accesses.len() != statement.accesses.len() {
                return None;
            }
            let position = statement.accesses.iter().position(|a| std::ptr::eq(a, access))?;
            let elements = modelled.accesses[position].relation.range();
            let elements = elements.intersect_params(&model.scop.context).ok()?;
            all = Some(match all {
                None => elements,
                Some(all) => all.union(&elements).ok()?,
            });
            variable = Some(access.variable);
        }
        let (all, variable) = (all?, variable?);
        let footing = self.footing(variable)?;
        if footing.dimensions != (0..1) || footing.behind.is_some() || all.n_dims() != 1 {
            return None;
        }
        let mut bytes = self.box_around(variable, &footing, &all, model, &budget)?;
        let is_read = || {
            let looked_at = rows_in(&bytes, 1, &all)?;
            let looked_at = looked_at.intersect_params(&model.scop.context).ok()?;
            looked_at.is_subset(&all, &budget).ok().filter(|is_read| *is_read)
        };
        if is_to_be_read && !(self.is_always_read(element, None) && is_read() == Some(true)) {
            return None;
        }
        let level = bytes.levels.pop()?;
        level.strides.is_empty().then_some(Positions::Between { reached: bytes.reached, level })
    }

    /// The accesses that the reference at a node stands for.
    pub(super) fn accesses_at(
        &self,
        element: Node<'t>,
    ) -> impl Iterator<Item = (&RawStatement, &RawAccess)> {
        let at = element.start_byte();
        let name = element.field(Field::Argument).map(|name| self.text(name));
        let all = self.out.statements.iter().flat_map(|s| s.accesses.iter().map(move |a| (s, a)));
        all.filter(move |(_, access)| {
            // What the element is the first value of has the same place.
            access.at == at
                && access.kind != AccessKind::Kill
                && Some(self.variable(access.variable).name.as_str()) == name
        })
    }

    /// The number that the subscript of one element is further than that of another.
    fn distance(&self, from: Node<'t>, to: Node<'t>) -> Option<i64> {
        let subscript = |element| {
            let mut all = self.accesses_at(element);
            let (_, access) = all.next().filter(|_| all.next().is_none())?;
            access.subscripts.first()?.as_linear()
        };
        subscript(to)?.sub(subscript(from)?).ok()?.as_constant()
    }

    /// An array of integers of which nothing is written.
    fn index_array(&self, element: Node<'t>) -> Option<IndexArray> {
        let (_, access) = self.accesses_at(element).next()?;
        let variable = self.variable(access.variable);
        let scalar = &variable.declared.scalar;
        let is_signed = match scalar.kind {
            ElementKind::Signed => true,
            ElementKind::Unsigned => false,
            _ => return None,
        };
        let mut all = self.out.statements.iter().flat_map(|s| &s.accesses);
        let is_written = all.any(|other| {
            self.root(other.variable) == self.root(access.variable)
                && !matches!(other.kind, AccessKind::Read | AccessKind::Kill)
        });
        let bytes = scalar.bytes.filter(|bytes| [1, 2, 4, 8].contains(bytes))?;
        self.subscripted_at(access)?;
        (!is_written && !scalar.is_bool && !scalar.is_plain_char && variable.member.is_none())
            .then(|| IndexArray { base: variable.name.clone(), bytes, is_signed })
    }

    /// Whether an element is read in every instance that the model has, in a run from the beginning to the
    /// end of the region; inside of a loop over a `segment` at each of its values.
    fn is_always_read(&self, element: Node<'t>, segment: Option<Node<'t>>) -> bool {
        let mut accesses = self.accesses_at(element);
        let Some((statement, access)) = accesses.next().filter(|_| accesses.next().is_none())
        else {
            return false;
        };
        let inner = access.inner.iter().flat_map(|inner| &inner.loops);
        let loops = statement.loops.iter().chain(inner);
        let n_loops = loops.filter(|l| self.out.loops[**l as usize].step != 0).count();
        let (mut node, mut n_around) = (element, 0);
        while node.id() != self.facts.root.id() {
            let Some(parent) = node.parent() else { return false };
            if parent.id() == self.facts.root.id() {
                break;
            }
            match parent.kind() {
                Kind::ForStatement if parent.field(Field::Body) == Some(node) => {
                    n_around += usize::from(Some(parent) != segment);
                }
                Kind::IfStatement | Kind::ForStatement | Kind::SwitchStatement
                    if self.evaluated_in(node, parent) != Some(None) =>
                {
                    return false;
                }
                Kind::ExpressionStatement
                | Kind::Declaration
                | Kind::InitDeclarator
                | Kind::CompoundStatement
                | Kind::IfStatement
                | Kind::ForStatement => {}
                _ if parent.kind().is_expression() => {
                    if self.evaluated_in(node, parent) != Some(None) {
                        return false;
                    }
                }
                _ => return false,
            }
            node = parent;
        }
        n_around == n_loops
            && !node.has_kind(&JUMPS)
            && element.start_byte() < self.facts.first_obstacle
    }

    /// Whether there is much more to do at an element than to read its index.
    fn is_read_often(&self, element: Node<'t>) -> bool {
        self.accesses_at(element).all(|(statement, access)| {
            let inner = access.inner.iter().flat_map(|inner| &inner.loops);
            let loops = statement.loops.iter().chain(inner);
            let n_loops = loops.filter(|l| self.out.loops[**l as usize].step != 0).count();
            n_loops > 1 || statement.accesses.len() >= HEAVY
        })
    }
}
