//! Random pairs of small programs: conditions, types, layouts, callees, clauses and values, with some of them
//! changed in the second program. What a pair does on numbers is found by running both, compiled by the C
//! compiler.
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// A sequence of numbers.
struct Draw(u64);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

const TYPES: [&str; 8] =
    ["int", "double", "unsigned", "float", "unsigned char", "short", "long", "double"];

const LITERALS: [&str; 9] = ["3", "-1", "-1u", "2u", "7", "-7u % 10", "0x10", "1.5", "-7 % 10"];

const DIRECTIVES: [&str; 15] = [
    "",
    "#pragma omp parallel for",
    "#pragma omp simd",
    "#pragma GCC ivdep",
    "#pragma omp parallel for private(t)",
    "#pragma omp parallel for firstprivate(t)",
    "#pragma omp parallel for lastprivate(t)",
    "#pragma omp parallel for reduction(+: s)",
    "#pragma omp parallel",
    "#pragma omp for",
    "_Pragma(\"omp parallel for\")",
    "#pragma omp parallel for schedule(dynamic)",
    "%:pragma omp parallel for",
    "#pragma omp parallel loop",
    "#pragma omp parallel for num_threads(2) private(j)",
];

/// A loop of a program, by numbers that choose among forms.
#[derive(Clone)]
struct Loop {
    kind: usize,
    form: usize,
    is_reversed: bool,
    directive: usize,
    literal: usize,
    offset: i64,
    cast: usize,
    limit: i64,
}

#[derive(Clone)]
struct Program {
    types: [usize; 3],
    size_type: usize,
    start: i64,
    callee: i64,
    inner_callee: i64,
    row: usize,
    is_swapped: bool,
    member: usize,
    return_is_double: bool,
    macro_value: i64,
    attribute: usize,
    loops: Vec<Loop>,
}

/// A pair of texts.
pub(crate) struct Pair {
    pub(crate) texts: [String; 2],
    /// The types of the arrays of the first program.
    types: [&'static str; 3],
}

impl Loop {
    fn random(draw: &mut Draw) -> Self {
        Loop {
            kind: draw.below(10),
            form: draw.below(2) * draw.below(5),
            is_reversed: draw.below(3) == 0,
            directive: 0,
            literal: draw.below(LITERALS.len()),
            offset: draw.below(3) as i64 - 1,
            cast: draw.below(TYPES.len()),
            limit: draw.below(4) as i64 - 1,
        }
    }

    fn head(&self) -> String {
        let iterator = "i";
        match self.is_reversed {
            true => format!("for (int {iterator} = n - 1; {iterator} >= 0; {iterator}--)"),
            false => format!("for (int {iterator} = 0; {iterator} < n; {iterator}++)"),
        }
    }

