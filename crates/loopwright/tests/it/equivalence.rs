//! `loopwright verify`: pairs of programs with one planted fault or none, the compiler's own texts, exit
//! status, text and JSON.
use crate::support::scratch;
use loopwright::equivalence::{Extremum, Laws};
use loopwright::scop::ArithmeticOperator;
use loopwright::{
    CompileOptions, EquivalenceOptions, FileEquivalence, Status, compare_files, compile_file,
};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn pairs(kind: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs").join(kind);
    let mut all: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    all.sort();
    all
}

fn compared(before: &Path, after: &Path) -> FileEquivalence {
    let mut options = CompileOptions::new();
    options.front_end.assume_no_alias = true;
    compare_files(before, after, &options, &EquivalenceOptions::default()).unwrap()
}

fn verified(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_loopwright")).arg("verify").args(words).output().unwrap()
}

#[test]
fn transformed_programs_are_equal() {
    let pairs = pairs("equal");
    assert_eq!(pairs.len(), 44);
    let mut n_correspond = 0;
    for pair in pairs {
        let found = compared(&pair.join("before.c"), &pair.join("after.c"));
        assert_eq!(found.status(), Status::Done, "{}: {found}", pair.display());
        let text = found.to_string();
        let corresponds =
            text.contains(" correspond one to one, and all dependences keep their order");
        assert!(corresponds || text.contains("  proved by induction over "), "{found}");
        n_correspond += usize::from(corresponds);
        if ["tiled_time", "tiles_of_quotients", "pluto_private_iterators"]
            .iter()
            .any(|name| pair.ends_with(name))
        {
            assert!(corresponds, "{found}");
            assert_eq!(found.to_json()["regions"][0]["method"], "correspondence");
        }
    }
    assert!(n_correspond > 8, "{n_correspond}");
}

/// With `+`, `*` and the greatest of values as operators whose operands have no order.
fn compared_by_law(pair: &Path) -> FileEquivalence {
    let mut options = CompileOptions::new();
    options.front_end.assume_no_alias = true;
    let laws = Laws {
        associative_commutative: vec![ArithmeticOperator::Add, ArithmeticOperator::Multiply],
        extrema: vec![Extremum::Maximum],
    };
    let wanted = EquivalenceOptions { laws, ..EquivalenceOptions::default() };
    compare_files(&pair.join("before.c"), &pair.join("after.c"), &options, &wanted).unwrap()
}

/// Sums that are divided among variables, elements and threads are equal by law alone, and not with one
/// fault.
#[test]
fn divided_sums_are_equal_by_law() {
    let equal = pairs("equal_by_law");
    assert_eq!(equal.len(), 9);
    for pair in equal {
        let found = compared_by_law(&pair);
        assert_eq!(found.status(), Status::Done, "{}: {found}", pair.display());
        let without = compared(&pair.join("before.c"), &pair.join("after.c"));
        assert_ne!(without.status(), Status::Done, "{}: {without}", pair.display());
    }
    let different = pairs("different_by_law");
    assert_eq!(different.len(), 9);
    for pair in different {
        let found = compared_by_law(&pair);
        assert_eq!(found.status(), Status::Refused, "{}: {found}", pair.display());
        let json = found.to_json();
        let witness = &json["regions"][0]["witness"];
        assert_ne!(witness["histories"][0], witness["histories"][1], "{json}");
    }
}

#[test]
fn planted_faults_are_found() {
    let pairs = pairs("different");
    assert_eq!(pairs.len(), 44);
    let mut n_races = 0;
    for pair in pairs {
        let found = compared(&pair.join("before.c"), &pair.join("after.c"));
        assert_eq!(found.status(), Status::Refused, "{}: {found}", pair.display());
        let json = found.to_json();
        let region = &json["regions"][0];
        let is_race = region["race"].is_string();
        n_races += usize::from(is_race);
        let differ = |part: &str| region["witness"][part][0] != region["witness"][part][1];
        assert!(is_race || differ("histories") || differ("differences"), "{json}");
    }
    assert_eq!(n_races, 3, "a shared scalar, a loop with dependences, waits for another iteration");
}

/// What the compiler prints is equal to what it was given, also with threads, tiles and panels.
#[test]
fn own_texts_are_equal() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = scratch("verify-own");
    let examples = root.join("../../examples");
    for name in ["gemm.c", "columns.c"] {
        for choices in [&[][..], &["no-register-tiles"][..], &["no-register-tiles", "no-tile"]] {
            let mut options = CompileOptions::new();
            options.front_end.assume_no_alias = true;
            for choice in choices.iter().chain(&["always-rewrite"]) {
                options.set(choice, None).unwrap();
            }
            let before = examples.join(name);
            let code = compile_file(&before, &options).unwrap().code;
            let after = folder.join(name);
            std::fs::write(&after, code).unwrap();
            let found = compared(&before, &after);
            assert_eq!(found.status(), Status::Done, "{name} {choices:?}: {found}");
        }
    }
}

