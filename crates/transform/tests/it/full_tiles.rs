//! Full tiles of variable sizes: what is isolated is what enumeration finds to be full.
use loopwright_exact::Int;
use loopwright_presburger::{Budget, Set};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_transform::tile::full_tiles::with_full_tiles_apart;

/// Points `(i, j)` with a condition, in tiles of `p x q` along the two values.
struct Case {
    domain: &'static str,
    values: [&'static str; 2],
    has: fn(i64, i64, i64) -> bool,
    of: fn(i64, i64) -> (i64, i64),
}

const CASES: [Case; 4] = [
    Case {
        domain: "0 <= i < n and 0 <= j < n",
        values: ["i", "j"],
        has: |n, i, j| 0 <= i && i < n && 0 <= j && j < n,
        of: |i, j| (i, j),
    },
    Case {
        domain: "0 <= j <= i < n",
        values: ["i", "j"],
        has: |n, i, j| 0 <= j && j <= i && i < n,
        of: |i, j| (i, j),
    },
    Case {
        domain: "0 <= i < n and 1 <= j < n - 1",
        values: ["i", "2i + j"],
        has: |n, i, j| 0 <= i && i < n && 1 <= j && j < n - 1,
        of: |i, j| (i, 2 * i + j),
    },
    Case {
        domain: "0 <= i and 2i + 3j <= n and j >= -i",
        values: ["i", "i + j"],
        has: |n, i, j| 0 <= i && 2 * i + 3 * j <= n && j >= -i,
        of: |i, j| (i, i + j),
    },
];

/// The tree with marks, and that with origins as coordinates.
fn trees(domain: &str, [first, second]: [&str; 2]) -> [ScheduleTree; 2] {
    let window = format!("t <= {first} < t + p and u <= {second} < u + q");
    let tree = |instance: &str, domain: &str, [t, u]: [&str; 2]| {
        ScheduleTree::parse(&format!(
            "{{ domain: '[n, p, q] -> {{ {instance} : {domain} }}', child: {{ mark: 'origins(p, q)', child: {{ \
             schedule: '[{{ {instance} -> [({t})] }}, {{ {instance} -> [({u})] }}]', child: {{ \
             schedule: '[{{ {instance} -> [({first})] }}, {{ {instance} -> [({second})] }}]' }} }} }} }}"
        ))
        .unwrap()
    };
    let in_tiles = tree("S[t, u, i, j]", &format!("{domain} and {window}"), ["t", "u"]);
    [tree("S[i, j]", domain, [first, second]), in_tiles]
}

fn with_full_tiles(domain: &str, values: [&str; 2]) -> Option<ScheduleTree> {
    let [marked, in_tiles] = trees(domain, values);
    with_full_tiles_apart(&marked, &in_tiles).unwrap()
}

/// What bands isolate, outer ones first.
fn isolated(tree: &ScheduleTree) -> Vec<Option<Set>> {
    let mut found = Vec::new();
    let mut node = &tree.root;
    while !matches!(node, Node::Leaf) {
        if let Node::Band(Band { isolate, .. }, _) = node {
            found.push(isolate.clone());
        }
        node = &node.children()[0];
    }
    found
}

#[test]
fn what_is_isolated_is_what_is_full() {
    let budget = Budget::unlimited();
    for Case { domain, values, has, of } in &CASES {
        let tree = with_full_tiles(domain, *values).expect(domain);
        let [None, Some(full)] = &isolated(&tree)[..] else { panic!("{tree}") };
        let mut n_full = 0;
        for (n, p, q) in [(1, 1, 1), (5, 1, 2), (7, 2, 3), (9, 3, 2), (8, 4, 4), (12, 2, 2)] {
            let mut points = std::collections::BTreeMap::new();
            for i in -20..=20 {
                for j in -20..=20 {
                    let (v, w) = of(i, j);
                    let tile = (v.div_euclid(p) * p, w.div_euclid(q) * q);
                    *points.entry(tile).or_insert(0) += i64::from(has(n, i, j));
                }
            }
            for ((t, u), n_points) in points {
                // Not those at the border of what is enumerated.
                if t.abs() > 12 || u.abs() > 12 {
                    continue;
                }
                let point = [n, p, q, t, u, 0, 0].map(Int::from);
                let found = full.contains_point(&point, &budget).unwrap();
                assert_eq!(
                    found,
                    n_points == p * q,
                    "{domain}, {n}, {p} x {q} at {t}, {u}: {full}"
                );
                n_full += i32::from(found);
            }
        }
        assert!(n_full > 10, "{domain}: {n_full}");
    }
}

#[test]
fn where_no_condition_on_origins_says_it_nothing_is_isolated() {
    // Half of the plane has full tiles, and not those of even rows; all tiles of the plane are full.
    for domain in ["0 <= i", "exists e: i = 2e and 0 <= i, j < n"] {
        let tree = with_full_tiles(domain, ["i", "j"]);
        let is_isolated = tree.map(|tree| isolated(&tree).iter().any(Option::is_some));
        assert_eq!(is_isolated, domain.starts_with('0').then_some(true), "{domain}");
    }
    let whole = with_full_tiles("true", ["i", "j"]);
    assert!(whole.is_none());
}
