//! Subscripts that depend on data, of arrays with several dimensions: `a[x][y]`, with rows of `n` elements,
//! is `a[((long) (x)) * n + (y)]` in memory without rows. What is between the brackets of the program is text
//! like any other.
use super::state::Stored;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::Token;
use loopwright_scop::ArrayId;

/// An array of whose subscripts some have been read.
pub(in crate::printed) struct Subscripted {
    array: ArrayId,
    /// Which subscript comes next, or is read.
    at: usize,
    /// Brackets that are open since its name; none before a subscript.
    depth: usize,
}

/// What is said of an array's name that stands alone.
const ADDRESS: &str = "an address on a device";

impl TextWalk<'_, '_> {
    /// Whether the subscripts of an element without any come as text behind it.
    pub(in crate::printed) fn has_rows(&mut self, array: ArrayId) -> Walked<bool> {
        let n_dims = self.scop.array(array).extents.len();
        let stored = self.kernel()?.arrays.get(&array).copied();
        Ok(n_dims > 1 && stored == Some(Stored::Linear))
    }

    /// The array begins whose subscripts come.
    pub(in crate::printed) fn subscripts_follow(&self, array: ArrayId) -> Subscripted {
        Subscripted { array, at: 0, depth: 0 }
    }

    /// What comes next is in some subscript, or in none.
    pub(in crate::printed) fn is_in_subscripts(&self, open: &[Subscripted]) -> Walked<()> {
        match open.last() {
            Some(Subscripted { depth: 0, .. }) => Err(Stop::Unread(ADDRESS.to_string())),
            _ => Ok(()),
        }
    }

    /// Text of a statement, in which subscripts are written as one.
    pub(in crate::printed) fn device_text(
        &mut self,
        expected: &[Token<'_>],
        open: &mut Vec<Subscripted>,
    ) -> Walked<()> {
        for token in expected {
            let Some(innermost) = open.last_mut() else {
                self.cursor.expect(token.text)?;
                continue;
            };
            let &mut Subscripted { array, at, depth } = innermost;
            let n_dims = self.scop.array(array).extents.len();
            match (token.text, depth) {
                ("[", 0) => {
                    innermost.depth = 1;
                    if at == 0 {
                        self.cursor.expect("[")?;
                        (1..n_dims).try_for_each(|_| self.cursor.expect("("))?;
                        self.expect_words(&["(", "long", ")", "("])?;
                    }
                    continue;
                }
                (_, 0) => return Err(Stop::Unread(ADDRESS.to_string())),
                ("]", 1) => {
                    (innermost.at, innermost.depth) = (at + 1, 0);
                    if at + 1 == n_dims {
                        open.pop();
                    }
                    self.end_of_subscript(array, at)?;
                    continue;
                }
                ("[", _) => innermost.depth += 1,
                ("]", _) => innermost.depth -= 1,
                _ => {}
            }
            self.cursor.expect(token.text)?;
        }
        Ok(())
    }

    /// What is behind a subscript: its row's extent and the next one, or the end.
    fn end_of_subscript(&mut self, array: ArrayId, at: usize) -> Walked<()> {
        self.cursor.expect(")")?;
        if at > 0 {
            self.cursor.expect(")")?;
        }
        let Some(extent) = self.scop.array(array).extents.get(at + 1) else {
            return self.cursor.expect("]");
        };
        let Some(extent) = extent else {
            return Err(Stop::Unread("an array of unknown extents".to_string()));
        };
        self.cursor.expect("*")?;
        let printed = self.operand()?;
        if !self.is_extent(&printed, extent)? {
            return Err(self.cursor.wrong("as many elements as rows have"));
        }
        self.expect_words(&["+", "("])
    }
}
