//! Generating functions against the points of their sets; bounds of counts; polynomials without floors.
use crate::random_counts::{Numbers, ints, points};
use crate::random_sets::budget;
use loopwright_presburger::{Budget, GeneratingFunction, PwQPolynomial, Rational, Row, Set, Value};
use loopwright_testkit::cases::seed;

/// Coefficients are 1 at points and 0 beside them, and their sum is the value at one.
fn check(text: &str, half: i64) {
    let set = Set::parse(text).unwrap();
    let function = GeneratingFunction::of(&set, &budget()).unwrap();
    let mut n_points = 0;
    for point in points(set.n_dims(), &(-half - 1..=half + 1)) {
        let is_inside = set.contains_point(&ints(&point), &budget()).unwrap();
        n_points += i64::from(is_inside);
        let expected = Rational::from(i64::from(is_inside));
        assert_eq!(
            function.coefficient(&ints(&point)),
            expected,
            "{text} at {point:?}: {function}"
        );
    }
    let value = function.value_at_one(&budget()).unwrap();
    assert_eq!(value, Rational::from(n_points), "{text}: {function}");
}

#[test]
fn coefficients_of_random_polytopes() {
    let mut numbers = Numbers::of_seed(seed(5));
    for _ in 0..40 {
        let mut row = || {
            let [c, a, b] = [numbers.of(-5..=5), numbers.of(-3..=3), numbers.of(-3..=3)];
            format!("{c} + {a}i + {b}j >= 0")
        };
        let rows = [row(), row()].join(" and ");
        check(&format!("{{ [i, j] : -4 <= i, j <= 4 and {rows} }}"), 4);
    }
    check("{ [i, j, k] : 0 <= i, j, k and 2i + 3j + 5k <= 11 }", 6);
    check("{ [i, j] : 0 <= i <= 5 and 2j = 3i }", 9);
    check("{ [i] : 0 <= i <= 3 or i = 5 }", 6);
    check("{ [i, j] : i = 3 and j = -2 }", 4);
}

#[test]
fn series_of_infinite_sets() {
    let function = |text: &str| GeneratingFunction::of(&Set::parse(text).unwrap(), &budget());
    // Numbers of representations by 3 and 5, with the sum as parameter.
    let pairs = function("[n] -> { [a, b] : a, b >= 0 and n = 3a + 5b }").unwrap();
    assert_eq!(pairs.n_terms(), 1);
    assert_eq!(pairs.to_string(), "1/((1 - n^5*b)*(1 - n^3*a))");
    let moved = pairs.times_monomial(&Row::from_i64s(&[1, 0, 0])).unwrap();
    assert_eq!(moved.coefficient(&ints(&[9, 1, 1])), Rational::one());
    assert!(pairs.value_at_one(&budget()).is_err());
    let squares = function("{ [i] : 0 <= i <= 3 }").unwrap();
    assert_eq!(squares.product(&squares).value_at_one(&budget()).unwrap(), Rational::from(16));
    assert!(squares.plus(&pairs).is_err());
    for refused in ["{ [i] }", "{ [i] : 0 <= i <= 9 and 3 <= i mod 5 <= 4 }"] {
        assert!(function(refused).is_err(), "{refused}");
    }
}

/// With every budget the number lies between the bounds.
#[test]
fn bounds_hold_with_every_budget() {
    let set = Set::parse(
        "[n] -> { [i, j] : 0 <= i, j < n and 5i + 7j <= 3n + 1 or 0 <= i < 4 and 0 <= j <= i + n and \
         (exists e : 2i + 3e = j and e >= 0) }",
    )
    .unwrap();
    let exact = set.card(&budget()).unwrap();
    let mut is_exact = Vec::new();
    for steps in [1, 30, 100, 300, 1_000, 3_000, 10_000, 100_000, 10_000_000] {
        let bounds = set.card_bounds(&Budget::steps(steps)).unwrap();
        for n in -2..12 {
            let at = ints(&[n]);
            let value = |function: &PwQPolynomial| function.eval(&at, &budget()).unwrap();
            let (low, count, high) = (value(&bounds.lower), value(&exact), value(&bounds.upper));
            assert!(
                low <= count && count <= high,
                "{low} {count} {high} at {n} with {steps} steps"
            );
        }
        is_exact.push(bounds.is_exact);
    }
    assert!(!is_exact[0] && is_exact[is_exact.len() - 1]);
}

#[test]
fn polynomials_without_floors_are_bounds() {
    let text = "[n] -> { [i] -> 3*n*floor(i/4) - floor((n + floor(i/3))/5)^2 + i : 0 <= i <= n }";
    let function = PwQPolynomial::parse(text).unwrap();
    let lower = function.lower_polynomial(&budget()).unwrap();
    let upper = function.upper_polynomial(&budget()).unwrap();
    assert!(!lower.to_string().contains("floor") && !upper.to_string().contains("floor"));
    for (n, i) in (0..15).flat_map(|n| (0..=n).map(move |i| (n, i))) {
        let value = |function: &PwQPolynomial| -> Value {
            function.eval(&ints(&[n, i]), &budget()).unwrap()
        };
        assert!(value(&lower) <= value(&function) && value(&function) <= value(&upper));
    }
    let unclear = PwQPolynomial::parse("{ [i] -> i*floor(i/2) }").unwrap();
    assert!(unclear.lower_polynomial(&budget()).is_err());
}
