//! Reading extensions: bodies, names of variables, places.
use super::lines::Lines;
use crate::Place;
use loopwright_presburger::Result;
use std::collections::BTreeMap;

/// The text of a statement and the iterators it is written over.
pub(super) struct StatementBody {
    pub(super) iterators: Vec<String>,
    pub(super) text: String,
}

/// The content of `<body>`, or of the `<body>` in an `<extbody>`.
pub(super) fn statement_body(
    lines: &Lines<'_>,
    first: usize,
    content: &[&str],
) -> Result<StatementBody> {
    let is = |line: &&str, tag: &str| line.trim() == tag;
    let inner = content.iter().position(|line| is(line, "<body>"));
    let end = content.iter().position(|line| is(line, "</body>"));
    let (skipped, content) = match (inner, end) {
        (Some(start), Some(end)) if start < end => (start + 1, &content[start + 1..end]),
        _ => (0, content),
    };
    let mut rest = content.iter().enumerate().filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let mut next = |what: &str| {
        let end = first + skipped + content.len();
        rest.next()
            .map(|(at, line)| (first + skipped + at, line.trim()))
            .ok_or_else(|| lines.error_at(end, format_args!("the body ends: expected {what}")))
    };
    let (at, count) = next("the number of iterators")?;
    let count: usize = count.parse().map_err(|_| {
        lines.error_at(at, format_args!("expected the number of iterators, found `{count}`"))
    })?;
    let mut iterators = Vec::new();
    if count > 0 {
        let (at, names) = next("the iterators")?;
        iterators = names.split_whitespace().map(str::to_string).collect();
        if iterators.len() != count {
            let message = format!("{} iterators where {count} are announced", iterators.len());
            return Err(lines.error_at(at, message));
        }
    }
    let text: Vec<&str> = rest.map(|(_, line)| line.trim()).collect();
    Ok(StatementBody { iterators, text: text.join(" ") })
}

/// The content of `<arrays>`: names by number.
pub(super) fn array_names(
    lines: &Lines<'_>,
    first: usize,
    content: &[&str],
) -> Result<BTreeMap<i64, String>> {
    let mut names = BTreeMap::new();
    let mut count = None;
    for (at, line) in content.iter().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match (count, words.as_slice()) {
            (None, [number]) if number.parse::<usize>().is_ok() => count = Some(()),
            (Some(()), [number, name]) if number.parse::<i64>().is_ok() => {
                names.insert(number.parse().unwrap_or_default(), (*name).to_string());
            }
            _ => {
                let message = "expected the number of variables, then lines `NUMBER NAME`";
                return Err(lines.error_at(first + at, message));
            }
        }
    }
    Ok(names)
}

/// The content of `<coordinates>`; what is not understood stays unknown.
pub(super) fn place(content: &[&str]) -> Place {
    let lines = content.iter().map(|line| line.split('#').next().unwrap_or_default().trim());
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let number = |position: usize| {
        let first = lines.get(position).and_then(|line| line.split_whitespace().next());
        first.and_then(|word| word.parse::<u32>().ok()).unwrap_or(0)
    };
    Place {
        file: lines.first().map_or(String::new(), |name| (*name).to_string()),
        lines: (number(1), number(2)),
        bytes: (0, 0),
        indentation: " ".repeat(number(3).min(64) as usize),
    }
}
