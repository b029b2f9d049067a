//! The elements that arrays have.
use crate::model::Array;
use loopwright_presburger::{Aff, DimKind, Int, Result, Set, Space};

impl Array {
    /// The elements that the array has, as far as its extents are known, in the space of `elements`, a set
    /// with a dimension for each subscript: a program that accesses others means nothing in C.
    ///
    /// ```
    /// use loopwright_presburger::{Budget, PwAff, Set};
    /// use loopwright_scop::Array;
    /// # fn array(extents: Vec<Option<PwAff>>) -> Array {
    /// #     Array { name: "a".into(), tuple_name: "a".into(), element_type: "double".into(), element_bytes: Some(8),
    /// #         element_kind: Default::default(), extent_texts: vec![String::new(); extents.len()], extents, is_member: false,
    /// #         declared_in_scop: true, live_out: false, declaration_depth: 0 }
    /// # }
    /// let array = array(vec![None, Some(PwAff::parse("[n] -> { [(n)] }")?)]);
    /// let space = Set::parse("[n] -> { a[i, j] }")?;
    /// let expected = Set::parse("[n] -> { a[i, j] : i >= 0 and 0 <= j < n }")?;
    /// assert!(array.elements(space.space())?.is_equal(&expected, &Budget::unlimited())?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the space has another number of dimensions.
    pub fn elements(&self, elements: &Space) -> Result<Set> {
        let mut all = Set::universe(elements.clone());
        let tuple = elements.output().cloned().unwrap_or_default();
        for (at, extent) in self.extents.iter().enumerate() {
            all = all.lower_bound(DimKind::Out, at, &Int::ZERO);
            let Some(extent) = extent else { continue };
            let extent = extent.insert_domain(&tuple)?;
            let subscript = Aff::variable(elements, DimKind::Out, at);
            let mut below: Option<Set> = None;
            for (domain, value) in extent.pieces() {
                let own = value.gt_set(&subscript)?.intersect(domain)?;
                below = Some(below.map_or(Ok(own.clone()), |others| others.union(&own))?);
            }
            if let Some(below) = below {
                all = all.intersect(&below)?;
            }
        }
        Ok(all)
    }
}
