//! Values of C programs under schedules.
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Int};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ArrayId, Scop};
use loopwright_storage::{StatementValues, proposed_moduli, statement_values};

const JACOBI: &str = "void f(int n, int m, double x[n]) { double a[m + 1][n];\n#pragma scop\n\
    for (int i = 0; i < n; i++) a[0][i] = x[i];\n\
    for (int t = 1; t <= m; t++) for (int i = 1; i < n - 1; i++)\n\
      a[t][i] = a[t - 1][i - 1] + a[t - 1][i] + a[t - 1][i + 1];\n\
    for (int i = 1; i < n - 1; i++) x[i] = a[m][i];\n#pragma endscop\n}";

fn model(text: &str) -> Scop {
    SourceFile::from_text("f.c", text).extract().unwrap().remove(0).scop
}

fn values(scop: &Scop, tree: &ScheduleTree) -> Vec<StatementValues> {
    let budget = Budget::unlimited();
    let dependences = Dependences::of_scop(scop, &budget).unwrap();
    statement_values(scop, &dependences, tree, &budget).unwrap()
}

fn words(vectors: &[Vec<Int>]) -> Vec<Vec<i64>> {
    vectors.iter().map(|v| v.iter().map(|c| c.to_i64().unwrap()).collect()).collect()
}

/// `band` for the loops of S1, between the first and the last loop.
fn tree(scop: &Scop, band: &str) -> ScheduleTree {
    let domain = &scop.schedule.domain;
    let text = format!(
        "{{ domain: '{domain}', child: {{ sequence: [ \
         {{ filter: '{{ S0[i] }}', child: {{ schedule: '[{{ S0[i] -> [(i)] }}]' }} }}, \
         {{ filter: '{{ S1[t, i] }}', child: {{ {band} }} }}, \
         {{ filter: '{{ S2[i] }}', child: {{ schedule: '[{{ S2[i] -> [(i)] }}]' }} }} ] }} }}"
    );
    ScheduleTree::parse(&text).unwrap()
}

#[test]
fn a_stencil_in_pipelines_and_in_order() {
    let scop = model(JACOBI);
    let budget = Budget::unlimited();
    let skewed = "schedule: '[{ S1[t, i] -> [(t)] }, { S1[t, i] -> [(t + i)] }]', permutable: 1";
    let found = values(&scop, &tree(&scop, skewed));
    let stencil = found.iter().find(|values| values.statement.0 == 1).unwrap();
    assert!(stencil.is_fully_tilable());
    assert_eq!(words(&stencil.vectors[..1]), [[1, 2]]);
    let cells = stencil.n_cells(&stencil.vectors[0], &budget).unwrap().unwrap();
    assert_eq!(cells.to_string(), "[n, m] -> { (n + m - 3) : n >= 3 and m > 0 }");
    let array = ArrayId(0);
    assert_eq!(scop.array(array).extents.len(), 2);
    let proposed = proposed_moduli(&scop, &found, array, 8, &budget).unwrap();
    assert_eq!(proposed, [(0, Int::from(2))], "rows in turn");
    let order = "schedule: '[{ S1[t, i] -> [(t)] }, { S1[t, i] -> [(i)] }]'";
    let found = values(&scop, &tree(&scop, order));
    let stencil = found.iter().find(|values| values.statement.0 == 1).unwrap();
    assert!(!stencil.is_fully_tilable());
    assert_eq!(words(&stencil.vectors[..1]), [[1, 1]]);
    let moduli = stencil.successive_moduli(&budget).unwrap();
    let texts: Vec<String> = moduli.iter().map(|m| m.as_ref().unwrap().to_string()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
}

/// Rows of the last loop are read by it: that is a loop on its own.
#[test]
fn values_that_another_nest_reads_have_no_vector_along_inner_loops() {
    let scop = model(
        "void f(int n, double x[n], double y[n]) { double a[n];\n#pragma scop\n\
         for (int i = 0; i < n; i++) a[i] = x[i]; for (int i = 0; i < n; i++) y[i] = a[i];\n#pragma endscop\n}",
    );
    let found = values(&scop, &scop.schedule);
    let writer = found.iter().find(|values| values.statement.0 == 0).unwrap();
    assert!(writer.vectors.is_empty(), "{:?}", writer.vectors);
}

#[test]
fn distances_that_grow_with_the_sizes_are_named() {
    let scop = model(
        "void f(int n, double x[n][n]) { double a[n][n];\n#pragma scop\n\
         for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { a[i][j] = x[i][j]; x[j][i] = a[i][0]; }\n#pragma endscop\n}",
    );
    let found = values(&scop, &scop.schedule);
    let writer = found.iter().find(|values| values.statement.0 == 0).unwrap();
    let reason = writer.uses.as_ref().unwrap_err();
    assert!(reason.contains("grows with the sizes"), "{reason}");
}
