//! The graph of tiles of a program whose sizes are known.
//!
//! A tile runs as one: it starts when all values that it reads and does not compute itself are there. So tile
//! `b` waits for tile `a` if an instance of `b` reads a value of an instance that is executed by `a` and not
//! by `b`. With tiles that overlap an instance is executed by several tiles; a reader outside waits for all
//! of them.
use crate::scalability::waves::Waves;
use loopwright_presburger::{Budget, DimKind, Error, Int, Map, Name, Result, Tuple, UnionMap};
use std::collections::{BTreeMap, BTreeSet};

/// An instance or a tile: the name of its space and its coordinates.
pub type Element = (Option<Name>, Vec<i64>);

/// The tiles of a program and which of them wait for which.
///
/// ```
/// use loopwright_presburger::{Budget, UnionMap};
/// use loopwright_transform::scalability::tile_graph::TileGraph;
/// // A chain of eight instances in tiles of four.
/// let tiles = UnionMap::parse("{ S[i] -> [floor(i/4)] : 0 <= i < 8 }")?;
/// let flow = UnionMap::parse("{ S[i] -> S[i + 1] : 0 <= i < 7 }")?;
/// let graph = TileGraph::new(&flow, &tiles, 100, &Budget::unlimited())?;
/// assert_eq!(graph.n_tiles(), 2);
/// assert_eq!(graph.edges(), [(0, 1)]);
/// assert_eq!(graph.waves().unwrap().work_span, 8);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TileGraph {
    /// The tiles in lexicographic order.
    pub tiles: Vec<Element>,
    /// The number of instances that each of them executes.
    pub weights: Vec<u64>,
    /// For each tile, those that wait for it, in order.
    pub successors: Vec<Vec<usize>>,
    /// The number of different instances; less than the sum of the weights where tiles overlap.
    pub n_instances: u64,
}

impl TileGraph {
    /// The graph for `tiles`, a relation from instances to tiles, and the value-based `flow` between
    /// instances. Dependences of instances that are in no tile do not count.
    ///
    /// *Cost.* Lists both relations point by point.
    ///
    /// # Errors
    /// [`Error::Invalid`] where a parameter has more than one value or a dimension is unbounded;
    /// [`Error::Exceeded`] if a relation has more than `limit` pairs, or the budget ends.
    pub fn new(flow: &UnionMap, tiles: &UnionMap, limit: usize, budget: &Budget) -> Result<Self> {
        let mut executed_by: BTreeMap<Element, Vec<Element>> = BTreeMap::new();
        for (instance, tile) in pairs(tiles, limit, budget)? {
            executed_by.entry(instance).or_default().push(tile);
        }
        let mut weights: BTreeMap<&Element, u64> = BTreeMap::new();
        for tile in executed_by.values().flatten() {
            *weights.entry(tile).or_default() += 1;
        }
        let position: BTreeMap<&Element, usize> =
            weights.keys().enumerate().map(|(position, tile)| (*tile, position)).collect();
        let mut successors = vec![BTreeSet::new(); weights.len()];
        for (source, sink) in pairs(flow, limit, budget)? {
            let (Some(before), Some(after)) = (executed_by.get(&source), executed_by.get(&sink))
            else {
                continue;
            };
            for to in after.iter().filter(|tile| !before.contains(tile)) {
                for from in before {
                    successors[position[from]].insert(position[to]);
                }
            }
        }
        Ok(TileGraph {
            tiles: weights.keys().map(|tile| (*tile).clone()).collect(),
            weights: weights.values().copied().collect(),
            successors: successors.into_iter().map(Vec::from_iter).collect(),
            n_instances: executed_by.len() as u64,
        })
    }

    /// The number of tiles.
    #[must_use]
    pub fn n_tiles(&self) -> usize {
        self.tiles.len()
    }

    /// The pairs of a tile and one that waits for it, as positions among the tiles.
    #[must_use]
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let outgoing = self.successors.iter().enumerate();
        outgoing.flat_map(|(from, to)| to.iter().map(move |to| (from, *to))).collect()
    }

    /// How many instances are executed for each different one: 1 where nothing is computed twice.
    #[must_use]
    pub fn redundancy(&self) -> f64 {
        self.weights.iter().sum::<u64>() as f64 / (self.n_instances.max(1) as f64)
    }

    /// Its tiles in waves, each as soon as what it waits for is done; none if tiles wait for each other in a
    /// circle, so that the tiling is not legal.
    ///
    /// *Cost.* Linear in the number of tiles and edges.
    #[must_use]
    pub fn waves(&self) -> Option<Waves> {
        Waves::new(self)
    }
}

/// The pairs of a relation without free parameters.
fn pairs(relation: &UnionMap, limit: usize, budget: &Budget) -> Result<Vec<(Element, Element)>> {
    let mut all = Vec::new();
    for map in relation.maps() {
        let room = limit.saturating_sub(all.len());
        all.extend(pairs_of_map(map, room, budget)?);
    }
    Ok(all)
}

fn pairs_of_map(
    map: &Map,
    limit: usize,
    budget: &Budget,
) -> Result<impl Iterator<Item = (Element, Element)>> {
    let space = map.space();
    let n_parameters = space.n(DimKind::Param);
    let name = |tuple: Option<&Tuple>| tuple.and_then(|t| t.name().cloned());
    let (input, output) = (name(space.input()), name(space.output()));
    let n_inputs = space.n(DimKind::In);
    let points = map.points(limit, budget)?;
    let first = points.first().map(|point| point[..n_parameters].to_vec());
    let is_other = |point: &Vec<Int>| Some(&point[..n_parameters]) != first.as_deref();
    if points.iter().any(is_other) {
        let reason = format!("the parameters of {space} have several values");
        return Err(Error::Invalid { operation: "tile_graph", reason });
    }
    let words: Vec<Vec<i64>> = points
        .iter()
        .map(|point| point[n_parameters..].iter().map(|x| word(x, budget)).collect())
        .collect::<Result<_>>()?;
    Ok(words.into_iter().map(move |point| {
        let (from, to) = point.split_at(n_inputs);
        ((input.clone(), from.to_vec()), (output.clone(), to.to_vec()))
    }))
}

/// A coordinate of an instance that is listed.
fn word(value: &Int, budget: &Budget) -> Result<i64> {
    value.to_i64().ok_or_else(|| budget.exceeded("tile_graph"))
}
