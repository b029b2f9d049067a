//! Emptiness, optima, redundancy, implicit equalities and hulls against enumeration in a box.
use loopwright_presburger::{
    BasicMap, BasicSet, Budget, Constraint, DimKind, Int, Local, Map, Optimum, Row, Set, Space,
    Tuple,
};
use loopwright_testkit::cases::seed;

/// Knuth's linear congruential generator.
struct Generator(u64);

impl Generator {
    fn within(&mut self, limit: i64) -> i64 {
        let state = u128::from(self.0) * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407;
        self.0 = (state & u128::from(u64::MAX)) as u64;
        (self.0 >> 33) as i64 % (2 * limit + 1) - limit
    }

    fn row(&mut self, width: usize, limit: i64, constant: i64) -> Row {
        let mut values = vec![self.within(constant)];
        values.extend((1..width).map(|_| self.within(limit) * self.within(1).abs()));
        Row::from_i64s(&values)
    }
}

const HALF: i64 = 4;

/// A random subset of the square of side `2 HALF + 1` with one floor.
fn random_set(generator: &mut Generator) -> BasicMap {
    let width = 4;
    let mut numerator = generator.row(width, 2, 3);
    numerator.set(3, Int::ZERO);
    let denominator = Int::from(2 + generator.within(1).abs());
    let locals = vec![Local::Floor { numerator, denominator }];
    let mut constraints = Vec::new();
    for column in 1..3 {
        for sign in [1, -1] {
            let mut row = vec![HALF, 0, 0, 0];
            row[column] = sign;
            constraints.push(Constraint::inequality(Row::from_i64s(&row)));
        }
    }
    for _ in 0..2 + generator.within(1) {
        constraints.push(Constraint::inequality(generator.row(width, 3, 5)));
    }
    if generator.within(1) == 0 {
        constraints.push(Constraint::equality(generator.row(width, 3, 3)));
    }
    let space = Space::set(&[], Tuple::anonymous(2));
    BasicMap::from_constraints(space, locals, constraints)
}

/// The columns `[1 | x | y | locals]` of a point, if all locals are floors.
fn columns(map: &BasicMap, x: i64, y: i64) -> Row {
    let mut point = Row::zeros(map.n_columns());
    point.set(0, Int::ONE);
    point.set(1, Int::from(x));
    point.set(2, Int::from(y));
    let first = map.offset(DimKind::Local);
    for (i, local) in map.locals().iter().enumerate() {
        let Local::Floor { numerator, denominator } = local else {
            panic!("unknown local");
        };
        point.set(first + i, numerator.dot(&point).div_floor(denominator));
    }
    point
}

fn contains(map: &BasicMap, x: i64, y: i64) -> bool {
    let point = columns(map, x, y);
    !map.plain_is_empty()
        && map.equalities().iter().all(|row| row.dot(&point).is_zero())
        && map.inequalities().iter().all(|row| !row.dot(&point).is_negative())
}

fn square(half: i64) -> impl Iterator<Item = (i64, i64)> {
    (-half..=half).flat_map(move |x| (-half..=half).map(move |y| (x, y)))
}

fn points(map: &BasicMap) -> Vec<(i64, i64)> {
    square(HALF + 2).filter(|&(x, y)| contains(map, x, y)).collect()
}

