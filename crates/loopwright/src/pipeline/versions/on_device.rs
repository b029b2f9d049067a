//! Versions of a region on a device for some sizes, which are tried before the one for all.
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::worth_on_device::WorthOnDevice;

/// Tries a version before the one for all sizes, and behind those that there are.
pub(crate) fn add_version(
    result: &mut RegionResult,
    mut version: RegionResult,
    (own, worth): (String, &WorthOnDevice),
    difference: &str,
) {
    result.report.notes.push(format!("where `{own}`: {difference}"));
    version.taken_if = Some(match worth {
        WorthOnDevice::If(worth) => format!("{worth} && {own}"),
        _ => own,
    });
    result.adds_claims_of(&version);
    result.narrower.push(version);
}
