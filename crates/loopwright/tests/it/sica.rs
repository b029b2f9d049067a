//! Tile sizes by SICA: the worked examples of Feld, Soddemann, Jünger and Mallach, and the tilings
//! that they are compared with.

use crate::support::{first_difference, run_c, scratch};
use loopwright::{CompileOptions, Compiled, compile_file};
use loopwright_backend::Target;
use loopwright_machine::Machine;
use loopwright_transform::TileSizes;
use loopwright_transform::tile::sica::{Blocks, Levels, Share, Sica};
use std::path::PathBuf;

/// The processor of the paper, a Xeon X5650.
fn xeon() -> Machine {
    let (l1_bytes, l2_bytes, l3_bytes) = (32 << 10, 256 << 10, 12288 << 10);
    Machine { cores: 1, l1_bytes, l2_bytes, l3_bytes, vector_bytes: 16, ..Machine::generic() }
}

fn options(share: &str) -> CompileOptions {
    let share = Share::parse(share).expect("a share");
    CompileOptions {
        target: Target::C,
        machine: xeon(),
        tile_sizes: TileSizes::Sica(Sica { share, ..Sica::default() }),
        always_rewrite: true,
        // Loops of the published examples, and no others.
        front_end: loopwright_cfront::Options { assume_no_alias: true, ..Default::default() },
        ..CompileOptions::new()
    }
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = scratch("sica").join(name);
    std::fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn compiled(name: &str, text: &str, options: &CompileOptions) -> Compiled {
    let compiled = compile_file(&file(name, text), options).expect("it compiles");
    for region in &compiled.report.regions {
        let all = region.proofs.iter().all(|(_, proof)| proof.is_proved());
        assert!(all && !region.proofs.is_empty(), "{:?}", region.proofs);
    }
    compiled
}

/// The tile sizes of the bands that are tiled.
fn sizes(compiled: &Compiled) -> Vec<Vec<i64>> {
    let bands = compiled.report.regions.iter().flat_map(|region| &region.bands.bands);
    bands.map(|band| band.tile_sizes.clone()).filter(|sizes| !sizes.is_empty()).collect()
}

/// The loops and statements of a text, without blanks in front.
fn loops(code: &str) -> Vec<&str> {
    let lines = code.lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("for") || line.contains("=") && line.ends_with(';'))
        .collect()
}

const MATMUL: &str = "\
void kernel(int M, int N, int K, float alpha, float C[M][N], float A[M][K], float B[K][N])
{
  int i, j, k;
#pragma scop
  for (i = 0; i < M; i++)
    for (j = 0; j < N; j++)
      for (k = 0; k < K; k++)
        C[i][j] = C[i][j] + alpha * A[i][k] * B[k][j];
#pragma endscop
}
";

const MATMUL_MAIN: &str = "\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  enum { M = 19, N = 8000, K = 5 };
  float (*C)[N] = malloc(sizeof(float[M][N])), (*A)[K] = malloc(sizeof(float[M][K])),
        (*B)[N] = malloc(sizeof(float[K][N]));
  for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) C[i][j] = (i * 7 + j % 13) / 3.0f;
  for (int i = 0; i < M; i++) for (int k = 0; k < K; k++) A[i][k] = (i - k) / 7.0f;
  for (int k = 0; k < K; k++) for (int j = 0; j < N; j++) B[k][j] = (k * j % 31) / 5.0f;
  kernel(M, N, K, 1.7f, C, A, B);
  for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) printf(\"%a\\n\", C[i][j]);
}
";

