//! Directives of OpenMP and OpenACC at all places of a region, in all spellings, in files with and without
//! pragmas around regions and in preprocessed text: what the table says is what happens.
use loopwright_cfront::directives::{Answer, Family, Meaning, Position, Reach, Row};
use loopwright_cfront::{Code, Diagnostic, Options, Outcome, Preprocessed, SourceFile, read_file};
use std::fmt::Write;
use std::path::{Path, PathBuf};

const PAGE: &str = include_str!("../../../../docs/directives.md");

/// Where the tables of the page begin.
const TABLES: &str = "\n## OpenMP 5.2\n";

fn tables() -> String {
    let mut text = String::new();
    for family in Family::ALL {
        let _ = write!(text, "\n## {}\n\n| directive | | why |\n|---|---|---|\n", family.title());
        for row in family.rows() {
            let _ = writeln!(text, "| `{}` | {} | it {} |", row.name, row.meaning.title(), row.why);
        }
        if family.clauses().is_empty() {
            continue;
        }
        let _ = write!(text, "\n| clause | | why |\n|---|---|---|\n");
        for row in family.clauses() {
            let _ = writeln!(text, "| `{}` | {} | it {} |", row.name, row.meaning.title(), row.why);
        }
    }
    text
}

#[test]
fn the_page_has_the_table() {
    let before = PAGE.find(TABLES).map_or(PAGE.trim_end(), |at| PAGE[..at].trim_end());
    let page = format!("{before}\n{}", tables());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/directives.md");
        std::fs::write(path, page).unwrap();
    } else {
        assert_eq!(PAGE, page);
    }
}

#[test]
fn the_table_is_whole() {
    // The directives and clauses of the specifications for C, written down apart from the table.
    let openmp = "threadprivate|declare reduction|declare mapper|declare simd|declare target|begin declare target|\
        end declare target|declare variant|begin declare variant|end declare variant|allocate|requires|assume|\
        assumes|begin assumes|end assumes|nothing|error|metadirective|begin metadirective|end metadirective|parallel|\
        teams|simd|masked|master|single|scope|sections|section|for|distribute|loop|scan|task|taskloop|taskyield|\
        target data|target enter data|target exit data|target|target update|interop|critical|barrier|taskgroup|\
        taskwait|atomic|flush|depobj|ordered|cancel|cancellation point|tile|unroll|dispatch|allocators|for simd|\
        distribute simd|distribute parallel for|distribute parallel for simd|taskloop simd|parallel for|\
        parallel for simd|parallel loop|parallel sections|parallel masked|parallel master|masked taskloop|\
        master taskloop|masked taskloop simd|master taskloop simd|parallel masked taskloop|\
        parallel masked taskloop simd|parallel master taskloop|parallel master taskloop simd|teams distribute|\
        teams distribute simd|teams distribute parallel for|teams distribute parallel for simd|teams loop|\
        target parallel|target parallel for|target parallel for simd|target parallel loop|target simd|target teams|\
        target teams distribute|target teams distribute simd|target teams loop|\
        target teams distribute parallel for|target teams distribute parallel for simd";
    let openacc = "parallel|kernels|serial|data|enter data|exit data|host_data|loop|parallel loop|kernels loop|\
        serial loop|cache|atomic|declare|init|shutdown|set|update|wait|routine";
    let clauses = "absent acq_rel acquire adjust_args affinity align aligned allocate allocator append_args at \
        atomic_default_mem_order bind capture collapse compare contains copyin copyprivate default defaultmap depend \
        destroy detach device device_type dist_schedule doacross dynamic_allocators enter exclusive fail filter final \
        firstprivate from full grainsize has_device_addr hint holds if in_reduction inbranch inclusive indirect init \
        initializer is_device_ptr lastprivate linear link map match mergeable message no_openmp no_openmp_routines \
        no_parallelism nocontext nogroup nontemporal notinbranch novariants nowait num_tasks num_teams num_threads \
        order ordered otherwise parallel partial priority private proc_bind read reduction relaxed release \
        reverse_offload safelen schedule sections seq_cst severity shared simd simdlen sizes task_reduction taskgroup \
        thread_limit threads to unified_address unified_shared_memory uniform untied update use use_device_addr \
        use_device_ptr uses_allocators weak when write";
    for (family, names) in [(Family::OpenMp, openmp), (Family::OpenAcc, openacc)] {
        for name in names.split('|') {
            assert!(family.row(name).is_some(), "{family:?} {name}");
        }
    }
    for name in clauses.split_whitespace() {
        assert!(Family::OpenMp.clauses().iter().any(|row| row.name == name), "{name}");
    }
    for family in Family::ALL {
        let mut names: Vec<&str> = family.rows().iter().map(|row| row.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{family:?}");
    }
}

/// How a directive is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Spelling {
    Line,
    Macro,
    Include,
    Strange,
}

