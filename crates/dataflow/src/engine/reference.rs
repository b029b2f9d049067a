//! References: the accesses of a scop as the dataflow engine sees them.
use loopwright_presburger::{Budget, Map, Name, Result, Space, Tuple, UnionMap};
use loopwright_scop::{AccessKind, ArrayId, ReferenceId, Scop, StatementId};

use crate::Dependence;

/// One syntactic reference: what it touches and how.
#[derive(Clone, Debug)]
pub struct Reference {
    /// The statement it belongs to.
    pub statement: StatementId,
    /// Its position within the statement.
    pub reference: ReferenceId,
    /// The array or scalar.
    pub array: ArrayId,
    /// Read, write or kill.
    pub kind: AccessKind,
    /// `S[i] -> A[x]`.
    pub relation: Map,
    /// Whether every instance is known to touch at most one element. Subscripts that depend on data,
    /// and statements with loops of their own, touch several.
    pub is_single_valued: bool,
}

/// Work limit for finding out whether a relation has one element per instance.
const SINGLE_VALUED_STEPS: u64 = 20_000;

fn is_single_valued(relation: &Map) -> bool {
    relation.is_single_valued(&Budget::steps(SINGLE_VALUED_STEPS)).unwrap_or(false)
}

impl Reference {
    /// All references of `scop` in textual order.
    pub fn all(scop: &Scop) -> Vec<Reference> {
        let of_statement = |statement: &loopwright_scop::Statement| {
            let id = statement.id;
            let reference = move |access: &loopwright_scop::Access| Reference {
                statement: id,
                reference: access.reference,
                array: access.array,
                kind: access.kind,
                relation: access.relation.clone(),
                is_single_valued: access.kind != AccessKind::Kill
                    && is_single_valued(&access.relation),
            };
            statement.accesses.iter().map(reference).collect::<Vec<_>>()
        };
        scop.statements.iter().flat_map(of_statement).collect()
    }

    /// What identifies it in the scop.
    pub(crate) fn key(&self) -> (StatementId, ReferenceId) {
        (self.statement, self.reference)
    }

    /// Whether a value may be written.
    pub fn is_may_write(&self) -> bool {
        matches!(self.kind, AccessKind::MustWrite | AccessKind::MayWrite)
    }

    /// Whether a value is written for sure.
    pub fn is_must_write(&self) -> bool {
        self.kind == AccessKind::MustWrite
    }

    /// Whether a value is read.
    pub fn is_read(&self) -> bool {
        self.kind == AccessKind::Read
    }

    /// Whether no earlier value survives: a sure write or a kill.
    pub fn cuts(&self) -> bool {
        matches!(self.kind, AccessKind::MustWrite | AccessKind::Kill)
    }
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
