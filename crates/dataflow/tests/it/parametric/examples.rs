//! Hand-made programs: how many parameters the read at the end needs, and the oracle over all of their reads.
use crate::parametric::mini_c;
use crate::parametric::oracle::{Analysed, file_text};
use loopwright_dataflow::FuzzySize;
use loopwright_presburger::Budget;

/// Checks all reads of many runs; the number of parameters of the reads of a variable in a line.
#[track_caller]
fn n_parameters(statements: &str, line: usize, name: &str) -> usize {
    let analysed = Analysed::new(statements);
    let mut n_reads = 0;
    for seed in 0..40 {
        for n in 0..5 {
            n_reads += analysed.check(&[("n", n), ("k", 2)], seed * 977, 1 + (seed % 3) as i64);
        }
    }
    assert!(n_reads > 0);
    analysed.read(line, name).parameter_names().len()
}

#[test]
fn locally_static_bounds_need_no_parameters() {
    let text = "m = f();
for (int i = 0; i < 6; ++i) {
l = f();
for (int j = 0; j < l; ++j)
for (int k2 = 0; k2 <= m; ++k2)
d[k2][j] = f();
for (int j = 0; j < m; ++j)
for (int k2 = 0; k2 < l; ++k2)
h(j, k2, d[j + 1][k2]);
m = f();
}";
    assert_eq!(n_parameters(text, 9, "d"), 0);
    assert_eq!(n_parameters(text, 5, "m"), 0);
    assert_eq!(n_parameters(text, 7, "m"), 0);
    assert_eq!(n_parameters(text, 8, "l"), 0);
}

#[test]
fn a_radio_loop_needs_one_truth_value() {
    let text = "state = 0;
while (1) {
sample = f();
if (g(state))
state = g(sample);
else {
state = g(sample + 1);
x = f();
z = g(x);
g(z);
}
}";
    assert!(n_parameters(text, 4, "state") <= 4);
    assert_eq!(n_parameters(text, 4, "state"), 1);
    assert_eq!(n_parameters(text, 9, "x"), 0);
    assert_eq!(n_parameters(text, 5, "sample"), 0);
}

#[test]
fn a_loop_with_a_dynamic_condition() {
    let text = "for (int i = 0; i < n; ++i) {
s = f();
for (int j = 0; g(i + j); ++j)
s = g(s);
g(s);
}";
    assert_eq!(n_parameters(text, 4, "s"), 0);
    assert_eq!(n_parameters(text, 5, "s"), 2);
}

#[test]
fn conditions_on_several_elements_are_not_mixed_up() {
    let text = "for (int j = 0; j < 2; ++j) {
a[j] = f();
b[j] = f();
}
x = 0;
if (a[0] && b[1])
x = 1;
for (int j = 0; j < 2; ++j)
if (a[j] && b[j])
x = 2;
g(x);";
    assert!(n_parameters(text, 11, "x") >= 2);
    let text = "x = 0;
if (a[0] == 0 && a[1] == 2)
x = 1;
for (int j = 0; j < 2; ++j)
if (a[j] == 1)
x = 2;
g(x);";
    assert!(n_parameters(text, 7, "x") >= 2);
    let text = "x = 0;
for (int i = 0; i < n; ++i) {
g(x);
if (i >= 1 && c[i - 1])
x = 1;
if (c[i])
x = 2;
}";
    assert!(n_parameters(text, 3, "x") >= 2);
}

#[test]
fn a_condition_in_a_loop() {
    let last = "x = 0;
for (int i = 0; i < n; ++i)
if (c[i])
x = f();
g(x);";
    assert_eq!(n_parameters(last, 5, "x"), 2);
    let both = "x = 0;
for (int i = 0; i < n; ++i)
if (c[i])
x = f();
else
x = 2;
g(x);";
    assert_eq!(n_parameters(both, 7, "x"), 1);
    let same = "x = 0;
for (int i = 0; i < n; ++i) {
if (c[i])
x = f();
if (c[i])
g(x);
}";
    assert_eq!(n_parameters(same, 6, "x"), 0);
    let opposite = "x = 0;
for (int i = 0; i < n; ++i) {
if (c[i])
x = f();
if (!c[i])
g(x);
}";
    assert_eq!(n_parameters(opposite, 6, "x"), 2);
}

#[test]
fn conditions_that_imply_each_other() {
    let stronger = "y = f();
x = 0;
if (y > 0)
x = 1;
if (y > 1)
g(x);";
    assert_eq!(n_parameters(stronger, 6, "x"), 0);
    let weaker = "y = f();
x = 0;
if (y > 1)
x = 1;
if (y > 0)
g(x);";
    assert_eq!(n_parameters(weaker, 6, "x"), 1);
    let rewritten = "x = 0;
if (v)
x = 1;
v = f();
if (v)
g(x);";
    assert_eq!(n_parameters(rewritten, 6, "x"), 1);
}

