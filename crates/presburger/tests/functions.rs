//! Operations on quasi-affine functions, against their values at points.
use loopwright_presburger::{
    Aff, Budget, Int, Map, MultiAff, MultiUnionPwAff, PwAff, PwMultiAff, Rational, Set, UnionMap,
    UnionPwMultiAff, UnionSet,
};

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

fn points() -> impl Iterator<Item = [Int; 2]> {
    (-7..8).flat_map(|i| (-7..8).map(move |j| [Int::from(i), Int::from(j)]))
}

/// The values of the pieces whose domain has the point.
fn values(function: &PwAff, point: &[Int]) -> Vec<Rational> {
    let contains = |domain: &Set| domain.contains_point(point, &budget()).unwrap();
    let pieces = function.pieces().iter().filter(|(domain, _)| contains(domain));
    pieces.map(|(_, aff)| aff.eval(point)).collect()
}

const FUNCTIONS: [&str; 5] = [
    "{ [i, j] -> [(i)] : i >= j; [i, j] -> [(j - 3)] : i < j }",
    "{ [i, j] -> [max(i - j, 2*floor(j/3))] }",
    "{ [i, j] -> [(i + j) mod 4] : i > -3 }",
    "{ [i, j] -> [(-5)] }",
    "{ [i, j] -> [(i + 2j)/3] : (i + 2j) mod 3 = 0; [i, j] -> [(0)] : (i + 2j) mod 3 > 0 }",
];

#[test]
fn binary_operations_act_on_values() {
    for (a_text, b_text) in FUNCTIONS.iter().flat_map(|a| FUNCTIONS.iter().map(move |b| (a, b))) {
        let (a, b) = (PwAff::parse(a_text).unwrap(), PwAff::parse(b_text).unwrap());
        let sum = a.add(&b).unwrap();
        let difference = a.sub(&b).unwrap().coalesce(&budget()).unwrap();
        let least = a.min(&b, &budget()).unwrap();
        let greatest = a.max(&b, &budget()).unwrap();
        let (less, equal) = (a.lt_set(&b).unwrap(), a.eq_set(&b).unwrap());
        for point in points().step_by(3) {
            let (x, y) = (values(&a, &point), values(&b, &point));
            let ([x], [y]) = (&x[..], &y[..]) else {
                assert!(values(&sum, &point).is_empty() && values(&least, &point).is_empty());
                continue;
            };
            assert_eq!(values(&sum, &point), [x + y]);
            assert_eq!(values(&difference, &point), [x - y]);
            assert_eq!(values(&least, &point), [x.min(y).clone()]);
            assert_eq!(values(&greatest, &point), [x.max(y).clone()]);
            assert_eq!(less.contains_point(&point, &budget()).unwrap(), x < y);
            assert_eq!(equal.contains_point(&point, &budget()).unwrap(), x == y);
        }
    }
}

#[test]
fn truncated_division_is_that_of_c() {
    for divisor in [3, -4] {
        let i = PwAff::parse("{ [i, j] -> [(2i - j)] }").unwrap();
        let quotient = i.tdiv_q(&Int::from(divisor), &budget()).unwrap();
        let remainder = i.tdiv_r(&Int::from(divisor), &budget()).unwrap();
        for point in points() {
            let value = 2 * point[0].to_i64().unwrap() - point[1].to_i64().unwrap();
            assert_eq!(values(&quotient, &point), [Rational::from(value / divisor)]);
            assert_eq!(values(&remainder, &point), [Rational::from(value % divisor)]);
        }
    }
    assert!(PwAff::parse("{ [i] -> [(i)] }").unwrap().tdiv_q(&Int::ZERO, &budget()).is_err());
}

#[test]
fn selection_follows_the_condition() {
    let (a, b) = (PwAff::parse(FUNCTIONS[1]).unwrap(), PwAff::parse(FUNCTIONS[3]).unwrap());
    let condition = Set::parse("{ [i, j] : i mod 2 = 0 or j > 2 }").unwrap();
    let chosen = PwAff::select(&condition, &a, &b, &budget()).unwrap();
    for point in points() {
        let holds = condition.contains_point(&point, &budget()).unwrap();
        let expected = values(if holds { &a } else { &b }, &point);
        assert_eq!(values(&chosen, &point), expected);
    }
}

#[test]
fn composition_is_evaluation() {
    let inner = MultiAff::parse("{ [i, j] -> A[(i - j), (2*floor(i/2) + 1)] }").unwrap();
    for text in ["{ A[x, y] -> [(3x + floor((x - y)/4))] : x > y; A[x, y] -> [(y)] : x <= y }"] {
        let outer = PwAff::parse(text).unwrap();
        let composed = outer.pullback_multi_aff(&inner).unwrap();
        for point in points() {
            let image: Vec<Int> =
                inner.affs().iter().map(|aff| aff.eval(&point).to_int().unwrap()).collect();
            assert_eq!(values(&composed, &point), values(&outer, &image));
        }
    }
}

