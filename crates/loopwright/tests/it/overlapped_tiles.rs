//! Overlapped tiles in text: the programs compute bit for bit what they compute without, for sizes that tiles
//! do not divide, with fewer and more threads; and where there are no such tiles the reason is said.
use crate::support::{compile, first_difference, prints_the_same, run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seed;
use std::path::PathBuf;

/// A region and its two arrays.
struct Stencil {
    name: &'static str,
    /// The parameters of the function that contains it, which come after `T` and `n`.
    arrays: &'static str,
    region: &'static str,
    /// Time steps and extents of blocks.
    sizes: &'static str,
    /// Data sizes to run.
    extents: &'static str,
}

const STENCILS: [Stencil; 11] = [
    Stencil {
        name: "planes",
        arrays: "double A[2][n], double B[n]",
        region: "for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++)
            A[t % 2][i] = (A[(t - 1) % 2][i - 1] + 2 * A[(t - 1) % 2][i] + A[(t - 1) % 2][i + 1]) / 4;",
        sizes: "4,16",
        extents: "1, 2, 3, 17, 64, 101",
    },
    Stencil {
        name: "copy",
        arrays: "double A[n], double B[n]",
        region: "for (int t = 0; t < T; t++) {
            for (int i = 1; i < n - 1; i++) B[i] = (A[i - 1] + 2 * A[i] + A[i + 1]) / 4;
            for (int i = 1; i < n - 1; i++) A[i] = B[i]; }",
        sizes: "5,7",
        extents: "1, 2, 3, 17, 64, 101",
    },
    Stencil {
        name: "sweeps",
        arrays: "double A[n], double B[n]",
        region: "for (int t = 0; t < T; t++) {
            for (int i = 1; i < n - 1; i++) B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
            for (int i = 1; i < n - 1; i++) A[i] = 0.33 * (B[i - 1] + B[i] + B[i + 1]); }",
        sizes: "3,16",
        extents: "1, 2, 3, 17, 64, 101",
    },
    Stencil {
        name: "wide",
        arrays: "double A[2][n], double B[n]",
        region: "for (int t = 1; t <= T; t++) for (int i = 3; i < n - 3; i++)
            A[t % 2][i] = A[(t - 1) % 2][i - 3] / 3 + A[(t - 1) % 2][i] / 5 + A[(t - 1) % 2][i + 2] / 7;",
        sizes: "2,8",
        extents: "1, 6, 7, 17, 64, 101",
    },
    Stencil {
        name: "waves",
        arrays: "double A[n], double B[n]",
        region: "for (int t = 0; t < T; t++) {
            for (int i = 1; i < n; i++) A[i] = A[i] - 0.5 * (B[i] - B[i - 1]);
            for (int i = 0; i < n - 1; i++) B[i] = B[i] - 0.7 * (A[i + 1] - A[i]); }",
        sizes: "4,16",
        extents: "1, 2, 3, 17, 64, 101",
    },
    // Borders have fewer loops: they are instances with one value of the coordinate that is missing.
    Stencil {
        name: "ends",
        arrays: "double A[n], double B[n]",
        region: "for (int t = 0; t < T; t++) {
            A[0] = t * 0.5;
            for (int i = 1; i < n - 1; i++) B[i] = 0.33 * (A[i - 1] + A[i] + A[i + 1]);
            for (int i = 1; i < n - 1; i++) A[i] = 0.33 * (B[i - 1] + B[i] + B[i + 1]);
            B[n - 1] = A[n - 1] - t; }",
        sizes: "3,16",
        extents: "1, 2, 3, 17, 64, 101",
    },
    Stencil {
        name: "edge",
        arrays: "double A[n][n], double B[n][n]",
        region: "for (int t = 0; t < T; t++) {
            for (int j = 0; j < n; j++) A[0][j] = t;
            for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = A[i][j] - 0.5 * (B[i][j] - B[i - 1][j]);
            for (int i = 0; i < n - 1; i++) for (int j = 0; j < n - 1; j++)
                B[i][j] = B[i][j] - 0.7 * (A[i][j + 1] - A[i][j] + A[i + 1][j] - A[i][j]); }",
        sizes: "2,5,8",
        extents: "1, 3, 9, 22",
    },
    Stencil {
        name: "star",
        arrays: "double A[2][n][n], double B[n][n]",
        region: "for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
            A[t % 2][i][j] = (A[(t - 1) % 2][i - 1][j] + A[(t - 1) % 2][i + 1][j] + A[(t - 1) % 2][i][j]
                + A[(t - 1) % 2][i][j - 1] + A[(t - 1) % 2][i][j + 1]) / 5;",
        sizes: "3,4,8",
        extents: "1, 3, 9, 22",
    },
    Stencil {
        name: "box",
        arrays: "double A[n][n], double B[n][n]",
        region: "for (int t = 0; t < T; t++) {
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
                B[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1]
                    + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9;
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) A[i][j] = B[i][j]; }",
        sizes: "2,5,8",
        extents: "1, 3, 9, 22",
    },
    Stencil {
        name: "cube",
        arrays: "double A[2][n][n][n], double B[n][n][n]",
        region: "for (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)
            for (int k = 1; k < n - 1; k++)
            A[t % 2][i][j][k] = (A[(t - 1) % 2][i - 1][j][k] + A[(t - 1) % 2][i + 1][j][k] + A[(t - 1) % 2][i][j][k]
                + A[(t - 1) % 2][i][j - 1][k] + A[(t - 1) % 2][i][j + 1][k]
                + A[(t - 1) % 2][i][j][k - 1] + A[(t - 1) % 2][i][j][k + 1]) / 7;",
        sizes: "2,3,4,5",
        extents: "1, 3, 7, 12",
    },
    Stencil {
        name: "heat",
        arrays: "double A[n][n][n], double B[n][n][n]",
        region: "for (int t = 0; t < T; t++) {
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
                B[i][j][k] = A[i][j][k] + 0.1 * (A[i - 1][j][k] + A[i + 1][j][k]) + 0.2 * (A[i][j - 1][k]
                    + A[i][j + 1][k]) + 0.3 * (A[i][j][k - 1] + A[i][j][k + 1]);
            for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 1; k < n - 1; k++)
                A[i][j][k] = B[i][j][k] / 2; }",
        sizes: "2,4",
        extents: "1, 3, 7, 12",
    },
];

