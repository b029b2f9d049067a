//! Lexicographic minima and maxima.
use super::{budget, check, means, relation};
use loopwright_presburger::Map;

const LEXOPT: [(&str, &str, &str); 50] = [
    ("{ [i] : 0 <= i <= 9 }", "{ [i = 0] }", "{ [i = 9] }"),
    ("{ [i, j] : 0 <= i <= 9 and 0 <= j <= i }", "{ [i = 0, j = 0] }", "{ [i = 9, j = 9] }"),
    ("{ [i, j] : 0 <= j <= 9 and 2j <= i <= 30 - j }", "{ [i = 0, j = 0] }", "{ [i = 30, j = 0] }"),
    ("{ [i, j] : i + j = 10 and 0 <= i, j }", "{ [i = 0, j = 10] }", "{ [i = 10, j = 0] }"),
    ("{ [i, j] : 3i + 5j = 31 and i, j >= 0 }", "{ [i = 2, j = 5] }", "{ [i = 7, j = 2] }"),
    ("{ [i] : i mod 3 = 1 and 5 <= i <= 20 }", "{ [i = 7] }", "{ [i = 19] }"),
    (
        "{ [i, j] : i mod 2 = j mod 3 and 1 <= i, j <= 9 }",
        "{ [i = 1, j = 1] }",
        "{ [i = 9, j = 7] }",
    ),
    ("{ [i] : 0 <= i <= 3 or 7 <= i <= 8 }", "{ [i = 0] }", "{ [i = 8] }"),
    (
        "{ [i, j] : 0 <= i <= 3 and j = 2 or i = 0 and 0 <= j <= 1 }",
        "{ [i = 0, j = 0] }",
        "{ [i = 3, j = 2] }",
    ),
    ("{ [i] : 3 <= 2i <= 9 }", "{ [i = 2] }", "{ [i = 4] }"),
    ("{ [i, j] : 7 <= 3i + 2j <= 8 and 0 <= i, j }", "{ [i = 0, j = 4] }", "{ [i = 2, j = 1] }"),
    (
        "{ S[i, j] : 0 <= i <= 9 and i <= j <= 9 and j mod 4 = 3 }",
        "{ S[i = 0, j = 3] }",
        "{ S[i = 7, j = 7] }",
    ),
    ("{ [i] : floor(i/4) = 3 }", "{ [i = 12] }", "{ [i = 15] }"),
    (
        "{ [i, j, k] : 0 <= i, j, k <= 9 and i + j + k = 15 }",
        "{ [i = 0, j = 6, k = 9] }",
        "{ [i = 9, j = 6, k = 0] }",
    ),
    (
        "{ [i, j, k] : 0 <= i, j, k <= 5 and i + 2j + 3k >= 20 }",
        "{ [i = 0, j = 3, k = 5] }",
        "{ [i = 5, j = 5, k = 5] }",
    ),
    ("{ [i] : false }", "{ [i] : false }", "{ [i] : false }"),
    (
        "[n] -> { [i] : 0 <= i < n }",
        "[n] -> { [i = 0] : n > 0 }",
        "[n] -> { [i = -1 + n] : n > 0 }",
    ),
    (
        "[n] -> { [i] : n <= i <= 10 }",
        "[n] -> { [i = n] : n <= 10 }",
        "[n] -> { [i = 10] : n <= 10 }",
    ),
    (
        "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }",
        "[n] -> { [i = 0, j = 0] : n > 0 }",
        "[n] -> { [i = -1 + n, j = -1 + n] : n > 0 }",
    ),
    (
        "[n] -> { [i, j] : 0 <= i < n and i + j = n and j <= 5 }",
        "[n] -> { [i = -5 + n, j = 5] : n >= 5; [i = 0, j = n] : 0 < n <= 4 }",
        "[n] -> { [i = -1 + n, j = 1] : n > 0 }",
    ),
    (
        "[n] -> { [i] : 0 <= 2i <= n }",
        "[n] -> { [i = 0] : n >= 0 }",
        "[n] -> { [i] : n >= 0 and -1 + n <= 2i <= n }",
    ),
    (
        "[n] -> { [i] : n <= 3i <= n + 5 }",
        "[n] -> { [i] : n <= 3i <= 2 + n }",
        "[n] -> { [i] : 3 + n <= 3i <= 5 + n }",
    ),
    (
        "[n] -> { [i] : i mod 2 = n mod 2 and 0 <= i <= n }",
        "[n] -> { [i] : (n + i) mod 2 = 0 and n >= 0 and 0 <= i <= 1 }",
        "[n] -> { [i = n] : n >= 0 }",
    ),
    (
        "[n, m] -> { [i] : i >= n and i >= m and i <= n + m }",
        "[n, m] -> { [i = n] : n >= 0 and 0 <= m <= n; [i = m] : n >= 0 and m > n }",
        "[n, m] -> { [i = n + m] : n >= 0 and m >= 0 }",
    ),
    (
        "[n, m] -> { [i] : 0 <= i <= n and i <= m }",
        "[n, m] -> { [i = 0] : n >= 0 and m >= 0 }",
        "[n, m] -> { [i = n] : n >= 0 and m > n and m >= 0; [i = m] : n >= 0 and 0 <= m <= n }",
    ),
    (
        "[n, m] -> { [i, j] : 0 <= i <= n and 0 <= j <= m and i + j >= 5 }",
        "[n, m] -> { [i = 0, j = 5] : n >= 0 and m >= 5 and m >= 5 - n; [i = 5 - m, j = m] : n >= 0 and m >= 0 and 5 - n <= m <= 4 }",
        "[n, m] -> { [i = n, j = m] : n >= 0 and m >= 0 and m >= 5 - n }",
    ),
    (
        "[n] -> { [i, j] : 0 <= i <= n and 2j >= i and j <= n }",
        "[n] -> { [i = 0, j = 0] : n >= 0 }",
        "[n] -> { [i = n, j = n] : n >= 0 }",
    ),
    (
        "[n] -> { [i] : (i >= n or i >= 5) and i <= 20 and i >= 0 }",
        "[n] -> { [i = 5] : n >= 6; [i = n] : 0 <= n <= 5; [i = 0] : n < 0 }",
        "[n] -> { [i = 20] }",
    ),
    (
        "[n] -> { [i] : exists e: i = 4e and n <= i <= n + 10 }",
        "[n] -> { [i] : (i) mod 4 = 0 and n <= i <= 3 + n }",
        "[n] -> { [i] : (i) mod 4 = 0 and 7 + n <= i <= 10 + n }",
    ),
    (
        "[n] -> { [i, j] : i = floor(n/3) and 0 <= j <= i }",
        "[n] -> { [i, j = 0] : n >= 0 and -2 + n <= 3i <= n }",
        "[n] -> { [i, j = i] : n >= 0 and -2 + n <= 3i <= n }",
    ),
    ("{ [i] -> [j] : i <= j <= i + 5 }", "{ [i] -> [j = i] }", "{ [i] -> [j = 5 + i] }"),
    (
        "{ [i] -> [j] : 2i <= 3j <= 2i + 7 }",
        "{ [i] -> [j] : 2i <= 3j <= 2 + 2i }",
        "{ [i] -> [j] : 5 + 2i <= 3j <= 7 + 2i }",
    ),
    (
        "{ [i] -> [j, k] : 0 <= j <= i and j <= k <= 9 }",
        "{ [i] -> [j = 0, k = 0] : i >= 0 }",
        "{ [i] -> [j = 9, k = 9] : i >= 10; [i] -> [j = i, k = 9] : 0 <= i <= 9 }",
    ),
    (
        "{ [i] -> [j, k] : j + k = i and 0 <= j, k }",
        "{ [i] -> [j = 0, k = i] : i >= 0 }",
        "{ [i] -> [j = i, k = 0] : i >= 0 }",
    ),
    (
        "{ [i] -> [j] : j >= i and j >= 2i - 3 and j <= 50 }",
        "{ [i] -> [j = i] : i <= 2; [i] -> [j = -3 + 2i] : 3 <= i <= 26 }",
        "{ [i] -> [j = 50] : i <= 26 }",
    ),
    (
        "{ [i] -> [j] : 0 <= j <= 9 and j != i }",
        "{ [i] -> [j = 1 + i] : -1 <= i <= 0; [i] -> [j = 0] : i <= -2 or i > 0 }",
        "{ [i] -> [j = 9] : i <= 8 or i >= 10; [i = 9] -> [j = 8] }",
    ),
    (
        "{ [i] -> [j] : 0 <= j <= 9 and (j < i - 2 or j > i + 2) }",
        "{ [i] -> [j = 3 + i] : -3 <= i <= 2; [i] -> [j = 0] : i <= -4 or i >= 3 }",
        "{ [i] -> [j = 9] : i <= 6 or i >= 12; [i] -> [j = -3 + i] : 7 <= i <= 11 }",
    ),
    (
        "{ [i] -> [j] : j mod 2 = i mod 2 and i + 1 <= j <= i + 4 }",
        "{ [i] -> [j = 2 + i] }",
        "{ [i] -> [j = 4 + i] }",
    ),
    (
        "{ [i, j] -> [k] : i <= k <= 20 and j <= k }",
        "{ [i, j] -> [k = i] : i <= 20 and j <= 20 and j <= i; [i, j] -> [k = j] : i <= 20 and i < j <= 20 }",
        "{ [i, j] -> [k = 20] : i <= 20 and j <= 20 }",
    ),
    (
        "{ [i, j] -> [k, l] : k >= i and l >= j and k + l = i + j + 3 }",
        "{ [i, j] -> [k = i, l = 3 + j] }",
        "{ [i, j] -> [k = 3 + i, l = j] }",
    ),
    (
        "{ A[i] -> B[j] : 0 <= i <= 9 and 0 <= j <= 9 and i + j mod 2 = 3 }",
        "{ A[i] -> B[j = 3 - i] : 2 <= i <= 3 }",
        "{ A[i] -> B[j = 11 - i] : 2 <= i <= 3 }",
    ),
    (
        "{ A[i, j] -> B[k] : 4k <= i + 2j <= 4k + 9 }",
        "{ A[i, j] -> B[k] : -9 + i + 2j <= 4k <= -6 + i + 2j }",
        "{ A[i, j] -> B[k] : -3 + i + 2j <= 4k <= i + 2j }",
    ),
    (
        "[n] -> { A[i] -> B[j] : 0 <= i < n and 0 <= j < n and j >= n - i - 1 }",
        "[n] -> { A[i] -> B[j = -1 + n - i] : 0 <= i < n }",
        "[n] -> { A[i] -> B[j = -1 + n] : 0 <= i < n }",
    ),
    (
        "[n] -> { [i] -> [j] : 0 <= j and 3j <= n and j >= i - 5 }",
        "[n] -> { [i] -> [j = 0] : n >= 0 and i <= 4 and 3i <= 15 + n; [i] -> [j = -5 + i] : n >= 0 and i >= 5 and 3i <= 15 + n }",
        "[n] -> { [i] -> [j] : n >= 0 and 3i <= 15 + n and -2 + n <= 3j <= n }",
    ),
    (
        "[n, m] -> { [i] -> [j] : i <= j < n and j >= m }",
        "[n, m] -> { [i] -> [j = m] : m < n and i <= m and i < n; [i] -> [j = i] : m < n and m < i < n }",
        "[n, m] -> { [i] -> [j = -1 + n] : m < n and i < n }",
    ),
    (
        "{ [x] -> [y] : 0 <= y <= 9 and 5y >= 3x and 7y <= 4x + 40 }",
        "{ [x] -> [y] : 0 < x <= 15 and 3x <= 5y <= 4 + 3x; [x] -> [y = 0] : -10 <= x <= 0 }",
        "{ [x] -> [y] : -10 <= x <= 5 and 34 + 4x <= 7y <= 40 + 4x; [x] -> [y = 9] : 6 <= x <= 15 }",
    ),
    (
        "{ [i] -> [j] : exists e: j = 3e and i <= j <= i + 8 }",
        "{ [i] -> [j] : (j) mod 3 = 0 and i <= j <= 2 + i }",
        "{ [i] -> [j] : (j) mod 3 = 0 and 6 + i <= j <= 8 + i }",
    ),
    (
        "{ [i] -> [j] : exists e: 2j = 3e + i and 0 <= j <= 7 }",
        "{ [i] -> [j] : (i + j) mod 3 = 0 and 0 <= j <= 2 }",
        "{ [i] -> [j] : (i + j) mod 3 = 0 and 5 <= j <= 7 }",
    ),
    (
        "{ [i] -> [i, j] : 0 <= i <= j <= 12 }",
        "{ [i] -> [i, j = i] : 0 <= i <= 12 }",
        "{ [i] -> [i, j = 12] : 0 <= i <= 12 }",
    ),
    (
        "{ [a, b] -> [c] : a <= c <= b or b <= c <= a }",
        "{ [a, b] -> [c = a] : b > a; [a, b] -> [c = b] : b <= a }",
        "{ [a, b] -> [c = a] : b <= a; [a, b] -> [c = b] : b > a }",
    ),
];

#[test]
fn optima_are_what_they_should_be() {
    check(&LEXOPT, |&(text, least, greatest)| {
        let map = relation(text);
        for (found, expected) in [(map.lexmin(&budget()), least), (map.lexmax(&budget()), greatest)]
        {
            let found = found.unwrap();
            if !means(&found, expected) {
                return Err(format!("{text}: {found}, expected {expected}"));
            }
        }
        Ok(())
    });
}

#[test]
fn optima_as_functions_are_the_same() {
    check(&LEXOPT, |&(text, least, greatest)| {
        let map = relation(text);
        let functions = [
            (map.lexmin_pw_multi_aff(&budget()), least),
            (map.lexmax_pw_multi_aff(&budget()), greatest),
        ];
        for (found, expected) in functions {
            let found: Map = found.unwrap().to_map();
            if !means(&found, expected) {
                return Err(format!("{text}: {found}, expected {expected}"));
            }
        }
        Ok(())
    });
}
