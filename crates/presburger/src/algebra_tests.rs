//! The algebra of unions against enumeration: every operation is compared with the same operation
//! on the finitely many points of a box, for random systems with floors and existentials.

use crate::core::basic_map::BasicMap;
use crate::core::basic_relation::BasicRelation;
use crate::core::budget::Budget;
use crate::core::constraint::{Constraint, Local};
use crate::core::error::Error;
use crate::core::map::Map;
use crate::core::set::Set;
use crate::core::space::{DimKind, Space};
use crate::core::tuple::{Name, Tuple};
use crate::random_rows::Generator;
use crate::solve::optimum::Optimum;
use loopwright_exact::{Int, Row};
use std::collections::BTreeSet;

type Points = BTreeSet<Vec<i64>>;

const HALF: i64 = 3;
/// Existentials are searched in this range; random rows keep witnesses inside.
const WITNESS: i64 = 14;

fn small(value: &Int) -> i64 {
    value.to_i64().expect("small")
}

fn evaluate(row: &Row, values: &[i64]) -> i64 {
    row.iter().zip(values).map(|(a, b)| small(&a) * b).sum()
}

/// Whether the point (1, then all dimensions) satisfies a system, by trying all existentials.
fn holds(basic: &BasicMap, values: &mut Vec<i64>) -> bool {
    let index = values.len() - basic.offset(DimKind::Local);
    if basic.plain_is_empty() {
        return false;
    }
    let Some(local) = basic.locals().get(index) else {
        return basic.equalities().iter().all(|row| evaluate(row, values) == 0)
            && basic.inequalities().iter().all(|row| evaluate(row, values) >= 0);
    };
    let candidates = match local {
        Local::Floor { numerator, denominator } => {
            let value = evaluate(numerator, values).div_euclid(small(denominator));
            value..=value
        }
        Local::Unknown => -WITNESS..=WITNESS,
    };
    for candidate in candidates {
        values.push(candidate);
        let found = holds(basic, values);
        values.pop();
        if found {
            return true;
        }
    }
    false
}

fn contains(map: &Map, point: &[i64]) -> bool {
    let mut values = vec![1];
    values.extend(point);
    map.basic_maps().iter().any(|basic| holds(basic, &mut values))
}

fn boxed_points(n: usize) -> impl Iterator<Item = Vec<i64>> {
    let side = 2 * HALF + 1;
    (0..side.pow(n as u32)).map(move |mut index| {
        (0..n)
            .map(|_| {
                let value = index % side - HALF;
                index /= side;
                value
            })
            .collect()
    })
}

fn points(map: &Map) -> Points {
    boxed_points(map.space().n_all()).filter(|point| contains(map, point)).collect()
}

/// Random locals and constraints in the box; of `one_in` constraints one is an equality.
fn random_system(
    generator: &mut Generator,
    space: &Space,
    unknowns: bool,
    one_in: i64,
) -> (Vec<Local>, Vec<Constraint>) {
    let n = space.n_all();
    let n_locals = generator.below(3) as usize;
    let width = 1 + n + n_locals;
    let mut locals = Vec::new();
    let mut constraints = Vec::new();
    for index in 0..n_locals {
        if unknowns && generator.below(2) == 0 {
            locals.push(Local::Unknown);
            for sign in [1, -1] {
                let mut row = generator.row(1 + n + index, 1, 2);
                row.insert_zeros(row.len(), width - row.len());
                row.set(1 + n + index, Int::from(sign * (1 + generator.below(3))));
                constraints.push(Constraint { is_equality: false, row });
            }
        } else {
            let mut numerator = generator.row(1 + n, 3, 3);
            numerator.insert_zeros(numerator.len(), n_locals);
            let denominator = Int::from(2 + generator.below(3));
            locals.push(Local::Floor { numerator, denominator });
        }
    }
    for column in 1..=n {
        for sign in [1, -1] {
            let mut row = Row::zeros(width);
            row.set(0, Int::from(HALF));
            row.set(column, Int::from(sign));
            constraints.push(Constraint { is_equality: false, row });
        }
    }
    for _ in 0..1 + generator.below(3) {
        let is_equality = generator.below(one_in) == 0;
        constraints.push(Constraint { is_equality, row: generator.row(width, 2, 4) });
    }
    (locals, constraints)
}

/// A random system in the box, in normal form.
fn random_basic(generator: &mut Generator, space: &Space, unknowns: bool) -> BasicMap {
    let (locals, constraints) = random_system(generator, space, unknowns, 4);
    BasicMap::from_constraints(space.clone(), locals, constraints)
}

