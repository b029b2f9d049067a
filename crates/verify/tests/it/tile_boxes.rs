//! Hexagons whose values are in boxes of shared memory: they are proved, and whatever is wrong with copies,
//! cells and barriers is refuted.
use crate::support::budget;
use crate::support::planted::{assert_refuted, restrict, scop_of, statement_named, use_domains};
use loopwright_dataflow::Dependences;
use loopwright_device::{TileBoxes, with_barriers, with_tile_boxes};
use loopwright_machine::Device;
use loopwright_presburger::{Aff, Int, Map, PwAff, Set, Space, UnionSet};
use loopwright_schedule::{BarrierMark, Node, ScheduleTree};
use loopwright_scop::{AccessKind, Scop};
use loopwright_verify::{
    PromotedProgram, Proof, check_barriers, check_cached_tiles, check_parallel_loops,
};
use std::collections::BTreeSet;

/// Two states of a line in turn.
const LINES: &str = "void f(int n, int steps, double a[n], double b[n]) {\n#pragma scop\n  for (int t = 0; t < steps; t++) {\n    \
    for (int i = 1; i < n - 1; i++)\n      b[i] = a[i - 1] + a[i] * a[i + 1];\n    for (int i = 1; i < n - 1; i++)\n      a[i] = b[i - 1] + b[i] * b[i + 1];\n  }\n\
    #pragma endscop\n}\n";

/// Rows of hexagons of four steps, eight places wide: S1 is half a step later than S0.
fn tree(scop: &Scop) -> ScheduleTree {
    let domains = scop.statements.iter().map(|s| s.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), domains);
    let row = [
        "-1 + floor((2t + i)/8) + floor((7 + 2t - i)/8)",
        "floor((1 + 2t + i)/8) + floor((2t - i)/8)",
    ];
    let column = ["-floor((7 + 2t - i)/8)", "-1 - floor((2t - i)/8)"];
    let member = |of: [&str; 2]| {
        format!("schedule: '[{{ S0[t,i] -> [({})]; S1[t,i] -> [({})] }}]'", of[0], of[1])
    };
    let places = |s: &str| {
        format!(
            "{{ filter: '{{ {s}[t,i] }}', child: {{ mark: 'thread(x)', child: {{ schedule: '[{{ {s}[t,i] -> [(i)] }}]' }} }} }}"
        )
    };
    let (first, last) = (places("S0"), places("S1"));
    let steps = format!("{}, child: {{ sequence: [ {first}, {last} ] }}", member(["t"; 2]));
    let half = |back: &str| {
        let band = member(["floor(t/2)"; 2]);
        format!(
            "{{ filter: '{{ S0[t,i] : {} = floor(t/2) {back}; S1[t,i] : {} = floor(t/2) {back} }}', child: {{ {band}, child: {{ {steps} }} }} }}",
            row[0], row[1]
        )
    };
    let (gap, block) = (half("+ 0"), half("- 1"));
    let (row, column) = (member(row), member(column));
    let text = format!(
        "{{ domain: '{domain}', child: {{ {row}, child: {{ mark: 'kernel(k)', child: {{ mark: 'block(x)', child: {{ {column}, \
         child: {{ sequence: [ {gap}, {block} ] }} }} }} }} }} }}"
    );
    ScheduleTree::parse(&text).unwrap()
}

/// A program with boxes, and what belongs to it.
struct Boxed {
    original: Scop,
    dependences: Dependences,
    own: Dependences,
    boxes: TileBoxes,
}

impl Boxed {
    fn new() -> Boxed {
        let original = scop_of(LINES);
        let dependences = Dependences::of_scop(&original, &budget()).unwrap();
        let (given, device) = ((&original, &dependences), Device::generic());
        let tree = tree(&original);
        let found = with_tile_boxes(&tree, given, &device, &BTreeSet::new(), &budget());
        let mut boxes = found.unwrap().expect("there are boxes");
        let own = dependences.beside_copies((&original, &boxes.scop), &budget()).unwrap();
        boxes.tree = with_barriers(&boxes.tree, &boxes.scop, &own, &budget()).unwrap();
        Boxed { original, dependences, own, boxes }
    }

