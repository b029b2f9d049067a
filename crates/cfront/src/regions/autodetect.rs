//! Finds regions where there are no pragmas: in each block of each function the largest runs of
//! consecutive statements with at least one loop that are extracted without a refusal.
//!
//! A run that is refused is divided at the statements that the refusals are about. A single statement
//! that is refused is left alone, and the search goes on in the blocks inside it. What is assumed
//! about a region is the same as between pragmas, because it is extracted in the same way.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::directives::{Directive, read};
use crate::facts::region_scopes::Entrances;
use crate::parallel_map::side_by_side;
use crate::regions::detection::Detection;
use crate::regions::detection_result::{Candidate, Findings, Ground, is_loop, is_own};
use crate::regions::extraction::{Run, all_regions, extract_run};
use crate::regions::parsed::Parsed;
use crate::regions::pragmas::{Pragmas, bytes_between};
use crate::regions::region_directives::is_about_threads;
use crate::regions::replaceable_lines::{lines_of, replaceable};
use crate::regions::source::SourceFile;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::parser::LESS_NESTING;
use crate::syntax::queries::{named_children, strip_parentheses, text, unexpected, visit};
use crate::syntax::tree::Node;
use crate::text::located::diagnostic_at;
use crate::text::preprocess::CleanText;
use crate::walk::refusals::{TOO_DEEP, depth_reason};
use loopwright_scop::AccessKind;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Runs of more statements are divided.
const MAX_STATEMENTS: usize = 64;

/// Blocks nested deeper than this are not searched.
const MAX_DEPTH: usize = 100;

/// A file that is searched.
pub(crate) struct Searched<'s, 't> {
    pub(crate) file: &'s SourceFile,
    pub(crate) parsed: &'t Parsed,
    pub(crate) entrances: &'s Entrances<'t>,
    pub(crate) used_names: &'s Arc<BTreeSet<String>>,
}

impl Searched<'_, '_> {
    /// Finds the regions of the file, those between pragmas among them.
    pub(crate) fn detect(&self, pairs: &[Pragmas]) -> Detection {
        let Searched { file, parsed, entrances, used_names } = *self;
        let clean = &file.clean;
        let search = |needs_loop| Search {
            needs_loop,
            file,
            parsed,
            entrances,
            used_names: used_names.clone(),
            claimed: bytes_between(clean, pairs),
            parallel_lines: parallel_lines(&file.original),
        };
        let given = all_regions(file, parsed, entrances, pairs, used_names);
        let functions = functions(clean, parsed);
        let mut findings = search(true).all(&functions);
        if file.options.without_loops && given.is_empty() && findings.candidates.is_empty() {
            findings = search(false).all(&functions);
        }
        let ground = Ground { file, parsed, used_names };
        let claimed = bytes_between(clean, pairs);
        let found = findings.detection(&ground, claimed.into_iter().zip(given).collect());
        Detection { included: included_loops(clean, parsed), ..found }
    }
}

/// The included files with loops in functions that they define, and how many there are.
fn included_loops(clean: &CleanText, parsed: &Parsed) -> Vec<(PathBuf, usize)> {
    let mut found: Vec<(PathBuf, usize)> = Vec::new();
    visit(parsed.tree.root_node(), |node, _| {
        let is_function = node.kind() == Kind::FunctionDefinition;
        if is_function && !is_own(clean, node) {
            let mut n = 0;
            visit(node, |inner, _| {
                n += usize::from(is_loop(inner));
                !is_loop(inner)
            });
            let origin = clean.origins.get(clean.line_of(node.start_byte()));
            let file = origin.and_then(|origin| clean.files.get(origin.file as usize));
            match (file, found.iter_mut().find(|(known, _)| Some(known) == file)) {
                (Some(_), Some((_, known))) => *known += n,
                (Some(file), None) if n > 0 => found.push((file.clone(), n)),
                _ => {}
            }
        }
        !is_function
    });
    found
}

