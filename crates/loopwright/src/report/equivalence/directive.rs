//! Directives that share a loop among threads or lanes, with their clauses and the text of their loop.
use super::c_text::{blanked, closing, tokens_at};
use super::for_head::{ForHead, statement};
use super::waits::ordered_loops;
use loopwright_cfront::directives::{
    Clause, ClauseMeaning, Directive as Read, Family, Meaning, read, reduction_list,
};
use std::collections::BTreeSet;

/// In which way the iterations of a loop run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Sharing {
    /// In threads: in any order.
    #[default]
    Threads,
    /// Side by side in one thread.
    Lanes,
    /// Side by side, by a promise about arrays alone.
    Promise,
    /// In order, but floating numbers may be combined in another one.
    Reordered,
}

/// A directive about the loop behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Directive {
    /// Its first and last line.
    pub(super) lines: (usize, usize),
    pub(super) sharing: Sharing,
    /// Whether the loop is shared by the threads that run the function.
    pub(super) is_of_team: bool,
    /// Variables that each iteration has for itself, by the clauses `private`, `firstprivate`, `lastprivate`.
    pub(super) private: BTreeSet<String>,
    pub(super) first_private: BTreeSet<String>,
    pub(super) last_private: BTreeSet<String>,
    /// Those of `lastprivate(conditional:)`: where no iteration assigns to them, they keep what they have in
    /// front of the loop.
    pub(super) last_assigned: BTreeSet<String>,
    /// Variables that are combined, and by which operator.
    pub(super) reductions: Vec<(String, String)>,
    /// How many loops are shared as one.
    pub(super) collapse: usize,
    /// How many loops have iterations that wait for those before; none if the directive has no waits, or
    /// others.
    pub(super) ordered: Option<usize>,
    /// What is not understood of it.
    pub(super) obstacle: Option<String>,
    /// The loop, without comments and directives.
    pub(super) loop_text: String,
    /// The first and last line of the loop.
    pub(super) loop_lines: (usize, usize),
    /// What follows in the function.
    pub(super) behind: String,
}

/// Whether a directive is looked at here, so that the front end need not see it.
fn is_modelled(own: &Read) -> bool {
    matches!(own.meaning(), Meaning::Loop | Meaning::TeamLoop | Meaning::Hint)
        || (own.family, &*own.name) == (Family::OpenMp, "ordered")
}

/// A text with blanks in place of the directives that are looked at here.
pub(super) fn without_modelled(text: &str) -> String {
    without(text, read(text).iter().filter(|own| is_modelled(own)))
}

fn without<'d>(text: &str, directives: impl Iterator<Item = &'d Read>) -> String {
    let mut result = text.as_bytes().to_vec();
    for own in directives {
        for byte in &mut result[own.start..own.end.min(text.len())] {
            *byte = if *byte == b'\n' { b'\n' } else { b' ' };
        }
    }
    String::from_utf8(result).unwrap_or_else(|_| text.to_string())
}

/// Words of hints that promise something about iterations.
const PROMISES: [&str; 6] = ["ivdep", "assume_safety", "assert", "simd", "parallel", "concurrent"];

/// Hints after which a loop computes the same, bit by bit. (After others, `vectorize(enable)` among them,
/// compilers may add up floating numbers in lanes.)
const FORMS: [&str; 13] = [
    "unroll",
    "nounroll",
    "novector",
    "noparallel",
    "loop_count",
    "unroll_and_jam",
    "nounroll_and_jam",
    "nofusion",
    "nofuse",
    "fusion",
    "distribute_point",
    "prefetch",
    "noprefetch",
];

