//! Which statements share loops, by what the schedules are estimated to cost.
//!
//! The scheduler's rules of fusion look at loops only: `smart` fuses wherever no parallel or permutable loop
//! is lost. Whether that is best depends on what is loaded and what runs in vectors, which the model of the
//! tile sizes knows ([`loopwright_transform::Estimate`]). So the schedule of `smart` is compared with those
//! of other rules, as far as they can be better: those that fuse more, where arrays are loaded several times
//! for different loops, and the one that fuses less, where statements keep each other from vectors, cores or
//! caches.
use crate::pipeline::analysis::Analysed;
use crate::pipeline::one_schedule::{ScheduleChoice, optimised, scheduled};
use crate::pipeline::run::Run;
use crate::settings::options::{CompileOptions, Fusion};
use loopwright_backend::Target;
use loopwright_cfront::Region;
use loopwright_dataflow::Dependences;
use loopwright_presburger::Result;
use loopwright_scheduler::{Algorithm, Fuse, Options};
use loopwright_scop::{Access, AccessKind, ArrayId};
use loopwright_transform::Estimate;
use std::collections::BTreeSet;

/// The part of the cycles that another schedule has to save to be taken, or tried.
const LEAST_GAIN: f64 = 0.1;

/// Regions with more statements keep the first schedule: each further one would take as long again, a tenth
/// of a second for the 42 statements of `deriche`, where nothing is gained.
const MOST_STATEMENTS: usize = 32;

/// A rule and whether reads of the same value count for it, too.
#[derive(Clone, Copy)]
struct Candidate {
    rule: Fuse,
    input_reuse: bool,
}

impl Candidate {
    fn words(self) -> String {
        let rule = match self.rule {
            Fuse::Min => "min",
            Fuse::Max => "max",
            Fuse::Smart => "smart",
            Fuse::Typed => "typed",
        };
        let reads = if self.input_reuse { ", for reads of the same values as well" } else { "" };
        format!("fusion by `{rule}`{reads}")
    }
}

/// The schedule with the least estimated cost among `first` and those of other rules of fusion that could be
/// better. What is not known or not clearly better is not taken.
pub(crate) fn with_best_fusion(
    first: ScheduleChoice,
    analysed: &Analysed,
    run: Run<'_>,
) -> ScheduleChoice {
    let Some(estimate) = first.estimate.clone() else { return first };
    if analysed.region.scop.statements.len() < 2 {
        return first;
    }
    let mut sentences =
        vec![format!("fusion by `smart`: estimated at {}", cycles(estimate.cycles))];
    let mut known = vec![first.found.to_string()];
    let options = &CompileOptions { scheduling: first.settled.scheduling, ..run.options.clone() };
    let run = run.with(options);
    let tried = first.tried.clone();
    let mut best = first;
    let mut pays_less = false;
    for candidate in candidates(&best, &estimate, analysed, options) {
        // Where some fusion costs, more of it costs more.
        if pays_less && candidate.rule != Fuse::Min {
            continue;
        }
        let words = candidate.words();
        let found = try_rule(candidate, &mut known, analysed, run);
        sentences.push(match found {
            Ok(Some((chosen, cost))) => {
                let least = best.estimate.as_ref().map_or(f64::INFINITY, |best| best.cycles);
                pays_less |= cost > estimate.cycles;
                let is_better = cost < estimate.cycles * (1.0 - LEAST_GAIN) && cost < least;
                if is_better {
                    best = chosen;
                }
                let taken = if is_better { "taken" } else { "not clearly less, so not taken" };
                format!("{words}: estimated at {}, {taken}", cycles(cost))
            }
            Ok(None) => format!("{words}: the same loops as before"),
            Err(error) => format!("{words}: not found ({error})"),
        });
    }
    best.tried = tried;
    if sentences.len() > 1 {
        best.tried.extend(sentences);
    }
    best
}

