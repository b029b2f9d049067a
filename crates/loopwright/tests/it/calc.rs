//! The calculator as a command, and with files.
use loopwright::DiskFiles;
use loopwright::calc::{Session, Settings};
use std::process::{Command, Output, Stdio};

/// What a text prints, diagnostics as their first line without the place after `! `.
fn lines(session: &mut Session, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    session.run("test", text, &mut |line| match line {
        Ok(value) => lines.extend(value.lines().map(str::to_owned)),
        Err(diagnostic) => {
            let first = diagnostic.lines().next().unwrap_or("");
            let message = first.splitn(4, ':').nth(3).unwrap_or(first).trim();
            lines.push(format!("! {message}"));
        }
    });
    lines
}

fn command(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_loopwright"))
        .arg("calc")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that does not read its input closes it early.
    let _ = std::io::Write::write_all(child.stdin.as_mut().unwrap(), input.as_bytes());
    drop(child.stdin.take());
    child.wait_with_output().unwrap()
}

#[test]
fn the_command_runs_scripts() {
    let output = command(&[], "lexmin { [i] : i > 3 }; 1 + 1");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "{ [i = 4] }\n2\n");
    assert_eq!(output.status.code(), Some(0));
    let output = command(&[], "x; 1;");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(errors.starts_with("<stdin>:1:1: expected a variable"), "{errors}");
    assert_eq!(output.status.code(), Some(1));
    let output = command(&["-e", "{ [i] : i >= 2 };", "--format", "polylib"], "");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1\n\n1 3\n1    1   -2\n\n");
    assert_eq!(command(&["--format", "pdf"], "").status.code(), Some(2));
    assert_eq!(command(&["/nowhere"], "").status.code(), Some(1));
}

#[test]
fn files_are_written_read_and_executed() {
    let folder = std::env::temp_dir().join(format!("loopwright-calc-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str| folder.join(name).display().to_string();
    let program = "void f(int n, double A[n]) {\n#pragma scop\n  for (int i = 1; i < n; i++)\n    \
                   A[i] = 2 * A[i - 1];\n#pragma endscop\n}\n";
    std::fs::write(folder.join("f.c"), program).unwrap();
    std::fs::write(folder.join("matrix"), "2 4\n1 1 0 0\n1 -1 1 0\n").unwrap();
    std::fs::write(folder.join("script"), "y := x + { [7] };\nnothing;\n").unwrap();
    let text = format!(
        "x := {{ [3] }}; write \"{set}\" x; assert read \"{set}\" = x;
         source \"{script}\"; y;
         assert read \"{matrix}\" = {{ [i, j] : 0 <= i <= j }};
         P := parse_file \"{c}\";
         assert (last P[1] before P[3] under P[4])[0] . {{ S0[i] -> S0[i] }} <= {{ S0[i] -> S0[i + 1] }};",
        set = path("set"),
        script = path("script"),
        matrix = path("matrix"),
        c = path("f.c"),
    );
    let mut session = Session::with_files(Settings::STANDARD, DiskFiles);
    let printed = lines(&mut session, &text);
    assert_eq!(printed.len(), 2, "{printed:?}");
    assert!(printed[0].starts_with("! expected a variable or function, found `nothing`"));
    assert_eq!(printed[1], "{ [3]; [7] }");
    let mut closed = Session::new(Settings::STANDARD);
    let printed = lines(&mut closed, &format!("read \"{}\";", path("set")));
    assert_eq!(printed, ["! files may not be read here"]);
    std::fs::remove_dir_all(folder).unwrap();
}

/// The command's status: 3 if a statement reaches a limit, whatever else fails; otherwise 1.
#[test]
fn a_limit_has_its_own_exit_status() {
    let status = |arguments: &[&str]| {
        let command =
            Command::new(env!("CARGO_BIN_EXE_loopwright")).arg("calc").args(arguments).output();
        let output = command.unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let dims: Vec<String> = (0..10).map(|k| format!("x{k}")).collect();
    let bounds: Vec<String> = dims.iter().map(|x| format!("0 <= {x} <= 1")).collect();
    let cube = format!("vertices {{ [{}] : {} }};", dims.join(", "), bounds.join(" and "));
    assert_eq!(status(&["-e", &cube]).0, Some(0));
    let (code, errors) = status(&["-e", &cube, "--steps", "1000"]);
    assert_eq!(code, Some(3), "{errors}");
    assert!(errors.contains("the budget ran out in vertices"), "{errors}");
    assert!(errors.ends_with("error: 1 statement failed, 1 of them at a limit\n"), "{errors}");
    let (code, errors) = status(&["-e", &format!("x; {cube}"), "--steps", "1000"]);
    assert_eq!(code, Some(3), "{errors}");
    assert!(errors.contains("2 statements failed, 1 of them at a limit"), "{errors}");
    assert_eq!(status(&["-e", "x;"]).0, Some(1));
}
