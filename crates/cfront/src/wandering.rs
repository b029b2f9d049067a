//! Pointers that data moves: `if (x[i] > 0) *p++ = x[i];`.
//!
//! Where a pointer leads that is moved under a condition on data, or by a value without an affine form, is not known.
//! Such a pointer *wanders*: it is a scalar of the model whose value is an address, which assignments and increments
//! write, and what is behind it may be any element of the arrays that the region sets it to, or of what it leads to in
//! front of the region. Its text is copied.
//!
//! Pointers that are known everywhere (`pointers.rs`, `walking.rs`) do not wander: a region is walked again with those
//! that a walk has lost ([`Extractor::lost_pointers`]), as long as its assignments say which arrays they are.
use crate::body::Emission;
use crate::control::declared_names;
use crate::ctypes::{DeclaredType, Dimension, ScalarType, declarator};
use crate::diagnostic::Code;
use crate::extract::{Extractor, RawAccess, RawPiece, Refusal};
use crate::null_tests::{is_null, is_tested};
use crate::references::Role;
use crate::scope::{Entity, Origin};
use crate::syntax::{changed_names, children, named_children, strip_parentheses, visit};
use crate::tree::Node;
use loopwright_scop::{AccessKind, ElementKind};
use std::collections::{BTreeMap, BTreeSet};

/// The names of pointers that wander, with those of the arrays that they may lead into.
pub(crate) type Wanderers = BTreeMap<String, BTreeSet<String>>;

/// What the value of an expression is.
enum Leads {
    /// An address that comes from a pointer that wanders.
    Wandering(u32),
    /// Another address.
    Elsewhere,
    /// No address.
    Nowhere,
}

