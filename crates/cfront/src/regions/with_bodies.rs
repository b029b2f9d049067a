//! Finds the regions of a file where there are no pragmas, also with the bodies of functions in place of their calls.
//!
//! The file is searched as it is, and with bodies in place of calls in loops (`inlining/expansion.rs`). For each function
//! in which calls were replaced it is decided which of both is better: bodies are, if all lines that were part of
//! regions still are, and more lines are, or fewer regions have them, or loops of bodies have become loops of the model.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::facts::function_names::function_name;
use crate::facts::region_scopes::Entrances;
use crate::inlining::expansion::{FileText, Inlined, inlined};
use crate::regions::autodetect::Searched;
use crate::regions::detection::{Detection, Nest, Outcome};
use crate::regions::extraction::names_and_tree;
use crate::regions::pragmas::{bytes_between, find_pragmas};
use crate::regions::source::SourceFile;
use crate::syntax::tree::Node;
use std::collections::BTreeSet;
use std::ops::Range;

/// Finds the regions of a file.
pub(crate) fn detect(file: &SourceFile) -> Result<Detection, Vec<Diagnostic>> {
    let pairs = find_pragmas(&file.clean)?;
    let (used_names, parsed) = names_and_tree(file);
    let root = parsed.tree.root_node();
    let entrances = Entrances::of_file(&parsed.source, root);
    let searched =
        Searched { file, parsed: &parsed, entrances: &entrances, used_names: &used_names };
    let found = searched.detect(&pairs);
    if file.fragments.is_some() {
        return Ok(found);
    }
    let source = &*parsed.source;
    let functions = entrances.file().index.definitions(source, root);
    let text = FileText { clean: &file.clean, source, root, functions, used_names: &used_names };
    let claimed = bytes_between(&file.clean, &pairs);
    let is_free = |node: Node<'_>| !claimed.iter().any(|bytes| overlap(bytes, &node.byte_range()));
    let Some(all) = inlined(&text, is_free) else { return Ok(found) };
    let changed = all.functions.clone();
    let with_bodies = search(file, all)?;
    let better: BTreeSet<String> = changed
        .iter()
        .filter(|name| is_better(&Covered::of(&with_bodies, name), &Covered::of(&found, name)))
        .cloned()
        .collect();
    if better.is_empty() {
        return Ok(found);
    }
    if better == changed {
        return Ok(with_refusals_of(with_bodies, &found));
    }
    let is_chosen = |node: Node<'_>| is_free(node) && better.contains(&function_name(source, node));
    match inlined(&text, is_chosen) {
        Some(chosen) => Ok(with_refusals_of(search(file, chosen)?, &found)),
        None => Ok(found),
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// What is found in a file with bodies in place of calls.
fn search(file: &SourceFile, inlined: Inlined) -> Result<Detection, Vec<Diagnostic>> {
    let file = file.with_bodies(inlined.clean);
    let pairs = find_pragmas(&file.clean)?;
    let (used_names, parsed) = names_and_tree(&file);
    let entrances = Entrances::of_file(&parsed.source, parsed.tree.root_node());
    let searched =
        Searched { file: &file, parsed: &parsed, entrances: &entrances, used_names: &used_names };
    Ok(searched.detect(&pairs))
}

/// What regions have of a function.
struct Covered {
    lines: BTreeSet<u32>,
    n_regions: usize,
    /// The loops around the statement with the most loops.
    depth: usize,
}

impl Covered {
    fn of(detection: &Detection, function: &str) -> Self {
        let own = detection.regions.iter().filter(|region| region.function == function);
        let mut covered = Covered { lines: BTreeSet::new(), n_regions: 0, depth: 0 };
        for region in own {
            covered.lines.extend(region.first_line..=region.last_line);
            covered.n_regions += 1;
            let depths = region.scop.statements.iter().map(|statement| statement.iterators.len());
            covered.depth = covered.depth.max(depths.max().unwrap_or(0));
        }
        covered
    }
}

fn is_better(new: &Covered, old: &Covered) -> bool {
    new.lines.is_superset(&old.lines)
        && (new.lines.len() > old.lines.len()
            || new.n_regions < old.n_regions
            || new.depth > old.depth)
}

/// The same with the words of the file itself about what is refused in both.
fn with_refusals_of(mut detection: Detection, plain: &Detection) -> Detection {
    let place = |nest: &Nest| (nest.first_line, nest.last_line, nest.depth, nest.function.clone());
    let is_refused = |nest: &&Nest| matches!(nest.outcome, Outcome::Refused(_));
    for nest in &mut detection.nests {
        let same = plain.nests.iter().filter(is_refused).find(|known| place(known) == place(nest));
        if let (Some(same), Outcome::Refused(_)) = (same, &nest.outcome) {
            nest.outcome = same.outcome.clone();
        }
    }
    detection
}
