//! What the user says about symbolic constants: `--ctx`, `--assume-non-negative-parameters`.
use crate::diagnostics::failure::Failure;
use crate::settings::effort::Effort;
use crate::settings::options::CompileOptions;
use loopwright_cfront::Region;
use loopwright_presburger::{DimKind, Name, Set};

/// Adds what the options say to the contexts of regions, and to what is assumed.
///
/// # Errors
/// In words, if the context cannot be read, is not about symbolic constants, contradicts what is known,
/// or names what no region has.
pub(crate) fn assume_context(
    regions: &mut [Region],
    options: &CompileOptions,
) -> Result<(), Failure> {
    if let Some(text) = &options.context {
        let given = parse(text)?;
        check_names(regions, &given)?;
        for region in regions.iter_mut() {
            let own = of_region(region, &given);
            restrict(region, &own, &options.embedding.effort)?;
            region.scop.assumptions.push(format!("the context `{text}`, as --ctx says"));
        }
    }
    if options.non_negative_parameters {
        for region in regions.iter_mut() {
            let names: Vec<String> =
                region.scop.parameters.iter().map(|p| p.name.to_string()).collect();
            if names.is_empty() {
                continue;
            }
            let conditions: Vec<String> = names.iter().map(|name| format!("{name} >= 0")).collect();
            let text = format!("[{}] -> {{ : {} }}", names.join(", "), conditions.join(" and "));
            let set = parse(&text)?;
            restrict(region, &set, &options.embedding.effort)?;
            let text = format!("no symbolic constant is negative: {}", names.join(", "));
            region.scop.assumptions.push(text);
        }
    }
    Ok(())
}

const FORM: &str = "write it as in `[n, m] -> { : n >= 1 and m >= n }`";

fn parse(text: &str) -> Result<Set, Failure> {
    let set = Set::parse(text).map_err(|error| {
        Failure::refused(format!("the context given with --ctx cannot be read: {error}"))
            .with_help(FORM)
    })?;
    if set.n(DimKind::Out) > 0 {
        return Err(Failure::refused("the context given with --ctx has dimensions of its own")
            .with_help(FORM));
    }
    Ok(set)
}

fn names(set: &Set) -> Vec<Name> {
    set.space().param_names().to_vec()
}

fn check_names(regions: &[Region], given: &Set) -> Result<(), Failure> {
    let known: Vec<&Name> =
        regions.iter().flat_map(|r| r.scop.parameters.iter().map(|p| &p.name)).collect();
    for name in names(given) {
        if !known.contains(&&name) {
            let mut known: Vec<&str> = known.iter().map(|name| &***name).collect();
            known.sort_unstable();
            known.dedup();
            let list = if known.is_empty() { "none".to_string() } else { known.join(", ") };
            return Err(Failure::refused(format!(
                "the context given with --ctx names `{name}`, which is no symbolic constant of a region"
            ))
            .with_help(format!("the symbolic constants are: {list}")));
        }
    }
    Ok(())
}

/// What a context says about the symbolic constants of one region.
fn of_region(region: &Region, given: &Set) -> Set {
    let mut own = given.clone();
    for name in names(given) {
        if !region.scop.parameters.iter().any(|parameter| parameter.name == name) {
            let position = names(&own).iter().position(|n| *n == name);
            if let Some(position) = position {
                own = own.project_out(DimKind::Param, position, 1);
            }
        }
    }
    own
}

fn restrict(region: &mut Region, more: &Set, effort: &Effort) -> Result<(), Failure> {
    let in_stage = |e| Failure::in_stage("the given context", &e);
    let context = &region.scop.context;
    let more = more.align_params(context.space());
    let both = context.intersect(&more).map_err(in_stage)?;
    let budget = effort.budget(100_000);
    if both.is_empty(&budget).unwrap_or(false) {
        return Err(Failure::refused(format!(
            "nothing satisfies both the context given by options and what is known of the region in lines {}-{}",
            region.first_line, region.last_line
        )));
    }
    region.scop.context = both;
    Ok(())
}
