//! Which elements of arrays may be used after a region.
use crate::common::extract;
use loopwright_presburger::{Budget, Set};

/// The elements of `a` that may be used after a region, in a function with declarations in front of it and
/// statements behind it.
fn used(around: [&str; 3]) -> Option<Set> {
    let [declared, before, after] = around;
    let text = format!(
        "void *malloc(unsigned long); void free(void *); void other(double *); int k;\n\
         double f(int n, int m) {{ {declared}\n{before}\n#pragma scop\n\
         for (int t = 1; t < m; t++) for (int i = 0; i < n; i++) a[t][i] = a[t - 1][i] + k;\n#pragma endscop\n{after} return 0; }}\n"
    );
    let region = extract(&text).expect("accepted").remove(0);
    let a = region.scop.arrays.iter().position(|array| &*array.name == "a").expect("a");
    region.used_after[a].clone()
}

const ARRAY: &str = "double a[m][n];";
const BLOCK: &str = "double (*a)[n] = malloc(sizeof(double) * n * m);";

#[track_caller]
fn is(found: Option<Set>, expected: &str) {
    let (found, expected) = (found.expect("known"), Set::parse(expected).unwrap());
    assert!(found.is_equal(&expected, &Budget::unlimited()).unwrap(), "{found}");
}

#[test]
fn elements_that_the_text_names_are_used() {
    let nothing = "[n, m] -> { a[t, i] : false }";
    is(used([ARRAY, "", ""]), nothing);
    is(used([BLOCK, "a[0][1] = 2;", "free(a);"]), nothing);
    is(used([BLOCK, "if (!a) return 1;", "free(a);"]), nothing);
    // Sizes are no values.
    for measured in ["*a", "(*a)", "(a[0])", "a[0][0]", "**a"] {
        let block = format!("double (*a)[n] = malloc(m * sizeof {measured});");
        is(used([&block, "", &format!("k = sizeof {measured}; free(a);")]), nothing);
    }
    let last = "for (int i = 0; i < n; i++) k += a[m - 1][i]; free(a);";
    is(used([BLOCK, "", last]), "[n, m] -> { a[m - 1, i] }");
    is(used([ARRAY, "", "return a[0][n - 1] + a[(m)][k];"]), "[n, m] -> { a[0, n - 1]; a[m, i] }");
    // Neither `k`, which is not the function's own, nor a product is a form.
    is(used([ARRAY, "", "k = 3; return a[k][2 * n];"]), "[n, m] -> { a[t, i] }");
}

#[test]
fn a_variable_that_changes_is_no_form() {
    is(used([ARRAY, "", "n--; return a[1][n];"]), "[n, m] -> { a[1, i] }");
    let shadowed = "for (int m = 0; m < 3; m++) k += a[m][0];";
    is(used([ARRAY, "", shadowed]), "[n, m] -> { a[t, 0] }");
}

#[test]
fn arrays_that_others_may_reach_are_not_known() {
    for around in [
        [BLOCK, "", "other(a);"],
        [BLOCK, "", "other(a[0]);"],
        [BLOCK, "double *p = a[0];", "return *p;"],
        [ARRAY, "double *p = &a[0][0];", "return *p;"],
        [ARRAY, "other(a[1]);", ""],
        ["double (*a)[n] = 0, (*b)[n] = malloc(8 * n * m); a = b;", "", ""],
        ["static double a[10][10];", "", ""],
        [BLOCK, "", "return **a;"],
        [BLOCK, "", "return sizeof(double) * **a;"],
        [BLOCK, "other(a[sizeof(double)]);", ""],
        [ARRAY, "for (int round = 0; round < 2; round++) {", "}"],
    ] {
        assert!(used(around).is_none(), "{around:?}");
    }
}
