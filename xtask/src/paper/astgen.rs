//! `cargo xtask paper astgen`: Tables I and II of Grosser, Verdoolaege, Cohen, "Polyhedral AST
//! generation is more than scanning polyhedra" (TOPLAS 37(4), 2015), remade.
use crate::counted::Workplace;
use crate::deliver::{deliver, out_option};
use loopwright::CodegenInput;
use loopwright_astgen::Options;
use std::fmt::Write;

const USAGE: &str = "usage: cargo xtask paper astgen [--out docs/paper-astgen.md]";

const HEADER: &str = "\
# Tables I and II of the paper on AST generation, remade

Written by `cargo xtask paper astgen`; do not edit.

The inputs of Tables I and II of Grosser, Verdoolaege, Cohen, \"Polyhedral AST generation is more
than scanning polyhedra\" (TOPLAS 37(4), 2015). A cell is bytes of the function / executed
instructions (callgrind). *Ours* is the code that this program prints; *isl's code* is what the paper
prints for isl, compiled by the same compiler with the same options (`-O3 -std=gnu99
-march=corei7-avx -mtune=corei7-avx -fno-inline`) and run with the same values; a dash stands where
the paper does not print it. *Published* is what the paper measured for isl with clang 3.6 and gcc
4.9.1. Statements are increments of an array element. The paper does not say how large the problems
are; here n = 100, m = 150, and in the middle of the range for the others.
";

const HELPERS: &str = "\
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define floord(n, d) (((n) < 0) ? -((-(n) + (d) - 1) / (d)) : (n) / (d))
int A[1024][256], B[1024][256], C[1024][256], a[4096], b[4096];
";

/// A row of a table.
struct Case {
    name: &'static str,
    /// The input of `loopwright codegen`.
    input: &'static str,
    /// Definitions of the statements.
    statements: &'static str,
    /// Parameters and their values.
    parameters: &'static [(&'static str, i64)],
    /// The code that the paper prints for isl.
    printed: Option<&'static str>,
    vectorized: bool,
    /// Bytes and instructions of the paper: clang, gcc.
    published: [(u32, u32); 2],
}

const COMPILERS: [(&str, &str); 2] = [("clang", "-fno-vectorize"), ("gcc", "-fno-tree-vectorize")];

const FIGURE_7: Case = Case {
    name: "Figure 7",
    input: "[n] -> { S0[i] -> [i] : exists a: 1 <= i <= n and i = 4a; \
            S1[i] -> [i] : exists a: 1 <= i <= n and i = 4a + 2 }\n{ : }\n[n] -> { [i] -> separate[0] }\n",
    statements: "#define S0(x) a[x]++\n#define S1(x) b[x]++\n",
    parameters: &[("n", 100)],
    printed: Some(
        "for (int c0 = 2; c0 < n - 1; c0 += 4) { S1(c0); S0(c0 + 2); }\n\
         if (n >= 2 && n % 4 >= 2) S1(-(n % 4) + n + 2);\n",
    ),
    vectorized: true,
    published: [(125, 193), (113, 188)],
};

const YOUCEFN: Case = Case {
    name: "youcefn",
    input: r#"domain: "[n, m] -> { S0[i, i] : 1 <= i <= n; S1[i, j] : 1 <= i <= n and i <= j <= n; S2[i, n] : 1 <= i <= m }"
child:
  context: "[n, m] -> { [] : n >= 2 and m >= n }"
  child:
    schedule: "[n, m] -> [{ S0[i, j] -> [(i)]; S1[i, j] -> [(i)]; S2[i, j] -> [(i)] }, { S0[i, j] -> [(j)]; S1[i, j] -> [(j)]; S2[i, j] -> [(j)] }]"
    options: "{ separate[x] }"
    child:
      sequence:
      - filter: "[n, m] -> { S0[i, j] }"
      - filter: "[n, m] -> { S1[i, j] }"
      - filter: "[n, m] -> { S2[i, j] }"
"#,
    statements: "#define S0(x, y) A[x][y]++\n#define S1(x, y) B[x][y]++\n#define S2(x, y) C[x][y]++\n",
    parameters: &[("n", 100), ("m", 150)],
    printed: Some(
        "for (int c0 = 1; c0 <= n; c0 += 1) {\n  S0(c0, c0);\n\
         for (int c1 = c0; c1 <= n; c1 += 1) S1(c0, c1);\n  S2(c0, n);\n}\n\
         for (int c0 = n + 1; c0 <= m; c0 += 1) S2(c0, n);\n",
    ),
    vectorized: true,
    published: [(625, 13845), (812, 13409)],
};

