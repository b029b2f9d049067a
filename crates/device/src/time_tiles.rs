//! Overlapped tiles as blocks: each tile of a band of time steps is a block, with its arrays in memory that its threads share.
//!
//! The tree is that of `loopwright_transform::overlapped`, with tiles as a loop that threads of the processor share, arrays of each tile, and
//! statements that copy, and flags that say which members of bands are independent. The loop over tiles becomes
//! blocks. Inside, the independent loops of a step, the last three of those that follow each other, become threads; all else is
//! sequential, with barriers ([`with_barriers`]) between the steps and the copies.
//!
//! [`with_barriers`]: crate::with_barriers
use crate::given_sizes::KernelSizes;
use crate::map::{mapped, marked};
use loopwright_machine::Device;
use loopwright_presburger::{Error, MultiUnionPwAff, Result, Tuple};
use loopwright_schedule::{
    Axis, Band, KernelMark, LocalMark, LoopKind, LoopMark, MemorySpace, Node, ScheduleTree,
};
use loopwright_scop::Scop;

/// The tree of a program in overlapped tiles with kernels, in the order of the tree, one for each loop that threads shared.
///
/// *Cost.* Linear in the nodes.
///
/// # Errors
/// If the tiles have more than three dimensions, and those of strip-mining.
pub fn tiles_as_blocks(tree: &ScheduleTree, scop: &Scop, device: &Device) -> Result<ScheduleTree> {
    let mut tiles = Tiles { scop, device, n_kernels: 0 };
    let root = tiles.outside(&tree.root)?;
    Ok(ScheduleTree::new(tree.domain.clone(), root))
}

struct Tiles<'a> {
    scop: &'a Scop,
    device: &'a Device,
    n_kernels: usize,
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
            let inside = match has_arrays(child) {
                true => {
                    let (members, below) = members_of(node);
                    blocks(&members, in_block(below)?)?
                }
                false => self.copies(child)?,
            };
            let name = format!("kernel{}", self.n_kernels).into();
            self.n_kernels += 1;
            return Ok(Node::mark(&KernelMark { name }.to_string(), inside));
        }
        let mut result = node.clone();
        for child in result.children_mut() {
            *child = self.outside(child)?;
        }
        Ok(result)
    }

    /// The loops of a statement that copies elements, each for itself.
    fn copies(&self, node: &Node) -> Result<Node> {
        let (members, below) = members_of(node);
        let all = members.iter().flat_map(|band| band.schedule.members().to_vec());
        let all: Vec<_> = all.collect();
        let independent = vec![true; all.len()];
        let schedule = MultiUnionPwAff::new(Tuple::anonymous(all.len()), all);
        let band = Band::new(schedule).with_permutable(true).with_coincident(&independent);
        let name = format!("kernel{}", self.n_kernels).into();
        let sizes = KernelSizes::default();
        let (node, _) = mapped((&band, below.clone()), (name, &sizes), self.scop, self.device)?;
        Ok(node)
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

/// Bands of a tile: the last three of independent members that follow each other become threads.
fn threads(node: &Node) -> Result<Node> {
    let (members, below) = members_of(node);
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
