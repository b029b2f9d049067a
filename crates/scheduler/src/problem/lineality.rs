//! Directions in which members must not change.
use crate::algebra::echelon::Echelon;
use crate::algebra::farkas::Generators;
use crate::algebra::vectors::Vector;
use crate::problem::band_problem::{BandProblem, Group};
use loopwright_presburger::Result;

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

    /// "Scheduling for PPCG", section 7.6.4 (T-24): lexicographically positive distances in three dimensions
    /// have the free directions of the first disjunct; the third is then the same as the second.
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
