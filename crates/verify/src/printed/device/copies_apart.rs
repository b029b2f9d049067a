//! Copies of members of structures: on the host, values of the first subscripts are as far apart as
//! structures are.
//!
//! ```text
//! lw_copy_apart_in(p_x_device, p_x, on_device, pitch, 3 * lw_stride_p_x + j * lw_stride1_p_x + 0 * sizeof(double), lw_stride1_p_x, width, height)
//! ```
//!
//! `height` parts of `width` bytes are moved, a pitch apart on the device and a stride apart on the host.
//! Subscripts with a stride are those with a member somewhere behind them in the text of the program's
//! elements (`p[i].q[j].x[k]`: the first two); the stride along one of them is what the program passes for
//! it. The parts of one call lie along the last of these; loops are over all others but the last subscript.
use super::copies::{is_size, last_factor, times_one};
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::AstExpr;
use loopwright_device::Elements;
use loopwright_presburger::Int;
use loopwright_scop::ArrayId;

/// What the names of distances of structures begin with.
pub(super) const STRIDE: &str = "lw_stride";

/// The subscripts that loops around a copy are over, where so many of the first of `n` have strides.
pub(super) fn looped_apart(n: usize, n_strided: usize) -> Vec<usize> {
    let last = n.saturating_sub(1);
    (0..last).filter(|at| at + 1 != n_strided).collect()
}

impl<'a> TextWalk<'_, 'a> {
    /// How many of the first subscripts of an array have structures between their values.
    pub(super) fn strided(&self, id: ArrayId) -> usize {
        let bodies = self.scop.statements.iter().map(|statement| &statement.body);
        let own = bodies.flat_map(|body| body.elements()).find(|element| element.array == id);
        let after = own.map_or(&[][..], |element| element.base.parts().1);
        after.iter().rposition(|text| text.contains('.')).map_or(0, |at| at + 1)
    }

    /// The arguments behind the two memories, which have to be about the elements of the plan.
    pub(super) fn moves_apart(
        &mut self,
        id: ArrayId,
        elements: &Elements,
        (outer, n_strided): (&[(usize, &'a str)], usize),
    ) -> Walked<()> {
        let n = elements.least.len();
        let line = self.cursor.line();
        let about = || format!("line {line} of the printed text: other members are copied");
        let Some(along) = n_strided.checked_sub(1).filter(|along| *along < n) else {
            return Err(self.cursor.wrong("a copy of elements side by side"));
        };
        let on_device = self.next_argument()?;
        let corner = self.subscripts_of_byte(id, on_device, n)?;
        self.is_corner(&corner, elements, (outer, &about))?;
        let pitch = self.next_argument()?;
        let pitch = self.without_unit(id, times_one(pitch), n_strided)?;
        if pitch != AstExpr::int(1) {
            return Err(self.cursor.wrong("parts as far apart as elements on the device"));
        }
        let on_host = self.next_argument()?;
        let on_host = self.corner_on_host((id, n), on_host, n_strided)?;
        self.is_corner(&on_host, elements, (outer, &about))?;
        self.cursor.expect(",")?;
        self.cursor.expect(&self.stride(id, along))?;
        let params = &elements.params;
        let extent = |at: usize| -> Walked<_> {
            Ok(elements.most[at].sub(&elements.least[at])?.add_constant(&Int::ONE))
        };
        let width = self.next_argument()?;
        let width = self.without_unit(id, times_one(width), n)?;
        match n == n_strided {
            true if width == AstExpr::int(1) => {}
            true => return Err(self.cursor.wrong("one member")),
            false => {
                let AstExpr::Mul(one, width) = width else {
                    return Err(self.cursor.wrong("a number of members"));
                };
                if *one != AstExpr::int(1) {
                    return Err(self.cursor.wrong("a number of members"));
                }
                self.around.same_for_parameters(&width, (&extent(n - 1)?, params), &about)?;
            }
        }
        let height = self.next_argument()?;
        self.around.same_for_parameters(&height, (&extent(along)?, params), &about)?;
        self.expect_words(&[")", ")", ";"])
    }

    /// The name of the stride along a subscript.
    fn stride(&self, id: ArrayId, at: usize) -> String {
        let name = &self.scop.array(id).tuple_name;
        match at {
            0 => format!("{STRIDE}_{name}"),
            at => format!("{STRIDE}{at}_{name}"),
        }
    }

    /// The subscripts of the element at a number of bytes.
    fn subscripts_of_byte(&mut self, id: ArrayId, byte: AstExpr, n: usize) -> Walked<Vec<AstExpr>> {
        let place = match last_factor(byte.clone()) {
            Some((place, size)) if is_size(&size) => place,
            _ if byte == AstExpr::int(0) => AstExpr::int(0),
            _ => return Err(self.cursor.wrong("the place of the first byte")),
        };
        self.subscripts(id, place, n)
    }

    /// The subscripts of the member at a number of bytes of the host: a sum of products with strides, and a
    /// place inside.
    fn corner_on_host(
        &mut self,
        (id, n): (ArrayId, usize),
        bytes: AstExpr,
        n_strided: usize,
    ) -> Walked<Vec<AstExpr>> {
        let mut summands = Vec::new();
        let mut rest = bytes;
        while let AstExpr::Add(before, last) = rest {
            summands.push(*last);
            rest = *before;
        }
        summands.push(rest);
        let mut found: Vec<Option<AstExpr>> = vec![None; n_strided];
        let mut inside = None;
        for summand in summands {
            let stride = match last_factor(summand.clone()) {
                Some((value, AstExpr::Id(name))) => {
                    (0..n_strided).find(|at| self.stride(id, *at) == *name).map(|at| (at, value))
                }
                _ => None,
            };
            let is_new = match stride {
                Some((at, value)) => found[at].replace(value).is_none(),
                None => inside.replace(summand).is_none(),
            };
            if !is_new {
                return Err(self.cursor.wrong("one summand for each subscript"));
            }
        }
        let inside = self.subscripts_of_byte(id, inside.unwrap_or(AstExpr::int(0)), n)?;
        if inside[..n_strided].iter().any(|value| *value != AstExpr::int(0)) {
            return Err(self.cursor.wrong("a place in one structure"));
        }
        let apart = found.into_iter().map(|value| value.unwrap_or(AstExpr::int(0)));
        Ok(apart.chain(inside.into_iter().skip(n_strided)).collect())
    }
}
