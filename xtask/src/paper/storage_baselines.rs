//! Numbers of cells by the methods of the literature, for one statement in two permutable loops.
use loopwright_presburger::{Budget, Int, Map, Set};
use loopwright_storage::{Allocation, successive_moduli, values_at_one_time};
use std::fmt::Write;

/// Iterations of both loops.
const N: i64 = 1000;

/// Iterations of a tile along both loops.
const TILE: i64 = 32;

/// Tiles that run at one time.
const THREADS: i64 = 2;

/// An example: its name, its distances, and its vectors for all schedules, for tiles, and for the order of
/// the loops.
pub(super) struct Example<'a> {
    pub(super) name: &'a str,
    pub(super) distances: &'a [[i64; 2]],
    pub(super) vectors: [Option<&'a [Int]>; 3],
}

/// The table of all methods.
pub(super) fn table(examples: &[Example<'_>]) -> Result<String, String> {
    let mut text = format!(
        "## The methods of the literature\n\nCells of the same examples for {N} by {N} iterations. *Expanded*: an element for each value. *All schedules*: the shortest vector \
         for every order (Strout, Carter, Ferrante and Simon, ASPLOS 1998). *Tiles*: for tiles of all sizes (Yuki and Rajopadhye). *In order*: one vector for \
         lexicographic order. *Successive moduli*: the method of Lefebvre and Feautrier, also in this order, where tiles would read wrong values. *Arrays per tile*, for \
         tiles of {TILE} by {TILE} on {THREADS} threads: a tile keeps its values in an array of its own, and those that other tiles read in faces, which share cells by the \
         vector (1, 1) of the tiles. That depends on the size of the tiles, and values are copied between both.\n\n\
         | example | expanded | all schedules | tiles | in order | successive moduli | arrays per tile |\n|:--|--:|--:|--:|--:|--:|--:|\n"
    );
    for example in examples {
        let mut row = vec![(N * N).to_string()];
        for vector in example.vectors {
            row.push(vector.map_or(Ok("—".to_string()), cells)?);
        }
        row.push(in_order(example.distances)?);
        row.push(per_tile(example.distances).to_string());
        let _ = writeln!(text, "| {} | {} |", example.name, row.join(" | "));
    }
    Ok(text)
}

fn in_words(error: impl ToString) -> String {
    error.to_string()
}

/// The number of cells along a vector.
fn cells(vector: &[Int]) -> Result<String, String> {
    let Some(allocation) = Allocation::along(vector) else { return Ok("0".to_string()) };
    let points = Set::parse(&format!("{{ [i, j] : 0 <= i < {N} and 0 <= j < {N} }}"));
    let counted = allocation.n_cells(&points.map_err(in_words)?, &Budget::unlimited());
    let counted = counted.map_err(in_words)?.eval(&[], &Budget::unlimited()).map_err(in_words)?;
    Ok(counted.to_string())
}

/// The product of the moduli for the order of the loops.
fn in_order(distances: &[[i64; 2]]) -> Result<String, String> {
    let inside = format!("0 <= i < {N} and 0 <= j < {N}");
    let own = Map::parse(&format!("{{ S[i, j] -> [i, j] : {inside} }}")).map_err(in_words)?;
    let reads = distances.iter().map(|[a, b]| {
        format!("S[i, j] -> [i + {a}, j + {b}] : {inside} and i + {a} < {N} and j + {b} < {N}")
    });
    let reads = Map::parse(&format!("{{ {} }}", reads.collect::<Vec<_>>().join("; ")));
    let budget = Budget::unlimited();
    let together = values_at_one_time(&own, &reads.map_err(in_words)?, &budget);
    let moduli = successive_moduli(&together.map_err(in_words)?, &budget).map_err(in_words)?;
    let mut product = 1;
    for modulus in moduli {
        let value = modulus.and_then(|modulus| match modulus.pieces() {
            [] => Some(1),
            pieces => pieces[0].1.constant_value()?.ceil().to_i64(),
        });
        let Some(value) = value else { return Ok("—".to_string()) };
        product *= value;
    }
    Ok(product.to_string())
}

/// The arrays of the tiles that run at one time, and the faces of all tiles along a diagonal.
fn per_tile(distances: &[[i64; 2]]) -> i64 {
    let is_read_outside =
        |i: i64, j: i64| distances.iter().any(|[a, b]| i + a >= TILE || j + b >= TILE);
    let points = (0..TILE).flat_map(|i| (0..TILE).map(move |j| (i, j)));
    let face = points.filter(|&(i, j)| is_read_outside(i, j)).count() as i64;
    let tiles_along = (N + TILE - 1) / TILE;
    THREADS * TILE * TILE + (2 * tiles_along - 1) * face
}
