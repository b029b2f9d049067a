//! Barriers of random kernels against an execution of the tree that counts them.

use crate::support::{Instance, budget, dependence_pairs, instances, parameter_values, region};
use loopwright_dataflow::Dependences;
use loopwright_device::with_barriers;
use loopwright_presburger::UnionMap;
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::Scop;
use loopwright_testkit::Choices;
use loopwright_verify::{Proof, check_barriers, check_kernels};
use std::collections::BTreeMap;

/// What happens in one execution of a tree, in its order.
enum Event {
    Launch,
    Barrier,
    /// An instance, with the values of the loops over threads around.
    Instance(Instance, BTreeMap<String, i64>),
}

struct Execution {
    value: i64,
    events: Vec<Event>,
}

impl Execution {
    fn run(&mut self, node: &Node, reaching: &[Instance], threads: &BTreeMap<String, i64>) {
        if reaching.is_empty() {
            return;
        }
        match node {
            Node::Leaf => {
                let event = |own: &Instance| Event::Instance(own.clone(), threads.clone());
                self.events.extend(reaching.iter().map(event));
            }
            Node::Sequence(children) => {
                children.iter().for_each(|child| self.run(child, reaching, threads));
            }
            Node::Filter(filter, child) => {
                let inside = instances(&UnionMap::identity_on(filter), self.value);
                let own = reaching.iter().filter(|own| inside.contains_key(*own)).cloned();
                self.run(child, &own.collect::<Vec<_>>(), threads);
            }
            Node::Mark(name, child) => {
                match &**name {
                    "barrier" => self.events.push(Event::Barrier),
                    name if name.starts_with("kernel") => self.events.push(Event::Launch),
                    _ => {}
                }
                match (name.strip_prefix("thread("), &**child) {
                    (Some(axis), Node::Band(..)) => {
                        self.band(child, reaching, (threads, Some(axis)))
                    }
                    _ => self.run(child, reaching, threads),
                }
            }
            Node::Band(..) => self.band(node, reaching, (threads, None)),
            other => panic!("{other:?}"),
        }
    }

    fn band(
        &mut self,
        node: &Node,
        reaching: &[Instance],
        (threads, axis): (&BTreeMap<String, i64>, Option<&str>),
    ) {
        let Node::Band(band, child) = node else { return };
        let values = instances(&band.schedule.to_union_map().unwrap(), self.value);
        let mut groups: BTreeMap<&Vec<i64>, Vec<Instance>> = BTreeMap::new();
        for own in reaching {
            groups.entry(&values[own]).or_default().push(own.clone());
        }
        for (value, group) in groups {
            let mut threads = threads.clone();
            if let Some(axis) = axis {
                threads.insert(axis.to_string(), value[0]);
            }
            self.run(child, &group, &threads);
        }
    }
}

/// Whether all dependences are in one thread, or have a barrier or a launch between, for a value of the parameters.
fn is_ordered(scop: &Scop, dependences: &Dependences, tree: &ScheduleTree, value: i64) -> bool {
    let all = instances(&UnionMap::identity_on(&tree.domain), value);
    let reaching: Vec<Instance> = all.into_keys().collect();
    let mut execution = Execution { value, events: Vec::new() };
    execution.run(&tree.root, &reaching, &BTreeMap::new());
    let mut places = BTreeMap::new();
    let mut n_waits = 0;
    for event in execution.events {
        match event {
            Event::Launch | Event::Barrier => n_waits += 1,
            Event::Instance(own, threads) => {
                places.insert(own, (n_waits, threads));
            }
        }
    }
    dependence_pairs(scop, dependences, value).iter().all(|(source, sink)| {
        let (before, own) = &places[source];
        let (after, other) = &places[sink];
        own == other || before < after
    })
}