/// Totals of integers in unsigned arithmetic, the condition under which threads run, and promises about other
/// loops of the file; what is only named like them is not taken for them.
#[test]
fn own_helpers_count_word_for_word() {
    let text = "void f(int n, int *restrict s, int *restrict A, double *restrict B) {
#pragma scop
  for (int i = 0; i < n; i++)
    s[0] += A[i];
  for (int i = 0; i < n; i++)
    B[i] = 2 * B[i];
#pragma endscop
}
void g(int n, double *restrict B, int *restrict A) {
#pragma scop
#pragma pencil independent
  for (int i = 0; i < n; i++)
    B[A[i]] = 1;
#pragma endscop
}
";
    let folder = scratch("verify-own-helpers");
    let [before, after] = ["before.c", "after.c"].map(|name| folder.join(name));
    std::fs::write(&before, text).unwrap();
    let mut options = CompileOptions::new();
    for choice in ["always-rewrite", "reassociate"] {
        options.set(choice, None).unwrap();
    }
    let code = compile_file(&before, &options).unwrap().code;
    let [sum, condition] = ["reduction(loopwright_sum: ", "for if(loopwright_default_floats())"];
    assert!(code.contains(sum) && code.contains(condition), "{code}");
    let answer = |code: &str| {
        std::fs::write(&after, code).unwrap();
        let laws =
            Laws { associative_commutative: vec![ArithmeticOperator::Add], ..Laws::default() };
        let wanted = EquivalenceOptions { laws, ..EquivalenceOptions::default() };
        let found = compare_files(&before, &after, &options, &wanted).unwrap();
        (found.regions[0].status(), found.to_string())
    };
    let (status, said) = answer(&code);
    assert_eq!(status, Status::Done, "{said}\n{code}");
    for (from, to, cause) in [
        ("return 0;", "return 2;", "the clause `if`"),
        ("+ (unsigned) omp_in", "- (unsigned) omp_in", "a reduction that is not understood"),
    ] {
        let (status, said) = answer(&code.replace(from, to));
        assert_eq!(status, Status::Limit, "{from}: {said}");
        assert!(said.contains(cause), "{from}: {said}");
    }
}

fn pair_of(name: &str, before: &str, after: &str) -> [String; 2] {
    let folder = scratch(&format!("verify-{name}"));
    [("before.c", before), ("after.c", after)].map(|(file, body)| {
        let text = format!(
            "void f(int n, double *restrict A, double *restrict B) {{\n#pragma scop\n{body}\n#pragma endscop\n}}\n"
        );
        std::fs::write(folder.join(file), text).unwrap();
        folder.join(file).display().to_string()
    })
}

const COPY: &str = "  for (int i = 0; i < n; i++)\n    A[i] = B[i];";

#[test]
fn the_exit_status_is_the_answer() {
    let [before, after] =
        pair_of("status-0", COPY, "  for (int i = n - 1; i >= 0; i--)\n    A[i] = B[i];");
    let output = verified(&[&before, &after]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).unwrap();
    let first = "f, lines 2-5 and 2-5: equal for all values of n\n  proved: instances of 1 pair of statements correspond";
    assert!(text.starts_with(first), "{text}");

    let [before, after] =
        pair_of("status-1", COPY, "  for (int i = 0; i < n; i++)\n    A[i] = B[0];");
    let output = verified(&[&before, &after]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    let expected = format!(
        "f, lines 2-5 and 2-5: different\n  for n = 2\n  A[1] of {before} is B[1]\n  A[1] of {after} is B[0]\n  with "
    );
    assert!(text.starts_with(&expected), "{text}");

    let [before, after] =
        pair_of("status-3", COPY, "  for (int i = 0; i < n; i++)\n    A[(int)B[i]] = B[i];");
    let output = verified(&[&before, &after]);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(": not decided\n  the second program: "), "{text}");
    assert!(text.contains(&format!("  at line 4 of {after}\n")), "{text}");

    for words in [
        &[&*before][..],
        &[&before, &after, "--associative", "-"],
        &[&before, &after, "--timeout", "soon"],
    ] {
        assert_eq!(verified(words).status.code(), Some(2), "{words:?}");
    }
    assert_eq!(verified(&["/not/there.c", &after]).status.code(), Some(3));
}

#[test]
fn json_has_the_answer_the_pairs_and_the_witness() {
    let [before, after] =
        pair_of("json", COPY, "  for (int i = 0; i < n; i++)\n    A[i] = B[n - 1];");
    let of = |words: &[&str]| -> serde_json::Value {
        serde_json::from_slice(&verified(words).stdout).unwrap()
    };
    let same = of(&[&before, &before, "--json"]);
    assert_eq!(same["answer"], "equal");
    let pairs = same["regions"][0]["pairs"].as_array().unwrap();
    let relations: Vec<&str> =
        pairs.iter().map(|pair| pair["relation"].as_str().unwrap()).collect();
    assert_eq!(same["regions"][0]["method"], "correspondence");
    assert!(relations[0].contains("S0[i] -> S0[i' = i]"), "{relations:?}");
    let other = of(&[&before, &after, "--json"]);
    assert_eq!(other["regions"][0]["answer"], "different");
    let witness = &other["regions"][0]["witness"];
    assert_eq!(witness["parameters"]["n"], 2);
    assert_eq!(witness["elements"], serde_json::json!(["A[0]", "A[0]"]));
    assert_eq!(witness["histories"], serde_json::json!(["B[0]", "B[1]"]));
}

