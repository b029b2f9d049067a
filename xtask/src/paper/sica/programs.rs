//! The programs of the paper, each with a `main` that takes sizes and prints seconds and a checksum.

/// A program.
pub(super) struct Program {
    pub(super) name: &'static str,
    kernel: Kernel,
    /// The file with `main`.
    main: &'static str,
    /// The sizes for one number `N` of the tables.
    pub(super) sizes: fn(u32) -> Vec<u32>,
    /// The sizes for the sweep over shares of the cache: a short outer and a long vector loop.
    pub(super) sweep: [u32; 3],
}

/// The file with the region.
enum Kernel {
    Text(&'static str),
    /// In this place of the repository.
    File(&'static str),
}

impl Program {
    /// The text of the file with the region.
    pub(super) fn kernel(&self) -> Result<String, String> {
        match self.kernel {
            Kernel::Text(text) => Ok(text.to_string()),
            Kernel::File(path) => std::fs::read_to_string(crate::repository::root().join(path))
                .map_err(|e| format!("cannot read {path}: {e}")),
        }
    }

    /// The text of the file with `main`.
    pub(super) fn main(&self) -> String {
        format!("{COMMON}{}", self.main)
    }
}

pub(super) static PROGRAMS: [Program; 2] = [
    Program {
        name: "matmul",
        kernel: Kernel::Text(
            "\
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
",
        ),
        main: "\
void kernel(int M, int N, int K, float alpha, float C[M][N], float A[M][K], float B[K][N]);
int main(int argc, char **argv)
{
  int M = atoi(argv[1]), N = atoi(argv[2]), K = atoi(argv[3]);
  float *C = values((size_t)M * N, 7), *A = values((size_t)M * K, 5), *B = values((size_t)K * N, 3);
  double start = now();
  kernel(M, N, K, 1.5f, (void *)C, (void *)A, (void *)B);
  printf(\"%.6f \", now() - start);
  checksum(C, (size_t)M * N);
}
",
        sizes: |n| vec![n, n, n],
        sweep: [189, 40_000, 189],
    },
    Program {
        name: "correlation",
        kernel: Kernel::File("crates/loopwright/tests/sica_programs/correlation.c"),
        main: "\
void kernel(int M, int N, float data[N + 1][M + 1], float symmat[M + 1][M + 1], float mean[M + 1],
            float stddev[M + 1]);
int main(int argc, char **argv)
{
  int M = atoi(argv[1]), N = atoi(argv[2]);
  float *data = values((N + 1L) * (M + 1), 7), *symmat = values((M + 1L) * (M + 1), 5);
  float *mean = values(M + 1, 3), *stddev = values(M + 1, 2);
  for (int j = 0; j <= M; j++) stddev[j] += 1;
  double start = now();
  kernel(M, N, (void *)data, (void *)symmat, mean, stddev);
  printf(\"%.6f \", now() - start);
  checksum(symmat, (M + 1L) * (M + 1));
}
",
        sizes: |n| vec![n, n],
        sweep: [6000, 89, 0],
    },
];

const COMMON: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
static float *values(size_t n, unsigned step)
{
  float *x = aligned_alloc(64, (n * sizeof *x + 63) / 64 * 64);
  for (size_t i = 0; i < n; i++) x[i] = (i * step % 1021) / 1021.0f;
  return x;
}
static void checksum(const float *x, size_t n)
{
  unsigned sum = 0, bits;
  for (size_t i = 0; i < n; i++) { memcpy(&bits, x + i, 4); sum = sum * 31 + bits; }
  printf(\"%08x\\n\", sum);
}
";
