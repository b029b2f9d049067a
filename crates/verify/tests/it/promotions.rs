//! Values in memory of blocks and threads: what kernels get is proved, and whatever is wrong with it is
//! refuted.
use crate::support::budget;
use crate::support::planted::{assert_refuted, restrict, scop_of, statement_named, use_domains};
use loopwright_dataflow::Dependences;
use loopwright_device::{
    KernelMemory, Launches, MatrixShapes, MemoryLevel, PromotedSelection, ThreadResults,
    TileCopies, with_promoted_kernels,
};
use loopwright_machine::Device;
use loopwright_presburger::{Int, Map, MultiUnionPwAff, PwAff, Set, Space, Tuple, UnionSet};
use loopwright_schedule::{
    Band, BarrierMark, LoopMark, MatrixMark, MemorySpace, Node, ScheduleTree,
};
use loopwright_scop::{
    AccessKind, ArithmeticOperator, AssignmentOperator, Body, Element, Scop, Statement, Term,
    TermKind,
};
use loopwright_verify::{
    MatrixRules, PromotedProgram, Proof, check_barriers, check_kernels, check_matrix_products,
    check_parallel_loops, check_promotion, check_schedule,
};
use std::collections::BTreeSet;

const PRODUCT: &str = "void f(int n, int m, int o, double x, double y, double c[n][m], double a[n][o], double b[o][m]) {\n\
    #pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++) {\n      c[i][j] *= y;\n      \
    for (int k = 0; k < o; k++)\n        c[i][j] += x * a[i][k] * b[k][j];\n    }\n#pragma endscop\n}\n";

/// The sum ends at the diagonal, so that whole tiles would sum too much.
const TRIANGLE: &str = "void f(int n, int m, double c[n][m], double a[n][n], double b[n][m]) {\n\
    #pragma scop\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      \
    for (int k = 0; k < i; k++)\n        c[i][j] += a[i][k] * b[k][j];\n#pragma endscop\n}\n";

/// The program's own order with its two outer loops marked as independent, which they are.
fn tree(scop: &Scop) -> ScheduleTree {
    let sum = scop.statements.last().unwrap().name.clone();
    let domains = scop.statements.iter().map(|s| s.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), domains);
    let text = match scop.statements.len() {
        1 => format!(
            "{{ domain: '{domain}', child: {{ schedule: '[{{ {sum}[i,j,k] -> [(i)] }}, {{ {sum}[i,j,k] -> [(j)] }}]', \
             permutable: 1, coincident: [1, 1], child: {{ schedule: '[{{ {sum}[i,j,k] -> [(k)] }}]' }} }} }}"
        ),
        _ => format!(
            "{{ domain: '{domain}', child: {{ schedule: '[{{ S0[i,j] -> [(i)]; {sum}[i,j,k] -> [(i)] }}, \
             {{ S0[i,j] -> [(j)]; {sum}[i,j,k] -> [(j)] }}]', permutable: 1, coincident: [1, 1], child: {{ sequence: [ \
             {{ filter: '{{ S0[i,j] }}' }}, {{ filter: '{{ {sum}[i,j,k] }}', child: {{ schedule: '[{{ {sum}[i,j,k] -> [(k)] }}]' }} }} \
             ] }} }} }}"
        ),
    };
    ScheduleTree::parse(&text).unwrap()
}

pub(crate) struct Promoted {
    original: Scop,
    dependences: Dependences,
    pub(crate) selection: PromotedSelection,
}

impl Promoted {
    fn new(text: &str, level: MemoryLevel) -> Promoted {
        Promoted::with(text, level, TileCopies::OneBuffer)
    }

    fn with(text: &str, level: MemoryLevel, copies: TileCopies) -> Promoted {
        Promoted::in_memory(text, Promoted::memory(level, copies))
    }

