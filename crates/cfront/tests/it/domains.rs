//! The instances of statements against loops that run.
use crate::common;
use crate::common::{body_at, function, grid, map_contains, points, scop};
use loopwright_scop::AccessKind;
use proptest::prelude::*;
use std::collections::BTreeSet;

const LOW: i64 = -8;
const HIGH: i64 = 12;

/// Compares the domain of the first statement with the instances that a Rust function yields.
fn check(arguments: &str, before: &str, region: &str, run: impl Fn(&[i64]) -> Vec<Vec<i64>>) {
    let scop = scop(arguments, before, region);
    let n = scop.parameters.len();
    for params in grid(n, -3, 7) {
        let found = points(&scop.statements[0].domain, &params, LOW, HIGH);
        let expected: BTreeSet<Vec<i64>> = run(&params).into_iter().collect();
        assert_eq!(found, expected, "{region} at {params:?}");
    }
}

#[test]
fn ascending_and_descending_strides() {
    let array = "int n, double *A";
    check(array, "", "for (int i = 0; i < n; i++) A[i] = 0;", |p| {
        (0..p[0]).map(|i| vec![i]).collect()
    });
    check(array, "int i;", "for (i = n - 1; i >= 0; --i) A[i] = 0;", |p| {
        (0..p[0]).map(|i| vec![i]).collect()
    });
    check(array, "", "for (int i = 1; i <= n; i += 3) A[i] = 0;", |p| {
        (1..=p[0]).step_by(3).map(|i| vec![i]).collect()
    });
    check(array, "", "for (int i = n; i > -4; i = i - 2) A[i + 9] = 0;", |p| {
        (-3..=p[0]).rev().step_by(2).map(|i| vec![i]).collect()
    });
    check(array, "", "for (int i = 0; i != n; i = 1 + i) A[i] = 0;", |p| {
        (0..p[0]).map(|i| vec![i]).collect()
    });
    check(array, "", "for (long i = 0; 2 * i < n && i < 3; i++) A[i] = 0;", |p| {
        (0..3).filter(|i| 2 * i < p[0]).map(|i| vec![i]).collect()
    });
}

/// The statements of long regions are built in parts, by several threads.
#[test]
fn statements_of_a_long_region() {
    const N_LOOPS: i64 = 100;
    let nest = |number: i64| {
        let body: String = (0..3).map(|k| format!("A[i] = B[i + {k}] + {number};\n")).collect();
        format!("for (int i = {}; i < n; i++) {{\n{body}}}\n", number % 5)
    };
    let region: String = (0..N_LOOPS).map(nest).collect();
    let scop = scop("int n, double *A, double *B", "", &region);
    assert_eq!(scop.statements.len(), 3 * N_LOOPS as usize);
    for (index, statement) in (0..).zip(&scop.statements) {
        assert_eq!((statement.id.0, &*statement.name), (index, &*format!("S{index}")));
        let instances: BTreeSet<Vec<i64>> =
            (i64::from(index) / 3 % 5..7).map(|i| vec![i]).collect();
        assert_eq!(points(&statement.domain, &[7], LOW, HIGH), instances);
        let read = statement.accesses.iter().find(|access| access.kind == AccessKind::Read);
        let relation = &read.expect("each statement reads").relation;
        let element = 6 + i64::from(index) % 3;
        assert!(map_contains(relation, &[7, 6, element]));
        assert!(!map_contains(relation, &[7, 6, element + 1]));
    }
}

