//! Which pairs of variables are known to be different memory, and which are checked or refused.
use loopwright_cfront::{Code, Fact, SourceFile};

/// The first two variables of a file that may be the same memory: those of a refusal or of a check.
fn overlap(text: &str) -> Option<String> {
    match SourceFile::from_text("test.c", text).extract() {
        Ok(regions) => {
            assert!(regions.iter().all(|region| region.scop.assumptions.is_empty()), "{text}");
            let facts = regions.iter().flat_map(|region| &region.conditions);
            facts.into_iter().find_map(|condition| match &condition.fact {
                Fact::Apart { names: [a, b], .. } => {
                    Some(format!("`{a}` and `{b}` may be the same memory"))
                }
                Fact::RowsApart { names, .. } => match &names[..] {
                    [only] => Some(format!("the rows of `{only}` may overlap")),
                    all => Some(format!("`{}` and `{}` may be the same memory", all[0], all[1])),
                },
                Fact::Inspected { names, .. } => {
                    Some(format!("`{}` and `{}` may be the same memory", names[0], names[1]))
                }
                Fact::Constants { .. } | Fact::Strides { .. } => None,
            })
        }
        Err(found) => {
            assert_eq!(found[0].code, Code::Overlap, "{}", found[0]);
            Some(found[0].message.clone())
        }
    }
}

fn between(head: &str, before: &str, region: &str, after: &str) -> String {
    format!("{head}\n{{\n{before}\n#pragma scop\n{region}\n#pragma endscop\n}}\n{after}\n")
}

const COPY: &str = "for (int i = 0; i < n; i++) a[i] = b[i];";
/// No pointer leads to an array that other files do not see and of which this one uses elements only.
#[test]
fn arrays_of_which_only_elements_are_used() {
    let with = |array: &str, other: &str| {
        let head = format!("{array}\nvoid f(int n, double *b)");
        overlap(&between(&head, "", "for (int i = 0; i < n; i++) a[i] = b[i];", other))
    };
    let hidden = "static double a[9];";
    assert_eq!(with(hidden, "double last(void) { return (a)[8] + a[0] * 2; }"), None);
    assert_eq!(with("double a[9];", "").as_deref(), SAME);
    assert_eq!(with("extern double a[9];", "").as_deref(), SAME);
    for leak in [
        "double *g(void) { return a; }",
        "double *g(void) { return &a[3]; }",
        "double *g(void) { return &(a[3]); }",
        "double *g(void) { return a + 2; }",
        "void g(void) { f(3, a); }",
        "void g(void) { f(3, &0[a]); }",
        "double *kept = a;",
        "double (*all)[9] = &a;",
        "void g(void) { __asm__(\"\" : : : \"memory\"); }",
    ] {
        assert_eq!(with(hidden, leak).as_deref(), SAME, "{leak}");
    }
    let rows = "static double a[9][9];\nvoid f(int n, double *b)";
    let copy = "for (int i = 0; i < n; i++) a[i][2] = b[i];";
    assert_eq!(overlap(&between(rows, "", copy, "")), None);
    let leak = "double *g(int i) { return a[i]; }";
    assert_eq!(overlap(&between(rows, "", copy, leak)).as_deref(), SAME);
    let record = "struct r { double x[2]; }; static struct r a[9];\nvoid f(int n, double *b)";
    let members = "for (int i = 0; i < n; i++) a[i].x[0] = b[i];";
    let leak = "double *g(int i) { return a[i].x; }";
    assert!(overlap(&between(record, "", members, leak)).is_some());
}

const SAME: Option<&str> = Some("`a` and `b` may be the same memory");

fn parameters(parameters: &str) -> Option<String> {
    overlap(&between(&format!("void f(int n, {parameters})"), "", COPY, ""))
}