/// How the iterations of the loop behind a directive run, if that says so.
fn sharing(own: &Read) -> Option<Sharing> {
    match (own.meaning(), own.family, &*own.name) {
        (Meaning::Loop, Family::OpenMp, "unroll") => None,
        (Meaning::Loop, Family::OpenMp, "simd" | "tile") => Some(Sharing::Lanes),
        (Meaning::Loop | Meaning::TeamLoop, ..) => Some(Sharing::Threads),
        (Meaning::Hint, family, name) => {
            let has = |word: &&str| own.text.split(|c: char| !is_letter(c)).any(|o| o == *word);
            let is_vector = |clause: &Clause| {
                let is_about =
                    ["vectorize", "interleave"].iter().any(|w| clause.name.starts_with(w));
                is_about && clause.argument.as_deref().map(str::trim) != Some("disable")
            };
            let is_form = match family {
                Family::Clang => !own.clauses.iter().any(is_vector),
                _ => FORMS.contains(&name),
            };
            match PROMISES.iter().any(has) {
                true => Some(Sharing::Promise),
                false => (!is_form).then_some(Sharing::Reordered),
            }
        }
        _ => None,
    }
}

/// Whether a directive promises something that is not looked at here.
fn is_promise(own: &Read) -> bool {
    own.family == Family::OpenMp
        && own.row().meaning == Meaning::Harmless
        && own.name.contains("assume")
}

/// Whether a directive changes nothing, and promises nothing.
pub(super) fn changes_nothing(own: &Read) -> bool {
    matches!(own.meaning(), Meaning::Harmless | Meaning::Own) && !is_promise(own)
}

/// Why a directive may change something.
pub(super) fn obstacle(own: &Read) -> String {
    let why = if is_promise(own) { "makes promises that are not proved" } else { own.row().why };
    format!("`#pragma {}` {why}", own.text)
}

fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The directives of a text that are about how the iterations of a loop run.
pub(super) fn directives(text: &str) -> Vec<Directive> {
    let all = read(text);
    let code = blanked(&without(text, all.iter()));
    let of = |own: &Read| {
        let lines_before = |at: usize| text[..at].matches('\n').count();
        let mut found = Directive { collapse: 1, ..Directive::default() };
        found.sharing = sharing(own)?;
        found.is_of_team = own.meaning() == Meaning::TeamLoop;
        let last = lines_before(text[..own.end].trim_end().len());
        found.lines = (lines_before(own.start), last);
        found.read_clauses(own);
        let Some(range) = statement(&code, own.end).filter(|_| starts_with_for(&code, own.end))
        else {
            found.refuse("has no loop behind it");
            return Some(found);
        };
        found.loop_text = code[range.clone()].to_string();
        found.loop_lines = (lines_before(range.start), lines_before(range.end));
        found.behind = code[range.end..function_end(&code, range.end)].to_string();
        found.ordered = ordered_loops(&format!(" {}", own.text), &text[range.clone()]);
        let inside = all.iter().filter(|other| range.contains(&other.start));
        for other in inside {
            found.refuse_inside(other);
        }
        Some(found)
    };
    all.iter().filter_map(of).collect()
}

/// The directives of a text that are not understood, with their lines (1-based) and the reasons.
pub(super) fn not_understood(text: &str) -> Vec<(u32, String)> {
    let loops = directives(text);
    let is_wait = |own: &Read| {
        let at = own.line as usize;
        (own.family, &*own.name) == (Family::OpenMp, "ordered")
            && loops.iter().any(|of| {
                let last = of.lines.1 + 1 + of.loop_text.matches('\n').count();
                of.ordered.is_some() && (of.lines.1 + 1..=last).contains(&at)
            })
    };
    let is_understood = |own: &Read| changes_nothing(own) || is_modelled_loop(own) || is_wait(own);
    let others = read(text).into_iter().filter(|own| !is_understood(own));
    others.map(|own| (own.line, obstacle(&own))).collect()
}

fn is_modelled_loop(own: &Read) -> bool {
    matches!(own.meaning(), Meaning::Loop | Meaning::TeamLoop | Meaning::Hint)
}