#[test]
fn conditions() {
    let body =
        |condition: &str| format!("for (int i = -6; i <= 6; i++) if ({condition}) A[i + 6] += 1;");
    let check_condition = |condition: &str, test: &dyn Fn(i64, i64) -> bool| {
        let region = format!("for (int z = n; z < n + 1; z++) {}", body(condition));
        let scop = scop("int n, double *A", "", &region);
        for n in -3..=7 {
            let found = points(&scop.statements[0].domain, &[n], LOW, HIGH);
            let expected: BTreeSet<Vec<i64>> =
                (-6..=6).filter(|i| test(*i, n)).map(|i| vec![n, i]).collect();
            assert_eq!(found, expected, "{condition} at {n}");
        }
    };
    check_condition("i % 3 == -2", &|i, _| i % 3 == -2);
    check_condition("i % 3", &|i, _| i % 3 != 0);
    check_condition("i / 2 == n", &|i, n| i / 2 == n);
    check_condition("i / -2 > n", &|i, n| i / -2 > n);
    check_condition("!(i < n && i > 0) || i == 5", &|i, n| !(i < n && i > 0) || i == 5);
    check_condition("i != n", &|i, n| i != n);
    check_condition("(i < n ? i : n) > 1", &|i, n| i.min(n) > 1);
    check_condition("(i < n ? i : n) <= 1", &|i, n| i.min(n) <= 1);
    check_condition("((i) * 2 > n) == (i < 3)", &|i, n| (i * 2 > n) == (i < 3));
    check_condition("(i >> 1) == n", &|i, n| (i >> 1) == n);
    check_condition("(i & 3) == 2", &|i, _| (i & 3) == 2);
    check_condition("~i < n", &|i, n| !i < n);
    check_condition("(long)i + 1u > 0x2 || 0", &|i, _| i + 1 > 2);
}

/// Compares the instances of all statements that write `A` with the elements that a Rust function yields.
fn check_written(region: &str, run: impl Fn(i64, i64) -> Vec<i64>) {
    let scop = scop("int n, int m, double *A, double *x", "", region);
    for point in grid(2, -2, 7) {
        let (n, m) = (point[0], point[1]);
        let params: Vec<i64> =
            scop.parameters.iter().map(|p| if &*p.name == "n" { n } else { m }).collect();
        let mut found = Vec::new();
        for statement in &scop.statements {
            let access = statement.accesses.iter().find(|a| a.kind == AccessKind::MustWrite);
            let Some(access) = access else { continue };
            for instance in points(&statement.domain, &params, LOW, HIGH) {
                let at = |x: i64| {
                    map_contains(&access.relation, &[&params[..], &instance, &[x]].concat())
                };
                found.extend((0..40).filter(|x| at(*x)));
            }
        }
        found.sort_unstable();
        let mut expected = run(n, m);
        expected.sort_unstable();
        assert_eq!(found, expected, "{region} for n = {n}, m = {m}");
    }
}

/// `A[10 k + i]` for what the iteration `i` writes as its `k`th statement.
fn steps(range: impl Iterator<Item = i64>, body: impl Fn(i64, &mut Vec<i64>) -> bool) -> Vec<i64> {
    let mut written = Vec::new();
    for i in range {
        if !body(i, &mut written) {
            break;
        }
    }
    written
}

#[test]
fn loops_end_at_the_first_affine_break() {
    let text = |head: &str, condition: &str| {
        format!("for ({head}) {{ A[i] = 0; if ({condition}) break; A[10 + i] = 1; }}")
    };
    let up = "int i = 0; i < n; i++";
    type Stops = fn(i64, i64) -> bool;
    let tests: [(&str, Stops); 7] = [
        ("i > m", |i, m| i > m),
        ("2 * i >= m", |i, m| 2 * i >= m),
        ("i == m", |i, m| i == m),
        ("i < m", |i, m| i < m),
        ("i > 1 && i < m", |i, m| i > 1 && i < m),
        ("i == 2 || i > m", |i, m| i == 2 || i > m),
        ("m > 3", |_, m| m > 3),
    ];
    for (condition, leaves) in tests {
        let body = |m| {
            move |i, written: &mut Vec<i64>| {
                written.push(i);
                if !leaves(i, m) {
                    written.push(10 + i);
                }
                !leaves(i, m)
            }
        };
        check_written(&text(up, condition), |n, m| steps(0..n, body(m)));
        let down = "int i = n - 1; i >= 0; --i";
        check_written(&text(down, condition), |n, m| steps((0..n).rev(), body(m)));
    }
}

