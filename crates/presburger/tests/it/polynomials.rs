//! Quasi-polynomials, against their values at points.
use loopwright_presburger::{
    Budget, FoldKind, Int, MultiAff, PwMultiAff, PwQPolynomial, PwQPolynomialFold, QPolynomial,
    Rational, Set, UnionPwQPolynomial, Value,
};
use proptest::prelude::*;

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

/// Values of one parameter and two dimensions.
fn points() -> impl Iterator<Item = [i64; 3]> {
    (-3..4).flat_map(|n| (-4..5).flat_map(move |i| (-4..5).map(move |j| [n, i, j])))
}

fn at(function: &PwQPolynomial, point: [i64; 3]) -> Value {
    function.eval(&point.map(Int::from), &budget()).unwrap()
}

const FUNCTIONS: [&str; 5] = [
    "[n] -> { [i, j] -> (1/2*i^2 + n*floor(i/2)*j - 3) : i >= j; [i, j] -> (j - n)^2 : i < j }",
    "[n] -> { [i, j] -> (i mod 3)*(j + 2/3)*n : i + j > n }",
    "[n] -> { [i, j] -> 7/2 }",
    "[n] -> { [i, j] -> floor((i + 2j)/3)^3 - i : exists a : i = 2a }",
    "[n] -> { [i, j] -> n : n >= 1 and j >= i and j <= n and i >= -1 + n }",
];

fn functions() -> Vec<PwQPolynomial> {
    FUNCTIONS.iter().map(|text| PwQPolynomial::parse(text).unwrap()).collect()
}

#[test]
fn the_ring_operations_act_on_values() {
    for (a, b) in
        functions().iter().flat_map(|a| functions().into_iter().map(move |b| (a.clone(), b)))
    {
        let sum = a.add(&b, &budget()).unwrap();
        let difference = a.sub(&b, &budget()).unwrap();
        let product = a.mul(&b).unwrap();
        let cube = a.pow(3, &budget()).unwrap();
        let scaled = a.scale(&Rational::new(Int::from(-2), Int::from(3)));
        for point in points().step_by(5) {
            let (x, y) = (at(&a, point), at(&b, point));
            assert_eq!(at(&sum, point), &x + &y);
            assert_eq!(at(&difference, point), &x - &y);
            assert_eq!(at(&product, point), &x * &y);
            assert_eq!(at(&cube, point), &(&x * &x) * &x);
            assert_eq!(at(&scaled, point), &x * &"-2/3".parse().unwrap());
        }
        assert!(difference.add(&b, &budget()).unwrap().is_obviously_equal(&a, &budget()).unwrap());
    }
}

#[test]
fn texts_are_read_back() {
    for function in functions() {
        let again = PwQPolynomial::parse(&function.to_string()).unwrap();
        points().for_each(|point| assert_eq!(at(&function, point), at(&again, point)));
    }
    let text =
        "[U] -> { [i0] -> ((1/3 * U + 2/3 * i0) - [(U + 2i0)/3]) : 2i0 >= -3 - U and U <= 10 }";
    let fraction = PwQPolynomial::parse(text).unwrap();
    let value = |u: i64, i: i64| fraction.eval(&[u, i].map(Int::from), &budget()).unwrap();
    assert_eq!(
        [value(3, 2), value(0, 1), value(1, -3)],
        ["1/3", "2/3", "0"].map(|v| v.parse().unwrap())
    );
    let special = QPolynomial::parse("{ [i] -> -infty }").unwrap();
    assert_eq!(special.to_string(), "{ [i] -> -infty }");
    assert_eq!(
        PwQPolynomial::parse("[n] -> { n^2 : n > 2 }").unwrap().to_string(),
        "[n] -> { (n^2) : n >= 3 }"
    );
    assert_eq!(
        PwQPolynomial::parse("{ [i] -> i - i : false }").unwrap().to_string(),
        "{ [i] -> 0 : false }"
    );
    for text in [
        "{ [i] -> i/0 }",
        "{ [i] -> floor(i^2/3) }",
        "{ [i] -> i^-2 }",
        "{ [i] -> max(i, 2) + 1 }",
        "{ [i] -> (1 + i)^99^99 }",
        "{ [i] -> i/i }",
        "{ [i] -> (i > 3) }",
    ] {
        assert!(PwQPolynomial::parse(text).is_err(), "{text}");
    }
    assert!(PwQPolynomial::parse("{ [a,b,c,d,e,f,g,h] -> (a+b+c+d+e+f+g+h)^100 }").is_err());
    let union =
        UnionPwQPolynomial::parse("[n] -> { A[i] -> n*i; B[] -> 3 : n > 0; A[i] -> 2 : false }")
            .unwrap();
    let twice = union.add(&union, &budget()).unwrap();
    assert_eq!(twice.to_string(), "[n] -> { A[i] -> (2*n*i); B[] -> (6) : n > 0 }");
    assert_eq!(
        union.mul(&union).unwrap().to_string(),
        "[n] -> { A[i] -> (n^2*i^2); B[] -> (9) : n > 0 }"
    );
}

