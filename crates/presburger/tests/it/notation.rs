//! Reading and printing isl's notation, against an evaluator of formulas that shares no code.
use loopwright_presburger::{
    Aff, Budget, Error, Int, Map, MultiAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, UnionMap,
    UnionPwAff, UnionPwMultiAff, UnionSet,
};
use proptest::prelude::*;

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

/// A quasi-affine expression over `i`, `j`, and its value.
#[derive(Clone, Debug)]
enum Value {
    Constant(i64),
    Variable(usize),
    Sum(Box<Value>, Box<Value>),
    Difference(Box<Value>, Box<Value>),
    Multiple(i64, Box<Value>),
    Floor(Box<Value>, i64),
    Ceiling(Box<Value>, i64),
    Modulo(Box<Value>, i64),
    Minimum(Box<Value>, Box<Value>),
    Maximum(Box<Value>, Box<Value>),
    Choice(Box<Truth>, Box<Value>, Box<Value>),
}

/// A formula over `i`, `j`.
#[derive(Clone, Debug)]
enum Truth {
    Compare(Value, usize, Value),
    And(Box<Truth>, Box<Truth>),
    Or(Box<Truth>, Box<Truth>),
    Implies(Box<Truth>, Box<Truth>),
    Not(Box<Truth>),
    /// There is an integer `e` in `0..bound` with `value = factor * e`.
    Multiple(Value, i64, i64),
}

const COMPARISONS: [&str; 6] = ["<", "<=", "=", "!=", ">=", ">"];

impl Value {
    fn at(&self, point: [i64; 2]) -> i64 {
        match self {
            Value::Constant(value) => *value,
            Value::Variable(index) => point[*index],
            Value::Sum(a, b) => a.at(point) + b.at(point),
            Value::Difference(a, b) => a.at(point) - b.at(point),
            Value::Multiple(factor, a) => factor * a.at(point),
            Value::Floor(a, divisor) => a.at(point).div_euclid(*divisor),
            Value::Ceiling(a, divisor) => -(-a.at(point)).div_euclid(*divisor),
            Value::Modulo(a, divisor) => a.at(point).rem_euclid(*divisor),
            Value::Minimum(a, b) => a.at(point).min(b.at(point)),
            Value::Maximum(a, b) => a.at(point).max(b.at(point)),
            Value::Choice(c, a, b) => {
                if c.at(point) {
                    a.at(point)
                } else {
                    b.at(point)
                }
            }
        }
    }

    fn text(&self) -> String {
        match self {
            Value::Constant(value) => format!("({value})"),
            Value::Variable(index) => ["i", "j"][*index].to_owned(),
            Value::Sum(a, b) => format!("({} + {})", a.text(), b.text()),
            Value::Difference(a, b) => format!("({} - {})", a.text(), b.text()),
            Value::Multiple(factor, a) => format!("{factor}*{}", a.text()),
            Value::Floor(a, divisor) => format!("floor({}/{divisor})", a.text()),
            Value::Ceiling(a, divisor) => format!("ceild({}, {divisor})", a.text()),
            Value::Modulo(a, divisor) => format!("({}) mod {divisor}", a.text()),
            Value::Minimum(a, b) => format!("min({}, {})", a.text(), b.text()),
            Value::Maximum(a, b) => format!("max({}, {})", a.text(), b.text()),
            Value::Choice(c, a, b) => format!("({} ? {} : {})", c.text(), a.text(), b.text()),
        }
    }
}

impl Truth {
    fn at(&self, point: [i64; 2]) -> bool {
        match self {
            Truth::Compare(a, comparison, b) => {
                let (a, b) = (a.at(point), b.at(point));
                [a < b, a <= b, a == b, a != b, a >= b, a > b][*comparison]
            }
            Truth::And(a, b) => a.at(point) && b.at(point),
            Truth::Or(a, b) => a.at(point) || b.at(point),
            Truth::Implies(a, b) => !a.at(point) || b.at(point),
            Truth::Not(a) => !a.at(point),
            Truth::Multiple(a, factor, bound) => (0..*bound).any(|e| a.at(point) == factor * e),
        }
    }

