//! Text forms other than isl's: matrices survive, the others say what they should.
use loopwright_presburger::{Budget, Error, Format, Int, Map, PwAff, Set, UnionMap, UnionSet};
use proptest::prelude::*;

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

/// Matrices and the same in isl's notation.
const MATRICES: [(&str, &str); 8] = [
    ("3 4\n1 0 1 5\n1 -1 0 3\n0 1 1 1\n", "{ [i, j] : j >= -5 and i <= 3 and i + j = -1 }"),
    (
        "# two rows\n\n 2 4 # and four columns\n1 0 1 5\n\n1 -1 0 3",
        "{ [i, j] : j >= -5 and i <= 3 }",
    ),
    ("1 4 1 0 0 1\n1 1 1 5\n", "[p0] -> { [i] : i >= -5 - p0 }"),
    (
        "2\n1 4 1 0 0 1\n1 1 1 5\n1 4 1 0 0 1\n1 -1 1 5\n",
        "[p0] -> { [i] : i >= -5 - p0 or i <= 5 + p0 }",
    ),
    ("1\n\n1 4 1 0 0 1\n1 1 1 5\n", "[p0] -> { [i] : i >= -5 - p0 }"),
    ("1 4 1 0 1 0\n0 1 -2 -1", "{ [i] : exists e: i = 2e + 1 }"),
    ("0 3\n", "{ [i] }"),
    ("0 2", "{ [] }"),
];

#[test]
fn matrices_are_read() {
    for (matrix, text) in MATRICES {
        let set = Set::parse(matrix).unwrap_or_else(|e| panic!("{}", e.explain(matrix)));
        let expected = Set::parse(text).unwrap();
        assert!(set.is_equal(&expected, &budget()).unwrap(), "{matrix}: {set}");
    }
    let map = Map::parse("1 5 1 1 0 1\n1 1 2 5 3\n").unwrap();
    let expected = Map::parse("[p0] -> { [i] -> [j] : j + 2i + 5p0 + 3 >= 0 }").unwrap();
    assert!(map.is_equal(&expected, &budget()).unwrap(), "{map}");
    let union = UnionMap::parse("1 4 1 1 0 0\n0 1 -1 0").unwrap();
    assert_eq!(union.to_string(), "{ [i0] -> [i0] }");
}

#[test]
fn bad_matrices_are_refused_at_the_place() {
    for (matrix, position) in [
        ("1 4\n1 0 1", 9),
        ("1 4\n2 0 1 1", 4),
        ("1 4\n1 0 x 1", 8),
        ("1 1\n1", 0),
        ("1 99999999999999999999\n1", 2),
        ("0 100000", 0),
        ("1 4 1 1 1 1\n1 0 1 1", 0),
        ("1 3 1\n1 0 1", 0),
        ("1 3\n1 0 1 7", 10),
        ("2\n1 3\n1 0 1\n1 4\n1 0 1 2", 12),
        ("0", 0),
        ("1 -4", 2),
    ] {
        match Set::parse(matrix) {
            Err(Error::Parse { position: found, message }) => {
                assert_eq!(found, position, "{matrix}: {message}");
            }
            other => panic!("{matrix}: {other:?}"),
        }
    }
}

#[test]
fn relations_have_matrices() {
    let map =
        Map::parse("[n] -> { S[i] -> T[j, k] : 3k > i + n and j = floor((i + 1)/2) }").unwrap();
    let text = map.to_text(Format::ExtPolyLib, &budget()).unwrap();
    let nameless = Map::parse(&text).unwrap();
    let expected =
        Map::parse("[p0] -> { [i] -> [j, k] : 3k > i + p0 and j = floor((i + 1)/2) }").unwrap();
    assert!(nameless.is_equal(&expected, &budget()).unwrap(), "{text}");
    let simple = Map::parse("{ [i] -> [i + 1] : i > 0 }").unwrap();
    let text = simple.to_text(Format::PolyLib, &budget()).unwrap();
    assert_eq!(text, "1\n\n2 4\n0    1   -1   -1\n1    0    1   -1\n");
}

