//! Kills, assumptions and conditions on data, from C to the programs' output: listings 3 and 10 of
//! "Scheduling for PPCG" among them.

use crate::support::{combinations, compile, run_c, scratch};
use loopwright::{CompileOptions, Emit, compile_file};
use loopwright_presburger::{Budget, Set, UnionSet};
use loopwright_transform::TileSizes;
use std::path::PathBuf;

/// For compilers that do not know the annotations.
const HEADER: &str = "#include <stdio.h>\n#ifndef __PENCIL__\n#define __pencil_kill(...) ((void) 0)\n\
                      #define __pencil_assume(e) ((void) 0)\n\
                      #define __builtin_assume(e) ((void) 0)\n#endif\n";

/// Listing 3, with a variable that others see.
const KILL: &str = "for (int i = 0; i < n; ++i) { t = A[i]; B[i] = t; }\n  __pencil_kill(t);";
/// Listing 10.
const COPIES: &str =
    "__pencil_kill(A);\n  for (int i = 0; i < n; ++i)\n    if (B[i] > 0) A[i] = B[i];";
/// Kills of rows and elements inside of loops.
const ROWS: &str = "for (int i = 0; i < n; ++i) {\n    __pencil_kill(W[0], t);\n\
                    for (int j = 0; j < n; ++j) W[0][j] = A[j] + i;\n\
                    t = W[0][i % 2];\n    for (int j = 0; j < n; ++j) B[i] += W[0][j] * t;\n\
                    __pencil_kill(t);\n  }\n  __pencil_kill(W);";
/// Written perhaps, in both branches, and read in the same statement.
const BRANCHES: &str = "for (int i = 1; i < n; ++i) {\n\
                        if (i > 2 && A[i] > A[i - 1]) { t = A[i] * 2; B[i] = t - B[i - 1]; }\n\
                        if (B[i] % 2) A[i - 1] = B[i]; else if (t > 3) B[i] = 0; else t++;\n  }";
/// A sum of some elements: the element must not be touched if there are none.
const SOME: &str = "for (int i = 0; i < n; ++i)\n    for (int j = 0; j < n; ++j)\n\
                    if (A[j] > 90) B[i] += A[j];";
/// The loop runs, and its body needs no condition.
const ASSUMED: &str = "__builtin_assume(n > 3 && n % 2 == 0);\n\
                       for (int i = 0; i < n; ++i) A[i] += B[n - 1 - i] * t;";

const ALL: [(&str, &str); 6] = [
    ("kill", KILL),
    ("copies", COPIES),
    ("rows", ROWS),
    ("branches", BRANCHES),
    ("some", SOME),
    ("assumed", ASSUMED),
];

/// A program around a region; `prints` says what of it is printed.
fn program(region: &str, prints: &str) -> String {
    format!(
        "{HEADER}int t = 5;\nint W[1][20];\n\
         static void f(int n, int A[restrict static n], int B[restrict static n])\n{{\n\
         #pragma scop\n  {region}\n#pragma endscop\n}}\n\
         int main(void)\n{{\n  int A[20], B[20];\n\
         for (int i = 0; i < 20; i++) {{ A[i] = i * 37 % 19 - 4; B[i] = i * 53 % 23 - 7; }}\n\
         f(20, A, B);\n\
         for (int i = 0; i < 20; i++) printf(\"%d %d\\n\", A[i], B[i]);\n{prints}  return 0;\n}}\n"
    )
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = scratch("annotations").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn emitted(name: &str, region: &str, stage: Emit) -> String {
    let path = file(name, &program(region, ""));
    let options = CompileOptions { tile_sizes: TileSizes::None, ..CompileOptions::new() };
    compile_file(&path, &options).and_then(|compiled| compiled.emit(stage)).expect("it compiles")
}

/// A relation of `--emit deps`.
fn relation(deps: &str, key: &str) -> UnionSet {
    let line = deps.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": \""));
    let text = line.and_then(|line| line.strip_suffix('"')).expect("the relation is printed");
    UnionSet::parse(text).expect("it is a set")
}

#[track_caller]
fn is(found: &UnionSet, expected: &str) {
    let expected = UnionSet::parse(expected).unwrap();
    let is_equal = found.is_equal(&expected, &Budget::unlimited()).unwrap();
    assert!(is_equal, "{found} is not {expected}");
}

#[test]
fn programs_print_the_same() {
    let folder = scratch("annotations");
    for (number, (name, region)) in ALL.into_iter().enumerate() {
        // A killed variable has no value afterwards.
        let prints = if region.contains("kill(") { "" } else { "  printf(\"%d\\n\", t);\n" };
        let text = program(region, prints);
        let before = run_c(&text, &folder, &format!("{name}_before")).expect("it is C");
        let mut choices = combinations();
        choices.rotate_left(5 * number);
        for options in choices.into_iter().step_by(9) {
            let (code, _) = compile(&file(name, &text), &options).expect("it compiles, is proved");
            assert!(!code.split("#endif").nth(1).unwrap().contains("__"), "{code}");
            let after = run_c(&code, &folder, &format!("{name}_after")).expect("it is C");
            assert_eq!(before, after, "{name} with {options:?}\n{code}");
        }
    }
}

