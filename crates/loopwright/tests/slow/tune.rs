//! Searches on small programs: what is kept is right, results are kept, failures are named.
use crate::support::headers::has_opencl;
use loopwright::tune::{Outcome, ProgramOptions, Timing, Tried, TuneOptions, Tuned, tune};
use loopwright::{Choices, CompileOptions, compile_file};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tune-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A matrix product of some size that prints a sum, with another file that has `main`.
const PRODUCT: &str = "\
#include \"size.h\"
double A[N][N], B[N][N], C[N][N];
void product(void)
{
  int i, j, k;
#pragma scop
  for (i = 0; i < N; i++)
    for (j = 0; j < N; j++)
      for (k = 0; k < N; k++)
        C[i][j] += A[i][k] * B[k][j];
#pragma endscop
}
";
const MAIN: &str = "\
#include <stdio.h>
#include \"size.h\"
extern double A[N][N], B[N][N], C[N][N];
void product(void);
int main(void)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) A[i][j] = i - j, B[i][j] = i * j % 7;
  product();
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) sum += C[i][j] * (i + 2 * j);
  printf(\"%g\\n\", sum);
  return 0;
}
";

fn product(folder: &Path, size: usize) -> (PathBuf, TuneOptions) {
    std::fs::write(folder.join("size.h"), format!("#define N {size}\n")).unwrap();
    std::fs::write(folder.join("product.c"), PRODUCT).unwrap();
    std::fs::write(folder.join("main.c"), MAIN).unwrap();
    let compiler = ["gcc", "-O1", "-fopenmp"].map(String::from).to_vec();
    let sources = vec![folder.join("main.c")];
    let options = TuneOptions {
        program: ProgramOptions { compiler, sources, ..ProgramOptions::standard() },
        runs: 1,
        time_limit: Duration::from_secs(600),
        cache: Some(folder.join("cache")),
        ..TuneOptions::standard()
    };
    (folder.join("product.c"), options)
}

fn tuned(path: &Path, options: &TuneOptions) -> Tuned {
    tune(path, options, &mut |_| {}).unwrap_or_else(|failure| panic!("{failure}"))
}

#[test]
fn a_search_tries_sizes_and_keeps_what_leads_to_the_same_code() {
    let folder = folder("product");
    let (path, options) = product(&folder, 120);
    let mut told = 0;
    let result = tune(&path, &options, &mut |_| told += 1).unwrap();
    assert!(told >= 3, "{told}");
    assert_eq!((&*result.tried[0].label, &*result.tried[1].label), ("original", "model"));
    let has = |label: &str| result.tried.iter().any(|tried| tried.label.contains(label));
    assert!(has("tile-sizes = ") && has("target = c") && has("fuse = "), "{result}");
    assert!(result.last.is_some());
    // Not every shape of tiles is legal.
    let without_shape = result.tried.iter().filter(|tried| !tried.label.starts_with("tiling = "));
    assert!(without_shape.clone().count() > 20, "{result}");
    for Tried { label, outcome, .. } in without_shape {
        assert!(!matches!(outcome, Outcome::Failed(_)), "{label}: {outcome:?}");
    }

    // The choices lead to the kept text, also after they were written and read.
    let choices = Choices::parse(&result.compiled.choices().to_string()).unwrap();
    let again = compile_file(&path, &CompileOptions { choices, ..CompileOptions::new() }).unwrap();
    assert_eq!(again.code, result.compiled.code);

    // The table and the report speak of all programs.
    let n = result.tried.len();
    assert!(result.to_string().lines().count() >= n, "{result}");
    let report = result.json("product.c", &loopwright_machine::Machine::generic());
    assert_eq!(report["tuning"]["tried"].as_array().map(Vec::len), Some(n));
    assert_eq!(report["tuning"]["kept"], result.chosen);
}

