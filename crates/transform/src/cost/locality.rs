//! How far apart in memory consecutive iterations of a loop access.
//!
//! Advancing a schedule dimension by one moves a statement by a step `d` in its instance space
//! ([`NestStatement::direction`]), and an access with subscripts `L x + c` by `L d` in its array.
//! Arrays are stored with the last subscript fastest, so the stride is zero if `L d = 0`, small
//! if only the last subscript changes, and large otherwise.
use crate::cost::nest::{Nest, NestAccess, NestStatement};
use loopwright_exact::{Matrix, Row};

/// The distance in memory between the elements that consecutive iterations access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stride {
    /// The same element.
    Zero,
    /// The next (or previous) element.
    Unit,
    /// Several elements, or rows, apart; or unknown.
    Large,
}

/// The stride of `access` along a step in the instance space.
pub fn stride(access: &NestAccess, step: &Row) -> Stride {
    let Some(subscripts) = &access.drift else { return Stride::Large };
    let moves: Vec<_> = subscripts.iter().map(|row| row.dot(step)).collect();
    match moves.split_last() {
        None => Stride::Zero,
        Some((_, outer)) if outer.iter().any(|m| !m.is_zero()) => Stride::Large,
        Some((last, _)) if last.is_zero() => Stride::Zero,
        Some((last, _)) if last.abs().is_one() => Stride::Unit,
        Some(_) => Stride::Large,
    }
}

/// How an access moves with the members of a band.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// Whether some iterations of the band access the same element and others do not: then the
    /// order of the band's loops decides how far apart in time uses of one element are.
    pub is_partial: bool,
    /// The number of elements that one run of the band touches, nominally.
    pub footprint: i64,
}

/// How `access` is reused among the iterations of the band of `nest`. If the steps or
/// subscripts are not known, the access counts as a stream: no reuse.
pub fn band_reuse(nest: &Nest, statement: &NestStatement, access: &NestAccess) -> Reuse {
    let stream = Reuse { is_partial: false, footprint: statement.instances };
    let Some(subscripts) = &access.drift else { return stream };
    let mut moves = Matrix::new(Vec::new(), subscripts.len());
    let mut n_steps = 0;
    let mut extents = Vec::new();
    for dimension in nest.first..nest.first + nest.n_members {
        let Some(step) = statement.direction(dimension) else { return stream };
        n_steps += usize::from(!step.is_zero());
        let motion: Vec<_> = subscripts.iter().map(|row| row.dot(&step)).collect();
        if motion.iter().any(|m| !m.is_zero()) {
            moves.push_row(Row::from_ints(motion));
            extents.push(statement.extents[dimension]);
        }
    }
    // At most as many independent directions as the rank; the largest ones bound the rest.
    let rank = moves.rank();
    extents.sort_unstable();
    let footprint = extents.iter().rev().take(rank).fold(1i64, |a, &b| a.saturating_mul(b));
    Reuse { is_partial: 0 < rank && rank < n_steps, footprint }
}
