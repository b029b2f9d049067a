//! Code from a schedule that is built by the program: a transposition in tiles, with a parallel loop over
//! rows of tiles.
use loopwright_astgen::{Options, generate};
use loopwright_presburger::{Budget, Int, MultiUnionPwAff, Result, Set, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree, TileLoops};

fn main() -> Result<()> {
    let domain = UnionSet::parse("[n] -> { Copy[i, j] : 0 <= i < n and 0 <= j < n }")?;
    let context = Set::parse("[n] -> { : n >= 1 }")?;

    // The order is that of i and j; both loops may be exchanged, since no instance needs another one.
    let order = MultiUnionPwAff::parse("[{ Copy[i, j] -> [(i)] }, { Copy[i, j] -> [(j)] }]")?;
    let mut band = Band::new(order);
    band.permutable = true;

    // Tiles of 32 by 32, and a mark that the printer of the code sees.
    let (tiles, points) = band.tile(&[Int::from(32), Int::from(32)], TileLoops::Scaled)?;
    let root = Node::mark("parallel", Node::band(tiles, Node::band(points, Node::Leaf)));
    let tree = ScheduleTree { domain, root };

    let code = generate(&tree, &context, &Options::STANDARD, &Budget::steps(1_000_000))?;
    println!("{code}");
    let expected = "\
// parallel
for (int c0 = 0; c0 < n; c0 += 32)
  for (int c1 = 0; c1 < n; c1 += 32)
    for (int c2 = c0; c2 < min(n, c0 + 32); c2 += 1)
      for (int c3 = c1; c3 < min(n, c1 + 32); c3 += 1)
        Copy(c2, c3);
";
    assert_eq!(code.to_string(), expected);
    Ok(())
}

#[test]
fn the_code_is_in_tiles() {
    main().unwrap();
}
