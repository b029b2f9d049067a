//! Pointers that move: `*p++ = x;`, `p += n;`, `for (p = a; p < a + n; p++)`.
//!
//! A local pointer that the region moves is taken for a name and *offsets*: integer variables that are
//! followed as others are (`symbolic_values.rs`, `induction.rs`), one for each subscript of what it leads to.
//! There are offsets for each variable that a pointer is set to; those for which all values are known at a
//! place say where it leads there. Without a setting in the region a pointer is the name of what it leads to
//! at its start. References through it become references to that variable, and its own value is not kept;
//! after the region it is set to its last value, if that is used.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::{DeclaredType, Dimension, ScalarType};
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::pointer_target::{Target, TargetKind};
use crate::model::raw_model::{RawAccess, RawPiece};
use crate::syntax::kind::Kind;
use crate::syntax::queries::{NameSet, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::{AccessKind, ElementKind};
use std::collections::BTreeSet;

/// A loop over a pointer.
pub(crate) struct PointerLoop {
    pointer: u32,
    /// What it is set to: a variable and subscripts.
    base: u32,
    place: Vec<Pieces>,
    /// The last subscript as the loop's iterator.
    pub(crate) iterator: u32,
}

impl PointerLoop {
    /// The first value of the iterator.
    pub(crate) fn start(&self) -> Pieces {
        self.place.last().cloned().unwrap_or(Pieces::single(Linear::constant(0)))
    }
}

impl<'t> Extractor<'_, 't> {
    /// Whether a variable is a pointer that moves.
    pub(crate) fn is_moving_pointer(&self, variable: u32) -> bool {
        let own = self.variable(variable);
        self.at.active_calls.is_empty()
            && self.facts.moved.all.contains(&*own.name)
            && self.facts.may_move(&self.scopes, own)
    }

    /// The moving pointer that an expression names.
    pub(crate) fn moving_pointer(&self, node: Node<'t>) -> Option<u32> {
        let node = strip_parentheses(node);
        let is_name =
            node.kind() == Kind::Identifier && self.facts.moved.all.contains(self.text(node));
        self.moving_pointer_by_name(self.text(node)).filter(|_| is_name)
    }

    /// The same of a name.
    fn moving_pointer_by_name(&self, name: &str) -> Option<u32> {
        match self.scopes.lookup(name)? {
            Entity::Variable(variable) => Some(variable).filter(|v| self.is_moving_pointer(*v)),
            _ => None,
        }
    }

    /// All offsets of the moving pointers with some names.
    pub(crate) fn offsets_of(&self, names: &NameSet<'_>) -> Vec<u32> {
        if self.out.pointer_offsets.is_empty() {
            return Vec::new();
        }
        let pointers = names.intersection(&self.facts.moved.all);
        let pointers: Vec<u32> =
            pointers.filter_map(|name| self.moving_pointer_by_name(name)).collect();
        let all = self.out.pointer_offsets.iter().filter(|(pointer, _)| pointers.contains(pointer));
        all.flat_map(|(_, offsets)| offsets.iter().copied()).collect()
    }

    /// Whether a variable is an offset of a pointer.
    pub(crate) fn is_offset(&self, variable: u32) -> bool {
        self.out.pointer_offsets.iter().any(|(_, offsets)| offsets.contains(&variable))
    }

    /// Whether an offset is the one that its pointer's steps change.
    pub(crate) fn is_moving_offset(&self, variable: u32) -> bool {
        self.out.pointer_offsets.iter().any(|(_, offsets)| offsets.last() == Some(&variable))
    }

    /// The offset that a pointer's steps change at the current place.
    pub(crate) fn moving_offset(&self, pointer: u32) -> Option<u32> {
        let of_pointer = self.out.pointer_offsets.of_pointer(pointer);
        let known = |offsets: &&[u32]| offsets.iter().all(|o| self.values.known.contains_key(o));
        of_pointer.map(|(_, offsets)| offsets).find(known)?.last().copied()
    }

    /// Where a moving pointer leads.
    pub(crate) fn place_pointed_to(&mut self, node: Node<'t>, pointer: u32) -> Option<Target> {
        let of_pointer = self.out.pointer_offsets.of_pointer(pointer);
        let of_pointer: Vec<(u32, Vec<u32>)> =
            of_pointer.map(|(base, offsets)| (base, offsets.to_vec())).collect();
        for (base, offsets) in of_pointer {
            let values: Option<Vec<Pieces>> = offsets
                .iter()
                .map(|offset| {
                    let inside =
                        self.values.side_values.values().find(|(variable, _)| variable == offset);
                    let value = inside.map(|(_, value)| value.clone());
                    let known = self.known_value(*offset, node.start_byte())?;
                    Some(value.unwrap_or(known))
                })
                .collect();
            if let Some(values) = values {
                return Some(Target::new(0..usize::MAX, (base, values), TargetKind::Element));
            }
        }
        None
    }

    /// From here on a pointer leads to a place.
    pub(crate) fn point_to(&mut self, pointer: u32, (base, place): (u32, Vec<Pieces>)) {
        let of_pointer = self.out.pointer_offsets.of_pointer(pointer);
        let before: Vec<u32> = of_pointer.flat_map(|(_, offsets)| offsets.to_vec()).collect();
        before.iter().for_each(|offset| drop(self.values.known.remove(offset)));
        let offsets = self.offsets(pointer, base, place.len());
        self.values.known.extend(offsets.into_iter().zip(place));
    }

    /// The offsets of a pointer to a variable.
    fn offsets(&mut self, pointer: u32, base: u32, n: usize) -> Vec<u32> {
        if let Some(offsets) = self.out.pointer_offsets.get(pointer, base) {
            return offsets.to_vec();
        }
        let integer = |this: &mut Self| this.pointer_as_integer(pointer);
        let offsets: Vec<u32> = (0..n).map(|_| integer(self)).collect();
        self.out.pointer_offsets.insert(pointer, base, offsets.clone());
        offsets
    }

    /// A variable under the name of a pointer that is a number of elements.
    pub(crate) fn pointer_as_integer(&mut self, pointer: u32) -> u32 {
        let scalar = ScalarType::new("long", ElementKind::Signed, 8);
        self.another(pointer, scalar, Origin::Region { depth: self.at.nest.len() + 1 })
    }

    /// A scalar under the name of a pointer that is no variable of the program.
    fn another(&mut self, pointer: u32, scalar: ScalarType, origin: Origin) -> u32 {
        let name = self.variable(pointer).name.clone();
        self.scopes.add_unnamed(name, DeclaredType::of_scalar(scalar), origin, None)
    }

    /// A statement before the region sets a pointer, unless a name in the value is not `kept` until then.
    pub(crate) fn set_before_region(
        &mut self,
        pointer: u32,
        value: Node<'t>,
        kept: impl Fn(&str) -> bool,
    ) {
        let mut is_kept = self.moving_offset(pointer).is_none();
        is_kept &= value
            .of_kind(Kind::Identifier)
            .map(|mention| self.text(mention))
            .all(|name| kept(name) && (self.is_private(name) || self.is_array(name)));
        let mark = self.out.mark();
        if !is_kept || self.set_pointer(pointer, value).is_err() {
            self.out.back_to(mark);
        }
    }

    /// Whether a name stands for an array, which is always the same one.
    fn is_array(&self, name: &str) -> bool {
        let Some(Entity::Variable(variable)) = self.scopes.lookup(name) else { return false };
        let dimensions = &self.variable(variable).declared.dimensions;
        !dimensions.is_empty() && !dimensions.iter().any(|d| matches!(d, Dimension::Pointer))
    }

    /// Before the region a pointer leads to the start of what it names.
    pub(crate) fn start_moving_pointers(&mut self) {
        let mut names: Vec<&str> = self.facts.moved.outer.iter().copied().collect();
        names.sort_unstable();
        let pointers = names.iter().filter_map(|name| self.moving_pointer_by_name(name));
        for pointer in pointers.collect::<Vec<u32>>() {
            if self.moving_offset(pointer).is_none() {
                let start = Pieces::single(Linear::constant(0));
                self.point_to(pointer, (pointer, vec![start]));
            }
        }
    }

    /// The walk of a loop that sets a pointer to a value.
    pub(crate) fn pointer_loop(
        &mut self,
        pointer: u32,
        value: Node<'t>,
    ) -> Result<Option<PointerLoop>, Refusal> {
        if !self.is_moving_pointer(pointer) {
            return Ok(None);
        }
        let (base, place) = self.place_of_pointer(value)?;
        self.check_target(pointer, value, (base, place.len()))?;
        let iterator = self.pointer_as_integer(pointer);
        Ok(Some(PointerLoop { pointer, base, place, iterator }))
    }

    /// In a loop over a pointer it leads where the iterator says.
    pub(crate) fn point_to_iterator(&mut self, walk: &PointerLoop, index: u32) {
        let mut place = walk.place.clone();
        if let Some(last) = place.last_mut() {
            *last = Pieces::single(Linear::symbol(Symbol::Iterator(index)));
        }
        self.point_to(walk.pointer, (walk.base, place));
    }

    /// The distance between two pointers; none if neither leads where one that moves does.
    pub(crate) fn pointer_distance(
        &mut self,
        left: Node<'t>,
        right: Node<'t>,
    ) -> Result<Option<Pieces>, Refusal> {
        if [left, right].iter().any(|side| self.data_dependent_value(*side).is_some()) {
            return Err(self.not_affine(left, "data decides where the pointer leads"));
        }
        let may_walk = !self.facts.moved.all.is_empty();
        if !may_walk || !self.leads_to_pointer(left) || !self.leads_to_pointer(right) {
            return Ok(None);
        }
        let (a, mut first) = self.place_of_pointer(left)?;
        let (b, mut second) = self.place_of_pointer(right)?;
        let ends = (first.pop(), second.pop());
        let (Some(x), Some(y)) = ends else { return Err(self.refuse_pointer(left)) };
        if (a, first) != (b, second) {
            return Err(self.not_affine(left, "the pointers may lead to different arrays"));
        }
        self.check(left, x.zip(&y, |x, y| x.sub(y))).map(Some)
    }

    /// After the region pointers have their last values, where these are used.
    pub(crate) fn finish_moving_pointers(&mut self, last: Node<'t>) {
        let mut names: Vec<&str> = self.facts.moved.used_after.iter().copied().collect();
        names.sort_unstable();
        let pointers = names.iter().filter_map(|name| self.moving_pointer_by_name(name));
        for pointer in pointers.collect::<Vec<u32>>() {
            self.recover(|this| this.store_last_place(pointer, last));
        }
    }

    fn store_last_place(&mut self, pointer: u32, last: Node<'t>) -> Result<(), Refusal> {
        let own = self.variable(pointer);
        let (name, scalar) = (own.name.clone(), own.declared.scalar.clone());
        let target = self.place_pointed_to(last, pointer).filter(|target| {
            let base = self.variable(target.place().0);
            base.member.is_none() && !base.in_region()
        });
        let Some(target) = target else {
            let message = format!("the pointer `{name}` is used after the region");
            return Err(self
                .refuse(Code::Pointer, last, message)
                .with_reason("where it leads then is not known")
                .with_hint("set it again before it is used"));
        };
        let (base, place) = target.place();
        self.out.pointer_offsets.kept.insert(base);
        let is_still = place.iter().all(|value| value.as_constant() == Some(0));
        if base == pointer && is_still {
            return Ok(());
        }
        let at = last.end_byte().saturating_sub(1);
        let mut out = Emission::new(0);
        let long = self.pointer_as_integer(pointer);
        // It comes after everything that uses the name.
        let accesses = self.out.statements.iter().flat_map(|statement| &statement.accesses);
        let used = accesses.map(|access| access.variable).filter(|v| self.root(*v) == pointer);
        let used: BTreeSet<u32> = used.collect();
        let is_unused = used.is_empty();
        for variable in used {
            out.accesses.push(RawAccess::new(variable, AccessKind::MayWrite, Vec::new(), at));
            out.hidden.push(variable);
        }
        if base == pointer {
            if is_unused {
                // The statement writes something that is live: without an access it would be dead code.
                let variable = self.pointer_itself(pointer, &scalar);
                out.accesses.push(RawAccess::new(variable, AccessKind::MustWrite, Vec::new(), at));
                out.hidden.push(variable);
            }
            out.text(&format!("{name} += "));
        } else {
            let variable = self.pointer_itself(pointer, &scalar);
            out.accesses.push(RawAccess::new(variable, AccessKind::MustWrite, Vec::new(), at));
            out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
            out.text(&format!(" = {}", self.variable(base).name));
            let (_, rows) = place.split_last().unwrap_or((&place[0], &[]));
            for row in rows {
                out.text("[");
                self.write_value(&mut out, long, row);
                out.text("]");
            }
            out.text(" + ");
        }
        out.text("(");
        if let Some(value) = place.last() {
            self.write_value(&mut out, long, value);
        }
        out.text(")");
        self.add_emission(out, at);
        Ok(())
    }

    /// The value of a pointer to elements of a type, as a variable of the model.
    fn pointer_itself(&mut self, pointer: u32, element: &ScalarType) -> u32 {
        let spelling = format!("{} *", element.spelling);
        let kind = ElementKind::Other;
        let value = ScalarType::new(&spelling, kind, 8);
        let variable = self.another(pointer, value, self.variable(pointer).origin);
        self.out.pointer_offsets.kept.insert(variable);
        variable
    }
}
