//! Barriers of random kernels against an execution of the tree that counts them.

use crate::support::{Instance, budget, dependence_pairs, instances, parameter_values, region};
use loopwright_dataflow::Dependences;
use loopwright_device::{with_barriers, with_grid_barriers};
use loopwright_presburger::UnionMap;
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::Scop;
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seeds;
use loopwright_verify::{Proof, check_barriers, check_kernels};
use std::collections::BTreeMap;

/// What happens in one execution of a tree, in its order.
enum Event {
    /// A launch or a barrier across blocks.
    OfAll,
    /// A barrier of the block with these values of the loops over blocks around.
    Barrier(Owner),
    /// An instance, with the values of the loops over blocks and threads around.
    Instance(Instance, Owner),
}

/// The values of loops over blocks and threads, by their marks.
type Owner = BTreeMap<String, i64>;

/// The block of an owner.
fn block(owner: &Owner) -> Owner {
    let values = owner.iter().filter(|(mark, _)| mark.starts_with("block"));
    values.map(|(mark, value)| (mark.clone(), *value)).collect()
}

struct Execution {
    value: i64,
    events: Vec<Event>,
}

impl Execution {
    fn run(&mut self, node: &Node, reaching: &[Instance], owner: &Owner) {
        if reaching.is_empty() {
            return;
        }
        match node {
            Node::Leaf => {
                let event = |own: &Instance| Event::Instance(own.clone(), owner.clone());
                self.events.extend(reaching.iter().map(event));
            }
            Node::Sequence(children) => {
                children.iter().for_each(|child| self.run(child, reaching, owner));
            }
            Node::Filter(filter, child) => {
                let inside = instances(&UnionMap::identity_on(filter), self.value);
                let own = reaching.iter().filter(|own| inside.contains_key(*own)).cloned();
                self.run(child, &own.collect::<Vec<_>>(), owner);
            }
            Node::Mark(name, child) => {
                match &**name {
                    "barrier" => self.events.push(Event::Barrier(block(owner))),
                    "grid_barrier" => self.events.push(Event::OfAll),
                    name if name.starts_with("kernel") => self.events.push(Event::OfAll),
                    _ => {}
                }
                let is_spread = name.starts_with("thread(") || name.starts_with("block(");
                match &**child {
                    Node::Band(..) if is_spread => self.band(child, reaching, (owner, Some(name))),
                    _ => self.run(child, reaching, owner),
                }
            }
            Node::Band(..) => self.band(node, reaching, (owner, None)),
            other => panic!("{other:?}"),
        }
    }

    fn band(&mut self, node: &Node, reaching: &[Instance], (owner, mark): (&Owner, Option<&str>)) {
        let Node::Band(band, child) = node else { return };
        let values = instances(&band.schedule.to_union_map().unwrap(), self.value);
        let mut groups: BTreeMap<&Vec<i64>, Vec<Instance>> = BTreeMap::new();
        for own in reaching {
            groups.entry(&values[own]).or_default().push(own.clone());
        }
        for (value, group) in groups {
            let mut owner = owner.clone();
            if let Some(mark) = mark {
                owner.insert(mark.to_string(), value[0]);
            }
            self.run(child, &group, &owner);
        }
    }
}

