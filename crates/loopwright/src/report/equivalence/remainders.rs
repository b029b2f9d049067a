//! Iterators that go on behind their loop, for what is left over.
//!
//! `long v = s; for (; v + 7 <= e; v += 8) A if (v + 3 <= e) { B v += 4; } if (v + 1 <= e) { C }` works on
//! pieces of eight, four and two. Behind the loop, `v` is the first of `s`, `s + 8`, ... that is too large
//! for eight, so B is for the `v` from `s` on in steps of eight with `v + 3 <= e` and not `v + 7 <= e`;
//! behind B, with its half of eight, it is the first of `s`, `s + 4`, ... that is too large for four. So each
//! part has a loop of its own, and no iterator is used behind its loop. A part without a condition
//! (`{ B v += 4; }`) runs in any case, also where the first value is too large already.
use super::c_text::{blanked, closing, is_word, tokens_at};
use super::for_head::{ForHead, assigns, names_at, replaced};
use std::ops::Range;

/// A text in which no such iterator is used behind its loop, line by line as it was.
pub(super) fn without_remainders(text: &str) -> String {
    let code = blanked(text);
    let mut edits = Vec::new();
    let mut from = 0;
    while let Some(found) = code[from..].find("for") {
        let at = from + found;
        from = at + 3;
        if let Some(own) = Remainders::at(&code, at) {
            edits.extend(own.edits);
            from = own.end;
        } else if let Some(edit) = rest_of_unrolled(&code, at) {
            edits.push(edit);
        }
    }
    replaced(text, edits)
}

/// What the parts have in common.
struct Remainders<'t> {
    code: &'t str,
    name: &'t str,
    /// The type and the first value.
    of: &'t str,
    start: &'t str,
    /// The bound, and what it is compared with by.
    end_value: &'t str,
    operator: &'t str,
    /// The last step: the iterator is the first value that is too large for it.
    step: i64,
    /// What has been added since.
    shift: i64,
    edits: Vec<(Range<usize>, String)>,
    end: usize,
}

/// `name + offset < bound`.
struct Comparison<'t> {
    name: &'t str,
    offset: i64,
    operator: &'t str,
    bound: &'t str,
}

impl<'t> Comparison<'t> {
    fn read(condition: &'t str) -> Option<Self> {
        let at = condition.find('<')?;
        let (left, right) = condition.split_at(at);
        let operator = if right.starts_with("<=") { "<=" } else { "<" };
        let bound = right[operator.len()..].trim();
        let tokens: Vec<&str> = tokens_at(left).into_iter().map(|(_, token)| token).collect();
        let (name, offset) = match tokens[..] {
            [name] => (name, 0),
            [name, "+", offset] => (name, offset.parse().ok()?),
            _ => return None,
        };
        let is_plain = !bound.contains(['<', '>', '=', '&', '|', '?', ';']);
        (is_plain && !bound.is_empty()).then_some(Comparison { name, offset, operator, bound })
    }
}

impl<'t> Remainders<'t> {
    /// The loop at a place with the parts behind it; none if there is another form.
    fn at(code: &'t str, at: usize) -> Option<Self> {
        let ForHead { open, close, start: first, condition, step, .. } = ForHead::at(code, at)?;
        let comparison = Comparison::read(condition)?;
        let name = comparison.name;
        let step = step.strip_prefix(name)?.trim_start().strip_prefix("+=")?.trim();
        let step: i64 = step.parse().ok()?;
        if !first.is_empty() || comparison.offset != step - 1 || step < 2 {
            return None;
        }
        let (declaration, of, start) = declared_before(code, at, name)?;
        let body = block(code, close + 1)?;
        let mut own = Remainders {
            code,
            name,
            of,
            start,
            end_value: comparison.bound,
            operator: comparison.operator,
            step,
            shift: 0,
            edits: Vec::new(),
            end: body.end,
        };
        own.edits.push((declaration, String::new()));
        own.edits.push((open + 1..open + 1, format!("{of} {name} = {start}")));
        if !keeps([name, start, own.end_value], &code[body]) {
            return None;
        }
        while !code[own.end..].trim_start().starts_with('}') {
            own.part()?;
        }
        Some(own)
    }

