//! Programs that once went wrong print the same with and without the compiler.

use crate::support::{
    arguments, combinations, fault, programs_of, run_c, scratch, some_combinations,
};

/// How many combinations are tried with every file, besides the one that it is kept for.
const N_COMBINATIONS: usize = 2;

/// Each file is compiled with the options in its first line (with which it went wrong) and with the
/// few others.
#[test]
fn print_the_same_after_compilation() {
    let folder = scratch("regressions");
    let combinations = combinations();
    let mut faults = Vec::new();
    for (number, path) in programs_of("regressions", &folder).into_iter().enumerate() {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let wanted = run_c(&text, &folder, "before").expect("the file is C");
        let named =
            |options: &&_| text.lines().next().is_some_and(|l| l.contains(&arguments(options)));
        let own = combinations.iter().filter(named).cloned();
        for options in own.chain(some_combinations(number, N_COMBINATIONS)) {
            faults.extend(fault(&path, &wanted, &folder, &options));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Two loops that read the same array share one loop if reuse of what is read counts.
#[test]
fn loops_that_read_the_same_array_are_fused_on_request() {
    let source = "void f(int n, double a[restrict n], double b[restrict n], double c[restrict n]) {\n#pragma scop\n\
                  for (int i = 0; i < n; i++) b[i] = 2 * a[i];\n\
                  for (int i = 0; i < n; i++) c[i] = 3 * a[i];\n#pragma endscop\n}\n";
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("input_reuse.c");
    std::fs::write(&path, source).expect("the folder for tests can be written");
    let loops = |input_reuse: bool| {
        let fuse = loopwright::Fusion::Rule(loopwright_scheduler::Fuse::Smart);
        let standard = loopwright::CompileOptions::new();
        let options =
            loopwright::CompileOptions { input_reuse, fuse, always_rewrite: true, ..standard };
        let compiled = loopwright::compile_file(&path, &options).expect("it compiles");
        compiled.code.matches("for (").count()
    };
    assert_eq!((loops(false), loops(true)), (2, 1));
}