    fn text(&self) -> String {
        match self {
            Truth::Compare(a, comparison, b) => {
                format!("{} {} {}", a.text(), COMPARISONS[*comparison], b.text())
            }
            Truth::And(a, b) => format!("({} and {})", a.text(), b.text()),
            Truth::Or(a, b) => format!("({} or {})", a.text(), b.text()),
            Truth::Implies(a, b) => format!("(({}) implies ({}))", a.text(), b.text()),
            Truth::Not(a) => format!("not ({})", a.text()),
            Truth::Multiple(a, factor, bound) => {
                format!("exists (e: {} = {factor}e and 0 <= e < {bound})", a.text())
            }
        }
    }
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![(-3i64..4).prop_map(Value::Constant), (0usize..2).prop_map(Value::Variable)]
}

fn linear() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(3, 6, 2, |inner| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            3 => pair().prop_map(|(a, b)| Value::Sum(a, b)),
            2 => pair().prop_map(|(a, b)| Value::Difference(a, b)),
            2 => (-3i64..4, inner.clone()).prop_map(|(c, a)| Value::Multiple(c, Box::new(a))),
            1 => (inner.clone(), 2i64..5).prop_map(|(a, d)| Value::Floor(Box::new(a), d)),
            1 => (inner.clone(), 2i64..5).prop_map(|(a, d)| Value::Ceiling(Box::new(a), d)),
            1 => (inner.clone(), 2i64..5).prop_map(|(a, d)| Value::Modulo(Box::new(a), d)),
            1 => pair().prop_map(|(a, b)| Value::Minimum(a, b)),
            1 => pair().prop_map(|(a, b)| Value::Maximum(a, b)),
        ]
    })
}

