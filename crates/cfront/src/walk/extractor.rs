//! The walk over a region as a value: facts that never change, the place that it has reached, the values that
//! variables have there, and what it has found.
use crate::facts::scope::Scopes;
use crate::facts::variables::Variable;
use crate::model::conditions::Disjunction;
use crate::syntax::queries::text;
use crate::syntax::tree::Node;
use crate::walk::output::Output;
use crate::walk::region_facts::{RegionFacts, Start};
use crate::walk::values::Values;
use crate::walk::walk_context::WalkContext;
use std::borrow::Cow;
use std::sync::Arc;

/// Messages quote so many characters of an expression.
const QUOTED: usize = 100;

/// A walk over a region.
pub(crate) struct Extractor<'s, 't> {
    /// What is known before the walk.
    pub(crate) facts: Arc<RegionFacts<'s, 't>>,
    /// Where the walk is.
    pub(crate) at: WalkContext<'s, 't>,
    /// What variables hold there.
    pub(crate) values: Values,
    /// The variables that have been seen, and what names mean here.
    pub(crate) scopes: Scopes<'t>,
    /// What the walk has found.
    pub(crate) out: Output<'s>,
}

impl<'s, 't> Extractor<'s, 't> {
    /// A walk that starts with the names of the region's surroundings.
    pub(crate) fn new(start: Start<'s, 't>, scopes: Scopes<'t>) -> Self {
        Extractor {
            facts: Arc::new(start.facts),
            at: WalkContext::start(start.names),
            values: Values::default(),
            scopes,
            out: Output::with_remarks(start.remarks),
        }
    }

    /// Walks over something; after it the walk is at the place where it was.
    pub(crate) fn scoped<R>(&mut self, walk: impl FnOnce(&mut Self) -> R) -> R {
        let outer = self.at.clone();
        let result = walk(self);
        self.at = outer;
        result
    }

    /// The same where a domain is that of the place.
    pub(crate) fn within<R>(
        &mut self,
        domain: Disjunction,
        walk: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.scoped(|this| {
            this.at.domain = domain;
            walk(this)
        })
    }

    /// Whether a statement of the region is being read.
    pub(crate) fn is_in_blocks(&self) -> bool {
        !self.values.blocks.is_empty()
    }

    /// The variable with an index.
    pub(crate) fn variable(&self, index: u32) -> &Variable<'t> {
        &self.scopes.variables[index as usize]
    }

    /// The loop around the current place whose iterator is a variable.
    pub(crate) fn active_loop(&self, variable: u32) -> Option<u32> {
        let is_iterator = |index: &&u32| self.out.loops[**index as usize].variable == variable;
        self.at.nest.iter().rev().find(is_iterator).copied()
    }

    /// Whether the region may assign what a name stands for.
    pub(crate) fn is_changed_name(&self, name: &str) -> bool {
        self.at.names.changed.contains(name) || self.is_changed_by_calls(name)
    }

    /// The source text of a node.
    pub(crate) fn text(&self, node: Node<'_>) -> &'s str {
        text(self.facts.source, node)
    }

    /// The source text of a node on one line.
    pub(crate) fn flat_text(&self, node: Node<'_>) -> Cow<'s, str> {
        let text = self.text(node);
        let is_flat =
            !text.contains("  ") && !text.contains(|c: char| c.is_whitespace() && c != ' ');
        match is_flat && text.trim() == text {
            true => Cow::Borrowed(text),
            false => Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// The source text of a node for a message: on one line, and not longer than people read.
    pub(crate) fn quoted(&self, node: Node<'_>) -> Cow<'s, str> {
        let text = self.flat_text(node);
        match text.char_indices().nth(QUOTED) {
            Some((end, _)) => Cow::Owned(format!("{}..", &text[..end])),
            None => text,
        }
    }

    /// The line in the user's file of a byte of the text.
    pub(crate) fn line_of(&self, byte: usize) -> u32 {
        let clean = self.facts.clean;
        clean.origins.get(clean.line_of(byte)).map_or(0, |origin| origin.line)
    }
}
