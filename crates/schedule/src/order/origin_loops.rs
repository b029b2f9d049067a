//! The loops over origins of tiles that marks speak about.
use crate::order::reaching::{Piece, Reaching};
use crate::tree::node::{Node, ScheduleTree};
use crate::tree::origin_mark::OriginMark;
use loopwright_presburger::{Aff, Error, Name, Result};

/// The loops below an [`OriginMark`].
#[derive(Clone, Debug)]
pub struct OriginLoops {
    /// The way from the root to the mark.
    pub path: Vec<usize>,
    /// The dimension of the flat schedule that the first loop is.
    pub level: usize,
    /// The names of the sizes, those of outer loops first.
    pub sizes: Vec<Name>,
    /// What reaches the nodes below the loops: the last expressions of each piece are the values that are
    /// tiled.
    pub below: Reaching,
}

impl OriginLoops {
    /// The values of a piece of [`OriginLoops::below`] that are tiled, one for each loop.
    pub fn values<'a>(&self, piece: &'a Piece) -> &'a [Aff] {
        &piece.schedule[piece.schedule.len() - self.sizes.len()..]
    }
}

impl ScheduleTree {
    /// The loops over origins of tiles, outer ones and those of earlier children first.
    ///
    /// ```
    /// use loopwright_schedule::{Band, Node, ScheduleTree};
    /// use loopwright_presburger::{MultiUnionPwAff, UnionSet};
    /// let domain = UnionSet::parse("[n] -> { S[i, j] : 0 <= i, j < n }")?;
    /// let band = Band::new(MultiUnionPwAff::parse("[{ S[i, j] -> [(i)] }, { S[i, j] -> [(i + j)] }]")?);
    /// let points = Node::band(band.clone(), Node::Leaf);
    /// let tree = ScheduleTree::new(domain, Node::mark("origins(p, q)", Node::band(band, points)));
    /// let loops = tree.origin_loops()?;
    /// assert_eq!(loops.len(), 1);
    /// let values = loops[0].values(&loops[0].below.pieces[0]);
    /// assert_eq!(values[1].to_string(), "{ S[i, j] -> [(i + j)] }");
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of a walk over the tree.
    ///
    /// # Errors
    /// If there are fewer members below a mark than it has sizes; those of [`Reaching::descend`].
    pub fn origin_loops(&self) -> Result<Vec<OriginLoops>> {
        let mut found = Vec::new();
        collect(&self.root, Reaching::root(self), &mut Vec::new(), &mut found)?;
        Ok(found)
    }
}

fn collect(
    node: &Node,
    reaching: Reaching,
    path: &mut Vec<usize>,
    found: &mut Vec<OriginLoops>,
) -> Result<()> {
    if let Node::Mark(name, child) = node
        && let Some(mark) = OriginMark::parse(name)
    {
        found.push(loops_below(mark, child, &reaching, path)?);
    }
    for (position, (child, below)) in node.children().iter().zip(reaching.below(node)?).enumerate()
    {
        path.push(position);
        collect(child, below, path, found)?;
        path.pop();
    }
    Ok(())
}

fn loops_below(
    mark: OriginMark,
    child: &Node,
    outside: &Reaching,
    path: &[usize],
) -> Result<OriginLoops> {
    let (level, depth, n) = (outside.layout.len(), outside.depth(), mark.sizes.len());
    let (mut node, mut below) = (child, outside.clone());
    while below.layout.len() < level + n {
        if !matches!(node, Node::Mark(..) | Node::Band(..)) {
            return Err(Error::Invalid {
                operation: "reading loops over tiles",
                reason: format!("there are fewer loops below `{mark}` than sizes"),
            });
        }
        below = below.descend(node, 0)?;
        node = &node.children()[0];
    }
    below.layout.truncate(level + n);
    below.pieces.iter_mut().for_each(|piece| piece.schedule.truncate(depth + n));
    Ok(OriginLoops { path: path.to_vec(), level, sizes: mark.sizes, below })
}
