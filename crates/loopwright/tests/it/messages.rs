//! What is said: causes of serial and refused loops, ways out, files that are not C, names and lines as
//! programs have them.
use crate::project::{Project, is_there, program};
use std::process::Output;

/// What a command prints on both outputs, with its exit status.
fn said(project: &Project, words: &str) -> (String, i32) {
    let output: Output = project.command(program()).args(words.split(' ')).output().unwrap();
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    (format!("{out}{err}"), output.status.code().unwrap_or(-1))
}

/// Serial loops with what is said about them, in `report` and in `compile`.
const SERIAL: [(&str, &[&str], &[&str]); 9] = [
    (
        "float f(int n, float *a) {\n  float total = 0;\n  for (int i = 0; i < n; i++)\n    total += a[i];\n  return total;\n}\n",
        &["`total` is a sum (line 4)", "--reassociate makes it parallel"],
        &["enough work"],
    ),
    (
        "double f(int n, double *a) {\n  double p = 1;\n  for (int i = 0; i < n; i++)\n    p *= a[i];\n  return p;\n}\n",
        &["`p` is a product (line 4)", "--reassociate"],
        &["enough work"],
    ),
    (
        "void f(int n, double *x) {\n  for (int k = 3; k < n; k++)\n    x[k] = x[k - 3] + 1;\n}\n",
        &["`x`: line 3 reads what line 3 has written 3 iterations before"],
        &["enough work", "--reassociate"],
    ),
    (
        "void f(int n, double *x) {\n  for (int k = n - 2; k >= 0; k--)\n    x[k] = x[k + 1] + 1;\n}\n",
        &["`x`: line 3 reads what line 3 has written in the iteration before"],
        &["enough work"],
    ),
    (
        "double f(int n, double *a) {\n  double q = 1;\n  for (int i = 0; i < n; i++)\n    q = q * 0.5 + a[i];\n  return q;\n}\n",
        &["`q`: line 4 reads what line 4 has written in the iteration before"],
        &["--reassociate", "pencil"],
    ),
    (
        "void f(int n, const int *restrict to, double *restrict y, const double *restrict b) {\n  for (int i = 0; i < n; i++)\n    y[to[i]] = b[i];\n}\n",
        &["which elements of `y` line 3 uses is not known", "pencil independent"],
        &["enough work"],
    ),
    (
        "void f(int n, const int *restrict p, double *restrict y, double *restrict s) {\n  for (int i = 0; i < n; i++) {\n    y[p[i]] = i;\n    s[0] += y[i];\n  }\n}\n",
        &["`y`", "`s` is a sum (line 4)"],
        // Neither of the two is enough.
        &["--reassociate makes", "pencil independent"],
    ),
    (
        "void f(int n, double a[n][n]) {\n  for (int t = 0; t < 50; t++)\n    a[t % 3][0] = a[0][0] * 0.5;\n}\n",
        &["`a`: line 3"],
        &["enough work"],
    ),
    (
        "unsigned f(int n, const unsigned *a) {\n  unsigned s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i];\n  return s;\n}\n",
        &["parallel"],
        &["is a sum", "--reassociate"],
    ),
];

#[test]
fn serial_loops_are_told_their_causes() {
    for (text, wanted, unwanted) in SERIAL {
        let project = Project::new(&[("a.c", text)]);
        for command in ["report a.c", "compile --autodetect a.c -o b.c"] {
            let (found, status) = said(&project, command);
            assert_eq!(status, 0, "{text}{found}");
            for part in wanted {
                assert!(found.contains(part), "{part}\n{text}{found}");
            }
            for part in unwanted {
                assert!(!found.contains(part), "{part}\n{text}{found}");
            }
        }
    }
}

