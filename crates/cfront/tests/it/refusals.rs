//! What is refused, with which code and where.
use crate::common::{extract, function};
use loopwright_cfront::{Code, Options, SourceFile, read_file};

/// The codes and lines of the diagnostics of a region inside `f` (the region starts in line 4).
fn refused(region: &str) -> Vec<(Code, u32)> {
    let arguments = "int n, int m, double *restrict A, double B[n][m], int *idx, volatile int v";
    let before = "int i, j, k; double s, t; struct { int x; } st;";
    let text = function(arguments, before, region, "");
    let diagnostics = extract(&text).expect_err(region);
    for diagnostic in &diagnostics {
        assert!(diagnostic.place.is_some() && diagnostic.source_line.is_some(), "{diagnostic}");
        assert!(diagnostic.to_string().contains("test.c:"));
    }
    diagnostics.iter().map(|d| (d.code, d.place.as_ref().map_or(0, |p| p.line))).collect()
}

#[test]
fn statements() {
    for statement in [
        "goto x;",
        "return;",
        "break;",
        "continue;",
        "while (n) return;",
        "for (i = 0; i < n; i++) if (A[i] > 0) return; else s = 1;",
        "s = 1; for (i = 0; i < n; i++) if (A[i] > 0) return;",
        "switch (n) { case 1: goto out; }",
        "x: s = 1; if (s) goto x;",
        "while (n) { x: s = 1; } goto x;",
    ] {
        let found = refused(statement);
        assert_eq!(found[0], (Code::UnsupportedStatement, 4), "{statement}");
    }
    assert_eq!(refused("typedef int x;")[0].0, Code::UnsupportedStatement);
    assert_eq!(refused("while (n) { static int q; q = 1; }")[0].0, Code::Declaration);
    assert_eq!(refused("while (n) { double *q = A; n = 1; }")[0].0, Code::Declaration);
}

#[test]
fn bounds_and_conditions() {
    assert_eq!(refused("if (v) s = 1;")[0], (Code::Type, 4));
    assert_eq!(refused("while (v) s = 1;")[0], (Code::Type, 4));
    assert_eq!(refused("if (s > 0) exit(1);")[0], (Code::Call, 4));
    assert_eq!(refused("for (i = 0; i < count; i++) s = 1;")[0], (Code::UnknownName, 4));
}

#[test]
fn subscripts_and_pointers() {
    for region in ["s = A == B;", "s = *(A - B);", "s = *&t;", "s = B[0];", "A[0][0] = 1;"] {
        assert_eq!(refused(region)[0].0, Code::Pointer, "{region}");
    }
    assert_eq!(refused("s = (double *)A == 0;")[0].0, Code::Pointer);
}

#[test]
fn names_calls_and_expressions() {
    assert_eq!(refused("s = unknown;")[0].0, Code::UnknownName);
    assert_eq!(refused("for (i = 0; i < count; i++) s = 1;")[0].0, Code::UnknownName);
    assert_eq!(refused("s = longjmp();")[0].0, Code::Call);
    assert_eq!(refused("f(n, m, A, B, idx, v);")[0].0, Code::Type);
    assert_eq!(refused("st.y = 1;")[0].0, Code::Type);
    assert_eq!(refused("s = m.x;")[0].0, Code::Type);
    assert_eq!(refused("s = ({ s += 1; s; });")[0].0, Code::UnsupportedExpression);
    assert_eq!(refused("s = v;")[0].0, Code::Type);
    assert_eq!(refused("static int q;")[0].0, Code::Declaration);
    assert_eq!(refused("double q[2] = {1, 2};")[0].0, Code::Declaration);
}

#[test]
fn pragmas() {
    let codes = |text: &str| extract(text).expect_err(text)[0].code;
    assert_eq!(codes("int x;\n"), Code::NoRegion);
    assert_eq!(codes("void f() {\n#pragma scop\n}\n"), Code::Unbalanced);
    assert_eq!(codes("void f() {\n#pragma endscop\n}\n"), Code::Unbalanced);
    assert_eq!(
        codes("void f() {\n#pragma scop\n#pragma scop\n#pragma endscop\n}\n"),
        Code::Unbalanced
    );
    assert_eq!(codes("void f() {\n#pragma scop\n{ ;\n#pragma endscop\n}}\n"), Code::Unbalanced);
    assert_eq!(codes("#pragma scop\nint x;\n#pragma endscop\n"), Code::Syntax);
    assert_eq!(
        codes("void f(int n) { double s;\n#pragma scop\ns = = 1;\n#pragma endscop\n}\n"),
        Code::Syntax
    );
}

