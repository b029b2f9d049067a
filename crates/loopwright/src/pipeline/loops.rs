//! The loops of a chosen schedule: generated and proved.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::Analysed;
use crate::pipeline::checked_order::with_checked_order;
use crate::pipeline::generated::{Generated, NoCode};
use crate::pipeline::one_schedule::ScheduleChoice;
use crate::pipeline::outcome::{Proofs, Stage};
use crate::pipeline::panels::{packed, prove_packed};
use crate::pipeline::prove::prove_ast;
use crate::pipeline::run::Run;
use crate::settings::effort::Effort;
use loopwright_astgen::{AstNode, Strategy};
use loopwright_presburger::{Error, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use loopwright_verify::Proof;

/// The loops of a chosen schedule, with their proofs. That panels do not change the order is proved
/// with them; if there are none the order is proved alone.
pub(crate) fn generated(
    analysed: &Analysed,
    mut chosen: ScheduleChoice,
    run: Run<'_>,
) -> std::result::Result<(ScheduleChoice, Generated), NoCode> {
    if run.options.panels && run.options.scheduler.is_searched() {
        let (what, found) = match loops_with_panels(analysed, &chosen, run) {
            Panels::None => ("none pays", None),
            Panels::GivenUp(reason) => {
                chosen.notes.push(format!("no panels are used ({reason})"));
                ("given up", None)
            }
            Panels::Taken(generated, decisions, strategy) => {
                chosen.notes.extend(decisions);
                chosen.settled.strategy = strategy;
                ("proved, taken", Some(generated))
            }
        };
        chosen.tried.push(format!("panels for what innermost loops read: {what}"));
        if let Some(generated) = found {
            return Ok((chosen, *generated));
        }
    }
    let (chosen, proofs) = with_checked_order(analysed, chosen, run)?;
    plain_loops(&analysed.region.scop, chosen, proofs, run)
}

/// The loops of a tree.
fn plain_loops(
    scop: &Scop,
    mut chosen: ScheduleChoice,
    mut proofs: Proofs,
    run: Run<'_>,
) -> std::result::Result<(ScheduleChoice, Generated), NoCode> {
    let tree = chosen.tree.clone();
    let (ast, strategy, note) = run
        .time(Stage::Ast, || loops(scop, &tree, chosen.settled.strategy, run.effort()))
        .map_err(|e| Failure::in_stage("generation of loops", &e))?;
    chosen.settled.strategy = strategy;
    chosen.notes.extend(note);
    if run.options.verify {
        let proof = run
            .time(Stage::Verify, || prove_ast(scop, &tree, &ast, run.options))
            .map_err(|e| Failure::in_stage("verification of the loops", &e))?;
        if let Proof::Refuted(violations) = &proof.1 {
            return Err(NoCode::WrongLoops(violations.iter().map(ToString::to_string).collect()));
        }
        proofs.push(proof);
    }
    Ok((chosen, Generated { scop: scop.clone(), tree, ast, proofs, loops: None }))
}

/// What came of panels.
enum Panels {
    /// None pays.
    None,
    /// Some pay, but they are not used, for this reason.
    GivenUp(String),
    /// The loops with panels, what there is to say about them, and how they were generated.
    Taken(Box<Generated>, Vec<String>, Strategy),
}

/// The loops of a schedule with panels, if some pay, and are proved.
fn loops_with_panels(analysed: &Analysed, chosen: &ScheduleChoice, run: Run<'_>) -> Panels {
    let Analysed { region, dependences, .. } = analysed;
    let machine = &run.options.machine;
    let packed =
        match run.time(Stage::Transform, || packed(region, &chosen.tree, machine, run.effort())) {
            Ok(Some(packed)) => packed,
            Ok(None) => return Panels::None,
            Err(error) => return Panels::GivenUp(error.to_string()),
        };
    let strategy = chosen.settled.strategy;
    let found = run.time(Stage::Ast, || loops(&packed.scop, &packed.tree, strategy, run.effort()));
    let (ast, strategy, note) = match found {
        Ok(found) => found,
        Err(error) => return Panels::GivenUp(error.to_string()),
    };
    let (proofs, loops) = match run.options.verify {
        false => (Vec::new(), None),
        true => {
            let prove = || prove_packed(region, dependences, &packed, &ast, run.effort());
            match run.time(Stage::Verify, prove) {
                Ok((proofs, loops)) => (proofs, Some(loops)),
                Err(error) => return Panels::GivenUp(error.to_string()),
            }
        }
    };
    if let Some((claim, proof)) = proofs.iter().find(|(_, proof)| !proof.is_proved()) {
        return Panels::GivenUp(format!("not proved: {claim}; {proof:?}"));
    }
    let mut notes: Vec<String> = packed.decisions.iter().map(|d| format!("panel: {d}")).collect();
    notes.extend(note);
    let generated = Generated { scop: packed.scop, tree: packed.tree, ast, proofs, loops };
    Panels::Taken(Box::new(generated), notes, strategy)
}

/// The loops by a strategy; if it reaches the limit, by the usual one, and a note that says so. With the
/// strategy that they are by.
pub(crate) fn loops(
    scop: &Scop,
    tree: &ScheduleTree,
    strategy: Strategy,
    effort: &Effort,
) -> Result<(AstNode, Strategy, Option<String>)> {
    by_strategy((scop, tree), strategy, true, effort)
}

/// The same for a device: iterators are the values of the schedule, which say on which block or thread an
/// iteration is.
pub(crate) fn loops_over_values(
    scop: &Scop,
    tree: &ScheduleTree,
    strategy: Strategy,
    effort: &Effort,
) -> Result<(AstNode, Strategy, Option<String>)> {
    by_strategy((scop, tree), strategy, false, effort)
}

fn by_strategy(
    (scop, tree): (&Scop, &ScheduleTree),
    strategy: Strategy,
    scale_strides: bool,
    effort: &Effort,
) -> Result<(AstNode, Strategy, Option<String>)> {
    let generate = |strategy| {
        let options = loopwright_astgen::Options {
            strategy,
            conditional_bounds: false,
            scale_strides,
            ..loopwright_astgen::Options::STANDARD
        };
        loopwright_astgen::generate(tree, &scop.context, &options, &effort.stage())
    };
    match generate(strategy) {
        Err(Error::Exceeded { operation, .. }) if strategy != Strategy::Components => {
            let note = format!(
                "the chosen strategy of code generation reached a limit ({operation}): the loops \
                 are those of the strategy `components`"
            );
            Ok((generate(Strategy::Components)?, Strategy::Components, Some(note)))
        }
        result => Ok((result?, strategy, None)),
    }
}
