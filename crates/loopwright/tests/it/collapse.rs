//! Threads share the iterations of two loops where one alone has too few for the cores.

use crate::support::{prints_the_same, scratch};
use loopwright::CompileOptions;
use loopwright_machine::Machine;

/// A stencil on a few planes, for several sizes.
fn program(rows: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         static double A[5][30][70], B[5][30][70];\n\
         static void kernel(int n, int m)\n{{\nint c, i, j;\n\
         #pragma scop\n\
         for (c = 0; c < 5; c++) for (i = {rows}; i < n - 1; i++) for (j = 1; j < m - 1; j++)\n\
         B[c][i][j] = 0.2 * (A[c][i][j] + A[c][i - 1][j] + A[c][i + 1][j] + A[c][i][j - 1] + A[c][i][j + 1]);\n\
         #pragma endscop\n}}\n\
         int main(void)\n{{\n\
         int sizes[][2] = {{{{0, 0}}, {{3, 3}}, {{2, 70}}, {{30, 70}}, {{17, 40}}}};\n\
         for (int c = 0; c < 5; c++) for (int i = 0; i < 30; i++) for (int j = 0; j < 70; j++)\n\
         A[c][i][j] = (c * 31 + i * 7 + j) % 11 / 3.0;\n\
         for (int s = 0; s < 5; s++) {{ kernel(sizes[s][0], sizes[s][1]); double sum = 0;\n\
         for (int c = 0; c < 5; c++) for (int i = 0; i < 30; i++) for (int j = 0; j < 70; j++)\n\
         sum = sum * 0.99 + B[c][i][j]; printf(\"%.17g\\n\", sum); }}\n\
         return 0;\n}}\n"
    )
}

/// The code for so many cores; it is proved and prints what the program prints.
fn code(name: &str, rows: &str, cores: u64) -> String {
    let options = CompileOptions::new();
    let machine = Machine { cores, ..options.machine.clone() };
    prints_the_same(
        &scratch("collapse"),
        name,
        &program(rows),
        &CompileOptions { machine, ..options },
    )
}

#[test]
fn few_planes_for_many_cores() {
    assert!(code("collapsed", "1", 16).contains("#pragma omp parallel for collapse(2)"));
    let few = code("few_cores", "1", 1);
    assert!(few.contains("#pragma omp parallel for") && !few.contains("collapse"), "{few}");
}

/// OpenMP wants bounds that do not move with the first loop.
#[test]
fn bounds_that_move_stay_apart() {
    let moving = code("moving", "c + 1", 16);
    assert!(
        moving.contains("#pragma omp parallel for") && !moving.contains("collapse"),
        "{moving}"
    );
}
