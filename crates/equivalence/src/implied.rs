//! Sets without constraints that the others imply.
//!
//! Loops that tools print for tiles have bounds that follow from those of inner loops (`c <= floord(n, 32)`
//! where `32 c <= i <= n`). Without them there are fewer floors, and dataflow analysis has less to do.
use loopwright_presburger::{BasicMap, BasicSet, Budget, Constraint, DimKind, Int, Result, Set};

/// Steps for one constraint; where they do not suffice it stays.
const STEPS: u64 = 20_000;

/// The same set without constraints that others imply, those with floors first.
///
/// *Cost.* A question about emptiness for each constraint, each with a limit.
pub(crate) fn without_implied(set: &Set) -> Result<Set> {
    let pieces = set.basic_sets();
    let pieces = pieces.iter().map(|piece| of_piece(piece.as_basic_map()));
    let pieces: Vec<BasicSet> = pieces.map(BasicSet::from_basic_map).collect();
    Ok(Set::from_basic_sets(set.space().clone(), pieces))
}

/// The same set without bounds that others imply, those of outer dimensions first, so that dimensions over
/// tiles are bounded by what is in them.
pub(crate) fn without_implied_bounds(set: &Set) -> Result<Set> {
    let set = without_implied(set)?;
    let pieces = set.basic_sets();
    let pieces = pieces.iter().map(|piece| {
        let piece = piece.as_basic_map();
        let dims = piece.offset(DimKind::Out)..piece.offset(DimKind::Local);
        let last = |constraint: &Constraint| constraint.row.last_nonzero(dims.clone()).unwrap_or(0);
        let mut kept = piece.constraints();
        // The last ones are tried first.
        kept.sort_by_key(|constraint| std::cmp::Reverse(last(constraint)));
        BasicSet::from_basic_map(without_implied_of(piece, kept, &|_| true))
    });
    let pieces: Vec<BasicSet> = pieces.collect();
    Ok(Set::from_basic_sets(set.space().clone(), pieces))
}

fn of_piece(piece: &BasicMap) -> BasicMap {
    let mut kept = piece.constraints();
    let locals = piece.offset(DimKind::Local)..piece.n_columns();
    // What has floors is worth most, the deepest most of all.
    let deepest = |constraint: &Constraint| constraint.row.last_nonzero(locals.clone());
    kept.sort_by_key(|constraint| deepest(constraint).unwrap_or(0));
    without_implied_of(piece, kept, &|constraint| deepest(constraint).is_some())
}

/// A piece with those of its constraints that the others do not imply; the last ones are tried first, if they
/// are to be tried.
fn without_implied_of(
    piece: &BasicMap,
    mut kept: Vec<Constraint>,
    is_tried: &dyn Fn(&Constraint) -> bool,
) -> BasicMap {
    let build = |constraints: Vec<Constraint>| {
        BasicMap::from_constraints(piece.space().clone(), piece.locals().to_vec(), constraints)
    };
    for at in (0..kept.len()).rev() {
        if kept[at].is_equality || !is_tried(&kept[at]) {
            continue;
        }
        let mut others = kept.clone();
        let constraint = others.remove(at);
        let mut opposite = constraint.row.clone();
        opposite.negate();
        opposite.add_at(0, &Int::from(-1));
        let mut outside = others.clone();
        outside.push(Constraint { is_equality: false, row: opposite });
        if build(outside).is_empty(&Budget::steps(STEPS)).unwrap_or(false) {
            kept = others;
        }
    }
    build(kept)
}

#[cfg(test)]
mod tests {
    use super::without_implied;
    use loopwright_presburger::{Budget, Set};

    #[test]
    fn bounds_of_tiles_are_left_out() {
        let text = "[n] -> { [c, i] : 32c <= i <= 32c + 31 and 0 <= i <= n and 0 <= c <= floor(n/32) and c <= 7 }";
        let set = Set::parse(text).unwrap();
        let plain = without_implied(&set).unwrap();
        assert!(plain.is_equal(&set, &Budget::unlimited()).unwrap());
        assert!(plain.basic_sets()[0].locals().is_empty(), "{plain}");
        assert!(plain.to_string().contains("c <= 7"));
    }
}
