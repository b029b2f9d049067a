//! What can be packed, before there are tiles.
use crate::cost::nest::{Nest, NestAccess, NestStatement};

/// Values of a loop along which an element stays the same that make packing pay: the tile sizes are
/// at least this where the loop is.
const LEAST_REUSE: i64 = 32;

/// Whether a strided access along `member`, in a band that will be tiled, can probably be packed: a read
/// in a plain assignment of an array that the band does not write, of elements that stay the same
/// along another long member.
pub fn may_pack(
    nest: &Nest,
    statement: &NestStatement,
    access: &NestAccess,
    member: usize,
) -> bool {
    let writes = |a: &NestAccess| a.is_write && a.array == access.array;
    let is_written = match nest.is_update {
        true => nest.is_result(access),
        false => nest.statements.iter().flat_map(|s| &s.accesses).any(writes),
    };
    let stays = |other: usize| {
        let step = statement.direction(nest.first + other);
        let (Some(step), Some(subscripts)) = (step, &access.subscripts) else { return false };
        !step.is_zero() && subscripts.iter().all(|row| row.dot(&step).is_zero())
    };
    !access.is_write
        && !is_written
        && (0..nest.n_members)
            .any(|other| other != member && nest.extent(other) >= LEAST_REUSE && stays(other))
        && statement.statement.body.plain_assignment().is_some()
}
