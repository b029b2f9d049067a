//! Piecewise quasi-polynomials: arithmetic, equality, values, simplification and bounds.
use super::{budget, check};
use loopwright_presburger::{
    BoundMethod, FoldKind, Int, PwMultiAff, PwQPolynomial, PwQPolynomialFold, Set,
};

fn polynomial(text: &str) -> PwQPolynomial {
    PwQPolynomial::parse(text).unwrap_or_else(|e| panic!("{}", e.explain(text)))
}

/// Two functions, an operation, and what comes out.
const ARITHMETIC: [(&str, &str, &str, &str); 26] = [
    ("{ [i] -> i }", "add", "{ [i] -> i^2 }", "{ [i] -> i^2 + i }"),
    ("{ [i] -> i }", "sub", "{ [i] -> i }", "{ [i] -> 0 }"),
    ("{ [i] -> i + 1 }", "mul", "{ [i] -> i - 1 }", "{ [i] -> i^2 - 1 }"),
    ("{ [i] -> 1/2*i }", "add", "{ [i] -> 1/3*i }", "{ [i] -> 5/6*i }"),
    ("{ [i] -> 2/3 }", "mul", "{ [i] -> 3/2*i }", "{ [i] -> i }"),
    (
        "{ [i] -> i : i >= 0 }",
        "add",
        "{ [i] -> -i : i < 0 }",
        "{ [i] -> i : i >= 0; [i] -> -i : i < 0 }",
    ),
    ("{ [i] -> i : i >= 0 }", "add", "{ [i] -> 1 }", "{ [i] -> i + 1 : i >= 0; [i] -> 1 : i < 0 }"),
    ("{ [i] -> i : i >= 0 }", "mul", "{ [i] -> 2 : i <= 5 }", "{ [i] -> 2i : 0 <= i <= 5 }"),
    ("{ [i] -> i : i >= 0 }", "sub", "{ [i] -> i : i >= 3 }", "{ [i] -> i : 0 <= i <= 2 }"),
    ("{ [i, j] -> i*j }", "add", "{ [i, j] -> j*i }", "{ [i, j] -> 2*i*j }"),
    ("{ [i, j] -> i + j }", "mul", "{ [i, j] -> i - j }", "{ [i, j] -> i^2 - j^2 }"),
    ("{ [i, j] -> (i + j)^2 }", "sub", "{ [i, j] -> (i - j)^2 }", "{ [i, j] -> 4*i*j }"),
    ("[n] -> { [i] -> n*i }", "add", "[n] -> { [i] -> n^2 }", "[n] -> { [i] -> n*(i + n) }"),
    ("[n] -> { [i] -> n }", "mul", "[m] -> { [i] -> m }", "[n, m] -> { [i] -> n*m }"),
    ("[n] -> { n }", "mul", "[n] -> { n : n > 0 }", "[n] -> { n^2 : n > 0 }"),
    ("{ [i] -> floor(i/2) }", "add", "{ [i] -> floor((i + 1)/2) }", "{ [i] -> i }"),
    ("{ [i] -> floor(i/2) }", "mul", "{ [i] -> 2 }", "{ [i] -> i - i mod 2 }"),
    ("{ [i] -> i mod 2 }", "mul", "{ [i] -> i mod 2 }", "{ [i] -> i mod 2 }"),
    ("{ [i] -> i mod 3 }", "sub", "{ [i] -> i }", "{ [i] -> -3*floor(i/3) }"),
    (
        "{ [i] -> floor(i/2)^2 }",
        "sub",
        "{ [i] -> 1/4*i^2 : i mod 2 = 0; [i] -> 1/4*(i - 1)^2 : i mod 2 = 1 }",
        "{ [i] -> 0 }",
    ),
    ("{ [i] -> floor(floor(i/2)/3) }", "sub", "{ [i] -> floor(i/6) }", "{ [i] -> 0 }"),
    ("{ [i] -> floor(i/2) + floor((i + 1)/2) }", "mul", "{ [i] -> i }", "{ [i] -> i^2 }"),
    ("{ A[i] -> i }", "add", "{ A[i] -> 3 : i = 2 }", "{ A[i] -> i : i != 2; A[i] -> 5 : i = 2 }"),
    ("{ [i] -> i^3 : 0 <= i <= 2 }", "sub", "{ [i] -> 3*i^2 - 2*i : 0 <= i <= 2 }", "{ [i] -> 0 }"),
    (
        "{ [i] -> i^3 : 0 <= i <= 3 }",
        "sub",
        "{ [i] -> 3*i^2 - 2*i : 0 <= i <= 2 }",
        "{ [i] -> 27 : i = 3 }",
    ),
    ("{ [i, j] -> i - j }", "mul", "{ [i, j] -> i + j : j = i }", "{ [i, j] -> 0 }"),
];

