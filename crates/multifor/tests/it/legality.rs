//! Legality, offsets and threads.
use crate::support::output_of;
use loopwright_cfront::{Region, SourceFile};
use loopwright_multifor::{LowerSettings, Lowered, OffsetChoice, Scheme, lowered};

const F: &str = "0.25 * (u[I][J + 1] + u[I][J - 1] + u[I - 1][J] + u[I + 1][J])";

/// Red-black relaxation with these outer offsets.
fn red_black(offsets: &str, pragma: &str) -> String {
    let body = |k: usize| {
        let text = F.replace('I', &format!("i{k}")).replace('J', &format!("j{k}"));
        format!("    {k}: u[i{k}][j{k}] = {text};\n")
    };
    let bodies: String = (0..4).map(body).collect();
    format!(
        "void f(int N, double u[N][N]) {{
{pragma}
  multifor (i0 = 1, i1 = 2, i2 = 1, i3 = 2; i0 < N - 1, i1 < N - 1, i2 < N - 1, i3 < N - 1;
            i0 += 2, i1 += 2, i2 += 2, i3 += 2; 2, 2, 2, 2; {offsets})
  multifor (j0 = 1, j1 = 2, j2 = 2, j3 = 1; j0 < N - 1, j1 < N - 1, j2 < N - 1, j3 < N - 1;
            j0 += 2, j1 += 2, j2 += 2, j3 += 2; 2, 2, 2, 2; 0, 1, 1, 0) {{
{bodies}  }}
}}
"
    )
}

/// The two sweeps that it stands for.
fn sweeps(pragmas: bool) -> String {
    let [scop, end] = if pragmas { ["#pragma scop\n", "#pragma endscop\n"] } else { ["", ""] };
    let sweep = |color: usize| {
        let text = F.replace('I', "i").replace('J', "j");
        format!(
            "  for (int i = 1; i < N - 1; i++)\n    for (int j = 1; j < N - 1; j++)\n      if ((i + j) % 2 == {color})\n        u[i][j] = {text};\n"
        )
    };
    format!("void f(int N, double u[N][N]) {{\n{scop}{}{}{end}}}\n", sweep(0), sweep(1))
}

fn natural_order() -> String {
    let text = F.replace('I', "i").replace('J', "j");
    format!(
        "void f(int N, double u[N][N]) {{\n  for (int i = 1; i < N - 1; i++)\n    for (int j = 1; j < N - 1; j++)\n      u[i][j] = {text};\n}}\n"
    )
}

fn regions(text: &str) -> Vec<Region> {
    SourceFile::from_text("original.c", text).extract().unwrap()
}

fn lower(text: &str, settings: &LowerSettings) -> Lowered {
    lowered("f.c".as_ref(), text, settings).unwrap_or_else(|all| panic!("{}\n{text}", all[0]))
}

fn reason(text: &str, settings: &LowerSettings) -> String {
    let refused = lowered("f.c".as_ref(), text, settings).expect_err(text);
    format!("{}", refused[0])
}

/// What a relaxation makes of arrays of several sizes.
fn relaxed(function: &str) -> String {
    let main = "
#include <stdio.h>
int main(void) {
  for (int N = 1; N < 14; N++) {
    double u[N][N];
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) u[i][j] = (i * 37 + j * 61 + i * j) % 17;
    f(N, u);
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) printf(\"%a \", u[i][j]);
  }
  return 0;
}
";
    output_of(&format!("{function}{main}"), &[])
}

#[test]
fn red_black_as_the_paper_has_it_is_not_red_black() {
    let written = red_black("0, 1, 0, 1", "");
    for scheme in [Scheme::Guards, Scheme::Separated] {
        let settings = LowerSettings { scheme, ..LowerSettings::default() };
        assert_eq!(relaxed(&lower(&written, &settings).text), relaxed(&natural_order()));
    }
    let checked = LowerSettings { check: true, ..LowerSettings::default() };
    let against =
        LowerSettings { originals: Some(regions(&sweeps(true))), ..LowerSettings::default() };
    for settings in [&checked, &against] {
        let why = reason(&written, settings);
        assert!(why.contains("changes the order") && why.contains("both access `u`"), "{why}");
        assert!(why.contains("loop 0: i0 = ") && why.contains("(loop 2: i2 = "), "{why}");
    }
}

