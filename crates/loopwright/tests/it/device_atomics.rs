//! Integers at places that data decide are updated by one instruction each on devices, in both languages;
//! results are those of the processor.
use crate::devices::{Built, are_in_order, options, program};
use crate::project::is_there;
use crate::support::headers;
use loopwright::{CompileOptions, Scheduler};
use loopwright_backend::device::Language;
use loopwright_testkit::Choices;
use loopwright_testkit::cases::seeds;

fn built(name: &str, text: &str, language: Language) -> Built {
    Built::proved(name, text, &options(language))
}

/// A function whose region is this.
fn function(arguments: &str, region: &str) -> String {
    format!("void f({arguments})\n{{\n#pragma scop\n{region}\n#pragma endscop\n}}\n")
}

const HISTOGRAM: (&str, &str) = (
    "int n, int h[restrict 256], int a[restrict n]",
    "  for (int i = 0; i < n; i++)\n    h[a[i]]++;",
);

/// The emulation that counts sees races of other accesses with such updates; that under a thread sanitizer
/// runs them as they are.
#[test]
fn cuda_updates_what_the_processor_does() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let built = built("histograms", &program("histograms"), Language::Cuda);
    let text = built.kernels();
    are_in_order(
        text,
        &[
            "atomicAdd(&h[a[",
            "atomicAdd(&g[((long) (a[",
            "if (from[",
            "atomicAdd(&degree[from[",
            "atomicSub(&degree[to[",
            "atomicOr(&set[key[",
            "atomicXor(&odd[key[",
            "atomicAdd((unsigned long long *)&total[key[",
        ],
    );
    let counts = built.counted();
    assert!(counts.findings().is_empty(), "{:?}", counts.findings());
    // bytes, pairs, marks, weights, one each; ends of edges, of which some are the same.
    assert_eq!(counts.get("atomics"), 5000 + 40 * 49 + 5964 + 2 * 5000 + 5000);
    let flags = if headers::has_sanitizer() { "-O1 -g -fsanitize=thread" } else { "-O1" };
    built.emulate(built.kernels(), flags);
    assert_eq!(built.shell("TSAN_OPTIONS=exitcode=66 ./code").stdout, built.expected());
}

#[test]
fn opencl_updates_what_the_processor_does() {
    if !is_there("gcc") {
        return;
    }
    let built = built("histograms", &program("histograms"), Language::OpenCl);
    are_in_order(built.kernels(), &["atomic_add(&h[a[", "atomic_sub(&degree[to[", "atomic_or(&"]);
    // Those of 64 bits are in an extension.
    let kept: Vec<String> =
        built.notes().into_iter().filter(|note| note.contains("8 bytes")).collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
    if let Some(output) = built.on_opencl() {
        assert_eq!(output.stdout, built.expected());
    }
}

/// Where it is switched off, and where iterations are independent as they are, there are none.
#[test]
fn they_are_used_where_nothing_else_helps() {
    let text = function(HISTOGRAM.0, HISTOGRAM.1);
    let mut off = options(Language::Cuda);
    off.devices.atomic_updates = false;
    let without = Built::with("off", &text, &off).expect("it compiles");
    assert!(without.compiled.device_file().is_none());
    let rows = function(
        "int n, int h[restrict n][256], int a[restrict n][100]",
        "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < 100; j++)\n      h[i][a[i][j]]++;",
    );
    let rows = built("rows_of_histograms", &rows, Language::Cuda);
    assert!(!rows.kernels().contains("atomicAdd"), "{}", rows.kernels());
}

