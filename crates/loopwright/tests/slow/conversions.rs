//! Conversions between all pairs of integer types, in all places where C has them, at the ends of the types:
//! the results print what the originals print.

use crate::support::scratch;
use loopwright::{CompileOptions, compile_file};
use loopwright_testkit::cases::seed;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const TYPES: [&str; 14] = [
    "signed char",
    "unsigned char",
    "char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum mixed",
    "enum plain",
];

/// A place where a value of one type becomes one of another type.
///
/// In the texts `@S` and `@T` are the types, `@N` is a suffix for names; `n` is of the first type.
struct Place {
    name: &'static str,
    /// A function that the region calls.
    function: &'static str,
    region: &'static str,
    /// Where the original is defined, ends soon and stays in its array.
    runs: &'static str,
    /// The regions that are left as they are, of those for each pair of types.
    n_refused: usize,
}

const fn place(name: &'static str, region: &'static str, runs: &'static str) -> Place {
    Place { name, function: "", region, runs, n_refused: 0 }
}

static PLACES: [Place; 16] = [
    place("bound", "for (int i = 0; i < 8 && i < (@T) n; i++) out[i + 64] += i + 1;", "1"),
    place(
        "only bound",
        "for (long i = 0; i < (@T) n; i++) out[i + 64] += i + 1;",
        "NUMBER((@T) n) <= 8",
    ),
    place(
        "subscript",
        "for (int i = 0; i < 4; i++) out[(@T) n + i] += i + 1;",
        "NUMBER((@T) n) >= 0 && NUMBER((@T) n) <= 100",
    ),
    place(
        "start",
        "for (long i = (@T) n; i < 8; i++) out[i + 64] += i + 65;",
        "NUMBER((long) (@T) n) >= -64",
    ),
    place("condition", "if ((@T) n > 3) for (int i = 0; i < 8; i++) out[i + 64] += i + 1;", "1"),
    place(
        "assignment",
        "@T m = n; for (int i = 0; i < 8 && i < m; i++) out[i + 64] += i + 1;",
        "1",
    ),
    Place {
        name: "argument",
        function: "static int less_@N(@T m, int i) { return i < m; }",
        region: "for (int i = 0; i < 8; i++) if (less_@N(n, i)) out[i + 64] += i + 1;",
        runs: "1",
        n_refused: 0,
    },
    Place {
        name: "returned value",
        function: "static @T same_@N(@S m) { return m; }",
        region: "for (int i = 0; i < 8 && i < same_@N(n); i++) out[i + 64] += i + 1;",
        runs: "1",
        n_refused: 0,
    },
    place(
        "compound assignment",
        "@T m = 3; m += n; for (int i = 0; i < 8 && i < m; i++) out[i + 64] += i + 1;",
        "DEFINED((@T) 3 + n, NUMBER(3) + NUMBER(n))",
    ),
    place(
        "comparison with iterators",
        "for (int i = 0; i < 8; i++) if (n < (@T) 5 - i) out[i + 64] += i + 1;",
        "AWAY(n)",
    ),
    place("comparison", "if (n < m) for (int i = 0; i < 8; i++) out[i + 64] += i + 1;", "1"),
    Place {
        name: "difference",
        function: "",
        region: "for (int i = 0; i < 8; i++) if ((@T) (n - 1) > i) out[i + 64] += i + 1;",
        runs: "DEFINED(n - 1, NUMBER(n) - 1) && AWAY(n)",
        // `unsigned` values that wrap around, in wider types.
        n_refused: 8,
    },
    place(
        "sum",
        "for (int i = 0; i < 8; i++) if ((@T) (n + i) > 5) out[i + 64] += i + 1;",
        "DEFINED(n + 7, NUMBER(n) + 7) && AWAY(n)",
    ),
    place(
        "negative",
        "for (int i = 0; i < 8 && i < -(@T) n; i++) out[i + 64] += i + 1;",
        "DEFINED(-(@T) n, -NUMBER((@T) n))",
    ),
    place(
        "quotient",
        "for (int i = 0; i < 8 && i < (@T) n / 3; i++) out[i + 64] += i + 1;",
        "AWAY(n)",
    ),
    place("remainder", "for (int i = 0; i < 8 && i < (@T) n % 5; i++) out[i + 64] += i + 1;", "1"),
];

