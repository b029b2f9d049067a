//! The function whose graph is a relation.
use crate::*;
impl PwMultiAff {
    /// The function whose graph is a single-valued relation (error if it is not).
    pub fn from_map(map: &Map, budget: &Budget) -> Result<Self> {
        map.lexmin_pw_multi_aff(budget)
    }
}
