//! Finds the regions of a file where there are no pragmas, also with the bodies of functions in place of
//! their calls.
//!
//! The file is searched as it is, and with bodies in place of calls in loops (`inlining/expansion.rs`). For
//! each function in which calls were replaced it is decided which of both is better: bodies are, if all loops
//! of its own text that were part of regions still are, and more of them are, or fewer regions have them, or
//! loops of bodies have become loops of the model. Calls that are then not in a region with a loop around
//! them stay.
use crate::diagnostics::diagnostic::Diagnostic;
use crate::facts::function_names::function_name;
use crate::facts::region_scopes::Entrances;
use crate::inlining::expansion::{FileText, Inlined, inlined};
use crate::regions::autodetect::Searched;
use crate::regions::detection::{Detection, Nest, Outcome};
use crate::regions::extraction::names_and_tree;
use crate::regions::pragmas::{bytes_between, find_pragmas};
use crate::regions::region::Region;
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
    let options = &parsed.options;
    let text =
        FileText { clean: &file.clean, source, root, functions, options, used_names: &used_names };
    let claimed = bytes_between(&file.clean, &pairs);
    let is_free = |node: Node<'_>| !claimed.iter().any(|bytes| overlap(bytes, &node.byte_range()));
    let Some(all) = inlined(&text, is_free, &BTreeSet::new()) else { return Ok(found) };
    let (changed, calls) = (all.functions.clone(), all.calls.clone());
    let with_bodies = search(file, all)?;
    let loops = |name: &str| {
        let own = found.nests.iter().filter(|nest| nest.function == *name);
        own.map(|nest| (nest.first_line, nest.last_line)).collect::<BTreeSet<(u32, u32)>>()
    };
    let is_better = |name: &&String| {
        let loops = loops(name);
        is_better(&Covered::of(&with_bodies, name, &loops), &Covered::of(&found, name, &loops))
    };
    let better: BTreeSet<String> = changed.iter().filter(is_better).cloned().collect();
    if better.is_empty() {
        return Ok(found);
    }
    let is_idle = |line: &u32| {
        let mut around = with_bodies.regions.iter().filter(|r| spans(r, (*line, *line)));
        !around.any(|region| loops(&region.function).iter().any(|own| spans(region, *own)))
    };
    let idle: BTreeSet<u32> = calls.iter().map(|(line, _)| *line).filter(is_idle).collect();
    if better == changed && idle.is_empty() {
        return Ok(with_refusals_of(with_bodies, &found));
    }
    let is_chosen = |node: Node<'_>| is_free(node) && better.contains(&function_name(source, node));
    match inlined(&text, is_chosen, &idle) {
        Some(chosen) => Ok(with_refusals_of(search(file, chosen)?, &found)),
        None => Ok(found),
    }
}

/// Whether a region has all of some lines.
fn spans(region: &Region, (first, last): (u32, u32)) -> bool {
    region.first_line <= first && last <= region.last_line
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}

/// What is found in a file with bodies in place of calls.
fn search(file: &SourceFile, inlined: Inlined) -> Result<Detection, Vec<Diagnostic>> {
    let Inlined { clean, calls, .. } = inlined;
    let file = file.with_bodies(clean);
    let pairs = find_pragmas(&file.clean)?;
    let (used_names, parsed) = names_and_tree(&file);
    let entrances = Entrances::of_file(&parsed.source, parsed.tree.root_node());
    let searched =
        Searched { file: &file, parsed: &parsed, entrances: &entrances, used_names: &used_names };
    let mut found = searched.detect(&pairs);
    for region in &mut found.regions {
        let lines = region.first_line..=region.last_line;
        for (line, name) in calls.iter().filter(|(line, _)| lines.contains(line)) {
            let said = format!("line {line} has the body of `{name}` in place of its call");
            region.remarks.push(said);
        }
    }
    Ok(found)
}

/// What regions have of a function.
struct Covered {
    /// The loops of its own text, by their lines.
    loops: BTreeSet<(u32, u32)>,
    n_regions: usize,
    /// The loops around the statement with the most loops.
    depth: usize,
}

impl Covered {
    /// What regions with loops of the function's own have, given the lines of these.
    fn of(detection: &Detection, function: &str, loops: &BTreeSet<(u32, u32)>) -> Self {
        let own = detection.regions.iter().filter(|region| region.function == function);
        let mut covered = Covered { loops: BTreeSet::new(), n_regions: 0, depth: 0 };
        for region in own {
            let inside: Vec<_> = loops.iter().filter(|own| spans(region, **own)).collect();
            if inside.is_empty() {
                continue;
            }
            covered.loops.extend(inside);
            covered.n_regions += 1;
            let depths = region.scop.statements.iter().map(|statement| statement.iterators.len());
            covered.depth = covered.depth.max(depths.max().unwrap_or(0));
        }
        covered
    }
}

fn is_better(new: &Covered, old: &Covered) -> bool {
    new.loops.is_superset(&old.loops)
        && (new.loops.len() > old.loops.len()
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
