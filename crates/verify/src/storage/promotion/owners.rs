//! 5: whose elements of promoted arrays are.
use super::Check;
use crate::order::schedule::MERGE_STEPS;
use crate::verdict::{Violation, violation, violation_if_any};
use loopwright_presburger::{Aff, DimKind, Int, Map, MultiAff, Result, Set, Space, Tuple};
use loopwright_schedule::{
    Axis, KernelMark, LocalMark, LoopKind, LoopMark, MemorySpace, Node, Reaching, ScheduleTree,
    ShuffleMark,
};
use loopwright_scop::{AccessKind, PromotedArray, Statement};

/// Instances that reach a leaf, with what their place says.
pub(super) struct Place {
    pub(super) domain: Set,
    /// The values of all loops around.
    schedule: Vec<Aff>,
    /// The arrays that are declared around, each with the number of loops outside of its mark.
    pub(super) declared: Vec<(LocalMark, usize)>,
    /// The positions of the loops over threads.
    threads: Vec<usize>,
    /// How far away the lane is whose register is read, and the position of the loop over lanes.
    shuffle: Option<(u32, usize)>,
}

/// The marks around a node.
#[derive(Clone, Default)]
struct Around {
    declared: Vec<(LocalMark, usize)>,
    threads: Vec<usize>,
    /// The position of the loop over threads along the fastest axis.
    lanes: Option<usize>,
    shuffle: Option<(u32, usize)>,
    in_kernel: bool,
}

/// The places of a tree, and marks that stand where they mean nothing.
pub(super) fn places_in(tree: &ScheduleTree) -> Result<(Vec<Place>, Vec<Violation>)> {
    let (mut found, mut misplaced) = (Vec::new(), Vec::new());
    let around = Around::default();
    places(&tree.root, &Reaching::root(tree), &around, &mut found, &mut misplaced)?;
    Ok((found, misplaced))
}

fn places(
    node: &Node,
    reaching: &Reaching,
    around: &Around,
    found: &mut Vec<Place>,
    misplaced: &mut Vec<Violation>,
) -> Result<()> {
    let mut inside = around.clone();
    match node {
        Node::Leaf => {
            found.extend(reaching.pieces.iter().map(|piece| Place {
                domain: piece.domain.clone(),
                schedule: piece.schedule.clone(),
                declared: around.declared.clone(),
                threads: around.threads.clone(),
                shuffle: around.shuffle,
            }));
        }
        Node::Mark(name, _) => {
            inside.in_kernel |= KernelMark::parse(name).is_some();
            if let Some(mark) = LocalMark::parse(name).filter(|mark| mark.space.is_on_device()) {
                let is_known = around.declared.iter().any(|(known, _)| known.array == mark.array);
                if !around.in_kernel || is_known || !around.threads.is_empty() || has_blocks(node) {
                    misplaced.push(violation(format!(
                        "the mark `{name}` does not stand in a kernel, between loops over blocks and loops over threads"
                    )));
                }
                inside.declared.push((mark, reaching.depth()));
            }
            let kind = LoopMark::parse(name).map(|mark| mark.kind);
            if matches!(kind, Some(LoopKind::Thread(_))) {
                inside.threads.push(reaching.depth());
            }
            if kind == Some(LoopKind::Thread(Axis::X)) {
                inside.lanes = Some(reaching.depth());
            }
            if let Some(mark) = ShuffleMark::parse(name) {
                inside.shuffle = around.lanes.map(|lanes| (mark.distance, lanes));
            }
        }
        _ => {}
    }
    for (child, below) in node.children().iter().zip(reaching.below(node)?) {
        places(child, &below, &inside, found, misplaced)?;
    }
    Ok(())
}

/// Whether there are loops over blocks in a part of a kernel.
fn has_blocks(node: &Node) -> bool {
    let is_block = |name: &str| {
        let kind = LoopMark::parse(name).map(|mark| mark.kind);
        matches!(kind, Some(LoopKind::Block(_)))
    };
    !node.every_descendant(&|node| !matches!(node, Node::Mark(name, _) if is_block(name)))
}

