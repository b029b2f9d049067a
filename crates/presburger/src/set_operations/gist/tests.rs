//! Random pieces and contexts with equalities and floors: the gist agrees with the piece inside the
//! context, and no constraint of it could go.
use super::*;
use crate::core::constraint::{Constraint, Local};
use crate::core::space::Space;
use crate::core::tuple::Tuple;
use crate::random_rows::Generator;

const HALF: i64 = 3;

/// A random conjunction; often flat, with strides, or with limits that follow from others.
fn random_basic(generator: &mut Generator, space: &Space, n_rows: i64) -> BasicMap {
    let n = space.n_all();
    let n_floors = (generator.below(3) / 2) as usize;
    let width = 1 + n + n_floors;
    let mut locals = Vec::new();
    let mut constraints = Vec::new();
    if n_floors > 0 {
        let mut numerator = generator.row(1 + n, 2, 2);
        numerator.push(Int::ZERO);
        let denominator = Int::from(2 + generator.below(3));
        let mut row = numerator.clone();
        row.set(n + 1, -&denominator);
        locals.push(Local::Floor { numerator, denominator });
        let mut residue = row.clone();
        residue.negate();
        residue.add_at(0, &Int::from(generator.below(2)));
        constraints.push(Constraint { is_equality: generator.below(2) == 0, row: residue });
    }
    for _ in 0..1 + generator.below(n_rows) {
        let row = generator.row(width, 2, 4);
        if generator.below(3) == 0 {
            let mut opposite = row.clone();
            opposite.negate();
            opposite.add_at(0, &Int::from(generator.below(3)));
            constraints.push(Constraint { is_equality: false, row: opposite });
        }
        constraints.push(Constraint { is_equality: generator.below(5) == 0, row });
    }
    BasicMap::from_constraints(space.clone(), locals, constraints)
}

fn random_map(generator: &mut Generator, space: &Space, n_pieces: i64, n_rows: i64) -> Map {
    let n_pieces = 1 + generator.below(n_pieces);
    let pieces = (0..n_pieces).map(|_| random_basic(generator, space, n_rows)).collect();
    Map::from_basic_maps(space.clone(), pieces)
}

fn agree_on_box(a: &Map, b: &Map, n: u32) -> bool {
    let side = 2 * HALF + 1;
    (0..side.pow(n)).all(|index| {
        let value = |axis| Int::from(index / side.pow(axis) % side - HALF);
        let point: Vec<Int> = (0..n).map(value).collect();
        let holds = |map: &Map| map.contains_point(&point, &Budget::unlimited()).unwrap();
        holds(a) == holds(b)
    })
}

/// Whether no constraint of a gist could be left out.
fn is_shortest(gist: &Map, context: &Map) -> bool {
    let budget = Budget::unlimited();
    let [basic] = gist.basic_maps() else { return true };
    let inside = gist.intersect(context).unwrap();
    let constraints = basic.constraints();
    (0..constraints.len()).all(|left_out| {
        let mut rest = constraints.clone();
        rest.remove(left_out);
        let space = gist.space().clone();
        let rest = BasicMap::from_constraints(space, basic.locals().to_vec(), rest);
        let rest = Map::from_basic_map(rest).intersect(context).unwrap();
        !rest.is_equal(&inside, &budget).unwrap()
    })
}

fn check(seed: u64, n_dims: usize, n_pieces: [i64; 2], n_cases: u64) {
    let space = Space::set(&[], Tuple::anonymous(n_dims));
    let mut generator = Generator::new(seed);
    let budget = Budget::unlimited();
    let mut n_shorter = 0;
    for case in 0..n_cases {
        let map = random_map(&mut generator, &space, n_pieces[0], 5);
        let context = random_map(&mut generator, &space, n_pieces[1], 4);
        let gist = map.gist(&context, &budget).unwrap();
        let (inside, expected) =
            (gist.intersect(&context).unwrap(), map.intersect(&context).unwrap());
        let text = format!("case {case}: the gist of {map} in {context} is {gist}");
        assert!(inside.is_equal(&expected, &budget).unwrap(), "{text}");
        assert!(agree_on_box(&inside, &expected, n_dims as u32), "{text}");
        if n_pieces == [1, 1] && !inside.plain_is_empty() && !context.plain_is_universe() {
            assert!(is_shortest(&gist, &context), "{text}");
        }
        let n_rows = |map: &Map| -> usize {
            map.basic_maps().iter().map(|basic| basic.constraints().len()).sum()
        };
        assert!(n_rows(&gist) <= n_rows(&map), "{text}");
        n_shorter += u64::from(n_rows(&gist) < n_rows(&map));
    }
    assert!(4 * n_shorter > n_cases, "{n_shorter} of {n_cases} are shorter");
}

const N_CASES: u64 = 150;

#[test]
fn one_piece_in_one_context() {
    check(61, 2, [1, 1], N_CASES);
    check(62, 3, [1, 1], N_CASES);
}

#[test]
fn several_pieces_in_several_contexts() {
    check(63, 2, [3, 3], N_CASES);
    check(64, 3, [2, 4], N_CASES / 3);
}
