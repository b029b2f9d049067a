//! The examples of `docs/transform.md`: each script is accepted or refused as the text says, and the
//! program prints the same after it under every strategy of code generation.

use crate::support::{compile, first_difference, run_c, scratch};
use loopwright::{CompileOptions, Emit, Scheduler, compile_file};
use loopwright_astgen::{LevelRange, Separation, Strategy};
use std::path::Path;

/// A program with a script, and the message if the script is refused.
struct Example {
    region: String,
    script: String,
    error: Option<String>,
}

/// The examples of the text: a block of C, a script, perhaps a message or a mapping.
fn examples(text: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut region = String::new();
    for block in text.split("\n```").collect::<Vec<_>>().chunks(2) {
        let [_, block] = block else { continue };
        let (kind, content) = block.split_once('\n').expect("a block has lines");
        match kind {
            "c" => region = content.to_string(),
            "transform" => examples.push(Example {
                region: region.clone(),
                script: content.to_string(),
                error: None,
            }),
            "error" => {
                let last = examples.last_mut().expect("a message follows a script");
                last.error = Some(content.trim_end().to_string());
            }
            _ => {}
        }
    }
    examples
}

/// A message without the numbers of lines, which are those of the program around.
fn without_lines(message: &str) -> String {
    let mut parts = message.split(" (line ");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |text, part| text + part.split_once(')').map_or(part, |(_, rest)| rest))
}

/// A whole program around a region.
fn program(region: &str) -> String {
    format!(
        "#include <stdio.h>\n\
         static double A[40][40], B[40][40], C[40][40], x[40], y[40];\n\
         static void kernel(int n)\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n\
         int main(void)\n{{\n\
         for (int i = 0; i < 40; i++) {{\n  x[i] = 1 + i % 7; y[i] = 2 + i % 5;\n\
         for (int j = 0; j < 40; j++) {{\n\
         A[i][j] = 1 + (i * j) % 9; B[i][j] = 3 + (i + 2 * j) % 11; C[i][j] = (i - j) % 4;\n}}\n}}\n\
         kernel(13);\n\
         for (int i = 0; i < 40; i++) {{\n  printf(\"%.17g %.17g\\n\", x[i], y[i]);\n\
         for (int j = 0; j < 40; j++)\n\
         printf(\"%.17g %.17g %.17g\\n\", A[i][j], B[i][j], C[i][j]);\n}}\n\
         return 0;\n}}\n"
    )
}

fn strategies() -> [Strategy; 4] {
    let dead_loops = Separation { remove_dead_loops: true, ..Separation::STANDARD };
    [
        Strategy::Components,
        Strategy::Separation(Separation::STANDARD),
        Strategy::Separation(dead_loops),
        Strategy::KellyPugh(LevelRange::ALL),
    ]
}

#[test]
fn documented_examples() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/transform.md");
    let text = std::fs::read_to_string(path).expect("the document is there");
    let folder = scratch("transform");
    let examples = examples(&text);
    assert!(examples.len() > 10, "the document has examples");
    for (number, example) in examples.iter().enumerate() {
        let name = format!("example{number}.c");
        let file = folder.join(&name);
        let original = program(&example.region);
        std::fs::write(&file, &original).expect("the file can be written");
        let wanted = run_c(&original, &folder, "before").expect("the example is C");
        for strategy in strategies() {
            let scheduler = Scheduler::Transformed(example.script.clone());
            let options = CompileOptions { scheduler, strategy, ..CompileOptions::new() };
            if let Some(message) = &example.error {
                let failure = compile_file(&file, &options).expect_err("the script is refused");
                assert_eq!(without_lines(&failure.to_string()), *message, "{}", example.script);
                continue;
            }
            let (code, _) = compile(&file, &options)
                .unwrap_or_else(|fault| panic!("{}\n{}: {fault}", example.region, example.script));
            let found = run_c(&code, &folder, "after").expect("the result is C");
            let difference = first_difference(&wanted, &found);
            assert!(difference.is_none(), "{}: {difference:?}\n{code}", example.script);
        }
    }
}

/// Under the other strategies the compiler's own schedules print the same, too.
#[test]
fn strategies_with_computed_schedules() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/transform.md");
    let text = std::fs::read_to_string(path).expect("the document is there");
    let folder = scratch("strategies");
    let mut regions: Vec<String> = examples(&text).into_iter().map(|e| e.region).collect();
    regions.dedup();
    for (number, region) in regions.iter().enumerate() {
        let file = folder.join(format!("region{number}.c"));
        let original = program(region);
        std::fs::write(&file, &original).expect("the file can be written");
        let wanted = run_c(&original, &folder, "before").expect("the example is C");
        for strategy in strategies() {
            let options = CompileOptions { strategy, ..CompileOptions::new() };
            let (code, _) =
                compile(&file, &options).unwrap_or_else(|fault| panic!("{region}: {fault}"));
            let found = run_c(&code, &folder, "after").expect("the result is C");
            assert!(first_difference(&wanted, &found).is_none(), "{strategy:?}\n{code}");
        }
    }
}

#[test]
fn mappings_can_be_printed() {
    let folder = scratch("mapping");
    let file = folder.join("mapping.c");
    let region = "for (int i = 0; i < n; i++) {\n  x[i] = 0;\n  for (int j = 0; j < i; j++)\n    \
                  x[i] += A[i][j];\n}";
    std::fs::write(&file, program(region)).expect("the file can be written");
    let options = CompileOptions { scheduler: Scheduler::None, ..CompileOptions::new() };
    let compiled = compile_file(&file, &options).expect("the program is accepted");
    let expected = "S0: [n] -> { S0[i] -> [(i), (0), (0)] }\n\
                    S1: [n] -> { S1[i, j] -> [(i), (1), (j)] }\n";
    assert_eq!(compiled.emit(Emit::Mapping).expect("a mapping"), expected);
}
