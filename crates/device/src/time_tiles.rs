//! Tiles over time as blocks: each overlapped tile of a band of time steps is a block, with its arrays in
//! memory that its threads share, and so is each hexagon of a row, whose values pass through the memory of
//! the device.
//!
//! The tree is one with tiles as a loop that threads of the processor share, for overlapped tiles
//! (`loopwright_transform::overlapped`) with arrays of each tile and statements that copy, and with flags
//! that say which members of bands are independent. The loop over tiles becomes blocks. Inside, the
//! independent loops of a step, the last three of those that follow each other, become threads; all else is
//! sequential, with barriers ([`with_barriers`]) between the steps and the copies.
//!
//! [`with_barriers`]: crate::with_barriers
use crate::given_sizes::KernelSizes;
use crate::map::{mapped, marked};
use crate::occupancy::{BlockNeeds, Occupancy};
use crate::sizes::KernelPlan;
use crate::time_tile_costs::{REGISTERS, tile_threads};
use loopwright_machine::Device;
use loopwright_presburger::{Error, MultiUnionPwAff, Name, Result, Tuple};
use loopwright_schedule::{
    Axis, Band, KernelMark, LocalMark, LoopKind, LoopMark, MemorySpace, Node, Reaching,
    ScheduleTree,
};
use loopwright_scop::Scop;

/// A tree with tiles as blocks.
#[derive(Clone, Debug)]
pub struct TilesAsBlocks {
    /// The tree, with marks.
    pub tree: ScheduleTree,
    /// The sizes of its kernels, in its order.
    pub plans: Vec<KernelPlan>,
}

/// The extents of tiles along the dimensions of the data, the slowest first.
#[derive(Clone, Copy, Debug)]
pub struct TileExtents<'a> {
    /// Those of their blocks.
    pub block: &'a [i64],
    /// The greatest ones in a step.
    pub widest: &'a [i64],
    /// Bytes of the arrays of a tile.
    pub shared_bytes: u64,
}

/// The tree of a program in tiles over time with kernels, in the order of the tree, one for each loop that
/// threads shared.
///
/// *Cost.* Linear in the nodes.
///
/// # Errors
/// If the tiles have more than three dimensions, and those of strip-mining.
pub fn tiles_as_blocks(
    tree: &ScheduleTree,
    scop: &Scop,
    extents: TileExtents<'_>,
    device: &Device,
) -> Result<TilesAsBlocks> {
    let mut tiles = Tiles { scop, device, extents, plans: Vec::new() };
    let root = tiles.outside(&tree.root)?;
    Ok(TilesAsBlocks { tree: ScheduleTree::new(tree.domain.clone(), root), plans: tiles.plans })
}

struct Tiles<'a> {
    scop: &'a Scop,
    device: &'a Device,
    extents: TileExtents<'a>,
    /// Those of the kernels so far.
    plans: Vec<KernelPlan>,
}

fn is_shared_out(name: &str) -> bool {
    LoopMark::parse(name).is_some_and(|mark| mark.kind == LoopKind::Parallel)
}

fn has_arrays(node: &Node) -> bool {
    let is_array =
        |node: &Node| matches!(node, Node::Mark(name, _) if LocalMark::parse(name).is_some());
    !node.every_descendant(&|node| !is_array(node))
}

impl Tiles<'_> {
    fn outside(&mut self, node: &Node) -> Result<Node> {
        if let Node::Mark(name, child) = node
            && is_shared_out(name)
        {
            let name: Name = format!("kernel{}", self.plans.len()).into();
            let (members, below) = members_of(node);
            let inside = match (has_arrays(child), below) {
                (false, Node::Leaf) => self.copies(name.clone(), child)?,
                // The loops over overlapped tiles are independent; of those over others the first one is.
                (true, below) => self.tile(&name, &members, in_block(below)?)?,
                (false, below) => {
                    let (first, rest) = members.split_at(members.len().min(1));
                    self.tile(&name, first, in_block(&nested(rest, below.clone()))?)?
                }
            };
            return Ok(Node::mark(&KernelMark { name }.to_string(), inside));
        }
        let mut result = node.clone();
        for child in result.children_mut() {
            *child = self.outside(child)?;
        }
        Ok(result)
    }

    /// The loops of a statement that copies elements, each for itself.
    fn copies(&mut self, name: Name, node: &Node) -> Result<Node> {
        let (members, below) = members_of(node);
        let all = members.iter().flat_map(|band| band.schedule.members().to_vec());
        let all: Vec<_> = all.collect();
        let independent = vec![true; all.len()];
        let schedule = MultiUnionPwAff::new(Tuple::anonymous(all.len()), all);
        let band = Band::new(schedule).with_permutable(true).with_coincident(&independent);
        let sizes = KernelSizes::default();
        // Their values have no steps.
        let reaching = Reaching { pieces: Vec::new(), layout: Vec::new() };
        let band = (&band, below.clone());
        let (node, plan) = mapped(band, (name, &sizes), (self.scop, &reaching), self.device)?;
        self.plans.push(plan);
        Ok(node)
    }

    /// Loops over tiles as blocks.
    fn tile(&mut self, name: &Name, members: &[Band], inside: Node) -> Result<Node> {
        let plan = tile_plan(name.clone(), self.extents, self.device);
        self.plans.push(plan);
        blocks(members, inside)
    }
}

