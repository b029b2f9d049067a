//! The worked examples: generated loops against the interpreter.
use crate::support::*;
use expect_test::expect;
use loopwright_multifor::{
    CodeOptions, LowerSettings, Multifor, Scheme, generated, lowered, trace,
};
use loopwright_presburger::Budget;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn headers() {
    agrees(HEADER_1, &[vec![]]);
    agrees(HEADER_2, &[vec![]]);
}

#[test]
fn nested() {
    for text in [NESTED_A, NESTED_B, NESTED_C] {
        agrees(text, &[vec![]]);
    }
}

#[test]
fn sobel() {
    let sizes = [(5, 5), (7, 9), (10, 4), (4, 4), (3, 3), (3, 5), (5, 3), (0, 0), (1, 7), (2, 2)];
    let values: Vec<_> = sizes.iter().map(|(k, n)| vec![("K", *k), ("N", *n)]).collect();
    agrees(SOBEL, &values);
}

#[test]
fn red_black() {
    let values: Vec<_> = (0..14).map(|n| vec![("N", n)]).collect();
    agrees(RED_BLACK, &values);
    agrees(RED_BLACK_CORRECTED, &values);
}

#[test]
fn product() {
    let values: Vec<_> = (-3..9).map(|n| vec![("n", n)]).collect();
    agrees(PRODUCT, &values);
}

#[test]
fn decoding() {
    let sizes = [(3, 2, 8, 6), (5, 4, 8, 6), (6, 2, 8, 10), (0, 0, 3, 3), (4, 4, 4, 4)];
    let values: Vec<_> = sizes
        .iter()
        .map(|(a, b, c, d)| vec![("HWidth", *a), ("HHeight", *b), ("EWidth", *c), ("EHeight", *d)])
        .collect();
    agrees(DECODING, &values);
}

#[test]
fn cipher() {
    let values: Vec<_> = (-1..6).map(|k| vec![("k", k)]).collect();
    agrees(CIPHER, &values);
}

/// The number of points of the referential domain at which the same nests are active, by these nests;
/// `nest_of` has the nest of each body.
fn points(text: &str, values: &[(&str, i64)]) -> BTreeMap<Vec<usize>, usize> {
    let parameters = values.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let mut active: BTreeMap<Vec<i64>, BTreeSet<usize>> = BTreeMap::new();
    for event in trace(&syntax(text), &parameters, 1_000_000).unwrap() {
        active.entry(event.position).or_default().insert(event.body);
    }
    let mut points = BTreeMap::new();
    for bodies in active.into_values() {
        *points.entry(bodies.into_iter().collect()).or_default() += 1;
    }
    points
}

#[test]
fn points_are_as_many_as_counted_by_hand() {
    let of = |text, values: &[(&str, i64)]| -> Vec<(Vec<usize>, usize)> {
        points(text, values).into_iter().collect()
    };
    assert_eq!(of(NESTED_A, &[]), [(vec![0], 75), (vec![0, 1], 25)]);
    assert_eq!(of(NESTED_B, &[]), [(vec![0], 91), (vec![0, 1], 9)]);
    assert_eq!(of(NESTED_C, &[]), [(vec![0], 6), (vec![0, 1], 15), (vec![1], 21)]);
    let sizes = [("K", 10), ("N", 12)];
    assert_eq!(of(SOBEL, &sizes), [(vec![0], 57), (vec![0, 1], 63), (vec![1], 17)]);
    let decoding =
        |a, b, c, d| of(DECODING, &[("HWidth", a), ("HHeight", b), ("EWidth", c), ("EHeight", d)]);
    assert_eq!(decoding(3, 2, 8, 6), [(vec![0, 1, 2, 3], 6), (vec![2, 3], 6), (vec![3], 18)]);
    assert_eq!(
        decoding(5, 4, 8, 6),
        [
            (vec![0, 1], 4),
            (vec![0, 1, 2], 4),
            (vec![0, 1, 2, 3], 6),
            (vec![0, 1, 3], 6),
            (vec![3], 6)
        ]
    );
    assert_eq!(
        decoding(6, 2, 8, 10),
        [(vec![0, 1, 2], 8), (vec![0, 1, 2, 3], 4), (vec![2], 24), (vec![2, 3], 12), (vec![3], 4)]
    );
}

