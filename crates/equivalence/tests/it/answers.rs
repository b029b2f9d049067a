//! Answers about single questions: laws, layouts, results, what has no model.
use loopwright_cfront::{Options, read_text};
use loopwright_equivalence::{Answer, Extremum, Laws, Method, Question, Witness, check};
use loopwright_presburger::{Budget, Map};
use loopwright_scop::{ArithmeticOperator, Scop};

fn model(parameters: &str, body: &str) -> Scop {
    of_tool(parameters, body, false)
}

/// The model of a text of another tool, whose floors are folded.
fn of_tool(parameters: &str, body: &str, folds_floors: bool) -> Scop {
    let text = format!("void f({parameters}) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n");
    let options = Options { folds_floors, assume_no_alias: true, ..Options::default() };
    let file = read_text("f.c".as_ref(), &text, &options).unwrap();
    file.extract().unwrap().remove(0).scop
}

fn answer(before: &Scop, after: &Scop, change: impl Fn(&mut Question<'_>)) -> Answer {
    let laws = Laws::default();
    let mut question = Question { before, after, live_out: None, layouts: &[], laws: &laws };
    change(&mut question);
    check(&question, &Budget::steps(20_000_000))
}

fn is_equal(before: &Scop, after: &Scop) -> bool {
    matches!(answer(before, after, |_| {}), Answer::Equal(_))
}

fn witness(before: &Scop, after: &Scop) -> Witness {
    match answer(before, after, |_| {}) {
        Answer::Different(witness) => *witness,
        other => panic!("{other:?}"),
    }
}

const VECTORS: &str = "int n, double *A, double *B, double *C";

fn vectors(body: &str) -> Scop {
    model(VECTORS, body)
}

#[test]
fn differences_come_with_the_smallest_constants_and_both_histories() {
    let one = vectors("for (int i = 0; i < n; i++) A[i] = B[i] + C[i];");
    let two = vectors("for (int i = 0; i < n; i++) A[i] = i == 3 ? C[i] : B[i] + C[i];");
    let found = witness(&one, &two);
    assert_eq!(found.parameters, [("n".to_string(), 4)]);
    assert_eq!(found.elements, ["A[3]", "A[3]"]);
    assert_eq!(found.histories, ["(B[3] + C[3])", "C[3]"]);
}

/// No small execution shows the fault: the refuted pairs of the proof lead to it.
#[test]
fn faults_that_only_large_constants_show_are_found() {
    let one = vectors("for (int i = 0; i < n; i++) A[i] = B[i];");
    let two = vectors("for (int i = 0; i < n; i++) A[i] = B[i >= 50 ? 50 : i];");
    let found = witness(&one, &two);
    assert_eq!(found.elements[0], "A[51]");
    assert!(found.parameters[0].1 > 51, "{found:?}");
}

#[test]
fn operands_have_an_order_unless_a_law_says_otherwise() {
    let one = vectors("for (int i = 0; i < n; i++) A[i] = B[i] + (C[i] + 1.5);");
    let two = vectors("for (int i = 0; i < n; i++) A[i] = (1.5 + B[i]) + C[i];");
    assert!(matches!(answer(&one, &two, |_| {}), Answer::Different(_)));
    let laws = Laws { associative_commutative: vec![ArithmeticOperator::Add], ..Laws::default() };
    let question =
        Question { before: &one, after: &two, live_out: None, layouts: &[], laws: &laws };
    assert!(matches!(check(&question, &Budget::steps(20_000_000)), Answer::Equal(_)));
    let other = vectors("for (int i = 0; i < n; i++) A[i] = (1.5 + B[i]) + B[i];");
    let question = Question { after: &other, ..question };
    assert!(matches!(check(&question, &Budget::steps(20_000_000)), Answer::Different(_)));
}

/// The answer with `+` as an operator whose operands have no order.
fn with_sums_in_any_order(parameters: &str, before: &str, after: &str) -> Answer {
    let laws = Laws { associative_commutative: vec![ArithmeticOperator::Add], ..Laws::default() };
    let models = [before, after].map(|body| model(parameters, body));
    let [before, after] = &models;
    let question = Question { before, after, live_out: None, layouts: &[], laws: &laws };
    check(&question, &Budget::steps(60_000_000))
}

#[test]
fn whole_loops_add_up_in_any_order_by_law() {
    let sum = "for (int i = 0; i < n; i++) A[0] += B[i] * C[i];";
    let matrix = "int n, double A[100][100], double B[100][100], double C[100][100]";
    let product = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { A[i][j] = 0; for (int k = 0; k < n; k++) A[i][j] += B[i][k] * C[k][j]; }";
    let histogram = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][0] += B[i][j]; for (int i = 0; i < n; i++) C[i][0] = A[i][0];";
    let equal = [
        (VECTORS, sum, "for (int i = n - 1; i >= 0; i--) A[0] += B[i] * C[i];"),
        (VECTORS, sum, "for (int i = n - 1; i >= 0; i--) A[0] = B[i] * C[i] + A[0];"),
        (
            VECTORS,
            sum,
            "for (int i = 0; i < n; i += 2) A[0] += B[i] * C[i]; for (int i = 1; i < n; i += 2) A[0] += B[i] * C[i];",
        ),
        (
            VECTORS,
            sum,
            "for (int t = 0; t < n; t += 16) for (int i = (t + 15 < n ? t + 15 : n - 1); i >= t; i--) A[0] += B[i] * C[i];",
        ),
        (
            matrix,
            product,
            "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = 0; for (int k = n - 1; k >= 0; k--) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] += B[i][k] * C[k][j];",
        ),
        (
            VECTORS,
            "double t = 0; for (int i = 0; i < n; i++) t += B[i]; A[0] = t;",
            "double t = 0; for (int i = n - 1; i >= 0; i--) t += B[i]; A[0] = t;",
        ),
        (
            matrix,
            histogram,
            "for (int j = n - 1; j >= 0; j--) for (int i = 0; i < n; i++) A[i][0] += B[i][j]; for (int i = 0; i < n; i++) C[i][0] = A[i][0];",
        ),
    ];
    for (parameters, before, after) in equal {
        let found = with_sums_in_any_order(parameters, before, after);
        let is_equal =
            matches!(&found, Answer::Equal(proof) if proof.method == Method::Correspondence);
        assert!(is_equal, "{after}: {found:?}");
        let models = [before, after].map(|body| model(parameters, body));
        assert!(matches!(answer(&models[0], &models[1], |_| {}), Answer::Different(_)), "{after}");
    }
}

