//! Editing operations on random trees, against what they mean for every pair of instances.
//!
//! The oracle walks down the nodes of a tree with single instances; it uses no schedule relation and
//! no editing operation.
use loopwright_presburger::{
    Budget, Int, MultiUnionPwAff, Set, UnionMap, UnionPwMultiAff, UnionSet,
};
use loopwright_schedule::{Band, Node, PointLoops, ScheduleTree, TileLoops};
use proptest::prelude::*;
use std::cmp::Ordering;

const SIZE: i64 = 3;
const NAMES: [&str; 2] = ["S", "T"];

/// A statement and its coordinates.
type Instance = (&'static str, [i64; 2]);

fn instances() -> Vec<Instance> {
    let points = |name| (0..SIZE).flat_map(move |i| (0..SIZE).map(move |j| (name, [i, j])));
    NAMES.iter().flat_map(|name| points(*name)).collect()
}

fn is_of(set: &Set, (name, point): Instance) -> bool {
    let same = set.space().output().and_then(|tuple| tuple.name()).is_some_and(|n| **n == *name);
    let point = point.map(Int::from);
    same && set.contains_point(&point, &Budget::unlimited()).unwrap()
}

fn contains(union: &UnionSet, instance: Instance) -> bool {
    union.sets().iter().any(|set| is_of(set, instance))
}

/// The values of the members of a band.
fn values(band: &Band, instance: Instance) -> Vec<i64> {
    let value = |member: &loopwright_presburger::UnionPwAff| {
        let pieces = member.parts().iter().flat_map(|part| part.pieces());
        let (_, aff) = pieces.into_iter().find(|(set, _)| is_of(set, instance)).unwrap();
        let value = aff.eval(&instance.1.map(Int::from));
        (-99..99).find(|&v| value == Int::from(v).into()).expect("a small integer")
    };
    band.schedule.members().iter().map(value).collect()
}

/// Equal: at one leaf at one time. None: in different children of a set.
type Order = Option<Ordering>;

fn child_of(children: &[Node], instance: Instance) -> usize {
    let keeps = |node: &Node| match node {
        Node::Filter(filter, _) => contains(filter, instance),
        _ => panic!("the children are filters"),
    };
    children.iter().position(keeps).expect("one of the children keeps the instance")
}

fn order(node: &Node, a: Instance, b: Instance) -> Order {
    order_to(node, None, a, b, &|_| Some(Ordering::Equal))
}

/// The order by the nodes above `path` (all if there is none), and where they do not decide, that
/// by `rest` on the subtree.
fn order_to(
    node: &Node,
    path: Option<&[usize]>,
    a: Instance,
    b: Instance,
    rest: &dyn Fn(&Node) -> Order,
) -> Order {
    if path == Some(&[]) {
        return rest(node);
    }
    let step = |child: usize| -> Order {
        match path {
            Some([first, path @ ..]) if *first == child => {
                order_to(&node.children()[child], Some(path), a, b, rest)
            }
            _ => order_to(&node.children()[child], None, a, b, rest),
        }
    };
    match node {
        Node::Leaf => Some(Ordering::Equal),
        Node::Band(band, _) => match values(band, a).cmp(&values(band, b)) {
            Ordering::Equal => step(0),
            other => Some(other),
        },
        Node::Sequence(children) | Node::Set(children) => {
            let (x, y) = (child_of(children, a), child_of(children, b));
            match (x.cmp(&y), node) {
                (Ordering::Equal, _) => step(x),
                (_, Node::Set(_)) => None,
                (other, _) => Some(other),
            }
        }
        _ => step(0),
    }
}

/// Checks that `after` orders as `before` above `path`, and as `expected` says where that does not
/// decide; `expected` gets the subtree of `before`.
fn check_at(
    before: &ScheduleTree,
    after: &ScheduleTree,
    path: &[usize],
    expected: impl Fn(&Node, Instance, Instance) -> Order,
) {
    assert_eq!(after.check(&Budget::unlimited()).unwrap(), Vec::<String>::new(), "{after}");
    let again = ScheduleTree::parse(&after.to_string()).unwrap();
    assert!(again.is_equal(after, &Budget::unlimited()).unwrap(), "{again}{after}");
    let all = instances().into_iter().filter(|x| contains(&after.domain, *x));
    let all: Vec<Instance> = all.collect();
    for &a in &all {
        for &b in &all {
            let wanted =
                order_to(&before.root, Some(path), a, b, &|node: &Node| expected(node, a, b));
            assert_eq!(
                order(&after.root, a, b),
                wanted,
                "{a:?} {b:?} at {path:?}\n{before}{after}"
            );
        }
    }
}

fn same(node: &Node, a: Instance, b: Instance) -> Order {
    order(node, a, b)
}

/// The order of tuples made of the band's values, then that of the child.
fn by_values(
    node: &Node,
    a: Instance,
    b: Instance,
    f: impl Fn(Instance, &[i64]) -> Vec<i64>,
) -> Order {
    let Node::Band(band, child) = node else { panic!("a band") };
    match f(a, &values(band, a)).cmp(&f(b, &values(band, b))) {
        Ordering::Equal => order(child, a, b),
        other => Some(other),
    }
}

fn then(first: Ordering, second: impl FnOnce() -> Order) -> Order {
    if first == Ordering::Equal { second() } else { Some(first) }
}

/// All places of nodes with a property.
fn places(tree: &ScheduleTree, wanted: impl Fn(&Node) -> bool) -> Vec<Vec<usize>> {
    fn walk(
        node: &Node,
        path: &[usize],
        wanted: &dyn Fn(&Node) -> bool,
        found: &mut Vec<Vec<usize>>,
    ) {
        if wanted(node) {
            found.push(path.to_vec());
        }
        for (position, child) in node.children().iter().enumerate() {
            walk(child, &[path, &[position]].concat(), wanted, found);
        }
    }
    let mut found = Vec::new();
    walk(&tree.root, &[], &wanted, &mut found);
    found
}

fn not_in_a_list(node: &Node) -> bool {
    !matches!(node, Node::Filter(..))
}

fn half() -> UnionSet {
    UnionSet::parse("{ S[i, j] : i >= j; T[i, j] : i = 1 }").unwrap()
}

fn numbers(band: &Band) -> Vec<Int> {
    (0..band.n_members()).map(|k| Int::from(2 + k as i64)).collect()
}

fn check_band_edits(tree: &ScheduleTree, path: &[usize]) {
    let Some(Node::Band(band, _)) = tree.at(path) else { panic!("a band") };
    let n = band.n_members();
    let by = |k: usize| 2 + k as i64;
    let each = |v: &[i64], f: &dyn Fn(i64, i64) -> i64| -> Vec<i64> {
        v.iter().enumerate().map(|(k, &v)| f(v, by(k))).collect()
    };
    let divided = |v: &[i64]| each(v, &|v, by| v.div_euclid(by));
    let remainder = |v: &[i64]| each(v, &|v, by| v.rem_euclid(by));
    for at in 0..=n {
        check_at(tree, &tree.split_band(path, at).unwrap(), path, same);
    }
    let edited = |f: &dyn Fn(&Band) -> Band| tree.edit_band(path, |b| Ok(vec![f(b)])).unwrap();
    check_at(tree, &edited(&|b| b.scale(&numbers(b)).unwrap()), path, same);
    let down = edited(&|b| b.scale_down(&numbers(b)).unwrap());
    check_at(tree, &down, path, |n, a, b| by_values(n, a, b, |_, v| divided(v)));
    let modulo = edited(&|b| b.modulo(&numbers(b)).unwrap());
    check_at(tree, &modulo, path, |n, a, b| by_values(n, a, b, |_, v| remainder(v)));
    let member = "{ S[i, j] -> [(j)]; T[i, j] -> [(3 - i)] }";
    let shift = format!("[{}]", vec![member; n].join(", "));
    let shift = MultiUnionPwAff::parse(&shift).unwrap();
    let shifted = edited(&|b| b.shift(&shift).unwrap());
    let amount = |x: Instance| if x.0 == "S" { x.1[1] } else { 3 - x.1[0] };
    check_at(tree, &shifted, path, |n, a, b| {
        by_values(n, a, b, |x, v| v.iter().map(|v| v + amount(x)).collect())
    });
    for (tiles, points) in
        [(TileLoops::Scaled, PointLoops::Shifted), (TileLoops::Unscaled, PointLoops::Absolute)]
    {
        let tiled = |b: &Band| {
            let permutable = Band { permutable: true, ..b.clone() };
            let (outer, inner) = permutable.tile_with(&numbers(b), tiles, points)?;
            Ok(vec![outer, inner])
        };
        check_at(tree, &tree.edit_band(path, tiled).unwrap(), path, |n, a, b| {
            by_values(n, a, b, |_, v| [divided(v), v.to_vec()].concat())
        });
    }
    check_at(tree, &tree.sink_band(path).unwrap(), path, |node, a, b| {
        let Node::Band(band, child) = node else { panic!("a band") };
        match order(child, a, b) {
            Some(Ordering::Equal) => Some(values(band, a).cmp(&values(band, b))),
            other => other,
        }
    });
    check_at(tree, &tree.delete(path).unwrap(), path, |n, a, b| order(&n.children()[0], a, b));
}

fn check_inserts(tree: &ScheduleTree, path: &[usize]) {
    let budget = Budget::unlimited();
    let context = Set::parse("[n] -> { : n >= 0 }").unwrap();
    check_at(tree, &tree.insert_mark(path, "m".into()).unwrap(), path, same);
    check_at(tree, &tree.insert_context(path, context.clone()).unwrap(), path, same);
    check_at(tree, &tree.insert_guard(path, context).unwrap(), path, same);
    check_at(tree, &tree.cut(path).unwrap(), path, |_, _, _| Some(Ordering::Equal));
    let schedule = "[{ S[i, j] -> [(i - j)]; T[i, j] -> [(j)] }]";
    let band = Band::new(MultiUnionPwAff::parse(schedule).unwrap());
    let inserted = tree.insert_partial_schedule(path, band.clone()).unwrap();
    check_at(tree, &inserted, path, |node, a, b| {
        then(values(&band, a).cmp(&values(&band, b)), || order(node, a, b))
    });
    let here = tree.domain_at(path).unwrap();
    let (these, others) =
        (here.intersect(&half()).unwrap(), here.subtract(&half(), &budget).unwrap());
    let is_other = |x: Instance| !contains(&half(), x);
    let first = |node: &Node, a, b| then(is_other(a).cmp(&is_other(b)), || order(node, a, b));
    let last = |node: &Node, a, b| then(is_other(b).cmp(&is_other(a)), || order(node, a, b));
    check_at(tree, &tree.order_before(path, &half(), &budget).unwrap(), path, first);
    check_at(tree, &tree.order_after(path, &half(), &budget).unwrap(), path, last);
    let filters = [these, others];
    check_at(tree, &tree.insert_sequence(path, &filters).unwrap(), path, first);
    check_at(tree, &tree.insert_set(path, &filters).unwrap(), path, |node, a, b| {
        if is_other(a) == is_other(b) { order(node, a, b) } else { None }
    });
    let grouped = tree.group(path, "G").unwrap();
    assert_eq!(grouped.check(&budget).unwrap(), Vec::<String>::new(), "{grouped}");
    assert!(grouped.has_equal_order(tree, &budget).unwrap(), "{tree}{grouped}");
}

fn check_whole_tree(tree: &ScheduleTree) {
    let budget = Budget::unlimited();
    let pairs = instances().into_iter().flat_map(|a| instances().into_iter().map(move |b| (a, b)));
    let before = pairs.filter(|&(a, b)| order(&tree.root, a, b) == Some(Ordering::Less));
    let text = |(name, [i, j]): Instance| format!("{name}[{i}, {j}]");
    let before: Vec<String> = before.map(|(a, b)| format!("{} -> {}", text(a), text(b))).collect();
    let expected = UnionMap::parse(&format!("{{ {} }}", before.join("; "))).unwrap();
    let precedence = tree.precedence(&budget).unwrap();
    assert!(precedence.is_equal(&expected, &budget).unwrap(), "{precedence}\n{tree}");

    let some = UnionSet::parse("{ S[i, j] : i >= j }").unwrap();
    check_at(tree, &tree.intersect_domain(&some).unwrap(), &[], same);
    let function = "{ S[i, j] -> S[(2 - i), (j)]; T[i, j] -> T[(j), (i)] }";
    let pulled = tree.pullback(&UnionPwMultiAff::parse(function).unwrap()).unwrap();
    let image = |(name, [i, j]): Instance| (name, if name == "S" { [2 - i, j] } else { [j, i] });
    check_at(tree, &pulled, &[], |node, a, b| order(node, image(a), image(b)));
    for path in places(tree, |node| matches!(node, Node::Sequence(_))) {
        check_at(tree, &tree.splice_children(&path).unwrap(), &path, same);
    }
}

fn form() -> impl Strategy<Value = String> {
    (-1i64..=2, -1i64..=1, 0i64..=1).prop_map(|(a, b, c)| format!("({a}i + {b}j + {c})"))
}

/// Subtrees over the statements, in isl's flow style.
fn subtree(statements: &'static [&'static str], depth: u32) -> BoxedStrategy<String> {
    let leaf = Just("{ mark: m }".to_string()).boxed();
    if depth == 0 {
        return leaf;
    }
    let member = prop::collection::vec(form(), statements.len()).prop_map(move |forms| {
        let part = |(s, form): (&&str, String)| format!("{s}[i, j] -> [{form}]");
        let parts: Vec<String> = statements.iter().zip(forms).map(part).collect();
        format!("{{ {} }}", parts.join("; "))
    });
    let band = (prop::collection::vec(member, 1..3), subtree(statements, depth - 1))
        .prop_map(|(members, child)| {
            format!("{{ schedule: \"[{}]\", child: {child} }}", members.join(", "))
        })
        .boxed();
    if statements.len() == 1 {
        let single = statements[0];
        let halves =
            (any::<bool>(), subtree(statements, depth - 1), subtree(statements, depth - 1))
                .prop_map(move |(ordered, a, b)| {
                    let kind = if ordered { "sequence" } else { "set" };
                    format!(
                        "{{ {kind}: [ {{ filter: \"{{ {single}[i, j] : i > j }}\", child: {a} }}, \
                     {{ filter: \"{{ {single}[i, j] : i <= j }}\", child: {b} }} ] }}"
                    )
                });
        return prop_oneof![1 => leaf, 3 => band, 2 => halves].boxed();
    }
    let parts = (any::<bool>(), subtree(&NAMES[..1], depth - 1), subtree(&NAMES[1..], depth - 1))
        .prop_map(|(ordered, s, t)| {
            let kind = if ordered { "sequence" } else { "set" };
            format!(
                "{{ {kind}: [ {{ filter: \"{{ T[i, j] }}\", child: {t} }}, \
                 {{ filter: \"{{ S[i, j] }}\", child: {s} }} ] }}"
            )
        });
    prop_oneof![3 => band, 2 => parts].boxed()
}

