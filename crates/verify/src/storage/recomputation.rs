//! A program in which instances run more than once computes what the program does.
//!
//! In a program with recomputed statements ([`loopwright_scop::Recomputation`]) an instance of the program is executed once for
//! each tile that needs its value; tiles have arrays for themselves, and other statements copy values into them and out of
//! them. It computes what the program without tiles does, if
//!
//! 1. *text*: a recomputed instance is one of the program: the same operations, on the same elements, but that elements of
//!    private arrays take the place of elements of the program's, with the coordinates of the tile in front; it writes nothing
//!    else. All other
//!    statements only copy: they assign one element to another of the same type;
//! 2. *values*: each value that a recomputed instance reads was written by an instance of its own program that stands for
//!    the one whose value the program reads there, with nothing but copies in between; or it is the value
//!    that the same element had before the region, where the program reads that;
//! 3. *result*: the last value of each element that may be seen after the region was, by way of copies, written by an instance
//!    that stands for the last one of the program, and nothing else that may be seen is written;
//! 4. *cells*: all accesses of the elements of a tile are in one execution of the block that declares the local array, with
//!    no other tile, and no two elements have one cell.
//!
//! From 2 follows by induction over the instances in the order in which they run that each computes the value that it stands for:
//! values of the program are functions of the values that instances read, and a recomputed instance has no effect but on private
//! arrays. So it does not matter how often they run.
//! From 3 follows that what is seen afterwards is the same.
//!
//! 2 and 3 are checked on the dependences of both programs, which say for each read where its value comes from. Which order that
//! holds for is for [`crate::check_schedule`] to prove; that tiles may run at one time for
//! [`crate::check_parallel_loops`]: no tile reads an element that another one may be writing, and no element is written by
//! two of them, in any loop that threads share.
use crate::syntax_tree::loops::Loops;
use crate::verdict::{Proof, Violation, violation_if_any};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Aff, Budget, DimKind, Int, Map, MultiAff, Result, Set, Space, Tuple};
use loopwright_scop::{
    Access, AccessKind, ArrayId, AssignmentOperator, BodyPiece, Element, PrivateArray,
    Recomputation, RecomputedStatement, ReferenceId, Scop, Statement, StatementId,
};
use std::collections::BTreeMap;

/// A program without and with recomputed statements.
#[derive(Clone, Copy, Debug)]
pub struct RecomputingProgram<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The program in tiles.
    pub tiled: &'a Scop,
    /// Its own dependences, in its own order.
    pub own: &'a Dependences,
    /// What stands for what.
    pub recomputation: &'a Recomputation,
}

/// Checks that a program with recomputed statements, run by `loops`, computes what the program without them does, provided that
/// it runs in an order that respects its own dependences.
///
/// *Exactness.* Exact for all values of the parameters in the context, but that values may go through as many copies only as
/// there are statements that copy. *Cost.* For each read some compositions and a comparison of relations.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_recomputation(
    program: RecomputingProgram<'_>,
    loops: &Loops,
    budget: &Budget,
) -> Result<Proof> {
    let check = Check { program, budget };
    let find_violations = || {
        let mut violations = check.changed_text()?;
        if !violations.is_empty() {
            return Ok(violations);
        }
        violations.extend(check.other_values()?);
        violations.extend(check.other_results()?);
        violations.extend(check.wrong_cells(loops)?);
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

fn violation(message: String) -> Violation {
    Violation { message, example: None }
}

struct Check<'a> {
    program: RecomputingProgram<'a>,
    budget: &'a Budget,
}

/// Where values come from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    /// They were written by a reference of a statement of the program.
    Written(StatementId, ReferenceId),
    /// They are those of elements of an array before the region.
    Before(ArrayId),
}

/// From instances to the instances or elements that their values come from.
type Origins = BTreeMap<Origin, Map>;

