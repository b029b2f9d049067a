//! Heads of loops and conditions without minima and maxima.
//!
//! Texts that tools print have bounds such as `max(a, max(b, c))` and `min(a, b)`. In models each of these
//! has as many cases as operands, and bounds inside of bounds multiply them. `i <= min(a, b)` is the same as
//! `i <= a && i <= b`, and so is `i >= max(a, b)`; a loop in steps of one from `max(a, b)` on does what one
//! from `a` on does for the `i >= b`.
use super::c_text::{blanked, closing, is_word, tokens_at};
use super::for_head::{ForHead, replaced};
use std::collections::BTreeSet;
use std::ops::Range;

/// A text with conditions in place of minima and maxima in heads of loops, line by line as it was.
pub(super) fn without_extrema(text: &str) -> String {
    let minima = macros(text, '<');
    let maxima = macros(text, '>');
    if minima.is_empty() && maxima.is_empty() {
        return text.to_string();
    }
    let code = blanked(text);
    let macros = Macros { minima, maxima };
    let heads = ForHead::all(&code).into_iter().filter_map(|head| macros.plain_head(&code, &head));
    let conditions =
        code.match_indices("if").filter_map(|(at, _)| macros.plain_condition(&code, at));
    replaced(text, heads.chain(conditions).collect())
}

/// A text in which minima and maxima that are statements in brackets (`({ __typeof__(x) _x = (x); ... })`)
/// are expressions, which the front end reads.
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

/// The macros that are minima and maxima.
struct Macros {
    minima: BTreeSet<String>,
    maxima: BTreeSet<String>,
}

impl Macros {
    /// The part of the text from the brackets of `for (TYPE NAME = start; NAME < end; NAME++) {` to the
    /// brace, and what says the same; none if there is nothing to change, or the head has another form.
    fn plain_head(&self, code: &str, head: &ForHead<'_>) -> Option<(Range<usize>, String)> {
        let ForHead { start, condition, step, .. } = head;
        let (declared, first) = start.split_once('=')?;
        let words: Vec<&str> = declared.split_whitespace().collect();
        let (name, types) = words.split_last()?;
        let steps = [format!("{name}++"), format!("++{name}"), format!("{name}+=1")];
        let compact: String = step.chars().filter(|c| !c.is_whitespace()).collect();
        let brace = code.len() - code[head.close + 1..].trim_start().len();
        let starts = operands(first, &self.maxima);
        // What has begun to run goes on until an upper bound ends it.
        let all_upper = conjuncts(condition).iter().all(|own| is_upper_bound(own, name));
        let is_plain = starts.len() == 1
            || (steps.contains(&compact) && all_upper && code[brace..].starts_with('{'));
        if types.is_empty() || !is_plain {
            return None;
        }
        let ends = self.comparisons(condition);
        if starts.len() == 1 && ends.len() == conjuncts(condition).len() {
            return None;
        }
        let rest: Vec<String> = starts[1..].iter().map(|own| format!("{name} >= {own}")).collect();
        let mut by = format!("({declared}= {}; {}; {step})", starts[0], ends.join(" && "));
        let lines = code[head.open..brace].matches('\n').count();
        by.push_str(&"\n".repeat(lines.saturating_sub(by.matches('\n').count())));
        if rest.is_empty() {
            return Some((head.open..head.close + 1, by));
        }
        by.push_str(&format!(" if ({}) ", rest.join(" && ")));
        Some((head.open..brace, by))
    }

    /// The brackets of an `if` at a place, and what says the same; none if there is nothing to change.
    fn plain_condition(&self, code: &str, at: usize) -> Option<(Range<usize>, String)> {
        let rest = code[at..].strip_prefix("if").filter(|_| !code[..at].ends_with(is_word))?;
        let open = code.len() - rest.trim_start().len();
        let close = code[open..].starts_with('(').then(|| closing(code, open)).flatten()?;
        let condition = &code[open + 1..close];
        let all = self.comparisons(condition);
        let is_changed = all.len() != conjuncts(condition).len();
        let mut by = format!("({})", all.join(" && "));
        let lines = condition.matches('\n').count();
        by.push_str(&"\n".repeat(lines.saturating_sub(by.matches('\n').count())));
        (is_changed && !condition.contains("||")).then_some((open..close + 1, by))
    }

