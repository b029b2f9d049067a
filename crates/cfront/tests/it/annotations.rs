//! Conditions on data, kills and assumptions.
use crate::common;
use crate::common::{body_at, extract, function, map_contains, points, scop, set_contains};
use loopwright_cfront::Region;
use loopwright_scop::{AccessKind, Scop, Statement};
use std::collections::BTreeSet;

fn accesses(scop: &Scop, statement: &Statement) -> String {
    let one = |a: &loopwright_scop::Access| {
        format!("{} {}", a.kind.keyword(), scop.array(a.array).tuple_name)
    };
    statement.accesses.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn region(arguments: &str, body: &str) -> Region {
    let regions = extract(&function(arguments, "", body, "")).expect(body);
    regions.into_iter().next().expect("one region")
}

#[test]
fn a_condition_on_data_belongs_to_the_statement() {
    let one = |text: &str| {
        let scop = scop("int n, double *x, double a, double b, int k", "", text);
        assert_eq!(scop.statements.len(), 1, "{text}");
        (body_at(&scop.statements[0], &[9]), accesses(&scop, &scop.statements[0]))
    };
    let is = |text: &str, body: &str, accesses: &str| {
        assert_eq!(one(text), (body.to_string(), accesses.to_string()));
    };
    is("if (x[1] > 0) a = b;", "if (x[1] > 0) a = b", "read x, may-write a, read b");
    is(
        "if (a > b) { a = b; x[2] = a; } else if (b == 0) b = 1; else { b = 2; }",
        "if (a > b) { a = b; x[2] = a; } else if (b == 0) b = 1; else { b = 2; }",
        "read a, read b, may-write a, read b, may-write x, read b, may-write b, may-write b",
    );
    is("if ((a = x[0]) > 0);", "if ((a = x[0]) > 0)", "write a, read x");
    // What the region changes is data; so is what has no affine form.
    is("if (k > 0) k = 0;", "if (k > 0) k = 0", "read k, may-write k");
    is(
        "if (n / k > 2) { a = 1; k = 3; }",
        "if (n / k > 2) { a = 1; k = 3; }",
        "read n, read k, may-write a, may-write k",
    );
    is("if (n > -1u) a = 1;", "if (n > -1u) a = 1", "read n, may-write a");
}

#[test]
fn affine_parts_of_a_condition_restrict_the_instances() {
    let text = "for (int i = 0; i < n; i++)
                  if (i > 1 && (x[i - 2] > 0 && i % 2 == 0) && x[i] != a) a = x[i];";
    let scop = scop("int n, double *x, double a", "", text);
    let statement = &scop.statements[0];
    let found = points(&statement.domain, &[9], -2, 12);
    assert_eq!(found, BTreeSet::from([vec![2], vec![4], vec![6], vec![8]]));
    assert_eq!(body_at(statement, &[9, 4]), "if (x[2] > 0 && x[4] != a) a = x[4]");
    // With an alternative, the whole condition is evaluated everywhere.
    let text = text.replace("a = x[i];", "a = x[i]; else a = 0;");
    let scop = common::scop("int n, double *x, double a", "", &text);
    assert_eq!(points(&scop.statements[0].domain, &[9], -2, 12).len(), 9);
}

#[test]
fn kills_of_variables_rows_and_elements() {
    let text = "for (int i = 0; i < n; i++) {
                  __pencil_kill(t, B, B[i], B[i][2 * i]);
                  t = i; }";
    let scop = scop("int n, double t, double B[n][n]", "", text);
    let kills: Vec<&Statement> = scop.statements.iter().filter(|s| s.is_kill).collect();
    let kinds = |s: &&Statement| s.accesses.iter().all(|a| a.kind == AccessKind::Kill);
    assert!(kills.len() == 4 && kills.iter().all(|s| s.body.is_empty() && kinds(s)));
    let relation = |at: usize| &kills[at].accesses[0].relation;
    for (row, column) in (-1..=5).flat_map(|row| (-1..=5).map(move |column| (row, column))) {
        let inside = (0..5).contains(&column);
        let pair = [5, 2, row, column];
        assert_eq!(map_contains(relation(1), &pair), inside && (0..5).contains(&row));
        assert_eq!(map_contains(relation(2), &pair), inside && row == 2);
        assert_eq!(map_contains(relation(3), &pair), row == 2 && column == 4);
    }
}

