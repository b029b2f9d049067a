//! Stencils over periodic domains are tiled by cutting statements in halves, and do the same as before.

use crate::support::{compile, run_c, scratch};
use loopwright::{CompileOptions, compile_file};
use loopwright_astgen::generate;
use loopwright_backend::Target;
use loopwright_presburger::{Budget, MultiUnionPwAff};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scheduler::{Options, ScheduleConstraints, schedule};
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seeds;
use loopwright_transform::TileSizes;
use std::path::PathBuf;

/// "Polyhedral AST generation is more than scanning polyhedra", figure 11, with `2n` elements.
const FIGURE_11: &str = "\
for (int t = 0; t < T; t++) for (int i = 0; i < 2 * n; i += 1)
A[(t + 1) % 2][i] = A[t % 2][wrap(i + 1, 2 * n)] + A[t % 2][wrap(i - 1, 2 * n)];";
/// The ends as statements of their own.
const GUARDS: &str = "\
for (int t = 0; t < T; t++) for (int i = 0; i < n; i++)
if (i == 0) A[(t + 1) % 2][i] = A[t % 2][i + 1] - 2 * A[t % 2][n - 1];
else if (i == n - 1) A[(t + 1) % 2][i] = A[t % 2][0] - 2 * A[t % 2][i - 1];
else A[(t + 1) % 2][i] = A[t % 2][i + 1] - 2 * A[t % 2][i - 1];";
/// The ends are copied to further elements.
const COPIES: &str = "\
for (int t = 0; t < T; t++) {
for (int i = 0; i < n; i++) x[i + 1] = y[i + 1] + 3 * y[i];
x[0] = x[n];
for (int i = 0; i < n; i++) y[i] = x[i] - x[i + 1];
y[n] = y[0]; }";
/// Periodic in both dimensions.
const PLANE: &str = "\
for (int t = 0; t < T; t++) for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)
B[(t + 1) % 2][i][j] = B[t % 2][i][j] + B[t % 2][wrap(i + 1, n)][j] - B[t % 2][wrap(i - 1, n)][j]
+ 5 * B[t % 2][i][j == m - 1 ? 0 : j + 1] - 2 * B[t % 2][i][wrap(j - 1, m)];";

