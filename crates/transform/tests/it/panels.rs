//! Panels of a tiled nest are proved, and every small change of them is refuted.
use loopwright_astgen::{AstNode, generate};
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Budget, MultiAff, PwAff, UnionSet};
use loopwright_schedule::{Node, ScheduleTree};
use loopwright_scop::{Body, BodyPiece, Panel, Scop, Statement};
use loopwright_transform::packing::{Packed, pack};
use loopwright_verify::{
    Loops, Proof, check_ast, check_panels, check_schedule, with_panel_dependences,
};

const ARGUMENTS: &str = "int n, double C[n][n], double A[n][n], double B[n][n]";
const RANK: &str = "for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) \
                    for (int k = 0; k < n; k++) C[i][j] += B[i][k] * A[j][k];";
const TILES: &str = "{ schedule: '[{ S0[i, j, k] -> [(16*floor(i/16))] }, \
    { S0[i, j, k] -> [(16*floor(j/16))] }, { S0[i, j, k] -> [(16*floor(k/16))] }]', child: { \
    schedule: '[{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(k)] }, { S0[i, j, k] -> [(j)] }]' } }";

struct Case {
    scop: Scop,
    dependences: Dependences,
    packed: Packed,
}

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

impl Case {
    /// The region, scheduled by `child` (YAML below the domain), with panels.
    fn new(region: &str, child: &str) -> Case {
        let text = format!("void f({ARGUMENTS}) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n");
        let regions = SourceFile::from_text("test.c", &text).extract().unwrap();
        let scop = regions.into_iter().next().unwrap().scop;
        let dependences = Dependences::of_scop(&scop, &budget()).unwrap();
        let tree = tree_of(&scop, child);
        let names = Default::default();
        let packed = pack(&tree, &scop, &Machine::generic(), &names, &budget()).unwrap();
        Case { scop, dependences, packed }
    }

    fn ast(&self) -> AstNode {
        let options = loopwright_astgen::Options::STANDARD;
        generate(&self.packed.tree, &self.scop.context, &options, &budget()).unwrap()
    }

    fn order(&self, tree: &ScheduleTree) -> Proof {
        let Packed { scop, panels, .. } = &self.packed;
        let all = with_panel_dependences(&self.dependences, scop, panels).unwrap();
        check_schedule(scop, &all, tree, &budget()).unwrap()
    }

    fn values(&self, packed: &Packed, ast: &AstNode) -> Proof {
        let Packed { scop, panels, tree, .. } = packed;
        let loops = Loops::read(ast, &tree.flatten().unwrap(), &scop.context, &budget()).unwrap();
        check_panels(&self.scop, scop, panels, &loops, &budget()).unwrap()
    }

    /// The change must be refuted for a reason that contains these words.
    fn refuted(&self, packed: &Packed, ast: &AstNode, words: &str) {
        let proof = self.values(packed, ast);
        let Proof::Refuted(violations) = &proof else { panic!("{words}: {proof:?}") };
        assert!(violations.iter().any(|v| v.message.contains(words)), "{words}: {proof:?}");
    }
}

fn tree_of(scop: &Scop, child: &str) -> ScheduleTree {
    let domain = scop.statements.iter().fold(UnionSet::empty(), |union, statement| {
        union.union(&UnionSet::from_set(statement.domain.clone())).unwrap()
    });
    let tree = format!("{{ domain: \"{{}}\", child: {child} }}");
    ScheduleTree { domain, ..ScheduleTree::parse(&tree).unwrap() }
}

/// Changes the subscripts of the panel in a statement.
fn change_panel(statement: &mut Statement, panel: &Panel, change: impl Fn(&mut Vec<PwAff>)) {
    statement.body.for_each_element_mut(&mut |element| {
        if element.array == panel.array {
            change(&mut element.subscripts);
        }
    });
}

/// The body with another text in it.
fn with_text(body: &Body, from: &str, to: &str) -> Body {
    let mut n_changed = 0;
    let pieces = body.pieces().into_iter().map(|piece| match piece {
        BodyPiece::Text(text) if text == from => {
            n_changed += 1;
            BodyPiece::text(to)
        }
        piece => piece,
    });
    let changed = Body::read(pieces);
    assert_eq!(n_changed, 1);
    changed
}

