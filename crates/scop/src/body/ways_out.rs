//! The ways out of a loop: under which conditions an iteration is left, and what runs there.
use super::counting_head::type_and_name;
use super::{AssignmentOperator, BinaryOperator, Term, TermKind, UnaryOperator};

/// What ends a loop.
pub(super) const WAYS_OUT: [&str; 2] = ["break", "return"];

/// Why a loop is not searched that has other ways out than those that are known.
pub(super) const OTHER_WAYS: &str = "it may be left, or go on, at more than one place";

/// Words that lead somewhere else, or keep a value for the next iteration.
pub(super) const STRANGE_WORDS: [&str; 9] =
    ["break", "continue", "goto", "return", "static", "asm", "__asm__", "extern", "__label__"];

/// One way out of an iteration.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WayOut {
    /// Variables of the iteration that are declared behind the way out before.
    pub(super) prepared: Vec<Term>,
    /// All of these hold where it is taken, and each is evaluated if those before it hold.
    pub(super) conditions: Vec<Term>,
    pub(super) at_exit: Vec<Term>,
    /// Whether the last of that leaves the function.
    pub(super) returns: bool,
}

/// The parts of a loop's body.
pub(super) struct Parts<'a> {
    pub(super) flag: Option<&'a Term>,
    pub(super) exits: Vec<WayOut>,
    pub(super) work: Vec<Term>,
}

impl<'a> Parts<'a> {
    /// A loop that goes on while conditions in its head hold, and that `break` or `return` leaves.
    pub(super) fn of_ways_out(others: &[&Term], rows: &[&Term]) -> Result<Self, String> {
        let mut exits = Vec::new();
        if !others.is_empty() {
            let conditions = vec![negated(others)];
            let (prepared, at_exit) = (Vec::new(), Vec::new());
            exits.push(WayOut { prepared, conditions, at_exit, returns: false });
        }
        let mut rows = one_by_one(rows);
        while let Some(at) = rows.iter().position(|row| row.has_word(&WAYS_OUT)) {
            let found = WayOut::of(&rows[at]);
            let mut exit = match exits.is_empty() {
                true => found?,
                false => found.map_err(|_| OTHER_WAYS)?,
            };
            let behind = rows.split_off(at + 1);
            rows.truncate(at);
            exit.prepared = std::mem::replace(&mut rows, behind);
            exits.push(exit);
        }
        if exits.is_empty() {
            return Err("it is left elsewhere".to_string());
        }
        Ok(Parts { flag: None, exits, work: rows })
    }

    /// A loop that ends when a flag is set, with nothing behind that.
    pub(super) fn of_flag(rows: &'a [&'a Term], flag: Option<&'a Term>) -> Result<Self, String> {
        let wrong = || "what ends it is not set at the end of its iterations".to_string();
        let (Some(flag), Some((last, prepared))) = (flag, rows.split_last()) else {
            return Err(wrong());
        };
        let is_plain = matches!((last.kind(), last.children()), (TermKind::If, [_, _]));
        let (conditions, at_exit) = last.under_conditions();
        let sets = |term: &&Term| match term.as_assignment() {
            Some((AssignmentOperator::Set, target, value)) => {
                let number = value.without_parentheses().as_number();
                target.is_alike(flag) && number.is_some_and(|number| (1..128).contains(&number))
            }
            _ => false,
        };
        let n_uses = at_exit.iter().filter(|term| term.mentions(flag)).count();
        if !is_plain || conditions.is_empty() || n_uses != 1 || !at_exit.iter().any(sets) {
            return Err(wrong());
        }
        let exit = WayOut {
            prepared: cloned(prepared),
            conditions: cloned(&conditions),
            at_exit: cloned(&at_exit),
            returns: false,
        };
        Ok(Parts { flag: Some(flag), exits: vec![exit], work: Vec::new() })
    }
}

impl WayOut {
    /// A branch that ends with `break` or `return`.
    fn of(row: &Term) -> Result<WayOut, String> {
        let is_plain = matches!((row.kind(), row.children()), (TermKind::If, [_, _]));
        let (conditions, mut at_exit) = row.under_conditions();
        let last = at_exit.pop().ok_or("it is left elsewhere")?;
        let returns = last.always_returns();
        if !is_plain || conditions.is_empty() || !(is_break(last) || returns) {
            return Err("it is not left at the end of one branch".to_string());
        }
        if returns {
            at_exit.push(last);
        }
        let (conditions, at_exit) = (cloned(&conditions), cloned(&at_exit));
        Ok(WayOut { prepared: Vec::new(), conditions, at_exit, returns })
    }

    /// What runs in the iteration that is left, below the conditions of all ways out but the last one: that
    /// is taken if no other is.
    pub(super) fn taken(exits: &[WayOut]) -> Vec<Term> {
        let Some((exit, others)) = exits.split_first() else { return Vec::new() };
        let mut steps = exit.prepared.clone();
        let own = exit.at_exit.iter().map(Term::as_statement).collect();
        if others.iter().all(|other| other.at_exit.is_empty()) && exit.at_exit.is_empty() {
            return Vec::new();
        }
        if others.is_empty() {
            steps.extend(own);
            return steps;
        }
        let condition = match &exit.conditions[..] {
            [only] => only.clone(),
            several => all_of(&several.iter().collect::<Vec<_>>()),
        };
        let behind = WayOut::taken(others);
        steps.push(match behind.is_empty() {
            true => Term::new(TermKind::If, vec![condition, block(own)], &["if (", ") ", ""]),
            false => {
                let parts = vec![condition, block(own), block(behind)];
                Term::new(TermKind::If, parts, &["if (", ") ", " else ", ""])
            }
        });
        steps
    }
}

