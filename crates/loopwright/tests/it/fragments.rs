//! Regions without a function around them: files that other files include.

use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_backend::Target;
use std::fs;

const FRAGMENT: &str = "#pragma scop
t = 3;
for (i = 4 - n; i <= n + 2; i++)
  for (j = 4 - n; j <= n + 2; j++)
    a[i][j] = a[i - 1][j] + 2 * t;
for (i = 0; i < n; i++) {
  s[i] = 0;
  for (j = 0; j < n; j++)
    s[i] += a[j][i] * x[j] / 2;
}
#pragma endscop
";

/// A program that includes the fragment, with elements of a type.
fn program(element: &str, fragment: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         static {element} memory[90][90], s[60], x[60], t;\n\
         int main(void)\n{{\n\
         {element} (*a)[90] = memory + 45;\n\
         int i, j, n = 40;\n\
         for (i = 0; i < 60; i++) x[i] = i * 3 % 7;\n\
         for (i = 0; i < 90; i++) for (j = 0; j < 90; j++) memory[i][j] = (i + j) % 5;\n\
         #include \"{fragment}\"\n\
         for (i = 0; i < 40; i++) printf(\"%g %g\\n\", (double) s[i], (double) a[i][i]);\n\
         printf(\"%g\\n\", (double) t);\n\
         return 0;\n}}\n"
    )
}

/// The types of elements are those of the file around, which the fragment does not show.
#[test]
fn included_fragments_print_the_same() {
    let folder = scratch("fragments");
    let before = folder.join("before.h");
    fs::write(&before, FRAGMENT).expect("a temporary file can be written");
    for (name, target) in [("c", Target::C), ("openmp", Target::OpenMp)] {
        let options = CompileOptions { target, ..CompileOptions::new() };
        let compiled = compile_file(&before, &options).map_err(|e| e.to_string());
        let compiled = compiled.expect("it compiles");
        let report = compiled.report.to_string();
        assert!(report.contains("`a`, `s`, `t`, `x` are different variables"), "{report}");
        fs::write(folder.join("after.h"), &compiled.code).expect("a temporary file can be written");
        for element in ["double", "float", "int", "unsigned char"] {
            let wanted = run_c(&program(element, "before.h"), &folder, "before");
            let got = run_c(&program(element, "after.h"), &folder, "after");
            assert_eq!(wanted.expect("it is C"), got.expect("it is C"), "{name}, {element}");
        }
    }
}
