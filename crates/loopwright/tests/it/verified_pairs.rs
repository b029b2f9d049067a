//! `loopwright verify` over what stands around regions: directives with clauses, types, layouts, callees,
//! values in front; and random pairs, of which none is called equal that leaves other bytes.
use crate::support::pairs_of_programs::{Pair, different, pair};
use crate::support::scratch;
use loopwright::{
    Adaptive, CompileOptions, EquivalenceOptions, FileEquivalence, Status, compare_files,
    compile_file,
};
use loopwright_testkit::cases::seeds_by;
use std::path::Path;

fn compared(folder: &Path, texts: [&str; 2]) -> FileEquivalence {
    let files = ["before.c", "after.c"].map(|name| folder.join(name));
    for (file, text) in files.iter().zip(texts) {
        std::fs::write(file, text).unwrap();
    }
    let [before, after] = &files;
    compare_files(before, after, &CompileOptions::new(), &EquivalenceOptions::default()).unwrap()
}

const PROGRAM: &str = "struct P { int u; short v; };
static int inner(int x) { return x + 4; }
static int outer(int x) { return inner(x) * 3; }
static int start = 6;
double f(int n, int m, double X[restrict n], int Y[restrict][8], struct P Q[restrict n], int *restrict Z) {
  int k = 5;
  double t = 0;
#pragma scop
  for (int i = 1; i < n; i++)
    X[i] = X[i] * 2 + k + start;
  for (int i = 1; i < n; i++) {
    t = X[i];
    X[i] = t + 3u;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      Y[i][j] = outer(j);
  for (int i = 1; i < n; i++)
    Q[i].u = Q[i].v;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      Z[i * m + j] = j;
#pragma endscop
  return t;
}
";

/// What is changed in the second file, the status, and what the answer says.
const CHANGES: &[(&str, &str, Status, &str)] = &[
    ("int k", "int  k", Status::Done, "equal"),
    (
        "int k = 5",
        "int k = 6",
        Status::Done,
        "hold the same in front of the regions, though other things are done",
    ),
    ("start = 6", "start = 7", Status::Done, "assumed: `start` holds the same"),
    ("x + 4", "x + 5", Status::Limit, "`inner` is not the same in both files"),
    ("* 3", "* 4", Status::Limit, "`outer` is not the same in both files"),
    ("int inner(int x)", "int inner(short x)", Status::Limit, "`inner` is not the same"),
    ("short v", "char v", Status::Limit, "first program and"),
    ("int u; short v", "short v; int u", Status::Limit, "`struct P` is not the same"),
    ("Y[restrict][8]", "Y[restrict][9]", Status::Limit, "has rows of `8` elements"),
    ("i * m + j", "i * n + j", Status::Limit, "has rows of `m` elements"),
    ("int n, int m", "int m, int n", Status::Limit, "has the parameters"),
    ("int n", "short n", Status::Limit, "`n` is of type `int`"),
    ("double X", "float X", Status::Limit, "`X` is of type `double`"),
    ("double f", "float f", Status::Limit, "has another type"),
    (
        "double f",
        "__attribute__((optimize(\"wrapv\"))) double f",
        Status::Limit,
        "f is compiled with an option of its own: optimize(\"wrapv\")",
    ),
    (
        "struct P {",
        "#pragma pack(1)\nstruct P {",
        Status::Limit,
        "`#pragma pack(1)` is not the same",
    ),
    ("3u", "-3u", Status::Refused, "with "),
    (
        "return t",
        "return t + 1",
        Status::Done,
        "assumed: what is done behind the regions is the same",
    ),
    ("  for (int i = 1", "#pragma omp parallel for\n  for (int i = 1", Status::Refused, "access t"),
    (
        "#pragma scop",
        "#pragma omp parallel\n#pragma scop",
        Status::Limit,
        "`#pragma omp parallel` has its block run by all threads",
    ),
    (
        "  for (int i = 1; i < n; i++)\n    X",
        "#pragma omp parallel\n  for (int i = 1; i < n; i++)\n    X",
        Status::Limit,
        "`#pragma omp parallel` has its block",
    ),
    (
        "  for (int i = 1; i < n; i++)\n    X",
        "#pragma acc parallel loop\n  for (int i = 1; i < n; i++)\n    X",
        Status::Limit,
        "acc parallel loop",
    ),
    (
        "  for (int i = 1; i < n; i++)\n    X",
        "#pragma omp parallel for\n  for (int i = 1; i < n; i++)\n    X",
        Status::Done,
        "no iteration of 1 parallel loop disturbs another",
    ),
    (
        "  for (int i = 1; i < n; i++)\n    X",
        "_Pragma(\"omp parallel for\")\n  for (int i = 1; i < n; i++)\n    X",
        Status::Done,
        "no iteration of 1 parallel loop",
    ),
    (
        "  for (int i = 1; i < n; i++)\n    X",
        "#pragma omp for\n  for (int i = 1; i < n; i++)\n    X",
        Status::Done,
        "assumed: one thread runs `f`",
    ),
    (
        "  for (int i = 1; i < n; i++) {",
        "#pragma omp parallel for private(t)\n  for (int i = 1; i < n; i++) {",
        Status::Limit,
        "`t` is private to the iterations",
    ),
    (
        "  for (int i = 1; i < n; i++) {",
        "#pragma omp simd\n  for (int i = 1; i < n; i++) {",
        Status::Limit,
        "so that the directive may change",
    ),
    (
        "  for (int i = 1; i < n; i++) {",
        "#pragma GCC ivdep\n  for (int i = 1; i < n; i++) {",
        Status::Done,
        "equal",
    ),
    (
        "  for (int i = 1; i < n; i++)\n    X",
        "#pragma omp parallel for copyin(start)\n  for (int i = 1; i < n; i++)\n    X",
        Status::Limit,
        "has the clause `copyin`",
    ),
    (
        "static int start = 6;",
        "static int start = 6;\n#pragma omp threadprivate(start)",
        Status::Limit,
        "threadprivate",
    ),
];

#[test]
fn what_stands_around_regions_is_compared_or_said() {
    let folder = scratch("verify-around");
    for &(from, to, status, said) in CHANGES {
        assert!(PROGRAM.contains(from), "{from}");
        let after = match from {
            "  for (int i = 1" => {
                PROGRAM.replace("  for (int i = 1; i < n; i++) {", &format!("{to}; i < n; i++) {{"))
            }
            _ => PROGRAM.replacen(from, to, 1),
        };
        let found = compared(&folder, [PROGRAM, &after]);
        let text = found.to_string();
        assert!(text.contains(said), "{from} -> {to}: {text}");
        assert_eq!(found.status(), status, "{from} -> {to}: {text}");
    }
}

/// Pairs with one function each, whose text in the second file is the other one.
#[test]
fn conditions_and_constants_are_those_of_c() {
    let folder = scratch("verify-conditions");
    let function = |body: &str| {
        format!(
            "void f(int n, double c[1], double A[restrict n + 1], double B[restrict n + 1], long L[restrict n], unsigned m) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        )
    };
    let of = |body: &str| format!("  for (int i = 0; i < n; i++) {{\n    {body}\n  }}");
    let either = "if (c[0] > 2) A[i] = B[i]; else A[i] = 1;";
    let (then, otherwise) = (of("A[i] = B[i];"), of("A[i] = 1;"));
    let cases = [
        (of(either), of("if (!(c[0] > 2)) A[i] = 1; else A[i] = B[i];"), Status::Done),
        (
            of(either),
            format!("  if (c[0] > 2) {{\n{then}\n  }} else {{\n{otherwise}\n  }}"),
            Status::Done,
        ),
        (
            of(either),
            of("if (c[0] > 2) A[i] = B[i];") + "\n" + &of("if (!(c[0] > 2)) A[i] = 1;"),
            Status::Done,
        ),
        (of(either), of("if (c[0] > 3) A[i] = B[i]; else A[i] = 1;"), Status::Refused),
        (of("L[i] = -5u % 7;"), of("L[i] = -5 % 7;"), Status::Refused),
        (of("L[i] = -1u;"), of("L[i] = 4294967295;"), Status::Done),
        (of("L[i] = 0x10;"), of("L[i] = 16ul;"), Status::Done),
        (of("if (i > -1u) L[i] = 1;"), of("if (i > -1) L[i] = 1;"), Status::Refused),
        (of("L[i] = m - 1;"), of("L[i] = (long) m - 1;"), Status::Refused),
        (of("L[i] = (_Bool) 256;"), of("L[i] = 1;"), Status::Done),
        (of("L[i] = (unsigned char) 257;"), of("L[i] = 1;"), Status::Done),
        // No numbers show that these are different, since they are not.
        (of("A[i] = B[i] - B[i];"), of("A[i] = B[i] - B[i] + 0.0;"), Status::Limit),
    ];
    for (before, after, status) in cases {
        let found = compared(&folder, [&function(&before), &function(&after)]);
        assert_eq!(found.status(), status, "{before}\n{after}\n{found}");
        let json = found.to_json();
        if status == Status::Refused {
            let results = &json["regions"][0]["witness"]["results"];
            assert_ne!(results[0], results[1], "{json}");
        }
    }
}

/// What is taken for granted is said of what it is about.
#[test]
fn assumptions_name_their_subjects() {
    let folder = scratch("verify-assumptions");
    let before = "void f(int n, double *a, double *b) {\n  for (int i = 0; i < n; i++)\n    a[i] = b[i + 1] + 1;\n}\n";
    let after = before.replace("int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--");
    let text = compared(&folder, [before, &after]).to_string();
    assert!(
        text.contains(
            "assumed: what is accessed of `a` and `b` does not overlap, so that in line 3"
        ),
        "{text}"
    );
    let before = "void f(int n, int m, double A[restrict n][m], double y[restrict n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    y[i] = 0;\n    for (int j = 0; j < m; j++)\n      y[i] += A[i][j];\n  }\n#pragma endscop\n}\n";
    let after = before.replace("y[i] = 0", "if (m > 0) y[i] = 0");
    let text = compared(&folder, [before, &after]).to_string();
    assert!(text.contains("m > 0, as the sizes and types of variables say"), "{text}");
}

/// A function with a region.
fn whole(head: &str, front: &str, region: &str, behind: &str) -> String {
    format!("{head} {{\n{front}\n#pragma scop\n{region}\n#pragma endscop\n{behind}\n}}\n")
}

/// What none of two functions names in its body has any type.
#[test]
fn parameters_that_nothing_uses_do_not_matter() {
    let folder = scratch("verify-unused-parameters");
    let head = "struct S { int x; short y; };\nvoid f(int n, double A[restrict n], int D[restrict 8][8], struct S S[restrict 9], float z)";
    let other = head
        .replace("int x; short y;", "short y; int x : 4;")
        .replace("D[restrict 8][8]", "D[restrict 8][9]")
        .replace("float z", "double z");
    let own = "  for (int i = 0; i < n; i++)\n    A[i] = i;";
    let uses = [
        ("", "", Status::Done, "equal"),
        ("", "  S[0].y = 1;", Status::Limit, "`struct S` is not the same"),
        ("  D[1][0] = 1;", "", Status::Limit, "the parameter `D` of `f`"),
        ("", "#pragma omp flush(z)", Status::Limit, "the parameter `z` of `f`"),
    ];
    for (front, behind, status, said) in uses {
        let texts = [head, &other].map(|head| whole(head, front, own, behind));
        let found = compared(&folder, [&texts[0], &texts[1]]);
        assert_eq!(found.status(), status, "{front} {behind} {found}");
        assert!(found.to_string().contains(said), "{front} {behind} {found}");
    }
    // A length is a use.
    let texts =
        ["int n", "long n"].map(|n| whole(&head.replace("int n", n), "", "  A[0] = 1;", ""));
    let found = compared(&folder, [&texts[0], &texts[1]]);
    assert_eq!(found.status(), Status::Limit, "{found}");
}

/// Of a bit-field that both only read it is known that it holds a value of its type.
#[test]
fn bit_fields_that_are_only_read_are_numbers() {
    let folder = scratch("verify-bit-fields");
    let own = |fields: &str, body: &str, is_back: bool| {
        let head = format!(
            "struct S {{ {fields} }};\nvoid f(int n, long C[restrict n], struct S S[restrict n])"
        );
        let order = if is_back { "int i = n - 1; i >= 0; i--" } else { "int i = 0; i < n; i++" };
        whole(&head, "", &format!("  for ({order}) {{\n    {body}\n  }}"), "")
    };
    let (read, plain) = ("S[i].x = i; C[i] = S[i].y - 9;", "int x; int y : 5;");
    for (fields, body, other, status) in [
        (plain, read, read, Status::Done),
        ("int x; short y : 5, z;", read, read, Status::Done),
        // Numbers for which they differ may be none that `y` can hold.
        (plain, "C[i] = S[i].y;", "C[i] = S[i].y * 2;", Status::Limit),
        ("int x; unsigned y : 5;", read, read, Status::Limit),
        ("int x; int w : 3, y : 5;", read, read, Status::Limit),
        (plain, "S[i].y = i; C[i] = S[i].y;", "S[i].y = i; C[i] = S[i].y;", Status::Limit),
        (plain, "C[i] = S[i].y; S[i].y++;", "C[i] = S[i].y; S[i].y++;", Status::Limit),
        (plain, "C[i] = S[i].y; --S[i].y;", "C[i] = S[i].y; --S[i].y;", Status::Limit),
        (plain, "C[i] = S[i].y; (S[i].y) = 1;", "C[i] = S[i].y; (S[i].y) = 1;", Status::Limit),
    ] {
        let found = compared(&folder, [&own(fields, body, false), &own(fields, other, true)]);
        assert_eq!(found.status(), status, "{fields} {body} {found}");
        let is_said = found.to_string().contains("what the bit-field `y` of `struct S` holds");
        let is_refused = status == Status::Limit && body == other;
        assert_eq!(is_said, is_refused, "{fields} {body} {found}");
    }
}

/// A variable that a loop makes private without naming it is what it was.
#[test]
fn private_variables_that_a_loop_does_not_name_do_not_matter() {
    let folder = scratch("verify-unnamed-private");
    let head = "#define LAST t\nvoid f(int n, double A[restrict n])";
    let text = |directive: &str, value: &str| {
        let own = format!("{directive}\n\n  for (int i = 0; i < n; i++)\n    A[i] = {value};");
        whole(head, "  int t = 5, j = 0;", &own, "  A[0] = t + j;")
    };
    for (clause, value, status) in [
        ("private(t)", "i", Status::Done),
        ("firstprivate(t) private(j)", "i", Status::Done),
        ("private(t)", "i + LAST", Status::Refused),
        ("lastprivate(t)", "i", Status::Limit),
    ] {
        let after = text(&format!("#pragma omp parallel for {clause}"), value);
        let found = compared(&folder, [&text("", value), &after]);
        assert_eq!(found.status(), status, "{clause} {value} {found}");
    }
}

/// 40 pairs, or as many as the environment variable `LOOPWRIGHT_RANDOM_PAIRS` says.
#[test]
fn random_pairs_are_never_called_equal_wrongly() {
    let all = seeds_by("LOOPWRIGHT_RANDOM_PAIRS", 0, 40);
    let wanted = all.clone().count() as u64;
    let folder = scratch("verify-random-pairs");
    let (mut n_equal, mut n_different) = (0, 0);
    for first in all.clone().step_by(100) {
        let seeds = first..all.end.min(first + 100);
        let pairs: Vec<Pair> = seeds.clone().map(pair).collect();
        let differ = different(&pairs, &folder, 20);
        for ((seed, own), differs) in seeds.zip(&pairs).zip(differ) {
            let found = compared(&folder, [&own.texts[0], &own.texts[1]]);
            let text = found.to_string();
            // What is done in front of the regions is not the same, which is said.
            let is_said = text.contains("hold the same in front of the regions");
            let has_numbers = text.contains(" they are ") || text.contains("iterations");
            match found.status() {
                Status::Done => {
                    assert!(
                        !differs || is_said,
                        "{seed}: {}\n{}\n{text}",
                        own.texts[0],
                        own.texts[1]
                    );
                    n_equal += 1;
                }
                Status::Refused => {
                    assert!(has_numbers, "{seed}: {text}");
                    n_different += 1;
                }
                _ => {}
            }
        }
    }
    println!(
        "{n_equal} equal, {n_different} different, {} not decided",
        wanted - n_equal - n_different
    );
    assert!(n_equal + n_different > wanted / 3, "{n_equal} {n_different}");
}

const SUM: &str = "double f(int n, double b[restrict n]) {\n  double s = 0;\n#pragma scop\n@  for (int i = 0; i < n; i++)\n    s += b[i];\n#pragma endscop\n  return s;\n}\n";

const CALL: &str = "double h(double x) { return x + 2; }\n@double g(double x) { return x + 1; }\nvoid f(int n, double a[restrict n], double b[restrict n]) {\n#pragma scop\n$  for (int i = 0; i < n; i++)\n    a[i] = g(b[i]);\n#pragma endscop\n}\n";

const MEMBER: &str = "void o(void) {\n@}\nstruct S { char x; int y; } s;\nvoid f(int n, int a[restrict n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = s.y;\n#pragma endscop\n}\n";

/// Texts with something at `@` in the second file, or in both, and at `$` in the second; what is said both
/// ways.
#[test]
fn directives_that_may_matter_are_not_equal() {
    let folder = scratch("verify-directives");
    let variant = "#pragma omp declare variant(h) match(construct={parallel})\n";
    let cases = [
        (SUM, "", "#pragma clang loop vectorize(enable)\n", "", Status::Limit),
        (SUM, "", "#pragma clang loop vectorize_width(4) interleave(disable)\n", "", Status::Limit),
        (SUM, "", "#pragma clang loop vectorize(disable)\n", "", Status::Done),
        (SUM, "", "#pragma clang loop unroll(full)\n", "", Status::Done),
        (SUM, "", "#pragma vector always\n", "", Status::Limit),
        (SUM, "", "#pragma unroll\n", "", Status::Done),
        (SUM, "", "#pragma GCC novector\n", "", Status::Done),
        (SUM, "", "#pragma omp unroll partial(4)\n", "", Status::Done),
        (SUM, "", "#pragma omp tile sizes(4)\n", "", Status::Limit),
        (SUM, "", "#pragma omp assume holds(n > 4)\n", "", Status::Limit),
        (SUM, "", "#pragma omp nothing\n", "", Status::Done),
        (CALL, "", variant, "", Status::Limit),
        (CALL, variant, variant, "#pragma omp parallel for\n", Status::Limit),
        (CALL, "", "", "#pragma omp parallel for\n", Status::Done),
        (CALL, "", "#pragma weak g\n", "", Status::Limit),
        (CALL, "", "static\n#pragma GCC target(\"avx\")\n", "", Status::Limit),
        (CALL, "#pragma STDC FP_CONTRACT ON\n", "#pragma STDC FP_CONTRACT ON\n", "", Status::Limit),
        (
            CALL,
            "#pragma STDC FP_CONTRACT OFF\n",
            "#pragma STDC FP_CONTRACT OFF\n",
            "",
            Status::Done,
        ),
        (MEMBER, "", "#pragma scalar_storage_order big-endian\n", "", Status::Limit),
        (MEMBER, "", "#pragma pack(1)\n", "", Status::Limit),
        (MEMBER, "", "#pragma something else\n", "", Status::Limit),
        (MEMBER, "#pragma pack(1)\n", "#pragma pack(1)\n", "", Status::Done),
        (MEMBER, "", "#pragma STDC FP_CONTRACT OFF\n", "", Status::Done),
    ];
    for (text, first, second, inside, status) in cases {
        let own = text.replace('@', first).replace('$', "");
        let other = text.replace('@', second).replace('$', inside);
        for texts in [[&*own, &*other], [&*other, &*own]] {
            let found = compared(&folder, texts);
            assert_eq!(found.status(), status, "{}\n{}\n{found}", texts[0], texts[1]);
        }
    }
    let packed = |before: &str, behind: &str| {
        let plain = MEMBER.replace("@", "");
        plain
            .replace("struct S", &format!("{before}struct S"))
            .replace("} s;", &format!("}} s;{behind}"))
    };
    let found =
        compared(&folder, [&packed("#pragma pack(1)\n", ""), &packed("", "\n#pragma pack(1)")]);
    assert!(found.to_string().contains("stands behind other pragmas"), "{found}");
}

/// Our own texts that choose between two when the program runs are read; with a fault in either of them, in
/// what they ask, or in how they ask, they are not called equal.
#[test]
fn own_texts_that_choose_at_run_time_are_read() {
    let folder = scratch("verify-own-texts");
    let program = |restrict: &str| {
        format!(
            "void f(double x[{restrict}12], double u[{restrict}12], double y[{restrict}12], double z[{restrict}12], double A[{restrict}12][12]) {{\n\
             #pragma scop\n  for (int i = 0; i < 12; i++)\n    for (int j = 0; j < 12; j++)\n      x[i] = x[i] + A[i][j] * y[j];\n  \
             for (int i = 0; i < 12; i++)\n    for (int j = 0; j < 12; j++)\n      u[i] = u[i] + A[j][i] * z[j];\n#pragma endscop\n}}\n"
        )
    };
    let always = CompileOptions { always_rewrite: true, ..CompileOptions::new() };
    let timed = CompileOptions { adaptive: Adaptive::Always, ..always.clone() };
    let cases = [
        ("", always, "loopwright_rows_apart(5", ("list->room *= 4", "list->room *= 5")),
        ("restrict ", timed, "loopwright_takes_new(&", ("begun >= 4", "begun >= 3")),
    ];
    for (restrict, options, helper, changed) in cases {
        let before = program(restrict);
        let path = folder.join("program.c");
        std::fs::write(&path, &before).unwrap();
        let code = compile_file(&path, &options).unwrap().code;
        assert!(code.contains(helper), "{code}");
        let found = compared(&folder, [&before, &code]);
        assert_eq!(found.status(), Status::Done, "{found}\n{code}");
        let name = &helper[..helper.find('(').unwrap()];
        let macro_of_it = format!("#define {name}(a, b, ...) (u[0] = 1)\nvoid f(");
        let choice = code.replacen(changed.0, changed.1, 1);
        let (at, last) = (code.find("void f(").unwrap(), code.rfind("y[j]").unwrap());
        let in_new = format!("{}{}", &code[..at], code[at..].replacen("* y[", "+ y[", 1));
        let in_old = format!("{}y[i]{}", &code[..last], &code[last + 4..]);
        for fault in [choice, in_new, in_old, code.replacen("void f(", &macro_of_it, 1)] {
            assert_ne!(fault, code);
            let found = compared(&folder, [&before, &fault]);
            assert_ne!(found.status(), Status::Done, "{found}\n{fault}");
        }
    }
}
