//! Generated text in place of regions.
use std::ops::Range;

/// The original text with some regions' bytes replaced; every other byte stays.
///
/// `replacements` are disjoint byte ranges (as in [`Region::bytes`](crate::Region::bytes)) with their new
/// text, in any order. The lines of a replacement end as that which it begins with, in LF or CR LF; a range
/// that is out of bounds or overlaps an earlier one is left as it was.
pub fn replace_regions(original: &str, replacements: &[(Range<usize>, String)]) -> String {
    let mut sorted: Vec<_> = replacements.iter().collect();
    sorted.sort_by_key(|(range, _)| range.start);
    let mut text = String::with_capacity(original.len());
    let mut position = 0;
    for (range, replacement) in sorted {
        let Some(before) = original.get(position..range.start) else { continue };
        if original.get(range.clone()).is_none() {
            continue;
        }
        text.push_str(before);
        match has_carriage_returns(original, range.clone()) {
            true => text.push_str(&replacement.replace("\r\n", "\n").replace('\n', "\r\n")),
            false => text.push_str(replacement),
        }
        position = range.end;
    }
    text.push_str(&original[position..]);
    text
}

/// Whether the lines of a range, or that behind an empty one, end in CR LF.
fn has_carriage_returns(original: &str, range: Range<usize>) -> bool {
    let end = if range.is_empty() { original.len() } else { range.end };
    let line = original.get(range.start..end).and_then(|text| text.split_inclusive('\n').next());
    line.is_some_and(|line| line.ends_with("\r\n"))
}
