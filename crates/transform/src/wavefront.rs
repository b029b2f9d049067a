//! Parallelism in a permutable band without a coincident member: diagonals.
//!
//! Every dependence has a non-negative distance along each member `t0, t1, ...`, and a tile (or
//! point) that differs in `(t0, t1)` has `t0 + t1` greater by at least one. So with the first member
//! replaced by `t0 + t1`, every dependence between different `(t0, t1)` is carried by the new
//! first member, and the second member carries none: all its values on one diagonal may run at
//! the same time (Lamport's hyperplane method, CACM 1974; for tiles, Bondhugula et al., PLDI
//! 2008). Only two members enter the sum: each further one would lengthen the diagonal loop, that is,
//! add synchronisation, without adding parallelism that a few cores could use.
use loopwright_presburger::{MultiUnionPwAff, Result, Tuple};
use loopwright_schedule::{Band, Member};

/// The band with the sum of the first two members before them, in the order sum, second member
/// (marked as coincident), first member, others; none if the band is not permutable or has a
/// single member.
///
/// The first member is a function of the sum and the second one, so its loop has one iteration; it
/// is kept because the bounds of the points inside are simple in terms of it. The result is no
/// longer permutable.
///
/// # Errors
/// Those of the sum.
pub fn skew(band: &Band) -> Result<Option<Band>> {
    if !band.permutable || band.n_members() < 2 {
        return Ok(None);
    }
    let mut members = band.schedule.members().to_vec();
    let sum = members[0].add(&members[1])?;
    members.swap(0, 1);
    members.insert(0, sum);
    let mut flags = band.members.clone();
    flags.swap(0, 1);
    flags.insert(0, Member { coincident: false, ..flags[0] });
    flags[1].coincident = true;
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(members.len()), members);
    Ok(Some(Band { schedule, permutable: false, members: flags, isolate: None }))
}
