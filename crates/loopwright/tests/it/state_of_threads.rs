//! What belongs to a thread (how numbers are rounded, flags), to a build (last bits), to a function
//! (options), to the lines of a file, stays what it is in a result.
use crate::project::{Project, is_there, program};

/// A kernel on threads; another file of the program sets the state.
const KERNEL: &str = r#"#include <stdio.h>
void change(void);
void restore(void);
static TYPE x[60000], y[60000], z[60000];
static void kernel(void) {
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < 60000; i++)
      y[i] = y[i] * (TYPE) 0.3 + SCALE / x[i];
}
int main(void) {
  for (int i = 0; i < 60000; i++)
    x[i] = i + 3;
  kernel();
  for (int i = 0; i < 60000; i++) {
    z[i] = y[i];
    y[i] = 0;
  }
  change();
  kernel();
  restore();
  int n = 0;
  for (int i = 0; i < 60000; i++)
    n += y[i] != z[i];
  printf("%d\n", n);
}
"#;

/// Names of states with the statements that set and reset them, and the type and the size of the numbers that
/// they are about.
const STATES: &[(&str, &str, &str, &str, &str)] = &[
    ("upward", "fesetround(FE_UPWARD);", "fesetround(FE_TONEAREST);", "double", "1.0"),
    ("to zero", "fesetround(FE_TOWARDZERO);", "fesetround(FE_TONEAREST);", "float", "1.0f"),
    ("of x87", "fesetround(FE_DOWNWARD);", "fesetround(FE_TONEAREST);", "long double", "1.0L"),
    ("flush", "_mm_setcsr(_mm_getcsr() | 0x8000);", "_mm_setcsr(0x1f80);", "float", "1e-38f"),
    (
        "digits of x87",
        "unsigned short w = 0x27f; __asm__ volatile(\"fldcw %0\" : : \"m\"(w));",
        "__asm__ volatile(\"fninit\");",
        "long double",
        "1.0L",
    ),
];

#[test]
fn threads_compute_with_the_state_that_another_file_has_set() {
    if !is_there("gcc") || !cfg!(target_arch = "x86_64") {
        return;
    }
    for (name, change, restore, scalar, scale) in STATES {
        let modes = format!(
            "#include <fenv.h>\n#include <xmmintrin.h>\nvoid change(void) {{ {change} }}\nvoid restore(void) {{ {restore} }}\n"
        );
        let kernel = KERNEL.replace("TYPE", scalar).replace("SCALE", scale);
        let project = Project::new(&[("k.c", &kernel), ("modes.c", &modes)]);
        let flags = "-O2 -frounding-math";
        let plain = format!("gcc {flags} k.c modes.c -o plain -lm && ./plain");
        let expected = project.succeed(&plain);
        assert_ne!(expected, "0\n", "{name}");
        let program = program().display();
        let compiled = format!("'{program}' compile --autodetect k.c -o r.c");
        let said = project.succeed(&compiled);
        assert!(said.contains("checked at run time: numbers are rounded"), "{said}");
        assert!(project.text("r.c").contains("parallel for if(loopwright_default_floats())"));
        let run = format!("gcc {flags} -fopenmp r.c modes.c -o r -lm && OMP_NUM_THREADS=4 ./r");
        assert_eq!(project.succeed(&run), expected, "{name}");
        let cc = project.wrapper();
        let expected = project.succeed("gcc -O2 k.c modes.c -o folded -lm && ./folded");
        let run = format!("{cc} gcc -O2 k.c modes.c -o w -lm && OMP_NUM_THREADS=4 ./w");
        assert_eq!(project.succeed(&run), expected, "{name}");
    }
}

#[test]
fn regions_of_integers_ask_for_no_state() {
    let text = "static int a[1000000], b[1000000];\nvoid f(void) {\n  for (int i = 0; i < 1000000; i++)\n    a[i] = 3 * b[i] + a[i];\n}\n";
    let project = Project::new(&[("k.c", text)]);
    project.succeed(&format!("'{}' compile --autodetect k.c -o r.c", program().display()));
    let result = project.text("r.c");
    assert!(result.contains("#pragma omp parallel for\n"), "{result}");
    assert!(!result.contains("loopwright"), "{result}");
}

