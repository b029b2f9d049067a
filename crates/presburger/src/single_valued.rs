//! Whether relations are functions.
//!
//! # Method
//! A piece whose equalities determine every output dimension is a function, which is visible
//! without solving anything. Otherwise, and for pairs of pieces, the images `y, y'` of a common
//! domain element are formed as the relation `y -> y'` and compared with the identity.
use crate::*;

/// Whether every output dimension is a function of the input by the equalities alone.
fn is_plainly_single_valued(basic: &BasicMap) -> bool {
    let outputs = basic.offset(DimKind::Out)..basic.offset(DimKind::Local);
    let mut known: Vec<bool> = (0..basic.n_columns()).map(|c| c < outputs.start).collect();
    loop {
        let mut changed = false;
        for (index, local) in basic.locals().iter().enumerate() {
            let column = outputs.end + index;
            if let Local::Floor { numerator, .. } = local
                && !known[column]
                && (1..numerator.len()).all(|c| known[c] || numerator.is_zero_at(c))
            {
                known[column] = true;
                changed = true;
            }
        }
        for row in basic.equalities() {
            let mut open = (1..row.len()).filter(|&c| !known[c] && !row.is_zero_at(c));
            if let (Some(column), None) = (open.next(), open.next()) {
                known[column] = true;
                changed = true;
            }
        }
        if !changed {
            return outputs.into_iter().all(|column| known[column]);
        }
    }
}

/// Whether the images of common domain elements agree.
fn agree(a: &BasicMap, b: &BasicMap, budget: &Budget) -> Result<bool> {
    let (a, b) = (Map::from_basic_map(a.clone()), Map::from_basic_map(b.clone()));
    let images = match a.space().is_map() {
        true => a.reverse().apply_range_within(&b, budget)?,
        false => Map::from_domain_and_range(&Set(a.clone()), &Set(b))?,
    };
    images.is_subset(&Map::identity(&a.space().range()), budget)
}

impl Map {
    /// Whether every element of the domain has one image.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// assert!(Map::parse("{ [i] -> [j] : 2j <= i <= 2j + 1 }")?.is_single_valued(budget)?);
    /// assert!(!Map::parse("{ [i] -> [j] : 2j <= i <= 2j + 2 }")?.is_single_valued(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn is_single_valued(&self, budget: &Budget) -> Result<bool> {
        for (index, basic) in self.basics.iter().enumerate() {
            for other in &self.basics[index + 1..] {
                if !agree(basic, other, budget).during("is_single_valued")? {
                    return Ok(false);
                }
            }
            if !is_plainly_single_valued(basic)
                && !agree(basic, basic, budget).during("is_single_valued")?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every element of the range has one origin.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// assert!(Map::parse("{ [i] -> [2i] }")?.is_injective(budget)?);
    /// assert!(!Map::parse("{ [i] -> [floor(i/2)] }")?.is_injective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn is_injective(&self, budget: &Budget) -> Result<bool> {
        self.reverse().is_single_valued(budget).during("is_injective")
    }

    /// Both.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Map};
    /// let budget = &Budget::unlimited();
    /// assert!(Map::parse("{ [i, j] -> [j, i] }")?.is_bijective(budget)?);
    /// assert!(!Map::parse("{ [i, j] -> [i + j] }")?.is_bijective(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn is_bijective(&self, budget: &Budget) -> Result<bool> {
        Ok(self.is_single_valued(budget).during("is_bijective")?
            && self.is_injective(budget).during("is_bijective")?)
    }
}

impl Set {
    /// Whether there is at most one point for every value of the parameters.
    ///
    /// *Method.* A set is a relation from the parameters to its points; it has this property if
    /// that relation is single-valued.
    ///
    /// ```
    /// # use loopwright_presburger::{Budget, Set};
    /// let budget = &Budget::unlimited();
    /// assert!(Set::parse("[n] -> { [i] : 4i <= n < 4i + 4 }")?.is_singleton(budget)?);
    /// assert!(!Set::parse("[n] -> { [i] : 4i <= n <= 4i + 4 }")?.is_singleton(budget)?);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exceeded`].
    pub fn is_singleton(&self, budget: &Budget) -> Result<bool> {
        let Some(tuple) = self.space().output() else { return Ok(true) };
        let space = self.space().with_tuples(Some(Tuple::anonymous(0)), Some(tuple.clone()));
        self.0.with_space(space).is_single_valued(budget)
    }
}
