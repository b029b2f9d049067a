//! Transformations of users of the library: what the proof refutes is left out.
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_presburger::{Budget, Result};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_transform::{Options, Subject, Transformation, apply_proved};
use loopwright_verify::check_schedule;

/// All loops run backwards.
struct Backwards;

impl Transformation for Backwards {
    fn name(&self) -> &str {
        "backwards"
    }

    fn apply(&self, subject: Subject<'_>, _: &Budget) -> Result<ScheduleTree> {
        let mut turn = |node: Node| -> Result<Node> {
            let Node::Band(mut band, child) = node else { return Ok(node) };
            band.schedule = band.schedule.neg();
            Ok(Node::Band(band, child))
        };
        let root = subject.tree.root.clone().map_bottom_up(&mut turn)?;
        Ok(ScheduleTree { domain: subject.tree.domain.clone(), root })
    }
}

fn applied(body: &str) -> (Vec<String>, Vec<String>) {
    let text = format!(
        "void f(int n, double a[restrict n], double b[restrict n])\n{{\n#pragma scop\n  \
         for (int i = 1; i < n; i++) {body}\n#pragma endscop\n}}\n"
    );
    let mut regions = SourceFile::from_text("f.c", &text).extract().unwrap();
    let scop = regions.remove(0).scop;
    let budget = Budget::unlimited();
    let dependences = Dependences::of_scop(&scop, &budget).unwrap();
    let subject = Subject { tree: &scop.schedule, scop: &scop, dependences: &dependences };
    let is_right =
        |tree: &ScheduleTree| Ok(check_schedule(&scop, &dependences, tree, &budget)?.is_proved());
    let all: [&dyn Transformation; 2] = [&Backwards, &Options::default()];
    let found = apply_proved(&all, subject, is_right, &budget).unwrap();
    (found.applied, found.refused)
}

#[test]
fn the_proof_decides_what_is_applied() {
    let (done, refused) = applied("a[i] = b[i];");
    assert_eq!((done.len(), refused.len()), (2, 0));
    let (done, refused) = applied("a[i] += a[i - 1];");
    assert_eq!((done, refused), (vec!["optimise".to_string()], vec!["backwards".to_string()]));
}
