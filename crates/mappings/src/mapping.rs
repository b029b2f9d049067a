//! The mappings of all statements of a program part.
use crate::error::EditError;
use loopwright_presburger::{
    Aff, Budget, MultiAff, Name, PwMultiAff, Set, Space, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::ScheduleTree;
use std::fmt;

/// A component of a mapping.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its value, over the statement's instances.
    pub value: Aff,
    /// Whether the loop over it is to be executed in parallel.
    pub parallel: bool,
}

impl Component {
    /// A component with a sequential loop, or none.
    pub fn new(value: Aff) -> Self {
        Component { value, parallel: false }
    }

    /// Whether it is a constant, which orders statements rather than iterations ("syntactic").
    pub fn is_syntactic(&self) -> bool {
        self.value.is_constant()
    }
}

/// The mapping of some instances of a statement: all of them, unless its index set was split.
#[derive(Clone, Debug)]
pub struct MappedPiece {
    /// What edits call it: the statement's name, followed by `.1` or `.2` for each split.
    pub label: String,
    /// The names of the statement's iterators.
    pub iterators: Vec<Name>,
    /// The instances.
    pub domain: Set,
    /// The components, outermost first.
    pub components: Vec<Component>,
}

/// The mappings of all statements, all with the same number of components.
#[derive(Clone, Debug)]
pub struct Mapping {
    pieces: Vec<MappedPiece>,
}

impl Mapping {
    /// The order of a schedule tree: positions in sequences are constants, members of bands are
    /// expressions, and shorter tuples are followed by zeros.
    ///
    /// `iterators` gives the names of a statement's iterators; where there are too few, `i0`, `i1`,
    /// ... are used.
    ///
    /// ```
    /// use loopwright_mappings::Mapping;
    /// use loopwright_schedule::ScheduleTree;
    /// let tree = ScheduleTree::parse(
    ///     r#"{ domain: "{ A[i, j] : 0 <= i, j < 9; B[i] : 0 <= i < 9 }", child: {
    ///          schedule: "[{ A[i, j] -> [i]; B[i] -> [i] }]", child: { sequence: [
    ///            { filter: "{ A[i, j] }", child: { schedule: "[{ A[i, j] -> [j] }]" } },
    ///            { filter: "{ B[i] }" } ] } } }"#,
    /// )?;
    /// let mapping = Mapping::of_tree(&tree, |_| Vec::new()).expect("a mapping");
    /// let expected = "\
    /// A: { A[i, j] -> [(i), (0), (j)] }
    /// B: { B[i] -> [(i), (1), (0)] }
    /// ";
    /// assert_eq!(mapping.to_string(), expected);
    /// # Ok::<(), loopwright_presburger::Error>(())
    /// ```
    ///
    /// *Cost.* That of flattening the tree, and quadratic in the number of pieces of a statement.
    ///
    /// # Errors
    /// If the tree has no flat schedule.
    pub fn of_tree(
        tree: &ScheduleTree,
        iterators: impl Fn(&str) -> Vec<Name>,
    ) -> Result<Mapping, EditError> {
        let mut pieces: Vec<MappedPiece> = Vec::new();
        for piece in tree.flat_pieces()? {
            let tuple = piece.domain.space().output().cloned();
            let tuple = tuple.unwrap_or_else(|| Tuple::anonymous(0));
            let label = tuple.name().map_or(String::new(), |name| name.to_string());
            let given = iterators(&label);
            let iterators = (0..tuple.n_dims())
                .map(|i| given.get(i).cloned().unwrap_or_else(|| format!("i{i}").into()))
                .collect();
            let components = piece.schedule.into_iter().map(Component::new).collect();
            pieces.push(MappedPiece { label, iterators, domain: piece.domain, components });
        }
        number_pieces(&mut pieces);
        Ok(Mapping { pieces })
    }

    /// The mappings given by a relation from instances to one anonymous tuple.
    ///
    /// *Cost.* A parametric optimum for each piece of the relation that no equalities make a function.
    ///
    /// # Errors
    /// If the relation is not single-valued or its images have different lengths.
    pub fn of_relation(relation: &UnionMap, budget: &Budget) -> Result<Mapping, EditError> {
        let mut pieces = Vec::new();
        for map in relation.maps() {
            let tuple = map.space().input().cloned().unwrap_or_else(|| Tuple::anonymous(0));
            let label = tuple.name().map_or(String::new(), |name| name.to_string());
            let iterators: Vec<Name> =
                (0..tuple.n_dims()).map(|i| format!("i{i}").into()).collect();
            for (domain, value) in PwMultiAff::from_map(map, budget)?.pieces() {
                pieces.push(MappedPiece {
                    label: label.clone(),
                    iterators: iterators.clone(),
                    domain: domain.clone(),
                    components: value.affs().iter().cloned().map(Component::new).collect(),
                });
            }
        }
        number_pieces(&mut pieces);
        let depth = pieces.first().map_or(0, |piece| piece.components.len());
        if pieces.iter().any(|piece| piece.components.len() != depth) {
            return Err(EditError::refused("the images have different lengths"));
        }
        Ok(Mapping { pieces })
    }

    /// The mappings of the pieces of all statements.
    pub fn pieces(&self) -> &[MappedPiece] {
        &self.pieces
    }

    /// The number of components.
    pub fn depth(&self) -> usize {
        self.pieces.first().map_or(0, |piece| piece.components.len())
    }

    /// The instances of all statements.
    ///
    /// # Errors
    /// Those of the union.
    pub fn domain(&self) -> Result<UnionSet, EditError> {
        let mut union = UnionSet::empty();
        for piece in &self.pieces {
            union = union.union(&UnionSet::from_set(piece.domain.clone()))?;
        }
        Ok(union)
    }

