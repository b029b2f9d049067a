//! What tests plant in changed programs, and what proofs say of it.
use loopwright_presburger::{Set, Space, UnionSet};
use loopwright_schedule::ScheduleTree;
use loopwright_scop::{Body, BodyPiece, Scop, Statement};
use loopwright_verify::Proof;

/// The region of a function, with its own array declarations.
pub(crate) fn scop_of(text: &str) -> Scop {
    let source = loopwright_cfront::SourceFile::from_text("f.c", text);
    source.extract_each().unwrap().remove(0).unwrap().scop
}

/// One of the proofs is refuted for a reason.
pub(crate) fn assert_refuted(proofs: Vec<Proof>, reason: &str) {
    let of = |proof| match proof {
        Proof::Refuted(violations) => violations,
        _ => Vec::new(),
    };
    let said: Vec<String> =
        proofs.into_iter().flat_map(of).map(|violation| violation.message).collect();
    assert!(said.iter().any(|message| message.contains(reason)), "{reason}: {said:?}");
}

pub(crate) fn statement_named<'a>(scop: &'a mut Scop, name: &str) -> &'a mut Statement {
    let mut all = scop.statements.iter_mut();
    all.find(|statement| &*statement.name == name).expect("such a statement")
}

/// Leaves only some instances of a statement.
pub(crate) fn restrict(statement: &mut Statement, set: &str) {
    let set = statement.domain.intersect(&Set::parse(set).unwrap()).unwrap();
    *statement = statement.restricted(&set).unwrap();
}

/// The trees run the instances that statements have.
pub(crate) fn use_domains(scop: &mut Scop, tree: &mut ScheduleTree) {
    let domains = scop.statements.iter().map(|statement| statement.domain.clone());
    let domain = UnionSet::from_sets(&Space::params(&[]), domains);
    scop.schedule.domain = domain.clone();
    tree.domain = domain;
}

/// The body with its elements and other text between them.
pub(crate) fn rewrite(statement: &mut Statement, texts: &[&str]) {
    let elements: Vec<_> = statement.body.elements().into_iter().cloned().collect();
    let elements = elements.into_iter().map(BodyPiece::element).map(Some);
    let texts = texts.iter().map(|text| Some(BodyPiece::text(text.to_string())));
    let mut pieces = Vec::new();
    for (element, text) in elements.zip(texts.chain(std::iter::repeat(None))) {
        pieces.extend(element);
        pieces.extend(text);
    }
    statement.body = Body::read(pieces);
}
