//! The programs of `tests/time_space`, in which each step has an array: with contracted arrays they print
//! what they did.
use crate::support::{run_c, scratch};
use loopwright::{CompileOptions, Storage, compile_file};
use loopwright_machine::Machine;
use std::path::Path;

/// A program for a small size, that prints its sum only.
fn small(text: &str, steps: usize, size: usize) -> String {
    let given = |name: &str, at: usize, value: usize| {
        (format!("{name} = argc > {at} ? atoi(argv[{at}]) :"), format!("{name} = 1 ? {value} :"))
    };
    let (steps, size) = (given("T", 1, steps), given("N", 2, size));
    let start = text.find("  printf(").expect("the figures are printed");
    let text = format!("{}  printf(\"%.17g\\n\", sum);\n}}\n", &text[..start]);
    text.replace(&steps.0, &steps.1).replace(&size.0, &size.1)
}

fn sum(name: &str, code: &str, label: &str) -> Vec<String> {
    let folder = scratch(&format!("time-space-{name}"));
    let sizes = [(2, 5), (4, 9), (10, 23), (6, 40)];
    sizes
        .map(|(t, n)| run_c(&small(code, t, n), &folder, &format!("{label}-{t}-{n}")).unwrap())
        .to_vec()
}

#[test]
fn arrays_with_a_row_per_step_are_contracted() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/time_space");
    for (name, cells) in [
        ("jacobi-1d", "A[mod 2][..]"),
        ("jacobi-2d", "A[mod 2][..][..]"),
        ("heat-2d", "A[mod 2][..][..]"),
        ("heat-3d", "A[mod 2][..][..][..]"),
        ("wave-2d", "A[mod 2][..][..]"),
        ("fdtd-2d", "hz[mod 1][..][..]"),
        ("lcs", "L[mod 2][..]"),
        ("smith-waterman", "H[mod 2][..]"),
    ] {
        let path = folder.join(format!("{name}-full.c"));
        let mut options = CompileOptions { machine: Machine::generic(), ..CompileOptions::new() };
        options.storage = Storage::Contract;
        options.always_rewrite = true;
        let compiled = compile_file(&path, &options).unwrap_or_else(|failure| panic!("{failure}"));
        let report = compiled.report.to_string();
        assert!(report.contains(cells), "{name}: {report}");
        let wanted = sum(name, &std::fs::read_to_string(&path).unwrap(), "before");
        assert_eq!(wanted, sum(name, &compiled.code, "after"), "{name}:\n{}", compiled.code);
        let by_hand = std::fs::read_to_string(folder.join(format!("{name}-two.c"))).unwrap();
        assert_eq!(wanted, sum(name, &by_hand, "by-hand"), "{name}");
    }
}
