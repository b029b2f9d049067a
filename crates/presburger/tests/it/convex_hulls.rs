//! Convex hulls and generators against a criterion that shares no code with them: a point is in the
//! hull of a finite set in the plane exactly if it is in a triangle of points of the set.

use crate::random_sets::{budget, conjunction, cube, points, union};
use loopwright_presburger::{
    BasicMap, BasicSet, Budget, Generators, Int, Map, Row, Set, UnionMap, UnionSet,
};
use proptest::prelude::*;

const HALF: i64 = 3;

fn set(pieces: &[String]) -> Set {
    let pieces: Vec<String> = pieces.iter().map(|piece| format!("[x, y] : {piece}")).collect();
    Set::parse(&format!("{{ {} }}", pieces.join("; "))).unwrap()
}

/// Twice the signed area of the triangle.
fn area(a: &[i64], b: &[i64], c: &[i64]) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn in_triangle(p: &[i64], a: &[i64], b: &[i64], c: &[i64]) -> bool {
    let areas = [area(a, b, p), area(b, c, p), area(c, a, p)];
    let in_box = (0..2).all(|i| {
        let corners = [a[i], b[i], c[i]];
        corners.iter().min() <= Some(&p[i]) && Some(&p[i]) <= corners.iter().max()
    });
    in_box && (areas.iter().all(|&area| area >= 0) || areas.iter().all(|&area| area <= 0))
}

/// The points of the square in the convex hull of points.
fn hull_of_points(points: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let inside = |p: &Vec<i64>| {
        points.iter().any(|a| points.iter().any(|b| points.iter().any(|c| in_triangle(p, a, b, c))))
    };
    cube(2, HALF).into_iter().filter(inside).collect()
}

fn contained(hull: BasicSet) -> Vec<Vec<i64>> {
    points(Set::from_basic_set(hull).as_map(), 2, HALF)
}

fn is_subset(small: &[Vec<i64>], large: &[Vec<i64>]) -> bool {
    small.iter().all(|point| large.contains(point))
}

