//! Generated syntax trees, and all small changes of them, against an interpreter of the trees.

use crate::support::{Instance, budget, parameter_values, times};
use loopwright_astgen::{AstExpr, AstNode, Options, generate};
use loopwright_presburger::{Int, Set};
use loopwright_schedule::ScheduleTree;
use loopwright_verify::check_ast;
use std::collections::BTreeMap;

/// More instances than any correct tree executes.
const LIMIT: usize = 2_000;

type Values = BTreeMap<String, i64>;

fn value(expression: &AstExpr, values: &Values) -> i64 {
    use AstExpr::*;
    let of = |e: &AstExpr| value(e, values);
    let truth = |holds: bool| i64::from(holds);
    match expression {
        Int(number) => number.to_i64().unwrap(),
        Id(name) => values[&**name],
        Neg(a) => -of(a),
        Add(a, b) => of(a) + of(b),
        Sub(a, b) => of(a) - of(b),
        Mul(a, b) => of(a) * of(b),
        DivExact(a, b) | DivNonneg(a, b) => of(a) / of(b),
        DivFloor(a, b) => of(a).div_euclid(of(b)),
        RemNonneg(a, b) | RemZero(a, b) => of(a) % of(b),
        Min(list) => list.iter().map(of).min().unwrap(),
        Max(list) => list.iter().map(of).max().unwrap(),
        Select(condition, a, b) => {
            if of(condition) != 0 {
                of(a)
            } else {
                of(b)
            }
        }
        And(list) => truth(list.iter().all(|e| of(e) != 0)),
        Or(list) => truth(list.iter().any(|e| of(e) != 0)),
        Eq(a, b) => truth(of(a) == of(b)),
        Le(a, b) => truth(of(a) <= of(b)),
        Lt(a, b) => truth(of(a) < of(b)),
        Ge(a, b) => truth(of(a) >= of(b)),
        Gt(a, b) => truth(of(a) > of(b)),
        other => panic!("{other} is not in these trees"),
    }
}

/// Appends the instances that a tree executes, in order; stops when there are far too many.
fn execute(node: &AstNode, values: &mut Values, trace: &mut Vec<Instance>) {
    if trace.len() > LIMIT {
        return;
    }
    match node {
        AstNode::For(l) => {
            let name = l.iterator.to_string();
            let mut at = value(&l.init, values);
            for _ in 0..LIMIT {
                values.insert(name.clone(), at);
                if !l.degenerate && value(&l.condition, values) == 0 {
                    break;
                }
                execute(&l.body, values, trace);
                if l.degenerate {
                    break;
                }
                at += l.increment.to_i64().unwrap();
            }
            values.remove(&name);
        }
        AstNode::If { condition, then, otherwise } => {
            if value(condition, values) != 0 {
                execute(then, values, trace);
            } else if let Some(otherwise) = otherwise {
                execute(otherwise, values, trace);
            }
        }
        AstNode::Block(children) => {
            children.iter().for_each(|child| execute(child, values, trace));
        }
        AstNode::Mark { child, .. } => execute(child, values, trace),
        AstNode::User { statement, arguments, .. } => {
            let name = statement.output().and_then(|tuple| tuple.name().cloned()).unwrap();
            let arguments = arguments.iter().map(|e| value(e, values)).collect();
            trace.push((name.to_string(), arguments));
        }
    }
}

/// Whether a tree executes what the schedule says, in its order, for one value of the parameters.
fn is_right(ast: &AstNode, wanted: &BTreeMap<Instance, Vec<i64>>, mut values: Values) -> bool {
    let mut trace = Vec::new();
    execute(ast, &mut values, &mut trace);
    let mut sorted: Vec<&Instance> = trace.iter().collect();
    sorted.sort();
    let same_instances = sorted.into_iter().eq(wanted.keys());
    same_instances && trace.windows(2).all(|pair| wanted[&pair[0]] <= wanted[&pair[1]])
}

fn plus(expression: &AstExpr, amount: i64) -> AstExpr {
    AstExpr::Add(Box::new(expression.clone()), Box::new(AstExpr::int(amount)))
}

/// A condition with one of its comparisons off by one, in both directions.
fn off_by_one(condition: &AstExpr) -> Vec<AstExpr> {
    use AstExpr::*;
    let both = |rebuild: fn(Box<AstExpr>, Box<AstExpr>) -> AstExpr, a: &AstExpr, b: &AstExpr| {
        [-1, 1].map(|amount| rebuild(Box::new(a.clone()), Box::new(plus(b, amount)))).to_vec()
    };
    match condition {
        Eq(a, b) => both(Eq, a, b),
        Le(a, b) => both(Le, a, b),
        Lt(a, b) => both(Lt, a, b),
        Ge(a, b) => both(Ge, a, b),
        Gt(a, b) => both(Gt, a, b),
        And(list) | Or(list) => {
            let mut results = Vec::new();
            for (position, operand) in list.iter().enumerate() {
                for changed in off_by_one(operand) {
                    let mut list = list.clone();
                    list[position] = changed;
                    let is_and = matches!(condition, And(_));
                    results.push(if is_and { And(list) } else { Or(list) });
                }
            }
            results
        }
        _ => Vec::new(),
    }
}

