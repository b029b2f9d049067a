//! Values that share cells: what is told about them, and programs with contracted arrays that print what they
//! did.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, RegionStorage, Storage, compile_file, storage_of_file};
use loopwright_machine::Machine;
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seed;

/// A program that prints sums, around a function with a region.
fn program(function: &str) -> String {
    format!(
        "#include <stdio.h>\n{function}\n\
         int main(void) {{ static double x[64], y[64]; for (int i = 0; i < 64; i++) x[i] = (i * 7 % 13) / 8.0;\n\
         for (int m = 1; m < 40; m += 6) for (int n = 1; n <= 64; n += 9) {{ f(m, n, x, y); \
         for (int i = 0; i < n; i++) printf(\"%.17g \", y[i]); printf(\"\\n\"); }}\n return 0; }}\n"
    )
}

const STENCIL: &str = "void f(int m, int n, double *restrict x, double *restrict y) {
  double a[m + 1][n];
#pragma scop
  for (int i = 0; i < n; i++)
    a[0][i] = x[i];
  for (int t = 1; t <= m; t++)
    for (int i = 0; i < n; i++)
      a[t][i] = i == 0 || i == n - 1 ? a[t - 1][i] : (a[t - 1][i - 1] + a[t - 1][i] + a[t - 1][i + 1]) * 0.25;
  for (int i = 0; i < n; i++)
    y[i] = a[m][i];
#pragma endscop
}";

const TEMPORARY: &str = "void f(int m, int n, double *restrict x, double *restrict y) {
#pragma scop
  double s[m][n], r[n];
  for (int i = 0; i < n; i++)
    y[i] = x[i];
  for (int t = 0; t < m; t++)
    for (int i = 0; i < n; i++) {
      s[t][i] = x[i] * t;
      r[i] = s[t][i] + 1;
      y[i] = y[i] + s[t][i] * r[i];
    }
#pragma endscop
}";

const TWO_STEPS: &str = "void f(int m, int n, double *restrict x, double *restrict y) {
  double a[m + 2][n], b[m + 2][n];
#pragma scop
  for (int i = 0; i < n; i++) {
    a[0][i] = x[i];
    a[1][i] = x[i] * 2;
    b[0][i] = 1;
    b[1][i] = 2;
  }
  for (int t = 2; t <= m; t++)
    for (int i = 0; i < n; i++) {
      b[t][i] = i == 0 ? t : a[t - 1][i - 1] + b[t - 2][i];
      a[t][i] = a[t - 2][i] - 0.5 * b[t][i];
    }
  for (int i = 1; i < n; i++)
    y[i] = m > 1 ? a[m][i] + b[m - 1][i] : 0;
#pragma endscop
}";

fn looked_at(name: &str, function: &str) -> RegionStorage {
    let path = scratch(&format!("storage-of-{name}")).join("f.c");
    std::fs::write(&path, function).unwrap();
    storage_of_file(&path, &CompileOptions::new()).unwrap().remove(0)
}

/// The new text with contraction, after the program printed the same.
fn contracted(name: &str, function: &str, set: &[(&str, Option<&str>)]) -> String {
    let (code, report) = printing_the_same(Storage::Contract, name, function, set);
    assert!(report.contains("stays in its cell until its last use"), "{report}");
    code
}

/// The text and the report with other storage under some options, after the program printed the same.
fn printing_the_same(
    storage: Storage,
    name: &str,
    function: &str,
    set: &[(&str, Option<&str>)],
) -> (String, String) {
    let folder = scratch(&format!("storage-{storage:?}-{name}"));
    let path = folder.join("before.c");
    std::fs::write(&path, program(function)).unwrap();
    let mut options = CompileOptions {
        storage,
        always_rewrite: true,
        machine: Machine::generic(),
        ..CompileOptions::new()
    };
    for (option, value) in set {
        options.set(option, *value).unwrap();
    }
    let compiled = compile_file(&path, &options).unwrap_or_else(|failure| panic!("{failure}"));
    let wanted = run_c(&program(function), &folder, "before").unwrap();
    let found = run_c(&compiled.code, &folder, "after").unwrap();
    assert_eq!(wanted, found, "{name}:\n{function}\n{}", compiled.code);
    (compiled.code, compiled.report.to_string())
}

