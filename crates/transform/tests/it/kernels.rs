//! What becomes of typical kernels. The trees are what a scheduler finds; every result is proved
//! to respect the dependences by the verifier, which shares no code with the transformation.
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, Set, UnionSet};
use loopwright_schedule::{Band, LoopKind, LoopMark, Node, ScheduleTree};
use loopwright_scop::Scop;
use loopwright_transform::{Decision, Optimised, Options, TileSizes, optimise};
use loopwright_verify::{check_parallel_loops, check_schedule};

struct Kernel {
    scop: Scop,
    dependences: Dependences,
    tree: ScheduleTree,
}

impl Kernel {
    /// `region` in a function with `arguments`, scheduled by `child` (YAML below the domain).
    fn new(arguments: &str, region: &str, child: &str) -> Kernel {
        let text = format!(
            "void f({arguments}) {{\nint i, j, k, t;\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        let regions = SourceFile::from_text("test.c", &text).extract().unwrap();
        let scop = regions.into_iter().next().unwrap().scop;
        let budget = Budget::unlimited();
        let dependences = Dependences::of_scop(&scop, &budget).unwrap();
        let executed = scop.statements.iter().filter(|s| !s.is_kill);
        let domain = executed.fold(UnionSet::empty(), |union, statement| {
            union.union(&UnionSet::from_set(statement.domain.clone())).unwrap()
        });
        let tree = format!("{{ domain: \"{{}}\", child: {child} }}");
        let tree = ScheduleTree { domain, ..ScheduleTree::parse(&tree).unwrap() };
        Kernel { scop, dependences, tree }
    }

    fn optimise(&self, tile_sizes: TileSizes) -> Optimised {
        self.optimise_for(tile_sizes, Machine::generic())
    }

    fn optimise_for(&self, tile_sizes: TileSizes, machine: Machine) -> Optimised {
        let (parallel, register_tiles) = (true, true);
        let options =
            Options { tile_sizes, parallel, register_tiles, machine, ..Options::default() };
        self.optimise_with(&options)
    }

    fn optimise_with(&self, options: &Options) -> Optimised {
        let budget = Budget::unlimited();
        let result = optimise(&self.tree, &self.scop, &self.dependences, options, &budget).unwrap();
        assert_eq!(result.tree.check(&budget).unwrap(), Vec::<String>::new());
        let legal = check_schedule(&self.scop, &self.dependences, &result.tree, &budget).unwrap();
        assert!(legal.is_proved(), "{legal:?}\n{}", result.tree);
        let parallel = check_parallel_loops(&self.scop, &self.dependences, &result.tree, &budget);
        assert!(parallel.as_ref().unwrap().is_proved(), "{parallel:?}\n{}", result.tree);
        result
    }
}

/// The loop marks from the root, each with the depth of its loop.
fn marks(tree: &ScheduleTree) -> Vec<(LoopKind, usize)> {
    fn collect(node: &Node, depth: usize, marks: &mut Vec<(LoopKind, usize)>) {
        let depth_below = match node {
            Node::Band(band, _) => depth + band.n_members(),
            Node::Mark(name, _) => {
                marks.extend(LoopMark::parse(name).map(|mark| (mark.kind, depth)));
                depth
            }
            _ => depth,
        };
        node.children().iter().for_each(|child| collect(child, depth_below, marks));
    }
    let mut found = Vec::new();
    collect(&tree.root, 0, &mut found);
    found
}

const MATMUL: &str = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)
    for (k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];";
const MATMUL_ARGUMENTS: &str = "int n, double C[n][n], double A[n][n], double B[n][n]";
const MATMUL_BAND: &str = r#"{ schedule: "[{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(j)] },
    { S0[i, j, k] -> [(k)] }]", permutable: 1, coincident: [1, 1, 0] }"#;

#[test]
fn matrix_multiplication_is_tiled_with_unit_stride_inside() {
    let kernel = Kernel::new(MATMUL_ARGUMENTS, MATMUL, MATMUL_BAND);
    let result = kernel.optimise(TileSizes::Default);
    let band = &result.report.bands[0];
    assert_eq!(band.order, [2, 0, 1], "j runs innermost");
    assert_eq!(marks(&result.tree), [(LoopKind::Parallel, 0), (LoopKind::Vector, 7)]);
}

