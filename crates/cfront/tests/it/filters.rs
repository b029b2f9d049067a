//! Conditions on data as filters: what statements look at, and with which values they run.
use loopwright_cfront::{Region, SourceFile};
use loopwright_presburger::{Budget, Map};
use loopwright_scop::{Filter, FilterValue};

fn file(statements: &str) -> SourceFile {
    let text = format!(
        "__attribute__((const)) int f(int);\nvoid program(int n) {{\n  int b[50], c[50], x, m;\n\
         #pragma scop\n{statements}\n#pragma endscop\n}}\n"
    );
    SourceFile::from_text("test.c", &text).with_filters()
}

fn region(statements: &str) -> Region {
    file(statements).extract().unwrap_or_else(|found| panic!("{found:#?}")).remove(0)
}

/// The filters of the statement in a line of the statements (the first is 1), one text each.
fn filters(region: &Region, line: u32) -> Vec<String> {
    let filtered = region.filtered_scop();
    let mut statements = filtered.scop.statements.iter();
    let statement = statements.find(|s| s.location.line == line + 4).expect("a statement");
    let one = |filter: &Filter| {
        let accesses: Vec<String> = filter
            .accesses
            .iter()
            .map(|access| match access.value {
                FilterValue::Outcome => format!("outcome of {}", access.relation),
                FilterValue::Read(reference) => format!("{reference} of {}", access.relation),
            })
            .collect();
        format!("{}: {}", accesses.join(", "), filter.values)
    };
    filtered.filters_of(statement.id).iter().map(one).collect()
}

/// Checks the filters of a statement: what they look at, in which evaluations, and the allowed values.
#[track_caller]
fn assert_filters(region: &Region, line: u32, expected: &[&str]) {
    let filtered = region.filtered_scop();
    let mut statements = filtered.scop.statements.iter();
    let statement = statements.find(|s| s.location.line == line + 4).expect("a statement");
    let found = filtered.filters_of(statement.id);
    assert_eq!(found.len(), expected.len(), "{:?}", filters(region, line));
    for (filter, text) in found.iter().zip(expected) {
        let (accesses, values) = text.split_once("}: ").unwrap();
        let (value, relation) = accesses.split_once(" of ").unwrap();
        let [access] = &filter.accesses[..] else { panic!("{filter:?}") };
        let own = match access.value {
            FilterValue::Outcome => "outcome".to_string(),
            FilterValue::Read(reference) => reference.to_string(),
        };
        let is = |map: &Map, text: &str| {
            let wanted = Map::parse(text).unwrap();
            map.is_equal(&wanted, &Budget::unlimited()).unwrap()
        };
        let is_right = own == value && is(&access.relation, &format!("{relation}}}"));
        assert!(is_right && is(&filter.values, values), "{:?}", filters(region, line));
    }
}

#[test]
fn conditions_on_values_are_about_what_they_read() {
    let region =
        region("for (int i = 0; i < n; i++)\nif (c[i] > 1 && i > 0)\nx = i;\nelse\nx = f(i);");
    let then = "R0 of [n] -> { S1[i] -> S0[i' = i] : 0 <= i < n }: [n] -> { S1[i] -> [i0] : 0 < i < n and i0 >= 2 }";
    assert_filters(&region, 3, &[then]);
    let otherwise = filters(&region, 5);
    assert!(otherwise[0].contains("<= 1") && otherwise[0].contains("i = 0"), "{otherwise:?}");
    assert!(filters(&region, 2).is_empty());
}

#[test]
fn other_conditions_are_about_outcomes() {
    let region = region("if (f(c[0]))\nx = 1;\nelse\nx = 2;");
    assert_filters(&region, 2, &["outcome of { S1[] -> S0[] }: { S1[] -> [i0 = 1] }"]);
    assert_filters(&region, 4, &["outcome of { S2[] -> S0[] }: { S2[] -> [i0 = 0] }"]);
}

#[test]
fn bounds_that_a_loop_keeps_are_read_in_front_of_it() {
    let region = region("m = f(0);\nfor (int i = 0; i < m; i++)\nb[i] = i;");
    let bound = "R0 of { S2[i] -> S1[] : i >= 0 }: { S2[i] -> [i0] : i >= 0 and i0 > i }";
    assert_filters(&region, 3, &[bound]);
    assert!(filters(&region, 2).is_empty());
}

#[test]
fn iterations_look_at_all_evaluations_before_them() {
    let changed = region("m = f(0);\nfor (int i = 0; i < m; i++)\nm = f(i);");
    let chain = "outcome of { S2[i] -> S1[i'] : 0 <= i' <= i }: { S2[i] -> [i0 = 1] : i >= 0 }";
    assert_filters(&changed, 3, &[chain]);
    let own = "outcome of { S1[i] -> S1[i'] : 0 <= i' < i }: { S1[i] -> [i0 = 1] : i >= 0 }";
    assert_filters(&changed, 2, &[own]);
    let last = region("do\nx = f(x);\nwhile (x > 1);");
    let chain = "outcome of { S0[count] -> S1[count'] : 0 <= count' < count }: { S0[count] -> [i0 = 1] : count >= 0 }";
    assert_filters(&last, 2, &[chain]);
}

