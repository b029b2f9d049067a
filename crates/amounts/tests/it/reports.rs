//! What reports say.
use loopwright_amounts::{Limit, RegionAmounts, Sizes};
use loopwright_cfront::SourceFile;
use loopwright_machine::Machine;

fn amounts(region: &str, sizes: &Sizes) -> RegionAmounts {
    let text = format!(
        "double heavy(double);\nvoid f(int n, int m, double *restrict x, double a[restrict n][n], float s[restrict n]) {{\n\
         #pragma scop\n{region}\n#pragma endscop\n}}\n"
    );
    let regions = SourceFile::from_text("f.c", &text).extract().unwrap();
    RegionAmounts::of(&regions[0].scop, sizes, &Machine::generic())
}

#[test]
fn functions_are_there_without_sizes() {
    let triangle =
        "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i][j] = a[i][j] * x[j] - 1;";
    let amounts = amounts(triangle, &Sizes::default());
    let text = amounts.to_string();
    for line in [
        "S0 (line 4): 1/2*n^2 + 1/2*n instances, each with operations: 1 add, 1 mul",
        "in all, add: 1/2*n^2 + 1/2*n",
        "x: n elements, floor((7 + n)/8) lines, 0 of them written",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert_eq!(amounts.roofline, None);
}

#[test]
fn what_depends_on_data_is_a_bound() {
    let sizes = Sizes::parse("n=10,m=3").unwrap();
    let choice = amounts("for (int i = 0; i < n; i++) x[i] = x[i] < 2 ? x[i] + 1 : x[i];", &sizes);
    assert!(choice.to_string().contains("add: at least 0, at most n if n > 0 = 10"), "{choice}");
    assert!(!choice.arrays[0].is_exact);
    let calls = amounts("for (int i = 0; i < n; i++) x[i] = heavy(x[i]) + 1.0;", &sizes);
    assert!(calls.to_string().contains("call: n if n > 0 = 10"), "{calls}");
}

#[test]
fn the_roof_is_that_of_the_machine() {
    let sizes = Sizes::parse("n=1000000,m=1").unwrap();
    let stream = amounts("for (int i = 0; i < n; i++) x[i] = 2 * x[i] + 1;", &sizes);
    // 8 MB and back: as much as the last cache has, and more.
    let roofline = stream.roofline.unwrap();
    assert_eq!(roofline.limit, Limit::Memory);
    assert!((roofline.intensity - 0.125).abs() < 1e-9);
    assert!((roofline.attainable - 2.5e9).abs() < 1.0);
    let few = amounts("for (int i = 0; i < 100; i++) x[i] = 2 * x[i] + 1;", &Sizes::default());
    assert_eq!(few.roofline.map(|roofline| roofline.limit), Some(Limit::Caches));
}

#[test]
fn elements_of_float_have_twice_the_lanes() {
    let sizes = Sizes::parse("n=1000").unwrap();
    let single = amounts("for (int i = 0; i < n; i++) s[i] = s[i] * 2.0f;", &sizes);
    let double = amounts("for (int i = 0; i < n; i++) x[i] = x[i] * 2.0;", &sizes);
    let peak = |amounts: RegionAmounts| amounts.roofline.unwrap().peak;
    assert!((peak(single) / peak(double) - 2.0).abs() < 1e-9);
}