fn add(origins: &mut Origins, origin: Origin, relation: Map) -> Result<()> {
    let known = origins.remove(&origin);
    let all = known.map_or(Ok(relation.clone()), |known| known.union(&relation))?;
    origins.insert(origin, all);
    Ok(())
}

impl<'a> Check<'a> {
    fn recomputed(&self, id: StatementId) -> Option<&'a RecomputedStatement> {
        self.program.recomputation.statements.iter().find(|known| known.statement == id)
    }

    fn private(&self, id: ArrayId) -> Option<&'a PrivateArray> {
        self.program.recomputation.arrays.iter().find(|known| known.array == id)
    }

    /// The executed statements of the tiled program that copy.
    fn copies(&self) -> impl Iterator<Item = &'a Statement> {
        let executed = self.program.tiled.statements.iter().filter(|s| !s.is_kill);
        executed.filter(|statement| self.recomputed(statement.id).is_none())
    }

    fn instance(&self, recomputed: &RecomputedStatement) -> Result<MultiAff> {
        let RecomputingProgram { original, tiled, recomputation, .. } = self.program;
        recomputed.instance(tiled, original, recomputation.n_tile)
    }

    /// 1: what the statements of the two programs differ in, beyond private arrays.
    fn changed_text(&self) -> Result<Vec<Violation>> {
        let RecomputingProgram { original, tiled, dependences, own, recomputation } = self.program;
        let n = original.arrays.len();
        let is_known = |id: &ArrayId| (id.0 as usize) < n;
        let same_arrays = tiled.arrays.len() >= n
            && original.arrays.iter().zip(&tiled.arrays).all(|(a, b)| {
                a.tuple_name == b.tuple_name
                    && a.live_out == b.live_out
                    && a.element_type == b.element_type
            })
            && tiled.arrays[n..].iter().all(|array| !array.live_out)
            && recomputation.arrays.iter().all(|array| {
                is_known(&array.of) && !is_known(&array.array) && !is_known(&array.local)
            });
        if !same_arrays || !tiled.context.is_equal(&original.context, self.budget)? {
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

    /// A relation to elements of the program as one to those of a tile.
    fn in_tile(&self, statement: &Statement, elements: &Map, array: ArrayId) -> Result<Map> {
        let name = &self.program.tiled.array(array).tuple_name;
        let anonymous = |map: &Map| {
            let space = map.space();
            let tuple = Tuple::anonymous(map.n(DimKind::Out));
            map.with_space_tuples(&space.with_tuples(space.input().cloned(), Some(tuple)))
        };
        let all = self.tile(statement)?.flat_range_product(&anonymous(elements)?)?;
        let tuple = Tuple::named(name, all.n(DimKind::Out));
        all.with_space_tuples(&all.space().with_tuples(all.space().input().cloned(), Some(tuple)))
    }

    /// From the instances of a statement to their tiles, the first coordinates.
    fn tile(&self, statement: &Statement) -> Result<Map> {
        let space = statement.domain.space();
        let n = self.program.recomputation.n_tile;
        let affs = (0..n).map(|n| Aff::variable(space, DimKind::Out, n)).collect();
        let range = Space::set(space.param_names(), Tuple::anonymous(n));
        MultiAff::new(space.map_to(&range), affs)?.to_map().intersect_domain(&statement.domain)
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

    /// Whether an element of a body is the program's or a cell of it in the tile; `subscripts` are those of the program, from
    /// the instances of `after`.
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

    /// Whether a statement assigns one element to another one of the same type, with the accesses that it says.
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

    /// Whether the text around subscripts is one by which the program names the array, or its name if the program has none.
    fn is_text_of(&self, element: &Element, array: ArrayId) -> bool {
        let original = self.program.original;
        let mut known = original.statements.iter().flat_map(|s| s.body.elements());
        match (array.0 as usize) < original.arrays.len() {
            true => known.any(|other| other.array == array && other.base == element.base),
            false => element.base.is_named(&self.program.tiled.array(array).name),
        }
    }

    /// Where the values come from that a reference of the tiled program reads: from its instances.
    fn origins(
        &self,
        reader: &Statement,
        reference: ReferenceId,
        depth: usize,
    ) -> Result<Option<Origins>> {
        let RecomputingProgram { original, tiled, own, .. } = self.program;
        let mut origins = Origins::new();
        let is_meant = |id: StatementId, r: ReferenceId| id == reader.id && r == reference;
        for live in own.live_in.iter().filter(|live| is_meant(live.statement, live.reference)) {
            if live.array.0 as usize >= original.arrays.len() {
                if !live.instances.is_empty(self.budget)? {
                    return Ok(None);
                }
                continue;
            }
            add(&mut origins, Origin::Before(live.array), live.relation.clone())?;
        }
        for flow in own.flow.iter().filter(|flow| is_meant(flow.sink.0, flow.sink.1)) {
            let source = tiled.statement(flow.source.0);
            let to_source = flow.relation.reverse();
            match self.recomputed(source.id) {
                Some(recomputed) => {
                    let instance = self.instance(recomputed)?.to_map();
                    let origin = Origin::Written(recomputed.of, flow.source.1);
                    add(&mut origins, origin, to_source.apply_range(&instance)?)?;
                }
                None if depth == 0 => return Ok(None),
                None => {
                    let Some(further) = self.origins(source, ReferenceId(1), depth - 1)? else {
                        return Ok(None);
                    };
                    for (origin, relation) in further {
                        add(&mut origins, origin, to_source.apply_range(&relation)?)?;
                    }
                }
            }
        }
        Ok(Some(origins))
    }

    /// 2: reads of other values than the program reads.
    fn other_values(&self) -> Result<Vec<Violation>> {
        let RecomputingProgram { original, dependences, tiled, recomputation, .. } = self.program;
        let mut violations = Vec::new();
        let n_copies = self.copies().count();
        for recomputed in &recomputation.statements {
            let (before, after) =
                (original.statement(recomputed.of), tiled.statement(recomputed.statement));
            let instance = self.instance(recomputed)?.to_map().intersect_domain(&after.domain)?;
            for access in before.accesses.iter().filter(|a| a.kind == AccessKind::Read) {
                let name = &original.array(access.array).name;
                let Some(found) = self.origins(after, access.reference, n_copies)? else {
                    let message =
                        format!("{} reads a value of `{name}` that nobody has written", after.name);
                    violations.push(violation(message));
                    continue;
                };
                let mut expected = Origins::new();
                let is_meant =
                    |id: StatementId, r: ReferenceId| id == before.id && r == access.reference;
                for live in
                    dependences.live_in.iter().filter(|l| is_meant(l.statement, l.reference))
                {
                    add(
                        &mut expected,
                        Origin::Before(live.array),
                        instance.apply_range(&live.relation)?,
                    )?;
                }
                for flow in dependences.flow.iter().filter(|f| is_meant(f.sink.0, f.sink.1)) {
                    let relation = instance.apply_range(&flow.relation.reverse())?;
                    add(&mut expected, Origin::Written(flow.source.0, flow.source.1), relation)?;
                }
                let message = || {
                    format!("{} reads another value of `{name}` than {}", after.name, before.name)
                };
                violations.extend(self.differences(&found, &expected, message)?);
            }
        }
        Ok(violations)
    }

    /// What two relations to origins differ in, for parameters in the context.
    fn differences(
        &self,
        found: &Origins,
        expected: &Origins,
        message: impl Fn() -> String,
    ) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        let context = &self.program.original.context;
        let mut compare = |these: &Origins, others: &Origins| -> Result<()> {
            for (origin, relation) in these {
                let relation = relation.intersect_params(context)?;
                let rest = match others.get(origin) {
                    Some(other) => relation.subtract(other, self.budget)?,
                    None => relation,
                };
                violations.extend(violation_if_any(&rest, &message, self.budget)?);
            }
            Ok(())
        };
        compare(found, expected)?;
        if violations.is_empty() {
            let mut missing = Vec::new();
            for (origin, relation) in expected {
                let relation = relation.intersect_params(context)?;
                let rest = match found.get(origin) {
                    Some(other) => relation.subtract(other, self.budget)?,
                    None => relation,
                };
                missing.extend(violation_if_any(&rest, &message, self.budget)?);
            }
            violations = missing;
        }
        Ok(violations)
    }

    /// 3: elements whose last value is another one than that of the program; as relations from elements to origins.
    fn other_results(&self) -> Result<Vec<Violation>> {
        let RecomputingProgram { original, dependences, tiled, own, .. } = self.program;
        let n_copies = self.copies().count();
        let mut violations = Vec::new();
        for (position, array) in (0u32..).zip(&original.arrays) {
            let id = ArrayId(position);
            let mut expected = Origins::new();
            for live in dependences.live_out.iter().filter(|live| live.array == id) {
                let origin = Origin::Written(live.statement, live.reference);
                add(&mut expected, origin, live.relation.reverse())?;
            }
            let mut found = Origins::new();
            for live in own.live_out.iter().filter(|live| live.array == id) {
                let from_elements = live.relation.reverse();
                if let Some(recomputed) = self.recomputed(live.statement) {
                    let origin = Origin::Written(recomputed.of, live.reference);
                    let instance = self.instance(recomputed)?.to_map();
                    add(&mut found, origin, from_elements.apply_range(&instance)?)?;
                    continue;
                }
                let copy = tiled.statement(live.statement);
                match self.origins(copy, ReferenceId(1), n_copies)? {
                    Some(origins) => {
                        for (origin, relation) in origins {
                            add(&mut found, origin, from_elements.apply_range(&relation)?)?;
                        }
                    }
                    None => {
                        let message =
                            format!("`{}` gets a value that nobody has written", array.name);
                        violations.push(violation(message));
                    }
                }
            }
            let message = || format!("the last value of `{}` is another one", array.name);
            violations.extend(self.differences(&found, &expected, message)?);
        }
        Ok(violations)
    }

    /// 4: elements that share a cell, cells that do not exist, and tiles that share a block.
    fn wrong_cells(&self, loops: &Loops) -> Result<Vec<Violation>> {
        let tiled = self.program.tiled;
        let most = loops.calls.iter().map(|call| call.instances.n(DimKind::In)).max().unwrap_or(0);
        let mut violations = Vec::new();
        for private in &self.program.recomputation.arrays {
            let local = tiled.array(private.local);
            let name = &local.name;
            let mut used: Option<Set> = None;
            let mut blocks: Option<Map> = None;
            for call in &loops.calls {
                let statement = call.statement().and_then(|name| tiled.statement_named(name));
                let Some(statement) = statement else { continue };
                let own = statement.accesses.iter().filter(|access| access.array == private.array);
                let mut accesses = false;
                for access in own {
                    let elements = access.relation.range().intersect_params(&tiled.context)?;
                    used = Some(used.map_or(Ok(elements.clone()), |used| used.union(&elements))?);
                    accesses = true;
                }
                if !accesses {
                    continue;
                }
                let block = call.blocks.iter().rev().find(|block| block.array == local.tuple_name);
                let Some(block) = block else {
                    violations
                        .push(violation(format!("`{name}` is accessed outside of its block")));
                    continue;
                };
                let n = call.instances.n(DimKind::In);
                let outside = call.instances.project_out(DimKind::In, block.depth, n - block.depth);
                let tiles = outside.apply_range(&self.tile(statement)?)?;
                let tiles = numbered(&tiles, block.number, most)?;
                blocks = Some(blocks.map_or(Ok(tiles.clone()), |known| known.union(&tiles))?);
            }
            if let Some(blocks) = blocks {
                violations.extend(self.shared_blocks(name, &blocks)?);
            }
            if let Some(used) = used {
                violations.extend(self.outside_of_extents(private, &used)?);
            }
            if !private.cells.to_map().is_injective(self.budget)?
                && !self.is_injective_in_tile(private)?
            {
                violations.push(violation(format!("elements of a tile share a cell of `{name}`")));
            }
        }
        Ok(violations)
    }

    /// Tiles that use one block, and blocks that are used by several tiles.
    fn shared_blocks(&self, name: &str, blocks: &Map) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        if !blocks.is_single_valued(self.budget)? {
            violations.push(violation(format!("two tiles use the same `{name}`")));
        }
        if !blocks.is_injective(self.budget)? {
            violations.push(violation(format!("a tile uses several arrays `{name}`")));
        }
        Ok(violations)
    }

    /// Whether no two elements of one tile have the same cell.
    fn is_injective_in_tile(&self, private: &PrivateArray) -> Result<bool> {
        let space = private.cells.space();
        let n = self.program.recomputation.n_tile;
        let all = Map::universe(space.domain().map_to(&space.domain()));
        let same_tile =
            (0..n).fold(all, |map, dim| map.equate(DimKind::In, dim, DimKind::Out, dim));
        let cells = private.cells.to_map();
        let same_cell = cells.apply_range(&cells.reverse())?.intersect(&same_tile)?;
        same_cell.is_subset(&Map::identity(&space.domain()), self.budget)
    }

    /// Cells beyond the extents of a local array.
    fn outside_of_extents(&self, private: &PrivateArray, used: &Set) -> Result<Vec<Violation>> {
        let local = self.program.tiled.array(private.local);
        let cells = used.apply(&private.cells.to_map())?;
        let mut violations = Vec::new();
        if local.extents.len() != cells.n(DimKind::Out) {
            violations.push(violation(format!("`{}` has other dimensions", local.name)));
        }
        for (position, extent) in local.extents.iter().enumerate() {
            let extent = extent.as_ref().and_then(|e| e.as_aff()?.constant_value()?.to_int());
            let Some(extent) = extent else {
                violations
                    .push(violation(format!("the extents of `{}` are not constant", local.name)));
                continue;
            };
            let below = cells.upper_bound(DimKind::Out, position, &-&Int::ONE);
            let above = cells.lower_bound(DimKind::Out, position, &extent);
            for outside in [below, above] {
                let message = || format!("a cell of `{}` is outside of its extents", local.name);
                violations.extend(violation_if_any(outside.as_map(), message, self.budget)?);
            }
        }
        Ok(violations)
    }
}

