//! Which variables may share memory.
//!
//! A region whose accesses are analysed per variable must not have two variables for the same memory,
//! if one of them is written. For every such pair one of these is proved:
//!
//! * they are different objects: declared variables, memory from different calls of an allocating
//!   function, what a parameter points to and the function's own variables; or the function is
//!   `static` and all its calls in the file pass different objects;
//! * one of them is an array that other files do not see, of which this one uses nothing but elements;
//! * one of the pointers is `restrict` (C11 6.7.3.1);
//! * their elements are of types that may not access the same memory (C11 6.5, paragraph 7).
//!
//! Otherwise it is checked in front of the region, or the user has to say so.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::facts::ctypes::{Dimension, ScalarType};
use crate::facts::points_to::{File, Object};
use crate::facts::variables::{Origin, Variable};
use crate::model::apart::Apart;
use crate::model::linear::Linear;
use crate::model::pieces::Pieces;
use crate::model::raw_model::RawAccess;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::finish::apart::more_pairs;
use loopwright_scop::{AccessKind, ElementKind};
use std::cell::OnceCell;
use std::collections::BTreeSet;

/// Two variables (or one, with rows) that are not known to be different memory.
struct Pair {
    variables: (u32, u32),
}

impl<'t> Extractor<'_, 't> {
    /// Refuses (or, `is_assumed`, notes) pairs of variables that may be the same memory, where that
    /// matters.
    pub(crate) fn check_overlap(&mut self, function: Node<'t>, is_assumed: bool) {
        let mut root = function;
        while let Some(parent) = root.parent() {
            root = parent;
        }
        // The names of types stay what they are.
        let types = self.scopes.types.clone();
        let index = self.scopes.index.clone();
        let file = File { source: self.facts.source, root, types: &types, index: &index };
        let is_write = |kind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
        let accesses = || self.out.statements.iter().flat_map(|s| &s.accesses);
        let written: BTreeSet<u32> =
            accesses().filter(|a| is_write(a.kind)).map(|a| a.variable).collect();
        let used = accesses().filter(|a| a.kind != AccessKind::Kill).map(|a| a.variable);
        // What stands for an integer in memory is no variable of the program.
        let constants: Vec<(u32, u32)> =
            self.used_constants().map(|c| (c.parameter, c.variable)).collect();
        let is_made_up = |v: &u32| {
            Some(*v) == self.out.order_of_calls()
                || constants.iter().any(|(parameter, _)| parameter == v)
        };
        let constant = |v: u32| constants.iter().any(|(_, variable)| *variable == v);
        let used = used.chain(self.out.affine_uses().variables());
        let used = used.chain(constants.iter().map(|(_, variable)| *variable));
        let used: BTreeSet<u32> = used.chain(self.out.iterator_variables.iter().copied()).collect();
        let memory: Vec<(u32, Object)> = used
            .into_iter()
            .filter(|v| !is_made_up(v) && self.is_in_memory(&file, function, *v))
            .map(|v| (v, self.object(&file, function, v)))
            .collect();
        // Asked once for each variable, not for each pair.
        let private: Vec<OnceCell<bool>> = vec![OnceCell::new(); memory.len()];
        let is_private = |position: usize| {
            *private[position].get_or_init(|| file.is_private(&memory[position].1))
        };
        let mut found = Vec::new();
        for (position, (a, of_a)) in memory.iter().enumerate() {
            let has_other_rows = self.has_rows(*a) && !self.is_one_row(*a);
            if written.contains(a) && has_other_rows && !self.has_own_rows(&file, function, *a) {
                found.push(Pair { variables: (*a, *a) });
            }
            for (after, (b, of_b)) in memory[position + 1..].iter().enumerate() {
                let is_iterator = |v| self.out.iterator_variables.contains(v);
                let matters = written.contains(a)
                    || written.contains(b)
                    || constant(*a) && is_iterator(b)
                    || constant(*b) && is_iterator(a);
                let are_distinct = || {
                    of_a != of_b && (is_private(position) || is_private(position + 1 + after))
                        || file.are_distinct_shared(of_a, of_b, 0)
                };
                let may_overlap = || !self.never_overlap(*a, *b) && !are_distinct();
                if matters && may_overlap() && !self.are_one(*a, *b) {
                    found.push(Pair { variables: (*a, *b) });
                }
            }
        }
        if is_assumed {
            self.assume_no_overlap(&found);
            return;
        }
        let can_be_checked = |pair: &Pair| {
            let (a, b) = pair.variables;
            let is_named = |v: u32| self.has_footing(v) || self.has_row_footing(v);
            is_named(a) && is_named(b)
        };
        let (checked, refused): (Vec<Pair>, Vec<Pair>) =
            found.into_iter().partition(can_be_checked);
        let apart = checked.iter().map(|pair| Apart {
            variables: pair.variables,
            refusal: self.overlap_refusal(pair, &written),
        });
        self.out.check_apart(apart.collect());
        if let Some((first, others)) = refused.split_first() {
            let mut refusal = self.overlap_refusal(first, &written);
            let reason = refusal.reason.take().unwrap_or_default();
            refusal.reason = Some(reason + &more_pairs(others.len()));
            self.out.report(refusal);
        }
    }

    /// Whether each access of one of two variables is one of the other as well, to all of both: their order
    /// is that of one variable.
    fn are_one(&self, a: u32, b: u32) -> bool {
        let accesses = |v: u32| -> Option<Vec<(usize, usize, AccessKind)>> {
            let all = self.out.statements.iter().enumerate();
            let all = all.flat_map(|(at, s)| s.accesses.iter().map(move |access| (at, access)));
            let own = all.filter(|(_, access)| access.variable == v);
            own.map(|(statement, access)| {
                access.subscripts.is_empty().then_some((statement, access.at, access.kind))
            })
            .collect()
        };
        let is_only_data = |v: &u32| !self.out.affine_uses().contains(*v) && !self.is_loaded(*v);
        is_only_data(&a)
            && is_only_data(&b)
            && accesses(a).is_some_and(|own| Some(own) == accesses(b))
    }

    fn is_loaded(&self, variable: u32) -> bool {
        self.used_constants().any(|constant| constant.variable == variable)
    }

    fn assume_no_overlap(&mut self, pairs: &[Pair]) {
        let mut names: Vec<String> = Vec::new();
        for &Pair { variables: (a, b), .. } in pairs {
            if a == b {
                self.out.assume(format!("the rows of `{}` do not overlap", self.variable(a).name));
                continue;
            }
            for variable in [a, b] {
                let name = self.variable(variable).name.clone();
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if !names.is_empty() {
            let names = names.join("`, `");
            self.out.assume(format!("the memory behind `{names}` does not overlap other arrays"));
        }
    }

    fn overlap_refusal(&self, pair: &Pair, written: &BTreeSet<u32>) -> Diagnostic {
        let (a, b) = pair.variables;
        let accesses = || self.out.statements.iter().flat_map(|s| &s.accesses);
        let at = accesses().find(|x| x.variable == a || x.variable == b).map_or(0, |x| x.at);
        let length = self.reference_text(at).chars().count() as u32;
        let name = |v: u32| self.written_name(v);
        let message = match a == b {
            true => format!("the rows of `{}` may overlap", name(a)),
            false if name(a) == name(b) => {
                format!("two variables with the name `{}` may be the same memory", name(a))
            }
            false => format!("`{}` and `{}` may be the same memory", name(a), name(b)),
        };
        let reason = self.conflict((a, b), written);
        let is_behind_others = |v: u32| {
            let member = self.variable(v).member.as_ref();
            self.has_rows(v) || member.is_some_and(|member| member.crosses_pointer)
        };
        let hint = match is_behind_others(a) || is_behind_others(b) {
            // A qualifier would be about the outermost pointer only.
            true => {
                "copy the pointers to the elements to variables that are `restrict`, or say that \
                     nothing overlaps with --assume-no-alias"
            }
            false => Code::Overlap.advice(),
        };
        let mut refusal = self.refuse_at(Code::Overlap, at, message).with_reason(reason);
        refusal.0.length = length;
        *refusal.with_hint(hint).0
    }

    /// Which accesses of two variables (or one) would have to keep their order, of which one is a write.
    fn conflict(&self, (a, b): (u32, u32), written: &BTreeSet<u32>) -> String {
        let is_changed = written.contains(&a)
            || self.out.iterator_variables.contains(&a) && !written.contains(&b);
        let (changed, other) = if is_changed { (a, b) } else { (b, a) };
        let is_write = |kind| matches!(kind, AccessKind::MustWrite | AccessKind::MayWrite);
        let accesses = |v| {
            let all = self.out.statements.iter().flat_map(|s| &s.accesses);
            all.filter(move |x| x.variable == v && x.kind != AccessKind::Kill)
        };
        let write = accesses(changed).find(|x| is_write(x.kind));
        let Some(write) = write else {
            return format!("the region writes `{}`", self.variable(changed).name);
        };
        let verb = |access: &RawAccess| if is_write(access.kind) { "writes" } else { "reads" };
        let second = accesses(other).find(|x| x.at != write.at);
        let second =
            second.map_or(String::new(), |x| match self.line_of(x.at) == self.line_of(write.at) {
                true => format!(" and {} `{}`", verb(x), self.reference_text(x.at)),
                false => format!(
                    ", line {} {} `{}`",
                    self.line_of(x.at),
                    verb(x),
                    self.reference_text(x.at)
                ),
            });
        let line = self.line_of(write.at);
        format!("line {line} writes `{}`{second}", self.reference_text(write.at))
    }

    /// A variable as the region writes it, without subscripts: `s->a` of `s->a[i]`.
    pub(crate) fn written_name(&self, variable: u32) -> String {
        let declared = self.variable(variable);
        let mut accesses = self.out.statements.iter().flat_map(|s| &s.accesses);
        let is_use = |a: &&RawAccess| a.variable == variable && a.kind != AccessKind::Kill;
        match accesses.find(is_use).filter(|_| declared.member.is_some()) {
            Some(access) => {
                let text = self.reference_text(access.at);
                // In a called function it may be the name of a parameter, without an arrow.
                let arrow = text.rfind(['.', '>']).unwrap_or(0);
                let bracket = text[arrow..].find('[');
                let length = bracket.map_or(text.len(), |bracket| arrow + bracket);
                text[..length].to_string()
            }
            None => declared.name.clone(),
        }
    }

    /// The text of the reference that begins at a byte.
    pub(crate) fn reference_text(&self, at: usize) -> String {
        let mut node = self.facts.root.root().descendant_for_byte_range(&(at..at + 1));
        if let Some(parent) = node.parent().filter(|_| !node.is_named()) {
            node = parent;
        }
        while let Some(parent) = node.parent().filter(|parent| {
            let is_reference =
                [Kind::SubscriptExpression, Kind::FieldExpression, Kind::PointerExpression];
            let argument = parent.field(Field::Argument);
            is_reference.contains(&parent.kind()) && argument.is_some_and(|a| a.id() == node.id())
        }) {
            node = parent;
        }
        self.flat_text(node).into_owned()
    }

    /// Whether a pointer could lead to a variable: arrays, globals, what has its address taken.
    fn is_in_memory(&self, file: &File<'_, 't>, function: Node<'t>, variable: u32) -> bool {
        let root = self.variable(self.root(variable));
        !self.variable(variable).declared.dimensions.is_empty()
            || !root.declared.dimensions.is_empty()
            || matches!(root.origin, Origin::File { .. } | Origin::Local { is_static: true })
            || file.values(function, &root.name).is_none()
    }

    fn object(&self, file: &File<'_, 't>, function: Node<'t>, variable: u32) -> Object {
        let declared = self.variable(variable);
        let root = self.variable(self.root(variable));
        if let Some(member) = declared.member.as_ref().filter(|m| m.crosses_pointer) {
            // A structure inside of another one may be assigned as a whole.
            let is_plain = !member.shares_memory
                && member.names.len() == 1
                && member.names.iter().all(|(position, _)| *position == 0)
                && root.declared.dimensions.is_empty()
                && declared.declared.dimensions.len() == 1
                && !root.in_region();
            let names: Vec<&str> = member.names.iter().map(|(_, name)| name.as_str()).collect();
            return match is_plain {
                true => file.behind_member(function, &root.name, &names),
                false => Object::Unknown,
            };
        }
        let is_pointer = matches!(root.declared.dimensions.first(), Some(Dimension::Pointer));
        if root.in_region() && !is_pointer {
            let name = format!("{} {}", root.name, self.root(variable));
            let function = Some(function.start_byte());
            return Object::Own { name, function, is_automatic: true };
        }
        file.named(function, &root.name, 0)
    }

    /// Whether the file shows that the rows of a variable are different memory.
    fn has_own_rows(&self, file: &File<'_, 't>, function: Node<'t>, variable: u32) -> bool {
        let declared = self.variable(variable);
        declared.member.is_none()
            && !declared.in_region()
            && file.has_own_rows(function, &declared.name, 0)
    }

    /// Whether a variable has pointers to its rows.
    fn has_rows(&self, variable: u32) -> bool {
        let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
        self.variable(variable).declared.dimensions.iter().skip(1).any(is_pointer)
    }

    /// Whether the region uses one row of a variable with pointers to its rows.
    fn is_one_row(&self, variable: u32) -> bool {
        let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
        let dimensions = &self.variable(variable).declared.dimensions;
        let outer = dimensions.iter().rposition(is_pointer).unwrap_or(0);
        let all = self.out.statements.iter().flat_map(|s| &s.accesses);
        // A row is one if its subscripts do not depend on loops.
        let row = |access: &RawAccess| -> Option<Vec<Linear>> {
            let subscripts = access.subscripts.get(..outer)?.iter();
            let form = |subscript: &Pieces| {
                let linear = subscript.as_linear()?;
                let is_kept = !self.is_of_loops(linear) && access.inner.is_none();
                (is_kept || linear.as_constant().is_some()).then(|| linear.clone())
            };
            subscripts.map(form).collect()
        };
        let mut rows =
            all.filter(|a| a.variable == variable && a.kind != AccessKind::Kill).map(row);
        let Some(Some(first)) = rows.next() else { return false };
        rows.all(|row| row.as_ref() == Some(&first))
    }

    /// Whether two variables are not the same memory by their declarations alone.
    fn never_overlap(&self, a: u32, b: u32) -> bool {
        let (of_a, of_b) = (self.variable(a), self.variable(b));
        let crosses =
            |v: &Variable<'_>| v.member.as_ref().is_some_and(|member| member.crosses_pointer);
        let is_restrict = |v: u32, of: &Variable<'_>| {
            !crosses(of) && !self.has_rows(v) && self.variable(self.root(v)).declared.is_restrict
        };
        let are_members = self.root(a) == self.root(b) && !crosses(of_a) && !crosses(of_b);
        are_members
            || is_restrict(a, of_a)
            || is_restrict(b, of_b)
            || are_incompatible(&of_a.declared.scalar, &of_b.declared.scalar)
    }
}

/// Whether C does not allow to access the same memory with both types.
fn are_incompatible(a: &ScalarType, b: &ScalarType) -> bool {
    let is_plain = |t: &ScalarType| t.kind != ElementKind::Other && t.bytes.is_some();
    let is_character = |t: &ScalarType| t.is_integer() && t.bytes == Some(1);
    is_plain(a)
        && is_plain(b)
        && !is_character(a)
        && !is_character(b)
        && (a.is_integer() != b.is_integer() || a.bytes != b.bytes)
}
