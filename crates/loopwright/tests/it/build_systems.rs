//! `loopwright cc` in builds by make, CMake, Meson, Ninja and ccache, where they are installed.
use crate::project::{Project, is_there, program};

const VECTORS: &str = "void axpy(long n, double a, double *x, double *y) {\n  for (long i = 0; i < n; i++)\n    y[i] = a * x[i] + y[i];\n}\n";
const GRID: &str = "#include \"grid.h\"\nvoid blur(int n, double a[n][n], double b[n][n]) {\n  for (int i = 1; i < n - 1; i++)\n    for (int j = 1; j < n - 1; j++)\n      b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);\n}\n";
const GRID_H: &str = "void blur(int n, double a[n][n], double b[n][n]);\nvoid axpy(long n, double a, double *x, double *y);\n";
const MAIN: &str = r#"#include <stdio.h>
#include "grid.h"
static double a[90][90], b[90][90];
int main(void) {
  for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) a[i][j] = i * 3 + j % 5;
  for (int t = 0; t < 5; t++) { blur(90, a, b); axpy(90 * 90, 0.5, &b[0][0], &a[0][0]); }
  double s = 0;
  for (int i = 0; i < 90; i++) for (int j = 0; j < 90; j++) s = s * 0.75 + a[i][j];
  printf("%.17g\n", s);
  return 0;
}
"#;
const MAKEFILE: &str = "CFLAGS = -O2 -MMD -Wall -Werror\nprogram: main.o libgrid.a\n\t$(CC) $(CFLAGS) main.o -L. -lgrid -o $@\nlibgrid.a: vectors.o grid.o\n\tar rcs $@ $^\n-include *.d\nclean:\n\trm -f *.o *.a program\n";
const CMAKE: &str = "cmake_minimum_required(VERSION 3.10)\nproject(grid C)\nadd_library(grid STATIC vectors.c grid.c)\nadd_executable(program main.c)\ntarget_link_libraries(program grid)\n";
const MESON: &str = "project('grid', 'c', default_options: ['buildtype=release'])\nlib = shared_library('grid', 'vectors.c', 'grid.c')\nexecutable('program', 'main.c', link_with: lib)\n";

fn grid() -> Project {
    Project::new(&[
        ("vectors.c", VECTORS),
        ("grid.c", GRID),
        ("grid.h", GRID_H),
        ("main.c", MAIN),
        ("Makefile", MAKEFILE),
        ("CMakeLists.txt", CMAKE),
        ("meson.build", MESON),
    ])
}

fn expected(project: &Project) -> String {
    project.succeed("gcc -O2 vectors.c grid.c main.c -o plain && ./plain")
}

/// The sources whose objects were transformed.
fn transformed(project: &Project) -> Vec<String> {
    let outcomes = project.outcomes().into_iter();
    outcomes.filter(|(_, outcome)| outcome == "transformed").map(|(name, _)| name).collect()
}

#[test]
fn make() {
    if !is_there("gcc") || !is_there("make") {
        return;
    }
    let project = grid();
    let (cc, expected) = (project.wrapper(), expected(&project));
    project.succeed(&format!("make -j4 CC=\"{cc} gcc\""));
    assert_eq!(project.succeed("./program"), expected);
    assert!(transformed(&project).contains(&"vectors.c".to_string()), "{:?}", project.outcomes());
    // Dependencies are known: a change of the header makes all objects new.
    project.succeed("touch -d '1 hour' grid.h");
    let again = project.succeed(&format!("make -n CC=\"{cc} gcc\""));
    assert!(again.contains("main.c") && again.contains("grid.c"), "{again}");
}

#[test]
fn cmake_and_compile_commands() {
    if !is_there("gcc") || !is_there("cmake") || !is_there("make") {
        return;
    }
    let project = grid();
    let expected = expected(&project);
    let (program, report) = (program().display(), project.path("report"));
    let launcher =
        format!("{program};cc;--always-rewrite;--loopwright-report;{}", report.display());
    project.succeed(&format!(
        "cmake -B build -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
         '-DCMAKE_C_COMPILER_LAUNCHER={launcher}' -DCMAKE_POSITION_INDEPENDENT_CODE=ON . && cmake --build build -j4"
    ));
    assert_eq!(project.succeed("build/program"), expected);
    assert!(transformed(&project).contains(&"vectors.c".to_string()), "{:?}", project.outcomes());
    let text = project.succeed(&format!("'{program}' report -p build"));
    assert!(text.contains("vectors.c") && text.contains("in blur"), "{text}");
    let json = project
        .succeed(&format!("'{program}' report -p build/compile_commands.json --format json"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["files"].as_array().unwrap().len(), 3, "{json}");
    let wrong = project.shell(&format!("'{program}' report -p build main.c"));
    assert_eq!(wrong.status.code(), Some(2));
    let sarif =
        project.shell(&format!("'{program}' report -p build --message-format sarif -o out.txt"));
    let log: serde_json::Value = serde_json::from_slice(&sarif.stderr).unwrap();
    assert_eq!(log["version"], "2.1.0");
}

#[test]
fn meson_and_ninja() {
    if !is_there("gcc") || !is_there("meson") || !is_there("ninja") {
        return;
    }
    let project = grid();
    let (cc, expected) = (project.wrapper(), expected(&project));
    project.succeed(&format!("CC=\"{cc} gcc\" meson setup build . && ninja -C build"));
    assert_eq!(project.succeed("build/program"), expected);
    assert!(transformed(&project).contains(&"vectors.c".to_string()), "{:?}", project.outcomes());
}

#[test]
fn ccache() {
    if !is_there("gcc") || !is_there("make") || !is_there("ccache") {
        return;
    }
    let project = grid();
    let (cc, expected) = (project.wrapper(), expected(&project));
    project.succeed(&format!("ln -s '{}' loopwright-cc", program().display()));
    let options = "LOOPWRIGHT_CC_OPTIONS='--always-rewrite --loopwright-report report'";
    // Inside, as the prefix of what ccache runs, and around.
    for build in [
        format!("make CC=\"{cc} ccache gcc\""),
        format!("{options} CCACHE_PREFIX=$PWD/loopwright-cc make CC=\"ccache gcc\""),
        format!("make CC=\"ccache {cc} gcc\""),
    ] {
        for _ in 0..2 {
            project.succeed(&format!("rm -rf report; make clean && {build}"));
            assert_eq!(project.succeed("./program"), expected, "{build}");
        }
    }
}

#[test]
fn reports_about_builds_need_their_commands() {
    let project = Project::new(&[
        ("a.json", "{}"),
        ("compile_commands.json", "[{\"command\": \"g++ -c a.cc\"}]"),
    ]);
    for folder in [".", "a.json", "no/such/folder"] {
        let output = project.shell(&format!("'{}' report -p {folder}", program().display()));
        assert_eq!(output.status.code(), Some(1), "{folder}");
    }
}
