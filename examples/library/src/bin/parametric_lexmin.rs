//! The first iteration with a property, as a function of what is not known yet: parametric integer
//! programming.
//!
//! Which is the first element of a block of 32 that lies on a grid of distance `k = 5`, and which blocks have
//! none below `n`?
use loopwright_presburger::{Budget, Map, PwMultiAff, Result, Set};

/// The same by looking at every element.
fn by_search(block: i64, n: i64) -> Option<i64> {
    (32 * block..32 * block + 32).find(|element| element % 5 == 0 && (0..n).contains(element))
}

fn main() -> Result<()> {
    let budget = Budget::steps(1_000_000);
    let elements = Map::parse(
        "[n] -> { Block[b] -> [i] : 0 <= b and 32b <= i < 32b + 32 and 0 <= i < n and i mod 5 = 0 }",
    )?;

    // A relation from each block to its first element, and the same as a function in pieces.
    let first = elements.lexmin(&budget)?;
    let function: PwMultiAff = elements.lexmin_pw_multi_aff(&budget)?;
    println!("{function}");

    for n in [0, 1, 31, 33, 36, 100] {
        for block in 0..5 {
            let text = format!("[n] -> {{ Block[{block}] : n = {n} }}");
            let images = first.intersect_domain(&Set::parse(&text)?)?.range();
            let points = images.points(2, &budget)?;
            // A point has the parameter first, then the element.
            let found: Vec<i64> = points.iter().filter_map(|point| point[1].to_i64()).collect();
            assert_eq!(found, Vec::from_iter(by_search(block, n)), "block {block}, n = {n}");
        }
    }
    Ok(())
}

#[test]
fn the_function_is_that_of_a_search() {
    main().unwrap();
}
