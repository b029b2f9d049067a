//! Random functions on memory that overlaps: what only the run knows about them is checked by a compiler, or
//! they stay as they are.
//!
//! [`functions_on_overlapping_memory`] makes a C file of many small functions with pointers, tables of rows,
//! tables of indices, sizes and strides as parameters, and calls each of them with pointers into one block,
//! in any order and at any distance, with negative and zero sizes, with unsigned sums that wrap around, with
//! indices that repeat and are not sorted. All accesses of the functions as they are written are within the
//! block, and no signed sum overflows.
//!
//! [`regions_at_all_positions`] moves two or three arrays past each other, an element at a time.
use crate::choices::Choices;
use std::fmt::Write;

/// What all functions work on, and what the calls print.
const HEAD: &str = r#"#include <stdio.h>
static double block[1200];
static double *first_rows[12], *second_rows[12];
static int indices[16];
static int as_written;
struct call { int function, n, m, s, t; unsigned u; int a, b, c, first[12], second[12], indices[16]; };
static void reset(void) {
  for (int i = 0; i < 1200; i++)
    block[i] = i * 7 % 23;
}
static double sum(void) {
  double all = 0;
  for (int i = 0; i < 1200; i++)
    all = 0.75 * all + block[i] + i % 5;
  return all;
}
"#;

/// The parameters of each function.
const PARAMETERS: &str = "int n, int m, int s, int t, unsigned u, double *a, double *b, double *c, double **r, double **q, const int *p";

/// What calls the functions one after the other.
const CALLS: &str = r#"
int main(void) {
  for (unsigned k = 0; k < sizeof calls / sizeof calls[0]; k++) {
    const struct call *f = &calls[k];
    reset();
    for (int i = 0; i < 12; i++) {
      first_rows[i] = block + f->first[i];
      second_rows[i] = block + f->second[i];
    }
    for (int i = 0; i < 16; i++)
      indices[i] = f->indices[i];
    functions[f->function](f->n, f->m, f->s, f->t, f->u, block + f->a, block + f->b, block + f->c, first_rows, second_rows, indices);
    printf("%d %.17g\n", f->function, sum());
  }
  return 0;
}
"#;

/// A C file of `count` functions, each called several times. Each region stands between pragmas.
pub fn functions_on_overlapping_memory(seed: u64, count: usize) -> String {
    let mut choices = Choices::from_seed(seed);
    let mut text = HEAD.to_string();
    let mut calls = String::new();
    let mut names = String::new();
    for function in 0..count {
        let regions = 1 + choices.below(2);
        let nests: String = (0..regions).map(|_| nest(&mut choices)).collect();
        let _ = write!(
            text,
            "void f{function}({PARAMETERS}) {{\n#pragma scop\n{nests}#pragma endscop\n}}\n"
        );
        let _ = write!(names, "f{function}, ");
        for _ in 0..6 {
            calls.push_str(&call(&mut choices, function));
        }
    }
    let _ = write!(
        text,
        "static void (*const functions[])({PARAMETERS}) = {{{names}}};\nstatic const struct call calls[] = {{\n{calls}}};\n{CALLS}"
    );
    text
}

/// One nest of loops; subscripts stay between -80 and 400.
fn nest(choices: &mut Choices) -> String {
    let array = |choices: &mut Choices| ["a", "b", "c"][choices.below(3)];
    let (x, y, z) = (array(choices), array(choices), array(choices));
    let step = |choices: &mut Choices| ["1", "2", "3", "s", "t", "-1", "-2"][choices.below(7)];
    let (f, g) = (step(choices), step(choices));
    let shift = |choices: &mut Choices| choices.between(-3, 3);
    let (d, e) = (shift(choices), shift(choices));
    match choices.below(14) {
        0 => format!(
            "  for (int i = 0; i < n; i++)\n    {x}[{f} * i + {d}] = 0.5 * {y}[{g} * i + {e}] + 1;\n"
        ),
        1 => format!("  for (int i = 0; i < n; i++)\n    {x}[i] = 0.5 * {y}[i] + {x}[i];\n"),
        2 => format!(
            "  for (int i = n - 1; i >= 0; i--)\n    {x}[i + {d}] = 0.5 * {y}[i] + {z}[i + {e}];\n"
        ),
        3 => format!(
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      {x}[i * s + j] += 0.25 * {y}[i * s + j + {e}] * {z}[j];\n"
        ),
        4 => format!(
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      {x}[i * s + j * t + {d}] = 0.5 * {y}[i * s + j * t] + j;\n"
        ),
        5 => format!(
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      for (int k = 0; k < 3; k++)\n        {x}[i * s + j * t + k] += 0.125 * {y}[i * s + j * t + k];\n"
        ),
        6 => {
            format!("  for (unsigned i = u - 2; i < 20; i++)\n    {x}[i] = 0.5 * {y}[i + 1] + i;\n")
        }
        7 => format!(
            "  for (unsigned i = 3; i < u + 3; i++)\n    {x}[u + 3 - i] = 0.5 * {y}[i - 3] + 1;\n"
        ),
        8 => format!(
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      r[i][j] = 0.5 * q[i][j + {e}] + {y}[j];\n"
        ),
        9 => format!(
            "  for (int i = 1; i < n; i++)\n    for (int j = 0; j < m; j++)\n      r[i][j + {d}] = 0.5 * r[i - 1][j] + {y}[i];\n"
        ),
        10 => format!("  for (int i = 0; i < n; i++)\n    {x}[p[i]] += 0.5 * {y}[i + {d}];\n"),
        11 => {
            format!("  for (int i = 0; i < n; i++)\n    {x}[i + {d}] = 0.5 * {y}[p[i]] + {z}[i];\n")
        }
        12 => format!(
            "  for (int i = 0; i < n; i++) {{\n    double sum = 0;\n    for (int j = 0; j < m; j++)\n      sum += 0.125 * {y}[i * s + j] * {z}[j];\n    {x}[i] = sum;\n  }}\n"
        ),
        _ => format!(
            "  for (int i = 0; i < n; i++)\n    {x}[2 * i] = 0.5 * {y}[2 * i + 1];\n  for (int i = 0; i < m; i++)\n    {z}[i] = {z}[i] + {x}[i + {d}];\n"
        ),
    }
}

