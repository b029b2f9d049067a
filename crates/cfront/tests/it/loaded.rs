//! Integers in memory: symbolic constants where nothing may write them, and what they are where something
//! may.
use crate::common::{extract, points};
use loopwright_cfront::{Code, Region, SourceFile};
use loopwright_scop::Scop;

const TYPES: &str = "struct grid { int n, m; unsigned char low; int cut : 4, rest : 4; struct grid *next; };\n\
    extern struct grid global;\nextern int limits[4];\nextern int count;\nextern void unknown(void);\n\
    static void grow(struct grid *g) { g->n += 1; }\n";

fn text(region: &str) -> String {
    format!(
        "{TYPES}void f(int k, double *A, struct grid *g, struct grid s, int *p, const int v[])\n\
         {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
    )
}

fn region(region: &str) -> Region {
    let text = text(region);
    match extract(&text) {
        Ok(regions) => regions.into_iter().next().expect("one region"),
        Err(diagnostics) => panic!("{text}\n{}", diagnostics[0]),
    }
}

fn parameters(scop: &Scop) -> Vec<String> {
    let text = |p: &loopwright_scop::Parameter| match &p.value {
        Some(value) => format!("{} {} = {value}", p.c_type, p.name),
        None => format!("{} {}", p.c_type, p.name),
    };
    scop.parameters.iter().map(text).collect()
}

/// The parameters of a region, whose first statement runs `count(values)` times for values of them.
fn check(body: &str, expected: &[&str], count: impl Fn(&[i64]) -> i64) {
    let scop = region(body).scop;
    assert_eq!(parameters(&scop), expected, "{body}");
    for first in 0..6 {
        let values: Vec<i64> = (0..expected.len() as i64).map(|p| (first + 3 * p) % 5).collect();
        let found = points(&scop.statements[0].domain, &values, -3, 12).len();
        assert_eq!(found as i64, count(&values), "{body} for {values:?}");
    }
    let printed = scop.to_string();
    assert_eq!(Scop::parse(&printed).expect("it is read back").to_string(), printed);
}

#[test]
fn what_nothing_writes_is_a_symbolic_constant() {
    check("for (int i = 0; i < g->n; i++) A[i] = 1;", &["int g_n = g->n"], |v| v[0]);
    check("for (int i = 0; i < *p; i++) A[i] = 1;", &["int p_value = *p"], |v| v[0]);
    check(
        "for (int i = 0; i < s.n - s.m; i++) A[i] = 1;",
        &["int s_n = s.n", "int s_m = s.m"],
        |v| (v[0] - v[1]).max(0),
    );
    check(
        "for (int i = v[0]; i < v[k]; i++) A[i] = v[1];",
        &["int v_0 = v[0]", "int v_k = v[k]", "int k"],
        |v| (v[1] - v[0]).max(0),
    );
    check(
        "for (int i = 0; i < k; i++) if (i < limits[2]) A[i] = 1;",
        &["int k", "int limits_2 = limits[2]"],
        |v| v[0].min(v[1]),
    );
    check("for (int i = 0; i < g->next->n; i++) A[i] = 1;", &["int g_next_n = g->next->n"], |v| {
        v[0]
    });
    check(
        "for (int i = 0; i < g->n; i++) for (int j = 0; j < g->m; j++) A[i] = j;",
        &["int g_n = g->n", "int g_m = g->m"],
        |v| v[0] * v[1],
    );
    check("for (int i = 0; i < g->low; i++) A[i] = 1;", &["unsigned char g_low = g->low"], |v| {
        v[0]
    });
}

/// Whether no loop of the region is one of the model, and nothing but `k` is a symbolic constant.
#[track_caller]
fn is_one_statement(body: &str, reason: &str) {
    let region = region(body);
    let all = parameters(&region.scop);
    assert!(all.iter().all(|p| p == "int k"), "{body}: {all:?}");
    assert!(region.remarks.iter().any(|remark| remark.contains(reason)), "{:?}", region.remarks);
}