/// How regions are read.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mode {
    Given,
    Searched,
    Preprocessed,
}

const PLACES: [Position; 4] =
    [Position::Inside, Position::Front, Position::Around, Position::Callee];

/// The directives that one file can have beside each other: not those about everything behind them.
fn tried() -> Vec<(&'static str, &'static Row)> {
    let of = |family: Family, word| family.rows().iter().map(move |row| (word, row));
    of(Family::OpenMp, "omp")
        .chain(of(Family::OpenAcc, "acc"))
        .filter(|(_, row)| row.reach != Reach::Behind && row.meaning != Meaning::Names)
        .collect()
}

/// A file with a function for each directive and place; `f7` and `g7` are of the directive 7.
fn program(spelling: Spelling, mode: Mode, position: Position) -> (String, Vec<(PathBuf, String)>) {
    let (mut text, mut files) = (String::new(), Vec::new());
    if spelling != Spelling::Line {
        text.push_str("#define PRAGMA(x) _Pragma(#x)\n");
    }
    for (number, (word, row)) in tried().iter().enumerate() {
        let words = format!("{word} {}", row.name);
        let written = match spelling {
            Spelling::Line => format!("#pragma {words}"),
            Spelling::Macro => format!("  PRAGMA({words})"),
            Spelling::Include => {
                let name = format!("d{number}.inc");
                files.push((PathBuf::from(&name), format!("#pragma {words}\n")));
                format!("#include \"{name}\"")
            }
            Spelling::Strange => format!("/* x */ %:pragma \\\n  {words}"),
        };
        let [front, inside, around, callee] =
            [Position::Front, Position::Inside, Position::Around, Position::Callee]
                .map(|own| if own == position { format!("{written}\n") } else { String::new() });
        let (open, close) = match mode {
            Mode::Given => ("#pragma scop\n", "#pragma endscop\n"),
            _ => ("", ""),
        };
        let value = if position == Position::Callee { "g" } else { "" };
        let value = match value {
            "g" => format!("g{number}(a[i])"),
            _ => "2 * a[i]".to_string(),
        };
        if position == Position::Callee {
            let _ = writeln!(
                text,
                "static double g{number}(double x) {{\n{callee}  for (int k = 0; k < 3; k++)\n    x += 1;\n  return x;\n}}"
            );
        }
        let _ = write!(
            text,
            "void f{number}(int n, double a[restrict n]) {{\n{around}  {{\n{front}{open}{inside}  \
             for (int i = 0; i < n; i++)\n    a[i] = {value};\n{close}  }}\n}}\n"
        );
    }
    (text, files)
}

/// A function with its refusals.
type Found = (String, Option<Vec<Diagnostic>>);

