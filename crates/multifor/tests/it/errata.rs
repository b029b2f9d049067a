//! What the paper prints and does not mean what it says: each is refused, or its times are counted.
use crate::support::{CIPHER, output_of, syntax};
use loopwright_cfront::SourceFile;
use loopwright_multifor::{LowerSettings, lowered, trace};
use std::collections::{BTreeMap, BTreeSet};

/// The red-black relaxation as the code of Figure 7 has it; its `x`, `y` are `i`, `j`, and the row of its
/// first loop is 1.
const FIGURE_7: &str = "void f(int N, double u[N][N]) {
#pragma scop
  for (int j = 1; j < N - 1; j += 2) u[1][j] = 0.25 * (u[1][j + 1] + u[1][j - 1] + u[0][j] + u[2][j]);
  for (int i = 2; i < N - 2; i += 2) {
    for (int j = 2; j < N - 1; j += 2) {
      u[i][j] = 0.25 * (u[i][j + 1] + u[i][j - 1] + u[i - 1][j] + u[i + 1][j]);
      u[i][j + 1] = 0.25 * (u[i][j + 2] + u[i][j] + u[i - 1][j + 1] + u[i + 1][j + 1]);
    }
    for (int j = 1; j < N - 1; j += 2) {
      u[i + 1][j] = 0.25 * (u[i + 1][j + 1] + u[i + 1][j - 1] + u[i][j] + u[i + 2][j]);
      u[i + 1][j + 1] = 0.25 * (u[i + 1][j + 2] + u[i + 1][j] + u[i][j + 1] + u[i + 2][j + 1]);
    }
  }
  for (int j = 2; j < N - 1; j += 2)
    u[N - 2][j] = 0.25 * (u[N - 2][j + 1] + u[N - 2][j - 1] + u[N - 3][j] + u[N - 1][j]);
#pragma endscop
}
";

/// The relaxation of all inner points in rows, where the points of each row stand in two loops.
const IN_ROWS: &str = "multifor (i0 = 1, i1 = 1; i0 < N - 1, i1 < N - 1; i0++, i1++; 1, 1; 0, 0)
    multifor (j0 = 1, j1 = 2; j0 < N - 1, j1 < N - 1; j0 += 2, j1 += 2; 2, 2; 0, 1) {
      0: u[i0][j0] = 0.25 * (u[i0][j0 + 1] + u[i0][j0 - 1] + u[i0 - 1][j0] + u[i0 + 1][j0]);
      1: u[i1][j1] = 0.25 * (u[i1][j1 + 1] + u[i1][j1 - 1] + u[i1 - 1][j1] + u[i1 + 1][j1]);
    }";

#[test]
fn figure_7_is_no_relaxation_of_the_inner_points() {
    let originals = Some(SourceFile::from_text("figure7.c", FIGURE_7).extract().unwrap());
    let settings = LowerSettings { originals, ..LowerSettings::default() };
    let text = format!("void f(int N, double u[N][N]) {{\n  {IN_ROWS}\n}}\n");
    let refused = lowered("f.c".as_ref(), &text, &settings).expect_err("figure 7");
    let why = format!("{}", refused[0]);
    assert!(why.contains("does not execute all instances") || why.contains("partner"), "{why}");
    // It is the natural order otherwise: the same statement is legal for loops that have all points.
    let all = "void f(int N, double u[N][N]) {
#pragma scop
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      u[i][j] = 0.25 * (u[i][j + 1] + u[i][j - 1] + u[i - 1][j] + u[i + 1][j]);
#pragma endscop
}
";
    let originals = Some(SourceFile::from_text("all.c", all).extract().unwrap());
    lowered("f.c".as_ref(), &text, &LowerSettings { originals, ..LowerSettings::default() })
        .unwrap_or_else(|why| panic!("{}", why[0]));
}

#[test]
fn the_cipher_takes_one_time_more_than_there_are_messages() {
    for k in [1, 2, 10, 1000] {
        let parameters = BTreeMap::from([("k".to_string(), k)]);
        let events = trace(&syntax(CIPHER), &parameters, 100_000).unwrap();
        let times: BTreeSet<Vec<i64>> = events.iter().map(|event| event.position.clone()).collect();
        // Two stages for each message one after the other, and k + 1 times with two threads: a factor that
        // goes to 2.
        assert_eq!((events.len() as i64, times.len() as i64), (2 * k, k + 1));
    }
}

#[test]
fn the_cipher_with_two_threads_is_in_step() {
    // Each stage notes at which time it runs: that of stage 2 is one behind stage 1 of the next message.
    let text = "#include <stdio.h>
static int first[100], second[100];
void f(int k, int a[restrict 100], int b[restrict 100]) {
#pragma multifor lockstep num_threads(2)
  multifor (i1 = 0, i2 = 0; i1 < k, i2 < k; i1++, i2++; 1, 1; 0, 1) {
    0: a[i1] = 3 * i1 + 1;
    1: b[i2] = a[i2] * 7;
  }
}
int main(void) {
  long sum = 0;
  for (int k = 0; k < 100; k++) {
    f(k, first, second);
    for (int i = 0; i < k; i++) sum += second[i] == 7 * (3 * i + 1);
  }
  printf(\"%ld\\n\", sum);
  return 0;
}
";
    let plain = lowered("f.c".as_ref(), text, &LowerSettings::default()).unwrap();
    assert_eq!(output_of(&plain.text, &[]), "4950\n", "{}", plain.text);
}
