//! What calls read and write.
use crate::common::{body_at, extract, map_contains, points};
use loopwright_cfront::Region;
use loopwright_presburger::DimKind;
use loopwright_scop::{Access, AccessKind, Statement};

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
double *kept; void keep(double *a) { kept = a; kept[1] = 0; }
void second(double *a) { double *b = a; b[1] = 0; }
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
    is("fill(n, B[3], x);", "fill(n, B[3], x)", "read x, may-write B");
    is("y = dot(20, A, B[n]);", "y = dot(20, A, B[n])", "write y, read A, read B");
    is("bump(&A[4]);", "bump(&A[4])", "read A, write A");
    is("bump(&y);", "bump(&y)", "read y, write y");
    is("twice(A);", "twice(A)", "read A, write A, read A, write A");
    is("rec(A, n);", "rec(A, n)", &format!("write A, read A, may-write A, {ORDER}"));
    is("second(A);", "second(A)", "write A");
    // The address is kept: anything may happen.
    is("keep(A);", "keep(A)", &format!("read A, may-write A, {ORDER}"));
    is("y = constant(n) + pure(A);", "y = constant(n) + pure(A)", "write y, read n, read A");
    is("y = sum(n, A);", "y = sum(n, A)", "write y, read n, read A");
}

/// The order of calls.
const ORDER: &str = "read order_of_calls, write order_of_calls";

#[test]
fn global_variables_and_state() {
    is("y = look(n);", "y = look(n)", "write y, read table, read gs");
    is("count();", "count()", "read calls, write calls, read order_of_calls, write order_of_calls");
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
    let region = region("for (i = 0; i < 20; i++) fill(30, B[i], x);");
    let write = &region.scop.statements[0].accesses[1];
    let hit = |i, row, column| map_contains(&write.relation, &[i, row, column]);
    assert!(hit(3, 3, 0) && hit(3, 3, 29) && !hit(3, 2, 0) && !hit(3, 3, 30));
    assert_eq!(write.kind, AccessKind::MustWrite);
    // The element itself.
    let write = access("for (i = 0; i < 20; i++) bump(&B[i][2]);", 1).relation;
    assert!(map_contains(&write, &[5, 5, 2]) && !map_contains(&write, &[5, 5, 3]));
    // A function that may leave the row that it is given may be in any row.
    for body in ["fill(n, B[i], x);", "fill(60, &B[i][0], x);", "fill(30, &B[i][1], x);"] {
        let write = access(&format!("for (i = 0; i < 20; i++) {body}"), 1);
        let relation = write.relation.clone();
        let n = relation.n(DimKind::Param);
        let point = |row: i64| [&vec![9; n][..], &[5, row, 0]].concat();
        assert!(map_contains(&relation, &point(5)) && map_contains(&relation, &point(4)), "{body}");
        assert_eq!(write.kind, AccessKind::MayWrite, "{body}");
    }
}

/// An access of the first statement of a region.
fn access(body: &str, position: usize) -> Access {
    region(body).scop.statements[0].accesses[position].clone()
}

/// Functions on structures.
const ON_STRUCTURES: &str = "struct point { double x, y; int tag; }; struct table { int n; double *v; };
struct point P[20], one; struct table T; double w[50];
double norm(struct point p) { return p.x * p.x + p.y; }
void move(struct point *p, double by) { p->x += by; if (p->x > 3) { p->y = 0; return; } p->tag = 1; }
void shift(struct point p) { p.x++; }
double get(struct table t, int i) { return t.v[i + 1]; }
void set(struct table *t, int i, double x) { double *at = t->v + i; at[2] = x; }
void all(struct point *p) { struct point *q = p; q->y = 1; *p = one; }
void part(double *x) { *x = 4; }
void next(struct point *p) { p[1].tag = 0; }
";

