//! Bringing the parameters of two operands into the same order.
use crate::core::basic_map::BasicMap;
use crate::core::basic_set::BasicSet;
use crate::core::columns::{Part, permute};
use crate::core::space::{DimKind, Space};

impl BasicMap {
    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space};
    /// let map = Map::parse("[n] -> { S[i] -> A[i + n] }")?;
    /// let aligned = map.basic_maps()[0].align_params(&Space::params(&["m".into()]));
    /// assert_eq!(aligned.space().to_string(), "[m, n] -> { S[i] -> A[i0] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        let params = space.to_params().merge_params(self.space());
        if params.has_equal_params(self.space()) {
            return self.clone();
        }
        let target = self.space().with_params(params.param_names());
        let place = param_places(self.space(), &target);
        permute(target, Part { system: &self.inner, place: &place })
    }
}

/// The places of the columns of `space` in `target`, which has more parameters, in any order.
pub(crate) fn param_places(space: &Space, target: &Space) -> Vec<usize> {
    let params = space.param_names().iter().map(|name| {
        1 + target.find_param(name).expect("the target has all parameters of the source")
    });
    let n_dims = space.n(DimKind::In) + space.n(DimKind::Out);
    let first_dim = 1 + target.n(DimKind::Param);
    std::iter::once(0).chain(params).chain(first_dim..first_dim + n_dims).collect()
}

impl BasicSet {
    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space};
    /// let set = Set::parse("[n] -> { S[i] : i < n }")?;
    /// let aligned = set.basic_sets()[0].align_params(&Space::params(&["m".into()]));
    /// assert_eq!(aligned.space().to_string(), "[m, n] -> { S[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        BasicSet(self.0.align_params(space))
    }
}
