//! Random programs whose meaning lies at the border of their loops: types near their limits, state of
//! threads, attributes and pragmas that change the language, directives of OpenMP.
//!
//! A case is a function with loops and a call of it that prints what they computed. What is right is what the
//! compiler makes of the text as it is, so nothing here knows what a construct means. Cases are numbered: a
//! file has some of them, and prints `case N` in front of what case N prints.

use crate::Choices;
use std::fmt::Write as _;

/// What every file begins with.
const HEAD: &str = "#include <fenv.h>\n#include <limits.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
#ifdef __SSE__\n#include <xmmintrin.h>\n#endif\n#ifdef _OPENMP\n#include <omp.h>\n#endif\n\
void lw_state(int k);\nstatic unsigned long lw_hash;\n\
__attribute__((noinline)) static void lw_mix(const void *p, unsigned long n) {\n\
  const unsigned char *c = p;\n  while (n-- > 0) lw_hash = (lw_hash ^ *c++) * 1099511628211ul;\n}\n\
#define LW_MIX(x) lw_mix(&(x), sizeof(x))\n\
#define LW_N 257\n\
static double lw_d[LW_N], lw_e[LW_N];\nstatic float lw_f[LW_N];\nstatic int lw_i[LW_N], lw_j[LW_N];\n\
static unsigned lw_u[LW_N];\nstatic long lw_l[LW_N];\n\
__attribute__((noinline)) static void lw_fill(void) {\n  int k = 0;\n  while (k < LW_N) {\n    lw_d[k] = k * 0.37 - 11; lw_e[k] = 3.0 / (k + 1); lw_f[k] = k * 0.11f;\n\
    lw_i[k] = k * 7919 % 1000 - 300; lw_j[k] = k * 104729 % 977; lw_u[k] = k * 2654435761u; lw_l[k] = k * 1000003l - 77;\n    k++;\n  }\n}\n\
__attribute__((noinline)) static void lw_mix_all(void) {\n  LW_MIX(lw_d); LW_MIX(lw_e); LW_MIX(lw_f); LW_MIX(lw_i); LW_MIX(lw_j); LW_MIX(lw_u); LW_MIX(lw_l);\n}\n";

/// The state of a thread is set in this file, of which the compiler of the other one knows nothing.
const STATES: &str = "#include <fenv.h>\n#ifdef __SSE__\n#include <xmmintrin.h>\n#endif\n\
void lw_state(int k) {\n\
  static const int modes[4] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};\n\
  fesetround(modes[k & 3]);\n\
#ifdef __SSE__\n  _mm_setcsr(k & 4 ? _mm_getcsr() | 0x8040 : _mm_getcsr() & ~0x8040u);\n#endif\n}\n";

/// A random program: what stands in front of it, and the lines of the function that calls it.
struct Case {
    definitions: String,
    calls: String,
    /// Whether it looks at flags, so that a compiler takes care in the whole file.
    looks_at_flags: bool,
}

/// The second C file of a program with cases.
pub fn border_states() -> &'static str {
    STATES
}

/// Whether a case looks at exception flags. What a compiler leaves alone in its file because of that are also
/// the other cases, so these stand in files of their own.
pub fn border_case_looks_at_flags(number: u64) -> bool {
    case(number).looks_at_flags
}

/// A C file with some cases, whose numbers ascend; each is determined by its number. [`border_states`] belongs
/// to it. The program runs those from the number on that it is given.
pub fn border_programs(numbers: &[u64]) -> String {
    let cases: Vec<Case> = numbers.iter().map(|&number| case(number)).collect();
    let mut text = HEAD.to_string();
    for case in &cases {
        text += &case.definitions;
    }
    text += "int main(int argc, char **argv) {\n  unsigned long from = argc > 1 ? strtoul(argv[1], 0, 10) : 0;\n";
    for (number, case) in numbers.iter().zip(&cases) {
        let _ = write!(
            text,
            "  if (from <= {number}ul) {{\n  lw_hash = 14695981039346656037ul;\n  printf(\"case {number}\\n\"); fflush(stdout);\n  \
             fprintf(stderr, \"case {number}\\n\");\n  lw_fill();\n{}  lw_mix_all();\n  printf(\"%lx\\n\", lw_hash); fflush(stdout);\n  }}\n",
            case.calls
        );
    }
    text + "  return 0;\n}\n"
}