/// The sizes of a kernel of tiles over time.
pub fn tile_plan(name: Name, extents: TileExtents<'_>, device: &Device) -> KernelPlan {
    let TileExtents { block, widest, shared_bytes } = extents;
    let threads = tile_threads(widest, device);
    let n_threads = threads.iter().product::<i64>().max(1) as u64;
    let needs = BlockNeeds { threads: n_threads, registers: REGISTERS, shared_bytes };
    let x_first = |list: &[i64]| list.iter().rev().copied().collect::<Vec<_>>();
    KernelPlan {
        name,
        tile: x_first(block),
        threads: x_first(&threads),
        most_blocks: vec![None; block.len()],
        blocks: None,
        registers: REGISTERS,
        occupancy: Occupancy::of(&needs, device),
        is_given: false,
    }
}

/// The loops over tiles as blocks.
fn blocks(members: &[Band], inside: Node) -> Result<Node> {
    if members.len() > Axis::ALL.len() {
        let reason = "tiles have more than three dimensions".into();
        return Err(Error::Invalid { operation: "blocks of tiles", reason });
    }
    Ok(spread(members, LoopKind::Block, inside))
}

/// Loops along one axis each, the last one along the fastest.
fn spread(members: &[Band], kind: fn(Axis) -> LoopKind, inside: Node) -> Node {
    let axes = Axis::ALL[..members.len()].iter().rev();
    let pairs = members.iter().zip(axes).rev();
    pairs.fold(inside, |inside, (band, axis)| marked(band, &[(*axis, true)], kind, inside))
}

/// The part of a tile: arrays that threads share, and threads for its independent loops.
fn in_block(node: &Node) -> Result<Node> {
    match node {
        Node::Mark(name, child) => match LocalMark::parse(name) {
            Some(LocalMark { array, .. }) => {
                let mark = LocalMark { array, space: MemorySpace::Shared };
                Ok(Node::mark(&mark.to_string(), in_block(child)?))
            }
            None => in_block(child),
        },
        Node::Band(..) => threads(node),
        other => {
            let mut result = other.clone();
            for child in result.children_mut() {
                *child = in_block(child)?;
            }
            Ok(result)
        }
    }
}

/// Bands of a tile: the last three of independent members that follow each other become threads. With others
/// inside of them, as where a tile has a single step, these are sequential.
fn threads(node: &Node) -> Result<Node> {
    let (members, below) = members_of(node);
    if has_independent_loops(below) {
        return Ok(nested(&members, in_block(below)?));
    }
    let n_sequential = members.iter().take_while(|band| !band.members[0].coincident).count();
    let n_independent =
        members[n_sequential..].iter().take_while(|band| band.members[0].coincident).count();
    if n_independent == 0 {
        return Ok(nested(&members, in_block(below)?));
    }
    let end = n_sequential + n_independent;
    let first = end - n_independent.min(Axis::ALL.len());
    let inside = nested(&members[end..], below.clone());
    let threads = spread(&members[first..end], LoopKind::Thread, inside);
    Ok(nested(&members[..first], threads))
}

fn has_independent_loops(node: &Node) -> bool {
    let is_independent = |node: &Node| matches!(node, Node::Band(band, _) if band.members.iter().any(|m| m.coincident));
    !node.every_descendant(&|node| !is_independent(node))
}

/// The members of bands that stand right inside of each other, but for marks of loops, and what is below.
fn members_of(node: &Node) -> (Vec<Band>, &Node) {
    let (mut members, mut node) = (Vec::new(), node);
    loop {
        if let Node::Mark(name, below) = node
            && LoopMark::parse(name).is_some()
        {
            node = below;
            continue;
        }
        let Node::Band(band, below) = node else { break };
        let mut rest = band.clone();
        while rest.n_members() > 1 {
            let (first, others) = rest.split(1);
            members.push(first);
            rest = others;
        }
        members.push(rest);
        node = below;
    }
    (members, node)
}

fn nested(members: &[Band], inside: Node) -> Node {
    members.iter().rev().fold(inside, |inside, band| Node::band(band.clone(), inside))
}
