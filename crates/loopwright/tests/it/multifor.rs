//! `loopwright compile` on files with multifor statements.
use crate::support::scratch;
use std::path::Path;
use std::process::{Command, Output};

fn loopwright(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The example of the repository.
const EXAMPLE: &str = include_str!("../../../../examples/multifor.c");

/// What a program prints.
fn output_of(folder: &Path, code: &str) -> String {
    std::fs::write(folder.join("run.c"), code).unwrap();
    let built = Command::new("cc")
        .current_dir(folder)
        .args(["-O2", "-fopenmp", "-o", "run", "run.c", "-lm"])
        .output()
        .unwrap();
    assert!(built.status.success(), "{}\n{code}", text(&built.stderr));
    text(&Command::new(folder.join("run")).output().unwrap().stdout)
}

#[test]
fn the_example_is_the_same_by_both_schemes() {
    let folder = scratch("multifor-example");
    std::fs::write(folder.join("multifor.c"), EXAMPLE).unwrap();
    let mut outputs = Vec::new();
    for arguments in [
        &["--multifor", "guards"][..],
        &["--multifor", "separated"],
        &["--autodetect"],
        &["--autodetect", "--always-rewrite", "--multifor", "guards"],
    ] {
        let all = [&["compile", "multifor.c", "-o", "plain.c"], arguments].concat();
        let output = loopwright(&folder, &all);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let said = text(&output.stdout);
        assert!(said.contains("the loops are proved to be those of the statement"), "{said}");
        assert!(said.contains("assumed: `n` >= -1000000000"), "{said}");
        let code = std::fs::read_to_string(folder.join("plain.c")).unwrap();
        assert!(!code.contains("multifor ("), "{code}");
        outputs.push(output_of(&folder, &code));
    }
    assert!(!outputs[0].is_empty());
    assert!(outputs.iter().all(|output| *output == outputs[0]), "{outputs:?}");
}

/// A stencil that follows what it reads, inside of a region.
const STENCIL: &str = "void f(int n, double a[restrict n][n], double b[restrict n][n]) {
#pragma scop
  multifor (i1 = 0, i2 = 1; i1 < n, i2 < n - 1; i1++, i2++; 1, 1; 0, 2)
    multifor (j1 = 0, j2 = 1; j1 < n, j2 < n - 1; j1++, j2++; 1, 1; 0, 2) {
      0: a[i1][j1] = i1 * j1 % 7;
      1: b[i2][j2] = a[i2 - 1][j2] + a[i2 + 1][j2] + a[i2][j2 - 1] + a[i2][j2 + 1];
    }
#pragma endscop
}
#include <stdio.h>
int main(void) {
  static double a[70][70], b[70][70];
  for (int n = 1; n <= 70; n += 23) f(n, (void *) a, (void *) b);
  for (int i = 0; i < 70; i++) for (int j = 0; j < 70; j++) printf(\"%g %g \", a[i][j], b[i][j]);
  return 0;
}
";

#[test]
fn statements_in_regions_are_scheduled_tiled_and_proved() {
    let folder = scratch("multifor-region");
    std::fs::write(folder.join("stencil.c"), STENCIL).unwrap();
    let mut outputs = Vec::new();
    for arguments in
        [&["--unchanged"][..], &["--always-rewrite", "--multifor", "guards"], &["--always-rewrite"]]
    {
        let all = [&["compile", "stencil.c", "-o", "plain.c"], arguments].concat();
        let output = loopwright(&folder, &all);
        let said = text(&output.stdout) + &text(&output.stderr);
        assert!(output.status.success(), "{said}");
        if arguments.contains(&"--always-rewrite") {
            assert!(said.contains("proved: the schedule respects every dependence"), "{said}");
        }
        let code = std::fs::read_to_string(folder.join("plain.c")).unwrap();
        outputs.push(output_of(&folder, &code));
    }
    assert!(outputs.iter().all(|output| *output == outputs[0]), "{outputs:?}");
}

#[test]
fn illegal_statements_are_refused_with_the_pair() {
    let folder = scratch("multifor-illegal");
    let text_of = |offset: i32| {
        format!("void f(int n, int a[restrict n], int b[restrict n]) {{
  multifor (i = 0, j = 0; i < n, j < n - 1; i++, j++; 1, 1; 0, {offset}) {{ 0: a[i] = i; 1: b[j] = a[j + 1]; }}
}}
")
    };
    std::fs::write(folder.join("early.c"), text_of(0)).unwrap();
    let output = loopwright(&folder, &["compile", "early.c", "--multifor-check", "loops"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(said.contains("early.c:2:3") && said.contains("both access `a`"), "{said}");
    let output = loopwright(
        &folder,
        &["compile", "early.c", "--multifor-check", "loops", "--multifor-offsets", "smallest"],
    );
    assert!(text(&output.stderr).contains("the smallest legal offsets are (0, 1)"));
    let original = "void f(int n, int a[restrict n], int b[restrict n]) {
#pragma scop
  for (int x = 0; x < n; x++)
    a[x] = x;
  for (int x = 0; x < n - 1; x++)
    b[x] = a[x + 1];
#pragma endscop
}
";
    std::fs::write(folder.join("original.c"), original).unwrap();
    std::fs::write(folder.join("late.c"), text_of(1)).unwrap();
    for (file, status) in [("early.c", 1), ("late.c", 0)] {
        let output = loopwright(&folder, &["compile", file, "--multifor-check", "original.c"]);
        assert_eq!(output.status.code(), Some(status), "{}", text(&output.stderr));
    }
    std::fs::write(folder.join("wrong.c"), text_of(1).replace("1, 1; 0", "1; 0")).unwrap();
    let output = loopwright(&folder, &["compile", "wrong.c"]);
    assert!(text(&output.stderr).contains("1 grains"), "{}", text(&output.stderr));
}

/// Rows with statements in front of and behind the loop inside.
const ROWS: &str = "#include <stdio.h>
#define N 40
static double a[N][N], x[N], y[N];
static void rows(void) {
#pragma scop
  for (int i = 0; i < N; i++) {
    x[i] = 0;
    for (int j = 0; j <= i; j++)
      x[i] += a[i][j];
    y[i] = x[i] / N;
  }
#pragma endscop
}
int main(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * j % 7 + 0.5;
  rows();
  for (int i = 0; i < N; i++)
    printf(\"%g %g\\n\", x[i], y[i]);
  return 0;
}
";

#[test]
fn a_region_becomes_a_statement_of_perfect_nests() {
    let folder = scratch("multifor-nests");
    std::fs::write(folder.join("rows.c"), ROWS).unwrap();
    let output = loopwright(&folder, &["compile", "rows.c", "--emit", "multifor", "-o", "nests.c"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    let note =
        "lines 5-12 as a multifor statement: the smallest legal offsets are (0, 0, 0) (0, 0, 39)";
    assert!(said.contains(note), "{said}");
    let nests = std::fs::read_to_string(folder.join("nests.c")).unwrap();
    for part in
        ["multifor (int i0 = 0, int i1 = 0, int i2 = 0;", "j1 <= i1,", "1: x[i1] += a[i1][j1];"]
    {
        assert!(nests.contains(part), "{part}\n{nests}");
    }
    let check = &["compile", "nests.c", "--multifor-check", "rows.c", "-o", "plain.c"];
    let output = loopwright(&folder, check);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.contains("the order of the sequential program is kept"), "{said}");
    let plain = std::fs::read_to_string(folder.join("plain.c")).unwrap();
    assert_eq!(output_of(&folder, &plain), output_of(&folder, ROWS));
}

#[test]
fn a_region_that_is_no_multifor_statement_is_refused_with_the_reason() {
    let folder = scratch("multifor-no-nests");
    let code = "void f(int n, double x[restrict n], double y[restrict n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = y[i];
  for (int i = 0; i < n; i++)
    y[i] = x[n - 1 - i];
#pragma endscop
}
";
    std::fs::write(folder.join("f.c"), code).unwrap();
    let output = loopwright(&folder, &["compile", "f.c", "--emit", "multifor"]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("no constant offsets keep the order of the sequential program"),
        "{said}"
    );
    assert!(said.contains("these have to stay in order"), "{said}");
    let both = &["compile", "--from", "pet", "f.yaml", "--emit", "multifor"];
    let output = loopwright(&folder, both);
    assert!(text(&output.stderr).contains("not compiled"), "{}", text(&output.stderr));
}
