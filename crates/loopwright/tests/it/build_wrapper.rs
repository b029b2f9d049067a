//! `loopwright cc`: objects and programs are those of the compiler, with other loops.
use crate::project::{Project, is_there};

const KERNELS: &str = r#"#include <stdio.h>
#include "scale.h"
#define N 60
static double A[N][N], B[N][N], C[N][N];

void product(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      for (int k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
}

void smooth(long n, double *restrict a, double *restrict b) {
#include "body.inc"
  scale(n, b);
}
"#;

const BODY: &str =
    "  for (long i = 1; i < n - 1; i++)\n    b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;\n";

const SCALE: &str = "static inline void scale(long n, double *x) {\n  for (long i = 0; i < n; i++) x[i] = 0.5 * x[i];\n}\n";

const MAIN: &str = r#"#include <stdio.h>
void product(void);
void fill(void);
double sum(void);
void smooth(long n, double *a, double *b);
static double x[1000], y[1000];
int main(void) {
  for (int i = 0; i < 1000; i++) x[i] = i * 0.3 - i % 7;
  fill();
  product();
  smooth(1000, x, y);
  double s = 0;
  for (int i = 0; i < 1000; i++) s = s * 0.99 + y[i];
  printf("%.17g %.17g\n", s, sum());
  return 0;
}
"#;

const FILL: &str = r#"
void fill(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) { A[i][j] = i * 0.5 + j; B[i][j] = i - 0.25 * j; }
}
double sum(void) {
  double s = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) s = s / 2 + C[i][j];
  return s;
}
"#;

/// A program of two sources, a header with a loop, and an included part of a function.
fn kernels() -> Project {
    let kernels = format!("{KERNELS}{FILL}");
    Project::new(&[("k.c", &kernels), ("body.inc", BODY), ("scale.h", SCALE), ("main.c", MAIN)])
}

/// What the program prints that the compiler alone makes.
fn expected(project: &Project) -> String {
    project.succeed("gcc -O2 k.c main.c -o plain && ./plain")
}

#[test]
fn programs_print_the_same() {
    if !is_there("gcc") {
        return;
    }
    for flags in [
        "-O2",
        "-O3 -g",
        "-O2 -march=native -ffp-contract=off",
        "-O2 -flto",
        "-O2 -fopenmp",
        "-O3 -fPIC -pipe",
    ] {
        let project = kernels();
        let expected = project.succeed(&format!("gcc {flags} k.c main.c -o plain && ./plain"));
        let cc = project.wrapper();
        let line = format!(
            "{cc} gcc {flags} -c k.c && {cc} gcc {flags} -c main.c -o m.o && {cc} gcc {flags} k.o m.o -o p && ./p"
        );
        assert_eq!(project.succeed(&line), expected, "{flags}");
        let outcomes = project.outcomes();
        let transformed = |name: &str| (name.to_string(), "transformed".to_string());
        assert_eq!(outcomes, [transformed("k.c"), transformed("main.c")], "{flags}");
        // All in one command.
        let line = format!("{cc} gcc {flags} k.c main.c -o q && ./q");
        assert_eq!(project.succeed(&line), expected, "{flags}");
    }
}

