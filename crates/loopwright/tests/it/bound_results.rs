//! A result says to the compiler which definitions its regions were read with, wherever these came from.

use crate::support::scratch;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const PROGRAM: &str = "\
#ifndef SIZE
#define SIZE 100
#endif
#ifdef TIMED
static double seconds[4];
#endif
double big[100000];
void g(void) {
#pragma scop
#ifdef NDEBUG
  for (int i = 0; i < SIZE; i++)
    big[3 * i] = i;
#else
  for (int i = 0; i < SIZE; i++)
    big[2 * i] = i;
#endif
#pragma endscop
}
#ifdef TIMED
int main(void) { g(); return seconds[0] != 0; }
#endif
";

fn folder(name: &str) -> PathBuf {
    let folder = scratch("bound").join(name);
    std::fs::create_dir_all(&folder).expect("the folder for tests can be written");
    std::fs::write(folder.join("p.c"), PROGRAM).expect("it can be written");
    std::fs::write(folder.join("size.h"), "#define SIZE 5000\n").expect("it can be written");
    folder
}

/// The notes of a compilation with this compiler and options.
#[track_caller]
fn compile(folder: &Path, cc: &str, options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.args(["compile", "p.c", "-o", "out.c", "--always-rewrite"]).args(options);
    let output = command.env("CC", cc).current_dir(folder).output().expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{cc} {options:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Whether the C compiler accepts the result with these flags.
fn accepts(folder: &Path, flags: &[&str]) -> bool {
    let mut compiler = Command::new("cc");
    compiler.args(["-c", "-w", "-fopenmp", "-o", "out.o", "out.c"]).args(flags);
    compiler.current_dir(folder).stderr(Stdio::null());
    compiler.status().expect("there is a C compiler").success()
}

#[test]
fn definitions_come_from_options_flags_and_included_files() {
    for (cc, options, right) in [
        ("cc", &["-D", "SIZE=5000"][..], &["-DSIZE=5000"][..]),
        ("cc -DSIZE=5000", &[], &["-DSIZE=5000"]),
        ("cc -include size.h", &[], &["-include", "size.h"]),
        ("cc -USIZE -DSIZE=5000", &[], &["-DSIZE=5000"]),
    ] {
        let folder = folder("defined");
        let report = compile(&folder, cc, options);
        assert!(
            report.contains("the result holds only if it is compiled with -D SIZE=5000"),
            "{report}"
        );
        assert!(accepts(&folder, right), "{cc} {options:?}");
        assert!(!accepts(&folder, &[]), "{cc} {options:?}");
        assert!(!accepts(&folder, &["-DSIZE=4999"]), "{cc} {options:?}");
    }
}

#[test]
fn what_is_not_defined_counts_as_well() {
    for cc in ["cc", "cc -DSIZE=5 -USIZE", "cc -UNDEBUG"] {
        let folder = folder("undefined");
        let report = compile(&folder, cc, &[]);
        for name in ["SIZE", "NDEBUG"] {
            let note = format!("neither flags of the compiler nor -D define {name}");
            assert!(report.contains(&note), "{cc}: {report}");
        }
        // What regions do not depend on is not asked for.
        assert!(!report.contains("TIMED"), "{report}");
        assert!(accepts(&folder, &[]) && accepts(&folder, &["-DTIMED"]), "{cc}");
        assert!(!accepts(&folder, &["-DSIZE=5000"]) && !accepts(&folder, &["-DNDEBUG"]), "{cc}");
    }
    let folder = folder("debugged");
    compile(&folder, "cc -DNDEBUG", &[]);
    assert!(accepts(&folder, &["-DNDEBUG"]) && !accepts(&folder, &[]));
}

/// The flags of a compiler define macros of their own.
#[test]
fn optimization_is_a_definition() {
    let folder = folder("optimized");
    let text = PROGRAM.replace("NDEBUG", "__OPTIMIZE__");
    std::fs::write(folder.join("p.c"), text).expect("it can be written");
    compile(&folder, "cc -O2", &[]);
    assert!(accepts(&folder, &["-O2"]) && !accepts(&folder, &[]));
    compile(&folder, "cc", &[]);
    assert!(accepts(&folder, &[]) && !accepts(&folder, &["-O2"]));
}