/// What is no sum of integers, or names its array again, keeps its order.
#[test]
fn other_updates_keep_their_order() {
    let refused = [
        ("double h[restrict 256], int n, int a[restrict n]", "h[a[i]] += 1;"),
        ("short h[restrict 256], int n, int a[restrict n]", "h[a[i]] += 1;"),
        ("int h[restrict 256], int n, int a[restrict n], double w[restrict n]", "h[a[i]] += w[i];"),
        ("int h[restrict 256], int n, int a[restrict n]", "h[a[i]] *= 3;"),
        ("int h[restrict 256], int n, int a[restrict n]", "h[a[i]] = 3 - h[a[i]];"),
        ("int h[restrict 256], int n, int a[restrict n]", "h[a[i]] = h[a[i] / 2] + 1;"),
        ("int h[restrict 256], int n, int a[restrict n]", "h[a[i]] += h[0];"),
        ("int h[restrict 256], int n, int a[restrict n]", "h[h[i]]++;"),
        ("int h[restrict 256], int n, int a[restrict n]", "if (h[a[i]] < 9) h[a[i]]++;"),
        ("int h[restrict 256], int n, int a[restrict n]", "a[i] = h[a[i]]++;"),
    ];
    for (arguments, statement) in refused {
        let text = function(arguments, &format!("  for (int i = 0; i < n; i++)\n    {statement}"));
        let made = Built::with("refused", &text, &options(Language::Cuda)).expect("it compiles");
        assert!(made.compiled.device_file().is_none(), "{statement}: {}", made.compiled.report);
    }
}

/// A reader of the counts in the same loop sees them in order: nothing is free there.
#[test]
fn what_is_read_meanwhile_keeps_its_order() {
    let text = function(
        "int n, int h[restrict 256], int a[restrict n], int rank[restrict n]",
        "  for (int i = 0; i < n; i++) {\n    h[a[i]]++;\n    rank[i] = h[a[i]];\n  }",
    );
    let made = Built::with("ranks", &text, &options(Language::Cuda)).expect("it compiles");
    assert!(made.compiled.device_file().is_none(), "{}", made.compiled.report);
}

#[test]
fn planted_faults_are_refuted() {
    let text = function(HISTOGRAM.0, HISTOGRAM.1);
    for (language, faults) in [
        (
            Language::Cuda,
            &[
                ("atomicAdd(&h[a[c1]], 1)", "h[a[c1]]++"),
                ("atomicAdd(&h[a[c1]], 1)", "h[a[c1]] += 1"),
                ("atomicAdd(&h[a[c1]], 1)", "atomicAdd(&h[a[c1]], 2)"),
                ("atomicAdd(&h[a[c1]], 1)", "atomicSub(&h[a[c1]], 1)"),
                ("atomicAdd(&h[a[c1]], 1)", "atomicOr(&h[a[c1]], 1)"),
                ("atomicAdd(&h[a[c1]], 1)", "atomicAdd(&h[a[c0]], 1)"),
                ("atomicAdd(&h[a[c1]], 1)", "atomicAdd(&a[a[c1]], 1)"),
                ("atomicAdd(&h[a[c1]], 1)", "atomicAdd(&h[a[c1 + 1]], 1)"),
                ("atomicAdd(&h[a[c1]], 1)", "atomicAdd((unsigned long long *)&h[a[c1]], 1)"),
            ][..],
        ),
        (
            Language::OpenCl,
            &[
                ("atomic_add(&h[a[c1]], 1)", "h[a[c1]]++"),
                ("atomic_add(&h[a[c1]], 1)", "atomic_sub(&h[a[c1]], 1)"),
                ("atomic_add(&h[a[c1]], 1)", "atomic_add(&h[c1], 1)"),
                ("atomic_add(&h[a[c1]], 1)", "atomic_xor(&h[a[c1]], 1)"),
            ],
        ),
    ] {
        built("faults", &text, language).refutes_each(faults);
    }
}