    /// What kernels may have, but for products of matrices.
    pub(crate) fn memory(level: MemoryLevel, copies: TileCopies) -> KernelMemory {
        let results = ThreadResults::Four;
        let matrices = MatrixShapes::NONE;
        KernelMemory { level, copies, results, streams: true, matrices, vectors: false }
    }

    fn with_vectors(text: &str, copies: TileCopies) -> Promoted {
        let memory = Promoted::memory(MemoryLevel::Shared, copies);
        Promoted::in_memory(text, KernelMemory { vectors: true, ..memory })
    }

    fn with_matrices(copies: TileCopies) -> Promoted {
        Promoted::of_matrices(PRODUCT, copies)
    }

    fn with_rounded_matrices(copies: TileCopies) -> Promoted {
        Promoted::of_matrices(&PRODUCT.replace("double", "float"), copies)
    }

    fn of_matrices(text: &str, copies: TileCopies) -> Promoted {
        let matrices =
            MatrixShapes { double: Some(MatrixMark::SMALL), float: Some(MatrixMark::LARGE) };
        let memory = Promoted::memory(MemoryLevel::Shared, copies);
        Promoted::in_memory(text, KernelMemory { matrices, ..memory })
    }

    fn in_memory(text: &str, memory: KernelMemory) -> Promoted {
        let original = scop_of(text);
        Promoted::of(original, tree, memory)
    }

    /// The program with values in memory that its kernels have for a tree.
    pub(crate) fn of(
        original: Scop,
        tree: impl Fn(&Scop) -> ScheduleTree,
        memory: KernelMemory,
    ) -> Promoted {
        let dependences = Dependences::of_scop(&original, &budget()).unwrap();
        let program = (&original, &dependences);
        let tree = tree(&original);
        let memory = (&Device::generic(), memory, Launches::Each);
        let found = with_promoted_kernels(&tree, program, memory, &BTreeSet::new(), &budget());
        let selection = found.unwrap().expect("something to promote");
        Promoted { original, dependences, selection }
    }

    fn check_matrices(&self, in_any_order: bool) -> Proof {
        self.check_rules(MatrixRules { in_any_order, rounded_factors: true })
    }

    fn check_rules(&self, rules: MatrixRules) -> Proof {
        let PromotedSelection { selection, scop, .. } = &self.selection;
        check_matrix_products(scop, &selection.tree, rules, &budget()).unwrap()
    }

    /// All proofs about it.
    pub(crate) fn check(&self) -> Vec<Proof> {
        let PromotedSelection { selection, scop, promotion, .. } = &self.selection;
        let own = Dependences::of_scop(scop, &budget()).unwrap();
        let (original, dependences) = (&self.original, &self.dependences);
        let program =
            PromotedProgram { original, dependences, promoted: scop, own: &own, promotion };
        vec![
            check_promotion(program, &selection.tree, &budget()).unwrap(),
            check_schedule(scop, &own, &selection.tree, &budget()).unwrap(),
            check_parallel_loops(scop, &own, &selection.tree, &budget()).unwrap(),
            check_barriers(scop, &own, &selection.tree, &budget()).unwrap(),
        ]
    }

    pub(crate) fn refuted(&self, reason: &str) {
        assert_refuted(self.check(), reason);
    }

    pub(crate) fn statement(&mut self, name: &str) -> &mut Statement {
        statement_named(&mut self.selection.scop, name)
    }

    /// Leaves only some instances of a statement.
    pub(crate) fn restrict(&mut self, name: &str, set: &str) {
        restrict(self.statement(name), set);
        self.use_domains();
    }

    /// The trees run the instances that statements have.
    pub(crate) fn use_domains(&mut self) {
        let PromotedSelection { selection, scop, .. } = &mut self.selection;
        use_domains(scop, &mut selection.tree);
    }

    /// Takes all barriers away: how many there were.
    pub(crate) fn without_barriers(&mut self) -> usize {
        let mut n_barriers = 0;
        self.change_tree(|node| match node {
            Node::Mark(name, child) if BarrierMark::parse(&name).is_some() => {
                n_barriers += 1;
                *child
            }
            other => other,
        });
        n_barriers
    }

