//! Models written for other tools and read again are the models they were.
use loopwright::ForeignFormat as Format;
use loopwright_cfront::{Options, Region, read_file};
use loopwright_dataflow::{Dependence, Dependences, LiveAccess};
use loopwright_interchange::{Foreign, Place, read, write};
use loopwright_presburger::{Budget, Map, Space, UnionMap};
use loopwright_scop::{AccessKind, Body, Scop};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The C programs below a folder.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") {
            found.push(path);
        }
    }
}

/// The regions of the programs of this repository, and of those that `LOOPWRIGHT_PROGRAMS` names: a file
/// with a line per program, a tab, and folders to include, separated by blanks.
fn regions() -> Vec<(String, Region)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    programs(&root.join("tests"), &mut paths);
    programs(&root.join("../../examples"), &mut paths);
    let mut inputs: Vec<(PathBuf, Options)> =
        paths.into_iter().map(|path| (path, Options::default())).collect();
    if let Ok(list) = std::env::var("LOOPWRIGHT_PROGRAMS") {
        for line in std::fs::read_to_string(list).expect("the list can be read").lines() {
            let (path, folders) = line.split_once('\t').unwrap_or((line, ""));
            let options = Options {
                include_dirs: folders.split_whitespace().map(PathBuf::from).collect(),
                defines: vec!["POLYBENCH_USE_C99_PROTO".to_string()],
                ..Options::default()
            };
            inputs.push((PathBuf::from(path), options));
        }
    }
    let mut found = Vec::new();
    for (path, options) in inputs {
        let Ok(regions) = read_file(&path, &options).and_then(|file| file.extract()) else {
            continue;
        };
        let name = path.display().to_string();
        found.extend(regions.into_iter().map(|region| (name.clone(), region)));
    }
    found
}

fn foreign(region: &Region) -> Foreign {
    Foreign {
        scop: region.scop.clone(),
        name: region.function.clone(),
        place: Place::default(),
        remarks: Vec::new(),
    }
}

/// All accesses of a kind of the statements that are executed.
fn accesses(scop: &Scop, kind: AccessKind) -> UnionMap {
    let executed = scop.statements.iter().filter(|statement| !statement.is_kill);
    let accesses = executed.flat_map(|statement| &statement.accesses);
    union(accesses.filter(|access| access.kind == kind).map(|a| a.relation.clone()))
}

fn union(relations: impl Iterator<Item = Map>) -> UnionMap {
    let empty = UnionMap::from_maps(&Space::params(&[]), []);
    relations.fold(empty, |all, map| all.union(&UnionMap::from_map(map)).expect("same spaces"))
}

