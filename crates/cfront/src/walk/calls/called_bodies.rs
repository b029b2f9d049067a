//! What a call accesses, from the body of the function that it calls.
//!
//! The body is read like an opaque statement at the place of the call, of which only the accesses
//! matter: parameters that are numbers have the values that they are given, parameters that are
//! pointers (or structures) are other names for the places that they are given, and other variables of
//! the function are its own. So members stay apart, and a function that is given a row accesses
//! that row. Where this finds anything that it does not understand there is no answer, and what
//! [`crate::facts::side_effects`] says about the whole function is taken instead.
use crate::diagnostics::refusal::Refusal;
use crate::facts::control::loop_names;
use crate::facts::ctypes::Dimension;
use crate::facts::scope::Entity;
use crate::facts::variables::Origin;
use crate::model::pieces::Pieces;
use crate::model::pointer_target::{Target, TargetKind};
use crate::model::value::Value;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{NameSet, changed_names, named_children, strip_parentheses};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::references::Step;
use crate::walk::role::Role;
use crate::walk::statement_body::Emission;
use crate::walk::walk_context::{FunctionNames, Purpose};
use std::sync::Arc;

/// Calls inside of each other that are followed.
const MAX_DEPTH: usize = 12;

/// Bodies that are read for one region.
const MAX_BODIES: usize = 400;

/// What an argument is, in terms of where the call stands.
struct Given {
    value: Option<Value>,
    place: Place,
}

enum Place {
    /// No memory that is understood.
    Unknown,
    /// Memory of the statement itself.
    Own,
    /// Subscripts of a variable.
    Of { variable: u32, subscripts: Vec<Pieces>, kind: TargetKind },
}