#[test]
fn loops_of_included_files_are_transformed_under_their_names() {
    if !is_there("gcc") {
        return;
    }
    let project = kernels();
    let cc = project.wrapper();
    project.succeed(&format!("{cc} gcc -O2 -g -c k.c"));
    let reports = std::fs::read_dir(project.path("report")).unwrap().flatten();
    let report: String = reports.map(|e| std::fs::read_to_string(e.path()).unwrap()).collect();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    let files = report["sources"][0]["survey"]["files"].as_array().unwrap().clone();
    for (name, line) in [("body.inc", 1), ("scale.h", 2), ("k.c", 7)] {
        let file =
            files.iter().find(|file| file["file"] == name).unwrap_or_else(|| panic!("{name}"));
        let nests = file["nests"].as_array().unwrap();
        let nest = nests.iter().find(|nest| nest["lines"][0] == line);
        assert_ne!(nest.unwrap_or_else(|| panic!("{name}: {nests:?}"))["verdict"], "refused");
    }
    // The debug information has the lines of the statements, in their files.
    if !is_there("objdump") {
        return;
    }
    let lines = project.succeed("objdump --dwarf=decodedline k.o");
    let line_of = |text: &str, name: &str| -> Option<u32> {
        let mut words = text.split_whitespace();
        words.next().filter(|first| *first == name)?;
        words.next()?.parse().ok()
    };
    let of = |name: &str| lines.lines().filter_map(|line| line_of(line, name)).collect::<Vec<_>>();
    assert!(of("body.inc").contains(&2), "{lines}");
    assert!(of("k.c").contains(&10), "{lines}");
    let length = project.text("k.c").lines().count() as u32;
    assert!(of("k.c").iter().all(|line| *line <= length), "{lines}");
}

#[test]
fn messages_and_status_are_those_of_the_compiler() {
    if !is_there("gcc") {
        return;
    }
    let warned =
        "int f(int n, double *a) {\n  int unused;\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n";
    let wrong = "void f(int n, double *a) {\n  for (int i = 0; i < n; i++) a[i] = b;\n  g(;\n}\n";
    let project = Project::new(&[("w.c", warned), ("e.c", wrong)]);
    let cc = project.wrapper();
    for arguments in [
        "-O2 -c w.c",
        "-O2 -Wall -Wextra -c w.c",
        "-O2 -Wall -Werror -c w.c",
        "-O2 -c e.c",
        "-O2 -c missing.c",
        "-O2 -c w.c -o no/such/folder/w.o",
        "-O2 --no-such-flag -c w.c",
        "-O2 w.c -o program",
        "-O2 -fsyntax-only -Wall w.c",
        "-O2",
        "",
    ] {
        let run = |line: &str| {
            let output = project.shell(&format!("LC_ALL=C {line} {arguments}"));
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            // The linker names temporary files.
            let lines =
                text.lines().filter(|line| !line.contains("/tmp") && !line.contains("crt1.o"));
            (output.status.code(), lines.collect::<Vec<_>>().join("\n"))
        };
        assert_eq!(run(&format!("{cc} gcc")), run("gcc"), "{arguments}");
    }
}

/// What new loops look like is no matter for warnings, so one run of the compiler does where nothing is wrong
/// with the user's text.
#[test]
fn a_transformed_source_is_compiled_once() {
    if !is_there("gcc") {
        return;
    }
    let source = "void f(int n, int m, double *a, const double *b) {\n  for (int i = 0; i < n; i++)\n    \
        for (int j = 0; j < m; j++)\n      a[i * m + j] += 2 * b[j * n + i];\n}\n";
    let recorder = "#!/bin/sh\necho \"$@\" >> calls\nexec gcc \"$@\"\n";
    let project = Project::new(&[("k.c", source), ("recorder", recorder)]);
    project.shell("chmod +x recorder");
    let cc = project.wrapper();
    let warnings = "-Wall -Wextra -pedantic -Wconversion -Wsign-conversion -Wshadow";
    for flags in ["", warnings, &format!("{warnings} -Werror")] {
        let output = project
            .shell(&format!("rm -rf calls k.o report cache && {cc} ./recorder -O3 {flags} -c k.c"));
        assert!(output.status.success() && output.stderr.is_empty(), "{flags}: {output:?}");
        let reports = project.shell("cat report/*.json").stdout;
        assert!(String::from_utf8_lossy(&reports).contains("\"outcome\": \"transformed\""));
        let calls = project.text("calls");
        let compiles = |line: &&str| !line.contains("-fsyntax-only") && !line.contains("-E ");
        assert_eq!(calls.lines().filter(compiles).count(), 1, "{flags}: {calls}");
    }
}

