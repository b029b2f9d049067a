//! `cargo xtask paper dataflow`: Table 1 of Verdoolaege, Nikolov and Stefanov, "On demand parametric array
//! dataflow analysis" (IMPACT 2013).
use crate::deliver::{deliver, out_option};
use loopwright::dataflow::{FuzzySize, ParametricFlow};
use loopwright_cfront::SourceFile;
use loopwright_presburger::Budget;
use std::fmt::Write;
use std::time::Instant;

const USAGE: &str = "usage: cargo xtask paper dataflow [--out docs/paper-dataflow.md]";

const HEADER: &str = "\
# Dataflow through conditions on data

Written by `cargo xtask paper dataflow`; do not edit.

Table 1 of Verdoolaege, Nikolov and Stefanov, \"On demand parametric array dataflow analysis\" (IMPACT 2013), remade with `docs/dataflow.md`. Listings 1 to 3
are those of the paper. The other inputs were tests of another tool that are no longer to be had: programs of the same kind stand for them, so their published numbers are
for orientation only. *p*: parameters of all reads. *d*: basic relations of all disjuncts; how the paper counts these is not said (by hand Listing 1 has 7, not 5). Times are
those of the analysis without the front end, the best of five on one core; published ones those of 2013. *fadatool*: the published numbers of
the method that introduces a parameter for each maximum. *fuzzy*: that method here (`FuzzySize`), without any simplification: a leaf for each way in which the comparisons of all maxima come
out, 20,000 for a read at most. *for1* to *for6*: both branches of a condition in 1 to 6 loops write what is read behind it. The method of comparison then looks for a last write of
either branch at each level, which makes the published numbers of parameters, 2 k (k + 1). Its leaves are fewer here, since vectors are compared as a whole and orders that cannot be are left out.

| input | time | p | d | fuzzy p | leaves | published time | p | d | fadatool p | leaves |
|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|
";

/// The work for the method of comparison.
const FUZZY_STEPS: u64 = 100_000_000;

/// A program with its published row.
struct Input {
    name: &'static str,
    text: String,
    /// Time, parameters and disjuncts of the paper's method; parameters and leaves of fadatool.
    published: [&'static str; 5],
}

/// Makes the table and prints, or writes, it.
pub(super) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let out = out_option(parser, USAGE)?;
    let rows: Result<String, String> = inputs().iter().map(row).collect();
    deliver(&format!("{HEADER}{}", rows?), out.as_deref())
}

/// The row of a program.
fn row(input: &Input) -> Result<String, String> {
    let text = format!(
        "__attribute__((const)) int f(int);\n__attribute__((const)) int g(int);\n\
         void program(int n) {{\nint a[100][100], b[100], c[100], x, y, m, l, s, v, state, sample;\n\
         #pragma scop\n{}\n#pragma endscop\n}}\n",
        input.text
    );
    let file = SourceFile::from_text("input.c", &text).with_filters().without_followed_values();
    let refused = |found: Vec<loopwright_cfront::Diagnostic>| {
        found.first().map_or(String::new(), |why| format!("{}: {}", input.name, why.message))
    };
    let regions = file.extract().map_err(refused)?;
    let [region] = &regions[..] else { return Err(format!("{}: not one region", input.name)) };
    let filtered = region.filtered_scop();
    let mut least = f64::INFINITY;
    let mut found = ParametricFlow::default();
    for _ in 0..5 {
        let start = Instant::now();
        let budget = Budget::unlimited();
        found = ParametricFlow::of_filtered_scop(&filtered, &budget).map_err(|e| e.to_string())?;
        least = least.min(start.elapsed().as_secs_f64());
    }
    let fuzzy = match FuzzySize::of_filtered_scop(&filtered, &Budget::steps(FUZZY_STEPS)) {
        Ok(size) => format!("{} | {}", size.parameters, size.leaves),
        Err(_) => "— | limit".to_string(),
    };
    let mut line = format!(
        "| {} | {least:.3} s | {} | {} | {fuzzy} |",
        input.name,
        found.n_parameters(),
        found.n_disjuncts()
    );
    for cell in &input.published {
        let _ = write!(line, " {cell} |");
    }
    Ok(line + "\n")
}

