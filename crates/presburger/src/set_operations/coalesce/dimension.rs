//! Pairs of pieces whose union is flat in no way that a rule could use.
//!
//! The equalities of one piece, reduced by those of the other one, are forms whose rank tells by how
//! many dimensions the affine hull of the union exceeds that of the other piece. A piece may extend
//! a piece whose hull is larger, and two hulls may be adjacent hyperplanes; if both are left by two
//! dimensions, no rule applies.
use crate::set_operations::coalesce::piece::Piece;
use loopwright_exact::Row;

/// Whether the affine hulls of two pieces are too different for a merge.
pub(super) fn differs_too_much(a: &Piece, b: &Piece) -> bool {
    let may_differ = |piece: &Piece| piece.data().equalities.len() > 1;
    may_differ(a) && may_differ(b) && rank_beyond(a, b) > 1 && rank_beyond(b, a) > 1
}

/// The rank of the equalities of a piece on the affine hull of another one, at most 2.
fn rank_beyond(piece: &Piece, hull: &Piece) -> usize {
    let mut first: Option<(Row, usize)> = None;
    for equality in &piece.data().equalities {
        let mut row = equality.clone();
        for (known, pivot) in hull.data().equalities.iter().zip(hull.pivots()) {
            row.eliminate(*pivot, known);
        }
        let Some((known, pivot)) = &first else {
            first = row.last_nonzero(0..row.len()).map(|pivot| (row, pivot));
            continue;
        };
        row.eliminate(*pivot, known);
        if !row.is_zero() {
            return 2;
        }
    }
    usize::from(first.is_some())
}

/// For each equality a column that the others do not use; none if there is no such column.
pub(super) fn pivots(equalities: &[Row]) -> Vec<usize> {
    let is_lone = |index: usize, column: usize| {
        let mut others = equalities.iter().enumerate().filter(|(other, _)| *other != index);
        others.all(|(_, row)| row.is_zero_at(column))
    };
    let pivot = |(index, row): (usize, &Row)| {
        (1..row.len()).rev().find(|&column| !row.is_zero_at(column) && is_lone(index, column))
    };
    equalities.iter().enumerate().map_while(pivot).collect()
}
