//! Edits of mappings, compared with the mappings written out.
use loopwright_mappings::{EditError, Mapping, Script};
use loopwright_presburger::{Budget, UnionMap};
use loopwright_schedule::ScheduleTree;

fn mapping(text: &str) -> Mapping {
    let relation = UnionMap::parse(text).expect("a relation");
    Mapping::of_relation(&relation, &Budget::unlimited()).expect("a mapping")
}

fn run(order: &str, script: &str) -> Result<Mapping, EditError> {
    let budget = Budget::unlimited();
    let script = Script::parse(script)?;
    script.steps().iter().try_fold(mapping(order), |mapping, step| step.apply(&mapping, &budget))
}

/// The script turns one order into the other.
#[track_caller]
fn check(before: &str, script: &str, after: &str) {
    let budget = Budget::unlimited();
    let edited = run(before, script).expect("the script fits");
    let found = edited.to_union_map().expect("a relation");
    let wanted = UnionMap::parse(after).expect("a relation");
    assert!(found.is_equal(&wanted, &budget).expect("no limit"), "{found}");
    assert!(edited.is_injective(&budget).expect("no limit"), "{found}");
    let tree = edited.to_tree().expect("a tree");
    assert_same_order(&tree, &wanted, &budget);
}

/// A tree and a relation order all pairs of instances in the same way.
#[track_caller]
fn assert_same_order(tree: &ScheduleTree, wanted: &UnionMap, budget: &Budget) {
    let before = |order: &UnionMap| order.lex_lt_union_map(order).expect("pairs of instances");
    let flat = tree.flatten().expect("a flat schedule");
    assert!(before(&flat).is_equal(&before(wanted), budget).expect("no limit"), "{tree}");
}

#[track_caller]
fn refused(before: &str, script: &str, wanted: &str) {
    match run(before, script) {
        Err(EditError::Refused(message)) => assert!(message.contains(wanted), "{message}"),
        other => panic!("{other:?}"),
    }
}

const NEST: &str = "[n] -> { S[i, j] -> [i, j] : 0 <= i < n and 0 <= j <= i }";
const PAIR: &str =
    "[n] -> { A[i] -> [i, 0, 0] : 0 <= i < n; B[i, j] -> [i, 1, j] : 0 <= i, j < n }";
const LOOPS: &str = "[n] -> { A[i] -> [0, i] : 0 <= i < n; B[i] -> [1, i] : 0 <= i < n }";

/// Kelly and Pugh, section 2: the original order of an imperfect nest.
#[test]
fn original_order() {
    let tree = ScheduleTree::parse(
        r#"{ domain: "{ A[i, j] : 1 <= i <= 10 and 1 <= j <= 5; B[i, k] : 1 <= i <= 10 and 0 <= k <= 100 }",
             child: { schedule: "[{ A[i, j] -> [i]; B[i, k] -> [i] }]", child: { sequence: [
               { filter: "{ A[i, j] }", child: { schedule: "[{ A[i, j] -> [j] }]" } },
               { filter: "{ B[i, k] }", child: { schedule: "[{ B[i, k] -> [k] }]" } } ] } } }"#,
    )
    .expect("a tree");
    let mapping = Mapping::of_tree(&tree, |_| Vec::new()).expect("a mapping");
    let wanted = "{ A[i, j] -> [i, 0, j] : 1 <= i <= 10 and 1 <= j <= 5; \
                  B[i, k] -> [i, 1, k] : 1 <= i <= 10 and 0 <= k <= 100 }";
    let found = mapping.to_union_map().expect("a relation");
    let wanted = UnionMap::parse(wanted).expect("a relation");
    assert!(found.is_equal(&wanted, &Budget::unlimited()).expect("no limit"), "{found}");
}

