//! Options of single functions, floating-point state and names for the linker, as the text around regions
//! says them.
use loopwright_cfront::{Code, Options, read_text};

/// The codes of what is refused in a text; nothing where all is well.
fn codes(text: &str) -> Vec<Code> {
    let options = Options { autodetect: !text.contains("#pragma scop"), ..Options::default() };
    let file = read_text("of_options.c".as_ref(), text, &options).expect("it is C");
    match file.extract() {
        Ok(_) => Vec::new(),
        Err(found) => found.iter().map(|d| d.code).filter(|code| *code != Code::NoRegion).collect(),
    }
}

const LOOP: &str = "{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 2 * a[i] + i;\n#pragma endscop\n}\n";

/// A function with a region, with text in front of it and of its file.
fn function(before: &str, attributes: &str) -> String {
    format!("{before}\n{attributes} void f(int n, int *a) {LOOP}")
}

#[test]
fn options_that_change_c_are_refused_and_others_are_not() {
    let push = "#pragma GCC push_options\n#pragma GCC optimize(\"wrapv\")";
    let harmless = [
        ("", "__attribute__((optimize(\"O3\", \"unroll-loops\"), noinline))"),
        ("", "__attribute__((optimize(2)))"),
        ("", "__attribute__((target(\"avx2,fma\")))"),
        ("#pragma GCC optimize(\"O3,no-tree-vectorize\")", ""),
        (&format!("{push}\nint g(int x) {{ return x + 1; }}\n#pragma GCC pop_options"), ""),
        ("#pragma GCC optimize(\"wrapv\")\n#pragma GCC reset_options", ""),
        ("__attribute__((optimize(\"wrapv\"))) int g(int x) { return x + 1; }", ""),
    ];
    for (before, attributes) in harmless {
        assert_eq!(codes(&function(before, attributes)), [], "{before} {attributes}");
    }
    let changing = [
        ("", "__attribute__((optimize(\"wrapv\")))"),
        ("", "__attribute__((noinline, __optimize__(\"O2,-fno-strict-aliasing\")))"),
        ("", "__attribute__((optimize(\"fast-math\")))"),
        ("", "__attribute__((optimize(\"Ofast\")))"),
        ("", "__attribute__((optimize(\"rounding-math\")))"),
        ("", "__attribute__((target(\"fpmath=387\")))"),
        ("void f(int n, int *a) __attribute__((optimize(\"wrapv\")));", ""),
        ("#define QUICK __attribute__((optimize(\"associative-math\")))", "QUICK"),
        ("#pragma GCC optimize \"wrapv\"", ""),
        ("#pragma GCC optimize(\"O2\")\n# pragma GCC optimize(\"no-strict-aliasing\")", ""),
        ("_Pragma(\"GCC optimize(\\\"trapv\\\")\")", ""),
        (push, ""),
        (&format!("{push}\n#pragma GCC push_options\n#pragma GCC pop_options"), ""),
    ];
    for (before, attributes) in changing {
        assert_eq!(codes(&function(before, attributes)), [Code::Options], "{before} {attributes}");
    }
}

#[test]
fn bodies_of_functions_with_options_are_not_taken_out_of_them() {
    let text = "__attribute__((optimize(\"wrapv\"))) static int g(int x) { return x + 100; }\n\
        void f(int n, int *a) {\n  for (int i = 0; i < n; i++)\n    a[i] = g(a[i]) > a[i];\n}\n";
    assert_eq!(codes(text), [Code::Options]);
    assert_eq!(codes(&text.replace("wrapv", "O3")), []);
}

#[test]
fn flags_and_modes_in_the_text_are_obstacles_for_floating_numbers() {
    let text = |before: &str, kind: &str, behind: &str| {
        format!(
            "#include <fenv.h>\n{before}\nvoid f(int n, {kind} *restrict a) {{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    a[i] = 3 * a[i];\n#pragma endscop\n  {behind}\n}}\n"
        )
    };
    let looks = [
        ("", "fetestexcept(FE_INEXACT);"),
        ("int (*test)(int) = fetestexcept;", ""),
        ("#pragma STDC FENV_ACCESS ON", ""),
        ("", "unsigned w; __asm__ volatile(\"stmxcsr %0\" : \"=m\"(w));"),
        ("int raised(int) __asm__(\"fetestexcept\");", ""),
        ("#define TEST fegetexceptflag", "fexcept_t e; TEST(&e, FE_INVALID);"),
    ];
    for (before, behind) in looks {
        assert_eq!(
            codes(&text(before, "double", behind)),
            [Code::ThreadState],
            "{before} {behind}"
        );
        assert_eq!(codes(&text(before, "int", behind)), [], "{before} {behind}");
    }
    assert_eq!(codes(&text("#pragma STDC FENV_ACCESS OFF", "double", "")), []);
    assert_eq!(codes(&text("double xsave, fsave;", "double", "xsave = fsave;")), []);
    // Modes are asked for when the program runs.
    assert_eq!(codes(&text("", "double", "fesetround(FE_UPWARD);")), []);
    let inside =
        text("", "double", "").replace("    a[i] = 3", "    fesetround(FE_UPWARD), a[i] = 3");
    assert!(!codes(&inside).is_empty());
}

#[test]
fn variables_with_another_name_for_the_linker_may_be_others() {
    let labelled = "extern int a[900] __asm__(\"buffer\"), b[900] __asm__(\"buffer\");\n";
    let text = "void f(int n) {\n  for (int i = 0; i < n; i++)\n    b[i + 1] = a[i] + 1;\n}\n";
    assert_eq!(codes(&format!("{labelled}{text}")), [Code::Type]);
    assert_eq!(codes(&format!("extern int a[900], b[900];\n{text}")), []);
    let pointers = "void f(int n) {\n  int *p = a, *q = b;\n  for (int i = 0; i < n; i++)\n    q[i + 1] = p[i] + 1;\n}\n";
    let file = read_text(
        "of_labels.c".as_ref(),
        &format!("{labelled}{pointers}"),
        &Options { autodetect: true, ..Options::default() },
    );
    let regions = file.expect("it is C").extract().unwrap_or_default();
    assert!(regions.iter().all(|region| !region.conditions.is_empty()));
}