impl Stencil {
    /// A program that prints a number made of all bits of both arrays, for each number of threads and steps
    /// and each size.
    fn program(&self) -> String {
        let Stencil { arrays, region, extents, .. } = self;
        format!(
            "#include <omp.h>\n#include <stdio.h>\n#include <string.h>\n\
             static double memory[2][1 << 14];\n\
             static void kernel(int T, int n, {arrays})\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n\
             int main(void)\n{{\n\
             int threads[] = {{1, 2, 5}}, sizes[] = {{{extents}}};\n\
             for (int p = 0; p < 3; p++) for (int T = 0; T < 12; T++)\n\
             for (unsigned s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {{\n\
             omp_set_num_threads(threads[p]);\n\
             for (int a = 0; a < 2; a++) for (int i = 0; i < 1 << 14; i++) memory[a][i] = (i * 37 + a) % 101 / 7.0;\n\
             kernel(T, sizes[s], (void *) memory[0], (void *) memory[1]);\n\
             unsigned long all = 0, bits;\n\
             for (int a = 0; a < 2; a++) for (int i = 0; i < 1 << 14; i++) {{\n\
             memcpy(&bits, &memory[a][i], sizeof bits); all = (all ^ bits) * 1099511628211ul; }}\n\
             printf(\"%d %d %d %lx\\n\", threads[p], T, sizes[s], all); }}\n\
             return 0;\n}}\n"
        )
    }