fn case(number: u64) -> Case {
    let c = &mut Choices::from_seed(number);
    match c.below(10) {
        0 | 1 => near_limits(c, number),
        2 | 3 => mixed_nest(c, number),
        4 => state_of_threads(c, number),
        5 => changed_language(c, number),
        6 => own_storage(c, number),
        _ => directives(c, number),
    }
}

fn one_of<'a>(c: &mut Choices, of: &[&'a str]) -> &'a str {
    of[c.below(of.len())]
}

/// The pragmas around a region, or nothing.
fn region(c: &mut Choices, text: &str) -> String {
    match c.percent(70) {
        true => format!("#pragma scop\n{text}#pragma endscop\n"),
        false => text.to_string(),
    }
}

/// Integer types, with their least and greatest value.
const TYPES: [(&str, &str, &str); 8] = [
    ("int", "INT_MIN", "INT_MAX"),
    ("long", "LONG_MIN", "LONG_MAX"),
    ("unsigned", "0u", "UINT_MAX"),
    ("unsigned long", "0ul", "ULONG_MAX"),
    ("short", "SHRT_MIN", "SHRT_MAX"),
    ("signed char", "SCHAR_MIN", "SCHAR_MAX"),
    ("unsigned char", "0", "UCHAR_MAX"),
    ("unsigned short", "0", "USHRT_MAX"),
];

/// The ends of a range of so many values, at the least or greatest ones of a type or at zero, with some values
/// left beyond.
fn bounds(
    c: &mut Choices,
    (scalar, least, greatest): (&str, &str, &str),
    count: i64,
    left: i64,
) -> (String, String) {
    let off = c.between(left, left + 3);
    match c.below(3) {
        0 => (
            format!("({scalar})({greatest} - {})", count + off),
            format!("({scalar})({greatest} - {off})"),
        ),
        1 => (
            format!("({scalar})({least} + {off})"),
            format!("({scalar})({least} + {})", count + off),
        ),
        _ => (format!("({scalar}){off}"), format!("({scalar}){}", count + off)),
    }
}

/// A value of a type, mostly near one of its ends.
fn value_of(c: &mut Choices, (scalar, least, greatest): (&str, &str, &str)) -> String {
    match c.below(4) {
        0 => format!("({scalar})({greatest} - {})", c.between(0, 9)),
        1 => format!("({scalar})({least} + {})", c.between(0, 9)),
        2 => format!("({scalar}){}", c.between(0, 60)),
        _ => format!("({scalar})({greatest} / 2 + {})", c.between(0, 2)),
    }
}

