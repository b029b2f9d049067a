//! Where an element of an array lies for values of a loop that follow each other.
use loopwright_presburger::{Aff, DimKind, Int, PwAff, Rational};
use loopwright_scop::Element;

/// The distance of the elements of iterations that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stride {
    /// It is the same element.
    None,
    /// They lie side by side.
    Unit,
    /// They lie apart.
    Apart,
}

/// The stride of an element for the loop whose value is a form of the coordinates of an instance.
pub(crate) fn stride(element: &Element, form: &PwAff) -> Stride {
    let iterators = iterators_in(form);
    let changes =
        |subscript: &PwAff| iterators_in(subscript).iter().any(|own| iterators.contains(own));
    let Some((last, others)) = element.subscripts.split_last() else { return Stride::None };
    match (others.iter().any(changes), changes(last)) {
        (true, _) => Stride::Apart,
        (false, true) if element.base.is_contiguous() && is_by_one(last, &iterators) => {
            Stride::Unit
        }
        (false, true) => Stride::Apart,
        (false, false) => Stride::None,
    }
}

/// The coordinates of an instance that a form depends on.
pub(crate) fn iterators_in(form: &PwAff) -> Vec<usize> {
    let depends = |at: &usize| {
        form.pieces().iter().any(|(_, aff)| !aff.coefficient(DimKind::Out, *at).is_zero())
    };
    (0..form.domain_space().n(DimKind::Out)).filter(depends).collect()
}

/// Whether a subscript changes by one, up or down, with each of the coordinates.
fn is_by_one(subscript: &PwAff, iterators: &[usize]) -> bool {
    let is_one = |aff: &Aff, at: usize| {
        let factor = aff.coefficient(DimKind::Out, at).abs();
        factor.is_zero() || factor == Rational::from(Int::ONE)
    };
    let pieces = subscript.pieces();
    pieces.iter().all(|(_, aff)| iterators.iter().all(|&at| is_one(aff, at)))
}
