//! Declarations of the variables of a region: in front of all loops, or in the iterations that have their
//! own.
use crate::printed::outcome::Walked;
use crate::printed::pragma::{Claim, Claimed, is_own_array};
use crate::printed::text_walk::TextWalk;
use crate::printed::tokens::{Token, tokens};
use loopwright_schedule::LoopMark;
use loopwright_scop::Array;

impl<'a> TextWalk<'_, 'a> {
    /// Whether one of the region's variables is declared so many tokens ahead.
    pub(super) fn declares_one(&self, ahead: usize) -> bool {
        let mut own = self.scop.arrays.iter().filter(|array| array.declared_in_scop);
        own.any(|array| self.declares(array, ahead))
    }

    fn declares(&self, array: &Array, ahead: usize) -> bool {
        let mut words = tokens(&array.element_type);
        words.extend(tokens(&array.tuple_name));
        let behind = ahead + words.len();
        words.iter().enumerate().all(|(n, word)| self.cursor.is_ahead(ahead + n, word.text))
            && ["[", ";", "__attribute__"].iter().any(|next| self.cursor.is_ahead(behind, next))
    }

    /// The variables that are declared in front of all loops, in the order of the model.
    pub(super) fn declarations(&mut self) -> Walked<()> {
        for array in self.scop.arrays.iter().filter(|array| array.declared_in_scop) {
            if self.declares(array, 0) {
                self.declaration(array, &array.tuple_name)?;
                self.declared.push(array.tuple_name.clone());
            }
        }
        Ok(())
    }

    /// The arrays that each iteration of a loop has for itself, as the mark of the loop says: threads need
    /// them.
    pub(super) fn own_arrays(&mut self, mark: Option<&LoopMark>, claim: &Claim) -> Walked<()> {
        for name in mark.map_or(&[][..], |mark| &mark.private) {
            let array = self.scop.arrays.iter().find(|array| array.tuple_name == *name);
            let Some(array) = array.filter(|array| is_own_array(array)) else { continue };
            if self.declares(array, 0) {
                self.declaration(array, &array.tuple_name)?;
                self.declared.push(name.clone());
            } else if claim.kind == Some(Claimed::Parallel) {
                return Err(self.cursor.wrong(&format!("the declaration of `{name}`")));
            }
        }
        Ok(())
    }

    /// Whether a variable may be used here: those of the region have to be declared.
    pub(super) fn is_known(&self, array: &Array) -> bool {
        !array.declared_in_scop || self.declared.contains(&array.tuple_name)
    }

    /// The declaration of an array. An extent may be a choice between the array's own and one element.
    pub(super) fn declaration(&mut self, array: &Array, name: &str) -> Walked<()> {
        self.cursor.expect_all(&tokens(&array.element_type))?;
        self.cursor.expect_all(&tokens(name))?;
        for extent in &array.extent_texts {
            let start = self.cursor.at;
            if !self.cursor.is("[") {
                return Err(self.cursor.wrong("an extent"));
            }
            self.cursor.skip_balanced()?;
            let inside = &self.cursor.tokens[start + 1..self.cursor.at - 1];
            let choice = inside.iter().position(|token| token.text == "?");
            let own = match (choice, inside) {
                (Some(at), [.., colon, one]) if colon.text == ":" && one.text == "1" => {
                    &inside[at + 1..inside.len() - 2]
                }
                _ => inside,
            };
            let texts = |list: &[Token<'_>]| -> Vec<String> {
                list.iter().map(|token| token.text.to_string()).collect()
            };
            if texts(own) != texts(&tokens(extent)) {
                self.cursor.at = start;
                return Err(self.cursor.wrong(&format!("`[{extent}]`")));
            }
        }
        if self.cursor.take_if("__attribute__") {
            self.cursor.skip_balanced()?;
        }
        self.cursor.expect(";")
    }
}
