//! Bounds of quasi-polynomials, against the values at all points of a box.
use loopwright_presburger::{
    BoundMethod, Budget, FoldKind, Int, PwQPolynomial, PwQPolynomialFold, Value,
};
use proptest::prelude::*;

fn budget() -> Budget {
    Budget::steps(20_000_000)
}

const KINDS: [FoldKind; 2] = [FoldKind::Minimum, FoldKind::Maximum];
const METHODS: [BoundMethod; 2] = [BoundMethod::Bernstein, BoundMethod::Range];

/// The extreme value of a function of `n`, `i` and `j` for a value of `n`.
fn extreme(function: &PwQPolynomial, kind: FoldKind, n: i64) -> Option<Value> {
    let range = || -9..=9i64;
    let values = range().flat_map(|i| range().map(move |j| [n, i, j].map(Int::from)));
    let values = values.filter_map(|point| {
        let contains = |set: &loopwright_presburger::Set| set.contains_point(&point, &budget());
        let is_inside = function.pieces().iter().any(|(domain, _)| contains(domain).unwrap());
        is_inside.then(|| function.eval(&point, &budget()).unwrap())
    });
    values.reduce(|a, b| match kind {
        FoldKind::Minimum => a.min(&b),
        FoldKind::Maximum => a.max(&b),
    })
}

/// Checks both bounds by both methods; returns how many of the four are said to be reached.
fn check(text: &str) -> usize {
    let function = PwQPolynomial::parse(text).unwrap();
    let mut n_tight = 0;
    for (kind, method) in KINDS.into_iter().flat_map(|k| METHODS.map(|m| (k, m))) {
        let (bound, is_tight) = function.bound(kind, method, &budget()).unwrap();
        n_tight += usize::from(is_tight);
        for n in -2..=5 {
            let Some(value) = extreme(&function, kind, n) else { continue };
            let found = bound.eval(&[Int::from(n)], &budget()).unwrap();
            let found = found.unwrap_or_else(|| panic!("{text}: no bound for n = {n} in {bound}"));
            let holds = match kind {
                FoldKind::Minimum => found <= value,
                FoldKind::Maximum => found >= value,
            };
            assert!(holds, "{text}: {found} is no {kind:?} {method:?} bound of {value} at {n}");
            assert!(!is_tight || found == value, "{text}: {found} is not reached, {value} at {n}");
        }
    }
    n_tight
}

#[test]
fn bounds_that_are_reached() {
    assert_eq!(check("[n] -> { [i, j] -> i + 2j - n : 0 <= i <= n and i <= j <= 5 }"), 4);
    assert_eq!(check("[n] -> { [i, j] -> i*j : 0 <= i <= n and 2 <= j <= 4 }"), 4);
    assert_eq!(check("[n] -> { [i, j] -> n : n >= 1 and j >= i and j <= n and i >= -1 + n }"), 4);
    assert_eq!(
        check("[n] -> { [i, j] -> i + j^2 : 0 <= i <= 3 and j = 2; [i, j] -> 7 : i = 4 = j }"),
        4
    );
}

#[test]
fn floors_that_are_extreme_at_an_end() {
    assert_eq!(check("[n] -> { [i, j] -> -1 + floor((i + 5)/7) : -n - 2 <= i <= n and j = 0 }"), 4);
    assert_eq!(
        check("[n] -> { [i, j] -> 1 + floor((i + 1)/3) : i mod 3 = 1 and 0 <= i <= n and j = 0 }"),
        4
    );
    assert_eq!(check("[n] -> { [i, j] -> n*i : 0 <= n and -n <= 3i <= 2n + 1 and j = 1 }"), 4);
    // For n = 2 the greatest value would be at -2/3, where the domain ends.
    check(
        "[n] -> { [i, j] -> -2i^2 + 2i*j - j - 3n*i - 2 : -3 <= i <= 0 and -n - 2i <= j <= i and j >= -6 }",
    );
}

#[test]
fn bounds_that_may_be_missed() {
    check("[n] -> { [i, j] -> i*j : 0 <= i <= n and 0 <= j <= n - i }");
    check("[n] -> { [i, j] -> i^2 - 3*i*j + j^3 : -2 <= i <= n and -3 <= 2j <= i + n }");
    check("[n] -> { [i, j] -> floor((i + n)/2)*j - i mod 3 : 0 <= i, j <= 4 and i + j >= n }");
    check(
        "[n] -> { [i, j] -> (i - j)^2 : i mod 2 = 0 and j mod 3 = 1 and 0 <= i <= n and i <= j <= 6 }",
    );
    check("[n] -> { [i, j] -> -1 + floor((i + 5)/7) : -n - 2 <= i <= n and j = 0 }");
    check(
        "[n] -> { [i, j] -> i^2 : -n <= i <= n and 2j = i; [i, j] -> n*i + j : 5 < i < 8 and 0 <= j <= n }",
    );
}

