//! What calls read and write.
mod common;
use common::{body_at, extract, map_contains, points};
use loopwright_cfront::Region;
use loopwright_presburger::DimKind;
use loopwright_scop::{Access, Statement};

/// Functions with and without effects.
const FUNCTIONS: &str = "int calls; static double table[9]; double gs; int gn; const int seven = 7;
double sq(double x) { return x * x; }
void fill(int n, double *row, double v) { for (int j = 0; j < n; j++) row[j] = v; }
double dot(int n, double *a, double *b) { double s = 0; while (n-- > 0) s += a[n] * b[n]; return s; }
void bump(double *p) { (*p)++; }
void twice(double *p) { bump(p); bump(&p[1]); }
int next(void) { static int k; return k++; }
void count(void) { calls++; }
double look(int i) { return table[i] + sq(gs); }
void keep(double *a) { double *b = a; b[1] = 0; }
void rec(double *a, int n) { if (n) { a[n] = 1; rec(a, n - 1); } }
double outside(int); void quits(int x) { if (x) exit(1); }
__attribute__((const)) int constant(int); int pure(double *) __attribute__((pure));
void sum_summary(int n, double *a) { for (int i = 0; i < n; i++) { __pencil_use(a[i]); __pencil_maybe(); } }
__attribute__((pencil_access(sum_summary))) double sum(int n, double *a);
int least(int a, int b) { return a < b ? a : b; }
int half(int a) { return least(a, 100) / 2; }
";

fn region(body: &str) -> Region {
    let text = format!(
        "{FUNCTIONS}void f(int n, double A[20], double B[20][30], double x) {{\n double y; int i;\n\
         #pragma scop\n{body}\n#pragma endscop\n}}\n"
    );
    let regions = extract(&text).unwrap_or_else(|d| panic!("{body}\n{}", d[0]));
    regions.into_iter().next().expect("one region")
}

fn kinds(region: &Region, statement: &Statement) -> String {
    let one =
        |a: &Access| format!("{} {}", a.kind.keyword(), region.scop.array(a.array).tuple_name);
    statement.accesses.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[track_caller]
fn is(body: &str, text: &str, accesses: &str) {
    let region = region(body);
    let statement = &region.scop.statements[0];
    let place = vec![9; region.scop.context.n(DimKind::Param) + statement.iterators.len()];
    assert_eq!(body_at(statement, &place), text, "{body}");
    assert_eq!(kinds(&region, statement), accesses, "{body}");
}

#[test]
fn effects_of_functions_of_the_file() {
    is("y = sq(x);", "y = sq(x)", "write y, read x");
    is("fill(n, B[3], x);", "fill(n, B[3], x)", "read n, may-write B, read x");
    is("y = dot(20, A, B[n]);", "y = dot(20, A, B[n])", "write y, read A, read B");
    is("bump(&A[4]);", "bump(&A[4])", "read A, may-write A");
    is("bump(&y);", "bump(&y)", "read y, may-write y");
    is("twice(A);", "twice(A)", "read A, may-write A");
    is("rec(A, n);", "rec(A, n)".trim(), &format!("read A, may-write A, read n, {}", barrier("A")));
    // The address is copied: anything may happen.
    is("keep(A);", "keep(A)", &format!("read A, may-write A, {}", barrier("A")));
    is(
        "y = constant(n) + pure(A);",
        "y = constant(n) + pure(A)",
        "write y, read n, read A, read A",
    );
    is("y = sum(n, A);", "y = sum(n, A)", "write y, read n, read A");
}

/// The order of calls, and all accesses of what can be reached.
fn barrier(arrays: &str) -> String {
    format!("read order_of_calls, write order_of_calls, read {arrays}, may-write {arrays}")
}

#[test]
fn global_variables_and_state() {
    is("y = look(n);", "y = look(n)", "write y, read n, read gs, read table");
    is(
        "count();",
        "count()",
        "read calls, may-write calls, read order_of_calls, write order_of_calls",
    );
    is("i = next();", "i = next()", "write i, read order_of_calls, write order_of_calls");
    let found = region("gs = x; A[0] = outside(3); count();");
    let found = kinds(&found, &found.scop.statements[1]);
    assert_eq!(
        found,
        "write A, read order_of_calls, write order_of_calls, read gs, may-write gs, read A, \
         may-write A, read calls, may-write calls"
    );
}

#[test]
fn arguments_are_parts_of_arrays() {
    let region = region("for (i = 0; i < n; i++) fill(30, B[i], x);");
    let write = &region.scop.statements[0].accesses[0].relation;
    let hit = |i, row, column| map_contains(write, &[9, i, row, column]);
    assert!(hit(3, 3, 0) && hit(3, 3, 29) && !hit(3, 2, 0) && !hit(3, 3, 30));
    // From the address of an element its whole row can be reached, not only what follows.
    let found = region_of_row();
    let write = &found.scop.statements[0].accesses[1].relation;
    assert!(map_contains(write, &[9, 5, 5, 0]) && !map_contains(write, &[9, 5, 4, 0]));
}

fn region_of_row() -> Region {
    region("for (i = 0; i < n; i++) bump(&B[i][2]);")
}

#[test]
fn what_calls_change_is_no_constant() {
    let atomic = region("for (i = 0; i < gn; i++) A[i] = outside(i);");
    assert_eq!(atomic.scop.statements[0].iterators.len(), 0, "`gn` may change");
    for body in ["i < seven; i++) A[i] = outside(i);", "i < n; i++) A[i] = sq(i);"] {
        let affine = region(&format!("for (i = 0; {body}"));
        assert_eq!(affine.scop.statements[0].iterators.len(), 1, "{body}");
    }
}

#[test]
fn functions_that_only_return_an_expression_are_affine() {
    let region = region("for (i = 0; i < least(n, half(8) + ceild(n, 3)); i++) A[half(i)] = 0;");
    let statement = &region.scop.statements[0];
    for n in [3, 9, 40] {
        let expected = n.min(4 + (n + 2) / 3);
        assert_eq!(points(&statement.domain, &[n], -2, 60).len() as i64, expected, "{n}");
    }
    assert_eq!(body_at(statement, &[9, 5]), "A[2] = 0");
    assert!(region.scop.assumptions.iter().any(|text| text.contains("ceild")));
}

#[test]
fn functions_that_may_not_return_are_refused() {
    for body in ["quits(n);", "exit(0);", "if (x > 0) abort();", "while (n) quits(1);"] {
        let text = format!(
            "{FUNCTIONS}void f(int n, double x) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        assert_eq!(extract(&text).expect_err(body)[0].code, loopwright_cfront::Code::Call);
    }
}