impl Check<'_> {
    /// All of these.
    pub(super) fn wrong_owners(&self, tree: &ScheduleTree) -> Result<Vec<Violation>> {
        let (found, mut violations) = places_in(tree)?;
        for array in &self.program.promotion.arrays {
            violations.extend(self.wrong_owners_of(array, &found)?);
        }
        Ok(violations)
    }

    fn wrong_owners_of(&self, array: &PromotedArray, places: &[Place]) -> Result<Vec<Violation>> {
        let promoted = self.program.promoted;
        let name = &promoted.array(array.cells).tuple_name;
        let mut all: Option<Map> = None;
        for place in places {
            let statement = place.domain.space().output().and_then(Tuple::name);
            let Some(statement) = statement.and_then(|name| promoted.statement_named(name)) else {
                continue;
            };
            let own = statement.accesses.iter().filter(|access| access.array == array.elements);
            for access in own {
                let declared = place.declared.iter().find(|(mark, _)| mark.array == *name);
                let Some((mark, depth)) = declared.filter(|(mark, _)| mark.space == array.space)
                else {
                    let message = format!("`{name}` is accessed outside of its mark");
                    return Ok(vec![violation(message)]);
                };
                let mut positions: Vec<usize> = (0..*depth).collect();
                if mark.space == MemorySpace::Registers {
                    positions.extend(place.threads.iter().filter(|at| **at >= *depth));
                }
                let Some(cell) = self.cell_of_access(statement, array, access)? else {
                    let message =
                        format!("{} names no cell of `{name}`, or several", statement.name);
                    return Ok(vec![violation(message)]);
                };
                let mut here = values(statement, place, &positions)?;
                let lane = place.shuffle.filter(|_| {
                    mark.space == MemorySpace::Registers && access.kind == AccessKind::Read
                });
                if let Some((distance, lanes)) = lane {
                    let at = positions.iter().position(|at| *at == lanes);
                    here = of_other_lane(&here, distance, at.unwrap_or_default())?;
                }
                let here = here.flat_range_product(&cell)?;
                let element = super::anonymous(&access.relation)?;
                let pairs = element.reverse().apply_range(&here)?;
                let pairs = pairs.intersect_params(&promoted.context)?;
                all = Some(match all {
                    None => pairs,
                    Some(all) if all.n(DimKind::Out) == pairs.n(DimKind::Out) => {
                        all.union(&pairs)?
                    }
                    Some(_) => {
                        let message =
                            format!("`{name}` is accessed by threads along different axes");
                        return Ok(vec![violation(message)]);
                    }
                });
            }
        }
        let Some(all) = all else { return Ok(Vec::new()) };
        // Accesses of one statement, and those that are alike in several places, are looked at once.
        let all = all.coalesce_up_to(MERGE_STEPS, self.budget)?;
        let mut violations = Vec::new();
        // Two places of one element, or two elements in one place.
        let two = |relation: &Map| -> Result<Map> {
            let pairs = relation.reverse().apply_range(relation)?;
            pairs.subtract(&Map::identity(&relation.space().range()), self.budget)
        };
        if !all.is_single_valued(self.budget)? {
            let several =
                || format!("an element of `{name}` is in different cells, blocks or threads");
            violations.extend(violation_if_any(&two(&all)?, several, self.budget)?);
        }
        if !all.is_injective(self.budget)? {
            let shared = || format!("elements of `{name}` share a cell");
            violations.extend(violation_if_any(&two(&all.reverse())?, shared, self.budget)?);
        }
        Ok(violations)
    }
}

/// From the instances of a place to the values of some loops around it.
pub(super) fn values(statement: &Statement, place: &Place, positions: &[usize]) -> Result<Map> {
    let space = statement.domain.space();
    let values: Vec<Aff> = positions.iter().map(|at| place.schedule[*at].clone()).collect();
    let from = values.iter().fold(space.clone(), |space, v| space.merge_params(v.domain_space()));
    let to = Space::set(from.param_names(), Tuple::anonymous(values.len()));
    let values = values.iter().map(|value| value.align_params(&from)).collect();
    MultiAff::new(from.map_to(&to), values)?.to_map().intersect_domain(&place.domain)
}

/// The values with those of the lane some way further in the warp, or the own one where there is none.
fn of_other_lane(values: &Map, distance: u32, at: usize) -> Result<Map> {
    let space = values.space().range();
    let n = space.n(DimKind::Out);
    let value = |at| Aff::variable(&space, DimKind::Out, at);
    let lanes = Int::from(ShuffleMark::LANES);
    let behind = value(at).modulo(&lanes).add_constant(&Int::from(distance));
    let is_there = Aff::constant(&space, &lanes).sub(&behind)?.positive_set();
    let to = |moved: Aff| -> Result<Map> {
        let all = (0..n).map(|other| if other == at { moved.clone() } else { value(other) });
        Ok(MultiAff::new(space.map_to(&space), all.collect())?.to_map())
    };
    let other = to(value(at).add_constant(&Int::from(distance)))?.intersect_domain(&is_there)?;
    let own = to(value(at))?
        .intersect_domain(&behind.sub(&Aff::constant(&space, &lanes))?.nonneg_set())?;
    values.apply_range(&other.union(&own)?)
}