/// What differs between two models; bodies and what a format has no place for left aside.
fn difference(own: &Scop, other: &Scop, format: Format) -> Option<String> {
    let budget = &Budget::unlimited();
    let equal = |a: &UnionMap, b: &UnionMap| {
        let context = &own.context;
        let (a, b) = (a.intersect_params(context).unwrap(), b.intersect_params(context).unwrap());
        a.is_equal(&b, budget).unwrap()
    };
    if !own.context.is_equal(&other.context, budget).unwrap() {
        return Some(format!("context {} became {}", own.context, other.context));
    }
    for b in &other.parameters {
        let a = own.parameters.iter().find(|a| a.name == b.name);
        if a.is_none_or(|a| (&a.c_type, &a.value) != (&b.c_type, &b.value)) {
            return Some(format!("parameter {a:?} became {b:?}"));
        }
    }
    let own_statements: Vec<_> = own.statements.iter().filter(|s| !s.is_kill).collect();
    let other_statements: Vec<_> = other.statements.iter().filter(|s| !s.is_kill).collect();
    if own_statements.len() != other_statements.len() {
        return Some("another number of statements".to_string());
    }
    for (a, b) in own_statements.iter().zip(&other_statements) {
        if a.name != b.name || !a.domain.is_equal(&b.domain, budget).unwrap() {
            return Some(format!("domain {} became {}", a.domain, b.domain));
        }
    }
    for kind in [AccessKind::Read, AccessKind::MustWrite, AccessKind::MayWrite] {
        let (a, b) = (accesses(own, kind), accesses(other, kind));
        if !equal(&a, &b) {
            return Some(format!("accesses ({}) {a} became {b}", kind.keyword()));
        }
    }
    let executed = |scop: &Scop| {
        let sets = scop.statements.iter().filter(|s| !s.is_kill).map(|s| s.domain.clone());
        loopwright_presburger::UnionSet::from_sets(&Space::params(&[]), sets)
    };
    let order = |scop: &Scop| scop.schedule.intersect_domain(&executed(scop)).unwrap();
    if !order(own).has_equal_order(&order(other), budget).unwrap() {
        return Some(format!("order {} became {}", own.schedule, other.schedule));
    }
    let (a, b) = (dependences(own), dependences(other));
    let has_kills = own.statements.iter().any(|statement| statement.is_kill);
    let is_dead = own.arrays.iter().any(|array| !array.live_out);
    let all = |list: &[Dependence]| union(list.iter().map(|d| d.relation.clone()));
    let live = |list: &[LiveAccess]| union(list.iter().map(|live| live.relation.clone()));
    let mut pairs = Vec::new();
    if format == Format::Pet || !has_kills {
        pairs.push(("flow", all(&a.flow), all(&b.flow)));
    } else if !all(&a.flow).is_subset(&all(&b.flow), budget).unwrap() {
        // Without kill statements values may come from earlier.
        return Some(format!("flow {} became {}", all(&a.flow), all(&b.flow)));
    }
    if format == Format::Pet || !has_kills {
        pairs.push(("order", all(&a.order), all(&b.order)));
    }
    if format == Format::Pet || !has_kills && (format == Format::OpenScop || !is_dead) {
        pairs.push(("forced", all(&a.forced), all(&b.forced)));
        pairs.push(("live_out", live(&a.live_out), live(&b.live_out)));
    }
    pairs
        .into_iter()
        .find(|(_, a, b)| !equal(a, b))
        .map(|(what, a, b)| format!("{what} {a} became {b}"))
}

/// A body that is not written as it was; JSCoP has none.
fn other_text(own: &Scop, other: &Scop, format: Format) -> Option<String> {
    let of = |scop: &Scop| -> Vec<String> {
        let executed = scop.statements.iter().filter(|s| !s.is_kill);
        executed.map(|s| shape_of(scop, &s.body)).collect()
    };
    let pairs = of(own).into_iter().zip(of(other));
    let mut changed = pairs.filter(|_| format != Format::Jscop).filter(|(a, b)| a != b);
    changed.next().map(|(a, b)| format!("the body {a} became {b}"))
}

/// A body without blanks and parentheses, which may differ, and with `@` for each integer expression;
/// symbolic constants are some.
fn shape_of(scop: &Scop, body: &Body) -> String {
    let text = body.text_with(|_| "@".to_string());
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let is_parameter = |word: &str| scop.parameters.iter().any(|p| &*p.name == word);
    let (mut shape, mut rest) = (String::new(), text.as_str());
    while let Some(first) = rest.chars().next() {
        let length = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        shape.push_str(if is_parameter(word) { "@" } else { word });
        rest = after;
    }
    shape.replace([' ', '\n', '(', ')'], "")
}

fn dependences(scop: &Scop) -> Dependences {
    Dependences::of_scop(scop, &Budget::unlimited()).expect("no limit")
}

