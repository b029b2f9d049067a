//! The parts of a region as the walk finds them, with forms in place of sets.
use crate::facts::effects::ModRef;
use crate::model::conditions::Disjunction;
use crate::model::filters::RawFilter;
use crate::model::linear::Linear;
use crate::model::pieces::Pieces;
use loopwright_scop::{AccessKind, TermKind};

/// A reference of a statement.
#[derive(Clone, Debug)]
pub(crate) struct RawAccess {
    pub(crate) variable: u32,
    pub(crate) kind: AccessKind,
    /// The subscripts; a kill that has fewer than its variable has dimensions is one of the whole
    /// rest.
    pub(crate) subscripts: Vec<Pieces>,
    /// Where it stands.
    pub(crate) at: usize,
    /// The loops inside of the statement around it.
    pub(crate) inner: Option<Inner>,
    /// What has to hold for the subscripts to say which elements these are; otherwise it may be any.
    pub(crate) obligations: Vec<BoundsObligation>,
    /// Whether it happens for sure where nothing but the conditions on data around the statement decides
    /// about that.
    pub(crate) is_sure_in_branch: bool,
}

/// The place of a reference inside of an opaque statement, or with subscripts that are not known.
#[derive(Clone, Debug)]
pub(crate) struct Inner {
    /// The loops of the statement itself around the reference, then stand-ins for values that are not
    /// known: the element exists for some values of them.
    pub(crate) loops: Vec<u32>,
    /// When it is reached.
    pub(crate) domain: Disjunction,
}

impl RawAccess {
    /// A reference of the statement as a whole.
    pub(crate) fn new(variable: u32, kind: AccessKind, subscripts: Vec<Pieces>, at: usize) -> Self {
        let (inner, obligations) = (None, Vec::new());
        RawAccess { variable, kind, subscripts, at, inner, obligations, is_sure_in_branch: false }
    }
}

/// A piece of a statement's text, or a beginning or end of a term of its body.
#[derive(Clone, Debug)]
pub(crate) enum RawPiece {
    Text(String),
    Expression(Pieces),
    /// A variable; an array without subscripts if these follow as text.
    Element {
        variable: u32,
        subscripts: Vec<Pieces>,
    },
    /// A variable that a call accesses, which the text does not name.
    Hidden {
        variable: u32,
    },
    /// The beginning of a term of the body, up to the `Close` that belongs to it, or to the end.
    Open(TermKind),
    /// The end of the term that was begun last.
    Close,
}

/// A statement with its surroundings.
#[derive(Clone, Debug)]
pub(crate) struct RawStatement {
    pub(crate) domain: Disjunction,
    /// The loops around it, outermost first.
    pub(crate) loops: Vec<u32>,
    pub(crate) accesses: Vec<RawAccess>,
    pub(crate) pieces: Vec<RawPiece>,
    pub(crate) is_kill: bool,
    pub(crate) at: usize,
    /// What its calls do with all memory that can be reached.
    pub(crate) reaches: ModRef,
    /// Whether it only assigns to a followed variable, and is left out where nobody reads that.
    pub(crate) is_update: bool,
    /// The conditions on data under which it runs, where they are kept apart.
    pub(crate) filters: Vec<RawFilter>,
}

/// Program order.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    Statement(usize),
    Loop { index: u32, body: Vec<Order> },
}

/// A loop of the region.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) variable: u32,
    /// What each iteration adds; 0 for the stand-in for a value that is not known.
    pub(crate) step: i64,
    /// The first value, if it has one form.
    pub(crate) start: Option<Linear>,
    /// How it ends.
    pub(crate) ending: Ending,
}

/// What happens to the iterator of a loop when it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Its next value fails the condition.
    #[default]
    Plain,
    /// The value before its next one fails the condition: `i-- > 0`.
    TestedBefore,
    /// Its next value is the greatest one of an unsigned type.
    WrapsAround,
}

/// What has to hold for the subscripts of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BoundsObligation {
    /// The subscript of a dimension is at least 0 and below the extent.
    Within(usize),
    /// The extent of a dimension is this.
    Extent(usize, Linear),
}
