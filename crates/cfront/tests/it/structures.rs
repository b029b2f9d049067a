//! Members of structures and unions: accesses and texts.
use crate::common::{body_at, extract, map_contains};
use loopwright_scop::{Scop, Statement};

const TYPES: &str = "struct complex { double re, im; };\n\
    typedef struct { double x[3]; struct complex c[2]; struct { int a; }; } particle;\n\
    union word { double d; int i[2]; };\n\
    struct bits { int low : 4; int high : 4; };\n\
    struct pair { int *p; int n; };\n";

fn scop(arguments: &str, region: &str) -> Scop {
    let text =
        format!("{TYPES}void f({arguments}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
    match extract(&text) {
        Ok(regions) => regions.into_iter().next().expect("one region").scop,
        Err(diagnostics) => panic!("{text}\n{}", diagnostics[0]),
    }
}

fn accesses(scop: &Scop, statement: &Statement) -> String {
    let one = |a: &loopwright_scop::Access| {
        let array = scop.array(a.array);
        format!("{} {}/{}", a.kind.keyword(), array.tuple_name, array.extents.len())
    };
    statement.accesses.iter().map(one).collect::<Vec<_>>().join(", ")
}

#[test]
fn members_are_arrays_of_their_own() {
    let scop = scop(
        "int n, particle p[restrict n], struct complex *restrict z",
        "for (int i = 0; i < n; i++) {\n  p[i].x[i % 3] += p[i].a;\n  \
         p[i].c[1].im = (z + i)->re * z->im;\n  (*(p + i)).a = 3;\n}",
    );
    let own = |s: usize| accesses(&scop, &scop.statements[s]);
    assert_eq!(own(0), "read p_x/2, write p_x/2, read p_a/1");
    assert_eq!(own(1), "write p_c_im/2, read z_re/1, read z_im/1");
    assert_eq!(own(2), "write p_a/1");
    assert_eq!(body_at(&scop.statements[0], &[9, 4]), "p[4].x[1] += p[4].a");
    assert_eq!(body_at(&scop.statements[1], &[9, 4]), "p[4].c[1].im = z[4].re * z[0].im");
    assert_eq!(body_at(&scop.statements[2], &[9, 4]), "p[4].a = 3");
    assert!(map_contains(&scop.statements[1].accesses[0].relation, &[9, 4, 4, 1]));
    assert!(!map_contains(&scop.statements[1].accesses[0].relation, &[9, 4, 4, 0]));
    let array = scop.arrays.iter().find(|a| &*a.tuple_name == "p_x").expect("it is accessed");
    assert_eq!((&*array.element_type, array.element_bytes), ("double", Some(8)));
    assert!(array.is_member && array.live_out && !array.is_scalar());
    let text = scop.to_string();
    assert_eq!(Scop::parse(&text).expect("it is read back").to_string(), text);
}

#[test]
fn a_structure_that_is_copied_is_one_variable() {
    let scop = scop(
        "int n, struct complex a[restrict n]",
        "for (int i = 1; i < n; i++) { a[i] = a[i - 1]; a[i].re = 2 * a[i].im; }",
    );
    assert_eq!(accesses(&scop, &scop.statements[0]), "write a/1, read a/1");
    assert_eq!(accesses(&scop, &scop.statements[1]), "may-write a/1, read a/1");
    assert_eq!(body_at(&scop.statements[1], &[9, 4]), "a[4].re = 2 * a[4].im");
    assert_eq!(scop.arrays[0].element_type, "struct complex");
}

#[test]
fn members_that_share_memory_are_one_variable() {
    let scop = scop(
        "union word w[5], struct bits b",
        "for (int i = 0; i < 5; i++) { w[i].d = 1; w[i].i[1] = 2; b.low = b.high; }",
    );
    assert_eq!(accesses(&scop, &scop.statements[0]), "may-write w/1");
    assert_eq!(accesses(&scop, &scop.statements[1]), "may-write w/1");
    assert_eq!(accesses(&scop, &scop.statements[2]), "may-write b/0, read b/0");
    assert_eq!(body_at(&scop.statements[1], &[4]), "w[4].i[1] = 2");
}

#[test]
fn local_structures_become_their_members() {
    let scop = scop(
        "int n, double t_re, double A[restrict n]",
        "for (int i = 0; i < n; i++) { struct complex t; t.re = A[i]; t.im = t_re; A[i] = t.re; }",
    );
    let names: Vec<&str> = scop.arrays.iter().map(|a| &*a.tuple_name).collect();
    assert_eq!(names, ["t_re_1", "t_im", "A", "t_re"]);
    assert_eq!(accesses(&scop, &scop.statements[0]), "kill t_re_1/0, kill t_im/0");
    assert_eq!(body_at(&scop.statements[1], &[9, 4]), "t_re_1 = A[4]");
    assert!(scop.arrays[0].declared_in_scop && scop.arrays[0].is_scalar());
}

#[test]
fn refusals() {
    let first = |arguments: &str, region: &str| {
        let text =
            format!("{TYPES}void f({arguments}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
        extract(&text).expect_err("it is refused")[0].message.clone()
    };
    assert_eq!(first("struct complex z", "z.arg = 1;"), "the member `arg` is not known");
    assert_eq!(first("struct opaque *z", "z->arg = 1;"), "the member `arg` is not known");
    assert_eq!(first("particle p", "p.x = 1;"), "`p.x` is a pointer or an array, and it is set");
    let whole = "struct pair s, t; s = t; s.p[0] = 1;";
    assert_eq!(first("int n", whole), "`s` is used as a whole, and a pointer in it too");
    let defined = "struct own { int n; } s, t; s = t;";
    assert_eq!(first("int n", defined), "this type cannot be defined in a region");
    let unnamed = "struct { int n; } s, t; s = t;";
    assert_eq!(first("int n", unnamed), "the type of `s` has no name");
}