    pub(crate) fn change_tree(&mut self, mut change: impl FnMut(Node) -> Node) {
        let tree = &mut self.selection.selection.tree;
        let root = tree.root.take();
        tree.root = root.map_bottom_up(&mut |node| Ok::<Node, ()>(change(node))).unwrap();
    }
}

#[test]
fn promoted_kernels_are_proved() {
    for text in [PRODUCT, TRIANGLE] {
        for level in [MemoryLevel::Registers, MemoryLevel::Shared] {
            let promoted = Promoted::new(text, level);
            let proofs = promoted.check();
            let tree = &promoted.selection.selection.tree;
            assert!(proofs.iter().all(Proof::is_proved), "{level:?}: {proofs:?}\n{tree}");
        }
    }
}

#[test]
fn sums_that_end_in_a_tile_are_not_padded() {
    let whole = |text| {
        let promoted = Promoted::new(text, MemoryLevel::Shared);
        let statements = promoted.original.statements.iter();
        statements
            .zip(&promoted.selection.scop.statements)
            .any(|(before, after)| !after.domain.is_subset(&before.domain, &budget()).unwrap())
    };
    assert!(whole(PRODUCT));
    assert!(!whole(TRIANGLE));
}

#[test]
fn one_element_less_is_refuted() {
    for (statement, set, reason) in [
        ("c_load", "[n, m, o] -> { c_load[i, j] : i > 0 }", "that nobody has written"),
        (
            "c_store",
            "[n, m, o] -> { c_store[i, j] : j > 0 }",
            "the last value of `c` is another one",
        ),
        ("a_fill", "[n, m, o] -> { a_fill[i, j, k] : k > 0 }", "that nobody has filled"),
        ("b_fill", "[n, m, o] -> { b_fill[i, j, k] : j > 0 }", "that nobody has filled"),
    ] {
        let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Shared);
        promoted.restrict(statement, set);
        promoted.refuted(reason);
    }
}

/// Threads of the sum are those next to the threads that have the results.
#[test]
fn other_threads_are_refuted() {
    let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Shared);
    promoted.change_tree(|node| match node {
        Node::Mark(name, child)
            if LoopMark::parse(&name).is_some_and(|m| m.to_string() == "thread(x)") =>
        {
            let Node::Band(mut band, below) = *child else { panic!("a mark without band") };
            let is_sum = band.schedule.to_string().contains("S1[");
            if is_sum && !band.schedule.to_string().contains("S0[") {
                let members = band.schedule.members().iter();
                let shifted = members.map(|member| {
                    let parts = member.parts().iter().map(|part| {
                        let aff = part.as_aff().unwrap().add_constant(&Int::ONE);
                        loopwright_presburger::Piecewise::everywhere(aff)
                    });
                    loopwright_presburger::UnionPwAff::from_parts(parts.collect())
                });
                band = band.clone().with_members(shifted.collect());
            }
            Node::Mark(name, Box::new(Node::Band(band, below)))
        }
        other => other,
    });
    promoted.refuted("an element of `c_result` is in different cells, blocks or threads");
}

#[test]
fn missing_barriers_are_refuted() {
    for dropped in 0..2 {
        let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Shared);
        let mut n_barriers = 0;
        promoted.change_tree(|node| match node {
            Node::Mark(name, child) if BarrierMark::parse(&name).is_some() => {
                n_barriers += 1;
                match n_barriers - 1 == dropped {
                    true => *child,
                    false => Node::Mark(name, child),
                }
            }
            other => other,
        });
        assert_eq!(n_barriers, 2);
        promoted.refuted("barrier");
    }
}

