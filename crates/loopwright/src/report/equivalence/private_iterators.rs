//! Iterators of a whole function as iterators of their loops.
//!
//! Texts that tools print declare iterators once, in front of all loops, and bounds of loops in variables:
//!
//! ```c
//! int t2, t3, lbp, ubp;
//! lbp = max(0, n - 1);
//! ubp = min(n, m);
//! for (t2 = lbp; t2 <= ubp; t2++)
//! ```
//!
//! Where nothing uses an iterator outside of loops that begin with a value for it, and nothing in them
//! assigns to it, each of the loops may have a variable of its own (`for (int t2 = ...`): then what it ends
//! with does not matter, and minima and maxima in its head become conditions ([`super::heads`]). A bound that
//! is assigned in front of the loop, and that nothing in the loop changes, may stand in the head.
use super::c_text::{blanked, closing, tokens_at};
use super::for_head::{ForHead, assigns, names_at, replaced};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A text in which such iterators are declared in the heads of their loops, line by line as it was.
pub(super) fn with_private_iterators(text: &str) -> String {
    let code = blanked(text);
    let heads = ForHead::all(&code);
    let mut edits = Vec::new();
    for body in bodies(&code) {
        for (name, of) in declared_integers(&code, body.clone()) {
            edits.extend(own_declarations(&code, &body, &heads, (name, of)).unwrap_or_default());
        }
    }
    replaced(text, edits)
}

/// A text in which bounds that are assigned to variables in front of loops stand in their heads, line by line
/// as it was.
pub(super) fn with_bounds_in_heads(text: &str) -> String {
    let code = blanked(text);
    let context = Context::of(text, &code);
    let edits = ForHead::all(&code).iter().flat_map(|head| bounds(&code, head, &context)).collect();
    replaced(text, edits)
}

/// The bodies of functions.
fn bodies(code: &str) -> Vec<Range<usize>> {
    let (mut found, mut from) = (Vec::new(), 0);
    while let Some(open) = code[from..].find('{').map(|at| from + at) {
        let Some(close) = closing(code, open) else { break };
        if code[..open].trim_end().ends_with(')') {
            found.push(open..close + 1);
        }
        from = close + 1;
    }
    found
}

/// The variables of integer types that a function declares without values, with their types.
fn declared_integers(code: &str, body: Range<usize>) -> Vec<(&str, &str)> {
    code[body].split([';', '{', '}']).filter_map(integers_of_declaration).flatten().collect()
}

/// The names of `int a, b`, with their type.
fn integers_of_declaration(statement: &str) -> Option<impl Iterator<Item = (&str, &str)>> {
    let statement = statement.trim();
    let statement = statement.strip_prefix("register ").map_or(statement, str::trim_start);
    let (of, rest) = ["long long", "long", "int"].into_iter().find_map(|of| {
        let rest = statement.strip_prefix(of)?;
        rest.starts_with(char::is_whitespace).then_some((&statement[..of.len()], rest))
    })?;
    let names = rest.split(',').map(str::trim);
    let is_name = |name: &str| matches!(names_at(name)[..], [(0, own)] if own == name);
    names.clone().all(is_name).then(|| names.map(move |name| (name, of)))
}

/// The types that go in front of an iterator in the heads of its loops; none if it is used otherwise.
fn own_declarations(
    code: &str,
    body: &Range<usize>,
    heads: &[ForHead<'_>],
    (name, of): (&str, &str),
) -> Option<Vec<(Range<usize>, String)>> {
    let is_own = |head: &&ForHead<'_>| {
        body.contains(&head.at) && head.assigned().is_some_and(|(own, _)| own == name)
    };
    let (mut edits, mut inside) = (Vec::new(), Vec::new());
    for head in heads.iter().filter(is_own) {
        let (_, first) = head.assigned()?;
        let whole = head.whole(code)?;
        let changes = assigns(&code[head.close..whole.end], &[name]) || assigns(first, &[name]);
        if changes || names_at(first).iter().any(|(_, own)| *own == name) {
            return None;
        }
        let start = code.len() - code[head.open + 1..].trim_start().len();
        edits.push((start..start, format!("{of} ")));
        inside.push(whole);
    }
    let uses = names_at(&code[body.clone()]).into_iter().filter(|(_, own)| *own == name);
    let outside = uses.filter(|(at, _)| !inside.iter().any(|own| own.contains(&(body.start + at))));
    (outside.count() == 1).then_some(edits)
}

