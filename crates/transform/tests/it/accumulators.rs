//! Elements in place of local accumulators: where reads find their values that is proved, elsewhere and after
//! other changes it is refuted.
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, DimKind, Int};
use loopwright_scop::Scop;
use loopwright_transform::accumulators::without_accumulators;
use loopwright_verify::{ProgramWithoutAccumulators, Proof, check_accumulators};

fn model(body: &str) -> Scop {
    let text = format!(
        "void f(int n, int m, double C[restrict n][m], double A[restrict n][m], double x[restrict m], double y[restrict n], double z[restrict n]) {{\n#pragma scop\n{body}\n#pragma endscop\n}}"
    );
    SourceFile::from_text("f.c", &text).extract().unwrap().remove(0).scop
}

/// The program with elements in place of its accumulators.
fn with_elements(original: &Scop, dependences: &Dependences) -> Option<Scop> {
    let found = without_accumulators(original, dependences, &Budget::unlimited()).unwrap()?;
    Some(found.scop)
}

/// What is proved about a program with elements in place of its accumulators, and then changed.
fn proof(original: &Scop, change: impl Fn(&mut Scop)) -> Option<Proof> {
    let budget = Budget::unlimited();
    let dependences = Dependences::of_scop(original, &budget).unwrap();
    let mut changed = with_elements(original, &dependences)?;
    change(&mut changed);
    let own = Dependences::of_scop(&changed, &budget).unwrap();
    let program = ProgramWithoutAccumulators {
        original,
        dependences: &dependences,
        changed: &changed,
        own: &own,
    };
    Some(check_accumulators(program, &budget).unwrap())
}

const ROWS: &str = "for (int i = 0; i < n; i++) { double s = 0;\n\
    for (int j = 0; j < m; j++) s += A[i][j] * x[j];\n\
    y[i] = s; }";

#[test]
fn elements_have_the_values_of_accumulators() {
    for body in [
        ROWS,
        &ROWS.replace("y[i] = s;", "y[i] = 2 * s;"),
        &ROWS.replace("y[i] = s;", "y[i] = s; z[i] = s + 1;"),
        "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { double s = 1;\n\
           for (int l = 0; l < m; l++) s += A[i][l] * x[l];\n\
           C[i][j] = s; }",
    ] {
        assert_eq!(proof(&model(body), |_| ()), Some(Proof::Proved), "{body}");
    }
}

#[test]
fn what_reads_the_element_meanwhile_is_refuted() {
    for body in [
        // Its value from before.
        ROWS.replace("y[i] = s;", "z[i] = y[i]; y[i] = s;"),
        // Elements that the program does not access.
        ROWS.replace("y[i] = s;", "if (i < 5) y[i] = s;"),
        // An element of another iteration, which has been overwritten.
        ROWS.replace("y[i] = s;", "z[i] = i > 0 ? y[n - 1] : 0; y[i] = s;"),
    ] {
        let found = proof(&model(&body), |_| ());
        assert!(matches!(found, Some(Proof::Refuted(_))), "{body}: {found:?}");
    }
}

/// What makes another program of one.
type Change<'c> = &'c dyn Fn(&mut Scop);

#[test]
fn other_changes_are_refuted() {
    let rows = model(ROWS);
    let other = model(&ROWS.replace("+=", "-="));
    let dependences = Dependences::of_scop(&other, &Budget::unlimited()).unwrap();
    let other = with_elements(&other, &dependences).expect("it has an accumulator");
    let faults: [(&str, Change<'_>); 5] = [
        ("another body", &|scop| scop.statements[1].body = other.statements[1].body.clone()),
        ("fewer instances", &|scop| {
            let domain = &mut scop.statements[1].domain;
            *domain = domain.lower_bound(DimKind::Out, 1, &Int::from(1));
        }),
        ("an access of other elements", &|scop| {
            let access = &mut scop.statements[0].accesses[0];
            access.relation = access.relation.lower_bound(DimKind::In, 0, &Int::from(1));
        }),
        ("a statement is missing", &|scop| drop(scop.statements.pop())),
        ("another type", &|scop| {
            let array = scop.arrays.iter_mut().find(|array| &*array.name == "y");
            array.expect("it is there").element_type = "float".to_string();
        }),
    ];
    for (fault, change) in faults {
        let found = proof(&rows, change);
        assert!(matches!(found, Some(Proof::Refuted(_))), "{fault}: {found:?}");
    }
}

/// Without a loop in which it takes values, or an element of its type, a scalar stays one.
#[test]
fn other_scalars_stay() {
    for body in [
        "for (int i = 0; i < n; i++) { double s = x[0]; y[i] = s; }",
        &ROWS.replace("double s", "float s"),
        &ROWS.replace("y[i] = s;", "y[0] += s;"),
    ] {
        assert_eq!(proof(&model(body), |_| ()), None, "{body}");
    }
}