/// Registers for the results, two vectors that are read and a scalar; tiles for the caches are
/// multiples.
#[test]
fn results_stay_in_as_many_registers_as_there_are() {
    let kernel = Kernel::new(MATMUL_ARGUMENTS, MATMUL, MATMUL_BAND);
    for (registers, bytes, tile, sizes) in
        [(16, 32, "6 x 8", [48, 128, 64]), (32, 64, "8 x 24", [64, 384, 64])]
    {
        let machine =
            Machine { vector_registers: registers, vector_bytes: bytes, ..Machine::generic() };
        let band = &kernel.optimise_for(TileSizes::Default, machine).report.bands[0];
        let decisions: Vec<String> = band.decisions.iter().map(ToString::to_string).collect();
        assert!(decisions.contains(&format!("results in registers: tiles of {tile}")));
        assert_eq!(band.tile_sizes, sizes);
    }
    let machine = Machine { vector_registers: 4, ..Machine::generic() };
    let band = &kernel.optimise_for(TileSizes::Default, machine.clone()).report.bands[0];
    let modelled = &kernel.optimise_for(TileSizes::Footprint, machine).report.bands[0];
    assert_eq!((&band.order[..], &band.tile_sizes), (&[0, 2, 1][..], &modelled.tile_sizes));
    assert_ne!(band.tile_sizes, [32, 256, 32], "sizes of the model, not the fixed ones");
}

/// With two vectors that are read there are intermediate results, which need registers as well.
#[test]
fn two_vector_operands_leave_room_for_intermediate_results() {
    let region = "for (i = 0; i < n; i++) for (j = 0; j < n; j++)
        for (k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j] + B[i][k] * A[k][j];";
    let kernel = Kernel::new(MATMUL_ARGUMENTS, region, MATMUL_BAND);
    for (vector_registers, vector_bytes, tile) in [(16, 32, "4 x 8"), (32, 64, "6 x 24")] {
        let machine = Machine { vector_registers, vector_bytes, ..Machine::generic() };
        let band = &kernel.optimise_for(TileSizes::Default, machine).report.bands[0];
        let expected = format!("results in registers: tiles of {tile}");
        let decisions: Vec<String> = band.decisions.iter().map(ToString::to_string).collect();
        assert!(decisions.contains(&expected), "{decisions:?}");
    }
}

/// With panels the operand of the outer loops takes 5/16 of the second level cache at most, and tiles of rows
/// are multiples of those of columns. The last loop over tiles is a band of its own, so that panels can be
/// filled above it.
#[test]
fn tiles_for_packed_operands_suit_the_second_level_cache() {
    let kernel = Kernel::new(MATMUL_ARGUMENTS, MATMUL, MATMUL_BAND);
    for (l2_bytes, cores, sizes) in [
        (2 << 20, 2, [192, 96, 384]),
        (2 << 20, 1, [192, 96, 384]),
        (2 << 20, 64, [96, 96, 512]),
        (1 << 20, 2, [96, 96, 384]),
        (256 << 10, 2, [96, 96, 64]),
        (0, 1, [96, 96, 64]),
    ] {
        let (vector_registers, vector_bytes) = (32, 64);
        let generic = Machine::generic();
        let machine = Machine { vector_registers, vector_bytes, l2_bytes, cores, ..generic };
        let (parallel, register_tiles, panels) = (true, true, true);
        let options = Options { parallel, register_tiles, panels, machine, ..Options::default() };
        let result = kernel.optimise_with(&options);
        assert_eq!(result.report.bands[0].tile_sizes, sizes, "{l2_bytes} {cores}");
        let widths = band_widths(&result.tree);
        assert_eq!(widths[..3], [1, 1, 1], "{}", result.tree);
    }
}

/// The numbers of members of the bands, from the root.
fn band_widths(tree: &ScheduleTree) -> Vec<usize> {
    let mut widths = Vec::new();
    tree.root.for_each(&mut |node| {
        if let Node::Band(band, _) = node {
            widths.push(band.n_members());
        }
    });
    widths
}

/// A copy of a transposed matrix runs in small tiles; not if it stays in the cache, or goes along the rows.
#[test]
fn transposed_copies_run_in_small_tiles() {
    let band = r#"{ schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]", permutable: 1,
        coincident: [1, 1] }"#;
    let arguments = "int n, double C[n][n], double A[n][n]";
    let small = "double C[100][100], double A[100][100]";
    for (arguments, end, read, sizes) in [
        (arguments, "n", "A[j][i]", vec![32, 32]),
        (arguments, "n", "A[i][j]", vec![]),
        (small, "100", "A[j][i]", vec![]),
    ] {
        let region =
            format!("for (i = 0; i < {end}; i++) for (j = 0; j < {end}; j++) C[i][j] = {read};");
        let result = Kernel::new(arguments, &region, band).optimise(TileSizes::Default);
        assert_eq!(result.report.bands[0].tile_sizes, sizes, "{region}");
    }
}

