//! Where a walk is: the loops, the condition and the functions around it, and what is being read.
use crate::model::conditions::Disjunction;
use crate::model::filters::RawFilter;
use crate::syntax::queries::NameSet;
use crate::syntax::tree::Node;
use std::sync::Arc;

/// What an affine expression is for; decides the wording of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A bound or the start of a loop.
    Bound,
    /// A condition of an `if`.
    Condition,
    /// A subscript.
    Subscript,
    /// The extent of an array.
    Extent,
}

/// The place that a walk has reached: a value, of which `Extractor::scoped`
/// keeps the one around.
///
/// *Cost.* A clone is linear in the loops and conditions around the place.
#[derive(Clone)]
pub(crate) struct WalkContext<'s, 't> {
    /// The conditions on data under which it is reached, where they are kept apart.
    pub(crate) filters: Vec<RawFilter>,
    /// Whether values that are read may be symbols.
    pub(crate) reads_values: bool,
    /// What the affine expression that is being read is for.
    pub(crate) purpose: Purpose,
    /// The loops around the place.
    pub(crate) nest: Vec<u32>,
    /// When the place is reached.
    pub(crate) domain: Disjunction,
    /// Conditions on data, and whether they must fail, under which it is reached.
    pub(crate) guards: Vec<(Node<'t>, bool)>,
    /// The name that the loop runs up to whose condition is being read.
    pub(crate) plain_bound: Option<usize>,
    /// The runs on symbols that are under way, which decide what each iteration adds to variables; that
    /// values stay below the ends of their types is found out where they are computed.
    pub(crate) n_runs_on_symbols: usize,
    /// The loops whose heads are being read.
    pub(crate) open_heads: Vec<u32>,
    /// The opaque statement that is being read.
    pub(crate) opaque_root: Option<Node<'t>>,
    /// Whether all refusals of its parts are reported, as the whole is refused.
    pub(crate) tells_all: bool,
    /// Whether it may leave the function: nothing of the region comes after it.
    pub(crate) may_return: bool,
    /// The labels after the part of it that is being read.
    pub(crate) jump_ends: Vec<&'s str>,
    /// The number of calls whose values are being computed.
    pub(crate) inlined: usize,
    /// The functions whose bodies are being walked, by where they start.
    pub(crate) active_calls: Vec<usize>,
    /// The names of the function whose statements are being read.
    pub(crate) names: Arc<FunctionNames<'s>>,
}

/// What a function does with names: that around the region, or one whose body is walked over.
#[derive(Debug, Default)]
pub(crate) struct FunctionNames<'s> {
    /// Those that it assigns.
    pub(crate) changed: NameSet<'s>,
    /// Those of variables whose values may be followed.
    pub(crate) followed: NameSet<'s>,
    /// Those whose values never leave the loops that set them.
    pub(crate) loops: NameSet<'s>,
}

impl<'s> WalkContext<'s, '_> {
    /// Where a walk begins.
    pub(crate) fn start(names: FunctionNames<'s>) -> Self {
        WalkContext {
            filters: Vec::new(),
            reads_values: false,
            purpose: Purpose::Condition,
            nest: Vec::new(),
            domain: Disjunction::always(),
            guards: Vec::new(),
            plain_bound: None,
            n_runs_on_symbols: 0,
            open_heads: Vec::new(),
            opaque_root: None,
            tells_all: false,
            may_return: false,
            jump_ends: Vec::new(),
            inlined: 0,
            active_calls: Vec::new(),
            names: Arc::new(names),
        }
    }
}
