//! Subscripts, bounds and control flow that depend on data.
use crate::common;
use crate::common::{body_at, extract, function, map_contains, points, scop};
use loopwright_presburger::{DimKind, Map};
use loopwright_scop::{Access, AccessKind, Scop, Statement};

const ARGUMENTS: &str = "int n, int m, double A[100], double B[30][40], int *idx, int *row";
const BEFORE: &str = "int i, j, k; double s, t;";

fn kinds(scop: &Scop, statement: &Statement) -> String {
    let one = |a: &Access| format!("{} {}", a.kind.keyword(), scop.array(a.array).tuple_name);
    statement.accesses.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The statement that a region consists of, with its text at one place and the kinds of its accesses.
#[track_caller]
fn one(region: &str, place: &[i64]) -> (Scop, String, String) {
    let scop = scop(ARGUMENTS, BEFORE, region);
    assert_eq!(scop.statements.len(), 1, "{region}");
    let statement = &scop.statements[0];
    let parameters = scop.context.n(DimKind::Param);
    let place = [&vec![20; parameters][..], place].concat();
    let (text, kinds) = (body_at(statement, &place), kinds(&scop, statement));
    (scop, text, kinds)
}

#[track_caller]
fn is(region: &str, place: &[i64], text: &str, accesses: &str) -> Scop {
    let (scop, found, kinds) = one(region, place);
    assert_eq!((found.as_str(), kinds.as_str()), (text, accesses), "{region}");
    scop
}

/// The elements of the access at a position, for all parameters 20.
fn elements(scop: &Scop, position: usize, instance: &[i64], high: i64) -> Vec<Vec<i64>> {
    let relation: &Map = &scop.statements[0].accesses[position].relation;
    let parameters = vec![20; scop.context.n(DimKind::Param)];
    let points = common::grid(relation.n(DimKind::Out), -2, high);
    let has = |p: &Vec<i64>| map_contains(relation, &[&parameters, instance, p].concat());
    points.into_iter().filter(has).collect()
}

#[test]
fn subscripts_that_are_not_affine_are_all_elements() {
    let scop = is(
        "for (i = 0; i < n; i++) B[idx[i]][i] = A[i * i];",
        &[3],
        "B[idx[3]][<3>] = A[<3> * <3>]",
        "may-write B, read idx, read A",
    );
    // The rows of an argument are not known, its columns are.
    let rows = elements(&scop, 0, &[3], 50);
    assert!(rows.len() == 53 && rows.iter().all(|element| element[1] == 3));
    assert_eq!(elements(&scop, 1, &[3], 9), [[3]]);
    let scop = is(
        "for (i = 0; i < 5; i++) t = B[3][idx[i] % n];",
        &[3],
        "t = B[3][idx[3] % n]",
        "write t, read B, read idx, read n",
    );
    assert_eq!(elements(&scop, 1, &[3], 60).len(), 40);
    // What stays the same is a symbolic constant.
    let scop = is("t = B[3][idx[0] % n];", &[], "t = B[3][20]", "write t, read B");
    let value = scop.parameters.iter().find_map(|p| p.value.as_deref().filter(|v| v.len() > 8));
    assert_eq!(value, Some("idx[0] % n"));
    // An element that stays the same is a symbolic constant.
    let scop = is("A[idx[2]] += s;", &[], "A[20] += s", "read A, write A, read s");
    assert_eq!(scop.parameters[0].value.as_deref(), Some("idx[2]"));
    is("A[k++] = s;", &[], "A[k++] = s", "may-write A, read k, write k, read s");
}

#[test]
fn loops_with_unknown_iterations_are_one_statement() {
    is(
        "for (i = 0; i < n; i++) while (A[i] > s) A[i] = A[i] / 2 + i;",
        &[4],
        "while (A[4] > s) A[4] = A[4] / 2 + <4>",
        "read A, read s, may-write A, read A",
    );
    is(
        "for (i = 0; i < n; i++) do { A[i] = s; s -= 1; } while (s > i);",
        &[4],
        "do { A[4] = s; s -= 1; } while (s > <4>)",
        "write A, read s, read s, write s",
    );
    let text = "for (i = 0; i < n; i++) for (j = row[i]; j < row[i + 1]; j++) s += A[idx[j]];";
    is(
        text,
        &[4],
        "{ int j; for (j = row[4]; j < row[5]; j++) s += A[idx[j]]; }",
        "read row, read row, read s, may-write s, read A, read idx",
    );
    // An iterator that others read is data.
    let scop = scop(ARGUMENTS, BEFORE, "for (i = 0; A[i] > 0; i++) s += A[i];\nt = i;");
    let all = scop.statements.iter().map(|s| kinds(&scop, s)).collect::<Vec<_>>();
    assert_eq!(
        all,
        ["write i, read A, may-write i, read s, may-write s, read A", "write t, read i"]
    );
}

#[test]
fn affine_loops_inside_give_ranges() {
    let scop = is(
        "for (i = 0; i < n; i++) for (j = i; j < n; j += 3) { A[2 * j] = s; if (s > t) break; }",
        &[10],
        "{ int j; for (j = <10>; j < n; j += 3) { A[2 * j] = s; if (s > t) break; } }",
        "may-write A, read s, read s, read t",
    );
    assert_eq!(elements(&scop, 0, &[10], 60), [[20], [26], [32], [38]]);
    // Nothing but affine conditions decides about the first loop: it writes for sure.
    let text = "for (i = 0; i < n; i++) { for (k = 0; k < 1; k++) {
        for (j = 0; j < m; j++) if (j > i) B[i][j] = 0;
        if (s > 0) break;
        A[i] = 1; } }";
    let scop = scop_of(text);
    let write = &scop.statements[0].accesses[0];
    assert_eq!(write.kind, AccessKind::MayWrite, "the loop around has a jump");
    let text = "for (i = 0; i < n; i++) switch (n) { default:
        for (j = 0; j < m; j++) if (j > i) B[i][j] = s; }";
    let scop = scop_of(text);
    let columns: Vec<i64> = elements(&scop, 0, &[15], 60).into_iter().map(|e| e[1]).collect();
    assert_eq!(columns, [16, 17, 18, 19]);
}