impl<'t> Extractor<'_, 't> {
    /// Pointers that a walk has lost, to be walked as ones that wander; none if it was refused for other reasons.
    pub(crate) fn lost_pointers(&self, nodes: &[Node<'t>]) -> Wanderers {
        let refusals = &self.diagnostics;
        if refusals.is_empty() || refusals.iter().any(|refusal| refusal.code != Code::Pointer) {
            return Wanderers::new();
        }
        let set = set_names(self, nodes);
        let is_named = |name: &&String| {
            let is_word = |text: &str| {
                let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.into_iter().any(|word| word == name.as_str())
            };
            refusals.iter().any(|refusal| is_word(&refusal.message))
        };
        let mut lost: Vec<&String> = set.iter().filter(is_named).collect();
        if lost.is_empty() || !self.wandering.is_empty() {
            lost = set.iter().collect();
        }
        let mut found = Wanderers::new();
        for name in lost {
            found.extend(self.wanderers_from(nodes, name, &set).unwrap_or_default());
        }
        found
    }

    /// A pointer that wanders, and those that it is set from; none if it is not known what they may lead to.
    fn wanderers_from(
        &self,
        nodes: &[Node<'t>],
        name: &str,
        set: &BTreeSet<String>,
    ) -> Option<Wanderers> {
        let inside: BTreeSet<String> =
            nodes.iter().flat_map(|node| declared_names(self.source, *node)).collect();
        let mut found = Wanderers::new();
        let mut waiting = vec![name.to_string()];
        while let Some(name) = waiting.pop() {
            if found.contains_key(&name) {
                continue;
            }
            let outer = self.scopes.lookup(&name).is_some();
            if outer == inside.contains(&name) || self.scopes.index.addresses.contains_key(&name) {
                return None;
            }
            let mut bases = self.sources(nodes, &name)?;
            if outer && !self.is_set_first(nodes, &name) {
                bases.insert(name.clone());
            }
            for base in &bases {
                if set.contains(base) {
                    waiting.push(base.clone());
                } else if inside.contains(base) {
                    return None;
                }
            }
            found.insert(name, bases);
        }
        for _ in 0..found.len() {
            let before = found.clone();
            for bases in found.values_mut() {
                let more = bases.iter().filter_map(|base| before.get(base)).flatten();
                let more: Vec<String> = more.cloned().collect();
                bases.extend(more);
            }
        }
        // What is only a pointer of the region, or set before it is used, leads nowhere by itself.
        let leads_by_itself = |name: &String| {
            !found.contains_key(name)
                || self.scopes.lookup(name).is_some() && !self.is_set_first(nodes, name)
        };
        let kept = found.iter().map(|(name, bases)| {
            (name.clone(), bases.iter().filter(|base| leads_by_itself(base)).cloned().collect())
        });
        Some(kept.collect())
    }

    /// The names of arrays and pointers in what the statements set a pointer to; none if that is not understood.
    fn sources(&self, nodes: &[Node<'t>], name: &str) -> Option<BTreeSet<String>> {
        let mut found = Some(BTreeSet::new());
        for &root in nodes {
            visit(root, |node, _| {
                let field = |name| node.child_by_field_name(name);
                let target = match node.kind() {
                    "assignment_expression" => field("left").filter(|_| {
                        field("operator").is_some_and(|operator| operator.kind() == "=")
                    }),
                    "init_declarator" => declarator(self.source, node).map(|parts| parts.name),
                    _ => None,
                };
                let is_meant = target.is_some_and(|t| self.text(strip_parentheses(t)) == name);
                if let Some(value) = field("right").or(field("value")).filter(|_| is_meant) {
                    let more = self
                        .sources_of(value, 0)
                        .filter(|s| !s.is_empty() || is_null(self.source, value));
                    found = found.take().zip(more).map(|(mut all, more)| {
                        all.extend(more);
                        all
                    });
                }
                found.is_some()
            });
        }
        found
    }

    /// The names of arrays and pointers in which the address that an expression yields may lie; none if that is not
    /// understood.
    fn sources_of(&self, node: Node<'t>, n_steps: usize) -> Option<BTreeSet<String>> {
        let node = strip_parentheses(node);
        let field = |name| node.child_by_field_name(name);
        let operator = field("operator").map_or("", |operator| operator.kind());
        let both = |a: Option<BTreeSet<String>>, b: Option<BTreeSet<String>>| {
            a.zip(b).map(|(a, b)| a.union(&b).cloned().collect())
        };
        match (node.kind(), operator) {
            ("identifier", _) => {
                let name = self.text(node);
                let dimensions = match self.scopes.lookup(name) {
                    Some(Entity::Variable(v)) => &self.variable(v).declared.dimensions[..],
                    Some(_) => &[],
                    // A pointer of the region.
                    None => return Some(BTreeSet::from([name.to_string()])),
                };
                let is_address = dimensions.len() > n_steps;
                Some(is_address.then(|| name.to_string()).into_iter().collect())
            }
            ("subscript_expression", _) | ("pointer_expression", "*") => {
                self.sources_of(field("argument")?, n_steps + 1)
            }
            ("pointer_expression", "&") => {
                let target = strip_parentheses(field("argument")?);
                let is_element = target.kind() == "subscript_expression";
                self.sources_of(target.child_by_field_name("argument").filter(|_| is_element)?, 0)
            }
            ("binary_expression", "+" | "-") => both(
                self.sources_of(field("left")?, n_steps),
                self.sources_of(field("right")?, n_steps),
            ),
            ("conditional_expression", _) => both(
                self.sources_of(field("consequence")?, n_steps),
                self.sources_of(field("alternative")?, n_steps),
            ),
            ("update_expression", _) => self.sources_of(field("argument")?, n_steps),
            ("binary_expression" | "number_literal" | "null" | "unary_expression", _) => {
                Some(BTreeSet::new())
            }
            _ => None,
        }
    }

    /// Whether the first of the statements that mentions a pointer sets it.
    fn is_set_first(&self, nodes: &[Node<'t>], name: &str) -> bool {
        let mentions = |node: Node<'t>| {
            let mut found = false;
            visit(node, |n, _| {
                found |= n.kind() == "identifier" && self.text(n) == name
                    || n.kind() == "labeled_statement";
                !found
            });
            found
        };
        let first = nodes.iter().find(|node| mentions(**node));
        let set = first.filter(|first| first.kind() == "expression_statement");
        set.and_then(|set| named_children(*set).next()).is_some_and(|set| {
            let field = |name| set.child_by_field_name(name);
            set.kind() == "assignment_expression"
                && field("operator").is_some_and(|operator| operator.kind() == "=")
                && field("left").is_some_and(|left| self.text(strip_parentheses(left)) == name)
                && field("right").is_some_and(|right| !mentions(right))
        })
    }

    /// The pointers in front of a region that wander are scalars of the model from here on.
    pub(crate) fn start_wandering(&mut self) {
        for name in self.wandering.keys().cloned().collect::<Vec<String>>() {
            if let Some(Entity::Variable(variable)) = self.scopes.lookup(&name) {
                self.wander(variable);
            }
        }
    }

    /// The scalar that is the value of a declared pointer, if it wanders; other variables themselves.
    pub(crate) fn wander(&mut self, pointer: u32) -> u32 {
        let own = self.variable(pointer);
        let is_local = match own.origin {
            Origin::Local { is_static } => !is_static,
            Origin::Argument | Origin::Region { .. } => true,
            Origin::File { .. } => false,
        };
        let scalar = &own.declared.scalar;
        let may_wander = is_local
            && self.wandering.contains_key(&own.name)
            && matches!(own.declared.dimensions[..], [Dimension::Pointer])
            && own.declared.oddity.is_none()
            && own.member.is_none()
            && scalar.record.is_none()
            && scalar.kind != ElementKind::Other
            && scalar.bytes.is_some();
        if !may_wander {
            return pointer;
        }
        let qualifier = if own.declared.is_const { "const " } else { "" };
        let spelling = format!("{qualifier}{} *", scalar.spelling);
        let scalar =
            ScalarType { spelling, kind: ElementKind::Other, bytes: Some(8), record: None };
        let (name, origin) = (own.name.clone(), own.origin);
        let declared = DeclaredType::of_scalar(scalar);
        let address = self.scopes.add_unnamed(name, declared, origin, None);
        self.addresses.insert(pointer, address);
        address
    }

    /// Whether a variable is a pointer that wanders.
    pub(crate) fn is_wandering(&self, variable: u32) -> bool {
        self.addresses.contains_key(&variable)
    }

    /// The pointer that wanders which an expression names.
    pub(crate) fn wandering_name(&self, node: Node<'t>) -> Option<u32> {
        let node = Some(strip_parentheses(node)).filter(|node| node.kind() == "identifier")?;
        if self.addresses.is_empty() {
            return None;
        }
        match self.scopes.lookup(self.text(node))? {
            Entity::Variable(variable) => Some(variable).filter(|v| self.is_wandering(*v)),
            _ => None,
        }
    }

    /// What the value of an expression is.
    fn leads(&self, node: Node<'t>) -> Leads {
        let node = strip_parentheses(node);
        let field = |name| node.child_by_field_name(name);
        let operator = field("operator").map_or("", |operator| operator.kind());
        match (node.kind(), field("left"), field("right")) {
            ("identifier", ..) => match self.wandering_name(node) {
                Some(pointer) => Leads::Wandering(pointer),
                None if self.leads_to_pointer(node) => Leads::Elsewhere,
                None => Leads::Nowhere,
            },
            ("assignment_expression", Some(target), _) => self.leads(target),
            ("binary_expression", Some(left), Some(right)) if matches!(operator, "+" | "-") => {
                match (self.leads(left), self.leads(right)) {
                    (Leads::Nowhere, side) | (side, Leads::Nowhere) => side,
                    _ => Leads::Nowhere,
                }
            }
            ("update_expression", ..) => {
                field("argument").map_or(Leads::Nowhere, |argument| self.leads(argument))
            }
            ("conditional_expression", ..) => {
                let arms =
                    ["consequence", "alternative"].map(|arm| field(arm).map(|a| self.leads(a)));
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

    /// The pointer that wanders from which the address that an expression yields comes.
    pub(crate) fn wandering_value(&self, node: Node<'t>) -> Option<u32> {
        match self.leads(node) {
            Leads::Wandering(pointer) if !self.addresses.is_empty() => Some(pointer),
            _ => None,
        }
    }

    /// A reference to a pointer that wanders, or through one; whether it is one.
    pub(crate) fn wandering_reference(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        role: Role,
    ) -> Result<bool, Refusal> {
        if self.addresses.is_empty() {
            return Ok(false);
        }
        let node = strip_parentheses(node);
        if let Some(pointer) = self.wandering_name(node) {
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
            "subscript_expression" => true,
            "pointer_expression" => self.text(node).starts_with('*'),
            _ => false,
        };
        let argument = node.child_by_field_name("argument").filter(|_| is_behind);
        let Some(pointer) = argument.and_then(|argument| self.wandering_value(argument)) else {
            return Ok(false);
        };
        for child in children(node) {
            match Some(child) == argument {
                true => self.address_value(out, child)?,
                false => self.expression(out, child)?,
            }
        }
        self.behind_wandering(out, node, pointer, role)?;
        Ok(true)
    }

    /// The value of a pointer that wanders.
    fn address(&mut self, out: &mut Emission, node: Node<'t>, pointer: u32, role: Role) {
        let Some(&variable) = self.addresses.get(&pointer) else { return };
        self.add_accesses(out, node, variable, &[], role);
        out.gap(node);
        out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
    }

    /// The accesses of what is behind a pointer that wanders: perhaps any element.
    fn behind_wandering(
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
        let bases = self.wandering.get(&self.variable(pointer).name).cloned().unwrap_or_default();
        for name in bases {
            let base = self.base_of_wandering(node, pointer, &name)?;
            for &kind in kinds {
                out.accesses.push(RawAccess::new(base, kind, Vec::new(), node.start_byte()));
            }
            if !self.variable(pointer).in_region() {
                self.walks.kept.insert(base);
            }
        }
        Ok(())
    }

    /// An array that a pointer that wanders may lead into.
    fn base_of_wandering(&self, node: Node<'t>, pointer: u32, name: &str) -> Result<u32, Refusal> {
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
                && !self.own_names.contains_key(base)
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
        if let Some(pointer) = self.wandering_name(node).filter(|_| node.kind() == "identifier") {
            self.address(out, node, pointer, Role::Read);
            return Ok(());
        }
        if is_null(self.source, node) {
            self.verbatim(out, node);
            return Ok(());
        }
        match (self.leads(node), node.kind()) {
            (Leads::Nowhere, _) => self.expression(out, node),
            (_, "identifier") => self.array_value(out, node),
            (_, "parenthesized_expression" | "binary_expression" | "subscript_expression") => {
                children(node).try_for_each(|child| self.address_value(out, child))
            }
            (_, "pointer_expression") if self.text(node).starts_with('&') => {
                children(node).try_for_each(|child| self.element_of_address(out, child))
            }
            (_, "conditional_expression") => self.address_choice(out, node),
            (Leads::Wandering(_), "update_expression" | "assignment_expression") => {
                self.expression(out, node)
            }
            _ => Err(self.refuse_pointer(node)),
        }
    }

    /// What is behind `&`: `a[i]`.
    fn element_of_address(&mut self, out: &mut Emission, node: Node<'t>) -> Result<(), Refusal> {
        match node.kind() {
            "subscript_expression" | "parenthesized_expression" => {
                children(node).try_for_each(|child| match self.leads(child) {
                    Leads::Nowhere if node.kind() == "parenthesized_expression" => {
                        self.element_of_address(out, child)
                    }
                    _ => self.address_value(out, child),
                })
            }
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
            if matches!(child.kind(), "?" | ":") {
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
        let is_changed = self.changed_names.contains(self.text(node)) && self.is_pointer(variable);
        if is_changed || self.variable(variable).in_region() {
            return Err(self.refuse_pointer(node));
        }
        self.walks.kept.insert(variable);
        out.gap(node);
        out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
        Ok(())
    }

    /// A comparison or difference of addresses of which one wanders; whether an expression is one.
    pub(crate) fn wandering_comparison(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
    ) -> Result<bool, Refusal> {
        if self.addresses.is_empty() || node.kind() != "binary_expression" {
            return Ok(false);
        }
        let Ok((left, operator, right)) = self.binary_parts(node) else { return Ok(false) };
        let sides = [left, right];
        let is_address = |side: &Node<'t>| {
            !matches!(self.leads(*side), Leads::Nowhere) || is_null(self.source, *side)
        };
        let is_meant = matches!(operator, "-" | "<" | ">" | "<=" | ">=" | "==" | "!=")
            && sides.iter().any(|side| self.wandering_value(*side).is_some())
            && sides.iter().all(is_address);
        if !is_meant {
            return Ok(false);
        }
        children(node).try_for_each(|child| self.address_value(out, child))?;
        Ok(true)
    }
}

/// The names of pointers (or of what may be ones) that statements change or declare.
fn set_names(walk: &Extractor<'_, '_>, nodes: &[Node<'_>]) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for &node in nodes {
        names.extend(changed_names(walk.source, node));
        names.extend(declared_names(walk.source, node));
    }
    names.retain(|name| match walk.scopes.lookup(name) {
        Some(Entity::Variable(variable)) => walk.is_pointer_variable(variable),
        Some(_) => false,
        None => true,
    });
    names
}

/// Whether the value of a change is handed to something that is not an assignment or an access.
fn is_handed_on(change: Node<'_>) -> bool {
    let mut node = change;
    while let Some(parent) = node.parent() {
        match parent.kind() {
            "parenthesized_expression"
            | "binary_expression"
            | "conditional_expression"
            | "comma_expression" => node = parent,
            kind => {
                return matches!(kind, "argument_list" | "cast_expression" | "return_statement");
            }
        }
    }
    false
}