/// The lines with directives for parallel execution (1-based).
fn parallel_lines(original: &str) -> Vec<u32> {
    read(original).iter().filter(|found| is_about_threads(found)).map(|found| found.line).collect()
}

/// The functions that the file itself defines.
fn functions<'t>(clean: &CleanText, parsed: &'t Parsed) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    visit(parsed.tree.root_node(), |node, _| {
        let is_function = node.kind() == Kind::FunctionDefinition;
        if is_function && is_own(clean, node) {
            found.push(node);
        }
        !is_function
    });
    found
}

/// A run of the statements of a block.
struct Found<'t> {
    positions: Range<usize>,
    candidate: Candidate<'t>,
}

struct Search<'s, 't> {
    /// Whether runs without loops are no regions.
    needs_loop: bool,
    file: &'s SourceFile,
    parsed: &'t Parsed,
    entrances: &'s Entrances<'t>,
    used_names: Arc<BTreeSet<String>>,
    /// The bytes of regions between pragmas.
    claimed: Vec<Range<usize>>,
    /// The lines of the file with directives for parallel execution, those left out by conditions as well.
    parallel_lines: Vec<u32>,
}

/// Consecutive statements that are searched on their own.
struct Part<'t> {
    container: Node<'t>,
    statements: Vec<Node<'t>>,
    level: Level<'t>,
    /// Whether pragmas divide them from the others: there are regions between pragmas inside.
    is_claimed: bool,
}

/// Where the search is.
#[derive(Clone, Copy)]
struct Level<'t> {
    function: Node<'t>,
    /// The number of blocks around.
    blocks: usize,
    /// The number of refused loops around.
    loops: usize,
}

