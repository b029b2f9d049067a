//! Schedule constraints: whether a tree respects them, and which flags of its bands are true.
//!
//! # What is checked
//! Pairs of instances that are not ordered yet travel down the tree. Validity wants a pair in order, and
//! ordered in the end. Conditional validity wants the same of a pair next to a condition (one whose sink
//! is the source of the pair, or whose source is the sink of it, with its tag) whose ends are apart:
//! separated outside, or by the band in question ("Scheduling for PPCG", section 4.3). A band is
//! permutable if no member alone puts a pair that reaches the band into the wrong order; a member is
//! coincident if it keeps the pairs of the coincidence relation that reach the band at the same time.
//!
//! # Method
//! Operations on relations, for all parameter values in the context. Nothing is shared with the
//! scheduler, whose dependences are hulls of these relations.
use crate::order::schedule::{Comparison, compared as compared_values};
use crate::verdict::{Violation, violation_if_any};
use loopwright_presburger::{
    Budget, Error, MultiUnionPwAff, Result, Set, Tuple, UnionMap, UnionSet,
};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scheduler::ScheduleConstraints;

/// The tree with the flags `permutable` and `coincident` of all bands set where they are true and
/// nowhere else, or the first violation of the constraints.
///
/// ```
/// use loopwright_presburger::Budget;
/// use loopwright_schedule::ScheduleTree;
/// use loopwright_scheduler::ScheduleConstraints;
/// use loopwright_verify::with_true_flags;
/// let constraints = ScheduleConstraints::parse(
///     "domain: '{ S[i, j] : 0 <= i, j < 9 }'
/// validity: '{ S[i, j] -> S[i + 1, j] }'
/// coincidence: '{ S[i, j] -> S[i + 1, j] }'",
/// )?;
/// let tree = |members: &str| {
///     let text = "{ domain: '{ S[i, j] : 0 <= i, j < 9 }', child: { schedule: 'MEMBERS' } }";
///     ScheduleTree::parse(&text.replace("MEMBERS", members))
/// };
/// let budget = Budget::unlimited();
/// let legal = tree("[{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]")?;
/// let legal = with_true_flags(&constraints, &legal, &budget)?.expect("it is legal").to_string();
/// assert!(legal.contains("permutable: 1") && legal.contains("coincident: [ 1, 0 ]"), "{legal}");
/// let reversed = tree("[{ S[i, j] -> [(j)] }, { S[i, j] -> [(-i)] }]")?;
/// let violation = with_true_flags(&constraints, &reversed, &budget)?.unwrap_err();
/// assert!(violation.to_string().contains("S[0, 0] -> S[1, 0]"), "{violation}");
/// # Ok::<(), loopwright_presburger::Error>(())
/// ```
///
/// The constraints are taken without their prefix: see
/// [`ScheduleConstraints::below_prefix`].
///
/// *Cost.* Some emptiness checks per band member and per pair of children of a sequence or set.
///
/// # Errors
/// [`Error::Exceeded`]; [`Error::Invalid`] for extensions and expansions, whose instances the
/// constraints do not speak about.
pub fn with_true_flags(
    constraints: &ScheduleConstraints,
    tree: &ScheduleTree,
    budget: &Budget,
) -> Result<std::result::Result<ScheduleTree, Violation>> {
    let (walk, pairs) = FlagWalk::new(constraints, budget)?;
    match walk.node(&tree.root, pairs) {
        Ok(root) => Ok(Ok(ScheduleTree { domain: tree.domain.clone(), root })),
        Err(FlagStop::Violation(violation)) => Ok(Err(violation)),
        Err(FlagStop::Error(error)) => Err(error),
    }
}

/// Why there is no tree.
enum FlagStop {
    Violation(Violation),
    Error(Error),
}

impl From<Error> for FlagStop {
    fn from(error: Error) -> Self {
        FlagStop::Error(error)
    }
}

type Walked<T> = std::result::Result<T, FlagStop>;

/// The pairs that are at the same time so far.
#[derive(Clone)]
struct Pairs {
    validity: UnionMap,
    coincidence: UnionMap,
    conditional: UnionMap,
    condition: UnionMap,
}

impl Pairs {
    fn each(&self, change: impl Fn(&UnionMap) -> Result<UnionMap>) -> Result<Pairs> {
        Ok(Pairs {
            validity: change(&self.validity)?,
            coincidence: change(&self.coincidence)?,
            conditional: change(&self.conditional)?,
            condition: change(&self.condition)?,
        })
    }
}

struct FlagWalk<'a> {
    budget: &'a Budget,
    /// From instances with tags to the instances.
    tags: UnionMap,
    all_conditions: UnionMap,
}