    /// The comparisons of a condition, where those with a minimum or maximum that hold for all its operands
    /// are one for each of these.
    fn comparisons(&self, condition: &str) -> Vec<String> {
        conjuncts(condition).into_iter().flat_map(|own| self.comparison(own)).collect()
    }

    fn comparison(&self, condition: &str) -> Vec<String> {
        let whole = || vec![condition.trim().to_string()];
        let inner = without_brackets(condition);
        let Some(at) = inner.find(['<', '>']) else { return whole() };
        let (left, right) = inner.split_at(at);
        let sign = &right[..1];
        let operator = if right[1..].starts_with('=') { &right[..2] } else { sign };
        let is_sum = !left.contains(['|', '&', '?', '=', '^', '!', '(', ')']);
        let macros = if sign == "<" { &self.minima } else { &self.maxima };
        let ends = operands(&right[operator.len()..], macros);
        let is_shift = right[1..].starts_with(sign);
        match is_sum && !is_shift && ends.len() > 1 {
            true => ends
                .iter()
                .map(|end| format!("{} {operator} {}", left.trim(), operand(end)))
                .collect(),
            false => whole(),
        }
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

/// An expression as an operand of a comparison.
fn operand(expression: &str) -> String {
    match expression.contains(['<', '>', '=', '?', '&', '|', '^']) {
        true => format!("({expression})"),
        false => expression.to_string(),
    }
}

/// An expression without brackets around all of it.
fn without_brackets(expression: &str) -> &str {
    let expression = expression.trim();
    let is_whole =
        expression.starts_with('(') && closing(expression, 0) == Some(expression.len() - 1);
    match is_whole {
        true => without_brackets(&expression[1..expression.len() - 1]),
        false => expression,
    }
}

/// The operands of nested minima or maxima, also of such ones plus or minus something, or the expression
/// itself.
fn operands(expression: &str, macros: &BTreeSet<String>) -> Vec<String> {
    let expression = without_brackets(expression);
    let itself = || vec![expression.to_string()];
    let Some(open) = expression.find('(') else { return itself() };
    let name = expression[..open].trim();
    let Some(close) = closing(expression, open) else { return itself() };
    let rest = &expression[close + 1..];
    if !rest.is_empty() {
        let first = operands(&expression[..close + 1], macros);
        let is_shift = rest.trim_start().starts_with(['+', '-'])
            && !rest.contains(['(', '<', '>', '=', '?', '&', '|', '^', '%', ',']);
        return match first.len() > 1 && is_shift {
            true => first.iter().map(|own| format!("({own}){rest}")).collect(),
            false => itself(),
        };
    }
    if !macros.contains(name) {
        return itself();
    }
    let inside = &expression[open + 1..close];
    let mut depth = 0i32;
    let comma = inside.char_indices().find(|(_, c)| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        *c == ',' && depth == 0
    });
    match comma {
        Some((at, _)) => {
            [operands(&inside[..at], macros), operands(&inside[at + 1..], macros)].concat()
        }
        None => itself(),
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
            (
                "for (int i = 0; i <= (min(n, m)) - 7; i += 8) {",
                "for (int i = 0; i <= (n) - 7 && i <= (m) - 7; i += 8) {",
            ),
            (
                "for (int i = (max(a, b)); i <= n; i++) {",
                "for (int i = a; i <= n; i++) if (i >= b) {",
            ),
            (
                "for (int i = a; i <= min(n, m); i++) s();",
                "for (int i = a; i <= n && i <= m; i++) s();",
            ),
            (
                "if ((n == 3) && (t >= max(a, max(b, c)))) s();",
                "if ((n == 3) && t >= a && t >= b && t >= c) s();",
            ),
            ("if (t <= min(a, b < c)) s();", "if (t <= a && t <= (b < c)) s();"),
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
            "for (int i = 0; i < min(a, b) * 2; i++) {",
            "if (t <= max(a, b)) s();",
            "if (t >= max(a, b) || n > 3) s();",
            "if (t == max(a, b)) s();",
        ] {
            assert_eq!(without_extrema(&format!("{MACROS}{text}")), format!("{MACROS}{text}"));
        }
        let other =
            "#define min(x, y) ((y) < (x) ? (x) : (y))\nfor (int i = 0; i < min(n, m); i++) {";
        assert_eq!(without_extrema(other), other);
    }
}
