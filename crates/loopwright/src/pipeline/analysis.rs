//! From the model of a region to its dependences.
use crate::pipeline::parametric_flow::possible_flow;
use crate::pipeline::reassociation;
use crate::pipeline::run::stage_budget_by;
use crate::settings::options::CompileOptions;
use loopwright_backend::Target;
use loopwright_cfront::{IndependentLoop, Region};
use loopwright_dataflow::{Dependences, PossibleFlow, without_dead_code, without_dead_statements};
use loopwright_presburger::{Budget, Error, Result};
use loopwright_scop::Scop;

/// A region with the dependences that the options ask for.
pub(crate) struct Analysed {
    pub(crate) region: Region,
    pub(crate) dependences: Dependences,
    /// What there is to say about the dependences.
    pub(crate) remarks: Vec<String>,
    /// Whether dead instances are left out.
    pub(crate) drops_instances: bool,
}

/// The region with its dependences.
///
/// # Errors
/// Those of the analysis; approximated dependences are none.
pub(crate) fn analysed(region: Region, options: &CompileOptions) -> Result<Analysed> {
    let (possible, why_not) = match region.finer.is_some() {
        false => (None, None),
        true => match possible_flow(&region, options)? {
            Ok(possible) => (Some(possible), None),
            Err(reason) => (None, Some(format!("dataflow is that of accesses: {reason}"))),
        },
    };
    let (region, mut dependences, remark) = without_dead_instances(region, &possible, options)?;
    let drops_instances = options.eliminate_dead_code && remark.is_some();
    let mut remarks = Vec::from_iter(remark);
    remarks.extend(why_not);
    if options.reassociate {
        let (relaxed, remark) =
            reassociation::relaxed(&region.scop, dependences, &stage_budget_by(options))?;
        dependences = relaxed;
        remarks.push(remark);
    } else if options.target == Target::OpenMp && options.device.is_none() {
        let budget = stage_budget_by(options);
        let (relaxed, found) =
            reassociation::without_order_of_totals(&region, dependences, &budget)?;
        dependences = relaxed;
        remarks.extend(found);
    }
    if !dependences.is_exact {
        remarks.push("a limit was reached: some dependences are approximated".to_string());
    }
    Ok(Analysed { region, dependences, remarks, drops_instances })
}

/// The dependences of a model, if no more flows than is known to be possible.
fn dependences_of(
    scop: &Scop,
    possible: Option<&PossibleFlow>,
    budget: &Budget,
) -> Result<Dependences> {
    match possible {
        Some(possible) => Dependences::of_scop_within(scop, possible, budget),
        None => Dependences::of_scop(scop, budget),
    }
}

/// The region without dead instances, with its dependences but for those that the program says there are
/// none.
fn without_dead_instances(
    region: Region,
    possible: &Option<PossibleFlow>,
    options: &CompileOptions,
) -> Result<(Region, Dependences, Option<String>)> {
    let (region, mut dependences, remark) = without_dead_code_of(region, possible, options)?;
    let budget = stage_budget_by(options);
    for IndependentLoop { statements, depth } in &region.independent {
        dependences = dependences.without_carried(&region.scop, statements, *depth, &budget)?;
    }
    Ok((region, dependences, remark))
}

/// The region with its dependences, without dead code if that is asked for, and a remark about it.
/// Assignments to variables whose values are known otherwise are left out in any case.
fn without_dead_code_of(
    mut region: Region,
    possible: &Option<PossibleFlow>,
    options: &CompileOptions,
) -> Result<(Region, Dependences, Option<String>)> {
    let budget = stage_budget_by(options);
    let possible = possible.as_ref();
    let dependences = dependences_of(&region.scop, possible, &budget)?;
    if !options.eliminate_dead_code {
        if region.updates.is_empty() {
            return Ok((region, dependences, None));
        }
        let (scop, updates) = (&region.scop, &region.updates);
        return match without_dead_statements(scop, &dependences, updates, &budget) {
            Err(Error::Exceeded { .. }) => Ok((region, dependences, None)),
            scop => {
                region.scop = scop?;
                let dependences = dependences_of(&region.scop, possible, &budget)?;
                Ok((region, dependences, None))
            }
        };
    }
    match without_dead_code(&region.scop, &dependences, &budget) {
        Err(Error::Exceeded { operation, .. }) => {
            let remark = format!("dead code is kept: a limit was reached ({operation})");
            Ok((region, dependences, Some(remark)))
        }
        scop => {
            let original = std::mem::replace(&mut region.scop, scop?);
            let dependences = dependences_of(&region.scop, possible, &budget)?;
            let remark = dead_code_remark(&original, &region.scop, &budget);
            Ok((region, dependences, remark))
        }
    }
}

/// Which statements have lost instances; none if there are none.
fn dead_code_remark(original: &Scop, live: &Scop, budget: &Budget) -> Option<String> {
    let pairs = original.statements.iter().zip(&live.statements);
    let smaller = pairs.filter(|(a, b)| !a.domain.is_equal(&b.domain, budget).unwrap_or(false));
    let names: Vec<&str> = smaller.map(|(statement, _)| &*statement.name).collect();
    (!names.is_empty()).then(|| format!("dead code is left out: {}", names.join(", ")))
}
