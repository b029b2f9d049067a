//! References: which variable, which members and which subscripts an expression names.
//!
//! A reference is a name followed by *steps* into it: subscripts and names of members (`p->x` is
//! `p[0].x`). The members that a region uses are variables of their own ([`MemberPath`]), with the
//! subscripts of all steps: `a[i].b[j]` is the element `[i, j]` of the member `a.b`, and different
//! members never overlap. A variable that the region also uses as a whole (`a[i] = a[j]`), or whose
//! members share memory (unions, fields of bits), is one variable: its elements are whole
//! structures, and whoever writes a member perhaps writes the element.
use crate::diagnostics::diagnostic::Code;
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::Dimension;
use crate::facts::variables::MemberPath;
use crate::model::linear::Linear;
use crate::model::pieces::Pieces;
use crate::model::raw_model::{RawAccess, RawPiece};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::strip_parentheses;
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::pointers::null_tests::is_tested;
use crate::walk::role::Role;
use crate::walk::statement_body::Emission;
use crate::walk::walk_context::Purpose;
use loopwright_scop::{AccessKind, ElementKind, TermKind};
use smallvec::SmallVec;

/// References with more steps than this are refused.
const MAX_STEPS: usize = 64;

/// One subscript of a reference: the sum of these, each perhaps with the opposite sign; nothing
/// is 0.
#[derive(Clone, Default)]
pub(crate) struct Index<'t>(pub(crate) SmallVec<[(Node<'t>, bool); 1]>);

/// One step of a reference.
#[derive(Clone)]
pub(crate) enum Step<'t> {
    Subscript(Index<'t>),
    Member(Node<'t>),
}

impl<'t> Step<'t> {
    /// The subscript that it is.
    fn subscript(&self) -> Option<Index<'t>> {
        match self {
            Step::Subscript(index) => Some(index.clone()),
            Step::Member(_) => None,
        }
    }
}

/// What a reference names.
pub(crate) struct Reference<'t> {
    pub(crate) variable: u32,
    /// Outermost dimension first.
    pub(crate) subscripts: Vec<Index<'t>>,
}

