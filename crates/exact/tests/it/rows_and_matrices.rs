//! Rows against element-wise arithmetic, normal forms against their definitions.
use loopwright_exact::{Int, Matrix, Rational, Row};
use loopwright_testkit::cases::seed;
use proptest::prelude::*;

fn element() -> impl Strategy<Value = i64> {
    prop_oneof![4 => -5i64..6, 1 => any::<i64>(), 1 => (0u32..63).prop_map(|bits| 1i64 << bits)]
}

fn row(length: usize) -> impl Strategy<Value = Row> {
    let words = proptest::collection::vec(element(), length);
    (words, prop_oneof![3 => Just(1i64), 1 => any::<i64>()]).prop_map(|(words, factor)| {
        let mut row = Row::from_i64s(&words);
        row.scale(&Int::from(factor));
        row
    })
}

fn matrix() -> impl Strategy<Value = Matrix> {
    (1usize..5, 1usize..5).prop_flat_map(|(n_rows, n_columns)| {
        proptest::collection::vec(proptest::collection::vec(-6i64..7, n_columns), n_rows).prop_map(
            move |rows| {
                let rows = rows.iter().map(|row| Row::from_i64s(row)).collect();
                Matrix::new(rows, n_columns)
            },
        )
    })
}

fn collect(row: &Row) -> Vec<Int> {
    row.iter().collect()
}