    fn text(&self) -> String {
        let Loop { form, offset, limit, .. } = self;
        let (head, literal, cast) = (self.head(), LITERALS[self.literal], TYPES[self.cast]);
        let loop_of = |body: &str| format!("  {head} {{\n    {body}\n  }}\n");
        let condition = match self.kind {
            2 => format!("C[0] > {limit}"),
            _ => format!("B[i] > {limit}"),
        };
        let (then, otherwise) = ("A[i] = B[i] * 2;", "A[i] = B[i] + 1;");
        let text = match self.kind {
            0 => loop_of(&match form % 2 {
                0 => format!("A[i] = B[i + {offset}] + ({literal});"),
                _ => format!("A[i] = ({literal}) + B[i + {offset}];"),
            }),
            1 | 2 => match form % 5 {
                0 => loop_of(&format!("if ({condition}) {then} else {otherwise}")),
                1 => {
                    loop_of(&format!("if ({condition}) {then}"))
                        + &loop_of(&format!("if (!({condition})) {otherwise}"))
                }
                2 => loop_of(&format!("A[i] = ({condition}) ? B[i] * 2 : B[i] + 1;")),
                3 if self.kind == 2 => {
                    let (first, second) = (loop_of(then), loop_of(otherwise));
                    format!("  if ({condition}) {{\n{first}  }} else {{\n{second}  }}\n")
                }
                3 => loop_of(&format!("if (!({condition})) {otherwise} else {then}")),
                _ => loop_of(&format!("{otherwise} if ({condition}) {then}")),
            },
            3 => loop_of("t = B[i] + k; A[i] = t;"),
            4 => loop_of("A[i] = g(B[i]) + WIDE;"),
            5 if form % 2 == 1 => {
                format!(
                    "  for (int j = 0; j < m; j++)\n    {head}\n      D[i][j] = D[i][j] + B[j];\n"
                )
            }
            5 => {
                format!("  {head}\n    for (j = 0; j < m; j++)\n      D[i][j] = D[i][j] + B[j];\n")
            }
            6 => loop_of(&format!("A[i + {offset}] = A[i] + B[i];")),
            7 => loop_of("S[i].x = B[i]; C[i] = S[i].y;"),
            8 => format!("  s = 0;\n{}  A[0] = s;\n", loop_of("s = s + B[i];")),
            _ => loop_of(&format!("C[i] = ({cast}) B[i];")),
        };
        match (DIRECTIVES[self.directive], text.find("for (")) {
            ("", _) | (_, None) => text,
            (directive, Some(at)) => {
                let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
                format!("{}{directive}\n{}", &text[..line], &text[line..])
            }
        }
    }
}

impl Program {
    fn random(draw: &mut Draw) -> Self {
        let types = [0; 3].map(|_| draw.below(TYPES.len()));
        let n = 1 + draw.below(2);
        Program {
            types,
            size_type: 0,
            start: draw.below(5) as i64,
            callee: draw.below(4) as i64,
            inner_callee: draw.below(4) as i64,
            row: 8,
            is_swapped: false,
            member: draw.below(4),
            return_is_double: draw.below(2) == 0,
            macro_value: draw.below(5) as i64,
            attribute: 0,
            loops: (0..n).map(|_| Loop::random(draw)).collect(),
        }
    }

    /// Changes something that may matter or not.
    fn change(&mut self, draw: &mut Draw) {
        let at = draw.below(self.loops.len());
        let own = &mut self.loops[at];
        match draw.below(24) {
            0..=3 => own.form = draw.below(5),
            4..=6 => own.is_reversed = !own.is_reversed,
            7..=11 => own.directive = draw.below(DIRECTIVES.len()),
            12 => own.literal = draw.below(LITERALS.len()),
            13 => own.cast = draw.below(TYPES.len()),
            14 => own.limit += 1,
            15 => self.types[draw.below(3)] = draw.below(TYPES.len()),
            16 => self.size_type = draw.below(3),
            17 => self.start = draw.below(5) as i64,
            18 => self.callee = draw.below(4) as i64,
            19 => self.inner_callee = draw.below(4) as i64,
            20 => self.row = 8 + draw.below(2),
            21 => self.is_swapped = !self.is_swapped,
            22 => self.member = draw.below(4),
            _ if self.loops.len() == 2 => self.loops.swap(0, 1),
            _ => self.return_is_double = !self.return_is_double,
        }
    }

