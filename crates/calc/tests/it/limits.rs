//! Scripts that ask for too much: each ends at a limit that names the operation, within memory, without a
//! deep stack; whatever can be answered is answered.
use loopwright_calc::{Session, Settings};

/// Steps enough for what is easy: about a second.
const STEPS: u64 = 5_000_000;

fn run(steps: u64, text: &str) -> (Vec<Result<String, String>>, usize) {
    let mut session = Session::new(Settings { steps, ..Settings::STANDARD });
    let mut lines = Vec::new();
    session.run("f", text, &mut |line| lines.push(line));
    let n_limits = session.n_limits();
    (lines, n_limits)
}

fn names(n: usize, letter: &str) -> Vec<String> {
    (0..n).map(|k| format!("{letter}{k}")).collect()
}

/// `{ [x0, ..] : 0 <= x0 <= high and .. }`
fn cube(n: usize, high: &str) -> String {
    let dims = names(n, "x");
    let bounds: Vec<String> = dims.iter().map(|x| format!("0 <= {x} <= {high}")).collect();
    format!("{{ [{}] : {} }}", dims.join(", "), bounds.join(" and "))
}

/// `{ piece(0); piece(1); .. }`
fn union(n: usize, piece: impl Fn(usize) -> String) -> String {
    format!("{{ {} }}", (0..n).map(piece).collect::<Vec<_>>().join("; "))
}

/// The vertices of cubes come out as many as there are, in the order of their constraints.
#[test]
fn all_vertices_of_a_cube_of_fourteen_dimensions() {
    let (lines, _) = run(Settings::STANDARD.steps, &format!("vertices {};", cube(14, "1")));
    let text = lines[0].as_ref().unwrap();
    assert_eq!(text.matches('{').count(), 1 << 14);
    let (lines, _) = run(STEPS, &format!("vertices {};", cube(2, "3")));
    let corners = "({ [(0), (0)] }, { [(0), (3)] }, { [(3), (0)] }, { [(3), (3)] })";
    let found = lines[0].as_ref().unwrap().replace(" -> ", " ");
    assert_eq!(found.replace("{ [] ", "{ "), corners);
}

/// With a parameter, the vertices exist in one chamber, however many there are.
#[test]
fn vertices_of_a_parametric_cube() {
    let text = format!("vertices [n] -> {};", cube(8, "n"));
    let (lines, _) = run(Settings::STANDARD.steps, &text);
    assert_eq!(lines[0].as_ref().unwrap().matches('{').count(), 1 << 8);
}

#[test]
fn hostile_statements_end_at_a_limit_that_names_the_operation() {
    let thin = |k: usize| format!("[i, j] : {k} <= i <= {k}j");
    let wide = |k: usize| format!("[i, j] : {k}i <= j <= {k} + i");
    let params = names(40, "p");
    let bounds: Vec<String> = params.iter().map(|p| format!("i >= {p}")).collect();
    let deep = |open: &str, inner: &str, close: &str, n: usize| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let cases = [
        ("vertices", format!("vertices {};", cube(24, "1"))),
        ("vertices", format!("vertices [n] -> {};", cube(16, "n"))),
        (
            "convex_hull",
            format!(
                "convex_hull {};",
                union(120, |a| {
                    let at = |i: usize| ((a * i * i + 7 * i * a + 13) % 97).to_string();
                    format!("[{}]", (1..11).map(at).collect::<Vec<_>>().join(", "))
                })
            ),
        ),
        ("coalesce", "{ [i] -> [j] : j = 2i or j = 3i + 1 or j = i - 5 }^40;".to_string()),
        ("a power", "{ [i] -> [i + 1] }^1000000000;".to_string()),
        ("subtract", format!("{{ [i] }} - {};", union(20_000, |k| format!("[{}]", 3 * k)))),
        (
            "is_subset",
            format!("{{ [i] : 0 <= i < 60000 }} <= {};", {
                union(20_000, |k| format!("[i] : {} <= i <= {}", 3 * k, 3 * k + 2))
            }),
        ),
        (
            "subtract",
            format!(
                "{{ [i] }}{};",
                (1..3000).map(|k| format!(" - {{ [{}] }}", 3 * k)).collect::<String>()
            ),
        ),
        ("make_disjoint", {
            let piece = |a: usize| {
                let a = a + 1;
                format!("[i, j, k] : {a}i <= j + {a} and {a}k <= i + {} and j <= {a}k", 7 * a)
            };
            format!("make_disjoint {};", union(120, piece))
        }),
        ("product", format!("A := {}; A cross A;", union(1500, thin))),
        ("intersect", format!("{} * {};", union(3000, thin), union(3000, wide))),
        (
            "lexmin",
            format!("lexmin [{}] -> {{ [i] : {} }};", params.join(", "), bounds.join(" and ")),
        ),
        ("points", "scan { [i, j] : 0 <= i, j < 100000 };".to_string()),
        ("a value", format!("A := 3;{} A;", " A := A * A;".repeat(40))),
        ("a value", format!("A := \"x\";{} A;", " A := A + A;".repeat(40))),
        ("a value", format!("A := (1, 2);{} A;", " A := (A, A);".repeat(40))),
        ("nested too deeply", format!("{};", deep("(", "{ [i] }", ")", 5000))),
        ("nested too deeply", format!("{{ [i] : {} }};", deep("(", "i > 0", ")", 20_000))),
        ("nested too deeply", format!("{{ [i] : {} }};", deep("not (", "i > 0", ")", 3000))),
        ("nested too deeply", format!("{{ [i] : {} > 0 }};", deep("floor((", "i", ")/2)", 500))),
        ("operators in a row", format!("{{ [0] }}{};", " + { [1] }".repeat(20_000))),
        ("never closed", "{ [i; ".repeat(20_000)),
    ];
    for (operation, text) in cases {
        let (lines, n_limits) = run(STEPS, &text);
        let start: String = text.chars().take(60).collect();
        assert!(n_limits > 0, "{start}: {:?}", lines.first().map(|line| line.is_ok()));
        let problems: Vec<&String> = lines.iter().filter_map(|line| line.as_ref().err()).collect();
        assert!(problems.iter().any(|text| text.contains(operation)), "{start}: {problems:.300?}");
        let longest = problems.iter().map(|text| text.len()).max();
        assert!(longest < Some(2000), "{start}: a message of {longest:?} bytes");
    }
}

/// What looks as large but is not.
#[test]
fn large_statements_that_are_easy_are_answered() {
    let digits = |digit: &str| digit.repeat(4000);
    for text in [
        format!("lexmin {{ [i, j] : {}i = {}j and i > 0 }};", digits("9"), digits("3")),
        format!("{}{{ [i] }};", "# comment\n".repeat(20_000)),
        format!("{};", union(5000, |k| format!("[{}]", 2 * k))),
        "{ [i] -> [i + 1] }^-1024;".to_string(),
    ] {
        let (lines, _) = run(STEPS, &text);
        assert!(lines[0].is_ok(), "{:.200?}", lines[0]);
    }
}
