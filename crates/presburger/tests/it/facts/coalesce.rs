//! Coalescing: the same points, and at most this many pieces.
use super::{budget, check, relation};

const COALESCE: [(&str, usize); 80] = [
    ("{ [i] : 0 <= i <= 4 or 5 <= i <= 9 }", 1),
    ("{ [i] : 0 <= i <= 4 or 6 <= i <= 9 }", 2),
    ("{ [i] : 0 <= i <= 6 or 3 <= i <= 9 }", 1),
    ("{ [i] : 0 <= i <= 9 or 3 <= i <= 5 }", 1),
    ("{ [i] : i = 0 or i = 1 }", 1),
    ("{ [i] : i = 0 or i = 2 }", 2),
    ("{ [i] : i = 0 or i = 1 or i = 2 or i = 3 }", 1),
    ("{ [i] : i >= 0 or i <= 5 }", 1),
    ("{ [i] : i >= 0 or i <= -1 }", 1),
    ("{ [i] : i >= 0 or i <= -2 }", 2),
    ("{ [i] : i >= 3; [i] : i = 2 }", 1),
    ("{ [i, j] : 0 <= i <= 4 and 0 <= j <= 9 or 5 <= i <= 9 and 0 <= j <= 9 }", 1),
    ("{ [i, j] : 0 <= i <= 4 and 0 <= j <= 9 or 5 <= i <= 9 and 0 <= j <= 8 }", 2),
    ("{ [i, j] : 0 <= i <= 4 and 0 <= j <= 4 or 0 <= i <= 9 and 0 <= j <= 9 }", 1),
    ("{ [i, j] : 0 <= i, j <= 4 or 3 <= i, j <= 7 }", 2),
    ("{ [i, j] : 0 <= i <= 9 and j = 0 or 0 <= i <= 9 and j = 1 }", 1),
    ("{ [i, j] : 0 <= i <= 9 and j = 0 or 0 <= i <= 9 and j = 2 }", 2),
    ("{ [i, j] : 0 <= i <= j or j <= i <= 9 }", 2),
    ("{ [i, j] : 0 <= i <= j <= 9 or 0 <= j <= i <= 9 }", 1),
    ("{ [i, j] : 0 <= i < j <= 9 or 0 <= j < i <= 9 }", 2),
    ("{ [i, j] : 0 <= i < j <= 9 or 0 <= j <= i <= 9 }", 1),
    ("{ [i, j] : i + j >= 0 and i >= 0 or i + j < 0 and i >= 0 }", 1),
    ("{ [i, j] : i >= 0 and j >= 0 or i >= 0 and j <= 0 }", 1),
    ("{ [i, j] : i >= 0 and j >= 1 or i >= 0 and j <= -1 }", 2),
    ("{ [i, j] : i >= 0 or j >= 0 }", 2),
    ("{ [i, j] : i = j and 0 <= i <= 4 or i = j and 5 <= i <= 9 }", 1),
    ("{ [i, j] : i = j and 0 <= i <= 4 or i = j and 6 <= i <= 9 }", 2),
    ("{ [i, j] : i = 2j and 0 <= i <= 4 or i = 2j and 6 <= i <= 10 }", 1),
    ("{ [i, j] : j = 0 and 0 <= i <= 9 or 0 <= i <= 9 and 1 <= j <= 9 }", 1),
    ("{ [i, j] : i = 10 and j = 5 or 0 <= i <= 9 and 0 <= j <= 9 }", 2),
    ("{ [0, 0]; [1, 0]; [0, 1]; [1, 1] }", 1),
    ("{ [0, 0]; [2, 2] }", 2),
    ("{ [0, 0]; [1, 2]; [2, 4] }", 3),
    ("{ [0, 0]; [3, 1] }", 2),
    ("{ [i, j, k] : 0 <= i, j, k <= 4 or 5 <= i <= 9 and 0 <= j, k <= 4 }", 1),
    ("{ [i, j, k] : 0 <= i, j, k <= 4 or 5 <= i, j, k <= 9 }", 2),
    ("{ [i, j, k] : i <= j <= k or i <= k <= j }", 1),
    ("{ [i, j, k] : 0 <= i <= 9 and j = k or 0 <= i <= 9 and j = k + 1 }", 1),
    ("[n] -> { [i] : 0 <= i < n or i = n and n >= 0 }", 1),
    ("[n] -> { [i] : 0 <= i < n or i = n and n >= 1 }", 1),
    ("[n] -> { [i] : 0 <= i < n or n <= i <= 2n }", 1),
    ("[n] -> { [i] : 0 <= i <= n or n <= i <= 10 }", 2),
    ("[n] -> { [i] : n >= 5 and 0 <= i <= n or n <= 4 and 0 <= i <= n }", 1),
    ("[n] -> { [i] : n >= 5 and 0 <= i <= n or n <= 3 and 0 <= i <= n }", 2),
    ("[n] -> { : n >= 0 or n = -1 }", 1),
    ("[n, m] -> { [i] : 0 <= i < n and i < m or m <= i < n and i >= 0 }", 1),
    ("[n, m] -> { [i] : 0 <= i <= n and n <= m or 0 <= i <= m and m <= n }", 1),
    ("[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i or 0 <= i < n and i < j < n }", 1),
    ("[n] -> { [i, j] : 0 <= i < n and j = i or 0 <= i < n and j = i + 1 }", 1),
    ("{ [i] : i mod 2 = 0 or i mod 2 = 1 }", 1),
    ("{ [i] : i mod 2 = 0 and 0 <= i <= 10 or i mod 2 = 0 and 12 <= i <= 20 }", 1),
    ("{ [i] : i mod 2 = 0 and 0 <= i <= 10 or i mod 2 = 0 and 14 <= i <= 20 }", 2),
    ("{ [i] : i mod 4 = 0 or i mod 4 = 2 }", 2),
    ("{ [i] : i mod 2 = 0 and i >= 0 or i mod 4 = 2 }", 2),
    ("{ [i] : i mod 2 = 0 or i mod 4 = 2 }", 1),
    ("{ [i] : i mod 4 = 2 or i mod 2 = 0 and 0 <= i <= 9 }", 2),
    ("{ [i] : floor(i/4) = 0 or floor(i/4) = 1 }", 1),
    ("{ [i] : i mod 10 <= 4 or i mod 10 >= 5 }", 1),
    ("{ [i] : i mod 10 <= 4 or i mod 10 >= 6 }", 2),
    ("{ [i, j] : j = floor(i/2) and i >= 0 or j = floor(i/2) and i < 0 }", 1),
    ("{ [i, j] : 2j <= i and 0 <= i <= 9 or 2j > i and 0 <= i <= 9 }", 1),
    ("{ [i, j] : exists e: i = 2e and 0 <= j <= 4 or i mod 2 = 0 and 5 <= j <= 9 }", 1),
    ("{ [i, j] : i mod 2 = 0 and j mod 2 = 0 or i mod 2 = 0 and j mod 2 = 1 }", 1),
    ("{ [i, j] : (i + j) mod 2 = 0 and i >= 0 or (i + j) mod 2 = 0 and i < 0 }", 1),
    ("{ [i] : false or 0 <= i <= 3 }", 1),
    ("{ [i] : i >= 1 and i <= 0 or 2i = 3 }", 0),
    ("{ [i] -> [j] : j = i or j = i + 1 }", 1),
    ("{ [i] -> [j] : 0 <= i <= 9 and (j = i or j = i + 1 or j = i + 2) }", 1),
    ("{ A[i] -> B[j] : i <= j <= i + 3 or i + 4 <= j <= i + 6 }", 1),
    ("{ A[i] -> B[2i] : i >= 0; A[i] -> B[2i] : i < 0 }", 1),
    ("{ A[i] -> B[i] : i >= 0; A[i] -> B[-i] : i < 0 }", 2),
    ("{ A[i, j] -> B[i] : 0 <= j <= 3; A[i, j] -> B[i] : 4 <= j <= 7 }", 1),
    ("[n] -> { A[i] -> B[i + n] : 0 <= i < n; A[i] -> B[i + n] : n <= i < 2n }", 1),
    (
        "{ [i, j] : 0 <= i <= 9 and 0 <= j <= 9 and i + j <= 10 or 0 <= i <= 9 and 0 <= j <= 9 and i + j >= 11 }",
        1,
    ),
    ("{ [i, j] : 0 <= 2i <= j and j <= 9 or 0 <= j <= 9 and j < 2i <= 2j + 2 }", 1),
    ("{ [i, j] : i >= 0 and j >= 0 and i + j <= 3 or i >= 0 and j >= 0 and 4 <= i + j <= 7 }", 1),
    ("{ [i, j] : i >= 0 and j >= 0 and i + j <= 3 or i >= 0 and j >= 0 and 5 <= i + j <= 7 }", 2),
    ("{ [i, j] : 3i >= 2j and 0 <= i, j <= 6 or 3i <= 2j - 1 and 0 <= i, j <= 6 }", 1),
    (
        "{ [x, y] : (x >= 0 and y >= 0 and x <= 10 and y <= 10) or (x >= 11 and y >= 0 and x <= 11 and y <= 10) }",
        1,
    ),
    (
        "{ [i, j, k] : k = i + j and 0 <= i <= 4 and 0 <= j <= 9 or k = i + j and 5 <= i <= 9 and 0 <= j <= 9 }",
        1,
    ),
];

