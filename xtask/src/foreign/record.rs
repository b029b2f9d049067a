//! What is known about a program so far, kept in a file, so that builds, outputs and times can be asked for
//! separately.
use super::coverage::Coverage;
use super::way::Way;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// What was found out about a program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) name: String,
    pub(super) numeric: bool,
    /// By the name of the way.
    pub(super) builds: BTreeMap<String, BuildRecord>,
    /// Where its time goes; the reason where that is not known.
    pub(super) coverage: Option<Coverage>,
    pub(super) no_coverage: Option<String>,
}

/// What was found out about one build of a program.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct BuildRecord {
    /// Why it cannot be built or started.
    pub(super) failure: Option<String>,
    /// What differs from the plain build's run.
    pub(super) difference: Option<String>,
    /// The seconds of its build.
    pub(super) build_seconds: f64,
    /// The seconds of the runs in which outputs were compared, which others may have disturbed.
    pub(super) run_seconds: f64,
    /// The seconds of the timed runs, in the order of the runs.
    pub(super) seconds: Vec<f64>,
}

impl BuildRecord {
    pub(super) fn median(&self) -> Option<f64> {
        median(&self.seconds)
    }

    /// Whether it was built, and does what the plain build does.
    pub(super) fn is_right(&self) -> bool {
        self.failure.is_none() && self.difference.is_none()
    }
}

impl Record {
    pub(super) fn build(&self, way: Way) -> Option<&BuildRecord> {
        self.builds.get(way.name())
    }

    /// How many times as fast as the plain build a way is: the median over the pairs of runs.
    pub(super) fn speed(&self, way: Way) -> Option<f64> {
        let (plain, own) = (self.build(Way::Plain)?, self.build(way)?);
        if !own.is_right() || plain.seconds.len() != own.seconds.len() {
            return None;
        }
        let ratios: Vec<f64> =
            plain.seconds.iter().zip(&own.seconds).map(|(plain, own)| plain / own).collect();
        median(&ratios)
    }

    /// The record in a folder; an empty one if there is none, or if it is of another form.
    pub(super) fn read(folder: &Path) -> Record {
        let text = std::fs::read_to_string(folder.join(FILE)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), String> {
        let path = folder.join(FILE);
        let text = serde_json::to_string_pretty(self).map_err(|e| e.to_string())?;
        std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
    }
}

const FILE: &str = "record.json";

/// The median of some values; none of none.
pub(super) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}

/// The geometric mean of some values; none of none.
pub(super) fn geometric_mean(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    (!values.is_empty()).then(|| (values.iter().map(|value| value.ln()).sum::<f64>() / n).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_are_medians_of_pairs() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[3.0, 1.0]), Some(2.0));
        assert_eq!(median(&[]), None);
        assert!((geometric_mean(&[2.0, 0.5]).unwrap() - 1.0).abs() < 1e-12);
        let build =
            |seconds: &[f64]| BuildRecord { seconds: seconds.to_vec(), ..Default::default() };
        let builds = [("plain", build(&[2.0, 9.0, 2.0])), ("ours", build(&[1.0, 1.0, 2.0]))];
        let builds = builds.map(|(name, build)| (name.to_string(), build));
        let mut record = Record { builds: builds.into(), ..Record::default() };
        assert_eq!(record.speed(Way::Ours), Some(2.0));
        assert_eq!(record.speed(Way::Clang), None);
        record.builds.get_mut("ours").unwrap().difference = Some("stdout".to_string());
        assert_eq!(record.speed(Way::Ours), None);
    }
}
