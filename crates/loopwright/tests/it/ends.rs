//! How runs end: signals leave nothing behind; outputs of every kind; programs that a build names.
use crate::project::{Project, is_there, program};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const KERNEL: &str = "void f(int n, double *restrict a, const double *restrict b) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * b[i];\n#pragma endscop\n}\n";

fn executable(path: &Path, text: &str) {
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// The processes with a word in their environment, by number.
fn marked(mark: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(number) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else {
            continue;
        };
        let text = std::fs::read(entry.path().join("environ")).unwrap_or_default();
        let state = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let state = state.rsplit_once(')').map_or("", |(_, rest)| rest).trim_start().chars().next();
        if state.is_some_and(|state| !"ZX".contains(state))
            && text.windows(mark.len()).any(|part| part == mark.as_bytes())
        {
            found.push(number);
        }
    }
    found
}

/// Waits for something, at most a minute.
fn until(holds: impl Fn() -> bool) -> bool {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        if Instant::now() > end {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Sends a signal while a compiler that is called sleeps in a process of its own; nothing is left.
fn ends_with(signal: &str, words: &[&str]) {
    let project = Project::new(&[("a.c", KERNEL), ("other.c", "int x;\n")]);
    for folder in ["bin", "temporary"] {
        std::fs::create_dir(project.path(folder)).unwrap();
    }
    // It says what it is, and sleeps over everything else.
    executable(
        &project.path("bin/gcc"),
        "#!/bin/sh\ncase \" $* \" in *' -dM '*) exec /usr/bin/gcc \"$@\";; esac\ntouch sleeping; sleep 100; :\n",
    );
    let path = format!("{}:{}", project.path("bin").display(), std::env::var("PATH").unwrap());
    let mark = format!("LOOPWRIGHT_TEST_MARK={signal}-{}-{}", words.join("-"), std::process::id());
    let (name, value) = mark.split_once('=').unwrap();
    let mut child = project
        .command(program())
        .args(words)
        .env("PATH", path)
        .env("CC", "gcc")
        .env(name, value)
        .env("TMPDIR", project.path("temporary"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    assert!(until(|| project.path("sleeping").exists()), "{words:?} does not come so far");
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let status = child.wait().unwrap();
    assert!(!status.success(), "{words:?}");
    assert!(until(|| marked(&mark).is_empty()), "{words:?}: {:?}", marked(&mark));
    let left: Vec<_> = std::fs::read_dir(project.path("temporary")).unwrap().flatten().collect();
    assert!(left.is_empty(), "{words:?} {signal}: {left:?}");
}

#[test]
fn signals_leave_no_process_and_no_file() {
    if !Path::new("/usr/bin/gcc").exists() || !Path::new("/proc/self/environ").exists() {
        return;
    }
    for signal in ["-TERM", "-INT", "-HUP"] {
        ends_with(signal, &["cc", "--no-cache", "gcc", "-O2", "-c", "a.c"]);
    }
    for words in [
        &["compile", "-DX", "a.c", "-o", "b.c"][..],
        &["report", "-DX", "a.c"],
        &["compile", "-DX", "--autodetect", "--profile-gen", "a.c", "-o", "b.c"],
        &["tune", "-DX", "a.c"],
        // Nothing to transform: the compiler goes on alone.
        &["cc", "--no-cache", "gcc", "-c", "other.c"],
    ] {
        ends_with("-TERM", words);
    }
}

#[test]
fn outputs_of_every_kind_are_written() {
    let project = Project::new(&[("a.c", KERNEL)]);
    let program = program().display();
    let compile = format!("'{program}' compile a.c 2>/dev/null -o");
    let long = format!("{}.c", "n".repeat(248));
    project.succeed(&format!("{compile} {long}"));
    assert!(project.text(&long).contains("#pragma omp"));
    // Links stay links, also one that leads nowhere yet; a circle is an error.
    project.succeed("mkdir there && ln -s there/new.c dangling.c && ln -s dangling.c second.c && ln -s ring.c ring.c");
    project.succeed(&format!("{compile} second.c"));
    for link in ["dangling.c", "second.c"] {
        assert!(project.path(link).symlink_metadata().unwrap().is_symlink(), "{link}");
    }
    assert!(project.text("there/new.c").contains("#pragma omp"));
    let output = project.shell(&format!("'{program}' compile a.c -o ring.c"));
    assert_eq!(output.status.code(), Some(1));
    assert!(project.path("ring.c").symlink_metadata().unwrap().is_symlink());
    // What is open already is added to.
    project.succeed(&format!("echo first > log && {compile} /dev/stdout >> log"));
    assert!(
        project.text("log").starts_with("first\nvoid f(")
            || project.text("log").contains("#pragma omp")
    );
    assert!(project.text("log").starts_with("first\n"), "{}", project.text("log"));
    assert!(project.succeed(&format!("{compile} /dev/stdout | cat")).contains("#pragma omp"));
    project.succeed(&format!("mkfifo pipe && (cat pipe > got &) && {compile} pipe"));
    assert!(until(|| project.path("got").exists() && project.text("got").ends_with("}\n")));
    let output = project.shell(&format!("'{program}' compile a.c -o there"));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("cannot write there"), "{said}");
}

/// Commands of a build with the words that are not run.
const UNTRUSTED: [(&str, &str); 6] = [
    ("./cc.sh -c a.c", "no compiler that is known"),
    ("./gcc -c a.c", "not on PATH"),
    ("sub/../gcc -c a.c", "not on PATH"),
    ("gcc -B. -c a.c", "because of `-B.`"),
    ("gcc -wrapper -c a.c", "because of `-wrapper`"),
    ("gcc -fplugin=./x.so -c a.c", "because of `-fplugin=./x.so`"),
];

#[test]
fn builds_run_only_compilers_that_are_known() {
    if !is_there("gcc") {
        return;
    }
    let runs = |command: &str, options: &str| {
        let project = Project::new(&[("a.c", KERNEL)]);
        std::fs::create_dir(project.path("sub")).unwrap();
        for name in ["cc.sh", "gcc", "cc1", "as"] {
            executable(&project.path(name), "#!/bin/sh\ntouch was-run\nexec cat a.c\n");
        }
        let folder = project.path(".").display().to_string();
        let entry = serde_json::json!([{ "directory": folder, "file": "a.c", "command": command }]);
        std::fs::write(project.path("compile_commands.json"), entry.to_string()).unwrap();
        // A folder on PATH that is relative is none of the user's.
        let line = format!("PATH=.:\"$PATH\" '{}' report -p . {options}", program().display());
        let output = project.shell(&line);
        let said = [output.stdout, output.stderr].map(|t| String::from_utf8_lossy(&t).into_owned());
        (project.path("was-run").exists(), said.concat())
    };
    for (command, why) in UNTRUSTED {
        let (was_run, said) = runs(command, "");
        assert!(!was_run && said.contains(why), "{command}: {said}");
    }
    let (was_run, said) = runs("./cc.sh -c a.c", "--allow-compiler ./cc.sh");
    assert!(was_run && said.contains("in f"), "{said}");
    for command in ["gcc -O2 -c a.c", "/usr/bin/gcc -Wall -DX=1 -c a.c -o a.o"] {
        let (was_run, said) = runs(command, "");
        assert!(!was_run && said.contains("in f"), "{command}: {said}");
    }
}