#[test]
fn domains_without_bounds() {
    let rising = PwQPolynomial::parse("[n] -> { [i, j] -> 2i - n : i >= n }").unwrap();
    let bound = |kind| rising.bound(kind, BoundMethod::Bernstein, &budget()).unwrap();
    let (least, is_tight) = bound(FoldKind::Minimum);
    assert_eq!((least.to_string().as_str(), is_tight), ("[n] -> { min((n)) }", true));
    let (greatest, is_tight) = bound(FoldKind::Maximum);
    assert_eq!((greatest.to_string().as_str(), is_tight), ("[n] -> { max(infty) }", false));
}

#[test]
fn a_wrapped_relation_is_bounded_for_each_domain_element() {
    let text = "[n] -> { [A[i] -> B[j]] -> i*j : 0 <= j <= i + n and i >= 0 }";
    let function = PwQPolynomial::parse(text).unwrap();
    let (bound, is_tight) =
        function.bound(FoldKind::Maximum, BoundMethod::Bernstein, &budget()).unwrap();
    let expected = "[n] -> { A[i] -> max(i^2 + n*i) : i >= 0 and i >= -n }";
    let expected = PwQPolynomialFold::parse(expected).unwrap();
    assert!(is_tight);
    for (n, i) in
        (-3..4).flat_map(|n| (-3..4).map(move |i| [n, i].map(Int::from))).map(|p| (p.clone(), p))
    {
        assert_eq!(bound.eval(&n, &budget()).unwrap(), expected.eval(&i, &budget()).unwrap());
    }
}

#[test]
fn the_bound_of_a_union_is_that_of_all_parts() {
    let text = "[n] -> { A[i] -> n*i : 0 <= i <= 4 and n > 0; B[] -> n^2 : 1 <= n <= 9 }";
    let union = loopwright_presburger::UnionPwQPolynomial::parse(text).unwrap();
    let (bound, is_tight) = union.bound(FoldKind::Maximum, BoundMethod::Range, &budget()).unwrap();
    assert!(is_tight);
    for n in -1..15i64 {
        let parts = bound.parts().iter();
        let found: Vec<Value> =
            parts.filter_map(|part| part.eval(&[Int::from(n)], &budget()).unwrap()).collect();
        let expected = if n <= 9 { (4 * n).max(n * n) } else { 4 * n };
        let expected = if n > 0 { vec![Value::from(expected)] } else { vec![] };
        assert_eq!(found, expected, "n = {n}");
    }
}

#[test]
fn the_work_is_limited() {
    let text = "[n] -> { [a, b, c, d, e] -> (a - b + c - d + e)^6 : 0 <= a, b, c, d, e <= n }";
    let function = PwQPolynomial::parse(text).unwrap();
    let bound = function.bound(FoldKind::Maximum, BoundMethod::Bernstein, &Budget::steps(1000));
    assert!(bound.is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn bounds_hold(
        c in prop::array::uniform6(-3i64..4),
        (low, high) in (-3i64..1, 0i64..4),
        (a, b, e) in (-1i64..2, -2i64..3, 1i64..4),
    ) {
        let text = format!(
            "[n] -> {{ [i, j] -> ({})*i^2 + ({})*i*j + ({})*j + ({})*n*floor(i/{e}) + ({})*j^3 + ({}) : \
             {low} <= i <= {high} and {e}*j >= ({a})*n + ({b})*i and j <= {high} + i and j >= -6 }}",
            c[0], c[1], c[2], c[3], c[4], c[5]
        );
        check(&text);
    }
}

/// Extremes of expressions without products are found exactly, floors or not.
#[test]
fn extremes_of_affine_expressions_are_reached() {
    let texts = [
        "[n] -> { [i, j] -> floor(i/3)*2 - i : 0 <= i <= n and j = 0 }",
        "[n] -> { [i, j] -> 3i - 2j + n : 0 <= i <= n and i <= 2j <= 2n }",
    ];
    for text in texts {
        let function = PwQPolynomial::parse(text).unwrap();
        check(text);
        for kind in KINDS {
            let (_, is_tight) = function.bound(kind, BoundMethod::Bernstein, &budget()).unwrap();
            assert!(is_tight, "{text}: {kind:?}");
        }
    }
}
