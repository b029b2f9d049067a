//! A program whose tiles have boxes of arrays for themselves computes what the program does.
//!
//! Here whole parts of the tree, the *tiles* below the marks that declare promoted arrays, execute statements
//! of the program on elements of these, in place of those of arrays of the program. Statements that were
//! added fill them from the arrays (`tile[x] = A[x]`) and store them back. So promoted arrays are caches,
//! which are filled and written back by tile.
//!
//! # What is checked
//! Beside text and extents ([`super`]), and that statements of the program have no further instances:
//!
//! 1. *order*: the tree without the added statements respects the dependences of the program, so each read
//!    finds in it the value that it finds in the program, and the last value of each element is the
//!    program's;
//! 2. *names*: one mark declares each promoted array. All that statements of the program do with its array,
//!    they do with elements of the promoted one: that of an access has the values of the loops around the
//!    mark in front, then the subscripts of the program; so a tile has one element for each of the program's,
//!    and no other. Each cell in the text stands for the element of the access at its place: cells are one
//!    function of elements, that of the statements that fill them, which takes no two elements of a tile to
//!    one cell. All added statements assign one of these elements to the other;
//! 3. *turns*: each element is filled before all that the tile does with it, and stored after it;
//! 4. *filled*: what a tile reads, unless it has written it before itself, has been filled, and so has been
//!    what is stored, unless the tile has written it;
//! 5. *stored*: what a tile writes for a read in another one, or to be seen after the region, is stored.
//!
//! # Why that suffices
//! All instances of a tile follow each other in the order of the tree: they agree in the values of the loops
//! around its mark, of which there is one. By induction over tiles in that order: before each tile the memory
//! of the program's array has, for each element that is read later in another tile than the one that wrote
//! it, or seen afterwards, the value that it has in the program without copies in the same order. A tile
//! fills (4) its elements with these values; then its reads find what they find without copies, as nothing
//! else changes its elements (2, 3). What it stores is what it has computed last of an element, or what it
//! has filled, which is what was there. What others read of it is stored (5), as the value that flows to
//! another tile is the last one of its tile. So it holds before the next one.
//!
//! That blocks and threads at one time keep the order of the program with copies is for
//! [`crate::check_parallel_loops`] and the check of barriers, on the dependences of the program and all pairs
//! of accesses of which one is of a statement that copies ([`Dependences::beside_copies`]). Two statements of
//! the program access one element of a promoted array where they access one of the program's in one tile (2),
//! and a chain of dependences between them stays in that tile, as all of it is in the order of the tree.
use super::owners::{Place, places_in, values};
use super::{Check, PromotedProgram, anonymous, elements};
use crate::order::schedule::{Times, check_schedule};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::Dependence;
#[cfg(doc)]
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Map, Result, Set, Space, Tuple, UnionSet};
use loopwright_schedule::{LocalMark, Node, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, ArrayId, PromotedArray, ReferenceId, Statement, StatementId,
};

/// Checks that a program whose tiles have boxes of arrays for themselves, with the order of `tree`, computes
/// what the program does.
///
/// *Exactness.* Exact for all values of the parameters in the context. *Cost.* That of [`check_schedule`],
/// and for each access of a promoted array some compositions and a subtraction.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_cached_tiles(
    program: PromotedProgram<'_>,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<Proof> {
    let PromotedProgram { original, dependences, .. } = program;
    let executed = original.statements.iter().filter(|statement| !statement.is_kill);
    let executed = executed.map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), executed);
    let without_copies = ScheduleTree::new(domain, tree.root.clone());
    let order = check_schedule(original, dependences, &without_copies, budget)?;
    if !order.is_proved() {
        return Ok(order);
    }
    let check = Check { program, budget };
    let find_violations = || {
        let mut violations = check.changed_text()?;
        if !violations.is_empty() {
            return Ok(violations);
        }
        violations.extend(check.further_instances()?);
        violations.extend(check.outside_of_extents()?);
        violations.extend(check.wrong_parts()?);
        let times = Times::new(program.promoted, &tree.flatten_on_whole_spaces()?);
        let (places, misplaced) = places_in(tree)?;
        violations.extend(misplaced);
        let mut cached = Vec::new();
        for array in &program.promotion.arrays {
            match check.cache(array, (tree, &places))? {
                Ok(cache) if cached.contains(&cache.of) => {
                    let message = format!("`{}` is one of two of its array", cache.name);
                    violations.push(violation(message));
                }
                Ok(cache) if violations.is_empty() => {
                    cached.push(cache.of);
                    violations.extend(check.wrong_cache(&cache, &times)?);
                }
                Ok(_) => {}
                Err(other) => violations.push(other),
            }
        }
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

/// An access of a promoted array: who, which one, and to which elements.
struct CacheAccess<'a> {
    statement: &'a Statement,
    reference: ReferenceId,
    kind: AccessKind,
    elements: Map,
    /// From instances to their tiles.
    tiles: Map,
    /// The cells that the text names.
    cells: Map,
}

