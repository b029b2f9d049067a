//! Dependences of programs, as `--emit deps` prints them: the worked examples on dependence analysis
//! of "Scheduling for PPCG" (the numbers are those of its listings), and what goes beyond them.
use loopwright_presburger::{Budget, UnionMap, UnionSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn file(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dependences");
    std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a file in it can be written");
    path
}

fn compile(name: &str, text: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    let output = command.arg("compile").arg(file(name, text)).args(arguments).output();
    let output = output.expect("the command starts");
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    output
}

fn function(parameters: &str, locals: &str, body: &str) -> String {
    format!("void f({parameters}) {{\n{locals}\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
}

/// The printed relations of a program.
struct Relations(String);

impl Relations {
    fn of(name: &str, program: &str) -> Relations {
        let output = compile(name, program, &["--emit", "deps"]);
        Relations(String::from_utf8(output.stdout).expect("the relations are text"))
    }

    fn text(&self, key: &str) -> &str {
        let value = |line: &'_ str| -> Option<(usize, usize)> {
            let rest = line.strip_prefix(key)?.strip_prefix(": \"")?.strip_suffix('"')?;
            let start = rest.as_ptr() as usize - self.0.as_ptr() as usize;
            Some((start, start + rest.len()))
        };
        let (start, end) = self.0.lines().find_map(value).expect("every relation is printed");
        &self.0[start..end]
    }

    #[track_caller]
    fn assert(&self, key: &str, expected: &str) {
        let found = UnionMap::parse(self.text(key)).unwrap();
        let expected = UnionMap::parse(expected).unwrap();
        let is_equal = found.is_equal(&expected, &Budget::unlimited()).unwrap();
        assert!(is_equal, "{key} is {found}, not {expected}");
    }
}

#[test]
fn l2_live_ranges_of_a_dead_scalar_may_change_places() {
    let body = "a = x[0]; y[0] = a; a = x[1]; y[1] = a;";
    let program = function("double x[2], double y[2]", "double a;", body);
    let relations = Relations::of("l2", &program);
    relations.assert("flow", "{ S0[] -> S1[]; S2[] -> S3[] }");
    relations.assert("false", "{ S0[] -> S2[]; S1[] -> S2[] }");
    relations.assert("order", "{ S1[] -> S2[] }");
    relations.assert("forced", "{ }");
    relations.assert(
        "tagged_flow",
        "{ [S0[] -> R0[]] -> [S1[] -> R1[]]; [S2[] -> R0[]] -> [S3[] -> R1[]] }",
    );
}

#[test]
fn l2_a_live_value_keeps_its_place() {
    let body = "a[0] = x[0]; y[0] = a[0]; a[0] = x[1]; y[1] = a[0];";
    let program = function("double x[2], double y[2], double a[1]", "", body);
    let relations = Relations::of("l2_live", &program);
    relations.assert("forced", "{ S0[] -> S2[] }");
    relations.assert("order", "{ S1[] -> S2[] }");
    relations.assert("live_out", "{ S1[] -> y[0]; S2[] -> a[0]; S3[] -> y[1] }");
}

#[test]
fn l3_a_local_scalar_is_killed_and_the_loop_is_parallel() {
    let body = "for (int i = 0; i < n; i++) { t[0] = A[i]; B[i] = t[0]; }";
    let scalar = body.replace("t[0]", "t");
    let dead = function("int n, int A[n], int B[n]", "int t;", &scalar);
    let live = function("int n, int A[n], int B[n], int t[1]", "", body);
    let relations = Relations::of("l3", &dead);
    relations.assert("live_out", "[n] -> { S1[i] -> B[i] : 0 <= i < n }");
    relations.assert("forced", "{ }");
    let relations = Relations::of("l3_live", &live);
    relations.assert("forced", "[n] -> { S0[i] -> S0[n - 1] : 0 <= i < n - 1 }");
    let coincident = |name, program: &str| {
        let output = compile(name, program, &["--emit", "schedule", "--no-tile"]);
        String::from_utf8_lossy(&output.stdout).contains("coincident: [ 1 ]")
    };
    assert!(coincident("l3", &dead));
    assert!(!coincident("l3_live", &live));
}

#[test]
fn l4_the_tree_of_a_matrix_product() {
    let body = "for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) { C[i][j] = 0; \
                for (int k = 0; k < q; k++) C[i][j] = C[i][j] + A[i][k] * B[k][j]; }";
    let program =
        function("int m, int n, int q, double A[m][q], double B[q][n], double C[m][n]", "", body);
    let output = compile("l4", &program, &["--emit", "schedule", "--scheduler", "none"]);
    let tree = loopwright_schedule::ScheduleTree::parse(&String::from_utf8_lossy(&output.stdout));
    let outline = outline(&tree.unwrap().root);
    assert_eq!(outline, "band(band(sequence(filter(leaf) filter(band(leaf)))))");
    let relations = Relations::of("l4", &program);
    relations.assert(
        "flow",
        "[m, n, q] -> { S0[i, j] -> S1[i, j, 0] : 0 <= i < m and 0 <= j < n and q > 0; \
         S1[i, j, k] -> S1[i, j, k + 1] : 0 <= i < m and 0 <= j < n and 0 <= k < q - 1 }",
    );
    relations.assert(
        "reductions",
        "[m, n, q] -> { S1[i, j, k] -> C[i, j] : 0 <= i < m and 0 <= j < n and 0 <= k < q }",
    );
}

fn outline(node: &loopwright_schedule::Node) -> String {
    use loopwright_schedule::Node;
    let name = match node {
        Node::Leaf => return "leaf".to_string(),
        Node::Band(..) => "band",
        Node::Sequence(_) => "sequence",
        Node::Filter(..) => "filter",
        _ => "other",
    };
    let children: Vec<String> = node.children().iter().map(outline).collect();
    format!("{name}({})", children.join(" "))
}

#[test]
fn l15_the_flow_of_a_sum_in_two_loops() {
    let body = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s[0] += A[i][j];";
    let relations = Relations::of("l15", &function("int n, double A[n][n], double s[1]", "", body));
    relations.assert(
        "flow",
        "[n] -> { S0[i, j] -> S0[i, j + 1] : 0 <= i < n and 0 <= j < n - 1; \
         S0[i, n - 1] -> S0[i + 1, 0] : 0 <= i < n - 1 }",
    );
    relations.assert("reductions", "[n] -> { S0[i, j] -> s[0] : 0 <= i < n and 0 <= j < n }");
}

#[test]
fn l32_the_flow_through_one_element() {
    let body = "for (int i = 0; i < 10; i++) { A[i] = B[i]; B[i + 1] = A[0]; }";
    let relations = Relations::of("l32", &function("int A[10], int B[11]", "", body));
    relations.assert("flow", "{ S0[0] -> S1[i] : 0 <= i <= 9; S1[i] -> S0[i + 1] : 0 <= i <= 8 }");
}

/// The kernel of PolyBench 3.2: everything is computed again in each iteration of the outer loop.
const L19: &str = "
for (int t = 0; t < niter; t++) {
  for (int j = 0; j <= m - 1; j++)
    for (int i = j; i <= m - 1; i++)
      for (int c = 0; c <= l - 1; c++)
        diff[j][i][c] = tang[j][i];
  for (int j = 0; j <= m - 1; j++) {
    for (int i = j; i <= m - 1; i++) {
      sum[j][i][0] = diff[j][i][0];
      for (int c = 1; c <= l - 1; c++)
        sum[j][i][c] = sum[j][i][c - 1] + diff[j][i][c];
      mean[j][i] = sum[j][i][l - 1];
    }
  }
  for (int i = 0; i <= m - 1; i++)
    path[0][i] = mean[0][i];
  for (int j = 1; j <= m - 1; j++)
    for (int i = j; i <= m - 1; i++)
      path[j][i] = path[j - 1][i - 1] + mean[j][i];
}";

#[test]
fn l19_only_the_last_iteration_of_an_idempotent_loop_is_live() {
    let parameters = "int niter, int m, int l, int tang[m][m], int mean[m][m], int path[m][m], \
                      int diff[m][m][l], int sum[m][m][l]";
    let program = function(parameters, "", L19);
    let relations = Relations::of("l19", &program);
    let live = UnionSet::parse(relations.text("live_instances")).unwrap();
    let budget = Budget::unlimited();
    let last = "[niter] -> { S0[t, j, i, c] : t = niter - 1; S1[t, j, i] : t = niter - 1; \
                S2[t, j, i, c] : t = niter - 1; S3[t, j, i] : t = niter - 1; \
                S4[t, i] : t = niter - 1; S5[t, j, i] : t = niter - 1 }";
    // `sum[..][0]` is written in every case, so that every statement has live instances.
    assert!(live.is_subset(&UnionSet::parse(last).unwrap(), &budget).unwrap(), "{live}");
    assert_eq!(live.sets().len(), 6);
    let options = ["--eliminate-dead-code", "--target", "c", "--no-tile", "--assume-no-alias"];
    let output = compile("l19", &program, &options);
    let code = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!code.contains("t < niter") && !code.contains("< niter;"), "{code}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("proved: the schedule"));
}

/// For each statement the coefficients of its dimensions in the members above it, outermost first,
/// each with its coincidence.
fn members(
    node: &loopwright_schedule::Node,
    found: &mut std::collections::BTreeMap<String, Vec<(Vec<i64>, bool)>>,
) {
    use loopwright_presburger::{DimKind, Tuple};
    if let loopwright_schedule::Node::Band(band, _) = node {
        for (schedule, member) in band.schedule.members().iter().zip(&band.members) {
            for part in schedule.parts() {
                let aff = &part.pieces()[0].1;
                let space = aff.domain_space();
                let name = space.output().and_then(Tuple::name).expect("a name").to_string();
                let first = 1 + space.n(DimKind::Param);
                let dims = first..first + space.n(DimKind::Out);
                let entries = dims.map(|column| aff.row().get(column).to_i64().expect("small"));
                found.entry(name).or_default().push((entries.collect(), member.coincident));
            }
        }
    }
    node.children().iter().for_each(|child| members(child, found));
}

/// T-14: of an outer loop whose iterations all do the same only the last is left; its iterator is
/// fixed, no member (that would look parallel) is spent on it, and parallel loops are outermost.
#[test]
fn t_14_a_dead_outer_loop_is_no_member() {
    use loopwright_scheduler::{Options, ScheduleConstraints, schedule};
    let parameters = "int niter, int m, int l, int tang[m][m], int mean[m][m], int path[m][m], \
                      int diff[m][m][l], int sum[m][m][l]";
    let program = function(parameters, "", L19);
    let members_with = |arguments: &[&str], options: &Options| {
        let output = compile("t14", &program, &[&["--emit", "constraints"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let constraints = ScheduleConstraints::parse(&text).unwrap();
        let scheduled = schedule(&constraints, options, &Budget::unlimited()).unwrap();
        let mut found = std::collections::BTreeMap::new();
        members(&scheduled.tree.root, &mut found);
        assert_eq!(found.len(), 6, "{}", scheduled.tree);
        found
    };
    for options in [Options::tiling(), Options::outer_parallel()] {
        for (name, rows) in members_with(&["--eliminate-dead-code"], &options) {
            assert!(rows.iter().all(|(row, _)| row[0] == 0), "{name}: {rows:?}");
            let loops = rows.iter().filter(|(row, _)| row.iter().any(|&entry| entry != 0)).count();
            assert_eq!(loops, rows[0].0.len() - 1, "{name}: {rows:?}");
            assert!(rows[0].1, "{name}: {rows:?}");
        }
        let kept = members_with(&[], &options);
        assert!(kept.values().all(|rows| rows.iter().any(|(row, _)| row[0] != 0)), "{kept:?}");
    }
}

#[test]
fn dead_code_is_left_out_on_request_only() {
    let body = "for (int i = 0; i < n; i++) { t = A[i]; u = t + 1; A[i] = 2; }";
    let program = function("int n, double A[n]", "double t, u;", body);
    let kept = compile("dead", &program, &["--target", "c"]);
    assert!(String::from_utf8_lossy(&kept.stdout).contains("u = t + 1"));
    let cleaned = compile("dead", &program, &["--target", "c", "--eliminate-dead-code"]);
    let code = String::from_utf8_lossy(&cleaned.stdout).into_owned();
    assert!(!code.contains("u = t + 1") && !code.contains("t = A"), "{code}");
    assert!(code.contains("] = 2;"), "{code}");
    let report = String::from_utf8_lossy(&cleaned.stderr).into_owned();
    assert!(report.contains("dead code is left out: S0, S1"), "{report}");
}

#[test]
fn input_dependences_join_reads_of_one_value() {
    let body = "for (int i = 0; i < n; i++) B[i] = A[i] + A[i + 1];";
    let relations = Relations::of("input", &function("int n, int A[n + 1], int B[n]", "", body));
    relations.assert("input", "[n] -> { S0[i] -> S0[i + 1] : 0 <= i < n - 1 }");
    let body =
        "for (int i = 0; i < n; i++) { B[i] = A[i]; A[i] = 0; C[i] = A[i]; C[i] = C[i] + A[i]; }";
    let relations =
        Relations::of("input_cut", &function("int n, int A[n], int B[n], int C[n]", "", body));
    relations.assert("input", "[n] -> { S2[i] -> S3[i] : 0 <= i < n }");
}

#[test]
fn reductions_are_updates_whose_order_does_not_matter() {
    for (update, is_reduction) in [
        ("s[0] += A[i];", true),
        ("s[0] -= A[i] * A[i + 1];", true),
        ("s[0] *= A[i] + 1;", true),
        ("s[0] = s[0] + A[i] * 2;", true),
        ("s[0] = s[0] * A[i] + 1;", false),
        ("s[0] = s[0] - A[i] + 1;", true),
        ("s[0] = s[0] + (A[i] < 1 ? 2 : 3);", true),
        ("s[0] = A[i] - s[0];", false),
        ("s[0] += s[1];", false),
        ("s[0] += A[i] * s[0];", false),
        ("s[0] = s[0] + A[i] < 2;", false),
        ("s[0] /= A[i];", true),
        ("A[i] = A[i + 1] + 2;", false),
    ] {
        let body = format!("for (int i = 0; i < n; i++) {update}");
        let program = function("int n, double A[n + 1], double s[2]", "", &body);
        let relations = Relations::of("reduction", &program);
        let expected = if is_reduction { "[n] -> { S0[i] -> s[0] : 0 <= i < n }" } else { "{ }" };
        relations.assert("reductions", expected);
    }
}