impl<'t> Extractor<'_, 't> {
    /// A variable or an element of an array.
    pub(crate) fn reference(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        role: Role,
    ) -> Result<(), Refusal> {
        out.open(TermKind::Opaque);
        let result = self.reference_parts(out, node, role);
        out.close();
        result
    }

    fn reference_parts(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        role: Role,
    ) -> Result<(), Refusal> {
        if self.data_dependent_reference(out, node, role)? {
            return Ok(());
        }
        let (base, steps) = self.steps(node)?;
        if role == Role::Read && steps.is_empty() && self.write_constant(out, node, self.text(base))
        {
            return Ok(());
        }
        let root = self.resolve(base)?;
        if let Some(name) = self.values.own_names.get(&root).cloned() {
            return self.own_reference(out, node, (root, &name), &steps);
        }
        if self.outer_loop(out, root).is_some() {
            return self.iterator_reference(out, base, root, role);
        }
        if role == Role::Read && steps.is_empty() && self.followed_reference(out, node, root) {
            return Ok(());
        }
        let Reference { variable, subscripts: indices } = self.walk_steps(node, root, &steps)?;
        self.check_copy(node, root, variable, role)?;
        if !self.values.pointers.contains_key(&root) {
            self.check_reference(node, variable, indices.len(), role)?;
        }
        let mut subscripts = Vec::with_capacity(indices.len());
        for index in &indices {
            subscripts.push(self.subscript_or_unknown(variable, index.clone())?);
        }
        let (variable, subscripts) = self.followed(node, variable, subscripts)?;
        self.check_reference(node, variable, subscripts.len(), role)?;
        out.gap(node);
        let first = out.accesses.len();
        self.add_accesses(out, node, variable, &subscripts, role);
        if out.is_summary {
            self.oblige(&mut out.accesses[first..], node, root)?;
            return self.write_steps(out, node, &steps);
        }
        if subscripts.iter().any(|pieces| self.is_inner(out, pieces)) {
            return self.reference_as_text(out, node, (root, variable), &steps);
        }
        if subscripts.iter().any(|pieces| self.is_product(pieces)) {
            let mut text = Emission::new(out.outer);
            if self.values.pointers.contains_key(&root) || self.is_moving_pointer(root) {
                self.write_place(&mut text, (node, root), variable, &subscripts)?;
            } else {
                self.write_steps(&mut text, node, &steps)?;
            }
            self.out.add_product_text((variable, subscripts.clone(), text.pieces));
        }
        out.pieces.push(RawPiece::Element { variable, subscripts });
        Ok(())
    }

    pub(crate) fn add_accesses(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        variable: u32,
        subscripts: &[Pieces],
        role: Role,
    ) {
        let is_known = subscripts.iter().all(|pieces| !self.is_unknown(pieces));
        let write = if is_known { out.write_kind() } else { AccessKind::MayWrite };
        let kinds: &[AccessKind] = match role {
            Role::Read => &[AccessKind::Read],
            Role::Write => &[write],
            Role::Update => &[AccessKind::Read, write],
        };
        let at = node.start_byte();
        let is_assigned = subscripts.is_empty() && out.assigned.contains(&variable);
        for &kind in kinds.iter().filter(|kind| **kind != AccessKind::Read || !is_assigned) {
            let inner = self.inner_place(out, kind, subscripts);
            let subscripts = subscripts.to_vec();
            let access = RawAccess::new(variable, kind, subscripts, at);
            out.accesses.push(RawAccess { inner, ..access });
        }
    }

    /// A reference whose subscripts are copied: they depend on data, or on loops of the statement.
    fn reference_as_text(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        (root, variable): (u32, u32),
        steps: &[Step<'t>],
    ) -> Result<(), Refusal> {
        if self.values.pointers.contains_key(&root) || self.is_moving_pointer(root) {
            let name = &self.variable(root).name;
            let message = format!("a subscript of the pointer `{name}` depends on data");
            return Err(self
                .refuse(Code::Pointer, node, message)
                .with_reason("the region sets the pointer")
                .with_hint("write the array that the pointer leads to"));
        }
        if variable != root && self.variable(root).in_region() {
            self.out.whole_structures.insert(root);
        }
        out.pieces.push(RawPiece::Element { variable, subscripts: Vec::new() });
        self.write_steps(out, node, steps)
    }

    /// The subscripts of what the pointer `root` leads to, some of which are products.
    fn write_place(
        &mut self,
        out: &mut Emission,
        (node, root): (Node<'t>, u32),
        variable: u32,
        subscripts: &[Pieces],
    ) -> Result<(), Refusal> {
        let is_several = |pieces: &Pieces| self.is_product(pieces) && pieces.as_linear().is_none();
        if self.variable(variable).member.is_some() || subscripts.iter().any(is_several) {
            let name = &self.variable(root).name;
            let message = format!("where the pointer `{name}` leads here is not affine");
            return Err(self
                .refuse(Code::Pointer, node, message)
                .with_reason("its place is no sum of multiples of iterators and constants"));
        }
        for subscript in subscripts {
            out.text("[");
            match subscript.as_linear().filter(|_| self.is_product(subscript)).cloned() {
                Some(linear) => self.write_products(out, &linear),
                None => out.pieces.push(RawPiece::Expression(subscript.clone())),
            }
            out.text("]");
        }
        Ok(())
    }

    /// The value of a subscript.
    pub(crate) fn subscript(&mut self, index: Index<'t>) -> Result<Pieces, Refusal> {
        let mut sum = Pieces::single(Linear::constant(0));
        for (position, &(node, is_subtracted)) in index.0.iter().enumerate() {
            self.at.purpose = Purpose::Subscript;
            let value = self.value(node)?.pieces;
            self.check_products(node, &value)?;
            sum = match (position, is_subtracted) {
                (0, false) => value,
                (_, false) => self.check(node, sum.zip(&value, |a, b| a.add(b)))?,
                (_, true) => self.check(node, sum.zip(&value, |a, b| a.sub(b)))?,
            };
        }
        Ok(sum)
    }

    /// An iterator read as data.
    fn iterator_reference(
        &mut self,
        out: &mut Emission,
        node: Node<'t>,
        variable: u32,
        role: Role,
    ) -> Result<(), Refusal> {
        let name = self.variable(variable).name.clone();
        if role != Role::Read {
            return Err(self
                .refuse(Code::Iterator, node, format!("the iterator `{name}` is changed here"))
                .with_reason("only the head of the loop may change its iterator")
                .with_hint("change a copy of it"));
        }
        self.at.purpose = Purpose::Subscript;
        let value = self.value(node)?;
        out.gap(node);
        let scalar = &self.variable(variable).declared.scalar;
        out.value_of(scalar, value.pieces);
        Ok(())
    }

    fn check_reference(
        &mut self,
        node: Node<'t>,
        variable: u32,
        subscripts: usize,
        role: Role,
    ) -> Result<(), Refusal> {
        let declared = self.variable(variable);
        let name = &declared.name;
        if let Some(oddity) = declared.declared.oddity {
            let message = format!("`{name}` {}", oddity.said());
            let is_consequence = declared.in_region();
            let refusal = self.refuse(Code::Type, node, message).with_reason(oddity.reason());
            return Err(refusal.marked_consequence(is_consequence));
        }
        let dimensions = declared.declared.dimensions.len();
        if dimensions != subscripts {
            let is_consequence = self.out.refused_pointers().contains(&variable);
            let refusal = self.refuse_part(node, dimensions.checked_sub(subscripts), role);
            return Err(refusal.marked_consequence(is_consequence));
        }
        if role != Role::Read && declared.constant.is_some() {
            return Err(self
                .refuse(Code::Type, node, format!("`{name}` is a constant"))
                .with_reason("what is declared `const` keeps its value")
                .with_hint("declare it without `const`"));
        }
        Ok(())
    }

    /// A refusal of what is no element: `n_missing` subscripts are missing, or there are too many.
    fn refuse_part(&self, node: Node<'t>, n_missing: Option<usize>, role: Role) -> Refusal {
        let text = self.quoted(node);
        let is_set = role != Role::Read;
        let message = match n_missing {
            Some(_) if is_set => format!("`{text}` is a pointer or an array, and it is set"),
            _ => format!("`{text}` is not an element of an array"),
        };
        let refusal = self.refuse(Code::Pointer, node, message);
        match n_missing {
            None => {
                refusal.with_reason("it has more subscripts than its declaration has dimensions")
            }
            Some(_) if is_set => refusal
                .with_reason("the model has values of elements, not those of pointers in memory")
                .with_hint("set it before the region"),
            Some(_) if is_tested(node) => refusal
                .with_reason("the region, or others by its address, may change it: only running it tells whether it is null, as in a walk along a list")
                .with_hint("copy the list's values into an array before the region; a pointer that stays the same is compared before the region"),
            Some(1) => refusal.with_reason("one subscript more would make it one"),
            Some(n) => refusal.with_reason(format!("{n} subscripts more would make it one")),
        }
    }

    /// The name and the subscripts of a reference without members, outermost dimension first.
    pub(crate) fn subscripts(&self, node: Node<'t>) -> Result<(Node<'t>, Vec<Index<'t>>), Refusal> {
        let (base, steps) = self.steps(node)?;
        let subscript = |step| match step {
            Step::Subscript(index) => Ok(index),
            Step::Member(_) => Err(self
                .refuse(Code::Pointer, node, "a member of a structure is not understood here")
                .with_reason("only elements of arrays of numbers are")),
        };
        Ok((base, steps.into_iter().map(subscript).collect::<Result<_, _>>()?))
    }

    /// The name of a reference and the steps from it inwards.
    pub(crate) fn steps(&self, node: Node<'t>) -> Result<(Node<'t>, Vec<Step<'t>>), Refusal> {
        self.steps_within(strip_parentheses(node), 0)
    }

    fn steps_within(
        &self,
        node: Node<'t>,
        depth: usize,
    ) -> Result<(Node<'t>, Vec<Step<'t>>), Refusal> {
        let field = |name| node.field(name).map(strip_parentheses);
        let operator = node.operator();
        match (node.kind(), field(Field::Argument)) {
            (Kind::Identifier, _) => return Ok((node, Vec::new())),
            _ if depth > MAX_STEPS => {}
            (Kind::SubscriptExpression, Some(pointer)) => {
                let (base, mut steps, mut index) = self.pointer(pointer, depth + 1)?;
                index.0.extend(node.field(Field::Index).map(|index| (index, false)));
                steps.push(Step::Subscript(index));
                return Ok((base, steps));
            }
            (Kind::PointerExpression, Some(pointer)) if operator == Some(token!("*")) => {
                let (base, mut steps, index) = self.pointer(pointer, depth + 1)?;
                steps.push(Step::Subscript(index));
                return Ok((base, steps));
            }
            (Kind::FieldExpression, Some(inner)) => {
                let (base, mut steps) = if operator == Some(token!("->")) {
                    let (base, mut steps, index) = self.pointer(inner, depth + 1)?;
                    steps.push(Step::Subscript(index));
                    (base, steps)
                } else {
                    self.steps_within(inner, depth + 1)?
                };
                steps.extend(node.field(Field::MemberName).map(Step::Member));
                return Ok((base, steps));
            }
            _ => {}
        }
        Err(self.refuse_pointer(node))
    }

    /// What a pointer leads to: the steps to the pointer (or the array) itself, and what is added to it.
    pub(crate) fn pointer(
        &self,
        node: Node<'t>,
        depth: usize,
    ) -> Result<(Node<'t>, Vec<Step<'t>>, Index<'t>), Refusal> {
        let operator = node.operator();
        if depth > MAX_STEPS {
            return Err(self.refuse_pointer(node));
        }
        if let Some(moved) = node.field(Field::Argument).map(strip_parentheses)
            && self.values.side_values.contains_key(&node.id())
            && self.moving_pointer(moved).is_some()
        {
            return Ok((moved, Vec::new(), Index::default()));
        }
        if node.kind() == Kind::BinaryExpression
            && matches!(operator, Some(token!("+") | token!("-")))
        {
            let (left, _, right) = self.binary_parts(node)?;
            let (pointer, number) = if operator == Some(token!("+")) && !self.leads_to_pointer(left)
            {
                (right, left)
            } else {
                (left, right)
            };
            if self.leads_to_pointer(number) {
                return Err(self.refuse_pointer(node));
            }
            let (base, steps, mut index) = self.pointer(strip_parentheses(pointer), depth + 1)?;
            index.0.push((number, operator == Some(token!("-"))));
            return Ok((base, steps, index));
        }
        let argument = node.field(Field::Argument).map(strip_parentheses);
        if let Some(argument) = argument
            .filter(|_| node.kind() == Kind::PointerExpression && operator == Some(token!("&")))
        {
            let (base, mut steps) = self.steps_within(argument, depth + 1)?;
            return match steps.pop() {
                Some(Step::Subscript(index)) => Ok((base, steps, index)),
                _ => Err(self.refuse_pointer(node)),
            };
        }
        let (base, steps) = self.steps_within(node, depth + 1)?;
        Ok((base, steps, Index::default()))
    }

    /// Whether the value of an expression is a pointer (or an array), or may be one where it is too deep to
    /// see.
    pub(crate) fn leads_to_pointer(&self, node: Node<'t>) -> bool {
        let node = strip_parentheses(node);
        match node.kind() {
            Kind::BinaryExpression if self.check_depth(node).is_err() => true,
            Kind::BinaryExpression => self.binary_parts(node).is_ok_and(|(a, operator, b)| {
                let sides = [a, b].map(|side| self.leads_to_pointer(side));
                // The difference of two pointers is a number.
                sides[0] != sides[1] && matches!(operator, token!("+") | token!("-"))
            }),
            Kind::PointerExpression if self.text(node).starts_with('&') => true,
            Kind::UpdateExpression => {
                let moved =
                    node.field(Field::Argument).and_then(|moved| self.moving_pointer(moved));
                moved.is_some() && self.values.side_values.contains_key(&node.id())
            }
            Kind::Identifier
            | Kind::SubscriptExpression
            | Kind::PointerExpression
            | Kind::FieldExpression => self.steps(node).is_ok_and(|(base, steps)| {
                let Ok(root) = self.resolve(base) else { return false };
                self.dimensions_left(root, &steps).is_some_and(|left| left > 0)
            }),
            _ => false,
        }
    }

    /// The number of dimensions that steps from a variable leave.
    pub(crate) fn dimensions_left(&self, root: u32, steps: &[Step<'t>]) -> Option<usize> {
        let declared = &self.variable(root).declared;
        let (mut left, mut record) = (declared.dimensions.len(), declared.scalar.record);
        for step in steps {
            match step {
                Step::Subscript(_) => left = left.checked_sub(1)?,
                Step::Member(name) => {
                    let whole = record.filter(|_| left == 0)?;
                    let member =
                        self.scopes.types.member(self.facts.source, whole, self.text(*name))?;
                    left = member.declared.dimensions.len();
                    record = member.declared.scalar.record;
                }
            }
        }
        Some(left)
    }

    pub(crate) fn refuse_pointer(&self, node: Node<'t>) -> Refusal {
        let text = self.quoted(node);
        let message = format!("this use of a pointer is not understood: `{text}`");
        self.refuse(Code::Pointer, node, message)
            .with_reason("it does not say which elements of which array are meant")
    }

    /// The variable, or the member of one, that steps from a variable lead to.
    pub(crate) fn walk_steps(
        &mut self,
        node: Node<'t>,
        root: u32,
        steps: &[Step<'t>],
    ) -> Result<Reference<'t>, Refusal> {
        if self.is_data_dependent(root) {
            let name = &self.variable(root).name;
            let message = format!("this use of the pointer `{name}` is not understood");
            return Err(self
                .refuse(Code::Pointer, node, message)
                .with_reason("data decides where the pointer leads")
                .with_hint("use subscripts instead"));
        }
        if !steps.iter().any(|step| matches!(step, Step::Member(_))) {
            if self.variable(root).declared.scalar.record.is_some() {
                self.out.whole_structures.insert(root);
            }
            let subscripts = steps.iter().filter_map(Step::subscript).collect();
            return Ok(Reference { variable: root, subscripts });
        }
        let mut declared = self.variable(root).declared.clone();
        let mut path =
            MemberPath { root, names: Vec::new(), shares_memory: false, crosses_pointer: false };
        let mut subscripts = Vec::new();
        for step in steps {
            let name = match step {
                Step::Subscript(index) => {
                    subscripts.push(index.clone());
                    continue;
                }
                Step::Member(name) => self.text(*name),
            };
            let record = declared.scalar.record;
            let record = record.filter(|_| declared.dimensions.len() == subscripts.len());
            let member = record.and_then(|r| self.scopes.types.member(self.facts.source, r, name));
            let Some(member) = member else {
                let message = format!("the member `{name}` is not known");
                return Err(self
                    .refuse(Code::Type, node, message)
                    .with_reason("the structure must be defined in the file before it is used")
                    .with_hint("include the header that defines it, with -I"));
            };
            let is_pointer = |d: &Dimension<'_>| matches!(d, Dimension::Pointer);
            path.names.push((subscripts.len(), name.to_string()));
            path.shares_memory |= member.shares_memory;
            path.crosses_pointer |= member.declared.dimensions.iter().any(is_pointer);
            declared.scalar = member.declared.scalar;
            declared.dimensions.extend(member.declared.dimensions);
            declared.oddity = declared.oddity.or(member.declared.oddity);
            declared.is_const |= member.declared.is_const;
        }
        let is_whole =
            declared.scalar.record.is_some() || declared.scalar.kind == ElementKind::Other;
        if is_whole || path.shares_memory {
            self.out.whole_structures.insert(root);
        }
        Ok(Reference { variable: self.member(path, declared), subscripts })
    }
}
