//! A file around one of its regions.
use super::items::{Item, items};
use super::pragmas::{Setting, settings};
use super::tokens::{Token, place, tokens_of};
use crate::diagnostics::failure::Failure;
use crate::report::equivalence::directive::changes_nothing;
use crate::report::equivalence::regions::FoundRegion;
use loopwright_cfront::directives::{Directive, Family, read};
use std::collections::BTreeSet;
use std::ops::Range;

/// A file around one of its regions.
pub(super) struct File {
    pub(super) tokens: Vec<Token>,
    pub(super) items: Vec<Item>,
    /// The item of the function around the region.
    pub(super) function: Item,
    /// The tokens between the pragmas of the region.
    pub(super) region: Range<usize>,
    /// The tokens of declarations that do not matter.
    left_out: Vec<Range<usize>>,
    /// The directives that say something about what is behind them, in order.
    pub(super) settings: Vec<Setting>,
}

impl File {
    /// The file around a region.
    ///
    /// # Errors
    /// If the text cannot be preprocessed, or the region is not found in it.
    pub(super) fn around(region: &FoundRegion) -> Result<Self, Failure> {
        let tokens = tokens_of(&region.text)?;
        let items = items(&tokens);
        let of_function =
            |item: &&Item| item.body.is_some() && item.names.contains(&region.function);
        let found = items.iter().filter(of_function).find_map(|item| {
            let begins = |at: &usize| {
                let token = &tokens[*at];
                token.pragma() == Some("scop") && token.line == region.lines.0
            };
            let begin = item.range.clone().find(begins)?;
            let ends = |at: &usize| tokens[*at].pragma() == Some("endscop");
            Some((item.clone(), begin + 1..(begin..item.range.end).find(ends)?))
        });
        match found {
            Some((function, region)) => {
                let settings = settings(&tokens, &items);
                Ok(File { tokens, items, function, region, settings, left_out: Vec::new() })
            }
            None => {
                let (name, line) = (&region.function, region.lines.0);
                let message = format!("the text around line {line} of `{name}` is not understood");
                Err(Failure::refused(message))
            }
        }
    }

    /// Refuses directives of the region that a macro or an included file holds: the others are looked at
    /// where they stand.
    ///
    /// # Errors
    /// In words, with the line.
    pub(super) fn refuse_hidden_directives(&self, region: &FoundRegion) -> Result<(), String> {
        let text = &region.text;
        let is_inside = |own: &&Directive| {
            let line = text.line_of_file(own.line);
            (region.lines.0..=region.lines.1).contains(&line) && own.family != Family::Own
        };
        let written = read(&text.as_written);
        let mut written: Vec<&str> =
            written.iter().filter(is_inside).map(|own| &*own.text).collect();
        for token in &self.tokens[self.region.clone()] {
            let Some(words) = token.pragma() else { continue };
            let is_idle = read(&format!("#pragma {words}\n")).iter().all(changes_nothing);
            match written.iter().position(|own| *own == words) {
                _ if is_idle => {}
                Some(at) => drop(written.remove(at)),
                None => {
                    let place = place(token.line);
                    return Err(format!("{place}: `#pragma {words}` does not stand there itself"));
                }
            }
        }
        Ok(())
    }

    /// The tokens of the body in front of the region, and those behind it, both without other regions.
    pub(super) fn outside(&self) -> [Vec<&Token>; 2] {
        let body = self.function.body.map_or(self.function.range.start, |body| body + 1);
        let end = self.function.range.end.saturating_sub(1);
        let without_regions = |range: Range<usize>| {
            let mut is_inside = false;
            let mut kept = Vec::new();
            for token in &self.tokens[range] {
                match token.pragma() {
                    Some("scop") => is_inside = true,
                    Some("endscop") => is_inside = false,
                    _ if !is_inside => kept.push(token),
                    _ => {}
                }
            }
            kept
        };
        [without_regions(body..self.region.start - 1), without_regions(self.region.end + 1..end)]
    }

    /// Leaves declarations out of its words.
    pub(super) fn leave_out(&mut self, declarations: Vec<Range<usize>>) {
        self.left_out = declarations;
    }

    /// The words of the function as far as the end of the region.
    pub(super) fn words(&self) -> BTreeSet<&str> {
        let is_kept = |at: &usize| !self.left_out.iter().any(|own| own.contains(at));
        let range = (self.function.range.start..self.region.end).filter(is_kept);
        let words = range.map(|at| &self.tokens[at]).filter(|token| token.is_word());
        words.map(|token| &*token.text).collect()
    }

    /// The functions that the file has a body of.
    pub(super) fn defined(&self) -> impl Iterator<Item = String> {
        let functions = self.items.iter().filter(|item| item.body.is_some());
        functions.flat_map(|item| item.names.clone())
    }

    /// The items that introduce a name.
    pub(super) fn items_of<'f>(&'f self, name: &str) -> impl Iterator<Item = &'f Item> {
        self.items.iter().filter(move |item| item.names.iter().any(|own| own == name))
    }
}
