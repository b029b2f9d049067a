//! Expanded scalars have the values that they had.
//!
//! In a program with expanded scalars ([`loopwright_scop::Expansion`]) statements access elements of an array
//! in place of a scalar, one element per iteration of some outer loops; and the generated loops keep the
//! elements in cells of a local array. It computes what the program without them does, if
//!
//! 1. *text*: nothing but these accesses has changed;
//! 2. *values*: each value of the scalar that one of the statements reads was written by one of them, for
//!    sure, in the same iteration of the outer loops, and is not used after the region. The last write of the
//!    scalar before a read is then the last one of the element, too, because an element has no writes that
//!    the scalar has not; so in the program's order each read finds the same value;
//! 3. *block*: in the generated loops all accesses of an element are in one execution of the block that
//!    declares the local array, where the element has one cell, and no other element has it.
//!
//! 2 is checked on the dependences of the program as it was. That the loops respect the dependences of
//! the program with the array is for [`crate::check_schedule`], as for any array.
use crate::syntax_tree::loops::{Call, Loops};
use crate::verdict::{Proof, Violation, violation, violation_if_any};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, Map, MultiAff, PwAff, Result, Set, Space, Tuple,
};
use loopwright_scop::{Access, AccessKind, BodyPiece, Expansion, Scop, Statement};
use std::collections::BTreeMap;

/// A program before and after the expansion of scalars.
#[derive(Clone, Copy, Debug)]
pub struct ExpandedProgram<'a> {
    /// The program as it was.
    pub original: &'a Scop,
    /// Its dependences.
    pub dependences: &'a Dependences,
    /// The program in which accesses are those of elements, and bodies name cells.
    pub expanded: &'a Scop,
    /// What was expanded.
    pub expansions: &'a [Expansion],
}

/// Checks that `code`, which is the expanded program with or without panels, run by `loops`, reads in each
/// expanded scalar the value that the original program reads.
///
/// *Exactness.* Exact for all values of the parameters in the context, but that all accesses of an element
/// have to be in one execution of a block. *Cost.* A subset test per flow of a scalar, some emptiness tests
/// per block.
///
/// # Errors
/// Those of operations on relations, but for the budget's end.
pub fn check_expansions(
    program: ExpandedProgram,
    code: &Scop,
    loops: &Loops,
    budget: &Budget,
) -> Result<Proof> {
    let find_violations = || {
        let mut violations = changed_text(program, budget)?;
        if !violations.is_empty() {
            return Ok(violations);
        }
        for expansion in program.expansions {
            violations.extend(other_values(program, expansion, budget)?);
            violations.extend(wrong_cells(code, expansion, loops, budget)?);
        }
        Ok(violations)
    };
    Proof::from_violations(find_violations())
}

/// 1: what the two programs differ in, beyond the accesses of the scalars.
fn changed_text(program: ExpandedProgram, budget: &Budget) -> Result<Vec<Violation>> {
    let ExpandedProgram { original, expanded, expansions, .. } = program;
    let mut violations = Vec::new();
    let added = expansions.iter().map(|expansion| expansion.array.0 as usize);
    if !added.eq(original.arrays.len()..expanded.arrays.len())
        || original.statements.len() != expanded.statements.len()
        || original.schedule.to_string() != expanded.schedule.to_string()
        || !expansions.iter().all(|expansion| has_loops(original, expansion))
    {
        violations.push(violation("more than the accesses of scalars has changed".into()));
        return Ok(violations);
    }
    for expansion in expansions {
        let (scalar, array) = (original.array(expansion.scalar), expanded.array(expansion.array));
        if !scalar.is_scalar() || scalar.element_type != array.element_type || array.live_out {
            let message = format!("`{}` is not an array for `{}`", array.name, scalar.name);
            violations.push(violation(message));
        }
    }
    for (before, after) in original.statements.iter().zip(&expanded.statements) {
        let own: Vec<&Expansion> =
            expansions.iter().filter(|e| e.statements.contains(&before.id)).collect();
        let same_instances = before.name == after.name
            && before.id == after.id
            && before.is_kill == after.is_kill
            && (own.is_empty() || !before.is_kill)
            && before.domain.is_equal(&after.domain, budget)?;
        if !same_instances
            || !same_body(before, after, expanded, &own)
            || !same_accesses(before, after, expanded, &own, budget)?
        {
            let message = format!("{} is not the statement that it was", before.name);
            violations.push(violation(message));
        }
    }
    Ok(violations)
}

