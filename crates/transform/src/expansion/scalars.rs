//! Which scalars may have an element per iteration, and the program in which they do.
use crate::storage::names::free_name;
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{
    Aff, Budget, DimKind, Error, Map, MultiAff, PwAff, Result, Set, Space, Tuple,
};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, Element, ElementKind, Expansion, Scop, Statement,
    StatementId,
};
use std::collections::{BTreeMap, BTreeSet};

/// The least number of loops with elements of their own that can be the rows and columns of a tile.
const LEAST_LOOPS: usize = 2;

/// A program with expanded scalars.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The program. The new arrays have no extents: they are no more than a way to say which instances share
    /// values, until [`super::contract`] gives them some.
    pub scop: Scop,
    /// What was expanded.
    pub expansions: Vec<Expansion>,
}

/// The program in which scalars are expanded that a nest accumulates in inside of two loops or more; none if
/// there are none. `taken` are names that the program uses.
///
/// A scalar is expanded along the outermost loops of its statements that no flow of its values
/// crosses. Statements between which its values do not flow get different arrays. Left as they are:
/// scalars whose values come from before the region or may be seen after it, and those with conditional
/// writes.
///
/// *Cost.* Some tests for subsets per flow dependence on a scalar.
///
/// # Errors
/// Those of operations on relations. Where the budget runs out, a scalar is not expanded.
///
/// ```
/// use loopwright_cfront::SourceFile;
/// use loopwright_dataflow::Dependences;
/// use loopwright_presburger::Budget;
/// use loopwright_transform::expansion::expand;
/// let text = "void f(int n, double C[n][n], double A[n][n]) { double s;\n#pragma scop\n\
///     for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { s = 0; \
///     for (int k = 0; k < n; k++) s += A[i][k] * A[k][j]; C[i][j] = s; }\n#pragma endscop\n}";
/// let regions = SourceFile::from_text("sum.c", text).extract().unwrap();
/// let (scop, budget) = (&regions[0].scop, Budget::steps(1_000_000));
/// let dependences = Dependences::of_scop(scop, &budget)?;
/// let expanded = expand(scop, &dependences, &Default::default(), &budget)?.expect("s is local");
/// assert_eq!(&*expanded.scop.array(expanded.expansions[0].array).name, "s_tile");
/// assert_eq!(expanded.expansions[0].n_loops, 2);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
pub fn expand(
    scop: &Scop,
    dependences: &Dependences,
    taken: &BTreeSet<String>,
    budget: &Budget,
) -> Result<Option<Expanded>> {
    let mut expanded = Expanded { scop: scop.clone(), expansions: Vec::new() };
    let mut taken = taken.clone();
    taken.extend(scop.arrays.iter().map(|array| array.tuple_name.to_string()));
    for (scalar, array) in (0u32..).map(ArrayId).zip(&scop.arrays) {
        // The text may name a part of a structure.
        if array.element_kind == ElementKind::Other
            || !array.is_scalar()
            || !is_local(scop, dependences, scalar)
        {
            continue;
        }
        let flows = || dependences.nearest_flow().iter().filter(|flow| flow.array == scalar);
        for statements in webs(scop, scalar, flows()) {
            let private = private_loops(scop, &statements, flows(), LEAST_LOOPS, budget)?;
            let Some((n_loops, true)) = private else { continue };
            let name = free_name(&format!("{}_tile", array.name), |name| taken.contains(name));
            taken.insert(name.clone());
            let id = ArrayId(u32::try_from(expanded.scop.arrays.len()).unwrap_or(u32::MAX));
            expanded.scop.arrays.push(element_per_iteration(array, &name, n_loops));
            for &statement in &statements {
                if let Some(own) = expanded.scop.statements.get_mut(statement.0 as usize) {
                    replace(own, scalar, (id, &name), n_loops)?;
                }
            }
            expanded.expansions.push(Expansion { scalar, array: id, statements, n_loops });
        }
    }
    Ok((!expanded.expansions.is_empty()).then_some(expanded))
}

/// Whether no value of the scalar comes from outside of the region or may be seen there, and each write
/// is one for sure.
fn is_local(scop: &Scop, dependences: &Dependences, scalar: ArrayId) -> bool {
    let mut lives = dependences.live_in.iter().chain(&dependences.live_out);
    let mut accesses = scop.statements.iter().flat_map(|statement| &statement.accesses);
    lives.all(|live| live.array != scalar)
        && accesses.all(|a| a.array != scalar || a.kind != AccessKind::MayWrite)
}

