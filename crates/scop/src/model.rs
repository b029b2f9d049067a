//! Statements, arrays, accesses and the program order.
use crate::body::{Body, FloatingType, Literal, ScalarType, Term, TermKind};
use crate::ids::{ArrayId, ReferenceId, StatementId};
use loopwright_presburger::{Map, Name, PwAff, Set};
use loopwright_schedule::ScheduleTree;

/// A place in the user's file (1-based), for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Location {
    /// Line in the user's file.
    pub line: u32,
    /// Column in the (preprocessed) text of that line.
    pub column: u32,
}

/// A symbolic constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Parameter {
    /// Its name in the program and in all sets.
    pub name: Name,
    /// Its C type, as text (`int`).
    pub c_type: String,
    /// The expression that has its value in front of the region (`g->n`), if it is no variable of the
    /// program.
    pub value: Option<String>,
}

/// The kind of values an array holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ElementKind {
    /// `float`, `double`, `long double`.
    Floating,
    /// Signed integers.
    Signed,
    /// Unsigned integers, `_Bool` among them.
    Unsigned,
    /// Anything else, or not known.
    #[default]
    Other,
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
    /// What the elements are.
    pub element_kind: ElementKind,
    /// The extent of each dimension in elements, over the parameters (the domain is a parameter
    /// space); none where unknown (a pointer's first).
    pub extents: Vec<Option<PwAff>>,
    /// The C text of each extent, for a declaration of the same variable; empty where unknown.
    pub extent_texts: Vec<String>,
    /// Whether it is a part of a variable: a member of a structure that is declared outside of the
    /// region. Then `name` is made up, and it cannot be private to a loop by itself.
    pub is_member: bool,
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
    /// The C types of the source iterators, as text.
    pub iterator_types: Vec<String>,
    /// The references in textual order.
    pub accesses: Vec<Access>,
    /// What an instance does; empty for kill statements, which are never executed.
    pub body: Body,
    /// Whether this is a kill statement: part of the order, never executed.
    pub is_kill: bool,
    /// Where it stands.
    pub location: Location,
}

/// A region of a program in polyhedral form.
#[derive(Clone)]
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
    /// What was taken for granted beyond the rules of C, one sentence each (pointer parameters
    /// that do not overlap, unsigned arithmetic that does not wrap).
    pub assumptions: Vec<String>,
}

impl ElementKind {
    const KEYWORDS: [(ElementKind, &str); 4] = [
        (ElementKind::Floating, "floating"),
        (ElementKind::Signed, "signed"),
        (ElementKind::Unsigned, "unsigned"),
        (ElementKind::Other, "other"),
    ];

    /// The word in the text form.
    pub fn keyword(self) -> &'static str {
        keyword(&Self::KEYWORDS, self)
    }

    /// The kind with a word.
    pub fn from_keyword(word: &str) -> Option<Self> {
        from_keyword(&Self::KEYWORDS, word)
    }
}

impl AccessKind {
    const KEYWORDS: [(AccessKind, &str); 4] = [
        (AccessKind::Read, "read"),
        (AccessKind::MustWrite, "write"),
        (AccessKind::MayWrite, "may-write"),
        (AccessKind::Kill, "kill"),
    ];

    /// The word in the text form.
    pub fn keyword(self) -> &'static str {
        keyword(&Self::KEYWORDS, self)
    }

    /// The kind with a word.
    pub fn from_keyword(word: &str) -> Option<Self> {
        from_keyword(&Self::KEYWORDS, word)
    }
}