/// A nest is told of its own loops, and leave to reassociate is no way out where it is given.
#[test]
fn causes_are_those_of_the_nest() {
    let text = "double f(int n, double *restrict a, double *restrict b) {\n  double s = 0;\n  for (int i = 0; i < n; i++)\n    \
                s += a[i];\n  for (int i = 1; i < n; i++)\n    b[i] = b[i - 1] * s;\n  return s;\n}\n";
    let project = Project::new(&[("a.c", text)]);
    let (found, _) = said(&project, "report a.c");
    assert_eq!(found.matches("`s` is a sum").count(), 1, "{found}");
    assert_eq!(found.matches("`b`: line 6").count(), 1, "{found}");
    let (found, _) = said(&project, "report a.c --reassociate --always-rewrite");
    assert!(!found.contains("--reassociate makes"), "{found}");
}

/// Loops that are refused with all causes.
const REFUSED: [(&str, &[&str]); 5] = [
    ("for (int i = 1; i < n; i *= 3) a[i] = other(a[i]);", &["CF08", "CF12"]),
    ("for (int i = 0; i < n; i++) { if (a[i] < 0) break; a[i] = other(a[i]); }", &["CF08", "CF12"]),
    ("while (a[0] > 1) { a[0] = other(a[0]); a[1] = unknown; }", &["CF12", "CF11"]),
    ("do { a[0] = other(2); } while (a[0] > 1);", &["CF06", "CF12"]),
    (
        "for (int i = 1; i < n; i *= 3) { a[i] = other(a[i]); a[i] += unknown; }",
        &["CF08", "CF11", "CF12"],
    ),
];

#[test]
fn all_causes_of_a_refusal_are_told() {
    for (text, codes) in REFUSED {
        let file = format!("double other(double);\nvoid f(int n, double *a) {{\n  {text}\n}}\n");
        let project = Project::new(&[("a.c", &file)]);
        let (found, _) = said(&project, "report a.c");
        for code in codes {
            assert!(found.contains(&format!("[{code}]")), "{code}\n{text}\n{found}");
        }
    }
    // What is inside of a loop that is refused for its form only is no further cause.
    let text =
        "void f(int n, double *a) {\n  for (int i = 1; i < n; i *= 3)\n    a[i] = a[i] * 2;\n}\n";
    let (found, _) = said(&Project::new(&[("a.c", text)]), "report a.c");
    assert!(found.contains("CF08") && !found.contains("CF12"), "{found}");
}

#[test]
fn files_that_are_not_c_are_called_what_they_are() {
    let files: [(&str, &[u8], &str); 8] = [
        (
            "a.cpp",
            b"#include <vector>\nvoid f(std::vector<int> &a) { for (auto &x : a) x = 1; }\n",
            "C++",
        ),
        ("a.f", b"      program p\n      end\n", "Fortran"),
        ("a.F90", b"program p\nend program\n", "Fortran"),
        ("a.mm", b"@interface A\n@end\n", "Objective-C++"),
        ("a.s", b"\tnop\n", "assembler"),
        ("a.c", b"\x7fELF\x02\x01\x01\0\0", "an object file"),
        ("lib.c", b"!<arch>\nx", "an archive"),
        ("wide.c", b"\xff\xfei\0n\0t\0 \0x\0;\0", "UTF-16"),
    ];
    for (name, bytes, what) in files {
        let project = Project::new(&[]);
        std::fs::write(project.path(name), bytes).unwrap();
        for command in ["report", "compile --autodetect", "explain"] {
            let (found, status) = said(&project, &format!("{command} {name}"));
            assert!(status == 1, "{name}: {found}");
            assert!(found.contains("is not C: it is ") && found.contains(what), "{name}: {found}");
        }
    }
}

#[test]
fn files_without_pragmas_are_told_of_the_search() {
    let text = "void f(int n, double *a) {\n  for (int i = 0; i < n; i++)\n    a[i] = 2;\n}\n";
    let project = Project::new(&[("a.c", text), ("empty.c", "\n")]);
    let (found, status) = said(&project, "compile a.c -o b.c");
    assert!(status == 0 && found.contains("--autodetect looks for regions"), "{found}");
    let (found, status) = said(&project, "compile empty.c -o b.c");
    assert!(status == 0 && found.contains("the file is empty"), "{found}");
    let (found, status) = said(&project, "report --autodetect a.c");
    assert!(status == 0 && found.contains("parallel"), "{found}");
}

