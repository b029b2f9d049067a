//! The text of a program that measures its regions.
use crate::pipeline::outcome::line_range;
use crate::pipeline::versions::narrower::on_own_lines;
use crate::profile::candidates::{Candidate, Recorded, candidates, recorded};
use crate::profile::measurements::encoded;
use loopwright_cfront::{Region, SourceFile};
use std::collections::BTreeSet;
use std::ops::Range;

/// Declarations and functions that the texts below use, once for each file.
const HELPERS: &str = include_str!("recorder.h");

/// How a file measures, and what is said about it.
pub(crate) struct Instrumented {
    /// What belongs to the start of the file.
    pub(crate) start: String,
    /// Texts in place of bytes of the file; none if there is nothing to measure.
    pub(crate) replacements: Vec<(Range<usize>, String)>,
    pub(crate) notes: Vec<String>,
}

/// The file as it was, with something around each region, and around what would be a region if integers were
/// known, which writes a profile.
pub(crate) fn instrumented(source: &SourceFile, regions: &[Region], file: &str) -> Instrumented {
    let candidates = candidates(source, regions);
    if candidates.is_empty() {
        let notes = vec!["--profile-gen measures nothing: there is no region".to_string()];
        return Instrumented { start: String::new(), replacements: Vec::new(), notes };
    }
    let recorded = recorded(source, &candidates);
    let mut names = names_of_sites(&candidates[0].region.used_names);
    let (mut replacements, mut notes) = (Vec::new(), Vec::new());
    for (candidate, integers) in candidates.iter().zip(&recorded) {
        let Some(name) = names.next() else { continue };
        let text = around(candidate, integers, &name, source.original());
        let text = on_own_lines(source.original(), &candidate.bytes(), text);
        replacements.push((candidate.bytes(), text));
        notes.push(note(candidate, integers));
    }
    let default = format!("#define LOOPWRIGHT_PROFILE_FILE \"{}\"\n", escaped(file));
    let start = format!("#ifndef LOOPWRIGHT_PROFILE_FILE\n{default}#endif\n{HELPERS}");
    Instrumented { start, replacements, notes }
}

/// Names for sites that the program does not have.
fn names_of_sites(used: &BTreeSet<String>) -> impl Iterator<Item = String> {
    let names = (1..).map(|number| format!("loopwright_site_{number}"));
    names.filter(|name| !used.contains(name))
}

/// What is measured, in one sentence.
fn note(candidate: &Candidate, integers: &[Recorded]) -> String {
    let Region { first_line, last_line, function, .. } = &candidate.region;
    let names: Vec<&str> = integers.iter().map(|integer| &*integer.name).collect();
    let what = match (names.is_empty(), candidate.is_region) {
        (true, _) => "the time".to_string(),
        (false, true) => format!("the time by the values of {}", names.join(", ")),
        (false, false) => format!(
            "the time by the values of {}, without which there is no region",
            names.join(", ")
        ),
    };
    format!("{} in {function}: measures {what}", line_range(*first_line, *last_line))
}

/// The text of a candidate with what measures it.
fn around(candidate: &Candidate, integers: &[Recorded], name: &str, original: &str) -> String {
    let region = &candidate.region;
    let indentation = &region.indentation;
    let own = original.get(region.bytes.clone()).unwrap_or("");
    let key = &candidate.key;
    let mut words = vec![
        "region".to_string(),
        encoded(&key.file),
        encoded(&key.function),
        key.ordinal.to_string(),
        candidate.digest.clone(),
    ];
    words.extend(integers.iter().map(|integer| encoded(&integer.name)));
    let values: Vec<String> =
        integers.iter().map(|integer| format!("(long long) ({})", integer.text)).collect();
    let values = if values.is_empty() { "0".to_string() } else { values.join(", ") };
    let line = escaped(&words.join(" "));
    let end = if own.ends_with('\n') { "" } else { "\n" };
    format!(
        "{indentation}{{\n\
         {indentation}static struct loopwright_site {name} = {{\"{line}\\n\", {n}, 0, {{{{{{0}}, 0, 0, 0}}}}, 0, 0, 0}};\n\
         {indentation}const long long {name}_values[] = {{{values}}};\n\
         {indentation}struct loopwright_visit {name}_visit = loopwright_enters(&{name}, {name}_values);\n\
         {own}{end}\
         {indentation}loopwright_leaves(&{name}_visit);\n\
         {indentation}}}\n",
        n = integers.len()
    )
}

/// A text between quotation marks.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('?', "\\?")
}