/// A stencil of three points over time: its tiles have to wait for each other, or start concurrently.
const STENCIL: &str = "\
#include <stdio.h>
double A[2][3000];
int main(void)
{
  for (int i = 0; i < 3000; i++) A[0][i] = A[1][i] = i % 17;
#pragma scop
  for (int t = 0; t < 60; t++)
    for (int i = 1; i < 2999; i++)
      A[(t + 1) % 2][i] = (A[t % 2][i - 1] + A[t % 2][i] + A[t % 2][i + 1]) / 3;
#pragma endscop
  double sum = 0;
  for (int i = 0; i < 3000; i++) sum += A[0][i] * i;
  printf(\"%.17g\\n\", sum);
  return 0;
}
";

/// All shapes are tried, and other sizes for the fastest two; with a shape that is asked for only sizes are.
#[test]
fn shapes_of_tiles_are_searched_with_sizes() {
    let folder = folder("shapes");
    let path = folder.join("stencil.c");
    std::fs::write(&path, STENCIL).unwrap();
    let compiler = ["gcc", "-O1", "-fopenmp"].map(String::from).to_vec();
    let program = ProgramOptions { compiler, ..ProgramOptions::standard() };
    let mut options = TuneOptions {
        program,
        runs: 1,
        time_limit: Duration::from_secs(600),
        ..TuneOptions::standard()
    };
    options.compile.always_rewrite = true;
    let result = tuned(&path, &options);
    for shape in ["pipelined", "tube", "diamond", "trapezoid", "hexagonal", "overlapped"] {
        let label = format!("tiling = {shape}");
        let found = result.tried.iter().find(|tried| tried.label == label);
        let is_made = found.is_some_and(|f| !matches!(f.outcome, Outcome::Failed(_)));
        assert!(is_made, "{shape}: {result}");
    }
    let other_sizes: std::collections::BTreeSet<&str> = result
        .tried
        .iter()
        .filter_map(|tried| Some(tried.label.split_once(", tile-sizes = ")?.0))
        .filter(|label| label.starts_with("tiling = "))
        .collect();
    assert_eq!(other_sizes.len(), 2, "{result}");
    let differs = |tried: &Tried| format!("{:?}", tried.outcome).contains("something else");
    assert!(!result.tried.iter().any(differs), "{result}");

    // The choices lead to the kept text.
    let choices = Choices::parse(&result.compiled.choices().to_string()).unwrap();
    let compile = CompileOptions { choices, ..options.compile.clone() };
    assert_eq!(compile_file(&path, &compile).unwrap().code, result.compiled.code);

    options.compile.set("tiling", Some("hexagonal")).unwrap();
    let result = tuned(&path, &options);
    assert!(result.tried.iter().all(|tried| !tried.label.starts_with("tiling = ")), "{result}");
    assert!(result.tried.iter().any(|tried| tried.label.contains("tile-sizes = ")), "{result}");
}

/// Sizes that the program reads when it runs are searched by running it: it is built once, and once more with
/// the best ones.
#[test]
fn variable_sizes_are_searched_without_compiling_again() {
    let folder = folder("variable-sizes");
    let (path, mut options) = product(&folder, 150);
    let log = folder.join("builds");
    let script =
        format!("case \"$*\" in *' -o '*) echo >> '{}';; esac; exec gcc \"$@\"", log.display());
    options.program.compiler =
        ["sh", "-c", &script, "gcc", "-O1", "-fopenmp"].map(String::from).to_vec();
    options.compile.set("parametric-tiles", None).unwrap();
    let result = tuned(&path, &options);
    let sizes = result.tried.iter().filter(|tried| tried.label.starts_with("tile-sizes = "));
    assert!(sizes.clone().count() >= 6, "{result}");
    assert!(sizes.clone().all(|tried| !matches!(tried.outcome, Outcome::Failed(_))), "{result}");
    assert_eq!(result.tried.len(), 2 + sizes.count(), "{result}");
    let builds = std::fs::read_to_string(&log).unwrap().lines().count();
    assert!((2..=3).contains(&builds), "{builds} builds: {result}");
}

#[test]
fn results_are_kept_by_what_they_depend_on() {
    let folder = folder("cache");
    let (path, options) = product(&folder, 40);
    let count = || std::fs::read_dir(folder.join("cache")).unwrap().count();
    tuned(&path, &options);
    let first = count();
    assert!(first >= 3, "{first}");

    // The runs of the original are those of the first search.
    let original = |tuned: &Tuned| tuned.tried[0].seconds();
    let known = original(&tuned(&path, &options));
    assert_eq!(known, original(&tuned(&path, &options)));

    // Another header is another program.
    std::fs::write(folder.join("size.h"), "#define N 41\n").unwrap();
    let before = count();
    tuned(&path, &options);
    assert!(count() > before);
}

#[test]
fn several_regions_are_searched_one_after_the_other() {
    let folder = folder("regions");
    let text = "\
#include <stdio.h>
double a[500], b[500];
int main(void)
{
#pragma scop
  for (int i = 0; i < 500; i++) a[i] = i;
#pragma endscop
#pragma scop
  for (int i = 1; i < 500; i++) b[i] = b[i - 1] + a[i];
#pragma endscop
  printf(\"%g\\n\", b[499]);
  return 3;
}
";
    let path = folder.join("two.c");
    std::fs::write(&path, text).unwrap();
    let mut options =
        TuneOptions { runs: 1, time_limit: Duration::from_secs(600), ..TuneOptions::standard() };
    options.compile.always_rewrite = true;
    let result = tuned(&path, &options);
    let has = |label: &str| result.tried.iter().any(|tried| tried.label.starts_with(label));
    assert!(has("region 1: ") && has("region 2: "), "{result}");
    let choices = result.compiled.choices();
    let loops = ["i < 500; i++) a[i] = i;", "i < 500; i++) b[i] = b[i - 1] + a[i];"];
    for (position, original) in loops.into_iter().enumerate() {
        let region = choices.region(position).unwrap();
        let is_unchanged = region.get("unchanged").is_some();
        assert_eq!(result.compiled.code.contains(original), is_unchanged, "{result}");
        assert!(result.chosen != 0 || is_unchanged, "{result}");
    }
}

/// Runs `loopwright tune` on a text, with no results kept.
fn command(folder: &Path, text: &str, arguments: &[&str]) -> Output {
    std::fs::write(folder.join("program.c"), text).unwrap();
    Command::new(env!("CARGO_BIN_EXE_loopwright"))
        .current_dir(folder)
        .args(["tune", "program.c", "--no-cache", "--runs", "1"])
        .args(arguments)
        .output()
        .unwrap()
}

/// A program with a region that ends with these statements.
fn program(end: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n#include <unistd.h>\n\
         double a[400];\nint main(int argc, char **argv)\n{{\n#pragma scop\n  \
         for (int i = 0; i < 400; i++) a[i] = i;\n#pragma endscop\n  {end}\n}}\n"
    )
}

#[test]
fn the_command_writes_everything() {
    let folder = folder("command");
    let text = program("printf(\"%g %s\\n0.25\\n\", a[3], argv[1]); return 0;");
    let arguments = ["--time", "printed", "--run-args", "one two", "--threads", "2", "-o", "out.c"];
    let files = ["--write-choices", "out.txt", "--report", "out.json"];
    let output = command(&folder, &text, &[&arguments[..], &files].concat());
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "progress is for terminals");
    assert!(printed.contains("original") && printed.contains("<- kept"), "{printed}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    // All programs print the same time: the original is as good as any.
    assert_eq!(read("out.c"), text);
    assert!(read("out.txt").contains("unchanged = yes"));
    let report: serde_json::Value = serde_json::from_str(&read("out.json")).unwrap();
    assert_eq!(report["tuning"]["kept"], 0);
}

/// Starts a search, waits until its program runs, and stops it.
#[test]
#[cfg(unix)]
fn a_search_that_is_stopped_leaves_nothing() {
    let folder = folder("stopped");
    let scratch = folder.join("scratch");
    std::fs::create_dir_all(&scratch).unwrap();
    let started = folder.join("started");
    let end = format!(
        "fclose(fopen(\"{}\", \"w\")); if (fork() == 0) sleep(1000); sleep(1000); return 0;",
        started.display()
    );
    std::fs::write(folder.join("program.c"), program(&end)).unwrap();
    let _ = std::fs::remove_file(&started);
    let mut search = Command::new(env!("CARGO_BIN_EXE_loopwright"))
        .current_dir(&folder)
        .env("TMPDIR", &scratch)
        .args(["tune", "program.c", "--no-cache", "--time-limit", "1000"])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    while !started.exists() {
        assert!(search.try_wait().unwrap().is_none(), "it ends before the program runs");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = search.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(search.wait().unwrap().code(), Some(1));
    assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0, "a temporary folder is left");
    let processes = std::fs::read_dir("/proc").map(|entries| entries.flatten().collect::<Vec<_>>());
    for process in processes.unwrap_or_default() {
        let program = std::fs::read_link(process.path().join("exe")).unwrap_or_default();
        assert!(!program.starts_with(&scratch), "a process is left: {}", process.path().display());
    }
}

#[test]
fn failures_are_named() {
    let folder = folder("failures");
    let changing = program("printf(\"%ld\\n\", (long)getpid()); return 0;");
    let broken = program("return nothing;");
    let failing = program("abort();");
    let silent = program("return 0;");
    let endless = program("for (;;) sleep(1);");
    for (text, arguments, status, part) in [
        (&changing, &[][..], 1, "something else every time"),
        (&broken, &[][..], 1, "the C compiler refuses it"),
        (&failing, &[][..], 1, "the program fails: signal: 6"),
        (&silent, &["--time", "printed"][..], 1, "does not print its time"),
        (&endless, &["--time-limit", "1"][..], 1, "longer than the time limit"),
        (&silent, &["--cc", "no-such-compiler"][..], 1, "cannot run no-such-compiler"),
        (&silent, &["--cc", " "][..], 2, "--cc takes a compiler"),
        (&silent, &["--runs", "0"][..], 2, "--runs takes a number"),
        (&silent, &["--time-limit", "soon"][..], 2, "--time-limit takes"),
        (&silent, &["--time", "cpu"][..], 2, "--time takes one of"),
        (&silent, &["-o", "program.c"][..], 2, "would be overwritten"),
        (&silent, &["--report", "out.html"][..], 2, "--report OUT.json"),
        (&silent, &["--colour"][..], 2, "--colour"),
    ] {
        let output = command(&folder, text, arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {message}");
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
    assert_eq!(std::fs::read_to_string(folder.join("program.c")).unwrap(), silent);
}

#[test]
fn a_changing_standard_error_and_a_printed_time_are_no_output() {
    let folder = folder("changing");
    let text = program(
        "fprintf(stderr, \"%ld\\n\", (long)getpid());\n  \
         printf(\"%g\\n0.%ld\\n\", a[7], (long)getpid()); return 0;",
    );
    std::fs::write(folder.join("program.c"), &text).unwrap();
    let program = ProgramOptions { timing: Timing::Printed, ..ProgramOptions::standard() };
    let options = TuneOptions { program, runs: 2, ..TuneOptions::standard() };
    let result = tuned(&folder.join("program.c"), &options);
    assert!(result.tried[1].seconds().is_some(), "{result}");
}

/// Kernels in the code: blocks of several shapes are tried, and what is kept prints the same.
#[test]
fn blocks_of_kernels_are_searched() {
    let folder = folder("kernels");
    if !has_opencl() {
        return;
    }
    let (path, mut options) = product(&folder, 60);
    options.compile.device = Some(loopwright_backend::device::Language::OpenCl);
    options.compile.devices.always = true;
    options.compile.devices.embedded = true;
    options.program.libraries.push("-lOpenCL".to_string());
    let result = tuned(&path, &options);
    let has = |label: &str| result.tried.iter().any(|tried| tried.label == label);
    for label in
        ["model", "target = c", "shared-memory = no", "sizes = { kernel[i] -> block[16, 16] }"]
    {
        assert!(has(label), "{label}: {result}");
    }
    let failed = |tried: &&Tried| matches!(tried.outcome, Outcome::Failed(_));
    assert_eq!(result.tried.iter().find(failed).map(|tried| &tried.label), None, "{result}");
}

/// A script in the place of `nvcc`, which compiles kernels with the emulation.
fn emulating_compiler(folder: &Path) -> Vec<String> {
    let emulation = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emulation");
    let script = format!(
        r#"set -e
if [ "$1" = --version ]; then echo "an emulation"; exit; fi
if [ "$1" = -c ]; then
  sed -E 's/([A-Za-z0-9_]+)<<<([^>]*)>>>\(\)/emulation::launch(\1, \2)/; s/([A-Za-z0-9_]+)<<<([^>]*)>>>\(/emulation::launch(\1, \2, /' "$2" > "$2.cpp"
  exec g++ -std=c++17 -ffp-contract=off -w -I{} -c "$2.cpp" -o "$4"
fi
for word; do shift; [ "$word" = -Xcompiler ] || set -- "$@" "$word"; done
exec g++ -pthread "$@"
"#,
        emulation.display()
    );
    let path = folder.join("nvcc.sh");
    std::fs::write(&path, script).unwrap();
    vec!["sh".to_string(), path.display().to_string()]
}

/// Kernels in a file of their own, for a compiler of their own.
#[test]
fn kernels_of_cuda_are_searched_with_their_compiler() {
    let folder = folder("cuda");
    let (path, mut options) = product(&folder, 20);
    options.compile.device = Some(loopwright_backend::device::Language::Cuda);
    options.compile.devices.always = true;
    options.program.nvcc = vec!["no-such-nvcc".to_string()];
    let missing = tune(&path, &options, &mut |_| {}).map(|_| ()).expect_err("there is none");
    assert!(missing.to_string().contains("cannot run no-such-nvcc"), "{missing}");
    options.program.nvcc = emulating_compiler(&folder);
    let result = tuned(&path, &options);
    let find = |label: &str| result.tried.iter().find(|tried| tried.label == label);
    for label in ["model", "shared-memory = no", "sizes = { kernel[i] -> block[16, 16] }"] {
        let tried = find(label).unwrap_or_else(|| panic!("{label}: {result}"));
        let was_run = matches!(tried.outcome, Outcome::Timed { .. } | Outcome::Stopped(_));
        assert!(was_run || tried.same_as.is_some(), "{label}: {result}");
    }
    let failed = |tried: &&Tried| matches!(tried.outcome, Outcome::Failed(_));
    assert_eq!(result.tried.iter().find(failed).map(|tried| &tried.label), None, "{result}");
    // Two sizes of blocks are two programs, though the code that calls the kernels is the same.
    let other = find("sizes = { kernel[i] -> block[8, 8] }").expect("it is tried");
    assert_eq!(other.same_as, None, "{result}");
}
