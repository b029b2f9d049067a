//! Finds the regions of a file and extracts them one by one.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::facts::control::is_loop;
use crate::facts::file_index::FileIndex;
use crate::facts::function_names::function_name;
use crate::facts::function_options::changing_flag;
use crate::facts::liveness::Surroundings;
use crate::facts::region_scopes::Entrances;
use crate::facts::scope::Scopes;
use crate::parallel_map::{both, side_by_side};
use crate::regions::control_tree::{ControlTree, control_tree};
use crate::regions::parsed::{Parsed, parse_file};
use crate::regions::pragmas::{Pragmas, bytes_between, find_pragmas, pragma};
use crate::regions::program_words::program_words;
use crate::regions::region::{OuterIterator, PlaceInFile, RefusedRegion, Region};
use crate::regions::region_directives::{RegionDirectives, refuse_linker_names, region_directives};
use crate::regions::source::SourceFile;
use crate::syntax::kind::Kind;
use crate::syntax::queries::text;
use crate::syntax::tree::Node;
use crate::text::compiler_run::compiler_words;
use crate::text::located::{diagnostic_at, diagnostic_of_line};
use crate::text::preprocess::CleanText;
use crate::walk::extractor::Extractor;
use crate::walk::finish::region_end::Context;
use crate::walk::finish::region_result::Finished;
use crate::walk::region_facts::{Lessons, RegionFacts, RegionText};
use loopwright_scop::{ProgramWords, StatementId};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A region between pragmas, or why it is refused.
pub(crate) type Given = Result<Region, RefusedRegion>;

/// Extracts the regions of a file one by one.
pub(crate) fn extract(file: &SourceFile) -> Result<Vec<Given>, Vec<Diagnostic>> {
    let clean = &file.clean;
    let pairs = find_pragmas(clean)?;
    if pairs.is_empty() {
        let message = format!("{} has no region", file.path().display());
        let reason = match included_region(clean) {
            Some(path) => format!("its regions stand in included files, as {}", path.display()),
            None => "no line of it is `#pragma scop`".to_string(),
        };
        return Err(vec![
            Diagnostic::new(Code::NoRegion, message)
                .because(reason)
                .hint(format!("{}, or pass --autodetect", Code::NoRegion.advice())),
        ]);
    }
    let (used_names, parsed) = names_and_tree(file);
    let entrances = Entrances::of_file(&parsed.source, parsed.tree.root_node());
    Ok(all_regions(file, &parsed, &entrances, &pairs, &used_names))
}

/// An included file that has a region.
fn included_region(clean: &CleanText) -> Option<&Path> {
    let line = (0..clean.starts.len()).find(|line| pragma(clean.line_text(*line)).is_some())?;
    clean.files.get(clean.origins.get(line)?.file as usize).map(PathBuf::as_path)
}

/// The names that a file uses, and its syntax tree.
pub(crate) fn names_and_tree(file: &SourceFile) -> (Arc<BTreeSet<String>>, Parsed) {
    let clean = &file.clean;
    let names = || Arc::new(used_names(&file.original, &clean.text));
    both(clean.text.len(), names, || parse_file(clean))
}

/// The regions between pairs of pragmas.
pub(crate) fn all_regions<'t>(
    file: &SourceFile,
    parsed: &'t Parsed,
    entrances: &Entrances<'t>,
    pairs: &[Pragmas],
    used_names: &Arc<BTreeSet<String>>,
) -> Vec<Given> {
    let bytes = bytes_between(&file.clean, pairs).iter().map(Range::len).sum();
    side_by_side(pairs, bytes, |pair| {
        let found = region(file, parsed, entrances, *pair, used_names);
        found.map_err(|diagnostics| RefusedRegion {
            first_line: file.clean.origins[pair.scop].line,
            last_line: file.clean.origins[pair.endscop].line,
            diagnostics,
        })
    })
}

/// Consecutive statements of a function that are to become a region.
pub(crate) struct Run<'t> {
    pub(crate) function: Node<'t>,
    /// What the statements stand in.
    pub(crate) container: Node<'t>,
    pub(crate) statements: Vec<Node<'t>>,
    /// The bytes of the text that belong to the region.
    pub(crate) bytes: Range<usize>,
    /// Whether the program does not ask for it by pragmas.
    pub(crate) is_detected: bool,
}

/// What a run says.
pub(crate) struct Extracted {
    pub(crate) finished: Finished,
    pub(crate) in_any_order: Vec<(StatementId, String)>,
    pub(crate) outer_iterators: Vec<OuterIterator>,
    pub(crate) loops_around: usize,
    pub(crate) control: Option<ControlTree>,
    pub(crate) words: ProgramWords,
}