/// `AWAY` leaves out what is within 2^20 of the ends of `int` and `long`: generated sums are computed in
/// these.
const HEAD: &str = r#"
#include <limits.h>
#include <stdio.h>
#include <string.h>
enum mixed { M_LESS = -2, M_MORE = 5 };
enum plain { P_ZERO, P_MORE = 9 };
typedef __int128 number;
#define NUMBER(x) ((number) (x))
#define IS_SIGNED(x) (((__typeof__(x)) -1) < (__typeof__(x)) 1)
#define LIMIT(x) ((number) 1 << (8 * (int) sizeof(x) - 1))
#define AWAY(x) (sizeof(x) < 4 || !IS_SIGNED(x) \
                 || (NUMBER(x) >= -LIMIT(x) + (1 << 20) && NUMBER(x) < LIMIT(x) - (1 << 20)))
#define DEFINED(x, value) (!IS_SIGNED(x) || ((value) >= -LIMIT(x) && (value) < LIMIT(x)))
static int result[200], n_runs, n_values;
static number values[200];
static void add(number value) {
  for (number v = value - 1; v <= value + 1; v++) {
    int is_known = 0;
    for (int i = 0; i < n_values; i++)
      is_known |= values[i] == v;
    if (!is_known)
      values[n_values++] = v;
  }
}
static unsigned long sum(void) {
  unsigned long s = 7;
  for (int i = 0; i < 200; i++)
    s = s * 31 + result[i];
  memset(result, 0, sizeof result);
  return s;
}
"#;

const VALUES: &str = r#"
int main(void) {
  add(0); add(3); add(6); add(8); add(60);
  add(SCHAR_MIN); add(SCHAR_MAX); add(UCHAR_MAX); add(SHRT_MIN); add(SHRT_MAX); add(USHRT_MAX);
  add(INT_MIN); add(INT_MAX); add(UINT_MAX); add(LONG_MIN); add(LONG_MAX); add(ULONG_MAX);
"#;

/// Whether all pairs of types are looked at in all places; otherwise a third of them, others in each place and
/// for each seed.
fn is_all() -> bool {
    std::env::var_os("LOOPWRIGHT_ALL").is_some()
}

/// A program with a region for each pair of types that is looked at; the place has a number.
fn program(index: usize, place: &Place) -> String {
    let has_two = place.name == "comparison";
    let (mut text, mut calls) = (HEAD.to_string(), String::new());
    for (row, from) in TYPES.into_iter().enumerate() {
        for (column, to) in TYPES.into_iter().enumerate() {
            let turn = (row * TYPES.len() + column + index) as u64 + seed(0) % 3;
            if !is_all() && !turn.is_multiple_of(3) {
                continue;
            }
            let name = format!("{from}__{to}").replace(' ', "_");
            let filled =
                |text: &str| text.replace("@S", from).replace("@T", to).replace("@N", &name);
            let parameters =
                if has_two { format!("{from} n, {to} m") } else { format!("{from} n") };
            let (function, region) = (filled(place.function), filled(place.region));
            let (second, arguments) = match has_two {
                true => (format!("{to} m = ({to}) values[l];"), "n, m"),
                false => ("number m = values[l];".to_string(), "n"),
            };
            let n_seconds = if has_two { "n_values" } else { "1" };
            let is_other = if has_two { "NUMBER(m) != values[l]" } else { "m != values[l]" };
            let runs = filled(place.runs);
            write!(
                text,
                "{function}\n__attribute__((noinline)) static void f_{name}({parameters}, int *restrict out) {{\n#pragma scop\n  {region}\n\
                 #pragma endscop\n}}\n\
                 static void all_{name}(void) {{\n  unsigned long all = 1;\n  for (int k = 0; k < n_values; k++)\n    \
                 for (int l = 0; l < {n_seconds}; l++) {{\n      {from} n = ({from}) values[k]; {second}\n      \
                 if (NUMBER(n) != values[k] || {is_other} || !({runs})) continue;\n      \
                 f_{name}({arguments}, result); all = all * 33 + sum(); n_runs++;\n    }}\n  \
                 printf(\"{name} %lu\\n\", all);\n}}\n"
            )
            .expect("text can be written");
            writeln!(calls, "  all_{name}();").expect("text can be written");
        }
    }
    text + VALUES + &calls + "  printf(\"%d\\n\", n_runs);\n  return 0;\n}\n"
}

/// What a program prints, with the optimizations that rely on what C leaves undefined.
fn run(text: &str, folder: &Path, name: &str) -> String {
    let (source, binary) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&source, text).expect("a temporary file can be written");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let compiled = Command::new(compiler)
        .args(["-O2", "-w", "-fopenmp", "-o"])
        .args([&binary, &source])
        .status()
        .expect("there is a C compiler");
    assert!(compiled.success(), "{}", source.display());
    let run = Command::new("sh")
        .args(["-c", "ulimit -t 60; exec \"$0\""])
        .arg(&binary)
        .env("OMP_NUM_THREADS", "2")
        .output()
        .expect("there is a shell");
    let printed = String::from_utf8_lossy(&run.stdout);
    format!("{printed}({})\n", run.status)
}

