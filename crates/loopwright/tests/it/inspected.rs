//! Subscripts and bounds that are read from memory: where the indices show that nothing overlaps, what was
//! made of the region runs, and elsewhere the region as it was written.

use crate::branches_taken::branches_taken;
use crate::overlapping_memory::run_sanitized;
use crate::support::scratch;
use loopwright::{CompileOptions, compile_file};

/// Functions with indices, called with memory at all distances around the edges.
const PROGRAM: &str = r#"
#include <stdio.h>

static int as_written;
static double block[600];
static int numbers[600];

static void reset(void) {
  for (int i = 0; i < 600; i++) {
    block[i] = i * 7 % 23;
    numbers[i] = i * 5 % 3;
  }
}
static void show(const char *name, int k, int expected) {
  double sum = 0;
  for (int i = 0; i < 600; i++)
    sum = 0.99 * sum + block[i] + 7 * numbers[i];
  printf("%s %d %.17g\n", name, k, sum);
  printf("taken %s %d %d %d\n", name, k, as_written, expected);
  as_written = 0;
  reset();
}

void sparse(int n, const int *ptr, const int *col, const double *val, const double *x, double *y) {
#pragma scop
  for (int i = 0; i < n; i++) {
    double s = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
#pragma endscop
}
int segments(int n, const long *start, const unsigned *end, const unsigned char *col, const double *val, const double *x,
             double *y) {
  long k;
#pragma scop
  for (int i = 0; i < n; i++) {
    y[i] = 0;
    for (k = start[i]; k < end[i]; k += 1)
      y[i] += val[k] * x[col[k]];
  }
#pragma endscop
  return n;
}
void named(int n, int m, const int *ptr, const int *col, const double *val, const double *x, double *y) {
  int k;
#pragma scop
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++) {
      double s = 0;
      int first = ptr[i];
      int last = ptr[i + 1];
      for (k = first; k < last; k++) {
        int c = col[k];
        s += val[k] * x[c] + t;
      }
      y[i] = s;
    }
#pragma endscop
}
void integers(int n, const int *ptr, const int *col, const int *x, int *y) {
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (int k = ptr[i]; k < ptr[i + 1]; k++)
      s += x[col[k]];
    y[i] = s;
  }
#pragma endscop
}
void gather(int n, int m, const unsigned short *index, const double *b, double *a) {
#pragma scop
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      a[i] += t * b[index[i]];
#pragma endscop
}
void scatter(int n, int m, const long *index, const double *b, double *a) {
#pragma scop
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      a[index[i]] += t * b[i];
#pragma endscop
}

/* Whether two runs of elements, from the first to the last, overlap. */
static int meet(const void *a, long first_a, long last_a, const void *b, long first_b, long last_b, long bytes) {
  unsigned long start_a = (unsigned long) a + bytes * first_a, end_a = (unsigned long) a + bytes * (last_a + 1);
  unsigned long start_b = (unsigned long) b + bytes * first_b, end_b = (unsigned long) b + bytes * (last_b + 1);
  return first_a <= last_a && first_b <= last_b && start_a < end_b && start_b < end_a;
}

