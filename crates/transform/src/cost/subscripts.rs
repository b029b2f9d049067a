//! The subscripts of access relations as rows.
use loopwright_exact::Row;
use loopwright_presburger::{BasicMap, DimKind, Map};
use std::ops::Range;

/// The linear parts of the subscripts of an access relation over the instance's coordinates; none
/// if some subscript is not an affine function of them. Looks at equalities only: cheap.
pub(crate) fn subscripts(relation: &Map) -> Option<Vec<Row>> {
    let basic = relation.basic_maps().first()?;
    let first_out = basic.offset(DimKind::Out);
    let outs = first_out..first_out + basic.n(DimKind::Out);
    outs.map(|out| subscript(basic, out)).collect()
}

/// The linear part of the subscript in a column of an access relation; none if it is not affine.
pub(crate) fn subscript(basic: &BasicMap, out: usize) -> Option<Row> {
    let (first_in, first_out) = (basic.offset(DimKind::In), basic.offset(DimKind::Out));
    let outs = first_out..first_out + basic.n(DimKind::Out);
    let beyond = outs.end..basic.n_columns();
    let is_affine =
        |row: &&Row| defines(row, out, &outs) && row.first_nonzero(beyond.clone()).is_none();
    let row = basic.equalities().iter().find(is_affine)?;
    let mut linear = row.slice(first_in..first_out);
    if row.sign(out) > 0 {
        linear.negate();
    }
    Some(linear)
}

/// Whether an equality gives the value of one column among those of the subscripts.
pub(crate) fn defines(row: &Row, out: usize, outs: &Range<usize>) -> bool {
    row.get(out).abs().is_one() && outs.clone().all(|other| other == out || row.is_zero_at(other))
}
