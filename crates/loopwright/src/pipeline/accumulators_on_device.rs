//! Local accumulators on a device: the region whose results are accumulated in the elements that they end in,
//! as results of threads are elements.
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::outcome::Stage;
use crate::pipeline::prove::prove_accumulators;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use loopwright_cfront::{IndependentLoop, Region};
use loopwright_dataflow::Dependences;
use loopwright_presburger::Result;
use loopwright_scop::StatementId;
use loopwright_transform::accumulators::{WithoutAccumulators, without_accumulators};
use loopwright_verify::{ProgramWithoutAccumulators, Proof};

/// Such a region.
pub(crate) struct ResultsInElements {
    pub(crate) analysed: Analysed,
    /// That it computes what the region does; nothing if that is not to be proved.
    proof: Option<(&'static str, Proof)>,
    /// The names of scalars, and of the arrays that have their values.
    names: Vec<(String, String)>,
}

impl ResultsInElements {
    /// Whether code for it has values in memory of blocks and threads: without these a local variable is
    /// better.
    pub(crate) fn is_better(&self, result: &RegionResult) -> bool {
        result.code_scop.arrays.len() > self.analysed.region.scop.arrays.len()
    }

    /// Says in a report what has been proved, and what was done.
    pub(crate) fn reported(self, result: &mut RegionResult) {
        result.report.proofs.extend(self.proof);
        let said = |(scalar, array): &(String, String)| {
            format!("`{scalar}` accumulates in the element of `{array}` that it ends in")
        };
        result.report.notes.extend(self.names.iter().map(said));
    }
}

/// The region whose accumulators are elements, if it has such accumulators and it is proved that it computes
/// what the region does.
///
/// # Errors
/// Those of the operations, a limit among them.
pub(crate) fn with_results_in_elements(
    given: &Analysed,
    run: Run<'_>,
) -> Result<Option<ResultsInElements>> {
    let options = run.options;
    let is_given = options.scheduler.is_given() || options.devices.sizes.is_some();
    let region = &given.region;
    if is_given || !options.device_registers || !region.filters.is_empty() {
        return Ok(None);
    }
    let budget = run.effort().stage();
    let in_order = run.time(Stage::Dependences, || Dependences::of_scop(&region.scop, &budget))?;
    let found =
        run.time(Stage::Transform, || without_accumulators(&region.scop, &in_order, &budget))?;
    let Some(WithoutAccumulators { scop, origins, replaced }) = found else { return Ok(None) };
    let proof = match options.verify {
        false => None,
        true => {
            let own = Dependences::of_scop(&scop, &budget)?;
            let (original, dependences) = (&region.scop, &in_order);
            let program =
                ProgramWithoutAccumulators { original, dependences, changed: &scop, own: &own };
            Some(run.time(Stage::Verify, || prove_accumulators(program, run.effort()))?)
        }
    };
    if proof.as_ref().is_some_and(|(_, proof)| !proof.is_proved()) {
        return Ok(None);
    }
    let name = |id| region.scop.array(id).name.to_string();
    let names = replaced.iter().map(|(scalar, array)| (name(*scalar), name(*array))).collect();
    let analysed = analysed(Region { scop, ..renumbered(region, &origins) }, options)?;
    Ok(Some(ResultsInElements { analysed, proof, names }))
}

/// The region with what it says about statements for those that are left.
fn renumbered(region: &Region, origins: &[StatementId]) -> Region {
    let new_id = |old: &StatementId| {
        let at = origins.iter().position(|origin| origin == old)?;
        Some(StatementId(u32::try_from(at).ok()?))
    };
    let independent = region.independent.iter().map(|own| IndependentLoop {
        statements: own.statements.iter().filter_map(new_id).collect(),
        depth: own.depth,
    });
    Region {
        updates: region.updates.iter().filter_map(new_id).collect(),
        independent: independent.collect(),
        places: Vec::new(),
        used_after: Vec::new(),
        finer: None,
        ..region.clone()
    }
}