impl<'a> FlagWalk<'a> {
    /// The walk, and the pairs that reach the root.
    fn new(constraints: &ScheduleConstraints, budget: &'a Budget) -> Result<(Self, Pairs)> {
        let instances = constraints.domain.intersect_params(&constraints.context)?;
        let tags = of_tagged(&[&constraints.condition, &constraints.conditional_validity])?;
        let mut walk = FlagWalk { budget, tags, all_conditions: UnionMap::empty() };
        let ends = walk.with_tagged(&instances)?;
        let all = Pairs {
            validity: constraints.validity.clone(),
            coincidence: constraints.coincidence.clone(),
            conditional: constraints.conditional_validity.clone(),
            condition: constraints.condition.clone(),
        };
        let within = |relation: &UnionMap| relation.intersect_domain(&ends)?.intersect_range(&ends);
        let mut pairs = all.each(within)?;
        // Of an instance and itself nothing is asked.
        let instance = walk.tags.union(&UnionMap::identity_on(&instances))?;
        let itself = instance.apply_range(&instance.reverse())?;
        pairs.validity = pairs.validity.subtract(&itself, budget)?;
        pairs.conditional = pairs.conditional.subtract(&itself, budget)?;
        walk.all_conditions = pairs.condition.clone();
        Ok((walk, pairs))
    }

    fn node(&self, node: &Node, pairs: Pairs) -> Walked<Node> {
        Ok(match node {
            Node::Leaf => {
                self.none(&pairs.validity, "validity: two instances are not ordered")?;
                let bad = self.next_to_apart(&pairs.conditional, &pairs.condition)?;
                self.none(&bad, "conditional validity: two instances are not ordered")?;
                Node::Leaf
            }
            Node::Band(band, child) => self.band(band, child, &pairs)?,
            Node::Sequence(children) => Node::Sequence(self.children(children, true, &pairs)?),
            Node::Set(children) => Node::Set(self.children(children, false, &pairs)?),
            Node::Filter(filter, child) => {
                let here = self.with_tagged(filter)?;
                let inside = |r: &UnionMap| r.intersect_domain(&here)?.intersect_range(&here);
                let below = pairs.each(inside)?;
                Node::Filter(filter.clone(), Box::new(self.node(child, below)?))
            }
            Node::Mark(name, child) => Node::Mark(name.clone(), Box::new(self.node(child, pairs)?)),
            Node::Context(set, child) => {
                Node::Context(set.clone(), Box::new(self.node(child, pairs)?))
            }
            Node::Guard(set, child) => Node::Guard(set.clone(), Box::new(self.node(child, pairs)?)),
            Node::Extension(..) | Node::Expansion { .. } => {
                let reason = "extensions and expansions cannot be checked against constraints";
                let (operation, reason) = ("with_true_flags", reason.to_string());
                return Err(FlagStop::Error(Error::Invalid { operation, reason }));
            }
        })
    }

    fn children(&self, children: &[Node], ordered: bool, pairs: &Pairs) -> Walked<Vec<Node>> {
        let mut here = Vec::with_capacity(children.len());
        for child in children {
            let everything = || self.all_instances(pairs);
            here.push(match child {
                Node::Filter(filter, _) => self.with_tagged(filter)?,
                _ => everything()?,
            });
        }
        let between = |relation: &UnionMap, a: usize, b: usize| -> Result<UnionMap> {
            relation.intersect_domain(&here[a])?.intersect_range(&here[b])
        };
        let mut local = UnionMap::empty();
        for i in 0..children.len() {
            local = local.union(&between(&pairs.condition, i, i)?)?;
        }
        for i in 0..children.len() {
            for j in (0..children.len()).filter(|&j| i > j || (!ordered && i != j)) {
                let what = if ordered { "in the wrong order" } else { "not ordered" };
                let text = format!("validity: two instances in children {i} and {j} are {what}");
                self.none(&between(&pairs.validity, i, j)?, &text)?;
                let bad = self.next_to_apart(&between(&pairs.conditional, i, j)?, &local)?;
                self.none(&bad, &format!("conditional {text}"))?;
            }
        }
        let mut walked = Vec::with_capacity(children.len());
        for (i, child) in children.iter().enumerate() {
            let mut below = pairs.each(|relation| between(relation, i, i))?;
            below.condition = between(&local, i, i)?;
            walked.push(self.node(child, below)?);
        }
        Ok(walked)
    }