#[test]
fn cascades() {
    let deeper = "x = 0;
if (a[0]) {
x = 1;
if (a[1]) {
x = 2;
if (a[2])
x = 3;
}
}
g(x);
a[k] = f();";
    assert_eq!(n_parameters(deeper, 10, "x"), 3);
    let repeated = "x = 0;
if (a[0]) {
x = 1;
if (a[0]) {
x = 2;
if (a[0])
x = 3;
}
}
g(x);
a[k] = f();";
    assert_eq!(n_parameters(repeated, 10, "x"), 1);
    let chain = "x = 0;
if (a[0])
x = 1;
else if (a[1])
x = 2;
else
x = 3;
g(x);
a[k] = f();";
    assert_eq!(n_parameters(chain, 8, "x"), 3);
}

#[test]
fn nested_loops_under_a_dynamic_one() {
    for depth in 1..=4 {
        let mut text = "x = 0;\nfor (int i0 = 0; i0 < n; ++i0)\nif (c[i0])\n".to_string();
        for level in 1..depth {
            text += &format!("for (int i{level} = 0; i{level} < 3; ++i{level})\n");
        }
        text += "x = f();\ng(x);";
        assert_eq!(n_parameters(&text, depth + 4, "x"), 2, "depth {depth}");
    }
}

#[test]
fn bounds_from_memory() {
    let inner = "x = 0;
for (int i = 0; i < n; ++i) {
for (int j = 0; j < b[i]; ++j)
x = f();
g(x);
}";
    assert!(n_parameters(inner, 5, "x") <= 3);
    let twice = "m = f();
l = f();
for (int i = 0; i < m; ++i)
for (int j = 0; j < l; ++j)
d[i][j] = f();
m = f();
for (int i = 0; i < m; ++i)
for (int j = 0; j < l; ++j)
g(d[i][j]);";
    assert_eq!(n_parameters(twice, 9, "d"), 1);
}

#[test]
fn while_loops() {
    let after = "x = 0;
while (f())
x = f();
g(x);";
    assert_eq!(n_parameters(after, 4, "x"), 2);
    let nested = "x = 0;
while (f()) {
y = x;
while (g(y)) {
x = g(x);
y = f();
}
z = x;
}
g(z);";
    assert!(n_parameters(nested, 8, "x") <= 3);
    let inside = "x = 0;
while (f()) {
if (f())
x = f();
g(x);
}";
    assert_eq!(n_parameters(inside, 5, "x"), 2);
    let tested_last = "do {
x = f();
}
while (x > 1);
g(x);";
    assert_eq!(n_parameters(tested_last, 4, "x"), 0);
    assert!(n_parameters(tested_last, 5, "x") <= 2);
}

#[test]
fn early_exits() {
    let found = "x = 0;
for (int i = 0; i < n; ++i) {
y = c[i];
if (y > 1)
break;
x = y;
}
g(x);
g(y);";
    assert!(n_parameters(found, 8, "x") <= 2);
    let skipped = "x = 0;
for (int i = 0; i < n; ++i) {
if (c[i])
continue;
x = i;
g(x);
}
g(x);";
    assert_eq!(n_parameters(skipped, 6, "x"), 0);
    assert_eq!(n_parameters(skipped, 8, "x"), 2);
    let left = "x = 0;
while (1) {
x = g(x);
if (g(x)) {
y = x;
if (g(y))
break;
}
}
g(x);
g(y);";
    assert_eq!(n_parameters(left, 3, "x"), 0);
    let ended = "x = 1;
if (f())
return;
x = f();
g(x);";
    assert_eq!(n_parameters(ended, 5, "x"), 0);
}

#[test]
fn branches_of_a_switch() {
    // One branch writes for each value.
    let every = "switch (c[1]) {
case 0:
x = f();
break;
case 3:
default:
x = f();
}
g(x);";
    assert_eq!(n_parameters(every, 9, "x"), 1);
    // From the first label control falls through, so both values are written before they are read.
    let same = "switch (c[1]) {
case 1:
y = f();
case 2:
x = f();
break;
default:
z = f();
}
switch (c[1]) {
case 1:
g(y);
break;
case 2:
g(x);
}";
    assert_eq!(n_parameters(same, 12, "y"), 0);
    assert_eq!(n_parameters(same, 15, "x"), 0);
}

