//! What can be measured: regions, and runs of loops that would be regions if some integers were known.
use crate::profile::measurements::RegionKey;
use crate::tune::digest::Digest;
use loopwright_cfront::{KnownValues, LineValues, Region, SourceFile};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The value that integers are taken to have in order to see what could be a region.
const SAMPLE: i64 = 1_000;

/// A region has no more integers than these in a profile.
pub(crate) const MOST_NAMES: usize = 8;

/// A region, or what would be one.
pub(crate) struct Candidate {
    pub(crate) key: RegionKey,
    /// Of its statements.
    pub(crate) digest: String,
    /// As if all integers were known.
    pub(crate) region: Region,
    /// Whether it is a region without values.
    pub(crate) is_region: bool,
}

impl Candidate {
    pub(crate) fn bytes(&self) -> Range<usize> {
        self.region.bytes.clone()
    }
}

/// The candidates of a file, in its order; `regions` are the regions that it has.
pub(crate) fn candidates(source: &SourceFile, regions: &[Region]) -> Vec<Candidate> {
    let all = KnownValues::All { value: SAMPLE, but: BTreeSet::new() };
    let mut found: Vec<Region> = extracted(source, all);
    let overlaps =
        |a: &Region, b: &Region| a.bytes.start < b.bytes.end && b.bytes.start < a.bytes.end;
    for region in regions {
        if !found.iter().any(|other| overlaps(region, other)) {
            found.push(region.clone());
        }
    }
    found.sort_by_key(|region| region.bytes.start);
    let file = file_name(source);
    let mut ordinals: BTreeMap<String, usize> = BTreeMap::new();
    let candidate = |region: Region| {
        let ordinal = ordinals.entry(region.function.clone()).or_default();
        let key =
            RegionKey { file: file.clone(), function: region.function.clone(), ordinal: *ordinal };
        *ordinal += 1;
        let text = source.original().get(region.statement_bytes.clone()).unwrap_or("");
        let words: Vec<&str> = text.split_whitespace().collect();
        let digest = Digest::EMPTY.text(&words.join(" ")).hex()[..16].to_string();
        let is_region = regions.iter().any(|other| other.bytes == region.bytes);
        Candidate { key, digest, region, is_region }
    };
    found.into_iter().map(candidate).collect()
}

/// The name of the file without its folders.
fn file_name(source: &SourceFile) -> String {
    let name = source.path().file_name();
    name.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// The regions of a file where values are known.
pub(crate) fn extracted(source: &SourceFile, values: KnownValues) -> Vec<Region> {
    let found = source.clone().knowing(values).extract_each().unwrap_or_default();
    found.into_iter().flatten().collect()
}

/// An integer in front of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recorded {
    /// How the program writes it.
    pub(crate) name: String,
    /// An expression of C that has its value in front of the region.
    pub(crate) text: String,
}

/// What is recorded of each candidate. Of regions all integers; of others those without which they are none.
pub(crate) fn recorded(source: &SourceFile, candidates: &[Candidate]) -> Vec<Vec<Recorded>> {
    let mut regions: Vec<Region> = candidates.iter().map(|c| c.region.clone()).collect();
    let most = candidates.iter().filter(|c| !c.is_region);
    let most = most.map(|c| c.region.known_values.len()).max().unwrap_or(0);
    for position in (0..most.min(4 * MOST_NAMES)).rev() {
        let fewer = |region: &Region| -> Option<BTreeMap<String, i64>> {
            region.known_values.get(position)?;
            let kept = region.known_values.iter().enumerate().filter(|(at, _)| *at != position);
            Some(kept.map(|(_, known)| (known.name.clone(), known.value)).collect())
        };
        let tried = candidates.iter().zip(&regions).filter(|(candidate, _)| !candidate.is_region);
        let values = tried.filter_map(|(_, region)| {
            let lines = region.first_line..=region.last_line;
            Some(LineValues { lines, values: fewer(region)?, in_subscripts: true })
        });
        let values = values.collect();
        for found in extracted(source, KnownValues::InLines(values)) {
            let is_same = |(candidate, region): &(&Candidate, &mut Region)| {
                !candidate.is_region
                    && region.bytes == found.bytes
                    && region.known_values.len() > found.known_values.len()
            };
            if let Some((_, region)) = candidates.iter().zip(&mut regions).find(is_same) {
                *region = found;
            }
        }
    }
    regions.iter().map(integers).collect()
}

/// The integers that a region takes to be known, as they are read in front of it; the first ones if there are
/// many.
fn integers(region: &Region) -> Vec<Recorded> {
    let one = |known: &loopwright_cfront::KnownValue| Recorded {
        name: known.name.clone(),
        text: known.text.clone(),
    };
    region.known_values.iter().take(MOST_NAMES).map(one).collect()
}