#[test]
fn unusual_command_lines_are_left_to_the_compiler() {
    if !is_there("gcc") {
        return;
    }
    let project = kernels();
    let cc = project.wrapper();
    for arguments in [
        "-O2 -E k.c",
        "-O2 -S k.c -o -",
        "-M k.c",
        "-MM k.c",
        "-O2 -dM -E k.c",
        "-print-prog-name=cc1",
        "-dumpversion",
        "--version",
        "-O2 -x c -E - < k.c",
        "-O2 -x c -S -o - - < k.c",
    ] {
        assert_eq!(
            project.succeed(&format!("{cc} gcc {arguments}")),
            project.succeed(&format!("gcc {arguments}")),
            "{arguments}"
        );
    }
    for (arguments, why) in [
        ("-c k.c", "it does not optimize"),
        ("-Os -c k.c", "it optimizes for size"),
        ("-O2 -fwrapv -c k.c", "-fwrapv: signed arithmetic may wrap around"),
        (
            "-O2 -fno-strict-aliasing -c k.c",
            "-fno-strict-aliasing: types do not tell objects apart",
        ),
        (
            "-O2 -fsanitize=undefined -c k.c",
            "-fsanitize=undefined: a sanitizer is to see the program as it is written",
        ),
    ] {
        project.succeed(&format!(
            "rm -rf report && {cc} gcc {arguments} -o wrapped.o && gcc {arguments} -o plain.o"
        ));
        assert!(project.read("wrapped.o") == project.read("plain.o"), "{arguments}");
        let report = project.succeed("cat report/*.json");
        assert!(report.contains(&format!("\"outcome\": \"{why}\"")), "{arguments}: {report}");
    }
}

#[test]
fn a_compiler_that_is_not_there_is_an_error() {
    let project = kernels();
    let cc = project.wrapper();
    let output = project.shell(&format!("{cc} /no/such/compiler -O2 -c k.c"));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("cannot run /no/such/compiler"), "{message}");
    let output = project.shell(&cc);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn dependencies_response_files_and_languages() {
    if !is_there("gcc") {
        return;
    }
    let project = kernels();
    let (cc, expected) = (project.wrapper(), expected(&project));
    std::fs::copy(project.path("k.c"), project.path("k.txt")).unwrap();
    std::fs::write(project.path("args"), "-O2 -DX='a b' \"-c\"\nk.c @more\n").unwrap();
    std::fs::write(project.path("more"), "-MMD -MP -o out.o").unwrap();
    project.succeed(&format!(
        "{cc} gcc @args && mv out.d wrapped.d && mv out.o wrapped.o && gcc @args"
    ));
    assert_eq!(project.text("wrapped.d"), project.text("out.d"));
    assert!(project.read("wrapped.o") != project.read("out.o"));
    let line = format!(
        "{cc} gcc -O2 wrapped.o -x c k.txt -c -o t.o 2>/dev/null; {cc} gcc -O2 main.c wrapped.o -o p && ./p"
    );
    assert_eq!(project.succeed(&line), expected);
    let line = format!("{cc} gcc -O2 -x c k.txt -x none main.c -o p && ./p");
    assert_eq!(project.succeed(&line), expected);
    let outcomes = project.outcomes();
    assert!(outcomes.contains(&("k.txt".to_string(), "transformed".to_string())), "{outcomes:?}");
}