#[test]
fn simplifications_keep_the_points() {
    let mut generator = Generator(seed(31));
    let budget = Budget::steps(100_000_000);
    let mut n_empty = 0;
    for _ in 0..400 {
        let set = random_set(&mut generator);
        let expected = points(&set);
        n_empty += usize::from(expected.is_empty());
        assert_eq!(set.is_empty(&budget).unwrap(), expected.is_empty(), "{set:?}");
        assert_eq!(points(&set.remove_redundancies(&budget).unwrap()), expected, "{set:?}");
        assert_eq!(points(&set.detect_equalities(&budget).unwrap()), expected, "{set:?}");
        let form = generator.row(set.n_columns(), 3, 3);
        let least = expected.iter().map(|&(x, y)| form.dot(&columns(&set, x, y))).min();
        let least = least.map_or(Optimum::Empty, Optimum::At);
        assert_eq!(set.minimum(&form, &budget).unwrap(), least, "{form} on {set:?}");
        if let Some(sample) = set.sample_point(&budget).unwrap() {
            let [x, y] = [&sample[0], &sample[1]].map(|value| value.to_i64().unwrap());
            assert!(expected.contains(&(x, y)), "{sample:?} is not in {set:?}");
        }
    }
    assert!(n_empty > 20 && n_empty < 300, "{n_empty} sets are empty");
}

/// The smallest coset of a lattice that contains the points, in a square: a point is in it if it
/// is the first plus an integer combination of the differences.
fn lattice_hull(points: &[(i64, i64)], half: i64) -> Vec<(i64, i64)> {
    let Some(&(x0, y0)) = points.first() else { return Vec::new() };
    let rows: Vec<Row> = points.iter().map(|&(x, y)| Row::from_i64s(&[x - x0, y - y0])).collect();
    let generators = loopwright_presburger::Matrix::new(rows, 2).transpose();
    let inside =
        |x: i64, y: i64| generators.solve_integer(&Row::from_i64s(&[x - x0, y - y0])).is_some();
    square(half).filter(|&(x, y)| inside(x, y)).collect()
}

/// The affine hull lies between the lattice that the points generate and their real affine hull,
/// and it is the real affine hull if the set has no locals.
#[test]
fn affine_hulls() {
    let mut generator = Generator(seed(32));
    let budget = Budget::steps(100_000_000);
    for _ in 0..300 {
        let (first, second) = (random_set(&mut generator), random_set(&mut generator));
        let all: Vec<(i64, i64)> = points(&first).into_iter().chain(points(&second)).collect();
        let union =
            Map::from_basic_map(first.clone()).union(&Map::from_basic_map(second.clone())).unwrap();
        let hull = union.affine_hull(&budget).unwrap();
        let smallest = lattice_hull(&all, HALF);
        for &(x, y) in &smallest {
            assert!(contains(&hull, x, y), "({x}, {y}) is missing in {hull:?} of {all:?}");
        }
        if all.is_empty() {
            assert!(hull.plain_is_empty());
            continue;
        }
        let (x0, y0) = all[0];
        let determinant =
            |x: i64, y: i64, (u, v): (i64, i64)| (x - x0) * (v - y0) - (y - y0) * (u - x0);
        for (x, y) in square(HALF).filter(|&(x, y)| contains(&hull, x, y)) {
            // Points on a line, or a single point, are not exceeded.
            let line = all.iter().find(|point| **point != (x0, y0));
            match line {
                None => assert_eq!((x, y), (x0, y0)),
                Some(&line) => {
                    let flat = all.iter().all(|&(u, v)| determinant(u, v, line) == 0);
                    assert!(!flat || determinant(x, y, line) == 0, "({x}, {y}) of {all:?}");
                }
            }
        }
    }
}

