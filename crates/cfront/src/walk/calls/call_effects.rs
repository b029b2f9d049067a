//! Calls: what a call of a function reads and writes.
//!
//! Memory that a call reaches through its arguments is accessed as whole (sub)arrays, written perhaps.
//! A call that may do anything is a *barrier*: it may access all memory that can be reached from
//! outside of the function. Calls whose order matters beyond that (output, hidden state) read
//! and write a variable that stands for it, so that they stay in order.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::{DeclaredType, ScalarType};
use crate::facts::effects::{Effects, ModRef};
use crate::facts::scope::Entity;
use crate::facts::side_effects::Functions;
use crate::facts::variables::Origin;
use crate::model::raw_model::{RawAccess, RawPiece};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::calls::called_bodies::arguments_of;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use loopwright_scop::{AccessKind, TermKind};
use std::collections::HashSet;
use std::sync::Arc;

impl<'s, 't> Extractor<'s, 't> {
    /// A call.
    pub(crate) fn call(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let callee = node.field(Field::Function).map(strip_parentheses);
        let arguments = node.field(Field::Arguments);
        let (Some(callee), Some(arguments)) = (callee, arguments) else {
            let refusal = self.refuse(Code::Call, node, "this call is not understood");
            return Err(refusal.with_reason("it has no function, or no arguments"));
        };
        let name = self.called_name(callee);
        if name.is_empty() && self.facts.is_detected {
            return Err(self.refuse_pointer_call(node));
        }
        let effects = self.effects(node, name);
        if let Some(culprit) = &effects.no_return {
            return Err(self
                .refuse(Code::Call, node, format!("a call of `{name}`"))
                .with_reason(match culprit == name {
                    true => format!("the program may not go on after `{culprit}`"),
                    false => format!("it calls `{culprit}`, after which the program may not go on"),
                })
                .with_hint("move this check in front of or behind the region"));
        }
        if self.facts.is_detected && (effects.everything.writes || effects.is_ordered) {
            return Err(self
                .refuse(Code::Call, node, format!("a call of `{name}`"))
                .with_reason(match effects.everything.writes {
                    true => "the function is not known to be free of side effects",
                    false => "its calls have to stay in order: it has effects beyond memory, such as output",
                })
                .with_hint("call it before the loop, or put `#pragma scop` around the loop: there it stays in order"));
        }
        match name.is_empty() {
            true => self.called_pointer(out, callee)?,
            false => self.name(out, callee),
        }
        let known = self.known_accesses(out, node, name);
        let mut position = 0;
        for child in children(arguments) {
            if child.is_named() {
                let touch = effects.of_argument(position);
                let touch = known.is_none().then_some(touch);
                out.open(TermKind::Opaque);
                self.argument(out, child, touch)?;
                out.close();
                position += 1;
            } else {
                self.verbatim(out, child);
            }
        }
        match known {
            Some(known) => self.add_known(out, known, node),
            None => self.global_effects(out, &effects, node),
        }
        Ok(())
    }

    /// A name that is copied.
    fn name(&self, out: &mut Emission, node: Node<'t>) {
        out.open(TermKind::Opaque);
        self.verbatim(out, node);
        out.close();
    }