#[test]
fn assumptions_on_symbolic_constants_are_context() {
    for name in ["__builtin_assume", "__pencil_assume"] {
        let text = format!("{name}(n > 4 && m % 4 == 0); for (int i = 0; i < n; i++) A[i] = m;");
        let region = region("int n, int m, double *A", &text);
        assert_eq!(region.remarks, [] as [&str; 0]);
        let context = &region.scop.context;
        for (n, m) in (0..9).flat_map(|n| (-4..9).map(move |m| (n, m))) {
            let by_name = |p: &loopwright_scop::Parameter| if &*p.name == "n" { n } else { m };
            let values: Vec<i64> = region.scop.parameters.iter().map(by_name).collect();
            assert_eq!(set_contains(context, &values), n > 4 && m % 4 == 0, "{n} {m}");
        }
        assert!(region.scop.assumptions.iter().any(|a| a.contains("n > 4")));
    }
}

#[test]
fn what_is_not_understood_of_annotations_is_left_out() {
    let remarks = |text: &str| {
        let region = region("int n, int k, int *p, double *A", text);
        assert!(region.scop.context.plain_is_universe(), "{text}");
        assert!(region.scop.statements.iter().all(|s| !s.is_kill), "{text}");
        region.remarks.join("; ")
    };
    let has = |text: &str, reason: &str| {
        let found = remarks(text);
        assert!(found.contains("line 4") && found.contains(reason), "{text}: {found}");
    };
    has("__pencil_assume(A[0] > 3);", "not affine");
    has("__pencil_assume(k > 3); k = 2;", "not affine");
    has("__builtin_assume(f(n) > 3);", "not affine");
    has("for (int i = 0; i < n; i++) { __builtin_assume(n > i); A[i] = 0; }", "in a loop");
    has("if (n > 3) __builtin_assume(k > 0);", "under a condition");
    has("if (A[0] > 3) { __builtin_assume(n > 4); A[1] = 0; }", "depends on data");
    has("if (A[0] > 3) { __pencil_kill(A); A[1] = 0; }", "depends on data");
    has("__pencil_kill(A[p[0]]);", "affine subscripts");
    has("__pencil_kill(A[0][0]);", "too many subscripts");
    has("for (int i = 0; i < n; i++) { __pencil_kill(i); A[i] = 0; }", "names no data");
    has("__pencil_kill(unknown, 3);", "names no variable");
}

/// The independent loops of a region: the statements and the depth of each.
fn independent(region: &str) -> Vec<(Vec<u32>, usize)> {
    let text = function("int n, double *A, int *c", "int i, j; double t;", region, "");
    let regions = extract(&text).unwrap_or_else(|found| panic!("{}", found[0]));
    let of = |l: &loopwright_cfront::IndependentLoop| {
        (l.statements.iter().map(|s| s.0).collect(), l.depth)
    };
    regions[0].independent.iter().map(of).collect()
}

#[test]
fn pragmas_declare_iterations_to_be_independent() {
    let body = "for (i = 0; i < n; i++) {\n A[c[i]] = 0;\n#pragma pencil independent\n\n\
                for (j = 0; j < n; j++) { A[c[j]] += 1; A[i] = t; }\n}\nA[0] = 0;";
    assert_eq!(independent(body), [(vec![1, 2], 1)]);
    assert_eq!(
        independent(&format!("#pragma independent\n{body}")),
        [(vec![0, 1, 2], 0), (vec![1, 2], 1)]
    );
    // Other pragmas between, and on a loop that is one statement.
    let loops =
        "#pragma pencil independent\n#pragma GCC ivdep\nfor (i = 0; i < n; i++) A[c[i]] = 0;";
    assert_eq!(independent(loops), [(vec![0], 0)]);
    let atomic =
        "#pragma pencil independent\nfor (i = 0; i < n; i++) { if (c[i]) break; A[i] = 0; }";
    assert_eq!(independent(atomic), []);
}

#[test]
fn other_pragmas_of_pencil_have_no_effect() {
    for (pragma, body) in [
        ("#pragma pencil independent reduction(+:t)", "t += A[i];"),
        ("#pragma pencil unroll", "A[i] = 0;"),
    ] {
        let region = format!("{pragma}\nfor (i = 0; i < n; i++) {body}");
        let text = function("int n, double *A", "int i; double t;", &region, "");
        let found = extract(&text).expect("it is accepted").remove(0);
        let said = format!("the pragma `{pragma}` in line 4 has no effect");
        assert!(found.remarks.iter().any(|r| r.starts_with(&said)), "{:?}", found.remarks);
        assert!(found.independent.is_empty());
    }
}

#[test]
fn a_pragma_without_its_loop_is_refused() {
    let region = "#pragma independent\nA[0] = 0;\nfor (i = 0; i < n; i++) A[i] = 0;";
    let text = function("int n, double *A", "int i; double t;", region, "");
    let found = extract(&text).expect_err("it is refused");
    assert_eq!(found[0].code, loopwright_cfront::Code::Syntax);
    assert!(found[0].message.contains("no loop follows"), "{}", found[0]);
    assert_eq!(found[0].place.as_ref().map(|place| place.line), Some(4));
}