/// Two loops whose iterators have different types, with conditions and values that mix them.
fn mixed_nest(c: &mut Choices, number: u64) -> Case {
    let [outer, inner, other] = [0; 3].map(|_| TYPES[c.below(TYPES.len())]);
    let (count, inner_count) = (c.between(0, 14), c.between(0, 14));
    let form = c.below(5);
    let (lo, hi) = bounds(c, outer, count, 0);
    let (a, b) = bounds(c, inner, inner_count, if form == 2 { 2 } else { 0 });
    let m = value_of(c, other);
    let (first, second, third) = (outer.0, inner.0, other.0);
    let head = match c.below(4) {
        0 => format!("for ({first} i = hi; i > lo; i--)"),
        1 => format!("for ({first} i = lo; i != hi; i++)"),
        _ => format!("for ({first} i = lo; i < hi; i++)"),
    };
    let inner_head = match form {
        0 => format!("for ({second} j = b; j > a; --j)"),
        1 => format!("for ({second} j = a; j < b && j - a < i - lo; j++)"),
        2 => format!("for ({second} j = a; j <= b; j += 2)"),
        3 => format!("for ({second} j = a; j + 1 < b; j++)"),
        _ => format!("for ({second} j = a; j < b; j++)"),
    };
    let condition = match c.below(12) {
        0 => "if (i + j < m) ".to_string(),
        1 => "if (i > j) ".to_string(),
        2 => "if (i - m >= j) ".to_string(),
        3 => format!("if (({third})i == m) "),
        4 => "if (j <= m && i >= m) ".to_string(),
        5 => format!("if (({second})i == j) "),
        6 => "if (3 * j > m + i) ".to_string(),
        7 => "if (!(j < m)) ".to_string(),
        _ => String::new(),
    };
    let cell = one_of(c, &["i - lo", "j - a", "(i - lo) + (j - a)", "2 * (i - lo) + (j - a)"]);
    let value = match c.below(6) {
        0 => "(i & 15) + (j & 7)".to_string(),
        1 => format!("({third})j"),
        2 => "(m > j) + (i < m)".to_string(),
        3 => "(unsigned)i * 3u + (unsigned)j".to_string(),
        4 => format!("lw_j[{cell}] - (m < 0)"),
        _ => "5".to_string(),
    };
    let array = one_of(c, &["lw_i", "lw_l", "lw_d", "lw_u", "lw_f"]);
    let body = match c.below(3) {
        0 => format!("{condition}{array}[{cell}] = {value};"),
        1 => format!("{condition}{array}[({cell}) + 1] = {array}[{cell}] + ({value});"),
        _ => format!("{condition}{array}[{cell}] += {value};"),
    };
    let loops = region(c, &format!("  {head}\n    {inner_head}\n      {body}\n"));
    Case {
        definitions: format!(
            "__attribute__((noinline)) static void g{number}({first} lo, {first} hi, {second} a, {second} b, {third} m) {{\n{loops}}}\n"
        ),
        calls: format!("  g{number}({lo}, {hi}, {a}, {b}, {m});\n"),
        looks_at_flags: false,
    }
}

/// A few iterations at the end of a type's values, and further parameters of other types near theirs.
fn near_limits(c: &mut Choices, number: u64) -> Case {
    let (iterator, least, greatest) = TYPES[c.below(TYPES.len())];
    let (other, other_least, other_greatest) = TYPES[c.below(TYPES.len())];
    let count = c.between(0, 40);
    let (lo, hi) = bounds(c, (iterator, least, greatest), count, 0);
    let m = value_of(c, (other, other_least, other_greatest));
    let step = one_of(c, &["++", "++", " += 2", " += 3"]);
    let head = match c.below(5) {
        0 | 1 => format!("for ({iterator} i = lo; i < hi; i{step})"),
        2 => format!("for ({iterator} i = lo; i <= hi; i{step})"),
        3 => format!("for ({iterator} i = hi; i > lo; i--)"),
        _ => format!("for ({iterator} i = lo; i != hi; i++)"),
    };
    let at = one_of(c, &["i - lo", "hi - i", "(long)i - (long)lo", "i - lo"]);
    let condition = match c.below(9) {
        0 => "if (i < m) ",
        1 => "if (2 * i < m) ",
        2 => "if (i >= m - 5) ",
        3 => "if (i + m > 3) ",
        4 => "if (m - i > 4) ",
        5 => "if (i <= m / 2) ",
        6 => "if (-m < i) ",
        _ => "",
    };
    let array = one_of(c, &["lw_i", "lw_l", "lw_d", "lw_u"]);
    let value = one_of(c, &["i & 15", "lw_j[PLACE] + 1", "3", "(i - lo) * 3"]).replace("PLACE", at);
    let inner = match c.below(4) {
        0 => format!(
            "{condition}{{ for ({other} j = 0; j < m && j < 9; j++) {array}[{at}] += {value}; }}"
        ),
        1 => format!("{condition}{array}[{at}] += {value};"),
        2 => format!("{condition}{{ {array}[{at}] = {value}; lw_e[{at}] *= 0.5; }}"),
        _ => format!("{condition}{array}[({at}) + 1] = {array}[{at}] + ({value});"),
    };
    let loops = region(c, &format!("  {head}\n    {inner}\n"));
    Case {
        definitions: format!(
            "__attribute__((noinline)) static void g{number}({iterator} lo, {iterator} hi, {other} m) {{\n{loops}}}\n"
        ),
        calls: format!("  g{number}({lo}, {hi}, {m});\n"),
        looks_at_flags: false,
    }
}

