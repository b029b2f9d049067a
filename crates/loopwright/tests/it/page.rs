//! `compile --report OUT.html`: one self-contained page that is well-formed.
use std::path::PathBuf;
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("loopwright-page-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn page(name: &str, program: &str, options: &[&str]) -> String {
    let folder = folder(name);
    std::fs::write(folder.join("p.c"), program).unwrap();
    let mut arguments = vec!["compile", "p.c", "-o", "out.c", "--report", "p.html"];
    arguments.extend(options);
    let command = env!("CARGO_BIN_EXE_loopwright");
    let output = Command::new(command).args(arguments).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(folder.join("p.html")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    page
}

/// Checks that every element is closed, in order.
#[track_caller]
fn assert_well_formed(page: &str) {
    const EMPTY: [&str; 2] = ["meta", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let body = page
        .replace(&page[page.find("<style>").unwrap()..page.find("</style>").unwrap()], "<style>");
    for piece in body.split('<').skip(1) {
        let tag = piece.split('>').next().unwrap();
        let name = tag.split_whitespace().next().unwrap().trim_end_matches('/');
        if let Some(name) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "near <{piece}");
        } else if !tag.ends_with('/') && !EMPTY.contains(&name) {
            open.push(piece.get(..name.len()).unwrap());
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

const STENCIL: &str = "\
void f(int t, int n, double a[restrict n][n], double b[restrict n][n]) {
#pragma scop
  for (int k = 0; k < t; k++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        a[i][j] = (a[i - 1][j] + a[i][j] + a[i][j - 1]) / 3;
#pragma endscop
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i][j] = a[j][i];
#pragma endscop
}
";

#[test]
fn the_page_has_everything_and_loads_nothing() {
    let page = page("stencil", STENCIL, &[]);
    assert_well_formed(&page);
    for part in [
        "<html lang=\"en\">",
        "name=\"viewport\"",
        "prefers-color-scheme: dark",
        "<main>",
        "<nav aria-label=",
        "<h2 id=\"title-summary\">Summary</h2>",
        "<strong class=\"good\">parallel and tiled</strong>",
        "<details class=\"code\"><summary>Source and result (",
        "Dependences between statements",
        "href=\"#region-1\"",
        "id=\"region-1\"",
        "lines 2–7 in <code>f</code>",
        "a[i][j] = (a[i - 1][j] + a[i][j] + a[i][j - 1]) / 3;",
        "<strong class=\"good\">proved</strong>: the schedule respects every dependence",
        "What was tried, and what was decided",
        "the deepest bands: 1 of 1 statements",
        "Schedule tree",
        "distance: k: 0, i: 1, j: 0",
        "class=\"flow\"",
        "<svg role=\"img\" aria-label=",
        "tabindex=\"0\"",
    ] {
        assert!(page.contains(part), "no `{part}` in\n{page}");
    }
    for foreign in ["http:", "https:", "<script", "<link", "<img", "url("] {
        assert!(!page.contains(foreign), "`{foreign}` in\n{page}");
    }
}

#[test]
fn pictures_are_those_of_the_sets() {
    // A triangle: 7 + 6 + .. + 1 instances, each but the first of a row after the one before it.
    let program = "void f(int n, double a[restrict n][n]) {\n#pragma scop\n  \
                   for (int i = 0; i < n; i++)\n    for (int j = i + 1; j < n; j++)\n      \
                   a[i][j] = a[i][j - 1];\n#pragma endscop\n}\n";
    let page = page("triangle", program, &["--no-tile"]);
    assert_well_formed(&page);
    let first = all_between(&page, "<figure><svg", "</svg>")[0];
    let n = first.matches("class=\"point\"").count();
    let side = (1..20).find(|side| side * (side + 1) / 2 == n).expect("a triangle");
    assert_eq!(first.matches("<path class=\"flow\"").count(), n - side);
    assert!(!page.contains("Tiles of"), "{page}");
}

/// The parts of a text between two others.
fn all_between<'a>(text: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    text.split(from).skip(1).filter_map(|rest| rest.split(to).next()).collect()
}

#[test]
fn the_summary_comes_first_and_says_why_a_region_stays() {
    let program = STENCIL.replace(
        "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      b[i][j] = a[j][i];",
        "  for (int i = 0; i < n - 1; i++)\n    b[0][i + 1] += b[0][i];",
    );
    let program =
        program.replace("a[i][j] = (a[i - 1][j] + a[i][j] + a[i][j - 1])", "b[i][j] += a[i][j]");
    let page = page("summary", &program, &[]);
    assert_well_formed(&page);
    let summary = page.find("id=\"summary\"").unwrap();
    assert!(summary < page.find("id=\"region-0\"").unwrap());
    let rows = all_between(&page, "<tr><th scope=\"row\"><a href=\"#region-", "</tr>");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[0].contains("<strong class=\"good\">parallel"), "{}", rows[0]);
    assert!(rows[0].contains("checked at run time"), "{}", rows[0]);
    assert!(
        rows[1].contains("left as it was") && rows[1].contains("nothing is gained"),
        "{}",
        rows[1]
    );
}