/// Iterations are full steps apart, also where the condition holds between them.
#[test]
fn loops_with_steps_end_at_the_first_affine_break() {
    let region = |head: &str, condition: &str| {
        format!("for ({head}) {{ A[i] = 0; if ({condition}) break; A[10 + i] = 1; }}")
    };
    let body = |leaves: fn(i64, i64) -> bool, m| {
        move |i, written: &mut Vec<i64>| {
            written.push(i);
            if !leaves(i, m) {
                written.push(10 + i);
            }
            !leaves(i, m)
        }
    };
    type Stops = fn(i64, i64) -> bool;
    let up: [(&str, Stops); 3] =
        [("i > m", |i, m| i > m), ("2 * i >= m", |i, m| 2 * i >= m), ("m > 3", |_, m| m > 3)];
    for (condition, leaves) in up {
        let written = region("int i = 1; i < n; i += 3", condition);
        check_written(&written, |n, m| steps((1..n).step_by(3), body(leaves, m)));
    }
    let down: [(&str, Stops); 2] = [("i < m", |i, m| i < m), ("3 * i <= m", |i, m| 3 * i <= m)];
    for (condition, leaves) in down {
        let written = region("int i = n; i > 0; i -= 2", condition);
        check_written(&written, |n, m| steps((1..=n).rev().step_by(2), body(leaves, m)));
    }
}

#[test]
fn continue_and_forward_jumps_skip_statements() {
    check_written(
        "for (int i = 0; i < n; i++) {
           if (i == 3) continue;
           A[i] = 0;
           if (i > m) { A[10 + i] = 0; if (i == 5) continue; A[20 + i] = 0; break; }
           A[30 + i] = 0; }",
        |n, m| {
            steps(0..n, |i, written| {
                if i == 3 {
                    return true;
                }
                written.push(i);
                if i <= m {
                    written.push(30 + i);
                    return true;
                }
                written.push(10 + i);
                if i != 5 {
                    written.push(20 + i);
                }
                i == 5
            })
        },
    );
    check_written(
        "for (int i = 0; i < n; i++) {
           if (i > m) goto other;
           A[i] = 0;
           if (i == 2) goto end;
           A[10 + i] = 0;
           goto end;
         other: A[20 + i] = 0;
         end: A[30 + i] = 0; }",
        |n, m| {
            steps(0..n, |i, written| {
                match i > m {
                    true => written.push(20 + i),
                    false if i == 2 => written.push(i),
                    false => written.extend([i, 10 + i]),
                }
                written.push(30 + i);
                true
            })
        },
    );
}

#[test]
fn jumps_on_data_make_branches_of_statements() {
    let region = "for (int i = 0; i < n; i++) {
        if (x[i] > 0) goto other;
        A[i] = 0;
        goto end;
      other: A[i] = 1;
      end: x[i] = 2; }";
    let scop = scop("int n, double *A, double *x", "", region);
    let kinds = |s: &loopwright_scop::Statement| s.accesses.iter().map(|a| a.kind).collect();
    let kinds: Vec<Vec<AccessKind>> = scop.statements.iter().map(kinds).collect();
    // Each of the two branches writes A[i].
    let write = AccessKind::MustWrite;
    assert_eq!(kinds, [vec![AccessKind::Read, write, write], vec![write]]);
}

