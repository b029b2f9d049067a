//! Programs with directives of OpenMP whose values do not depend on threads: kernels with a region each, in
//! one file. Regions are accepted or refused as the table of directives says, and the program prints what it
//! printed.
#![allow(dead_code)] // each program of tests uses a part of this
use crate::project::{Project, is_there};
use crate::support::{binary_of, run_binary, scratch};
use loopwright::{CompileOptions, compile_file};
use std::path::Path;

/// A kernel: its body, where `@` begins and `$` ends the region, and whether the region is accepted.
type Kernel = (&'static str, bool);

/// Kernels that one thread calls.
const ALONE: &[Kernel] = &[
    ("@\n#pragma omp parallel for\nfor (int i = 0; i < N; i++) a[i] += i;\n$", true),
    (
        "@\n#pragma omp parallel for schedule(dynamic, 3) num_threads(3) if(n > 4)\nfor (int i = 0; i < n; i++) a[i] += i;\n$",
        true,
    ),
    (
        "@\n#pragma omp parallel for private(t) default(shared)\nfor (int i = 0; i < N; i++) { t = i * 2; a[i] += t; }\n$",
        true,
    ),
    (
        "@\n#pragma omp parallel for private(t)\nfor (int i = 0; i < N; i++) { t = i * 2; a[i] += t; }\n$\na[0] += t;",
        false,
    ),
    (
        "@\n#pragma omp parallel for lastprivate(t)\nfor (int i = 0; i < N; i++) { t = i * 2; a[i] += t; }\n$\na[0] += t;",
        true,
    ),
    (
        "@\n#pragma omp parallel for firstprivate(t)\nfor (int i = 0; i < N; i++) a[i] += t;\n$\na[0] += t;",
        true,
    ),
    (
        "@\n#pragma omp parallel for firstprivate(t)\nfor (int i = 0; i < N; i++) { t = i; a[i] += t; }\n$\na[0] += t;",
        false,
    ),
    (
        "@\n#pragma omp parallel for reduction(+: s)\nfor (int i = 0; i < N; i++) s += b[i];\n$\na[0] += s;",
        true,
    ),
    (
        "double d = 0.5;\n@\n#pragma omp parallel for reduction(+: d)\nfor (int i = 0; i < N; i++) d += b[i];\n$\na[0] += d;",
        true,
    ),
    (
        "@\n#pragma omp simd reduction(max: s)\nfor (int i = 0; i < N; i++) if (b[i] > s) s = b[i];\n$\na[0] += s;",
        true,
    ),
    (
        "int i, j;\n@\n#pragma omp parallel for collapse(2)\nfor (i = 0; i < 10; i++)\nfor (j = 0; j < 20; j++) a[20 * i + j] += i;\n$",
        true,
    ),
    (
        "int i = 7;\n@\n#pragma omp parallel for\nfor (i = 0; i < N; i++) a[i] += i;\n$\na[0] += i;",
        false,
    ),
    ("@\n#pragma omp parallel loop\nfor (int i = 0; i < N; i++) a[i] += i;\n$", true),
    ("@\n#pragma omp parallel for simd\nfor (int i = 0; i < N; i++) a[i] += i;\n$", true),
    ("@\n#pragma omp single\nfor (int i = 0; i < N; i++) a[i] += i;\n$", true),
    ("@\n#pragma omp master\nfor (int i = 0; i < N; i++) a[i] += i;\n$", true),
    ("@\n#pragma omp masked\nfor (int i = 0; i < N; i++) a[i] += i;\n$", true),
    ("@\n#pragma omp critical (name)\n{ for (int i = 0; i < N; i++) a[i] += i; }\n$", true),
    (
        "@\n#pragma omp parallel for\nfor (int i = 0; i < N; i++) {\n#pragma omp atomic\na[i % 7] += i; }\n$",
        true,
    ),
    (
        "@\nfor (int i = 0; i < N; i++) a[i] += i;\n#pragma omp barrier\nfor (int i = 0; i < N; i++) a[i] += 2;\n$",
        true,
    ),
    ("@\n#pragma omp for nowait\nfor (int i = 0; i < N; i++) a[i] += i;\n$", true),
    (
        "@\n#pragma omp parallel for ordered\nfor (int i = 0; i < N; i++) {\n#pragma omp ordered\na[0] = a[0] * 3 % 1000 + i; }\n$",
        true,
    ),
    (
        "#pragma omp parallel\n{\n#pragma omp for\nfor (int i = 0; i < N; i++) a[i] += i;\n}\n@\nfor (int i = 0; i < N; i++) a[i] += 1;\n$",
        true,
    ),
    (
        "#pragma omp parallel\n{\n@\n#pragma omp for\nfor (int i = 0; i < N; i++) a[i] += i;\n$\n}",
        false,
    ),
    (
        "#pragma omp parallel\n{\n@\n#pragma omp single\nfor (int i = 0; i < N; i++) a[i] += i;\n$\n}",
        false,
    ),
    (
        "#pragma omp parallel\n#pragma omp single\n{\n@\nfor (int i = 0; i < N; i++) a[i] += i;\n$\n}",
        false,
    ),
    ("#pragma omp parallel for\n@\nfor (int i = 0; i < N; i++) a[i] += i;\n$", false),
    (
        "#pragma omp parallel for\nfor (int j = 0; j < 4; j++) {\n@\nfor (int i = 0; i < 50; i++) a[50 * j + i] += i;\n$\n}",
        false,
    ),
    (
        "#pragma omp parallel sections\n{\n#pragma omp section\n{\n@\nfor (int i = 0; i < N; i++) a[i] += i;\n$\n}\n#pragma omp section\nb[0] += 1;\n}",
        false,
    ),
    (
        "#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task\n{\n@\nfor (int i = 0; i < N; i++) a[i] += i;\n$\n}\n#pragma omp taskwait\na[0] += a[5];\n}",
        false,
    ),
    (
        "@\n#pragma omp parallel for reduction(inscan, +: s)\nfor (int i = 0; i < N; i++) { s += b[i];\n#pragma omp scan inclusive(s)\na[i] += s; }\n$",
        false,
    ),
    ("@\n#pragma omp taskloop\nfor (int i = 0; i < N; i++) a[i] += i;\n$", false),
    ("@\n#pragma omp target map(tofrom: a)\nfor (int i = 0; i < N; i++) a[i] += i;\n$", false),
    ("@\nfor (int i = 0; i < N; i++) a[i] += own;\n$", false),
    ("@\nfor (int i = 0; i < N; i++) a[i] = counted(a[i]);\n$", false),
    ("@\n#pragma omp parallel for\nfor (int i = 0; i < N; i++) a[i] = doubled(a[i]);\n$", true),
    (
        "@\n#pragma omp parallel for linear(t: 2)\nfor (int i = 0; i < N; i++) { a[i] += t; t += 2; }\n$",
        false,
    ),
];

/// Kernels that a team calls.
const IN_A_TEAM: &[Kernel] = &[
    ("@\n#pragma omp for\nfor (int i = 0; i < N; i++) a[i] += i;\n$", false),
    ("@\n#pragma omp single\nfor (int i = 0; i < N; i++) a[i] += i;\n$", false),
    (
        "@\n#pragma omp master\nfor (int i = 0; i < N; i++) a[i] += i;\n$\n#pragma omp barrier",
        false,
    ),
    ("@\nfor (int i = 0; i < N; i++) {\n#pragma omp atomic\na[i] += 0 * i; }\n$", false),
    (
        "@\n#pragma omp sections\n{\n#pragma omp section\nfor (int i = 0; i < N; i++) a[i] += i;\n}\n$",
        false,
    ),
    (
        "int own_sum[N];\n@\nfor (int i = 0; i < N; i++) own_sum[i] = b[i] + i;\n$\n#pragma omp single\na[0] += own_sum[7];",
        true,
    ),
];

/// How directives are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    Line,
    Macro,
    Include,
    Strange,
}