/// The steps of an iteration, where `else` behind a branch that is always left is no more than the steps that
/// follow it.
fn one_by_one(rows: &[&Term]) -> Vec<Term> {
    let mut steps = cloned(rows);
    while let Some(last) = steps.last()
        && let (TermKind::If, [condition, then, otherwise]) = (last.kind(), last.children())
        && then.ends_with_way_out()
    {
        let first = vec![condition.clone(), then.clone()];
        let first = Term::new(TermKind::If, first, &["if (", ") ", ""]);
        let behind = match otherwise.kind() {
            TermKind::Block => otherwise.children().to_vec(),
            _ => vec![otherwise.clone()],
        };
        steps.pop();
        steps.push(first);
        steps.extend(behind);
    }
    steps
}

fn is_break(term: &Term) -> bool {
    term.is_text("break;") || term.is_text("break")
}

fn cloned(terms: &[&Term]) -> Vec<Term> {
    terms.iter().map(|term| (*term).clone()).collect()
}

/// A statement below conditions, each below those before it.
pub(super) fn nested(conditions: &[Term], inner: Term) -> Term {
    let under = |inner: Term, condition: &Term| {
        Term::new(TermKind::If, vec![condition.clone(), inner], &["if (", ") ", ""])
    };
    conditions.iter().rev().fold(inner, under)
}

/// `!(a && b)`.
fn negated(conditions: &[&Term]) -> Term {
    let all = Term::new(TermKind::Parenthesized, vec![all_of(conditions)], &["(", ")"]);
    Term::new(TermKind::Unary(UnaryOperator::Not), vec![all], &["!", ""])
}

/// `(a) && (b)`.
fn all_of(conditions: &[&Term]) -> Term {
    let mut all = conditions.iter().map(|condition| {
        Term::new(TermKind::Parenthesized, vec![(*condition).clone()], &["(", ")"])
    });
    let first = all.next().unwrap_or_else(|| Term::of_text("1"));
    let and = TermKind::Binary(BinaryOperator::LogicalAnd);
    let both = |a: Term, b: Term| Term::new(and.clone(), vec![a, b], &["", " && ", ""]);
    all.fold(first, both)
}

/// The name and the value in `double t = ...;`.
pub(super) fn initialised(term: &Term) -> Option<(&str, &Term)> {
    let ([before, after], [value]) = (term.texts(), term.children()) else { return None };
    let (_, name) = type_and_name(before.trim().strip_suffix('=')?)?;
    (after.trim() == ";").then_some((name, value))
}

/// `{ a; b; }`.
pub(super) fn block(steps: Vec<Term>) -> Term {
    if steps.is_empty() {
        return Term::of_text("{ }");
    }
    let mut texts = vec!["{ "];
    texts.extend((1..steps.len()).map(|_| " "));
    texts.push(" }");
    Term::new(TermKind::Block, steps, &texts)
}

impl Term {
    /// Whether it is this text and nothing else.
    pub(super) fn is_text(&self, text: &str) -> bool {
        self.children().is_empty() && self.as_element().is_none() && self.text().trim() == text
    }

    /// Whether it is `return;`, or `return` and a value.
    pub(super) fn is_return(&self) -> bool {
        let words: Vec<&str> =
            self.texts().iter().flat_map(|text| text.split(';')).map(str::trim).collect();
        let is_alone = words.iter().filter(|word| !word.is_empty()).eq(&["return"]);
        self.kind() == &TermKind::Opaque
            && is_alone
            && self.texts().first().is_some_and(|text| text.trim_start().starts_with("return"))
            && self.children().len() < 2
            && !self.children().iter().any(|value| value.has_word(&STRANGE_WORDS))
    }

    /// Whether its own text, without that of its parts, has one of some words.
    pub(super) fn has_own_word(&self, words: &[&str]) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let has = |text: &String| text.split(|c| !is_word(c)).any(|word| words.contains(&word));
        self.texts().iter().any(has)
    }

    /// Whether its text has one of some words.
    pub(super) fn has_word(&self, words: &[&str]) -> bool {
        let mut found = false;
        self.for_each(&mut |part| found |= part.has_own_word(words));
        found
    }

    /// Statements of a row have lost their semicolons.
    pub(super) fn as_statement(&self) -> Term {
        let is_open = self.is_return() && !self.texts().iter().any(|text| text.contains(';'));
        match self.kind() {
            TermKind::Opaque if is_open => {
                Term::new(TermKind::Statement, vec![self.clone()], &["", ";"])
            }
            TermKind::Statement | TermKind::Block | TermKind::If | TermKind::Opaque => self.clone(),
            _ => Term::new(TermKind::Statement, vec![self.clone()], &["", ";"]),
        }
    }

    /// Whether it leaves the function, whichever of its branches runs.
    fn always_returns(&self) -> bool {
        match (self.kind(), self.children()) {
            (TermKind::Statement, [inner]) => inner.always_returns(),
            (TermKind::Block, [.., last]) => last.always_returns(),
            (TermKind::If, [_, then, otherwise]) => {
                then.always_returns() && otherwise.always_returns()
            }
            _ => self.is_return(),
        }
    }

    /// Whether a branch ends with `break` or `return`, so that nothing behind it runs.
    fn ends_with_way_out(&self) -> bool {
        match (self.kind(), self.children()) {
            (TermKind::Statement, [inner]) => inner.ends_with_way_out(),
            (TermKind::Block, [.., last]) => last.ends_with_way_out(),
            _ => is_break(self) || self.always_returns(),
        }
    }
}
