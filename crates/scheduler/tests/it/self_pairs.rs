//! An instance need not come before itself: validity that relates instances to themselves orders nothing.

use crate::support::schedule_text;
use loopwright_presburger::Budget;
use loopwright_scheduler::{Algorithm, Options, ScheduleConstraints, schedule};

fn text_of(domain: &str, validity: &str, options: &Options) -> String {
    let text = format!("domain: \"{domain}\"\nvalidity: \"{validity}\"\n");
    schedule_text(&text, options).1.tree.to_string()
}

fn both() -> [Options; 2] {
    [Options::tiling(), Options { algorithm: Algorithm::Feautrier, ..Options::tiling() }]
}

#[test]
fn instances_related_to_themselves_alone_are_not_ordered() {
    let tree = text_of("{ S[i] : 0 <= i <= 9 }", "{ S[i] -> S[i] }", &Options::tiling());
    assert!(tree.contains("[{ S[i] -> [(i)]"), "{tree}");
    assert!(tree.contains("coincident: [ 1 ]"), "{tree}");
    for options in both() {
        let own = text_of("{ S[i, j] : 0 <= i, j <= 9 }", "{ S[i, j] -> S[i, j] }", &options);
        let free = text_of("{ S[i, j] : 0 <= i, j <= 9 }", "{ }", &options);
        assert_eq!(own, free);
    }
}

#[test]
fn an_order_that_is_not_strict_is_the_strict_one() {
    let domain = "[n] -> { S[i, j] : 0 <= i, j < n }";
    for options in both() {
        let loose = "[n] -> { S[i, j] -> S[a, b] : i <= a and j <= b }";
        let strict = "[n] -> { S[i, j] -> S[a, b] : i <= a and j <= b and (i < a or j < b) }";
        assert_eq!(text_of(domain, loose, &options), text_of(domain, strict, &options));
        let tree = text_of("{ S[i] : 0 <= i <= 9 }", "{ S[i] -> S[j] : i <= j }", &options);
        assert!(tree.contains("[{ S[i] -> [(i)]"), "{tree}");
    }
}

#[test]
fn pairs_of_statements_with_equal_coordinates_are_pairs() {
    // Only the instance itself is left out, not the other statement at the same place.
    let domain = "{ S[i] : 0 <= i <= 9; T[i] : 0 <= i <= 9 }";
    let tree = text_of(domain, "{ T[i] -> S[i]; S[i] -> S[i] }", &Options::tiling());
    let (second, first) = (tree.find("S[i] }").unwrap_or(0), tree.find("T[i] }").unwrap_or(0));
    assert!(first < second, "{tree}");
}

#[test]
fn a_cycle_between_two_instances_is_still_refused() {
    let text = "domain: \"{ S[i] : 0 <= i <= 1 }\"\nvalidity: \"{ S[i] -> S[j] }\"\n";
    let constraints = ScheduleConstraints::parse(text).expect("the constraints parse");
    let result = schedule(&constraints, &Options::tiling(), &Budget::unlimited());
    let error = result.expect_err("both instances would have to be first").to_string();
    assert!(error.contains("contradict each other"), "{error}");
}

#[test]
fn tagged_pairs_of_an_instance_with_itself_order_nothing() {
    let text = "domain: \"{ S[i] : 0 <= i <= 9 }\"\n\
                condition: \"{ [S[i] -> R[]] -> [S[i] -> W[]] }\"\n\
                conditional_validity: \"{ [S[i] -> W[]] -> [S[i] -> R[]] }\"\n";
    let tree = schedule_text(text, &Options::tiling()).1.tree.to_string();
    assert!(tree.contains("coincident: [ 1 ]"), "{tree}");
}

#[test]
fn instances_that_differ_in_a_dimension_behind_a_fixed_one_are_two() {
    // The first dimension is no coordinate: it has one value.
    for options in both() {
        let domain = "[m] -> { S[i, j] : i = 0 and 0 <= j <= m }";
        let backwards = "[m] -> { S[i, j] -> S[a, b] : i = 0 and a = 0 and b < j and b >= 0 }";
        let tree = text_of(domain, backwards, &options);
        assert!(tree.contains("[(-j)]"), "{tree}");
        let last = "[m] -> { S[i, j] -> S[a, b] : i = 0 and a = 0 and b = 0 and 0 < j }";
        let tree = text_of(domain, last, &options);
        assert!(tree.contains("[(-j)]"), "{tree}");
    }
}
