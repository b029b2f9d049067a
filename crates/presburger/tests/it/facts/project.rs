//! Projections: the text, the first dimension, the number of dimensions, the result.
use super::{budget, check, means};
use loopwright_presburger::{DimKind, Set};

const PROJECT: [(&str, usize, usize, &str); 30] = [
    ("{ [i, j] : 0 <= i <= j <= 9 }", 0, 1, "{ [j] : 0 <= j <= 9 }"),
    ("{ [i, j] : 0 <= i <= j <= 9 }", 1, 1, "{ [i] : 0 <= i <= 9 }"),
    ("{ [i, j] : 3 <= i <= j <= 9 }", 0, 2, "{ [] }"),
    ("{ [i, j] : i = 2j }", 1, 1, "{ [i] : (i) mod 2 = 0 }"),
    ("{ [i, j] : i = 2j and 0 <= j <= 4 }", 1, 1, "{ [i] : (i) mod 2 = 0 and 0 <= i <= 8 }"),
    ("{ [i, j] : i = 2j }", 0, 1, "{ [j] }"),
    (
        "{ [i, j] : 2j <= i <= 3j and 0 <= j <= 9 }",
        1,
        1,
        "{ [i] : exists (e0: 0 <= e0 <= 9 and 2e0 <= i and 3e0 >= i) }",
    ),
    ("{ [i, j] : i <= 3j <= i + 1 }", 1, 1, "{ [i] : 3*floor((-1 + i)/3) <= -2 + i }"),
    ("{ [i, j] : i <= 3j <= i + 2 }", 1, 1, "{ [i] }"),
    (
        "{ [i, j] : 5i <= 7j <= 5i + 3 and 0 <= i <= 20 }",
        1,
        1,
        "{ [i] : 0 <= i <= 20 and 7*floor((-1 - 2i)/7) <= -4 - 2i }",
    ),
    (
        "{ [i, j, k] : i = 2j + 3k and 0 <= j, k <= 2 }",
        1,
        2,
        "{ [i] : -4 + i <= 2*floor((-1 + i)/3) <= -2 + i }",
    ),
    (
        "{ [i, j, k] : i = 6j + 10k and 0 <= j, k }",
        1,
        2,
        "{ [i] : exists (e1: (i) mod 2 = 0 and 5e1 <= i and 6e1 >= i) }",
    ),
    ("{ [i, j, k] : i = 4j + 6k }", 1, 2, "{ [i] : (i) mod 2 = 0 }"),
    ("{ [i, j, k] : j <= i <= k }", 0, 1, "{ [j, k] : k >= j }"),
    (
        "{ [i, j, k] : i < j < k and 0 <= i and k <= 9 }",
        1,
        1,
        "{ [i, k] : i >= 0 and 2 + i <= k <= 9 }",
    ),
    ("{ [i, j, k] : i <= 2k and 2k <= j }", 2, 1, "{ [i, j] : exists (e0: i <= 2e0 <= j) }"),
    (
        "{ [i, j] : j mod 3 = i mod 2 and 0 <= j <= 9 and 0 <= i <= 9 }",
        1,
        1,
        "{ [i] : 0 <= i <= 9 }",
    ),
    ("{ [i, j] : j = floor(i/3) and j mod 2 = 0 }", 1, 1, "{ [i] : 6*floor((3 + i)/6) <= i }"),
    ("{ [i, j] : 0 <= i <= 9 and j = floor(i/3) }", 0, 1, "{ [j] : 0 <= j <= 3 }"),
    ("[n] -> { [i] : 0 <= i < n }", 0, 1, "[n] -> { [] : n > 0 }"),
    ("[n] -> { [i, j] : 0 <= i < n and j = n - i }", 0, 1, "[n] -> { [j] : 0 < j <= n }"),
    ("[n] -> { [i, j] : 0 <= i < n and i <= 2j <= n }", 1, 1, "[n] -> { [i] : 0 <= i < n }"),
    ("{ A[i] : 5 <= 2i <= 5 }", 0, 1, "{ [] : false }"),
    ("{ [i, j] : 0 <= i <= 9 and (j = i or j = 2i) }", 1, 1, "{ [i] : 0 <= i <= 9 }"),
    (
        "{ [i, j] : (i = 0 and 0 <= j <= 4) or (i = 1 and 5 <= j <= 9) }",
        0,
        1,
        "{ [j] : 0 <= j <= 9 }",
    ),
    ("{ [i, j] : i + 3 <= 2j <= 3i - 1 }", 1, 1, "{ [i] : exists (e0: 3 + i <= 2e0 < 3i) }"),
    (
        "{ [i, j] : 12 <= 5i + 7j <= 13 and 0 <= j <= 5 }",
        1,
        1,
        "{ [i] : -4 <= i <= 3 and 7*floor((-3 + 2i)/7) <= -8 + 2i }",
    ),
    ("{ [i, j, k] : 2i + 3j = 5k }", 2, 1, "{ [i, j] : (-i + j) mod 5 = 0 }"),
    (
        "{ [i, j] : j = 3i + 1 and 0 <= i <= 7 }",
        0,
        1,
        "{ [j] : (-1 + j) mod 3 = 0 and 0 < j <= 22 }",
    ),
    ("{ [i, j] : exists e: j = 2e and i <= j <= i + 1 }", 1, 1, "{ [i] }"),
];

#[test]
fn projections_are_what_they_should_be() {
    check(&PROJECT, |&(text, first, count, expected)| {
        let set = Set::parse(text).unwrap();
        let projection = set.project_out(DimKind::Out, first, count);
        let explicit = projection.make_locals_explicit(&budget()).unwrap();
        for found in [projection, explicit] {
            if !means(found.as_map(), expected) {
                return Err(format!("{text} without {count} from {first}: {found}"));
            }
        }
        Ok(())
    });
}
