//! Choices that are written lead to the same code when they are read; reports as JSON.
use loopwright::{
    Adaptive, Choices, CompileOptions, Compiled, Fusion, RegionChoices, Scheduler, compile_file,
};
use loopwright_backend::Target;
use loopwright_scheduler::Fuse;
use loopwright_transform::TileSizes;
use std::path::{Path, PathBuf};
use std::process::Command;

fn kernel(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/kernels/{name}.c"))
}

/// Loops of choices are asked for, so both texts are not timed; then neither are those that the choices come
/// from.
fn symbolic() -> CompileOptions {
    let mut options = CompileOptions { adaptive: Adaptive::Never, ..CompileOptions::new() };
    options.front_end.defines = vec!["LARGE".to_string()];
    options
}

fn compiled(path: &Path, options: &CompileOptions) -> Compiled {
    compile_file(path, options).unwrap_or_else(|failure| panic!("{}: {failure}", path.display()))
}

/// A new folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("choices-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

#[test]
fn choices_that_were_made_give_the_same_code_again() {
    let standard = symbolic();
    let variants = [
        standard.clone(),
        CompileOptions { fuse: Fusion::Rule(Fuse::Max), target: Target::C, ..standard.clone() },
        CompileOptions { tile_sizes: TileSizes::Given(vec![7, 9]), ..standard.clone() },
        CompileOptions { scheduler: Scheduler::None, ..standard.clone() },
        CompileOptions {
            scheduler: Scheduler::Feautrier,
            fuse: Fusion::Rule(Fuse::Min),
            ..standard.clone()
        },
    ];
    // `gramschmidt` and `ludcmp` take the second attempt, `adi` has groups.
    for name in ["gemm", "gramschmidt", "ludcmp", "jacobi-2d", "atax", "correlation"] {
        let path = kernel(name);
        for options in &variants {
            let first = compiled(&path, options);
            let text = first.choices().to_string();
            let choices = Choices::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            let again = compiled(&path, &CompileOptions { choices, ..symbolic() });
            assert_eq!(first.code, again.code, "{name}\n{text}");
            assert_eq!(text, again.choices().to_string(), "{name}");
        }
    }
}

/// The options with these choices for the only region.
fn with(settings: &[(&str, &str)]) -> CompileOptions {
    let mut region = RegionChoices::default();
    for (name, value) in settings {
        region.set(name, value).unwrap();
    }
    let mut choices = Choices::default();
    choices.set_region(0, region);
    CompileOptions { choices, ..symbolic() }
}

#[test]
fn bands_get_sizes_of_their_own() {
    let path = kernel("2mm");
    let bands = |options: &CompileOptions| -> Vec<Vec<i64>> {
        let report = compiled(&path, options).report;
        report.regions[0].bands.bands.iter().map(|band| band.tile_sizes.clone()).collect()
    };
    let usual = bands(&symbolic());
    let tiled = usual.iter().position(|sizes| !sizes.is_empty()).expect("a band is tiled");
    let name = format!("band {tiled} tile-sizes");
    let changed = bands(&with(&[(&name, "5,6,7")]));
    for (position, (before, after)) in usual.iter().zip(&changed).enumerate() {
        match position == tiled {
            true => assert_eq!(*after, vec![5, 6, 7]),
            false => assert_eq!(after, before),
        }
    }
    assert!(bands(&with(&[(&name, "none")]))[tiled].is_empty());
}

#[test]
fn regions_can_be_left_alone() {
    let path = kernel("gemm");
    let result = compiled(&path, &with(&[("unchanged", "yes")]));
    assert_eq!(result.code, std::fs::read_to_string(&path).unwrap());
    let notes = &result.report.regions[0].notes;
    assert!(notes.iter().any(|note| note.contains("as asked for")), "{notes:?}");
    assert_eq!(result.choices().region(0).and_then(|region| region.get("unchanged")), Some("yes"));
}

#[test]
fn a_band_that_there_is_not_is_remarked() {
    let report = compiled(&kernel("gemm"), &with(&[("band 9 tile-sizes", "4")])).report;
    let notes = &report.regions[0].notes;
    assert!(notes.iter().any(|note| note.contains("band 9")), "{notes:?}");
}

#[test]
fn choices_for_a_region_that_there_is_not_are_refused() {
    let mut choices = Choices::default();
    choices.set_region(3, RegionChoices::unchanged());
    let options = CompileOptions { choices, ..symbolic() };
    let message = compile_file(&kernel("gemm"), &options).unwrap_err().to_string();
    assert!(message.contains("region 4"), "{message}");
}

#[test]
fn the_command_writes_and_reads_choices_and_reports() {
    let folder = folder("command");
    let input = kernel("gemm");
    let run = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_loopwright"))
            .current_dir(&folder)
            .arg("compile")
            .arg(&input)
            .args(arguments)
            .output()
            .unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), message)
    };
    let text = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let first = ["--tile-sizes", "8,16", "-o", "a.c", "--write-choices", "a.txt"];
    assert_eq!(run(&first).0, Some(0));
    let second = ["--choices", "a.txt", "-o", "b.c", "--report", "b.json"];
    assert_eq!(run(&second).0, Some(0));
    assert_eq!(text("a.c"), text("b.c"));

    let report: serde_json::Value = serde_json::from_str(&text("b.json")).unwrap();
    assert_eq!(report["format"], 1);
    assert!(report["machine"]["cores"].as_u64().is_some_and(|cores| cores > 0));
    let region = &report["regions"][0];
    assert_eq!(region["choices"]["tile-sizes"], "8,16");
    let sizes = |band: &serde_json::Value| band["tile_sizes"] == serde_json::json!([8, 16, 16]);
    assert!(region["bands"].as_array().unwrap().iter().any(sizes), "{region:#}");
    assert!(region["proofs"].as_array().unwrap().iter().all(|proof| proof["outcome"] == "proved"));
    assert!(region["code"].as_str().unwrap().contains("for ("));
    assert!(report["milliseconds"]["after_preprocessing"].as_f64().unwrap() > 0.0);

    std::fs::write(folder.join("bad.txt"), "region 1\n  colour = red\n").unwrap();
    let (status, message) = run(&["--choices", "bad.txt"]);
    assert_eq!(status, Some(1));
    assert!(message.contains("bad.txt: line 2: unknown choice `colour`"), "{message}");
    let (status, message) = run(&["-o", "c.c", "--write-choices", "c.c"]);
    assert_eq!(status, Some(2), "{message}");
    let (status, message) = run(&["--transform", "interchange S0 1 2", "--write-choices", "c.txt"]);
    assert_eq!(status, Some(2), "{message}");
    assert!(!folder.join("c.c").exists() && !folder.join("c.txt").exists());
}