/// Whether all statements of an expansion have as many coordinates as elements have.
fn has_loops(original: &Scop, expansion: &Expansion) -> bool {
    expansion.statements.iter().all(|id| {
        let statement = original.statements.get(id.0 as usize);
        statement.is_some_and(|s| s.domain.n(DimKind::Out) >= expansion.n_loops)
    })
}

/// Whether the two bodies are the same, but for elements in place of scalars.
fn same_body(before: &Statement, after: &Statement, expanded: &Scop, own: &[&Expansion]) -> bool {
    let same = |(a, b): (&BodyPiece<'_>, &BodyPiece<'_>)| match (a, b) {
        (BodyPiece::Element(scalar), BodyPiece::Element(element))
            if own.iter().any(|e| e.scalar == scalar.array) =>
        {
            // The whole variable, not a member of it.
            if scalar.base.parts().0.contains('.') || !scalar.base.parts().1.is_empty() {
                return false;
            }
            let is_own = |e: &&&Expansion| e.scalar == scalar.array && e.array == element.array;
            own.iter().find(is_own).is_some_and(|e| {
                element.base.is_named(&expanded.array(e.array).name)
                    && element.subscripts.len() == e.n_loops
            })
        }
        (BodyPiece::Hidden(a), BodyPiece::Hidden(b)) => {
            a == b && !own.iter().any(|e| e.scalar == *a)
        }
        (BodyPiece::Text(a), BodyPiece::Text(b)) => a == b,
        (BodyPiece::Affine(a), BodyPiece::Affine(b)) => a.to_string() == b.to_string(),
        (BodyPiece::Element(a), BodyPiece::Element(b)) => a == b,
        _ => false,
    };
    let (before, after) = (before.body.pieces(), after.body.pieces());
    before.len() == after.len() && before.iter().zip(&after).all(same)
}