/// Whether all dependences are in one thread, or have a barrier of the block or something of all blocks
/// between, or only the latter if they are in different blocks, for a value of the parameters.
fn is_ordered(scop: &Scop, dependences: &Dependences, tree: &ScheduleTree, value: i64) -> bool {
    let all = instances(&UnionMap::identity_on(&tree.domain), value);
    let reaching: Vec<Instance> = all.into_keys().collect();
    let mut execution = Execution { value, events: Vec::new() };
    execution.run(&tree.root, &reaching, &BTreeMap::new());
    let events = &execution.events;
    let mut places = BTreeMap::new();
    for (at, event) in events.iter().enumerate() {
        if let Event::Instance(own, owner) = event {
            places.insert(own.clone(), (at, owner));
        }
    }
    dependence_pairs(scop, dependences, value).iter().all(|(source, sink)| {
        let ((before, own), (after, other)) = (places[source], places[sink]);
        let is_one_block = block(own) == block(other);
        let orders = |event: &Event| match event {
            Event::OfAll => true,
            Event::Barrier(at) => {
                is_one_block && at.iter().all(|(mark, value)| own.get(mark) == Some(value))
            }
            Event::Instance(..) => false,
        };
        own == other || before < after && events[before..after].iter().any(orders)
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

/// A random region with kernels.
type Draw = fn(&mut Choices) -> (Scop, Dependences, ScheduleTree);

/// Kernels are proved if and only if dependences are in order in all executions with small symbolic
/// constants, and there are many of both.
fn proofs_say_what_executions_say(n: u64, draw: Draw) {
    let (mut proved, mut refuted) = (0, 0);
    for seed in seeds(0, n) {
        let (scop, dependences, tree) = draw(&mut Choices::from_seed(seed));
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

#[test]
fn barriers_of_random_kernels_order_what_they_order() {
    proofs_say_what_executions_say(150, drawn);
}

/// Barriers that are placed suffice, and none of them can go.
#[test]
fn placed_barriers_suffice_and_none_is_idle() {
    let mut n_placed = 0;
    for seed in seeds(0, 60) {
        let (scop, dependences, tree) = drawn(&mut Choices::from_seed(seed));
        let bare = without_barriers(&tree, None);
        let placed = with_barriers(&bare, &scop, &dependences, &budget()).unwrap();
        let proof = check_barriers(&scop, &dependences, &placed, &budget()).unwrap();
        assert!(proof.is_proved(), "seed {seed}: {proof:?}\n{placed}");
        let n_barriers = count(&placed.root, "barrier");
        for barrier in 0..n_barriers {
            let fewer = without_barriers(&placed, Some(barrier));
            let proof = check_barriers(&scop, &dependences, &fewer, &budget()).unwrap();
            assert!(!proof.is_proved(), "seed {seed}, barrier {barrier}\n{placed}");
        }
        n_placed += n_barriers;
    }
    assert!(n_placed > 30, "{n_placed}");
}

fn count(node: &Node, kind: &str) -> usize {
    let own = matches!(node, Node::Mark(name, _) if &**name == kind);
    usize::from(own) + node.children().iter().map(|child| count(child, kind)).sum::<usize>()
}

/// The tree without one of its barriers, or without any.
fn without_barriers(tree: &ScheduleTree, which: Option<usize>) -> ScheduleTree {
    without(tree, "barrier", which)
}

/// The tree without one of its marks of a kind, or without any.
fn without(tree: &ScheduleTree, kind: &str, which: Option<usize>) -> ScheduleTree {
    fn strip(node: &Node, (kind, which): (&str, Option<usize>), seen: &mut usize) -> Node {
        if let Node::Mark(name, child) = node
            && &**name == kind
        {
            *seen += 1;
            if which.is_none_or(|which| which + 1 == *seen) {
                return strip(child, (kind, which), seen);
            }
        }
        let mut result = node.clone();
        for (new, old) in result.children_mut().iter_mut().zip(node.children()) {
            *new = strip(old, (kind, which), seen);
        }
        result
    }
    ScheduleTree::new(tree.domain.clone(), strip(&tree.root, (kind, which), &mut 0))
}

/// As `drawn`, with loops over blocks, and barriers of both kinds.
fn drawn_with_blocks(choices: &mut Choices) -> (Scop, Dependences, ScheduleTree) {
    let offset = |choices: &mut Choices| ["i - 1", "i", "i + 1", "i"][choices.below(4)];
    let lines = format!(
        "for (int k = 0; k < n; k++) {{ for (int i = 1; i < n - 1; i++) b[i] = a[{}];\n\
         for (int i = 1; i < n - 1; i++) c[0][i] = b[{}]; for (int i = 1; i < n - 1; i++) a[i] = c[0][{}]; }}",
        offset(choices),
        offset(choices),
        offset(choices),
    );
    let (scop, dependences) = region(&lines);
    let mut part = |statement: &str| {
        let band = |value: &str| format!("schedule: \"[{{ {statement}[k, i] -> [{value}] }}]\"");
        let threads = format!("{{ mark: \"thread(x)\", child: {{ {} }} }}", band("i"));
        let strips = band("floor(i/2)");
        let spread = match choices.below(8) {
            0 => format!("{{ {} }}", band("i")),
            1 => threads,
            2 => format!("{{ mark: \"block(x)\", child: {{ {} }} }}", band("i")),
            3 => format!(
                "{{ mark: \"block(x)\", child: {{ {strips}, child: {{ mark: \"barrier\", child: {threads} }} }} }}"
            ),
            _ => format!("{{ mark: \"block(x)\", child: {{ {strips}, child: {threads} }} }}"),
        };
        let below = match choices.below(4) {
            0 => spread,
            1 => format!("{{ mark: \"barrier\", child: {spread} }}"),
            _ => format!("{{ mark: \"grid_barrier\", child: {spread} }}"),
        };
        format!("{{ filter: \"{{ {statement}[k, i] }}\", child: {below} }}")
    };
    let parts = format!("{{ sequence: [{}, {}, {}] }}", part("S0"), part("S1"), part("S2"));
    let members = "S0[k, i] -> [k]; S1[k, i] -> [k]; S2[k, i] -> [k]";
    let text = format!(
        "{{ mark: \"kernel(k)\", child: {{ schedule: \"[{{ {members} }}]\", child: {parts} }} }}"
    );
    let text = format!("domain: \"{}\"\nchild: {text}\n", scop.schedule.domain);
    (scop, dependences, ScheduleTree::parse(&text).unwrap())
}

#[test]
fn barriers_across_blocks_order_what_they_order() {
    proofs_say_what_executions_say(120, drawn_with_blocks);
}

/// Barriers of both kinds that are placed suffice, and none of them can go.
#[test]
fn barriers_across_blocks_that_are_placed_suffice_and_none_is_idle() {
    let (mut n_of_blocks, mut n_of_threads) = (0, 0);
    for seed in seeds(0, 60) {
        let (scop, dependences, tree) = drawn_with_blocks(&mut Choices::from_seed(seed));
        let bare = without(&without_barriers(&tree, None), "grid_barrier", None);
        let placed = with_grid_barriers(&bare, &scop, &dependences, &budget()).unwrap();
        let placed = with_barriers(&placed, &scop, &dependences, &budget()).unwrap();
        let proof = check_barriers(&scop, &dependences, &placed, &budget()).unwrap();
        assert!(proof.is_proved(), "seed {seed}: {proof:?}\n{placed}");
        assert!(check_kernels(&placed).is_proved(), "seed {seed}\n{placed}");
        for (kind, n) in [("grid_barrier", &mut n_of_blocks), ("barrier", &mut n_of_threads)] {
            for barrier in 0..count(&placed.root, kind) {
                let fewer = without(&placed, kind, Some(barrier));
                let proof = check_barriers(&scop, &dependences, &fewer, &budget()).unwrap();
                assert!(!proof.is_proved(), "seed {seed}, {kind} {barrier}\n{placed}");
                *n += 1;
            }
        }
    }
    assert!(n_of_blocks > 30 && n_of_threads > 5, "{n_of_blocks} {n_of_threads}");
}

#[test]
fn barriers_across_blocks_stand_outside_of_loops_over_blocks_and_threads() {
    let tree = |marks: &str| {
        let text = format!(
            "{{ domain: '{{ S[i] : 0 <= i < 9 }}', child: {{ {marks} schedule: '[{{ S[i] -> [(i)] }}]' }} }} }}"
        );
        check_kernels(&ScheduleTree::parse(&text).unwrap())
    };
    let kernel = "mark: 'kernel(k)', child: {";
    for around in ["block(x)", "thread(x)"] {
        let text = format!(
            "{{ domain: '{{ S[i] : 0 <= i < 9 }}', child: {{ {kernel} mark: '{around}', child: {{ schedule: '[{{ S[i] -> [(i)] }}]', \
             child: {{ mark: 'grid_barrier' }} }} }} }} }}"
        );
        let said = format!("{:?}", check_kernels(&ScheduleTree::parse(&text).unwrap()));
        assert!(
            said.contains("a barrier across blocks stands in a loop over blocks or threads"),
            "{said}"
        );
    }
    let said = format!("{:?}", tree("mark: 'grid_barrier', child: {"));
    assert!(said.contains("`grid_barrier` stands outside of all kernels"), "{said}");
}
