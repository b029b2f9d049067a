//! The order of a tree, its flat schedule, and editing, against an interpreter of trees that looks
//! at single instances.
use loopwright_presburger::{Budget, DimKind, Int, Set, UnionMap, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree, TileLoops};
use std::cmp::Ordering;

/// An instance: its statement and coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Instance {
    statement: String,
    coordinates: Vec<Int>,
}

fn statement(set: &Set) -> String {
    set.space().output().unwrap().name().unwrap().to_string()
}

fn instances(tree: &ScheduleTree) -> Vec<Instance> {
    let budget = Budget::unlimited();
    let mut all = Vec::new();
    for set in tree.domain.sets() {
        for coordinates in set.points(1000, &budget).unwrap() {
            all.push(Instance { statement: statement(&set), coordinates });
        }
    }
    all
}

fn keeps(node: &Node, instance: &Instance) -> bool {
    let Node::Filter(filter, _) = node else { panic!("children of sequences are filters") };
    filter.sets().iter().any(|set| {
        statement(set) == instance.statement
            && set.contains_point(&instance.coordinates, &Budget::unlimited()).unwrap()
    })
}

/// The order of two instances, straight from the definition of the nodes.
fn compare(node: &Node, a: &Instance, b: &Instance) -> Ordering {
    match node {
        Node::Leaf => Ordering::Equal,
        Node::Sequence(children) => {
            let of = |x| children.iter().position(|child| keeps(child, x)).unwrap();
            of(a).cmp(&of(b)).then_with(|| compare(&children[of(a)], a, b))
        }
        Node::Band(band, child) => {
            for member in band.schedule.members() {
                let value = |x: &Instance| {
                    let parts = member.parts().iter();
                    let mut pieces = parts.flat_map(|part| part.pieces());
                    let inside = |(set, _): &&(Set, _)| {
                        statement(set) == x.statement
                            && set.contains_point(&x.coordinates, &Budget::unlimited()).unwrap()
                    };
                    pieces.find(inside).unwrap().1.eval(&x.coordinates)
                };
                match value(a).cmp(&value(b)) {
                    Ordering::Equal => {}
                    different => return different,
                }
            }
            compare(child, a, b)
        }
        other => compare(&other.children()[0], a, b),
    }
}

fn image(schedule: &UnionMap, instance: &Instance) -> Vec<Int> {
    for map in schedule.maps() {
        if **map.space().input().unwrap().name().unwrap() != *instance.statement {
            continue;
        }
        let mut fixed = map.clone();
        for (dim, value) in instance.coordinates.iter().enumerate() {
            fixed = fixed.fix(DimKind::In, dim, value);
        }
        let images = fixed.range().points(2, &Budget::unlimited()).unwrap();
        assert_eq!(images.len(), 1, "one time per instance");
        return images.into_iter().next().unwrap();
    }
    panic!("{instance:?} is not scheduled");
}

fn assert_flat_order_is_the_trees(tree: &ScheduleTree) {
    assert_eq!(tree.check(&Budget::unlimited()).unwrap(), Vec::<String>::new());
    let flat = tree.flatten().unwrap();
    let instances = instances(tree);
    let times: Vec<_> = instances.iter().map(|x| image(&flat, x)).collect();
    for (a, time_a) in instances.iter().zip(&times) {
        for (b, time_b) in instances.iter().zip(&times) {
            assert_eq!(compare(&tree.root, a, b), time_a.cmp(time_b), "{a:?} {b:?}");
        }
    }
}

const TREE: &str = r#"
domain: "{ S[i, j] : 0 <= i <= 3 and 0 <= j <= i; T[i] : 0 <= i <= 4; U[] }"
child:
  sequence:
  - filter: "{ U[] }"
  - filter: "{ S[i, j]; T[i] }"
    child:
      schedule: "[{ S[i, j] -> [(i + j)]; T[i] -> [(2i)] }, { S[i, j] -> [(-j)]; T[i] -> [(floor((i)/2))] }]"
      permutable: 1
      child:
        sequence:
        - filter: "{ T[i] }"
        - filter: "{ S[i, j] : i = j }"
        - filter: "{ S[i, j] : i > j }"
          child:
            mark: inner
            child:
              schedule: "[{ S[i, j] -> [(i)] }]"
"#;

#[test]
fn flat_schedules_order_like_the_tree() {
    assert_flat_order_is_the_trees(&ScheduleTree::parse(TREE).unwrap());
}

