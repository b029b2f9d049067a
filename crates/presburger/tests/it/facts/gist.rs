//! Gist: equal inside the context, with at most this many constraints.
use super::{budget, check, relation};
use loopwright_presburger::Map;

const GIST: [(&str, &str, usize); 55] = [
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : i >= 0 }", 1),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : i <= 9 }", 1),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : 0 <= i <= 9 }", 0),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : 3 <= i <= 5 }", 0),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : i >= 20 }", 0),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : i <= -1 }", 0),
    ("{ [i] : i = 3 }", "{ [i] : i <= 3 }", 1),
    ("{ [i] : i = 3 }", "{ [i] : 3 <= i <= 3 }", 0),
    ("{ [i] : i mod 2 = 0 and i >= 0 }", "{ [i] : i mod 2 = 0 }", 1),
    ("{ [i] : i mod 4 = 0 }", "{ [i] : i mod 2 = 0 }", 1),
    ("{ [i] : i mod 4 = 2 }", "{ [i] : i mod 4 = 2 and i >= 0 }", 0),
    ("{ [i] : i mod 6 = 0 }", "{ [i] : i mod 2 = 0 }", 1),
    ("{ [i, j] : 0 <= i <= j <= 9 }", "{ [i, j] : i <= j }", 2),
    ("{ [i, j] : 0 <= i <= j <= 9 }", "{ [i, j] : 0 <= i and j <= 9 }", 1),
    ("{ [i, j] : i = j and 0 <= i <= 9 }", "{ [i, j] : i = j }", 2),
    ("{ [i, j] : i = j and 0 <= i <= 9 }", "{ [i, j] : 0 <= j <= 9 }", 1),
    ("{ [i, j] : j = 2i + 1 }", "{ [i, j] : j mod 2 = 1 }", 1),
    ("{ [i, j] : j = 2i + 1 and i >= 0 }", "{ [i, j] : j = 2i + 1 }", 1),
    ("{ [i, j] : i + j >= 3 and i >= 0 }", "{ [i, j] : i >= 5 and j >= 0 }", 0),
    ("{ [i, j] : i + j >= 3 and i >= 0 }", "{ [i, j] : i = 2 }", 1),
    ("[n] -> { [i] : 0 <= i < n }", "[n] -> { [i] : n = 5 }", 2),
    ("[n] -> { [i] : 0 <= i < n }", "[n] -> { [i] : n >= 1 and i >= 0 }", 1),
    ("[n] -> { [i] : 0 <= i < n and n >= 1 }", "[n] -> { [i] : n >= 1 }", 2),
    ("[n] -> { [i] : 0 <= i < n and n >= 1 }", "[n] -> { [i] : 0 <= i < n }", 0),
    ("[n, m] -> { [i] : 0 <= i < n and n <= m }", "[n, m] -> { [i] : m = n }", 2),
    ("[n, m] -> { [i] : 0 <= i < n + m }", "[n, m] -> { [i] : m = 0 }", 2),
    ("[n] -> { : n >= 10 }", "[n] -> { : n >= 3 }", 1),
    ("[n] -> { : n >= 10 }", "[n] -> { : n >= 10 and n <= 20 }", 0),
    ("{ [i] : 0 <= i <= 9 or 20 <= i <= 29 }", "{ [i] : i <= 15 }", 2),
    ("{ [i] : 0 <= i <= 9 or 20 <= i <= 29 }", "{ [i] : i >= 0 }", 3),
    ("{ [i] : 0 <= i <= 9 or 20 <= i <= 29 }", "{ [i] : i >= 25 }", 1),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : 0 <= i <= 4 or 5 <= i <= 9 }", 0),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : i >= 0 and i <= 20 or i >= 3 and i <= 40 }", 1),
    ("{ [i] : 0 <= i <= 9 }", "{ [i] : i = 0 or i = 12 }", 1),
    ("{ [i] -> [j] : j = i + 1 and 0 <= i <= 9 }", "{ [i] -> [j] : 0 <= i }", 2),
    ("{ [i] -> [j] : j = i + 1 and 0 <= i <= 9 }", "{ [i] -> [j] : j = i + 1 }", 2),
    ("{ [i] -> [j] : 0 <= j <= i }", "{ [i] -> [j] : 0 <= i <= 9 and j >= 0 }", 1),
    ("{ S[i] -> T[i + 1] : i >= 0 }", "{ S[i] -> T[j] : i >= 0 and j >= 1 }", 1),
    ("{ [i, j, k] : 0 <= i <= j <= k <= 9 }", "{ [i, j, k] : i >= 0 and k <= 9 }", 2),
    ("{ [i, j, k] : i + j + k = 3 and i >= 0 }", "{ [i, j, k] : j + k <= 3 }", 1),
    ("{ [i] : exists e: 2e <= i <= 2e + 1 and e >= 3 }", "{ [i] : i >= 6 }", 0),
    ("{ [i] : 10*floor(i/10) = i and 0 <= i <= 90 }", "{ [i] : i mod 10 = 0 }", 2),
    ("{ [i] : floor(i/10) = 3 }", "{ [i] : 30 <= i <= 100 }", 1),
    ("{ [i] : floor(i/10) = 3 }", "{ [i] : floor(i/10) >= 3 }", 1),
    ("{ [i, j] : i = 4*floor(j/4) and 0 <= j <= 99 }", "{ [i, j] : 0 <= j <= 99 }", 3),
    ("{ [i, j] : 4i <= j <= 4i + 3 and 0 <= j <= 99 }", "{ [i, j] : i = floor(j/4) }", 2),
    ("{ [i] : 2i >= 7 }", "{ [i] : i >= 4 }", 0),
    ("{ [i] : 3 <= 2i <= 9 }", "{ [i] : i >= 2 }", 1),
    ("{ [i, j] : 2i + 3j >= 12 }", "{ [i, j] : i >= 3 and j >= 2 }", 0),
    ("{ [i, j] : 2i + 3j >= 12 and j >= 0 }", "{ [i, j] : i = 0 }", 1),
    ("{ [i] : false }", "{ [i] : i >= 0 }", 0),
    ("{ [i] : i >= 0 }", "{ [i] : false }", 0),
    ("{ [i] }", "{ [i] : i >= 0 }", 0),
    ("{ [i] : i >= 0 }", "{ [i] }", 1),
    ("{ A[i] : i >= 3 and i <= 7 }", "{ A[i] : i >= 5 or i <= -5 }", 2),
];

