//! The examples of the documentation, scripts, and diagnostics.
use loopwright_calc::{Files, Session, Settings, functions};
use loopwright_testkit::cases::seed;

const DOCUMENTATION: &str = include_str!("../../../../docs/calc.md");

/// What a text prints, diagnostics as their first line without the place after `! `.
fn lines(session: &mut Session, text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    session.run("test", text, &mut |line| match line {
        Ok(value) => lines.extend(value.lines().map(str::to_owned)),
        Err(diagnostic) => {
            let first = diagnostic.lines().next().unwrap_or("");
            let message = first.splitn(4, ':').nth(3).unwrap_or(first).trim();
            lines.push(format!("! {message}"));
        }
    });
    lines
}

/// Files of this machine, of which none is C.
#[derive(Debug)]
struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> std::io::Result<String> {
        std::fs::read_to_string(path)
    }

    fn write(&self, path: &str, text: &str) -> std::io::Result<()> {
        std::fs::write(path, text)
    }

    fn model(&self, path: &str) -> Result<loopwright_scop::Scop, String> {
        Err(format!("{path} is not C"))
    }
}

fn session() -> Session {
    Session::with_files(Settings::STANDARD, Disk)
}

#[test]
fn the_examples_of_the_documentation_hold() {
    let mut n_examples = 0;
    for block in DOCUMENTATION.split("```calc\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let mut session = session();
        let mut expected: Vec<&str> = Vec::new();
        let mut typed = String::new();
        for line in block.lines().chain(["> "]) {
            let Some(text) = line.strip_prefix("> ") else {
                expected.push(line);
                continue;
            };
            assert_eq!(lines(&mut session, &typed), expected, "{typed}");
            expected.clear();
            typed = text.to_owned();
            n_examples += 1;
        }
    }
    assert!(n_examples > 100, "{n_examples} examples");
}

#[test]
fn the_documentation_has_an_example_of_every_function_and_operator() {
    let examples: Vec<&str> =
        DOCUMENTATION.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let is_shown = |word: &str| examples.iter().any(|e| e.split([' ', '(']).any(|w| w == word));
    for function in functions() {
        assert!(is_shown(function.name), "no example of {}", function.name);
    }
    let operators =
        "= == <= < >= > << <<= >> >>= + - ->- * ->* % @ . before after -> cross cross_range";
    for operator in operators.split(' ') {
        assert!(is_shown(operator), "no example of {operator}");
    }
}

/// The dependence analysis of a filter with three statements, as in textbooks.
#[test]
fn dependences_of_three_loops() {
    let script = "
        D := [n] -> { T[i] : 0 <= i < n; F[i, j] : 0 <= i < n and 0 <= j < n - i; B[i] : 0 <= i < n };
        Read := { T[i] -> a[i]; F[i, j] -> t[j]; F[i, j] -> t[j + 1]; B[i] -> t[i] } * D;
        Write := { T[i] -> t[i]; F[i, j] -> t[j]; B[i] -> b[i] } * D;
        S := { T[i] -> [0, i, 0]; F[i, j] -> [1, i, j]; B[i] -> [2, i, 0] };
        Flow := last Write before Read under S;
        assert Flow[0] <= any Write before Read under S;
        assert (Flow[0])^-1 . Flow[0] >= identity (ran Flow[0]);
        # Every read sees one value: the flow backwards is a function of sink and element.
        assert Flow[0] = any { } last Write before Read under S;
        assert dom Flow[1] <= D;
        assert Read({ F[0, 1] }) = [n] -> { t[2] : n >= 2; t[1] : n >= 2 };
        # A schedule that respects the flow.
        Found := map (schedule D respecting Flow[0] minimizing Flow[0]);
        assert Flow[0] <= Found << Found;
        assert dom Found = D;
    ";
    assert_eq!(lines(&mut session(), script), Vec::<String>::new());
}

