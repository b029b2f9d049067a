//! Regions of very many statements: work in proportion to them, or a limit that is named.
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_presburger::Budget;
use loopwright_scop::Scop;

fn model(text: &str) -> Scop {
    SourceFile::from_text("f.c", text).extract().unwrap().remove(0).scop
}

/// `A[k] = B[k] + A[k - 1];` for `k` from 1 to `n`.
fn straight(n: usize) -> Scop {
    let lines: String = (1..=n).map(|k| format!("  A[{k}] = B[{k}] + A[{}];\n", k - 1)).collect();
    let arrays = format!("double A[{}], B[{}];", n + 1, n + 1);
    model(&format!("{arrays}\nvoid f(void) {{\n#pragma scop\n{lines}#pragma endscop\n}}\n"))
}

#[test]
fn statements_with_elements_of_their_own_are_not_compared_in_pairs() {
    let steps = |n: usize| {
        let budget = Budget::steps(1_000_000_000);
        let dependences = Dependences::of_scop(&straight(n), &budget).unwrap();
        assert!(dependences.is_exact);
        assert_eq!(dependences.flow.len(), n - 1);
        budget.used()
    };
    let (few, many) = (steps(50), steps(200));
    assert!(many <= 5 * few, "{few} steps for 50 statements, {many} for 200");
}

#[test]
fn too_many_pairs_of_accesses_to_one_element_are_a_limit() {
    let lines: String = (0..700).map(|k| format!("    A[i] += {k};\n")).collect();
    let text = format!(
        "void f(int n, int A[n]) {{\n#pragma scop\n  for (int i = 0; i < n; i++) {{\n{lines}  }}\n#pragma endscop\n}}\n"
    );
    let error = Dependences::of_scop(&model(&text), &Budget::steps(1_000_000)).unwrap_err();
    assert!(error.is_limit(), "{error}");
    assert!(error.to_string().contains("the pairs of accesses to one array"), "{error}");
}