/// The points as one set with a piece for each.
fn union_of(points: &[Vec<i64>]) -> Set {
    let pieces: Vec<String> = points.iter().map(|p| format!("[{}, {}]", p[0], p[1])).collect();
    Set::parse(&format!("{{ [x, y] : false; {} }}", pieces.join("; "))).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn hulls_of_points(chosen in prop::collection::vec((-HALF..=HALF, -HALF..=HALF), 1..8)) {
        let chosen: Vec<Vec<i64>> = chosen.iter().map(|&(x, y)| vec![x, y]).collect();
        let (set, expected) = (union_of(&chosen), hull_of_points(&chosen));
        prop_assert_eq!(&contained(set.convex_hull(&budget()).unwrap()), &expected);
        prop_assert_eq!(&contained(set.polyhedral_hull(&budget()).unwrap()), &expected);
        prop_assert!(is_subset(&expected, &contained(set.simple_hull(&budget()).unwrap())));
        prop_assert!(is_subset(&expected, &contained(set.bounded_simple_hull(&budget()).unwrap())));
    }

    /// The hulls contain the hull of the integer points; a hull of hulls adds nothing, and the
    /// integer points of the hull of the vertices are those of the hull.
    #[test]
    fn hulls_of_polygons(pieces in union(&["x", "y"], HALF, 3)) {
        let set = set(&pieces);
        let least = hull_of_points(&points(set.as_map(), 2, HALF));
        let polyhedral = set.polyhedral_hull(&budget()).unwrap();
        prop_assert!(polyhedral.locals().is_empty());
        let found = contained(polyhedral.clone());
        prop_assert!(is_subset(&least, &found));
        let again = Set::from_basic_set(polyhedral.clone()).polyhedral_hull(&budget()).unwrap();
        prop_assert_eq!(&contained(again), &found);
        let convex = contained(set.convex_hull(&budget()).unwrap());
        prop_assert!(is_subset(&points(set.as_map(), 2, HALF), &convex));
        prop_assert!(is_subset(&convex, &found));
        let bounded = set.bounded_simple_hull(&budget()).unwrap();
        prop_assert!(bounded.is_bounded(&budget()).unwrap());
        prop_assert!(is_subset(&points(set.as_map(), 2, HALF), &contained(bounded)));
        let generators = polyhedral.generators(&budget()).unwrap();
        let back = BasicSet::from_generators(set.space().clone(), &generators, &budget()).unwrap();
        prop_assert_eq!(contained(back), found);
    }

    /// The generators of a polygon: every vertex satisfies the constraints, two or more of them
    /// tightly, and no vertex is in the hull of the others.
    #[test]
    fn vertices(piece in conjunction(&["x", "y"], HALF)) {
        let set = set(&[piece]);
        for basic in set.basic_sets().iter().filter(|basic| basic.locals().is_empty()) {
            let generators = basic.generators(&budget()).unwrap();
            prop_assert!(generators.rays.is_empty() && generators.lines.is_empty());
            let value = |row: &Row, vertex: &Row| row.dot(vertex);
            for vertex in &generators.vertices {
                let tight = basic.inequalities().iter().filter(|row| value(row, vertex).is_zero());
                prop_assert!(tight.count() + basic.equalities().len() >= 2);
                prop_assert!(basic.equalities().iter().all(|row| value(row, vertex).is_zero()));
                prop_assert!(basic.inequalities().iter().all(|row| value(row, vertex) >= Int::ZERO));
            }
        }
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let parse = |text: &str| {
        Map::parse(text).unwrap_or_else(|_| Set::parse(text).unwrap().as_map().clone())
    };
    let (map, expected) = (parse(text), parse(expected));
    for hull in [map.convex_hull(&budget()).unwrap(), map.polyhedral_hull(&budget()).unwrap()] {
        let hull = Map::from_basic_map(hull);
        assert!(hull.is_equal(&expected, &budget()).unwrap(), "{hull}");
    }
}

#[test]
fn unbounded_pieces() {
    check("{ [i, j] : i >= 0 and j = 0; [10, 10] }", "{ [i, j] : 0 <= j <= 10 and j <= i }");
    check("{ [i, j] : i >= 0 and j = 0; [i, 1] : i <= 0 }", "{ [i, j] : 0 <= j <= 1 }");
    check("{ [i, j] : i + j = 0; [1, 1] }", "{ [i, j] : 0 <= i + j <= 2 }");
    check("{ [i, j] : i >= 0; [i, j] : j >= 0 }", "{ [i, j] }");
    check("[n] -> { [i] : 0 <= i < n; [n] : n >= 0 }", "[n] -> { [i] : 0 <= i <= n }");
    check("{ [i] -> [j] : false }", "{ [i] -> [j] : false }");
}

/// Two parallel hyperplanes: the bounds between them are differences of equalities.
#[test]
fn parallel_equalities() {
    check(
        "{ [0, i1, 0, i3, 1, i5] -> S[i1, i3] : i1 < 20 and 0 < i3 < i1 and i5 <= 0; [0, i1, 0, i3, 0, i5] -> S[i1, i3] : i1 < 20 and 0 < i3 < i1 and i5 > 0 }",
        "{ [0, i1, 0, i3, i4, i5] -> S[i1, i3] : i1 < 20 and 0 < i3 < i1 and 0 <= i4 <= 1 }",
    );
    check(
        "{ [0, i, 1] : i >= 0; [1, 0, 1]; [0, 0, 0] }",
        "{ [a, b, c] : a >= 0 and b >= 0 and a <= c <= 1 }",
    );
}

#[test]
fn floors_are_dimensions_of_convex_hulls() {
    let set = Set::parse("{ [i] : i mod 2 = 0 and 0 <= i <= 7; [12] }").unwrap();
    let convex = Set::from_basic_set(set.convex_hull(&budget()).unwrap());
    let polyhedral = Set::from_basic_set(set.polyhedral_hull(&budget()).unwrap());
    let even = Set::parse("{ [i] : i mod 2 = 0 and 0 <= i <= 12 }").unwrap();
    let all = Set::parse("{ [i] : 0 <= i <= 12 }").unwrap();
    assert!(even.is_subset(&convex, &budget()).unwrap());
    assert!(convex.is_subset(&all, &budget()).unwrap());
    assert!(polyhedral.is_equal(&all, &budget()).unwrap());
}

/// Sixteen dimensions: neither a box nor a simplex may explode.
#[test]
fn boxes_and_simplices_of_many_dimensions() {
    let names: Vec<String> = (0..16).map(|i| format!("x{i}")).collect();
    let tuple = names.join(", ");
    let bounds = |low: i64, high: i64| {
        let bounds: Vec<String> = names.iter().map(|x| format!("{low} <= {x} <= {high}")).collect();
        bounds.join(" and ")
    };
    let budget = Budget::steps(20_000_000);
    let boxes = format!("{{ [{tuple}] : {}; [{tuple}] : {} }}", bounds(0, 9), bounds(2, 12));
    let hull = Set::parse(&boxes).unwrap().convex_hull(&budget).unwrap();
    let first = format!("{{ [{tuple}] : {} }}", bounds(0, 12));
    assert!(Set::from_basic_set(hull).is_subset(&Set::parse(&first).unwrap(), &budget).unwrap());
    let corners: Vec<String> = (0..16)
        .map(|i| (0..16).map(|j| i64::from(i == j).to_string()).collect::<Vec<_>>().join(", "))
        .map(|corner| format!("[{corner}]"))
        .collect();
    let simplex = Set::parse(&format!("{{ {} }}", corners.join("; "))).unwrap();
    let hull = simplex.convex_hull(&budget).unwrap();
    assert_eq!((hull.equalities().len(), hull.inequalities().len()), (1, 16));
}

#[test]
fn budgets_are_kept() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let sum: Vec<String> = (0..6)
        .map(|i| {
            names
                .iter()
                .enumerate()
                .map(|(j, x)| format!("{}{x}", (i * j) % 5 + 1))
                .collect::<Vec<_>>()
                .join(" + ")
        })
        .map(|sum| format!("-9 <= {sum} <= 17"))
        .collect();
    let text = format!(
        "{{ [a, b, c, d, e, f] : {}; [a, b, c, d, e, f] : 0 <= a, b, c, d, e, f <= 1 }}",
        sum.join(" and ")
    );
    assert!(Set::parse(&text).unwrap().convex_hull(&Budget::steps(300)).is_err());
}

