//! Bringing the parameters of two operands into the same order.
use crate::core::basic_map::BasicMap;
use crate::core::basic_set::BasicSet;
use crate::core::columns::{Part, permute};
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use std::borrow::Cow;

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

impl Map {
    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Map, Space};
    /// let map = Map::parse("[n] -> { S[i] -> A[i + n] }")?;
    /// let aligned = map.align_params(&Space::params(&["m".into(), "n".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[i] -> A[n + i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        let params = space.to_params().merge_params(self.space());
        if params.has_equal_params(self.space()) {
            return self.clone();
        }
        let target = self.space.with_params(params.param_names());
        let place = param_places(&self.space, &target);
        let aligned = |basic: &BasicMap| {
            permute(target.clone(), Part { system: &basic.inner, place: &place })
        };
        Map { basics: self.basics.iter().map(aligned).collect(), space: target }
    }
}

impl Set {
    /// Parameters aligned to those of `space` first, others after.
    ///
    /// ```
    /// # use loopwright_presburger::{Set, Space};
    /// let set = Set::parse("[n] -> { S[i] : i < n }")?;
    /// let aligned = set.align_params(&Space::params(&["m".into(), "n".into()]));
    /// assert_eq!(aligned.to_string(), "[m, n] -> { S[i] : i < n }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn align_params(&self, space: &Space) -> Self {
        Set(self.0.align_params(space))
    }
}

/// Both with the same parameters in the same order; nothing is copied if they agree already.
pub(crate) fn align_maps<'a>(a: &'a Map, b: &'a Map) -> (Cow<'a, Map>, Cow<'a, Map>) {
    if a.space.has_equal_params(&b.space) {
        return (Cow::Borrowed(a), Cow::Borrowed(b));
    }
    let a = a.align_params(&a.space.merge_params(&b.space));
    let b = b.align_params(&a.space);
    (Cow::Owned(a), Cow::Owned(b))
}