/// Where the function ends that a place is in.
fn function_end(code: &str, from: usize) -> usize {
    let mut depth = 0usize;
    for (at, c) in code[from..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 && code[from + at..].starts_with("}\n") => return from + at,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    code.len()
}

impl Directive {
    fn refuse(&mut self, what: &str) {
        self.obstacle.get_or_insert_with(|| what.to_string());
    }

    fn read_clauses(&mut self, own: &Read) {
        if own.family != Family::OpenMp {
            return;
        }
        for clause in &own.clauses {
            let items = || clause.items().into_iter();
            let argument = clause.argument.as_deref().unwrap_or_default();
            let (meaning, why) = own.clause(clause);
            match (&*clause.name, meaning) {
                ("default", _) if !matches!(argument.trim(), "shared" | "none") => {
                    self.refuse(&format!("has the clause `default({argument})`"));
                }
                ("nowait" | "aligned", _) => {
                    self.refuse(&format!("has the clause `{}`", clause.name))
                }
                (_, ClauseMeaning::Harmless) => {}
                (_, ClauseMeaning::Expression) if is_plain(argument) => {}
                ("collapse", _) => match argument.trim().parse() {
                    Ok(n) if n > 0 => self.collapse = n,
                    _ => self.refuse("collapses a number of loops that is not known"),
                },
                ("ordered", _) => {}
                ("private", _) => self.private.extend(items()),
                ("firstprivate", _) => self.first_private.extend(items()),
                ("lastprivate", _) => match clause.modifier() {
                    Some("conditional") => self.last_assigned.extend(items()),
                    None => self.last_private.extend(items()),
                    Some(other) => self.refuse(&format!("has `lastprivate({other}: ...)`")),
                },
                ("reduction", _) => match reduction_list(clause) {
                    Some((operator, items)) => {
                        let of = |name| (name, operator.clone());
                        self.reductions.extend(items.into_iter().map(of));
                    }
                    None => self.refuse("has a reduction that is not understood"),
                },
                _ => self.refuse(&format!("has the clause `{}`, which {why}", clause.name)),
            }
        }
        let is_section = self.all_private().find(|name| !name.chars().all(is_letter));
        if let Some(section) = is_section.cloned() {
            self.refuse(&format!("has a clause about `{section}`, a part of a variable"));
        }
    }

    /// Refuses what is not understood inside of its loop.
    fn refuse_inside(&mut self, other: &Read) {
        let is_wait = &*other.name == "ordered" && self.ordered.is_some();
        let is_team = other.meaning() == Meaning::TeamLoop;
        let is_known =
            matches!(other.meaning(), Meaning::Loop | Meaning::Hint) || changes_nothing(other);
        if is_team || !(is_known || is_wait) {
            self.refuse(&format!("has `#pragma {}` inside", other.text));
        }
    }

    /// The variables that each iteration has for itself, by clause.
    fn own_variables(&self) -> [&BTreeSet<String>; 4] {
        [&self.private, &self.first_private, &self.last_private, &self.last_assigned]
    }

    /// All variables that its clauses make private.
    pub(super) fn all_private(&self) -> impl Iterator<Item = &String> {
        let combined = self.reductions.iter().map(|(name, _)| name);
        self.own_variables().into_iter().flatten().chain(combined)
    }

    /// Whether iterations have variables for themselves.
    pub(super) fn has_private(&self) -> bool {
        self.own_variables().iter().any(|own| !own.is_empty())
    }

    /// Whether each iteration has a variable for itself.
    pub(super) fn is_private(&self, name: &str) -> bool {
        self.all_private().any(|own| own == name)
    }

    /// A variable without subscripts that iterations assign to and share.
    pub(super) fn shared_scalar(&self) -> Option<String> {
        let tokens = tokens(&self.loop_text);
        let own: BTreeSet<&str> =
            declared(&tokens).chain(iterators(&tokens, self.collapse)).collect();
        let is_shared = |name: &&str| !own.contains(name) && !self.is_private(name);
        assigned(&tokens).find(is_shared).map(str::to_string)
    }

    /// Whether a private variable that is no data of the model has in each iteration a value from this
    /// iteration, and its value is not used behind.
    pub(super) fn is_set_before_use(&self, name: &str) -> bool {
        let (inside, behind) = (tokens_at(&self.loop_text), tokens_at(&self.behind));
        let words = tokens(&self.loop_text);
        if iterators(&words, self.collapse).any(|own| own == name) {
            return begins_with_value(&behind, name);
        }
        if declared(&words).any(|own| own == name) {
            return true;
        }
        let heads = ForHead::all(&self.loop_text);
        let own = heads.iter().filter(|head| head.assigned().is_some_and(|(own, _)| own == name));
        let ranges: Vec<_> = own.filter_map(|head| head.whole(&self.loop_text)).collect();
        let mut uses = inside.iter().filter(|(_, token)| *token == name);
        let in_loops = uses.all(|(at, _)| ranges.iter().any(|range| range.contains(at)));
        let is_assigned_first = || is_assigned_first(&self.loop_text, &inside, name);
        (in_loops || is_assigned_first()) && begins_with_value(&behind, name)
    }
}

/// Whether the first use of a variable in a loop is an assignment that is a statement of a block, and all
/// other uses are in that block.
fn is_assigned_first(code: &str, tokens: &[(usize, &str)], name: &str) -> bool {
    let uses = || (0..tokens.len()).filter(|at| tokens[*at].1 == name);
    let Some(first) = uses().next() else { return true };
    let end = tokens[first..].iter().position(|(_, token)| *token == ";").map(|n| first + n);
    let in_value = uses().skip(1).any(|at| end.is_none_or(|end| at < end));
    let is_set = tokens.get(first + 1).is_some_and(|(_, token)| *token == "=");
    let Some(open) = block_around(tokens, first).filter(|_| is_set && !in_value) else {
        return false;
    };
    let is_statement = matches!(tokens[first - 1].1, ";" | "{" | "}");
    let close = closing(code, tokens[open].0).unwrap_or(0);
    is_statement && uses().all(|at| tokens[at].0 < close)
}

/// The brace around a token; none if parentheses are closer.
fn block_around(tokens: &[(usize, &str)], at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for before in (0..at).rev() {
        match tokens[before].1 {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth > 0 => depth -= 1,
            own @ ("(" | "[" | "{") => return (own == "{").then_some(before),
            _ => {}
        }
    }
    None
}

/// Whether a text does not use what a variable holds in front of it.
fn begins_with_value(text: &[(usize, &str)], name: &str) -> bool {
    let Some(at) = text.iter().position(|(_, token)| *token == name) else { return true };
    let before = at.checked_sub(1).map_or(";", |before| text[before].1);
    let is_set = text.get(at + 1).is_some_and(|(_, token)| *token == "=");
    is_set && (matches!(before, ";" | "{" | "}" | "(") || is_name(before))
}

/// Whether an expression only computes.
fn is_plain(expression: &str) -> bool {
    let tokens = tokens(expression);
    let calls = tokens.windows(2).any(|pair| is_name(pair[0]) && pair[1] == "(");
    let assigns = tokens.iter().any(|token| {
        matches!(*token, "=" | "++" | "--")
            || (token.len() > 1
                && token.ends_with('=')
                && !matches!(*token, "==" | "<=" | ">=" | "!="))
    });
    !calls && !assigns
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
    fn values_of_an_iteration_are_set_in_it() {
        let cases = [
            ("{ t = i; a[t] = 1; }", true),
            ("for (j = 0; j < n; j++) { t = j; for (k = t; k < n; k++) a[k] = t; }", true),
            ("{ t = t + 1; a[t] = 1; }", false),
            ("{ if (c[i]) { t = i; } a[t] = 1; }", false),
            ("{ if (c[i]) t = i; a[t] = 1; }", false),
            ("{ for (j = 0; j < n; t = 1) a[t] = 1; }", false),
            ("for (j = 0; j < n; j++) { a[t] = 1; t = j; }", false),
            ("{ for (j = 0; j < n; j++) { t = j; } a[t] = 1; }", false),
        ];
        for (body, expected) in cases {
            let text = format!(
                "void f() {{\n#pragma omp parallel for private(t)\nfor (i = 0; i < n; i++) {body}\n}}\n"
            );
            assert_eq!(only(&text).is_set_before_use("t"), expected, "{body}");
            let used = text.replace("\n}\n", "\na[0] = t;\n}\n");
            assert!(!only(&used).is_set_before_use("t"), "{body}");
        }
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
