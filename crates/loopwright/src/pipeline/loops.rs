//! The loops of a chosen schedule: generated, proved, printed.
use crate::failure::{Failure, Status};
use crate::pipeline::outcome::{Stage, Timings};
use crate::pipeline::panels::{packed, prove_packed};
use crate::pipeline::prove::{Proofs, prove_ast};
use crate::pipeline::region::STAGE_STEPS;
use crate::settings::options::CompileOptions;
use loopwright_astgen::{AstNode, Strategy};
use loopwright_backend::{FreshNames, Layout, RegionText, print_region};
use loopwright_cfront::Region;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Error, Result};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::Scop;
use loopwright_verify::{Loops, Proof};
use std::fmt;

/// Why there is no code for a schedule.
pub(crate) enum NoCode {
    /// The proof has refuted the generated loops, for these reasons.
    WrongLoops(String),
    /// The proof has refuted the printed text, for these reasons.
    WrongText(String),
    /// A stage failed.
    Failed(Failure),
}

impl fmt::Display for NoCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoCode::WrongLoops(reasons) => write!(
                f,
                "the generated loops were rejected by the proof (this is a defect of the compiler, \
                 please report it){reasons}"
            ),
            NoCode::WrongText(reasons) => write!(
                f,
                "the printed text was rejected by the proof (this is a defect of the compiler, \
                 please report it){reasons}"
            ),
            NoCode::Failed(failure) if failure.status == Status::Limit => {
                write!(f, "there is no code for the computed schedule ({failure})")
            }
            NoCode::Failed(failure) => write!(
                f,
                "there is no code for the computed schedule (this is a defect of the compiler, \
                 please report it; {failure})"
            ),
        }
    }
}

impl From<Failure> for NoCode {
    fn from(failure: Failure) -> Self {
        NoCode::Failed(failure)
    }
}

/// Loops, the program that they run, and what is proved about them.
pub(crate) struct Built {
    pub(crate) scop: Scop,
    pub(crate) tree: ScheduleTree,
    pub(crate) ast: AstNode,
    pub(crate) proofs: Proofs,
    /// The loops, if they have been read for a proof.
    pub(crate) loops: Option<Loops>,
}

/// The text that replaces the region.
pub(crate) fn print(
    region: &Region,
    built: &Built,
    options: &CompileOptions,
) -> Result<RegionText> {
    let mut used = (*region.used_names).clone();
    used.extend(built.scop.arrays.iter().map(|array| array.name.to_string()));
    used.extend(built.scop.parameters.iter().map(|parameter| parameter.name.to_string()));
    let names = FreshNames::new(used);
    let unused: Vec<String> = region.outer_iterators.iter().map(|i| i.name.clone()).collect();
    let layout = Layout {
        target: options.target,
        vector_pragma: options.vector_pragma,
        vector_bytes: options.machine.vector_bytes,
        indentation: &region.indentation,
        unused: &unused,
    };
    print_region(&built.scop, &built.ast, &layout, names)
}

/// The loops of a tree.
pub(crate) fn plain_loops(
    region: &Region,
    tree: ScheduleTree,
    mut proofs: Proofs,
    options: &mut CompileOptions,
    timings: &mut Timings,
    notes: &mut Vec<String>,
) -> std::result::Result<Built, NoCode> {
    let scop = &region.scop;
    let ast = timings
        .time(Stage::Ast, || loops(scop, &tree, &mut options.strategy, notes))
        .map_err(|e| Failure::in_stage("generation of loops", &e))?;
    if options.verify {
        let proof = timings
            .time(Stage::Verify, || prove_ast(scop, &tree, &ast))
            .map_err(|e| Failure::in_stage("verification of the loops", &e))?;
        if let Proof::Refuted(violations) = &proof.1 {
            let reasons: String = violations.iter().map(|v| format!("\n  {v}")).collect();
            return Err(NoCode::WrongLoops(reasons));
        }
        proofs.push(proof);
    }
    Ok(Built { scop: scop.clone(), tree, ast, proofs, loops: None })
}

/// The loops of a tree with panels, if some pay, and are proved; a note says what was done.
pub(crate) fn loops_with_panels(
    region: &Region,
    dependences: &Dependences,
    tree: &ScheduleTree,
    options: &mut CompileOptions,
    timings: &mut Timings,
    notes: &mut Vec<String>,
) -> Option<Built> {
    let given_up = |reason: &dyn fmt::Display| Some(format!("no panels are used ({reason})"));
    let found = timings.time(Stage::Transform, || packed(region, tree, &options.machine));
    let packed = match found {
        Ok(packed) => packed?,
        Err(error) => {
            notes.extend(given_up(&error));
            return None;
        }
    };
    let mut strategy = options.strategy;
    let mut own_notes = packed.decisions.iter().map(|d| format!("panel: {d}")).collect();
    let ast = timings
        .time(Stage::Ast, || loops(&packed.scop, &packed.tree, &mut strategy, &mut own_notes));
    let proved = ast.and_then(|ast| match options.verify {
        true => timings
            .time(Stage::Verify, || prove_packed(region, dependences, &packed, &ast))
            .map(|(proofs, loops)| (ast, proofs, Some(loops))),
        false => Ok((ast, Vec::new(), None)),
    });
    match proved {
        Ok((ast, proofs, loops)) => match proofs.iter().find(|(_, proof)| !proof.is_proved()) {
            None => {
                notes.extend(own_notes);
                options.strategy = strategy;
                Some(Built { scop: packed.scop, tree: packed.tree, ast, proofs, loops })
            }
            Some((claim, proof)) => {
                let reason = format!("not proved: {claim}; {proof:?}");
                notes.extend(given_up(&reason));
                None
            }
        },
        Err(error) => {
            notes.extend(given_up(&error));
            None
        }
    }
}

/// The loops by a strategy; if it reaches the limit, by the usual one, which is then the strategy, and
/// a note says so.
fn loops(
    scop: &Scop,
    tree: &ScheduleTree,
    strategy: &mut Strategy,
    notes: &mut Vec<String>,
) -> Result<AstNode> {
    let generate = |strategy| {
        let options = loopwright_astgen::Options {
            strategy,
            conditional_bounds: false,
            ..loopwright_astgen::Options::STANDARD
        };
        loopwright_astgen::generate(tree, &scop.context, &options, &Budget::steps(STAGE_STEPS))
    };
    match generate(*strategy) {
        Err(Error::Exceeded { operation, .. }) if *strategy != Strategy::Components => {
            notes.push(format!(
                "the chosen strategy of code generation reached a limit ({operation}): the loops \
                 are those of the strategy `components`"
            ));
            *strategy = Strategy::Components;
            generate(*strategy)
        }
        result => result,
    }
}
