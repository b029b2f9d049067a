//! Coordinate descent around the model's choices.
use super::candidates::{self, Candidate};
use super::workbench::{Outcome, ProgramText, Workbench};
use super::{Progress, Tried, TuneOptions, Tuned};
use crate::diagnostics::failure::Failure;
use crate::pipeline::compile::{Compiled, compile_file};
use crate::settings::choices::{Choices, RegionChoices};
use crate::settings::options::CompileOptions;
use loopwright_backend::device::Language;
use loopwright_cfront::{read_bytes, text_of};
use rustc_hash::FxHashMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// A candidate takes the place of the best one if its time is no more than this part of it.
pub(super) const IMPROVEMENT: f64 = 0.99;

/// The rounds of the last comparison, if there is time for them.
const LAST_ROUNDS: usize = 5;

/// The part of the time for all that is kept for the last comparison, at most.
const LAST_SHARE: f64 = 0.3;

/// An original whose time is more than this many times the best one is not compared again.
const MUCH_SLOWER: f64 = 1.5;

/// The position of the original among what was tried, ...
const ORIGINAL: usize = 0;

/// ... and that of the model's choices.
const MODEL: usize = 1;

/// A compiled candidate with its time.
pub(super) struct Best {
    pub(super) tried: usize,
    pub(super) compiled: Compiled,
    pub(super) seconds: f64,
}

/// The state of a search.
pub(super) struct Search<'o, 'p> {
    pub(super) path: &'o Path,
    pub(super) options: &'o TuneOptions,
    pub(super) bench: Workbench<'o>,
    pub(super) tried: Vec<Tried>,
    /// The texts that were timed, with their positions in `tried`.
    texts: FxHashMap<String, usize>,
    pub(super) best: Option<Best>,
    start: Instant,
    progress: &'p mut dyn FnMut(&Progress),
}

impl<'o, 'p> Search<'o, 'p> {
    pub(super) fn new(
        path: &'o Path,
        options: &'o TuneOptions,
        progress: &'p mut dyn FnMut(&Progress),
    ) -> Result<Self, Failure> {
        Ok(Search {
            path,
            options,
            bench: Workbench::new(path, options).map_err(refused)?,
            tried: Vec::new(),
            texts: FxHashMap::default(),
            best: None,
            start: Instant::now(),
            progress,
        })
    }

    /// Times the original and the model's choices, then looks for better ones, and compares the
    /// best in turn with both.
    pub(super) fn run(mut self) -> Result<Tuned, Failure> {
        let unreadable = |e: &dyn std::fmt::Display| {
            Failure::refused(format!("cannot read {}: {e}", self.path.display()))
        };
        let bytes = read_bytes(self.path).map_err(|e| unreadable(&e))?;
        let original = text_of(&bytes).ok_or_else(|| unreadable(&"it is not text"))?;
        if self.options.compile.device == Some(Language::Cuda) {
            self.bench.program().nvcc_version().map_err(refused)?;
        }
        self.announce("the original");
        let outcome = self.bench.time_original(&original).map_err(refused)?;
        self.tried.push(Tried::new("original", outcome, Choices::default()));
        self.texts.insert(original.clone(), ORIGINAL);
        self.announce("the model's choices");
        let model = compile_file(self.path, &self.options.compile)?;
        let (code, choices) = (model.code.clone(), model.choices());
        let kernels = model.device_file().map(|file| file.text.clone());
        self.consider("model", model, true);
        if self.options.compile.parametric_tiles {
            self.search_variable_sizes()?;
        } else {
            (0..choices.n_regions()).for_each(|region| self.search_region(region));
        }
        let of_model = ProgramText { code: &code, kernels: kernels.as_deref() };
        let last = self.last_comparison(&original, of_model);
        self.finish(choices, last)
    }

    /// Everything for one region while the others stay as they are best. Shapes of tiles come first where no
    /// loop is coincident, since tiles have to wait there.
    fn search_region(&mut self, region: usize) {
        if self.options.compile.device.is_some() {
            let given = self.options.compile.choices.region(region).cloned().unwrap_or_default();
            return self.try_all(region, Some(candidates::kernels(&given)));
        }
        let has_open_shape = self.has_open_shape();
        let are_first = has_open_shape && self.has_tiles_that_wait(region);
        if are_first {
            self.search_shapes(region);
        }
        if !self.is_shaped(region) {
            self.search_sizes(region);
        }
        let before = self.best.as_ref().map(|best| best.tried);
        // The choices of a shape leave out what other loops may have.
        let base = if self.is_shaped(region) { self.of_model(region) } else { self.made(region) };
        self.try_all(region, base.map(|base| candidates::structures(&base)));
        if has_open_shape && !are_first {
            self.search_shapes(region);
        }
        if before != self.best.as_ref().map(|best| best.tried) && !self.is_shaped(region) {
            self.search_sizes(region);
        }
        let made = self.made(region);
        self.try_all(region, made.map(|made| candidates::finishes(&made)));
    }

