//! What becomes of text that is not understood.
//!
//! The innermost statement, or item outside of functions, is left out up to its end; everything around it is
//! read as if it were not there. Its words stay in the tree, below a node `ERROR`.
use super::token_class::Class;
use super::{Parser, Step};
use crate::syntax::kind::Kind;

impl Parser<'_> {
    /// Reads an item of a block or file, or passes over it.
    pub(super) fn recovering(&mut self, read: impl FnOnce(&mut Self) -> Step) {
        let (first, mark, depth, scope) =
            (self.at, self.builder.mark(), self.depth, self.names.open());
        if let Err(unexpected) = read(self) {
            let culprit = self.at;
            self.expectations.push((self.token(0).start, unexpected.expected));
            self.builder.drop_after(mark);
            (self.at, self.depth) = (first, depth);
            self.names.close(scope);
            let end = self.end_of_item(culprit);
            while self.at < end {
                self.take();
            }
            self.finish(mark, Kind::Error);
        }
    }

    /// The end of the item that begins at the next token and that a token is part of.
    fn end_of_item(&self, culprit: usize) -> usize {
        let mut depth = 0usize;
        let mut index = self.at;
        loop {
            let token = self.tokens[index];
            match token.kind {
                _ if token.class == Class::End => return index,
                token!("{") => depth += 1,
                token!("}") if depth == 0 && index > self.at => return index,
                token!("}") => depth = depth.saturating_sub(1),
                _ => {}
            }
            index += 1;
            if depth == 0 && index > culprit && matches!(token.kind, token!(";") | token!("}")) {
                let ends_twice =
                    token.kind == token!("}") && self.tokens[index].kind == token!(";");
                return index + usize::from(ends_twice);
            }
        }
    }
}