/// Tiles of registers must not be cut by the tiles that the user wants.
#[test]
fn register_tiles_fit_into_given_sizes() {
    let kernel = Kernel::new(MATMUL_ARGUMENTS, MATMUL, MATMUL_BAND);
    for (sizes, tile) in [(vec![32], Some("4 x 8")), (vec![7], None), (vec![1], None)] {
        let band = &kernel.optimise(TileSizes::Given(sizes.clone())).report.bands[0];
        let text = tile.map(|tile| format!("results in registers: tiles of {tile}"));
        let mut tiles =
            band.decisions.iter().filter(|d| matches!(d, Decision::RegisterTiles { .. }));
        assert_eq!(tiles.next().map(ToString::to_string), text, "{sizes:?}");
    }
}

/// Only tiles without points outside of the domain are isolated: here those above the diagonal.
#[test]
fn full_tiles_of_a_triangle_are_isolated() {
    let kernel = Kernel::new(
        MATMUL_ARGUMENTS,
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++)
           for (k = i; k < n; k++) C[i][j] += A[i][k] * B[k][j];",
        MATMUL_BAND,
    );
    let result = kernel.optimise(TileSizes::Default);
    let mut isolated = Vec::new();
    result.tree.root.for_each(&mut |node| {
        if let Node::Band(Band { isolate: Some(set), .. }, _) = node {
            isolated.push(set.clone());
        }
    });
    // What is known of the tiles of columns, of those of rows, and along the sum.
    let expected = [
        "[n] -> { [[a, b, c] -> [j]] : j + 8 <= n }",
        "[n] -> { [[a, b, c, j] -> [i]] : j + 8 <= n and i + 6 <= n }",
        "[n] -> { [[a, b, c, j, i] -> [k]] : j + 8 <= n and i + 6 <= n and k >= i + 5 }",
    ];
    let budget = Budget::unlimited();
    assert_eq!(isolated.len(), expected.len());
    for (found, expected) in isolated.iter().zip(expected) {
        assert!(found.is_equal(&Set::parse(expected).unwrap(), &budget).unwrap(), "{found}");
    }
}

#[test]
fn sizes_are_the_users() {
    let kernel = Kernel::new(MATMUL_ARGUMENTS, MATMUL, MATMUL_BAND);
    let given = kernel.optimise(TileSizes::Given(vec![8, 4]));
    assert_eq!(given.report.bands[0].tile_sizes, [8, 4, 4]);
    let none = kernel.optimise(TileSizes::None);
    assert!(none.report.bands[0].tile_sizes.is_empty());
    assert_eq!(marks(&none.tree), [(LoopKind::Parallel, 0), (LoopKind::Vector, 2)]);
    let options = Options { tile_sizes: TileSizes::Given(vec![0]), ..Options::default() };
    let budget = Budget::unlimited();
    let refused = optimise(&kernel.tree, &kernel.scop, &kernel.dependences, &options, &budget);
    assert!(refused.is_err());
}

#[test]
fn an_exhausted_budget_leaves_steps_out() {
    let kernel = Kernel::new(MATMUL_ARGUMENTS, MATMUL, MATMUL_BAND);
    let options = Options { parallel: true, ..Options::default() };
    let budget = Budget::steps(0);
    let result =
        optimise(&kernel.tree, &kernel.scop, &kernel.dependences, &options, &budget).unwrap();
    let budget = Budget::unlimited();
    let parallel = check_parallel_loops(&kernel.scop, &kernel.dependences, &result.tree, &budget);
    assert!(parallel.unwrap().is_proved(), "only what is proved is marked");
}

#[test]
fn sequential_code_has_no_parallel_loops() {
    let kernel = Kernel::new(MATMUL_ARGUMENTS, MATMUL, MATMUL_BAND);
    let (options, budget) = (Options::default(), Budget::unlimited());
    let result = optimise(&kernel.tree, &kernel.scop, &kernel.dependences, &options, &budget);
    assert_eq!(marks(&result.unwrap().tree), [(LoopKind::Vector, 5)]);
}

