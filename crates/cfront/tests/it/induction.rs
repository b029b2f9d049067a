//! Variables whose values are affine functions of iterators, against loops that run.
use crate::common::{body_at, extract, function, map_contains, points, scop};
use loopwright_scop::{AccessKind, BodyPiece, Scop};
use std::collections::BTreeSet;

/// The elements of `A` that the instances of all statements write, in any order.
fn written(scop: &Scop, params: &[i64]) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for statement in &scop.statements {
        for access in &statement.accesses {
            let is_write = access.kind == AccessKind::MustWrite;
            if !is_write || &*scop.arrays[access.array.0 as usize].name != "A" {
                continue;
            }
            for instance in points(&statement.domain, params, -3, 12) {
                let at =
                    |x: &i64| map_contains(&access.relation, &[params, &instance, &[*x]].concat());
                found.extend((-20..60).filter(at));
            }
        }
    }
    found
}

/// No statement but the assignments reads a scalar, and the elements of `A` that are written are those
/// that a Rust function yields.
fn check(before: &str, region: &str, run: impl Fn(i64) -> Vec<i64>) {
    let scop = scop("int n, double *A, double *x", before, region);
    let names: Vec<&str> = scop.parameters.iter().map(|p| &*p.name).collect();
    assert!(names.iter().all(|name| *name == "n"), "{region}: {names:?}");
    for n in -2..7 {
        let params = vec![n; names.len()];
        let expected: BTreeSet<i64> = run(n).into_iter().collect();
        assert_eq!(written(&scop, &params), expected, "{region} for n = {n}");
    }
}

#[test]
fn a_constant_is_added_in_each_iteration() {
    check("int i, k;", "k = 0; for (i = 0; i < n; i++) { A[k] = i; k += 2; }", |n| {
        (0..n).map(|i| 2 * i).collect()
    });
    check("int i, k;", "k = 7; for (i = n; i > 0; i -= 2) { k--; A[k] = i; k = 2 + k; }", |n| {
        (0..(n + 1).max(0) / 2).map(|x| 6 + x).collect()
    });
    check("int i, k = 3;", "for (i = 0; i < n; i++) A[k++] = i;", |n| {
        (0..n).map(|i| 3 + i).collect()
    });
    check("int i; long k = 3;", "for (i = 0; i < n; i++) A[--k] = i;", |n| {
        (0..n).map(|i| 2 - i).collect()
    });
    check("int i; unsigned k = 3;", "for (i = 0; i < n; i++) { k += 3; A[k] = i; }", |n| {
        (0..n).map(|i| 6 + 3 * i).collect()
    });
}

#[test]
fn pointers_walk_by_what_each_iteration_adds() {
    check("int i; double *p = A;", "for (i = 0; i < n; i++) *p++ = i;", |n| (0..n).collect());
    check("int i; double *p;", "p = A + 3; for (i = 0; i < n; i++) { p += 2; *--p = i; }", |n| {
        (0..n).map(|i| 4 + i).collect()
    });
    check(
        "int i, j; double *p;",
        "for (i = 0; i < n; i++) { p = &A[2 * i]; for (j = 0; j < 3; j++) *p++ = j; *p = 1; }",
        |n| (0..n).flat_map(|i| (0..4).map(move |j| 2 * i + j)).collect(),
    );
    check("double *p;", "for (p = A + 1; p < A + n; p += 2) p[1] = 0;", |n| {
        (1..n).step_by(2).map(|i| i + 1).collect()
    });
    check("double *p;", "for (p = A + n; p >= A; p--) *p = 0;", |n| (0..=n).collect());
    // Between two settings it leads to one array, a branch at an end does not matter.
    check(
        "int i; double *p = x;",
        "for (i = 0; i < n; i++) *p++ = i; p = A; p++; if (n > 3) { p++; *p = 0; }",
        |n| (n > 3).then_some(2).into_iter().collect(),
    );
}

#[test]
fn nests_advance_by_their_iterations() {
    let nest = "k = 0; for (i = 0; i < n; i++) { for (j = 0; j < 3; j++) A[k++] = j; k++; }";
    check("int i, j, k;", nest, |n| (0..n).flat_map(|i| (0..3).map(move |j| 4 * i + j)).collect());
    let after = "k = 0; for (i = 0; i < n; i++) k += 2; A[k] = 1;";
    check("int i, k;", after, |n| vec![2 * n.max(0)]);
    let both = "k = 1; for (i = 0; i < n; i++) k++; for (i = 2; i < n; i++) { A[k] = 1; k++; }";
    check("int i, k;", both, |n| (2..n).map(|i| 1 + n + i - 2).collect());
}

