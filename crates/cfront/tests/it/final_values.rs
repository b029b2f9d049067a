//! The values of iterators after their loops, against loops that run.
use crate::common::{body_at, extract, function, points};
use loopwright_cfront::Region;

fn region(region: &str, after: &str) -> Region {
    let text = function("int n, int m, double *A", "int i, j, k;", region, after);
    match extract(&text) {
        Ok(regions) => regions.into_iter().next().expect("one region"),
        Err(diagnostics) => panic!("{text}\n{}", diagnostics[0]),
    }
}

/// What the last statement assigns for `n` and `m`: `i` after the loops.
fn check(loops: &str, run: impl Fn(i64, i64) -> i64) {
    let region = region(loops, "A[i] = 1;");
    let scop = &region.scop;
    let last = scop.statements.last().expect("the assignment");
    assert!(region.updates.contains(&last.id), "{loops}");
    let names: Vec<&str> = scop.parameters.iter().map(|p| &*p.name).collect();
    for (n, m) in (-3..7).flat_map(|n| (-3..7).map(move |m| (n, m))) {
        let values: Vec<i64> = names.iter().map(|p| if *p == "n" { n } else { m }).collect();
        assert_eq!(points(&last.domain, &values, -9, 9).len(), 1, "{loops}");
        assert_eq!(body_at(last, &values), format!("i = <{}>", run(n, m)), "{loops}: {n} {m}");
    }
}

#[test]
fn values_after_loops_are_affine() {
    check("for (i = 0; i < n; i++) A[i] = 1;", |n, _| n.max(0));
    check("for (i = m; i <= n; i++) A[i] = 1;", |n, m| if m <= n { n + 1 } else { m });
    check("for (i = n - 1; i >= m; i--) A[i] = 1;", |n, m| (n - 1).min(m - 1));
    check("for (i = 1; i < n; i += 3) A[i] = 1;", |n, _| {
        (0..).map(|x| 1 + 3 * x).find(|x| *x >= n).expect("some")
    });
    check("for (i = m; 3 * i < n; i++) A[i] = 1;", |n, m| {
        (m..).find(|x| 3 * x >= n).expect("some")
    });
    check("for (i = 2 * m; i > n; i -= 2) A[i] = 1;", |n, m| {
        (0..).map(|x| 2 * (m - x)).find(|x| *x <= n).expect("some")
    });
}

#[test]
fn reads_after_a_loop_are_values() {
    let scop = region("for (i = 0; i < n; i++) A[i] = 1;\nA[i + 1] = i;", "").scop;
    let last = scop.statements.last().expect("the read");
    assert_eq!(body_at(last, &[5]), "A[6] = <5>");
    assert_eq!(body_at(last, &[-2]), "A[1] = <0>");
    assert_eq!(scop.parameters.len(), 1);
}

#[test]
fn values_without_a_form_stay_in_memory() {
    // One statement each: the values are stored as they were.
    for loops in [
        "for (i = 0; i < n && i < m; i++) A[i] = 1;",
        "for (i = 0; A[i] > 0; i++) A[i] = 1;",
        "for (i = 0; i < n; i++) if (A[i] > 0) break;",
        "for (i = 0; i < n; i++) { if (i > m) break; A[i] = 1; }",
    ] {
        let found = region(loops, "A[i] = 1;");
        assert_eq!((found.scop.statements.len(), found.remarks.len()), (1, 1), "{loops}");
        let after = region(loops, "i = 2; A[i] = 1;");
        assert_eq!(after.scop.statements.len(), 1, "{loops}");
    }
}

#[test]
fn iterators_that_outlive_the_function_have_their_last_values() {
    for before in ["static int i;", "extern int i;"] {
        let loops = "for (i = 0; i < n; i++) A[i] = sin(i);";
        let text = function("int n, double *restrict A", before, loops, "");
        let text = format!("double sin(double);\n{text}");
        let found = &extract(&text).expect("a region")[0];
        assert_eq!((found.scop.statements.len(), found.updates.len()), (2, 1), "{before}");
        let last = &found.scop.statements[1];
        assert_eq!(body_at(last, &[5]), "i = <5>", "{before}");
    }
}

