//! Transitive closures and powers: a relation, its closure, and whether that is said to be exact.
//!
//! A closure that is not exact has to contain the paths of up to four steps.
use super::{budget, check, relation};
use loopwright_presburger::{Closure, Map};

/// Closures that are found exactly.
const EXACT: [(&str, &str); 33] = [
    ("{ [i] -> [i + 1] }", "{ [i] -> [j] : j > i }"),
    ("{ [i] -> [i - 1] }", "{ [i] -> [j] : j < i }"),
    ("{ [i] -> [i + 3] }", "{ [i] -> [j] : j > i and (j - i) mod 3 = 0 }"),
    ("{ [i] -> [i] : 0 <= i <= 9 }", "{ [i] -> [i] : 0 <= i <= 9 }"),
    ("{ [i] -> [i + 1] : 0 <= i < 9 }", "{ [i] -> [j] : 0 <= i < j <= 9 }"),
    ("[n] -> { [i] -> [i + 1] : 0 <= i < n }", "[n] -> { [i] -> [j] : 0 <= i < j <= n }"),
    (
        "[n] -> { [i] -> [i + 2] : 0 <= i < n }",
        "[n] -> { [i] -> [j] : 0 <= i < j <= n + 1 and (j - i) mod 2 = 0 }",
    ),
    ("{ [i, j] -> [i + 1, j] }", "{ [i, j] -> [k, j] : k > i }"),
    ("{ [i, j] -> [i + 1, j - 1] }", "{ [i, j] -> [k, l] : k > i and l - j = i - k }"),
    ("{ [i, j] -> [i + 1, j + 2] }", "{ [i, j] -> [k, l] : k > i and l - j = 2k - 2i }"),
    (
        "{ [i, j] -> [i + 1, j] : 0 <= i < 5; [i, j] -> [i, j + 1] : 0 <= j < 5 }",
        "{ [i, j] -> [k, l] : i <= k and j <= l and i + j < k + l and (k = i or (0 <= i and k <= 5)) and (l = j or (0 <= j and l <= 5)) }",
    ),
    ("{ [i] -> [j] : j > i }", "{ [i] -> [j] : j > i }"),
    ("{ [i] -> [j] : j >= i }", "{ [i] -> [j] : j >= i }"),
    ("{ [i] -> [j] : i < j <= i + 2 }", "{ [i] -> [j] : j > i }"),
    (
        "{ [i] -> [j] : 0 <= i <= 9 and 0 <= j <= 9 }",
        "{ [i] -> [j] : 0 <= i <= 9 and 0 <= j <= 9 }",
    ),
    (
        "{ [i] -> [j] : 0 <= i <= 4 and 5 <= j <= 9 }",
        "{ [i] -> [j] : 0 <= i <= 4 and 5 <= j <= 9 }",
    ),
    ("{ [0] -> [1]; [1] -> [2] }", "{ [0] -> [1]; [1] -> [2]; [0] -> [2] }"),
    ("{ [0] -> [1]; [1] -> [0] }", "{ [i] -> [j] : 0 <= i <= 1 and 0 <= j <= 1 }"),
    ("{ [0] -> [1]; [2] -> [3] }", "{ [0] -> [1]; [2] -> [3] }"),
    (
        "{ [0] -> [5]; [5] -> [3]; [3] -> [8] }",
        "{ [0] -> [5]; [0] -> [3]; [0] -> [8]; [5] -> [3]; [5] -> [8]; [3] -> [8] }",
    ),
    (
        "{ [i] -> [i + 1] : 0 <= i < 4; [i] -> [i + 1] : 8 <= i < 12 }",
        "{ [i] -> [j] : 0 <= i < j <= 4 or 8 <= i < j <= 12 }",
    ),
    (
        "{ [i] -> [i + 1] : 0 <= i < 4; [4] -> [8]; [i] -> [i + 1] : 8 <= i < 12 }",
        "{ [i] -> [j] : 0 <= i < j <= 4 or 8 <= i < j <= 12 or 0 <= i <= 4 and 8 <= j <= 12 }",
    ),
    ("{ [i, j] -> [j, i] }", "{ [i, j] -> [j, i]; [i, j] -> [i, j] }"),
    ("{ [i] -> [-i] : i != 0 }", "{ [i] -> [-i] : i != 0; [i] -> [i] : i != 0 }"),
    ("{ [i] -> [2i] : 1 <= i <= 3 }", "{ [1] -> [2]; [2] -> [4]; [3] -> [6]; [1] -> [4] }"),
    ("{ [i] -> [i + 2] : i mod 2 = 0 }", "{ [i] -> [j] : i mod 2 = 0 and j mod 2 = 0 and j > i }"),
    ("{ [i] -> [i + 1] : i mod 2 = 0 }", "{ [i] -> [i + 1] : i mod 2 = 0 }"),
    ("{ [i] -> [5] }", "{ [i] -> [5] }"),
    ("{ [5] -> [i] }", "{ [5] -> [i] }"),
    ("{ [i] -> [0] : i > 0; [0] -> [i] : i > 0 }", "{ [i] -> [j] : i >= 0 and j >= 0 }"),
    ("{ [i] -> [i + 1] : false }", "{ [i] -> [j] : false }"),
    (
        "{ [i, 0] -> [i, 1]; [i, 1] -> [i + 1, 0] : i < 3 }",
        "{ [i, a] -> [j, b] : 0 <= a <= 1 and 0 <= b <= 1 and (j > i or (j = i and b > a)) and (j = i or j <= 3) }",
    ),
    ("[n, m] -> { [i] -> [i + 1] : m <= i < n }", "[n, m] -> { [i] -> [j] : m <= i < j <= n }"),
];

