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
    let first = &page[page.find("<svg").unwrap()..page.find("</svg>").unwrap()];
    let n = first.matches("class=\"point\"").count();
    let side = (1..20).find(|side| side * (side + 1) / 2 == n).expect("a triangle");
    assert_eq!(first.matches("<path class=\"flow\"").count(), n - side);
    assert!(!page.contains("Tiles of"), "{page}");
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
    assert_well_formed(&String::from_utf8(output.stdout).unwrap());
    std::fs::remove_dir_all(&folder).unwrap();
}
