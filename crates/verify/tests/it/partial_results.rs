//! Programs with partial results: what device kernels get is proved, and whatever is wrong with it is
//! refuted.
use crate::support::budget;
use crate::support::planted::{
    assert_refuted, restrict, rewrite, scop_of, statement_named, use_domains,
};
use loopwright_dataflow::{Dependences, reassociated};
use loopwright_device::{PartialSelection, with_barriers, with_partial_results};
use loopwright_machine::Device;
use loopwright_presburger::Int;
use loopwright_schedule::{BarrierMark, Node, ScheduleTree};
use loopwright_scop::{Promotion, Scop, Statement};
use loopwright_verify::{
    ProgramWithPartialResults, Proof, check_barriers, check_parallel_loops, check_partial_results,
    check_schedule,
};
use std::collections::BTreeSet;

const SUM: &str = "double f(int n, double a[n], double b[n]) {\n  double s;\n#pragma scop\n  s = 1.0;\n  \
    for (int i = 0; i < n; i++)\n    s += a[i] * b[i];\n#pragma endscop\n  return s;\n}\n";

const LARGEST: &str = "double f(int n, double a[n]) {\n  double s;\n#pragma scop\n  s = a[0];\n  \
    for (int i = 1; i < n; i++)\n    if (a[i] > s)\n      s = a[i];\n#pragma endscop\n  return s;\n}\n";

const ROWS: &str = "void f(int n, double A[n][n], double y[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) {\n    \
    y[i] = 0;\n    for (int j = 0; j < n; j++)\n      y[i] += A[i][j];\n  }\n#pragma endscop\n}\n";

/// The rows run in parallel: each takes a warp, whose lanes read each other's registers.
const TREE_OF_ROWS: &str = "{ domain: '[n] -> { S0[i] : 0 <= i < n; S1[i, j] : 0 <= i < n and 0 <= j < n }', \
    child: { schedule: '[{ S0[i] -> [i]; S1[i, j] -> [i] }]', coincident: [1], child: { sequence: [ \
    { filter: '{ S0[i] }' }, { filter: '{ S1[i, j] }', child: { schedule: '[{ S1[i, j] -> [j] }]' } } ] } } }";

/// The program whose own statements name elements of promoted arrays, as their accesses do.
fn with_elements(scop: &Scop, promotion: &Promotion, n_own: usize) -> Scop {
    let mut scop = scop.clone();
    for statement in scop.statements.iter_mut().take(n_own) {
        statement.body.for_each_element_mut(&mut |element| {
            let own = promotion.arrays.iter().find(|own| own.cells == element.array);
            element.array = own.map_or(element.array, |own| own.elements);
        });
    }
    scop
}

fn relaxed(scop: &Scop, in_order: &Dependences) -> Dependences {
    let found = reassociated(scop, in_order, &budget()).unwrap();
    found.unwrap_or_else(|| in_order.clone())
}

struct Partial {
    original: Scop,
    dependences: Dependences,
    selection: PartialSelection,
}

impl Partial {
    fn new(text: &str) -> Partial {
        Partial::of(text, None)
    }

    fn rows() -> Partial {
        Partial::of(ROWS, Some(ScheduleTree::parse(TREE_OF_ROWS).unwrap()))
    }

    fn of(text: &str, tree: Option<ScheduleTree>) -> Partial {
        let original = scop_of(text);
        let in_order = Dependences::of_scop(&original, &budget()).unwrap();
        let dependences = relaxed(&original, &in_order);
        let program = (&original, &dependences);
        let (device, taken) = (Device::generic(), BTreeSet::new());
        let tree = tree.as_ref().unwrap_or(&original.schedule);
        let device = (&device, true);
        let found = with_partial_results(tree, program, device, &taken, &budget()).unwrap();
        let mut selection = found.expect("updates that may run in any order");
        let own = Dependences::of_scop(&selection.scop, &budget()).unwrap();
        selection.tree = with_barriers(&selection.tree, &selection.scop, &own, &budget()).unwrap();
        assert!(!selection.promotion.arrays.is_empty());
        Partial { original, dependences, selection }
    }