/// Loops with arithmetic of floating point under a rounding mode, with flags that are looked at.
fn state_of_threads(c: &mut Choices, number: u64) -> Case {
    let body = match c.below(6) {
        0 => "lw_d[i] = lw_d[i] / 3 + lw_e[i];",
        1 => "lw_i[i] = (int)rint(lw_d[i] * 1.5);",
        2 => "lw_f[i] = lw_f[i] * lw_f[i] * 1e-38f;",
        3 => "lw_d[i] = lw_e[i] / (lw_j[i] - 500);",
        4 => "lw_d[i] = sqrt(lw_d[i] + 12);",
        _ => "lw_l[i] = lrint(lw_e[i] * 100) + nearbyint(lw_d[i]);",
    };
    let loops = region(c, &format!("  for (int i = 0; i < n; i++)\n    {body}\n"));
    let state = c.below(8);
    let test = match c.percent(25) {
        true => "{ int x = fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_INEXACT); LW_MIX(x); }",
        false => "",
    };
    let access = match c.percent(15) {
        true => "#pragma STDC FENV_ACCESS ON\n",
        false => "",
    };
    let looks_at_flags = !test.is_empty() || !access.is_empty();
    let clear = if looks_at_flags { "feclearexcept(FE_ALL_EXCEPT); " } else { "" };
    Case {
        definitions: format!(
            "{access}__attribute__((noinline)) static void g{number}(int n) {{\n{loops}}}\n"
        ),
        calls: format!(
            "  {clear}lw_state({state});\n  g{number}({});\n  {test}lw_state(0);\n",
            c.between(20, 257)
        ),
        looks_at_flags,
    }
}

/// Functions in another dialect: by attribute, or by pragmas around them.
fn changed_language(c: &mut Choices, number: u64) -> Case {
    let (option, parameters, arguments, loops) = match c.below(4) {
        0 => (
            "wrapv",
            "int n, int k",
            "200, INT_MAX - 20",
            "  for (int i = 0; i < n; i++)\n    if (k + i > k - 100) lw_i[i] += 3;\n",
        ),
        1 => (
            "wrapv",
            "int n, int k",
            "200, 123456789",
            "  for (int i = 0; i < n; i++)\n    lw_i[i] = lw_i[i] * k * 7919 + i * k;\n",
        ),
        2 => (
            "no-strict-aliasing",
            "int n, int *p, float *q",
            "200, lw_i, (float *)lw_i",
            "  for (int i = 1; i < n; i++) {\n    p[i] = p[i] + 1;\n    q[i] = q[i - 1];\n  }\n",
        ),
        _ => (
            "wrapv",
            "int n, int k",
            "100, INT_MAX - 50",
            "  for (int i = k; i > 0 && i - k < n; i++)\n    lw_j[i - k] += i & 3;\n",
        ),
    };
    let loops = region(c, loops);
    let signature = format!("static void g{number}({parameters}) {{\n{loops}}}\n");
    let definitions = match c.below(4) {
        0 => format!("__attribute__((noinline, optimize(\"{option}\"))) {signature}"),
        1 => format!(
            "__attribute__((noinline)) __attribute__((__optimize__(\"{option}\"))) {signature}"
        ),
        2 => format!(
            "#pragma GCC push_options\n#pragma GCC optimize(\"{option}\")\n__attribute__((noinline)) {signature}#pragma GCC pop_options\n"
        ),
        _ => format!(
            "#pragma GCC push_options\n_Pragma(\"GCC optimize(\\\"{option}\\\")\")\n__attribute__((noinline)) {signature}#pragma GCC pop_options\n"
        ),
    };
    let calls = format!("  g{number}({arguments});\n");
    Case { definitions, calls, looks_at_flags: false }
}

