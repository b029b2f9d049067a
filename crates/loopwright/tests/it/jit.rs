//! Versions that are compiled and loaded while a program runs.

use crate::support::scratch;
use loopwright::profile::jit::{Answer, Jit, JitSettings, LOADER};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const KERNEL: &str = "void kernel(double *A, int N) {\n  for (int i = 0; i < N * N; i++)\n    A[i] = A[i] * 0.5 + i;\n}\n";

/// Calls the kernel, tells the host about it, and goes on with what the host has made.
const MAIN: &str = "#include \"loader.h\"
#include <stdlib.h>
#include <unistd.h>
void kernel(double *A, int N);
static double A[90000], B[90000];
int main(void) {
  static const char *const names[] = {\"N\"};
  void (*fast)(double *, int) = 0;
  long long n = 300;
  for (int k = 0; k < 10000 && !fast; k++) {
    *(void **) &fast = loopwright_jit(stdout, stdin, \"kernel\", 60000000, 1, names, &n);
    if (!fast) usleep(10000);
  }
  if (!fast) return 1;
  for (int k = 0; k < 20; k++) {
    int size = k == 7 ? 299 : 300;
    kernel(A, size);
    fast(B, size);
  }
  for (int i = 0; i < 90000; i++) if (A[i] != B[i]) return 2;
  fprintf(stderr, \"same %.17g\\n\", B[77]);
  return 0;
}
";

fn settings(folder: &Path, source: &str) -> JitSettings {
    let path = folder.join("kernel.c");
    std::fs::write(&path, source).expect("the folder for tests can be written");
    let mut settings = JitSettings::of_file(path);
    settings.options.always_rewrite = true;
    settings.folder = folder.to_path_buf();
    settings.compiler = ["cc", "-O1", "-fopenmp", "-w"].map(String::from).to_vec();
    settings
}

fn folder(name: &str) -> PathBuf {
    let folder = scratch("jit").join(name);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be made");
    folder
}

#[test]
fn a_running_program_gets_and_loads_a_version() {
    let folder = folder("program");
    let mut jit = Jit::new(settings(&folder, KERNEL));
    std::fs::write(folder.join("loader.h"), LOADER).unwrap();
    std::fs::write(folder.join("main.c"), MAIN).unwrap();
    let mut compiler = Command::new("cc");
    compiler.current_dir(&folder).args(["-O1", "-fopenmp", "main.c", "kernel.c", "-o", "program"]);
    assert!(compiler.arg("-ldl").status().expect("there is a C compiler").success());
    let mut program = Command::new(folder.join("program"));
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().expect("the program runs");
    let (input, output) = (program.stdout.take().unwrap(), program.stdin.take().unwrap());
    jit.serve(BufReader::new(input), output).expect("the program is answered");
    let mut said = String::new();
    program.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    let status = program.wait().expect("it ends");
    assert!(status.success() && said.starts_with("same "), "{status}: {said}");
}

#[test]
fn answers_follow_the_state_of_values() {
    let folder = folder("answers");
    let mut jit = Jit::new(settings(&folder, KERNEL));
    let time = Duration::from_millis(60);
    assert_eq!(jit.called("kernel", &[("N", 200)], time), Answer::Unknown);
    assert_eq!(jit.called("kernel", &[("N", 201)], time), Answer::Unknown);
    let second = jit.called("kernel", &[("N", 200)], time);
    assert!(matches!(second, Answer::Compiling | Answer::Ready(_)), "{second:?}");
    jit.wait();
    let Answer::Ready(path) = jit.called("kernel", &[("N", 200)], time) else {
        panic!("there is a version")
    };
    assert!(path.is_absolute() && path.exists(), "{}", path.display());
    let text = std::fs::read_to_string(path.with_extension("c")).unwrap();
    assert!(text.contains("if (N == 200) {") && text.contains("c0 <= 39999"), "{text}");
    // A function that there is not, and one without use of the values.
    for (function, values) in [("other", ("N", 9)), ("kernel", ("M", 9))] {
        jit.called(function, &[values], time);
        jit.called(function, &[values], time);
        jit.wait();
        let answer = jit.called(function, &[values], time);
        assert!(matches!(answer, Answer::Failed(_)), "{function}: {answer:?}");
    }
}

#[test]
fn variables_of_the_file_are_not_copied() {
    let folder = folder("variables");
    let text = KERNEL.replace(
        "void kernel",
        "static int calls;\nint count(void) { return ++calls; }\nvoid kernel",
    );
    let mut jit = Jit::new(settings(&folder, &text));
    jit.called("kernel", &[("N", 300)], Duration::from_secs(1));
    jit.wait();
    let answer = jit.called("kernel", &[("N", 300)], Duration::from_secs(1));
    let Answer::Failed(reason) = answer else { panic!("{answer:?}") };
    assert!(reason.contains("variable of its own, `calls`"), "{reason}");
}

#[test]
fn versions_are_limited_and_lines_checked() {
    let folder = folder("limits");
    let mut settings = settings(&folder, KERNEL);
    settings.most_versions = 0;
    let mut jit = Jit::new(settings);
    let mut output = Vec::new();
    let input = "kernel 900000000 N=300\nkernel x N=3\n\nkernel\nkernel 5 N\nkernel 5 N=y\n";
    jit.serve(input.as_bytes(), &mut output).expect("it is answered");
    assert_eq!(String::from_utf8_lossy(&output), "-\n".repeat(6));
}

/// A file without a folder is one of the folder where the host runs: headers beside it are found, and a
/// version is made.
#[test]
fn a_file_may_have_a_bare_name() {
    const CHILD: &str = "LOOPWRIGHT_TEST_BARE_NAME";
    if std::env::var_os(CHILD).is_some() {
        let mut settings = JitSettings::of_file("kernel.c");
        settings.options.always_rewrite = true;
        settings.folder = PathBuf::from("made");
        settings.compiler = ["cc", "-O1", "-fopenmp", "-w"].map(String::from).to_vec();
        let mut jit = Jit::new(settings);
        jit.called("kernel", &[("N", 300)], Duration::from_secs(1));
        jit.wait();
        let answer = jit.called("kernel", &[("N", 300)], Duration::ZERO);
        assert!(matches!(answer, Answer::Ready(_)), "{answer:?}");
        return;
    }
    let folder = folder("bare");
    std::fs::create_dir_all(folder.join("made")).unwrap();
    std::fs::write(folder.join("half.h"), "#define HALF 0.5\n").unwrap();
    let text = format!("#include \"half.h\"\n{}", KERNEL.replace("0.5", "HALF"));
    std::fs::write(folder.join("kernel.c"), text).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "jit::a_file_may_have_a_bare_name"]).env(CHILD, "1");
    let output = child.current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}