    /// The condition that a piece of the last step is too large.
    fn is_too_large(&self) -> String {
        let opposite = if self.operator == "<" { ">=" } else { ">" };
        format!("{} + {} {opposite} {}", self.name, self.step - 1, self.end_value)
    }

    /// The next part behind the loop.
    fn part(&mut self) -> Option<()> {
        let (code, name) = (self.code, self.name);
        let at = skip_blanks(code, self.end);
        let head = code[at..].strip_prefix("if").map(|_| skip_blanks(code, at + 2));
        let condition = match head {
            Some(open) if code[open..].starts_with('(') => Some(open..closing(code, open)? + 1),
            Some(_) => return None,
            None => None,
        };
        let body = block(code, condition.as_ref().map_or(at, |range| range.end))?;
        let (inside, added) = self.added(&body)?;
        if !keeps([name, self.start, self.end_value], &code[inside.clone()]) {
            return None;
        }
        self.end = body.end;
        let (of, start, step, too_large) = (self.of, self.start, self.step, self.is_too_large());
        if let Some(range) = condition {
            let text = &code[range.start + 1..range.end - 1];
            let own = Comparison::read(text)?;
            let is_same =
                (own.name, own.operator, own.bound) == (name, self.operator, self.end_value);
            let is_half = added.is_none_or(|added| added == own.offset + 1 && 2 * added == step);
            let is_last = code[self.end..].trim_start().starts_with('}');
            if !is_same
                || !is_half
                || self.shift != 0
                || own.offset >= step
                || (added.is_none() && !is_last)
            {
                return None;
            }
            let by =
                format!("for ({of} {name} = {start}; {text}; {name} += {step}) if ({too_large})");
            self.edits.push((at..range.end, by));
            self.step = added.unwrap_or(step);
        } else {
            let least = if self.operator == "<" { "" } else { " + 1" };
            let (end, shift) = (self.end_value, self.shift);
            let last = format!("(({end}){least} > ({start}) ? ({end}){least} : ({start}))");
            let by = format!(
                "for ({of} {name} = {start}; {name} <= {last}; {name} += {step}) if ({too_large}) "
            );
            self.edits.push((at..at, by));
            if shift != 0 {
                let own = tokens_at(&code[inside.clone()]).into_iter().filter(|own| own.1 == name);
                let place = |(place, _): (usize, &str)| {
                    let place = inside.start + place;
                    (place..place + name.len(), format!("({name} + {shift})"))
                };
                self.edits.extend(own.map(place));
            }
            self.shift += added.unwrap_or(0);
        }
        if added.is_some() {
            let end = code[inside.end..body.end].find(';')? + inside.end + 1;
            self.edits.push((inside.end..end, String::new()));
        }
        Some(())
    }

    /// The statements of a block without `name += number;` at its end, and that number.
    fn added(&self, body: &Range<usize>) -> Option<(Range<usize>, Option<i64>)> {
        let inside = body.start + 1..body.end - 1;
        let text = self.code[inside.clone()].trim_end();
        let before = text.strip_suffix(';').and_then(|text| text.rfind([';', '}']));
        let Some(at) = before.map(|at| at + 1) else { return Some((inside, None)) };
        let last = text[at..].trim().trim_end_matches(';').trim();
        let added =
            last.strip_prefix(self.name).and_then(|rest| rest.trim_start().strip_prefix("+="));
        match added.and_then(|added| added.trim().parse::<i64>().ok()) {
            Some(added) => {
                let end = inside.start + at;
                Some((inside.start..skip_blanks(self.code, end), Some(added)))
            }
            None => Some((inside, None)),
        }
    }
}

