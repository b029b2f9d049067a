//! All multifor statements of a file as plain C.
use crate::code::{CodeOptions, Generated, Scheme, generated};
use crate::error::MultiforError;
use crate::intent::Intent;
use crate::multifor::Multifor;
use crate::names::{int_parameters, words};
use crate::plan::File;
use crate::ranks::mapping::{RankOptions, mapped_by_ranks};
use crate::settings::LowerSettings;
use crate::text::margin;
use loopwright_cfront::{Diagnostic, diagnostic_at, multifor_statements, replace_regions};
use loopwright_presburger::Budget;
use loopwright_verify::Proof;
use std::path::Path;

/// A file without multifor statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lowered {
    /// The text.
    pub text: String,
    /// What there is to say about each statement; none if there was no statement.
    pub statements: Vec<LoweredStatement>,
}

/// What became of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoweredStatement {
    /// Its line.
    pub line: u32,
    /// The offsets that are used, for each level.
    pub offsets: Vec<Vec<i64>>,
    /// What there is to say, a sentence each.
    pub notes: Vec<String>,
}

/// The text of a file with plain C in place of its multifor statements. All other bytes stay.
///
/// ```
/// use loopwright_multifor::{LowerSettings, lowered};
/// let text = "void f(int n, int a[n]) {\n  multifor (i = 0; i < 9; i++; 1; 0) { 0: a[i] = i; }\n}\n";
/// let plain = lowered("f.c".as_ref(), text, &LowerSettings::default()).unwrap();
/// let expected = "void f(int n, int a[n]) {\n  {\n    for (int p = 0; p <= 8; p += 1)\n      a[p] = p;\n  }\n}\n";
/// assert_eq!(plain.text, expected);
/// ```
///
/// # Errors
/// Diagnostics about each statement that is refused.
pub fn lowered(
    path: &Path,
    text: &str,
    settings: &LowerSettings,
) -> Result<Lowered, Vec<Diagnostic>> {
    let found = multifor_statements(path, text)?;
    let file = File { path, text, found: &found, settings };
    let (mut replacements, mut statements, mut refusals) = (Vec::new(), Vec::new(), Vec::new());
    for (position, each) in found.iter().enumerate() {
        match file.statement(position) {
            Ok((code, statement)) => {
                let is_on_own_line = each.bytes.start < each.statement.start;
                let code = in_place(&code, &each.indentation);
                let code =
                    if is_on_own_line { format!("{}{code}", each.indentation) } else { code };
                replacements.push((each.bytes.clone(), code));
                statements.push(statement);
            }
            Err(error) => refusals.push(diagnostic(path, text, error)),
        }
    }
    match refusals.is_empty() {
        true => Ok(Lowered { text: replace_regions(text, &replacements), statements }),
        false => Err(refusals),
    }
}

fn diagnostic(path: &Path, text: &str, error: MultiforError) -> Diagnostic {
    let MultiforError { code, byte, message, reasons } = error;
    let mut diagnostic = diagnostic_at(path, text, byte, code, message);
    diagnostic.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    diagnostic.hint("docs/multifor.md says what multifor statements mean")
}

/// The code as it stands in the file.
fn in_place(code: &str, indentation: &str) -> String {
    let indented = |(number, line): (usize, &str)| match number {
        0 => line.to_string(),
        _ if line.is_empty() || line.starts_with('#') => line.to_string(),
        _ => format!("{indentation}{line}"),
    };
    let lines: Vec<String> = code.trim_end().lines().enumerate().map(indented).collect();
    lines.join("\n")
}