#[test]
fn congruences_are_part_of_the_hull() {
    // { [x, y] : x = 6 e and 0 <= x <= 60 } joined with { [x, y] : x = 4 e + 2, y = 0 }.
    let budget = Budget::unlimited();
    let space = Space::set(&[], Tuple::anonymous(2));
    let multiples = |factor: i64, offset: i64, more: Vec<Constraint>| {
        let mut all = vec![Constraint::equality(Row::from_i64s(&[-offset, 1, 0, -factor]))];
        all.extend(more);
        BasicMap::from_constraints(space.clone(), vec![Local::Unknown], all)
    };
    let bounded = vec![
        Constraint::inequality(Row::from_i64s(&[0, 1, 0, 0])),
        Constraint::inequality(Row::from_i64s(&[60, -1, 0, 0])),
    ];
    let first = multiples(6, 0, bounded);
    let second = multiples(4, 2, vec![Constraint::equality(Row::from_i64s(&[0, 0, 1, 0]))]);
    let hull = first.affine_hull(&budget).unwrap();
    let in_hull: Vec<i64> = (-12..13).filter(|&x| contains(&hull, x, 5)).collect();
    assert_eq!(in_hull, [-12, -6, 0, 6, 12]);
    let union = Map::from_basic_map(first).union(&Map::from_basic_map(second)).unwrap();
    let hull = union.affine_hull(&budget).unwrap();
    let in_hull: Vec<i64> = (-4..5).filter(|&x| contains(&hull, x, 5)).collect();
    assert_eq!(in_hull, [-4, -2, 0, 2, 4]);
}

#[test]
fn redundant_bounds_go() {
    let budget = Budget::unlimited();
    let space = Space::set(&["n".into()], Tuple::anonymous(2));
    // 0 <= i <= j <= n, and the implied i <= n, j >= 0, 2 n >= -1.
    let rows =
        [[0, 0, 1, 0], [0, 0, -1, 1], [0, 1, 0, -1], [0, 1, -1, 0], [0, 0, 0, 1], [1, 2, 0, 0]];
    let constraints = rows.iter().map(|row| Constraint::inequality(Row::from_i64s(row))).collect();
    let set = BasicSet::from_constraints(space, Vec::new(), constraints);
    let small = set.as_basic_map().remove_redundancies(&budget).unwrap();
    assert_eq!(small.inequalities().len(), 3);
}

#[test]
fn implicit_equalities_appear() {
    let budget = Budget::unlimited();
    let space = Space::set(&[], Tuple::anonymous(3));
    // i <= j <= k <= i.
    let rows = [[0, -1, 1, 0], [0, 0, -1, 1], [0, 1, 0, -1]];
    let constraints = rows.iter().map(|row| Constraint::inequality(Row::from_i64s(row))).collect();
    let set = BasicMap::from_constraints(space, Vec::new(), constraints);
    let flat = set.detect_equalities(&budget).unwrap();
    assert_eq!(flat.inequalities().len(), 0);
    let rows = flat.equalities().to_vec();
    assert_eq!(loopwright_presburger::Matrix::new(rows, 4).rank(), 2);
}

/// Points of sets with narrow and wide columns, equalities and remainders, against membership of each point
/// of a box.
#[test]
fn listed_points_are_those_of_a_box_that_are_members() {
    let budget = &Budget::unlimited();
    let mut generator = Generator(seed(99));
    let mut random = |limit: i64| generator.within(limit).rem_euclid(limit);
    for case in 0..200 {
        let high = [2 + random(3), 15 + random(10), 2 + random(20)];
        let mut text =
            format!("0 <= i <= {} and 0 <= j <= {} and 0 <= k <= {}", high[0], high[1], high[2]);
        for _ in 0..1 + random(3) {
            let factors = [random(7) - 3, random(7) - 3, random(7) - 3, random(21) - 10];
            let [a, b, c, d] = factors;
            let sum = format!("{a}i + {b}j + {c}k + {d}");
            text += &match random(4) {
                0 => format!(" and {sum} = 0"),
                1 => format!(" and ({sum}) mod 3 = 1"),
                _ => format!(" and {sum} >= 0"),
            };
        }
        let set = Set::parse(&format!("{{ [i, j, k] : {text} }}")).unwrap();
        let mut expected = Vec::new();
        for i in 0..=high[0] {
            for j in 0..=high[1] {
                for k in 0..=high[2] {
                    let point = [i, j, k].map(Int::from).to_vec();
                    if set.contains_point(&point, budget).unwrap() {
                        expected.push(point);
                    }
                }
            }
        }
        assert_eq!(set.points(100_000, budget).unwrap(), expected, "{case}: {text}");
    }
}
