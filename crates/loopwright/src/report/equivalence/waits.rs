//! Waits of iterations for others: `ordered(n)` with `depend(sink: ...)` and `depend(source)`.
//!
//! An iteration waits at its sinks for the sources of the iterations that they name. Here the sinks are in
//! front of all that an iteration does, and the source is behind it. With a sink `(c0 - 1, c1)` the iteration
//! `(b0, b1)` runs behind `(a0, a1)` if `a0 <= b0` and `a1 <= b1`: there is a chain of waits from `(a0, a1)`
//! to `(b0, a1)`, and one thread runs from `(b0, a1)` to `(b0, b1)`. The chain needs all iterations between,
//! since a sink that names no iteration does not wait: so bounds of inner loops must not depend on outer
//! ones.
use super::c_text::{blanked, closing, is_word, tokens_at};

/// How many loops are ordered in this way; none if the waits have another form.
///
/// `words` are those of the directive, `text` is its loop, with directives.
pub(super) fn ordered_loops(words: &str, text: &str) -> Option<usize> {
    let n: usize = clause(words, "ordered")?.trim().parse().ok()?;
    let code = blanked(text);
    let (mut iterators, mut at) = (Vec::new(), 0);
    for level in 0..n {
        let open = skip_blanks(&code, skip_blanks(&code, at) + 3);
        let is_loop =
            code[skip_blanks(&code, at)..].starts_with("for") && code[open..].starts_with('(');
        let close = is_loop.then(|| closing(&code, open)).flatten()?;
        iterators.push(plain_iterator(&code[open + 1..close], &iterators)?);
        let brace = skip_blanks(&code, close + 1);
        let is_innermost = level + 1 == n;
        at = match code[brace..].starts_with('{') {
            true => brace + 1,
            false if is_innermost => return None,
            false => close + 1,
        };
        let next = skip_blanks(&code, at);
        if !is_innermost && text[at..next].contains('#') {
            return None;
        }
    }
    let end = closing(&code, code[..at].rfind('{')?)?;
    waits_outside(&text[at..end], &iterators).then_some(n)
}

/// What stands in the brackets of a clause.
fn clause<'t>(words: &'t str, name: &str) -> Option<&'t str> {
    let at = words.find(&format!("{name}("))?;
    let open = at + name.len();
    let is_name = !words[..at].ends_with(is_word);
    is_name.then(|| Some(&words[open + 1..closing(words, open)?])).flatten()
}

/// The iterator of a loop in steps of one whose bounds do not mention others.
fn plain_iterator(head: &str, outer: &[String]) -> Option<String> {
    let [start, condition, step] = head.split(';').collect::<Vec<_>>()[..] else { return None };
    let tokens = |text| tokens_at(text).into_iter().map(|(_, token)| token).collect::<Vec<&str>>();
    let start = tokens(start);
    let equals = start.iter().position(|token| *token == "=")?;
    let name = start[..equals].last()?.to_string();
    let mut all = start[equals..].to_vec();
    all.extend(tokens(condition));
    let is_free = !all.iter().any(|token| outer.iter().any(|own| own == token));
    let step = tokens(step).concat();
    let is_one =
        step == format!("{name}++") || step == format!("++{name}") || step == format!("{name}+=1");
    (is_free && is_one).then_some(name)
}

/// Whether the sinks stand in front of all else, the source behind it, and one of the sinks is the iteration
/// before in the outermost loop.
fn waits_outside(body: &str, iterators: &[String]) -> bool {
    let lines: Vec<&str> = body.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let waits: Vec<Option<Wait>> = lines.iter().map(|line| Wait::read(line)).collect();
    let sinks = waits.iter().take_while(|wait| matches!(wait, Some(Wait::Sink(_)))).count();
    let all = waits.iter().flatten().count();
    let has_source = matches!(waits.last(), Some(Some(Wait::Source)));
    let others = lines.iter().filter(|line| line.starts_with('#') && line.contains("ordered"));
    let is_before = |wait: &Option<Wait>| match wait {
        Some(Wait::Sink(place)) => is_iteration_before(place, iterators),
        _ => false,
    };
    has_source && all == sinks + 1 && others.count() == all && waits[..sinks].iter().any(is_before)
}

/// `c0 - 1, c1, c2`.
fn is_iteration_before(place: &str, iterators: &[String]) -> bool {
    let parts: Vec<String> = place
        .split(',')
        .map(|part| part.chars().filter(|c| !c.is_whitespace()).collect())
        .collect();
    let expected = iterators.iter().enumerate().map(|(level, iterator)| match level {
        0 => format!("{iterator}-1"),
        _ => iterator.clone(),
    });
    parts.into_iter().eq(expected)
}

/// `#pragma omp ordered depend(...)`.
enum Wait {
    Sink(String),
    Source,
}

impl Wait {
    fn read(line: &str) -> Option<Self> {
        let words = line.strip_prefix('#')?.trim_start().strip_prefix("pragma")?.trim_start();
        let words = words.strip_prefix("omp")?.trim_start().strip_prefix("ordered")?;
        let inside = clause(words.trim(), "depend")?.trim();
        match inside.strip_prefix("sink") {
            Some(place) => Some(Wait::Sink(place.trim_start().strip_prefix(':')?.to_string())),
            None => (inside == "source").then_some(Wait::Source),
        }
    }
}

fn skip_blanks(code: &str, at: usize) -> usize {
    code.len() - code[at..].trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::ordered_loops;

    const INNER: &str = "for (int j = 0; j <= m; j++) {";
    const SINK: &str = "#pragma omp ordered depend(sink: i - 1, j)";
    const SOURCE: &str = "#pragma omp ordered depend(source)";

    fn loops(inner: &str, first: &str, last: &str) -> Option<usize> {
        let text =
            format!("for (int i = 0; i < n; i++) {{\n{inner}\n{first}\na[i] = 1;\n{last}\n}}\n}}");
        ordered_loops(" parallel for ordered(2)", &text)
    }

    #[test]
    fn waits_for_the_iteration_before_are_read() {
        assert_eq!(loops(INNER, SINK, SOURCE), Some(2));
        let two = format!("{SINK}\n#pragma omp ordered depend(sink: i, j - 1)");
        assert_eq!(loops(INNER, &two, SOURCE), Some(2));
    }

    #[test]
    fn other_waits_are_none() {
        let diagonal = "#pragma omp ordered depend(sink: i - 1, j + 1)";
        let cases = [
            (INNER, SINK, ""),
            (INNER, "", SOURCE),
            (INNER, diagonal, SOURCE),
            (INNER, "b[i] = 2;\n#pragma omp ordered depend(sink: i - 1, j)", SOURCE),
            (INNER, SINK, "#pragma omp ordered depend(source)\nb[i] = 2;"),
            ("for (int j = 0; j <= i; j++) {", SINK, SOURCE),
            ("for (int j = 0; j <= m; j += 2) {", SINK, SOURCE),
        ];
        for (inner, first, last) in cases {
            assert_eq!(loops(inner, first, last), None, "{inner} {first} {last}");
        }
    }
}
