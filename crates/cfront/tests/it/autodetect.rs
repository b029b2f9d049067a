//! Regions that are found without pragmas.
use loopwright_cfront::{Code, Detection, Options, Outcome, SourceFile, read_file};

fn detect(text: &str) -> Detection {
    let file = SourceFile::from_text("test.c", text).autodetecting();
    file.detect().unwrap_or_else(|d| panic!("{text}\n{}", d[0]))
}

/// The lines of the regions.
fn lines(text: &str) -> Vec<(u32, u32)> {
    detect(text).regions.iter().map(|r| (r.first_line, r.last_line)).collect()
}

/// The lines of the regions of a function body that starts in line 2.
fn lines_in(body: &str) -> Vec<(u32, u32)> {
    let arguments = "int n, double A[restrict n], double B[restrict n]";
    lines(&format!(
        "int printf(const char *, ...);\nvoid f({arguments}) {{ int i, j; double s; printf(\"\");\n{body}\n}}\n"
    ))
    .into_iter()
    .map(|(first, last)| (first - 2, last - 2))
    .collect()
}

const LOOP: &str = "for (i = 0; i < n; i++)\nA[i] = 1;\n";

#[test]
fn runs_are_as_long_as_possible() {
    let text = format!("s = 0;\n{LOOP}s += A[0];\n{LOOP}A[0] = s;");
    assert_eq!(lines_in(&text), [(1, 7)]);
}

/// The lines of the regions of the body of `void f(int n, double A[n])`, which starts in line 3, if code
/// without loops is searched as well.
fn all_lines_in(body: &str) -> Vec<(u32, u32)> {
    let text = format!("int g(void);\nvoid f(int n, double A[n]) {{\n{body}\n}}\n");
    let file = SourceFile::from_text("test.c", &text).finding_all_code();
    let detection = file.detect().unwrap_or_else(|d| panic!("{text}\n{}", d[0]));
    detection.regions.iter().map(|r| (r.first_line - 2, r.last_line - 2)).collect()
}

#[test]
fn code_without_loops_is_found_where_nothing_else_is() {
    assert_eq!(all_lines_in("A[0] = 1;\nif (n > 1) A[1] = 2;"), [(1, 2)]);
    let after_loop = "A[0] = 1;\ng();\nfor (int i = 0; i < n; i++)\nA[i] = 1;";
    assert_eq!(all_lines_in(after_loop), [(3, 4)]);
    // What has effects, and declarations alone, are no regions.
    assert_eq!(all_lines_in("A[0] = g();"), []);
    assert_eq!(all_lines_in("int i;\ng();\ndouble s;"), []);
    assert_eq!(all_lines_in("A[0] = 1;\nA[1] = 2;\ng();\nA[2] = 3;"), [(1, 2), (4, 4)]);
    let in_loop = "for (;;) {\nagain: goto again;\nA[0] = 5;\n}\nwhile (g()) {\nA[1] = g();\n}";
    assert_eq!(all_lines_in(in_loop), [(3, 3)]);
}

#[test]
fn a_refused_statement_divides() {
    let text = format!("{LOOP}printf(\"\");\n{LOOP}{LOOP}printf(\"\");\ns = 1;\nreturn;");
    assert_eq!(lines_in(&text), [(1, 2), (4, 7)]);
}

#[test]
fn the_search_goes_on_inside() {
    let text = format!("while (s > 0) {{\n{LOOP}printf(\"\");\n}}");
    assert_eq!(lines_in(&text), [(2, 3)]);
    let text = format!("for (j = 0; j < n; j++) {{\nprintf(\"\");\n{LOOP}}}");
    assert_eq!(lines_in(&text), [(3, 4)]);
    let text = format!("if (n > 3) {{\nprintf(\"\");\n{LOOP}}} else\n{LOOP}");
    assert_eq!(lines_in(&text), [(3, 4), (6, 7)]);
    let text = format!("switch (n) {{\ncase 1:\n{LOOP}printf(\"\");\n}}");
    assert_eq!(lines_in(&text), [(3, 4)]);
    let text = format!("x:\n{LOOP}printf(\"\");\ngoto x;");
    assert_eq!(lines_in(&text), [(2, 3)]);
    let text = format!("goto x;\nx:\n{LOOP}printf(\"\");");
    assert_eq!(lines_in(&text), [(1, 4)]);
}