    /// All proofs about it.
    fn check(&self) -> Vec<Proof> {
        let TileBoxes { tree, scop, promotion, .. } = &self.boxes;
        let Boxed { original, dependences, own, .. } = self;
        let program = PromotedProgram { original, dependences, promoted: scop, own, promotion };
        vec![
            check_cached_tiles(program, tree, &budget()).unwrap(),
            check_parallel_loops(scop, own, tree, &budget()).unwrap(),
            check_barriers(scop, own, tree, &budget()).unwrap(),
        ]
    }

    fn refuted(&self, reason: &str) {
        assert_refuted(self.check(), reason);
    }

    /// Leaves only some instances of a statement.
    fn restrict(&mut self, name: &str, set: &str) {
        let TileBoxes { tree, scop, .. } = &mut self.boxes;
        restrict(statement_named(scop, name), set);
        use_domains(scop, tree);
    }

    fn change_tree(&mut self, change: impl Fn(Node) -> Node) {
        let tree = &mut self.boxes.tree;
        let root = tree.root.clone().map_bottom_up(&mut |node| Ok::<Node, ()>(change(node)));
        tree.root = root.unwrap();
    }

    /// Moves a part of the sequence of copies and steps to another position.
    fn move_part(&mut self, from: usize, to: usize) {
        self.change_tree(|node| match node {
            Node::Sequence(mut children) if children.len() == 5 => {
                let part = children.remove(from);
                children.insert(to, part);
                Node::Sequence(children)
            }
            other => other,
        });
    }
}

#[test]
fn boxes_of_hexagons_are_proved() {
    let boxed = Boxed::new();
    let proofs = boxed.check();
    assert!(proofs.iter().all(Proof::is_proved), "{proofs:?}\n{}", boxed.boxes.tree);
    // A hexagon is eight places wide, and reads one more on each side.
    let said = boxed.boxes.decisions.join("\n");
    assert!(said.contains("`a_tile[10]`") && said.contains("`b_tile[8]`"), "{said}");
    assert_eq!(boxed.boxes.shared_bytes, 8 * 18);
}

#[test]
fn boxes_without_one_of_their_barriers_are_refuted() {
    let n_barriers = Boxed::new().boxes.tree.to_string().matches("barrier").count();
    assert!(n_barriers >= 5, "{n_barriers}");
    for left_out in 0..n_barriers {
        let mut boxed = Boxed::new();
        let position = std::cell::Cell::new(0);
        boxed.change_tree(|node| match node {
            Node::Mark(name, child) if BarrierMark::parse(&name).is_some() => {
                let own = position.replace(position.get() + 1);
                if own == left_out { *child } else { Node::Mark(name, child) }
            }
            other => other,
        });
        boxed.refuted("without a barrier between");
    }
}

#[test]
fn boxes_one_place_too_narrow_are_refuted() {
    for (statement, set, reason) in [
        (
            "a_fill",
            "[n, steps] -> { a_fill[r, p, x] : x != 9 }",
            "reads an element of `a_tile` that is not filled",
        ),
        (
            "a_store",
            "[n, steps] -> { a_store[r, p, x] : x != 9 }",
            "writes to `a_tile` is not stored",
        ),
        (
            "b_store",
            "[n, steps] -> { b_store[r, p, x] : r = 1 }",
            "writes to `b_tile` is not stored",
        ),
        ("b_fill", "[n, steps] -> { b_fill[r, p, x] : r != 0 }", "is not filled"),
    ] {
        let mut boxed = Boxed::new();
        boxed.restrict(statement, set);
        boxed.refuted(reason);
    }
    // Memory for one element less.
    let mut boxed = Boxed::new();
    let cells = boxed.boxes.promotion.arrays[0].cells;
    let less = PwAff::from_aff(Aff::constant(&Space::params(&[]), &Int::from(7)));
    boxed.boxes.scop.arrays[cells.0 as usize].extents[0] = Some(less);
    boxed.refuted("accesses an element outside of");
}

