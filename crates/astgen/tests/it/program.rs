//! Complete C text: macros, and names that C allows.
use loopwright_astgen::{Options, c_program, generate_from_map};
use loopwright_presburger::{Budget, Set, UnionMap};

/// The program for a flat schedule.
fn program(schedule: &str) -> String {
    let schedule = UnionMap::parse(schedule).expect("a schedule");
    let context = Set::parse("{ : }").expect("a context");
    let budget = Budget::unlimited();
    let none = UnionMap::empty();
    let ast = generate_from_map(&schedule, &context, &none, &Options::STANDARD, &budget);
    c_program(&ast.expect("code"))
}

#[test]
fn macros_are_defined_once_and_only_if_used() {
    let text = program("[n, m] -> { S[i] -> [i] : 0 <= i < n; T[i] -> [i] : n <= i < m }");
    assert!(!text.contains("#define"), "{text}");
    let text = program(
        "[n, m] -> { S[i,j] -> [i,j] : 0 <= i < n and i < m and 0 <= j < n and j < m and j < i + 4 }",
    );
    assert_eq!(text.matches("#define").count(), 1, "{text}");
    assert!(text.starts_with("#define min(x, y)"), "{text}");
}

#[test]
fn floors_need_a_macro() {
    let text = program("[n] -> { S[i] -> [floor(i/4), i] : 0 <= i < n }");
    assert!(text.starts_with("#define min(x, y)"), "{text}");
    assert!(text.contains("\n#define floord(n, d)"), "{text}");
}

#[test]
fn macros_do_not_take_names_of_statements() {
    let text = program("[n, m] -> { min[i] -> [i] : 0 <= i < n and i < m }");
    let expected = "\
#define min_1(x, y) ((x) < (y) ? (x) : (y))
for (int c0 = 0; c0 < min_1(m, n); c0 += 1)
  min(c0);
";
    assert_eq!(text, expected);
}

#[test]
fn iterators_do_not_take_names_of_statements() {
    let text = program("[n] -> { c0[i] -> [i] : 0 <= i < n }");
    assert_eq!(text, "for (int c0_1 = 0; c0_1 < n; c0_1 += 1)\n  c0(c0_1);\n");
}

#[test]
fn keywords_are_no_names() {
    let text = program("[long, long_1] -> { while[i] -> [i] : 0 <= i < long and i < long_1 }");
    let expected = "\
#define min(x, y) ((x) < (y) ? (x) : (y))
for (int c0 = 0; c0 < min(long_1, long_2); c0 += 1)
  while_1(c0);
";
    assert_eq!(text, expected);
}