    /// The name of the function that is called; empty if a pointer decides about it.
    pub(crate) fn called_name(&self, callee: Node<'t>) -> &'s str {
        let name = self.text(callee);
        let is_name = callee.kind() == Kind::Identifier
            && !matches!(self.scopes.lookup(name), Some(Entity::Variable(_)));
        if is_name { name } else { "" }
    }

    fn refuse_pointer_call(&self, node: Node<'t>) -> Refusal {
        self.refuse(Code::Call, node, "a call through a pointer")
            .with_reason("which function it calls, and what that does, is not known")
            .with_hint("call a function by its name, or move it out of the region")
    }

    /// The pointer to a function that is called: `f`, `*f`, `table[i]`. The region's own statements do not
    /// set it, and calls that may are in order with this one.
    fn called_pointer(&mut self, out: &mut Emission, callee: Node<'t>) -> Result<(), Refusal> {
        let argument = callee.field(Field::Argument).map(strip_parentheses);
        let (base, index) = match (callee.kind(), argument) {
            (Kind::Identifier, _) => (callee, None),
            (Kind::PointerExpression, Some(base)) if self.text(callee).starts_with('*') => {
                (base, None)
            }
            (Kind::SubscriptExpression, Some(base)) => (base, callee.field(Field::Index)),
            _ => return Err(self.refuse_pointer_call(callee)),
        };
        let is_kept = base.kind() == Kind::Identifier
            && !self.facts.written_names.contains(self.text(base))
            && self.resolve(base).is_ok_and(|variable| {
                let declared = self.variable(variable);
                !declared.in_region() && declared.declared.oddity.is_none()
            });
        if !is_kept {
            return Err(self.refuse_pointer_call(callee));
        }
        out.open(TermKind::Opaque);
        self.name(out, base);
        if let Some(index) = index {
            out.text("[");
            out.after_written();
            self.expression(out, index)?;
            out.text("]");
        }
        out.close();
        Ok(())
    }

    /// The accesses of a call other than those of the values of its arguments, if it is known which
    /// elements these are.
    fn known_accesses(&mut self, out: &Emission, node: Node<'t>, name: &str) -> Option<Emission> {
        if let Some(definition) = self.definition_of(node, name) {
            return self.called_body(out, definition, &arguments_of(node));
        }
        let is_declared_only = !self.functions(node).is_defined(name);
        let accesses = self.block_accesses(out, node, name).filter(|_| is_declared_only)?;
        let mut known = Emission::new(out.outer);
        known.accesses = accesses;
        Some(known)
    }

    /// Adds the accesses of a call.
    fn add_known(&mut self, out: &mut Emission, known: Emission, node: Node<'t>) {
        out.reaches.reads |= known.reaches.reads;
        out.reaches.writes |= known.reaches.writes;
        let mut is_ordered = false;
        for access in &known.accesses {
            let variable = access.variable;
            let declared = self.variable(variable);
            // The function uses the variable itself, not a private copy of it.
            is_ordered |= matches!(declared.origin, Origin::File { .. })
                && Some(variable) != self.out.order_of_calls()
                && declared.declared.dimensions.is_empty()
                && (access.kind != AccessKind::Read || self.is_changed_name(&declared.name));
            if !out.hidden.contains(&variable) {
                out.hidden.push(variable);
            }
        }
        for variable in known.hidden {
            if !out.hidden.contains(&variable) {
                out.hidden.push(variable);
            }
        }
        out.accesses.extend(known.accesses);
        if is_ordered {
            self.keep_in_order(out, node.start_byte());
        }
    }

    /// The effects of the function with a name.
    pub(crate) fn effects(&self, node: Node<'t>, name: &str) -> Arc<Effects> {
        self.functions(node).effects(self.facts.source, name)
    }

    /// The functions of the file that a node belongs to.
    pub(crate) fn functions(&self, node: Node<'t>) -> &Functions<'t> {
        self.scopes.index.definitions(self.facts.source, node)
    }

    /// Accesses of what a call reaches without its arguments.
    fn global_effects(&mut self, out: &mut Emission, effects: &Effects, node: Node<'t>) {
        let at = node.start_byte();
        out.reaches.reads |= effects.everything.reads;
        out.reaches.writes |= effects.everything.writes;
        let mut is_ordered = effects.is_ordered;
        for (name, touch) in &effects.globals {
            // The function uses the variable itself, not a private copy of it.
            let changes = &self.facts.changed_by_calls;
            is_ordered |= touch.writes || self.at.names.changed.contains(name.as_str());
            is_ordered |= changes.globals.contains(name);
            let Some(variable) = self.scopes.global(name) else { continue };
            is_ordered |= changes.everything && self.variable(variable).constant.is_none();
            self.out.whole_structures.insert(self.root(variable));
            if self.variable(variable).constant.is_none() {
                out.touch_whole(variable, *touch, at);
            }
        }
        if is_ordered || effects.everything.writes {
            self.keep_in_order(out, at);
        }
    }

    /// Keeps a call in order with the others whose order matters.
    pub(crate) fn keep_in_order(&mut self, out: &mut Emission, at: usize) {
        let order = self.order_variable();
        out.accesses.push(RawAccess::new(order, AccessKind::Read, Vec::new(), at));
        let write = out.write_kind();
        let write = if self.at.nest.len() > out.outer { AccessKind::MayWrite } else { write };
        out.accesses.push(RawAccess::new(order, write, Vec::new(), at));
    }

    /// The variable that stands for the order of calls.
    fn order_variable(&mut self) -> u32 {
        if let Some(known) = self.out.order_of_calls() {
            return known;
        }
        let mut name = "order_of_calls".to_string();
        while self.facts.source.contains(&name) {
            name.push('_');
        }
        let scalar = ScalarType::new("int", loopwright_scop::ElementKind::Signed, 4);
        let origin = Origin::File { is_static: true };
        let index = self.scopes.add_unnamed(name, DeclaredType::of_scalar(scalar), origin, None);
        self.out.set_order_of_calls(index);
        index
    }

    /// Whether calls in the region change what a name stands for.
    pub(crate) fn is_changed_by_calls(&self, name: &str) -> bool {
        let changes = &self.facts.changed_by_calls;
        if !changes.everything && !changes.globals.contains(name) {
            return false;
        }
        let addressed = self.addressed_names(self.facts.root);
        // A name that stands for another variable here is not meant.
        match self.scopes.lookup(name) {
            Some(Entity::Variable(variable)) => {
                let is_global = |v: &u32| {
                    let known = self.variable(*v);
                    matches!(known.origin, Origin::File { .. }) && known.constant.is_none()
                };
                let is_known = changes.globals.contains(name)
                    || addressed.contains(name)
                    || self.scopes.global(name).iter().chain([&variable]).any(is_global);
                is_known && self.is_reachable(variable, &addressed)
            }
            _ => changes.globals.contains(name) || addressed.contains(name),
        }
    }

    /// The names whose address is taken in the function around a node.
    pub(crate) fn addressed_names(&self, node: Node<'t>) -> Arc<HashSet<String>> {
        let mut function = node;
        while let Some(parent) =
            function.parent().filter(|_| function.kind() != Kind::FunctionDefinition)
        {
            function = parent;
        }
        self.scopes.index.names_of(self.facts.source, function).addressed.clone()
    }

    /// Whether functions that are called and may do anything may access a variable.
    pub(crate) fn is_reachable_by_calls(&self, variable: u32) -> bool {
        self.is_reachable(variable, &self.addressed_names(self.facts.root))
    }

    /// Whether code outside of the function may know where a variable is.
    fn is_reachable(&self, variable: u32, addressed: &HashSet<String>) -> bool {
        let declared = self.variable(variable);
        if declared.constant.is_some() || Some(variable) == self.out.order_of_calls() {
            return false;
        }
        match declared.origin {
            Origin::File { .. } => true,
            _ => {
                let root = &self.variable(self.root(variable)).name;
                !declared.declared.dimensions.is_empty() || addressed.contains(root)
            }
        }
    }

    /// Adds the accesses of barriers, once all variables are known.
    pub(crate) fn finish_barriers(&mut self, used: &[u32]) {
        if self.out.statements.iter().all(|statement| statement.reaches == ModRef::default()) {
            return;
        }
        let addressed = self.addressed_names(self.facts.root);
        let is_reachable = |variable: &u32| self.is_reachable(*variable, &addressed);
        let reachable: Vec<u32> = used.iter().copied().filter(is_reachable).collect();
        for statement in &mut self.out.statements {
            let touch = statement.reaches;
            let kinds = [(touch.reads, AccessKind::Read), (touch.writes, AccessKind::MayWrite)];
            for &variable in &reachable {
                for (_, kind) in kinds.into_iter().filter(|(is, _)| *is) {
                    let access = RawAccess::new(variable, kind, Vec::new(), statement.at);
                    statement.accesses.push(access);
                }
                if touch != ModRef::default() {
                    statement.pieces.push(RawPiece::Hidden { variable });
                }
            }
        }
    }
}

impl Emission {
    /// An access of a whole variable that the text does not name.
    fn touch_whole(&mut self, variable: u32, touch: ModRef, at: usize) {
        let kinds = [(touch.reads, AccessKind::Read), (touch.writes, AccessKind::MayWrite)];
        for (_, kind) in kinds.into_iter().filter(|(is, _)| *is) {
            self.accesses.push(RawAccess::new(variable, kind, Vec::new(), at));
        }
        self.hidden.push(variable);
    }
}