fn random_map(generator: &mut Generator, space: &Space, unknowns: bool) -> Map {
    let count = 1 + generator.below(2);
    let basics = (0..count).map(|_| random_basic(generator, space, unknowns)).collect();
    Map::from_basic_maps(space.clone(), basics)
}

fn spaces() -> [Space; 3] {
    let params: [Name; 1] = ["n".into()];
    [
        Space::set(&[], Tuple::anonymous(2)),
        Space::map(&[], Tuple::anonymous(1), Tuple::anonymous(2)),
        Space::map(&params, Tuple::anonymous(1), Tuple::anonymous(1)),
    ]
}

/// Runs a check on pairs of random relations, a fresh seed per round for easy reproduction.
///
/// The environment variables `SEED` (first round) and `TIMES` (factor on the rounds) run more.
fn for_random_pairs(rounds: u64, unknowns: bool, check: impl Fn(u64, &Map, &Map)) {
    let from: u64 = std::env::var("SEED").map_or(0, |s| s.parse().unwrap());
    let times: u64 = std::env::var("TIMES").map_or(1, |s| s.parse().unwrap());
    for seed in from..from + rounds * times {
        let mut generator = Generator::new(seed * 7919 + 1);
        let space = &spaces()[(seed % 3) as usize];
        let first = random_map(&mut generator, space, unknowns);
        let second = random_map(&mut generator, space, unknowns);
        check(seed, &first, &second);
    }
}

fn budget() -> Budget {
    Budget::steps(20_000_000)
}

#[test]
fn difference_is_the_difference_of_the_points() {
    for_random_pairs(60, true, |seed, a, b| {
        let difference = a.subtract(b, &budget()).unwrap();
        let expected: Points = points(a).difference(&points(b)).cloned().collect();
        assert_eq!(points(&difference), expected, "seed {seed}");
        assert_eq!(a.is_subset(b, &budget()).unwrap(), expected.is_empty(), "seed {seed}");
        assert!(difference.is_disjoint(b, &budget()).unwrap(), "seed {seed}");
        let common = a.intersect(b).unwrap();
        let rebuilt = difference.union(&common).unwrap();
        assert!(rebuilt.is_equal(a, &budget()).unwrap(), "seed {seed}");
    });
}

#[test]
fn normal_forms_describe_the_same_points() {
    for seed in 0..400 {
        let mut generator = Generator::new(seed * 104_729 + 1);
        let space = &spaces()[(seed % 3) as usize];
        let (locals, constraints) = random_system(&mut generator, space, true, 2);
        let mut raw = BasicRelation::new(space.clone(), locals.clone());
        for constraint in &constraints {
            let rows = match constraint.is_equality {
                true => &mut raw.equalities,
                false => &mut raw.inequalities,
            };
            rows.push(constraint.row.clone());
        }
        let raw = Map::from_basic_map(BasicMap::from_normal_data(raw));
        let normal = BasicMap::from_constraints(space.clone(), locals, constraints);
        let again = BasicMap::from_data((*normal.inner).clone());
        let expected = points(&raw);
        assert_eq!(points(&Map::from_basic_map(normal)), expected, "seed {seed}");
        assert_eq!(points(&Map::from_basic_map(again)), expected, "seed {seed}");
    }
}

#[test]
fn images_are_ranges_of_restrictions() {
    for_random_pairs(80, true, |seed, a, b| {
        if !a.space().is_map() {
            return;
        }
        let domain = b.domain();
        let image = domain.apply(a).unwrap();
        let range = a.intersect_domain(&domain).unwrap().range();
        assert_eq!(points(image.as_map()), points(range.as_map()), "seed {seed}");
    });
}

#[test]
fn explicit_floors_describe_the_same_points() {
    for_random_pairs(80, true, |seed, a, _| {
        let explicit = a.make_locals_explicit(&budget()).unwrap();
        for basic in explicit.basic_maps() {
            assert!(!basic.locals().contains(&Local::Unknown), "seed {seed}");
        }
        assert_eq!(points(&explicit), points(a), "seed {seed}");
    });
}

/// The least (or greatest) images among the points of a relation.
fn enumerated_optimum(map: &Map, greatest: bool) -> Points {
    let n_known = map.n(DimKind::Param) + map.n(DimKind::In);
    let all = points(map);
    let better = |a: &[i64], b: &[i64]| if greatest { a > b } else { a < b };
    let is_best = |point: &Vec<i64>| {
        let (domain, image) = point.split_at(n_known);
        !all.iter().any(|other| other[..n_known] == *domain && better(&other[n_known..], image))
    };
    all.iter().filter(|point| is_best(point)).cloned().collect()
}