fn tree() -> impl Strategy<Value = ScheduleTree> {
    subtree(&NAMES, 3).prop_map(|root| {
        let domain = |s| format!("{s}[i, j] : 0 <= i < {SIZE} and 0 <= j < {SIZE}");
        let domain = NAMES.map(domain).join("; ");
        let text = format!("{{ domain: \"{{ {domain} }}\", child: {root} }}");
        ScheduleTree::parse(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn whole_trees(tree in tree()) {
        check_whole_tree(&tree);
    }

    #[test]
    fn edits_of_bands(tree in tree()) {
        for path in places(&tree, |node| matches!(node, Node::Band(..))) {
            check_band_edits(&tree, &path);
        }
    }

    #[test]
    fn inserted_nodes(tree in tree()) {
        for path in places(&tree, not_in_a_list) {
            check_inserts(&tree, &path);
        }
    }
}

#[test]
fn grafts_run_next_to_the_instances_of_their_iteration() {
    let tree = ScheduleTree::parse(
        "{ domain: '{ S[i, j] : 0 <= i < 3 and 0 <= j < 3 }', child: { schedule: \
         '[{ S[i, j] -> [(-i)] }]', child: { schedule: '[{ S[i, j] -> [(j)] }]' } } }",
    )
    .unwrap();
    let copies = UnionMap::parse("{ [t] -> C[t, x] : -3 < t <= 0 and 0 <= x < 2 }").unwrap();
    let inner = Band::new(MultiUnionPwAff::parse("[{ C[t, x] -> [(-x)] }]").unwrap());
    let graft = Node::band(inner, Node::Leaf);
    let budget = Budget::unlimited();
    for (place, grafted) in [
        (0, tree.graft_before(&[0], &copies, graft.clone()).unwrap()),
        (1, tree.graft_after(&[0], &copies, graft).unwrap()),
    ] {
        let other = 1 - place;
        let expected = format!(
            "{{ S[i, j] -> [-i, {other}, j] : 0 <= i < 3 and 0 <= j < 3; \
             C[t, x] -> [t, {place}, -x] : -3 < t <= 0 and 0 <= x < 2 }}"
        );
        let expected = UnionMap::parse(&expected).unwrap();
        assert!(grafted.flatten().unwrap().is_equal(&expected, &budget).unwrap(), "{grafted}");
        assert_eq!(grafted.check(&budget).unwrap(), Vec::<String>::new());
    }
    assert!(tree.graft_before(&[], &copies, Node::Leaf).is_err());
}

#[test]
fn groups_of_a_descending_loop_count_down() {
    let tree = ScheduleTree::parse(
        "{ domain: '[n] -> { A[i, j] : 0 <= i < n and i < j < n; B[i, j] : 0 <= i < n and i < j < n }',
           child: { schedule: '[{ A[i, j] -> [(-i)]; B[i, j] -> [(-i)] }, \
           { A[i, j] -> [(j)]; B[i, j] -> [(j)] }]', child: { sequence: [ \
           { filter: '{ A[i, j] }' }, { filter: '{ B[i, j] }' } ] } } }",
    )
    .unwrap();
    let grouped = tree.group(&[0], "G_0").unwrap();
    let budget = Budget::unlimited();
    let groups = UnionSet::parse("[n] -> { G_0[i0, i1] : i0 <= 0 and -i0 < i1 < n }").unwrap();
    assert!(grouped.domain.is_equal(&groups, &budget).unwrap(), "{grouped}");
    assert!(grouped.has_equal_order(&tree, &budget).unwrap());
}

#[test]
fn edits_refuse_what_would_be_malformed() {
    let tree = ScheduleTree::parse(
        "{ domain: '{ S[i, j]; T[i, j] }', child: { sequence: [ { filter: '{ S[i, j] }' }, \
         { filter: '{ T[i, j] }' } ] } }",
    )
    .unwrap();
    assert!(tree.insert_mark(&[0], "m".into()).is_err());
    assert!(tree.delete(&[0]).is_err());
    assert!(tree.delete(&[]).is_err());
    assert!(tree.cut(&[1]).is_err());
    assert!(tree.cut(&[2]).is_err());
    assert!(tree.split_band(&[], 1).is_err());
    assert!(tree.splice_child(&[], 0).is_err());
    assert!(tree.group(&[0], "G").is_err());
    assert!(tree.insert_guard(&[0, 0], Set::parse("{ [i] }").unwrap()).is_err());
}
