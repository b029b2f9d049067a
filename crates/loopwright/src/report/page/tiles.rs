//! Pictures of tiles: each in its shape, and in another shade than those beside it.
//!
//! The instances are cells of a grid. A tile is the set of cells with equal values of all tile loops; what is
//! drawn is the outline of that set, whatever its form: rectangles, parallelograms, diamonds, or what is left
//! of them at the sides. Large tiles are drawn with a cell for some iterations, so that there are several of
//! them in the picture.
use crate::pipeline::region_result::RegionResult;
use crate::report::explained_schedule::{ScheduledLoop, loops_around};
use crate::report::page::frame::{Frame, Place};
use crate::report::page::markup::escape;
use crate::report::page::window::{place, values_text, window};
use loopwright_presburger::Int;
use loopwright_scop::Statement;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The values that parameters are tried with, times the iterations of a cell.
const VALUES: [i64; 5] = [100, 80, 200, 60, 400];

/// The widest picture, in cells.
const MAX_CELLS: i64 = 96;

/// The tiles along each dimension that are wanted in a picture.
const WANTED_TILES: i64 = 3;

/// The iterations along a dimension in which the size of tiles is looked for.
const LONGEST: i64 = 4096;

/// The shades, as classes of the page's style.
const SHADES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// The loops over tiles around a statement, outermost first: those before the first loop over
/// single iterations.
fn tile_loops(result: &RegionResult, statement: &Statement) -> Vec<ScheduledLoop> {
    let chain = loops_around(&result.tree, statement).into_iter().next().unwrap_or_default();
    chain.into_iter().take_while(|l| l.expression.contains("floor(")).collect()
}

/// The tiles of a statement; none if there are none along these dimensions.
pub(crate) fn tiles_figure(
    result: &RegionResult,
    statement: &Statement,
    y: Option<usize>,
    x: usize,
) -> Option<String> {
    let loops = tile_loops(result, statement);
    let drawn: Vec<usize> = y.into_iter().chain([x]).collect();
    let is_drawn = |l: &&ScheduledLoop| drawn.iter().any(|k| l.mentions(&statement.iterators[*k]));
    let loops: Vec<&ScheduledLoop> = loops.iter().filter(is_drawn).collect();
    if loops.is_empty() {
        return None;
    }
    let step = iterations_of_a_cell(result, statement, &drawn, &loops)?;
    let values = VALUES.map(|value| value * step);
    let window = window(result, statement, &drawn, &values, (MAX_CELLS, step))?;
    let places = window.points.iter().map(|point| place(point, y, x));
    let places: Vec<Place> = places.collect::<Option<_>>()?;
    let origin = (places.iter().map(|p| p.0).min()?, places.iter().map(|p| p.1).min()?);
    let mut tiles: BTreeMap<Place, Vec<Int>> = BTreeMap::new();
    for (point, (right, down)) in window.points.iter().zip(places) {
        let tile = loops.iter().map(|l| l.at(&window.parameters, point));
        let cell = ((right - origin.0) / step, (down - origin.1) / step);
        tiles.insert(cell, tile.collect::<Option<Vec<Int>>>()?);
    }
    let cells: Vec<Place> = tiles.keys().copied().collect();
    let frame = Frame::of(&cells, 5)?.with_steps(step, origin);
    let n_tiles = tiles.values().collect::<BTreeSet<_>>().len();
    let label = format!("{n_tiles} tiles of {}", statement.name);
    let (right, down) = (&statement.iterators[x], y.map(|y| &*statement.iterators[y]));
    let svg = frame.open(&label, right, down) + &paths(&tiles, &|corner| frame.corner(corner));
    let expressions: Vec<String> = loops.iter().map(|l| escape(&l.text())).collect();
    let values = values_text(statement, &window);
    let every = match step {
        1 => String::new(),
        step => format!(", drawn with a cell for every {step} iterations along each side"),
    };
    Some(format!(
        "<figure>{svg}</svg><figcaption>Tiles of <code>{}</code>{}: {n_tiles} in this part{every}, by the \
         loops <code>{}</code>.</figcaption></figure>\n",
        statement.name,
        escape(&values),
        expressions.join("; ")
    ))
}

