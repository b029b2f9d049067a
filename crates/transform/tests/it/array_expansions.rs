//! Copies of arrays: those that are made are proved, wrong ones and other changes are refuted.
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Aff, Budget, DimKind, Int, PwAff};
use loopwright_schedule::Node;
use loopwright_scop::{Expansion, Scop};
use loopwright_transform::expansion::{ExpandedArrays, expand_arrays};
use loopwright_verify::{ProgramWithCopies, Proof, check_array_expansions};

fn model(body: &str, after: &str) -> Scop {
    let text = format!(
        "double f(int n, int m, double x[n][n], double y[n][n]) {{ double t[n], s;\n#pragma scop\n{body}\n#pragma endscop\n{after} return 0; }}"
    );
    SourceFile::from_text("f.c", &text).extract().unwrap().remove(0).scop
}

fn expanded(scop: &Scop) -> ExpandedArrays {
    let budget = Budget::unlimited();
    let dependences = Dependences::of_scop(scop, &budget).unwrap();
    expand_arrays(scop, &dependences, &Default::default(), &budget).unwrap()
}

/// What is proved about the copies of a program, after a change.
fn proof(original: &Scop, change: impl Fn(&mut Scop, &mut Vec<Expansion>)) -> Proof {
    let budget = Budget::unlimited();
    let ExpandedArrays { mut scop, mut expansions, .. } = expanded(original);
    assert!(!expansions.is_empty());
    change(&mut scop, &mut expansions);
    let program = ProgramWithCopies {
        original,
        dependences: &Dependences::of_scop(original, &budget).unwrap(),
        expanded: &scop,
        expanded_dependences: &Dependences::of_scop(&scop, &budget).unwrap(),
        expansions: &expansions,
    };
    check_array_expansions(program, &budget).unwrap()
}

#[track_caller]
fn is_refuted(proof: &Proof, because: &str) {
    let Proof::Refuted(violations) = proof else { panic!("{proof:?}") };
    assert!(violations.iter().any(|v| v.message.contains(because)), "{violations:?}");
}

const ROWS: &str = "for (int i = 1; i < n; i++) { for (int j = 0; j < n; j++) t[j] = x[i][j];\n\
    for (int j = 0; j < n; j++) y[i][j] = t[j] + t[n - 1 - j]; }";

#[test]
fn a_row_per_iteration_is_proved() {
    let scop = model(ROWS, "");
    let ExpandedArrays { scop: copies, expansions, .. } = expanded(&scop);
    assert_eq!(expansions.len(), 1);
    assert_eq!(expansions[0].n_loops, 1);
    let array = copies.array(expansions[0].array);
    assert_eq!(array.declaration("z").as_deref(), Some("double z[(n - 1)][n]"));
    assert_eq!(copies.statements.len(), scop.statements.len());
    assert_eq!(proof(&scop, |_, _| ()), Proof::Proved);
}

#[test]
fn last_values_are_copied_back() {
    let scop = model(ROWS, "return t[3];");
    let copies = expanded(&scop);
    assert_eq!(copies.scop.statements.len(), scop.statements.len() + 1);
    assert_eq!(proof(&scop, |_, _| ()), Proof::Proved);
    let copy = scop.statements.len();
    is_refuted(
        &proof(&scop, |copies, _| drop(copies.statements.pop())),
        "more than the accesses of arrays",
    );
    // The first iteration in place of the last one.
    let earlier = proof(&scop, |copies, _| {
        let statement = &mut copies.statements[copy];
        statement.domain = statement.domain.fix(DimKind::Out, 0, &Int::ZERO);
        for access in &mut statement.accesses {
            access.relation = access.relation.intersect_domain(&statement.domain).unwrap();
        }
    });
    assert!(matches!(earlier, Proof::Refuted(_)), "{earlier:?}");
    let first = proof(&scop, |copies, _| {
        if let Node::Sequence(children) = &mut copies.schedule.root {
            children.reverse();
        }
    });
    is_refuted(&first, "more than the accesses of arrays");
    let other = proof(&scop, |copies, _| {
        let read = &mut copies.statements[copy].accesses[1];
        read.relation = read.relation.fix(DimKind::Out, 0, &Int::ZERO);
    });
    is_refuted(&other, "does not copy");
}

#[test]
fn scalars_and_several_loops() {
    let body =
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { s = x[i][j]; y[j][i] = s * s; }";
    let scop = model(body, "");
    let ExpandedArrays { expansions, scop: copies, .. } = expanded(&scop);
    assert_eq!(expansions[0].n_loops, 2);
    let declared = copies.array(expansions[0].array).declaration("z");
    assert_eq!(declared.as_deref(), Some("double z[n][m]"));
    assert_eq!(proof(&scop, |_, _| ()), Proof::Proved);
    assert_eq!(proof(&model(body, "return s;"), |_, _| ()), Proof::Proved);
}

#[test]
fn values_that_cross_loops_have_no_copies() {
    let carried = "for (int i = 1; i < n; i++) { for (int j = 0; j < n; j++) y[i][j] = t[j];\n\
        for (int j = 0; j < n; j++) t[j] = x[i][j]; }";
    let kept = expanded(&model(carried, "")).kept;
    assert!(kept.iter().any(|k| k.contains("values from before the region are read")), "{kept:?}");
    let crossing = format!("for (int j = 0; j < n; j++) t[j] = 0; {carried}");
    let kept = expanded(&model(&crossing, "")).kept;
    assert!(kept.iter().any(|k| k.contains("a value crosses every loop")), "{kept:?}");
}

#[test]
fn wrong_copies_are_refuted() {
    let scop = model(ROWS, "");
    // A statement that reads the copy of the iteration before.
    let other = proof(&scop, |copies, expansions| {
        let array = expansions[0].array;
        let reader = copies.statements.iter_mut().rfind(|s| !s.is_kill).unwrap();
        reader.body.for_each_element_mut(&mut |element| {
            if element.array == array {
                let earlier = |aff: &Aff| aff.add_constant(&Int::from(-1));
                element.subscripts[0] =
                    PwAff::from_aff(earlier(&element.subscripts[0].as_aff().unwrap()));
            }
        });
    });
    is_refuted(&other, "is not the statement that it was");
    let fewer = proof(&scop, |copies, expansions| {
        let array = copies.arrays.get_mut(expansions[0].array.0 as usize).unwrap();
        let extent = array.extents[0].as_ref().unwrap().as_aff().unwrap();
        array.extents[0] = Some(PwAff::from_aff(extent.add_constant(&Int::from(-1))));
    });
    is_refuted(&fewer, "does not exist");
    let shared = proof(&scop, |copies, expansions| {
        let array = expansions[0].array;
        for statement in copies.statements.iter_mut().filter(|s| !s.is_kill) {
            for access in statement.accesses.iter_mut().filter(|access| access.array == array) {
                access.relation = access.relation.fix(DimKind::Out, 0, &Int::ZERO);
            }
        }
    });
    assert!(matches!(shared, Proof::Refuted(_)), "{shared:?}");
    let other_type = proof(&scop, |copies, expansions| {
        copies.arrays[expansions[0].array.0 as usize].element_type = "float".into();
    });
    is_refuted(&other_type, "has no copies");
}