#[test]
fn parameters_by_their_declarations() {
    assert_eq!(parameters("double *a, double *b").as_deref(), SAME);
    assert_eq!(parameters("int *a, unsigned *b").as_deref(), SAME);
    assert_eq!(parameters("double *a, char *b").as_deref(), SAME);
    assert_eq!(parameters("double *restrict a, double *b"), None);
    assert_eq!(parameters("double *a, double *__restrict__ b"), None);
    assert_eq!(parameters("double a[restrict n], double b[n]"), None);
    assert_eq!(parameters("double a[restrict static 8], double b[const]"), None);
    assert_eq!(parameters("double *a, float *b"), None);
    assert_eq!(parameters("double *a, int *b"), None);
    assert_eq!(parameters("double *a, long *b"), None);
    let reads = "double s; for (int i = 0; i < n; i++) { s = a[i] + b[i]; }";
    assert_eq!(overlap(&between("void f(int n, double *a, double *b)", "", reads, "")), None);
    let rows = "for (int i = 0; i < n; i++) a[i][0] = 1;";
    let found = overlap(&between("void f(int n, double **a)", "", rows, ""));
    assert_eq!(found.as_deref(), Some("the rows of `a` may overlap"));
    let bound = "for (int i = 0; i < m; i++) a[i] = 1;";
    let found = overlap(&between("int m; void f(int *a)", "", bound, ""));
    assert_eq!(found.as_deref(), Some("`m` and `a` may be the same memory"));
    assert_eq!(overlap(&between("int m; void f(double *a)", "", bound, "")), None);
}

#[test]
fn variables_of_the_function() {
    let local = |before: &str| overlap(&between("void f(int n, double *p)", before, COPY, ""));
    assert_eq!(local("double a[9], b[9];"), None);
    assert_eq!(local("double a[9]; double *b = p;"), None);
    assert_eq!(local("double *a = malloc(n * 8), *b = (double *)calloc(n, 8);"), None);
    assert_eq!(local("double *a, *b; a = malloc(n * 8); b = p + 3;"), None);
    assert_eq!(local("double a[9]; double *b = a;").as_deref(), SAME);
    assert_eq!(local("double a[9]; double *b = n + a;").as_deref(), SAME);
    assert_eq!(local("double a[9]; double *b = &a[3];").as_deref(), SAME);
    assert_eq!(local("double *a = p, *b = p + n;").as_deref(), SAME);
    assert_eq!(local("double *a = malloc(n), *b = malloc(n); if (n) b = a;").as_deref(), SAME);
    assert_eq!(local("double *a = malloc(n), *b = malloc(n); g(&a); h(b);").as_deref(), SAME);
    // Nobody is told where `a` leads to.
    assert_eq!(local("double *a = malloc(n), *b = malloc(n); g(&b);"), None);
    assert_eq!(local("static double a[9]; double *b = p;"), None);
    assert_eq!(local("static double a[9]; double *b = p; keep(a);").as_deref(), SAME);
    let global = |head: &str| overlap(&between(&format!("{head}\nvoid f(int n)"), "", COPY, ""));
    assert_eq!(global("double a[9], b[9];"), None);
    assert_eq!(global("double *a, *b;").as_deref(), SAME);
    assert_eq!(global("double a[9]; extern double *b;").as_deref(), SAME);
    assert_eq!(global("typedef double *vector; vector a; double b[9];").as_deref(), SAME);
    let both = "static double *a, *b; void start(int n) { a = malloc(n); b = malloc(n); }";
    assert_eq!(global(both), None);
    let same = "static double *a, *b; void start(int n) { a = malloc(n); b = a; }";
    assert_eq!(global(same).as_deref(), SAME);
}

#[test]
fn calls_in_the_file() {
    let called = |caller: &str| {
        overlap(&between("static void f(int n, double *a, double *b)", "", COPY, caller))
    };
    assert_eq!(called("double x[9], y[9]; void g(void) { f(9, x, y); }"), None);
    assert_eq!(called("void g(void) { double x[9], (*y)[3] = malloc(72); f(9, x, *y); }"), None);
    assert_eq!(called("void g(int n) { double *x = malloc(n); f(9, x, malloc(8)); }"), None);
    assert_eq!(called("void g(double *p) { double x[9]; f(9, x, p); f(9, p, x); }"), None);
    assert_eq!(called("double x[9]; void g(void) { f(9, x, x); }").as_deref(), SAME);
    assert_eq!(called("double x[9]; void g(void) { f(9, x, &x[4]); }").as_deref(), SAME);
    assert_eq!(called("void g(double *p, double *q) { f(9, p, q); }").as_deref(), SAME);
    assert_eq!(
        called(
            "static void g(double *p, double *q) { f(9, p, q); }\nvoid h(void) { double x[9], y[9]; g(x, y); }"
        ),
        None
    );
    assert_eq!(
        called("double x[9], y[9]; void g(void) { f(9, x, y); void (*h)() = f; }").as_deref(),
        SAME
    );
    let global = |caller: &str| {
        let region = "for (int i = 0; i < n; i++) a[i] = w[i];";
        overlap(&between("double w[9];\nstatic void f(int n, double *a)", "", region, caller))
    };
    assert_eq!(global("void g(void) { double x[9]; f(9, x); }"), None);
    let found = global("void g(void) { f(9, w); }");
    assert_eq!(found.as_deref(), Some("`w` and `a` may be the same memory"));
}