/// A variable that lives for one iteration holds nothing that an earlier one has added.
#[test]
fn lives_of_variables_count() {
    let before = "double t = 0; for (int i = 0; i < n; i++) t += B[i]; A[0] = t;";
    let after = "for (int i = n - 1; i >= 0; i--) { double t; if (i == n - 1) t = 0; t += B[i]; if (i == 0) A[0] = t; }";
    let found = with_sums_in_any_order(VECTORS, before, after);
    assert!(!matches!(found, Answer::Equal(_)), "{found:?}");
}

/// A loop that ends early, an operand that is another one, a value that is seen while it is added up, another
/// operator in between.
#[test]
fn laws_do_not_hide_what_is_wrong_with_sums() {
    let sum = "for (int i = 0; i < n; i++) A[0] += B[i] * C[i];";
    let seen = "for (int i = 0; i < n; i++) { A[0] += B[i]; C[i] = A[0]; }";
    let scaled = "for (int i = 0; i < n; i++) { A[0] += B[i]; A[0] *= C[i]; }";
    let own = "for (int i = 1; i < n; i++) A[i] += A[i - 1];";
    let different = [
        (sum, "for (int i = n - 1; i > 0; i--) A[0] += B[i] * C[i];"),
        (sum, "for (int i = n - 1; i >= 0; i--) A[0] += B[i] * C[n - 1 - i];"),
        (sum, "for (int i = n - 1; i >= 0; i--) A[0] -= B[i] * C[i];"),
        (seen, "for (int i = n - 1; i >= 0; i--) { A[0] += B[i]; C[i] = A[0]; }"),
        (
            scaled,
            "for (int i = 0; i < n; i++) A[0] += B[i]; for (int i = 0; i < n; i++) A[0] *= C[i];",
        ),
        (own, "for (int i = n - 1; i >= 1; i--) A[i] += A[i - 1];"),
    ];
    for (before, after) in different {
        let found = with_sums_in_any_order(VECTORS, before, after);
        assert!(matches!(found, Answer::Different(_)), "{after}: {found:?}");
    }
}

/// Products do not distribute over sums, law or not.
#[test]
fn there_is_no_law_of_distribution() {
    let one = vectors("for (int i = 0; i < n; i++) A[i] = B[i] * (C[i] + 1.5);");
    let two = vectors("for (int i = 0; i < n; i++) A[i] = B[i] * C[i] + B[i] * 1.5;");
    let both = vec![ArithmeticOperator::Add, ArithmeticOperator::Multiply];
    let laws = Laws { associative_commutative: both, ..Laws::default() };
    let question =
        Question { before: &one, after: &two, live_out: None, layouts: &[], laws: &laws };
    assert!(matches!(check(&question, &Budget::steps(20_000_000)), Answer::Different(_)));
}

#[test]
fn sums_of_unrolled_loops_are_equal_by_law() {
    let one = vectors("A[0] = 0; for (int i = 0; i < 2 * n; i++) A[0] = A[0] + B[i];");
    let two =
        vectors("A[0] = 0; for (int i = 0; i < 2 * n; i += 2) A[0] = A[0] + (B[i] + B[i + 1]);");
    let laws = Laws { associative_commutative: vec![ArithmeticOperator::Add], ..Laws::default() };
    let question =
        Question { before: &one, after: &two, live_out: None, layouts: &[], laws: &laws };
    let answer = check(&question, &Budget::steps(20_000_000));
    assert!(matches!(answer, Answer::Equal(_)), "{answer:?}");
}

