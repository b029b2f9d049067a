//! Arrays with several dimensions that are stored in one.
use crate::common::{body_at, extract, map_contains, scop};
use loopwright_scop::AccessKind;

#[test]
fn rows_and_columns() {
    let arguments = "int n, int m, double *restrict A, double *restrict B";
    let scop = scop(
        arguments,
        "",
        "for (int i = 0; i < n; i++) for (int j = 1; j < m; j++)\n  \
         A[i * m + j] = *(A + m * i + (j - 1)) + B[j] + A[(i + 1) * m - j];",
    );
    let a = &scop.arrays[0];
    assert_eq!(a.extents.len(), 2);
    assert_eq!((a.extents[0].is_none(), &*a.extent_texts[1]), (true, "m"));
    let statement = &scop.statements[0];
    let text = body_at(statement, &[10, 7, 4, 5]);
    assert_eq!(text, "A[4 * m + 5] = A[4 * m + 4] + B[5] + A[4 * m + 2]");
    assert!(map_contains(&statement.accesses[0].relation, &[10, 7, 4, 5, 4, 5]));
    assert!(map_contains(&statement.accesses[3].relation, &[10, 7, 4, 5, 4, 2]));
    assert!(!map_contains(&statement.accesses[3].relation, &[10, 7, 4, 5, 4, 5]));
}

#[test]
fn three_dimensions() {
    let scop = scop(
        "int n, int m, int l, double *restrict A",
        "",
        "for (int i = 0; i < n; i++) for (int j = 0; j < m + 1; j++) for (int k = 0; k < l; k++)\n  \
         A[(i * (m + 1) + j) * l + k] = A[l * (m + 1) * i + j * l + k];",
    );
    let statement = &scop.statements[0];
    let text = body_at(statement, &[9, 9, 9, 2, 3, 4]);
    assert_eq!(text, "A[(2 * (m + 1) + 3) * l + 4] = A[(2 * (m + 1) + 3) * l + 4]");
    assert_eq!(scop.arrays[0].extents.len(), 3);
}

#[test]
fn a_constant_stride_is_affine() {
    let region = "for (int i = 0; i < 9; i++) for (int j = 0; j < n; j++) A[i * 100 + j] = 1;";
    let scop = scop("int n, double *A", "", region);
    assert_eq!(scop.arrays[0].extents.len(), 1);
    assert_eq!(body_at(&scop.statements[0], &[99, 2, 3]), "A[203] = 1");
}

#[test]
fn offsets_of_pointers() {
    let scop = scop(
        "int n, double A[restrict n][n], double *restrict B",
        "",
        "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++)\n  \
         *(A[i] + j) = *(*(A + i) + j - 1) + (B + i)[j] + *(1 + &B[j]) + (*(A + i))[j] + (&A[i][1])[j];",
    );
    let text = body_at(&scop.statements[0], &[9, 4, 5]);
    assert_eq!(text, "A[4][5] = A[4][4] + B[9] + B[6] + A[4][5] + A[4][6]");
}

#[test]
fn what_is_not_known_to_be_in_range_may_be_any_element() {
    let accepted = |region: &str| {
        let text = format!(
            "void f(int n, int m, int l, double *restrict A) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        extract(&text).expect(region).remove(0).scop
    };
    let loops = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)";
    for body in [
        "{ A[i * m + j] = 0; A[j * n + i] = 0; }",
        "{ A[i * m + j] = 0; A[i + j] = 0; }",
        "A[i * j] = 0;",
        "A[i * m / 2] = 0;",
        "A[i * m > 3 ? 1 : 2] = 0;",
    ] {
        let scop = accepted(&format!("{loops} {body}"));
        let access = &scop.statements[0].accesses[0];
        assert_eq!(
            (access.kind, scop.arrays[0].extents.len()),
            (AccessKind::MayWrite, 1),
            "{body}"
        );
        let point = [vec![9; scop.parameters.len()], vec![2, 3, 7]].concat();
        assert!(map_contains(&access.relation, &point), "{body}");
    }
    let scop = accepted(&format!("{loops} {{ A[i * m + j] = l; A[j * n + i] = 0; }}"));
    assert_eq!(body_at(&scop.statements[0], &[9, 9, 2, 3]), "A[<2> * m + <3>] = l");
    let scop = accepted(&format!("__builtin_assume(m <= l);\n{loops} A[i * l + j] = 0;"));
    assert_eq!(scop.arrays[0].extents.len(), 2);
    assert_eq!(scop.statements[0].accesses[0].kind, AccessKind::MustWrite);
}

/// Where neither the loops nor the conditions prove that rows do not overlap, it is checked.
#[test]
fn rows_that_may_overlap_are_checked() {
    let conditions = |head: &str, region: &str| {
        let text = format!(
            "void f(int n, int m, {head}, double *restrict A, double *restrict B) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        );
        let region = extract(&text).expect(region).remove(0);
        assert_eq!(region.scop.statements[0].accesses[0].kind, AccessKind::MustWrite, "{text}");
        let texts = region.conditions.iter().filter_map(|condition| condition.fact.text());
        texts.collect::<Vec<String>>()
    };
    let loops = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)";
    let two = |body: &str| conditions("int ld", &format!("{loops} {body}"));
    assert_eq!(two("A[i * ld + j] = 0;"), ["m <= ld"]);
    assert_eq!(two("A[i * ld + j + 1] = 0;"), ["m < ld"]);
    assert_eq!(two("A[(i + 1) * ld + j] = A[i * ld + j];"), ["m <= ld"]);
    assert_eq!(two("A[i * m + j] = B[j * ld + i];"), ["n <= ld"]);
    assert_eq!(two("A[i * 10 + j] = B[i * m + j];"), [""; 0]);
    let three = |body: &str| {
        let more = "for (int k = 0; k < 7; k++)";
        conditions("int ld, int area", &format!("{loops} {more} {body}"))
    };
    assert_eq!(three("A[(i * ld + j) * area + k] = 0;"), ["area >= 7", "m <= ld"]);
    let wide = |body: &str| conditions("size_t ld", &format!("{loops} {body}"));
    assert_eq!(
        wide("A[i * ld + j] = 0;"),
        ["__extension__ (__int128) ld >= __extension__ (__int128) m"]
    );
    // Below the diagonal, and where no row is long enough.
    let triangle = "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) A[i * ld + j] = 0;";
    assert_eq!(conditions("int ld", triangle), ["n <= ld"]);
}