/// Kernels whose products and sums a compiler fuses in different ways in different loops.
const KERNELS: [(&str, &str); 11] = [
    ("sum inside", "for (int k = 0; k < 16; k++) y[i] += x[(i + k) % N] * w[k];"),
    (
        "two sums",
        "for (int k = 0; k < 8; k++) { y[i] += x[(i + k) % N] * w[k]; z[i] -= v[(i + k) % N] * w[k]; }",
    ),
    (
        "mirrored",
        "for (int k = 0; k < 16; k++) if (k <= i) y[i] += w[k] * x[i - k]; else y[i] += w[k] * x[k - i - 1];",
    ),
    ("two products", "y[i] = x[i] * w[i] + y[i] * v[i];"),
    ("difference", "y[i] = x[i] * w[i] - y[i] * 0.25;"),
    ("chain", "y[i] = (x[i] * w[i] + v[i]) * y[i] + x[i] * v[i];"),
    ("branches", "if (x[i] > 0.5) y[i] += x[i] * w[i]; else y[i] += v[i] * w[i] - x[i] * x[i];"),
    ("stencil", "if (i > 0) y[i] = x[i - 1] * w[0] + x[i] * w[1] + v[i] * w[2];"),
    ("common product", "y[i] += x[i] * w[i]; z[i] = x[i] * w[i] - v[i];"),
    (
        "complex",
        "double re = x[i] * w[i] - v[i] * y[i], im = x[i] * y[i] + v[i] * w[i]; y[i] = re; z[i] = im;",
    ),
    ("division", "y[i] = x[i] * w[i] + v[i] / (1 + x[i] * v[i]);"),
];

#[test]
fn a_build_has_the_same_bits_whatever_threads_and_clocks_decide() {
    if !is_there("gcc") || !std::path::Path::new("/proc/cpuinfo").exists() {
        return;
    }
    let functions = KERNELS.iter().enumerate().map(|(number, (_, body))| {
        format!(
            "__attribute__((noinline)) static void f{number}(int n, double *restrict x, double *restrict y, double *restrict z, double *restrict v, double *restrict w) {{\n  for (int i = 0; i < n; i++) {{\n    {body}\n  }}\n}}\n"
        )
    });
    let functions: String = functions.collect();
    let names: Vec<String> = (0..KERNELS.len()).map(|number| format!("f{number}")).collect();
    let text = format!(
        r#"#include <math.h>
#include <stdio.h>
#include <string.h>
#define N 40000
static double x[N], y[N], z[N], v[N], w[N], start[N];
{functions}
int main(void) {{
  void (*all[])(int, double *, double *, double *, double *, double *) = {{{names}}};
  for (int i = 0; i < N; i++) {{
    x[i] = sin(i * 0.013);
    start[i] = cos(i * 0.7);
    v[i] = sin(i * 1.7);
    w[i] = cos(i * 2.5);
  }}
  for (int k = 0; k < {n}; k++) {{
    double first = 0;
    int same = 1;
    for (int round = 0; round < 40; round++) {{
      memcpy(y, start, sizeof y);
      memset(z, 0, sizeof z);
      all[k](N, x, y, z, v, w);
      double s = 0;
      for (int i = 0; i < N; i++)
        s += (i % 7 - 3) * (y[i] + z[i]);
      if (!round)
        first = s;
      same &= s == first;
    }}
    printf("%d %d %.17g\n", k, same, first);
  }}
}}
"#,
        names = names.join(", "),
        n = KERNELS.len()
    );
    let project = Project::new(&[("k.c", &text)]);
    let program = program().display();
    for (flags, all_options) in [
        ("-O3 -march=native", &["", "--adaptive=always"][..]),
        ("-O2 -march=native -ffp-contract=off", &[""]),
        ("-O3", &["--adaptive=always"]),
    ] {
        let fuses = flags == "-O3 -march=native";
        let plain = project.succeed(&format!("gcc {flags} k.c -o plain -lm && ./plain"));
        for options in all_options {
            project.succeed(&format!("'{program}' cc {options} gcc {flags} k.c -o p -lm"));
            let run = |threads: u32| project.succeed(&format!("OMP_NUM_THREADS={threads} ./p"));
            let found = run(4);
            assert!(found.lines().all(|line| line.contains(" 1 ")), "{flags} {options}: {found}");
            assert_eq!(run(1), found, "{flags} {options}");
            assert_eq!(run(3), found, "{flags} {options}");
            // Without fused products these are the bits of the plain build.
            assert!(fuses || found == plain, "{flags} {options}: {found}{plain}");
        }
    }
}

