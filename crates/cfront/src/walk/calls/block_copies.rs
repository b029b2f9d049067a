//! `memcpy`, `memmove` and `memset`: which elements a number of bytes is.
//!
//! A size `n * sizeof(T)`, where `T` is the type of the elements, is `n` elements from the place that is
//! given. Other sizes may reach any element.
use crate::facts::ctypes::ScalarType;
use crate::facts::library::blocks_of;
use crate::model::comparison::Comparison;
use crate::model::linear::{Linear, Symbol};
use crate::model::pieces::Pieces;
use crate::model::pointer_target::TargetKind;
use crate::model::raw_model::{BoundsObligation, Ending, Inner, Loop, RawAccess};
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses, visit};
use crate::syntax::tree::Node;
use crate::walk::calls::called_bodies::arguments_of;
use crate::walk::extractor::Extractor;
use crate::walk::statement_body::Emission;
use crate::walk::walk_context::Purpose;
use loopwright_scop::AccessKind;

/// Factors of a size that are looked at.
const MAX_FACTORS: usize = 8;

impl<'t> Extractor<'_, 't> {
    /// The accesses of a function that copies or sets blocks, if it is known which elements those are.
    pub(crate) fn block_accesses(
        &mut self,
        out: &Emission,
        call: Node<'t>,
        name: &str,
    ) -> Option<Vec<RawAccess>> {
        let blocks = blocks_of(name)?;
        let arguments = arguments_of(call);
        let [.., size] = arguments[..] else { return None };
        if arguments.len() != 3 {
            return None;
        }
        let mark = self.out.mark();
        let mut accesses = Vec::new();
        for &(position, is_written) in blocks {
            let access = self.block_access(out, arguments[position], size, is_written);
            let Some(access) = access else {
                self.out.back_to(mark);
                return None;
            };
            accesses.push(access);
        }
        Some(accesses)
    }

    /// The access of the elements from a place on.
    fn block_access(
        &mut self,
        out: &Emission,
        argument: Node<'t>,
        size: Node<'t>,
        is_written: bool,
    ) -> Option<RawAccess> {
        let (variable, mut subscripts) = self.element_at(argument)?;
        let declared = &self.variable(variable).declared;
        let scalar = declared.scalar.clone();
        if declared.dimensions.len() != subscripts.len() || declared.oddity.is_some() {
            return None;
        }
        let count = self.element_count(size, &scalar)?;
        let outer = (self.at.nest.len(), self.at.domain.clone());
        let index = self.out.loops.len() as u32;
        let start = Some(Linear::constant(0));
        self.out.loops.push(Loop { variable, step: 1, start, ending: Ending::Plain });
        self.out.symbols.iterator_bounds.push((Some(0), None));
        let position = Pieces::single(Linear::symbol(Symbol::Iterator(index)));
        let below = count.zip(&position, |n, k| n.sub(k)).ok()?;
        let below = self.compare(&below, Comparison::Greater).ok()?;
        let first = self.compare(&position, Comparison::GreaterEqual).ok()?;
        let domain = outer.1.and(&below).and_then(|domain| domain.and(&first)).ok()?;
        let last = subscripts.last_mut()?;
        *last = last.zip(&position, |a, b| a.add(b)).ok()?;
        let is_known = subscripts.iter().all(|pieces| !self.is_unknown(pieces));
        let kind = match is_written {
            false => AccessKind::Read,
            true if is_known => out.write_kind(),
            true => AccessKind::MayWrite,
        };
        let place = self.inner_place(out, kind, &subscripts);
        let mut loops = place.map_or(Vec::new(), |place| place.loops);
        loops.extend(
            self.at.nest[out.outer..]
                .iter()
                .filter(|l| !loops.contains(l))
                .copied()
                .collect::<Vec<_>>(),
        );
        loops.push(index);
        let obligations = (1..subscripts.len()).map(BoundsObligation::Within).collect();
        let inner = Some(Inner { loops, domain });
        let access = RawAccess::new(variable, kind, subscripts, argument.start_byte());
        Some(RawAccess { inner, obligations, ..access })
    }

    /// The element that an argument points to.
    fn element_at(&mut self, argument: Node<'t>) -> Option<(u32, Vec<Pieces>)> {
        let mut node = strip_parentheses(argument);
        while node.kind() == Kind::CastExpression
            && let Some(value) = node.field(Field::Value)
        {
            node = strip_parentheses(value);
        }
        self.element_place(node)
    }

    /// The number of elements that a number of bytes is.
    fn element_count(&mut self, size: Node<'t>, scalar: &ScalarType) -> Option<Pieces> {
        let mut factors = vec![strip_parentheses(size)];
        let mut position = 0;
        while let Some(&node) = factors.get(position).filter(|_| factors.len() <= MAX_FACTORS) {
            let is_product =
                node.kind() == Kind::BinaryExpression && node.operator() == Some(token!("*"));
            if is_product {
                factors.remove(position);
                let sides = [Field::Left, Field::Right].map(|field| node.field(field));
                factors.extend(sides.into_iter().flatten().map(strip_parentheses));
            } else {
                position += 1;
            }
        }
        let is_size = |node: &Node<'_>| node.kind() == Kind::SizeofExpression;
        let (sizes, others): (Vec<Node<'t>>, Vec<Node<'t>>) =
            factors.into_iter().partition(is_size);
        let is_element = match sizes[..] {
            [] => scalar.bytes == Some(1),
            [only] => self.is_size_of(only, scalar),
            _ => false,
        };
        if !is_element {
            return None;
        }
        self.at.purpose = Purpose::Bound;
        let mut count = Pieces::single(Linear::constant(1));
        for factor in others {
            let value = self.value(factor).ok()?.pieces;
            count = match (count.as_constant(), value.as_constant()) {
                (Some(constant), _) => value.flat_map(|l| Ok(Pieces::single(l.scale(constant)?))),
                (_, Some(constant)) => count.flat_map(|l| Ok(Pieces::single(l.scale(constant)?))),
                _ => return None,
            }
            .ok()?;
        }
        Some(count)
    }

    /// Whether `sizeof` is the size of an element of a type.
    fn is_size_of(&mut self, node: Node<'t>, scalar: &ScalarType) -> bool {
        let found = match node.field(Field::Type) {
            Some(target) if target.field(Field::Declarator).is_some() => None,
            Some(target) => {
                let declared = self.scopes.types.base_type(self.facts.source, target);
                declared.dimensions.is_empty().then_some(declared.scalar)
            }
            None => named_children(node).next().and_then(|value| self.scalar_of(value)),
        };
        found.is_some_and(|found| {
            found.record == scalar.record
                && found.bytes == scalar.bytes
                && (found.bytes.is_some() || found.record.is_some())
        })
    }

    /// Whether `sizeof` only mentions variables from outside of the region that keep their names: its
    /// operand is not evaluated.
    pub(crate) fn is_size_of_outer(&self, node: Node<'t>) -> bool {
        let mut is_outer = true;
        visit(node, |inner, _| {
            is_outer &= match inner.kind() {
                Kind::Identifier => self.resolve(inner).is_ok_and(|variable| {
                    !self.variable(variable).in_region()
                        && !self.values.own_names.contains_key(&variable)
                        && !self.out.iterator_variables.contains(&variable)
                        && self.active_loop(variable).is_none()
                }),
                Kind::CallExpression | Kind::AssignmentExpression | Kind::UpdateExpression => false,
                _ => true,
            };
            is_outer
        });
        is_outer
    }

    /// The type of an element that an expression names.
    fn scalar_of(&mut self, node: Node<'t>) -> Option<ScalarType> {
        let node = strip_parentheses(node);
        if node.kind() == Kind::Identifier && self.scopes.types.contains(self.text(node)) {
            return None;
        }
        let (base, steps) = self.steps(node).ok()?;
        let root = self.resolve(base).ok()?;
        if self.dimensions_left(root, &steps)? != 0 {
            return None;
        }
        let whole = self.out.whole_structures.clone();
        let reference = self.walk_steps(node, root, &steps).ok();
        self.out.whole_structures = whole;
        Some(self.variable(reference?.variable).declared.scalar.clone())
    }

    /// The element that a pointer leads to, with all of its subscripts.
    fn element_place(&mut self, node: Node<'t>) -> Option<(u32, Vec<Pieces>)> {
        let whole = self.out.whole_structures.clone();
        let place = self.memory_given(node);
        self.out.whole_structures = whole;
        let (variable, subscripts, kind) = place?;
        let is_whole = self.variable(variable).declared.scalar.record.is_some();
        if is_whole {
            let root = self.root(variable);
            self.out.whole_structures.insert(root);
        }
        (kind == TargetKind::Element).then_some((variable, subscripts))
    }
}