/// The regions written in a format and read again.
fn are_the_same(wanted: Format) {
    static REGIONS: OnceLock<Vec<(String, Region)>> = OnceLock::new();
    let regions = REGIONS.get_or_init(regions);
    let budget = &Budget::unlimited();
    let (word, format) = Format::WORDS.into_iter().find(|(_, own)| *own == wanted).expect("a word");
    let mut problems = Vec::new();
    for (name, region) in regions {
        let text = match write(format, &foreign(region), budget) {
            Ok(text) => text,
            Err(error) => panic!("{name}, {word}: {error}"),
        };
        let again = read(format, &text, budget).unwrap_or_else(|e| panic!("{name}, {word}: {e}"));
        assert_eq!(again.len(), 1, "{name}, {word}");
        if let Some(text) = other_text(&region.scop, &again[0].scop, format) {
            problems.push(format!("{name}, {word}: {text}"));
        }
        if let Some(difference) = difference(&region.scop, &again[0].scop, format) {
            problems.push(format!("{name}, {word}: {difference:.600}"));
        }
    }
    println!("{} regions, written and read", regions.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(regions.len() > 200, "{} regions", regions.len());
}

#[test]
fn models_written_for_openscop_are_the_same() {
    are_the_same(Format::OpenScop);
}

#[test]
fn models_written_for_jscop_are_the_same() {
    are_the_same(Format::Jscop);
}

#[test]
fn models_written_for_pet_are_the_same() {
    are_the_same(Format::Pet);
}

const PROGRAM: &str = r#"#include <stdio.h>

static int n = 37;
static double a[40][40], b[40], s;

int main(void) {
  for (int i = 0; i < 40; i++) {
    b[i] = i % 7 - 2;
    for (int j = 0; j < 40; j++)
      a[i][j] = (i * 3 + j * 5) % 11;
  }
#pragma scop
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i < n; i++)
      for (int j = i % 2; j < n - 1; j += 2)
        a[i][j] = 0.5 * a[i - 1][j + 1] + b[j / 3] + i;
    s = 0.25;
    for (int i = 0; i < n; i++)
      s += a[i][n - 1 - i] * b[i];
    b[t] = s;
  }
#pragma endscop
  double total = s;
  for (int i = 0; i < 40; i++) {
    total += b[i] * i;
    for (int j = 0; j < 40; j++)
      total += a[i][j] * (i + 2 * j);
  }
  printf("%.17g\n", total);
  return 0;
}
"#;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("interchange-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    std::fs::write(folder.join("p.c"), PROGRAM).expect("a file in it can be written");
    folder
}

