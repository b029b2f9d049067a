//! Contracted arrays for scalars are proved, and every small change of them is refuted.
use loopwright_astgen::{AstNode, generate};
use loopwright_cfront::SourceFile;
use loopwright_dataflow::Dependences;
use loopwright_machine::Machine;
use loopwright_presburger::{Aff, Budget, PwAff, Space, UnionSet};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{ArrayId, Body, Expansion, Scop, StatementId};
use loopwright_transform::expansion::{Contracted, Expanded, contract, expand};
use loopwright_verify::{ExpandedProgram, Loops, Proof, check_expansions, check_schedule};

const DOT: &str = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { s = 0; \
                   for (int k = 0; k < n; k++) s += A[i][k] * B[k][j]; C[i][j] = s; }";
/// Tiles of 16 x 32 x 8 around the sum, whose full tiles of 4 columns are isolated.
const TREE: &str = "{ sequence: [ \
    { filter: '[n] -> { S0[i, j] }', child: { schedule: '[n] -> [{ S0[i, j] -> [(i)] }, \
        { S0[i, j] -> [(j)] }]' } }, \
    { filter: '[n] -> { S1[i, j, k] }', child: { schedule: '[n] -> [{ S1[i, j, k] -> \
        [(16*floor(i/16))] }, { S1[i, j, k] -> [(32*floor(j/32))] }, { S1[i, j, k] -> \
        [(8*floor(k/8))] }]', child: { schedule: '[n] -> [{ S1[i, j, k] -> [(4*floor(j/4))] }]', \
        options: '[n] -> { isolate[[a, b, c] -> [d]] : d <= n - 4 }', child: { schedule: '[n] -> \
        [{ S1[i, j, k] -> [(k)] }, { S1[i, j, k] -> [(i)] }, { S1[i, j, k] -> [(j)] }]' } } } }, \
    { filter: '[n] -> { S2[i, j] }', child: { schedule: '[n] -> [{ S2[i, j] -> [(i)] }, \
        { S2[i, j] -> [(j)] }]' } } ] }";

struct Case {
    original: Scop,
    dependences: Dependences,
    expansions: Vec<Expansion>,
    own: Dependences,
    contracted: Contracted,
}

fn budget() -> Budget {
    Budget::steps(50_000_000)
}

fn scop_of(region: &str) -> Scop {
    let text = format!(
        "void f(int n, double C[n][n], double A[n][n], double B[n][n]) {{\ndouble s, t;\n\
         #pragma scop\n{region}\n#pragma endscop\n}}\n"
    );
    let regions = SourceFile::from_text("test.c", &text).extract().unwrap();
    regions.into_iter().next().unwrap().scop
}

fn expanded(scop: &Scop) -> Option<Expanded> {
    let dependences = Dependences::of_scop(scop, &budget()).unwrap();
    expand(scop, &dependences, &Default::default(), &budget()).unwrap()
}

impl Case {
    fn new() -> Case {
        let original = scop_of(DOT);
        let dependences = Dependences::of_scop(&original, &budget()).unwrap();
        let Expanded { scop, expansions } = expanded(&original).unwrap();
        let own = Dependences::of_scop(&scop, &budget()).unwrap();
        let domain = scop.statements.iter().fold(UnionSet::empty(), |union, statement| {
            union.union(&UnionSet::from_set(statement.domain.clone())).unwrap()
        });
        let tree = format!("{{ domain: \"{{}}\", child: {TREE} }}");
        let tree = ScheduleTree { domain, ..ScheduleTree::parse(&tree).unwrap() };
        let machine = Machine::generic();
        let contracted = contract(&tree, &scop, &expansions, &own, &machine, &budget());
        let contracted = contracted.unwrap().unwrap();
        Case { original, dependences, expansions, own, contracted }
    }

    fn ast(&self) -> AstNode {
        let Contracted { tree, scop, .. } = &self.contracted;
        let options = loopwright_astgen::Options::STANDARD;
        generate(tree, &scop.context, &options, &budget()).unwrap()
    }

