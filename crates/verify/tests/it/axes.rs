//! Loops along axes of blocks and threads that have other values than the schedule are refuted.
use loopwright_astgen::{AstNode, Options, generate};
use loopwright_presburger::{Budget, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_verify::{Proof, check_ast, check_axes};

fn budget() -> Budget {
    Budget::steps(10_000_000)
}

/// The tree and its loops, whose iterators are values of the schedule, or not.
fn loops(second: &str, scale_strides: bool) -> (ScheduleTree, AstNode) {
    let tree = ScheduleTree::parse(&format!(
        "{{ domain: '[n] -> {{ A[i] : 0 <= i < 32 n; B[j] : 0 <= j < n }}', child: {{ mark: 'kernel(k)', child: {{ sequence: [ \
         {{ filter: '{{ A[i] }}', child: {{ mark: 'thread(x)', child: {{ schedule: '[{{ A[i] -> [i] }}]' }} }} }}, \
         {{ filter: '{{ B[j] }}', child: {{ mark: 'thread(x)', child: {{ schedule: '[{{ {second} }}]' }} }} }} ] }} }} }}"
    ))
    .unwrap();
    let options = Options { scale_strides, ..Options::STANDARD };
    let context = Set::parse("[n] -> { : }").unwrap();
    let ast = generate(&tree, &context, &options, &budget()).unwrap();
    assert!(check_ast(&ast, &tree, &context, &budget()).unwrap().is_proved());
    (tree, ast)
}

fn checked(second: &str, scale_strides: bool) -> Proof {
    let (tree, ast) = loops(second, scale_strides);
    check_axes(&ast, &tree, &Set::parse("[n] -> { : }").unwrap(), &budget()).unwrap()
}

#[test]
fn loops_that_count_multiples_are_refuted() {
    let Proof::Refuted(found) = checked("B[j] -> [32 j]", true) else { panic!("refuted") };
    let message = found[0].to_string();
    assert!(message.contains("B has another value along the axis"), "{message}");
    for scale_strides in [false, true] {
        assert!(checked("B[j] -> [j + 7]", scale_strides).is_proved());
    }
    assert!(checked("B[j] -> [32 j]", false).is_proved());
    assert!(checked("B[j] -> [5 - 3 j]", false).is_proved());
}

#[test]
fn only_values_are_compared_as_well() {
    // One value, without a loop.
    assert!(checked("B[j] -> [5]", true).is_proved());
    // Those of another tree.
    let (_, ast) = loops("B[j] -> [5]", true);
    let (other, _) = loops("B[j] -> [6]", true);
    let context = Set::parse("[n] -> { : }").unwrap();
    let found = check_axes(&ast, &other, &context, &budget()).unwrap();
    assert!(matches!(found, Proof::Refuted(_)), "{found:?}");
}
