//! Compositions, products, wrapping, orders of relations in several spaces.
use super::{budget, check};
use loopwright_presburger::{UnionMap, UnionSet};

const STRUCTURE: [(&str, &str, &str, &str); 42] = [
    ("apply_range", "{ A[i] -> B[i + 1] }", "{ B[i] -> C[2i] }", "{ A[i] -> C[2 + 2i] }"),
    (
        "apply_range",
        "{ A[i] -> B[j] : 0 <= j <= i }",
        "{ B[j] -> C[k] : j <= k <= 9 }",
        "{ A[i] -> C[k] : i >= 0 and 0 <= k <= 9 }",
    ),
    (
        "apply_range",
        "{ A[i] -> B[2i] }",
        "{ B[i] -> C[floor(i/4)] }",
        "{ A[i] -> C[o0] : -1 + i <= 2o0 <= i }",
    ),
    (
        "apply_range",
        "{ A[i] -> B[i]; A[i] -> C[i] }",
        "{ B[i] -> D[i + 1] }",
        "{ A[i] -> D[1 + i] }",
    ),
    (
        "apply_range",
        "{ A[i] -> B[i] : i mod 2 = 0 }",
        "{ B[i] -> A[3i] : i >= 0 }",
        "{ A[i] -> A[3i] : (i) mod 2 = 0 and i >= 0 }",
    ),
    (
        "apply_domain",
        "{ A[i] -> B[i + 1] }",
        "{ A[i] -> C[2i] }",
        "{ C[i0] -> B[o0] : 2o0 = 2 + i0 }",
    ),
    ("apply_domain", "{ A[i, j] -> B[i] }", "{ A[i, j] -> C[i + j] }", "{ C[i0] -> B[o0] }"),
    (
        "intersect",
        "{ A[i] -> B[j] : i >= 0 }",
        "{ A[i] -> B[j] : j = i + 1; A[i] -> C[] }",
        "{ A[i] -> B[j = 1 + i] : i >= 0 }",
    ),
    (
        "union",
        "{ A[i] -> B[i] }",
        "{ A[i] -> B[i + 1]; C[] -> D[] }",
        "{ A[i] -> B[o0] : i <= o0 <= 1 + i; C[] -> D[] }",
    ),
    (
        "subtract",
        "{ A[i] -> B[j] : 0 <= i, j <= 3; C[] -> D[] }",
        "{ A[i] -> B[i] }",
        "{ C[] -> D[]; A[i] -> B[j] : (i <= 3 and 0 <= j < i) or (i >= 0 and i < j <= 3) }",
    ),
    ("product", "{ A[i] -> B[i] }", "{ C[j] -> D[2j] }", "{ [A[i] -> C[j]] -> [B[i] -> D[2j]] }"),
    (
        "product",
        "{ A[i] -> B[i]; E[] -> F[] }",
        "{ C[j] -> D[2j] }",
        "{ [A[i] -> C[j]] -> [B[i] -> D[2j]]; [E[] -> C[j]] -> [F[] -> D[2j]] }",
    ),
    ("range_product", "{ A[i] -> B[i] }", "{ A[i] -> C[i + 1] }", "{ A[i] -> [B[i] -> C[1 + i]] }"),
    (
        "range_product",
        "{ A[i] -> B[j] : j <= i }",
        "{ A[i] -> C[j] : j > i; D[] -> E[] }",
        "{ A[i] -> [B[j] -> C[j']] : j <= i and j' > i }",
    ),
    (
        "domain_product",
        "{ A[i] -> C[i] }",
        "{ B[j] -> C[2j] }",
        "{ [A[i] -> B[j]] -> C[i] : 2j = i }",
    ),
    (
        "flat_range_product",
        "{ A[i] -> [i] }",
        "{ A[i] -> [i + 1, i + 2] }",
        "{ A[i] -> [i, 1 + i, 2 + i] }",
    ),
    (
        "lex_lt_union_map",
        "{ A[i] -> [0, i] : 0 <= i <= 3 }",
        "{ B[i] -> [i, 0] : 0 <= i <= 3 }",
        "{ A[i] -> B[i'] : 0 <= i <= 3 and 0 < i' <= 3 }",
    ),
    (
        "lex_le_union_map",
        "{ A[i] -> [i] }",
        "{ A[i] -> [i + 1] }",
        "{ A[i] -> A[i'] : i' >= -1 + i }",
    ),
    (
        "lex_gt_union_map",
        "{ A[i] -> [i]; B[i] -> [i, i] }",
        "{ A[i] -> [2i]; B[i] -> [0, i] }",
        "{ A[i] -> A[i'] : 2i' < i; B[i] -> B[i'] : i > 0; B[i = 0] -> B[i'] : i' < 0 }",
    ),
    ("lex_ge_union_map", "{ A[i] -> [i] }", "{ B[j] -> [-j] }", "{ A[i] -> B[j] : j >= -i }"),
    ("eq_at", "{ A[i] -> [i] }", "{ B[j] -> [2j] }", "{ A[i] -> B[j] : 2j = i }"),
    ("gist", "{ A[i] -> B[i + 1] : i >= 0 }", "{ A[i] -> B[j] : i >= 0 }", "{ A[i] -> B[1 + i] }"),
    (
        "reverse",
        "{ A[i] -> B[2i] : i >= 0; B[i] -> A[floor(i/2)] }",
        "",
        "{ A[i0] -> B[i] : 2i0 <= i <= 1 + 2i0; B[i0] -> A[i] : 2i = i0 and i0 >= 0 }",
    ),
    ("reverse", "{ [A[i] -> B[j]] -> C[i + j] }", "", "{ C[i0] -> [A[i] -> B[j = i0 - i]] }"),
    (
        "domain",
        "{ A[i] -> B[j] : 0 <= i <= j <= 9; C[] -> A[3] }",
        "",
        "{ A[i] : 0 <= i <= 9; C[] }",
    ),
    (
        "range",
        "{ A[i] -> B[j] : 0 <= i <= j <= 9 and j = 3i; C[] -> B[100] }",
        "",
        "{ B[i0] : (i0) mod 3 = 0 and 0 <= i0 <= 9; B[100] }",
    ),
    ("domain", "{ [i] -> [j] : i = 2j or i = 3j }", "", "{ [i] : (i) mod 2 = 0 or (i) mod 3 = 0 }"),
    (
        "range",
        "{ [i] -> [2i + 1] : 0 <= i <= 9 }",
        "",
        "{ [i0] : (1 + i0) mod 2 = 0 and 0 < i0 <= 19 }",
    ),
    (
        "wrap",
        "{ A[i] -> B[i + 1] : i >= 0; C[] -> D[] }",
        "",
        "{ [C[] -> D[]]; [A[i] -> B[1 + i]] : i >= 0 }",
    ),
    ("domain_map", "{ A[i] -> B[j] : i <= j }", "", "{ [A[i] -> B[j]] -> A[i' = i] : j >= i }"),
    ("range_map", "{ A[i] -> B[j] : i <= j }", "", "{ [A[i] -> B[j]] -> B[j' = j] : j >= i }"),
    ("deltas", "{ A[i] -> A[j] : i + 1 <= j <= i + 3; A[i] -> B[i] }", "", "{ A[i] : 0 < i <= 3 }"),
    ("deltas", "{ [i, j] -> [i + 1, k] : k >= j }", "", "{ [i = 1, j] : j >= 0 }"),
    ("curry", "{ [A[i] -> B[j]] -> C[i + j] }", "", "{ A[i] -> [B[j] -> C[i + j]] }"),
    ("uncurry", "{ A[i] -> [B[j] -> C[i + j]] }", "", "{ [A[i] -> B[j]] -> C[i + j] }"),
    (
        "domain_factor_domain",
        "{ [A[i] -> B[j]] -> C[k] : k = i + j and 0 <= j <= 3 }",
        "",
        "{ A[i] -> C[k] : i <= k <= 3 + i }",
    ),
    (
        "domain_factor_range",
        "{ [A[i] -> B[j]] -> C[k] : k = i + j and 0 <= i <= 3 }",
        "",
        "{ B[j] -> C[k] : j <= k <= 3 + j }",
    ),
    (
        "range_factor_domain",
        "{ A[i] -> [B[j] -> C[k]] : j = i and 0 <= k <= i }",
        "",
        "{ A[i] -> B[j = i] : i >= 0 }",
    ),
    (
        "range_factor_range",
        "{ A[i] -> [B[j] -> C[k]] : j = i and 0 <= k <= i }",
        "",
        "{ A[i] -> C[k] : 0 <= k <= i }",
    ),
    (
        "lexmin",
        "{ A[i] -> B[j] : i <= j <= i + 9; A[i] -> C[j] : j = 0 or j = 1 }",
        "",
        "{ A[i] -> B[j = i]; A[i] -> C[j = 0] }",
    ),
    (
        "lexmax",
        "{ A[i] -> B[j] : i <= 2j <= i + 9; A[i] -> C[j] : j = 0 or j = i }",
        "",
        "{ A[i] -> B[j] : 8 + i <= 2j <= 9 + i; A[i] -> C[j = i] : i >= 0; A[i] -> C[j = 0] : i < 0 }",
    ),
    (
        "coalesce",
        "{ A[i] -> B[i] : 0 <= i <= 4; A[i] -> B[i] : 5 <= i <= 9 }",
        "",
        "{ A[i] -> B[i] : 0 <= i <= 9 }",
    ),
];

