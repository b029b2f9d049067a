//! Regions as multifor statements of perfect nests: the text, runs of compiled programs as the oracle, and
//! refusals.
use crate::support::{Random, output_of};
use expect_test::expect;
use loopwright_cfront::{Options, read_text};
use loopwright_multifor::{LowerSettings, PerfectNests, lowered, perfect_nests};
use loopwright_testkit::cases::seed;

/// The text with multifor statements, or the messages and reasons of refusals.
fn nests(text: &str) -> Result<PerfectNests, String> {
    let file = read_text("test.c".as_ref(), text, &Options::default()).unwrap();
    let regions = file.extract().unwrap();
    perfect_nests("test.c".as_ref(), text, &regions, &LowerSettings::default()).map_err(|all| {
        let of = |each: &loopwright_cfront::Diagnostic| {
            format!("{}: {}", each.message, each.reason.as_deref().unwrap_or("no reason"))
        };
        all.iter().map(of).collect::<Vec<_>>().join("\n")
    })
}

/// A function around a region.
fn function(region: &str) -> String {
    format!(
        "void f(int n, int m, double a[n][n], double b[n][n], double x[n], double y[n]) {{\n#pragma scop\n{region}#pragma endscop\n}}\n"
    )
}

const ROWS: &str = "  for (int i = 0; i < n; i++) {
    x[i] = 0;
    for (int j = 0; j < n; j++)
      x[i] += a[i][j];
    y[i] = x[i] / n;
  }
";

