//! Conditions of a region that are checked when the program runs (see
//! [`loopwright_cfront::RunTimeCondition`]).
use crate::settings::effort::Effort;
use loopwright_cfront::{Region, RunTimeCondition};
use loopwright_presburger::Set;

/// Steps that it may cost to find out whether a condition has to be checked; without them it is.
const STEPS: u64 = 100_000;

/// Puts the values that the region takes symbolic constants to have into its context.
fn know_values(region: &mut Region) -> Result<(), String> {
    let parameters = &region.scop.parameters;
    let is_used = |name: &str| parameters.iter().any(|parameter| *parameter.name == *name);
    let known = region.known_values.iter().filter(|known| is_used(&known.parameter));
    let (names, values): (Vec<&str>, Vec<String>) =
        known.map(|k| (&*k.parameter, format!("{} = {}", k.parameter, k.value))).unzip();
    if names.is_empty() {
        return Ok(());
    }
    let text = format!("[{}] -> {{ : {} }}", names.join(", "), values.join(" and "));
    let failed = |error: &dyn std::fmt::Display| format!("its values cannot be used: {error}");
    let values = Set::parse(&text).map_err(|error| failed(&error))?;
    let context = &region.scop.context;
    let values = values.align_params(context.space());
    region.scop.context = context.intersect(&values).map_err(|error| failed(&error))?;
    Ok(())
}

/// The region whose context has what is checked; without the conditions that the context and the other
/// conditions imply.
///
/// # Errors
/// In words, if the conditions never hold together: then the region can only stay as it was.
pub(crate) fn settled(mut region: Region, effort: &Effort) -> Result<Region, String> {
    know_values(&mut region)?;
    let context = &region.scop.context;
    let budget = || effort.budget(STEPS);
    let constants = |condition: &RunTimeCondition| {
        condition.fact.constants().map(|set| set.align_params(context.space()))
    };
    let all = |start: &Set, conditions: &[RunTimeCondition]| {
        conditions
            .iter()
            .filter_map(constants)
            .try_fold(start.clone(), |all, set| all.intersect_within(&set, &budget()))
    };
    let conditions = std::mem::take(&mut region.conditions);
    let together = all(context, &conditions);
    if together.as_ref().is_ok_and(|set| set.is_empty(&budget()).unwrap_or(false)) {
        let never =
            conditions.iter().find(|c| constants(c).is_some_and(|set| set.plain_is_empty()));
        let named = never.map_or(&conditions[..], std::slice::from_ref);
        let sentences: Vec<String> = named.iter().map(RunTimeCondition::needed_for).collect();
        return Err(format!(
            "the region is left as it was: it never holds that {}",
            sentences.join(", and that ")
        ));
    }
    let mut kept: Vec<RunTimeCondition> = Vec::new();
    for (position, condition) in conditions.iter().enumerate() {
        let is_implied = || {
            let others = all(&all(context, &kept).ok()?, &conditions[position + 1..]).ok()?;
            others.is_subset(&constants(condition)?, &budget()).ok()
        };
        if is_implied() != Some(true) {
            kept.push(condition.clone());
        }
    }
    // Without the constraints the context is weaker, and so still right.
    if let Ok(context) = together {
        region.scop.context = context;
    }
    region.conditions = kept;
    Ok(region)
}