proptest! {
    #[test]
    fn combinations(x in row(6), y in row(6), a in element(), b in element()) {
        let (a, b) = (Int::from(a), Int::from(b));
        let expected: Vec<Int> =
            x.iter().zip(y.iter()).map(|(x, y)| &a * x + &b * y).collect();
        let mut combined = x.clone();
        combined.combine(&a, &b, &y);
        prop_assert_eq!(collect(&combined), expected.clone());
        prop_assert_eq!(&Row::from_ints(expected), &combined, "the form is canonical");
        let mut reduced = x.clone();
        let divisor = reduced.combine_reduced(&a, &b, &y);
        prop_assert_eq!(combined.gcd(0..6), divisor.clone());
        reduced.scale(&divisor);
        prop_assert_eq!(reduced, combined);
        let product: Int = x.iter().zip(y.iter()).map(|(x, y)| x * y).sum();
        prop_assert_eq!(x.dot(&y), product);
    }

    #[test]
    fn elimination_keeps_the_direction(x in row(5), y in row(5), column in 0usize..5) {
        prop_assume!(!y.is_zero_at(column));
        let mut eliminated = x.clone();
        eliminated.eliminate(column, &y);
        prop_assert!(eliminated.is_zero_at(column));
        // p * x - f * y is a positive multiple of the result if p > 0.
        let (p, f) = (y.get(column), x.get(column));
        let mut expected = x.clone();
        let sign = Int::from(i64::from(p.signum()));
        expected.combine(&p.abs(), &-(f * sign), &y);
        expected.reduce();
        eliminated.reduce();
        prop_assert_eq!(eliminated, expected);
    }

    #[test]
    fn structure_of_rows(x in row(6), from in 0usize..4, count in 0usize..3, to in 0usize..4) {
        let mut moved = x.clone();
        moved.move_columns(from, count, to);
        let mut expected = collect(&x);
        let block: Vec<Int> = expected.drain(from..from + count).collect();
        expected.splice(to..to, block);
        prop_assert_eq!(collect(&moved), expected);
        let mut wider = x.clone();
        wider.insert_zeros(from, count);
        prop_assert!(wider.first_nonzero(from..from + count).is_none());
        wider.remove(from..from + count);
        prop_assert_eq!(&wider, &x);
        wider = x.widened(9);
        prop_assert_eq!(&wider.slice(0..6), &x);
        prop_assert!(wider.first_nonzero(6..9).is_none());
        prop_assert_eq!(&wider.without(6..9), &x);
    }

    #[test]
    fn columns_that_stay(x in row(6), first in 0usize..6, mask in 0u32..64) {
        let kept: Vec<usize> = (0..6 - first).filter(|column| mask >> column & 1 == 1).collect();
        let mut fewer = x.clone();
        fewer.retain_from(first, &kept);
        let mut expected = collect(&x.slice(0..first));
        expected.extend(kept.iter().map(|&column| x.get(first + column)));
        prop_assert_eq!(Row::from_ints(expected), fewer, "the form is canonical");
    }

    #[test]
    fn hermite_normal_form(c in matrix()) {
        let hermite = c.hermite();
        prop_assert_eq!(c.mul(&hermite.transform), hermite.form.clone());
        let n = c.n_columns();
        prop_assert_eq!(hermite.transform.mul(&hermite.inverse), Matrix::identity(n));
        prop_assert_eq!(hermite.rank(), c.rank());
        for (j, &row) in hermite.pivots.iter().enumerate() {
            let pivot = hermite.form.get(row, j);
            prop_assert!(pivot.is_positive());
            prop_assert!((0..row).all(|i| hermite.form.get(i, j).is_zero()));
            for k in 0..j {
                let left = hermite.form.get(row, k);
                prop_assert!(!left.is_negative() && left < pivot);
            }
        }
        for j in hermite.rank()..n {
            prop_assert!(hermite.form.column(j).is_zero());
        }
    }

    #[test]
    fn integer_solutions(c in matrix(), x in proptest::collection::vec(-4i64..5, 4)) {
        let x = Row::from_i64s(&x[..c.n_columns()]);
        let right = c.right_mul(&x);
        let solution = c.solve_integer(&right).expect("there is a solution by construction");
        prop_assert_eq!(c.right_mul(&solution.particular), right);
        prop_assert_eq!(solution.basis.n_rows(), c.n_columns() - c.rank());
        for vector in solution.basis.rows() {
            prop_assert!(c.right_mul(vector).is_zero());
        }
        // The difference is an integer combination of the basis.
        let mut difference = x;
        difference.add_scaled(&Int::MINUS_ONE, &solution.particular);
        if solution.basis.n_rows() > 0 {
            prop_assert!(solution.basis.transpose().solve_integer(&difference).is_some());
        } else {
            prop_assert!(difference.is_zero());
        }
    }

    #[test]
    fn unsolvable_systems(c in matrix(), right in proptest::collection::vec(-4i64..5, 4)) {
        let right = Row::from_i64s(&right[..c.n_rows()]);
        if c.solve_integer(&right).is_none() {
            let side: i64 = 9;
            let n = c.n_columns() as u32;
            for index in 0..side.pow(n) {
                let x: Vec<i64> = (0..n).map(|i| index / side.pow(i) % side - 4).collect();
                prop_assert_ne!(c.right_mul(&Row::from_i64s(&x)), right.clone());
            }
        }
    }

    #[test]
    fn completion_to_unimodular(c in matrix(), k in 1usize..4) {
        // Rows of a unimodular matrix can be completed.
        let inverse = c.hermite().inverse;
        prop_assert!(inverse.inverse_unimodular().is_some());
        let k = k.min(inverse.n_rows());
        let some = Matrix::new(inverse.rows()[..k].to_vec(), inverse.n_columns());
        let completed = some.unimodular_completion().expect("these rows can be completed");
        prop_assert_eq!(&completed.rows()[..k], some.rows());
        let back = completed.inverse_unimodular().expect("the completion is unimodular");
        prop_assert_eq!(completed.mul(&back), Matrix::identity(completed.n_rows()));
        // A multiple of a row cannot.
        let mut gap = some;
        gap.row_mut(0).scale(&Int::from(2));
        prop_assert!(gap.unimodular_completion().is_none());
    }

    #[test]
    fn smith_normal_form(c in matrix()) {
        let smith = c.smith();
        let form = smith.left.mul(&c).mul(&smith.right);
        prop_assert!(smith.left.inverse_unimodular().is_some());
        prop_assert!(smith.right.inverse_unimodular().is_some());
        prop_assert_eq!(smith.factors.len(), c.rank());
        for i in 0..form.n_rows() {
            for j in 0..form.n_columns() {
                let expected = if i == j { smith.factors.get(i).cloned() } else { None };
                prop_assert_eq!(form.get(i, j), expected.unwrap_or_default());
            }
        }
        for pair in smith.factors.windows(2) {
            prop_assert!(pair[1].is_divisible_by(&pair[0]));
        }
    }
}