/// The changes of one node (not of its children).
fn changed(node: &AstNode) -> Vec<AstNode> {
    let mut results = vec![AstNode::Block(vec![node.clone(), node.clone()])];
    match node {
        AstNode::For(l) => {
            let mut push = |change: &dyn Fn(&mut loopwright_astgen::ForLoop)| {
                let mut changed = l.clone();
                change(&mut changed);
                results.push(AstNode::For(changed));
            };
            push(&|l| l.init = plus(&l.init, 1));
            push(&|l| l.init = plus(&l.init, -1));
            push(&|l| l.increment = &l.increment + &Int::from(1));
            push(&|l| l.degenerate = !l.degenerate);
            for condition in off_by_one(&l.condition) {
                push(&|l| l.condition = condition.clone());
            }
        }
        AstNode::If { condition, then, otherwise } => {
            results.push((**then).clone());
            results.extend(otherwise.as_deref().cloned());
            for condition in off_by_one(condition) {
                let (then, otherwise) = (then.clone(), otherwise.clone());
                results.push(AstNode::If { condition, then, otherwise });
            }
        }
        AstNode::Block(children) => {
            for position in 0..children.len() {
                let mut fewer = children.clone();
                fewer.remove(position);
                results.push(AstNode::Block(fewer));
                let mut swapped = children.clone();
                swapped.swap(position, (position + 1) % children.len());
                results.push(AstNode::Block(swapped));
            }
        }
        AstNode::Mark { .. } => {}
        AstNode::User { statement, arguments, place } => {
            let mut push = |arguments: Vec<AstExpr>| {
                let (statement, place) = (statement.clone(), place.clone());
                results.push(AstNode::User { statement, arguments, place });
            };
            for position in 0..arguments.len() {
                for change in [-1, 1] {
                    let mut arguments = arguments.clone();
                    arguments[position] = plus(&arguments[position], change);
                    push(arguments);
                }
                let mut swapped = arguments.clone();
                swapped.swap(position, (position + 1) % arguments.len());
                push(swapped);
            }
        }
    }
    results
}

/// All trees with one change somewhere.
fn mutants(node: &AstNode) -> Vec<AstNode> {
    let mut results = changed(node);
    let of = |child: &AstNode| mutants(child).into_iter();
    match node {
        AstNode::For(l) => results.extend(of(&l.body).map(|body| {
            AstNode::For(loopwright_astgen::ForLoop { body: Box::new(body), ..l.clone() })
        })),
        AstNode::If { condition, then, otherwise } => {
            results.extend(of(then).map(|then| AstNode::If {
                condition: condition.clone(),
                then: Box::new(then),
                otherwise: otherwise.clone(),
            }));
            results.extend(otherwise.iter().flat_map(|child| of(child)).map(|child| AstNode::If {
                condition: condition.clone(),
                then: then.clone(),
                otherwise: Some(Box::new(child)),
            }));
        }
        AstNode::Block(children) => {
            for position in 0..children.len() {
                results.extend(of(&children[position]).map(|child| {
                    let mut children = children.clone();
                    children[position] = child;
                    AstNode::Block(children)
                }));
            }
        }
        AstNode::Mark { name, dimension, child } => results.extend(of(child).map(|child| {
            AstNode::Mark { name: name.clone(), dimension: *dimension, child: Box::new(child) }
        })),
        AstNode::User { .. } => {}
    }
    results
}

/// Checks the generated tree and all its mutants; returns how many were right and wrong.
fn verdicts(schedule: &str) -> (usize, usize) {
    let tree = ScheduleTree::parse(schedule).unwrap_or_else(|e| panic!("{schedule}: {e}"));
    let context = Set::parse("[n] -> { : n >= 0 }").unwrap();
    let ast = generate(&tree, &context, &Options::STANDARD, &budget()).unwrap();
    let wanted: Vec<_> =
        parameter_values(&context).into_iter().map(|n| (n, times(&tree, n))).collect();
    let is_right_for_all = |ast: &AstNode| {
        wanted.iter().all(|(n, times)| is_right(ast, times, Values::from([("n".into(), *n)])))
    };
    assert!(is_right_for_all(&ast), "{schedule}\n{ast}");
    let proof = check_ast(&ast, &tree, &context, &budget()).unwrap();
    assert!(proof.is_proved(), "{schedule}\n{ast}\n{proof:?}");
    let (mut right, mut wrong) = (0, 0);
    for mutant in mutants(&ast) {
        let proof = check_ast(&mutant, &tree, &context, &budget());
        let proved = proof.as_ref().is_ok_and(|proof| proof.is_proved());
        let is_right = is_right_for_all(&mutant);
        assert_eq!(proved, is_right, "{schedule}\n{ast}\nchanged to\n{mutant}\n{proof:?}");
        if is_right { right += 1 } else { wrong += 1 }
    }
    (right, wrong)
}