/// One piece sticks out of the other by one: joining them needs constraints that neither piece has.
const STICKING_OUT: [(&str, usize); 16] = [
    ("{ [i, j] : i = j and 0 <= i <= 9 or i = j + 1 and 1 <= i <= 9 }", 1),
    ("{ [i, j] : i = j and 0 <= i <= 9 or i = j + 1 and 1 <= i <= 10 }", 1),
    ("{ [i, j] : j = 0 and 1 <= i <= 8 or 0 <= i <= 9 and 1 <= j <= 9 }", 1),
    ("{ [i, j] : j = -1 and 1 <= i <= 8 or 0 <= i <= 9 and 0 <= j <= 9 }", 1),
    ("{ [0, 0]; [1, 0]; [0, 1] }", 1),
    ("{ [0, 0]; [1, 1]; [2, 2] }", 1),
    ("{ [i] : i mod 3 = 0 or i mod 3 = 1 }", 1),
    ("{ [i] : i mod 3 = 0 or i mod 3 = 1 or i mod 3 = 2 }", 1),
    (
        "{ [x, y] : (0 <= x <= 10 and 0 <= y <= 10) or (x = 11 and 1 <= y <= 9) or (x = 12 and 2 <= y <= 8) }",
        1,
    ),
    ("{ [i, j] : 0 <= i <= 1 and j = 2 or i = 1 and 1 <= j <= 2 }", 1),
    ("{ [i, j] : 0 <= i <= 9 and j = 1 or 1 <= i <= 9 and j = 0 }", 1),
    ("{ [i, j, k] : (j = i and k = i + 1) or (j = i + 1 and k = i) or (j = i and k = i) }", 1),
    ("[n] -> { [i, j] : 0 <= i < n and j = i or 1 <= i < n and j = i - 1 }", 1),
    ("{ [i, j] : 0 <= j <= i and i <= 9 or 10 <= i <= 11 and 0 <= j <= 8 }", 2),
    ("{ [i, j] : i >= 0 and j = 0 or i >= 1 and j = 1 }", 1),
    ("{ [i, j] : i >= 0 and j >= 0 or i = -1 and j = 0 }", 2),
];

fn check_table(table: &[(&str, usize)]) {
    check(table, |&(text, most)| {
        let map = relation(text);
        let joined = map.coalesce(&budget()).unwrap();
        let n = joined.basic_maps().iter().filter(|b| !b.is_empty(&budget()).unwrap()).count();
        match joined.is_equal(&map, &budget()).unwrap() {
            false => Err(format!("{text} became {joined}")),
            true if n > most => Err(format!("{text}: {n} pieces, expected {most}: {joined}")),
            true => Ok(()),
        }
    });
}

#[test]
fn pieces_are_joined() {
    check_table(&COALESCE);
}

#[test]
fn pieces_that_stick_out_by_one_are_joined() {
    check_table(&STICKING_OUT);
}
