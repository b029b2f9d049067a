//! Versions of a region for values of integers, which are tried before the one for all values.
use crate::pipeline::region::compile_region;
use crate::pipeline::region_result::RegionResult;
use crate::pipeline::run::Run;
use crate::pipeline::run_time::settled;
use crate::profile::specialised::Specialised;
use loopwright_cfront::{CountedLines, Region, replace_regions};
use std::ops::Range;

/// Versions that gain something, and what there is to say.
#[derive(Default)]
pub(crate) struct Narrower {
    pub(crate) versions: Vec<RegionResult>,
    pub(crate) notes: Vec<String>,
}

/// Compiles the versions of a region; `number` is a number that no region of the file has, nor one of those
/// after it.
pub(crate) fn narrower(specialised: Specialised, number: usize, run: Run<'_>) -> Narrower {
    let Specialised { versions, mut notes, .. } = specialised;
    let mut compiled = Vec::new();
    for (position, version) in versions.into_iter().enumerate() {
        let values = version.regions.first().map(said).unwrap_or_default();
        match best(version.regions, number + position, run) {
            Ok(result) => {
                let percent = version.percent;
                notes.push(format!("a version for {values} ({percent} % of the region's time)"));
                compiled.push(result);
            }
            Err(reason) => notes.push(format!("no version for {values}: {reason}")),
        }
    }
    Narrower { versions: compiled, notes }
}

/// What comes of the first model with parallel loops, otherwise of the first one that gains something.
fn best(regions: Vec<Region>, number: usize, run: Run<'_>) -> Result<RegionResult, String> {
    let mut found = Err(String::new());
    for region in regions {
        let result = settled(region, run.effort()).and_then(|region| {
            let result = compile_region(region, Some(number), run);
            result.map_err(|failure| failure.to_string())
        });
        match result {
            Ok(RegionResult { left: Some(reason), .. }) | Err(reason) => {
                if found.as_ref().is_err_and(String::is_empty) {
                    found = Err(reason);
                }
            }
            Ok(result) if result.loops_around_threads.is_some() => return Ok(result),
            Ok(result) if found.is_err() => found = Ok(result),
            Ok(_) => {}
        }
    }
    found
}

/// The values of a version.
fn said(region: &Region) -> String {
    let one = |known: &loopwright_cfront::KnownValue| format!("{} = {}", known.name, known.value);
    region.known_values.iter().map(one).collect::<Vec<_>>().join(", ")
}

impl Narrower {
    /// The versions as a region of their own, where there is none for all values.
    pub(crate) fn alone(mut self) -> Option<RegionResult> {
        let mut last = self.versions.pop()?;
        self.in_front(&mut last);
        last.report.n_versions += 1;
        Some(last)
    }

    /// Puts the versions in front of another one.
    pub(crate) fn in_front(self, result: &mut RegionResult) {
        for version in &self.versions {
            result.adds_claims_of(version);
        }
        result.report.notes.extend(self.notes);
        result.report.n_versions += self.versions.len();
        result.narrower.splice(0..0, self.versions);
    }
}

/// A text in place of some bytes, which begins on a line of its own where something else stands in front of
/// these.
pub(crate) fn on_own_lines(original: &str, bytes: &Range<usize>, text: String) -> String {
    let before = original.get(..bytes.start).unwrap_or_default();
    match before.is_empty() || before.ends_with('\n') {
        true => text,
        false => format!("\n{text}"),
    }
}

/// The texts of regions for their bytes of the file. A region inside of another one is part of what the outer
/// one does where none of its conditions holds.
pub(crate) fn texts(
    results: &[&RegionResult],
    original: &str,
    counted: &CountedLines,
) -> Vec<(Range<usize>, String)> {
    let mut by_size: Vec<(usize, &&RegionResult)> = results.iter().enumerate().collect();
    by_size.sort_by_key(|(_, result)| result.region.bytes.len());
    let mut texts: Vec<(Range<usize>, String)> = Vec::new();
    for (position, result) in by_size {
        let outer = result.region.statement_bytes.clone();
        let is_inside = |(bytes, _): &mut (Range<usize>, String)| {
            outer.start <= bytes.start && bytes.end <= outer.end
        };
        let inside = texts
            .extract_if(.., is_inside)
            .map(|(bytes, text)| (bytes.start - outer.start..bytes.end - outer.start, text));
        let inside: Vec<_> = inside.collect();
        let start = outer.start;
        let own = replace_regions(original.get(outer).unwrap_or(""), &inside);
        let own = counted.line_at(original, start) + &own;
        let mut text = result.in_front_of(&own);
        if !text.contains(&own) {
            text.push_str(&counted.counts_of(position));
        }
        let bytes = result.region.bytes.clone();
        text.push_str(&counted.line_at(original, bytes.end));
        let text = on_own_lines(original, &bytes, text);
        texts.push((bytes, text));
    }
    texts
}