    /// The mappings as one relation from instances to an anonymous tuple.
    ///
    /// *Cost.* Quadratic in the number of pieces of a statement.
    ///
    /// # Errors
    /// Those of the union.
    pub fn to_union_map(&self) -> Result<UnionMap, EditError> {
        let mut union = UnionMap::empty();
        for piece in &self.pieces {
            let map = piece.function()?.to_map().intersect_domain(&piece.domain)?;
            union = union.union(&UnionMap::from_map(map))?;
        }
        Ok(union)
    }

    /// Whether different instances, of the same statement or not, have different images.
    ///
    /// *Cost.* An emptiness test for each pair of pieces.
    ///
    /// # Errors
    /// If the budget is used up.
    pub fn is_injective(&self, budget: &Budget) -> Result<bool, EditError> {
        Ok(self.to_union_map()?.is_injective(budget)?)
    }

    /// The positions of the pieces with the given labels; `*` stands for all, and the name of a
    /// statement for all its pieces.
    pub(crate) fn select(&self, labels: &[String]) -> Result<Vec<usize>, EditError> {
        let mut selected = Vec::new();
        for label in labels {
            let fits = |piece: &MappedPiece| {
                let rest = piece.label.strip_prefix(label.as_str());
                label == "*" || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            let before = selected.len();
            for (position, piece) in self.pieces.iter().enumerate() {
                if fits(piece) && !selected.contains(&position) {
                    selected.push(position);
                }
            }
            if selected.len() == before {
                let known: Vec<&str> = self.pieces.iter().map(|p| p.label.as_str()).collect();
                return Err(EditError::refused(format!(
                    "there is no statement `{label}` (or it is named twice); there are {}",
                    known.join(", ")
                )));
            }
        }
        Ok(selected)
    }

    /// The mapping in which the selected pieces have new components; all are padded with zeros to
    /// the same length.
    pub(crate) fn edited(
        &self,
        selected: &[usize],
        edit: impl Fn(&MappedPiece) -> Result<Vec<Component>, EditError>,
    ) -> Result<Mapping, EditError> {
        let mut pieces = self.pieces.clone();
        for &position in selected {
            pieces[position].components = edit(&self.pieces[position])?;
        }
        Ok(Mapping::padded(pieces))
    }

    /// The pieces with zeros after shorter tuples.
    pub(crate) fn padded(mut pieces: Vec<MappedPiece>) -> Mapping {
        let depth = pieces.iter().map(|piece| piece.components.len()).max().unwrap_or(0);
        for piece in &mut pieces {
            let zero = Component::new(piece.constant(0));
            piece.components.resize(depth, zero);
        }
        Mapping { pieces }
    }

    /// The number of leading components that two pieces share: up to the first in which both are
    /// different constants ("common syntactic level").
    pub(crate) fn common_level(&self, first: usize, second: usize) -> usize {
        let (first, second) = (&self.pieces[first].components, &self.pieces[second].components);
        let differs = |(a, b): (&Component, &Component)| {
            a.is_syntactic() && b.is_syntactic() && !a.value.plain_is_equal(&b.value)
        };
        first.iter().zip(second).position(differs).unwrap_or(first.len())
    }
}

impl MappedPiece {
    /// A constant over the instances.
    pub(crate) fn constant(&self, value: i64) -> Aff {
        Aff::constant(self.domain.space(), &value.into())
    }

    /// The component at `position`, counted from 0.
    pub(crate) fn component(&self, position: usize) -> Result<&Component, EditError> {
        self.components.get(position).ok_or_else(|| {
            EditError::refused(format!(
                "{} has no component {}: it has {}",
                self.label,
                position + 1,
                self.components.len()
            ))
        })
    }

    /// The component at `position`, which must not be a constant.
    pub(crate) fn loop_component(&self, position: usize) -> Result<&Component, EditError> {
        let component = self.component(position)?;
        match component.value.constant_value() {
            None => Ok(component),
            Some(value) => Err(EditError::refused(format!(
                "component {} of {} is not a loop but the constant {value}",
                position + 1,
                self.label
            ))),
        }
    }

    /// The mapping as a function on the whole space of the statement.
    pub(crate) fn function(&self) -> Result<MultiAff, EditError> {
        let merge = |space: Space, c: &Component| space.merge_params(c.value.domain_space());
        let space = self.components.iter().fold(self.domain.space().clone(), merge);
        let affs = self.components.iter().map(|c| c.value.align_params(&space)).collect();
        let range = Space::set(space.param_names(), Tuple::anonymous(self.components.len()));
        Ok(MultiAff::new(space.map_to(&range), affs)?)
    }
}

/// Gives the pieces of statements that have several of them labels of their own.
fn number_pieces(pieces: &mut [MappedPiece]) {
    let labels: Vec<String> = pieces.iter().map(|piece| piece.label.clone()).collect();
    for (position, piece) in pieces.iter_mut().enumerate() {
        if labels.iter().filter(|label| **label == piece.label).count() > 1 {
            let earlier = labels[..position].iter().filter(|label| **label == piece.label).count();
            piece.label = format!("{}.{}", piece.label, earlier + 1);
        }
    }
}

/// One line per piece: its label and its mapping on the whole space.
impl fmt::Display for Mapping {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for piece in &self.pieces {
            let function = piece.function().map_err(|_| fmt::Error)?;
            writeln!(f, "{}: {function}", piece.label)?;
        }
        Ok(())
    }
}