#[test]
fn what_is_assigned_in_an_iteration_is_known_in_it() {
    check("int i, j;", "for (i = 0; i < n; i++) { j = i + 1; A[j] = j; }", |n| (1..=n).collect());
    check("int i;", "for (i = 0; i < n; i++) { int t = n - i; t *= 1; A[n - i] = 0; }", |n| {
        (1..=n).collect()
    });
    check("int i, t;", "for (i = 0; i < n; i++) { t = n - i; if (t > 2) A[t] = 0; }", |n| {
        (3..=n).collect()
    });
    check(
        "int i, j, t;",
        "t = n - 1; for (i = 0; i < t; i++) for (j = t; j > i; j--) A[j] = 0;",
        |n| (1..n).collect(),
    );
}

#[test]
fn values_are_written_and_assignments_marked() {
    let text = function(
        "int n, double *A",
        "int i, k;",
        "k = 5; for (i = 0; i < n; i++) { A[i] = k; k -= 3; }",
        "A[0] = k;",
    );
    let regions = extract(&text).expect("it has a model");
    let scop = &regions[0].scop;
    assert_eq!(body_at(&scop.statements[1], &[9, 2]), "A[2] = <-1>");
    assert_eq!(body_at(&scop.statements[2], &[9, 2]), "k = <-4>");
    let updates: Vec<u32> = regions[0].updates.iter().map(|id| id.0).collect();
    assert_eq!(updates, [0, 2]);
    assert!(scop.statements.iter().flat_map(|s| &s.accesses).all(|a| a.kind != AccessKind::Read));
}

/// Whether some statement reads the scalar `k`: nothing better than its memory is known.
fn reads_k(before: &str, region: &str) -> bool {
    let scop = scop("int n, double *A, int *c", before, region);
    let is_read = |a: &loopwright_scop::Access| {
        a.kind == AccessKind::Read && &*scop.arrays[a.array.0 as usize].name == "k"
    };
    scop.statements.iter().flat_map(|s| &s.accesses).any(is_read)
}

#[test]
fn other_changes_go_through_memory() {
    for region in [
        "k = 0; for (i = 0; i < n; i++) { A[k] = 0; k += i; }",
        "k = 0; for (i = 0; i < n; i++) { if (i < 5) k++; A[k] = 0; }",
        "k = 0; for (i = 0; i < n; i++) { if (c[i]) k++; A[k] = 0; }",
        "k = 0; for (i = 0; i < n; i++) { A[k] = 0; k = 2 * k + 1; }",
        "k = 0; for (i = 0; i < n; i++) { A[k] = 0; k = i + 2; }",
        "k = 0; for (i = 0; i < n; i++) { for (j = 0; j < i; j++) k++; A[k] = 0; }",
        "k = 0; for (i = 0; i < n; i++) { while (c[i] > k) k++; A[k] = 0; }",
        "k = 0; for (i = 0; i < n; i++) { A[k] = A[k++]; }",
        "k = 0; for (i = 0; i < n; i++) { c[i] && k++; A[k] = 0; }",
        "for (i = 0; i < n; i++) { A[k] = 0; k += 1; }",
        "k = n; for (i = 0; i < k; i++) { A[i] = 0; k--; }",
        "k = 3; for (i = 0; i < n; i += k) { A[i] = 0; k++; }",
    ] {
        assert!(reads_k("int i, j, k = c[0];", region), "{region}");
    }
    // Types that wrap around, or that others may change.
    let region = "k = 0; for (i = 0; i < n; i++) { A[k] = 0; k++; }";
    assert!(!reads_k("int i, k;", region));
    for before in [
        "int i; unsigned char k;",
        "int i; short k;",
        "int i; static int k;",
        "int i, k; int *p = &k;",
    ] {
        assert!(reads_k(before, region), "{before}");
    }
    let down = "k = n; for (i = 0; i < n; i++) { A[k] = 0; k--; }";
    assert!(!reads_k("int i, k;", down) && reads_k("int i; unsigned k;", down));
}