#[test]
fn a_stencil_has_two_rows() {
    let region = looked_at("stencil", STENCIL);
    let array = region.arrays.iter().find(|array| array.name == "a").unwrap();
    assert_eq!(array.kept_because, None, "{region}");
    assert_eq!(array.moduli, [(0, "2".to_string())], "{region}");
    assert!(array.values.iter().any(|values| values.loops.contains("tilable(2)")), "{region}");
    let json = region.to_json();
    assert!(json["arrays"].as_array().unwrap().iter().any(|array| array["name"] == "a"));
    for (name, set) in [
        ("stencil", &[][..]),
        ("stencil-tiles", &[("tile-sizes", Some("4"))][..]),
        ("stencil-threads", &[("target", Some("openmp")), ("tile-sizes", Some("4"))]),
        ("stencil-order", &[("scheduler", Some("none"))]),
        ("stencil-feautrier", &[("scheduler", Some("feautrier"))]),
    ] {
        let text = contracted(name, STENCIL, set);
        assert!(text.contains("% 2]") || text.contains("& 1]"), "{text}");
    }
}

/// The loop over the inside is moved behind all edges, where these are needed at one time: another schedule
/// is found.
#[test]
fn a_schedule_that_needs_all_cells_is_looked_for_again() {
    let function = STENCIL
        .replace("i == 0 || i == n - 1 ? a[t - 1][i] : ", "")
        .replace(
            "    for (int i = 0; i < n; i++)\n      a[t][i]",
            "    a[t][0] = 0;\n    for (int i = 1; i < n - 1; i++)\n      a[t][i]",
        )
        .replace("0.25;\n", "0.25;\n    if (n > 1) a[t][n - 1] = t;\n  }\n")
        .replace("t <= m; t++)", "t <= m; t++) {");
    let text = contracted("again", &function, &[("tile-sizes", Some("4"))]);
    assert!(text.contains("% 2]"), "{text}");
}

/// A table whose first column and row are set in loops of their own, and of which the last row is used behind
/// the region.
const EDGES_FIRST: &str = "#include <stdlib.h>
void f(int m, int n, double *restrict x, double *restrict y) {
  double (*a)[n + 1] = malloc((m + 1) * sizeof *a);
#pragma scop
  for (int t = 0; t <= m; t++)
    a[t][0] = t * 0.5;
  for (int i = 1; i <= n; i++)
    a[0][i] = x[i - 1];
  for (int t = 1; t <= m; t++)
    for (int i = 1; i <= n; i++)
      a[t][i] = x[i - 1] > 0.5 ? a[t - 1][i - 1] + 1 : (a[t - 1][i] + a[t][i - 1]) * 0.5;
#pragma endscop
  for (int i = 0; i < n; i++)
    y[i] = a[m][i + 1];
  free(a);
}";