/// T-02 (listing 3).
#[test]
fn l3_a_kill_after_the_loop_makes_it_parallel() {
    let live = KILL.replace("__pencil_kill(t);", "");
    for (name, region, is_parallel) in [("l3", KILL, true), ("l3_live", &live, false)] {
        let schedule = emitted(name, region, Emit::Schedule);
        assert_eq!(schedule.contains("coincident: [ 1 ]"), is_parallel, "{schedule}");
        let code = emitted(name, region, Emit::Code);
        let pragma = "#pragma omp parallel for private(t)";
        assert_eq!(code.contains(pragma), is_parallel, "{code}");
    }
}

/// T-07 (listing 10).
#[test]
fn l10_a_kill_before_the_loop_says_that_nothing_is_copied_in() {
    let kept = COPIES.replace("__pencil_kill(A);", "");
    let deps = emitted("l10", COPIES, Emit::Deps);
    is(&relation(&deps, "copy_in"), "[n] -> { B[i] : 0 <= i < n }");
    is(&relation(&deps, "copy_out"), "[n] -> { A[i] : 0 <= i < n }");
    let deps = emitted("l10_kept", &kept, Emit::Deps);
    is(&relation(&deps, "copy_in"), "[n] -> { A[i] : 0 <= i < n; B[i] : 0 <= i < n }");
    is(&relation(&deps, "copy_out"), "[n] -> { A[i] : 0 <= i < n }");
}

#[test]
fn assumptions_are_context_and_are_reported() {
    let path = file("assumed", &program(ASSUMED, ""));
    let compiled = compile_file(&path, &CompileOptions::new()).expect("it compiles");
    let scop = compiled.emit(Emit::Scop).expect("it can be printed");
    let context = scop.lines().find_map(|line| line.strip_prefix("context: \"")).unwrap();
    let context = Set::parse(context.trim_end_matches('"')).unwrap();
    let expected = Set::parse("[n] -> { : n > 3 and n mod 2 = 0 }").unwrap();
    assert!(context.is_equal(&expected, &Budget::unlimited()).unwrap(), "{context}");
    let notes = compiled.report.regions[0].notes.join("\n");
    assert!(notes.contains("assumed: `n > 3`, as line"), "{notes}");
}

#[test]
fn a_contradiction_is_no_reason_to_stop() {
    let region = "__builtin_assume(n > 3); __pencil_assume(n < 2);\n\
                  for (int i = 0; i < n; ++i) A[i] = B[i];";
    let path = file("contradiction", &program(region, ""));
    assert!(compile_file(&path, &CompileOptions::new()).is_ok());
}

#[test]
fn what_is_only_written_perhaps_is_not_written_back() {
    let code = emitted("some", SOME, Emit::Code);
    assert!(!code.contains("_value"), "{code}");
}

/// Different elements, as only the program knows; what is in a scalar is private.
const INDEPENDENT: &str = "#pragma pencil independent\n\
                           for (int i = 0; i < n; ++i) { t = B[i] % 20; A[(i * 7) % 20] += t; }\n\
                           __pencil_kill(t);";

#[test]
fn loops_that_are_declared_independent_run_in_parallel() {
    let path = file("independent", &program(INDEPENDENT, ""));
    let compiled = compile_file(&path, &CompileOptions::new()).expect("it compiles");
    assert!(compiled.code.contains("#pragma omp parallel for private(t)"), "{}", compiled.code);
    let notes = compiled.report.regions[0].notes.join("\n");
    assert!(notes.contains("assumed: the iterations of the loop in line"), "{notes}");
    assert!(!notes.contains("rejected"), "{notes}");
    let without = INDEPENDENT.replace("#pragma pencil independent\n", "");
    let serial = emitted("dependent", &without, Emit::Code);
    assert!(!serial.contains("omp parallel"), "{serial}");
    let folder = scratch("annotations");
    let outputs = [program(INDEPENDENT, ""), compiled.code]
        .map(|text| run_c(&text, &folder, "independent_run").expect("it runs"));
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn options_give_a_context() {
    let path = file("context", &program("for (int i = 0; i < n; ++i) A[i] = B[i];", ""));
    let with = |context: &str, non_negative_parameters| {
        let context = Some(context.to_string());
        let always_rewrite = true;
        let options = CompileOptions {
            context,
            non_negative_parameters,
            always_rewrite,
            ..CompileOptions::new()
        };
        compile_file(&path, &options).map_err(|failure| failure.to_string())
    };
    let compiled = with("[n] -> { : n < 30 }", true).expect("it compiles");
    let scop = compiled.emit(Emit::Scop).expect("it can be printed");
    let context = scop.lines().find_map(|line| line.strip_prefix("context: \"")).unwrap();
    let context = Set::parse(context.trim_end_matches('"')).unwrap();
    let expected = Set::parse("[n] -> { : 0 <= n < 30 }").unwrap();
    assert!(context.is_equal(&expected, &Budget::unlimited()).unwrap(), "{context}");
    let notes = compiled.report.regions[0].notes.join("\n");
    assert!(notes.contains("assumed: the context `[n] -> { : n < 30 }`"), "{notes}");
    assert!(notes.contains("assumed: no symbolic constant is negative"), "{notes}");
    for (context, part) in [
        ("[n, q] -> { : q > 3 }", "names `q`"),
        ("[n] -> { : n > ", "cannot be read"),
        ("{ [i] : i > 3 }", "dimensions of its own"),
        ("[n] -> { : n < -3 }", "nothing satisfies"),
    ] {
        let message = with(context, true).expect_err("it is refused");
        assert!(message.contains(part), "{context}: {message}");
    }
}
