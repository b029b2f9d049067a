//! References: the accesses of a scop as the dataflow engine sees them.
use loopwright_presburger::{Budget, Map, PlainForm};
use loopwright_scop::{AccessKind, ArrayId, ReferenceId, Scop, StatementId};
use rustc_hash::FxHashSet;

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

/// A statement with more accesses is looked at for accesses that say the same.
const MANY_ACCESSES: usize = 64;

/// References of one statement, each kind of access to the same elements once where there are many: the
/// thousands of branches of a `switch` that is one statement write one element.
fn distinct(mut references: Vec<Reference>) -> Vec<Reference> {
    if references.len() > MANY_ACCESSES {
        let mut known = FxHashSet::default();
        references.retain(|reference| {
            let relation = PlainForm::new(reference.relation.clone());
            known.insert((reference.array, reference.kind, relation))
        });
    }
    references
}

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
            distinct(statement.accesses.iter().map(reference).collect())
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