fn inputs() -> Vec<Input> {
    let input = |name, text: &str, published| Input { name, text: text.to_string(), published };
    let mut inputs = vec![
        input("Listing 1", LISTING_1, ["0.01 s", "0", "5", "6", "6"]),
        input("Listing 2", LISTING_2, ["0.01 s", "4", "9", "6", "16"]),
        input("Listing 3", LISTING_3, ["—"; 5]),
    ];
    let fors: [[&str; 5]; 6] = [
        ["0.02 s", "2", "3", "4", "46"],
        ["0.03 s", "2", "3", "12", "5k"],
        ["0.04 s", "2", "3", "24", "1M"],
        ["0.06 s", "2", "3", "—", "—"],
        ["0.08 s", "2", "3", "—", "—"],
        ["0.14 s", "2", "3", "—", "—"],
    ];
    const NAMES: [&str; 6] = ["for1", "for2", "for3", "for4", "for5", "for6"];
    for (depth, (name, published)) in NAMES.into_iter().zip(fors).enumerate() {
        inputs.push(Input { name, text: nested(depth), published });
    }
    let ifs: [(&'static str, &str, [&'static str; 5]); 4] = [
        ("c_if1", IF_1, ["0.02 s", "2", "3", "2", "4"]),
        ("c_if2", IF_2, ["0.02 s", "2", "10", "4", "52"]),
        ("c_if3", IF_3, ["0.03 s", "2", "22", "6", "723"]),
        ("if2", IF_2_IN_LOOP, ["0.02 s", "2", "2", "12", "29k"]),
    ];
    inputs.extend(ifs.into_iter().map(|(name, text, published)| input(name, text, published)));
    inputs.push(input("if_var", IF_VAR, ["0.03 s", "4", "3", "2", "8"]));
    inputs.push(input("if_wh", IF_WHILE, ["0.04 s", "2", "14", "5", "58"]));
    inputs.push(input("whil1", WHILE_1, ["0.01 s", "0", "4", "1", "4"]));
    inputs.push(input("whil2", WHILE_2, ["0.03 s", "3", "4", "5", "6"]));
    inputs
}

/// A condition on data in some loops, both branches of which write what is read behind it.
fn nested(depth: usize) -> String {
    let mut text = "x = 0;\n".to_string();
    for level in 0..=depth {
        let _ = writeln!(text, "for (int i{level} = 0; i{level} < n; ++i{level})");
    }
    text + "{\nif (f(i0))\nx = f(1);\nelse\nx = f(2);\ng(x);\n}"
}

const LISTING_1: &str = "m = f(0);
for (int i = 0; i < 100; ++i) {
l = g(i);
for (int j = 0; j < l; ++j)
for (int k = 0; k <= m; ++k)
a[k][j] = g(j);
for (int j = 0; j < m; ++j)
for (int k = 0; k < l; ++k)
f(a[j + 1][k]);
m = f(i);
}";

const LISTING_2: &str = "state = 0;
while (1) {
sample = f(0);
if (g(state))
state = f(sample);
else {
state = g(sample);
x = f(sample);
y = g(x);
g(y);
}
}";

const LISTING_3: &str = "for (int i = 0; i < n; ++i) {
s = f(i);
for (int j = 0; g(i + j); ++j)
s = g(s);
f(s);
}";

const IF_1: &str = "x = 0;
for (int i = 0; i < n; ++i)
if (c[i])
x = f(i);
g(x);";

const IF_2: &str = "x = 0;
for (int i = 0; i < n; ++i)
if (c[i]) {
x = f(i);
if (b[i])
x = g(i);
}
g(x);";

const IF_3: &str = "x = 0;
for (int i = 0; i < n; ++i)
if (c[i]) {
x = f(i);
if (b[i]) {
x = g(i);
if (c[i] > 5)
x = g(x);
}
}
g(x);";

const IF_2_IN_LOOP: &str = "x = 0;
for (int i = 0; i < n; ++i) {
if (c[i])
x = f(i);
if (c[i])
g(x);
if (b[i])
x = g(i);
}
g(x);";

const IF_VAR: &str = "v = f(0);
x = 0;
if (v)
x = 1;
v = g(v);
if (v)
x = 2;
g(x);";

const IF_WHILE: &str = "x = 0;
while (f(x)) {
if (g(x))
x = f(x);
y = x;
}
g(y);";

const WHILE_1: &str = "x = 0;
while (f(x)) {
x = g(x);
}";

const WHILE_2: &str = "x = 0;
while (f(x)) {
while (g(x))
x = g(x);
x = f(x);
}
g(x);";