/// The text reads the tile of the other operand, as if two buffers were swapped.
#[test]
fn swapped_tiles_are_refuted() {
    let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Shared);
    let arrays = promoted.selection.promotion.arrays.clone();
    let cells: Vec<_> = arrays.iter().filter(|a| a.space == MemorySpace::Shared).collect();
    let [first, second] = cells[..] else { panic!("two tiles") };
    let names: Vec<_> =
        [first, second].map(|a| promoted.selection.scop.array(a.cells).name.clone()).to_vec();
    promoted.statement("S1").body.for_each_element_mut(&mut |element| {
        let other = match element.array {
            id if id == first.cells => (second.cells, &names[1]),
            id if id == second.cells => (first.cells, &names[0]),
            _ => return,
        };
        *element = Element::new(&**other.1, other.0, element.subscripts.clone());
    });
    promoted.refuted("that b_fill fills with something else");
    promoted.refuted("elements of `a_tile` share a cell");
}

/// A tile is filled with the elements next to those that it stands for.
#[test]
fn other_elements_are_refuted() {
    let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Shared);
    promoted.restrict("a_fill", "[n, m, o] -> { a_fill[i, j, k] : k < o - 1 }");
    let next = Map::parse("{ a[i, k] -> a[i, k + 1] }").unwrap();
    let fill = promoted.statement("a_fill");
    let mut array = None;
    for access in fill.accesses.iter_mut().filter(|a| a.kind == AccessKind::Read) {
        if access.relation.to_string().contains("-> a[") {
            access.relation = access.relation.apply_range(&next).unwrap();
            array = Some(access.array);
        }
    }
    fill.body.for_each_element_mut(&mut |element| {
        if Some(element.array) == array {
            let last = element.subscripts[1].as_aff().unwrap().add_constant(&Int::ONE);
            element.subscripts[1] = PwAff::from_aff(last);
        }
    });
    promoted.refuted("that a_fill fills with something else");
}

/// What is stored in place of a padded product has to be the program's.
#[test]
fn other_operands_are_refuted() {
    let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Shared);
    let own = promoted.original.statements[1].body.clone();
    promoted.statement("S1").body = own;
    promoted.refuted("S1 is another statement");
}

/// Results of all blocks in one place.
#[test]
fn arrays_are_declared_inside_of_blocks() {
    let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Registers);
    promoted.change_tree(|node| match node {
        Node::Mark(name, child) if &*name == "registers(c_result)" => *child,
        Node::Mark(name, child) if name.starts_with("kernel(") => {
            Node::Mark(name, Box::new(Node::mark("registers(c_result)", *child)))
        }
        other => other,
    });
    promoted.refuted("the mark `registers(c_result)` does not stand in a kernel");
}

/// A quotient may not be computed from cells that nobody has filled.
#[test]
fn padded_divisions_are_refuted() {
    let mut promoted = Promoted::new(PRODUCT, MemoryLevel::Shared);
    let quotient = |scop: &mut Scop| {
        let value = scop.statements[0].body.plain_assignment().unwrap().value.clone();
        let target = Term::element(scop.statements[0].body.elements()[0].clone());
        let by = AssignmentOperator::Update(ArithmeticOperator::Divide);
        let divided = Term::new(TermKind::Assignment(by), vec![target, value], &["", " /= ", ""]);
        assert_eq!(divided.kind(), &TermKind::Assignment(by));
        scop.statements[0].body = Body::new(divided);
    };
    quotient(&mut promoted.original);
    quotient(&mut promoted.selection.scop);
    promoted.refuted("S0 has instances that do harm");
}

const AHEAD: [TileCopies; 2] = [TileCopies::TwoBuffers, TileCopies::Asynchronous];

#[test]
fn copies_ahead_of_sums_are_proved() {
    for text in [PRODUCT, TRIANGLE] {
        for copies in AHEAD {
            let promoted = Promoted::with(text, MemoryLevel::Shared, copies);
            let proofs = promoted.check();
            let tree = &promoted.selection.selection.tree;
            assert!(proofs.iter().all(Proof::is_proved), "{copies:?}: {proofs:?}\n{tree}");
            let is_marked = tree.to_string().contains("asynchronous");
            assert_eq!(is_marked, copies == TileCopies::Asynchronous, "{tree}");
        }
    }
}