#[test]
fn code_without_a_block_around_it_gets_one() {
    let text = format!("void f(int n, double A[n], int i) {{\nif (n > puts(\"\"))\n  {LOOP}}}\n");
    let detection = detect(&text);
    let region = &detection.regions[0];
    assert!(!region.in_block);
    assert_eq!(region.in_place("  x;\n  y;\n", &text), "  {\n    x;\n    y;\n  }\n");
}

#[test]
fn a_declaration_that_is_used_later_stays_outside() {
    let text = "double t = 0;\nfor (i = 0; i < n; i++)\nt += A[i];\nprintf(\"%f\", t);";
    assert_eq!(lines_in(text), [(2, 3)]);
    let text = "double t = 0;\nfor (i = 0; i < n; i++)\nt += A[i];\nB[0] = t;\nprintf(\"\");";
    assert_eq!(lines_in(text), [(1, 4)]);
}

#[test]
fn statements_that_only_do_not_go_together_are_regions_of_their_own() {
    // The bound is no constant of a region that assigns it.
    let text = format!("int m = 0;\nm = n * n;\n{}{LOOP}", LOOP.replace("i < n", "i < m"));
    assert_eq!(lines_in(&text), [(3, 6)]);
}

#[test]
fn iterators_with_a_use_after_the_loop_need_an_affine_value() {
    let other = LOOP.replace("i < n", "i < n && i < 9");
    for (text, expected) in [(LOOP, &[(1, 2)][..]), (&other, &[])] {
        assert_eq!(lines_in(&format!("{text}printf(\"%d\", i);\n")), expected);
    }
    assert_eq!(lines_in(&format!("{other}i = 2;\nprintf(\"%d\", i);\n")), [(1, 2)]);
    assert_eq!(lines_in(&format!("{LOOP}i = 2;\nprintf(\"%d\", i);\n")), [(1, 3)]);
    assert_eq!(lines_in(&format!("{LOOP}A[0] = i;\n")), [(1, 3)]);
}

#[test]
fn lines_that_hold_something_else_are_divided() {
    assert_eq!(lines_in("printf(\"\"); for (i = 0; i < n; i++)\nA[i] = 1;"), [(1, 2)]);
    assert_eq!(lines_in("for (i = 0; i < n; i++)\nA[i] = 1; printf(\"\");"), [(1, 2)]);
    assert_eq!(
        lines_in(
            "for (i = 0; i < n; i++)\nA[i] = 1; /* a comment\nthat ends here */ printf(\"\");"
        ),
        []
    );
    assert_eq!(
        lines_in("for (i = 0; i < n; i++)\nA[i] = 1; // a comment\nprintf(\"\");"),
        [(1, 2)]
    );
}

#[test]
fn pragmas_about_a_loop_go_with_it() {
    assert_eq!(lines_in(&format!("#pragma GCC unroll 4\n{LOOP}printf(\"\");")), [(1, 3)]);
    assert_eq!(lines_in(&format!("#pragma unroll(4)\n{LOOP}printf(\"\");")), [(1, 3)]);
    assert_eq!(lines_in(&format!("#pragma GCC push_options\n{LOOP}printf(\"\");")), [(2, 3)]);
    // Parallel code is left alone.
    assert_eq!(lines_in(&format!("#pragma omp parallel for\n{LOOP}")), []);
    assert_eq!(lines_in(&format!("#pragma omp parallel\n{{\nprintf(\"\");\n{LOOP}}}")), []);
}

#[test]
fn regions_between_pragmas_stay_as_they_are() {
    let text = format!("{LOOP}#pragma scop\n{LOOP}#pragma endscop\n{LOOP}");
    assert_eq!(lines_in(&text), [(1, 2), (3, 6), (7, 8)]);
    let text = format!("for (j = 0; j < n; j++) {{\n{LOOP}#pragma scop\n{LOOP}#pragma endscop\n}}");
    assert_eq!(lines_in(&text), [(2, 3), (4, 7)]);
    // A refusal between pragmas is an error.
    let text = format!(
        "void f(int n, double A[n], int i) {{\n#pragma scop\nx: goto x;\n#pragma endscop\n{LOOP}}}\n"
    );
    let found = SourceFile::from_text("test.c", &text).autodetecting().extract().unwrap_err();
    assert_eq!(found[0].code, Code::UnsupportedStatement);
}

