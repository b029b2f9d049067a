//! `loopwright report`: every loop with its verdict, and the table of causes.
use loopwright::{CauseClass, CompileOptions, Counted, FileSurvey, Survey, TimeData, Verdict};
use loopwright_cfront::Code;
use std::path::PathBuf;
use std::process::Command;

const PROGRAM: &str = "\
int rand(void);
static double A[2000][2000], B[2000][2000];
void scale(void) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 2000; j++)
      A[i][j] = 2 * B[j][i];
}
void walk(int n, double x[n]) {
  for (int i = 0; i < n; i++) {
    x[i] = rand(); x[0] = unknown;
    for (int j = 1; j < n; j++)
      x[j] += x[j - 1];
  }
  for (int i = 0; i < n; i++)
    x[i] = rand();
#pragma scop
  for (int i = 0; i < n; i++)
    x[i] = missing;
#pragma endscop
}
";

fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("loopwright-report-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn survey(name: &str, program: &str) -> Survey {
    let folder = folder(name);
    let path = folder.join("program.c");
    std::fs::write(&path, program).unwrap();
    let survey = Survey::of(&[path, folder.join("missing.c")], &CompileOptions::new());
    std::fs::remove_dir_all(&folder).unwrap();
    survey
}

#[test]
fn every_loop_has_a_verdict_and_all_reasons() {
    let survey = survey("verdicts", PROGRAM);
    let FileSurvey { nests, .. } = &survey.files[0];
    let found: Vec<_> = nests.iter().map(|n| (n.lines, n.depth, n.verdict)).collect();
    assert_eq!(
        found,
        [
            ((4, 6), 0, found[0].2),
            ((9, 13), 0, Verdict::Refused),
            ((11, 12), 1, Verdict::Unchanged),
            ((14, 15), 0, Verdict::Refused),
            ((17, 18), 0, Verdict::Refused),
        ]
    );
    assert!(matches!(found[0].2, Verdict::Parallel | Verdict::ParallelAndTiled), "{survey}");
    assert!(nests[0].proved && !nests[2].proved, "nothing is proved about what stays");
    let codes: Vec<Code> = nests[1].refusals.iter().map(|r| r.code).collect();
    assert!(codes.contains(&Code::Call) && codes.contains(&Code::UnknownName), "{codes:?}");
    assert_eq!(survey.files[1].failures[0].code, Code::Unreadable);
}

#[test]
fn causes_are_counted_in_three_ways() {
    let survey = survey("causes", PROGRAM);
    let causes: Vec<_> =
        survey.causes().iter().map(|c| (c.code, c.nests, c.alone, c.up_to_here)).collect();
    assert_eq!(causes, [(Code::UnknownName, 2, 1, 1), (Code::Call, 2, 1, 3)]);
}

#[test]
fn the_three_forms_say_the_same() {
    let survey = survey("forms", PROGRAM);
    let json = survey.to_json();
    assert_eq!(json["verdicts"]["refused"], 3);
    assert_eq!(json["files"][0]["nests"][1]["lines"], serde_json::json!([9, 13]));
    assert_eq!(json["causes"][0]["code"], "CF11");
    let text = survey.to_string();
    assert!(text.contains("5 loop nests in 2 files") && text.contains("way out: "), "{text}");
    let html = survey.to_html();
    assert!(html.contains("a call of `rand`") && !html.contains("http"), "{html}");
    assert_eq!(html.matches("<details").count(), 5);
}

