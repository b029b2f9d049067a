//! Contracted arrays: the right moduli are proved, wrong ones and other changes are refuted.
use loopwright_cfront::{Region, SourceFile};
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, DimKind, Int};
use loopwright_schedule::Node;
use loopwright_scop::{ArrayId, Scop};
use loopwright_storage::{Contraction, contractible_arrays, left_elements};
use loopwright_verify::{ContractedProgram, Proof, check_contractions};

fn model(body: &str) -> Scop {
    let text = format!(
        "void f(int n, int m, double x[n], double y[m][n]) {{ double a[m][n], s[n];\n#pragma scop\n{body}\n#pragma endscop\n}}"
    );
    SourceFile::from_text("f.c", &text).extract().unwrap().remove(0).scop
}

fn array(scop: &Scop, name: &str) -> ArrayId {
    let mut named = (0..).zip(&scop.arrays).filter(|(_, array)| &*array.name == name);
    ArrayId(named.next().expect("an array").0)
}

fn contractible(scop: &Scop) -> Vec<ArrayId> {
    let budget = Budget::unlimited();
    let dependences = Dependences::of_scop(scop, &budget).unwrap();
    contractible_arrays(scop, &dependences, &[], &budget).unwrap()
}

/// What is proved about `original` with an array contracted, and then changed.
fn proof(original: &Scop, contraction: &Contraction, change: impl Fn(&mut Scop)) -> Proof {
    let budget = Budget::unlimited();
    let mut contracted = contraction.apply(original).unwrap();
    change(&mut contracted);
    let program = ContractedProgram {
        original,
        dependences: &Dependences::of_scop(original, &budget).unwrap(),
        contracted: &contracted,
        contracted_dependences: &Dependences::of_scop(&contracted, &budget).unwrap(),
        contractions: std::slice::from_ref(contraction),
        used_after: &[],
    };
    check_contractions(program, &budget).unwrap()
}

fn moduli(scop: &Scop, name: &str, moduli: &[i64]) -> Contraction {
    let modulus = |modulus: &i64| (*modulus > 0).then(|| Int::from(*modulus));
    Contraction {
        array: array(scop, name),
        moduli: moduli.iter().map(modulus).collect(),
        copied_out: None,
    }
}

const STENCIL: &str = "for (int i = 0; i < n; i++) a[0][i] = x[i];\n\
    for (int t = 1; t < m; t++) for (int i = 1; i < n - 1; i++)\n\
      a[t][i] = a[t - 1][i - 1] + a[t - 1][i] + a[t - 1][i + 1];\n\
    for (int i = 1; i < n - 1; i++) x[i] = a[m - 1][i];";

#[test]
fn rows_that_are_read_once_share_cells() {
    // Boundaries keep their first value, so only rows of the inside are read.
    let inside = STENCIL.replace("a[t - 1][i - 1] + a[t - 1][i] + a[t - 1][i + 1]", "a[t - 1][i]");
    let scop = model(&inside);
    assert_eq!(contractible(&scop), [array(&scop, "a")]);
    for modulus in [1, 2, 3] {
        let contraction = moduli(&scop, "a", &[modulus, 0]);
        assert_eq!(proof(&scop, &contraction, |_| ()), Proof::Proved, "{modulus}");
    }
    let column = proof(&scop, &moduli(&scop, "a", &[0, 5]), |_| ());
    assert!(matches!(column, Proof::Refuted(_)), "{column:?}");
}

#[test]
fn too_few_rows_are_refuted() {
    let periodic = "for (int i = 0; i < n; i++) a[0][i] = x[i];\n\
        for (int t = 1; t < m; t++) for (int i = 0; i < n; i++)\n\
          a[t][i] = a[t - 1][i] + (i > 0 ? 1 : 0) * a[t - 1][n - 1 - i];\n\
        for (int i = 0; i < n; i++) y[m - 1][i] = a[m - 1][i];";
    let scop = model(periodic);
    assert_eq!(proof(&scop, &moduli(&scop, "a", &[2, 0]), |_| ()), Proof::Proved);
    let Proof::Refuted(violations) = proof(&scop, &moduli(&scop, "a", &[1, 0]), |_| ()) else {
        panic!("one row is too few")
    };
    assert!(violations.iter().any(|v| v.message.contains("no longer reads")), "{violations:?}");
}

