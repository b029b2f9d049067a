//! Simplification of expressions inside a context.
use crate::*;
impl Aff {
    /// A simpler expression that is equal inside `context`.
    pub fn gist(&self, context: &Set, budget: &Budget) -> Result<Self> {
        let _ = budget;
        Ok(self.align_params(context.space()))
    }
}