#[test]
fn values_from_before_the_region_are_those_of_straight_code() {
    let region = "for (i = 0; i < n; i++) { A[k] = 0; k++; }";
    assert!(!reads_k("int i, k = 0; c[1] = 2;", region));
    assert!(!reads_k("int i, k; k = n + 1;", region));
    assert!(reads_k("int i, k = 0; k++;", region));
    assert!(reads_k("int i, k = 0; if (n > 3) k = 1;", region));
    assert!(reads_k("int i, k = 0; while (k < n) k++;", region));
    assert!(reads_k("int i, k = n; n = 2;", region));
    assert!(reads_k("int i, k = 0; again: ;", region));
}

#[test]
fn products_are_subscripts_of_linearised_arrays() {
    let scop = scop(
        "int n, int m, double *A",
        "int i, j, k;",
        "k = 0; for (i = 0; i < n; i++) for (j = 0; j < m; j++) { A[k] = 0; k++; }",
    );
    let access = &scop.statements[1].accesses[0];
    let at = |n, m, i, j, x, y| map_contains(&access.relation, &[n, m, i, j, x, y]);
    assert!(at(3, 4, 2, 1, 2, 1) && !at(3, 4, 2, 1, 1, 1) && !at(3, 4, 2, 1, 2, 2));
}

#[test]
fn heads_may_have_several_parts() {
    check("int i, k;", "for (i = 0, k = 3; i < n; i++, k += 2) A[k] = i;", |n| {
        (0..n).map(|i| 3 + 2 * i).collect()
    });
    check("int i, k;", "for (k = n, i = k; i > 0; k--, i--) A[k] = i;", |n| (1..=n).collect());
    check("int i, m;", "for (i = 0, m = n - 2; i < m; i++) A[i] = 1;", |n| (0..n - 2).collect());
    check(
        "int i, j, k = 0;",
        "for (i = 0; i < n; i++) for (j = 0; j < 2; k++, j++) A[k] = 1;",
        |n| (0..2 * n).collect(),
    );
    // The name is an iterator, too.
    check(
        "int i, k;",
        "for (i = 0, k = 0; i < n; i++, k++) A[k] = 1; for (k = 0; k < 3; k++) A[9 + k] = 1;",
        |n| (0..n).chain(9..12).collect(),
    );
}

#[test]
fn heads_whose_parts_depend_on_each_other_count() {
    let values = |head: &str, n: i64, k: fn(i64) -> i64, n_iterations: i64| {
        let region = format!("for ({head}) {{ A[i] = 1; A[k + 50] = 2; }}");
        let scop = scop("int n, double *A", "int i = 0, k = 4;", &region);
        let expected = (0..n_iterations).flat_map(|i| [i, k(i) + 50]).collect();
        assert_eq!(written(&scop, &vec![n; scop.parameters.len()]), expected, "{head}");
    };
    for n in -1..12 {
        values("i = 0, k = i; i < n; i++", n, |_| 0, n);
        values("i = k, k = 0, i -= 4; i < n; i++", n, |_| 0, n);
        values("i = 0, k = 9; i < k; i++, k--", n, |i| 9 - i, 5);
    }
}

#[test]
fn heads_without_a_condition_that_bounds_are_one_statement() {
    for head in ["i = 0, k = 0; i < n; i++, k = i * i", "k = 0, s = 1; i < n; i++"] {
        let region = format!("for ({head}) {{ A[i] = 1; A[k] = 2; s = i; i *= 2; }}");
        let text = function("int n, double *A", "int i = 0, k = 4; double s;", &region, "");
        let found = &extract(&text).expect("a region")[0];
        assert_eq!((found.scop.statements.len(), found.remarks.len()), (1, 1), "{head}");
    }
    let left = "for (i = 0, k = 3; i < n; i++, k += 2) { if (i > 4) break; A[k] = i; }";
    let found =
        &extract(&function("int n, double *A", "int i, k;", left, "")).expect("a region")[0];
    assert_eq!(found.scop.statements.len(), 1);
}

