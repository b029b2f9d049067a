//! Where something that is read is written as well: of a band, in which tiles; below a node, in which
//! iterations.
use loopwright_presburger::{Budget, Result, UnionMap};
use loopwright_schedule::Reaching;
use loopwright_scop::{AccessKind, Scop};

/// From the instances that reach a node to the elements that they write, perhaps or for sure.
///
/// # Errors
/// Those of the union.
pub(crate) fn written_below(scop: &Scop, reaching: &Reaching) -> Result<UnionMap> {
    let mut written = UnionMap::empty();
    for piece in &reaching.pieces {
        let name = piece.domain.space().output().and_then(|tuple| tuple.name());
        let Some(statement) = name.and_then(|name| scop.statement_named(name)) else { continue };
        for access in statement.accesses.iter().filter(|a| a.kind != AccessKind::Read) {
            let relation = access.relation.intersect_domain(&piece.domain)?;
            written = written.union(&UnionMap::from_map(relation))?;
        }
    }
    Ok(written)
}

/// From times to the instances there that write what an instance reads at that time: `own` are the times of
/// the instances that `read`, `all` those of the instances that have `written`.
///
/// # Errors
/// If the budget runs out.
pub(crate) fn times_of_conflicts(
    read: &UnionMap,
    written: &UnionMap,
    own: &UnionMap,
    all: &UnionMap,
    budget: &Budget,
) -> Result<UnionMap> {
    let conflicts = read.apply_range_within(&written.reverse(), budget)?;
    let at_times = own.reverse().apply_range_within(&conflicts, budget)?;
    at_times.intersect_within(&all.reverse(), budget)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conflicts_are_at_the_tile_that_writes_what_it_reads() {
        let budget = Budget::steps(100_000);
        let map = |text: &str| UnionMap::parse(text).unwrap();
        // Tile t reads the element before its first one; only tile 0 reads one that it writes.
        let read = map("{ S[i] -> A[i - 4] : 4 <= i < 12; S[i] -> A[0] : 0 <= i < 4 }");
        let written = map("{ S[i] -> A[i] : 0 <= i < 12 }");
        let times = map("{ S[i] -> [floor(i/4)] : 0 <= i < 12 }");
        let found = times_of_conflicts(&read, &written, &times, &times, &budget).unwrap();
        let expected = map("{ [0] -> S[0] }");
        assert!(found.is_equal(&expected, &budget).unwrap(), "{found}");
    }
}
