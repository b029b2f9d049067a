//! Files with several regions in formats that have one region per document.
use crate::Foreign;
use loopwright_presburger::{Error, Result};
use std::ops::Range;

/// Reads the documents of a text one by one; places in messages are those of the whole text.
///
/// *Cost.* That of the documents, and the product of their number and that of the lines.
pub(crate) fn read_each(
    text: &str,
    documents: &[Range<usize>],
    read: impl Fn(&str) -> Result<Foreign>,
) -> Result<Vec<Foreign>> {
    if documents.len() < 2 {
        return Ok(vec![read(text)?]);
    }
    let one = |document: &Range<usize>| {
        let lines = text[..document.start].bytes().filter(|byte| *byte == b'\n').count();
        let padded = format!("{}{}", "\n".repeat(lines), &text[document.clone()]);
        read(&padded).map_err(|error| match error {
            Error::Parse { position, message } => {
                let position = (position + document.start).saturating_sub(lines).min(text.len());
                Error::Parse { position, message }
            }
            other => other,
        })
    };
    documents.iter().map(one).collect()
}

/// The documents of a YAML file: a region ends at a line `---` and before a second key `start`.
pub(crate) fn yaml_documents(text: &str) -> Vec<Range<usize>> {
    let mut documents = Vec::new();
    let (mut start, mut position, mut has_key) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let is_end = line.trim_end() == "---";
        let is_start = line.starts_with("start:");
        if is_end || is_start && has_key {
            documents.push(start..position);
            start = if is_end { position + line.len() } else { position };
            has_key = false;
        }
        has_key |= is_start;
        position += line.len();
    }
    documents.push(start..text.len());
    let is_content = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
    documents.retain(|range| text[range.clone()].lines().any(is_content));
    documents
}

/// The values of a text in JSON, one after the other; none if it is not JSON.
pub(crate) fn json_documents(text: &str) -> Vec<Range<usize>> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<serde_json::Value>();
    let (mut documents, mut start) = (Vec::new(), 0);
    while let Some(value) = values.next() {
        if value.is_err() {
            return Vec::new();
        }
        documents.push(start..values.byte_offset());
        start = values.byte_offset();
    }
    documents
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str, documents: Vec<Range<usize>>) -> Vec<&str> {
        documents.into_iter().map(|range| text[range].trim()).collect()
    }

    #[test]
    fn documents_are_found() {
        let text = "# a comment\nstart: 1\nx: 2\nstart: 3\nx: 4\n---\nx: 5\n";
        let expected = ["# a comment\nstart: 1\nx: 2", "start: 3\nx: 4", "x: 5"];
        assert_eq!(parts(text, yaml_documents(text)), expected);
        assert_eq!(yaml_documents("---\nx: 1\nstart: 2\n").len(), 1);
        let text = "{ \"a\": 1 }\n{ \"a\": [2] }\n";
        assert_eq!(parts(text, json_documents(text)), ["{ \"a\": 1 }", "{ \"a\": [2] }"]);
        assert!(json_documents("{ \"a\": 1 } }").is_empty());
    }
}
