//! Random programs whose control depends on data: with `--dataflow parametric` and as networks they do what
//! they did.
use crate::support::{run_c, scratch};
use loopwright::{
    CompileOptions, Compiled, DataflowBy, LEAST_CAPACITY, NetworkFormat, compile_file,
    network_of_text,
};
use loopwright_testkit::cases::seeds_by;
use std::path::Path;

/// Writes the statements of a region. Subscripts are iterators, or elements of `c`, which stays as it is.
struct Writer {
    state: u64,
    iterators: Vec<String>,
    n_left: i64,
    /// Whether there may be `switch`, and loops that start with data.
    is_for_networks: bool,
    text: String,
}

impl Writer {
    fn of(&mut self, most: usize) -> usize {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 33) as usize % most
    }

    fn one(&mut self, words: &[&str]) -> String {
        words[self.of(words.len())].to_string()
    }

    fn line(&mut self, text: &str) {
        self.text += &"  ".repeat(self.iterators.len() + 1);
        self.text += text;
        self.text += "\n";
    }

    fn subscript(&mut self) -> String {
        let n = self.iterators.len();
        if n == 0 {
            return self.one(&["0", "3"]);
        }
        let at = if self.of(3) == 0 { n - 1 } else { 0 };
        let iterator = self.iterators[at].clone();
        match self.of(6) {
            0 => format!("{iterator} + 1"),
            1 => format!("c[{iterator}]"),
            _ => iterator,
        }
    }

    fn place(&mut self) -> String {
        match self.of(6) {
            0 => "x".to_string(),
            1 => "y".to_string(),
            2 => "t".to_string(),
            3 => format!("b[{}]", self.subscript()),
            _ => format!("a[{}]", self.subscript()),
        }
    }

    fn assignment(&mut self) {
        let (place, value) = (self.place(), self.place());
        let text = match self.of(4) {
            0 => format!("{place} = {};", self.of(9)),
            1 => format!("{place} = ({value} * 3 + {}) % 10;", self.of(5)),
            2 => format!("{place} = ({value} + {}) % 10;", self.place()),
            _ => format!("{place} = {value};"),
        };
        self.line(&text);
    }

    fn condition(&mut self) -> String {
        let subscript = self.subscript();
        let value = match self.of(4) {
            0 => self.one(&["x", "y", "t"]),
            1 => format!("b[{subscript}]"),
            _ => format!("c[{subscript}]"),
        };
        let (more, least) = (self.of(6), self.of(3));
        match self.of(4) {
            0 => format!("{value} > {more}"),
            1 => format!("{value} <= {more}"),
            2 => format!("{value} == {least}"),
            _ => format!("c[{subscript}] > {more} && {value} != {least}"),
        }
    }

    fn statements(&mut self) {
        for _ in 0..1 + self.of(3) {
            self.statement();
        }
    }

    fn block(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.statements();
        self.line("}");
    }

    fn statement(&mut self) {
        self.n_left -= 1;
        if self.n_left < 0 {
            return self.assignment();
        }
        match self.of(10) {
            0..=2 if self.iterators.len() < 3 => self.for_loop(),
            3 | 4 => {
                let condition = self.condition();
                self.block(&format!("if ({condition})"));
                if self.of(3) == 0 {
                    self.block("else");
                }
            }
            5 if !self.iterators.is_empty() => {
                let condition = self.condition();
                let jump = self.one(&["break", "continue"]);
                self.line(&format!("if ({condition})"));
                self.line(&format!("  {jump};"));
            }
            6 if !self.is_for_networks => {
                let value = self.subscript();
                self.line(&format!("switch (c[{value}]) {{"));
                for label in ["case 1:", "case 3:", "default:"] {
                    self.line(label);
                    self.assignment();
                    if self.of(3) > 0 {
                        self.line("break;");
                    }
                }
                self.line("}");
            }
            7 | 8 if self.iterators.len() == 1 => self.under_the_same_condition(),
            _ => self.assignment(),
        }
    }

    /// A variable that has a value wherever it is used, which accesses do not say.
    fn under_the_same_condition(&mut self) {
        let (least, more) = (self.of(5), self.of(2));
        let place = self.place();
        self.line(&format!("if (c[i0] > {least})"));
        self.line(&format!("  u = {place};"));
        self.line(&format!("if (c[i0] > {})", least + more));
        self.line(&format!("  b[i0] = (u + {}) % 9;", self.state % 7));
    }

    fn for_loop(&mut self) {
        let name = format!("i{}", self.iterators.len());
        let start = match self.of(8) {
            0 if !self.is_for_networks => self.one(&["x % 3", "c[2]", "y"]),
            _ => "0".to_string(),
        };
        let outer = self.iterators.last().cloned();
        let end = match (self.of(5), outer) {
            (0, Some(outer)) => format!("c[{outer}]"),
            (_, Some(_)) => "m".to_string(),
            (_, None) => "n".to_string(),
        };
        self.line(&format!("for (int {name} = {start}; {name} < {end}; {name}++) {{"));
        self.iterators.push(name);
        self.statements();
        self.iterators.pop();
        self.line("}");
    }
}

