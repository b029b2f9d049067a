//! Concurrent start: tiles that can all begin at the same time.
//!
//! In a permutable band without a coincident member, tiles run in diagonals of the space of tiles
//! ([`crate::loops::wavefront`]). With rectangular tiles of skewed members those diagonals begin with one tile
//! and grow, and there are more of them the longer the loops over data are. *Diamond* tiling
//! (Bandishti, Pananilath, Bondhugula, "Tiling stencil computations to maximize parallelism", SC 2012;
//! for one dimension of data the tubes of Strzodka et al., ICPP 2011) replaces one member so that the
//! sum of the tile coordinates grows along time alone: every diagonal is a whole row of tiles, and the number
//! of diagonals does not depend on the size of the data.
//!
//! # The hyperplane
//! Let `f` be the member to be replaced (the *face*: time in a stencil) and `h1, ..., hm` other members of
//! the band. Wanted is `g = k f - h1 - ... - hm + c` with a small integer `k` and one constant `c` per
//! statement, such that `g` does not decrease along any dependence. Then `g, h1, ..., hm` are permutable
//! among themselves and with the rest of the band, and `g + h1 + ... + hm = k f + c`: `f` is a
//! positive combination of the tiling hyperplanes, the condition of the paper. With one `h` the start is
//! *partial* (concurrent along one dimension of the data, which keeps the others whole), with all
//! of them it is *full*.
//!
//! # How it is found
//! For a given `k`, the least value `d` of the linear part of `g` over the distances of all dependences from
//! a statement `S` to a statement `T` is an integer optimum, and `g` is legal if and only if
//! `c_T - c_S >= -d` for all of them. That is a system of difference constraints: it has a solution if
//! and only if there is no negative cycle, and shortest paths are one (Bellman and Ford). The values `k = 1, 2, ...` are
//! tried in turn; a smaller one has fewer diagonals. The distances are those of all dependences between
//! instances that agree on what is outside of the band, so the answer is exact, and it is found from the
//! dependences whatever the statements look like. In-place updates (Gauss-Seidel) have dependences with
//! `f = 0` in all directions: no `k` exists.
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Int, MultiUnionPwAff, Optimum, PwAff, Result, Set, Tuple,
    UnionMap, UnionPwAff, UnionSet,
};
use loopwright_schedule::{Band, Node, Reaching};

/// The greatest `k` that is tried. A star of radius `r` in `d` dimensions needs `r d` (twice that where a time
/// step counts as one and has two halves), a full box `2 r` or so.
const GREATEST_STEEPNESS: i64 = 8;

/// A band whose tiles can start concurrently.
#[derive(Clone, Debug)]
pub struct Diamond {
    /// The new hyperplane first, then the members that it is combined with, then the others. It is
    /// permutable. It does not order the instances of a tile completely where the face does not
    /// follow from the other members: the points inside stay in the order of the original band.
    pub band: Band,
    /// The position in the original band of each member after the first.
    pub others: Vec<usize>,
    /// The number of members whose tiles are summed up, the new one among them.
    pub n_summed: usize,
    /// The multiple of the face that the sum of these members is, up to a constant.
    pub steepness: i64,
}