#[test]
fn lexicographic_optima_are_those_of_the_points() {
    for_random_pairs(80, true, |seed, a, _| {
        let least = a.lexmin(&budget()).unwrap_or_else(|error| panic!("LEX {seed} {error} {a}"));
        assert_eq!(points(&least), enumerated_optimum(a, false), "lexmin, seed {seed}");
        let greatest = a.lexmax(&budget()).unwrap_or_else(|error| panic!("LEX {seed} {error} {a}"));
        assert_eq!(points(&greatest), enumerated_optimum(a, true), "lexmax, seed {seed}");
        assert!(least.is_subset(a, &budget()).unwrap(), "seed {seed}");
    });
}

#[test]
fn partial_optimum_leaves_the_domain_without_image() {
    for_random_pairs(40, false, |seed, a, b| {
        if !a.space().is_map() {
            return;
        }
        let domain = b.domain();
        let (least, without) = a.partial_lexmin(&domain, &budget()).unwrap();
        let inside = a.intersect_domain(&domain).unwrap();
        let (of_inside, rest) = inside.partial_lexmin(&domain, &budget()).unwrap();
        assert!(of_inside.is_equal(&least, &budget()).unwrap(), "seed {seed}");
        assert!(rest.is_equal(&without, &budget()).unwrap(), "seed {seed}");
        let with = a.domain().intersect(&domain).unwrap();
        assert!(least.domain().is_equal(&with, &budget()).unwrap(), "seed {seed}");
        let expected = domain.subtract(&a.domain(), &budget()).unwrap();
        assert!(without.is_equal(&expected, &budget()).unwrap(), "seed {seed}");
    });
}

#[test]
fn gist_equals_inside_the_context() {
    for_random_pairs(60, true, |seed, a, b| {
        let gist = a.gist(b, &budget()).unwrap();
        let context = points(b);
        let inside =
            |map: &Map| -> Points { points(map).intersection(&context).cloned().collect() };
        assert_eq!(inside(&gist), inside(a), "seed {seed}");
        let count =
            |map: &Map| map.basic_maps().iter().map(|b| b.constraints().len()).sum::<usize>();
        assert!(count(&gist) <= count(a), "seed {seed}");
    });
}

#[test]
fn gist_does_not_grow_into_pieces_of_the_context_that_it_does_not_meet() {
    let set = Set::parse("{ [i] : 0 <= i <= 3 }").unwrap();
    let context = Set::parse("{ [i] : 0 <= i <= 3 or 5 <= i <= 6 }").unwrap();
    let gist = set.gist(&context, &budget()).unwrap();
    let inside = gist.intersect(&context).unwrap();
    assert!(inside.is_equal(&set, &budget()).unwrap());
}

#[test]
fn gist_of_a_context_is_everything() {
    for_random_pairs(20, false, |seed, a, _| {
        if !a.is_empty(&budget()).unwrap() {
            assert!(a.gist(a, &budget()).unwrap().plain_is_universe(), "seed {seed}");
        }
    });
}

#[test]
fn coalescing_keeps_the_points() {
    for_random_pairs(60, true, |seed, a, b| {
        let both = a.union(b).unwrap();
        let coalesced = both.coalesce(&budget()).unwrap();
        assert_eq!(points(&coalesced), points(&both), "seed {seed}");
        assert!(coalesced.basic_maps().len() <= both.basic_maps().len(), "seed {seed}");
    });
}

#[test]
fn a_cut_piece_is_glued() {
    for_random_pairs(60, false, |seed, a, _| {
        let Some(basic) = a.basic_maps().first() else { return };
        let whole = Map::from_basic_map(basic.clone());
        let mut row = Generator::new(seed).row(1 + a.space().n_all(), 2, 2);
        row.insert_zeros(row.len(), basic.locals().len());
        let mut opposite = row.clone();
        opposite.negate();
        opposite.add_at(0, &Int::from(-1));
        let halves = [row, opposite].map(|row| basic.add_inequality(row));
        // A half that has become a single point has lost the constraints that describe the whole.
        let n_equalities = basic.equalities().len();
        if halves.iter().any(|half| half.equalities().len() > n_equalities) {
            return;
        }
        let cut = Map::from_basic_maps(a.space().clone(), halves.to_vec());
        let glued = cut.coalesce(&budget()).unwrap();
        assert!(glued.is_equal(&whole, &budget()).unwrap(), "seed {seed}");
        assert!(glued.basic_maps().len() <= 1, "seed {seed}: {glued:?}");
    });
}

