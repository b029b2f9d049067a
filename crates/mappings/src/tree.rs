//! Schedule trees from mappings.
use crate::error::EditError;
use crate::mapping::{MappedPiece, Mapping};
use loopwright_presburger::{Int, PwAff, Space, UnionPwAff, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree};
use std::collections::BTreeMap;

impl Mapping {
    /// The schedule tree with the order of the mappings: constants become sequences, loops bands of
    /// one member, and loops that are to be parallel get a mark.
    ///
    /// # Errors
    /// Those of unions.
    pub fn to_tree(&self) -> Result<ScheduleTree, EditError> {
        let pieces: Vec<&MappedPiece> = self.pieces().iter().collect();
        Ok(ScheduleTree { domain: self.domain()?, root: subtree(&pieces, 0)? })
    }
}

/// The order of pieces from a component on.
fn subtree(pieces: &[&MappedPiece], level: usize) -> Result<Node, EditError> {
    if pieces.iter().all(|piece| piece.components.len() == level) {
        return Ok(Node::Leaf);
    }
    let components = || pieces.iter().map(|piece| &piece.components[level]);
    if components().all(|component| component.is_syntactic()) {
        return sequence(pieces, level);
    }
    let band = Node::band(Band::from_member(member(pieces, level)), subtree(pieces, level + 1)?);
    let is_parallel = components().all(|each| each.parallel || each.is_syntactic());
    Ok(if is_parallel { Node::mark("parallel", band) } else { band })
}

/// The pieces in the order of a constant component.
fn sequence(pieces: &[&MappedPiece], level: usize) -> Result<Node, EditError> {
    let mut groups: BTreeMap<Int, Vec<&MappedPiece>> = BTreeMap::new();
    for &piece in pieces {
        let value = piece.components[level].value.constant_value();
        let value = value.map_or(Int::ZERO, |value| value.floor());
        groups.entry(value).or_default().push(piece);
    }
    if groups.len() == 1 {
        return subtree(pieces, level + 1);
    }
    let mut children = Vec::new();
    for group in groups.values() {
        let mut filter = UnionSet::empty();
        for piece in group {
            filter = filter.union(&UnionSet::from_set(piece.domain.clone()))?;
        }
        children.push((filter, subtree(group, level + 1)?));
    }
    Ok(Node::sequence(children))
}

/// A component of all pieces as one expression.
fn member(pieces: &[&MappedPiece], level: usize) -> UnionPwAff {
    let mut spaces: Vec<Space> = Vec::new();
    for piece in pieces {
        let space = piece.domain.space();
        if !spaces.iter().any(|other| other.has_equal_tuples(space)) {
            spaces.push(space.clone());
        }
    }
    let part = |space: &Space| {
        let own: Vec<&&MappedPiece> =
            pieces.iter().filter(|piece| piece.domain.space().has_equal_tuples(space)).collect();
        if let [piece] = own[..] {
            return PwAff::everywhere(piece.components[level].value.clone());
        }
        let value =
            |piece: &&&MappedPiece| (piece.domain.clone(), piece.components[level].value.clone());
        PwAff::from_pieces(space.clone(), own.iter().map(value).collect())
    };
    UnionPwAff::from_parts(spaces.iter().map(part).collect())
}
