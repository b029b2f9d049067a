//! What the search for regions has found, put into the order of the file.
use crate::diagnostics::diagnostic::{Code, Diagnostic};
use crate::text::preprocess::CleanText;

use crate::facts::function_names::function_name;
use crate::regions::detection::{Detection, Nest, Outcome};
use crate::regions::extraction::{Extracted, Given, Run, assembled, before_function};
use crate::regions::parsed::Parsed;
use crate::regions::region::Region;
use crate::regions::replaceable_lines::{Lines, place, replaceable};
use crate::regions::source::SourceFile;
use crate::syntax::kind::Kind;
use crate::syntax::queries::visit;
use crate::syntax::tree::Node;
use crate::text::located::diagnostic_at;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// The file in which was searched.
pub(crate) struct Ground<'s, 't> {
    pub(crate) file: &'s SourceFile,
    pub(crate) parsed: &'t Parsed,
    pub(crate) used_names: &'s Arc<BTreeSet<String>>,
}

/// What a search has found.
#[derive(Default)]
pub(crate) struct Findings<'t> {
    pub(crate) candidates: Vec<Candidate<'t>>,
    loops: Vec<FoundLoop<'t>>,
}

/// A run that was extracted.
pub(crate) struct Candidate<'t> {
    pub(crate) run: Run<'t>,
    pub(crate) lines: Lines,
    pub(crate) extracted: Extracted,
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
pub(crate) type GivenBytes = (Range<usize>, Given);

impl<'t> Findings<'t> {
    /// Adds what was found elsewhere in the file.
    pub(crate) fn add(&mut self, other: Findings<'t>) {
        self.candidates.extend(other.candidates);
        self.loops.extend(other.loops);
    }

    /// Adds a loop with the number of refused loops around it; `refused` is none if it is part of a region.
    pub(crate) fn add_loop(
        &mut self,
        node: Node<'t>,
        function: Node<'t>,
        depth: usize,
        refused: Option<Vec<Diagnostic>>,
    ) {
        self.loops.push(FoundLoop { node, function, depth, refused });
    }

    /// All regions and loops of the file, in order; `given` are the regions between pragmas.
    pub(crate) fn detection(
        mut self,
        ground: &Ground<'_, 't>,
        given: Vec<GivenBytes>,
    ) -> Detection {
        self.candidates.sort_by_key(|candidate| candidate.run.bytes.start);
        self.loops.sort_by_key(|found| found.node.start_byte());
        self.drop_misplaced(ground.file);
        let mut regions: Vec<(Range<usize>, Region)> = Vec::new();
        let mut refused = Vec::new();
        for (bytes, region) in given {
            let why = region.as_ref().err().map(|refused| &*refused.diagnostics);
            self.claimed_loops(ground, &bytes, why);
            match region {
                Ok(region) => regions.push((bytes, region)),
                Err(why) => refused.push(why),
            }
        }
        for candidate in std::mem::take(&mut self.candidates) {
            let in_block = candidate.run.container.kind() == Kind::CompoundStatement;
            let place = place(ground.file, &candidate.lines, in_block);
            let name = function_name(&ground.parsed.source, candidate.run.function);
            let used_names = ground.used_names.clone();
            let before_function = before_function(ground.file, candidate.run.function);
            let region = assembled(place, name, candidate.extracted, used_names);
            let region = Region { before_function, ..region };
            regions.push((candidate.run.bytes, region));
        }
        regions.sort_by_key(|(bytes, _)| bytes.start);
        self.loops.sort_by_key(|found| found.node.start_byte());
        let spans: Vec<Range<usize>> = regions.iter().map(|(bytes, _)| bytes.clone()).collect();
        let nests = self.loops.iter().map(|found| found.nest(ground, &spans)).collect();
        let regions = regions.into_iter().map(|(_, region)| region).collect();
        Detection { regions, nests, refused, included: Vec::new() }
    }

    /// Gives up the candidates whose lines cannot be replaced.
    fn drop_misplaced(&mut self, file: &SourceFile) {
        let lines: Vec<Lines> = self.candidates.iter().map(|c| c.lines.clone()).collect();
        let mut kept = replaceable(file, &lines).into_iter();
        let dropped: Vec<Candidate<'t>> =
            self.candidates.extract_if(.., |_| !kept.next().unwrap_or(false)).collect();
        for candidate in dropped {
            let bytes = candidate.run.bytes;
            let message = "these lines cannot be replaced without changing something else";
            let why = diagnostic_at(&file.clean, Code::Placement, bytes.start, message)
                .because("a macro, a comment or a conditional line goes over their ends");
            let first = self.loops.partition_point(|found| found.node.start_byte() < bytes.start);
            let loops = self.loops[first..].iter_mut();
            for found in loops.take_while(|found| found.node.start_byte() < bytes.end) {
                found.refused.get_or_insert_with(|| vec![why.clone()]);
            }
        }
    }

    /// The outermost loops between pragmas.
    fn claimed_loops(
        &mut self,
        ground: &Ground<'_, 't>,
        bytes: &Range<usize>,
        why: Option<&[Diagnostic]>,
    ) {
        let around = ground.parsed.tree.root_node().descendant_for_byte_range(bytes);
        let function = std::iter::successors(Some(around), |node| node.parent())
            .find(|node| node.kind() == Kind::FunctionDefinition);
        let Some(function) = function.filter(|f| is_own(&ground.file.clean, *f)) else { return };
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
            self.add_loop(node, function, 0, why.map(<[Diagnostic]>::to_vec));
        }
    }
}

impl<'t> FoundLoop<'t> {
    /// What became of it, given the bytes of all regions in order.
    fn nest(&self, ground: &Ground<'_, 't>, regions: &[Range<usize>]) -> Nest {
        let clean = &ground.file.clean;
        let line = |byte: usize| clean.origins.get(clean.line_of(byte)).map_or(0, |o| o.line);
        let start = self.node.start_byte();
        let position = regions.partition_point(|bytes| bytes.end <= start);
        let position =
            Some(position).filter(|p| regions.get(*p).is_some_and(|b| b.contains(&start)));
        let outcome = match (&self.refused, position) {
            (None, Some(position)) => Outcome::Region(position),
            (refused, _) => Outcome::Refused(refused.clone().unwrap_or_default()),
        };
        Nest {
            function: function_name(&ground.parsed.source, self.function),
            first_line: line(self.node.start_byte()),
            last_line: line(self.node.end_byte().saturating_sub(1)),
            depth: self.depth,
            outcome,
        }
    }
}

/// Whether a statement is a loop.
pub(crate) fn is_loop(node: Node<'_>) -> bool {
    matches!(node.kind(), Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement)
}

/// Whether a node stands in the file itself.
pub(crate) fn is_own(clean: &CleanText, node: Node<'_>) -> bool {
    let origin = clean.origins.get(clean.line_of(node.start_byte()));
    origin.is_some_and(|origin| origin.file == 0)
}