/// A program around a region; it prints all elements for several sizes.
fn program(region: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         #define wrap(a, b) ((a) < 0 ? (a) + (b) : (a) >= (b) ? (a) - (b) : (a))\n\
         static unsigned A[2][60], B[2][30][30], x[60], y[60];\n\
         static void kernel(int T, int n, int m)\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n\
         int main(void)\n{{\n\
         for (int i = 0; i < 60; i++) {{ x[i] = i * i % 7; y[i] = i % 5; A[0][i] = i % 11; A[1][i] = i; }}\n\
         for (int k = 0; k < 2; k++) for (int i = 0; i < 30; i++) for (int j = 0; j < 30; j++)\n\
         B[k][i][j] = (i * j + k) % 19;\n\
         int sizes[][3] = {{ {{1, 4, 5}}, {{7, 2, 3}}, {{9, 11, 8}}, {{17, 12, 9}}, {{23, 25, 27}} }};\n\
         for (int k = 0; k < 5; k++) {{ kernel(sizes[k][0], sizes[k][1], sizes[k][2]);\n\
         for (int i = 0; i < 60; i++) printf(\"%u %u %u %u\\n\", A[0][i], A[1][i], x[i], y[i]);\n\
         for (int i = 0; i < 1800; i++) printf(\"%u\\n\", ((unsigned *) B)[i]); }}\n\
         return 0;\n}}\n"
    )
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = scratch("index_sets").join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the folder for tests can be written");
    path
}

fn splitting() -> Options {
    Options { split_index_sets: true, ..Options::tiling() }
}

fn tiled(sizes: &[i64], target: Target) -> CompileOptions {
    let tile_sizes = TileSizes::Given(sizes.to_vec());
    CompileOptions { target, tile_sizes, scheduling: splitting(), ..CompileOptions::new() }
}

/// The outcome of a program before and after compilation has to be the same.
fn check(name: &str, text: &str, options: &CompileOptions) {
    let folder = scratch("index_sets");
    let (code, _) = compile(&file(name, text), options).expect("it compiles, and is proved");
    let before = run_c(text, &folder, &format!("{name}_before")).expect("it is C");
    let after = run_c(&code, &folder, &format!("{name}_after")).expect("it is C");
    assert_eq!(before, after, "{name} with {options:?}\n{code}");
}

/// The number of tiled members of the first band, with and without cuts.
fn tiled_members(name: &str, text: &str) -> [usize; 2] {
    [true, false].map(|split_index_sets| {
        let scheduling = Options { split_index_sets, ..splitting() };
        let options = CompileOptions { scheduling, ..tiled(&[4], Target::C) };
        let compiled = compile_file(&file(name, text), &options).expect("it compiles");
        compiled.report.regions[0].bands.bands[0].tile_sizes.len()
    })
}

#[test]
fn periodic_stencils_are_tiled_and_do_the_same() {
    for (name, region, members) in [
        ("figure_11", FIGURE_11, [2, 0]),
        ("guards", GUARDS, [2, 0]),
        ("copies", COPIES, [2, 0]),
        ("plane", PLANE, [3, 0]),
    ] {
        let text = program(region);
        assert_eq!(tiled_members(name, &text), members, "{name}");
        for options in [tiled(&[4], Target::C), tiled(&[3, 5, 2], Target::OpenMp)] {
            check(name, &text, &options);
        }
    }
}

#[test]
fn what_is_not_tiled_is_not_cut() {
    let tile_sizes = TileSizes::None;
    let always_rewrite = true;
    let scheduling = splitting();
    let options =
        CompileOptions { tile_sizes, scheduling, always_rewrite, ..CompileOptions::new() };
    let path = file("not_tiled", &program(FIGURE_11));
    let code = compile_file(&path, &options).expect("it compiles").code;
    assert!(code.contains("for (long c1 = 0; c1 < 2 * (long) n; c1++)"), "{code}");
}

/// With the skewing taken back, the loops are those of figure 12.
#[test]
fn the_loops_of_figure_12() {
    let inside = "0 <= t < T - 1 and 0 <= i < 2N";
    let relation = format!(
        "S[t, i] -> S[t + 1, i + 1] : {inside} and i < 2N - 1; S[t, i] -> S[t + 1, i + 1 - 2N] : \
         {inside} and i = 2N - 1; S[t, i] -> S[t + 1, i - 1] : {inside} and i > 0; \
         S[t, i] -> S[t + 1, i - 1 + 2N] : {inside} and i = 0"
    );
    let text = format!(
        "domain: \"[T, N] -> {{ S[t, i] : 0 <= t < T and 0 <= i < 2N }}\"\n\
         validity: \"[T, N] -> {{ {relation} }}\"\nproximity: \"[T, N] -> {{ {relation} }}\"\n"
    );
    let constraints = ScheduleConstraints::parse(&text).expect("constraints");
    let budget = Budget::unlimited();
    let tree = schedule(&constraints, &splitting(), &budget).expect("a schedule").tree;
    let Node::Band(band, child) = &tree.root else { panic!("no band:\n{tree}") };
    assert!(band.permutable && band.n_members() == 2);
    let skewing = MultiUnionPwAff::parse("[{ S[t, i] -> [(0)] }, { S[t, i] -> [(-t)] }]").unwrap();
    let plain = Node::Band(band.shift(&skewing).unwrap(), child.clone());
    let plain = ScheduleTree { domain: tree.domain.clone(), root: plain };
    let options = loopwright_astgen::Options::STANDARD;
    let ast = generate(&plain, &constraints.context, &options, &budget).expect("loops").to_string();
    let expected = "for (int c0 = 0; c0 < T; c0 += 1)\n  for (int c1 = 0; c1 < N; c1 += 1) {\n    \
                    S(c0, c1);\n    S(c0, 2 * N - c1 - 1);\n  }\n";
    assert_eq!(ast, expected);
}

/// Stencils with random neighbours, periodic by conditional subscripts.
#[test]
fn random_periodic_stencils_do_the_same() {
    for seed in seeds(0, 6) {
        let choices = &mut Choices::from_seed(seed);
        let terms = (0..1 + choices.below(3)).map(|_| {
            let (di, dj) = (choices.between(-2, 2), choices.between(-2, 2));
            let factor = choices.between(1, 5);
            format!("+ {factor} * B[t % 2][wrap(i + {di}, n)][wrap(j + {dj}, m)]")
        });
        let region = format!(
            "for (int t = 0; t < T; t++) for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)\n\
             B[(t + 1) % 2][i][j] = B[t % 2][i][j] {};",
            terms.collect::<Vec<_>>().join(" ")
        );
        let target = if seed % 2 == 0 { Target::C } else { Target::OpenMp };
        check(&format!("random_{seed}"), &program(&region), &tiled(&[5, 3, 4], target));
    }
}