/// Sequences from isl's and barvinok's tutorials.
#[test]
fn published_sequences_hold() {
    let script = "
        S1 := { [i, j] : 1 <= i <= 5 and 1 <= j <= i };
        S2 := [n] -> { [i, j] : 1 <= i <= n and 1 <= j <= i };
        assert (S2 % [n] -> { : n = 5 }) = S1;
        assert { [i, j] : 0 <= i, j <= 10 } - { [i, i] } = { [i, j] : 0 <= i, j <= 10 and not (i = j) };
        assert { [i] : i = 3 or i = 5 } = { [3]; [5] };
        M := { [i, j] -> [i + 1, j + 1] };
        assert M^2 . M^-2 = M . M^-1;
        assert deltas M = { [1, 1] };
        Read := { S[i] -> A[i]; S[i] -> A[i + 1] };
        assert Read^-1 . Read = { A[i] -> A[j] : i - 1 <= j <= i + 1 };
        L := [n] -> { S[i] : exists a : 1 <= i <= n and i = 1 + 3 a };
        assert domain (unwrap (lift L)) = L;
    ";
    assert_eq!(lines(&mut session(), script), Vec::<String>::new());
}

/// Last writes against their definition, on a program small enough to list everything.
#[test]
fn last_sources_are_the_latest_ones() {
    let script = "
        D := { S[i, j] : 0 <= i, j <= 3 };
        W := { S[i, j] -> A[i + j] } * D;
        R := { S[i, j] -> A[2i] ; S[i, j] -> A[j] } * D;
        O := { S[i, j] -> [i, j] };
        All := any W before R under O;
        Last := last W before R under O;
        # Pairs of an access (wrapped) and an earlier source of its element.
        Touch := (range_map R) . W^-1;
        Before := (domain_map R) . (O >> O);
        Earlier := Touch * Before;
        # Sources behind which there is another one are not last.
        Beaten := Earlier . (O << O) * Earlier;
        Later := (Earlier . (O >> O)) * Earlier;
        Best := Earlier - Later;
        assert (Best^-1) . (domain_map R) = Last[0];
        assert ((Earlier)^-1) . (domain_map R) = All;
        assert unwrap (wrap R - dom Earlier) = Last[1];
    ";
    assert_eq!(lines(&mut session(), script), Vec::<String>::new());
}

#[test]
fn sources_that_may_write_do_not_hide_others() {
    let script = "
        D := { A[i] : 0 <= i <= 4; B[i] : 0 <= i <= 4; C[i] : 0 <= i <= 4 };
        O := { A[i] -> [i, 0]; B[i] -> [i, 1]; C[i] -> [i, 2] };
        May := { B[i] -> x[] } * D;
        Must := { A[i] -> x[] : i mod 2 = 0 } * D;
        Read := { C[i] -> x[] } * D;
        Flow := any May last Must before Read under O;
        assert Flow({ A[0] }) = { C[0]; C[1] };
        assert Flow({ B[1] }) = { C[1] };
        assert Flow({ B[0] }) = { C[0]; C[1] };
        assert Flow({ A[4] }) = { C[4] };
    ";
    assert_eq!(lines(&mut session(), script), Vec::<String>::new());
}

