//! `cargo xtask strategies`: code size, executed instructions and generation time of the strategies
//! of code generation.
use crate::counted::Workplace;
use crate::suite;
use loopwright::codegen_ast;
use loopwright_astgen::{AstNode, LevelRange, Options, Separation, Strategy};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: cargo xtask strategies [--runs 7] [--out docs/strategies.md]";

const HEADER: &str = "\
# The strategies of code generation

Written by `cargo xtask strategies`; do not edit.

Inputs: the schedules in `xtask/strategies`. Size: bytes of machine code of the loops, statements
being a store of a number made of their arguments (`gcc -O2`). Instructions: what callgrind counts
while the loops run with the values of the parameters that the files name. Time: to read the file
and generate the code, least of several runs in one process.

`components` is the default (Grosser, Verdoolaege, Cohen), `separation` that of Quilleré,
Rajopadhye, Wilde, `+ dead loops` the same with `--remove-dead-loops`, `from 1` with
`--separate-from 1`, `kelly-pugh` that of Kelly and Pugh.
";

/// What the generated code may use.
const HELPERS: &str = "\
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
static inline long floord(long n, long d) { return n / d - (n % d < 0); }
volatile long sink;
";

/// What was measured for one input under one strategy.
#[derive(Clone, Copy)]
struct Measured {
    bytes: f64,
    instructions: f64,
    milliseconds: f64,
}

/// Measures and prints, or writes, the table.
pub(crate) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let (mut runs, mut out) = (7, None);
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            lexopt::Arg::Long("runs") => {
                let text = parser.value().map_err(wrong)?;
                runs = text.to_str().and_then(|t| t.parse().ok()).ok_or(USAGE)?;
            }
            lexopt::Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            other => return Err(wrong(other.unexpected())),
        }
    }
    let text = table(runs)?;
    match out {
        Some(path) => std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display())),
        None => {
            println!("{text}");
            Ok(())
        }
    }
}

