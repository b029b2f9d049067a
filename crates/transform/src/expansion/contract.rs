//! Expanded scalars in arrays of a tile.
use crate::expansion::fuse::{Fused, fuse};
use crate::storage::local_array::{Origin, interval_of, pad};
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{
    Aff, Budget, DimKind, Int, MultiAff, PwAff, Result, Set, Space, Tuple,
};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ArrayId, Expansion, Scop, Statement};

/// A tree and a program whose expanded scalars are small local arrays.
#[derive(Clone, Debug)]
pub struct Contracted {
    /// The tree, with the arrays declared in tiles.
    pub tree: ScheduleTree,
    /// The program: bodies name cells of these arrays, accesses still say which elements they stand for.
    pub scop: Scop,
    /// What was done, in sentences.
    pub decisions: Vec<String>,
}

/// The cells of an expansion.
struct Cells {
    origins: Vec<Origin>,
    extents: Vec<i64>,
}

/// Gives the arrays of all `expansions` of `scop`, as scheduled by `tree`, a few cells in each tile; none if
/// for one of them there are no such tiles (see [`super`]), or they are too large for the second level cache.
///
/// *Cost.* A subset test per dependence between the statements of an expansion, and a few integer
/// optimizations per loop.
///
/// # Errors
/// For malformed trees, and if the budget runs out.
pub fn contract(
    tree: &ScheduleTree,
    scop: &Scop,
    expansions: &[Expansion],
    dependences: &Dependences,
    machine: &Machine,
    budget: &Budget,
) -> Result<Option<Contracted>> {
    let mut result = Contracted { tree: tree.clone(), scop: scop.clone(), decisions: Vec::new() };
    let mut bytes_left = i64::try_from(machine.l2_bytes / 2).unwrap_or(i64::MAX);
    for expansion in expansions {
        let Some(fused) = fuse(&result.tree, scop, expansion, dependences, budget)? else {
            return Ok(None);
        };
        let Some(cells) = cells(scop, expansion, &fused, machine, &mut bytes_left, budget)? else {
            return Ok(None);
        };
        declare(&mut result.scop, expansion.array, &cells.extents);
        for &statement in &expansion.statements {
            if let Some(own) = result.scop.statements.get_mut(statement.0 as usize) {
                name_cells(own, expansion, &fused, &cells)?;
            }
        }
        let extents: String = cells.extents.iter().map(|extent| format!("[{extent}]")).collect();
        result.decisions.push(format!(
            "{} has a value per iteration of {} loops, in {}{extents} of each tile",
            scop.array(expansion.scalar).name,
            expansion.n_loops,
            scop.array(expansion.array).name,
        ));
        result.tree = fused.tree;
    }
    Ok(Some(result))
}

/// The smallest box of cells for the elements of a tile.
fn cells(
    scop: &Scop,
    expansion: &Expansion,
    fused: &Fused,
    machine: &Machine,
    bytes_left: &mut i64,
    budget: &Budget,
) -> Result<Option<Cells>> {
    let Some(elements) = elements(scop, expansion)? else { return Ok(None) };
    let (mut origins, mut extents) = (Vec::new(), Vec::new());
    for dimension in 0..expansion.n_loops {
        let value = Aff::variable(elements.space(), DimKind::Out, dimension);
        let Some((origin, extent)) = interval_of(&elements, &value, &fused.tiles, budget)? else {
            return Ok(None);
        };
        origins.push(origin);
        extents.push(extent);
    }
    let bytes = pad(&mut extents, scop.array(expansion.array), machine);
    *bytes_left = bytes_left.saturating_sub(bytes);
    Ok((*bytes_left >= 0).then_some(Cells { origins, extents }))
}

/// All elements that the statements of an expansion access.
fn elements(scop: &Scop, expansion: &Expansion) -> Result<Option<Set>> {
    let mut union: Option<Set> = None;
    for &statement in &expansion.statements {
        let accesses = scop.statement(statement).accesses.iter();
        for access in accesses.filter(|access| access.array == expansion.array) {
            let own = access.relation.range().intersect_params(&scop.context)?;
            union = Some(match union {
                Some(other) => other.union(&own)?,
                None => own,
            });
        }
    }
    Ok(union)
}

fn declare(scop: &mut Scop, array: ArrayId, extents: &[i64]) {
    let params = Space::params(&[]);
    let extent = |&extent: &i64| Some(PwAff::from_aff(Aff::constant(&params, &Int::from(extent))));
    if let Some(array) = scop.arrays.get_mut(array.0 as usize) {
        array.extents = extents.iter().map(extent).collect();
        array.extent_texts = extents.iter().map(i64::to_string).collect();
    }
}

/// The body of a statement with cells in place of elements.
fn name_cells(
    statement: &mut Statement,
    expansion: &Expansion,
    fused: &Fused,
    cells: &Cells,
) -> Result<()> {
    let space = statement.domain.space();
    let mut subscripts = Vec::new();
    for (dimension, origin) in cells.origins.iter().enumerate() {
        let coordinate = Aff::variable(space, DimKind::Out, dimension);
        let from_tile = match origin.dimension {
            Some(tile) => {
                let tile = &fused.tiles[tile];
                let tile =
                    tile.pullback(&element(space, tile.domain_space(), expansion.n_loops)?)?;
                coordinate.sub(&tile.scale(&origin.factor))?
            }
            None => coordinate,
        };
        subscripts.push(PwAff::from_aff(from_tile.add_constant(&-&origin.constant)));
    }
    statement.body.for_each_element_mut(&mut |element| {
        if element.array == expansion.array {
            element.subscripts.clone_from(&subscripts);
        }
    });
    Ok(())
}

/// From the instances of a statement to the elements that they access.
fn element(instances: &Space, elements: &Space, n: usize) -> Result<MultiAff> {
    let from = instances.merge_params(elements);
    let affs = (0..n).map(|position| Aff::variable(&from, DimKind::Out, position)).collect();
    let tuple = elements.output().cloned().unwrap_or(Tuple::anonymous(n));
    MultiAff::new(from.map_to(&Space::set(from.param_names(), tuple)), affs)
}