/// Three statements in turn under a loop, with offsets and marks that are drawn.
fn drawn(choices: &mut Choices) -> (Scop, Dependences, ScheduleTree) {
    let offset = |choices: &mut Choices| ["i - 1", "i", "i + 1", "i"][choices.below(4)];
    let lines = format!(
        "for (int k = 0; k < n; k++) {{ for (int i = 1; i < n - 1; i++) b[i] = a[{}];\n\
         for (int i = {}; i < n - 1; i++) c[0][i] = b[{}]; for (int i = 1; i < n - 1; i++) a[i] = c[0][{}]; }}",
        offset(choices),
        ["1", "k + 1", "2"][choices.below(3)],
        offset(choices),
        offset(choices),
    );
    let (scop, dependences) = region(&lines);
    let mut part = |statement: &str| {
        let value = ["i", "i", "i", "i + 1"][choices.below(4)];
        let band = format!("{{ schedule: \"[{{ {statement}[k, i] -> [{value}] }}]\" }}");
        let threads = match choices.below(8) {
            0 => band,
            _ => format!("{{ mark: \"thread(x)\", child: {band} }}"),
        };
        let below = match choices.below(2) {
            0 => threads,
            _ => format!("{{ mark: \"barrier\", child: {threads} }}"),
        };
        format!("{{ filter: \"{{ {statement}[k, i] }}\", child: {below} }}")
    };
    let parts = format!("{{ sequence: [{}, {}, {}] }}", part("S0"), part("S1"), part("S2"));
    let members = "S0[k, i] -> [k]; S1[k, i] -> [k]; S2[k, i] -> [k]";
    let text = match choices.below(4) {
        0 => format!(
            "{{ schedule: \"[{{ {members} }}]\", child: {{ mark: \"kernel(k)\", child: {parts} }} }}"
        ),
        other => {
            let parts = match other {
                1 => format!("{{ mark: \"barrier\", child: {parts} }}"),
                _ => parts,
            };
            format!(
                "{{ mark: \"kernel(k)\", child: {{ schedule: \"[{{ {members} }}]\", child: {parts} }} }}"
            )
        }
    };
    let text = format!("domain: \"{}\"\nchild: {text}\n", scop.schedule.domain);
    (scop, dependences, ScheduleTree::parse(&text).unwrap())
}

#[test]
fn barriers_of_random_kernels_order_what_they_order() {
    let (mut proved, mut refuted) = (0, 0);
    for seed in 0..150 {
        let (scop, dependences, tree) = drawn(&mut Choices::from_seed(seed));
        assert!(check_kernels(&tree).is_proved());
        let proof = check_barriers(&scop, &dependences, &tree, &budget()).unwrap();
        let values = parameter_values(&scop.context);
        let is_right = values.iter().all(|value| is_ordered(&scop, &dependences, &tree, *value));
        match &proof {
            Proof::Proved => proved += 1,
            _ => refuted += 1,
        }
        assert_eq!(proof.is_proved(), is_right, "seed {seed}: {proof:?}\n{tree}");
    }
    assert!(proved > 20 && refuted > 20, "{proved} {refuted}");
}

/// Barriers that are placed suffice, and none of them can go.
#[test]
fn placed_barriers_suffice_and_none_is_idle() {
    let mut n_placed = 0;
    for seed in 0..60 {
        let (scop, dependences, tree) = drawn(&mut Choices::from_seed(seed));
        let bare = without_barriers(&tree, None);
        let placed = with_barriers(&bare, &scop, &dependences, &budget()).unwrap();
        let proof = check_barriers(&scop, &dependences, &placed, &budget()).unwrap();
        assert!(proof.is_proved(), "seed {seed}: {proof:?}\n{placed}");
        let n_barriers = count(&placed.root);
        for barrier in 0..n_barriers {
            let fewer = without_barriers(&placed, Some(barrier));
            let proof = check_barriers(&scop, &dependences, &fewer, &budget()).unwrap();
            assert!(!proof.is_proved(), "seed {seed}, barrier {barrier}\n{placed}");
        }
        n_placed += n_barriers;
    }
    assert!(n_placed > 30, "{n_placed}");
}

fn count(node: &Node) -> usize {
    let own = matches!(node, Node::Mark(name, _) if &**name == "barrier");
    usize::from(own) + node.children().iter().map(count).sum::<usize>()
}

/// The tree without one of its barriers, or without any.
fn without_barriers(tree: &ScheduleTree, which: Option<usize>) -> ScheduleTree {
    fn strip(node: &Node, which: Option<usize>, seen: &mut usize) -> Node {
        if let Node::Mark(name, child) = node
            && &**name == "barrier"
        {
            *seen += 1;
            if which.is_none_or(|which| which + 1 == *seen) {
                return strip(child, which, seen);
            }
        }
        let mut result = node.clone();
        for (new, old) in result.children_mut().iter_mut().zip(node.children()) {
            *new = strip(old, which, seen);
        }
        result
    }
    ScheduleTree::new(tree.domain.clone(), strip(&tree.root, which, &mut 0))
}