/// Variables that every thread has for itself, two names of one object, what the preprocessor counts.
fn own_storage(c: &mut Choices, number: u64) -> Case {
    let n = c.between(20, 250);
    let (globals, loops, before) = match c.below(5) {
        0 => (
            format!("static int t{number} = 5;\n#pragma omp threadprivate(t{number})\n"),
            format!("  for (int i = 0; i < n; i++)\n    lw_i[i] += t{number};\n"),
            format!("t{number} = 41;"),
        ),
        1 => (
            format!("static _Thread_local int t{number} = 5;\n"),
            format!("  for (int i = 0; i < n; i++)\n    lw_j[i] = t{number} + i;\n"),
            format!("t{number} = 43;"),
        ),
        2 => (
            format!("static __thread double t{number}[LW_N];\n"),
            format!(
                "  for (int i = 0; i < n; i++)\n    t{number}[i] = lw_d[i] + t{number}[i];\n  for (int i = 0; i < n; i++)\n    lw_e[i] = t{number}[i] * 2;\n"
            ),
            format!("t{number}[3] = 43;"),
        ),
        3 => (
            format!(
                "int a{number}[LW_N] __asm__(\"lw_object_{number}\") = {{1, 2, 3}};\nextern int b{number}[LW_N] __asm__(\"lw_object_{number}\");\n"
            ),
            format!(
                "  for (int i = 1; i < n; i++) {{\n    a{number}[i] = i;\n    lw_i[i] = b{number}[i - 1];\n  }}\n"
            ),
            String::new(),
        ),
        _ => (
            String::new(),
            "  for (int i = 0; i < n; i++) lw_u[i] += __COUNTER__ * 0 + 3;\n".to_string(),
            "{ int x = __LINE__; LW_MIX(x); }".to_string(),
        ),
    };
    let loops = region(c, &loops);
    Case {
        definitions: format!(
            "{globals}__attribute__((noinline)) static int g{number}(int n) {{\n{loops}  return __LINE__;\n}}\n"
        ),
        calls: format!(
            "  {before}\n  {{ int x = g{number}({n}); LW_MIX(x); x = __LINE__; LW_MIX(x); }}\n"
        ),
        looks_at_flags: false,
    }
}

/// A pragma of OpenMP, written in one of the ways in which it may be.
fn pragma(c: &mut Choices, text: &str) -> String {
    match c.below(6) {
        0 => format!("_Pragma(\"{text}\")\n"),
        1 => format!("%:pragma {text}\n"),
        2 => match text.split_once(' ') {
            Some((first, rest)) => format!("#pragma {first} \\\n   {rest}\n"),
            None => format!("#pragma {text}\n"),
        },
        3 => format!("/* here */ #pragma {text}\n"),
        _ => format!("#pragma {text}\n"),
    }
}

/// Directives that change nothing about loops without dependences.
const HARMLESS: [&str; 5] = [
    "GCC ivdep",
    "GCC unroll 4",
    "omp parallel for simd",
    "omp parallel for collapse(1)",
    "omp parallel for default(shared)",
];