#[test]
fn scalars_that_are_assigned_before_they_are_read_are_not_kept() {
    let loops = "for (i = 0; i < n; i++) { double x = 2 * A[i]; t = x; A[i] = t * t; }";
    for (after, is_kept) in [
        ("t = 3; A[0] = t;", false),
        ("for (i = 0; i < n; i++) { t = i; A[i] = t; }", false),
        ("if (n > 3) A[0] = t;", true),
        ("if (n > 3) t = 1;\nA[0] = t;", true),
        ("t = t + 1;", true),
        ("if (n > 3) goto end;\nt = 3;\nend: A[0] = t;", true),
        ("", false),
    ] {
        let text = function("int n, double *A", "int i; double t;", loops, after);
        let scop = &extract(&text).expect("a region")[0].scop;
        let array = scop.arrays.iter().find(|array| &*array.name == "t").expect("t");
        assert_eq!(array.live_out, is_kept, "{after}");
    }
}

#[test]
fn scalars_that_the_next_execution_of_a_region_reads_are_kept() {
    for (region, is_read_first) in [
        ("for (i = 0; i < n; i++) { A[i] = t; t = 2; }", true),
        ("do { A[t] = 1; t = t + 1; } while (t <= n);", true),
        ("if (n > 3) t = 1;\nA[0] = t;", true),
        ("for (i = 0; i < n; i++) { t = i; A[i] = t; }", false),
        ("for (t = 0; t < n; t++) A[t] = 1;", false),
    ] {
        for (around, behind, is_kept) in [
            ("", "", false),
            ("for (k = 0; k < 9; k++)", "", is_read_first),
            // Where only an iterator is kept, a jump keeps more than is needed.
            ("again:", "if (other()) goto again;", true),
            ("if (n < 0) goto end; start:", "end: ;", false),
        ] {
            let text = format!(
                "int other(void);\nvoid f(int n, double *A) {{ int i, k, t = 3;\n{around} {{ other();\n\
                 #pragma scop\n{region}\n#pragma endscop\n}} {behind} }}\n"
            );
            let scop = &extract(&text).expect("a region")[0].scop;
            let array = scop.arrays.iter().find(|array| &*array.name == "t");
            assert_eq!(array.is_some_and(|array| array.live_out), is_kept, "{text}");
        }
    }
}

#[test]
fn iterators_that_others_see_are_variables() {
    for before in ["static int i;", "int i, *p = &i;"] {
        let loops = match before.starts_with("static") {
            true => "for (i = 0; i < n; i++) A[i] = other();",
            false => "for (i = 0; i < n; i++) A[i] = 1;",
        };
        let text = function("int n, double *restrict A", before, loops, "");
        let text = format!("double other(void);\n{text}");
        let found = &extract(&text).expect("a region")[0];
        let writes = |a: &loopwright_scop::Access| &*found.scop.array(a.array).name == "i";
        assert!(found.scop.statements[0].accesses.iter().any(writes), "{before}");
    }
}

#[test]
fn iterators_that_are_assigned_again_are_not_kept() {
    let loops = "for (i = 0; i < n; i++) A[i] = 1;";
    for after in ["for (i = 0; i < n; i++) A[i]++;", "i = 3; A[i] = 1;", "{ int i = 2; A[i] = 1; }"]
    {
        let found = region(loops, after);
        assert_eq!((found.scop.statements.len(), found.updates.len()), (1, 0), "{after}");
    }
    let inside = "void f(int n, double *A) { int i, t; for (t = 0; t < 9; t++) {\n\
        for (i = 0; i < 3; i++) A[i] = t;\n#pragma scop\n\
        for (i = 0; i < n; i++) A[i] = 1;\n#pragma endscop\n}}\n";
    assert_eq!(extract(inside).expect("a region")[0].updates.len(), 0);
    let before = inside.replace("for (i = 0; i < 3; i++) A[i] = t;", "A[i] = t;");
    assert_eq!(extract(&before).expect("a region")[0].updates.len(), 1);
}