/// A schedule that is given may have the mark; without it the updates keep their order.
#[test]
fn a_given_schedule_says_where_they_are() {
    let text = function(HISTOGRAM.0, HISTOGRAM.1);
    let tree = |mark: (&str, &str)| {
        let (open, close) = mark;
        format!(
            "domain: '[n] -> {{ S0[i] : 0 <= i < n }}'\nchild:\n  mark: 'kernel(k)'\n  child:\n    mark: 'block(x)'\n    child:\n      \
             schedule: '[n] -> [{{ S0[i] -> [(i)] }}]'\n{open}{close}"
        )
    };
    let given = |tree: &str| -> CompileOptions {
        let mut own = options(Language::Cuda);
        own.scheduler = Scheduler::Given(tree.to_string());
        own
    };
    let marked = tree(("      child:\n        mark: 'atomic'\n", ""));
    let made = Built::with("given", &text, &given(&marked)).expect("it compiles");
    assert!(made.kernels().contains("atomicAdd(&h[a["), "{}", made.kernels());
    let unmarked = Built::with("given", &text, &given(&tree(("", ""))));
    assert!(unmarked.is_err());
}

/// Programs of random updates, stores and reads of two arrays at places that data decide, and at others.
const RANDOM_PROGRAMS: u64 = 24;

/// A statement in a loop over `i`.
fn random_statement(draw: &mut Choices) -> String {
    let mut one_of = |words: &[&str]| words[draw.below(words.len())].to_string();
    let (array, key) = (one_of(&["h", "h", "g"]), one_of(&["a[i]", "b[i]", "a[i + 1]"]));
    let value = one_of(&["1", "w[i]", "2 * w[i] - 3", "i", "-1"]);
    let operator = one_of(&["+=", "+=", "-=", "|=", "^=", "&="]);
    let statement = match draw.below(10) {
        0..=4 => format!("{array}[{key}] {operator} {value};"),
        5 => format!("{array}[{key}]++;"),
        6 => format!("{array}[{key}] = {array}[{key}] + {value};"),
        7 => format!("{array}[{key}] = {value};"),
        8 => format!("c[i] = {array}[{key}];"),
        _ => format!("{array}[i] = {value};"),
    };
    match draw.below(5) {
        0 => format!("if (w[i] > 0) {statement}"),
        _ => statement,
    }
}

fn random_function(number: u64) -> String {
    let draw = &mut Choices::from_seed(number);
    let mut region = String::new();
    for _ in 0..=draw.below(3) {
        let end = ["n", "n - 1", "20"][draw.below(3)];
        region += &format!("  for (int i = 0; i < {end}; i++) {{\n");
        for _ in 0..=draw.below(2) {
            region += &format!("    {}\n", random_statement(draw));
        }
        region += "  }\n";
    }
    let arrays = ["h", "g", "a", "b", "w", "c"].map(|name| format!("int {name}[restrict 64]"));
    let arguments = format!("int n, {}", arrays.join(", "));
    function(&arguments, &region).replacen("void f(", &format!("static void f{number}("), 1)
}

/// They print the same with kernels, without races: what sets or reads an element stays in order with its
/// updates.
#[test]
fn random_updates_compute_what_the_processor_does() {
    if !is_there("gcc") || !is_there("g++") {
        return;
    }
    let mut text = "#include <stdio.h>\n".to_string();
    let mut calls = String::new();
    for number in seeds(0, RANDOM_PROGRAMS) {
        text += &random_function(number);
        calls += &format!("  set();\n  f{number}(50, h, g, a, b, w, c);\n  print();\n");
    }
    text += "
static int h[64], g[64], a[64], b[64], w[64], c[64];

static void set(void)
{
  for (int i = 0; i < 64; i++) {
    h[i] = i;
    g[i] = 3 * i % 7;
    a[i] = i * i % 13;
    b[i] = (5 * i + 3) % 64;
    w[i] = i % 9 - 4;
    c[i] = i % 5 - 2;
  }
}

static void print(void)
{
  for (int i = 0; i < 64; i++)
    printf(\"%d %d %d\\n\", h[i], g[i], c[i]);
}

int main(void)
{
";
    text += &calls;
    text += "  return 0;\n}\n";
    let built = built("random_updates", &text, Language::Cuda);
    let n_updates = built.kernels().matches("  atomic").count();
    assert!(n_updates as u64 > RANDOM_PROGRAMS / 2, "{n_updates}");
    let counts = built.counted();
    assert!(counts.findings().is_empty(), "{:?}", counts.findings());
}
