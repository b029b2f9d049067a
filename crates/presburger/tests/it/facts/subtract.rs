//! Differences.
use super::{budget, check, means, relation};

const SUBTRACT: [(&str, &str, &str); 30] = [
    ("{ [i] : 0 <= i <= 9 }", "{ [5] }", "{ [i] : 0 <= i <= 9 and (i <= 4 or i >= 6) }"),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : i >= 5 }", "{ [i] : 0 <= i <= 4 }"),
    (
        "{ [i] : 0 <= i <= 9 }",
        "{ [i] : i mod 2 = 0 }",
        "{ [i] : (1 + i) mod 2 = 0 and 0 <= i <= 9 }",
    ),
    (
        "{ [i] : i >= 0 }",
        "{ [i] : i mod 3 = 1 and i <= 30 }",
        "{ [i] : i >= 0 and ((3*floor((-1 + i)/3) <= -2 + i) or ((-1 + i) mod 3 = 0 and i >= 31)) }",
    ),
    (
        "{ [i, j] : 0 <= i, j <= 9 }",
        "{ [i, i] }",
        "{ [i, j] : (i <= 9 and 0 <= j < i) or (i >= 0 and i < j <= 9) }",
    ),
    (
        "{ [i, j] : 0 <= i, j <= 9 }",
        "{ [i, j] : i + j >= 9 }",
        "{ [i, j] : 0 <= i <= 9 and 0 <= j <= 8 - i and j <= 9 }",
    ),
    (
        "{ [i, j] : 0 <= i, j <= 9 }",
        "{ [i, j] : 3 <= i, j <= 5 }",
        "{ [i, j] : 0 <= i <= 9 and 0 <= j <= 9 and (i <= 2 or i >= 6 or (3 <= i <= 5 and j >= 6) or (3 <= i <= 5 and j <= 2)) }",
    ),
    (
        "{ [i, j] : 0 <= i, j <= 9 }",
        "{ [i, j] : i >= 20 }",
        "{ [i, j] : 0 <= i <= 9 and 0 <= j <= 9 }",
    ),
    ("{ [i, j] }", "{ [i, j] : i = 2j }", "{ [i, j] : 2j < i or 2j > i }"),
    (
        "{ [i] }",
        "{ [i] : exists e: i = 5e or i = 3e }",
        "{ [i] : 3*floor((i)/3) < i and 5*floor((i)/5) < i }",
    ),
    (
        "[n] -> { [i] : 0 <= i < n }",
        "[n] -> { [i] : i = n - 1 }",
        "[n] -> { [i] : 0 <= i <= -2 + n }",
    ),
    (
        "[n] -> { [i] : 0 <= i < n }",
        "[m] -> { [i] : i = m }",
        "[m, n] -> { [i] : 0 <= i < n and (i < m or i > m) }",
    ),
    ("[n] -> { [i] : 0 <= i < n }", "{ [i] : i <= 4 }", "[n] -> { [i] : 5 <= i < n }"),
    ("[n] -> { : n >= 0 }", "[n] -> { : n = 7 }", "[n] -> {  : n >= 0 and (n <= 6 or n >= 8) }"),
    ("{ A[i] : 0 <= i <= 9 }", "{ A[i] : i = 0 or i = 9 }", "{ A[i] : 0 < i <= 8 }"),
    (
        "{ [i] : 0 <= i <= 9 or 20 <= i <= 29 }",
        "{ [i] : 5 <= i <= 24 }",
        "{ [i] : 0 <= i <= 29 and (i >= 25 or i <= 4) }",
    ),
    (
        "{ [i] : 0 <= i <= 99 }",
        "{ [i] : i mod 10 <= 4 }",
        "{ [i] : 0 <= i <= 99 and 10*floor((i)/10) <= -5 + i }",
    ),
    (
        "{ [i] : 0 <= i <= 99 }",
        "{ [i] : floor(i/7) mod 2 = 0 }",
        "{ [i] : 0 <= i <= 99 and 14*floor((i)/14) <= -7 + i }",
    ),
    (
        "{ [i] -> [j] : 0 <= i, j <= 9 }",
        "{ [i] -> [i] }",
        "{ [i] -> [j] : (i <= 9 and 0 <= j < i) or (i >= 0 and i < j <= 9) }",
    ),
    (
        "{ [i] -> [j] : i <= j }",
        "{ [i] -> [j] : j = i + 1 }",
        "{ [i] -> [j] : j >= 2 + i; [i] -> [j = i] }",
    ),
    (
        "{ [i] -> [j] : 0 <= i, j <= 9 }",
        "{ [i] -> [j] : j mod 2 = i mod 2 }",
        "{ [i] -> [j] : (j) mod 2 = 1 - i + 2*floor((i)/2) and 0 <= i <= 9 and 0 <= j <= 9 }",
    ),
    ("{ A[i] -> B[i] }", "{ A[i] -> B[i] : 3 <= i <= 5 }", "{ A[i] -> B[i] : i <= 2 or i >= 6 }"),
    (
        "{ [i, j, k] : 0 <= i, j, k <= 4 }",
        "{ [i, j, k] : i <= j <= k }",
        "{ [i, j, k] : k >= 0 and ((i <= 4 and 0 <= j < i and k <= 4) or (i >= 0 and i <= j <= 4 and k < j)) }",
    ),
    (
        "{ [i, j, k] : 0 <= i, j, k <= 4 }",
        "{ [i, j, k] : i + j = k or i = j }",
        "{ [i, j, k] : k <= 4 and ((i <= 4 and 0 <= j < i and 0 <= k < i + j) or (0 <= j < i and k > i + j) or (i >= 0 and j > i and k > i + j) or (i >= 0 and i < j <= 4 and 0 <= k < i + j)) }",
    ),
    (
        "{ [i, j] : 0 <= i, j <= 9 }",
        "{ [i, j] : exists e: i + j = 3e and e >= 2 }",
        "{ [i, j] : i >= 0 and j >= 0 and ((i <= 9 and j <= 9 and 3*floor((i + j)/3) < i + j) or ((i + j) mod 3 = 0 and j <= 3 - i)) }",
    ),
    ("{ [i] : false }", "{ [i] : i >= 0 }", "{ [i] : false }"),
    ("{ [i] : i >= 0 }", "{ [i] : false }", "{ [i] : i >= 0 }"),
    ("{ [i] : i >= 0 }", "{ [i] }", "{ [i] : false }"),
    (
        "{ [i, j] : i >= 0 }",
        "{ [i, j] : j >= 0 and i >= 3 }",
        "{ [i, j] : i >= 0 and (i <= 2 or (i >= 3 and j < 0)) }",
    ),
    (
        "{ [i] : exists e: i = 6e }",
        "{ [i] : exists e: i = 4e }",
        "{ [i] : (i) mod 6 = 0 and 4*floor((i)/4) < i }",
    ),
];

#[test]
fn differences_are_what_they_should_be() {
    check(&SUBTRACT, |&(left, right, expected)| {
        let difference = relation(left).subtract(&relation(right), &budget()).unwrap();
        match means(&difference, expected) {
            true => Ok(()),
            false => Err(format!("{left} - {right}: {difference}, expected {expected}")),
        }
    });
}

#[test]
fn differences_and_intersections_add_up() {
    check(&SUBTRACT, |&(left, right, _)| {
        let (a, b) = (relation(left), relation(right));
        let difference = a.subtract(&b, &budget()).unwrap();
        let common = a.intersect(&b).unwrap();
        let whole = difference.union(&common).unwrap();
        let disjoint = difference.is_disjoint(&b, &budget()).unwrap();
        match disjoint && whole.is_equal(&a, &budget()).unwrap() {
            true => Ok(()),
            false => Err(format!("{left} - {right}: {difference}")),
        }
    });
}
