//! The control flow of a region as one process runs it: its own statement, those it receives values from, and
//! what decides about them.
use loopwright_cfront::{ControlTree, PlacedText, Region};
use loopwright_scop::{Statement, StatementId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The statements of a model in the control flow of its region.
pub(super) struct Parts {
    by_place: BTreeMap<usize, StatementId>,
    texts: BTreeMap<StatementId, PlacedText>,
    evaluations: BTreeSet<StatementId>,
}

impl Parts {
    /// Finds the statements; why they do not belong to parts of the text one to one.
    pub(super) fn new(region: &Region, control: &ControlTree) -> Result<Self, String> {
        let mut by_place = BTreeMap::new();
        for (statement, places) in region.scop.statements.iter().zip(&region.places) {
            let line = statement.location.line;
            if !is_executed(statement) {
                continue;
            }
            if by_place.insert(places.at, statement.id).is_some() {
                return Err(format!("a part of line {line} is several statements"));
            }
            if places.accesses.len() != statement.accesses.len() {
                return Err(format!("accesses of line {line} are put together"));
            }
        }
        let (texts, evaluations) = (BTreeMap::new(), BTreeSet::new());
        let mut parts = Parts { by_place, texts, evaluations };
        parts.visit(control);
        let has_text = |id: StatementId| parts.texts.contains_key(&id);
        match region.scop.statements.iter().find(|s| is_executed(s) && !has_text(s.id)) {
            Some(statement) => {
                Err(format!("a statement of line {} has no text", statement.location.line))
            }
            None => Ok(parts),
        }
    }

    fn visit(&mut self, control: &ControlTree) {
        let mut note = |text: &PlacedText, is_condition: bool| {
            if let Some(id) = self.by_place.get(&text.at) {
                self.texts.insert(*id, text.clone());
                if is_condition {
                    self.evaluations.insert(*id);
                }
            }
        };
        match control {
            ControlTree::Expression(text) | ControlTree::Initial(text) => note(text, false),
            ControlTree::If(condition, ..)
            | ControlTree::For { condition, .. }
            | ControlTree::While(condition, _)
            | ControlTree::Do(_, condition) => note(condition, true),
            ControlTree::Block(_) | ControlTree::Jump(_) | ControlTree::Other(..) => {}
        }
        inner(control).into_iter().for_each(|part| self.visit(part));
    }

    /// The statement that begins at a place.
    fn at(&self, text: &PlacedText) -> Option<StatementId> {
        self.by_place.get(&text.at).copied()
    }

    pub(super) fn text_of(&self, statement: StatementId) -> &str {
        self.texts.get(&statement).map_or("", |text| &text.text)
    }

    /// The text of what a statement assigns at a place.
    pub(super) fn assigned(&self, statement: StatementId, at: usize) -> Option<&str> {
        let assigned = &self.texts.get(&statement)?.assigned;
        assigned.iter().find(|(place, _)| *place == at).map(|(_, text)| &**text)
    }

    pub(super) fn is_evaluation(&self, statement: StatementId) -> bool {
        self.evaluations.contains(&statement)
    }
}

/// Whether a statement does something: not where a jump stands, or a variable begins to live.
pub(super) fn is_executed(statement: &Statement) -> bool {
    !(statement.is_kill || statement.accesses.is_empty() && statement.body.is_empty())
}

/// The parts that a part is made of.
fn inner(control: &ControlTree) -> Vec<&ControlTree> {
    match control {
        ControlTree::Block(parts) => parts.iter().collect(),
        ControlTree::If(_, then, otherwise) => {
            std::iter::once(&**then).chain(otherwise.as_deref()).collect()
        }
        ControlTree::For { body, .. } | ControlTree::While(_, body) | ControlTree::Do(body, _) => {
            vec![body]
        }
        _ => Vec::new(),
    }
}

/// The expression that begins at a place.
pub(crate) fn text_at(control: &ControlTree, at: usize) -> Option<&PlacedText> {
    let own = match control {
        ControlTree::Expression(text) | ControlTree::Initial(text) => Some(text),
        ControlTree::If(condition, ..)
        | ControlTree::For { condition, .. }
        | ControlTree::While(condition, _)
        | ControlTree::Do(_, condition) => Some(condition),
        _ => None,
    };
    let own = own.filter(|text| text.at == at);
    own.or_else(|| inner(control).into_iter().find_map(|part| text_at(part, at)))
}

/// What a process executes and receives.
pub(super) struct Flow {
    /// Its statement; none of what comes after the region.
    pub(super) own: Option<StatementId>,
    /// The statements of which it receives values.
    pub(super) senders: BTreeSet<StatementId>,
}

/// How statements and conditions are written in a process.
pub(super) trait Words {
    /// Its own statement, or a receipt, as a statement of C.
    fn statement(&self, statement: StatementId, is_own: bool) -> String;
    /// The same for a condition, as an expression of C with its outcome.
    fn condition(&self, statement: StatementId, is_own: bool) -> String;
}

/// The part of the control flow that a process runs.
pub(super) struct Slice<'a> {
    flow: &'a Flow,
    parts: &'a Parts,
}

