//! Constraints that alone limit a dimension in one direction.
//!
//! From any point that satisfies all constraints one comes in this direction, which no other
//! constraint and no floor notices, to a point that violates this constraint and nothing else. So
//! the constraint follows from the others only if there is no point at all.
//!
//! Equalities that a dimension of their own solves notice nothing: this dimension, which occurs
//! nowhere else, moves along.
use crate::core::basic_relation::BasicRelation;
use crate::core::constraint::Local;
use crate::core::space::DimKind;
use loopwright_exact::Row;

/// Whether a constraint limits some dimension, which is not pinned, in a direction in which none of
/// the inequalities limits it; the constraint itself may be one of these.
pub(crate) fn limits_alone<'a>(
    row: &Row,
    is_equality: bool,
    is_pinned: impl Fn(usize) -> bool,
    inequalities: impl Iterator<Item = &'a Row> + Clone,
    n_columns: usize,
) -> bool {
    let may_move = |column: usize, direction: i32| {
        let limits = |other: &Row| !std::ptr::eq(row, other) && other.sign(column) == -direction;
        !inequalities.clone().any(limits)
    };
    (1..n_columns).any(|column| {
        let sign = row.sign(column);
        let leaves = |direction: i32| is_equality || direction == -sign;
        sign != 0
            && [1, -1].into_iter().any(|to| leaves(to) && may_move(column, to))
            && !is_pinned(column)
    })
}

/// Whether a floor uses a column.
pub(crate) fn is_in_floor(data: &BasicRelation, column: usize) -> bool {
    data.locals.iter().any(|local| match local {
        Local::Floor { numerator, .. } => !numerator.is_zero_at(column),
        Local::Unknown => false,
    })
}

/// For each dimension whether floors or equalities hold it, except for equalities that a dimension
/// of their own solves.
pub(crate) fn pinned_columns(data: &BasicRelation) -> Vec<bool> {
    let dims = 1..data.offset(DimKind::Local);
    let mut pinned: Vec<bool> = (0..dims.end).map(|column| is_in_floor(data, column)).collect();
    let has_own = |row: &Row| {
        let others = |other: &&Row| !std::ptr::eq(row, *other);
        let is_lone = |column: usize| {
            let rows = data.equalities.iter().chain(&data.inequalities).filter(others);
            !is_in_floor(data, column) && { rows }.all(|other| other.is_zero_at(column))
        };
        row.last_unit(dims.clone()).is_some_and(is_lone)
    };
    for row in data.equalities.iter().filter(|row| !has_own(row)) {
        for column in dims.clone() {
            pinned[column] |= !row.is_zero_at(column);
        }
    }
    pinned
}

#[cfg(test)]
mod tests {
    use crate::core::basic_map::BasicMap;
    use crate::core::budget::Budget;
    use crate::core::constraint::Constraint;
    use crate::core::rows::negation;
    use crate::core::space::Space;
    use crate::core::tuple::Tuple;
    use crate::random_rows::Generator;
    use crate::solve::system::System;
    use loopwright_exact::Int;

    use super::*;

    /// A random system over three dimensions and sometimes a floor, with few constraints.
    fn random_basic(generator: &mut Generator) -> BasicMap {
        let has_floor = generator.below(4) == 0;
        let width = 4 + usize::from(has_floor);
        let mut locals = Vec::new();
        if has_floor {
            let mut numerator = generator.row(4, 1, 2);
            numerator.push(Int::ZERO);
            locals.push(Local::Floor { numerator, denominator: Int::from(3) });
        }
        let rows = (0..3 + generator.below(3)).map(|_| generator.row(width, 2, 4));
        let rows: Vec<Row> = rows.collect();
        let constraint = |row: Row| Constraint { is_equality: generator.below(4) == 0, row };
        let constraints = rows.into_iter().map(constraint).collect();
        BasicMap::from_constraints(Space::set(&[], Tuple::anonymous(3)), locals, constraints)
    }

    #[test]
    fn what_limits_alone_does_not_follow() {
        let mut generator = Generator::new(71);
        let budget = Budget::unlimited();
        let mut n_alone = 0;
        for _ in 0..400 {
            let basic = random_basic(&mut generator);
            let rows = basic.inequalities();
            let pinned = pinned_columns(&basic.inner);
            let whole = System::from_basic_map(&basic);
            if basic.plain_is_empty() || whole.clone().find_point(&budget).unwrap().is_none() {
                continue;
            }
            for (index, row) in rows.iter().enumerate() {
                if limits_alone(row, false, |c| pinned[c], rows.iter(), pinned.len()) {
                    let mut outside = whole.clone();
                    outside.inequalities[index] = negation(row);
                    assert!(outside.find_point(&budget).unwrap().is_some(), "{row} {basic:?}");
                    n_alone += 1;
                }
            }
        }
        assert!(n_alone > 300, "{n_alone} limit alone");
    }
}
