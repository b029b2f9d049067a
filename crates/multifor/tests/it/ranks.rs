//! Ranks and mappings by ranks, against enumeration and by compiled programs.
use crate::support::*;
use loopwright_multifor::{
    LowerSettings, Multifor, Ranking, lowered, trace, trace_by_ranks, unranking_function,
};
use loopwright_presburger::{Budget, Int};
use std::collections::BTreeMap;

/// Nests of different shapes, with their symbolic constants.
const SHAPES: &[(&str, &str, &[&str])] = &[
    (
        "triangle",
        "multifor (i = 1; i < N; i++; 1; 0) multifor (j = 0; j < i; j++; 1; 0) { 0: S(i, j); }",
        &["N"],
    ),
    (
        "rectangle",
        "multifor (i = 0; i < N; i++; 1; 0) multifor (j = 2; j < M; j++; 1; 0) { 0: S(i, j); }",
        &["N", "M"],
    ),
    (
        "tetrahedron",
        "multifor (i = 0; i < N; i++; 1; 0) multifor (j = 0; j <= i; j++; 1; 0) multifor (k = 0; k <= j; k++; 1; 0) { 0: S(i, j, k); }",
        &["N"],
    ),
    (
        "four dimensions",
        "multifor (i = 0; i < N; i++; 1; 0) multifor (j = 0; j <= i; j++; 1; 0) multifor (k = 0; k <= j; k++; 1; 0) multifor (l = 0; l <= k; l++; 1; 0) { 0: S(i, j, k, l); }",
        &["N"],
    ),
    (
        "skew four dimensions",
        "multifor (i = 0; i < N; i++; 1; 0) multifor (j = 0; j <= 2*i + 5; j++; 1; 0) multifor (k = 0; k <= j; k++; 1; 0) multifor (l = 0; l <= k + 3; l++; 1; 0) { 0: S(i, j, k, l); }",
        &["N"],
    ),
    (
        "five dimensions",
        "multifor (i = 0; i < N; i++; 1; 0) multifor (j = 0; j <= i; j++; 1; 0) multifor (k = 0; k <= j; k++; 1; 0) multifor (l = 0; l <= k; l++; 1; 0) multifor (m = 0; m <= l; m++; 1; 0) { 0: S(i, j, k, l, m); }",
        &["N"],
    ),
    (
        "steps",
        "multifor (i = N; i > 0; i -= 2; 1; 0) multifor (j = i; j < N + 3; j += 3; 1; 0) { 0: S(i, j); }",
        &["N"],
    ),
    (
        "shrinking",
        "multifor (i = 0; i < N; i++; 1; 0) multifor (j = i; j < N - i; j++; 1; 0) { 0: S(i, j); }",
        &["N"],
    ),
    (
        "trapezoid",
        "multifor (i = 0; i < N; i++; 1; 0) multifor (j = 0; j < M - i; j++; 1; 0) { 0: S(i, j); }",
        &["N", "M"],
    ),
    ("one loop", "multifor (i = 3; i <= N; i += 2; 1; 0) { 0: S(i); }", &["N"]),
];

fn values(names: &[&str], values: &[i64]) -> BTreeMap<String, i64> {
    names.iter().zip(values).map(|(name, value)| (name.to_string(), *value)).collect()
}

/// The values in the order of the parameters of a multifor statement.
fn values_of_parameters(multifor: &Multifor, names: &[&str], values: &[i64]) -> Vec<Int> {
    let position = |name: &str| names.iter().position(|other| *other == name).unwrap();
    multifor.parameters.iter().map(|name| values[position(name)].into()).collect()
}

fn all_values(n: usize) -> Vec<Vec<i64>> {
    match n {
        1 => (-1..8).map(|a| vec![a]).collect(),
        _ => (-1..6).flat_map(|a| (-1..7).map(move |b| vec![a, b])).collect(),
    }
}

