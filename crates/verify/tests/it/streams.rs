//! Kernels whose blocks walk along a dimension of the data: planes in shared memory and columns in registers
//! are proved, and whatever is wrong with them is refuted.
use crate::promotions::Promoted;
use crate::support::budget;
use crate::support::planted::scop_of;
use loopwright_device::{MemoryLevel, TileCopies};
use loopwright_presburger::{Space, UnionSet};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::{AccessKind, Scop};
use loopwright_verify::Proof;

const STAR: &str = "a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] * a[i][j][k + 1] - a[i][j][k]";

/// Columns of which elements in the middle are only on their way, and two planes.
const APART: &str =
    "a[i - 1][j - 1][k] + a[i + 1][j - 1][k] + a[i - 1][j][k + 1] + a[i + 1][j][k + 1]";

/// A column alone, which needs no planes.
const COLUMN: &str = "a[i - 1][j][k] + a[i][j][k] + a[i + 1][j][k]";

/// The independent loops of the statement, all of which become blocks and threads.
fn tree(scop: &Scop) -> ScheduleTree {
    let statement = &scop.statements[0];
    let domain = UnionSet::from_sets(&Space::params(&[]), [statement.domain.clone()]);
    let name = &statement.name;
    let member = |at: &str| format!("{{ {name}[i,j,k] -> [({at})] }}");
    let members = ["i", "j", "k"].map(member).join(", ");
    let text = format!(
        "{{ domain: '{domain}', child: {{ schedule: '[{members}]', permutable: 1, coincident: [1, 1, 1] }} }}"
    );
    ScheduleTree::parse(&text).unwrap()
}

fn streams(value: &str, copies: TileCopies) -> Promoted {
    let text = format!(
        "void f(int l, int m, int n, double a[l][m][n], double b[l][m][n]) {{\n#pragma scop\n  for (int i = 1; i < l - 1; i++)\n    \
         for (int j = 1; j < m - 1; j++)\n      for (int k = 1; k < n - 1; k++)\n        b[i][j][k] = {value};\n#pragma endscop\n}}\n"
    );
    let promoted =
        Promoted::of(scop_of(&text), tree, Promoted::memory(MemoryLevel::Shared, copies));
    assert!(promoted.selection.has_streams, "{:?}", promoted.selection.decisions);
    promoted
}

#[test]
fn walks_are_proved() {
    for value in [STAR, APART, COLUMN] {
        for copies in [TileCopies::OneBuffer, TileCopies::Asynchronous] {
            let promoted = streams(value, copies);
            let proofs = promoted.check();
            let tree = &promoted.selection.selection.tree;
            assert!(proofs.iter().all(Proof::is_proved), "{value}: {proofs:?}\n{tree}");
            let has_planes = value != COLUMN;
            assert_eq!(tree.to_string().contains("shared(a_planes)"), has_planes, "{tree}");
            let is_marked = tree.to_string().contains("asynchronous");
            assert_eq!(is_marked, has_planes && copies == TileCopies::Asynchronous, "{tree}");
        }
    }
}

#[test]
fn walks_without_barriers_are_refuted() {
    let mut promoted = streams(STAR, TileCopies::OneBuffer);
    assert_eq!(promoted.without_barriers(), 1);
    promoted.refuted("without a barrier between it");
}

#[test]
fn one_place_less_is_refuted() {
    for (statement, set, reason) in [
        ("a_plane", "[l, m, n] -> { a_plane[u, v, w, p, y, x] : x > 0 }", "that nobody has filled"),
        (
            "a_plane",
            "[l, m, n] -> { a_plane[u, v, w, p, y, x] : p > 1 }",
            "that is filled from a register of another value",
        ),
        ("a_move", "[l, m, n] -> { a_move[u, p, j, k] : k > 1 }", "that nobody has filled"),
        (
            "a_move_3",
            "[l, m, n] -> { a_move_3[u, p, j, k] : p != 3 }",
            "that a_move_3 fills with something else",
        ),
    ] {
        let mut promoted = streams(STAR, TileCopies::OneBuffer);
        promoted.restrict(statement, set);
        promoted.refuted(reason);
    }
}

