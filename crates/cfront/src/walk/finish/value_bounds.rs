//! What `#pragma value_bounds NAME LEAST GREATEST` says about the variables of a region.
//!
//! In a function it is about a variable of that function, outside of functions about those of that name in
//! all regions. What cannot be used is told.
use crate::facts::loop_pragmas::pragma_words;
use crate::syntax::kind::Kind;
use crate::syntax::queries::named_children;
use crate::walk::extractor::Extractor;
use loopwright_scop::{ArrayId, ValueBounds};

/// What is wrong with a pragma whose words are others.
const FORM: &str = "it is written `#pragma value_bounds NAME LEAST GREATEST`, with two decimal \
                    numbers of which the first is not the larger one";

impl Extractor<'_, '_> {
    /// The bounds that the program states of the region's arrays, if conditions on data are kept apart.
    pub(crate) fn value_bounds(&mut self, arrays: &[u32]) -> Vec<ValueBounds> {
        if !self.facts.has_filters {
            return Vec::new();
        }
        let clean = self.facts.clean;
        let mut found = Vec::new();
        for line in self.lines_in_sight() {
            let Some(words) = pragma_words(clean.line_text(line)) else { continue };
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let ["value_bounds", ref said @ ..] = words[..] else { continue };
            match self.stated_bounds(said, arrays) {
                Ok(bounds) => found.extend(bounds),
                Err(why) => {
                    let text = clean.line_text(line).trim();
                    let own = clean.origins.get(line).map_or(0, |origin| origin.line);
                    self.out.remark(format!("`{text}` in line {own} has no effect: {why}"));
                }
            }
        }
        found
    }

    fn stated_bounds(&self, said: &[&str], arrays: &[u32]) -> Result<Vec<ValueBounds>, String> {
        let [name, least, greatest] = *said else { return Err(FORM.into()) };
        let number = |word: &str| word.parse::<i64>().map_err(|_| String::from(FORM));
        let (least, greatest) = (number(least)?, number(greatest)?);
        if least > greatest {
            return Err(FORM.into());
        }
        let is_named = |(_, variable): &(usize, &u32)| self.variable(**variable).name == name;
        let named = arrays.iter().enumerate().filter(is_named);
        let bounds: Vec<ValueBounds> = named
            .map(|(index, _)| ValueBounds { array: ArrayId(index as u32), least, greatest })
            .collect();
        match bounds.is_empty() {
            true => Err(format!("`{name}` is no variable that the region reads or writes")),
            false => Ok(bounds),
        }
    }

    /// The lines of the region's function and those outside of functions.
    fn lines_in_sight(&self) -> Vec<usize> {
        let clean = self.facts.clean;
        let root = self.facts.root;
        let around = std::iter::successors(Some(root), |node| node.parent());
        let (mut own, mut file) = (None, root);
        for node in around {
            if node.kind() == Kind::FunctionDefinition {
                own = Some(node);
            }
            file = node;
        }
        let is_other = |node: &crate::syntax::tree::Node<'_>| {
            node.kind() == Kind::FunctionDefinition && Some(*node) != own
        };
        let others: Vec<std::ops::Range<usize>> = named_children(file)
            .filter(is_other)
            .map(|node| clean.line_of(node.start_byte())..clean.line_of(node.end_byte()) + 1)
            .collect();
        let lines = 0..clean.starts.len();
        lines.filter(|line| !others.iter().any(|other| other.contains(line))).collect()
    }
}
