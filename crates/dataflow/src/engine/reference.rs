//! References: the accesses of a scop as the dataflow engine sees them.
use loopwright_presburger::{Budget, Map};
use loopwright_scop::{AccessKind, ArrayId, ReferenceId, Scop, StatementId};

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

/// What identifies a reference in a scop.
pub(crate) type Key = (StatementId, ReferenceId);

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