#[test]
fn the_command_takes_many_files() {
    let folder = folder("command");
    for name in ["a.c", "b.c"] {
        std::fs::write(folder.join(name), PROGRAM).unwrap();
    }
    let run = |arguments: &[&str]| {
        let command = env!("CARGO_BIN_EXE_loopwright");
        Command::new(command).args(arguments).current_dir(&folder).output().unwrap()
    };
    let output = run(&["report", "a.c", "b.c", "--format", "json"]);
    assert!(output.status.success());
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["files"][1]["file"], "b.c");
    assert_eq!(run(&["report"]).status.code(), Some(2));
    assert_eq!(run(&["report", "a.c", "-o", "a.c"]).status.code(), Some(2));
    assert_eq!(run(&["report", "a.c", "--format", "pdf"]).status.code(), Some(2));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn regions_without_pragmas_compute_the_same() {
    let program = "\
#include <stdio.h>
#define N 300
static double A[N][N], B[N][N], sum;
#define EACH(x) for (int x = 0; x < N; x++)
int main(int argc, char **argv) {
  int i, j;
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      A[i][j] = (i * 7 + j) % 11;
  for (int t = 0; t < 3; t++) {
    for (i = 1; i < N - 1; i++)
      for (j = 1; j < N - 1; j++)
        B[i][j] = A[i][j - 1] + A[i - 1][j];
    if (argc > 1) for (i = 0; i < N; i++) A[i][0] = 1;
    else
      for (i = 1; i < N - 1; i++)
        for (j = 1; j < N - 1; j++)
          A[i][j] = 0.5 * B[i][j];
    printf(\"%d\\n\", t);
    (void)argv;
  }
  switch (argc) {
  case 1:
    EACH(k)
      A[k][k] += k;
    puts(\"one\");
    break;
  default:
    break;
  }
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      sum += A[i][j] * (i + j);
  printf(\"%.17g\\n\", sum);
  return 0;
}
";
    let folder = folder("same");
    std::fs::write(folder.join("a.c"), program).unwrap();
    let command = env!("CARGO_BIN_EXE_loopwright");
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let report = run(command, &["compile", "--autodetect", "a.c", "-o", "b.c"]);
    assert!(report.starts_with("4 regions\n"), "{report}");
    for name in ["a", "b"] {
        let source = format!("{name}.c");
        run("cc", &["-O1", "-fopenmp", "-ffp-contract=off", &source, "-o", name, "-lm"]);
    }
    let results = ["a", "b"].map(|name| run(&folder.join(name).to_string_lossy(), &[]));
    assert_eq!(results[0], results[1]);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_is_known_of_the_program_counts() {
    let program = "void f(int n, int m, double *a, double *b, const int *k) {
  for (int i = 0; i < n; i++) a[i + m] = b[k[i]];
  for (int i = 0; i < n; i++) a[i] = a[i + m];
}
";
    let folder = folder("facts");
    std::fs::write(folder.join("a.c"), program).unwrap();
    let run = |arguments: &[&str]| {
        let command = env!("CARGO_BIN_EXE_loopwright");
        let output = Command::new(command).args(arguments).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(run(&["report", "a.c"]).contains("--assume-no-alias"));
    assert!(run(&["explain", "a.c:2"]).contains("--assume-no-alias"));
    let assumed = run(&["report", "--assume-no-alias", "a.c"]);
    assert!(!assumed.contains("CF19") && assumed.contains("line 2 in f: parallel"), "{assumed}");
    let (line, no_alias) = ("a.c:3", "--assume-no-alias");
    assert!(run(&["explain", line, no_alias]).contains("not parallel as it stands"));
    let fact = "[m, n] -> { : m >= n }";
    let known = run(&["explain", line, no_alias, "--ctx", fact]);
    assert!(known.contains("parallel: no two iterations depend on each other"), "{known}");
    std::fs::remove_dir_all(&folder).unwrap();
}

const TIMED: &str = "\
int rand(void);
static double A[2000][2000], B[2000][2000];
void scale(int n, const double *a, double *b) {
  for (int i = 0; i < n; i++)
    b[i] = 2 * a[i];
}
void walk(void) {
  for (int i = 0; i < 2000; i++) {
    A[i][0] = rand();
    for (int j = 0; j < 2000; j++)
      A[i][j] += B[j][i];
  }
  B[0][0] = 1;
}
";

#[test]
fn time_belongs_to_the_innermost_nest() {
    let survey = survey("timed", TIMED);
    // The header is expanded in a loop, the library and the other file are elsewhere.
    let data = "# Overhead  Source:Line\n  20.00%  program.c:5\n  30.00%  /old/x.h:7 program.c:11\n\
                10 program.c:9\n 5 program.c:13\n 25 libm.so.6\n 10 other.c:5\n";
    let survey = survey.with_time(&TimeData::parse(data).unwrap());
    let time = survey.time.as_ref().unwrap();
    let rounded = |value: f64| (1000.0 * value).round() / 1000.0;
    let nests: Vec<f64> = time.nests[0].iter().map(|time| rounded(*time)).collect();
    assert_eq!(nests, [0.333, 0.167, 0.5]);
    assert_eq!([time.in_loops, time.outside, time.elsewhere].map(rounded), [0.6, 0.05, 0.35]);
    let shares = Verdict::ALL.map(|verdict| survey.time_of(verdict).unwrap());
    assert_eq!(rounded(shares.iter().sum()), 1.0);
    let json = survey.to_json();
    assert_eq!(rounded(json["files"][0]["nests"][2]["time"].as_f64().unwrap()), 0.5);
    assert_eq!(rounded(json["time"]["elsewhere"].as_f64().unwrap()), 0.35);
    assert!(survey.to_string().contains("60.0 % of all time was spent in loops"));
    assert!(survey.to_html().contains("<td data-key=\"0.5\">50.0 %</td>"));
}

#[test]
fn causes_have_the_classes_of_the_paper() {
    let data = TimeData::parse("3 program.c:5\n1 program.c:9\n").unwrap();
    let survey = survey("classes", TIMED).with_time(&data);
    let table = survey.classes();
    let row = |class: CauseClass| *table.rows.iter().find(|row| row.class == class).unwrap();
    let counted = |nests: usize, time: f64| Counted { nests, time: Some(time) };
    let call = row(CauseClass::Call);
    assert_eq!([call.refused, call.alone], [counted(1, 0.25); 2]);
    // Whether `a` and `b` overlap is checked when the program runs.
    assert_eq!(row(CauseClass::Aliasing).checked, counted(1, 0.75));
    assert_eq!(row(CauseClass::Aliasing).refused, counted(0, 0.0));
    assert_eq!(table.candidates, counted(3, 1.0));
    assert_eq!([table.accepted, table.with_checks], [counted(1, 0.0), counted(1, 0.75)]);
    assert_eq!(table.rows.last().unwrap().up_to_here.nests, 1);
    let json = survey.to_json();
    assert_eq!(json["classes"]["rows"][3]["class"], "function call");
    assert_eq!(json["classes"]["with_checks"]["nests"], 1);
    assert!(survey.to_string().contains("accepted with checks at run time"));
    assert!(survey.to_html().contains("function call</th>"));
}

#[test]
fn the_command_takes_the_time_of_a_run() {
    let folder = folder("time-data");
    std::fs::write(folder.join("a.c"), TIMED).unwrap();
    std::fs::write(folder.join("time.txt"), "7.5% a.c:5\n").unwrap();
    std::fs::write(folder.join("none.txt"), "7.5% a.out\n").unwrap();
    let run = |arguments: &[&str]| {
        let command = env!("CARGO_BIN_EXE_loopwright");
        Command::new(command).args(arguments).current_dir(&folder).output().unwrap()
    };
    let output = run(&["report", "a.c", "--time-data", "time.txt"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("100.0 % of all time"));
    for (name, said) in
        [("none.txt", "none.txt: no line begins with a number"), ("no.txt", "no.txt: ")]
    {
        let output = run(&["report", "a.c", "--time-data", name]);
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(said), "{message}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
