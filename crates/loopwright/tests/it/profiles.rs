//! Programs that write profiles, and versions for the values in them.

use crate::support::scratch;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The functions of the paper on speculation, called for several sizes: a linearised matrix, and a bound that
/// is no affine form; a bound in memory.
const PROGRAM: &str = "#include <stdio.h>
#include <stdlib.h>
struct grid { int n, m; };
static void matrix(double *A, int N) {
  int i, j;
  for (i = 1; i < N; i++)
    for (j = 0; j < N; j++)
      A[j*N+i] += A[j*N+i-1];
}
static void square(double *A, int N) {
  for (int i = 0; i < N * N; i++)
    A[i] = A[i] * 0.5 + 1;
}
static void growing(double *A, int N) {
  for (int i = 0; i < 40; i++)
    for (int j = i * N; j < i * N + N / 2; j++)
      A[j] = A[j] * 0.5 + i;
}
static void memory(double *A, struct grid *g) {
  for (int i = 0; i < g->n / g->m; i++)
    A[i] *= 1.5;
}
int main(int argc, char **argv) {
  struct grid g = {1000, 2};
  double *A = malloc(sizeof(double) * 1000 * 1000);
  for (int i = 0; i < 1000 * 1000; i++) A[i] = i % 13;
  for (int k = 1; k < argc; k++) {
    int n = atoi(argv[k]);
    matrix(A, n);
    square(A, n);
    growing(A, n);
    g.m = 1 + n % 3;
    memory(A, &g);
  }
  double s = 0;
  for (int i = 0; i < 1000 * 1000; i++) s += A[i] * (i % 7);
  printf(\"%.17g\\n\", s);
  return 0;
}
";

fn folder(name: &str) -> PathBuf {
    let folder = scratch("profiles").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be made");
    folder
}

fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the folder for tests can be written");
}

/// Compiles a file with options; the text of the result and what is remarked.
#[track_caller]
fn compiled(path: &Path, options: &[&str]) -> (String, String) {
    let result = path.with_extension("out.c");
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.current_dir(path.parent().unwrap());
    command.args(["compile", "--autodetect", "-o"]).arg(&result).arg(path).args(options);
    let output = command.output().expect("the command runs");
    let remarks = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{remarks}");
    (std::fs::read_to_string(result).expect("the result is written"), remarks)
}

/// Builds a program of these texts.
#[track_caller]
fn built(folder: &Path, name: &str, texts: &[&str], flags: &[&str]) -> PathBuf {
    let binary = folder.join(name);
    let mut command = Command::new(std::env::var("CC").unwrap_or_else(|_| "cc".to_string()));
    command.args(["-O1", "-w", "-fopenmp", "-ffp-contract=off", "-o"]).arg(&binary).args(flags);
    for (number, text) in texts.iter().enumerate() {
        let path = folder.join(format!("{name}_{number}.c"));
        write(&path, text);
        command.arg(path);
    }
    let output = command.arg("-lm").output().expect("there is a C compiler");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    binary
}