    fn try_all(&mut self, region: usize, candidates: Option<Vec<Candidate>>) {
        for candidate in candidates.unwrap_or_default() {
            self.attempt(region, &candidate);
        }
    }

    /// Whether the best choices for a region name the shape of tiles.
    fn is_shaped(&self, region: usize) -> bool {
        self.has_open_shape() && self.made(region).is_some_and(|made| made.get("tiling").is_some())
    }

    /// Whether a band of the best choices has no coincident member.
    fn has_tiles_that_wait(&self, region: usize) -> bool {
        let report = self.best.as_ref().and_then(|b| b.compiled.report.regions.get(region));
        let mut bands = report.into_iter().flat_map(|report| &report.bands.bands);
        bands.any(|band| {
            band.permutable && band.coincident.len() > 1 && !band.coincident.contains(&true)
        })
    }

    /// The members of the deepest band of the best choices.
    pub(super) fn n_members(&self, region: usize) -> usize {
        let report = self.best.as_ref().and_then(|b| b.compiled.report.regions.get(region));
        let bands = report.into_iter().flat_map(|report| &report.bands.bands);
        bands.map(|band| band.coincident.len()).max().unwrap_or(0)
    }

    /// The choices of the model for a region.
    pub(super) fn of_model(&self, region: usize) -> Option<RegionChoices> {
        self.tried.get(MODEL)?.choices.region(region).cloned()
    }

    /// Tile sizes of one band after the other, until none gets better.
    fn search_sizes(&mut self, region: usize) {
        let mut presets = true;
        loop {
            let before = self.best.as_ref().map(|best| best.tried);
            let mut position = 0;
            while position < self.n_open_bands(region) {
                if presets {
                    self.try_band(region, position, candidates::presets);
                }
                self.descend(region, position);
                position += 1;
            }
            presets = false;
            let is_same = before == self.best.as_ref().map(|best| best.tried);
            if is_same || !self.has_time() {
                return;
            }
        }
    }

    /// Halves and doubles single sizes of a band as long as that helps.
    fn descend(&mut self, region: usize, position: usize) {
        while self.has_time() && self.try_band(region, position, candidates::neighbours) {}
    }

    /// Tries candidates for a band; whether one of them is the best now.
    fn try_band(
        &mut self,
        region: usize,
        position: usize,
        candidates: fn(&RegionChoices, &candidates::OpenBand) -> Vec<Candidate>,
    ) -> bool {
        let before = self.best.as_ref().map(|best| best.tried);
        let Some(made) = self.made(region) else { return false };
        let Some(best) = &self.best else { return false };
        let Some(report) = best.compiled.report.regions.get(region) else { return false };
        let bands = candidates::open_bands(report);
        let Some(band) = bands.get(position) else { return false };
        for candidate in candidates(&made, band) {
            self.attempt(region, &candidate);
        }
        before != self.best.as_ref().map(|best| best.tried)
    }

    /// The number of bands of the best choices whose sizes can be chosen.
    fn n_open_bands(&self, region: usize) -> usize {
        let best = self.best.as_ref();
        let report = best.and_then(|best| best.compiled.report.regions.get(region));
        report.map_or(0, |report| candidates::open_bands(report).len())
    }

    /// The best choices for a region so far.
    pub(super) fn made(&self, region: usize) -> Option<RegionChoices> {
        self.best.as_ref()?.compiled.report.regions.get(region).map(|report| report.choices.clone())
    }

    /// Compiles and times a candidate, unless the time is over: its seconds, and the sizes of the tiles of
    /// the deepest band. None if there is no such program, or if it is one that was timed before.
    pub(super) fn attempt(
        &mut self,
        region: usize,
        candidate: &Candidate,
    ) -> Option<(f64, Vec<i64>)> {
        if !self.has_time() {
            return None;
        }
        let best = self.best.as_ref()?;
        let mut choices = best.compiled.choices();
        choices.set_region(region, candidate.choices.clone());
        let n_regions = best.compiled.report.regions.len();
        let label = match n_regions {
            1 => candidate.label.clone(),
            _ => format!("region {}: {}", region + 1, candidate.label),
        };
        self.announce(&label);
        let options = CompileOptions { choices: choices.clone(), ..self.options.compile.clone() };
        match compile_file(self.path, &options) {
            Ok(compiled) => {
                let own = compiled.report.regions.get(region);
                let sizes = own.into_iter().flat_map(|own| &own.bands.bands).map(|b| &b.tile_sizes);
                let sizes = sizes.max_by_key(|sizes| sizes.len()).cloned().unwrap_or_default();
                self.consider(&label, compiled, false);
                Some((self.tried.last()?.seconds()?, sizes))
            }
            Err(failure) => {
                let outcome = Outcome::Failed(failure.to_string());
                self.tried.push(Tried::new(&label, outcome, choices));
                None
            }
        }
    }