#[test]
fn streams_are_not_tiled() {
    let kernel = Kernel::new(
        "int n, double A[n][n], double B[n][n]",
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) A[j][i] = B[j][i];",
        r#"{ schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]", permutable: 1,
             coincident: [1, 1] }"#,
    );
    let result = kernel.optimise(TileSizes::Default);
    assert!(result.report.bands[0].tile_sizes.is_empty());
    assert_eq!(result.report.bands[0].order, [1, 0], "rows are walked along");
    assert_eq!(marks(&result.tree), [(LoopKind::Parallel, 0), (LoopKind::Vector, 1)]);
}

#[test]
fn small_loops_stay_sequential() {
    let kernel = Kernel::new(
        "double A[20][20]",
        "for (i = 0; i < 20; i++) for (j = 0; j < 20; j++) A[i][j] = 0;",
        r#"{ schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]", permutable: 1,
             coincident: [1, 1] }"#,
    );
    let result = kernel.optimise(TileSizes::Default);
    assert_eq!(marks(&result.tree), [(LoopKind::Vector, 1)]);
}

#[test]
fn the_only_parallel_loop_runs_in_chunks_outside_and_in_vectors_inside() {
    let kernel = Kernel::new(
        "int n, double x[n], double A[n][n]",
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) x[i] += A[j][i];",
        r#"{ schedule: "[{ S0[i, j] -> [(i)] }, { S0[i, j] -> [(j)] }]", permutable: 1,
             coincident: [1, 0] }"#,
    );
    let result = kernel.optimise(TileSizes::Default);
    assert_eq!(result.report.bands[0].order, [1, 0]);
    assert_eq!(marks(&result.tree), [(LoopKind::Parallel, 0), (LoopKind::Vector, 2)]);
}

#[test]
fn loops_with_one_special_iteration_are_split_there() {
    let kernel = Kernel::new(
        "int n, double P[n][n]",
        "for (k = 0; k < n; k++) for (i = 0; i < n; i++) for (j = 0; j < n; j++)
           P[i][j] = P[i][j] < P[i][k] + P[k][j] ? P[i][j] : P[i][k] + P[k][j];",
        r#"{ schedule: "[{ S0[k, i, j] -> [(k)] }]", child: {
             schedule: "[{ S0[k, i, j] -> [(i)] }, { S0[k, i, j] -> [(j)] }]", permutable: 1 } }"#,
    );
    let result = kernel.optimise(TileSizes::None);
    let (parallel, vector) = ((LoopKind::Parallel, 1), (LoopKind::Vector, 2));
    let rows = [parallel, vector, vector];
    assert_eq!(marks(&result.tree), [&rows[..], &rows[1..], &rows[..]].concat());
    // Two special iterations: nothing is independent after one split.
    let kernel = Kernel::new(
        "int n, double a[n]",
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[j] = a[j] + a[i] + a[n - 1 - i];",
        r#"{ schedule: "[{ S0[i, j] -> [(i)] }]", child: { schedule: "[{ S0[i, j] -> [(j)] }]" } }"#,
    );
    assert_eq!(marks(&kernel.optimise(TileSizes::None).tree), []);
}

#[test]
fn stencils_run_in_diagonals_of_tiles_with_split_vector_loops() {
    let kernel = Kernel::new(
        "int n, int m, double A[n][n], double B[n][n]",
        "for (t = 0; t < m; t++) {
           for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++)
             B[i][j] = A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i - 1][j] + A[i + 1][j];
           for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++)
             A[i][j] = B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i - 1][j] + B[i + 1][j];
         }",
        r#"{ schedule: "[{ S0[t, i, j] -> [(t)]; S1[t, i, j] -> [(t)] },
             { S0[t, i, j] -> [(2t + i)]; S1[t, i, j] -> [(1 + 2t + i)] },
             { S0[t, i, j] -> [(2t + j)]; S1[t, i, j] -> [(1 + 2t + j)] }]", permutable: 1,
             child: { set: [ { filter: "{ S0[t, i, j] }" }, { filter: "{ S1[t, i, j] }" } ] } }"#,
    );
    let result = kernel.optimise(TileSizes::Default);
    let vector = (LoopKind::Vector, 6);
    assert_eq!(marks(&result.tree), [(LoopKind::Parallel, 1), vector, vector]);
}

#[test]
fn tiles_that_wait_for_each_other_run_as_pipelines() {
    let kernel = Kernel::new(
        "int n, int m, double A[n][n]",
        "for (t = 0; t < m; t++) for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++)
           A[i][j] = A[i - 1][j] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j];",
        r#"{ schedule: "[{ S0[t, i, j] -> [(t)] }, { S0[t, i, j] -> [(t + i)] },
             { S0[t, i, j] -> [(t + j)] }]", permutable: 1 }"#,
    );
    let first_mark = |point_to_point| {
        let options = Options { parallel: true, point_to_point, ..Options::default() };
        marks(&kernel.optimise_with(&options).tree)[0]
    };
    assert_eq!(first_mark(true), (LoopKind::Pipelined, 0));
    assert_eq!(first_mark(false), (LoopKind::Parallel, 1));
}

