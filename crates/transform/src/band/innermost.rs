//! Which member of a band runs innermost, and what becomes of its loop.
use crate::decision::Decision;
use crate::loops::split_at_carried_iteration::independent_ranges;
use crate::loops::vectorize::Innermost;
use crate::loops::{distribute, interleave, loop_order};
use crate::site::BandSite;
use loopwright_presburger::{Name, Result};
use loopwright_schedule::Band;

/// The innermost loop of a band.
#[derive(Clone, Debug)]
pub struct InnermostChoice {
    /// The order of the members that it asks for.
    pub order: Vec<usize>,
    /// What becomes of it.
    pub innermost: Innermost,
    /// What was decided.
    pub decisions: Vec<Decision>,
}

/// The choice for a band that has no other inside; `packs` tells whether strided reads are packed where that
/// is possible.
///
/// *Cost.* One exact test of independence per member of a permutable band, and one per child of a sequence
/// below.
///
/// # Errors
/// For malformed trees.
pub fn choose_innermost(site: &BandSite, packs: bool) -> Result<InnermostChoice> {
    let n = site.n_members();
    let candidates = if site.band.permutable { 0..n } else { n - 1..n };
    let mut private = vec![None; n];
    for member in candidates.clone() {
        let loops = site.members_in(&loop_order::with_innermost(n, member));
        private[member] = site.private_scalars(&loops)?;
    }
    let is_parallel = |member: usize| private[member].is_some();
    let member = loop_order::best_innermost(&site.nest, candidates, is_parallel, packs);
    let order = loop_order::with_innermost(n, member);
    let innermost =
        innermost(site, &site.band.permute(&order)?, member, private.swap_remove(member))?;
    let mut decisions = Vec::new();
    decisions.extend(match &innermost {
        Innermost::Split(parts) => Some(Decision::InnermostInParts(parts.len())),
        Innermost::InStep => Some(Decision::InStep),
        Innermost::Ranges(_) => Some(Decision::InnermostInRanges),
        Innermost::Serial | Innermost::Vector(_) => None,
    });
    if member != n - 1 {
        decisions.push(Decision::RunsInnermost(member));
    }
    Ok(InnermostChoice { order, innermost, decisions })
}

/// What becomes of the last loop of the band `ordered`, which is `member` of the band, and whose iterations
/// are independent up to `private` scalars if these are given.
fn innermost(
    site: &BandSite,
    ordered: &Band,
    member: usize,
    private: Option<Vec<Name>>,
) -> Result<Innermost> {
    let BandSite { child, reaching, independence, .. } = *site;
    if let Some(private) = private {
        let parts = distribute::guarded_split(ordered, child, reaching, independence)?;
        return Ok(parts.map_or_else(|| in_vectors(site, member, private), Innermost::Split));
    }
    if let Some(parts) = distribute::may_split(ordered, child, reaching, independence)? {
        return Ok(Innermost::Split(parts));
    }
    if let Some(ranges) = independent_ranges(reaching, ordered.schedule.members(), independence)? {
        return Ok(Innermost::Ranges(ranges));
    }
    Ok(match interleave::pays(ordered, child) {
        true => Innermost::InStep,
        false => Innermost::Serial,
    })
}

/// The innermost loop `member` with independent iterations: in vectors if these gain anything.
pub fn in_vectors(site: &BandSite, member: usize, private: Vec<Name>) -> Innermost {
    match site.n_members() > member && loop_order::walks_down_columns(&site.nest, member) {
        true => Innermost::Serial,
        false => Innermost::Vector(private),
    }
}
