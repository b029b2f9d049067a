//! Bounds of the values of a dimension that lie a constant apart, and what they tell about order.
use loopwright_presburger::{BasicSet, Constraint, DimKind, Int, Row, Set};

/// Groups of domains in ascending order: every value of dimension `level` in a group is less than
/// every value in the next, whatever the other dimensions and the parameters are.
///
/// *Method.* The values are compared with a function of the other dimensions: zero, or one that
/// bounds the first domain. Costs a pass over all constraints for each of these, and sorting.
pub(crate) fn apart(domains: &[&Set], level: usize) -> Vec<Vec<usize>> {
    let together = vec![(0..domains.len()).collect()];
    let Some(first) = domains.first().filter(|_| domains.len() > 1) else { return together };
    let bounds: Vec<Vec<Vec<Bound>>> = domains.iter().map(|domain| bounds(domain, level)).collect();
    let zero = Row::zeros(1 + first.space().n_all());
    let mut references = vec![&zero];
    for bound in bounds[0].iter().flatten() {
        if !references.contains(&&bound.function) {
            references.push(&bound.function);
        }
    }
    let groups = references.into_iter().map(|reference| {
        grouped(bounds.iter().map(|pieces| Interval::of(pieces, reference)).collect())
    });
    groups.into_iter().find(|groups| groups.len() > 1).unwrap_or(together)
}

/// Intervals in groups, each before the next.
fn grouped(intervals: Vec<Interval>) -> Vec<Vec<usize>> {
    let mut ascending: Vec<usize> = (0..intervals.len()).collect();
    ascending.sort_by(|&a, &b| intervals[a].least.cmp(&intervals[b].least));
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut greatest: Option<&Int> = None;
    for index in ascending {
        let Interval { least, greatest: own } = &intervals[index];
        let is_after = greatest.zip(least.as_ref()).is_some_and(|(before, least)| before < least);
        match groups.last_mut() {
            Some(group) if !is_after => {
                group.push(index);
                greatest = greatest.zip(own.as_ref()).map(|(a, b)| a.max(b));
            }
            _ => {
                groups.push(vec![index]);
                greatest = own.as_ref();
            }
        }
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups
}

/// A bound of a dimension: a function of the other dimensions and a constant.
struct Bound {
    /// The coefficients of the function, its constant being zero.
    function: Row,
    constant: Int,
    is_lower: bool,
    is_upper: bool,
}

/// The bounds of each piece.
fn bounds(domain: &Set, level: usize) -> Vec<Vec<Bound>> {
    let of_piece = |basic: BasicSet| {
        let column = basic.as_basic_map().offset(DimKind::Out) + level;
        let end = basic.as_basic_map().offset(DimKind::Local);
        basic.constraints().into_iter().filter_map(|each| bound(&each, column, end)).collect()
    };
    domain.basic_sets().into_iter().map(of_piece).collect()
}

/// What a constraint without locals says about a column, if it has the coefficient 1 or -1 there
/// or no other one.
fn bound(constraint: &Constraint, column: usize, end: usize) -> Option<Bound> {
    let Constraint { is_equality, row } = constraint;
    let coefficient = row.get(column);
    let is_single = (1..row.len()).all(|other| other == column || row.is_zero_at(other));
    let is_unit = coefficient == Int::ONE || coefficient == -Int::ONE;
    if coefficient.is_zero()
        || !(is_single || is_unit)
        || row.first_nonzero(end..row.len()).is_some()
    {
        return None;
    }
    let is_positive = coefficient > Int::ZERO;
    let constant = match is_positive {
        true => -row.get(0).div_floor(&coefficient),
        false => row.get(0).div_floor(&-coefficient),
    };
    let mut function = Row::zeros(end);
    for other in (1..end).filter(|&other| other != column && !is_single) {
        function.set(other, if is_positive { -row.get(other) } else { row.get(other) });
    }
    let (is_lower, is_upper) = (*is_equality || is_positive, *is_equality || !is_positive);
    Some(Bound { function, constant, is_lower, is_upper })
}

/// Constants between which all values lie after a function has been subtracted, as far as known.
struct Interval {
    least: Option<Int>,
    greatest: Option<Int>,
}

impl Interval {
    fn of(pieces: &[Vec<Bound>], reference: &Row) -> Self {
        let mut intervals = pieces.iter().map(|bounds| Interval::of_piece(bounds, reference));
        let unknown = Interval { least: None, greatest: None };
        let Some(first) = intervals.next() else { return unknown };
        intervals.fold(first, Interval::hull)
    }

    fn of_piece(bounds: &[Bound], reference: &Row) -> Self {
        let comparable = || bounds.iter().filter(|bound| bound.function == *reference);
        let lower = comparable().filter(|bound| bound.is_lower);
        let upper = comparable().filter(|bound| bound.is_upper);
        Interval {
            least: lower.map(|bound| bound.constant.clone()).max(),
            greatest: upper.map(|bound| bound.constant.clone()).min(),
        }
    }

    fn hull(self, other: Self) -> Self {
        Interval {
            least: self.least.zip(other.least).map(|(a, b)| a.min(b)),
            greatest: self.greatest.zip(other.greatest).map(|(a, b)| a.max(b)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(texts: &[&str]) -> Vec<Vec<usize>> {
        let sets: Vec<Set> = texts.iter().map(|text| Set::parse(text).expect("a set")).collect();
        apart(&sets.iter().collect::<Vec<_>>(), 1)
    }

    #[test]
    fn constants_separate() {
        let texts = ["{ [i, j] : 3 <= j <= 5 }", "{ [i, 1] }", "{ [i, j] : 2j >= 9 and j <= 8 }"];
        assert_eq!(groups(&texts), [vec![1], vec![0, 2]]);
    }

    #[test]
    fn functions_of_outer_dimensions_separate() {
        let texts = ["{ [i, i + 2] }", "{ [i, i] }", "{ [i, j] : i < j and j < i + 2 }"];
        assert_eq!(groups(&texts), [[1], [2], [0]]);
    }

    #[test]
    fn all_pieces_count() {
        let texts = ["{ [i, j] : j = 1 or j = 5 }", "{ [i, 3] }", "{ [i, 6] }"];
        assert_eq!(groups(&texts), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn unknown_bounds_keep_together() {
        assert_eq!(groups(&["{ [i, j] : j >= 0 }", "{ [i, 3] }"]), [[0, 1]]);
        assert_eq!(groups(&["{ [i, j] : 3j = i }", "{ [i, j] : 3j = i + 3 }"]), [[0, 1]]);
    }
}
