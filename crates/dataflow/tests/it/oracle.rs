//! Dependences against a simulation that remembers the last access of every element.
//!
//! Random programs of two statements in a loop nest of depth two; the oracle runs them for one
//! parameter value and shares no code with the analysis.
use loopwright_dataflow::{Dependence, Dependences};
use loopwright_presburger::{Budget, DimKind, Int, Map, MultiUnionPwAff, Set, UnionSet};
use loopwright_schedule::{Band, Node, ScheduleTree};
use loopwright_scop::{
    Access, AccessKind, Array, ArrayId, Body, Location, Parameter, ReferenceId, Scop, Statement,
    StatementId,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const N: i64 = 4;

/// An access `A[a*i + b*j + c]`.
#[derive(Clone, Debug)]
struct Form {
    array: u32,
    a: i64,
    b: i64,
    c: i64,
    kind: AccessKind,
}

/// A statement `S[i, j]`, `0 <= i, j < n`, at a position in the body of the loop over `i` (both
/// statements then have their own loop over `j`) or of the loop over `j`.
#[derive(Clone, Debug)]
struct Program {
    statements: Vec<Vec<Form>>,
    share_inner_loop: bool,
    triangular: bool,
    live_out: [bool; 2],
}

impl Program {
    fn instances(&self) -> Vec<(usize, i64, i64)> {
        let mut instances = Vec::new();
        for s in 0..self.statements.len() {
            for i in 0..N {
                for j in 0..N {
                    if !self.triangular || j <= i {
                        instances.push((s, i, j));
                    }
                }
            }
        }
        instances.sort_by_key(|&(s, i, j)| self.time(s, i, j));
        instances
    }

    fn time(&self, s: usize, i: i64, j: i64) -> Vec<i64> {
        if self.share_inner_loop { vec![i, j, s as i64] } else { vec![i, s as i64, j] }
    }

    fn scop(&self) -> Scop {
        let statements: Vec<Statement> =
            (0..self.statements.len()).map(|s| self.statement(s)).collect();
        let mut domain = UnionSet::empty();
        for statement in &statements {
            domain = domain.union(&UnionSet::from_set(statement.domain.clone())).unwrap();
        }
        let members: Vec<String> = (0..3)
            .map(|dim| {
                let parts: Vec<String> = (0..statements.len())
                    .map(|s| format!("S{s}[i, j] -> [({})]", self.time_text(s)[dim]))
                    .collect();
                format!("{{ {} }}", parts.join("; "))
            })
            .collect();
        let schedule = MultiUnionPwAff::parse(&format!("[{}]", members.join(", "))).unwrap();
        let array = |name: &str, live_out| Array {
            name: name.into(),
            tuple_name: name.into(),
            element_type: "double".to_string(),
            element_bytes: Some(8),
            element_kind: Default::default(),
            extents: vec![None],
            extent_texts: vec![String::new()],
            is_member: false,
            declared_in_scop: false,
            live_out,
            declaration_depth: 0,
        };
        Scop {
            context: Set::parse("[n] -> { : n >= 1 }").unwrap(),
            parameters: vec![Parameter {
                name: "n".into(),
                c_type: "int".to_string(),
                value: None,
            }],
            arrays: vec![array("A", self.live_out[0]), array("B", self.live_out[1])],
            statements,
            schedule: ScheduleTree { domain, root: Node::band(Band::new(schedule), Node::Leaf) },
            assumptions: Vec::new(),
        }
    }

    fn time_text(&self, s: usize) -> [String; 3] {
        let s = s.to_string();
        if self.share_inner_loop {
            ["i".into(), "j".into(), s]
        } else {
            ["i".into(), s, "j".into()]
        }
    }

    fn statement(&self, s: usize) -> Statement {
        let bound = if self.triangular { "j <= i" } else { "j < n" };
        let domain = format!("0 <= i < n and 0 <= j and {bound}");
        let access = |(position, form): (usize, &Form)| Access {
            reference: ReferenceId(position as u32),
            array: ArrayId(form.array),
            kind: form.kind,
            relation: Map::parse(&format!(
                "[n] -> {{ S{s}[i, j] -> {}[{} i + {} j + {}] : {domain} }}",
                ["A", "B"][form.array as usize],
                form.a,
                form.b,
                form.c
            ))
            .unwrap(),
        };
        Statement {
            id: StatementId(s as u32),
            name: format!("S{s}").as_str().into(),
            domain: Set::parse(&format!("[n] -> {{ S{s}[i, j] : {domain} }}")).unwrap(),
            iterators: vec!["i".into(), "j".into()],
            iterator_types: vec!["int".to_string(); 2],
            accesses: self.statements[s].iter().enumerate().map(access).collect(),
            body: Body::default(),
            is_kill: false,
            location: Location::default(),
        }
    }
}

type Instance = (usize, i64, i64);
type Edge = ((usize, usize), Instance, (usize, usize), Instance);

/// What the simulation sees.
#[derive(Default, PartialEq, Eq, Debug)]
struct Seen {
    flow: BTreeSet<Edge>,
    live_in: BTreeSet<((usize, usize), Instance)>,
    live_out: BTreeSet<((usize, usize), Instance)>,
}

fn simulate(program: &Program) -> Seen {
    let mut seen = Seen::default();
    let mut last: BTreeMap<(u32, i64), ((usize, usize), Instance)> = BTreeMap::new();
    for (s, i, j) in program.instances() {
        let forms = program.statements[s].iter().enumerate();
        let element = |f: &Form| (f.array, f.a * i + f.b * j + f.c);
        for (r, form) in forms.clone().filter(|(_, f)| f.kind == AccessKind::Read) {
            match last.get(&element(form)) {
                Some((reference, writer)) => {
                    seen.flow.insert((*reference, *writer, (s, r), (s, i, j)));
                }
                None => {
                    seen.live_in.insert(((s, r), (s, i, j)));
                }
            }
        }
        for (r, form) in forms.filter(|(_, f)| f.kind == AccessKind::MustWrite) {
            last.insert(element(form), ((s, r), (s, i, j)));
        }
    }
    for ((array, _), (reference, writer)) in last {
        if program.live_out[array as usize] {
            seen.live_out.insert((reference, writer));
        }
    }
    seen
}

fn instance(statement: StatementId, point: &[Int]) -> Instance {
    (statement.0 as usize, point[0].to_i64().unwrap(), point[1].to_i64().unwrap())
}

fn edges(dependence: &Dependence, budget: &Budget) -> Vec<Edge> {
    let position = dependence.relation.find_param("n");
    let fixed = match position {
        Some(n) => dependence.relation.fix(DimKind::Param, n, &Int::from(N)),
        None => dependence.relation.clone(),
    };
    let points = fixed.wrap().points(10_000, budget).unwrap();
    let key = |(s, r): (StatementId, ReferenceId)| (s.0 as usize, r.0 as usize);
    let edge = |point: Vec<Int>| {
        let dims = &point[point.len() - 4..];
        (
            key(dependence.source),
            instance(dependence.source.0, &dims[..2]),
            key(dependence.sink),
            instance(dependence.sink.0, &dims[2..]),
        )
    };
    points.into_iter().map(edge).collect()
}

fn analyzed(dependences: &Dependences, budget: &Budget) -> Seen {
    let mut seen = Seen::default();
    for flow in &dependences.flow {
        seen.flow.extend(edges(flow, budget));
    }
    let live = |list: &[loopwright_dataflow::LiveAccess]| {
        let mut result = BTreeSet::new();
        for access in list {
            let fixed = match access.instances.find_param("n") {
                Some(n) => access.instances.fix(DimKind::Param, n, &Int::from(N)),
                None => access.instances.clone(),
            };
            for point in fixed.points(10_000, budget).unwrap() {
                let dims = &point[point.len() - 2..];
                let key = (access.statement.0 as usize, access.reference.0 as usize);
                result.insert((key, instance(access.statement, dims)));
            }
        }
        result
    };
    seen.live_in = live(&dependences.live_in);
    seen.live_out = live(&dependences.live_out);
    seen
}

fn form(kind: AccessKind) -> impl Strategy<Value = Form> {
    (0u32..2, -1i64..=2, -1i64..=2, -1i64..=1).prop_map(move |(array, a, b, c)| Form {
        array,
        a,
        b,
        c,
        kind,
    })
}

/// Reads first, then one write: the order within an instance.
fn forms() -> impl Strategy<Value = Vec<Form>> {
    let reads = prop::collection::vec(form(AccessKind::Read), 0..3);
    (reads, form(AccessKind::MustWrite)).prop_map(|(mut reads, write)| {
        reads.push(write);
        reads
    })
}

fn program() -> impl Strategy<Value = Program> {
    let statements = prop::collection::vec(forms(), 1..3);
    (statements, any::<bool>(), any::<bool>(), any::<[bool; 2]>()).prop_map(
        |(statements, share_inner_loop, triangular, live_out)| Program {
            statements,
            share_inner_loop,
            triangular,
            live_out,
        },
    )
}

fn check(program: &Program) {
    let budget = Budget::unlimited();
    let dependences = Dependences::of_scop(&program.scop(), &budget).unwrap();
    assert!(dependences.is_exact);
    assert_eq!(analyzed(&dependences, &budget), simulate(program), "{program:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn flow_and_live_accesses_agree_with_the_simulation(program in program()) {
        check(&program);
    }
}

#[test]
fn a_scalar_is_written_before_it_is_read_in_each_iteration() {
    let scalar = |kind| Form { array: 0, a: 0, b: 0, c: 0, kind };
    check(&Program {
        statements: vec![
            vec![scalar(AccessKind::MustWrite)],
            vec![
                scalar(AccessKind::Read),
                Form { array: 1, a: 1, b: 1, c: 0, kind: AccessKind::MustWrite },
            ],
        ],
        share_inner_loop: true,
        triangular: false,
        live_out: [false, true],
    });
}
