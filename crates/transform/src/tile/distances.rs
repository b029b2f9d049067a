//! Distances of the dependences along the members of a band, and constants per statement that bound linear
//! forms of them.
//!
//! For a linear form of the members, the least value `d` over the distances of all dependences from a
//! statement `S` to a statement `T` is an integer optimum. With a constant for each statement added to the
//! form it does not decrease along any dependence if and only if `c_T - c_S >= -d` for all of them. That is a
//! system of difference constraints: it has a solution if and only if there is no negative cycle, and
//! shortest paths are one (Bellman, "On a routing problem", 1958).
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, Optimum, PwAff, Result, Set, UnionMap, UnionPwAff, UnionSet,
};
use loopwright_schedule::{Band, Node, Reaching};

/// The distances of the dependences along the members of a band.
pub(crate) struct Distances {
    /// The statements below the band.
    statements: Vec<Set>,
    /// For a pair of statements (as positions in the list), distances from the first to the second.
    between: Vec<(usize, usize, Set)>,
    /// The number of schedule dimensions outside the band.
    first: usize,
}

/// The least value of a form over the dependences from a statement to another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Least {
    pub(crate) source: usize,
    pub(crate) sink: usize,
    pub(crate) value: Int,
}

impl Distances {
    /// The distances of `dependences`, pairs of instances, between instances that agree on what is outside of
    /// the band.
    pub(crate) fn new(band: &Band, reaching: &Reaching, dependences: &UnionMap) -> Result<Self> {
        let below = reaching.descend(&Node::band(band.clone(), Node::Leaf), 0)?;
        let first = reaching.depth();
        let mut statements: Vec<Set> = Vec::new();
        let mut pieces = Vec::with_capacity(below.pieces.len());
        for piece in &below.pieces {
            let space = piece.domain.space();
            let known = statements.iter().position(|s| s.space().has_equal_tuples(space));
            let statement = known.unwrap_or(statements.len());
            if known.is_none() {
                statements.push(piece.domain.clone());
            }
            let alone = Reaching { pieces: vec![piece.clone()], layout: below.layout.clone() };
            let domain = UnionSet::from_set(piece.domain.clone());
            pieces.push((statement, domain, alone.prefix_schedule()?));
        }
        let mut between = Vec::new();
        for (source, from, source_times) in &pieces {
            let outgoing = dependences.intersect_domain(from)?;
            for (sink, to, sink_times) in &pieces {
                let pairs = outgoing.intersect_range(to)?;
                if pairs.plain_is_empty() {
                    continue;
                }
                let pairs = pairs.apply_domain(source_times)?.apply_range(sink_times)?;
                for map in pairs.maps() {
                    let together = (0..first).fold(map.clone(), |map, dim| {
                        map.equate(DimKind::In, dim, DimKind::Out, dim)
                    });
                    between.push((*source, *sink, together.deltas()?));
                }
            }
        }
        Ok(Distances { statements, between, first })
    }

    /// The number of statements.
    pub(crate) fn n_statements(&self) -> usize {
        self.statements.len()
    }

    /// The least values of a sum of multiples of members, one for each two statements with dependences; none
    /// if there is no least one.
    ///
    /// *Cost.* An integer optimum for each two dependent statements.
    pub(crate) fn least(
        &self,
        form: &[(usize, i64)],
        budget: &Budget,
    ) -> Result<Option<Vec<Least>>> {
        let mut found = Vec::with_capacity(self.between.len());
        for (source, sink, distances) in &self.between {
            let space = distances.space();
            let mut sum = Aff::constant(space, &Int::from(0));
            for (member, factor) in form {
                let along = Aff::variable(space, DimKind::Out, self.first + member);
                sum = sum.add(&along.scale(&Int::from(*factor)))?;
            }
            match distances.min_val(&sum, budget)? {
                Optimum::Empty => {}
                Optimum::Unbounded => return Ok(None),
                Optimum::At(value) => found.push(Least { source: *source, sink: *sink, value }),
            }
        }
        Ok(Some(found))
    }

    /// One constant for each statement.
    pub(crate) fn by_statement(&self, constants: &[Int]) -> UnionPwAff {
        let parts = self.statements.iter().zip(constants);
        let parts = parts
            .map(|(domain, constant)| PwAff::from_aff(Aff::constant(domain.space(), constant)));
        UnionPwAff::from_parts(parts.collect())
    }

    /// Dependences as text, such as `S -> T`.
    pub(crate) fn text(&self, source: usize, sink: usize) -> String {
        format!("{} -> {}", self.name(source), self.name(sink))
    }

    fn name(&self, statement: usize) -> String {
        let tuple = self.statements.get(statement).and_then(|set| set.space().output());
        tuple.and_then(|tuple| tuple.name()).map_or_else(String::new, ToString::to_string)
    }
}

/// Values with `value[sink] - value[source] + least >= 0` for each constraint, none above zero; the
/// constraints of a cycle that contradict each other if there are no such values.
///
/// *Cost.* `n` passes over the constraints.
pub(crate) fn potentials(
    n: usize,
    constraints: &[Least],
) -> std::result::Result<Vec<Int>, Vec<Least>> {
    let mut values = vec![Int::from(0); n];
    // The constraint that a value comes from.
    let mut because: Vec<Option<&Least>> = vec![None; n];
    let mut last = None;
    for _ in 0..=n {
        last = None;
        for constraint in constraints {
            let most = &values[constraint.sink] + &constraint.value;
            if most < values[constraint.source] {
                values[constraint.source] = most;
                because[constraint.source] = Some(constraint);
                last = Some(constraint.source);
            }
        }
        if last.is_none() {
            return Ok(values);
        }
    }
    Err(cycle(&because, last.unwrap_or(0)))
}

/// The cycle that is reached from a statement by going back `because` of constraints.
fn cycle(because: &[Option<&Least>], from: usize) -> Vec<Least> {
    let next = |statement: usize| because.get(statement).copied().flatten();
    let on_it = (0..because.len())
        .fold(from, |statement, _| next(statement).map_or(statement, |least| least.sink));
    let mut found: Vec<Least> = Vec::new();
    let mut statement = on_it;
    while let Some(least) = next(statement).filter(|_| found.len() < because.len()) {
        found.push(least.clone());
        statement = least.sink;
        if statement == on_it {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least((source, sink, value): (usize, usize, i64)) -> Least {
        Least { source, sink, value: Int::from(value) }
    }

    #[test]
    fn contradictions_are_cycles() {
        let solved = potentials(2, &[(0, 1, -1), (1, 0, 2)].map(least)).unwrap();
        assert_eq!(solved, [Int::from(-1), Int::from(0)]);
        let all = [(0, 1, 0), (1, 2, -2), (2, 1, 1), (2, 0, 5)].map(least);
        let found = potentials(3, &all).unwrap_err();
        let sum = found.iter().fold(Int::from(0), |sum, least| &sum + &least.value);
        assert_eq!(found.len(), 2);
        assert_eq!(sum, Int::from(-1));
        assert_eq!(potentials(1, &[least((0, 0, -1))]).unwrap_err(), [least((0, 0, -1))]);
    }
}