#[test]
fn loops_that_start_with_data_count_their_iterations() {
    let text = "for (int i = k;
i < n;
++i) {
x = f();
g(x);
}
for (int j = c[0];
j < n;
++j)
y = f();
g(y);";
    assert_eq!(n_parameters(text, 5, "x"), 0);
    assert_eq!(n_parameters(text, 11, "y"), 0, "memory that nothing writes holds constants");
    let written = "c[0] = f();
for (int j = c[0];
j < n;
++j)
y = f();
g(y);";
    assert_eq!(n_parameters(written, 6, "y"), 2);
    // The body may change the iterator, and the step need not be a number.
    let chained = "x = 0;
for (int i = c[0];
i > 0;
i = c[i]) {
if (b[i])
i = 1;
x = f();
}
g(x);";
    assert_eq!(n_parameters(chained, 9, "x"), 2);
}

/// The method of comparison has a parameter for each maximum, also where none is needed, and a leaf for each
/// comparison.
#[test]
fn a_parameter_for_each_maximum() {
    let text = "x = 0;
for (int i = 0; i < n; ++i)
if (c[i])
x = f();
g(x);";
    let size = |text: &str| {
        let filtered = Analysed::new(text).filtered;
        FuzzySize::of_filtered_scop(&filtered, &Budget::unlimited()).unwrap()
    };
    assert_eq!(size(text).parameters, 1);
    let twice = text.replace("g(x);", "for (int i = 0; i < n; ++i)\nif (c[i])\nx = f();\ng(x);");
    assert_eq!(size(&twice).parameters, 2);
    assert!(size(&twice).leaves > size(text).leaves);
}

/// The order is that of the model's schedule, whatever it is: a loop that runs backwards by its schedule is
/// one that runs backwards.
#[test]
fn the_order_may_be_any_schedule() {
    let with_head =
        |head: &str| format!("x = 0;\n{head} {{\nif (c[i])\nx = f();\nelse\na[i] = x;\n}}\ng(x);");
    let forwards = with_head("for (int i = 0; i < n; ++i)");
    let backwards = with_head("for (int i = n - 1; i >= 0; --i)");
    let check = |turn: bool| {
        let mut analysed = Analysed::changed(&forwards, |filtered| {
            if turn {
                let tree = filtered.scop.schedule.to_string();
                let turned = tree.replace("[(i)]", "[(-i)]");
                assert_ne!(tree, turned, "{tree}");
                filtered.scop.schedule = turned.parse().unwrap();
            }
        });
        analysed.program = mini_c::parse(&file_text(&backwards));
        (0..30).map(|seed| analysed.check(&[("n", 4)], seed * 977, 1)).sum::<usize>()
    };
    assert!(check(true) > 100);
    assert!(std::panic::catch_unwind(|| check(false)).is_err(), "the order is another one");
}

/// Both branches of a condition in `depth` loops write what is read behind it: the method of comparison looks
/// for a last write of each branch at each of `depth + 1` levels, and the numbers are those that Verdoolaege,
/// Nikolov and Stefanov print for "for1" to "for3".
#[test]
fn maxima_at_all_levels() {
    for (depth, published) in [(1, 4), (2, 12), (3, 24)] {
        let heads = (0..depth).map(|d| format!("for (int i{d} = 0; i{d} < n; ++i{d})"));
        let heads: Vec<String> = heads.collect();
        let text = format!(
            "x = 0;\n{} {{\nif (f())\nx = f();\nelse\nx = f();\ng(x);\n}}",
            heads.join("\n")
        );
        let filtered = Analysed::new(&text).filtered;
        let size = FuzzySize::of_filtered_scop(&filtered, &Budget::unlimited());
        eprintln!("{depth}: {size:?}");
        assert_eq!(size.map(|size| size.parameters).unwrap_or(published), published);
        assert_eq!(n_parameters(&text, depth + 6, "x"), 1, "one truth value for both");
    }
}

/// The oracle is no formality: it finds faults that are planted into the model.
#[test]
fn planted_faults_are_found() {
    let text = "x = 0;
for (int i = 0; i < n; ++i) {
if (c[i])
x = f();
else
y = f();
while (g(x))
x = g(y);
g(x);
}";
    let is_wrong = |change: &dyn Fn(&mut loopwright_scop::FilteredScop)| {
        let analysed = Analysed::changed(text, change);
        let run = || (0..30).map(|seed| analysed.check(&[("n", 3)], seed * 977, 1)).sum::<usize>();
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err()
    };
    assert!(!is_wrong(&|_| {}));
    let filters = Analysed::new(text).filtered.filters;
    let filtered = (0..filters.len()).filter(|index| !filters[*index].is_empty());
    let n_found = filtered.filter(|&index| is_wrong(&|model| model.filters[index].clear())).count();
    assert!(n_found > 0, "statements that always run");
}