/// Programs whose results are compiled and run: names beyond ASCII, loops that share lines, C before C99.
const PROGRAMS: [(&str, &str, &str); 7] = [
    (
        "letters",
        "",
        "#include <stdio.h>\ndouble \u{3b1}[90][90], \u{df}[90];\nint main(void) {\n  double gr\u{f6}\u{df}e = 2;\n  \
         for (int i = 0; i < 90; i++)\n    for (int j = 0; j < 90; j++)\n      \u{3b1}[i][j] = \u{df}[j] + gr\u{f6}\u{df}e * i;\n  \
         printf(\"\u{e9}\\u00e9 %g\\n\", \u{3b1}[3][4]);\n}\n",
    ),
    (
        "escapes",
        "",
        "#include <stdio.h>\ndouble b\\u00e9[900];\nint main(void) {\n  for (int \\u03b9 = 0; \\U000003b9 < 900; \\u03b9++)\n    \
         b\\u00E9[\\u03b9] = 2 * \\u03b9;\n  printf(\"%g\\n\", b\\u00e9[77]);\n}\n",
    ),
    (
        "one_line",
        "",
        "int printf(const char *, ...);\nint a[5000], b[5000];\nvoid f(void) { int i; for (i = 1; i < 5000; i++) a[i] = 3 * b[i] + i; }\n\
         int main(void) { f(); printf(\"%d\\n\", a[4999]); return 0; }\n",
    ),
    (
        "macro_on_a_line",
        "",
        "#include <stdio.h>\n#define SCALE(N, A) for (int i = 0; i < N; i++) { for (int j = 0; j < N; j++) A[i * 70 + j] += i * j; }\n\
         double a[4900];\nvoid f(double *restrict x) { SCALE(70, x) }\nint main(void) {\n  f(a); /* as it is */ printf(\"%g\\n\", a[4899]);\n}\n",
    ),
    (
        "beside_others",
        "",
        "#include <stdio.h>\nint a[5000]; int b; int main(void) { b = 2; for (int i = 0; i < 5000; i++)\n    a[i] = i + b;\n  \
         for (int i = 0; i < 5000; i++) a[i] *= 2; printf(\"%d\\n\", a[77]); }\n",
    ),
    (
        "old",
        "-std=gnu89",
        "#include <stdio.h>\ndouble a[300][300], b[300][300];\nint main(void) {\n  int i, j, k;\n  for (k = 0; k < 2; k++)\n    \
         for (i = 0; i < 300; i++)\n      for (j = 0; j < 300; j++)\n        a[i][j] = a[i][j] * 0.5 + b[j][i] + i;\n  printf(\"%g\\n\", a[3][4]);\n  return 0;\n}\n",
    ),
    (
        "older",
        "-std=c90",
        "#include <stdio.h>\nstatic double s[900];\nint main(void) {\n  int i, j;\n  double t;\n  for (i = 0; i < 900; i++) {\n    t = i;\n    \
         for (j = 0; j < 900; j++)\n      s[i] = s[i] + j * t;\n  }\n  printf(\"%g\\n\", s[3]);\n  return 0;\n}\n",
    ),
];

#[test]
fn programs_are_compiled_as_they_are_written() {
    if !is_there("gcc") {
        return;
    }
    for (name, standard, text) in PROGRAMS {
        let project = Project::new(&[("a.c", text)]);
        let (found, status) = said(
            &project,
            format!("compile --autodetect --always-rewrite a.c -o b.c {standard}").trim_end(),
        );
        assert_eq!(status, 0, "{name}: {found}");
        let result = project.text("b.c");
        assert!(result.contains("#pragma omp"), "{name}: {found}{result}");
        let run = |file: &str| {
            project.succeed(&format!("gcc {standard} -O1 -w -fopenmp {file} -o p && ./p"))
        };
        assert_eq!(run("a.c"), run("b.c"), "{name}: {result}");
        if !standard.is_empty() {
            assert!(
                !result.contains("for (long") && !result.contains("for (int"),
                "{name}: {result}"
            );
        }
    }
}

