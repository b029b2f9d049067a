//! Pointers that data moves: `if (x[i] > 0) *p++ = x[i];`.
//!
//! Where a pointer leads that is moved under a condition on data, or by a value without an affine form, is
//! not known. Such a pointer is *data-dependent*: it is a scalar of the model whose value is an address,
//! which assignments and increments write, and what is behind it may be any element of the arrays that the
//! region sets it to, or of what it leads to in front of the region. Its text is copied.
//!
//! Pointers that are known everywhere (`pointer_targets.rs`, `moving_pointers.rs`) do not depend on data: a
//! region is walked again with those that a walk has lost ([`Extractor::lost_pointers`]), as long as its
//! assignments say which arrays they are.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::{DeclaredType, Dimension, ScalarType};
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::raw_model::{RawAccess, RawPiece};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::pointers::null_tests::{is_null, is_tested};
use crate::walk::role::Role;
use crate::walk::statement_body::Emission;
use loopwright_scop::{AccessKind, ElementKind};

/// What the value of an expression is.
enum Leads {
    /// An address that comes from a data-dependent pointer.
    DataDependent(u32),
    /// Another address.
    Elsewhere,
    /// No address.
    Nowhere,
}

impl<'t> Extractor<'_, 't> {
    /// The data-dependent pointers before a region are scalars of the model from here on.
    pub(crate) fn start_data_dependent_pointers(&mut self) {
        for name in self.facts.lessons.data_dependent.keys().cloned().collect::<Vec<String>>() {
            if let Some(Entity::Variable(variable)) = self.scopes.lookup(&name) {
                self.make_data_dependent(variable);
            }
        }
    }

    /// The scalar that is the value of a declared pointer, if that depends on data; other variables
    /// themselves.
    pub(crate) fn make_data_dependent(&mut self, pointer: u32) -> u32 {
        let own = self.variable(pointer);
        let is_local = match own.origin {
            Origin::Local { is_static } => !is_static,
            Origin::Argument | Origin::Region { .. } => true,
            Origin::File { .. } => false,
        };
        let scalar = &own.declared.scalar;
        let may_depend_on_data = is_local
            && self.facts.lessons.data_dependent.contains_key(&own.name)
            && matches!(own.declared.dimensions[..], [Dimension::Pointer])
            && own.declared.oddity.is_none()
            && own.member.is_none()
            && scalar.record.is_none()
            && scalar.kind != ElementKind::Other
            && scalar.bytes.is_some();
        if !may_depend_on_data {
            return pointer;
        }
        let qualifier = if own.declared.is_const { "const " } else { "" };
        let spelling = format!("{qualifier}{} *", scalar.spelling);
        let scalar = ScalarType::new(&spelling, ElementKind::Other, 8);
        let (name, origin) = (own.name.clone(), own.origin);
        let declared = DeclaredType::of_scalar(scalar);
        let address = self.scopes.add_unnamed(name, declared, origin, None);
        self.out.set_address(pointer, address);
        address
    }

    /// Whether a variable is a data-dependent pointer.
    pub(crate) fn is_data_dependent(&self, variable: u32) -> bool {
        self.out.addresses().contains_key(&variable)
    }

    /// The data-dependent pointer which an expression names.
    pub(crate) fn data_dependent_name(&self, node: Node<'t>) -> Option<u32> {
        let node = Some(strip_parentheses(node)).filter(|node| node.kind() == Kind::Identifier)?;
        if self.out.addresses().is_empty() {
            return None;
        }
        match self.scopes.lookup(self.text(node))? {
            Entity::Variable(variable) => Some(variable).filter(|v| self.is_data_dependent(*v)),
            _ => None,
        }
    }

    /// What the value of an expression is.
    fn leads(&self, node: Node<'t>) -> Leads {
        let node = strip_parentheses(node);
        let field = |name| node.field(name);
        let operator = node.operator();
        match (node.kind(), field(Field::Left), field(Field::Right)) {
            (Kind::Identifier, ..) => match self.data_dependent_name(node) {
                Some(pointer) => Leads::DataDependent(pointer),
                None if self.leads_to_pointer(node) => Leads::Elsewhere,
                None => Leads::Nowhere,
            },
            (Kind::AssignmentExpression, Some(target), _) => self.leads(target),
            (Kind::BinaryExpression, Some(left), Some(right))
                if matches!(operator, Some(token!("+") | token!("-"))) =>
            {
                match (self.leads(left), self.leads(right)) {
                    (Leads::Nowhere, side) | (side, Leads::Nowhere) => side,
                    _ => Leads::Nowhere,
                }
            }
            (Kind::UpdateExpression, ..) => {
                field(Field::Argument).map_or(Leads::Nowhere, |argument| self.leads(argument))
            }
            (Kind::ConditionalExpression, ..) => {
                let arms = [Field::Consequence, Field::Alternative]
                    .map(|arm| field(arm).map(|a| self.leads(a)));
                let [first, second] = arms;
                match (first, second) {
                    (Some(Leads::Nowhere), Some(side)) => side,
                    (side, _) => side.unwrap_or(Leads::Nowhere),
                }
            }
            _ if self.leads_to_pointer(node) => Leads::Elsewhere,
            _ => Leads::Nowhere,
        }
    }

    /// The data-dependent pointer from which the address that an expression yields comes.
    pub(crate) fn data_dependent_value(&self, node: Node<'t>) -> Option<u32> {
        if self.out.addresses().is_empty() {
            return None;
        }
        match self.leads(node) {
            Leads::DataDependent(pointer) => Some(pointer),
            _ => None,
        }
    }

    /// A reference to a data-dependent pointer, or through one; whether it is one.
    pub(crate) fn data_dependent_reference(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        role: Role,
    ) -> Result<bool, Refusal> {
        if self.out.addresses().is_empty() {
            return Ok(false);
        }
        let node = strip_parentheses(node);
        if let Some(pointer) = self.data_dependent_name(node) {
            let change = node.parent();
            let is_seen = match role {
                Role::Read => !is_tested(node),
                _ => change.is_some_and(is_handed_on),
            };
            if is_seen {
                let message = format!("the value of the pointer `{}` is used", self.text(node));
                return Err(self
                    .refuse(Code::Pointer, node, message)
                    .with_reason("data moves the pointer, so it is not known where it leads")
                    .with_hint("use subscripts instead"));
            }
            self.address(out, node, pointer, role);
            return Ok(true);
        }
        let is_behind = match node.kind() {
            Kind::SubscriptExpression => true,
            Kind::PointerExpression => self.text(node).starts_with('*'),
            _ => false,
        };
        let argument = node.field(Field::Argument).filter(|_| is_behind);
        let Some(pointer) = argument.and_then(|argument| self.data_dependent_value(argument))
        else {
            return Ok(false);
        };
        for child in children(node) {
            match Some(child) == argument {
                true => self.address_value(out, child)?,
                false => self.expression(out, child)?,
            }
        }
        self.behind_data_dependent(out, node, pointer, role)?;
        Ok(true)
    }

    /// The value of a data-dependent pointer.
    fn address(&mut self, out: &mut Emission, node: Node<'t>, pointer: u32, role: Role) {
        let Some(&variable) = self.out.addresses().get(&pointer) else { return };
        self.add_accesses(out, node, variable, &[], role);
        out.gap(node);
        out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
    }

    /// The accesses of what is behind a data-dependent pointer: perhaps any element.
    fn behind_data_dependent(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        pointer: u32,
        role: Role,
    ) -> Result<(), Refusal> {
        let kinds: &[AccessKind] = match role {
            Role::Read => &[AccessKind::Read],
            Role::Write => &[AccessKind::MayWrite],
            Role::Update => &[AccessKind::Read, AccessKind::MayWrite],
        };
        let bases = self
            .facts
            .lessons
            .data_dependent
            .get(&self.variable(pointer).name)
            .cloned()
            .unwrap_or_default();
        for name in bases {
            let base = self.base_of_data_dependent(node, pointer, &name)?;
            for &kind in kinds {
                out.accesses.push(RawAccess::new(base, kind, Vec::new(), node.start_byte()));
            }
            if !self.variable(pointer).in_region() {
                self.out.pointer_offsets.kept.insert(base);
            }
        }
        Ok(())
    }

    /// An array that a data-dependent pointer may lead into.
    fn base_of_data_dependent(
        &self,
        node: Node<'t>,
        pointer: u32,
        name: &str,
    ) -> Result<u32, Refusal> {
        let own = self.variable(pointer);
        let base = match self.scopes.lookup(name) {
            Some(Entity::Variable(variable)) => Some(variable),
            _ => None,
        };
        let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
        base.filter(|base| {
            let target = self.variable(*base);
            let (a, b) = (&own.declared.scalar, &target.declared.scalar);
            (a.kind, a.bytes, b.record) == (b.kind, b.bytes, None)
                && !target.declared.dimensions.iter().skip(1).any(is_pointer)
                && target.declared.oddity.is_none()
                && !self.values.own_names.contains_key(base)
                && !target.in_region()
        })
        .ok_or_else(|| {
            let message = format!("it is not known what `{}` leads to", own.name);
            let reason = format!("it may lead to elements of `{name}`");
            self.refuse(Code::Pointer, node, message).with_reason(reason)
        })
    }

    /// The text of an address, and the accesses in it.
    pub(crate) fn address_value(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<(), Refusal> {
        if let Some(pointer) =
            self.data_dependent_name(node).filter(|_| node.kind() == Kind::Identifier)
        {
            self.address(out, node, pointer, Role::Read);
            return Ok(());
        }
        if is_null(self.facts.source, node) {
            self.verbatim(out, node);
            return Ok(());
        }
        match (self.leads(node), node.kind()) {
            (Leads::Nowhere, _) => self.expression(out, node),
            (_, Kind::Identifier) => self.array_value(out, node),
            (
                _,
                Kind::ParenthesizedExpression | Kind::BinaryExpression | Kind::SubscriptExpression,
            ) => children(node).try_for_each(|child| self.address_value(out, child)),
            (_, Kind::PointerExpression) if self.text(node).starts_with('&') => {
                children(node).try_for_each(|child| self.element_of_address(out, child))
            }
            (_, Kind::ConditionalExpression) => self.address_choice(out, node),
            (Leads::DataDependent(_), Kind::UpdateExpression | Kind::AssignmentExpression) => {
                self.expression(out, node)
            }
            _ => Err(self.refuse_pointer(node)),
        }
    }

    /// What is behind `&`: `a[i]`.
    fn element_of_address(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            Kind::SubscriptExpression | Kind::ParenthesizedExpression => children(node)
                .try_for_each(|child| match self.leads(child) {
                    Leads::Nowhere if node.kind() == Kind::ParenthesizedExpression => {
                        self.element_of_address(out, child)
                    }
                    _ => self.address_value(out, child),
                }),
            _ if !node.is_named() => {
                self.verbatim(out, node);
                Ok(())
            }
            _ => Err(self.refuse_pointer(node)),
        }
    }

    /// One of two addresses.
    fn address_choice(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let (conditional, assigned) = (out.conditional, out.assigned.clone());
        for child in children(node) {
            self.address_value(out, child)?;
            if matches!(child.kind(), token!("?") | token!(":")) {
                out.conditional = true;
                out.assigned.clone_from(&assigned);
            }
        }
        out.conditional = conditional;
        out.assigned = assigned;
        Ok(())
    }

    /// The name of an array, or of a pointer that the region does not change, as an address.
    fn array_value(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        let variable = self.resolve(node)?;
        let is_changed =
            self.at.names.changed.contains(self.text(node)) && self.is_pointer(variable);
        if is_changed || self.variable(variable).in_region() {
            return Err(self.refuse_pointer(node));
        }
        self.out.pointer_offsets.kept.insert(variable);
        out.gap(node);
        out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
        Ok(())
    }

    /// A comparison or difference of addresses of which one depends on data; whether an expression is one.
    pub(crate) fn data_dependent_comparison(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<bool, Refusal> {
        if self.out.addresses().is_empty() || node.kind() != Kind::BinaryExpression {
            return Ok(false);
        }
        let Ok((left, operator, right)) = self.binary_parts(node) else { return Ok(false) };
        let sides = [left, right];
        let is_address = |side: &Node<'t>| {
            !matches!(self.leads(*side), Leads::Nowhere) || is_null(self.facts.source, *side)
        };
        let is_meant = matches!(
            operator,
            token!("-")
                | token!("<")
                | token!(">")
                | token!("<=")
                | token!(">=")
                | token!("==")
                | token!("!=")
        ) && sides.iter().any(|side| self.data_dependent_value(*side).is_some())
            && sides.iter().all(is_address);
        if !is_meant {
            return Ok(false);
        }
        children(node).try_for_each(|child| self.address_value(out, child))?;
        Ok(true)
    }
}

/// Whether the value of a change is handed to something that is not an assignment or an access.
fn is_handed_on(change: Node<'_>) -> bool {
    let mut node = change;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            Kind::ParenthesizedExpression
            | Kind::BinaryExpression
            | Kind::ConditionalExpression
            | Kind::CommaExpression => node = parent,
            kind => {
                return matches!(
                    kind,
                    Kind::ArgumentList | Kind::CastExpression | Kind::ReturnStatement
                );
            }
        }
    }
    false
}