#[test]
fn members_behind_pointers() {
    let types = "struct list { int x; double y; struct list *next; };";
    let list = |region: &str| {
        overlap(&between(&format!("{types}\nvoid f(int n, struct list *p)"), "", region, ""))
    };
    assert_eq!(list("for (int i = 0; i < n; i++) { p[i].x = 1; p[i].y = p[i].x; }"), None);
    let found = list("for (int i = 0; i < n; i++) p[i].x = p[i].next->x;");
    assert!(found.is_some());
    assert_eq!(list("for (int i = 0; i < n; i++) p[i].x = p[i].next->y;"), None);
}

#[test]
fn on_request_they_are_different() {
    let text = between("void f(int n, double *a, double *b)", "", COPY, "");
    let regions = SourceFile::from_text("test.c", &text).assuming_no_alias().extract();
    let assumptions = &regions.expect("it is accepted")[0].scop.assumptions;
    let expected = ["the memory behind `a`, `b` does not overlap other arrays"];
    assert_eq!(assumptions, &expected);
    // Parameters that are declared as arrays are pointers.
    let text = between("void f(int n, double a[n], double b[n])", "", COPY, "");
    assert_eq!(overlap(&text).as_deref(), SAME);
    let text = text + "void g(void) { double x[9]; f(9, x, x); }";
    assert_eq!(overlap(&text).as_deref(), SAME);
}

/// Declarations that read as calls as long as the names of types are not known.
#[test]
fn pointers_to_arrays_of_named_types() {
    let caller = "void g(void) { letter (*x)[9]; double *y; x = (letter (*)[9])malloc(9); y = malloc(72); f(9, *x, y); }";
    let head = "typedef char letter; static void f(int n, letter *a, double *b)";
    assert_eq!(overlap(&between(head, "", COPY, caller)), None);
}

/// A program whose table of rows is filled and used in some way.
fn table(functions: &str, fill: &str, uses: &str) -> Option<String> {
    let functions = format!("{functions} void *malloc(unsigned long); void other(double **);");
    let head = format!("{functions}\nint main(void)");
    let rows = "for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) a[i][j] += a[i - 1][j];";
    overlap(&between(&head, &format!("int n = 9; {fill} {uses}"), rows, ""))
}

#[test]
fn rows_that_are_allocated_one_by_one() {
    let rows = "for (int k = 0; k < n; k++) a[k] = (double *) malloc(n * sizeof(double));";
    let fill = format!("double **a = malloc(n * sizeof *a); {rows}");
    assert_eq!(table("", &fill, ""), None);
    assert_eq!(table("", &format!("double *a[20]; {rows}"), "a[1][1] = *a[2];"), None);
    let prints = "double least(double **m, int n) { return n ? m[0][0] : **m; }";
    assert_eq!(table(prints, &fill, "if (!a || least(a, n) > 2) return 1;"), None);
    let makes = format!("double **make(int n) {{ {fill} return a; }}");
    assert_eq!(table(&makes, "double **a = make(n);", "double **b = make(n); b[0][0] = 1;"), None);
    let shared = Some("the rows of `a` may overlap");
    let changes = [
        "a[1] = a[2];",
        "a[1]++;",
        "*(a + 1) = *a;",
        "double *t = a[0]; *a = t;",
        "double **p = a; p[0] = p[1];",
        "double **p = &a[0]; p[0] = p[1];",
        "other(a);",
        "alias(a);",
        "a = same(a);",
    ];
    let aliases = "void alias(double **m) { m[0] = m[1]; } double **same(double **m) { return m; }";
    for change in changes {
        assert_eq!(table(aliases, &fill, change).as_deref(), shared, "{change}");
    }
    let contiguous = "double **a = malloc(72); for (int k = 1; k < n; k++) a[k] = a[0] + k * n;";
    assert_eq!(table("", contiguous, "").as_deref(), shared);
    let kept =
        format!("double **make(int n) {{ static double **a; if (a) return a; {rows} return a; }}");
    assert_eq!(table(&kept, "double **a = make(n);", "").as_deref(), shared);
}