/// The elements that a part of a statement's body names: `{ S[..] -> [subscripts] }`.
fn elements(statement: &Statement, element: &Element) -> Result<Map> {
    let nothing = Space::set(statement.domain.space().param_names(), Tuple::anonymous(0));
    let mut relation = Map::from_domain_and_range(&statement.domain, &Set::universe(nothing))?;
    for subscript in &element.subscripts {
        relation = relation.flat_range_product(&subscript.to_map())?;
    }
    Ok(relation)
}

/// The same relation to a tuple without a name.
fn anonymous(relation: &Map) -> Result<Map> {
    let space = relation.space();
    let tuple = Tuple::anonymous(relation.n(DimKind::Out));
    relation.with_space_tuples(&space.with_tuples(space.input().cloned(), Some(tuple)))
}

/// From the number of a block and the iterators around it, with zeros up to `n` of them.
fn numbered(blocks: &Map, number: usize, n: usize) -> Result<Map> {
    let depth = blocks.n(DimKind::In);
    let mut all = blocks.insert_dims(DimKind::In, depth, n.saturating_sub(depth));
    for further in depth..n {
        all = all.fix(DimKind::In, further, &Int::ZERO);
    }
    let number = Int::from(i64::try_from(number).unwrap_or(i64::MAX));
    Ok(all.insert_dims(DimKind::In, 0, 1).fix(DimKind::In, 0, &number))
}