impl Spelling {
    pub(crate) const ALL: [Spelling; 4] =
        [Spelling::Line, Spelling::Macro, Spelling::Include, Spelling::Strange];

    /// A line of a kernel; included files go to a folder.
    fn line(self, line: &str, folder: &Path) -> String {
        let Some(words) = line.strip_prefix("#pragma omp ") else { return line.to_string() };
        match self {
            Spelling::Line => line.to_string(),
            Spelling::Macro => format!("PRAGMA(omp {words})"),
            Spelling::Strange => format!("/* a\n comment */ %:pragma \\\n  omp {words}"),
            Spelling::Include => {
                let mut name = String::from("d_");
                name.extend(words.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }));
                let path = folder.join(format!("{name}.inc"));
                std::fs::write(path, format!("#pragma omp {words}\n")).unwrap();
                format!("#include \"{name}.inc\"")
            }
        }
    }
}

/// The program, with pragmas around its regions or without, and how many regions are accepted and refused.
fn program(spelling: Spelling, has_pragmas: bool, folder: &Path) -> (String, [usize; 2]) {
    let mut text = String::from(
        "#include <stdio.h>\nenum { N = 200 };\n#define PRAGMA(x) _Pragma(#x)\nstatic int a[N], b[N], own, count;\n\
         #pragma omp threadprivate(own)\n\
         static int counted(int x) {\n#pragma omp atomic\n  count++;\n  return x + 1;\n}\n\
         static int doubled(int x) { return 2 * x % 1000; }\n",
    );
    let mut calls = String::new();
    let mut counts = [0, 0];
    let kernels = [(ALONE, ""), (IN_A_TEAM, "#pragma omp parallel\n  ")];
    for (group, (kernels, call)) in kernels.iter().enumerate() {
        for (number, (body, accepted)) in kernels.iter().enumerate() {
            let name = format!("k{group}_{number}");
            text += &format!("static void {name}(int n) {{\n  int s = 1, t = 3;\n");
            for line in body.lines() {
                match line {
                    "@" if has_pragmas => text += "#pragma scop\n",
                    "$" if has_pragmas => text += "#pragma endscop\n",
                    "@" | "$" => {}
                    _ => text += &format!("{}\n", spelling.line(line, folder)),
                }
            }
            text += "  (void)s, (void)n;\n}\n";
            calls += &format!("  fill();\n{call}  {name}(N);\n  show(\"{name}\");\n");
            counts[usize::from(!accepted)] += 1;
        }
    }
    text += &format!(
        "static void fill(void) {{ own = 4; for (int i = 0; i < N; i++) {{ a[i] = i % 5; b[i] = i * 7 % 31; }} }}\n\
         static void show(const char *name) {{\n  unsigned sum = count;\n  for (int i = 0; i < N; i++) sum = sum * 31 + a[i];\n  \
         printf(\"%s %u\\n\", name, sum);\n}}\nint main(void) {{\n{calls}  return 0;\n}}\n"
    );
    (text, counts)
}