#[test]
fn loops_without_conditions() {
    expect![[r#"
        {
          for (int p = 0; p <= 1; p += 1)
            S0(p);
          for (int p = 2; p <= 6; p += 1) {
            S0(p);
            S1((p + 8));
          }
          for (int p = 7; p <= 9; p += 1)
            S0(p);
        }
    "#]]
    .assert_eq(&code(HEADER_1, Scheme::Separated).text);
    expect![[r#"
        {
          for (int p = 0; p <= 9; p += 1) {
            S0(p);
            if (p % 4 == 0) {
              S1((p / 4 + 10));
            }
          }
          for (int p = 12; p <= 16; p += 4)
            S1((p / 4 + 10));
        }
    "#]]
    .assert_eq(&code(HEADER_2, Scheme::Separated).text);
    expect![[r#"
        {
          for (int p = 0; p <= 1; p += 1) {
            for (int q = 0; q <= 9; q += 1)
              S0(p, q);
          }
          for (int p = 2; p <= 6; p += 1) {
            for (int q = 0; q <= 1; q += 1)
              S0(p, q);
            for (int q = 2; q <= 6; q += 1) {
              S0(p, q);
              S1((p - 2), (q - 2));
            }
            for (int q = 7; q <= 9; q += 1)
              S0(p, q);
          }
          for (int p = 7; p <= 9; p += 1) {
            for (int q = 0; q <= 9; q += 1)
              S0(p, q);
          }
        }
    "#]]
    .assert_eq(&code(NESTED_A, Scheme::Separated).text);
    expect![[r#"
        {
          for (int p = 0; p <= 5; p += 1)
            S0(0, p);
          for (int p = 1; p <= 5; p += 1) {
            for (int q = 0; q <= 5 - p; q += 1) {
              S0(p, q);
              S1((p - 1), q);
            }
            for (int q = 6 - p; q <= 5; q += 1)
              S1((p - 1), q);
          }
          for (int p = 0; p <= 5; p += 1)
            S1(5, p);
        }
    "#]]
    .assert_eq(&code(NESTED_C, Scheme::Separated).text);
    expect![[r#"
        {
          if (k >= 1) {
            E1(0);
          }
          for (long p = 1; p < k; p += 1) {
            E1((int) p);
            E2((int) (p - 1));
          }
          if (k >= 1) {
            E2((int) (k - 1));
          }
        }
    "#]]
    .assert_eq(&code(CIPHER, Scheme::Separated).text);
}

#[test]
fn loops_with_conditions() {
    expect![[r#"
        {
          for (int p = 0; p <= 16; p += 1) {
            if (p <= 9) {
              S0(p);
            }
            if (p % 4 == 0) {
              S1((p / 4 + 10));
            }
          }
        }
    "#]]
    .assert_eq(&code(HEADER_2, Scheme::Guards).text);
    expect![[r#"
        {
          for (int p = 0; p <= 6; p += 1) {
            for (int q = 0; q <= 5; q += 1) {
              if (p + q <= 5) {
                S0(p, q);
              }
              if (p >= 1) {
                S1((p - 1), q);
              }
            }
          }
        }
    "#]]
    .assert_eq(&code(NESTED_C, Scheme::Guards).text);
    expect![[r#"
        {
          for (int p = 0; p <= (N - 2 < 0 ? -((1 - (N - 2)) / 2) : (N - 2) / 2); p += 1) {
            for (int q = 0; q <= ((long) N + 1) / 2 - 2; q += 1) {
              if (2 * p <= N - 3) {
                u((2 * p + 1), (2 * q + 1));
              }
              if (p >= 1) {
                u((2 * p), (2 * q + 1));
              }
            }
            if (2 * p <= N - 3) {
              for (int q = 0; q <= N / 2 - 2; q += 1) {
                if (2 * p <= N - 4) {
                  u((2 * p + 2), (2 * q + 2));
                }
                u((2 * p + 1), (2 * q + 2));
              }
            }
          }
        }
    "#]]
    .assert_eq(&code(RED_BLACK_CORRECTED, Scheme::Guards).text);
}

#[test]
fn pieces_have_factors_of_their_own() {
    // Behind the first loop the grains 4 and 6 have the divisor 2; the offsets have different remainders.
    let text = "multifor (a = 0, b = 0, c = 0; a < 5, b < 20, c < 20; a++, b++, c++; 1, 4, 6; 0, 1, 2) { 0: A(a); 1: B(b); 2: C(c); }";
    agrees(text, &[vec![]]);
    expect![[r#"
        {
          A(0);
          A(1);
          B(0);
          for (int p = 2; p <= 4; p += 1) {
            A(p);
            if (p == 2) {
              C(0);
            }
          }
          B(1);
          for (int p = 8; p <= 76; p += 2) {
            if ((p + 4) % 6 == 0) {
              C(((p - 2) / 6));
            }
            if (p % 4 == 0) {
              B((p / 4));
            }
          }
          for (int p = 80; p <= 116; p += 6)
            C(((p - 2) / 6));
        }
    "#]]
    .assert_eq(&code(text, Scheme::Separated).text);
}

#[test]
fn loops_without_remainders() {
    let steady = |text: &str, values: &[Vec<(&str, i64)>]| {
        let budget = Budget::steps(2_000_000_000);
        let syntax = syntax(text);
        let multifor = Multifor::new(&syntax, &budget).unwrap();
        let options = CodeOptions { steady: true, ..CodeOptions::sequential(Scheme::Separated) };
        let code = generated(&multifor, &options, &budget).unwrap();
        assert!(code.proof.is_proved());
        for values in values {
            assert_eq!(executed(&code, values), expected(&syntax, values), "{values:?}");
        }
        code.text
    };
    expect![[r#"
        {
          for (int p = 0; p <= 9; p += 4) {
            S0(p);
            S1((p / 4 + 10));
            for (int q = p + 1; q <= (9 < p + 3 ? 9 : p + 3); q += 1)
              S0(q);
          }
          for (int p = 12; p <= 16; p += 4)
            S1((p / 4 + 10));
        }
    "#]]
    .assert_eq(&steady(HEADER_2, &[vec![]]));
    steady(NESTED_B, &[vec![]]);
    let parametric = HEADER_2.replace("i1 < 10", "i1 < n").replace("i2 < 15", "i2 < m");
    let values: Vec<_> = (0..14).map(|n| vec![("n", n), ("m", 20 - n)]).collect();
    steady(&parametric, &values);
}

/// What programs with these multifor statements print is the same by both schemes, and as by hand.
#[track_caller]
fn runs_as_by_hand(program: &str, by_hand: &str) {
    let expected = output_of(by_hand, &[]);
    for scheme in [Scheme::Guards, Scheme::Separated] {
        let settings = LowerSettings { scheme, ..LowerSettings::default() };
        let plain = lowered("f.c".as_ref(), program, &settings).unwrap().text;
        assert_eq!(output_of(&plain, &[]), expected, "{plain}");
    }
}

#[test]
fn sobel_reads_and_writes_in_order() {
    let program = |body: &str| {
        format!(
            "#include <stdio.h>
static int a[40][40], Sbl[40][40];
static unsigned next = 1;
static int ReadImage(void) {{ next = next * 1103515245u + 12345u; return next >> 20; }}
static int Sobel(int p, int q, int r, int s, int t, int u, int v, int w, int x) {{
  return -p - 2 * q - r + s * t - u + v + 2 * w + x;
}}
static void WriteImage(int pixel) {{ printf(\"%d \", pixel); }}
static void edges(int K, int N) {{
{body}
}}
int main(void) {{
  int sizes[8][2] = {{{{5, 5}}, {{7, 9}}, {{10, 4}}, {{4, 4}}, {{3, 3}}, {{3, 5}}, {{5, 3}}, {{1, 2}}}};
  for (int i = 0; i < 8; i++) edges(sizes[i][0], sizes[i][1]);
  return 0;
}}
"
        )
    };
    let edge =
        "{ Sbl[I][J] = Sobel(a[I-1][J-1], a[I][J-1], a[I+1][J-1], a[I-1][J], a[I][J], a[I+1][J],
                       a[I-1][J+1], a[I][J+1], a[I+1][J+1]); // the edge
         WriteImage(Sbl[I][J]); }";
    let statement = format!(
        "  multifor (i1 = 0, i2 = 1; i1 < K, i2 < K - 1; i1++, i2++; 1, 1; 0, 3)
    multifor (j1 = 0, j2 = 1; j1 < N, j2 < N - 1; j1++, j2++; 1, 1; 0, 3) {{
      0: a[i1][j1] = ReadImage();
      1: /* behind it */ {}
    }}",
        edge.replace('I', "i2").replace('J', "j2").replace("Writei2mage", "WriteImage")
    );
    let by_hand = format!(
        "  for (int i = 0; i < K; i++) for (int j = 0; j < N; j++) a[i][j] = ReadImage();
  for (int i = 1; i < K - 1; i++) for (int j = 1; j < N - 1; j++) {}",
        edge.replace('I', "i").replace('J', "j").replace("Writeimage", "WriteImage")
    );
    runs_as_by_hand(&program(&statement), &program(&by_hand));
}

#[test]
fn decoding_of_a_hidden_image() {
    let program = |body: &str| {
        format!(
            "#include <stdio.h>
typedef struct {{ unsigned char Red, Green, Blue, Alpha; }} RGBApixel;
static RGBApixel carrier[20][20], hidden[20][20], cleaned[20][20];
static RGBApixel *EImage(int i, int j) {{ return &carrier[i][j]; }}
static RGBApixel *HImage(int i, int j) {{ return &hidden[i][j]; }}
static RGBApixel *MImage(int i, int j) {{ return &cleaned[i][j]; }}
static RGBApixel decode_hidden(int i, int j) {{
  RGBApixel p = *EImage(i, j);
  return (RGBApixel) {{p.Red % 2, p.Green % 2, p.Blue % 2, p.Alpha % 2}};
}}
static RGBApixel decode_main(int i, int j) {{
  RGBApixel p = *EImage(i, j);
  return (RGBApixel) {{p.Red - p.Red % 2, p.Green - p.Green % 2, p.Blue - p.Blue % 2, p.Alpha - p.Alpha % 2}};
}}
static void decode(int HWidth, int HHeight, int EWidth, int EHeight) {{
{body}
}}
int main(void) {{
  int sizes[4][4] = {{{{3, 2, 8, 6}}, {{5, 4, 8, 6}}, {{6, 2, 8, 10}}, {{0, 7, 9, 9}}}};
  for (int n = 0; n < 4; n++) {{
    for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++)
      carrier[i][j] = (RGBApixel) {{i * 7 + j * n, i * j, i + j, 3 * i - j}};
    decode(sizes[n][0], sizes[n][1], sizes[n][2], sizes[n][3]);
    for (int i = 0; i < 20; i++) for (int j = 0; j < 20; j++) {{
      RGBApixel h = hidden[i][j], m = cleaned[i][j];
      printf(\"%d %d %d %d %d %d %d %d\\n\", h.Red, h.Green, h.Blue, h.Alpha, m.Red, m.Green, m.Blue, m.Alpha);
    }}
  }}
  return 0;
}}
"
        )
    };
    let statement = "  multifor (i1 = 0, i2 = 0, i3 = 0, i4 = HWidth; i1 < HWidth, i2 < HWidth, i3 < HWidth, i4 < EWidth; i1++, i2++, i3++, i4++; 1, 1, 1, 1; 0, 0, 0, 0)
    multifor (j1 = 0, j2 = 0, j3 = HHeight, j4 = 0; j1 < HHeight, j2 < HHeight, j3 < EHeight, j4 < EHeight; j1++, j2++, j3++, j4++; 1, 1, 1, 1; 0, 0, 0, 0) {
      0: *HImage(i1, j1) = decode_hidden(i1, j1);
      1: *MImage(i2, j2) = decode_main(i2, j2);
      [2, 3]: *MImage([i3, i4], [j3, j4]) = *EImage([i3, i4], [j3, j4]);
    }";
    let by_hand = "  for (int i = 0; i < EWidth; i++) for (int j = 0; j < EHeight; j++) {
    int is_hidden = i < HWidth && j < HHeight;
    if (is_hidden) *HImage(i, j) = decode_hidden(i, j);
    *MImage(i, j) = is_hidden ? decode_main(i, j) : *EImage(i, j);
  }";
    runs_as_by_hand(&program(statement), &program(by_hand));
}
