//! Amounts on the command line: in the text, in JSON and on pages.
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const SOURCE: &str = "void f(int n, double *restrict x, double a[restrict n][n]) {\n#pragma scop\n\
                      for (int i = 0; i < n; i++)\n  for (int j = 0; j <= i; j++)\n    a[i][j] = a[i][j] / x[i] + x[j];\n\
                      #pragma endscop\n}\n";

fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("amounts-{name}"));
    std::fs::create_dir_all(&path).unwrap();
    std::fs::write(path.join("f.c"), SOURCE).unwrap();
    path
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    command.current_dir(folder).args(arguments).output().unwrap()
}

fn json(bytes: &[u8]) -> serde_json::Value {
    serde_json::from_slice(bytes).unwrap()
}

#[test]
fn reports_of_compilations_have_amounts_when_asked_for() {
    let folder = folder("compile");
    let sizes = ["--amounts", "--sizes", "n=1000"];
    let arguments = ["compile", "f.c", "-o", "o.c", "--report", "r.json"];
    let output = run(&folder, &[&arguments[..], &sizes[..]].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "amounts (values for n=1000):",
        "S0 (line 5): 1/2*n^2 + 1/2*n = 500500 instances, each with operations: 1 add, 1 div",
        "in all, div: 1/2*n^2 + 1/2*n = 500500",
        "x: n = 1000 elements",
        "limited by",
        "parallel loop of S0",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let report = json(&std::fs::read(folder.join("r.json")).unwrap());
    let amounts = &report["regions"][0]["amounts"];
    assert_eq!(amounts["operations"][0]["kind"], "add");
    assert_eq!(amounts["operations"][0]["at_most"]["value"], 500_500);
    assert_eq!(amounts["arrays"][1]["elements"]["value"], 1000);
    let shares = &amounts["loops"][0]["largest_share_over_mean"];
    let share = |name: &str| shares[name].as_f64().unwrap();
    assert!(share("in_turn") <= share("static_blocks"), "{shares}");
    // Without the option there is nothing.
    run(&folder, &arguments);
    let report = json(&std::fs::read(folder.join("r.json")).unwrap());
    assert_eq!(report["regions"][0]["amounts"], serde_json::Value::Null);
}

#[test]
fn tiles_have_amounts() {
    let folder = folder("tiles");
    let product = "void f(int n, double a[restrict n][n], double b[restrict n][n], double c[restrict n][n]) {\n#pragma scop\n\
                   for (int i = 0; i < n; i++)\nfor (int j = 0; j < n; j++)\nfor (int k = 0; k < n; k++)\n\
                   c[i][j] += a[i][k] * b[k][j];\n#pragma endscop\n}\n";
    std::fs::write(folder.join("p.c"), product).unwrap();
    let arguments = ["compile", "p.c", "-o", "o.c", "--report", "r.json", "--amounts", "--sizes"];
    let output = run(&folder, &[&arguments[..], &["n=1000"]].concat());
    assert!(String::from_utf8(output.stdout).unwrap().contains("tile of S0"));
    let report = json(&std::fs::read(folder.join("r.json")).unwrap());
    let tiles = report["regions"][0]["amounts"]["tiles"].as_array().unwrap();
    for tile in tiles {
        // A product of so many points touches at least the square root of that many elements of each array.
        let elements = |array: usize| tile["arrays"][array]["elements"]["value"].as_u64().unwrap();
        let instances = tile["instances"].as_u64().unwrap();
        assert_eq!(tile["operations"].as_u64(), Some(2 * instances));
        assert_eq!(elements(0) * elements(1) * elements(2), instances * instances, "{tile}");
        let tiles = tile["tiles"]["value"].as_u64().unwrap();
        assert!(tiles * instances >= 1_000_000_000, "{tile}");
    }
    assert!(!tiles.is_empty());
    run(
        &folder,
        &[
            "compile",
            "p.c",
            "-o",
            "o.c",
            "--report",
            "r.html",
            "--amounts",
            "--sizes",
            "n=1000",
            "-q",
        ],
    );
    assert!(std::fs::read_to_string(folder.join("r.html")).unwrap().contains("instances in one"));
}

#[test]
fn pages_have_tables_of_amounts() {
    let folder = folder("page");
    run(&folder, &["compile", "f.c", "-o", "o.c", "--report", "r.html", "--amounts", "-q"]);
    let page = std::fs::read_to_string(folder.join("r.html")).unwrap();
    for part in ["<h3>Amounts</h3>", "elements touched", "1/2*n^2 + 1/2*n", "1 add, 1 div"] {
        assert!(page.contains(part), "{part}");
    }
    let output = run(&folder, &["report", "f.c", "--format", "html", "--amounts"]);
    assert!(String::from_utf8(output.stdout).unwrap().contains("<h3>Amounts</h3>"));
}

#[test]
fn surveys_have_amounts_of_regions() {
    let folder = folder("survey");
    let options = ["report", "f.c", "--amounts", "--sizes", "n=4"];
    let text = String::from_utf8(run(&folder, &options).stdout).unwrap();
    assert!(text.contains("region in lines 2-6\n  amounts (values for n=4):"), "{text}");
    let output = run(&folder, &[&options[..], &["--format", "json"]].concat());
    let amounts = &json(&output.stdout)["files"][0]["amounts"][0];
    assert_eq!(amounts["lines"], serde_json::json!([2, 6]));
    assert_eq!(amounts["region"]["statements"][0]["instances"]["value"], 10);
}

#[test]
fn wrong_sizes_are_refused() {
    let folder = folder("wrong");
    for (options, part) in [
        (&["--sizes", "n=3"][..], "they go with --amounts"),
        (&["--amounts", "--sizes", "n"], "'n' is not NAME=VALUE"),
        (&["--amounts", "--sizes", "n=1,n=2"], "'n' is given twice"),
    ] {
        let output = run(&folder, &[&["compile", "f.c"], options].concat());
        assert_eq!(output.status.code(), Some(2));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(part), "{text}");
    }
}
