//! Which bodies are updates whose order does not matter.
use loopwright_dataflow::{ReductionOperator, reductions};
use loopwright_presburger::{Budget, Map};
use loopwright_scop::body::tokens::tokens;
use loopwright_scop::{
    Access, AccessKind, ArrayId, Body, BodyPiece, Element, ElementKind, ReferenceId, Scop,
};

const MODEL: &str = r#"
context: "{ : }"
arrays:
- { name: s, tuple: s, type: double, kind: floating, live_out: 1 }
statements:
- name: S0
  domain: "{ S0[i] : 0 <= i < 9 }"
  iterators: [ i ]
  iterator_types: [ int ]
schedule: { domain: "{ S0[i] : 0 <= i < 9 }", child: { schedule: "[{ S0[i] -> [(i)] }]" } }
"#;

/// The model of a loop around a statement, in whose text `s` is the scalar.
fn model(text: &str, kind: ElementKind) -> Scop {
    let mut scop = Scop::parse(MODEL).unwrap();
    scop.arrays[0].element_kind = kind;
    let pieces = tokens(text).into_iter().map(|token| match token.text {
        "s" => BodyPiece::element(Element::new("s", ArrayId(0), Vec::new())),
        other => BodyPiece::text(other),
    });
    let body = Body::read(pieces);
    let is_compound = text.contains("+=");
    let n_reads = body.elements().len() - 1 + usize::from(is_compound);
    let statement = &mut scop.statements[0];
    let kinds = std::iter::repeat_n(AccessKind::Read, n_reads).chain([AccessKind::MustWrite]);
    statement.accesses = kinds
        .enumerate()
        .map(|(position, kind)| Access {
            reference: ReferenceId(position as u32),
            array: ArrayId(0),
            kind,
            relation: Map::parse("{ S0[i] -> s[] : 0 <= i < 9 }").unwrap(),
        })
        .collect();
    statement.body = body;
    scop
}

fn operator(text: &str, kind: ElementKind) -> Option<ReductionOperator> {
    let found = reductions(&model(text, kind), &Budget::unlimited()).unwrap();
    found.first().map(|reduction| reduction.operator)
}

#[test]
fn updates_are_recognised_in_every_spelling() {
    use ReductionOperator::{Maximum, Minimum, Product, Sum};
    let cases = [
        ("s += n * m", Sum),
        ("s = (s + n) + m", Sum),
        ("s = ((n * 2) + s)", Sum),
        ("s = (s) - (n - m)", Sum),
        ("s = s + (real) n", Sum),
        ("s = (s * n) * m", Product),
        ("s = n / m * s", Product),
        ("s = s / n / m", Product),
        ("if (n) { s += m; }", Sum),
        ("if (n < s) s = n", Minimum),
        ("if (m && (s < n)) { s = (n); }", Maximum),
        ("s = (n < s) ? (n) : (s)", Minimum),
        ("s = fmax(sqrt(fabs(n)), (s))", Maximum),
    ];
    for (text, expected) in cases {
        assert_eq!(operator(text, ElementKind::Floating), Some(expected), "{text}");
    }
}

#[test]
fn bits_are_combined_in_chains() {
    let cases = [
        ("s = s & n & m", ReductionOperator::And),
        ("s = n + m | s", ReductionOperator::Or),
        ("s = s ^ (n << 2)", ReductionOperator::ExclusiveOr),
    ];
    for (text, expected) in cases {
        assert_eq!(operator(text, ElementKind::Unsigned), Some(expected), "{text}");
    }
}

#[test]
fn other_bodies_are_no_updates() {
    let texts = [
        "s = n - s",
        "s = (s + n) * m",
        "s = s * n + m",
        "s = s + n < m",
        "s = s + n, m",
        "s = -s + n",
        "s = s + s",
        "s = n / s",
        "s = s ? n : m",
        "if (n) s += m; else s = m",
        "if (n < s) s = m",
        "while (n) s += m",
        "{ s += n; s += m; }",
        "s++",
    ];
    for text in texts {
        assert_eq!(operator(text, ElementKind::Floating), None, "{text}");
    }
    assert_eq!(operator("s = s / n", ElementKind::Signed), None);
}
