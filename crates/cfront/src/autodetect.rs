//! Finds regions where there are no pragmas: in each block of each function the largest runs of
//! consecutive statements with at least one loop that are extracted without a refusal.
//!
//! A run that is refused is divided at the statements that the refusals are about. A single statement
//! that is refused is left alone, and the search goes on in the blocks inside it. What is assumed
//! about a region is the same as between pragmas, because it is extracted in the same way.
use crate::detection::{Detection, Nest, Outcome};
use crate::diagnostic::{Code, Diagnostic};
use crate::extract::diagnostic_at;
use crate::placement::{Lines, lines_of, place, pragma_words, replaceable};
use crate::preprocess::CleanText;
use crate::regions::{
    Extracted, Parsed, Run, assembled, bytes_between, extract_run, find_pragmas, function_name,
    parse_file, region, used_names,
};
use crate::scope::Scopes;
use crate::source::{Region, SourceFile};
use crate::syntax::{named_children, unexpected, visit};
use crate::tree::Node;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Runs of more statements are divided.
const MAX_STATEMENTS: usize = 64;

/// Blocks nested deeper than this are not searched.
const MAX_DEPTH: usize = 100;

/// Finds the regions of a file.
pub(crate) fn detect(file: &SourceFile) -> Result<Detection, Vec<Diagnostic>> {
    let clean = &file.clean;
    let pairs = find_pragmas(clean)?;
    let parsed = parse_file(clean);
    let scopes = Scopes::of_file(&parsed.source, parsed.tree.root_node());
    let used_names = Arc::new(used_names(&file.original, &clean.text));
    let mut search = Search {
        file,
        parsed: &parsed,
        scopes: scopes.clone(),
        used_names: used_names.clone(),
        claimed: bytes_between(clean, &pairs),
        parallel_lines: parallel_lines(&file.original),
        candidates: Vec::new(),
        loops: Vec::new(),
    };
    let mut refused = Vec::new();
    let mut given = Vec::new();
    for (pair, bytes) in pairs.iter().zip(bytes_between(clean, &pairs)) {
        match region(file, &parsed, scopes.clone(), *pair, &used_names) {
            Ok(region) => given.push((bytes, Ok(region))),
            Err(found) => {
                given.push((bytes, Err(found.clone())));
                refused.extend(found);
            }
        }
    }
    for function in functions(clean, &parsed) {
        search.function(function);
    }
    search.drop_misplaced();
    Ok(search.finish(given, refused, &used_names))
}

/// The lines with directives for parallel execution (1-based).
fn parallel_lines(original: &str) -> Vec<u32> {
    let is_parallel = |line: &str| {
        let words = pragma_words(line).unwrap_or_default();
        matches!(words.split(' ').next(), Some("omp" | "acc"))
    };
    let lines = (1..).zip(original.lines());
    lines.filter(|(_, line)| is_parallel(line)).map(|(number, _)| number).collect()
}

/// The functions that the file itself defines.
fn functions<'t>(clean: &CleanText, parsed: &'t Parsed) -> Vec<Node<'t>> {
    let mut found = Vec::new();
    visit(parsed.tree.root_node(), |node, _| {
        let is_function = node.kind() == "function_definition";
        if is_function && is_own(clean, node) {
            found.push(node);
        }
        !is_function
    });
    found
}

/// Whether a node stands in the file itself.
fn is_own(clean: &CleanText, node: Node<'_>) -> bool {
    let origin = clean.origins.get(clean.line_of(node.start_byte()));
    origin.is_some_and(|origin| origin.file == 0)
}

/// A run that was extracted.
struct Candidate<'t> {
    run: Run<'t>,
    lines: Lines,
    extracted: Extracted,
}

/// A loop while the search goes on.
struct FoundLoop<'t> {
    node: Node<'t>,
    function: Node<'t>,
    depth: usize,
    /// None if it is part of a region.
    refused: Option<Vec<Diagnostic>>,
}

