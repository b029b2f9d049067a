//! Directives that share a loop among threads, with their clauses and the text of their loop.
use super::c_text::{blanked, closing, tokens_at};
use super::for_head::statement;
use super::waits::ordered_loops;
use std::collections::BTreeSet;

/// A directive of OpenMP that shares the loop behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Directive {
    /// Its first and last line.
    pub(super) lines: (usize, usize),
    /// Variables that each iteration has for itself, by the clauses `private`, `firstprivate`, `lastprivate`.
    pub(super) private: BTreeSet<String>,
    pub(super) first_private: BTreeSet<String>,
    pub(super) last_private: BTreeSet<String>,
    /// Those of `lastprivate(conditional:)`: where no iteration assigns to them, they keep what they have in front of the loop.
    pub(super) last_assigned: BTreeSet<String>,
    /// Variables that are combined, and by which operator.
    pub(super) reductions: Vec<(String, String)>,
    /// How many loops are shared as one.
    pub(super) collapse: usize,
    /// How many loops have iterations that wait for those before; none if the directive has no waits, or others.
    pub(super) ordered: Option<usize>,
    /// The loop, without comments and directives.
    pub(super) loop_text: String,
    /// The directives inside of the loop.
    pub(super) inner: Vec<String>,
}

/// The directives of a text that share loops among threads.
pub(super) fn directives(text: &str) -> Vec<Directive> {
    let code = blanked(text);
    let lines: Vec<&str> = text.lines().collect();
    let mut starts = vec![0];
    starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
    let mut found = Vec::new();
    for (first, last, words) in pragmas(&lines) {
        if !is_shared_loop(&words) {
            continue;
        }
        let after = starts.get(last + 1).copied().unwrap_or(text.len());
        let Some(range) = statement(&code, after).filter(|_| starts_with_for(&code, after)) else {
            continue;
        };
        let mut own = Directive { lines: (first, last), collapse: 1, ..Directive::default() };
        own.read_clauses(&words);
        own.loop_text = code[range.clone()].to_string();
        own.ordered = ordered_loops(&words, &text[range.clone()]);
        let inside: Vec<&str> = text[range].lines().collect();
        own.inner = pragmas(&inside).into_iter().map(|(_, _, words)| words).collect();
        found.push(own);
    }
    found
}

/// The pragmas of OpenMP: first and last line, and what follows `omp`.
fn pragmas(lines: &[&str]) -> Vec<(usize, usize, String)> {
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let Some(rest) = directive.and_then(|rest| rest.strip_prefix("pragma")) else { continue };
        let Some(rest) = rest.trim_start().strip_prefix("omp") else { continue };
        let (mut words, mut last) = (rest.to_string(), first);
        while words.ends_with('\\') && last + 1 < lines.len() {
            words.pop();
            last += 1;
            words.push_str(lines[last]);
        }
        found.push((first, last, words));
    }
    found
}

fn is_shared_loop(words: &str) -> bool {
    let head = words.split('(').next().unwrap_or_default();
    head.split_whitespace().any(|word| matches!(word, "for" | "taskloop" | "distribute"))
}

impl Directive {
    fn read_clauses(&mut self, words: &str) {
        let mut from = 0;
        while let Some(found) = words[from..].find('(') {
            let open = from + found;
            let name = words[..open].trim_end();
            let name =
                &name[name.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len()..];
            let Some(close) = closing(words, open) else { return };
            let list = &words[open + 1..close];
            from = close + 1;
            let names = |list: &str| -> BTreeSet<String> {
                list.split(',').map(|name| name.trim().to_string()).collect()
            };
            match name {
                "private" => self.private.extend(names(list)),
                "firstprivate" => self.first_private.extend(names(list)),
                "lastprivate" => match list.split_once(':') {
                    Some(("conditional", list)) => self.last_assigned.extend(names(list)),
                    // (Another modifier is no name that the loop has, so that it stays shared.)
                    _ => self.last_private.extend(names(list)),
                },
                "collapse" => self.collapse = list.trim().parse().unwrap_or(1),
                "reduction" => {
                    if let Some((operator, list)) = list.split_once(':') {
                        let operator = operator.trim().to_string();
                        let of = |name| (name, operator.clone());
                        self.reductions.extend(names(list).into_iter().map(of));
                    }
                }
                _ => {}
            }
        }
    }

    /// The variables that each iteration has for itself, by clause.
    fn own_variables(&self) -> [&BTreeSet<String>; 4] {
        [&self.private, &self.first_private, &self.last_private, &self.last_assigned]
    }

    /// Whether iterations have variables for themselves.
    pub(super) fn has_private(&self) -> bool {
        self.own_variables().iter().any(|own| !own.is_empty())
    }