/// The polyhedral form of a run, or all refusals.
///
/// `used_names` has the names of all texts.
pub(crate) fn extract_run<'t>(
    file: &SourceFile,
    parsed: &'t Parsed,
    entrances: &Entrances<'t>,
    run: &Run<'t>,
    used_names: &BTreeSet<String>,
) -> Result<Extracted, Vec<Diagnostic>> {
    let source = &parsed.source;
    let functions = entrances.file().index.definitions(source, run.function);
    let directives = match file.options.directives_decide {
        true => region_directives(&file.clean, parsed, functions, run),
        false => RegionDirectives::default(),
    };
    if !directives.refused.is_empty() {
        return Err(directives.refused);
    }
    if let Some(refused) = refuse_linker_names(&file.clean, parsed, functions, run) {
        return Err(vec![refused]);
    }
    let scopes = entrances.at(run.function, run.container, run.bytes.start);
    let index = scopes.index.clone();
    if let Some(obstacle) = options_of_functions(file, parsed, &index, run) {
        return Err(vec![obstacle]);
    }
    let names = index.names_of(source, run.function);
    let surroundings = Surroundings::new(source, run.function, names.clone(), run.bytes.clone());
    let extractor = walked(file, source, scopes, run, used_names, &surroundings);
    let outer_iterators = extractor
        .out
        .iterator_variables
        .iter()
        .map(|v| extractor.variable(*v))
        .filter(|v| !v.in_region())
        .map(|v| OuterIterator { name: v.name.clone(), c_type: v.declared.scalar.spelling.clone() })
        .collect();
    let context = Context {
        surroundings: &surroundings,
        changed_names: &names.changed,
        used_names,
        function: run.function,
        assume_no_alias: file.options.assume_no_alias,
    };
    let words = program_words(source, &extractor.scopes, run.function, &run.statements);
    let mut finished = extractor.finish(&context)?;
    finished.remarks.splice(0..0, directives.remarks.iter().cloned());
    finished.scop.assumptions.extend(directives.assumptions.iter().cloned());
    let in_any_order = directives.in_any_order(&finished.places);
    if finished.scop.computes_with_floats() {
        let calls = || called_functions(source, &index, run).next().is_some();
        let obstacle = parsed.thread_state.obstacle(&file.clean, &run.bytes, calls);
        obstacle.map_or(Ok(()), |obstacle| Err(vec![obstacle]))?;
    }
    let loops_around = loops_around(run.container);
    let control = file.options.filters.then(|| control_tree(source, &run.statements));
    Ok(Extracted { finished, in_any_order, outer_iterators, loops_around, control, words })
}

/// What is said about options of the function around a run and of those that it calls.
fn options_of_functions(
    file: &SourceFile,
    parsed: &Parsed,
    index: &FileIndex<'_>,
    run: &Run<'_>,
) -> Option<Diagnostic> {
    if let Some(flag) = changing_flag(&compiler_words(&file.options.cc)) {
        return Some(flag);
    }
    if parsed.options.is_empty() {
        return None;
    }
    let own = (function_name(&parsed.source, run.function), run.function.start_byte());
    let called = called_functions(&parsed.source, index, run);
    let mut all = std::iter::once(own).chain(called);
    all.find_map(|(name, start)| parsed.options.obstacle(&file.clean, &name, start))
}

/// The functions of the file that a run mentions, with their starts.
fn called_functions<'a>(
    source: &'a str,
    index: &'a FileIndex<'_>,
    run: &'a Run<'_>,
) -> impl Iterator<Item = (String, usize)> + 'a {
    let names = run.statements.iter().flat_map(|statement| statement.of_kind(Kind::Identifier));
    names.filter_map(|node| {
        let name = text(source, node);
        index.function_names.get(name).map(|start| (name.to_string(), *start))
    })
}

/// How many loops a node is in.
fn loops_around(node: Node<'_>) -> usize {
    let around = std::iter::successors(Some(node), |node| node.parent());
    around.filter(|node| is_loop(node.kind())).count()
}