#[test]
fn several_refusals_in_one_run() {
    let found = refused("s = unknown;\nwhile (1) return;\nfor (i = 0; i < n; i++) s = v;");
    let lines: Vec<u32> = found.iter().map(|(_, line)| *line).collect();
    assert_eq!(lines, [4, 5, 6]);
}

#[test]
fn files() {
    let missing = read_file("/nonexistent/x.c".as_ref(), &Options::default());
    assert_eq!(missing.expect_err("missing")[0].code, Code::Unreadable);
    let folder = read_file(&std::env::temp_dir(), &Options::default());
    assert_eq!(folder.expect_err("a folder")[0].code, Code::Unreadable);
}

#[test]
fn declarations_that_are_needed_after_the_region() {
    let own = "for (int q = 0; q < 9; q++) A[q] = q;";
    let next = "for (int q = 0; q < 9; q++) A[q] += 1;";
    let accepted = extract(&function("double *restrict A", "", own, next));
    assert!(accepted.is_ok(), "an iterator that its loop declares is another one: {accepted:?}");
    let text = function("double *A", "double s;", "double q; q = 1; A[0] = q;", "s = q;");
    assert_eq!(extract(&text).expect_err("it is used")[0].code, Code::Declaration);
    // Where the name means something else outside, the result would use that.
    for (before, own, after) in [
        ("double q = 7;", "double q = 1; A[0] = q;", "s = q;"),
        ("enum { Q = 7 };", "enum { Q = 1 }; A[0] = Q;", "s = Q;"),
        ("", "enum { Q = 1 }; A[0] = Q;", "s = Q;"),
    ] {
        let before = format!("double s; {before} {{");
        let text = function("double *restrict A", &before, own, &format!("{after} }}"));
        assert_eq!(extract(&text).expect_err(own)[0].code, Code::Declaration, "{text}");
        let text = function("double *restrict A", &before, own, &format!("}} {after}"));
        assert_eq!(extract(&text).is_ok(), before.len() > 12, "{text}");
    }
}

#[test]
fn enumerations_whose_constants_are_no_numbers() {
    let with = |own: &str| {
        let text = function("double *restrict A, int n", "double s;", own, "");
        extract(&text).map(|_| ()).map_err(|found| found[0].code)
    };
    assert_eq!(with("enum { P = 3, Q }; A[Q] = P + 1;"), Ok(()));
    assert_eq!(with("enum tag { P = 3 }; A[P] = P;"), Ok(()));
    for own in [
        "enum tag { P = 3 }; enum tag x = P; A[x] = 1;",
        "enum { P = 3 }; A[0] = sizeof(P);",
        "enum { P = n }; A[0] = P;",
        "enum { P = 3000000000 }; A[0] = P;",
    ] {
        assert_eq!(with(own), Err(Code::UnsupportedStatement), "{own}");
    }
    assert_eq!(with("enum { P = 3 }; P = 4;"), Err(Code::UnsupportedExpression));
}

/// In the next iteration the pointer leads elsewhere.
#[test]
fn pointers_that_are_set_after_their_use() {
    for region in [
        "for (i = 0; i < n; i++) { *A = i; A = B; }",
        "for (i = 0; i < n; i++) { if (i > 3) { s = A[0]; } A = B; }",
        "for (i = 0; i < n; i++) { while (A[0] > s) s++; A = B; }",
    ] {
        let declared = "double *restrict A, double *restrict B, int n, int i, double s";
        let text = function(declared, "", region, "");
        let scop = &extract(&text).expect("the pointer is a scalar")[0].scop;
        let types: Vec<&str> = scop.arrays.iter().map(|array| &*array.element_type).collect();
        assert!(types.contains(&"double *"), "{region}: {types:?}");
    }
}

/// Text that is not understood may declare what hides a variable, set variables and keep their addresses.
#[test]
fn names_in_text_that_is_not_understood_may_be_anything() {
    let file = |before: &str| {
        format!(
            "double A[100];\ndouble *p;\nvoid f(int n, double *restrict B) {{\n  {before}\n#pragma scop\n  \
             for (int i = 0; i < n; i++)\n    A[i] = B[i];\n#pragma endscop\n}}\n"
        )
    };
    assert!(extract(&file("B[0] = 1;")).is_ok());
    assert!(extract(&file("p[0] = 1.0 @;")).is_ok());
    for hiding in ["double A[n] @;", "double *A = 1.0 @;", "unknown A[3] = @;"] {
        assert!(extract(&file(hiding)).is_err(), "{hiding}");
    }
}

