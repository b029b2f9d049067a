//! Numbers of elements that a program accesses, as functions of its sizes.
use crate::settings::effort::Effort;
use loopwright_presburger::{PwQPolynomial, Result as SetResult, Set};
use loopwright_scop::{ArrayId, Scop};
use loopwright_storage::accessed_elements;

/// Steps for a number of cells: less than a second.
const COUNTING_STEPS: u64 = 2_000_000;

/// Symbolic constants from here on are not small: as many as a modulus may be.
const NOT_SMALL: u32 = 64;

/// The number of elements of an array that a program accesses, if no symbolic constant is small; none beyond
/// a limit.
pub(crate) fn number_of_elements(scop: &Scop, array: ArrayId, effort: &Effort) -> Option<String> {
    let all = counted_elements(scop, array, effort)?.to_string();
    // One piece, as most often: without its condition.
    let value = all.split_once("{ (").and_then(|(_, rest)| rest.split_once(") : "));
    Some(value.filter(|_| !all.contains("; ")).map_or(all.clone(), |(v, _)| v.to_string()))
}

/// The same as a function of the symbolic constants.
pub(crate) fn counted_elements(
    scop: &Scop,
    array: ArrayId,
    effort: &Effort,
) -> Option<PwQPolynomial> {
    let budget = effort.budget(COUNTING_STEPS);
    let count = || -> SetResult<Option<PwQPolynomial>> {
        let Some(elements) = accessed_elements(scop, array, &budget)? else { return Ok(None) };
        let names = scop.context.space().param_names();
        let list = names.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let large = names.iter().map(|name| format!("{name} >= {NOT_SMALL}"));
        let large = large.collect::<Vec<_>>().join(" and ");
        let colon = if names.is_empty() { "" } else { " : " };
        let large = Set::parse(&format!("[{list}] -> {{ {colon}{large} }}"))?;
        let elements = elements.intersect_params_within(&large, &budget)?;
        Ok(Some(elements.card(&budget)?))
    };
    count().ok().flatten()
}