/// The executed statements that access a scalar or array, those between which its values flow together.
pub(super) fn webs<'a>(
    scop: &Scop,
    scalar: ArrayId,
    flows: impl Iterator<Item = &'a Dependence>,
) -> Vec<Vec<StatementId>> {
    let uses = |s: &&Statement| !s.is_kill && s.accesses.iter().any(|a| a.array == scalar);
    let users = scop.statements.iter().filter(uses).map(|statement| statement.id);
    let mut web: BTreeMap<StatementId, StatementId> = users.map(|user| (user, user)).collect();
    for flow in flows {
        let (Some(&a), Some(&b)) = (web.get(&flow.source.0), web.get(&flow.sink.0)) else {
            continue;
        };
        web.values_mut().filter(|first| **first == b).for_each(|first| *first = a);
    }
    let mut members: BTreeMap<StatementId, Vec<StatementId>> = BTreeMap::new();
    for (statement, first) in web {
        members.entry(first).or_default().push(statement);
    }
    members.into_values().collect()
}

/// The number of outer loops that no flow between the statements crosses, at least `fewest`, and whether
/// there are loops inside of them: expansion makes room for a tile that accumulates along these.
pub(super) fn private_loops<'a>(
    scop: &Scop,
    statements: &[StatementId],
    flows: impl Iterator<Item = &'a Dependence> + Clone,
    fewest: usize,
    budget: &Budget,
) -> Result<Option<(usize, bool)>> {
    let depths = || statements.iter().map(|id| scop.statement(*id).iterators.len());
    let (Some(least), Some(most)) = (depths().min(), depths().max()) else { return Ok(None) };
    let own = flows.filter(|flow| statements.contains(&flow.source.0));
    for n_loops in (fewest..=least).rev() {
        let within = own.clone().try_fold(true, |within, flow| {
            Ok(within && stays_within(&flow.relation, n_loops, budget)?)
        });
        match within {
            Ok(true) => return Ok(Some((n_loops, most > n_loops))),
            Ok(false) => {}
            Err(Error::Exceeded { .. }) => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// Whether related instances have the same first coordinates.
fn stays_within(relation: &Map, n_loops: usize, budget: &Budget) -> Result<bool> {
    relation.is_subset(&same_iteration(relation.space(), n_loops), budget)
}

/// The pairs with the same first coordinates.
pub(super) fn same_iteration(space: &Space, n_loops: usize) -> Map {
    let universe = Map::universe(space.clone());
    (0..n_loops)
        .fold(universe, |map, position| map.equate(DimKind::In, position, DimKind::Out, position))
}

fn element_per_iteration(scalar: &Array, name: &str, n_loops: usize) -> Array {
    Array {
        name: name.into(),
        tuple_name: name.into(),
        extents: vec![None; n_loops],
        extent_texts: vec![String::new(); n_loops],
        declared_in_scop: false,
        live_out: false,
        declaration_depth: 0,
        ..scalar.clone()
    }
}

/// The elements that the instances in `domain` access: their first coordinates.
fn elements(domain: &Set, name: &str, n_loops: usize) -> Result<Map> {
    let space = domain.space();
    let tuple = Tuple::named(name, n_loops);
    let range = Space::set(space.param_names(), tuple);
    let affs = (0..n_loops).map(|position| Aff::variable(space, DimKind::Out, position)).collect();
    MultiAff::new(space.map_to(&range), affs)?.to_map().intersect_domain(domain)
}

/// The statement with elements of an array in place of a scalar.
fn replace(
    statement: &mut Statement,
    scalar: ArrayId,
    array: (ArrayId, &str),
    n_loops: usize,
) -> Result<()> {
    let (id, name) = array;
    let space = statement.domain.space();
    let coordinate = |position| PwAff::from_aff(Aff::variable(space, DimKind::Out, position));
    let subscripts: Vec<PwAff> = (0..n_loops).map(coordinate).collect();
    statement.body.for_each_element_mut(&mut |element| {
        if element.array == scalar {
            *element = Element::new(name, id, subscripts.clone());
        }
    });
    let relation = elements(&statement.domain, name, n_loops)?;
    for access in statement.accesses.iter_mut().filter(|access| access.array == scalar) {
        *access = Access { array: id, relation: relation.clone(), ..access.clone() };
    }
    Ok(())
}
