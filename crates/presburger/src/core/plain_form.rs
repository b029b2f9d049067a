//! Relations compared by how they are written down, whatever their tuples are called.
use crate::core::basic_map::BasicMap;
use crate::core::map::Map;
use std::hash::{Hash, Hasher};

/// A relation as a key: two are equal if they have the same parameters, the same pieces and the same
/// conditions, written down in the same order, over tuples with the same numbers of dimensions.
///
/// Relations between the statements of a program are most often copies of a few forms; what is
/// computed from them is then computed once per form.
///
/// ```
/// use loopwright_presburger::{Map, PlainForm};
/// let form = |text: &str| Map::parse(text).map(PlainForm::new);
/// assert!(form("{ S[i] -> A[i + 1] }")? == form("{ T[j] -> B[j + 1] }")?);
/// assert!(form("{ S[i] -> A[i + 1] }")? != form("{ S[i] -> A[i] }")?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlainForm(Map);

impl PlainForm {
    /// The form of a relation. Cost: none.
    ///
    /// ```
    /// use loopwright_presburger::{Map, PlainForm};
    /// let map = Map::parse("{ S[i] -> A[i] }")?;
    /// assert_eq!(PlainForm::new(map.clone()).map().to_string(), map.to_string());
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn new(map: Map) -> Self {
        PlainForm(map)
    }

    /// The relation that it was made from.
    ///
    /// ```
    /// use loopwright_presburger::{Map, PlainForm};
    /// let form = PlainForm::new(Map::parse("{ S[i] -> A[i] }")?);
    /// assert_eq!(form.map().to_string(), "{ S[i] -> A[i] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    pub fn map(&self) -> &Map {
        &self.0
    }
}

impl PartialEq for PlainForm {
    fn eq(&self, other: &Self) -> bool {
        let (a, b) = (&self.0, &other.0);
        let same = |(a, b): (&BasicMap, &BasicMap)| {
            a.inner.empty == b.inner.empty
                && a.inner.locals == b.inner.locals
                && a.inner.equalities == b.inner.equalities
                && a.inner.inequalities == b.inner.inequalities
        };
        a.space.has_equal_params(&b.space)
            && a.space.has_equal_dims(&b.space)
            && a.basics.len() == b.basics.len()
            && a.basics.iter().zip(&b.basics).all(same)
    }
}

impl Eq for PlainForm {}

impl Hash for PlainForm {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for basic in &self.0.basics {
            basic.inner.locals.hash(state);
            basic.inner.equalities.hash(state);
            basic.inner.inequalities.hash(state);
        }
    }
}