    fn check(&self) -> Vec<Proof> {
        let PartialSelection { tree, scop, promotion, .. } = &self.selection;
        let in_order = Dependences::of_scop(scop, &budget()).unwrap();
        let n_own = self.original.statements.len();
        let own = relaxed(&with_elements(scop, promotion, n_own), &in_order);
        let (original, dependences) = (&self.original, &self.dependences);
        let program = ProgramWithPartialResults {
            original,
            dependences,
            partial: scop,
            own: &own,
            promotion,
        };
        vec![
            check_partial_results(program, tree, &budget()).unwrap(),
            check_schedule(scop, &in_order, tree, &budget()).unwrap(),
            check_parallel_loops(scop, &in_order, tree, &budget()).unwrap(),
            check_barriers(scop, &in_order, tree, &budget()).unwrap(),
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
        let PartialSelection { scop, tree, .. } = &mut self.selection;
        use_domains(scop, tree);
    }

    /// The body with its elements and other text between them.
    fn rewrite(&mut self, name: &str, texts: &[&str]) {
        rewrite(self.statement(name), texts);
    }
}

#[test]
fn sums_and_extrema_are_proved() {
    for partial in [Partial::new(SUM), Partial::new(LARGEST), Partial::rows()] {
        for proof in partial.check() {
            assert!(proof.is_proved(), "{proof:?}\n{}", partial.selection.tree);
        }
    }
}

#[test]
fn a_loop_that_ends_too_early_is_refuted() {
    let mut partial = Partial::new(SUM);
    partial.restrict("S1", "[n] -> { S1[i] : i < n - 1 }");
    partial.refuted("S1 is another statement");
}

#[test]
fn a_partial_result_that_is_left_out_is_refuted() {
    let mut partial = Partial::new(SUM);
    partial.restrict("s_combine", "{ s_combine[b, t] : t < 127 }");
    partial.refuted("is lost");
    let mut partial = Partial::new(SUM);
    partial.restrict("s_fetch", "{ s_fetch[b, t] : t > 0 }");
    partial.refuted("a partial result of S1 is lost");
}

#[test]
fn a_partial_result_without_beginning_is_refuted() {
    let mut partial = Partial::new(SUM);
    partial.restrict("s_start", "{ s_start[b, t] : t > 0 }");
    partial.refuted("has no value");
}

#[test]
fn another_neutral_element_or_operator_is_refuted() {
    let mut partial = Partial::new(SUM);
    partial.rewrite("s_start", &[" = 1"]);
    partial.refuted("s_start does not do what combines `s`");
    let mut partial = Partial::new(SUM);
    partial.rewrite("s_combine_3", &[" *= "]);
    partial.refuted("s_combine_3 does not do what combines `s`");
    let mut partial = Partial::new(SUM);
    partial.rewrite("s_end", &[" -= "]);
    partial.refuted("s_end neither copies nor combines");
}

#[test]
fn a_result_that_is_combined_twice_is_refuted() {
    // The second level combines what the first one has combined before, and its own again.
    let mut partial = Partial::new(SUM);
    let first = partial.statement("s_combine").accesses[2].relation.clone();
    let second = partial.statement("s_combine_2");
    let name = second.domain.space().clone();
    let renamed =
        first.space().with_tuples(name.output().cloned(), first.space().output().cloned());
    let wrong =
        first.with_space_tuples(&renamed).unwrap().intersect_domain(&second.domain).unwrap();
    second.accesses[2].relation = wrong;
    partial.refuted("combined twice");
}

#[test]
fn another_element_at_the_end_is_refuted() {
    let text = SUM
        .replace("double s;", "double s[2]; s[0] = s[1] = 0;")
        .replace("s = 1.0", "s[0] = 1.0")
        .replace("s +=", "s[0] +=")
        .replace("return s", "return s[0] + s[1]");
    let mut partial = Partial::new(&text);
    let end = partial.statement("s_end");
    let one = Int::ONE;
    for access in &mut end.accesses[..2] {
        let unbound = access.relation.project_out(loopwright_presburger::DimKind::Out, 0, 1);
        let unbound = unbound.insert_dims(loopwright_presburger::DimKind::Out, 0, 1);
        let moved = unbound.fix(loopwright_presburger::DimKind::Out, 0, &one);
        access.relation = moved.with_space_tuples(access.relation.space()).unwrap();
    }
    partial.refuted("s_end");
}

/// The tree with one barrier less, in the order of the tree.
fn without_barrier(node: &Node, left: &mut usize) -> Node {
    if let Node::Mark(name, child) = node
        && BarrierMark::parse(name).is_some()
    {
        *left = left.wrapping_sub(1);
        if *left == usize::MAX {
            return (**child).clone();
        }
    }
    let mut result = node.clone();
    for child in result.children_mut() {
        *child = without_barrier(&child.clone(), left);
    }
    result
}

#[test]
fn each_barrier_is_needed() {
    let partial = Partial::new(SUM);
    let mut n_barriers = 0;
    partial.selection.tree.root.for_each(&mut |node| {
        let is_barrier = matches!(node, Node::Mark(name, _) if BarrierMark::parse(name).is_some());
        n_barriers += usize::from(is_barrier);
    });
    // Eight levels of 256 threads in 64 blocks, and six of 64 blocks.
    assert_eq!(n_barriers, 14);
    let PartialSelection { tree, scop, .. } = &partial.selection;
    let in_order = Dependences::of_scop(scop, &budget()).unwrap();
    for number in 0..n_barriers {
        let mut left = number;
        let root = without_barrier(&tree.root, &mut left);
        let tree = ScheduleTree::new(tree.domain.clone(), root);
        let proof = check_barriers(scop, &in_order, &tree, &budget()).unwrap();
        assert!(matches!(proof, Proof::Refuted(_)), "barrier {number}: {proof:?}");
    }
}

#[test]
fn the_other_extremum_is_refuted() {
    let mut partial = Partial::new(LARGEST);
    // `s = other < s ? other : s`
    partial.rewrite("s_combine", &[" = ", " < ", " ? ", " : "]);
    partial.refuted("s_combine does not do what combines `s`");
}

/// All marks of the tree, rewritten.
fn with_marks(node: Node, change: &dyn Fn(&str) -> String) -> Node {
    let changed = node.map_bottom_up(&mut |node| {
        Ok::<Node, loopwright_presburger::Error>(match node {
            Node::Mark(name, child) => Node::mark(&change(&name), *child),
            other => other,
        })
    });
    changed.unwrap()
}

#[test]
fn lanes_that_do_not_come_to_a_shuffle_are_refuted() {
    let mut partial = Partial::rows();
    partial.restrict("y_shuffle_2", "{ y_shuffle_2[i, b, t] : t mod 32 < 16 }");
    partial.refuted("not all lanes of a warp execute y_shuffle_2");
}

#[test]
fn registers_of_other_lanes_are_read_by_shuffles_alone() {
    let with = |from: &str, to: &str| {
        let mut partial = Partial::rows();
        let root = partial.selection.tree.root.clone();
        partial.selection.tree.root = with_marks(root, &|mark| mark.replace(from, to));
        partial
    };
    // Of another lane than the mark says.
    let other = "an element of `y_own` is in different cells, blocks or threads";
    with("shuffle(4)", "shuffle(8)").refuted(other);
    // By a statement that is none.
    with("shuffle(", "other(").refuted(other);
    // Along an axis whose threads are no lanes.
    let axis = "a shuffle does not stand directly in a loop over threads along the x axis";
    with("thread(x)", "thread(z)").refuted(axis);
    with("registers(y_own)", "shared(y_own)").refuted("a shuffle copies no register");
}

#[test]
fn a_step_of_shuffles_that_is_left_out_is_refuted() {
    let mut partial = Partial::rows();
    partial.restrict("y_combine_3", "{ y_combine_3[i, b, t] : t mod 32 > 3 }");
    partial.refuted("a partial result of S1 is lost");
}