/// A region between pragmas, or its refusals, with its bytes.
type Given = (Range<usize>, Result<Region, Vec<Diagnostic>>);

/// A run of the statements of a block.
struct Found<'t> {
    positions: Range<usize>,
    candidate: Candidate<'t>,
}

struct Search<'s, 't> {
    file: &'s SourceFile,
    parsed: &'t Parsed,
    scopes: Scopes<'t>,
    used_names: Arc<BTreeSet<String>>,
    /// The bytes of regions between pragmas.
    claimed: Vec<Range<usize>>,
    /// The lines of the file with directives for parallel execution, those left out by conditions as well.
    parallel_lines: Vec<u32>,
    candidates: Vec<Candidate<'t>>,
    loops: Vec<FoundLoop<'t>>,
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
    fn function(&mut self, function: Node<'t>) {
        let Some(body) = function.child_by_field_name("body") else { return };
        let level = Level { function, blocks: 0, loops: 0 };
        match self.obstacle(function) {
            Some(diagnostic) => self.refuse_loops(body, level, &[diagnostic]),
            None => self.block(body, level),
        }
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
            let message = "this is not understood as C";
            let expected = unexpected(&self.parsed.source, byte, expected);
            return Some(
                diagnostic_at(clean, Code::Syntax, byte, message)
                    .because(format!(
                        "{expected}; the statements of a function are only known if all of it is understood"
                    ))
                    .hint("put pragmas around the loops, away from this place"),
            );
        }
        let [first, last] = [function.start_byte(), function.end_byte()]
            .map(|byte| clean.origins.get(clean.line_of(byte)).map_or(0, |origin| origin.line));
        let line = *self.parallel_lines.iter().find(|line| (first..=last).contains(line))?;
        let in_clean = (clean.line_of(function.start_byte())..clean.origins.len())
            .find(|index| clean.origins[*index].line >= line);
        let byte = in_clean.map_or(function.start_byte(), |index| clean.starts[index]);
        let message = "a function with directives for parallel execution is left alone";
        Some(
            diagnostic_at(clean, Code::UnsupportedStatement, byte, message)
                .because("statements may run more than once, or at the same time as others")
                .hint("remove the directives, or put `#pragma scop` around the loops"),
        )
    }

    /// Marks the outermost loops of a subtree as refused.
    fn refuse_loops(&mut self, node: Node<'t>, level: Level<'t>, why: &[Diagnostic]) {
        visit(node, |inner, _| {
            let is_loop = is_loop(inner) && !overlaps(&self.claimed, inner);
            if is_loop {
                self.add_loop(inner, level, Some(why.to_vec()));
            }
            !is_loop
        });
    }

    fn add_loop(&mut self, node: Node<'t>, level: Level<'t>, refused: Option<Vec<Diagnostic>>) {
        let Level { function, loops: depth, .. } = level;
        self.loops.push(FoundLoop { node, function, depth, refused });
    }

    /// The statements of a block, or a single statement.
    fn block(&mut self, node: Node<'t>, level: Level<'t>) {
        let level = Level { blocks: level.blocks + 1, ..level };
        if level.blocks > MAX_DEPTH {
            let byte = node.start_byte();
            let message = "the nesting is too deep";
            let why = diagnostic_at(&self.file.clean, Code::TooComplex, byte, message).because(
                format!("blocks are understood up to {MAX_DEPTH} levels inside each other"),
            );
            return self.refuse_loops(node, level, &[why]);
        }
        match node.kind() {
            "compound_statement" => self.sequence(node, named_children(node).collect(), level),
            "case_statement" => {
                let value = node.child_by_field_name("value").map(|n| n.id());
                let inner = named_children(node).filter(|n| Some(n.id()) != value).collect();
                self.sequence(node, inner, level);
            }
            _ => {
                if let Some(container) = node.parent() {
                    self.sequence(container, vec![node], level);
                }
            }
        }
    }

    /// Consecutive statements; those between pragmas, or around them, divide them.
    fn sequence(&mut self, container: Node<'t>, statements: Vec<Node<'t>>, level: Level<'t>) {
        let is_claimed: Vec<bool> =
            statements.iter().map(|statement| overlaps(&self.claimed, *statement)).collect();
        let positions: Vec<usize> = (0..statements.len()).collect();
        for part in positions.chunk_by(|a, b| !is_claimed[*a] && !is_claimed[*b]) {
            let (first, end) = (part[0], part[0] + part.len());
            let part = &statements[first..end];
            if is_claimed[first] {
                self.descend(part[0], level);
                continue;
            }
            for chunk in part.chunks(MAX_STATEMENTS) {
                for found in self.runs(container, chunk, level) {
                    for &statement in &found.candidate.run.statements {
                        self.accept_loops(statement, level);
                    }
                    self.candidates.push(found.candidate);
                }
            }
        }
    }

    fn accept_loops(&mut self, statement: Node<'t>, level: Level<'t>) {
        visit(statement, |node, _| {
            if is_loop(node) {
                self.add_loop(node, level, None);
            }
            !is_loop(node)
        });
    }

    /// The largest runs of statements that are regions.
    fn runs(
        &mut self,
        container: Node<'t>,
        statements: &[Node<'t>],
        level: Level<'t>,
    ) -> Vec<Found<'t>> {
        if !statements.iter().any(|statement| has_loop(*statement)) {
            return Vec::new();
        }
        let diagnostics = match self.attempt(container, statements, level) {
            Ok(candidate) => return vec![Found { positions: 0..statements.len(), candidate }],
            Err(diagnostics) => diagnostics,
        };
        if let [statement] = statements {
            self.refused(*statement, level, diagnostics);
            return Vec::new();
        }
        let mut is_bad: Vec<bool> =
            statements.iter().map(|statement| is_about(&diagnostics, *statement)).collect();
        if !is_bad.contains(&true) {
            is_bad.fill(true);
        }
        let positions: Vec<usize> = (0..statements.len()).collect();
        let mut found = Vec::new();
        for group in positions.chunk_by(|a, b| !is_bad[*a] && !is_bad[*b]) {
            let first = group[0];
            let group = &statements[first..first + group.len()];
            for mut run in self.runs(container, group, level) {
                run.positions = run.positions.start + first..run.positions.end + first;
                self.add_run(&mut found, run, (container, statements, level), &is_bad);
            }
        }
        found
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
        let extracted =
            extract_run(self.file, self.parsed, self.scopes.clone(), &run, &self.used_names);
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
    fn refused(&mut self, statement: Node<'t>, level: Level<'t>, why: Vec<Diagnostic>) {
        let mut level = level;
        if is_loop(statement) {
            self.add_loop(statement, level, Some(why));
            level.loops += 1;
        }
        self.descend(statement, level);
    }

    /// Searches the statements inside a statement.
    fn descend(&mut self, statement: Node<'t>, level: Level<'t>) {
        let inner: Vec<Node<'t>> = match statement.kind() {
            "if_statement" => ["consequence", "alternative"]
                .iter()
                .filter_map(|field| statement.child_by_field_name(field))
                .collect(),
            "compound_statement" | "case_statement" => {
                return self.block(statement, level);
            }
            "labeled_statement" | "else_clause" | "attributed_statement" => {
                named_children(statement).last().into_iter().collect()
            }
            _ => statement.child_by_field_name("body").into_iter().collect(),
        };
        for node in inner {
            match node.kind() {
                "else_clause" => self.descend(node, level),
                _ => self.block(node, level),
            }
        }
    }

    /// Gives up the candidates whose lines cannot be replaced.
    fn drop_misplaced(&mut self) {
        self.candidates.sort_by_key(|candidate| candidate.run.bytes.start);
        let lines: Vec<Lines> = self.candidates.iter().map(|c| c.lines.clone()).collect();
        let mut kept = replaceable(self.file, &lines).into_iter();
        let dropped: Vec<Candidate<'t>> =
            self.candidates.extract_if(.., |_| !kept.next().unwrap_or(false)).collect();
        for candidate in dropped {
            let bytes = candidate.run.bytes;
            let message = "these lines cannot be replaced without changing something else";
            let why = diagnostic_at(&self.file.clean, Code::Placement, bytes.start, message)
                .because("a macro, a comment or a conditional line goes over their ends");
            for found in &mut self.loops {
                if bytes.contains(&found.node.start_byte()) && found.refused.is_none() {
                    found.refused = Some(vec![why.clone()]);
                }
            }
        }
    }

    /// Puts everything into the order of the file.
    fn finish(
        mut self,
        given: Vec<Given>,
        refused: Vec<Diagnostic>,
        used_names: &Arc<BTreeSet<String>>,
    ) -> Detection {
        let mut regions: Vec<(Range<usize>, Region)> = Vec::new();
        for (bytes, region) in given {
            let why = region.as_ref().err().cloned();
            self.claimed_loops(&bytes, why.as_deref());
            regions.extend(region.ok().map(|region| (bytes, region)));
        }
        for candidate in std::mem::take(&mut self.candidates) {
            let in_block = candidate.run.container.kind() == "compound_statement";
            let place = place(self.file, &candidate.lines, in_block);
            let name = function_name(&self.parsed.source, candidate.run.function);
            let region = assembled(place, name, candidate.extracted, used_names.clone());
            regions.push((candidate.run.bytes, region));
        }
        regions.sort_by_key(|(bytes, _)| bytes.start);
        self.loops.sort_by_key(|found| found.node.start_byte());
        let spans: Vec<Range<usize>> = regions.iter().map(|(bytes, _)| bytes.clone()).collect();
        let nests = self.loops.iter().map(|found| self.nest(found, &spans)).collect();
        let regions = regions.into_iter().map(|(_, region)| region).collect();
        Detection { regions, nests, refused }
    }

    /// The outermost loops between pragmas.
    fn claimed_loops(&mut self, bytes: &Range<usize>, why: Option<&[Diagnostic]>) {
        let around = self.parsed.tree.root_node().descendant_for_byte_range(bytes);
        let function = std::iter::successors(Some(around), |node| node.parent())
            .find(|node| node.kind() == "function_definition");
        let Some(function) = function.filter(|f| is_own(&self.file.clean, *f)) else { return };
        let mut found = Vec::new();
        for statement in around.named_children_in(bytes.clone()) {
            visit(statement, |node, _| {
                let inside = bytes.contains(&node.start_byte()) && node.end_byte() <= bytes.end;
                if inside && is_loop(node) {
                    found.push(node);
                }
                !(inside && is_loop(node))
            });
        }
        for node in found {
            let level = Level { function, blocks: 0, loops: 0 };
            self.add_loop(node, level, why.map(<[Diagnostic]>::to_vec));
        }
    }

    fn nest(&self, found: &FoundLoop<'t>, regions: &[Range<usize>]) -> Nest {
        let clean = &self.file.clean;
        let line = |byte: usize| clean.origins.get(clean.line_of(byte)).map_or(0, |o| o.line);
        let start = found.node.start_byte();
        let position = regions.partition_point(|bytes| bytes.end <= start);
        let position =
            Some(position).filter(|p| regions.get(*p).is_some_and(|b| b.contains(&start)));
        let outcome = match (&found.refused, position) {
            (None, Some(position)) => Outcome::Region(position),
            (refused, _) => Outcome::Refused(refused.clone().unwrap_or_default()),
        };
        Nest {
            function: function_name(&self.parsed.source, found.function),
            first_line: line(found.node.start_byte()),
            last_line: line(found.node.end_byte().saturating_sub(1)),
            depth: found.depth,
            outcome,
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

fn is_loop(node: Node<'_>) -> bool {
    matches!(node.kind(), "for_statement" | "while_statement" | "do_statement")
}

fn has_loop(node: Node<'_>) -> bool {
    let mut found = false;
    visit(node, |inner, _| {
        found |= is_loop(inner);
        !found
    });
    found
}