#[test]
fn lines_and_counters_keep_their_values() {
    if !is_there("gcc") {
        return;
    }
    let region = |body: &str| {
        format!(
            "#pragma scop\n  for (int i = 0; i < 64; i++)\n    for (int j = 0; j < 64; j++)\n      A[i][j] = B[j][i] + {body};\n#pragma endscop\n"
        )
    };
    let program = |inside: &str, behind: &str| {
        format!(
            "#include <stdio.h>\n#define HERE __LINE__\n#define NEXT __COUNTER__\ndouble A[64][64], B[64][64];\nint n = 64;\nint main(void) {{\n{}{}  printf(\"%g %d %d\\n\", A[3][4], {behind}, __LINE__);\n}}\n",
            region(inside),
            region("1")
        )
    };
    let own = self::program().display();
    for (inside, behind, needs_lines) in [
        ("__LINE__", "__LINE__", true),
        ("HERE", "NEXT", true),
        ("__COUNTER__", "__COUNTER__", true),
        ("NEXT + NEXT", "NEXT", true),
    ] {
        let project = Project::new(&[("k.c", &program(inside, behind))]);
        let expected = project.succeed("gcc -O1 k.c -o plain && ./plain");
        project.succeed(&format!("'{own}' compile --always-rewrite k.c -o r.c"));
        assert_eq!(project.text("r.c").contains("#line"), needs_lines);
        assert_eq!(project.succeed("gcc -O1 -fopenmp r.c -o r && ./r"), expected, "{inside}");
    }
    let quiet = program("1", "7").replace("__LINE__);", "8);");
    let project = Project::new(&[("k.c", &quiet)]);
    project.succeed(&format!("'{own}' compile --always-rewrite k.c -o r.c"));
    assert!(!project.text("r.c").contains("#line"), "nobody asks");
    let asserted = quiet.replace("  printf", "  assert(n == 64);\n  printf");
    let asserted = format!("#include <assert.h>\n{asserted}");
    let project = Project::new(&[("k.c", &asserted)]);
    project.succeed(&format!("'{own}' compile --always-rewrite k.c -o r.c"));
    assert!(project.text("r.c").contains("#line"), "messages of assert name lines");
}

#[test]
fn changed_results_of_the_wrapper_are_not_used() {
    if !is_there("gcc") {
        return;
    }
    let text = "#include <stdio.h>\ndouble A[300][300], B[300][300];\nint main(void) {\n  for (int i = 0; i < 300; i++)\n    for (int j = 0; j < 300; j++)\n      A[i][j] = B[j][i] + 17;\n  printf(\"%g\\n\", A[3][4]);\n}\n";
    let project = Project::new(&[("k.c", text)]);
    let cc = project.wrapper();
    let build = format!("{cc} gcc -O2 k.c -o p && ./p");
    assert_eq!(project.succeed(&build), "17\n");
    project.succeed("grep -l '+ 17' cache/* && sed -i 's/+ 17/+ 71/' cache/*");
    assert_eq!(project.succeed(&build), "17\n");
}

/// Totals of signed integers, with what is added in an order in which they overflow nowhere.
const TOTALS: [(&str, &str, &str); 6] = [
    ("int", "s += A[i][j];", "s = (int) ((unsigned) s + (unsigned) A"),
    ("int", "s = s + A[i][j];", "s = (int) ((unsigned) s + (unsigned) A"),
    ("int", "s -= A[i][j] - 1;", "s = (int) ((unsigned) s - (unsigned) (A"),
    ("int", "s = s + A[i][j] - B[i][j];", "s = (int) ((unsigned) s + (unsigned) A"),
    ("long", "s += A[i][j] * 4000000000L;", "s = (long) ((unsigned long) s + "),
    ("int", "if (A[i][j] > 0) s++;", "s = (int) ((unsigned) s + 1)"),
];

#[test]
fn totals_of_integers_do_not_overflow_in_another_order() {
    if !is_there("gcc") {
        return;
    }
    let program = program().display();
    for (scalar, update, printed) in TOTALS {
        let text = format!(
            "#include <stdio.h>\nstatic int A[600][400], B[600][400];\nint main(void) {{\n  for (int i = 0; i < 600; i++)\n    for (int j = 0; j < 400; j++)\n      A[i][j] = (i & 1) ? -2000000000 : 2000000000;\n  {scalar} s = 0;\n\
             #pragma scop\n  for (int j = 0; j < 400; j++)\n    for (int i = 0; i < 600; i++)\n      {update}\n#pragma endscop\n  printf(\"%ld\\n\", (long) s);\n}}\n"
        );
        let project = Project::new(&[("k.c", &text)]);
        let flags = "-O1 -fsanitize=signed-integer-overflow -fno-sanitize-recover";
        let expected = project.succeed(&format!("gcc {flags} k.c -o plain && ./plain"));
        project.succeed(&format!(
            "'{program}' compile --always-rewrite --tile-sizes 3,5,7 k.c -o r.c"
        ));
        let result = project.text("r.c");
        assert!(result.contains(printed), "{update}\n{result}");
        let build = format!("gcc {flags} -fopenmp r.c -o r");
        assert_eq!(project.succeed(&format!("{build} && ./r")), expected, "{update}");
        assert_eq!(project.succeed("OMP_NUM_THREADS=4 ./r"), expected, "{update}");
    }
}
