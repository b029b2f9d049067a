//! Sizes of tiles that the program reads when it runs: tried without compiling again.
use super::candidates::{self, Candidate, OpenBand};
use super::result::Tried;
use super::search::{IMPROVEMENT, Search};
use super::workbench::Outcome;
use crate::diagnostics::failure::Failure;
use crate::pipeline::compile::compile_file;
use crate::settings::choices::RegionChoices;
use crate::settings::options::CompileOptions;

/// The variable of the environment that sizes are read from.
const VARIABLE: &str = "LOOPWRIGHT_TILES";

impl Search<'_, '_> {
    /// Sizes for the tiles of all regions, halved and doubled one by one as long as that helps. The program
    /// of the model's choices runs with each; the best sizes become those of the compilation.
    ///
    /// # Errors
    /// Those of compiling with the sizes that were found.
    pub(super) fn search_variable_sizes(&mut self) -> Result<(), Failure> {
        let Some(best) = &self.best else { return Ok(()) };
        let code = best.compiled.code.clone();
        let mut sizes = best.compiled.variable_tile_sizes();
        if sizes.is_empty() {
            return Ok(());
        }
        let before = best.tried;
        self.try_sizes(&code, &mut sizes, candidates::presets);
        while self.has_time() && self.try_sizes(&code, &mut sizes, candidates::neighbours) {}
        let Some(best) = self.best.as_mut().filter(|best| best.tried != before) else {
            return Ok(());
        };
        let choices = self.tried[best.tried].choices.clone();
        let options = CompileOptions { choices, ..self.options.compile.clone() };
        best.compiled = compile_file(self.path, &options)?;
        Ok(())
    }

    /// Runs the program with other sizes; whether some of them are the best now, which they become.
    fn try_sizes(
        &mut self,
        code: &str,
        sizes: &mut Vec<i64>,
        candidates: fn(&RegionChoices, &OpenBand) -> Vec<Candidate>,
    ) -> bool {
        let Some(choices) = self.best.as_ref().map(|best| best.compiled.choices()) else {
            return false;
        };
        let Some(made) = self.made(0) else { return false };
        let mut is_better = false;
        for candidate in candidates(&made, &OpenBand::of_all_bands(sizes)) {
            let Some(text) = candidate.choices.get("tile-sizes").filter(|text| *text != "none")
            else {
                continue;
            };
            if !self.has_time() {
                break;
            }
            self.announce(&candidate.label);
            let outcome =
                self.bench.time_in(code.into(), &[(VARIABLE.to_string(), text.to_string())]);
            let mut all = choices.clone();
            for region in 0..choices.n_regions() {
                if let Some(own) = self.made(region).and_then(|own| own.with_sizes(text)) {
                    all.set_region(region, own);
                }
            }
            let position = self.tried.len();
            let found = text.split(',').filter_map(|size| size.parse().ok()).collect();
            self.tried.push(Tried::new(&candidate.label, outcome.clone(), all));
            let bound = self.best.as_ref().map_or(f64::INFINITY, |best| best.seconds * IMPROVEMENT);
            if let (Outcome::Timed { seconds, .. }, Some(best)) = (outcome, &mut self.best)
                && seconds < bound
            {
                (best.tried, best.seconds) = (position, seconds);
                *sizes = found;
                is_better = true;
            }
        }
        is_better
    }
}