fn scop_of(text: &str) -> Scop {
    let scop = scop(ARGUMENTS, BEFORE, text);
    assert_eq!(scop.statements.len(), 1, "{text}");
    scop
}

#[test]
fn what_the_statement_has_written_is_its_own() {
    // Assigned on every path before it is read.
    let text = "while (idx[0]) { t = A[0]; s = t; if (s > 0) k = 1; idx[k] = k; }";
    let (_, _, kinds) = one(text, &[]);
    assert_eq!(
        kinds,
        "read idx, may-write t, read A, may-write s, may-write k, may-write idx, read k, read k"
    );
    is("s = (t = A[1], t * t);", &[], "s = (t = A[1], t * t)", "write s, write t, read A");
    is(
        "s = n > 3 ? (t = A[1]) : 2;",
        &[],
        "s = n > 3 ? (t = A[1]) : 2",
        "write s, read n, may-write t, read A",
    );
    // A jump may pass by the assignment.
    let text = "switch (n) { case 1: t = 1; case 2: s = t; }";
    is(text, &[], text, "read n, may-write t, may-write s, read t");
    let text = "do { if (n > m) goto out; t = 1; out: s = t; } while (idx[0]);";
    let written = format!("{{ __label__ out; {} }}", text);
    is(text, &[], &written, "may-write t, may-write s, read t, read idx");
}

#[test]
fn variables_of_the_statement_do_not_hide_others() {
    let text = "for (i = 0; i < n; i++) while (A[i] > 0) \
                { double s = A[i], n[2] = {s, i}; int q_1 = 3; A[i] = s - n[q_1 - 3]; }";
    let (scop, found, kinds) = one(text, &[7]);
    assert_eq!(
        found,
        "while (A[7] > 0) { double s_own = A[7], n_own[2] = {s_own, <7>}; int q_1_own = 3; \
         A[7] = s_own - n_own[q_1_own - 3]; }"
    );
    assert_eq!(kinds, "read A, read A, may-write A");
    assert_eq!(points(&scop.statements[0].domain, &[20], -2, 30).len(), 20);
}

#[test]
fn loops_under_conditions_on_data_keep_their_model() {
    let text = "if (s > A[0]) for (i = 0; i < n; i++) B[i][3] = i; \
                else for (i = 0; i < m; i++) { t = 1; B[i][4] = t; }";
    let scop = scop(ARGUMENTS, BEFORE, text);
    let texts: Vec<String> = scop.statements.iter().map(|s| body_at(s, &[20, 20, 5])).collect();
    assert_eq!(
        texts,
        ["if (s > A[0]) B[5][3] = <5>", "if (!(s > A[0])) t = 1", "if (!(s > A[0])) B[5][4] = t"]
    );
    assert_eq!(kinds(&scop, &scop.statements[0]), "read s, read A, may-write B");
    // What the condition reads is changed: one statement.
    for text in [
        "if (s > 0) for (i = 0; i < n; i++) s = A[i];",
        "if (A[3] > 0) for (i = 0; i < n; i++) A[i] = 0;",
        "if (s++ > 0) for (i = 0; i < n; i++) A[i] = 0;",
        "if (k > 0) for (k = 0; k < n; k++) A[k] = 0;",
        "if (s > 0) { double s = 1; for (i = 0; i < n; i++) A[i] = s; }",
    ] {
        scop_of(text);
    }
}

#[test]
fn jumps_that_leave_are_refused() {
    for region in [
        "for (i = 0; i < n; i++) { if (A[i] > 0) return; s = 1; }",
        "while (n) { if (s > 0) goto out; s = 1; }",
    ] {
        let text = function(ARGUMENTS, BEFORE, region, "out: s = 0;");
        assert!(extract(&text).is_err(), "{region}");
    }
    // Backwards into a statement.
    let text = function(ARGUMENTS, BEFORE, "while (s) { again: s = A[0]; }", "if (t) goto again;");
    assert!(extract(&text).is_err());
}
