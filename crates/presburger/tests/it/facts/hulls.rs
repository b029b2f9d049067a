//! Affine and polyhedral hulls.
//!
//! The affine hull is that over the integers: the smallest lattice, where isl often gives a larger
//! affine space.
use super::{budget, check, means, relation};
use loopwright_presburger::Map;

const HULLS: [(&str, &str, &str); 32] = [
    ("{ [i] : i = 0 or i = 9 }", "{ [i] : i mod 9 = 0 }", "{ [i] : 0 <= i <= 9 }"),
    ("{ [i] : 0 <= i <= 3 or 7 <= i <= 9 }", "{ [i] :  }", "{ [i] : 0 <= i <= 9 }"),
    (
        "{ [i, j] : i = j and 0 <= i <= 9 }",
        "{ [i, j] : j = i }",
        "{ [i, j] : j = i and 0 <= i <= 9 }",
    ),
    (
        "{ [i, j] : i = j and 0 <= i <= 9 or i = j and 20 <= i <= 29 }",
        "{ [i, j] : j = i }",
        "{ [i, j] : j = i and 0 <= i <= 29 }",
    ),
    ("{ [0, 0]; [2, 4] }", "{ [i, 2i] : i mod 2 = 0 }", "{ [i0, i1] : i1 = 2i0 and 0 <= i0 <= 2 }"),
    (
        "{ [0, 0]; [2, 4]; [4, 8] }",
        "{ [i, 2i] : i mod 2 = 0 }",
        "{ [i0, i1] : i1 = 2i0 and 0 <= i0 <= 4 }",
    ),
    (
        "{ [0, 0]; [2, 4]; [4, 7] }",
        "{ [i, j] : i mod 2 = 0 }",
        "{ [i0, i1] : i1 <= 2i0 and 2i1 <= 2 + 3i0 and 4i1 >= 7i0 }",
    ),
    (
        "{ [0, 0]; [4, 0]; [0, 4] }",
        "{ [i, j] : i mod 4 = 0 and j mod 4 = 0 }",
        "{ [i0, i1] : i0 >= 0 and 0 <= i1 <= 4 - i0 }",
    ),
    (
        "{ [0, 0]; [4, 0]; [0, 4]; [4, 4] }",
        "{ [i, j] : i mod 4 = 0 and j mod 4 = 0 }",
        "{ [i0, i1] : 0 <= i0 <= 4 and 0 <= i1 <= 4 }",
    ),
    (
        "{ [i, j] : 0 <= i, j <= 4 or 6 <= i, j <= 10 }",
        "{ [i, j] :  }",
        "{ [i, j] : 0 <= i <= 10 and j >= -4 + i and 0 <= j <= 10 and j <= 4 + i }",
    ),
    (
        "{ [i, j] : 0 <= i <= 4 and j = 0 or i = 0 and 0 <= j <= 4 }",
        "{ [i, j] :  }",
        "{ [i, j] : i >= 0 and 0 <= j <= 4 - i }",
    ),
    (
        "{ [i, j] : j = 0 and i >= 0 or j = 1 and i >= 0 }",
        "{ [i, j] :  }",
        "{ [i, j] : i >= 0 and 0 <= j <= 1 }",
    ),
    (
        "{ [i, j] : i >= 0 and j >= 0 or i <= -5 and j >= 3 }",
        "{ [i, j] :  }",
        "{ [i, j] : j >= 0 }",
    ),
    ("{ [i] : i mod 2 = 0 and 0 <= i <= 10 }", "{ [i] : (i) mod 2 = 0 }", "{ [i] : 0 <= i <= 10 }"),
    (
        "{ [i] : i mod 4 = 1 or i mod 4 = 3 }",
        "{ [i] : 2*floor((-1 + i)/4) = -1 + i - 2*floor((1 + i)/4) and 4*floor((1 + i)/4) >= -1 + i }",
        "{ [i] :  }",
    ),
    (
        "{ [i, j] : i mod 2 = 0 and j = i }",
        "{ [i, j] : j = i and (i) mod 2 = 0 }",
        "{ [i, j] : j = i }",
    ),
    ("{ [i, j] : 2i = 3j }", "{ [i, j] : 3j = 2i }", "{ [i, j] : 3j = 2i }"),
    (
        "{ [i, j] : 2i = 3j and 0 <= i <= 20 }",
        "{ [i, j] : 3j = 2i }",
        "{ [i, j] : 3j = 2i and 0 <= i <= 18 }",
    ),
    ("{ [i, j] : 2i + 4j = 7 }", "{ [i, j] : 1 = 0 }", "{ [i, j] : 1 = 0 }"),
    (
        "{ [i, j] : 3 <= 2i <= 5 and 0 <= j <= 9 }",
        "{ [i, j] : i = 2 }",
        "{ [i, j] : i = 2 and 0 <= j <= 9 }",
    ),
    (
        "{ [i, j, k] : i + j + k = 3 and i = j }",
        "{ [i, j, k] : j = i and k = 3 - 2i }",
        "{ [i, j, k] : j = i and k = 3 - 2i }",
    ),
    (
        "{ [i, j, k] : 0 <= i <= 2 and j = i and k = 2i or i = 5 and j = 5 and k = 10 }",
        "{ [i, j, k] : j = i and k = 2i }",
        "{ [i, j, k] : j = i and k = 2i and 0 <= i <= 5 }",
    ),
    (
        "{ [1, 2, 3]; [2, 3, 4]; [3, 4, 5] }",
        "{ [i0, i1, i2] : i1 = 1 + i0 and i2 = 2 + i0 }",
        "{ [i0, i1, i2] : i1 = 1 + i0 and i2 = 2 + i0 and 0 < i0 <= 3 }",
    ),
    (
        "{ [1, 2, 3]; [2, 3, 4]; [3, 4, 6] }",
        "{ [i0, i1, i2] : i1 = 1 + i0 }",
        "{ [i0, i1, i2] : i1 = 1 + i0 and i2 >= 2i0 and i2 >= 2 + i0 and 2i2 <= 3 + 3i0 }",
    ),
    (
        "[n] -> { [i] : i = n or i = n + 4 }",
        "[n] -> { [i] : (i - n) mod 4 = 0 }",
        "[n] -> { [i] : n <= i <= 4 + n }",
    ),
    (
        "[n] -> { [i, j] : i = n and j = 0 or i = n and j = 5 }",
        "[n] -> { [n, j] : j mod 5 = 0 }",
        "[n] -> { [i, j] : i = n and 0 <= j <= 5 }",
    ),
    (
        "[n] -> { [i] : 0 <= i <= n and n = 5 }",
        "[n] -> { [i] : n = 5 }",
        "[n] -> { [i] : n = 5 and 0 <= i <= 5 }",
    ),
    (
        "{ [i] -> [j] : j = i or j = i + 2 }",
        "{ [i] -> [j] : (i + j) mod 2 = 0 }",
        "{ [i] -> [j] : i <= j <= 2 + i }",
    ),
    (
        "{ [i] -> [j] : j = i + 1 and 0 <= i <= 4 or j = i + 1 and 10 <= i <= 14 }",
        "{ [i] -> [j] : j = 1 + i }",
        "{ [i] -> [j] : j = 1 + i and 0 <= i <= 14 }",
    ),
    (
        "{ [i] -> [2i] : 0 <= i <= 4 }",
        "{ [i] -> [o0] : o0 = 2i }",
        "{ [i] -> [o0] : o0 = 2i and 0 <= i <= 4 }",
    ),
    ("{ [i] : false }", "{ [i] : 1 = 0 }", "{ [i] : 1 = 0 }"),
    ("{ [3] }", "{ [i0] : i0 = 3 }", "{ [i0] : i0 = 3 }"),
];

