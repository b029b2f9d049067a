//! Models that were built in code and whose parts do not fit together: an error, no panic.
use loopwright_dataflow::{Dependences, input_dependences, reductions};
use loopwright_presburger::{Budget, Map, Set};
use loopwright_scop::{ArrayId, Scop, StatementId};

const MODEL: &str = r#"
context: "[n] -> { : n > 3 }"
parameters:
  - name: n
    type: int
arrays:
  - name: a
    tuple: a
    type: double
    kind: floating
    extents: [ "[n] -> { [(n)] }" ]
    extent_texts: [ n ]
    live_out: true
statements:
  - name: S0
    domain: "[n] -> { S0[i] : 0 < i < n }"
    iterators: [ i ]
    iterator_types: [ int ]
    accesses:
      - array: a
        kind: write
        relation: "[n] -> { S0[i] -> a[i] : 0 < i < n }"
      - array: a
        kind: read
        relation: "[n] -> { S0[i] -> a[i - 1] : 0 < i < n }"
    body: []
schedule:
  domain: "[n] -> { S0[i] : 0 < i < n }"
  child:
    schedule: "[n] -> [ { S0[i] -> [(i)] } ]"
"#;

fn analyses(scop: &Scop) -> [Option<String>; 3] {
    let budget = &Budget::steps(1_000_000);
    [
        Dependences::of_scop(scop, budget).err().map(|error| error.to_string()),
        input_dependences(scop, budget).err().map(|error| error.to_string()),
        reductions(scop, budget).err().map(|error| error.to_string()),
    ]
}

#[test]
fn a_right_model_is_analysed() {
    let scop = Scop::parse(MODEL).unwrap();
    assert_eq!(analyses(&scop), [None, None, None]);
    assert_eq!(Dependences::of_scop(&scop, &Budget::unlimited()).unwrap().flow.len(), 1);
}

#[test]
fn wrong_models_are_errors_of_every_analysis() {
    type Damage = fn(&mut Scop);
    let cases: [(Damage, &str); 6] = [
        (|m| m.statements[0].id = StatementId(1), "statement 0 has the id S1"),
        (|m| m.statements[0].accesses[1].array = ArrayId(1), "is to array 1, which is missing"),
        (
            |m| {
                let wrong = Map::parse("[n] -> { S0[i] -> a[i, 0] }").unwrap();
                m.statements[0].accesses[0].relation = wrong;
            },
            "R0 of S0, to a of 1, ends at a[2 dimensions]",
        ),
        (
            |m| {
                let wrong = Map::parse("[n] -> { T[i] -> a[i] }").unwrap();
                m.statements[0].accesses[0].relation = wrong;
            },
            "R0 of S0 begins at T[1 dimensions]",
        ),
        (|m| m.statements[0].iterators.clear(), "the domain of S0, of 0 iterators"),
        (
            |m| {
                let mut more = m.statements[0].clone();
                more.id = StatementId(1);
                more.name = "S1".into();
                more.domain = Set::parse("[n] -> { S1[i] : 0 < i < n }").unwrap();
                more.accesses.clear();
                m.statements.push(more);
            },
            "instances of S1 are not in the domain of the schedule",
        ),
    ];
    for (damage, message) in cases {
        let mut scop = Scop::parse(MODEL).unwrap();
        damage(&mut scop);
        let [flow, input, updates] = analyses(&scop);
        // Updates are a matter of statements alone.
        let of_order = message.contains("schedule");
        for found in [flow, input, if of_order { Some(message.to_string()) } else { updates }] {
            let found = found.unwrap_or_default();
            assert!(found.contains(message), "`{found}` does not say `{message}`");
        }
    }
}
