//! Random sets with parameters, existentials and congruences, counted or summed over and enumerated.
use loopwright_presburger::{Budget, Error, Int, PwQPolynomial, Set, Value};
use loopwright_testkit::cases;
use std::ops::RangeInclusive;

/// Numbers that are the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn of_seed(seed: u64) -> Self {
        Numbers(seed)
    }

    fn next(&mut self) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        i64::try_from(self.0 >> 40).unwrap()
    }

    pub(crate) fn of(&mut self, range: RangeInclusive<i64>) -> i64 {
        range.start() + self.next() % (range.end() - range.start() + 1)
    }

    /// A coefficient, mostly 0 or of one unit.
    fn coefficient(&mut self) -> i64 {
        [0, 0, 0, 1, 1, -1, -1, 1, 2, -2, 3, -4][usize::try_from(self.of(0..=11)).unwrap()]
    }
}

/// A constraint over parameters, dimensions and an existential: a row, and what holds of its value.
struct Condition {
    row: Vec<i64>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    NotNegative,
    Zero,
    Divisible(i64),
}

/// The shape of a random set: names, of which the first are parameters and the last may be an existential.
pub(crate) struct Shape {
    pub(crate) n_params: usize,
    pub(crate) n_dims: usize,
    pub(crate) has_existential: bool,
    pub(crate) side: i64,
}

const PARAMS: [&str; 2] = ["n", "m"];
const DIMS: [&str; 5] = ["i", "j", "k", "l", "o"];
/// The greatest absolute value of an existential.
const LIMIT: i64 = 7;

impl Shape {
    fn names(&self) -> Vec<&'static str> {
        let mut names = PARAMS[..self.n_params].to_vec();
        names.extend(&DIMS[..self.n_dims]);
        names.extend(self.has_existential.then_some("e"));
        names
    }

    fn conjunction(&self, numbers: &mut Numbers) -> Vec<Condition> {
        let n = self.names().len();
        let condition = |numbers: &mut Numbers| {
            let mut row = vec![numbers.of(-6..=6)];
            row.extend((0..n).map(|_| numbers.coefficient()));
            let kind = match numbers.of(0..=11) {
                0 => Kind::Zero,
                1 => Kind::Divisible(numbers.of(2..=5)),
                _ => Kind::NotNegative,
            };
            Condition { row, kind }
        };
        (0..numbers.of(1..=3)).map(|_| condition(numbers)).collect()
    }

    /// The text of a conjunction inside of a box whose upper sides are constant or the first parameter.
    fn text(&self, conditions: &[Condition], upper: Option<&str>) -> String {
        let names = self.names();
        let side = self.side;
        let upper = upper.map_or(String::new(), |upper| format!(" and X <= {upper}"));
        let mut parts: Vec<String> = DIMS[..self.n_dims]
            .iter()
            .map(|dim| format!("-{side} <= {dim} <= {side}{}", upper.replace('X', dim)))
            .collect();
        for Condition { row, kind } in conditions {
            let terms = row[1..].iter().zip(&names).filter(|(factor, _)| **factor != 0);
            let form =
                terms.fold(row[0].to_string(), |text, (f, name)| format!("{text} + {f}{name}"));
            parts.push(match kind {
                Kind::NotNegative => format!("{form} >= 0"),
                Kind::Zero => format!("{form} = 0"),
                Kind::Divisible(d) => format!("({form}) mod {d} = 0"),
            });
        }
        let all = parts.join(" and ");
        match self.has_existential {
            true => format!("(exists e : -{LIMIT} <= e <= {LIMIT} and {all})"),
            false => format!("({all})"),
        }
    }

    /// Whether a point (parameters and dimensions) satisfies a conjunction.
    fn contains(&self, conditions: &[Condition], point: &[i64], has_upper: bool) -> bool {
        let dims = &point[self.n_params..];
        let is_inside = dims.iter().all(|x| x.abs() <= self.side && (!has_upper || *x <= point[0]));
        let range = if self.has_existential { -LIMIT..=LIMIT } else { 0..=0 };
        is_inside
            && range.into_iter().any(|e| {
                conditions.iter().all(|Condition { row, kind }| {
                    let values = point.iter().chain(std::iter::once(&e));
                    let value =
                        row[0] + row[1..].iter().zip(values).map(|(a, b)| a * b).sum::<i64>();
                    match kind {
                        Kind::NotNegative => value >= 0,
                        Kind::Zero => value == 0,
                        Kind::Divisible(d) => value % d == 0,
                    }
                })
            })
    }
}

pub(crate) fn points(n: usize, range: &RangeInclusive<i64>) -> Vec<Vec<i64>> {
    (0..n).fold(vec![Vec::new()], |points, _| {
        let extended = points.into_iter().flat_map(|point: Vec<i64>| {
            range.clone().map(move |value| point.iter().copied().chain([value]).collect())
        });
        extended.collect()
    })
}

pub(crate) fn ints(point: &[i64]) -> Vec<Int> {
    point.iter().copied().map(Int::from).collect()
}

