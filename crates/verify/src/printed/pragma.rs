//! What the pragmas above printed loops claim, against the marks of the tree, which are proved.
use crate::printed::cursor::Cursor;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::tokens::{Token, tokens};
use loopwright_presburger::Name;
use loopwright_schedule::{LoopKind, LoopMark, LoopReduction};
use loopwright_scop::{Array, Scop};
use std::collections::BTreeSet;

/// The claim of a pragma.
#[derive(Clone, Debug, Default)]
pub(super) struct Claim {
    pub(super) kind: Option<Claimed>,
    private: BTreeSet<String>,
    /// Operators with their variables.
    reductions: BTreeSet<(String, String)>,
    pub(super) collapses: bool,
}

/// How the iterations are said to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claimed {
    Parallel,
    /// `ordered(2)`: rows of a pipeline.
    Pipelined,
    /// OpenMP's `simd`.
    Simd,
    /// A hint of a compiler that the iterations are independent.
    Independent,
}

/// Reads a directive; one that is no claim about a loop is wrong here.
pub(super) fn claim(directive: Token<'_>, cursor: &Cursor<'_, '_>) -> Walked<Claim> {
    let line = directive.text.trim_end().strip_prefix('#').unwrap_or_default();
    let inner = tokens(line);
    let mut words = Cursor::new(&inner);
    let unknown = || cursor.wrong("a pragma that a mark of the loop stands for");
    if !words.take_if("pragma") {
        return Err(unknown());
    }
    let starts: [(&[&str], Claimed); 4] = [
        (&["omp", "parallel", "for"], Claimed::Parallel),
        (&["omp", "simd"], Claimed::Simd),
        (&["GCC", "ivdep"], Claimed::Independent),
        (&["clang", "loop", "vectorize", "(", "assume_safety", ")"], Claimed::Independent),
    ];
    let is_start = |(start, _): &&(&[&str], Claimed)| {
        start.iter().enumerate().all(|(ahead, word)| words.is_ahead(ahead, word))
    };
    let (start, kind) = starts.iter().find(is_start).ok_or_else(unknown)?;
    words.at += start.len();
    let mut claim = Claim { kind: Some(*kind), ..Claim::default() };
    while words.peek().is_some() {
        clause(&mut words, &mut claim).map_err(|_| unknown())?;
    }
    Ok(claim)
}

fn clause(words: &mut Cursor<'_, '_>, claim: &mut Claim) -> Walked<()> {
    let name = words.word()?;
    let start = words.at;
    words.skip_balanced()?;
    let content = &words.tokens[start + 1..words.at - 1];
    let listed = |tokens: &[Token<'_>]| -> Vec<String> {
        let parts = tokens.split(|token| token.text == ",");
        parts.map(|part| part.iter().map(|token| token.text).collect()).collect()
    };
    match name {
        "private" => claim.private.extend(listed(content)),
        "reduction" => {
            let colon = content.iter().position(|token| token.text == ":");
            let colon = colon.ok_or_else(|| words.wrong("an operator"))?;
            let operator: String = content[..colon].iter().map(|token| token.text).collect();
            // Declared in front of the file: the same in unsigned arithmetic.
            let operator = match &*operator {
                "loopwright_sum" => "+".to_string(),
                "loopwright_product" => "*".to_string(),
                _ => operator,
            };
            let pair = |variable| (operator.clone(), variable);
            claim.reductions.extend(listed(&content[colon + 1..]).into_iter().map(pair));
        }
        "lastprivate" => {
            let is_conditional =
                content.iter().map(|token| token.text).take(2).eq(["conditional", ":"]);
            // Without iterations, the others leave anything.
            if !is_conditional {
                return Err(words.wrong("a clause"));
            }
            let pair = |variable| (LoopReduction::CONDITIONAL.to_string(), variable);
            claim.reductions.extend(listed(&content[2..]).into_iter().map(pair));
        }
        "collapse" if content.len() == 1 && content[0].text == "2" => claim.collapses = true,
        "ordered" if content.len() == 1 && content[0].text == "2" => {
            claim.kind = Some(Claimed::Pipelined);
        }
        // Which thread runs what, and whether there are several.
        "schedule" | "if" => {}
        _ => return Err(words.wrong("a clause")),
    }
    Ok(())
}

impl Claim {
    /// Checks the claim against the mark of the loop. `kept` says which array a local variable of the text
    /// stands for.
    pub(super) fn check(
        &self,
        mark: Option<&LoopMark>,
        scop: &Scop,
        kept: &dyn Fn(&str) -> Option<Name>,
        cursor: &Cursor<'_, '_>,
    ) -> Walked<()> {
        let Some(kind) = self.kind else { return Ok(()) };
        let wanted = match kind {
            Claimed::Parallel => LoopKind::Parallel,
            Claimed::Pipelined => LoopKind::Pipelined,
            Claimed::Simd | Claimed::Independent => LoopKind::Vector,
        };
        let mark = mark.filter(|mark| mark.kind == wanted);
        let mark = mark.ok_or_else(|| cursor.wrong("a loop that may run like that"))?;
        let has_clause = |name: &&Name| {
            let mut arrays = scop.arrays.iter();
            !arrays.any(|array| array.tuple_name == **name && is_own_array(array))
        };
        let private: BTreeSet<String> =
            mark.private.iter().filter(has_clause).map(|name| in_text(scop, name)).collect();
        if private != self.private {
            return Err(different(cursor, "private", &private));
        }
        let meant: BTreeSet<(String, String)> = mark
            .reductions
            .iter()
            .map(|each| (each.operator.to_string(), each.variable.to_string()))
            .collect();
        let said: BTreeSet<(String, String)> = self
            .reductions
            .iter()
            .map(|(operator, variable)| (operator.clone(), tuple_name(scop, variable, kept)))
            .collect();
        match meant == said {
            true => Ok(()),
            false => {
                let names = meant.into_iter().map(|(operator, name)| format!("{operator}: {name}"));
                Err(different(cursor, "reduction", &names.collect()))
            }
        }
    }

    /// Whether the threads combine their copies of a variable.
    pub(super) fn combines(&self, variable: &str) -> bool {
        self.reductions.iter().any(|(_, name)| name == variable)
    }
}

fn different(cursor: &Cursor<'_, '_>, clause: &str, names: &BTreeSet<String>) -> Stop {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    cursor.wrong(&format!("a pragma with {clause}({})", names.join(", ")))
}

/// How the text names a variable.
pub(super) fn in_text(scop: &Scop, tuple_name: &Name) -> String {
    let array = scop.arrays.iter().find(|array| array.tuple_name == *tuple_name);
    let name = array.map_or(tuple_name, |array| match array.declared_in_scop {
        true => &array.tuple_name,
        false => &array.name,
    });
    name.to_string()
}

/// The tuple name of what the text names so.
fn tuple_name(scop: &Scop, name: &str, kept: &dyn Fn(&str) -> Option<Name>) -> String {
    if let Some(array) = kept(name) {
        return array.to_string();
    }
    let mut named = scop.arrays.iter().filter(|a| in_text(scop, &a.tuple_name) == name);
    named.next().map_or_else(String::new, |array| array.tuple_name.to_string())
}

/// Whether threads have copies of an array by a declaration in the loop, not by a clause.
pub(super) fn is_own_array(array: &Array) -> bool {
    array.declared_in_scop && !array.is_scalar()
}
