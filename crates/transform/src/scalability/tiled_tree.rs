//! The tiles of a schedule tree: the relation from its instances to the tiles of the outermost permutable bands.
//!
//! On each path of the tree the first permutable band is put into tiles of one size; the bands outside of it, and the positions in
//! sequences, are coordinates of the tiles as they are, and what is inside of it runs in its tile. So a sequential loop
//! outside makes tiles of one of its iterations each.
use crate::settings::ConcurrentStart;
use crate::tile::diamond::concurrent_start;
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

/// The tiles of `size` values along each member of a band, for hyperplanes as they are, or such that tiles start
/// concurrently where `dependences` allow it and no member is coincident: the first member that allows it is replaced, as in
/// [`concurrent_tiles`](crate::band::concurrent_start::concurrent_tiles), which also asks whether it pays.
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
    let mut walk =
        Walk { size, start, dependences, budget, has_tiles: false, starts_concurrently: false };
    let root = walk.tiled(&tree.root, &Reaching::root(tree))?;
    let tiles = ScheduleTree { domain: tree.domain.clone(), root }.flatten()?;
    let Walk { has_tiles, starts_concurrently, .. } = walk;
    Ok(TiledTree { tiles, has_tiles, starts_concurrently })
}

struct Walk<'a> {
    size: i64,
    start: ConcurrentStart,
    dependences: &'a UnionMap,
    budget: &'a Budget,
    has_tiles: bool,
    starts_concurrently: bool,
}

impl Walk<'_> {
    /// The node with tiles in place of the outermost permutable bands.
    fn tiled(&mut self, node: &Node, reaching: &Reaching) -> Result<Node> {
        if let Node::Band(band, _) = node
            && band.permutable
        {
            self.has_tiles = true;
            let band = self.with_start(band, reaching)?;
            let sizes = vec![Int::from(self.size); band.n_members()];
            let (tiles, _) = band.tile(&sizes, TileLoops::Unscaled)?;
            return Ok(Node::band(tiles, Node::Leaf));
        }
        let mut tiled = node.clone();
        for (position, child) in tiled.children_mut().iter_mut().enumerate() {
            let inside = reaching.descend(node, position)?;
            *child = self.tiled(&node.children()[position], &inside)?;
        }
        Ok(tiled)
    }

    /// The band with hyperplanes for concurrent start, if that is wanted and there are some, and there is no coincident
    /// member whose tiles start concurrently in any case.
    fn with_start(&mut self, band: &Band, reaching: &Reaching) -> Result<Band> {
        let n = band.n_members();
        if band.members.iter().any(|member| member.coincident) {
            return Ok(band.clone());
        }
        for face in 0..n {
            let others = (0..n).filter(|&member| member != face);
            let with: Vec<usize> = match self.start {
                ConcurrentStart::None => break,
                ConcurrentStart::Partial => others.take(1).collect(),
                ConcurrentStart::Full => others.collect(),
            };
            let found =
                concurrent_start(band, face, &with, reaching, self.dependences, self.budget)?;
            if let Some(diamond) = found {
                self.starts_concurrently = true;
                return Ok(diamond.band);
            }
        }
        Ok(band.clone())
    }
}