#[test]
fn ranks_are_those_of_enumeration() {
    for (shape, text, names) in SHAPES {
        let budget = Budget::steps(2_000_000_000);
        let syntax = syntax(text);
        let multifor = Multifor::new(&syntax, &budget).unwrap();
        let ranking = Ranking::of_nest(&multifor, 0, &budget).unwrap();
        for own in all_values(names.len()) {
            let events = trace(&syntax, &values(names, &own), 100_000).unwrap();
            let parameters = values_of_parameters(&multifor, names, &own);
            let count = ranking.count(&parameters, &budget).unwrap();
            assert_eq!(count, Int::from(events.len() as i64), "{shape} {own:?}");
            for (rank, event) in events.iter().enumerate() {
                // Offsets are 0 and grains 1: positions are numbers of iterations.
                let numbers: Vec<Int> = event.position.iter().map(|n| (*n).into()).collect();
                let rank = Int::from(rank as i64);
                assert_eq!(ranking.rank(&parameters, &numbers, &budget).unwrap(), rank, "{shape}");
                let found = ranking.iteration(&parameters, &rank, &budget).unwrap();
                assert_eq!(found, Some(numbers), "{shape} {own:?}");
            }
            assert_eq!(ranking.iteration(&parameters, &count, &budget).unwrap(), None);
        }
    }
}

