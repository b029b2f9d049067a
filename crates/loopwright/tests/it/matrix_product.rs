//! The matrix product of "Scheduling for PPCG" from C: its tree, its band, and the tiles of it.

use crate::support::scratch;
use loopwright::{CompileOptions, Emit, Scheduler, compile_file};
use loopwright_backend::Target;
use loopwright_presburger::{Budget, Int};
use loopwright_schedule::{Node, ScheduleTree, TileLoops};
use loopwright_scheduler::{Options, ScheduleConstraints, schedule};
use loopwright_transform::TileSizes;

/// Listing 4.
const PROGRAM: &str = "\
void product(int M, int N, int K, double A[M][K], double B[K][N], double C[M][N])
{
#pragma scop
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      C[i][j] = 0;
      for (int k = 0; k < K; k++)
        C[i][j] = C[i][j] + A[i][k] * B[k][j];
    }
#pragma endscop
}
";

fn emitted(name: &str, options: &CompileOptions, stage: Emit) -> String {
    let path = scratch("matrix_product").join(format!("{name}.c"));
    std::fs::write(&path, PROGRAM).expect("the folder for tests can be written");
    compile_file(&path, options).and_then(|compiled| compiled.emit(stage)).expect("it compiles")
}

/// A tree of the two statements.
fn tree(child: &str) -> ScheduleTree {
    let domain = "[M, N, K] -> { S0[i, j] : 0 <= i < M and 0 <= j < N; \
                  S1[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }";
    let text = format!("{{ domain: '{domain}', child: {{ {child} }} }}");
    ScheduleTree::parse(&text).expect("the expected tree is well-formed")
}

/// T-03 (figure 5): a band for each loop, and a sequence of the two statements in the inner one.
#[test]
fn t_03_the_tree_of_the_program() {
    let options = CompileOptions {
        scheduler: Scheduler::None,
        tile_sizes: TileSizes::None,
        target: Target::C,
        ..CompileOptions::new()
    };
    let found = ScheduleTree::parse(&emitted("t_03", &options, Emit::Schedule)).expect("a tree");
    let expected = tree(
        "schedule: '[{ S0[i, j] -> [(i)]; S1[i, j, k] -> [(i)] }]', child: { \
         schedule: '[{ S0[i, j] -> [(j)]; S1[i, j, k] -> [(j)] }]', child: { sequence: [ \
         { filter: '{ S0[i, j] }' }, \
         { filter: '{ S1[i, j, k] }', child: { schedule: '[{ S1[i, j, k] -> [(k)] }]' } } ] } }",
    );
    let budget = Budget::steps(10_000_000);
    assert!(found.is_equal(&expected, &budget).expect("within the budget"), "{found}");
}

/// T-04 (listings 6 and 7): one band of three members, of which two are coincident; its tiles of 32
/// run in the order of listing 7: tile by tile, the rows of a tile, and in each the initialization
/// before the updates.
#[test]
fn t_04_tiles_of_the_band() {
    let constraints = emitted("t_04", &CompileOptions::new(), Emit::Constraints);
    let constraints = ScheduleConstraints::parse(&constraints).expect("constraints");
    let budget = Budget::steps(100_000_000);
    let scheduled = schedule(&constraints, &Options::tiling(), &budget).expect("a schedule").tree;
    let Node::Band(band, _) = &scheduled.root else { panic!("{scheduled}") };
    let coincident: Vec<bool> = band.members.iter().map(|member| member.coincident).collect();
    assert_eq!((band.permutable, coincident), (true, vec![true, true, false]));

    let tiled = scheduled.edit_band(&[], |band| {
        let sizes = [32, 32, 32].map(Int::from);
        let (tiles, points) = band.tile(&sizes, TileLoops::Scaled)?;
        Ok(vec![tiles, points])
    });
    let listing_7 = tree(
        "schedule: '[{ S0[i, j] -> [(floor(i/32))]; S1[i, j, k] -> [(floor(i/32))] }, \
           { S0[i, j] -> [(floor(j/32))]; S1[i, j, k] -> [(floor(j/32))] }, \
           { S0[i, j] -> [(0)]; S1[i, j, k] -> [(floor(k/32))] }, \
           { S0[i, j] -> [(i)]; S1[i, j, k] -> [(i)] }, \
           { S0[i, j] -> [(j)]; S1[i, j, k] -> [(j)] }, \
           { S0[i, j] -> [(0)]; S1[i, j, k] -> [(1)] }, \
           { S0[i, j] -> [(0)]; S1[i, j, k] -> [(k)] }]'",
    );
    let tiled = tiled.expect("the band can be tiled");
    assert!(tiled.has_equal_order(&listing_7, &budget).expect("within the budget"), "{tiled}");
}
