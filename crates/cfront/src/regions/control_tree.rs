//! The control flow of a region as it is written, with the text of its parts.
//!
//! Models say which instances there are; a program that is made of copies of the control flow, as the
//! processes of a network are, needs the loops and branches themselves.
use crate::facts::for_header::header;
use crate::syntax::kind::{Field, Kind};
use crate::syntax::queries::{named_children, strip_parentheses, text, written_places};
use crate::syntax::tree::Node;

/// An expression with the place of its first byte in the preprocessed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlacedText {
    /// Its first byte, by which accesses and statements are found
    /// ([`StatementPlaces`](crate::StatementPlaces)).
    pub at: usize,
    /// Its text, on one line.
    pub text: String,
    /// What it assigns, each with its place.
    pub assigned: Vec<(usize, String)>,
}

/// A part of a region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ControlTree {
    /// Parts one after the other.
    Block(Vec<ControlTree>),
    /// An expression as a statement.
    Expression(PlacedText),
    /// The initial value of a variable that the region declares: `name = value`.
    Initial(PlacedText),
    /// `if`, with the parts for both outcomes.
    If(PlacedText, Box<ControlTree>, Option<Box<ControlTree>>),
    /// `for`: the text of its start and of its step, its condition and its body.
    For {
        /// What the head begins with, as `int i = 0`.
        start: String,
        /// The condition.
        condition: PlacedText,
        /// What follows each iteration.
        step: String,
        /// The body.
        body: Box<ControlTree>,
    },
    /// `while`.
    While(PlacedText, Box<ControlTree>),
    /// `do`.
    Do(Box<ControlTree>, PlacedText),
    /// `break;` or `continue;`.
    Jump(String),
    /// What has no form here, in words, with its place.
    Other(usize, String),
}

/// The control flow of consecutive statements.
pub(crate) fn control_tree(source: &str, nodes: &[Node<'_>]) -> ControlTree {
    ControlTree::Block(nodes.iter().flat_map(|node| part(source, *node)).collect())
}

fn placed(source: &str, node: Node<'_>) -> PlacedText {
    let node = strip_parentheses(node);
    let assigned = written_places(node).map(|place| (place.start_byte(), flat(source, place)));
    PlacedText { at: node.start_byte(), text: flat(source, node), assigned: assigned.collect() }
}

/// The text of a node on one line.
fn flat(source: &str, node: Node<'_>) -> String {
    text(source, node).replace(['\n', '\r'], " ")
}

fn part(source: &str, node: Node<'_>) -> Vec<ControlTree> {
    let boxed = |node: Node<'_>| Box::new(ControlTree::Block(part(source, node)));
    let other = |what: &str| vec![ControlTree::Other(node.start_byte(), what.to_string())];
    let (condition, body) = (node.field(Field::Condition), node.field(Field::Body));
    match node.kind() {
        Kind::ExpressionStatement => named_children(node)
            .next()
            .map(|inner| ControlTree::Expression(placed(source, inner)))
            .into_iter()
            .collect(),
        Kind::CompoundStatement => {
            vec![ControlTree::Block(named_children(node).flat_map(|n| part(source, n)).collect())]
        }
        Kind::Declaration => declaration(source, node),
        Kind::IfStatement => {
            let (Some(condition), Some(then)) = (condition, node.field(Field::Consequence)) else {
                return other("an `if`");
            };
            let otherwise = node.field(Field::Alternative);
            let otherwise = otherwise.and_then(|clause| named_children(clause).next());
            vec![ControlTree::If(placed(source, condition), boxed(then), otherwise.map(boxed))]
        }
        Kind::ForStatement => for_loop(source, node),
        Kind::WhileStatement | Kind::DoStatement => {
            let (Some(condition), Some(body)) = (condition, body) else { return other("a loop") };
            vec![match node.kind() {
                Kind::DoStatement => ControlTree::Do(boxed(body), placed(source, condition)),
                _ => ControlTree::While(placed(source, condition), boxed(body)),
            }]
        }
        Kind::BreakStatement | Kind::ContinueStatement => {
            vec![ControlTree::Jump(flat(source, node))]
        }
        Kind::ReturnStatement => other("`return`"),
        Kind::SwitchStatement => other("`switch`"),
        Kind::GotoStatement | Kind::LabeledStatement => other("`goto`"),
        token!(";") => Vec::new(),
        _ => other("a statement"),
    }
}

fn for_loop(source: &str, node: Node<'_>) -> Vec<ControlTree> {
    let other = |what: &str| vec![ControlTree::Other(node.start_byte(), what.to_string())];
    let (Some(condition), Some(body)) = (node.field(Field::Condition), node.field(Field::Body))
    else {
        return other("a `for` loop without a condition");
    };
    let (Some(start), Some(step)) = (node.field(Field::Initializer), node.field(Field::Update))
    else {
        return other("a `for` loop without an iterator");
    };
    if header(source, node).is_some_and(|own| !own.starts.is_empty() || !own.steps.is_empty()) {
        return other("a `for` loop with several variables in its head");
    }
    vec![ControlTree::For {
        start: flat(source, start).trim_end_matches(';').to_string(),
        condition: placed(source, condition),
        step: flat(source, step),
        body: Box::new(ControlTree::Block(part(source, body))),
    }]
}

/// The initial values of a declaration; the variables themselves are known otherwise.
fn declaration(source: &str, node: Node<'_>) -> Vec<ControlTree> {
    let mut parts = Vec::new();
    for declarator in node.of_kind(Kind::InitDeclarator) {
        let (Some(name), Some(value)) =
            (declarator.field(Field::Declarator), declarator.field(Field::Value))
        else {
            continue;
        };
        if name.kind() != Kind::Identifier {
            let what = "the initial value of an array".to_string();
            parts.push(ControlTree::Other(node.start_byte(), what));
            continue;
        }
        let name_text = flat(source, name);
        parts.push(ControlTree::Initial(PlacedText {
            at: declarator.start_byte(),
            text: format!("{name_text} = {}", flat(source, value)),
            assigned: vec![(name.start_byte(), name_text)],
        }));
    }
    parts
}