/// `for (v = s; v <= (e) - 7; v += 8) A for (; v <= e; v++) B`, as tools print that unroll loops: the second
/// loop begins where the first ends.
fn rest_of_unrolled(code: &str, at: usize) -> Option<(Range<usize>, String)> {
    let first = ForHead::at(code, at)?;
    let second = ForHead::at(code, skip_blanks(code, block(code, first.close + 1)?.end))?;
    let (name, start) = first.start.split_once('=')?;
    let (name, start) = (name.trim(), start.trim());
    let step = first.step.strip_prefix(name)?.trim_start().strip_prefix("+=")?.trim();
    let step: i64 = step.parse().ok().filter(|step| *step > 1)?;
    let end = second.condition.strip_prefix(name)?.trim_start().strip_prefix("<=")?.trim();
    let last = first.condition.strip_prefix(name)?.trim_start().strip_prefix("<=")?.trim();
    let compact = |text: &str| text.split_whitespace().collect::<String>();
    let is_sum = !end.contains(['<', '>', '=', '?', '&', '|', '^']);
    let ends = [format!("({end})-{}", step - 1), format!("{end}-{}", step - 1)];
    let is_last =
        ends[..if is_sum { 2 } else { 1 }].iter().any(|own| compact(own) == compact(last));
    let is_one = compact(second.step) == format!("{name}++");
    let is_word = !name.is_empty() && name.chars().all(is_word);
    if !is_last || !is_one || !is_word || !second.start.is_empty() {
        return None;
    }
    let from = format!("{name}_of_rest");
    let by = format!(
        "for (long {from} = {start}; {from} <= {end}; {from} += {step}) if ({from} + {} > {end}) for ({name} = {from}; {name} <= {end}; {name}++)",
        step - 1
    );
    let texts =
        [&code[first.close..second.at], &code[second.close..block(code, second.close + 1)?.end]];
    let keeps = |text: &&str| keeps([name, start, end], text);
    texts.iter().all(keeps).then_some((second.at..second.close + 1, by))
}

/// Whether a text assigns to none of the names in other texts, and leaves no loop.
fn keeps(texts: [&str; 3], text: &str) -> bool {
    let names: Vec<&str> = texts.iter().flat_map(|text| names_at(text)).map(|own| own.1).collect();
    let leaves = |token: &str| matches!(token, "break" | "goto" | "return");
    !assigns(text, &names) && !tokens_at(text).iter().any(|(_, token)| leaves(token))
}

/// `long name = start;` in front of a place, with the brace of its block in front: its range, the type, the
/// value.
fn declared_before<'t>(
    code: &'t str,
    at: usize,
    name: &str,
) -> Option<(Range<usize>, &'t str, &'t str)> {
    let before = code[..at].trim_end();
    let semicolon = before.strip_suffix(';')?;
    let start = semicolon.rfind(['{', '}', ';'])? + 1;
    if !code[..start].ends_with('{') {
        return None;
    }
    let (left, value) = semicolon[start..].split_once('=')?;
    let of = left.trim().strip_suffix(name)?.trim();
    let start = skip_blanks(code, start);
    let is_type = matches!(of, "int" | "long" | "long long");
    is_type.then_some((start..before.len(), of, value.trim()))
}

/// The block in braces that begins at a place.
fn block(code: &str, at: usize) -> Option<Range<usize>> {
    let open = skip_blanks(code, at);
    let close = code[open..].starts_with('{').then(|| closing(code, open)).flatten()?;
    Some(open..close + 1)
}