#[test]
fn every_loop_has_an_outcome() {
    let text = "int g(int);\nvoid f(int n, double A[n]) {\n  for (int i = 0; i < n; i++) {\n    \
                A[unknown] = g(1);\n    for (int j = 0; j < n; j++)\n      A[j] = 1;\n  }\n}\n";
    let detection = detect(text);
    assert_eq!(detection.nests.len(), 2);
    let outer = &detection.nests[0];
    assert_eq!((outer.first_line, outer.last_line, outer.depth), (3, 7, 0));
    assert_eq!(outer.function, "f");
    let Outcome::Refused(why) = &outer.outcome else { panic!("it is refused") };
    assert!(why.iter().any(|d| d.code == Code::UnknownName), "{why:?}");
    let inner = &detection.nests[1];
    assert_eq!((inner.first_line, inner.last_line, inner.depth), (5, 6, 1));
    assert!(matches!(inner.outcome, Outcome::Region(0)));
}

#[test]
fn files_without_regions_say_why() {
    let extract = |text: &str| SourceFile::from_text("t.c", text).autodetecting().extract();
    let none = extract("int f(void) {\n  return 1;\n}\n").unwrap_err();
    assert_eq!((none.len(), none[0].code), (1, Code::NoRegion));
    let refused =
        extract("void f(int n) {\n  for (int i = 0; i < n; i++)\n    x = 1;\n}\n").unwrap_err();
    let codes: Vec<Code> = refused.iter().map(|d| d.code).collect();
    assert_eq!(codes, [Code::NoRegion, Code::UnknownName]);
}

#[test]
fn what_is_not_understood_is_left_alone() {
    let text = "void f(int n, double A[n]) {\n  for (int i = 0; i < n; i++)\n    A[i] = 1;\n  @;\n}\n\
                void g(int n, double A[n]) {\n  for (int i = 0; i < n; i++)\n    A[i] = 1;\n}\n";
    assert_eq!(lines(text), [(7, 8)]);
    // Deep nests end the search, not the stack.
    let deep =
        format!("void f(int n) {{ {} for (;;) n++; {} }}", "{".repeat(5000), "}".repeat(5000));
    assert_eq!(lines(&deep), []);
}

/// The lines of the regions of a file that the preprocessor reads.
fn preprocessed(name: &str, text: &str) -> Vec<(u32, u32)> {
    let path = std::env::temp_dir().join(format!("autodetect-{}-{name}.c", std::process::id()));
    std::fs::write(&path, text).expect("a file can be written");
    let options = Options { autodetect: true, ..Options::default() };
    let file = read_file(&path, &options).expect("it can be read");
    std::fs::remove_file(&path).expect("it can be removed");
    let detection = file.detect().expect("it is understood");
    detection.regions.iter().map(|r| (r.first_line, r.last_line)).collect()
}

#[test]
fn parallel_code_of_other_configurations_is_left_alone() {
    let text = |line: &str| {
        format!(
            "double A[9];\nvoid f(void) {{\n#ifdef OTHER\n{line}\n#endif\nfor (int i = 0; i < 9; i++)\nA[i] = 1;\n}}\n"
        )
    };
    assert_eq!(preprocessed("directive", &text("#pragma omp parallel for")), []);
    assert_eq!(preprocessed("hint", &text("#pragma unroll")), [(6, 7)]);
}

