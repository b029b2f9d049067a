//! The program's order edited by a script of transformations, each of them checked.
use crate::diagnostics::failure::Failure;
use crate::settings::effort::Effort;
use loopwright_dataflow::Dependences;
use loopwright_mappings::{EditError, Mapping, Script, Step};
use loopwright_presburger::{Budget, Name};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use loopwright_verify::{Proof, check_schedule};

/// The steps (see [`Budget`]) for one step of a script, and for its proof.
const MOST_STEPS: u64 = 15_000_000;

/// Those for a whole script: each tiling adds loops, so that the steps of long ones take more and more.
const SCRIPT_STEPS: u64 = 60_000_000;

/// The order after all steps, with remarks.
///
/// After each step no two instances may have the same place, and every dependence must be
/// respected.
///
/// # Errors
/// If the script cannot be read, a step does not fit, or the order after it is not legal; then
/// the message names the dependence and an example.
pub(crate) fn transformed(
    scop: &Scop,
    dependences: &Dependences,
    original: &ScheduleTree,
    script: &str,
    effort: &Effort,
) -> Result<(ScheduleTree, Vec<String>), Failure> {
    let script = Script::parse(script).map_err(|error| edit_failure(&error))?;
    let mut mapping = mapping_of(scop, original).map_err(|error| edit_failure(&error))?;
    let mut notes = Vec::new();
    let whole = effort.budget(SCRIPT_STEPS);
    for (position, step) in script.steps().iter().enumerate() {
        let budget = effort.budget(MOST_STEPS);
        let next = step.apply(&mapping, &budget).map_err(|error| edit_failure(&error))?;
        let of_proof = effort.budget(MOST_STEPS);
        notes.extend(checked(scop, dependences, step, &next, &of_proof)?);
        whole.spend(budget.used() + of_proof.used(), "the script").map_err(|error| {
            let name = format!("transformation {} of {}", position + 1, script.steps().len());
            Failure::in_stage(&name, &error)
        })?;
        mapping = next;
    }
    let tree = mapping.to_tree().map_err(|error| edit_failure(&error))?;
    Ok((tree, notes))
}

/// The text of the mappings of a schedule tree.
pub(crate) fn mapping_text(scop: &Scop, tree: &ScheduleTree) -> Result<String, Failure> {
    let mapping = mapping_of(scop, tree).map_err(|error| edit_failure(&error))?;
    Ok(mapping.to_string())
}

/// The mappings of a schedule tree, with the names of the program's iterators.
fn mapping_of(scop: &Scop, tree: &ScheduleTree) -> Result<Mapping, EditError> {
    let iterators = |label: &str| -> Vec<Name> {
        let statement = scop.statements.iter().find(|statement| *statement.name == *label);
        statement.map_or(Vec::new(), |statement| statement.iterators.clone())
    };
    Mapping::of_tree(tree, iterators)
}

/// Checks the order after a step; a remark if the check reached its limit.
fn checked(
    scop: &Scop,
    dependences: &Dependences,
    step: &Step,
    mapping: &Mapping,
    budget: &Budget,
) -> Result<Option<String>, Failure> {
    let text = step.text();
    match mapping.is_injective(budget) {
        Ok(true) => {}
        Ok(false) => {
            return Err(Failure::refused(format!(
                "`{text}` is not legal: two instances get the same place in the order"
            )));
        }
        Err(EditError::Sets(loopwright_presburger::Error::Exceeded { .. })) => {
            return Ok(Some(format!("a limit was reached: `{text}` was not checked")));
        }
        Err(error) => return Err(edit_failure(&error)),
    }
    let tree = mapping.to_tree().map_err(|error| edit_failure(&error))?;
    let proof = check_schedule(scop, dependences, &tree, budget)
        .map_err(|error| Failure::in_stage("the check of a transformation", &error))?;
    match proof {
        Proof::Proved => Ok(None),
        Proof::OutOfBudget(operation) => {
            Ok(Some(format!("a limit was reached ({operation}): `{text}` was not checked")))
        }
        Proof::Refuted(violations) => {
            let reasons = violations.iter().map(ToString::to_string);
            Err(Failure::refused(format!("`{text}` is not legal:")).with_notes(reasons))
        }
    }
}

fn edit_failure(error: &EditError) -> Failure {
    match error {
        EditError::Refused(reason) => Failure::refused(format!("transformation {reason}")),
        EditError::Sets(error) => Failure::in_stage("transformation", error),
        other => Failure::refused(format!("error: transformation: {other}")),
    }
}