/// Longer answers are not read back.
const LONGEST_READ: usize = 20_000;

/// One or two conjunctions inside of a box.
struct RandomSet {
    shape: Shape,
    disjuncts: Vec<Vec<Condition>>,
    has_upper: bool,
}

impl RandomSet {
    fn new(shape: Shape, numbers: &mut Numbers) -> Self {
        let disjuncts = (0..numbers.of(1..=2)).map(|_| shape.conjunction(numbers)).collect();
        let has_upper = shape.n_params > 0 && numbers.of(0..=2) > 0;
        RandomSet { shape, disjuncts, has_upper }
    }

    /// The set, or the function with the given value on it.
    fn text(&self, value: Option<&str>) -> String {
        let upper = self.has_upper.then_some(PARAMS[0]);
        let texts: Vec<String> = self.disjuncts.iter().map(|d| self.shape.text(d, upper)).collect();
        let (params, dims) = (&PARAMS[..self.shape.n_params], &DIMS[..self.shape.n_dims]);
        let value = value.map_or(String::new(), |value| format!(" -> {value}"));
        let (params, dims) = (params.join(", "), dims.join(", "));
        format!("[{params}] -> {{ [{dims}]{value} : {} }}", texts.join(" or "))
    }

    /// Compares a function of the parameters with the sum of values at the points of the set.
    fn check(&self, text: &str, sum: &PwQPolynomial, value: impl Fn(&[i64]) -> i64) {
        let printed = sum.to_string();
        // Reading long sums takes most of the time.
        let read = (printed.len() < LONGEST_READ).then(|| PwQPolynomial::parse(&printed).unwrap());
        let shape = &self.shape;
        let dims = points(shape.n_dims, &(-shape.side..=shape.side));
        for param in points(shape.n_params, &(-4..=7)) {
            let all = dims.iter().map(|dims| [&param[..], dims].concat());
            let inside = all.filter(|point| {
                self.disjuncts.iter().any(|d| shape.contains(d, point, self.has_upper))
            });
            let expected = Value::from(inside.map(|point| value(&point)).sum::<i64>());
            let at = ints(&param);
            for sum in std::iter::once(sum).chain(&read) {
                let found = sum.eval(&at, &Budget::steps(1_000_000_000)).unwrap();
                assert_eq!(found, expected, "{text} at {param:?}: {sum}");
            }
        }
    }
}

/// What was found, if the limit was not reached.
fn within_limit(found: Result<PwQPolynomial, Error>, text: &str) -> Option<PwQPolynomial> {
    match found {
        Ok(found) => Some(found),
        Err(error) if error.is_limit() => None,
        Err(error) => panic!("{text}: {error}"),
    }
}

/// Compares counts of random sets with enumeration; sets that take more `steps` are left out, at most one of
/// `one_of`.
pub(crate) fn check_random(
    seed: u64,
    n_sets: usize,
    (steps, one_of): (u64, usize),
    shape: impl Fn(&mut Numbers) -> Shape,
) {
    let (mut numbers, mut n_counted) = (Numbers::of_seed(cases::seed(seed)), 0);
    for _ in 0..n_sets {
        let random = RandomSet::new(shape(&mut numbers), &mut numbers);
        let text = random.text(None);
        let count = Set::parse(&text).unwrap().card(&Budget::steps(steps));
        let Some(count) = within_limit(count, &text) else { continue };
        n_counted += 1;
        random.check(&text, &count, |_| 1);
    }
    assert!(
        n_counted * one_of >= n_sets * (one_of - 1),
        "only {n_counted} of {n_sets} sets were counted"
    );
}

/// Compares sums of random monomials over random sets with enumeration; sets that take more `steps` are left
/// out, at most one of `one_of`.
pub(crate) fn check_random_sums(
    seed: u64,
    n_sets: usize,
    (steps, one_of): (u64, usize),
    shape: impl Fn(&mut Numbers) -> Shape,
) {
    let (mut numbers, mut n_summed) = (Numbers::of_seed(cases::seed(seed)), 0);
    for _ in 0..n_sets {
        let random = RandomSet::new(shape(&mut numbers), &mut numbers);
        let names = random.shape.names();
        let n = random.shape.n_params + random.shape.n_dims;
        let factors: Vec<usize> = (0..numbers.of(1..=4))
            .map(|_| usize::try_from(numbers.of(0..=n as i64 - 1)).unwrap())
            .collect();
        let monomial: Vec<&str> = factors.iter().map(|&factor| names[factor]).collect();
        let text = random.text(Some(&format!("3*{} - 2", monomial.join("*"))));
        let sum = PwQPolynomial::parse(&text).unwrap().sum(&Budget::steps(steps));
        let Some(sum) = within_limit(sum, &text) else { continue };
        n_summed += 1;
        random.check(&text, &sum, |point| {
            3 * factors.iter().map(|&factor| point[factor]).product::<i64>() - 2
        });
    }
    assert!(
        n_summed * one_of >= n_sets * (one_of - 1),
        "only {n_summed} of {n_sets} sums were found"
    );
}
