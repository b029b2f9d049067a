//! Random trees are executed before and after: the same statements in the same order, with barriers wherever
//! there were some.
use super::{has_barrier_on_condition, negation, with_unconditional_barriers};
use loopwright_astgen::{AstExpr, AstNode, ForLoop};
use loopwright_presburger::{Int, Name};
use std::collections::BTreeMap;

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

fn name(text: &str) -> Name {
    text.into()
}

fn mark(text: &str, child: AstNode) -> AstNode {
    AstNode::Mark { name: name(text), dimension: 0, child: Box::new(child) }
}

fn nothing() -> AstNode {
    AstNode::Block(Vec::new())
}

/// A comparison of an iterator around, or of the symbolic constant, with a number.
fn comparison(random: &mut Random, depth: u64) -> AstExpr {
    let of = match random.below(depth + 1) {
        0 => name("n"),
        at => name(&format!("c{}", at - 1)),
    };
    let (a, b) = (Box::new(AstExpr::Id(of)), Box::new(AstExpr::int(random.below(4) as i64)));
    match random.below(5) {
        0 => AstExpr::Eq(a, b),
        1 => AstExpr::Le(a, b),
        2 => AstExpr::Lt(a, b),
        3 => AstExpr::Ge(a, b),
        _ => AstExpr::Gt(a, b),
    }
}

fn condition(random: &mut Random, depth: u64) -> AstExpr {
    let two = |random: &mut Random| vec![comparison(random, depth), comparison(random, depth)];
    match random.below(6) {
        0 => AstExpr::And(two(random)),
        1 => AstExpr::Or(two(random)),
        2 => AstExpr::AndThen(two(random)),
        3 => AstExpr::OrElse(two(random)),
        _ => comparison(random, depth),
    }
}

fn tree(random: &mut Random, depth: u64, size: u64) -> AstNode {
    let choice = if size == 0 { random.below(2) } else { random.below(10) };
    let below = |random: &mut Random| Box::new(tree(random, depth, size.saturating_sub(1)));
    match choice {
        0 => mark(&format!("S{}", random.below(1000)), nothing()),
        1 => mark("barrier", mark(&format!("S{}", random.below(1000)), nothing())),
        2 => mark("barrier", *below(random)),
        3 => mark("shared(T)", *below(random)),
        4 | 5 => {
            let otherwise = (random.below(3) == 0).then(|| below(random));
            AstNode::If { condition: condition(random, depth), then: below(random), otherwise }
        }
        6 | 7 => AstNode::Block((0..3).map(|_| *below(random)).collect()),
        _ => {
            let iterator = name(&format!("c{depth}"));
            let end = AstExpr::int(random.below(4) as i64);
            let condition = AstExpr::Lt(Box::new(AstExpr::Id(iterator.clone())), Box::new(end));
            AstNode::For(ForLoop {
                iterator,
                init: AstExpr::int(0),
                condition,
                increment: Int::ONE,
                multiples_of: None,
                body: Box::new(tree(random, depth + 1, size - 1)),
                degenerate: random.below(4) == 0,
                coincident: false,
                dimension: depth as usize,
                entry: Default::default(),
                annotation: None,
            })
        }
    }
}

/// What is executed: statements, and whether there was a barrier since the last one.
#[derive(Default)]
struct Trace {
    statements: Vec<String>,
    barriers: Vec<bool>,
    waits: bool,
}

type Values = BTreeMap<Name, i64>;

fn holds(condition: &AstExpr, values: &Values) -> bool {
    let value = |expression: &AstExpr| match expression {
        AstExpr::Id(name) => values[name],
        other => other.as_int().and_then(Int::to_i64).expect("a number"),
    };
    match condition {
        AstExpr::And(list) | AstExpr::AndThen(list) => list.iter().all(|own| holds(own, values)),
        AstExpr::Or(list) | AstExpr::OrElse(list) => list.iter().any(|own| holds(own, values)),
        AstExpr::Eq(a, b) => value(a) == value(b),
        AstExpr::Le(a, b) => value(a) <= value(b),
        AstExpr::Lt(a, b) => value(a) < value(b),
        AstExpr::Ge(a, b) => value(a) >= value(b),
        AstExpr::Gt(a, b) => value(a) > value(b),
        other => panic!("{other:?}"),
    }
}