/// Loops with directives in, around and in front of regions, also in functions that a team calls.
fn directives(c: &mut Choices, number: u64) -> Case {
    let n = c.between(20, 250);
    let plain = "for (int i = 0; i < n; i++)\n    lw_i[i] += lw_j[i] * 3 + 1;\n";
    let two = "for (int i = 0; i < n; i++)\n    lw_u[i] = lw_u[i] * 5 + i;\n";
    let schedule = one_of(
        c,
        &["", " schedule(static, 3)", " schedule(dynamic)", " num_threads(2)", " if(n > 100)"],
    );
    let (body, call) = match c.below(17) {
        0 => (format!("{}  {plain}", pragma(c, &format!("omp parallel for{schedule}"))), ""),
        1 => (format!("  int t = 7, s = 3;\n{}  for (int i = 0; i < n; i++) {{ t = lw_j[i]; lw_i[i] += t; }}\n  lw_l[0] = t;\n", pragma(c, &format!("omp parallel for private(t){schedule}"))).replace(", s = 3", ""), ""),
        2 => (format!("  int t = 7;\n{}  for (int i = 0; i < n; i++) lw_i[i] += t;\n  lw_l[0] = t;\n", pragma(c, "omp parallel for firstprivate(t)")), ""),
        3 => (format!("  int t = 7;\n{}  for (int i = 0; i < n; i++) {{ t = lw_j[i] + i; lw_i[i] += t; }}\n  lw_l[0] = t;\n", pragma(c, "omp parallel for lastprivate(t)")), ""),
        4 => (format!("  unsigned s = 7;\n{}  for (int i = 0; i < n; i++) s += lw_u[i];\n  lw_l[0] = s;\n", pragma(c, "omp parallel for reduction(+: s)")), ""),
        5 => (format!("  int s = -7;\n{}  for (int i = 0; i < n; i++) s = s > lw_i[i] ? s : lw_i[i];\n  lw_l[0] = s;\n", pragma(c, "omp parallel for reduction(max: s)")), ""),
        6 => (format!("{}  {two}", pragma(c, "omp for")), "team"),
        7 => (format!("{}  {two}", pragma(c, "omp single")), "team"),
        8 => (format!("{}  {plain}", pragma(c, "omp master")), "team"),
        9 => (format!("{}  for (int i = 0; i < n; i++) lw_u[i] += 3;\n", pragma(c, "omp critical")), "team"),
        10 => (format!("  for (int i = 0; i < n; i++) {{\n{}    lw_u[i] += 3;\n  }}\n", pragma(c, "omp atomic")), "team"),
        11 => (format!("{}  {{\n{}  {plain}{}  {two}  }}\n", pragma(c, "omp parallel sections"), pragma(c, "omp section"), pragma(c, "omp section")), ""),
        12 => (format!("{}  {plain}{}  for (int i = 0; i < n; i++) lw_l[i] += lw_i[i];\n", pragma(c, "omp task shared(lw_i)"), pragma(c, "omp taskwait")), "single"),
        13 => (format!("{}  {plain}", pragma(c, "omp simd")), ""),
        14 => (format!("{}  for (int i = 0; i < n; i++) {{\n    lw_l[i] = lw_i[i] * 2;\n{}    lw_d[0] = lw_d[0] * 0.5 + lw_l[i];\n  }}\n", pragma(c, "omp parallel for ordered"), pragma(c, "omp ordered")), ""),
        15 => (format!("{}  for (int i = 0; i < n; i++) lw_l[i] += 2;\n{}{}  for (int i = 0; i < n; i++) lw_i[i] += lw_l[n - 1 - i];\n", pragma(c, "omp for nowait"), pragma(c, "omp barrier"), pragma(c, "omp for")), "team"),
        _ => {
            let harmless = one_of(c, &HARMLESS);
            (format!("{}  {plain}", pragma(c, harmless)), "")
        }
    };
    // Around the directive, between the directive and its loops, or around a part of what it governs.
    let body = match c.below(4) {
        0 | 1 => format!("#pragma scop\n{body}#pragma endscop\n"),
        2 if body.contains("  for (") => match body.split_once("  for (") {
            Some((front, rest))
                if rest.matches("for (").count() == 0
                    && !front.contains('{')
                    && rest.matches('}').count() == rest.matches('{').count() =>
            {
                let (own, behind) = rest
                    .split_once("  lw_l[0]")
                    .map_or((rest, String::new()), |(own, rest)| (own, format!("  lw_l[0]{rest}")));
                format!("{front}#pragma scop\n  for ({own}#pragma endscop\n{behind}")
            }
            _ => body,
        },
        _ => body,
    };
    let calls = match call {
        "team" => format!("#pragma omp parallel\n  g{number}({n});\n"),
        "single" => format!("#pragma omp parallel\n#pragma omp single\n  g{number}({n});\n"),
        _ => format!("  g{number}({n});\n"),
    };
    Case {
        definitions: format!(
            "__attribute__((noinline)) static void g{number}(int n) {{\n{body}}}\n"
        ),
        calls,
        looks_at_flags: false,
    }
}