impl<'a> Slice<'a> {
    pub(super) fn new(flow: &'a Flow, parts: &'a Parts) -> Self {
        Slice { flow, parts }
    }

    /// The evaluations whose outcomes the process receives.
    pub(super) fn outcomes(&self, control: &ControlTree) -> BTreeSet<StatementId> {
        let mut found = BTreeSet::new();
        self.collect(control, &mut found);
        found
    }

    fn collect(&self, control: &ControlTree, found: &mut BTreeSet<StatementId>) {
        if !self.is_kept(control) {
            return;
        }
        if let ControlTree::If(condition, ..)
        | ControlTree::For { condition, .. }
        | ControlTree::While(condition, _)
        | ControlTree::Do(_, condition) = control
            && let Some(evaluation) = self.parts.at(condition)
            && self.flow.own != Some(evaluation)
        {
            found.insert(evaluation);
        }
        inner(control).into_iter().for_each(|part| self.collect(part, found));
    }

    fn is_used(&self, text: &PlacedText) -> bool {
        let is_used =
            |id: StatementId| self.flow.own == Some(id) || self.flow.senders.contains(&id);
        self.parts.at(text).is_some_and(is_used)
    }

    /// Whether a process runs a part: what it executes or receives is in it, or decided about there.
    fn is_kept(&self, control: &ControlTree) -> bool {
        match control {
            ControlTree::Block(parts) => parts.iter().any(|part| self.is_kept(part)),
            ControlTree::Expression(text) | ControlTree::Initial(text) => self.is_used(text),
            ControlTree::If(condition, then, otherwise) => {
                self.is_used(condition)
                    || self.is_kept(then)
                    || otherwise.as_ref().is_some_and(|otherwise| self.is_kept(otherwise))
            }
            ControlTree::For { condition, body, .. }
            | ControlTree::While(condition, body)
            | ControlTree::Do(body, condition) => self.is_used(condition) || has_used(self, body),
            ControlTree::Jump(_) => true,
            ControlTree::Other(..) => false,
        }
    }

    /// The part as text of C.
    pub(super) fn text(&self, control: &ControlTree, words: &dyn Words, indent: usize) -> String {
        let mut text = String::new();
        self.write(control, words, indent, &mut text);
        text
    }

    fn write(&self, control: &ControlTree, words: &dyn Words, indent: usize, text: &mut String) {
        if !self.is_kept(control) {
            return;
        }
        let pad = "  ".repeat(indent);
        let mut line = |words: &str| {
            let _ = writeln!(text, "{pad}{words}");
        };
        match control {
            ControlTree::Block(parts) => {
                parts.iter().for_each(|part| self.write(part, words, indent, text));
            }
            ControlTree::Expression(own) | ControlTree::Initial(own) => {
                if let Some(id) = self.parts.at(own) {
                    line(&words.statement(id, self.flow.own == Some(id)));
                }
            }
            ControlTree::If(condition, then, otherwise) => {
                line(&format!("if ({}) {{", self.condition(condition, words)));
                self.write(then, words, indent + 1, text);
                if let Some(otherwise) = otherwise.as_ref().filter(|part| self.is_kept(part)) {
                    let _ = writeln!(text, "{pad}}} else {{");
                    self.write(otherwise, words, indent + 1, text);
                }
                let _ = writeln!(text, "{pad}}}");
            }
            ControlTree::For { start, condition, step, body } => {
                line(&format!("for ({start}; {}; {step}) {{", self.condition(condition, words)));
                self.write(body, words, indent + 1, text);
                let _ = writeln!(text, "{pad}}}");
            }
            ControlTree::While(condition, body) => {
                line(&format!("while ({}) {{", self.condition(condition, words)));
                self.write(body, words, indent + 1, text);
                let _ = writeln!(text, "{pad}}}");
            }
            ControlTree::Do(body, condition) => {
                line("do {");
                self.write(body, words, indent + 1, text);
                let _ = writeln!(text, "{pad}}} while ({});", self.condition(condition, words));
            }
            ControlTree::Jump(jump) => line(jump),
            ControlTree::Other(..) => {}
        }
    }

    fn condition(&self, condition: &PlacedText, words: &dyn Words) -> String {
        match self.parts.at(condition) {
            Some(id) => words.condition(id, self.flow.own == Some(id)),
            None => condition.text.clone(),
        }
    }
}

/// Whether something is executed or received in a part, jumps aside.
fn has_used(slice: &Slice<'_>, control: &ControlTree) -> bool {
    match control {
        ControlTree::Block(parts) => parts.iter().any(|part| has_used(slice, part)),
        ControlTree::If(condition, then, otherwise) => {
            slice.is_used(condition)
                || has_used(slice, then)
                || otherwise.as_ref().is_some_and(|otherwise| has_used(slice, otherwise))
        }
        ControlTree::Jump(_) => false,
        other => slice.is_kept(other),
    }
}