#[track_caller]
fn on_structures(body: &str, accesses: &str) {
    let text = format!(
        "{ON_STRUCTURES}void f(void) {{\n#pragma scop\nfor (int i = 0; i < 19; i++) {{\n{body}\n}}\n#pragma endscop\n}}\n"
    );
    let regions = extract(&text).unwrap_or_else(|d| panic!("{body}\n{}", d[0]));
    let statement = &regions[0].scop.statements[0];
    let at = |access: &Access| {
        let hits = (-1..22).filter(|e| map_contains(&access.relation, &[3, *e]));
        let elements: Vec<i64> = hits.collect();
        let elements = match elements.len() {
            23 => "[every]".to_string(),
            _ => format!("{elements:?}"),
        };
        let name = &regions[0].scop.array(access.array).tuple_name;
        format!("{} {name}{elements}", access.kind.keyword())
    };
    let found: Vec<String> = statement.accesses.iter().map(at).collect();
    assert_eq!(found.join(", "), accesses, "{body}");
}

#[test]
fn functions_access_members() {
    on_structures("w[i] = norm(P[i]);", "write w[3], read P_x[3], read P_x[3], read P_y[3]");
    let moved = "read P_x[3], may-write P_x[3], read P_x[3], may-write P_y[3], may-write P_tag[3]";
    on_structures("move(&P[i], 2);", moved);
    on_structures("move(P + i, 2);", moved);
    on_structures("part(&P[i].y);", "write P_y[3]");
    on_structures("next(&P[i]);", "write P_tag[4]");
    on_structures("w[i] = get(T, i);", "write w[3], read T_v[4]");
    on_structures("set(&T, i, 1);", "write T_v[5]");
}

#[test]
fn functions_access_structures_as_a_whole() {
    // What changes its copy, or is not understood otherwise.
    on_structures(
        "shift(P[i]);",
        "read P[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]",
    );
    on_structures(
        "all(&P[i]); w[0] = 1;",
        "may-write P[3], write P[3], read one[every], \
         read order_of_calls[every], write order_of_calls[every]",
    );
}

/// The elements of `A` (of 20) that statement 0 accesses with its access at a position, for n = 6.
fn block(body: &str, position: usize) -> (AccessKind, Vec<i64>) {
    let found = access(body, position);
    let n = found.relation.n(DimKind::Param);
    let elements =
        (-1..22).filter(|e| map_contains(&found.relation, &[&vec![6; n][..], &[*e]].concat()));
    (found.kind, elements.collect())
}

#[test]
fn copies_of_blocks() {
    let all: Vec<i64> = (0..20).collect();
    let write = |body: &str| block(body, 1);
    let must = AccessKind::MustWrite;
    assert_eq!(write("memcpy(A, &B[1][0], 5 * sizeof(double));"), (must, (0..5).collect()));
    assert_eq!(write("memmove(A + 2, A, sizeof(*A) * n);"), (must, (2..8).collect()));
    assert_eq!(block("memset(&A[n], 0, 2 * n * sizeof A[0]);", 0), (must, (6..18).collect()));
    // Not a number of elements that is known.
    let may = AccessKind::MayWrite;
    for size in ["5", "n * sizeof(float)", "n * n * sizeof(double)", "sizeof(A)"] {
        let found = block(&format!("memset(A, 0, {size});"), 0);
        assert_eq!(found.0, may, "{size}");
        assert!(all.iter().all(|e| found.1.contains(e)), "{size}");
    }
    // A call of a function of the file with that name.
    let own = "void memset(double *p, int a, int b) { p[3] = 1; }";
    let text = format!(
        "{own} double A[20];\nvoid f(void) {{\n#pragma scop\nmemset(A, 0, 1);\n#pragma endscop\n}}\n"
    );
    let found = extract(&text).expect("a region");
    let write = &found[0].scop.statements[0].accesses[0].relation;
    assert!(map_contains(write, &[3]) && !map_contains(write, &[0]));
}

#[test]
fn functions_of_the_library() {
    is("free(A);", "free(A)", "read A, may-write A, read order_of_calls, write order_of_calls");
    is(
        "printf(\"%g\", x);",
        "printf(\"%g\", x)",
        "read x, read order_of_calls, write order_of_calls",
    );
    is("y = rand();", "y = rand()", "write y, read order_of_calls, write order_of_calls");
    is("y = frexp(x, &i);", "y = frexp(x, &i)", "write y, read x, may-write i");
    let sorted = format!("read A, may-write A, {ORDER}");
    is("qsort(A, 20, 8, outside);", "qsort(A, 20, 8, outside)", &sorted);
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
