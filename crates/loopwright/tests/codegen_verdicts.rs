//! What the check of generated code says, and for which schedules it can say more than others.
use loopwright::{CodegenOptions, codegen_file};

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
