//! Quotients whose rounding a condition makes one towards minus infinity, as `floord` of other tools.

/// Quotients that a condition rounds down are one case if that is asked for.
#[test]
fn floors_by_conditions_are_one_case_on_request() {
    let text = "void f(int n, double *A) {\n#pragma scop\n  for (int i = 0; i <= ((n - 9) < 0 ? ~(~(n - 9) / 4) : (n - 9) / 4) + 2; i++)\n    A[i] = 1;\n#pragma endscop\n}\n";
    let path = std::path::Path::new("f.c");
    let pieces = |folds_floors| {
        let options = loopwright_cfront::Options { folds_floors, ..Default::default() };
        let file = loopwright_cfront::read_text(path, text, &options).unwrap();
        let region = file.extract().unwrap().remove(0);
        region.scop.statements[0].domain.clone()
    };
    let (two, one) = (pieces(false), pieces(true));
    assert_eq!(one.basic_sets().len(), 1, "{one}");
    let budget = loopwright_presburger::Budget::unlimited();
    assert!(two.is_equal(&one, &budget).unwrap(), "{two} and {one}");
}