#[test]
fn matrices_without_rows_or_columns() {
    let none = Matrix::zeros(0, 3);
    assert_eq!(none.nullspace().n_rows(), 3);
    assert_eq!(none.solve_integer(&Row::zeros(0)).unwrap().basis.n_rows(), 3);
    let thin = Matrix::zeros(2, 0);
    assert_eq!(thin.hermite().form, thin);
    assert!(thin.solve_integer(&Row::from_i64s(&[0, 1])).is_none());
    assert!(thin.solve_integer(&Row::zeros(2)).is_some());
}

#[test]
fn rows_leave_words_and_return() {
    let mut row = Row::from_i64s(&[i64::MAX, 2]);
    row.scale(&Int::from(i64::MAX));
    assert!(row.as_i64s().is_none());
    row.div_exact(&Int::from(i64::MAX));
    assert_eq!(row.as_i64s(), Some(&[i64::MAX, 2][..]));
    row.set(0, Int::from(i64::MIN));
    assert!(row.as_i64s().is_none());
    row.set(0, Int::ONE);
    assert_eq!(row.as_i64s(), Some(&[1, 2][..]));
}

/// Reduced bases span the same lattice and satisfy Lovász' condition, with rational arithmetic.
#[test]
fn reduced_bases() {
    let mut state = seed(7);
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as i64 % 41 - 20
    };
    for n in 1..6 {
        for _ in 0..40 {
            let rows: Vec<Row> = (0..n)
                .map(|_| Row::from_i64s(&(0..n).map(|_| next()).collect::<Vec<_>>()))
                .collect();
            let matrix = Matrix::new(rows, n);
            let inverse = matrix.adjugate();
            assert_eq!(inverse.is_none(), matrix.rank() < n);
            let Some((adjugate, determinant)) = inverse else {
                assert_eq!(matrix.lattice_reduced(), None);
                continue;
            };
            let product = matrix.mul(&adjugate);
            assert!((0..n).all(|i| (0..n).all(|j| {
                product.get(i, j) == if i == j { determinant.clone() } else { Int::ZERO }
            })));
            let reduced = matrix.lattice_reduced().unwrap();
            assert_eq!(reduced.transpose().hermite().form, matrix.transpose().hermite().form);
            check_reduced(&reduced);
        }
    }
}

fn check_reduced(basis: &Matrix) {
    let ratio = |a: &Rational, b: &Rational| a / b;
    let dot = |a: &[Rational], b: &[Rational]| {
        a.iter().zip(b).fold(Rational::zero(), |sum, (x, y)| sum + x * y)
    };
    let mut orthogonal: Vec<Vec<Rational>> = Vec::new();
    for row in basis.rows() {
        let mut vector: Vec<Rational> = row.iter().map(Rational::from).collect();
        let original = vector.clone();
        let mut last = Rational::zero();
        for base in &orthogonal {
            last = ratio(&dot(&original, base), &dot(base, base));
            assert!(last.abs() <= Rational::new(Int::ONE, Int::from(2)));
            for (x, y) in vector.iter_mut().zip(base) {
                *x = &*x - &(&last * y);
            }
        }
        if let Some(before) = orthogonal.last() {
            let bound = Rational::new(Int::from(3), Int::from(4)) - &last * &last;
            assert!(dot(&vector, &vector) >= bound * dot(before, before));
        }
        orthogonal.push(vector);
    }
}