const THREADS: [u32; 3] = [1, 2, 5];

/// Compiles the program with directives in one spelling by the library; what the result prints is what the
/// program prints.
pub(crate) fn compare(spelling: Spelling, has_pragmas: bool) {
    let name = format!("directives_{spelling:?}_{has_pragmas}");
    let folder = scratch(&name);
    let (text, [accepted, refused]) = program(spelling, has_pragmas, &folder);
    let path = folder.join("program.c");
    std::fs::write(&path, &text).unwrap();
    let mut options =
        CompileOptions { always_rewrite: true, keep_going: true, ..CompileOptions::new() };
    options.front_end.autodetect = !has_pragmas;
    let compiled = compile_file(&path, &options).unwrap();
    if has_pragmas {
        let is_refused = |note: &String| note.starts_with("refused");
        let regions = compiled.report.regions.iter();
        let found = regions.filter(|region| !region.notes.iter().any(is_refused)).count();
        assert_eq!(found, accepted, "{spelling:?}: {refused} are refused\n{}", compiled.report);
    }
    let before = binary_of(&text, &folder, "before", "cc").unwrap();
    let after = binary_of(&compiled.code, &folder, "after", "cc")
        .unwrap_or_else(|fault| panic!("{fault}\n{}", compiled.code));
    let wanted = run_binary(&before, 1);
    assert_eq!(wanted.lines().count(), accepted + refused);
    for threads in THREADS {
        assert_eq!(run_binary(&before, threads), wanted, "the program depends on threads");
        assert_eq!(run_binary(&after, threads), wanted, "{spelling:?} {has_pragmas} {threads}");
    }
}

/// The same by the compiler wrapper.
pub(crate) fn compare_wrapped(spelling: Spelling, has_pragmas: bool) {
    if !is_there("gcc") {
        return;
    }
    let project = Project::new(&[]);
    let (text, _) = program(spelling, has_pragmas, project.path("x").parent().unwrap());
    std::fs::write(project.path("p.c"), &text).unwrap();
    let wrapper = project.wrapper();
    project.succeed("gcc -O2 -w -fopenmp p.c -o before");
    project.succeed(&format!("{wrapper} gcc -O2 -w -fopenmp p.c -o after"));
    let wanted = project.succeed("OMP_NUM_THREADS=1 ./before");
    for threads in THREADS {
        let found = project.succeed(&format!("OMP_NUM_THREADS={threads} ./after"));
        assert_eq!(found, wanted, "{spelling:?} {has_pragmas} {threads}");
    }
    let outcomes = project.outcomes();
    assert!(outcomes.iter().any(|(name, _)| name == "p.c"), "{outcomes:?}");
}