#[test]
fn jumps_out_of_inner_loops_are_parts_of_one_statement() {
    let region = "for (int i = 1; i < n; i++) {
        for (int j = 0; j < 5; j++) if (x[j] > i) { A[i] = j; goto found; }
        A[i] = 0;
      found: x[i + 5] = A[i];
        if (x[i] > 3) { if (x[i] < 9) continue; A[i] = 2; }
        A[i] += 1;
      }
      if (x[0] > 0) goto end;
      for (int j = 0; j < 5; j++) if (x[j] < 0) goto end;
      A[0] = 7;
      end: A[0] += 1;";
    let scop = scop("int n, double *A, double *x", "", region);
    let (read, write, perhaps) = (AccessKind::Read, AccessKind::MustWrite, AccessKind::MayWrite);
    let kinds = |s: &loopwright_scop::Statement| s.accesses.iter().map(|a| a.kind).collect();
    let kinds: Vec<Vec<AccessKind>> = scop.statements.iter().map(kinds).collect();
    let expected = [
        vec![read, perhaps, perhaps],
        vec![write, read],
        vec![read, read, perhaps, read, perhaps],
        vec![read, read, perhaps],
        vec![read, write],
    ];
    assert_eq!(kinds, expected);
    let inside: BTreeSet<Vec<i64>> = (1..6).map(|i| vec![i]).collect();
    for statement in &scop.statements[..3] {
        assert_eq!(points(&statement.domain, &[6], LOW, HIGH), inside);
    }
    let places = |statement: usize, element| {
        let relation = &scop.statements[statement].accesses[0].relation;
        map_contains(relation, &[6, 2, element])
    };
    assert!(places(0, 0) && places(0, 4) && !places(0, 5));
}

#[test]
fn else_branches_are_the_rest() {
    let scop = scop(
        "int n, double *A",
        "",
        "for (int i = 0; i < n; i++) { if (i % 4 == 1 || i > 5) A[i] = 1; else A[i] = 2; }",
    );
    for n in 0..=10 {
        let then = points(&scop.statements[0].domain, &[n], LOW, HIGH);
        let otherwise = points(&scop.statements[1].domain, &[n], LOW, HIGH);
        assert!(then.is_disjoint(&otherwise));
        assert_eq!(then.len() + otherwise.len(), n as usize);
    }
}

#[test]
fn triangular_bounds_with_extrema() {
    check(
        "int n, int m, double A[20][20]",
        "",
        "for (int i = 0; i < n; i++)
           for (int j = (i - 2 > 0 ? i - 2 : 0); j < (n < i + m ? n : i + m); j++)
             A[i][j] = 0;",
        |p| {
            let (n, m) = (p[0], p[1]);
            (0..n).flat_map(|i| ((i - 2).max(0)..n.min(i + m)).map(move |j| vec![i, j])).collect()
        },
    );
}

#[test]
fn subscripts_follow_the_rounding_of_c() {
    let text = function(
        "int n, double A[20][20], double B[40]",
        "",
        "for (int i = -5; i < n; i++) A[i / 2 + 3][i % 3 + 3] += B[2 * (i + 5)];",
        "",
    );
    let scop = common::extract(&text).expect("accepted").remove(0).scop;
    let statement = &scop.statements[0];
    let write = statement.accesses.iter().find(|a| a.kind == AccessKind::MustWrite).expect("one");
    for i in -5i64..7 {
        let expected = [i / 2 + 3, i % 3 + 3];
        for target in grid(2, 0, 8) {
            let point = [&[7, i], &target[..]].concat();
            assert_eq!(map_contains(&write.relation, &point), target == expected, "{point:?}");
        }
        let text = format!("A[{}][{}] += B[{}]", expected[0], expected[1], 2 * (i + 5));
        assert_eq!(body_at(statement, &[7, i]), text);
    }
}