#[test]
fn jumps_are_filters_of_what_comes_later() {
    let left =
        region("for (int i = 0; i < n; i++) {\nx = c[i];\nif (f(x))\nbreak;\nb[i] = x;\n}\nx = 1;");
    let before = "outcome of [n] -> { S0[i] -> S1[i'] : 0 <= i' < i and i < n }: [n] -> { S0[i] -> [i0 = 0] : 0 <= i < n }";
    assert_filters(&left, 2, &[before]);
    let behind = "outcome of [n] -> { S2[i] -> S1[i'] : 0 <= i' <= i and i < n }: [n] -> { S2[i] -> [i0 = 0] : 0 <= i < n }";
    assert_filters(&left, 5, &[behind]);
    assert!(filters(&left, 7).is_empty());
    let skipped = region("for (int i = 0; i < n; i++) {\nif (f(c[i]))\ncontinue;\nb[i] = 1;\n}");
    let same = "outcome of [n] -> { S1[i] -> S0[i' = i] : 0 <= i < n }: [n] -> { S1[i] -> [i0 = 0] : 0 <= i < n }";
    assert_filters(&skipped, 4, &[same]);
    let ended = region("if (f(0))\nreturn;\nx = 1;");
    assert_filters(&ended, 3, &["outcome of { S1[] -> S0[] }: { S1[] -> [i0 = 0] }"]);
}

/// Where several conditions lead to a jump, the jump itself is the evaluation.
#[test]
fn jumps_under_several_conditions_are_evaluations() {
    let region = region("while (1) {\nif (f(0)) {\nx = 1;\nif (n > 3)\nbreak;\n}\nx = 2;\n}");
    let chain = filters(&region, 7);
    assert_eq!(chain.len(), 1, "{chain:?}");
    assert!(chain[0].starts_with("outcome of [n] -> { S3[count] -> S2[count']"), "{chain:?}");
}

#[test]
fn programs_say_between_which_bounds_values_lie() {
    let region = region("m = f(0);\n#pragma value_bounds m 0 99\nif (m > 5)\nx = 1;");
    let filtered = region.filtered_scop();
    let [bounds] = filtered.value_bounds[..] else { panic!("{:?}", filtered.value_bounds) };
    assert_eq!(
        (&*filtered.scop.array(bounds.array).name, bounds.least, bounds.greatest),
        ("m", 0, 99)
    );
}

/// A write between a condition and a jump is none that the jump skips: the jump is an evaluation of its own.
#[test]
fn writes_in_front_of_jumps_run() {
    let skipped = region(
        "for (int i = 0; i < n; i++) {\nif (c[i] > 2) {\nb[i] = 1;\ncontinue;\n}\nb[i] = 2;\n}",
    );
    // The write is behind no jump of its own iteration.
    let write = filters(&skipped, 3);
    assert_eq!(write.len(), 1, "{write:?}");
    assert!(write[0].contains("-> S0[i' = i]"), "{write:?}");
    let behind = filters(&skipped, 6);
    assert_eq!(behind.len(), 1, "{behind:?}");
    assert!(behind[0].starts_with("outcome of [n] -> { S3[i] -> S2[i' = i]"), "{behind:?}");
}

/// Pragmas about values that cannot be used are told.
#[test]
fn bounds_of_values_without_effect_are_told() {
    let of = |pragma: &str| {
        let region = region(&format!("m = f(0);\n{pragma}\nif (m > 5)\nx = 1;"));
        (region.filtered_scop().value_bounds.len(), region.remarks)
    };
    assert_eq!(of("#pragma value_bounds m 0 99"), (1, Vec::new()));
    for (pragma, why) in [
        ("#pragma value_bounds q 0 99", "`q` is no variable that the region reads or writes"),
        ("#pragma value_bounds m 0 MANY", "two decimal numbers"),
        ("#pragma value_bounds m 9 0", "two decimal numbers"),
    ] {
        let (n, remarks) = of(pragma);
        let [remark] = &remarks[..] else { panic!("{remarks:?}") };
        assert!(n == 0 && remark.contains("has no effect") && remark.contains(why), "{remark}");
    }
}

#[test]
fn what_has_no_filters_is_refused_with_its_cause() {
    let refused = |statements: &str| {
        let found = file(statements).extract().expect_err("a refusal");
        (found[0].message.clone(), found[0].reason.clone().unwrap_or_default())
    };
    let (message, reason) = refused("switch (c[0]) { case 1: if (c[1]) break; x = 1; }");
    assert_eq!(message, "a `switch` cannot be part of a region");
    assert_eq!(reason, "in the model with filters, `break` ends branches only at their ends");
}

/// Without the option nothing is kept apart.
#[test]
fn filters_are_asked_for() {
    let text = "void f(int n, int *c, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    if (c[i])\n      a[i] = 1;\n#pragma endscop\n}\n";
    let regions = SourceFile::from_text("test.c", text).extract().unwrap();
    assert!(regions[0].filters.is_empty() && regions[0].filtered_scop().evaluations().is_empty());
    assert_eq!(regions[0].scop.statements.len(), 1);
}