/// For how many iterations a cell has to stand, so that some tiles along each dimension fit into the picture.
fn iterations_of_a_cell(
    result: &RegionResult,
    statement: &Statement,
    drawn: &[usize],
    loops: &[&ScheduledLoop],
) -> Option<i64> {
    let window = window(result, statement, drawn, &VALUES, (2, 1))?;
    let first = window.points.first()?;
    let tile_at = |dimension: usize, distance: i64| -> Option<Vec<Int>> {
        let mut point = first.clone();
        point[dimension] = &point[dimension] + &Int::from(distance);
        loops.iter().map(|l| l.at(&window.parameters, &point)).collect()
    };
    let mut longest = 1;
    for &dimension in drawn {
        let (mut known, mut since) = (tile_at(dimension, 0)?, None);
        for distance in 1..LONGEST {
            let tile = tile_at(dimension, distance)?;
            if tile == known {
                continue;
            }
            known = tile;
            // From the first change to the second one it is a whole tile, or a part of a diamond.
            if let Some(begin) = since {
                longest = longest.max(distance - begin);
                break;
            }
            since = Some(distance);
        }
    }
    Some((WANTED_TILES * longest + MAX_CELLS - 1) / MAX_CELLS)
}

/// One path per tile, in shades such that neighbours differ.
fn paths(tiles: &BTreeMap<Place, Vec<Int>>, corner: &dyn Fn(Place) -> (i64, i64)) -> String {
    let mut cells: BTreeMap<&Vec<Int>, BTreeSet<Place>> = BTreeMap::new();
    for (place, tile) in tiles {
        cells.entry(tile).or_default().insert(*place);
    }
    let shades = shades(tiles);
    let mut svg = String::new();
    for (tile, cells) in &cells {
        let shade = SHADES[shades.get(tile).copied().unwrap_or(0) % SHADES.len()];
        let mut path = String::new();
        for outline in outlines(cells) {
            for (position, &place) in outline.iter().enumerate() {
                let (right, down) = corner(place);
                let _ = write!(path, "{}{right} {down}", if position == 0 { "M" } else { "L" });
            }
            path.push('Z');
        }
        let _ = writeln!(svg, "<path class=\"tile {shade}\" d=\"{path}\"/>");
    }
    svg
}

/// A shade for each tile, such that tiles with cells beside each other have different ones: the first that no
/// neighbour has, in the order of rows.
fn shades(tiles: &BTreeMap<Place, Vec<Int>>) -> BTreeMap<&Vec<Int>, usize> {
    let mut neighbours: BTreeMap<&Vec<Int>, BTreeSet<&Vec<Int>>> = BTreeMap::new();
    let mut in_rows: Vec<(&Place, &Vec<Int>)> = tiles.iter().collect();
    in_rows.sort_by_key(|((right, down), _)| (*down, *right));
    for ((right, down), tile) in &in_rows {
        for beside in [(right + 1, *down), (*right, down + 1)] {
            if let Some(other) = tiles.get(&beside).filter(|other| other != tile) {
                neighbours.entry(tile).or_default().insert(other);
                neighbours.entry(other).or_default().insert(tile);
            }
        }
    }
    let mut shades: BTreeMap<&Vec<Int>, usize> = BTreeMap::new();
    for (_, tile) in in_rows {
        if shades.contains_key(tile) {
            continue;
        }
        let beside = neighbours.get(tile).into_iter().flatten();
        let taken: BTreeSet<usize> = beside.filter_map(|t| shades.get(t).copied()).collect();
        let free = (0..).find(|shade| !taken.contains(shade)).unwrap_or(0);
        shades.insert(tile, free);
    }
    shades
}

/// The closed lines around a set of cells, as the corners where they turn; a cell has its corner at the left
/// and top in its own place. The cells lie at the right hand of one who goes along.
fn outlines(cells: &BTreeSet<Place>) -> Vec<Vec<Place>> {
    let mut edges: BTreeMap<Place, Vec<Place>> = BTreeMap::new();
    for &(right, down) in cells {
        let corners = [(right, down), (right + 1, down), (right + 1, down + 1), (right, down + 1)];
        let beside = [(right, down - 1), (right + 1, down), (right, down + 1), (right - 1, down)];
        for side in 0..4 {
            if !cells.contains(&beside[side]) {
                edges.entry(corners[side]).or_default().push(corners[(side + 1) % 4]);
            }
        }
    }
    let mut found = Vec::new();
    while let Some(start) = edges.keys().next().copied() {
        let mut line: Vec<Place> = Vec::new();
        let mut at = start;
        loop {
            line.push(at);
            let Some(next) = edges.get_mut(&at).and_then(Vec::pop) else { break };
            if edges.get(&at).is_some_and(Vec::is_empty) {
                edges.remove(&at);
            }
            at = next;
            if at == start {
                break;
            }
        }
        found.push(turns(&line));
    }
    found
}

