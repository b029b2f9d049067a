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

/// The value at a point, if there is exactly one piece with the point.
fn value(function: &PwAff, point: &[Int]) -> Option<Rational> {
    let values = values(function, point);
    assert!(values.len() <= 1, "the pieces of {function} overlap at {point:?}");
    values.into_iter().next()
}

#[test]
fn unions_take_what_is_defined() {
    let partial = [FUNCTIONS[0], FUNCTIONS[2], "{ [i, j] -> [(j)] : -2 <= i < j }"];
    for (a_text, b_text) in partial.iter().flat_map(|a| partial.iter().map(move |b| (a, b))) {
        let (a, b) = (PwAff::parse(a_text).unwrap(), PwAff::parse(b_text).unwrap());
        let sum = a.union_add(&b, &budget()).unwrap();
        let least = a.union_min(&b, &budget()).unwrap();
        let greatest = a.union_max(&b, &budget()).unwrap();
        let chosen = a.cond(&b, &sum).unwrap();
        for point in points() {
            let (x, y) = (value(&a, &point), value(&b, &point));
            let both = |join: fn(&Rational, &Rational) -> Rational| match (&x, &y) {
                (Some(x), Some(y)) => Some(join(x, y)),
                _ => x.clone().or(y.clone()),
            };
            assert_eq!(value(&sum, &point), both(|x, y| x + y));
            assert_eq!(value(&least, &point), both(|x, y| x.min(y).clone()));
            assert_eq!(value(&greatest, &point), both(|x, y| x.max(y).clone()));
            let expected = x.clone().and_then(|x| match x.is_zero() {
                true => value(&sum, &point),
                false => y.clone(),
            });
            assert_eq!(value(&chosen, &point), expected);
        }
    }
}

#[test]
fn comparisons_relate_points_of_two_domains() {
    let a = PwAff::parse("{ A[i] -> [(i mod 3)] : i > -3; A[i] -> [(-i)] : i < -4 }").unwrap();
    let b = PwAff::parse("[n] -> { B[j, k] -> [max(n, floor(j/2) + k)] }").unwrap();
    let maps = [a.eq_map(&b), a.ne_map(&b), a.ge_map(&b), a.gt_map(&b), a.le_map(&b), a.lt_map(&b)];
    let maps = maps.map(|map| map.unwrap());
    let number = |n: i64| Int::from(n);
    for (n, i) in [-1, 1].into_iter().flat_map(|n| (-7..4).map(move |i| (n, i))) {
        for (j, k) in (-3..4).flat_map(|j| (-3..4).map(move |k| (j, k))) {
            let x = value(&a, &[number(i)]);
            let y = value(&b, &[number(n), number(j), number(k)]);
            let expected = match (x, y) {
                (Some(x), Some(y)) => [x == y, x != y, x >= y, x > y, x <= y, x < y],
                _ => [false; 6],
            };
            let point = [n, i, j, k].map(number);
            let found = maps.each_ref().map(|map| map.contains_point(&point, &budget()).unwrap());
            assert_eq!(found, expected, "at {point:?}");
        }
    }
}

#[test]
fn functions_are_restricted_and_compared() {
    let set = Set::parse("{ [i, j] : i mod 2 = 0 and j > -5 or i = 3 }").unwrap();
    let indicator = PwAff::indicator(&set, &budget()).unwrap();
    for text in FUNCTIONS {
        let function = PwAff::parse(text).unwrap();
        let inside = function.intersect_domain(&set).unwrap();
        let outside = function.subtract_domain(&set, &budget()).unwrap();
        for point in points() {
            let is_inside = set.contains_point(&point, &budget()).unwrap();
            let whole = value(&function, &point);
            let (kept, dropped) = (value(&inside, &point), value(&outside, &point));
            assert_eq!((kept, dropped), if is_inside { (whole, None) } else { (None, whole) });
            assert_eq!(value(&indicator, &point), Some(Rational::from(i64::from(is_inside))));
        }
        let again = inside.union_disjoint(&outside).unwrap();
        assert!(again.is_equal(&function, &budget()).unwrap());
        assert!(!inside.is_equal(&function, &budget()).unwrap());
        assert!(!again.add_constant(&Int::ONE).is_equal(&function, &budget()).unwrap());
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
    assert!(band.to_union_map().unwrap().is_equal(&expected, &budget()).unwrap());
    let domain = UnionSet::parse("{ S[i] : i >= 0; T[i, j] }").unwrap();
    assert!(band.domain().unwrap().is_equal(&domain, &budget()).unwrap());
    let inner = UnionPwMultiAff::parse("{ A[k] -> S[(k + 1)]; A2[k] -> U[(k)] }").unwrap();
    let pulled = band.pullback(&inner).unwrap();
    let expected = UnionMap::parse("{ A[k] -> [k + 1, 0] : k >= -1 }").unwrap();
    assert!(pulled.to_union_map().unwrap().is_equal(&expected, &budget()).unwrap());
}

#[test]
fn parameters_are_aligned_by_name() {
    let a = Aff::parse("[n, m] -> { S[i] -> [(n + 2m + i)] }").unwrap();
    let b = Aff::parse("[k, m, n] -> { S[i] -> [(k - m - n + floor(m/2))] }").unwrap();
    let sum = a.add(&b).unwrap();
    assert_eq!(sum.to_string(), "[n, m, k] -> { S[i] -> [(m + k + i + floor((m)/2))] }");
    assert!(sum.sub(&b).unwrap().plain_is_equal(&a));
}

#[test]
fn an_optimum_among_remainders_is_explicit() {
    let text = "[t] -> { [i] -> [j] : (t + j) mod 128 = 0 and t > 0 and t <= j <= 134 }";
    let map = Map::parse(text).unwrap();
    let least = map.lexmin_pw_multi_aff(&budget()).unwrap();
    assert!(least.to_map().is_equal(&map, &budget()).unwrap());
    let whole = PwMultiAff::from_map(&map, &budget()).unwrap();
    assert!(whole.is_equal(&least, &budget()).unwrap());
    let text =
        "{ [i] -> [j] : j mod 32 = 0 and i <= j <= i + 40 or j mod 5 = i mod 5 and -2 <= j < 4 }";
    let map = Map::parse(text).unwrap();
    let (least, greatest) =
        (map.lexmin_pw_multi_aff(&budget()).unwrap(), map.lexmax_pw_multi_aff(&budget()).unwrap());
    for i in -40..70i64 {
        let images = (-50..120i64).filter(|j| {
            j.rem_euclid(32) == 0 && i <= *j && *j <= i + 40
                || j.rem_euclid(5) == i.rem_euclid(5) && (-2..4).contains(j)
        });
        let images: Vec<i64> = images.collect();
        let found = |f: &PwMultiAff| value(&f.pw_aff(0), &[Int::from(i)]);
        assert_eq!(found(&least), images.iter().min().copied().map(Rational::from));
        assert_eq!(found(&greatest), images.iter().max().copied().map(Rational::from));
    }
}