/// Where rows are whole: the tree says which loops of copies are accesses of 16 bytes.
#[test]
fn copies_of_vectors_are_proved() {
    let text = "void f(double c[64][64], double a[64][64], double b[64][64]) {\n\
        #pragma scop\n  for (int i = 0; i < 64; i++)\n    for (int j = 0; j < 64; j++)\n      \
        for (int k = 0; k < 64; k++)\n        c[i][j] += 2.0 * a[i][k] * b[k][j];\n#pragma endscop\n}\n";
    for (copies, n_vectors) in
        [(TileCopies::OneBuffer, 1), (TileCopies::TwoBuffers, 2), (TileCopies::Asynchronous, 2)]
    {
        let promoted = Promoted::with_vectors(text, copies);
        let proofs = promoted.check();
        let tree = promoted.selection.selection.tree.to_string();
        assert!(proofs.iter().all(Proof::is_proved), "{copies:?}: {proofs:?}\n{tree}");
        assert_eq!(tree.matches("vector_copy(2)").count(), n_vectors, "{copies:?}: {tree}");
        assert!(check_kernels(&promoted.selection.selection.tree).is_proved());
        // Rows whose length is not known, and sums that end anywhere.
        let other = Promoted::with_vectors(PRODUCT, copies);
        assert!(!other.selection.selection.tree.to_string().contains("vector_copy"));
    }
}

/// One barrier a step is enough, and none is too few: what is copied in a step is for the next one.
#[test]
fn steps_without_barriers_are_refuted() {
    for copies in AHEAD {
        let mut promoted = Promoted::with(PRODUCT, MemoryLevel::Shared, copies);
        assert_eq!(promoted.without_barriers(), 1);
        promoted.refuted("without a barrier between it");
    }
}

/// Copies in the step that needs them, and copies two steps ahead, which are in the buffer that is read.
#[test]
fn copies_in_other_steps_are_refuted() {
    for (copies, steps) in AHEAD.into_iter().flat_map(|copies| [(copies, 1), (copies, -1)]) {
        let mut promoted = Promoted::with(PRODUCT, MemoryLevel::Shared, copies);
        let mut n_bands = 0;
        promoted.change_tree(|node| match node {
            Node::Band(band, child) if matches!(&*child, Node::Mark(name, _) if &**name == "barrier") => {
                n_bands += 1;
                let members = band.schedule.members().iter().map(|member| {
                    let parts = member.parts().iter().map(|part| {
                        let aff = part.as_aff().unwrap();
                        let is_copy = !part.domain_space().to_string().contains("S1[");
                        let moved = aff.add_constant(&Int::from(if is_copy { steps } else { 0 }));
                        loopwright_presburger::Piecewise::everywhere(moved)
                    });
                    loopwright_presburger::UnionPwAff::from_parts(parts.collect())
                });
                let members = members.collect();
                Node::Band(band.with_members(members), child)
            }
            other => other,
        });
        assert_eq!(n_bands, 1);
        let scop = &mut promoted.selection.scop;
        let tree = &promoted.selection.selection.tree;
        let without_marks = tree.root.clone().map_bottom_up(&mut |node| {
            Ok::<Node, ()>(match node {
                Node::Mark(_, child) => *child,
                other => other,
            })
        });
        scop.schedule = ScheduleTree::new(tree.domain.clone(), without_marks.unwrap());
        assert!(promoted.check().iter().any(|proof| matches!(proof, Proof::Refuted(_))), "{steps}");
    }
}