#[test]
fn objects_are_linked_by_anybody() {
    if !is_there("gcc") {
        return;
    }
    let project = kernels();
    let (cc, expected) = (project.wrapper(), expected(&project));
    project
        .succeed(&format!("{cc} gcc -O2 -fPIC -c k.c && gcc -O2 -c main.c && ar rcs libk.a k.o"));
    let object = project.read("k.o");
    assert!(object.windows(13).any(|part| part == b"GOMP_parallel"));
    // Without the library of OpenMP: objects, an archive, a shared library, a static program.
    for line in [
        "gcc main.o k.o -o p && ./p",
        "gcc main.o -L. -lk -o p && ./p",
        "gcc -shared k.o -o libshared.so && gcc main.o ./libshared.so -o p && ./p",
        "gcc -Wl,--gc-sections -Wl,-z,now main.o k.o -o p && ./p",
        "if gcc -static main.o k.o -o p 2>/dev/null; then ./p; else ./plain; fi",
        "if gcc -static -fopenmp main.o k.o -o p 2>/dev/null; then ./p; else ./plain; fi",
    ] {
        assert_eq!(project.succeed(line), expected, "{line}");
    }
    // With it, where this program links.
    for line in [
        "gcc main.o k.o -o p && ./p",
        "gcc main.o -L. -lk -o p && ./p",
        "gcc -shared k.o -o libshared.so && gcc main.o ./libshared.so -o p && ./p",
        "gcc -O2 main.c k.o -o p && ./p",
    ] {
        let wrapped = line.replace("gcc -shared", &format!("{cc} gcc -shared"));
        assert_eq!(project.succeed(&format!("{cc} {wrapped}")), expected, "{line}");
    }
    if is_there("readelf") {
        project.succeed(&format!("{cc} gcc main.o k.o -o p"));
        let needed = project.succeed("readelf -d p");
        assert!(needed.contains("libgomp"), "{needed}");
    }
}

/// A loop that the compiler knows to be too short for threads: their code is kept, what asks for them is not.
#[test]
fn objects_whose_threads_are_never_used_are_linked_by_anybody() {
    if !is_there("gcc") {
        return;
    }
    let short = r#"#include <stdio.h>
static double a[64], b[64];
static __attribute__((noinline)) int scale(const double *x, unsigned long n, double *y) {
  unsigned char seen = 0;
  for (unsigned long i = 0; i < n; i++) {
    double v = x[i];
    seen |= v > 3;
    y[i] = 3 * v + 1;
  }
  return seen;
}
int main(void) {
  double s = 0;
  int seen = 0;
  for (int i = 0; i < 64; i++) a[i] = i * 0.37;
  for (unsigned long n = 0; n < 32; n++) seen += scale(a, n, b);
  for (int i = 0; i < 64; i++) s = s * 0.9 + b[i];
  printf("%.17g %d\n", s, seen);
  return 0;
}
"#;
    let project = Project::new(&[("short.c", short)]);
    let cc = project.wrapper();
    for level in ["-O2", "-O3", "-O3 -flto"] {
        let expected = project.succeed(&format!("gcc {level} short.c -o plain && ./plain"));
        project.succeed(&format!("{cc} gcc {level} -c short.c"));
        for linker in ["gcc", &format!("{cc} gcc"), "gcc -fopenmp"] {
            let line = format!("{linker} {level} short.o -o p && ./p");
            assert_eq!(project.succeed(&line), expected, "{line}");
        }
    }
    assert_eq!(project.outcomes()[0].1, "transformed");
}

