//! Kernels whose iterators have 32 bits: nothing that they compute is larger, if what the function of the
//! region compares holds.
//!
//! ```text
//! LW_FITS(n, 8388608);                                      each parameter lies between the number and its negative
//! LW_FITS(A_bytes / sizeof(double), 1073741824);            an array has no more elements
//! for (int c0 = (int) blockIdx.x; c0 < n; c0 += gridDim.x)
//! ```
//!
//! Whatever is read in such a kernel is looked at part by part (`intervals.rs`). Places of linear memory are
//! products of sizes: they lie in the array, since all that is accessed has memory (that is proved of the
//! plan of copies), and what is computed on the way is off by no more than the sum of all that is added to
//! rows.
use super::state::Kernel;
use super::words::{SIZE, count_word, index_word};
use crate::printed::intervals::Intervals;
use crate::printed::outcome::Walked;
use crate::printed::text_walk::TextWalk;
use loopwright_astgen::{AstExpr, ForLoop};
use loopwright_presburger::Name;
use loopwright_schedule::{Axis, LoopKind};
use loopwright_scop::ArrayId;

/// The most elements of an array in linear memory.
const MOST_ELEMENTS: i128 = 1 << 30;

impl TextWalk<'_, '_> {
    /// Whether iterators have 32 bits here.
    pub(in crate::printed) fn is_short(&self) -> bool {
        let device = self.device.as_ref();
        device.is_some_and(|own| own.kernel.is_some() && own.most_of_parameters.is_some())
    }

    /// An expression.
    pub(in crate::printed) fn expression(&mut self) -> Walked<AstExpr> {
        let value = self.cursor.expression(&self.names)?;
        self.fits(&value)?;
        Ok(value)
    }

    /// An operand.
    pub(in crate::printed) fn operand(&mut self) -> Walked<AstExpr> {
        let value = self.cursor.operand(&self.names)?;
        self.fits(&value)?;
        Ok(value)
    }

    /// An expression is computed in as many bits as it needs.
    pub(super) fn fits(&mut self, value: &AstExpr) -> Walked<()> {
        match !self.is_short() || self.around.intervals().fits(value) {
            true => Ok(()),
            false => Err(self.cursor.wrong(&format!(
                "something else behind `{value}`, for which 32 bits may be too few"
            ))),
        }
    }

    /// The iterator of a loop may go on by so many steps from each of its values.
    pub(in crate::printed) fn next_fits(&mut self, each: &ForLoop, steps: i64) -> Walked<()> {
        if !self.is_short() {
            return Ok(());
        }
        let own = self.around.intervals().of_loop(each);
        let step = each.increment.to_i64().map(|step| i128::from(step) * i128::from(steps));
        let next = own.zip(step).and_then(|((_, most), step)| most.checked_add(step));
        match next.is_some_and(|next| next <= i128::from(i32::MAX)) {
            true => Ok(()),
            false => {
                Err(self.cursor.wrong("a loop whose iterator has 32 bits behind its end, too"))
            }
        }
    }

    /// The most blocks or threads that share a loop.
    pub(super) fn most_owners(&mut self, kind: LoopKind) -> Walked<i64> {
        let kernel = self.kernel()?;
        Ok(match kind {
            LoopKind::Thread(axis) => kernel.threads[axis as usize],
            LoopKind::Block(axis) => {
                i64::try_from(kernel.most_blocks[axis as usize]).unwrap_or(i64::MAX)
            }
            _ => 1,
        })
    }

    /// The first value from one on that belongs to a number is less than so many further.
    pub(super) fn has_first(&mut self, least: &AstExpr, kind: LoopKind) -> Walked<()> {
        let owners = AstExpr::int(self.most_owners(kind)?);
        let above = AstExpr::Add(Box::new(least.clone()), Box::new(owners.clone()));
        let below = AstExpr::Sub(Box::new(owners), Box::new(least.clone()));
        self.fits(&above)?;
        self.fits(&below)
    }

    /// A place of linear memory.
    pub(super) fn place_fits(&mut self, id: ArrayId, place: &AstExpr) -> Walked<()> {
        if !self.is_short() || self.around.intervals().fits(place) {
            return Ok(());
        }
        let beside = self.around.intervals().beside_rows(place);
        if beside.is_none_or(|sum| sum >= MOST_ELEMENTS) {
            return Err(self.cursor.wrong("what follows a subscript for which 32 bits are enough"));
        }
        self.device()?.short_arrays.insert(id);
        Ok(())
    }

    /// The numbers of blocks and threads of a kernel that is read next.
    pub(super) fn numbers_of(&mut self, kernel: &Kernel) {
        let of_axis = |axis: Axis| {
            let blocks = i128::from(kernel.most_blocks[axis as usize]);
            let threads = i128::from(kernel.threads[axis as usize]);
            [(LoopKind::Block(axis), blocks), (LoopKind::Thread(axis), threads)]
        };
        let mut numbers: Vec<(Name, (i128, i128))> = Vec::new();
        for (kind, n) in Axis::ALL.into_iter().flat_map(of_axis) {
            numbers.extend(index_word(kind).map(|word| (word.as_str().into(), (0, n - 1))));
            numbers.extend(count_word(kind).map(|word| (word.as_str().into(), (1, n))));
        }
        self.around.intervals().set_numbers(numbers);
    }

    /// `LW_FITS(PARAMETER, MOST);`, as many as there are.
    pub(super) fn checks_of_parameters(&mut self) -> Walked<()> {
        let Some(most) = self.device()?.most_of_parameters else { return Ok(()) };
        let mut intervals = Intervals::new(most, &self.names.parameters);
        while self.cursor.take_if("LW_FITS") {
            self.cursor.expect("(")?;
            let name = self.cursor.word()?;
            if !self.names.parameters.iter().any(|parameter| **parameter == *name) {
                return Err(self.cursor.wrong("a parameter"));
            }
            intervals.checked(name);
            self.expect_words(&[",", &most.to_string(), ")", ";"])?;
        }
        self.around.set_intervals(intervals);
        Ok(())
    }

    /// `LW_FITS(BYTES / SIZE, MOST);` about an array.
    pub(super) fn check_of_elements(&mut self, id: ArrayId, bytes: &str) -> Walked<()> {
        self.expect_words(&["LW_FITS", "(", bytes, "/"])?;
        let size = self.cursor.word()?;
        let words = size.strip_prefix(SIZE).map(|own| own.replace('_', " "));
        let words = words.ok_or_else(|| self.cursor.wrong("the size of an element"))?;
        self.check_type(&words.split(' ').collect::<Vec<_>>(), self.scop.array(id))?;
        self.expect_words(&[",", &MOST_ELEMENTS.to_string(), ")", ";"])?;
        self.device()?.counted_arrays.insert(id);
        Ok(())
    }

    /// Arrays in whose memory places are computed in 32 bits have so few elements.
    pub(super) fn elements_are_counted(&mut self) -> Walked<()> {
        let device = self.device()?;
        let mut missing = device.short_arrays.difference(&device.counted_arrays);
        match missing.next().copied() {
            None => Ok(()),
            Some(id) => {
                let what =
                    format!("a text that counts the elements of `{}`", self.scop.array(id).name);
                Err(self.cursor.wrong(&what))
            }
        }
    }
}
