//! Options whose effect no published example shows: each changes the schedule of a small program.

use crate::support::checked_outline;
use loopwright_scheduler::Options;

/// The outline of the schedule under options by their names, checked by enumeration.
fn outline(constraints: &str, options: &[&str]) -> String {
    let mut chosen = Options { separate_components: true, ..Options::tiling() };
    for option in options {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (*option, None),
        };
        chosen.set(name, value).expect("an option");
    }
    checked_outline(constraints, &chosen, &[("n", 5)], 11)
}

/// Constraints with all kinds of relations.
fn constraints(domain: &str, validity: &str, proximity: &str, coincidence: &str) -> String {
    format!(
        "domain: \"[n] -> {{ {domain} }}\"\nvalidity: \"[n] -> {{ {validity} }}\"\n\
         proximity: \"[n] -> {{ {proximity} }}\"\ncoincidence: \"[n] -> {{ {coincidence} }}\"\n"
    )
}

const TWO_LOOPS: &str = "A[i] : 0 <= i < n; B[i] : 0 <= i < n";
const NEIGHBOURS: &str = "A[i] -> B[j] : 0 <= i, j < n and i <= j <= i + 1";
const SAME: &str = "A[i] -> B[i] : 0 <= i < n";
const APART: &str = "sequence\n- A\n  permutable 1: A -> (i)\n- B\n  permutable 1: B -> (i)";

/// Fusion would make the loops sequential.
#[test]
fn whole_components_share_a_loop_at_any_price() {
    let text = constraints(TWO_LOOPS, NEIGHBOURS, SAME, NEIGHBOURS);
    let together = "permutable 0: A -> (i); B -> (i)\n  sequence\n  - A\n  - B";
    assert_eq!(outline(&text, &[]), APART);
    assert_eq!(outline(&text, &["schedule-whole-component"]), together);
    assert_eq!(outline(&text, &["no-schedule-maximize-coincidence"]), together);
}

#[test]
fn serialized_components_share_nothing() {
    let text = constraints(TWO_LOOPS, SAME, SAME, SAME);
    let together = "permutable 1: A -> (i); B -> (i)\n  sequence\n  - A\n  - B";
    assert_eq!(outline(&text, &[]), together);
    assert_eq!(outline(&text, &["schedule-serialize-sccs"]), APART);
}

/// Only one of the two loops can be shared; the other one carries pairs that should coincide in any case.
#[test]
fn band_depth_is_given_up_on_request() {
    let inside = "0 <= i < n and -n < j < n";
    let all = "A[i, j] -> B[i, k] : 0 <= i < n and -n < j, k < n";
    let next = format!("A[i, j] -> A[i, j + 1] : {inside}; B[i, j] -> B[i, j + 1] : {inside}");
    let text = constraints(
        &format!("A[i, j] : {inside}; B[i, j] : {inside}"),
        all,
        &format!("A[i, j] -> B[i, j] : {inside}"),
        &format!("{all}; {next}"),
    );
    let deep = outline(&text, &["no-schedule-parametric"]);
    assert!(deep.starts_with("sequence\n- A\n  permutable 10: A -> (i, j)"), "{deep}");
    let options = ["no-schedule-parametric", "no-schedule-maximize-band-depth"];
    let shallow = outline(&text, &options);
    assert!(shallow.starts_with("permutable 1: A -> (i); B -> (i)\n  sequence"), "{shallow}");
}

#[test]
fn independent_statements_are_children_of_a_set_on_request() {
    let text = constraints("A[]; B[]; C[]", "A[] -> C[]", "", "");
    assert!(outline(&text, &[]).starts_with("set\n"));
    let ordered = outline(&text, &["no-schedule-separate-components"]);
    assert_eq!(ordered, "sequence\n- A\n- B\n- C");
}

#[test]
fn loops_are_reversed_to_be_shared() {
    let mirrored = "A[i] -> B[n - 1 - i] : 0 <= i < n";
    let text = constraints(TWO_LOOPS, mirrored, mirrored, mirrored);
    assert!(outline(&text, &[]).starts_with("permutable 1: A -> (i+1); B -> (n-i)"));
    assert_eq!(outline(&text, &["no-schedule-negative-coefficients"]), APART);
}

#[test]
fn loops_are_shifted_by_parameters_to_be_shared() {
    let domain = "A[i] : 0 <= i < n; B[i] : n <= i < 2n";
    let shifted = "A[i] -> B[n + i] : 0 <= i < n";
    let text = constraints(domain, shifted, shifted, shifted);
    assert!(outline(&text, &[]).starts_with("permutable 1: A -> (n+i); B -> (i)"));
    assert_eq!(outline(&text, &["no-schedule-parametric"]), APART);
}

#[test]
fn coefficients_are_bounded() {
    let skewed = "S[i, j] -> S[i + 1, j - 3] : 0 <= i < n - 1 and 3 <= j < n; \
                  S[i, j] -> S[i, j + 1] : 0 <= i < n and 0 <= j < n - 1";
    let text = constraints("S[i, j] : 0 <= i, j < n", skewed, skewed, "");
    let tilable = "permutable 11: S -> (i, 3i+j)";
    assert_eq!(outline(&text, &[]), tilable);
    assert_eq!(outline(&text, &["schedule-max-coefficient=3"]), tilable);
    let nested = "permutable 1: S -> (i)\n  permutable 1: S -> (j)";
    assert_eq!(outline(&text, &["schedule-max-coefficient=2"]), nested);
}

#[test]
fn constant_terms_are_bounded() {
    let around = "A[i] -> B[j] : 0 <= i, j < n and i - 7 <= j <= i + 1";
    let text = constraints(TWO_LOOPS, around, around, around);
    let outline = |bound: &str| outline(&text, &["schedule-whole-component", bound]);
    assert!(
        outline("schedule-max-constant-term=7").starts_with("permutable 0: A -> (i); B -> (i+7)")
    );
    let other = outline("schedule-max-constant-term=6");
    assert!(other.starts_with("permutable 0: A -> (-i); B -> (-i+1)"), "{other}");
}