#[test]
fn tables_of_rows_as_parameters() {
    let rows = "for (int k = 0; k < 9; k++) { x[k] = malloc(72); y[k] = malloc(72); }";
    let fill = format!("double **x = malloc(72), **y = malloc(72); {rows}");
    let body = "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) a[i][j] = b[i][j - 1];";
    let check = |storage: &str, call: &str| {
        let head =
            format!("void *malloc(unsigned long); {storage} void f(int n, double **a, double **b)");
        overlap(&between(&head, "", body, &format!("int main(void) {{ {fill} {call} return 0; }}")))
    };
    assert_eq!(check("static", "f(9, x, y); f(9, y, x);"), None);
    assert!(check("static", "f(9, x, x);").is_some());
    assert!(check("", "f(9, x, y);").is_some());
    assert!(check("static", "f(9, x, y); x[0] = y[0];").is_some());
}

/// What nobody else can lead to: variables whose address is not taken, memory whose address is not given
/// away.
#[test]
fn hidden_variables_and_pointers() {
    let with = |before: &str, region: &str, after: &str| {
        overlap(&format!(
            "void *malloc(unsigned long); void free(void *);\n{before}\nvoid f(int n, double *a)\n{{\n\
             #pragma scop\n{region}\n#pragma endscop\n}}\n{after}\n"
        ))
    };
    let sums = "for (int i = 0; i < n; i++) total += a[i];";
    assert_eq!(with("static double total;", sums, "double get(void) { return total; }"), None);
    let same = Some("`total` and `a` may be the same memory");
    assert_eq!(with("double total;", sums, "").as_deref(), same);
    for leak in [
        "double *g(void) { return &total; }",
        "void g(void) { f(1, &(total)); }",
        "void g(void) { __asm__(\"\" : : : \"memory\"); }",
    ] {
        assert_eq!(with("static double total;", sums, leak).as_deref(), same, "{leak}");
    }
    let factors = "for (int i = 0; i < n; i++) a[i] = a[i] * x[i];";
    let set = "static double *x; void g(int n) { x = malloc(8 * n); }";
    assert_eq!(with(set, factors, "double h(int i) { return *x + x[i] + *(&i); }"), None);
    assert_eq!(with(set, factors, "void h(void) { if (x != 0) free(x); x = 0; }"), None);
    let same = Some("`x` and `a` may be the same memory");
    for leak in [
        "double *h(void) { return x; }",
        "double *h(void) { return x + 1; }",
        "double *h(void) { return &x[1]; }",
        "double *h(void) { return &*x; }",
        "void h(void) { f(2, x); }",
        "double *y; void h(void) { y = x; }",
        "double *y; void h(void) { y = x = malloc(8); }",
        "void h(double *y) { x = y; }",
        "double **h(void) { return &x; }",
        "struct { double *p; } s; void h(void) { s.p = x; }",
        "double *h(int k) { return k ? x : 0; }",
        "double *y[] = { 0 }; void h(void) { y[0] = (double *) x; }",
        "unsigned long h(void) { return (unsigned long) x; }",
    ] {
        assert_eq!(with(set, factors, leak).as_deref(), same, "{leak}");
    }
    assert_eq!(
        with("double *x; void g(int n) { x = malloc(8 * n); }", factors, "").as_deref(),
        same
    );
}