const ONE_STATEMENT: &str = "#define S(x) a[x]++\n";

const MODULO: [Case; 3] = [
    Case {
        name: "modulo, simple",
        input: "[n] -> { S[i] -> [i] : i = n mod 128 }\n[n] -> { : n >= 0 }\n{ }\n",
        statements: ONE_STATEMENT,
        parameters: &[("n", 1000)],
        printed: Some("S(n % 128);\n"),
        vectorized: true,
        published: [(38, 9), (28, 8)],
    },
    Case {
        name: "modulo, shifted",
        input: "[t1] -> { S[i] -> [i] : 7 <= i <= 134 and i mod 128 = t1 }\n\
                [t1] -> { : 0 <= t1 < 128 }\n{ }\n",
        statements: ONE_STATEMENT,
        parameters: &[("t1", 50)],
        printed: Some("S(((t1 + 121) % 128) + 7);\n"),
        vectorized: true,
        published: [(45, 10), (33, 9)],
    },
    Case {
        name: "modulo, conditional",
        input: "[t1] -> { S[i] -> [i] : 7 <= i <= 130 and i mod 128 = t1 }\n\
                [t1] -> { : 0 <= t1 < 128 }\n{ }\n",
        statements: ONE_STATEMENT,
        parameters: &[("t1", 50)],
        printed: Some("if ((t1 + 121) % 128 <= 123) S(((t1 + 125) % 128) + 3);\n"),
        vectorized: true,
        published: [(78, 19), (63, 18)],
    },
];

const TWO_VARIABLES: Case = Case {
    name: "two existential variables",
    input: "{ S[i] -> [i] : exists a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8 }\n\
            { : }\n{ }\n",
    statements: ONE_STATEMENT,
    parameters: &[],
    printed: Some("for (int c0 = 0; c0 <= 7; c0 += 1) if (2 * (2 * c0 / 3) >= c0) S(c0);\n"),
    vectorized: true,
    published: [(49, 8), (49, 8)],
};

const TWO_VARIABLES_UNROLLED: Case = Case {
    name: "two existential variables, unrolled",
    input: "{ S[i] -> [i] : exists a, b : i = 2a + 3b and 0 <= a < 3 and 0 <= b and 0 <= i < 8 }\n\
            { : }\n{ [i] -> unroll[0] }\n",
    printed: Some("S(0); S(2); S(3); S(4); S(5); S(6); S(7);\n"),
    ..TWO_VARIABLES
};

const BOUNDS: Case = Case {
    name: "multiple bounds",
    input: "[t1, t2] -> { S[i, j] -> [i, j] : exists a, b : 0 <= i <= 1 and t1 = j + 128a and \
            0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5 }\n\
            [t1, t2] -> { : 125 <= t1 <= 127 and 254 <= t2 < 257 }\n{ }\n",
    statements: "#define S(x, y) A[x][(y) + 512]++\n",
    parameters: &[("t1", 126), ("t2", 255)],
    printed: None,
    vectorized: true,
    published: [(260, 1966), (367, 2120)],
};

