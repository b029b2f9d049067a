//! Each rule against enumeration, for random unions of pieces that touch, overlap and stick out.
use crate::core::basic_map::BasicMap;
use crate::core::budget::Budget;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::{Error, Result};
use crate::core::map::Map;
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::random_rows::Generator;
use loopwright_exact::{Int, Row};
use std::collections::BTreeSet;

const HALF: i64 = 5;
const N_CASES: u64 = 300;

fn points(map: &Map) -> BTreeSet<Vec<i64>> {
    let budget = Budget::unlimited();
    let n = map.space().n_all() as u32;
    let side = 2 * HALF + 3;
    let all = (0..side.pow(n)).map(|index| -> Vec<i64> {
        (0..n).map(|axis| index / side.pow(axis) % side - HALF - 1).collect()
    });
    all.filter(|point| {
        let point: Vec<Int> = point.iter().copied().map(Int::from).collect();
        map.contains_point(&point, &budget).unwrap()
    })
    .collect()
}

/// The inequality `column >= low` (sign 1) or `column <= -low` (sign -1).
fn bound(width: usize, column: usize, sign: i64, low: i64) -> Constraint {
    let mut row = Row::zeros(width);
    row.set(0, Int::from(-low));
    row.set(column, Int::from(sign));
    Constraint::inequality(row)
}

/// A random polytope in the box; sometimes flat, sometimes with a stride.
fn random_piece(generator: &mut Generator, space: &Space) -> BasicMap {
    let n = space.n_all();
    let has_floor = generator.below(4) == 0;
    let width = 1 + n + usize::from(has_floor);
    let mut locals = Vec::new();
    let mut constraints = Vec::new();
    if has_floor {
        let mut numerator = generator.row(1 + n, 1, 1);
        numerator.push(Int::ZERO);
        let denominator = Int::from(2 + generator.below(2));
        let mut row = numerator.clone();
        row.set(n + 1, -&denominator);
        locals.push(Local::Floor { numerator, denominator });
        constraints.push(Constraint { is_equality: generator.below(2) == 0, row });
    }
    for column in 1..=n {
        let low = generator.within(HALF - 1);
        let high = low + generator.below(HALF - low + 1).min(generator.below(HALF));
        constraints.push(bound(width, column, 1, low));
        constraints.push(bound(width, column, -1, -high));
    }
    for _ in 0..generator.below(3) {
        let row = generator.row(width, 1, 3);
        constraints.push(Constraint { is_equality: generator.below(4) == 0, row });
    }
    BasicMap::from_constraints(space.clone(), locals, constraints)
}

/// A piece, and beside it a layer of the same or another shape that begins where the piece ends.
fn piece_with_layer(generator: &mut Generator, space: &Space) -> [BasicMap; 2] {
    let is_empty = |basic: &BasicMap| basic.is_empty(&Budget::unlimited()).unwrap();
    loop {
        let pair = cut_piece(generator, space);
        if !pair.iter().any(is_empty) {
            return pair;
        }
    }
}

fn cut_piece(generator: &mut Generator, space: &Space) -> [BasicMap; 2] {
    let whole = random_piece(generator, space);
    let mut cut = generator.row(1 + space.n_all(), 1, 2);
    cut.insert_zeros(cut.len(), whole.locals().len());
    let piece = whole.add_inequality(cut.clone());
    let mut beyond = cut.clone();
    beyond.negate();
    beyond.add_at(0, &Int::MINUS_ONE);
    let mut layer = whole.add_inequality(beyond.clone());
    if layer.n_columns() == whole.n_columns() && generator.below(2) == 0 {
        layer = layer.add_equality(beyond);
    }
    if generator.below(2) == 0 {
        let mut narrower = generator.row(1 + space.n_all(), 1, 4);
        narrower.insert_zeros(narrower.len(), layer.locals().len());
        layer = layer.add_inequality(narrower);
    }
    [piece, layer]
}

fn check(n_dims: usize, seed: u64, pieces: impl Fn(&mut Generator, &Space) -> Vec<BasicMap>) {
    let space = Space::set(&[], Tuple::anonymous(n_dims));
    let mut generator = Generator::new(seed);
    let (mut n_before, mut n_after) = (0, 0);
    for case in 0..N_CASES {
        let union = Map::from_basic_maps(space.clone(), pieces(&mut generator, &space));
        let joined = union.coalesce(&Budget::unlimited()).unwrap();
        assert_eq!(points(&joined), points(&union), "case {case}: {union} became {joined}");
        assert!(joined.basic_maps().len() <= union.basic_maps().len(), "case {case}");
        n_before += union.basic_maps().len();
        n_after += joined.basic_maps().len();
    }
    assert!(10 * n_after <= 9 * n_before, "{n_before} pieces became {n_after}");
}

#[test]
fn random_pieces_keep_their_points() {
    check(2, 41, |generator, space| {
        (0..2 + generator.below(4)).map(|_| random_piece(generator, space)).collect()
    });
}

#[test]
fn layers_keep_their_points() {
    check(2, 42, |generator, space| piece_with_layer(generator, space).to_vec());
    check(3, 43, |generator, space| {
        let mut pieces = piece_with_layer(generator, space).to_vec();
        pieces.push(random_piece(generator, space));
        pieces
    });
}

#[test]
fn lone_points_keep_their_places() {
    check(2, 44, |generator, space| {
        let lone = |generator: &mut Generator| {
            let row = |column, value: i64| {
                let mut row = Row::zeros(3);
                row.set(0, Int::from(-value));
                row.set(column, Int::ONE);
                Constraint::equality(row)
            };
            let place = [1, 2].map(|column| row(column, generator.within(2)));
            BasicMap::from_constraints(space.clone(), Vec::new(), place.to_vec())
        };
        (0..3 + generator.below(6)).map(|_| lone(generator)).collect()
    });
}

#[test]
fn a_small_budget_is_an_error_and_no_hang() {
    let mut generator = Generator::new(45);
    let space = Space::set(&[], Tuple::anonymous(3));
    for limit in [0, 1, 10, 100] {
        let pieces = (0..6).map(|_| random_piece(&mut generator, &space)).collect();
        let union = Map::from_basic_maps(space.clone(), pieces);
        match union.coalesce(&Budget::steps(limit)) {
            Ok(joined) => assert_eq!(points(&joined), points(&union)),
            Err(error) => assert!(matches!(error, Error::Exceeded { .. })),
        }
    }
}

/// The order of a triangle's points is one convex set in a box, but with slopes as large as the box.
#[test]
fn an_order_in_a_box_keeps_its_slopes() -> Result<()> {
    let later = "0 <= j < i <= 37 and 0 <= j' < i' <= 37";
    let order = Map::parse(&format!(
        "{{ [i, j] -> [i', j'] : {later} and (i < i' or (i = i' and j < j')) }}"
    ))?;
    let joined = order.coalesce(&Budget::unlimited())?;
    let rows = joined.basic_maps().iter().flat_map(|piece| &piece.inner.inequalities);
    assert!(rows.flat_map(|row| row.iter().skip(1)).all(|value| value.abs() <= Int::ONE));
    Ok(())
}