#[test]
fn hulls_contain_the_pieces() {
    for_random_pairs(40, true, |seed, a, b| {
        let both = a.union(b).unwrap();
        for hull in [both.simple_hull(&budget()), both.unshifted_simple_hull(&budget())] {
            let hull = Map::from_basic_map(hull.unwrap());
            assert!(points(&both).is_subset(&points(&hull)), "seed {seed}");
        }
    });
}

#[test]
fn disjoint_pieces_have_the_same_points() {
    for_random_pairs(40, true, |seed, a, b| {
        let both = a.union(b).unwrap();
        let disjoint = both.make_disjoint(&budget()).unwrap();
        assert_eq!(points(&disjoint), points(&both), "seed {seed}");
        let counts: usize = disjoint
            .basic_maps()
            .iter()
            .map(|basic| points(&Map::from_basic_map(basic.clone())).len())
            .sum();
        assert_eq!(counts, points(&both).len(), "seed {seed}");
    });
}

#[test]
fn functions_are_recognized() {
    for_random_pairs(60, true, |seed, a, _| {
        if !a.space().is_map() {
            return;
        }
        let n_known = a.n(DimKind::Param) + a.n(DimKind::In);
        let all = points(a);
        let domains: Points = all.iter().map(|point| point[..n_known].to_vec()).collect();
        let expected = domains.len() == all.len();
        assert_eq!(a.is_single_valued(&budget()).unwrap(), expected, "seed {seed}");
        let least = a.lexmin(&budget()).unwrap();
        assert!(least.is_single_valued(&budget()).unwrap(), "seed {seed}");
    });
}

#[test]
fn optimal_values_are_those_of_the_points() {
    for_random_pairs(60, true, |seed, a, _| {
        let first = a.n(DimKind::Param) + a.n(DimKind::In);
        let values: Vec<i64> = points(a).iter().map(|point| point[first]).collect();
        let as_optimum = |value: Option<&i64>| match value {
            Some(&value) => Optimum::At(value.into()),
            None => Optimum::Empty,
        };
        let least = a.dim_min_val(DimKind::Out, 0, &budget()).unwrap();
        assert_eq!(least, as_optimum(values.iter().min()), "seed {seed}");
        let greatest = a.dim_max_val(DimKind::Out, 0, &budget()).unwrap();
        assert_eq!(greatest, as_optimum(values.iter().max()), "seed {seed}");
    });
}

#[test]
fn a_floor_that_an_equality_determines_may_use_an_existential_that_depends_on_it() {
    // q = floor((x + e) / 2), 2 q = x, 3 e = x - q.
    let space = Space::set(&[], Tuple::anonymous(1));
    let floor = Local::Floor { numerator: Row::from_i64s(&[0, 1, 1, 0]), denominator: 2.into() };
    let equality = |row: &[i64]| Constraint { is_equality: true, row: Row::from_i64s(row) };
    let rows = vec![equality(&[0, -1, 0, 2]), equality(&[0, -1, 3, 1])];
    let basic = BasicMap::from_constraints(space, vec![Local::Unknown, floor], rows);
    let map = Map::from_basic_map(basic);
    let explicit = map.make_locals_explicit(&budget()).unwrap();
    assert_eq!(points(&explicit), points(&map));
    assert!(explicit.is_equal(&map, &budget()).unwrap());
}

#[test]
fn the_last_iteration_before_a_bound_is_one_piece() {
    let map =
        Map::parse("[n] -> { [i] -> [a, b] : 32a <= i <= 32a + 31 and b = i - 32a }").unwrap();
    let greatest = map.lexmax(&budget()).unwrap();
    assert_eq!(greatest.basic_maps().len(), 1);
    assert!(greatest.is_equal(&map, &budget()).unwrap());
}

#[test]
fn an_unbounded_minimum_is_an_error() {
    let unbounded = Map::parse("{ [i] -> [a] : a <= i }").unwrap();
    assert!(matches!(unbounded.lexmin(&budget()), Err(Error::Invalid { .. })));
    let empty = Map::parse("{ [i] -> [a] : 2a <= 2i and 4a = 4i + 2 }").unwrap();
    assert!(empty.lexmin(&budget()).unwrap().plain_is_empty());
}
