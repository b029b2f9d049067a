//! 1: what the two programs say is the same, but for elements of private arrays.
use super::{Check, RecomputingProgram, anonymous, elements};
use crate::verdict::{Violation, violation};
use loopwright_presburger::{DimKind, Map, MultiAff, Result};
use loopwright_scop::{
    Access, AccessKind, ArrayId, AssignmentOperator, BodyPiece, Element, Recomputation,
    RecomputedStatement, Scop, Statement, StatementId,
};

impl Check<'_> {
    /// What the statements of the two programs differ in, beyond private arrays.
    pub(super) fn changed_text(&self) -> Result<Vec<Violation>> {
        let RecomputingProgram { original, tiled, dependences, own, recomputation } = self.program;
        if !self.names_what_there_is() {
            return Ok(vec![violation("a statement or an array is missing".into())]);
        }
        if !self.has_same_arrays() || !tiled.context.is_equal(&original.context, self.budget)? {
            return Ok(vec![violation("the arrays of the program have changed".into())]);
        }
        if !dependences.is_exact || !own.is_exact {
            return Ok(vec![violation("where values come from is not known exactly".into())]);
        }
        let mut violations = Vec::new();
        for statement in original.statements.iter().filter(|s| !s.is_kill) {
            let mut all = recomputation.statements.iter().filter(|known| known.of == statement.id);
            if all.next().is_none() {
                violations.push(violation(format!("{} is not executed", statement.name)));
            }
        }
        for recomputed in &recomputation.statements {
            let statement = tiled.statement(recomputed.statement);
            if !self.is_same_statement(recomputed)? {
                let name = &original.statement(recomputed.of).name;
                violations.push(violation(format!("{} is not {name}", statement.name)));
            }
        }
        for copy in self.copies().filter(|copy| !self.is_copy(copy)) {
            violations.push(violation(format!("{} does not copy", copy.name)));
        }
        Ok(violations)
    }

    /// Whether the program's arrays are those of the tiled program, and what is added stands for them.
    fn has_same_arrays(&self) -> bool {
        let RecomputingProgram { original, tiled, recomputation, .. } = self.program;
        let n = original.arrays.len();
        let is_known = |id: &ArrayId| (id.0 as usize) < n;
        tiled.arrays.len() >= n
            && original.arrays.iter().zip(&tiled.arrays).all(|(a, b)| {
                a.tuple_name == b.tuple_name
                    && a.live_out == b.live_out
                    && a.element_type == b.element_type
            })
            && tiled.arrays[n..].iter().all(|array| !array.live_out)
            && recomputation.arrays.iter().all(|array| {
                is_known(&array.of) && !is_known(&array.array) && !is_known(&array.local)
            })
            && recomputation.buffers.iter().all(|buffer| {
                let (own, of) = (tiled.array(buffer.array), tiled.array(buffer.of));
                is_known(&buffer.of)
                    && !is_known(&buffer.array)
                    && own.extent_texts == of.extent_texts
            })
    }

    /// Whether all that is said to stand for something exists, and every array is one of the program's, of a
    /// tile, or a buffer.
    fn names_what_there_is(&self) -> bool {
        let RecomputingProgram { original, tiled, recomputation, .. } = self.program;
        let Recomputation { statements, arrays, buffers, .. } = recomputation;
        let is_array = |id: &ArrayId, scop: &Scop| (id.0 as usize) < scop.arrays.len();
        let is_statement = |id: &StatementId, scop: &Scop| (id.0 as usize) < scop.statements.len();
        let known = |id: ArrayId| {
            arrays.iter().any(|array| array.array == id || array.local == id)
                || buffers.iter().any(|buffer| buffer.array == id)
        };
        let mut added = (0u32..).map(ArrayId).zip(&tiled.arrays).skip(original.arrays.len());
        statements
            .iter()
            .all(|s| is_statement(&s.statement, tiled) && is_statement(&s.of, original))
            && arrays.iter().all(|array| {
                is_array(&array.of, original)
                    && is_array(&array.array, tiled)
                    && is_array(&array.local, tiled)
            })
            && buffers.iter().all(|b| is_array(&b.of, original) && is_array(&b.array, tiled))
            && added.all(|(id, _)| known(id))
            && self.has_tiles_in_front()
    }

    /// Whether the statements that access arrays of tiles have the coordinates of one.
    fn has_tiles_in_front(&self) -> bool {
        let RecomputingProgram { tiled, recomputation, .. } = self.program;
        let is_in_tile = |s: &&Statement| {
            self.recomputed(s.id).is_some()
                || s.accesses.iter().any(|access| self.private(access.array).is_some())
        };
        let mut in_tiles = tiled.statements.iter().filter(is_in_tile);
        in_tiles.all(|s| s.domain.n(DimKind::Out) >= recomputation.n_tile)
    }

    fn is_same_statement(&self, recomputed: &RecomputedStatement) -> Result<bool> {
        let before = self.program.original.statement(recomputed.of);
        let after = self.program.tiled.statement(recomputed.statement);
        let instance = self.instance(recomputed)?;
        let image = after.domain.apply(&instance.to_map())?;
        Ok(!after.is_kill
            && after
                .accesses
                .iter()
                .all(|a| a.kind == AccessKind::Read || self.private(a.array).is_some())
            && image.is_subset(&before.domain, self.budget)?
            && self.has_same_accesses(before, after, &instance)?
            && self.has_same_body(before, after, &instance)?)
    }

    fn has_same_accesses(
        &self,
        before: &Statement,
        after: &Statement,
        instance: &MultiAff,
    ) -> Result<bool> {
        if before.accesses.len() != after.accesses.len() {
            return Ok(false);
        }
        for (a, b) in before.accesses.iter().zip(&after.accesses) {
            let own = instance.to_map().apply_range(&a.relation)?;
            let own = own.intersect_domain(&after.domain)?;
            let expected = match self.private(b.array) {
                Some(private) if private.of == a.array => self.in_tile(after, &own, b.array)?,
                _ if b.array == a.array => own,
                _ => return Ok(false),
            };
            let same = a.reference == b.reference
                && a.kind == b.kind
                && matches!(a.kind, AccessKind::Read | AccessKind::MustWrite);
            if !same || !b.relation.is_equal(&expected, self.budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn has_same_body(
        &self,
        before: &Statement,
        after: &Statement,
        instance: &MultiAff,
    ) -> Result<bool> {
        let (a, b) = (before.body.pieces(), after.body.pieces());
        if a.len() != b.len() {
            return Ok(false);
        }
        let privatized =
            |array: &ArrayId| self.program.recomputation.arrays.iter().any(|p| p.of == *array);
        for (a, b) in a.iter().zip(&b) {
            let same = match (a, b) {
                (BodyPiece::Text(a), BodyPiece::Text(b)) => a == b,
                (BodyPiece::Hidden(a), BodyPiece::Hidden(b)) => a == b && !privatized(a),
                (BodyPiece::Affine(a), BodyPiece::Affine(b)) => {
                    let a = a.pullback_multi_aff(instance)?.to_map();
                    let (a, b) = (a.intersect_domain(&after.domain)?, b.to_map());
                    a.is_equal(&b.intersect_domain(&after.domain)?, self.budget)?
                }
                (BodyPiece::Element(a), BodyPiece::Element(b)) => {
                    let subscripts = elements(before, a)?;
                    let subscripts = instance.to_map().apply_range(&subscripts)?;
                    let subscripts = subscripts.intersect_domain(&after.domain)?;
                    self.is_same_element(a, b, &subscripts, after)?
                }
                _ => false,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether an element of a body is the program's or a cell of it in the tile; `subscripts` are those of
    /// the program, from the instances of `after`.
    fn is_same_element(
        &self,
        a: &Element,
        b: &Element,
        subscripts: &Map,
        after: &Statement,
    ) -> Result<bool> {
        let private = self.program.recomputation.arrays.iter().find(|p| p.of == a.array);
        let own = elements(after, b)?;
        let Some(private) = private else {
            return Ok(a.base == b.base
                && a.array == b.array
                && own.is_equal(subscripts, self.budget)?);
        };
        let (local, of) =
            (self.program.tiled.array(private.local), self.program.original.array(private.of));
        let cells = self.in_tile(after, subscripts, private.array)?;
        let cells = cells.apply_range(&private.cells.to_map())?;
        Ok(b.array == private.local
            && b.base.is_named(&local.name)
            && a.base.is_contiguous()
            && local.element_type == of.element_type
            && own.is_equal(&cells, self.budget)?)
    }

    /// Whether a statement assigns one element to another one of the same type, with the accesses that it
    /// says.
    fn is_copy(&self, copy: &Statement) -> bool {
        let tiled = self.program.tiled;
        let Some(assigned) = copy.body.plain_assignment() else { return false };
        let Some(source) = assigned.value.as_element() else { return false };
        let [written, read] = &copy.accesses[..] else { return false };
        let fits = |access: &Access, element: &Element| {
            self.is_access(copy, access, element).unwrap_or(false)
        };
        let has_type = |array: ArrayId| &tiled.array(array).element_type;
        assigned.operator == AssignmentOperator::Set
            && written.kind == AccessKind::MustWrite
            && read.kind == AccessKind::Read
            && has_type(written.array) == has_type(read.array)
            && fits(written, assigned.target)
            && fits(read, source)
    }

    /// Whether the element of a copy is that of an access, or the cell of it.
    fn is_access(&self, copy: &Statement, access: &Access, element: &Element) -> Result<bool> {
        let own = elements(copy, element)?;
        let accessed = access.relation.intersect_domain(&copy.domain)?;
        let array = self.program.tiled.array(access.array);
        match self.private(access.array) {
            Some(private) => {
                let is_named = element.base.is_named(&self.program.tiled.array(private.local).name);
                let first = self.program.recomputation.n_tile;
                let tile = anonymous(&accessed)?.project_out(
                    DimKind::Out,
                    first,
                    accessed.n(DimKind::Out) - first,
                );
                Ok(element.array == private.local
                    && is_named
                    && tile.is_equal(&self.tile(copy)?, self.budget)?
                    && own
                        .is_equal(&accessed.apply_range(&private.cells.to_map())?, self.budget)?)
            }
            None => Ok(element.array == access.array
                && self.is_text_of(element, access.array)
                && array.extents.len() == element.subscripts.len()
                && own.is_equal(&anonymous(&accessed)?, self.budget)?),
        }
    }

    /// Whether the text around subscripts is one by which the program names the array, or its name if the
    /// program has none.
    fn is_text_of(&self, element: &Element, array: ArrayId) -> bool {
        let original = self.program.original;
        let mut known = original.statements.iter().flat_map(|s| s.body.elements());
        match (array.0 as usize) < original.arrays.len() {
            true => known.any(|other| other.array == array && other.base == element.base),
            false => element.base.is_named(&self.program.tiled.array(array).name),
        }
    }
}
