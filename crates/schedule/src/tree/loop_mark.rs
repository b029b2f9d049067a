//! The marks by which transformations tell code generation how a loop is to run.
use crate::tree::device_mark::Axis;
use loopwright_presburger::Name;
use std::fmt;

/// How the iterations of a marked loop run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// On several threads.
    Parallel,
    /// The rows of a band, on several threads: iterations of the first member's loop. They start in
    /// ascending order, and before a step of a row, an iteration of the second member's loop, the same
    /// step of the row before and all steps before that one have run.
    Pipelined,
    /// In vector lanes.
    Vector,
    /// Below a [`KernelMark`](crate::KernelMark): in turn by the blocks along an axis, however many there
    /// are.
    Block(Axis),
    /// Below a [`KernelMark`](crate::KernelMark): in turn by the threads of a block along an axis, however
    /// many there are.
    Thread(Axis),
}

/// A mark above a band whose first member's loop has independent iterations, or such that depend on each
/// other as rows of a pipeline do: `parallel`, `pipelined`, `vector`, `block(x)` to `block(z)`, `thread(x)`
/// to `thread(z)`, or one of these with the scalars of which each iteration has its own copy, and the
/// variables that all iterations combine by an operator.
///
/// ```
/// use loopwright_schedule::{Axis, LoopKind, LoopMark};
/// let mark = LoopMark::parse("parallel private(a, b) reduction(+: s)").unwrap();
/// assert_eq!(mark.kind, LoopKind::Parallel);
/// assert_eq!(mark.private.len(), 2);
/// assert_eq!(&*mark.reductions[0].operator, "+");
/// assert_eq!(mark.to_string(), "parallel private(a, b) reduction(+: s)");
/// assert_eq!(LoopMark::parse("pipelined").unwrap().kind, LoopKind::Pipelined);
/// let mark = LoopMark::parse("thread(x) private(a)").unwrap();
/// assert_eq!(mark.kind, LoopKind::Thread(Axis::X));
/// assert_eq!(mark.to_string(), "thread(x) private(a)");
/// assert!(LoopMark::parse("copy in").is_none());
/// assert!(LoopMark::parse("block(w)").is_none());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoopMark {
    /// How the iterations run.
    pub kind: LoopKind,
    /// The scalars of which each iteration has its own copy (tuple names of the scop).
    pub private: Vec<Name>,
    /// The variables that iterations only combine, in any order.
    pub reductions: Vec<LoopReduction>,
}

/// A variable whose updates in a loop may run in any order, each thread or lane on a copy of its own.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LoopReduction {
    /// The operator as OpenMP writes it: `+`, `*`, `&`, `|`, `^`, `min` or `max`; or [`Self::CONDITIONAL`];
    /// or what loops in parts have ([`Self::is_in_parts`]).
    pub operator: Name,
    /// The variable: a scalar, or an array of which the loop updates one element (its tuple name in
    /// the scop).
    pub variable: Name,
}

impl LoopReduction {
    /// Each iteration that writes one does so before it reads any, and the last such value is left behind the
    /// loop, or the one from before the loop if there is none. (OpenMP's `lastprivate` without `conditional`
    /// leaves anything behind a loop without iterations.)
    pub const CONDITIONAL: &'static str = "conditional";

    /// The places that instances write to behind each other: each part of the loop begins at what the parts
    /// before have counted.
    pub const PLACE: &'static str = "place";

    /// Whether the iterations run in parts, each in order, whose results are put together in the order of the
    /// parts: those of [`Self::PLACE`], and the best values, where the operator is how a better one compares
    /// with the first variable (`<` and `>`; of `<=` and `>=`, where the last of equal values counts, nothing
    /// is proved).
    ///
    /// ```
    /// use loopwright_schedule::LoopMark;
    /// let mark = LoopMark::parse("parallel reduction(>: most, at)").unwrap();
    /// assert!(mark.reductions.iter().all(|reduction| reduction.is_in_parts()));
    /// assert_eq!(mark.to_string(), "parallel reduction(>: most) reduction(>: at)");
    /// ```
    pub fn is_in_parts(&self) -> bool {
        ["<", "<=", ">", ">=", Self::PLACE].contains(&&*self.operator)
    }

    /// Whether iterations have values of their own, of which the last one is left behind the loop.
    ///
    /// ```
    /// use loopwright_schedule::LoopMark;
    /// let mark = LoopMark::parse("parallel reduction(conditional: found)").unwrap();
    /// assert!(mark.reductions[0].is_last_value());
    /// ```
    pub fn is_last_value(&self) -> bool {
        &*self.operator == Self::CONDITIONAL
    }
}

impl LoopKind {
    /// All kinds.
    const ALL: [LoopKind; 9] = [
        LoopKind::Parallel,
        LoopKind::Pipelined,
        LoopKind::Vector,
        LoopKind::Block(Axis::X),
        LoopKind::Block(Axis::Y),
        LoopKind::Block(Axis::Z),
        LoopKind::Thread(Axis::X),
        LoopKind::Thread(Axis::Y),
        LoopKind::Thread(Axis::Z),
    ];

    /// Whether iterations run on several threads of the processor.
    pub fn is_threaded(self) -> bool {
        matches!(self, LoopKind::Parallel | LoopKind::Pipelined)
    }

    fn keyword(self) -> &'static str {
        match self {
            LoopKind::Parallel => "parallel",
            LoopKind::Pipelined => "pipelined",
            LoopKind::Vector => "vector",
            LoopKind::Block(Axis::X) => "block(x)",
            LoopKind::Block(Axis::Y) => "block(y)",
            LoopKind::Block(Axis::Z) => "block(z)",
            LoopKind::Thread(Axis::X) => "thread(x)",
            LoopKind::Thread(Axis::Y) => "thread(y)",
            LoopKind::Thread(Axis::Z) => "thread(z)",
        }
    }

    /// Whether iterations are blocks or threads of a kernel.
    pub fn is_of_kernel(self) -> bool {
        matches!(self, LoopKind::Block(_) | LoopKind::Thread(_))
    }
}

impl LoopMark {
    /// Reads the text of a mark; none if it is another mark.
    pub fn parse(text: &str) -> Option<LoopMark> {
        let read = |kind: &LoopKind| Some((*kind, text.strip_prefix(kind.keyword())?));
        let (kind, rest) = LoopKind::ALL.iter().find_map(read)?;
        let mut mark = LoopMark { kind, private: Vec::new(), reductions: Vec::new() };
        let mut rest = rest.trim();
        while !rest.is_empty() {
            let (clause, after) = rest.split_once(')')?;
            let (keyword, list) = clause.split_once('(')?;
            let names = |list: &str| list.split(',').map(|name| Name::from(name.trim())).collect();
            match keyword.trim() {
                "private" => mark.private = names(list),
                "reduction" => {
                    let (operator, list) = list.split_once(':')?;
                    let variables: Vec<Name> = names(list);
                    mark.reductions.extend(variables.into_iter().map(|variable| LoopReduction {
                        operator: operator.trim().into(),
                        variable,
                    }));
                }
                _ => return None,
            }
            rest = after.trim();
        }
        Some(mark)
    }
}

impl fmt::Display for LoopMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind.keyword())?;
        if !self.private.is_empty() {
            write!(f, " private({})", self.private.join(", "))?;
        }
        for reduction in &self.reductions {
            write!(f, " reduction({}: {})", reduction.operator, reduction.variable)?;
        }
        Ok(())
    }
}