/// A condition that values of a type never fulfil is no parallel loop.
#[test]
fn sizes_that_are_too_small_are_not_called_parallel() {
    for (size, is_parallel) in [
        ("unsigned char n", false),
        ("_Bool n", false),
        ("int n", true),
        ("unsigned short n", true),
    ] {
        let text = format!(
            "void f({size}, double *restrict a, const double *restrict b) {{\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * b[i];\n}}\n"
        );
        let (found, _) = said(&Project::new(&[("a.c", &text)]), "report a.c");
        assert_eq!(found.contains(": parallel, proved"), is_parallel, "{size}: {found}");
    }
}

/// Examples of dependences have values that can be had together.
#[test]
fn examples_have_products_of_their_factors() {
    let text = "void f(int n, int m, double *restrict a) {\n  for (int i = 1; i < n * m; i++)\n    a[i] = a[i - 1] + 1;\n}\n";
    let (found, _) = said(&Project::new(&[("a.c", text)]), "explain a.c");
    let example = found.lines().find(|line| line.contains("for example")).expect("there is one");
    let value = |name: &str| -> i64 {
        let at =
            example.rfind(&format!("{name} = ")).unwrap_or_else(|| panic!("{name}: {example}"));
        let rest = &example[at + name.len() + 3..];
        rest.split(',').next().unwrap().trim().parse().unwrap()
    };
    assert_eq!(value("n") * value(" m"), value("n_m"), "{example}");
    assert!(value("n_m") >= 3, "{example}");
}