impl<'s, 't> Extractor<'s, 't> {
    /// The accesses of a call of a function of the file; none if its body is not understood.
    pub(crate) fn called_body(
        &mut self,
        out: &Emission,
        definition: Node<'t>,
        arguments: &[Node<'t>],
    ) -> Option<Emission> {
        let start = definition.start_byte();
        let is_deep =
            self.at.active_calls.len() >= MAX_DEPTH || self.out.walked_calls() >= MAX_BODIES;
        if is_deep || self.at.active_calls.contains(&start) {
            return None;
        }
        self.out.count_call();
        let attempt = self.out.attempt();
        let first = self.scopes.variables.len();
        let values = self.values.clone();
        let result = self.scoped(|this| {
            this.at.active_calls.push(start);
            this.walk_body(out, definition, arguments)
        });
        self.values = values;
        // What the function declares is nobody else's.
        for variable in self.scopes.variables.own_from(first).iter_mut().filter(|v| v.in_region()) {
            variable.origin = Origin::Region { depth: 1 + self.at.nest.len() };
        }
        let found = result.ok().filter(|_| self.out.is_clean(&attempt));
        if found.is_none() {
            self.out.take_back(attempt);
        }
        found
    }

    fn walk_body(
        &mut self,
        out: &Emission,
        definition: Node<'t>,
        arguments: &[Node<'t>],
    ) -> Result<Emission, Refusal> {
        let body = definition.field(Field::Body);
        let Some(body) = body.filter(|body| !body.has_kind(&[Kind::GotoStatement])) else {
            return Err(self.not_understood(definition));
        };
        self.check_shape(body)?;
        let given: Vec<Given> = arguments.iter().map(|argument| self.given(*argument)).collect();
        let first = self.scopes.variables.len();
        let hidden = self.scopes.enter_called(self.facts.source, definition);
        let result = self.bind(definition, body, &given, first);
        let result = result.and_then(|()| {
            let mut inner = Emission::new(out.outer);
            (inner.is_opaque, inner.is_summary) = (true, true);
            inner.tracks_assignments = false;
            inner.conditional = out.conditional || returns_early(body);
            self.opaque_part(&mut inner, body)?;
            Ok(inner)
        });
        self.scopes.leave_called(hidden);
        result
    }

    fn not_understood(&self, node: Node<'t>) -> Refusal {
        self.refuse(
            crate::diagnostics::diagnostic::Code::Call,
            node,
            "this function is not understood",
        )
        .with_reason("its body has no model for these arguments")
    }

    /// Gives the parameters of a function, which are declared from `first` on, what they stand for.
    fn bind(
        &mut self,
        definition: Node<'t>,
        body: Node<'t>,
        given: &[Given],
        first: usize,
    ) -> Result<(), Refusal> {
        let names = crate::facts::side_effects::parameter_names(self.facts.source, definition);
        let is_void = names.len() == 1 && names[0].is_empty() && given.is_empty();
        if !is_void && names.len() != given.len() {
            return Err(self.not_understood(definition));
        }
        let changed = changed_names(self.facts.source, body);
        for variable in self.scopes.variables.own_from(first) {
            variable.origin = Origin::Region { depth: 1 };
        }
        for (name, given) in names.iter().zip(given) {
            if let Some(Entity::Variable(variable)) = self.scopes.lookup(name)
                && variable as usize >= first
            {
                let is_changed = changed.contains(name.as_str());
                self.bind_one((definition, body), variable, given, is_changed)?;
            }
        }
        let loops = loop_names(self.facts.source, &[body]);
        let changed = self.at.names.changed.iter().copied().chain(changed).collect();
        self.at.names = Arc::new(FunctionNames { changed, followed: NameSet::default(), loops });
        Ok(())
    }

    fn bind_one(
        &mut self,
        (definition, body): (Node<'t>, Node<'t>),
        variable: u32,
        given: &Given,
        is_changed: bool,
    ) -> Result<(), Refusal> {
        let declared = self.variable(variable).declared.clone();
        if declared.oddity.is_some() {
            return Err(self.not_understood(definition));
        }
        let is_structure = declared.scalar.record.is_some();
        let own = self.variable(variable).name.clone();
        if declared.dimensions.is_empty() && !is_structure {
            self.values.own_names.insert(variable, own);
            if let Some(value) = given.value.as_ref().filter(|_| !is_changed)
                && self.variable(variable).is_integer()
                && value.is_kept_by(&declared.scalar)
            {
                self.values.known.insert(variable, value.pieces.clone());
            }
            return Ok(());
        }
        match &given.place {
            Place::Own if !is_structure => drop(self.values.own_names.insert(variable, own)),
            Place::Of { variable: target, subscripts, kind } if !is_changed => {
                let of_target = &self.variable(*target).declared;
                let n_own = declared.dimensions.len();
                let is_copy = *kind == TargetKind::Copy;
                let n_left = n_own.checked_sub(usize::from(!is_copy));
                let types = (&declared.scalar, &of_target.scalar);
                let is_same_type = types.0.kind == types.1.kind
                    && types.0.bytes == types.1.bytes
                    && types.0.record == types.1.record
                    && (types.0.bytes.is_some() || types.0.record.is_some());
                let fits = n_left.map(|n| n + subscripts.len()) == Some(of_target.dimensions.len());
                let left =
                    &of_target.dimensions[subscripts.len().min(of_target.dimensions.len())..];
                let is_same_shape =
                    declared.dimensions.iter().skip(1).zip(left).all(|(a, b)| same_kind(*a, *b));
                if !is_same_type || !fits || !is_same_shape || of_target.oddity.is_some() {
                    return Err(self.not_understood(definition));
                }
                let place = (*target, subscripts.clone());
                let target = Target::new(body.byte_range(), place, *kind);
                self.values.pointers.entry(variable).or_default().push(target);
            }
            _ => return Err(self.not_understood(definition)),
        }
        Ok(())
    }

    /// What an argument stands for.
    fn given(&mut self, node: Node<'t>) -> Given {
        let mark = self.out.mark();
        self.at.purpose = Purpose::Subscript;
        let value = self.value(node).ok().filter(|value| !self.is_product(&value.pieces));
        if value.is_some() {
            return Given { value, place: Place::Unknown };
        }
        self.out.back_to(mark);
        let whole = self.out.whole_structures.clone();
        let place = self.place_given(node).unwrap_or(Place::Unknown);
        self.out.whole_structures = whole;
        Given { value: None, place }
    }

    /// The memory that an argument is the address of: a variable and subscripts of it.
    pub(crate) fn memory_given(
        &mut self,
        node: Node<'t>,
    ) -> Option<(u32, Vec<Pieces>, TargetKind)> {
        match self.place_given(node) {
            Ok(Place::Of { variable, subscripts, kind }) => Some((variable, subscripts, kind)),
            _ => None,
        }
    }

    fn place_given(&mut self, node: Node<'t>) -> Result<Place, Refusal> {
        let node = strip_parentheses(node);
        let is_address = node.kind() == Kind::PointerExpression && self.text(node).starts_with('&');
        let target = node.field(Field::Argument).filter(|_| is_address);
        let (base, mut steps) = match target {
            Some(target) => self.steps(target)?,
            None if self.leads_to_pointer(node) => {
                let (base, mut steps, index) = self.pointer(node, 0)?;
                steps.push(Step::Subscript(index));
                (base, steps)
            }
            None => self.steps(node)?,
        };
        let root = self.resolve(base)?;
        if self.values.own_names.contains_key(&root) {
            return Ok(Place::Own);
        }
        let is_value = !is_address && !self.leads_to_pointer(node);
        let index = match steps.last() {
            Some(Step::Subscript(_)) if !is_value => steps.pop(),
            _ => None,
        };
        let kind = match (&index, is_value) {
            (Some(_), _) => TargetKind::Element,
            (None, true) => TargetKind::Copy,
            (None, false) => TargetKind::Single,
        };
        let reference = self.walk_steps(node, root, &steps)?;
        let mut subscripts = Vec::with_capacity(reference.subscripts.len() + 1);
        let index = index.into_iter().filter_map(|step| match step {
            Step::Subscript(index) => Some(index),
            Step::Member(_) => None,
        });
        for index in reference.subscripts.into_iter().chain(index) {
            subscripts.push(self.subscript_or_unknown(reference.variable, index)?);
        }
        let crosses = self.variable(reference.variable).member.as_ref();
        let crosses = crosses.is_some_and(|member| member.crosses_pointer);
        if self.target_at(node, root).is_some_and(Target::is_copy) && !crosses {
            return Err(self.refuse_pointer(node));
        }
        let (variable, subscripts) = self.followed(node, reference.variable, subscripts)?;
        let n = self.variable(variable).declared.dimensions.len();
        let is_complete = kind == TargetKind::Element || n == subscripts.len();
        let is_fixed = self.out.iterator_variables.contains(&variable)
            || self.active_loop(variable).is_some()
            || self.variable(variable).constant.is_some();
        if !is_complete || is_fixed {
            return Err(self.refuse_pointer(node));
        }
        Ok(Place::Of { variable, subscripts, kind })
    }

    /// Refuses that a function changes the copy of a structure that it is given.
    pub(crate) fn check_copy(
        &self,
        node: Node<'t>,
        root: u32,
        variable: u32,
        role: Role,
    ) -> Result<(), Refusal> {
        let is_copy = self.target_at(node, root).is_some_and(Target::is_copy);
        let member = self.variable(variable).member.as_ref();
        let crosses = member.is_some_and(|member| member.crosses_pointer);
        match role != Role::Read && is_copy && !crosses {
            true => Err(self.refuse_pointer(node)),
            false => Ok(()),
        }
    }

    /// The definition of a called function whose body says what it does.
    pub(crate) fn definition_of(&mut self, node: Node<'t>, name: &str) -> Option<Node<'t>> {
        self.functions(node).body_of(name)
    }
}

/// Whether dimensions are of the same kind: pointers, or not.
fn same_kind(a: Dimension<'_>, b: Dimension<'_>) -> bool {
    matches!(a, Dimension::Pointer) == matches!(b, Dimension::Pointer)
}

/// Whether a function may return before the end of its body.
fn returns_early(body: Node<'_>) -> bool {
    let last = named_children(body).last().map(|last| last.id());
    body.of_kind(Kind::ReturnStatement).any(|node| Some(node.id()) != last)
}

/// The arguments of a call.
pub(crate) fn arguments_of<'t>(call: Node<'t>) -> Vec<Node<'t>> {
    call.field(Field::Arguments).into_iter().flat_map(named_children).collect()
}