/// A random integer expression over `i`, `j`, `n`: its C text and its value.
#[derive(Clone, Debug)]
enum Expression {
    Constant(i64),
    Variable(usize),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    By(&'static str, Box<Expression>, i64),
    Choice(&'static str, [Box<Expression>; 4]),
}

const NAMES: [&str; 3] = ["i", "j", "n"];

impl Expression {
    fn text(&self) -> String {
        match self {
            Expression::Constant(c) => format!("({c})"),
            Expression::Variable(v) => NAMES[*v].to_string(),
            Expression::Binary(op, a, b) => format!("({} {op} {})", a.text(), b.text()),
            Expression::By(op, a, c) => format!("({} {op} {c})", a.text()),
            Expression::Choice(op, [a, b, c, d]) => {
                format!("({} {op} {} ? {} : {})", a.text(), b.text(), c.text(), d.text())
            }
        }
    }

    fn value(&self, values: &[i64; 3]) -> i64 {
        match self {
            Expression::Constant(c) => *c,
            Expression::Variable(v) => values[*v],
            Expression::Binary("+", a, b) => a.value(values) + b.value(values),
            Expression::Binary(_, a, b) => a.value(values) - b.value(values),
            Expression::By("*", a, c) => a.value(values) * c,
            Expression::By("/", a, c) => a.value(values) / c,
            Expression::By(_, a, c) => a.value(values) % c,
            Expression::Choice(op, [a, b, c, d]) => {
                let (x, y) = (a.value(values), b.value(values));
                let holds = match *op {
                    "<" => x < y,
                    "==" => x == y,
                    _ => x >= y,
                };
                if holds { c.value(values) } else { d.value(values) }
            }
        }
    }
}

fn expression() -> impl Strategy<Value = Expression> {
    let leaf = prop_oneof![
        (-4i64..5).prop_map(Expression::Constant),
        (0usize..3).prop_map(Expression::Variable),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let inner = inner.prop_map(Box::new);
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (prop_oneof![Just("+"), Just("-")], pair.clone())
                .prop_map(|(op, (a, b))| Expression::Binary(op, a, b)),
            (prop_oneof![Just("*"), Just("/"), Just("%")], inner.clone(), 1i64..5)
                .prop_map(|(op, a, c)| Expression::By(op, a, c)),
            (prop_oneof![Just("/"), Just("%")], inner, -4i64..-1)
                .prop_map(|(op, a, c)| Expression::By(op, a, c)),
            (prop_oneof![Just("<"), Just("=="), Just(">=")], pair.clone(), pair)
                .prop_map(|(op, (a, b), (c, d))| Expression::Choice(op, [a, b, c, d])),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Random conditions and subscripts in a nest of two loops.
    #[test]
    fn random_conditions_and_subscripts(
        condition in expression(), subscript in expression(), negate in any::<bool>()
    ) {
        let not = if negate { "!" } else { "" };
        let region = format!(
            "for (int i = -3; i < 4; i++) for (int j = i; j < n; j++) if ({not}({})) A[{} + 99] = 0;",
            condition.text(), subscript.text()
        );
        let text = function("int n, double A[200]", "", &region, "");
        let scop = match common::extract(&text) {
            Ok(mut regions) => regions.remove(0).scop,
            Err(found) => {
                prop_assert!(found.iter().all(|d| d.code.as_str() == "CF17"), "{}", found[0]);
                return Ok(());
            }
        };
        let statement = &scop.statements[0];
        let write = &statement.accesses[0].relation;
        for n in -2..4 {
            let params: &[i64] = if scop.parameters.is_empty() { &[] } else { &[n] };
            let mut expected = BTreeSet::new();
            for i in -3..4 {
                for j in i..n {
                    if (condition.value(&[i, j, n]) != 0) != negate {
                        expected.insert(vec![i, j]);
                    }
                }
            }
            let found = points(&statement.domain, params, -5, 5);
            prop_assert_eq!(&found, &expected, "{} at n = {}", region, n);
            for point in &expected {
                let target = subscript.value(&[point[0], point[1], n]) + 99;
                let at = |x: i64| [params, &point[..], &[x]].concat();
                prop_assert!(map_contains(write, &at(target)), "{} at {:?}", region, point);
                prop_assert!(!map_contains(write, &at(target + 1)));
                let body = body_at(statement, &[params, &point[..]].concat());
                prop_assert_eq!(body, format!("A[{target}] = 0"));
            }
        }
    }
}

#[test]
fn sizes_are_constants() {
    let array = "int n, double *A";
    let before = "enum { E = 2 }; const int C = 3; int T[4][6]; struct s { int x; } S;";
    for (bound, value) in [
        ("(int) sizeof(double)", 8),
        ("sizeof T / sizeof T[0]", 4),
        ("sizeof(T[1]) / sizeof(int)", 6),
        ("(int) sizeof A", 8),
        ("sizeof(char *) - E", 6),
        ("C * E", 6),
    ] {
        check(array, before, &format!("for (int i = 0; i < {bound}; i++) A[i] = T[0][0];"), |_| {
            (0..value).map(|i| vec![i]).collect()
        });
    }
    let text = function(array, before, "for (int i = 0; i < sizeof S; i++) A[i] = 0;", "");
    let found = common::extract(&text).expect("the loop is one statement");
    assert!(found[0].remarks.iter().any(|remark| remark.contains("the size is not known")));
}

/// What is checked in front of a region with an unsigned bound.
fn checked(region: &str) -> Vec<String> {
    let text = function("unsigned n, size_t m, double *A", "unsigned i; size_t k;", region, "");
    let found = common::extract(&text).unwrap_or_else(|found| panic!("{region}: {}", found[0]));
    assert!(!found[0].scop.assumptions.iter().any(|text| text.contains("wrap")), "{region}");
    found[0].conditions.iter().filter_map(|condition| condition.fact.text()).collect()
}

#[test]
fn that_unsigned_values_do_not_wrap_around_is_checked() {
    assert_eq!(checked("for (i = 0; i < n + 10; i++) A[i] = 0;"), ["n <= 4294967285"]);
    assert_eq!(checked("for (k = 0; k < m + 10; k++) A[k] = 0;"), ["m <= 9223372036854775797"]);
    assert_eq!(checked("for (i = 0; i < n; i++) A[i + 2] = 0;"), ["n <= 4294967294"]);
    assert_eq!(checked("for (i = 0; i < n - 1; i++) A[i] = 0;"), ["n >= 1"]);
    assert_eq!(
        checked("for (i = 0; i < 2 * n - m; i++) A[i] = 0;"),
        [
            "n <= 2147483647",
            "m <= 9223372036854775807",
            "2 * __extension__ (__int128) n >= __extension__ (__int128) m"
        ]
    );
    // What conditions around prove needs no word.
    for region in [
        "for (i = 0; i < n; i++) A[i + 1] = 0;",
        "for (k = 1; k < m; k++) A[k - 1] = A[2 * k];",
        "if (n > 0) for (i = 0; i < n - 1; i++) A[i] = 0;",
        "__builtin_assume(n >= 1); for (i = 0; i < n - 1; i++) A[i] = 0;",
        "for (i = 0; i < 100; i++) A[2 * i + 5] = 0;",
    ] {
        assert_eq!(checked(region), [""; 0], "{region}");
    }
}

#[test]
fn names_that_blocks_of_the_region_declare_are_free_after_it() {
    let region = "for (int k = 0; k < n; k++) { if (A[k] > 3) for (int i = 0; i < k; i++) { if (A[i] > 2) break; A[i] = k; } }
      { double t = 3; A[0] = t; }";
    let after = "for (int i = 0; i < n; i++) { double t = A[i]; A[i] = t + 1; }";
    let regions = common::extract(&function("int n, double *A", "", region, after));
    assert!(regions.is_ok(), "{}", regions.unwrap_err()[0]);
    let found =
        common::extract(&function("int n, double *A", "", "double t = 3; A[0] = t;", "A[1] = t;"));
    assert_eq!(found.unwrap_err()[0].code, loopwright_cfront::Code::Declaration);
}

#[test]
fn several_declarators_of_an_unsigned_type() {
    check("int n, double *A", "unsigned N = 6, i;", "for (i = 0; i < N; i++) A[i] = 0;", |p| {
        (0..p[0].max(0)).map(|i| vec![i]).collect()
    });
}

#[test]
fn unsigned_sums_of_values_in_memory_need_no_condition() {
    let region = "for (i = 0; i < 10; i++) { k = 8; k += B[i]; } k = 1;";
    let text = function("size_t *B", "unsigned i; size_t k = 1;", region, "");
    let found = common::extract(&text).unwrap_or_else(|found| panic!("{}", found[0]));
    assert!(found[0].conditions.is_empty(), "{:?}", found[0].conditions);
}
