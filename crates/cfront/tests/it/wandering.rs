//! Pointers that data moves: scalars that are addresses, and what may be behind them.
use crate::common::{extract, function, map_contains};
use loopwright_cfront::Code;
use loopwright_presburger::DimKind;
use loopwright_scop::{Access, AccessKind, Scop};

/// A function with arrays, integers and pointers in front of the region.
fn text(region: &str) -> String {
    let parameters = "int n, double A[restrict 50], double B[restrict 50], double M[restrict 9][9], int *restrict idx";
    let before =
        "int i; double *p = A, *q; struct cell { double v; struct cell *next; } *list = 0;";
    format!("void g(double *);\nvoid h(double);\n{}", function(parameters, before, region, ""))
}

fn scop(region: &str) -> Scop {
    let mut found = extract(&text(region)).unwrap_or_else(|found| panic!("{region}: {}", found[0]));
    found.remove(0).scop
}

/// The accesses of an array with one dimension (or, 0, a scalar) with a name.
fn accesses<'s>(scop: &'s Scop, name: &str, n_dims: usize) -> Vec<&'s Access> {
    let all = scop.statements.iter().flat_map(|statement| &statement.accesses);
    all.filter(|access| {
        let array = &scop.arrays[access.array.0 as usize];
        *array.name == *name && array.extents.len() == n_dims && access.kind != AccessKind::Kill
    })
    .collect()
}

/// The region writes perhaps all elements of some arrays, and nothing for sure but pointers.
fn check(region: &str, arrays: &[&str]) {
    let scop = scop(region);
    for name in ["A", "B", "p"] {
        let found = accesses(&scop, name, 1);
        let written = found.iter().any(|access| access.kind == AccessKind::MayWrite);
        assert_eq!(written, arrays.contains(&name), "{region}: {name}");
        for access in found.iter().filter(|access| access.kind == AccessKind::MayWrite) {
            let n_in = access.relation.n(DimKind::In);
            for element in [0, 7, 49] {
                let mut point = vec![10; scop.parameters.len()];
                point.extend(std::iter::repeat_n(4, n_in));
                point.push(element);
                assert!(map_contains(&access.relation, &point), "{region}: {name}[{element}]");
            }
        }
    }
    for access in scop.statements.iter().flat_map(|statement| &statement.accesses) {
        let is_number = !scop.arrays[access.array.0 as usize].extents.is_empty();
        assert!(access.kind != AccessKind::MustWrite || !is_number, "{region}");
    }
}

#[test]
fn what_a_moved_pointer_leads_to_may_be_any_element() {
    check("p = A; for (i = 0; i < n; i++) if (B[i] > 0) *p++ = i;", &["A"]);
    check("p = A; for (i = 0; i < n; i++) { if (i > 3) p++; *p = i; }", &["A"]);
    check("p = A + 2; for (i = 0; i < n; i++) { p += idx[i]; p[1] = i; }", &["A"]);
    check("p = A; while (B[0] > *p) { *p++ = 1; }", &["A"]);
    check("p = &B[n]; for (i = 0; i < n; i++) { if (i > 3) p = A; *p = i; }", &["A", "B"]);
    check("for (i = 0; i < n; i++) { double *r = B; if (i > 3) r = A; *r = i; }", &["A", "B"]);
    check("p = n > 3 ? A : B + 1; for (i = 0; i < n; i++) p[i] = 1;", &["A", "B"]);
    check(
        "p = A; q = B; for (i = 0; i < n; i++) { double *t = p; *p = i; p = q; q = t; }",
        &["A", "B"],
    );
    check("double *t = 0; for (i = 0; i < n; i++) if (idx[i]) t = &A[i]; if (t) *t = 1;", &["A"]);
}

#[test]
fn the_pointer_itself_is_a_scalar() {
    let scop = scop("p = A; for (i = 0; i < n; i++) if (B[i] > 0) *p++ = i;");
    let pointer = scop.arrays.iter().find(|a| &*a.name == "p" && a.extents.is_empty());
    assert_eq!(pointer.map(|a| &*a.element_type), Some("double *"));
    let kinds: Vec<AccessKind> = accesses(&scop, "p", 0).iter().map(|access| access.kind).collect();
    assert_eq!(kinds, [AccessKind::MustWrite, AccessKind::Read, AccessKind::MayWrite]);
}

#[test]
fn pointers_that_do_not_move_on_data_are_known() {
    let scop = scop("p = A; for (i = 0; i < n; i++) *p++ = B[i];");
    assert!(accesses(&scop, "p", 0).is_empty());
    assert!(accesses(&scop, "A", 1).iter().all(|access| access.kind == AccessKind::MustWrite));
}

#[test]
fn what_is_set_from_elsewhere_or_handed_on_is_refused() {
    for region in [
        "p = A; for (i = 0; i < n; i++) { if (idx[i]) p++; g(p); }",
        "p = A; for (i = 0; i < n; i++) if (idx[i]) g(p++);",
        "p = A; for (i = 0; i < n; i++) { g(idx[i] ? p + 1 : p); p += idx[i]; }",
        "p = A; for (i = 0; i < n; i++) { if (idx[i]) p++; h((long)p); }",
        "for (i = 0; i < n; i++) { list->v = i; list = list->next; }",
        "p = A; for (i = 0; i < n; i++) { if (idx[i]) p = (double *)idx; *p = 1; }",
        "p = A; for (i = 0; i < n; i++) { double **r = &p; if (idx[i]) p++; *p = 1; }",
    ] {
        let refused = extract(&text(region)).expect_err(region);
        assert!(refused.iter().any(|d| d.code == Code::Pointer), "{region}: {}", refused[0]);
    }
}
