//! Parallelism in a permutable band without a coincident member: diagonals.
//!
//! Every dependence has a non-negative distance along each member `t0, t1, ...`, and a tile (or
//! point) that differs in `(t0, t1)` has `t0 + t1` greater by at least one. So with the first member
//! replaced by `t0 + t1`, every dependence between different `(t0, t1)` is carried by the new
//! first member, and the second member carries none: all its values on one diagonal may run at
//! the same time (Lamport's hyperplane method, CACM 1974; for tiles, Bondhugula et al., PLDI
//! 2008). Usually only two members enter the sum: each further one would lengthen the diagonal loop, that
//! is, add synchronisation, without adding parallelism that a few cores could use. Where tiles start
//! concurrently in all dimensions ([`crate::tile::diamond`]), all of them do.
use loopwright_presburger::{MultiUnionPwAff, Result, Tuple};
use loopwright_schedule::{Band, Member};

/// The band with the sum of the first `n_summed` members before all: in the order sum, the summed members
/// after the first (the second one marked as coincident), the first member, the others. None if the
/// band is not permutable or fewer than two members would be summed, or more than there are.
///
/// The first member is a function of the sum and the others in it, so its loop has one iteration; it
/// is kept because the bounds of the points inside are simple in terms of it. The result is no
/// longer permutable.
///
/// ```
/// use loopwright_presburger::MultiUnionPwAff;
/// use loopwright_schedule::Band;
/// use loopwright_transform::loops::wavefront::skew;
/// let mut band = Band::new(MultiUnionPwAff::parse("[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]")?);
/// band.permutable = true;
/// let skewed = skew(&band, 2)?.expect("a permutable band of two members");
/// assert_eq!(skewed.schedule.members()[0].to_string(), "{ S[i, j] -> [(i + j)] }");
/// assert!(skew(&band, 3)?.is_none());
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// Those of the sum.
pub fn skew(band: &Band, n_summed: usize) -> Result<Option<Band>> {
    if !band.permutable || n_summed < 2 || band.n_members() < n_summed {
        return Ok(None);
    }
    let mut members = band.schedule.members().to_vec();
    let mut sum = members[0].clone();
    for member in &members[1..n_summed] {
        sum = sum.add(member)?;
    }
    members[..n_summed].rotate_left(1);
    members.insert(0, sum);
    let mut flags = band.members.clone();
    flags[..n_summed].rotate_left(1);
    flags.insert(0, Member { coincident: false, ..flags[0] });
    flags[1].coincident = true;
    let schedule = MultiUnionPwAff::new(Tuple::anonymous(members.len()), members);
    Ok(Some(Band { schedule, permutable: false, members: flags, isolate: None }))
}
