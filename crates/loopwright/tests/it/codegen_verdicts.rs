//! What the check of generated code says, and for which schedules it can say more than others.
use loopwright::{CodegenOptions, codegen_file};
use loopwright_astgen::{Baseline, Options, Strategy};

fn verdict(schedule: &str) -> String {
    let generated = codegen_file(schedule, &CodegenOptions::STANDARD);
    generated.unwrap_or_else(|e| panic!("{schedule}: {e}")).verdict
}

#[test]
fn parameters_need_a_symbolic_proof() {
    let schedule = "[n] -> { A[i] -> [i] : 0 <= i < n }\n[n] -> { : }\n{ }";
    assert_eq!(verdict(schedule), "proved to run every instance once, in schedule order");
}

/// Without parameters, one run is all runs. The second schedule gives instances several times,
/// which is outside of what the symbolic proof covers.
#[test]
fn schedules_without_parameters_are_run() {
    let wanted = "proved to run every instance in schedule order, by running it";
    assert_eq!(verdict("{ A[i] -> [-i] : 0 <= i < 20 }\n{ : }\n{ }"), wanted);
    assert_eq!(verdict("{ A[i] -> [j] : 0 <= i, j < 5 }\n{ : }\n{ }"), wanted);
}

#[test]
fn large_schedules_without_parameters_are_proved() {
    let schedule = "{ A[i, j] -> [j, i] : 0 <= i, j < 5000 }\n{ : }\n{ }";
    assert_eq!(verdict(schedule), "proved to run every instance once, in schedule order");
}

#[test]
fn a_thousand_statements_are_proved() {
    let maps: Vec<String> =
        (0..1000).map(|s| format!("S{s}[i] -> [1000 i + {s}] : 0 <= i < n")).collect();
    let schedule = format!("[n] -> {{ {} }}\n[n] -> {{ : }}\n{{ }}", maps.join("; "));
    assert_eq!(verdict(&schedule), "proved to run every instance once, in schedule order");
}

/// A loop over seven million values with few instances ends, but not within the limit of the check. Its
/// schedule gives instances several times, so there is no symbolic proof either.
#[test]
fn a_limit_that_is_reached_is_no_defect() {
    let schedule =
        "{ A[j, k] -> [t] : 1000003 j + 997 k <= t <= 1000003 j + 997 k + 1 and 0 <= j, k < 8 }";
    let verdict = verdict(&format!("{schedule}\n{{ : }}\n{{ }}"));
    let wanted = "not checked: a limit was reached in running the code, and not proved";
    assert!(verdict.starts_with(wanted), "{verdict}");
}

/// Bounding boxes of what outer loops determine are no loops, so the code can be run.
#[test]
fn bounding_boxes_of_sparse_schedules_are_checked() {
    let schedule = "{ S[i, j, k] -> [701j + 351k, 16*floor((2j + k)/16), i, 2j + k] : 0 <= i <= 9 and \
                    0 <= j < i and 0 <= k < j }\n{ : }\n{ }";
    let strategy = Strategy::Baseline(Baseline::BoundingBox);
    let options = Options { strategy, ..Options::STANDARD };
    let options = CodegenOptions { options, ..CodegenOptions::STANDARD };
    let generated = codegen_file(schedule, &options).unwrap_or_else(|e| panic!("{e}"));
    assert!(generated.verdict.starts_with("proved to run"), "{}", generated.verdict);
    assert_eq!(generated.text.matches("for (").count(), 2, "{}", generated.text);
}