fn run(node: &AstNode, values: &mut Values, trace: &mut Trace) {
    match node {
        AstNode::For(each) => {
            values.insert(each.iterator.clone(), 0);
            while each.degenerate || holds(&each.condition, values) {
                run(&each.body, values, trace);
                if each.degenerate {
                    break;
                }
                *values.get_mut(&each.iterator).expect("an iterator") += 1;
            }
            values.remove(&each.iterator);
        }
        AstNode::If { condition, then, otherwise } => match holds(condition, values) {
            true => run(then, values, trace),
            false => otherwise.iter().for_each(|otherwise| run(otherwise, values, trace)),
        },
        AstNode::Block(children) => children.iter().for_each(|child| run(child, values, trace)),
        AstNode::Mark { name, child, .. } => {
            if name.starts_with('S') {
                trace.statements.push(format!("{name} {values:?}"));
                trace.barriers.push(std::mem::take(&mut trace.waits));
            }
            trace.waits |= &**name == "barrier";
            run(child, values, trace);
            trace.waits |= name.starts_with("shared");
        }
        AstNode::User { .. } => {}
    }
}

fn executed(node: &AstNode, n: i64) -> Trace {
    let (mut values, mut trace) = (Values::from([(name("n"), n)]), Trace::default());
    run(node, &mut values, &mut trace);
    trace.barriers.push(trace.waits);
    trace
}

#[test]
fn parts_run_as_before_between_more_barriers() {
    let mut random = Random(7);
    let mut n_changed = 0;
    for _ in 0..3000 {
        let node = mark("kernel(k)", tree(&mut random, 0, 6));
        let split = with_unconditional_barriers(node.clone());
        assert!(!has_barrier_on_condition(&split), "{node:#?}");
        n_changed += usize::from(has_barrier_on_condition(&node));
        for n in 0..4 {
            let (before, after) = (executed(&node, n), executed(&split, n));
            assert_eq!(before.statements, after.statements, "{node:#?}");
            let mut pairs = before.barriers.iter().zip(&after.barriers);
            assert!(pairs.all(|(before, after)| *after || !before), "{node:#?}");
        }
    }
    assert!(n_changed > 300, "{n_changed}");
}

/// What PoCL 3.1 never ends with: a condition around a barrier, beside a loop with barriers.
#[test]
fn conditions_beside_loops_stand_around_parts() {
    let condition = AstExpr::Gt(Box::new(AstExpr::Id(name("n"))), Box::new(AstExpr::int(2)));
    let then = Box::new(mark("barrier", mark("S0", nothing())));
    let conditional = AstNode::If { condition, then, otherwise: None };
    let end = AstExpr::Lt(Box::new(AstExpr::Id(name("c0"))), Box::new(AstExpr::int(3)));
    let each = AstNode::For(ForLoop {
        iterator: name("c0"),
        init: AstExpr::int(0),
        condition: end,
        increment: Int::ONE,
        multiples_of: None,
        body: Box::new(mark("barrier", mark("S1", nothing()))),
        degenerate: false,
        coincident: false,
        dimension: 0,
        entry: Default::default(),
        annotation: None,
    });
    let node = mark("kernel(k)", AstNode::Block(vec![conditional, each]));
    let split = with_unconditional_barriers(node);
    let AstNode::Mark { child, .. } = split else { panic!("{split:?}") };
    let AstNode::Block(parts) = *child else { panic!("{child:?}") };
    let is_barrier = |node: &AstNode| matches!(node, AstNode::Mark { name, child, .. } if &**name == "barrier" && matches!(**child, AstNode::If { .. }));
    assert!(is_barrier(&parts[0]), "{parts:?}");
}

#[test]
fn what_has_no_barrier_in_a_loop_stays() {
    let condition = AstExpr::Gt(Box::new(AstExpr::Id(name("n"))), Box::new(AstExpr::int(2)));
    let then = Box::new(mark("barrier", mark("S0", nothing())));
    let node = mark("kernel(k)", AstNode::If { condition, then, otherwise: None });
    let same = with_unconditional_barriers(node.clone());
    assert_eq!(format!("{node:?}"), format!("{same:?}"));
}

#[test]
fn conditions_of_another_kind_have_no_negation() {
    assert_eq!(negation(&AstExpr::Id(name("n"))), None);
    assert_eq!(negation(&AstExpr::int(3)), Some(AstExpr::int(0)));
}
