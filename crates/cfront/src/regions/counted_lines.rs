//! Lines and expansions that the preprocessor counts: `__LINE__` and `__COUNTER__`.
//!
//! A result has other lines than the file, and text of a region is there as the preprocessor left it, with
//! numbers in place of `__COUNTER__`. Where the file asks for them, the result says which lines are which
//! (`#line`), and counts on behind a region.
use crate::regions::region::Region;
use crate::regions::source::SourceFile;
use crate::text::preprocess::{preprocess_edited, preprocess_shifted};
use std::collections::BTreeSet;

/// What is added to the numbers of lines to find out whether somebody asks for them.
const SHIFT: u32 = 1_000_000;

/// A word of which there is one in a text.
const PROBE: &str = "loopwright_counter_probe";

/// A region that counts more often counts wrong: each takes two lines.
const MOST_COUNTS: usize = 1000;

/// How a line with a counted expansion begins, in front of the condition and behind it.
const COUNT: &str = "#if __COUNTER__\n#endif\n";

/// What the text of a file asks the preprocessor for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedLines {
    /// Whether lines behind the first region, or in a region, know their numbers.
    pub lines: bool,
    /// How often each region counts (`__COUNTER__`).
    pub counts: Vec<u64>,
}

impl SourceFile {
    /// What the text of the file asks for, as far as regions change it. `moves_all` says that lines are added
    /// in front of the file's own.
    ///
    /// *Cost.* That of comparing words where no name of the file can mean such a macro; otherwise the
    /// preprocessor runs twice for lines, and once per region for counts.
    pub fn counted_lines(&self, regions: &[&Region], moves_all: bool) -> CountedLines {
        let first = regions.iter().map(|region| region.first_line).min();
        let Some(first) = first.filter(|_| !self.is_preprocessed) else {
            return CountedLines::default();
        };
        let own = self.own_texts();
        let is_named = |name: &str| own.iter().any(|text| text.contains(name));
        let first = if moves_all { 0 } else { first };
        let lines = (is_named("__LINE__") || self.uses_macros_of_others(&own, first))
            && self.knows_lines(first);
        let counts = if is_named("__COUNTER__") { self.counts(regions) } else { Vec::new() };
        CountedLines { lines, counts }
    }

    /// Whether lines from one on have names that the preprocessor replaces and the user's files do not
    /// define.
    fn uses_macros_of_others(&self, own: &[String], first: u32) -> bool {
        let clean = self.clean_as_read();
        let left: BTreeSet<&str> = words(&clean.text).collect();
        let defined: BTreeSet<&str> = own
            .iter()
            .flat_map(|text| text.lines())
            .filter_map(|line| line.trim_ascii_start().strip_prefix('#'))
            .filter_map(|line| line.trim_ascii_start().strip_prefix("define"))
            .filter_map(|line| words(line).next())
            .collect();
        let is_code = |line: &&str| !line.trim_start().starts_with('#');
        let own = self.original.lines().skip(first as usize).filter(is_code);
        { own }.flat_map(words).any(|word| !left.contains(word) && !defined.contains(word))
    }

    /// Whether some line from one on is another text in a place further behind.
    fn knows_lines(&self, first: u32) -> bool {
        let lines = |shift: u32| {
            let clean =
                preprocess_shifted(&self.path, &self.original, &self.options, shift).ok()?;
            let lines = clean.origins.iter().enumerate().filter(|(_, origin)| origin.file == 0);
            let lines = lines.map(|(at, origin)| {
                (origin.line.saturating_sub(shift), clean.line_text(at).to_string())
            });
            Some(lines.filter(|(line, _)| *line >= first).collect::<Vec<_>>())
        };
        let plain = lines(0);
        plain.is_none() || plain != lines(SHIFT)
    }

    /// How often the text of each region counts.
    fn counts(&self, regions: &[&Region]) -> Vec<u64> {
        let counted = |region: &&Region| {
            let probe = format!("{PROBE} __COUNTER__;\n");
            let bytes = region.bytes.clone();
            let before = self.original.get(..bytes.start)?;
            let behind = self.original.get(bytes.end..)?;
            let inside = self.original.get(bytes)?;
            let text = format!("{before}{probe}{inside}{probe}{behind}");
            let clean = preprocess_edited(&self.path, &text, &self.options).ok()?;
            let mut found = clean.text.match_indices(PROBE).filter_map(|(at, _)| {
                let number = clean.text[at + PROBE.len()..].split(';').next()?;
                number.trim().parse::<u64>().ok()
            });
            let (start, end) = (found.next()?, found.next()?);
            end.checked_sub(start + 1)
        };
        regions.iter().map(|region| counted(region).unwrap_or(0)).collect()
    }
}

impl CountedLines {
    /// What stands in front of a part of the file that begins with a line at a byte; nothing if nobody asks.
    ///
    /// ```
    /// use loopwright_cfront::CountedLines;
    /// let counted = CountedLines { lines: true, counts: Vec::new() };
    /// assert_eq!(counted.line_at("int x;\nint y;\n", 7), "#line 2\n");
    /// assert_eq!(CountedLines::default().line_at("int x;\nint y;\n", 7), "");
    /// ```
    pub fn line_at(&self, original: &str, byte: usize) -> String {
        let before = original.get(..byte).filter(|_| self.lines);
        let line = before.map(|text| text.matches('\n').count() + 1);
        line.map_or(String::new(), |line| format!("#line {line}\n"))
    }

    /// What counts as often as a region did, behind text of it that does not.
    pub fn counts_of(&self, position: usize) -> String {
        let counts = self.counts.get(position).copied().unwrap_or(0);
        COUNT.repeat(usize::try_from(counts).unwrap_or(0).min(MOST_COUNTS))
    }
}

/// The names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let all = text.split(move |c| !is_word(c));
    all.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
