//! Statements on the way through a schedule tree.
use crate::model::prefix::Prefix;
use loopwright_presburger::{Map, Set};

/// A statement that reaches a node.
#[derive(Clone)]
pub(crate) struct Reaching {
    /// Schedule dimensions to instances.
    pub(crate) executed: Map,
    /// Its domain, if it has been computed.
    pub(crate) domain: Option<Set>,
    /// The schedule so far, if it is affine with a single piece per dimension.
    pub(crate) prefix: Option<Prefix>,
}

impl Reaching {
    /// One of which only the relation is known.
    pub(crate) fn with(executed: Map) -> Self {
        Reaching { executed, domain: None, prefix: None }
    }

    /// The values of the schedule dimensions.
    pub(crate) fn domain(&self) -> Set {
        self.domain.clone().unwrap_or_else(|| self.executed.domain())
    }
}
