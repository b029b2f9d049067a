//! Tiles of variable sizes: right loops are proved and run as enumeration says; changed ones, and orders that
//! are not legal for all sizes, are refuted.
use crate::support::{budget, region};
use loopwright_astgen::{AstExpr, AstNode, ForLoop, Options, generate, with_multiples};
use loopwright_presburger::Set;
use loopwright_schedule::ScheduleTree;
use loopwright_verify::{Proof, Values, check_order_in_tiles, check_tiles, execute};

const CONTEXT: &str = "[n, p, q] -> { : 1 <= p, q <= 1000 }";

fn tree(domain: &str, tiles: [&str; 2]) -> ScheduleTree {
    let statement = domain.split_once("{ ").unwrap().1.split_once(" :").unwrap().0;
    let band = |members: [&str; 2]| {
        let members = members.map(|member| format!("{{ {statement} -> [{member}] }}"));
        format!("schedule: '[{}]'", members.join(", "))
    };
    let (tiles, points) = (band(tiles), band(["i", "i + j"]));
    let below = format!("{{ mark: 'origins(p, q)', child: {{ {tiles}, child: {{ {points} }} }} }}");
    ScheduleTree::parse(&format!("{{ domain: '{domain}', child: {below} }}")).unwrap()
}

/// Points of a triangle in tiles along `i` and `i + j`.
fn marked() -> ScheduleTree {
    tree("[n] -> { S[i, j] : 0 <= j <= i < n }", ["i", "i + j"])
}

/// The same with origins in front.
fn loops() -> AstNode {
    let instances = "[n, p, q] -> { S[t, u, i, j] : 0 <= j <= i < n and t <= i < t + p and u <= i + j < u + q }";
    let context = Set::parse(CONTEXT).unwrap();
    let tree = tree(instances, ["t", "u"]);
    with_multiples(generate(&tree, &context, &Options::STANDARD, &budget()).unwrap())
}

fn proof(ast: &AstNode, context: &str) -> Proof {
    check_tiles(ast, &marked(), &Set::parse(context).unwrap(), &budget()).unwrap()
}

#[test]
fn loops_over_multiples_run_as_enumeration_says() {
    let ast = loops();
    assert!(proof(&ast, CONTEXT).is_proved(), "{:?}\n{ast}", proof(&ast, CONTEXT));
    for (n, p, q) in [(0, 1, 1), (1, 1, 1), (5, 1, 2), (6, 2, 3), (7, 3, 2), (7, 9, 4), (8, 4, 20)]
    {
        let mut wanted = Vec::new();
        for i in 0..n {
            wanted.extend((0..=i).map(|j| (i / p, (i + j) / q, i, j)));
        }
        wanted.sort_unstable();
        let values = Values::from([("n".into(), n), ("p".into(), p), ("q".into(), q)]);
        let found = execute(&ast, &values, 10_000).unwrap();
        let found: Vec<_> =
            found.iter().map(|(_, at)| (at[0] / p, at[1] / q, at[2], at[3])).collect();
        assert_eq!(found, wanted, "n = {n}, tiles of {p} x {q}: {ast}");
    }
}

/// The tree with its loops changed, from the outside in.
fn changed(node: &AstNode, change: &mut dyn FnMut(usize, &mut ForLoop), depth: usize) -> AstNode {
    match node {
        AstNode::For(each) => {
            let mut each = each.clone();
            change(depth, &mut each);
            each.body = Box::new(changed(&each.body, change, depth + 1));
            AstNode::For(each)
        }
        AstNode::Block(children) => {
            AstNode::Block(children.iter().map(|child| changed(child, change, depth)).collect())
        }
        other => other.clone(),
    }
}