#[test]
fn loops_without_an_iterator_count() {
    check("int i = 0;", "while (i < n) { A[i] = 1; i++; }", |n| (0..n).collect());
    check("int i = 0;", "while (i < n) { A[i] = 1; i += 3; }", |n| (0..n).step_by(3).collect());
    check("int i = 9;", "while (i > n) { i -= 2; A[i] = 1; }", |n| {
        (0..).map(|t| 9 - 2 * t).take_while(|i| *i > n).map(|i| i - 2).collect()
    });
    check("int i = 6;", "while (i--) A[i + n] = 1;", |n| (0..6).map(|i| i + n).collect());
    check("int i = 6;", "while (--i >= 0) A[i + n] = 1; A[20 + i] = 1;", |n| {
        (0..6).map(|i| i + n).chain([19]).collect()
    });
    check("int i = 6;", "while (i-- > 0) A[i + n] = 1; A[20 + i] = 1;", |n| {
        (0..6).map(|i| i + n).chain([19]).collect()
    });
    check("int i = 0;", "for (; i < n; i++) A[i] = 1; A[30 + i] = 1;", |n| {
        (0..n).chain([30 + n.max(0)]).collect()
    });
    check("int i = 0, k = 5;", "for (; i < n;) { A[i++ + k] = 1; k++; }", |n| {
        (0..n).map(|i| 2 * i + 5).collect()
    });
    check(
        "int i, j, k = 0;",
        "for (i = 0; i < n; i++) { j = 3; while (j) { A[k++] = j; j--; } }",
        |n| (0..3 * n).collect(),
    );
    check(
        "int i = 0;",
        "while (i < 5) { int j = 0; while (j < n) { A[8 * i + j] = 1; j++; } i++; }",
        |n| (0..5).flat_map(|i| (0..n).map(move |j| 8 * i + j)).collect(),
    );
}

#[test]
fn loops_that_test_at_the_end_run_at_least_once() {
    check("int i = 0;", "do { A[i] = 1; i++; } while (i < n);", |n| (0..n.max(1)).collect());
    check("int i = 0;", "do { A[i] = 1; } while ((i += 3) < n);", |n| {
        (0..n.max(1)).step_by(3).collect()
    });
    check("int i = 4;", "do A[i--] = 1; while (i > n); A[30 + i] = 1;", |n| {
        (n.min(3) + 1..5).chain([30 + n.min(3)]).collect()
    });
    check("int i = 4;", "do A[i + n] = 1; while (--i > 0); A[30 + i] = 1;", |n| {
        (1..5).map(|i| i + n).chain([30]).collect()
    });
    check("int i = 0;", "do A[2 * i] = 1; while (i++ < n); A[30 + i] = 1;", |n| {
        let n = n.max(0);
        (0..=n).map(|i| 2 * i).chain([31 + n]).collect()
    });
    check(
        "int i, j, k = 0;",
        "for (i = 0; i < n; i++) { j = 3; do { A[k++] = j; } while (--j); }",
        |n| (0..3 * n).collect(),
    );
    check(
        "int i, k;",
        "do { k = n; A[0] = 1; } while (0); for (i = 0; i < k; i++) A[i] = 1;",
        |n| (0..n.max(1)).collect(),
    );
    check("double *p = A;", "do *p++ = 1; while (p < A + n);", |n| (0..n.max(1)).collect());
}

#[test]
fn what_the_region_changes_may_be_counted_from() {
    for region in
        ["while (n--) A[n] = 1;", "for (; n > 0; n--) A[n - 1] = 1;", "while (0 < n) A[--n] = 1;"]
    {
        let scop = scop("int n, double *A", "", region);
        let values: Vec<_> =
            scop.parameters.iter().map(|p| (&*p.name, p.value.as_deref())).collect();
        assert_eq!(values, [("n_value", Some("n"))], "{region}");
        for n in 0..5 {
            assert_eq!(written(&scop, &[n]), (0..n).collect(), "{region}");
        }
    }
}

/// Only a sum that iterations count with has to stay in its type: others wrap around as C says.
#[test]
fn unsigned_sums_of_data_need_nothing() {
    let region = "for (int i = 0; i < n; i++) { u = 8; u += x[i]; A[i] = u; }";
    let text = function("int n, double *A, unsigned *x", "unsigned u = 10;", region, "");
    let found = &extract(&text).expect("a region")[0];
    assert!(found.conditions.is_empty(), "{:?}", found.conditions);
}

/// An unsigned number that falls to 0 is counted; afterwards it has the greatest value of its type, which no
/// form says.
#[test]
fn unsigned_numbers_that_fall_to_zero_are_counted() {
    for region in
        ["while (u--) A[u] = 1;", "while (u-- > 0) A[u] = 1;", "while (0 != u--) A[u] = 1;"]
    {
        let region = format!("{region} A[0] = u / 100;");
        let text = function("int n, double *A", "unsigned u = 10;", &region, "");
        let found = &extract(&text).expect("a region")[0];
        let loops = found.scop.statements.iter().filter(|s| s.domain.n_dims() == 1);
        assert_eq!(loops.count(), 2, "{region}");
        let last = found.scop.statements.last().expect("a statement");
        assert!(
            last.body.pieces().iter().all(|piece| !matches!(piece, BodyPiece::Affine(_))),
            "{region}"
        );
    }
}