#[test]
fn arithmetic_is_what_it_should_be() {
    check(&ARITHMETIC, |&(a, operation, b, expected)| {
        let (left, right) = (polynomial(a), polynomial(b));
        let found = match operation {
            "add" => left.add(&right, &budget()),
            "sub" => left.sub(&right, &budget()),
            _ => left.mul(&right),
        };
        let found = found.unwrap();
        match found.is_equal(&polynomial(expected), &budget()).unwrap() {
            true => Ok(()),
            false => Err(format!("{a} {operation} {b}: {found}, expected {expected}")),
        }
    });
}

/// Functions and whether they are equal.
const EQUALITY: [(&str, &str, bool); 22] = [
    ("{ [i] -> i }", "{ [i] -> i }", true),
    ("{ [i] -> i }", "{ [i] -> i : i != 0 }", true),
    ("{ [i] -> i }", "{ [i] -> i : i != 1 }", false),
    (
        "{ [i] -> i^2 }",
        "{ [i] -> i^2 + floor(i/7) - floor((i + 1)/7) + floor((i + 1)/7) - floor(i/7) }",
        true,
    ),
    ("{ [i] -> (i mod 2)^5 }", "{ [i] -> i mod 2 }", true),
    ("{ [i] -> (i mod 3)^2 }", "{ [i] -> i mod 3 }", false),
    ("{ [i] -> (i mod 3)*(i mod 3 - 1)*(i mod 3 - 2) }", "{ [i] -> 0 }", true),
    ("{ [i] -> floor(i/2) + floor(i/3) }", "{ [i] -> floor(5i/6) }", false),
    (
        "{ [i] -> floor(i/4) + floor((i + 1)/4) + floor((i + 2)/4) + floor((i + 3)/4) }",
        "{ [i] -> i }",
        true,
    ),
    (
        "{ [i] -> floor(i/4) + floor((i + 1)/4) + floor((i + 2)/4) + floor((i + 4)/4) }",
        "{ [i] -> i }",
        false,
    ),
    (
        "{ [i, j] -> i*j : 0 <= i <= 1 and j >= 0 }",
        "{ [i, j] -> i^3*j : 0 <= i <= 1 and j >= 0 }",
        true,
    ),
    (
        "{ [i, j] -> i*j : 0 <= i <= 2 and j >= 0 }",
        "{ [i, j] -> i^3*j : 0 <= i <= 2 and j >= 0 }",
        false,
    ),
    ("{ [i, j] -> (i - j)^2 : i <= j <= i + 1 }", "{ [i, j] -> j - i : i <= j <= i + 1 }", true),
    ("{ [i, j] -> (i - j)^2 : i <= j <= i + 2 }", "{ [i, j] -> j - i : i <= j <= i + 2 }", false),
    ("{ [i, j] -> i*(2i - 3j) : 2i = 3j }", "{ [i, j] -> 0 }", true),
    ("[n] -> { [i] -> n*i : n = 2 }", "[n] -> { [i] -> 2i : n = 2 }", true),
    ("[n] -> { [i] -> n*i : 2 <= n <= 3 }", "[n] -> { [i] -> 2i : 2 <= n <= 3 }", false),
    ("[n] -> { [i] -> n : 0 <= i < n and n <= 0 }", "[n] -> { [i] -> 7 : false }", true),
    ("[n] -> { n*(n - 1) : 0 <= n <= 1 }", "[n] -> { 0 }", true),
    ("[n] -> { 1/2*n*(n + 1) }", "[n] -> { 1/2*n + 1/2*n^2 }", true),
    ("{ [i] -> 1 : exists a : i = 2a }", "{ [i] -> 1 - i mod 2 }", true),
    ("{ [i] -> i : 0 <= i <= 9 and i mod 5 = 0 }", "{ [i] -> 5 : i = 5 }", true),
];

#[test]
fn equality_is_decided() {
    check(&EQUALITY, |&(a, b, expected)| {
        let (left, right) = (polynomial(a), polynomial(b));
        let found = [left.is_equal(&right, &budget()), right.is_equal(&left, &budget())];
        match found.iter().all(|found| *found == Ok(expected)) {
            true => Ok(()),
            false => Err(format!("{a} and {b}: {found:?}")),
        }
    });
}

