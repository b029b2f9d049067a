//! Random sets and relations as text in isl's notation, and their points in a box.
use loopwright_presburger::{Budget, Int, Map};
use proptest::prelude::*;

/// A limit that no small example reaches.
pub(crate) fn budget() -> Budget {
    Budget::steps(1_000_000_000)
}

/// A random affine form over the named dimensions.
pub(crate) fn form(names: &'static [&'static str]) -> impl Strategy<Value = String> {
    (prop::collection::vec(-2i64..=2, names.len()), -5i64..=5).prop_map(
        move |(factors, constant)| {
            let terms = factors.iter().zip(names).filter(|(factor, _)| **factor != 0);
            terms.fold(constant.to_string(), |text, (factor, name)| {
                format!("{text} + {factor}{name}")
            })
        },
    )
}

/// A random conjunction: two to four constraints, sometimes a congruence, inside a box of the
/// given half side for each dimension.
pub(crate) fn conjunction(
    names: &'static [&'static str],
    half: i64,
) -> impl Strategy<Value = String> {
    let constraint = (form(names), 0..8).prop_map(|(form, kind)| match kind {
        0 => format!("{form} = 0"),
        1 => format!("({form}) mod 2 = 0"),
        _ => format!("{form} >= 0"),
    });
    prop::collection::vec(constraint, 1..4).prop_map(move |mut constraints| {
        constraints.extend(names.iter().map(|name| format!("-{half} <= {name} <= {half}")));
        constraints.join(" and ")
    })
}

/// A random union of up to `n` conjunctions.
pub(crate) fn union(
    names: &'static [&'static str],
    half: i64,
    n: usize,
) -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(conjunction(names, half), 1..=n)
}

/// All points of a cube of the given half side.
pub(crate) fn cube(n: usize, half: i64) -> Vec<Vec<i64>> {
    (0..n).fold(vec![Vec::new()], |points, _| {
        let extend = |point: Vec<i64>| {
            (-half..=half).map(move |value| {
                let mut point = point.clone();
                point.push(value);
                point
            })
        };
        points.into_iter().flat_map(extend).collect()
    })
}

/// The points of a relation (without parameters) in a cube.
pub(crate) fn points(map: &Map, n: usize, half: i64) -> Vec<Vec<i64>> {
    let inside = |point: &Vec<i64>| {
        let point: Vec<Int> = point.iter().map(|&value| Int::from(value)).collect();
        map.contains_point(&point, &budget()).unwrap()
    };
    cube(n, half).into_iter().filter(inside).collect()
}