impl File<'_> {
    /// The code of a statement.
    fn statement(&self, position: usize) -> Result<(String, LoweredStatement), MultiforError> {
        let found = &self.found[position];
        let settings = self.settings;
        let mut intent =
            Intent { check: settings.check, offsets: settings.offsets, ..Intent::default() };
        for (byte, words) in &found.pragmas {
            intent.read(*byte, words)?;
        }
        let budget = Budget::steps(settings.steps);
        let multifor = Multifor::new(&found.statement, &budget)?;
        if intent.ranks {
            return self.by_ranks(position, &multifor, &intent, &budget);
        }
        let mut options = CodeOptions::sequential(intent.scheme.unwrap_or(settings.scheme));
        options.used_names = words(self.text);
        options.parameters = self.parameters(&multifor, &options);
        options.steady = intent.steady;
        options.clauses = intent.clauses.join(" ");
        options.loop_clauses = intent.loop_clauses.join(" ");
        let mut notes = Vec::new();
        let planned =
            self.planned((position, &intent), multifor, &mut options, &mut notes, &budget)?;
        let (multifor, conditions) = planned;
        let code = generated(&multifor, &options, &budget)?;
        notes.extend(code_notes(&code, options.scheme));
        notes.extend(margin(&multifor, &options));
        let text = match conditions.is_empty() {
            true => code.text,
            false => {
                let CodeOptions { used_names, parameters, steady, .. } = options.clone();
                let plain = CodeOptions {
                    used_names,
                    parameters,
                    steady,
                    ..CodeOptions::sequential(options.scheme)
                };
                let otherwise = generated(&multifor, &plain, &budget)?.text;
                in_versions(code.text, &otherwise, &conditions, "threads are used", &mut notes)
            }
        };
        let offsets = multifor.offsets();
        Ok((text, LoweredStatement { line: found.statement.line, offsets, notes }))
    }

    /// The code of a statement whose nests advance by ranks.
    fn by_ranks(
        &self,
        position: usize,
        multifor: &Multifor,
        intent: &Intent,
        budget: &Budget,
    ) -> Result<(String, LoweredStatement), MultiforError> {
        let clauses = [intent.clauses.clone(), intent.loop_clauses.clone()].concat().join(" ");
        let used_names = words(self.text);
        let mut options = RankOptions { clauses, used_names, ..RankOptions::default() };
        let plain = mapped_by_ranks(multifor, &options, budget)?;
        let line = multifor.syntax.line;
        let mut notes = vec!["the nests advance by the ranks of their iterations".to_string()];
        let conditions = match intent.parallel {
            true => {
                let conditions = self.independent(position, multifor, budget)?;
                options.parallel = true;
                notes.push("all iterations are independent".to_string());
                Some(conditions)
            }
            false => self.conditions_of_blocks(position, multifor, &mut notes, budget),
        };
        let text = match conditions {
            None => plain,
            Some(conditions) => {
                options.independent_nests = true;
                let text = mapped_by_ranks(multifor, &options, budget)?;
                let what = if intent.parallel { "threads are used" } else { "this is done" };
                in_versions(text, &plain, &conditions, what, &mut notes)
            }
        };
        Ok((text, LoweredStatement { line, offsets: multifor.offsets(), notes }))
    }

    /// What has to hold so that nests may advance in blocks; none if they have to go rank by rank.
    fn conditions_of_blocks(
        &self,
        position: usize,
        multifor: &Multifor,
        notes: &mut Vec<String>,
        budget: &Budget,
    ) -> Option<Vec<String>> {
        if multifor.syntax.loops.len() < 2 {
            return None;
        }
        let part = budget.part(budget.remaining() / 2);
        match self.independent_nests(position, multifor, &part) {
            Ok(conditions) => {
                notes.push("the nests are independent: they advance in blocks of ranks".into());
                Some(conditions)
            }
            Err(error) => {
                notes.push(format!("they advance rank by rank: {error}"));
                None
            }
        }
    }

    /// Names for symbolic constants that may be wider than `int`.
    fn parameters(
        &self,
        multifor: &Multifor,
        options: &CodeOptions,
    ) -> std::collections::BTreeMap<String, String> {
        let known = int_parameters(self.text);
        let mut names = loopwright_astgen::FreshNames::new(options.used_names.clone());
        let unknown = multifor.parameters.iter().filter(|name| !known.contains(&***name));
        unknown.map(|name| (name.to_string(), names.get(&format!("{name}_value")))).collect()
    }
}

/// A text that relies on conditions, with another one where they do not hold.
fn in_versions(
    text: String,
    otherwise: &str,
    conditions: &[String],
    what: &str,
    notes: &mut Vec<String>,
) -> String {
    if conditions.is_empty() {
        return text;
    }
    let condition = conditions.join(" && ");
    notes.push(format!("{what} if {condition}"));
    format!("if ({condition}) {} else {otherwise}", text.trim_end())
}

/// What there is to say about generated code.
fn code_notes(code: &Generated, wanted: Scheme) -> Vec<String> {
    let mut notes = Vec::new();
    if code.scheme != wanted {
        notes.push(
            "a limit was reached: loops have conditions instead of being separated".to_string(),
        );
    }
    match &code.proof {
        Proof::Proved => {
            notes.push("the loops are proved to be those of the statement".to_string())
        }
        Proof::OutOfBudget(operation) => {
            notes.push(format!("a limit was reached in {operation}: the loops are not proved"));
        }
        Proof::Refuted(_) => {}
    }
    notes
}
