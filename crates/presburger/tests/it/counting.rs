//! Counts and sums against enumeration, and against answers that are known.
use crate::random_counts::{Shape, check_random, check_random_sums, ints, points};
use crate::random_sets::budget;
use loopwright_presburger::{Budget, Int, Map, PwQPolynomial, Set, UnionMap, UnionSet, Value};

/// Sets that take more are left out, at most one of ten.
const STEPS: u64 = 200_000;

#[test]
fn counts_of_random_sets_are_those_of_enumeration() {
    check_random(1, 250, (STEPS, 10), |numbers| Shape {
        n_params: usize::try_from(numbers.of(0..=2)).unwrap(),
        n_dims: usize::try_from(numbers.of(1..=2)).unwrap(),
        has_existential: numbers.of(0..=2) == 0,
        side: 3,
    });
}

#[test]
fn counts_of_random_sets_of_three_dimensions_are_those_of_enumeration() {
    check_random(2, 60, (STEPS, 10), |numbers| Shape {
        n_params: usize::try_from(numbers.of(0..=1)).unwrap(),
        n_dims: 3,
        has_existential: false,
        side: 2,
    });
}

#[test]
fn sums_over_random_sets_are_those_of_enumeration() {
    check_random_sums(5, 100, (STEPS, 8), |numbers| {
        let n_dims = usize::try_from(numbers.of(1..=3)).unwrap();
        Shape {
            n_params: usize::try_from(numbers.of(0..=(4 - n_dims as i64).min(2))).unwrap(),
            n_dims,
            has_existential: false,
            side: [0, 5, 4, 2][n_dims],
        }
    });
}

/// A cube cut by slanted planes, of which one variable after the other makes many parts.
#[test]
fn sums_go_by_vertices() {
    let text = "[n] -> { [i, j, k] -> i*j*k : 0 <= i, j, k <= n and 2i + 3j - k <= n and i + j + 2k <= 2n }";
    let function = PwQPolynomial::parse(text).unwrap();
    let sum = function.sum(&Budget::steps(1_000_000)).unwrap();
    for n in 0..=8i64 {
        let inside = points(3, &(0..=n))
            .into_iter()
            .filter(|x| 2 * x[0] + 3 * x[1] - x[2] <= n && x[0] + x[1] + 2 * x[2] <= 2 * n);
        let expected = Value::from(inside.map(|x| x.iter().product::<i64>()).sum::<i64>());
        assert_eq!(sum.eval(&[Int::from(n)], &budget()).unwrap(), expected, "{n}");
    }
}

/// What is known of counts: the set, its parameters, and the count at some of their values.
fn check_values(text: &str, values: &[(&[i64], i64)]) {
    let count = Set::parse(text).unwrap().card(&budget()).unwrap();
    for (at, expected) in values {
        let found = count.eval(&ints(at), &budget()).unwrap();
        assert_eq!(found, Value::from(*expected), "{text} at {at:?}: {count}");
    }
}

#[test]
fn classical_counts() {
    let square = "[s] -> { [a,b,c,d,f,g,h,i,j] : a,b,c,d,f,g,h,i,j >= 0 and a+b+c = s and \
        d+f+g = s and h+i+j = s and a+d+h = s and b+f+i = s and c+g+j = s";
    // MacMahon's magic squares, and the third Birkhoff polytope.
    let magic = format!("{square} and a+f+j = s and c+f+h = s }}");
    check_values(&magic, &[(&[0], 1), (&[3], 5), (&[4], 0), (&[6], 13)]);
    check_values(&format!("{square} }}"), &[(&[0], 1), (&[1], 6), (&[2], 21), (&[3], 55)]);
    let table = "{ [a,b,c,d,f,g] : a,b,c,d,f,g >= 0 and a+b+c = 9 and d+f+g = 49 and a+d = 15 \
        and b+f = 22 and c+g = 21 }";
    check_values(table, &[(&[], 55)]);
    let change = "{ [a, b, c, d, f] : a,b,c,d,f >= 0 and a + 5b + 10c + 25d + 50f = 100 }";
    check_values(change, &[(&[], 292)]);
    let simplex = "[t] -> { [x, y, z] : x,y,z >= 0 and 15x + 10y + 6z <= 30t }";
    let polynomial = |t: i64| 1 + 4 * t + 8 * t * t + 5 * t * t * t;
    check_values(simplex, &[(&[0], 1), (&[1], polynomial(1)), (&[50], polynomial(50))]);
    // A cone of index near 10^6.
    let steep = "{ [x, y] : x >= 0 and y >= 0 and 1000003x + 1000033y <= 1000000000000 }";
    check_values(steep, &[(&[], 499_983_000_564)]);
}

