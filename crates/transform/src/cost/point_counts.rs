//! How many points a set has at assumed sizes, where it is no box.
//!
//! The product of the ranges of its coordinates is the number of points of the box around a set: twice those
//! of a triangle, six times those of a tetrahedron. Where coordinates have to do with each other, the points
//! are counted instead, which is cheap for numbers in place of symbolic constants. What takes more steps than
//! that is taken to be the box.
use loopwright_exact::Row;
use loopwright_presburger::{Aff, BasicSet, Budget, DimKind, MultiAff, Set, Space, Tuple};

/// Steps for a count: triangles and trapeziums take some tens, the skewed box of a stencil some hundreds.
const STEPS: u64 = 2_000;

/// The number of points of a set without parameters (or at fixed ones); none if it is a box, is infinite, or
/// takes long to count.
pub(crate) fn points_unless_box(fixed: &Set) -> Option<i64> {
    match &fixed.basic_sets()[..] {
        [only] if is_box(only) => None,
        _ => points(fixed),
    }
}

/// The number of different values that expressions over a set at fixed parameters have together; none if it
/// takes long to count.
pub(crate) fn values(fixed: &Set, expressions: &[Aff]) -> Option<i64> {
    let space = fixed.space();
    let target = Space::set(space.param_names(), Tuple::anonymous(expressions.len()));
    let expressions = expressions.iter().map(|aff| aff.align_params(space)).collect();
    let map = MultiAff::new(space.map_to(&target), expressions).ok()?.to_map();
    points(&map.intersect_domain(fixed).ok()?.range())
}

fn points(fixed: &Set) -> Option<i64> {
    let n = fixed.space().n(DimKind::Param);
    let count = fixed.project_out(DimKind::Param, 0, n).card(&Budget::steps(STEPS)).ok()?;
    let [(_, number)] = count.pieces() else { return None };
    number.as_constant()?.to_int()?.to_i64()
}

/// Whether each condition is about one coordinate, without floors.
fn is_box(set: &BasicSet) -> bool {
    let space = set.space();
    let first = 1 + space.n(DimKind::Param);
    let end = first + space.n(DimKind::Out);
    let is_plain = |row: &Row| {
        row.first_nonzero(end..row.len()).is_none()
            && (first..end).filter(|&at| !row.is_zero_at(at)).count() <= 1
    };
    set.constraints().iter().all(|constraint| is_plain(&constraint.row))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> Option<i64> {
        points_unless_box(&Set::parse(text).unwrap())
    }

    #[test]
    fn what_is_no_box_is_counted() {
        assert_eq!(counted("{ S[i, j] : 0 <= j <= i < 100 }"), Some(5050));
        assert_eq!(counted("[n] -> { S[i, j] : n = 100 and 0 <= j <= i < n }"), Some(5050));
        assert_eq!(counted("{ S[i, j, k] : 0 <= k <= j <= i < 10 }"), Some(220));
        assert_eq!(counted("{ S[i] : 0 <= i < 100 and i mod 4 = 1 }"), Some(25));
        assert_eq!(counted("{ S[i, j] : 0 <= i < 9 and j = i }"), Some(9));
    }

    #[test]
    fn boxes_and_what_has_no_end_are_not_counted() {
        assert_eq!(counted("[n] -> { S[i, j] : n = 100 and 0 <= i < n and 3 <= j <= 7 }"), None);
        assert_eq!(counted("{ S[i, j] : 0 <= i <= j }"), None);
    }

    #[test]
    fn values_that_several_points_have_count_once() {
        let fixed = Set::parse("[n] -> { S[i, j, k] : n = 10 and 0 <= k <= j <= i < n }").unwrap();
        let variable = |dim| Aff::variable(fixed.space(), DimKind::Out, dim);
        assert_eq!(values(&fixed, &[variable(0), variable(1)]), Some(55));
        assert_eq!(values(&fixed, &[variable(0).add(&variable(1)).unwrap()]), Some(19));
    }
}
