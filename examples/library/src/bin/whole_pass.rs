//! A whole pass, built by hand: C text, model, dependences, schedule, proofs, C text.
//!
//! `loopwright::compile_file` does all this and more; here each step is in the program's hands.
use loopwright_dataflow::Dependences;
use loopwright_library_examples::{budget, constraints, proved_text, region_of};
use loopwright_presburger::Result;
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scheduler::{Options, schedule};

const TEXT: &str = "\
void columns(int n, double a[restrict n][n])
{
#pragma scop
  for (int j = 0; j < n; j++)
    for (int i = 1; i < n; i++)
      a[i][j] += a[i - 1][j];
#pragma endscop
}
";

/// The tree with a mark before each band whose first loop carries no dependence.
fn with_parallel_loops(tree: ScheduleTree) -> ScheduleTree {
    let root = match tree.root {
        Node::Band(band, child) if band.n_outer_coincident() > 0 => {
            Node::mark("parallel", Node::Band(band, child))
        }
        other => other,
    };
    ScheduleTree { root, ..tree }
}

fn main() -> Result<()> {
    let region = region_of(TEXT);
    println!("{}", region.scop);

    let dependences = Dependences::of_scop(&region.scop, &budget())?;
    for flow in &dependences.flow {
        println!("flow: {}", flow.relation);
    }

    let constraints = constraints(&region, &dependences)?;
    let tree = schedule(&constraints, &Options::tiling(), &budget())?.tree;
    let tree = with_parallel_loops(tree);
    println!("{tree}");

    let result = proved_text(TEXT, &region, &dependences, &tree)?;
    println!("{result}");
    let expected = "\
void columns(int n, double a[restrict n][n])
{
  #pragma omp parallel for
  for (long c0 = 0; c0 < n; c0++) {
    for (long c1 = 1; c1 < n; c1++) {
      a[c1][c0] += a[c1 - 1][c0];
    }
  }
}
";
    assert_eq!(result, expected);
    Ok(())
}

#[test]
fn the_loop_over_columns_is_parallel() {
    main().unwrap();
}
