//! A schedule tree for a relation from instances to times.
use crate::Foreign;
use loopwright_presburger::{
    Aff, Budget, Error, Int, Map, MultiAff, PwAff, PwMultiAff, Result, Set, Tuple, UnionMap,
    UnionPwAff, UnionSet,
};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scop::{Scop, Statement};
use std::collections::BTreeMap;

/// Some instances of a statement with one affine time.
struct Timed {
    instances: Set,
    times: Vec<Aff>,
}

/// The tree that orders the instances of `map` as the lexicographic order of their images does.
///
/// Dimensions that are constants for all instances become sequences (or nothing, if there is
/// one constant only), the others bands of one member; so the relation `{ S[i] -> [0, i, 0];
/// T[i] -> [0, i, 1] }` becomes a loop around a sequence. Tuples that are shorter than the
/// longest one are as if filled up with zeros, names of tuples do not matter.
///
/// *Cost.* One conversion of each relation to a function within `budget`; else linear in
/// dimensions times pieces.
///
/// ```
/// use loopwright_presburger::{Budget, UnionMap};
/// use loopwright_interchange::tree_from_map;
/// let text = "{ S[i] -> [0, i, 0] : 0 <= i < 5; T[i] -> [0, i, 1] : 0 <= i < 5; U[] -> [1] }";
/// let map = UnionMap::parse(text)?;
/// let budget = Budget::unlimited();
/// let tree = tree_from_map(&map, &budget)?;
/// assert!(tree.flatten()?.is_equal(&UnionMap::parse(&text.replace("[1]", "[1, 0, 0]"))?, &budget)?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// [`Error::Invalid`] if an instance has several times; [`Error::Exceeded`].
pub fn tree_from_map(map: &UnionMap, budget: &Budget) -> Result<ScheduleTree> {
    let mut timed = Vec::new();
    for single in map.maps() {
        timed.extend(times_of(single, budget)?);
    }
    let depth = timed.iter().map(|part| part.times.len()).max().unwrap_or(0);
    for part in &mut timed {
        let zero = Aff::zero(part.instances.space());
        part.times.resize(depth, zero);
    }
    let sets = timed.iter().map(|part| part.instances.clone());
    let domain = UnionSet::from_sets(map.params_space(), sets);
    let parts: Vec<&Timed> = timed.iter().collect();
    Ok(ScheduleTree { domain, root: node(&parts, 0, depth)? })
}

/// The affine pieces of a relation.
fn times_of(map: &Map, budget: &Budget) -> Result<Vec<Timed>> {
    let flat = Tuple::anonymous(map.range().n_dims());
    let space = map.space().with_tuples(map.space().input().cloned(), Some(flat));
    let function = PwMultiAff::from_map(&map.with_space_tuples(&space)?, budget)?;
    let piece = |(instances, times): &(Set, MultiAff)| Timed {
        instances: instances.clone(),
        times: times.affs().to_vec(),
    };
    Ok(function.pieces().iter().map(piece).collect())
}

/// The order of some instances from dimension `level` on.
fn node(parts: &[&Timed], level: usize, depth: usize) -> Result<Node> {
    let Some(first) = (level..depth).find(|&level| !is_one_constant(parts, level)) else {
        return Ok(Node::Leaf);
    };
    let constants: Option<Vec<Int>> =
        parts.iter().map(|part| constant(&part.times[first])).collect();
    match constants {
        Some(constants) => sequence(parts, &constants, first, depth),
        None => {
            let member = parts
                .iter()
                .map(|part| PwAff::on_domain(part.instances.clone(), part.times[first].clone()));
            let member = union_of(member)?;
            Ok(Node::band(Band::from_member(member), node(parts, first + 1, depth)?))
        }
    }
}

/// The constant that an expression is, if it is an integer.
fn constant(time: &Aff) -> Option<Int> {
    let value = time.constant_value()?;
    value.is_integer().then(|| value.floor())
}

fn is_one_constant(parts: &[&Timed], level: usize) -> bool {
    let mut constants = parts.iter().map(|part| constant(&part.times[level]));
    match constants.next() {
        None => true,
        Some(first) => first.is_some() && constants.all(|other| other == first),
    }
}

fn sequence(parts: &[&Timed], constants: &[Int], level: usize, depth: usize) -> Result<Node> {
    let mut groups: BTreeMap<&Int, Vec<&Timed>> = BTreeMap::new();
    for (part, constant) in parts.iter().zip(constants) {
        groups.entry(constant).or_default().push(part);
    }
    let mut children = Vec::new();
    for group in groups.values() {
        let filter = group.iter().try_fold(UnionSet::empty(), |filter, part| {
            filter.union(&UnionSet::from_set(part.instances.clone()))
        })?;
        children.push((filter, node(group, level + 1, depth)?));
    }
    Ok(Node::sequence(children))
}

/// One function per space; the pieces of one space are disjoint.
fn union_of(functions: impl Iterator<Item = PwAff>) -> Result<UnionPwAff> {
    functions.map(|f| UnionPwAff::from_parts(vec![f])).try_fold(UnionPwAff::empty(), |all, f| {
        all.union_disjoint(&f).map_err(|error| match error {
            Error::SpaceMismatch { .. } => Error::Invalid {
                operation: "tree_from_map",
                reason: "the times are over different spaces".to_string(),
            },
            other => other,
        })
    })
}

/// See [`crate::schedule_for`].
pub(crate) fn schedule_for(
    scop: &Scop,
    regions: &[Foreign],
    budget: &Budget,
) -> Result<ScheduleTree> {
    let invalid = |reason: String| Error::Invalid { operation: "the given schedule", reason };
    let own: Vec<&Statement> = scop.statements.iter().filter(|s| !s.is_kill).collect();
    let fits = |region: &&Foreign| executed_statements(region).len() == own.len();
    let Some(region) = regions.iter().find(fits) else {
        let found: Vec<String> =
            regions.iter().map(|r| executed_statements(r).len().to_string()).collect();
        let found = found.join(", ");
        return Err(invalid(format!("it has {found} statements, the region has {}", own.len())));
    };
    let theirs = executed_statements(region);
    let by_name = own.iter().all(|own| theirs.iter().any(|other| other.name == own.name));
    let order =
        region.scop.schedule.intersect_domain(&crate::executed(&region.scop)?)?.flatten()?;
    let mut maps = Vec::new();
    for (position, own) in own.iter().enumerate() {
        let other = match by_name {
            true => theirs.iter().find(|other| other.name == own.name),
            false => theirs.get(position),
        };
        let Some(other) = other else { continue };
        if own.domain.n_dims() != other.domain.n_dims() {
            return Err(invalid(format!(
                "statement {} has {} dimensions, in the region ({}) it has {}",
                other.name,
                other.domain.n_dims(),
                own.name,
                own.domain.n_dims()
            )));
        }
        for map in order.maps() {
            if map.space().input().is_some_and(|tuple| tuple.name() == Some(&other.name)) {
                let own_tuple = own.domain.space().output().cloned();
                let space = map.space().with_tuples(own_tuple, map.space().output().cloned());
                maps.push(map.with_space_tuples(&space)?);
            }
        }
    }
    let params = scop.context.space().to_params();
    tree_from_map(&UnionMap::from_maps(&params, maps), budget)
}

fn executed_statements(region: &Foreign) -> Vec<&Statement> {
    region.scop.statements.iter().filter(|statement| !statement.is_kill).collect()
}
