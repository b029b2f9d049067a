//! Results of runs in files, so that nothing is measured twice.
use super::digest::Digest;
use super::program::Run;
use std::path::PathBuf;

/// What is known about a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Record {
    /// Its runs that came to an end.
    pub(super) runs: Vec<Run>,
    /// The greatest number of seconds after which it was stopped.
    pub(super) stopped: Option<f64>,
}

impl Record {
    /// The least seconds of the runs.
    pub(super) fn least(&self) -> Option<f64> {
        self.runs.iter().map(|run| run.seconds).min_by(f64::total_cmp)
    }

    fn text(&self) -> String {
        let run = |run: &Run| {
            let Run { seconds, elapsed, status, output, errors } = run;
            format!("run {seconds} {elapsed} {status} {} {}\n", output.hex(), errors.hex())
        };
        let stopped = self.stopped.map(|seconds| format!("stopped {seconds}\n"));
        self.runs.iter().map(run).chain(stopped).collect()
    }

    fn parse(text: &str) -> Option<Self> {
        let mut record = Record::default();
        for line in text.lines() {
            match line.split(' ').collect::<Vec<_>>().as_slice() {
                ["run", seconds, elapsed, status, output, errors] => record.runs.push(Run {
                    seconds: seconds.parse().ok()?,
                    elapsed: elapsed.parse().ok()?,
                    status: status.parse().ok()?,
                    output: Digest::parse(output)?,
                    errors: Digest::parse(errors)?,
                }),
                ["stopped", seconds] => record.stopped = Some(seconds.parse().ok()?),
                _ => return None,
            }
        }
        Some(record)
    }
}

/// The folder with the results, one file per program. A file that cannot be read or written is as if
/// it were not there.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The results in a folder, which is made when the first one is kept; none keeps nothing.
    pub(super) fn new(folder: Option<PathBuf>) -> Self {
        Cache { folder }
    }

    fn path(&self, key: Option<Digest>) -> Option<PathBuf> {
        Some(self.folder.as_ref()?.join(format!("{}.txt", key?.hex())))
    }

    /// What is known.
    pub(super) fn get(&self, key: Option<Digest>) -> Record {
        let text = self.path(key).and_then(|path| std::fs::read_to_string(path).ok());
        text.and_then(|text| Record::parse(&text)).unwrap_or_default()
    }

    /// Keeps what is known.
    pub(super) fn put(&self, key: Option<Digest>, record: &Record) {
        let Some(path) = self.path(key) else { return };
        if let Some(folder) = path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = crate::output::write_whole(&path, record.text());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_back() {
        let folder = std::env::temp_dir().join(format!("loopwright-cache-{}", std::process::id()));
        let cache = Cache::new(Some(folder.clone()));
        let key = Some(Digest::of(b"key"));
        assert_eq!(cache.get(key), Record::default());
        let digest = Digest::of(b"output");
        let run =
            Run { seconds: 0.1, elapsed: 0.123456789, status: 3, output: digest, errors: digest };
        let record = Record { runs: vec![run, Run { seconds: 1e-9, ..run }], stopped: Some(2.5) };
        cache.put(key, &record);
        assert_eq!(cache.get(key), record);
        assert_eq!(record.least(), Some(1e-9));
        assert_eq!(cache.get(None), Record::default());
        std::fs::write(cache.path(key).unwrap(), "run fast\n").unwrap();
        assert_eq!(cache.get(key), Record::default());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