#[test]
fn red_black_with_the_smallest_offsets_is_red_black() {
    for originals in [None, Some(regions(&sweeps(true)))] {
        for scheme in [Scheme::Guards, Scheme::Separated] {
            for pragma in ["", "#pragma multifor parallel"] {
                let originals = originals.clone();
                let offsets = OffsetChoice::Raised;
                let settings =
                    LowerSettings { scheme, originals, offsets, ..LowerSettings::default() };
                let plain = lower(&red_black("0, 1, 0, 1", pragma), &settings);
                assert_eq!(plain.statements[0].offsets, [vec![0, 1, 1, 2], vec![0, 1, 1, 0]]);
                assert_eq!(plain.text.contains("omp parallel for"), !pragma.is_empty());
                assert_eq!(relaxed(&plain.text), relaxed(&sweeps(false)));
            }
        }
    }
}

#[test]
fn instances_that_are_missing_or_too_many_are_found() {
    let originals = Some(regions(&sweeps(true)));
    let settings = LowerSettings { originals, ..LowerSettings::default() };
    let fewer = red_black("0, 1, 1, 2", "").replace("i3 < N - 1", "i3 < N - 2");
    assert!(reason(&fewer, &settings).contains("does not execute all instances"));
    let more = red_black("0, 1, 1, 2", "").replace("i3 < N - 1", "i3 < N");
    assert!(reason(&more, &settings).contains("has no partner"));
    let twice = red_black("0, 1, 1, 2", "").replace("i1 = 2", "i1 = 1").replace("j1 = 2", "j1 = 1");
    assert!(reason(&twice, &settings).contains("several partners"));
}

/// Edges in an image, with functions that only compute.
fn sobel(offsets: &str, pragma: &str) -> String {
    format!(
        "__attribute__((const)) int R(int i, int j);
__attribute__((const)) int E(int p, int q, int r, int s);
void f(int K, int N, int a[restrict K][N], int b[restrict K][N]) {{
{pragma}
  multifor (i1 = 0, i2 = 1; i1 < K, i2 < K - 1; i1++, i2++; 1, 1; {offsets})
    multifor (j1 = 0, j2 = 1; j1 < N, j2 < N - 1; j1++, j2++; 1, 1; {offsets}) {{
      0: a[i1][j1] = R(i1, j1);
      1: b[i2][j2] = E(a[i2 - 1][j2 - 1], a[i2][j2], a[i2 + 1][j2 + 1], a[i2 + 1][j2 - 1]);
    }}
}}
"
    )
}

#[test]
fn smallest_offsets_of_sobel() {
    let smallest = LowerSettings { offsets: OffsetChoice::Smallest, ..LowerSettings::default() };
    let plain = lower(&sobel("0, 0", ""), &smallest);
    assert_eq!(plain.statements[0].offsets, [vec![0, 2], vec![0, 2]]);
    // With threads that meet at each point of both levels, the bodies at a point have to be independent.
    let plain = lower(&sobel("0, 0", "#pragma multifor lockstep(2)"), &smallest);
    assert_eq!(plain.statements[0].offsets, [vec![0, 2], vec![0, 3]]);
    // With threads that meet after each row, the rows have to be.
    let plain = lower(&sobel("0, 0", "#pragma multifor lockstep"), &smallest);
    assert_eq!(plain.statements[0].offsets, [vec![0, 3], vec![0, 0]]);
    // The offsets of the paper are legal, and leave the inner loop parallel; smaller ones are refused.
    let checked = LowerSettings { check: true, ..LowerSettings::default() };
    let plain = lower(&sobel("0, 3", "#pragma multifor parallel"), &checked);
    assert!(plain.statements[0].notes.iter().any(|note| note.contains("level 2 are independent")));
    let why = reason(&sobel("0, 1", ""), &checked);
    assert!(why.contains("both access `a`"), "{why}");
    let why = reason(&sobel("0, 2", "#pragma multifor lockstep(2)"), &LowerSettings::default());
    assert!(why.contains("bodies of a multifor statement at the same point"), "{why}");
}

fn cipher(pragma: &str, offset: usize) -> String {
    format!(
        "void f(int k, int c[restrict k], int m[restrict k]) {{
{pragma}
  multifor (i1 = 0, i2 = 0; i1 < k, i2 < k; i1++, i2++; 1, 1; 0, {offset}) {{
    0: c[i1] = 3 * m[i1] + 1;
    1: c[i2] = c[i2] * 7 % 1000;
  }}
}}
"
    )
}

