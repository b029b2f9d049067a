//! Concurrent start: tiles that can all begin at the same time.
//!
//! In a permutable band without a coincident member, tiles run in diagonals of the space of tiles
//! ([`crate::loops::wavefront`]). With rectangular tiles of skewed members those diagonals begin with one
//! tile and grow, and there are more of them the longer the loops over data are. *Diamond* tiling (Bandishti,
//! Pananilath, Bondhugula, "Tiling stencil computations to maximize parallelism", SC 2012; for one dimension
//! of data the tubes of Strzodka et al., ICPP 2011) replaces one member so that the sum of the tile
//! coordinates grows along time alone: every diagonal is a whole row of tiles, and the number of diagonals
//! does not depend on the size of the data.
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
//! Tiles that are wider along some members than along others come from *weights*: with
//! `g = k f - w1 h1 - ... - wm hm + c` and widths `s` for `g`, `s / w1, ..., s / wm` for the others the sum
//! of the tile coordinates is that of tiles of one width along `g, w1 h1, ..., wm hm`, so it still grows
//! along time alone. Rows of some hundred values, some tens of them, are such tiles.
//!
//! # How it is found
//! For a given `k` the constants are those of [`crate::tile::distances`], if there are any. The values
//! `k = 1, 2, ...` are tried in turn; a smaller one has fewer diagonals. The distances are those of all
//! dependences between instances that agree on what is outside of the band, so the answer is exact, and it is
//! found from the dependences whatever the statements look like. In-place updates (Gauss-Seidel) have
//! dependences with `f = 0` in all directions: no `k` exists.
use crate::tile::distances::{Distances, potentials};
use loopwright_presburger::{
    Budget, Error, Int, MultiUnionPwAff, Result, Tuple, UnionMap, UnionPwAff,
};
use loopwright_schedule::{Band, Reaching};

/// The greatest `k` that is tried. A star of radius `r` in `d` dimensions needs `r d` (twice that where a
/// time step counts as one and has two halves), a full box `2 r` or so. With weights it is so many times
/// their mean.
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
/// *Cost.* One integer optimum for each pair of dependent statements and each value of `k`.
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
    let with: Vec<(usize, i64)> = with.iter().map(|&member| (member, 1)).collect();
    weighted_start(band, face, &with, reaching, dependences, budget)
}

/// [`concurrent_start`] with weights: each of the members `with` comes with the multiple of it that is
/// combined.
///
/// ```
/// use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap, UnionSet};
/// use loopwright_schedule::{Band, Reaching, ScheduleTree};
/// use loopwright_transform::tile::diamond::weighted_start;
/// let members = "[{ S[t, i, j] -> [(t)] }, { S[t, i, j] -> [(t + i)] }, { S[t, i, j] -> [(t + j)] }]";
/// let band = Band::new(MultiUnionPwAff::parse(members)?).with_permutable(true);
/// let tree = ScheduleTree::from_domain(UnionSet::parse("{ S[t, i, j] }")?);
/// let star = "{ S[t, i, j] -> S[t + 1, x, j] : i - 1 <= x <= i + 1; S[t, i, j] -> S[t + 1, i, x] : j - 1 <= x <= j + 1 }";
/// let (reaching, budget) = (Reaching::root(&tree), Budget::unlimited());
/// let wide = weighted_start(&band, 0, &[(1, 4), (2, 1)], &reaching, &UnionMap::parse(star)?, &budget)?.unwrap();
/// assert_eq!(wide.steepness, 9, "4 (1 + 1) + 1");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// *Cost.* As there, with as many times more values of `k` as the weights are.
///
/// # Errors
/// For malformed trees.
pub fn weighted_start(
    band: &Band,
    face: usize,
    with: &[(usize, i64)],
    reaching: &Reaching,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<Option<Diamond>> {
    let n = band.n_members();
    let is_member = |(member, weight): &(usize, i64)| *member < n && *member != face && *weight > 0;
    if !band.permutable || face >= n || with.is_empty() || !with.iter().all(is_member) {
        return Ok(None);
    }
    let distances = match Distances::new(band, reaching, dependences) {
        Err(Error::Exceeded { .. }) => return Ok(None),
        distances => distances?,
    };
    let weights = with.iter().map(|(_, weight)| *weight).fold(0, i64::saturating_add);
    let search = Search { distances: &distances, face, with, budget };
    let found = match search.least_steepness(GREATEST_STEEPNESS.saturating_mul(weights)) {
        Err(Error::Exceeded { .. }) => None,
        found => found?,
    };
    found
        .map(|(steepness, constants)| {
            let constants = distances.by_statement(&constants);
            replaced(band, face, with, steepness, constants)
        })
        .transpose()
}

/// What a steepness is looked for in.
struct Search<'a> {
    distances: &'a Distances,
    face: usize,
    with: &'a [(usize, i64)],
    budget: &'a Budget,
}

impl Search<'_> {
    /// The least steepness with constants that make it legal, up to `most`. No dependence decreases along the
    /// face, so each greater one is legal too, and the least is found by halving; few are tried one after the
    /// other.
    fn least_steepness(&self, most: i64) -> Result<Option<(i64, Vec<Int>)>> {
        if self.with.iter().all(|(_, weight)| *weight == 1) {
            for steepness in 1..=GREATEST_STEEPNESS {
                if let Some(constants) = self.constants(steepness)? {
                    return Ok(Some((steepness, constants)));
                }
            }
            return Ok(None);
        }
        let Some(mut found) = self.constants(most)?.map(|constants| (most, constants)) else {
            return Ok(None);
        };
        let mut illegal = 0;
        while found.0 - illegal > 1 {
            let middle = illegal + (found.0 - illegal) / 2;
            match self.constants(middle)? {
                Some(constants) => found = (middle, constants),
                None => illegal = middle,
            }
        }
        Ok(Some(found))
    }

    /// The constants by statement with which a steepness is legal.
    fn constants(&self, steepness: i64) -> Result<Option<Vec<Int>>> {
        let against = self.with.iter().map(|&(member, weight)| (member, -weight));
        let form: Vec<(usize, i64)> = [(self.face, steepness)].into_iter().chain(against).collect();
        let least = self.distances.least(&form, self.budget)?;
        Ok(least.and_then(|least| potentials(self.distances.n_statements(), &least).ok()))
    }
}

/// `band` with the member `face` replaced.
fn replaced(
    band: &Band,
    face: usize,
    with: &[(usize, i64)],
    steepness: i64,
    constants: UnionPwAff,
) -> Result<Diamond> {
    let members = band.schedule.members();
    let mut new = members[face].scale(&Int::from(steepness)).add(&constants)?;
    for &(member, weight) in with {
        new = new.sub(&members[member].scale(&Int::from(weight)))?;
    }
    let with: Vec<usize> = with.iter().map(|(member, _)| *member).collect();
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