#[test]
fn refused_regions_are_in_the_summary() {
    let program = STENCIL.replace("b[i][j] = a[j][i];", "b[i][j] = c[j][i];");
    let folder = folder("refused");
    std::fs::write(folder.join("p.c"), program).unwrap();
    let arguments = ["compile", "p.c", "-o", "out.c", "--report", "p.html"];
    let command = env!("CARGO_BIN_EXE_loopwright");
    let output = Command::new(command).args(arguments).current_dir(&folder).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let page = std::fs::read_to_string(folder.join("p.html")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_well_formed(&page);
    let rows = all_between(&page, "<tr><th scope=\"row\"><a href=\"#region-", "</tr>");
    assert!(rows[1].contains(">refused</strong>") && rows[1].contains("CF11"), "{}", rows[1]);
}

#[test]
fn lines_of_source_and_result_lead_to_each_other() {
    let page = page("links", STENCIL, &["--always-rewrite"]);
    for region in 0..2 {
        let links = |from: &str, to: &str| -> Vec<(String, String)> {
            let lines =
                all_between(&page, &format!("<span class=\"line\" id=\"{from}-{region}-"), "\n");
            let links = lines.iter().flat_map(|line| {
                let own = line.split('"').next().unwrap().to_string();
                let others = all_between(line, &format!("<a href=\"#{to}-{region}-"), "\"");
                others.into_iter().map(move |other| (own.clone(), other.to_string()))
            });
            links.collect()
        };
        let forth = links("source", "result");
        let mut back: Vec<_> = links("result", "source")
            .into_iter()
            .map(|(result, source)| (source, result))
            .collect();
        back.sort();
        assert!(!forth.is_empty());
        let mut sorted = forth.clone();
        sorted.sort();
        // A line of the source leads to the first twelve of the result at most.
        let mut of_line: std::collections::HashMap<String, usize> = Default::default();
        back.retain(|(source, _)| {
            let n = of_line.entry(source.clone()).or_default();
            *n += 1;
            *n <= 12
        });
        assert_eq!(sorted, back);
        // All links lead to the statement's line, and from it to lines that have its text.
        for (source, result) in forth {
            assert_eq!(source, ["6", "11"][region]);
            let line = all_between(&page, &format!("id=\"result-{region}-{result}\""), "\n")[0];
            assert!(line.contains(["/ 3", "b["][region]), "{line}");
        }
    }
}

#[test]
fn statements_are_drawn_with_their_dependences() {
    let program = "void f(int n, double *restrict a, double *restrict b, double *restrict c) {\n#pragma scop\n  \
                   for (int i = 1; i < n; i++) {\n    a[i] = c[i - 1];\n    b[i] = a[i];\n    c[i] = b[i] + a[i];\n  }\n\
                   #pragma endscop\n}\n";
    let page = page("graph", program, &[]);
    assert_well_formed(&page);
    let graph = all_between(&page, "<figure class=\"graph\">", "</figure>")[0];
    assert_eq!(graph.matches("<rect class=\"box\"").count(), 3, "{graph}");
    assert!(graph.contains("4: a[i] = c[i - 1];"), "{graph}");
    // a: S0 to S1 and S2, b: S1 to S2, c: S2 to S0.
    let flow = all_between(graph, "<path class=\"flow\" d=\"", "\"");
    assert_eq!(flow.len(), 4, "{graph}");
    let numbers = |path: &str| -> Vec<i64> {
        path.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
    };
    // M edge tail H lane V head H edge: what goes back is at the left.
    let back = flow
        .iter()
        .filter(|path| matches!(numbers(path)[..], [_, tail, _, head, _] if head < tail));
    let back: Vec<_> = back.collect();
    assert_eq!(back.len(), 1, "{flow:?}");
    assert!(numbers(back[0])[2] < numbers(back[0])[0], "{back:?}");
    let table = all_between(&page, "The same as a table", "</details>")[0];
    assert_eq!(table.matches("<td class=\"words\">flow</td>").count(), 4, "{table}");
}

#[test]
fn names_of_the_user_are_text() {
    let program = "void f(int n, double a[n]) {\n#pragma scop\n  for (int i = 0; i < n && i < 9; i++)\n    \
                   a[i] = i < 3 ? 1 : 2; /* <b>&amp; */\n#pragma endscop\n}\n";
    let page = page("escapes", program, &[]);
    assert_well_formed(&page);
    assert!(page.contains("/* &lt;b&gt;&amp;amp; */"), "{page}");
}

#[test]
fn regions_left_alone_and_regions_without_loops_have_a_page() {
    let program = "void f(double *restrict a) {\n#pragma scop\n  a[0] = 1;\n#pragma endscop\n}\n";
    assert_well_formed(&page("scalar", program, &[]));
    assert_well_formed(&page("unchanged", STENCIL, &["--unchanged"]));
    assert_well_formed(&page("plain", STENCIL, &["--no-verify", "--scheduler", "none"]));
}

#[test]
fn surveys_are_well_formed_pages() {
    let folder = folder("survey");
    std::fs::write(folder.join("p.c"), STENCIL.replace("a[j][i]", "c[i]")).unwrap();
    let command = env!("CARGO_BIN_EXE_loopwright");
    let arguments = ["report", "p.c", "missing.c", "--format", "html"];
    let output = Command::new(command).args(arguments).current_dir(&folder).output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert_well_formed(&page);
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(page.matches("<table class=\"sortable summary\"").count(), 3, "{page}");
    assert_eq!(page.matches("<script>").count(), 1);
    for (link, place) in [("href=\"#nest-0-0\"", "id=\"nest-0-0\""), ("data-key=\"9\"", "CF11")] {
        assert!(page.contains(link) && page.contains(place), "{page}");
    }
    for foreign in ["http:", "https:", "src=", "<link", "<img", "url(", "import"] {
        assert!(!page.contains(foreign), "`{foreign}` in\n{page}");
    }
}
