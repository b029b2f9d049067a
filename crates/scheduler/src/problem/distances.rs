//! Distances between instances of one statement, made larger where that only forbids schedules that
//! nobody wants.
use crate::algebra::farkas::Generators;
use loopwright_presburger::{Budget, Cone, Result, Row};

/// The distances over `[1 | params | delta]` without constraints that only say how long a loop is:
/// `delta_i <= extent` and `delta_i >= -extent` ("Scheduling for PPCG", (108) and (109)). Such a
/// constraint can only be used to flatten the loop into another one.
pub(crate) fn without_bounds(
    generators: Generators,
    n_params: usize,
    extents: &[Option<i64>],
    budget: &Budget,
) -> Result<Generators> {
    if extents.iter().all(Option::is_none) {
        return Ok(generators);
    }
    let head = 1 + n_params;
    let width = head + extents.len();
    let mut constraints = Cone::universe(width);
    for line in &generators.lines {
        constraints.add_equality(&Row::from_i64s(line), budget)?;
    }
    for ray in &generators.rays {
        constraints.add_inequality(&Row::from_i64s(ray), budget)?;
    }
    let is_bound = |row: &&Row| {
        let Some(column) = row.first_nonzero(head..width) else { return false };
        let alone =
            row.first_nonzero(column + 1..width).is_none() && row.first_nonzero(1..head).is_none();
        let (constant, factor) = (row.get(0), row.get(column).abs());
        let extent = extents[column - head];
        alone
            && extent.is_some_and(|extent| {
                constant.is_positive()
                    && constant >= factor * loopwright_presburger::Int::from(extent)
            })
    };
    let kept: Vec<Row> = constraints.rays().filter(|row| !is_bound(row)).cloned().collect();
    if kept.len() == constraints.rays().count() {
        return Ok(generators);
    }
    let cone = Cone::polyhedron(width, constraints.lines(), &kept, budget)?;
    Generators::of_cone(&cone, |g| g.iter().map(|&entry| i128::from(entry)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rays(rays: &[&[i64]]) -> Generators {
        Generators { lines: Vec::new(), rays: rays.iter().map(|ray| ray.to_vec()).collect() }
    }

    /// "Scheduling for PPCG", section 7.6.3 (T-23): of `(1, b)` with `0 <= b <= 6`, where the second
    /// loop has seven iterations, `0 <= b` is left.
    #[test]
    fn a_bound_by_the_length_of_a_loop_is_dropped() {
        let segment = rays(&[&[1, 1, 0], &[1, 1, 6]]);
        let relaxed = |extents: [Option<i64>; 2]| {
            let budget = Budget::unlimited();
            let mut found = without_bounds(segment.clone(), 0, &extents, &budget).unwrap();
            found.rays.sort();
            found
        };
        assert_eq!(relaxed([None, Some(6)]), rays(&[&[0, 0, 1], &[1, 1, 0]]));
        assert_eq!(relaxed([None, Some(7)]), segment);
        assert_eq!(relaxed([None, None]), segment);
    }
}
