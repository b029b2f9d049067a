//! Transitive closures and powers against paths in the graph of all points of a box.

use crate::random_sets::{budget, conjunction, points, union};
use loopwright_presburger::{Budget, Closure, DimKind, Int, Map, UnionMap};
use proptest::prelude::*;
use std::collections::BTreeSet;

type Pair = (Vec<i64>, Vec<i64>);

/// The pairs of a relation between tuples of `n` dimensions inside a cube.
fn pairs(map: &Map, n: usize, half: i64) -> BTreeSet<Pair> {
    let split = |point: Vec<i64>| (point[..n].to_vec(), point[n..].to_vec());
    points(map, 2 * n, half).into_iter().map(split).collect()
}

fn compose(a: &BTreeSet<Pair>, b: &BTreeSet<Pair>) -> BTreeSet<Pair> {
    let from = |(x, y): &Pair| {
        let (x, y) = (x.clone(), y.clone());
        b.iter().filter(move |(z, _)| *z == y).map(move |(_, w)| (x.clone(), w.clone()))
    };
    a.iter().flat_map(from).collect()
}

/// All paths: the union of powers until nothing is added.
fn all_paths(steps: &BTreeSet<Pair>) -> BTreeSet<Pair> {
    let mut total = steps.clone();
    loop {
        let longer: BTreeSet<Pair> = compose(&total, steps).union(&total).cloned().collect();
        if longer.len() == total.len() {
            return total;
        }
        total = longer;
    }
}

/// The points of a relation whose coordinate `at` is `k`.
fn check_at(
    k: i64,
    at: usize,
    found: &Closure<Map>,
    expected: BTreeSet<Vec<i64>>,
    half: i64,
) -> Result<(), TestCaseError> {
    let Closure { relation, is_exact } = found;
    let all = points(relation, relation.space().n_all(), half);
    let found: BTreeSet<Vec<i64>> = all.into_iter().filter(|point| point[at] == k).collect();
    prop_assert!(found.is_superset(&expected), "{relation} at {k}");
    if *is_exact {
        prop_assert_eq!(found, expected, "{} at {}", relation, k);
    }
    Ok(())
}

/// Steps inside a box by random constraints; offsets are bounded by the box only.
fn check(map: &Map, n: usize, half: i64) -> Result<(), TestCaseError> {
    let steps = pairs(map, n, half);
    let closure = map.transitive_closure(&budget()).unwrap();
    let (found, expected) = (pairs(&closure.relation, n, half), all_paths(&steps));
    prop_assert!(found.is_superset(&expected), "{}", closure.relation);
    if closure.is_exact {
        prop_assert_eq!(found, expected);
    }
    let mut power = steps.clone();
    let powers = map.power(&budget()).unwrap();
    let lengths = map.reaching_path_lengths(&budget()).unwrap();
    for k in 1..=4i64 {
        let fixed = map.fixed_power(k, &budget()).unwrap();
        prop_assert_eq!(&pairs(&fixed, n, half), &power);
        let inverse = map.fixed_power(-k, &budget()).unwrap();
        let turned: BTreeSet<Pair> = power.iter().map(|(x, y)| (y.clone(), x.clone())).collect();
        prop_assert_eq!(&pairs(&inverse, n, half), &turned);
        let of_pairs = power.iter().map(|(x, y)| [&[k][..], x, y].concat()).collect();
        check_at(k, 0, &powers, of_pairs, half.max(4))?;
        let of_ends = power.iter().map(|(_, y)| [&y[..], &[k]].concat()).collect();
        check_at(k, n, &lengths, of_ends, half.max(4))?;
        power = compose(&power, &steps);
    }
    Ok(())
}

fn relation(pieces: &[String]) -> Map {
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("[x] -> [y] : {piece}")).collect();
    Map::parse(&format!("{{ {} }}", pieces.join("; "))).unwrap()
}