#[test]
fn what_stands_behind_a_loop_is_executed_a_row_later() {
    let nests = nests(&function(ROWS)).unwrap();
    expect![[r#"
        void f(int n, int m, double a[n][n], double b[n][n], double x[n], double y[n]) {
        #pragma scop
          multifor (int i0 = 0, int i1 = 0, int i2 = 0; i0 < n, i1 < n, i2 < n; i0++, i1++, i2++; 1, 1, 1; 0, 0, 1)
            multifor (int once0 = 0, int j1 = 0, int once2 = 0; once0 < 1, j1 < n, once2 < 1; once0++, j1++, once2++; 1, 1, 1; 0, 0, 0) {
              0: x[i0] = 0;
              1: x[i1] += a[i1][j1];
              2: y[i2] = x[i2] / n;
            }
        #pragma endscop
        }
    "#]]
    .assert_eq(&nests.text);
    assert_eq!(nests.statements[0].offsets, [vec![0, 0, 1], vec![0, 0, 0]]);
    let kept = "the order of the sequential program is kept";
    assert!(nests.statements[0].notes.iter().any(|note| note.starts_with(kept)));
}

#[test]
fn loops_keep_their_bounds_types_and_directions() {
    let region = "  for (long i = n - 1; i >= 1; i--) {
    x[i] = y[i];
    for (int j = i; j < m - 2; j++)
      a[i][j] = x[i] * j;
  }
";
    let text = nests(&function(region)).unwrap().text;
    for part in [
        "multifor (long i0 = n - 1, long i1 = n - 1; i0 >= 1, i1 >= 1; i0--, i1--; 1, 1; 0, 0)",
        "multifor (int once0 = 0, int j1 = i1; once0 < 1, j1 <= m - 3; once0++, j1++; 1, 1; 0, 0) {",
        "1: a[i1][j1] = x[i1] * j1;",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

#[test]
fn names_of_the_file_are_not_taken() {
    let region = "  for (int i = 0; i < n; i++)\n    x[i] = i0;\n";
    let text = function(region).replace("int m,", "int i0, int m,");
    let text = nests(&text).unwrap().text;
    assert!(text.contains("multifor (int i0_1 = 0; i0_1 < n; i0_1++; 1; 0) {"), "{text}");
}

#[test]
fn what_has_no_such_form_is_refused_with_the_reason() {
    let cases = [
        ("  for (int i = 0; i < n; i += 2)\n    x[i] = 0;\n", "not all integers between bounds"),
        (
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < i && j < m; j++)\n      a[i][j] = 0;\n",
            "the greatest value of `j` is not one sum of indices and symbolic constants",
        ),
        ("  x[0] = 1;\n", "the region has no loops"),
        (
            "  for (int i = 0; i < n; i++) {\n    double t;\n    t = x[i];\n    y[i] = t;\n  }\n",
            "`t` is declared in the region",
        ),
        (
            "  for (int i = 0; i < n; i++)\n    x[i] = y[i];\n  for (int i = 0; i < n; i++)\n    y[i] = x[n - 1 - i];\n",
            "no constant offsets keep the order of the sequential program",
        ),
    ];
    for (region, reason) in cases {
        let refusal = nests(&function(region)).unwrap_err();
        assert!(refusal.contains(reason), "{reason}\n{refusal}");
    }
}

/// A statement of a random program, under loops with these indices.
fn statement(random: &mut Random, indices: &[&str]) -> String {
    let place = |random: &mut Random| match indices.len() {
        0 => format!("x[{}]", 2 + random.below(3)),
        1 => {
            let shift = random.below(3);
            random.one_of(&[
                format!("x[{} + {shift}]", indices[0]),
                format!("y[{} + {shift}]", indices[0]),
                format!("a[{} + {shift}][2]", indices[0]),
            ])
        }
        n => {
            let (i, j) = (indices[n - 2], indices[n - 1]);
            let (k, l) = (random.below(3), random.below(3));
            random.one_of(&[
                format!("a[{i} + {k}][{j} + {l}]"),
                format!("b[{i} + {k}][{j} + {l}]"),
                format!("x[{} + {k}]", indices[0]),
                format!("y[{j} + {k}]"),
            ])
        }
    };
    let (target, one, other) = (place(random), place(random), place(random));
    format!("{target} = {one} + 3 * {other} + {};", 1 + random.below(9))
}

/// Loops with statements in front of and behind the loops inside.
fn block(random: &mut Random, indices: &[&'static str], text: &mut String) {
    let margin = " ".repeat(2 * indices.len() + 2);
    let n_parts = 1 + random.below(2 + i64::from(indices.is_empty()));
    for _ in 0..n_parts {
        let is_deep = indices.len() == 3;
        if !is_deep && (indices.is_empty() || random.below(2) == 0) {
            let index = ["i", "j", "k"][indices.len()];
            let head = match indices.last() {
                Some(outer) if random.below(2) == 0 => format!("{index} = {outer}; {index} < 9"),
                Some(outer) if random.below(2) == 0 => format!("{index} = 0; {index} <= {outer}"),
                _ => format!("{index} = 0; {index} < n"),
            };
            text.push_str(&format!("{margin}for (int {head}; {index}++) {{\n"));
            block(random, &[indices, &[index]].concat(), text);
            text.push_str(&format!("{margin}}}\n"));
        } else {
            text.push_str(&format!("{margin}{}\n", statement(random, indices)));
        }
    }
}

/// A program whose functions are random regions: each begins with the same values, and its results are
/// printed.
fn program(functions: &[String]) -> String {
    let calls: String =
        (0..functions.len()).map(|at| format!("  fill(); f{at}(n); print({at});\n")).collect();
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nunsigned a[20][20], b[20][20], x[20], y[20];\n\
         static void fill(void) {{\n  for (int p = 0; p < 20; p++) {{\n    x[p] = p * p + 1; y[p] = 7 * p;\n    for (int q = 0; q < 20; q++) {{ a[p][q] = 3 * p + q; b[p][q] = p ^ q; }}\n  }}\n}}\n\
         static void print(int f) {{\n  unsigned s = 1;\n  for (int p = 0; p < 20; p++) {{\n    s = s * 31 + x[p]; s = s * 31 + y[p];\n    for (int q = 0; q < 20; q++) {{ s = s * 31 + a[p][q]; s = s * 31 + b[p][q]; }}\n  }}\n  printf(\"%d %u\\n\", f, s);\n}}\n\
         {}int main(int c, char **v) {{\n  int n = atoi(v[1]);\n{calls}  return 0;\n}}\n",
        functions.concat()
    )
}

#[test]
fn random_regions_compute_the_same() {
    let mut random = Random(seed(5));
    let (mut kept, mut refused) = (Vec::new(), 0);
    while kept.len() < 24 {
        let mut region = String::new();
        block(&mut random, &[], &mut region);
        let at = kept.len();
        let text = format!("void f{at}(int n) {{\n#pragma scop\n{region}#pragma endscop\n}}\n");
        let declared = format!("unsigned a[20][20], b[20][20], x[20], y[20];\n{text}");
        match nests(&declared) {
            Ok(nests) => kept.push((text, nests.text.split_once('\n').unwrap().1.to_string())),
            Err(reason) => {
                refused += 1;
                let known =
                    ["no constant offsets", "several partners", "has no loops", "greatest value"];
                assert!(known.iter().any(|known| reason.contains(known)), "{reason}\n{text}");
            }
        }
        assert!(kept.len() + refused < 400, "{} of {}", kept.len(), kept.len() + refused);
    }
    let (originals, nests): (Vec<String>, Vec<String>) = kept.into_iter().unzip();
    let plain = lowered("test.c".as_ref(), &program(&nests), &LowerSettings::default()).unwrap();
    assert_eq!(plain.statements.len(), originals.len());
    for n in ["0", "1", "2", "7", "9"] {
        let of = |program: &str| output_of(program, &[n.to_string()]);
        let plain = plain.text.replace("#pragma scop", "").replace("#pragma endscop", "");
        let original =
            program(&originals).replace("#pragma scop", "").replace("#pragma endscop", "");
        assert_eq!(of(&plain), of(&original), "n = {n}\n{plain}\n{original}");
    }
}
