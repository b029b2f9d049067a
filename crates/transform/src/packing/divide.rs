//! Statements at several leaves, of which one is in tiles for registers.
use crate::packing::packed::Packed;
use crate::packing::reader::{leaves, runs_in_registers};
use crate::storage::names::free_name;
use loopwright_presburger::{
    Budget, MultiAff, PwMultiAff, Result, Set, Space, UnionPwMultiAff, UnionSet,
};
use loopwright_schedule::{Node, Reaching, ScheduleTree};
use loopwright_scop::{Division, StatementId};

/// The program in which the instances of a statement at its leaf in register tiles are a statement of their
/// own, which may read panels while the others do not; none if there is one leaf only, or several such
/// leaves.
pub(super) fn divide(
    packed: &Packed,
    id: StatementId,
    budget: &Budget,
) -> Result<Option<(Packed, Division)>> {
    let statement = packed.scop.statement(id);
    let mut paths = Vec::new();
    leaves(&packed.tree.root, &statement.name, &mut Vec::new(), &mut paths);
    let in_registers: Vec<_> =
        paths.iter().filter(|path| runs_in_registers(&packed.tree, path)).collect();
    let [path] = in_registers[..] else { return Ok(None) };
    let nodes = packed.tree.ancestors(path);
    let Some(choice) = nodes.iter().rposition(|node| matches!(node, Node::Sequence(_))) else {
        return Ok(None);
    };
    let has_others = |node: &&Node| matches!(node, Node::Extension(..) | Node::Expansion { .. });
    if paths.len() < 2 || nodes.iter().any(has_others) {
        return Ok(None);
    }
    let reaching = Reaching::at(&packed.tree, path)?;
    let space = statement.domain.space();
    let own = reaching.pieces.iter().filter(|piece| piece.domain.space().has_equal_tuples(space));
    let own: Vec<_> = own.collect();
    let [piece] = own[..] else { return Ok(None) };
    let rest = statement.domain.subtract(&piece.domain, budget)?.coalesce(budget)?;
    let name = free_name(&format!("{}_update", statement.name), |name| {
        packed.scop.statement_named(name).is_some()
    });
    let part = StatementId(u32::try_from(packed.scop.statements.len()).unwrap_or(u32::MAX));
    let division = Division { part, of: id };
    let mut next = packed.clone();
    next.scop.statements.push(statement.part(part, &name, &piece.domain)?);
    if let Some(whole) = next.scop.statements.get_mut(id.0 as usize) {
        *whole = statement.restricted(&rest)?;
    }
    let inclusion = division.inclusion(&next.scop)?;
    next.tree = tree(&packed.tree, &inclusion, &piece.domain, &rest, &path[..=choice])?;
    next.divisions.push(division);
    Ok(Some((next, division)))
}

/// The tree in which the new statement is below the child of a sequence that `path` leads to, and the
/// other one is not.
fn tree(
    tree: &ScheduleTree,
    inclusion: &MultiAff,
    instances: &Set,
    rest: &Set,
    path: &[usize],
) -> Result<ScheduleTree> {
    let part = inclusion.space().domain();
    let identity = |set: &Set| PwMultiAff::everywhere(MultiAff::identity(set.space()));
    let mut parts: Vec<PwMultiAff> = tree.domain.sets().iter().map(identity).collect();
    parts.push(PwMultiAff::everywhere(inclusion.clone()));
    let both = tree.pullback(&UnionPwMultiAff::from_parts(parts))?;
    let is_divided = |set: &Set| set.space().has_equal_tuples(rest.space());
    let mut domain = UnionSet::from_set(instances.with_space_tuples(&part)?);
    let mut others = UnionSet::empty();
    for set in tree.domain.sets() {
        let left = if is_divided(&set) { rest.clone() } else { set.clone() };
        domain = domain.union(&UnionSet::from_set(left))?;
        others = others.union(&universe(set.space()))?;
    }
    let mut result = ScheduleTree { domain, ..both };
    let Some((chosen, above)) = path.split_last() else { return Ok(result) };
    if let Some(Node::Sequence(children)) = result.at_mut(above) {
        for (position, child) in children.iter_mut().enumerate() {
            let kept = if position == *chosen { &universe(&part) } else { &others };
            keep(child, kept)?;
        }
    }
    Ok(result)
}

fn universe(space: &Space) -> UnionSet {
    UnionSet::from_set(Set::universe(space.clone()))
}

/// Leaves some statements in a subtree only, given by the universes of their instances.
fn keep(node: &mut Node, kept: &UnionSet) -> Result<()> {
    match node {
        Node::Filter(filter, _) => *filter = filter.intersect(kept)?,
        Node::Band(band, _) => *band = band.intersect_domain(kept)?,
        _ => {}
    }
    node.children_mut().iter_mut().try_for_each(|child| keep(child, kept))
}
