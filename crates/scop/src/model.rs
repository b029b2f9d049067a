//! Statements, arrays, accesses and the program order.
use loopwright_presburger::{Map, Name, PwAff, Set};
use loopwright_schedule::ScheduleTree;

/// The index of a statement within its scop; prints as `S3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub u32);

/// The index of an array (or scalar) within its scop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(pub u32);

/// The index of a reference within its statement, in textual order; prints as `R3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReferenceId(pub u32);

/// A place in the user's file (1-based), for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Location {
    /// Line in the user's file.
    pub line: u32,
    /// Column in the (preprocessed) text of that line.
    pub column: u32,
}

/// A symbolic constant.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in the program and in all sets.
    pub name: Name,
    /// Its C type, as text (`int`).
    pub c_type: String,
}

/// A variable that statements access: an array or (no extents) a scalar.
#[derive(Clone, Debug)]
pub struct Array {
    /// The name in the program.
    pub name: Name,
    /// The name of its tuple in access relations: unique in the scop (shadowed locals get a suffix).
    pub tuple_name: Name,
    /// The C type of an element, as text (`double`).
    pub element_type: String,
    /// The size of an element in bytes, where the front end knows it.
    pub element_bytes: Option<u64>,
    /// The extent of each dimension in elements; none where unknown (a pointer's first).
    pub extents: Vec<Option<PwAff>>,
    /// Whether it is declared inside the region (then its declaration is repeated or privatized).
    pub declared_in_scop: bool,
    /// Whether its values may be used after the region.
    pub live_out: bool,
    /// The instances of the scalar or array: the schedule depth at which its declaration stands,
    /// for variables declared inside the region.
    pub declaration_depth: usize,
}

/// How a reference touches its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes for sure.
    MustWrite,
    /// Writes perhaps.
    MayWrite,
    /// No value flows across (declarations, ends of scopes).
    Kill,
}

/// One reference of a statement. A compound assignment has two references with one piece of text.
#[derive(Clone, Debug)]
pub struct Access {
    /// Position among the statement's references.
    pub reference: ReferenceId,
    /// What is accessed.
    pub array: ArrayId,
    /// How.
    pub kind: AccessKind,
    /// `S[i, j] -> A[x, y]`, restricted to the statement's domain.
    pub relation: Map,
}

/// A piece of the text of a statement's body.
#[derive(Clone, Debug)]
pub enum BodyPiece {
    /// Text to be copied.
    Text(String),
    /// An integer expression over the statement's domain to be regenerated (iterators, parameters
    /// mixed with iterators).
    Expression(PwAff),
    /// An array element `A[..][..]` whose subscripts are to be regenerated.
    Element {
        /// The text before the subscripts (`A`, `(*A)`).
        base: String,
        /// The array.
        array: ArrayId,
        /// One expression over the statement's domain per dimension.
        subscripts: Vec<PwAff>,
    },
}

/// A statement: its instances, accesses and text.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Position in the scop.
    pub id: StatementId,
    /// The name of its tuple (`S0`).
    pub name: Name,
    /// The instances `S0[i, j]`; coordinates are the values of the source loops' iterators.
    pub domain: Set,
    /// The names of the source iterators, outermost first.
    pub iterators: Vec<Name>,
    /// The references in textual order.
    pub accesses: Vec<Access>,
    /// The text, with holes; empty for kill statements, which are never executed.
    pub body: Vec<BodyPiece>,
    /// Whether this is a kill statement: part of the order, never executed.
    pub is_kill: bool,
    /// Where it stands.
    pub location: Location,
}

/// A region of a program in polyhedral form.
#[derive(Clone, Debug)]
pub struct Scop {
    /// What holds for the parameters, from C's rules and from the user.
    pub context: Set,
    /// The symbolic constants.
    pub parameters: Vec<Parameter>,
    /// The variables.
    pub arrays: Vec<Array>,
    /// The statements in textual order.
    pub statements: Vec<Statement>,
    /// The program's own order.
    pub schedule: ScheduleTree,
}
