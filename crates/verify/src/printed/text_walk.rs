//! What a walk over the tree and the text at once knows.
use crate::printed::cursor::{Cursor, Names};
use crate::printed::device::state::Device;
use crate::printed::outcome::NotRead;
use crate::printed::tokens::{Token, TokenKind, tokens};
use crate::printed::values::Surroundings;
use loopwright_presburger::{Budget, Name};
use loopwright_schedule::LoopMark;
use loopwright_scop::{BodyPiece, Scop};
use std::collections::{BTreeSet, HashSet};

/// A walk over the tree and the text at once.
pub(super) struct TextWalk<'t, 'a> {
    pub(super) scop: &'a Scop,
    pub(super) cursor: Cursor<'t, 'a>,
    pub(super) names: Names<'a>,
    /// The types of elements that there are, as tokens.
    pub(super) types: BTreeSet<Vec<&'a str>>,
    /// The words of the program's text.
    pub(super) used: HashSet<String>,
    pub(super) around: Surroundings<'a>,
    pub(super) budget: &'a Budget,
    /// The lines of parts that were passed over.
    pub(super) passed: Vec<NotRead>,
    /// The arrays that the blocks around declare.
    pub(super) local: Vec<Name>,
    /// The variables of the region that have been declared, in front of all or in the loops around.
    pub(super) declared: Vec<Name>,
    /// Whether statements here may be searched by threads.
    pub(super) searches: bool,
    /// What is known about a device, if the text is for one.
    pub(super) device: Option<Device<'a>>,
}

/// A mark and the dimension of the loops that it is about.
#[derive(Clone, Copy)]
pub(super) struct Marked<'m> {
    pub(super) mark: &'m LoopMark,
    pub(super) dimension: usize,
}

impl<'t, 'a> TextWalk<'t, 'a> {
    /// A walk at the front of a text.
    pub(super) fn new(scop: &'a Scop, tokens: &'t [Token<'a>], budget: &'a Budget) -> Self {
        TextWalk {
            scop,
            cursor: Cursor::new(tokens),
            names: Names { parameters: parameters(scop), ..Names::default() },
            types: scop.arrays.iter().map(|array| words_of(&array.element_type)).collect(),
            used: words(scop),
            around: Surroundings::new(&scop.context, budget),
            budget,
            passed: Vec::new(),
            local: Vec::new(),
            declared: Vec::new(),
            searches: false,
            device: None,
        }
    }
}

/// The texts of tokens.
fn words_of(text: &str) -> Vec<&str> {
    tokens(text).into_iter().map(|token| token.text).collect()
}

/// The words of the program.
fn words(scop: &Scop) -> HashSet<String> {
    let mut words = HashSet::new();
    let mut add = |text: &str| {
        let found = tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word);
        words.extend(found.map(|token| token.text.to_string()));
    };
    scop.parameters.iter().for_each(|parameter| add(&parameter.name));
    scop.arrays.iter().for_each(|array| {
        add(&array.name);
        add(&array.tuple_name);
    });
    for piece in scop.statements.iter().flat_map(|statement| statement.body.pieces()) {
        match piece {
            BodyPiece::Text(text) => add(&text),
            BodyPiece::Element(element) => {
                let (before, after) = element.base.parts();
                add(before);
                after.iter().for_each(|text| add(text));
            }
            BodyPiece::Affine(_) | BodyPiece::Hidden(_) => {}
        }
    }
    words
}

fn parameters(scop: &Scop) -> Vec<loopwright_presburger::Name> {
    scop.parameters.iter().map(|parameter| parameter.name.clone()).collect()
}
