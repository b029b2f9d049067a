//! Edits that make two loops of one, or one of two: strip-mining, tiling, interleaving, coalescing.
use crate::error::EditError;
use crate::mapping::{Component, Mapping};
use loopwright_presburger::{Budget, Int, Optimum};

impl Mapping {
    /// Cuts the loops at `level`, `level + 1`, ... into blocks of the given sizes: the loops over the
    /// blocks come first, then the loops inside. One size is strip-mining, several are tiling.
    ///
    /// *Method.* For a loop `f` and size `b` the component `b ⌊f/b⌋` is inserted.
    ///
    /// # Errors
    /// If a size is not positive, or a component is not a loop that all the statements share.
    pub fn tile(
        &self,
        labels: &[String],
        level: usize,
        sizes: &[Int],
    ) -> Result<Mapping, EditError> {
        expect_positive(sizes)?;
        let selected = self.select(labels)?;
        self.expect_common(&selected, level + sizes.len())?;
        self.edited(&selected, |piece| {
            let mut components = piece.components.clone();
            for (offset, size) in sizes.iter().enumerate() {
                let point = piece.loop_component(level + offset)?;
                let value = point.value.scale_down(size).floor().scale(size);
                components.insert(level + offset, Component { value, parallel: false });
            }
            Ok(components)
        })
    }

    /// Runs the iterations of a loop whose values leave the same remainder one after the other:
    /// first those with remainder 0 modulo `count`, then those with 1, ...
    ///
    /// *Method.* For a loop `f` the component `f mod count` is inserted in front.
    ///
    /// # Errors
    /// If the count is not positive, or the component is not a loop that all the statements share.
    pub fn interleave(
        &self,
        labels: &[String],
        level: usize,
        count: &Int,
    ) -> Result<Mapping, EditError> {
        expect_positive(std::slice::from_ref(count))?;
        let selected = self.select(labels)?;
        self.expect_common(&selected, level + 1)?;
        self.edited(&selected, |piece| {
            let value = piece.loop_component(level)?.value.modulo(count);
            let mut components = piece.components.clone();
            components.insert(level, Component { value, parallel: false });
            Ok(components)
        })
    }

    /// Makes one loop of the loops at `level` and `level + 1`.
    ///
    /// *Method.* If the inner loop has values from `a` to `a + n - 1` with numbers `a` and `n`, the
    /// components `f, g` become `n f + g - a`.
    ///
    /// # Errors
    /// If the components are not loops that all the statements share, or the values of the inner one
    /// are not bounded by numbers.
    pub fn coalesce_loops(
        &self,
        labels: &[String],
        level: usize,
        budget: &Budget,
    ) -> Result<Mapping, EditError> {
        let selected = self.select(labels)?;
        self.expect_common(&selected, level + 2)?;
        let mut range: Option<(Int, Int)> = None;
        for &position in &selected {
            let piece = &self.pieces()[position];
            piece.loop_component(level)?;
            let inner = &piece.loop_component(level + 1)?.value;
            let least = piece.domain.min_val(inner, budget)?;
            let most = piece.domain.max_val(inner, budget)?;
            let (least, most) = match (least, most) {
                (Optimum::At(least), Optimum::At(most)) => (least, most),
                (Optimum::Empty, _) | (_, Optimum::Empty) => continue,
                _ => {
                    return Err(EditError::refused(format!(
                        "the values of component {} of {} are not bounded by numbers",
                        level + 2,
                        piece.label
                    )));
                }
            };
            range = Some(match range {
                None => (least, most),
                Some((low, high)) => (low.min(least), high.max(most)),
            });
        }
        let (least, most) = range.unwrap_or((Int::ZERO, Int::ZERO));
        let count = &(&most - &least) + &Int::ONE;
        self.edited(&selected, |piece| {
            let mut components = piece.components.clone();
            let inner = components.remove(level + 1).value.add_constant(&-&least);
            let outer = &mut components[level];
            outer.value = outer.value.scale(&count).add(&inner)?;
            outer.parallel = false;
            Ok(components)
        })
    }
}

fn expect_positive(sizes: &[Int]) -> Result<(), EditError> {
    match sizes.iter().all(Int::is_positive) {
        true => Ok(()),
        false => Err(EditError::refused("sizes must be positive")),
    }
}
