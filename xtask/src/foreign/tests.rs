//! The instrument on small programs, with a stand-in for `loopwright` that breaks what it is told to break.
use super::*;
use std::os::unix::fs::PermissionsExt;

/// Compiles with `-DBROKEN`; of loops it knows one.
const STAND_IN: &str = r#"#!/bin/sh
if [ "$1" = cc ]; then
  shift
  exec "$@" -DBROKEN
fi
while [ "$1" != -o ]; do shift; done
cat > "$2" <<'END'
{"files": [{"file": "sum.c", "nests": [{"function": "main", "lines": [3, 4], "verdict": "parallel",
  "time": 1.0, "refusals": [], "decisions": []}]}], "time": {"in_loops": 0.5}}
END
"#;

const MANIFEST: &str = r#"
title = "small programs"
[[program]]
name = "sum"
folder = "sum"
sources = ["sum.c"]
data = ["numbers.txt"]
input = "numbers.txt"
numeric = true
output = { files = ["out.txt"], ignore = ["*ms"] }
time = { printed = "took * ms", runs = 3 }
[[program]]
name = "other"
folder = "."
sources = ["other.c"]
[[program]]
name = "status"
folder = "."
sources = ["status.c"]
[[program]]
name = "endless"
folder = "."
sources = ["endless.c"]
limit = 0.3
[[program]]
name = "wrong-file"
folder = "."
sources = ["wrong-file.c"]
output = { files = ["f.txt"] }
[[program]]
name = "no-program"
folder = "."
sources = ["no-program.c"]
"#;

const FILES: [(&str, &str); 7] = [
    (
        "sum/sum.c",
        "#include <stdio.h>\nint main(void) { int x, s = 0; while (scanf(\"%d\", &x) == 1) s += x;\n\
         FILE *f = fopen(\"out.txt\", \"w\"); fprintf(f, \"%d\", s); fclose(f);\n\
         printf(\"%d\\ntook 4 ms\\n\", s); return 3; }\n",
    ),
    ("sum/numbers.txt", "1 2 3\n"),
    (
        "other.c",
        "#include <stdio.h>\n#ifdef BROKEN\n#define RESULT 2\n#else\n#define RESULT 1\n#endif\n\
         int main(void) { printf(\"%d\\n\", RESULT); }\n",
    ),
    (
        "status.c",
        "#include <stdlib.h>\nint main(void) {\n#ifdef BROKEN\nabort();\n#endif\nreturn 0; }\n",
    ),
    (
        "endless.c",
        "int main(void) {\n#ifdef BROKEN\nfor (volatile int i = 0;;) i = 1;\n#endif\n}\n",
    ),
    (
        "wrong-file.c",
        "#include <stdio.h>\nint main(void) {\n#ifndef BROKEN\nFILE *f = fopen(\"f.txt\", \"w\"); fclose(f);\n#endif\n}\n",
    ),
    ("no-program.c", "int main(void) { return none; }\n"),
];