#[test]
fn programs_with_their_own_threads_and_processes() {
    if !is_there("gcc") {
        return;
    }
    let forks = r#"#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
void add(long n, double *a) { for (long i = 0; i < n; i++) for (long k = 0; k < 50000; k++) a[i] += 1; }
static double a[5000];
int main(void) {
  add(5000, a);
  for (int child = 0; child < 3; child++) {
    fflush(stdout);
    if (fork() == 0) { add(5000, a); printf("%g\n", a[4999]); return 0; }
    wait(0);
  }
  add(5000, a);
  printf("%g\n", a[4999]);
  return 0;
}
"#;
    let names = r#"#include <stdio.h>
int omp_get_num_threads(void) { return 1; }
int omp_get_thread_num(void) { return 0; }
int omp_get_max_threads(void) { return 8; }
int omp_in_parallel(void) { return 0; }
static long a[5000];
void add(long n) { for (long i = 0; i < n; i++) for (long k = 0; k < 50000; k++) a[i] += k / 7; }
int main(void) {
  for (int k = 0; k < 3; k++) add(5000);
  long s = 0;
  for (int i = 0; i < 5000; i++) s += a[i];
  printf("%ld %d\n", s, omp_get_max_threads());
  return 0;
}
"#;
    let idle = r#"#include <stdio.h>
static int n, a[100];
int main(void) {
#pragma omp parallel num_threads(4)
  { n++; }
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i] = i + n;
  printf("%d %d\n", n, a[99]);
  return 0;
}
"#;
    let project = Project::new(&[("forks.c", forks), ("names.c", names), ("idle.c", idle)]);
    let cc = project.wrapper();
    for name in ["forks", "names", "idle"] {
        let expected = project.succeed(&format!("gcc -O2 {name}.c -o plain && ./plain"));
        let line = format!("{cc} gcc -O2 {name}.c -o p && ./p");
        assert_eq!(project.succeed(&line), expected, "{name}");
    }
    assert_eq!(project.outcomes().len(), 3);
    assert!(project.outcomes().iter().all(|(_, outcome)| outcome == "transformed"));
}

/// Threads are created when regions have work that is worth it, all together or at once, and not before.
#[cfg(target_os = "linux")]
#[test]
fn threads_are_created_for_enough_work() {
    if !is_there("gcc") {
        return;
    }
    let program = r#"#include <stdio.h>
static double a[1000], x[60000];
void small(int n) { for (int i = 0; i < n; i++) x[i] = 2 * x[i] + i; }
void large(int n) { for (int i = 0; i < 1000; i++) for (int k = 0; k < n; k++) a[i] = 0.5 * a[i] + k; }
static int threads(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[200];
  int n = 0;
  while (fgets(line, sizeof line, status)) if (sscanf(line, "Threads: %d", &n) == 1) break;
  fclose(status);
  return n;
}
int main(void) {
  for (int k = 0; k < 20; k++) small(60000);
  int few = threads();
  large(300000);
  printf("%d %d %g %g\n", few, threads(), x[59999], a[7]);
  return 0;
}
"#;
    let project = Project::new(&[("work.c", program)]);
    let cc = project.wrapper();
    project.succeed(&format!("{cc} gcc -O2 work.c -o p && gcc -O2 work.c -o plain"));
    let plain = project.succeed("./plain");
    assert_eq!(project.succeed("OMP_NUM_THREADS=2 ./p"), plain.replacen("1 1", "1 2", 1));
    assert_eq!(project.succeed("OMP_NUM_THREADS=1 ./p"), plain);
}

#[test]
fn old_versions_of_c() {
    if !is_there("gcc") {
        return;
    }
    let old = r#"#include <stdio.h>
int typeof_ = 3;
static double a[900];
inline_like(n) int n; { int i; for (i = 0; i < n; i++) a[i] = a[i] / 3 + i; return n; }
int main() {
  int k; double s = 0;
  for (k = 0; k < 5; k++) inline_like(900);
  for (k = 0; k < 900; k++) s = s * 0.5 + a[k];
  printf("%.17g %d\n", s, sizeof('a') == sizeof(int));
  return 0;
}
"#;
    for flags in ["-ansi", "-std=c90", "-std=gnu89", "-std=c99", "-std=c11 -pedantic", "-std=gnu17"]
    {
        let project = Project::new(&[("old.c", old)]);
        let cc = project.wrapper();
        let expected = project.succeed(&format!("gcc -w {flags} -O2 old.c -o plain && ./plain"));
        let line = format!("{cc} gcc -w {flags} -O2 old.c -o p && ./p");
        assert_eq!(project.succeed(&line), expected, "{flags}");
        assert_eq!(project.outcomes()[0].1, "transformed", "{flags}");
    }
}

