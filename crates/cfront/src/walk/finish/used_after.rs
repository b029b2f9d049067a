//! Which elements of arrays may be used after a region.
//!
//! Elements of an array that only its function knows are used after the region where the text behind it names
//! them: of `double a[t + 1][n]` with `return a[t][0];` behind the region, all but those in the row `t` are
//! dead there. That is known if the region does not run twice in a call of its function, every mention of the
//! array there is an element, and it is a variable of the function or a pointer that gets its memory from an
//! allocating function and does not give it away.
use crate::facts::ctypes::Dimension;
use crate::facts::liveness::Surroundings;
use crate::facts::pointer_uses::is_kept;
use crate::facts::points_to::File;
use crate::facts::variables::{Origin, Variable};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{integer_literal, strip_parentheses, text};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::finish::region_end::Context;
use loopwright_presburger::{Aff, DimKind, Int, Result as SetResult, Set, Space, Tuple};
use loopwright_scop::{Array, Scop};

impl<'t> Extractor<'_, 't> {
    /// For each array of the model the elements whose values may be used after the region; none if any of
    /// them may be.
    pub(crate) fn used_after(
        &self,
        arrays: &[u32],
        scop: &Scop,
        context: &Context<'_, 't>,
    ) -> SetResult<Vec<Option<Set>>> {
        let unknown = vec![None; arrays.len()];
        if context.surroundings.may_run_again() {
            return Ok(unknown);
        }
        let mut all = unknown;
        for ((variable, array), used) in arrays.iter().zip(&scop.arrays).zip(&mut all) {
            if !array.extents.is_empty() && self.is_known_by_elements(*variable, array, context) {
                *used = self.named_behind(self.variable(*variable), array, scop, context)?;
            }
        }
        Ok(all)
    }

    /// Whether all that is done with an array is done by elements of its name in its function.
    fn is_known_by_elements(
        &self,
        variable: u32,
        array: &Array,
        context: &Context<'_, 't>,
    ) -> bool {
        let declared = self.variable(variable);
        let (name, dimensions) = (&declared.name, &declared.declared.dimensions);
        let is_own = declared.origin == Origin::Local { is_static: false }
            && declared.member.is_none()
            && dimensions.len() == array.extents.len()
            && *array.name == **name;
        if !is_own {
            return false;
        }
        let function = context.function;
        let (types, index) = (&self.scopes.types, &self.scopes.index);
        let file = File { source: self.facts.source, root: function.root(), types, index };
        let is_extent = |d: &Dimension<'_>| matches!(d, Dimension::Extent(_));
        let is_own_memory = match dimensions.split_first() {
            Some((Dimension::Pointer, inner)) => {
                inner.iter().all(is_extent)
                    && file.owning(function, name).is_some_and(|all| all.len() == 1)
            }
            _ => dimensions.iter().all(is_extent),
        };
        let names = &context.surroundings.names;
        let is_known = |mention: &Node<'t>| {
            is_declared(*mention)
                || is_kept(self.facts.source, *mention)
                || is_measured(*mention)
                || is_element(*mention, dimensions.len())
        };
        is_own_memory
            && index.with_assembly.is_empty()
            && !names.addressed.contains(name)
            && names.mentions_from(name, 0).iter().all(is_known)
    }

    /// The elements that the text behind the region names; none if it may name any.
    fn named_behind(
        &self,
        variable: &Variable<'t>,
        array: &Array,
        scop: &Scop,
        context: &Context<'_, 't>,
    ) -> SetResult<Option<Set>> {
        let n_dims = array.extents.len();
        let names = scop.context.space().param_names();
        let space = Space::set(names, Tuple::named(&array.tuple_name, n_dims));
        let mut all = Set::empty(space.clone());
        for mention in context.surroundings.mentions_after(&variable.name) {
            let subscripts = subscripts(mention);
            if is_measured(mention) || subscripts.is_empty() && !is_read_through(mention) {
                // It is given back, or compared with zero.
                continue;
            }
            if subscripts.len() != n_dims {
                return Ok(None);
            }
            let mut named = Set::universe(space.clone());
            for (at, subscript) in subscripts.into_iter().enumerate() {
                if let Some(value) = self.constant_form(subscript, &space, scop, context) {
                    let own = Aff::variable(&space, DimKind::Out, at);
                    named = named.intersect(&own.eq_set(&value)?)?;
                }
            }
            all = all.union(&named)?;
        }
        Ok(Some(all))
    }

    /// The value of an expression behind the region in terms of symbolic constants: sums of numbers and of
    /// variables that never change.
    fn constant_form(
        &self,
        node: Node<'t>,
        space: &Space,
        scop: &Scop,
        context: &Context<'_, 't>,
    ) -> Option<Aff> {
        let node = strip_parentheses(node);
        let word = text(self.facts.source, node);
        match node.kind() {
            Kind::NumberLiteral => {
                let (value, _) = integer_literal(word)?;
                Some(Aff::constant(space, &Int::from(value)))
            }
            Kind::Identifier => {
                let at = scop.parameters.iter().position(|p| *p.name == *word)?;
                let is_itself = scop.parameters[at].value.is_none()
                    && self.keeps_its_value(word, node, context);
                is_itself.then(|| Aff::variable(space, DimKind::Param, at))
            }
            Kind::BinaryExpression => {
                let side = |field| self.constant_form(node.field(field)?, space, scop, context);
                let (left, right) = (side(Field::Left)?, side(Field::Right)?);
                match node.operator() {
                    Some(token!("+")) => left.add(&right).ok(),
                    Some(token!("-")) => left.sub(&right).ok(),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a name behind the region means a variable of the function that nothing changes.
    fn keeps_its_value(&self, name: &str, mention: Node<'t>, context: &Context<'_, 't>) -> bool {
        let named: Vec<&Variable<'t>> =
            self.scopes.variables.iter().filter(|variable| variable.name == name).collect();
        let [variable] = named[..] else { return false };
        let is_own =
            matches!(variable.origin, Origin::Argument | Origin::Local { is_static: false });
        is_own
            && !context.changed_names.contains(name)
            && !context.surroundings.is_declared_again(mention, name)
    }
}

impl Surroundings<'_, '_> {
    /// Whether the region may run more than once in a call of its function.
    fn may_run_again(&self) -> bool {
        self.again < self.region.end
    }
}

/// The subscripts directly behind a name.
fn subscripts(name: Node<'_>) -> Vec<Node<'_>> {
    let (mut node, mut found) = (name, Vec::new());
    while let Some(parent) = node.parent() {
        let is_argument = parent.field(Field::Argument).is_some_and(|a| a.id() == node.id());
        match (parent.kind(), parent.field(Field::Index)) {
            (Kind::ParenthesizedExpression, _) => {}
            (Kind::SubscriptExpression, Some(index)) if is_argument => found.push(index),
            _ => break,
        }
        node = parent;
    }
    found
}

/// Whether a name is that of an element with so many subscripts, of which the address is not taken.
fn is_element(name: Node<'_>, n_dims: usize) -> bool {
    let is_around = |node: &Node<'_>| {
        matches!(node.kind(), Kind::ParenthesizedExpression | Kind::SubscriptExpression)
    };
    let mut around = std::iter::successors(name.parent(), |node| node.parent());
    let above = around.find(|node| !is_around(node));
    let is_address = above.is_some_and(|node| node.kind() == Kind::PointerExpression);
    subscripts(name).len() == n_dims && !is_address
}

/// Whether a name is the one that a declaration declares.
fn is_declared(name: Node<'_>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let is_value = parent.field(Field::Value).is_some_and(|value| value.id() == node.id());
        let is_size = parent.field(Field::Size).is_some_and(|size| size.id() == node.id());
        match parent.kind() {
            Kind::Declaration => return true,
            kind if kind.is_declarator() && !is_value && !is_size => node = parent,
            _ => return false,
        }
    }
    false
}

/// Whether only the size of what a name leads to is asked for: `sizeof *a`, `sizeof a[0][0]`.
fn is_measured(name: Node<'_>) -> bool {
    let mut node = name;
    while let Some(parent) = node.parent() {
        let is_argument = parent.field(Field::Argument).is_some_and(|a| a.id() == node.id());
        match parent.kind() {
            Kind::SizeofExpression => return true,
            Kind::ParenthesizedExpression => {}
            Kind::SubscriptExpression | Kind::PointerExpression if is_argument => {}
            _ => return false,
        }
        node = parent;
    }
    false
}

/// Whether a name stands under `*`.
fn is_read_through(name: Node<'_>) -> bool {
    let around = std::iter::successors(name.parent(), |node| node.parent());
    let mut around = around.skip_while(|node| node.kind() == Kind::ParenthesizedExpression);
    around.next().is_some_and(|node| node.kind() == Kind::PointerExpression)
}