#[test]
fn the_cipher_runs_in_all_ways() {
    let main = "
#include <stdio.h>
int main(void) {
  for (int k = 0; k < 40; k++) {
    int c[41] = {0}, m[41];
    for (int i = 0; i < 41; i++) m[i] = i * i % 23;
    f(k, c, m);
    for (int i = 0; i < 41; i++) printf(\"%d \", c[i]);
  }
  return 0;
}
";
    let settings = LowerSettings::default();
    let run = |text: &str| output_of(&format!("{}{main}", lower(text, &settings).text), &[]);
    let plain = run(&cipher("", 1));
    for pragma in ["lockstep num_threads(2)", "lockstep guards", "guards", "parallel ranks"] {
        let text = cipher(&format!("#pragma multifor {pragma}"), 1);
        if pragma.contains("ranks") {
            assert!(reason(&text, &settings).contains("are not independent"));
        } else {
            assert_eq!(run(&text), plain, "{pragma}");
        }
    }
    let why = reason(&cipher("#pragma multifor lockstep", 0), &settings);
    assert!(why.contains("at the same point"), "{why}");
    let why = reason(&cipher("#pragma multifor sections", 1), &settings);
    assert!(why.contains("are not independent"), "{why}");
    let smallest = LowerSettings { offsets: OffsetChoice::Smallest, ..settings.clone() };
    assert_eq!(lower(&cipher("", 5), &smallest).statements[0].offsets, [[0, 0]]);
    let text = cipher("#pragma multifor lockstep", 0);
    assert_eq!(lower(&text, &smallest).statements[0].offsets, [[0, 1]]);
}

/// A product of matrices in four blocks.
fn product(pragma: &str) -> String {
    let heads = "  multifor (i1 = 0, i2 = 0, i3 = n/2, i4 = n/2; i1 < n/2, i2 < n/2, i3 < n, i4 < n; i1++, i2++, i3++, i4++; 1, 1, 1, 1; 0, 0, 0, 0) {
  multifor (j1 = 0, j2 = n/2, j3 = 0, j4 = n/2; j1 < n/2, j2 < n, j3 < n/2, j4 < n; j1++, j2++, j3++, j4++; 1, 1, 1, 1; 0, 0, 0, 0) {
    [0, 1, 2, 3]: c[[i1, i2, i3, i4]][[j1, j2, j3, j4]] = 0;
    multifor (k1 = 0, k2 = 0, k3 = 0, k4 = 0; k1 < n, k2 < n, k3 < n, k4 < n; k1++, k2++, k3++, k4++; 1, 1, 1, 1; 0, 0, 0, 0) {
      [0, 1, 2, 3]: c[[i1, i2, i3, i4]][[j1, j2, j3, j4]] += a[[i1, i2, i3, i4]][[k1, k2, k3, k4]] * b[[k1, k2, k3, k4]][[j1, j2, j3, j4]];
    } } }";
    format!(
        "void f(int n, int a[restrict n][n], int b[restrict n][n], int c[restrict n][n]) {{\n{pragma}\n{heads}\n}}\n"
    )
}

#[test]
fn a_product_in_blocks_runs_in_all_ways() {
    let main = "
#include <stdio.h>
int main(void) {
  for (int n = 1; n < 9; n++) {
    int a[n][n], b[n][n], c[n][n];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = i + 2 * j, b[i][j] = i * j - 3;
    f(n, a, b, c);
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) printf(\"%d \", c[i][j]);
  }
  return 0;
}
";
    let by_hand = "void f(int n, int a[n][n], int b[n][n], int c[n][n]) {
  for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
    c[i][j] = 0;
    for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
  }
}
";
    let expected = output_of(&format!("{by_hand}{main}"), &[]);
    let original = by_hand
        .replace("  for (int i", "#pragma scop\n  for (int i")
        .replace("  }\n}\n", "  }\n#pragma endscop\n}\n");
    let originals = Some(regions(&original));
    let settings = LowerSettings { originals, ..LowerSettings::default() };
    for pragma in [
        "",
        "guards",
        "separated parallel",
        "sections",
        "sections parallel",
        "lockstep",
        "lockstep(2)",
        "lockstep(3)",
    ] {
        let line =
            if pragma.is_empty() { String::new() } else { format!("#pragma multifor {pragma}") };
        let plain = lower(&product(&line), &settings);
        assert_eq!(
            output_of(&format!("{}{main}", plain.text), &[]),
            expected,
            "{pragma}\n{}",
            plain.text
        );
    }
}

#[test]
fn threads_need_conditions_where_pointers_may_overlap() {
    let text = cipher("#pragma multifor lockstep", 1)
        .replace("restrict k", "")
        .replace("c[]", "*c")
        .replace("m[]", "*m");
    let plain = lower(&text, &LowerSettings::default());
    assert!(
        plain.text.contains("} else {") && plain.text.contains("(unsigned long) c"),
        "{}",
        plain.text
    );
}

#[test]
fn words_of_pragmas_that_mean_nothing_are_refused() {
    for pragma in
        ["paralel", "lockstep(0)", "nowait", "lockstep parallel", "ranks sections", "check(all)"]
    {
        reason(&cipher(&format!("#pragma multifor {pragma}"), 1), &LowerSettings::default());
    }
}