/// What comes of each function: its refusals, or none.
fn outcomes(folder: &Path, text: &str, mode: Mode) -> Result<Vec<Found>, Vec<Diagnostic>> {
    let path = folder.join("program.c");
    std::fs::write(&path, text).unwrap();
    let file = match mode {
        Mode::Preprocessed => {
            let output = std::process::Command::new("cc")
                .args(["-fopenmp", "-E"])
                .arg(&path)
                .output()
                .unwrap();
            let text = Preprocessed::read(&String::from_utf8(output.stdout).unwrap(), true);
            SourceFile::of_preprocessed(&text, &Options::default()).autodetecting()
        }
        _ => read_file(&path, &Options::default())?,
    };
    if mode == Mode::Given {
        let lines: Vec<&str> = text.lines().collect();
        let function = |line: u32| {
            let before = lines[..line as usize].iter().rev();
            let head = before.filter_map(|line| line.strip_prefix("void ")).next().unwrap();
            head[..head.find('(').unwrap()].to_string()
        };
        let each = file.extract_each()?;
        return Ok(each
            .into_iter()
            .map(|found| match found {
                Ok(region) => (region.function, None),
                Err(refused) => (function(refused.first_line), Some(refused.diagnostics)),
            })
            .collect());
    }
    let detection = file.autodetecting().detect()?;
    Ok(detection
        .nests
        .into_iter()
        .map(|nest| match nest.outcome {
            Outcome::Region(_) => (nest.function, None),
            Outcome::Refused(why) => (nest.function, Some(why)),
        })
        .collect())
}