/// A promoted array as a cache of one of the program's.
struct Cache<'a> {
    name: &'a str,
    of: ArrayId,
    fills: Vec<CacheAccess<'a>>,
    stores: Vec<CacheAccess<'a>>,
    /// Those of the program's statements.
    used: Vec<CacheAccess<'a>>,
}

impl Cache<'_> {
    fn use_of(&self, end: (StatementId, ReferenceId)) -> Option<&CacheAccess<'_>> {
        self.used.iter().find(|own| (own.statement.id, own.reference) == end)
    }
}

impl<'a> Check<'a> {
    /// Statements that have more instances than in the program.
    fn further_instances(&self) -> Result<Vec<Violation>> {
        let PromotedProgram { original, promoted, .. } = self.program;
        let mut violations = Vec::new();
        for (before, after) in original.statements.iter().zip(&promoted.statements) {
            let whole = after.domain.intersect_params(&original.context)?;
            let more = whole.subtract(&before.domain, self.budget)?;
            let message = || format!("{} has instances that the program has not", after.name);
            violations.extend(violation_if_any(more.as_map(), message, self.budget)?);
        }
        Ok(violations)
    }

    /// Cells of the program's statements that stand for another element than the access at their place.
    fn wrong_parts(&self) -> Result<Vec<Violation>> {
        let PromotedProgram { original, promoted, .. } = self.program;
        let mut violations = Vec::new();
        for (before, after) in original.statements.iter().zip(&promoted.statements) {
            let mut is_right = before.accesses.len() == after.accesses.len();
            for hole in self.holes(before, after).unwrap_or_default() {
                let array = self.with_cells(hole.cell.array);
                let (Some(array), Some(part)) = (array, hole.part.as_element()) else {
                    is_right = false;
                    continue;
                };
                let part_of = elements(before, part)?;
                let reads = self.reads_in_order(after, array);
                let own = reads.iter().flatten().find(|(_, cell)| std::ptr::eq(*cell, hole.cell));
                let pairs = before.accesses.iter().zip(&after.accesses);
                for (a, b) in pairs.filter(|(_, b)| b.array == array.elements) {
                    let is_meant = match (&reads, own) {
                        (Some(_), Some((access, _))) => access.reference == b.reference,
                        (Some(_), None) => false,
                        (None, _) => true,
                    };
                    if is_meant {
                        let known = anonymous(&a.relation)?.intersect_domain(&before.domain)?;
                        let same =
                            part.array == a.array && known.is_equal(&part_of, self.budget)?;
                        is_right &= same && a.kind == b.kind && a.reference == b.reference;
                    }
                }
                is_right &= reads.is_none() || own.is_some();
            }
            if !is_right {
                let message = format!("{} has a cell that stands for something else", after.name);
                violations.push(violation(message));
            }
        }
        Ok(violations)
    }

