//! Strips: loops over as many values as there are threads, or as a constant says.
use super::extents::{distance, ends, starts};
use loopwright_astgen::{AstExpr, ForLoop};

/// As many values as asked for, of which a loop takes some.
pub(super) struct Strip {
    /// The first value.
    pub(super) start: AstExpr,
    /// The condition that the loop takes a value; none if it takes all of them.
    pub(super) condition: Option<AstExpr>,
}

impl Strip {
    /// The `n` values from a start on that is as asked for.
    pub(super) fn of(
        each: &ForLoop,
        n: i64,
        may_start: &dyn Fn(&AstExpr) -> bool,
    ) -> Option<Strip> {
        let ends = ends(each).filter(|_| each.increment.is_one())?;
        let starts = starts(each);
        let is_strip = |start: &&AstExpr| {
            may_start(start) && ends.iter().any(|end| distance(end, start) == Some(n))
        };
        let strip = starts.iter().find(is_strip)?;
        let iterator = || Box::new(AstExpr::Id(each.iterator.clone()));
        let before: Vec<AstExpr> = starts.iter().filter(|start| *start != strip).cloned().collect();
        let is_needed = |end: &&AstExpr| distance(end, strip) != Some(n);
        let after: Vec<AstExpr> = ends.iter().filter(is_needed).cloned().collect();
        let mut conditions = Vec::new();
        if !before.is_empty() {
            conditions.push(AstExpr::Ge(iterator(), Box::new(AstExpr::max(before))));
        }
        if !after.is_empty() {
            conditions.push(AstExpr::Lt(iterator(), Box::new(AstExpr::min(after))));
        }
        let condition = (!conditions.is_empty()).then(|| AstExpr::and(conditions));
        Some(Strip { start: strip.clone(), condition })
    }
}