/// The walk over a run. What it takes to be constant and then finds written it does not take to be constant
/// the next time, and pointers that it loses may lead anywhere then.
fn walked<'s, 't>(
    file: &'s SourceFile,
    source: &'s str,
    scopes: Scopes<'t>,
    run: &Run<'t>,
    used_names: &'s BTreeSet<String>,
    surroundings: &Surroundings<'_, 't>,
) -> Extractor<'s, 't> {
    let mut lessons = Lessons::default();
    let mut first = None;
    loop {
        let text = RegionText {
            source,
            clean: &file.clean,
            function: run.function,
            container: run.container,
            statements: &run.statements,
            bytes: &run.bytes,
            is_detected: run.is_detected,
            used_names,
            known: &file.known,
            has_filters: file.options.filters,
            folds_floors: file.options.folds_floors,
            follows_values: file.options.follows_values,
        };
        let start = RegionFacts::start(&text, &scopes, surroundings, lessons.clone());
        let mut extractor = Extractor::new(start, scopes.clone());
        extractor.start_data_dependent_pointers();
        extractor.region(&run.statements);
        let written = extractor.written_constants();
        let mut lost = extractor.lost_pointers(&run.statements);
        lost.retain(|name, _| !lessons.data_dependent.contains_key(name));
        if written.is_empty() && lost.is_empty() {
            // What the region was refused for with pointers that are known is easier to understand.
            return first.filter(|_| !extractor.out.diagnostics().is_empty()).unwrap_or(extractor);
        }
        if !lost.is_empty() {
            first.get_or_insert(extractor);
        }
        lessons.written_in_line.extend(written);
        lessons.data_dependent.extend(lost);
    }
}

/// The region between two pragmas.
fn region<'t>(
    file: &SourceFile,
    parsed: &'t Parsed,
    entrances: &Entrances<'t>,
    pragmas: Pragmas,
    used_names: &Arc<BTreeSet<String>>,
) -> Result<Region, Vec<Diagnostic>> {
    let clean = &file.clean;
    let place = locate(file, pragmas)?;
    let bytes = clean.starts[pragmas.scop]..clean.starts[pragmas.endscop];
    let (container, function, statements) =
        statements(clean, parsed, &bytes).map_err(|d| vec![*d])?;
    let run = Run { function, container, statements, bytes, is_detected: false };
    let extracted = extract_run(file, parsed, entrances, &run, used_names)?;
    let before_function = before_function(file, function);
    let function = function_name(&parsed.source, function);
    let mut region = assembled(place, function, extracted, used_names.clone());
    region.before_function = before_function;
    if let Some(fragments) = &file.fragments {
        fragments.adapt(&mut region);
    }
    Ok(region)
}

/// The start of the line of the original file in which a function begins; none if the function is not the
/// first thing there, or a directive in front of it is about it.
pub(crate) fn before_function(file: &SourceFile, function: Node<'_>) -> Option<usize> {
    let clean = &file.clean;
    let start = function.start_byte();
    let origin = clean.origins.get(clean.line_of(start)).filter(|origin| origin.file == 0)?;
    let line = (origin.line as usize).checked_sub(1)?;
    let bytes = file.layout().bytes(line..line + 1);
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || !c.is_ascii();
    let word = |text: &str| text.chars().take_while(|c| is_word(*c)).collect::<String>();
    let own = word(clean.text.get(start..)?);
    let is_first = !own.is_empty() && word(file.original.get(bytes.clone())?.trim_start()) == own;
    let before = clean.line_of(start).checked_sub(1).map(|line| clean.line_text(line));
    let is_directed = before.is_some_and(|line| line.trim_start().starts_with('#'));
    (is_first && !is_directed).then_some(bytes.start)
}

/// A region from its parts; where definitions for its function may stand is not among them.
pub(crate) fn assembled(
    place: PlaceInFile,
    function: String,
    extracted: Extracted,
    used_names: Arc<BTreeSet<String>>,
) -> Region {
    Region {
        bytes: place.bytes,
        statement_bytes: place.statement_bytes,
        first_line: place.first_line,
        last_line: place.last_line,
        indentation: place.indentation,
        in_block: place.in_block,
        function,
        before_function: None,
        scop: extracted.finished.scop,
        updates: extracted.finished.updates,
        independent: extracted.finished.independent,
        in_any_order: extracted.in_any_order,
        conditions: extracted.finished.conditions,
        known_values: extracted.finished.known_values,
        used_after: extracted.finished.used_after,
        outer_iterators: extracted.outer_iterators,
        loops_around: extracted.loops_around,
        used_names,
        remarks: extracted.finished.remarks,
        filters: extracted.finished.filters,
        places: extracted.finished.places,
        value_bounds: extracted.finished.value_bounds,
        control: extracted.control,
        words: extracted.words,
        shapes: extracted.finished.shapes,
        finer: None,
    }
}