#[test]
fn results_may_be_named() {
    let one = vectors("for (int i = 0; i < n; i++) { A[i] = B[i]; C[i] = 0; }");
    let two = vectors("for (int i = 0; i < n; i++) { A[i] = B[i]; C[i] = 1; }");
    assert_eq!(witness(&one, &two).elements[0], "C[0]");
    let names = ["A".to_string()];
    let named = Question {
        before: &one,
        after: &two,
        live_out: Some(&names),
        layouts: &[],
        laws: &Laws::default(),
    };
    assert!(matches!(check(&named, &Budget::steps(1_000_000)), Answer::Equal(_)));
}

/// What only one program writes is a difference.
#[test]
fn further_writes_are_differences() {
    let one = vectors("for (int i = 0; i < n; i++) A[i] = B[i];");
    let two = vectors("for (int i = 0; i < n; i++) { A[i] = B[i]; C[i] = 1; }");
    assert_eq!(witness(&one, &two).histories, ["C[0]", "(double)1"]);
    assert_eq!(witness(&two, &one).histories, ["(double)1", "C[0]"]);
}

#[test]
fn layouts_relate_elements() {
    let parameters = "int n, double A[n][n], double B[n][n]";
    let one = model(
        parameters,
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = A[i][j] + B[i][j];",
    );
    let two = model(
        parameters,
        "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[j][i] = A[j][i] + B[i][j];",
    );
    assert!(matches!(answer(&one, &two, |_| {}), Answer::Different(_)));
    let layouts = [Map::parse("{ A[i,j] -> A[j,i] }").unwrap()];
    let laws = Laws::default();
    let question =
        Question { before: &one, after: &two, live_out: None, layouts: &layouts, laws: &laws };
    let found = check(&question, &Budget::steps(10_000_000));
    assert!(matches!(found, Answer::Equal(_)), "{found:?}");
    let wrong = [Map::parse("{ A[i,j] -> A[i,j] }").unwrap()];
    let question = Question { layouts: &wrong, ..question };
    assert!(matches!(check(&question, &Budget::steps(10_000_000)), Answer::Different(_)));
}

#[test]
fn rounding_to_a_type_counts() {
    let one = model(
        "int n, float *A, float *B",
        "for (int i = 0; i < n; i++) { double t = B[i] * 2.1; A[i] = t + 1; }",
    );
    let two = model(
        "int n, float *A, float *B",
        "for (int i = 0; i < n; i++) { float t = B[i] * 2.1; A[i] = t + 1; }",
    );
    assert!(is_equal(&one, &one));
    assert!(witness(&one, &two).histories[1].contains("(float)"));
}

/// Where signed arithmetic does not overflow, unsigned arithmetic has the same values; the other way around
/// nothing is known.
#[test]
fn unsigned_arithmetic_is_signed_arithmetic_that_does_not_overflow() {
    let of = |body: &str| {
        let body = format!("for (int i = 0; i < n; i++) {{ {body} }}");
        model("int n, int *A, int *B, short *C, long *L", &body)
    };
    let cases = [
        ("A[0] += B[i];", "A[0] = (int) ((unsigned) A[0] + (unsigned) B[i]);", true),
        ("A[0] = A[0] * B[i] - 3;", "A[0] = (int) ((unsigned) A[0] * (unsigned) B[i] - 3);", true),
        ("A[i] += i;", "A[i] = (int) ((unsigned) A[i] + (unsigned) i);", true),
        ("A[0] += C[i];", "A[0] = (int) ((unsigned) A[0] + (unsigned) C[i]);", true),
        ("C[0] += C[i];", "C[0] = (short) ((unsigned) C[0] + (unsigned) C[i]);", true),
        ("L[0] += B[i];", "L[0] = (long) ((unsigned long) L[0] + (unsigned long) B[i]);", true),
        ("A[0] += B[i];", "A[0] = (int) ((unsigned) A[0] + (unsigned) B[i] + 1);", false),
        ("A[i] = A[i] / B[i];", "A[i] = (int) ((unsigned) A[i] / (unsigned) B[i]);", false),
        ("L[0] += B[i];", "L[0] = (long) ((unsigned) L[0] + (unsigned) B[i]);", false),
        ("L[i] = (long) A[i] + B[i];", "L[i] = (long) ((unsigned) A[i] + (unsigned) B[i]);", false),
    ];
    for (before, after, equal) in cases {
        assert_eq!(is_equal(&of(before), &of(after)), equal, "{before} {after}");
        assert!(!is_equal(&of(after), &of(before)), "{after} {before}");
    }
}

#[test]
fn what_has_no_model_is_undecided_with_its_line() {
    let one = model("int n, int *k, double *A", "for (int i = 0; i < n; i++) A[i] = 1;");
    let two = model("int n, int *k, double *A", "for (int i = 0; i < n; i++)\nA[k[i]] = 1;");
    let Answer::Undecided { cause, lines } = answer(&one, &two, |_| {}) else { panic!() };
    assert!(cause.starts_with("the second program: "), "{cause}");
    assert_eq!(lines, [None, Some(4)]);
}

#[test]
fn budgets_end_questions() {
    let one = vectors("for (int i = 0; i < n; i++) A[i] = B[i];");
    let laws = Laws::default();
    let question =
        Question { before: &one, after: &one, live_out: None, layouts: &[], laws: &laws };
    assert!(matches!(check(&question, &Budget::steps(10)), Answer::Undecided { .. }));
}