#[test]
fn rows_of_updates_in_place_advance_in_step() {
    let kernel = Kernel::new(
        "int n, int m, double A[n][n]",
        "for (t = 0; t < m; t++) for (i = 1; i < n - 1; i++) for (j = 1; j < n - 1; j++)
           A[i][j] = (A[i - 1][j + 1] + A[i][j - 1] + A[i][j] + A[i][j + 1] + A[i + 1][j - 1]) / 5;",
        r#"{ schedule: "[{ S0[t, i, j] -> [(t)] }, { S0[t, i, j] -> [(t + i)] },
             { S0[t, i, j] -> [(2t + i + j)] }]", permutable: 1 }"#,
    );
    for sizes in [TileSizes::Default, TileSizes::None, TileSizes::Given(vec![3])] {
        let result = kernel.optimise(sizes);
        let decisions = format!("{}", result.report);
        assert!(decisions.contains("rows advance in step"), "{decisions}");
        assert!(!decisions.contains("concurrent"), "{decisions}");
    }
}

#[test]
fn shallow_statements_leave_the_nest() {
    let kernel = Kernel::new(
        MATMUL_ARGUMENTS,
        "for (i = 0; i < n; i++) for (j = 0; j < n; j++) {
           C[i][j] = 0;
           for (k = 0; k < n; k++) C[i][j] += A[i][k] * B[k][j];
         }",
        r#"{ schedule: "[{ S0[i, j] -> [(i)]; S1[i, j, k] -> [(i)] },
             { S0[i, j] -> [(j)]; S1[i, j, k] -> [(j)] },
             { S0[i, j] -> [(0)]; S1[i, j, k] -> [(k)] }]", permutable: 1, coincident: [1, 1, 0],
             child: { sequence: [ { filter: "{ S0[i, j] }" }, { filter: "{ S1[i, j, k] }" } ] } }"#,
    );
    let result = kernel.optimise(TileSizes::Default);
    assert!(matches!(result.tree.root, Node::Sequence(_)));
    let statements: Vec<_> = result.report.bands.iter().map(|b| b.statements.join(" ")).collect();
    assert_eq!(statements, ["S0", "S1"]);
    assert_eq!(result.report.bands[1].tile_sizes, [48, 128, 64]);
}

#[test]
fn dependent_statements_stay_together() {
    let kernel = Kernel::new(
        "int n, double x[n], double L[n][n]",
        "for (i = 0; i < n; i++) {
           for (j = 0; j < i; j++) x[i] -= L[i][j] * x[j];
           x[i] = x[i] / L[i][i];
         }",
        r#"{ schedule: "[{ S0[i, j] -> [(i)]; S1[i] -> [(i)] },
             { S0[i, j] -> [(j)]; S1[i] -> [(i)] }]", permutable: 1,
             child: { sequence: [ { filter: "{ S0[i, j] }" }, { filter: "{ S1[i] }" } ] } }"#,
    );
    let result = kernel.optimise(TileSizes::Default);
    assert_eq!(result.report.bands.len(), 1);
    assert!(matches!(result.tree.root, Node::Band(..)), "the outer loop stays around both");
    assert!(marks(&result.tree).iter().all(|&(kind, _)| kind == LoopKind::Vector));
}

#[test]
fn scalars_are_private_to_parallel_iterations() {
    let kernel = Kernel::new(
        "int n, double s, double A[n][n], double x[n]",
        "for (i = 0; i < n; i++) {
           s = 0;
           for (j = 0; j < n; j++) s += A[i][j];
           x[i] = s;
         }",
        r#"{ schedule: "[{ S0[i] -> [(i)]; S1[i, j] -> [(i)]; S2[i] -> [(i)] }]",
             permutable: 1, coincident: [1],
             child: { sequence: [
               { filter: "{ S0[i] }" },
               { filter: "{ S1[i, j] }", child: { schedule: "[{ S1[i, j] -> [(j)] }]" } },
               { filter: "{ S2[i] }" } ] } }"#,
    );
    let result = kernel.optimise(TileSizes::Default);
    let text = result.tree.to_string();
    assert!(text.contains("parallel private("), "{text}");
}