/// A function, a point (parameters first), and the value there.
const VALUES: [(&str, &[i64], &str); 16] = [
    ("{ [i] -> i^2 - 3 }", &[5], "22"),
    ("{ [i] -> i^2 - 3 : i > 5 }", &[5], "0"),
    ("{ [i] -> 1/2*i }", &[5], "5/2"),
    ("{ [i] -> 1/2*i*(i + 1) }", &[-4], "6"),
    ("{ [i] -> floor(i/3) }", &[-1], "-1"),
    ("{ [i] -> floor(i/3)*floor(i/2) }", &[11], "15"),
    ("{ [i] -> i mod 4 }", &[-1], "3"),
    ("{ [i] -> floor((i + floor(i/2))/3) }", &[9], "4"),
    ("{ [i, j] -> i*j - j^2 }", &[3, -2], "-10"),
    ("{ [i, j] -> (i + j)^3 }", &[1, -3], "-8"),
    ("[n] -> { [i] -> n*i + 1/3 }", &[2, 3], "19/3"),
    ("[n] -> { n^2 : n > 0; -n : n <= 0 }", &[-7], "7"),
    ("[n, m] -> { n*m - 1 }", &[4, 6], "23"),
    ("{ [i] -> 7 : exists a : i = 3a }", &[6], "7"),
    ("{ [i] -> 7 : exists a : i = 3a }", &[7], "0"),
    ("{ [i] -> i : i >= 5; [i] -> 1 : i < 5 }", &[6], "6"),
];

#[test]
fn values_are_what_they_should_be() {
    check(&VALUES, |&(text, point, expected)| {
        let point: Vec<Int> = point.iter().copied().map(Int::from).collect();
        let found = polynomial(text).eval(&point, &budget()).unwrap().to_string();
        match found == expected {
            true => Ok(()),
            false => Err(format!("{text} at {point:?}: {found}, expected {expected}")),
        }
    });
}

/// A function, a context, and the function simplified inside of it, as text.
const GISTS: [(&str, &str, &str); 10] = [
    ("{ [i] -> i^2 : 0 <= i <= 9 }", "{ [i] : i >= 0 }", "{ [i] -> (i^2) : i <= 9 }"),
    ("{ [i] -> i^2 : 0 <= i <= 9 }", "{ [i] : 0 <= i <= 9 }", "{ [i] -> (i^2) }"),
    ("{ [i] -> i^2 }", "{ [i] : i = 3 }", "{ [i] -> (9) }"),
    ("{ [i] -> i*floor(i/2) }", "{ [i] : 0 <= i <= 1 }", "{ [i] -> 0 }"),
    ("{ [i, j] -> i*j }", "{ [i, j] : j = 2 }", "{ [i, j] -> (2*i) }"),
    ("[n] -> { [i] -> n*i }", "[n] -> { [i] : n = 4 }", "[n] -> { [i] -> (4*i) }"),
    ("{ [i] -> i : i < 0; [i] -> 2*i : i >= 0 }", "{ [i] : i >= 0 }", "{ [i] -> (2*i) }"),
    ("{ [i] -> i : i < 0; [i] -> 2*i : i > 5 }", "{ [i] : 0 <= i <= 5 }", "{  }"),
    ("{ [i] -> 5 }", "{ [i] : i >= 0 }", "{ [i] -> (5) }"),
    ("{ [i] -> floor((i + 1)/2) }", "{ [i] : i mod 2 = 0 }", "{ [i] -> (1/2*i) }"),
];

#[test]
fn gists_are_equal_inside_the_context() {
    check(&GISTS, |&(text, context, expected)| {
        let function = polynomial(text);
        let context = Set::parse(context).unwrap();
        let found = function.gist(&context, &budget()).unwrap();
        let inside = |q: &PwQPolynomial| q.intersect_domain(&context).unwrap();
        if !inside(&found).is_equal(&inside(&function), &budget()).unwrap() {
            return Err(format!("{text} in {context}: {found} is not equal there"));
        }
        match expected == "{  }" && found.pieces().is_empty() || found.to_string() == expected {
            true => Ok(()),
            false => Err(format!("{text} in {context}: {found}, expected {expected}")),
        }
    });
}