/// Lines in sentences of the wrapper's report are those of the user's files.
#[test]
fn lines_of_the_wrapper_are_those_of_the_file() {
    if !is_there("gcc") {
        return;
    }
    let text = "#include <stdio.h>\n#include <math.h>\n\nvoid f(int n, const float *a, float *b)\n{\n  for (int i = 0; i < n; i++) {\n    \
                float e = 0;\n    for (int j = 0; j < 2 * n; j++)\n      e += a[j] * i;\n    b[n * i * i] = e;\n  }\n}\n";
    let project = Project::new(&[("a.c", text)]);
    let wrapper = project.wrapper();
    project.succeed(&format!("{wrapper} gcc -O2 -c a.c"));
    let reports: String = std::fs::read_dir(project.path("report"))
        .unwrap()
        .map(|entry| std::fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    let mut numbers = reports.match_indices("line ").filter_map(|(at, word)| {
        let digits: String =
            reports[at + word.len()..].chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u32>().ok()
    });
    assert!(numbers.clone().count() > 0, "{reports}");
    assert!(numbers.all(|line| line <= 12), "{reports}");
}

/// Variables behind parameters of called functions have names in messages.
#[test]
fn no_name_is_empty() {
    let text = "typedef double real3[3];\ntypedef struct { real3 *f; double *u; } atoms;\ntypedef struct { atoms *all; } state;\n\
                static inline void zero(real3 a) { a[0] = 0; a[1] = 0; }\nvoid z(state *s, int n)\n{\n  for (int i = 0; i < n; i++) {\n    \
                zero(s->all->f[i]);\n    s->all->u[i] = 0;\n  }\n}\n";
    let (found, _) = said(&Project::new(&[("a.c", text)]), "report a.c");
    assert!(!found.contains("``"), "{found}");
}

/// Loops of included files are named where they are not looked at, and empty files are called so.
#[test]
fn what_is_not_looked_at_is_named() {
    let header = "static void scale(int n, double *a) {\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      a[i] += j;\n}\n";
    let text = "#include <stdio.h>\n#include \"k.h\"\nvoid f(int n, double *a) { scale(n, a); }\n";
    let project = Project::new(&[("a.c", text), ("k.h", header), ("empty.c", "")]);
    let (found, status) = said(&project, "report a.c empty.c");
    assert_eq!(status, 0, "{found}");
    assert!(found.contains("1 loop of k.h not looked at"), "{found}");
    assert!(found.contains("the file is empty"), "{found}");
}

const SUM: &str = "double sum(int n, const double *a) {\n  double s = 0;\n  for (int i = 0; i < n; i++)\n    s += a[i];\n  return s;\n}\n";

/// Mistakes on the command line, with the exit status and what is said about them.
const MISTAKES: [(&str, i32, &str); 11] = [
    (
        "sum.c",
        2,
        "`sum.c` is a file, and no command\n  = hint: `loopwright compile sum.c` compiles",
    ),
    ("compile -O3 sum.c", 2, "invalid option '-O3': options of the compiler go to the compiler"),
    ("compile -fopenmp sum.c", 2, "`loopwright cc gcc -fopenmp FILE.c`"),
    ("compile -march=native sum.c", 2, "`loopwright cc gcc -march=native FILE.c`"),
    ("compile --threads 4 sum.c", 2, "OMP_NUM_THREADS sets the number of threads"),
    (
        "compile sum.c -o there/x.c",
        1,
        "cannot write there/x.c: No such file or directory (os error 2)\n",
    ),
    ("explain sum.c:9", 1, "there is no loop at sum.c:9\n  = hint: the only loop begins in line 3"),
    ("report .", 1, ". is a folder\n  = hint: `-p FOLDER` takes the files of a build"),
    ("help copmile", 2, "unknown command `copmile`; did you mean `compile`?"),
    ("help compile cc", 2, "takes the name of one command"),
    ("helpp", 2, "unknown command `helpp`"),
];

#[test]
fn mistakes_are_told_what_was_meant() {
    let project = Project::new(&[("sum.c", SUM)]);
    for (words, status, wanted) in MISTAKES {
        let (text, found) = said(&project, words);
        assert!(found == status && text.contains(wanted), "{words}: {found} {text}");
    }
}

/// A compiler takes such a file for one of the linker's, and prints nothing.
#[test]
fn files_without_a_name_of_c_are_read() {
    let text = "#include <stddef.h>\nvoid f(int n, double *restrict a) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = i;\n#pragma endscop\n}\n";
    let project = Project::new(&[("plain", text), ("part.inc", text)]);
    for file in ["plain", "part.inc"] {
        let (text, status) = said(&project, &format!("compile {file}"));
        assert!(status == 0 && text.contains("\n1 region\n"), "{text}");
    }
}

#[test]
fn help_is_a_command_and_codes_are_explained_as_text() {
    let project = Project::new(&[]);
    for (words, same) in [("help", "--help"), ("help compile", "compile --help")] {
        assert_eq!(said(&project, words), said(&project, same));
    }
    let (text, status) = said(&project, "explain CF12");
    assert!(status == 0 && text.starts_with("CF12: a call\n"), "{text}");
    assert!(text.contains("\n    #pragma scop\n"), "{text}");
    assert!(!["```", "](", "**"].iter().any(|mark| text.contains(mark)), "{text}");
}

#[test]
fn a_compiler_says_what_became_of_loops_where_that_is_asked_for() {
    if !is_there("gcc") {
        return;
    }
    let scale = "void scale(int n, double *restrict a, const double *restrict b) {\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * b[i];\n}\n";
    let project = Project::new(&[("scale.c", scale), ("none.c", "int x;\n")]);
    let compile = "--no-cache --always-rewrite gcc -O2 -c";
    let new = "loopwright: scale.c: 1 of 1 loop nest parallel, 0 tiled; `loopwright report scale.c` tells more\n";
    let none = "loopwright: none.c: no loops to transform\n";
    for (options, file, wanted) in [
        ("", "scale.c", ""),
        ("-v ", "scale.c", new),
        ("-v ", "none.c", none),
        ("-q ", "scale.c", ""),
    ] {
        let found = said(&project, &format!("cc {options}{compile} {file}"));
        assert_eq!(found, (wanted.to_string(), 0), "{options}{file}");
    }
    let line = format!("LOOPWRIGHT_VERBOSE=1 '{}' cc {compile} scale.c", program().display());
    assert_eq!(String::from_utf8_lossy(&project.shell(&line).stderr), new);
}