/// Variables without a value in the first program are no difference, and nothing is proved of them.
#[test]
fn undefined_values_are_not_called_different() {
    let one = vectors("double t; for (int i = 0; i < n; i++) { if (i > 0) t = B[i]; A[i] = t; }");
    let two = vectors("double t; for (int i = 0; i < n; i++) { t = B[i]; A[i] = t; }");
    assert!(matches!(answer(&one, &two, |_| {}), Answer::Undecided { .. }));
}

/// What is data in one program may be a symbolic constant in the other.
#[test]
fn integers_are_the_same_as_data_and_as_bounds() {
    let one = model("int n, int m, int *A", "A[0] = n;");
    let two = model("int n, int m, int *A", "for (int i = n; i <= n; i++) A[0] = i;");
    assert!(is_equal(&one, &two));
    let other = model("int n, int m, int *A", "for (int i = n; i <= n; i++) A[0] = m;");
    assert!(!is_equal(&one, &other));
}

/// Conditions on sizes that are computed with floating numbers have a value in each execution: choices by
/// them are no difference.
#[test]
fn conditions_on_sizes_are_no_histories() {
    let one = vectors("for (int i = 0; i < n; i++) A[i] = B[i];");
    let two = vectors(
        "for (int i = 0; i < n; i++) { if ((double)n * n > 20000) A[i] = B[i]; if (!((double)n * n > 20000)) A[i] = B[i]; }",
    );
    assert!(!matches!(answer(&one, &two, |_| {}), Answer::Different(_)));
    let wrong = vectors(
        "for (int i = 0; i < n; i++) { if ((double)n * n > 3) A[i] = C[i]; if (!((double)n * n > 3)) A[i] = B[i]; }",
    );
    assert_eq!(witness(&one, &wrong).parameters, [("n".to_string(), 2)]);
}

/// Loops over eight elements run for sizes that the first executions do not have, and the bound of the last
/// one is in a variable that nothing reads.
const EIGHT_AT_ONCE: &str = "int m; m = n;
    for (int t = 0; t < 10; t++)
      for (int i = 0; i + 7 < n; i += 8)
        for (int u = 0; u < 8; u++) A[i + u] = A[i + u] * 0.5;
    for (int t = 0; t < 10; t++)
      for (int i = n - n % 8; i < n; i++) A[i] = A[i] * 0.5;";

#[test]
fn loops_that_only_large_sizes_run_are_equal() {
    let one =
        vectors("for (int t = 0; t < 10; t++) for (int i = 0; i < n; i++) A[i] = A[i] * 0.5;");
    let Answer::Equal(_) = answer(&one, &vectors(EIGHT_AT_ONCE), |_| {}) else { panic!() };
    let wrong = vectors(&EIGHT_AT_ONCE.replace("u < 8", "u < 7"));
    assert_eq!(witness(&one, &wrong).parameters, [("n".to_string(), 8)]);
}

/// Results that are kept in variables, which are no plain copies, correspond to no instances one to one;
/// executions suggest which values they hold.
#[test]
fn hypotheses_that_executions_suggest_are_proved() {
    let parameters = "int n, double A[n][n], double B[n][n]";
    let one = model(
        parameters,
        "for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] -= B[i][k] * B[k][j];",
    );
    let tiled = "for (int c = 0; 16 * c < n; c++)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
          double value; value = i > 0 ? A[i][j] : A[0][j];
          for (int k = 16 * c; k < 16 * c + 16 && k < n; k++) value -= B[i][k] * B[k][j];
          A[i][j] = value;
        }";
    let Answer::Equal(proof) = answer(&one, &model(parameters, tiled), |_| {}) else { panic!() };
    assert_eq!(proof.method, Method::Induction);
    let wrong = tiled.replace("k < 16 * c + 16", "k < 16 * c + 15");
    let Answer::Different(witness) = answer(&one, &model(parameters, &wrong), |_| {}) else {
        panic!()
    };
    assert!((16..=32).contains(&witness.parameters[0].1), "{witness:?}");
}

/// C rounds quotients towards zero: each is two cases, unless the loops around say that the dividend is not
/// negative.
#[test]
fn quotients_of_what_is_not_negative_are_one_case() {
    let body = "for (int c = 0; c < n; c++) for (int d = 0; d <= (c + 7) / 8 && d <= (2 * c + 9) / 16; d++) A[d] = c;";
    let plain = of_tool("int n, int *A", body, false);
    let folded = of_tool("int n, int *A", body, true);
    assert_eq!(folded.statements[0].domain.basic_sets().len(), 1);
    assert!(is_equal(&plain, &folded));
    let below = of_tool("int n, int *A", &body.replace("c = 0", "c = -20"), true);
    let exact = of_tool("int n, int *A", &body.replace("c = 0", "c = -20"), false);
    assert!(below.statements[0].domain.basic_sets().len() > 1);
    assert!(is_equal(&below, &exact));
}

const DATA: &str = "int n, int m, int k[n], double A[n], double B[n], double C[m]";

fn cause(before: &Scop, after: &Scop) -> String {
    match answer(before, after, |_| {}) {
        Answer::Undecided { cause, .. } => cause,
        other => panic!("{other:?}"),
    }
}