#[test]
fn clang_has_vectors_and_its_own_threads_only() {
    if !is_there("clang") {
        return;
    }
    let project = kernels();
    let cc = project.wrapper();
    let expected = project.succeed("clang -O2 k.c main.c -o plain && ./plain");
    for flags in ["-O2", "-O3 -g -march=native -ffp-contract=off"] {
        let expected = project.succeed(&format!("clang {flags} k.c main.c -o plain && ./plain"));
        let line = format!("{cc} clang {flags} -c k.c main.c && clang k.o main.o -o p && ./p");
        assert_eq!(project.succeed(&line), expected, "{flags}");
    }
    let line = format!("{cc} clang -O2 k.c main.c -o p && ./p");
    assert_eq!(project.succeed(&line), expected);
    assert!(project.outcomes().iter().all(|(_, outcome)| outcome == "transformed"));
}

#[test]
fn results_are_kept_by_content() {
    if !is_there("gcc") {
        return;
    }
    let project = kernels();
    let cc = project.wrapper();
    let kept = || std::fs::read_dir(project.path("cache")).map_or(0, Iterator::count);
    project.succeed(&format!("{cc} gcc -O2 -c k.c -o first.o"));
    let n = kept();
    assert!(n >= 2, "{n}");
    project.succeed(&format!(
        "{cc} gcc -O2 -c k.c -o second.o && {cc} gcc -O2 -Wall -DX -c k.c -o third.o"
    ));
    assert_eq!(kept(), n);
    assert!(project.read("first.o") == project.read("second.o"));
    assert!(project.read("first.o") == project.read("third.o"));
    project.succeed(&format!("{cc} gcc -O3 -c k.c -o fourth.o"));
    assert!(kept() > n);
    // What is spoilt is made again.
    project.succeed("for f in cache/*; do echo spoilt > $f; done");
    project.succeed(&format!("{cc} gcc -O2 -c k.c -o fifth.o"));
    assert!(project.read("first.o") == project.read("fifth.o"));
    project.succeed(&format!("rm -rf cache && {cc} --no-cache gcc -O2 -c k.c"));
    assert_eq!(kept(), 0);
}

#[test]
fn options_come_from_the_environment_too() {
    if !is_there("gcc") {
        return;
    }
    let project = kernels();
    let cc = project.wrapper();
    let threads = || project.read("k.o").windows(13).any(|part| part == b"GOMP_parallel");
    project.succeed(&format!("{cc} gcc -O2 -c k.c"));
    assert!(threads());
    project.succeed(&format!("LOOPWRIGHT_CC_OPTIONS='--target c' {cc} gcc -O2 -c k.c"));
    assert!(!threads());
    let wrong =
        project.shell(&format!("LOOPWRIGHT_CC_OPTIONS='--no-such-option' {cc} gcc -O2 -c k.c"));
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn builds_are_summed_up() {
    if !is_there("gcc") {
        return;
    }
    let project = kernels();
    let cc = project.wrapper();
    project.succeed(&format!(
        "{cc} gcc -O2 -c k.c && {cc} gcc -O2 -c main.c && {cc} gcc k.o main.o -o p"
    ));
    let program = crate::project::program().display();
    let text = project.succeed(&format!("'{program}' cc --summary report"));
    assert!(text.starts_with("3 commands\n"), "{text}");
    assert!(text.contains("       2  transformed\n"), "{text}");
    let page = project.text("report/index.html");
    assert!(page.contains("body.inc") && page.contains("<h1>Build</h1>"));
    let refused = project.shell(&format!("'{program}' cc --summary cache"));
    assert_eq!(refused.status.code(), Some(1));
    let refused = project.shell(&format!("'{program}' cc --summary report --no-cache"));
    assert_eq!(refused.status.code(), Some(2));
}
