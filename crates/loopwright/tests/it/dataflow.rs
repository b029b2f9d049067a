//! `loopwright dataflow`: relations with parameters, what these mean, without them, as JSON, and the coarser
//! model where there is no finer one.
use crate::support::scratch;
use loopwright::{CompileOptions, RegionDataflow, dataflow_of_file};
use std::path::PathBuf;
use std::process::Command;

const LAST: &str = "int f(int n, int *restrict c, int *restrict a) {
  int x;
#pragma scop
  x = 0;
  for (int i = 0; i < n; i++)
    if (c[i])
      x = i;
  a[0] = x;
#pragma endscop
  return x;
}
";

fn file(name: &str, text: &str) -> PathBuf {
    let path = scratch(&format!("dataflow-{name}")).join("f.c");
    std::fs::write(&path, text).unwrap();
    path
}

fn looked_at(name: &str, text: &str, projected: bool) -> RegionDataflow {
    let path = file(name, text);
    dataflow_of_file(&path, &CompileOptions::new(), projected).unwrap().remove(0)
}

#[test]
fn parameters_say_what_has_run() {
    let region = looked_at("last", LAST, false);
    assert_eq!((region.n_parameters, &*region.function), (2, "f"));
    let text = region.to_string();
    for line in [
        "f, lines 3 to 9: 2 parameters in 4 disjuncts",
        "  S1 (line 6) reads c",
        "    from before the region: [n] -> { S1[i] : 0 <= i < n }",
        "  S3 (line 8) reads x",
        "    from S0 (line 4): [n, ran_S2, last_S2_i] -> { S3[] -> S0[] : n <= 0 or (ran_S2 = 0 and n > 0) }",
        "    ran_S2 = 1: S2 (line 7) has run for a candidate of [n] -> { S3[] -> S2[i] : 0 <= i < n }",
        "    last_S2_i: i of the last candidate of S2 that has run",
    ] {
        assert!(text.lines().any(|own| own == line), "{line}\n{text}");
    }
    let json = region.to_json();
    let read =
        json["reads"].as_array().unwrap().iter().find(|read| read["variable"] == "x").unwrap();
    assert_eq!(read["parameters"][0]["ran"], "ran_S2");
    assert_eq!(read["parameters"][0]["last"][0]["coordinate"], "i");
    assert_eq!(read["sources"].as_array().unwrap().len(), 2);
    assert_eq!(read["sources"][0]["origin"], "write");
}

#[test]
fn projections_have_no_parameters() {
    let region = looked_at("projected", LAST, true);
    let text = region.to_string();
    assert!(
        text.contains("    from S2 (line 7): [n] -> { S3[] -> S2[i] : 0 <= i < n }\n"),
        "{text}"
    );
    assert!(!text.contains("ran_S2"), "{text}");
}

/// A `switch` has no form in the model with filters if `break` ends a branch before its end.
#[test]
fn the_coarser_model_takes_the_place_of_the_finer_one() {
    let text = LAST.replace(
        "    if (c[i])\n      x = i;",
        "    switch (c[i]) { case 1: if (c[0]) break; x = i; break; default: x = 1; }",
    );
    let region = looked_at("switch", &text, false);
    let note =
        "conditions on data are parts of statements: line 6: a `switch` cannot be part of a region";
    assert_eq!(region.notes[0], note, "{region}");
    assert!(region.reads.iter().any(|read| read.variable == "x"), "{region}");
}

#[test]
fn the_command_prints_text_and_json() {
    let path = file("command", LAST);
    let run = |options: &[&str]| {
        let command = Command::new(env!("CARGO_BIN_EXE_loopwright"))
            .arg("dataflow")
            .arg(&path)
            .args(options)
            .output();
        let output = command.unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (status, text) = run(&[]);
    assert_eq!(status, Some(0));
    assert_eq!(text, looked_at("command", LAST, false).to_string());
    let (status, text) = run(&["--projected", "--format", "json"]);
    assert_eq!(status, Some(0));
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json[0]["reads"][0]["parameters"].as_array().unwrap().len(), 0);
    assert_eq!(run(&["--format", "dot"]).0, Some(2));
}