/// Operations on polynomials agree with the same operations on their values, point by point.
#[test]
fn polynomials_compute_with_their_values() {
    let script = "
        p := { A[i, j] -> i*j + 1/2*j : i >= 0; A[i, j] -> floor(j/2)*i : i < 0 and j >= 0 };
        q := { A[i, j] -> j^2 - i : i + j <= 2; B[] -> 7 };
        S := { A[i, j] : -3 <= i, j <= 3 };
        assert (p + q) @ S == p @ S + q @ S;
        assert (p - q) @ S == p @ S - q @ S;
        assert (p * q) @ S == (p @ S) * (q @ S);
        assert 3 * p == p + p + p;
        assert -p == p - 2 * p;
        assert (p % S) * S == p * S;
        assert coalesce (p + q) == p + q;
        assert p * S == p - (p - S);
        # Overlapping pieces are added.
        assert { [i] -> i : i > 0; [i] -> 3 : i > 1 } @ { [1]; [2] } == { [1] -> 1; [2] -> 5 };
        # Composition moves the points.
        m := { [i] -> A[i, i + 1] };
        assert (m . q) @ { [i] : -2 <= i <= 2 } == { [i] -> i^2 + i + 1 : 2i <= 1 and i >= -2 };
        assert q(m) == m . q;
        assert q after m == m . q;
        # A fold is one of its members.
        f := { [i] -> max(i^2, 3*i + 4) };
        assert f @ { [5]; [4]; [1] } == { [5] -> 25; [4] -> 16; [1] -> 7 };
        assert (-f) @ { [5] } == { [5] -> -25 };
        assert (f . { [i] -> max(20) }) @ { [4]; [5] } == { [4] -> 20; [5] -> 25 };
        # A reached bound is a value, and none is beyond it.
        bound := ub [n] -> { [i] -> 6*i - i^2 : 0 <= i <= n };
        assert bound[1];
        assert bound[0] @ [n] -> { : 0 <= n <= 5 }
            == [n] -> { 0 : n = 0; 5 : n = 1; 8 : n = 2; 9 : 3 <= n <= 5 };
        assert (lb [n] -> { [i] -> i - n : 3 <= i <= n })[0] @ [n] -> { : n = 8 } == [n] -> { -5 : n = 8 };
        assert not_there == 1;
    ";
    let problems = lines(&mut session(), script);
    assert_eq!(problems, ["! expected a variable or function, found `not_there`"]);
}

#[test]
fn powers_and_vertices_agree_with_other_operations() {
    let script = "
        m := { A[i] -> A[i + 3] : 0 <= i <= 20 };
        p := pow m;
        assert p[1];
        assert unwrap (ran p[0]) = (m^+)[0];
        assert unwrap (p[0]({ [4] })) = m^4;
        assert dom (vertices [n] -> { [i] : 2 <= i <= n })[0] = [n] -> { : n >= 2 };
    ";
    assert_eq!(lines(&mut session(), script), Vec::<String>::new());
}

#[test]
fn folds_are_compared_member_by_member() {
    let script = "
        assert { [i] -> max(i, 2i) } == { [i] -> max(2i, i) };
        { [i] -> max(i, 2i) } == { [i] -> max(2i, 3i) };
    ";
    assert_eq!(lines(&mut session(), script), ["False"]);
}

#[test]
fn what_is_missing_is_refused_by_name() {
    for (text, message) in [
        ("sum { [i] };", "! sum: it is not defined for a set"),
        ("lpoly { [i] };", "! lpoly: it is not defined for a set"),
        ("specialize { [i] };", "! specialize: it is not defined for a set"),
        ("upoly { [i, j] -> i*floor(j/2) };", "! upper_polynomial: the sign of what a floor"),
        ("gf { A[i]; B[i] };", "! gf: it needs a set in one space"),
        ("gf { [i] };", "! generating function: the set contains a line"),
        ("specialize gf { [i] : i >= 0 };", "! generating function: it has a pole"),
        ("rank { S[i] -> [0] : 0 <= i < 5 };", "! rank: an element and a time"),
        ("{ [i] -> i^2 }({ [i] : i > 3 });", "! sum: infinitely many values"),
        ("ub { [i] };", "! ub: it is not defined for a set"),
        ("{ [i] -> max(i) } . { [i] -> min(i) };", "! "),
        ("{ [i] -> i^2 } @ { [i] };", "! points: "),
        ("pow { A[] -> B[] };", "! power: "),
        ("vertices [n] -> { : n > 0 };", "! vertices: "),
        ("{ [i] -> max(i) } == 3;", "! ==: it is not defined for"),
    ] {
        let printed = lines(&mut session(), text);
        assert!(printed[0].starts_with(message), "{printed:?}");
    }
}