/// The thread that copies may not read the element before the next barrier either, and a copy through
/// registers may.
#[test]
fn asynchronous_copies_are_waited_for_by_their_own_thread() {
    let text = "{ domain: '[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }', child: { mark: 'kernel(k)', child: { \
         sequence: [ { filter: '{ S0[i] }', child: { mark: 'MARK', child: { mark: 'thread(x)', child: { schedule: '[{ S0[i] -> [(i)] }]' } } } }, \
         { filter: '{ S1[i] }', child: { mark: 'WAIT', child: { mark: 'thread(x)', child: { schedule: '[{ S1[i] -> [(i)] }]' } } } } ] } } }";
    let program = "void f(int n, double a[n], double b[n], double c[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++)\n    \
         a[i] = b[i];\n  for (int i = 0; i < n; i++)\n    c[i] = a[i];\n#pragma endscop\n}\n";
    let scop = scop_of(program);
    let dependences = Dependences::of_scop(&scop, &budget()).unwrap();
    for (mark, wait, is_right) in [
        ("asynchronous", "barrier", true),
        ("asynchronous", "nothing", false),
        ("nothing", "nothing", true),
    ] {
        let tree = text.replace("MARK", mark).replace("WAIT", wait);
        let tree = ScheduleTree::parse(&tree).unwrap();
        let proof = check_barriers(&scop, &dependences, &tree, &budget()).unwrap();
        assert_eq!(proof.is_proved(), is_right, "{mark}, {wait}: {proof:?}");
    }
}

/// A register that another element is in.
#[test]
fn other_elements_in_registers_are_refuted() {
    let mut promoted = Promoted::with(PRODUCT, MemoryLevel::Shared, TileCopies::TwoBuffers);
    promoted.restrict("a_fetch", "[n, m, o] -> { a_fetch[i, j, k] : k < o - 1 }");
    promoted.refuted("from a register of another value");
    let mut promoted = Promoted::with(PRODUCT, MemoryLevel::Shared, TileCopies::TwoBuffers);
    promoted.restrict("b_fetch", "[n, m, o] -> { b_fetch[i, j, k] : j > 0 }");
    promoted.refuted("from a register of another value");
}

/// Values, order and barriers are those of threads that compute one by one; that a warp computes together is
/// a claim of its own.
#[test]
fn products_of_matrices_are_proved_if_updates_may_be_made_in_any_order() {
    for copies in [TileCopies::OneBuffer, TileCopies::TwoBuffers, TileCopies::Asynchronous] {
        let promoted = Promoted::with_matrices(copies);
        assert!(promoted.check().iter().all(Proof::is_proved), "{copies:?}");
        assert!(promoted.check_matrices(true).is_proved(), "{copies:?}");
        let Proof::Refuted(said) = promoted.check_matrices(false) else { panic!("in order") };
        assert!(
            said[0].message.ends_with("needs updates in any order (--reassociate)"),
            "{said:?}"
        );
    }
}

#[test]
fn wrong_products_of_matrices_are_refuted() {
    let is_matrix = |name: &str| MatrixMark::parse(name).is_some();
    let refuted = |change: &dyn Fn(Node) -> Node, reason: &str| {
        let mut promoted = Promoted::with_matrices(TileCopies::OneBuffer);
        promoted.change_tree(change);
        let tree = &promoted.selection.selection.tree;
        let mut said = Vec::new();
        for proof in [promoted.check_matrices(true), check_kernels(tree)] {
            if let Proof::Refuted(violations) = proof {
                said.extend(violations.into_iter().map(|violation| violation.message));
            }
        }
        assert!(said.iter().any(|own| own.contains(reason)), "{reason}: {said:?}");
    };
    let below = |change: &dyn Fn(Node) -> Node, node: Node| match node {
        Node::Mark(name, child) if is_matrix(&name) => Node::Mark(name, Box::new(change(*child))),
        other => other,
    };
    let exchanged = |node: Node| match node {
        Node::Band(mut band, child) => {
            let members = band.schedule.members();
            let exchanged = vec![members[1].clone(), members[0].clone()];
            band.schedule = MultiUnionPwAff::new(Tuple::anonymous(2), exchanged);
            Node::band(band, *child)
        }
        other => other,
    };
    refuted(&|node| below(&exchanged, node), "is reached by some threads of a warp");
    let of_one = |node: Node| match node {
        Node::Band(band, child) => {
            let first = band.schedule.slice(0..1);
            Node::band(Band::new(first), *child)
        }
        other => other,
    };
    refuted(&|node| below(&of_one, node), "does not stand above a band of 2 members");
    // All iterations of the sum, with those of a group that is not whole.
    let whole = |node: Node| match node {
        Node::Filter(filter, child) if filter.sets().len() == 1 => {
            let all = filter
                .sets()
                .iter()
                .map(|set| Set::universe(set.space().clone()))
                .collect::<Vec<_>>();
            Node::filter(UnionSet::from_sets(&Space::params(&[]), all), *child)
        }
        other => other,
    };
    refuted(&whole, "is reached by some threads of a warp");
    let renamed = |from: &'static str, to: &'static str| {
        move |node: Node| match node {
            Node::Mark(name, child) if &*name == from => Node::mark(to, *child),
            other => other,
        }
    };
    refuted(
        &renamed("matrix(8, 8, 4)", "matrix(16, 8, 4)"),
        "none of an instruction that is known",
    );
    refuted(&renamed("thread(y)", "block(z)"), "in no loops over threads along x and y");
}