/// Looks for the hyperplane for concurrent start that replaces member `face` and is combined with
/// the members `with`; none if there is none, or the budget runs out.
///
/// `dependences` are pairs of instances, the first before the second; `reaching` is what reaches the band.
///
/// Cost: one integer optimum for each pair of dependent statements and each value of `k`.
///
/// # Errors
/// For malformed trees.
pub fn concurrent_start(
    band: &Band,
    face: usize,
    with: &[usize],
    reaching: &Reaching,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<Option<Diamond>> {
    let n = band.n_members();
    let is_member = |member: &usize| *member < n && *member != face;
    if !band.permutable || face >= n || with.is_empty() || !with.iter().all(is_member) {
        return Ok(None);
    }
    let distances = match Distances::new(band, reaching, dependences) {
        Err(Error::Exceeded { .. }) => return Ok(None),
        distances => distances?,
    };
    for steepness in 1..=GREATEST_STEEPNESS {
        match distances.constants(steepness, face, with, budget) {
            Err(Error::Exceeded { .. }) => return Ok(None),
            Err(other) => return Err(other),
            Ok(None) => {}
            Ok(Some(constants)) => {
                let constants = distances.by_statement(&constants);
                return replaced(band, face, with, steepness, constants).map(Some);
            }
        }
    }
    Ok(None)
}

/// `band` with the member `face` replaced.
fn replaced(
    band: &Band,
    face: usize,
    with: &[usize],
    steepness: i64,
    constants: UnionPwAff,
) -> Result<Diamond> {
    let members = band.schedule.members();
    let mut new = members[face].scale(&Int::from(steepness)).add(&constants)?;
    for &member in with {
        new = new.sub(&members[member])?;
    }
    let rest = (0..band.n_members()).filter(|member| *member != face && !with.contains(member));
    let others: Vec<usize> = with.iter().copied().chain(rest).collect();
    let schedule = [new].into_iter().chain(others.iter().map(|&m| members[m].clone())).collect();
    let mut flags = vec![band.members[face]];
    flags[0].coincident = false;
    flags.extend(others.iter().map(|&member| band.members[member]));
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(flags.len()), schedule);
    let band = Band { schedule, permutable: true, members: flags, isolate: None };
    Ok(Diamond { band, others, n_summed: 1 + with.len(), steepness })
}

/// The distances of the dependences along the members of a band.
struct Distances {
    /// The statements below the band.
    statements: Vec<Set>,
    /// For a pair of statements (as positions in the list), distances from the first to the second.
    between: Vec<(usize, usize, Set)>,
    /// The number of schedule dimensions outside the band.
    first: usize,
}

impl Distances {
    fn new(band: &Band, reaching: &Reaching, dependences: &UnionMap) -> Result<Self> {
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

    /// Constants that make the hyperplane legal, one per statement; none if there are none.
    fn constants(
        &self,
        steepness: i64,
        face: usize,
        with: &[usize],
        budget: &Budget,
    ) -> Result<Option<Vec<Int>>> {
        let mut constraints = Vec::with_capacity(self.between.len());
        for (source, sink, distances) in &self.between {
            let space = distances.space();
            let along = |member| Aff::variable(space, DimKind::Out, self.first + member);
            let mut form = along(face).scale(&Int::from(steepness));
            for &member in with {
                form = form.sub(&along(member))?;
            }
            match distances.min_val(&form, budget)? {
                Optimum::Empty => {}
                Optimum::Unbounded => return Ok(None),
                Optimum::At(least) => constraints.push((*source, *sink, least)),
            }
        }
        Ok(potentials(self.statements.len(), &constraints))
    }

    /// One constant for each statement.
    fn by_statement(&self, constants: &[Int]) -> UnionPwAff {
        let parts = self.statements.iter().zip(constants);
        let parts = parts
            .map(|(domain, constant)| PwAff::from_aff(Aff::constant(domain.space(), constant)));
        UnionPwAff::from_parts(parts.collect())
    }
}

/// Values with `value[b] - value[a] + d >= 0` for each constraint `(a, b, d)`, none above zero; none
/// if there are no such values. Cost: `n` passes over the constraints.
pub(crate) fn potentials(n: usize, constraints: &[(usize, usize, Int)]) -> Option<Vec<Int>> {
    let mut values = vec![Int::from(0); n];
    for _ in 0..=n {
        let mut changed = false;
        for (a, b, distance) in constraints {
            let most = &values[*b] + distance;
            if most < values[*a] {
                values[*a] = most;
                changed = true;
            }
        }
        if !changed {
            return Some(values);
        }
    }
    None
}
