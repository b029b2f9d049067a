//! Where a run of a program spent its time, by lines of its source.
//!
//! The form is the least that profilers agree on: a line of text that begins with a number and names a line
//! of source somewhere after it. `perf report --stdio --sort srcline` and `gprof -b -p -l` print such lines.
use std::path::{Component, Path};

/// How much time was spent at which lines of source.
///
/// ```
/// use loopwright::TimeData;
/// let data = TimeData::parse("# a comment\n 75.00%  f.c:3\n 25.00%  libm.so.6\n").unwrap();
/// assert_eq!(data.total(), 100.0);
/// ```
#[derive(Clone, Debug, Default)]
pub struct TimeData {
    samples: Vec<Sample>,
}

/// Time that was spent at one place.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) weight: f64,
    /// The place, and after it those at which the functions around it were called in place; none if it is
    /// in no source.
    pub(crate) places: Vec<Place>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    file: String,
    pub(crate) line: u32,
}

impl TimeData {
    /// Reads lines that begin with a number: a time, a count or a percentage, which lasts to the end of the
    /// word. Each `FILE:LINE` in the rest is where it was spent, the first one innermost where functions are
    /// expanded in place. All other lines are passed over.
    ///
    /// # Errors
    /// If no line names a line of source.
    pub fn parse(text: &str) -> Result<TimeData, String> {
        let samples: Vec<Sample> = text.lines().filter_map(sample).collect();
        match samples.iter().any(|sample| !sample.places.is_empty()) {
            true => Ok(TimeData { samples }),
            false => Err("no line begins with a number and names a line of source, as in \
                `12.5% file.c:7`"
                .to_string()),
        }
    }

    /// All time, in the unit of the text.
    pub fn total(&self) -> f64 {
        self.samples.iter().map(|sample| sample.weight).sum()
    }

    pub(crate) fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

fn sample(line: &str) -> Option<Sample> {
    let mut words = line.split_whitespace();
    let number = words.next()?;
    let number = number.strip_suffix('%').unwrap_or(number);
    let weight: f64 = number.parse().ok()?;
    let is_amount = weight.is_finite() && weight >= 0.0;
    is_amount.then(|| Sample { weight, places: words.filter_map(Place::parse).collect() })
}

impl Place {
    fn parse(word: &str) -> Option<Place> {
        let word = word.trim_start_matches('(').trim_end_matches([')', ',']);
        let (file, line) = word.rsplit_once(':')?;
        let is_line = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
        let line = line.parse().ok().filter(|_| is_line && !file.is_empty())?;
        Some(Place { file: file.to_string(), line })
    }

    /// How many last parts of its path are those of a file; none if its name is another one, or if it is
    /// an absolute path of another file.
    pub(crate) fn agreement(&self, file: &Path) -> Option<usize> {
        let parts = |path: &Path| -> Vec<String> {
            let normal = path.components().filter_map(|component| match component {
                Component::Normal(part) => Some(part.to_string_lossy().into_owned()),
                _ => None,
            });
            normal.collect()
        };
        let (own, other) = (parts(Path::new(&self.file)), parts(file));
        let common = own.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
        let is_same = common == own.len() || common == other.len();
        (common > 0 && is_same).then_some(common)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_profilers_are_read() {
        let perf = "# Overhead  Source:Line\n    61.20%  f.c:12\n    20.10%  libm.so.6\n\n";
        let data = TimeData::parse(perf).unwrap();
        assert_eq!(data.samples[0].places, [Place { file: "f.c".to_string(), line: 12 }]);
        assert!(data.samples[1].places.is_empty());
        let gprof = "  %   cumulative   self              self     total\n \
                     time   seconds   seconds    calls  Ts/call  Ts/call  name\n \
                     50.10      0.05     0.05                             work (src/f.c:10 @ 4005d)\n";
        let data = TimeData::parse(gprof).unwrap();
        assert_eq!(data.samples.len(), 1);
        assert_eq!(data.samples[0].places, [Place { file: "src/f.c".to_string(), line: 10 }]);
        let inlined = TimeData::parse("17 a.h:3 f.c:20\n").unwrap();
        assert_eq!(inlined.samples[0].places.len(), 2);
        assert!(TimeData::parse("nothing\n12 a.out\n").is_err());
    }

    #[test]
    fn files_are_found_by_the_end_of_their_paths() {
        let place = |file: &str| Place { file: file.to_string(), line: 1 };
        assert_eq!(place("f.c").agreement(Path::new("src/f.c")), Some(1));
        assert_eq!(place("/home/me/src/f.c").agreement(Path::new("src/f.c")), Some(2));
        assert_eq!(place("src/./f.c").agreement(Path::new("/x/src/f.c")), Some(2));
        assert_eq!(place("old/f.c").agreement(Path::new("src/f.c")), None);
        assert_eq!(place("g.c").agreement(Path::new("src/f.c")), None);
    }
}