#[test]
fn omega_has_unions_and_existentials() {
    let omega = |text: &str| Set::parse(text).unwrap().to_text(Format::Omega, &budget()).unwrap();
    assert_eq!(omega("{ A[i] : 0 <= i <= 9 }"), "{ [i] : 0 <= i <= 9 }");
    assert_eq!(
        omega("[n] -> { S[i, j] : 2i = n or j > 3 }"),
        "{ [i, j] : 2i = n } union { [i, j] : j >= 4 }"
    );
    assert_eq!(
        omega("{ [i] : i mod 3 = 1 }"),
        "{ [i] : exists (e0: i = -2 + 3e0 and -2 + 3e0 <= i <= 3e0) }"
    );
    assert_eq!(omega("{ : }"), "{ [] }");
    assert_eq!(omega("{ [i] : 1 = 0 }"), "{ [i] : false }");
}

#[test]
fn c_has_conditions_and_expressions() {
    let set = Set::parse("[n] -> { [i] : 0 <= i < n and i mod 2 = 0 or i = 2n }").unwrap();
    assert_eq!(
        set.to_text(Format::C, &budget()).unwrap(),
        "(-i + 2 * floord(i, 2) == 0 && n - i - 1 >= 0 && i >= 0) || (-2 * n + i == 0)"
    );
    let function = PwAff::parse("{ [i] -> [max(i, 2 - i)] }").unwrap();
    assert_eq!(function.to_text(Format::C, &budget()).unwrap(), "i - 1 >= 0 ? i : -i + 2");
    let half = PwAff::parse("{ [i] -> [i/2 + 3] : i mod 2 = 0 }").unwrap();
    assert_eq!(half.to_text(Format::C, &budget()).unwrap(), "(i + 6) / 2");
}

#[test]
fn what_has_no_text_says_so() {
    let union = UnionSet::parse("{ A[i] : i > 3; B[] }").unwrap();
    assert!(union.to_text(Format::PolyLib, &budget()).is_err());
    assert!(union.to_text(Format::Latex, &budget()).is_ok());
    let function = PwAff::parse("{ [i] -> [i] }").unwrap();
    assert!(function.to_text(Format::Omega, &budget()).is_err());
    assert!(PwAff::parse("{ [i] -> [NaN] }").unwrap().to_text(Format::C, &budget()).is_err());
    assert!(Map::parse("{ [i] -> [i] }").unwrap().to_text(Format::C, &budget()).is_err());
}

proptest! {
    #[test]
    fn matrices_survive(
        rows in prop::collection::vec((prop::array::uniform3(-4i64..5), any::<bool>()), 1..4),
        divisor in 2i64..5,
    ) {
        let comparison = |equality: &bool| if *equality { "=" } else { ">=" };
        let conditions: Vec<String> = rows
            .iter()
            .map(|([a, b, c], e)| format!("{a} i + {b} [(i + j)/{divisor}] {} {c}", comparison(e)))
            .collect();
        let conditions = conditions.join(" and ").replace("-", "0 - ").replace("[(", "floor((")
            .replace(&format!(")/{divisor}]"), &format!(")/{divisor})"));
        let text = format!("{{ [i, j] : {conditions} }}");
        let set = Set::parse(&text).unwrap_or_else(|e| panic!("{}", e.explain(&text)));
        let matrix = set.to_text(Format::ExtPolyLib, &budget()).unwrap();
        let again = match Set::parse(&matrix) {
            Ok(again) => again,
            // No matrix tells no space.
            Err(_) => { prop_assert!(set.plain_is_empty()); return Ok(()); }
        };
        for i in -5..6 {
            for j in -5..6 {
                let point = [Int::from(i), Int::from(j)];
                prop_assert_eq!(
                    set.contains_point(&point, &budget()).unwrap(),
                    again.contains_point(&point, &budget()).unwrap(),
                    "{} at {:?}", &text, point
                );
            }
        }
    }
}
