//! `cargo xtask paper stencils`: Table III of Grosser, Verdoolaege, Cohen, "Polyhedral AST generation
//! is more than scanning polyhedra" (TOPLAS 37(4), 2015), remade on a processor: what isolation of full
//! tiles, unrolling and the detection of remainders are worth for time-tiled heat equations.
use crate::counted::Workplace;
use crate::deliver::deliver;
use loopwright::CodegenInput;
use loopwright_astgen::Options;
use std::fmt::Write;
use std::path::PathBuf;

const USAGE: &str = "usage: cargo xtask paper stencils [--runs 5] [--out docs/paper-stencils.md]";

const HEADER: &str = "\
# Table III of the paper on AST generation, remade on a processor

Written by `cargo xtask paper stencils`; do not edit.

Table III of Grosser, Verdoolaege, Cohen, \"Polyhedral AST generation is more than scanning
polyhedra\" (TOPLAS 37(4), 2015) measures on a GPU what options of the generator are worth for tiled
heat equations. Here the same equations are tiled for one core, four time steps deep and skewed (no
hexagons, and no copying between memories: the paper's row c2 has nothing to stand for), in two
buffers that take turns: the statement gets `t mod 2` as an argument. *Isolation* prints full tiles
apart from partial ones, *unrolling* the four steps of a tile, *remainders* are printed as C's `%`
(else with floors). GFLOPS: medians of runs taken in turn, double precision, `-O3 -march=native
-ffp-contract=off`; instructions: executed per point and step, on a small problem with `-march=x86-64-v3`
(callgrind), bytes: the size of the function there. All versions of an equation print the same bits.
";

/// An equation.
struct Equation {
    name: &'static str,
    /// The number of dimensions of space.
    dimensions: usize,
    /// Tile sizes: time, then space.
    tiles: &'static [i64],
    /// What one point computes, from `A[p]` to `A[1 - p]`.
    statement: &'static str,
    operations: f64,
    /// Steps and points along one dimension, to time and to count.
    sizes: [(i64, i64); 2],
    /// GFLOPS of the paper's rows a, b, c1, c3, c4.
    published: [f64; 5],
}

const EQUATIONS: [Equation; 2] = [
    Equation {
        name: "heat-2d",
        dimensions: 2,
        tiles: &[4, 32, 256],
        statement: "#define S(t, p, i, j) A[1 - (p)][i][j] = 0.125 * (A[p][(i) + 1][j] - 2.0 * A[p][i][j] \
            + A[p][(i) - 1][j]) + 0.125 * (A[p][i][(j) + 1] - 2.0 * A[p][i][j] + A[p][i][(j) - 1]) \
            + A[p][i][j];\n",
        operations: 10.0,
        sizes: [(20, 3000), (4, 600)],
        published: [2.1, 28.4, 21.5, 15.9, 29.1],
    },
    Equation {
        name: "heat-3d",
        dimensions: 3,
        tiles: &[4, 16, 16, 128],
        statement: "#define S(t, p, i, j, k) A[1 - (p)][i][j][k] = 0.125 * (A[p][(i) + 1][j][k] \
            - 2.0 * A[p][i][j][k] + A[p][(i) - 1][j][k]) + 0.125 * (A[p][i][(j) + 1][k] \
            - 2.0 * A[p][i][j][k] + A[p][i][(j) - 1][k]) + 0.125 * (A[p][i][j][(k) + 1] \
            - 2.0 * A[p][i][j][k] + A[p][i][j][(k) - 1]) + A[p][i][j][k];\n",
        operations: 15.0,
        sizes: [(12, 300), (4, 140)],
        published: [5.5, 21.0, 19.7, 11.3, 18.3],
    },
];

/// Which options are on; none for the loops as they are written.
struct Variant {
    name: &'static str,
    options: Option<Choice>,
    /// The row of the paper, as a position in [`Equation::published`].
    published: Option<usize>,
}

#[derive(Clone, Copy)]
struct Choice {
    isolation: bool,
    unrolling: bool,
    remainders: bool,
}

const ALL: Choice = Choice { isolation: true, unrolling: true, remainders: true };

const VARIANTS: [Variant; 6] = [
    Variant { name: "source, not tiled", options: None, published: None },
    Variant {
        name: "a: none",
        options: Some(Choice { isolation: false, unrolling: false, remainders: false }),
        published: Some(0),
    },
    Variant { name: "b: all", options: Some(ALL), published: Some(1) },
    Variant {
        name: "c1: all but isolation",
        options: Some(Choice { isolation: false, ..ALL }),
        published: Some(2),
    },
    Variant {
        name: "c3: all but unrolling",
        options: Some(Choice { unrolling: false, ..ALL }),
        published: Some(3),
    },
    Variant {
        name: "c4: all but remainders",
        options: Some(Choice { remainders: false, ..ALL }),
        published: Some(4),
    },
];

const COMPILERS: [&str; 2] = ["gcc", "clang"];

/// Measures and prints, or writes, the table.
pub(super) fn run(mut parser: lexopt::Parser) -> Result<(), String> {
    let wrong = |e: lexopt::Error| format!("{e}\n\n{USAGE}");
    let (mut out, mut runs) = (None, 5);
    while let Some(argument) = parser.next().map_err(wrong)? {
        match argument {
            lexopt::Arg::Long("out") => out = Some(PathBuf::from(parser.value().map_err(wrong)?)),
            lexopt::Arg::Long("runs") => {
                let value = parser.value().map_err(wrong)?;
                let number = value.to_str().and_then(|text| text.parse().ok());
                runs = number.filter(|runs| *runs > 0).ok_or("--runs wants a number")?;
            }
            other => return Err(wrong(other.unexpected())),
        }
    }
    let mut text = format!("{HEADER}\nThis machine: {}.\n", crate::kernels::machine());
    for equation in &EQUATIONS {
        text += &table(equation, runs)?;
    }
    deliver(&text, out.as_deref())
}

fn table(equation: &Equation, runs: usize) -> Result<String, String> {
    let mut text = format!("\n## {}\n\n| options |", equation.name);
    for compiler in COMPILERS {
        let _ = write!(text, " {compiler}: GFLOPS | instructions | bytes |");
    }
    let _ = writeln!(text, " published: GFLOPS |\n|---|{}", "---:|".repeat(7));
    let codes: Vec<String> =
        VARIANTS.iter().map(|variant| equation.code(variant)).collect::<Result<_, _>>()?;
    let columns: Vec<Vec<String>> = COMPILERS
        .iter()
        .map(|compiler| column(equation, &codes, compiler, runs))
        .collect::<Result<_, _>>()?;
    for (position, variant) in VARIANTS.iter().enumerate() {
        let cells: Vec<&str> = columns.iter().map(|column| &*column[position]).collect();
        let published = variant.published.map(|row| equation.published[row].to_string());
        let published = published.unwrap_or("–".to_string());
        let _ = writeln!(text, "| {} | {} | {published} |", variant.name, cells.join(" | "));
    }
    Ok(text)
}

/// The cells of all versions with one compiler.
fn column(
    equation: &Equation,
    codes: &[String],
    compiler: &str,
    runs: usize,
) -> Result<Vec<String>, String> {
    let [timed, counted] = equation.sizes;
    let mut programs = Vec::new();
    for (code, variant) in codes.iter().zip(&VARIANTS) {
        let place = Workplace::new(&format!("stencils-{}-{}", equation.name, programs.len()))?;
        equation.build(&place, code, compiler, "native", timed)?;
        programs.push((place, variant.name));
    }
    let mut seconds = vec![Vec::new(); programs.len()];
    let mut sums: Vec<String> = Vec::new();
    for _ in 0..runs {
        for ((place, name), seconds) in programs.iter().zip(&mut seconds) {
            let printed = place.output("./program", &[])?;
            let (time, sum) = printed.trim().split_once(' ').ok_or("no seconds printed")?;
            seconds.push(time.parse::<f64>().map_err(|e| e.to_string())?);
            if sums.first().is_some_and(|first| *first != sum) {
                return Err(format!("{}: {name} computes something else", equation.name));
            }
            sums.push(sum.to_string());
        }
    }
    let mut cells = Vec::new();
    for ((place, _), seconds) in programs.iter().zip(&mut seconds) {
        seconds.sort_by(f64::total_cmp);
        let rate = equation.operations * equation.points(timed) / seconds[seconds.len() / 2] / 1e9;
        let code = &codes[cells.len()];
        equation.build(place, code, compiler, "x86-64-v3", counted)?;
        let instructions = place.executed_instructions("loops")? / equation.points(counted);
        cells.push(format!("{rate:.2} | {instructions:.2} | {}", place.function_bytes("loops")?));
    }
    Ok(cells)
}

impl Equation {
    /// The number of points that are computed.
    fn points(&self, (steps, size): (i64, i64)) -> f64 {
        steps as f64 * ((size - 2) as f64).powi(self.dimensions as i32)
    }

    /// The loops of a version.
    fn code(&self, variant: &Variant) -> Result<String, String> {
        let Some(choice) = variant.options else { return Ok(self.source()) };
        let options = Options { prefer_pdiv: choice.remainders, ..Options::STANDARD };
        let input = CodegenInput::read(&self.tree(choice)).and_then(|input| input.code(&options));
        input.map(|code| code.to_string()).map_err(|e| format!("{}: {e}", self.name))
    }

    fn space(&self) -> &'static [&'static str] {
        &["i", "j", "k"][..self.dimensions]
    }

    fn source(&self) -> String {
        let mut text = "for (long t = 0; t < T; t++)\n".to_string();
        for x in self.space() {
            let _ = writeln!(text, "for (long {x} = 1; {x} < N - 1; {x}++)");
        }
        text + &format!("S(t, t % 2, {});\n", self.space().join(", "))
    }

    /// The schedule tree: a band of tiles around a band of points.
    fn tree(&self, choice: Choice) -> String {
        let space = self.space();
        let instance = format!("S[t, p, {}]", space.join(", "));
        let inside: Vec<String> = space.iter().map(|x| format!("1 <= {x} <= N - 2")).collect();
        let times: Vec<String> = std::iter::once("t".to_string())
            .chain(space.iter().map(|x| format!("t + {x}")))
            .collect();
        let band = |forms: &mut dyn Iterator<Item = String>| {
            let members: Vec<String> =
                forms.map(|form| format!("{{ {instance} -> [({form})] }}")).collect();
            format!("[{}]", members.join(", "))
        };
        let mut tiles =
            times.iter().zip(self.tiles).map(|(time, size)| format!("floor(({time})/{size})"));
        let (tiles, points) = (band(&mut tiles), band(&mut times.iter().cloned()));
        let [tile_options, point_options] = self.options(choice);
        format!(
            "domain: \"[T, N] -> {{ {instance} : 0 <= t < T and p = t mod 2 and {} and N >= 3 }}\"\n\
             child:\n  context: \"[T, N] -> {{ [] : T >= 1 and N >= 3 }}\"\n  child:\n    \
             schedule: \"[T, N] -> {tiles}\"\n    options: \"[T, N] -> {{ {tile_options} }}\"\n    \
             child:\n      schedule: \"[T, N] -> {points}\"\n      options: \"[T, N] -> {{ \
             {point_options} }}\"\n",
            inside.join(" and "),
        )
    }

    /// The options of both bands.
    fn options(&self, choice: Choice) -> [String; 2] {
        let outer: Vec<String> = (0..=self.dimensions).map(|n| format!("a{n}")).collect();
        let inner: Vec<String> = (0..=self.dimensions).map(|n| format!("x{n}")).collect();
        let (outer, inner) = (outer.join(", "), inner.join(", "));
        let depth = self.tiles[0];
        let mut full = vec!["a0 >= 0".to_string(), format!("{depth}a0 + {} < T", depth - 1)];
        for (n, size) in self.tiles.iter().enumerate().skip(1) {
            full.push(format!("{size}a{n} - {depth}a0 - {} >= 1", depth - 1));
            full.push(format!("{size}a{n} + {} - {depth}a0 <= N - 2", size - 1));
        }
        let full = full.join(" and ");
        let (mut tiles, mut points) = (Vec::new(), Vec::new());
        if choice.isolation {
            tiles.push(format!("isolate[[] -> [{outer}]] : {full}"));
            points.push(format!("isolate[[{outer}] -> [{inner}]] : {full}"));
        }
        match (choice.unrolling, choice.isolation) {
            (true, true) => points.push("[isolate[] -> unroll[0]]".to_string()),
            (true, false) => points.push("unroll[0]".to_string()),
            (false, _) => {}
        }
        [tiles.join("; "), points.join("; ")]
    }

    /// Makes `./program`, which prints seconds and a checksum.
    fn build(
        &self,
        place: &Workplace,
        code: &str,
        compiler: &str,
        architecture: &str,
        (steps, size): (i64, i64),
    ) -> Result<(), String> {
        let array = format!("double A[2]{}", "[N]".repeat(self.dimensions));
        let statement = self.statement;
        place.write(
            "loops.c",
            &format!("{MACROS}{statement}void loops(long T, long N, {array})\n{{\n{code}}}\n"),
        )?;
        let total = format!("2{}", format!(" * {size}").repeat(self.dimensions));
        let main = MAIN.replace("STEPS", &steps.to_string()).replace("SIZE", &size.to_string());
        place.write("main.c", &main.replace("TOTAL", &total))?;
        let target = format!("-march={architecture}");
        let options = ["-O3", &target, "-ffp-contract=off", "-w", "-c", "loops.c"];
        place.output(compiler, &options)?;
        place.output(compiler, &["-O1", "-w", "loops.o", "main.c", "-o", "program"])?;
        Ok(())
    }
}

const MACROS: &str = "\
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
";

const MAIN: &str = "\
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void loops(long T, long N, void *A);
static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}
int main(void)
{
  long total = TOTAL;
  double *A = malloc(total * sizeof *A);
  if (!A) return 1;
  for (long i = 0; i < total; i++) A[i] = (i % (total / 2) * 7 % 101) / 8.0;
  double start = now();
  loops(STEPS, SIZE, A);
  printf(\"%.6f \", now() - start);
  unsigned long sum = 0;
  for (long i = 0; i < total; i++) {
    union { double number; unsigned long bits; } u = { A[i] };
    sum = sum * 31 + u.bits;
  }
  printf(\"%lx\\n\", sum);
  return 0;
}
";