/// A program that prints all that random regions leave, each of a seed, in functions in the order of these: a
/// line with the seed for each of them.
fn program(seeds: &[u64], is_for_networks: bool) -> String {
    let (mut functions, mut calls) = (String::new(), String::new());
    for &seed in seeds {
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5bd1_e995;
        let (iterators, text) = (Vec::new(), String::new());
        let mut writer = Writer { state, iterators, n_left: 11, is_for_networks, text };
        writer.for_loop();
        writer.statements();
        functions += &format!(
            "{FUNCTION}{seed}(int n, int m) {{\n  int x = 1, y = 2, t = 3, u = 4;\n#pragma scop\n{}#pragma endscop\n  \
             return x * 100 + y * 10 + t;\n}}\n",
            writer.text
        );
        calls += &format!("  set();\n  printf(\"{seed}: %d\", f{seed}(N, 5));\n  print();\n");
    }
    format!(
        "#include <stdio.h>\n#define N {}\nstatic int a[N + 9], b[N + 9], c[N + 9];\n\
         static void set(void) {{\n  \
         for (int i = 0; i < N + 9; i++) {{ a[i] = i * 7 % 10; b[i] = i * 5 % 8; c[i] = i * (i % 97) * 3 % 8; }}\n}}\n\
         static void print(void) {{\n  \
         for (int i = 0; i < N + 9; i++) printf(\" %d %d\", a[i], b[i]);\n  puts(\"\");\n}}\n\
         {functions}int main(void) {{\n{calls}  return 0;\n}}\n",
        // Handing on a value costs about as much as a call of the system.
        if is_for_networks { 300 } else { 4000 },
    )
}

/// How the functions of a program begin.
const FUNCTION: &str = "static int f";

fn compiled(path: &Path, dataflow: DataflowBy) -> Compiled {
    let options = CompileOptions { always_rewrite: true, dataflow, ..CompileOptions::new() };
    compile_file(path, &options).unwrap()
}

/// The environment variable with the number of programs.
const HOW_MANY: &str = "LOOPWRIGHT_RANDOM_CONTROLS";

/// Regions of one program, so that the C compiler is called three times.
#[test]
fn random_programs_print_the_same_with_conditions() {
    let folder = scratch("random-conditions");
    let seeds: Vec<u64> = seeds_by(HOW_MANY, 0, 40).collect();
    let text = program(&seeds, false);
    let path = folder.join("program.c");
    std::fs::write(&path, &text).unwrap();
    let plain = compiled(&path, DataflowBy::Accesses);
    let finer = compiled(&path, DataflowBy::Parametric);
    let expected = run_c(&text, &folder, "before").expect("the program runs");
    let functions = |result: &Compiled| -> Vec<String> {
        result.code.split(FUNCTION).skip(1).map(str::to_string).collect()
    };
    let (all_plain, all_finer) = (functions(&plain), functions(&finer));
    assert_eq!((all_plain.len(), all_finer.len()), (seeds.len(), seeds.len()), "{}", plain.code);
    for (name, result, functions) in
        [("accesses", &plain, &all_plain), ("conditions", &finer, &all_finer)]
    {
        let found = run_c(&result.code, &folder, name).expect("the result runs");
        for ((found, expected), function) in found.lines().zip(expected.lines()).zip(functions) {
            let (seed, _) = expected.split_once(':').expect("a line begins with its seed");
            assert!(found == expected, "{seed}, {name}:\n{FUNCTION}{function}");
        }
        assert_eq!(found.len(), expected.len(), "{name}");
    }
    let n_changed = all_plain.iter().zip(&all_finer).filter(|(a, b)| a != b).count();
    assert!(n_changed * 12 > seeds.len(), "{n_changed} results with conditions are others");
}

#[test]
fn random_networks_print_the_same() {
    let folder = scratch("random-networks");
    let mut n_networks = 0;
    let seeds = seeds_by(HOW_MANY, 0, 16);
    for seed in seeds.clone() {
        let text = program(&[seed], true);
        let options = CompileOptions::new();
        let made = network_of_text(Path::new("program.c"), &text, &options, NetworkFormat::C);
        // What is no network says why: `networks.rs` looks at the reasons.
        let Ok(made) = made else { continue };
        n_networks += 1;
        let capacity = if seed % 2 == 0 { "256".to_string() } else { LEAST_CAPACITY.to_string() };
        let sized = |line: &str| match line.contains("loopwright_capacities[] =") {
            true => line.replace("256", &capacity),
            false => line.to_string(),
        };
        let code = made.code.lines().map(sized).collect::<Vec<_>>().join("\n");
        let expected = run_c(&text, &folder, "before").expect("the program runs");
        let found = run_c(&code, &folder, "network").expect("the network runs");
        assert_eq!(found, expected, "{seed}:\n{text}\n{code}");
    }
    assert!(n_networks * 3 > seeds.count(), "{n_networks} networks");
}
