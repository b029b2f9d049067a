//! What the tests share: the worked examples, and how generated loops are executed.
use loopwright_cfront::{MultiforSyntax, multifor_statements};
use loopwright_multifor::{CodeOptions, Generated, Multifor, Scheme, generated, trace};
use loopwright_presburger::Budget;
use loopwright_verify::execute;
use std::collections::BTreeMap;

/// Two loops that overlap after a shift.
pub(crate) const HEADER_1: &str = "multifor (i1 = 0, i2 = 10; i1 < 10, i2 < 15; i1++, i2++; 1, 1; 0, 2) { 0: S0(i1); 1: S1(i2); }";
/// Two loops of different grain.
pub(crate) const HEADER_2: &str = "multifor (i1 = 0, i2 = 10; i1 < 10, i2 < 15; i1++, i2++; 1, 4; 0, 0) { 0: S0(i1); 1: S1(i2); }";
/// A nest that is delayed in both dimensions.
pub(crate) const NESTED_A: &str = "multifor (i1 = 0, i2 = 0; i1 < 10, i2 < 5; i1++, i2++; 1, 1; 0, 2)
  multifor (j1 = 0, j2 = 0; j1 < 10, j2 < 5; j1++, j2++; 1, 1; 0, 2) { 0: S0(i1, j1); 1: S1(i2, j2); }";
/// A nest of another grain in both dimensions.
pub(crate) const NESTED_B: &str = "multifor (i1 = 0, i2 = 0; i1 < 10, i2 < 3; i1++, i2++; 1, 4; 0, 0)
  multifor (j1 = 0, j2 = 0; j1 < 10, j2 < 3; j1++, j2++; 1, 4; 0, 0) { 0: S0(i1, j1); 1: S1(i2, j2); }";
/// A triangle and a square.
pub(crate) const NESTED_C: &str = "multifor (i1 = 0, i2 = 0; i1 < 6, i2 < 6; i1++, i2++; 1, 1; 0, 1)
  multifor (j1 = 0, j2 = 0; j1 < 6 - i1, j2 < 6; j1++, j2++; 1, 1; 0, 0) { 0: S0(i1, j1); 1: S1(i2, j2); }";
/// Reading an image, and the edges in it.
pub(crate) const SOBEL: &str = "multifor (i1 = 0, i2 = 1; i1 < K, i2 < K - 1; i1++, i2++; 1, 1; 0, 3)
  multifor (j1 = 0, j2 = 1; j1 < N, j2 < N - 1; j1++, j2++; 1, 1; 0, 3) { 0: R(i1, j1); 1: W(i2, j2); }";
/// Red-black relaxation as the paper has it, which is not red-black.
pub(crate) const RED_BLACK: &str = "multifor (i0 = 1, i1 = 2, i2 = 1, i3 = 2; i0 < N - 1, i1 < N - 1, i2 < N - 1, i3 < N - 1; i0 += 2, i1 += 2, i2 += 2, i3 += 2; 2, 2, 2, 2; 0, 1, 0, 1)
  multifor (j0 = 1, j1 = 2, j2 = 2, j3 = 1; j0 < N - 1, j1 < N - 1, j2 < N - 1, j3 < N - 1; j0 += 2, j1 += 2, j2 += 2, j3 += 2; 2, 2, 2, 2; 0, 1, 1, 0) {
    0: u(i0, j0); 1: u(i1, j1); 2: u(i2, j2); 3: u(i3, j3); }";
/// The same with the black points one row later.
pub(crate) const RED_BLACK_CORRECTED: &str = "multifor (i0 = 1, i1 = 2, i2 = 1, i3 = 2; i0 < N - 1, i1 < N - 1, i2 < N - 1, i3 < N - 1; i0 += 2, i1 += 2, i2 += 2, i3 += 2; 2, 2, 2, 2; 0, 1, 1, 2)
  multifor (j0 = 1, j1 = 2, j2 = 2, j3 = 1; j0 < N - 1, j1 < N - 1, j2 < N - 1, j3 < N - 1; j0 += 2, j1 += 2, j2 += 2, j3 += 2; 2, 2, 2, 2; 0, 1, 1, 0) {
    0: u(i0, j0); 1: u(i1, j1); 2: u(i2, j2); 3: u(i3, j3); }";
/// A product of matrices in four blocks.
pub(crate) const PRODUCT: &str = "multifor (i1 = 0, i2 = 0, i3 = n/2, i4 = n/2; i1 < n/2, i2 < n/2, i3 < n, i4 < n; i1++, i2++, i3++, i4++; 1, 1, 1, 1; 0, 0, 0, 0) {
  multifor (j1 = 0, j2 = n/2, j3 = 0, j4 = n/2; j1 < n/2, j2 < n, j3 < n/2, j4 < n; j1++, j2++, j3++, j4++; 1, 1, 1, 1; 0, 0, 0, 0) {
    0: z(i1, j1); 1: z(i2, j2); 2: z(i3, j3); 3: z(i4, j4);
    multifor (k1 = 0, k2 = 0, k3 = 0, k4 = 0; k1 < n, k2 < n, k3 < n, k4 < n; k1++, k2++, k3++, k4++; 1, 1, 1, 1; 0, 0, 0, 0) {
      0: c(i1, j1, k1); 1: c(i2, j2, k2); 2: c(i3, j3, k3); 3: c(i4, j4, k4); } } }";