/// Status, output and errors of `loopwright compile`.
fn compile(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    let output = command.current_dir(folder).arg("compile").args(arguments).output();
    let output = output.expect("the command runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

#[track_caller]
fn compiled(folder: &Path, arguments: &[&str]) -> String {
    let (status, output, errors) = compile(folder, arguments);
    assert_eq!(status, 0, "{arguments:?}: {errors}");
    output
}

/// What a C program prints.
#[track_caller]
fn printed(folder: &Path, name: &str) -> String {
    let cc = std::env::var("CC").unwrap_or("cc".to_string());
    let arguments = ["-O1", "-ffp-contract=off", "-fopenmp", name, "-o", "program", "-lm"];
    let status = Command::new(cc).current_dir(folder).args(arguments).status();
    assert!(status.expect("the C compiler runs").success(), "{name}");
    let program = Command::new(folder.join("program")).env("OMP_NUM_THREADS", "3").output();
    String::from_utf8(program.expect("it runs").stdout).expect("text")
}

#[test]
fn code_without_loops_has_a_model() {
    let folder = folder("no-loops");
    std::fs::write(folder.join("q.c"), "void f(double A[9]) {\n  A[1] = 2 * A[0];\n}\n").unwrap();
    let model = compiled(&folder, &["q.c", "--autodetect", "--emit", "scop=pet"]);
    assert!(model.contains("S_0[]") || model.contains("S0[]"), "{model}");
    let (status, _, errors) = compile(&folder, &["q.c", "--autodetect"]);
    assert!(status == 0 && errors.contains("there is no loop in this file"), "{errors}");
}

#[test]
fn code_from_a_model_does_what_the_program_does() {
    let folder = folder("code");
    let expected = printed(&folder, "p.c");
    for word in ["openscop", "pet"] {
        let model = compiled(&folder, &["p.c", "--emit", &format!("scop={word}")]);
        std::fs::write(folder.join(word), model).unwrap();
        for target in ["c", "openmp"] {
            let arguments = ["--from", word, word, "--into", "p.c", "--target", target];
            std::fs::write(folder.join("o.c"), compiled(&folder, &arguments)).unwrap();
            assert_eq!(printed(&folder, "o.c"), expected, "{word}, {target}");
        }
    }
}

/// A symbolic constant that is read from memory in front of the region.
const OF_MEMORY: &str = r#"#include <stdio.h>

struct grid { long n; };

static void smooth(struct grid *g, double *restrict a, double *restrict b) {
#pragma scop
  for (int i = 1; i < g->n - 1; i++)
    b[i] = 0.5 * (a[i - 1] + a[i + 1]);
#pragma endscop
}

int main(void) {
  static struct grid g = { 33 };
  static double a[40], b[40];
  for (int i = 0; i < 40; i++)
    a[i] = i * 7 % 5;
  smooth(&g, a, b);
  for (int i = 0; i < 40; i++)
    printf("%g\n", b[i]);
  return 0;
}
"#;

/// Members, a local variable with the name of another one, bodies that are no expressions, two regions.
const MEMBERS: &str = r#"#include <stdio.h>
#include <string.h>

struct point { double x, y; };
struct grid { long n; double a[40]; struct point p[40]; };

static void move(struct grid *restrict g, double b[restrict 40][4]) {
  double t = 3;
#pragma scop
  for (int i = 1; i < 39; i++) {
    double t = g->a[i] + g->p[i - 1].x;
    g->p[i].x = t;
    if (b[i][0] > 4) b[i][1] = t; else b[i][2] -= t;
    memcpy(&b[i + 1][0], &b[i][0], 2 * sizeof(double));
  }
#pragma endscop
#pragma scop
  for (int i = 0; i < 40; i++)
    g->p[i].y = g->p[i].x * t;
#pragma endscop
}

int main(void) {
  static struct grid g = { 33 };
  static double b[40][4];
  for (int i = 0; i < 40; i++) {
    g.a[i] = i * 7 % 5;
    b[i][0] = i % 9;
    b[i][1] = i;
  }
  move(&g, b);
  for (int i = 0; i < 40; i++)
    printf("%g %g %g %g %g\n", g.p[i].x, g.p[i].y, b[i][0], b[i][1], b[i][2]);
  return 0;
}
"#;

#[test]
fn members_and_other_bodies_are_written_as_in_the_program() {
    let folder = folder("members");
    std::fs::write(folder.join("p.c"), MEMBERS).unwrap();
    let expected = printed(&folder, "p.c");
    for word in ["openscop", "pet"] {
        let model = compiled(&folder, &["p.c", "--emit", &format!("scop={word}")]);
        std::fs::write(folder.join(word), model).unwrap();
        let code = compiled(&folder, &["--from", word, word, "--into", "p.c"]);
        assert!(code.contains("g[0].p[") && !code.contains("#pragma scop"), "{word}: {code}");
        std::fs::write(folder.join("o.c"), code).unwrap();
        assert_eq!(printed(&folder, "o.c"), expected, "{word}");
    }
    let model = compiled(&folder, &["p.c", "--emit", "scop=jscop"]);
    std::fs::write(folder.join("jscop"), model).unwrap();
    let code = compiled(&folder, &["--from", "jscop", "jscop"]);
    assert!(code.contains("S0((int)"), "{code}");
}

/// Two ways to the same memory in the text of a statement, as other tools write it.
#[test]
fn what_a_text_uses_in_other_ways_is_not_kept_in_variables() {
    let folder = folder("ways");
    let text =
        PROGRAM.replace("s += a[i][n - 1 - i] * b[i];", "s += a[i][n - 1 - i] * b[i], add(&s);");
    let text = text.replace("int main", "static void add(double *p) { *p += 1; }\n\nint main");
    std::fs::write(folder.join("q.c"), &text).unwrap();
    let expected = printed(&folder, "q.c");
    let model = compiled(&folder, &["p.c", "--emit", "scop=openscop"]);
    let start = model.find("<loopwright>").expect("our extension");
    let end = model.find("</loopwright>").expect("its end") + "</loopwright>".len();
    let foreign = [&model[..start], &model[end..]].concat();
    let foreign = foreign.replace("* b[i];", "* b[i], add(&s);");
    std::fs::write(folder.join("openscop"), foreign).unwrap();
    let code = compiled(&folder, &["--from", "openscop", "openscop", "--into", "q.c"]);
    assert!(code.contains("add(&s)"), "{code}");
    std::fs::write(folder.join("o.c"), code).unwrap();
    assert_eq!(printed(&folder, "o.c"), expected);
}

#[test]
fn symbolic_constants_in_memory_stay_expressions() {
    let folder = folder("memory");
    std::fs::write(folder.join("p.c"), OF_MEMORY).unwrap();
    let expected = printed(&folder, "p.c");
    for word in ["openscop", "jscop", "pet"] {
        let model = compiled(&folder, &["p.c", "--emit", &format!("scop={word}")]);
        assert!(model.contains("g->n"), "{word}: {model}");
        std::fs::write(folder.join(word), model).unwrap();
        let arguments = ["--from", word, word, "--into", "p.c"];
        let code = compiled(&folder, &arguments);
        assert!(code.contains("g->n"), "{word}: {code}");
        if word != "jscop" {
            std::fs::write(folder.join("o.c"), code).unwrap();
            assert_eq!(printed(&folder, "o.c"), expected, "{word}");
        }
    }
}

#[test]
fn an_order_of_another_tool_is_used_if_it_is_legal() {
    let folder = folder("order");
    let expected = printed(&folder, "p.c");
    for word in ["openscop", "jscop", "pet"] {
        let emit = format!("schedule={word}");
        let options = ["p.c", "--no-panels", "--no-expansion", "--target", "c"];
        let order = compiled(&folder, &[&options[..], &["--emit", &emit]].concat());
        std::fs::write(folder.join("order"), order).unwrap();
        let code = compiled(&folder, &["p.c", "--schedule", "order"]);
        std::fs::write(folder.join("o.c"), &code).unwrap();
        assert_eq!(printed(&folder, "o.c"), expected, "{word}:\n{code}");
    }
    let original = compiled(&folder, &["p.c", "--emit", "scop=jscop"]);
    let reversed = original.replace("-> [t, 0, i, j", "-> [t, 0, -i, j");
    assert_ne!(original, reversed);
    std::fs::write(folder.join("order"), &reversed).unwrap();
    let (status, output, errors) = compile(&folder, &["p.c", "--schedule", "order"]);
    assert_eq!((status, output.as_str()), (1, ""), "{errors}");
    assert!(errors.contains("the given schedule is not legal"), "{errors}");
    let list = "\"statements\": [\n";
    let start = original.find(list).unwrap() + list.len();
    let end = start + original[start..].find("\n    },\n").unwrap() + "\n    },\n".len();
    let fewer = [&original[..start], &original[end..]].concat();
    std::fs::write(folder.join("order"), fewer).unwrap();
    let (status, _, errors) = compile(&folder, &["p.c", "--schedule", "order"]);
    assert_eq!(status, 1, "{errors}");
    assert!(errors.contains("statements"), "{errors}");
}

#[test]
fn statements_without_text_are_calls() {
    let folder = folder("calls");
    let model = compiled(&folder, &["p.c", "--emit", "scop=jscop"]);
    std::fs::write(folder.join("p.jscop"), model).unwrap();
    let (status, code, report) = compile(&folder, &["p.jscop", "--from", "jscop"]);
    assert_eq!(status, 0, "{report}");
    assert!(code.contains("S0((int) c0"), "{code}");
    assert!(report.contains("printed as calls"), "{report}");
    let (status, _, errors) = compile(&folder, &["p.c", "--into", "p.c"]);
    assert_eq!(status, 2, "{errors}");
    let (status, _, errors) = compile(&folder, &["p.c", "--from", "openscop"]);
    assert_eq!(status, 1, "{errors}");
    assert!(errors.contains("line 3: expected `<OpenScop>`"), "{errors}");
}