/// Pairs of nests that advance together by ranks: heads and bodies.
const PAIRS: &[(&str, &[&str])] = &[
    ("multifor (i = 1, k = 0; i < N, k < M; i++, k++; 1, 1; 0, 0)
      multifor (j = 0, l = 0; j < i, l < 3; j++, l++; 1, 1; 0, 0) {
        0: printf(\"0 %d %d\\n\", i, j); 1: printf(\"1 %d %d\\n\", k, l); }", &["N", "M"]),
    ("multifor (i = N, k = 0; i > 0, k < M; i -= 2, k++; 1, 1; 2, 0)
      multifor (j = i, l = 0; j < N + 3, l < M - k; j += 3, l++; 1, 1; 0, 0) {
        0: printf(\"0 %d %d\\n\", i, j);
        1: printf(\"1 %d %d\\n\", k, l);
        0: printf(\"2 %d %d\\n\", i, j); }", &["N", "M"]),
    ("multifor (i = 0, h = 0; i < N, h < M; i++, h++; 1, 1; 0, 5)
      multifor (j = 0, k = 0; j <= i, k < N; j++, k++; 1, 1; 0, 0)
      multifor (l = 0, m = 0; l <= j, m < k; l++, m++; 1, 1; 0, 0) {
        0: printf(\"0 %d %d %d\\n\", i, j, l); 1: printf(\"1 %d %d %d\\n\", h, k, m); }", &["N", "M"]),
    ("multifor (i = 0; i < N; i++; 1; 0) multifor (j = 0; j <= i; j++; 1; 0) multifor (k = 0; k <= j; k++; 1; 0)
      multifor (l = 0; l <= k; l++; 1; 0) { 0: printf(\"0 %d %d %d %d\\n\", i, j, k, l); }", &["N", "M"]),
];

#[test]
fn nests_by_ranks_are_those_of_the_interpreter() {
    for (text, names) in PAIRS {
        let plain = program(&format!("#pragma multifor ranks\n{text}"), names);
        let code = lowered("f.c".as_ref(), &plain, &LowerSettings::default()).unwrap().text;
        for own in [[0, 0], [1, 4], [5, 3], [4, 6], [7, 7]] {
            let expected = trace_by_ranks(&syntax(text), &values(names, &own), 100_000).unwrap();
            let line = |event: &loopwright_multifor::Event| {
                let indices: String = event.indices.iter().map(|i| format!(" {i}")).collect();
                format!("{}{indices}\n", event.body)
            };
            let expected: String = expected.iter().map(line).collect();
            let arguments: Vec<String> = own.iter().map(i64::to_string).collect();
            assert_eq!(output_of(&code, &arguments), expected, "{text} {own:?}\n{code}");
        }
    }
}

/// A function with three nests, each of which notes the turn of its iterations; the last one begins later
/// than a block.
fn turns(pragma: &str) -> String {
    format!(
        "void f(int N, int M, int a[restrict 160][160], int b[restrict 160][160], int c[restrict 20000]) {{
  int s = 0, t = 0, u = 0;
#pragma multifor {pragma}
  multifor (i = 1, k = 0, h = M; i < N, k < M, h > 0; i++, k++, h -= 2; 1, 1, 1; 0, 5, 5000)
  multifor (j = 0, l = k, g = 0; j < i, l <= M, g < N; j++, l += 3, g++; 1, 1, 1; 0, 0, 0) {{
    0: {{ a[i][j] = s; s = s + 1; }}
    1: {{ b[k][l] = t; t = t + 1; }}
    2: {{ c[100 * h + g] = u; u = u + 1; }}
  }}
}}
"
    )
}

const TURNS_BY_HAND: &str = "void f(int N, int M, int a[160][160], int b[160][160], int c[20000]) {
  int s = 0, t = 0, u = 0;
  for (int i = 1; i < N; i++) for (int j = 0; j < i; j++) a[i][j] = s++;
  for (int k = 0; k < M; k++) for (int l = k; l <= M; l += 3) b[k][l] = t++;
  for (int h = M; h > 0; h -= 2) for (int g = 0; g < N; g++) c[100 * h + g] = u++;
}
";

const PRINTS_TURNS: &str = "#include <stdio.h>
static int a[160][160], b[160][160], c[20000];
int main(void) {
  int sizes[6][2] = {{0, 0}, {1, 5}, {40, 7}, {92, 91}, {150, 150}, {159, 3}};
  for (int n = 0; n < 6; n++) {
    unsigned long all = 7;
    f(sizes[n][0], sizes[n][1], a, b, c);
    for (int i = 0; i < 160; i++) for (int j = 0; j < 160; j++) all = all * 31 + a[i][j] * 17 + b[i][j];
    for (int i = 0; i < 20000; i++) all = all * 31 + c[i];
    printf(\"%lu\\n\", all);
  }
  return 0;
}
";

#[test]
fn nests_that_are_independent_advance_in_blocks() {
    let settings = LowerSettings::default();
    let plain = lowered("f.c".as_ref(), &turns("ranks"), &settings).unwrap();
    assert!(plain.statements[0].notes.iter().any(|note| note.contains("in blocks of ranks")));
    assert!(plain.text.contains("4096"), "{}", plain.text);
    let by_hand = output_of(&format!("{TURNS_BY_HAND}{PRINTS_TURNS}"), &[]);
    assert_eq!(output_of(&format!("{}{PRINTS_TURNS}", plain.text), &[]), by_hand, "{}", plain.text);
    // Pointers that may overlap are looked at when the program runs.
    let text = turns("ranks").replace("restrict ", "");
    let plain = lowered("f.c".as_ref(), &text, &settings).unwrap();
    assert!(plain.text.contains("} else {\n"), "{}", plain.text);
    assert_eq!(output_of(&format!("{}{PRINTS_TURNS}", plain.text), &[]), by_hand, "{}", plain.text);
}

#[test]
fn nests_that_depend_on_each_other_advance_rank_by_rank() {
    let text = turns("ranks").replace("t = t + 1", "t = s + 1");
    let plain = lowered("f.c".as_ref(), &text, &LowerSettings::default()).unwrap();
    let reason = "they advance rank by rank: the nests are not independent";
    let notes = &plain.statements[0].notes;
    assert!(notes.iter().any(|note| note.contains(reason)), "{notes:?}");
    assert!(!plain.text.contains("4096"), "{}", plain.text);
}

/// Values of the symbolic constants for which a shape has more than `2^62` iterations, but fewer than `2^63`.
const LARGE: &[(&str, &[i64])] = &[
    ("triangle", &[3_040_000_000]),
    ("rectangle", &[2_200_000_000, 2_200_000_000]),
    ("tetrahedron", &[3_030_000]),
    ("skew four dimensions", &[61_500]),
    ("four dimensions", &[102_600]),
    ("five dimensions", &[14_080]),
    ("one loop", &[9_223_372_036_854_775_800]),
];

#[test]
fn ranks_are_exact_at_the_limits_of_number_formats() {
    for (shape, own) in LARGE {
        let (_, text, names) = SHAPES.iter().find(|(name, _, _)| name == shape).unwrap();
        let budget = Budget::steps(2_000_000_000);
        let multifor = Multifor::new(&syntax(text), &budget).unwrap();
        let ranking = Ranking::of_nest(&multifor, 0, &budget).unwrap();
        let parameters = values_of_parameters(&multifor, names, own);
        let count = ranking.count(&parameters, &budget).unwrap();
        let mut ranks: Vec<i64> = (0..40).collect();
        for power in [24, 31, 32, 53, 60, 62] {
            ranks.extend((-40..40).map(|near| (1i64 << power) + near));
        }
        ranks.extend((1..20).map(|near| count.to_i64().unwrap() - near));
        let count = count.to_i64().unwrap();
        ranks.retain(|rank| *rank < count);
        assert!(ranks.len() > 100, "{shape}: {count}");
        let n_loops = multifor.bodies[0].loops.len();
        let function = unranking_function(&multifor, 0, "unrank", &budget).unwrap();
        let function = function
            .replace("while (high - low > 1) {", "while (high - low > 1) {\n      probes++;");
        let numbers: String = (0..n_loops).map(|at| format!(", &n[{at}]")).collect();
        let given: String = parameters.iter().map(|value| format!(", {value}L")).collect();
        let list: Vec<String> = ranks.iter().map(|rank| format!("{rank}L")).collect();
        let program = format!(
            "#include <stdio.h>\nstatic int probes;\n{function}static const long ranks[] = {{{}}};\nint main(void) {{\n  for (int i = 0; i < {}; i++) {{\n    long n[{n_loops}];\n    probes = 0;\n    unrank(ranks[i]{given}{numbers});\n    for (int j = 0; j < {n_loops}; j++) printf(\"%ld \", n[j]);\n    printf(\"%d\\n\", probes);\n  }}\n  return 0;\n}}\n",
            list.join(", "),
            ranks.len()
        );
        let output = output_of(&program, &[]);
        for (rank, line) in ranks.iter().zip(output.lines()) {
            let values: Vec<i64> =
                line.split_whitespace().map(|value| value.parse().unwrap()).collect();
            let (probes, found) = values.split_last().unwrap();
            let found: Vec<Int> = found.iter().map(|value| (*value).into()).collect();
            // Roots are right up to a few units where there is one in closed form.
            assert!(
                *probes <= 4 * n_loops as i64 || *shape == "five dimensions",
                "{shape} {rank}: {probes}\n{program}"
            );
            let expected = ranking.iteration(&parameters, &(*rank).into(), &budget).unwrap();
            assert_eq!(Some(found.clone()), expected, "{shape} {rank}\n{program}");
            assert_eq!(ranking.rank(&parameters, &found, &budget).unwrap(), Int::from(*rank));
        }
    }
}

#[test]
fn what_has_no_ranks_is_refused() {
    for text in [
        "multifor (i = 0, j = 0; i < 9, j < 9; i++, j++; 1, 2; 0, 0) { 0: S(i); 1: T(j); }",
        "multifor (i = 0; i < 9; i++; 1; 0) { 0: S(i); multifor (j = 0; j < 9; j++; 1; 0) { 0: T(i, j); } }",
        "multifor (i = 0; i < 9; i++; 1; 0) multifor (j = 0; j < 9; j++; 1; 3) { 0: T(i, j); }",
        "multifor (i = 0, j = 0; i < 9, j < 9; i++, j++; 1, 1; 0, 0) { 0: S(i); }",
    ] {
        let text = format!("void f(void) {{\n#pragma multifor ranks\n{text}\n}}\n");
        let refused = lowered("f.c".as_ref(), &text, &LowerSettings::default()).unwrap_err();
        assert_eq!(refused.len(), 1);
    }
}

#[test]
fn searches_begin_at_roots_in_closed_form() {
    let degrees =
        [("triangle", "sqrt"), ("tetrahedron", "cbrt"), ("four dimensions", "for (int c")];
    for (shape, part) in degrees {
        let (_, text, _) = SHAPES.iter().find(|(name, _, _)| *name == shape).unwrap();
        let budget = Budget::steps(2_000_000_000);
        let multifor = Multifor::new(&syntax(text), &budget).unwrap();
        let function = unranking_function(&multifor, 0, "unrank", &budget).unwrap();
        assert!(function.contains(part), "{shape}\n{function}");
    }
    let (_, text, _) = SHAPES.iter().find(|(name, _, _)| *name == "five dimensions").unwrap();
    let budget = Budget::steps(2_000_000_000);
    let multifor = Multifor::new(&syntax(text), &budget).unwrap();
    let function = unranking_function(&multifor, 0, "unrank", &budget).unwrap();
    // The outermost loop has degree 5: bisection; those inside have roots.
    assert!(function.contains("cbrt") && function.contains("x = high / 2"), "{function}");
}