/// Relations whose closures have no affine form, or whose closure may be missed.
const CONTAINING: [&str; 9] = [
    "[n] -> { [i] -> [i + n] : 1 <= n <= 2 }",
    "{ [i] -> [2i] : i > 0 }",
    "{ [i] -> [i + 1] : i mod 3 = 0; [i] -> [i + 5] : i mod 3 = 1 }",
    "{ [i, j] -> [i + j, j] : 0 <= i, j }",
    "{ [i, j] -> [i + 1, i + j] : 0 <= i <= 9 }",
    "{ [i] -> [floor(i/2)] : i > 0 }",
    "{ [i, j] -> [j, i + j] : 0 <= i, j <= 20 }",
    "[n] -> { [i] -> [i + n] : 0 <= i <= 50 }",
    "{ [i] -> [i + 2] : i < 7; [i] -> [i - 3] : i > 2 }",
];

#[test]
fn exact_closures_are_what_they_should_be() {
    check(&EXACT, |&(text, expected)| {
        let map = relation(text);
        let Closure { relation: found, is_exact } = map.transitive_closure(&budget()).unwrap();
        let expected = relation(expected);
        match is_exact && found.is_equal(&expected, &budget()).unwrap() {
            true => Ok(()),
            false => Err(format!("{text}: {found} (exact: {is_exact}), expected {expected}")),
        }
    });
}

/// All paths of up to `n` steps.
fn paths(map: &Map, n: usize) -> Map {
    let (mut power, mut total) = (map.clone(), map.clone());
    for _ in 1..n {
        power = power.apply_range(map).unwrap();
        total = total.union(&power).unwrap();
    }
    total
}

#[test]
fn closures_contain_the_paths() {
    check(&CONTAINING, |&text| {
        let map = relation(text);
        let Closure { relation: found, is_exact } = map.transitive_closure(&budget()).unwrap();
        if !paths(&map, 4).is_subset(&found, &budget()).unwrap() {
            return Err(format!("{text}: {found} lacks paths of four steps"));
        }
        let continued = map.union(&found.apply_range(&map).unwrap()).unwrap();
        match is_exact && !found.is_subset(&continued, &budget()).unwrap() {
            true => Err(format!("{text}: {found} is no union of paths")),
            false => Ok(()),
        }
    });
}

/// Powers: a relation, an exponent, and the relation composed so many times with itself.
const POWERS: [(&str, i64, &str); 10] = [
    ("{ [i] -> [i + 1] }", 7, "{ [i] -> [i + 7] }"),
    ("{ [i] -> [i + 1] }", -7, "{ [i] -> [i - 7] }"),
    ("{ [i] -> [2i] }", 5, "{ [i] -> [32i] }"),
    ("{ [i] -> [i + 1] : 0 <= i < 9 }", 3, "{ [i] -> [i + 3] : 0 <= i < 7 }"),
    ("{ [i] -> [i + 1] : 0 <= i < 9 }", 10, "{ [i] -> [j] : false }"),
    ("{ [i, j] -> [j, i + j] }", 4, "{ [i, j] -> [2i + 3j, 3i + 5j] }"),
    ("{ [i, j] -> [j, i] }", 5, "{ [i, j] -> [j, i] }"),
    ("{ [i] -> [j] : j > i }", 3, "{ [i] -> [j] : j >= i + 3 }"),
    ("{ [i] -> [j] : i < j <= i + 2 }", 3, "{ [i] -> [j] : i + 3 <= j <= i + 6 }"),
    ("[n] -> { [i] -> [i + n] }", 3, "[n] -> { [i] -> [i + 3n] }"),
];

#[test]
fn powers_are_what_they_should_be() {
    check(&POWERS, |&(text, exponent, expected)| {
        let found = relation(text).fixed_power(exponent, &budget()).unwrap();
        match found.is_equal(&relation(expected), &budget()).unwrap() {
            true => Ok(()),
            false => {
                Err(format!("{text} to the power of {exponent}: {found}, expected {expected}"))
            }
        }
    });
}