#[test]
fn what_a_statement_may_write_is_loaded_again() {
    let may = "its value is loaded from memory, which line 10 may change";
    is_one_statement(
        "for (int i = 0; i < g->n; i++) { A[i] = 1;\n g->n = k; }",
        "which line 11 may",
    );
    is_one_statement("for (int i = 0; i < limits[0]; i++) limits[i] = 1;", may);
    is_one_statement("for (int i = 0; i < g->n; i++) { A[i] = 1; *g = s; }", may);
    is_one_statement("for (int i = 0; i < g->n; i++) grow(g);", may);
    is_one_statement("for (int i = 0; i < global.n; i++) { A[i] = 1; unknown(); }", "loaded");
    is_one_statement("for (int i = 0; i < g->n; i++) { A[i] = 1; unknown(); }", may);
    is_one_statement("for (int i = 0; i < g->cut; i++) { A[i] = 1; g->rest = k; }", may);
    is_one_statement("k = 2; for (int i = 0; i < v[k]; i++) A[i] = 1;", "loaded");
}

#[test]
fn what_may_not_be_read_is_not_read() {
    let never = "it is not known when the region reads it";
    // The first iteration has no inner one.
    is_one_statement(
        "for (int i = 0; i < k; i++) for (int h = 0; h < i; h++) for (int j = 0; j < g->n; j++) A[j] = i;",
        never,
    );
    let read_never = |body: &str| {
        assert!(parameters(&region(body).scop).iter().all(|p| !p.contains('=')), "{body}");
    };
    read_never("if (A[0] > 0) for (int j = 0; j < g->n; j++) A[j + 1] = 1;");
    read_never("for (int i = 0; i < k; i++) { for (int j = 0; j < g->n; j++) A[j] = i; k = 2; }");
    is_one_statement(
        "for (int i = 0; i < k; i++) { if (i == 0) continue; for (int j = 0; j < *p; j++) A[j] = i; }",
        never,
    );
    is_one_statement("for (int i = 0; i < k && i < *p; i++) A[i] = 1;", never);
    is_one_statement("while (k > 0) k /= 2; for (int i = 0; i < *p; i++) A[i] = 1;", never);
    is_one_statement("unknown(); for (int i = 0; i < *p; i++) A[i] = 1;", never);
}

#[test]
fn other_pointers_may_write() {
    let checked = |body: &str| {
        let found = SourceFile::from_text("test.c", &text(body)).extract().expect(body);
        let facts = found[0].conditions.iter().map(|condition| condition.fact.statement());
        facts.collect::<Vec<String>>()
    };
    let found = checked("for (int i = 0; i < g->n; i++) p[i] = 1;");
    assert_eq!(found, ["what is accessed of `p` and `g.n` does not overlap"]);
    let found = checked("for (count = 0; count < *p; count++) A[count] = 1;");
    assert_eq!(found, ["what is accessed of `count` and `p` does not overlap"]);
    let refused = |body: &str| {
        let found = SourceFile::from_text("test.c", &text(body)).extract();
        found.expect_err(body).into_iter().map(|d| (d.code, d.message)).collect::<Vec<_>>()
    };
    let found = refused("for (int i = 0; i < g->n; i++) p[p[i]] = 1;");
    assert_eq!(found, [(Code::Overlap, "`p` and `g.n` may be the same memory".to_string())]);
    let fine = SourceFile::from_text("test.c", &text("for (int i = 0; i < g->n; i++) A[i] = 1;"));
    assert!(fine.extract().is_ok());
}

#[test]
fn names_are_new() {
    let text = format!(
        "{TYPES}#define g_n 5\nvoid f(double *A, struct grid *g, int g_n_1)\n\
         {{\n#pragma scop\nfor (int i = g_n_1; i < g->n; i++) A[i] = g->n;\n#pragma endscop\n}}\n"
    );
    let regions = extract(&text).expect("a region");
    assert_eq!(parameters(&regions[0].scop), ["int g_n_1", "int g_n_2 = g->n"]);
    let names: Vec<&str> = regions[0].scop.arrays.iter().map(|a| &*a.tuple_name).collect();
    assert!(!names.contains(&"g_n_2"), "{names:?}");
}