#[test]
fn problems_are_reported_where_they_are() {
    for (text, place, message) in [
        ("x;", "1:1", "expected a variable or function, found `x`"),
        ("1 +\n + 2;", "2:2", "expected a value, found `+`"),
        ("a := { [i] : i > j };", "1:18", "expected a declared name, found `j`"),
        ("{ [i] ; 3;", "1:1", "expected a closing brace, found the end of the text"),
        ("1 2;", "1:3", "expected `;`, found `2`"),
        ("{ [1] } . { [2] };", "1:9", ".: it is not defined for a set and a set"),
        ("lexmin 3;", "1:1", "lexmin: it is not defined for an integer"),
        ("assert 1 = 2;", "1:1", "the assertion does not hold"),
        ("assert 1;", "1:8", "expected a truth value, found an integer"),
        ("(1, 2)[2];", "1:7", "index: 2 is no position in a list of 2"),
        ("lexmin := 3;", "1:1", "expected the name of a variable, found `lexmin`"),
        ("\"open", "1:1", "expected a closing quote, found the end of the text"),
        ("{ [i] -> [i] }^x;", "1:16", "expected `+` or an exponent, found `x`"),
        ("$;", "1:1", "expected a name, a value or an operator, found `$`"),
        ("{ [i] : i > 0 and 2 <= i*i };", "1:24", "expected a constant factor in a product"),
        ("[n] -> { [i] : i mod n = 0 };", "1:16", "expected a constant divisor"),
        ("{ S[i] -> [i*i] };", "1:12", "expected a constant factor in a product"),
        ("{ [i] : i^2 <= 5 };", "1:9", "expected an affine expression, found a power"),
        ("scan { [i] : i > 0 };", "1:1", "points: column 1 of { [i] } is not bounded"),
        ("read \"/nowhere/at/all\";", "1:6", "cannot read /nowhere/at/all"),
        ("codegen { [i] : i <= 0 };", "1:1", ""),
    ] {
        let mut found = Vec::new();
        let n_problems = session().run("f", text, &mut |line| found.push(line));
        assert_eq!(n_problems, 1, "{text}: {found:?}");
        let diagnostic = found[0].as_ref().unwrap_err();
        assert!(diagnostic.starts_with(&format!("f:{place}: {message}")), "{text}: {diagnostic}");
    }
}

#[test]
fn after_a_problem_the_next_statement_follows() {
    let text = "1 +; 2; { [i] : i > ; 7 }; 3; \"x\" [; 4; lpoly { [1] }; 5";
    let mut session = session();
    let printed = lines(&mut session, text);
    let values: Vec<&String> = printed.iter().filter(|line| !line.starts_with('!')).collect();
    assert_eq!(values, ["2", "3", "4", "5"]);
    assert_eq!(printed.len(), 8);
}

#[test]
fn limits_are_reported() {
    let settings = Settings { steps: 10, ..Settings::STANDARD };
    let text = "{ [i, j] : 0 <= i <= 9 and 3i <= 7j <= 4i + 5 } - { [i, j] : 5i >= 3j };";
    let mut found = Vec::new();
    assert_eq!(Session::new(settings).run("f", text, &mut |line| found.push(line)), 1);
    assert!(found[0].as_ref().unwrap_err().contains("the budget ran out"), "{found:?}");
    let deep = format!("{}1{};", "(".repeat(5000), ")".repeat(5000));
    let printed = lines(&mut session(), &deep);
    assert!(printed.iter().any(|line| line.contains("nested too deeply")), "{printed:?}");
}

/// Long rows of operators are computed or refused, whatever their length.
#[test]
fn rows_of_operators_may_be_long() {
    let row = |n: usize, operator: &str| format!("{};", vec!["1"; n].join(operator));
    assert_eq!(lines(&mut session(), &row(3000, " + ")), ["3000"]);
    let printed = lines(&mut session(), &row(200_000, " * "));
    assert!(printed[0].contains("operators in a row"), "{printed:?}");
    let images = format!("{}{};", "{ [i] -> [i] }", "({ [1] })".repeat(100_000));
    let printed = lines(&mut session(), &images);
    assert!(printed.iter().any(|line| line.contains("nested too deeply")), "{printed:?}");
}

