//! The user's own transformations: applied one after another, each proved before it is used.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::Stage;
use crate::pipeline::parallelize::with_private_scalars;
use crate::pipeline::prove::prove_order;
use crate::pipeline::run::{Run, stage_budget_by};
use loopwright_presburger::Error;
use loopwright_schedule::ScheduleTree;
use loopwright_transform::{Subject, Transformation};

/// The schedule after all transformations that lead to a proved one.
pub(crate) fn with_user_transformations(
    mut chosen: ScheduleChoice,
    analysed: &Analysed,
    run: Run<'_>,
) -> ScheduleChoice {
    for plugin in &run.options.transformations {
        let transformation = plugin.transformation();
        let name = transformation.name();
        match transformed(&chosen.tree, transformation, analysed, run) {
            Ok(tree) => {
                chosen.tree = tree;
                chosen.tried.push(format!("{name}: proved, taken"));
            }
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
) -> Result<ScheduleTree, String> {
    let Analysed { region, dependences, .. } = analysed;
    let scop = &region.scop;
    let budget = stage_budget_by(run.options);
    let subject = Subject { tree, scop, dependences };
    let in_stage = |error: Error| error.to_string();
    let tree =
        run.time(Stage::Transform, || transformation.apply(subject, &budget)).map_err(in_stage)?;
    let tree = with_private_scalars(scop, dependences, &tree, &budget).map_err(in_stage)?;
    let proofs = run
        .time(Stage::Verify, || prove_order(scop, dependences, &tree, run.effort()))
        .map_err(in_stage)?;
    match proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        None => Ok(tree),
        Some((claim, _)) => Err(format!("it is not true that {claim}, or not proved")),
    }
}