/// Registers that are moved in the other order all have the foremost element.
#[test]
fn moves_in_another_order_are_refuted() {
    let mut promoted = streams(STAR, TileCopies::OneBuffer);
    let is_move = |node: &Node| {
        let Node::Filter(filter, _) = node else { return false };
        filter.to_string().contains("a_move")
    };
    promoted.change_tree(|node| match node {
        Node::Sequence(mut children)
            if children.iter().filter(|child| is_move(child)).count() == 3 =>
        {
            children[..3].reverse();
            Node::Sequence(children)
        }
        other => other,
    });
    let tree = &promoted.selection.selection.tree;
    let root = tree.root.clone().map_bottom_up(&mut |node| {
        Ok::<Node, ()>(match node {
            Node::Mark(_, child) => *child,
            other => other,
        })
    });
    promoted.selection.scop.schedule = ScheduleTree::new(tree.domain.clone(), root.unwrap());
    assert!(promoted.check().iter().any(|proof| matches!(proof, Proof::Refuted(_))));
}

/// A statement reads several cells of one array: which access is which is said by the order of the text, and
/// proved.
#[test]
fn other_cells_are_refuted() {
    let mut promoted = streams(STAR, TileCopies::OneBuffer);
    let arrays = promoted.selection.promotion.arrays.clone();
    let scop = &promoted.selection.scop;
    let planes = arrays.iter().find(|own| &*scop.array(own.cells).name == "a_planes").unwrap();
    let statement = promoted.statement("S0");
    let own = statement.accesses.iter_mut();
    let mut own: Vec<_> = own.filter(|a| a.array == planes.elements).collect();
    assert_eq!(own.len(), 4);
    assert!(own.iter().all(|access| access.kind == AccessKind::Read));
    let first = own[0].relation.clone();
    own[0].relation = own[1].relation.clone();
    own[1].relation = first;
    promoted.refuted("that a_plane fills with something else");
    promoted.refuted("an element of `a_planes` is in different cells");

    // The text names the cell of another neighbour.
    let mut promoted = streams(STAR, TileCopies::OneBuffer);
    let mut cells = Vec::new();
    promoted.statement("S0").body.for_each_element_mut(&mut |element| {
        if element.array == planes.cells {
            cells.push(element.clone());
            *element = cells[0].clone();
        }
    });
    promoted.refuted("an element of `a_planes` is in different cells");
}

/// Copies may read what lies in the box around the elements of the program, and nothing else.
#[test]
fn elements_beside_the_box_are_refuted() {
    let mut promoted = streams(STAR, TileCopies::OneBuffer);
    let copy = promoted.statement("a_plane");
    let more = copy.domain.space().clone();
    let more = loopwright_presburger::Set::parse(&format!(
        "{} : 0 <= u, v, w <= 1 and -1 <= p <= 40 and 0 <= y, x <= 40 }}",
        "{ a_plane[u, v, w, p, y, x]"
    ))
    .unwrap()
    .align_params(&more);
    let domain = copy.domain.union(&more).unwrap().coalesce(&budget()).unwrap();
    copy.domain = domain.clone();
    for access in &mut copy.accesses {
        let relation = access.relation.to_string();
        let array = if relation.contains("a_in_planes") { "a_in_planes" } else { "a" };
        let text = match array {
            "a" => "{ a_plane[u, v, w, p, y, x] -> a[p, y, x] }",
            _ => "{ a_plane[u, v, w, p, y, x] -> a_in_planes[u, v, w, (p) mod 4, y, x] }",
        };
        let relation = loopwright_presburger::Map::parse(text).unwrap();
        access.relation = relation.align_params(domain.space()).intersect_domain(&domain).unwrap();
    }
    promoted.use_domains();
    promoted.refuted("a_plane accesses an element outside of `a`");
}