fn truth() -> impl Strategy<Value = Truth> {
    let atom = prop_oneof![
        5 => (linear(), 0usize..6, linear()).prop_map(|(a, c, b)| Truth::Compare(a, c, b)),
        1 => (leaf(), 2i64..4, 1i64..4).prop_map(|(a, f, n)| Truth::Multiple(a, f, n)),
    ];
    atom.prop_recursive(2, 4, 2, |inner| {
        let pair = || (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
        prop_oneof![
            3 => pair().prop_map(|(a, b)| Truth::And(a, b)),
            2 => pair().prop_map(|(a, b)| Truth::Or(a, b)),
            1 => pair().prop_map(|(a, b)| Truth::Implies(a, b)),
            1 => inner.prop_map(|a| Truth::Not(Box::new(a))),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => linear(),
        1 => (truth(), linear(), linear())
            .prop_map(|(c, a, b)| Value::Choice(Box::new(c), Box::new(a), Box::new(b))),
    ]
}

fn points() -> impl Iterator<Item = [i64; 2]> {
    (-4..5).flat_map(|i| (-4..5).map(move |j| [i, j]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn formulas_mean_what_they_say(formula in truth()) {
        let text = format!("{{ S[i, j] : {} }}", formula.text());
        let set = Set::parse(&text).unwrap();
        let printed = set.to_string();
        let again = Set::parse(&printed).unwrap();
        for point in points() {
            let coordinates = point.map(Int::from);
            let expected = formula.at(point);
            let found = set.contains_point(&coordinates, &budget()).unwrap();
            prop_assert_eq!(found, expected, "{} at {:?}", &text, point);
            let found = again.contains_point(&coordinates, &budget()).unwrap();
            prop_assert_eq!(found, expected, "printed: {} at {:?}", &printed, point);
        }
    }

    #[test]
    fn expressions_have_one_value_everywhere(expression in value()) {
        let text = format!("{{ S[i, j] -> [{}] }}", expression.text());
        let function = PwAff::parse(&text).unwrap();
        let again = PwAff::parse(&function.to_string());
        let Ok(again) = again else { return Err(TestCaseError::fail(format!("{function}"))) };
        for point in points() {
            let coordinates = point.map(Int::from);
            for function in [&function, &again] {
                let mut values = Vec::new();
                for (domain, aff) in function.pieces() {
                    if domain.contains_point(&coordinates, &budget()).unwrap() {
                        values.push(aff.eval(&coordinates));
                    }
                }
                prop_assert_eq!(values.len(), 1, "{}", function);
                prop_assert_eq!(values[0].to_int(), Some(Int::from(expression.at(point))));
            }
        }
    }
}

const SETS: [&str; 22] = [
    "{ : }",
    "[n] -> { : n > 3 }",
    "[n, m] -> { S[i, j] : 0 <= i, j < n and i + j != m }",
    "{ A[B[i] -> C[j, k]] : i > j = 2k }",
    "{ [[i] -> [j]] : 0 <= i <= j < 10 }",
    "{ [i, i + 1, 2i] : 0 <= i < 5 }",
    "{ [i] : exists e0, e1: i = 3e0 + 5e1 and e0 > 0 and e1 > 0 }",
    "{ [i] : not exists e0: 2e0 = i }",
    "{ [i] : i mod 3 = 1 or floor((i + 1)/2) = 4 or i % 4 = 2 }",
    "{ [i] : [i/2] = 3 && !(i = 6) }",
    "{ [i, j] : 2i = 3j or false }",
    "{ [i] : true and not (i >= 2 implies i = 4) }",
    "{ [i, j, k, l] : i, j << k, l }",
    "{ [i, j, k, l] : i, j >>= k, l }",
    "{ [i = 3, *, 0:4] }",
    "{ [i] : (i > 3 ? i : 2) = 7 or max(i, 3) <= min(5, 2i) }",
    "{ [i] : i >= 1; [i] : i < -3 }",
    "[n] -> { [n, 5] : -n > 2(3 - n) }",
    "{ [] }",
    "{ S[i] : false }",
    "{ [i] : exists (e0 = floor((i)/4), e1: i = 4e0 + e1 and 0 <= e1 <= 1) }",
    "{ [i, j] : i <= 99999999999999999999999 and j = 123456789012345678901234567890 i }",
];

#[test]
fn sets_survive_printing() {
    for text in SETS {
        let set = Set::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let printed = set.to_string();
        let again = Set::parse(&printed).unwrap_or_else(|e| panic!("{text} as {printed}: {e}"));
        assert!(set.is_equal(&again, &budget()).unwrap(), "{text} as {printed}");
    }
}

#[test]
fn relations_survive_printing() {
    for text in [
        "[n] -> { S[i] -> T[i + 1, j] : 0 <= i < n }",
        "{ [i] -> [j] : j = i or j = i + 1 }",
        "{ [i] -> [i/2] }",
        "{ [i] -> [j] : exists e: i = 2e and j = 3e }",
        "{ [i, j] -> [i, j'] : j' > j }",
        "{ A[i] -> [B[i] -> C[]] : i mod 2 = 1 }",
        "{ S[0, i] -> [o0, o1] : o1 = 2o0 and o0 >= i }",
    ] {
        let map = Map::parse(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        let printed = map.to_string();
        let again = Map::parse(&printed).unwrap_or_else(|e| panic!("{text} as {printed}: {e}"));
        assert!(map.is_equal(&again, &budget()).unwrap(), "{text} as {printed}");
    }
    let union = "[n] -> { A[i] -> B[i] : i < n; C[] -> D[1, n] }";
    assert_eq!(UnionMap::parse(union).unwrap().to_string(), union);
    assert_eq!(UnionSet::parse("{ }").unwrap().to_string(), "{  }");
}

#[test]
fn texts_are_printed_in_the_usual_style() {
    for text in [
        "{ [i] : 0 <= i <= 9 }",
        "[n] -> { S[i] : 0 <= i < n }",
        "{ [i] : (i) mod 2 = 0 }",
        "{ [i] -> [j = 1 + i] : i >= 4 }",
        "{ S[i] : false }",
        "{ [i] : i <= 3 or i >= 6 }",
    ] {
        let printed = match text.contains("}") && text.contains("] -> [") {
            true => Map::parse(text).unwrap().to_string(),
            false => Set::parse(text).unwrap().to_string(),
        };
        assert_eq!(printed, text);
    }
}

#[test]
fn functions_survive_printing() {
    let aff = "[n] -> { S[i] -> [(n + 2i + floor((1 + i)/3))/2] }";
    assert_eq!(Aff::parse(aff).unwrap().to_string(), aff);
    let multi = "{ S[i, j] -> A[(i), (1 + j)] }";
    assert_eq!(MultiAff::parse(multi).unwrap().to_string(), multi);
    let piecewise = "{ [i] -> [(i)] : i >= 4; [i] -> [(-i)] : i < 0 }";
    assert_eq!(PwAff::parse(piecewise).unwrap().to_string(), piecewise);
    let tuples = "{ S[i] -> A[(i), (1 + i)] : i >= 4; S[i] -> A[(2), (3)] : i < 0 }";
    assert_eq!(PwMultiAff::parse(tuples).unwrap().to_string(), tuples);
    let union = "{ S[i] -> [(i)]; T[] -> [(0)] }";
    assert_eq!(UnionPwAff::parse(union).unwrap().to_string(), union);
    let unions = "{ S[i] -> A[(i)]; T[i] -> B[(i), (0)] }";
    assert_eq!(UnionPwMultiAff::parse(unions).unwrap().to_string(), unions);
    let band = "[n] -> L[{ S[i] -> [(n + i)]; T[] -> [(0)] }, { S[i] -> [(0)]; T[] -> [(1)] }]";
    assert_eq!(MultiUnionPwAff::parse(band).unwrap().to_string(), band);
    assert_eq!(PwAff::parse("[n] -> { [(n + 1)] }").unwrap().to_string(), "[n] -> { [(1 + n)] }");
    assert_eq!(PwAff::parse("{ [i] -> [NaN] }").unwrap().to_string(), "{ [i] -> [NaN] }");
}

#[test]
fn errors_point_at_the_place() {
    for (text, position) in [
        ("{ [i] : i > k }", 12),
        ("{ [i] : i }", 8),
        ("{ [i] : i > }", 12),
        ("{ [i : }", 5),
        ("{ [i] ", 6),
        ("[n, n] -> { : }", 4),
        ("rat: { [i] }", 0),
        ("{ [i] : i $ 3 }", 10),
        ("{ [i] : i > 0 # }", 17),
        ("[n = 3:4:5] -> { : }", 8),
        ("{ [i] : 2^i > 0 }", 10),
        ("{ [i] : 2^99999999 > 0 }", 10),
        ("{ [mod] }", 3),
        ("{ [i] : i <= infty }", 13),
        ("{ rat: [i] }", 2),
        ("{ [i] } x", 8),
        ("{ A[i]; B[i] }", 8),
    ] {
        match Set::parse(text) {
            Err(Error::Parse { position: found, message }) => {
                assert_eq!(found, position, "{text}: {message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    assert!(Map::parse("{ }").is_err());
    assert!(Set::parse("{ [i] : i * i > 3 }").is_err());
    assert!(Set::parse("{ [i] : i / 0 > 3 }").is_err());
    let deep = format!("{{ [i] : {}i > 0{} }}", "(".repeat(5000), ")".repeat(5000));
    assert!(Set::parse(&deep).is_err());
}

/// Texts and a plainer way to say the same.
const SPELLINGS: [(&str, &str); 23] = [
    ("{ [i] : i // 2 = 3 }", "{ [i] : 6 <= i <= 7 }"),
    ("{ [i] : -i // 2 = 3 }", "{ [i] : -6 <= i <= -5 }"),
    ("{ [i] : 3i mod 4 = 3 }", "{ [i] : exists e: i = 4e + 1 }"),
    ("{ [i] : 2i/2*3 = 9 }", "{ [3] }"),
    ("[n = 0:23] -> { [i] : i = n }", "[n] -> { [i] : 0 <= n <= 23 and i = n }"),
    ("[n = 3] -> { [i] }", "[n] -> { [i] : n = 3 }"),
    ("[n = 3:, m = :n] -> { : }", "[n, m] -> { : n >= 3 and m <= n }"),
    ("{ [i, j = i:, :4, 2:3, k = :] }", "{ [i, j, k, l, m] : j >= i and k <= 4 and 2 <= l <= 3 }"),
    ("{ [i] | i > 0 }", "{ [i] : i > 0 }"),
    ("{ [i] : i >= 2^3^2 }", "{ [i] : i >= 64 }"),
    ("{ [i] : 10^2i >= -2^2 }", "{ [i] : 100i >= -4 }"),
    ("{ [i] : EXISTS (e: i = 2e) AND i > 3 OR NOT TRUE }", "{ [i] : i mod 2 = 0 and i > 3 }"),
    ("{ Max[i] : Min(i, 3) = 2 and Floor(i/2) = 1 }", "{ Max[2] }"),
    ("{ [i] : # all of\n i > 3 # these\n }", "{ [i] : i > 3 }"),
    ("{ [i] : i = NaN or 3 > NaN }", "{ [i] : false }"),
    ("{ [i] : not (i != NaN) and max(2, NaN) <= i or i = 1 }", "{ [1] }"),
    ("{ [i] : not NaN > i }", "{ [i] }"),
    ("{ [i] : (i : i > 3; 7 : i < 3) = 7 }", "{ [i] : i = 7 or i < 3 }"),
    ("{ [i] : not (i : i > 3; 7 : i < 3) = 7 }", "{ [i] : i >= 3 and i != 7 }"),
    ("{ [i] : (i >= 0 ? i : -i) = 2 }", "{ [i] : i = 2 or i = -2 }"),
    ("{ [i, j] : i, j << 1, 2 <<= 1, 2 }", "{ [i, j] : i < 1 or i = 1 and j < 2 }"),
    ("{ [i] : i >= 0 implies i > 3 }", "{ [i] : i < 0 or i > 3 }"),
    ("{ [i] : i < 5/2 }", "{ [i] : i <= 2 }"),
];

#[test]
fn spellings_have_their_meaning() {
    for (text, plain) in SPELLINGS {
        let set = Set::parse(text).unwrap_or_else(|e| panic!("{}", e.explain(text)));
        let plain = Set::parse(plain).unwrap();
        assert!(set.is_equal(&plain, &budget()).unwrap(), "{text}: {set} is not {plain}");
    }
}

#[test]
fn partial_and_undefined_values_survive_printing() {
    let partial = PwMultiAff::parse("{ [i] -> A[(i : i > 3; 2 : i = 0), i] }").unwrap();
    let expected = "{ [i] -> A[(i), (i)] : i >= 4; [i] -> A[(2), (i)] : i = 0 }";
    assert_eq!(partial.to_string(), expected);
    let nan = PwAff::parse("{ [i] -> [floor(NaN) + i] }").unwrap();
    assert_eq!(nan.to_string(), "{ [i] -> [NaN] }");
    let nowhere = PwMultiAff::parse("{ A[0] -> B[0, 1] : false }").unwrap();
    assert_eq!(nowhere.to_string(), "{ A[i0] -> B[(0), (0)] : false }");
    let again = PwMultiAff::parse(&nowhere.to_string()).unwrap();
    assert_eq!(again.space(), nowhere.space());
}

#[test]
fn names_that_are_no_words_are_quoted() {
    let text = "[\"a b\"] -> { \"S 1\"[i] : i < \"a b\" }";
    let set = Set::parse(text).unwrap();
    assert_eq!(set.to_string(), "[\"a b\"] -> { \"S 1\"[i] : i < \"a b\" }");
    assert!(Set::parse(&set.to_string()).unwrap().is_equal(&set, &budget()).unwrap());
}
