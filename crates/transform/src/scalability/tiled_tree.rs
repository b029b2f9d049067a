//! The tiles of a schedule tree: the relation from its instances to the tiles of the outermost permutable
//! bands.
//!
//! On each path of the tree the first permutable band is put into tiles of one size; the bands outside of it,
//! and the positions in sequences, are coordinates of the tiles as they are, and what is inside of it runs in
//! its tile. So a sequential loop outside makes tiles of one of its iterations each.
use crate::settings::{ConcurrentStart, Tiling};
use crate::tile::diamond::concurrent_start;
use crate::tile::tiling::{Refusal, Request, tiled_band};
use crate::tile::tiling_cost::Workload;
use loopwright_presburger::{Budget, Int, Result, UnionMap};
use loopwright_schedule::{Band, Node, Reaching, ScheduleTree, TileLoops};

/// A relation from the instances of a tree to tiles.
#[derive(Clone, Debug)]
pub struct TiledTree {
    /// The relation, with parameters.
    pub tiles: UnionMap,
    /// Whether there is a permutable band.
    pub has_tiles: bool,
    /// Whether a band has hyperplanes for concurrent start.
    pub starts_concurrently: bool,
}

/// The tiles of `size` values along each member of a band, for hyperplanes as they are, or such that tiles
/// start concurrently where `dependences` allow it and no member is coincident: the first member that allows
/// it is replaced, as in [`concurrent_tiles`](crate::band::concurrent_start::concurrent_tiles), which also
/// asks whether it pays.
///
/// ```
/// use loopwright_presburger::{Budget, UnionMap};
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_transform::ConcurrentStart;
/// use loopwright_transform::scalability::tiled_tree::tiled_tree;
/// let tree = ScheduleTree::parse(
///     "{ domain: '{ S[t, i] }', child: { schedule: '[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]', permutable: 1 } }",
/// )?;
/// let flow = UnionMap::parse("{ S[t, i] -> S[t + 1, x] : i - 1 <= x <= i + 1 }")?;
/// let tiled = tiled_tree(&tree, 4, ConcurrentStart::Partial, &flow, &Budget::unlimited())?;
/// assert!(tiled.has_tiles && tiled.starts_concurrently);
/// let expected = UnionMap::parse("{ S[t, i] -> [floor((t - i)/4), floor((t + i)/4)] }")?;
/// assert!(tiled.tiles.is_equal(&expected, &Budget::unlimited())?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the tree is malformed, the size is not positive, or the budget ends.
pub fn tiled_tree(
    tree: &ScheduleTree,
    size: i64,
    start: ConcurrentStart,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<TiledTree> {
    let mut starts_concurrently = false;
    let mut tile = |band: &Band, reaching: &Reaching| {
        let found = with_start(band, reaching, start, dependences, budget)?;
        starts_concurrently |= found.is_some();
        let band = found.unwrap_or_else(|| band.clone());
        let sizes = vec![Int::from(size); band.n_members()];
        let (tiles, _) = band.tile(&sizes, TileLoops::Unscaled)?;
        Ok(Node::band(tiles, Node::Leaf))
    };
    let (tiles, has_tiles) = with_tiles(tree, 1, &mut tile)?;
    Ok(TiledTree { tiles, has_tiles, starts_concurrently })
}

/// The tiles of a shape, as [`optimise`](crate::optimise) makes them of bands of two members or more; why
/// there are none otherwise.
///
/// ```
/// use loopwright_presburger::{Budget, UnionMap};
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_transform::Tiling;
/// use loopwright_transform::scalability::tiled_tree::shaped_tree;
/// let tree = ScheduleTree::parse(
///     "{ domain: '{ S[t, i] }', child: { schedule: '[{ S[t, i] -> [(t)] }, { S[t, i] -> [(t + i)] }]', permutable: 1 } }",
/// )?;
/// let flow = UnionMap::parse("{ S[t, i] -> S[t + 1, x] : i - 1 <= x <= i + 1 }")?;
/// let shaped = |sizes| shaped_tree(&tree, Tiling::Trapezoid, sizes, &flow, &Budget::unlimited());
/// assert!(shaped(&[4, 5])?.is_err());
/// let expected = UnionMap::parse(
///     "{ S[t, i] -> [b, m, x] : 4b <= t < 4b + 4 and x mod 6 = 0 and x <= i + t - 4b < x + 6 and 0 <= m <= 1 and \
///        0 <= 6m + i - t + 4b - x < 6 }",
/// )?;
/// assert!(shaped(&[4, 6])?.unwrap().tiles.is_equal(&expected, &Budget::unlimited())?);
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// # Errors
/// If the tree is malformed, or the budget ends.
pub fn shaped_tree(
    tree: &ScheduleTree,
    tiling: Tiling,
    sizes: &[i64],
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<std::result::Result<TiledTree, Refusal>> {
    let mut refusal = None;
    let mut tile = |band: &Band, reaching: &Reaching| {
        let innermost = band.n_members() - 1;
        let workload = &Workload::nominal(band.n_members());
        let request = Request { tiling, sizes, innermost, point_to_point: false, workload };
        let tiled = tiled_band(request, band, reaching, dependences, budget)?;
        Ok(tiled.map_or_else(
            |refused| {
                refusal.get_or_insert(refused);
                Node::Leaf
            },
            |tiled| match tiled.tiling {
                Tiling::Hexagonal => whole(tiled.loops),
                _ => tiled.loops,
            },
        ))
    };
    let (tiles, has_tiles) = with_tiles(tree, 2, &mut tile)?;
    let tiled = TiledTree { tiles, has_tiles, starts_concurrently: tiling != Tiling::Pipelined };
    Ok(refusal.map_or(Ok(tiled), Err))
}

/// The tiles of a tree, with what `tile` makes of the outermost permutable bands of so many members or more;
/// and whether there are such bands.
fn with_tiles(
    tree: &ScheduleTree,
    least_members: usize,
    tile: &mut dyn FnMut(&Band, &Reaching) -> Result<Node>,
) -> Result<(UnionMap, bool)> {
    let mut has_tiles = false;
    let mut counted = |band: &Band, reaching: &Reaching| {
        has_tiles = true;
        tile(band, reaching)
    };
    let root = tiled(&tree.root, &Reaching::root(tree), least_members, &mut counted)?;
    Ok((ScheduleTree { domain: tree.domain.clone(), root }.flatten()?, has_tiles))
}

/// The loops over tiles that have parts one after the other, without the parts.
fn whole(mut loops: Node) -> Node {
    if matches!(loops, Node::Sequence(_)) {
        return Node::Leaf;
    }
    for child in loops.children_mut() {
        *child = whole(child.clone());
    }
    loops
}

/// The node with tiles in place of the outermost permutable bands.
fn tiled(
    node: &Node,
    reaching: &Reaching,
    least_members: usize,
    tile: &mut dyn FnMut(&Band, &Reaching) -> Result<Node>,
) -> Result<Node> {
    if let Node::Band(band, _) = node
        && band.permutable
        && band.n_members() >= least_members
    {
        return tile(band, reaching);
    }
    let mut all = node.clone();
    for (position, child) in all.children_mut().iter_mut().enumerate() {
        let inside = reaching.descend(node, position)?;
        *child = tiled(&node.children()[position], &inside, least_members, tile)?;
    }
    Ok(all)
}

/// The band with hyperplanes for concurrent start, if that is wanted and there are some, and there is no
/// coincident member whose tiles start concurrently in any case.
fn with_start(
    band: &Band,
    reaching: &Reaching,
    start: ConcurrentStart,
    dependences: &UnionMap,
    budget: &Budget,
) -> Result<Option<Band>> {
    let n = band.n_members();
    if band.members.iter().any(|member| member.coincident) {
        return Ok(None);
    }
    for face in 0..n {
        let others = (0..n).filter(|&member| member != face);
        let with: Vec<usize> = match start {
            ConcurrentStart::None => break,
            ConcurrentStart::Partial => others.take(1).collect(),
            ConcurrentStart::Full => others.collect(),
        };
        if let Some(found) = concurrent_start(band, face, &with, reaching, dependences, budget)? {
            return Ok(Some(found.band));
        }
    }
    Ok(None)
}