    fn values(&self, scop: &Scop, expansions: &[Expansion], ast: &AstNode) -> Proof {
        let tree = self.contracted.tree.flatten().unwrap();
        let loops = Loops::read(ast, &tree, &scop.context, &budget()).unwrap();
        let program = ExpandedProgram {
            original: &self.original,
            dependences: &self.dependences,
            expanded: scop,
            expansions,
        };
        check_expansions(program, scop, &loops, &budget()).unwrap()
    }

    /// The change of the program must be refuted for a reason that contains these words.
    fn refuted(&self, change: impl FnOnce(&mut Scop), words: &str) {
        let mut scop = self.contracted.scop.clone();
        change(&mut scop);
        refuted(&self.values(&scop, &self.expansions, &self.ast()), words);
    }
}

fn refuted(proof: &Proof, words: &str) {
    let Proof::Refuted(violations) = proof else { panic!("{words}: {proof:?}") };
    assert!(violations.iter().any(|v| v.message.contains(words)), "{words}: {proof:?}");
}

/// Changes the subscripts of the array in a statement.
fn change_cells(
    scop: &mut Scop,
    statement: usize,
    array: ArrayId,
    change: impl Fn(&mut Vec<PwAff>),
) {
    scop.statements[statement].body.for_each_element_mut(&mut |element| {
        if element.array == array {
            change(&mut element.subscripts);
        }
    });
}

fn shifted(form: &PwAff, by: i64) -> PwAff {
    PwAff::from_aff(form.as_aff().unwrap().add_constant(&by.into()))
}

/// The block that declares the array, with `change` applied to it.
fn with_block(node: &AstNode, change: &impl Fn(&AstNode, &AstNode) -> AstNode) -> AstNode {
    match node {
        AstNode::For(each) => {
            let mut each = each.clone();
            each.body = Box::new(with_block(&each.body, change));
            AstNode::For(each)
        }
        AstNode::Block(children) => {
            AstNode::Block(children.iter().map(|child| with_block(child, change)).collect())
        }
        AstNode::Mark { child, .. } => change(node, child),
        AstNode::If { .. } | AstNode::User { .. } => node.clone(),
    }
}

#[test]
fn a_sum_in_tiles_is_proved() {
    let case = Case::new();
    assert_eq!(case.expansions.len(), 1);
    assert_eq!(case.expansions[0].n_loops, 2);
    let Contracted { tree, scop, decisions } = &case.contracted;
    assert_eq!(
        decisions[..],
        ["s has a value per iteration of 2 loops, in s_tile[16][32] of each tile"]
    );
    assert!(check_schedule(scop, &case.own, tree, &budget()).unwrap().is_proved());
    let proof = case.values(scop, &case.expansions, &case.ast());
    assert!(proof.is_proved(), "{proof:?}");
}

#[test]
fn cells_are_those_of_their_elements() {
    let case = Case::new();
    let array = case.expansions[0].array;
    case.refuted(
        |scop| {
            let extents = &mut scop.arrays[array.0 as usize].extents;
            let small = Aff::constant(&Space::params(&[]), &15.into());
            extents[0] = Some(PwAff::from_aff(small));
        },
        "outside of its extents",
    );
    case.refuted(
        |scop| {
            change_cells(scop, 2, array, |subscripts| {
                subscripts[0] = shifted(&subscripts[0], -1);
            });
        },
        "two elements share a cell",
    );
    case.refuted(
        |scop| {
            change_cells(scop, 2, array, |subscripts| {
                subscripts[1] = shifted(&subscripts[1], 1);
            });
        },
        "an element has two cells",
    );
    // All rows in one: each statement names the same cell for an element.
    case.refuted(
        |scop| {
            for statement in 0..3 {
                change_cells(scop, statement, array, |subscripts| {
                    let row = subscripts[0].as_aff().unwrap();
                    subscripts[0] = PwAff::from_aff(row.scale(&0.into()));
                });
            }
        },
        "two elements share a cell",
    );
}