/// Sums of `float` are products of matrices if factors may be rounded, too.
#[test]
fn products_of_rounded_matrices_are_proved_if_factors_may_be_rounded() {
    for copies in [TileCopies::OneBuffer, TileCopies::TwoBuffers, TileCopies::Asynchronous] {
        let promoted = Promoted::with_rounded_matrices(copies);
        assert!(promoted.check().iter().all(Proof::is_proved), "{copies:?}");
        assert!(promoted.check_matrices(true).is_proved(), "{copies:?}");
        for (rules, reason) in [
            (
                MatrixRules { in_any_order: true, rounded_factors: false },
                "needs factors that may be rounded to tf32 (--tensor-cores tf32)",
            ),
            (
                MatrixRules { in_any_order: false, rounded_factors: true },
                "needs updates in any order (--reassociate)",
            ),
        ] {
            let Proof::Refuted(said) = promoted.check_rules(rules) else { panic!("{reason}") };
            assert!(said[0].message.ends_with(reason), "{said:?}");
        }
    }
}

/// Another instruction, another type, rows and columns in each other's place, fewer of them.
#[test]
fn wrong_products_of_rounded_matrices_are_refuted() {
    let is_matrix = |name: &str| MatrixMark::parse(name).is_some();
    let refuted = |change: &dyn Fn(Node) -> Node, reason: &str| {
        let mut promoted = Promoted::with_rounded_matrices(TileCopies::OneBuffer);
        promoted.change_tree(change);
        let Proof::Refuted(said) = promoted.check_matrices(true) else { panic!("{reason}") };
        assert!(said.iter().any(|own| own.message.contains(reason)), "{reason}: {said:?}");
    };
    let renamed = |to: &'static str| {
        move |node: Node| match node {
            Node::Mark(name, child) if is_matrix(&name) => Node::mark(to, *child),
            other => other,
        }
    };
    refuted(&renamed("matrix(16, 8, 4)"), "none of an instruction that is known");
    refuted(&renamed("matrix(8, 8, 4)"), "does not stand above a band of 2 members");
    let with_members = |order: &'static [usize]| {
        move |node: Node| match node {
            Node::Mark(name, child) if is_matrix(&name) => match *child {
                Node::Band(band, child) => {
                    let members = band.schedule.members();
                    let own: Vec<_> = order.iter().map(|at| members[*at].clone()).collect();
                    let schedule = MultiUnionPwAff::new(Tuple::anonymous(own.len()), own);
                    Node::mark(&name, Node::band(Band::new(schedule), *child))
                }
                other => Node::mark(&name, other),
            },
            other => other,
        }
    };
    // The row of a thread in place of its column, and the other way round.
    refuted(&with_members(&[0, 2, 1]), "has operands that are no rows and columns");
    refuted(&with_members(&[1, 0, 2]), "is reached by some threads of a warp");
    refuted(&with_members(&[0, 2]), "does not stand above a band of 3 members");
    refuted(&with_members(&[0, 1, 1]), "has several instances at one place");
}

