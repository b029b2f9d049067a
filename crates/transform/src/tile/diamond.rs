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
//! For a given `k` the constants are those of [`crate::tile::distances`], if there are any. The values `k = 1, 2, ...` are
//! tried in turn; a smaller one has fewer diagonals. The distances are those of all dependences between
//! instances that agree on what is outside of the band, so the answer is exact, and it is found from the
//! dependences whatever the statements look like. In-place updates (Gauss-Seidel) have dependences with
//! `f = 0` in all directions: no `k` exists.
use crate::tile::distances::{Distances, potentials};
use loopwright_presburger::{
    Budget, Error, Int, MultiUnionPwAff, Result, Tuple, UnionMap, UnionPwAff,
};
use loopwright_schedule::{Band, Reaching};

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
        let against = with.iter().map(|&member| (member, -1));
        let form: Vec<(usize, i64)> = [(face, steepness)].into_iter().chain(against).collect();
        let least = match distances.least(&form, budget) {
            Err(Error::Exceeded { .. }) => return Ok(None),
            least => least?,
        };
        let constants = least.map(|least| potentials(distances.n_statements(), &least));
        if let Some(Ok(constants)) = constants {
            let constants = distances.by_statement(&constants);
            return replaced(band, face, with, steepness, constants).map(Some);
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