fn n_constraints(map: &Map) -> usize {
    let pieces = map.basic_maps().iter().filter(|basic| !basic.plain_is_empty());
    pieces.map(|basic| basic.equalities().len() + basic.inequalities().len()).sum()
}

#[test]
fn what_the_context_says_is_left_out() {
    check(&GIST, |&(text, context_text, most)| {
        let (map, context) = (relation(text), relation(context_text));
        let gist = map.gist(&context, &budget()).unwrap();
        let inside = |map: &Map| map.intersect(&context).unwrap();
        let n = n_constraints(&gist);
        match inside(&gist).is_equal(&inside(&map), &budget()).unwrap() {
            false => Err(format!("{text} in {context_text} became {gist}")),
            true if n > most => {
                Err(format!("{text} in {context_text}: {n} constraints, expected {most}: {gist}"))
            }
            true => Ok(()),
        }
    });
}

#[test]
fn values_of_the_context_are_put_in() {
    for (text, context, expected) in [
        ("[n] -> { [i] : 0 <= i < n }", "[n] -> { [i] : n = 5 }", "[n] -> { [i] : 0 <= i <= 4 }"),
        ("{ [i, j] : i <= j <= 2i }", "{ [i, j] : i = 3 }", "{ [i, j] : 3 <= j <= 6 }"),
        ("{ [i, j] : j = floor(i/2) }", "{ [i, j] : i = 7 or i = 7 and j = 9 }", "{ [i, 3] }"),
        ("{ [i, j] : i < j }", "{ [i, j] : i = 3 or i = 4 }", "{ [i, j] : i < j }"),
        ("{ [i, j] : i = j }", "{ [i, j] : i = 3 }", "{ [i, j] : j = 3 }"),
    ] {
        let gist = relation(text).gist(&relation(context), &budget()).unwrap();
        assert!(super::means(&gist, expected), "{text} in {context}: {gist}");
    }
}