/// Loops that data end are functions of what they read: of the same text they are equal, of others nothing is
/// known.
#[test]
fn statements_that_data_control_are_functions_of_what_they_read() {
    let body = |name: &str, factor: &str| {
        format!(
            "for (int i = 0; i < n; i++) {{ double {name} = A[i];\nwhile ({name} > 1.0) {name} = {name} * {factor}; B[i] = {name}; }}"
        )
    };
    let one = model(DATA, &body("x", "0.5"));
    assert!(is_equal(&one, &model(DATA, &body("y", "0.5"))));
    let other = model(DATA, &body("x", "0.25"));
    assert!(
        cause(&one, &other).starts_with("the first program: it has a part that is no expression")
    );
    let from_other = body("x", "0.5").replace("A[i]", "A[n - 1 - i]");
    let found = witness(&one, &model(DATA, &from_other));
    assert_eq!(found.differences, ["A[0]", "A[1]"]);
    assert_eq!(found.parameters[0], ("n".to_string(), 2));
    assert!(found.histories[0].contains("{while ( @0 > 1.0 ) @0 = @0 * 0.5}(A[0])"), "{found:?}");
    let narrow = body("x", "0.5").replace("double x", "float x");
    assert!(matches!(answer(&one, &model(DATA, &narrow), |_| {}), Answer::Undecided { .. }));
}

/// Variables that the text declares have any names, in their scopes; other names have to mean the same in
/// both programs.
#[test]
fn names_of_local_variables_do_not_matter() {
    let body = |name: &str, limit: &str| {
        format!(
            "for (int i = 0; i < n; i++) for (int {name} = 0; {name} < m; {name}++) if (C[{name}] > A[i]) {{ k[i] = {name} + {limit}; break; }}"
        )
    };
    let one = model(DATA, &body("j", "n"));
    assert!(is_equal(&one, &model(DATA, &body("q", "n"))));
    assert!(!is_equal(&one, &model(DATA, &body("j", "m"))));
    let wide = model(&DATA.replace("int m", "long m"), &body("j", "n"));
    assert!(!is_equal(&one, &wide));
}

/// What is read by a subscript that is data comes from the last write of any element.
#[test]
fn subscripts_that_are_data_may_be_any_element() {
    let gather = |first: &str| format!("{first} for (int i = 0; i < n; i++) B[i] = C[k[i]];");
    let set = "for (int j = 0; j < m; j++) C[j] = j;";
    let backwards = "for (int j = m - 1; j >= 0; j--) C[j] = j;";
    let one = model(DATA, &gather(set));
    assert!(is_equal(&one, &model(DATA, &gather(backwards))));
    let fewer = model(DATA, &gather("for (int j = 1; j < m; j++) C[j] = j;"));
    assert!(!is_equal(&one, &fewer));
    let other = model(DATA, &gather(set).replace("C[k[i]]", "C[k[n - 1 - i]]"));
    let found = witness(&one, &other);
    assert_eq!(found.differences, ["k[0]", "k[1]"]);
    // With one element there is nothing to choose.
    assert!(found.parameters.iter().any(|(name, value)| name == "m" && *value >= 2), "{found:?}");
}

/// Places of an array of which any element is read elsewhere in the text count by their subscripts.
#[test]
fn places_of_an_array_are_told_apart() {
    let body = |at: &str| {
        format!(
            "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (C[j] > C[{at}]) {{ k[i] = j; break; }}"
        )
    };
    let one = model(DATA, &body("0"));
    assert!(is_equal(&one, &one));
    assert!(!is_equal(&one, &model(DATA, &body("1"))));
    assert!(!is_equal(&one, &model(DATA, &body("i"))));
    let two = "for (int i = 0; i < n; i++) { switch (k[i]) { case 0: B[i] = A[i]; break; default: A[0] = B[i]; } }";
    let (one, two) = (model(DATA, two), model(DATA, &two.replace("A[0]", "A[1]")));
    assert!(is_equal(&one, &one));
    assert!(!is_equal(&one, &two));
}

/// Elements that may be written keep the order of their writes.
#[test]
fn writes_to_elements_that_data_choose_keep_their_order() {
    let scatter = |head: &str| format!("for ({head}) C[k[i]] = A[i];");
    let one = model(DATA, &scatter("int i = 0; i < n; i++"));
    assert!(is_equal(&one, &one));
    let back = model(DATA, &scatter("int i = n - 1; i >= 0; i--"));
    assert!(matches!(answer(&one, &back, |_| {}), Answer::Different(_)));
}

/// An old value that may not matter is no witness: `x` is written before it is read, which the model does not
/// know.
#[test]
fn operands_that_may_not_matter_are_no_witnesses() {
    let body = |first: &str| {
        format!(
            "double x = {first}; for (int i = 0; i < n; i++) {{ for (x = A[i]; x > 1.0; x = x * 0.5) ; B[i] = x; }}"
        )
    };
    let (one, two) = (model(DATA, &body("0.0")), model(DATA, &body("1.0")));
    assert!(!matches!(answer(&one, &two, |_| {}), Answer::Different(_)));
}