/// The bounds of a loop that are assigned in front of it, in place of the variables.
fn bounds(code: &str, head: &ForHead<'_>, text: &Context<'_>) -> Vec<(Range<usize>, String)> {
    let Some(whole) = head.whole(code) else { return Vec::new() };
    let inside = &code[head.close..whole.end];
    let known = assigned_before(code, head.at);
    let mut edits = Vec::new();
    let mut put = |place: &str, is_repeated: bool| {
        let Some(value) = known.get(place).filter(|value| text.is_integer(place, value)) else {
            return;
        };
        let names = names_at(value).into_iter().map(|(_, own)| own).chain([place]);
        if !is_repeated || !assigns(inside, &names.collect::<Vec<_>>()) {
            let start = place.as_ptr() as usize - code.as_ptr() as usize;
            edits.push((start..start + place.len(), format!("({value})")));
        }
    };
    if let Some((_, first)) = head.assigned() {
        put(first, false);
    }
    if let Some((_, last)) = head.condition.split_once("<=") {
        put(last.trim(), true);
    }
    edits
}

/// The values of variables that are assigned right in front of a place, by statements of which none changes
/// what another one uses.
fn assigned_before(code: &str, at: usize) -> BTreeMap<&str, &str> {
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    let mut before = code[..at].trim_end();
    while let Some(rest) = before.strip_suffix(';') {
        let start = rest.rfind([';', '{', '}']).map_or(0, |at| at + 1);
        let Some((name, value)) = rest[start..].split_once('=') else { break };
        let (name, value) = (name.trim(), value.trim());
        let uses = |value: &str, name: &str| names_at(value).iter().any(|(_, own)| *own == name);
        let is_plain = matches!(names_at(name)[..], [(0, own)] if own == name)
            && !value.contains(['=', '"', '?', '[', '\n'])
            && !["++", "--", "->"].iter().any(|sign| value.contains(sign));
        let is_apart = !uses(value, name)
            && !known
                .iter()
                .any(|(own, later)| *own == name || uses(value, own) || uses(later, name));
        if !is_plain || !is_apart {
            break;
        }
        known.insert(name, value);
        before = rest[..start].trim_end();
    }
    known
}

/// The names of a list of declarations whose type is a floating one.
fn floating_names(declarations: &str) -> Vec<&str> {
    let (mut found, mut is_floating) = (Vec::new(), false);
    for own in declarations.split(',').map(names_at) {
        if own.len() > 1 {
            is_floating = own.iter().any(|(_, word)| matches!(*word, "double" | "float"));
        }
        found.extend(own.last().filter(|_| is_floating).map(|(_, name)| *name));
    }
    found
}

/// What the whole text says about names.
struct Context<'t> {
    macros: BTreeSet<&'t str>,
    integers: BTreeSet<&'t str>,
    floating: BTreeSet<&'t str>,
}

impl<'t> Context<'t> {
    fn of(text: &'t str, code: &'t str) -> Self {
        let macro_name = |line: &'t str| {
            let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
            names_at(rest).first().map(|(_, name)| *name)
        };
        let all = |body| declared_integers(code, body).into_iter().map(|(name, _)| name);
        Context {
            macros: text.lines().filter_map(macro_name).collect(),
            integers: bodies(code).into_iter().flat_map(all).collect(),
            floating: code.split([';', '{', '}', '(', ')']).flat_map(floating_names).collect(),
        }
    }

    /// Whether a variable is an integer, and its value one without calls of functions.
    fn is_integer(&self, name: &str, value: &str) -> bool {
        let tokens: Vec<&str> = tokens_at(value).into_iter().map(|(_, token)| token).collect();
        let names = names_at(value);
        let is_name = |token: &str| names.iter().any(|(_, own)| *own == token);
        let calls =
            |pair: &[&str]| pair[1] == "(" && is_name(pair[0]) && !self.macros.contains(pair[0]);
        let is_fraction = |token: &&str| token.contains('.');
        self.integers.contains(name)
            && !tokens.windows(2).any(calls)
            && !tokens.iter().any(is_fraction)
            && !names.iter().any(|(_, own)| self.floating.contains(own))
    }
}

