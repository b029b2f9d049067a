//! Distances between instances of one statement, made larger where that only forbids schedules that
//! nobody wants.
use crate::algebra::echelon::Echelon;
use crate::algebra::farkas::Generators;
use crate::algebra::vectors::Vector;
use crate::problem::band_problem::{BandProblem, Group};
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

/// For each node, directions in which a member must not change ("Scheduling for PPCG", section
/// 7.6.4): distances that are possible forwards and backwards.
pub(crate) struct Lineality {
    head: usize,
    nodes: Vec<Echelon>,
}

impl Lineality {
    /// The directions that constraints within nodes leave free.
    pub(crate) fn of(problem: &BandProblem, groups: &[Group]) -> Result<Self> {
        let head = 1 + problem.n_params;
        let mut nodes = vec![Echelon::default(); problem.nodes.len()];
        for group in groups.iter().filter(|group| group.source == group.sink) {
            for line in group.generators.lines.iter().filter(|line| line[0] == 0) {
                nodes[group.source].insert(&line[head..])?;
            }
        }
        Ok(Lineality { head, nodes })
    }

    /// Adds the free directions of both ends to a group: groups that only differ by them become
    /// equal.
    pub(crate) fn apply(&self, group: &mut Group) -> Result<()> {
        let (source, sink) = (&self.nodes[group.source], &self.nodes[group.sink]);
        if source.rank() + sink.rank() == 0 {
            return Ok(());
        }
        let generators = &group.generators;
        let Some(some) = generators.rays.first().or(generators.lines.first()) else {
            return Ok(());
        };
        let width = some.len();
        let mut lines = Echelon::of(&generators.lines)?;
        if group.source == group.sink {
            insert_at(&mut lines, source, self.head, width)?;
        } else {
            let split = source.rows().next().map_or_else(
                || width - sink.rows().next().map_or(0, Vec::len),
                |row| self.head + row.len(),
            );
            insert_at(&mut lines, source, self.head, width)?;
            insert_at(&mut lines, sink, split, width)?;
        }
        let mut rays: Vec<Vector> =
            generators.rays.iter().map(|ray| lines.reduce_ray(ray)).collect::<Result<_>>()?;
        rays.retain(|ray| ray.iter().any(|&entry| entry != 0));
        rays.sort_unstable();
        rays.dedup();
        group.generators = Generators { lines: lines.rows().cloned().collect(), rays };
        Ok(())
    }
}

/// Inserts rows over some columns that start at `first`.
fn insert_at(lines: &mut Echelon, rows: &Echelon, first: usize, width: usize) -> Result<()> {
    for row in rows.rows() {
        let mut line = vec![0; width];
        line[first..first + row.len()].copy_from_slice(row);
        lines.insert(&line)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use crate::problem::band_problem::BandNode;

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

    /// Section 7.6.4 (T-24): lexicographically positive distances in three dimensions have the
    /// free directions of the first disjunct; the third is then the same as the second.
    #[test]
    fn groups_that_differ_by_free_directions_become_equal() {
        let node = BandNode::new(Vec::new(), vec![None; 3], &Options::tiling());
        let problem = BandProblem { n_params: 0, nodes: vec![node], edges: Vec::new() };
        let group = |lines: &[&[i64]], rays: &[&[i64]]| {
            let of = |vectors: &[&[i64]]| vectors.iter().map(|v| v.to_vec()).collect();
            let generators = Generators { lines: of(lines), rays: of(rays) };
            Group { source: 0, sink: 0, generators }
        };
        let forwards: &[i64] = &[0, 1, 0, 0];
        let mut groups = vec![
            group(&[&[0, 0, 1, 0], &[0, 0, 0, 1]], &[&[1, 1, 0, 0], forwards]),
            group(&[&[0, 0, 0, 1]], &[&[1, 0, 1, 0], &[0, 0, 1, 0]]),
            group(&[], &[&[1, 0, 0, 1], &[0, 0, 0, 1]]),
        ];
        let lineality = Lineality::of(&problem, &groups).unwrap();
        for group in &mut groups {
            lineality.apply(group).unwrap();
        }
        assert_ne!(groups[0], groups[1]);
        assert_eq!(groups[1], groups[2]);
    }
}
