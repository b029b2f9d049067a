//! Descriptions of machines on the command line.
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("machine-{name}"));
    std::fs::create_dir_all(&path).expect("the folder for temporary files can be written");
    path
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command.output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn what_is_printed_is_read() {
    let folder = folder("printed");
    let first = run(&folder, &["machine"]);
    assert_eq!(first.status.code(), Some(0), "{}", text(&first.stderr));
    std::fs::write(folder.join("all.machine"), &first.stdout).unwrap();
    let second = run(&folder, &["machine", "--generic", "--machine", "all.machine"]);
    let values = |output: &Output| -> Vec<String> {
        let lines = text(&output.stdout);
        lines.lines().map(|line| line.split('#').next().unwrap_or("").to_string()).collect()
    };
    assert_eq!(values(&first), values(&second));
    assert!(text(&second.stdout).lines().all(|line| line.contains("given in all.machine")));
}

#[test]
fn later_descriptions_override_earlier_ones() {
    let folder = folder("later");
    std::fs::write(folder.join("a"), "cores = 7\nl1-bytes = 65536\n").unwrap();
    std::fs::write(folder.join("b"), "cores = 9\n").unwrap();
    let output = run(&folder, &["machine", "--generic", "--machine", "a", "--machine", "b"]);
    let text = text(&output.stdout);
    for part in ["cores = 9 ", "given in b", "l1-bytes = 65536 ", "l2-bytes = 524288 ", "assumed"] {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn wrong_descriptions_are_refused() {
    let folder = folder("wrong");
    std::fs::write(folder.join("bad"), "# a machine\ncores = none\n").unwrap();
    std::fs::write(folder.join("good.c"), "int f(void) { return 1; }\n").unwrap();
    for arguments in [&["machine", "--machine", "bad"], &["compile", "good.c", "--machine=bad"][..]]
    {
        let output = run(&folder, arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("bad: line 2") && message.contains("none"), "{message}");
    }
    let missing = run(&folder, &["machine", "--machine", "nowhere"]);
    assert_eq!(missing.status.code(), Some(1), "{}", text(&missing.stderr));
    assert_eq!(run(&folder, &["machine", "extra"]).status.code(), Some(2));
    assert_eq!(run(&folder, &["machine", "--machine"]).status.code(), Some(2));
}