#[test]
fn unions_have_a_hull_in_each_space() {
    let sets = UnionSet::parse("{ A[0, 0]; A[2, 2]; B[1]; B[5] }").unwrap();
    let expected = UnionSet::parse("{ A[i, i] : 0 <= i <= 2; B[i] : 1 <= i <= 5 }").unwrap();
    assert!(sets.convex_hull(&budget()).unwrap().is_equal(&expected, &budget()).unwrap());
    let maps = UnionMap::parse("{ A[0] -> [0]; A[2] -> [2] }").unwrap();
    let expected = UnionMap::parse("{ A[i] -> [i] : 0 <= i <= 2 }").unwrap();
    assert!(maps.polyhedral_hull(&budget()).unwrap().is_equal(&expected, &budget()).unwrap());
}

#[test]
fn generators_of_unbounded_sets() {
    let generators = |text: &str| {
        let set = Set::parse(text).unwrap();
        set.basic_sets()[0].generators(&budget()).unwrap()
    };
    let rows = |rows: &[&[i64]]| rows.iter().map(|row| Row::from_i64s(row)).collect::<Vec<Row>>();
    let strip = generators("{ [i, j] : 0 <= i - j <= 3 }");
    assert_eq!(strip.lines.len(), 1);
    assert_eq!((strip.vertices.len(), strip.rays.len()), (2, 0));
    let parametric = generators("[n] -> { [i] : 0 <= i <= n }");
    assert_eq!(parametric.vertices, rows(&[&[1, 0, 0]]));
    assert_eq!(parametric.rays.len(), 2);
    let empty = BasicMap::from_generators(
        Set::parse("{ [i] }").unwrap().space().clone(),
        &Generators::default(),
        &budget(),
    );
    assert!(empty.unwrap().plain_is_empty());
}