#[test]
fn piecewise_bands_are_split() {
    let tree = ScheduleTree::parse(
        r#"{ domain: "{ S[i] : 0 <= i <= 9 }",
             child: { schedule: "[{ S[i] -> [(9 - i)] : i >= 5; S[i] -> [(i)] : i <= 4 }]" } }"#,
    );
    assert_flat_order_is_the_trees(&tree.unwrap());
}

#[test]
fn printing_and_reading_are_inverse() {
    let tree = ScheduleTree::parse(TREE).unwrap();
    let printed = tree.to_string();
    let again = ScheduleTree::parse(&printed).unwrap();
    assert_eq!(printed, again.to_string());
    assert_flat_order_is_the_trees(&again);
}

#[test]
fn options_survive_printing() {
    for options in [
        "{ separate[0]; unroll[1] }",
        "{ atomic[x]; [isolate[] -> separate[x]] }",
        "[n] -> { isolate[[] -> [a, b]] : 0 <= a <= n and b >= 0; unroll[x] : x = 1 }",
    ] {
        let text = format!(
            "domain: '{{ S[i, j] }}'\nchild:\n  schedule: '[{{ S[i, j] -> [(i)] }}, \
             {{ S[i, j] -> [(j)] }}]'\n  options: '{options}'\n  coincident: [1, 0]\n"
        );
        let read = |text: &str| {
            let Node::Band(band, _) = ScheduleTree::parse(text).unwrap().root else { panic!() };
            band
        };
        let band = read(&text);
        let printed = ScheduleTree::parse(&text).unwrap().to_string();
        let again = read(&printed);
        assert_eq!(band.members, again.members, "{printed}");
        assert_eq!(band.isolate.is_some(), again.isolate.is_some());
        if let (Some(a), Some(b)) = (&band.isolate, &again.isolate) {
            assert!(a.is_equal(b, &Budget::unlimited()).unwrap());
        }
    }
}

fn band(tree: &ScheduleTree) -> (&Band, &Node) {
    let Node::Band(band, child) = &tree.root else { panic!("a band") };
    (band, child)
}

const RECTANGLE: &str = r#"
domain: "{ S[i, j] : 0 <= i <= 6 and -3 <= j <= 4 }"
child:
  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(i + j)] }]"
  permutable: 1
  coincident: [ 1, 0 ]
"#;

#[test]
fn tiles_are_boxes_of_the_bands_values() {
    let tree = ScheduleTree::parse(RECTANGLE).unwrap();
    let (members, child) = band(&tree);
    for (loops, factor) in [(TileLoops::Scaled, (2, 3)), (TileLoops::Unscaled, (1, 1))] {
        let (tiles, points) = members.tile(&[Int::from(2), Int::from(3)], loops).unwrap();
        assert_eq!(tiles.members, members.members);
        let root = Node::band(tiles, Node::band(points, child.clone()));
        let tiled = ScheduleTree { domain: tree.domain.clone(), root };
        assert_flat_order_is_the_trees(&tiled);
        let flat = tiled.flatten().unwrap();
        for instance in instances(&tiled) {
            let [i, j] = [0, 1].map(|k| instance.coordinates[k].to_i64().unwrap());
            let (a, b) = (i.div_euclid(2) * factor.0, (i + j).div_euclid(3) * factor.1);
            let expected = [a, b, i, i + j].map(Int::from);
            assert_eq!(image(&flat, &instance), expected);
        }
    }
}

#[test]
fn splitting_keeps_the_order_and_permuting_changes_it() {
    let tree = ScheduleTree::parse(RECTANGLE).unwrap();
    let (members, child) = band(&tree);
    let (outer, inner) = members.split(1);
    assert!(outer.members[0].coincident && !inner.members[0].coincident);
    let with = |root| ScheduleTree { domain: tree.domain.clone(), root };
    let split = with(Node::band(outer.clone(), Node::band(inner.clone(), child.clone())));
    let joined = with(Node::band(outer.join(&inner), child.clone()));
    let swapped = with(Node::band(members.permute(&[1, 0]).unwrap(), child.clone()));
    let budget = Budget::unlimited();
    let flat = tree.flatten().unwrap();
    assert!(split.flatten().unwrap().is_equal(&flat, &budget).unwrap());
    assert!(joined.flatten().unwrap().is_equal(&flat, &budget).unwrap());
    let expected = "{ S[i, j] -> [i + j, i] : 0 <= i <= 6 and -3 <= j <= 4 }";
    let expected = UnionMap::parse(expected).unwrap();
    assert!(swapped.flatten().unwrap().is_equal(&expected, &budget).unwrap());
}

