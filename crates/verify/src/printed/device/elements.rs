//! Elements of kernels: `A[(i - 1) * m + j]` is the one with the subscripts `i - 1` and `j`, if rows have `m`
//! elements.
//!
//! The place is taken apart from the last subscript to the first: the leftmost summand is a product with the
//! extent of the dimension, and what is left is the subscript. That the two have the same value is clear from
//! what is read; whether the subscripts are those of the instance is compared as everywhere else.
use super::state::Stored;
use crate::printed::body::{Call, Kept};
use crate::printed::form::Form;
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::AstExpr;
use loopwright_presburger::PwAff;
use loopwright_scop::ArrayId;

impl<'a> TextWalk<'_, 'a> {
    /// The subscripts of the element of an array at the cursor, so many of them.
    pub(in crate::printed) fn device_element(
        &mut self,
        id: ArrayId,
        count: usize,
    ) -> Walked<Vec<AstExpr>> {
        let array = self.scop.array(id);
        let stored = self.kernel()?.arrays.get(&id).copied();
        let stored = stored.ok_or_else(|| {
            self.cursor.wrong(&format!(
                "something else than `{}`, which the kernel does not have",
                array.name
            ))
        })?;
        let is_row = count > 0 && count < array.extents.len() && stored == Stored::Linear;
        if is_row {
            return self.row_of_memory(id, count);
        }
        self.cursor.expect(&array.tuple_name)?;
        // Subscripts that depend on data are part of the text.
        let is_text = count == 0 && !array.extents.is_empty() && stored != Stored::Own;
        if array.extents.len() != count && !is_text {
            return Err(Stop::Unread("an address on a device".to_string()));
        }
        if stored == Stored::Own || stored == Stored::Private && count > 0 {
            let mut subscripts = Vec::with_capacity(count);
            for _ in 0..array.extents.len() {
                self.cursor.expect("[")?;
                subscripts.push(self.expression()?);
                self.cursor.expect("]")?;
            }
            return Ok(subscripts);
        }
        if stored != Stored::Linear || is_text {
            return Ok(Vec::new());
        }
        self.cursor.expect("[")?;
        let place = self.cursor.expression(&self.names)?;
        self.cursor.expect("]")?;
        let subscripts = self.subscripts(id, place.clone(), count)?;
        self.place_fits(id, &place)?;
        Ok(subscripts)
    }

    /// The subscripts of the row that a pointer at the cursor leads to: `(A + i * m)`.
    fn row_of_memory(&mut self, id: ArrayId, count: usize) -> Walked<Vec<AstExpr>> {
        let array = self.scop.array(id);
        self.cursor.expect("(")?;
        self.cursor.expect(&array.tuple_name)?;
        self.cursor.expect("+")?;
        let place = self.cursor.expression(&self.names)?;
        self.cursor.expect(")")?;
        let mut subscripts = self.subscripts(id, place.clone(), array.extents.len())?;
        let rest = subscripts.split_off(count);
        if rest.iter().any(|subscript| *subscript != AstExpr::int(0)) {
            return Err(self.cursor.wrong("the first element of a row"));
        }
        self.place_fits(id, &place)?;
        Ok(subscripts)
    }

    /// The element at the cursor, in memory of the device, of one of the arrays that calls use; none if there
    /// is none.
    pub(in crate::printed) fn any_element_of_memory(
        &mut self,
        calls: &[Call<'a>],
    ) -> Option<Kept<'a>> {
        for element in calls.iter().flat_map(|call| call.statement.body.elements()) {
            let (id, count) = (element.array, element.subscripts.len());
            let array = self.scop.array(id);
            let is_in_memory = self.kernel().ok()?.arrays.get(&id) == Some(&Stored::Linear);
            if !is_in_memory || array.extents.len() != count || !self.cursor.is(&array.tuple_name) {
                continue;
            }
            let start = self.cursor.at;
            if let Ok(subscripts) = self.device_element(id, count) {
                return Some(Kept::of(&element.base, id, subscripts));
            }
            self.cursor.at = start;
        }
        None
    }

    /// The subscripts of the element at a place of linear memory.
    pub(in crate::printed) fn subscripts(
        &mut self,
        id: ArrayId,
        place: AstExpr,
        count: usize,
    ) -> Walked<Vec<AstExpr>> {
        if count == 0 {
            return match place == AstExpr::int(0) {
                true => Ok(Vec::new()),
                false => Err(self.cursor.wrong("the only element")),
            };
        }
        let extents = &self.scop.array(id).extents;
        let mut found = Vec::with_capacity(count);
        let mut rest = place;
        for extent in extents.iter().take(count).skip(1).rev() {
            let Some(extent) = extent else {
                return Err(Stop::Unread("an array of unknown extents".to_string()));
            };
            let (rows, subscript) = self.divided(rest, extent)?;
            found.push(subscript);
            rest = rows;
        }
        found.push(rest);
        found.reverse();
        Ok(found)
    }

    /// A sum as a product with an extent and the rest.
    fn divided(&mut self, sum: AstExpr, extent: &PwAff) -> Walked<(AstExpr, AstExpr)> {
        let mut rest: Vec<(bool, AstExpr)> = Vec::new();
        let mut left = sum.clone();
        loop {
            left = match left {
                AstExpr::Add(a, b) => {
                    rest.push((true, *b));
                    *a
                }
                AstExpr::Sub(a, b) => {
                    rest.push((false, *b));
                    *a
                }
                other => {
                    left = other;
                    break;
                }
            };
        }
        let AstExpr::Mul(rows, factor) = left else { return Ok((AstExpr::int(0), sum)) };
        if !self.is_extent(&factor, extent)? {
            return match factor.as_int().is_none() && rows.as_int().is_none() {
                true => Err(self.cursor.wrong("rows of the array's length")),
                false => Ok((AstExpr::int(0), sum)),
            };
        }
        let mut subscript: Option<AstExpr> = None;
        for (is_added, next) in rest.into_iter().rev() {
            subscript = Some(match (subscript, is_added) {
                (None, true) => next,
                (None, false) => AstExpr::Neg(Box::new(next)),
                (Some(sum), true) => AstExpr::Add(Box::new(sum), Box::new(next)),
                (Some(sum), false) => AstExpr::Sub(Box::new(sum), Box::new(next)),
            });
        }
        Ok((*rows, subscript.unwrap_or_else(|| AstExpr::int(0))))
    }

    /// Whether an expression has the value of an extent.
    pub(super) fn is_extent(&mut self, printed: &AstExpr, extent: &PwAff) -> Walked<bool> {
        if has_form_of(printed, extent) {
            return Ok(true);
        }
        self.around.has_value_of_parameters(printed, extent)
    }
}

/// Whether an expression is an extent by its coefficients.
pub(super) fn has_form_of(printed: &AstExpr, extent: &PwAff) -> bool {
    let forms = Form::of(printed).zip(Form::at(extent, &[]));
    forms.is_some_and(|(printed, extent)| printed == extent)
}
