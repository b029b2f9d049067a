//! The order of a schedule, proved: what is refuted is not used.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::prove::prove_order;
use crate::pipeline::run::Run;
use crate::pipeline::schedule_choice::choose_schedule;
use crate::settings::options::{CompileOptions, Scheduler};
use loopwright_schedule::ScheduleTree;
use loopwright_verify::Proof;

/// A schedule with the proofs about it; not the chosen one if they refute it.
pub(crate) fn with_checked_order(
    analysed: &Analysed,
    chosen: ScheduleChoice,
    run: Run<'_>,
) -> std::result::Result<(ScheduleChoice, Proofs), Failure> {
    if !run.options.verify {
        return Ok((chosen, Vec::new()));
    }
    let check = |tree: &ScheduleTree| {
        let Analysed { region, dependences, .. } = analysed;
        run.time(Stage::Verify, || prove_order(&region.scop, dependences, tree, run.effort()))
            .map_err(|e| Failure::in_stage("verification", &e))
    };
    let proofs = check(&chosen.tree)?;
    let refuted = proofs.iter().find(|(_, proof)| matches!(proof, Proof::Refuted(_)));
    let Some((claim, proof)) = refuted else { return Ok((chosen, proofs)) };
    let chosen = reject(analysed, claim, proof, run)?;
    let proofs = check(&chosen.tree)?;
    Ok((chosen, proofs))
}

/// A user's schedule that is wrong is an error; our own is replaced by the program's order.
fn reject(
    analysed: &Analysed,
    claim: &str,
    proof: &Proof,
    run: Run<'_>,
) -> std::result::Result<ScheduleChoice, Failure> {
    let reasons: Vec<String> = match proof {
        Proof::Refuted(violations) => violations.iter().map(ToString::to_string).collect(),
        _ => Vec::new(),
    };
    if run.options.scheduler.is_given() {
        let message = format!("the given schedule is not legal: it is not true that {claim}");
        return Err(Failure::refused(message).with_notes(reasons));
    }
    let original = CompileOptions {
        scheduler: Scheduler::None,
        transformations: Vec::new(),
        ..run.options.clone()
    };
    let mut chosen = choose_schedule(analysed, run.with(&original))?;
    let reasons: String = reasons.iter().map(|reason| format!("\n  {reason}")).collect();
    chosen.notes.push(format!(
        "the computed schedule was rejected because it is not true that {claim}; the program's \
         order is kept (this is a defect of the compiler, please report it){reasons}"
    ));
    Ok(chosen)
}
