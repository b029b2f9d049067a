//! Statements of the text, piece by piece: text as it is, subscripts and iterators by their values.
use crate::printed::device::data_subscripts::Subscripted;
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::tokens;
use loopwright_astgen::AstExpr;
use loopwright_presburger::Tuple;
use loopwright_scop::{ArrayId, BodyPiece, Element, ElementText, Statement};

/// A call of the tree: the statement and the coordinates of the instance.
#[derive(Clone, Copy)]
pub(super) struct Call<'a> {
    pub(super) statement: &'a Statement,
    pub(super) tuple: &'a Tuple,
    pub(super) arguments: &'a [AstExpr],
}

/// An element that the text has under another name.
#[derive(Clone)]
pub(super) struct Kept<'a> {
    pub(super) name: &'a str,
    pub(super) base: ElementText,
    pub(super) array: ArrayId,
    pub(super) subscripts: Vec<AstExpr>,
    /// Whether it had a value before the statements.
    pub(super) is_loaded: bool,
    /// Whether it keeps that value.
    pub(super) is_constant: bool,
}

/// What a statement of the text does with elements that have another name, and with others.
#[derive(Default)]
pub(super) struct Touched {
    /// Per element of the body: its array, and its subscripts as printed or those of the kept element.
    pub(super) elements: Vec<(ArrayId, Vec<AstExpr>, bool)>,
}

impl Kept<'_> {
    /// An element without a name.
    pub(super) fn of(base: &ElementText, array: ArrayId, subscripts: Vec<AstExpr>) -> Self {
        let (is_loaded, is_constant) = (true, false);
        Kept { name: "", base: base.clone(), array, subscripts, is_loaded, is_constant }
    }
}

/// Whether the text of a statement ends with a block, behind which there is no semicolon.
pub(super) fn ends_with_brace(pieces: &[BodyPiece<'_>]) -> bool {
    let has_text = |piece: &&BodyPiece<'_>| match piece {
        BodyPiece::Text(text) => !text.is_empty(),
        BodyPiece::Hidden(_) => false,
        BodyPiece::Affine(_) | BodyPiece::Element(_) => true,
    };
    let last = pieces.iter().rev().find(has_text);
    matches!(last, Some(BodyPiece::Text(text)) if text.ends_with('}'))
}

