//! Long C files, on which a front end shows how its work grows with the number of lines.

/// How a file is long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One function with a region in each ten lines.
    OneFunction,
    /// Many functions with one region each.
    ManyFunctions,
    /// One region with many loops.
    OneRegion,
    /// One loop with many statements.
    OneLoop,
    /// One function with some loops, some of which cannot be part of a region.
    PlainCode,
}

impl Shape {
    /// All shapes with a word for each.
    pub const WORDS: [(&'static str, Shape); 5] = [
        ("one function", Shape::OneFunction),
        ("many functions", Shape::ManyFunctions),
        ("one region", Shape::OneRegion),
        ("one loop", Shape::OneLoop),
        ("plain code", Shape::PlainCode),
    ];

    /// A file of at least this many lines; `pragmas` say where its regions are, except in plain code.
    pub fn file(self, n_lines: usize, pragmas: bool) -> String {
        let mut lines = Lines { text: String::new(), n: 0 };
        match self {
            Shape::OneFunction => one_function(&mut lines, n_lines, pragmas),
            Shape::ManyFunctions => many_functions(&mut lines, n_lines, pragmas),
            Shape::OneRegion => one_region(&mut lines, n_lines, pragmas),
            Shape::OneLoop => one_loop(&mut lines, n_lines, pragmas),
            Shape::PlainCode => plain_code(&mut lines, n_lines),
        }
        lines.text
    }
}

struct Lines {
    text: String,
    n: usize,
}

impl Lines {
    fn add(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.n += 1;
    }

    fn pragma(&mut self, word: &str, pragmas: bool) {
        if pragmas {
            self.add(&format!("#pragma {word}"));
        }
    }

    fn begin_function(&mut self, index: usize) {
        self.add(&format!(
            "void f{index}(int n, double A[restrict n][n], double B[restrict n][n], \
             double C[restrict n][n], double x[restrict n]) {{"
        ));
    }

    fn nest(&mut self, index: usize, pragmas: bool) {
        self.pragma("scop", pragmas);
        self.add("  for (int i = 1; i < n - 1; i++)");
        self.add("    for (int j = 1; j < n - 1; j++) {");
        self.add(
            "      B[i][j] = 0.2 * (A[i][j] + A[i][j-1] + A[i][1+j] + A[1+i][j] + A[i-1][j]);",
        );
        self.add(&format!("      if (j > {}) C[i][j] += B[i][j] * x[j];", index % 7));
        self.add("    }");
        self.pragma("endscop", pragmas);
    }
}

fn one_function(lines: &mut Lines, n_lines: usize, pragmas: bool) {
    lines.begin_function(0);
    for index in 0.. {
        lines.nest(index, pragmas);
        lines.add(&format!("  print(A[{index}][0]);"));
        if lines.n >= n_lines {
            break;
        }
    }
    lines.add("}");
}

fn many_functions(lines: &mut Lines, n_lines: usize, pragmas: bool) {
    for index in 0.. {
        lines.begin_function(index);
        lines.nest(index, pragmas);
        lines.add("}\n");
        if lines.n >= n_lines {
            break;
        }
    }
}

fn one_region(lines: &mut Lines, n_lines: usize, pragmas: bool) {
    lines.begin_function(0);
    lines.pragma("scop", pragmas);
    for index in 0.. {
        lines.add(&format!("  for (int i = 0; i < n - {}; i++) {{", index % 5));
        for column in 0..6 {
            let next = column + 1;
            lines.add(&format!("    A[i][{column}] = A[i][{next}] + x[i] * {index};"));
        }
        lines.add("  }");
        if lines.n >= n_lines {
            break;
        }
    }
    lines.pragma("endscop", pragmas);
    lines.add("}");
}

fn one_loop(lines: &mut Lines, n_lines: usize, pragmas: bool) {
    lines.begin_function(0);
    lines.pragma("scop", pragmas);
    lines.add("  for (int i = 0; i < n; i++) {");
    for index in 0..n_lines {
        let (column, next) = (index % 100, index % 100 + 1);
        lines.add(&format!("    A[i][{column}] = A[i][{next}] + x[i] * {index};"));
    }
    lines.add("  }");
    lines.pragma("endscop", pragmas);
    lines.add("}");
}

fn plain_code(lines: &mut Lines, n_lines: usize) {
    lines.add("void g(void);");
    lines.begin_function(0);
    lines.add("  double s = 0;");
    for index in 0.. {
        lines.add(&format!("  s = s + x[{index}] * {index};"));
        if index % 10 == 0 {
            lines.add("  for (int i = 0; i < n; i++)");
            lines.add("    x[i] = A[i][0] + s;");
        }
        if index % 37 == 0 {
            lines.add("  while (s > 1e9) { s = s / 2; g(); if (s < 1) return; }");
        }
        if lines.n >= n_lines {
            break;
        }
    }
    lines.add("}");
}