/// The sum of an array, and the same divided among other variables.
const SUM: &str = "double s = 0; for (int i = 0; i < n; i++) s += B[i]; A[0] = s;";

/// Sums that are divided among variables, with all that there is to add.
const DIVIDED_SUMS: [(&str, &str, &str); 13] = [
    (
        "four variables and a rest",
        SUM,
        "double s = 0, s0 = 0, s1 = 0, s2 = 0, s3 = 0;
         for (int i = 0; i + 3 < n; i += 4) { s0 += B[i]; s1 += B[i + 1]; s2 += B[i + 2]; s3 += B[i + 3]; }
         for (int i = n - n % 4; i < n; i++) s += B[i];
         A[0] = s + ((s0 + s1) + (s2 + s3));",
    ),
    (
        "a variable for each block",
        SUM,
        "double s = 0;
         for (int b = 0; 16 * b < n; b++) {
           double p = 0;
           for (int i = 16 * b; i < n && i < 16 * b + 16; i++) p += B[i];
           s += p;
         }
         A[0] = s;",
    ),
    (
        "an element for each block",
        SUM,
        "double s = 0;
         for (int b = 0; 16 * b < n; b++) C[b] = 0;
         for (int b = 0; 16 * b < n; b++) for (int i = 16 * b; i < n && i < 16 * b + 16; i++) C[b] += B[i];
         for (int b = 0; 16 * b < n; b++) s += C[b];
         A[0] = s;",
    ),
    (
        "an element for each of eight threads",
        SUM,
        "double p[8];
         for (int t = 0; t < 8; t++) { p[t] = 0; for (int i = t; i < n; i += 8) p[t] += B[i]; }
         double s = 0;
         for (int t = 0; t < 8; t++) s += p[t];
         A[0] = s;",
    ),
    (
        "halves of eight elements",
        SUM,
        "double p[8];
         for (int t = 0; t < 8; t++) p[t] = 0;
         for (int i = 0; 8 * i < n; i++) for (int t = 0; t < 8 && 8 * i + t < n; t++) p[t] += B[8 * i + t];
         for (int t = 0; t < 4; t++) p[t] += p[t + 4];
         for (int t = 0; t < 2; t++) p[t] += p[t + 2];
         A[0] = p[0] + p[1];",
    ),
    (
        "what an element held before",
        "for (int i = 0; i < n; i++) A[0] += B[i] * C[i];",
        "double t = 0, u = 0;
         for (int i = 0; 2 * i < n; i++) t += B[2 * i] * C[2 * i];
         for (int i = 0; 2 * i + 1 < n; i++) u += B[2 * i + 1] * C[2 * i + 1];
         A[0] = u + t + A[0];",
    ),
    (
        "a sum for each element",
        "for (int i = 0; i < n; i++) { A[i] = 0; for (int j = 0; j < i; j++) A[i] += B[i + j] * C[j]; }",
        "for (int i = 0; i < n; i++) {
           double p = 0, q = 0;
           for (int j = 0; j + 1 < i; j += 2) { p += B[i + j] * C[j]; q += B[i + j + 1] * C[j + 1]; }
           A[i] = p + q;
           if (i % 2 == 1) A[i] += B[2 * i - 1] * C[i - 1];
         }",
    ),
    (
        "a part of a larger value",
        "double s = 0; for (int i = 0; i < n; i++) s += B[i]; for (int i = 0; i < n; i++) A[i] = C[i] / s;",
        "double s = 0, t = 0; for (int i = 0; i < n; i += 2) s += B[i]; for (int i = 1; i < n; i += 2) t += B[i];
         s += t;
         for (int i = 0; i < n; i++) A[i] = C[i] / s;",
    ),
    (
        "a number that is added many times",
        "double s = 0; for (int i = 0; i < n; i++) s += 0.1; A[0] = s;",
        "double s = 0, t = 0; for (int i = 0; i < n; i += 2) s += 0.1; for (int i = 1; i < n; i += 2) t += 0.1; A[0] = s + t;",
    ),
    (
        "an element that is added many times",
        "double s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += B[i] * C[0]; A[0] = s;",
        "double s = 0, t = 0;
         for (int i = 0; i < n; i++) for (int j = 0; j < i; j += 2) s += B[i] * C[0];
         for (int i = 0; i < n; i++) for (int j = i - 1 - i % 2; j > 0; j -= 2) t += B[i] * C[0];
         A[0] = s + t;",
    ),
    (
        "a partial sum that is added twice",
        "double s = 0; for (int i = 0; i < n; i++) s += B[i]; for (int i = 0; i < n; i++) s += B[i]; A[0] = s;",
        "double s = 0, t = 0; for (int i = n - 1; i >= 0; i--) s += B[i]; A[0] = s + s + t;",
    ),
    (
        "a partial sum that is added many times",
        "double s = 0; for (int k = 0; k < n; k++) for (int i = 0; i < n; i++) s += B[i]; A[0] = s;",
        "double s = 0, t = 0; for (int i = 0; i < n; i++) t += B[i]; for (int k = 0; k < n; k++) s += t; A[0] = s;",
    ),
    (
        "a sum of nothing",
        "double s = 0; for (int i = 0; i < n; i++) A[i] = B[i];",
        "double s = 0, t = 0; s += t; for (int i = 0; i < n; i++) A[i] = s + B[i];",
    ),
];