    fn text(&self) -> String {
        let [a, b, c] = self.types.map(|at| TYPES[at]);
        let size = ["int", "long", "unsigned char"][self.size_type];
        let member = ["int y", "unsigned y : 3", "short y", "int y : 5"][self.member];
        let members = match self.is_swapped {
            true => format!("{member}; int x;"),
            false => format!("int x; {member};"),
        };
        let result = if self.return_is_double { "double" } else { "int" };
        let (callee, inner, wide) = (self.callee, self.inner_callee, self.macro_value);
        let mut text = format!(
            "#define WIDE {wide}\nstruct S {{ {members} }};\nstatic int h(int x) {{ return x + {inner}; }}\nstatic {result} g({a} x) {{ return h(x) * 2 + {callee}; }}\n"
        );
        let _ = write!(
            text,
            "void f({size} n, int m, {a} A[restrict 64], {b} B[restrict 64], {c} C[restrict 64], int D[restrict 8][{}], struct S S[restrict 16]) {{\n  int k = {}, j = 0;\n  {b} t = 0;\n  {b} s = 0;\n#pragma scop\n",
            self.row, self.start
        );
        self.loops.iter().for_each(|own| text.push_str(&own.text()));
        text.push_str("#pragma endscop\n  C[40] = t;\n}\n");
        text
    }
}

/// The pair of a seed.
pub(crate) fn pair(seed: u64) -> Pair {
    let mut draw = Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
    for _ in 0..4 {
        draw.below(9);
    }
    let before = Program::random(&mut draw);
    let mut after = before.clone();
    for _ in 0..=draw.below(2) {
        after.change(&mut draw);
    }
    let types = before.types.map(|at| TYPES[at]);
    Pair { texts: [before.text(), after.text()], types }
}

/// Those of some pairs, by their positions, whose programs leave other bytes for one of the inputs, compiled
/// by a C compiler.
pub(crate) fn different(pairs: &[Pair], folder: &Path, inputs: usize) -> Vec<bool> {
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\n#include <stdlib.h>\nstatic unsigned long state = 7;\nstatic int draw(void) { state = state * 6364136223846793005ul + 1442695040888963407ul; return (int)(state >> 40); }\n",
    );
    for (at, pair) in pairs.iter().enumerate() {
        for (side, own) in pair.texts.iter().enumerate() {
            for name in ["f", "g", "h", "S_t", "WIDE"] {
                let _ = writeln!(text, "#undef {name}");
            }
            let own = own.replace("struct S", &format!("struct S_{at}_{side}"));
            let _ = writeln!(
                text,
                "#define f f_{at}_{side}\n#define g g_{at}_{side}\n#define h h_{at}_{side}\n{own}"
            );
        }
    }
    text.push_str("#undef f\n#undef g\n#undef h\n");
    for (at, pair) in pairs.iter().enumerate() {
        text.push_str(&driver(at, pair.types, inputs));
    }
    text.push_str("int main(void) {\n");
    for at in 0..pairs.len() {
        let _ = writeln!(text, "  printf(\"%d\\n\", run_{at}());");
    }
    text.push_str("  return 0;\n}\n");
    let (source, program) = (folder.join("pairs.c"), folder.join("pairs"));
    std::fs::write(&source, text).unwrap();
    let compiled = Command::new("gcc")
        .args(["-O1", "-w", "-fopenmp", "-ffp-contract=off", "-fwrapv", "-o"])
        .arg(&program)
        .arg(&source)
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = Command::new(&program).env("OMP_NUM_THREADS", "3").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let found: Vec<bool> = text.lines().map(|line| line == "1").collect();
    assert_eq!(found.len(), pairs.len());
    found
}

/// A function that runs both programs of a pair on inputs.
fn driver(at: usize, [a, b, c]: [&str; 3], inputs: usize) -> String {
    format!(
        "static int run_{at}(void) {{
  static struct {{ {a} A[80]; {b} B[80]; {c} C[80]; int D[100]; int S[80]; }} first, second;
  for (int input = 0; input < {inputs}; input++) {{
    int most = input % 3 == 0 ? 3 : input % 3 == 1 ? 20 : 200;
    memset(&first, 0, sizeof first);
    for (int i = 0; i < 80; i++) {{ first.A[i] = draw() % most; first.B[i] = draw() % most - (input % 2 ? most / 2 : 0); first.C[i] = draw() % 6 - 1; first.S[i] = draw() % most; }}
    if (input % 4 == 3) for (int i = 0; i < 80; i++) first.B[i] = first.B[i] / ({b}) 4;
    for (int i = 0; i < 100; i++) first.D[i] = draw() % most;
    memcpy(&second, &first, sizeof first);
    int n = input < 3 ? input : draw() % 8, m = draw() % 8;
    f_{at}_0(n, m, first.A + 8, first.B + 8, first.C + 8, (void *) first.D, (void *) first.S);
    f_{at}_1(n, m, (void *) (second.A + 8), (void *) (second.B + 8), (void *) (second.C + 8), (void *) second.D, (void *) second.S);
    if (memcmp(&first, &second, sizeof first)) return 1;
  }}
  return 0;
}}
"
    )
}
