//! The command on input that it must refuse: a message that helps, the right exit status, no file.
use crate::support::needs::left_out;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const GOOD: &str = "void f(int n, int m, double a[n], double b[n]) {\n#pragma scop\n  \
                    for (int i = 0; i < n; i++)\n    a[i] = b[i] + 1;\n#pragma endscop\n}\n";

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bad-input-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the folder for temporary files can be written");
    std::fs::write(path.join("good.c"), GOOD).expect("a file in it can be written");
    path
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the command starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Checks the exit status and that the message fits a screen and has all `parts`.
#[track_caller]
fn assert_message(output: &Output, status: i32, parts: &[&str]) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{message}");
    assert!(!message.contains("panicked"), "{message}");
    assert!((1..=26).contains(&message.lines().count()), "{message}");
    for part in parts {
        assert!(message.contains(part), "no `{part}` in:\n{message}");
    }
}

/// Runs with `-o` to a file that exists and to one that does not: neither may change.
#[track_caller]
fn assert_refused(folder: &Path, arguments: &[&str], status: i32, parts: &[&str]) {
    std::fs::write(folder.join("old.out"), "precious").unwrap();
    for target in ["old.out", "new.out"] {
        let output = run(folder, &[&["compile"], arguments, &["-o", target]].concat());
        assert_message(&output, status, parts);
        assert!(output.stdout.is_empty(), "{}", text(&output.stdout));
    }
    assert_eq!(std::fs::read_to_string(folder.join("old.out")).unwrap(), "precious");
    let left = std::fs::read_dir(folder).unwrap().filter_map(|entry| entry.ok());
    let names: Vec<_> = left.map(|entry| entry.file_name()).collect();
    let is_new = |name: &str| name == "new.out" || name.ends_with(".tmp");
    assert!(!names.iter().any(|name| is_new(&name.to_string_lossy())), "{names:?}");
}

/// A function with `body` as its region; the first line of `body` is line 4.
fn with_region(body: &str) -> String {
    format!(
        "int g(int);\nvoid f(int n, int m, double a[n], double b[n]) {{\n#pragma scop\n{body}\n\
         #pragma endscop\n}}\n"
    )
}

#[test]
fn regions_outside_the_model_are_shown_with_their_place() {
    let loop_with = |body: &str| format!("  for (int i = 0; i < n; i++) {{ {body} }}");
    let cases = [
        ("  goto inside; { a[0] = 1; inside: a[0] = 2; }".to_string(), "`goto`"),
        (loop_with("a[i] = 1; return;"), "`return`"),
        (loop_with("while (a[i] > 0) return;"), "`return`"),
        ("  break;".to_string(), "`break`"),
        (loop_with("a[i] = q;"), "`q` is not declared"),
        (loop_with("if (g(i)) exit(1);"), "call of `exit`"),
        ("  for (int i = 0; i < n; i++ a[i] = 1;".to_string(), "not understood as C"),
    ];
    let folder = folder("regions");
    for (body, what) in cases {
        std::fs::write(folder.join("bad.c"), with_region(&body)).unwrap();
        let line = body.lines().next().unwrap().trim();
        assert_refused(&folder, &["bad.c"], 1, &["bad.c:4:", "error[CF", what, line]);
    }
}

#[test]
fn pragmas_that_do_not_match_are_shown_with_their_place() {
    let cases = [
        ("void f(void) {\n#pragma scop\n}\n", "bad.c:2:1"),
        ("void f(void) {\n\n#pragma endscop\n}\n", "bad.c:3:1"),
        ("void f(void) {\n#pragma scop\n#pragma scop\n#pragma endscop\n}\n", "bad.c:3:1"),
    ];
    let folder = folder("pragmas");
    for (program, place) in cases {
        std::fs::write(folder.join("bad.c"), program).unwrap();
        assert_refused(&folder, &["bad.c"], 1, &[place, "#pragma", "hint"]);
    }
}

