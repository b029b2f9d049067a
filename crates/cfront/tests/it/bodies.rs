//! Accesses, texts, liveness and the surroundings of regions.
use crate::common;
use crate::common::{body_at, extract, function, scop};
use loopwright_cfront::{Options, read_file, replace_regions};
use loopwright_scop::{AccessKind, ElementKind, FloatingType, Scop, Statement};

/// The accesses of a statement as `kind tuple`, in order.
fn accesses(scop: &Scop, statement: &Statement) -> Vec<String> {
    let one = |a: &loopwright_scop::Access| {
        format!("{} {}", a.kind.keyword(), scop.array(a.array).tuple_name)
    };
    statement.accesses.iter().map(one).collect()
}

#[test]
fn kinds_of_accesses() {
    let arguments = "double a, double b, double c, double *x, int *p";
    let all = |text: &str| {
        let scop = scop(arguments, "", text);
        accesses(&scop, &scop.statements[0]).join(", ")
    };
    assert_eq!(all("a = b + c;"), "write a, read b, read c");
    assert_eq!(all("a = b = c;"), "write a, write b, read c");
    assert_eq!(all("a += x[3];"), "read a, write a, read x");
    assert_eq!(all("x[1]++;"), "read x, write x");
    assert_eq!(all("--p[2];"), "read p, write p");
    assert_eq!(all("a = b > 0 ? (c = 1) : x[0];"), "write a, read b, may-write c, read x");
    assert_eq!(all("a && (b = 2);"), "read a, may-write b");
    assert_eq!(all("*x = *(x + 2);"), "write x, read x");
    assert_eq!(all("a = sqrt(fabs(b));"), "write a, read b");
}

#[test]
fn texts() {
    let scop = scop(
        "int n, double A[n][n], unsigned u",
        "enum { THREE = 3 };",
        "for (int i = 0; i < n; i++) {
           A[i][THREE] = (double)(i  *  2 + 1)
               / n * (n) * i;
           for (unsigned k = 0; k < u; k++) A[i][k] = k * 2;
         }",
    );
    assert_eq!(body_at(&scop.statements[0], &[9, 9, 4]), "A[4][3] = (double)<9> / n * (n) * <4>");
    assert_eq!(body_at(&scop.statements[1], &[9, 9, 4, 5]), "A[4][5] = (unsigned)<5> * 2");
}

#[test]
fn commas_make_statements() {
    let scop = scop("double a, double b", "", "a = 1, b = a;");
    assert_eq!(scop.statements.len(), 2);
    assert_eq!(body_at(&scop.statements[1], &[]), "b = a");
}

#[test]
fn locals_are_killed_and_renamed() {
    let scop = scop(
        "int n, double *A",
        "double t;",
        "for (int i = 0; i < n; i++) { double t = A[i], q[4]; q[1] = t; A[i] = q[1]; }\n\
         for (int i = 0; i < n; i++) { float t; t = 1; A[i] = t; }\n t = 0;",
    );
    let tuples: Vec<&str> = scop.arrays.iter().map(|a| &*a.tuple_name).collect();
    assert_eq!(tuples, ["t_1", "q", "A", "t_2", "t"]);
    let kills: Vec<String> = scop
        .statements
        .iter()
        .filter(|s| s.is_kill)
        .map(|s| accesses(&scop, s).join(", "))
        .collect();
    assert_eq!(kills, ["kill t_1, kill q", "kill t_1, kill q", "kill t_2", "kill t_2"]);
    assert_eq!(body_at(&scop.statements[1], &[9, 2]), "t_1 = A[2]");
    let q = &scop.arrays[1];
    assert!(q.declared_in_scop && q.declaration_depth == 1 && !q.live_out);
    assert_eq!(q.declaration("z").as_deref(), Some("double z[4]"));
    assert_eq!(scop.arrays[3].element_type, "float");
}

#[test]
fn liveness() {
    let live = |before: &str, after: &str| {
        let region = "for (int i = 0; i < n; i++) s = A[i];";
        let text = function("int n, double *A", before, region, after);
        let scop = extract(&text).expect("accepted").remove(0).scop;
        scop.arrays.iter().find(|a| &*a.name == "s").expect("s").live_out
    };
    assert!(!live("double s;", ""));
    assert!(live("double s;", "A[0] = s;"));
    assert!(live("static double s;", ""));
    assert!(live("extern double s;", ""));
    assert!(live("double s; double *p = &s;", ""));
    let looped = "void f(int n, double *A) { double s = 0; for (int t = 0; t < 3; t++) {\n\
        A[0] = s;\n#pragma scop\n s = A[1];\n#pragma endscop\n}}\n";
    assert!(extract(looped).expect("accepted")[0].scop.arrays[0].live_out);
    let global = "double s;\nvoid f() {\n#pragma scop\n s = 1;\n#pragma endscop\n}\n";
    assert!(extract(global).expect("accepted")[0].scop.arrays[0].live_out);
}

