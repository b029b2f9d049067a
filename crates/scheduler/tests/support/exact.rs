//! An exact check of schedules, for all parameter values, by operations on relations only.
//!
//! Pairs that are not ordered yet travel down the tree. A pair in the wrong order, or one that is
//! never ordered, is an error, and so is a flag of a band that does not hold.
use loopwright_presburger::{Budget, Map, MultiUnionPwAff, Space, Tuple, UnionMap};
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
    for relation in [&constraints.condition, &constraints.conditional_validity] {
        let is_tagged = |tuple: Option<&Tuple>| tuple.is_some_and(|t| t.as_nested().is_some());
        let tagged = relation.maps().iter().any(|map| is_tagged(map.space().input()));
        assert!(!tagged, "the checker knows no tags");
    }
    let domain = constraints.domain.intersect_params(&constraints.context).expect("small");
    let within = |relation: &UnionMap| {
        relation.intersect_domain(&domain).and_then(|r| r.intersect_range(&domain)).expect("small")
    };
    let identity = UnionMap::identity_on(&domain);
    let others = |r: UnionMap| r.subtract(&identity, &budget).expect("small");
    let pairs = Pairs {
        validity: others(within(&constraints.validity)),
        coincidence: within(&constraints.coincidence),
        conditional: others(within(&constraints.conditional_validity)),
        condition: within(&constraints.condition),
    };
    let all_conditions = pairs.condition.clone();
    let mut walk = Walk { budget, all_conditions, found: Vec::new() };
    walk.node(&tree.root, pairs, "root");
    walk.found
}

struct Walk {
    budget: Budget,
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
        let filters: Vec<_> = children
            .iter()
            .map(|child| match child {
                Node::Filter(filter, child) => (filter, child),
                other => panic!("unexpected child {other:?}"),
            })
            .collect();
        let between = |relation: &UnionMap, a: usize, b: usize| {
            let from = relation.intersect_domain(filters[a].0).expect("small");
            from.intersect_range(filters[b].0).expect("small")
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
                member.to_union_map().expect("small")
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