#[test]
fn other_loops_are_refuted() {
    type Change = fn(usize, &mut ForLoop);
    let more = |bound: &AstExpr| AstExpr::Add(Box::new(bound.clone()), Box::new(AstExpr::int(1)));
    let changes: [(&str, Change); 5] = [
        ("all values of the outer loop", |depth, each| {
            if depth == 0 {
                each.multiples_of = None;
            }
        }),
        ("all values of the inner loop", |depth, each| {
            if depth == 1 {
                each.multiples_of = None;
            }
        }),
        ("the sizes swapped", |depth, each| {
            if depth < 2 {
                each.multiples_of = Some(["q", "p"][depth].into());
            }
        }),
        ("multiples of points", |depth, each| {
            if depth == 2 {
                each.multiples_of = Some("p".into());
            }
        }),
        ("steps of two", |depth, each| {
            if depth == 3 {
                each.increment = 2.into();
            }
        }),
    ];
    let ast = loops();
    for (name, change) in changes {
        let mut change = change;
        let wrong = changed(&ast, &mut change, 0);
        assert!(matches!(proof(&wrong, CONTEXT), Proof::Refuted(_)), "{name}: {wrong}");
    }
    for at in 0..4 {
        let wrong = changed(
            &ast,
            &mut |depth, each| {
                if depth == at {
                    each.init = more(&each.init);
                }
            },
            0,
        );
        assert!(
            matches!(proof(&wrong, CONTEXT), Proof::Refuted(_)),
            "loop {at} begins later: {wrong}"
        );
    }
    let any_size = "[n, p, q] -> { : 0 <= p <= 1000 and 1 <= q <= 1000 }";
    assert!(matches!(proof(&ast, any_size), Proof::Refuted(_)), "a size of zero");
}

/// Checks `members` in tiles, with a mark above the loops over tiles.
#[track_caller]
fn assert_order(lines: &str, mark: &str, members: [&str; 2], proved: bool) {
    let (scop, dependences) = region(lines);
    let members = members.map(|member| format!("{{ S0[i, j] -> [{member}] }}")).join(", ");
    let band = |below: &str| format!("{{ schedule: \"[n] -> [{members}]\"{below} }}");
    let loops = band(&format!(", child: {}", band("")));
    let loops =
        if mark.is_empty() { loops } else { format!("{{ mark: \"{mark}\", child: {loops} }}") };
    let text = format!(
        "{{ domain: \"{}\", child: {{ mark: \"origins(p, q)\", child: {loops} }} }}",
        scop.schedule.domain
    );
    let tree = ScheduleTree::parse(&text).unwrap();
    let proof = check_order_in_tiles(&scop, &dependences, &tree, &budget()).unwrap();
    assert_eq!(proof.is_proved(), proved, "{proof:?}");
}

#[test]
fn orders_are_legal_for_all_sizes_or_refuted() {
    let both = "for (int i = 1; i < n; i++) for (int j = 1; j < n; j++) c[i][j] = c[i - 1][j] + c[i][j - 1];";
    let back =
        "for (int i = 1; i < n; i++) for (int j = 0; j < n - 1; j++) c[i][j] = c[i - 1][j + 1];";
    let rows = "for (int i = 0; i < n; i++) for (int j = 1; j < n; j++) c[i][j] = c[i][j - 1];";
    assert_order(both, "", ["i", "j"], true);
    assert_order(both, "pipelined", ["i", "j"], true);
    assert_order(both, "parallel", ["i", "j"], false);
    assert_order(both, "", ["i", "-j"], false);
    // In the order of the program it is right, in tiles it is not.
    assert_order(back, "", ["i", "j"], false);
    assert_order(back, "pipelined", ["i", "j"], false);
    assert_order(back, "", ["i", "i + j"], true);
    assert_order(back, "pipelined", ["i", "i + j"], true);
    assert_order(rows, "parallel", ["i", "j"], true);
    assert_order(rows, "parallel", ["j", "i"], false);
}

/// A mark of an inner loop over tiles says nothing about tiles: loops with equal outer values are others than
/// those in one outer tile.
#[test]
fn only_the_outermost_loop_over_tiles_is_marked() {
    let (scop, dependences) =
        region("for (int i = 1; i < n; i++) for (int j = 0; j < n; j++) c[i][j] = c[i - 1][j];");
    let band = |member: &str, below: &str| {
        format!("{{ schedule: \"[n] -> [{{ S0[i, j] -> [{member}] }}]\"{below} }}")
    };
    let points = format!(", child: {}", band("i", &format!(", child: {}", band("j", ""))));
    let inner = format!(", child: {{ mark: \"parallel\", child: {} }}", band("j", &points));
    let text = format!(
        "{{ domain: \"{}\", child: {{ mark: \"origins(p, q)\", child: {} }} }}",
        scop.schedule.domain,
        band("i", &inner)
    );
    let tree = ScheduleTree::parse(&text).unwrap();
    let proof = check_order_in_tiles(&scop, &dependences, &tree, &budget()).unwrap();
    let Proof::Refuted(violations) = proof else { panic!("{proof:?}") };
    assert!(violations[0].message.contains("not the outermost one"), "{}", violations[0].message);
}
