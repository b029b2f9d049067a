//! The command line as people expect it: several files, the standard input, options of compilers, forms of
//! messages, suggestions, and what is made from the table of options.
use crate::support::scratch as fresh_folder;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const GOOD: &str = "void f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * a[i];\n#pragma endscop\n}\n";
const BAD: &str = "void f(double *a) {\n#pragma scop\n  a[i] = 0;\n#pragma endscop\n}\n";

fn command_in(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.current_dir(folder);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command_in(folder).args(arguments).output().unwrap()
}

fn with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = command_in(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = std::io::Write::write_all(child.stdin.as_mut().unwrap(), input.as_bytes());
    drop(child.stdin.take());
    child.wait_with_output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn several_files_are_compiled_whatever_comes_of_each() {
    let folder = fresh_folder("several-files");
    for (name, content) in [("a.c", GOOD), ("b.c", BAD), ("c.c", GOOD)] {
        std::fs::write(folder.join(name), content).unwrap();
    }
    let output = run(&folder, &["compile", "a.c", "b.c", "c.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("error[CF11]"), "{}", text(&output.stderr));
    let code = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    assert!(code("a.opt.c").is_some_and(|code| code.contains("#pragma omp")));
    assert_eq!(code("a.opt.c"), code("c.opt.c"));
    assert_eq!(code("b.opt.c"), None);
    let output = run(&folder, &["compile", "a.c", "c.c", "-o", "new/folder/", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!((output.stdout.len(), output.stderr.len()), (0, 0), "quiet");
    assert_eq!(code("new/folder/c.opt.c"), code("c.opt.c"));
    assert_eq!(run(&folder, &["compile", "a.c", "-o", "new/", "-q"]).status.code(), Some(0));
    assert_eq!(code("new/a.opt.c"), code("a.opt.c"));
    for wrong in [
        &["compile", "a.c", "c.c", "-o", "one.c"][..],
        &["compile", "a.c", "new/../a.c", "-o", "new/"],
        &["compile", "a.c", "c.c", "--report", "r.html"],
        &["compile", "a.c", "c.c", "--emit", "scop"],
        &["compile", "a.c", "-"],
    ] {
        let output = run(&folder, wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", text(&output.stderr));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_standard_input_is_compiled() {
    let folder = fresh_folder("standard-input");
    let output = with_input(&folder, &["compile", "-"], GOOD);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("#pragma omp parallel for"));
    let macros = GOOD.replace("int n", "int SIZE").replace("< n", "< SIZE");
    let output = with_input(&folder, &["compile", "-", "-DSIZE=n", "-q"], &macros);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), String::new()));
    assert!(text(&output.stdout).contains("< n"), "{}", text(&output.stdout));
    let output = with_input(&folder, &["compile", "-"], BAD);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("--> stdin:3:5"), "{}", text(&output.stderr));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn options_of_compilers_reach_the_preprocessor() {
    let folder = fresh_folder("options-of-compilers");
    std::fs::create_dir_all(folder.join("system")).unwrap();
    std::fs::write(folder.join("system/extent.h"), "#define EXTENT 77\n").unwrap();
    std::fs::write(folder.join("first.h"), "#define FACTOR 5\n").unwrap();
    let program = "#include <extent.h>\nvoid f(double *restrict a) {\n#pragma scop\n  for (int i = 0; i < EXTENT; i++)\n    \
                   a[i] = FACTOR * a[i];\n#pragma endscop\n}\n#ifdef OTHER\n#error other\n#endif\n\
                   #if __STDC_VERSION__ != 199901L\n#error version\n#endif\n";
    std::fs::write(folder.join("f.c"), program).unwrap();
    let options = ["-isystem", "system", "-include", "first.h", "-std=c99", "-U", "OTHER"];
    let arguments = [&["compile", "f.c", "--emit", "scop"], &options[..]].concat();
    let output = run(&folder, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("i <= 76"), "{}", text(&output.stdout));
    let output = run(&folder, &["compile", "f.c", "-isystem", "system", "-std=c11"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("version"), "{}", text(&output.stderr));
    let output = run(&folder, &["compile", "f.c", "-isytem", "system"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("did you mean `-isystem`?"), "{}", text(&output.stderr));

    // Names of folders may follow at once, versions only after `=`.
    let attached = ["compile", "f.c", "--emit", "scop", "-isystemsystem", "-includefirst.h"];
    let output = run(&folder, &[&attached[..], &["-std=c99", "-UOTHER"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for (option, said) in [("-std=", "-std"), ("-stdlib=x", "-stdlib"), ("-isystem=", "-isystem")] {
        let output = run(&folder, &["compile", "f.c", option]);
        assert_eq!(output.status.code(), Some(2), "{option}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(said), "{option}: {}", text(&output.stderr));
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Each line of the standard error as JSON.
fn lines_of_json(output: &Output) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|e| panic!("{line}: {e}"));
    text(&output.stderr).lines().map(parse).collect()
}

#[test]
fn messages_are_lines_of_json() {
    let folder = fresh_folder("messages-json");
    std::fs::write(folder.join("bad.c"), BAD).unwrap();
    std::fs::write(folder.join("good.c"), GOOD).unwrap();
    let json = ["--message-format", "json"];
    let output = run(&folder, &[&["compile", "bad.c"], &json[..]].concat());
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let messages = lines_of_json(&output);
    assert_eq!(messages.len(), 1, "{messages:?}");
    let message = &messages[0];
    assert_eq!(message["severity"], "error");
    assert_eq!(message["code"], "CF11");
    let span = &message["span"];
    assert_eq!(
        (&span["file"], &span["line"], &span["column"], &span["length"]),
        (&"bad.c".into(), &3.into(), &5.into(), &1.into())
    );
    assert!(message["rendered"].as_str().is_some_and(|text| text.starts_with("error[CF11]")));
    assert!(message["help"].is_string() && message["notes"].is_array());
    let output = run(
        &folder,
        &[&["compile", "good.c", "--scheduler", "none", "--no-tile"], &json[..]].concat(),
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(lines_of_json(&output).iter().any(|message| message["severity"] == "warning"));
    let output = run(&folder, &[&["report", "good.c", "bad.c", "-o", "r.txt"], &json[..]].concat());
    assert!(lines_of_json(&output).iter().any(|message| message["code"] == "CF11"));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn messages_are_one_sarif_log() {
    let folder = fresh_folder("messages-sarif");
    std::fs::write(folder.join("a bad.c"), BAD).unwrap();
    std::fs::write(folder.join("good.c"), GOOD).unwrap();
    let arguments = ["compile", "a bad.c", "good.c", "--message-format", "sarif"];
    let output = run(&folder, &arguments);
    assert_eq!(output.status.code(), Some(1));
    let log: Value = serde_json::from_str(&text(&output.stderr)).expect("it is one document");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().is_some_and(|schema| schema.contains("sarif-2.1.0")));
    let driver = &log["runs"][0]["tool"]["driver"];
    assert_eq!(driver["name"], "loopwright");
    let rules: Vec<&str> =
        driver["rules"].as_array().unwrap().iter().filter_map(|rule| rule["id"].as_str()).collect();
    let results = log["runs"][0]["results"].as_array().unwrap();
    for result in results {
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()));
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(rules.contains(&result["ruleId"].as_str().unwrap()), "{result}");
    }
    let location = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "a%20bad.c");
    assert_eq!(location["region"]["startLine"], 3);
    assert_eq!(
        (&location["region"]["startColumn"], &location["region"]["endColumn"]),
        (&5.into(), &6.into())
    );
    let output =
        run(&folder, &["compile", "good.c", "-o", "x.c", "--message-format", "sarif", "-q"]);
    let log: Value =
        serde_json::from_str(&text(&output.stderr)).expect("there is a log without results, too");
    assert_eq!(log["runs"][0]["results"], Value::Array(Vec::new()));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn mistyped_words_lead_to_suggestions() {
    let folder = fresh_folder("suggestions");
    std::fs::write(folder.join("good.c"), GOOD).unwrap();
    for (arguments, status, meant) in [
        (&["compil"][..], 2, "did you mean `compile`?"),
        (&["compile", "good.c", "--tile-size", "4"], 2, "did you mean `--tile-sizes`?"),
        (&["compile", "good.c", "--target", "opnemp"], 2, "did you mean `openmp`?"),
        (&["compile", "good.c", "--emit", "shedule"], 2, "did you mean `schedule`?"),
        (&["compile", "good.c", "--color", "alwasy"], 2, "did you mean `always`?"),
        (&["compile", "good.c", "--schedule-outer-coincidense"], 2, "--schedule-outer-coincidence"),
        (&["codegen", "--strategy", "hul", "x"], 2, "did you mean `hull`?"),
        (&["explain", "CF99"], 1, "did you mean CF"),
        (&["completions", "bsh"], 2, "did you mean `bash`?"),
    ] {
        let output = run(&folder, arguments);
        let errors = text(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {errors}");
        assert!(errors.contains(meant), "{arguments:?}: {errors}");
    }
    let errors = text(&run(&folder, &["compile", "good.c", "--bogus"]).stderr);
    assert!(errors.contains("--bogus") && !errors.contains("did you mean"), "{errors}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn colours_are_there_when_asked_for() {
    let folder = fresh_folder("colours");
    std::fs::write(folder.join("bad.c"), BAD).unwrap();
    let escapes = |arguments: &[&str]| {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr).contains('\x1b')
    };
    assert!(!escapes(&["compile", "bad.c"]), "the standard error is no terminal");
    assert!(escapes(&["compile", "bad.c", "--color", "always"]));
    assert!(!escapes(&["compile", "bad.c", "--color", "never"]));
    let output = command_in(&folder)
        .args(["compile", "bad.c", "--color=always"])
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    assert!(text(&output.stderr).contains('\x1b'), "what is asked for comes first");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn refusals_name_the_command_that_explains_them() {
    let folder = fresh_folder("explains");
    std::fs::write(folder.join("bad.c"), BAD).unwrap();
    let errors = text(&run(&folder, &["compile", "bad.c"]).stderr);
    assert!(errors.contains("`loopwright explain CF11`"), "{errors}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn verbose_adds_settings_and_the_preprocessor() {
    let folder = fresh_folder("verbose");
    std::fs::write(folder.join("good.c"), GOOD).unwrap();
    let errors = text(&run(&folder, &["compile", "good.c", "-v", "-DN=3"]).stderr);
    assert!(errors.contains("setting: target = openmp"), "{errors}");
    assert!(errors.contains("-E -DN=3`") && errors.contains("time (ms):"), "{errors}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn completions_and_manual_have_every_command() {
    let folder = fresh_folder("completions");
    let overview = text(&run(&folder, &["--help"]).stdout);
    let commands = ["compile", "tune", "report", "explain", "codegen", "flow", "schedule", "calc"];
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&folder, &["completions", shell]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let script = text(&output.stdout);
        for word in commands.iter().chain(&["tile-sizes", "message-format", "schedule-wavefront"]) {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let manual = text(&run(&folder, &["man"]).stdout);
    assert!(manual.starts_with(".TH LOOPWRIGHT 1"));
    for command in commands {
        assert!(overview.contains(command), "{command}");
        assert!(
            manual.contains(&format!(".SH LOOPWRIGHT {}", command.to_uppercase())),
            "{command}"
        );
    }
    assert!(manual.lines().all(|line| !line.starts_with('\'')), "no line is a request by accident");
    if let Ok(output) = with_bash(&folder) {
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout).trim(), "openmp opencl");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// What bash completes after `--target o`, by the script.
fn with_bash(folder: &Path) -> std::io::Result<Output> {
    let script = text(&run(folder, &["completions", "bash"]).stdout);
    let test = "\nCOMP_WORDS=(loopwright compile --target o); COMP_CWORD=3; _loopwright; echo \"${COMPREPLY[@]}\"\n";
    Command::new("bash").args(["-c", &(script + test)]).output()
}

#[test]
fn how_far_tiles_scale_is_a_part_of_the_report() {
    let folder = fresh_folder("scalability-report");
    let jacobi = "void f(int T, int n, double A[2][n]) {\n#pragma scop\nfor (int t = 1; t <= T; t++) for (int i = 1; i < n - 1; i++)\n\
        A[t % 2][i] = A[(t - 1) % 2][i - 1] + A[(t - 1) % 2][i + 1];\n#pragma endscop\n}\n";
    std::fs::write(folder.join("f.c"), jacobi).unwrap();
    let arguments = ["compile", "f.c", "-o", "g.c", "--tiling", "molecular"];
    let without = run(&folder, &arguments);
    let with = run(&folder, &[&arguments[..], &["--scalability-report"]].concat());
    assert!(with.status.success(), "{}", text(&with.stderr));
    assert!(!text(&without.stdout).contains("molecular: (1)"));
    let printed = text(&with.stdout);
    assert!(printed.contains("molecular: (1)") && printed.contains("dataflow: (1)"), "{printed}");
    let quiet = run(&folder, &[&arguments[..], &["--scalability-report", "-q"]].concat());
    assert_eq!(quiet.status.code(), Some(2), "{}", text(&quiet.stderr));
}