#[cfg(test)]
mod tests {
    use super::{with_bounds_in_heads, with_private_iterators};

    fn function(body: &str) -> String {
        format!(
            "#define max(x,y) ((x) > (y)? (x) : (y))\nvoid f(int n, double r) {{\n  int i, j, lb, ub;\n  {body}\n}}\n"
        )
    }

    #[test]
    fn iterators_of_loops_are_declared_there() {
        let cases = [
            (
                "for (i = 0; i < n; i++) { for (j=i; j < n; j++) a[i][j] = 0; }",
                "for (int i = 0; i < n; i++) { for (int j=i; j < n; j++) a[i][j] = 0; }",
            ),
            (
                "for (i = 0; i < n; i++) a[i] = 0; for (i = 0; i < n; i++) if (i > 2) a[i] = 1; else a[i] = 2;",
                "for (int i = 0; i < n; i++) a[i] = 0; for (int i = 0; i < n; i++) if (i > 2) a[i] = 1; else a[i] = 2;",
            ),
            (
                "i = 0;\n#pragma omp parallel for private(j)\n  for (j = i; j < n; j++) a[j] = i;",
                "i = 0;\n#pragma omp parallel for private(j)\n  for (int j = i; j < n; j++) a[j] = i;",
            ),
        ];
        for (before, after) in cases {
            assert_eq!(with_private_iterators(&function(before)), function(after));
        }
    }

    #[test]
    fn iterators_that_are_used_otherwise_stay() {
        for text in [
            "for (i = 0; i < n; i++) a[i] = 0; a[i] = 1;",
            "for (i = 0; i < n; i++) a[i] = 0; for (; i < m; i++) a[i] = 1;",
            "for (i = 0; i < n; i++) { a[i] = 0; i++; }",
            "for (i = 0; i < n; i++) { g(&i); }",
            "for (i = i; i < n; i++) a[i] = 0;",
            "for (i = 0; i < n; i++) for (i = 0; i < n; i++) a[i] = 0;",
        ] {
            assert_eq!(with_private_iterators(&function(text)), function(text));
        }
    }

    #[test]
    fn bounds_in_variables_move_into_heads() {
        let cases = [
            (
                "lb=max(0,n-3);\n ub=n-1;\n#pragma omp parallel for\n for (i=lb;i<=ub;i++) a[i] = 0;",
                "lb=max(0,n-3);\n ub=n-1;\n#pragma omp parallel for\n for (i=(max(0,n-3));i<=(n-1);i++) a[i] = 0;",
            ),
            // What the loop changes is computed once.
            (
                "lb = 0; ub = n; for (i = lb; i <= ub; i++) n = 2;",
                "lb = 0; ub = n; for (i = (0); i <= ub; i++) n = 2;",
            ),
        ];
        for (before, after) in cases {
            assert_eq!(with_bounds_in_heads(&function(before)), function(after));
        }
    }

    #[test]
    fn other_bounds_stay() {
        for text in [
            "ub = n; for (i = 0; i <= ub; i++) ub = 3;",
            "ub = g(n); for (i = 0; i <= ub; i++) a[i] = 0;",
            "ub = r; for (i = 0; i <= ub; i++) a[i] = 0;",
            "ub = n; n = 3; for (i = 0; i <= ub; i++) a[i] = 0;",
            "if (n > 3) ub = n; for (i = 0; i <= ub; i++) a[i] = 0;",
            "ub = n; a[0] = 1; for (i = 0; i <= ub; i++) a[i] = 0;",
            "t = n; for (i = 0; i <= t; i++) a[i] = 0;",
        ] {
            assert_eq!(with_bounds_in_heads(&function(text)), function(text));
        }
    }
}
