//! Lattice widths of sets with parameters against those of sets with numbers in their place.
use loopwright_presburger::{Budget, Int, Set, Value};

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

/// The width as a function of `n` has the values that an integer program finds for numbers. (No condition is
/// one that a number in place of `n` makes tighter.)
#[test]
fn widths_of_sets_with_a_parameter_are_those_with_numbers() {
    let cases = [
        "{ [i] : -5 <= i <= 3N }",
        "{ [i, j] : 0 <= i <= N and 0 <= j <= 7 }",
        "{ [i, j] : 0 <= i <= 2N and 0 <= j - 3i <= N and j <= 20 }",
        "{ [i, j] : 0 <= i + j <= N and 0 <= i - j <= 9 }",
        "{ [i, j] : 3i >= 2j and 7i <= 5j + N and 0 <= j <= 12 }",
        "{ [i, j] : 5i - 3j >= 0 and 4j - 7i >= -N and i + 9j <= 2N + 5 and j >= -1 }",
        "{ [i, j] : 0 <= i <= 6 and j = 2i + N }",
        "{ [i, j, k] : 0 <= i and 0 <= j and 0 <= k and i + 2j + 3k <= N }",
        "{ [i, j, k] : 0 <= i <= N and 0 <= j - i <= 5 and 0 <= k + 2i <= N + 3 }",
    ];
    for text in cases {
        let general = Set::parse(&format!("[n] -> {}", text.replace('N', "n"))).unwrap();
        let width = general.parametric_lattice_width(&budget()).unwrap();
        for n in -3..=30_i64 {
            let set = Set::parse(&text.replace('N', &format!("({n})"))).unwrap();
            let expected = set.lattice_width(&budget()).unwrap();
            let found = width.eval(&[Int::from(n)], &budget()).unwrap();
            assert_eq!(found, expected.unwrap_or(Value::from(0)), "{text} for {n}: {width}");
        }
    }
}

#[test]
fn widths_that_are_not_known_are_refused() {
    for (text, reason) in [
        ("[n] -> { [i] : i >= n }", "not bounded"),
        ("[n] -> { [] : n > 3 }", "no dimensions"),
        ("[n] -> { [i] : 0 <= i <= n or 5n <= i <= 7n }", "several pieces"),
    ] {
        let set = Set::parse(text).unwrap();
        let error = set.parametric_lattice_width(&budget()).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}