/// Decoding a hidden image.
pub(crate) const DECODING: &str = "multifor (i1 = 0, i2 = 0, i3 = 0, i4 = HWidth; i1 < HWidth, i2 < HWidth, i3 < HWidth, i4 < EWidth; i1++, i2++, i3++, i4++; 1, 1, 1, 1; 0, 0, 0, 0)
  multifor (j1 = 0, j2 = 0, j3 = HHeight, j4 = 0; j1 < HHeight, j2 < HHeight, j3 < EHeight, j4 < EHeight; j1++, j2++, j3++, j4++; 1, 1, 1, 1; 0, 0, 0, 0) {
    0: H(i1, j1); 1: M(i2, j2); [2, 3]: E([i3, i4], [j3, j4]); }";
/// A cipher in two stages.
pub(crate) const CIPHER: &str =
    "multifor (i1 = 0, i2 = 0; i1 < k, i2 < k; i1++, i2++; 1, 1; 0, 1) { 0: E1(i1); 1: E2(i2); }";

/// The first statement of a text.
pub(crate) fn syntax(text: &str) -> MultiforSyntax {
    let found = multifor_statements("test.c".as_ref(), text).expect(text);
    found[0].statement.clone()
}

/// The code of the first statement of a text.
pub(crate) fn code(text: &str, scheme: Scheme) -> Generated {
    let budget = Budget::steps(2_000_000_000);
    let multifor = Multifor::new(&syntax(text), &budget).expect(text);
    generated(&multifor, &CodeOptions::sequential(scheme), &budget).expect(text)
}

/// The instances that the interpreter executes.
pub(crate) fn expected(syntax: &MultiforSyntax, values: &[(&str, i64)]) -> Vec<(String, Vec<i64>)> {
    let parameters = values.iter().map(|(name, value)| (name.to_string(), *value)).collect();
    let events = trace(syntax, &parameters, 1_000_000).unwrap();
    events.into_iter().map(|event| (format!("S{}", event.body), event.indices)).collect()
}

/// The instances that generated loops execute.
pub(crate) fn executed(code: &Generated, values: &[(&str, i64)]) -> Vec<(String, Vec<i64>)> {
    let values: BTreeMap<_, _> =
        values.iter().map(|(name, value)| ((*name).into(), *value)).collect();
    execute(&code.ast, &values, 1_000_000).unwrap()
}

/// The loops of both schemes execute for these values what the interpreter executes, in the same order, and
/// are proved.
#[track_caller]
pub(crate) fn agrees(text: &str, values: &[Vec<(&str, i64)>]) {
    let syntax = syntax(text);
    for scheme in [Scheme::Guards, Scheme::Separated] {
        let code = code(text, scheme);
        assert!(code.proof.is_proved(), "{text}: {:?}", code.proof);
        assert_eq!(code.scheme, scheme);
        for values in values {
            assert_eq!(
                executed(&code, values),
                expected(&syntax, values),
                "{scheme:?} {values:?}\n{}",
                code.text
            );
        }
    }
}

/// The output of a program.
pub(crate) fn output_of(program: &str, arguments: &[String]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let (source, binary) = (folder.path().join("test.c"), folder.path().join("test"));
    std::fs::write(&source, program).unwrap();
    let cc = std::env::var("CC").unwrap_or_else(|_| "cc".to_string());
    let flags = ["-O2", "-Wall", "-Werror", "-Wno-unused", "-fopenmp", "-o"];
    let built = std::process::Command::new(cc)
        .args(flags)
        .args([&binary, &source])
        .arg("-lm")
        .output()
        .unwrap();
    assert!(built.status.success(), "{}\n{program}", String::from_utf8_lossy(&built.stderr));
    let run = std::process::Command::new(&binary).args(arguments).output().unwrap();
    assert!(run.status.success(), "{:?}\n{program}", run.status);
    String::from_utf8(run.stdout).unwrap()
}

/// A program that executes a multifor statement for the values on its command line.
pub(crate) fn program(statement: &str, names: &[&str]) -> String {
    let declared: String = names.iter().map(|name| format!("long {name}, ")).collect();
    let parameters = declared.trim_end_matches(", ");
    let parameters = if parameters.is_empty() { "void" } else { parameters };
    let given: Vec<String> = (1..=names.len()).map(|at| format!("atol(v[{at}])")).collect();
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nvoid f({parameters}) {{\n{statement}\n}}\nint main(int c, char **v) {{\n  f({});\n  return 0;\n}}\n",
        given.join(", ")
    )
}

/// Numbers that look random: a linear congruential generator.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: i64) -> i64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as i64
    }

    pub(crate) fn one_of<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as i64) as usize].clone()
    }
}
