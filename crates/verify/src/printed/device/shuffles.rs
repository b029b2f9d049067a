//! Copies of registers of other lanes.
//!
//! ```text
//! s_other = __shfl_down_sync(0xffffffff, s_own, 16);      s_other = s_own below `shuffle(16)`
//! ```
//!
//! All lanes of a warp have to come to one such place of the text together. There are whole warps of threads
//! along the fastest axis, and directly around the copy is the loop over these threads, whose values are
//! constants from a multiple of 32 on up to one; so all other loops and conditions are alike for the lanes.
use super::state::{KernelLanguage, Stored};
use crate::printed::body::{Call, Touched};
use crate::printed::outcome::{Stop, Walked};
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::Int;
use loopwright_schedule::{LocalMark, MemorySpace, ShuffleMark};
use loopwright_scop::{ArrayId, AssignmentOperator};

/// The lanes that take part: all of a warp.
const ALL_LANES: &str = "0xffffffff";

impl<'a> TextWalk<'_, 'a> {
    /// Code below a mark of shuffles.
    pub(in crate::printed) fn shuffles(&mut self, mark: &str, child: &'a AstNode) -> Walked<()> {
        let before = std::mem::replace(&mut self.kernel()?.shuffle, ShuffleMark::parse(mark));
        let result = self.node(child, None);
        self.kernel()?.shuffle = before;
        result
    }

    /// The mark of shuffles that is around.
    pub(in crate::printed) fn shuffle_here(&self) -> Option<ShuffleMark> {
        self.device.as_ref()?.kernel.as_ref()?.shuffle
    }

    /// A statement that assigns a register to another one, as a shuffle.
    pub(in crate::printed) fn shuffle(
        &mut self,
        mark: ShuffleMark,
        call: Call<'_>,
    ) -> Walked<Touched> {
        if self.device()?.language != KernelLanguage::Cuda {
            return Err(Stop::Unread("a shuffle in another language than CUDA".to_string()));
        }
        let assigned = call.statement.body.plain_assignment();
        let assigned = assigned.filter(|own| own.operator == AssignmentOperator::Set);
        let ends = assigned.and_then(|own| Some((own.target, own.value.as_element()?)));
        let Some((to, from)) = ends else {
            return Err(self.cursor.wrong("a statement that a shuffle is not"));
        };
        if !self.is_register(to.array)? || !self.is_register(from.array)? {
            return Err(Stop::Unread("a shuffle of other than registers".to_string()));
        }
        if !self.has_all_lanes()? {
            return Err(self.cursor.wrong("a shuffle to which all lanes of a warp come"));
        }
        let (mut touched, mut open) = (Touched::default(), Vec::new());
        self.element_of_call(call, to, (&[], &mut open), &mut touched)?;
        self.expect_words(&["=", "__shfl_down_sync", "(", ALL_LANES, ","])?;
        self.element_of_call(call, from, (&[], &mut open), &mut touched)?;
        self.is_in_subscripts(&open)?;
        self.expect_words(&[",", &mark.distance.to_string(), ")", ";"])?;
        Ok(touched)
    }

    /// Whether each thread has an array for itself.
    fn is_register(&mut self, array: ArrayId) -> Walked<bool> {
        let name = self.scop.array(array).tuple_name.clone();
        let is_marked =
            |mark: &LocalMark| mark.array == name && mark.space == MemorySpace::Registers;
        let kernel = self.kernel()?;
        Ok(kernel.arrays.get(&array) == Some(&Stored::Own) && kernel.marked.iter().any(is_marked))
    }

    /// Whether all lanes of a warp are at this place, or none.
    fn has_all_lanes(&mut self) -> Walked<bool> {
        let lanes = i64::from(ShuffleMark::LANES);
        let around = self.around.innermost_loop();
        let kernel = self.kernel()?;
        let is_of_lanes = around.is_some_and(|each| {
            kernel.lanes[0].as_ref() == Some(&each.iterator) && has_whole_warps(each)
        });
        Ok(is_of_lanes && kernel.threads[0] % lanes == 0)
    }
}

/// Whether the values of a loop are those from a multiple of 32 on up to another one.
fn has_whole_warps(each: &ForLoop) -> bool {
    let lanes = Int::from(ShuffleMark::LANES);
    let is_multiple = |value: &Int| value.mod_floor(&lanes).is_zero();
    let is_iterator =
        |value: &AstExpr| matches!(value, AstExpr::Id(name) if *name == each.iterator);
    let end = match &each.condition {
        AstExpr::Le(value, end) if is_iterator(value) => end.as_int().map(|end| end + &Int::ONE),
        AstExpr::Lt(value, end) if is_iterator(value) => end.as_int().cloned(),
        _ => None,
    };
    !each.degenerate
        && each.increment.is_one()
        && each.init.as_int().is_some_and(is_multiple)
        && end.is_some_and(|end| is_multiple(&end))
}
