//! How many pieces and constraints results have where fewer would do as well.
use loopwright_presburger::{Budget, DimKind, Int, Map, PwQPolynomial, Set, Value};

fn budget() -> Budget {
    Budget::steps(10_000_000)
}

fn n_constraints(set: &Set) -> usize {
    let sizes = set.as_map().basic_maps().iter();
    sizes.map(|piece| piece.equalities().len() + piece.inequalities().len()).sum()
}

/// A split on the way that makes no difference in the end leaves one piece.
#[test]
fn minima_that_are_the_same_on_both_sides_of_a_split_are_one_piece() {
    let cases = [
        "[p] -> { [i, j, k] : 2j = 1 + i and p >= 33 and 0 < i <= 61 and 16i < k <= 47 + 16i and k <= 14 + p + 16i }",
        "[n, b, t] -> { [i] : (i - 32b) mod 4096 = 0 and 0 <= b <= 127 and 0 <= t <= 31 and -t <= i < n - t and i >= -31 \
         and 32b < n }",
    ];
    for text in cases {
        let set = Set::parse(text).unwrap();
        let greatest = set.lexmax(&budget()).unwrap();
        assert_eq!(greatest.as_map().basic_maps().len(), 1, "{text}: {greatest}");
        check_greatest(&set, &greatest);
    }
}

/// Nothing is greater than the greatest element, which is one, for the same parameters.
fn check_greatest(set: &Set, greatest: &Set) {
    assert!(greatest.is_subset(set, &budget()).unwrap(), "{greatest}");
    let greater = greatest.lex_lt_set(set).unwrap();
    assert!(greater.is_empty(&budget()).unwrap(), "{greatest}");
    assert!(greatest.params().is_equal(&set.params(), &budget()).unwrap(), "{greatest}");
}

/// Combined bounds that follow from others are left out of a projection.
#[test]
fn projections_have_no_bounds_that_follow_from_others() {
    let cases = [
        ("[n] -> { [i, j] : 0 <= i < n and 0 <= j < n }", 2),
        (
            "[n] -> { [i, t, j] : 0 <= i <= t and 32t <= j <= 31 + 32t and 0 <= j < n and j >= 32i }",
            2,
        ),
        ("[n, m] -> { [i, j, k] : 0 <= i <= j and j <= k < n and j < m and m <= n }", 3),
    ];
    for (text, n) in cases {
        let set = Set::parse(text).unwrap();
        let projected = set.project_out(DimKind::Out, 1, set.n_dims() - 1);
        assert_eq!(n_constraints(&projected), n, "{text}: {projected}");
    }
}

/// Pieces that differ in what is projected out only become one.
#[test]
fn projections_have_no_piece_inside_another() {
    let set = Set::parse(
        "[n] -> { [i, j] : 0 <= i < n and j = 1 or 2 <= i < n and j = 2 or 0 <= i < n and j = 7 }",
    );
    let projected = set.unwrap().project_out(DimKind::Out, 1, 1);
    assert_eq!(projected.to_string(), "[n] -> { [i] : 0 <= i < n }");
    let map = Map::parse(
        "[n] -> { [i, 1] -> [j, 1] : 0 <= i < j < n; [i, 2] -> [j, 2] : 0 <= i < j < n }",
    )
    .unwrap();
    assert_eq!(map.deltas().unwrap().as_map().basic_maps().len(), 1);
}

/// Sums for the residues of a variable that are right for the same parameters are one piece.
#[test]
fn sums_by_residues_are_one_piece() {
    let cases = [
        ("[n, m] -> { [i, j] -> i*j + n*i*i*j : i, j >= 0 and 5i + 27j <= n + m }", 6_000),
        ("[n, m] -> { [i, j] -> i*i*j : i, j >= 0 and 4i + 15j <= n + 2m }", 3_000),
        ("[n, m] -> { [i, j] -> m*i*j : i, j >= 1 and 3i + 7j <= n }", 1_500),
    ];
    for (text, longest) in cases {
        let weights = PwQPolynomial::parse(text).unwrap();
        let sum = weights.sum(&budget()).unwrap();
        let printed = sum.to_string();
        assert!(printed.len() <= longest, "{text}: {} characters: {printed}", printed.len());
        for (n, m) in
            (-5..60_i64).step_by(7).flat_map(|n| (-3..9_i64).step_by(4).map(move |m| (n, m)))
        {
            let pairs = (0..=30).flat_map(|i| (0..=12).map(move |j| (i, j)));
            let values = pairs.map(|(i, j)| {
                let point: [Int; 4] = [n, m, i, j].map(Int::from);
                weights.eval(&point, &budget()).unwrap()
            });
            let expected = values.fold(Value::from(0), |sum, value| &sum + &value);
            let found = sum.eval(&[Int::from(n), Int::from(m)], &budget()).unwrap();
            assert_eq!(found, expected, "{text} at {n}, {m}");
        }
    }
}
