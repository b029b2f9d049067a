//! Edits of preprocessed text that keep its lines.
use crate::text::preprocess::CleanText;
use std::ops::Range;

/// What takes the place of a range of the text.
pub(crate) type Edit = (Range<usize>, String);

/// The text with edits in its order, each on the line where it begins.
pub(crate) fn edited(clean: &CleanText, edits: &[Edit]) -> CleanText {
    let mut text = String::with_capacity(clean.text.len());
    let mut at = 0;
    for (range, new) in edits {
        text.push_str(&clean.text[at..range.start]);
        text.push_str(new);
        let breaks = clean.text[range.clone()].matches('\n').count();
        text.extend(std::iter::repeat_n('\n', breaks));
        at = range.end;
    }
    text.push_str(&clean.text[at..]);
    let mut start = 0;
    let starts = text.split_inclusive('\n').map(|line| {
        start += line.len();
        start - line.len()
    });
    CleanText { starts: starts.collect(), text, ..clean.clone() }
}