/// The tree with `change` applied to each mark and its child.
fn with_marks(node: &AstNode, change: &impl Fn(&AstNode, &AstNode) -> AstNode) -> AstNode {
    match node {
        AstNode::For(each) => {
            let mut each = each.clone();
            each.body = Box::new(with_marks(&each.body, change));
            AstNode::For(each)
        }
        AstNode::If { condition, then, otherwise } => AstNode::If {
            condition: condition.clone(),
            then: Box::new(with_marks(then, change)),
            otherwise: otherwise.as_ref().map(|node| Box::new(with_marks(node, change))),
        },
        AstNode::Block(children) => {
            AstNode::Block(children.iter().map(|child| with_marks(child, change)).collect())
        }
        AstNode::Mark { child, .. } => change(node, child),
        AstNode::User { .. } => node.clone(),
    }
}

fn children(block: &AstNode) -> Vec<AstNode> {
    let AstNode::Block(children) = block else { panic!("a block of the two loops: {block}") };
    children.clone()
}

#[test]
fn a_panel_is_found_and_proved() {
    let case = Case::new(RANK, TILES);
    assert_eq!(case.packed.panels.len(), 1, "{:?}", case.packed.decisions);
    assert_eq!(case.packed.decisions, ["S0: A_panel[16][16], contiguous in the innermost loop"]);
    assert_eq!(case.packed.tree.check(&budget()).unwrap(), Vec::<String>::new());
    let ast = case.ast();
    assert_eq!(case.order(&case.packed.tree), Proof::Proved);
    assert_eq!(case.values(&case.packed, &ast), Proof::Proved);
    let proof = check_ast(&ast, &case.packed.tree, &case.scop.context, &budget()).unwrap();
    assert_eq!(proof, Proof::Proved);
}

#[test]
fn other_values_are_refuted() {
    let case = Case::new(RANK, TILES);
    let ast = case.ast();
    let panel = case.packed.panels[0].clone();
    let (filling, reader) = (panel.statement.0 as usize, panel.reader.0 as usize);
    let changed = |change: &dyn Fn(&mut Packed)| {
        let mut packed = case.packed.clone();
        change(&mut packed);
        packed
    };
    let transposed = changed(&|packed| {
        let mut is_target = true;
        packed.scop.statements[filling].body.for_each_element_mut(&mut |element| {
            if !std::mem::take(&mut is_target) {
                element.subscripts.reverse();
            }
        });
    });
    case.refuted(&transposed, &ast, "not the statement that it was");
    let subtracted = changed(&|packed| {
        let body = &mut packed.scop.statements[reader].body;
        *body = with_text(body, " += ", " -= ");
    });
    case.refuted(&subtracted, &ast, "not the statement that it was");
    let added = changed(&|packed| {
        let body = &mut packed.scop.statements[filling].body;
        *body = with_text(body, " = ", " += ");
    });
    case.refuted(&added, &ast, "not the statement that it was");
    let swapped = changed(&|packed| {
        change_panel(&mut packed.scop.statements[reader], &panel, |subscripts| {
            subscripts.reverse()
        });
    });
    case.refuted(&swapped, &ast, "filled for another instance");
    let single = changed(&|packed| {
        packed.scop.arrays[panel.array.0 as usize].element_type = "float".into();
    });
    case.refuted(&single, &ast, "not the statement that it was");
    let neighbour = changed(&|packed| {
        let one = loopwright_presburger::Int::from(1);
        let instance = &packed.panels[0].instance;
        let last = instance.affs().len() - 1;
        let affs = instance.affs().iter().enumerate();
        let affs =
            affs.map(|(at, aff)| if at == last { aff.add_constant(&one) } else { aff.clone() });
        packed.panels[0].instance =
            MultiAff::new(instance.space().clone(), affs.collect()).unwrap();
    });
    case.refuted(&neighbour, &ast, "not the statement that it was");
}

#[test]
fn elements_that_do_not_exist_or_are_shared_are_refuted() {
    let case = Case::new(RANK, TILES);
    let ast = case.ast();
    let panel = case.packed.panels[0].clone();
    let mut small = case.packed.clone();
    let eight = PwAff::parse("{ [(8)] }").unwrap();
    small.scop.arrays[panel.array.0 as usize].extents[0] = Some(eight);
    case.refuted(&small, &ast, "outside of its extents");
    let mut modulo = case.packed.clone();
    for statement in [panel.statement, panel.reader] {
        let statement = &mut modulo.scop.statements[statement.0 as usize];
        change_panel(statement, &panel, |subscripts| {
            subscripts[0] = subscripts[0].modulo(&loopwright_presburger::Int::from(4));
        });
    }
    case.refuted(&modulo, &ast, "filled twice");
}