#[test]
fn illegal_edits_are_refused() {
    let tree = ScheduleTree::parse(RECTANGLE).unwrap();
    let mut fixed = band(&tree).0.clone();
    assert!(fixed.tile(&[Int::from(0)], TileLoops::Scaled).is_err());
    assert!(fixed.permute(&[0, 0]).is_err() && fixed.permute(&[0]).is_err());
    fixed.permutable = false;
    assert!(fixed.permute(&[1, 0]).is_err() && fixed.permute(&[0, 1]).is_ok());
    assert!(fixed.permute_unchecked(&[1, 0]).is_ok());
    assert!(fixed.tile(&[Int::from(4)], TileLoops::Scaled).is_err());
}

#[test]
fn sinking_puts_the_band_at_every_leaf() {
    let mut tree = ScheduleTree::parse(TREE).unwrap();
    let member = "[{ S[i, j] -> [(j)]; T[i] -> [(-i)]; U[] -> [(0)] }]";
    let member = loopwright_presburger::MultiUnionPwAff::parse(member).unwrap();
    tree.root.sink(&Band::new(member)).unwrap();
    assert_flat_order_is_the_trees(&tree);
    let mut leaves = 0;
    tree.root.for_each(&mut |node| leaves += usize::from(node.is_leaf()));
    assert_eq!(leaves, 4);
}

#[test]
fn expansion_schedules_like_the_group() {
    let tree = ScheduleTree::parse(
        r#"
domain: "{ G[i] : 0 <= i <= 3 }"
child:
  schedule: "[{ G[i] -> [(-i)] }]"
  child:
    contraction: "{ A[i] -> G[i]; B[i, j] -> G[i] }"
    expansion: "{ G[i] -> A[i]; G[i] -> B[i, j] : 0 <= j <= i }"
    child:
      sequence:
      - filter: "{ B[i, j] }"
        child:
          schedule: "[{ B[i, j] -> [(j)] }]"
      - filter: "{ A[i] }"
"#,
    )
    .unwrap();
    let expected = "{ B[i, j] -> [-i, 0, j] : 0 <= j <= i <= 3; A[i] -> [-i, 1, 0] : 0 <= i <= 3 }";
    let expected = UnionMap::parse(expected).unwrap();
    assert!(tree.flatten().unwrap().is_equal(&expected, &Budget::unlimited()).unwrap());
}

/// Two groups at the leaves of a sequence, one of groups; an ungrouped statement; a mark and a filter.
const NESTED_GROUPS: &str = r#"
domain: "[n] -> { G[t] : -n < t <= 0; S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ G[t] -> [(2t)]; S[i] -> [(1 - 2i)] }]"
  child:
    sequence:
    - filter: "[n] -> { S[i] }"
    - filter: "[n] -> { G[t] }"
      child:
        mark: groups
        child:
          contraction: "{ H[i, j] -> G[-i]; A[i] -> G[-i] }"
          expansion: "{ G[t] -> H[-t, j] : 0 <= j < 2; G[t] -> A[-t] }"
          child:
            sequence:
            - filter: "{ A[i] }"
            - filter: "{ H[i, j] }"
              child:
                schedule: "[{ H[i, j] -> [(-j)] }]"
                child:
                  contraction: "{ B[x] -> H[floor(x/2), x mod 2]; C[i, j] -> H[i, j] }"
                  expansion: "{ H[i, j] -> B[2i + j]; H[i, j] -> C[i, j] }"
                  child:
                    sequence:
                    - filter: "{ C[i, j] }"
                    - filter: "{ B[x] }"
"#;

#[test]
fn trees_without_expansions_have_the_same_order() {
    let tree = ScheduleTree::parse(NESTED_GROUPS).unwrap();
    let members = tree.without_expansions().unwrap();
    assert!(!members.to_string().contains("expansion"), "{members}");
    assert!(members.check(&Budget::unlimited()).unwrap().is_empty(), "{members}");
    let instances = "[n] -> { S[i] : 0 <= i < n; A[i] : 0 <= i < n; B[x] : 0 <= x < 2n; \
                     C[i, j] : 0 <= i < n and 0 <= j < 2 }";
    let instances = UnionSet::parse(instances).unwrap();
    assert!(members.domain.is_equal(&instances, &Budget::unlimited()).unwrap(), "{members}");
    let same = members.flatten().unwrap();
    assert!(same.is_equal(&tree.flatten().unwrap(), &Budget::unlimited()).unwrap(), "{members}");
    let again = members.without_expansions().unwrap();
    assert_eq!(again.to_string(), members.to_string());
}