/// Two pointers of the file that change places are still two.
#[test]
fn pointers_that_change_places() {
    let with = |functions: &str| {
        overlap(&format!(
            "void *malloc(unsigned long);\nstatic float *a, *b;\nvoid start(int n) {{ a = malloc(4 * n); b = malloc(4 * n); }}\n\
             void f(int n)\n{{\n#pragma scop\nfor (int i = 1; i < n; i++) a[i] = b[i - 1];\n#pragma endscop\n}}\n{functions}\n"
        ))
    };
    assert_eq!(with("void swap(void) { float *t = a; a = b; b = t; }"), None);
    assert_eq!(with("void swap(void) { float *t; t = b; b = a; a = t; }"), None);
    for other in [
        "void swap(void) { float *t = a; a = b; }",
        "void swap(void) { float *t = a; a = b; b = t; a = t; }",
        "void swap(float *t) { t = a; a = b; b = t; }",
        "void swap(void) { float *t = a; a = b; if (a) b = t; }",
        "float *kept; void swap(void) { float *t = a; a = b; b = t; kept = t; b = kept; }",
        "void swap(void) { float *b = 0; float *t = a; a = b; b = t; }",
    ] {
        assert_eq!(with(other).as_deref(), SAME, "{other}");
    }
}

/// Pointers in a variable of which only members are used.
#[test]
fn pointers_in_a_local_structure() {
    let with = |fill: &str, after: &str| {
        overlap(&format!(
            "void *malloc(unsigned long); struct two {{ double *a, *b; }}; void use(struct two *); struct two made(void);\n\
             void f(int n, double *out)\n{{\nstruct two s; {fill}\n#pragma scop\nfor (int i = 0; i < n; i++) s.a[i] = s.b[i] + out[i];\n\
             #pragma endscop\n{after}\n}}\n"
        ))
    };
    let both = "s.a = malloc(n); s.b = malloc(n);";
    assert_eq!(with(both, ""), None);
    let nested = "void *malloc(unsigned long); struct two { double *a, *b; }; struct box { struct two in; };\n\
                  void f(int n, struct two t)\n{\nstruct box s; s.in.a = malloc(n); s.in.b = malloc(n); s.in = t;\n\
                  #pragma scop\nfor (int i = 0; i < n; i++) s.in.a[i] = s.in.b[i];\n#pragma endscop\n}\n";
    assert!(overlap(nested).is_some());
    for (fill, after) in [
        ("s.a = malloc(n); s.b = s.a;", ""),
        ("s.a = s.b = malloc(n);", ""),
        (both, "use(&s);"),
        ("s = made();", ""),
        ("s.a = malloc(n); s.b = malloc(n); struct two t = s; s = t;", ""),
        ("s.a = malloc(n); s.b = malloc(n); double **p = &s.a; *p = s.b;", ""),
        ("s.a = malloc(n); s.b = out;", ""),
    ] {
        assert!(with(fill, after).is_some(), "{fill} {after}");
    }
}

/// What is checked and what cannot be.
#[test]
fn what_cannot_be_checked_is_refused() {
    let extracted = |head: &str, region: &str| {
        let text = between(&format!("struct two {{ double *a, *b; }};\n{head}"), "", region, "");
        let found = SourceFile::from_text("test.c", &text).extract();
        found.map(|regions| regions[0].conditions.len()).map_err(|found| found[0].code)
    };
    let pointers = "void f(int n, const int *k, double *a, double *b)";
    assert_eq!(extracted(pointers, "for (int i = 0; i < n; i++) a[i] = b[i];"), Ok(1));
    assert_eq!(extracted(pointers, "for (int i = 0; i < n; i++) a[i] = a[i] + k[i];"), Ok(0));
    for region in [
        "for (int i = 0; i < n; i++) a[k[i]] = b[i];",
        "for (int i = 0; i < n; i++) a[i] = b[k[i]];",
    ] {
        assert_eq!(extracted(pointers, region), Err(Code::Overlap), "{region}");
    }
    let members = "void f(int n, const int *k, struct two *s)";
    assert_eq!(extracted(members, "for (int i = 0; i < n; i++) s->a[i] = s->b[i];"), Ok(1));
    // Nothing says that the structure may be read if no element of it is.
    let guarded = "for (int i = 0; i < n; i++) if (k[i]) s->a[i] = s->b[i];";
    assert_eq!(extracted(members, guarded), Err(Code::Overlap));
    let behind = "for (int i = 0; i < n; i++) a[i] = k[i] > 0 ? s->b[i] : 0;";
    let both = "void f(int n, const int *k, double *a, struct two *s)";
    assert_eq!(extracted(both, behind), Err(Code::Overlap));
}
