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

/// The lines between the tags of an extension that are neither blank nor comments.
struct Content<'l, 'a> {
    lines: &'l Lines<'a>,
    /// The number of the line behind the last one.
    end: usize,
    rest: Vec<(usize, &'a str)>,
    /// How many lines of `rest` are read.
    next: usize,
}

impl<'l, 'a> Content<'l, 'a> {
    fn new(lines: &'l Lines<'a>, first: usize, content: &[&'a str]) -> Self {
        let numbered = content.iter().enumerate().map(|(at, line)| (first + at, line.trim()));
        let is_said = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with('#');
        let rest = numbered.filter(is_said).collect();
        Content { lines, end: first + content.len(), rest, next: 0 }
    }

    fn peek(&self) -> Option<(usize, &'a str)> {
        self.rest.get(self.next).copied()
    }

    fn take(&mut self, what: &str) -> Result<(usize, &'a str)> {
        let found = self.peek();
        self.next += 1;
        found.ok_or_else(|| {
            self.lines.error_at(self.end, format_args!("the body ends: expected {what}"))
        })
    }

    /// A line with one number that counts something.
    fn count(&mut self, what: &str) -> Result<usize> {
        let (at, text) = self.take(what)?;
        let count = without_comment(text).parse();
        count.map_err(|_| self.lines.error_at(at, format_args!("expected {what}, found `{text}`")))
    }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or_default().trim()
}

/// The content of `<body>`.
pub(super) fn statement_body(
    lines: &Lines<'_>,
    first: usize,
    content: &[&str],
) -> Result<StatementBody> {
    body(Content::new(lines, first, content))
}

/// The content of `<extbody>` (OpenScop 0.9.7): places of accesses in the text, which the text itself shows
/// as well, and then what a `<body>` has, between its own tags or without them.
pub(super) fn extended_body(
    lines: &Lines<'_>,
    first: usize,
    content: &[&str],
) -> Result<StatementBody> {
    let mut content = Content::new(lines, first, content);
    let n_accesses = content.count("the number of accesses of the extended body")?;
    let mut n_found = 0_usize;
    while n_found.div_ceil(2) < n_accesses || n_found % 2 == 1 {
        let what = format!("start and length of access {} of {n_accesses}", n_found / 2 + 1);
        let (at, line) = content.take(&what)?;
        for word in without_comment(line).split_whitespace() {
            if word.parse::<i64>().is_err() {
                let message = format!("expected {what}, found `{line}`");
                return Err(lines.error_at(at, message));
            }
            n_found += 1;
        }
    }
    if n_found / 2 > n_accesses {
        let (at, _) = content.rest[content.next - 1];
        let message = format!("more numbers than the start and length of {n_accesses} accesses");
        return Err(lines.error_at(at, message));
    }
    if content.peek().is_some_and(|(_, line)| line == "<body>") {
        content.next += 1;
        let inside = &content.rest[content.next..];
        let Some(end) = inside.iter().position(|(_, line)| *line == "</body>") else {
            return Err(lines.error_at(content.end, "`<body>` has no `</body>`"));
        };
        content.rest.truncate(content.next + end);
    }
    body(content)
}

fn body(mut content: Content<'_, '_>) -> Result<StatementBody> {
    let count = content.count("the number of iterators")?;
    let mut iterators = Vec::new();
    if count > 0 {
        let (at, names) = content.take("the iterators")?;
        iterators = without_comment(names).split_whitespace().map(str::to_string).collect();
        if iterators.len() != count {
            let message = format!("{} iterators where {count} are announced", iterators.len());
            return Err(content.lines.error_at(at, message));
        }
    }
    let text: Vec<&str> = content.rest.iter().skip(content.next).map(|(_, line)| *line).collect();
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