/// The contraction of a statement may differ from place to place.
#[test]
fn one_statement_may_be_expanded_from_several_places() {
    let place = |filter: &str, name: &str, to: &str, from: &str| {
        format!(
            "{{ filter: '{{ {filter} }}', child: {{ contraction: '{{ A[i] -> {name}[{to}] }}', \
             expansion: '{{ {name}[t] -> A[{from}] }}' }} }}"
        )
    };
    let text = |second: &str| {
        format!(
            "{{ domain: '{{ G[t] : 0 <= t < 4; H[t] : 0 <= t < 4 }}', child: {{ \
             schedule: '[{{ G[t] -> [(t)]; H[t] -> [(10 + t)] }}]', child: {{ sequence: [ {}, {second} ] }} }} }}",
            place("G[t]", "G", "3 - i", "3 - t")
        )
    };
    let tree = ScheduleTree::parse(&text(&place("H[t]", "H", "i - 4", "4 + t"))).unwrap();
    let members = tree.without_expansions().unwrap();
    let expected = "{ A[i] -> [3 - i, 0] : 0 <= i < 4; A[i] -> [6 + i, 1] : 4 <= i < 8 }";
    let expected = UnionMap::parse(expected).unwrap();
    let flat = members.flatten().unwrap();
    assert!(flat.is_equal(&expected, &Budget::unlimited()).unwrap(), "{members}{flat}");
    let twice = ScheduleTree::parse(&text(&place("H[t]", "H", "i", "t"))).unwrap();
    let message = twice.without_expansions().unwrap_err().to_string();
    assert!(message.contains("two places"), "{message}");
}

#[test]
fn extension_schedules_added_instances() {
    let tree = ScheduleTree::parse(
        r#"
domain: "{ S[i] : 0 <= i <= 3 }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
  child:
    extension: "{ [i] -> C[i] : 0 <= i <= 3 and i mod 2 = 0 }"
    child:
      sequence:
      - filter: "{ C[i] }"
      - filter: "{ S[i] }"
"#,
    )
    .unwrap();
    let expected = "{ C[i] -> [i, 0] : 0 <= i <= 3 and i mod 2 = 0; S[i] -> [i, 1] : 0 <= i <= 3 }";
    let expected = UnionMap::parse(expected).unwrap();
    assert!(tree.flatten().unwrap().is_equal(&expected, &Budget::unlimited()).unwrap());
}

#[test]
fn malformed_trees_are_described() {
    let cases = [
        ("{ filter: '{ S[i] : i >= 1 }' }, { filter: '{ S[i] : i <= 1 }' }", "overlap"),
        ("{ filter: '{ S[i] : i >= 1 }' }, { filter: '{ S[i] : i <= -1 }' }", "keeps"),
    ];
    for (children, word) in cases {
        let text = format!("{{ domain: '{{ S[i] }}', child: {{ sequence: [ {children} ] }} }}");
        let problems = ScheduleTree::parse(&text).unwrap().check(&Budget::unlimited()).unwrap();
        assert!(problems.iter().any(|problem| problem.contains(word)), "{problems:?}");
    }
    let partial = "{ domain: '{ S[i] }', child: { schedule: '[{ S[i] -> [(i)] : i > 0 }]' } }";
    let problems = ScheduleTree::parse(partial).unwrap().check(&Budget::unlimited()).unwrap();
    assert!(problems[0].contains("not defined"), "{problems:?}");
    let context = "{ domain: '{ S[i] }', child: { context: '{ [a] }' } }";
    let problems = ScheduleTree::parse(context).unwrap().check(&Budget::unlimited()).unwrap();
    assert!(problems[0].contains("context"), "{problems:?}");
}

#[test]
fn errors_name_the_line() {
    for (text, line, word) in [
        ("domain: '{ S[i] }'\nchild:\n  shedule: '[]'\n", 3, "expected"),
        ("domain: '{ S[i }'\n", 1, "expected"),
        ("domain: '{ S[i] }'\nchild:\n  filter: '{ S[i] }'\n  sequence: []\n", 4, "both"),
        ("domain: '{ S[i] }'\nchild:\n  sequence:\n  - mark: x\n", 4, "filter"),
        ("child: {}\n", 1, "domain"),
        (
            "domain: '{ S[i] }'\nchild:\n  schedule: '[{ S[i] -> [(i)] }]'\n  coincident: [1, 1]\n",
            4,
            "per member",
        ),
    ] {
        let message = ScheduleTree::parse(text).unwrap_err().to_string();
        assert!(message.contains(&format!("line {line}:")), "{message}");
        assert!(message.contains(word), "{message}");
    }
}
