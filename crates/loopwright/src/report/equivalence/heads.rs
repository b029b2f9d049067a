//! Heads of loops without minima and maxima.
//!
//! Texts that tools print have bounds such as `max(a, max(b, c))` and `min(a, b)`. In models each of these has as many cases as
//! operands, and bounds inside of bounds multiply them. `i <= min(a, b)` is the same as `i <= a && i <= b`; a loop in steps of
//! one from `max(a, b)` on does what one from `a` on does for the `i >= b`.
use super::c_text::{blanked, closing, tokens_at};
use std::collections::BTreeSet;

/// A text with conditions in place of minima and maxima in heads of loops, line by line as it was.
pub(super) fn without_extrema(text: &str) -> String {
    let minima = macros(text, '<');
    let maxima = macros(text, '>');
    if minima.is_empty() && maxima.is_empty() {
        return text.to_string();
    }
    let mut result = text.to_string();
    let mut from = 0;
    while let Some(head) = Head::next(&blanked(&result), from) {
        from = head.open + 1;
        if let Some((range, by)) = head.plain(&blanked(&result), &minima, &maxima) {
            result.replace_range(range, &by);
        }
    }
    result
}

/// A text in which minima and maxima that are statements in brackets (`({ __typeof__(x) _x = (x); ... })`) are expressions, which the front end reads.
pub(super) fn with_plain_extrema(text: &str) -> String {
    if !text.contains("__typeof__") {
        return text.to_string();
    }
    let plain = |line: &str| {
        let (head, body) = line.split_once("({")?;
        let parameters = head.trim_end().strip_suffix(')')?.rsplit_once('(')?.1;
        let (x, y) = parameters.split_once(',')?;
        let (x, y) = (x.trim(), y.trim());
        let compact: String = body.chars().filter(|c| !c.is_whitespace()).collect();
        let is_of = |sign: &char| {
            let form =
                format!("__typeof__({x})_x=({x});__typeof__({y})_y=({y});_x{sign}_y?_x:_y;}})");
            compact == form
        };
        let sign = ['<', '>'].into_iter().find(is_of)?;
        let is_definition = head.trim_start().starts_with('#') && head.contains("define");
        is_definition.then(|| format!("{head}(({x}) {sign} ({y}) ? ({x}) : ({y}))"))
    };
    let of_line = |line: &str| match plain(line.trim_end()) {
        Some(by) => line.replace(line.trim_end(), &by),
        None => line.to_string(),
    };
    text.split_inclusive('\n').map(of_line).collect()
}

/// The names of macros that are the lesser (`<`) or greater (`>`) of their two parameters.
fn macros(text: &str, sign: char) -> BTreeSet<String> {
    let of_line = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
        let (name, rest) = rest.trim().split_once('(')?;
        let (parameters, body) = rest.split_once(')')?;
        let (x, y) = parameters.split_once(',')?;
        let (x, y) = (x.trim(), y.trim());
        let compact: String = body.chars().filter(|c| !c.is_whitespace()).collect();
        let forms = [
            format!("(({x}){sign}({y})?({x}):({y}))"),
            format!("((({x}){sign}({y}))?({x}):({y}))"),
        ];
        forms.contains(&compact).then(|| name.to_string())
    };
    text.lines().filter_map(of_line).collect()
}

/// `for (TYPE NAME = start; NAME < end; NAME++) {`.
struct Head {
    open: usize,
    close: usize,
}

impl Head {
    fn next(code: &str, mut from: usize) -> Option<Self> {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        while let Some(found) = code[from..].find("for") {
            let at = from + found;
            from = at + 3;
            let open = code.len() - code[from..].trim_start().len();
            if !code[..at].ends_with(is_word) && code[open..].starts_with('(') {
                return Some(Head { open, close: closing(code, open)? });
            }
        }
        None
    }

    /// The part of the text from the head to the brace behind it, and what says the same; none if the head has another form.
    fn plain(
        &self,
        code: &str,
        minima: &BTreeSet<String>,
        maxima: &BTreeSet<String>,
    ) -> Option<(std::ops::Range<usize>, String)> {
        let head = &code[self.open + 1..self.close];
        let [start, condition, step] = head.split(';').collect::<Vec<_>>()[..] else { return None };
        let (declared, first) = start.split_once('=')?;
        let words: Vec<&str> = declared.split_whitespace().collect();
        let (name, types) = words.split_last()?;
        let steps = [format!("{name}++"), format!("++{name}"), format!("{name}+=1")];
        let compact: String = step.chars().filter(|c| !c.is_whitespace()).collect();
        let brace = code.len() - code[self.close + 1..].trim_start().len();
        let starts = operands(first, maxima);
        // What has begun to run goes on until an upper bound ends it.
        let all_upper = conjuncts(condition).iter().all(|own| is_upper_bound(own, name));
        let is_plain = starts.len() == 1 || (steps.contains(&compact) && all_upper);
        if types.is_empty() || !is_plain || !code[brace..].starts_with('{') {
            return None;
        }
        let ends = conjuncts(condition).into_iter().map(|own| comparisons(own, minima));
        let ends: Vec<String> = ends.flatten().collect();
        if starts.len() == 1 && ends.len() == conjuncts(condition).len() {
            return None;
        }
        let rest: Vec<String> = starts[1..].iter().map(|own| format!("{name} >= {own}")).collect();
        let mut by = format!("({declared}= {}; {};{step})", starts[0], ends.join(" && "));
        let lines = code[self.open..brace].matches('\n').count();
        by.push_str(&"\n".repeat(lines.saturating_sub(by.matches('\n').count())));
        if rest.is_empty() {
            return Some((self.open..self.close + 1, by));
        }
        by.push_str(&format!(" if ({}) ", rest.join(" && ")));
        Some((self.open..brace, by))
    }
}