/// It is read in front where the region reads it.
#[test]
fn what_is_read_under_conditions_is_read_under_them() {
    check(
        "for (int i = 0; i < k; i++) for (int j = 0; j < g->n; j++) A[j] = i;",
        &["int k", "int g_n = (0 < k) ? g->n : 0"],
        |v| v[0] * v[1],
    );
    check(
        "if (k > 2) for (int j = 0; j < g->n; j++) A[j] = 1;",
        &["int k", "int g_n = (k > 2) ? g->n : 0"],
        |v| if v[0] > 2 { v[1] } else { 0 },
    );
    check(
        "for (long i = k; i > 1; i -= 2) for (int j = 0; j < g->n; j++) A[j] = i; \
         if (k > 2) A[0] = 1; else for (int j = 0; j < g->n; j++) A[j] = 1;",
        &["int k", "int g_n = (((long) (k) > 1)) || (!(k > 2)) ? g->n : 0"],
        |v| v[0] / 2 * v[1],
    );
    // Once it is read whenever the region runs, it may be read always.
    check(
        "if (k > 2) for (int j = 0; j < g->n; j++) A[j] = 1; for (int j = 0; j < g->n; j++) A[j] = 2;",
        &["int k", "int g_n = g->n"],
        |v| if v[0] > 2 { v[1] } else { 0 },
    );
}

#[test]
fn pointers_are_compared_with_null_in_front() {
    check(
        "if (g) for (int i = 0; i < k; i++) A[i] = 1;",
        &["int g_is_set = g != 0", "int k"],
        |v| if v[0] > 0 { v[1] } else { 0 },
    );
    check(
        "for (int i = 0; i < k; i++) if ((void *)0 == g || p && i > 1) A[i] = 1;",
        &["int k", "int g_is_set = g != 0", "int p_is_set = p != 0"],
        |v| {
            if v[1] == 0 {
                v[0]
            } else if v[2] > 0 {
                (v[0] - 2).max(0)
            } else {
                0
            }
        },
    );
    check(
        "if (g != 0) for (int i = 0; i < g->n; i++) A[i] = 1;",
        &["int g_is_set = g != 0", "int g_n = (g != 0) ? g->n : 0"],
        |v| if v[0] > 0 { v[1] } else { 0 },
    );
}

/// Of a pointer that the region moves, or that others may change, it is not known in front.
#[test]
fn pointers_that_change_are_not_compared_in_front() {
    let body = "int **q = &p; if (p) A[0] = 1;";
    let found = extract(&text(body)).expect_err(body);
    assert!(found.iter().any(|d| d.code == Code::Pointer), "{body}: {}", found[0]);
    let moved = extract(&text("if (p) { A[0] = 1; } p++;")).expect("a region");
    assert!(moved[0].scop.parameters.is_empty());
}

#[test]
fn global_pointers_are_compared_in_front_where_no_call_changes_them() {
    let file = |region: &str| {
        format!(
            "extern double *shared;\nstatic double *own, *taken;\ndouble **where(void) {{ return &taken; }}\n\
             int n;\nvoid count(void) {{ n += 1; }}\nvoid set(void) {{ own = shared; }}\nvoid unknown(void);\n\
             void f(double A[restrict 9])\n{{\n  static double *kept;\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        )
    };
    let constants = |region: &str| {
        let regions = extract(&file(region)).unwrap_or_else(|d| panic!("{region}: {}", d[0]));
        parameters(&regions[0].scop)
    };
    let set = |name: &str| format!("int {name}_is_set = {name} != 0");
    assert_eq!(constants("if (shared) A[0] = 1;"), [set("shared")]);
    assert_eq!(constants("if (!own || kept) A[0] = 1;"), [set("own"), set("kept")]);
    assert_eq!(constants("count(); if (shared) A[0] = 1;"), [set("shared")]);
    for region in ["set(); if (own) A[0] = 1;", "unknown(); if (shared) A[0] = 1;"] {
        let known = extract(&file(region)).map(|regions| parameters(&regions[0].scop));
        assert!(known.is_err() || known.is_ok_and(|p| p.is_empty()), "{region}");
    }
    assert!(extract(&file("if (taken) A[0] = 1;")).is_err());
}