fn locate(file: &SourceFile, pragmas: Pragmas) -> Result<PlaceInFile, Vec<Diagnostic>> {
    let clean = &file.clean;
    let refuse = |message: String| {
        let refusal = diagnostic_of_line(clean, Code::Unbalanced, pragmas.scop, message);
        vec![
            refusal.because("the lines between the pragmas are replaced in the file that is given"),
        ]
    };
    let (first, last) = (clean.origins[pragmas.scop], clean.origins[pragmas.endscop]);
    let text = |lines: Range<usize>| file.original.get(file.layout().bytes(lines)).unwrap_or("");
    let is = |line: u32, word: &str| {
        let index = (line as usize).checked_sub(1);
        index.is_some_and(|index| pragma(text(index..index + 1)) == Some(word))
    };
    if !is(first.line, "scop") || !is(last.line, "endscop") || first.line >= last.line {
        return Err(refuse("the pragmas do not stand on lines of their own in the file".into()));
    }
    let (first_line, last_line) = (first.line, last.line);
    let (before, behind) = (first_line as usize - 1, last_line as usize);
    let mut inner = text(before + 1..behind - 1).lines();
    let sample = inner
        .find(|l| !l.trim().is_empty() && !l.starts_with('#'))
        .unwrap_or_else(|| text(before..behind));
    let indentation = sample.chars().take_while(|c| matches!(c, ' ' | '\t')).collect();
    let bytes = file.layout().bytes(before..behind);
    let statement_bytes = file.layout().bytes(before + 1..behind - 1);
    Ok(PlaceInFile { bytes, statement_bytes, first_line, last_line, indentation, in_block: true })
}

/// The block and the function around a region, and its statements.
type Found<'t> = (Node<'t>, Node<'t>, Vec<Node<'t>>);

fn statements<'t>(
    clean: &CleanText,
    parsed: &'t Parsed,
    bytes: &Range<usize>,
) -> Result<Found<'t>, Box<Diagnostic>> {
    let root = parsed.tree.root_node();
    let mut container = Some(root.descendant_for_byte_range(bytes));
    while let Some(node) = container {
        if node.kind() == Kind::CompoundStatement {
            break;
        }
        container = node.parent();
    }
    let mut function = container;
    while let Some(node) = function {
        if node.kind() == Kind::FunctionDefinition {
            break;
        }
        function = node.parent();
    }
    let (Some(container), Some(function)) = (container, function) else {
        let line = clean.line_of(bytes.start);
        let message = "the region is not inside the body of a function";
        let reason =
            "text around it is not understood as C, or the pragmas stand between functions";
        let refusal = diagnostic_of_line(clean, Code::Syntax, line, message).because(reason);
        return Err(Box::new(refusal.hint("put both pragmas into the body of one function")));
    };
    let mut nodes = Vec::new();
    for child in container.named_children_in(bytes.clone()) {
        let outside = child.end_byte() <= bytes.start || child.start_byte() >= bytes.end;
        let inside = child.start_byte() >= bytes.start && child.end_byte() <= bytes.end;
        if inside {
            nodes.push(child);
        } else if !outside {
            let message = "the pragmas cut this statement in two";
            let first = child.start_byte()..child.end_byte();
            let length = clean.text.get(first).and_then(|text| text.lines().next());
            let mut refusal = diagnostic_at(clean, Code::Unbalanced, child.start_byte(), message)
                .because("one of them stands inside of it, the other one outside");
            refusal.length = length.map_or(1, |line| line.chars().count() as u32);
            return Err(Box::new(refusal));
        }
    }
    Ok((container, function, nodes))
}

/// Which bytes are parts of names.
const IN_NAMES: [bool; 256] = {
    let mut table = [true; 256];
    let mut byte = 0u8;
    while byte.is_ascii() {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
        byte += 1;
    }
    table
};

/// Every identifier of the texts.
fn used_names(original: &str, preprocessed: &str) -> BTreeSet<String> {
    let mut names: FxHashSet<&str> = FxHashSet::default();
    for text in [original, preprocessed] {
        // All parts of a character beyond ASCII belong to a name.
        let bytes = text.as_bytes();
        let mut start = 0;
        for end in 0..=bytes.len() {
            if bytes.get(end).is_some_and(|byte| IN_NAMES[usize::from(*byte)]) {
                continue;
            }
            if start < end && !bytes[start].is_ascii_digit() {
                names.extend(text.get(start..end));
            }
            start = end + 1;
        }
    }
    names.into_iter().map(str::to_string).collect()
}
