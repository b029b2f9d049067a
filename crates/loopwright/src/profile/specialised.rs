//! The versions that a profile asks for: regions in which integers have values that took much of the time.
use crate::pipeline::outcome::line_range;
use crate::profile::candidates::{Candidate, candidates, extracted};
use crate::profile::measurements::{RegionMeasurement, Spent};
use crate::profile::settings::ProfileUse;
use loopwright_cfront::{KnownValues, LineValues, Region, SourceFile};
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

/// Regions with less than one part in so many of the time of all processes stay as they were.
const COLD: u64 = 1_000;

/// A region in which integers have values.
pub(crate) struct SpecialisedRegion {
    /// Models of it, the best one first: with symbolic constants in subscripts, and without.
    pub(crate) regions: Vec<Region>,
    /// The share of the region's time in percent.
    pub(crate) percent: u64,
}

impl SpecialisedRegion {
    /// The first line.
    pub(crate) fn first_line(&self) -> Option<u32> {
        self.regions.first().map(|region| region.first_line)
    }
}

/// Versions of a region or of what is none without values.
#[derive(Default)]
pub(crate) struct Specialised {
    /// The versions, those with the most time first.
    pub(crate) versions: Vec<SpecialisedRegion>,
    /// The lines of the text that they stand for.
    pub(crate) place: String,
    /// What there is to say.
    pub(crate) notes: Vec<String>,
    /// Why the region is not worth anything, if it is not.
    pub(crate) cold: Option<String>,
}

/// The versions for a file.
#[derive(Default)]
pub(crate) struct Wanted {
    /// By the bytes of the text that they stand for.
    pub(crate) regions: Vec<(Range<usize>, Specialised)>,
    /// What there is to say about the profile.
    pub(crate) notes: Vec<String>,
}

/// The versions that the profile asks for; `regions` are the regions of the file.
///
/// Those that took too little time are only named as such, if they are to be `left` alone.
pub(crate) fn wanted(
    source: &SourceFile,
    regions: &[Region],
    profile: &ProfileUse,
    left: bool,
) -> Wanted {
    let candidates = candidates(source, regions);
    let measured = candidates
        .iter()
        .map(|candidate| profile.measurements.of_region(&candidate.key, &candidate.digest));
    let measured: Vec<Option<&RegionMeasurement>> = measured.collect();
    let mut notes = unused(source, &candidates, profile);
    let hot: Vec<Vec<Values>> =
        measured.iter().map(|m| m.map_or(Vec::new(), |m| hot(m, profile))).collect();
    let mut found: Vec<(Range<usize>, Specialised)> = Vec::new();
    for (candidate, measured) in candidates.iter().zip(&measured) {
        let cold = measured.filter(|_| left).and_then(|m| cold(m.total(), profile));
        found.push((
            candidate.bytes(),
            Specialised { cold, place: place(candidate), ..Specialised::default() },
        ));
    }
    let most = hot.iter().map(Vec::len).max().unwrap_or(0);
    for position in 0..most {
        let of = |in_subscripts| {
            let values = candidates.iter().zip(&hot).filter_map(|(candidate, hot)| {
                let (lines, values) = (lines(candidate), hot.get(position)?.values.clone());
                Some(LineValues { lines, values, in_subscripts })
            });
            extracted(source, KnownValues::InLines(values.collect()))
        };
        let ways = [of(false), of(true)];
        for ((bytes, specialised), hot) in found.iter_mut().zip(&hot) {
            let Some(hot) = hot.get(position).filter(|_| specialised.cold.is_none()) else {
                continue;
            };
            let same = |regions: &Vec<Region>| regions.iter().find(|r| r.bytes == *bytes).cloned();
            let regions: Vec<Region> = ways.iter().filter_map(same).collect();
            if regions.is_empty() {
                specialised.notes.push(format!(
                    "no version for {}: the lines are no region with these values",
                    hot.said()
                ));
            } else if regions.iter().all(|region| !region.known_values.is_empty()) {
                specialised.versions.push(SpecialisedRegion { regions, percent: hot.percent });
            }
        }
    }
    if measured.iter().all(Option::is_none) {
        notes.push(
            "the profile has no effect: it knows none of the regions of this file".to_string(),
        );
    }
    Wanted { regions: found, notes }
}

fn place(candidate: &Candidate) -> String {
    let Region { first_line, last_line, function, .. } = &candidate.region;
    format!("{} in {function}", line_range(*first_line, *last_line))
}

fn lines(candidate: &Candidate) -> RangeInclusive<u32> {
    candidate.region.first_line..=candidate.region.last_line
}

/// Values of integers with their share of a region's time.
struct Values {
    values: BTreeMap<String, i64>,
    percent: u64,
}

impl Values {
    fn said(&self) -> String {
        let one = |(name, value): (&String, &i64)| format!("{name} = {value}");
        self.values.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}

/// The values that took much of a region's time, those with the most time first.
fn hot(measured: &RegionMeasurement, profile: &ProfileUse) -> Vec<Values> {
    if measured.names.is_empty() {
        return Vec::new();
    }
    let total = measured.total().nanoseconds.max(1);
    let percent = |spent: &Spent| (u128::from(spent.nanoseconds) * 100 / u128::from(total)) as u64;
    let mut all: Vec<_> =
        measured.values.iter().map(|(v, spent)| (spent.nanoseconds, v, percent(spent))).collect();
    all.retain(|(_, _, percent)| *percent >= u64::from(profile.least_percent));
    all.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
    all.truncate(profile.most_versions);
    let named =
        |values: &[i64]| measured.names.iter().cloned().zip(values.iter().copied()).collect();
    all.into_iter().map(|(_, values, percent)| Values { values: named(values), percent }).collect()
}

/// Why a region takes too little time to be changed.
fn cold(total: Spent, profile: &ProfileUse) -> Option<String> {
    let all = profile.measurements.nanoseconds();
    let is_cold = all > 0 && total.nanoseconds < all / COLD;
    is_cold.then(|| {
        let share = total.nanoseconds as f64 * 100.0 / all as f64;
        format!("the profile has it with {share:.3} % of the time ({} executions)", total.count)
    })
}

/// What the profile has about this file that is not used.
fn unused(source: &SourceFile, candidates: &[Candidate], profile: &ProfileUse) -> Vec<String> {
    let name =
        source.path().file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let of_file = profile.measurements.regions().filter(|(key, _, _)| key.file == name);
    let is_unknown = |(key, digest): (&crate::profile::measurements::RegionKey, &str)| {
        !candidates.iter().any(|c| c.key == *key && c.digest == digest)
    };
    let unknown = of_file.filter(|(key, digest, _)| is_unknown((key, digest)));
    unknown
        .map(|(key, _, _)| {
            format!(
                "the profile's region {} of {} is not used: its text has changed since",
                key.ordinal + 1,
                key.function
            )
        })
        .collect()
}