#[test]
fn unimodular_transformations() {
    let after = "[n] -> { S[i, j] -> [j, i] : 0 <= i < n and 0 <= j <= i }";
    check(NEST, "interchange S 1 2", after);
    check(NEST, "unimodular S 1 [[0, 1], [1, 0]]", after);
    check(NEST, "reverse S 2", "[n] -> { S[i, j] -> [i, -j] : 0 <= i < n and 0 <= j <= i }");
    let skewed = "[n] -> { S[i, j] -> [i + 2j, j] : 0 <= i < n and 0 <= j <= i }";
    check(NEST, "skew S 1 2 2", skewed);
    check(NEST, "unimodular S 1 [[1, 2], [0, 1]]", skewed);
    refused(NEST, "unimodular S 1 [[1, 1], [1, 1]]", "determinant");
    refused(NEST, "unimodular S 1 [[1, 1], [1]]", "determinant");
    refused(NEST, "skew S 1 1 1", "by itself");
    refused(NEST, "interchange S 1 3", "no component 3");
}

#[test]
fn distribution_and_fusion() {
    let distributed =
        "[n] -> { A[i] -> [0, i, 0, 0] : 0 <= i < n; B[i, j] -> [1, i, 1, j] : 0 <= i, j < n }";
    check(PAIR, "distribute A / B 1", distributed);
    check(
        LOOPS,
        "fuse A, B 2",
        "[n] -> { A[i] -> [0, i, 0] : 0 <= i < n; B[i] -> [0, i, 1] : 0 <= i < n }",
    );
    refused(PAIR, "distribute A / B 2", "do not share");
    refused(LOOPS, "fuse A, B 1", "no constant");
    refused(PAIR, "distribute A / A 1", "two groups");
}

#[test]
fn order_of_statements() {
    check(
        PAIR,
        "reorder B / A 2",
        "[n] -> { A[i] -> [i, 1, 0] : 0 <= i < n; B[i, j] -> [i, 0, j] : 0 <= i, j < n }",
    );
    refused(PAIR, "reorder B / A 1", "not a constant");
}

#[test]
fn splitting() {
    check(
        LOOPS,
        "split A where i0 < 3; distribute A.1 / A.2 2; reverse A.2 3; map B [1, 0, i0]",
        "[n] -> { A[i] -> [0, 0, i] : 0 <= i < n and i < 3; A[i] -> [0, 1, -i] : 3 <= i < n; \
         B[i] -> [1, 0, i] : 0 <= i < n }",
    );
    refused(LOOPS, "split A where i0 >= 0", "does not split");
    refused(LOOPS, "split A where i0 >= }", "not allowed");
}

#[test]
fn blocks() {
    check(
        NEST,
        "tile S 1 4, 3",
        "[n] -> { S[i, j] -> [4*floor(i/4), 3*floor(j/3), i, j] : 0 <= i < n and 0 <= j <= i }",
    );
    check(
        NEST,
        "interleave S 2 2",
        "[n] -> { S[i, j] -> [i, j mod 2, j] : 0 <= i < n and 0 <= j <= i }",
    );
    check(
        "{ S[i, j] -> [i, j] : 0 <= i < 9 and 2 <= j <= 6 }",
        "coalesce S 1",
        "{ S[i, j] -> [5i + j - 2] : 0 <= i < 9 and 2 <= j <= 6 }",
    );
    refused(NEST, "coalesce S 1", "not bounded by numbers");
    refused(NEST, "tile S 1 -4", "positive");
}

#[test]
fn scaling_and_shifting() {
    check(
        LOOPS,
        "scale B 2 3; shift B 2 n - 1",
        "[n] -> { A[i] -> [0, i] : 0 <= i < n; B[i] -> [1, 3i + n - 1] : 0 <= i < n }",
    );
    refused(LOOPS, "scale B 2 0", "positive");
    refused(LOOPS, "shift B 2 k", "not a quasi-affine expression");
}

#[test]
fn wrong_scripts() {
    for script in ["interchange S", "tile S 1", "map S i", "split S if i", "unimodular S 1 [1, 0]"]
    {
        refused(NEST, script, "write `");
    }
    refused(NEST, "interchange S 0 1", "write `");
    refused(NEST, "rotate S 1", "there is no command");
    refused(NEST, "reverse T 1", "no statement");
    refused(NEST, "interchange S 99999999999999999999 1", "write `");
}