#[test]
fn files_that_are_no_c_programs_are_refused() {
    let folder = folder("files");
    std::fs::write(folder.join("include.c"), "\n#include \"not-there.h\"\n").unwrap();
    std::fs::write(folder.join("error.c"), "#error stop here\n").unwrap();
    assert_refused(&folder, &["missing.c"], 1, &["cannot read missing.c"]);
    assert_refused(&folder, &["."], 1, &["cannot read .", "directory"]);
    assert_refused(&folder, &["include.c"], 1, &["include.c:2", "not-there.h", "-I"]);
    assert_refused(&folder, &["error.c"], 1, &["error.c:1", "stop here"]);
}

#[test]
fn files_without_a_region_stay_byte_for_byte() {
    let folder = folder("no-region");
    let garbage: Vec<u8> = (0..4000u32).map(|i| (i * 37 % 251) as u8 ^ 0x80).collect();
    for (name, content) in [
        ("garbage.c", &*garbage),
        ("empty.c", b""),
        ("nul.c", b"\0\0#pragma scop\n\0"),
        ("plain.c", b"int x; // \xe7\r\n"),
    ] {
        std::fs::write(folder.join(name), content).unwrap();
        let output = run(&folder, &["compile", name, "-o", "out.c"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(
            text(&output.stdout).contains(&format!("{name} has no region")),
            "{}",
            text(&output.stdout)
        );
        assert_eq!(std::fs::read(folder.join("out.c")).unwrap(), content);
    }
    let output = run(&folder, &["compile", "plain.c", "--emit", "deps"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), String::new()));
}

/// A loop whose iterations are independent, with the line ends and spellings of a kind of file.
fn parallel_loop(before: &str, after: &str) -> String {
    format!(
        "{before}void f(int n, double a[restrict n]) {{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * i;\n#pragma endscop\n{after}}}\n"
    )
}

#[test]
fn forms_of_files_are_compiled_and_the_rest_of_the_file_stays() {
    let folder = folder("forms");
    let included = parallel_loop("static ", "").replace("void f", "void inner");
    std::fs::write(folder.join("part.c"), included).unwrap();
    let lines = parallel_loop("#line 100 \"generated.y\"\n", "#line 7\n");
    let digraphs = parallel_loop("", "")
        .replace('[', "<:")
        .replace(']', ":>")
        .replace('{', "<%")
        .replace('}', "%>");
    let cases: [(&str, Vec<u8>); 7] = [
        ("latin.c", [b"/* Fran\xe7ois */\n", parallel_loop("", "").as_bytes()].concat()),
        ("mark.c", ["\u{feff}".as_bytes(), parallel_loop("", "").as_bytes()].concat()),
        ("crlf.c", parallel_loop("int x;\n", "").replace('\n', "\r\n").into_bytes()),
        ("digraphs.c", digraphs.replace("#pragma", "%:pragma").into_bytes()),
        ("lines.c", lines.into_bytes()),
        ("includes.c", parallel_loop("#include \"part.c\"\n", "").into_bytes()),
        ("end.c", parallel_loop("", "").trim_end().as_bytes().to_vec()),
    ];
    for (name, content) in cases {
        std::fs::write(folder.join(name), &content).unwrap();
        let output = run(&folder, &["compile", name, "-o", "out.c"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        let result = std::fs::read(folder.join("out.c")).unwrap();
        assert!(text(&result).contains("#pragma omp parallel for"), "{name}: {}", text(&result));
        let pragma =
            |bytes: &[u8], word: &[u8]| bytes.windows(word.len()).position(|w| w == word).unwrap();
        let (start, end) = (pragma(&content, b"pragma scop"), pragma(&content, b"pragma endscop"));
        let start = content[..start].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        // Functions for floating numbers are first, behind a mark of the encoding.
        let (front, first) = (&content[..start], pragma(&result, b"pragma omp parallel for"));
        let front = front.strip_prefix("\u{feff}".as_bytes()).unwrap_or(front);
        let is_kept = result[..first].windows(front.len().max(1)).any(|bytes| bytes == front);
        assert!(front.is_empty() || is_kept, "{name}");
        let tail = &content[end + content[end..].iter().position(|b| *b == b'\n').unwrap() + 1..];
        assert!(result.ends_with(tail), "{name}");
        if name == "crlf.c" {
            assert!(
                text(&result).split_inclusive('\n').all(|line| line.ends_with("\r\n")),
                "{name}"
            );
        }
        let compiler = Command::new("cc")
            .args(["-fopenmp", "-c", "-o", "out.o", "out.c"])
            .current_dir(&folder)
            .status();
        assert!(compiler.unwrap().success(), "{name}");
    }
}

#[test]
fn lines_of_refusals_are_those_of_the_file() {
    let folder = folder("lines");
    let text_with_lines =
        format!("int before;\n#line 3000 \"grammar.y\"\n{}", with_region("  a[0] = q;"));
    std::fs::write(folder.join("lines.c"), text_with_lines).unwrap();
    assert_refused(&folder, &["lines.c"], 1, &["lines.c:6:", "`q` is not declared"]);
}

#[test]
fn a_refused_region_is_left_and_the_others_are_compiled() {
    let folder = folder("keep-going");
    let refused = "#pragma scop\n  for (int i = 0; i < n; i++) { a[i] = 1; /* kept */ return; }\n#pragma endscop\n";
    let content =
        GOOD.replace("\n}\n", &format!("\n{refused}}}\n")) + &GOOD.replace("void f", "void g");
    std::fs::write(folder.join("three.c"), &content).unwrap();
    let arguments = ["compile", "three.c", "-o", "out.c", "--report", "out.json"];
    let output = run(&folder, &arguments);
    assert_message(&output, 1, &["three.c:7:", "`return`"]);
    let code = std::fs::read_to_string(folder.join("out.c")).unwrap();
    assert_eq!(code.matches("#pragma omp parallel for").count(), 2, "{code}");
    assert!(code.contains(refused), "{code}");
    let report = text(&output.stdout);
    assert!(report.contains("3 regions") && report.contains("lines 6-8"), "{report}");
    assert!(report.contains("refused, left as it was: line 7"), "{report}");
    let json = std::fs::read_to_string(folder.join("out.json")).unwrap();
    assert!(json.contains("refused, left as it was: line 7"), "{json}");
    assert_refused(&folder, &["three.c", "--no-keep-going"], 1, &["three.c:7:", "`return`"]);
}

#[test]
fn results_say_what_they_are_bound_to() {
    let folder = folder("bound");
    let content = format!(
        "#ifndef SIZE\n#define SIZE 10\n#endif\n#ifdef _OPENMP\n#define SLOTS 64\n#else\n#define SLOTS 1\n#endif\n\
         double big[SIZE], slots[SLOTS];\n{}\
         void g(void) {{\n#pragma scop\n  for (int i = 0; i < SIZE; i++)\n    big[i] = i;\n#pragma endscop\n}}\n",
        "#ifdef UNUSED\nint other(void) { return UNUSED; }\n#endif\n"
    );
    std::fs::write(folder.join("bound.c"), content).unwrap();
    let compile = |arguments: &[&str]| {
        let output = run(&folder, &[&["compile", "bound.c", "-o", "out.c"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let accepts = |flags: &[&str]| {
        let mut compiler = Command::new("cc");
        compiler.args(["-c", "-w", "-o", "out.o", "out.c"]).args(flags).current_dir(&folder);
        compiler.stderr(Stdio::null()).status().unwrap().success()
    };
    let report = compile(&["-D", "SIZE=49152", "-D", "OTHER=1", "--always-rewrite"]);
    assert!(
        report.contains("the result holds only if it is compiled with -D SIZE=49152"),
        "{report}"
    );
    assert!(report.contains("the result holds only if it is compiled with OpenMP"), "{report}");
    assert!(!report.contains("OTHER"), "{report}");
    assert!(accepts(&["-fopenmp", "-DSIZE=49152"]));
    assert!(!accepts(&["-fopenmp"]), "another size");
    assert!(!accepts(&["-fopenmp", "-DSIZE=49151"]), "another size");
    assert!(!accepts(&["-DSIZE=49152"]), "no OpenMP");
    let report = compile(&["--target", "c"]);
    assert!(!report.contains("holds only"), "the region is left as it was: {report}");
    let report = compile(&["--target", "c", "--always-rewrite"]);
    assert!(report.contains("the result holds only if it is compiled without OpenMP"), "{report}");
    assert!(accepts(&[]) && !accepts(&["-fopenmp"]));
    // What regions cannot depend on is not asked for.
    std::fs::write(
        folder.join("bound.c"),
        GOOD.to_string() + "#ifdef TIMED\nint clock(void) { return TIMED; }\n#endif\n",
    )
    .unwrap();
    let report = compile(&["-D", "TIMED=1"]);
    assert!(!report.contains("holds only"), "{report}");
}

#[test]
fn compilers_are_named_as_in_a_shell_and_stopped_when_they_print_without_end() {
    let folder = folder("compilers");
    std::fs::write(folder.join("macros.c"), format!("#define X 1\n{GOOD}")).unwrap();
    std::fs::create_dir(folder.join("a folder")).unwrap();
    let script = |name: &str, lines: &str| {
        let path = folder.join("a folder").join(name);
        std::fs::write(&path, format!("#!/bin/sh\n{lines}\n")).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&path).status().unwrap().success());
        path.to_str().unwrap().to_string()
    };
    let wrapper = script("my cc", "exec cc \"$@\"");
    for cc in [wrapper.clone(), format!("'{wrapper}' -std=gnu11"), format!("\"{wrapper}\"")] {
        let output = command(&folder, &["compile", "macros.c"]).env("CC", &cc).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{cc}: {}", text(&output.stderr));
    }
    let endless = script("endless", "exec yes 'int x;'");
    let output = command(&folder, &["compile", "macros.c"]).env("CC", &endless).output().unwrap();
    assert_message(&output, 1, &["endless", "prints without end", "MB"]);
}

#[test]
fn what_stands_at_a_temporary_name_is_not_touched() {
    let folder = folder("temporary");
    std::fs::write(folder.join("precious"), "precious").unwrap();
    #[cfg(unix)]
    for id in 0..40_000 {
        // Names as they were made from the number of the process.
        std::os::unix::fs::symlink("precious", folder.join(format!(".out.c.{id}.tmp"))).unwrap();
    }
    let output = run(&folder, &["compile", "good.c", "-o", "out.c"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(folder.join("precious")).unwrap(), "precious");
    assert!(std::fs::symlink_metadata(folder.join("out.c")).unwrap().is_file());
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn reports_about_files_that_are_not_there_fail() {
    let folder = folder("reports");
    let output = run(&folder, &["report", "good.c", "missing.c"]);
    assert_message(&output, 1, &["missing.c"]);
    assert!(text(&output.stdout).contains("good.c"), "{}", text(&output.stdout));
    assert_eq!(run(&folder, &["report", "good.c"]).status.code(), Some(0));
}

#[test]
fn a_missing_preprocessor_is_named() {
    let folder = folder("preprocessor");
    std::fs::write(folder.join("macros.c"), format!("#define X 1\n{GOOD}")).unwrap();
    let mut command = command(&folder, &["compile", "macros.c", "-o", "out.c"]);
    let output = command.env("CC", "/nonexistent").output().unwrap();
    assert_message(&output, 1, &["/nonexistent", "set CC"]);
    assert!(!folder.join("out.c").exists());
}

#[test]
fn schedules_that_do_not_fit_are_refused() {
    let folder = folder("schedules");
    let program = with_region("  for (int i = 1; i < n; i++)\n    a[i] = a[i - 1];");
    std::fs::write(folder.join("chain.c"), program).unwrap();
    let domain = "domain: \"[n] -> { S0[i] : 1 <= i < n }\"";
    let band =
        |member: &str| format!("{domain}\nchild:\n  schedule: \"[{{ S0[i] -> [{member}] }}]\"\n");
    let cases = [
        ("reversed.yaml", band("-i"), "S0[1] -> S0[2]"),
        ("cut.yaml", "{ domain: ".to_string(), "line 1"),
        ("empty.yaml", String::new(), "line 1"),
        ("other.yaml", "domain: \"{ T[i] : 0 <= i < 10 }\"\n".to_string(), "other instances"),
        ("unknown.yaml", format!("{domain}\nchild:\n  bend: 1\n"), "line 3"),
        ("partial.yaml", format!("{domain}\nchild:\n  schedule: \"[{{ T[i] -> [i] }}]\"\n"), "S0"),
    ];
    for (name, schedule, part) in cases {
        std::fs::write(folder.join(name), schedule).unwrap();
        assert_refused(&folder, &["chain.c", "--schedule", name], 1, &["schedule", part]);
    }
    assert_refused(&folder, &["chain.c", "--schedule", "no.yaml"], 1, &["cannot read no.yaml"]);
    let lying = format!(
        "{domain}\nchild:\n  mark: \"parallel\"\n  child:\n    schedule: \"[{{ S0[i] -> [i] }}]\"\n"
    );
    std::fs::write(folder.join("lying.yaml"), lying).unwrap();
    assert_refused(&folder, &["chain.c", "--schedule", "lying.yaml"], 1, &["parallel", "`a`"]);
}

#[test]
fn wrong_command_lines_are_explained() {
    let folder = folder("usage");
    for sizes in ["0", "-1", "many", "1,,2", "", "99999999999999999999"] {
        assert_refused(&folder, &["good.c", "--tile-sizes", sizes], 2, &["--tile-sizes"]);
    }
    assert_refused(&folder, &["good.c", "--bogus"], 2, &["--bogus", "--help"]);
    assert_refused(&folder, &["good.c", "good.c"], 2, &["takes the code of one file"]);
    assert_refused(&folder, &["good.c", "--target", "fortran"], 2, &["c, openmp", "fortran"]);
    assert_refused(&folder, &[], 2, &["no input file"]);
    for option in ["-o", "--schedule", "--emit", "--tile-sizes", "--report", "-I", "-D"] {
        assert_message(&run(&folder, &["compile", "good.c", option]), 2, &[option]);
    }
    assert_message(&run(&folder, &["improve"]), 2, &["improve", "--help"]);
    assert_message(&run(&folder, &[]), 2, &["usage", "compile"]);
}

#[test]
fn results_never_replace_the_input() {
    let folder = folder("overwriting");
    for arguments in [
        ["compile", "good.c", "-o", "good.c"],
        ["compile", "good.c", "-o", "./good.c"],
        ["compile", "./good.c", "--report", "good.c"],
    ] {
        assert_message(&run(&folder, &arguments), 2, &["good.c", "overwritten"]);
        assert_eq!(std::fs::read_to_string(folder.join("good.c")).unwrap(), GOOD);
    }
    let both = ["compile", "good.c", "-o", "x", "--report", "x"];
    assert_message(&run(&folder, &both), 2, &["one file"]);
}

#[test]
fn a_dash_is_the_standard_output() {
    let folder = folder("dash");
    let plain = run(&folder, &["compile", "good.c"]);
    let named = run(&folder, &["compile", "good.c", "-o", "-"]);
    assert_eq!(text(&named.stdout), text(&plain.stdout));
    assert!(text(&named.stdout).contains("for (") && !folder.join("-").exists());
}

#[test]
fn results_that_cannot_be_written_are_reported() {
    let folder = folder("unwritable");
    for option in ["-o", "--report"] {
        let output = run(&folder, &["compile", "good.c", option, "missing/out"]);
        assert_message(&output, 1, &["cannot write missing/out"]);
        assert_message(&run(&folder, &["compile", "good.c", option, "."]), 1, &["cannot write ."]);
    }
    if Path::new("/dev/full").exists() || left_out("/dev/full") {
        for arguments in [vec!["compile", "good.c"], vec!["--help"]] {
            let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
            let output = command(&folder, &arguments).stdout(full).output().unwrap();
            assert_message(&output, 1, &["cannot write to the standard output"]);
        }
    }
}

/// A reader that goes away early (`loopwright compile good.c | head -1`) is no failure.
#[test]
fn a_closed_pipe_is_silent() {
    let folder = folder("pipe");
    for arguments in
        [vec!["compile", "good.c"], vec!["--help"], vec!["compile", "good.c", "-o", "x"]]
    {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let output = command(&folder, &arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    }
}

#[test]
fn every_stage_is_printed_and_schedules_are_read_back() {
    let folder = folder("stages");
    let two_loops = with_region(
        "  for (int i = 0; i < n; i++)\n    a[i] = b[i];\n  for (int i = 0; i < n; i++)\n    b[i] = a[n - 1 - i] + m;",
    );
    std::fs::write(folder.join("two.c"), two_loops).unwrap();
    let emit = |stage| {
        let output = run(&folder, &["compile", "two.c", "--emit", stage]);
        assert_message(&output, 0, &["proved"]);
        text(&output.stdout)
    };
    assert!(emit("scop").contains("statements:"));
    assert!(emit("deps").contains("flow:"));
    assert!(emit("ast").contains("S0("));
    std::fs::write(folder.join("schedule.yaml"), emit("schedule")).unwrap();
    let output = run(&folder, &["compile", "two.c", "--schedule", "schedule.yaml"]);
    assert_eq!(text(&output.stdout), emit("code"), "{}", text(&output.stderr));
    let report = ["compile", "two.c", "-o", "out.c", "--report", "out.html"];
    assert_eq!(run(&folder, &report).status.code(), Some(0));
    let html = std::fs::read_to_string(folder.join("out.html")).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") || html.starts_with("<!doctype html>"), "{html}");
    assert!(html.trim_end().ends_with("</html>") && html.contains("proved"), "{html}");
}

#[test]
fn flow_prints_the_four_relations_or_says_why_not() {
    let folder = folder("flow");
    let good = "sink: \"{ S[] -> a[] }\"\nmust_source: \"{ T[i] -> a[] : 0 <= i < 9 }\"\n\
                schedule_map: \"{ T[i] -> [0, i]; S[] -> [1] }\"\n";
    std::fs::write(folder.join("good.ai"), good).unwrap();
    let output = run(&folder, &["flow", "good.ai"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let keys: Vec<&str> = printed.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(keys, ["must_dependence", "may_dependence", "must_no_source", "may_no_source"]);
    assert!(printed.contains("[S[] -> a[]]"), "{printed}");
    std::fs::write(folder.join("bad.ai"), "sink: \"{ S[] -> a[] }\"\nkills: \"{ }\"\n").unwrap();
    assert_message(&run(&folder, &["flow", "bad.ai"]), 1, &["bad.ai", "line 2", "kills"]);
    assert_message(&run(&folder, &["flow", "none.ai"]), 1, &["cannot read none.ai"]);
    assert_message(&run(&folder, &["flow"]), 2, &["no input file"]);
}

#[test]
fn every_command_explains_itself() {
    let folder = folder("help");
    for command in [vec![], vec!["compile"], vec!["codegen"], vec!["schedule"], vec!["flow"]] {
        for option in ["--help", "-h"] {
            let output = run(&folder, &[&command[..], &[option]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            assert!(text(&output.stdout).starts_with("usage: loopwright"));
        }
    }
    let version = text(&run(&folder, &["--version"]).stdout);
    assert_eq!(version, concat!("loopwright ", env!("CARGO_PKG_VERSION"), "\n"));
}