#[test]
fn the_program_stays_what_it_is() {
    let case = Case::new();
    let array = case.expansions[0].array;
    case.refuted(
        |scop| {
            scop.statements[1].body =
                Body::read(scop.statements[1].body.pieces().into_iter().take(2))
        },
        "is not the statement that it was",
    );
    case.refuted(
        |scop| scop.statements[2].accesses.retain(|access| access.array != array),
        "is not the statement that it was",
    );
    case.refuted(|scop| scop.arrays[array.0 as usize].live_out = true, "is not an array for `s`");
    case.refuted(|scop| scop.arrays.push(scop.arrays[0].clone()), "more than the accesses");
    // A statement keeps the scalar.
    let scop = &case.contracted.scop;
    let mut fewer = case.expansions.clone();
    fewer[0].statements.retain(|id| *id != StatementId(2));
    let proof = case.values(scop, &fewer, &case.ast());
    refuted(&proof, "S2 is not the statement that it was");
    // An element per iteration of three loops, which not all statements have.
    let mut more = case.expansions.clone();
    more[0].n_loops = 3;
    refuted(&case.values(scop, &more, &case.ast()), "more than the accesses");
}

/// The same expansion of a program whose values go from one iteration to another, or to outside.
#[test]
fn values_stay_in_their_iteration() {
    let case = Case::new();
    for (region, words) in [
        (DOT.replace("s = 0;", "s += 0;"), "comes from or goes to outside"),
        (format!("s = 0; {}", DOT.replace("s = 0;", "s += 0;")), "is used in another iteration"),
    ] {
        let other = scop_of(&region);
        let dependences = Dependences::of_scop(&other, &budget()).unwrap();
        // The statements of the sum come last; the first one of the other program has no part.
        let shift = (other.statements.len() - 3) as u32;
        let renamed = |statement: &StatementId| StatementId(statement.0 - shift);
        let mut dependences = dependences;
        dependences.flow.retain(|flow| flow.source.0.0 >= shift && flow.sink.0.0 >= shift);
        for flow in &mut dependences.flow {
            flow.source.0 = renamed(&flow.source.0);
            flow.sink.0 = renamed(&flow.sink.0);
        }
        dependences.live_in.iter_mut().for_each(|live| live.statement = renamed(&live.statement));
        dependences.live_out.clear();
        let changed = Case { dependences, ..Case::new() };
        let proof = changed.values(&case.contracted.scop, &case.expansions, &case.ast());
        refuted(&proof, words);
    }
}

#[test]
fn an_element_is_in_one_block() {
    let case = Case::new();
    let scop = &case.contracted.scop;
    let without = with_block(&case.ast(), &|_, child| child.clone());
    refuted(&case.values(scop, &case.expansions, &without), "outside of its block");
    // One block per child: what the first one stores is lost.
    let parts = with_block(&case.ast(), &|mark, child| {
        let (AstNode::Mark { name, dimension, .. }, AstNode::Block(children)) = (mark, child)
        else {
            panic!("a block: {mark}")
        };
        let alone = |child: &AstNode| AstNode::Mark {
            name: name.clone(),
            dimension: *dimension,
            child: Box::new(child.clone()),
        };
        AstNode::Block(children.iter().map(alone).collect())
    });
    refuted(&case.values(scop, &case.expansions, &parts), "is used in several blocks");
}

#[test]
fn scalars_whose_values_go_elsewhere_are_not_expanded() {
    assert!(expanded(&scop_of(DOT)).is_some());
    for region in [
        DOT.replace("s = 0;", ""),
        DOT.replace("s = 0;", "if (A[i][j] > 0) s = 0;"),
        DOT.replace("for (int k = 0; k < n; k++)", "").replace("k]", "i]").replace("[k", "[i"),
        format!("s = 0; {}", DOT.replace("s = 0;", "")),
        DOT.replace("{ s = 0;", "{").replace("C[i][j] = s;", "C[i][j] = s; s = 0;"),
        // Used once more when all sums have been computed.
        format!("{DOT} C[0][0] = s;"),
    ] {
        assert!(expanded(&scop_of(&region)).is_none(), "{region}");
    }
    // Two sums, two arrays.
    let twice = format!("{DOT} {}", DOT.replace("C[", "A["));
    assert_eq!(expanded(&scop_of(&twice)).unwrap().expansions.len(), 2);
}
