//! What accesses of called functions rely on: that they stay inside of what they were given.
//!
//! `f(&A[i][0], n)` gives a function a place in a row. By C's rules it stays in that row; programs
//! that run over all rows this way are common, though. The elements that its subscripts say are taken
//! only if every subscript is proved to be within its extent; otherwise the access is to any
//! element of the array.
use crate::diagnostics::refusal::Refusal;
use crate::facts::ctypes::Dimension;
use crate::model::conditions::Conjunction;
use crate::model::linear::Linear;
use crate::model::pieces::Pieces;
use crate::model::raw_model::{BoundsObligation, RawAccess};
use crate::syntax::tree::Node;
use crate::walk::extractor::Extractor;
use crate::walk::walk_context::Purpose;
use loopwright_presburger::{Set, Space};
use loopwright_scop::AccessKind;

/// The extents of the dimensions of an array.
type Extents = [(Option<Linear>, String)];

impl<'t> Extractor<'_, 't> {
    /// Notes what accesses through a pointer that a function was given rely on.
    pub(crate) fn oblige(
        &mut self,
        accesses: &mut [RawAccess],
        node: Node<'t>,
        pointer: u32,
    ) -> Result<(), Refusal> {
        let Some(target) = self.target_at(node, pointer) else { return Ok(()) };
        let n = target.n_subscripts();
        let is_copy = target.is_copy();
        let own = self.variable(pointer).declared.dimensions.clone();
        let mut obligations: Vec<BoundsObligation> = (1..n).map(BoundsObligation::Within).collect();
        for (position, dimension) in own.iter().enumerate().skip(1).filter(|_| !is_copy) {
            let Dimension::Extent(extent) = dimension else { continue };
            let value = self.scoped(|this| {
                this.at.purpose = Purpose::Extent;
                this.value(*extent)
            });
            let extent = value?.pieces.as_linear().cloned();
            let unknown = || self.refuse_pointer(node);
            obligations
                .push(BoundsObligation::Extent(n + position - 1, extent.ok_or_else(unknown)?));
        }
        accesses.iter_mut().for_each(|access| access.obligations.clone_from(&obligations));
        Ok(())
    }

    /// Takes accesses whose obligations are not proved as ones of any element.
    pub(crate) fn check_obligations(
        &mut self,
        arrays: &[u32],
        extents: &[Vec<(Option<Linear>, String)>],
    ) {
        let mut statements = std::mem::take(&mut self.out.statements);
        for statement in &mut statements {
            let own = (&statement.domain, &statement.loops);
            for access in statement.accesses.iter_mut().filter(|a| !a.obligations.is_empty()) {
                let of_array = arrays.iter().position(|array| *array == access.variable);
                let extents = of_array.map_or(&[][..], |at| &extents[at]);
                let mut holds =
                    |oblige: &BoundsObligation| self.holds(oblige, access, own, extents);
                if !access.obligations.iter().all(&mut holds) {
                    self.widen(access);
                }
            }
        }
        self.out.statements = statements;
    }

    fn holds(
        &self,
        oblige: &BoundsObligation,
        access: &RawAccess,
        (domain, loops): (&crate::model::conditions::Disjunction, &Vec<u32>),
        extents: &Extents,
    ) -> bool {
        let dimensions = &self.variable(access.variable).declared.dimensions;
        match oblige {
            BoundsObligation::Extent(position, extent) => {
                let known = extents.get(*position).and_then(|(known, _)| known.as_ref());
                *position >= dimensions.len() || known == Some(extent)
            }
            BoundsObligation::Within(position) => {
                let Some(subscript) = access.subscripts.get(*position) else { return true };
                // What a pointer leads to begins anew.
                if matches!(dimensions.get(*position), Some(Dimension::Pointer)) {
                    return true;
                }
                let extent = extents.get(*position).and_then(|(known, _)| known.as_ref());
                let Some(extent) = extent else { return false };
                let (domain, loops) = match &access.inner {
                    Some(inner) => (&inner.domain, [&loops[..], &inner.loops].concat()),
                    None => (domain, loops.clone()),
                };
                self.is_within(subscript, extent, domain, &loops)
            }
        }
    }

    /// Whether a subscript is in `0..extent` everywhere.
    fn is_within(
        &self,
        subscript: &Pieces,
        extent: &Linear,
        domain: &crate::model::conditions::Disjunction,
        loops: &[u32],
    ) -> bool {
        if self.is_product(subscript) || self.is_unknown(subscript) {
            return false;
        }
        let parameters = self.out.affine_uses().variables();
        let context = Set::universe(Space::params(&[]));
        let is_nonnegative = |conjunction: &Conjunction, form: Option<Linear>| {
            form.is_some_and(|form| {
                self.is_nonnegative_at(domain, loops, (&context, &parameters), conjunction, &form)
            })
        };
        subscript.0.iter().all(|(conjunction, linear)| {
            let above = extent.sub(linear).and_then(|rest| rest.add_constant(-1)).ok();
            is_nonnegative(conjunction, Some(linear.clone())) && is_nonnegative(conjunction, above)
        })
    }

    /// Takes an access as one of any element of the memory that its last pointer leads to.
    fn widen(&self, access: &mut RawAccess) {
        let dimensions = &self.variable(access.variable).declared.dimensions;
        let is_pointer = |at: &usize| matches!(dimensions.get(*at), Some(Dimension::Pointer));
        let kept = (0..access.subscripts.len()).rev().find(is_pointer).unwrap_or(0);
        access.subscripts.truncate(kept);
        if access.kind == AccessKind::MustWrite {
            access.kind = AccessKind::MayWrite;
        }
    }
}
