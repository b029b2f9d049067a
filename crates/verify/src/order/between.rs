//! Values of a loop after, before and between those of instances, where the loops outside are at the same
//! values.
use loopwright_presburger::{BasicMap, Constraint, DimKind, Map, Result, Row, Set, Space, Tuple};

/// `{ (p, v) -> (p, w) : w > v }`, or less, for times of `n` values.
fn later(n: usize, is_later: bool) -> Map {
    let column = |position: usize, sign: i64, constant: i64| {
        let mut row = vec![0; 1 + 2 * n];
        row[0] = constant;
        row[1 + position] = -sign;
        row[1 + n + position] = sign;
        Row::from_i64s(&row)
    };
    let equal = |position| Constraint { is_equality: true, row: column(position, 1, 0) };
    let sign = if is_later { 1 } else { -1 };
    let mut constraints: Vec<Constraint> = (0..n - 1).map(equal).collect();
    constraints.push(Constraint { is_equality: false, row: column(n - 1, sign, -1) });
    let space = Space::map(&[], Tuple::anonymous(n), Tuple::anonymous(n));
    Map::from_basic_map(BasicMap::from_constraints(space, Vec::new(), constraints))
}

fn to_values(times: &Map, values: &Set, is_later: bool) -> Result<Map> {
    times.apply_range(&later(times.n(DimKind::Out), is_later))?.intersect_range(values)
}

/// The instances for which there is one of `values` after their own, at the same values outside.
pub(super) fn with_value_after(times: &Map, values: &Set) -> Result<Set> {
    Ok(to_values(times, values, true)?.domain())
}

/// The instances for which there is one of `values` before their own.
pub(super) fn with_value_before(times: &Map, values: &Set) -> Result<Set> {
    Ok(to_values(times, values, false)?.domain())
}

/// The pairs of instances for which there is one of `values` after that of the first and before that of the
/// second.
pub(super) fn has_value_between(first: &Map, second: &Map, values: &Set) -> Result<Map> {
    to_values(first, values, true)?.apply_range(&to_values(second, values, false)?.reverse())
}