    fn options(&self) -> CompileOptions {
        let mut options = CompileOptions::new();
        options.set("tiling", Some("overlapped")).expect("it is an option");
        options.set("tile-sizes", Some(self.sizes)).expect("it is an option");
        options
    }
}

fn named(name: &str) -> &'static Stencil {
    STENCILS.iter().find(|stencil| stencil.name == name).expect("there is one")
}

/// A border of fewer loops is a statement like others, for sizes for which the inside is there as well.
#[test]
fn borders_of_fewer_loops_are_checked_to_have_an_inside() {
    let (stencil, source) = (named("ends"), scratch("overlapped").join("ends_checked.c"));
    std::fs::write(&source, stencil.program()).expect("a temporary file can be written");
    let compiled = compile_file(&source, &stencil.options()).unwrap_or_else(|e| panic!("{e}"));
    let condition = "T >= 1 && n >= 3";
    assert!(compiled.code.contains(condition), "{}", compiled.code);
    let report = compiled.report.to_string();
    assert!(report.contains("for which each statement runs"), "{report}");
}

#[test]
fn overlapped_tiles_print_what_the_program_prints() {
    for stencil in &STENCILS {
        let folder = scratch("overlapped");
        let code = prints_the_same(&folder, stencil.name, &stencil.program(), &stencil.options());
        // One loop that threads share in the loop over bands, and one before and one behind for each second
        // buffer.
        let buffers = code.matches("__builtin_malloc").count();
        let shared = code.matches("#pragma omp parallel for").count();
        assert!((1..=1 + 2 * buffers).contains(&shared), "{}: {code}", stencil.name);
        for other in ["ordered", "barrier", "critical", "atomic", "pragma omp task"] {
            assert!(!code.contains(other), "{}: {code}", stencil.name);
        }
        assert!(code.contains("A_tile["), "{}: {code}", stencil.name);
    }
}

/// Where there is no memory for a second buffer the region runs as it was.
#[test]
fn without_memory_the_region_runs_as_it_was() {
    let (stencil, folder) = (named("planes"), scratch("overlapped"));
    let (program, path) = (stencil.program(), folder.join("no_memory_before.c"));
    std::fs::write(&path, &program).expect("a temporary file can be written");
    let (code, _) = compile(&path, &stencil.options()).unwrap_or_else(|fault| panic!("{fault}"));
    let without = format!(
        "static void *no_memory(unsigned long size) {{ return size ? 0 : 0; }}\n{}",
        code.replace("__builtin_malloc", "no_memory")
    );
    let plain = run_c(&program, &folder, "memory").unwrap_or_else(|fault| panic!("{fault}"));
    let other = run_c(&without, &folder, "no_memory").unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(first_difference(&plain, &other), None);
}