/// B-T1, figures 18 and 19.
#[test]
fn matrix_product() {
    let two = compiled("matmul.c", MATMUL, &options("0.9"));
    assert_eq!(
        loops(&two.code),
        [
            "for (long c0 = 0; c0 < M; c0 += 8) {",
            "for (long c1 = 0; c1 < N; c1 += 3684) {",
            "for (long c2 = 0; c2 < K; c2++) {",
            "for (long c3 = c0; c3 < min(M, c0 + 8); c3++) {",
            "for (long c5 = c1; c5 < min(N, c1 + 3684); c5++) {",
            "C[c3][c5] = C[c3][c5] + alpha * A[c3][c2] * B[c2][c5];",
        ]
    );
    let folder = scratch("sica");
    let run = |code: &str, name| run_c(&format!("{code}{MATMUL_MAIN}"), &folder, name);
    let wanted = run(MATMUL, "matmul_before").expect("it runs");
    assert!(wanted.len() > 19 * 8000);
    let found = run(&two.code, "matmul_after").expect("it runs");
    assert_eq!(first_difference(&wanted, &found), None);
}

/// F-40 and F-41: one level tiles the vector loop only.
#[test]
fn one_level() {
    let mut options = options("0.9");
    let sica = Sica { levels: Levels::One, ..Sica::default() };
    options.tile_sizes = TileSizes::Sica(sica);
    let one = compiled("matmul1.c", MATMUL, &options);
    assert_eq!(sizes(&one), [[1, 3684, 1]]);
    assert_eq!(
        loops(&one.code)[..4],
        [
            "for (long c0 = 0; c0 < M; c0++) {",
            "for (long c1 = 0; c1 < N; c1 += 3684) {",
            "for (long c2 = 0; c2 < K; c2++) {",
            "for (long c5 = c1; c5 < min(N, c1 + 3684); c5++) {",
        ]
    );
    let text = "void f(int M, int N, float A[M][N], float B[M][N]) {\n#pragma scop\n\
                for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) A[i][j] = B[i][j];\n\
                #pragma endscop\n}\n";
    let code = compiled("copy.c", text, &options).code;
    assert_eq!(
        loops(&code)[..3],
        [
            "for (long c0 = 0; c0 < M; c0++) {",
            "for (long c1 = 0; c1 < N; c1 += 3684) {",
            "for (long c3 = c1; c3 < min(N, c1 + 3684); c3++) {",
        ]
    );
}

/// B-T2, figure 20: more arrays per iteration, smaller tiles.
#[test]
fn products_of_several_matrices() {
    let arguments = "int n, float C[n][n], float A[n][n], float B[n][n], float D[n][n], \
                     float E[n][n], float F[n][n], float G[n][n]";
    let mut sum = String::from("C[i][j]");
    for (term, size) in ["A[i][k] * B[k][j]", "D[i][k] * E[k][j]", "F[i][k] * G[k][j]"]
        .into_iter()
        .zip([4096, 2728, 2048])
    {
        sum = format!("{sum} + {term}");
        let text = format!(
            "void f({arguments}) {{\n#pragma scop\nfor (int i = 0; i < n; i++)\n\
             for (int j = 0; j < n; j++)\nfor (int k = 0; k < n; k++)\nC[i][j] = {sum};\n\
             #pragma endscop\n}}\n"
        );
        assert_eq!(sizes(&compiled("several.c", &text, &options("1"))), [[8, size, 1]]);
    }
}

const CORRELATION: &str = include_str!("../sica_programs/correlation.c");