const SCHEDULES: [&str; 17] = [
    // Multiples of 4 and, inside of each, of 2: that iterators are these is a fact about lattices.
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n }",
         child: { schedule: "[{ S[i] -> [4*floor(i/4)] }, { S[i] -> [2*floor(i/2)] }, { S[i] -> [i] }]" } }"#,
    // Iterations spread over blocks and threads, which have several of them in strides: instances are found
    // by the schedule.
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: { schedule:
         "[{ S[i] -> [floor(i/4)] }, { S[i] -> [i - 2*floor(i/2)] }, { S[i] -> [floor(i/2) - 2*floor(i/4)] }]" } }"#,
    // Two statements, of which one has no loop inside.
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j <= i }", child: {
         schedule: "[{ S[i] -> [floor(i/3)]; T[i, j] -> [floor(i/3)] }, { S[i] -> [i - 3*floor(i/3)]; T[i, j] -> [i - 3*floor(i/3)] }]",
         child: { sequence: [ { filter: "{ S[i] }" }, { filter: "{ T[i, j] }", child: { schedule: "[{ T[i, j] -> [j] }]" } } ] } } }"#,
    r#"{ domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }", child: {
         schedule: "[{ S[i, j] -> [2*floor(i/2)] }, { S[i, j] -> [2*floor(j/2)] }]", child: {
           schedule: "[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]" } } }"#,
    r#"{ domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n; T[i, j] : 0 <= i < n and 0 <= j < n }",
         child: { schedule: "[{ S[i, j] -> [floor((2i + j)/3)]; T[i, j] -> [floor((2i + j + 1)/3)] }]",
           child: { schedule: "[{ S[i, j] -> [2i + j]; T[i, j] -> [2i + j + 1] }, { S[i, j] -> [i]; T[i, j] -> [i] }]",
             child: { sequence: [ { filter: "{ T[i, j] }" }, { filter: "{ S[i, j] }" } ] } } } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: { schedule: "[{ S[i] -> [i] }]" } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n }", child: { schedule: "[{ S[i] -> [-i] }]" } }"#,
    r#"{ domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j <= i }",
         child: { schedule: "[{ S[i, j] -> [j] }, { S[i, j] -> [i] }]" } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n }",
         child: { schedule: "[{ S[i] -> [3*floor(i/3)] }, { S[i] -> [i] }]" } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n }",
         child: { schedule: "[{ S[i] -> [floor(i/2)] }, { S[i] -> [i] }]" } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 1 <= i <= n }", child: {
         schedule: "[{ S[i] -> [i]; T[i] -> [i] }]", child: { sequence: [
           { filter: "{ T[i] }" }, { filter: "{ S[i] }" } ] } } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i, j] : 0 <= i < n and 0 <= j < i; U[] : n >= 2 }",
         child: { sequence: [
           { filter: "{ U[] }" },
           { filter: "{ S[i]; T[i, j] }", child: { schedule: "[{ S[i] -> [i]; T[i, j] -> [i] }]",
             child: { sequence: [ { filter: "{ S[i] }" },
               { filter: "{ T[i, j] }", child: { schedule: "[{ T[i, j] -> [j] }]" } } ] } } } ] } }"#,
    r#"{ domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < n }",
         child: { schedule: "[{ S[i, j] -> [i + j] }, { S[i, j] -> [i] }]" } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n and (i mod 2) = 0; T[i] : 0 <= i < n and i >= 2 }",
         child: { schedule: "[{ S[i] -> [i]; T[i] -> [i] }]", child: { sequence: [
           { filter: "{ S[i] }" }, { filter: "{ T[i] }" } ] } } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n; U[i] : 0 <= i < n }", child: {
         schedule: "[{ S[i] -> [3i]; T[i] -> [3i + 1]; U[i] -> [3i + 2] }]" } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }", child: {
         schedule: "[{ S[i] -> [2i]; T[i] -> [2i + 3] }]" } }"#,
    r#"{ domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n; U[] }", child: { schedule:
         "[n] -> [{ S[i] -> [i]; T[i] -> [i]; U[] -> [n] }, { S[i] -> [n]; T[i] -> [n + 2]; U[] -> [0] }]" } }"#,
];

/// Refuted exactly if the interpreter sees a difference for some small parameter value.
#[test]
fn verdicts_on_changed_trees_are_those_of_the_interpreter() {
    let (mut right, mut wrong) = (0, 0);
    for schedule in SCHEDULES {
        let (more_right, more_wrong) = verdicts(schedule);
        right += more_right;
        wrong += more_wrong;
    }
    assert!(right > 5 && wrong > 100, "{right} right, {wrong} wrong");
}