#[test]
fn hulls_are_what_they_should_be() {
    check(&HULLS, |&(text, affine, polyhedral)| {
        let map = relation(text);
        let found = [
            (map.affine_hull(&budget()).unwrap(), affine),
            (map.polyhedral_hull(&budget()).unwrap(), polyhedral),
        ];
        for (hull, expected) in found {
            let hull = Map::from_basic_map(hull);
            if !means(&hull, expected) {
                return Err(format!("{text}: {hull}, expected {expected}"));
            }
        }
        Ok(())
    });
}

/// Simple hulls and those without shifted constraints.
const CONSTRAINT_HULLS: [(&str, &str, &str); 12] = [
    ("{ [i] : 0 <= i <= 3 or 7 <= i <= 9 }", "{ [i] : 0 <= i <= 9 }", "{ [i] : 0 <= i <= 9 }"),
    ("{ [i] : i >= 0 or i >= 5 }", "{ [i] : i >= 0 }", "{ [i] : i >= 0 }"),
    ("{ [i] : i >= 0 or i <= -5 }", "{ [i] }", "{ [i] }"),
    (
        "{ [i, j] : 0 <= i <= 2 and j = 0 or 0 <= i <= 2 and j = 5 }",
        "{ [i, j] : 0 <= i <= 2 and 0 <= j <= 5 }",
        "{ [i, j] : 0 <= i <= 2 and 0 <= j <= 5 }",
    ),
    (
        "{ [i, j] : i >= 0 and j >= 0 and i + j <= 4 }",
        "{ [i, j] : i >= 0 and j >= 0 and i + j <= 4 }",
        "{ [i, j] : i >= 0 and j >= 0 and i + j <= 4 }",
    ),
    (
        "{ [i, j] : 0 <= i <= 4 and j = i or 0 <= i <= 4 and j = i + 1 }",
        "{ [i, j] : 0 <= i <= 4 and i <= j <= i + 1 }",
        "{ [i, j] : 0 <= i <= 4 and i <= j <= i + 1 }",
    ),
    (
        "[n] -> { [i] : 0 <= i <= n or 0 <= i <= n + 3 }",
        "[n] -> { [i] : 0 <= i <= n + 3 }",
        "[n] -> { [i] : 0 <= i <= n + 3 }",
    ),
    (
        "[n] -> { [i] : i = n or i = n + 4 }",
        "[n] -> { [i] : n <= i <= n + 4 }",
        "[n] -> { [i] : n <= i <= n + 4 }",
    ),
    ("{ [i] : false }", "{ [i] : false }", "{ [i] : false }"),
    (
        "{ [i] -> [j] : i <= j <= i + 2 or i + 1 <= j <= i + 9 }",
        "{ [i] -> [j] : i <= j <= i + 9 }",
        "{ [i] -> [j] : i <= j <= i + 9 }",
    ),
    (
        "{ [i] : i mod 2 = 0 and 0 <= i <= 10 or i mod 2 = 0 and 20 <= i <= 30 }",
        "{ [i] : i mod 2 = 0 and 0 <= i <= 30 }",
        "{ [i] : i mod 2 = 0 and 0 <= i <= 30 }",
    ),
    ("{ [3] }", "{ [3] }", "{ [3] }"),
];

/// Simple hulls contain the set, lie in what the row says, and use no other directions.
#[test]
fn simple_hulls_are_what_they_should_be() {
    check(&CONSTRAINT_HULLS, |&(text, simple, unshifted)| {
        let map = relation(text);
        let found = [
            (map.simple_hull(&budget()).unwrap(), simple),
            (map.unshifted_simple_hull(&budget()).unwrap(), unshifted),
        ];
        for (hull, expected) in found {
            let hull = Map::from_basic_map(hull);
            if !means(&hull, expected) || !map.is_subset(&hull, &budget()).unwrap() {
                return Err(format!("{text}: {hull}, expected {expected}"));
            }
        }
        Ok(())
    });
}