/// The rules whose schedules may be better than `first` with its estimate.
///
/// More fusion costs parallel loops where [`Fuse::Typed`] does not do it, so [`Fuse::Max`] is for one core
/// only.
fn candidates(
    first: &ScheduleChoice,
    estimate: &Estimate,
    analysed: &Analysed,
    options: &CompileOptions,
) -> Vec<Candidate> {
    let Analysed { region, dependences, .. } = analysed;
    let statements = &region.scop.statements;
    if options.scheduling.algorithm != Algorithm::Pluto || statements.len() > MOST_STATEMENTS {
        return Vec::new();
    }
    let input_reuse = options.input_reuse;
    let is_written = |array: ArrayId| {
        let writes = |access: &Access| access.array == array && access.kind != AccessKind::Read;
        statements.iter().any(|statement| statement.accesses.iter().any(writes))
    };
    let of = |wanted: &dyn Fn(ArrayId) -> bool| -> f64 {
        estimate
            .loaded_again
            .iter()
            .filter(|(array, _)| wanted(*array))
            .map(|(_, cycles)| cycles)
            .sum()
    };
    let least = estimate.cycles * LEAST_GAIN;
    let is_sequential = options.target != Target::OpenMp || options.machine.cores <= 1;
    let mut candidates = Vec::new();
    if of(&|_| true) >= least {
        let rules = [(Fuse::Typed, first.keeps_apart), (Fuse::Max, is_sequential)];
        let wanted = rules.into_iter().filter(|(_, is_wanted)| *is_wanted);
        candidates.extend(wanted.map(|(rule, _)| Candidate { rule, input_reuse }));
    }
    if !input_reuse && of(&|array| !is_written(array)) >= least {
        candidates.push(Candidate { rule: Fuse::Smart, input_reuse: true });
    }
    let separable =
        estimate.crowded.iter().filter(|(names, _)| !is_cycle(names, dependences, region));
    if separable.map(|(_, gain)| gain).sum::<f64>() >= least {
        candidates.push(Candidate { rule: Fuse::Min, input_reuse });
    }
    candidates
}

/// Whether each of these statements depends on all others, on whatever way.
fn is_cycle(names: &[String], dependences: &Dependences, region: &Region) -> bool {
    let statements = region.scop.statements.iter();
    let ids: BTreeSet<_> =
        statements.filter(|s| names.iter().any(|name| **name == *s.name)).map(|s| s.id).collect();
    let all = [&dependences.flow, &dependences.order, &dependences.forced];
    let pairs: Vec<_> = all
        .into_iter()
        .flatten()
        .map(|dependence| (dependence.source.0, dependence.sink.0))
        .collect();
    let reached = |forwards: bool| {
        let mut reached: BTreeSet<_> = ids.first().copied().into_iter().collect();
        loop {
            let before = reached.len();
            for &(source, sink) in &pairs {
                let (from, to) = if forwards { (source, sink) } else { (sink, source) };
                if reached.contains(&from) {
                    reached.insert(to);
                }
            }
            if reached.len() == before {
                return reached;
            }
        }
    };
    ids.is_subset(&reached(true)) && ids.is_subset(&reached(false))
}

/// The schedule of a rule and what it costs; none if the scheduler's tree is one of those known before.
fn try_rule(
    candidate: Candidate,
    known: &mut Vec<String>,
    analysed: &Analysed,
    run: Run<'_>,
) -> Result<Option<(ScheduleChoice, f64)>> {
    let options = run.options;
    let Candidate { rule, input_reuse } = candidate;
    let choices = Options { fuse: rule, ..options.scheduling };
    let options = CompileOptions { input_reuse, fuse: Fusion::Model, ..options.clone() };
    let run = run.with(&options);
    let found = scheduled(analysed, &choices, run)?;
    let text = found.tree.to_string();
    if known.contains(&text) {
        return Ok(None);
    }
    known.push(text);
    let chosen = optimised(found, analysed, &choices, run)?;
    let cost = chosen.estimate.as_ref().map_or(f64::INFINITY, |estimate| estimate.cycles);
    Ok(Some((chosen, cost)))
}

/// A number of cycles in words.
fn cycles(number: f64) -> String {
    format!("{:.1} million cycles", number / 1e6)
}
