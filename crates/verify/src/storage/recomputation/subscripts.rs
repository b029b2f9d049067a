//! 5: subscripts outside of those that the program has.
use super::{Check, RecomputingProgram};
use crate::verdict::{Violation, violation, violation_if_any};
use loopwright_presburger::{DimKind, Map, Result, Set, Tuple};
use loopwright_scop::{ArrayId, Scop};

impl Check<'_> {
    /// Subscripts of arrays of the program and of their buffers that are outside of those that the program
    /// has.
    pub(super) fn other_subscripts(&self) -> Result<Vec<Violation>> {
        let RecomputingProgram { original, tiled, recomputation, .. } = self.program;
        let mut violations = Vec::new();
        for (position, array) in (0u32..).zip(&tiled.arrays) {
            let id = ArrayId(position);
            let buffer = recomputation.buffers.iter().find(|buffer| buffer.array == id);
            let of = buffer.map_or(id, |buffer| buffer.of);
            if of.0 as usize >= original.arrays.len() {
                continue;
            }
            let Some(own) = accessed(tiled, id)? else { continue };
            let message = || {
                format!("an element of `{}` is outside of what the program accesses", array.name)
            };
            let Some(program) = accessed(original, of)? else {
                violations.push(violation(message()));
                continue;
            };
            for dimension in 0..own.n(DimKind::Out) {
                let inside = between(&one_dimension(&program, dimension)?)?;
                let outside = one_dimension(&own, dimension)?.subtract(&inside, self.budget)?;
                violations.extend(violation_if_any(outside.as_map(), message, self.budget)?);
            }
        }
        Ok(violations)
    }
}

/// The elements of an array that executed statements access; none if there are no such accesses.
pub(super) fn accessed(scop: &Scop, array: ArrayId) -> Result<Option<Set>> {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let own = executed.flat_map(|s| &s.accesses).filter(|access| access.array == array);
    let mut all: Option<Set> = None;
    for access in own {
        let elements = access.relation.range().intersect_params(&scop.context)?;
        all = Some(all.map_or(Ok(elements.clone()), |all| all.union(&elements))?);
    }
    Ok(all)
}

/// The values of one dimension of a set.
fn one_dimension(set: &Set, dimension: usize) -> Result<Set> {
    let n = set.n(DimKind::Out);
    let rest = set.project_out(DimKind::Out, dimension + 1, n - dimension - 1);
    let one = rest.project_out(DimKind::Out, 0, dimension);
    one.with_space_tuples(&one.space().with_tuples(None, Some(Tuple::anonymous(1))))
}

/// The integers between two values of a set.
fn between(values: &Set) -> Result<Set> {
    let (above, below) = (Map::lex_le(values.space()), Map::lex_ge(values.space()));
    values.apply(&above)?.intersect(&values.apply(&below)?)
}