/// The parts of a condition between `&&` outside of brackets.
fn conjuncts(condition: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0i32);
    for (at, c) in condition.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '&' if depth == 0 && condition[at..].starts_with("&&") => {
                parts.push(&condition[start..at]);
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(&condition[start..]);
    parts
}

/// Whether a comparison bounds an iterator from above by something without it.
fn is_upper_bound(comparison: &str, name: &str) -> bool {
    let tokens: Vec<&str> = tokens_at(comparison).into_iter().map(|(_, token)| token).collect();
    let bound = match &tokens[..] {
        [first, "<" | "<=", bound @ ..] if *first == name => bound,
        [first, "+", _, "<" | "<=", bound @ ..] if *first == name => bound,
        _ => return false,
    };
    let is_other =
        |token: &&str| *token == name || matches!(*token, "<" | ">" | "<=" | ">=" | "==" | "!=");
    !bound.iter().any(is_other)
}

/// A comparison with a minimum as those with its operands.
fn comparisons(condition: &str, minima: &BTreeSet<String>) -> Vec<String> {
    let condition = condition.trim();
    let Some(at) = condition.find('<') else { return vec![condition.to_string()] };
    let (left, right) = condition.split_at(at);
    let operator = if right.starts_with("<=") { "<=" } else { "<" };
    let is_sum = !left.contains(['|', '&', '?', '=', '>', '^', '!', '(', ')']);
    if right.starts_with("<<") || !is_sum {
        return vec![condition.to_string()];
    }
    let ends = operands(&right[operator.len()..], minima);
    ends.iter()
        .map(|end| format!("{}{operator} {end}", left.trim_end().to_string() + " "))
        .collect()
}

/// The operands of nested minima or maxima, or the expression itself.
fn operands(expression: &str, macros: &BTreeSet<String>) -> Vec<String> {
    let expression = expression.trim();
    let inner = expression.split_once('(').filter(|(name, _)| macros.contains(name.trim()));
    let Some((name, _)) = inner else { return vec![expression.to_string()] };
    let open = name.len();
    let is_whole = closing(expression, open) == Some(expression.len() - 1);
    let inside = &expression[open + 1..expression.len() - 1];
    let mut depth = 0i32;
    let comma = inside.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        *c == ',' && depth == 0
    });
    match comma.filter(|_| is_whole) {
        Some((at, _)) => {
            [operands(&inside[..at], macros), operands(&inside[at + 1..], macros)].concat()
        }
        None => vec![expression.to_string()],
    }
}

#[cfg(test)]
mod tests {
    use super::without_extrema;

    const MACROS: &str =
        "#define min(x, y) ((x) < (y) ? (x) : (y))\n#define max(a,b) (((a)>(b))?(a):(b))\n";

    #[test]
    fn extrema_become_conditions() {
        let cases = [
            ("for (int i = 0; i < min(n, m); i++) {", "for (int i = 0; i < n && i < m; i++) {"),
            (
                "for (int i = a; i + 7 <= min(n, m); i += 8) {",
                "for (int i = a; i + 7 <= n && i + 7 <= m; i += 8) {",
            ),
            (
                "for (int i = max(a, b); i < c + 8 && i <= min(n, m); i++) {",
                "for (int i = a; i < c + 8 && i <= n && i <= m; i++) if (i >= b) {",
            ),
            (
                "for (long i = max(a, max(b, c + 1)); i <= n; ++i) {",
                "for (long i = a; i <= n; ++i) if (i >= b && i >= c + 1) {",
            ),
            (
                "for (int i = 0; i <= min(n, f(a, b) - 1); i++) {",
                "for (int i = 0; i <= n && i <= f(a, b) - 1; i++) {",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(without_extrema(&format!("{MACROS}{text}")), format!("{MACROS}{expected}"));
        }
    }

    #[test]
    fn statements_in_brackets_are_expressions() {
        let text = "#define ppcg_max(x,y)    ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x > _y ? _x : _y; })\nint i;\n";
        let expected = "#define ppcg_max(x,y)    ((x) > (y) ? (x) : (y))\nint i;\n";
        assert_eq!(super::with_plain_extrema(text), expected);
        let other = text.replace("_x > _y", "_x > 1");
        assert_eq!(super::with_plain_extrema(&other), other);
    }

    #[test]
    fn other_heads_stay() {
        for text in [
            "for (int i = 0; i < n; i++) {",
            "for (int i = max(a, b); i < n; i += 2) {",
            "for (int i = max(a, b); i < n && i >= c; i++) {",
            "for (int i = max(a, b); i < n - i; i++) {",
            "for (i = max(a, b); i < n; i++) {",
            "for (int i = max(a, b); i < n; i++) s();",
            "for (int i = 0; i < min(a, b) + 1; i++) {",
        ] {
            assert_eq!(without_extrema(&format!("{MACROS}{text}")), format!("{MACROS}{text}"));
        }
        let other =
            "#define min(x, y) ((y) < (x) ? (x) : (y))\nfor (int i = 0; i < min(n, m); i++) {";
        assert_eq!(without_extrema(other), other);
    }
}