fn strategies() -> [(&'static str, Strategy); 5] {
    let separation = Separation::STANDARD;
    let dead_loops = Separation { remove_dead_loops: true, ..separation };
    let inner = Separation { levels: LevelRange { from: 1, ..LevelRange::ALL }, ..separation };
    [
        ("components", Strategy::Components),
        ("separation", Strategy::Separation(separation)),
        ("+ dead loops", Strategy::Separation(dead_loops)),
        ("from 1", Strategy::Separation(inner)),
        ("kelly-pugh", Strategy::KellyPugh(LevelRange::ALL)),
    ]
}

/// The document.
fn table(runs: usize) -> Result<String, String> {
    let folder = suite::root().join("xtask/strategies");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let mut rows: Vec<(String, Vec<Measured>)> = Vec::new();
    for file in &files {
        let name = file.file_stem().map_or(String::new(), |s| s.to_string_lossy().into_owned());
        let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let measured = strategies().into_iter().map(|(_, strategy)| {
            measure(&text, strategy, runs).map_err(|e| format!("{name}, {strategy:?}: {e}"))
        });
        let measured: Vec<Measured> = measured.collect::<Result<_, _>>()?;
        rows.push((name, measured));
    }
    let mut document = HEADER.to_string();
    document += &part("Size in bytes", &rows, |m| m.bytes, 0);
    document += &part("Executed instructions", &rows, |m| m.instructions, 0);
    document += &part("Generation time in milliseconds", &rows, |m| m.milliseconds, 2);
    Ok(document)
}

/// One quantity of all inputs, with the geometric means of the ratios to the first strategy.
fn part(
    title: &str,
    rows: &[(String, Vec<Measured>)],
    quantity: fn(&Measured) -> f64,
    digits: usize,
) -> String {
    let names = strategies().map(|(name, _)| name);
    let mut text = format!("\n## {title}\n\n| input | {} |\n", names.join(" | "));
    text += &format!("|---|{}\n", "---:|".repeat(names.len()));
    let mut logarithms = vec![0.0; names.len()];
    for (name, measured) in rows {
        let values: Vec<f64> = measured.iter().map(quantity).collect();
        for (sum, value) in logarithms.iter_mut().zip(&values) {
            *sum += (value / values[0]).ln();
        }
        let cells: Vec<String> = values.iter().map(|v| format!("{v:.digits$}")).collect();
        let _ = writeln!(text, "| {name} | {} |", cells.join(" | "));
    }
    let mean = |sum: &f64| format!("{:.2}", (sum / rows.len() as f64).exp());
    let means: Vec<String> = logarithms.iter().map(mean).collect();
    let _ = writeln!(text, "| geometric mean of ratios | {} |", means.join(" | "));
    text
}

fn measure(text: &str, strategy: Strategy, runs: usize) -> Result<Measured, String> {
    let options = Options { strategy, ..Options::STANDARD };
    let mut least = Duration::MAX;
    for _ in 1..runs {
        let start = Instant::now();
        codegen_ast(text, &options).map_err(|e| e.to_string())?;
        least = least.min(start.elapsed());
    }
    let ast = codegen_ast(text, &options).map_err(|e| e.to_string())?;
    let place = Workplace::new("strategies")?;
    let (bytes, instructions) = measure_program(&ast, &parameters(text)?, &place)?;
    Ok(Measured { bytes, instructions, milliseconds: least.as_secs_f64() * 1000.0 })
}

/// The values of the parameters from the line `# run: n=10 m=20`.
fn parameters(text: &str) -> Result<Vec<(String, i64)>, String> {
    let line = text.lines().find_map(|line| line.strip_prefix("# run:")).ok_or("no `# run:`")?;
    let pair = |word: &str| {
        let (name, value) = word.split_once('=')?;
        Some((name.to_string(), value.parse().ok()?))
    };
    line.split_whitespace().map(|word| pair(word).ok_or(format!("`{word}`"))).collect()
}

/// Bytes of machine code and executed instructions of the loops.
fn measure_program(
    ast: &AstNode,
    parameters: &[(String, i64)],
    place: &Workplace,
) -> Result<(f64, f64), String> {
    let mut statements = BTreeMap::new();
    collect_statements(ast, &mut statements);
    let mut loops = HELPERS.to_string();
    for (name, n_arguments) in &statements {
        let arguments: Vec<String> = (0..*n_arguments).map(|i| format!("a{i}")).collect();
        let terms: Vec<String> = arguments.iter().map(|a| format!(" + 3 * (long)({a})")).collect();
        let _ = writeln!(
            loops,
            "#define {name}({}) (sink = {}{})",
            arguments.join(", "),
            name.len(),
            terms.concat()
        );
    }
    let declared: Vec<String> = parameters.iter().map(|(name, _)| format!("long {name}")).collect();
    let declared = declared.join(", ");
    let _ = writeln!(loops, "void loops({declared})\n{{\n{ast}}}");
    let values: Vec<String> = parameters.iter().map(|(_, value)| value.to_string()).collect();
    let main = format!(
        "void loops({declared});\nint main(void) {{ loops({}); return 0; }}\n",
        values.join(", ")
    );
    place.write("loops.c", &loops)?;
    place.write("main.c", &main)?;
    place.output("gcc", &["-O2", "-w", "-c", "loops.c"])?;
    place.output("gcc", &["-O2", "loops.o", "main.c", "-o", "program"])?;
    let sizes = place.output("size", &["loops.o"])?;
    let bytes = sizes.lines().nth(1).and_then(|line| line.split_whitespace().next());
    let bytes = bytes.and_then(|word| word.parse().ok()).ok_or("no size")?;
    let instructions = place.executed_instructions("loops")?;
    Ok((bytes, instructions))
}

/// The names of all statements, and how many arguments they have.
fn collect_statements(node: &AstNode, found: &mut BTreeMap<String, usize>) {
    match node {
        AstNode::For(each) => collect_statements(&each.body, found),
        AstNode::If { then, otherwise, .. } => {
            collect_statements(then, found);
            otherwise.iter().for_each(|node| collect_statements(node, found));
        }
        AstNode::Block(children) => {
            children.iter().for_each(|child| collect_statements(child, found));
        }
        AstNode::Mark { child, .. } => collect_statements(child, found),
        AstNode::User { statement, arguments, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name());
            found.insert(name.map_or(String::new(), |name| name.to_string()), arguments.len());
        }
    }
}