#[test]
fn other_blocks_are_refuted() {
    let case = Case::new(RANK, TILES);
    let ast = case.ast();
    let without_mark = with_marks(&ast, &|_, child| child.clone());
    case.refuted(&case.packed, &without_mark, "not declared");
    let marked = |mark: &AstNode, below: AstNode| {
        let AstNode::Mark { name, dimension, .. } = mark else { panic!("a mark") };
        AstNode::Mark { name: name.clone(), dimension: *dimension, child: Box::new(below) }
    };
    let around_reader = with_marks(&ast, &|mark, child| {
        let mut parts = children(child);
        parts[1] = marked(mark, parts[1].clone());
        AstNode::Block(parts)
    });
    case.refuted(&case.packed, &around_reader, "not declared");
    let two_blocks = with_marks(&ast, &|mark, child| {
        AstNode::Block(children(child).into_iter().map(|part| marked(mark, part)).collect())
    });
    case.refuted(&case.packed, &two_blocks, "that was not filled");
    let outside = {
        let bare = with_marks(&ast, &|_, child| child.clone());
        let mut mark = None;
        find_mark(&ast, &mut mark);
        marked(&mark.unwrap(), bare)
    };
    case.refuted(&case.packed, &outside, "filled twice");
}

fn find_mark(node: &AstNode, found: &mut Option<AstNode>) {
    match node {
        AstNode::For(each) => find_mark(&each.body, found),
        AstNode::If { then, .. } => find_mark(then, found),
        AstNode::Block(children) => children.iter().for_each(|child| find_mark(child, found)),
        AstNode::Mark { .. } => *found = Some(node.clone()),
        AstNode::User { .. } => {}
    }
}

/// The panel is filled after its use, or before its operand is written.
#[test]
fn other_orders_are_refuted() {
    let case = Case::new(RANK, TILES);
    let mut reversed = case.packed.tree.clone();
    reversed.root = reversed
        .root
        .map_bottom_up(&mut |mut node| {
            if let Node::Sequence(parts) = &mut node {
                parts.reverse();
            }
            Ok::<_, ()>(node)
        })
        .unwrap();
    assert!(matches!(case.order(&reversed), Proof::Refuted(_)));

    let region = "for (int i = 0; i < n; i++) for (int k = 0; k < n; k++) A[i][k] = B[k][i]; \
                  for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) \
                  for (int k = 0; k < n; k++) C[i][j] += B[i][k] * A[j][k];";
    let copy = "schedule: '[{ S0[i, k] -> [(i)] }, { S0[i, k] -> [(k)] }]'";
    let tiles = TILES.replace("S0", "S1");
    let case = Case::new(
        region,
        &format!(
            "{{ sequence: [ {{ filter: '{{ S0[i, k] }}', child: {{ {copy} }} }}, \
                  {{ filter: '{{ S1[i, j, k] }}', child: {tiles} }} ] }}"
        ),
    );
    assert_eq!(case.packed.panels.len(), 1);
    assert_eq!(case.order(&case.packed.tree), Proof::Proved);
    let filling = case.packed.scop.statement(case.packed.panels[0].statement);
    let n = filling.iterators.len();
    let tuple = format!("{}[{}]", filling.name, filling.iterators.join(", "));
    let before = format!(
        "{{ sequence: [ {{ filter: '{{ {tuple} }}', child: {{ schedule: '[{{ {tuple} -> [({})] }}]' \
         }} }}, {{ filter: '{{ S0[i, k] }}', child: {{ {copy} }} }}, \
         {{ filter: '{{ S1[i, j, k] }}', child: {tiles} }} ] }}",
        filling.iterators[n - 1]
    );
    let early = tree_of(&case.packed.scop, &before);
    let Proof::Refuted(violations) = case.order(&early) else { panic!("{early}") };
    assert!(violations.iter().any(|v| v.message.contains("`A`")), "{violations:?}");
}

#[test]
fn written_operands_and_single_uses_are_not_packed() {
    let written = "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) \
                   for (int k = 0; k < j; k++) A[i][j] -= A[i][k] * A[j][k];";
    assert!(Case::new(written, TILES).packed.panels.is_empty());
    let points = "{ schedule: '[{ S0[i, j, k] -> [(i)] }, { S0[i, j, k] -> [(k)] }, \
                  { S0[i, j, k] -> [(j)] }]' }";
    assert!(Case::new(RANK, points).packed.panels.is_empty());
}