#[test]
fn loops_that_do_not_count_are_one_statement() {
    for region in [
        // The number of iterations depends on data, or is not affine.
        "while (A[i] > 0) { A[i] = 1; i++; }",
        "while (i < n && A[i] > 0) { A[i] = 1; i++; }",
        "while (i < n) { A[i] = 1; i *= 2; }",
        "while (i < n) { if (A[i] > 0) i++; A[i] = 1; i++; }",
        // It never ends, or what ends it is not a bound.
        "while (i < n) { A[i] = 1; i--; }",
        "while (i < n) A[i] = 1;",
        "while (1) { if (i > n) break; A[i] = 1; i++; }",
        "do { A[i] = 1; if (A[i] > 0) i++; } while (i < n);",
        "do { if (A[i] > 0) break; A[i] = 1; i++; } while (i < n);",
        "do { A[i] = 1; i--; } while (i < n);",
        // An unsigned number wraps around at the end, which is not known to be where it is 0.
        "while (u-- > 1) A[u] = 1;",
        "while (u-- > 0) { A[u] = 1; u--; }",
        "while (u-- < 20) A[u] = 1;",
        "do A[u] = 1; while (u-- > 0);",
        "while (u != 9) { A[u] = 1; u += 2; }",
    ] {
        let before = "int i = 0; unsigned u = 10;";
        let text = function("int n, double *A", before, &format!("A[0] = n; {region}"), "");
        let found = &extract(&text).expect("a region")[0];
        let n_dimensions = found.scop.statements.iter().map(|s| s.domain.n_dims());
        assert_eq!(n_dimensions.collect::<Vec<_>>(), [0, 0], "{region}");
    }
}

#[test]
fn heads_may_declare_several_variables() {
    check("", "for (int i = 0, k = 3; i < n; i++, k += 2) A[k] = i;", |n| {
        (0..n).map(|i| 3 + 2 * i).collect()
    });
    check("int k = 1;", "for (int i = 0; i < n; i++, k++) A[k] = i; A[20 + k] = 1;", |n| {
        (0..n).map(|i| 1 + i).chain([21 + n.max(0)]).collect()
    });
    check("", "for (int k = n, i = k; i > 0; k--, i--) A[k] = i;", |n| (1..=n).collect());
    check("", "for (int i = 0, m = n - 2; i < m; i++) A[i] = 1;", |n| (0..n - 2).collect());
    check("", "for (int i = 0, j = n - 1; i < j; i++, j--) A[j] = A[i];", |n| {
        (0..n).filter(|j| *j > n - 1 - j).collect()
    });
    check(
        "",
        "for (int b = 0; b < n; b++) for (int o = 5 * b, i = 0; i < 4; i++, o++) A[o] = 1;",
        |n| (0..n).flat_map(|b| (0..4).map(move |i| 5 * b + i)).collect(),
    );
    // The names mean something else outside.
    check("int k = 7;", "for (int i = 0, k = 3; i < n; i++, k += 2) A[k] = i; A[k] = 1;", |n| {
        (0..n).map(|i| 3 + 2 * i).chain([7]).collect()
    });
    check("", "for (double *p = A + 2, *q = A + n; p < q; p++) *p = 0;", |n| (2..n).collect());
}

#[test]
fn declared_heads_that_depend_on_their_order_are_no_loops() {
    for head in ["int i = k, k = 4; i < n; i++, k++", "int i = 0, t = 1; t < n; i++, t *= 2"] {
        let region = format!("for ({head}) {{ A[i] = 1; A[k] = 2; }}");
        let text = function("int n, double *A", "int k = 4;", &region, "");
        let found = &extract(&text).expect("a region")[0];
        assert_eq!(found.scop.statements.len(), 1, "{head}");
    }
    let left = "for (int i = 0, k = 3; i < n; i++, k += 2) { if (i > 4) break; A[k] = i; }";
    let found = &extract(&function("int n, double *A", "", left, "")).expect("a region")[0];
    assert_eq!(found.scop.statements.len(), 1);
}