#[test]
fn short_answers() {
    let answers = [
        ("[n] -> { [i] : 0 <= i < n }", "[n] -> { (n) : n > 0 }"),
        ("[n, m] -> { [i, j] : n <= i, j < m }", "[n, m] -> { (-2*n*m + n^2 + m^2) : m > n }"),
        ("[n] -> { [i] : 6i = n }", "[n] -> { (1) : (n) mod 6 = 0 }"),
        ("[n] -> { [i] : 0 <= 2i <= n }", "[n] -> { (floor((n)/2) + 1) : n >= 0 }"),
        (
            "[n] -> { [i, j] : i,j >= 0 and 2i + 2j <= n }",
            "[n] -> { (1/2*floor((n)/2)^2 + 3/2*floor((n)/2) + 1) : n >= 0 }",
        ),
        (
            "[n, m] -> { [i, j] : 2i + 4j = n and 0 <= j <= m }",
            "[n, m] -> { (m + 1) : (n) mod 2 = 0 and m >= 0 }",
        ),
        ("[n] -> { [] : n >= 5 }", "[n] -> { (1) : n >= 5 }"),
        ("{ [i] : 1 <= i <= 0 }", "{ 0 }"),
        // A thread has one position in a block, and at most one block of sixteen.
        (
            "[n, b, t] -> { [i, j] : (4b - i) mod 16 = 0 and 0 <= b <= 3 and (t - j) mod 4 = 0 \
                and 0 <= t <= 3 and i <= j <= i + 3 and 0 <= i and j < n }",
            "[n, b, t] -> { (floor((15 + n - 4b - t)/16)) : 0 <= b <= 3 and 0 <= t < n and t <= 3 }",
        ),
    ];
    for (text, expected) in answers {
        assert_eq!(Set::parse(text).unwrap().card(&budget()).unwrap().to_string(), expected);
    }
}

#[test]
fn infinite_sets() {
    let count = |text: &str| Set::parse(text).unwrap().card(&budget()).unwrap();
    assert_eq!(count("{ [i] : i >= 0 }").to_string(), "{ infty }");
    let mixed = count("[n] -> { [i, j] : 0 <= i < n and 0 <= j and (j <= 5 or i = 3) }");
    let value = |n: i64| mixed.eval(&[Int::from(n)], &budget()).unwrap();
    assert_eq!((value(0), value(3), value(4)), (Value::from(0), Value::from(18), Value::Infinity));
    // Unbounded over the rational numbers, without integer points.
    let thin = count("{ [i, j] : 1 <= 3i - 6j <= 2 }");
    assert_eq!(thin.eval(&[], &budget()).unwrap(), Value::from(0));
    // An unbounded existential does not make a set infinite.
    let shadow = count("[n] -> { [i] : exists (e : 0 <= i < n and e >= i) }");
    assert_eq!(shadow.to_string(), "[n] -> { (n) : n > 0 }");
}

#[test]
fn images_are_counted_for_each_element() {
    let map = Map::parse(
        "[n] -> { [i] -> [x] : 0 <= i < n and (exists j : 0 <= j < n and 2x <= i + j <= 2x + 1) }",
    );
    let count = map.unwrap().card(&budget()).unwrap();
    for (n, i) in (0..7i64).flat_map(|n| (0..n).map(move |i| (n, i))) {
        let images =
            (0..n).map(|j| (i + j).div_euclid(2)).collect::<std::collections::BTreeSet<_>>();
        let found = count.eval(&ints(&[n, i]), &budget()).unwrap();
        assert_eq!(found, Value::from(i64::try_from(images.len()).unwrap()));
    }
    // Joined, the pairs before another one are those of smaller 32k + l.
    let before = "{ [i, j] -> [k, l] : (k < i or (k = i and l < j)) and 0 <= i, j, k, l <= 31 }";
    let count = Map::parse(before).unwrap().card(&budget()).unwrap();
    assert_eq!(
        count.to_string(),
        "{ [i, j] -> (32*i + j) : 0 <= i <= 31 and 0 <= j <= 31 and j > -i }"
    );
    let union = "[n] -> { A[i] -> B[j] : 0 <= j <= i < n; A[i] -> C[k] : 0 <= i < n and 0 <= k < 5; \
        D[] -> B[j] : 0 <= j < n }";
    let count = UnionMap::parse(union).unwrap().card(&budget()).unwrap();
    let expected = "[n] -> { A[i] -> (i + 6) : 0 <= i < n; D[] -> (n) : n > 0 }";
    assert_eq!(count.to_string(), expected);
    let cholesky = "[n] -> { C1[i, j, k] : 0 <= k < j < i < n; C2[i, j] : 0 <= j < i < n; \
        C3[i, k] : 0 <= k < i < n; C4[i] : 0 <= i < n }";
    let count = UnionSet::parse(cholesky).unwrap().card(&budget()).unwrap();
    let [count] = count.parts() else { panic!("{count}") };
    for n in 0..9 {
        let expected = Value::from((2 * n + 3 * n * n + n * n * n) / 6);
        assert_eq!(count.eval(&[Int::from(n)], &budget()).unwrap(), expected);
    }
}

