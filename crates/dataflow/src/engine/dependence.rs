//! Dependences between two references, and as relations between instances.
use loopwright_presburger::{Map, Name, Result, Space, Tuple, UnionMap};
use loopwright_scop::{ArrayId, ReferenceId, StatementId};

/// A relation between the instances of two references that touch the same elements.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The earlier reference.
    pub source: (StatementId, ReferenceId),
    /// The later reference.
    pub sink: (StatementId, ReferenceId),
    /// The array on which they meet.
    pub array: ArrayId,
    /// `S[i] -> T[j]`, source to sink.
    pub relation: Map,
}

/// The tag tuple `R3[]` of a reference.
fn tag(reference: ReferenceId) -> Tuple {
    let name: Name = format!("R{}", reference.0).into();
    Tuple::anonymous(0).with_name(Some(name))
}

/// The dependences as one relation between statement instances.
pub fn untagged<'a>(dependences: impl IntoIterator<Item = &'a Dependence>) -> Result<UnionMap> {
    let relations = dependences.into_iter().map(|dependence| dependence.relation.clone());
    Ok(UnionMap::from_maps(&Space::params(&[]), relations))
}

/// The dependences as one relation between tagged instances `[S[i] -> R3[]]`.
pub fn tagged<'a>(dependences: impl IntoIterator<Item = &'a Dependence>) -> Result<UnionMap> {
    let relations = dependences.into_iter().map(tag_relation).collect::<Result<Vec<Map>>>()?;
    Ok(UnionMap::from_maps(&Space::params(&[]), relations))
}

/// The relation of one dependence with tags at both ends.
fn tag_relation(dependence: &Dependence) -> Result<Map> {
    let space = dependence.relation.space();
    let with_tag = |tuple: Option<&Tuple>, reference: ReferenceId| {
        tuple.map(|tuple| Tuple::nested(tuple.clone(), tag(reference)))
    };
    let target: Space = space.with_tuples(
        with_tag(space.input(), dependence.source.1),
        with_tag(space.output(), dependence.sink.1),
    );
    dependence.relation.with_space_tuples(&target)
}
