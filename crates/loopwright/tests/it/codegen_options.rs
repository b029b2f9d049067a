//! The options of `loopwright codegen`: each is accepted, and the code is proved right with it.
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;

const SCHEDULE: &str = "[n, m] -> { S[i, j] -> [3i, floor(j/4), j] : 0 <= i < n and 0 <= j <= i and \
                        (j mod 3 = 0 or j > 5); T[i] -> [3i, 0, 0] : 0 <= i < m and n >= 2 }\n\
                        [n, m] -> { : m >= 0 }\n{ [a, b, c] -> separate[1] }\n";

/// The schedule as a file, which all tests of this process share.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("codegen_options.in");
    std::fs::write(&file, SCHEDULE).expect("a temporary file can be written");
    file
});

fn codegen(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.arg("codegen").arg(&*FILE).args(arguments).output().expect("the tool runs")
}

/// The text for options that have to be accepted; its proof must succeed.
#[track_caller]
fn text(arguments: &[&str]) -> String {
    let output = codegen(arguments);
    let remarks = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{arguments:?}: {remarks}");
    assert!(remarks.contains("proved to run"), "{remarks}");
    String::from_utf8(output.stdout).expect("a text")
}

#[test]
fn every_option_is_accepted_and_its_code_right() {
    let lists: &[&[&str]] = &[
        &["--no-atomic-upper-bound"],
        &["--no-prefer-pdiv"],
        &["--no-exploit-nested-bounds"],
        &["--separation-bounds", "implicit"],
        &["--no-scale-strides"],
        &["--no-else"],
        &["--no-or"],
        &["--no-or", "--no-else"],
        &["--group-coscheduled"],
        &["--detect-min-max"],
        &["--single-bounds"],
        &["--most-pieces", "1"],
        &["--strategy", "bounding-box"],
        &["--strategy", "hull"],
        &["--strategy", "separation", "--copy-cost", "50"],
    ];
    for arguments in lists {
        assert!(text(arguments).contains("S("), "{arguments:?}");
    }
}

#[test]
fn names_types_and_braces() {
    let plain = text(&["--iterators", "i,for,n", "--iterator-type", "long"]);
    assert!(plain.contains("for (long i = 0;") && !plain.contains("long for "), "{plain}");
    assert!(!plain.contains("long n ="), "{plain}");
    let braces = text(&["--always-print-block", "--no-outermost-block"]);
    assert!(!braces.starts_with("{\n"), "{braces}");
}

#[test]
fn versions_for_an_assumption() {
    let versions = text(&["--assume", "[n, m] -> { : n = m }"]);
    assert!(versions.contains("if (m == n)") || versions.contains("if (n == m)"), "{versions}");
    assert!(versions.contains("else"), "{versions}");
}

#[test]
fn wrong_values_are_wrong_usage() {
    let lists: &[&[&str]] = &[
        &["--iterators", "1x"],
        &["--iterator-type", "int;"],
        &["--most-pieces", "0"],
        &["--separation-bounds", "none"],
        &["--assume", "{ [i] : i > 0 }"],
        &["--assume", "n > 0"],
        &["--copy-cost", "3"],
    ];
    for arguments in lists {
        assert_eq!(codegen(arguments).status.code(), Some(2), "{arguments:?}");
    }
}
