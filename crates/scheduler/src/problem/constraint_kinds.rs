//! What a dependence is to the scheduler: the kinds of constraints that it stands for.

/// The kinds of schedule constraints that a dependence stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ConstraintKinds(u8);

impl ConstraintKinds {
    pub(crate) const VALIDITY: ConstraintKinds = ConstraintKinds(1);
    pub(crate) const PROXIMITY: ConstraintKinds = ConstraintKinds(2);
    pub(crate) const COINCIDENCE: ConstraintKinds = ConstraintKinds(4);
    pub(crate) const CONDITION: ConstraintKinds = ConstraintKinds(8);
    pub(crate) const CONDITIONAL_VALIDITY: ConstraintKinds = ConstraintKinds(16);
    /// Every kind.
    pub(crate) const ALL: ConstraintKinds = ConstraintKinds(31);
    /// What orders statements.
    pub(crate) const ORDER: ConstraintKinds = ConstraintKinds(1 | 16);

    /// Both.
    pub(crate) fn and(self, other: ConstraintKinds) -> ConstraintKinds {
        ConstraintKinds(self.0 | other.0)
    }

    /// Those of these kinds that are among others.
    pub(crate) fn only(self, kinds: ConstraintKinds) -> ConstraintKinds {
        ConstraintKinds(self.0 & kinds.0)
    }

    /// Those of these kinds that are not among others.
    pub(crate) fn without(self, kinds: ConstraintKinds) -> ConstraintKinds {
        ConstraintKinds(self.0 & !kinds.0)
    }

    /// Whether there is no kind.
    pub(crate) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The kinds of a dependence with these tags once some conditions are apart: what is conditional next
    /// to one of them holds.
    pub(crate) fn next_to(self, tags: Option<TagPair>, apart: &[TagPair]) -> ConstraintKinds {
        let holds = self.any(ConstraintKinds::CONDITIONAL_VALIDITY)
            && tags.is_some_and(|tags| apart.iter().any(|condition| condition.is_adjacent(tags)));
        if holds { self.and(ConstraintKinds::VALIDITY) } else { self }
    }

    /// Whether some kind is common.
    pub(crate) fn any(self, of: ConstraintKinds) -> bool {
        self.0 & of.0 != 0
    }
}

/// The identities of the tagged tuples at both ends of a condition or of a conditional constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TagPair {
    pub(crate) source: usize,
    pub(crate) sink: usize,
}

impl TagPair {
    /// Whether a condition and a conditional constraint may meet in an element.
    pub(crate) fn is_adjacent(self, other: TagPair) -> bool {
        self.source == other.sink || self.sink == other.source
    }
}