impl<'t> Search<'_, 't> {
    /// What is found in functions.
    fn all(&self, functions: &[Node<'t>]) -> Findings<'t> {
        let mut findings = Findings::default();
        let bytes = functions.iter().map(|function| function.byte_range().len()).sum();
        let parts: Vec<Part<'t>> =
            functions.iter().flat_map(|function| self.function(*function, &mut findings)).collect();
        for found in side_by_side(&parts, bytes, |part| self.findings(part)) {
            findings.add(found);
        }
        findings
    }

    /// The parts of a function's body; none where nothing in it can be a region.
    fn function(&self, function: Node<'t>, findings: &mut Findings<'t>) -> Vec<Part<'t>> {
        let Some(body) = function.field(Field::Body) else { return Vec::new() };
        let level = Level { function, blocks: 1, loops: 0 };
        match self.obstacle(function) {
            Some(diagnostic) => {
                self.refuse_loops(body, level, &[diagnostic], findings);
                Vec::new()
            }
            None => self.parts(body, named_children(body).collect(), level),
        }
    }

    /// What is found in a part.
    fn findings(&self, part: &Part<'t>) -> Findings<'t> {
        let mut findings = Findings::default();
        self.part(part, &mut findings);
        findings
    }

    /// Why nothing in a function can be a region.
    fn obstacle(&self, function: Node<'t>) -> Option<Diagnostic> {
        let clean = &self.file.clean;
        let mut error = None;
        if function.has_error() {
            visit(function, |node, _| {
                if error.is_none() && (node.is_error() || node.is_missing()) {
                    error = Some(node.expectation().unwrap_or((node.start_byte(), "a statement")));
                }
                error.is_none()
            });
        }
        if let Some((byte, expected)) = error {
            let (code, message, expected) = match expected {
                LESS_NESTING => (Code::TooComplex, TOO_DEEP, depth_reason()),
                _ => {
                    let reason = unexpected(&self.parsed.source, byte, expected);
                    (Code::Syntax, "this is not understood as C", reason)
                }
            };
            return Some(
                diagnostic_at(clean, code, byte, message)
                    .because(format!(
                        "{expected}; the statements of a function are only known if all of it is understood"
                    ))
                    .hint("put pragmas around the loops, away from this place"),
            );
        }
        let byte = self.parallel_directive(function)?;
        let message = "a function with directives for parallel execution is left alone";
        let mut diagnostic = diagnostic_at(clean, Code::Directive, byte, message)
            .because("statements may run more than once, or at the same time as others")
            .hint("move loops that no directive is about into a function of their own");
        diagnostic.length = clean.line_text(clean.line_of(byte)).trim().chars().count() as u32;
        Some(diagnostic)
    }

    /// Where a function has a directive for parallel execution, in the text that is read or, left out by
    /// conditions, in the file.
    fn parallel_directive(&self, function: Node<'t>) -> Option<usize> {
        let clean = &self.file.clean;
        let bytes = function.byte_range();
        let is_inside =
            |found: &&Directive| bytes.contains(&found.start) && is_about_threads(found);
        if let Some(found) = self.parsed.directives.iter().find(is_inside) {
            return Some(found.start);
        }
        let [first, last] = [function.start_byte(), function.end_byte()]
            .map(|byte| clean.origins.get(clean.line_of(byte)).map_or(0, |origin| origin.line));
        let line = *self.parallel_lines.iter().find(|line| (first..=last).contains(line))?;
        let in_clean = (clean.line_of(function.start_byte())..clean.origins.len())
            .find(|index| clean.origins[*index].line >= line);
        Some(in_clean.map_or(function.start_byte(), |index| clean.starts[index]))
    }

    /// Marks the outermost loops of a subtree as refused.
    fn refuse_loops(
        &self,
        node: Node<'t>,
        level: Level<'t>,
        why: &[Diagnostic],
        findings: &mut Findings<'t>,
    ) {
        visit(node, |inner, _| {
            let is_loop = is_loop(inner) && !overlaps(&self.claimed, inner);
            if is_loop {
                findings.add_loop(inner, level.function, level.loops, Some(why.to_vec()));
            }
            !is_loop
        });
    }

    /// The statements of a block, or a single statement.
    fn block(&self, node: Node<'t>, level: Level<'t>, findings: &mut Findings<'t>) {
        let level = Level { blocks: level.blocks + 1, ..level };
        if level.blocks > MAX_DEPTH {
            let byte = node.start_byte();
            let message = "the nesting is too deep";
            let why = diagnostic_at(&self.file.clean, Code::TooComplex, byte, message).because(
                format!("blocks are understood up to {MAX_DEPTH} levels inside each other"),
            );
            return self.refuse_loops(node, level, &[why], findings);
        }
        let (container, statements) = match node.kind() {
            Kind::CompoundStatement => (Some(node), named_children(node).collect()),
            Kind::CaseStatement => {
                let value = node.field(Field::Value).map(|n| n.id());
                let inner = named_children(node).filter(|n| Some(n.id()) != value).collect();
                (Some(node), inner)
            }
            _ => (node.parent(), vec![node]),
        };
        let Some(container) = container else { return };
        for part in self.parts(container, statements, level) {
            self.part(&part, findings);
        }
    }

    /// Consecutive statements; those between pragmas, or around them, divide them.
    fn parts(
        &self,
        container: Node<'t>,
        statements: Vec<Node<'t>>,
        level: Level<'t>,
    ) -> Vec<Part<'t>> {
        let is_claimed = |statement: &Node<'t>| overlaps(&self.claimed, *statement);
        let part = |statements: &[Node<'t>], is_claimed| Part {
            container,
            statements: statements.to_vec(),
            level,
            is_claimed,
        };
        let groups = statements.chunk_by(|a, b| !is_claimed(a) && !is_claimed(b));
        let parts = groups.flat_map(|group| match is_claimed(&group[0]) {
            true => vec![part(group, true)],
            false => group.chunks(MAX_STATEMENTS).map(|chunk| part(chunk, false)).collect(),
        });
        parts.collect()
    }

    fn part(&self, part: &Part<'t>, findings: &mut Findings<'t>) {
        if part.is_claimed {
            for &statement in &part.statements {
                self.descend(statement, part.level, findings);
            }
            return;
        }
        for found in self.runs(part.container, &part.statements, part.level, findings) {
            let candidate = self.trimmed(found.candidate, part);
            let mut accesses =
                candidate.extracted.finished.scop.statements.iter().flat_map(|s| &s.accesses);
            if !self.needs_loop && accesses.all(|access| access.kind == AccessKind::Kill) {
                // Nothing but declarations.
                continue;
            }
            for &statement in &candidate.run.statements {
                accept_loops(statement, part.level, findings);
            }
            findings.candidates.push(candidate);
        }
    }

    /// A candidate without the statements before its first and after its last loop, if its lines cannot be
    /// replaced with them: they may stand in a macro.
    fn trimmed(&self, candidate: Candidate<'t>, part: &Part<'t>) -> Candidate<'t> {
        let statements = &candidate.run.statements;
        let first = statements.iter().position(|s| has_loop(*s)).unwrap_or(0);
        let end = statements.iter().rposition(|s| has_loop(*s)).map_or(statements.len(), |l| l + 1);
        let is_whole = end - first == statements.len();
        if is_whole || replaceable(self.file, std::slice::from_ref(&candidate.lines)) == [true] {
            return candidate;
        }
        let kept = self.attempt(part.container, &statements[first..end], part.level);
        kept.unwrap_or(candidate)
    }

    /// The largest runs of statements that are regions.
    fn runs(
        &self,
        container: Node<'t>,
        statements: &[Node<'t>],
        level: Level<'t>,
        findings: &mut Findings<'t>,
    ) -> Vec<Found<'t>> {
        if self.needs_loop && !statements.iter().any(|statement| has_loop(*statement)) {
            return Vec::new();
        }
        let mut is_bad: Vec<bool> = statements.iter().map(|s| self.is_effect(*s)).collect();
        if is_bad == [true] {
            return Vec::new();
        }
        if !is_bad.contains(&true) {
            let diagnostics = match self.attempt(container, statements, level) {
                Ok(candidate) => return vec![Found { positions: 0..statements.len(), candidate }],
                Err(diagnostics) => diagnostics,
            };
            if let [statement] = statements {
                self.refused(*statement, level, diagnostics, findings);
                return Vec::new();
            }
            is_bad = statements.iter().map(|s| is_about(&diagnostics, *s)).collect();
        }
        if !is_bad.contains(&true) {
            is_bad.fill(true);
        }
        let positions: Vec<usize> = (0..statements.len()).collect();
        let mut found = Vec::new();
        for group in positions.chunk_by(|a, b| !is_bad[*a] && !is_bad[*b]) {
            let first = group[0];
            let group = &statements[first..first + group.len()];
            for mut run in self.runs(container, group, level, findings) {
                run.positions = run.positions.start + first..run.positions.end + first;
                self.add_run(&mut found, run, (container, statements, level), &is_bad);
            }
        }
        found
    }

    /// Whether a statement without a loop calls a function that cannot be called in a region that is found:
    /// no run has it, which is seen without reading the run.
    fn is_effect(&self, statement: Node<'t>) -> bool {
        let is_plain = matches!(statement.kind(), Kind::ExpressionStatement | Kind::Declaration);
        if !is_plain || has_loop(statement) {
            return false;
        }
        let source = &self.parsed.source;
        let functions = self.entrances.file().index.definitions(source, statement);
        let is_evaluated = !statement.has_kind(&[Kind::SizeofExpression]);
        is_evaluated
            && statement.of_kind(Kind::CallExpression).any(|call| {
                let callee = call.field(Field::Function).map(strip_parentheses);
                callee.filter(|callee| callee.kind() == Kind::Identifier).is_some_and(|callee| {
                    let effects = functions.effects(source, text(source, callee));
                    effects.everything.writes || effects.is_ordered
                })
            })
    }

    /// Adds a run to those found, together with the one before if both are one region.
    fn add_run(
        &self,
        found: &mut Vec<Found<'t>>,
        run: Found<'t>,
        (container, statements, level): (Node<'t>, &[Node<'t>], Level<'t>),
        is_bad: &[bool],
    ) {
        if let Some(last) = found.last_mut()
            && !is_bad[last.positions.end..run.positions.start].contains(&true)
        {
            let positions = last.positions.start..run.positions.end;
            let is_all = positions.len() == statements.len();
            let both = &statements[positions.clone()];
            if !is_all && let Ok(candidate) = self.attempt(container, both, level) {
                *last = Found { positions, candidate };
                return;
            }
        }
        found.push(run);
    }

    /// A run as a region, or all refusals.
    fn attempt(
        &self,
        container: Node<'t>,
        statements: &[Node<'t>],
        level: Level<'t>,
    ) -> Result<Candidate<'t>, Vec<Diagnostic>> {
        let (Some(first), Some(last)) = (statements.first(), statements.last()) else {
            return Err(Vec::new());
        };
        let bytes = first.start_byte()..last.end_byte();
        let statements = statements.to_vec();
        let run = Run { function: level.function, container, statements, bytes, is_detected: true };
        let lines = lines_of(self.file, self.parsed, &run);
        let extracted = extract_run(self.file, self.parsed, self.entrances, &run, &self.used_names);
        match (lines, extracted) {
            (Ok(lines), Ok(extracted)) => Ok(Candidate { run, lines, extracted }),
            (Err(misplaced), Err(mut refused)) => {
                refused.push(*misplaced);
                Err(refused)
            }
            (Err(misplaced), Ok(_)) => Err(vec![*misplaced]),
            (Ok(_), Err(refused)) => Err(refused),
        }
    }

    /// Goes on inside a statement that is refused.
    fn refused(
        &self,
        statement: Node<'t>,
        level: Level<'t>,
        why: Vec<Diagnostic>,
        findings: &mut Findings<'t>,
    ) {
        let mut level = level;
        if is_loop(statement) {
            findings.add_loop(statement, level.function, level.loops, Some(why));
            level.loops += 1;
        }
        self.descend(statement, level, findings);
    }

    /// Searches the statements inside a statement.
    fn descend(&self, statement: Node<'t>, level: Level<'t>, findings: &mut Findings<'t>) {
        let inner: Vec<Node<'t>> = match statement.kind() {
            Kind::IfStatement => [Field::Consequence, Field::Alternative]
                .into_iter()
                .filter_map(|field| statement.field(field))
                .collect(),
            Kind::CompoundStatement | Kind::CaseStatement => {
                return self.block(statement, level, findings);
            }
            Kind::LabeledStatement | Kind::ElseClause | Kind::AttributedStatement => {
                named_children(statement).last().into_iter().collect()
            }
            _ => statement.field(Field::Body).into_iter().collect(),
        };
        for node in inner {
            match node.kind() {
                Kind::ElseClause => self.descend(node, level, findings),
                _ => self.block(node, level, findings),
            }
        }
    }
}

/// Whether a statement stands in one of the ranges, which are in order and disjoint, or around it.
fn overlaps(ranges: &[Range<usize>], node: Node<'_>) -> bool {
    let next = ranges.partition_point(|range| range.end <= node.start_byte());
    ranges.get(next).is_some_and(|range| node.end_byte() > range.start)
}

/// Whether a refusal is about a statement.
fn is_about(diagnostics: &[Diagnostic], statement: Node<'_>) -> bool {
    let range = statement.byte_range();
    diagnostics.iter().any(|d| d.byte.is_some_and(|byte| range.contains(&byte)))
}

/// The outermost loops of a statement that is part of a region.
fn accept_loops<'t>(statement: Node<'t>, level: Level<'t>, findings: &mut Findings<'t>) {
    visit(statement, |node, _| {
        if is_loop(node) {
            findings.add_loop(node, level.function, level.loops, None);
        }
        !is_loop(node)
    });
}

fn has_loop(node: Node<'_>) -> bool {
    let mut found = false;
    visit(node, |inner, _| {
        found |= is_loop(inner);
        !found
    });
    found
}
