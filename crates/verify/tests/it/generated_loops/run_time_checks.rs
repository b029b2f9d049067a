//! Conditions that programs check before they run code that relies on assumptions.
use loopwright_astgen::{
    Assumption, AstExpr, AstNode, Build, Options, do_not_overlap, generate_from_map, in_bounds,
    run_time_condition,
};
use loopwright_presburger::{Budget, Set, UnionMap, UnionSet};
use loopwright_verify::{Values, execute};

fn set(text: &str) -> Set {
    Set::parse(text).expect("a set")
}

fn sets(text: &str) -> UnionSet {
    UnionSet::parse(text).expect("sets")
}

fn budget() -> Budget {
    Budget::steps(10_000_000)
}

fn build(context: &str) -> Build {
    Build::from_context(&set(context)).expect("a context")
}

/// Whether a condition without addresses holds.
fn holds(condition: &AstExpr, values: &[(&str, i64)]) -> bool {
    let call = UnionMap::parse("{ S[] -> [0] }").expect("a schedule");
    let (none, options) = (UnionMap::empty(), Options::STANDARD);
    let call = generate_from_map(&call, &set("{ : }"), &none, &options, &budget()).expect("a call");
    let then = Box::new(call);
    let node = AstNode::If { condition: condition.clone(), then, otherwise: None };
    let values: Values = values.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    !execute(&node, &values, 10).expect("a condition").is_empty()
}

/// The condition of a triangle of accesses is right for all small values, and no longer than needed.
#[test]
fn accesses_in_bounds() {
    let accessed =
        sets("[n] -> { A[i, j] : 0 <= i < n and i <= j <= 2i + 1; B[n + 2]; B[i] : 3 <= i < n }");
    let extent = sets("[m] -> { A[i, j] : 0 <= i < 5 and 0 <= j < m; B[i] : 0 <= i < m }");
    let assumptions = [Assumption::InBounds { accessed: &accessed, extent: &extent }];
    let condition =
        run_time_condition(&build("{ : }"), &assumptions, &budget()).expect("a condition");
    for n in -4..9 {
        for m in -2..14 {
            let wide = (0..n).all(|i| i < 5 && 2 * i + 1 < m);
            let wanted = wide && (0..m).contains(&(n + 2)) && (3..n).all(|i| i < m);
            assert_eq!(holds(&condition, &[("n", n), ("m", m)]), wanted, "{condition} at {n}, {m}");
        }
    }
}

#[test]
fn what_is_known_is_not_asked() {
    let accessed = sets("[n] -> { A[i] : 0 <= i < n }");
    let extent = sets("{ A[i] : 0 <= i < 100 }");
    let assumptions = [Assumption::InBounds { accessed: &accessed, extent: &extent }];
    let text = |context: &str| {
        let condition = run_time_condition(&build(context), &assumptions, &budget());
        condition.expect("a condition").to_string()
    };
    assert_eq!(text("{ : }"), "n <= 100");
    assert_eq!(text("[n] -> { : n <= 50 }"), "1");
}

#[test]
fn assumptions_that_exclude_each_other() {
    let (few, many) = (set("[n] -> { : n <= 3 }"), set("[n] -> { : n >= 9 }"));
    let both = [Assumption::Parameters(&few), Assumption::Parameters(&many)];
    let condition = run_time_condition(&build("{ : }"), &both, &budget()).expect("a condition");
    assert_eq!(condition, AstExpr::int(0));
    let none = run_time_condition(&build("{ : }"), &[], &budget()).expect("a condition");
    assert_eq!(none, AstExpr::int(1));
}

/// A linearised matrix with rows of `m` elements: no row reaches into the next one.
#[test]
fn subscripts_of_linearised_accesses() {
    let accessed = sets("[n, k] -> { A[i, j] : 0 <= i < n and k <= j <= k + 3 }");
    let extent = sets("[m] -> { A[i, j] : 0 <= j < m }");
    let good = in_bounds(&accessed, &extent, &budget()).expect("a set");
    let condition = build("[n, m, k] -> { : n >= 1 }").condition(&good).expect("a condition");
    assert_eq!(condition.to_string(), "k <= m - 4 && k >= 0");
}

/// Addresses are compared behind what makes the elements exist.
#[test]
fn arrays_that_may_overlap() {
    let (first, second) =
        (set("[n] -> { A[i] : 0 <= i < n }"), set("[n] -> { B[i] : 0 <= i <= 2n - 2 }"));
    let positive = set("[n] -> { : n >= 1 }");
    let assumptions = [
        Assumption::NoOverlap { first: &first, second: &second },
        Assumption::Parameters(&positive),
    ];
    let condition =
        run_time_condition(&build("{ : }"), &assumptions, &budget()).expect("a condition");
    assert_eq!(condition.to_string(), "n >= 1 && (&A[n - 1] < &B[0] || &B[2 * n - 2] < &A[0])");
}

/// Arrays of which nothing is accessed do not overlap.
#[test]
fn arrays_without_accesses() {
    let (first, second) = (set("[n] -> { A[i] : 0 <= i < n }"), set("{ B[0] }"));
    let nothing = build("[n] -> { : n <= 0 }");
    let condition = do_not_overlap(&nothing, &first, &second, &budget()).expect("a condition");
    assert_eq!(condition, AstExpr::int(1));
    let condition =
        do_not_overlap(&build("{ : }"), &first, &second, &budget()).expect("a condition");
    assert!(condition.to_string().starts_with("n <= 0 || "), "{condition}");
}
