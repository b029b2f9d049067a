//! Parallelism in a permutable band without a coincident member: diagonals.
//!
//! Every dependence has a non-negative distance along each member `t0, t1, ...`, and a tile (or
//! point) that differs in `(t0, t1)` has `t0 + t1` greater by at least one. So with the first member
//! replaced by `t0 + t1`, every dependence between different `(t0, t1)` is carried by the new
//! first member, and the second member carries none: all its values on one diagonal may run at
//! the same time (Lamport's hyperplane method, CACM 1974; for tiles, Bondhugula et al., PLDI
//! 2008). Only two members enter the sum: each further one would lengthen the diagonal loop, that is,
//! add synchronisation, without adding parallelism that a few cores could use.
use loopwright_presburger::Result;
use loopwright_schedule::Band;

/// The band with its first member replaced by the sum of the first two, and the second marked as
/// coincident; none if the band is not permutable or has a single member.
///
/// The result is no longer permutable.
///
/// # Errors
/// Those of the sum.
pub fn skew(band: &Band) -> Result<Option<Band>> {
    if !band.permutable || band.n_members() < 2 {
        return Ok(None);
    }
    let mut members = band.schedule.members().to_vec();
    members[0] = members[0].add(&members[1])?;
    let mut skewed = Band { isolate: None, ..band.clone() }.with_members(members);
    skewed.permutable = false;
    skewed.members[0].coincident = false;
    skewed.members[1].coincident = true;
    Ok(Some(skewed))
}