/// Whether the two statements access the same, but for elements in place of scalars.
fn same_accesses(
    before: &Statement,
    after: &Statement,
    expanded: &Scop,
    own: &[&Expansion],
    budget: &Budget,
) -> Result<bool> {
    if before.accesses.len() != after.accesses.len() {
        return Ok(false);
    }
    for (a, b) in before.accesses.iter().zip(&after.accesses) {
        let expansion = own.iter().find(|expansion| expansion.scalar == a.array);
        let (array, relation) = match expansion {
            None => (a.array, a.relation.clone()),
            Some(expansion) => {
                let name = &expanded.array(expansion.array).tuple_name;
                (expansion.array, elements(before, Tuple::named(name, expansion.n_loops))?)
            }
        };
        let same = a.reference == b.reference && a.kind == b.kind && b.array == array;
        if !same || !b.relation.is_equal(&relation, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The elements that instances of a statement access: their first coordinates.
fn elements(statement: &Statement, tuple: Tuple) -> Result<Map> {
    let space = statement.domain.space();
    let coordinate = |position| Aff::variable(space, DimKind::Out, position);
    let affs = (0..tuple.n_dims()).map(coordinate).collect();
    let range = Space::set(space.param_names(), tuple);
    MultiAff::new(space.map_to(&range), affs)?.to_map().intersect_domain(&statement.domain)
}

/// 2: values of the scalar that go to or come from elsewhere.
fn other_values(
    program: ExpandedProgram,
    expansion: &Expansion,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let ExpandedProgram { original, dependences, .. } = program;
    let scalar = expansion.scalar;
    let name = &original.array(scalar).name;
    let is_own = |statement| expansion.statements.contains(statement);
    let mut violations = Vec::new();
    for live in dependences.live_in.iter().chain(&dependences.live_out) {
        if live.array == scalar && is_own(&live.statement) {
            let message = || format!("a value of `{name}` comes from or goes to outside");
            violations.extend(violation_if_any(live.instances.as_map(), message, budget)?);
        }
    }
    let accesses = original.statements.iter().filter(|s| is_own(&s.id)).flat_map(|s| &s.accesses);
    let is_sure = |access: &Access| match access.kind {
        AccessKind::Read | AccessKind::MustWrite => true,
        AccessKind::MayWrite | AccessKind::Kill => false,
    };
    if !accesses.into_iter().all(|access| access.array != scalar || is_sure(access)) {
        violations.push(violation(format!("`{name}` is perhaps not written")));
    }
    for flow in dependences.nearest_flow().iter().filter(|flow| flow.array == scalar) {
        let message = || format!("a value of `{name}` is used in another iteration");
        let other = match (is_own(&flow.source.0), is_own(&flow.sink.0)) {
            (false, false) => continue,
            (true, true) => {
                let universe = Map::universe(flow.relation.space().clone());
                let same = (0..expansion.n_loops).fold(universe, |map, position| {
                    map.equate(DimKind::In, position, DimKind::Out, position)
                });
                flow.relation.subtract(&same, budget)?
            }
            _ => flow.relation.clone(),
        };
        violations.extend(violation_if_any(&other, message, budget)?);
    }
    Ok(violations)
}

/// The cells that instances of a statement access; none if it names several or none.
fn cells(statement: &Statement, expansion: &Expansion) -> Result<Option<Map>> {
    let elements = statement.body.elements().into_iter();
    let own = elements.filter(|element| element.array == expansion.array);
    let mut named = own.map(|element| &element.subscripts);
    let Some(first) = named.next() else { return Ok(None) };
    let text = |subscripts: &Vec<PwAff>| format!("{subscripts:?}");
    if first.len() != expansion.n_loops || named.any(|other| text(other) != text(first)) {
        return Ok(None);
    }
    let mut relation: Option<Map> = None;
    for subscript in first {
        let own = subscript.to_map();
        relation = Some(match relation {
            Some(others) => others.flat_range_product(&own)?,
            None => own,
        });
    }
    let Some(relation) = relation else { return Ok(None) };
    let input = statement.domain.space().output().cloned();
    let space = relation.space().with_tuples(input, Some(Tuple::anonymous(first.len())));
    Ok(Some(relation.with_space_tuples(&space)?.intersect_domain(&statement.domain)?))
}

/// 3: elements that share a cell, or that are used in several executions of blocks.
fn wrong_cells(
    code: &Scop,
    expansion: &Expansion,
    loops: &Loops,
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let array = code.array(expansion.array);
    let name = &array.name;
    let names_it = |s: &Statement| {
        s.body.elements().into_iter().any(|element| element.array == expansion.array)
    };
    let mut blocks: BTreeMap<usize, Map> = BTreeMap::new();
    for statement in code.statements.iter().filter(|s| names_it(s)) {
        let cells = cells(statement, expansion)?;
        let (Some(cells), true) = (cells, expansion.statements.contains(&statement.id)) else {
            return Ok(vec![violation(format!("`{name}` is accessed as no element would be"))]);
        };
        let uses =
            elements(statement, Tuple::anonymous(expansion.n_loops))?.range_product(&cells)?;
        for call in loops.calls.iter().filter(|call| call.statement() == Some(&statement.name)) {
            let block = call.blocks.iter().rev().find(|block| block.array == array.tuple_name);
            let Some(block) = block else {
                return Ok(vec![violation(format!("`{name}` is accessed outside of its block"))]);
            };
            let own = in_block(call, block.depth).apply_range(&uses)?;
            let known = blocks.remove(&block.number);
            let all = known.map_or(Ok(own.clone()), |known| known.union(&own))?;
            blocks.insert(block.number, all.coalesce(budget)?);
        }
    }
    let extents: Option<Vec<Int>> =
        array.extents.iter().map(|e| e.as_ref()?.as_aff()?.constant_value()?.to_int()).collect();
    let Some(extents) = extents.filter(|extents| extents.len() == expansion.n_loops) else {
        return Ok(vec![violation(format!("the extents of `{name}` are not constant"))]);
    };
    let mut violations = Vec::new();
    for uses in blocks.values() {
        violations.extend(shared_cells(name, uses, &extents, budget)?);
    }
    violations.extend(several_blocks(name, &blocks, &extents, budget)?);
    Ok(violations)
}

/// From the iterators around a block to the instances of a call that run in it.
fn in_block(call: &Call, depth: usize) -> Map {
    let n = call.instances.n(DimKind::In);
    call.instances.project_out(DimKind::In, depth, n.saturating_sub(depth))
}

/// Pairs of an element and a cell that exclude each other in one execution of a block, and cells that do not
/// exist; `uses` is `{ block -> [element -> cell] }`.
fn shared_cells(
    name: &str,
    uses: &Map,
    extents: &[Int],
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let n = extents.len();
    let mut violations = Vec::new();
    let pairs = uses.range().unwrap()?;
    for (position, extent) in extents.iter().enumerate() {
        let below = pairs.upper_bound(DimKind::Out, position, &-&Int::ONE);
        let above = pairs.lower_bound(DimKind::Out, position, extent);
        for outside in [below, above] {
            let message = || format!("a cell of `{name}` is outside of its extents");
            violations.extend(violation_if_any(&outside, message, budget)?);
        }
    }
    let same = |space: &Space, first: usize| {
        let universe = Map::universe(space.clone());
        (first..first + n).fold(universe, |map, position| {
            map.equate(DimKind::In, position, DimKind::Out, position)
        })
    };
    let flat = flat_range(uses)?;
    let tuple = Tuple::anonymous(2 * n);
    let space = Space::map(flat.space().param_names(), tuple.clone(), tuple);
    let (same_element, same_cell) = (same(&space, 0), same(&space, n));
    let twice = flat.range_product(&flat)?;
    for (some, other, what) in [
        (&same_cell, &same_element, "two elements share a cell"),
        (&same_element, &same_cell, "an element has two cells"),
    ] {
        let excluded = some.subtract(other, budget)?.wrap();
        let message = || format!("in `{name}` {what}");
        violations.extend(violation_if_any(&twice.intersect_range(&excluded)?, message, budget)?);
    }
    Ok(violations)
}

/// `{ block -> [element -> cell] }` as `{ block -> [element, cell] }`.
fn flat_range(uses: &Map) -> Result<Map> {
    let space = uses.space();
    let flat = space.output().map(Tuple::flatten);
    let flat = flat.map(|tuple| Tuple::anonymous(tuple.n_dims()));
    uses.with_space_tuples(&space.with_tuples(space.input().cloned(), flat))
}

/// Elements that several executions of blocks use.
fn several_blocks(
    name: &str,
    blocks: &BTreeMap<usize, Map>,
    extents: &[Int],
    budget: &Budget,
) -> Result<Vec<Violation>> {
    let mut violations = Vec::new();
    let message = || format!("an element of `{name}` is used in several blocks");
    let mut others: Vec<Set> = Vec::new();
    for uses in blocks.values() {
        let flat = flat_range(uses)?;
        let n = extents.len();
        let users = flat.project_out(DimKind::Out, n, n).coalesce(budget)?;
        if !users.reverse().is_single_valued(budget)? {
            violations.push(violation(message()));
        }
        let used = users.range();
        for other in &others {
            let both = used.intersect(other)?;
            violations.extend(violation_if_any(both.as_map(), message, budget)?);
        }
        others.push(used);
    }
    Ok(violations)
}