    /// 2: a promoted array as a cache; or why it is none.
    fn cache(
        &self,
        array: &PromotedArray,
        (tree, places): (&ScheduleTree, &[Place]),
    ) -> Result<std::result::Result<Cache<'a>, Violation>> {
        let PromotedProgram { original, promoted, .. } = self.program;
        let name = &promoted.array(array.cells).tuple_name;
        let is_own = |node: &&Node| matches!(node, Node::Mark(text, _) if LocalMark::parse(text).is_some_and(|mark| mark.array == *name));
        let mut n_marks = 0;
        tree.root.for_each(&mut |node| n_marks += usize::from(is_own(&node)));
        let wrong = |what: &str| Ok(Err(violation(format!("`{name}` {what}"))));
        if n_marks != 1 {
            return wrong("is not declared at one place");
        }
        let Some(of) = self.cached_array(array) else {
            return wrong("is not filled from one array and stored to it");
        };
        let (mut fills, mut stores, mut used) = (Vec::new(), Vec::new(), Vec::new());
        for after in &promoted.statements {
            for access in after.accesses.iter().filter(|own| own.array == array.elements) {
                let Some(named) = self.named_in_program(after, access, of) else {
                    return wrong("stands for elements of several arrays");
                };
                let mut tiles: Option<Map> = None;
                for place in places.iter().filter(|place| place.is_of(after)) {
                    let Some(depth) = place.depth_of(name) else {
                        return wrong("is accessed outside of its mark");
                    };
                    let positions: Vec<usize> = (0..depth).collect();
                    let tile = values(after, place, &positions)?;
                    tiles = Some(match tiles {
                        None => tile,
                        Some(known) => known.union(&tile)?,
                    });
                }
                let Some(tiles) = tiles else {
                    return wrong("is accessed by a statement that is not executed");
                };
                let tiles = tiles.intersect_params(&original.context)?;
                let expected = tiles.flat_range_product(&anonymous(&named.relation)?)?;
                let Some(cells) = self.cell_of_access(after, array, access)? else {
                    return wrong("has no cell for an access, or several");
                };
                let cells = cells.intersect_params(&original.context)?;
                let elements = access.relation.intersect_domain(&after.domain)?;
                let elements = elements.intersect_params(&original.context)?;
                if !anonymous(&elements)?.is_equal(&expected, self.budget)? {
                    return wrong("has elements that are not those of a tile");
                }
                let own = CacheAccess {
                    statement: after,
                    reference: access.reference,
                    kind: access.kind,
                    elements,
                    tiles,
                    cells,
                };
                match (self.of_program(after), access.kind) {
                    (Some(_), AccessKind::Read | AccessKind::MustWrite) => used.push(own),
                    (Some(_), _) => return wrong("may be written, or not"),
                    (None, AccessKind::Read) => stores.push(own),
                    (None, _) => fills.push(own),
                }
            }
        }
        let is_left = |access: &Access| access.array == of;
        let of_program = &promoted.statements[..original.statements.len()];
        if of_program.iter().flat_map(|own| &own.accesses).any(is_left) {
            return wrong("is not what all statements use in place of its array");
        }
        Ok(Ok(Cache { name, of, fills, stores, used }))
    }

    /// The array whose elements a promoted array has: that of the statements that copy.
    fn cached_array(&self, array: &PromotedArray) -> Option<ArrayId> {
        let mut found = None;
        for copy in self.copies() {
            if !copy.accesses.iter().any(|own| own.array == array.elements) {
                continue;
            }
            let others = copy.accesses.iter().filter(|own| own.array != array.elements);
            let [other] = others.collect::<Vec<_>>()[..] else { return None };
            let is_new = found.replace(other.array).is_none_or(|known| known == other.array);
            if !is_new || !self.is_of_program(other.array) || !self.is_copy(copy) {
                return None;
            }
        }
        found
    }

    /// What an access of a promoted array names in the program.
    fn named_in_program<'s>(
        &self,
        after: &'s Statement,
        access: &Access,
        of: ArrayId,
    ) -> Option<&'s Access>
    where
        'a: 's,
    {
        let found = match self.of_program(after) {
            Some(before) => {
                let at = after.accesses.iter().position(|own| std::ptr::eq(own, access))?;
                before.accesses.get(at)
            }
            None => after.accesses.iter().find(|own| own.array == of),
        };
        found.filter(|own| own.array == of)
    }

    /// 3, 4 and 5.
    fn wrong_cache(&self, cache: &Cache<'_>, times: &Times) -> Result<Vec<Violation>> {
        let mut violations = self.wrong_cells(cache)?;
        violations.extend(self.out_of_turn(cache, times)?);
        let name = cache.name;
        let of = |all: &[CacheAccess<'_>]| self.united(all.iter().map(|own| own.elements.range()));
        let (filled, stored) = (of(&cache.fills)?, of(&cache.stores)?);
        let writes = cache.used.iter().filter(|own| own.kind == AccessKind::MustWrite);
        let written = self.united(writes.clone().map(|own| own.elements.range()))?;
        let mut missing = |needed: &Set, there: &[&Option<Set>], what: String| -> Result<()> {
            let mut open = needed.clone();
            for there in there.iter().filter_map(|own| own.as_ref()) {
                open = open.subtract(there, self.budget)?;
            }
            violations.extend(violation_if_any(open.as_map(), || what.clone(), self.budget)?);
            Ok(())
        };
        for read in cache.used.iter().filter(|own| own.kind == AccessKind::Read) {
            let mut needed = self.instances(read.statement)?;
            for flow in self.flow(cache, |flow| flow.sink == (read.statement.id, read.reference)) {
                let inside = self.within_tiles(cache, flow)?;
                needed = needed.subtract(&inside.range(), self.budget)?;
            }
            let needed = read.elements.intersect_domain(&needed)?.range();
            let what =
                format!("{} reads an element of `{name}` that is not filled", read.statement.name);
            missing(&needed, &[&filled], what)?;
        }
        if let Some(stored) = &stored {
            let what = format!("an element of `{name}` is stored without a value");
            missing(stored, &[&filled, &written], what)?;
        }
        for write in writes {
            let end = (write.statement.id, write.reference);
            let mut needed: Option<Set> = None;
            for flow in self.flow(cache, |flow| flow.source == end) {
                let inside = self.within_tiles(cache, flow)?;
                let outside = flow.relation.subtract(&inside, self.budget)?.domain();
                needed = self.united(needed.into_iter().chain([outside]))?;
            }
            let live = self.program.dependences.live_out.iter();
            let live = live.filter(|live| (live.statement, live.reference) == end);
            needed =
                self.united(needed.into_iter().chain(live.map(|live| live.instances.clone())))?;
            let Some(needed) = needed else { continue };
            let needed = needed.intersect_params(&self.program.original.context)?;
            let needed = write.elements.intersect_domain(&needed)?.range();
            let what = format!("what {} writes to `{name}` is not stored", write.statement.name);
            missing(&needed, &[&stored], what)?;
        }
        Ok(violations)
    }

    /// 2: cells that are another function of elements than those that are filled, and elements of a tile that
    /// have one cell.
    fn wrong_cells(&self, cache: &Cache<'_>) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        let mut known: Option<Map> = None;
        for fill in &cache.fills {
            let cells = fill.elements.reverse().apply_range(&fill.cells)?;
            let tiles = fill.elements.reverse().apply_range(&fill.tiles)?;
            if !tiles.flat_range_product(&cells)?.is_injective(self.budget)? {
                let message = format!("elements of `{}` share a cell", cache.name);
                violations.push(violation(message));
            }
            known.get_or_insert(cells);
        }
        let Some(known) = known else {
            return Ok(vec![violation(format!("`{}` is not filled", cache.name))]);
        };
        for own in cache.fills.iter().chain(&cache.stores).chain(&cache.used) {
            if !own.elements.apply_range(&known)?.is_equal(&own.cells, self.budget)? {
                violations.push(violation(format!(
                    "{} accesses another cell of `{}` than that which is filled",
                    own.statement.name, cache.name
                )));
            }
        }
        Ok(violations)
    }

    /// 3: elements that are filled after they are used, or stored before.
    fn out_of_turn(&self, cache: &Cache<'_>, times: &Times) -> Result<Vec<Violation>> {
        let mut violations = Vec::new();
        for (first, last) in [
            (&cache.fills, &cache.used),
            (&cache.used, &cache.stores),
            (&cache.fills, &cache.stores),
        ] {
            for a in first {
                for b in last {
                    let both = a.elements.apply_range(&b.elements.reverse())?;
                    let (from, to) = (a.statement, b.statement);
                    for part in times.not_before(from.id, to.id, &both, self.budget)? {
                        let what = || {
                            format!(
                                "{} does not come before {} in `{}`",
                                from.name, to.name, cache.name
                            )
                        };
                        violations.extend(violation_if_any(&part, what, self.budget)?);
                    }
                }
            }
        }
        Ok(violations)
    }

    /// The flow of values in the program through the array of a cache.
    fn flow(
        &self,
        cache: &Cache<'_>,
        is_meant: impl Fn(&Dependence) -> bool,
    ) -> impl Iterator<Item = &'a Dependence> {
        let of = cache.of;
        let all = self.program.dependences.flow.iter();
        all.filter(move |flow| flow.array == of && is_meant(flow)).collect::<Vec<_>>().into_iter()
    }

    /// The pairs of a flow whose ends are in one tile.
    fn within_tiles(&self, cache: &Cache<'_>, flow: &Dependence) -> Result<Map> {
        let ends = cache.use_of(flow.source).zip(cache.use_of(flow.sink));
        let Some((source, sink)) = ends else {
            return Ok(Map::empty(flow.relation.space().clone()));
        };
        flow.relation.intersect(&source.elements.apply_range(&sink.elements.reverse())?)
    }

    fn instances(&self, statement: &Statement) -> Result<Set> {
        let domain = self.of_program(statement).map_or(&statement.domain, |before| &before.domain);
        domain.intersect_params(&self.program.original.context)
    }

    fn united(&self, sets: impl IntoIterator<Item = Set>) -> Result<Option<Set>> {
        let mut all: Option<Set> = None;
        for set in sets {
            all = Some(match all {
                None => set,
                Some(all) => all.union(&set)?,
            });
        }
        all.map(|all| all.coalesce(self.budget)).transpose()
    }
}

impl Place {
    /// Whether instances of a statement are here.
    fn is_of(&self, statement: &Statement) -> bool {
        self.domain.space().output().and_then(Tuple::name) == Some(&statement.name)
    }

    /// The number of loops around the mark that declares an array.
    fn depth_of(&self, name: &str) -> Option<usize> {
        let declared = self.declared.iter().find(|(mark, _)| *mark.array == *name);
        declared.map(|(_, depth)| *depth)
    }
}