#[test]
fn every_directive_has_its_answer_at_every_place() {
    let folder = std::env::temp_dir().join(format!("directives-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let rows = tried();
    assert!(rows.len() > 90);
    let mut wrong = Vec::new();
    let mut n_checked = 0;
    for spelling in [Spelling::Line, Spelling::Macro, Spelling::Include, Spelling::Strange] {
        for mode in [Mode::Given, Mode::Searched, Mode::Preprocessed] {
            for position in PLACES {
                let (text, files) = program(spelling, mode, position);
                for (name, content) in files {
                    std::fs::write(folder.join(name), content).unwrap();
                }
                let found = outcomes(&folder, &text, mode).unwrap();
                for (number, (word, row)) in rows.iter().enumerate() {
                    let name = format!("f{number}");
                    let own: Vec<_> = found.iter().filter(|(f, _)| *f == name).collect();
                    n_checked += 1;
                    // (Pragmas of OpenACC are nothing to a compiler without it.)
                    let is_read = mode != Mode::Preprocessed || *word == "omp";
                    let answer = row.meaning.answer(row.reach, position);
                    let is_left = mode != Mode::Given && position != Position::Callee;
                    let is_refused = is_read
                        && (is_left || matches!(answer, Answer::Refused | Answer::InOneThread));
                    let as_said = !own.is_empty()
                        && own.iter().all(|(_, why)| match why {
                            None => !is_refused,
                            Some(why) => {
                                is_refused && why.iter().any(|why| why.code == Code::Directive)
                            }
                        });
                    if !as_said {
                        let what =
                            format!("{spelling:?} {mode:?} {position:?} {word} {}", row.name);
                        wrong.push(format!("{what}: expected refused {is_refused}, {own:?}"));
                    }
                }
            }
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(n_checked > 4000);
    let n = wrong.len();
    wrong.truncate(20);
    assert!(n == 0, "{n} wrong\n{}", wrong.join("\n"));
}

fn given(text: &str) -> Result<Vec<loopwright_cfront::Region>, Vec<Diagnostic>> {
    SourceFile::from_text("f.c", text).extract()
}

fn is_refused(text: &str) -> bool {
    match given(text) {
        Ok(_) => false,
        Err(found) => {
            assert!(found.iter().any(|d| d.code == Code::Directive), "{text}\n{}", found[0]);
            assert!(
                found[0].place.is_some() && found[0].reason.is_some() && found[0].hint.is_some()
            );
            true
        }
    }
}

#[test]
fn directives_about_all_behind_them_end() {
    let region = "#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] += x;\n#pragma endscop\n";
    let function = |before: &str| {
        format!("{before}void f(int n, double a[restrict n], double x) {{\n{region}}}\n")
    };
    let cases = [
        ("#pragma omp begin declare target\nint z;\n#pragma omp end declare target\n", false),
        ("#pragma omp begin declare target\nint z;\n", true),
        ("#pragma omp declare target\nint z;\n#pragma omp end declare target\n", false),
        ("#pragma omp declare target\n", true),
        ("void f();\n#pragma omp declare target enter(f)\n", true),
        ("int z;\n#pragma omp declare target enter(z)\n", false),
        ("#pragma omp declare simd\n", true),
        ("#pragma acc routine seq\n", true),
        ("#pragma omp declare simd\ndouble g(double);\n", false),
        ("#pragma omp begin declare variant match(x)\n", true),
        ("#pragma omp requires unified_address\n", false),
        ("#pragma GCC optimize(\"O3\")\n", false),
        ("#pragma something else\n", true),
        ("#pragma something else\nint z;\n", false),
        ("#pragma once\n", false),
        ("double x;\n#pragma omp threadprivate(x)\n", true),
        ("double x, y;\n#pragma omp threadprivate(y)\n", false),
        ("#pragma STDC FP_CONTRACT OFF\n", false),
    ];
    for (before, refused) in cases {
        assert_eq!(is_refused(&function(before)), refused, "{before}");
    }
}

#[test]
fn one_thread_is_proved() {
    let region = "#pragma scop\n#pragma omp single\n  for (int i = 0; i < n; i++)\n    a[i] += 1;\n#pragma endscop\n";
    let f = format!("void f(int n, double a[restrict n]) {{\n{region}}}\n");
    let cases = [
        (f.clone(), true),
        (format!("static {f}"), true),
        (format!("static {f}int main(void) {{ static double a[9]; f(9, a); }}\n"), false),
        (format!("{f}int main(void) {{ static double a[9]; f(9, a); }}\n"), true),
        (
            format!(
                "static {f}int main(void) {{ static double a[9];\n#pragma omp parallel\n  f(9, a); }}\n"
            ),
            true,
        ),
        (
            format!(
                "static {f}static void g(double *a) {{ f(9, a); }}\nint main(void) {{ static double a[9]; g(a); }}\n"
            ),
            false,
        ),
        (
            format!(
                "static {f}void g(double *a) {{ f(9, a); }}\nint main(void) {{ static double a[9]; g(a); }}\n"
            ),
            true,
        ),
        (
            format!(
                "static {f}void (*p)(int, double *) = f;\nint main(void) {{ static double a[9]; f(9, a); }}\n"
            ),
            true,
        ),
        (
            format!(
                "static {f}int main(void) {{ static double a[9];\n#pragma omp parallel for\n  for (int i = 0; i < 9; i++) {{ f(9, a); }} }}\n"
            ),
            true,
        ),
        (format!("int main(void) {{ int n = 9; static double a[9];\n{region}}}\n"), false),
    ];
    for (text, refused) in cases {
        assert_eq!(is_refused(&text), refused, "{text}");
    }
}

#[test]
fn clauses_decide() {
    let cases = [
        ("#pragma omp parallel for schedule(static, 4) num_threads(n > 4 ? 4 : 1)", "", false),
        ("#pragma omp parallel for num_threads(k())", "", true),
        ("#pragma omp parallel for if(n++ > 4)", "", true),
        ("#pragma omp parallel for private(t)", "", false),
        ("#pragma omp parallel for private(t)", "a[0] = t;", true),
        ("#pragma omp parallel for private(t)", "for (t = 0; t < 4; t++) a[0] += t;", false),
        ("#pragma omp parallel for private(t)", "for (t = t; t < 4; t++) a[0] += t;", true),
        ("#pragma omp parallel for private(g)", "", true),
        ("#pragma omp parallel for firstprivate(t)", "", true),
        ("#pragma omp parallel for firstprivate(n)", "", false),
        ("#pragma omp parallel for lastprivate(t)", "a[0] = t;", false),
        ("#pragma omp parallel for copyin(t)", "", true),
        ("#pragma omp parallel for unheard(t)", "", true),
        ("#pragma omp parallel for linear(t: 2)", "", true),
        ("#pragma omp simd safelen(8) aligned(a: 32)", "", false),
        ("#pragma omp parallel loop bind(parallel)", "", false),
        ("#pragma omp parallel for reduction(+: s)", "a[0] = s;", false),
        ("#pragma omp parallel for reduction(*: s)", "a[0] = s;", true),
        ("#pragma omp parallel for reduction(mine: s)", "a[0] = s;", true),
        ("#pragma omp parallel for reduction(task, +: s)", "a[0] = s;", true),
        ("#pragma omp parallel for reduction(+: t)", "", true),
        ("#pragma omp simd reduction(+: s)", "a[0] = s;", false),
        ("#pragma omp for nowait", "", true),
    ];
    for (directive, behind, refused) in cases {
        let text = format!(
            "int g;\nvoid f(int n, double a[restrict n], double b[restrict n]) {{\n  int t = 3; double s = 1;\n\
             #pragma scop\n{directive}\n  for (int i = 0; i < n; i++) {{\n    t = i;\n    a[i] = t;\n    s += b[i];\n  }}\n\
             #pragma endscop\n  {behind}\n}}\n"
        );
        assert_eq!(is_refused(&text), refused, "{text}");
    }
    let iterators = [
        ("parallel for", "", false),
        ("parallel for", "a[0] = i;", true),
        ("parallel for", "for (i = 0; i < 4; i++) a[i] = 2;", false),
        ("parallel for collapse(2)", "a[0] = j;", true),
        ("simd", "a[0] = i;", false),
    ];
    for (directive, behind, refused) in iterators {
        let text = format!(
            "void f(int n, double a[restrict n], double b[restrict n][n]) {{\n  int i = 5, j = 6;\n\
             #pragma scop\n#pragma omp {directive}\n  for (i = 0; i < n; i++)\n    for (j = 0; j < n; j++)\n      b[i][j] = 1;\n\
             #pragma endscop\n  {behind}\n}}\n"
        );
        assert_eq!(is_refused(&text), refused, "{text}");
    }
}

#[test]
fn variables_that_others_see_are_not_a_threads_own() {
    let cases = [
        ("reduction(+: s)", "s += g(i);", true),
        ("reduction(+: t)", "t += g(i);", false),
        ("reduction(+: s)", "s += a[i];", false),
        ("lastprivate(s)", "s = g(i); a[i] = s;", true),
        ("firstprivate(s)", "a[i] = s + g(i);", true),
        ("reduction(+: u)", "u += a[i];", true),
        ("reduction(+: r)", "r.x += a[i];", true),
        ("reduction(*: t)", "t *= a[i];", true),
    ];
    for (clause, body, refused) in cases {
        let text = format!(
            "struct r {{ double x; }};\n#pragma omp declare reduction(*: double: omp_out += omp_in)\ndouble s;\n\
             static double g(int i) {{ return s + i; }}\n\
             double f(int n, double a[restrict n], struct r r) {{\n  double t = 1, u = 2, *p = &u;\n\
             #pragma scop\n#pragma omp parallel for {clause}\n  for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n\
             #pragma endscop\n  return t + *p + r.x;\n}}\n"
        );
        assert_eq!(is_refused(&text), refused, "{text}");
    }
}

#[test]
fn callees_keep_loops_that_mean_the_same_in_any_thread() {
    let cases = [
        ("omp simd", false),
        ("omp simd reduction(+: x)", false),
        ("omp parallel for schedule(static)", false),
        ("omp parallel for private(x)", true),
        ("omp for", true),
        ("omp atomic", true),
        ("omp barrier", true),
        ("GCC unroll 4", false),
        ("unheard of", true),
    ];
    for (directive, refused) in cases {
        let text = format!(
            "static double g(double x) {{\n#pragma {directive}\n  for (int k = 0; k < 3; k++)\n    x += 1;\n  return x;\n}}\n\
             static double h(double x) {{ return g(x) + 1; }}\n\
             void f(int n, double a[restrict n]) {{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = h(a[i]);\n#pragma endscop\n}}\n"
        );
        assert_eq!(is_refused(&text), refused, "{text}");
    }
}

#[test]
fn extrema_are_reductions() {
    let cases = [
        ("max", "if (a[i] > s) s = a[i];", false),
        ("max", "if (s < a[i]) { s = a[i]; }", false),
        ("min", "if (a[i] > s) s = a[i];", true),
        ("max", "s = a[i] > s ? a[i] : s;", false),
        ("max", "s = a[i] < s ? s : a[i];", false),
        ("max", "s = a[i] > s ? s : a[i];", true),
        ("max", "s = fmax(s, a[i]);", false),
        ("min", "s = fmax(s, a[i]);", true),
        ("+", "s = s + a[i] * 2;", false),
        ("+", "s = a[i] - s;", true),
        ("-", "s -= a[i];", false),
        ("+", "a[i] = s += 1;", true),
        ("*", "s *= a[i];", false),
    ];
    for (operator, body, refused) in cases {
        let text = format!(
            "double fmax(double, double);\ndouble f(int n, double a[restrict n]) {{\n  double s = 1;\n\
             #pragma scop\n#pragma omp parallel for reduction({operator}: s)\n  for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n\
             #pragma endscop\n  return s;\n}}\n"
        );
        assert_eq!(is_refused(&text), refused, "{text}");
    }
}

#[test]
fn other_threads_are_an_assumption() {
    let text = |before: &str| {
        format!(
            "{before}int main(void) {{ int n = 9; static int a[9];\n#pragma scop\n  for (int i = 0; i < n; i++) {{\n\
             #pragma omp atomic\n    a[i] += 1;\n  }}\n#pragma endscop\n}}\n"
        )
    };
    let regions = given(&text("")).unwrap();
    let said = "no other thread of the program uses what the directive `omp atomic` in line 4 is about while the region runs";
    assert!(regions[0].scop.assumptions.iter().any(|assumed| assumed == said));
    assert!(is_refused(&text("int pthread_create();\n")));
}

#[test]
fn what_vanishes_is_named() {
    let text = "void f(int n, double a[restrict n]) {\n#pragma scop\n#pragma omp parallel for schedule(dynamic) nowait\n  \
                for (int i = 0; i < n; i++)\n    a[i] += 1;\n#pragma endscop\n}\n";
    let regions = given(text).unwrap();
    let said = "the directive `omp parallel for schedule(dynamic) nowait` in line 3 is not in the result: what it is about is a part of the region";
    assert!(regions[0].remarks.iter().any(|remark| remark == said), "{:?}", regions[0].remarks);
}

/// Wherever in the file that is said: `d` may be `c`, and other files may define what is weak.
#[test]
fn names_that_may_stand_for_other_objects_are_refused() {
    let text = |before: &str, behind: &str, value: &str| {
        format!(
            "{before}double c;\nextern double d;\ndouble g(double x) {{ return x + 1; }}\n\
             static double h(double x) {{ return g(x) + 1; }}\n\
             void f(int n, double a[restrict n]) {{\n#pragma scop\n  for (int i = 0; i < n; i++) {{\n    c = i;\n    a[i] = {value};\n  }}\n\
             #pragma endscop\n}}\n{behind}"
        )
    };
    let cases = [
        ("", "extern double d __attribute__((alias(\"c\")));\n", Some(Code::Type)),
        ("", "extern double d __asm__(\"c\");\n", Some(Code::Type)),
        ("", "#pragma weak d = c\n", Some(Code::Directive)),
        ("", "#pragma redefine_extname d c\n", Some(Code::Directive)),
        ("void o(void) {\n#pragma redefine_extname d c\n}\n", "", Some(Code::Directive)),
        ("#pragma weak g\n", "", Some(Code::Directive)),
        ("", "#pragma weak g\n", Some(Code::Directive)),
        ("__attribute__((weak)) double g(double);\n", "", Some(Code::Type)),
        ("__attribute__((noinline)) double g(double);\n", "#pragma weak e = c\n", None),
        ("", "extern double e __asm__(\"c\");\n", None),
    ];
    for (before, behind, code) in cases {
        let text = text(before, behind, "d + h(a[i])");
        match (given(&text), code) {
            (Ok(_), None) => {}
            (Err(found), Some(code)) => {
                assert!(found.iter().any(|own| own.code == code), "{text}\n{}", found[0]);
            }
            (found, _) => panic!("{text}\n{:?}", found.map(|regions| regions.len())),
        }
    }
}
