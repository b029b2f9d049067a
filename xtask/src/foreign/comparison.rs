//! Whether two builds of a program print and write the same.
use super::execution::{Execution, STDERR, STDOUT, working_folder};
use super::manifest::Output;
use crate::agreement::is_close;
use crate::programs::name_matches;
use std::path::Path;

/// What differs between the run of the plain build and another one, the first thing that is found.
pub(super) fn difference(output: &Output, plain: &Execution, other: &Execution) -> Option<String> {
    if plain.end != other.end {
        return Some(format!("{} instead of {}", other.end, plain.end));
    }
    let streams = [(output.stdout, STDOUT), (output.stderr, STDERR)];
    let streams = streams.into_iter().filter(|(is_compared, _)| *is_compared);
    let of_streams =
        streams.map(|(_, name)| (name, plain.folder.join(name), other.folder.join(name)));
    let files = output.files.iter().map(|name| {
        let in_folder = |run: &Execution| working_folder(&run.folder).join(name);
        (name.as_str(), in_folder(plain), in_folder(other))
    });
    of_streams.chain(files).find_map(|(name, plain, other)| {
        let differs = different_files(output, &plain, &other)?;
        Some(format!("{name}: {differs}"))
    })
}

fn different_files(output: &Output, plain: &Path, other: &Path) -> Option<String> {
    let (plain, other) = match (std::fs::read(plain), std::fs::read(other)) {
        (Ok(plain), Ok(other)) => (plain, other),
        (Err(_), Err(_)) => return None,
        (Ok(_), Err(_)) => return Some("it is not written".to_string()),
        (Err(_), Ok(_)) => return Some("it is written".to_string()),
    };
    match plain == other {
        true => None,
        false => different_texts(output, &plain, &other),
    }
}

/// What differs in two texts, without the lines and parts that may differ.
fn different_texts(output: &Output, plain: &[u8], other: &[u8]) -> Option<String> {
    let kept = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(text);
        let lines = text
            .split('\n')
            .filter(|line| !output.ignore.iter().any(|pattern| name_matches(line, pattern)));
        lines.map(|line| without_parts(line, &output.cut)).collect()
    };
    let (plain, other) = (kept(plain), kept(other));
    let is_same = |(plain, other): (&String, &String)| match output.tolerance() {
        Some(tolerance) => is_close(plain, other, tolerance),
        None => plain == other,
    };
    match plain.iter().zip(&other).position(|pair| !is_same(pair)) {
        Some(at) => Some(format!(
            "line {} is {:?} instead of {:?}",
            at + 1,
            shortened(&other[at]),
            shortened(&plain[at])
        )),
        None if plain.len() != other.len() => {
            Some(format!("{} lines instead of {}", other.len(), plain.len()))
        }
        // Bytes that are no text differ.
        None if output.ignore.is_empty()
            && output.cut.is_empty()
            && output.tolerance().is_none() =>
        {
            Some("bytes differ".to_string())
        }
        None => None,
    }
}

/// A line without what lies between pairs of words.
fn without_parts(line: &str, cut: &[(String, String)]) -> String {
    let mut line = line.to_string();
    for (from, to) in cut {
        let Some(start) = line.find(from.as_str()) else { continue };
        let after = start + from.len();
        let end = line[after..].find(to.as_str()).map_or(line.len(), |end| after + end);
        line.replace_range(start..end, "");
    }
    line
}

fn shortened(line: &str) -> String {
    line.chars().take(100).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(output: &Output, plain: &str, other: &str) -> Option<String> {
        different_texts(output, plain.as_bytes(), other.as_bytes())
    }

    #[test]
    fn texts_are_the_same_but_for_what_the_manifest_names() {
        let exact = Output::default();
        let found = differs(&exact, "a 1.0\nb\n", "a 1.1\nb\n").unwrap();
        assert_eq!(found, "line 1 is \"a 1.1\" instead of \"a 1.0\"");
        assert_eq!(differs(&exact, "a\n", "a\na\n").unwrap(), "line 2 is \"a\" instead of \"\"");
        let ignore = vec!["*seconds*".to_string()];
        let without_times = Output { ignore, ..Output::default() };
        assert_eq!(differs(&without_times, "a\n1 seconds\n", "a\n2 seconds\n"), None);
        let cut = vec![("(took".to_string(), ")".to_string())];
        let without_part = Output { cut, ..Output::default() };
        assert_eq!(differs(&without_part, "x 1 (took 3 ms)", "x 1 (took 14 ms)"), None);
        assert!(differs(&without_part, "x 1 (took 3 ms)", "x 2 (took 3 ms)").is_some());
        let close = Output { relative: Some(0.01), ..Output::default() };
        assert_eq!(differs(&close, "a 100.0\n", "a 100.5\n"), None);
        assert!(differs(&close, "a 100.0\n", "a 102.0\n").is_some());
    }
}