/// Texts made of pieces of the language, most of them wrong, end with values or diagnostics.
#[test]
fn no_text_stops_the_calculator() {
    let pieces = [
        "{ [i] : i > 0 }",
        "{ A[i] -> B[i] }",
        "[n] -> { [n] }",
        "{ [i] -> i^2 : i > 0 }",
        "{ [i] -> max(i, 3) }",
        "{",
        "}",
        "[",
        "]",
        "(",
        ")",
        ";",
        "lexmin",
        "ub",
        "pow",
        "vertices",
        "coalesce",
        "any",
        "last",
        "before",
        "under",
        "codegen",
        "using",
        "schedule",
        "respecting",
        "+",
        "*",
        "-",
        "%",
        "->",
        "->*",
        "<<",
        "=",
        "^",
        "^+",
        "^-1",
        "3",
        "0",
        "x",
        ":=",
        "\"s\"",
        ",",
        "@",
        ".",
        "wrap",
        "zip",
        "lift",
        "print",
        "assert",
        "typeof",
        "#",
        "\n",
        "é",
        "\"",
    ];
    let mut state = seed(0x2545_f491_4f6c_dd1d);
    for _ in 0..3000 {
        let mut text = String::new();
        for _ in 0..12 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            text.push_str(pieces[(state % pieces.len() as u64) as usize]);
            text.push(' ');
        }
        let settings = Settings { steps: 100_000, ..Settings::STANDARD };
        Session::new(settings).run("soup", &text, &mut |_| ());
    }
}

/// Floors of one expression that add up are joined, in counts and in what is written.
#[test]
fn floors_that_add_up_are_joined() {
    let texts = [
        (
            "card [n] -> { [i] : exists j : 0 <= j <= n and 3j <= 2i <= 3j + 1 };",
            "[n] -> { (n + 1) : n >= 0 }",
        ),
        ("{ [i] -> floor(i/2) + floor((i + 1)/2) };", "{ [i] -> (i) }"),
        (
            "{ [i] -> floor(i/3) } + { [i] -> floor((i + 1)/3) + floor((i + 2)/3) };",
            "{ [i] -> (i) }",
        ),
        ("poly [n] -> { [i] -> i*floor(n/2) };", "[n] -> { [i] -> (1/2*n*i) }"),
        ("{ [i] -> max(i, 3) } + { [i] -> i^2 };", "{ [i] -> max((i^2 + i), (i^2 + 3)) }"),
        ("{ [i] -> i^2 } - { [i] -> max(i, 3) };", "{ [i] -> min((i^2 - i), (i^2 - 3)) }"),
        (
            "card { [x] : exists a,b,c : 0<=a<=5 and 0<=b<=4 and 0<=c<=3 and x=6a+10b+15c };",
            "{ (86) }",
        ),
    ];
    for (text, expected) in texts {
        let mut lines = Vec::new();
        Session::new(Settings::STANDARD).run("floors", text, &mut |line| lines.push(line));
        assert_eq!(lines, [Ok(expected.to_string())], "{text}");
    }
}

/// A variable whose assignment failed has not the value of before.
#[test]
fn a_failed_assignment_leaves_no_value() {
    let mut lines = Vec::new();
    let text = "x := 1; x := { [i] } * 3; x; x := 2; x;";
    let n_problems = Session::new(Settings::STANDARD).run("f", text, &mut |line| lines.push(line));
    assert_eq!(n_problems, 2);
    assert!(
        lines[1].as_ref().unwrap_err().contains("`x` has no value: its last assignment failed")
    );
    assert_eq!(lines[2], Ok("2".to_string()));
}
