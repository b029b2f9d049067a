//! `compile --dataflow parametric`: what conditions on data exclude is no dependence, the result is proved,
//! and it prints the same.
use crate::parallel_functions::function;
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Compiled, DataflowBy, compile_file, explain_file};
use std::path::Path;

/// Programs of which the function `f` has so many parallel loops more with the option.
const PROGRAMS: [(&str, usize, &str); 4] = [
    (
        // A stronger condition reads what a weaker one writes.
        "implied",
        1,
        "double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 5)
      t = a[i] * 2;
    for (int j = 0; j < M; j++)
      if (c[i] > 7)
        out[i][j] = t + j;
  }
#pragma endscop
",
    ),
    (
        // Two conditions of which one holds, apart from each other.
        "covered",
        1,
        "double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 4)
      t = a[i];
    for (int j = 0; j < M; j++)
      out[i][j] = a[i] * j;
    if (!(c[i] > 4))
      t = out[i][0] + 1;
    for (int j = 0; j < M; j++)
      out[i][j] += t;
  }
#pragma endscop
",
    ),
    (
        // A bound from memory that both loops have.
        "bounds",
        1,
        "double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < c[i]; j++)
      t = a[j];
    for (int j = 0; j < M; j++)
      if (c[i] > 0)
        out[i][j] = t * j;
  }
#pragma endscop
",
    ),
    (
        // A variable that is used after the region: its last value is left.
        "last",
        1,
        "double t = 1;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 5)
      t = a[i] * 2;
    for (int j = 0; j < M; j++)
      if (c[i] > 7)
        out[i][j] = t + j;
  }
#pragma endscop
  out[0][0] += t;
",
    ),
];

/// A whole program that prints what a function computes.
fn program(body: &str) -> String {
    format!(
        "#include <stdio.h>\n#define N 300\n#define M 70\nstatic int c[N]; static double a[N], out[N][M];\n\
         void f(void) {{\n  {body}}}\n\
         int main(void) {{\n  unsigned x = 1;\n  for (int i = 0; i < N; i++) {{\n    x = x * 1103515245u + 12345u;\n    \
         c[i] = x / 65536 % 10;\n    a[i] = i % 17;\n  }}\n  f();\n  double sum = 0;\n  for (int i = 0; i < N; i++)\n    \
         for (int j = 0; j < M; j++)\n      sum += out[i][j] * (i + 3 * j + 1);\n  printf(\"%.17g\\n\", sum);\n  return 0;\n}}\n"
    )
}

fn compiled(name: &str, text: &str, dataflow: DataflowBy) -> Compiled {
    let path = scratch(&format!("parametric-{name}")).join("program.c");
    std::fs::write(&path, text).unwrap();
    let options = CompileOptions { always_rewrite: true, dataflow, ..CompileOptions::new() };
    compile_file(&path, &options).unwrap()
}

fn parallel_loops(code: &str) -> usize {
    function(code, "f").matches("#pragma omp parallel for").count()
}

#[test]
fn more_loops_are_parallel_and_print_the_same() {
    for (name, more, body) in PROGRAMS {
        let text = program(body);
        let plain = compiled(name, &text, DataflowBy::Accesses);
        let finer = compiled(name, &text, DataflowBy::Parametric);
        let found = (parallel_loops(&plain.code), parallel_loops(&finer.code));
        assert_eq!(found.1, found.0 + more, "{name}: {}", finer.code);
        let region = &finer.report.regions[0];
        assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{name}: {region:?}");
        let folder = scratch(&format!("parametric-{name}"));
        let before = run_c(&text, &folder, "before").expect("the program runs");
        let after = run_c(&finer.code, &folder, "after").expect("the result runs");
        assert_eq!(before, after, "{name}: {}", finer.code);
    }
}

#[test]
fn dead_code_is_found_under_conditions() {
    let text = program(
        "double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 5)
      t = a[i] * 2;
    if (c[i] > 3)
      t = a[i] * 3;
    if (c[i] > 4)
      out[i][0] = t;
  }
#pragma endscop
",
    );
    let path = scratch("parametric-dead").join("program.c");
    std::fs::write(&path, &text).unwrap();
    let cleaned = |dataflow| {
        let options = CompileOptions {
            always_rewrite: true,
            eliminate_dead_code: true,
            dataflow,
            ..CompileOptions::new()
        };
        compile_file(&path, &options).unwrap().code
    };
    let (plain, finer) = (cleaned(DataflowBy::Accesses), cleaned(DataflowBy::Parametric));
    assert!(plain.contains("a[c0] * 2"), "{plain}");
    assert!(!finer.contains("a[c0] * 2"), "the value is overwritten before it is read: {finer}");
    let folder = scratch("parametric-dead");
    let before = run_c(&text, &folder, "before").expect("the program runs");
    assert_eq!(before, run_c(&finer, &folder, "after").expect("the result runs"));
}

#[test]
fn regions_without_a_finer_model_say_why() {
    let text = program(
        "#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 5)
      goto next;
    out[i][0] = 1;
  next:;
  }
#pragma endscop
",
    );
    let compiled = compiled("refused", &text, DataflowBy::Parametric);
    let notes = compiled.report.regions[0].notes.join("\n");
    assert!(notes.contains("dataflow is that of accesses: a `goto`"), "{notes}");
}

/// The collection of `docs/conditions.md`: how many loops are parallel with the dependences of accesses, and
/// with conditions.
#[test]
fn programs_with_conditions_have_more_parallel_loops() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conditions");
    let mut totals = [0; 2];
    let mut n_programs = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "c") {
            continue;
        }
        n_programs += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let place = scratch(&format!("conditions-{name}"));
        std::fs::copy(folder.join("conditions.h"), place.join("conditions.h")).unwrap();
        let expected = run_c(&text, &place, "before").expect("the program runs");
        for (position, dataflow) in
            [DataflowBy::Accesses, DataflowBy::Parametric].into_iter().enumerate()
        {
            let options =
                CompileOptions { always_rewrite: true, dataflow, ..CompileOptions::new() };
            let compiled = compile_file(&path, &options).unwrap();
            totals[position] += compiled.code.matches("#pragma omp parallel for").count();
            let proofs = compiled.report.regions.iter().flat_map(|region| &region.proofs);
            assert!(proofs.into_iter().all(|(_, proof)| proof.is_proved()), "{name}");
            let found = run_c(&compiled.code, &place, "after").expect("the result runs");
            assert_eq!(found, expected, "{name}: {}", compiled.code);
        }
    }
    assert_eq!(n_programs, 23);
    assert!(totals[1] >= totals[0] + 12, "{totals:?}");
}

#[test]
fn explanations_name_the_conditions_of_a_dependence() {
    let text = program(
        "double t;
#pragma scop
  for (int i = 0; i < N; i++) {
    if (c[i] > 7)
      t = a[i] * 2;
    if (a[i] > 5)
      out[i][0] = t;
  }
#pragma endscop
",
    );
    let path = scratch("parametric-explained").join("program.c");
    std::fs::write(&path, &text).unwrap();
    let told = |dataflow| {
        let options = CompileOptions { dataflow, ..CompileOptions::new() };
        explain_file(&path, Some(8), &options).unwrap()
    };
    let (plain, finer) = (told(DataflowBy::Accesses), told(DataflowBy::Parametric));
    assert!(!plain.contains("only where"), "{plain}");
    for part in
        ["only where the values of `c[i] > 7` (line 9) are in ", "`a[i] > 5` (line 11) holds"]
    {
        assert!(finer.contains(part), "{part}: {finer}");
    }
}