/// A folder with the programs and the stand-in.
fn request(name: &str) -> Request {
    let folder =
        std::env::temp_dir().join(format!("loopwright-programs-{name}-{}", std::process::id()));
    for (name, text) in FILES.into_iter().chain([("real.toml", MANIFEST), ("stand-in", STAND_IN)]) {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let stand_in = folder.join("stand-in");
    std::fs::set_permissions(&stand_in, std::fs::Permissions::from_mode(0o755)).unwrap();
    let words = [
        "--manifest",
        &folder.join("real.toml").to_string_lossy(),
        "--loopwright",
        &stand_in.to_string_lossy(),
        "--work",
        &folder.join("work").to_string_lossy(),
        "--columns",
        "ours",
        "--jobs",
        "2",
    ]
    .map(str::to_string);
    parse(lexopt::Parser::from_args(words)).unwrap().unwrap()
}

#[test]
fn programs_are_built_compared_and_timed() {
    let request = request("all");
    let folder = request.manifest.parent().unwrap();
    let manifest = manifest::read(&request.manifest, folder).unwrap();
    let programs: Vec<&ForeignProgram> = manifest.programs.iter().collect();
    let records =
        looked_at(&programs, &Request { coverage: false, ..request_like(&request) }).unwrap();
    let found: Vec<_> = records
        .iter()
        .map(|record| record.build(Way::Ours).and_then(|build| build.difference.as_deref()))
        .collect();
    assert_eq!(
        found,
        [
            None,
            Some("stdout.txt: line 1 is \"2\" instead of \"1\""),
            Some("signal 6 instead of exit status 0"),
            Some("stopped at its limit instead of exit status 0"),
            Some("f.txt: it is not written"),
            None,
        ]
    );
    let failure = records[5].build(Way::Plain).unwrap().failure.as_ref().unwrap();
    assert!(failure.contains("none"), "{failure}");
    assert!(records[5].build(Way::Ours).is_none());

    let records = timed(&programs[..2], &request).unwrap();
    assert_eq!(records[0].build(Way::Ours).unwrap().seconds, [4.0; 3]);
    assert_eq!(records[0].speed(Way::Ours), Some(1.0));
    // What differs is not timed.
    assert_eq!(records[1].speed(Way::Ours), None);
    let setting = table::Setting {
        title: "small".to_string(),
        ways: request.columns.clone(),
        machine: String::new(),
    };
    let text = table::markdown(&setting, &records);
    assert!(text.contains("| ours | 2 of 2 | 1 |"), "{text}");
    assert!(text.contains("| sum | 4.00 | 1.00 |"), "{text}");
    assert!(text.contains("* other, ours differs: stdout.txt: line 1"), "{text}");
    std::fs::remove_dir_all(folder).unwrap();
}

/// The same request once more.
fn request_like(request: &Request) -> Request {
    Request {
        manifest: request.manifest.clone(),
        base: None,
        only: Vec::new(),
        columns: request.columns.clone(),
        tools: request.tools.clone(),
        work: request.work.clone(),
        table: None,
        json: None,
        ..*request
    }
}

#[test]
fn builds_are_kept_until_something_changes() {
    let request = request("kept");
    let folder = request.manifest.parent().unwrap().to_path_buf();
    let manifest = manifest::read(&request.manifest, &folder).unwrap();
    let program = &manifest.programs[1];
    let work = folder_of(program, &request).unwrap();
    let made = || {
        let built = build(program, Purpose::Run(Way::Plain), &request.tools, &work).unwrap();
        std::fs::metadata(built.executable).unwrap().modified().unwrap()
    };
    let first = made();
    assert_eq!(made(), first);
    let source = std::fs::File::open(folder.join("other.c")).unwrap();
    source.set_modified(std::time::SystemTime::UNIX_EPOCH).unwrap();
    assert_ne!(made(), first);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn surveys_of_the_command_are_read() {
    let request = request("survey");
    let folder = request.manifest.parent().unwrap().to_path_buf();
    let manifest = manifest::read(&request.manifest, &folder).unwrap();
    let found = coverage::cover(&manifest.programs[0], None, &request.tools, &folder).unwrap();
    assert_eq!((found.in_loops, found.transformed()), (0.5, 1.0));
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn requests_and_manifests_that_are_wrong_are_refused() {
    let error = |words: &[&str]| {
        let words = words.iter().map(ToString::to_string);
        parse(lexopt::Parser::from_args(words)).err().unwrap().to_string()
    };
    assert!(error(&[]).contains("--manifest FILE is missing"));
    assert!(error(&["--manifest", "x", "--columns", "icc"]).contains("there is no column `icc`"));
    let folder = std::env::temp_dir();
    let wrong = |text: &str| manifest::parse(text, &folder).unwrap_err();
    let head = "title = \"t\"\n[[program]]\nname = \"p\"\nfolder = \".\"\n";
    assert!(wrong(&format!("{head}sources = [\"none.c\"]\n")).contains("there is no `none.c`"));
    assert!(wrong(&format!("{head}sources = []\n")).contains("no sources"));
    assert!(wrong(&format!("{head}sources = []\nsize = 3\n")).contains("there is no key `size`"));
    assert!(wrong("title = \"t\"\n").contains("program"));
}

/// The manifest of the documentation, for its made-up folder.
#[test]
fn the_documented_manifest_names_a_program() {
    let text = std::fs::read_to_string(repository::root().join("docs/programs.md")).unwrap();
    let (_, rest) = text.split_once("# Whole programs").unwrap();
    let (_, rest) = rest.split_once("```toml\n").unwrap();
    let base = std::env::temp_dir().join(format!("loopwright-documented-{}", std::process::id()));
    for name in
        ["heat/heat.c", "heat/old.c", "heat/input.txt", "heat/numbers.txt", "common/report.c"]
    {
        std::fs::create_dir_all(base.join(name).parent().unwrap()).unwrap();
        std::fs::write(base.join(name), "").unwrap();
    }
    let base = base.canonicalize().unwrap();
    let manifest = manifest::parse(rest.split_once("```").unwrap().0, &base).unwrap();
    let heat = &manifest.programs[0];
    assert_eq!(heat.sources, ["heat.c", "../common/report.c"]);
    assert_eq!(heat.flags, ["-I.", "-I../common", "-DN=1000", "-std=gnu11"]);
    assert_eq!(heat.data[0], (base.join("heat/input.txt"), "input.txt".to_string()));
    assert_eq!(heat.time.runs, Some(9));
    assert!(heat.is_numeric && heat.output.stdout && heat.output.tolerance().is_none());
    std::fs::remove_dir_all(base).unwrap();
}