const CORRELATION_MAIN: &str = "\
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
  enum { M = 777, N = 11 };
  float (*data)[M + 1] = calloc(N + 1, sizeof *data), (*symmat)[M + 1] = calloc(M + 1, sizeof *symmat);
  float *mean = calloc(M + 1, sizeof *mean), *stddev = calloc(M + 1, sizeof *stddev);
  for (int j = 0; j <= M; j++) {
    mean[j] = j / 3.0f;
    stddev[j] = 1 + j % 7;
    for (int i = 0; i <= N; i++) data[i][j] = (i * j % 97) / 11.0f;
  }
  kernel(M, N, data, symmat, mean, stddev);
  for (int i = 0; i <= N; i++) for (int j = 0; j <= M; j++) printf(\"%a\\n\", data[i][j]);
  for (int i = 0; i <= M; i++) for (int j = 0; j <= M; j++) printf(\"%a\\n\", symmat[i][j]);
}
";

/// The loops of a tiled upper triangle around `statement`.
fn triangle(size: i64, inside: Option<&str>, statement: &str) -> Vec<String> {
    let last = size - 1;
    let mut lines = vec![
        "for (long c0 = 0; c0 < M; c0 += 8) {".to_string(),
        format!("for (long c1 = max(0, {size} * ((c0 + 1) / {size})); c1 <= M; c1 += {size}) {{"),
    ];
    lines.extend(inside.map(str::to_string));
    lines.push(format!(
        "for (long c3 = max(1, c0); c3 < min(M, min(c0 + 8, c1 + {last})); c3++) {{"
    ));
    lines.push(format!("for (long c5 = max(c1, c3 + 1); c5 <= min(M, c1 + {last}); c5++) {{"));
    lines.push(statement.to_string());
    lines
}

/// B-T3, figures 21 and 22: five nests, the blocks with their own sizes, triangular bounds. The
/// paper prints 7368 where its formula gives 7372.
#[test]
fn correlation() {
    let options = options("0.9");
    let found = compiled("correlation.c", CORRELATION, &options);
    let mut wanted: Vec<String> = [
        "for (long c0 = 0; c0 <= N; c0 += 8) {",
        "for (long c1 = 0; c1 <= M; c1 += 2456) {",
        "for (long c2 = max(1, c0); c2 <= min(N, c0 + 7); c2++) {",
        "for (long c3 = max(1, c1); c3 <= min(M, c1 + 2455); c3++) {",
        "float data_value = data[c2][c3];",
        "data_value -= mean[c3];",
        "data_value /= sqrt(N) * stddev[c3];",
        "data[c2][c3] = data_value;",
    ]
    .map(String::from)
    .to_vec();
    wanted.extend(triangle(7372, None, "symmat[c3][c5] = 0.0;"));
    let sum = "symmat[c3][c5] += (data[c2][c3] * data[c2][c5]);";
    wanted.extend(triangle(3684, Some("for (long c2 = 1; c2 <= N; c2++) {"), sum));
    wanted.extend(triangle(3684, None, "symmat[c5][c3] = symmat[c3][c5];"));
    wanted.push("for (long c0 = 1; c0 < M; c0++) {".to_string());
    wanted.push("symmat[c0][c0] = 1.0;".to_string());
    assert_eq!(loops(&found.code), wanted);

    // Small caches, so that there are many tiles, and every other choice.
    let folder = scratch("sica");
    let run = |code: &str| run_c(&format!("{code}{CORRELATION_MAIN}"), &folder, "correlation_run");
    let wanted = run(CORRELATION).expect("it runs");
    assert!(wanted.lines().count() == 778 * (778 + 12));
    let machine = Machine { l1_bytes: 512, l2_bytes: 2560, ..xeon() };
    for (levels, blocks, target) in [
        (Levels::One, Blocks::Own, Target::C),
        (Levels::Two, Blocks::Own, Target::OpenMp),
        (Levels::Two, Blocks::Least, Target::C),
        (Levels::One, Blocks::Greatest, Target::OpenMp),
    ] {
        let tile_sizes = TileSizes::Sica(Sica { levels, blocks, ..Sica::default() });
        let options =
            CompileOptions { tile_sizes, target, machine: machine.clone(), ..options.clone() };
        let code = compiled("correlation_run.c", CORRELATION, &options).code;
        let found = run(&code).expect("it runs");
        assert_eq!(first_difference(&wanted, &found), None, "{levels:?} {blocks:?} {target:?}");
    }
}

/// F-36: one size for all blocks.
#[test]
fn blocks_alike() {
    for (blocks, size) in [(Blocks::Least, 2456), (Blocks::Greatest, 7372)] {
        let mut options = options("0.9");
        options.tile_sizes = TileSizes::Sica(Sica { blocks, ..Sica::default() });
        let found = sizes(&compiled("alike.c", CORRELATION, &options));
        let vector_tiles: Vec<i64> = found.iter().filter_map(|s| s.iter().max()).copied().collect();
        assert_eq!(vector_tiles, [size; 4]);
    }
}

/// F-37: what counts as a reference.
#[test]
fn references_count_once() {
    for (body, size) in [
        // Read twice and written, and a column: two.
        ("A[i][j] = A[i][j] * A[i][j] + B[j][i];", 4096),
        // Neighbours are different elements: three.
        ("A[i][j] = B[i][j - 1] + B[i][j + 1];", 2728),
        // What does not move with the loop counts nothing: one.
        ("A[i][j] = B[i][0] + x;", 8192),
    ] {
        let text = format!(
            "void f(int n, float x, float A[n][n], float B[n][n]) {{\n#pragma scop\n\
             for (int i = 1; i < n - 1; i++)\nfor (int j = 1; j < n - 1; j++)\n{body}\n\
             #pragma endscop\n}}\n"
        );
        assert_eq!(sizes(&compiled("references.c", &text, &options("1"))), [[8, size]], "{body}");
    }
}

/// B-T4, figure 23: the tilings that SICA is compared with.
#[test]
fn tiles_of_32_and_tiles_of_8_tiles() {
    let text = "void f(int M, int N, float A[M][N]) {\n#pragma scop\n\
                for (int i = 0; i < M; i++) for (int j = 0; j < N; j++) A[i][j] = 2 * A[i][j];\n\
                #pragma endscop\n}\n";
    let mut options = options("1");
    options.tile_sizes = TileSizes::Given(vec![32]);
    let points = [
        "for (long c2 = c0; c2 < min(M, c0 + 32); c2++) {",
        "for (long c3 = c1; c3 < min(N, c1 + 32); c3++) {",
        "A[c2][c3] = 2 * A[c2][c3];",
    ];
    let one = compiled("traditional.c", text, &options).code;
    let tiles = ["for (long c0 = 0; c0 < M; c0 += 32) {", "for (long c1 = 0; c1 < N; c1 += 32) {"];
    assert_eq!(loops(&one), [&tiles[..], &points].concat());
    options.tile_factors = vec![8];
    let two = compiled("traditional2.c", text, &options).code;
    assert_eq!(
        loops(&two),
        [
            "for (long c0 = 0; c0 < M; c0 += 256) {",
            "for (long c1 = 0; c1 < N; c1 += 256) {",
            "for (long c2 = c0; c2 < min(M, c0 + 256); c2 += 32) {",
            "for (long c3 = c1; c3 < min(N, c1 + 256); c3 += 32) {",
            "for (long c4 = c2; c4 < min(M, c2 + 32); c4++) {",
            "for (long c5 = c3; c5 < min(N, c3 + 32); c5++) {",
            "A[c4][c5] = 2 * A[c4][c5];",
        ]
    );
}

/// B-T5, figure 1: no rectangular tiles where they would wait for each other.
#[test]
fn tiles_that_depend_on_each_other() {
    let text = "void f(int n, float A[n][n]) {\n#pragma scop\n\
                for (int i = 1; i < n; i++) for (int j = 1; j < n - 1; j++)\n\
                A[i][j] = A[i - 1][j + 1] + A[i - 1][j - 1];\n#pragma endscop\n}\n";
    let mut options = options("1");
    options.tile_sizes = TileSizes::Given(vec![4]);
    let skewed = compiled("skewed.c", text, &options);
    assert_eq!(sizes(&skewed), [[4, 4]], "legal after skewing, and proved");
    options.scheduler = loopwright::Scheduler::Transformed("tile S0 1 4, 4".to_string());
    let refused = compile_file(&file("illegal.c", text), &options);
    assert!(refused.is_err(), "{refused:?}");
}