fn keyword<T: PartialEq>(table: &[(T, &'static str)], value: T) -> &'static str {
    table.iter().find(|(kind, _)| *kind == value).map_or("", |(_, word)| word)
}

fn from_keyword<T: Copy>(table: &[(T, &str)], word: &str) -> Option<T> {
    table.iter().find(|(_, known)| *known == word.trim()).map(|(kind, _)| *kind)
}

/// Stacks of threads have 2 MiB where nothing is said, that of the first one most often 8 MiB.
const MOST_PRIVATE: u64 = 1 << 20;

/// Bytes of an array that each thread of a device may have: of 2048 threads on a multiprocessor that is 2
/// MiB, which caches hold in part.
const MOST_OF_A_THREAD: u64 = 1 << 10;

impl Array {
    /// Whether this is a scalar: a variable (not a part of one) without subscripts.
    pub fn is_scalar(&self) -> bool {
        self.extents.is_empty() && !self.is_member
    }

    /// The floating type of C that elements have, by whatever name they are declared; none if they have none,
    /// or one that is not known.
    ///
    /// [`FloatingType::Double`] for elements of `typedef double real`. Models without kinds say it by the
    /// text of the type.
    pub fn floating_type(&self) -> Option<FloatingType> {
        match (self.element_kind, self.element_bytes, self.element_type.as_str()) {
            (ElementKind::Floating, Some(4), _) | (ElementKind::Other, _, "float") => {
                Some(FloatingType::Float)
            }
            (ElementKind::Floating, Some(8), _) | (ElementKind::Other, _, "double") => {
                Some(FloatingType::Double)
            }
            (ElementKind::Floating, Some(16), _) | (ElementKind::Other, _, "long double") => {
                Some(FloatingType::LongDouble)
            }
            _ => None,
        }
    }

    /// Whether each iteration of a loop that threads share may have its own copy, if no value of it leaves an
    /// iteration: a scalar, or an array that the region declares, unless it is known to be too large for the
    /// stack of a thread. Arrays from elsewhere may be reached by other names, or be arguments.
    pub fn may_be_private(&self) -> bool {
        let is_own = self.declared_in_scop && !self.is_member;
        self.is_scalar() || is_own && self.known_bytes().is_none_or(|bytes| bytes <= MOST_PRIVATE)
    }

    /// Whether each thread of a device may have its own copy, if no value of it leaves an iteration: a
    /// scalar, or a small array that the region declares, of constant extents. Members of structures are
    /// arrays of their own there.
    pub fn may_be_of_a_thread(&self) -> bool {
        let is_small = || self.known_bytes().is_some_and(|bytes| bytes <= MOST_OF_A_THREAD);
        self.is_scalar() || self.declared_in_scop && is_small()
    }

    /// The bytes of an array of constant extents.
    fn known_bytes(&self) -> Option<u64> {
        let extents = self.extent_texts.iter().map(|extent| extent.parse::<u64>().ok());
        let element = self.element_bytes;
        extents.fold(element, |bytes, extent| Some(bytes?.saturating_mul(extent?)))
    }

    /// A C declaration of a variable of this type under `name`, without semicolon (`double a[4]`).
    ///
    /// None if an extent is unknown.
    pub fn declaration(&self, name: &str) -> Option<String> {
        if self.extent_texts.iter().any(String::is_empty) {
            return None;
        }
        let dims: String = self.extent_texts.iter().map(|e| format!("[{e}]")).collect();
        Some(format!("{} {name}{dims}", self.element_type))
    }
}

impl Statement {
    /// The references that read, or those that write perhaps or for sure.
    pub fn accesses_of(&self, kinds: &'static [AccessKind]) -> impl Iterator<Item = &Access> {
        self.accesses.iter().filter(move |a| kinds.contains(&a.kind))
    }
}

impl Scop {
    /// Whether some statement may compute with floating numbers, so that its results depend on how the thread
    /// rounds that runs it: calls and what is not understood may, too.
    pub fn computes_with_floats(&self) -> bool {
        let is_of_integers = |access: &Access| {
            let array = self.arrays.get(access.array.0 as usize);
            let kind = array.map_or(ElementKind::Other, |array| array.element_kind);
            matches!(kind, ElementKind::Signed | ElementKind::Unsigned)
        };
        let is_integer = |term: &Term| match term.kind() {
            TermKind::Call | TermKind::Opaque => false,
            TermKind::Literal(literal) => *literal != Literal::Floating,
            TermKind::Cast(to) => matches!(to, Some(ScalarType::Integer { .. })),
            _ => true,
        };
        let mut statements = self.statements.iter().filter(|statement| !statement.is_kill);
        statements.any(|statement| {
            let root = statement.body.root();
            !statement.accesses.iter().all(is_of_integers)
                || root.is_some_and(|root| !root.all(&is_integer))
        })
    }

    /// The array of an access.
    ///
    /// # Panics
    /// If the id is not from this scop.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0 as usize]
    }

    /// The statement with an id.
    ///
    /// # Panics
    /// If the id is not from this scop.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.0 as usize]
    }

    /// The statement whose tuple has a name.
    pub fn statement_named(&self, name: &str) -> Option<&Statement> {
        self.statements.iter().find(|s| &*s.name == name)
    }
}

impl std::fmt::Debug for Scop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&Name> = self.statements.iter().map(|statement| &statement.name).collect();
        let arrays: Vec<&Name> = self.arrays.iter().map(|array| &array.tuple_name).collect();
        write!(f, "Scop(statements {names:?}, arrays {arrays:?})")
    }
}

impl std::str::FromStr for Scop {
    type Err = loopwright_presburger::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Scop::parse(text)
    }
}

impl TryFrom<&str> for Scop {
    type Error = loopwright_presburger::Error;

    fn try_from(text: &str) -> Result<Self, Self::Error> {
        Scop::parse(text)
    }
}
