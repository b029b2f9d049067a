//! An exact check of schedules, for all parameter values, by operations on relations only.
//!
//! Pairs that are not ordered yet travel down the tree. A pair in the wrong order, or one that is
//! never ordered, is an error, and so is a flag of a band that does not hold.
//!
//! The ends of conditions and of conditional pairs may be instances with tags, `[S[i] -> R1[]]`:
//! these run when their instances do, but a condition is next to a conditional pair only if they
//! have an end with its tag in common.
use loopwright_presburger::{Budget, Map, MultiUnionPwAff, Set, Space, Tuple, UnionMap, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scheduler::ScheduleConstraints;

/// The pairs that are at the same time so far.
#[derive(Clone)]
struct Pairs {
    validity: UnionMap,
    coincidence: UnionMap,
    conditional: UnionMap,
    condition: UnionMap,
}

/// What is wrong with a schedule, in words; nothing if it is legal and its flags are true.
pub(crate) fn violations(constraints: &ScheduleConstraints, tree: &ScheduleTree) -> Vec<String> {
    let budget = Budget::unlimited();
    let instances = constraints.domain.intersect_params(&constraints.context).expect("small");
    let ends = [&constraints.condition, &constraints.conditional_validity]
        .map(|relation| relation.domain().union(&relation.range()).expect("small"));
    let tags = of_tagged(&ends[0].union(&ends[1]).expect("small"));
    let tagged = tags.intersect_range(&instances).expect("small").domain();
    let domain = instances.union(&tagged).expect("small");
    let within = |relation: &UnionMap| {
        relation.intersect_domain(&domain).and_then(|r| r.intersect_range(&domain)).expect("small")
    };
    let instance = tags.union(&UnionMap::identity_on(&instances)).expect("small");
    let identity = instance.apply_range(&instance.reverse()).expect("small");
    let others = |r: UnionMap| r.subtract(&identity, &budget).expect("small");
    let pairs = Pairs {
        validity: others(within(&constraints.validity)),
        coincidence: within(&constraints.coincidence),
        conditional: others(within(&constraints.conditional_validity)),
        condition: within(&constraints.condition),
    };
    let all_conditions = pairs.condition.clone();
    let mut walk = Walk { budget, tags, all_conditions, found: Vec::new() };
    walk.node(&tree.root, pairs, "root");
    walk.found
}

/// From tagged instances to the instances themselves.
fn of_tagged(elements: &UnionSet) -> UnionMap {
    let is_tagged =
        |set: &Set| set.space().output().is_some_and(|tuple| tuple.as_nested().is_some());
    elements.sets().into_iter().filter(is_tagged).fold(UnionMap::empty(), |all, set| {
        let set = Set::universe(set.space().clone());
        let relation = UnionSet::from_set(set).unwrap().expect("a tagged instance");
        all.union(&relation.domain_map()).expect("small")
    })
}

struct Walk {
    budget: Budget,
    /// From tagged instances to the instances themselves.
    tags: UnionMap,
    all_conditions: UnionMap,
    found: Vec<String>,
}

impl Walk {
    fn node(&mut self, node: &Node, pairs: Pairs, place: &str) {
        match node {
            Node::Leaf => {
                self.none(&pairs.validity, place, "not ordered");
                let bad = self.touched(&pairs.conditional, &pairs.condition);
                self.none(&bad, place, "conditional not ordered");
            }
            Node::Band(band, child) => self.band(band, child, pairs, place),
            Node::Sequence(children) => self.children(children, true, &pairs, place),
            Node::Set(children) => self.children(children, false, &pairs, place),
            Node::Filter(_, child) => self.node(child, pairs, place),
            other => panic!("unexpected node {other:?}"),
        }
    }

    /// The instances, and all of them with tags.
    fn with_tagged(&self, instances: &UnionSet) -> UnionSet {
        let tagged = self.tags.intersect_range(instances).expect("small").domain();
        instances.union(&tagged).expect("small")
    }

    fn none(&mut self, pairs: &UnionMap, place: &str, what: &str) {
        if !pairs.is_empty(&self.budget).expect("small") {
            self.found.push(format!("{place}: {what}: {pairs}"));
        }
    }

    /// The pairs next to a condition that is not local.
    fn touched(&self, pairs: &UnionMap, local: &UnionMap) -> UnionMap {
        let apart = self.all_conditions.subtract(local, &self.budget).expect("small");
        let before = pairs.intersect_range(&apart.domain()).expect("small");
        before.union(&pairs.intersect_domain(&apart.range()).expect("small")).expect("small")
    }

    fn children(&mut self, children: &[Node], ordered: bool, pairs: &Pairs, place: &str) {
        let filters: Vec<(UnionSet, &Node)> = children
            .iter()
            .map(|child| match child {
                Node::Filter(filter, child) => (self.with_tagged(filter), &**child),
                other => panic!("unexpected child {other:?}"),
            })
            .collect();
        let between = |relation: &UnionMap, a: usize, b: usize| {
            let from = relation.intersect_domain(&filters[a].0).expect("small");
            from.intersect_range(&filters[b].0).expect("small")
        };
        let mut local = UnionMap::empty();
        for i in 0..filters.len() {
            local = local.union(&between(&pairs.condition, i, i)).expect("small");
        }
        for i in 0..filters.len() {
            for j in 0..filters.len() {
                if i == j || (ordered && i < j) {
                    continue;
                }
                self.none(&between(&pairs.validity, i, j), place, "reversed");
                let bad = self.touched(&between(&pairs.conditional, i, j), &local);
                self.none(&bad, place, "conditional reversed");
            }
        }
        for (i, (_, child)) in filters.iter().enumerate() {
            let below = Pairs {
                validity: between(&pairs.validity, i, i),
                coincidence: between(&pairs.coincidence, i, i),
                conditional: between(&pairs.conditional, i, i),
                condition: between(&local, i, i),
            };
            self.node(child, below, &format!("{place}.{i}"));
        }
    }

    fn band(&mut self, band: &Band, child: &Node, pairs: Pairs, place: &str) {
        let members: Vec<UnionMap> = band
            .schedule
            .members()
            .iter()
            .map(|member| {
                let member = MultiUnionPwAff::new(Tuple::anonymous(1), vec![member.clone()]);
                let member = member.to_union_map().expect("small");
                let tagged = self.tags.apply_range(&member).expect("small");
                member.union(&tagged).expect("small")
            })
            .collect();
        let together = |relation: &UnionMap, members: &[UnionMap]| {
            members.iter().fold(relation.clone(), |left, member| {
                left.intersect(&member.eq_at(member).expect("small")).expect("small")
            })
        };
        let reversed = |relation: &UnionMap, member: &UnionMap| {
            let later = UnionMap::from_map(Map::lex_gt(&Space::set(&[], Tuple::anonymous(1))));
            let later = member.apply_range(&later).expect("small");
            let later = later.apply_range(&member.reverse()).expect("small");
            relation.intersect(&later).expect("small")
        };
        let local = together(&pairs.condition, &members);
        for (i, member) in members.iter().enumerate() {
            let outer = if band.permutable { &[][..] } else { &members[..i] };
            let (validity, conditional) =
                (together(&pairs.validity, outer), together(&pairs.conditional, outer));
            self.none(&reversed(&validity, member), place, "reversed by a member");
            let bad = self.touched(&reversed(&conditional, member), &local);
            self.none(&bad, place, "conditional reversed by a member");
            if band.members[i].coincident {
                let same = together(&pairs.coincidence, std::slice::from_ref(member));
                let apart = pairs.coincidence.subtract(&same, &self.budget).expect("small");
                self.none(&apart, place, "not coincident");
            }
        }
        let below = Pairs {
            validity: together(&pairs.validity, &members),
            coincidence: together(&pairs.coincidence, &members),
            conditional: together(&pairs.conditional, &members),
            condition: local,
        };
        self.node(child, below, &format!("{place}/band"));
    }
}