#[test]
fn copies_at_another_time_are_refuted() {
    let mut late = Boxed::new();
    late.move_part(0, 2);
    late.refuted("does not come before");
    let mut early = Boxed::new();
    early.move_part(4, 2);
    early.refuted("does not come before");
}

/// The half of a hexagon that is later in time comes first.
#[test]
fn halves_of_hexagons_in_another_order_are_refuted() {
    let mut boxed = Boxed::new();
    let n_swapped = std::cell::Cell::new(0);
    boxed.change_tree(|node| match node {
        Node::Sequence(mut children) if children.len() == 2 => {
            let mut n_inside = 0;
            children.iter().for_each(|child| {
                child.for_each(&mut |inner| {
                    n_inside += usize::from(matches!(inner, Node::Sequence(_)));
                });
            });
            if n_inside == 2 {
                children.swap(0, 1);
                n_swapped.set(n_swapped.get() + 1);
            }
            Node::Sequence(children)
        }
        other => other,
    });
    assert_eq!(n_swapped.get(), 1, "{}", boxed.boxes.tree);
    let proofs = boxed.check();
    assert!(matches!(proofs[0], Proof::Refuted(_)), "{proofs:?}");
}

#[test]
fn other_cells_of_boxes_are_refuted() {
    // The text names the cells of two neighbours the wrong way round, and the model does so as well.
    let mut boxed = Boxed::new();
    let promotion = boxed.boxes.promotion.clone();
    let is_read = |array| promotion.arrays.iter().any(|own| own.elements == array);
    let statement = statement_named(&mut boxed.boxes.scop, "S0");
    let own: Vec<usize> = (0..statement.accesses.len())
        .filter(|at| {
            let access = &statement.accesses[*at];
            access.kind == AccessKind::Read && is_read(access.array)
        })
        .collect();
    assert_eq!(own.len(), 3);
    let mut cells = Vec::new();
    let target = statement.accesses.iter().find(|own| own.kind != AccessKind::Read);
    let target = promotion.of(target.unwrap().array).unwrap().cells;
    statement.body.for_each_element_mut(&mut |element| {
        if element.array != target {
            cells.push(element.clone());
        }
    });
    let mut swapped = [cells[1].clone(), cells[0].clone(), cells[2].clone()].into_iter();
    statement.body.for_each_element_mut(&mut |element| {
        if element.array != target {
            *element = swapped.next().unwrap();
        }
    });
    boxed.refuted("S0 accesses another cell of `a_tile`");
    let statement = statement_named(&mut boxed.boxes.scop, "S0");
    let first = statement.accesses[own[0]].relation.clone();
    statement.accesses[own[0]].relation = statement.accesses[own[1]].relation.clone();
    statement.accesses[own[1]].relation = first;
    let all = boxed.check();
    assert!(all.iter().any(|proof| matches!(proof, Proof::Refuted(_))), "{all:?}");
}

/// A block that stores what its neighbour computes.
#[test]
fn boxes_that_meet_are_refuted() {
    let mut boxed = Boxed::new();
    let TileBoxes { tree, scop, .. } = &mut boxed.boxes;
    let statement = statement_named(scop, "b_store");
    let shifted = statement.domain.clone();
    let grown = Map::parse("{ b_store[r, p, x] -> b_store[r, p, y] : x <= y <= x + 1 }");
    statement.domain = shifted.apply(&grown.unwrap()).unwrap();
    for access in &mut statement.accesses {
        let whole = Map::from_domain_and_range(
            &statement.domain,
            &Set::universe(access.relation.space().range()),
        )
        .unwrap();
        let text = match access.kind {
            AccessKind::Read => "{ b_store[r, p, x] -> b_in_tiles[r, p, x] }",
            _ => "{ b_store[r, p, x] -> b[x] }",
        };
        let relation = Map::parse(text).unwrap();
        access.relation = whole.intersect(&relation).unwrap();
    }
    use_domains(scop, tree);
    let Boxed { original, dependences, boxes, .. } = &boxed;
    let own = dependences.beside_copies((original, &boxes.scop), &budget()).unwrap();
    let boxed = Boxed { own, ..boxed };
    boxed.refuted("carries a dependence on `b`");
    boxed.refuted("accesses an element outside of");
}
