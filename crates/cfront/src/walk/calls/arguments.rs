//! Arguments of calls: their text, and accesses of the memory that a function is given.
//!
//! What a function is given may be an array or a part of it, the address of an element or of a member, or a
//! structure by value. Where it is not known which elements it accesses
//! ([`crate::walk::calls::called_bodies`]), these are all that can be reached from there: the whole array, or
//! the whole of what a row pointer leads to.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::Dimension;
use crate::facts::effects::ModRef;
use crate::facts::scope::Entity;
use crate::model::pieces::Pieces;
use crate::model::raw_model::{RawAccess, RawPiece};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::references::{Index, Step};
use crate::walk::statement_body::Emission;
use loopwright_scop::AccessKind;

impl<'t> Extractor<'_, 't> {
    /// An argument, and what the function does with the memory behind it if that is not known by
    /// elements.
    pub(crate) fn argument(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        touch: Option<ModRef>,
    ) -> Result<(), Refusal> {
        let mut inner = strip_parentheses(node);
        let cast = inner.field(Field::Type).filter(|_| inner.kind() == Kind::CastExpression);
        let value = inner.field(Field::Value);
        if let (Some(cast), Some(value)) = (cast, value)
            && cast.field(Field::Declarator).is_some()
        {
            out.gap(inner);
            let text = format!("({})", self.flat_text(cast));
            out.text(&text);
            out.after_written();
            inner = strip_parentheses(value);
        }
        if inner.kind() == Kind::Identifier
            && self.scopes.lookup(self.text(inner)) == Some(Entity::Function)
        {
            self.verbatim(out, inner);
            return Ok(());
        }
        if let Some(pointer) = self.data_dependent_value(inner) {
            let message = format!("the pointer `{}` is an argument", self.variable(pointer).name);
            return Err(self
                .refuse(Code::Pointer, inner, message)
                .with_reason("data decides where it leads")
                .with_hint("use subscripts instead"));
        }
        match self.given_steps(inner) {
            Some((target, steps)) => self.memory_argument(out, (inner, target), steps, touch),
            None => self.expression(out, inner),
        }
    }

    /// The variable and the steps of an argument that is memory; none of values of numbers.
    fn given_steps(&mut self, node: Node<'t>) -> Option<(u32, GivenSteps<'t>)> {
        let is_address = self.is_address(node);
        let target = node.field(Field::Argument).filter(|_| is_address);
        let leads_to_pointer = self.leads_to_pointer(node);
        let (base, steps, is_sum) = match target {
            Some(target) => {
                let (base, steps) = self.steps(target).ok()?;
                (base, steps, false)
            }
            None if leads_to_pointer && node.kind() == Kind::BinaryExpression => {
                let (base, mut steps, index) = self.pointer(node, 0).ok()?;
                steps.push(Step::Subscript(index));
                (base, steps, true)
            }
            None => {
                let (base, steps) = self.steps(node).ok()?;
                (base, steps, false)
            }
        };
        let root = self.resolve(base).ok()?;
        let is_element = !leads_to_pointer && !is_address;
        if is_element && !self.is_structure(root, &steps) {
            return None;
        }
        Some((root, GivenSteps { steps, is_address: is_address || is_sum }))
    }

    fn is_address(&self, node: Node<'t>) -> bool {
        node.kind() == Kind::PointerExpression && node.operator() == Some(token!("&"))
    }

    /// Whether steps from a variable lead to a structure.
    fn is_structure(&self, root: u32, steps: &[Step<'t>]) -> bool {
        let mut scalar = self.variable(root).declared.scalar.clone();
        for step in steps {
            if let (Step::Member(name), Some(record)) = (step, scalar.record) {
                let member = self.scopes.types.member(self.facts.source, record, self.text(*name));
                let Some(member) = member else { return false };
                scalar = member.declared.scalar;
            }
        }
        scalar.record.is_some()
    }

    fn memory_argument(
        &mut self,
        out: &mut Emission,
        (node, root): (Node<'t>, u32),
        GivenSteps { steps, is_address }: GivenSteps<'t>,
        touch: Option<ModRef>,
    ) -> Result<(), Refusal> {
        if self.dimensions_left(root, &steps).is_none()
            || self.outer_loop(out, root).is_some()
            || self.variable(root).constant.is_some()
        {
            let message = format!("this argument is not understood: `{}`", self.quoted(node));
            return Err(self
                .refuse(Code::Pointer, node, message)
                .with_reason("it does not say which memory the function can reach"));
        }
        if let Some(oddity) = self.variable(root).declared.oddity {
            let message = format!("`{}` {}", self.variable(root).name, oddity.said());
            return Err(self.refuse(Code::Type, node, message).with_reason(oddity.reason()));
        }
        if is_address {
            out.gap(node);
            out.text("&");
            out.after_written();
        }
        out.gap(node);
        if let Some(own) = self.values.own_names.get(&root).cloned() {
            out.text(&own);
            return self.write_steps(out, node, &steps);
        }
        if (self.values.pointers.contains_key(&root) || self.is_moving_pointer(root))
            && !out.is_summary
        {
            return Err(self
                .refuse(
                    Code::Pointer,
                    node,
                    "a pointer that the region sets is given to a function",
                )
                .with_reason("the region does not keep the pointer itself")
                .with_hint("give it the array that the pointer leads to"));
        }
        if self.variable(root).in_region() {
            self.out.whole_structures.insert(root);
        }
        // A copy of a structure; what its pointers lead to is accessed by functions that may do anything.
        let is_copy = !is_address && self.dimensions_left(root, &steps) == Some(0);
        let touch = touch.map(|touch| ModRef { writes: touch.writes && !is_copy, ..touch });
        match touch {
            Some(touch) => self.memory(out, node, (root, &steps, is_address), touch)?,
            None if self.variable(root).in_region() && !out.is_summary => {
                // The function may be given what it does not use: it has to be declared.
                let read = RawAccess::new(root, AccessKind::Read, Vec::new(), node.start_byte());
                out.accesses.push(read);
            }
            None => {}
        }
        let declared = self.variable(root);
        if declared.declared.scalar.record.is_some() && !declared.in_region() {
            let name = declared.name.clone();
            out.text(&name);
        } else {
            out.pieces.push(RawPiece::Element { variable: root, subscripts: Vec::new() });
        }
        self.write_steps(out, node, &steps)
    }

    /// Accesses of all that can be reached from a place.
    fn memory(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        (root, steps, is_address): (u32, &[Step<'t>], bool),
        touch: ModRef,
    ) -> Result<(), Refusal> {
        let reference = self.walk_steps(node, root, steps)?;
        let variable = reference.variable;
        if self.variable(variable).declared.scalar.record.is_some() || variable == root {
            let root = self.root(root);
            self.out.whole_structures.insert(root);
        }
        let mut indices: Vec<Index<'t>> = reference.subscripts;
        if out.is_summary && self.values.pointers.contains_key(&self.root(variable)) {
            return self.memory_behind(out, node, variable, indices, touch);
        }
        let n_given = indices.len() - usize::from(is_address && !indices.is_empty());
        indices.truncate(self.object_start(variable, n_given));
        let mut subscripts = Vec::with_capacity(indices.len());
        for index in indices {
            subscripts.push(self.subscript_or_unknown(variable, index)?);
        }
        self.touch_memory(out, node, (variable, &subscripts), touch);
        Ok(())
    }

    /// The same of a place that is given in terms of a pointer that the called function has.
    fn memory_behind(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        variable: u32,
        indices: Vec<Index<'t>>,
        touch: ModRef,
    ) -> Result<(), Refusal> {
        let mut subscripts = Vec::with_capacity(indices.len() + 1);
        for index in indices {
            subscripts.push(self.subscript_or_unknown(variable, index)?);
        }
        let root = self.root(variable);
        let is_copy = self.target_at(node, root).is_some_and(|target| target.is_copy());
        if subscripts.is_empty() && !is_copy {
            subscripts.push(self.subscript(Index::default())?);
        }
        let (variable, mut subscripts) = self.followed(node, variable, subscripts)?;
        if self.variable(variable).declared.scalar.record.is_some() || is_copy {
            let root = self.root(variable);
            self.out.whole_structures.insert(root);
        }
        subscripts.truncate(self.object_start(variable, subscripts.len().saturating_sub(1)));
        self.touch_memory(out, node, (variable, &subscripts), touch);
        Ok(())
    }

    /// The number of subscripts, of those that are given, after which what the last pointer leads to
    /// begins.
    fn object_start(&self, variable: u32, n_given: usize) -> usize {
        let dimensions = &self.variable(variable).declared.dimensions;
        let is_pointer = |at: &usize| matches!(dimensions.get(*at), Some(Dimension::Pointer));
        (0..=n_given).rev().find(is_pointer).unwrap_or(0)
    }

    fn touch_memory(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        (variable, subscripts): (u32, &[Pieces]),
        touch: ModRef,
    ) {
        let kinds = [(touch.reads, AccessKind::Read), (touch.writes, AccessKind::MayWrite)];
        for (_, kind) in kinds.into_iter().filter(|(is, _)| *is) {
            let inner = self.inner_place(out, kind, subscripts);
            let mut access = RawAccess::new(variable, kind, subscripts.to_vec(), node.start_byte());
            access.inner = inner;
            out.accesses.push(access);
            if !out.hidden.contains(&variable) {
                out.hidden.push(variable);
            }
        }
    }
}

/// The steps from a variable to what a function is given.
struct GivenSteps<'t> {
    steps: Vec<Step<'t>>,
    /// Whether it is given the address of what the steps lead to.
    is_address: bool,
}
