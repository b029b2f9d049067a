//! What reports that compile nothing have in common: the regions of a file one by one, and the schedule of
//! one.
use crate::diagnostics::failure::Failure;
use crate::pipeline::analysis::{Analysed, analysed};
use crate::pipeline::context::assume_context;
use crate::pipeline::one_schedule::scheduled;
use crate::pipeline::outcome::Clock;
use crate::pipeline::run::Run;
use crate::pipeline::without_kills::executable_part;
use crate::settings::options::CompileOptions;
use loopwright_cfront::read_file;
use loopwright_presburger::Result;
use loopwright_schedule::ScheduleTree;
use std::path::Path;

/// What is found out about each region of a file, in `stage`.
///
/// # Errors
/// Those of the front end, of the dependence analysis and of `found_out`.
pub(crate) fn each_region<T>(
    path: &Path,
    options: &CompileOptions,
    stage: &'static str,
    found_out: impl Fn(&Analysed) -> Result<T>,
) -> std::result::Result<Vec<T>, Failure> {
    let refused = |found: Vec<_>| Failure::from_diagnostics(&found);
    let source = read_file(path, &options.reading()).map_err(refused)?;
    let mut regions = source.extract().map_err(refused)?;
    assume_context(&mut regions, options)?;
    let of_one = |region| {
        let analysed =
            analysed(region, options).map_err(|e| Failure::in_stage("dependence analysis", &e))?;
        found_out(&analysed).map_err(|e| Failure::in_stage(stage, &e))
    };
    regions.into_iter().map(of_one).collect()
}

/// The schedule whose loops are looked at: what the scheduler finds, or the program's order, with a note.
///
/// # Errors
/// For malformed trees.
pub(crate) fn schedule_or_own_order(
    analysed: &Analysed,
    options: &CompileOptions,
    notes: &mut Vec<String>,
) -> Result<ScheduleTree> {
    let (scop, clock) = (&analysed.region.scop, Clock::default());
    let fuse = options.fuse.first_rule();
    let choices = loopwright_scheduler::Options { fuse, ..options.scheduling };
    match scheduled(analysed, &choices, Run::new(options, &clock)) {
        Ok(scheduled) => scheduled.tree.without_expansions(),
        Err(error) => {
            notes.push(format!("no schedule was found ({error}): the program's order is used"));
            executable_part(scop, &scop.schedule)
        }
    }
}