#[test]
fn macros_that_go_over_the_ends_of_a_run_are_seen() {
    let header = "#define N 10\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define TWICE(x) x x\n\
                  #define BEGIN for (int i = 0; i < N; i++) {\ndouble A[N];\nvoid f(void) {\n";
    let check = |name: &str, body: &str| {
        let found = preprocessed(name, &format!("{header}{body}\n}}\n"));
        found.into_iter().map(|(first, last)| (first - 6, last - 6)).collect::<Vec<_>>()
    };
    assert_eq!(check("plain", "for (int i = 0; i < N; i++)\n  A[i] = MAX(A[i], 1);"), [(1, 2)]);
    assert_eq!(
        check("call", "for (int i = 0; i < N; i++)\n  A[i] = MAX(A[i],\n    1\n  );"),
        [(1, 4)]
    );
    assert_eq!(
        check("inside", "TWICE(\n  for (int i = 0; i < N; i++)\n    A[i] += 1;\n)"),
        [(1, 4)]
    );
    assert_eq!(check("begin", "BEGIN\n  A[i] = 1;\n}"), [(1, 3)]);
    assert_eq!(
        check("lost", "for (int i = 0; i < N; i++)\n#define M 3\n  A[i] = 1;\nA[0] = M;"),
        [(1, 4)]
    );
    assert_eq!(
        check("half", "#ifdef N\nfor (int i = 0; i < N; i++)\n#else\nif (1)\n#endif\n  A[i] = 1;"),
        []
    );
    let lost = "for (int i = 0; i < N; i++)\n#define M 3\n  A[i] = 1;\nf();\nA[0] = M;";
    assert_eq!(check("used", lost), []);
    assert_eq!(
        check("line", "for (int i = 0; i < N; i++)\n  A[i] = 1;\nf();\nA[0] = __LINE__;"),
        [(1, 2)]
    );
}

#[test]
fn lines_that_stand_at_two_places_of_the_text_are_left_alone() {
    let name = format!("autodetect-{}-twice.c", std::process::id());
    let nest = "for (int i = 0; i < 9; i++)\nA[i] += 1;\n";
    let twice = format!(
        "#ifndef AGAIN\n#define AGAIN\ndouble A[9];\nvoid f(void) {{\n#include \"{name}\"\n}}\n\
         void g(void) {{\n#include \"{name}\"\n}}\n#else\n{nest}#endif\n"
    );
    assert_eq!(preprocessed("twice", &twice), []);
    let renumbered = format!(
        "double A[9];\nvoid f(void) {{\n#if 0\n{nest}#endif\nf();\n#line 4\n{nest}#line 10\n}}\n"
    );
    assert_eq!(preprocessed("renumbered", &renumbered), [(9, 10)]);
    let counted = format!(
        "double A[9];\n#define NEXT __COUNTER__\nvoid f(void) {{\n{}f();\nA[0] = NEXT;\n}}\n",
        nest.replace("+= 1", "+= NEXT\n")
    );
    assert_eq!(preprocessed("counted", &counted), []);
}

#[test]
fn comments_that_go_over_the_ends_of_a_run_are_seen() {
    let text = |before: &str, after: &str| {
        format!(
            "#define N 9\ndouble A[N];\nvoid f(void) {{\n{before}for (int i = 0; i < N; i++)\n  A[i] = 1;{after}\n}}\n"
        )
    };
    assert_eq!(preprocessed("around", &text("/* a\n b */\n", "\n/* c\n d */")), [(6, 7)]);
    assert_eq!(preprocessed("before", &text("/* a\n b */ ", "")), []);
    assert_eq!(preprocessed("after", &text("", " /* c\n d */")), []);
}

#[test]
fn calls_with_effects_divide_wherever_they_stand() {
    let nest = "for (int i = 0; i < 9; i++)\n  A[i] += 1;\n";
    let text = |between: &str| {
        format!(
            "double A[9], s;\nvoid out(double);\ndouble sqrt(double);\nvoid f(void) {{\n{nest}{between}\n{nest}}}\n"
        )
    };
    for between in ["out(s);", "s = s + 1, out(s);", "double t = (out(s), 1);", "({ out(s); });"] {
        assert_eq!(lines(&text(between)), [(5, 6), (8, 9)], "{between}");
    }
    for between in ["s = sqrt(s);", "s = 1 + sizeof(sqrt(s));"] {
        assert_eq!(lines(&text(between)), [(5, 9)], "{between}");
    }
    // A loop in an expression is no obstacle to the search.
    let inner = "({ for (int k = 0; k < 9; k++) out(s); });";
    assert_eq!(lines(&text(inner)), [(5, 6), (8, 9)]);
}

#[test]
fn statements_in_macros_before_and_after_loops_are_left_out() {
    let text = "#define BOTH(x) out(s); x\n#define END(x) x out(s);\nvoid out(double);\ndouble A[9], s;\n\
                void f(void) {\nBOTH(\n  s = 1;\n)\nfor (int i = 0; i < 9; i++)\n  A[i] += 1;\n\
                END(s = 1;\n s = 2;\n)\n}\n";
    assert_eq!(preprocessed("trimmed", text), [(9, 10)]);
}