#[test]
fn fractions_have_preimages_only_where_they_are_integers() {
    let half = MultiAff::parse("{ [i] -> [(i)/2] }").unwrap();
    let preimage = half.preimage(&Set::parse("{ [x] : 0 <= x <= 2 }").unwrap()).unwrap();
    let expected = Set::parse("{ [i] : 0 <= i <= 4 and i mod 2 = 0 }").unwrap();
    assert!(preimage.is_equal(&expected, &budget()).unwrap());
}

#[test]
fn graphs_and_functions_are_inverse() {
    for text in [
        "{ [i] -> [j] : 2j <= i <= 2j + 1 }",
        "{ [i] -> [j] : 2j = i }",
        "{ [i] -> [j, k] : i = 4j + k and 0 <= k < 4 }",
        "[n] -> { A[i] -> B[j, i] : j = i + n and i > 3; A[i] -> B[0, 0] : i < 2 }",
        "{ A[i] -> B[j] : j = i and i > 3; A[i] -> B[4] : i < 5 }",
        "{ [i] -> [j] : exists e: i = 3e + 1 and j = 2e and e >= 0 }",
        "{ [i, j] -> [k] : k >= i and k <= i + j and j = 0 }",
        "{ [i] -> [j] : 3j <= 2i <= 3j + 1 }",
        "[n] -> { [] -> [n, m] : m = 2n }",
    ] {
        let map = Map::parse(text).unwrap();
        let function =
            PwMultiAff::from_map(&map, &budget()).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert!(function.to_map().is_equal(&map, &budget()).unwrap(), "{text} as {function}");
        let domains: Vec<&Set> = function.pieces().iter().map(|(domain, _)| domain).collect();
        for (index, domain) in domains.iter().enumerate() {
            for other in &domains[index + 1..] {
                assert!(domain.is_disjoint(other, &budget()).unwrap(), "{function}");
            }
        }
    }
    for text in ["{ [i] -> [j] : i <= j <= i + 1 }", "{ [i] -> [i] : i > 0; [i] -> [0] : i < 5 }"] {
        assert!(PwMultiAff::from_map(&Map::parse(text).unwrap(), &budget()).is_err(), "{text}");
    }
}

#[test]
fn contexts_simplify_expressions() {
    for (context, aff, expected) in [
        ("{ [i, j] : i = 32j + 5 }", "{ [i, j] -> [(i - 32*floor(i/32))] }", "{ [i, j] -> [(5)] }"),
        ("{ [i, j] : 0 <= i < 32 }", "{ [i, j] -> [floor(i/32)] }", "{ [i, j] -> [(0)] }"),
        (
            "{ [i, j] : exists e: i = 2e }",
            "{ [i, j] -> [(2*floor(i/2) + j)] }",
            "{ [i, j] -> [(i + j)] }",
        ),
        ("{ [i, j] : j = i + 1 }", "{ [i, j] -> [(i + j)] }", "{ [i, j] -> [(1 + 2i)] }"),
        ("{ [i, j] : i > j }", "{ [i, j] -> [floor(i/2)] }", "{ [i, j] -> [(floor((i)/2))] }"),
    ] {
        let context = Set::parse(context).unwrap();
        let aff = Aff::parse(aff).unwrap();
        let simple = aff.gist(&context, &budget()).unwrap();
        assert_eq!(simple.to_string(), expected);
        for point in points() {
            if context.contains_point(&point, &budget()).unwrap() {
                assert_eq!(simple.eval(&point), aff.eval(&point));
            }
        }
    }
}

#[test]
fn bands_become_relations() {
    let band = MultiUnionPwAff::parse(
        "[{ S[i] -> [(i)] : i >= 0; T[i, j] -> [(j)] }, { S[i] -> [(0)]; T[i, j] -> [(i)] }]",
    );
    let band = band.unwrap();
    let expected = UnionMap::parse("{ S[i] -> [i, 0] : i >= 0; T[i, j] -> [j, i] }").unwrap();
    assert!(band.to_union_map().is_equal(&expected, &budget()).unwrap());
    let domain = UnionSet::parse("{ S[i] : i >= 0; T[i, j] }").unwrap();
    assert!(band.domain().is_equal(&domain, &budget()).unwrap());
    let inner = UnionPwMultiAff::parse("{ A[k] -> S[(k + 1)]; A2[k] -> U[(k)] }").unwrap();
    let pulled = band.pullback(&inner).unwrap();
    let expected = UnionMap::parse("{ A[k] -> [k + 1, 0] : k >= -1 }").unwrap();
    assert!(pulled.to_union_map().is_equal(&expected, &budget()).unwrap());
}

#[test]
fn parameters_are_aligned_by_name() {
    let a = Aff::parse("[n, m] -> { S[i] -> [(n + 2m + i)] }").unwrap();
    let b = Aff::parse("[k, m, n] -> { S[i] -> [(k - m - n + floor(m/2))] }").unwrap();
    let sum = a.add(&b).unwrap();
    assert_eq!(sum.to_string(), "[n, m, k] -> { S[i] -> [(m + k + i + floor((m)/2))] }");
    assert!(sum.sub(&b).unwrap().plain_is_equal(&a));
}