    fn band(&self, band: &Band, child: &Node, pairs: &Pairs) -> Walked<Node> {
        let members = self.members(band)?;
        let together = |relation: &UnionMap, members: &[UnionMap]| {
            members
                .iter()
                .try_fold(relation.clone(), |left, own| compared(&left, own, Comparison::Equal))
        };
        let local = together(&pairs.condition, &members)?;
        let mut flagged = Band { permutable: true, ..band.clone() };
        for (position, member) in members.iter().enumerate() {
            let reversed = reversed(&pairs.validity, member)?;
            let conditional = self.reversed_next_to_apart(&pairs.conditional, member, &local)?;
            let is_permutable =
                reversed.is_empty(self.budget)? && conditional.is_empty(self.budget)?;
            if !is_permutable {
                flagged.permutable = false;
                let text = format!("validity: member {position} of a band reverses two instances");
                let outer = &members[..position];
                self.none(&together(&reversed, outer)?, &text)?;
                self.none(&together(&conditional, outer)?, &format!("conditional {text}"))?;
            }
            let same = together(&pairs.coincidence, std::slice::from_ref(member))?;
            let coincident = pairs.coincidence.is_subset(&same, self.budget)?;
            flagged.members[position].coincident = coincident;
        }
        let mut below = pairs.each(|relation| together(relation, &members))?;
        below.condition = local;
        Ok(Node::Band(flagged, Box::new(self.node(child, below)?)))
    }

    /// The members as relations from instances, with and without tags, to their values.
    fn members(&self, band: &Band) -> Result<Vec<UnionMap>> {
        let member = |member: &loopwright_presburger::UnionPwAff| {
            let member = MultiUnionPwAff::new(Tuple::anonymous(1), vec![member.clone()]);
            let member = member.to_union_map()?;
            member.union(&self.tags.apply_range(&member)?)
        };
        band.schedule.members().iter().map(member).collect()
    }

    /// The conditional pairs that a member reverses and that are next to a condition that is apart.
    fn reversed_next_to_apart(
        &self,
        conditional: &UnionMap,
        member: &UnionMap,
        local: &UnionMap,
    ) -> Result<UnionMap> {
        self.next_to_apart(&reversed(conditional, member)?, local)
    }

    /// The pairs next to a condition that is not local.
    fn next_to_apart(&self, pairs: &UnionMap, local: &UnionMap) -> Result<UnionMap> {
        if pairs.plain_is_empty() {
            return Ok(pairs.clone());
        }
        let apart = self.all_conditions.subtract(local, self.budget)?;
        let before = pairs.intersect_range(&apart.domain())?;
        before.union(&pairs.intersect_domain(&apart.range())?)
    }

    /// The instances, and all of them with tags.
    fn with_tagged(&self, instances: &UnionSet) -> Result<UnionSet> {
        instances.union(&self.tags.intersect_range(instances)?.domain())
    }

    /// All ends of pairs.
    fn all_instances(&self, pairs: &Pairs) -> Result<UnionSet> {
        let all = [&pairs.validity, &pairs.coincidence, &pairs.conditional, &pairs.condition];
        all.iter().try_fold(UnionSet::empty(), |ends, relation| {
            ends.union(&relation.domain())?.union(&relation.range())
        })
    }

    /// Stops with a violation if there is a pair.
    fn none(&self, pairs: &UnionMap, message: &str) -> Walked<()> {
        for map in pairs.maps() {
            let found = violation_if_any(map, || message.to_string(), self.budget)?;
            if let Some(violation) = found {
                return Err(FlagStop::Violation(violation));
            }
        }
        Ok(())
    }
}

/// The pairs whose first instance has the greater value.
fn reversed(relation: &UnionMap, member: &UnionMap) -> Result<UnionMap> {
    compared(relation, member, Comparison::Greater)
}

/// The pairs whose values of a member compare so. Of the many pairs of statements and references only those
/// are looked at that the relation has.
fn compared(relation: &UnionMap, member: &UnionMap, comparison: Comparison) -> Result<UnionMap> {
    let value_of =
        |end: Option<&Tuple>| member.maps().iter().find(|own| own.space().input() == end);
    let mut found = UnionMap::empty();
    for map in relation.maps() {
        let ends = (value_of(map.space().input()), value_of(map.space().output()));
        if let (Some(first), Some(second)) = ends {
            let pairs = map.intersect(&compared_values(first, second, comparison)?)?;
            found = found.union(&UnionMap::from_map(pairs))?;
        }
    }
    Ok(found)
}

/// From the instances with tags that some relations mention to the instances.
fn of_tagged(relations: &[&UnionMap]) -> Result<UnionMap> {
    let mut instances = UnionMap::empty();
    for relation in relations {
        for set in relation.domain().union(&relation.range())?.sets() {
            if set.space().output().is_some_and(|tuple| tuple.as_nested().is_some()) {
                let whole = Set::universe(set.space().clone());
                let tagged = UnionSet::from_set(whole).unwrap()?;
                instances = instances.union(&tagged.domain_map())?;
            }
        }
    }
    Ok(instances)
}