/// The corners of a stencil are counted one by one: joined they are an octahedron.
#[test]
fn points_of_a_stencil_are_counted_one_by_one() {
    let text = "[n] -> { [i, j, k] -> [x, y, z] : 0 < i, j, k < n and 0 < x, y, z < n and (\
        (x - i = 0 and y - j = 0 and -1 <= z - k <= 1) or (x - i = 0 and z - k = 0 and -1 <= y - j <= 1 and y != j) or \
        (y - j = 0 and z - k = 0 and -1 <= x - i <= 1 and x != i)) }";
    let count = Map::parse(text).unwrap().card(&Budget::steps(500_000)).unwrap();
    let n = 5;
    for at in points(3, &(0..=n)) {
        let is_inside = |at: &Vec<i64>| at.iter().all(|x| 0 < *x && *x < n);
        let is_near = |x: &&Vec<i64>| {
            is_inside(x) && x.iter().zip(&at).map(|(x, i)| (x - i).abs()).sum::<i64>() <= 1
        };
        let near = points(3, &(0..=n)).iter().filter(is_near).count();
        let expected = Value::from(if is_inside(&at) { i64::try_from(near).unwrap() } else { 0 });
        let found = count.eval(&ints(&[n, at[0], at[1], at[2]]), &budget()).unwrap();
        assert_eq!(found, expected, "{at:?}: {count}");
    }
}

/// The sum at a value of `n`, over a box, of a function of `n`, `i` and `j`.
fn check_sum(text: &str) {
    let function = PwQPolynomial::parse(text).unwrap();
    let sum = function.sum(&budget()).unwrap();
    for n in -3..=9i64 {
        let values = points(2, &(-1..=10))
            .into_iter()
            .map(|point| function.eval(&ints(&[n, point[0], point[1]]), &budget()).unwrap());
        let expected = values.fold(Value::from(0), |sum, value| &sum + &value);
        assert_eq!(sum.eval(&[Int::from(n)], &budget()).unwrap(), expected, "{text} at {n}: {sum}");
    }
}

#[test]
fn sums_are_those_of_the_values() {
    check_sum("[n] -> { [i, j] -> i*j : 0 <= j <= i < n }");
    check_sum("[n] -> { [i, j] -> floor(i/2)*floor(i/3) : 0 <= i < n and j = 3 }");
    check_sum("[n] -> { [i, j] -> (n - i)^2*floor((i + 2j)/5) : 0 <= i, j < n }");
    check_sum(
        "[n] -> { [i, j] -> 1/2*i - j : 0 <= i < n and i <= 2j <= n; [i, j] -> 7 : i = -1 and 0 <= j < n }",
    );
    check_sum("[n] -> { [i, j] -> i : 0 <= i < n and i mod 2 = 0 and i <= 3j <= 2n and j >= 0 }");
    check_sum(
        "[n] -> { [i, j] -> floor((n + 3i)/4) : 0 <= i <= j and i + j < n or (i = n and 0 <= j <= 2 and 0 <= n < 9) }",
    );
}

#[test]
fn sums_over_pairs_are_functions_of_the_first() {
    let function =
        PwQPolynomial::parse("[n] -> { [[i] -> [j]] -> j^2 : 0 <= j <= i < n }").unwrap();
    let sum = function.sum(&budget()).unwrap();
    assert_eq!(sum.to_string(), "[n] -> { [i] -> (1/3*i^3 + 1/2*i^2 + 1/6*i) : 0 <= i < n }");
    let endless = PwQPolynomial::parse("{ [i] -> i : i >= 0 }").unwrap();
    let error = endless.sum(&budget()).unwrap_err().to_string();
    assert_eq!(error, "sum: infinitely many values that are not constant");
    let zero = PwQPolynomial::parse("{ [i] -> 0 : i >= 0 }").unwrap();
    assert_eq!(zero.sum(&budget()).unwrap().eval(&[], &budget()).unwrap(), Value::from(0));
}

#[test]
fn a_count_ends_with_its_budget() {
    let text = "[n] -> { [a,b,c,d,f,g] : 0 <= a,b,c,d,f,g <= n and 7a + 11b + 13c + 17d + 19f + 23g <= 71n }";
    let set = Set::parse(text).unwrap();
    let error = set.card(&Budget::steps(20_000)).unwrap_err();
    assert!(error.is_limit() && error.to_string().contains("card"), "{error}");
}

/// Taking residues of `i` changes the inner floor, by which the outer one depends on the rest of `i` once
/// more.
#[test]
fn floors_of_floors_keep_what_residues_leave() {
    let set = Set::parse(
        "[n] -> { [i, j] : j = -floor(i/2) + 2*floor((j + floor(i/2))/2) and 0 < i <= n - 2 and floor(i/2) <= j <= 3 + i }",
    );
    let set = set.unwrap();
    let budget = &Budget::unlimited();
    let count = set.card(budget).unwrap();
    for n in 0..20 {
        let points = (1..n - 1).map(|i: i64| (i / 2..=3 + i).step_by(2).count() as i64);
        let expected = Value::from(points.sum::<i64>());
        assert_eq!(count.eval(&[Int::from(n)], budget).unwrap(), expected, "n = {n}");
    }
}