/// The corners of a closed line where it turns.
fn turns(line: &[Place]) -> Vec<Place> {
    let n = line.len();
    let is_turn = |position: &usize| {
        let (before, here, after) =
            (line[(position + n - 1) % n], line[*position], line[(position + 1) % n]);
        (here.0 - before.0, here.1 - before.1) != (after.0 - here.0, after.1 - here.1)
    };
    (0..n).filter(is_turn).map(|position| line[position]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A grid of 24 by 24 cells in tiles by two expressions of right and down.
    fn grid(tile: impl Fn(i64, i64) -> (i64, i64)) -> BTreeMap<Place, Vec<Int>> {
        let cells = (0..24).flat_map(|down| (0..24).map(move |right| (right, down)));
        cells
            .map(|(right, down)| {
                let (a, b) = tile(right, down);
                ((right, down), vec![Int::from(a), Int::from(b)])
            })
            .collect()
    }

    fn diamonds() -> BTreeMap<Place, Vec<Int>> {
        // As the loops have them: a sum of both, and both.
        grid(|right, down| {
            let (a, b) = ((down - right).div_euclid(6), (down + right).div_euclid(6));
            (a + b, b)
        })
    }

    fn cells_of(tiles: &BTreeMap<Place, Vec<Int>>, of: Place) -> BTreeSet<Place> {
        let tile = &tiles[&of];
        tiles.iter().filter(|(_, other)| *other == tile).map(|(place, _)| *place).collect()
    }

    #[test]
    fn neighbours_have_different_shades() {
        let rectangles = grid(|right, down| (right / 6, down / 8));
        let parallelograms = grid(|right, down| (down / 6, (right + down) / 6));
        for (tiles, most) in [(rectangles, 2), (parallelograms, 4), (diamonds(), 4)] {
            let shades = shades(&tiles);
            for (&(right, down), tile) in &tiles {
                for beside in [(right + 1, down), (right, down + 1)] {
                    if let Some(other) = tiles.get(&beside).filter(|other| *other != tile) {
                        assert_ne!(shades[tile], shades[other], "at {right}, {down}");
                    }
                }
            }
            assert!(shades.values().all(|shade| *shade < most), "{shades:?}");
        }
    }

    #[test]
    fn outlines_are_those_of_the_shapes() {
        let rectangles = grid(|right, down| (right / 6, down / 8));
        let outline = outlines(&cells_of(&rectangles, (7, 9)));
        assert_eq!(outline, [[(6, 8), (12, 8), (12, 16), (6, 16)]]);
        // A diamond has a step in each row: as wide as twice the distance from its ends.
        let cells = cells_of(&diamonds(), (12, 11));
        let widths: Vec<usize> =
            (6..12).map(|down| cells.iter().filter(|cell| cell.1 == down).count()).collect();
        assert_eq!(widths, [1, 3, 5, 5, 3, 1]);
        let outline = outlines(&cells);
        assert_eq!(outline.len(), 1);
        assert!(outline[0].len() > 12, "{outline:?}");
        let around: i64 = outline[0]
            .iter()
            .zip(outline[0].iter().cycle().skip(1))
            .map(|(a, b)| a.0 * b.1 - a.1 * b.0)
            .sum();
        assert_eq!(around / 2, cells.len() as i64, "the outline has the area of the cells");
    }

    #[test]
    fn a_tile_in_two_parts_has_two_outlines() {
        let cells = BTreeSet::from([(0, 0), (2, 0), (3, 1)]);
        let outlines = outlines(&cells);
        let corners: usize = outlines.iter().map(Vec::len).sum();
        assert!(outlines.len() >= 2 && corners >= 12, "{outlines:?}");
    }

    #[test]
    fn each_tile_is_one_path() {
        let tiles = diamonds();
        let svg = paths(&tiles, &|(right, down)| (10 * right, 10 * down));
        let n_tiles = tiles.values().collect::<BTreeSet<_>>().len();
        assert_eq!(svg.matches("<path class=\"tile ").count(), n_tiles);
        for shade in ["tile a", "tile b"] {
            assert!(svg.contains(shade), "{shade}");
        }
        assert_eq!(svg.matches('Z').count(), n_tiles);
    }
}