    /// Whether each iteration has a variable for itself.
    pub(super) fn is_private(&self, name: &str) -> bool {
        self.own_variables().iter().any(|own| own.contains(name))
            || self.reductions.iter().any(|(own, _)| own == name)
    }

    /// A variable without subscripts that iterations assign to and share.
    pub(super) fn shared_scalar(&self) -> Option<String> {
        let tokens = tokens(&self.loop_text);
        let own: BTreeSet<&str> =
            declared(&tokens).chain(iterators(&tokens, self.collapse)).collect();
        let is_shared = |name: &&str| !own.contains(name) && !self.is_private(name);
        assigned(&tokens).find(is_shared).map(str::to_string)
    }
}

/// Words and operators of a text.
fn tokens(code: &str) -> Vec<&str> {
    tokens_at(code).into_iter().map(|(_, token)| token).collect()
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !matches!(
            token,
            "return" | "else" | "goto" | "case" | "do" | "for" | "if" | "while" | "sizeof"
        )
}

/// The names that declarations introduce: a name behind a name, and those in its list.
fn declared<'t>(tokens: &[&'t str]) -> impl Iterator<Item = &'t str> {
    let mut found = Vec::new();
    for at in 1..tokens.len() {
        let mut before = at - 1;
        while tokens[before] == "*" && before > 0 {
            before -= 1;
        }
        if !is_name(tokens[at]) || !is_name(tokens[before]) {
            continue;
        }
        found.push(tokens[at]);
        let mut depth = 0i32;
        for next in at + 1..tokens.len() {
            match tokens[next] {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 0 => {
                    let name = tokens[next + 1..].iter().find(|token| **token != "*");
                    found.extend(name.filter(|name| is_name(name)).copied());
                }
                _ => {}
            }
            if depth < 0 || tokens[next] == ";" {
                break;
            }
        }
    }
    found.into_iter()
}

/// The iterators of the first loops, which each thread has for itself.
fn iterators<'t>(tokens: &[&'t str], n: usize) -> impl Iterator<Item = &'t str> {
    let heads = tokens.windows(3).filter(|window| window[0] == "for" && window[1] == "(");
    heads.take(n).map(|window| window[2]).collect::<Vec<_>>().into_iter()
}

/// The names that are assigned to without subscripts.
fn assigned<'t>(tokens: &[&'t str]) -> impl Iterator<Item = &'t str> {
    const ASSIGN: [&str; 11] = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="];
    let is_plain = |at: usize| at == 0 || !matches!(tokens[at - 1], "." | "->");
    let changes = |at: usize| {
        let next = tokens.get(at + 1).copied().unwrap_or_default();
        let before = if at > 0 { tokens[at - 1] } else { "" };
        let is_step = |token: &str| matches!(token, "++" | "--");
        let is_element = matches!(next, "[" | "." | "->");
        ASSIGN.contains(&next) || is_step(next) || (is_step(before) && !is_element)
    };
    let is_assigned = |at: &usize| is_name(tokens[*at]) && is_plain(*at) && changes(*at);
    (0..tokens.len()).filter(is_assigned).map(|at| tokens[at]).collect::<Vec<_>>().into_iter()
}

fn starts_with_for(code: &str, at: usize) -> bool {
    code[at..].trim_start().starts_with("for")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(text: &str) -> Directive {
        let [own] = &directives(text)[..] else { panic!("one directive") };
        own.clone()
    }

    #[test]
    fn clauses_are_read() {
        let own = only(
            "#pragma omp parallel for private(a, b) lastprivate(c) \\\n  lastprivate(conditional: d) reduction(+: s) collapse(2)\nfor (i = 0;;)\n  for (j = 0;;) x[i] = 1;\nz = 3;",
        );
        assert!(own.is_private("a") && own.is_private("b") && own.is_private("s"));
        assert!(own.last_private.contains("c") && own.last_assigned.contains("d"));
        assert!(own.is_private("c") && own.is_private("d"));
        assert_eq!((own.collapse, own.lines), (2, (0, 1)));
        assert_eq!(own.reductions, [("s".to_string(), "+".to_string())]);
        assert_eq!(own.shared_scalar(), None, "what follows is no part of the loop");
    }

    #[test]
    fn shared_scalars_are_found() {
        let cases = [
            ("for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i][j] = 1;", Some("j")),
            ("for (i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 1;", None),
            ("for (i = 0; i < n; i++) { double s, t = 0; s = 2; t += s; p->x = t; }", None),
            ("for (i = 0; i < n; i++) { s = 2; a[i] = s; }", Some("s")),
            ("for (i = 0; i < n; i++) { if (a[i] == s) a[i] = s; else { --k; } }", Some("k")),
        ];
        for (text, expected) in cases {
            let own = only(&format!("#pragma omp parallel for\n{text}"));
            assert_eq!(own.shared_scalar().as_deref(), expected, "{text}");
        }
    }
}