/// A call with random sizes and places, and what is in the block after it.
fn call(choices: &mut Choices, function: usize) -> String {
    let sizes = [-3, 0, 1, 2, 5, 9];
    let mut size = || sizes[choices.below(sizes.len())];
    let (n, m) = (size(), size());
    let strides = [-3, 0, 1, 2, 3, 6, 9, 12, 20];
    let mut stride = || strides[choices.below(strides.len())];
    let (s, t) = (stride(), stride());
    let u = [0, 1, 2, 3, 9][choices.below(5)];
    let base = choices.between(150, 350);
    let reach = [3, 12, 40, 250][choices.below(4)];
    let mut place = || base + choices.between(-reach.min(60), reach);
    let (a, b, c) = (place(), place(), place());
    let mut rows = || {
        let (start, distance) = (choices.between(100, 700), choices.between(-12, 14));
        let row = |row: i64| match choices.percent(3) {
            true => choices.between(100, 700),
            false => (start + row * distance).max(90),
        };
        list((0..12).map(row))
    };
    let (first, second) = (rows(), rows());
    let is_sorted = choices.percent(30);
    let index = |at: i64| if is_sorted { 2 * at } else { choices.between(0, 14) };
    let indices = list((0..16).map(index));
    format!(
        "  {{{function}, {n}, {m}, {s}, {t}, {u}u, {a}, {b}, {c}, {first}, {second}, {indices}}},\n"
    )
}

/// Numbers in braces.
fn list(numbers: impl Iterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.map(|number| number.to_string()).collect();
    format!("{{{}}}", numbers.join(", "))
}

/// An array of a region: `[factor * i + offset]` for `0 <= i < n`.
#[derive(Clone, Copy, Debug)]
struct Walk {
    factor: i64,
    offset: i64,
}

impl Walk {
    fn random(choices: &mut Choices) -> Self {
        let factor = [1, 1, 2, 3, -1, -2][choices.below(6)];
        Walk { factor, offset: choices.between(-2, 2) }
    }

    fn subscript(self) -> String {
        format!("{} * i + {}", self.factor, self.offset)
    }

    fn elements(self, n: i64, shift: i64) -> Vec<i64> {
        (0..n).map(|i| shift + self.factor * i + self.offset).collect()
    }
}

/// What is to become of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Branch {
    /// All ranges of elements are apart: what was made of the region runs.
    New,
    /// An element that is written is another one that is accessed by another iteration: the region runs as it
    /// was.
    Old,
    /// Ranges overlap, elements do not.
    Either,
}

/// A C file of `count` functions of two or three arrays, called with these at all positions around each
/// other, and what is to become of each call. The calls print `taken`, the sum of all memory, and whether
/// `as_written` was set.
pub fn regions_at_all_positions(seed: u64, count: usize) -> (String, Vec<Branch>) {
    let mut choices = Choices::from_seed(seed);
    let (mut text, mut calls) = (HEAD.to_string(), String::new());
    let mut branches = Vec::new();
    for function in 0..count {
        let n = choices.between(1, 7);
        let walks: Vec<Walk> =
            (0..2 + choices.below(2)).map(|_| Walk::random(&mut choices)).collect();
        let third = walks.get(2).map_or(String::new(), |w| format!(" + c[{}]", w.subscript()));
        let _ = write!(
            text,
            "void f{function}(int n, double *a, double *b, double *c) {{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[{}] = 0.5 * b[{}]{third} + 1;\n#pragma endscop\n}}\n",
            walks[0].subscript(),
            walks[1].subscript()
        );
        let far = choices.between(-25, 25);
        branches.extend((-30..=30).map(|shift| branch(&walks, n, &[0, shift, far])));
        let _ = writeln!(
            calls,
            "  for (int shift = -30; shift <= 30; shift++) {{\n    reset();\n    f{function}({n}, block + 200, block + 200 + shift, block + {});\n    printf(\"%.17g\\n\", sum());\n    printf(\"taken %d\\n\", as_written);\n    as_written = 0;\n  }}",
            200 + far
        );
    }
    let _ = write!(text, "int main(void) {{\n{calls}  return 0;\n}}\n");
    (text, branches)
}

fn branch(walks: &[Walk], n: i64, shifts: &[i64]) -> Branch {
    let elements: Vec<Vec<i64>> =
        walks.iter().zip(shifts).map(|(walk, shift)| walk.elements(n, *shift)).collect();
    let Some((written, read)) = elements.split_first() else { return Branch::New };
    let range = |all: &[i64]| all.iter().min().copied().zip(all.iter().max().copied());
    let are_apart = |a: &[i64], b: &[i64]| match (range(a), range(b)) {
        (Some((low, high)), Some((other_low, other_high))) => high < other_low || other_high < low,
        _ => true,
    };
    let meet = |other: &Vec<i64>| {
        let pairs = written.iter().enumerate();
        let mut pairs =
            pairs.flat_map(|(i, x)| other.iter().enumerate().map(move |(j, y)| (i, x, j, y)));
        pairs.any(|(i, x, j, y)| x == y && i != j)
    };
    if read.iter().all(|other| are_apart(written, other)) {
        Branch::New
    } else if read.iter().any(meet) {
        Branch::Old
    } else {
        Branch::Either
    }
}
