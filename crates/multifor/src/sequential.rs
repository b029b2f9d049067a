//! The loops of a multifor statement as plain C, one nest after the other.
use loopwright_cfront::{MultiforItem, MultiforLoop, MultiforSyntax, MultiforText};
use std::ops::RangeInclusive;

/// The text of the nests, and the lines (from 0 on) of each body in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct SequentialText {
    pub(crate) text: String,
    pub(crate) bodies: Vec<(usize, RangeInclusive<usize>)>,
    n_lines: usize,
}

/// All nests, the one with the lowest number first.
pub(crate) fn sequential_text(syntax: &MultiforSyntax) -> SequentialText {
    let mut written = SequentialText::default();
    for nest in 0..syntax.loops.len() {
        written.level(syntax, nest, 0, 0);
    }
    written
}

impl SequentialText {
    fn line(&mut self, depth: usize, text: &str) {
        self.text.push_str(&format!("{:width$}{text}\n", "", width = 2 * depth));
        self.n_lines += text.matches('\n').count() + 1;
    }

    /// The part of a level that belongs to a nest; returns the number of the first body behind it.
    fn level(
        &mut self,
        level: &MultiforSyntax,
        nest: usize,
        first_body: usize,
        depth: usize,
    ) -> usize {
        let each = &level.loops[nest];
        self.line(depth, &format!("{} {{", for_head(each)));
        let mut body = first_body;
        for item in &level.items {
            match item {
                MultiforItem::Statement(statement) => {
                    if statement.nest == nest {
                        let first = self.n_lines;
                        self.line(depth + 1, &plain_text(&statement.body));
                        self.bodies.push((body, first..=self.n_lines - 1));
                    }
                    body += 1;
                }
                MultiforItem::Inner(inner) => body = self.level(inner, nest, body, depth + 1),
            }
        }
        self.line(depth, "}");
        body
    }
}

/// A loop's head in C.
pub(crate) fn for_head(each: &MultiforLoop) -> String {
    let MultiforLoop { index, index_type, first, relation, bound, step, .. } = each;
    let step = match step {
        1 => format!("{index}++"),
        -1 => format!("{index}--"),
        step if *step < 0 => format!("{index} -= {}", i128::from(*step).abs()),
        step => format!("{index} += {step}"),
    };
    let operator = relation.operator();
    format!("for ({index_type} {index} = {first}; {index} {operator} {bound}; {step})")
}

/// A body as it is written, with the names of its indices.
pub(crate) fn plain_text(body: &[MultiforText]) -> String {
    let part = |part: &MultiforText| match part {
        MultiforText::Plain(text) => text.clone(),
        MultiforText::Index { name, .. } => name.clone(),
    };
    body.iter().map(part).collect()
}
