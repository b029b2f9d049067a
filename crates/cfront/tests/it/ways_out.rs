//! Branches in loops after which the program does not come back.
use loopwright_cfront::{Code, Detection, Outcome, SourceFile};

const HEAD: &str = "int fprintf(void *, const char *, ...); void exit(int); void abort(void); extern void *err; int limit;\n\
                    int f(int n, int m, int k, double a[restrict n][m], const double *restrict b) {\n";

fn detect(body: &str) -> Detection {
    let text = format!("{HEAD}{body}  return 0;\n}}\n");
    let file = SourceFile::from_text("test.c", &text).autodetecting();
    file.detect().unwrap_or_else(|d| panic!("{text}\n{}", d[0]))
}

/// What is checked in front of the only region, which has all lines of the loop, and the number of
/// statements.
fn checked(branch: &str) -> (Vec<String>, usize) {
    let body = format!("  for (int i = 0; i < n; i++) {{\n{branch}\n    a[i][0] = b[i];\n  }}\n");
    let regions = detect(&body).regions;
    assert_eq!(regions.len(), 1, "{body}");
    assert_eq!(regions[0].first_line, 3, "{body}");
    (regions[0].condition_texts(), regions[0].scop.statements.len())
}

/// The codes for which such a loop is refused.
fn refused(branch: &str) -> Vec<Code> {
    let body = format!("  for (int i = 0; i < n; i++) {{\n{branch}\n    a[i][0] = b[i];\n  }}\n");
    let codes = |nest: loopwright_cfront::Nest| match nest.outcome {
        Outcome::Refused(found) => found.into_iter().map(|d| d.code).collect(),
        Outcome::Region(_) => Vec::new(),
    };
    detect(&body).nests.into_iter().flat_map(codes).collect()
}

#[test]
fn an_affine_condition_is_checked_in_front() {
    assert_eq!(
        checked("if (i > k) { fprintf(err, \"%d\", i); exit(1); }"),
        (vec!["((n <= 0) || (n >= 1 && (long) k + 1 >= (long) n))".into()], 1)
    );
    assert_eq!(checked("if (i > k) return -1;").1, 1);
    assert_eq!(checked("if (i >= m) abort();"), checked("if (i < m) ; else abort();"));
    assert_eq!(checked("if (m < 3) { limit = 0; return 2; }").1, 1);
    assert_eq!(
        checked("for (int j = 0; j < m; j++) { if (i + j > k) return 1; a[i][j] = 2; }").1,
        2
    );
}

#[test]
fn what_else_stands_in_the_choice_is_kept() {
    assert_eq!(checked("if (i > k) return -1; else a[i][1] = 3;").1, 2);
    assert_eq!(checked("if (i <= k) a[i][1] = 3; else exit(2);").1, 2);
}

#[test]
fn assertions_are_conditions() {
    let assertion = "((void) sizeof ((i < m) ? 1 : 0), __extension__ ({ if (i < m) ; else __assert_fail (\"i < m\", \"f.c\", 3, \"f\"); }));";
    let (conditions, n_statements) = checked(assertion);
    assert_eq!((conditions.len(), n_statements), (1, 1), "{conditions:?}");
}

#[test]
fn conditions_on_data_and_calls_that_come_back_are_refused() {
    assert!(refused("if (b[i] > 1) exit(1);").contains(&Code::Call));
    assert!(refused("if (b[i] > 1) return 1;").contains(&Code::UnsupportedStatement));
    assert!(refused("if (i > k) fprintf(err, \"\");").contains(&Code::Call));
    // It would never run.
    assert!(refused("if (i > 1) return 1;").contains(&Code::UnsupportedStatement));
    assert!(refused("exit(1);").contains(&Code::Call));
    // The loop changes what the condition reads.
    assert!(!refused("if (limit > k) return 1; limit = i;").is_empty());
}
