//! Printed programs, compiled by the C compiler and run: they print what the trees execute.
use loopwright_astgen::*;
use loopwright_presburger::{Budget, Error, Set, UnionMap};
use loopwright_schedule::ScheduleTree;
use loopwright_verify::{Values, execute};
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;

fn map(text: &str) -> UnionMap {
    UnionMap::parse(text).expect("a relation")
}

/// What the program of a tree prints for values of its parameters, one call a line.
fn run(name: &str, ast: &AstNode, print: &PrintOptions, parameters: &[(&str, i64)]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    let mut text = String::from("#include <stdio.h>\n");
    for statement in ["S", "T"] {
        text += &format!(
            "#define {statement}(...) do {{ long a[] = {{__VA_ARGS__}}; printf(\"{statement}\"); \
             for (unsigned long k_ = 0; k_ < sizeof a / sizeof *a; ++k_) printf(\" %ld\", a[k_]); \
             printf(\"\\n\"); }} while (0)\n"
        );
    }
    let program = c_program_with(ast, print);
    let (macros, code): (Vec<&str>, Vec<&str>) =
        program.lines().partition(|line| line.starts_with("#define"));
    text += &(macros.join("\n") + "\nint main(void) {\n");
    for (name, value) in parameters {
        text += &format!("const long {name} = {value};\n");
    }
    text += &(code.join("\n") + "\nreturn 0;\n}\n");
    std::fs::write(&source, &text).expect("a temporary file can be written");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let mut command = Command::new(compiler);
    command.args(["-O1", "-w", "-o"]).args([&binary, &source]);
    let compiled = command.output().expect("there is a C compiler");
    let errors = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{errors}\n{text}");
    let run = Command::new(&binary).output().expect("the program runs");
    String::from_utf8(run.stdout).expect("a text")
}

/// Compares the program with the tree.
#[track_caller]
fn check(name: &str, ast: &AstNode, print: &PrintOptions, parameters: &[(&str, i64)]) {
    let values: Values = parameters.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    let line = |(name, coordinates): &(String, Vec<i64>)| {
        let coordinates: String = coordinates.iter().map(|c| format!(" {c}")).collect();
        format!("{name}{coordinates}\n")
    };
    let trace = execute(ast, &values, 100_000).expect("the tree has an end");
    assert!(!trace.is_empty());
    let expected: String = trace.iter().map(line).collect();
    assert_eq!(run(name, ast, print, parameters), expected, "{ast}");
}

struct Threads<'a>(Generator<'a>, ScheduleTree);

impl Visitor for Threads<'_> {
    type Error = Error;

    fn user(&mut self, _: AstNode, place: &Arc<Place>) -> Result<AstNode, Error> {
        let instances = map("{ K[k] -> S[i] : 8k <= i < 8k + 8; K[k] -> T[i] : 8k <= i < 8k + 8 }");
        self.0.nested_tree(place, &instances, &self.1, &mut NoVisitor)
    }
}

#[test]
fn nested_code_with_blocks_and_threads() {
    let tree = ScheduleTree::parse(
        r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }", child: {
             context: "[t] -> { [] : 0 <= t < 4 }", child: {
               filter: "[t] -> { S[i] : i mod 4 = t; T[i] : (i + 1) mod 4 = t }", child: {
                 sequence: [
                   { filter: "{ S[i] }", child: { schedule: "[{ S[i] -> [i] }]" } },
                   { filter: "{ T[i] }", child: { schedule: "[{ T[i] -> [-i] }]" } } ] } } } }"#,
    )
    .expect("a tree");
    let (options, budget) = (Options::STANDARD, Budget::unlimited());
    let generator = Generator::new(&options, &budget).with_iterators(["block", "int", "n"]);
    let mut threads = Threads(generator.clone(), tree);
    let outer = map("[n] -> { K[k] -> [k] : 0 <= 8k < n }");
    let context = Set::parse("{ : }").expect("a context");
    let ast = generator.map(&outer, &context, &UnionMap::empty(), &mut threads).expect("code");
    for (position, thread) in [0, 3].into_iter().enumerate() {
        let name = format!("threads_{position}");
        check(&name, &ast, &PrintOptions::STANDARD, &[("n", 21), ("t", thread)]);
    }
}

#[test]
fn texts_of_all_print_options_compile() {
    let schedule = map("[n, m] -> { S[i, j] -> [i + j, j] : 0 <= i < n and 0 <= j < m; \
                        T[i] -> [2i, n] : 0 <= i < m and n >= 3 }");
    let context = Set::parse("{ : }").expect("a context");
    let (none, budget) = (UnionMap::empty(), Budget::unlimited());
    let standard = PrintOptions::STANDARD;
    let texts = [
        PrintOptions { iterator_type: "long".into(), ..standard.clone() },
        PrintOptions { always_print_block: true, ..standard.clone() },
        PrintOptions { print_outermost_block: false, ..standard },
    ];
    for (position, print) in texts.iter().enumerate() {
        let options = Options { single_bounds: position == 0, ..Options::STANDARD };
        let ast = generate_from_map(&schedule, &context, &none, &options, &budget).expect("code");
        check(&format!("printed_{position}"), &ast, print, &[("n", 5), ("m", 4)]);
    }
}
