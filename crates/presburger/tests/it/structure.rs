//! Structural operations against enumeration in a box.
//!
//! A [`System`] is a formula in plain machine integers with its own evaluation by enumeration;
//! it shares no code with the library.
use loopwright_presburger::*;
use proptest::prelude::*;

/// Dimensions of set or relation; every column ranges over `-HALF..=HALF`.
const HALF: i64 = 4;

/// A random conjunction: columns `[constant | dims | existentials]`.
#[derive(Clone, Debug)]
struct System {
    n_dims: usize,
    /// Numerators over `[constant | dims]` and denominators of floors.
    floors: Vec<(Vec<i64>, i64)>,
    n_unknown: usize,
    equalities: Vec<Vec<i64>>,
    inequalities: Vec<Vec<i64>>,
}

impl System {
    fn dot(row: &[i64], values: &[i64]) -> i64 {
        row.iter().zip(values).map(|(a, b)| a * b).sum()
    }

    /// Whether the point is in the box and satisfies the formula for some existentials in it.
    fn contains(&self, point: &[i64]) -> bool {
        if point.iter().any(|value| value.abs() > HALF) {
            return false;
        }
        let mut values = vec![1];
        values.extend(point);
        for (numerator, denominator) in &self.floors {
            values.push(Self::dot(numerator, &values[..numerator.len()]).div_euclid(*denominator));
        }
        boxed_points(self.n_unknown).iter().any(|unknowns| {
            let mut all = values.clone();
            all.extend(unknowns);
            self.equalities.iter().all(|row| Self::dot(row, &all) == 0)
                && self.inequalities.iter().all(|row| Self::dot(row, &all) >= 0)
        })
    }

    fn points(&self) -> Vec<Vec<i64>> {
        boxed_points(self.n_dims).into_iter().filter(|point| self.contains(point)).collect()
    }

    /// The same as a basic relation; all columns are bounded by the box.
    fn build(&self, space: Space) -> BasicMap {
        assert_eq!(space.n_all(), self.n_dims);
        let n_locals = self.floors.len() + self.n_unknown;
        let width = 1 + self.n_dims + n_locals;
        let padded = |row: &[i64]| {
            let mut row = row.to_vec();
            row.resize(width, 0);
            Row::from_i64s(&row)
        };
        let floors = self.floors.iter().map(|(numerator, denominator)| Local::Floor {
            numerator: padded(numerator),
            denominator: Int::from(*denominator),
        });
        let unknowns = std::iter::repeat_n(Local::Unknown, self.n_unknown);
        let locals: Vec<Local> = floors.chain(unknowns).collect();
        let mut constraints: Vec<Constraint> = Vec::new();
        for row in &self.equalities {
            constraints.push(Constraint::equality(padded(row)));
        }
        for row in &self.inequalities {
            constraints.push(Constraint::inequality(padded(row)));
        }
        let first_unknown = 1 + self.n_dims + self.floors.len();
        for column in (1..=self.n_dims).chain(first_unknown..width) {
            for sign in [1, -1] {
                let mut row = vec![0; width];
                row[0] = HALF;
                row[column] = sign;
                constraints.push(Constraint::inequality(padded(&row)));
            }
        }
        BasicMap::from_constraints(space, locals, constraints)
    }
}

