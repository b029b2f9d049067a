//! Programs with scans: chunks of loops that carry one value are proved, and whatever is wrong with them is
//! refuted.
use crate::support::budget;
use crate::support::planted::{
    assert_refuted, restrict, rewrite, scop_of, statement_named, use_domains,
};
use loopwright_dataflow::Dependences;
use loopwright_device::{ScanSelection, with_scans};
use loopwright_machine::Device;
use loopwright_presburger::Map;
use loopwright_scop::{Scop, Statement};
use loopwright_verify::{
    ProgramWithScans, Proof, check_parallel_loops, check_scans, check_schedule,
};
use std::collections::BTreeSet;

const SUMS: &str = "double f(int n, double a[n], double b[n]) {\n  double s;\n#pragma scop\n  s = 1.0;\n  \
    for (int i = 0; i < n; i++) {\n    s += a[i];\n    b[i] = s;\n  }\n#pragma endscop\n  return s;\n}\n";

const IN_FRONT: &str = "void f(int n, double a[n], double b[n], double s) {\n#pragma scop\n  \
    for (int i = 0; i < n; i++) {\n    b[i] = s * s;\n    s += a[i];\n  }\n#pragma endscop\n}\n";

const RECURRENCE: &str = "void f(int n, double a[n], double b[n]) {\n#pragma scop\n  b[0] = a[0];\n  \
    for (int i = 1; i < n; i++)\n    b[i] = a[i] + b[i - 1];\n#pragma endscop\n}\n";

const LARGEST: &str = "double f(int n, double a[n], double b[n]) {\n  double s;\n#pragma scop\n  s = a[0];\n  \
    for (int i = 1; i < n; i++) {\n    if (a[i] > s)\n      s = a[i];\n    b[i] = s;\n  }\n#pragma endscop\n  return s;\n}\n";

struct Scanned {
    original: Scop,
    dependences: Dependences,
    selection: ScanSelection,
}

fn found(text: &str) -> Option<Scanned> {
    let original = scop_of(text);
    let dependences = Dependences::of_scop(&original, &budget()).unwrap();
    let (device, taken) = (Device::generic(), BTreeSet::new());
    let program = (&original, &dependences);
    let selection = with_scans(&original.schedule, program, &device, &taken, &budget()).unwrap()?;
    Some(Scanned { original, dependences, selection })
}

impl Scanned {
    fn new(text: &str) -> Scanned {
        found(text).expect("a scan")
    }

    fn check(&self) -> Vec<Proof> {
        let ScanSelection { tree, scop: scanned, scans, .. } = &self.selection;
        let own = &Dependences::of_scop(scanned, &budget()).unwrap();
        let (original, dependences) = (&self.original, &self.dependences);
        let program = ProgramWithScans { original, dependences, scanned, own, scans };
        vec![
            check_scans(program, &budget()).unwrap(),
            check_schedule(scanned, own, tree, &budget()).unwrap(),
            check_parallel_loops(scanned, own, tree, &budget()).unwrap(),
        ]
    }

    fn refuted(&self, reason: &str) {
        assert_refuted(self.check(), reason);
    }

    fn statement(&mut self, name: &str) -> &mut Statement {
        statement_named(&mut self.selection.scop, name)
    }

    /// Leaves only some instances of a statement.
    fn restrict(&mut self, name: &str, set: &str) {
        restrict(self.statement(name), set);
        let ScanSelection { scop, tree, .. } = &mut self.selection;
        use_domains(scop, tree);
    }

    /// The body with its elements and other text between them.
    fn rewrite(&mut self, name: &str, texts: &[&str]) {
        rewrite(self.statement(name), texts);
    }
}

#[test]
fn prefixes_are_proved() {
    for text in [SUMS, IN_FRONT, RECURRENCE, LARGEST] {
        let scanned = Scanned::new(text);
        for proof in scanned.check() {
            assert!(proof.is_proved(), "{proof:?}\n{}", scanned.selection.tree);
        }
    }
}

#[test]
fn what_is_no_scan_stays() {
    // Another operator in each second iteration, a value that is not used, two carried values, a distance of
    // two.
    for body in [
        "s += a[i]; s *= a[i]; b[i] = s;",
        "s += a[i];",
        "s = a[i] - s; b[i] = s;",
        "s += a[i] * s; b[i] = s;",
    ] {
        let text = format!(
            "double f(int n, double a[n], double b[n]) {{\n  double s = 0;\n#pragma scop\n  for (int i = 0; i < n; i++) {{ {body} }}\n#pragma endscop\n  return s;\n}}\n"
        );
        assert!(found(&text).is_none(), "{body}");
    }
    let text = RECURRENCE.replace("a[i] + b[i - 1]", "a[i] + b[i - 1] + b[i]");
    assert!(found(&text).is_none());
}

#[test]
fn chunks_that_are_left_out_are_refuted() {
    let mut scanned = Scanned::new(SUMS);
    scanned.restrict("s_add", "{ s_add[c] : c > 1 }");
    scanned.refuted("other updates");
    let mut scanned = Scanned::new(SUMS);
    scanned.restrict("s_before", "{ s_before[c] : c > 1 }");
    scanned.refuted("no value of the scan");
    let mut scanned = Scanned::new(SUMS);
    scanned.restrict("s_start", "{ s_start[c] : c > 0 }");
    scanned.refuted("no value of the scan");
    let mut scanned = Scanned::new(SUMS);
    scanned.restrict("S1_again", "{ S1_again[i] : i mod 256 < 255 }");
    scanned.refuted("S1_again neither copies nor combines");
    let mut scanned = Scanned::new(RECURRENCE);
    scanned.restrict("S1_store", "{ S1_store[i] : i > 5 }");
    scanned.refuted("the last value of `b` is another one");
}

#[test]
fn other_operators_and_beginnings_are_refuted() {
    let mut scanned = Scanned::new(SUMS);
    scanned.rewrite("s_start", &[" = 1"]);
    scanned.refuted("s_start does not do what is combined");
    let mut scanned = Scanned::new(SUMS);
    scanned.rewrite("s_add", &[" *= "]);
    scanned.refuted("s_add does not do what is combined");
}

#[test]
fn values_of_other_chunks_are_refuted() {
    // What is added is the total of the chunk itself.
    let mut scanned = Scanned::new(SUMS);
    let statement = scanned.statement("s_add");
    let own = statement.domain.space().clone();
    let here = Map::parse("{ s_add[c] -> s_totals[c] }").unwrap();
    let last = statement.accesses.len() - 1;
    statement.accesses[last].relation = here.intersect_domain(&statement.domain).unwrap();
    let form = loopwright_presburger::PwAff::from_aff(loopwright_presburger::Aff::variable(
        &own,
        loopwright_presburger::DimKind::Out,
        0,
    ));
    let totals = statement.accesses[last].array;
    statement.body.for_each_element_mut(&mut |element| {
        if element.array == totals {
            element.subscripts = vec![form.clone()];
        }
    });
    scanned.refuted("s_add ");
    // What is claimed is something else.
    let mut scanned = Scanned::new(SUMS);
    let update = scanned.selection.scans[0].update;
    let holds = scanned.selection.scans[0].holds[&update].clone();
    let more = Map::identity(&holds.space().domain());
    scanned.selection.scans[0].holds.insert(update, holds.subtract(&more, &budget()).unwrap());
    scanned.refuted("holds other updates than those that are claimed");
}