/// What a program prints.
#[track_caller]
fn run(binary: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(binary);
    let output = command.current_dir(binary.parent().unwrap()).args(arguments).output();
    let output = output.expect("the program runs");
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text of the profiles that processes have written.
fn profiles(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there").flatten();
    let is_profile = |name: &str| name.starts_with("loopwright.profile.");
    let paths = entries.filter(|e| is_profile(&e.file_name().to_string_lossy()));
    paths.map(|e| std::fs::read_to_string(e.path()).expect("it is text")).collect()
}

const SIZES: &[&str] = &["700", "3", "700", "700"];

#[test]
fn values_that_took_the_time_get_versions() {
    let folder = folder("versions");
    let path = folder.join("program.c");
    write(&path, PROGRAM);
    let before = built(&folder, "before", &[PROGRAM], &[]);
    let (measuring, remarks) = compiled(&path, &["--profile-gen"]);
    assert!(remarks.contains("in square: measures the time by the values of N"), "{remarks}");
    assert!(remarks.contains("in growing: measures") && remarks.contains("g->m"), "{remarks}");
    let binary = built(&folder, "measuring", &[&measuring], &["-Wall", "-Werror"]);
    assert_eq!(run(&binary, SIZES), run(&before, SIZES));
    let written = profiles(&folder).concat();
    assert!(written.starts_with("loopwright profile 1\nprocess "), "{written}");
    for line in ["region program.c square 0 ", "values 3 ", "values 1 "] {
        assert!(written.contains(line), "{line}: {written}");
    }
    let (result, remarks) =
        compiled(&path, &["--profile-use", "loopwright.profile", "--always-rewrite"]);
    assert!(remarks.contains("a version for N = 700 ("), "{remarks}");
    let square = result.split("static void square").nth(1).expect("it is there");
    let (square, growing) = square.split_once("static void growing").expect("it is there");
    assert!(square.contains("if (N == 700) {") && square.contains("c0 <= 489999"), "{square}");
    assert!(square.contains("#pragma omp parallel for"), "{square}");
    let matrix = result.split("static void square").next().expect("it is there");
    assert!(
        matrix.contains("if (N == 700) {")
            && matrix.contains("A[c0 * N + c1] += A[c0 * N + (c1 - 1)];"),
        "{matrix}"
    );
    let growing = growing.split("static void memory").next().expect("it is there");
    assert!(growing.contains("if (N == 700) {") && growing.contains("c0 <= 27649"), "{growing}");
    let memory = result.split("static void memory").nth(1).expect("it is there");
    assert!(memory.contains("(g->m) == 2"), "{memory}");
    let after = built(&folder, "after", &[&result], &[]);
    for sizes in [SIZES, &["1", "0", "2"], &["699", "700", "701", "-3"], &["17"]] {
        assert_eq!(run(&after, sizes), run(&before, sizes), "{sizes:?}");
    }
}

/// A profile of one region by hand.
fn profile(function: &str, rest: &str, values: &[(u64, &str)]) -> String {
    let mut text = "loopwright profile 1\nprocess 1 1 1000000\n".to_string();
    text += &format!("region program.c {function} {rest}\n");
    for (time, values) in values {
        text += &format!("values 5 {time} {values}\n");
    }
    text
}

/// The digest of a region of [`PROGRAM`], as its profile has it.
fn region_line(folder: &Path, function: &str) -> String {
    let path = folder.join("digests.c");
    write(&path, PROGRAM);
    let (measuring, _) = compiled(&path, &["--profile-gen"]);
    let start = format!("\"region digests.c {function} ");
    let line = measuring.split(&start).nth(1).expect("the region is measured");
    line.split("\\n").next().expect("the line ends").to_string()
}

#[test]
fn versions_come_in_the_order_of_time_and_are_limited() {
    let folder = folder("order");
    let path = folder.join("program.c");
    write(&path, PROGRAM);
    let square = region_line(&folder, "square");
    let times: &[(u64, &str)] =
        &[(200, "300"), (400, "500"), (40, "100"), (130, "200"), (110, "600"), (120, "400")];
    write(&folder.join("times"), &profile("square", &square, times));
    let order = |options: &[&str]| {
        let all = [&["--profile-use", "times", "--always-rewrite"], options].concat();
        let (result, _) = compiled(&path, &all);
        let versions = result.split("if (N == ").skip(1);
        versions.map(|v| v.split(')').next().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(order(&[]), ["500", "300", "200", "400"]);
    assert_eq!(order(&["--profile-versions", "2"]), ["500", "300"]);
    assert_eq!(order(&["--profile-share", "25"]), ["500"]);
    assert_eq!(order(&["--profile-share", "1", "--profile-versions", "16"]).len(), 6);
}

#[test]
fn a_changed_region_is_noticed() {
    let folder = folder("changed");
    let path = folder.join("program.c");
    let square = {
        write(&path, PROGRAM);
        region_line(&folder, "square")
    };
    write(&folder.join("times"), &profile("square", &square, &[(4000, "500")]));
    // Another form of the same text.
    write(&path, &PROGRAM.replace("A[i] = A[i] * 0.5 + 1;", "  A[i] = A[i] *  0.5 + 1;"));
    let (result, _) = compiled(&path, &["--profile-use", "times"]);
    assert!(result.contains("if (N == 500) {"), "{result}");
    write(&path, &PROGRAM.replace("* 0.5 + 1", "* 0.5 + 2"));
    let (result, remarks) = compiled(&path, &["--profile-use", "times"]);
    assert!(!result.contains("N == 500"), "{result}");
    assert!(
        remarks
            .contains("the profile's region 1 of square is not used: its text has changed since"),
        "{remarks}"
    );
    assert!(
        remarks.contains("the profile has no effect: it knows none of the regions"),
        "{remarks}"
    );
}

#[test]
fn regions_without_time_stay_as_they_were() {
    let folder = folder("cold");
    let path = folder.join("program.c");
    write(&path, PROGRAM);
    let matrix = region_line(&folder, "matrix");
    write(&folder.join("times"), &profile("matrix", &matrix, &[(900, "500")]));
    let (result, remarks) = compiled(&path, &["--profile-use", "times"]);
    assert!(result.contains("static void matrix(double *A, int N) {\n  int i, j;\n"), "{result}");
    assert!(
        remarks.contains("the profile has it with 0.090 % of the time (5 executions)"),
        "{remarks}"
    );
    write(&folder.join("times"), &profile("matrix", &matrix, &[(1100, "500")]));
    let (result, _) = compiled(&path, &["--profile-use", "times"]);
    assert!(result.contains("if (N == 500) {"), "{result}");
}

/// Several processes at once each write a file, and processes and files of a program are added up.
#[test]
fn processes_at_the_same_time_do_not_disturb_each_other() {
    let folder = folder("processes");
    let path = folder.join("shared.h");
    let shared = "static void scale(double *a, int n) {\n  for (int i = 0; i < n * n; i++)\n    a[i] *= 2;\n}\n";
    write(&path, shared);
    let (measuring, _) =
        compiled(&path, &["--profile-gen", "--profile-file", "loopwright.profile"]);
    write(&folder.join("measured.h"), &measuring);
    let other = "#include \"measured.h\"\nvoid other(double *a, int n) { scale(a, n); }\n";
    let main = "#include <stdio.h>\n#include \"measured.h\"\nvoid other(double *a, int n);\nstatic double a[10000];\n\
                int main(void) {\n  a[5] = 1;\n#pragma omp parallel for\n  for (int k = 0; k < 4; k++) { double b[100]; scale(b, 10); }\n  \
                scale(a, 100);\n  other(a, 100);\n  other(a, 50);\n  printf(\"%g\\n\", a[5]);\n}\n";
    let binary = built(&folder, "both", &[main, other], &[]);
    let mut running = Vec::new();
    for _ in 0..6 {
        let mut command = Command::new(&binary);
        command.current_dir(&folder).stdout(std::process::Stdio::null());
        running.push(command.spawn().expect("the program runs"));
    }
    for mut process in running {
        assert!(process.wait().expect("it ends").success());
    }
    assert_eq!(profiles(&folder).len(), 6);
    let name = folder.join("loopwright.profile");
    let all = loopwright::Measurements::read(&[name]).expect("they are profiles");
    let (key, _, region) = all.regions().next().expect("there is a region");
    assert_eq!((&*key.file, &*key.function, key.ordinal), ("shared.h", "scale", 0));
    assert_eq!(all.regions().count(), 1);
    let counts: Vec<(i64, u64)> =
        region.values.iter().map(|(v, spent)| (v[0], spent.count)).collect();
    assert_eq!(counts, [(10, 24), (50, 6), (100, 12)]);
    assert!(all.nanoseconds() >= region.total().nanoseconds);
}

#[test]
fn more_values_than_fit_are_counted_together() {
    let folder = folder("many");
    let path = folder.join("program.c");
    write(&path, PROGRAM);
    let (measuring, _) = compiled(&path, &["--profile-gen"]);
    let binary = built(&folder, "measuring", &[&measuring], &[]);
    // The last one is hot, and comes when all places are taken.
    let sizes: Vec<String> = (1..=40).chain([700; 5]).map(|n| n.to_string()).collect();
    let sizes: Vec<&str> = sizes.iter().map(String::as_str).collect();
    // The name that the environment gives comes first.
    let output = Command::new(&binary)
        .current_dir(&folder)
        .env("LOOPWRIGHT_PROFILE_FILE", folder.join("named"))
        .args(&sizes)
        .output();
    assert!(output.expect("the program runs").status.success());
    let all = loopwright::Measurements::read(&[folder.join("named")]).expect("there is a profile");
    let square = all.regions().find(|(key, _, _)| key.function == "square").expect("it is there").2;
    assert_eq!(square.values.len(), 32);
    assert_eq!(square.total().count, 45);
    assert_eq!(square.values[&vec![700]].count, 5);
    let most = square.values.values().map(|spent| spent.nanoseconds).max();
    assert_eq!(most, Some(square.values[&vec![700]].nanoseconds));
}

/// The same two steps by the wrapper of a compiler.
#[test]
fn builds_measure_and_use_profiles() {
    let folder = folder("builds");
    write(&folder.join("program.c"), PROGRAM);
    let before = built(&folder, "before", &[PROGRAM], &[]);
    let build = |options: &[&str], name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
        command.current_dir(&folder).env("LOOPWRIGHT_CACHE", folder.join("cache"));
        command.arg("cc").args(options).args(["gcc", "-O2", "-ffp-contract=off", "program.c"]);
        let output = command.args(["-o", name]).output().expect("the command runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        folder.join(name)
    };
    let measuring = build(&["--profile-gen"], "measuring");
    assert_eq!(run(&measuring, SIZES), run(&before, SIZES));
    let written = profiles(&folder).concat();
    assert!(written.contains("region program.c square 0 "), "{written}");
    let after = build(&["--profile-use", "loopwright.profile"], "after");
    for sizes in [SIZES, &["1", "0", "2"], &["699", "700", "701"]] {
        assert_eq!(run(&after, sizes), run(&before, sizes), "{sizes:?}");
    }
}

#[test]
fn options_about_profiles_are_checked() {
    let folder = folder("options");
    let path = folder.join("program.c");
    write(&path, PROGRAM);
    write(&folder.join("wrong"), "no profile\n");
    let refused = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
        command.current_dir(&folder).args(["compile", "--autodetect"]).arg(&path).args(options);
        let output = command.output().expect("the command runs");
        assert!(!output.status.success(), "{options:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    for (options, reason) in [
        (&["--profile-use", "nowhere"][..], "there is no such profile"),
        (&["--profile-use", "wrong"], "it is no profile"),
        (&["--profile-file", "x"], "it goes with --profile-gen"),
        (&["--profile-share", "20"], "they go with --profile-use"),
        (&["--profile-gen", "--adaptive", "always"], "the result is the program as it was"),
        (&["--profile-use", "wrong", "--profile-share", "0"], "takes a number from 1 to 100"),
        (&["--profile-gen", "--emit", "scop"], "profiles are about the code"),
    ] {
        let said = refused(options);
        assert!(said.contains(reason), "{options:?}: {said}");
    }
}

#[test]
fn a_report_says_what_values_save() {
    let program = "#include <stdlib.h>
static double A[4000], B[4000];
void scaled(int n, int s) {
  for (int i = 0; i < 4000; i += s)
    A[i] = B[i] * n;
}
int main(int argc, char **argv) {
  for (int i = 0; i < 100; i++) scaled(2, 1);
  return argc > 1 && atoi(argv[1]) == A[0];
}
";
    let folder = folder("report");
    let path = folder.join("program.c");
    write(&path, program);
    let (measuring, _) = compiled(&path, &["--profile-gen"]);
    run(&built(&folder, "measuring", &[&measuring], &[]), &[]);
    let classes = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
        command.current_dir(&folder).args(["report", "program.c", "--format", "json"]);
        let output = command.args(options).output().expect("the command runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let json: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let counts = |field: &str| json["classes"][field]["nests"].as_u64();
        (counts("with_profile"), json["classes"]["rows"][4]["profiled"]["nests"].as_u64())
    };
    assert_eq!(classes(&[]), (Some(0), Some(0)));
    let used = ["--profile-use", "loopwright.profile", "--always-rewrite"];
    assert_eq!(classes(&used), (Some(1), Some(1)));
}
