//! Pointers that a region itself sets: `double *row = A[i];`.
//!
//! From the statement that sets it to the end of the block around, unless it is changed there
//! again, such a pointer is another name for the place that it is set to: the iterators of
//! the loops around keep their values. References through it become references to that place, and the
//! statement itself is left out. The pointer's value is not kept.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::Dimension;
use crate::facts::variables::MemberPath;
use crate::model::pieces::Pieces;
use crate::model::pointer_target::{Target, TargetKind};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{changed_places, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::control::forward_jumps::Branch;
use crate::walk::extractor::Extractor;
use std::ops::Range;

impl<'t> Extractor<'_, 't> {
    /// Whether a variable is a pointer.
    pub(crate) fn is_pointer(&self, variable: u32) -> bool {
        !self.is_data_dependent(variable) && self.is_pointer_variable(variable)
    }

    /// Whether a variable is declared as a pointer.
    pub(crate) fn is_pointer_variable(&self, variable: u32) -> bool {
        let variable = self.variable(variable);
        variable.member.is_none()
            && matches!(variable.declared.dimensions.first(), Some(Dimension::Pointer))
    }

    /// The pointer and the value of an assignment to a pointer.
    pub(crate) fn pointer_assignment(&self, node: Node<'t>) -> Option<(u32, Node<'t>)> {
        let operator = node.field(Field::Operator)?;
        let left = strip_parentheses(node.field(Field::Left)?);
        let is_plain = node.kind() == Kind::AssignmentExpression && operator.kind() == token!("=");
        let variable = self.resolve(Some(left).filter(|l| l.kind() == Kind::Identifier)?).ok()?;
        let is_set = is_plain && self.is_pointer(variable);
        Some((variable, node.field(Field::Right).filter(|_| is_set)?))
    }

    /// From here to the end of the block a pointer leads to what a value says.
    pub(crate) fn set_pointer(&mut self, pointer: u32, value: Node<'t>) -> Result<(), Refusal> {
        let result = self.lead_pointer(pointer, value);
        if result.is_err() {
            self.out.add_refused_pointer(pointer);
        }
        result
    }

    fn lead_pointer(&mut self, pointer: u32, value: Node<'t>) -> Result<(), Refusal> {
        if self.data_dependent_value(value).is_some() {
            let name = &self.variable(pointer).name;
            let message = format!("`{name}` is set to a pointer that data moves");
            return Err(self
                .refuse(Code::Pointer, value, message)
                .with_hint("use subscripts instead"));
        }
        let is_moving_pointer = self.is_moving_pointer(pointer);
        let bytes = if is_moving_pointer { 0..0 } else { self.unchanged(pointer, value)? };
        let (variable, subscripts) = self.place_of_pointer(value)?;
        self.check_target(pointer, value, (variable, subscripts.len()))?;
        if is_moving_pointer {
            self.point_to(pointer, (variable, subscripts));
            return Ok(());
        }
        let target = Target::new(bytes, (variable, subscripts), TargetKind::Element);
        self.values.pointers.entry(pointer).or_default().push(target);
        Ok(())
    }

    /// Refuses places that do not have the type of what a pointer leads to.
    pub(crate) fn check_target(
        &self,
        pointer: u32,
        value: Node<'t>,
        (variable, n_subscripts): (u32, usize),
    ) -> Result<(), Refusal> {
        let (own, target) = (self.variable(pointer), self.variable(variable));
        let n_left = own.declared.dimensions.len().checked_sub(1);
        let types = (&own.declared.scalar, &target.declared.scalar);
        let is_same_type = types.0.kind == types.1.kind
            && types.0.bytes == types.1.bytes
            && types.0.record == types.1.record;
        if !is_same_type
            || n_left.map(|n| n + n_subscripts) != Some(target.declared.dimensions.len())
        {
            let (pointer, name) = (&own.name, &target.name);
            let message = format!("`{pointer}` does not have the type of the elements of `{name}`");
            return Err(self
                .refuse(Code::Pointer, value, message)
                .with_reason("elements of the array would be cut up, or put together")
                .with_hint("declare the pointer with the type of the elements"));
        }
        Ok(())
    }

    /// The bytes from a value to the end of the block in which a pointer is set to it.
    fn unchanged(&self, pointer: u32, value: Node<'t>) -> Result<Range<usize>, Refusal> {
        let mut node = value;
        let block = loop {
            let Some(parent) = node.parent() else { break None };
            match parent.kind() {
                Kind::CompoundStatement => break Some(parent),
                // The head of the loop declares the pointer.
                Kind::ForStatement if node.kind() == Kind::Declaration => break Some(parent),
                Kind::InitDeclarator
                | Kind::Declaration
                | Kind::AssignmentExpression
                | Kind::ExpressionStatement
                | Kind::CommaExpression => node = parent,
                _ => break None,
            }
        };
        let Some(block) = block else {
            let message = "a pointer is set under a condition or a loop without braces";
            return Err(self
                .refuse(Code::Pointer, value, message)
                .with_reason("where it leads behind that is not known")
                .with_hint("write the array that the pointer leads to"));
        };
        let name = &self.variable(pointer).name;
        let bytes = value.end_byte()..block.end_byte();
        let changes = changed_places(self.facts.source, block).filter(|place| {
            let target = strip_parentheses(*place);
            target.kind() == Kind::Identifier && self.text(target) == name
        });
        let changes = changes.filter_map(|place| place.parent());
        let change = changes
            .filter(|node| bytes.contains(&node.start_byte()))
            .max_by_key(|node| node.start_byte());
        match change {
            None => Ok(bytes),
            Some(change) => Err(self
                .refuse(Code::Pointer, change, format!("the pointer `{name}` is changed here"))
                .with_reason(
                    "it must keep the value that it has been set to until the end of the block",
                )
                .with_hint("write the array that the pointer leads to, with subscripts")),
        }
    }

    /// Where a pointer that is set in a branch leads is not known after it.
    pub(crate) fn end_pointers(&mut self, branch: &Branch<'t>) {
        let inside = branch.node.start_byte()..branch.end_byte();
        for target in self.values.pointers.values_mut().flatten() {
            if inside.contains(&target.bytes.start) {
                target.bytes.end = target.bytes.end.min(inside.end);
            }
        }
    }

    /// The place that a pointer value leads to.
    pub(crate) fn place_of_pointer(
        &mut self,
        value: Node<'t>,
    ) -> Result<(u32, Vec<Pieces>), Refusal> {
        let (base, steps, index) = self.pointer(strip_parentheses(value), 0)?;
        let root = self.resolve(base)?;
        let reference = self.walk_steps(value, root, &steps)?;
        let mut subscripts = Vec::with_capacity(reference.subscripts.len() + 1);
        for index in reference.subscripts.into_iter().chain([index]) {
            subscripts.push(self.subscript(index)?);
        }
        self.followed(value, reference.variable, subscripts)
    }

    /// A reference with the place that its pointer leads to instead of the pointer.
    pub(crate) fn followed(
        &mut self,
        node: Node<'t>,
        variable: u32,
        subscripts: Vec<Pieces>,
    ) -> Result<(u32, Vec<Pieces>), Refusal> {
        let root = self.root(variable);
        if self.is_moving_pointer(root) {
            let target = self.place_pointed_to(node, root);
            let target = target.ok_or_else(|| self.refuse_unknown_target(node, root))?;
            return self.behind(node, (variable, root), subscripts, target);
        }
        let Some(targets) = self.values.pointers.get(&root) else {
            // A pointer that is set later in a loop leads elsewhere in its next iteration.
            let known = self.variable(root);
            let is_set = known.in_region() || self.is_changed_name(&known.name);
            if is_set && self.is_pointer(root) {
                return Err(self.refuse_unknown_target(node, root));
            }
            return Ok((variable, subscripts));
        };
        let here = |target: &&Target| target.bytes.contains(&node.start_byte());
        let Some(target) = targets.iter().rfind(here).cloned() else {
            return Err(self.refuse_unknown_target(node, root));
        };
        self.behind(node, (variable, root), subscripts, target)
    }

    /// What is behind the pointer `root`, or `variable`, a member of it, where it leads to a target.
    fn behind(
        &mut self,
        node: Node<'t>,
        (variable, root): (u32, u32),
        mut subscripts: Vec<Pieces>,
        target: Target,
    ) -> Result<(u32, Vec<Pieces>), Refusal> {
        if self.out.whole_structures.contains(&root) {
            let pointed_to = self.root(target.variable);
            self.out.whole_structures.insert(pointed_to);
        }
        let mut all = target.subscripts;
        let n_before = all.len();
        if target.kind != TargetKind::Copy {
            if subscripts.is_empty() {
                return Err(self.refuse_unknown_target(node, root));
            }
            let first = subscripts.remove(0);
            match all.last_mut().filter(|_| target.kind == TargetKind::Element) {
                Some(last) => *last = self.check(node, last.zip(&first, |a, b| a.add(b)))?,
                None if first.as_constant() == Some(0) => {}
                None => return Err(self.refuse_unknown_target(node, root)),
            }
        }
        let n_pointer = usize::from(target.kind != TargetKind::Copy);
        all.append(&mut subscripts);
        let variable = if variable == root {
            target.variable
        } else {
            self.member_behind(variable, target.variable, (n_before, n_pointer))
        };
        Ok((variable, all))
    }

    /// The member of `target`'s elements that a member behind a pointer to them is.
    fn member_behind(
        &mut self,
        member: u32,
        target: u32,
        (n_subscripts, n_pointer): (usize, usize),
    ) -> u32 {
        let own = self.variable(member).clone();
        let of_target = self.variable(target).clone();
        let Some(own_path) = own.member else { return target };
        let mut path = of_target.member.unwrap_or(MemberPath {
            root: target,
            names: Vec::new(),
            shares_memory: false,
            crosses_pointer: false,
        });
        let shifted = own_path
            .names
            .into_iter()
            .map(|(at, name)| ((at + n_subscripts).saturating_sub(n_pointer), name));
        path.names.extend(shifted);
        path.shares_memory |= own_path.shares_memory;
        path.crosses_pointer |= own_path.crosses_pointer;
        if self.out.whole_structures.contains(&own_path.root) {
            self.out.whole_structures.insert(path.root);
        }
        let mut declared = own.declared;
        let inner = declared.dimensions.split_off(n_pointer.min(declared.dimensions.len()));
        declared.dimensions = of_target.declared.dimensions;
        declared.dimensions.truncate(n_subscripts);
        declared.dimensions.extend(inner);
        self.member(path, declared)
    }

    /// Where a pointer leads at a place.
    pub(crate) fn target_at(&self, node: Node<'t>, pointer: u32) -> Option<&Target> {
        let here = |target: &&Target| target.bytes.contains(&node.start_byte());
        self.values.pointers.get(&pointer)?.iter().rfind(here)
    }

    fn refuse_unknown_target(&self, node: Node<'t>, pointer: u32) -> Refusal {
        let name = &self.variable(pointer).name;
        self.refuse(Code::Pointer, node, format!("it is not known where `{name}` leads here"))
            .with_reason("the region sets the pointer in another block, or behind this place")
            .with_hint(
                "set it before it is used, in the same block; or write the array with subscripts",
            )
            .marked_consequence(self.out.refused_pointers().contains(&pointer))
    }
}