#[test]
fn options_say_what_is_asked() {
    let sum = "  for (int i = 0; i < n; i++)\n    A[i] = B[i] + 2.5 + 0.1;";
    let swapped = sum.replace("B[i] + 2.5", "2.5 + B[i]");
    let [before, after] = pair_of("commutative", sum, &swapped);
    let output = verified(&[&before, &after]);
    assert_eq!(output.status.code(), Some(3), "no numbers have another sum");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("no small execution shows a difference"), "{text}");
    let other = sum.replace("B[i] + 2.5 + 0.1", "B[i] + (0.1 + 2.5)");
    let [before, after] = pair_of("associative", sum, &other);
    assert_eq!(verified(&[&before, &after]).status.code(), Some(1));
    assert_eq!(verified(&[&before, &after, "--associative", "+"]).status.code(), Some(0));
    assert_eq!(verified(&[&before, &after, "--live-out", "B"]).status.code(), Some(0));
    assert_eq!(verified(&[&before, &after, "--live-out", "D"]).status.code(), Some(3));

    let reversed = "  for (int i = 0; i < n; i++)\n    A[n - 1 - i] = B[i];";
    let [before, after] = pair_of("layout", COPY, reversed);
    let layout = "[n] -> { A[i] -> A[n - 1 - i] }";
    assert_eq!(verified(&[&before, &after]).status.code(), Some(1));
    assert_eq!(verified(&[&before, &after, "--layout", layout]).status.code(), Some(0));
}

#[test]
fn races_are_told_with_iterations() {
    let carried = "  for (int i = 1; i < n; i++)\n    A[i] = A[i - 1] + B[i];";
    let [before, after] =
        pair_of("race", carried, &format!("  #pragma omp parallel for\n{carried}"));
    let output = verified(&[&before, &after]);
    let text = String::from_utf8(output.stdout).unwrap();
    let race = "  line 3: iterations of the parallel loop disturb each other: for n = 3, iterations 1 and 2 access A[1], and one writes it\n";
    assert!(text.contains(race), "{text}");
    let reduced = "  double s = 0;\n  #pragma omp parallel for reduction(+: s)\n  for (int i = 0; i < n; i++)\n    s = s + B[i];\n  A[0] = s;";
    let plain = reduced.replace("  #pragma omp parallel for reduction(+: s)\n", "");
    let [before, after] = pair_of("reduction", &plain, reduced);
    let output = verified(&[&before, &after]);
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("pass --associative '+' if that does not matter"), "{text}");
    assert_eq!(verified(&[&before, &after, "--associative", "+"]).status.code(), Some(0));
}

/// `lastprivate(conditional:)` leaves what the last iteration that assigns has assigned, or the value from
/// before; without `conditional` it is that of the last iteration, and anything if there is none.
#[test]
fn last_values_are_those_of_the_clause() {
    let plain = |condition: &str| {
        format!(
            "  double s = 1;\n  for (int i = 0; i < n; i++)\n    {condition}s = B[i];\n  A[0] = s;"
        )
    };
    let clause = |text: &str, kind: &str| {
        text.replace("  for", &format!("  #pragma omp parallel for lastprivate({kind}s)\n  for"))
    };
    let (always, half) = (plain(""), plain("if (2 * i < n)\n      "));
    let bounded = |text: &str| {
        text.replace("s = 1;", "s = 1;\n  if (n > 0) {").replace("A[0] = s;", "A[0] = s; }")
    };
    let (some, half_of_some) = (bounded(&always), bounded(&half));
    let early = half_of_some
        .replace("i++)", "i++) {")
        .replace("s = B[i];", "s = B[i];\n      A[i] = 2; }")
        .replace("A[0] = s", "A[n] = s");
    let cases = [
        (&always, "conditional: ", 0, "proved"),
        (&half, "conditional: ", 0, "proved"),
        (
            &some,
            "",
            3,
            "whether the last iteration of the parallel loop assigns to `s` is not known",
        ),
        (&half_of_some, "", 3, "whether the last iteration"),
        (&early, "", 1, "behind the loop a value of another iteration than the last"),
        (&always, "", 1, "a value from before it, which is lost where it has no iterations"),
    ];
    for (text, kind, status, said) in cases {
        let [before, after] = pair_of("last", text, &clause(text, kind));
        let output = verified(&[&before, &after]);
        let answer = String::from_utf8(output.stdout).unwrap();
        assert!(answer.contains(said), "{text}\n{kind}\n{answer}");
        assert_eq!(output.status.code(), Some(status), "{answer}");
    }
}
