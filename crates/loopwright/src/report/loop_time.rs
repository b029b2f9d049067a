//! How much of the time of a run was spent in which loop nest of a survey.
use crate::report::survey::{FileSurvey, NestSurvey, Survey, Verdict};
use crate::report::time_data::{Place, TimeData};

/// Shares of the time of a run. Time in a nest inside of a refused one is that of the inner nest only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LoopTime {
    /// Per file and nest of the survey, the share of the time in loops.
    pub nests: Vec<Vec<f64>>,
    /// The share of all time that was spent in loops of the survey.
    pub in_loops: f64,
    /// The share that was spent in the files of the survey, but in none of their loops.
    pub outside: f64,
    /// The share that was spent in other files and where there is no source.
    pub elsewhere: f64,
}

impl LoopTime {
    /// The shares of the nests of some surveyed files.
    ///
    /// A sample belongs to the innermost nest around its place. If there is none, but the function was
    /// expanded in place, the place of the call is asked, and so on. A file is that of a place if the whole
    /// of the shorter path is the end of the other one; of several the one that agrees most.
    pub fn of(files: &[FileSurvey], data: &TimeData) -> LoopTime {
        let mut nests: Vec<Vec<f64>> = files.iter().map(|f| vec![0.0; f.nests.len()]).collect();
        let (mut outside, mut elsewhere) = (0.0, 0.0);
        for sample in data.samples() {
            let nest = sample.places.iter().find_map(|place| nest_of(files, place));
            match nest {
                Some((file, nest)) => nests[file][nest] += sample.weight,
                None if sample.places.iter().any(|place| file_of(files, place).is_some()) => {
                    outside += sample.weight;
                }
                None => elsewhere += sample.weight,
            }
        }
        let in_loops: f64 = nests.iter().flatten().sum();
        let of = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        nests.iter_mut().flatten().for_each(|time| *time = of(*time, in_loops));
        let all = in_loops + outside + elsewhere;
        LoopTime {
            nests,
            in_loops: of(in_loops, all),
            outside: of(outside, all),
            elsewhere: of(elsewhere, all),
        }
    }
}

/// The file of a place.
fn file_of(files: &[FileSurvey], place: &Place) -> Option<usize> {
    let agreements = files.iter().enumerate();
    let agreements =
        agreements.filter_map(|(position, file)| Some((place.agreement(&file.path)?, position)));
    let (best, position) = agreements.clone().max_by_key(|(agreement, _)| *agreement)?;
    // Of two files that agree as well, neither is known to be the one.
    (agreements.filter(|(agreement, _)| *agreement == best).count() == 1).then_some(position)
}

/// The innermost nest around a place.
fn nest_of(files: &[FileSurvey], place: &Place) -> Option<(usize, usize)> {
    let file = file_of(files, place)?;
    let nests = files[file].nests.iter().enumerate();
    let around = nests.filter(|(_, nest)| (nest.lines.0..=nest.lines.1).contains(&place.line));
    let innermost =
        around.min_by_key(|(_, nest)| (nest.lines.1 - nest.lines.0, std::cmp::Reverse(nest.depth)));
    Some((file, innermost?.0))
}

impl Survey {
    /// The same survey with the time of a run.
    pub fn with_time(mut self, data: &TimeData) -> Survey {
        self.time = Some(LoopTime::of(&self.files, data));
        self
    }

    /// All loop nests with their shares of the time in loops, if it is known.
    pub fn timed_nests(&self) -> impl Iterator<Item = (&NestSurvey, Option<f64>)> {
        let time_of = |file: usize, nest: usize| {
            self.time.as_ref().and_then(|time| time.nests.get(file)?.get(nest).copied())
        };
        self.files.iter().enumerate().flat_map(move |(file, survey)| {
            let nests = survey.nests.iter().enumerate();
            nests.map(move |(nest, survey)| (survey, time_of(file, nest)))
        })
    }

    /// The share of the time in loops that was spent in nests with a verdict, if it is known.
    pub fn time_of(&self, verdict: Verdict) -> Option<f64> {
        let nests = self.timed_nests().filter(|(nest, _)| nest.verdict == verdict);
        self.time.as_ref()?;
        // A sum of nothing is -0.
        Some(nests.filter_map(|(_, time)| time).sum::<f64>() + 0.0)
    }
}
