//! How far apart in memory consecutive iterations of a loop access.
//!
//! Advancing a schedule dimension by one moves a statement by a step `d` in its instance space
//! ([`NestStatement::direction`]), and an access with subscripts `L x + c` by `L d` in its array.
//! Arrays are stored with the last subscript fastest, so the stride is zero if `L d = 0`, small
//! if only the last subscript changes, and large otherwise.
use crate::nest::{Nest, NestAccess, NestStatement};
use loopwright_exact::{Matrix, Row};
use loopwright_presburger::{DimKind, Map};

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
    let Some(subscripts) = &access.subscripts else { return Stride::Large };
    let moves: Vec<_> = subscripts.iter().map(|row| row.dot(step)).collect();
    match moves.split_last() {
        None => Stride::Zero,
        Some((_, outer)) if outer.iter().any(|m| !m.is_zero()) => Stride::Large,
        Some((last, _)) if last.is_zero() => Stride::Zero,
        Some((last, _)) if last.abs().is_one() => Stride::Unit,
        Some(_) => Stride::Large,
    }
}

/// Whether an access touches the same elements again in different iterations of the nest: whether
/// its subscripts have a lower rank than the instances have coordinates.
pub fn has_temporal_reuse(statement: &NestStatement, access: &NestAccess) -> bool {
    access.subscripts.as_ref().is_some_and(|rows| {
        let n = statement.statement.iterators.len();
        Matrix::new(rows.clone(), n).rank() < n
    })
}

/// The number of elements that an access touches in the nest, nominally.
pub fn footprint(nest: &Nest, statement: &NestStatement, access: &NestAccess) -> i64 {
    let Some(rows) = &access.subscripts else { return statement.instances };
    let dimensions = nest.first..nest.first + nest.n_members;
    let moving = dimensions.filter(|&dimension| {
        statement
            .direction(dimension)
            .is_none_or(|step| rows.iter().any(|row| !row.dot(&step).is_zero()))
    });
    let mut extents: Vec<i64> = moving.map(|dimension| statement.extents[dimension]).collect();
    extents.sort_unstable();
    // At most as many independent directions as subscripts; the largest ones bound the rest.
    let rank = Matrix::new(rows.clone(), statement.statement.iterators.len()).rank();
    extents.iter().rev().take(rank).fold(1i64, |a, &b| a.saturating_mul(b))
}

/// The linear parts of the subscripts of an access relation over the instance's coordinates; none
/// if some subscript is not an affine function of them. Looks at equalities only: cheap.
pub fn subscripts(relation: &Map) -> Option<Vec<Row>> {
    let basic = relation.basic_maps().first()?;
    let (first_in, first_out) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let outs = first_out..first_out + basic.n(DimKind::Out);
    let beyond = outs.end..basic.n_columns();
    outs.clone()
        .map(|out| {
            let defines = |row: &&Row| {
                row.get(out).abs().is_one()
                    && outs.clone().all(|other| other == out || row.is_zero_at(other))
                    && row.first_nonzero(beyond.clone()).is_none()
            };
            let row = basic.equalities().iter().find(defines)?;
            let mut linear = row.slice(first_in..first_out);
            if row.sign(out) > 0 {
                linear.negate();
            }
            Some(linear)
        })
        .collect()
}
