//! Rows behind tables of pointers: where the run shows that they are apart, what was made of the region runs,
//! and elsewhere the region as it was written.

use crate::branches_taken::{branches_taken, check_branches, output_of};

/// Functions with tables of rows, called with rows at all distances around the edges.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <string.h>

static int as_written;
static double block[4000];
static char bytes[4000];
struct table { int n; double **rows; };

static void reset(void) {
  for (int i = 0; i < 4000; i++) {
    block[i] = i * 7 % 23;
    bytes[i] = i * 3;
  }
}
static void show(const char *name, int k) {
  double sum = 0;
  for (int i = 0; i < 4000; i++)
    sum = 0.99 * sum + block[i] + 7 * bytes[i];
  printf("%s %d %.17g\n", name, k, sum);
  printf("taken %s %d %d\n", name, k, as_written);
  as_written = 0;
  reset();
}

void shift(int n, int m, double **a, double **b) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = 2 * b[i][j + 1] + i;
#pragma endscop
}
void sweep(int n, int m, double **a) {
#pragma scop
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = a[i - 1][j] + a[i + 1][j];
#pragma endscop
}
void add(struct table *t, int m, const double *x) {
#pragma scop
  for (int i = 0; i < t->n; i++)
    for (int j = 0; j < m; j++)
      t->rows[i][j] += x[j];
#pragma endscop
}
void cube(int n, double ***a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        a[i][j][k] = 3 * a[i][j][k] + k;
#pragma endscop
}
void letters(int n, int m, char **a) {
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = i + j;
#pragma endscop
}
void eliminate(int n, int m, int j, double **a) {
#pragma scop
  for (int i = j + 1; i < n; i++) {
    double *own = a[i], *first = a[j];
    double factor = own[j];
    for (int k = j + 1; k < m; k++)
      own[k] -= factor * first[k];
  }
#pragma endscop
}
void fixed(int m, double *a[4], double *x) {
#pragma scop
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = x[i * 40 + j];
#pragma endscop
}

int main(void) {
  double *a[90], *b[90], *c[9], **d[3];
  reset();
  for (int k = -50; k <= 50; k++) {          /* rows of 40 in one block, the second table k elements further */
    for (int i = 0; i < 8; i++) {
      a[i] = block + 100 + 100 * i;
      b[i] = a[i] + k;
    }
    shift(8, 40, a, b);
    show("shift", k);
  }
  for (int k = 30; k <= 50; k++) {           /* the distance of rows of 40, upwards, downwards, mixed */
    for (int i = 0; i < 8; i++)
      a[i] = block + k * i;
    sweep(8, 40, a);
    show("upwards", k);
    for (int i = 0; i < 8; i++)
      a[i] = block + 1000 - k * i;
    sweep(8, 40, a);
    show("downwards", k);
    for (int i = 0; i < 80; i++)
      a[i] = block + k * (i * 7 % 80);
    sweep(80, 40, a);
    show("mixed", k);
  }
  for (int k = 34; k <= 44; k++) {           /* rows whose pointers are copied, each of 40 */
    for (int i = 0; i < 8; i++)
      a[i] = block + k * i;
    eliminate(8, 40, 0, a);
    show("eliminate", k);
  }
  for (int i = 1; i < 8; i++)                /* the first pointer may not be read where its row is not */
    a[i] = block + 100 * i;
  a[0] = (double *) 8;
  eliminate(8, 1, 0, a);
  show("one column", 0);
  eliminate(1, 40, 0, 0);
  show("one row", 0);
  for (int i = 0; i < 8; i++)
    a[i] = block + 100 * i;
  a[5] = a[2];
  sweep(8, 40, a);
  show("repeated", 0);
  sweep(2, 40, a);
  show("empty", 0);
  sweep(-5, 40, 0);
  show("null", 0);
  struct table t = { 3, c };
  for (int k = 0; k <= 50; k++) {            /* a vector of 16 before, in and behind a row of 16 */
    c[0] = block + 500;
    c[1] = block + 200;
    c[2] = block + 20;
    add(&t, 16, block + k);
    show("vector", k);
  }
  t.n = 0;
  t.rows = 0;
  add(&t, 16, block);
  show("no rows", 0);
  for (int k = 4; k <= 12; k++) {            /* rows of 8 in a cube */
    for (int i = 0; i < 64; i++)
      a[i] = block + k * i;
    double **e[8];
    for (int i = 0; i < 8; i++)
      e[i] = a + 8 * i;
    cube(8, e);
    show("cube", k);
  }
  d[0] = d[1] = d[2] = a;
  cube(3, d);
  show("same tables", 0);
  for (int k = -4; k <= 4; k++) {            /* letters that overwrite the table itself, or are beside it */
    static union { char *rows[3]; char all[200]; } u;
    for (int i = 0; i < 3; i++)
      u.rows[i] = bytes + 20 * i;
    u.rows[2] = u.all + sizeof u.rows + k;
    if (k >= 0)
      letters(3, 16, u.rows);
    show("table", k);
  }
  for (int k = 0; k <= 12; k++) {
    for (int i = 0; i < 4; i++)
      a[i] = block + 200 + 40 * i;
    fixed(30, a, block + k * 40);
    show("fixed", k);
  }
  return 0;
}
"#;

/// Whether a call is to run the region as it was written.
fn is_as_written(name: &str, k: i64) -> bool {
    match name {
        // `b[i][j + 1]` begins one element further: rows of 40 at a distance of `k + 1`.
        "shift" => (k + 1).abs() < 40,
        "upwards" | "downwards" | "mixed" | "eliminate" => k < 40,
        // Rows of 16 begin at 20, 200 and 500.
        "vector" => 4 < k && k < 36,
        "cube" => k < 8,
        "repeated" | "same tables" => true,
        // Where the row of the first pointer is not accessed, that pointer is not looked at.
        "one column" | "one row" => true,
        // Rows from 200, 240, 280, 320; what is read are 150 elements, with 10 between rows of 30.
        "fixed" => k * 40 + 150 > 200 && k * 40 < 350,
        _ => false,
    }
}

#[test]
fn what_was_made_of_a_region_runs_where_its_rows_are_apart() {
    let (compiled, taken) = branches_taken("rows_apart", PROGRAM, output_of);
    assert_eq!(compiled.code.matches("(const struct loopwright_rows[])").count(), 7);
    assert_eq!(compiled.code.matches("#define LOOPWRIGHT_ROWS_APART").count(), 1);
    check_branches(&taken, is_as_written);
}

/// Tables that the region may not read in front of it, or that it does not read for sure.
#[test]
fn rows_that_are_not_read_for_sure_are_refused() {
    let refused = |parameters: &str, region: &str| {
        let text = format!(
            "void f(int n, {parameters}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        let found = loopwright_cfront::SourceFile::from_text("f.c", &text).extract();
        found.err().map(|all| all[0].message.clone())
    };
    let rows = |condition: &str| {
        format!("for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {condition} a[i][j] = 1;")
    };
    let overlap = Some("the rows of `a` may overlap".to_string());
    assert_eq!(refused("double **a", &rows("")), None);
    assert_eq!(refused("double **a, int *c", &rows("if (c[j])")), overlap);
    assert_eq!(refused("double **a", "for (int i = 0; i < n; i += 2) a[i][i] = 1;"), overlap);
    // Of names that the helper needs one is taken.
    assert_eq!(refused("double **a, int loopwright_list", &rows("")), overlap);
}
