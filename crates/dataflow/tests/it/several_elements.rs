//! Accesses of several elements by one instance, of which some may be overwritten or read alone.
use loopwright_dataflow::Dependences;
use loopwright_presburger::Budget;
use loopwright_scop::Scop;

/// Statements `S0[]`, `S1[]`, .. on one array `B`, in the order in which they are given with the kind of
/// the access and its elements.
fn dependences(live_out: bool, accesses: &[(&str, &str)]) -> Dependences {
    let scop = scop(live_out, accesses);
    Dependences::of_scop(&scop, &Budget::steps(1_000_000)).expect("the problem is small")
}

/// The model of these statements.
fn scop(live_out: bool, accesses: &[(&str, &str)]) -> Scop {
    let mut text = String::from("context: \"{ : }\"\narrays:\n- name: \"B\"\n  type: \"int\"\n");
    text +=
        "  tuple: \"B\"\n  bytes: 4\n  kind: signed\n  extents: [\"\"]\n  extent_texts: [\"\"]\n";
    text += &format!("  live_out: {}\nstatements:\n", i32::from(live_out));
    for (at, (kind, elements)) in accesses.iter().enumerate() {
        text +=
            &format!("- name: \"S{at}\"\n  domain: \"{{ S{at}[] }}\"\n  line: 1\n  column: 1\n");
        text += &format!("  accesses:\n  - array: \"B\"\n    kind: {kind}\n");
        text += &format!(
            "    relation: \"{{ S{at}[] -> B[x] : {elements} }}\"\n  body:\n  - text: \";\"\n"
        );
    }
    let names: Vec<String> = (0..accesses.len()).map(|at| format!("S{at}[]")).collect();
    text +=
        &format!("schedule:\n  domain: \"{{ {} }}\"\n  child:\n    sequence:\n", names.join("; "));
    for name in &names {
        text += &format!("    - filter: \"{{ {name} }}\"\n");
    }
    Scop::parse(&text).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

fn flow(dependences: &Dependences) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> =
        dependences.flow.iter().map(|d| (d.source.0.0, d.sink.0.0)).collect();
    pairs.sort_unstable();
    pairs
}

const ANY: &str = "0 <= x < 10";

#[test]
fn a_read_of_several_elements_has_several_sources() {
    let found = dependences(false, &[("write", "x = 1"), ("write", "x = 2"), ("read", ANY)]);
    assert_eq!(flow(&found), [(0, 2), (1, 2)]);
}

#[test]
fn what_overwrites_one_element_does_not_hide_the_others() {
    let found = dependences(false, &[("may-write", ANY), ("write", "x = 2"), ("read", ANY)]);
    assert_eq!(flow(&found), [(0, 2), (1, 2)]);
    let orders = || found.order.iter().chain(&found.forced);
    assert!(orders().any(|d| (d.source.0.0, d.sink.0.0) == (0, 1)), "the writes stay in order");
}

#[test]
fn a_write_of_several_elements_is_seen_after_one_is_overwritten() {
    let found = dependences(true, &[("may-write", ANY), ("write", "x = 2")]);
    let live: Vec<u32> = found.live_out.iter().map(|live| live.statement.0).collect();
    assert_eq!(live, [0, 1]);
}

#[test]
fn writes_stay_in_order_though_one_element_is_read_between() {
    let found = dependences(
        false,
        &[("may-write", ANY), ("read", "x = 5"), ("write", "x = 7"), ("read", "x = 7")],
    );
    let orders = || found.order.iter().chain(&found.forced);
    assert!(orders().any(|d| (d.source.0.0, d.sink.0.0) == (0, 2)));
}

/// So many that pairs of sources are not looked at one by one: 71 writes that one read sees.
#[test]
fn very_many_sources_of_one_read_stay_in_order() {
    let mut accesses = vec![("may-write", ANY); 71];
    accesses.push(("read", "x = 5"));
    let found = dependences(false, &accesses);
    let orders: Vec<_> = found.forced.iter().map(|d| (d.source.0.0, d.sink.0.0)).collect();
    for first in 0..71 {
        for second in first + 1..71 {
            assert!(orders.contains(&(first, second)), "{first} before {second}");
        }
    }
    assert!(orders.len() < 72 * 72, "each pair is there once");
}

/// What is to be proved of an order asks for no locality: all else is the same.
#[test]
fn settled_orders_have_all_dependences_but_those_of_locality() {
    let accesses = [
        ("may-write", ANY),
        ("write", "x = 2"),
        ("read", ANY),
        ("write", "x = 3"),
        ("read", "x = 3"),
    ];
    let scop = scop(true, &accesses);
    let budget = || Budget::steps(1_000_000);
    let all = Dependences::of_scop(&scop, &budget()).expect("the problem is small");
    let found = Dependences::in_settled_order(&scop, &budget()).expect("the problem is small");
    assert!(found.false_nearest.is_empty() && !all.false_nearest.is_empty());
    let text = |of: &Dependences| {
        format!("{:?} {:?} {:?} {:?} {:?}", of.flow, of.order, of.forced, of.live_in, of.live_out)
    };
    assert_eq!(text(&found), text(&all));
}