#[test]
fn values_that_go_outside_are_refuted() {
    let scop = model("for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) y[t][i] = x[i];");
    assert!(contractible(&scop).is_empty());
    let refuted = proof(&scop, &moduli(&scop, "y", &[1, 0]), |_| ());
    assert!(matches!(refuted, Proof::Refuted(_)));
}

#[test]
fn other_changes_of_the_program_are_refuted() {
    let body = "for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) { a[t][i] = x[i]; y[t][i] = a[t][i]; }";
    let scop = model(body);
    let contraction = moduli(&scop, "a", &[1, 1]);
    assert_eq!(proof(&scop, &contraction, |_| ()), Proof::Proved);
    let other = moduli(&scop, "a", &[1, 2]).apply(&scop).unwrap();
    type Change<'a> = &'a dyn Fn(&mut Scop);
    let changes: [(&str, Change<'_>); 3] = [
        ("text", &|scop| scop.statements[1].body = other.statements[1].body.clone()),
        ("accesses", &|scop| scop.statements[1].accesses = other.statements[1].accesses.clone()),
        ("type", &|scop| scop.arrays[contraction.array.0 as usize].element_type = "float".into()),
    ];
    for (what, change) in changes {
        let found = proof(&scop, &contraction, change);
        assert!(matches!(found, Proof::Refuted(_)), "{what}: {found:?}");
    }
}

#[test]
fn arrays_of_the_region_are_declared_with_their_cells() {
    let scop = model(
        "double b[m][n]; for (int t = 0; t < m; t++) for (int i = 0; i < n; i++) { b[t][i] = x[i]; y[t][i] = b[t][i]; }",
    );
    let contraction = moduli(&scop, "b", &[1, 0]);
    assert_eq!(proof(&scop, &contraction, |_| ()), Proof::Proved);
    let contracted = contraction.apply(&scop).unwrap();
    let declared = contracted.array(contraction.array).declaration("b");
    assert_eq!(declared.as_deref(), Some("double b[1][n]"));
}

/// Of two assignments in one statement of the model nobody knows which one runs first.
#[test]
fn elements_in_one_opaque_statement_do_not_share_cells() {
    let body = "for (int t = 1; t < m; t++) { for (int i = 0; i < n; i++) { \
        if (x[i] > 0) { a[0][i] = 1; } } a[t][0] = 1; y[t][0] = a[t][0]++ + a[t][0]; }";
    let scop = model(body);
    assert!(contractible(&scop).is_empty());
    let refuted = proof(&scop, &moduli(&scop, "a", &[1, 0]), |_| ());
    assert!(matches!(refuted, Proof::Refuted(_)), "{refuted:?}");
}

/// A region with statements in front of it and behind it.
fn region(before: &str, body: &str, after: &str) -> Region {
    let text = format!(
        "double *malloc(unsigned long); void free(void *);\n\
         void f(int n, int m, double x[n], double y[n]) {{ double (*a)[n] = malloc(8 * n * m);\n{before}\n#pragma scop\n{body}\n\
         #pragma endscop\n{after}\nfree(a); }}"
    );
    SourceFile::from_text("f.c", &text).extract().unwrap().remove(0)
}

const STEPS: &str = "for (int i = 0; i < n; i++) a[0][i] = x[i];\n\
    for (int t = 1; t < m; t++) for (int i = 0; i < n; i++) a[t][i] = a[t - 1][i] + a[t - 1][n - 1 - i];";

const LATER_STEPS: &str = "for (int t = 1; t < m; t++) for (int i = 0; i < n; i++) a[t][i] = a[t - 1][i] + a[t - 1][n - 1 - i];\n\
    for (int i = 0; i < n; i++) y[i] = a[m - 1][i];";

/// What is proved with moduli for `a`, with what the region leaves copied out, after a change.
fn proof_of(region: &Region, rows: i64, change: impl Fn(&mut Contraction, &mut Scop)) -> Proof {
    let budget = Budget::unlimited();
    let original = &region.scop;
    let dependences = &Dependences::of_scop(original, &budget).unwrap();
    let mut contraction = moduli(original, "a", &[rows, 0]);
    let used = region.used_after[contraction.array.0 as usize].as_ref().expect("known");
    let left = left_elements(original, contraction.array, dependences, used, &budget).unwrap();
    contraction.copied_out = (!left.is_empty(&budget).unwrap()).then_some(left);
    let mut contracted = contraction.apply(original).unwrap();
    change(&mut contraction, &mut contracted);
    let program = ContractedProgram {
        original,
        dependences,
        contracted: &contracted,
        contracted_dependences: &Dependences::of_scop(&contracted, &budget).unwrap(),
        contractions: &[contraction],
        used_after: &region.used_after,
    };
    check_contractions(program, &budget).unwrap()
}

fn is_refuted(proof: &Proof, because: &str) -> bool {
    let is_because = |violations: &Vec<_>| {
        violations.iter().any(|v: &loopwright_verify::Violation| v.message.contains(because))
    };
    matches!(proof, Proof::Refuted(violations) if is_because(violations))
}

#[test]
fn what_is_used_after_the_region_is_copied_out() {
    let last = region("", STEPS, "x[0] = a[m - 1][0];");
    assert_eq!(proof_of(&last, 2, |_, _| ()), Proof::Proved);
    let one = proof_of(&last, 1, |_, _| ());
    assert!(is_refuted(&one, "no longer reads"), "{one:?}");
    let both = region("", STEPS, "x[0] = a[m - 1][0] + a[m - 2][1];");
    assert_eq!(proof_of(&both, 2, |_, _| ()), Proof::Proved);
    let three = region("", STEPS, "x[0] = a[m - 1][0] + a[m - 2][1] + a[m - 3][1];");
    let too_few = proof_of(&three, 2, |_, _| ());
    assert!(is_refuted(&too_few, "that is used after the region is lost"), "{too_few:?}");
    assert_eq!(proof_of(&three, 3, |_, _| ()), Proof::Proved);
    let nothing = region("", STEPS, "");
    assert_eq!(proof_of(&nothing, 2, |_, _| ()), Proof::Proved);
}

#[test]
fn wrong_copies_are_refuted() {
    let last = region("", STEPS, "x[0] = a[m - 1][0];");
    let left_out = proof_of(&last, 2, |contraction, contracted| {
        contraction.copied_out = None;
        *contracted = contraction.apply(&last.scop).unwrap();
    });
    assert!(is_refuted(&left_out, "is lost"), "{left_out:?}");
    let fewer = proof_of(&last, 2, |contraction, contracted| {
        let some = contraction.copied_out.as_ref().unwrap();
        contraction.copied_out = Some(some.lower_bound(DimKind::Out, 1, &Int::ONE));
        *contracted = contraction.apply(&last.scop).unwrap();
    });
    assert!(is_refuted(&fewer, "is lost"), "{fewer:?}");
    let copy = last.scop.statements.len();
    let other_cell = proof_of(&last, 2, |_, contracted| {
        let other = moduli(&last.scop, "a", &[3, 0]);
        let other = Contraction { copied_out: last.used_after[0].clone(), ..other };
        let wrong = other.apply(&last.scop).unwrap().statements[copy].body.clone();
        contracted.statements[copy].body = wrong;
    });
    assert!(is_refuted(&other_cell, "does not copy elements"), "{other_cell:?}");
    let too_early = proof_of(&last, 2, |_, contracted| {
        if let Node::Sequence(children) = &mut contracted.schedule.root {
            children.reverse();
        }
    });
    assert!(is_refuted(&too_early, "more than subscripts"), "{too_early:?}");
}

#[test]
fn values_from_before_stay_where_they_are() {
    let first = region("for (int i = 0; i < n; i++) a[0][i] = x[i];", LATER_STEPS, "");
    assert_eq!(proof_of(&first, 2, |_, _| ()), Proof::Proved);
    let too_few = proof_of(&first, 1, |_, _| ());
    assert!(is_refuted(&too_few, "no longer reads"), "{too_few:?}");
    // The first row that is read is not the one of its cell.
    let third = region("a[2][0] = 1;", &LATER_STEPS.replace("t = 1", "t = 3"), "");
    let moved = proof_of(&third, 2, |_, _| ());
    assert!(is_refuted(&moved, "from before the region"), "{moved:?}");
    assert_eq!(proof_of(&third, 3, |_, _| ()), Proof::Proved);
    // Its value would be overwritten.
    let again = region("a[0][0] = 1;", LATER_STEPS, "x[0] = a[0][0];");
    let overwritten = proof_of(&again, 2, |_, _| ());
    assert!(is_refuted(&overwritten, "changes a value"), "{overwritten:?}");
}