int main(void) {
  static int ptr[9] = { 3, 5, 5, 9, 12, 13, 13, 20, 23 };               /* values from 3 to 22 */
  static int col[40];                                                   /* columns from 2 to 12 */
  static unsigned char bytes[40];
  static long start[6] = { 12, 3, 1000000, 7, 9, 20 };                  /* not in order, two of them empty */
  static unsigned end[6] = { 15, 5, 0, 9, 0, 22 };
  static unsigned short places[10] = { 9, 4, 30, 4, 7, 8, 9, 10, 11, 6 };  /* from 4 to 30 */
  static long repeated[10] = { 5, 5, 9, -3, 5, 8, 0, 5, 1, 9 };            /* from -3 to 9 */
  for (int i = 0; i < 40; i++)
    bytes[i] = (unsigned char) (col[i] = 2 + i * 7 % 11);
  reset();
  for (int k = -40; k <= 40; k++) {                                     /* the result around the values, and around `x` */
    sparse(8, ptr, col, block + 200, block, block + 200 + k);
    show("values", k, meet(block + 200, 3, 22, block + 200 + k, 0, 7, 8));
    sparse(8, ptr, col, block + 400, block + 100, block + 100 + k);
    show("columns", k, meet(block + 100, 2, 12, block + 100 + k, 0, 7, 8));
    segments(6, start, end, bytes, block + 200, block + 400, block + 200 + k);
    show("segments", k, meet(block + 200, 3, 21, block + 200 + k, 0, 5, 8));
    named(8, 3, ptr, col, block + 200, block + 400, block + 200 + k);
    show("named", k, meet(block + 200, 3, 22, block + 200 + k, 0, 7, 8));
    gather(10, 3, places, block + 100, block + 100 + k);
    show("gather", k, meet(block + 100, 4, 30, block + 100 + k, 0, 9, 8));
    scatter(10, 3, repeated, block + 100, block + 100 + k);
    show("scatter", k, meet(block + 100, 0, 9, block + 100 + k, -3, 9, 8));
  }
  for (int k = -20; k <= 20; k++) {                                     /* the result around the bounds and the columns */
    for (int i = 0; i < 9; i++)
      numbers[100 + i] = ptr[i];
    for (int i = 0; i < 40; i++)
      numbers[200 + i] = col[i];
    for (int i = 240; i < 300; i++)
      numbers[i] = i % 11;
    integers(8, numbers + 100, numbers + 200, numbers + 400, numbers + 100 + k);
    show("bounds", k, meet(numbers + 100, 0, 8, numbers + 100 + k, 0, 7, 4));
    for (int i = 0; i < 9; i++)
      numbers[100 + i] = ptr[i];
    for (int i = 200; i < 300; i++)
      numbers[i] = i % 11;
    integers(8, numbers + 100, numbers + 200, numbers + 400, numbers + 212 + k);
    show("indices", k, meet(numbers + 200, 3, 22, numbers + 212 + k, 0, 7, 4));
  }
  sparse(0, 0, 0, 0, 0, 0);
  sparse(-3, 0, 0, 0, 0, 0);
  static int none[4];
  sparse(3, none, 0, 0, 0, block);
  show("empty", 0, 0);
  named(-2, 3, 0, 0, 0, 0, 0);
  named(3, 0, 0, 0, 0, 0, 0);
  gather(4, -1, 0, 0, 0);
  scatter(-4, 5, 0, 0, 0);
  show("nothing", 0, 0);
  return 0;
}
"#;

#[test]
fn what_was_made_of_a_region_runs_where_its_indices_keep_it_apart() {
    let (compiled, taken) = branches_taken("inspected", PROGRAM, run_sanitized);
    let code = compiled.code;
    assert_eq!(code.matches("__extension__ ({ struct loopwright_span").count(), 6, "{code}");
    assert_eq!(code.matches("#define LOOPWRIGHT_INSPECTED").count(), 1);
    for line in &taken {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(words[2], words[3], "{line}");
    }
    assert_eq!(taken.len(), 6 * 81 + 2 * 41 + 2);
}

/// Indices that are perhaps not read may not be read in front of the region.
#[test]
fn indices_that_the_region_perhaps_does_not_read_are_not_inspected() {
    let under_a_condition = "for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++)
      if (w[i] > 0)
        a[i] += b[index[i]];";
    let behind_a_jump = "for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++) {
      double s = 0;
      for (int k = index[i]; k < index[i + 1]; k++) {
        if (w[k] > 9)
          break;
        s += b[more[k]];
      }
      a[i] = s;
    }";
    let written = "for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++) {
      a[i] += b[index[i]];
      index[i] = 0;
    }";
    let another_type = "for (int i = 0; i < n; i++)
    for (short k = index[i]; k < index[i + 1]; k++)
      a[i] += b[k];";
    let once = "for (int i = 0; i < n; i++)
    a[i] = b[index[i]];";
    let folder = scratch("not_inspected");
    for (name, text) in [
        ("under_a_condition", under_a_condition),
        ("behind_a_jump", behind_a_jump),
        ("written", written),
        ("another_type", another_type),
        ("once", once),
    ] {
        let head = "int n, int m, int *index, const int *more, double *a, double *b, double *w";
        let program = format!("void f({head}) {{\n#pragma scop\n  {text}\n#pragma endscop\n}}\n");
        let path = folder.join(format!("{name}.c"));
        std::fs::write(&path, program).expect("the folder for tests can be written");
        let error = compile_file(&path, &CompileOptions::new()).expect_err(name);
        assert!(error.to_string().contains("CF19"), "{name}: {error}");
    }
}