#[test]
fn composition_is_composition() {
    let inner =
        "[n] -> { [k, l] -> [(k + n), (floor(l/2))] : k < l; [k, l] -> [(2l - k), (k)] : k > l }";
    let inner = PwMultiAff::parse(inner).unwrap();
    for function in functions() {
        let composed = function.pullback_pw_multi_aff(&inner).unwrap();
        for [n, k, l] in points() {
            let expected = match k.cmp(&l) {
                std::cmp::Ordering::Less => at(&function, [n, k + n, l.div_euclid(2)]),
                std::cmp::Ordering::Greater => at(&function, [n, 2 * l - k, k]),
                std::cmp::Ordering::Equal => Value::from(0),
            };
            assert_eq!(at(&composed, [n, k, l]), expected);
        }
    }
    let q = QPolynomial::parse("{ [i] -> i^2 + floor(i/3) }").unwrap();
    let shift = MultiAff::parse("{ A[j] -> [(3j + 1)] }").unwrap();
    let pulled = PwQPolynomial::everywhere(q).pullback_multi_aff(&shift).unwrap();
    assert_eq!(pulled.to_string(), "{ A[j] -> (9*j^2 + 7*j + 1) }");
}

#[test]
fn simplification_keeps_values_inside() {
    let contexts = [
        "[n] -> { [i, j] : i = 2j + 1 and n > 0 }",
        "[n] -> { [i, j] : 0 <= i < 2 and j > n or i = 3 }",
        "[n] -> { [i, j] : n = 2 and i mod 2 = 0 }",
    ];
    for (function, text) in functions().iter().flat_map(|f| contexts.iter().map(move |c| (f, c))) {
        let context = Set::parse(text).unwrap();
        let simple = function.gist(&context, &budget()).unwrap();
        let merged = function.coalesce(&budget()).unwrap();
        for point in points() {
            assert_eq!(at(&merged, point), at(function, point));
            if context.contains_point(&point.map(Int::from), &budget()).unwrap() {
                assert_eq!(at(&simple, point), at(function, point));
            }
        }
    }
    let bound = PwQPolynomial::parse("[n] -> { S[i, j] -> n*i^2 : i < j }").unwrap();
    let bound = bound.bind_domain(&["n".into(), "m".into()]).unwrap();
    assert_eq!(bound.to_string(), "[n, m] -> { (n^3) : m > n }");
}

#[test]
fn folds_take_the_extreme_value() {
    let text = "[n] -> { [i, j] -> max(i^2, n*j, i^2 - 3) : i > j; [i, j] -> max(n) : i < j - 1 }";
    let fold = PwQPolynomialFold::parse(text).unwrap();
    assert_eq!(fold.pieces()[0].1.members().len(), 2);
    let again = PwQPolynomialFold::parse(&fold.to_string()).unwrap();
    let other = PwQPolynomialFold::from_pw_qpolynomial(FoldKind::Maximum, &functions()[1]);
    let both = fold.fold(&other, &budget()).unwrap();
    let negative = fold.scale(&Rational::from(-2));
    let shifted = fold.add_pw_qpolynomial(&functions()[2]).unwrap();
    for point in points() {
        let value = |f: &PwQPolynomialFold| f.eval(&point.map(Int::from), &budget()).unwrap();
        let [n, i, j] = point;
        let expected = match (i > j, i < j - 1) {
            (true, _) => Some(Value::from((i * i).max(n * j))),
            (_, true) => Some(Value::from(n)),
            _ => None,
        };
        assert_eq!((value(&fold), value(&again)), (expected.clone(), expected.clone()));
        assert_eq!(value(&negative), expected.clone().map(|v| &v * &Value::from(-2)));
        assert_eq!(value(&shifted), expected.clone().map(|v| &v + &"7/2".parse().unwrap()));
        let second = (i + j > n).then(|| at(&functions()[1], point));
        let largest = match (expected, second) {
            (Some(a), Some(b)) => Some(a.max(&b)),
            (a, b) => a.or(b),
        };
        assert_eq!(value(&both), largest);
    }
    let least = PwQPolynomialFold::parse("[n] -> { [i, j] -> min(i) }").unwrap();
    assert!(fold.fold(&least, &budget()).is_err());
}

proptest! {
    #[test]
    fn powers_and_floors(
        (a, b, c) in (-4i64..5, -4i64..5, -4i64..5),
        (d, e) in (1i64..6, 1i64..6),
        (i, j) in (-20i64..20, -20i64..20),
    ) {
        let text = format!("{{ [i, j] -> (({a})*i + ({b})*floor(({c}*i + j)/{d}))^3 - ceil(i/{e})*(j mod {d}) }}");
        let q = QPolynomial::parse(&text).unwrap();
        let base = a * i + b * (c * i + j).div_euclid(d);
        let expected = base.pow(3) + (-i).div_euclid(e) * j.rem_euclid(d);
        prop_assert_eq!(q.eval(&[Int::from(i), Int::from(j)]), Value::from(expected));
        let again = QPolynomial::parse(&q.to_string()).unwrap();
        prop_assert!(again.sub(&q).unwrap().plain_is_zero());
    }
}

/// Sums of floors of one expression have the same values when they are joined.
#[test]
fn joined_floors_have_the_same_values() {
    let budget = Budget::unlimited();
    for modulus in 2..=15_i64 {
        for multiple in [1, 2, 3, 5] {
            let floors: Vec<String> = (0..modulus)
                .map(|shift| format!("floor(({multiple}n + {shift})/{modulus})"))
                .collect();
            for text in
                [floors.join(" + "), format!("n*({}) - {}", floors[1..].join(" + "), floors[0])]
            {
                let sum = PwQPolynomial::parse(&format!("[n] -> {{ {text} }}")).unwrap();
                let joined = sum.with_joined_floors();
                for n in -40..=40 {
                    let point = [Int::from(n)];
                    let (a, b) = (sum.eval(&point, &budget), joined.eval(&point, &budget));
                    assert_eq!(a.unwrap(), b.unwrap(), "{text} at {n}: {joined}");
                }
            }
        }
    }
}