/// The codes and messages of the refusals of a text.
fn messages(text: &str) -> Vec<(Code, String)> {
    let diagnostics = extract(text).expect_err(text);
    diagnostics.into_iter().map(|d| (d.code, d.message)).collect()
}

/// The threads of a parallel loop would access variables of their own.
#[test]
fn variables_of_each_thread() {
    for class in ["_Thread_local", "static __thread", "extern thread_local"] {
        let file = |region: &str| {
            format!(
                "{class} int t, b[9];\nint next(void) {{ return ++t; }}\nvoid f(int n, int *a) {{\n\
                 #pragma scop\n{region}\n#pragma endscop\n}}\n"
            )
        };
        let per_thread =
            |name: &str| (Code::Type, format!("`{name}` is a variable of each thread"));
        assert_eq!(messages(&file("for (int i = 0; i < n; i++) b[i] = i;")), [per_thread("b")]);
        assert_eq!(messages(&file("for (int i = 0; i < n; i++) a[i] = t;")), [per_thread("t")]);
        // A function that uses one stays in order, as one that is not known does.
        let region = "for (int i = 0; i < n; i++) a[i] = next();";
        let scop = extract(&file(region)).expect("it is a call").remove(0).scop;
        let order = |a: &loopwright_scop::Access| scop.array(a.array).tuple_name.contains("call");
        assert!(scop.statements[0].accesses.iter().any(order), "{scop}");
    }
}

#[test]
fn volatile_anywhere_in_a_declaration() {
    for (declared, use_of_it) in [
        ("long volatile int v", "a[i] = v"),
        ("int *volatile v", "a[i] = v[i]"),
        ("unsigned volatile long *v", "a[i] = v[i]"),
    ] {
        let text = function(
            &format!("int n, int *restrict a, {declared}"),
            "",
            &format!("for (int i = 0; i < n; i++) {use_of_it};"),
            "",
        );
        assert_eq!(messages(&text), [(Code::Type, "`v` is volatile".to_string())], "{declared}");
    }
}

/// A constant whose value is not known is not what has its name outside.
#[test]
fn constants_of_enumerations_hide_variables() {
    let text = "int K = 5;\nvoid f(int n, int *a) {\n  enum { K = sizeof(int) };\n#pragma scop\n\
                for (int i = 0; i < K; i++) a[i] = K;\n#pragma endscop\n}\n";
    let found = messages(text);
    assert!(found.iter().all(|(_, message)| !message.contains("changes")), "{found:?}");
}

#[test]
fn one_cause_is_one_refusal() {
    let text = function(
        "int n, int *a",
        "",
        "static int q = 1;\nfor (int i = 0; i < n; i++) a[i] = q;",
        "",
    );
    let message = "a `static` variable cannot be declared in a region";
    assert_eq!(messages(&text), [(Code::Declaration, message.to_string())]);
}

/// A name whose declaration stands in the file, but is not understood.
#[test]
fn declarations_that_are_not_understood() {
    let text = "int a[9];\nextern int b[9] __attribute__((persistent));\nvoid f(int n) {\n#pragma scop\n\
                for (int i = 0; i < n; i++) a[i] = b[i];\n#pragma endscop\n}\n";
    let found = extract(text).expect_err("b may be anything").remove(0);
    assert_eq!(found.message, "the declaration of `b` is not understood");
    assert_eq!(
        found.reason.as_deref(),
        Some("line 2 mentions it in text that is not understood as C")
    );
    let text = "void f(int n, struct grid g, int *a) {\n#pragma scop\n\
                for (int i = 0; i < g.n; i++) a[i] = 1;\n#pragma endscop\n}\n";
    let plain = text.replace("#pragma scop", "").replace("#pragma endscop", "");
    let file = SourceFile::from_text("test.c", &plain).autodetecting();
    let found = file.extract().expect_err("the member may be anything");
    let reason = "the member `n` is not known in this file";
    assert!(found.iter().any(|d| d.reason.as_deref() == Some(reason)), "{found:?}");
}