impl<'a> TextWalk<'_, 'a> {
    /// The statement that a call runs, at the cursor.
    pub(super) fn statement(&mut self, call: Call<'_>, kept: &[Kept<'a>]) -> Walked<Touched> {
        if self.device.is_some() {
            self.is_run_once()?;
        }
        if self.is_asynchronous() {
            return self.asynchronous_copy(call);
        }
        if let Some(mark) = self.shuffle_here() {
            return self.shuffle(mark, call);
        }
        if self.is_atomic() {
            return self.atomic_update(call);
        }
        let mut touched = Touched::default();
        let pieces = call.statement.body.pieces();
        let ends_with_brace = ends_with_brace(&pieces);
        self.pieces(call, pieces, kept, &mut touched)?;
        if !ends_with_brace {
            self.cursor.expect(";")?;
        }
        Ok(touched)
    }

    /// Pieces of the body of a call, at the cursor.
    pub(super) fn pieces<'p>(
        &mut self,
        call: Call<'_>,
        pieces: impl IntoIterator<Item = BodyPiece<'p>>,
        kept: &[Kept<'a>],
        touched: &mut Touched,
    ) -> Walked<()> {
        let mut open = Vec::new();
        for piece in pieces {
            if !matches!(piece, BodyPiece::Text(_)) {
                self.is_in_subscripts(&open)?;
            }
            match piece {
                BodyPiece::Text(text) => self.device_text(&tokens(&text), &mut open)?,
                BodyPiece::Affine(meant) => {
                    let line = self.cursor.line();
                    let printed = self.operand()?;
                    let about = || format!("line {line} of the printed text has another value");
                    let instance = (call.tuple, call.arguments);
                    self.around.same_at_instance(&printed, &meant, instance, &about)?;
                }
                BodyPiece::Hidden(array) => {
                    // What a call accesses has no text of its own.
                    self.check_known(array)?;
                    touched.elements.push((array, Vec::new(), false));
                }
                BodyPiece::Element(element) => {
                    self.element_of_call(call, &element, (kept, &mut open), touched)?;
                }
            }
        }
        self.is_in_subscripts(&open)
    }

    /// The element at the cursor, which has to be that of a call's instance.
    pub(super) fn element_of_call(
        &mut self,
        call: Call<'_>,
        element: &Element,
        (kept, open): (&[Kept<'a>], &mut Vec<Subscripted>),
        touched: &mut Touched,
    ) -> Walked<()> {
        let Element { base, array, subscripts } = element;
        let line = self.cursor.line();
        let known = kept.iter().find(|kept| self.cursor.is(kept.name));
        let (printed, is_kept) = match known {
            Some(kept) => {
                if kept.array != *array || kept.base != *base {
                    return Err(self.cursor.wrong("another variable"));
                }
                self.cursor.at += 1;
                (kept.subscripts.clone(), true)
            }
            None if self.device.is_some() => {
                if subscripts.is_empty() && self.has_rows(*array)? {
                    open.push(self.subscripts_follow(*array));
                }
                (self.device_element(*array, subscripts.len())?, false)
            }
            None => (self.element(base, subscripts.len())?, false),
        };
        self.check_known(*array)?;
        let name = &self.scop.array(*array).name;
        let about = || format!("line {line} of the printed text has another element of `{name}`");
        for (printed, meant) in printed.iter().zip(subscripts) {
            let instance = (call.tuple, call.arguments);
            self.around.same_at_instance(printed, meant, instance, &about)?;
        }
        touched.elements.push((*array, printed, is_kept));
        Ok(())
    }

    /// Whether a variable is declared here, or outside.
    pub(super) fn check_known(&self, array: ArrayId) -> Walked<()> {
        let array = self.scop.array(array);
        match self.is_known(array) {
            true => Ok(()),
            false => Err(self.cursor.wrong(&format!(
                "a variable other than `{}`, which is not declared here",
                array.tuple_name
            ))),
        }
    }

    /// The subscripts of an element, in the text around them.
    pub(super) fn element(&mut self, base: &ElementText, count: usize) -> Walked<Vec<AstExpr>> {
        let (before, after) = base.parts();
        let mut opening = tokens(before);
        self.cursor.expect_all(&opening)?;
        let mut subscripts = Vec::with_capacity(count);
        for position in 0..count {
            let Some(after) = after.get(position) else {
                self.cursor.expect("[")?;
                subscripts.push(self.cursor.expression(&self.names)?);
                self.cursor.expect("]")?;
                continue;
            };
            let closing = tokens(after);
            // Between brackets a subscript may be a sum, elsewhere it is an operand.
            let is_alone = opening.last().is_some_and(|token| token.text == "[")
                && closing.first().is_some_and(|token| token.text == "]");
            subscripts.push(match is_alone {
                true => self.cursor.expression(&self.names)?,
                false => self.cursor.operand(&self.names)?,
            });
            self.cursor.expect_all(&closing)?;
            opening = closing;
        }
        Ok(subscripts)
    }

    /// The element at the cursor, of one of the arrays that calls use; none if there is none.
    pub(super) fn any_element(&mut self, calls: &[Call<'a>]) -> Option<Kept<'a>> {
        if self.device.is_some() {
            return self.any_element_of_memory(calls);
        }
        for call in calls {
            for Element { base, array, subscripts } in call.statement.body.elements() {
                let first = self.cursor.peek().map_or("", |token| token.text);
                if !base.parts().0.trim_start().starts_with(first) {
                    continue;
                }
                let start = self.cursor.at;
                if let Ok(found) = self.element(base, subscripts.len()) {
                    return Some(Kept::of(base, *array, found));
                }
                self.cursor.at = start;
            }
        }
        None
    }
}