    /// Times a compiled candidate; it becomes the best one if it is faster, or if it has to.
    fn consider(&mut self, label: &str, compiled: Compiled, is_model: bool) {
        let text = all_of(&compiled);
        if let Some(&same) = self.texts.get(&text)
            && !is_model
        {
            let same = self.tried[same].label.clone();
            let mut tried = Tried::new(label, Outcome::OutOfTime, compiled.choices());
            tried.same_as = Some(same);
            self.tried.push(tried);
            return;
        }
        let outcome = match unproved(&compiled) {
            Some(claim) if self.options.compile.verify => {
                Outcome::Failed(format!("it is not proved that {claim}"))
            }
            _ => self.bench.time((&compiled).into()),
        };
        let position = self.tried.len();
        self.texts.entry(text).or_insert(position);
        self.tried.push(Tried::new(label, outcome.clone(), compiled.choices()));
        let seconds = match outcome {
            Outcome::Timed { seconds, .. } => seconds,
            _ => f64::INFINITY,
        };
        let bound = self.best.as_ref().map_or(f64::INFINITY, |best| best.seconds * IMPROVEMENT);
        if is_model || seconds < bound {
            self.best = Some(Best { tried: position, compiled, seconds });
        }
    }

    /// Whether there is time for another candidate and the last comparison.
    pub(super) fn has_time(&self) -> bool {
        let rounds = LAST_ROUNDS.max(self.options.runs);
        // The model's program is about as slow as the best one, the original's is not run if it is not.
        let one_round = self.bench.fastest_process() * 3.0;
        let kept = Duration::try_from_secs_f64(one_round * rounds as f64).unwrap_or_default();
        let most = self.options.time_limit.mul_f64(LAST_SHARE);
        self.bench.time_left() > kept.min(most)
    }

    /// The least seconds of a program.
    fn least(&self, position: usize) -> f64 {
        self.tried.get(position).and_then(Tried::seconds).unwrap_or(f64::INFINITY)
    }

    /// Medians of the original, the model's choices and the best, run in turn; an original that is much
    /// slower than the best is not run again.
    fn last_comparison(&mut self, original: &str, model: ProgramText<'_>) -> Option<[f64; 3]> {
        self.announce("the last comparison");
        let best = self.best.as_ref()?;
        if [MODEL, best.tried].iter().any(|&position| self.least(position).is_infinite()) {
            return None;
        }
        let rounds = LAST_ROUNDS.max(self.options.runs);
        let own = self.least(ORIGINAL);
        if own > best.seconds * MUCH_SLOWER {
            let [model, best] = self.bench.in_turn([model, (&best.compiled).into()], rounds)?;
            return Some([own, model, best]);
        }
        self.bench.in_turn([original.into(), model, (&best.compiled).into()], rounds)
    }

    /// The fastest of the original, the model's choices and the best, by the last comparison if there
    /// was time for one.
    fn finish(self, model: Choices, last: Option<[f64; 3]>) -> Result<Tuned, Failure> {
        let best = self.best.as_ref().map_or(MODEL, |best| best.tried);
        let [original_seconds, model_seconds, best_seconds] =
            last.unwrap_or([ORIGINAL, MODEL, best].map(|position| self.least(position)));
        let chosen = match best_seconds <= model_seconds {
            true if best_seconds < original_seconds => best,
            false if model_seconds < original_seconds => MODEL,
            _ => ORIGINAL,
        };
        let mut choices = match chosen {
            MODEL => model.clone(),
            other => self.tried[other].choices.clone(),
        };
        if chosen == ORIGINAL {
            let regions = model.n_regions();
            (0..regions).for_each(|region| choices.set_region(region, RegionChoices::unchanged()));
        }
        let options = CompileOptions { choices, ..self.options.compile.clone() };
        let compiled = compile_file(self.path, &options)?;
        let elapsed = self.start.elapsed();
        Ok(Tuned { compiled, tried: self.tried, chosen, last, elapsed })
    }

    pub(super) fn announce(&mut self, label: &str) {
        let best = self.best.as_ref().map(|best| best.seconds);
        (self.progress)(&Progress {
            n_tried: self.tried.len(),
            label: label.to_string(),
            best: best.filter(|seconds| seconds.is_finite()),
            elapsed: self.start.elapsed(),
        });
    }
}

/// A claim about a result that is not proved.
fn unproved(compiled: &Compiled) -> Option<&'static str> {
    let proofs = compiled.report.regions.iter().flat_map(|region| &region.proofs);
    proofs.into_iter().find(|(_, proof)| !proof.is_proved()).map(|(claim, _)| *claim)
}

/// All that is compiled of a result.
fn all_of(compiled: &Compiled) -> String {
    let kernels = compiled.device_file().map_or("", |file| &file.text);
    format!("{}{kernels}", compiled.code)
}

fn refused(message: String) -> Failure {
    Failure::refused(message)
}
