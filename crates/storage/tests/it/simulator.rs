//! Runs programs of uniform dependences in tiles, and looks whether every read finds its value. Nothing here
//! comes from the crate: cells are found by walking along the vector.
use loopwright_testkit::Choices;
use std::collections::{BTreeMap, BTreeSet};

/// A point of the loops.
pub(crate) type Point = Vec<i64>;

/// A program of statements in one body of loops, executed for each point of a box.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// The number of iterations of each loop.
    pub(crate) sizes: Vec<i64>,
    /// What each statement reads, in the order of the body.
    pub(crate) statements: Vec<Vec<Read>>,
}

/// A read of the value that a statement has written some iterations before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) producer: usize,
    pub(crate) distance: Point,
}

/// How the loops are executed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TileOrder {
    Lexicographic,
    /// Tiles that wait for no other one, at random.
    Random,
    /// By the sum of their coordinates, backwards within a sum.
    Wavefront,
}

fn points(sizes: &[i64]) -> Vec<Point> {
    sizes.iter().fold(vec![Vec::new()], |points, &size| {
        let longer = |point: Point| (0..size).map(move |i| [point.clone(), vec![i]].concat());
        points.into_iter().flat_map(longer).collect()
    })
}

/// The points of each tile, in an order of tiles.
fn tiles(sizes: &[i64], tile: &[i64], order: TileOrder, choices: &mut Choices) -> Vec<Vec<Point>> {
    let mut tiles: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
    for point in points(sizes) {
        let coordinates = point.iter().zip(tile).map(|(x, size)| x.div_euclid(*size)).collect();
        tiles.entry(coordinates).or_default().push(point);
    }
    let mut left: Vec<(Point, Vec<Point>)> = tiles.into_iter().collect();
    match order {
        TileOrder::Lexicographic => {}
        TileOrder::Wavefront => {
            left.sort_by_key(|(at, _)| (at.iter().sum::<i64>(), std::cmp::Reverse(at.clone())));
        }
        TileOrder::Random => {
            let mut ordered = Vec::new();
            while !left.is_empty() {
                let waits = |at: &Point, other: &Point| {
                    at != other && other.iter().zip(at).all(|(a, b)| a <= b)
                };
                let free: Vec<usize> = (0..left.len())
                    .filter(|&k| !left.iter().any(|(other, _)| waits(&left[k].0, other)))
                    .collect();
                let next = free[choices.below(free.len())];
                ordered.push(left.remove(next));
            }
            left = ordered;
        }
    }
    left.into_iter().map(|(_, points)| points).collect()
}

/// The point of the line through `point` along `vector` that stands for its cell.
fn representative(point: &[i64], vector: &[i64]) -> Point {
    let Some(at) = vector.iter().position(|component| *component != 0) else {
        return point.to_vec();
    };
    let steps = point[at].div_euclid(vector[at]);
    point.iter().zip(vector).map(|(x, u)| x - steps * u).collect()
}

impl Program {
    /// Whether every read finds the value of its producer, with a vector for each statement.
    pub(crate) fn is_right(
        &self,
        vectors: &[Point],
        tile: &[i64],
        order: TileOrder,
        choices: &mut Choices,
    ) -> bool {
        let mut cells: BTreeMap<(usize, Point), Point> = BTreeMap::new();
        let cell = |statement: usize, point: &[i64]| {
            (statement, representative(point, &vectors[statement]))
        };
        for point in tiles(&self.sizes, tile, order, choices).into_iter().flatten() {
            for (statement, reads) in self.statements.iter().enumerate() {
                for read in reads {
                    let source: Point =
                        point.iter().zip(&read.distance).map(|(x, d)| x - d).collect();
                    let is_inside =
                        source.iter().zip(&self.sizes).all(|(x, n)| (0..*n).contains(x));
                    if is_inside && cells.get(&cell(read.producer, &source)) != Some(&source) {
                        return false;
                    }
                }
                cells.insert(cell(statement, &point), point.clone());
            }
        }
        true
    }

    /// Whether that is so for all sizes of tiles up to `largest`, and some orders of tiles for each.
    pub(crate) fn is_right_in_tiles(
        &self,
        vectors: &[Point],
        largest: i64,
        choices: &mut Choices,
    ) -> bool {
        let orders = [TileOrder::Lexicographic, TileOrder::Wavefront, TileOrder::Random];
        points(&vec![largest; self.sizes.len()]).iter().all(|tile| {
            let tile: Point = tile.iter().map(|size| size + 1).collect();
            orders.iter().all(|order| self.is_right(vectors, &tile, *order, choices))
        })
    }

    /// The number of cells of a statement.
    pub(crate) fn n_cells(&self, vector: &[i64]) -> usize {
        let cells = points(&self.sizes).into_iter().map(|point| representative(&point, vector));
        cells.collect::<BTreeSet<_>>().len()
    }
}