/// A uniform step inside a region: `{ [a, b] -> [a + da, b + db] : region }`.
fn uniform() -> impl Strategy<Value = String> {
    (conjunction(&["a", "b"], 2), -2i64..=2, -2i64..=2).prop_map(|(region, da, db)| {
        format!("[a, b] -> [c, d] : c = a + {da} and d = b + {db} and {region} and -2 <= c, d <= 2")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn random_relations(pieces in union(&["x", "y"], 3, 3)) {
        check(&relation(&pieces), 1, 3)?;
    }

    #[test]
    fn uniform_steps_in_the_plane(pieces in prop::collection::vec(uniform(), 1..4)) {
        let map = Map::parse(&format!("{{ {} }}", pieces.join("; "))).unwrap();
        let closure = map.transitive_closure(&budget()).unwrap();
        let found = pairs(&closure.relation, 2, 2);
        let expected = all_paths(&pairs(&map, 2, 2));
        prop_assert!(found.is_superset(&expected), "{}", closure.relation);
        if closure.is_exact {
            prop_assert_eq!(found, expected);
        }
    }
}

#[track_caller]
fn exact(text: &str, expected: &str) {
    let closure = UnionMap::parse(text).unwrap().transitive_closure(&budget()).unwrap();
    let expected = UnionMap::parse(expected).unwrap();
    assert!(closure.relation.is_equal(&expected, &budget()).unwrap(), "{}", closure.relation);
    assert!(closure.is_exact);
}

#[test]
fn one_translation() {
    exact("[n] -> { [x] -> [x + 1] : 0 <= x < n }", "[n] -> { [x] -> [y] : 0 <= x < y <= n }");
    exact("{ [x] -> [x + 2] }", "{ [x] -> [y] : y > x and (y - x) mod 2 = 0 }");
    exact("{ [x] -> [x] : x > 3 }", "{ [x] -> [x] : x > 3 }");
    exact("{ [x] -> [y] : y > x }", "{ [x] -> [y] : y > x }");
    exact("{ [x] -> [y] : false }", "{ [x] -> [y] : false }");
}

#[test]
fn a_chain_of_pieces() {
    exact(
        "{ [i] -> [i + 1] : 0 <= i < 4; [i] -> [i + 10] : 3 <= i <= 4 }",
        "{ [i] -> [j] : 0 <= i < j <= 4; [i] -> [13] : 0 <= i <= 3; [i] -> [14] : 0 <= i <= 4 }",
    );
}

/// Steps along one dimension, and one jump to its end: the first piece is eliminated.
#[test]
fn elimination_of_a_piece() {
    exact(
        "{ [t, j] -> [t, j + 1] : 0 < t <= 9 and 0 < j <= 7; [t, j] -> [9, j] : 0 < t <= 8 and 0 < j <= 8 }",
        "{ [t, j] -> [t, k] : 0 < t <= 9 and 0 < j < k <= 8; [t, j] -> [9, k] : 0 < t <= 8 and 0 < j <= k <= 8 }",
    );
}

/// Kelly et al. (1996), the example of section 1 as in the tests of isl: three steps in a
/// triangle.
#[test]
fn steps_in_a_triangle() {
    let text = "[n] -> { [i, j] -> [i, j + 2] : i <= n and j <= 2i - 3 and j <= n - 2 and 2j > i;
        [i, j] -> [i + 1, j + 1] : i < n and j < 2i and j < n and 2j > i;
        [i, j] -> [i + 2, j] : i <= n - 2 and j < 2i and j <= n and 2j >= 3 + i }";
    let closure = Map::parse(text).unwrap().transitive_closure(&budget()).unwrap();
    let at_six =
        |map: &Map| map.fix(DimKind::Param, 0, &Int::from(6)).project_out(DimKind::Param, 0, 1);
    let steps = pairs(&at_six(&Map::parse(text).unwrap()), 2, 6);
    let found = pairs(&at_six(&closure.relation), 2, 6);
    assert!(closure.is_exact);
    assert_eq!(found, all_paths(&steps));
}

#[test]
fn an_approximation_says_so() {
    // Sums of powers of two offsets whose sizes are parameters are not affine.
    let map = Map::parse("[n] -> { [x] -> [x + n] : n > 1 and x >= 0 }").unwrap();
    let closure = map.transitive_closure(&budget()).unwrap();
    assert!(!closure.is_exact);
    assert!(map.is_subset(&closure.relation, &budget()).unwrap());
}

#[test]
fn several_spaces() {
    exact(
        "{ A[i] -> B[i + 1] : 0 <= i < 10; B[i] -> A[i] }",
        "{ B[i] -> A[j] : 0 <= i < j <= 10; B[i] -> A[i]; A[i] -> A[j] : 0 <= i <= 9 and i < j <= 10;
           B[i] -> B[j] : 0 <= i < j <= 10; A[i] -> B[j] : 0 <= i < j <= 10 }",
    );
    exact(
        "{ A[] -> B[]; B[] -> C[]; C[] -> D[i] : 0 <= i < 3; D[i] -> D[i + 1] : i < 5 }",
        "{ A[] -> B[]; A[] -> C[]; A[] -> D[i] : 0 <= i <= 5; B[] -> C[]; B[] -> D[i] : 0 <= i <= 5;
           C[] -> D[i] : 0 <= i <= 5; D[i] -> D[j] : i < j <= 5 }",
    );
}

#[test]
fn powers_of_unions() {
    let map = UnionMap::parse("{ A[i] -> B[i + 1] : 0 <= i < 10; B[i] -> A[i] }").unwrap();
    let third = map.fixed_power(3, &budget()).unwrap();
    let expected = "{ B[i] -> A[i + 1] : 0 <= i <= 9; A[i] -> B[i + 2] : 0 <= i <= 8 }";
    assert!(third.is_equal(&UnionMap::parse(expected).unwrap(), &budget()).unwrap());
    assert!(map.fixed_power(0, &budget()).is_err());
}

#[test]
fn budgets_and_spaces_are_checked() {
    let map = Map::parse("{ [x] -> [x + 1]; [x] -> [x - 2] : x > 7 }").unwrap();
    assert!(map.transitive_closure(&Budget::steps(1)).is_err());
    assert!(Map::parse("{ A[x] -> B[x] }").unwrap().transitive_closure(&budget()).is_err());
    assert!(Map::parse("{ A[x] -> B[x] }").unwrap().power(&budget()).is_err());
}
