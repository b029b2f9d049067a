//! One survey of several: loops of files that are included at several places are one.
use crate::report::survey::{FileSurvey, NestSurvey, Survey};
use std::collections::HashMap;
use std::path::PathBuf;

impl Survey {
    /// All files of some surveys, each once, in the order of their first mention. A loop that several of them
    /// have is there once, with the best verdict.
    pub(crate) fn merged(surveys: impl IntoIterator<Item = Survey>) -> Survey {
        let mut files: Vec<FileSurvey> = Vec::new();
        let mut positions: HashMap<PathBuf, usize> = HashMap::new();
        for file in surveys.into_iter().flat_map(|survey| survey.files) {
            match positions.get(&file.path) {
                Some(position) => files[*position].add(file),
                None => {
                    positions.insert(file.path.clone(), files.len());
                    files.push(file);
                }
            }
        }
        Survey { files, ..Survey::default() }
    }
}

impl FileSurvey {
    /// Adds what another translation unit says about the file.
    fn add(&mut self, other: FileSurvey) {
        let key = |nest: &NestSurvey| (nest.lines, nest.function.clone(), nest.depth);
        let known = self.nests.iter().enumerate().map(|(position, nest)| (key(nest), position));
        let known: HashMap<_, usize> = known.collect();
        for nest in other.nests {
            match known.get(&key(&nest)) {
                Some(position) if nest.verdict < self.nests[*position].verdict => {
                    self.nests[*position] = nest;
                }
                Some(_) => {}
                None => self.nests.push(nest),
            }
        }
        for failure in other.failures {
            if !self.failures.contains(&failure) {
                self.failures.push(failure);
            }
        }
        self.failure = self.failure.take().or(other.failure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::survey::Verdict;

    #[test]
    fn loops_of_headers_are_there_once() {
        let nest = |line, verdict| NestSurvey {
            function: "f".to_string(),
            lines: (line, line),
            depth: 0,
            verdict,
            refusals: Vec::new(),
            decisions: Vec::new(),
            proved: false,
            n_versions: 0,
            checks: std::collections::BTreeSet::new(),
        };
        let survey = |nests| Survey {
            files: vec![FileSurvey {
                path: "a.h".into(),
                nests,
                amounts: Vec::new(),
                failures: Vec::new(),
                failure: None,
                notes: Vec::new(),
            }],
            ..Survey::default()
        };
        let merged = Survey::merged([
            survey(vec![nest(1, Verdict::Refused), nest(2, Verdict::Parallel)]),
            survey(vec![
                nest(1, Verdict::Tiled),
                nest(2, Verdict::Refused),
                nest(3, Verdict::Refused),
            ]),
        ]);
        assert_eq!(merged.files.len(), 1);
        let verdicts: Vec<Verdict> = merged.nests().map(|nest| nest.verdict).collect();
        assert_eq!(verdicts, [Verdict::Tiled, Verdict::Parallel, Verdict::Refused]);
    }
}