/// A function, the kind of bound, the bound, and whether it has to be known to be reached.
const BOUNDS: [(&str, FoldKind, &str, bool); 16] = [
    ("[n] -> { [i] -> i : 0 <= i <= n }", FoldKind::Maximum, "[n] -> { max(n) : n >= 0 }", true),
    ("[n] -> { [i] -> i : 0 <= i <= n }", FoldKind::Minimum, "[n] -> { min(0) : n >= 0 }", true),
    (
        "[n] -> { [i] -> i^2 : -n <= i <= n }",
        FoldKind::Maximum,
        "[n] -> { max(n^2) : n >= 0 }",
        true,
    ),
    (
        "[n] -> { [i] -> 2*i + n : 0 <= i < n }",
        FoldKind::Maximum,
        "[n] -> { max(3*n - 2) : n > 0 }",
        true,
    ),
    (
        "[n] -> { [i, j] -> i + j : 0 <= i <= n and 0 <= j <= i }",
        FoldKind::Maximum,
        "[n] -> { max(2*n) : n >= 0 }",
        true,
    ),
    (
        "[n] -> { [i, j] -> i - j : 0 <= i <= n and 0 <= j <= n }",
        FoldKind::Minimum,
        "[n] -> { min(-n) : n >= 0 }",
        true,
    ),
    (
        "[n] -> { [i, j] -> i*j : 0 <= i <= n and 0 <= j <= n }",
        FoldKind::Maximum,
        "[n] -> { max(n^2) : n >= 0 }",
        true,
    ),
    ("[n] -> { [i] -> 7 : 0 <= i <= n }", FoldKind::Maximum, "[n] -> { max(7) : n >= 0 }", true),
    ("{ [i] -> i^3 : -2 <= i <= 3 }", FoldKind::Maximum, "{ max(27) }", true),
    ("{ [i] -> i^3 : -2 <= i <= 3 }", FoldKind::Minimum, "{ min(-8) }", true),
    ("{ [i] -> 3 - i : i >= 0 }", FoldKind::Maximum, "{ max(3) }", true),
    ("{ [i] -> 3 - i : i >= 0 }", FoldKind::Minimum, "{ min(-infty) }", false),
    ("{ [i] -> i : i >= 0 }", FoldKind::Maximum, "{ max(infty) }", false),
    (
        "[n, m] -> { [i] -> i : n <= i <= m }",
        FoldKind::Minimum,
        "[n, m] -> { min(n) : n <= m }",
        true,
    ),
    (
        "[n] -> { [i] -> floor(i/2) : 0 <= i <= 2n }",
        FoldKind::Maximum,
        "[n] -> { max(n) : n >= 0 }",
        true,
    ),
    ("[n] -> { [i] -> i mod 5 : i = n }", FoldKind::Maximum, "[n] -> { max(n mod 5) }", true),
];

#[test]
fn bounds_are_what_they_should_be() {
    check(&BOUNDS, |&(text, kind, expected, is_reached)| {
        let function = polynomial(text);
        let (found, is_tight) = function.bound(kind, BoundMethod::Bernstein, &budget()).unwrap();
        let bound = PwQPolynomialFold::parse(expected).unwrap();
        let n_params = function.space().n(loopwright_presburger::DimKind::Param);
        let points = (-4..5).flat_map(|n| (-4..5).map(move |m| [n, m].map(Int::from)));
        let value = |f: &PwQPolynomialFold, p: &[Int]| f.eval(&p[..n_params], &budget()).unwrap();
        let is_same = points.clone().all(|p| value(&found, &p) == value(&bound, &p));
        match is_same && is_tight == is_reached {
            true => Ok(()),
            false => Err(format!("{text}: {found} (reached: {is_tight}), expected {expected}")),
        }
    });
}

/// A function, a function that it is composed with, and the composition.
const COMPOSITIONS: [(&str, &str, &str); 8] = [
    ("{ [i] -> i^2 }", "{ [i] -> [(i + 1)] }", "{ [i] -> i^2 + 2*i + 1 }"),
    ("{ [i] -> i^2 : i > 0 }", "{ [i] -> [(i - 5)] }", "{ [i] -> (i - 5)^2 : i > 5 }"),
    ("{ [i] -> i }", "{ [i] -> [(floor(i/2))] }", "{ [i] -> floor(i/2) }"),
    ("{ [i] -> floor(i/2) }", "{ [i] -> [(2i)] }", "{ [i] -> i }"),
    ("{ [i] -> floor(i/2) }", "{ [i] -> [(2i + 1)] }", "{ [i] -> i }"),
    ("{ [i, j] -> i*j }", "{ [k] -> [(k), (k + 1)] }", "{ [k] -> k^2 + k }"),
    ("{ [i] -> i^2 }", "{ [i] -> [(i)] : i >= 0; [i] -> [(-i)] : i < 0 }", "{ [i] -> i^2 }"),
    (
        "[n] -> { [i] -> n*i }",
        "[n] -> { A[j] -> [(j + n)] : j > n }",
        "[n] -> { A[j] -> n*j + n^2 : j > n }",
    ),
];

#[test]
fn compositions_are_what_they_should_be() {
    check(&COMPOSITIONS, |&(outer, inner, expected)| {
        let composed = polynomial(outer).pullback_pw_multi_aff(&PwMultiAff::parse(inner).unwrap());
        let composed = composed.unwrap();
        match composed.is_equal(&polynomial(expected), &budget()).unwrap() {
            true => Ok(()),
            false => Err(format!("{outer} after {inner}: {composed}, expected {expected}")),
        }
    });
}