fn boxed_points(n: usize) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for _ in 0..n {
        points = points
            .into_iter()
            .flat_map(|point: Vec<i64>| {
                (-HALF..=HALF).map(move |value| {
                    let mut longer = point.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    points
}

prop_compose! {
    fn floor(n_dims: usize)(
        row in prop::collection::vec(-4i64..=4, 1 + n_dims), denominator in 1i64..=5,
    ) -> (Vec<i64>, i64) { (row, denominator) }
}

fn rows(width: usize, most: usize) -> impl Strategy<Value = Vec<Vec<i64>>> {
    let row =
        (prop::collection::vec(-3i64..=3, width), -6i64..=6).prop_map(|(mut row, constant)| {
            row[0] = constant;
            row
        });
    prop::collection::vec(row, 0..=most)
}

fn system(n_dims: usize, most_unknown: usize) -> impl Strategy<Value = System> {
    (0..=2usize, 0..=most_unknown).prop_flat_map(move |(n_floors, n_unknown)| {
        let width = 1 + n_dims + n_floors + n_unknown;
        (prop::collection::vec(floor(n_dims), n_floors), rows(width, 2), rows(width, 3)).prop_map(
            move |(floors, equalities, inequalities)| System {
                n_dims,
                floors,
                n_unknown,
                equalities,
                inequalities,
            },
        )
    })
}

/// Two or three floors of three dimensions, the last perhaps of the other floors too, and one or
/// two equalities that have most of them.
fn equalities_between_floors() -> impl Strategy<Value = System> {
    (2..=3usize, any::<bool>()).prop_flat_map(|(n_floors, nested)| {
        let width = 4 + n_floors;
        let floors: Vec<_> = (0..n_floors)
            .map(|at| floor(if nested && at + 1 == n_floors { 3 + at } else { 3 }))
            .collect();
        let coefficients = prop::collection::vec(-3i64..=3, width);
        let equality = (coefficients, -6i64..=6).prop_map(|(mut row, constant)| {
            row[0] = constant;
            row
        });
        (floors, prop::collection::vec(equality, 1..=2), rows(width, 2)).prop_map(
            |(floors, equalities, inequalities)| System {
                n_dims: 3,
                floors,
                n_unknown: 0,
                equalities,
                inequalities,
            },
        )
    })
}

fn set_space(n: usize) -> Space {
    Space::set(&[], Tuple::named("S", n))
}

fn map_space(n_in: usize, n_out: usize) -> Space {
    Space::map(&[], Tuple::named("A", n_in), Tuple::named("B", n_out))
}

fn ints(point: &[i64]) -> Vec<Int> {
    point.iter().map(|&value| Int::from(value)).collect()
}

/// Fails unless the relation contains exactly the given points of the box.
#[track_caller]
fn check(map: &Map, n: usize, expected: impl Fn(&[i64]) -> bool) {
    let budget = Budget::steps(20_000_000);
    for point in boxed_points(n) {
        let found = map.contains_point(&ints(&point), &budget).unwrap();
        assert_eq!(found, expected(&point), "{point:?} in {:?}", map.basic_maps());
    }
}

/// Projection and elimination of one dimension against enumeration.
#[track_caller]
fn check_projection(system: &System, first: usize) {
    let set = Map::from_basic_map(system.build(set_space(3)));
    let points = system.points();
    let projected = set.project_out(DimKind::Out, first, 1);
    check(&projected, 2, |point| {
        points.iter().any(|whole| {
            let mut rest = whole.clone();
            rest.remove(first);
            rest == point
        })
    });
    let eliminated = set.eliminate(DimKind::Out, first, 1);
    check(&eliminated, 3, |point| {
        points.iter().any(|whole| (0..3).all(|i| i == first || whole[i] == point[i]))
    });
}

/// Once lost the lower bound of the second dimension.
#[test]
fn an_equality_between_floors_of_a_projected_dimension_keeps_its_bounds() {
    let system = System {
        n_dims: 3,
        floors: vec![(vec![0, 0, -2, -2], 3), (vec![-1, 0, 0, -2], 2)],
        n_unknown: 0,
        equalities: vec![vec![-2, 0, -1, -2, 1, -3]],
        inequalities: Vec::new(),
    };
    check_projection(&system, 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_normal_form_keeps_the_points(system in system(2, 2)) {
        let set = Map::from_basic_map(system.build(set_space(2)));
        check(&set, 2, |point| system.contains(point));
    }

    #[test]
    fn enumeration_finds_the_points(system in system(2, 1)) {
        let set = Map::from_basic_map(system.build(set_space(2)));
        let found = set.points(1000, &Budget::steps(20_000_000)).unwrap();
        let expected: Vec<Vec<Int>> = system.points().iter().map(|point| ints(point)).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn intersection(a in system(2, 1), b in system(2, 1)) {
        let a_set = Map::from_basic_map(a.build(set_space(2)));
        let both = a_set.intersect(&b.build(set_space(2)).into()).unwrap();
        check(&both, 2, |point| a.contains(point) && b.contains(point));
    }

    #[test]
    fn projection(system in system(3, 0), first in 0usize..3) {
        check_projection(&system, first);
    }

    /// Such equalities were once left between unknowns, which lost bounds.
    #[test]
    fn projection_of_equalities_between_floors(
        system in equalities_between_floors(), first in 0usize..3, kept in 0usize..3,
    ) {
        check_projection(&system, first);
        let set = Map::from_basic_map(system.build(set_space(3)));
        let last = set.project_out(DimKind::Out, kept + 1, 2 - kept).project_out(DimKind::Out, 0, kept);
        let points = system.points();
        check(&last, 1, |point| points.iter().any(|whole| whole[kept] == point[0]));
    }

    #[test]
    fn domain_range_and_reverse(system in system(3, 0)) {
        let map = Map::from_basic_map(system.build(map_space(1, 2)));
        let points = system.points();
        check(map.domain().as_map(), 1, |x| points.iter().any(|pair| pair[..1] == *x));
        check(map.range().as_map(), 2, |y| points.iter().any(|pair| pair[1..] == *y));
        check(&map.reverse(), 3, |p| system.contains(&[p[2], p[0], p[1]]));
    }

    #[test]
    fn composition(a in system(2, 0), b in system(3, 0)) {
        let left = Map::from_basic_map(a.build(map_space(1, 1)));
        let right = b.build(Space::map(&[], Tuple::named("B", 1), Tuple::named("C", 2)));
        let composed = left.apply_range(&right.into()).unwrap();
        let (a, b) = (a.points(), b.points());
        check(&composed, 3, |p| a.iter().any(|x| {
            x[0] == p[0] && b.iter().any(|y| y[0] == x[1] && y[1..] == p[1..])
        }));
    }

    #[test]
    fn products(a in system(2, 1), b in system(2, 1)) {
        let left = Map::from_basic_map(a.build(map_space(1, 1)));
        let right: Map = b.build(map_space(1, 1)).into();
        let ranges = left.range_product(&right).unwrap();
        check(&ranges, 3, |p| a.contains(&[p[0], p[1]]) && b.contains(&[p[0], p[2]]));
        let domains = left.domain_product(&right).unwrap();
        check(&domains, 3, |p| a.contains(&[p[0], p[2]]) && b.contains(&[p[1], p[2]]));
        let curried = domains.curry().unwrap();
        check(&curried.uncurry().unwrap(), 3, |p| {
            a.contains(&[p[0], p[2]]) && b.contains(&[p[1], p[2]])
        });
    }

    #[test]
    fn differences(system in system(2, 0)) {
        let map = Map::from_basic_map(system.build(Space::map(
            &[], Tuple::named("A", 1), Tuple::named("A", 1),
        )));
        let points = system.points();
        check(map.deltas().unwrap().as_map(), 1, |d| points.iter().any(|p| p[1] - p[0] == d[0]));
    }

    #[test]
    fn over_approximations_keep_the_points(system in system(2, 2)) {
        let set = Map::from_basic_map(system.build(set_space(2)));
        let hulls = [
            set.remove_locals(),
            set.remove_unknown_locals(),
            set.remove_locals_involving_dims(DimKind::Out, 0, 1),
            set.drop_constraints_involving_dims(DimKind::Out, 0, 1),
        ];
        prop_assert!(hulls[0].basic_maps().iter().all(|basic| basic.locals().is_empty()));
        prop_assert!(!hulls[3].involves_dims(DimKind::Out, 0, 1));
        for hull in hulls {
            for point in system.points() {
                prop_assert!(hull.contains_point(&ints(&point), &Budget::unlimited()).unwrap());
            }
        }
    }
}

#[test]
fn a_floor_that_merges_into_a_congruence_is_replaced() {
    let map = Map::parse("{ [i,j] -> [x] : exists a, b : x = 4a + 6b and i = 2a and 0 <= b <= j }");
    let domain = map.unwrap().domain();
    assert_eq!(domain.to_string(), "{ [i, j] : (i) mod 2 = 0 and j >= 0 }");
}

#[test]
fn parameters_are_aligned_by_name() {
    let a = Set::parse("[n, m] -> { S[i] : n <= i <= m }").unwrap();
    let b = Set::parse("[m, k] -> { S[i] : i <= m - k }").unwrap();
    let both = a.intersect(&b).unwrap();
    let names: Vec<&str> = both.space().param_names().iter().map(|name| &**name).collect();
    assert_eq!(names, ["n", "m", "k"]);
    let budget = Budget::unlimited();
    assert!(both.contains_point(&ints(&[1, 5, 2, 3]), &budget).unwrap());
    assert!(!both.contains_point(&ints(&[1, 5, 2, 4]), &budget).unwrap());
}

#[test]
fn lexicographic_order_of_pairs() {
    let space = set_space(2);
    type Order = fn(&[i64], &[i64]) -> bool;
    let orders: [(Map, Order); 4] = [
        (Map::lex_lt(&space), |x, y| x < y),
        (Map::lex_le(&space), |x, y| x <= y),
        (Map::lex_gt(&space), |x, y| x > y),
        (Map::lex_ge(&space), |x, y| x >= y),
    ];
    for (order, expected) in orders {
        check(&order, 4, |p| expected(&p[..2], &p[2..]));
    }
}

#[test]
fn dimensions_move_between_kinds() {
    let map =
        Map::parse("[n] -> { A[i, j] -> B[k] : i + 2j + 3k = n and 0 <= i < j < k }").unwrap();
    let moved = map.move_dims(DimKind::Param, 0, DimKind::In, 1, 1);
    assert_eq!(&*moved.space().param_names()[0], "j");
    let original = map.move_dims(DimKind::Out, 1, DimKind::In, 0, 1);
    check(&original, 4, |p| {
        p[3] + 2 * p[1] + 3 * p[2] == p[0] && 0 <= p[3] && p[3] < p[1] && p[1] < p[2]
    });
    check(&moved, 4, |p| {
        p[2] + 2 * p[0] + 3 * p[3] == p[1] && 0 <= p[2] && p[2] < p[0] && p[0] < p[3]
    });
}

#[test]
fn unions_distribute_over_the_spaces() {
    let budget = Budget::unlimited();
    let writes = UnionMap::parse("{ S[i] -> A[i] : 0 <= i < 9; T[i] -> B[i, i] }").unwrap();
    let reads = UnionMap::parse("{ U[i] -> A[i + 1]; U[i] -> B[0, i]; U[i] -> C[] }").unwrap();
    let flow = writes.eq_at(&reads).unwrap();
    let expected = "{ S[i] -> U[i - 1] : 0 <= i < 9; T[i] -> U[i] : i = 0 }";
    assert!(flow.is_equal(&UnionMap::parse(expected).unwrap(), &budget).unwrap());
    let domain = flow.domain();
    assert!(domain.is_subset(&writes.domain(), &budget).unwrap());
    assert_eq!(domain.sets().len(), 2);
    let wrapped = flow.wrap();
    assert!(wrapped.unwrap().unwrap().is_equal(&flow, &budget).unwrap());
    let rest = writes.subtract_domain(&domain, &budget).unwrap();
    let expected = UnionMap::parse("{ T[i] -> B[i, i] : i < 0 or i > 0 }").unwrap();
    assert!(rest.is_equal(&expected, &budget).unwrap());
    assert!(writes.is_single_valued(&budget).unwrap() && !reads.is_single_valued(&budget).unwrap());
}

#[test]
fn bounded_dimensions() {
    let set = Set::parse("[n] -> { [i, j, k] : 0 <= i <= j <= n and k mod 4 = 1 and k >= j }");
    let set = set.unwrap();
    let bounded: Vec<bool> = (0..3).map(|position| set.dim_is_bounded(position)).collect();
    assert_eq!(bounded, [true, true, false]);
}