enum Result {
    Map(UnionMap),
    Set(UnionSet),
}

fn compute(operation: &str, left: &UnionMap, right: &str) -> Result {
    let right = || UnionMap::parse(right).unwrap();
    let result = match operation {
        "apply_range" => left.apply_range(&right()),
        "apply_domain" => left.apply_domain(&right()),
        "intersect" => left.intersect(&right()),
        "union" => left.union(&right()),
        "subtract" => left.subtract(&right(), &budget()),
        "product" => left.product(&right()),
        "range_product" => left.range_product(&right()),
        "domain_product" => left.domain_product(&right()),
        "flat_range_product" => left.flat_range_product(&right()),
        "lex_lt_union_map" => left.lex_lt_union_map(&right()),
        "lex_le_union_map" => left.lex_le_union_map(&right()),
        "lex_gt_union_map" => left.lex_gt_union_map(&right()),
        "lex_ge_union_map" => left.lex_ge_union_map(&right()),
        "eq_at" => left.eq_at(&right()),
        "gist" => left.gist(&right(), &budget()),
        "reverse" => Ok(left.reverse()),
        "domain_map" => Ok(left.domain_map()),
        "range_map" => Ok(left.range_map()),
        "curry" => left.curry(),
        "uncurry" => left.uncurry(),
        "domain_factor_domain" => left.domain_factor_domain(),
        "domain_factor_range" => left.domain_factor_range(),
        "range_factor_domain" => left.range_factor_domain(),
        "range_factor_range" => left.range_factor_range(),
        "lexmin" => left.lexmin(&budget()),
        "lexmax" => left.lexmax(&budget()),
        "coalesce" => left.coalesce(&budget()),
        "domain" => return Result::Set(left.domain()),
        "range" => return Result::Set(left.range()),
        "wrap" => return Result::Set(left.wrap()),
        "deltas" => return Result::Set(left.deltas().unwrap()),
        other => panic!("no operation {other}"),
    };
    Result::Map(result.unwrap())
}

#[test]
fn results_are_what_they_should_be() {
    check(&STRUCTURE, |&(operation, left, right, expected)| {
        let map = UnionMap::parse(left).unwrap();
        let (equal, found) = match compute(operation, &map, right) {
            Result::Map(found) => {
                let expected = UnionMap::parse(expected).unwrap();
                (found.is_equal(&expected, &budget()).unwrap(), found.to_string())
            }
            Result::Set(found) => {
                let expected = UnionSet::parse(expected).unwrap();
                (found.is_equal(&expected, &budget()).unwrap(), found.to_string())
            }
        };
        match equal {
            true => Ok(()),
            false => Err(format!("{operation} {left} {right}: {found}, expected {expected}")),
        }
    });
}
