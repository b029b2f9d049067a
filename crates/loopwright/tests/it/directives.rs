//! Directives of the user's: regions with, in and around them are accepted or refused, and programs print
//! what they printed.
use crate::directed::{Spelling, compare, compare_wrapped};
use crate::support::scratch;
use crate::verified_directives::{Place, Written, tried, verify_all};
use loopwright::{CompileOptions, compile_file};
use loopwright_cfront::directives::Family;

#[test]
fn programs_with_directives_print_the_same() {
    compare(Spelling::Line, true);
    compare(Spelling::Macro, false);
}

#[test]
fn the_wrapper_leaves_directives_to_their_loops() {
    compare_wrapped(Spelling::Include, false);
}

#[test]
fn a_reduction_clause_is_leave_to_reassociate_its_sum() {
    let text = |clause: &str| {
        format!(
            "double f(int n, const double *restrict a) {{\n  double s = 0, r = 0;\n#pragma scop\n#pragma omp parallel for {clause}\n  \
             for (int i = 0; i < n; i++) s += a[i];\n  for (int i = 0; i < n; i++) r += a[i];\n#pragma endscop\n  return s + r;\n}}\n"
        )
    };
    let folder = scratch("directives_reduction");
    let path = folder.join("sum.c");
    let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    std::fs::write(&path, text("reduction(+: s)")).unwrap();
    let code = compile_file(&path, &options).unwrap().code;
    assert!(code.contains("reduction(+: "), "{code}");
    assert_eq!(
        code.matches("#pragma omp parallel for").count(),
        1,
        "only one loop has the clause\n{code}"
    );
    std::fs::write(
        &path,
        text("schedule(static)").replace("#pragma omp parallel for schedule(static)\n", ""),
    )
    .unwrap();
    let code = compile_file(&path, &options).unwrap().code;
    assert!(!code.contains("#pragma omp parallel for"), "{code}");
}

#[test]
fn verify_says_of_directives_what_the_table_says() {
    let n = verify_all(&tried(&[Family::OpenMp]), Place::Inside, Written::Line);
    assert!(n > 150, "{n}");
}