fn refused(name: &str, arrays: &str, region: &str, settings: &[(&str, &str)]) -> String {
    let path: PathBuf = scratch("overlapped").join(format!("{name}.c"));
    let text =
        format!("void f(int T, int n, {arrays}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
    std::fs::write(&path, text).expect("a temporary file can be written");
    let mut options = CompileOptions::new();
    for (name, value) in settings {
        options.set(name, Some(value)).expect("it is an option");
    }
    let compiled = compile_file(&path, &options).expect("the region stays as it was");
    compiled.refusals().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn regions_without_overlapped_tiles_are_refused_with_the_reason() {
    let overlapped = ("tiling", "overlapped");
    let in_place =
        "for (int t = 0; t < T; t++) for (int i = 1; i < n - 1; i++) A[i] = A[i - 1] + A[i + 1];";
    let said = refused("in_place", "double A[n]", in_place, &[overlapped]);
    assert!(said.contains("the region at line 2 has no overlapped tiles: values move"), "{said}");
    let large = refused(
        "large",
        named("planes").arrays,
        named("planes").region,
        &[overlapped, ("tile-sizes", "4,500000")],
    );
    assert!(large.contains("bytes of its own"), "{large}");
}

/// A loop over time around one to three statements that read some of three arrays around the element that
/// they write, in one or two dimensions.
fn random_region(choices: &mut Choices, dimensions: usize) -> String {
    let names = &["i", "j"][..dimensions];
    let most = if dimensions == 1 { 2 } else { 1 };
    let mut statements = String::new();
    for _ in 0..=choices.below(3) {
        let target = ["A", "B", "C"][choices.below(3)];
        let mut terms = Vec::new();
        for _ in 0..=choices.below(3) {
            let source = ["A", "B", "C"][choices.below(3)];
            let subscripts: String = names
                .iter()
                .map(|i| format!("[{i} + ({})]", choices.between(-most, most)))
                .collect();
            terms.push(format!("{source}{subscripts} / {}", 2 + choices.below(3)));
        }
        for i in names {
            let (first, last) = (2 + choices.below(2), 2 + choices.below(2));
            statements += &format!("for (int {i} = {first}; {i} < n - {last}; {i}++) ");
        }
        let here: String = names.iter().map(|i| format!("[{i}]")).collect();
        statements += &format!("{target}{here} = {};\n", terms.join(" + "));
    }
    format!("for (int t = 0; t < T; t++) {{\n{statements}}}")
}

/// Programs by chance compute what they compute without tiles; those that have none are refused.
#[test]
fn random_programs_in_overlapped_tiles() {
    let mut choices = Choices::from_seed(seed(20_130_121));
    let (mut functions, mut calls) = (String::new(), String::new());
    for number in 0..24 {
        let dimensions = 1 + usize::from(number % 3 == 2);
        let extents = "[n]".repeat(dimensions);
        let region = random_region(&mut choices, dimensions);
        functions += &format!(
            "static void f{number}(int T, int n, double A{extents}, double B{extents}, double C{extents})\n{{\n\
             #pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        calls += &format!("run(\"f{number}\", (kernel *) f{number});\n");
    }
    let text = format!(
        "#include <stdio.h>\n#include <string.h>\nstatic double memory[3][1 << 10];\n\
         typedef void kernel(int, int, void *, void *, void *);\n{functions}\
         static void run(const char *name, kernel *f)\n{{\n\
         for (int T = 0; T < 9; T++) for (int n = 1; n < 32; n += 5) {{\n\
         for (int a = 0; a < 3; a++) for (int i = 0; i < 1 << 10; i++) memory[a][i] = (i * 37 + 11 * a) % 101 / 7.0;\n\
         f(T, n, memory[0], memory[1], memory[2]);\n\
         unsigned long all = 0, bits;\n\
         for (int a = 0; a < 3; a++) for (int i = 0; i < 1 << 10; i++) {{\n\
         memcpy(&bits, &memory[a][i], sizeof bits); all = (all ^ bits) * 1099511628211ul; }}\n\
         printf(\"%s %d %d %lx\\n\", name, T, n, all); }}\n}}\n\
         int main(void)\n{{\n{calls}return 0;\n}}\n"
    );
    let folder = scratch("overlapped");
    let path = folder.join("random.c");
    std::fs::write(&path, &text).expect("a temporary file can be written");
    let mut options = CompileOptions::new();
    options.set("tiling", Some("overlapped")).expect("it is an option");
    options.set("tile-sizes", Some("3,6")).expect("it is an option");
    let compiled = compile_file(&path, &options).expect("it is C");
    let regions = &compiled.report.regions;
    for region in regions.iter().filter(|region| !region.is_left) {
        assert!(region.proofs.iter().all(|(_, proof)| proof.is_proved()), "{region}");
    }
    let tiled = regions.iter().filter(|region| !region.is_left).count();
    let reasons: Vec<String> = compiled.refusals().iter().map(ToString::to_string).collect();
    assert!(tiled >= 8, "{tiled} of {}: {reasons:?}", regions.len());
    let plain = run_c(&text, &folder, "random_before").unwrap_or_else(|fault| panic!("{fault}"));
    let after =
        run_c(&compiled.code, &folder, "random_after").unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(first_difference(&plain, &after), None, "{}", compiled.code);
}
