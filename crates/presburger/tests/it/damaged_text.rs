//! Damaged texts are refused or read: nothing panics.
use loopwright_presburger::{
    Aff, Map, MultiAff, MultiPwAff, MultiUnionPwAff, MultiVal, PwAff, PwMultiAff, PwQPolynomial,
    PwQPolynomialFold, Set, UnionMap, UnionPwAff, UnionPwMultiAff, UnionSet,
};
use proptest::prelude::*;

const TEXTS: [&str; 9] = [
    "[n, m] -> { S[i, j] : 0 <= i < j < n and (i + j) mod 2 = 0 or exists (e : 3e = i) }",
    "[n] -> { A[i] -> B[j = floor((i + n)/2), *] : not (i > 3 and exists e : i = 2e) implies i >= n }",
    "{ [i, j] -> [max(i - j, 2*floor(j/3)) + (i > 0 ? j : -i) mod 4] : i, j << 3, 4 }",
    "{ A[B[i] -> C[0:3]] -> [(i + 2)/3, NaN]; D[] -> [1, (2i)] }",
    "L[{ S[i] -> [(i)]; T[] -> [(0)] }, { S[i] -> [(0)]; T[] -> [(1)] }]",
    "{ [(i), (2 + i) % 3, -3i*4] : false; [1000000000000000000000000, b, c] : b != 1/2 }",
    "[n] -> { [i] -> (1/2*i^2 + n*floor((i)/2)^3 - 7) : 0 <= i < n; [i] -> NaN : i < 0; [i] -> infty }",
    "[n] -> { A[i] -> max(i^2, n*i, (i mod 3)/2) : i > 0; B[1, 2/3, -infty] -> min(3) : n = 0 }",
    "[p] -> { : p >= 0 && true || !(p <= ceil(p/7)) }",
];

fn read_as_everything(text: &str) {
    let printed = [
        Set::parse(text).map(|x| x.to_string()),
        Map::parse(text).map(|x| x.to_string()),
        UnionSet::parse(text).map(|x| x.to_string()),
        UnionMap::parse(text).map(|x| x.to_string()),
        Aff::parse(text).map(|x| x.to_string()),
        PwAff::parse(text).map(|x| x.to_string()),
        MultiAff::parse(text).map(|x| x.to_string()),
        PwMultiAff::parse(text).map(|x| x.to_string()),
        UnionPwAff::parse(text).map(|x| x.to_string()),
        UnionPwMultiAff::parse(text).map(|x| x.to_string()),
        MultiUnionPwAff::parse(text).map(|x| x.to_string()),
        MultiPwAff::parse(text).map(|x| x.to_string()),
        MultiVal::parse(text).map(|x| x.to_string()),
        PwQPolynomial::parse(text).map(|x| x.to_string()),
        PwQPolynomialFold::parse(text).map(|x| x.to_string()),
    ];
    for text in printed.into_iter().flatten() {
        assert!(!text.is_empty());
    }
}

#[test]
fn the_texts_themselves() {
    TEXTS.iter().for_each(|text| read_as_everything(text));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn parts_replaced_by_parts_of_others(
        (to, from) in (0..TEXTS.len(), 0..TEXTS.len()),
        (start, length) in (0usize..60, 0usize..8),
        (source, taken) in (0usize..60, 0usize..10),
    ) {
        let (to, from): (Vec<char>, Vec<char>) = (TEXTS[to].chars().collect(), TEXTS[from].chars().collect());
        let start = start.min(to.len());
        let end = (start + length).min(to.len());
        let source = source.min(from.len());
        let part = &from[source..(source + taken).min(from.len())];
        let text: String = [&to[..start], part, &to[end..]].concat().into_iter().collect();
        read_as_everything(&text);
    }
}

/// Sums of any length are read and dropped without recursion.
#[test]
fn sums_may_be_long() {
    let terms: Vec<String> = (1..=200_000).map(|k| format!("{}*n^{}", k, k % 7)).collect();
    let text = format!("[n] -> {{ ({}) }}", terms.join(" + "));
    let sum = loopwright_presburger::QPolynomial::parse(&text).unwrap();
    assert_eq!(sum.terms().len(), 7);
    let linear = format!("[n] -> {{ [i] : i = {} }}", vec!["n"; 100_000].join(" - "));
    assert!(loopwright_presburger::Set::parse(&linear).is_ok());
}
