//! Lexicographic comparisons, boundedness, singletons and optima against enumeration in a box.
use crate::random_sets;

use crate::random_sets::{budget, conjunction, points, union};
use loopwright_presburger::{Aff, DimKind, Int, Map, Optimum, Set, UnionMap, UnionSet};
use proptest::prelude::*;

/// Whether two elements are in an order.
type Compare<T> = fn(&T, &T) -> bool;

fn set(pieces: &[String]) -> Set {
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("[x, y] : {piece}")).collect();
    Set::parse(&format!("{{ {} }}", pieces.join("; "))).unwrap()
}

fn relation(pieces: &[String]) -> Map {
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("[x] -> [y] : {piece}")).collect();
    Map::parse(&format!("{{ {} }}", pieces.join("; "))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn comparisons_of_elements(a in union(&["x", "y"], 2, 2), b in union(&["x", "y"], 2, 2)) {
        let (a, b) = (set(&a), set(&b));
        let (in_a, in_b) = (points(a.as_map(), 2, 2), points(b.as_map(), 2, 2));
        let orders: [(Map, Compare<[i64]>); 4] = [
            (a.lex_lt_set(&b).unwrap(), |x, y| x < y),
            (a.lex_le_set(&b).unwrap(), |x, y| x <= y),
            (a.lex_gt_set(&b).unwrap(), |x, y| x > y),
            (a.lex_ge_set(&b).unwrap(), |x, y| x >= y),
        ];
        for (order, holds) in orders {
            let pairs = in_a.iter().flat_map(|x| in_b.iter().map(move |y| (x, y)));
            let pairs = pairs.filter(|(x, y)| holds(x, y));
            let expected: Vec<Vec<i64>> = pairs.map(|(x, y)| [&x[..], y].concat()).collect();
            prop_assert_eq!(points(&order, 4, 2), expected);
        }
    }

    #[test]
    fn comparisons_of_images(a in union(&["x", "y"], 2, 2), b in union(&["x", "y"], 2, 2)) {
        let (a, b) = (relation(&a), relation(&b));
        let (in_a, in_b) = (points(&a, 2, 2), points(&b, 2, 2));
        let orders: [(Map, Compare<i64>); 4] = [
            (a.lex_lt_map(&b).unwrap(), |x, y| x < y),
            (a.lex_le_map(&b).unwrap(), |x, y| x <= y),
            (a.lex_gt_map(&b).unwrap(), |x, y| x > y),
            (a.lex_ge_map(&b).unwrap(), |x, y| x >= y),
        ];
        for (order, holds) in orders {
            let pairs = in_a.iter().flat_map(|x| in_b.iter().map(move |y| (x, y)));
            let pairs = pairs.filter(|(x, y)| holds(&x[1], &y[1]));
            let mut expected: Vec<Vec<i64>> = pairs.map(|(x, y)| vec![x[0], y[0]]).collect();
            expected.sort_unstable();
            expected.dedup();
            prop_assert_eq!(points(&order, 2, 2), expected);
        }
    }

    /// The first dimension serves as a parameter: every slice is counted.
    #[test]
    fn singletons(pieces in union(&["x", "y"], 3, 2)) {
        let parametric: Vec<String> =
            pieces.iter().map(|piece| format!("[y] : {piece}")).collect();
        let parametric = Set::parse(&format!("[x] -> {{ {} }}", parametric.join("; "))).unwrap();
        let found = points(set(&pieces).as_map(), 2, 3);
        let expected = found.windows(2).all(|pair| pair[0][0] != pair[1][0]);
        prop_assert_eq!(parametric.is_singleton(&budget()).unwrap(), expected);
    }

    #[test]
    fn optima_of_expressions(piece in conjunction(&["x", "y"], 3), a in -3i64..=3, b in -3i64..=3) {
        let set = set(&[piece]);
        let value = |point: &Vec<i64>| Int::from(a * point[0] + b * point[1]);
        let found = points(set.as_map(), 2, 3);
        let text = format!("{{ [x, y] -> [{a}x + {b}y] }}");
        let objective = Aff::parse(&text).unwrap();
        let optimum = |value: Option<Int>| value.map_or(Optimum::Empty, Optimum::At);
        let (least, greatest) = (found.iter().map(value).min(), found.iter().map(value).max());
        for basic in set.basic_sets() {
            prop_assert_eq!(basic.min_val(&objective, &budget()).unwrap(), optimum(least.clone()));
            prop_assert_eq!(basic.max_val(&objective, &budget()).unwrap(), optimum(greatest.clone()));
        }
    }

    /// Without its box a conjunction is bounded exactly if a larger box holds no more points than
    /// a large one. Coefficients are at most 2, so vertices and steps between points are small.
    #[test]
    fn boundedness(
        forms in prop::collection::vec(random_sets::form(&["x", "y"]), 1..5),
        equality in random_sets::form(&["x", "y"]),
        kind in 0..4,
    ) {
        let mut constraints: Vec<String> =
            forms.iter().map(|form| format!("{form} >= 0")).collect();
        if kind == 0 {
            constraints.push(format!("{equality} = 0"));
        }
        let set = set(&[constraints.join(" and ")]);
        let (near, far) = (points(set.as_map(), 2, 24), points(set.as_map(), 2, 30));
        prop_assert_eq!(set.is_bounded(&budget()).unwrap(), near.len() == far.len());
    }
}