#[test]
fn sums_that_are_divided_among_variables_are_equal_by_law() {
    for (what, before, after) in DIVIDED_SUMS {
        // What `C` holds in the end is no result: some texts use it.
        let found = sums_in(before, after);
        assert!(matches!(found, Answer::Equal(_)), "{what}: {found:?}");
    }
}

/// The answer about `A`, with `+` as an operator whose operands have no order.
fn sums_in(before: &str, after: &str) -> Answer {
    let laws = Laws { associative_commutative: vec![ArithmeticOperator::Add], ..Laws::default() };
    let models = [before, after].map(vectors);
    let [before, after] = &models;
    let names = ["A".to_string()];
    let question = Question { before, after, live_out: Some(&names), layouts: &[], laws: &laws };
    check(&question, &Budget::steps(60_000_000))
}

/// One thing is wrong with each: a start, a rest that is lost or added twice, a variable that is not cleared,
/// a type, an operator in between.
#[test]
fn faults_of_divided_sums_are_found() {
    let blocks = "double s = 0;
         for (int b = 0; 4 * b < n; b++) {
           double p = 0;
           for (int i = 4 * b; i < n && i < 4 * b + 4; i++) p += B[i];
           s += p;
         }
         A[0] = s;";
    let four = DIVIDED_SUMS[0].2;
    let different = [
        four.replace("i = n - n % 4", "i = n - n % 4 + 1"),
        four.replace("i = n - n % 4", "i = n - n % 8"),
        four.replace("i + 3 < n", "i + 4 < n"),
        four.replace("B[i + 2]", "B[i + 1]"),
        four.replace("s2 = 0", "s2 = 1"),
        four.replace("s2 += B[i + 2]", "s3 += B[i + 2] * 2"),
        four.replace("(s2 + s3)", "(s2 - s3)"),
        four.replace("(s2 + s3)", "(s2 + s2)"),
        four.replace("(s2 + s3)", "s2"),
        blocks
            .replace("double p = 0;", "p = 0;")
            .replace("double s = 0;", "double s = 0, p;")
            .replace("s += p", "s = p"),
        blocks.replace("double p = 0;", "").replace("double s = 0;", "double s = 0, p = 0;"),
        blocks.replace("4 * b + 4", "4 * b + 5"),
        blocks.replace("4 * b + 4", "4 * b + 3"),
        blocks.replace("4 * b < n", "4 * b + 1 < n"),
        blocks.replace("p += B[i]", "p += B[n - 1 - i]").replace("4 * b < n", "8 * b < n"),
    ];
    for after in different {
        let found = sums_in(SUM, &after);
        assert!(matches!(found, Answer::Different(_)), "{after}: {found:?}");
    }
    assert!(matches!(sums_in(SUM, blocks), Answer::Equal(_)));
    // Rounding to another type, a variable that holds nothing.
    let not_equal = [
        four.replace("double s = 0, s0 = 0,", "double s = 0; float s0 = 0; double"),
        four.replace(", s1 = 0", ", s1"),
    ];
    for after in not_equal {
        let found = sums_in(SUM, &after);
        assert!(!matches!(found, Answer::Equal(_)), "{after}: {found:?}");
    }
}

/// As many of each number, not only as many numbers and the same ones.
#[test]
fn contributions_are_counted() {
    let twice =
        "double s = 0; for (int i = 0; i < n; i++) { s += B[0]; s += B[0]; s += C[0]; } A[0] = s;";
    let other =
        "double s = 0; for (int i = 0; i < n; i++) { s += C[0]; s += B[0]; s += C[0]; } A[0] = s;";
    let parted = "double s = 0, t = 0; for (int i = 0; i < 2 * n; i++) s += B[0]; for (int i = 0; i < n; i++) t += C[0]; A[0] = s + t;";
    assert!(matches!(sums_in(twice, parted), Answer::Equal(_)));
    assert!(matches!(sums_in(other, parted), Answer::Different(_)));
    // The difference begins where `n` is greater than all sizes that are tried first.
    let late = parted.replace("i < 2 * n", "i < 2 * n - (n > 70)");
    let found = sums_in(twice, &late);
    assert!(matches!(&found, Answer::Different(own) if own.parameters[0].1 > 70), "{found:?}");
}