const BOUNDS_UNROLLED: Case = Case {
    name: "multiple bounds, unrolled",
    input: "[t1, t2] -> { S[i, j] -> [i, j] : exists a, b : 0 <= i <= 1 and t1 = j + 128a and \
            0 <= j + 2b < 128 and 510 <= t2 + 2b <= 514 and 0 <= 2b - t2 <= 5 }\n\
            [t1, t2] -> { : 125 <= t1 <= 127 and 254 <= t2 < 257 }\n{ [i, j] -> unroll[x] }\n",
    published: [(140, 20), (150, 21)],
    ..BOUNDS
};

/// Measures and prints, or writes, the tables.
pub(crate) fn run(parser: lexopt::Parser) -> Result<(), String> {
    let out = out_option(parser, USAGE)?;
    let text = document()?;
    deliver(&text, out.as_deref())
}

fn document() -> Result<String, String> {
    let scalar = Case { name: "youcefn, no vectors", vectorized: false, ..YOUCEFN };
    let scalar = Case { published: [(181, 26762), (218, 26570)], ..scalar };
    let [simple, shifted, conditional] = MODULO;
    let first = [FIGURE_7, YOUCEFN, scalar];
    let second = [
        simple,
        shifted,
        conditional,
        TWO_VARIABLES,
        TWO_VARIABLES_UNROLLED,
        BOUNDS,
        BOUNDS_UNROLLED,
    ];
    Ok(format!("{HEADER}{}{}", table("Table I", &first)?, table("Table II", &second)?))
}

fn table(title: &str, cases: &[Case]) -> Result<String, String> {
    let mut text = format!("\n## {title}\n\n| input |");
    for (compiler, _) in COMPILERS {
        let _ = write!(text, " {compiler}: ours | isl's code | published |");
    }
    let _ = writeln!(text, "\n|---|{}", "---:|".repeat(3 * COMPILERS.len()));
    for case in cases {
        let _ = write!(text, "| {} |", case.name);
        let failed = |e: String| format!("{}: {e}", case.name);
        let ours = CodegenInput::read(case.input).and_then(|input| input.code(&Options::STANDARD));
        let ours = ours.map_err(|e| failed(e.to_string()))?;
        for (compiler, (bytes, instructions)) in COMPILERS.into_iter().zip(case.published) {
            let own = measure(case, &ours.to_string(), compiler).map_err(failed)?;
            let printed = case.printed.map(|code| measure(case, code, compiler));
            let printed = printed.transpose().map_err(failed)?.unwrap_or("–".to_string());
            let _ = write!(text, " {own} | {printed} | {bytes} / {instructions} |");
        }
        text.push('\n');
    }
    Ok(text)
}

/// Bytes and executed instructions of a piece of code.
fn measure(
    case: &Case,
    code: &str,
    (compiler, no_vectors): (&str, &str),
) -> Result<String, String> {
    let place = Workplace::new("paper")?;
    let declared: Vec<String> =
        case.parameters.iter().map(|(name, _)| format!("int {name}")).collect();
    let declared = if declared.is_empty() { "void".to_string() } else { declared.join(", ") };
    let values: Vec<String> = case.parameters.iter().map(|(_, value)| value.to_string()).collect();
    place.write(
        "loops.c",
        &format!("{HELPERS}{}void loops({declared})\n{{\n{code}}}\n", case.statements),
    )?;
    place.write(
        "main.c",
        &format!(
            "void loops({declared});\nint main(void) {{ loops({}); return 0; }}\n",
            values.join(", ")
        ),
    )?;
    let mut options = vec!["-O3", "-std=gnu99", "-march=corei7-avx", "-mtune=corei7-avx"];
    options.extend(["-fno-inline", "-w", "-c", "loops.c"]);
    if !case.vectorized {
        options.push(no_vectors);
    }
    place.output(compiler, &options)?;
    place.output(compiler, &["loops.o", "main.c", "-o", "program"])?;
    let bytes = place.function_bytes("loops")?;
    Ok(format!("{bytes} / {}", place.executed_instructions("loops")?))
}