#[test]
fn types_and_extents() {
    let text = "typedef float real;\ntypedef double matrix[10][20];\n\
        void f(int n, real A[n + 1], matrix B, unsigned char c[restrict], long double (*D)[7]) {\n\
        #pragma scop\n for (int i = 0; i < n; i++) { A[i] = B[1][2]; c[i] = 0; D[i][1] = 2; }\n\
        #pragma endscop\n}\n";
    let scop = extract(text).expect("accepted").remove(0).scop;
    let of = |name: &str| scop.arrays.iter().find(|a| &*a.name == name).expect("known");
    assert_eq!((of("A").element_type.as_str(), of("A").element_bytes), ("real", Some(4)));
    assert_eq!(of("B").extents.len(), 2);
    assert_eq!(of("B").element_kind, ElementKind::Floating);
    assert_eq!(of("c").element_kind, ElementKind::Unsigned);
    assert!(of("D").extents[0].is_none() && of("D").extents[1].is_some());
    assert_eq!(common::eval(of("A").extents[0].as_ref().expect("known"), &[5]), Some(6));
}

#[test]
fn context_has_what_c_guarantees() {
    let scop = scop(
        "unsigned u, int n, double A[n][n]",
        "",
        "for (int i = 0; i < n; i++) for (unsigned j = 0; j < u; j++) A[i][j] = 0;",
    );
    let holds = |n, u| common::set_contains(&scop.context, &[n, u]);
    assert!(holds(1, 0) && !holds(0, 0) && !holds(1, -1));
}

#[test]
fn other_bytes_stay() {
    let text = "// \u{e9}\r\n#define N 4\r\nvoid f(double *A) {\r\n\t#pragma scop\r\n\tfor (int i = 0; i < 3; i++)\r\n\t\tA[i] = 1;\r\n#pragma endscop\r\n}\r\nint tail;";
    let text = text.replace("#define N 4\r\n", "");
    let region = extract(&text).expect("accepted").remove(0);
    assert_eq!((region.first_line, region.last_line), (3, 6));
    assert_eq!(region.indentation, "\t");
    assert_eq!(region.function, "f");
    assert!(region.used_names.contains("tail"));
    let out = replace_regions(&text, &[(region.bytes.clone(), "NEW\n".into())]);
    assert_eq!(out, "// \u{e9}\r\nvoid f(double *A) {\r\nNEW\r\n}\r\nint tail;");
    assert_eq!(replace_regions(&text, &[(5..5000, "x".into())]), text);
}

#[test]
fn macros_are_expanded_in_regions_only() {
    let dir = std::env::temp_dir().join(format!("cfront-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    std::fs::write(dir.join("size.h"), "#define SIZE (n)\ntypedef float real;\n").expect("a file");
    let text = "#include <math.h>\n#include \"size.h\"\n#define AT(i) A[(i)]\n\
        static void f(int n, real *A) {\n#pragma scop\n\
        for (int i = 0; i < SIZE; i++)\n  AT(i) = sqrt(SCALE * AT(i)) +\n#if 1\n  1;\n#endif\n#pragma endscop\n}\n";
    let path = dir.join("macros.c");
    std::fs::write(&path, text).expect("a file");
    let options = Options { defines: vec!["SCALE=2.5".into()], ..Options::default() };
    let file = read_file(&path, &options).expect("preprocessed");
    let region = file.extract().expect("accepted").remove(0);
    assert_eq!((region.first_line, region.last_line), (5, 11));
    let statement = &region.scop.statements[0];
    assert_eq!(body_at(statement, &[9, 4]), "A[4] = sqrt(2.5 * A[4]) + 1");
    assert_eq!(statement.location.line, 7);
    assert_eq!(region.scop.arrays[0].element_type, "real");
    assert!(region.used_names.contains("AT"));
    std::fs::remove_dir_all(&dir).expect("removed");
}

#[test]
fn text_form_is_read_back() {
    let scop = scop(
        "int n, double A[n][n], double *x",
        "double s;",
        "for (int i = n - 1; i >= 0; i -= 2) { char q = 'a'; s = i % 2 ? x[i / 2] : q;\n\
         for (int j = 0; j < i; j++) if (j % 3 != 1) A[i][j] += s * (i + j); }",
    );
    let text = scop.to_string();
    let again = Scop::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(again.to_string(), text);
    assert_eq!(again.statements.len(), scop.statements.len());
    assert_eq!(again.statements[0].accesses[0].kind, AccessKind::Kill);
}

#[test]
fn casts_that_are_products() {
    let scop = scop("int n, double a, double b", "", "a = (b) * (a) - (b) - b * (n) + (double) a;");
    let accesses = accesses(&scop, &scop.statements[0]).join(", ");
    assert_eq!(accesses, "write a, read b, read a, read b, read b, read n, read a");
}

/// The type of elements is found through any number of names; truth values say what they are.
#[test]
fn types_by_other_names() {
    let text = "typedef double base; typedef base real; typedef _Bool flag; typedef flag mark;\n\
                void f(int n, real *restrict a, mark *restrict b) {\n#pragma scop\n\
                for (int i = 0; i < n; i++) { a[i] = 2; b[i] = 1; }\n#pragma endscop\n}\n";
    let scop = extract(text).expect("it is accepted").remove(0).scop;
    let of = |name: &str| scop.arrays.iter().find(|array| *array.name == *name).expect(name);
    assert_eq!(
        (of("a").element_bytes, of("a").floating_type()),
        (Some(8), Some(FloatingType::Double))
    );
    assert_eq!(of("a").element_type, "real");
    assert_eq!((of("b").element_bytes, of("b").element_type.as_str()), (Some(1), "_Bool"));
    assert_eq!(of("b").floating_type(), None);
}