fn skip_blanks(code: &str, at: usize) -> usize {
    code.len() - code[at..].trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::without_remainders;

    fn plain(text: &str) -> String {
        let result = without_remainders(text);
        assert_eq!(result.lines().count(), text.lines().count());
        result.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn parts_have_loops_of_their_own() {
        let found = plain(
            "{ long v = s; for (; v + 7 <= e; v += 8) { a(v); }\n if (v + 3 <= e) { { b(v); }\n v += 4; }\n if (v + 1 <= e) { { c(v); } } }",
        );
        let expected = "{ for (long v = s; v + 7 <= e; v += 8) { a(v); } \
            for (long v = s; v + 3 <= e; v += 8) if (v + 7 > e) { { b(v); } } \
            for (long v = s; v + 1 <= e; v += 4) if (v + 3 > e) { { c(v); } } }";
        assert_eq!(found, expected);
    }

    #[test]
    fn parts_without_conditions_run_in_any_case() {
        let found =
            plain("{ int v = 2; for (; v + 3 < e; v += 4) { a(v); } { b(v); v += 2; } { c(v); } }");
        let head = "for (int v = 2; v <= ((e) > (2) ? (e) : (2)); v += 4) if (v + 3 >= e)";
        let expected = format!(
            "{{ for (int v = 2; v + 3 < e; v += 4) {{ a(v); }} {head} {{ b(v); }} {head} {{ c((v + 2)); }} }}"
        );
        assert_eq!(found, expected);
    }

    #[test]
    fn rests_of_unrolled_loops_begin_where_those_end() {
        let found =
            plain("for (t=s; t<=(min(n,m))-3; t+=4) { a(t); }\nfor (;t<=min(n,m);t++) { b(t); }");
        let expected = "for (t=s; t<=(min(n,m))-3; t+=4) { a(t); } for (long t_of_rest = s; t_of_rest <= min(n,m); t_of_rest += 4) \
            if (t_of_rest + 3 > min(n,m)) for (t = t_of_rest; t <= min(n,m); t++) { b(t); }";
        assert_eq!(found, expected);
        let found = plain("for (t=s; t<=n+9-3; t+=4) { a(t); }\nfor (;t<=n+9;t++) { b(t); }");
        let expected = "for (t=s; t<=n+9-3; t+=4) { a(t); } for (long t_of_rest = s; t_of_rest <= n+9; t_of_rest += 4) \
            if (t_of_rest + 3 > n+9) for (t = t_of_rest; t <= n+9; t++) { b(t); }";
        assert_eq!(found, expected);
    }

    #[test]
    fn other_forms_stay() {
        for text in [
            "{ long v = s; for (; v + 6 <= e; v += 8) { a(v); } }",
            "{ long v = s; for (; v + 7 <= e; v += 8) { a(v); } if (v + 2 <= e) { b(v); v += 3; } }",
            "{ long v = s; for (; v + 7 <= e; v += 8) { a(v); } if (v + 3 <= f) { b(v); } }",
            "{ long v = s; for (; v + 7 <= e; v += 8) { v++; } }",
            "{ long v = s; for (; v + 7 <= e; v += 8) { s = 3; } }",
            "{ long v = s; for (; v + 7 <= e; v += 8) { a(v); } x = v; }",
        ] {
            assert_eq!(without_remainders(text), text);
        }
    }

    /// The text that is made does what the other one does: both are executed here for all small bounds.
    #[test]
    fn pieces_are_those_of_the_first_text() {
        for (start, end) in (-9..9i64).flat_map(|s| (-12..30i64).map(move |e| (s, e))) {
            let (mut v, mut expected) = (start, Vec::new());
            while v + 7 <= end {
                expected.push((8, v));
                v += 8;
            }
            for width in [4, 2] {
                if v + width - 1 <= end {
                    expected.push((width, v));
                    v += width;
                }
            }
            let steps = |step: i64, last: i64| (start..=last.max(start)).step_by(step as usize);
            let eights = steps(8, end).filter(|v| v + 7 <= end).map(|v| (8, v));
            let fours = steps(8, end).filter(|v| v + 3 <= end && v + 7 > end).map(|v| (4, v));
            let twos = steps(4, end).filter(|v| *v < end && v + 3 > end).map(|v| (2, v));
            let found: Vec<(i64, i64)> = eights.chain(fours).chain(twos).collect();
            assert_eq!(found, expected, "{start} {end}");
        }
    }
}