/// Instructions have types: there is none of the small shape for `float`, and none for factors of another
/// type.
#[test]
fn matrices_of_another_type_are_refuted() {
    let mut promoted = Promoted::with_matrices(TileCopies::OneBuffer);
    let of_float = Promoted::with_rounded_matrices(TileCopies::OneBuffer);
    promoted.selection.scop.arrays.clone_from(&of_float.selection.scop.arrays);
    let Proof::Refuted(said) = promoted.check_matrices(true) else { panic!("in float") };
    assert!(said[0].message.contains("no products of two elements in double"), "{said:?}");
    let of_double = Promoted::with_matrices(TileCopies::OneBuffer).selection.scop;
    for name in ["a_tile", "b_tile", "x"] {
        let mut promoted = Promoted::with_rounded_matrices(TileCopies::OneBuffer);
        let arrays = &mut promoted.selection.scop.arrays;
        let at = arrays.iter().position(|own| &*own.name == name).unwrap();
        arrays[at].clone_from(&of_double.arrays[at]);
        match (name, promoted.check_matrices(true)) {
            // That is in what fills the tile.
            ("x", proof) => assert!(proof.is_proved(), "{proof:?}"),
            (_, Proof::Refuted(said)) => {
                let reason = "no products of two elements in float";
                assert!(said[0].message.contains(reason), "{said:?}");
            }
            (name, proof) => panic!("{name}: {proof:?}"),
        }
    }
}

/// What is added up is a product of a row's element and a column's element, in `double`.
#[test]
fn other_statements_are_no_products_of_matrices() {
    type Change = fn(&mut Body, &[Element]);
    let changes: [(Change, &str); 3] = [
        (
            |body, elements| {
                *body = Body::new(Term::assignment(
                    elements[0].clone(),
                    Term::element(elements[1].clone()),
                ))
            },
            "adds no products",
        ),
        (
            |body, elements| *body = body.replaced(&[1, 0], Term::element(elements[2].clone())),
            "operands that are no rows and columns",
        ),
        (
            |body, elements| *body = body.replaced(&[1, 0], Term::element(elements[0].clone())),
            "no products of two elements in double",
        ),
    ];
    for (change, reason) in changes {
        let mut promoted = Promoted::with_matrices(TileCopies::OneBuffer);
        let name = promoted.original.statements.last().unwrap().name.to_string();
        let statement = promoted.statement(&name);
        let elements: Vec<Element> = statement.body.elements().into_iter().cloned().collect();
        change(&mut statement.body, &elements);
        let Proof::Refuted(said) = promoted.check_matrices(true) else { panic!("{reason}") };
        assert!(said.iter().any(|own| own.message.contains(reason)), "{reason}: {said:?}");
    }
}

/// The lanes of a warp follow each other along x, and its rows along y.
#[test]
fn matrices_of_other_threads_are_no_products() {
    for (one, other) in [("thread(x)", "thread(y)"), ("thread(x)", "thread(z)")] {
        let mut promoted = Promoted::with_matrices(TileCopies::OneBuffer);
        let exchanged = |name: &str| match name {
            _ if name.contains(one) => name.replace(one, other),
            _ => name.replace(other, one),
        };
        let tree = &mut promoted.selection.selection.tree;
        let changed = tree.root.clone().map_bottom_up(&mut |node| {
            Ok::<Node, loopwright_presburger::Error>(match node {
                Node::Mark(name, child) => Node::mark(&exchanged(&name), *child),
                other => other,
            })
        });
        tree.root = changed.unwrap();
        assert!(!promoted.check_matrices(true).is_proved(), "{one} for {other}");
    }
}