/// Sums are sums of the operators that are named, and of no others.
#[test]
fn laws_hold_for_operators_that_are_named() {
    let product = SUM.replace("+=", "*=").replace("s = 0", "s = 1");
    let divided = "double s = 1, t = 1; for (int i = 0; i < n; i += 2) s *= B[i]; for (int i = 1; i < n; i += 2) t *= B[i]; A[0] = s * t;";
    let models = [&product, divided].map(vectors);
    let [before, after] = &models;
    let with = |operators: &[ArithmeticOperator]| {
        let laws = Laws { associative_commutative: operators.to_vec(), ..Laws::default() };
        let question = Question { before, after, live_out: None, layouts: &[], laws: &laws };
        check(&question, &Budget::steps(20_000_000))
    };
    assert!(matches!(with(&[ArithmeticOperator::Multiply]), Answer::Equal(_)));
    assert!(matches!(with(&[ArithmeticOperator::Add]), Answer::Different(_)));
    assert!(matches!(with(&[]), Answer::Different(_)));
    let bits = "int n, unsigned *A, unsigned *B";
    let models = [
        "unsigned s = 0; for (int i = 0; i < n; i++) s |= B[i]; A[0] = s;",
        "unsigned s = 0, t = 0; for (int i = 0; i < n; i += 2) s |= B[i]; for (int i = 1; i < n; i += 2) t |= B[i]; A[0] = t | s;",
    ].map(|body| model(bits, body));
    let [before, after] = &models;
    let laws = Laws { associative_commutative: vec![ArithmeticOperator::Or], ..Laws::default() };
    let question = Question { before, after, live_out: None, layouts: &[], laws: &laws };
    assert!(matches!(check(&question, &Budget::steps(20_000_000)), Answer::Equal(_)));
}

/// However they are written, and however often a value is compared.
#[test]
fn maxima_are_maxima_by_law() {
    let before = "double m = B[0]; for (int i = 1; i < n; i++) if (B[i] > m) m = B[i]; A[0] = m;";
    let with = |law: Extremum, after: &str| {
        let laws = Laws { extrema: vec![law], ..Laws::default() };
        let models = [before, after].map(vectors);
        let [before, after] = &models;
        let question = Question { before, after, live_out: None, layouts: &[], laws: &laws };
        check(&question, &Budget::steps(20_000_000))
    };
    let divided = "double m = B[0], k = B[0];
         for (int i = 0; i < n; i += 2) m = m < B[i] ? B[i] : m;
         for (int i = 1; i < n; i += 2) k = fmax(k, B[i]);
         A[0] = k >= m ? k : m;";
    let equal = [
        divided.to_string(),
        divided.replace("k = B[0]", "k = m"),
        before.replace("int i = 1; i < n; i++", "int i = n - 1; i > 0; i--"),
        before.replace("B[i] > m", "m <= B[i]"),
    ];
    for after in equal {
        assert!(matches!(with(Extremum::Maximum, &after), Answer::Equal(_)), "{after}");
        assert!(!matches!(with(Extremum::Minimum, &after), Answer::Equal(_)), "{after}");
    }
    let different = [
        divided.replace("k = B[0]", "k = B[1]"),
        divided.replace("int i = 1; i < n", "int i = 1; i < n - 1"),
        divided.replace("k = fmax(k", "k = fmin(k"),
        divided.replace("k >= m", "k <= m"),
        divided.replace("m < B[i] ?", "m < B[i + 1] ?"),
    ];
    for after in different {
        let found = with(Extremum::Maximum, &after);
        assert!(matches!(found, Answer::Different(_)), "{after}: {found:?}");
    }
}

const PRODUCT: &str = "int n, int m, double *A, double (*C)[n]";

/// A triangle in tiles of two rows and columns, in variables that hold the elements of a tile; on the
/// diagonal a part of them has none.
fn tiled_triangle(load: &str, update: &str, store: &str) -> Scop {
    let body = format!(
        "for (int k0 = 0; k0 < m; k0 += 4) for (int i = 0; i < n; i += 2) for (int j = i; j < n; j += 2) {{ double r[2][2];
           for (int x = 0; x < 2; x++) for (int y = 0; y < 2; y++) r[x][y] = 0.0;
           for (int x = 0; x < 2; x++) for (int y = 0; y < 2; y++) if ({load}) r[x][y] = C[i + x][j + y];
           for (int k = k0; k < m && k < k0 + 4; k++) for (int x = 0; x < 2; x++) for (int y = 0; y < 2; y++) r[x][y] += {update};
           for (int x = 0; x < 2; x++) for (int y = 0; y < 2; y++) if ({store}) C[i + x][j + y] = r[x][y];
         }}"
    );
    model(PRODUCT, &body)
}

#[test]
fn variables_stand_for_the_elements_that_they_hold() {
    let before = "for (int i = 0; i < n; i++) for (int j = i; j < n; j++) for (int k = 0; k < m; k++) C[i][j] += A[k] * A[k];";
    let before = model(PRODUCT, before);
    let (inside, update) = ("i + x <= j + y && j + y < n", "A[k] * A[k]");
    match answer(&before, &tiled_triangle(inside, update, inside), |_| {}) {
        Answer::Equal(proof) => assert_eq!(proof.method, Method::Correspondence),
        other => panic!("{other:?}"),
    }
    // A bound, another element, what is not stored, what is stored without being there, another operand.
    for (load, update, store) in [
        ("i + x < j + y && j + y < n", update, inside),
        (inside, update, "i + x < j + y && j + y < n"),
        (inside, update, "i + x <= j + y && j + y < n && x < 1"),
        (inside, update, "j + y < n && i + x < n"),
        (inside, "A[k] * A[k0]", inside),
    ] {
        let after = tiled_triangle(load, update, store);
        assert!(!is_equal(&before, &after), "{load}; {update}; {store}");
    }
}