/// The number of runs, and what is wrong with a place.
fn faults(index: usize, place: &Place) -> (usize, Vec<String>) {
    let folder = scratch(&format!("conversions-{index}"));
    let path = folder.join("program.c");
    let text = program(index, place);
    std::fs::write(&path, &text).expect("a temporary file can be written");
    let name = place.name;
    let compiled = match compile_file(
        &path,
        &CompileOptions { always_rewrite: true, ..CompileOptions::new() },
    ) {
        Ok(compiled) => compiled,
        Err(error) => return (0, vec![format!("{name}: {error}")]),
    };
    let (before, after) = (run(&text, &folder, "before"), run(&compiled.code, &folder, "after"));
    let mut found: Vec<String> = before
        .lines()
        .zip(after.lines().chain(std::iter::repeat("")))
        .filter(|(before, after)| before != after)
        .map(|(before, after)| format!("{name}: {before} is {after}"))
        .collect();
    let n_refused = compiled.code.matches("#pragma scop").count();
    if n_refused > place.n_refused || is_all() && n_refused != place.n_refused {
        found.push(format!("{name}: {n_refused} regions are left as they were"));
    }
    let mut last = before.lines().rev().skip(1);
    let n_runs = last.next().and_then(|line| line.parse().ok()).unwrap_or(0);
    (n_runs, found)
}

#[test]
fn results_are_those_of_the_originals_at_the_ends_of_all_types() {
    let (mut n_runs, mut found) = (0, Vec::new());
    let places: Vec<(usize, &Place)> = PLACES.iter().enumerate().collect();
    std::thread::scope(|scope| {
        let all = |half: &[(usize, &'static Place)]| {
            half.iter().map(|(index, place)| faults(*index, place)).collect::<Vec<_>>()
        };
        let tasks: Vec<_> = places.chunks(8).map(|half| scope.spawn(move || all(half))).collect();
        for (n, faults) in tasks.into_iter().flat_map(|task| task.join().expect("it ends")) {
            n_runs += n;
            found.extend(faults);
        }
    });
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
    assert!(n_runs > if is_all() { 200_000 } else { 50_000 }, "{n_runs}");
}

/// Iterators that are read as data keep values that no `int` has, however their types are spelled.
#[test]
fn wide_iterators_keep_their_values() {
    let folder = scratch("wide-iterators");
    for (index, wide) in ["long long int", "unsigned long long", "long"].into_iter().enumerate() {
        let text = format!(
            "#include <stdio.h>\nstatic {wide} a[9];\nint main(void) {{\n#pragma scop\n\
             for ({wide} i = 3000000000; i < 3000000009; i++) a[i - 3000000000] = i;\n\
             #pragma endscop\nfor (int i = 0; i < 9; i++) printf(\"%llu\\n\", (unsigned long long) a[i]);\n\
             return 0;\n}}\n"
        );
        let path = folder.join(format!("wide{index}.c"));
        std::fs::write(&path, &text).expect("a temporary file can be written");
        let options = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
        let compiled = compile_file(&path, &options).expect("it compiles");
        assert!(!compiled.code.contains("#pragma scop"), "{}", compiled.code);
        let (before, after) =
            (run(&text, &folder, "wide_before"), run(&compiled.code, &folder, "wide_after"));
        assert_eq!(before, after, "{}", compiled.code);
    }
}