/// All elements of the first column wait for their use, unless each is set with its row.
#[test]
fn edges_that_are_set_first_are_set_with_their_rows() {
    let set = [("target", Some("openmp"))];
    let (code, report) = printing_the_same(Storage::Contract, "edges", EDGES_FIRST, &set);
    assert!(code.contains("a[c0 % 2][0] = ") || code.contains("% 2][0] = "), "{code}");
    for part in [
        "proved: the order by elements respects every dependence",
        "storage: scheduled again for fewer cells, in the order of the elements",
        "`a` share cells: a[mod 2][..]",
        "what is used afterwards is copied out",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // The memory of a caller stays as it is.
    assert!(!report.contains("where "), "{report}");
}

/// The same table declared in the region: two rows or two columns, whichever are fewer cells.
#[test]
fn rows_or_columns_are_chosen_by_the_sizes() {
    let function = EDGES_FIRST
        .replace("  double (*a)[n + 1] = malloc((m + 1) * sizeof *a);\n", "")
        .replace("#pragma scop\n", "#pragma scop\n  double a[m + 1][n + 1];\n")
        .replace("#pragma endscop\n", "")
        .replace("  free(a);\n", "#pragma endscop\n")
        .replace("y[i] = a[m][i + 1];", "y[i] = i == 0 ? a[m][n] : 0;");
    let (code, report) = printing_the_same(Storage::Contract, "rows-or-columns", &function, &[]);
    for part in [
        "if (2.0 * m + 2.0 < 2.0 * n + 2.0) {",
        "double a[m + 1][2];",
        "} else {",
        "double a[2][n + 1];",
    ] {
        assert_eq!(code.matches(part).count(), 1, "{part}: {code}");
    }
    for part in [
        "note: storage: elements of `a` share cells: a[mod 2][..]; 2*n + 2 in place of",
        "note: where 2.0 * m + 2.0 < 2.0 * n + 2.0: storage: elements of `a` share cells: a[..][mod 2]; 2*m + 2 in place of",
        "proved: every value of a contracted array stays in its cell until its last use",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    assert!(!report.contains("not proved"), "{report}");
    // Time steps cannot be columns.
    let inside = STENCIL
        .replace("  double a[m + 1][n];\n#pragma scop\n", "#pragma scop\n  double a[m + 1][n];\n");
    let (_, report) = printing_the_same(Storage::Contract, "rows-only", &inside, &[]);
    assert!(report.contains("a[mod 2][..]") && !report.contains("where "), "{report}");
}

/// A statement between that writes another array has no place among the elements.
#[test]
fn other_statements_between_keep_the_order() {
    let function = EDGES_FIRST.replace(
        "x[i - 1];\n  for",
        "x[i - 1];\n  for (int i = 0; i < n; i++)\n    y[i] = a[0][i];\n  for",
    );
    let (_, report) = printing_the_same(Storage::Contract, "between", &function, &[]);
    assert!(report.contains("no array needs fewer cells than it has elements"), "{report}");
}

#[test]
fn temporaries_of_an_iteration_need_few_cells() {
    for (name, set) in [
        ("temporary", &[][..]),
        ("temporary-threads", &[("target", Some("openmp"))][..]),
        ("temporary-order", &[("scheduler", Some("none"))]),
    ] {
        let text = contracted(name, TEMPORARY, set);
        assert!(text.contains("s[1]"), "{text}");
    }
}

#[test]
fn arrays_that_need_each_other_are_contracted_together() {
    for (name, set) in [
        ("two", &[][..]),
        ("two-threads", &[("target", Some("openmp")), ("tile-sizes", Some("3"))][..]),
    ] {
        let text = contracted(name, TWO_STEPS, set);
        assert!(text.contains("% 3]") || text.contains("% 2]"), "{text}");
    }
}

#[test]
fn values_that_are_used_later_keep_their_cells() {
    let function = STENCIL.replace("#pragma endscop", "#pragma endscop\n  y[0] = a[m / 2][n / 2];");
    let region = looked_at("used-later", &function);
    let array = region.arrays.iter().find(|array| array.name == "a").unwrap();
    let reason = array.kept_because.as_deref();
    assert_eq!(reason, Some("some of its values are used after the region"));
    let path = scratch("storage-used-later").join("f.c");
    std::fs::write(&path, program(&function)).unwrap();
    let options = CompileOptions { storage: Storage::Contract, ..CompileOptions::new() };
    let compiled = compile_file(&path, &options).unwrap();
    assert!(compiled.report.to_string().contains("no array needs fewer cells"));
}

/// One or two arrays with a row per step, whose values are read at random distances by statements of one
/// nest.
fn random_steps(choices: &mut Choices) -> String {
    let n_arrays = 1 + choices.below(2);
    let mut body = String::new();
    for own in 0..n_arrays {
        let terms: Vec<String> = (0..1 + choices.below(3))
            .map(|_| {
                let read = choices.below(n_arrays);
                let back = choices.between(0, 2);
                let aside = match back {
                    0 if read < own => choices.between(-2, 0),
                    0 => choices.between(-2, -1),
                    _ => choices.between(-2, 2),
                };
                let weight = choices.between(1, 7);
                format!("0.0{weight} * a{read}[t - {back}][i + {aside}]")
            })
            .collect();
        body += &format!("      a{own}[t][i] = {};\n", terms.join(" + "));
    }
    let each = |text: &dyn Fn(usize) -> String| (0..n_arrays).map(text).collect::<String>();
    let declared = each(&|k| format!("  double a{k}[m + 3][n + 4];\n"));
    let first = each(&|k| format!("      a{k}[t][i] = x[i % 64] + t + {k};\n"));
    let edges = each(&|k| {
        format!(
            "    a{k}[t][0] = t; a{k}[t][1] = 1; a{k}[t][n + 2] = {k}; a{k}[t][n + 3] = 2 * t;\n"
        )
    });
    let last = each(&|k| format!(" + a{k}[m + 2][i + 2]"));
    format!(
        "void f(int m, int n, double *restrict x, double *restrict y) {{\n{declared}#pragma scop\n  \
         for (int t = 0; t < 2; t++)\n    for (int i = 0; i < n + 4; i++) {{\n{first}    }}\n  \
         for (int t = 2; t < m + 3; t++) {{\n{edges}    for (int i = 2; i < n + 2; i++) {{\n{body}    }}\n  }}\n  \
         for (int i = 0; i < n; i++)\n    y[i] = 0{last};\n#pragma endscop\n}}"
    )
}

#[test]
fn random_steps_with_cells_print_what_they_did() {
    let mut choices = Choices::from_seed(seed(30));
    let sets: [&[(&str, Option<&str>)]; 4] = [
        &[("tile-sizes", Some("3"))],
        &[("target", Some("openmp")), ("tile-sizes", Some("4"))],
        &[("scheduler", Some("none"))],
        &[("scheduler", Some("feautrier")), ("target", Some("openmp"))],
    ];
    let mut n_contracted = 0;
    for round in 0..16 {
        let function = random_steps(&mut choices);
        let (name, set) = (format!("random-{round}"), sets[round % sets.len()]);
        let (_, report) = printing_the_same(Storage::Contract, &name, &function, set);
        n_contracted += usize::from(report.contains("share cells"));
    }
    assert!(n_contracted >= 10, "{n_contracted}");
}

/// A table whose edges, one or two elements thick, are set in loops of their own, and of which each element
/// is made of random ones above and before it.
fn random_table(choices: &mut Choices) -> String {
    let thick = choices.between(1, 2);
    let mut reads: Vec<String> = Vec::new();
    for _ in 0..choices.between(1, 4) {
        let (up, left) = (choices.between(0, thick), choices.between(0, thick));
        if up + left > 0 {
            reads.push(format!("a[t - {up}][i - {left}]"));
        }
    }
    reads.push("x[i - 1]".to_string());
    let mut edges = [
        format!(
            "for (int t = 0; t <= m; t++) for (int e = 0; e < {thick}; e++) a[t][e] = t * 0.5 + e;"
        ),
        format!(
            "for (int i = {thick}; i <= n; i++) for (int e = 0; e < {thick}; e++) a[e][i] = x[i - 1] - e;"
        ),
    ];
    if choices.percent(50) {
        edges.reverse();
    }
    format!(
        "void f(int m, int n, double *restrict x, double *restrict y) {{\n#pragma scop\n  double a[m + 2][n + 2];\n  {}\n  {}\n\
         for (int t = {thick}; t <= m; t++) for (int i = {thick}; i <= n; i++)\n    a[t][i] = ({}) * 0.25;\n  y[0] = a[m][n];\n\
         #pragma endscop\n}}",
        edges[0],
        edges[1],
        reads.join(" + ")
    )
}

#[test]
fn random_tables_with_rows_or_columns_print_what_they_did() {
    let mut choices = Choices::from_seed(seed(31));
    let (mut n_contracted, mut n_by_sizes) = (0, 0);
    for round in 0..12 {
        let function = random_table(&mut choices);
        let set: &[(&str, Option<&str>)] = match round % 3 {
            0 => &[],
            1 => &[("target", Some("openmp")), ("tile-sizes", Some("4"))],
            _ => &[("scheduler", Some("none"))],
        };
        let name = format!("table-{round}");
        let (_, report) = printing_the_same(Storage::Contract, &name, &function, set);
        assert!(!report.contains("not proved"), "{function}\n{report}");
        n_contracted += usize::from(report.contains("share cells"));
        n_by_sizes += usize::from(report.contains("note: where "));
    }
    assert!(n_contracted >= 10 && n_by_sizes >= 5, "{n_contracted} {n_by_sizes}");
}

/// Steps in memory that the function allocates, with values from before the region and for after it.
const ALLOCATED: &str = "#include <stdlib.h>
void f(int m, int n, double *restrict x, double *restrict y) {
  double (*a)[n] = malloc(sizeof(double) * n * (m + 1));
  for (int i = 0; i < n; i++)
    a[0][i] = x[i];
#pragma scop
  for (int t = 1; t <= m; t++)
    for (int i = 0; i < n; i++)
      a[t][i] = i == 0 || i == n - 1 ? a[t - 1][i] : (a[t - 1][i - 1] + a[t - 1][i] + a[t - 1][i + 1]) * 0.25;
#pragma endscop
  for (int i = 0; i < n; i++)
    y[i] = a[m][i];
  free(a);
}";

#[test]
fn values_from_before_and_for_after_the_region_are_kept() {
    let region = looked_at("allocated", ALLOCATED);
    let array = region.arrays.iter().find(|array| array.name == "a").unwrap();
    let reason = array.kept_because.as_deref();
    assert_eq!(reason, Some("some of its values are used after the region"), "{region}");
    for (name, set) in [
        ("allocated", &[][..]),
        ("allocated-tiles", &[("tile-sizes", Some("4"))][..]),
        ("allocated-threads", &[("target", Some("openmp")), ("tile-sizes", Some("4"))]),
        ("allocated-order", &[("scheduler", Some("none"))]),
    ] {
        let text = contracted(name, ALLOCATED, set);
        assert!(text.contains("% 2]") || text.contains("& 1]"), "{text}");
        assert!(text.contains("a[m]["), "{text}");
    }
}

const ROWS: &str = "void f(int m, int n, double *restrict x, double *restrict y) {
  double t[n], s = 0;
  for (int i = 0; i < n; i++) t[i] = y[i] = 0;
#pragma scop
  for (int k = 0; k < m; k++) {
    for (int i = 0; i < n; i++)
      t[i] = x[i] * k;
    for (int i = 0; i < n; i++) {
      s = t[n - 1 - i] + t[i];
      y[i] += s * s;
    }
  }
#pragma endscop
  y[0] += AFTER;
}";

#[test]
fn arrays_have_copies_per_iteration() {
    for (name, set) in [
        ("rows", &[][..]),
        ("rows-threads", &[("target", Some("openmp")), ("tile-sizes", Some("4"))][..]),
        ("rows-order", &[("scheduler", Some("none"))]),
    ] {
        let (text, report) =
            printing_the_same(Storage::Expand, name, &ROWS.replace("AFTER", "1"), set);
        assert!(
            text.contains("double (*t_copies)[") && text.contains("__builtin_free(t_copies);"),
            "{text}"
        );
        assert!(text.contains("double (*s_copies)["), "{text}");
        assert!(!text.contains("t_back"), "{text}");
        assert!(
            report.contains("proved: every value of an array with copies is read in its copy"),
            "{report}"
        );
        let note =
            "`t` has a copy per iteration of the outermost loop: t_copies[m][n]; m*n in place of n";
        assert!(report.contains(note), "{report}");
    }
}

#[test]
fn the_last_copies_are_copied_back() {
    for (name, after) in [("back", "t[n / 2]"), ("back-both", "t[n - 1] + s")] {
        let (text, report) =
            printing_the_same(Storage::Expand, name, &ROWS.replace("AFTER", after), &[]);
        assert!(text.contains("= t_copies["), "{text}");
        assert!(report.contains("the last values are copied back"), "{report}");
    }
}

#[test]
fn where_there_are_no_copies_the_report_says_why() {
    let carried = ROWS.replace("AFTER", "1").replace("t[i] = x[i] * k", "t[i] = t[i] + x[i] * k");
    let (text, report) = printing_the_same(Storage::Expand, "carried", &carried, &[]);
    assert!(!text.contains("t_copies"), "{text}");
    assert!(
        report.contains("`t` has no copies: values from before the region are read"),
        "{report}"
    );
}

/// The same steps in memory that the function allocates: the first rows are set before the region.
fn in_allocated_memory(function: &str) -> String {
    let declared = |line: &str| match line.trim().strip_prefix("double a") {
        Some(rest) if rest.contains("[m + 3]") => {
            let name = format!("a{}", rest.split('[').next().unwrap_or(""));
            format!("  double (*{name})[n + 4] = malloc(sizeof(double) * (m + 3) * (n + 4));")
        }
        _ => line.to_string(),
    };
    let lines: Vec<String> = function.lines().map(declared).collect();
    let text = lines.join("\n").replace("#pragma scop\n", "");
    let text = text.replacen("  for (int t = 2;", "#pragma scop\n  for (int t = 2;", 1);
    format!("#include <stdlib.h>\n{text}")
}

#[test]
fn random_steps_in_allocated_memory_print_what_they_did() {
    let mut choices = Choices::from_seed(seed(31));
    let sets: [&[(&str, Option<&str>)]; 3] = [
        &[("tile-sizes", Some("3"))],
        &[("target", Some("openmp")), ("tile-sizes", Some("4"))],
        &[("scheduler", Some("none"))],
    ];
    let mut n_contracted = 0;
    for round in 0..9 {
        let function = in_allocated_memory(&random_steps(&mut choices));
        let (name, set) = (format!("allocated-{round}"), sets[round % sets.len()]);
        let (_, report) = printing_the_same(Storage::Contract, &name, &function, set);
        n_contracted += usize::from(report.contains("share cells"));
    }
    assert!(n_contracted >= 5, "{n_contracted}");
}

/// Loops that hand on values in temporaries, in each iteration of a loop around them, some of which are used
/// afterwards.
fn random_temporaries(choices: &mut Choices) -> String {
    let n_arrays = 1 + choices.below(3);
    let mut body = String::new();
    for own in 0..n_arrays {
        let place = |choices: &mut Choices| ["i", "n - 1 - i", "0"][choices.below(3)];
        let terms: Vec<String> = (0..1 + choices.below(2))
            .map(|_| match own {
                0 => format!("x[{}] * k", place(choices)),
                _ => format!("0.5 * t{}[{}]", choices.below(own), place(choices)),
            })
            .collect();
        let value = terms.join(" + ");
        body += &match choices.below(2) {
            0 => format!("    for (int i = 0; i < n; i++)\n      t{own}[i] = {value};\n"),
            _ => format!(
                "    for (int i = 0; i < n; i++) {{\n      s = {value};\n      t{own}[i] = s - s * s;\n    }}\n"
            ),
        };
    }
    let declared: String = (0..n_arrays).map(|k| format!("  double t{k}[n];\n")).collect();
    let first: String =
        (0..n_arrays).map(|k| format!("  for (int i = 0; i < n; i++) t{k}[i] = 0;\n")).collect();
    let last = n_arrays - 1;
    let after = match choices.below(2) {
        0 => String::new(),
        _ => format!("  y[0] += t{}[n / 2] + s;\n", choices.below(n_arrays)),
    };
    format!(
        "void f(int m, int n, double *restrict x, double *restrict y) {{\n{declared}  double s = 0;\n{first}  \
         for (int i = 0; i < n; i++) y[i] = 0;\n#pragma scop\n  for (int k = 1; k < m; k++) {{\n{body}    \
         for (int i = 0; i < n; i++)\n      y[i] += t{last}[i];\n  }}\n#pragma endscop\n{after}}}"
    )
}

#[test]
fn random_temporaries_with_copies_print_what_they_did() {
    let mut choices = Choices::from_seed(seed(32));
    let mut n_expanded = 0;
    for round in 0..12 {
        let function = random_temporaries(&mut choices);
        let set = [("target", Some(if round % 2 == 0 { "c" } else { "openmp" }))];
        let (text, _) =
            printing_the_same(Storage::Expand, &format!("random-{round}"), &function, &set);
        n_expanded += usize::from(text.contains("_copies"));
    }
    assert!(n_expanded >= 8, "{n_expanded}");
}
