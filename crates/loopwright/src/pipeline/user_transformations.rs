//! The user's own transformations: applied one after another, each proved before it is used.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::Stage;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::prove::prove_order;
use crate::pipeline::run::{Run, stage_budget};
use crate::settings::transformation::{Subject, Transformation};
use loopwright_presburger::Error;
use loopwright_schedule::ScheduleTree;

/// The schedule after all transformations that lead to a proved one.
pub(crate) fn with_user_transformations(
    mut chosen: ScheduleChoice,
    analysed: &Analysed,
    run: Run<'_>,
) -> ScheduleChoice {
    for transformation in &run.options.transformations {
        let name = transformation.name();
        match transformed(&chosen.tree, &**transformation, analysed, run) {
            Ok(Some(tree)) => {
                chosen.tree = tree;
                chosen.tried.push(format!("{name}: proved, taken"));
            }
            Ok(None) => chosen.tried.push(format!("{name}: nothing to do")),
            Err(reason) => {
                chosen.tried.push(format!("{name}: given up"));
                chosen.notes.push(format!("{name} is not used: {reason}"));
            }
        }
    }
    chosen
}

/// What a transformation makes of a schedule; an error in words if that is not proved.
fn transformed(
    tree: &ScheduleTree,
    transformation: &dyn Transformation,
    analysed: &Analysed,
    run: Run<'_>,
) -> Result<Option<ScheduleTree>, String> {
    let Analysed { region, dependences, .. } = analysed;
    let (scop, machine) = (&region.scop, &run.options.machine);
    let budget = stage_budget();
    let subject = Subject { scop, dependences, machine, budget: &budget };
    let found = run.time(Stage::Transform, || transformation.apply(tree, subject));
    let Some(tree) = found.map_err(in_words)? else { return Ok(None) };
    let in_stage = |error: Error| error.to_string();
    let tree = with_private_scalars(scop, dependences, &tree, &budget).map_err(in_stage)?;
    let proofs =
        run.time(Stage::Verify, || prove_order(scop, dependences, &tree)).map_err(in_stage)?;
    match proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        None => Ok(Some(tree)),
        Some((claim, _)) => Err(format!("it is not true that {claim}, or not proved")),
    }
}

fn in_words(failure: Failure) -> String {
    let messages = failure.diagnostics.into_iter().map(|diagnostic| diagnostic.message);
    messages.collect::<Vec<_>>().join("; ")
}