/// A position beyond the last input dimension once gave the least value of an output dimension.
#[test]
#[should_panic(expected = "is not in")]
fn a_dimension_that_does_not_exist_has_no_least_value() {
    let map = Map::parse("{ [i] -> [j] : j >= 7 }").unwrap();
    let _ = map.dim_min_val(DimKind::In, 1, &budget());
}

#[test]
fn bounds_hold_for_fixed_parameters() {
    let bounded = |text: &str| Set::parse(text).unwrap().is_bounded(&budget()).unwrap();
    assert!(bounded("[n] -> { [i, j] : 0 <= i <= n and i <= j <= 2i }"));
    assert!(!bounded("[n] -> { [i] : n >= 0 and i >= 0 }"));
    assert!(bounded("{ [i] : exists a : 2a = i and 0 <= a <= 5 }"));
    assert!(!bounded("{ [i] : exists a : a >= i and i >= 0 }"));
    assert!(bounded("[n] -> { [i] : 0 <= i <= n; [i] : i >= n and 3 > n > 5 }"));
    assert!(bounded("{ [i, j] : 2 <= 4i + 2j <= 3 and 4i + 2j = 3 }"));
    assert!(bounded("[n] -> { [i] : n <= 3i <= n + 2 }"));
}

#[test]
fn images_are_bounded_for_fixed_elements() {
    let bounded = |text: &str| {
        let map = Map::parse(text).unwrap();
        map.basic_maps()[0].image_is_bounded(&budget()).unwrap()
    };
    assert!(bounded("{ [i] -> [j] : i <= j <= i + 3 }"));
    assert!(!bounded("{ [i] -> [j] : i <= j }"));
}

#[test]
fn unions_compare_in_equal_spaces() {
    let a = UnionSet::parse("{ A[0]; B[1]; C[] }").unwrap();
    let b = UnionSet::parse("{ A[1]; B[1]; D[3] }").unwrap();
    let equal = |found: UnionMap, expected: &str| {
        let expected = UnionMap::parse(expected).unwrap();
        assert!(found.is_equal(&expected, &budget()).unwrap(), "{found}");
    };
    equal(a.lex_lt_union_set(&b).unwrap(), "{ A[0] -> A[1] }");
    equal(a.lex_le_union_set(&b).unwrap(), "{ A[0] -> A[1]; B[1] -> B[1] }");
    equal(a.lex_gt_union_set(&b).unwrap(), "{ }");
    equal(a.lex_ge_union_set(&b).unwrap(), "{ B[1] -> B[1] }");
    let a = UnionMap::parse("{ A[i] -> [i]; B[i] -> [0] : 0 <= i <= 1 }").unwrap();
    equal(
        a.lex_lt_union_map(&a).unwrap(),
        "{ A[i] -> A[j] : i < j; A[i] -> B[j] : i < 0 <= j <= 1; B[i] -> A[j] : 0 <= i <= 1 and j > 0 }",
    );
    equal(
        a.lex_ge_union_map(&a).unwrap(),
        "{ A[i] -> A[j] : i >= j; A[i] -> B[j] : i >= 0 and 0 <= j <= 1; B[i] -> A[j] : 0 <= i <= 1 and j <= 0; B[i] -> B[j] : 0 <= i <= 1 and 0 <= j <= 1 }",
    );
}

#[test]
fn hulls_of_unions_are_one_piece_a_space() {
    let union = UnionSet::parse("{ A[1]; A[5]; B[3]; B[7] }").unwrap();
    let equal = |found: UnionSet, expected: &str| {
        let expected = UnionSet::parse(expected).unwrap();
        assert!(found.is_equal(&expected, &budget()).unwrap(), "{found}");
    };
    equal(union.simple_hull(&budget()).unwrap(), "{ A[i] : 1 <= i <= 5; B[i] : 3 <= i <= 7 }");
    equal(
        union.unshifted_simple_hull(&budget()).unwrap(),
        "{ A[i] : 1 <= i <= 5; B[i] : 3 <= i <= 7 }",
    );
    equal(union.affine_hull(&budget()).unwrap(), "{ A[i] : i mod 4 = 1; B[i] : i mod 4 = 3 }");
}

#[test]
fn dimensions_of_relations() {
    let map = Map::parse("[N] -> { A[x, y] -> [o] : y <= N - x and x <= o <= y }").unwrap();
    let greatest = map.dim_max(0, &budget()).unwrap().to_map();
    let least = map.dim_min(0, &budget()).unwrap().to_map();
    let expected = |value: &str| {
        Map::parse(&format!("[N] -> {{ A[x, y] -> [{value}] : x <= y <= N - x }}")).unwrap()
    };
    assert!(greatest.is_equal(&expected("y"), &budget()).unwrap());
    assert!(least.is_equal(&expected("x"), &budget()).unwrap());
}
